"""Have the engine decide a line that was parsed at a live table. Pure.

The result has the line and the events for the log; nothing is written here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from passline.game.layout.stakes import Refusal, refuse
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.corrections import correct_throw
from passline.game.table.decide import decide
from passline.game.table.events import Answer
from passline.game.table.evolve import evolve_all
from passline.game.table.state import Table
from passline.game.table.throws import NOTHING_TO_RULE_CITE
from passline.game.words.refusals import describe_refusal
from passline.live.decided_line import DecidedLine
from passline.live.line_bet_repeats import find_repeat_bets, refuse_repeat
from passline.live.live_table import MACHINE, LiveTable
from passline.live.parse_line import (
    MAX_LINE_LENGTH,
    PlayerTalk,
    TableCommand,
    make_not_understood,
)
from passline.live.permissions import authorize, is_role_refusal
from passline.live.schema import LineDecision, ServiceError, check_seat_name
from passline.live.tokens import Holder
from passline.record.table_lines import read_table_line, write_table_line
from passline.talk.canonical import format_command, parse_canonical
from passline.talk.errors import RecordError, UnplayableError
from passline.talk.understand import understand
from passline.text import fold_look_alikes

#: The largest amount, in cents.
MAX_AMOUNT: Final = 10_000_000_00
_MAX_AMOUNT_CITE: Final = "custom: a larger amount is a slip of the keys"
#: The fields of commands that hold amounts.
_AMOUNT_FIELDS: Final = ("amount", "to", "match", "low", "high")


def decide_line(live: LiveTable, holder: Holder, parsed: PlayerTalk | TableCommand) -> DecidedLine:
    """Let the engine decide a parsed line on the table. Nothing is written.

    Raise ServiceError if the holder may not give a command, or it was not understood.
    """
    if isinstance(parsed, PlayerTalk):
        return _decide_talk(live, holder, parsed)
    command = parsed.command
    if isinstance(command, cmd.CorrectThrow):
        return _decide_correction(live, parsed.text, command)
    answer = _decide_checked(live, live.table, command)
    words = write_table_line(command)
    if isinstance(answer, Refusal):
        return DecidedLine((LineDecision(parsed.text, words, answer),))
    return DecidedLine((LineDecision(parsed.text, words, None),), words, answer)


def _decide_correction(live: LiveTable, text: str, command: cmd.CorrectThrow) -> DecidedLine:
    """Decide a correction of the last throw, and then again every line said since that throw.

    If line bets win with the corrected throw, the machine repeats them before those lines.
    """
    words, since = write_table_line(command), live.since_throw
    answer = decide(live.table, command)
    if isinstance(answer, Refusal) or since is None:
        refused = answer if isinstance(answer, Refusal) else refuse("nothing-to-correct", "")
        return DecidedLine((LineDecision(text, words, refused),))
    thrown = evolve_all(live.table, answer)
    bets = [bet for bet, _ in find_repeat_bets(thrown, answer, since.no_line_repeat)]
    lines = [one for one in since.lines if not one.is_line_bet]
    said = [_read_taken(live, one.line) for one in lines]
    own = {id(c) for c, one in zip(said, lines, strict=True) if one.role == "player"}
    repeated = {(bet.player, bet.wager) for bet in bets}

    def decide_again(table: Table, again: cmd.AnyCommand) -> Answer:
        refused = refuse_repeat(repeated, table, again) if id(again) in own else None
        return refused or decide(table, again)

    command = replace(command, again=(*bets, *said))
    answer = correct_throw(live.table, command, decide_again)
    assert not isinstance(answer, Refusal)
    more: dict[str, Any] = {"corrects": since.seq}
    if bets:
        more["repeats"] = [f"{bet.player}: {format_command(bet)}" for bet in bets]
    return DecidedLine((LineDecision(text, words, None),), words, answer, more=more)


def _read_taken(live: LiveTable, line: str) -> cmd.AnyCommand:
    """Return the engine command of a line that the table accepted before."""
    name, colon, said = line.partition(": ")
    command = parse_canonical(name, said, live.table.layout.slugs) if colon else None
    return command if command is not None else read_table_line(line, live.table)


def _decide_talk(live: LiveTable, holder: Holder, parsed: PlayerTalk) -> DecidedLine:
    """Decide a player's commands one after another, each on the table after the one before.

    Raise ServiceError if one is not understood or belongs to another role, or if the accepted ones
    make too long a line.
    """
    table, said, taken = live.table, [], []
    events: list[ev.AnyEvent] = []
    for one in parsed.says:
        try:
            commands = understand(table, parsed.player, one, live.memory)
        except UnplayableError as wrong:
            said.append(LineDecision(one, one, wrong.refusal))
            continue
        except RecordError as wrong:
            raise make_not_understood(live, holder, one, wrong) from None
        for command in commands:
            authorize(live, holder, command)
            words = format_command(command)
            own = holder.role == "player"
            refused = refuse_repeat(live.repeated_line_bets, table, command) if own else None
            answer = refused or _decide_checked(live, table, command)
            if isinstance(answer, Refusal):
                said.append(LineDecision(one, words, answer))
                continue
            table = evolve_all(table, answer)
            said.append(LineDecision(one, words, None))
            taken.append(words)
            events += answer
    line = f"{parsed.player}: {'; '.join(taken)}" if taken else ""
    if len(line) > MAX_LINE_LENGTH:
        raise ServiceError("long-line", count=len(line), most=MAX_LINE_LENGTH)
    return DecidedLine(tuple(said), line, tuple(events), table_after=table)


def _decide_checked(
    live: LiveTable, table: Table, command: cmd.AnyCommand
) -> Refusal | tuple[ev.AnyEvent, ...]:
    """Return the events of a command on ``table``, or the refusal.

    Besides the engine's rules it applies those of live tables about amounts, names and real dice.
    Raise ServiceError if the command belongs to another role or makes no sense.
    """
    amounts: Sequence[int] = [getattr(command, key, 0) for key in _AMOUNT_FIELDS]
    if any(amount > MAX_AMOUNT for amount in amounts):
        return refuse("amount-too-high", _MAX_AMOUNT_CITE, [MAX_AMOUNT], most=MAX_AMOUNT)
    if isinstance(command, cmd.Rule) and not command.first and not table.dice.out:
        return refuse("none-thrown-to-rule", NOTHING_TO_RULE_CITE)
    _check_name(live, command)
    relieved = (command.name, command.post) if isinstance(command, cmd.Relieve) else None
    if live.settings.dice == "typed" and relieved == (MACHINE, "stickperson"):
        return refuse("typed-dice-person", "custom: somebody reads real dice")
    try:
        answer = decide(table, command)
    except ValueError as wrong:
        raise ServiceError("not_understood", str(wrong)) from None
    if isinstance(answer, Refusal) and is_role_refusal(answer):
        raise ServiceError("forbidden", describe_refusal(answer), cite=answer.cite)
    return answer


def _check_name(live: LiveTable, command: cmd.AnyCommand) -> None:
    """Raise ServiceError if a command has a name that cannot be used.

    The name of a player who joins must not look like another player's; the name of a relieving
    dealer must be one that records can hold.
    """
    if isinstance(command, cmd.Relieve) and command.name != MACHINE:
        try:
            check_seat_name(command.name)
        except ServiceError as wrong:
            raise ServiceError("not_understood", str(wrong)) from None
    if isinstance(command, cmd.Join):
        name = check_seat_name(command.player)
        look = fold_look_alikes(name)
        known = live.names.get(look) or live.invited.get(look, name)
        if known != command.player:
            raise ServiceError("similar-name", name=command.player, known=known)
