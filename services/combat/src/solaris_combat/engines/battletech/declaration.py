"""What a side declares to fire: which rounds feed each weapon, and what each shot needs.

Source: BMR weapon attacks; turn.yaml declaration; R 4.5.2 (rounds from two bins), R 4.6.6 (order of a belt).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from solaris_combat.engines.battletech import double_rate, events, field_inhibitor, heat_seeking
from solaris_combat.engines.battletech.ammunition import usable_bins
from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.firing_modes import INHIBITOR_OFF
from solaris_combat.engines.battletech.ground_target import (
    hex_target,
    no_use,
    seen_ground,
    with_inferno,
)
from solaris_combat.engines.battletech.hex import Hex, line_hexes
from solaris_combat.engines.battletech.indirect_fire import cannot_spot, indirect, line_used
from solaris_combat.engines.battletech.line_of_sight import LineOfSight, line_of_sight
from solaris_combat.engines.battletech.loaded import as_loaded
from solaris_combat.engines.battletech.mech import Location, WeaponMount, mount
from solaris_combat.engines.battletech.munitions import Belt
from solaris_combat.engines.battletech.orders import Fire, Shot
from solaris_combat.engines.battletech.salvo import modifiers
from solaris_combat.engines.battletech.shooting import rounds_of
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.to_hit import (
    TARGET_MOVEMENT,
    Aim,
    TargetNumber,
    added_to,
    cannot_aim,
    cannot_fire,
    impossible,
    target_rank,
    to_hit_number,
)
from solaris_combat.engines.battletech.unit import Unit, legs
from solaris_combat.engines.battletech.weapons import WEAPONS, Weapon
from solaris_combat.engines.frozen import replace


def declared_shots(unit: Unit, shots: Sequence[Shot]) -> Iterator[events.DeclaredShot]:
    """Each shot with its bin: the one ordered, or the first of the sheet with a round left."""
    left = dict(unit.belts)
    for shot in shots:
        yield declare(unit, shot, left)


def declare(unit: Unit, shot: Shot, left: dict[str, Belt]) -> events.DeclaredShot:
    """A shot with the salvoes that feed it, which are taken from what is `left` on the belts."""
    bins = feeding_bins(unit, shot, left)
    salvos = tuple(_next(left, name) for name in bins)
    first, second = (*bins, None, None)[:2]
    where = "" if shot.hex is None else str(shot.hex)
    return events.DeclaredShot(
        weapon=shot.weapon,
        target=shot.target,
        bin=first,
        aim=shot.aim,
        salvos=salvos,
        mode=shot.mode,
        second_bin=second,
        hex=where,
        intent=shot.intent,
        computer=shot.computer,
        spotter=shot.spotter,
    )


def _next(left: dict[str, Belt], name: str) -> str:
    """The salvo at the front of a bin's belt; it is taken from there."""
    salvo, *rest = left[name]
    left[name] = tuple(rest)
    return salvo


def feeding_bins(unit: Unit, shot: Shot, left: Mapping[str, Belt]) -> tuple[str, ...]:
    """The bin that feeds each round of a shot when `left` is on each belt; none where it finds too few.

    The first round is that of the bin named; a second one comes from the second bin named, else from the same
    one as long as there is one (R 4.5.2).
    """
    ammunition = WEAPONS[mount(unit.design, shot.weapon).weapon].ammunition
    if not ammunition:
        return ()
    usable = [ammo.id for ammo in usable_bins(unit, ammunition) if left[ammo.id]]
    if shot.bin is not None:
        usable = [shot.bin, *(name for name in usable if name != shot.bin)] if shot.bin in usable else []
    needed = rounds_of(shot.mode)
    rounds = [name for name in usable for _ in left[name]]
    if shot.second_bin is not None:
        rounds = [*usable[:1], *_second(shot.second_bin, usable, left)]
    return tuple(rounds[:needed]) if len(rounds) >= needed else ()


def _second(name: str, usable: list[str], left: Mapping[str, Belt]) -> list[str]:
    """The bin named for the second round, if it can feed it after the first."""
    enough = 2 if usable[:1] == [name] else 1
    return [name] if name in usable and len(left[name]) >= enough else []


def weapon_fired(unit: Unit, shot: events.DeclaredShot) -> Weapon:
    """The weapon of a shot as what is loaded, and a PPC without its inhibitor, make it."""
    weapon = as_loaded(WEAPONS[mount(unit.design, shot.weapon).weapon], shot.salvos)
    return field_inhibitor.without_minimum(weapon) if shot.mode == INHIBITOR_OFF else weapon


def posed(unit: Unit, fire: Fire) -> Unit:
    """The unit with torso and arms as its fire is ordered."""
    return replace(unit, twist=fire.twist, flipped=fire.flip_arms)


def number_of(
    state: State, side: str, shot: events.DeclaredShot, targets: Sequence[str] = ()
) -> TargetNumber:
    """What a shot of a side needs now, with its twist as it stands; whether it has ammunition is not asked.

    `targets` are those of all shots of the side in their order, where it fires at more than one: sides, and
    the numbers of hexes. Of two kinds of rounds fired together the higher number counts (C-05).
    """
    if hits_nothing(shot):
        return nothing_hit(state, side, shot)
    numbers = [_number(state, side, one, targets) for one in _by_kind(shot)]
    return max(numbers, key=lambda number: number.value if double_rate.HIGHER_COUNTS else 0)


def _by_kind(shot: events.DeclaredShot) -> list[events.DeclaredShot]:
    """The shot with each kind of its salvoes alone."""
    kinds = dict.fromkeys(shot.salvos)
    return [replace(shot, salvos=(kind,)) for kind in kinds] if len(kinds) > 1 else [shot]


def _number(state: State, side: str, shot: events.DeclaredShot, targets: Sequence[str]) -> TargetNumber:
    if shot.hex:
        return hex_number(state, side, shot, targets)
    attacker, target = state.units[side], state.units[shot.target]
    if attacker.position == target.position:
        return impossible("target in the same hex")
    found, weapon = mount(attacker.design, shot.weapon), weapon_fired(attacker, shot)
    aim = Aim(shot.aim, shot.computer) if shot.aim else None
    asked = aim or (Aim(Location.CT, computer=True) if shot.computer else None)
    refused = cannot_aim(attacker, target, weapon, asked) if asked else ""
    if shot.spotter is not None:
        refused = refused or cannot_spot(state, side, shot, weapon)
    if refused:
        return impossible(refused)
    rank, los = _rank(state, attacker, target.hex, targets), line_used(state, side, shot)
    number = to_hit_number(attacker, target, found, weapon, state.board, los, rank, aim)
    if not number.possible:
        return number
    if number.table == "punch" and shot.aim in legs(target.design):
        return impossible("aimed at legs behind cover")
    if shot.spotter is not None:
        number = indirect(number, state.units[shot.spotter].moved)
    if not shot.salvos:
        return number
    return _with_salvo(number, shot.salvos[0], target, burning=_burning(state, attacker, target))


def _with_salvo(number: TargetNumber, salvo: str, target: Unit, *, burning: bool) -> TargetNumber:
    """The number with what the salvo itself adds to it."""
    moved = sum(one.value for one in number.modifiers if one.reason in TARGET_MOVEMENT)
    added = tuple(modifiers(salvo, moved, heat_seeking.heat_of(target), fire_in_line=burning))
    return added_to(number, added) if added else number


def _burning(state: State, attacker: Unit, target: Unit) -> bool:
    """Whether a hex burns on the line of fire or under the target, where that counts at all (PROPOSED)."""
    if not (heat_seeking.BURNING_COUNTS and state.ground.fires):
        return False
    crossed = (state.board.index(one) for one in line_hexes(attacker.hex, target.hex)[1:])
    return any(index in state.ground.fires for index in crossed)


def spotters(state: State, side: str, shot: events.DeclaredShot) -> list[str]:
    """Friends that could spot for a shot now, if they do not attack themselves."""
    weapon = weapon_fired(state.units[side], shot)
    return [
        friend
        for friend in state.active
        if friend != side and not cannot_spot(state, side, replace(shot, spotter=friend), weapon)
    ]


def _rank(state: State, attacker: Unit, target: Hex, targets: Sequence[str]) -> str:
    """Whether this is a secondary target of the side's fire, and in which arc."""
    if len(set(targets)) < 2:
        return ""
    places = [state.units[one].hex if one in state.units else Hex.parse(one) for one in targets]
    return target_rank(attacker, places, target)


class HexLine(NamedTuple):
    """What is seen of a hex that is fired at: it as a target, the board with it bare, and the line to it."""

    target: Unit
    board: Board
    los: LineOfSight


def hex_line(state: State, attacker: Unit, where: Hex) -> HexLine:
    """The line to the base of a hex, its own terrain not counted, or to the top of a wall (D; A, FAQ 22)."""
    board = seen_ground(state, attacker, where)
    los = line_of_sight(board, attacker.hex, where, attacker.prone, target_prone=True)
    return HexLine(hex_target(attacker, where), board, los)


def hex_number(
    state: State, side: str, shot: events.DeclaredShot, targets: Sequence[str] = ()
) -> TargetNumber:
    """What a shot at a hex needs: it is an immobile target (D)."""
    attacker, where = state.units[side], Hex.parse(shot.hex)
    weapon = weapon_fired(attacker, shot)
    refused = no_use(state, where, weapon, shot.intent, shot.salvos)
    if refused or where == attacker.hex:
        return impossible(refused or "target in the same hex")
    found, rank = mount(attacker.design, shot.weapon), _rank(state, attacker, where, targets)
    return number_at_hex(attacker, found, weapon, hex_line(state, attacker, where), rank)


def number_at_hex(
    attacker: Unit, found: WeaponMount, weapon: Weapon, line: HexLine, rank: str = ""
) -> TargetNumber:
    """What a weapon that is of use there needs along the line to a hex."""
    return to_hit_number(attacker, line.target, found, weapon, line.board, line.los, rank)


def nothing_hit(state: State, side: str, shot: events.DeclaredShot) -> TargetNumber:
    """Whether a weapon can be fired into the air or the ground: none that is destroyed, no launcher that must
    lock, no hex beyond the board."""
    attacker = state.units[side]
    refused = cannot_fire(attacker, mount(attacker.design, shot.weapon))
    if shot.hex and Hex.parse(shot.hex) not in state.board:
        refused = refused or "hex not on the board"
    locks = weapon_fired(attacker, shot).kind == "streak"
    return (
        impossible(refused or "a streak launcher needs a target") if refused or locks else TargetNumber(True)
    )


def hits_nothing(shot: events.DeclaredShot) -> bool:
    """Whether a shot goes into the air or the ground (C-37); Inferno burns the ground it hits (D)."""
    return not shot.target and (not shot.hex or (shot.intent == "ground" and not with_inferno(shot.salvos)))


def target_of(shot: Shot | events.DeclaredShot) -> str:
    """What a shot is fired at: a side, the number of a hex, or "" for the air."""
    return shot.target or ("" if not shot.hex or shot.intent == "ground" else str(shot.hex))
