"""The houses that are played in: every game of every book, as it comes and with elections."""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources

from passline.game.house.house import make_house
from passline.game.law.load import rulebook
from passline.game.table.open_close import open_table
from passline.game.table.state import Table

NAMES = ("ann", "bob", "cat")

#: Book, game, elections.
HOUSES: tuple[tuple[str, str, tuple[tuple[str, str | int | bool], ...]], ...] = (
    ("section-2", "craps", ()),
    ("section-2", "mini-craps", (("odds.multiple", 100),)),
    ("maryland-crapless", "crapless", ()),
    (
        "maryland-crapless",
        "crapless",
        (("offers.fire", "A"), ("offers.bonus", "B"), ("layout.whirl", False)),
    ),
    ("iowa", "craps", ()),
    ("new-jersey", "craps", ()),
    (
        "new-jersey",
        "craps",
        (
            ("odds.multiple", "3-4-5"),
            ("offers.fire", "B"),
            ("offers.six-seven-eight", True),
            ("buy.when", "won"),
            ("layout.horn-high", False),
            ("limits.smallest_chip", "0.50"),
        ),
    ),
    ("new-jersey", "mini-craps", ()),
    ("new-jersey", "automated-craps", ()),
    ("dealer-school", "craps", ()),
)


def shown(house: tuple[str, str, tuple[tuple[str, str | int | bool], ...]]) -> str:
    """A house's name in test reports."""
    book, game, elections = house
    return f"{book} {game}{' elected' if elections else ''}"


@cache
def opening(number: int) -> Table:
    """The table of a house, three seats, nobody bought in."""
    book, game, elections = HOUSES[number]
    return open_table(make_house(rulebook(book), game, dict(elections)), NAMES)


@cache
def register(book: str) -> frozenset[str]:
    """Every clause id of a book, read from the register itself."""
    path = resources.files("passline.game.law").joinpath("books", book, "clauses.tsv")
    rows = csv.DictReader(
        path.read_text("utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE
    )
    return frozenset(row["id"] for row in rows)


def is_citation(book: str, cite: str) -> bool:
    """A clause of the book, or a custom with its reason."""
    return cite in register(book) or (cite.startswith("custom: ") and len(cite) > len("custom: "))
