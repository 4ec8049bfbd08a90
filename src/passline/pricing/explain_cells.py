"""An unfolded figure in words: the same for a terminal, a page and a sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from passline.pricing.explain import BEGINS, DecidingTerm, Explanation, WalkPlace

#: The columns of the terms: heading, and whether it holds figures.
TERM_COLUMNS = (
    ("Where", False),
    ("Dice", False),
    ("Of the throws", True),
    ("Rolls there", True),
    ("Chance", True),
    ("What it does", False),
    ("Net", True),
    ("Chance x net", True),
    ("Clause", False),
)
_LONG = 24  # characters of a fraction that says something to a person

MIRRORED = "A total stands here for the one as far on the other side of seven, too: 4 for 10."


def show_exactly(value: Fraction) -> str:
    """A fraction as it is; one too long to read as a decimal.

    >>> show_exactly(Fraction(7, 495)), show_exactly(Fraction(10**20, 3 * 10**22 + 1))
    ('7/495', '0.003333333')
    """
    shown = str(value)
    return shown if len(shown) <= _LONG else f"{float(value):.7g}"


def signed(value: Fraction) -> str:
    """The same with its sign."""
    return f"{'+' if value > 0 else ''}{show_exactly(value)}"


def term_cells(term: DecidingTerm) -> list[str]:
    """One term, in the order of TERM_COLUMNS."""
    return [
        term.place,
        term.dice,
        f"{term.weight:,}/{term.whole:,}",
        show_exactly(term.rolls),
        show_exactly(term.chance),
        ", ".join(map(str, term.settled)),
        signed(term.net),
        signed(term.part),
        ", ".join(dict.fromkeys(pay.cite for pay in term.settled)),
    ]


#: The same as a file's, with the wager before them.
EXPLAINED_HEADINGS = (
    "wager",
    "option",
    "place",
    "dice",
    "weight",
    "whole",
    "rolls",
    "chance",
    "does",
    "net",
    "part",
    "clauses",
)


def explained_cells(found: Explanation) -> Iterator[list[str]]:
    """Every term of a wager for EXPLAINED_HEADINGS, whole and exact."""
    for term in found.terms:
        yield [
            found.row.wager + (f" {found.row.multiple}" if found.row.multiple else ""),
            found.row.option or "",
            term.place,
            term.dice,
            str(term.weight),
            str(term.whole),
            str(term.rolls),
            str(term.chance),
            "; ".join(map(str, term.settled)),
            str(term.net),
            str(term.part),
            "; ".join(dict.fromkeys(pay.cite for pay in term.settled)),
        ]


def place_words(place: WalkPlace) -> str:
    """Where a wager stands, and how its rolls come there."""
    parts = [f"{show_exactly(rolls)} {_source(source, place)}" for source, rolls in _in(place)]
    many = show_exactly(place.rolls)
    return f"{place.place}: {many} roll{'' if many == '1' else 's'} = {' + '.join(parts)}"


def _in(place: WalkPlace) -> Sequence[tuple[str, Fraction]]:
    return list(place.sources.items())


def _source(source: str, place: WalkPlace) -> str:
    if source == BEGINS:
        return "to begin with"
    return "thrown again" if source == place.place else f"from {source}"


def sum_lines(found: Explanation) -> Iterator[tuple[str, str]]:
    """What the terms add up to: labels and words."""
    yield "rolls", f"{show_exactly(found.rolls)}, the sum of the rolls there"
    for label, chance in (("wins", found.win), ("loses", found.lose), ("pushes", found.push)):
        if chance or label != "pushes":
            yield label, f"{show_exactly(chance)}, the sum of its chances"
    net, edge = show_exactly(found.net), show_exactly(found.edge)
    over = ""
    if found.wagered != 1:
        yield "wagered", f"{show_exactly(found.wagered)} times the stake, odds on average"
        over = f" over {show_exactly(found.wagered)} wagered"
    yield "edge", f"{edge}: minus the sum of chance x net, {net}{over}"
    if found.vig:
        outlay = -found.net / (found.wagered + found.vig)
        yield "", f"{show_exactly(outlay)} of stake and vigorish, {show_exactly(found.vig)} more"
    if found.mirrored:
        yield "note", MIRRORED
