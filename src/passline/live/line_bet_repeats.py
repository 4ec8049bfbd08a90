"""Line bets that the server makes again for players whose line bets won. Pure.

A player may turn this off, and the bets that were repeated come down then.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from passline.game.layout.stakes import Refusal, refuse
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.decide import decide
from passline.game.table.evolve import evolve_all
from passline.game.table.state import Table
from passline.live.decided_line import DecidedLine, make_machine_line
from passline.live.live_table import LiveTable
from passline.talk.canonical import format_amount


def repeat_line_bets(live: LiveTable, events: Sequence[ev.AnyEvent]) -> list[DecidedLine]:
    """Return decided lines that make the line bets again that won in a throw.

    ``events`` are the throw's events, and ``live`` is the state before it. Players who turned this
    off are left out. Return [] for events without a throw, and for a correction of a throw, which
    has the repeated bets in its own entry.
    """
    if any(isinstance(event, ev.ThrowCorrected) for event in events):
        return []
    thrown = any(isinstance(event, ev.Rolled) for event in events)
    table = evolve_all(live.table, events) if thrown else live.table
    found = find_repeat_bets(table, events, live.no_line_repeat)
    return [make_machine_line(bet, answer) for bet, answer in found]


def find_repeat_bets(
    table: Table, events: Sequence[ev.AnyEvent], without: Collection[str]
) -> list[tuple[cmd.Bet, tuple[ev.AnyEvent, ...]]]:
    """Return (bet, its events) for each line bet that won and may be made again.

    ``table`` is the table after the throw, and ``events`` are the throw's. The players in
    ``without`` are left out.
    """
    lines = table.house.book.dice.line_wagers.value
    won = [
        done
        for event in events
        if isinstance(event, ev.Rolled)
        for done in event.settlements
        if done.result == "win" and not done.left and done.wager in lines
    ]
    found: list[tuple[cmd.Bet, tuple[ev.AnyEvent, ...]]] = []
    for done in won:
        if done.player in without or table.find(done.player) is None:
            continue
        bet = cmd.Bet(done.player, done.wager, done.stake)
        answer = decide(table, bet)
        if isinstance(answer, Refusal):
            continue
        table = evolve_all(table, answer)
        found.append((bet, answer))
    return found


def refuse_repeat(
    repeated: Collection[tuple[str, str]], table: Table, command: cmd.AnyCommand
) -> Refusal | None:
    """Refuse a line bet that the server has just repeated with the same amount.

    The player may not have noticed, and the bet would be doubled. Return None for any other
    command. ``repeated`` holds the repeated bets as (player, wager).
    """
    if not isinstance(command, cmd.Bet):
        return None
    up = table.seat(command.player).wagers.get(command.wager)
    left = (command.player, command.wager) in repeated
    if up is None or not left or up.amount != command.amount:
        return None
    cite = "custom: nobody means to have it twice without a word"
    return refuse("left-up", cite, wager=command.wager, double=format_amount(2 * up.amount))


def take_line_bets_down(live: LiveTable, player: str) -> list[DecidedLine]:
    """Return decided lines that take down a player's line bets that the server repeated."""
    table, found = live.table, []
    for slug in sorted(wager for whose, wager in live.repeated_line_bets if whose == player):
        down = cmd.TakeDown(player, slug)
        answer = decide(table, down) if slug in table.seat(player).wagers else None
        if answer is None or isinstance(answer, Refusal):
            continue
        table = evolve_all(table, answer)
        found.append(make_machine_line(down, answer))
    return found
