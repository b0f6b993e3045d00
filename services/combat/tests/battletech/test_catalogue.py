"""Record sheets and weapons: figures written out again, and every design valid by the construction rules."""

from math import ceil

import pytest

from solaris_combat.engines.battletech.catalogue import (
    CATALOGUE,
    DesignRefused,
    design_from,
    slot_count,
)
from solaris_combat.engines.battletech.mech import LEGS, Location, MechDesign
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.weapons import AMMUNITION, WEAPONS

# Half tons of a fusion engine by rating, and structure by tons: BMR, construction tables.
ENGINE = {140: 10, 150: 11, 175: 14, 180: 14, 200: 17, 210: 18, 240: 23, 245: 24, 275: 31}
STRUCTURE = {
    25: (8, 6, 4, 6),
    30: (10, 7, 5, 7),
    35: (11, 8, 6, 8),
    45: (14, 11, 7, 11),
    50: (16, 12, 8, 12),
    55: (18, 13, 9, 13),
}
PRICES = {
    "PNT-9R": (2476260, 769),
    "JVN-10N": (2384640, 594),
    "COM-2D": (1877750, 541),
    "JR7-D": (3188925, 875),
    "WLF-1": (2925180, 949),
    "VND-1R": (3167582, 1024),
    "CN9-A": (3455500, 945),
    "HBK-4G": (3457875, 1041),
    "ENF-4R": (3533875, 1032),
    "GRF-1N": (4924107, 1272),
    "SHD-2H": (4505557, 1064),
    "WVR-6R": (4810357, 1101),
}
# Name: heat, damage, minimum, short, medium, long, missiles, missiles in a group, half tons, slots.
FIGURES = {
    "small-laser": (1, 3, 0, 1, 2, 3, 0, 1, 1, 1),
    "medium-laser": (3, 5, 0, 3, 6, 9, 0, 1, 2, 1),
    "large-laser": (8, 8, 0, 5, 10, 15, 0, 1, 10, 2),
    "ppc": (10, 10, 3, 6, 12, 18, 0, 1, 14, 3),
    "machine-gun": (0, 2, 0, 1, 2, 3, 0, 1, 1, 1),
    "ac-2": (1, 2, 4, 8, 16, 24, 0, 1, 12, 1),
    "ac-5": (1, 5, 3, 6, 12, 18, 0, 1, 16, 4),
    "ac-10": (3, 10, 0, 5, 10, 15, 0, 1, 24, 7),
    "ac-20": (7, 20, 0, 3, 6, 9, 0, 1, 28, 10),
    "lrm-5": (2, 1, 6, 7, 14, 21, 5, 5, 4, 1),
    "lrm-10": (4, 1, 6, 7, 14, 21, 10, 5, 10, 2),
    "lrm-15": (5, 1, 6, 7, 14, 21, 15, 5, 14, 3),
    "lrm-20": (6, 1, 6, 7, 14, 21, 20, 5, 20, 5),
    "srm-2": (2, 2, 0, 3, 6, 9, 2, 1, 2, 1),
    "srm-4": (3, 2, 0, 3, 6, 9, 4, 1, 4, 1),
    "srm-6": (4, 2, 0, 3, 6, 9, 6, 1, 6, 2),
}
WATER = {"small-laser": (1, 2, 2), "medium-laser": (2, 4, 6), "large-laser": (3, 6, 9), "ppc": (4, 7, 10)}
ROUNDS = {
    "machine-gun": (200, 2),
    "ac-2": (45, 2),
    "ac-5": (20, 5),
    "ac-10": (10, 10),
    "ac-20": (5, 20),
    "lrm-5": (24, 5),
    "lrm-10": (12, 10),
    "lrm-15": (8, 15),
    "lrm-20": (6, 20),
    "srm-2": (50, 4),
    "srm-4": (25, 8),
    "srm-6": (15, 12),
}


def test_weapons_and_ammunition() -> None:
    for key, facts in FIGURES.items():
        w = WEAPONS[key]
        ranges = (w.minimum, w.short, w.medium, w.long)
        assert (w.heat, w.damage, *ranges, w.rack, w.group, w.half_tons, w.slots) == facts, key
        assert w.to_hit == 0
        assert w.kind == ("missile" if w.rack else "ballistic" if w.ammunition else "energy")
        assert w.water == WATER.get(key)
        assert w.ammunition == (key if key in ROUNDS else "")
    assert {key: (ammo.shots, ammo.damage) for key, ammo in AMMUNITION.items()} == ROUNDS
    assert set(WEAPONS) == set(FIGURES)


def half_tons(design: MechDesign) -> int:
    """Weight of the design by the construction rules, in half tons."""
    armor = sum(map(sum, design.armor.values()))
    jets = design.jump * (1 if design.tons <= 55 else 2)
    return (
        design.tons // 10 * 2
        + (1 if design.tons % 10 else 0)
        + ENGINE[design.engine_rating]
        + ceil(design.engine_rating / 100) * 2
        + 6
        + (design.heat_sinks - 10) * 2
        + ceil(armor / 8)
        + jets
        + sum(WEAPONS[mount.weapon].half_tons for mount in design.mounts)
        + len(design.bins) * 2
    )


def test_every_design_weighs_what_it_should() -> None:
    assert {model: half_tons(design) for model, design in CATALOGUE.items()} == {
        model: design.tons * 2 for model, design in CATALOGUE.items()
    }


def test_structure_and_armour_limits() -> None:
    for design in CATALOGUE.values():
        core, side, arm, leg = STRUCTURE[design.tons]
        inside = [design.structure[location] for location in Location]
        assert inside == [3, core, side, side, arm, arm, leg, leg], design.model
        for location in Location:
            limit = 9 if location is Location.HD else 2 * design.structure[location]
            assert 0 < sum(design.armor[location]) <= limit, (design.model, location)


def test_engine_gyro_and_movement() -> None:
    for design in CATALOGUE.values():
        assert design.engine_rating == design.tons * design.walk, design.model
        assert design.engine == "fusion"
        kinds = [slot.kind for slot in design.slots[Location.CT]]
        assert kinds[:10] == ["engine"] * 3 + ["gyro"] * 4 + ["engine"] * 3, design.model
        head = [slot.kind for slot in design.slots[Location.HD]]
        assert head[:3] + head[4:] == ["life_support", "sensors", "cockpit", "sensors", "life_support"]
        for leg in LEGS:
            assert [s.kind for s in design.slots[leg][:4]] == ["hip", "upper_leg", "lower_leg", "foot"]
        jets = sum(slot.kind == "jump_jet" for slots in design.slots.values() for slot in slots)
        assert jets == design.jump <= design.walk


def test_sinks_outside_the_engine_have_slots() -> None:
    for design in CATALOGUE.values():
        inside = min(design.engine_rating // 25, design.heat_sinks)
        placed = sum(slot.kind == "heat_sink" for slots in design.slots.values() for slot in slots)
        assert placed == design.heat_sinks - inside, design.model
        assert design.heat_sinks >= 10
        assert not design.double_heat_sinks


def test_slots_hold_every_weapon_and_bin_once() -> None:
    for design in CATALOGUE.values():
        ids = [mount.id for mount in design.mounts] + [ammo.id for ammo in design.bins]
        assert len(set(ids)) == len(ids)
        for location, slots in design.slots.items():
            assert len(slots) == slot_count(location)
        for mount in design.mounts:
            held = [slot for slot in design.slots[mount.location] if slot.item == mount.id]
            assert len(held) == WEAPONS[mount.weapon].slots
        fed = {WEAPONS[mount.weapon].ammunition for mount in design.mounts} - {""}
        assert fed == {ammo.ammunition for ammo in design.bins}


def test_prices_and_battle_values() -> None:
    assert {m: (d.price, d.battle_value) for m, d in CATALOGUE.items()} == PRICES
    assert all(design.affiliation and design.source for design in CATALOGUE.values())


def test_armour_totals() -> None:
    """Solaris 7 tables 1.7 name two of them: Panther 104, Javelin 64."""
    armor = {model: sum(map(sum, design.armor.values())) for model, design in CATALOGUE.items()}
    assert (armor["PNT-9R"], armor["JVN-10N"]) == (104, 64)
    assert CATALOGUE["PNT-9R"].armor[Location.LA] == (10, 0)


def test_what_is_not_played_is_refused_by_name() -> None:
    sheet = table("mechs/pnt-9r")
    for wrong in ("ecm", "ammo gauss", "ppc"):
        slots = {**sheet["slots"], "LA": ["shoulder", wrong]}
        with pytest.raises(DesignRefused, match=wrong.split()[-1]):
            design_from({**sheet, "slots": slots})


def test_which_weapons_no_targeting_computer_helps() -> None:
    """weapons.yaml direct_fire_tc, of energy and ballistic weapons."""
    assert [weapon.key for weapon in WEAPONS.values() if weapon.undirected] == ["machine-gun"]
