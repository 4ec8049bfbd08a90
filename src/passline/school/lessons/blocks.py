"""Neutral blocks: what a figure comes to, for any face to draw.

A terminal prints them, a page makes elements of them. All of it goes to JSON as it is.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from passline.felt import FeltPlan, Lie, lie_of, plan_felt
from passline.house.files import house_for
from passline.layout import lay_felt
from passline.money import dollars
from passline.money.chips import Chips
from passline.record import deal_text
from passline.school.answers import counted
from passline.table import Table, evolve, tell_opening
from passline.table.opening import places_of


class TextBlock(msgspec.Struct, frozen=True, tag_field="block", tag="text"):
    """A paragraph."""

    text: str


class TableBlock(msgspec.Struct, frozen=True, tag_field="block", tag="table"):
    """A table; the first of each row is its head."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class StackBlock(msgspec.Struct, frozen=True, tag_field="block", tag="stack"):
    """Chips by colour, as a drill has them, and what they come to."""

    name: str
    chips: dict[str, int]
    amount: str


class FeltBlock(msgspec.Struct, frozen=True, tag_field="block", tag="felt"):
    """A part of the layout as a record leaves it; ``lies`` says it in words, player by player."""

    record: str
    view: str
    dice: tuple[int, int] | None
    lies: tuple[str, ...]


class StepLine(NamedTuple):
    """One step: who or which hand, what is done, the clause or the custom."""

    by: str
    words: str
    cite: str


class StepsBlock(msgspec.Struct, frozen=True, tag_field="block", tag="steps"):
    """Steps in their order."""

    title: str
    steps: tuple[dict[str, str], ...]


class CallBlock(msgspec.Struct, frozen=True, tag_field="block", tag="call"):
    """What is said aloud."""

    words: str


Block = TextBlock | TableBlock | StackBlock | FeltBlock | StepsBlock | CallBlock


class Drawn(msgspec.Struct, frozen=True):
    """A figure as the engine drew it for a house; ``cites`` are clauses of the house's book."""

    caption: str
    blocks: tuple[Block, ...]
    cites: tuple[str, ...] = ()


def stack_block(name: str, chips: Chips) -> StackBlock:
    """A stack as it lies."""
    return StackBlock(name, counted(chips), dollars(chips.amount))


def steps_block(title: str, steps: list[StepLine]) -> StepsBlock:
    """Steps in their order."""
    return StepsBlock(title, tuple(step._asdict() for step in steps))


def felt_of(block: FeltBlock) -> tuple[Table, FeltPlan, Lie]:
    """The table that a felt block shows, its plan, and what lies there."""
    table = _dealt(block.record)
    return table, plan_felt(table.layout, places_of(table)), lie_of(table, block.dice)


def _dealt(record: str) -> Table:
    """The table that a record leaves; one at which nothing happened is as it was opened."""
    head, _, lines = record.partition("\n\n")
    if lines.strip():
        return deal_text(record).table
    told = dict(line.split(": ", 1) for line in head.splitlines())
    elected = [(key[6:], value) for key, value in told.items() if key.startswith("house.")]
    house = house_for(told["rulebook"], told["game"], elected)
    return evolve(Table(layout=lay_felt(house)), tell_opening(house))
