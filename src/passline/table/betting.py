"""Deciding what players ask of their wagers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from passline.house.limits import straight_on
from passline.law.wagers import Composite
from passline.layout import Layout, Moment, Refusal, Spot, Stake, may, refuse
from passline.layout.amounts import odds_cap
from passline.table import commands as cmd
from passline.table import events as ev
from passline.table.events import Answer
from passline.table.state import Seat, Table
from passline.table.tendering import (
    call_late,
    check_coupon,
    check_face,
    check_flying,
    check_present,
    check_tender,
    check_unnoticed,
    waits_for,
)


def moment(table: Table) -> Moment:
    """What a wager's rules look at."""
    return Moment(table.puck, table.fresh, table.riding)


def bet(table: Table, ask: cmd.Bet) -> Answer:
    """A wager made or added to."""
    return book_bet(table, table.seat(ask.player), ask)


def book_bet(table: Table, seat: Seat, ask: cmd.Bet) -> Answer:
    """The same from a seat as it is given: whose chips and whose wagers these are."""
    layout = table.layout
    spot = may.spot_for(layout, ask.wager)
    if isinstance(spot, Refusal):
        return spot
    refused = (
        check_present(table, seat) or check_tender(table, ask) or check_coupon(layout, seat, ask)
    )
    if refused is not None:
        return refused
    waits = waits_for(table, ask)
    if waits is not None:
        # Would it be taken, once confirmed? A dealer books it then, whoever called it.
        then = replace(ask, in_air=True, confirmed=waits.value, by="dealer")
        placed = book_bet(table, seat, then)
        return placed if isinstance(placed, Refusal) else (call_late(ask, waits),)
    parts = booked_as(layout, spot, ask.amount)
    if parts:
        return _split(table, seat, ask, spot, parts)
    return _placed(table, seat, ask, spot, ask.amount, seat.rail)


def _placed(table: Table, seat: Seat, ask: cmd.Bet, spot: Spot, amount: int, rail: int) -> Answer:
    layout, wagers = table.layout, seat.wagers
    refused = check_unnoticed(table, spot, ask) or may.may_make(
        layout, spot, moment(table), wagers, amount, limits=not ask.unnoticed
    )
    if refused is not None:
        return refused
    vig = _vig_change(layout, spot, wagers.get(spot.slug), amount)
    if not ask.cash and amount + vig > rail:
        return short_of_chips(table, seat, amount + vig, rail)
    wagered = ev.Wagered(seat.id, spot.slug, amount, vig, ask.match, ask.unnoticed)
    if ask.cash:
        # Cash behind a spoken wager is changed into chips at once.
        return (ev.BoughtIn(seat.id, amount + vig), wagered)
    return (wagered,)


def short_of_chips(table: Table, seat: Seat, needed: int, rail: int) -> Refusal:
    """A wager is chips on the layout: what the rail does not hold cannot be bet."""
    cite = table.house.book.tender.chips
    return refuse("short-of-chips", cite, player=seat.name, needed=needed, rail=rail)


def confirm(table: Table, ask: cmd.Confirm) -> Answer:
    """One of the crew confirms a late wager; the last of those whom the book names books it."""
    waiting = [late for late in table.late if (late.player, late.wager) == (ask.player, ask.wager)]
    rule = table.house.book.tender.late.get(table.house.game)
    cite = rule.cite if rule is not None else table.house.book.tender.closes.cite
    if not waiting:
        return refuse("nothing-late", cite, player=ask.player, wager=ask.wager)
    if ask.by not in waiting[0].needs:
        return refuse("not-theirs-to-confirm", cite, waiting[0].needs, by=ask.by)
    confirmed = ev.LateConfirmed(ask.player, ask.wager, ask.by, cite)
    if len(waiting[0].needs) > 1:
        return (confirmed,)
    seat, who = table.seat(ask.player), rule.value if rule is not None else ()
    amount = waiting[0].amount
    late = cmd.Bet(ask.player, ask.wager, amount, in_air=True, confirmed=who, by=ask.by)
    placed = book_bet(table, seat, late)
    return placed if isinstance(placed, Refusal) else (confirmed, *placed)


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
    refused = may.may_make(table.layout, spot, moment(table), {}, ask.amount)
    if refused is not None:
        return refused
    found: list[ev.AnyEvent] = []
    rail = seat.rail
    for slug, amount in parts.items():
        part = may.spot_for(table.layout, slug)
        if isinstance(part, Refusal):
            return part
        answer = _placed(table, seat, ask, part, amount, rail)
        if isinstance(answer, Refusal):
            return answer
        found.extend(_part(event) if found else event for event in answer)
        rail -= amount
    return tuple(found)


def _part(event: ev.AnyEvent) -> ev.AnyEvent:
    """The same, as one part of what a say did: it is taken back with the rest of it."""
    wagered = isinstance(event, ev.Wagered | ev.Changed | ev.Called)
    return replace(event, part=True) if wagered else event


def _up(table: Table, seat: Seat, slug: str) -> tuple[Spot, Stake] | Refusal:
    spot = may.spot_for(table.layout, slug)
    if slug in seat.wagers and isinstance(spot, Spot):
        return check_flying(table) or (spot, seat.wagers[slug])
    if isinstance(spot, Refusal):
        return spot
    custom = "custom: there is no such wager to change"
    return refuse("not-up", custom, player=seat.name, wager=slug)


def change(table: Table, ask: cmd.Change) -> Answer:
    """A wager raised or reduced to an amount."""
    seat = table.seat(ask.player)
    up = _up(table, seat, ask.wager)
    if isinstance(up, Refusal):
        return up
    spot, stake = up
    if ask.to == stake.amount:
        # A say that changes nothing changes nothing.
        return (ev.Changed(seat.id, spot.slug, ask.to, ask.to, 0, stake.flat),)
    refused = check_present(table, seat) if ask.to > stake.amount else None
    refused = refused or may.may_change(table.layout, spot, moment(table), seat.wagers, ask.to)
    refused = refused or check_face(table.layout, spot.slug, stake.match, ask.to)
    if refused is not None:
        return refused
    vig = _vig_change(table.layout, spot, stake, ask.to - stake.amount)
    needed = ask.to - stake.amount + vig
    if needed > seat.rail:
        return short_of_chips(table, seat, needed, seat.rail)
    trimmed = [_part(event) for event in _trimmed(table, seat, spot, ask.to)]
    return (_changed(table, seat, spot, stake, ask.to, vig), *trimmed)


def _changed(table: Table, seat: Seat, spot: Spot, stake: Stake, to: int, vig: int) -> ev.Changed:
    """A don't wager that shrinks with its number set is still measured as first wagered."""
    flat = stake.flat if spot.set_on(table.puck) and to < stake.amount else to
    cite = (spot.raises if to > stake.amount else spot.reduces).cite
    return ev.Changed(seat.id, spot.slug, stake.amount, to, vig, flat, cite)


def _trimmed(table: Table, seat: Seat, spot: Spot, to: int) -> tuple[ev.AnyEvent, ...]:
    """Odds behind a flat that shrank are cut to what it now allows, where the book says so."""
    slug = spot.behind
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
    return (ev.Changed(seat.id, slug, up, cap, 0, cap, cite),)


def take_down(table: Table, ask: cmd.TakeDown) -> Answer:
    """A wager taken down undecided; odds behind it come with it, and so does its vigorish."""
    seat = table.seat(ask.player)
    up = _up(table, seat, ask.wager)
    if isinstance(up, Refusal):
        return up
    spot, _ = up
    refused = may.may_take_down(spot, moment(table))
    return refused if refused is not None else _as_one(_downed(table, seat.id, spot))


def _as_one(events: Sequence[ev.Changed | ev.Called]) -> tuple[ev.AnyEvent, ...]:
    """What one say did: it is taken back whole."""
    return (*events[:1], *(_part(event) for event in events[1:]))


def _downed(table: Table, player: str, spot: Spot, called_off: str = "") -> tuple[ev.Changed, ...]:
    """A wager and its odds down; ``called_off``: the clause by which calling it off did it."""
    found: list[ev.Changed] = []
    wagers = table.wagers_of(player)
    for slug in (spot.behind, spot.slug):
        stake = wagers.get(slug)
        if stake is not None:
            own = table.layout.spots[slug]
            refund = stake.vig if own.vig and table.house.vig[own.vig].refund else 0
            cite, off = called_off or own.removes.cite, bool(called_off)
            down = ev.Changed(player, slug, stake.amount, 0, -refund, 0, cite, called_off=off)
            found.append(down)
    return tuple(found)


def take_all_down(table: Table, ask: cmd.TakeAllDown) -> Answer:
    """Everything that may come down."""
    seat = table.seat(ask.player)
    if flying := check_flying(table):
        return flying
    spots, now = table.layout.spots, moment(table)
    free = [slug for slug in seat.wagers if may.may_take_down(spots[slug], now) is None]
    found = all_downed(table, seat.id, free)
    if not found:
        custom = "custom: there is no such wager to change"
        return refuse("nothing-comes-down", custom, player=seat.name)
    return _as_one(found)


def all_downed(table: Table, player: str, slugs: Iterable[str]) -> tuple[ev.Changed, ...]:
    """These wagers down, each flat with the odds behind it, whoever may ask for it."""
    found: dict[str, ev.Changed] = {}
    spots = table.layout.spots
    for slug in sorted(slugs, key=lambda slug: bool(spots[slug].flat)):
        if slug not in found:
            found |= {event.wager: event for event in _downed(table, player, spots[slug])}
    return tuple(found.values())


def call(table: Table, ask: cmd.Call) -> Answer:
    """A wager called on or off; with no wager named, every one that may be."""
    seat = table.seat(ask.player)
    if not ask.wager:
        return check_flying(table) or _call_all(table, seat, ask.on)
    up = _up(table, seat, ask.wager)
    if isinstance(up, Refusal):
        return up
    spot, stake = up
    refused = may.may_call(table.layout, spot, stake.call, ask.on)
    return refused if refused is not None else _as_one(_called(table, seat, spot, ask.on))


def _called(table: Table, seat: Seat, spot: Spot, on: bool) -> tuple[ev.Changed | ev.Called, ...]:
    rule = spot.rule
    if not on and rule.call_off is not None and rule.call_off.value == "returned":
        return _downed(table, seat.id, spot, rule.call_off.cite)
    callable_on = rule.call_on is not None and rule.call_on.value
    rests = rule.call_off is not None and rule.call_off.value == "rests"
    if on:
        return (ev.Called(seat.id, spot.slug, True if callable_on else None),)
    return (ev.Called(seat.id, spot.slug, False if rests else None),)


def _call_all(table: Table, seat: Seat, on: bool) -> Answer:
    found: list[ev.Changed | ev.Called] = []
    for slug, stake in seat.wagers.items():
        spot = table.layout.spots[slug]
        if may.may_call(table.layout, spot, stake.call, on) is None:
            found.extend(_called(table, seat, spot, on))
    if found:
        return _as_one(found)
    custom = "custom: there is no such wager to call"
    return refuse("nothing-to-call", custom, player=seat.name, call="on" if on else "off")
