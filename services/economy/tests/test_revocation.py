"""A personal token revoked by the league is refused here as soon as the public fact has been imported."""

import asyncio
import json
import time
from types import SimpleNamespace
from uuid import uuid4

import httpx
import pytest

from solaris_economy.domain.account import AccountOpened
from solaris_economy.main import definition
from solaris_shared.database import open_engine
from solaris_shared.http.app import create_app
from solaris_shared.http.tokens import Claims, make_key, public_jwks, sign
from solaris_shared.log.event_log import Meta, Row, append_rows
from solaris_shared.log.sequencer import sequence_all
from solaris_shared.processing.projector import Projector
from solaris_shared.settings import Settings

KEY = make_key()


@pytest.fixture
async def service(database, store, tmp_path):
    """The API with no worker; `step` folds what the log has into the read models."""
    (tmp_path / "jwks.json").write_text(json.dumps(public_jwks(KEY)))
    economy, engine = definition(), open_engine(database)
    store.log = economy.log
    projectors = [Projector(store, engine, projection) for projection in economy.projections]

    async def step():
        await sequence_all(store)
        for projector in projectors:
            await projector.prepare()
            while await projector.step():
                pass

    settings = Settings(database_url=database, jwks_file=tmp_path / "jwks.json", cursor_key="k" * 32)
    app = create_app(economy, settings)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://economy") as client:
            yield SimpleNamespace(client=client, step=step)
    await engine.dispose()


async def test_a_token_is_refused_once_its_revocation_is_here(service, store):
    now, token_id, person = int(time.time()), str(uuid4()), str(uuid4())
    scopes, roles = frozenset({"ledger:read"}), frozenset({"player"})
    token = sign(KEY, Claims(person, roles, scopes, token_id, "personal", now, now + 900))
    headers = {"Authorization": f"Bearer {token}"}
    async with store.transaction(Meta(uuid4(), "c", "c", "p")) as tx:
        await tx.append("account-ana", 0, AccountOpened("ana", "mechwarrior", 0, person))
    await service.step()
    assert (await service.client.get("/v1/balances", headers=headers)).status_code == 200
    mine = headers | {"Accept": "text/event-stream"}
    following = asyncio.create_task(service.client.get("/v1/accounts/ana/events", headers=mine))
    await asyncio.sleep(0.5)
    assert not following.done()
    row = Row(
        uuid4(),
        "solaris.league.token-revoked.v1",
        1,
        json.dumps({"token_id": token_id}),
        json.dumps({"subject": f"token/{token_id}"}),
    )
    async with store.atomic() as conn:
        await append_rows(conn, "import-league", 0, [row], await conn.fetchval("SELECT clock_timestamp()"))
    assert (await service.client.get("/v1/balances", headers=headers)).status_code == 200
    await service.step()
    answer = await service.client.get("/v1/balances", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (401, "token-revoked")
    async with asyncio.timeout(10):  # the stream that was open ends by itself
        assert (await following).text.startswith("retry:")
