"""A whole duel by two people over REST only, from the league's schedule to a record that proves itself."""

import json

from worlds import FIGHT, World, open_world

from solaris_combat.domain.verify import verify
from solaris_combat.rulesets import rulesets


async def page(world: World, token: str = "") -> dict:
    """The fight as somebody sees it."""
    return json.loads((await world.ask(world.combat, "GET", f"/v1/fights/{FIGHT}", token))["body"])


async def act(world: World, token: str, level: int, number: int) -> None:
    """Send whatever is asked of a side, also the answer to a question."""
    you = (await page(world, token))["you"]
    if you["asked"] is None or (you["sealed"] is not None and you["question"] is None):
        return
    orders = await world.choose(token, level, f"{you['side']} {number}")
    got = await world.put(token, orders, f"{you['side']}-{number}")
    assert got["status"] == 200, got


async def test_from_schedule_to_record(databases, nats_server, tmp_path, eyes):
    async with open_world(databases, nats_server, tmp_path, eyes) as world:
        for number in range(60):
            if (await page(world))["state"] == "concluded":
                break
            await act(world, world.eyes.ana, 2, number)
            await act(world, world.eyes.ben, 1, number)
            await world.settle()
        end = await page(world)
        assert end["state"] == "concluded" and end["request"] is None
        record = (await world.ask(world.combat, "GET", f"/v1/fights/{FIGHT}/record", ""))["body"]
        assert verify(record, rulesets())["seed"] == end["result"]["seed"]
        bus = await world.look_bus()
        assert bus["messages"][-1]["subject"] == f"solaris.combat.fight.{FIGHT}.fight-concluded.v1"
        letters = [to for to, _ in world.mailbox.letters]
        assert ("ana@players.example",) in letters and ("ben@players.example",) in letters
        requests = sum(b".phase-resolved." in json.dumps(one).encode() for one in bus["messages"])
        assert requests >= 3
