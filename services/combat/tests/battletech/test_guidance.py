"""Guided missiles in play: Artemis IV, Narc beacons, the ECM that denies both; pellets of LB-X guns."""

from dataclasses import replace
from typing import Any

import pytest
from duels import ENGINE, arrange, begin, setup
from volleys import armed, codes, hit, offered, only, resolve, shot, standoff, volley, with_unit

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech import fire_events, log
from solaris_combat.engines.battletech.cluster_hits import ARTEMIS_IV, NARC, hits
from solaris_combat.engines.battletech.guidance import RADIUS, artemis_aboard, artemis_works, jammed
from solaris_combat.engines.battletech.loaded import as_loaded
from solaris_combat.engines.battletech.loading import offered as offered_loads
from solaris_combat.engines.battletech.mech import mount
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.weapons import WEAPONS

NONE = volley()
ATLAS = {"design": armed("AS7-D")}
SALVO = (3, 3, 3, 4)
"""A hit (6 on 4) and 7 on the missile hits table."""


def guided(munition: str, *more: str, b: dict[str, Any] | None = None, **a: Any) -> State:
    """A Panther with an LRM 15 (and `more` beside it) loaded with guided missiles, 7 hexes from an Atlas."""
    design = armed(RT=["lrm-15", *more], LT=[f"ammo lrm-15-{munition}"])
    return standoff(7, a={"design": design, **a}, b=ATLAS | (b or {}))


def test_artemis_iv_adds_two_on_the_missile_hits_table() -> None:
    """BMR level 2: a launcher with a working Artemis IV and missiles made for it."""
    state = guided("artemis", "artemis-iv")
    _, events = resolve(state, volley(shot("rt-lrm-15-1")), NONE, *SALVO, *(3, 4) * 3)
    (one,) = only(events, ev.ShotResolved)
    assert (one.missiles, one.guide, one.salvos) == (hits(15, 9), "artemis-iv", ("artemis",))
    assert one.missiles == 12
    assert (ARTEMIS_IV, NARC) == (2, 2)
    assert "Artemis" in log.describe(one, "es")


@pytest.mark.parametrize(
    ("munition", "more"),
    [("artemis", ()), ("narc", ("artemis-iv",)), ("narc", ())],
    ids=["no Artemis aboard", "missiles for Narc", "no beacon"],
)
def test_without_its_guide_a_salvo_is_a_plain_one(munition: str, more: tuple[str, ...]) -> None:
    _, events = resolve(guided(munition, *more), volley(shot("rt-lrm-15-1")), NONE, *SALVO, *(3, 4) * 2)
    (one,) = only(events, ev.ShotResolved)
    assert (one.missiles, one.guide) == (hits(15, 7), "")
    assert one.missiles == 9


def test_plain_missiles_of_a_launcher_with_artemis_are_not_guided() -> None:
    design = armed(RT=["lrm-15", "artemis-iv"], LT=["ammo lrm-15"])
    state = standoff(7, a={"design": design}, b=ATLAS)
    _, events = resolve(state, volley(shot("rt-lrm-15-1")), NONE, *SALVO, *(3, 4) * 2)
    assert only(events, ev.ShotResolved)[0].guide == ""


def test_an_artemis_that_is_hit_leaves_a_plain_launcher() -> None:
    state = guided("artemis", "artemis-iv")
    unit = state.units["A"]
    state = arrange(state, A={"hits": frozenset({hit("RT", unit, "rt-artemis-iv-1")})})
    assert not artemis_works(state.units["A"], mount(unit.design, "rt-lrm-15-1"))
    _, events = resolve(state, volley(shot("rt-lrm-15-1")), NONE, *SALVO, *(3, 4) * 2)
    assert only(events, ev.ShotResolved)[0].guide == ""


def test_each_artemis_serves_one_launcher_of_its_location() -> None:
    design = armed(RT=["lrm-5", "lrm-5", "artemis-iv"], LT=["srm-4", "ammo lrm-5-artemis"])
    unit = standoff(a={"design": design}).units["A"]
    served = {m.id: artemis_works(unit, m) for m in design.mounts if m.weapon in ("lrm-5", "srm-4")}
    assert served["rt-lrm-5-1"]
    assert not served["rt-lrm-5-2"]
    assert not served["lt-srm-4-1"]


def test_an_ecm_suite_reaches_six_hexes_around_the_line() -> None:
    """Guardian ECM: any hex of the line, its ends included, within six hexes of an enemy's suite."""
    state = guided("artemis", "artemis-iv", b={"design": armed("AS7-D", LT=["ecm"])})
    assert RADIUS == 6
    assert jammed(state, "A", "B")
    assert not jammed(state, "B", "A")
    assert not jammed(arrange(state, B={"shutdown": True}), "A", "B")


@pytest.mark.parametrize(("hex_", "denied"), [("1011", True), ("1111", False)])
def test_a_third_side_denies_by_its_distance_from_the_line(hex_: str, denied: bool) -> None:
    """C stands beside the line from 0404 to 0411, six and seven hexes from its end."""
    state = guided("artemis", "artemis-iv")
    unit = replace(state.units["B"], side="C", design=armed("AS7-D", LT=["ecm"]))
    state = arrange(with_unit(state, "C", unit), C={"position": hex_})
    assert jammed(state, "A", "B") is denied


def test_ecm_denies_artemis_and_narc_but_not_the_salvo() -> None:
    for munition in ("artemis", "narc"):
        state = guided(munition, "artemis-iv", b={"design": armed("AS7-D", LT=["ecm"]), "beacons": {"A": 1}})
        _, events = resolve(state, volley(shot("rt-lrm-15-1")), NONE, *SALVO, *(3, 4) * 2)
        assert only(events, ev.ShotResolved)[0].guide == ""


def test_an_ecm_suite_that_is_hit_denies_nothing() -> None:
    state = guided("narc", b={"design": armed("AS7-D", LT=["ecm"]), "beacons": {"A": 7}})
    unit = state.units["B"]
    broken = arrange(state, B={"hits": frozenset({hit("LT", unit, "lt-ecm-1")})})
    assert jammed(state, "A", "B")
    assert not jammed(broken, "A", "B")


def beacon(**b: Any) -> State:
    """Kintaro and Panther: a Narc launcher and missiles made for its beacons."""
    design = armed(RT=["narc", "ammo narc"], LT=["lrm-15", "ammo lrm-15-narc"])
    return standoff(7, a={"design": design}, b=ATLAS | b)


def test_a_narc_hit_does_no_damage_and_leaves_a_beacon_for_later_turns() -> None:
    """R 4.6.6.1: a beacon of an earlier turn adds two for missiles made for it; it lasts the fight."""
    orders = volley(shot("rt-narc-1"), shot("lt-lrm-15-1"))
    after, events = resolve(beacon(), orders, NONE, 6, 6, *SALVO, *(3, 4) * 2)
    pod, missiles = only(events, ev.ShotResolved)
    assert (pod.number, pod.hit, pod.groups, pod.missiles, pod.heat) == (8, True, (), 1, 0)
    assert [(event.side, event.by) for event in only(events, fire_events.BeaconAttached)] == [("B", "A")]
    assert missiles.guide == ""
    assert after.units["B"].beacons == {"A": 8}
    assert ENGINE.view(after, None)["sides"]["B"]["beacons"] == ["A"]
    assert "radiobaliza" in log.describe(only(events, fire_events.BeaconAttached)[0], "es")


def test_a_beacon_of_an_earlier_turn_guides_missiles_made_for_it() -> None:
    state = beacon(beacons={"A": 7})
    _, events = resolve(state, volley(shot("lt-lrm-15-1")), NONE, *SALVO, *(3, 4) * 3)
    assert (only(events, ev.ShotResolved)[0].missiles, only(events, ev.ShotResolved)[0].guide) == (12, "narc")


@pytest.mark.parametrize("beacons", [{"A": 8}, {"B": 1}, {}])
def test_a_beacon_of_this_turn_or_of_another_team_guides_nothing(beacons: dict[str, int]) -> None:
    _, events = resolve(beacon(beacons=beacons), volley(shot("lt-lrm-15-1")), NONE, *SALVO, *(3, 4) * 2)
    assert only(events, ev.ShotResolved)[0].guide == ""


def test_a_narc_that_misses_spends_its_pod_and_attaches_nothing() -> None:
    state = beacon()
    after, events = resolve(state, volley(shot("rt-narc-1")), NONE, 1, 2)
    assert not only(events, fire_events.BeaconAttached)
    assert after.units["A"].shots["rt-narc-ammo-1"] == state.units["A"].shots["rt-narc-ammo-1"] - 1


# LB-X autocannon


def lb_x(*bins: str) -> State:
    return standoff(6, a={"design": armed(RT=["lb-10-x-ac"], LT=list(bins))}, b=ATLAS)


def test_cluster_rounds_strike_as_single_pellets_at_minus_one() -> None:
    """BMR, LB-X: column of the calibre, each pellet on its own, -1 to hit."""
    state = lb_x("ammo lb-10-x-ac-cluster")
    _, events = resolve(state, volley(shot("rt-lb-10-x-ac-1")), NONE, 3, 3, 1, 2, *(3, 4) * 3)
    (fired,) = only(events, ev.ShotResolved)
    assert (fired.number, fired.missiles, fired.groups, fired.salvos) == (3, 3, (1, 1, 1), ("cluster",))
    assert (fired.heat, [item.value for item in fired.modifiers]) == (2, [4, -1])


def test_a_slug_strikes_once_with_its_full_weight() -> None:
    _, events = resolve(lb_x("ammo lb-10-x-ac"), volley(shot("rt-lb-10-x-ac-1")), NONE, 3, 3, 3, 4)
    (fired,) = only(events, ev.ShotResolved)
    assert (fired.number, fired.missiles, fired.groups, fired.salvos) == (4, None, (10,), ("slug",))


def test_the_bin_chooses_between_slug_and_pellets() -> None:
    state = lb_x("ammo lb-10-x-ac", "ammo lb-10-x-ac-cluster")
    slug, cluster = "lt-lb-10-x-ac-ammo-1", "lt-lb-10-x-ac-cluster-ammo-1"
    target = offered(state, "rt-lb-10-x-ac-1")["targets"][0]
    assert target["number"] == 4
    assert target["by_bin"] == {slug: 4, cluster: 3}
    told = ENGINE.preview(state, "A", volley(shot("rt-lb-10-x-ac-1", bin=cluster)))["fire"]["shots"][0]
    assert (told["number"], told["salvos"]) == (3, ["cluster"])
    assert codes(state, volley(shot("rt-lb-10-x-ac-1", bin=cluster))) == []


def test_pellets_of_every_calibre() -> None:
    for calibre in (2, 5, 10, 20):
        weapon = WEAPONS[f"lb-{calibre}-x-ac"]
        made = as_loaded(weapon, ("cluster",))
        assert (made.kind, made.rack, made.damage, made.group, made.to_hit) == ("pellets", calibre, 1, 1, -1)
        assert as_loaded(weapon, ("slug",)) is weapon
        assert as_loaded(weapon, ()) is weapon


def test_missiles_for_artemis_are_loaded_only_where_a_launcher_has_one() -> None:
    """R 4.6.6.2: into a launcher with Artemis IV; what stands on the sheet is loaded all the same."""
    with_one, without = armed(RT=["lrm-15", "artemis-iv"], LT=["ammo lrm-15"]), armed(LT=["ammo lrm-15"])
    assert artemis_aboard(with_one, "lrm-15")
    assert not artemis_aboard(without, "lrm-15")
    (bin_,) = [one for one in without.bins if one.ammunition == "lrm-15"]
    assert "artemis" not in offered_loads(without, bin_, 3)
    assert "artemis" in offered_loads(with_one, next(b for b in with_one.bins if b.ammunition == "lrm-15"), 3)
    state = begin(ENGINE, setup("CPLT-C1", "CN9-D"), bytes(32)).state
    load = {"turn": 0, "initial": {"bins": {"lt-lrm-15-ammo-1": ["artemis"] * 4}}}
    found = ENGINE.check(state, "A", ENGINE.parse_orders(load))
    assert [(one.pointer, one.code) for one in found] == [("/initial/bins/lt-lrm-15-ammo-1", "no-artemis")]
    guided = {"turn": 0, "initial": {"bins": {"rt-lrm-10-artemis-ammo-1": ["artemis"] * 4}}}
    assert ENGINE.check(state, "B", ENGINE.parse_orders(guided)) == []
