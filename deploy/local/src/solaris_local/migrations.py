"""Brings the four databases to the newest schema, side by side in one process (its imports are paid once)."""

import asyncio
import sys
from importlib.util import find_spec
from pathlib import Path

from alembic.script import ScriptDirectory

from solaris_local import services
from solaris_local.databases import Access
from solaris_local.home import Home
from solaris_shared.migrate import migrate


def scripts(service: str) -> Path:
    """A service's alembic folder, found without importing the service."""
    spec = find_spec(f"solaris_{service}")
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError(f"solaris_{service} is not installed: run `make setup`")
    return Path(spec.submodule_search_locations[0]) / "migrations"


def head(service: str) -> str:
    """Newest revision of a service's schema in this release."""
    return ScriptDirectory(str(scripts(service))).get_current_head() or ""


async def migrate_all(home: Home) -> None:
    """Each database by its migrator's role."""
    for name in services.NAMES:
        url = (home.root / "keys" / f"{name}-migrate.url").read_text().strip()
        roles: Access = services.access(home, name)
        await migrate(url, scripts(name), roles.app)


if __name__ == "__main__":
    asyncio.run(migrate_all(Home(Path(sys.argv[1]))))
