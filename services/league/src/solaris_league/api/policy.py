"""Who may do what in the league: one table of role x action x own/other. What is not in it is refused."""

from solaris_shared.http.auth import Policy, action

EVERYBODY = {"player": "own", "referee": "own", "commission": "own", "operator": "own"}

POLICY = Policy(
    {
        "person.register": action(None, public="any"),
        "session.open": action(None, public="any"),
        "me.read": action("fights:read", **EVERYBODY),
        "password.change": action(None, **EVERYBODY),
        "token.issue": action(None, **EVERYBODY),
        "token.list": action(None, **EVERYBODY),
        "token.revoke": action(None, **EVERYBODY),
        "roles.change": action(None, commission="any"),
        "mechwarrior.enter": action(None, player="own"),
        "mechwarrior.read": action(None, public="any"),
        "challenge.issue": action(None, player="own"),
        "challenge.answer": action(None, player="own"),
        "challenge.read": action(None, public="any"),
        "appeal.lodge": action(None, player="own"),
        "appeal.rule": action("commission", commission="any"),
        "ruling.read": action(None, public="any"),
        "round.open": action("commission", commission="any"),
        "round.draw": action("commission", commission="any"),
        "round.change": action("commission", commission="any"),
        "permanence.call": action("commission", commission="any"),
        "round.read": action(None, public="any"),
        "fight.void": action("commission", commission="any"),
        "fight.read": action(None, public="any"),
        "standings.read": action(None, public="any"),
    }
)
