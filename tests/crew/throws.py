"""Tables and rolls set up by hand, and what the phrases of every style claim, written by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from msgspec.structs import replace

from passline.game.dice.dice import outcome_index
from passline.game.house.house import make_house
from passline.game.law.load import rulebook
from passline.game.layout.settle import Throw, settle
from passline.game.layout.stakes import Settlement, Stake
from passline.game.table.events import Rolled
from passline.game.table.open_close import open_table
from passline.game.table.state import Table

STYLES = ("school-a", "school-b", "iowa")
#: Every throw, the order of the dice aside.
THROWS = tuple((a, b) for a in range(1, 7) for b in range(a, 7))
BOXES = (4, 5, 6, 8, 9, 10)


@cache
def felt(book: str, game: str = "", elected: tuple[tuple[str, str], ...] = ()) -> Table:
    """Return an open table with two seats."""
    return open_table(make_house(rulebook(book), game or None, dict(elected)), ("ann", "bob"))


def laid(table: Table, puck: int, up: str, working: bool = False) -> Table:
    """Return the table with wagers up, about $10 each, all of them ann's, and the puck set."""
    call = True if working else None
    stakes = {slug: Stake(6000, 6000, call) for slug in up.split()}
    ann = replace(table.seats[0], wagers=stakes)
    return replace(table, point=puck, shooter="ann", playing=(ann, *table.seats[1:]))


def thrown(table: Table, first: int, second: int, special: bool = False) -> Rolled:
    """Return a roll as the engine settles it, with the puck moved by hand."""
    total, puck = first + second, table.point
    throw = Throw(outcome_index(first, second), total, puck)
    done: list[Settlement] = []
    for seat in table.seats:
        done += settle(table.layout, seat.name, seat.wagers, throw)
    if puck:
        after = 0 if total in (7, puck) else puck
    else:
        after = total if total in table.house.book.points.value and not special else 0
    return Rolled(
        first=first,
        second=second,
        shooter="ann",
        was=puck,
        puck=after,
        settlements=tuple(done),
        special=special,
    )


#: What a phrase says happened, by hand. The number is left to {n}.
CLAIMS: Mapping[str, tuple[str, ...]] = {
    "line.win": ("pay the line", "pay the pass line"),
    "line.lose": ("line away", "pass line away"),
    "donts.win": ("pay the don'ts", "don'ts to pay", "pay the don't pass"),
    "donts.lose": ("take the don'ts", "take the don't pass"),
    "donts.push": ("bar the don'ts", "don't pass pushes"),
    "come.win": ("last come gets some", "pay the come", "good in the field and come"),
    "come.lose": ("take the come", "come away"),
    "come.travel": (
        *("comes travel to {n}", "comes travel to the {n}", "come goes to the {n}"),
        *(
            "don'ts and comes travel to {n}",
            "don'ts and comes travel to the {n}",
            "come to the {n}",
        ),
    ),
    "dont-come.win": ("pay the DC", "pay the don't come"),
    "dont-come.lose": ("take the DC", "take the don't come"),
    "dont-come.push": ("bar the DC", "bar the don't come", "don't come pushes"),
    "dont-come.travel": (
        *("don'ts travel to {n}", "don'ts travel to the {n}", "don't come goes behind the {n}"),
        *("don'ts and comes travel to {n}", "don'ts and comes travel to the {n}"),
        "don't come behind the {n}",
    ),
    "behind.win": ("pay behind", "pay behind the numbers"),
    "behind.lose": ("down behind", "down behind the {n}"),
    "boxes.win": ("pay the come on {n}",),
    "field.win": (
        *("double the bubble", "double the field", "double in the field"),
        *("triple the bubble", "triple the field", "triple in the field"),
        *("single the field", "pay the field", "good in the field", "good in the field and come"),
        *("field {n}", "field roll {n}", "centerfield {n}"),
    ),
    "field.lose": ("no field", "no field {n}"),
    "hardways.win": ("pay the hard {n}",),
    "hardways.lose": ("hard {n} down", "hardways down"),
    "odds.return": ("save the odds",),
}
TWICE = {"double the bubble", "double the field", "double in the field"}
WORDS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def name_of(total: int) -> str:
    return WORDS[total - 2]


def claims(call: str, total: int) -> set[str]:
    """Return what a call says happened, by the list above."""
    said = set(call.split(", "))
    return {
        key
        for key, phrases in CLAIMS.items()
        if any(phrase.format(n=name_of(total)) in said for phrase in phrases)
    }


def lies(slug: str) -> str:
    """Return where a wager is on the layout, by its name alone."""
    family, _, number = slug.rpartition("-")
    if not number.isdigit() or family in ("hard", "craps", "horn-high") or slug[:3] == "hop":
        family = slug
    return {
        "pass": "line",
        "pass-odds": "line",
        "dont-pass": "donts",
        "dont-pass-odds": "donts",
        "lay": "behind",
        "place-lose": "behind",
        "dont-come-odds": "behind",
        "come-odds": "boxes",
        "field": "field",
    }.get(family) or _more(family, slug)


def _more(family: str, slug: str) -> str:
    if family in ("come", "dont-come"):
        boxed = "boxes" if family == "come" else "behind"
        return family if slug == family else boxed
    return "hardways" if slug.startswith("hard-") else "else"


def happened(rolled: Rolled) -> Iterator[str]:
    """Return what the engine settled, in the same words as the claims."""
    for done in rolled.settlements:
        if done.result != "return":
            yield f"{lies(done.wager)}.{done.result}"
        elif "odds" in done.wager:
            yield "odds.return"
