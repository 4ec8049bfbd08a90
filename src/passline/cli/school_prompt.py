"""The school at the prompt: show questions, read typed answers, show grades, and store answers.

Stacks of chips are drawn and choices are numbered; in plain mode everything is words.
"""

from __future__ import annotations

import io
import os
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple

import click

from passline.cli.common import fail, print_error, terminal_width
from passline.crew.learner_steps import CrewWork
from passline.felt.layout_contents import find_layout_contents
from passline.felt.plan import plan_felt
from passline.felt.text_drawing import draw_text
from passline.files import home_folder
from passline.game.money.amounts import from_dollars, show_dollars
from passline.game.money.chips import Chips
from passline.game.table.table_ends import count_places, find_place_end
from passline.game.words.wagers import layout_name
from passline.play import prompt as play_prompt
from passline.play.open_game import default_player_name
from passline.record.deal import deal_record
from passline.record.read import read_record
from passline.school.answer_fields import UnreadableAnswerError, format_counts
from passline.school.answer_log import (
    AnswerRecord,
    AnswerStore,
    FileAnswerStore,
    LearnerError,
    clean_learner_name,
    make_answer_record,
)
from passline.school.audition import find_clause_text
from passline.school.drill import Drill
from passline.school.drills import load_drill
from passline.school.question_types import DrillSetup, Grade, Question
from passline.school.question_view import list_facts, list_stacks
from passline.school.question_work import find_question_work, format_step, list_open_bets
from passline.school.questions_and_grades import (
    GradedAnswers,
    describe_answer,
    describe_answer_format,
    grade_answer,
    iterate_questions,
    parse_answer,
)
from passline.termination_signals import TERMINATION_SIGNALS, SignalGuard
from passline.text import escape_unprintable

_QUIT_WORDS = ("q", "quit", "exit", "bye")
_SKIP_WORDS = ("skip", "s", "don't know", "dont know")
_HELP_WORDS = ("?", "help", "h")
_HELP = "skip: skip this question (it counts as missed). q: quit. Your answers are stored."
_PROMPT = "> "


class SchoolClock:
    """The clock of the school: the time of day, and a timer. Tests replace it."""

    def now(self) -> datetime:
        """Return the time in the local time zone."""
        return datetime.now().astimezone()

    def tick(self) -> float:
        """Return seconds from an arbitrary start, for measuring durations."""
        return time.monotonic()


CLOCK = SchoolClock()


class QuitPromptError(Exception):
    """Raised when the learner ends the session."""


class PromptQuestion(NamedTuple):
    """A question to ask, its ``setup`` and ``seed``, and the text ``lead`` to print before it."""

    setup: DrillSetup
    question: Question
    seed: str = ""
    lead: str = ""


class PromptSession(NamedTuple):
    """A learner at the prompt: the name, the store of answers, how to show questions, the clock."""

    learner: str
    store: AnswerStore
    in_dollars: bool
    plain: bool
    signals: SignalGuard
    clock: SchoolClock

    def store_answer(self, answered: AnswerRecord) -> bool:
        """Store an answer and return True; if that fails, print why and return False.

        Signals that arrive meanwhile wait.
        """
        try:
            with self.signals.defer():
                self.store.append(self.learner, answered)
        except LearnerError as error:
            print_error(f"this answer was not stored: {error}")
            return False
        return True


class AnswerTally:
    """Counts for the summary: questions, right answers, seconds and the clauses missed."""

    def __init__(self) -> None:
        self.answered = self.right = 0
        self.seconds = 0.0
        self.missed = Counter[str]()
        self.at_pace = 0
        self.stored, self.quit = True, False

    def count(self, grade: Grade, seconds: float, pace: float = 0.0) -> None:
        """Add one answer's grade and time to the counts. ``pace`` is a working dealer's seconds."""
        self.answered += 1
        self.at_pace += grade.right and seconds <= pace
        self.right += grade.right
        self.seconds += seconds
        self.missed.update(grade.missed)

    def lines(self) -> Iterator[str]:
        """Yield the lines of the summary."""
        if not self.answered:
            yield "No questions answered."
            return
        each = self.seconds / self.answered
        clock = f"{int(self.seconds) // 60}:{int(self.seconds) % 60:02d}"
        yield f"{self.right} of {self.answered} right in {clock}, {each:.1f} seconds each."
        if self.missed:
            yield "Review:"
            yield from (_clause_line(clause) for clause, _ in self.missed.most_common(8))


class AskedQuestion(NamedTuple):
    """A typed answer, its grade, the seconds it took, and whether it was stored.

    The answer is None if the learner skipped the question.
    """

    answer: Any
    grade: Grade
    seconds: float
    stored: bool


def ask_question(
    session: PromptSession,
    asking: PromptQuestion,
    begun: float,
    left: Callable[[], str] | None = None,
) -> AskedQuestion:
    """Print a question, read the answer, grade and store it, and return the result.

    ``begun`` is the clock's tick when the question's time began. ``left`` returns the time left,
    for the prompt. Raise QuitPromptError if the learner quits.
    """
    setup, question = asking.setup, asking.question
    lines = question_lines(setup, question, asking.lead, session.in_dollars, session.plain)
    print_lines(lines)
    answer = read_typed_answer(setup, question, left)
    seconds = max(0.0, session.clock.tick() - begun)
    grade = grade_answer(load_drill(question.drill), setup, question, answer)
    at, level, seed = session.clock.now(), setup.level, asking.seed
    record = make_answer_record(question, grade, at=at, seconds=seconds, level=level, seed=seed)
    return AskedQuestion(answer, grade, seconds, stored=session.store_answer(record))


def run_questions(
    session: PromptSession, following: Callable[[AnswerTally], PromptQuestion | None]
) -> AnswerTally:
    """Ask questions until there are no more or the learner quits. Return the tally.

    ``following`` returns the next question for the tally so far, or None at the end.
    """
    tally = AnswerTally()
    try:
        while (asking := following(tally)) is not None:
            asking = asking._replace(lead=f"{tally.answered + 1}. {asking.lead}")
            result = ask_question(session, asking, session.clock.tick())
            tally.stored = result.stored and tally.stored
            tally.count(result.grade, result.seconds, load_drill(asking.question.drill).seconds)
            print_lines(mark_lines(asking.setup, asking.question, result))
    except QuitPromptError:
        tally.quit = True
    print_lines(tally.lines())
    return tally


def read_typed_answer(
    setup: DrillSetup, question: Question, left: Callable[[], str] | None = None
) -> Any:
    """Ask until an answer can be read, and return it, or None if the question is skipped.

    Raise QuitPromptError if the learner quits. ``left`` returns the time left, for the prompt.
    """
    while True:
        try:
            said = play_prompt.clean_line(
                play_prompt.read_input(f"{left() if left else ''}{_PROMPT}")
            )
        except (EOFError, KeyboardInterrupt):
            click.echo()
            raise QuitPromptError from None
        word = said.lower()
        if word in _QUIT_WORDS:
            raise QuitPromptError
        if word in _SKIP_WORDS:
            return None
        if word in _HELP_WORDS:
            click.echo(f"Answer with {describe_answer_format(setup, question)}.")
            click.echo(_HELP)
            continue
        try:
            return parse_answer(setup, question, said)
        except UnreadableAnswerError as error:
            print_lines([escape_unprintable(f"{error}. (? for help)")])


def print_lines(lines: Iterable[str]) -> None:
    """Print lines. A terminal gets those that do not fit wrapped between words."""
    for line in lines:
        click.echo(_wrap_line(line) if sys.stdout.isatty() else line)


def _wrap_line(line: str) -> str:
    width = terminal_width(len(line) + 1)
    if len(click.unstyle(line)) <= width:
        return line
    indent = " " * (len(line) - len(line.lstrip(" ")))
    return textwrap.fill(line, width, subsequent_indent=indent, break_on_hyphens=False)


@contextmanager
def open_prompt_session(name: str, in_dollars: bool, plain: bool) -> Iterator[PromptSession]:
    """Yield a session for a learner, with signals handled; the default name is the login name."""
    _replace_undecodable()
    plain = plain or bool(os.environ.get("PASSLINE_PLAIN"))
    with SignalGuard(*TERMINATION_SIGNALS) as signals:
        store, learner = open_learner_store(name)
        yield PromptSession(
            learner=learner,
            store=store,
            in_dollars=in_dollars,
            plain=plain,
            signals=signals,
            clock=CLOCK,
        )


def open_learner_store(name: str) -> tuple[AnswerStore, str]:
    """Return (the store of answers in the home folder, the learner's name in its stored form).

    By default, the name is the login name. Exit 2 if the name or the folder can't be used.
    """
    try:
        return FileAnswerStore(home_folder() / "school"), clean_learner_name(
            name or default_player_name()
        )
    except LearnerError as error:
        fail(f"--name: {error}")
    except RuntimeError as error:
        fail(f"PASSLINE_HOME: there is no folder for answers: {error}")


def drill_questions(
    setup: DrillSetup, drill: Drill, seed: str, count: int
) -> Callable[[AnswerTally], PromptQuestion | None]:
    """Return a function that gives ``run_questions`` the next of ``count`` questions of a drill."""
    questions = iterate_questions(drill, setup, seed)

    def following(tally: AnswerTally) -> PromptQuestion | None:
        return PromptQuestion(setup, next(questions), seed) if tally.answered < count else None

    return following


def _replace_undecodable() -> None:
    """Set standard input and output to replace characters that their encoding does not have."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


_INKS = {color: color for color in ("white", "red", "green", "yellow")} | {"purple": "magenta"}
_MOST_DISCS = 20
#: How many clauses to print after a wrong answer; the summary has the others.
_MOST_CLAUSES = 3


def question_lines(
    setup: DrillSetup, question: Question, number: str, in_dollars: bool, plain_text: bool
) -> Iterator[str]:
    """Yield the lines of a question after ``number``, with its stacks, bets or layout.

    ``in_dollars`` adds amounts to stacks. ``plain_text`` writes stacks as words.
    """
    yield click.style(f"{number}{escape_unprintable(question.ask)}", bold=not plain_text)
    for line in _given_lines(setup, question, in_dollars, plain_text):
        yield f"   {line}"


def mark_lines(setup: DrillSetup, question: Question, asked: AskedQuestion) -> Iterator[str]:
    """Yield the grade of an answer, the answer itself, and the words of the clause.

    For a wrong answer also yield the right one, the explanation and the other clauses.
    """
    grade = asked.grade
    verdict = click.style("Right", fg="green") if grade.right else click.style("Wrong", fg="red")
    yield f"{verdict} ({asked.seconds:.1f} s): {escape_unprintable(grade.because)}"
    if asked.answer is not None and (mine := describe_answer(setup, question, asked.answer)):
        yield f"   You answered: {escape_unprintable(mine)}"
    if grade.right:
        yield from map(_clause_line, question.cite[:1])
        return
    if right := describe_answer(setup, question, question.answer):
        yield f"   The answer: {escape_unprintable(right)}"
    for step in (step for step in question.explain if step not in grade.because):
        yield f"   {escape_unprintable(step)}"
    yield from map(_clause_line, grade.missed[:_MOST_CLAUSES])


def _clause_line(clause: str) -> str:
    return f"   {clause}: {escape_unprintable(find_clause_text(clause))}"


def show_marks(graded: GradedAnswers) -> None:
    """Print every grade and how many are right."""
    for question, grade in zip(graded.questions, graded.grades, strict=True):
        sign = click.style("right", fg="green") if grade.right else click.style("wrong", fg="red")
        click.echo(f"{question.n}. {sign}: {escape_unprintable(grade.because)}")
        if grade.missed:
            click.echo(f"   {', '.join(grade.missed)}")
    click.secho(f"{graded.right} of {len(graded.questions)} right", bold=True)


def stack_lines(chips: Chips, name: str = "") -> Iterator[str]:
    """Yield the lines of a drawn stack: one for each color, with a disc for each of up to 20 chips.

    The color of the highest value is at the bottom. ``name`` is printed beside the first line.
    """
    for chip, count in reversed(chips.piles):
        discs = "●" * min(count, _MOST_DISCS) + ("…" if count > _MOST_DISCS else "")
        ink = _INKS.get(chip.color)
        yield f"{name:>12}  {count:>3} {chip.color:<8}{click.style(discs, fg=ink)}"
        name = ""


def _given_lines(
    setup: DrillSetup, question: Question, in_dollars: bool, plain_text: bool
) -> Iterator[str]:
    given = question.given
    facts = [
        f'"{fact.words}"' if fact.kind == "quote" else fact.words for fact in list_facts(question)
    ]
    if facts:
        yield ("; " if plain_text else "  ").join(facts)
    yield from _stack_amount_lines(setup, given, in_dollars, plain_text)
    work = find_question_work(setup, question)
    if work is not None:
        fields = load_drill(question.drill).list_fields(setup, question)
        numbered = any(field.kind == "steps" for field in fields)
        yield from _table_lines(setup, work, numbered, in_dollars)
    elif "how" in given and "record" in given:
        yield from () if plain_text else _felt_lines(setup, given)
    elif "record" in given:
        yield from (f"  | {line}" for line in given["record"].splitlines())
    for number, step in enumerate(given.get("shown", ()), 1):
        yield f"  {number:>2}. {format_step(step)}"
    if "shown" in given:
        yield f"  {len(given['shown']) + 1:>2}. Something is left out after the last step"
    for place, choice in enumerate(given.get("choices", ())):
        yield f"  [{place}] {escape_unprintable(str(choice))}"


def _felt_lines(setup: DrillSetup, given: dict[str, Any]) -> Iterator[str]:
    """Yield the layout for a question about a player's position at the table: that player's end."""
    table = deal_record(read_record(given["record"]), setup.house).table
    plan = plan_felt(table.layout, count_places(table))
    end = f"end:{find_place_end(table, given['place'])}"
    view = end if end in plan.views else "whole"  # Mini-craps has one end for all.
    width = terminal_width(_FELT_WIDTH)
    lines = draw_text(plan, find_layout_contents(table), view, width).splitlines()
    yield from (line for line in lines if line)


#: The most columns of a felt beside a question.
_FELT_WIDTH = 88


def _table_lines(
    setup: DrillSetup, work: CrewWork, numbered: bool, in_dollars: bool
) -> Iterator[str]:
    """Yield the bets on the table before a throw, player by player.

    With ``numbered``, begin each with its number.
    """
    puck = work.table.point
    yield f"  puck {f'on {puck}' if puck else 'off'}; {work.table.shooter} throws"
    for bet in list_open_bets(setup, work):
        chips = format_counts(bet.chips)
        number = f"{bet.number:>2}. " if numbered else "- "
        money = f" ({show_dollars(from_dollars(bet.amount))})" if in_dollars or not chips else ""
        named = f"{bet.player}, place {bet.place}: {layout_name(bet.wager)}"
        yield f"  {number}{named}, {chips}{money}"


def _stack_amount_lines(
    setup: DrillSetup, given: dict[str, Any], in_dollars: bool, plain_text: bool
) -> Iterator[str]:
    """Yield every amount of a question as a drawn stack, or in words."""
    for stack in list_stacks(setup, given):
        if plain_text:
            yield f"{stack.name}: {stack.chips}"
        else:
            yield from stack_lines(stack.chips, stack.name)
        if in_dollars or stack.over:
            yield f"{'':>12}  {show_dollars(stack.chips.amount + stack.over)}"
