"""The dice: who is offered them, who may throw, when they pass."""

from __future__ import annotations

from collections.abc import Iterator

from passline.layout import Refusal
from passline.table import commands as cmd
from passline.table import events as ev
from passline.table.events import Answer
from passline.table.shootout import on_pass
from passline.table.state import NOBODY, Seat, Table


def automated(table: Table) -> bool:
    """Whether this game has no shooter: the machine throws."""
    rule = table.house.book.dice.automated
    return rule is not None and table.house.game in rule.value


def in_turn(table: Table) -> Iterator[int]:
    """Seats in the order in which the dice are offered."""
    dice, count = table.house.book.dice, len(table.players)
    clockwise = _clockwise(table)
    if table.last_shooter == NOBODY:
        start = 0 if dice.first[table.house.game].value == "left" else count - 1
    else:
        side = 1 if dice.after_pass.value == "left" else -1
        start = table.last_shooter + side
    step = 1 if clockwise else -1
    yield from ((start + step * n) % count for n in range(count))


def _clockwise(table: Table) -> bool:
    return table.house.book.dice.turn[table.house.game].value == "clockwise"


def _asked(table: Table, index: int) -> bool:
    """Whether an offer reaches this seat: its player is here and has not let the dice go by."""
    return table.seats[index].here and index not in table.declined


def has_line(table: Table, seat: Seat) -> bool:
    """Whether a player has the line wager that the book asks of a shooter."""
    return any(slug in seat.wagers for slug in table.house.book.dice.line_wagers.value)


def needs_line(table: Table) -> bool:
    """Whether the next throw needs one."""
    return table.puck == 0 or table.house.book.dice.line_bet.value == "every"


def come_remains(table: Table) -> bool:
    """Whether any come or don't come wager waits for its decision."""
    spots = table.layout.spots
    return any(
        spots[slug].family in {"come", "dont-come"} for seat in table.seats for slug in seat.wagers
    )


def set_size(table: Table) -> int:
    """How many dice are of the set."""
    size = table.house.elections.get("dice.set_of", table.house.book.dice.set_of.value)
    assert isinstance(size, int)
    return size


def _taken(table: Table, index: int) -> ev.DiceTaken:
    return ev.DiceTaken(table.seats[index].name, set_size(table) - table.dice.lost)


class Thrower:
    """Who throws next: the events by which the dice get there, and whether only come wagers
    are being decided."""

    __slots__ = ("events", "index", "special")

    def __init__(self, index: int, events: tuple[ev.Event, ...] = (), special: bool = False):
        self.index = index
        self.events = events
        self.special = special


def thrower(table: Table) -> Thrower | Refusal:
    """Whoever throws next, the dice offered as the book has it."""
    if automated(table):
        return Thrower(NOBODY)
    if table.shooter != NOBODY:
        seat = table.seats[table.shooter]
        if not needs_line(table) or has_line(table, seat):
            return Thrower(table.shooter)
        return _without_line(table)
    for index in in_turn(table):
        seat = table.seats[index]
        if not _asked(table, index):
            continue
        if not needs_line(table) or has_line(table, seat):
            return Thrower(index, (_taken(table, index),))
    last = table.last_shooter
    if last != NOBODY and table.seats[last].here and _may_roll_on(table):
        return Thrower(last, (_taken(table, last),), special=True)
    return _nobody(table)


def _nobody(table: Table) -> Refusal:
    dice = table.house.book.dice
    lines = " or ".join(dice.line_wagers.value)
    if any(has_line(table, table.seats[index]) for index in table.declined):
        return Refusal("everybody who may throw has declined the dice", dice.line_bet.cite)
    return Refusal(f"nobody may throw: the shooter needs a {lines} wager", dice.line_bet.cite)


def _may_roll_on(table: Table) -> bool:
    """Whether the last shooter may throw without a line wager, to decide come wagers."""
    dice = table.house.book.dice
    if dice.special is None or not dice.special.value or table.puck:
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
        for index in in_turn(table):
            if _asked(table, index) and has_line(table, table.seats[index]):
                holder = table.seats[table.shooter].name
                passed = ev.DicePassed(holder, "without a line wager", offer.cite)
                return Thrower(index, (passed, *on_pass(table), _taken(table, index)))
    return Thrower(table.shooter, special=True) if rolls_on else _nobody(table)


def take_dice(table: Table, ask: cmd.TakeDice) -> Answer:
    """A player accepts the dice."""
    index = table.index(ask.player)
    dice, seat = table.house.book.dice, table.seats[index]
    if automated(table):
        return no_dice(table)
    if table.shooter != NOBODY:
        holder = table.seats[table.shooter].name
        return Refusal(f"{holder} holds the dice", dice.turn[table.house.game].cite)
    if table.declined:
        # Once a decline is spelled out the round is held to its order; until then whoever takes
        # the dice shows that those before let them go by.
        due = next((n for n in in_turn(table) if _asked(table, n)), NOBODY)
        if due not in (index, NOBODY):
            cite = dice.turn[table.house.game].cite
            return Refusal(f"the dice are offered to {table.seats[due].name} first", cite)
    if table.puck and dice.mid_point.value == "line-wagers-first" and not has_line(table, seat):
        for other in in_turn(table):
            rival = table.seats[other]
            if _asked(table, other) and has_line(table, rival):
                return Refusal(
                    f"{rival.name} has a line wager and is asked first", dice.mid_point.cite
                )
    return (_taken(table, index),)


def decline_dice(table: Table, ask: cmd.DeclineDice) -> Answer:
    """A player lets the dice go by."""
    index = table.index(ask.player)
    if automated(table):
        return no_dice(table)
    if table.shooter == index:
        return _handed_over(table, "declined", table.house.book.dice.may_pass.cite)
    return (ev.DiceDeclined(ask.player),)


def no_dice(table: Table) -> Refusal:
    """Whatever is asked of the dice where a machine throws."""
    rule = table.house.book.dice.automated
    assert rule is not None
    return Refusal(f"{table.house.game} has no shooter: the machine throws", rule.cite)


def _holds(table: Table, player: str) -> Refusal | None:
    if automated(table):
        return no_dice(table)
    if table.shooter != table.index(player):
        return Refusal(f"{player} does not hold the dice", table.house.book.dice.may_pass.cite)
    return None


def passed(table: Table, why: str, cite: str) -> tuple[ev.Event, ...]:
    """The shooter gives the dice up, because nobody plays on, and what comes of it."""
    player = table.seats[table.shooter].name
    return (ev.DicePassed(player, why, cite, offered=False), *on_pass(table))


def _handed_over(table: Table, why: str, cite: str) -> tuple[ev.Event, ...]:
    """The shooter gives the dice up to whoever has them next."""
    player = table.seats[table.shooter].name
    others = any(seat.here and seat.name != player for seat in table.players)
    return (ev.DicePassed(player, why, cite, others), *on_pass(table))


def pass_dice(table: Table, ask: cmd.PassDice) -> Answer:
    """The shooter gives the dice up by choice."""
    rule = table.house.book.dice.may_pass
    refused = _holds(table, ask.player)
    if refused is not None:
        return refused
    if not rule.value:
        return Refusal("the shooter may not pass the dice", rule.cite)
    return _handed_over(table, "by choice", rule.cite)


def order_pass(table: Table, ask: cmd.OrderPass) -> Answer:
    """An official has the shooter pass, on one of the book's grounds."""
    refused = _holds(table, ask.player)
    if refused is not None:
        return refused
    dice, game = table.house.book.dice, table.house.game
    who = dice.order_by.get(game)
    if who is None:
        return Refusal(f"nobody orders a pass at {game}", dice.may_pass.cite)
    ground = next((g for g in dice.order_for if g.name == ask.reason), None)
    if ground is None:
        known = ", ".join(g.name for g in dice.order_for) or "none"
        return Refusal(f"{ask.reason} is no ground to order a pass: {known}", who.cite)
    if ask.by not in who.value:
        allowed = " or ".join(who.value)
        return Refusal(f"the {ask.by} may not order that: {allowed} may", ground.cite)
    return _handed_over(table, f"by order of the {ask.by}, for {ask.reason}", ground.cite)


def same_dice(table: Table, ask: cmd.SameDice) -> Answer:
    """After a die left the table, its shooter may ask for the same dice."""
    rule = table.house.book.dice.same_dice
    cite = rule.cite if rule else "custom: the shooter may ask for the same dice"
    if automated(table):
        return no_dice(table)
    if not table.off_table:
        return Refusal("no die has left the table", cite)
    if (rule is None or rule.value == "shooter") and table.shooter != table.index(ask.player):
        return Refusal("only the shooter may ask for the same dice", cite)
    if table.strayed:
        gone = "a die of the last throw is lost"
        return Refusal(gone, "custom: only dice that are there are thrown again")
    return (ev.DiceAsked(ask.player, same=True, cite=cite),)


def ask_dice(table: Table, ask: cmd.AskDice) -> Answer:
    """The shooter asks for other dice."""
    rule = table.house.book.dice.ask_new
    cite = rule.cite if rule else "custom: the shooter may ask for other dice"
    refused = _holds(table, ask.player)
    if refused is not None:
        return Refusal(refused.reason, cite)
    if rule is not None and not rule.value:
        return Refusal("the shooter may not ask for other dice", cite)
    return (ev.DiceAsked(ask.player, same=False, cite=cite),)
