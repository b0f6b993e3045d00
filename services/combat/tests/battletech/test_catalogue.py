"""Record sheets and weapons: figures written out again, and every design valid by the construction rules."""

import pytest
from duels import ENGINE, setup
from league_models import COMPUTED, LISTED

from solaris_combat.engines.battletech import construction
from solaris_combat.engines.battletech.catalogue import (
    CATALOGUE,
    DESIGNS,
    NOT_PLAYED,
    SHEETS,
    DesignRefused,
    design_from,
    slot_count,
)
from solaris_combat.engines.battletech.equipment import EQUIPMENT
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.playable import not_played
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.weapons import AMMUNITION, WEAPONS
from solaris_combat.engines.contract import SetupRefused
from solaris_combat.engines.frozen import replace

# Name: heat, damage, minimum, short, medium, long, missiles, missiles in a group, half tons, slots.
FIGURES = {
    "flamer": (3, 2, 0, 1, 2, 3, 0, 1, 2, 1),
    "small-laser": (1, 3, 0, 1, 2, 3, 0, 1, 1, 1),
    "medium-laser": (3, 5, 0, 3, 6, 9, 0, 1, 2, 1),
    "large-laser": (8, 8, 0, 5, 10, 15, 0, 1, 10, 2),
    "ppc": (10, 10, 3, 6, 12, 18, 0, 1, 14, 3),
    "er-ppc": (15, 10, 0, 7, 14, 23, 0, 1, 14, 3),
    "er-large-laser": (12, 8, 0, 7, 14, 19, 0, 1, 10, 2),
    "er-medium-laser": (5, 5, 0, 4, 8, 12, 0, 1, 2, 1),
    "er-small-laser": (2, 3, 0, 2, 4, 5, 0, 1, 1, 1),
    "large-pulse-laser": (10, 9, 0, 3, 7, 10, 0, 1, 14, 2),
    "medium-pulse-laser": (4, 6, 0, 2, 4, 6, 0, 1, 4, 1),
    "small-pulse-laser": (2, 3, 0, 1, 2, 3, 0, 1, 2, 1),
    "vehicle-flamer": (3, 2, 0, 1, 2, 3, 0, 1, 1, 1),
    "ac-2": (1, 2, 4, 8, 16, 24, 0, 1, 12, 1),
    "ac-5": (1, 5, 3, 6, 12, 18, 0, 1, 16, 4),
    "ac-10": (3, 10, 0, 5, 10, 15, 0, 1, 24, 7),
    "ac-20": (7, 20, 0, 3, 6, 9, 0, 1, 28, 10),
    "machine-gun": (0, 2, 0, 1, 2, 3, 0, 1, 1, 1),
    "lb-2-x-ac": (1, 2, 4, 9, 18, 27, 0, 1, 12, 4),
    "lb-5-x-ac": (1, 5, 3, 7, 14, 21, 0, 1, 16, 5),
    "lb-10-x-ac": (2, 10, 0, 6, 12, 18, 0, 1, 22, 6),
    "lb-20-x-ac": (6, 20, 0, 4, 8, 12, 0, 1, 28, 11),
    "gauss-rifle": (1, 15, 2, 7, 15, 22, 0, 1, 30, 7),
    "light-gauss-rifle": (1, 8, 3, 8, 17, 25, 0, 1, 24, 5),
    "ultra-ac-2": (1, 2, 3, 8, 17, 25, 0, 1, 14, 3),
    "ultra-ac-5": (1, 5, 2, 6, 13, 20, 0, 1, 18, 5),
    "ultra-ac-10": (4, 10, 0, 6, 12, 18, 0, 1, 26, 7),
    "ultra-ac-20": (8, 20, 0, 3, 7, 10, 0, 1, 30, 10),
    "lrm-5": (2, 1, 6, 7, 14, 21, 5, 5, 4, 1),
    "lrm-10": (4, 1, 6, 7, 14, 21, 10, 5, 10, 2),
    "lrm-15": (5, 1, 6, 7, 14, 21, 15, 5, 14, 3),
    "lrm-20": (6, 1, 6, 7, 14, 21, 20, 5, 20, 5),
    "srm-2": (2, 2, 0, 3, 6, 9, 2, 1, 2, 1),
    "srm-4": (3, 2, 0, 3, 6, 9, 4, 1, 4, 1),
    "srm-6": (4, 2, 0, 3, 6, 9, 6, 1, 6, 2),
    "streak-srm-2": (2, 2, 0, 3, 6, 9, 2, 1, 3, 1),
    "streak-srm-4": (3, 2, 0, 3, 6, 9, 4, 1, 6, 1),
    "streak-srm-6": (4, 2, 0, 3, 6, 9, 6, 1, 9, 2),
    "mrm-10": (4, 1, 0, 3, 8, 15, 10, 5, 6, 2),
    "mrm-20": (6, 1, 0, 3, 8, 15, 20, 5, 14, 3),
    "mrm-30": (10, 1, 0, 3, 8, 15, 30, 5, 20, 5),
    "mrm-40": (12, 1, 0, 3, 8, 15, 40, 5, 24, 7),
    "narc": (0, 0, 0, 3, 6, 9, 0, 1, 6, 2),
}
WATER = {
    "small-laser": (1, 2, 2),
    "medium-laser": (2, 4, 6),
    "large-laser": (3, 6, 9),
    "ppc": (4, 7, 10),
    "er-ppc": (4, 10, 16),
    "er-large-laser": (3, 9, 12),
    "er-medium-laser": (3, 5, 8),
    "er-small-laser": (1, 2, 3),
    "large-pulse-laser": (2, 5, 7),
    "medium-pulse-laser": (2, 3, 4),
    "small-pulse-laser": (1, 2, 2),
}
EXPLOSIONS = {"gauss-rifle": 20, "light-gauss-rifle": 16}
ROUNDS = {
    "vehicle-flamer": (20, 2),
    "ac-2": (45, 2),
    "ac-5": (20, 5),
    "ac-10": (10, 10),
    "ac-20": (5, 20),
    "machine-gun": (200, 2),
    "lb-2-x-ac": (45, 2),
    "lb-5-x-ac": (20, 5),
    "lb-10-x-ac": (10, 10),
    "lb-20-x-ac": (5, 20),
    "gauss-rifle": (8, 0),
    "light-gauss-rifle": (16, 0),
    "ultra-ac-2": (45, 2),
    "ultra-ac-5": (20, 5),
    "ultra-ac-10": (10, 10),
    "ultra-ac-20": (5, 20),
    "lrm-5": (24, 5),
    "lrm-10": (12, 10),
    "lrm-15": (8, 15),
    "lrm-20": (6, 20),
    "srm-2": (50, 4),
    "srm-4": (25, 8),
    "srm-6": (15, 12),
    "streak-srm-2": (50, 4),
    "streak-srm-4": (25, 8),
    "streak-srm-6": (15, 12),
    "mrm-10": (24, 10),
    "mrm-20": (12, 20),
    "mrm-30": (8, 30),
    "mrm-40": (6, 40),
    "narc": (6, 2),
}


def test_weapons_and_ammunition() -> None:
    for key, facts in FIGURES.items():
        w = WEAPONS[key]
        ranges = (w.minimum, w.short, w.medium, w.long)
        assert (w.heat, w.damage, *ranges, w.rack, w.group, w.half_tons, w.slots) == facts, key
        assert w.to_hit == (-2 if "pulse" in key else 1 if "mrm" in key else 0), key
        kind = "streak" if "streak" in key else "missile" if w.rack else ""
        kind = "beacon" if key == "narc" else kind
        assert w.kind == (kind or ("ballistic" if w.ammunition else "energy")), key
        assert w.water == WATER.get(key), key
        assert w.modes == (("double",) if "ultra" in key else ("heat",) if "flamer" in key else ()), key
        assert w.ammunition == (key if key in ROUNDS else ""), key
        assert w.explosion == EXPLOSIONS.get(key, 0), key
    plain = {key: (ammo.shots, ammo.damage) for key, ammo in AMMUNITION.items() if key in WEAPONS}
    assert plain == {key: facts for key, facts in ROUNDS.items() if key in WEAPONS}
    assert set(WEAPONS) == set(FIGURES)


def test_ammunition_that_is_not_a_weapons_own() -> None:
    """Pellets of an LB-X have the rounds of its slugs; guided missiles those of plain ones."""
    for key, ammo in AMMUNITION.items():
        if key in WEAPONS:
            own_kind = "slug" if key.startswith("lb-") else "normal"
            assert (ammo.base, ammo.munition) == ("", own_kind)
            continue
        if key == "ams":
            assert (ammo.shots, ammo.damage) == (12, 2)
        else:
            own = AMMUNITION[key.rpartition("-")[0]]
            assert (ammo.base, ammo.munition) == (own.key, key.rpartition("-")[2])
            assert (ammo.shots, ammo.damage) == (own.shots, own.damage)
        assert not ammo.not_played


@pytest.mark.parametrize("model", sorted(LISTED))
def test_every_sheet_of_the_league(model: str) -> None:
    """All 67: legal, at full weight, with the figures of the league's tables, every slot in its place."""
    sheet, design = SHEETS[model], DESIGNS[model]
    tons, walk, jump, price, value, affiliation = LISTED[model]
    assert (sheet.tons, sheet.walk, sheet.jump) == (tons, walk, jump)
    assert (design.price, design.battle_value, design.affiliation) == (price, value, (affiliation,))
    assert construction.faults(sheet) == ()
    assert construction.half_tons(sheet) == tons * 2
    assert sheet.year
    assert design.source
    ids = [mount.id for mount in design.mounts] + [ammo.id for ammo in design.bins]
    assert len(set(ids)) == len(ids)
    for location, slots in design.slots.items():
        assert len(slots) == slot_count(location)
    for mount in design.mounts:
        held = [slot for slot in design.slots[mount.location] if slot.item == mount.id]
        assert len(held) == WEAPONS[mount.weapon].slots


def test_the_catalogue_is_that_of_the_league() -> None:
    assert set(DESIGNS) == set(LISTED)
    armor = {model: sum(map(sum, DESIGNS[model].armor.values())) for model in COMPUTED}
    found = {m: (armor[m], DESIGNS[m].heat_sinks, DESIGNS[m].double_heat_sinks) for m in COMPUTED}
    assert found == COMPUTED
    assert [model for model, design in DESIGNS.items() if design.double_heat_sinks] == ["NDA-1K"]


def test_playable_designs_have_ammunition_for_every_weapon_and_nothing_unplayed() -> None:
    assert set(CATALOGUE) == {model for model, reasons in NOT_PLAYED.items() if not reasons}
    for design in CATALOGUE.values():
        fed = {WEAPONS[mount.weapon].ammunition for mount in design.mounts} - {""}
        fed |= {EQUIPMENT[gear.key].ammunition for gear in design.gear} - {""}
        assert fed == {ammo.ammunition for ammo in design.bins}, design.model
        assert not [mount.id for mount in design.mounts if WEAPONS[mount.weapon].not_played]


def test_double_sinks_are_one_item_each() -> None:
    """Three slots of a double heat sink carry one item, so that a hit on any of them costs one sink."""
    sheet = {**table("mechs/jr7-d"), "heat_sinks": 12, "double_heat_sinks": True}
    slots = {**sheet["slots"], "RT": ["heat-sink"] * 6, "HD": ["life-support"]}
    made = design_from({**sheet, "slots": slots}).slots[Location.RT]
    assert [slot.item for slot in made[:6]] == ["rt-heat-sink-1"] * 3 + ["rt-heat-sink-4"] * 3


def test_armour_totals() -> None:
    """Solaris 7 tables 1.7 name two of them: Panther 104, Javelin 64."""
    armor = {model: sum(map(sum, design.armor.values())) for model, design in CATALOGUE.items()}
    assert (armor["PNT-9R"], armor["JVN-10N"]) == (104, 64)
    assert CATALOGUE["PNT-9R"].armor[Location.LA] == (10, 0)


def test_what_is_not_played_is_refused_by_name() -> None:
    sheet = table("mechs/pnt-9r")
    for wrong in ("jammer", "ammo gauss", "ppc"):
        slots = {**sheet["slots"], "LA": ["shoulder", wrong]}
        with pytest.raises(DesignRefused, match=wrong.split()[-1]):
            design_from({**sheet, "slots": slots})


def test_which_weapons_may_be_split_over_two_locations() -> None:
    """The guns of calibre 20 (mtf-format.md section 3)."""
    assert [weapon.key for weapon in WEAPONS.values() if weapon.splits] == [
        "ac-20",
        "lb-20-x-ac",
        "ultra-ac-20",
    ]


def test_which_weapons_no_targeting_computer_helps() -> None:
    """weapons.yaml direct_fire_tc, of energy and ballistic weapons."""
    undirected = [weapon.key for weapon in WEAPONS.values() if weapon.undirected]
    assert undirected == ["machine-gun", "flamer", "vehicle-flamer"]


def test_a_fight_refuses_equipment_that_is_not_played_by_its_name() -> None:
    """C3 is not played (issue of the engine): named by the sheet, and by the set-up on either side."""
    slots = {**SHEETS["PNT-9R"].slots, Location.HD: ("c3-slave",)}
    reasons = not_played(replace(SHEETS["PNT-9R"], slots=slots))
    assert [reason.partition(": ")[2] for reason in reasons] == ["C3 networks are not built"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(NOT_PLAYED, "RVN-3L", reasons)
        for units in (("RVN-3L", "PNT-9R"), ("PNT-9R", "RVN-3L")):
            found = ENGINE.check_setup(setup(*units))
            at = f"/units/{units.index('RVN-3L')}/model"
            assert [(v.code, v.pointer, v.rule) for v in found] == [("equipment-not-played", at, "")]
            assert reasons[0].partition(":")[0] in found[0].detail
            with pytest.raises(SetupRefused):
                ENGINE.open(setup(*units))


def test_what_is_not_played_yet() -> None:
    """The list a player reads in docs/reference/mtf.md: a model leaves it only when its rules are built."""
    assert {model: why for model, why in NOT_PLAYED.items() if why} == {}
