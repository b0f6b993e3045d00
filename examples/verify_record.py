"""A stand-alone check of a fight's record (`.s7r`): Python's standard library, nothing of the project.

    python verify_record.py FIGHT.s7r        # one line: sound, or what is wrong
    python verify_record.py --vectors        # the published vectors of the dice

It checks what needs no rules of the game: spelling, the digest, the seed and every commitment, and that seed
and nonces give every die face of the record, in its order and once. Whether the events follow the rules only
playing again can show (`solaris verify`). Written from docs/reference/record.md and dice.md.
"""

import hashlib
import hmac
import json
import re
import sys

NO_NONCE = "00" * 32
KINDS = {"header", "loadout", "event", "orders", "phase", "act", "renewed", "result", "digest"}
VECTORS = [  # seed, nonces, key, [(count, sides, faces, position afterwards)]: docs/reference/dice.md
    (
        "00ff",
        [NO_NONCE, NO_NONCE],
        "7049f5bd7ca9bad3e3340783b5a13089f2eac84805884291d93537e21c7ee2ea",
        [
            (20, 6, "1 2 3 4 3 6 6 3 2 5 3 5 5 4 6 4 1 2 6 1", 20),
            (5, 10, "4 5 4 2 6", 25),
            (3, 2, "2 1 1", 28),
            (4, 256, "165 189 97 250", 32),
        ],
    ),
    (
        bytes(range(32)).hex(),
        ["11" * 32, "22" * 32],
        "51eb05d3eea0c25668b40226ad31af0ff7f2c004387226ce91ae8ff7910c1157",
        [
            (20, 6, "1 4 6 1 5 5 6 2 4 1 3 5 3 3 4 4 6 4 3 5", 21),
            (5, 10, "10 10 2 6 1", 26),
            (3, 2, "1 1 1", 29),
            (4, 256, "137 56 31 53", 33),
        ],
    ),
]


class Wrong(Exception):
    """The record does not prove what it says."""


def key_of(seed, nonces):
    return hmac.digest(seed, b"".join(nonces), "sha256")


class Dice:
    """The stream of faces (dice.md, steps 4 to 6)."""

    def __init__(self, key):
        self.key, self.position = key, 0

    def face(self, sides):
        while True:
            block, place = divmod(self.position, 32)
            byte = hmac.digest(self.key, block.to_bytes(8, "big"), "sha256")[place]
            self.position += 1
            if byte < sides * (256 // sides):
                return byte % sides + 1


def canonical(value):
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def sha(data):
    return hashlib.sha256(data).hexdigest()


def rolls_in(value):
    """Every roll inside an event, in the order of its fields as `rolls` lists."""
    return value.get("rolls", []) if isinstance(value, dict) else []


def exactly(text):
    """The bytes of hexadecimal digits in the one spelling a record has: small, without spaces."""
    found = bytes.fromhex(text)
    if found.hex() != text:
        raise Wrong("hexadecimal digits in another spelling")
    return found


def nonce_of(orders):
    return exactly(orders.get("initial", {}).get("nonce", NO_NONCE))


def check_commitments(number, line):
    for side in line["sides"]:
        for sealed in (side, *side["answers"]):
            if sealed["commitment"] or sealed["salt"]:
                found = sha(exactly(sealed["salt"]) + canonical(sealed["orders"]))
                if found != sealed["commitment"]:
                    raise Wrong(f"line {number}: orders of side {side['side']} are not those committed to")


def check_kinds(lines):
    for number, line in enumerate(lines, 1):
        if line["line"] not in KINDS:
            raise Wrong(f"line {number}: no such kind of line")


def check(data):
    """What the record proves, in words; Wrong otherwise."""
    raw = data.split(b"\n")[:-1]
    lines = [json.loads(one) for one in raw]
    if any(canonical(line) != one for line, one in zip(lines, raw, strict=True)) or not data.endswith(b"\n"):
        raise Wrong("not canonical JSON lines")
    check_kinds(lines)
    header, result, last = lines[0], lines[-2], lines[-1]
    if last != {"line": "digest", "sha256": sha(b"".join(one + b"\n" for one in raw[:-1]))}:
        raise Wrong("the digest is not that of the lines before it")
    seed = exactly(result["seed"])
    if header["dice"] != "hmac-sha256/1" or sha(seed) != header["seed_commitment"]:
        raise Wrong("the opened seed is not the one committed to")
    dice, faces = None, 0
    for number, line in enumerate(lines, 1):
        if line["line"] == "orders":
            check_commitments(number, line)
            if dice is None:
                first = {side["side"]: side["orders"] for side in line["sides"]}
                dice = Dice(key_of(seed, [nonce_of(first[side]) for side in header["sides"]]))
        for roll in rolls_in(line.get("data")):
            for face in roll["faces"]:
                faces += 1
                if dice is None or dice.face(roll["sides"]) != face:
                    raise Wrong(f"line {number}: a face of {roll['purpose']!r} is not that of the dice")
    return f"sound: {faces} faces, {sum(one['line'] == 'orders' for one in lines)} sets of orders"


def check_vectors():
    for seed, nonces, key, rolls in VECTORS:
        made = key_of(bytes.fromhex(seed), [bytes.fromhex(one) for one in nonces])
        dice = Dice(made)
        if made.hex() != key:
            raise Wrong("a key of the vectors")
        for count, sides, faces, position in rolls:
            if [dice.face(sides) for _ in range(count)] != [int(one) for one in re.split(" ", faces)]:
                raise Wrong(f"faces of the vectors: {faces}")
            if dice.position != position:
                raise Wrong("a position of the vectors")
    return "the vectors agree"


def main(argument):
    try:
        if argument == "--vectors":
            print(check_vectors())
        else:
            with open(argument, "rb") as file:
                print(check(file.read()))
    except (Wrong, KeyError, TypeError, ValueError, IndexError) as wrong:
        print(f"not sound: {wrong}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
