"""Frozen things with some facts changed: `dataclasses.replace` for slotted dataclasses, many times faster.

Every event makes a new unit and a new state, so a fight does little else. The copy is filled while it belongs
to an open twin of its class, with the same slots, and is frozen by taking on the class itself. Fields are
copied, nothing is computed anew, so a class with `__post_init__` is not for this function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, make_dataclass
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")
_COPIES: dict[type, Callable[[Any], Any]] = {}
"""How a thing of each class is copied: made once for a class, by the names of its slots."""


def replace(thing: T, **changes: Any) -> T:
    """The same thing with other values in the named fields; TypeError for a field it does not have."""
    kind: Any = thing.__class__
    copy = (_COPIES.get(kind) or _learnt(kind))(thing)
    try:
        for name, value in changes.items():
            setattr(copy, name, value)
    except AttributeError:
        raise TypeError(f"{kind.__name__} has no field {name!r}") from None
    copy.__class__ = kind
    return copy


def _learnt(kind: type) -> Callable[[Any], Any]:
    """A function that copies all slots of a frozen class to an open twin.

    It is written out slot by slot, as `dataclasses` writes out an `__init__`: that runs several times faster
    than any loop.
    """
    if hasattr(kind, "__post_init__"):
        raise TypeError(f"{kind.__name__} computes something when it is made")
    names = [field.name for field in fields(kind)]
    twin = make_dataclass(f"Open{kind.__name__}", names, slots=True, init=False)
    lines = ["def copy(thing):", " new = make()", *(f" new.{name} = thing.{name}" for name in names)]
    made: dict[str, Any] = {"make": partial(object.__new__, twin)}
    exec("\n".join([*lines, " return new"]), made)
    _COPIES[kind] = made["copy"]
    return _COPIES[kind]
