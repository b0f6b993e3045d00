"""Figures of MASC, hot myomer, quads and ejection through the functions that play them (BMR; pilot.yaml)."""

from dataclasses import replace

from sheets import dice, field, quad, unit

from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.ejection import WOUNDS, ejection_modifiers
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.mech import ARMS, LEGS, Location
from solaris_combat.engines.battletech.mobility import can_run, walk_mp
from solaris_combat.engines.battletech.movement import Allowance, allowance, begin, follow, with_masc
from solaris_combat.engines.battletech.myomer import masc_number
from solaris_combat.engines.battletech.unit import Unit, fresh_unit


def test_masc_and_hot_myomer() -> None:
    """movement.yaml masc: twice the walk, failing on 2, 4, 6, 10, 12; heat.yaml tsm: two MP more when hot."""
    assert with_masc(Allowance(4, 6, 0)).run == 8
    assert [masc_number(unit(masc=used)) for used in range(6)] == [2, 4, 6, 10, 12, 12]
    assert walk_mp(fresh_unit("A", CATALOGUE["NDA-1K"])) == 5
    assert walk_mp(replace(fresh_unit("A", CATALOGUE["NDA-1K"]), heat=9)) == 6


def lame(*gone: Location) -> Unit:
    four = quad(position=Hex(5, 5))
    return replace(four, structure={**four.structure, **dict.fromkeys(gone, 0)})


def test_quads() -> None:
    """movement.yaml sideways_step; one leg less is one MP less, two are 1 MP, three are none."""
    board, four = field(), lame()
    assert follow(board, allowance(four), begin(board, four, "walk"), "Q").end.mp == 2
    assert [walk_mp(lame(*gone)) for gone in ((), ARMS[:1], ARMS, (*ARMS, *LEGS[:1]))] == [4, 3, 1, 0]
    assert [can_run(lame(*gone)) for gone in ((), ARMS[:1], ARMS)] == [True, True, False]


def ejecting(made: Unit, terrain: str = "rough", automatic: bool = False) -> int:
    return sum(one.value for one in ejection_modifiers(made, terrain, automatic=automatic))


def test_ejection() -> None:
    """pilot.yaml ejection: the piloting skill with everything that makes it harder."""
    sound = unit()
    assert ejecting(sound) == 5
    assert ejecting(sound, automatic=True) == 6
    assert ejecting(replace(sound, prone=True)) == 10
    assert ejecting(replace(sound, conscious=False)) == 8
    heads = [replace(sound, structure={**sound.structure, Location.HD: left}) for left in (2, 1, 0)]
    assert [ejecting(one) for one in heads] == [6, 7, 7]
    places = ("clear", "water", "rough", "light_woods", "heavy_woods")
    assert [ejecting(sound, place) for place in places] == [3, 4, 5, 7, 8]
    assert WOUNDS == 1
    assert dice().left == ()
