"""Who may do what in combat. What is not in this table is refused."""

from solaris_shared.http.auth import Policy, action

POLICY = Policy(
    {
        "read": action("read", public="any"),
        "order": action("orders", player="own"),
        "length.wish": action("orders", player="own", referee="own"),
        "side.yield": action("orders", player="own"),
        "fight.correct": action("referee", referee="own", commission="any"),
        "deadline.extend": action("referee", referee="own", commission="any"),
        "side.substitute": action("commission", commission="any"),
        "comments.read": action("fights:read", player="own", referee="own", commission="any"),
    }
)
