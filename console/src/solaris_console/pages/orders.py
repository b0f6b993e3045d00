"""Orders: fill in, preview, seal, and the receipt; and the answer to the private question after a fall.

Nothing here knows or says what the other side has done.
"""

from dataclasses import replace
from typing import Any

from starlette.responses import Response

from solaris_console.apis import Trouble
from solaris_console.draft import Draft, Unclear, answer_of, command_key, orders_of, with_masc
from solaris_console.drawing import cheapest
from solaris_console.pages.fight import Desk, load_fight, question_of, show
from solaris_console.telling import Complaint, complaints, problem_words, unclear_words
from solaris_console.visit import Visit

Json = dict[str, Any]


async def handle_orders(visit: Visit) -> Response:
    """The order form: pick a hex, preview, or seal, as the pressed button says."""
    found, desk = await _desk(visit)
    if desk is None:
        visit.tell("not-asked")
        return visit.go(f"/fights/{found['fight_id']}")
    if visit.form.get("pick"):
        return await show(visit, found, replace(desk, draft=_picked(desk, visit.form["pick"])))
    try:
        orders = orders_of(desk.draft, desk.options)
    except Unclear as unclear:
        return await show(visit, found, _refused(visit, desk, unclear), 422)
    if visit.form.get("do") == "seal":
        return await _seal(visit, found, desk, orders)
    return await _preview(visit, found, desk, orders)


async def _desk(visit: Visit) -> tuple[Json, Desk | None]:
    """The fight and the form as it was sent; no form if orders are not asked any more."""
    found = await load_fight(visit)
    path = f"/v1/fights/{found['fight_id']}/options"
    options = with_masc((await visit.caller.get("combat", path))["options"]) if found["you"] else {}
    same = options and (str(options["turn"]), options["kind"]) == (
        visit.form.get("turn"),
        visit.form.get("kind"),
    )
    if not same or question_of(found):
        return found, None
    key = visit.form.get("key", "")[:64]
    return found, Desk(options, Draft(visit.form), key, visit.form.get("replaces", "")[:64])


def _picked(desk: Desk, there: str) -> Draft:
    """A hex chosen on the board, by the mode chosen already if it leads there."""
    modes = cheapest(desk.options.get("movement", {}).get("modes", {})).get(there, (0, ()))[1]
    if not modes:
        return desk.draft
    mode = desk.draft.goal[0] if desk.draft.goal[0] in modes else modes[0]
    return Draft({**desk.draft.values, "go": f"{mode}:{there}", "facing": "", "steps": ""})


def _refused(visit: Visit, desk: Desk, unclear: Unclear) -> Desk:
    return replace(desk, complaints=[Complaint(unclear_words(visit.speech, unclear))])


def _complaining(visit: Visit, desk: Desk, trouble: Trouble) -> Desk:
    """A refusal of combat as words on the form; raises what is no refusal of these orders."""
    if trouble.down or trouble.status in (401, 403, 404):
        raise trouble
    said = complaints(visit.speech, trouble.errors) or [Complaint(problem_words(visit.speech, trouble))]
    return replace(desk, complaints=said)


async def _preview(visit: Visit, found: Json, desk: Desk, orders: Json) -> Response:
    path = f"/v1/fights/{found['fight_id']}/orders/preview"
    try:
        answer = await visit.caller.command("POST", "combat", path, orders)
    except Trouble as trouble:
        return await show(visit, found, _complaining(visit, desk, trouble), 422)
    wrong = complaints(visit.speech, answer["violations"])
    return await show(visit, found, replace(desk, preview=answer, complaints=wrong))


async def _seal(visit: Visit, found: Json, desk: Desk, orders: Json) -> Response:
    path = f"/v1/fights/{found['fight_id']}/orders"
    key = command_key(desk.key, orders)
    try:
        receipt = await visit.caller.command("PUT", "combat", path, orders, key, desk.replaces)
    except Trouble as trouble:
        return await show(visit, found, _complaining(visit, desk, trouble), 422)
    visit.tell("sealed", receipt=receipt, fight_id=found["fight_id"], deadline=found["deadline"])
    return visit.go(f"/fights/{found['fight_id']}/receipt")


async def handle_answer(visit: Visit) -> Response:
    """The answer to the question after a fall."""
    found = await load_fight(visit)
    question, path = question_of(found), f"/v1/fights/{found['fight_id']}/orders"
    if question is None:
        visit.tell("not-asked")
        return visit.go(f"/fights/{found['fight_id']}")
    draft = Draft(visit.form)
    try:
        answer = answer_of(draft, question["turn"])
        key = command_key(visit.form.get("key", "")[:64], answer)
        receipt = await visit.caller.command("PUT", "combat", path, answer, key)
    except Unclear as unclear:
        said = unclear_words(visit.speech, unclear)
        return await show(visit, found, None, 422, {"draft": draft, "complaints": [Complaint(said)]})
    except Trouble as trouble:
        wrong = _complaining(visit, Desk({}, draft, ""), trouble).complaints
        return await show(visit, found, None, 422, {"draft": draft, "complaints": wrong})
    visit.tell("sealed", receipt=receipt, fight_id=found["fight_id"], deadline=found["deadline"])
    return visit.go(f"/fights/{found['fight_id']}/receipt")


async def receipt(visit: Visit) -> Response:
    """What was sealed, when, under which hash, and until when it may be changed."""
    notice, fight_id = visit.session.notice, visit.path["fight_id"]
    if notice.get("kind") == "sealed" and notice.get("fight_id") == fight_id:
        return visit.page(
            "receipt.html", receipt=notice["receipt"], fight_id=fight_id, deadline=notice["deadline"]
        )
    found = await load_fight(visit)
    sealed = (found["you"] or {}).get("sealed")
    if not sealed:
        return visit.go(f"/fights/{fight_id}")
    return visit.page("receipt.html", receipt=sealed, fight_id=fight_id, deadline=found["deadline"])
