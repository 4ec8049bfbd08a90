"""How a wager comes in: with chips or cash, before the throw, or in the air and confirmed.

Deciding what players ask of their wagers.

Tokes: tips for the dealers, dropped in their box or wagered for them.

Corrections: what a player said of his wagers is taken back, and the correction says what.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from passline.game.law.citations import CitedValue
from passline.game.law.roles import Role
from passline.game.law.shapes.composite import Composite
from passline.game.layout import wager_checks
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import Refusal, Settlement, Stake, refuse
from passline.game.layout.wager_checks import Moment, check_chips, find_odds_cap
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.events import Answer
from passline.game.table.state import DEALERS, Seat, Table, UndoStep


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
    return _check_in_air(table, ask) if ask.in_air or table.dice.in_air else None


def _check_in_air(table: Table, ask: cmd.Bet) -> Refusal | None:
    tender = table.house.book.tender
    if tender.closes.value == "rest":
        return None
    confirm = tender.late.get(table.house.game)
    if confirm is None:
        return refuse("in-air", tender.closes.cite)
    if table.dice.in_air or set(confirm.value) <= set(ask.confirmed):
        return None  # called while they fly, it waits to be confirmed
    return refuse("late-unconfirmed", confirm.cite, needs=confirm.value)


def check_bets_closed(table: Table) -> Refusal | None:
    """What lies on the layout stands while the dice fly: betting closed with the throw."""
    closes = table.house.book.tender.closes
    if not table.dice.in_air or closes.value == "rest":
        return None
    return refuse("stands-in-air", closes.cite)


def find_required_confirmation(table: Table, ask: cmd.Bet) -> CitedValue[tuple[Role, ...]] | None:
    """Whose word a wager waits for that is called while the dice are in the air."""
    if not table.dice.in_air or table.house.book.tender.closes.value == "rest":
        return None
    confirm = table.house.book.tender.late.get(table.house.game)
    return confirm if confirm is not None and not set(confirm.value) <= set(ask.confirmed) else None


def late_bet_event(ask: cmd.Bet, confirm: CitedValue[tuple[Role, ...]]) -> ev.LateCalled:
    """A wager called in the air: it waits."""
    needs = tuple(role for role in confirm.value if role not in ask.confirmed)
    return ev.LateCalled(
        player=ask.player, wager=ask.wager, amount=ask.amount, needs=needs, cite=confirm.cite
    )


def lapse_late_bets(table: Table) -> tuple[ev.LateLapsed, ...]:
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
    return check_chips(layout, ask.match) or check_coupon_face(layout, ask.wager, match, amount)


def check_coupon_face(layout: Layout, slug: str, match: int, amount: int) -> Refusal | None:
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


def current_moment(table: Table) -> Moment:
    """What a wager's rules look at."""
    return Moment(table.point, table.fresh, table.riding)


def make_bet(table: Table, ask: cmd.Bet) -> Answer:
    """A wager made or added to."""
    return make_bet_from_seat(table, table.seat(ask.player), ask)


def make_bet_from_seat(table: Table, seat: Seat, ask: cmd.Bet) -> Answer:
    """The same from a seat as it is given: whose chips and whose wagers these are."""
    layout = table.layout
    spot = wager_checks.find_spot(layout, ask.wager)
    if isinstance(spot, Refusal):
        return spot
    refused = (
        check_present(table, seat) or check_tender(table, ask) or check_coupon(layout, seat, ask)
    )
    if refused is not None:
        return refused
    waits = find_required_confirmation(table, ask)
    if waits is not None:
        # Would it be taken, once confirmed? A dealer books it then, whoever called it.
        then = replace(ask, in_air=True, confirmed=waits.value, by="dealer")
        placed = make_bet_from_seat(table, seat, then)
        return placed if isinstance(placed, Refusal) else (late_bet_event(ask, waits),)
    parts = split_composite(layout, spot, ask.amount)
    if parts:
        return _place_composite_parts(table, seat, ask, spot, parts)
    return _place_bet(table, seat, ask, spot, ask.amount, seat.rail)


def _place_bet(
    table: Table, seat: Seat, ask: cmd.Bet, spot: Spot, amount: int, rail: int
) -> Answer:
    layout, wagers = table.layout, seat.wagers
    refused = check_unnoticed(table, spot, ask) or wager_checks.check_new_wager(
        layout, spot, current_moment(table), wagers, amount, limits=not ask.unnoticed
    )
    if refused is not None:
        return refused
    vig = _vig_difference(layout, spot, wagers.get(spot.slug), amount)
    if not ask.cash and amount + vig > rail:
        return refuse_short_of_chips(table, seat, amount + vig, rail)
    wagered = ev.Wagered(seat.id, spot.slug, amount, vig, ask.match, ask.unnoticed)
    if ask.cash:
        # Cash behind a spoken wager is changed into chips at once.
        return (ev.BoughtIn(seat.id, amount + vig), wagered)
    return (wagered,)


def refuse_short_of_chips(table: Table, seat: Seat, needed: int, rail: int) -> Refusal:
    """A wager is chips on the layout: what the rail does not hold cannot be bet."""
    cite = table.house.book.tender.chips
    return refuse("short-of-chips", cite, player=seat.name, needed=needed, rail=rail)


def confirm_late_bet(table: Table, ask: cmd.Confirm) -> Answer:
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
    placed = make_bet_from_seat(table, seat, late)
    return placed if isinstance(placed, Refusal) else (confirmed, *placed)


def _vig_difference(layout: Layout, spot: Spot, up: Stake | None, added: int) -> int:
    """The vigorish to charge (or, negative, to hand back) when a wager changes by an amount."""
    if not spot.vig or spot.vig_won:
        return 0
    terms = layout.house.vig[spot.vig]
    total = added + (up.amount if up else 0)
    owed = terms.charge(total, spot.odds) if total else 0
    change = owed - (up.vig if up else 0)
    return change if change >= 0 or terms.refund else 0


def split_composite(layout: Layout, spot: Spot, amount: int) -> dict[str, int]:
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
        rule.find_high_leg(book, spot.number) if part == "high" else part: amount * count // units
        for part, count in rule.parts.value.items()
    }


def _place_composite_parts(
    table: Table, seat: Seat, ask: cmd.Bet, spot: Spot, parts: dict[str, int]
) -> Answer:
    """A composite booked as its parts: all of them, or none."""
    refused = wager_checks.check_new_wager(
        table.layout, spot, current_moment(table), {}, ask.amount
    )
    if refused is not None:
        return refused
    found: list[ev.AnyEvent] = []
    rail = seat.rail
    for slug, amount in parts.items():
        part = wager_checks.find_spot(table.layout, slug)
        if isinstance(part, Refusal):
            return part
        answer = _place_bet(table, seat, ask, part, amount, rail)
        if isinstance(answer, Refusal):
            return answer
        found.extend(_mark_as_part(event) if found else event for event in answer)
        rail -= amount
    return tuple(found)


def _mark_as_part(event: ev.AnyEvent) -> ev.AnyEvent:
    """The same, as one part of what a say did: it is taken back with the rest of it."""
    wagered = isinstance(event, ev.Wagered | ev.Changed | ev.Called)
    return replace(event, part=True) if wagered else event


def _find_bet(table: Table, seat: Seat, slug: str) -> tuple[Spot, Stake] | Refusal:
    spot = wager_checks.find_spot(table.layout, slug)
    if slug in seat.wagers and isinstance(spot, Spot):
        return check_bets_closed(table) or (spot, seat.wagers[slug])
    if isinstance(spot, Refusal):
        return spot
    custom = "custom: there is no such wager to change"
    return refuse("not-up", custom, player=seat.name, wager=slug)


def change_bet(table: Table, ask: cmd.Change) -> Answer:
    """A wager raised or reduced to an amount."""
    seat = table.seat(ask.player)
    up = _find_bet(table, seat, ask.wager)
    if isinstance(up, Refusal):
        return up
    spot, stake = up
    if ask.to == stake.amount:
        # A say that changes nothing changes nothing.
        return (ev.Changed(seat.id, spot.slug, ask.to, ask.to, 0, stake.flat),)
    refused = check_present(table, seat) if ask.to > stake.amount else None
    refused = refused or wager_checks.check_change(
        table.layout, spot, current_moment(table), seat.wagers, ask.to
    )
    refused = refused or check_coupon_face(table.layout, spot.slug, stake.match, ask.to)
    if refused is not None:
        return refused
    vig = _vig_difference(table.layout, spot, stake, ask.to - stake.amount)
    needed = ask.to - stake.amount + vig
    if needed > seat.rail:
        return refuse_short_of_chips(table, seat, needed, seat.rail)
    trimmed = [_mark_as_part(event) for event in _reduce_excess_odds(table, seat, spot, ask.to)]
    return (_change_event(table, seat, spot, stake, ask.to, vig), *trimmed)


def _change_event(
    table: Table, seat: Seat, spot: Spot, stake: Stake, to: int, vig: int
) -> ev.Changed:
    """A don't wager that shrinks with its number set is still measured as first wagered."""
    flat = stake.flat if spot.number_with_puck(table.point) and to < stake.amount else to
    cite = (spot.raises if to > stake.amount else spot.reduces).cite
    return ev.Changed(seat.id, spot.slug, stake.amount, to, vig, flat, cite)


def _reduce_excess_odds(table: Table, seat: Seat, spot: Spot, to: int) -> tuple[ev.AnyEvent, ...]:
    """Odds behind a flat that shrank are cut to what it now allows, where the book says so."""
    slug = spot.behind
    if slug not in seat.wagers:
        return ()
    odds = table.layout.spots[slug]
    flat = seat.wagers[spot.slug]
    after = {**seat.wagers, spot.slug: Stake(to, flat.flat)}
    cap = find_odds_cap(table.layout, odds, table.point, after)
    up = seat.wagers[slug].amount
    if up <= cap:
        return ()
    basis = table.house.book.changes.dont_odds_basis
    cite = basis.cite if basis else ""
    return (ev.Changed(seat.id, slug, up, cap, 0, cap, cite),)


def take_down_bet(table: Table, ask: cmd.TakeDown) -> Answer:
    """A wager taken down undecided; odds behind it come with it, and so does its vigorish."""
    seat = table.seat(ask.player)
    up = _find_bet(table, seat, ask.wager)
    if isinstance(up, Refusal):
        return up
    spot, _ = up
    refused = wager_checks.check_take_down(spot, current_moment(table))
    return (
        refused if refused is not None else _group_events(_take_down_events(table, seat.id, spot))
    )


def _group_events(events: Sequence[ev.Changed | ev.Called]) -> tuple[ev.AnyEvent, ...]:
    """What one say did: it is taken back whole."""
    return (*events[:1], *(_mark_as_part(event) for event in events[1:]))


def _take_down_events(
    table: Table, player: str, spot: Spot, called_off: str = ""
) -> tuple[ev.Changed, ...]:
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


def take_down_all_bets(table: Table, ask: cmd.TakeAllDown) -> Answer:
    """Everything that may come down."""
    seat = table.seat(ask.player)
    if flying := check_bets_closed(table):
        return flying
    spots, now = table.layout.spots, current_moment(table)
    free = [slug for slug in seat.wagers if wager_checks.check_take_down(spots[slug], now) is None]
    found = take_down_several(table, seat.id, free)
    if not found:
        custom = "custom: there is no such wager to change"
        return refuse("nothing-comes-down", custom, player=seat.name)
    return _group_events(found)


def take_down_several(table: Table, player: str, slugs: Iterable[str]) -> tuple[ev.Changed, ...]:
    """These wagers down, each flat with the odds behind it, whoever may ask for it."""
    found: dict[str, ev.Changed] = {}
    spots = table.layout.spots
    for slug in sorted(slugs, key=lambda slug: bool(spots[slug].flat)):
        if slug not in found:
            found |= {event.wager: event for event in _take_down_events(table, player, spots[slug])}
    return tuple(found.values())


def call_bet_on_or_off(table: Table, ask: cmd.Call) -> Answer:
    """A wager called on or off; with no wager named, every one that may be."""
    seat = table.seat(ask.player)
    if not ask.wager:
        return check_bets_closed(table) or _call_every_bet(table, seat, ask.on)
    up = _find_bet(table, seat, ask.wager)
    if isinstance(up, Refusal):
        return up
    spot, stake = up
    refused = wager_checks.check_call(table.layout, spot, stake.call, ask.on)
    return (
        refused if refused is not None else _group_events(_call_events(table, seat, spot, ask.on))
    )


def _call_events(
    table: Table, seat: Seat, spot: Spot, on: bool
) -> tuple[ev.Changed | ev.Called, ...]:
    rule = spot.rule
    if not on and rule.call_off is not None and rule.call_off.value == "returned":
        return _take_down_events(table, seat.id, spot, rule.call_off.cite)
    callable_on = rule.call_on is not None and rule.call_on.value
    rests = rule.call_off is not None and rule.call_off.value == "rests"
    if on:
        return (ev.Called(seat.id, spot.slug, True if callable_on else None),)
    return (ev.Called(seat.id, spot.slug, False if rests else None),)


def _call_every_bet(table: Table, seat: Seat, on: bool) -> Answer:
    found: list[ev.Changed | ev.Called] = []
    for slug, stake in seat.wagers.items():
        spot = table.layout.spots[slug]
        if wager_checks.check_call(table.layout, spot, stake.call, on) is None:
            found.extend(_call_events(table, seat, spot, on))
    if found:
        return _group_events(found)
    custom = "custom: there is no such wager to call"
    return refuse("nothing-to-call", custom, player=seat.name, call="on" if on else "off")


def tip_dealers(table: Table, ask: cmd.Toke) -> Answer:
    """A tip: chips from the rail to the toke box."""
    seat = table.seat(ask.player)
    rule = table.house.book.tender.toke
    if rule.value == "refuse":
        return refuse("no-tips", rule.cite)
    refused = check_chips(table.layout, ask.amount)
    if refused is not None:
        return refused
    if ask.amount > seat.rail:
        return refuse_short_of_chips(table, seat, ask.amount, seat.rail)
    return (ev.Toked(seat.id, ask.amount, rule.cite),)


def bet_for_dealers(table: Table, ask: cmd.TokeBet) -> Answer:
    """A wager for the dealers: the player's chips on a spot, under the rules of any wager there.

    It is the dealers' from then on: it counts for nobody's turn with the dice, and what it brings
    is theirs. Like any wager it stays up after a win where the book has it so; nobody may take it
    down, and it comes down when the game dies or the table closes.
    """
    tender = table.house.book.tender
    if tender.toke.value == "refuse":
        return refuse("no-tips", tender.toke.cite)
    rule = tender.toke_bets
    if not rule.value:
        return refuse("no-toke-bets", rule.cite)
    seat = replace(table.seat(ask.player), wagers=table.dealers)
    answer = make_bet_from_seat(table, seat, cmd.Bet(ask.player, ask.wager, ask.amount))
    if isinstance(answer, Refusal):
        return answer
    if any(isinstance(event, ev.LateCalled) for event in answer):
        return refuse("dice-in-air", tender.closes.cite)
    made = [replace(event, player=DEALERS) for event in answer if isinstance(event, ev.Wagered)]
    total = sum(event.amount + event.vig for event in made)
    return (ev.TokeMade(player=ask.player, wager=ask.wager, amount=total, cite=rule.cite), *made)


def drop_dealer_winnings(
    table: Table, settlements: Iterable[Settlement]
) -> tuple[ev.AnyEvent, ...]:
    """What a throw brought the dealers goes into their box."""
    if not table.dealers:
        return ()
    won = sum(done.back for done in settlements if done.player == DEALERS)
    custom = "custom: what a wager for the dealers brings goes to the toke box"
    return (ev.TokesDropped(won, custom),) if won else ()


def take_down_dealer_bets(table: Table) -> tuple[ev.AnyEvent, ...]:
    """No wager of the dealers keeps a game alive that nobody plays: every one comes down, whether
    or not a player might take it down, and goes into their box."""
    if not table.dealers:
        return ()
    custom = "custom: where nobody plays the dealers' wagers come down, into the toke box"
    down = take_down_several(table, DEALERS, table.dealers)
    total = sum(event.was - event.vig for event in down)
    return (*(replace(event, cite=custom) for event in down), ev.TokesDropped(total, custom))


_UNDO_CITE = "custom: a wager is the player's own until the dice are out"


def last_undo_step(table: Table, player: str) -> UndoStep | None:
    """What a player said last of his wagers since the last throw or no roll, if anything."""
    told = table.seat(player).told
    return told[-1] if told and told[-1].throws == table.throws else None


def undo_last(table: Table, ask: cmd.Undo) -> Answer:
    """The player's wagers, calls and rail as they were before that; said again, the one before.

    Buy-ins, tokes and dice stay, and so does what others said.
    """
    seat, last = table.seat(ask.player), last_undo_step(table, ask.player)
    if last is None:
        return refuse("nothing-to-undo", _UNDO_CITE, player=seat.name)
    if table.dice.out:
        return refuse("undo-too-late", _UNDO_CITE)
    if seat.rail + last.moved < 0:  # it was given away meanwhile
        cite = table.house.book.tender.chips
        needed = -last.moved
        return refuse("short-of-chips", cite, player=seat.name, needed=needed, rail=seat.rail)
    return (
        ev.Undone(
            player=seat.id,
            corrects=last.number,
            wagers=tuple(last.wagers.items()),
            moved=last.moved,
            vig=last.vig,
        ),
    )
