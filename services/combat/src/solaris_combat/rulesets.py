"""Every engine this release carries; the service, `solaris fight` and `solaris verify` play the same ones."""

from solaris_combat.engines.registry import Registry


def rulesets() -> Registry:
    """The registry of this release."""
    from solaris_combat.engines.battletech.engine import build

    return Registry([build()])
