"""The Injuries table (R 4.7; tables 5.1): who would have died in a fight rolls with its open seed."""

import asyncio
import json
from uuid import uuid4

import pytest

from solaris_league.adapters.tables import load_rules
from solaris_league.domain.injuries import InjuriesRolled, MechwarriorDied, dice_of, injury_of, roll_injuries
from solaris_league.domain.mechwarrior import FightOutcome, enter, evolve, record_fight

RULES = load_rules()
WHO = "8d2f0a6e-3a51-4f0b-9a34-1f1c9b7e6d32"
POOL = [{"instance_id": str(uuid4()), "model": f"PNT-{n}R"} for n in range(4)]
TERMS = {"class": 3, "arenas": ["cantera"], "pool": POOL, "turns": 8, "turn_seconds": 3600}
TABLE = {
    2: ("death", 0, 0, 0, 0, 0), 3: ("death", 0, 0, 0, 0, 0), 4: ("death", 0, 0, 0, 0, 0),
    5: ("coma", 3, 0, 1, 0, 0), 6: ("hands", 2, 1, 0, 0, 0), 7: ("legs", 2, 0, 1, 0, 0),
    8: ("long-recovery", 2, 0, 0, 0, 0), 9: ("recovery", 1, 0, 0, 0, 0), 10: ("recovery", 1, 0, 0, 0, 0),
    11: ("not-healed", 0, 0, 0, 2, 0), 12: ("unharmed", 0, 0, 0, 0, 1),
}  # fmt: skip


def seed_with(total: int, who: str = WHO) -> str:
    """A seed whose dice for this mechwarrior sum up to `total`."""
    return next(seed for seed in (f"{n:064x}" for n in range(5000)) if sum(dice_of(seed, who)) == total)


@pytest.mark.parametrize("total", range(2, 13))
def test_every_total_of_the_table(total: int):
    rolled, *died = roll_injuries(RULES, WHO, "f", 4, seed_with(total))
    found = (rolled.result, rolled.rounds_out, rolled.gunnery, rolled.piloting, rolled.wounds)
    assert (*found, rolled.reputation) == TABLE[total]
    assert sum(rolled.faces) == total
    assert died == ([MechwarriorDied(WHO, "f", 4)] if total <= 4 else [])


def test_death_comes_in_6_of_36_and_lasting_harm_in_15():
    rows = [injury_of(RULES, (a, b)) for a in range(1, 7) for b in range(1, 7)]
    assert sum(row.dies for row in rows) == 6
    assert sum(bool(row.gunnery or row.piloting) for row in rows) == 15


def test_the_dice_are_a_lot_of_the_fights_seed_for_each_mechwarrior():
    seed = "0f" * 32
    assert dice_of(seed, WHO) == dice_of(seed, WHO)
    assert len({dice_of(seed, f"{WHO}{n}") for n in range(200)}) > 20


def test_who_lives_through_an_ordinary_fight_rolls_nothing_and_injuries_last():
    state = evolve(None, enter(RULES, WHO, "p", "Halcón", "Davion"))
    fine = FightOutcome("f", 3, "loss", 1, "other")
    assert not [e for e in record_fight(RULES, state, fine) if isinstance(e, InjuriesRolled)]
    for event in record_fight(RULES, state, FightOutcome("f", 3, "loss", 1, "other", True, seed_with(6))):
        state = evolve(state, event)
    assert (state.gunnery, state.piloting, state.dead) == (5, 5, False)
    assert [state.fights_in(number) for number in range(3, 8)] == [False, False, False, True, True]


async def test_the_dead_and_the_injured_are_not_drawn(
    worker, person, commission, anybody, conclude, eventually, store
):
    for number in range(4):
        one = await person(f"player {number}")
        await one.post("/v1/mechwarriors", {"name": f"Piloto {number}", "affiliation": "Kurita"})
    first, second = await _drawn(commission, anybody)
    dead, hurt = first["sides"][1]["mechwarrior_id"], second["sides"][1]["mechwarrior_id"]
    await conclude(first, ("win", "loss"), (9, 3), (False, True), seed_with(3, dead))
    await conclude(second, ("win", "loss"), (9, 3), (False, True), seed_with(7, hurt))
    path = f"/v1/rounds/{first['round_id']}"
    await eventually(lambda: _json(anybody, path), lambda one: one["state"] == "closed")
    (fight,) = await _drawn(commission, anybody)
    assert not {dead, hurt} & {side["mechwarrior_id"] for side in fight["sides"]}
    shown = {one: await _json(anybody, f"/v1/mechwarriors/{one}") for one in (dead, hurt)}
    assert (shown[dead]["dead"], shown[hurt]["dead"], shown[hurt]["out_until"]) == (True, False, 3)
    assert shown[hurt]["piloting"] == 6
    kinds = [json.loads(row["envelope"])["type"] for row in await store.pool.fetch("SELECT * FROM outbox")]
    assert kinds.count("solaris.league.injuries-rolled.v1") == 2
    assert kinds.count("solaris.league.mechwarrior-died.v1") == 1


async def _json(anybody, path):
    return (await anybody.get(path)).json()


async def _drawn(commission, anybody):
    round_id = (await commission.post("/v1/rounds", TERMS)).json()["round_id"]
    await commission.post(f"/v1/rounds/{round_id}/draw")
    anybody.last = commission.last
    await asyncio.sleep(0)
    return (await _json(anybody, f"/v1/fights?round_id={round_id}"))["items"]
