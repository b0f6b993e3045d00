"""Level 3 rules as figures: double rate, hot loading, the field inhibitor (R 4.5.2 to 4.5.4)."""

from dataclasses import replace

import pytest
from duels import ENGINE, setup
from sheets import dice, unit

from solaris_combat.engines.battletech import double_rate, field_inhibitor, hot_loading
from solaris_combat.engines.battletech.critical_hits import explode_launcher
from solaris_combat.engines.battletech.firing_modes import modes_of, refusal
from solaris_combat.engines.battletech.harm import Chain, ChainReaction, Explosion, LauncherStruck, WeaponLost
from solaris_combat.engines.battletech.mech import Location, mount
from solaris_combat.engines.battletech.mishap import burst
from solaris_combat.engines.battletech.salvo import cluster_dice, cluster_total
from solaris_combat.engines.battletech.to_hit import minimum_range
from solaris_combat.engines.battletech.unit import mount_works
from solaris_combat.engines.battletech.weapons import WEAPONS
from solaris_combat.engines.dice import Roll

GUNS = {"ac-2": (2, 3), "ac-5": (5, 4), "ac-10": (10, 4), "ac-20": (20, 5)}


def test_a_natural_2_bursts_and_a_miss_jams_by_calibre() -> None:
    """RF2, UAC2: natural 2 explodes inside; a miss with 3, 4 or 5 by calibre jams; a hit with 3 is a hit."""
    for key, (damage, last) in GUNS.items():
        gun = WEAPONS[key]
        assert double_rate.feed(gun, 2, False) == double_rate.Feed(True, False, damage)
        jams = [total for total in range(3, 13) if double_rate.feed(gun, total, False).jammed]
        assert jams == list(range(3, last + 1))
        assert not any(double_rate.feed(gun, total, True).jammed for total in range(3, 13))
        assert double_rate.heat(gun) == 2 * gun.heat
    assert (double_rate.ROUNDS, double_rate.COLUMN, double_rate.HIGHER_COUNTS) == (2, 2, True)


def test_only_standard_autocannon_fire_twice_and_only_from_class_4_on() -> None:
    """R 4.5.2, tables 1.9: LB-X and Ultra guns are excluded, Class 3 does not play it."""
    assert [key for key, gun in WEAPONS.items() if double_rate.allowed(gun)] == list(GUNS)
    assert modes_of(WEAPONS["ac-10"], 3) == ()
    assert modes_of(WEAPONS["ac-10"], 4) == ("double",)
    assert refusal(WEAPONS["ac-10"], "double", 3) == (
        "mode-not-in-class",
        "'double' is not played in Class 3",
    )
    assert refusal(WEAPONS["lb-10-x-ac"], "double", 5)[0] == "mode-unknown"
    assert refusal(WEAPONS["ac-10"], "double", 5) is None
    assert [key for key, gun in WEAPONS.items() if field_inhibitor.allowed(gun)] == ["ppc", "er-ppc"]
    assert modes_of(WEAPONS["ppc"], 4) == ("inhibitor_off",)


def test_a_burst_gun_is_gone_and_wounds_nobody() -> None:
    """RF2: 10 inside at its location, gun destroyed, no wound, no other bin."""
    orion = unit("ON1-V")
    gun = next(one for one in orion.design.mounts if one.weapon == "ac-10")
    harmed = burst(orion, gun.id, 10, "double-rate", dice(1, 1))
    lost, blast, step = harmed.facts[:3]
    assert (lost, blast) == (
        WeaponLost("A", gun.location, gun.id),
        Explosion("A", gun.location, gun.id, 1, 10, "double-rate"),
    )
    assert (step.location, step.structure) == (gun.location, 10)
    assert not mount_works(harmed.unit, mount(harmed.unit.design, gun.id))
    assert harmed.unit.pilot_hits == 0
    assert harmed.unit.belts == orion.belts


def test_hot_missiles_have_no_minimum_range_and_take_the_lowest_of_three_dice() -> None:
    """RNG1, R 4.5.3: LRM at 6 hexes +1, at 1 hex +6, hot-loaded nothing."""
    lrm = WEAPONS["lrm-15"]
    assert [minimum_range(lrm, span).value for span in (6, 3, 1)] == [1, 4, 6]
    assert minimum_range(hot_loading.without_minimum(lrm), 1) is None
    assert (cluster_dice("normal"), cluster_dice("normal hot")) == (2, 3)
    assert cluster_total("normal hot", Roll("missile hits", 6, (4, 6, 4))) == 8
    assert cluster_total("normal", Roll("missile hits", 6, (6, 4))) == 10
    assert (hot_loading.DICE_KEPT, hot_loading.DEAD_FIRE.value) == (2, 1)
    assert [total for total in range(2, 13) if hot_loading.bin_explodes(total)] == [2, 3, 4, 5]


def test_a_hot_launcher_that_is_hit_blows_up_and_may_set_off_the_bins_beside_it() -> None:
    """HOT2: all of the salvo inside, launcher gone, then each bin of the location goes up on less than 6."""
    archer = unit("ARC-2R")
    launcher = next(one for one in archer.design.mounts if one.weapon == "lrm-20")
    beside = [ammo for ammo in archer.design.bins if ammo.location is launcher.location]
    hot = unit("ARC-2R", belts={ammo.id: ("normal hot",) for ammo in archer.design.bins})
    feeds = len(archer.design.bins)
    chain = Chain(hot)
    explode_launcher(chain, launcher, dice(*([1] if feeds > 1 else []), 1, 1, *(3, 3) * len(beside)))
    struck = next(fact for fact in chain.facts if isinstance(fact, LauncherStruck))
    assert (struck.salvo, struck.explodes) == ("normal hot", True)
    blast = next(fact for fact in chain.facts if isinstance(fact, Explosion))
    assert (blast.damage, blast.cause, blast.bin) == (20, "hot-loaded", struck.bin)
    assert chain.unit.pilot_hits == 2
    rolled = [fact for fact in chain.facts if isinstance(fact, ChainReaction)]
    assert [fact.explodes for fact in rolled] == [False] * len(beside)
    assert not mount_works(chain.unit, launcher)
    assert chain.unit.belts[struck.bin] == ()


def test_a_chain_reaction_sets_off_a_bin() -> None:
    """HOT2: the bin explodes on 5, not on 6; every bin of the location rolls, whatever it holds."""
    strong = dict.fromkeys(Location, 99)
    whitworth = unit("WTH-1", structure=strong)
    launcher = next(one for one in whitworth.design.mounts if one.weapon == "lrm-10")
    bins = [ammo for ammo in whitworth.design.bins if ammo.ammunition == "lrm-10"]
    beside = [ammo.id for ammo in whitworth.design.bins if ammo.location is launcher.location]
    assert beside
    hot = unit("WTH-1", structure=strong, belts={ammo.id: ("normal hot", "normal") for ammo in bins})
    lot = [1] if len(bins) > 1 else []
    chain = Chain(hot)
    explode_launcher(chain, launcher, dice(*lot, 1, 1, 2, 3, 1, 1, *(3, 3) * (len(beside) - 1)))
    rolled = [fact for fact in chain.facts if isinstance(fact, ChainReaction)]
    assert [(one.item, one.explodes) for one in rolled] == [(n, n == beside[0]) for n in beside]
    causes = [(one.item, one.cause) for one in chain.facts if isinstance(one, Explosion)]
    assert causes == [(launcher.id, "hot-loaded"), (beside[0], "chain")]


def test_feedback_of_a_ppc_by_distance() -> None:
    """RNG2, R 4.5.4: safe on 10, 6 and 3 at one, two and more hexes; 10 points inside."""
    assert [field_inhibitor.safe_on(distance) for distance in (1, 2, 3, 4, 18)] == [10, 6, 3, 3, 3]
    assert field_inhibitor.DAMAGE == 10
    assert minimum_range(field_inhibitor.without_minimum(WEAPONS["ppc"]), 2) is None
    assert minimum_range(WEAPONS["ppc"], 2).value == 2


@pytest.mark.parametrize("fight_class", [3, 4, 5])
def test_every_class_is_opened(fight_class: int) -> None:
    assert ENGINE.check_setup(replace(setup(), fight_class=fight_class)) == []
