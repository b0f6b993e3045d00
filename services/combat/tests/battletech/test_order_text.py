"""Orders as text: the exact inverse of their JSON twin in both languages, and every example of the page."""

import json
import re
from pathlib import Path

import pytest
from duels import ENGINE, arrange, begin, setup
from hypothesis import given
from hypothesis import strategies as st

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech import order_words
from solaris_combat.engines.battletech import orders as o
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.order_reading import Known, read
from solaris_combat.engines.battletech.order_writing import write
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.weapons import WEAPONS
from solaris_combat.engines.contract import OrdersInvalid

PAGE = Path(__file__).parents[4] / "docs" / "reference" / "orders.md"
BLOCK = re.compile(r"```orders\n(.*?)```\s+```json\n(.*?)```", re.DOTALL)
EXAMPLES = [
    (text, json.loads(twin)) for texts, twin in BLOCK.findall(PAGE.read_text()) for text in texts.splitlines()
]
LANGUAGES = ("es", "en")
MUNITIONS = [*table("munitions")["munition"], "unheard-of"]

shown = st.characters(codec="utf-8", exclude_characters="\0")
names = st.text(shown, min_size=1, max_size=64) | st.sampled_from(
    ["A", "B", "hex", "con", "a", "fire", "1234", "F"]
)
mounts = st.builds(
    "{}-{}-{}".format,
    st.sampled_from([at.lower() for at in Location]),
    st.sampled_from([*WEAPONS, "ams", "unheard-of"]),
    st.integers(0, 120),
)
sides = st.sampled_from("ABCDEFGH") | names
letters = st.sampled_from(o.STEPS)
hexes = st.builds(Hex, st.integers(1, 99), st.integers(1, 99))
way = st.lists(letters | hexes.map(str), max_size=12).map(tuple)
recoveries = st.builds(
    o.Recovery,
    st.integers(0, 9),
    st.lists(letters.filter(lambda step: step != "U"), max_size=6).map(tuple),
)
places = st.none() | st.sampled_from(list(Location))
facings = st.none() | st.integers(0, 5)
modes = st.sampled_from(["", "double", "heat", "inhibitor_off", "hot"]) | names
goals = st.one_of(
    st.fixed_dictionaries({"target": sides}),
    st.fixed_dictionaries({"target": st.just(""), "hex": hexes, "intent": st.sampled_from(o.INTENTS)}),
    st.just({"target": ""}),
)
shots = st.builds(
    lambda weapon, goal, bins, aim, mode, computer, spotter: o.Shot(
        weapon,
        bin=bins[0],
        second_bin=bins[1],
        aim=aim,
        mode=mode,
        computer=computer,
        spotter=spotter,
        **goal,
    ),
    mounts | names,
    goals,
    st.tuples(st.none() | names, st.none() | names),
    places,
    modes,
    st.booleans(),
    st.none() | sides,
)
salvoes = st.builds("{}{}".format, st.sampled_from(MUNITIONS) | names, st.sampled_from(["", " hot"]))
belts = st.lists(salvoes.filter(lambda text: len(text) <= 64), max_size=5).map(tuple)
strikes = st.builds(o.Strike, st.sampled_from(o.ATTACKS), sides, places)
systems = st.builds(o.AmsOn, names, st.none() | mounts | names, st.none() | sides)
some_systems = st.lists(systems, max_size=3).map(tuple)
initials = st.builds(
    o.Initial,
    st.binary(min_size=32, max_size=32),
    st.dictionaries(names, st.integers(0, 999) | belts, max_size=4),
    st.booleans(),
    st.none() | some_systems,
)
fires = st.builds(
    o.Fire,
    st.integers(-1, 1),
    st.lists(shots, max_size=5).map(tuple),
    st.lists(strikes, max_size=3).map(tuple),
    st.sampled_from(("", *o.CLUBS)),
    some_systems,
    st.booleans(),
)
movements = st.one_of(
    st.builds(o.Movement, st.sampled_from(("stand", "eject")), if_fallen=st.none() | recoveries),
    st.builds(
        o.Movement,
        st.just("walk"),
        steps=way,
        facing=facings,
        if_fallen=st.none() | recoveries,
    ),
    st.builds(
        o.Movement,
        st.just("run"),
        steps=way,
        facing=facings,
        if_fallen=st.none() | recoveries,
        masc=st.booleans(),
    ),
    st.builds(
        o.Movement,
        st.just("jump"),
        path=st.lists(hexes, max_size=8).map(tuple),
        facing=facings,
        if_fallen=st.none() | recoveries,
    ),
)
some_orders = st.builds(
    o.Orders,
    st.integers(0, 99),
    st.none() | initials,
    st.none() | fires,
    st.none() | movements,
    st.lists(recoveries | st.builds(o.WayOut, hexes), max_size=3).map(tuple),
).filter(lambda orders: orders.initial or orders.fire or orders.movement or orders.answers)


@given(some_orders, st.sampled_from(LANGUAGES))
def test_text_and_json_are_each_others_inverse(orders: o.Orders, language: str) -> None:
    """Identity over generated orders of every form: JSON -> text -> JSON."""
    twin = o.orders_json(orders)
    assert o.parse_orders(read(write(twin, language)).orders) == o.parse_orders(twin) == orders


@given(some_orders)
def test_what_the_words_do_not_name_is_not_lost(orders: o.Orders) -> None:
    """Fields that no word names, at any place, come back by their place."""
    twin = o.orders_json(orders)
    twin["new"] = {"a": [1]}
    for part in ("initial", "fire", "movement"):
        if part in twin:
            twin[part]["x/~y"] = [{"z": "1; 2"}]
    for shot in twin.get("fire", {}).get("shots", []):
        shot["more"] = {"b": "c, d"}
    for language in LANGUAGES:
        assert without_none(read(write(twin, language)).orders) == without_defaults(without_none(twin))


def without_none(value):
    if isinstance(value, dict):
        return {key: without_none(one) for key, one in value.items() if one is not None}
    return [without_none(one) for one in value] if isinstance(value, list) else value


def without_defaults(twin):
    """Parts that are empty need no word of their own."""
    fire = twin.get("fire", {})
    for name in ("twist", "shots", "physical", "ams"):
        if name in fire and not fire[name]:
            del fire[name]
    for part, name in ((fire, "flip_arms"), (twin.get("movement", {}), "masc")):
        if part.get(name) is False:
            del part[name]
    for shot in fire.get("shots", []):
        if shot["computer"] is False:
            del shot["computer"]
    if not twin.get("initial", {}).get("bins", True):
        del twin["initial"]["bins"]
    return twin


@pytest.mark.parametrize(("text", "twin"), EXAMPLES)
def test_every_example_of_the_page_means_its_json(text: str, twin: dict) -> None:
    known = Known(twin["turn"], "A")
    assert read(text, known).orders == twin
    o.parse_orders(twin)
    for language in LANGUAGES:
        assert read(write(twin, language), known).orders == twin or language


def test_the_page_has_an_example_of_every_clause_and_attack() -> None:
    said = " ".join(text for text, _ in EXAMPLES).casefold()
    for kind in ("clause", "step", "recovery", "face", "direction"):
        for meaning, words in table("order_words")[kind].items():
            for language in LANGUAGES:
                if meaning in PLAYED_ELSEWHERE:
                    continue
                assert any(word.casefold() in said for word in words[language]), (meaning, language)


PLAYED_ELSEWHERE = ("auto_eject",)
"""No example: the same form as one that is shown."""


def test_the_page_names_every_word() -> None:
    """Words of the table stand in the grammar; weapons and locations are named by `GET /v1/words`."""
    grammar = PAGE.read_text().split("```ebnf")[1].split("```")[0]
    for kind, meanings in table("order_words").items():
        if kind in ("weapon", "location", "munition"):
            continue
        for words in meanings.values():
            for word in (*words["es"][:1], *words["en"][:1]):
                spoken = word.split() if word not in grammar else []
                assert all(f'"{one}"' in grammar for one in spoken), word


def test_no_phrase_means_two_things() -> None:
    for kind in table("order_words"):
        assert order_words.phrases(kind)


MISTAKES = [
    ("turno", "line 1, column 6: the number of the turn is expected here"),
    ("turno 3; bailar", "line 1, column 10: an order is expected here; 'bailar' is not understood"),
    ("turno 3\nandar 0507 x", "line 2, column 12: the end of the order is expected here; 'x' is not under"),
    ("turno 3; disparar CPP a B", "line 1, column 23: the location of the ppc is expected here; 'a' is not"),
    ("turno 3; disparar CPP BD con", "line 1, column 29: the id of a bin is expected here"),
    ("turno 3; andar; correr", "line 1, column 17: this is said twice; 'correr' is not understood"),
    ("turno 3; saltar 0507 encarar norte", "line 1, column 30: a facing of 1 to 6 is expected here"),
    ("disparar CPP BD", 'line 1, column 16: the target is missing: "a B" or "at B"'),
    ("no disparar", 'line 1, column 1: the turn is missing: write "turno 3" or "turn 3" first'),
    (r'turno 3; disparar "\ud800" a B', "line 1, column 19: a value in JSON is expected here"),
    (r'turno 3; campo /fire/x="\u0000"', "line 1, column 24: a value in JSON is expected here"),
    ("turno 3; no disparar; disparar CPP BD a B", "line 1, column 23: no fire is ordered already"),
    ("turno 3; sin SAM; SAM lt-ams-1", "line 1, column 19: no anti-missile system is ordered on already"),
    ("turno 3; campo x=1", "line 1, column 16: a place begins with /"),
    ("turno 3; campo /fire/x={", "line 1, column 24: a value in JSON is expected here"),
    ('turno 3; campo /x={"a":1,"a":1}', "line 1, column 19: a key stands more than once in its object"),
    ('turno 3; disparar "CPP', "line 1, column 19: a value in JSON is expected here"),
    ("turno 3; si caigo bailar", "line 1, column 19: to stand up or to stay down is expected here"),
    ("x" * 8001, "line 1, column 8001: a text of orders has at most 8000 characters"),
]


@pytest.mark.parametrize(("text", "said"), MISTAKES, ids=range(len(MISTAKES)))
def test_what_is_not_understood_is_refused_with_line_and_column(text: str, said: str) -> None:
    with pytest.raises(OrdersInvalid) as refused:
        read(text)
    (violation,) = refused.value.violations
    assert violation.pointer == "/text" and violation.code == "text-not-understood"
    assert violation.detail.startswith(said), violation.detail


some_words = st.lists(st.sampled_from(sorted(order_words.reserved())), max_size=9).map(" ".join)


@given(st.text(max_size=60) | some_words)
def test_any_text_is_read_or_refused_and_nothing_else(text: str) -> None:
    try:
        read(text, Known(1, "B"))
    except OrdersInvalid as refused:
        assert all(v.detail.startswith("line ") for v in refused.violations)


SAME = [
    ("disparar cpp bd a b; patada pd a b", "disparar CPP BD a B; patada PD a B"),
    ("DISPARAR RA-PPC-1 CON RT-AC-20-AMMO-1 A B", "disparar ra-ppc-1 con rt-ac-20-ammo-1 a B"),
    ("disparar AMLA/20 TI a B visto por c", "disparar AMLA/20 TI a B visto por C"),
    ("no disparar; SAM LT-AMS-1 de c", "no disparar; SAM lt-ams-1 de C"),
    ("TURNO 0; DEPÓSITO LT-SRM-4-AMMO-1 8", "turno 0; depósito lt-srm-4-ammo-1 8"),
    ("turno 0; nonce " + "AB" * 32, "turno 0; nonce " + "ab" * 32),
    ("turno 0; SAM lt-ams-1", "turno 0; inicial; SAM lt-ams-1"),
    ("turno 0; sin SAM; depósito x 8", "turno 0; inicial; sin SAM; depósito x 8"),
    ("disparar AMLA 20 TI, CA 5 Ultra TD, AMCA 4 TI 2", "disparar AMLA/20 TI, CA/5 Ultra TD, AMCA/4 TI 2"),
    ("\ufeffno disparar;\u200b quieto", "no disparar; quieto"),
]


@pytest.mark.parametrize(("text", "same"), SAME, ids=range(len(SAME)))
def test_case_spaces_and_order_do_not_matter(text: str, same: str) -> None:
    """As the page says; a text in quotes is kept as it is."""
    assert read(text, Known(5, "B")).orders == read(same, Known(5, "B")).orders
    assert read('disparar "X" a "b"', Known(5)).orders["fire"]["shots"] == [{"weapon": "X", "target": "b"}]


def test_a_comment_is_no_part_of_the_orders() -> None:
    written = read("turno 8; no disparar; comentario: por favor; con cuidado\ncomment two")
    assert written.orders == {"turn": 8, "fire": {}}
    assert written.comment == "por favor; con cuidado\ntwo"


def test_turn_and_only_rival_are_known_to_the_engine() -> None:
    fight = begin(ENGINE, setup(), bytes(32))
    assert ENGINE.read_text(fight.state, "A", "inicial").orders == {"turn": 0, "initial": {}}
    shot = ENGINE.read_text(fight.state, "B", "disparar CPP BD").orders["fire"]["shots"][0]
    assert shot == {"weapon": "ra-ppc-1", "target": "A"}


def at_turn_one():
    fight = begin(ENGINE, setup(), bytes(32))
    first = {side: ENGINE.default_orders(fight.state, side) for side in "AB"}
    fight.carry_out(first, None)
    return arrange(fight.state, A={"position": "0507", "facing": 0}, B={"position": "1010"})


WAYS = [
    ("andar 0507 0506", ("F",)),
    ("andar 0506", ("F",)),
    ("andar 0606 encarar 3", ("R", "F", "R")),
    ("correr 0508", ("R", "R", "R", "F")),
    ("andar 0407", ("L", "L", "F")),
    ("andar izquierda 0406", ("L", "F")),
    ("andar encarar 6", ("L",)),
    ("correr 0506 atrás", ("F", "B")),
]


@pytest.mark.parametrize(("text", "letters"), WAYS)
def test_a_way_by_hexes_is_a_way_by_letters(text: str, letters: tuple) -> None:
    """R 4.6: turn to the next hex the shorter way and enter it; preview and legality see the same way."""
    state = at_turn_one()
    by_hexes = o.parse_orders(ENGINE.read_text(state, "A", text).orders)
    by_letters = o.Orders(1, movement=o.Movement(by_hexes.movement.mode, steps=letters))
    assert ENGINE.check(state, "A", by_hexes) == ENGINE.check(state, "A", by_letters)
    assert ENGINE.preview(state, "A", by_hexes) == ENGINE.preview(state, "A", by_letters)


def test_a_hex_that_is_not_next_is_refused_with_its_place() -> None:
    state = at_turn_one()
    orders = o.parse_orders(ENGINE.read_text(state, "A", "andar 0506 0504").orders)
    (violation,) = ENGINE.check(state, "A", orders)
    assert (violation.code, violation.pointer) == ("hex-not-next", "/movement/steps/1")


def test_a_way_by_hexes_is_carried_out_like_the_same_way_by_letters() -> None:
    state = at_turn_one()
    ends = []
    for steps in (("0507", "0506", "0606"), ("F", "R", "R", "F")):
        fight = begin(ENGINE, setup(), bytes(32))
        fight.state = state
        moves = {"A": o.Movement("run", steps=steps), "B": o.Movement()}
        fight.carry_out({side: o.Orders(1, movement=move) for side, move in moves.items()}, None)
        ends.append(fight.state.units["A"])
    assert ends[0] == ends[1]


def test_an_unknown_munition_spelled_like_a_word_stays_itself() -> None:
    twin = {"turn": 0, "initial": {"bins": {"0": ["INF"]}}}
    for language in LANGUAGES:
        assert read(write(twin, language)).orders["initial"]["bins"] == {"0": ["INF"]}


TWIN = {
    "fire": {"shots": [{"weapon": "ra-ppc-1", "target": "A"}]},
    "movement": {"mode": "walk", "steps": ["0507", "0506"], "facing": 3},
}
PASTED = {
    "as typed": "disparar CPP BD a A\nandar 0507 0506 encarar 3",
    "CRLF": "disparar CPP BD a A\r\nandar 0507 0506 encarar 3\r\n",
    "CR alone": "disparar CPP BD a A\randar 0507 0506 encarar 3",
    "line separator": "disparar CPP BD a A\u2028andar 0507 0506 encarar 3",
    "no-break spaces": "disparar\u00a0CPP BD\u202fa\u00a0A;\u00a0andar 0507 0506 encarar\u00a03",
    "unseen marks": "\ufeffdisparar CPP BD\u200b a A; an\u00addar 0507 0506 encarar 3\u2060",
    "typographic quotes": "disparar CPP BD a “A”; andar 0507 0506 encarar 3",
    "angular quotes": "disparar CPP BD a «A»; andar 0507 0506 encarar 3",
    "tabs and empty lines": "\n\n\tdisparar  CPP BD a A\n\n\n  andar 0507\t0506 encarar 3\n\n",
}


@pytest.mark.parametrize("form", PASTED)
def test_a_text_pasted_out_of_a_mail_means_what_was_typed(form: str) -> None:
    state = begin(ENGINE, setup("PNT-9R", "JVN-10N"), b"").state
    state = ENGINE.evolve(state, ev.Asking(3, "fire_and_movement"))
    assert ENGINE.read_text(state, "B", PASTED[form]).orders == {"turn": 3, **TWIN}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("> disparar CPP BD a A\n> andar 0507", "line 1, column 1"),
        ("andar 0507 0506\n\n> andar 0608", "line 3, column 1"),
        ("El lun, 3 ago 2026 a las 10:00 Ana escribió:\n> quieto", "line 1, column 1"),
        ("disparar CPP BD a A; andar 0507 0506\n0606 encarar 3", "line 2, column 1"),
        ("andar 0507\n-- \nAna", "line 2, column 1"),
    ],
)
def test_a_quoted_or_broken_line_is_no_order(text: str, place: str) -> None:
    """ML5: quoted old orders are never carried out; nothing of such a text counts."""
    state = begin(ENGINE, setup("PNT-9R", "JVN-10N"), b"").state
    state = ENGINE.evolve(state, ev.Asking(3, "fire_and_movement"))
    with pytest.raises(OrdersInvalid) as refused:
        ENGINE.read_text(state, "B", text)
    assert place in refused.value.violations[0].detail


@pytest.mark.parametrize("name", ["“A”", "a\u200bb", "«", "\u2028", "\ufeffA"])
def test_a_name_with_marks_that_a_mail_program_makes_is_not_lost(name: str) -> None:
    orders = {"turn": 3, "fire": {"shots": [{"weapon": "ra-ppc-1", "target": name}]}}
    parsed = ENGINE.parse_orders(orders)
    state = begin(ENGINE, setup("PNT-9R", "JVN-10N"), b"").state
    for language in LANGUAGES:
        again = ENGINE.read_text(state, "B", ENGINE.write_text(parsed, language)).orders
        assert ENGINE.orders_json(ENGINE.parse_orders(again)) == ENGINE.orders_json(parsed)
