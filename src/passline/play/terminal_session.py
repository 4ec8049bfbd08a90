"""A player's session in the terminal: it takes each typed line and yields the lines to show.

``LineBetKeeper`` makes a winning line bet again for its player. The player's preference is a
comment in the record, which ``--resume`` reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from functools import partial
from itertools import groupby
from pathlib import Path

from passline.crew.stick import format_announcement, make_stick_call
from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table.events import AnyEvent, Rolled
from passline.game.table.state import Table
from passline.game.words.prompt import (
    describe_already_up,
    describe_event_to,
    describe_settlement,
    describe_vigorish,
    make_sentence,
    say_prompt,
)
from passline.game.words.refusals import ANSWER_CODES, describe_refusal
from passline.lab.luck.shooter_hand import find_finished_hand
from passline.live.random_dice import DiceSource
from passline.play import answers, screen_commands, table_screen
from passline.play.display import Display
from passline.play.game import BaseGame
from passline.play.hints import Hints
from passline.play.prompt import clean_line
from passline.play.rail import RailPlayer, let_rail_bet
from passline.play.screen_commands import find_command, nearest_command
from passline.record.deal import RecordEntry
from passline.talk.canonical import format_command
from passline.talk.echo import echo
from passline.talk.errors import NotUnderstoodError, RecordError, UnplayableError
from passline.talk.suggestions import is_known_word
from passline.talk.understand import understand

_LINE_NOTE = re.compile(r"#\s*line:\s*(up|down)")


def wants_line_left_up(text: str) -> bool:
    r"""Return whether winning line bets are made again, by a record's last ``# line:`` comment.

    >>> wants_line_left_up("rulebook: iowa"), wants_line_left_up("# line: down\n")
    (True, False)
    """
    notes = [note[1] for line in text.splitlines() if (note := _LINE_NOTE.fullmatch(line.strip()))]
    return not notes or notes[-1] == "up"


class LineBetKeeper:
    """Makes a player's winning line bets again, and remembers which it made since the roll."""

    def __init__(self, game: BaseGame, player: str) -> None:
        self.game, self.player = game, player
        self.wanted = wants_line_left_up(game.text)
        self._made: tuple[str, ...] = ()

    def remake_bets(self) -> list[RecordEntry]:
        """Make again the line bets that won on the last roll, if the player wants that.

        Return the record entries of these bets.
        """
        self._made = ()
        says = tuple(self._says()) if self.wanted else ()
        if not says:
            return []
        entries = self.game.say(self.player, "; ".join(says))
        taken = [entry.command for entry in entries if entry.refusal is None]
        self._made = tuple(command.wager for command in taken if isinstance(command, cmd.Bet))
        return entries

    def _says(self) -> Iterator[str]:
        table = self.game.table
        seat = table.seat(self.player)
        for done in self.game.settled(self.player):
            won = done.result == "win" and not done.left and seat.here
            line = table.layout.spots[done.wager].rule.is_line
            if won and line and done.wager not in seat.wagers:
                yield format_command(cmd.Bet(self.player, done.wager, done.stake))

    def set_preference(self, up: bool) -> str:
        """Store whether winning line bets are made again (``up``), also in the record.

        Return the statement that takes down bets that were just made again, or "" for none.
        """
        self.wanted = up
        self.game.note(f"# line: {'up' if up else 'down'}")
        if up:
            return ""
        made, self._made = self._made, ()
        wagers = self.game.table.seat(self.player).wagers
        return "; ".join(f"{slug} down" for slug in made if slug in wagers)

    def find_repeated_bet(self, say: str) -> cmd.Bet | None:
        """Return the bet that ``say`` makes if it repeats a line bet just made again, else None.

        Its wager and amount must be the same. A player who types the same bet after a win rarely
        wants it twice.
        """
        wagers = self.game.table.seat(self.player).wagers
        try:
            commands = understand(self.game.table, self.player, say) if self._made else []
        except (UnplayableError, RecordError):
            return None
        match commands:
            case [cmd.Bet() as bet] if bet.wager in self._made and bet.wager in wagers:
                return bet if wagers[bet.wager].amount == bet.amount else None
        return None


_SPEAKER_PREFIX = re.compile(r"([^\s:;]+)\s*:\s*(.*)")
ShownLines = Generator[str, None, bool]


class TerminalSession:
    """A player's session at a table: it handles typed lines and yields the lines to show.

    ``others`` bet by strategies. ``dice`` is the source of dice; with None, the player types the
    dice. Paths in the record are relative to ``base``. ``line`` makes winning line bets again.
    """

    def __init__(
        self,
        game: BaseGame,
        player: str,
        others: list[RailPlayer],
        dice: DiceSource | None,
        look: Display,
        base: Path | None = None,
        line: LineBetKeeper | None = None,
    ) -> None:
        self.game, self.player, self.others = game, player, others
        self.dice, self.look, self.base = dice, look, base or Path()
        self.hints = Hints(player, typed=dice is None)
        self.over = False
        self._opening: int | None = None
        self.refused: Refusal | None = None
        self.line = line or LineBetKeeper(game, player)
        #: A part of the typed line failed, so the parts after it are skipped.
        self.stopped = False
        #: The number of the throw before which the player was warned that they would lose the dice.
        self.warned = -1
        #: The action to run if the player answers "y"; None if no question is open.
        self.question: Callable[[], Iterator[str]] | None = None
        self._commands: dict[str, Callable[[str], Iterator[str]]] = {
            "roll": partial(screen_commands.roll_dice, self),
            "table": lambda _: self.table(requested=True),
            "why": lambda rest: self._fold_lines(
                answers.explain_last_decision(game, player, self.refused, rest)
            ),
            "asks": self._asks,
            "line": self._set_line_preference,
            "odds": lambda _: self._fold_lines(answers.list_bet_costs(game.table, player)),
            "bets": lambda rest: self._fold_lines(
                answers.list_wagers(game.table, self.look.width, rest.lower())
            ),
            "help": lambda _: self._fold_lines(answers.help_lines(dice is None, game.quit_note)),
            "crew": lambda _: self._fold_lines(answers.list_crew_tasks(game)),
            "does": self.do_table_line,
            "undo": partial(screen_commands.undo_last, self),
            "save": partial(screen_commands.save_as, self),
            "buy in": partial(screen_commands.buy_in, self),
            "leave": partial(screen_commands.leave_table, self),
            "quit": partial(screen_commands.quit_table, self),
        }

    # Methods that show the table and the prompt.

    def opening_lines(self) -> Iterator[str]:
        """Let the strategies bet if nobody has bet yet, and yield the first lines."""
        if not self.game.throws and not self.game.players_who_spoke:
            let_rail_bet(self.game, self.others)
        self._opening = self._count_lines()
        yield from self._show_strategy_errors()
        yield from self._show_announcement()
        yield from self.table()

    @property
    def played(self) -> bool:
        """Whether lines other than comments were written to the record since the session began."""
        return self._opening is not None and self._count_lines() > self._opening

    def _count_lines(self) -> int:
        return sum(not line.startswith("#") for line in self.game.written)

    def table(self, requested: bool = False) -> Iterator[str]:
        """Yield the table, and a hint unless it was shown often.

        With ``requested``, the player asked for the table, so always yield the hint.
        """
        table = self.game.table
        if self.look.can_draw:
            yield from table_screen.draw_table(table, self.player, self.look)
        else:
            everybody = requested or not self.game.throws
            for words in table_screen.describe_table(table, self.player, everybody):
                yield from self.look.fold(words)
        if hint := self.hints.next(table, requested):
            yield from self.look.fold(hint, "even")

    @property
    def prompt(self) -> str:
        """The text of the prompt."""
        if self.question is not None:
            return say_prompt("ask-yes")
        point = self.game.table.point
        return say_prompt("ask-point" if point else "ask-come-out", point=point)

    def _fold_lines(self, lines: Iterator[str]) -> Iterator[str]:
        for words in lines:
            yield from self.look.fold(words, indent=4)

    def _show_announcement(self) -> Iterator[str]:
        """Yield what the stick announces before a new come-out or after a point is set."""
        table, last = self.game.table, self.game.thrown
        if last is not None and bool(last.was) == bool(table.point):
            return  # The roll changed nothing: the same shooter goes on.
        if words := format_announcement(table, "point-set" if table.point else "coming-out"):
            yield from self.look.fold(f"Stick: {words}.")

    def _show_strategy_errors(self) -> Iterator[str]:
        """Yield each strategy's error once; its player stays and stops betting."""
        for other in self.others:
            if other.error and other.strategy is not None:
                error = say_prompt("strategy-stopped", name=other.name, error=other.error)
                yield from self.look.fold(error, "lose")
                other.strategy = None

    # Methods that handle typed lines.

    def handle_line(self, line: str) -> Iterator[str]:
        """Handle a typed line and yield the lines to show."""
        words = clean_line(line)
        question, self.question = self.question, None
        if question is not None and words.lower() in {"y", "yes", "n", "no"}:
            yield from question() if words[0] in "yY" else iter((say_prompt("unchanged"),))
            return
        speaker, words = self._find_speaker(words)
        yield from self._handle_parts(speaker, words) if speaker else self.look.fold(words)

    def _find_speaker(self, words: str) -> tuple[str, str]:
        """Return (player who speaks, words): in ``bob: ...`` bob speaks, else the session's player.

        If the user can't speak for that player, return ("", message).
        """
        prefix = _SPEAKER_PREFIX.fullmatch(words)
        seats = {seat.name.lower(): seat.name for seat in self.game.table.seats}
        name = seats.get(prefix[1].lower()) if prefix else self.player
        if prefix is None or (name is None and is_known_word(prefix[1])):  # "yo: 5"
            return self.player, words
        if name is None:
            return "", say_prompt("nobody-named", name=prefix[1])
        if any(other.name == name for other in self.others):
            return "", say_prompt("bets-by-strategy", name=name)
        return name, prefix[2]

    def _handle_parts(self, speaker: str, words: str) -> Iterator[str]:
        """Handle each part of a line. Bets in a row go to the dealer together.

        A part that is refused or not understood stops the rest, so that a roll after it does not
        happen.
        """
        says: list[str] = []
        self.stopped = False
        for part in words.split(";") if words.strip(" ;") else ("table",):
            if not part.strip():
                continue
            one = find_command(part.strip(), speaker, self.game.table, typed=self.dice is None)
            if one is None:
                says.append(part.strip())
                continue
            if says and not (yield from self._say(speaker, "; ".join(says))):
                return
            says = []
            if speaker != self.player and one.name in {"buy in", "leave", "undo", "line"}:
                yield from self.look.fold(say_prompt("only-for-yourself", name=speaker))
                return
            yield from self._commands[one.name](one.rest)
            if self.stopped:
                return
        if says:
            yield from self._say(speaker, "; ".join(says))

    def _say(self, speaker: str, words: str) -> ShownLines:
        """Give statements to the dealer and yield the answers. Return whether all were accepted.

        A line bet that was just made again is not made twice: the session says that it is up.
        """
        left = []
        for say in words.split(";"):
            bet = self.line.find_repeated_bet(say) if speaker == self.player else None
            if bet is not None:
                yield from self.look.fold(describe_already_up(bet))
            else:
                left.append(say)
        words = ";".join(left)
        try:
            entries = self.game.say(speaker, words)
        except RecordError as error:
            yield from self._show_not_understood(speaker, words, error)
            return False
        return (yield from self.show_answers(entries))

    def _show_not_understood(self, speaker: str, words: str, error: RecordError) -> Iterator[str]:
        """Yield what was wrong, or ask whether the player meant a similar command or phrase.

        The question is stored in ``question``, so that "y" runs that phrase.
        """
        near, message = nearest_command(words), error.message
        if isinstance(error, NotUnderstoodError):
            near = near or (error.suggestion if ";" not in words else "")
            if error.short_message:
                message = say_prompt("show-help", error=error.short_message)
        if near:
            self.question = lambda: self._handle_parts(speaker, near)
            yield from self.look.fold(say_prompt("did-you-mean", words=words, near=near))
        else:
            yield from self.look.fold(message, "lose")

    def show_answers(self, entries: list[RecordEntry]) -> ShownLines:
        """Yield the results of a line without a roll. Return whether all of it was accepted.

        Set ``refused`` to the last refusal, or None.
        """
        self.refused = None
        for refused, group in groupby(entries, key=lambda entry: entry.refusal):
            if refused is not None:
                self.refused = refused
                reason = describe_refusal(refused, to=self.player)
                if refused.code in ANSWER_CODES:
                    yield from self.look.fold(make_sentence(reason))
                else:
                    words = say_prompt("no", reason=reason, cite=refused.cite)
                    yield from self.look.fold(words, "lose")
                continue
            for words in repeat_entries(self.game.table, list(group), self.player):
                yield from self.look.fold(words)
        return self.refused is None

    # Methods that change the game.

    def do_table_line(self, text: str) -> Iterator[str]:
        """Play a record line, such as passed dice, a buy-in or a player who leaves."""
        yield from self.run_action(lambda: self.game.do_table_line(text))

    def run_action(self, happens: Callable[[], list[RecordEntry]]) -> Iterator[str]:
        """Call ``happens``, which acts on the table, and yield the lines that show its results."""
        try:
            entries = happens()
        except RecordError as error:
            self.stopped = True
            yield from self.look.fold(error.message, "lose")
            return
        yield from self.show_results(entries)

    def show_results(self, entries: list[RecordEntry]) -> Iterator[str]:
        """Yield the results of a line. After a roll, others bet and the table is shown too."""
        events = [event for entry in entries for event in entry.events]
        at = next((n for n, event in enumerate(events) if isinstance(event, Rolled)), None)
        if at is None:
            self.stopped = not (yield from self.show_answers(entries))
            return
        self.refused = None
        yield from self._events(events[:at])
        yield from roll_message(self.game, self.player, self.look)
        yield from self._events(events[at + 1 :])
        let_rail_bet(self.game, self.others)
        yield from self._show_strategy_errors()
        yield from self._remake_line_bets()
        yield from self._show_announcement()
        yield from self.table()

    def _remake_line_bets(self) -> Iterator[str]:
        """Bet the line bets that just won again, if the player wants that. Yield the text."""
        if entries := self.line.remake_bets():
            yield from self.show_answers(entries)
            if hint := self.hints.once("line", say_prompt("hint-left-up")):
                yield from self.look.fold(hint, "even")

    def _set_line_preference(self, way: str) -> Iterator[str]:
        """Store whether winning line bets are made again: ``way`` is "up" (yes) or "down".

        For "down", take down bets that were just made again. Yield the lines to show.
        """
        down = self.line.set_preference(way == "up")
        yield from self.look.fold(say_prompt(f"line-{way}"))
        if down:
            yield from self._say(self.player, down)

    def _asks(self, question: str) -> Iterator[str]:
        if question == "table":
            yield from self.table(requested=True)
            return
        yield from self._fold_lines(answers.answer_question(self.game.table, self.player, question))

    def _events(self, events: list[AnyEvent]) -> Iterator[str]:
        for event in events:
            if words := describe_event_to(self.game.table, event, self.player):
                yield from self.look.fold(words)


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
            if words := describe_event_to(table, event, player):
                yield words
    yield from _repeat_bets(table, bets_in_a_row, player)


def _repeat_bets(table: Table, bets_in_a_row: list[RecordEntry], player: str) -> Iterator[str]:
    """Yield a sentence that repeats these bets, the vigorish and the rail, if there are bets."""
    if not bets_in_a_row:
        return
    speaker = bets_in_a_row[0].player
    bets = [
        echo([entry.command for entry in same if entry.command is not None], table)
        for _, same in groupby(bets_in_a_row, key=lambda entry: entry.said)
    ]
    yield say_prompt(
        "echo-own" if speaker == player else "echo-other",
        bets=make_sentence(", ".join(bets)),
        vig="".join(f"{words} " for entry in bets_in_a_row if (words := _describe_vig(entry))),
        rail=table.seat(speaker).rail,
        player=speaker,
    )


def _describe_vig(entry: RecordEntry) -> str:
    charged = sum(getattr(event, "vig", 0) for event in entry.events)
    return describe_vigorish(getattr(entry.command, "wager", ""), charged) if charged else ""


_RESULT_STYLES = {"win": "win", "lose": "lose", "push": "even", "return": "even"}


def roll_message(game: BaseGame, player: str, look: Display) -> Iterator[str]:
    """Yield the lines for the last roll of a game: the call, and how the player's bets ended."""
    rolled, before = game.thrown, game.before
    assert rolled is not None
    called = make_stick_call(before, rolled)
    if look.plain:
        yield from look.fold(
            say_prompt("dice-plain", first=rolled.first, second=rolled.second, call=called)
        )
    else:
        dice = look.paint(f"[{rolled.first}][{rolled.second}]", "bold")
        yield from look.fold(f"{dice}  {called}", indent=8)
    hand = find_finished_hand(before, rolled)
    if hand is not None:
        yield from look.fold(say_prompt("hand-over", hand=hand.words))
    done = game.settled(player)
    for one in done:
        words = describe_settlement(before, one)
        yield from look.fold(f"  {words}", _RESULT_STYLES.get(one.result, ""))
    if len(done) > 1:
        change = sum(s.back + s.left - s.stake for s in done if s.result != "travel")
        yield say_prompt("in-all", change=change)
