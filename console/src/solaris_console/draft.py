"""Orders as the form has them, and as the API wants them.

The form names a hex and a facing; combat's options know the way there. Whoever wants another way writes his
steps himself. Nothing is judged here but what cannot even be said: legality is combat's word.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

Json = dict[str, Any]
STEPS: Final = frozenset("FBLRUDQEZC")
MODES: Final = ("walk", "run", "jump", "masc")
FLIPPED: Final = "f"
POSES: Final = ("-1", "0", "1", "-1f", "0f", "1f")
"""How a 'Mech may stand while it fires: torso twist, arms flipped to the rear or not."""
INTENTS: Final = ("ignite", "clear", "building", "mines", "ground")
AIR: Final = "air"
"""What a shot at a hex may be for; and the form's word for one at nothing, which only moves the belt on."""
PLACES: Final = ("HD", "CT", "LT", "RT", "LA", "RA", "LL", "RL")
MAX_STEPS: Final = 64
LOAD_ROWS: Final = 6
"""Runs of equal salvoes that the form has room for in one bin."""


class Unclear(Exception):
    """The form does not say enough: a text key and its facts."""

    def __init__(self, key: str, **facts: Any) -> None:
        super().__init__(key)
        self.key = key
        self.facts = facts


@dataclass(frozen=True, slots=True)
class Draft:
    """What a form says; every value is text as it was sent, so that the form can be shown again."""

    values: Mapping[str, str] = field(default_factory=dict)

    def get(self, name: str, default: str = "") -> str:
        """One field."""
        return self.values.get(name, default)

    @property
    def goal(self) -> tuple[str, str]:
        """Mode and hex; ("stand", "") for staying."""
        mode, _, there = self.get("go", "stand").partition(":")
        return (mode, there) if mode in MODES else ("stand", "")


def with_masc(options: Json) -> Json:
    """The options with a run by MASC, where there is one, as a way to move like the others."""
    movement = options.get("movement") or {}
    if not movement.get("masc"):
        return options
    return {**options, "movement": {**movement, "modes": {**movement["modes"], "masc": movement["masc"]}}}


def orders_of(draft: Draft, options: Json) -> Json:
    """The orders JSON for the request of these options; raises Unclear."""
    comment = {"comment": draft.get("comment")} if draft.get("comment") else {}
    if draft.get("text"):
        return {"text": draft.get("text")} | comment
    orders: Json = {"turn": options["turn"]} | comment
    if "initial" in options:
        orders["initial"] = _initial(draft, options["initial"])
    if "fire" in options:
        orders["fire"] = _fire(draft, options["fire"])
    if "movement" in options:
        orders["movement"] = _movement(draft, options["movement"])
    return orders


def _initial(draft: Draft, offered: Json) -> Json:
    bins = {one["id"]: _belt(draft, one) for one in offered["bins"]}
    initial: Json = {"auto_eject": draft.get("auto-eject") == "yes", "bins": bins} | _ams(draft, offered)
    return initial | ({"nonce": draft.get("nonce")} if draft.get("nonce") else {})


def _belt(draft: Draft, store: Json) -> int | list[str]:
    """What is loaded into a bin: a number of rounds as built, or its salvoes in firing order."""
    name, usual = store["id"], store.get("munition", "")
    runs = [
        (_count(draft.get(field, "0" if row else str(store["holds"])) or "0"), draft.get(kind) or usual)
        for row, (field, kind) in enumerate(load_fields(name, LOAD_ROWS))
    ]
    if all(kind == usual for count, kind in runs if count):
        return sum(count for count, _ in runs)
    return [kind for count, kind in runs for _ in range(count)]


def load_fields(name: str, rows: int) -> list[tuple[str, str]]:
    """The form's fields of a bin, a number and a munition for each run of equal salvoes."""
    ends = ["", *(f"-{row}" for row in range(2, rows + 1))]
    return [(f"load-{name}{end}", f"kind-{name}{end}") for end in ends]


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise Unclear("not-a-number", given=text[:20])
    return int(text)


def _fire(draft: Draft, offered: Json) -> Json:
    twist = draft.get("twist", "0")
    if twist not in POSES:
        raise Unclear("not-a-number", given=twist[:20])
    mounts = offered["twists"][0]["weapons"]
    for one in mounts:
        _coherent(draft, one["weapon"])
    shots = [_shot(draft, one) for one in mounts if draft.get(f"fire-{one['weapon']}")]
    picked = {"pick_up": draft.get("pick-up")} if draft.get("pick-up") else {}
    flipped = {"flip_arms": True} if twist.endswith(FLIPPED) else {}
    fire = (
        {"twist": int(twist.removesuffix(FLIPPED)), "shots": shots} | flipped | _ams(draft, offered) | picked
    )
    blows = [one for one in blows_of(offered) if draft.get(blow_field(one))]
    named = ("attack", "limb", "target")
    return fire | ({"physical": [{name: one[name] for name in named} for one in blows]} if blows else {})


def _ams(draft: Draft, offered: Json) -> Json:
    """The anti-missile systems that are to be on, each with the launcher it shoots at ("B rt-lrm-15-1")."""
    if "ams" not in offered:
        return {}
    on = [one["ams"] for one in offered["ams"]["systems"] if draft.get(f"ams-{one['ams']}")]
    return {"ams": [_aimed(name, draft.get(f"against-{name}")) for name in on]}


def _aimed(name: str, against: str) -> Json:
    side, _, launcher = against.partition(" ")
    return {"ams": name, "launcher": launcher or None, "side": side or None}


def pose_of(twist: Json) -> str:
    """The form's name of a way to stand that is offered."""
    return f"{twist['twist']}{FLIPPED if twist.get('flip_arms') else ''}"


def blows_of(offered: Json) -> list[Json]:
    """Physical attacks offered with any twist, at 'Mechs and at what stands in a hex, each once."""
    found = {
        blow_field(one): one
        for twist in offered["twists"]
        for one in (*twist.get("physical", []), *twist.get("ground_blows", []))
    }
    return list(found.values())


def blow_field(blow: Json) -> str:
    """Name of its field in the form."""
    return f"strike-{blow['attack']}-{blow['limb'] or 'body'}-{blow['target']}"


def _shot(draft: Draft, mount: Json) -> Json:
    weapon = mount["weapon"]
    shot = {"weapon": weapon, "bin": draft.get(f"bin-{weapon}") or None} | _target(draft, weapon)
    told = {"computer": True} if draft.get(f"computer-{weapon}") else {}
    return (
        shot
        | told
        | {
            name: draft.get(f"{name}-{weapon}")
            for name in ("aim", "mode", "spotter", "second_bin")
            if draft.get(f"{name}-{weapon}")
        }
    )


def _coherent(draft: Draft, weapon: str) -> None:
    """Raises Unclear for a hex or purpose of a weapon that does not fire, or a purpose without a hex."""
    if not elsewhere(draft, weapon):
        return
    if not draft.get(f"fire-{weapon}"):
        raise Unclear("not-ticked", weapon=weapon)
    if not draft.get(f"hex-{weapon}") and draft.get(f"intent-{weapon}") != AIR:
        raise Unclear("hex-missing", weapon=weapon)


def _target(draft: Draft, weapon: str) -> Json:
    """A side, or a hex and what for, or nothing at all: into the air."""
    there, intent = draft.get(f"hex-{weapon}"), draft.get(f"intent-{weapon}")
    if intent == AIR and not there:
        return {"target": None}
    if there or intent:
        return {"target": None, "hex": there or None, "intent": intent.removeprefix(AIR) or None}
    return {"target": draft.get(f"target-{weapon}") or draft.get(f"fire-{weapon}")}


def elsewhere(draft: Draft, weapon: str) -> bool:
    """Whether the form says that a weapon fires at no 'Mech."""
    return bool(draft.get(f"hex-{weapon}") or draft.get(f"intent-{weapon}"))


def spotters_of(offered: Json, weapon: str) -> list[Json]:
    """Who of the team sees a target that this weapon's side does not, with any torso twist, each once."""
    mounts = [one for twist in offered["twists"] for one in twist["weapons"] if one["weapon"] == weapon]
    seen = [
        {"target": foe["target"], "spotter": one["spotter"], "number": one.get("number")}
        for mount in mounts
        for foe in mount["targets"]
        for one in foe.get("indirect", [])
    ]
    return list({(one["target"], one["spotter"]): one for one in seen}.values())


def _movement(draft: Draft, offered: Json) -> Json:
    if draft.get("go") == "eject":
        return {"mode": "eject"}
    mode, there = draft.goal
    if steps := letters(draft.get("steps")):
        return _by_hand(draft, mode, steps)
    if mode == "stand":
        return {"mode": "stand"} | _fallen(draft)
    entry = chosen(offered, mode, there, draft.get("facing"))
    if mode == "jump":
        facing = draft.get("facing")
        return {
            "mode": "jump",
            "path": entry["path"],
            "facing": int(facing) if facing in "123456" and facing else None,
        } | _fallen(draft)
    return _on_foot(mode) | {"steps": list(entry["steps"])} | _fallen(draft)


def _by_hand(draft: Draft, mode: str, steps: list[str]) -> Json:
    """Steps as written; on the ground, walking unless running was chosen."""
    return _on_foot(mode) | {"steps": steps} | _fallen(draft)


def _on_foot(mode: str) -> Json:
    return {"mode": "run", "masc": True} if mode == "masc" else {"mode": "run" if mode == "run" else "walk"}


def letters(text: str) -> list[str]:
    """Steps out of what was typed; raises Unclear for a letter that is none."""
    signs = [sign for sign in text.upper() if not sign.isspace() and sign not in ",;-."]
    wrong = next((sign for sign in signs if sign not in STEPS), None)
    if wrong or len(signs) > MAX_STEPS:
        raise Unclear("no-such-step", given=wrong or text[:20])
    return signs


def _fallen(draft: Draft) -> Json:
    """What was said in advance about a fall; nothing: the player is asked when it happens."""
    attempts = draft.get("if-fallen")
    return {"if_fallen": {"attempts": _count(attempts), "steps": []}} if attempts else {}


def arrivals(offered: Json, mode: str, there: str) -> list[Json]:
    """Every way to end in a hex by a mode."""
    reach = offered["modes"].get(mode, {"reach": []})["reach"]
    return [entry for entry in reach if entry["hex"] == there]


def chosen(offered: Json, mode: str, there: str, facing: str) -> Json:
    """The cheapest way to a hex, and facing if one is wanted; raises Unclear."""
    ways = arrivals(offered, mode, there)
    if not ways:
        raise Unclear("not-reached", hex=there)
    fitting = [way for way in ways if not facing or "facing" not in way or str(way["facing"]) == facing]
    if not fitting:
        known = ", ".join(str(way["facing"]) for way in sorted(ways, key=lambda way: way["facing"]))
        raise Unclear("facing-not-reached", hex=there, facing=facing, known=known)
    best: Json = min(fitting, key=lambda way: way["mp"])
    return best


def answer_of(draft: Draft, turn: int) -> Json:
    """The answer to a question: after a fall, or about the way out from a leap; raises Unclear."""
    if draft.get("hex"):
        return {"turn": turn, "answers": [{"hex": draft.get("hex")}]}
    attempts = _count(draft.get("attempts", "0"))
    return {"turn": turn, "answers": [{"attempts": attempts, "steps": letters(draft.get("steps"))}]}


def draft_of(orders: Json) -> Draft:
    """A form filled with orders that were sealed: fire and load as they are, movement as steps."""
    values: dict[str, str] = {}
    initial, fire, movement = (orders.get(part) or {} for part in ("initial", "fire", "movement"))
    for name, load in initial.get("bins", {}).items():
        values |= _load_values(name, load)
    values |= {"auto-eject": "yes"} if initial.get("auto_eject") else {}
    values |= {"nonce": initial["nonce"]} if initial.get("nonce") else {}
    values |= {"twist": pose_of({"twist": 0} | fire), "pick-up": fire.get("pick_up") or ""}
    for one in initial.get("ams") or fire.get("ams") or []:
        aimed = f"{one.get('side') or ''} {one['launcher']}" if one.get("launcher") else ""
        values |= {f"ams-{one['ams']}": "on", f"against-{one['ams']}": aimed}
    for shot in fire.get("shots", []):
        values |= _shot_values(shot)
    values |= {blow_field(blow): blow["target"] for blow in fire.get("physical", [])}
    return Draft(values | _movement_values(movement))


def _shot_values(shot: Json) -> dict[str, str]:
    weapon, target, there = shot["weapon"], shot.get("target") or "", shot.get("hex") or ""
    values = {"fire": target or "on", "target": target, "hex": there, "bin": shot.get("bin") or ""}
    values |= {name: shot.get(name) or "" for name in ("aim", "mode", "spotter", "second_bin")}
    values |= {"intent": shot.get("intent") or ("" if target else AIR)}
    values |= {"computer": "on" if shot.get("computer") else ""}
    return {f"{name}-{weapon}": value for name, value in values.items()}


def shows_all(draft: Draft, options: Json, orders: Json) -> bool:
    """Whether the form says all that these sealed orders say (they may come from the API or a mail)."""
    try:
        return _said(orders_of(draft, options)) == _said(orders)
    except Unclear:
        return False


def _said(part: Any) -> Any:
    """JSON without what says nothing."""
    if isinstance(part, dict):
        kept = {name: _said(value) for name, value in part.items()}
        return {
            name: value
            for name, value in kept.items()
            if value not in (None, "", [], {}) and value is not False
        }
    return [_said(one) for one in part] if isinstance(part, list) else part


def _load_values(name: str, load: int | list[str]) -> dict[str, str]:
    if isinstance(load, int):
        return {f"load-{name}": str(load)}
    runs = [(str(len(list(salvoes))), kind) for kind, salvoes in groupby(load)] or [("0", "")]
    fields = load_fields(name, max(LOAD_ROWS, len(runs)))
    pairs = zip(fields, runs, strict=False)
    return {field: said for fields, said_both in pairs for field, said in zip(fields, said_both, strict=True)}


def _movement_values(movement: Json) -> dict[str, str]:
    mode, path = movement.get("mode", "stand"), movement.get("path") or []
    if mode == "eject":
        return {"go": "eject"}
    fallen = movement.get("if_fallen")
    said = {"if-fallen": str(fallen["attempts"])} if fallen else {}
    if mode == "jump" and path:
        return said | {"go": f"jump:{path[-1]}", "facing": str(movement.get("facing") or "")}
    if movement.get("steps"):
        return said | {
            "go": f"{'masc' if movement.get('masc') else mode}:",
            "steps": " ".join(movement["steps"]),
        }
    return said | {"go": "stand"}


def command_key(form_key: str, orders: Json) -> str:
    """The same form sent twice is one command; the same form with other orders is another."""
    said = json.dumps(orders, sort_keys=True)
    return hashlib.sha256(f"{form_key}/{said}".encode()).hexdigest()
