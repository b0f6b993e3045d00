"""Folded fights kept in memory: events never change, so only what was appended since is read and folded."""

from collections import OrderedDict
from dataclasses import dataclass, field

import asyncpg

from solaris_combat.domain.fight import Fight, evolve
from solaris_combat.engines.registry import Registry
from solaris_shared.log.event_log import EventLog
from solaris_shared.log.unit_of_work import Loaded

KEPT = 200


@dataclass(slots=True)
class FightMemory:
    """The last fights that were looked at, each at the version it was folded to."""

    registry: Registry
    _kept: OrderedDict[str, Loaded[Fight]] = field(default_factory=OrderedDict)

    async def load(self, conn: asyncpg.Connection, log: EventLog, stream: str) -> Loaded[Fight]:
        """The fight after everything committed. Call it before appending in the same transaction."""
        known = self._kept.get(stream, Loaded(stream, 0, None))
        version, fight = known.version, known.state
        for stored in await log.load(conn, stream, after=version):
            fight, version = evolve(self.registry, fight, stored.event), stored.version
        loaded = Loaded(stream, version, fight)
        if fight is not None:
            self._keep(loaded)
        return loaded

    def _keep(self, loaded: Loaded[Fight]) -> None:
        if loaded.version >= self._kept.get(loaded.stream, loaded).version:
            self._kept[loaded.stream] = loaded
        self._kept.move_to_end(loaded.stream)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
