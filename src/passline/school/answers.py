"""Reading what a learner answered: money, chips, choices, words; anything else is told apart."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from passline.money import Rack, dollars
from passline.money.chips import Chip, Chips
from passline.plain import plain
from passline.school.questions import UnreadableAnswerError

_AMOUNT = re.compile(r"\$?\s*([0-9]{1,12}|[0-9]{1,3}(?:,[0-9]{3}){1,3})(?:\.([0-9]{1,2}))?")
_COUNT = re.compile(r"[0-9]{1,5}")
#: Nobody is paid more, nor in more chips.
_MOST = 10**14
_MOST_CHIPS = 100_000
_LONGEST = 2_000


def quoted(value: object) -> str:
    """An answer as it is quoted back: short, and nothing but text."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = plain(repr(value) if not isinstance(value, str) else f"'{value[:40]}'")
    return text if len(text) <= 44 else f"{text[:40]}..."


def fields_of(answer: object, bare: str) -> Mapping[str, Any]:
    """An answer as its fields; one that is no object is the field named ``bare``."""
    if isinstance(answer, dict):
        return answer
    return {bare: answer}


def read_cents(value: object, what: str) -> int:
    """Money in cents, nothing included: ``"12.50"``, ``12.5``, ``12``."""
    if isinstance(value, str):
        found = _AMOUNT.fullmatch(value.strip())
        if found is not None:
            return int(found[1].replace(",", "")) * 100 + int((found[2] or "").ljust(2, "0"))
        if value.strip().startswith("-"):
            raise UnreadableAnswerError(f"{what} is never negative: {quoted(value)}")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        # Compared before anything is made a float: an int may be beyond any float.
        if not -_MOST <= value * 100 <= _MOST:
            raise UnreadableAnswerError(f"{what}: {quoted(value)} is beyond any amount")
        if value < 0:
            raise UnreadableAnswerError(f"{what} is never negative: {quoted(value)}")
        cents = round(value * 100)
        if abs(cents - value * 100) < 1e-6:
            return cents
    raise UnreadableAnswerError(f"{what}: {quoted(value)} is no amount: expected such as '12.00'")


def read_stack(value: object, rack: Rack, what: str = "chips") -> Chips:
    """Chips by colour, ``{"red": 3}``, or in words, ``"1 green, 3 red"``."""
    colours = ", ".join(chip.colour for chip in rack.chips)
    if isinstance(value, str) and len(value) <= _LONGEST:
        try:
            return rack.read(value)
        except ValueError:
            raise UnreadableAnswerError(
                f"{what}: {quoted(value)} are no chips: expected counts of {colours}"
            ) from None
    if not isinstance(value, dict):
        raise UnreadableAnswerError(f"{what}: expected counts by colour ({colours})")
    counts: dict[Chip, int] = {}
    for colour, count in value.items():
        chip = rack.chip(colour)
        if chip is None:
            raise UnreadableAnswerError(
                f"{what}: there are no {quoted(colour)} chips here: {colours}"
            )
        counts[chip] = _count(count, f"{what}: {colour}")
    return Chips.of(counts)


def _count(value: object, what: str) -> int:
    if isinstance(value, str) and _COUNT.fullmatch(value):
        value = int(value)
    whole = isinstance(value, int) and not isinstance(value, bool)
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        value, whole = int(value), True
    if not whole or not isinstance(value, int):
        raise UnreadableAnswerError(f"{what}: {quoted(value)} is no count")
    if not 0 <= value <= _MOST_CHIPS:
        raise UnreadableAnswerError(f"{what}: nobody pays {quoted(value)} chips")
    return value


def read_choice(value: object, count: int) -> int:
    """The number of a choice, counted from zero."""
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        value = int(value)
    if isinstance(value, str) and _COUNT.fullmatch(value.strip()):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
        raise UnreadableAnswerError(f"{quoted(value)} is no choice: expected 0 to {count - 1}")
    return value


def read_words(value: object, what: str) -> str:
    """What was said."""
    if not isinstance(value, str) or not value.strip():
        raise UnreadableAnswerError(f"{what}: expected words, not {quoted(value)}")
    if len(value) > _LONGEST:
        raise UnreadableAnswerError(f"{what}: nobody says so much in one breath")
    return " ".join(value.split())


def read_list(value: object, what: str, most: int = 500) -> list[Any]:
    """A list, of no more than anybody would say."""
    if not isinstance(value, list):
        raise UnreadableAnswerError(f"{what}: expected a list, not {quoted(value)}")
    if len(value) > most:
        raise UnreadableAnswerError(f"{what}: {len(value)} is more than there could be")
    return value


def counted(chips: Chips) -> dict[str, int]:
    """Chips by colour, as a question shows them."""
    return dict(chips.counts)


def money_of(wagers: Mapping[str, int]) -> dict[str, str]:
    """Amounts by wager, as a question shows them."""
    return {slug: dollars(cents) for slug, cents in wagers.items()}
