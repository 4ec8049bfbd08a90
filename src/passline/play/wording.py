"""What happened, told to one player: what is theirs in the second person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from passline.layout import Settlement
from passline.money import show_dollars
from passline.play.names import chips
from passline.record.deal import RecordEntry
from passline.table import Table
from passline.table import commands as cmd
from passline.table import events as ev
from passline.talk.repeat import echo
from passline.words.events import event_words, passing_words, shootout_words
from passline.words.wagers import bet_name

_DONE = {"lose": "loses", "push": "pushes and stays", "return": "comes back"}
#: Said back in one breath, as a base dealer repeats bets.
_SAID_BACK = (cmd.Bet, cmd.TokeBet, cmd.Change, cmd.TakeDown, cmd.Toke)
#: What a player wants of a line bet that wins.
LINE_WANTED = {
    "up": "A line bet that wins is left up: it is said again for you.",
    "down": 'A line bet that wins comes down with its pay; "leave my line up" has it said again.',
}


def repeated(table: Table, entries: list[RecordEntry], player: str) -> Iterator[str]:
    """What was taken, as the crew repeats it: bets in one breath, other things one by one."""
    breath: list[RecordEntry] = []
    for entry in entries:
        if entry.player and isinstance(entry.command, _SAID_BACK):
            breath.append(entry)
            continue
        yield from _said_back(table, breath, player)
        breath = []
        for event in entry.events:
            words = told(table, event, player)
            if words:
                yield words
    yield from _said_back(table, breath, player)


def _said_back(table: Table, breath: list[RecordEntry], player: str) -> Iterator[str]:
    """Bets said back so that they can be typed again; then the vigorish, and the rail."""
    if not breath:
        return
    speaker = breath[0].player
    bets = [
        echo([entry.command for entry in same if entry.command is not None], table)
        for _, same in groupby(breath, key=lambda entry: entry.said)
    ]
    whose = "your" if speaker == player else f"{speaker}'s"
    rail = show_dollars(table.seat(speaker).rail)
    vig = "".join(f"{words} " for entry in breath if (words := _vig(entry)))
    yield f"{_sentence(', '.join(bets))} {vig}{rail} in {whose} rail."


def _vig(entry: RecordEntry) -> str:
    charged = sum(getattr(event, "vig", 0) for event in entry.events)
    if not charged:
        return ""
    name = bet_name(getattr(entry.command, "wager", ""))
    back = " back" if charged < 0 else ""
    return f"Vigorish {show_dollars(abs(charged))}{back} for {name}."


def told(table: Table, event: ev.AnyEvent, player: str) -> str:
    """An event in a sentence; nothing for what the screen shows by itself."""
    if getattr(event, "player", "") == player:
        return _own(table, event)
    match event:
        case ev.DiceTaken(other):
            return f"{other} takes the dice."
        case ev.DicePassed(other):
            return f"{other} passes the dice, {passing_words(event)}."
        case ev.ShootoutMoved():
            return f"Shootout: {shootout_words(event.note)}." if event.note else ""
        case ev.Rolled() | ev.DiceSent() | ev.DiceDrawnBack():
            return ""
        case _:
            return _sentence(event_words(event))


def _own(table: Table, event: ev.AnyEvent) -> str:
    match event:
        case ev.Changed():
            return _changed(event)
        case ev.Called(_, wager, on):
            word = "works as the rules have it" if on is None else "is on" if on else "is off"
            return _sentence(f"{bet_name(wager)} {word}")
        case ev.BoughtIn(_, amount):
            return f"You buy in for {show_dollars(amount)}: {chips(table, amount)}."
        case ev.ChequesChanged(_, changed, colour, count):
            return f"{show_dollars(changed)} changed: {count} {colour}."
        case ev.ColouredUp():
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
            return f"You pass the dice, {passing_words(event)}."
        case ev.DiceAsked(_, same):
            return f"You ask for {'the same' if same else 'new'} dice."
        case ev.DiceSent():
            return ""
        case _:
            return _sentence(event_words(event))


def up_already(bet: cmd.Bet) -> str:
    """A line bet that is said as it stands."""
    sum_, more = show_dollars(bet.amount), show_dollars(2 * bet.amount)
    name = bet_name(bet.wager)
    return f'Your {name} is up for {sum_}: it was left up for you. Say "{name} to {more}" for more.'


def dice_lost(events: Iterable[ev.AnyEvent], player: str) -> str:
    """A throw by which a player would lose the dice, in a sentence; else nothing."""
    lost = any(isinstance(event, ev.DicePassed) and event.player == player for event in events)
    takes = [event.player for event in events if isinstance(event, ev.DiceTaken)]
    if not lost:
        return ""
    return f"You have no line bet: the dice go to {takes[-1] if takes else 'another'}."


def _changed(event: ev.Changed) -> str:
    name = bet_name(event.wager)
    vig = f", vigorish back {show_dollars(-event.vig)}" if event.vig < 0 else ""
    if not event.now:
        return _sentence(f"{name} down, {show_dollars(event.was)} back to you{vig}")
    return _sentence(f"{name} to {show_dollars(event.now)}{vig}")


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def settled(table: Table, done: Settlement) -> str:
    """What a throw did to one wager: what was paid, at which odds, in which chips."""
    lead = f"{bet_name(done.wager)} {show_dollars(done.stake)}"
    if done.result == "win":
        at = f" at {done.odds}" if done.odds else ""
        vig = f", less {show_dollars(done.vig)} vigorish" if done.vig else ""
        cut = f": {chips(table, done.paid)}" if done.paid else ""
        stays = "; stays up" if done.left else ""
        return f"{lead} wins {show_dollars(done.paid)}{at}{cut}{vig}{stays}"
    if done.result == "travel":
        return f"{lead} goes to the {table.layout.spots[done.to or ''].number}"
    if done.result == "lose" and done.left:
        return f"{lead} loses out of the win and stays up"
    if done.result == "lose" and done.back:
        return f"{lead} loses, {show_dollars(done.back)} back"
    return f"{lead} {_DONE[done.result]}"


def net(done: tuple[Settlement, ...]) -> int:
    """What a throw brought a player in all, in cents."""
    return sum(s.back + s.left - s.stake for s in done if s.result != "travel")
