"""The log tells weapons, bins and equipment by their names, never by their ids."""

import inspect
import re

import pytest

from solaris_combat.engines.battletech import (
    events,
    ground_events,
    ground_target,
    harm,
    log,
    ruling_events,
    rulings,
    to_hit,
)
from solaris_combat.engines.battletech import fire_events as fire
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.dice import Roll
from solaris_combat.engines.frozen import replace

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


def _walked(steps: int, **told: object) -> str:
    """A stretch of two points for each step, told in Spanish."""
    said = {"mode": "run", "hexes": steps, "mp": 2 * steps, "stopped": "", "left_out": 0} | told
    way = tuple(events.Stepped("F", f"050{5 + n}", 1, 2) for n in range(1, steps + 1))
    move = events.UnitMoved(1, "A", start="0505", steps=way, hex="0505", facing=1, mp_available=9, **said)  # type: ignore[arg-type]
    return log.describe(move, "es")


def test_stretches_of_one_movement_are_told_apart() -> None:
    assert _walked(1).startswith("A corre: 0505 → 0506; 1 hexágono recorrido, 2 de 9 PM; queda en 0505")
    assert _walked(1, hexes=3, mp=6).startswith("A sigue: 0505 → 0506; en total 3 hexágonos recorridos, 6 de")
    halted = _walked(0, hexes=3, mp=6, stopped="stuck")
    assert halted == "A no sigue: queda en 0505 encarado a 1. Está atrapado."
    vain = _walked(0, mode="stand", stopped="occupied", left_out=1)
    assert vain.startswith("A declara un movimiento que no puede hacer. Se detiene: ")
    assert _walked(0, mode="stand") == "A no se mueve: queda en 0505 encarado a 1."


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize(
    "reason", ["same-hex", "occupied", "movement-points", "not-possible", "not-able", "stuck"]
)
def test_every_reason_to_stop_has_words(reason: str, language: str) -> None:
    assert f"stopped.{reason}" in log.words(language)


@pytest.mark.parametrize(
    ("sides", "cause", "said"),
    [
        (("A",), "displaced", "A ya no está en"),
        (("A", "B"), "displaced", "A y B ya no están en"),
        (("A",), "fallen", "A ha caído:"),
        (("A", "B"), "fallen", "A y B han caído:"),
    ],
)
def test_of_several_the_verb_is_plural(sides: tuple[str, ...], cause: str, said: str) -> None:
    told = {"fallen": (), "displaced": ()} | {cause: sides}
    assert log.describe(events.MovementVoided(turn=2, **told), "es").startswith(said)  # type: ignore[arg-type]


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_fall_without_a_die_tells_of_none(language: str) -> None:
    fell = events.UnitFell(1, "A", "0505", 2, 1, "rear", 6, ())
    assert "(" not in log.describe(fell, language)
    die = {"es": "(dado 4)", "en": "(die 4)"}[language]
    assert die in log.describe(replace(fell, rolls=(Roll("facing", 6, (4,)),)), language)


@pytest.mark.parametrize(
    ("language", "said"), [("es", "arena Jardines de Hartford,"), ("en", "arena Hartford Gardens,")]
)
def test_an_arena_is_called_by_its_own_name(language: str, said: str) -> None:
    opened = events.DuelOpened("solaris7/1", 4, "hartford-gardens", 8, ())
    assert said in log.describe(opened, language)
    assert log.words(language)["arena.jungle"] == {"es": "La Jungla", "en": "The Jungle"}[language]


CHANGES = {
    "heat": (1, "calor 1", "heat 1"),
    "wounds": (2, "heridas 2", "wounds 2"),
    "hex": ("0506", "en el hexágono 0506", "in hex 0506"),
    "facing": (3, "encarado a 3", "facing 3"),
    "prone": (False, "en pie", "standing"),
    "shutdown": (True, "reactor apagado", "reactor shut down"),
    "conscious": (False, "mechwarrior inconsciente", "mechwarrior unconscious"),
    "armor": (
        {"LT": [5, 0], "RA": [4, 0]},
        "blindaje: torso izquierdo 5 (espalda 0), brazo derecho 4",
        "armour: left torso 5 (rear 0), right arm 4",
    ),
    "structure": ({"LA": 4}, "estructura: brazo izquierdo 4", "structure: left arm 4"),
    "rounds": (
        {"lt-srm-4-ammo-2": 3},
        "munición: AMCA/4 2, torso izquierdo 3",
        "ammunition: SRM 4 2, left torso 3",
    ),
}


@pytest.mark.parametrize("name", rulings.CORRECTED)
def test_a_correction_is_said_in_words(name: str) -> None:
    value, *said = CHANGES[name]
    told = ruling_events.UnitCorrected(2, "A", {name: value}, "why")
    assert [log.describe(told, "es"), log.describe(told, "en")] == [
        f"Corrección del árbitro para A: {said[0]}. Motivo: why",
        f"Correction by the referee for A: {said[1]}. Reason: why",
    ]


@pytest.mark.parametrize(
    ("item", "cause", "said"),
    [
        ("ra-ppc-1", "feedback", "¡A, CPP, brazo derecho revienta por retroalimentación: 10 puntos de daño"),
        ("ra-gauss-rifle-1", "critical", "¡A, Rifle Gauss, brazo derecho revienta por impacto crítico: 10 p"),
        (
            "ra-srm-4-ammo-1",
            "heat",
            "¡A, explosión por el calor de AMCA/4, brazo derecho en brazo derecho: 1 d",
        ),
    ],
)
def test_a_weapon_that_goes_up_is_no_shot(item: str, cause: str, said: str) -> None:
    told = log.describe(harm.Explosion("A", Location.RA, item, 1, 10, cause), "es")
    assert told.strip().startswith(said)


@pytest.mark.parametrize(("language", "said"), [("es", "A no lleva munición;"), ("en", "A carries no amm")])
def test_a_mech_without_bins_carries_no_ammunition(language: str, said: str) -> None:
    assert log.describe(events.LoadoutFixed("A", {}, True), language).startswith(said)


def test_every_reason_not_to_fire_at_a_hex_is_said_in_spanish() -> None:
    reasons = re.findall(r'return "([^"]+)"', inspect.getsource(ground_target.no_use))
    assert len(reasons) >= 5
    assert set(reasons) <= log.words("es").keys()
