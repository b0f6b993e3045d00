"""Money is a whole number of C-bills; nothing here accepts or returns a float."""

MAX_AMOUNT = 10**12
"""The largest amount, either sign, of one posting or balance, in C-bills; far inside 2**53 - 1."""


def check_amount(amount: int) -> int:
    """Return `amount` unchanged; raise TypeError unless it is an int, ValueError beyond MAX_AMOUNT."""
    if isinstance(amount, bool) or not isinstance(amount, int):
        raise TypeError(f"an amount is a whole number of C-bills, not {type(amount).__name__}")
    if abs(amount) > MAX_AMOUNT:
        raise ValueError(f"amount beyond {MAX_AMOUNT} C-bills")
    return amount


def percent(amount: int, rate_percent: int) -> int:
    """`rate_percent` per cent of `amount`, rounded down (towards minus infinity) once."""
    return check_amount(amount) * check_amount(rate_percent) // 100
