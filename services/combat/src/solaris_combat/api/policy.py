"""Who may do what in combat. What is not in this table is refused."""

from solaris_shared.http.auth import Policy, action

POLICY = Policy(
    {
        "read": action("read", public="any"),
        "order": action("orders", player="own"),
        "comments.read": action("fights:read", player="own", referee="own", commission="any"),
    }
)
