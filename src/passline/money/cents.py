"""Dollars as people write them, cents as we keep them."""

from __future__ import annotations

import re

_AMOUNT = re.compile(r"\$?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]{1,2}))?")
_LONGEST = 20  # digits: beyond any bank, and short enough to print back


class AmountError(ValueError):
    """Words that are no amount of money; the message says what was expected."""


def parse_dollars(text: str) -> int:
    """Read an amount above zero, in cents.

    >>> parse_dollars("12"), parse_dollars("$12.50"), parse_dollars("1,500")
    (1200, 1250, 150000)
    >>> parse_dollars("-5")
    Traceback (most recent call last):
    passline.money.cents.AmountError: '-5' is no amount: expected dollars like 12 or 12.50
    """
    found = _AMOUNT.fullmatch(text.strip())
    if found is None or len(text) > _LONGEST:
        shown = text if len(text) <= _LONGEST else text[:_LONGEST] + "..."
        raise AmountError(f"{shown!r} is no amount: expected dollars like 12 or 12.50")
    whole, part = found.group(1).replace(",", ""), found.group(2) or ""
    cents = int(whole) * 100 + int(part.ljust(2, "0"))
    if cents == 0:
        raise AmountError(f"{text!r} is nothing: expected an amount above zero")
    return cents


def dollars(cents: int) -> str:
    """Two places, as JSON has it.

    >>> dollars(1250), dollars(-5)
    ('12.50', '-0.05')
    """
    sign = "-" if cents < 0 else ""
    whole, part = divmod(abs(cents), 100)
    return f"{sign}{whole}.{part:02d}"


def show_dollars(cents: int) -> str:
    """As a person reads it: no cents where there are none.

    >>> show_dollars(1200), show_dollars(1250), show_dollars(-1200000)
    ('$12', '$12.50', '-$12,000')
    """
    sign = "-" if cents < 0 else ""
    whole, part = divmod(abs(cents), 100)
    return f"{sign}${whole:,}" + (f".{part:02d}" if part else "")
