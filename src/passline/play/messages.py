"""Messages to one player about what happened: accepted bets, events, and the last roll.

The player is addressed as "you"; others appear by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from passline.crew.stick import make_stick_call
from passline.game.layout.stakes import Settlement
from passline.game.money.amounts import show_dollars
from passline.game.table import commands as cmd
from passline.game.table.state import Table
from passline.game.words.prompt import (
    describe_vigorish,
    event_message,
    make_sentence,
    settlement_message,
)
from passline.lab.luck.hands import find_finished_hand
from passline.play.display import Display
from passline.play.game import BaseGame
from passline.record.deal import RecordEntry
from passline.talk.echo import echo

#: Commands that the crew repeats together, as a base dealer repeats bets.
_REPEATED_COMMANDS = (cmd.Bet, cmd.TokeBet, cmd.Change, cmd.TakeDown, cmd.Toke)


def repeat_entries(table: Table, entries: list[RecordEntry], player: str) -> Iterator[str]:
    """Yield what the crew says to accepted statements: bets together, other events one by one."""
    bets_in_a_row: list[RecordEntry] = []
    for entry in entries:
        if entry.player and isinstance(entry.command, _REPEATED_COMMANDS):
            bets_in_a_row.append(entry)
            continue
        yield from _repeat_bets(table, bets_in_a_row, player)
        bets_in_a_row = []
        for event in entry.events:
            words = event_message(table, event, player)
            if words:
                yield words
    yield from _repeat_bets(table, bets_in_a_row, player)


def _repeat_bets(table: Table, bets_in_a_row: list[RecordEntry], player: str) -> Iterator[str]:
    """Yield bets in words that could be typed again, the vigorish paid and the rail."""
    if not bets_in_a_row:
        return
    speaker = bets_in_a_row[0].player
    bets = [
        echo([entry.command for entry in same if entry.command is not None], table)
        for _, same in groupby(bets_in_a_row, key=lambda entry: entry.said)
    ]
    whose = "your" if speaker == player else f"{speaker}'s"
    rail = show_dollars(table.seat(speaker).rail)
    vig = "".join(f"{words} " for entry in bets_in_a_row if (words := _describe_vig(entry)))
    yield f"{make_sentence(', '.join(bets))} {vig}{rail} in {whose} rail."


def _describe_vig(entry: RecordEntry) -> str:
    charged = sum(getattr(event, "vig", 0) for event in entry.events)
    return describe_vigorish(getattr(entry.command, "wager", ""), charged) if charged else ""


def net_change(done: tuple[Settlement, ...]) -> int:
    """Return the total gain or loss, in cents, of these settlements."""
    return sum(s.back + s.left - s.stake for s in done if s.result != "travel")


_RESULT_STYLES = {"win": "win", "lose": "lose", "push": "even", "return": "even"}


def roll_message(game: BaseGame, player: str, look: Display) -> Iterator[str]:
    """Yield the lines for the last roll of a game."""
    rolled, before = game.thrown, game.before
    assert rolled is not None
    called = make_stick_call(before, rolled)
    if look.plain:
        yield from look.fold(f"The dice: {rolled.first} and {rolled.second}. {called}.")
    else:
        dice = look.paint(f"[{rolled.first}][{rolled.second}]", "bold")
        yield from look.fold(f"{dice}  {called}", indent=8)
    hand = find_finished_hand(before, rolled)
    if hand is not None:
        yield from look.fold(f"  The hand had {hand.words}")
    done = game.settled(player)
    for one in done:
        words = settlement_message(before, one)
        yield from look.fold(f"  {words}", _RESULT_STYLES.get(one.result, ""))
    if len(done) > 1:
        change = net_change(done)
        yield f"  in all {'+' if change > 0 else ''}{show_dollars(change)}"
