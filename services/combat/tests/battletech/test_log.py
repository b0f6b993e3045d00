"""The log tells weapons, bins and equipment by their names, never by their ids."""

import re

import pytest

from solaris_combat.engines.battletech import fire_events as fire
from solaris_combat.engines.battletech import ground_events, harm, log, to_hit
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.dice import Roll

ID = re.compile(r"[a-z]{2}-[a-z0-9-]+-\d")
DIE = (Roll("missiles shot down", 6, (2,)),)
SPANISH = {
    "la-medium-laser-2": "arma: Láser mediano 2, brazo izquierdo",
    "rt-lrm-10-ammo-1": "munición: AMLA/10, torso derecho",
    "lt-active-probe-1": "equipo: sonda activa Beagle, torso izquierdo",
    "rt-light-tag-1": "equipo: TAG ligero, torso derecho",
    "rl-heat-sink-5": "radiador",
}


@pytest.mark.parametrize("item", SPANISH)
@pytest.mark.parametrize("language", ["es", "en"])
def test_a_critical_hit_names_what_it_hit(item: str, language: str) -> None:
    kinds = {"la": "weapon", "lt": "other", "rl": "heat_sink"}
    kind = kinds.get(item[:2], "ammo" if "ammo" in item else "other")
    rolls = (Roll("critical slot", 6, (1,)),)
    said = log.describe(harm.SlotHit("A", Location(item[:2].upper()), 5, kind, item, rolls), language)
    assert not ID.search(said)
    assert language == "en" or said.rstrip(".").endswith(f": {SPANISH[item]}")


@pytest.mark.parametrize("language", ["es", "en"])
def test_jams_and_anti_missile_systems_are_named(language: str) -> None:
    told = (
        fire.WeaponJammed(1, "A", "ra-ultra-ac-5-1", "ultra-ac-5"),
        fire.AmsAimed(1, "A", "lt-ams-1", "B", "rt-lrm-10-1", False),
        fire.AmsFired(
            1, "A", "lt-ams-1", "B", "rt-lrm-10-1", 2, {"lt-ams-ammo-1": 3}, 1, (Roll("ams", 6, (2,)),)
        ),
    )
    said = [log.describe(event, language) for event in told]
    assert not [one for one in said if ID.search(one)]
    assert ("antimisiles, torso izquierdo" if language == "es" else "anti-missile system") in said[1]


def test_every_modifier_of_a_shot_is_said_in_spanish() -> None:
    held = [*vars(to_hit).values(), *to_hit.SECONDARY.values()]
    reasons = {one.reason for one in held if isinstance(one, Modifier)}
    assert len(reasons) > 10
    assert reasons - {"short range"} <= log.words("es").keys()


@pytest.mark.parametrize(
    ("cause", "said"), [("miss", "3 o menos"), ("clearing", "3 o menos"), ("spread", "3 o más")]
)
def test_a_fire_says_on_which_side_of_its_number_it_burns(cause: str, said: str) -> None:
    rolls = (Roll("ignition", 6, (1, 4)),)
    told = log.describe(ground_events.IgnitionRolled(1, "0405", cause, 3, False, rolls), "es")
    assert f"arde con {said}, saca 1+4=5: no arde" in told
