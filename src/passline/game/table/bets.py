"""Decide on players' commands about wagers: make, change, take down, call on or off, undo, tip.

A wager must be made from a valid seat, with chips or cash as the book requires, and in time: before
the throw, or with the dice in the air and confirmed by the crew. Every function here returns events
or a refusal and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from passline.game.dice.dice import SEVEN
from passline.game.law.citations import CitedValue
from passline.game.law.roles import Role
from passline.game.law.shapes.composite import Composite
from passline.game.layout import wager_checks
from passline.game.layout.odds_limits import find_odds_cap
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import Refusal, Settlement, Stake, refuse
from passline.game.layout.wager_checks import Moment, check_chips
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.events import Answer
from passline.game.table.state import DEALERS, Seat, Table, UndoStep


def check_present(table: Table, seat: Seat) -> Refusal | None:
    """Return a refusal if the game requires players to sit and this one is standing, else None."""
    required = table.house.book.seating.required
    if seat.standing and table.house.game in required.value:
        return refuse("not-seated", required.cite, player=seat.name)
    return None


def check_tender(table: Table, command: cmd.Bet) -> Refusal | None:
    """Return a refusal unless the book allows how the wager is paid for and when it is made."""
    tender = table.house.book.tender
    if command.confirmed and command.by == "player":
        return refuse("self-confirmed", tender.cash_confirmed_by.cite)
    if command.no_bet and tender.no_bet.value:
        return refuse("no-bet", tender.no_bet.cite)
    if command.on_call and not tender.call_bets.value:
        return refuse("call-bet", tender.call_bets.cite)
    if command.cash and not set(tender.cash_confirmed_by.value) <= set(command.confirmed):
        who = tender.cash_confirmed_by
        return refuse("cash-unconfirmed", who.cite, needs=who.value)
    if (command.dice_out or table.dice.out) and not tender.dice_out.value:
        return refuse("dice-out", tender.dice_out.cite)
    return _check_in_air(table, command) if command.in_air or table.dice.in_air else None


def _check_in_air(table: Table, command: cmd.Bet) -> Refusal | None:
    tender = table.house.book.tender
    if tender.closes.value == "rest":
        return None
    confirm = tender.late.get(table.house.game)
    if confirm is None:
        return refuse("in-air", tender.closes.cite)
    if table.dice.in_air or set(confirm.value) <= set(command.confirmed):
        return None  # A wager called with the dice in the air waits for confirmation.
    return refuse("late-unconfirmed", confirm.cite, needs=confirm.value)


_RETURN_CITE = "custom: where a game ends, the house gives bets back"


def check_bets_closed(table: Table) -> Refusal | None:
    """Return a refusal if the dice are in the air and the book closes betting with the throw."""
    closes = table.house.book.tender.closes
    if not table.dice.in_air or closes.value == "rest":
        return None
    return refuse("stands-in-air", closes.cite)


def find_required_confirmation(
    table: Table, command: cmd.Bet
) -> CitedValue[tuple[Role, ...]] | None:
    """Return the book's rule on who must confirm a wager called now, with the dice in the air.

    Its value is the roles; all of them must confirm. Return None if the dice are not in the air,
    the book takes bets until they rest or has no such rule, or all of them have confirmed.
    """
    if not table.dice.in_air or table.house.book.tender.closes.value == "rest":
        return None
    confirm = table.house.book.tender.late.get(table.house.game)
    if confirm is None or set(confirm.value) <= set(command.confirmed):
        return None
    return confirm


def late_bet_event(command: cmd.Bet, confirm: CitedValue[tuple[Role, ...]]) -> ev.LateCalled:
    """Return the event of a wager called with the dice in the air, which waits for confirmation.

    ``confirm`` has the roles that must confirm it; those that already did are left out.
    """
    needs = tuple(role for role in confirm.value if role not in command.confirmed)
    return ev.LateCalled(command.player, command.wager, command.amount, needs, confirm.cite)


def lapse_late_bets(table: Table) -> tuple[ev.LateLapsed, ...]:
    """Return an event for each bet called in the air and not fully confirmed: it has no action."""
    return tuple(ev.LateLapsed(late.player, late.wager, late.cite) for late in table.late)


def check_coupon(layout: Layout, seat: Seat, command: cmd.Bet) -> Refusal | None:
    """Return a refusal if the bet has a match play coupon that may not go with it, else None."""
    if not command.match:
        return None
    house = layout.house
    taken = house.book.tender.match_play
    if command.wager not in taken.value:
        return refuse("no-coupon-with", taken.cite, taken.value, wager=command.wager)
    if not house.offers("match_play"):
        return refuse("no-coupons", "custom: not elected")
    up = seat.wagers.get(command.wager, Stake(0))
    match, amount = up.match + command.match, up.amount + command.amount
    refused = check_chips(layout, command.match)
    return refused or check_coupon_face(layout, command.wager, match, amount)


def check_coupon_face(layout: Layout, slug: str, match: int, amount: int) -> Refusal | None:
    """Return a refusal if a coupon (``match`` cents) exceeds the wager and the book forbids it."""
    rule = layout.house.book.tender.match_face
    if rule.value == "any" or match <= amount:
        return None
    return refuse("coupon-over-wager", rule.cite, [amount], match=match, wager=slug)


def check_unnoticed(table: Table, spot: Spot, command: cmd.Bet) -> Refusal | None:
    """Return a refusal if a bet is marked ``unnoticed`` and the book rules that out, else None.

    The crew cannot miss a bet outside the limits where the book has every bet checked before the
    roll.
    """
    stakes = table.house.book.stakes
    rule = stakes.found_under if command.amount < spot.minimum else stakes.found_over
    if not command.unnoticed or rule.value != "checked":
        return None
    return refuse("limits-checked", rule.cite)


def current_moment(table: Table) -> Moment:
    """Return what the rules of a bet depend on now.

    That is the puck, a new shooter, undecided side bets, and whether the last throw was a seven.
    """
    return Moment(table.point, table.fresh, table.riding, table.last_total == SEVEN)


def make_bet(table: Table, command: cmd.Bet, seat: Seat | None = None) -> Answer:
    """Return the events by which a player makes a wager or adds to one, or a refusal.

    ``seat`` is used instead of the player's seat; ``bet_for_dealers`` passes one with the dealers'
    wagers.
    """
    seat, layout = seat or table.seat(command.player), table.layout
    spot = wager_checks.find_spot(layout, command.wager)
    if isinstance(spot, Refusal):
        return spot
    refused = check_present(table, seat) or check_tender(table, command)
    if refused := refused or check_coupon(layout, seat, command):
        return refused
    if waits := find_required_confirmation(table, command):
        # Check now whether the wager would be accepted once confirmed, when a dealer books it.
        then = replace(command, in_air=True, confirmed=waits.value, by="dealer")
        placed = make_bet(table, then, seat)
        return placed if isinstance(placed, Refusal) else (late_bet_event(command, waits),)
    if parts := split_composite(layout, spot, command.amount):
        return _place_composite_parts(table, seat, command, spot, parts)
    return _place_bet(table, seat, command, spot, command.amount, seat.rail)


def _place_bet(
    table: Table, seat: Seat, command: cmd.Bet, spot: Spot, amount: int, rail: int
) -> Answer:
    layout, wagers = table.layout, seat.wagers
    refused = check_unnoticed(table, spot, command) or wager_checks.check_new_wager(
        layout, spot, current_moment(table), wagers, amount, limits=not command.unnoticed
    )
    if refused is not None:
        return refused
    vig = _vig_difference(layout, spot, wagers.get(spot.slug), amount)
    if not command.cash and amount + vig > rail:
        return refuse_short_of_chips(table, seat, amount + vig, rail)
    wagered = ev.Wagered(seat.id, spot.slug, amount, vig, command.match, command.unnoticed)
    if command.cash:
        # The cash for a spoken wager is changed into chips at once.
        return (ev.BoughtIn(seat.id, amount + vig), wagered)
    return (wagered,)


def refuse_short_of_chips(table: Table, seat: Seat, needed: int, rail: int) -> Refusal:
    """Return the refusal of a wager that costs more than the player's rail holds."""
    cite = table.house.book.tender.chips
    return refuse("short-of-chips", cite, player=seat.name, needed=needed, rail=rail)


def confirm_late_bet(table: Table, command: cmd.Confirm) -> Answer:
    """Return the events by which a crew member confirms a late wager, or a refusal.

    The last confirmation that it needs books the wager.
    """
    player, wager = command.player, command.wager
    late = next((bet for bet in table.late if (bet.player, bet.wager) == (player, wager)), None)
    rule = table.house.book.tender.late.get(table.house.game)
    cite = rule.cite if rule is not None else table.house.book.tender.closes.cite
    if late is None:
        return refuse("nothing-late", cite, player=player, wager=wager)
    if command.by not in late.needs:
        return refuse("not-theirs-to-confirm", cite, late.needs, by=command.by)
    confirmed = ev.LateConfirmed(player, wager, command.by, cite)
    if len(late.needs) > 1:
        return (confirmed,)
    who = rule.value if rule is not None else ()
    bet = cmd.Bet(player, wager, late.amount, in_air=True, confirmed=who, by=command.by)
    placed = make_bet(table, bet)
    return placed if isinstance(placed, Refusal) else (confirmed, *placed)


def _vig_difference(layout: Layout, spot: Spot, up: Stake | None, added: int) -> int:
    """Return the cents of vigorish to charge when a wager changes; a refund is negative.

    ``up`` is the stake before, and ``added`` the cents by which it changes.
    """
    if not spot.vig or spot.vig_won:
        return 0
    terms = layout.house.vig[spot.vig]
    total = added + (up.amount if up else 0)
    owed = terms.charge(total, spot.odds) if total else 0
    change = owed - (up.vig if up else 0)
    return change if change >= 0 or terms.refund else 0


def split_composite(layout: Layout, spot: Spot, amount: int) -> dict[str, int]:
    """Return {slug: cents}: the single wagers as which the crew books a composite such as a horn.

    Return {} if it is booked as one wager.
    """
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
    table: Table, seat: Seat, command: cmd.Bet, spot: Spot, parts: dict[str, int]
) -> Answer:
    """Return the events that book a composite as its parts, or the refusal of the first bad part.

    ``parts`` has the cents of each part by slug.
    """
    refused = wager_checks.check_new_wager(
        table.layout, spot, current_moment(table), {}, command.amount
    )
    if refused is not None:
        return refused
    found: list[ev.AnyEvent] = []
    rail = seat.rail
    for slug, amount in parts.items():
        part = wager_checks.find_spot(table.layout, slug)
        if isinstance(part, Refusal):
            return part
        answer = _place_bet(table, seat, command, part, amount, rail)
        if isinstance(answer, Refusal):
            return answer
        found.extend(_mark_as_part(event) if found else event for event in answer)
        rail -= amount
    return tuple(found)


def _mark_as_part(event: ev.AnyEvent) -> ev.AnyEvent:
    """Return a wager event marked as part of one command: an undo takes back all its parts."""
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


def change_bet(table: Table, command: cmd.Change) -> Answer:
    """Return the events that raise or reduce a wager to the total ``command.to``, or a refusal."""
    seat = table.seat(command.player)
    up = _find_bet(table, seat, command.wager)
    if isinstance(up, Refusal):
        return up
    spot, stake = up
    if command.to == stake.amount:
        # The amount stays the same, so nothing else changes.
        return (ev.Changed(seat.id, spot.slug, command.to, command.to, 0, stake.flat),)
    refused = check_present(table, seat) if command.to > stake.amount else None
    refused = refused or wager_checks.check_change(
        table.layout, spot, current_moment(table), seat.wagers, command.to
    )
    if refused := refused or check_coupon_face(table.layout, spot.slug, stake.match, command.to):
        return refused
    vig = _vig_difference(table.layout, spot, stake, command.to - stake.amount)
    needed = command.to - stake.amount + vig
    if needed > seat.rail:
        return refuse_short_of_chips(table, seat, needed, seat.rail)
    trimmed = [_mark_as_part(event) for event in _reduce_excess_odds(table, seat, spot, command.to)]
    return (_change_event(table, seat, spot, stake, command.to, vig), *trimmed)


def _change_event(
    table: Table, seat: Seat, spot: Spot, stake: Stake, to: int, vig: int
) -> ev.Changed:
    # A don't wager reduced after its number is set keeps the original amount that limits its odds.
    flat = stake.flat if spot.number_with_puck(table.point) and to < stake.amount else to
    cite = (spot.raises if to > stake.amount else spot.reduces).cite
    return ev.Changed(seat.id, spot.slug, stake.amount, to, vig, flat, cite)


def _reduce_excess_odds(table: Table, seat: Seat, spot: Spot, to: int) -> tuple[ev.AnyEvent, ...]:
    """Return the event that cuts the odds behind a flat wager reduced to ``to`` cents, or ()."""
    slug = spot.behind
    if slug not in seat.wagers:
        return ()
    after = {**seat.wagers, spot.slug: Stake(to, seat.wagers[spot.slug].flat)}
    cap = find_odds_cap(table.layout, table.layout.spots[slug], table.point, after)
    up = seat.wagers[slug].amount
    if up <= cap:
        return ()
    basis = table.house.book.changes.dont_odds_basis
    cite = basis.cite if basis else ""
    return (ev.Changed(seat.id, slug, up, cap, 0, cap, cite),)


def take_down_bet(table: Table, command: cmd.TakeDown) -> Answer:
    """Return the events that take down an undecided wager, or a refusal.

    Its odds and its vigorish come back with it.
    """
    seat = table.seat(command.player)
    up = _find_bet(table, seat, command.wager)
    if isinstance(up, Refusal):
        return up
    spot, _ = up
    refused = wager_checks.check_take_down(spot, current_moment(table))
    return refused or _group_events(_take_down_events(table, seat.id, spot))


def _group_events(events: Sequence[ev.Changed | ev.Called]) -> tuple[ev.AnyEvent, ...]:
    """Return the events of one command, marked so that an undo takes all of them back."""
    return (*events[:1], *(_mark_as_part(event) for event in events[1:]))


def _take_down_events(
    table: Table, player: str, spot: Spot, called_off: str = ""
) -> tuple[ev.Changed, ...]:
    """Return the events that take down a wager and its odds.

    ``called_off`` is the clause if the bets are called off; it is "" if the player takes them down.
    """
    found: list[ev.Changed] = []
    wagers = table.wagers_of(player)
    for slug in (spot.behind, spot.slug):
        stake = wagers.get(slug)
        if stake is not None:
            own = table.layout.spots[slug]
            refund = stake.vig if own.vig and table.house.vig[own.vig].refund else 0
            cite, off = called_off or own.removes.cite, bool(called_off)
            found.append(
                ev.Changed(player, slug, stake.amount, 0, -refund, 0, cite, called_off=off)
            )
    return tuple(found)


def take_down_all_bets(table: Table, command: cmd.TakeAllDown) -> Answer:
    """Return the events that take down every wager of a player that may come down, or a refusal."""
    seat = table.seat(command.player)
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
    """Return the events that take these wagers down, each flat wager with its odds.

    Whether they may come down is not checked.
    """
    found: dict[str, ev.Changed] = {}
    spots = table.layout.spots
    for slug in sorted(slugs, key=lambda slug: bool(spots[slug].flat)):
        if slug not in found:
            found |= {event.wager: event for event in _take_down_events(table, player, spots[slug])}
    return tuple(found.values())


def return_all_bets(table: Table, command: cmd.ReturnBets) -> Answer:
    """Return the events that give a player all bets back.

    Return a refusal if the dice are out or the player has no bets.
    """
    seat = table.seat(command.player)
    if table.dice.out:
        return refuse("dice-are-out", _RETURN_CITE)
    if not seat.wagers:
        return refuse("nothing-comes-down", _RETURN_CITE, player=seat.name)
    found = take_down_several(table, seat.id, seat.wagers)
    return _group_events([replace(event, cite=_RETURN_CITE) for event in found])


def call_bet_on_or_off(table: Table, command: cmd.Call) -> Answer:
    """Return the events that call a wager on or off, or a refusal.

    If the command names no wager, call every wager that may be called.
    """
    seat = table.seat(command.player)
    if not command.wager:
        return check_bets_closed(table) or _call_every_bet(table, seat, command.on)
    up = _find_bet(table, seat, command.wager)
    if isinstance(up, Refusal):
        return up
    spot, stake = up
    refused = wager_checks.check_call(table.layout, spot, stake.call, command.on)
    return refused or _group_events(_call_events(table, seat, spot, command.on))


def _call_events(
    table: Table, seat: Seat, spot: Spot, on: bool
) -> tuple[ev.Changed | ev.Called, ...]:
    rule = spot.rule
    if not on and rule.call_off is not None and rule.call_off.value == "returned":
        return _take_down_events(table, seat.id, spot, rule.call_off.cite)
    callable_on = rule.call_on is not None and rule.call_on.value
    rests = rule.call_off is not None and rule.call_off.value == "rests"
    call = on if (callable_on if on else rests) else None
    return (ev.Called(seat.id, spot.slug, call),)


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


def tip_dealers(table: Table, command: cmd.Toke) -> Answer:
    """Return the event of a tip, which moves chips from the rail to the toke box, or a refusal."""
    seat = table.seat(command.player)
    rule = table.house.book.tender.toke
    if rule.value == "refuse":
        return refuse("no-tips", rule.cite)
    if refused := check_chips(table.layout, command.amount):
        return refused
    if command.amount > seat.rail:
        return refuse_short_of_chips(table, seat, command.amount, seat.rail)
    return (ev.Toked(seat.id, command.amount, rule.cite),)


def bet_for_dealers(table: Table, command: cmd.TokeBet) -> Answer:
    """Return the events of a wager for the dealers, made with the player's chips, or a refusal.

    From then on the wager belongs to the dealers: its winnings are theirs, and it does not count as
    the shooter's line wager. After a win it stays up if the book says so for that wager. No player
    may take it down; it comes down when the game is declared dead or the table closes.
    """
    tender = table.house.book.tender
    if tender.toke.value == "refuse":
        return refuse("no-tips", tender.toke.cite)
    rule = tender.toke_bets
    if not rule.value:
        return refuse("no-toke-bets", rule.cite)
    seat = replace(table.seat(command.player), wagers=table.dealers)
    answer = make_bet(table, cmd.Bet(command.player, command.wager, command.amount), seat)
    if isinstance(answer, Refusal):
        return answer
    if any(isinstance(event, ev.LateCalled) for event in answer):
        return refuse("dice-in-air", tender.closes.cite)
    made = [replace(event, player=DEALERS) for event in answer if isinstance(event, ev.Wagered)]
    total = sum(event.amount + event.vig for event in made)
    return (ev.TokeMade(command.player, command.wager, total, rule.cite), *made)


def drop_dealer_winnings(
    table: Table, settlements: Iterable[Settlement]
) -> tuple[ev.AnyEvent, ...]:
    """Return the event that reports what came back from the dealers' own wagers on a throw.

    That is their winnings, and the stakes of those that came down; it goes into the toke box.
    Return () if nothing came back.
    """
    if not table.dealers:
        return ()
    won = sum(done.back for done in settlements if done.player == DEALERS)
    custom = "custom: what a wager for the dealers brings goes to the toke box"
    return (ev.TokesDropped(won, custom),) if won else ()


def take_down_dealer_bets(table: Table) -> tuple[ev.AnyEvent, ...]:
    """Return the events that take every wager for the dealers down, into the toke box.

    Even those come down that a player could not take down, since they do not keep a game alive.
    Return () if there are none.
    """
    if not table.dealers:
        return ()
    custom = "custom: where nobody plays the dealers' wagers come down, into the toke box"
    down = take_down_several(table, DEALERS, table.dealers)
    total = sum(event.was - event.vig for event in down)
    return (*(replace(event, cite=custom) for event in down), ev.TokesDropped(total, custom))


_UNDO_CITE = "custom: a wager is the player's own until the dice are out"


def last_undo_step(table: Table, player: str) -> UndoStep | None:
    """Return the player's last command about wagers since the last throw, or None."""
    steps = table.seat(player).undo_steps
    return steps[-1] if steps and steps[-1].throws == table.throws else None


def undo_last(table: Table, command: cmd.Undo) -> Answer:
    """Return the event that undoes the player's last bet command, or a refusal.

    The player's wagers, calls and rail become as they were before it. A second undo takes back the
    command before that. Buy-ins, tips, the dice and other players are not affected.
    """
    seat, last = table.seat(command.player), last_undo_step(table, command.player)
    if last is None:
        return refuse("nothing-to-undo", _UNDO_CITE, player=seat.name)
    if table.dice.out:
        return refuse("undo-too-late", _UNDO_CITE)
    # The player has since spent the chips that the undo would take back.
    if seat.rail + last.moved < 0:
        return refuse_short_of_chips(table, seat, -last.moved, seat.rail)
    wagers = tuple(last.wagers.items())
    return (ev.Undone(seat.id, last.number, wagers, last.moved, last.vig),)
