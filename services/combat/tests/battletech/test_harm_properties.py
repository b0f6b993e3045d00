"""Properties of whole hits: nothing is lost or made up, and the facts alone rebuild the unit."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from sheets import total, unit

from solaris_combat.engines.battletech import cluster_hits, hit_location
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.damage import take_hit
from solaris_combat.engines.battletech.falling import damage_groups, fall, fall_damage
from solaris_combat.engines.battletech.harm import CriticalCheck, DamageStep, Explosion, Harm, suffer
from solaris_combat.engines.battletech.rules import LEAGUE_RULES, MASTER_RULES
from solaris_combat.engines.battletech.shooting import fire
from solaris_combat.engines.battletech.structure import beyond_repair
from solaris_combat.engines.battletech.to_hit import TargetNumber
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.battletech.weapons import WEAPONS
from solaris_combat.engines.dice import Roll


class RecordingDice:
    """Random dice from a seed that remember every face."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self.faces: list[int] = []

    def roll(self, count: int, sides: int, purpose: str) -> Roll:
        """Random faces."""
        faces = tuple(self._random.randint(1, sides) for _ in range(count))
        self.faces += faces
        return Roll(purpose, sides, faces)


def faces_of(harm: Harm) -> list[int]:
    """All faces that stand in the facts."""
    return [face for roll in harm.rolls for face in roll.faces]


def rebuilt(before: Unit, harm: Harm) -> Unit:
    """The unit by its facts alone."""
    for fact in harm.facts:
        before = suffer(before, fact)
    return before


PLAYED = [key for key, weapon in WEAPONS.items() if not weapon.not_played]
models = st.sampled_from(sorted(CATALOGUE))
hits = st.lists(
    st.tuples(
        st.sampled_from(("front", "rear", "left", "right")),
        st.sampled_from(("normal", "punch", "kick")),
        st.integers(1, 40),
    ),
    min_size=1,
    max_size=15,
)


@settings(max_examples=200, deadline=None)
@given(model=models, shots=hits, seed=st.integers(0, 2**32), league=st.booleans())
def test_damage_dealt_is_armour_and_structure_and_overflow(
    model: str, shots: list[tuple[str, str, int]], seed: int, league: bool
) -> None:
    made, rules, dice = unit(model), LEAGUE_RULES if league else MASTER_RULES, RecordingDice(seed)
    for side, table, points in shots:
        before, drawn = made, len(dice.faces)
        harm = take_hit(made, hit_location.locate(side, table, dice, rules), points, dice)
        made = harm.unit
        assert made == rebuilt(before, harm)
        steps = [fact for fact in harm.facts if isinstance(fact, DamageStep)]
        assert dice.faces[drawn:] == faces_of(harm)
        blasts = sum(fact.damage for fact in harm.facts if isinstance(fact, Explosion))
        dealt = sum(step.armor + step.structure + step.vented for step in steps)
        assert dealt <= points + blasts
        if not beyond_repair(made):
            assert dealt == points + blasts
        assert min(*map(min, made.armor.values()), *made.structure.values()) >= 0
        limbs = any(fact.losses for fact in steps) or any(
            isinstance(fact, CriticalCheck) and fact.blown_off for fact in harm.facts
        )
        if not limbs:
            assert total(before) - total(made) == dealt


@settings(max_examples=200, deadline=None)
@given(weapon=st.sampled_from(sorted(PLAYED)), needed=st.integers(2, 12), seed=st.integers(0, 2**32))
def test_missiles_are_conserved_and_dice_recorded(weapon: str, needed: int, seed: int) -> None:
    gun, dice = WEAPONS[weapon], RecordingDice(seed)
    shot = fire(TargetNumber(True, needed), gun, dice)
    assert [face for roll in shot.rolls for face in roll.faces] == dice.faces
    assert shot.hit == (sum(dice.faces[:2]) >= needed)
    if not shot.hit:
        assert shot.groups == ()
    elif gun.rack:
        assert 1 <= shot.missiles <= gun.rack
        assert sum(shot.groups) == shot.missiles * gun.damage
        assert all(points <= gun.group * gun.damage for points in shot.groups)
    else:
        assert shot.groups == ((gun.damage,) if gun.damage else ())


@given(size=st.sampled_from(sorted(cluster_hits.HITS)), roll=st.integers(2, 11), bonus=st.integers(0, 4))
def test_a_better_cluster_roll_never_hits_with_less(size: int, roll: int, bonus: int) -> None:
    assert cluster_hits.hits(size, roll, bonus) <= cluster_hits.hits(size, roll + 1, bonus) <= size


@given(points=st.integers(0, 200))
def test_groups_add_up(points: int) -> None:
    groups = damage_groups(points)
    assert sum(groups) == points
    assert all(0 < group <= 5 for group in groups)


@settings(max_examples=100, deadline=None)
@given(model=models, levels=st.integers(0, 3), depth=st.integers(0, 2), seed=st.integers(0, 2**32))
def test_a_fall_deals_what_it_should(model: str, levels: int, depth: int, seed: int) -> None:
    made, dice = unit(model), RecordingDice(seed)
    after = fall(made, levels, depth, dice)
    drawn = after.landing.rolls + after.damage.rolls + after.saved.rolls
    assert dice.faces == [face for roll in drawn for face in roll.faces]
    assert after.landing.damage == fall_damage(made.design.tons, levels, depth)
    assert after.unit.prone
