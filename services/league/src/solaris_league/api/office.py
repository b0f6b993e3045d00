"""What the league's routes need beside the context; built by the composition root."""

from collections.abc import Callable
from dataclasses import dataclass

from solaris_league.application.passwords import Passwords
from solaris_league.application.renewal import Renewals
from solaris_league.domain.rules import LeagueRules
from solaris_shared.http.tokens import Claims


@dataclass(frozen=True, slots=True)
class Office:
    """`sign` makes a token of claims with the service's private key."""

    rules: LeagueRules
    passwords: Passwords
    sign: Callable[[Claims], str]
    renewals: Renewals
