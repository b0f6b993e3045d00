"""What the special munitions do, as figures (R 4.6.6; D, Inferno)."""

from dataclasses import replace

from sheets import dice, unit, worn

from solaris_combat.engines.battletech import heap, heat_seeking, inferno, precision, tandem_charge
from solaris_combat.engines.battletech.cluster_hits import groups
from solaris_combat.engines.battletech.critical_hits import critical_hits, explode_bin, explode_launcher
from solaris_combat.engines.battletech.damage import take_heap, take_tandem
from solaris_combat.engines.battletech.harm import Chain, CriticalCheck, Explosion
from solaris_combat.engines.battletech.hit_location import HitLocation
from solaris_combat.engines.battletech.loaded import as_loaded
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.salvo import cluster_dice, cluster_total, modifiers
from solaris_combat.engines.battletech.unit import fresh_unit
from solaris_combat.engines.battletech.weapons import WEAPONS
from solaris_combat.engines.dice import Roll

LEFT_ARM = HitLocation(Location.LA, False, False, ())


def figures(key: str, salvo: str) -> tuple[int, ...]:
    """Ranges, points and groups of a weapon with a salvo."""
    w = as_loaded(WEAPONS[key], (salvo,))
    return (w.minimum, w.short, w.medium, w.long, w.damage, w.group, w.group_points)


def checks(facts: tuple[object, ...]) -> list[CriticalCheck]:
    return [fact for fact in facts if isinstance(fact, CriticalCheck)]


def test_df1_dead_fire_ranges_damage_and_groups() -> None:
    """DF1: three dice, the lowest two; LRM in 5-point groups, SRM one by one; hot-loaded +1 to hit."""
    assert figures("srm-6", "dead-fire") == (0, 2, 4, 6, 3, 1, 0)
    assert figures("lrm-15", "dead-fire") == (4, 5, 10, 15, 2, 1, 5)
    assert figures("lrm-15", "dead-fire hot")[0] == 0
    assert cluster_dice("dead-fire") == cluster_dice("dead-fire hot") == 3
    assert cluster_total("dead-fire", Roll("missile hits", 6, (6, 4, 2))) == 6
    assert groups(as_loaded(WEAPONS["lrm-15"], ("dead-fire",)), 9) == (5, 5, 5, 3)
    assert groups(as_loaded(WEAPONS["srm-6"], ("dead-fire",)), 3) == (3, 3, 3)
    assert list(modifiers("dead-fire", 3, 9)) == []
    assert [(m.value, m.reason) for m in modifiers("dead-fire hot", 3, 9)] == [(1, "hot-loaded Dead-Fire")]


def test_a_dead_fire_salvo_in_a_launcher_that_is_hit() -> None:
    """R 4.6.6.5: missiles times damage inside, no critical roll unless it goes on inwards, no chain."""
    made = unit("PNT-9R", belts={"lt-srm-4-ammo-1": ("dead-fire",)})
    launcher = next(one for one in made.design.mounts if one.weapon == "srm-4")
    chain = Chain(made)
    explode_launcher(chain, launcher, dice())
    blasts = [(fact.damage, fact.cause) for fact in chain.facts if isinstance(fact, Explosion)]
    assert blasts == [(12, "dead-fire")]
    weak = replace(made, structure={**made.structure, launcher.location: 3})
    chain = Chain(weak)
    if launcher.location is not Location.CT:
        explode_launcher(chain, launcher, dice(1, 1))
        assert len(checks(tuple(chain.facts))) == 1


def test_rf4_a_tandem_charge_bites_through_armour_once() -> None:
    """RF4: 1 of armour and 1 of structure without a critical roll; on bare structure 2 and one roll."""
    atlas = fresh_unit("B", unit("AS7-D").design)
    front = atlas.armor[Location.LA][0]
    hurt = take_tandem(atlas, LEFT_ARM, 2, dice())
    assert hurt.unit.armor[Location.LA][0] == front - 1
    assert hurt.unit.structure[Location.LA] == atlas.structure[Location.LA] - 1
    assert checks(hurt.facts) == []
    floating = take_tandem(atlas, replace(LEFT_ARM, critical=True), 2, dice())
    assert checks(floating.facts) == []
    bare = take_tandem(worn(atlas, LA=(0, 17)), LEFT_ARM, 2, dice(1, 1))
    assert bare.unit.structure[Location.LA] == 15
    assert len(checks(bare.facts)) == 1
    assert (tandem_charge.ARMOR, tandem_charge.STRUCTURE) == (1, 1)


def test_a_bin_of_special_missiles_explodes_by_what_is_on_its_belt() -> None:
    """R 4.6.6.5, 4.6.6.6, D: Dead-Fire and tandem charges 3 a missile, Inferno as normal and 30 heat."""
    belts = {
        ("normal", "normal"): (16, 0),
        ("tandem-charge",): (12, 0),
        ("dead-fire", "normal"): (20, 0),
        ("inferno", "normal"): (16, 30),
    }
    for belt, expected in belts.items():
        chain = Chain(unit("PNT-9R", belts={"lt-srm-4-ammo-1": belt}))
        explode_bin(chain, "lt-srm-4-ammo-1", "critical", dice(*[1] * 20))
        blast = next(fact for fact in chain.facts if isinstance(fact, Explosion))
        assert (blast.damage, blast.heat) == expected
        assert chain.unit.heat == expected[1]


def test_heat_seeking_by_the_targets_heat() -> None:
    """R 4.6.6.7, tables 2.5."""
    steps = {0: 1, 1: 0, 4: 0, 5: -1, 9: -1, 10: -2, 14: -2, 15: -3, 19: -3, 20: -4, 24: -4, 25: -5, 60: -5}
    assert {heat: heat_seeking.modifier(heat).value for heat in steps} == steps
    assert heat_seeking.modifier(0, fire_in_line=True).value == 1
    assert heat_seeking._FIRE == {**heat_seeking._FIRE, "on": False, "modifier": 2}
    assert list(modifiers("heat-seeking", 3, 2)) == []
    assert [m.value for m in modifiers("heat-seeking", 3, 12)] == [-2]


def test_rf3_heap_rolls_for_critical_hits_through_whole_armour() -> None:
    """RF3: -4, -3, -2, -1 by calibre; dice 9 with an AC/20 is 8, one critical; AC/2 with 11 is 7, none."""
    found = {gun: heap.critical_modifier(gun, False) for gun in ("ac-2", "ac-5", "ac-10", "ac-20")}
    assert found == {"ac-2": -4, "ac-5": -3, "ac-10": -2, "ac-20": -1}
    assert heap.critical_modifier("ac-2", True) is None
    assert [critical_hits(total) for total in (-2, 7, 8, 11, 12)] == [0, 0, 1, 2, 3]
    assert [m.value for m in modifiers("heap", 3, 0)] == [1]
    atlas = fresh_unit("B", unit("AS7-D").design)
    hurt = take_heap(atlas, LEFT_ARM, 20, dice(4, 5, 1, 1), weapon="ac-20")
    assert [(one.hits, one.modifier) for one in checks(hurt.facts)] == [(1, -1)]
    inside = take_heap(worn(atlas, LA=(5, 17)), LEFT_ARM, 10, dice(1, 1), weapon="ac-10")
    assert [(one.hits, one.modifier) for one in checks(inside.facts)] == [(0, 0)]


def test_precision_rounds_take_two_off_the_movement_modifier() -> None:
    """R 4.6.6.9: never below 0."""
    less = {moved: precision.modifier(moved) for moved in range(6)}
    assert {moved: one.value if one else 0 for moved, one in less.items()} == {
        0: 0,
        1: -1,
        2: -2,
        3: -2,
        4: -2,
        5: -2,
    }


def test_inf2_inferno_adds_up_in_time_and_never_in_heat() -> None:
    """INF2, G4: six hits on turn 3 burn to turn 20; two more on turn 5 to turn 26; +6 a turn."""
    until = inferno.burns_until(3, 6)
    assert until == 20
    assert inferno.burns_until(5, 2, until) == 26
    assert inferno.burns_until(9, 1, 4) == 11
    assert (inferno.heat_in(20, 20), inferno.heat_in(21, 20)) == (6, 0)
    assert inferno.EXPLOSION_HEAT == 30
    assert groups(as_loaded(WEAPONS["srm-6"], ("inferno",)), 5) == ()


def test_inferno_explosion_numbers() -> None:
    """D, tables 2.7."""
    heats = (9, 10, 13, 14, 18, 19, 22, 23, 27, 28)
    assert [inferno.explosion_number(heat) for heat in heats] == [None, 4, 4, 6, 6, 8, 8, 10, 10, 12]
