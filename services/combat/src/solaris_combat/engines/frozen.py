"""Frozen things with some facts changed: `dataclasses.replace` for slotted dataclasses, many times faster.

Every event makes a new unit and a new state, so a fight does little else. The copy is filled while it belongs
to an open twin of its class, with the same slots, and is frozen by taking on the class itself. Fields are
copied, nothing is computed anew, so a class with `__post_init__` is not for this function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, make_dataclass
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

T = TypeVar("T")


def replace(thing: T, **changes: Any) -> T:
    """The same thing with other values in the named fields; TypeError for a field it does not have."""
    kind: Any = type(thing)
    twin, values = _twin(kind)
    copy = twin(*values(thing))
    try:
        for name, value in changes.items():
            setattr(copy, name, value)
    except AttributeError:
        raise TypeError(f"{kind.__name__} has no field {name!r}") from None
    copy.__class__ = kind
    return copy


@cache
def _twin(kind: type) -> tuple[Callable[..., Any], Callable[[Any], tuple[Any, ...]]]:
    """An open class with the slots of a frozen one, and how to read all of them at once."""
    if hasattr(kind, "__post_init__"):
        raise TypeError(f"{kind.__name__} computes something when it is made")
    names = [field.name for field in fields(kind)]
    twin = make_dataclass(f"Open{kind.__name__}", names, slots=True)
    read = attrgetter(*names)
    return twin, read if len(names) > 1 else lambda thing: (read(thing),)
