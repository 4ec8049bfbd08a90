"""What a question shows beside its text: facts in words, and amounts as stacks of chips."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

from passline.game.money.chips import Chips
from passline.game.words.school import STACK_NAMES, say_school
from passline.game.words.wagers import layout_name
from passline.school.answer_fields import read_cents, read_stack
from passline.school.question_types import DrillSetup, Question
from passline.text import escape_unprintable

_AMOUNT_PATTERN = re.compile(r"\d+\.\d\d")
#: The keys of ``given`` that are shown in another way: as a table, as the question, as choices.
_SHOWN_ELSEWHERE = ("record", "ask", "marked")


class Fact(msgspec.Struct, frozen=True):
    """One fact of a question in words. The browser draws the puck and the dice instead."""

    kind: Literal["puck", "dice", "quote", "text"]
    words: str


class ShownStack(msgspec.Struct, frozen=True):
    """An amount of a question as chips. ``over`` is the rest in cents that no chips can make."""

    name: str
    chips: Chips
    over: int = 0


def list_facts(question: Question) -> Iterator[Fact]:
    """Yield what a question gives as facts in words, except amounts, which are shown as chips."""
    for name, value in question.given.items():
        if name == "puck":
            yield Fact("puck", say_school("shown.puck", puck=value))
        elif name == "dice":
            yield Fact("dice", say_school("shown.dice", dice=f"{value[0]}-{value[1]}"))
        elif name == "wager":
            yield Fact("text", layout_name(value))
        elif name in ("say", "term", "means"):
            yield Fact("quote", escape_unprintable(str(value)))
        elif name == "numbers":
            yield Fact("text", say_school("shown.numbers", numbers=value))
        elif name == "end":
            yield Fact("text", say_school("shown.end", end=value))
        elif name == "how" or (name == "place" and isinstance(value, str)):
            yield Fact("text", value)
        elif name not in _SHOWN_ELSEWHERE and isinstance(value, str | int):
            words = f"{name} {escape_unprintable(str(value))}"
            yield from () if _is_amount(value) else (Fact("text", words),)


def list_stacks(setup: DrillSetup, given: Mapping[str, Any]) -> Iterator[ShownStack]:
    """Yield each amount of money in a question's ``given`` as a stack of chips to draw.

    The question may say which chips; otherwise the largest come first.
    """
    stacked = given.get("stacks") or ({"stake": given["chips"]} if "chips" in given else {})
    for name, amount in _list_amounts(given):
        shown = STACK_NAMES.get(name, name)
        if name in stacked:
            yield ShownStack(shown, read_stack(stacked[name], setup.rack))
        else:
            yield ShownStack(shown, *setup.rack.divide(read_cents(amount, name)))


def _list_amounts(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in given.items():
        if _is_amount(value):
            yield name, value
        elif name == "wagers":
            yield from ((layout_name(slug), amount) for slug, amount in value.items())


def _is_amount(value: object) -> bool:
    return isinstance(value, str) and _AMOUNT_PATTERN.fullmatch(value) is not None
