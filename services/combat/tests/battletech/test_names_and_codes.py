"""Every name of an MTF file and every terrain code of a board file, by what the formats say of them.

A name must be read as the entry that its own words tell, in the words and numbers of the sheet; a code must
be played, passed over or refused with its reason.
Source: mtf-format.md section 4; boards-format.md section 3.
"""

import re

from solaris_combat.engines.battletech.board_file import BoardRefused, playable_board, read
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.mtf_names import entry_of, name_of
from solaris_combat.engines.battletech.record_sheet import DesignRefused
from solaris_combat.engines.battletech.tables import table

SHORT = {
    "ac": ("autocannon", "x"),
    "lb": ("x",),
    "rifle": ("gauss",),
    "cluster": ("cl",),
    "machine": ("mg",),
    "gun": ("mg",),
    "half": ("100", "12ton", "half"),
    "srm": ("streak",),
    "ams": ("antimissilesyst",),
    "master": ("computer",),
    "medium": ("med",),
    "ppc": ("particlecannon",),
    "tsm": ("triplestrengthmyomer",),
    "empty": ("empty",),
}
"""Words of an entry that its names may spell otherwise."""
OUTSIDE = {
    "weapons after 3058": "heavygauss|inarc|improvednarc|rotary|rac[25]",
    "torpedoes": "[ls]rt|lrv",
    "one-shot launchers": r"os|rl\d|rlauncher|rocketlauncher",
    "artillery": "arrow|longtom|sniper|thumper",
}
"""What the names say that are known and refused."""
REFUSED = {
    "blocks that move": ("elevator",),
    "bridges": ("bridge", "bridge_cf", "bridge_elev"),
    "basements": ("bldg_basement_type", "bldg_base_collapsed"),
    "beyond BMR": ("bldg_class",),
    "armoured buildings": ("bldg_armor",),
    "fuel tanks": ("fuel_tank", "fuel_tank_cf", "fuel_tank_elev", "fuel_tank_magn"),
    "improved positions": ("fortified",),
    "not a place for a duel": ("screen", "space"),
    "what burns": ("fire",),
    "smoke belongs": ("smoke",),
    "limbs": ("arms", "legs"),
    "later rules": (
        *("mud", "sand", "tundra", "planted_fields", "heavy_industrial", "snow", "ice", "rapids"),
        *("jungle", "magma", "geyser", "metal_deposit"),
    ),
}


def squeezed(text: str) -> str:
    return re.sub("[^a-z0-9]", "", text.lower())


def test_every_name_is_read_as_what_its_words_say() -> None:
    for part in ("systems", "items"):
        for entry, names in table("mtf_names")[part].items():
            for name in names:
                assert entry_of(name) == entry, name
                words = [word for word in re.split("[ -]", entry) if word != "ammo"]
                said = squeezed(name)
                assert all(any(one in said for one in (w, *SHORT.get(w, ()))) for w in words), (entry, name)
                assert ("ammo" in entry) == ("ammo" in said or "pods" in said), (entry, name)
            assert entry_of(name_of(entry, double_heat_sinks=False)) == entry


def test_a_name_outside_the_set_is_refused_for_what_it_says() -> None:
    for reason, names in table("mtf_names")["refused"].items():
        for name in names:
            assert re.search(OUTSIDE[reason], squeezed(name)), name
            assert refused_name(name) == f"{reason} are outside the league's set: {name}"
    assert set(table("mtf_names")["refused"]) == set(OUTSIDE)


def refused_name(name: str) -> str:
    try:
        entry_of(name)
    except DesignRefused as refused:
        return str(refused)
    return ""


def loaded(terrain: str) -> tuple[str, str]:
    """What is played of a hex with this terrain, and why it is refused."""
    try:
        file = read(f'size 1 1\nhex 0101 0 "{terrain}" ""\n'.encode()).file
        return playable_board(file)[0].ground(Hex(1, 1)).terrain.key, ""
    except BoardRefused as refused:
        return "", str(refused)


def test_codes_that_are_played_and_those_passed_over() -> None:
    texts = {
        "woods:1": "light_woods",
        "woods:2": "heavy_woods",
        "water:1": "water_depth_1",
        "rough:1": "rough",
        "rubble:2": "rubble",
        "pavement:1": "pavement",
        "swamp:1": "swamp",
        "road:1:9": "road",
        "building:2;bldg_cf:40;bldg_elev:1": "medium_building",
        "impassable:1": "impassable",
    }
    assert {text: loaded(text) for text in texts} == {text: (key, "") for text, key in texts.items()}
    for name in ("fluff", "bldg_fluff", "road_fluff", "ground_fluff", "water_fluff"):
        assert loaded(f"{name}:1") == ("clear", "")


def test_codes_that_are_refused_with_their_reason() -> None:
    for reason, names in REFUSED.items():
        for name in names:
            assert reason in loaded(f"{name}:1")[1], name
    every = table("terrain_codes")
    assert set(every["refused"]) == {name for names in REFUSED.values() for name in names}
    assert "unknown" in loaded("lava_lamp:1")[1]
