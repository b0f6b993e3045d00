"""Who may do what in mail."""

from solaris_shared.http.auth import Policy, action

POLICY = Policy(
    {
        "contact.read": action("contact:read", player="own", referee="own", commission="own", operator="own"),
        "contact.write": action(None, player="own", referee="own", commission="own", operator="own"),
        "contact.confirm": action(None, public="any"),
        "letters.read": action("letters:read", player="own", referee="own", commission="own", operator="own"),
        "deliveries.read": action("commission", commission="any", operator="any"),
    }
)
