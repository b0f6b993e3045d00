"""Who may talk to whom by the NetworkPolicies, computed as the API's reference says."""

import ipaddress
from typing import Any

Object = dict[str, Any]


def matches(selector: Object, labels: dict[str, str]) -> bool:
    """A label selector; the empty one selects everything."""
    assert set(selector) <= {"matchLabels", "matchExpressions"}
    plain = all(labels.get(key) == value for key, value in selector.get("matchLabels", {}).items())
    return plain and all(_expression(one, labels) for one in selector.get("matchExpressions", []))


def _expression(one: Object, labels: dict[str, str]) -> bool:
    assert one["operator"] == "In"
    return labels.get(one["key"]) in one["values"]


def allowed(policies: list[Object], source: Object, target: Object, port: int) -> bool:
    """`source` and `target` are {"labels", "namespace": labels, "address"?}; no labels: outside."""
    out = _side(policies, source, target, port, "egress", "to")
    into = _side(policies, target, source, port, "ingress", "from")
    return out and into


def _side(policies: list[Object], own: Object, other: Object, port: int, way: str, peers: str) -> bool:
    """True where nothing isolates `own` in this direction, or one rule lets `other` through."""
    if own["labels"] is None or not own.get("ours", False):
        return True
    mine = [p for p in policies if matches(p["spec"]["podSelector"], own["labels"])]
    mine = [p for p in mine if way.capitalize() in p["spec"]["policyTypes"]]
    if not mine:
        return True
    rules = [rule for policy in mine for rule in policy["spec"].get(way, [])]
    return any(_rule(rule, other, port, peers) for rule in rules)


def _rule(rule: Object, other: Object, port: int, peers: str) -> bool:
    open_ports = [one["port"] for one in rule["ports"]]
    return port in open_ports and any(_peer(peer, other) for peer in rule[peers])


def _peer(peer: Object, other: Object) -> bool:
    if "ipBlock" in peer:
        return other["labels"] is None and _in_block(peer["ipBlock"], other["address"])
    if other["labels"] is None:
        return False
    if "namespaceSelector" in peer:
        inside = matches(peer["namespaceSelector"], other["namespace"])
        return inside and matches(peer.get("podSelector", {}), other["labels"])
    return other.get("ours", False) and matches(peer["podSelector"], other["labels"])


def _in_block(block: Object, address: str) -> bool:
    one = ipaddress.ip_address(address)
    outside = any(one in ipaddress.ip_network(part) for part in block.get("except", []))
    return one in ipaddress.ip_network(block["cidr"]) and not outside
