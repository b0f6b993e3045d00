"""Orders as people write them: "andar 0507 0506 encarar 3; disparar CPP BD a A; patada PD" -> the JSON twin.

Every clause says one thing; ";" and the end of a line part clauses. Spanish and English words are read side
by side. Whatever is not understood is refused with line and column; nothing is guessed. What the words do not
name is said by its place in the JSON twin: "campo /fire/x=1". Grammar: docs/reference/orders.md.
Source: R 4.6 (what a turn asks of a player), in the manner of the mails of the league.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from solaris_combat.engines.battletech.order_tokens import Token, refuse, tokens
from solaris_combat.engines.battletech.order_words import longest, phrases, plain
from solaris_combat.engines.contract import Written

Json = dict[str, Any]
LONGEST = 8000
"""Characters of a text of orders."""
LONGEST_COMMENT = 1000
ATTACKS = ("punch", "kick", "push", "club", "hatchet", "sword", "charge", "death_from_above")
_NUMBER, _HEX, _STEP = re.compile(r"[0-9]{1,3}"), re.compile(r"[0-9]{4}"), re.compile(r"[A-Z]{1,3}")


@dataclass(frozen=True, slots=True)
class Known:
    """What the reader of a text knows without being told: the turn asked for, and the only rival."""

    turn: int | None = None
    rival: str | None = None


def read(text: str, known: Known | None = None) -> Written:
    """The JSON twin of a text; OrdersInvalid with line and column for what is not understood."""
    if len(text) > LONGEST:
        refuse(text, LONGEST, f"a text of orders has at most {LONGEST} characters")
    reader = Reader(text, list(tokens(text)), known or Known())
    while reader.more():
        _clause(reader)
    if "turn" not in reader.orders:
        if reader.known.turn is None:
            refuse(text, 0, 'the turn is missing: write "turno 3" or "turn 3" first')
        reader.orders["turn"] = reader.known.turn
    return Written(reader.orders, reader.comment)


@dataclass(slots=True)
class Reader:
    """The tokens of a text, the place reached, and the orders found so far."""

    text: str
    tokens: list[Token]
    known: Known
    at: int = 0
    orders: Json = field(default_factory=dict)
    comment: str = ""
    held: bool = False

    @property
    def here(self) -> Token:
        """The token to be read next."""
        return self.tokens[self.at]

    def take(self) -> Token:
        """The next token, which is then read."""
        self.at += 1
        return self.tokens[self.at - 1]

    def more(self) -> bool:
        """Whether another clause follows; empty ones are passed over."""
        while self.at < len(self.tokens) and self.here.kind == "end":
            self.at += 1
        return self.at < len(self.tokens)

    def ended(self) -> bool:
        """Whether the clause, or the shot within it, is over."""
        return self.here.kind in ("end", "comma")

    def phrase(self, kind: str) -> str | None:
        """The meaning of the longest phrase of a kind that stands here, which is then read; or None."""
        words: list[str] = []
        for token in self.tokens[self.at : self.at + longest(kind)]:
            if token.kind != "word":
                break
            words.append(plain(token.text))
        for count in range(len(words), 0, -1):
            meaning = phrases(kind).get(tuple(words[:count]))
            if meaning is not None:
                self.at += count
                return meaning
        return None

    def need(self, kind: str, what: str) -> str:
        """The meaning of the phrase that must stand here."""
        meaning = self.phrase(kind)
        if meaning is None:
            self.refuse(f"{what} is expected here")
        return meaning

    def number(self) -> int | None:
        """A number of up to three digits, if one stands here."""
        if self.here.kind == "word" and _NUMBER.fullmatch(self.here.text):
            return int(self.take().text)
        return None

    def need_number(self, what: str) -> int:
        """The number that must stand here."""
        number = self.number()
        if number is None:
            self.refuse(f"{what} is expected here")
        return number

    def hex(self) -> str | None:
        """A hex of four digits, if one stands here."""
        if self.here.kind == "word" and _HEX.fullmatch(self.here.text):
            return self.take().text
        return None

    def name(self, what: str) -> str:
        """A name: one word, or a text in quotes."""
        if self.here.kind not in ("word", "quoted"):
            self.refuse(f"{what} is expected here")
        return self.take().text

    def id(self, what: str) -> str:
        """The id of something aboard, in any case; in quotes exactly as it is written."""
        quoted = self.here.kind == "quoted"
        name = self.name(what)
        return name if quoted else name.lower()

    def side(self) -> str:
        """A side: its letter in any case; in quotes exactly as it is written."""
        quoted = self.here.kind == "quoted"
        name = self.name("a side")
        return name if quoted or len(name) > 1 else name.upper()

    def refuse(self, detail: str, at: Token | None = None) -> NoReturn:
        """Refuse the text at the next token, or at another one."""
        token = at or self.here
        said = "" if token.kind == "end" else f"; {token.text[:40]!r} is not understood"
        refuse(self.text, token.at, detail + said)


def _clause(reader: Reader) -> None:
    first = reader.here
    if first.kind == "comment":
        _comment(reader, reader.take())
    else:
        meaning = reader.phrase("clause")
        if meaning is None:
            reader.refuse("an order is expected here")
        _CLAUSES[meaning](reader, meaning, first)
        if meaning == "turn":
            return
    if reader.here.kind != "end":
        reader.refuse("the end of the order is expected here")


def _comment(reader: Reader, token: Token) -> None:
    reader.comment = "\n".join(filter(None, (reader.comment, token.text.rstrip())))
    if len(reader.comment) > LONGEST_COMMENT:
        reader.refuse(f"a comment has at most {LONGEST_COMMENT} characters", token)


def _part(reader: Reader, name: str) -> Json:
    return reader.orders.setdefault(name, {})


def _once(reader: Reader, part: Json, name: str, value: Any, at: Token) -> None:
    if name in part:
        reader.refuse("this is said twice", at)
    part[name] = value


def _turn(reader: Reader, _: str, at: Token) -> None:
    _once(reader, reader.orders, "turn", reader.need_number("the number of the turn"), at)


def _initial(reader: Reader, _: str, _at: Token) -> None:
    _part(reader, "initial")


def _nonce(reader: Reader, _: str, at: Token) -> None:
    _once(reader, _part(reader, "initial"), "nonce", reader.id("a nonce of 64 digits"), at)


def _bin(reader: Reader, _: str, at: Token) -> None:
    bins = _part(reader, "initial").setdefault("bins", {})
    _once(reader, bins, reader.id("the id of a bin"), _load(reader), at)


def _load(reader: Reader) -> int | list[str]:
    """A number of rounds, or the munitions in the order in which they leave the bin."""
    number = reader.number()
    if number is not None and reader.here.kind == "end":
        return number
    if number is None and reader.phrase("load") == "empty":
        return []
    rounds: list[str] = []
    while number is not None or reader.here.kind != "end":
        name = _named(reader, "munition", "a munition")
        name += " hot" if reader.phrase("hot") else ""
        rounds += [name] * (1 if number is None else number)
        reader.at += reader.here.kind == "comma"
        number = reader.number()
    if not rounds:
        reader.refuse("rounds are expected here: a number, or munitions in their order")
    return rounds


def _eject(reader: Reader, meaning: str, at: Token) -> None:
    _once(reader, _part(reader, "initial"), "auto_eject", meaning == "auto_eject", at)


def _move(reader: Reader, mode: str, at: Token) -> None:
    move = _part(reader, "movement")
    _once(reader, move, "mode", mode, at)
    if mode in ("stand", "eject"):
        return
    steps = list(_steps(reader))
    move["path" if mode == "jump" else "steps"] = steps
    if reader.phrase("face"):
        move["facing"] = reader.need_number("a facing of 1 to 6")
    if reader.phrase("masc"):
        move["masc"] = True


def _steps(reader: Reader) -> Iterator[str]:
    """Hexes, letters, and words with how often: "adelante 3"."""
    while not reader.ended():
        where = reader.hex()
        step = where or reader.phrase("step") or _letters(reader)
        if step is None:
            return
        times = None if where else reader.number()
        yield from [step] * (1 if times is None else times)


def _letters(reader: Reader) -> str | None:
    """A step by the letters of the JSON twin."""
    if reader.here.kind == "word" and _STEP.fullmatch(reader.here.text):
        return reader.take().text
    return None


def _if_fallen(reader: Reader, _: str, at: Token) -> None:
    _once(reader, _part(reader, "movement"), "if_fallen", _recovery(reader), at)


def _recovery(reader: Reader) -> Json:
    if reader.need("recovery", "to stand up or to stay down") == "stay":
        return {"attempts": 0, "steps": []}
    number = reader.number()
    return {"attempts": 1 if number is None else number, "steps": list(_steps(reader))}


def _answer(reader: Reader, _: str, _at: Token) -> None:
    """A recovery after a fall, or the hex of a way out."""
    hexed = reader.phrase("part") == "hex"
    one = dict([_hex_at(reader)]) if hexed else _recovery(reader)
    reader.orders.setdefault("answers", []).append(one)


def _ams(reader: Reader, _: str, at: Token) -> None:
    """An anti-missile system that is on, the launcher it is to fire at, and the side whose salvoes."""
    part = _with_ams(reader)
    if part.get("ams") == []:
        reader.refuse("no anti-missile system is ordered on already", at)
    one: Json = {"ams": reader.id("the id of an anti-missile system")}
    if reader.phrase("part") == "at":
        one["launcher"] = _weapon(reader)
    if reader.phrase("of"):
        one["side"] = reader.side()
    part.setdefault("ams", []).append(one)


def _no_ams(reader: Reader, _: str, at: Token) -> None:
    _once(reader, _with_ams(reader), "ams", [], at)


def _with_ams(reader: Reader) -> Json:
    """The initial turn, if that is what is being ordered; else the fire."""
    first = "initial" in reader.orders or reader.orders.get("turn", reader.known.turn) == 0
    initial = first and "fire" not in reader.orders
    return _part(reader, "initial" if initial else "fire")


def _pick_up(reader: Reader, _: str, at: Token) -> None:
    _once(reader, _part(reader, "fire"), "pick_up", _named(reader, "club", "a club"), at)


def _hold_fire(reader: Reader, _: str, at: Token) -> None:
    fire = _part(reader, "fire")
    if fire.get("shots"):
        reader.refuse("fire is ordered already", at)
    reader.held = True


def _twist(reader: Reader, _: str, at: Token) -> None:
    where = reader.need("direction", "left or right")
    _once(reader, _part(reader, "fire"), "twist", -1 if where == "left" else 1, at)


def _flip_arms(reader: Reader, _: str, at: Token) -> None:
    _once(reader, _part(reader, "fire"), "flip_arms", True, at)


def _shoot(reader: Reader, _: str, at: Token) -> None:
    if reader.held:
        reader.refuse("no fire is ordered already", at)
    shots = _part(reader, "fire").setdefault("shots", [])
    while True:
        shots.append(_shot(reader))
        if reader.here.kind != "comma":
            return
        reader.take()


def _shot(reader: Reader) -> Json:
    shot: Json = {"weapon": _weapon(reader)}
    _details(reader, shot)
    if "hex" not in shot and "target" not in shot:
        _aim_at_the_rival(reader, shot)
    return {name: value for name, value in shot.items() if name != "target" or value is not None}


def _weapon(reader: Reader) -> str:
    """Its name and location ("CPP BD", "PPC RA 2"), or its id."""
    kind = reader.phrase("weapon")
    if kind is None:
        return reader.id("a weapon")
    location = reader.need("location", f"the location of the {kind}")
    number = reader.number()
    return f"{location.lower()}-{kind}-{1 if number is None else number}"


def _details(reader: Reader, found: Json) -> None:
    """Target, hex and purpose, bin, aim, mode, and values by name, in any order."""
    while not reader.ended():
        at = reader.here
        if at.kind == "value":
            _once(reader, found, at.text, reader.take().value, at)
            continue
        meaning = reader.phrase("part")
        if meaning is None:
            reader.refuse("a target, bin, aim or mode is expected here")
        name, value = _DETAILS[meaning](reader)
        _once(reader, found, name, value, at)


def _aim_at_the_rival(reader: Reader, found: Json) -> None:
    if reader.known.rival is None:
        reader.refuse('the target is missing: "a B" or "at B"')
    found["target"] = reader.known.rival


def _hex_at(reader: Reader) -> tuple[str, str]:
    where = reader.hex()
    if where is None:
        reader.refuse("a hex of four digits is expected here")
    return "hex", where


def _named(reader: Reader, kind: str, what: str) -> str:
    return reader.phrase(kind) or reader.name(what)


_DETAILS: Mapping[str, Callable[[Reader], tuple[str, Any]]] = {
    "at": lambda reader: ("target", reader.side()),
    "hex": _hex_at,
    "air": lambda reader: ("target", None),
    "for": lambda reader: ("intent", _named(reader, "intent", "what the shot is for")),
    "bin": lambda reader: ("bin", reader.id("the id of a bin")),
    "aim": lambda reader: ("aim", reader.need("location", "a location")),
    "mode": lambda reader: ("mode", _named(reader, "mode", "a way of firing")),
    "computer": lambda reader: ("computer", True),
    "spotter": lambda reader: ("spotter", reader.side()),
}


def _strike(reader: Reader, attack: str, _at: Token) -> None:
    strike: Json = {"attack": attack}
    limb = reader.phrase("location")
    if limb:
        strike["limb"] = limb
    at = reader.here
    _details(reader, strike)
    if "hex" in strike:
        _once(reader, strike, "target", strike.pop("hex"), at)
    if "target" not in strike:
        _aim_at_the_rival(reader, strike)
    _part(reader, "fire").setdefault("physical", []).append(strike)


def _field(reader: Reader, _: str, _at: Token) -> None:
    """A value by its place in the JSON twin."""
    if reader.here.kind != "value":
        reader.refuse("a place and its value are expected here: /fire/x=1")
    while reader.here.kind == "value":
        _set(reader, reader.take())


def _set(reader: Reader, token: Token) -> None:
    if not token.text.startswith("/"):
        reader.refuse("a place begins with /", token)
    keys = [key.replace("~1", "/").replace("~0", "~") for key in token.text[1:].split("/")]
    place: Any = reader.orders
    for key in keys[:-1]:
        place = _inside(reader, token, place, key)
    if not isinstance(place, dict):
        reader.refuse("there is no such place", token)
    _once(reader, place, keys[-1], token.value, token)


def _inside(reader: Reader, token: Token, place: Any, key: str) -> Any:
    if isinstance(place, dict):
        return place.setdefault(key, {})
    if isinstance(place, list) and key.isdecimal() and int(key) < len(place):
        return place[int(key)]
    reader.refuse("there is no such place", token)


_CLAUSES: Mapping[str, Callable[[Reader, str, Token], None]] = {
    "turn": _turn,
    "initial": _initial,
    "nonce": _nonce,
    "bin": _bin,
    "auto_eject": _eject,
    "manual_eject": _eject,
    **dict.fromkeys(("stand", "walk", "run", "jump", "eject"), _move),
    "if_fallen": _if_fallen,
    "answer": _answer,
    "hold_fire": _hold_fire,
    "pick_up": _pick_up,
    "ams": _ams,
    "no_ams": _no_ams,
    "twist": _twist,
    "flip_arms": _flip_arms,
    "shoot": _shoot,
    **dict.fromkeys(ATTACKS, _strike),
    "field": _field,
}
