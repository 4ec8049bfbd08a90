"""Tables at which nobody plays: the dead game, the closed table, and how they come to life."""

from __future__ import annotations

from collections.abc import Callable

from passline.layout import Refusal, refuse
from passline.table import commands as cmd
from passline.table import custody
from passline.table import events as ev
from passline.table.events import Answer
from passline.table.sending import CLOSED
from passline.table.state import NOBODY, Table
from passline.table.tokes import bring_down

_IDLE = "custom: a game in which there is money up, or dice are out, is alive"
#: What somebody does who comes up to play.
_COMES_UP = (cmd.BuyIn, cmd.Bet, cmd.TokeBet, cmd.TakeDice, cmd.Join)
#: Dice that a shooter plays with.
_IN_PLAY = 2


def _alive(table: Table) -> Refusal | None:
    """What keeps a game from being dead: a player's wager, also of one who left, or dice out."""
    for seat in table.playing:
        if seat.wagers:
            return refuse("wagers-up", _IDLE, player=seat.name, wagers=tuple(seat.wagers))
    return refuse("dice-are-out", _IDLE) if table.dice.out else None


def _give_up(table: Table, why: ev.Passing, cite: str) -> tuple[ev.AnyEvent, ...]:
    """What happens first: the dealers' wagers come down, and the shooter gives the dice up."""
    passed = custody.pass_on(table, why, cite) if table.shooter != NOBODY else ()
    return (*bring_down(table), *passed)


def go_dead(table: Table, ask: cmd.DeadGame) -> Answer:
    """Nobody plays: the dice go into the bowl, the house's money back to the bank."""
    if custody.automated(table):
        return custody.no_dice(table)
    if table.status != "live":
        return refuse("not-live", _IDLE, status=table.status)
    refused = _alive(table)
    if refused is not None:
        return refused
    rule, dice = table.house.book.dead_game.bowl, custody.set_size(table) - table.dice.lost
    if rule.value == "unused":
        dice -= _IN_PLAY
    return (*_give_up(table, "dead", rule.cite), ev.GameDied(dice, rule.cite))


def close(table: Table, ask: cmd.CloseTable) -> Answer:
    """The table is closed; where the book has it so, it opens again with a new set."""
    if table.status == "closed":
        return refuse("table-closed", CLOSED)
    refused = _alive(table)
    if refused is not None:
        return refused
    rule = table.house.book.inspection.reopen
    fresh = rule.value == "new-set"
    return (*_give_up(table, "closed", CLOSED), ev.TableClosed(fresh, rule.cite))


def reopen(table: Table, ask: cmd.OpenTable) -> Answer:
    """A closed table opens again."""
    if table.status != "closed":
        return refuse("table-open", "custom: only a closed table is opened")
    return (ev.TableOpened(),)


def wake(
    table: Table, command: cmd.AnyCommand, door: Callable[[Table, cmd.AnyCommand], Answer]
) -> Answer:
    """A command at a table that is dead or closed: whoever comes up to play has the bowl emptied,
    and at a closed table finds nobody to play with."""
    if not isinstance(command, _COMES_UP):
        return door(table, command)
    if table.status == "closed":
        return refuse("table-closed", CLOSED)
    answer = door(table, command)
    rule = table.house.book.dead_game.dump
    if isinstance(answer, Refusal) or not rule.value:
        return answer
    return (ev.BowlDumped(command.player, rule.cite), *answer)
