"""Messages to one player about what happened: accepted bets, events, and the last roll.

The player is addressed as "you"; others appear by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from passline.crew.stick import make_stick_call
from passline.game.layout.stakes import Settlement
from passline.game.money.amounts import show_dollars
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.state import Table
from passline.game.words.events import describe_event, describe_pass_reason, describe_shootout_note
from passline.game.words.wagers import screen_wager_name
from passline.lab.luck.hands import find_finished_hand
from passline.play.display import Display
from passline.play.game import BaseGame
from passline.play.screen import describe_chips
from passline.record.deal import RecordEntry
from passline.talk.echo import echo

_RESULT_WORDS = {"lose": "loses", "push": "pushes and stays", "return": "comes back"}
#: Said back in one breath, as a base dealer repeats bets.
_REPEATED_COMMANDS = (cmd.Bet, cmd.TokeBet, cmd.Change, cmd.TakeDown, cmd.Toke)
#: What a player wants of a line bet that wins.
LINE_PREFERENCE_MESSAGES = {
    "up": "A line bet that wins is left up: it is said again for you.",
    "down": 'A line bet that wins comes down with its pay; "leave my line up" has it said again.',
}


def repeat_entries(table: Table, entries: list[RecordEntry], player: str) -> Iterator[str]:
    """Yield accepted lines as the crew repeats them: bets together, other events one by one."""
    breath: list[RecordEntry] = []
    for entry in entries:
        if entry.player and isinstance(entry.command, _REPEATED_COMMANDS):
            breath.append(entry)
            continue
        yield from _repeat_bets(table, breath, player)
        breath = []
        for event in entry.events:
            words = event_message(table, event, player)
            if words:
                yield words
    yield from _repeat_bets(table, breath, player)


def _repeat_bets(table: Table, breath: list[RecordEntry], player: str) -> Iterator[str]:
    """Yield bets in words that can be typed again, then the vigorish and the rail."""
    if not breath:
        return
    speaker = breath[0].player
    bets = [
        echo([entry.command for entry in same if entry.command is not None], table)
        for _, same in groupby(breath, key=lambda entry: entry.said)
    ]
    whose = "your" if speaker == player else f"{speaker}'s"
    rail = show_dollars(table.seat(speaker).rail)
    vig = "".join(f"{words} " for entry in breath if (words := _describe_vig(entry)))
    yield f"{_make_sentence(', '.join(bets))} {vig}{rail} in {whose} rail."


def _describe_vig(entry: RecordEntry) -> str:
    charged = sum(getattr(event, "vig", 0) for event in entry.events)
    if not charged:
        return ""
    name = screen_wager_name(getattr(entry.command, "wager", ""))
    back = " back" if charged < 0 else ""
    return f"Vigorish {show_dollars(abs(charged))}{back} for {name}."


def event_message(table: Table, event: ev.AnyEvent, player: str) -> str:
    """Return an event as a sentence, or nothing if the screen already shows it."""
    if getattr(event, "player", "") == player:
        return _own_event_message(table, event)
    match event:
        case ev.DiceTaken(other):
            return f"{other} takes the dice."
        case ev.DicePassed(other):
            return f"{other} passes the dice, {describe_pass_reason(event)}."
        case ev.ShootoutMoved():
            return f"Shootout: {describe_shootout_note(event.note)}." if event.note else ""
        case ev.Rolled() | ev.DiceSent() | ev.DiceDrawnBack():
            return ""
        case _:
            return _make_sentence(describe_event(event))


def _own_event_message(table: Table, event: ev.AnyEvent) -> str:
    match event:
        case ev.Changed():
            return _change_message(event)
        case ev.Called(_, wager, on):
            word = "works as the rules have it" if on is None else "is on" if on else "is off"
            return _make_sentence(f"{screen_wager_name(wager)} {word}")
        case ev.BoughtIn(_, amount):
            return f"You buy in for {show_dollars(amount)}: {describe_chips(table, amount)}."
        case ev.ChequesChanged(_, changed, colour, count):
            return f"{show_dollars(changed)} changed: {count} {colour}."
        case ev.ColoredUp():
            return "Your chips are coloured up."
        case ev.LeftTable():
            return "You leave the table."
        case ev.Seated(_, standing):
            return "You stand up." if standing else "You sit down."
        case ev.DiceTaken(_, offered):
            return f"The stick offers you {offered} dice: you take two."
        case ev.DiceDeclined():
            return "You let the dice go by."
        case ev.DicePassed():
            return f"You pass the dice, {describe_pass_reason(event)}."
        case ev.DiceAsked(_, same):
            return f"You ask for {'the same' if same else 'new'} dice."
        case ev.DiceSent():
            return ""
        case _:
            return _make_sentence(describe_event(event))


def already_up_message(bet: cmd.Bet) -> str:
    """Return what to say when a line bet that is up is bet again unchanged."""
    sum_, more = show_dollars(bet.amount), show_dollars(2 * bet.amount)
    name = screen_wager_name(bet.wager)
    return f'Your {name} is up for {sum_}: it was left up for you. Say "{name} to {more}" for more.'


def lose_dice_message(events: Iterable[ev.AnyEvent], player: str) -> str:
    """Return a warning if the next roll makes the player lose the dice; else nothing."""
    lost = any(isinstance(event, ev.DicePassed) and event.player == player for event in events)
    takes = [event.player for event in events if isinstance(event, ev.DiceTaken)]
    if not lost:
        return ""
    return f"You have no line bet: the dice go to {takes[-1] if takes else 'another'}."


def _change_message(event: ev.Changed) -> str:
    name = screen_wager_name(event.wager)
    vig = f", vigorish back {show_dollars(-event.vig)}" if event.vig < 0 else ""
    if not event.now:
        return _make_sentence(f"{name} down, {show_dollars(event.was)} back to you{vig}")
    return _make_sentence(f"{name} to {show_dollars(event.now)}{vig}")


def _make_sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def settlement_message(table: Table, done: Settlement) -> str:
    """Return what a roll did to one bet: the pay, its odds and its chips."""
    lead = f"{screen_wager_name(done.wager)} {show_dollars(done.stake)}"
    if done.result == "win":
        at = f" at {done.odds}" if done.odds else ""
        vig = f", less {show_dollars(done.vig)} vigorish" if done.vig else ""
        cut = f": {describe_chips(table, done.paid)}" if done.paid else ""
        stays = "; stays up" if done.left else ""
        return f"{lead} wins {show_dollars(done.paid)}{at}{cut}{vig}{stays}"
    if done.result == "travel":
        return f"{lead} goes to the {table.layout.spots[done.to or ''].number}"
    if done.result == "lose" and done.left:
        return f"{lead} loses out of the win and stays up"
    if done.result == "lose" and done.back:
        return f"{lead} loses, {show_dollars(done.back)} back"
    return f"{lead} {_RESULT_WORDS[done.result]}"


def net_change(done: tuple[Settlement, ...]) -> int:
    """Return a player's total gain or loss on a roll, in cents."""
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
