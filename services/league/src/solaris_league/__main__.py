"""python -m solaris_league api | worker | migrate | rebuild <projection> | keys | bootstrap"""

import asyncio
import json
import sys

from solaris_league import bootstrap
from solaris_league.main import definition
from solaris_shared.service_main import main
from solaris_shared.settings import Settings


def prepare(arguments: list[str]) -> None:
    """The commands that only this service has."""
    chosen, settings = bootstrap.parse(arguments), Settings()
    if chosen.command == "keys":
        bootstrap.make_keys(*bootstrap.key_files(settings))
        return
    password = chosen.password_file.read_text(encoding="utf-8").strip()
    log = definition().log
    made = asyncio.run(bootstrap.first_account(settings.database_url, log, chosen.handle, password))
    sys.stdout.write(json.dumps(made, ensure_ascii=False) + "\n")


if sys.argv[1:2] and sys.argv[1] in bootstrap.COMMANDS:
    prepare(sys.argv[1:])
else:
    main(definition())
