"""Decide who has the dice: whom they are offered, who may throw, and when they pass."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import asdict, replace

from passline.game.layout.stakes import Refusal, refuse
from passline.game.layout.wager_checks import Moment, check_time
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.events import Answer
from passline.game.table.shootout import apply_pass
from passline.game.table.state import INITIAL_DICE, NOBODY, DiceRestriction, Seat, Table


def is_automated(table: Table) -> bool:
    """Return whether this game has no shooter because a machine throws."""
    return table.house.game in table.house.book.dice.automated.value


def seats_in_turn(table: Table) -> Iterator[Seat]:
    """Yield the seats in the order in which the dice are offered, in the book's direction."""
    seats, count = table.playing, len(table.playing)
    clockwise = table.house.book.dice.turn[table.house.game].value == "clockwise"
    start, step = _first_offered_index(table), 1 if clockwise else -1
    return iter([seats[(start + step * n) % count] for n in range(count)])


def _first_offered_index(table: Table) -> int:
    """Return the index in ``table.playing`` of the first seat that is offered the dice.

    It is the seat next to the last shooter's, or without a last shooter the one at the book's end
    of the table.
    """
    dice, last, count = table.house.book.dice, table.last_place, len(table.playing)
    if not last:
        return 0 if dice.first[table.house.game].value == "left" else count - 1
    if dice.after_pass.value == "left":
        return next((n for n, seat in enumerate(table.playing) if seat.place > last), 0)
    return max((n for n, seat in enumerate(table.playing) if seat.place < last), default=count - 1)


def _is_offered(table: Table, seat: Seat) -> bool:
    """Return whether this seat may be offered the dice: its player is here and did not decline."""
    return seat.here and seat.id not in table.declined


def has_line_bet(table: Table, seat: Seat) -> bool:
    """Return whether the player has the line wager that the book requires of a shooter."""
    wagers = seat.wagers
    return bool(wagers) and any(slug in wagers for slug in table.house.book.dice.line_wagers.value)


def needs_line_bet(table: Table) -> bool:
    """Return whether the shooter must have a line wager for the next throw."""
    return table.point == 0 or table.house.book.dice.line_bet.value == "every"


def has_come_bets(table: Table) -> bool:
    """Return whether any come or don't come wager is still undecided."""
    spots = table.layout.spots
    return any(spots[slug].rule.is_come for _, wagers in table.everybody() for slug in wagers)


def dice_set_size(table: Table) -> int:
    """Return how many dice make a set."""
    size = table.house.elections.get("dice.set_of", table.house.book.dice.set_of.value)
    assert isinstance(size, int)
    return size


def _dice_taken(table: Table, seat: Seat) -> ev.DiceTaken:
    return ev.DiceTaken(seat.id, dice_set_size(table) - table.dice.lost)


class NextShooter(Struct, frozen=True):
    """The next shooter, and the events that bring them the dice.

    ``special`` means that the shooter has no line wager, and throws only to decide come wagers.
    """

    id: str
    events: tuple[ev.AnyEvent, ...] = ()
    special: bool = False


def find_next_shooter(table: Table) -> NextShooter | Refusal:
    """Return the next shooter by the book's rules, or a refusal if no player may throw."""
    if is_automated(table):
        return NextShooter(NOBODY)
    if table.shooter != NOBODY:
        if not needs_line_bet(table) or has_line_bet(table, table.seat(table.shooter)):
            return NextShooter(table.shooter)
        return _shooter_without_line_bet(table)
    for seat in seats_in_turn(table):
        if not _is_offered(table, seat):
            continue
        if not needs_line_bet(table) or has_line_bet(table, seat):
            return NextShooter(seat.id, (_dice_taken(table, seat),))
    last = table.seat(table.last_shooter) if table.last_shooter != NOBODY else None
    if last is not None and last.here and _may_roll_for_come_bets(table):
        return NextShooter(last.id, (_dice_taken(table, last),), special=True)
    if _is_stalled(table):
        for seat in seats_in_turn(table):
            if _is_offered(table, seat):
                return NextShooter(seat.id, (_dice_taken(table, seat),))
    return _refuse_no_shooter(table)


def _refuse_no_shooter(table: Table) -> Refusal:
    dice = table.house.book.dice
    lines = dice.line_wagers.value
    if any(has_line_bet(table, table.seat(player)) for player in table.declined):
        return refuse("all-declined", dice.line_bet.cite)
    return refuse("nobody-may-throw", dice.line_bet.cite, lines, wagers=lines)


def _may_roll_for_come_bets(table: Table) -> bool:
    """Return whether the last shooter may throw without a line wager, to decide come wagers."""
    dice = table.house.book.dice
    if not dice.special.value or table.point:
        return False
    ends = {ground.name for ground in dice.special_ends}
    return has_come_bets(table) or (table.special and "come-decided" not in ends)


def _shooter_without_line_bet(table: Table) -> NextShooter | Refusal:
    """Return who throws next if the shooter lacks the line wager that the throw needs.

    The dice go to the next player who has one. If nobody has one, or the book asks the shooter
    first, the shooter throws on to decide come wagers (``_may_roll_for_come_bets``), or because
    the game is stalled. Return a refusal if nobody may throw.
    """
    dice = table.house.book.dice
    rolls_on = _may_roll_for_come_bets(table)
    offer = dice.special_offer if rolls_on and dice.special_offer else dice.after_pass
    ends = {ground.name for ground in dice.special_ends}
    keeps = offer.value == "shooter-first" or (table.special and "line-bet" not in ends)
    if not (rolls_on and keeps):
        for seat in seats_in_turn(table):
            if _is_offered(table, seat) and has_line_bet(table, seat):
                passed = ev.DicePassed(table.shooter, "no-line", offer.cite)
                return NextShooter(seat.id, (passed, *apply_pass(table), _dice_taken(table, seat)))
    if rolls_on:
        return NextShooter(table.shooter, special=True)
    return NextShooter(table.shooter) if _is_stalled(table) else _refuse_no_shooter(table)


def _is_stalled(table: Table) -> bool:
    """Return whether a player may throw without a line wager, because nobody has or can make one.

    That happens only with a point on. Return False if the book lets such a game wait.
    """
    dice, spots = table.house.book.dice, table.layout.spots
    if not table.point or dice.stalled.value == "waits":
        return False
    lines = [spots[slug] for slug in dice.line_wagers.value if slug in spots]
    if any(check_time(spot, Moment(table.point, table.fresh), {}) is None for spot in lines):
        return False
    return not any(seat.here and has_line_bet(table, seat) for seat in table.playing)


def take_dice(table: Table, command: cmd.TakeDice) -> Answer:
    """Return the event by which a player accepts the dice, or a refusal if others come first."""
    dice, seat = table.house.book.dice, table.seat(command.player)
    if table.shooter != NOBODY:
        holder = table.seat(table.shooter).name
        return refuse("dice-held", dice.turn[table.house.game].cite, player=holder)
    if table.declined:
        # Once a player has declined aloud, the order of the offer is enforced. Before that, taking
        # the dice implies that the players before declined them.
        due = next((seat for seat in seats_in_turn(table) if _is_offered(table, seat)), seat)
        if due.id != seat.id:
            cite = dice.turn[table.house.game].cite
            return refuse("offered-first", cite, player=due.name)
    lines_first = table.point and dice.mid_point.value == "line-wagers-first"
    if lines_first and not has_line_bet(table, seat):
        for rival in seats_in_turn(table):
            if _is_offered(table, rival) and has_line_bet(table, rival):
                return refuse("line-bettor-first", dice.mid_point.cite, player=rival.name)
    return (_dice_taken(table, seat),)


def decline_dice(table: Table, command: cmd.DeclineDice) -> Answer:
    """Return the events by which a player declines the dice, or a refusal.

    A shooter who declines passes them, which is refused while they are in the air.
    """
    seat = table.seat(command.player)
    if table.shooter == seat.id:
        cite = table.house.book.dice.may_pass.cite
        return check_dice_in_air(table) or _pass_to_next(table, "declined", cite)
    return (ev.DiceDeclined(command.player),)


def refuse_machine_throws(table: Table) -> Refusal:
    """Return the refusal of a dice command at a game where a machine throws the dice."""
    rule = table.house.book.dice.automated
    return refuse("machine-throws", rule.cite, game=table.house.game)


def check_dice_in_air(table: Table) -> Refusal | None:
    """Return a refusal if the dice are in the air, else None."""
    return refuse("dice-in-air", "custom: dice that fly are thrown") if table.dice.in_air else None


def _check_holds_dice(table: Table, player: str) -> Refusal | None:
    if is_automated(table):
        return refuse_machine_throws(table)
    if table.shooter != player:
        cite = table.house.book.dice.may_pass.cite
        return refuse("not-the-shooter", cite, player=table.seat(player).name)
    return check_dice_in_air(table)


def pass_dice_unclaimed(table: Table, why: ev.PassReason, cite: str) -> tuple[ev.AnyEvent, ...]:
    """Return the events by which the shooter gives up the dice to nobody.

    ``why`` is the reason, and ``cite`` the clause.
    """
    return (ev.DicePassed(table.shooter, why, cite), *apply_pass(table))


def _pass_to_next(
    table: Table, why: ev.PassReason, cite: str, by: str = "", ground: str = ""
) -> tuple[ev.AnyEvent, ...]:
    """Return the events by which the shooter gives up the dice to the next player.

    ``why`` is the reason in one word. If an official ordered it, ``by`` is the official's role and
    ``ground`` the reason of the order.
    """
    player = table.shooter
    others = any(seat.here and seat.id != player for seat in table.playing)
    passed = ev.DicePassed(player, why, cite, to_another=others, by=by, ground=ground)
    return (passed, *apply_pass(table))


def pass_dice(table: Table, command: cmd.PassDice) -> Answer:
    """Return the events by which the shooter gives up the dice, or a refusal."""
    rule = table.house.book.dice.may_pass
    if refused := _check_holds_dice(table, command.player):
        return refused
    if not rule.value:
        return refuse("may-not-pass", rule.cite)
    return _pass_to_next(table, "choice", rule.cite)


def order_pass(table: Table, command: cmd.OrderPass) -> Answer:
    """Return the events of an official's order to pass the dice, or a refusal.

    The reason and the official's role must be among those of the book.
    """
    if refused := _check_holds_dice(table, command.player):
        return refused
    dice, game = table.house.book.dice, table.house.game
    who = dice.order_by.get(game)
    if who is None:
        return refuse("nobody-orders-pass", dice.may_pass.cite, game=game)
    ground = next((g for g in dice.order_for if g.name == command.reason), None)
    if ground is None:
        known = tuple(g.name for g in dice.order_for)
        return refuse("no-ground-to-pass", who.cite, known, ground=command.reason)
    if command.by not in who.value:
        return refuse("not-theirs-to-order", ground.cite, who.value, by=command.by)
    return _pass_to_next(table, "order", ground.cite, command.by, command.reason)


def ask_for_same_dice(table: Table, command: cmd.SameDice) -> Answer:
    """Return the event of a request for the same dice after a die left the table, or a refusal."""
    rule = table.house.book.dice.same_dice
    cite = rule.cite
    if not table.off_table:
        return refuse("no-die-left", cite)
    if rule.value == "shooter" and table.shooter != command.player:
        return refuse("shooter-asks-same-dice", cite)
    if table.strayed:
        return refuse("thrown-die-lost", "custom: only dice that are there are thrown again")
    return (ev.DiceAsked(command.player, same=True, cite=cite),)


def ask_for_new_dice(table: Table, command: cmd.AskDice) -> Answer:
    """Return the event of a shooter's request for other dice, or a refusal."""
    rule = table.house.book.dice.ask_new
    cite = rule.cite
    refused = _check_holds_dice(table, command.player)
    if refused is not None:
        return refused if table.dice.in_air else replace(refused, cite=cite)
    if not rule.value:
        return refuse("no-other-dice", cite)
    return (ev.DiceAsked(command.player, same=False, cite=cite),)


CLOSED_CITE = "custom: nothing is played at a closed table"


def check_dice_playable(table: Table) -> Refusal | None:
    """Return the refusal if the dice may be neither sent out nor thrown now, else None."""
    if table.dice is INITIAL_DICE and table.status == "live":
        return None
    book, dice = table.house.book, table.dice
    if table.status == "closed":
        return refuse("table-closed", CLOSED_CITE)
    if table.status == "dead":
        return refuse("game-dead", book.dead_game.bowl.cite)
    if dice.held:
        return refuse("needs-okay", book.relief.okay.cite)
    if dice.bar is not None:
        return _refuse_restricted(dice.bar)
    return _check_set_age(table)


def _refuse_restricted(bar: DiceRestriction) -> Refusal:
    if bar.fault is None:
        return refuse("dice-barred", bar.cite, [bar.needs], why=bar.why)
    figures = asdict(bar.fault)
    del figures["cite"]
    return refuse("dice-barred", bar.cite, [bar.needs], why=figures.pop("what"), **figures)


def _check_set_age(table: Table) -> Refusal | None:
    """Return a refusal if the set is older than the hours that the book allows."""
    hours, since = table.house.book.inspection.hours, table.dice.since
    if hours is None or not since:
        return None
    age = datetime.fromisoformat(table.now) - datetime.fromisoformat(since)
    if age < timedelta(hours=hours.value):
        return None
    return refuse("set-too-old", hours.cite, ["new-set"], since=since, hours=hours.value)


def send_dice(table: Table, command: cmd.SendDice) -> Answer:
    """Return the events that send the dice out to the next shooter, or a refusal."""
    if table.dice.out:
        return refuse("dice-are-out", "custom: dice are sent from the center")
    who = check_dice_playable(table) or find_next_shooter(table)
    if isinstance(who, Refusal):
        return who
    return (*who.events, ev.DiceSent(who.id))


def release_dice(table: Table, command: cmd.ReleaseDice) -> Answer:
    """Return the events of a throw that is in the air, or a refusal.

    Wagers called after that are late.
    """
    who = check_dice_in_air(table) or check_dice_playable(table) or find_next_shooter(table)
    if isinstance(who, Refusal):
        return who
    return (*who.events, ev.DiceReleased(who.id))


def draw_dice_back(table: Table, command: cmd.DrawBack) -> Answer:
    """Return the event that draws back dice that were sent out and not thrown, or a refusal."""
    if not table.dice.out:
        return refuse("dice-not-out", "custom: only dice that are out are drawn back")
    return check_dice_in_air(table) or (ev.DiceDrawnBack(),)
