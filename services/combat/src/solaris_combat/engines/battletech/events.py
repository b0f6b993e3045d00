"""Everything that can happen in a fight, as facts with their numbers.

Each event carries the dice it rolled (`rolls`); every face drawn stands in exactly one event, and over the
list of events in drawing order. `evolve` needs nothing but these events. Hexes are printed numbers ("0507")
and facings 1..6, because the events are public. `modifiers` itemise a target number; they add up to it.
What happens to one 'Mech (damage, critical hits, explosions, wounds, destruction) are the facts of `harm`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from solaris_combat.engines.battletech import fire_events, ground_events, harm, heat_events, ruling_events
from solaris_combat.engines.battletech.item import Item
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.munitions import Belt
from solaris_combat.engines.contract import Result
from solaris_combat.engines.dice import Roll

__all__ = ["EVENT_TYPES", "PUBLISH_NAMES", "Item", "Rolls"]

Rolls = tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class Entered:
    """One side as it enters: callsign, model and skills."""

    side: str
    name: str
    model: str
    gunnery: int
    piloting: int


@dataclass(frozen=True, slots=True)
class DuelOpened:
    """The terms of the fight; a side that `teams` does not name is a team of its own. A fight for
    `permanence` goes on while it is level (R 4.3)."""

    ruleset: str
    fight_class: int
    arena: str
    turns: int
    sides: tuple[Entered, ...]
    teams: Mapping[str, str] = field(default_factory=dict)
    permanence: bool = False


@dataclass(frozen=True, slots=True)
class SpecialLoad:
    """Special ammunition of one kind in one bin, and what the league charges for it (R 4.6.6, C-06)."""

    bin: str
    munition: str
    price: int


@dataclass(frozen=True, slots=True)
class LoadoutFixed:
    """What is aboard per bin and whether ejection is automatic, for the whole fight (R 4.6.5).

    `bins` counts the salvoes, `belts` names them in firing order (munitions.py); `special` is the special
    ammunition among them with its price, `charge` the sum of these prices in C-bills.
    """

    side: str
    bins: Mapping[str, int]
    auto_eject: bool
    belts: Mapping[str, Belt] = field(default_factory=dict)
    special: tuple[SpecialLoad, ...] = ()
    charge: int = 0


@dataclass(frozen=True, slots=True)
class Placed:
    """A side's numbered start place, its hex and its first facing."""

    side: str
    place: int
    hex: str
    facing: int


@dataclass(frozen=True, slots=True)
class StartPositionsDrawn:
    """Start places by lot; a place already taken is drawn again."""

    places: tuple[Placed, ...]
    rolls: Rolls


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """A phase of a turn begins: "movement", "weapon_fire", "physical_attack", "heat" or "end_of_turn"."""

    turn: int
    phase: str


@dataclass(frozen=True, slots=True)
class InitiativeRolled:
    """Several want `hex`: the loser arrives first and keeps it, the winner stops one hex before (D, C-03).

    `others` are those who stop before it too, where more than two wanted it.
    """

    turn: int
    hex: str
    loser: str
    winner: str
    rolls: Rolls
    others: tuple[str, ...] = ()

    @property
    def stopped(self) -> tuple[str, ...]:
        """Everybody who stops one hex before."""
        return (self.winner, *self.others)


@dataclass(frozen=True, slots=True)
class Stepped:
    """One step: what was done, where and facing which way the unit stood after it, and its cost in MP."""

    step: str
    hex: str
    facing: int
    mp: int


@dataclass(frozen=True, slots=True)
class UnitMoved:
    """A stretch of movement without a roll in between.

    `hexes` and `mp` count the whole turn so far. `stopped` says why ordered steps were left out: "" (none
    were), "same-hex", "occupied", "movement-points", "not-possible", "fallen"; `left_out` how many.
    `roof`: it ends on the roof of a building.
    """

    turn: int
    side: str
    mode: str
    start: str
    steps: tuple[Stepped, ...]
    hex: str
    facing: int
    hexes: int
    mp: int
    mp_available: int
    stopped: str = ""
    left_out: int = 0
    roof: bool = False


@dataclass(frozen=True, slots=True)
class UnitSteppedBack:
    """The hex a unit had moved into turned out to be kept by the other: it ends in the one before."""

    turn: int
    side: str
    kept_by: str
    hex: str
    facing: int
    hexes: int


@dataclass(frozen=True, slots=True)
class PilotingRollMade:
    """A piloting roll, one per cause. `automatic` is "" or "fail" (then nothing was rolled)."""

    turn: int
    side: str
    cause: str
    number: int
    modifiers: tuple[Item, ...]
    success: bool
    automatic: str
    reason: str
    rolls: Rolls = ()


@dataclass(frozen=True, slots=True)
class MascUsed:
    """The MASC runs. It fails on 2D6 at or below `number`: both hips and it itself are hit, nothing moves."""

    turn: int
    side: str
    number: int
    failed: bool
    rolls: Rolls


@dataclass(frozen=True, slots=True)
class UnitFell:
    """A fall: where, how far, which way the unit lies and the damage it takes in groups of five."""

    turn: int
    side: str
    hex: str
    levels: int
    facing: int
    side_hit: str
    damage: int
    rolls: Rolls


@dataclass(frozen=True, slots=True)
class UnitStoodUp:
    """The unit stands again."""

    turn: int
    side: str
    hex: str


@dataclass(frozen=True, slots=True)
class StandUpAttempted:
    """An attempt to stand up begins: it costs MP and heat whatever comes of it."""

    turn: int
    side: str
    mode: str
    mp: int
    mp_used: int


@dataclass(frozen=True, slots=True)
class WentProne:
    """The unit lay down of its own will."""

    turn: int
    side: str
    hex: str


@dataclass(frozen=True, slots=True)
class MovementVoided:
    """A fall in the fire phases voids the movement both had ordered for `turn`; both are asked again (R 4.6).

    So does a push that moved a unit (`displaced`): its movement began in another hex.
    """

    turn: int
    fallen: tuple[str, ...]
    displaced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeclaredShot:
    """A shot as declared; `bin` is the one that feeds it, `aim` a location of an immobile target.

    `salvos` are the salvoes taken from its belt; none for a weapon without ammunition.
    `mode` is a way of firing other than the usual one; the second of two rounds comes from `second_bin`.
    `target` is "" for a shot at a `hex` with an `intent` (orders.INTENTS), and for one into the air.
    `computer`: the targeting computer aims it; `spotter` sees the target of indirect fire.
    """

    weapon: str
    target: str
    bin: str | None
    aim: Location | None = None
    salvos: Belt = ()
    mode: str = ""
    second_bin: str | None = None
    hex: str = ""
    intent: str = ""
    computer: bool = False
    spotter: str | None = None


@dataclass(frozen=True, slots=True)
class DeclaredStrike:
    """A physical attack as declared; `limb` is the arm or leg that deals it, None for the whole 'Mech."""

    attack: str
    limb: Location | None
    target: str


@dataclass(frozen=True, slots=True)
class FireDeclared:
    """Torso twist, shots and physical attacks of a side, all declared before any is resolved.

    Rounds are spent here. `flip_arms`: the weapons of both arms fire to the rear.
    """

    turn: int
    side: str
    twist: int
    shots: tuple[DeclaredShot, ...]
    physical: tuple[DeclaredStrike, ...] = ()
    flip_arms: bool = False


@dataclass(frozen=True, slots=True)
class ClubSought:
    """A 'Mech looked for a club in its hex: `kind` "tree", "limb" or "girder"; a girder needs a `number`."""

    turn: int
    side: str
    kind: str
    hex: str
    found: bool
    number: int | None = None
    rolls: Rolls = ()


@dataclass(frozen=True, slots=True)
class ShotResolved:
    """A shot: its number with every summand, the dice, and for salvos how many missiles hit.

    `automatic` is "hit" or "miss" where only the dice decided (R 4.5.5). A shot that cannot hit at all says
    why in `impossible` and rolls nothing. `groups` are the points of each hit that is located on its own;
    `heat` is what it made, `salvos` what was fired. `spent` is False for a streak launcher without a lock:
    its round is kept.
    `heat` is what it made, `target_heat` what it adds to the target's heat of this turn. `spent` is False for
    a streak launcher without a lock: its round is kept. `mode`: a way of firing other than the usual one;
    `guide`: what helped on the missile hits table, "artemis-iv" or "narc"; `shot_down` of the `missiles` that
    hit do no harm. `target` is "" for a shot at a `hex`, and for one into the air or the ground, which hits
    nothing and rolls nothing.
    """

    turn: int
    side: str
    target: str
    weapon: str
    name: str
    bin: str | None
    distance: int
    struck_side: str
    table: str
    number: int | None
    modifiers: tuple[Item, ...]
    impossible: str = ""
    hit: bool = False
    automatic: str = ""
    missiles: int | None = None
    groups: tuple[int, ...] = ()
    spent: bool = True
    heat: int = 0
    rolls: Rolls = ()
    aim: Location | None = None
    salvos: Belt = ()
    mode: str = ""
    target_heat: int = 0
    guide: str = ""
    shot_down: int = 0
    hex: str = ""
    intent: str = ""
    computer: bool = False
    spotter: str | None = None


@dataclass(frozen=True, slots=True)
class PhysicalResolved:
    """A physical attack: its number with every summand, the dice, the points it does and costs the attacker.

    One that is not possible any more says why in `impossible` and rolls nothing. `target_cause` and
    `own_cause` are the piloting rolls that target and attacker must make for it at the end of the phase. A
    tree is `club_broken` once it has hit. `target` is "" for one at what stands in a `hex`.
    """

    turn: int
    side: str
    target: str
    attack: str
    limb: Location | None
    struck_side: str
    table: str
    number: int | None
    modifiers: tuple[Item, ...]
    impossible: str = ""
    hit: bool = False
    damage: int = 0
    own_damage: int = 0
    target_cause: str = ""
    own_cause: str = ""
    rolls: Rolls = ()
    club_broken: bool = False
    hex: str = ""


@dataclass(frozen=True, slots=True)
class UnitDisplaced:
    """A unit was moved to a neighbouring hex, `levels` down, because of side `by`.

    `cause` and `also` are the piloting rolls that this and the water there ask of it, or ""; `rolls` a die
    for the way.
    """

    turn: int
    side: str
    by: str
    start: str
    hex: str
    levels: int
    cause: str
    rolls: Rolls = ()
    also: str = ""


@dataclass(frozen=True, slots=True)
class PilotEjected:
    """Ejection, `automatic` after an explosion or by order; a failed roll wounds the mechwarrior."""

    turn: int
    side: str
    number: int
    modifiers: tuple[Item, ...]
    safe: bool
    rolls: Rolls
    automatic: bool = True


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The turn is over: twist and movement of the turn no longer count."""

    turn: int


@dataclass(frozen=True, slots=True)
class Asking:
    """What the next orders are for: `kind` is "movement", "fire_and_movement" or "fire"."""

    turn: int
    kind: str


@dataclass(frozen=True, slots=True)
class DuelEnded:
    """The end: by "out-of-action", "turn-limit" or "yielded"; result and victory points of each side."""

    turn: int
    ended_by: str
    results: Mapping[str, Result]
    points: Mapping[str, int] = field(default_factory=dict)


EVENT_TYPES: Mapping[str, type] = {
    "duel-opened": DuelOpened,
    "loadout-fixed": LoadoutFixed,
    "start-positions-drawn": StartPositionsDrawn,
    "phase-began": PhaseBegan,
    "initiative-rolled": InitiativeRolled,
    "unit-moved": UnitMoved,
    "unit-stepped-back": UnitSteppedBack,
    "piloting-roll-made": PilotingRollMade,
    "masc-used": MascUsed,
    "unit-fell": UnitFell,
    "stand-up-attempted": StandUpAttempted,
    "unit-stood-up": UnitStoodUp,
    "unit-went-prone": WentProne,
    "movement-voided": MovementVoided,
    "fire-declared": FireDeclared,
    "shot-resolved": ShotResolved,
    **fire_events.TYPES,
    "physical-attack-resolved": PhysicalResolved,
    "unit-displaced": UnitDisplaced,
    "club-sought": ClubSought,
    "damage-taken": harm.DamageStep,
    "critical-hits-rolled": harm.CriticalCheck,
    "critical-hit-suffered": harm.SlotHit,
    "launcher-struck": harm.LauncherStruck,
    "weapon-lost": harm.WeaponLost,
    "chain-reaction-rolled": harm.ChainReaction,
    "ammo-exploded": harm.Explosion,
    "flooding-checked": harm.FloodCheck,
    "pilot-wounded": harm.Wound,
    "consciousness-rolled": harm.Consciousness,
    "pilot-ejected": PilotEjected,
    "mech-destroyed": harm.Destroyed,
    **heat_events.TYPES,
    "turn-ended": TurnEnded,
    **ruling_events.TYPES,
    **ground_events.PUBLIC,
    **ground_events.PRIVATE,
    "orders-wanted": Asking,
    "duel-ended": DuelEnded,
}
"""Stored name -> event."""

_PRIVATE = {"orders-wanted", "ams-set", *ground_events.PRIVATE}

PUBLISH_NAMES: Mapping[str, str] = {name: name for name in EVENT_TYPES if name not in _PRIVATE}
"""What happened is public once it is resolved, but for what lies hidden and rolls that show nothing; the
fight's own event says what is wanted next."""
