"""The dice: who is offered them, who may throw, when they pass."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from passline.law.wagers import Come
from passline.layout import Moment, Refusal, refuse
from passline.layout.may import may_time
from passline.table import commands as cmd
from passline.table import events as ev
from passline.table.events import Answer
from passline.table.shootout import on_pass
from passline.table.state import NOBODY, Seat, Table


def automated(table: Table) -> bool:
    """Whether this game has no shooter: the machine throws."""
    rule = table.house.book.dice.automated
    return table.house.game in rule.value


def in_turn(table: Table) -> Iterator[Seat]:
    """Seats in the order in which the dice are offered: by their places around the table."""
    seats, count = table.playing, len(table.playing)
    start, step = _first_offered(table), 1 if _clockwise(table) else -1
    return iter([seats[(start + step * n) % count] for n in range(count)])


def _first_offered(table: Table) -> int:
    """Where in the round of seats the offer begins: beside the last shooter's place."""
    dice, last, count = table.house.book.dice, table.last_place, len(table.playing)
    if not last:
        return 0 if dice.first[table.house.game].value == "left" else count - 1
    if dice.after_pass.value == "left":
        return next((n for n, seat in enumerate(table.playing) if seat.place > last), 0)
    return max((n for n, seat in enumerate(table.playing) if seat.place < last), default=count - 1)


def _clockwise(table: Table) -> bool:
    return table.house.book.dice.turn[table.house.game].value == "clockwise"


def _asked(table: Table, seat: Seat) -> bool:
    """Whether an offer reaches this seat: its player is here and has not let the dice go by."""
    return seat.here and seat.id not in table.declined


def has_line(table: Table, seat: Seat) -> bool:
    """Whether a player has the line wager that the book asks of a shooter."""
    wagers = seat.wagers
    return bool(wagers) and any(slug in wagers for slug in table.house.book.dice.line_wagers.value)


def needs_line(table: Table) -> bool:
    """Whether the next throw needs one."""
    return table.puck == 0 or table.house.book.dice.line_bet.value == "every"


def come_remains(table: Table) -> bool:
    """Whether any come or don't come wager waits for its decision."""
    spots = table.layout.spots
    return any(
        isinstance(spots[slug].rule, Come) for _, wagers in table.everybody() for slug in wagers
    )


def set_size(table: Table) -> int:
    """How many dice are of the set."""
    size = table.house.elections.get("dice.set_of", table.house.book.dice.set_of.value)
    assert isinstance(size, int)
    return size


def _taken(table: Table, seat: Seat) -> ev.DiceTaken:
    return ev.DiceTaken(seat.id, set_size(table) - table.dice.lost)


class Thrower:
    """Who throws next: the events by which the dice get there, and whether only come wagers
    are being decided."""

    __slots__ = ("events", "id", "special")

    def __init__(self, id_: str, events: tuple[ev.AnyEvent, ...] = (), special: bool = False):
        self.id = id_
        self.events = events
        self.special = special


def thrower(table: Table) -> Thrower | Refusal:
    """Whoever throws next, the dice offered as the book has it."""
    if automated(table):
        return Thrower(NOBODY)
    if table.shooter != NOBODY:
        if not needs_line(table) or has_line(table, table.seat(table.shooter)):
            return Thrower(table.shooter)
        return _without_line(table)
    for seat in in_turn(table):
        if not _asked(table, seat):
            continue
        if not needs_line(table) or has_line(table, seat):
            return Thrower(seat.id, (_taken(table, seat),))
    last = table.seat(table.last_shooter) if table.last_shooter != NOBODY else None
    if last is not None and last.here and _may_roll_on(table):
        return Thrower(last.id, (_taken(table, last),), special=True)
    if _stalled(table):
        for seat in in_turn(table):
            if _asked(table, seat):
                return Thrower(seat.id, (_taken(table, seat),))
    return _nobody(table)


def _nobody(table: Table) -> Refusal:
    dice = table.house.book.dice
    lines = dice.line_wagers.value
    if any(has_line(table, table.seat(player)) for player in table.declined):
        return refuse("all-declined", dice.line_bet.cite)
    return refuse("nobody-may-throw", dice.line_bet.cite, lines, wagers=lines)


def _may_roll_on(table: Table) -> bool:
    """Whether the last shooter may throw without a line wager, to decide come wagers."""
    dice = table.house.book.dice
    if not dice.special.value or table.puck:
        return False
    ends = {ground.name for ground in dice.special_ends}
    return come_remains(table) or (table.special and "come-decided" not in ends)


def _without_line(table: Table) -> Thrower | Refusal:
    """The shooter holds the dice without the line wager that the throw needs.

    They go to the next in turn who has one; if nobody does, the shooter may roll on where come
    wagers remain to be decided.
    """
    dice = table.house.book.dice
    rolls_on = _may_roll_on(table)
    offer = dice.special_offer if rolls_on and dice.special_offer else dice.after_pass
    ends = {ground.name for ground in dice.special_ends}
    keeps = offer.value == "shooter-first" or (table.special and "line-bet" not in ends)
    if not (rolls_on and keeps):
        for seat in in_turn(table):
            if _asked(table, seat) and has_line(table, seat):
                passed = ev.DicePassed(table.shooter, "no-line", offer.cite)
                return Thrower(seat.id, (passed, *on_pass(table), _taken(table, seat)))
    if rolls_on:
        return Thrower(table.shooter, special=True)
    return Thrower(table.shooter) if _stalled(table) else _nobody(table)


def _stalled(table: Table) -> bool:
    """Whether a throw needs a line wager that nobody has and nobody can make.

    With a point on, that would end the game in the middle: the book says who throws on.
    """
    dice, spots = table.house.book.dice, table.layout.spots
    if not table.puck or dice.stalled.value == "waits":
        return False
    lines = [spots[slug] for slug in dice.line_wagers.value if slug in spots]
    if any(may_time(spot, Moment(table.puck, table.fresh), {}) is None for spot in lines):
        return False
    return not any(seat.here and has_line(table, seat) for seat in table.playing)


def take_dice(table: Table, ask: cmd.TakeDice) -> Answer:
    """A player accepts the dice."""
    dice, seat = table.house.book.dice, table.seat(ask.player)
    if automated(table):
        return no_dice(table)
    if table.shooter != NOBODY:
        holder = table.seat(table.shooter).name
        return refuse("dice-held", dice.turn[table.house.game].cite, player=holder)
    if table.declined:
        # Once a decline is spelled out the round is held to its order; until then whoever takes
        # the dice shows that those before let them go by.
        due = next((seat for seat in in_turn(table) if _asked(table, seat)), seat)
        if due.id != seat.id:
            cite = dice.turn[table.house.game].cite
            return refuse("offered-first", cite, player=due.name)
    if table.puck and dice.mid_point.value == "line-wagers-first" and not has_line(table, seat):
        for rival in in_turn(table):
            if _asked(table, rival) and has_line(table, rival):
                return refuse("line-bettor-first", dice.mid_point.cite, player=rival.name)
    return (_taken(table, seat),)


def decline_dice(table: Table, ask: cmd.DeclineDice) -> Answer:
    """A player lets the dice go by."""
    seat = table.seat(ask.player)
    if automated(table):
        return no_dice(table)
    if table.shooter == seat.id:
        cite = table.house.book.dice.may_pass.cite
        return check_in_air(table) or _hand_over(table, "declined", cite)
    return (ev.DiceDeclined(ask.player),)


def no_dice(table: Table) -> Refusal:
    """Whatever is asked of the dice where a machine throws."""
    rule = table.house.book.dice.automated
    return refuse("machine-throws", rule.cite, game=table.house.game)


def check_in_air(table: Table) -> Refusal | None:
    """Whatever is asked of dice in the air, but to call them."""
    return refuse("dice-in-air", "custom: dice that fly are thrown") if table.dice.in_air else None


def _holds(table: Table, player: str) -> Refusal | None:
    if automated(table):
        return no_dice(table)
    if table.shooter != player:
        cite = table.house.book.dice.may_pass.cite
        return refuse("not-the-shooter", cite, player=table.seat(player).name)
    return check_in_air(table)


def pass_on(table: Table, why: ev.Passing, cite: str) -> tuple[ev.AnyEvent, ...]:
    """The shooter gives the dice up, because nobody plays on, and what comes of it."""
    return (ev.DicePassed(table.shooter, why, cite), *on_pass(table))


def _hand_over(
    table: Table, why: ev.Passing, cite: str, by: str = "", ground: str = ""
) -> tuple[ev.AnyEvent, ...]:
    """The shooter gives the dice up to whoever has them next."""
    player = table.shooter
    others = any(seat.here and seat.id != player for seat in table.playing)
    passed = ev.DicePassed(
        player=player, why=why, cite=cite, to_another=others, by=by, ground=ground
    )
    return (passed, *on_pass(table))


def pass_dice(table: Table, ask: cmd.PassDice) -> Answer:
    """The shooter gives the dice up by choice."""
    rule = table.house.book.dice.may_pass
    refused = _holds(table, ask.player)
    if refused is not None:
        return refused
    if not rule.value:
        return refuse("may-not-pass", rule.cite)
    return _hand_over(table, "choice", rule.cite)


def order_pass(table: Table, ask: cmd.OrderPass) -> Answer:
    """An official has the shooter pass, on one of the book's grounds."""
    refused = _holds(table, ask.player)
    if refused is not None:
        return refused
    dice, game = table.house.book.dice, table.house.game
    who = dice.order_by.get(game)
    if who is None:
        return refuse("nobody-orders-pass", dice.may_pass.cite, game=game)
    ground = next((g for g in dice.order_for if g.name == ask.reason), None)
    if ground is None:
        known = tuple(g.name for g in dice.order_for)
        return refuse("no-ground-to-pass", who.cite, known, ground=ask.reason)
    if ask.by not in who.value:
        return refuse("not-theirs-to-order", ground.cite, who.value, by=ask.by)
    return _hand_over(table, "order", ground.cite, ask.by, ask.reason)


def same_dice(table: Table, ask: cmd.SameDice) -> Answer:
    """After a die left the table, its shooter may ask for the same dice."""
    rule = table.house.book.dice.same_dice
    cite = rule.cite
    if automated(table):
        return no_dice(table)
    if not table.off_table:
        return refuse("no-die-left", cite)
    if rule.value == "shooter" and table.shooter != ask.player:
        return refuse("shooter-asks-same-dice", cite)
    if table.strayed:
        return refuse("thrown-die-lost", "custom: only dice that are there are thrown again")
    return (ev.DiceAsked(ask.player, same=True, cite=cite),)


def ask_dice(table: Table, ask: cmd.AskDice) -> Answer:
    """The shooter asks for other dice."""
    rule = table.house.book.dice.ask_new
    cite = rule.cite
    refused = _holds(table, ask.player)
    if refused is not None:
        return refused if table.dice.in_air else replace(refused, cite=cite)
    if not rule.value:
        return refuse("no-other-dice", cite)
    return (ev.DiceAsked(ask.player, same=False, cite=cite),)
