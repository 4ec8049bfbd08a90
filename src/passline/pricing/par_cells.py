"""The cells of a par sheet, in the words and figures that text and page share."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from passline.money import show_dollars
from passline.pricing.costs import Exposure, Fall
from passline.pricing.par import NINE_IN_TEN, ParRow, ParSheet, Tier

#: The columns of the wagers: heading, and whether it holds figures.
COLUMNS = (
    ("Wager", False),
    ("Pays", False),
    ("Clause", False),
    ("Hit %", True),
    ("1 in", True),
    ("Push %", True),
    ("Edge %", True),
    ("Edge, exact", True),
    ("Resolved %", True),
    ("Of outlay %", True),
    ("A roll %", True),
    ("Rolls", True),
    ("SD", True),
    ("VI", True),
    ("Min", True),
    ("Max", True),
    ("Max pay", True),
    ("Max cost", True),
)
TIER_COLUMNS = (
    ("On", False),
    ("Pays", False),
    ("Clause", False),
    ("Chance %", True),
    ("1 in", True),
)


def fall_columns(found: Exposure) -> tuple[tuple[str, bool], ...]:
    """The columns of what each fall of the dice costs."""
    of = (f"Of {found.whole:,}", True)
    return (("Dice", False), of, ("Costs the house", True), ("By", False))


#: What each column says, on the sheet itself.
MEANINGS = {
    "Wager": "its name in a record; in brackets the election or the odds that make it this row.",
    "Pays": "the odds posted, the stake not counted.",
    "Clause": "what of the rulebook gives the pay.",
    "Hit %": "the chance that a decision wins.",
    "1 in": "decisions to one hit, on average.",
    "Push %": "the chance that a decision is level, where there is one.",
    "Edge %": "the house's share of the amount wagered, pushes counted.",
    "Edge, exact": "the same as a fraction; one too long to print is in the CSV.",
    "Resolved %": "the edge with pushes left out, where that differs.",
    "Of outlay %": "the edge of the stake and the vigorish paid with it.",
    "A roll %": "the edge by the roll: Edge over Rolls.",
    "Rolls": "the mean number of rolls to a decision.",
    "SD": "the standard deviation of one decision, by the unit wagered.",
    "VI": f"the volatility index, {NINE_IN_TEN} times SD: over N decisions (N large) the house "
    "holds the edge, give or take VI over the square root of N, nine times in ten.",
    "Min": "the least stake that is taken: the posted minimum, or the next amount that can be "
    "paid; of odds behind the line, on the point where that is least.",
    "Max": "the most that may be wagered and paid.",
    "Max pay": "the most that a throw then wins.",
    "Max cost": "the most that a throw then costs the house, with that one wager alone on the "
    "layout.",
}
NOTES = (
    *(f"{heading}: {MEANINGS[heading]}" for heading, _ in COLUMNS),
    "With odds (+odds): the edge is of the flat wager and the odds it carries on average; Min and "
    "Max are the flat wager's, and the pay and the cost count its odds.",
    "A wager is seen while it works: the puck moves for line and fire wagers only.",
)
_LONG = 14  # characters of a fraction that still fit a cell


def cells(row: ParRow) -> list[str]:
    """A wager's cells."""
    odds, limit = row.odds, row.limit
    pushes = odds.edge_resolved != odds.edge
    outlay = odds.edge_outlay
    return [
        label(row),
        odds.pays,
        ", ".join(odds.cites),
        percent(odds.win),
        one_in(odds.win),
        percent(odds.push) if odds.push else "",
        percent(odds.edge),
        str(odds.edge) if len(str(odds.edge)) <= _LONG else "",
        percent(odds.edge_resolved) if pushes else "",
        percent(outlay) if outlay is not None else "",
        percent(odds.edge_per_roll),
        f"{float(odds.rolls):.3f}",
        f"{odds.sd:.3f}",
        f"{row.volatility:.3f}",
        *([show_dollars(limit.least), show_dollars(limit.stake)] if limit else ["", ""]),
        *([show_dollars(limit.paid), show_dollars(limit.cost)] if limit else ["", ""]),
    ]


def label(row: ParRow) -> str:
    """A wager's name, with the election or the odds that make it another row."""
    more = row.odds.option or (f"odds {row.odds.multiple}" if row.odds.multiple else "")
    return f"{row.odds.wager} ({more})" if more else row.odds.wager


def percent(value: Fraction) -> str:
    """A share of a hundred."""
    return f"{float(value * 100):.4f}"


def one_in(chance: Fraction) -> str:
    """How many decisions to one hit, on average."""
    return f"{float(1 / chance):,.2f}" if chance else "never"


def tier_cells(tier: Tier) -> list[str]:
    """One line of a side wager's pay table."""
    on = tier.on or "complete"
    return [on, tier.odds, tier.cite, f"{float(tier.chance * 100):.6f}", one_in(tier.chance)]


def tiered(sheet: ParSheet) -> Iterator[ParRow]:
    """The wagers that are paid by tiers."""
    return (row for row in sheet.rows if row.tiers)


def fall_cells(fall: Fall) -> list[str]:
    """One fall of the dice, and the wagers that make up what it costs."""
    by = ", ".join(f"{who} {wager} {show_dollars(cost)}" for who, wager, cost in fall.by)
    first, second = fall.dice
    return [f"{first}-{second}", str(fall.weight), show_dollars(fall.cost), by or "nothing"]


def exposed(found: Exposure) -> str:
    """What a layout can cost, in a sentence."""
    worst = found.worst
    first, second = worst.dice
    puck = f"the puck on {found.puck}" if found.puck else "the puck off"
    mean = show_dollars(round(-found.mean))
    refused = f" {found.refused} says of the record were refused." if found.refused else ""
    return (
        f"With {show_dollars(found.stakes)} on the layout and {puck}, the next throw costs the "
        f"house at most {show_dollars(worst.cost)}, on {first}-{second}; on average it brings "
        f"{mean} (to the cent).{refused}"
    )


NO_LAYOUT = (
    "No layout was given: what a single throw can cost the house is in Max cost, each wager alone "
    "at its posted maximum."
)
