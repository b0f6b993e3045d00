"""Who may do what in economy."""

from solaris_shared.http.auth import Policy, action

POLICY = Policy(
    {
        "account.read": action("ledger:read", player="own", commission="any"),
        "balances.read": action("ledger:read", player="own", commission="any"),
        "mech.read": action(None, public="any"),
        "mech.register": action("commission", commission="any"),
    }
)
