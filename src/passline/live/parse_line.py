"""Parse and decide one line that somebody says at a live table. Pure.

`parse_line` turns the text into one of four things: talk about bets, an engine command, a request
for a throw, or an act, which is something that records have no line for. `decide_line` has the
engine decide talk or a command, and returns the line and the events for the log.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
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
from passline.live.live_table import MACHINE, LiveTable
from passline.live.permissions import (
    ENGINE_ROLES,
    authorize,
    authorize_call,
    authorize_decline,
    is_role_refusal,
    load_matrix,
    require_speaker,
)
from passline.live.schema import (
    LineDecision,
    ServiceError,
    check_seat_name,
)
from passline.live.tokens import Holder
from passline.record.table_lines import read_table_line, write_table_line
from passline.talk.canonical import format_amount, format_command, parse_canonical
from passline.talk.errors import RecordError, UnplayableError
from passline.talk.understand import understand
from passline.text import fold_look_alikes, join_names_in, show_name

#: The longest line, in characters.
MAX_LINE_LENGTH: Final = 2000
_BUY_IN_PATTERN = re.compile(r"(?:rebuy|buys? in)(?: for)? (\S+)(?: dollars)?")
_CHANGE_PATTERN = re.compile(r"change (\S+) (?:to|into|for) (\S+)")
_DECLINED_PATTERN = re.compile(
    r"(\S+) buy-in declined(?: (?:for|because) (.{1,200}))?", re.IGNORECASE
)
_SPEAKER_PATTERN = re.compile(r"([^\s:;]+)\s*:\s*(.*)", re.DOTALL)


class PlayerTalk(Struct, frozen=True):
    """Commands about bets, as text that a player says or that the crew books for a player."""

    player: str
    says: tuple[str, ...]


class TableCommand(Struct, frozen=True):
    """One command for the rules engine, with the text from which it was parsed."""

    text: str
    command: cmd.AnyCommand


class ThrowRequest(Struct, frozen=True):
    """A request to throw the house's dice. ``text`` is what the player said."""

    text: str


class TableAct(Struct, frozen=True):
    """Something without a record line, such as ``ready``. It becomes the ``act`` of an entry."""

    text: str
    act: str
    more: Mapping[str, Any] = {}


ParsedLine = PlayerTalk | TableCommand | ThrowRequest | TableAct


def parse_line(live: LiveTable, holder: Holder, text: str) -> ParsedLine:
    """Return what a line from this holder means: talk, a command, a throw or an act.

    Raise ServiceError with the code ``not_understood`` for words that mean nothing here, and
    ``forbidden`` if another role must say them.
    """
    require_speaker(live, holder)
    if len(text) > MAX_LINE_LENGTH:
        raise ServiceError("long-line", count=len(text), most=MAX_LINE_LENGTH)
    if not text.replace(";", " ").split():
        raise ServiceError("empty-line")
    text = join_names_in(text, (*live.table.names, *live.buy_in_requests))
    parse = _parse_player_line if holder.role == "player" else _parse_crew_line
    return parse(live, holder, text)


def _parse_player_line(live: LiveTable, holder: Holder, text: str) -> ParsedLine:
    """Parse a player's line: either bets, or a single throw, act or command such as a buy-in.

    Raise ServiceError if bets and other things are in one line, or the player speaks for another.
    """
    name = holder.name
    if live.table.find(name) is None:
        raise ServiceError("no-seat")
    speaker = _split_speaker(live, text)
    if speaker is not None and speaker[0] == name:
        text = speaker[1]
    elif speaker is not None:
        raise ServiceError("only-yourself", player=speaker[0])
    parts = tuple(part.strip() for part in text.split(";") if part.strip())
    alone = [_parse_single(live, name, part) for part in parts]
    if len(parts) == 1 and alone[0] is not None:
        return _check_player_line(live, holder, alone[0])
    if any(one is not None for one in alone):
        which = next(part for part, one in zip(parts, alone, strict=True) if one is not None)
        raise ServiceError("separate-line", words=which, nearest=which[:80])
    return PlayerTalk(name, parts)


def _parse_single(live: LiveTable, name: str, part: str) -> ParsedLine | None:
    """Parse one part of a player's line as a throw, an act or a command such as a buy-in.

    Return None if it is talk to a dealer, about bets.
    """
    low = " ".join(part.lower().split())
    known = load_matrix()
    if low in known.throws["says"]:
        return ThrowRequest(part)
    if low in known.acted:
        return TableAct(part, known.acted[low])
    if low == "undo":
        return PlayerTalk(name, ("undo",))
    line = f"{name} {known.does[low]}" if low in known.does else _find_own_line(live, name, part)
    if line:  # This also covers a player who is named like one of these words.
        return _read_command(live, part, line)
    if bought := _BUY_IN_PATTERN.fullmatch(low):
        line = f"{name} buys in {bought[1]}"
    elif changed := _CHANGE_PATTERN.fullmatch(low):
        line = f"{name} changes {changed[1]} to {changed[2]}"
    return _read_command(live, part, line) if line else None


def _find_own_line(live: LiveTable, name: str, part: str) -> str:
    """Return a player's text as a record line if it begins with the player's own name.

    Return "" if it does not, or if it is no record line.
    """
    first, _, rest = part.partition(" ")
    line = f"{name} {rest.strip()}"
    if first.lower() != name.lower() or not rest.strip():
        return ""
    try:
        read_table_line(line, live.table)
    except ValueError:
        return ""
    return line


def _check_player_line(live: LiveTable, holder: Holder, parsed: ParsedLine) -> ParsedLine:
    """Return a player's parsed line unchanged. Raise ServiceError if this table does not allow it.

    A Daily allows no buy-ins, and a table with typed dice no throws.
    """
    if isinstance(parsed, TableCommand):
        if live.settings.daily and isinstance(parsed.command, cmd.BuyIn):
            raise ServiceError("daily-chips")
        return TableCommand(parsed.text, assign_author(live, holder, parsed.command))
    if isinstance(parsed, ThrowRequest) and live.settings.dice == "typed":
        raise ServiceError("dice-are-real")
    return parsed


def _parse_crew_line(live: LiveTable, holder: Holder, text: str) -> ParsedLine:
    """Parse a line of a crew member: bets booked for a player, a call, or a record line."""
    if "#" in text:
        raise ServiceError("line-comment")
    speaker = _split_speaker(live, text)
    if speaker is not None:
        parts = tuple(part.strip() for part in speaker[1].split(";") if part.strip())
        if not parts:
            raise ServiceError("missing-bet", player=speaker[0])
        return PlayerTalk(speaker[0], parts)
    if unknown := _SPEAKER_PATTERN.fullmatch(text.strip()):
        players = [show_name(name) for name in live.table.names]
        raise ServiceError("unknown-player", player=unknown[1], players=players)
    called = _parse_crew_call(live, holder, text.strip())
    if called is not None:
        return called
    does = _read_command(live, text, text.strip(), ENGINE_ROLES[holder.role][0])
    return TableCommand(does.text, assign_author(live, holder, does.command))


def _parse_crew_call(live: LiveTable, holder: Holder, text: str) -> TableAct | None:
    """Parse a crew member's call for which records have no line, such as declining a buy-in.

    Return None for any other line.
    """
    act = load_matrix().calls.get(" ".join(text.lower().rstrip("!").split()))
    if act is not None and authorize_call(live, holder, act):
        return TableAct(text, act)
    declined = _DECLINED_PATTERN.fullmatch(" ".join(text.split()))
    if declined is None:
        return None
    who = next((name for name in live.buy_in_requests if name.lower() == declined[1].lower()), "")
    if not who:
        raise ServiceError("no-buy-in-asked", player=declined[1])
    authorize_decline(live, holder, who)
    return TableAct(text, "turn-down", {"player": who, "reason": declined[2] or ""})


def make_not_understood(
    live: LiveTable, holder: Holder, text: str, wrong: RecordError
) -> ServiceError:
    """Return the error for a line that was not understood. ``wrong`` is the parser's error.

    If the line means something that only another role may say, return that ``forbidden`` error.
    """
    try:
        does = _read_command(live, text, text.strip())
        authorize(live, holder, does.command)
    except ServiceError as other:
        if other.code == "forbidden":
            return other
    return ServiceError(
        "not_understood",
        wrong.message,
        understood=tuple(getattr(wrong, "known_words", ())),
        nearest=str(getattr(wrong, "suggestion", "")),
        plain=str(getattr(wrong, "short_message", "")),
    )


def assign_author(live: LiveTable, holder: Holder, command: cmd.AnyCommand) -> cmd.AnyCommand:
    """Return the command with its author's role, as the engine names it, in ``by``.

    Raise ServiceError if the holder may not give it.
    """
    return replace(command, by=authorize(live, holder, command))


def _split_speaker(live: LiveTable, text: str) -> tuple[str, str] | None:
    """Split ``NAME: text`` into (name, text). Return None if no player here has that name."""
    found = _SPEAKER_PATTERN.fullmatch(text.strip()) if ":" in text else None
    if found is None:
        return None
    names = {name.lower(): name for name in live.table.names}
    name = names.get(found[1].lower())
    return (name, found[2]) if name else None


def _read_command(live: LiveTable, said: str, line: str, speaker: str = "") -> TableCommand:
    """Parse a ``.craps`` record line into a command. ``said`` is the text that the person sent.

    ``speaker`` is the role of the crew member who says it.

    Raise ServiceError (``not_understood``) if it is not a record line.
    """
    try:
        return TableCommand(said.strip(), read_table_line(line, live.table, speaker))
    except RecordError as wrong:
        raise ServiceError("not_understood", wrong.message) from None
    except ValueError as wrong:  # A seat position or an amount is out of range.
        raise ServiceError("not_understood", str(wrong)) from None


#: The largest amount, in cents.
MAX_AMOUNT: Final = 10_000_000_00
_MAX_AMOUNT_CITE: Final = "custom: a larger amount is a slip of the keys"
#: The fields of commands that hold amounts.
_AMOUNT_FIELDS: Final = ("amount", "to", "match", "low", "high")


class DecidedLine(Struct, frozen=True):
    """A decided line: a decision for each command, and the line and events for the log.

    The line has only the accepted commands. It is empty if every command was refused.
    """

    decisions: tuple[LineDecision, ...]
    line: str = ""
    events: tuple[ev.AnyEvent, ...] = ()
    #: The table after the events, if deciding the line computed it.
    table_after: Table | None = None
    #: Further fields of the entry: ``corrects`` and ``repeats`` of a correction.
    more: Mapping[str, Any] = {}


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
    bets = [bet for bet, _ in _find_repeat_bets(thrown, answer, since.no_line_repeat)]
    lines = [one for one in since.lines if not one.is_line_bet]
    said = [_read_taken(live, one.line) for one in lines]
    own = {id(c) for c, one in zip(said, lines, strict=True) if one.role == "player"}
    repeated = {(bet.player, bet.wager) for bet in bets}

    def decide_again(table: Table, again: cmd.AnyCommand) -> Answer:
        refused = _refuse_repeat(repeated, table, again) if id(again) in own else None
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
    """Decide a player's commands one after another, each on the table after the one before."""
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
            refused = _refuse_repeat(live.repeated_line_bets, table, command) if own else None
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


def _refuse_repeat(
    repeated: Collection[tuple[str, str]], table: Table, command: cmd.AnyCommand
) -> Refusal | None:
    """Refuse a line bet that the server has just repeated for the player, who may not have noticed.

    Return None for any other command. ``repeated`` holds those bets as (player, wager). Without
    this the bet would be doubled.
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
        found.append(_make_machine_line(down, answer))
    return found


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


def repeat_line_bets(live: LiveTable, events: Sequence[ev.AnyEvent]) -> list[DecidedLine]:
    """Return decided lines that make the line bets again that won in a throw.

    ``events`` are those of the throw, and ``live`` is the state before it. Players who turned this
    off are left out.
    """
    if any(isinstance(event, ev.ThrowCorrected) for event in events):
        return []  # A correction repeats them in its own entry.
    thrown = any(isinstance(event, ev.Rolled) for event in events)
    table = evolve_all(live.table, events) if thrown else live.table
    found = _find_repeat_bets(table, events, live.no_line_repeat)
    return [_make_machine_line(bet, answer) for bet, answer in found]


def _find_repeat_bets(
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


def _make_machine_line(
    command: cmd.Bet | cmd.TakeDown, events: tuple[ev.AnyEvent, ...]
) -> DecidedLine:
    """Return a command and its events as a decided line, to be written by the auto dealer."""
    words = format_command(command)
    return DecidedLine((LineDecision(words, words, None),), f"{command.player}: {words}", events)
