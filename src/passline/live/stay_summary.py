"""Sum up what a player did at a table: money in and out, throws, the best hand, luck. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct

from passline.game.money.amounts import to_dollars
from passline.game.table.events import Rolled
from passline.game.table.state import NOBODY, Seat, Table
from passline.lab.luck.review import LuckSplit, split_luck
from passline.live.log_entries import Entry
from passline.live.record_export import export_record
from passline.record.deal import Dealt, deal_text


class BestHand(Struct, frozen=True):
    """The longest hand that a player was at the table for: the shooter's name and its throws."""

    shooter: str
    throws: int


class StaySummary(Struct, frozen=True, kw_only=True):
    """A player's result at a table so far. Money is dollars as text.

    ``up`` is the stake of the open bets, which is part of ``net``. ``decisions`` is what the
    player's choices were worth on average, and ``luck`` what the dice made of them; together they
    are ``net``. If the log is too long to review, both and ``best_hand`` are None, and ``throws``
    counts all throws of the table.
    """

    name: str
    bought_in: str
    rail: str
    up: str
    net: str
    throws: int
    best_hand: BestHand | None = None
    decisions: str | None = None
    luck: str | None = None


def summarize_seat(seat: Seat, throws: int) -> StaySummary:
    """Return a player's summary from the seat alone, without best hand, decisions and luck.

    ``throws`` is copied into the summary.
    """
    up = sum(stake.amount for stake in seat.wagers.values())
    return StaySummary(
        name=seat.name,
        bought_in=to_dollars(seat.bought_in),
        rail=to_dollars(seat.rail),
        up=to_dollars(up),
        net=to_dollars(seat.rail + up - seat.bought_in),
        throws=throws,
    )


def summarize_log(entries: Iterable[Entry], player: str) -> StaySummary:
    """Return the whole summary of a player, computed from the entries of the table's log."""
    dealt = deal_text(export_record(entries))
    seat = dealt.table.seat(player)
    throws, best = _find_best_hand(dealt, player)
    split = split_luck(dealt, [player])[player]
    plain = summarize_seat(seat, throws)
    return StaySummary(
        name=plain.name,
        bought_in=plain.bought_in,
        rail=plain.rail,
        up=plain.up,
        net=plain.net,
        throws=throws,
        best_hand=best,
        decisions=_round_dollars(split.decisions),
        luck=_round_dollars(_luck_at_face(split)),
    )


def _luck_at_face(split: LuckSplit) -> Fraction:
    """Return the luck in cents when open bets count at their stake, as they do in ``net``."""
    return split.luck + split.up - split.worth


def _round_dollars(cents: Fraction) -> str:
    return to_dollars(round(cents))


def _find_best_hand(dealt: Dealt, player: str) -> tuple[int, BestHand | None]:
    """Return (throws, hand): how many throws a player was at the table for, and the longest hand.

    A hand counts with all its throws up to the last one that the player saw, even those before the
    player came. The hand is None if the player saw no throw by a shooter.
    """
    seen, length, shooter = 0, 0, NOBODY
    best: BestHand | None = None
    for _, before, rolled in dealt.throws():
        if before.shooter != shooter:
            length, shooter = 0, before.shooter
        length += 1
        if _is_here(before, player):
            seen += 1
            if before.shooter != NOBODY and (best is None or length > best.throws):
                best = BestHand(before.seat(before.shooter).name, length)
        if _is_seven_out(rolled):
            length = 0
    return seen, best


def _is_here(table: Table, player: str) -> bool:
    """Return whether a player is at the table, or has left but has bets up."""
    seat = table.find(player)
    return seat is not None and (seat.here or bool(seat.wagers))


def _is_seven_out(rolled: Rolled) -> bool:
    return bool(rolled.was) and rolled.first + rolled.second == 7
