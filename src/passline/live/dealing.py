"""Dealing what was heard: the engine's answer, and the line and events of an entry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from passline.layout import Refusal, refuse
from passline.live.acts import acting, is_anothers
from passline.live.asks import HallError, SayTaken
from passline.live.live_table import MACHINE, LiveTable
from passline.live.names import looks, seat_name
from passline.live.saying import LONGEST, Does, SaidByPlayer, not_said
from passline.live.tokens import Holder
from passline.record.table_lines import happening_words
from passline.table import Table, decide, evolve_all
from passline.table import commands as cmd
from passline.table import events as ev
from passline.talk.errors import RecordError
from passline.talk.says import money_words, say_words
from passline.talk.understand import UnplayableError, understand
from passline.words import refusal_words

#: No amount passes this, in cents.
MOST: Final = 10_000_000_00
_CAP: Final = "custom: no amount passes $10,000,000"
#: Where commands have their amounts.
_AMOUNTS: Final = ("amount", "to", "match", "low", "high")


class DealtLine(Struct, frozen=True):
    """What came of it: each thing that was said, and the line and events of all that was taken.
    An empty line: nothing was."""

    said: tuple[SayTaken, ...]
    line: str = ""
    events: tuple[ev.AnyEvent, ...] = ()
    #: The table after them, where it was folded on the way.
    folded: Table | None = None


def deal(live: LiveTable, holder: Holder, heard: SaidByPlayer | Does) -> DealtLine:
    """What a say comes to. HallError: 403, or 422 where it is not understood."""
    return _says(live, holder, heard) if isinstance(heard, SaidByPlayer) else _does(live, heard)


def _does(live: LiveTable, heard: Does) -> DealtLine:
    command = heard.command
    answer = _answer(live, live.table, command)
    words = happening_words(command)
    if isinstance(answer, Refusal):
        return DealtLine((SayTaken(heard.said, words, answer),))
    return DealtLine((SayTaken(heard.said, words, None),), words, answer)


def _says(live: LiveTable, holder: Holder, heard: SaidByPlayer) -> DealtLine:
    table, said, taken = live.table, [], []
    events: list[ev.AnyEvent] = []
    for one in heard.says:
        try:
            commands = understand(table, heard.player, one, live.memory)
        except UnplayableError as wrong:
            said.append(SayTaken(one, one, wrong.refusal))
            continue
        except RecordError as wrong:
            raise not_said(live, holder, one, wrong) from None
        for command in commands:
            acting(live, holder, command)
            words = say_words(command)
            answer = _twice(live, table, holder, command) or _answer(live, table, command)
            if isinstance(answer, Refusal):
                said.append(SayTaken(one, words, answer))
                continue
            table = evolve_all(table, answer)
            said.append(SayTaken(one, words, None))
            taken.append(words)
            events += answer
    line = f"{heard.player}: {'; '.join(taken)}" if taken else ""
    if len(line) > LONGEST:
        raise HallError(422, f"{len(line)} characters: a line has {LONGEST} at most")
    return DealtLine(tuple(said), line, tuple(events), folded=table)


def _answer(
    live: LiveTable, table: Table, command: cmd.AnyCommand
) -> Refusal | tuple[ev.AnyEvent, ...]:
    """The engine's answer; what it says of whose act it is is a 403."""
    amounts: Sequence[int] = [getattr(command, key, 0) for key in _AMOUNTS]
    if any(amount > MOST for amount in amounts):
        return refuse("said", _CAP, [MOST], words="no amount passes $10,000,000")
    _check_name(live, command)
    if live.settings.dice == "typed" and _to_machine(command):
        words = "the dice are typed in here: that takes a person at the stick"
        return refuse("said", "custom: somebody reads real dice", words=words)
    try:
        answer = decide(table, command)
    except ValueError as wrong:
        raise HallError(422, str(wrong)) from None
    if isinstance(answer, Refusal) and is_anothers(answer):
        raise HallError(403, refusal_words(answer), cite=answer.cite)
    return answer


def _twice(
    live: LiveTable, table: Table, holder: Holder, command: cmd.AnyCommand
) -> Refusal | None:
    """A line wager that was left up is not made a second time by being said as it stands."""
    if not isinstance(command, cmd.Bet) or holder.role != "player":
        return None
    up = table.seat(command.player).wagers.get(command.wager)
    left = (command.player, command.wager) in live.left_up
    if up is None or not left or up.amount != command.amount:
        return None
    more = money_words(2 * up.amount)
    words = f"{command.wager} is up already, left up from the win: say '{command.wager} to {more}'"
    return refuse("said", "custom: nobody means to have it twice without a word", words=words)


def taken_down(live: LiveTable, player: str) -> list[DealtLine]:
    """The line wagers that were just left up for a player who wants them down, as lines of the
    machine's own."""
    table, found = live.table, []
    for slug in sorted(wager for whose, wager in live.left_up if whose == player):
        down = cmd.TakeDown(player, slug)
        answer = decide(table, down) if slug in table.seat(player).wagers else None
        if answer is None or isinstance(answer, Refusal):
            continue
        table, words = evolve_all(table, answer), say_words(down)
        found.append(DealtLine((SayTaken(words, words, None),), f"{player}: {words}", answer))
    return found


def _to_machine(command: cmd.AnyCommand) -> bool:
    """Whether the machine is to have the stick."""
    return isinstance(command, cmd.Relieve) and (command.name, command.post) == (
        MACHINE,
        "stickperson",
    )


def _check_name(live: LiveTable, command: cmd.AnyCommand) -> None:
    """Whoever comes up is nobody's double, also where the box says it; and who takes over a post
    has a name that a record can hold."""
    if isinstance(command, cmd.Relieve) and command.name != MACHINE:
        try:
            seat_name(command.name)
        except HallError as wrong:
            raise HallError(422, str(wrong)) from None
    if isinstance(command, cmd.Join):
        name = seat_name(command.player)
        known = live.names.get(looks(name)) or live.invited.get(looks(name), name)
        if known != command.player:
            raise HallError(409, f"{command.player!r} is too like {known!r}, who plays here")


def said_again(live: LiveTable, events: Sequence[ev.AnyEvent]) -> list[DealtLine]:
    """Winning line wagers that a throw took down, said again for their players unless they want
    otherwise, each a line of its own."""
    lines = live.table.house.book.dice.line_wagers.value
    won = [
        done
        for event in events
        if isinstance(event, ev.Rolled)
        for done in event.settlements
        if done.result == "win" and not done.left and done.wager in lines
    ]
    table = evolve_all(live.table, events) if won else live.table
    found: list[DealtLine] = []
    for done in won:
        if done.player in live.line_down or table.find(done.player) is None:
            continue
        bet = cmd.Bet(done.player, done.wager, done.stake)
        answer = decide(table, bet)
        if isinstance(answer, Refusal):
            continue
        table = evolve_all(table, answer)
        words = say_words(bet)
        found.append(DealtLine((SayTaken(words, words, None),), f"{done.player}: {words}", answer))
    return found
