"""How a wager comes in: with chips or cash, before the throw, or in the air and confirmed."""

from __future__ import annotations

from passline.law.cited import Cited
from passline.law.roles import Role
from passline.layout import Layout, Refusal, Spot, Stake, refuse
from passline.layout.amounts import check_chips
from passline.table import commands as cmd
from passline.table import events as ev
from passline.table.state import Seat, Table


def check_present(table: Table, seat: Seat) -> Refusal | None:
    """Whether a player is where one may bet: seated, where the book asks for it."""
    required = table.house.book.seating.required
    if seat.standing and table.house.game in required.value:
        return refuse("not-seated", required.cite, player=seat.name)
    return None


def check_tender(table: Table, ask: cmd.Bet) -> Refusal | None:
    """How the wager came in: with chips or cash, before the throw or confirmed in the air."""
    tender = table.house.book.tender
    if ask.confirmed and ask.by == "player":
        return refuse("self-confirmed", tender.cash_confirmed_by.cite)
    if ask.no_bet and tender.no_bet.value:
        return refuse("no-bet", tender.no_bet.cite)
    if ask.on_call and not tender.call_bets.value:
        return refuse("call-bet", tender.call_bets.cite)
    if ask.cash and not set(tender.cash_confirmed_by.value) <= set(ask.confirmed):
        who = tender.cash_confirmed_by
        return refuse("cash-unconfirmed", who.cite, needs=who.value)
    if (ask.dice_out or table.dice.out) and not tender.dice_out.value:
        return refuse("dice-out", tender.dice_out.cite)
    return _in_air(table, ask) if ask.in_air or table.dice.in_air else None


def _in_air(table: Table, ask: cmd.Bet) -> Refusal | None:
    tender = table.house.book.tender
    if tender.closes.value == "rest":
        return None
    confirm = tender.late.get(table.house.game)
    if confirm is None:
        return refuse("in-air", tender.closes.cite)
    if table.dice.in_air or set(confirm.value) <= set(ask.confirmed):
        return None  # called while they fly, it waits to be confirmed
    return refuse("late-unconfirmed", confirm.cite, needs=confirm.value)


def check_flying(table: Table) -> Refusal | None:
    """What lies on the layout stands while the dice fly: betting closed with the throw."""
    closes = table.house.book.tender.closes
    if not table.dice.in_air or closes.value == "rest":
        return None
    return refuse("stands-in-air", closes.cite)


def waits_for(table: Table, ask: cmd.Bet) -> Cited[tuple[Role, ...]] | None:
    """Whose word a wager waits for that is called while the dice are in the air."""
    if not table.dice.in_air or table.house.book.tender.closes.value == "rest":
        return None
    confirm = table.house.book.tender.late.get(table.house.game)
    return confirm if confirm is not None and not set(confirm.value) <= set(ask.confirmed) else None


def call_late(ask: cmd.Bet, confirm: Cited[tuple[Role, ...]]) -> ev.LateCalled:
    """A wager called in the air: it waits."""
    needs = tuple(role for role in confirm.value if role not in ask.confirmed)
    return ev.LateCalled(
        player=ask.player, wager=ask.wager, amount=ask.amount, needs=needs, cite=confirm.cite
    )


def lapse_late(table: Table) -> tuple[ev.LateLapsed, ...]:
    """What was called in the air and not confirmed when the dice rest has no action."""
    return tuple(ev.LateLapsed(late.player, late.wager, late.cite) for late in table.late)


def check_coupon(layout: Layout, seat: Seat, ask: cmd.Bet) -> Refusal | None:
    """Whether a match play coupon is taken with a wager."""
    if not ask.match:
        return None
    house = layout.house
    taken = house.book.tender.match_play
    if ask.wager not in taken.value:
        return refuse("no-coupon-with", taken.cite, taken.value, wager=ask.wager)
    if not house.offers("match_play"):
        return refuse("no-coupons", "custom: not elected")
    up = seat.wagers.get(ask.wager, Stake(0))
    match, amount = up.match + ask.match, up.amount + ask.amount
    return check_chips(layout, ask.match) or check_face(layout, ask.wager, match, amount)


def check_face(layout: Layout, slug: str, match: int, amount: int) -> Refusal | None:
    """Whether a wager is large enough for the coupons that go with it."""
    rule = layout.house.book.tender.match_face
    if rule.value == "any" or match <= amount:
        return None
    return refuse("coupon-over-wager", rule.cite, [amount], match=match, wager=slug)


def check_unnoticed(table: Table, spot: Spot, ask: cmd.Bet) -> Refusal | None:
    """A wager past the limits goes unnoticed only where the book says what becomes of it."""
    stakes = table.house.book.stakes
    rule = stakes.found_under if ask.amount < spot.minimum else stakes.found_over
    if not ask.unnoticed or rule.value != "checked":
        return None
    return refuse("limits-checked", rule.cite)
