"""Orders of one side: their JSON form, read strictly, and back again.

The JSON twin is canonical: `orders_json(parse_orders(x))` is the same for every `x` that means the same.
Reading knows no fight; whether orders are legal now is asked of `legality.check`. A form that is not
understood is refused with a JSON pointer to the place, never guessed at.

Source: R 4.6 (what a turn asks of a player) and R 4.6.5 (initial turn).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from solaris_combat.engines.battletech.hex import Hex, internal_facing, league_facing
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.munitions import Belt
from solaris_combat.engines.battletech.strict_json import escaped as _escaped
from solaris_combat.engines.battletech.strict_json import flag as _flag
from solaris_combat.engines.battletech.strict_json import int_of as _int
from solaris_combat.engines.battletech.strict_json import list_of as _list
from solaris_combat.engines.battletech.strict_json import object_of as _object
from solaris_combat.engines.battletech.strict_json import refused as _refused
from solaris_combat.engines.battletech.strict_json import text as _text
from solaris_combat.engines.battletech.strict_json import text_or_none as _text_or_none
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.dice import NO_NONCE

MODES = ("stand", "walk", "run", "jump", "eject")
STEPS = ("F", "B", "L", "R", "U", "D", "Q", "E", "Z", "C")
"""Forward, back, turn left, turn right, one attempt to stand up, drop prone; a quad's steps aside: ahead to
the left and right, back to the left and right."""
INTENTS = ("ignite", "clear", "building", "mines", "ground")
"""What a shot at a hex is for: fire, clearing woods, a wall, building or turret, its mines, or nothing."""
ATTACKS = ("punch", "kick", "push", "club", "hatchet", "sword", "charge", "death_from_above")
"""Physical attacks by name, played or not."""
CLUBS = ("tree", "limb", "girder")
"""What may be looked for as a club."""
SHOT_FIELDS = (
    *("weapon", "target", "bin", "aim", "mode", "hex", "intent", "computer", "spotter"),
    "second_bin",
)
MAX_STEPS = 64
MAX_ROUNDS = 999
RULE = "R 4.6"
AUTO_EJECT: bool = table("rulesets/solaris7-1")["automatic_ejection"]["default"]
"""Whether the mechwarrior leaves by himself where the initial turn says nothing (R 4.6)."""


@dataclass(frozen=True, slots=True)
class AmsOn:
    """An anti-missile system that is on in the next turn, and the launcher (of `side`) it is to shoot at."""

    ams: str
    launcher: str | None = None
    side: str | None = None


@dataclass(frozen=True, slots=True)
class Initial:
    """The initial turn: the side's share of the dice key, what is loaded per bin, automatic ejection.

    A bin holds a number of rounds as its record sheet names them, or its salvoes in firing order. One that is
    not named is filled up to the cap. Ejection is automatic unless said otherwise (R 4.6). `ams` are the
    anti-missile systems on in turn 1, all of them unless said otherwise (D).
    """

    nonce: bytes = NO_NONCE
    bins: Mapping[str, int | Belt] = field(default_factory=dict)
    auto_eject: bool = AUTO_EJECT
    ams: tuple[AmsOn, ...] | None = None


@dataclass(frozen=True, slots=True)
class Recovery:
    """What a unit that fell while moving does: tries to stand up (0 = stays down), then goes on so."""

    attempts: int = 0
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WayOut:
    """The neighbouring hex to which a unit goes that a death from above missed."""

    hex: Hex


@dataclass(frozen=True, slots=True)
class Movement:
    """Movement of one turn: `steps` on the ground, or for a jump the hexes crossed and the final facing.

    `path` names the hexes entered in order, without the one the jump starts from. `facing` is 0..5. A step on
    the ground is a letter or a hex to walk into (`hex_way`). `masc`: the run uses it. In mode "eject" the
    mechwarrior leaves his 'Mech.
    """

    mode: str = "stand"
    steps: tuple[str, ...] = ()
    path: tuple[Hex, ...] = ()
    facing: int | None = None
    if_fallen: Recovery | None = None
    masc: bool = False


@dataclass(frozen=True, slots=True)
class Shot:
    """One weapon fired at one side's unit, at a hex, or into the air; without a bin the first that serves.

    `target` is "" for a shot at a hex (with an intent: INTENTS) and for one into the air, which only advances
    the belt (C-37).

    `aim` is a location of an immobile target; `mode` is a way of firing other than the usual one ("double",
    "heat": tables/weapon_modes.toml). `computer`: the targeting computer aims it. `spotter` is the side of
    the team that sees the target of indirect fire; `second_bin` feeds the second round of two fired at once.
    """

    weapon: str
    target: str
    bin: str | None = None
    aim: Location | None = None
    mode: str = ""
    hex: Hex | None = None
    intent: str = ""
    computer: bool = False
    spotter: str | None = None
    second_bin: str | None = None


@dataclass(frozen=True, slots=True)
class Strike:
    """One physical attack on one side's unit; `limb` for those that one arm or leg deals.

    `target` may also be the number of the next hex, for a turret, wall or building in it (A, FAQ 7).
    """

    attack: str
    target: str
    limb: Location | None = None


@dataclass(frozen=True, slots=True)
class Fire:
    """Torso twist (-1 left, 1 right), shots in the order they are to be resolved, and physical attacks.

    `pick_up` is a club to look for ("tree", "limb", "girder"), in place of all fire and attacks, or "".
    `ams` are the anti-missile systems on in the next turn; one that is not named is off (D). `flip_arms`: the
    weapons of both arms fire to the rear.
    """

    twist: int = 0
    shots: tuple[Shot, ...] = ()
    physical: tuple[Strike, ...] = ()
    pick_up: str = ""
    ams: tuple[AmsOn, ...] = ()
    flip_arms: bool = False


@dataclass(frozen=True, slots=True)
class Orders:
    """Everything a side sends for one request, or the answer to one question (`answers` alone)."""

    turn: int
    initial: Initial | None = None
    fire: Fire | None = None
    movement: Movement | None = None
    answers: tuple[Recovery | WayOut, ...] = ()


def parse_orders(data: object) -> Orders:
    """Orders from JSON; OrdersInvalid names every place that cannot be read (the first per part)."""
    top = _object(data, "", ("turn", "initial", "fire", "movement", "answers"))
    orders = Orders(turn=_int(top, "turn", "", 0, 99))
    if "initial" in top:
        orders = replace(orders, initial=_initial(top["initial"]))
    if "fire" in top:
        orders = replace(orders, fire=_fire(top["fire"]))
    if "movement" in top:
        orders = replace(orders, movement=_movement(top["movement"]))
    if "answers" in top:
        orders = replace(orders, answers=_answers(top["answers"]))
    if not (orders.initial or orders.fire or orders.movement or orders.answers):
        raise _refused("orders-empty", "", "orders name neither initial, fire, movement nor answers")
    return orders


def orders_json(orders: Orders) -> dict[str, Any]:
    """The canonical JSON of orders: every part that is there, with all its fields."""
    out: dict[str, Any] = {"turn": orders.turn}
    if orders.initial is not None:
        out["initial"] = _initial_json(orders.initial)
    if orders.fire is not None:
        out["fire"] = _fire_json(orders.fire)
    if orders.movement is not None:
        out["movement"] = _movement_json(orders.movement)
    if orders.answers:
        out["answers"] = [_answer_json(one) for one in orders.answers]
    return out


def with_nonce(orders: Orders, nonce: bytes) -> Orders:
    """First orders that carry this share of the dice key."""
    return replace(orders, initial=replace(orders.initial or Initial(), nonce=nonce))


def nonce(orders: Orders) -> bytes:
    """The share of the dice key in first orders; NO_NONCE where none was given."""
    return orders.initial.nonce if orders.initial else NO_NONCE


def add_answer(orders: Orders, answer: Orders) -> Orders:
    """Orders with the answer to the next open question added."""
    return replace(orders, answers=orders.answers + answer.answers)


def _initial_json(initial: Initial) -> dict[str, Any]:
    return {
        "nonce": initial.nonce.hex(),
        "bins": {
            name: load if isinstance(load, int) else list(load) for name, load in sorted(initial.bins.items())
        },
        "auto_eject": initial.auto_eject,
        "ams": None if initial.ams is None else [_ams_json(one) for one in initial.ams],
    }


def _fire_json(fire: Fire) -> dict[str, Any]:
    return {
        "twist": fire.twist,
        "shots": [_shot_json(shot) for shot in fire.shots],
        "physical": [{"attack": s.attack, "limb": _name(s.limb), "target": s.target} for s in fire.physical],
        "pick_up": fire.pick_up or None,
        "ams": [_ams_json(one) for one in fire.ams],
        "flip_arms": fire.flip_arms,
    }


def _ams_json(one: AmsOn) -> dict[str, Any]:
    return {"ams": one.ams, "launcher": one.launcher, "side": one.side}


def _shot_json(shot: Shot) -> dict[str, Any]:
    return {
        "weapon": shot.weapon,
        "target": shot.target or None,
        "bin": shot.bin,
        "aim": _name(shot.aim),
        "mode": shot.mode or None,
        "hex": None if shot.hex is None else str(shot.hex),
        "intent": shot.intent or None,
        "computer": shot.computer,
        "spotter": shot.spotter,
        "second_bin": shot.second_bin,
    }


def _name(location: Location | None) -> str | None:
    return None if location is None else str(location)


def _movement_json(movement: Movement) -> dict[str, Any]:
    out: dict[str, Any] = {"mode": movement.mode}
    if movement.mode == "jump":
        out["path"] = [str(h) for h in movement.path]
        out["facing"] = None if movement.facing is None else league_facing(movement.facing)
    elif movement.mode in ("walk", "run"):
        out["steps"] = list(movement.steps)
        if movement.facing is not None:
            out["facing"] = league_facing(movement.facing)
    if movement.mode == "run":
        out["masc"] = movement.masc
    if movement.if_fallen is not None:
        out["if_fallen"] = _recovery_json(movement.if_fallen)
    return out


def _answer_json(answer: Recovery | WayOut) -> dict[str, Any]:
    return {"hex": str(answer.hex)} if isinstance(answer, WayOut) else _recovery_json(answer)


def _recovery_json(recovery: Recovery) -> dict[str, Any]:
    return {"attempts": recovery.attempts, "steps": list(recovery.steps)}


def _initial(data: object) -> Initial:
    at = "/initial"
    fields = _object(data, at, ("nonce", "bins", "auto_eject", "ams"))
    bins = fields.get("bins", {})
    if not isinstance(bins, dict):
        raise _refused("not-an-object", f"{at}/bins", "bins must be an object of bin id to rounds")
    loads = {name: _load(bins, name, f"{at}/bins") for name in bins}
    eject = _flag(fields, "auto_eject", at, usual=AUTO_EJECT)
    ams = None if fields.get("ams") is None else _ams(fields, at)
    return Initial(_nonce(fields.get("nonce")), loads, eject, ams)


def _ams(fields: dict[str, Any], at: str) -> tuple[AmsOn, ...]:
    """Anti-missile systems that are on."""
    every = _list(fields.get("ams", []), f"{at}/ams", MAX_STEPS)
    return tuple(_ams_on(one, f"{at}/ams/{n}") for n, one in enumerate(every))


def _ams_on(data: object, at: str) -> AmsOn:
    fields = _object(data, at, ("ams", "launcher", "side"))
    launcher, side = (_text_or_none(fields, name, at) for name in ("launcher", "side"))
    return AmsOn(_text(fields, "ams", at), launcher, side)


def _load(bins: dict[str, Any], name: str, at: str) -> int | Belt:
    """A number of rounds, or the salvoes of a belt in firing order."""
    if not isinstance(bins[name], list):
        return _int(bins, name, at, 0, MAX_ROUNDS)
    place = f"{at}/{_escaped(name)}"
    salvos = dict(enumerate(_list(bins[name], place, MAX_ROUNDS)))
    return tuple(_text(salvos, n, place) for n in salvos)


def _nonce(value: object) -> bytes:
    if value is None:
        return NO_NONCE
    if not isinstance(value, str) or not re.fullmatch("[0-9a-f]{64}", value):
        raise _refused("nonce-malformed", "/initial/nonce", "a nonce is 64 lower-case hexadecimal digits")
    return bytes.fromhex(value)


def _fire(data: object) -> Fire:
    fields = _object(data, "/fire", ("twist", "shots", "physical", "pick_up", "ams", "flip_arms"))
    twist = _int(fields, "twist", "/fire", -1, 1) if "twist" in fields else 0
    shots = _list(fields.get("shots", []), "/fire/shots", MAX_STEPS)
    blows = _list(fields.get("physical", []), "/fire/physical", MAX_STEPS)
    return Fire(
        twist,
        tuple(_shot(shot, f"/fire/shots/{n}") for n, shot in enumerate(shots)),
        tuple(_strike(blow, f"/fire/physical/{n}") for n, blow in enumerate(blows)),
        _club(fields.get("pick_up")),
        _ams(fields, "/fire"),
        _bool(fields, "flip_arms", "/fire"),
    )


def _bool(fields: dict[str, Any], name: str, at: str) -> bool:
    """True or false; false where nothing is said."""
    value = fields.get(name)
    if value is not None and not isinstance(value, bool):
        raise _refused("not-a-boolean", f"{at}/{name}", f"{name} must be true or false")
    return bool(value)


def _club(value: object) -> str:
    if value is not None and value not in CLUBS:
        raise _refused("club-unknown", "/fire/pick_up", f"a club is one of {', '.join(CLUBS)}")
    return str(value or "")


def _strike(data: object, at: str) -> Strike:
    fields = _object(data, at, ("attack", "limb", "target"))
    attack = _text(fields, "attack", at)
    if attack not in ATTACKS:
        detail = f"a physical attack is one of {', '.join(ATTACKS)}"
        raise _refused("attack-unknown", f"{at}/attack", detail)
    return Strike(attack, _text(fields, "target", at), _location(fields, "limb", at))


def _location(fields: dict[str, Any], name: str, at: str) -> Location | None:
    value = fields.get(name)
    if value is None:
        return None
    if value not in list(Location):
        raise _refused("location-unknown", f"{at}/{name}", f"a location is one of {', '.join(Location)}")
    return Location(value)


def _shot(data: object, at: str) -> Shot:
    fields = _object(data, at, SHOT_FIELDS)
    where = None if fields.get("hex") is None else _hex(fields["hex"], f"{at}/hex")
    intent = _text_or_none(fields, "intent", at) or ""
    if (where is None) == bool(intent) or (intent and intent not in INTENTS):
        raise _refused("intent-unknown", f"{at}/intent", f"a shot at a hex needs one of {', '.join(INTENTS)}")
    if where is not None and fields.get("target") is not None:
        raise _refused("target-and-hex", f"{at}/target", "a shot is fired at a unit or at a hex, not at both")
    return Shot(
        _text(fields, "weapon", at),
        _text_or_none(fields, "target", at) or "",
        _text_or_none(fields, "bin", at),
        _location(fields, "aim", at),
        _text_or_none(fields, "mode", at) or "",
        where,
        intent,
        _bool(fields, "computer", at),
        _text_or_none(fields, "spotter", at),
        _text_or_none(fields, "second_bin", at),
    )


def _movement(data: object) -> Movement:
    at = "/movement"
    fields = _object(data, at, ("mode", "steps", "path", "facing", "if_fallen", "masc"))
    mode = _text(fields, "mode", at)
    if mode not in MODES:
        raise _refused("mode-unknown", f"{at}/mode", f"mode must be one of {', '.join(MODES)}")
    _only_for_mode(fields, mode, at)
    fallen = fields.get("if_fallen")
    return Movement(
        mode,
        steps=_way(fields.get("steps", []), f"{at}/steps"),
        path=_path(fields.get("path", []), f"{at}/path"),
        facing=_facing(fields, at),
        if_fallen=None if fallen is None else _recovery(fallen, f"{at}/if_fallen"),
        masc=_flag(fields, "masc", at),
    )


def _only_for_mode(fields: dict[str, Any], mode: str, at: str) -> None:
    """A jump has a path and a facing, walking and running have steps and a facing, all else has neither."""
    foreign = {"jump": ("steps", "masc"), "walk": ("path", "masc"), "run": ("path",)}.get(
        mode, ("steps", "path", "facing", "masc")
    )
    for name in foreign:
        if fields.get(name):
            raise _refused("field-not-for-mode", f"{at}/{name}", f"{name} has no meaning in mode {mode}")


def _facing(fields: dict[str, Any], at: str) -> int | None:
    if fields.get("facing") is None:
        return None
    return internal_facing(_int(fields, "facing", at, 1, 6))


def _answers(data: object) -> tuple[Recovery | WayOut, ...]:
    answers = _list(data, "/answers", 8)
    return tuple(_answer(one, f"/answers/{n}") for n, one in enumerate(answers))


def _answer(data: object, at: str) -> Recovery | WayOut:
    if isinstance(data, dict) and "hex" in data:
        return WayOut(_hex(_object(data, at, ("hex",))["hex"], f"{at}/hex"))
    return _recovery(data, at)


def _recovery(data: object, at: str) -> Recovery:
    fields = _object(data, at, ("attempts", "steps"))
    attempts = _int(fields, "attempts", at, 0, 9)
    steps = _steps(fields.get("steps", []), f"{at}/steps")
    if "U" in steps:
        raise _refused("step-not-here", f"{at}/steps", "attempts to stand up are counted by attempts")
    return Recovery(attempts, steps)


def _steps(data: object, at: str) -> tuple[str, ...]:
    steps = _list(data, at, MAX_STEPS)
    for n, step in enumerate(steps):
        if step not in STEPS:
            raise _refused("step-unknown", f"{at}/{n}", f"a step is one of {', '.join(STEPS)}")
    return tuple(steps)


def _way(data: object, at: str) -> tuple[str, ...]:
    """Steps of a movement on the ground: letters and hexes."""
    steps = _list(data, at, MAX_STEPS)
    for n, step in enumerate(steps):
        if isinstance(step, str) and step[:1].isdigit():
            _hex(step, f"{at}/{n}")
        elif step not in STEPS:
            raise _refused("step-unknown", f"{at}/{n}", f"a step is a hex or one of {', '.join(STEPS)}")
    return tuple(steps)


def _path(data: object, at: str) -> tuple[Hex, ...]:
    return tuple(_hex(value, f"{at}/{n}") for n, value in enumerate(_list(data, at, MAX_STEPS)))


def _hex(value: object, at: str) -> Hex:
    try:
        found = Hex.parse(value if isinstance(value, str) else "")
    except ValueError:
        found = Hex(0, 0)
    if min(found) < 1:
        raise _refused("hex-malformed", at, "a hex is four digits: column and row, both from 01")
    return found
