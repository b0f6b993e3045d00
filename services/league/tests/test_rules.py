"""The league's rules as pure functions."""

import pytest

from solaris_league.domain import mechwarrior as mechwarriors
from solaris_league.domain import round as rounds
from solaris_league.domain.experience import category, experience_halves
from solaris_league.domain.fight_length import fight_length
from solaris_league.domain.lot import Lot, commitment
from solaris_league.domain.mechwarrior import FightOutcome, FightRecorded, SkillImproved
from solaris_league.domain.names import fold
from solaris_league.domain.pairing import LentMech, draw_round
from solaris_league.domain.ranking import Result, counted_rounds, quarterly, ranking_points
from solaris_league.domain.round import RoundClosed, RoundTerms
from solaris_shared.errors import Rejected, Unprocessable
from solaris_shared.testing.scenario import given

SEED = "0f" * 32
POOL = tuple(LentMech(f"00000000-0000-0000-0000-0000000000{n:02}", f"MECH-{n}") for n in range(12))
TERMS = RoundTerms(3, "solaris7/1", ("cantera", "jungla"), POOL, 8, 3600)


# --- points, experience, length


@pytest.mark.parametrize(("result", "points"), [("win", 3), ("draw", 1), ("loss", 0)])
def test_ranking_points(rules, result, points):
    assert ranking_points(rules.ranking, result) == ranking_points(rules.ranking, result, 1) == points


def test_a_draw_counts_nothing_before_round_16_of_the_history(rules):
    assert [ranking_points(rules.ranking, "draw", number - 15) for number in (14, 15, 16)] == [0, 0, 1]
    assert ranking_points(rules.ranking, "win", 0) == 3


@pytest.mark.parametrize(
    ("wins", "draws", "halves", "name", "skills"),
    [
        (0, 0, 0, "Principiante", (4, 5)), (0, 1, 1, "Principiante", (4, 5)), (0, 2, 2, "Rookie", (4, 4)),
        (2, 1, 5, "Rookie", (4, 4)), (3, 0, 6, "Amateur", (3, 4)), (6, 0, 12, "Semiprofesional", (3, 3)),
        (10, 0, 20, "Profesional", (2, 3)), (45, 0, 90, "Leyenda II", (0, 0)),
        (200, 9, 409, "Leyenda II", (0, 0)),
    ],
)  # fmt: skip
def test_experience(rules, wins, draws, halves, name, skills):
    level = category(rules, experience_halves(rules, wins, draws))
    assert (experience_halves(rules, wins, draws), level.name) == (halves, name)
    assert (level.gunnery, level.piloting) == skills


def test_the_levels_follow_their_law(rules):
    assert [level.begins for level in rules.levels] == [n * (n - 1) // 2 for n in range(1, 11)]


@pytest.mark.parametrize(("class_", "wanted", "turns"), [(5, (9, 12), 10), (5, (8, 8), 8), (3, (8, 8), 8)])
def test_fight_length(rules, class_, wanted, turns):
    assert fight_length(rules, class_, wanted) == turns


@pytest.mark.parametrize(
    ("class_", "wanted"), [(3, (8, 9)), (4, (10, 10)), (5, (7, 12)), (3, (7, 7)), (5, (15, 8))]
)
def test_other_lengths_are_refused(rules, class_, wanted):
    with pytest.raises(Rejected):
        fight_length(rules, class_, wanted)


# --- names


def test_names_fold():
    assert fold(" Ｉñigo  STRASSE ") == fold("inigo straße")
    assert fold("Ana") != fold("Anna")


# --- the lot


def test_the_lot_is_the_same_for_ever():
    """A golden vector: changing the algorithm breaks every published draw."""
    lot = Lot(SEED)
    assert [lot.below(6) for _ in range(10)] == [4, 3, 3, 4, 0, 4, 1, 5, 3, 2]
    assert Lot(SEED).shuffled("abcdef") == tuple("cafbde")
    assert commitment(SEED) == "9b68d49bb092f71292ad76ab8fb8750d710aae5af70e43b8ec0a901d048c0030"


def test_every_item_comes_first_about_as_often():
    firsts = [Lot(f"{n:064x}").shuffled("abc")[0] for n in range(1500)]
    assert all(420 < firsts.count(letter) < 580 for letter in "abc")


def test_a_draw_uses_everybody_once_and_each_mech_once():
    people = [f"m{n}" for n in range(8)]
    draw = draw_round(Lot(SEED), people, TERMS.arenas, POOL, {})
    seats = [seat for pairing in draw.pairings for seat in (pairing.a, pairing.b)]
    assert sorted(seat.mechwarrior_id for seat in seats) == people
    assert len({seat.mech.instance_id for seat in seats}) == 8
    assert draw.resting is None
    assert draw == draw_round(Lot(SEED), people[::-1], TERMS.arenas, POOL[::-1], {})


def test_with_an_odd_number_one_rests_who_has_not_rested_before():
    people = ["a", "b", "c"]
    first = draw_round(Lot(SEED), people, TERMS.arenas, POOL, {})
    second = draw_round(Lot(SEED), people, TERMS.arenas, POOL, {}, [first.resting])
    assert len(first.pairings) == 1 and second.resting not in (None, first.resting)
    assert draw_round(Lot(SEED), people, TERMS.arenas, POOL, {}, people).resting == first.resting


def test_rivals_meet_again_only_when_nobody_new_is_left():
    people = ["a", "b", "c", "d"]
    met = {}
    for number in range(3):
        draw = draw_round(Lot(f"{number:064x}"), people, TERMS.arenas, POOL, met)
        for pairing in draw.pairings:
            pair = frozenset((pairing.a.mechwarrior_id, pairing.b.mechwarrior_id))
            met[pair] = met.get(pair, 0) + 1
    assert sorted(met.values()) == [1] * 6


@pytest.mark.parametrize(
    ("people", "pool", "code"),
    [(["a"], POOL, "too-few-entrants"), (["a", "b", "c", "d"], POOL[:3], "lending-pool-too-small"),
     ([str(n) for n in range(257)], POOL, "too-many-entrants")],
)  # fmt: skip
def test_a_draw_that_cannot_be(people, pool, code):
    with pytest.raises(Rejected) as caught:
        draw_round(Lot(SEED), people, TERMS.arenas, pool, {})
    assert caught.value.code == code


# --- rounds


def opened(rules, terms=TERMS):
    return rounds.open_round(rules, "r-1", 1, terms, SEED)


def fighter(rules, name):
    return mechwarriors.evolve(None, mechwarriors.enter(rules, name, f"p-{name}", name.upper(), "Kurita"))


def drawn(rules, members):
    state = given(rounds.evolve, *opened(rules)).state
    return rounds.draw(state, members, [], ["f-1", "f-2", "f-3"])


def test_the_lot_is_committed_when_the_round_opens(rules):
    event, seeded = opened(rules)
    assert event.seed_commitment == commitment(SEED) and SEED not in repr(event)
    assert seeded.seed == SEED


@pytest.mark.parametrize(
    ("changes", "code"),
    [({"class_": 2}, "class-not-played"), ({"turns": 9}, "fight-length-fixed"),
     ({"turn_seconds": 0}, "invalid"),
     ({"turn_seconds": 10**7}, "invalid"), ({"pool": (POOL[0], POOL[0])}, "invalid")],
)  # fmt: skip
def test_terms_that_are_refused(rules, changes, code):
    from dataclasses import replace

    with pytest.raises((Rejected, Unprocessable)) as caught:
        opened(rules, replace(TERMS, **changes))
    assert caught.value.code == code


def test_the_draw_tells_everything_that_repeats_it(rules):
    event = drawn(rules, [fighter(rules, name) for name in "dcba"])
    again = draw_round(Lot(event.seed), event.entrants, TERMS.arenas, POOL, {})
    assert (again.pairings, again.resting) == (event.pairings, event.resting)
    assert event.fight_ids == ("f-1", "f-2")


def test_a_round_is_drawn_once(rules):
    members = [fighter(rules, name) for name in "ab"]
    history = (*opened(rules), drawn(rules, members))
    given(rounds.evolve, *history).when(rounds.draw, members, [], ["f"]).then_rejected("already-drawn")


def test_scheduled_fights_carry_skills_purse_and_lent_mechs(rules):
    members = {name: fighter(rules, name) for name in "ab"}
    (fight,) = rounds.schedule(rules, TERMS, drawn(rules, list(members.values())), members)
    assert fight.purse == {"win": 300_000, "draw": 200_000, "loss": 100_000}
    assert (fight.turns, fight.turn_seconds, fight.kind) == (8, 3600, "ranking")
    assert {(side.side, side.gunnery, side.piloting, side.owner) for side in fight.sides} == {
        ("A", 4, 5, "organisers"),
        ("B", 4, 5, "organisers"),
    }


def test_a_round_closes_with_the_ranking_when_its_last_fight_is_counted(rules):
    members = [fighter(rules, name) for name in "abcd"]
    history = [*opened(rules), drawn(rules, members)]
    state = given(rounds.evolve, *history).state
    assert rounds.count_fight(state, "elsewhere") == ()
    for fight in ("f-1", "f-2"):
        assert rounds.close(rules, state, members) == ()
        (counted,) = rounds.count_fight(state, fight)
        state = rounds.evolve(state, counted)
        assert rounds.count_fight(state, fight) == ()
    closed, published = rounds.close(rules, state, members)
    assert isinstance(closed, RoundClosed) and [row.rank for row in published.standings] == [1, 1, 1, 1]
    assert rounds.close(rules, rounds.evolve(state, closed), members) == ()


# --- mechwarriors and ranking


def test_a_win_counts_once_and_improves_the_skill(rules):
    one, outcome = fighter(rules, "a"), FightOutcome("f-1", 1, "win", 40, "b")
    events = mechwarriors.record_fight(rules, one, outcome)
    assert events == (
        FightRecorded("a", "f-1", 1, "win", 3, 40, "b"),
        SkillImproved("a", "Rookie", 4, 4),
    )
    for event in events:
        one = mechwarriors.evolve(one, event)
    assert (one.gunnery, one.piloting) == (4, 4)
    assert mechwarriors.record_fight(rules, one, outcome) == ()


def test_an_unknown_affiliation_is_refused(rules):
    with pytest.raises(Unprocessable) as caught:
        mechwarriors.enter(rules, "m", "p", "N", "Independiente")
    assert caught.value.extra["errors"][0]["pointer"] == "/affiliation"


def result(round_, points, outcome="win"):
    return Result(round_, f"f-{round_}", outcome, points, 0, "x")


def test_the_ranking_sums_the_last_three_rounds_and_level_rows_share_a_rank(rules):
    results = {
        "old": [result(1, 3), result(2, 3)],
        "new": [result(3, 3), result(4, 1, "draw")],
        "equal": [result(2, 3), result(4, 1, "draw")],
        "none": [],
    }
    rows = quarterly(rules.ranking, 4, results)
    assert [(row.rank, row.mechwarrior_id, row.points) for row in rows] == [
        (1, "equal", 4),
        (1, "new", 4),
        (3, "old", 3),
        (4, "none", 0),
    ]
    assert (rows[2].fights, rows[2].wins) == (1, 1)
    assert list(counted_rounds(rules.ranking, 4)) == [2, 3, 4]
    assert list(counted_rounds(rules.ranking, 1)) == [1] and list(counted_rounds(rules.ranking, 0)) == []
