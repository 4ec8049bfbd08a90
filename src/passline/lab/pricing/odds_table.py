"""Write wager odds as text, for the terminal and pages: a table of all wagers, or one in full."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from passline.game.money.amounts import show_dollars
from passline.game.words.odds import EDGE_NOTE, ELECTION_NOTE, STAKE_NOTE, VIGORISH_NOTE, say_odds
from passline.game.words.refusals import describe_refusal
from passline.game.words.wagers import layout_name, wager_label
from passline.lab.pricing.wager_odds import WITH_ODDS_SUFFIX, OddsRow, RefusedOdds, WagerOdds
from passline.lab.results import exact_suffix

#: The columns of a table of wagers.
ODDS_COLUMNS = ("wager", "pays", "win %", "edge %", "exact", "% a roll", "rolls", "sd")


def show_percent(value: Fraction, places: int = 3) -> str:
    """Return a share in percent as text, with ``places`` decimals.

    >>> show_percent(Fraction(7, 495)), show_percent(Fraction(0))
    ('1.414', '0.000')
    """
    return f"{float(value * 100):.{places}f}"


def show_fraction(value: Fraction, width: int) -> str:
    """Return a fraction as text if it fits ``width`` characters, otherwise an empty string.

    >>> show_fraction(Fraction(7, 495), 8), show_fraction(Fraction(10**9, 7), 8)
    ('7/495', '')
    """
    return str(value) if len(str(value)) <= width else ""


def odds_label(row: OddsRow) -> str:
    """Return the wager's name, followed by its house option or its odds multiple, if any."""
    choice = row.option.rpartition("=")[2] if row.option else ""
    label = wager_label(row.wager) + (f" {choice}" if choice not in {"", "true"} else "")
    if row.multiple and len(row.multiple) <= 5:
        times = "x" if row.multiple.isdecimal() else ""
        label = label.replace(WITH_ODDS_SUFFIX, f"+{row.multiple}{times} odds")
    return label


def odds_figures(row: WagerOdds, widest: int) -> list[str]:
    """Return a row's cells after the pay column; fractions over ``widest`` characters are empty.

    The cells are: chance to win, edge in percent and as a fraction, edge per roll, rolls, and
    deviation.
    """
    return [
        show_percent(row.win, 2),
        show_percent(row.edge),
        show_fraction(row.edge, widest),
        show_percent(row.edge_per_roll),
        f"{float(row.rolls):.2f}",
        f"{row.sd:.2f}",
    ]


def odds_reason(row: RefusedOdds) -> str:
    """Return the reason why the rules refuse the stake of a row, without the wager's name."""
    return describe_refusal(row.refusal).removeprefix(f"{layout_name(row.wager)} ")


def odds_notes(rows: Sequence[OddsRow], name_option: Callable[[str], str] = str) -> Iterator[str]:
    """Yield the notes under a table of wagers.

    ``name_option`` returns the text for a house option that rows need, such as ``offers.fire=A``.
    """
    stake = next((row.stake for row in rows if row.stake is not None), None)
    if stake is not None:
        yield STAKE_NOTE.format(stake=show_dollars(stake))
    yield EDGE_NOTE
    if any(isinstance(row, WagerOdds) and row.edge_outlay is not None for row in rows):
        yield VIGORISH_NOTE
    options = dict.fromkeys(row.option for row in rows if row.option)
    if options:
        yield ELECTION_NOTE.format(options=", ".join(map(name_option, options)))


def odds_title(row: OddsRow) -> str:
    """Return a wager's full name, followed by the house option that it needs."""
    return row.title + (f", {row.option}" if row.option else "")


def odds_details(row: OddsRow) -> Iterator[tuple[str, str]]:
    """Yield (label, text) for all figures of a wager; an empty label continues the last one."""
    yield "pays", row.pays
    if row.multiple is not None:
        yield "odds", say_odds("multiple", multiple=row.multiple, taken=_describe_odds_taken(row))
    if row.stake is not None:
        yield "stake", show_dollars(row.stake)
    if isinstance(row, RefusedOdds):
        yield "refused", f"{describe_refusal(row.refusal)} [{row.refusal.cite}]"
    else:
        yield from _figure_lines(row)
    for point, part in row.by_point.items():
        yield f"on {point}", _describe_point(part)
    yield "clauses", ", ".join(row.cites)


def _describe_odds_taken(row: OddsRow) -> str:
    """Describe the odds that were priced, if a posted maximum cuts the multiple; else ""."""
    if not row.capped:
        return ""
    by_amount: dict[int, list[str]] = {}
    for number, cents in row.odds_taken.items():
        by_amount.setdefault(cents, []).append(str(number))
    shown = [f"{show_dollars(cents)} on {' '.join(on)}" for cents, on in by_amount.items()]
    return say_odds("capped", amounts=shown)


def _figure_lines(row: WagerOdds) -> Iterator[tuple[str, str]]:
    for label, chance in (("wins", row.win), ("loses", row.lose), ("pushes", row.push)):
        if chance or label != "pushes":
            yield label, _percent_and_fraction(chance)
    of = say_odds("of-flat-and-odds" if row.multiple else "of-wagered")
    yield "edge", f"{_percent_and_fraction(row.edge)}  {of}"
    if row.multiple is not None:
        yield "", f"{_percent_and_fraction(row.edge_flat)}  {say_odds('of-flat')}"
    if row.push:
        yield "", f"{_percent_and_fraction(row.edge_resolved)}  {say_odds('without-pushes')}"
    if row.edge_outlay not in (None, row.edge):
        assert row.edge_outlay is not None
        yield "", f"{_percent_and_fraction(row.edge_outlay)}  {say_odds('of-outlay')}"
    yield "", f"{_percent_and_fraction(row.edge_per_roll)}  {say_odds('a-roll')}"
    exact = exact_suffix(row.rolls)
    yield "rolls", say_odds("rolls-to-decision", rolls=float(row.rolls), exact=exact)
    yield "sd", say_odds("sd", sd=row.sd)


def _percent_and_fraction(value: Fraction) -> str:
    return f"{show_percent(value, 4)}%{exact_suffix(value)}"


def _describe_point(part: OddsRow) -> str:
    if isinstance(part, RefusedOdds):
        return f"{part.pays}: refused, {describe_refusal(part.refusal)} [{part.refusal.cite}]"
    rolls = f"{float(part.rolls):.2f}"
    return f"{part.pays}: wins {_percent_and_fraction(part.win)}, edge {_percent_and_fraction(part.edge)}, {rolls} rolls"  # noqa: E501
