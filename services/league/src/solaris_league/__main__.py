"""python -m solaris_league api | worker | migrate | rebuild <projection> | keys | bootstrap | import"""

import asyncio
import json
import sys
from pathlib import Path

from solaris_league import bootstrap
from solaris_league.adapters.tables import load_rules
from solaris_league.application import championship
from solaris_league.domain.championship import ChampionshipDamaged
from solaris_league.main import definition
from solaris_shared.errors import SolarisError
from solaris_shared.service_main import main
from solaris_shared.settings import Settings


def prepare(arguments: list[str]) -> None:
    """The commands that only this service has."""
    chosen, settings = bootstrap.parse(arguments), Settings()
    if chosen.command == "keys":
        bootstrap.make_keys(*bootstrap.key_files(settings))
        return
    if chosen.command == "import":
        take_in(chosen.file, chosen.passwords, settings)
        return
    password = chosen.password_file.read_text(encoding="utf-8").strip()
    log = definition().log
    made = asyncio.run(bootstrap.first_account(settings.database_url, log, chosen.handle, password))
    sys.stdout.write(json.dumps(made, ensure_ascii=False) + "\n")


def take_in(file: Path, out: Path, settings: Settings) -> None:
    """A championship into an empty league; what is wrong with it is told in one line, and nothing is left."""
    try:
        rules = load_rules()
        facts = championship.read(file.read_bytes(), rules)
        passwords = bootstrap.first_passwords(championship.people(facts), out)
        try:
            url, log = settings.database_url, definition().log
            made = asyncio.run(bootstrap.take_in(url, log, rules, facts, passwords))
        except BaseException:
            out.unlink()
            raise
    except (OSError, ChampionshipDamaged, SolarisError) as error:
        sys.exit(f"{file}: {' '.join(str(error).split())}")
    sys.stdout.write(json.dumps(made) + "\n")


if sys.argv[1:2] and sys.argv[1] in bootstrap.COMMANDS:
    prepare(sys.argv[1:])
else:
    main(definition())
