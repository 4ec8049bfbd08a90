"""Deciding what players ask of their wagers."""

from __future__ import annotations

from collections.abc import Iterable

from passline.house.limits import straight_on
from passline.law.wagers import Composite
from passline.layout import Layout, Moment, Refusal, Spot, Stake, may
from passline.layout.amounts import check_chips, odds_cap
from passline.money import show_dollars
from passline.table import commands as cmd
from passline.table import events as ev
from passline.table.events import Answer
from passline.table.state import Seat, Table


def moment(table: Table) -> Moment:
    """What a wager's rules look at."""
    return Moment(table.puck, table.fresh, table.riding)


def bet(table: Table, ask: cmd.Bet) -> Answer:
    """A wager made or added to."""
    return booked(table, table.seats[table.index(ask.player)], ask)


def booked(table: Table, seat: Seat, ask: cmd.Bet) -> Answer:
    """The same from a seat as it is given: whose chips and whose wagers these are."""
    layout = table.layout
    spot = may.spot_for(layout, ask.wager)
    if isinstance(spot, Refusal):
        return spot
    refused = _present(table, seat) or _tendered(table, ask) or _coupon(layout, ask)
    if refused is not None:
        return refused
    parts = booked_as(layout, spot, ask.amount)
    if parts:
        return _split(table, seat, ask, spot, parts)
    return _placed(table, seat, ask, spot, ask.amount, seat.rail)


def _placed(table: Table, seat: Seat, ask: cmd.Bet, spot: Spot, amount: int, rail: int) -> Answer:
    layout, wagers = table.layout, seat.wagers
    refused = _unnoticed(table, ask) or may.may_bet(
        layout, spot, moment(table), wagers, amount, limits=not ask.unnoticed
    )
    if refused is not None:
        return refused
    vig = _vig_change(layout, spot, wagers.get(spot.slug), amount)
    if not ask.cash and amount + vig > rail:
        return short_of_chips(table, seat, amount + vig, rail)
    wagered = ev.Wagered(seat.name, spot.slug, amount, vig, ask.match, ask.unnoticed)
    if ask.cash:
        # Cash behind a spoken wager is changed into chips at once.
        return (ev.BoughtIn(seat.name, amount + vig), wagered)
    return (wagered,)


def short_of_chips(table: Table, seat: Seat, needed: int, rail: int) -> Refusal:
    """A wager is chips on the layout: what the rail does not hold cannot be bet."""
    return Refusal(
        f"{seat.name} needs {show_dollars(needed)} and has {show_dollars(rail)} in the rail",
        table.house.book.tender.chips,
    )


def _present(table: Table, seat: Seat) -> Refusal | None:
    required = table.house.book.seating.required
    if required is not None and seat.standing and table.house.game in required.value:
        return Refusal(f"{seat.name} must be seated to bet", required.cite)
    return None


def _tendered(table: Table, ask: cmd.Bet) -> Refusal | None:
    """How the wager came in: with chips or cash, before the throw or confirmed in the air."""
    tender = table.house.book.tender
    if ask.no_bet:
        cite = tender.no_bet.cite if tender.no_bet else "custom: a wager refused aloud is no wager"
        if tender.no_bet is None or tender.no_bet.value:
            return Refusal("the dealer called no bet: it has no action on this roll", cite)
    if ask.on_call and not tender.call_bets.value:
        return Refusal("call bets are not taken: put up chips or cash", tender.call_bets.cite)
    if ask.cash and not set(tender.cash_confirmed_by.value) <= set(ask.confirmed):
        needed = " and ".join(tender.cash_confirmed_by.value)
        return Refusal(
            f"a spoken wager with cash needs the {needed} to confirm it",
            tender.cash_confirmed_by.cite,
        )
    if (ask.dice_out or table.dice.out) and not tender.dice_out.value:
        return Refusal("no wager is taken once the dice are out", tender.dice_out.cite)
    return _in_air(table, ask) if ask.in_air else None


def _in_air(table: Table, ask: cmd.Bet) -> Refusal | None:
    tender = table.house.book.tender
    if tender.closes.value == "rest":
        return None
    confirm = tender.late.get(table.house.game)
    if confirm is None:
        return Refusal("no wager is taken while the dice are in the air", tender.closes.cite)
    if set(confirm.value) <= set(ask.confirmed):
        return None
    needed = " and ".join(confirm.value)
    return Refusal(f"in the air, a wager needs the {needed} to confirm it", confirm.cite)


def _coupon(layout: Layout, ask: cmd.Bet) -> Refusal | None:
    if not ask.match:
        return None
    house = layout.house
    taken = house.book.tender.match_play
    if ask.wager not in taken.value:
        return Refusal(f"no match play coupon is taken with {ask.wager}", taken.cite)
    if not house.offers("match_play"):
        return Refusal("this house takes no match play coupons", "custom: not elected")
    return check_chips(layout, ask.match)


def _unnoticed(table: Table, ask: cmd.Bet) -> Refusal | None:
    """A wager past the limits goes unnoticed only where the book says what becomes of it."""
    stakes = table.house.book.stakes
    if not ask.unnoticed or stakes.found_over is not None or stakes.found_under is not None:
        return None
    return Refusal(
        "limits are checked when the wager is made",
        "custom: the book has no rule for a wager found past the limits after the roll",
    )


def _vig_change(layout: Layout, spot: Spot, up: Stake | None, added: int) -> int:
    """The vigorish to charge (or, negative, to hand back) when a wager changes by an amount."""
    if not spot.vig or spot.vig_won:
        return 0
    terms = layout.house.vig[spot.vig]
    total = added + (up.amount if up else 0)
    owed = terms.charge(total, spot.odds) if total else 0
    change = owed - (up.vig if up else 0)
    return change if change >= 0 or terms.refund else 0


def booked_as(layout: Layout, spot: Spot, amount: int) -> dict[str, int]:
    """The wagers that a composite is booked as, where it is not booked whole."""
    rule = spot.rule
    if not isinstance(rule, Composite) or rule.split is None or rule.parts is None:
        return {}
    key = f"layout.{spot.family}"
    has_spot = key not in layout.house.book.elect or layout.house.elected(key) is not False
    if rule.split.value == "never" or (rule.split.value == "no-spot" and has_spot):
        return {}
    units = sum(rule.parts.value.values())
    book = layout.house.book
    return {
        straight_on(book, rule, spot.number) if part == "high" else part: amount * count // units
        for part, count in rule.parts.value.items()
    }


def _split(table: Table, seat: Seat, ask: cmd.Bet, spot: Spot, parts: dict[str, int]) -> Answer:
    """A composite booked as its parts: all of them, or none."""
    refused = may.may_bet(table.layout, spot, moment(table), {}, ask.amount)
    if refused is not None:
        return refused
    found: list[ev.Event] = []
    rail = seat.rail
    for slug, amount in parts.items():
        part = may.spot_for(table.layout, slug)
        if isinstance(part, Refusal):
            return part
        answer = _placed(table, seat, ask, part, amount, rail)
        if isinstance(answer, Refusal):
            return answer
        found.extend(answer)
        rail -= amount
    return tuple(found)


def _up(table: Table, seat: Seat, slug: str) -> tuple[Spot, Stake] | Refusal:
    spot = may.spot_for(table.layout, slug)
    if slug in seat.wagers and isinstance(spot, Spot):
        return spot, seat.wagers[slug]
    if isinstance(spot, Refusal):
        return spot
    return Refusal(f"{seat.name} has no {slug} up", "custom: there is no such wager to change")


def change(table: Table, ask: cmd.Change) -> Answer:
    """A wager raised or reduced to an amount."""
    seat = table.seats[table.index(ask.player)]
    up = _up(table, seat, ask.wager)
    if isinstance(up, Refusal):
        return up
    spot, stake = up
    if ask.to == stake.amount:
        # A say that changes nothing changes nothing.
        return (ev.Changed(seat.name, spot.slug, ask.to, ask.to, 0, stake.flat),)
    refused = _present(table, seat) if ask.to > stake.amount else None
    refused = refused or may.may_change(table.layout, spot, moment(table), seat.wagers, ask.to)
    if refused is not None:
        return refused
    vig = _vig_change(table.layout, spot, stake, ask.to - stake.amount)
    needed = ask.to - stake.amount + vig
    if needed > seat.rail:
        return short_of_chips(table, seat, needed, seat.rail)
    return (_changed(table, seat, spot, stake, ask.to, vig), *_trimmed(table, seat, spot, ask.to))


def _changed(table: Table, seat: Seat, spot: Spot, stake: Stake, to: int, vig: int) -> ev.Changed:
    """A don't wager that shrinks with its number set is still measured as first wagered."""
    numbered = table.puck if spot.family in {"pass", "dont-pass"} else spot.number
    flat = stake.flat if numbered and to < stake.amount else to
    cite = (spot.raises if to > stake.amount else spot.reduces).cite
    return ev.Changed(seat.name, spot.slug, stake.amount, to, vig, flat, cite)


def _trimmed(table: Table, seat: Seat, spot: Spot, to: int) -> tuple[ev.Event, ...]:
    """Odds behind a flat that shrank are cut to what it now allows, where the book says so."""
    slug = _odds_slug(spot)
    if slug not in seat.wagers:
        return ()
    odds = table.layout.spots[slug]
    flat = seat.wagers[spot.slug]
    after = {**seat.wagers, spot.slug: Stake(to, flat.flat)}
    cap = odds_cap(table.layout, odds, table.puck, after)
    up = seat.wagers[slug].amount
    if up <= cap:
        return ()
    basis = table.house.book.changes.dont_odds_basis
    cite = basis.cite if basis else ""
    return (ev.Changed(seat.name, slug, up, cap, 0, cap, cite),)


def _odds_slug(spot: Spot) -> str:
    if spot.family in {"pass", "dont-pass"}:
        return f"{spot.slug}-odds"
    if spot.family in {"come", "dont-come"} and spot.number:
        return f"{spot.family}-odds-{spot.number}"
    return ""


def take_down(table: Table, ask: cmd.TakeDown) -> Answer:
    """A wager taken down undecided; odds behind it come with it, and so does its vigorish."""
    seat = table.seats[table.index(ask.player)]
    up = _up(table, seat, ask.wager)
    if isinstance(up, Refusal):
        return up
    spot, _ = up
    refused = may.may_take_down(spot, moment(table))
    return refused if refused is not None else _downed(table, seat, spot)


def _downed(table: Table, seat: Seat, spot: Spot) -> tuple[ev.Changed, ...]:
    found: list[ev.Changed] = []
    for slug in (_odds_slug(spot), spot.slug):
        stake = seat.wagers.get(slug)
        if stake is not None:
            own = table.layout.spots[slug]
            refund = stake.vig if own.vig and table.house.vig[own.vig].refund else 0
            found.append(ev.Changed(seat.name, slug, stake.amount, 0, -refund, 0, own.removes.cite))
    return tuple(found)


def take_all_down(table: Table, ask: cmd.TakeAllDown) -> Answer:
    """Everything that may come down."""
    seat = table.seats[table.index(ask.player)]
    spots, now = table.layout.spots, moment(table)
    found = all_downed(
        table, seat, [slug for slug in seat.wagers if may.may_take_down(spots[slug], now) is None]
    )
    if not found:
        return Refusal(
            f"{seat.name} has nothing up that may come down",
            "custom: there is no such wager to change",
        )
    return found


def all_downed(table: Table, seat: Seat, slugs: Iterable[str]) -> tuple[ev.Changed, ...]:
    """These wagers down, each flat with the odds behind it, whoever may ask for it."""
    found: dict[str, ev.Changed] = {}
    spots = table.layout.spots
    for slug in sorted(slugs, key=lambda slug: bool(spots[slug].flat)):
        if slug not in found:
            found |= {event.wager: event for event in _downed(table, seat, spots[slug])}
    return tuple(found.values())


def call(table: Table, ask: cmd.Call) -> Answer:
    """A wager called on or off; with no wager named, every one that may be."""
    seat = table.seats[table.index(ask.player)]
    if not ask.wager:
        return _call_all(table, seat, ask.on)
    up = _up(table, seat, ask.wager)
    if isinstance(up, Refusal):
        return up
    spot, stake = up
    refused = may.may_call(table.layout, spot, stake.call, ask.on)
    return refused if refused is not None else _called(table, seat, spot, stake, ask.on)


def _called(table: Table, seat: Seat, spot: Spot, stake: Stake, on: bool) -> tuple[ev.Event, ...]:
    rule = spot.rule
    if not on and rule.call_off is not None and rule.call_off.value == "returned":
        return _downed(table, seat, spot)
    callable_on = rule.call_on is not None and rule.call_on.value
    rests = rule.call_off is not None and rule.call_off.value == "rests"
    if on:
        return (ev.Called(seat.name, spot.slug, True if callable_on else None),)
    return (ev.Called(seat.name, spot.slug, False if rests else None),)


def _call_all(table: Table, seat: Seat, on: bool) -> Answer:
    found: list[ev.Event] = []
    for slug, stake in seat.wagers.items():
        spot = table.layout.spots[slug]
        if may.may_call(table.layout, spot, stake.call, on) is None:
            found.extend(_called(table, seat, spot, stake, on))
    if found:
        return tuple(found)
    word = "on" if on else "off"
    return Refusal(
        f"{seat.name} has nothing up to call {word}", "custom: there is no such wager to call"
    )
