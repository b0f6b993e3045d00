"""Seeded faults under load: kill workers, the bus (and wipe its store) and PostgreSQL backends, then look
whether anything was lost, doubled or reordered. SOLARIS_CHAOS_SEEDS="7,8" and SOLARIS_CHAOS_SECONDS choose
others.
"""

import asyncio
import os
from pathlib import Path
from time import monotonic

import pytest
from chaos_checks import check, settled
from chaos_world import World

from solaris_shared.testing.servers import private

SEEDS = [int(seed) for seed in (os.environ.get("SOLARIS_CHAOS_SEEDS") or "1,2,3").split(",")]
SECONDS = float(os.environ.get("SOLARIS_CHAOS_SECONDS") or 60)
SETTLE_SECONDS = 90


@pytest.mark.chaos
@pytest.mark.parametrize("seed", SEEDS)
async def test_nothing_is_lost_doubled_or_reordered(seed: int, tmp_path: Path):
    """P08, G07, D02, O05: the invariants hold after any faults."""
    with private("postgres") as postgres, private("nats") as nats:
        world = World(seed, postgres, nats, tmp_path)
        try:
            await world.open()
            load = asyncio.create_task(world.load())
            await world.disturb(SECONDS)
            world.stop_load.set()
            await load
            await world.calm()
            begin = monotonic()
            await settled(world, SETTLE_SECONDS)
            settling = monotonic() - begin
            await check(world)
        finally:
            world.close()
    ends = {name: dict(worker.ends) for name, worker in world.workers.items()}
    told = f"settled in {settling:.0f} s, checked in {monotonic() - begin - settling:.0f} s"
    print(f"seed {seed}: {len(world.acked)} commands, faults {dict(world.faults)}, ends {ends}, {told}")
    assert len(world.acked) > SECONDS
    assert sum(world.faults.values()) > SECONDS / 4
