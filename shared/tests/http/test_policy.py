"""The policy mechanism; each service tests its own table."""

import pytest

from solaris_shared.errors import Forbidden, NotFound, Unauthenticated
from solaris_shared.http.auth import ANONYMOUS, Policy, Principal, action

POLICY = Policy(
    {
        "read": action(None, public="any"),
        "change": action("things:write", player="own", commission="any"),
        "spend": action(None, player="own"),
    }
)


def person(name="ana", roles=("player",), scopes=("*",)):
    return Principal(name, frozenset({*roles, "public"}), frozenset(scopes))


@pytest.mark.parametrize(
    ("principal", "name", "owner", "allowed"),
    [
        (ANONYMOUS, "read", None, True),
        (ANONYMOUS, "change", "ana", False),
        (person(), "change", "ana", True),
        (person(), "change", "bea", False),
        (person(), "change", None, False),
        (person(roles=()), "change", "ana", False),
        (person("kim", ["commission"]), "change", "ana", True),
        (person("kim", ["operator"]), "change", "ana", False),
        (person(scopes=["things:write"]), "change", "ana", True),
        (person(scopes=["things:read"]), "change", "ana", False),
        (person(scopes=["things:write"]), "spend", "ana", False),
        (person(), "spend", "ana", True),
        (person("kim", ["commission"]), "unknown", "kim", False),
    ],
)
def test_reach(principal, name, owner, allowed):
    assert POLICY.allows(principal, name, owner) is allowed


def test_refusals_say_what_is_missing():
    with pytest.raises(Unauthenticated):
        POLICY.require(ANONYMOUS, "change", "ana")
    with pytest.raises(Forbidden):
        POLICY.require(person(), "change", "bea")
    with pytest.raises(NotFound):
        POLICY.require(person(), "change", "bea", hide=True)
