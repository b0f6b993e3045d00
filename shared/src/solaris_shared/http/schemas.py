"""Closed request models: unknown fields, unbounded numbers and text that PostgreSQL cannot hold are
refused as 422.

Subclass `Body` and use the types below; a plain `dict` field is checked at any depth too.
"""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, Strict, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from solaris_shared.money import MAX_AMOUNT

MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 32

Amount = Annotated[int, Strict(), Field(ge=1, le=MAX_AMOUNT)]
Flag = Annotated[bool, Strict()]
Text = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]
Key = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._/-]{0,79}$")]


def refuse(code: str, pointer: str, detail: str) -> PydanticCustomError:
    """A validation error at a JSON pointer below the field being checked."""
    return PydanticCustomError(code, detail.replace("{", "(").replace("}", ")"), {"pointer": pointer})


def check_json(value: Any, pointer: str = "", depth: int = 0) -> None:
    """Walk decoded JSON. Raises PydanticCustomError for text with NUL or lone surrogates, for integers beyond
    2**53-1, for fractions and for nesting deeper than 32."""
    if depth > MAX_DEPTH:
        raise refuse("too_deep", "", "The data is nested too deeply.")
    if isinstance(value, str):
        _check_text(value, pointer)
    elif isinstance(value, float) or (isinstance(value, int) and abs(value) > MAX_INTEGER):
        raise refuse("number_out_of_range", pointer, "Numbers are whole and at most 2**53-1.")
    elif isinstance(value, dict):
        for name, item in value.items():
            if isinstance(name, str):
                _check_text(name, pointer)
            check_json(item, f"{pointer}/{str(name).replace('~', '~0').replace('/', '~1')}", depth + 1)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            check_json(item, f"{pointer}/{place}", depth + 1)


def _check_text(text: str, pointer: str) -> None:
    if "\x00" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise refuse("text_not_allowed", pointer, "NUL and lone surrogates are not allowed.")


class Body(BaseModel):
    """Base of request bodies."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _only_storable(cls, data: Any) -> Any:
        if isinstance(data, dict):
            check_json(data)
        return data


class View(BaseModel):
    """Base of answers (closed too, so that nothing slips out by accident)."""

    model_config = ConfigDict(extra="forbid", frozen=True)
