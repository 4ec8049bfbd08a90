"""Sitting at the table: lines typed in, lines shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from functools import partial
from itertools import groupby
from pathlib import Path

from passline.crew.announcements import announce
from passline.dice.sources import Source
from passline.layout import Refusal
from passline.play import answers, errands, questions, screen, throw, wording
from passline.play.doors import find_door, nearest
from passline.play.hints import Hints
from passline.play.line import LeftUp
from passline.play.look import Look
from passline.play.played import Played
from passline.play.prompt import clean
from passline.play.rail import Other, open_betting
from passline.play.why import why
from passline.record import RecordError
from passline.record.deal import RecordEntry
from passline.table.events import AnyEvent, Rolled
from passline.talk.nearest import NotUnderstoodError, is_known
from passline.words.refusals import refusal_words

_SPEAKER = re.compile(r"([^\s:;]+)\s*:\s*(.*)")
Shown = Generator[str, None, bool]


class Sitting:
    """A player at a table: each typed line gives the lines to show.

    ``dice`` throws; None: the player types the dice in. ``base`` is the folder that the record's
    own paths are relative to. ``line`` looks after line wagers that won.
    """

    def __init__(
        self,
        game: Played,
        player: str,
        others: list[Other],
        dice: Source | None,
        look: Look,
        base: Path | None = None,
        line: LeftUp | None = None,
    ) -> None:
        self.game, self.player, self.others = game, player, others
        self.dice, self.look, self.base = dice, look, base or Path()
        self.hints = Hints(player, typed=dice is None)
        self.over = False
        self._opening: int | None = None
        self.refused: Refusal | None = None
        self.line = line or LeftUp(game, player)
        #: Something of a typed line came to nothing: what stands after it does not happen.
        self.stopped = False
        #: The throw before which it was said that it loses the dice.
        self.warned = -1
        #: What is done on "y"; None where nothing is asked.
        self.question: Callable[[], Iterator[str]] | None = None
        self._doors: dict[str, Callable[[str], Iterator[str]]] = {
            "roll": partial(errands.shoot, self),
            "table": lambda _: self.table(asked=True),
            "why": lambda rest: self._told(why(game, player, self.refused, rest)),
            "asks": self._asks,
            "line": self._leave_line,
            "odds": lambda _: self._told(questions.costs(game.table, player)),
            "bets": lambda rest: self._told(
                questions.offers(game.table, self.look.width, rest.lower())
            ),
            "help": lambda _: self._told(questions.help_lines(dice is None, game.parting)),
            "crew": lambda _: self._told(questions.crew(game)),
            "does": self.happen,
            "undo": partial(errands.take_back, self),
            "save": partial(errands.save_as, self),
            "buy in": partial(errands.rebuy, self),
            "leave": partial(errands.leave_rail, self),
            "quit": partial(errands.quit_table, self),
        }

    # What is shown

    def begin(self) -> Iterator[str]:
        """The first lines of a sitting: everybody at the rail bets, if they have not yet."""
        if not self.game.throws and not self.game.spoke:
            open_betting(self.game, self.others)
        self._opening = self._lines()
        yield from self._troubles()
        yield from self._announced()
        yield from self.table()

    @property
    def played(self) -> bool:
        """Whether the record has a line since the sitting began: told by the record itself, so
        that a signal in the middle of a line cannot part the two."""
        return self._opening is not None and self._lines() > self._opening

    def _lines(self) -> int:
        return sum(not line.startswith("#") for line in self.game.written)

    def table(self, asked: bool = False) -> Iterator[str]:
        """The table as it stands, and a hint where one helps."""
        table = self.game.table
        if self.look.draws:
            yield from screen.draw(table, self.player, self.look)
        else:
            everybody = asked or not self.game.throws
            for words in screen.spoken(table, self.player, everybody):
                yield from self.look.fold(words)
        hint = self.hints.next(table, asked)
        if hint:
            yield from self.look.fold(hint, "even")

    @property
    def ask(self) -> str:
        """The prompt."""
        if self.question is not None:
            return "y or n> "
        puck = self.game.table.puck
        return f"point {puck}> " if puck else "coming out> "

    def _told(self, lines: Iterator[str]) -> Iterator[str]:
        for words in lines:
            yield from self.look.fold(words, indent=4)

    def _announced(self) -> Iterator[str]:
        """What the stick announces before a come-out after a decision, or once a point is set."""
        table, last = self.game.table, self.game.thrown
        if last is not None and not last.was and not table.puck:
            return  # another come-out roll of the same turn: everybody knows
        if last is not None and last.was and table.puck:
            return
        words = announce(table, "point-set" if table.puck else "coming-out")
        if words:
            yield from self.look.fold(f"Stick: {words}.")

    def _troubles(self) -> Iterator[str]:
        """A strategy that failed is told of once; its player stays at the rail and bets no more."""
        for other in self.others:
            if other.trouble and other.strategy is not None:
                yield from self.look.fold(f"{other.name} bets no more: {other.trouble}", "lose")
                other.strategy = None

    # What is heard

    def hear(self, line: str) -> Iterator[str]:
        """What a typed line brings about."""
        words = clean(line)
        question, self.question = self.question, None
        if question is not None and words.lower() in {"y", "yes", "n", "no"}:
            yield from question() if words[0] in "yY" else iter(("As you were.",))
            return
        speaker, words = self._speaker(words)
        if not speaker:
            yield from self.look.fold(words)
            return
        yield from self._hear(speaker, words)

    def _speaker(self, words: str) -> tuple[str, str]:
        """Who speaks: the player, or somebody at the rail who has no strategy (``bob: ...``).

        Nobody, where that player cannot be spoken for: and what is said of it.
        """
        found = _SPEAKER.fullmatch(words)
        seats = {seat.name.lower(): seat.name for seat in self.game.table.seats}
        name = seats.get(found[1].lower()) if found else self.player
        if found is None or (name is None and is_known(found[1])):  # "yo: 5"
            return self.player, words
        if name is None:
            return "", f"There is no {found[1]} at the table."
        if any(other.name == name for other in self.others):
            return "", f"{name} bets by a strategy: speak for yourself."
        return name, found[2]

    def _hear(self, speaker: str, words: str) -> Iterator[str]:
        """Says in a row go to the dealer together; other things happen in their turn.

        What is refused or not understood stops the rest: above all, the dice.
        """
        says: list[str] = []
        self.stopped = False
        for part in words.split(";") if words.strip(" ;") else ("table",):
            if not part.strip():
                continue
            one = find_door(part.strip(), speaker, self.game.table, typed=self.dice is None)
            if one is None:
                says.append(part.strip())
                continue
            if says and not (yield from self._say(speaker, "; ".join(says))):
                return
            says = []
            if speaker != self.player and one.name in {"buy in", "leave", "undo", "line"}:
                yield from self.look.fold(
                    f'That is for yourself. Say "{speaker} buys in 200" or "{speaker} leaves".'
                )
                return
            yield from self._doors[one.name](one.rest)
            if self.stopped:
                return
        if says:
            yield from self._say(speaker, "; ".join(says))

    def _say(self, speaker: str, words: str) -> Shown:
        """Says to the dealer; whether all were taken."""
        try:
            words = yield from self._not_twice(speaker, words)
            entries = self.game.say(speaker, words)
        except RecordError as wrong:
            yield from self._not_understood(speaker, words, wrong)
            return False
        return (yield from self.answered(entries))

    def _not_twice(self, speaker: str, words: str) -> Generator[str, None, str]:
        """A line bet that was left up is not made a second time by being said as it stands."""
        left = []
        for say in words.split(";"):
            bet = self.line.as_it_stands(say) if speaker == self.player else None
            if bet is None:
                left.append(say)
            else:
                yield from self.look.fold(wording.up_already(bet))
        return ";".join(left)

    def _not_understood(self, speaker: str, words: str, wrong: RecordError) -> Iterator[str]:
        """What was wrong; where something is near, it is offered and never just done."""
        near = nearest(words)
        if not near and ";" not in words and isinstance(wrong, NotUnderstoodError):
            near = wrong.suggestion
        if near:
            self.question = lambda: self._hear(speaker, near)
            yield from self.look.fold(f"I did not catch {words!r}. Did you mean {near!r}?")
            return
        plain = wrong.plain if isinstance(wrong, NotUnderstoodError) else ""
        more = '. "help" and "bets" show what can be said' if plain else ""
        yield from self.look.fold(f"{plain or wrong.message}{more}", "lose")

    def answered(self, entries: list[RecordEntry]) -> Shown:
        """What came of a line, but for its throw; whether nothing was refused."""
        self.refused = None
        for refused, group in groupby(entries, key=lambda entry: entry.refusal):
            if refused is not None:
                self.refused = refused
                reason = refusal_words(refused, to=self.player)
                yield from self.look.fold(f"No: {reason} [{refused.cite}]", "lose")
                continue
            told = wording.repeated(self.game.table, list(group), self.player)
            for words in told:
                yield from self.look.fold(words)
        return self.refused is None

    # What happens

    def happen(self, text: str) -> Iterator[str]:
        """Something that is no say: dice passed, a buy-in, somebody leaving."""
        yield from self.take_place(lambda: self.game.happen(text))

    def take_place(self, happens: Callable[[], list[RecordEntry]]) -> Iterator[str]:
        """What is done to the table, and what comes of it."""
        try:
            entries = happens()
        except RecordError as wrong:
            self.stopped = True
            yield from self.look.fold(wrong.message, "lose")
            return
        yield from self.came(entries)

    def came(self, entries: list[RecordEntry]) -> Iterator[str]:
        """What came of a line, its throw and all."""
        events = [event for entry in entries for event in entry.events]
        at = next((n for n, event in enumerate(events) if isinstance(event, Rolled)), None)
        if at is None:
            self.stopped = not (yield from self.answered(entries))
            return
        self.refused = None
        yield from self._events(events[:at])
        yield from throw.shown(self.game, self.player, self.look)
        yield from self._events(events[at + 1 :])
        open_betting(self.game, self.others)
        yield from self._troubles()
        yield from self._line_again()
        yield from self._announced()
        yield from self.table()

    def _line_again(self) -> Iterator[str]:
        """A line wager that won is made again, where it is wanted, and said so."""
        entries = self.line.make_again()
        if entries:
            yield from self.answered(entries)
            hint = self.hints.once("line", 'Left up for you: "leave my line down" ends that.')
            yield from self.look.fold(hint, "even") if hint else ()

    def _leave_line(self, way: str) -> Iterator[str]:
        """Whether a winning line wager is left up from now on; one that just was comes down."""
        down = self.line.want(way == "up")
        yield from self.look.fold(wording.LINE_WANTED[way])
        if down:
            yield from self._say(self.player, down)

    def _asks(self, question: str) -> Iterator[str]:
        if question == "table":
            yield from self.table(asked=True)
            return
        yield from self._told(answers.answer(self.game.table, self.player, question))

    def _events(self, events: list[AnyEvent]) -> Iterator[str]:
        for event in events:
            words = wording.told(self.game.table, event, self.player)
            if words:
                yield from self.look.fold(words)
