"""What seldom changes at combat and every page needs: words, record sheets, arenas. Kept for a while."""

import time
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote

from solaris_console.apis import Caller, Trouble

Json = dict[str, Any]
KEPT_SECONDS: Final = 300.0
MAX_KEPT: Final = 500


@dataclass(slots=True)
class Catalogue:
    """Answers by path, each good for some minutes; an old one serves while combat is down."""

    _kept: dict[str, tuple[float, Json]] = field(default_factory=dict)

    async def words(self, caller: Caller) -> Json:
        """Names of everything in the caller's language; none while combat is down and was never asked."""
        try:
            return dict((await self._ask(caller, f"/v1/words/{caller.language}"))["words"])
        except Trouble:
            return {}

    async def mech(self, caller: Caller, model: str) -> Json:
        """A record sheet as built; raises Trouble."""
        return await self._ask(caller, f"/v1/mechs/{quote(model, safe='')}")

    async def arena(self, caller: Caller, arena_id: str) -> Json:
        """An arena with its hexes; raises Trouble."""
        return await self._ask(caller, f"/v1/arenas/{quote(arena_id, safe='')}")

    async def _ask(self, caller: Caller, path: str) -> Json:
        asked_at, known = self._kept.get(path, (0.0, None))
        if known is not None and time.monotonic() - asked_at < KEPT_SECONDS:
            return known
        try:
            found = await caller.get("combat", path)
        except Trouble as trouble:
            if known is not None and trouble.down:
                return known
            raise
        if len(self._kept) >= MAX_KEPT:
            self._kept.clear()
        self._kept[path] = (time.monotonic(), found)
        return found
