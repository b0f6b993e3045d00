"""The JSON twin of orders -> the text a person would write, in Spanish or English: `order_reading` back.

What the words do not name is written by its place in the JSON twin, so that nothing is lost on the way back.
Source: R 4.6.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from solaris_combat.engines.battletech.order_paste import escaped
from solaris_combat.engines.battletech.order_words import (
    MOUNT,
    PLAIN,
    has_word,
    plain,
    reserved,
    weapon_name,
    word,
)
from solaris_combat.engines.battletech.weapons import WEAPONS

Json = dict[str, Any]
HOT = " hot"
HEX = re.compile("[0-9]{4}")


def write(orders: Json, language: str) -> str:
    """The text of orders, one clause after the other; KeyError for a language other than "es" or "en"."""
    pen = Pen(language)
    pen.put(f"{pen.say('clause', 'turn')} {orders['turn']}")
    if "initial" in orders:
        _initial(pen, orders["initial"])
    if "fire" in orders:
        _fire(pen, orders["fire"])
    if "movement" in orders:
        _movement(pen, orders["movement"])
    said = _answers(pen, orders.get("answers", []))
    known = ("turn", "initial", "fire", "movement", *(("answers",) if said else ()))
    _rest(pen, orders, "", known)
    return "; ".join(pen.clauses)


@dataclass(slots=True)
class Pen:
    """The clauses written so far, and the language."""

    language: str
    clauses: list[str] = field(default_factory=list)

    def say(self, kind: str, meaning: str) -> str:
        """The phrase for a meaning."""
        return word(kind, meaning, self.language)

    def put(self, *words: str) -> None:
        """Another clause."""
        self.clauses.append(" ".join(one for one in words if one))


def _answers(pen: Pen, answers: list[Json]) -> bool:
    """Every answer by its words; False, and nothing written, where one has none."""
    if not all({"attempts", "steps"} == one.keys() or {"hex"} == one.keys() for one in answers):
        return False
    for one in answers:
        way = f"{pen.say('part', 'hex')} {one['hex']}" if "hex" in one else _recovery(pen, one)
        pen.put(pen.say("clause", "answer"), way)
    return True


def _name(text: str) -> str:
    """A name as one word, or in quotes where it would be taken for something else."""
    if PLAIN.fullmatch(text) and plain(text) not in reserved():
        return text
    return _value(text)


def _id(text: str) -> str:
    """The id of something aboard: small letters, or in quotes."""
    return _name(text) if text == text.lower() else _value(text)


def _side(text: str) -> str:
    """A side: its capital letter, or in quotes."""
    return _name(text) if len(text) > 1 or text == text.upper() else _value(text)


def _value(value: Any) -> str:
    return escaped(json.dumps(value, ensure_ascii=False))


def _rest(pen: Pen, found: Json, place: str, known: tuple[str, ...]) -> None:
    """What the words do not name."""
    for name, value in found.items():
        if name not in known and value is not None:
            pen.put(pen.say("clause", "field"), f"{place}/{_key(name)}={_value(value)}")


def _key(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _initial(pen: Pen, initial: Json) -> None:
    pen.put(pen.say("clause", "initial"))
    if "nonce" in initial:
        pen.put(pen.say("clause", "nonce"), initial["nonce"])
    others: Json = {}
    for name, load in initial.get("bins", {}).items():
        text = _load(pen, load)
        if text is None:
            others[name] = load
        else:
            pen.put(pen.say("clause", "bin"), _id(name), text)
    if "auto_eject" in initial:
        pen.put(pen.say("clause", "auto_eject" if initial["auto_eject"] else "manual_eject"))
    for name, load in others.items():
        pen.put(pen.say("clause", "field"), f"/initial/bins/{_key(name)}={_value(load)}")
    if initial.get("ams") == []:
        pen.put(pen.say("clause", "no_ams"))
    _ams(pen, initial)
    _rest(pen, initial, "/initial", ("nonce", "bins", "auto_eject", "ams"))


def _ams(pen: Pen, part: Json) -> None:
    """The anti-missile systems that are on."""
    for one in part.get("ams") or []:
        words = [pen.say("clause", "ams"), _id(one["ams"])]
        if one.get("launcher") is not None:
            words += [pen.say("part", "at"), _weapon(pen, one["launcher"])]
        if one.get("side") is not None:
            words += [pen.say("of", "of"), _side(one["side"])]
        pen.put(*words)


def _load(pen: Pen, load: Any) -> str | None:
    """Rounds of a bin; None where words cannot say them."""
    if isinstance(load, int):
        return str(load)
    if not isinstance(load, list) or not all(isinstance(one, str) for one in load):
        return None
    if not load:
        return pen.say("load", "empty")
    runs = [(len(list(same)), name) for name, same in groupby(load)]
    return ", ".join(
        f"{count} {_salvo(pen, name)}" if count > 1 else _salvo(pen, name) for count, name in runs
    )


def _salvo(pen: Pen, salvo: str) -> str:
    """A munition, "en caliente" where it is hot-loaded."""
    cold = salvo.removesuffix(HOT)
    if not cold or cold.endswith(HOT) or cold.isdigit():
        return _value(salvo)
    name = _worded(pen, "munition", cold)
    return f"{name} {pen.say('hot', 'hot')}" if cold != salvo else name


def _fire(pen: Pen, fire: Json) -> None:
    if fire.get("twist"):
        pen.put(pen.say("clause", "twist"), pen.say("direction", "left" if fire["twist"] < 0 else "right"))
    if fire.get("flip_arms"):
        pen.put(pen.say("clause", "flip_arms"))
    for shot in fire.get("shots", []):
        pen.put(pen.say("clause", "shoot"), *_shot(pen, shot))
    for strike in fire.get("physical", []):
        pen.put(*_strike(pen, strike))
    if fire.get("pick_up"):
        pen.put(pen.say("clause", "pick_up"), _worded(pen, "club", fire["pick_up"]))
    if not fire.get("shots"):
        pen.put(pen.say("clause", "hold_fire"))
    _ams(pen, fire)
    _rest(pen, fire, "/fire", ("twist", "flip_arms", "shots", "physical", "pick_up", "ams"))


def _shot(pen: Pen, shot: Json) -> Iterator[str]:
    yield _weapon(pen, shot["weapon"])
    if shot.get("target") is not None:
        yield f"{pen.say('part', 'at')} {_side(shot['target'])}"
    if shot.get("hex") is not None:
        yield f"{pen.say('part', 'hex')} {shot['hex']}"
    elif shot.get("target") is None:
        yield pen.say("part", "air")
    if shot.get("intent") is not None:
        yield f"{pen.say('part', 'for')} {_worded(pen, 'intent', shot['intent'])}"
    yield from _details(pen, shot, ("weapon", "target", "hex", "intent"))


def _details(pen: Pen, found: Json, said: tuple[str, ...]) -> Iterator[str]:
    if found.get("bin") is not None:
        yield f"{pen.say('part', 'bin')} {_id(found['bin'])}"
    if found.get("aim") is not None:
        yield f"{pen.say('part', 'aim')} {pen.say('location', found['aim'])}"
    if found.get("mode") is not None:
        yield f"{pen.say('part', 'mode')} {_worded(pen, 'mode', found['mode'])}"
    if found.get("computer"):
        yield pen.say("part", "computer")
    if found.get("spotter") is not None:
        yield f"{pen.say('part', 'spotter')} {_side(found['spotter'])}"
    for name, value in found.items():
        if name not in (*said, "bin", "aim", "mode", "computer", "spotter") and value is not None:
            yield f"{name}={_value(value)}"


def _worded(pen: Pen, kind: str, meaning: str) -> str:
    return pen.say(kind, meaning) if has_word(kind, meaning) else _name(meaning)


def _weapon(pen: Pen, weapon: str) -> str:
    """Name and location of a mounted weapon; its id where the name is not known."""
    mounted = MOUNT.fullmatch(weapon)
    if mounted is None or mounted[2] not in WEAPONS:
        return _id(weapon)
    name, location = weapon_name(mounted[2], pen.language), pen.say("location", mounted[1].upper())
    number = "" if mounted[3] == "1" else f" {mounted[3]}"
    return f"{name} {location}{number}"


def _strike(pen: Pen, strike: Json) -> Iterator[str]:
    yield pen.say("clause", strike["attack"])
    if strike.get("limb") is not None:
        yield pen.say("location", strike["limb"])
    target = strike.get("target")
    if target is not None and HEX.fullmatch(target):
        yield f"{pen.say('part', 'hex')} {target}"
    elif target is not None:
        yield f"{pen.say('part', 'at')} {_side(target)}"
    yield from _details(pen, strike, ("attack", "limb", "target"))


def _movement(pen: Pen, move: Json) -> None:
    mode = move["mode"]
    if not has_word("clause", mode):
        pen.put(pen.say("clause", "field"), f"/movement={_value(move)}")
        return
    facing = move.get("facing")
    face = "" if facing is None else f"{pen.say('face', 'face')} {facing}"
    way = move.get("path", []) if mode == "jump" else move.get("steps", [])
    masc = pen.say("masc", "masc") if move.get("masc") else ""
    pen.put(pen.say("clause", mode), _steps(pen, way), face, masc)
    if move.get("if_fallen") is not None:
        fallen = move["if_fallen"]
        pen.put(pen.say("clause", "if_fallen"), _recovery(pen, fallen))
        _rest(pen, fallen, "/movement/if_fallen", ("attempts", "steps"))
    _rest(pen, move, "/movement", ("mode", "steps", "path", "facing", "if_fallen", "masc"))


def _steps(pen: Pen, steps: list[str]) -> str:
    runs = ((step, len(list(same))) for step, same in groupby(steps))
    return " ".join(_step(pen, step, count) for step, count in runs)


def _step(pen: Pen, step: str, count: int) -> str:
    if step.isdigit():
        return " ".join([step] * count)
    name = pen.say("step", step) if has_word("step", step) else step
    return name if count == 1 else f"{name} {count}"


def _recovery(pen: Pen, recovery: Json) -> str:
    attempts, steps = recovery["attempts"], recovery["steps"]
    if not attempts and not steps:
        return pen.say("recovery", "stay")
    rise = f"{pen.say('recovery', 'rise')} {attempts}"
    return f"{rise} {_steps(pen, steps)}" if steps else rise
