"""The table of role x action x own/other, in full."""

import pytest

from solaris_league.api.policy import POLICY
from solaris_shared.http.auth import Principal

ROLES = ("public", "player", "referee", "commission", "operator")
OPEN = {
    "person.register", "session.open", "mechwarrior.read", "round.read", "fight.read", "standings.read",
    "challenge.read", "ruling.read",
}  # fmt: skip
OWN = {"me.read", "password.change", "token.issue", "token.list", "token.revoke"}
COMMISSION = {
    "roles.change", "round.open", "round.draw", "round.change", "fight.void", "appeal.rule",
    "permanence.call",
}  # fmt: skip
SCOPES = {
    "me.read": "fights:read", "round.open": "commission", "round.draw": "commission",
    "fight.void": "commission", "appeal.rule": "commission",
    "permanence.call": "commission", "round.change": "commission",
}  # fmt: skip
PLAYER = {"mechwarrior.enter", "challenge.issue", "challenge.answer", "appeal.lodge"}
ACTIONS = OPEN | OWN | COMMISSION | PLAYER


def expected(role, action, own):
    if action in OPEN:
        return True
    if action in COMMISSION:
        return role == "commission"
    if action in PLAYER:
        return own and role == "player"
    return own and role != "public"


def test_the_table_has_no_other_action():
    assert set(POLICY.table) == ACTIONS


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("action", sorted(ACTIONS))
@pytest.mark.parametrize("role", ROLES)
def test_role_action_reach(role, action, own):
    person = None if role == "public" else "ana"
    principal = Principal(person, frozenset({role, "public"}), frozenset({"*"}))
    owner = ("ana" if own else "bea") if person else "bea"
    assert POLICY.allows(principal, action, owner) is expected(role, action, own and person is not None)


@pytest.mark.parametrize("action", sorted(ACTIONS - OPEN))
@pytest.mark.parametrize("scope", ["fights:read", "orders:write", "ledger:read", "commission", "referee", ""])
def test_scopes_of_personal_tokens(action, scope):
    everything = frozenset({*ROLES})
    principal = Principal("ana", everything, frozenset({scope}))
    assert POLICY.allows(principal, action, "ana") is (SCOPES.get(action) == scope)
