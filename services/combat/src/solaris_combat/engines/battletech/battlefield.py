"""The ground of a fight as it is now: what has changed on the arena's board, what burns, what stands on it.

`Battlefield` is what everybody sees, `Hidden` what nobody does. Both follow the events of `ground_events`;
nothing is decided or rolled here. `board` is the arena's board with every change laid over it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from solaris_combat.engines.battletech import ground_events as ev
from solaris_combat.engines.battletech.board import Board, overlaid, smoked
from solaris_combat.engines.battletech.hex import Hex, internal_facing
from solaris_combat.engines.battletech.mines import Minefield
from solaris_combat.engines.battletech.terrain import Ground, terrain_of
from solaris_combat.engines.battletech.traps import MINES as TRAP_MINES
from solaris_combat.engines.battletech.turrets import Turret, fresh_turret
from solaris_combat.engines.battletech.walls import fallen
from solaris_combat.engines.frozen import replace


@dataclass(frozen=True, slots=True)
class Fire:
    """A burning hex: the turn it was lit in, and the last turn it burns (None: on and on)."""

    since: int
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Hidden:
    """What lies hidden, by hex index: traps not rolled for, mines, and quicksand nobody has stepped into."""

    traps: frozenset[int] = frozenset()
    mines: Mapping[int, Minefield] = field(default_factory=dict)
    quicksand: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Battlefield:
    """The visible ground by hex index. `base` is the arena's board, `known_mines` those that went off;
    `roofs` have somebody on them; `at_phase` is the board at the start of the phase."""

    base: Board = field(repr=False)
    board: Board = field(repr=False, compare=False)
    changed: Mapping[int, Ground] = field(default_factory=dict)
    fires: Mapping[int, Fire] = field(default_factory=dict)
    smoke: frozenset[int] = frozenset()
    turrets: Mapping[int, Turret] = field(default_factory=dict)
    known_mines: frozenset[int] = frozenset()
    wind: int = 0
    roofs: frozenset[int] = frozenset()
    at_phase: Board = field(repr=False, compare=False, kw_only=True)


def untouched(board: Board) -> Battlefield:
    """The ground of an arena before anything happened."""
    return Battlefield(board, board, at_phase=board)


def phase_begins(ground: Battlefield) -> Battlefield:
    """The ground at the start of a phase, which counts for collapses and cover in the whole phase."""
    return ground if ground.at_phase is ground.board else replace(ground, at_phase=ground.board)


def with_roofs(ground: Battlefield, roofs: frozenset[int]) -> Battlefield:
    """The ground with somebody on the roofs of these buildings."""
    return ground if roofs == ground.roofs else _rebuilt(replace(ground, roofs=roofs))


def after(ground: Battlefield, event: Any) -> Battlefield:
    """The visible ground after an event; itself where nothing of it changed."""
    change = _CHANGES.get(type(event))
    return change(ground, event) if change else ground


def hidden_after(hidden: Hidden, board: Board, event: Any) -> Hidden:
    """What is hidden after an event."""
    change = _HIDDEN.get(type(event))
    return change(hidden, board, event) if change else hidden


def index_of(board: Board, number: str) -> int:
    """Index of a hex by its printed number."""
    return board.index(Hex.parse(number))


def _rebuilt(ground: Battlefield) -> Battlefield:
    roofs = frozenset(
        at for at in ground.roofs if (ground.changed.get(at) or ground.base.ground_at(at)).height
    )
    board = overlaid(ground.base, ground.changed, ground.smoke, frozenset(ground.turrets), roofs)
    return replace(ground, board=board)


def _wind(ground: Battlefield, event: ev.WindDrawn) -> Battlefield:
    return replace(ground, wind=internal_facing(event.direction))


def _lit(ground: Battlefield, event: ev.FireLit) -> Battlefield:
    """A fire that burns on is not made shorter by another one; one for a time is made longer."""
    index = index_of(ground.base, event.hex)
    before = ground.fires.get(index)
    since = before.since if before else event.turn
    return replace(ground, fires={**ground.fires, index: Fire(since, event.until)})


def _out(ground: Battlefield, event: ev.FireOut) -> Battlefield:
    index = index_of(ground.base, event.hex)
    return replace(ground, fires={at: fire for at, fire in ground.fires.items() if at != index})


def _smoke(ground: Battlefield, event: ev.SmokeDrifted) -> Battlefield:
    smoke = frozenset(index_of(ground.base, number) for number in event.hexes)
    return (
        ground if smoke == ground.smoke else replace(ground, smoke=smoke, board=smoked(ground.board, smoke))
    )


def _with_ground(ground: Battlefield, index: int, now: Ground) -> Battlefield:
    return _rebuilt(replace(ground, changed={**ground.changed, index: now}))


def _terrain(ground: Battlefield, event: ev.TerrainChanged) -> Battlefield:
    index = index_of(ground.base, event.hex)
    before = ground.board.ground_at(index)
    after = terrain_of(event.after, before.terrain.depth)
    return _with_ground(ground, index, Ground(before.level, after, road=before.road))


def _factor(ground: Battlefield, event: ev.FactorReduced) -> Battlefield:
    index = index_of(ground.base, event.hex)
    now = replace(ground.board.ground_at(index), construction_factor=event.after)
    return _with_ground(ground, index, now)


def _collapsed(ground: Battlefield, event: ev.Collapsed) -> Battlefield:
    index = index_of(ground.base, event.hex)
    return _with_ground(ground, index, fallen(ground.board.ground_at(index)))


def _exploded(ground: Battlefield, event: ev.MineExploded) -> Battlefield:
    if event.vibrabomb:
        return ground
    return replace(ground, known_mines=ground.known_mines | {index_of(ground.base, event.hex)})


def _swept(ground: Battlefield, event: ev.MinesSwept) -> Battlefield:
    if not event.success:
        return ground
    return replace(ground, known_mines=ground.known_mines - {index_of(ground.base, event.hex)})


def _rose(ground: Battlefield, event: ev.TurretRose) -> Battlefield:
    index = index_of(ground.base, event.hex)
    return _rebuilt(replace(ground, turrets={**ground.turrets, index: fresh_turret(event.kind)}))


def _fired(ground: Battlefield, event: ev.TurretFired) -> Battlefield:
    """A salvo is gone; a turret shot down in the same phase has fired all the same."""
    index = index_of(ground.base, event.hex)
    turret = ground.turrets.get(index)
    if turret is None:
        return ground
    left = None if turret.salvoes is None else turret.salvoes - 1
    return replace(ground, turrets={**ground.turrets, index: replace(turret, salvoes=left)})


def _turret(ground: Battlefield, event: ev.TurretDamaged) -> Battlefield:
    index = index_of(ground.base, event.hex)
    if event.armor > 0:
        kept = {**ground.turrets, index: replace(ground.turrets[index], armor=event.armor)}
        return replace(ground, turrets=kept)
    kept = {at: turret for at, turret in ground.turrets.items() if at != index}
    now = fallen(ground.board.ground_at(index))
    return _with_ground(replace(ground, turrets=kept), index, now)


_CHANGES: Mapping[type, Callable[[Battlefield, Any], Battlefield]] = {
    ev.WindDrawn: _wind,
    ev.FireLit: _lit,
    ev.FireOut: _out,
    ev.SmokeDrifted: _smoke,
    ev.TerrainChanged: _terrain,
    ev.FactorReduced: _factor,
    ev.Collapsed: _collapsed,
    ev.MineExploded: _exploded,
    ev.MinesSwept: _swept,
    ev.TurretRose: _rose,
    ev.TurretFired: _fired,
    ev.TurretDamaged: _turret,
}


def _traps(hidden: Hidden, board: Board, event: ev.TrapsHidden) -> Hidden:
    return replace(hidden, traps=frozenset(index_of(board, number) for number in event.hexes))


def _mines(hidden: Hidden, board: Board, event: ev.MinesLaid) -> Hidden:
    laid = {index_of(board, number): Minefield(event.damage, event.setting) for number in event.hexes}
    return replace(hidden, mines={**hidden.mines, **laid})


def _rolled(hidden: Hidden, board: Board, event: ev.TrapRolled) -> Hidden:
    """A trap is rolled for once; mines stay where they are, quicksand until somebody steps into it."""
    index = index_of(board, event.hex)
    hidden = replace(hidden, traps=hidden.traps - {index})
    if event.kind == "mines":
        return replace(hidden, mines={**hidden.mines, index: TRAP_MINES})
    if event.kind == "quicksand":
        return replace(hidden, quicksand=hidden.quicksand | {index})
    return hidden


def _opened(hidden: Hidden, board: Board, event: ev.TerrainChanged) -> Hidden:
    return replace(hidden, quicksand=hidden.quicksand - {index_of(board, event.hex)})


def _gone_off(hidden: Hidden, board: Board, event: ev.MineExploded) -> Hidden:
    """A vibrabomb explodes once; conventional mines go on (D)."""
    return _without_mines(hidden, index_of(board, event.hex)) if event.vibrabomb else hidden


def _cleared(hidden: Hidden, board: Board, event: ev.MinesSwept) -> Hidden:
    return _without_mines(hidden, index_of(board, event.hex)) if event.success else hidden


def _without_mines(hidden: Hidden, index: int) -> Hidden:
    return replace(hidden, mines={at: field for at, field in hidden.mines.items() if at != index})


_HIDDEN: Mapping[type, Callable[[Hidden, Board, Any], Hidden]] = {
    ev.TrapsHidden: _traps,
    ev.MinesLaid: _mines,
    ev.TrapRolled: _rolled,
    ev.TerrainChanged: _opened,
    ev.MineExploded: _gone_off,
    ev.MinesSwept: _cleared,
}
