"""A fight as one viewer may see it. What is only one side's own stands under "you" and nowhere else."""

from solaris_combat.application.fights import Referee, open_comment, open_own, open_question, receipt
from solaris_combat.application.publish import instant, next_json
from solaris_combat.domain.events import AnswerSealed, FightConcluded, FightParked, OrdersSealed
from solaris_combat.domain.fight import Fight
from solaris_combat.engines.canonical import plain
from solaris_combat.engines.contract import Json, Question

LANGUAGES = ("es", "en")


def fight_json(referee: Referee, fight: Fight, person: str | None) -> Json:
    """The whole page of a fight for a person (None: a spectator)."""
    side = fight.seat_of(person) if person else None
    progress = _progress(fight, side)
    game = progress["game"]
    turns = game["turns"] if game else fight.terms.setup.turns
    you = _you(referee, fight, side) if side else None
    return {**_terms(fight), "turns": turns, **progress, "you": you}


def _terms(fight: Fight) -> Json:
    terms, setup = fight.terms, fight.terms.setup
    return {
        "fight_id": terms.fight_id,
        "round": terms.round,
        "kind": terms.kind,
        "class": setup.fight_class,
        "arena": setup.arena,
        "turn_seconds": terms.turn_seconds,
        "ruleset": setup.ruleset,
        "referee": terms.referee,
        "seed_commitment": fight.seed_commitment,
        "teams": dict(setup.teams),
        "sides": [
            {
                **plain(seat.unit),
                "mechwarrior_id": seat.mechwarrior_id,
                "person_id": seat.person_id,
                "mech": {"instance_id": seat.instance_id, "model": seat.unit.model, "owner": seat.owner},
            }
            for seat in terms.seats
        ],
    }


def _progress(fight: Fight, side: str | None) -> Json:
    return {
        "length": {"wishes": dict(fight.wishes)},
        "state": fight.ended or ("parked" if fight.parked else "open"),
        "parked": _parked(fight.parked) if fight.parked else None,
        "request": next_json(fight.request),
        "deadline": instant(fight.deadline),
        "game": fight.playing.view(fight.game, side) if fight.engine else None,
        "result": _result(fight.concluded) if fight.concluded else None,
    }


def _parked(parked: FightParked) -> Json:
    return {
        "code": parked.code,
        "since": instant(parked.at),
        "pinned": parked.pinned,
        "carried": parked.carried,
    }


def _result(concluded: FightConcluded) -> Json:
    return {**plain(concluded.outcome), "seed": concluded.seed, "record_digest": concluded.record_digest}


def _you(referee: Referee, fight: Fight, side: str) -> Json:
    sealed = fight.sealed.get(side)
    question = own_question(referee, fight, side)
    return {
        "side": side,
        "asked": request_json(fight, side),
        "sealed": receipt(sealed) if sealed else None,
        "question": plain(question) if question else None,
    }


def request_json(fight: Fight, side: str) -> Json | None:
    """What is asked of a side, or None."""
    if fight.request is None or side not in fight.request.sides:
        return None
    return {"turn": fight.request.turn, "kind": fight.request.kind}


def own_question(referee: Referee, fight: Fight, side: str) -> Question | None:
    """The open question of a side, for that side."""
    asked = fight.asked.get(side)
    return open_question(referee, fight, asked) if asked else None


def options_json(referee: Referee, fight: Fight, side: str) -> Json:
    """What the side may order or answer now; `request` is None when nothing is asked of it."""
    request, question = request_json(fight, side), own_question(referee, fight, side)
    if request is None:
        return {"request": None, "question": None, "options": {}}
    options = question.options if question else fight.playing.options(fight.game, side)
    return {"request": request, "question": plain(question) if question else None, "options": options}


def own_orders_json(referee: Referee, fight: Fight, side: str) -> Json | None:
    """What the side has sealed for the present request."""
    sealed = fight.sealed.get(side)
    if sealed is None:
        return None
    answers = [event for (answering, _), event in fight.answers.items() if answering == side]
    return {
        **_own(referee, fight, sealed),
        "answers": [_own(referee, fight, event) for event in answers],
    }


def _own(referee: Referee, fight: Fight, event: OrdersSealed | AnswerSealed) -> Json:
    orders = open_own(referee, fight, event).orders
    comment = open_comment(referee, fight, event)
    return {**receipt(event), "orders": orders, "text": texts_json(fight, orders), "comment": comment}


def texts_json(fight: Fight, orders: Json) -> Json:
    """Orders as text in both languages."""
    engine = fight.playing
    return {language: engine.write_text(engine.parse_orders(orders), language) for language in LANGUAGES}


def comments_json(referee: Referee, fight: Fight, side: str | None) -> Json:
    """Special requests sent with orders that have been opened: of one side, or of all for the referee."""
    told = [one for one in fight.comments if side is None or one.side == side]
    return {
        "items": [
            {
                "side": one.side,
                "turn": one.turn,
                "kind": one.kind,
                "sent_at": instant(one.at),
                "comment": open_comment(referee, fight, one),
            }
            for one in told
        ]
    }
