"""What happened, told to one player: what is theirs in the second person."""

from __future__ import annotations

from collections.abc import Iterator

from passline.layout import Settlement
from passline.money import show_dollars
from passline.play.names import bet_name, chips
from passline.record.deal import Entry
from passline.table import Table
from passline.table import commands as cmd
from passline.table import events as ev
from passline.talk.repeat import echo
from passline.words.events import event_words, passing_words, shootout_words

_DONE = {"lose": "loses", "push": "pushes and stays", "return": "comes back"}
#: Said back in one breath, as a base dealer repeats bets.
_SAID_BACK = (cmd.Bet, cmd.TokeBet, cmd.Change, cmd.TakeDown, cmd.Toke)
#: What is said of a player by name, and the same said to them.
_TO_YOU = {
    "needs": "need",
    "has": "have",
    "does not hold": "do not hold",
    "holds": "hold",
    "must be": "must be",
    "stays": "stay",
    "is": "are",
}


def repeated(table: Table, entries: list[Entry], player: str) -> Iterator[str]:
    """What was taken, as the crew repeats it: bets in one breath, other things one by one."""
    bets: list[str] = []
    speaker = player
    for entry in entries:
        if entry.player and isinstance(entry.command, _SAID_BACK):
            bets.append(echo(entry.command) + _vig(entry))
            speaker = entry.player
            continue
        yield from _breath(table, bets, speaker, player)
        bets = []
        for event in entry.events:
            words = told(table, event, player)
            if words:
                yield words
    yield from _breath(table, bets, speaker, player)


def _vig(entry: Entry) -> str:
    charged = sum(getattr(event, "vig", 0) for event in entry.events)
    word = "vigorish" if charged > 0 else "vigorish back"
    return f" ({word} {show_dollars(abs(charged))})" if charged else ""


def _breath(table: Table, bets: list[str], speaker: str, player: str) -> Iterator[str]:
    if bets:
        whose = "your" if speaker == player else f"{speaker}'s"
        rail = show_dollars(table.seat(speaker).rail)
        yield f"{_sentence(', '.join(bets))} {rail} in {whose} rail."


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
        return f"{lead} goes to the {(done.to or '').rpartition('-')[2]}"
    if done.result == "lose" and done.left:
        return f"{lead} loses out of the win and stays up"
    if done.result == "lose" and done.back:
        return f"{lead} loses, {show_dollars(done.back)} back"
    return f"{lead} {_DONE[done.result]}"


def net(done: tuple[Settlement, ...]) -> int:
    """What a throw brought a player in all, in cents."""
    return sum(s.back + s.left - s.stake for s in done if s.result != "travel")


def to_you(reason: str, player: str) -> str:
    """A refusal's reason with the player spoken to.

    >>> to_you("ann needs $20 and has $5 in the rail", "ann")
    'you need $20 and have $5 in the rail'
    """
    for theirs, yours in _TO_YOU.items():
        lead = f"{player} {theirs} "
        if reason.startswith(lead):
            rest = reason.removeprefix(lead)
            return f"you {yours} {rest.replace(' and has ', ' and have ')}"
    return reason
