"""Closed request bodies of the league's API."""

from typing import Annotated, Literal

from pydantic import Field, Strict, StringConstraints

from solaris_league.domain.person import ROLES, SCOPES
from solaris_shared.http.schemas import Body, Flag, Key, Name

Password = Annotated[str, StringConstraints(min_length=12, max_length=128)]
Role = Literal[ROLES]
Scope = Literal[SCOPES]
Id = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
Class = Annotated[int, Strict(), Field(ge=3, le=5)]


class Registration(Body):
    """`handle` is for logging in only; nobody else sees it."""

    handle: Name
    password: Password


class Login(Body):
    handle: Annotated[str, StringConstraints(max_length=200)]
    password: Annotated[str, StringConstraints(max_length=200)]


class Renewal(Body):
    """The ticket of the last answer to logging in or renewing."""

    renewal: Annotated[str, StringConstraints(max_length=4096)]


class PasswordChange(Body):
    old_password: Annotated[str, StringConstraints(max_length=200)]
    new_password: Password


class TokenRequest(Body):
    """A personal token: its scopes and for how many days."""

    name: Name
    scopes: Annotated[frozenset[Scope], Field(min_length=1)]
    days: Annotated[int, Strict(), Field(ge=1, le=365)] = 90


class RolesChange(Body):
    roles: frozenset[Role]


class Entry(Body):
    """`name` is the callsign, public."""

    name: Name
    affiliation: Annotated[str, StringConstraints(max_length=40)]


Reason = Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=500)]


class Voiding(Body):
    """Why a fight or a round is called off, in words that the fighters and the public will read."""

    reason: Reason


class LentMech(Body):
    instance_id: Id
    model: Key


class RoundTerms(Body):
    """What the Commission lays down for a round; `pool` are the 'Mechs of the organisers that are lent."""

    class_: Annotated[Class, Field(alias="class")]
    ruleset: Key = "solaris7/1"
    arenas: Annotated[tuple[Key, ...], Field(min_length=1, max_length=50)]
    pool: Annotated[tuple[LentMech, ...], Field(min_length=2, max_length=256)]
    turns: Annotated[int, Strict(), Field(ge=1, le=100)] = 8
    turn_seconds: Annotated[int, Strict(), Field(ge=1, le=10_000_000)] = 172_800


class MoreMechs(Body):
    """'Mechs that the organisers lend besides, and why."""

    pool: Annotated[tuple[LentMech, ...], Field(min_length=1, max_length=256)]
    reason: Reason


class PermanenceFight(Body):
    """`defender` is of the class, or of the one below where a place is free; `challenger` of the one below.
    Two of the light and medium 'Mechs of `pool` are drawn, and one of `arenas`."""

    class_: Annotated[Class, Field(alias="class")]
    defender: Id
    challenger: Id
    ruleset: Key = "solaris7/1"
    arenas: Annotated[tuple[Key, ...], Field(min_length=1, max_length=50)]
    pool: Annotated[tuple[LentMech, ...], Field(min_length=2, max_length=256)]
    turn_seconds: Annotated[int, Strict(), Field(ge=1, le=604_800)] = 172_800


class Challenge(Body):
    """`against` is the mechwarrior who is challenged."""

    against: Id


class ChallengeAnswer(Body):
    accepted: Flag


class Appeal(Body):
    """What the Commission shall look at, in which turn of the fight."""

    turn: Annotated[int, Strict(), Field(ge=0, le=99)]
    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=2_000)]


class Ruling(Body):
    """The answer to an appeal, with its reason; everybody will read it."""

    granted: Flag
    answer: Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=2_000)]
