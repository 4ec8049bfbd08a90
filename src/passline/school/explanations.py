"""Sentences that explain an answer: how a payoff is computed, where a bet goes on the layout."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from passline.crew.cut_payoff import Payoff
from passline.crew.payoff_keys import PayoffKey, derive_priced_key
from passline.crew.props_and_dice import find_prop_placement
from passline.felt.areas import cite_place, find_area
from passline.felt.measures import EndFrame, FeltMeasures
from passline.felt.plan import plan_and_measure
from passline.game.law.wagers import FeltArea
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import Settlement
from passline.game.money.amounts import show_dollars
from passline.game.table.state import Table
from passline.game.table.table_ends import PLACES
from passline.game.words.refusals import format_sentence
from passline.game.words.school import ORDINALS, POSITION_SENTENCES, say_school
from passline.game.words.wagers import layout_name
from passline.school.question_types import find_wager_clauses
from passline.school.work_faults import load_school_data


def explain_price(spot: Spot, done: Settlement) -> Iterator[str]:
    """Yield sentences on how a bet is paid: "place 6 pays 7 to 6 ...", "every $6 gets $7: ..."."""
    win, per = (int(part) for part in (done.odds or "1 to 1").split(" to "))
    stake, paid, exact = done.stake, done.paid, Fraction(done.stake * win, per)
    if win == per:
        yield say_school("price.even", wager=spot.slug, stake=stake, paid=paid)
        return
    key = derive_priced_key((win, per), done.cite).words
    yield say_school("price.odds", wager=spot.slug, win=win, per=per, key=key)
    if stake % (per * 100) == 0:
        units = stake // (per * 100)
        yield say_school("price.units", win=win, per=per, units=units, paid=paid)
    elif exact == paid:
        yield say_school("price.exact", stake=stake, paid=paid)
    else:
        yield say_school("price.rounded", stake=stake, exact=exact, up=paid >= exact, paid=paid)


def explain_key(key: PayoffKey, name: str, stake: int) -> Iterator[str]:
    """Yield lines on a proposition's multiplier (key): "the key for the yo is 15: ...".

    ``name`` is the bet as spoken and ``stake`` its amount in cents, on which the key is worked out.
    """
    whole = key.ratio.denominator == 1
    if whole and not key.box and not key.part:
        times, paid = key.ratio.numerator, key.compute_win(stake)
        yield say_school("key.times", name=name, times=times, stake=stake, paid=paid)
        if not key.steps:
            return
        yield say_school("key.in-head", key=key.words)
    else:
        yield say_school("key.words", name=name, key=key.words)
    for words, cents in key.calculate_steps(stake):
        yield f"{words}: {show_dollars(cents)}"


def describe_payoff_chips(pay: Payoff) -> str:
    """Return a sentence with the chips of a payoff and how the dealer sets them."""
    return say_school("payoff.chips", amount=pay.chips.amount, chips=pay.chips, how=pay.words)


def find_position_clauses(layout: Layout, spot: Spot) -> tuple[str, ...]:
    """Return the ids of the clauses on where a wager is put.

    They are the clause of its area (its printed box), if there is one, and those of the rulebook on
    all positions, which divide a box among the players. If there are none, return the first two
    clauses about the wager.
    """
    book = layout.house.book.id
    own, every = cite_place(find_area(layout, spot), book), load_school_data(book).positions
    if not own.startswith("custom: "):
        return (own, *(clause for clause in every if clause != own))
    return every or find_wager_clauses(spot)[:2]


def measure_layout(layout: Layout, places: int = PLACES) -> FeltMeasures:
    """Return the measures of a house's layout for ``places`` player positions at the rail."""
    return plan_and_measure(layout, places)[1]


def describe_position(layout: Layout, spot: Spot, place: int) -> str:
    """Return where on the layout the bet of the player at rail position ``place`` is put.

    >>> from passline.game.house.load import house_for
    >>> from passline.game.layout.compile import compile_layout
    >>> felt = compile_layout(house_for("iowa"))
    >>> describe_position(felt, felt.spots["place-win-6"], 6)
    'on the front line of the 6, the third share from the center'
    """
    area = find_area(layout, spot)
    end = measure_layout(layout).find_end(place)
    if area not in POSITION_SENTENCES:
        return say_school("position.center", wager=spot.slug, side=_describe_side(end))
    figures = {
        "n": spot.number or layout_name(spot.slug),
        "front": not end.is_round_the_end(place),
        "share": describe_share(end, place, area),
    }
    return format_sentence(POSITION_SENTENCES[area], figures)


def describe_share(end: EndFrame, place: int, area: FeltArea) -> str:
    """Return which part of a printed box is a player's, counted from the center of the table.

    A share is the part of the box for one player's chips. ``place`` is the player's rail position.
    """
    if area == "hard":
        return _describe_side(end)
    seat = end.find_share(place)
    # The words "front line" or "back line" of a place bet give the row.
    code = "position.share" if area == "place" else "position.share-row"
    return say_school(code, ordinal=ORDINALS[int(seat.column)], front=seat.row)


def _describe_side(end: EndFrame) -> str:
    return say_school("position.side", end=end.name)


def describe_booked_position(table: Table, spot: Spot, player: str) -> str:
    """Return where the crew puts a player's bet; propositions go where the manual says."""
    if spot.rule.area == "center":
        return f"{layout_name(spot.slug)}, {find_prop_placement(table, spot, player).where}"
    return describe_position(table.layout, spot, table.seat(player).place)


def find_booked_position_clauses(table: Table, spot: Spot, player: str) -> tuple[str, ...]:
    """Return the ids of the clauses that decide where the crew puts a player's bet."""
    area, book = find_area(table.layout, spot), table.house.book.id
    put = find_prop_placement(table, spot, player).cite if spot.rule.area == "center" else ""
    found = (put, cite_place(area, book), *load_school_data(book).positions)
    return tuple(cite for cite in dict.fromkeys(found) if cite)
