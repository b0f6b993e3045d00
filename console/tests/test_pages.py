"""Pages without their services, languages, the form of orders, the geometry of the board."""

import re
import string
from pathlib import Path

import pytest
from browsing import ORIGIN, token

import solaris_console
from solaris_console.app import pages
from solaris_console.draft import (
    Draft,
    Unclear,
    answer_of,
    chosen,
    command_key,
    draft_of,
    letters,
    orders_of,
    shows_all,
    with_masc,
)
from solaris_console.drawing import HEIGHT, centre, draw
from solaris_console.pages.dice import Mark, marks
from solaris_console.pages.fight import Desk, blank
from solaris_console.telling import unclear_words
from solaris_console.texts import Speech, preferred, texts

SOURCE = Path(solaris_console.__file__).parent


async def test_with_every_service_away_each_page_says_so_in_words(browse):
    for path, status in {"/": 200, "/fights": 200, "/standings": 503, "/dice": 503, "/login": 200}.items():
        answer = await browse.get(path)
        assert answer.status_code == status, path
        assert ("no responde" in answer.text) == (path != "/login")


@pytest.mark.parametrize(
    ("accepted", "spoken"),
    [
        ("", "es"),
        ("en", "en"),
        ("en-GB,es;q=0.9", "en"),
        ("fr,de", "es"),
        ("es;q=0.1,en;q=0.8", "en"),
        ("en;q=0", "es"),
        ("en;q=x", "es"),
        (";;,,", "es"),
    ],
)
def test_the_language_follows_the_browser(accepted, spoken):
    assert preferred(accepted) == spoken


def test_both_languages_say_the_same_things_with_the_same_facts():
    spanish, english = texts()["es"], texts()["en"]
    assert spanish.keys() == english.keys()
    for key, text in spanish.items():
        assert _facts(text) == _facts(english[key]), key


def _facts(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_text_that_is_used_exists_and_every_text_is_used():
    files = [*SOURCE.rglob("*.html"), *SOURCE.rglob("*.py")]
    source = "\n".join(file.read_text(encoding="utf-8") for file in files)
    used = set(re.findall(r"""(?:\bt|text)\(f?["']([a-z][a-zA-Z0-9.-]*)["'][,)]""", source))
    assert used - texts()["es"].keys() == set()
    prefixes = set(re.findall(r"""["']([a-z]+\.)["'] ~|f"([a-z]+\.)\{""", source))
    begun = tuple(one for pair in prefixes for one in pair if one)
    unused = [key for key in texts()["es"] if key not in source and not key.startswith(begun)]
    assert unused == []


def test_times_name_their_zone_and_words_fall_back_to_their_key():
    speech = Speech("es", "Europe/Madrid", {"at.CT": "torso central"})
    assert "05:06" in speech.time("2026-11-30T04:06:00Z") and "CET" in speech.time("2026-11-30T04:06:00Z")
    assert (speech.word("CT", "at."), speech.word("gyro_hit")) == ("torso central", "gyro hit")


ARENA = {
    "width": 2,
    "height": 2,
    "name": {"es": "Prueba", "en": "Trial"},
    "description": {"es": "", "en": ""},
    "hexes": {
        "0101": {"terrain": "heavy_woods", "level": 0, "depth": 0, "height": 0, "construction_factor": 0},
        "0102": {"terrain": "wall", "level": 0, "depth": 0, "height": 2, "construction_factor": 75},
        "0201": {"terrain": "water_depth_1", "level": 0, "depth": 1, "height": 0, "construction_factor": 0},
        "0202": {"terrain": "clear", "level": 0, "depth": 0, "height": 0, "construction_factor": 0},
    },
}
GROUND = {
    "wind": 3,
    "changed": {
        "0101": {"terrain": "light_woods", "level": 0, "height": 0, "construction_factor": 0},
        "0102": {"terrain": "wall", "level": 0, "height": 2, "construction_factor": 61},
    },
    "fires": {"0101": {"until": None}},
    "smoke": ["0101", "0202"],
    "turrets": {"0202": {"kind": "laser", "armor": 8, "salvoes": None}},
    "mines": ["0202"],
}


def test_the_board_shows_what_has_come_up_and_changed():
    """As picture and as text: woods cleared, a wall weaker, fire, smoke, a turret, mines, the wind."""
    bare, now = draw(ARENA, None), draw(ARENA, {"sides": {}, "ground": GROUND})
    before, after = ({one.name: one for one in board.tiles} for board in (bare, now))
    assert (before["0101"].terrain, after["0101"].terrain) == ("heavy_woods", "light_woods")
    assert (before["0102"].factor, after["0102"].factor) == (75, 61)
    assert after["0101"].marks == ("fire", "smoke") and after["0202"].marks == ("smoke", "turret", "mines")
    assert (bare.marks, now.marks) == ((), ("fire", "smoke", "turret", "mines"))
    assert after["0201"].terrain == "water" and not after["0202"].plain and before["0202"].plain
    board = pages().get_template("board.html").module
    for speech in (Speech("es", words={"wall": "muro"}), Speech("en")):
        picture = board.picture(speech, now, "x")
        for shape in ("flame", "cloud", "gun", "mine", "brick"):
            assert f'href="#{shape}"' in picture, shape
        words = board.words(speech, ARENA, [], now)
        for text in ("mark.fire", "mark.smoke", "mark.turret", "mark.mines"):
            assert speech.text(text) in words, text
        assert speech.text("board.wind", side=3) in words and "61" in words
        assert 'flame"/></g>' not in board.picture(speech, bare, "x")


def test_hexes_lie_as_printed():
    """Flat-topped; an even column is half a hex lower than the odd one before it."""
    assert centre("0102")[1] - centre("0101")[1] == pytest.approx(HEIGHT, abs=0.2)
    assert centre("0201")[1] - centre("0101")[1] == pytest.approx(HEIGHT / 2, abs=0.2)
    assert centre("0301")[1] == centre("0101")[1]
    assert centre("0301")[0] - centre("0101")[0] == 120.0


REACH = [
    {"hex": "0506", "facing": 1, "mp": 1, "hexes": 1, "steps": "F"},
    {"hex": "0506", "facing": 2, "mp": 2, "hexes": 1, "steps": "FR"},
]
MOVEMENT = {
    "modes": {
        "walk": {"mp": 4, "reach": REACH},
        "jump": {"mp": 4, "reach": [{"hex": "0505", "mp": 2, "path": ["0506", "0505"]}]},
    }
}
FIRE = {"twists": [{"twist": 0, "weapons": [{"weapon": "ra-ppc-1"}, {"weapon": "ct-srm-4-1"}]}]}
BOTH = {"turn": 3, "kind": "fire_and_movement", "fire": FIRE, "movement": MOVEMENT}


def test_the_form_becomes_the_orders_of_the_reference():
    form = Draft(
        {
            "twist": "-1",
            "fire-ct-srm-4-1": "B",
            "bin-ct-srm-4-1": "b1",
            "go": "walk:0506",
            "facing": "2",
            "if-fallen": "1",
        }
    )
    assert orders_of(form, BOTH) == {
        "turn": 3,
        "fire": {"twist": -1, "shots": [{"weapon": "ct-srm-4-1", "target": "B", "bin": "b1"}]},
        "movement": {"mode": "walk", "steps": ["F", "R"], "if_fallen": {"attempts": 1, "steps": []}},
    }
    jump = orders_of(Draft({"go": "jump:0505", "facing": ""}), BOTH)["movement"]
    assert jump == {"mode": "jump", "path": ["0506", "0505"], "facing": None}
    assert orders_of(Draft({}), BOTH)["movement"] == {"mode": "stand"}
    assert orders_of(Draft({"go": "run:", "steps": "f f, l"}), BOTH)["movement"] == {
        "mode": "run",
        "steps": ["F", "F", "L"],
    }


def test_physical_attacks_and_aimed_shots_are_orders_too():
    kick = {"attack": "kick", "limb": "RL", "target": "B", "holds_fire": ["RL"], "damage": 7}
    push = {"attack": "push", "limb": None, "target": "B", "holds_fire": [], "damage": 0}
    fire = {"twists": [{**FIRE["twists"][0], "physical": [kick, push]}]}
    form = Draft(
        {"fire-ra-ppc-1": "B", "aim-ra-ppc-1": "HD", "strike-kick-RL-B": "B", "strike-push-body": ""}
    )
    orders = orders_of(form, {"turn": 8, "kind": "fire", "fire": fire})
    assert orders["fire"]["physical"] == [{"attack": "kick", "limb": "RL", "target": "B"}]
    assert orders["fire"]["shots"] == [{"weapon": "ra-ppc-1", "target": "B", "bin": None, "aim": "HD"}]
    assert orders_of(draft_of(orders), {"turn": 8, "kind": "fire", "fire": fire}) == orders


def test_orders_that_were_sealed_fill_the_form_again():
    orders = orders_of(
        Draft({"go": "walk:0506", "facing": "2", "fire-ra-ppc-1": "B", "if-fallen": "0"}), BOTH
    )
    assert orders_of(draft_of(orders), BOTH) == orders
    initial = {"turn": 0, "initial": {"bins": [{"id": "b", "holds": 9}], "rounds_at_most": {}}}
    sealed = {"turn": 0, "initial": {"nonce": "0" * 64, "bins": {"b": 4}, "auto_eject": True}}
    assert orders_of(draft_of(sealed), initial) == sealed


@pytest.mark.parametrize(
    ("form", "key"),
    [
        ({"go": "walk:0101"}, "not-reached"),
        ({"go": "walk:0506", "facing": "4"}, "facing-not-reached"),
        ({"go": "walk:", "steps": "FXF"}, "no-such-step"),
        ({"twist": "9"}, "not-a-number"),
        ({"go": "walk:0506", "if-fallen": "x"}, "not-a-number"),
        ({"steps": "F" * 65}, "no-such-step"),
    ],
)
def test_what_the_form_does_not_say_is_asked_for_in_words(form, key):
    with pytest.raises(Unclear) as unclear:
        orders_of(Draft(form), BOTH)
    assert unclear.value.key == key
    for language in ("es", "en"):
        assert Speech(language).text(f"unclear.{key}", **unclear.value.facts)


def test_the_cheapest_way_is_taken():
    assert chosen(MOVEMENT, "walk", "0506", "")["mp"] == 1
    assert letters(" f,L - r ") == ["F", "L", "R"]
    assert answer_of(Draft({"attempts": "2", "steps": "f"}), 4) == {
        "turn": 4,
        "answers": [{"attempts": 2, "steps": ["F"]}],
    }


def test_the_same_form_is_one_command_and_other_orders_another():
    assert command_key("k", {"a": 1, "b": 2}) == command_key("k", {"b": 2, "a": 1})
    assert command_key("k", {"a": 1}) != command_key("k", {"a": 2})


FIGHT_ID = "6b0e2c9e-7d4f-4d0a-9f0e-2a5f1c3b4d5e"
QUESTION = {
    "turn": 4,
    "kind": "fallen",
    "facts": {"fall": 1, "hex": "0708", "steps_left_out": 2},
    "options": {
        "turn": 4,
        "kind": "fallen",
        "recovery": {
            "hex": "0708",
            "facing": 2,
            "mode": "walk",
            "mp": {"used": 2, "left": 4, "walk": 6, "run": 9},
            "stand_up_mp": 2,
            "attempts_at_most": 2,
            "number": 5,
            "modifiers": [{"value": 5, "reason": "piloting skill", "rule": "BMR"}],
        },
    },
}


async def test_the_private_question_is_asked_and_answered(browse, answers):
    """The question has the form of docs/reference/orders-solaris7-1.md."""
    side = {"side": "A", "name": "Ana", "model": "PNT-9R"}
    fight = {
        "fight_id": FIGHT_ID,
        "round": 1,
        "kind": "ranking",
        "class": 3,
        "arena": "quay",
        "turns": 8,
        "state": "open",
        "sides": [side, side | {"side": "B", "name": "Ben"}],
        "game": None,
        "result": None,
        "request": {"turn": 3, "kind": "fire_and_movement"},
        "deadline": "2026-12-02T03:00:00Z",
        "you": {
            "side": "A",
            "asked": {"turn": 3, "kind": "fire_and_movement"},
            "sealed": None,
            "question": QUESTION,
        },
    }
    receipt = {
        "receipt": "ab" * 32,
        "commitment": "ab" * 32,
        "request": {"turn": 4, "kind": "fire_and_movement"},
        "sealed_at": "2026-11-30T04:00:00Z",
    }
    answers(
        {
            "/v1/sessions": {"token": "t", "renewal": "r", "expires_in": 900},
            f"/v1/fights/{FIGHT_ID}": fight,
            f"/v1/fights/{FIGHT_ID}/orders": receipt,
        }
    )
    own, headers = token((await browse.get("/login")).text), {"Origin": ORIGIN}
    await browse.post("/login", data={"csrf": own, "handle": "ana", "password": "x"}, headers=headers)
    page = (await browse.get(f"/fights/{FIGHT_ID}")).text
    assert "Te has caído" in page and page.count('name="attempts"') == 3 and "piloting skill" in page
    form = {"csrf": token(page), "key": "k", "attempts": "9", "steps": "X"}
    wrong = await browse.post(f"/fights/{FIGHT_ID}/answer", data=form, headers=headers)
    assert wrong.status_code == 422 and "«X» no es un paso" in wrong.text
    right = await browse.post(f"/fights/{FIGHT_ID}/answer", data=form | {"steps": "F"}, headers=headers)
    assert right.headers["location"] == f"/fights/{FIGHT_ID}/receipt"
    assert "ab" * 32 in (await browse.get(f"/fights/{FIGHT_ID}/receipt")).text


def test_the_form_shows_physical_attacks_with_their_numbers():
    number = {
        "possible": True,
        "number": 6,
        "modifiers": [],
    }
    kick = {"attack": "kick", "limb": "RL", "target": "B", "holds_fire": ["RL"], "damage": 7} | number
    push = {
        "attack": "push",
        "limb": None,
        "target": "B",
        "holds_fire": [],
        "damage": 0,
        "possible": False,
        "reason": "out of range",
    }
    gun = {
        "weapon": "ra-ppc-1",
        "name": "ppc",
        "location": "RA",
        "heat": 10,
        "damage": 10,
        "rack": 0,
        "bins": [],
        "needs_ammunition": False,
        "targets": [{"target": "B"} | number],
    }
    twists = [{"twist": 0, "weapons": [gun], "physical": [kick, push]}]
    fire = {
        "able": True,
        "one_arm_only": False,
        "bins": [],
        "twists": twists,
        "aim_at": ["HD", "CT"],
        "heat": {"now": 0, "built": 0, "sinks": 10},
    }
    desk = Desk({"turn": 8, "kind": "fire", "fire": fire}, Draft({"strike-kick-RL-B": "B"}), "k")
    text = pages().get_template("orders.html").module.fire(Speech("es"), desk, {"B": "Ben"})
    assert 'name="strike-kick-RL-B" value="B" checked' in text and 'name="strike-push-body-B"' in text
    assert 'name="aim-ra-ppc-1"' in text and "6+" in text and "out of range" in text


STORE = {"id": "lt-lrm-5-ammo-1", "ammunition": "lrm-5", "holds": 8, "munition": "normal", "mixed": True,
         "munitions": [{"munition": "normal", "at_most": 8, "price": 0, "hot": True},
                       {"munition": "heat-seeking", "at_most": 2, "price": 5000, "hot": False}]}  # fmt: skip
LOADING = {"turn": 0, "kind": "initial", "initial": {"bins": [STORE], "rounds_at_most": {"lrm-5": 8}}}


def test_a_belt_is_runs_of_salvoes_in_firing_order():
    name = STORE["id"]
    plain = Draft({f"load-{name}": "5"})
    assert orders_of(plain, LOADING)["initial"]["bins"] == {name: 5}
    form = {f"load-{name}": "2", f"kind-{name}": "normal", f"load-{name}-2": "1"}
    form |= {f"kind-{name}-2": "heat-seeking", f"load-{name}-3": "1", f"kind-{name}-3": "normal hot"}
    orders = orders_of(Draft(form), LOADING)
    assert orders["initial"]["bins"] == {name: ["normal", "normal", "heat-seeking", "normal hot"]}
    assert orders_of(draft_of(orders), LOADING)["initial"]["bins"] == orders["initial"]["bins"]
    with pytest.raises(Unclear):
        orders_of(Draft(form | {f"load-{name}-2": "many"}), LOADING)
    words = {
        "munition.heat-seeking": "termoguiada",
        "munition.hot": "en caliente",
        "munition.normal": "normal",
    }
    desk = Desk(LOADING, Draft(form), "k")
    text = (
        pages()
        .get_template("orders.html")
        .module.initial(Speech("es", words=words), desk, {"A": "Ana", "B": "Ben"})
    )
    assert '<option value="heat-seeking" selected>termoguiada (5.000' in text
    assert '<option value="normal hot" selected>normal (en caliente)' in text


def test_ways_of_firing_several_targets_and_words_reach_the_orders():
    form = {"fire-ra-ppc-1": "B", "target-ra-ppc-1": "C", "mode-ra-ppc-1": "double", "comment": "Por favor."}
    orders = orders_of(Draft(form), {"turn": 3, "kind": "fire", "fire": FIRE})
    assert orders["fire"]["shots"] == [{"weapon": "ra-ppc-1", "target": "C", "bin": None, "mode": "double"}]
    assert orders["comment"] == "Por favor."
    assert orders_of(draft_of(orders), {"turn": 3, "fire": FIRE})["fire"] == orders["fire"]
    text = Draft(form | {"text": "Turno 3"})
    assert orders_of(text, BOTH) == {"text": "Turno 3", "comment": "Por favor."}


AMS = {"systems": [{"ams": "ct-ams-1", "location": "CT", "works": True, "on": True, "launcher": None}],
       "rounds": 12, "launchers": {"B": ["rt-lrm-15-1"]}}  # fmt: skip


def test_anti_missile_systems_and_clubs_are_ordered_by_the_form():
    offered = {**FIRE, "ams": AMS, "clubs": [{"kind": "tree", "number": 7}]}
    options = {"turn": 3, "kind": "fire", "fire": offered}
    form = {"ams-ct-ams-1": "on", "against-ct-ams-1": "B rt-lrm-15-1", "pick-up": "tree"}
    orders = orders_of(Draft(form), options)
    assert orders["fire"]["ams"] == [{"ams": "ct-ams-1", "launcher": "rt-lrm-15-1", "side": "B"}]
    assert orders["fire"]["pick_up"] == "tree"
    assert orders_of(draft_of(orders), options) == orders
    assert orders_of(Draft({}), options)["fire"]["ams"] == []
    assert blank(options).get("ams-ct-ams-1") == "on", "nobody goes without by forgetting a box"
    text = (
        pages()
        .get_template("orders.html")
        .module.ams(Speech("es"), Desk(options, Draft(form), "k"), offered, {"B": "Ben"})
    )
    assert 'value="B rt-lrm-15-1" selected' in text


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ({"ways": [{"hex": "0507", "level": 0}, {"hex": "0508", "level": 1}]}, 'name="hex" value="0508"'),
        ({"something": "new"}, "por la API"),
    ],
)
def test_a_question_of_another_kind_is_shown_too(options, shown):
    asked = {"kind": "way_out", "turn": 4, "facts": {"hex": "0506"}, "options": options}
    answer = {"draft": Draft(), "complaints": ()}
    macro = pages().get_template("orders.html").module.question
    assert shown in macro(Speech("es"), asked, answer, {"fight_id": "f"}, "c", "k")
    assert answer_of(Draft({"hex": "0508"}), 4) == {"turn": 4, "answers": [{"hex": "0508"}]}


def test_masc_ejection_and_side_steps_are_movements_too():
    masc = {
        "mp": 8,
        "fails_at_or_below": 2,
        "reach": [{"hex": "0509", "facing": 1, "mp": 8, "steps": "FFFF"}],
    }
    options = with_masc({"turn": 1, "kind": "movement", "movement": {**MOVEMENT, "masc": masc}})
    run = {"mode": "run", "masc": True, "steps": ["F"] * 4}
    assert orders_of(Draft({"go": "masc:0509"}), options)["movement"] == run
    assert orders_of(draft_of({"movement": run}), options)["movement"] == run
    assert orders_of(Draft({"go": "eject"}), options)["movement"] == {"mode": "eject"}
    assert draft_of({"movement": {"mode": "eject"}}).get("go") == "eject"
    aside = orders_of(Draft({"go": "walk:", "steps": "q e z c"}), options)["movement"]
    assert aside == {"mode": "walk", "steps": ["Q", "E", "Z", "C"]}


def test_what_to_do_after_a_fall_is_said_for_a_jump_too():
    orders = orders_of(Draft({"go": "jump:0505", "facing": "2", "if-fallen": "1"}), BOTH)
    assert orders["movement"]["if_fallen"] == {"attempts": 1, "steps": []}
    assert orders_of(draft_of(orders), BOTH) == orders


@pytest.mark.parametrize(
    "movement",
    [
        {"mode": "stand", "hex": "0506", "facing": 1, "mp": 0},
        {"mode": "eject", "number": 5},
        {
            "mode": "walk",
            "hex": "0506",
            "facing": 1,
            "mp": 3,
            "mp_available": 4,
            "hexes": 2,
            "rolls": ["rubble"],
        },
    ],
)
def test_every_movement_has_its_preview(movement):
    seen = {"legal": True, "preview": {"movement": movement}}
    desk = Desk({"turn": 1, "kind": "movement", "movement": MOVEMENT}, Draft(), "k", preview=seen)
    text = pages().get_template("orders.html").module.preview(Speech("es"), desk, {"A": "Ana", "B": "Ben"})
    assert Speech("es").text(f"mode.{movement['mode']}") in text
    assert ("rubble" in text) == ("rolls" in movement)


def test_arms_may_be_flipped_to_the_rear():
    options = {"turn": 3, "kind": "fire", "fire": FIRE}
    orders = orders_of(Draft({"twist": "1f"}), options)
    assert orders["fire"] == {"twist": 1, "shots": [], "flip_arms": True}
    assert orders_of(draft_of(orders), options) == orders
    with pytest.raises(Unclear):
        orders_of(Draft({"twist": "2f"}), options)


def test_sealed_orders_that_the_form_cannot_show_are_not_lost_unseen():
    options = {"turn": 3, "kind": "fire", "fire": FIRE}
    rest = {"aim": None, "mode": None, "hex": None, "intent": None}
    shot = {"weapon": "ra-ppc-1", "target": "B", "bin": None} | rest
    plain = {"turn": 3, "fire": {"twist": 0, "shots": [shot], "physical": [], "ams": [], "flip_arms": False}}
    assert shows_all(draft_of(plain), options, plain)
    other = {"turn": 3, "fire": {"twist": 0, "shots": [shot], "something_new": "x"}}
    assert not shows_all(draft_of(other), options, other)


@pytest.mark.parametrize(
    ("fields", "shot"),
    [
        ({"hex": "0506", "intent": "clear"}, {"target": None, "hex": "0506", "intent": "clear"}),
        ({"hex": "0506"}, {"target": None, "hex": "0506", "intent": None}),
        ({"hex": "0506", "intent": "air"}, {"target": None, "hex": "0506", "intent": None}),
        ({"intent": "air", "target": "B"}, {"target": None}),
        ({"spotter": "C"}, {"target": "B", "spotter": "C"}),
        ({"second_bin": "b2", "mode": "double"}, {"target": "B", "mode": "double", "second_bin": "b2"}),
        ({"aim": "HD", "computer": "on"}, {"target": "B", "aim": "HD", "computer": True}),
    ],
)
def test_hexes_spotters_and_targeting_computers_are_ordered_by_the_form(fields, shot):
    """What is missing is combat's to say: a hex without a purpose is refused there, with its place."""
    options = {"turn": 3, "kind": "fire", "fire": FIRE}
    form = {"fire-ra-ppc-1": "B", **{f"{name}-ra-ppc-1": said for name, said in fields.items()}}
    orders = orders_of(Draft(form), options)
    assert orders["fire"]["shots"] == [{"weapon": "ra-ppc-1", "bin": None} | shot]
    again = draft_of(orders)
    if shot.get("intent") or not shot.get("hex"):
        assert shows_all(again, options, orders)


def test_blows_at_what_stands_in_a_hex_and_a_second_bin_are_offered_and_ordered():
    kick = {"attack": "kick", "limb": "RL", "target": "0506", "holds_fire": ["RL"]}
    gun = {
        "weapon": "rt-ac-5-1", "name": "AC/5", "location": "RT", "heat": 1, "damage": 5, "rack": 0,
        "bins": ["b1", "b2"], "needs_ammunition": True, "modes": [{"mode": "double", "rounds": 2, "heat": 2}],
        "targets": [{"target": "B", "possible": False, "reason": "out of range"}],
    }  # fmt: skip
    bins = [{"id": f"b{n}", "shots": 3, "next": "normal"} for n in (1, 2)]
    fire = {
        "able": True,
        "one_arm_only": False,
        "bins": bins,
        "twists": [{"twist": 0, "weapons": [gun], "physical": [], "ground_blows": [kick]}],
        "heat": {"now": 0, "built": 0, "sinks": 10},
    }
    options, form = {"turn": 8, "kind": "fire", "fire": fire}, Draft({"strike-kick-RL-0506": "0506"})
    orders = orders_of(form, options)
    assert orders["fire"]["physical"] == [{"attack": "kick", "limb": "RL", "target": "0506"}]
    assert shows_all(draft_of(orders), options, orders)
    text = (
        pages().get_template("orders.html").module.fire(Speech("es"), Desk(options, form, "k"), {"B": "Ben"})
    )
    for part in ('value="0506" checked', "acierta sin tirada", 'name="second_bin-rt-ac-5-1"'):
        assert part in text, part


def test_the_form_offers_hexes_spotters_and_the_targeting_computer():
    number = {"possible": True, "number": 8, "modifiers": []}
    blind = {"target": "B", "possible": False, "reason": "out of range"}
    gun = {
        "weapon": "ra-lrm-15-1", "name": "LRM 15", "location": "RA", "heat": 5, "damage": 1, "rack": 15,
        "bins": [], "needs_ammunition": False, "aims_by_computer": True, "hexes": [],
        "targets": [blind | {"indirect": [{"spotter": "C", **number}]}],
    }  # fmt: skip
    fire = {
        "able": True,
        "one_arm_only": False,
        "bins": [],
        "ground": [{"hex": "0506", "intents": ["ignite", "clear"], "distance": 3}],
        "twists": [{"twist": 0, "weapons": [gun], "physical": []}],
        "aim_at": [],
        "heat": {"now": 0, "built": 0, "sinks": 10},
    }
    form = {"fire-ra-lrm-15-1": "B", "hex-ra-lrm-15-1": "0506", "intent-ra-lrm-15-1": "clear"}
    shown = {
        "weapon": "ra-lrm-15-1",
        "target": None,
        "hex": "0506",
        "intent": "clear",
        "mode": None,
        "number": 4,
    }
    heat = {"now": 0, "built": 0, "sinks": 10, "fired": 5, "after_at_least": 0}
    seen = {"legal": True, "preview": {"fire": {"shots": [shown], "physical": [], "heat": heat}}}
    names = {"A": "Ana", "B": "Ben", "C": "Cai"}
    desk = Desk({"turn": 8, "kind": "fire", "fire": fire}, Draft(form), "k", preview=seen)
    module = pages().get_template("orders.html").module
    text = module.fire(Speech("es"), desk, names)
    for part in (
        '<option value="0506">para incendiar, para despejar</option>',
        'name="hex-ra-lrm-15-1" value="0506"',
        '<option value="clear" selected>para despejar',
        'name="computer-ra-lrm-15-1"',
        '<option value="C" >Cai: Ben 8+</option>',
        '<option value="HD" >',
        '<details class="small elsewhere" open>',
    ):
        assert part in text, part
    assert "→ 0506, para despejar 4+" in module.preview(Speech("es"), desk, names)


WHO = "00000000-0000-4000-8000-000000000001"
PLAYER = {"mechwarrior_id": WHO, "person_id": "p-ana", "name": "Íñigo <O'Núñez>", "class": 3}


def statistics(ones: int) -> dict:
    """Of six faces, the first as often as given."""
    rows = [
        {"value": value, "count": count, "expected": 20.0, "band": [9, 34], "inside": 9 <= count <= 34}
        for value, count in zip(range(1, 7), (ones, 20, 21, 19, 20, 20), strict=True)
    ]
    outside = [row["value"] for row in rows if not row["inside"]]
    table = {"rolled": 120, "percent": 95, "compared": 6, "outside": outside, "values": rows}
    return {"faces": table, "totals": {**table, "rolled": 0, "compared": 11, "outside": []}}


@pytest.mark.parametrize(
    ("language", "ones", "said"),
    [
        ("es", 20, "Las 6 cifras están dentro de su banda"),
        ("es", 40, "El 1 salió 40 veces, más que su banda de 9 a 34. A unos dados honrados"),
        ("es", 3, "El 1 salió 3 veces, menos que su banda de 9 a 34."),
        ("en", 40, "1 came 40 times, more than its band of 9 to 34. Honest dice do so"),
    ],
)
async def test_the_dice_of_a_player_say_in_words_whether_they_stay_in_their_bands(
    browse, answers, language, ones, said
):
    answers({"/v1/dice/statistics": statistics(ones), f"/v1/mechwarriors/{WHO}": PLAYER})
    page = await browse.get(f"/dice?mechwarrior={WHO}&month=2026-11", headers={"Accept-Language": language})
    assert page.status_code == 200
    assert said in page.text and "Íñigo &lt;O&#39;Núñez&gt;" in page.text
    assert page.text.count('<tr><th scope="row">') == 12 and 'value="2026-11"' in page.text


async def test_of_few_dice_the_page_says_that_they_prove_little(browse, answers):
    """Where every band reaches down to zero."""
    found = statistics(20)
    for row in found["faces"]["values"]:
        row["band"] = [0, 34]
    answers({"/v1/dice/statistics": found})
    assert "pero 120 tiradas son pocas" in (await browse.get("/dice")).text


async def test_the_dice_of_the_league_are_in_the_menu(browse, answers):
    answers({"/v1/dice/statistics": statistics(20)})
    page = await browse.get("/dice?month=2026-13&mechwarrior=../x")
    assert page.status_code == 200 and "Los dados de la liga" in page.text and 'value=""' in page.text
    assert '<a href="/dice" aria-current="page">' in page.text
    assert (await browse.get(f"/dice?mechwarrior={WHO}")).status_code == 404


def test_a_row_is_drawn_to_the_scale_of_its_table():
    assert marks(statistics(40)["faces"])[0] == Mark(22.5, 85.0, 50.0, 100.0)
    assert marks({"values": [{"band": [0, 0], "expected": 0.0, "count": 0}]})[0] == Mark(0, 0, 0, 0)


def test_the_list_of_fights_calls_an_arena_by_its_own_name():
    fight = {"fight_id": "f", "round": 1, "class": 4, "arena": "jungle", "sides": [], "state": "open"}
    fight |= {"result": None, "deadline": None}
    card = pages().get_template("parts.html").module.fightcard
    assert " La Jungla</span>" in card(Speech("es", words={"arena.jungle": "La Jungla"}), fight)
    assert " Old Pit</span>" in card(Speech("es"), {**fight, "arena": "old-pit"})


@pytest.mark.parametrize(
    ("fields", "spanish", "english"),
    [
        ({"fire": "B", "intent": "clear"}, "falta el hexágono al que dispara", "the hex it fires at is miss"),
        ({"hex": "0506", "intent": "clear"}, "el arma no está marcada", "the weapon is not ticked"),
        ({"intent": "air"}, "el arma no está marcada", "the weapon is not ticked"),
    ],
)
def test_a_half_filled_shot_at_a_hex_is_told(fields, spanish, english):
    form = {f"{name}-ra-ppc-1": said for name, said in fields.items()}
    with pytest.raises(Unclear) as unclear:
        orders_of(Draft(form), {"turn": 3, "kind": "fire", "fire": FIRE})
    for language, said in (("es", spanish), ("en", english)):
        words = unclear_words(Speech(language, words={"ppc": "CPP", "at.RA": "RA"}), unclear.value)
        assert words.startswith("CPP (RA): ") and said in words
