"""A stand-alone check of a fight's record (`.s7r`): Python's standard library, nothing of the project.

    python verify_record.py FIGHT.s7r        # one line: sound, or what is wrong
    python verify_record.py --vectors        # the published vectors of the dice

It checks spelling, digest, seed and commitments, and that seed and nonces give each die face in its order.
The digest it prints must be the fight's `record_digest`; the rules only playing again can check (record.md).
"""

import hashlib
import hmac
import json
import pathlib
import sys

NO_NONCE = "00" * 32
KINDS = {"header", "loadout", "event", "orders", "phase", "act", "renewed", "result", "digest"}
FIRST = [  # count, sides, faces, position afterwards
    (20, 6, "1 2 3 4 3 6 6 3 2 5 3 5 5 4 6 4 1 2 6 1", 20), (5, 10, "4 5 4 2 6", 25),
    (3, 2, "2 1 1", 28), (4, 256, "165 189 97 250", 32),
]  # fmt: skip
SECOND = [
    (20, 6, "1 4 6 1 5 5 6 2 4 1 3 5 3 3 4 4 6 4 3 5", 21), (5, 10, "10 10 2 6 1", 26),
    (3, 2, "1 1 1", 29), (4, 256, "137 56 31 53", 33),
]  # fmt: skip
VECTORS = [  # seed, nonces, key, rolls: docs/reference/dice.md
    ("00ff", [NO_NONCE] * 2, "7049f5bd7ca9bad3e3340783b5a13089f2eac84805884291d93537e21c7ee2ea", FIRST),
    (bytes(range(32)).hex(), ["11" * 32, "22" * 32],
     "51eb05d3eea0c25668b40226ad31af0ff7f2c004387226ce91ae8ff7910c1157", SECOND),
]  # fmt: skip


class Wrong(Exception):
    """The record does not prove what it says."""


def proved(condition, otherwise):
    if not condition:
        raise Wrong(otherwise)


class Dice:
    """The stream of faces (dice.md, steps 3 to 6)."""

    def __init__(self, seed, nonces):
        self.key, self.position = hmac.digest(seed, b"".join(nonces), "sha256"), 0

    def face(self, sides):
        while True:
            block, place = divmod(self.position, 32)
            byte = hmac.digest(self.key, block.to_bytes(8, "big"), "sha256")[place]
            self.position += 1
            if byte < sides * (256 // sides):
                return byte % sides + 1


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sha(data):
    return hashlib.sha256(data).hexdigest()


def exactly(text):
    """The bytes of hexadecimal digits in the one spelling a record has: small, without spaces."""
    found = bytes.fromhex(text)
    proved(found.hex() == text, "hexadecimal digits in another spelling")
    return found


def check_commitments(where, sides):
    for side in sides:
        for sealed in (side, *side["answers"]):
            if sealed["commitment"] or sealed["salt"]:
                found = sha(exactly(sealed["salt"]) + canonical(sealed["orders"]))
                proved(found == sealed["commitment"], f"{where}: side {side['side']} committed to others")


def check(data):
    """What the record proves, in words; Wrong otherwise."""
    *raw, rest = data.split(b"\n")
    lines = [json.loads(one) for one in raw]
    spelled = len(raw) > 2 and not rest and [canonical(line) for line in lines] == raw
    proved(spelled, "not canonical JSON lines")
    header, result, last = lines[0], lines[-2], lines[-1]
    body = b"".join(one + b"\n" for one in raw[:-1])
    proved(last == {"line": "digest", "sha256": sha(body)}, "the digest is not that of the lines before it")
    seed = exactly(result["seed"])
    honest = header["dice"] == "hmac-sha256/1" and sha(seed) == header["seed_commitment"]
    proved(honest, "the opened seed is not the one committed to")
    dice, faces, orders = None, 0, 0
    for number, line in enumerate(lines, 1):
        proved(line["line"] in KINDS, f"line {number}: no such kind of line")
        if line["line"] == "orders":
            orders += 1
            check_commitments(f"line {number}, orders", line["sides"])
            if dice is None:
                first = {side["side"]: side["orders"].get("initial", {}) for side in line["sides"]}
                dice = Dice(seed, [exactly(first[name].get("nonce", NO_NONCE)) for name in header["sides"]])
        for roll in line.get("data", {}).get("rolls", []):
            faces += len(roll["faces"])
            same = dice and [dice.face(roll["sides"]) for _ in roll["faces"]] == roll["faces"]
            proved(same, f"line {number}: a face of {roll['purpose']!r} is not that of the dice")
    return f"sound: {faces} faces, {orders} sets of orders, digest {last['sha256']}"


def check_vectors():
    for seed, nonces, key, rolls in VECTORS:
        dice = Dice(bytes.fromhex(seed), [bytes.fromhex(one) for one in nonces])
        proved(dice.key.hex() == key, "a key of the vectors")
        for count, sides, faces, position in rolls:
            shown = " ".join(str(dice.face(sides)) for _ in range(count))
            proved((shown, dice.position) == (faces, position), f"faces of the vectors: {faces}")
    return "the vectors agree"


if __name__ == "__main__":
    try:
        proved(len(sys.argv) == 2, "name one record, or --vectors")
        asked = sys.argv[1]
        print(check_vectors() if asked == "--vectors" else check(pathlib.Path(asked).read_bytes()))
    except (Wrong, OSError, LookupError, TypeError, ValueError, AttributeError, RecursionError) as wrong:
        print(f"not sound: {wrong}")
        sys.exit(1)
