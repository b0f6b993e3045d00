"""What is one's own: the ledger and the letters."""

from urllib.parse import quote

from starlette.responses import Response

from solaris_console.apis import panel
from solaris_console.visit import Visit

LINES = 30


async def ledger(visit: Visit) -> Response:
    """One's account and what came and went, newest first."""
    accounts = (await visit.caller.get("economy", "/v1/balances"))["items"]
    wanted = visit.query("account")
    account = next((one for one in accounts if one["owner"] == wanted), accounts[0] if accounts else None)
    entries = None
    if account:
        path = f"/v1/accounts/{quote(account['owner'], safe='')}/ledger"
        entries = await panel(visit.caller.get("economy", path, limit=LINES, **_cursor(visit)))
    return visit.page("ledger.html", account=account, accounts=accounts, entries=entries)


async def letters(visit: Visit) -> Response:
    """One's letters, and whether the address works."""
    page = await visit.caller.get("mail", "/v1/me/letters", limit=LINES, **_cursor(visit))
    contact = await panel(visit.caller.get("mail", "/v1/me/contact"))
    return visit.page("letters.html", page=page, contact=contact)


def _cursor(visit: Visit) -> dict[str, str]:
    return {"cursor": visit.query("cursor")} if visit.query("cursor") else {}
