"""The state of a fight and how each event changes it. Nothing else changes it.

`evolve` decides nothing and rolls nothing: it copies what an event says into the state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from solaris_combat.engines.battletech import (
    battlefield,
    fire_events,
    ground_events,
    harm,
    heat_events,
    ruling_events,
)
from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech.battlefield import Battlefield, Hidden, untouched
from solaris_combat.engines.battletech.board import Arena, Board, arena
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.club import LIMB, limbs_torn_off
from solaris_combat.engines.battletech.hex import Hex, distance, internal_facing
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.movement import BACKWARD
from solaris_combat.engines.battletech.orders import AmsOn
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.unit import Moved, Unit, fresh_unit, new_phase
from solaris_combat.engines.battletech.victory import points_against
from solaris_combat.engines.frozen import replace

GAVE_UP = {"surrender": "surrendered", "flight": "fled"}
"""What a unit whose side gave up is said to be."""
CORRECTED_FLAGS = ("prone", "shutdown", "conscious")


@dataclass(frozen=True, slots=True)
class State:
    """A fight: its terms, its units and what is wanted next.

    `passed_out` says in which turn a mechwarrior lost consciousness, `ejected` who left his 'Mech; `phase` is
    the phase being played. `contests` are the hexes that several wanted in this turn's movement, `backed` who
    stepped backward in it; `struck_by` is the enemy who last struck a unit; `limbs` lie on the ground by hex.
    """

    terms: ev.DuelOpened
    arena: Arena
    units: Mapping[str, Unit]
    wanted: ev.Asking | None
    turn: int = 0
    phase: str = ""
    auto_eject: Mapping[str, bool] = field(default_factory=dict)
    ams: Mapping[str, tuple[AmsOn, ...]] = field(default_factory=dict)
    passed_out: Mapping[str, int] = field(default_factory=dict)
    ejected: frozenset[str] = frozenset()
    contests: tuple[ev.InitiativeRolled, ...] = ()
    backed: frozenset[str] = frozenset()
    struck_by: Mapping[str, str] = field(default_factory=dict)
    limbs: Mapping[str, int] = field(default_factory=dict)
    ended: ev.DuelEnded | None = None
    ground: Battlefield = field(kw_only=True)
    hidden: Hidden = field(default_factory=Hidden, kw_only=True)

    @property
    def turns(self) -> int:
        """Length of the fight."""
        return self.terms.turns

    @property
    def board(self) -> Board:
        """The ground as it is now."""
        return self.ground.board

    def team(self, side: str) -> str:
        """The team a side fights for: its own where nothing else was set up."""
        return self.terms.teams.get(side, side)

    @property
    def active(self) -> tuple[str, ...]:
        """The sides whose unit is still in the fight."""
        return tuple(side for side, unit in self.units.items() if unit.destroyed is None)

    def enemies(self, side: str) -> tuple[str, ...]:
        """The sides of other teams, in the fight or out of it."""
        return tuple(other for other in self.units if self.team(other) != self.team(side))

    def foes(self, side: str) -> tuple[str, ...]:
        """The enemies that are still in the fight."""
        return tuple(other for other in self.enemies(side) if self.units[other].destroyed is None)

    def rival(self, side: str) -> str:
        """The enemy of a duel; of several the nearest one in the fight, the first of the sheet if level."""
        here, foes = self.units[side].position, self.foes(side)
        if here is None or len(foes) < 2:
            return (foes or self.enemies(side))[0]
        return min(foes, key=lambda foe: distance(here, self.units[foe].hex))

    def points(self, side: str) -> int:
        """Victory points of a side's team: what the 'Mechs of the others have lost (solaris7-tables 1.7)."""
        scoring = ruleset().scoring
        macro = len(self.units) > 2
        lost = (points_against(scoring, self.units[enemy], macro=macro) for enemy in self.enemies(side))
        return sum(lost) * scoring.per_point


def evolve(state: State | None, event: Any) -> State:
    """The state after an event; None before the first. TypeError for an event that is not this engine's."""
    if state is None:
        return _opened(event)
    change = _CHANGES.get(type(event))
    if change is None:
        raise TypeError(f"not an event of this engine: {event!r}")
    return change(state, event)


def _opened(event: object) -> State:
    if not isinstance(event, ev.DuelOpened):
        raise TypeError("a fight begins with DuelOpened")
    units = {e.side: fresh_unit(e.side, CATALOGUE[e.model], e.gunnery, e.piloting) for e in event.sides}
    place = arena(event.arena)
    return State(event, place, units, ev.Asking(0, "initial"), ground=untouched(place.board))


def _with(state: State, side: str, **changes: Any) -> State:
    """The state with some facts of one unit changed."""
    return replace(state, units={**state.units, side: replace(state.units[side], **changes)})


def _loadout(state: State, event: ev.LoadoutFixed) -> State:
    state = replace(state, auto_eject={**state.auto_eject, event.side: event.auto_eject})
    printed = {ammo.id: (ammo.munition,) for ammo in state.units[event.side].design.bins}
    counted = {name: printed[name] * count for name, count in event.bins.items()}
    return _with(state, event.side, belts=counted | dict(event.belts))


def _placed(state: State, event: ev.StartPositionsDrawn) -> State:
    for place in event.places:
        facing = internal_facing(place.facing)
        state = _with(state, place.side, position=Hex.parse(place.hex), facing=facing)
    return state


def _phase(state: State, event: ev.PhaseBegan) -> State:
    units = {side: new_phase(unit) for side, unit in state.units.items()}
    if event.phase == "movement":
        units = {side: replace(unit, moved=Moved()) for side, unit in units.items()}
        state = replace(state, contests=(), backed=frozenset())
    ground = battlefield.phase_begins(state.ground)
    return replace(state, turn=event.turn, phase=event.phase, wanted=None, units=units, ground=ground)


def _on_roofs(state: State) -> State:
    """The ground under units that stand on roofs is the roof."""
    on_top = [unit.hex for unit in state.units.values() if unit.roof and unit.position is not None]
    if not (on_top or state.ground.roofs):
        return state
    roofs = frozenset(state.ground.base.index(place) for place in on_top)
    return replace(state, ground=battlefield.with_roofs(state.ground, roofs))


def _nothing(state: State, event: object) -> State:
    return state


def _contested(state: State, event: ev.InitiativeRolled) -> State:
    return replace(state, contests=(*state.contests, event))


def _moved(state: State, event: ev.UnitMoved) -> State:
    if any(step.step in BACKWARD for step in event.steps):
        state = replace(state, backed=state.backed | {event.side})
    before = state.units[event.side].moved
    fires = before.fires + _fires_left(state, event)
    state = _with(
        state,
        event.side,
        position=Hex.parse(event.hex),
        facing=internal_facing(event.facing),
        moved=Moved(event.mode, event.hexes, event.mp, before.attempts, fires, before.masc),
        **_out_of(state, event.side, event.hex) | {"roof": event.roof},
    )
    return _on_roofs(state)


def _fires_left(state: State, event: ev.UnitMoved) -> int:
    """How many burning hexes a stretch of movement left; a jump leaves only the one it starts from (D)."""
    fires = state.ground.fires
    if not fires:
        return 0
    left, here = 0, event.start
    for step in event.steps:
        if step.hex != here:
            left += battlefield.index_of(state.ground.base, here) in fires
            here = step.hex
        if event.mode == "jump":
            return left
    return left


def _out_of(state: State, side: str, place: str) -> dict[str, Any]:
    """Who is in another hex than before is not stuck any more, nor on the roof he was on."""
    unit = state.units[side]
    if str(unit.position) == place or not (unit.stuck or unit.roof):
        return {}
    return {"stuck": "", "roof": False}


def _stepped_back(state: State, event: ev.UnitSteppedBack) -> State:
    moved = replace(state.units[event.side].moved, hexes=event.hexes)
    facing, freed = internal_facing(event.facing), _out_of(state, event.side, event.hex)
    return _on_roofs(
        _with(state, event.side, position=Hex.parse(event.hex), facing=facing, moved=moved, **freed)
    )


def _masc(state: State, event: ev.MascUsed) -> State:
    unit = state.units[event.side]
    return _with(state, event.side, masc=unit.masc + 1, moved=replace(unit.moved, masc=True))


def _fell(state: State, event: ev.UnitFell) -> State:
    facing, position = internal_facing(event.facing), Hex.parse(event.hex)
    return _with(state, event.side, position=position, facing=facing, prone=True, twist=0, flipped=False)


def _attempted(state: State, event: ev.StandUpAttempted) -> State:
    before = state.units[event.side].moved
    moved = replace(before, mode=event.mode, mp=event.mp_used, attempts=before.attempts + 1)
    return _with(state, event.side, moved=moved)


def _stood_up(state: State, event: ev.UnitStoodUp) -> State:
    return _with(state, event.side, prone=False)


def _went_prone(state: State, event: ev.WentProne) -> State:
    return _with(state, event.side, prone=True)


def _declared(state: State, event: ev.FireDeclared) -> State:
    belts = dict(state.units[event.side].belts)
    for shot in event.shots:
        for name in (shot.bin, shot.second_bin):
            if name is not None:
                belts[name] = belts[name][1:]
    return _with(state, event.side, twist=event.twist, flipped=event.flip_arms, belts=belts)


def _turn_ended(state: State, event: ev.TurnEnded) -> State:
    for side, unit in state.units.items():
        rested = unit.masc if unit.moved.masc else max(unit.masc - 1, 0)
        state = _with(state, side, twist=0, flipped=False, heat_built=0, masc=rested)
    return state


def _length_set(state: State, event: ruling_events.LengthSet) -> State:
    return replace(state, terms=replace(state.terms, turns=event.turns))


def _overtime(state: State, event: ruling_events.OvertimeGranted) -> State:
    return replace(state, terms=replace(state.terms, turns=event.to_turn))


def _yielded(state: State, event: ruling_events.SideYielded) -> State:
    return _with(state, event.side, destroyed=GAVE_UP[event.how])


def _corrected(state: State, event: ruling_events.UnitCorrected) -> State:
    unit, changes = state.units[event.side], event.changes
    made: dict[str, Any] = {name: changes[name] for name in ("heat", *CORRECTED_FLAGS) if name in changes}
    if "armor" in changes:
        made["armor"] = dict(unit.armor) | {Location(at): (f, r) for at, (f, r) in changes["armor"].items()}
    if "structure" in changes:
        left = {Location(at): points for at, points in changes["structure"].items()}
        made["structure"] = dict(unit.structure) | left
    if "hex" in changes:
        made["position"] = Hex.parse(changes["hex"])
    if "facing" in changes:
        made["facing"] = internal_facing(changes["facing"])
    if "wounds" in changes:
        made["pilot_hits"] = changes["wounds"]
    if "rounds" in changes:
        cut = {
            name: unit.belts[name][len(unit.belts[name]) - left :] for name, left in changes["rounds"].items()
        }
        made["belts"] = dict(unit.belts) | cut
    return _with(state, event.side, **made)


def _asked(state: State, event: ev.Asking) -> State:
    return replace(state, wanted=event)


def _ended(state: State, event: ev.DuelEnded) -> State:
    return replace(state, ended=event, wanted=None)


def _suffered(state: State, event: harm.Fact) -> State:
    torn = limbs_torn_off(event)
    if torn:
        where = str(state.units[event.side].hex)
        state = replace(state, limbs={**state.limbs, where: state.limbs.get(where, 0) + torn})
    return replace(state, units={**state.units, event.side: harm.suffer(state.units[event.side], event)})


def _consciousness(state: State, event: harm.Consciousness) -> State:
    if event.purpose == "stay" and not event.conscious:
        state = replace(state, passed_out={**state.passed_out, event.side: state.turn})
    return _suffered(state, event)


def _ejected(state: State, event: ev.PilotEjected) -> State:
    return replace(state, ejected=state.ejected | {event.side})


def _shot(state: State, event: ev.ShotResolved) -> State:
    """Its heat comes in, on both sides; a streak launcher without a lock keeps its round."""
    unit = state.units[event.side]
    belts = unit.belts
    if event.bin is not None and not event.spent:
        belts = {**belts, event.bin: event.salvos + belts[event.bin]}
    if event.hit and event.target:
        state = replace(state, struck_by={**state.struck_by, event.target: event.side})
    state = _with(state, event.side, heat_built=unit.heat_built + event.heat, belts=belts)
    if not event.target:
        return state
    warmer = state.units[event.target].heat_built + event.target_heat
    return _with(state, event.target, heat_built=warmer) if event.target_heat else state


def _ams_set(state: State, event: fire_events.AmsSet) -> State:
    return replace(state, ams={**state.ams, event.side: event.systems})


def _ams_fired(state: State, event: fire_events.AmsFired) -> State:
    """Its rounds are used and its heat comes in."""
    unit = state.units[event.side]
    belts = dict(unit.belts)
    for name, rounds in event.rounds.items():
        belts[name] = belts[name][rounds:]
    return _with(state, event.side, heat_built=unit.heat_built + event.heat, belts=belts)


def _jammed(state: State, event: fire_events.WeaponJammed) -> State:
    return _with(state, event.side, jammed=state.units[event.side].jammed | {event.weapon})


def _beacon(state: State, event: fire_events.BeaconAttached) -> State:
    attached = {state.team(event.by): event.turn} | dict(state.units[event.side].beacons)
    return _with(state, event.side, beacons=attached)


def _inferno(state: State, event: fire_events.InfernoStuck) -> State:
    return _with(state, event.side, inferno_until=event.until)


def _washed(state: State, event: fire_events.InfernoWashedOff) -> State:
    return _with(state, event.side, inferno_until=0)


def _struck(state: State, event: ev.PhysicalResolved) -> State:
    """Target and attacker note the piloting rolls that a blow asks of them."""
    if event.hit:
        state = replace(state, struck_by={**state.struck_by, event.target: event.side})
    if event.club_broken:
        state = _with(state, event.side, club="")
    for side, cause in ((event.target, event.target_cause), (event.side, event.own_cause)):
        state = _with_cause(state, side, cause)
    return state


def _sought(state: State, event: ev.ClubSought) -> State:
    if not event.found:
        return state
    if event.kind == LIMB:
        state = replace(state, limbs={**state.limbs, event.hex: state.limbs[event.hex] - 1})
    return _with(state, event.side, club=event.kind)


def _with_cause(state: State, side: str, cause: str) -> State:
    return _with(state, side, causes=(*state.units[side].causes, cause)) if cause else state


def _displaced(state: State, event: ev.UnitDisplaced) -> State:
    freed = _out_of(state, event.side, event.hex)
    state = _with(state, event.side, position=Hex.parse(event.hex), **freed)
    return _on_roofs(_with_cause(_with_cause(state, event.side, event.cause), event.side, event.also))


def _heat(state: State, event: heat_events.HeatApplied) -> State:
    return _with(state, event.side, heat=event.after, heat_built=0)


def _shut_down(state: State, event: heat_events.ReactorShutDown) -> State:
    return _with(state, event.side, shutdown=True)


def _ground(state: State, event: object) -> State:
    """The ground changes, what everybody sees of it and what is hidden."""
    hidden = battlefield.hidden_after(state.hidden, state.ground.base, event)
    state = replace(state, ground=battlefield.after(state.ground, event), hidden=hidden)
    if not isinstance(event, ground_events.Collapsed):
        return state
    fallen = {
        side: replace(unit, roof=False)
        for side, unit in state.units.items()
        if str(unit.position) == event.hex
    }
    return _on_roofs(replace(state, units={**state.units, **fallen}))


def _stuck(state: State, event: ground_events.UnitStuck) -> State:
    return _with(state, event.side, stuck=event.mire)


def _skidded(state: State, event: ground_events.UnitSkidded) -> State:
    moved = replace(state.units[event.side].moved, skidded=True)
    return _on_roofs(_with(state, event.side, position=Hex.parse(event.hex), moved=moved))


def _freed(state: State, event: ground_events.UnitFreed) -> State:
    return _with(state, event.side, stuck="")


def _restarted(state: State, event: heat_events.ReactorRestarted) -> State:
    return _with(state, event.side, shutdown=False)


_CHANGES: Mapping[type, Callable[[State, Any], State]] = {
    ev.LoadoutFixed: _loadout,
    ev.StartPositionsDrawn: _placed,
    ev.PhaseBegan: _phase,
    ev.InitiativeRolled: _contested,
    ev.UnitMoved: _moved,
    ev.UnitSteppedBack: _stepped_back,
    ev.PilotingRollMade: _nothing,
    ev.UnitFell: _fell,
    ev.MascUsed: _masc,
    ev.StandUpAttempted: _attempted,
    ev.UnitStoodUp: _stood_up,
    ev.WentProne: _went_prone,
    ev.MovementVoided: _nothing,
    ev.FireDeclared: _declared,
    ev.ShotResolved: _shot,
    fire_events.AmsSet: _ams_set,
    fire_events.AmsAimed: _nothing,
    fire_events.AmsFired: _ams_fired,
    fire_events.WeaponJammed: _jammed,
    fire_events.BeaconAttached: _beacon,
    fire_events.FeedbackRolled: _nothing,
    fire_events.InfernoStuck: _inferno,
    fire_events.InfernoWashedOff: _washed,
    ev.PhysicalResolved: _struck,
    ev.UnitDisplaced: _displaced,
    ev.ClubSought: _sought,
    harm.DamageStep: _suffered,
    harm.CriticalCheck: _suffered,
    harm.SlotHit: _suffered,
    harm.LauncherStruck: _suffered,
    harm.WeaponLost: _suffered,
    harm.ChainReaction: _suffered,
    harm.Explosion: _suffered,
    harm.FloodCheck: _suffered,
    harm.Wound: _suffered,
    harm.Consciousness: _consciousness,
    harm.Destroyed: _suffered,
    ev.PilotEjected: _ejected,
    heat_events.HeatApplied: _heat,
    heat_events.HeatCheckMade: _nothing,
    heat_events.ReactorShutDown: _shut_down,
    heat_events.ReactorRestarted: _restarted,
    ev.TurnEnded: _turn_ended,
    ruling_events.LengthSet: _length_set,
    ruling_events.OvertimeGranted: _overtime,
    ruling_events.SideYielded: _yielded,
    ruling_events.UnitCorrected: _corrected,
    ev.Asking: _asked,
    ev.DuelEnded: _ended,
    **dict.fromkeys((*ground_events.PUBLIC.values(), *ground_events.PRIVATE.values()), _ground),
    ground_events.UnitSkidded: _skidded,
    ground_events.UnitStuck: _stuck,
    ground_events.UnitFreed: _freed,
}
