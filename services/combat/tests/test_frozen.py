"""Copies of frozen things equal those of the standard library, and stay frozen."""

import dataclasses
from dataclasses import FrozenInstanceError, dataclass

import pytest

from solaris_combat.engines.frozen import replace


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 0


@dataclass(frozen=True, slots=True)
class One:
    x: int


@dataclass(frozen=True, slots=True)
class Computed:
    x: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "x", self.x + 1)


@pytest.mark.parametrize("changes", [{}, {"x": 5}, {"x": 5, "y": 6}])
def test_it_is_what_the_standard_library_makes(changes: dict[str, int]) -> None:
    point = Point(1, 2)
    assert replace(point, **changes) == dataclasses.replace(point, **changes)
    assert type(replace(point, **changes)) is Point
    assert point == Point(1, 2)
    assert replace(One(1), x=2) == One(2)


def test_the_copy_is_frozen_and_hashable() -> None:
    copy = replace(Point(1, 2), y=3)
    with pytest.raises(FrozenInstanceError):
        copy.y = 4  # type: ignore[misc]
    assert hash(copy) == hash(Point(1, 3))


def test_unknown_fields_and_computing_classes_are_refused() -> None:
    with pytest.raises(TypeError, match="no field 'z'"):
        replace(Point(1, 2), z=3)
    with pytest.raises(TypeError, match="computes"):
        replace(Computed(1), x=3)
