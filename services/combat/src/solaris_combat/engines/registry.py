"""The engines a process can play, by ruleset id and version. The composition root fills it."""

from collections.abc import Iterable, Iterator
from typing import Any

from solaris_combat.engines.contract import Engine, SetupRefused, Violation

AnyEngine = Engine[Any, Any, Any]


class Registry:
    """Engines by ruleset and version; rulesets are kept for ever, so old fights find theirs."""

    __slots__ = ("_engines",)

    def __init__(self, engines: Iterable[AnyEngine]) -> None:
        self._engines: dict[tuple[str, int], AnyEngine] = {}
        for engine in engines:
            if self._engines.setdefault((engine.ruleset, engine.version), engine) is not engine:
                raise ValueError(f"two engines for {engine.ruleset} version {engine.version}")

    def __iter__(self) -> Iterator[AnyEngine]:
        return iter(self._engines.values())

    def newest(self, ruleset: str) -> AnyEngine:
        """The engine new fights of this ruleset get; SetupRefused if nobody plays it."""
        versions = [version for name, version in self._engines if name == ruleset]
        if not versions:
            raise SetupRefused(Violation("unknown-ruleset", f"no ruleset {ruleset!r}", "/ruleset"))
        return self._engines[ruleset, max(versions)]

    def pinned(self, ruleset: str, version: int) -> AnyEngine:
        """The engine a fight or record was made with; SetupRefused if this release no longer carries it."""
        try:
            return self._engines[ruleset, version]
        except KeyError:
            detail = f"this release cannot play {ruleset!r} version {version}"
            raise SetupRefused(Violation("unknown-engine", detail, "/engine")) from None
