"""The school at the prompt: show questions, read typed answers, show grades, and store answers.

Stacks of chips are drawn and choices are numbered; in plain mode everything is words.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from passline.cli.common import tell
from passline.game.money.amounts import to_dollars
from passline.game.money.chips import Chips
from passline.game.words.wagers import layout_name
from passline.school.question_view import list_facts, list_stacks
from passline.school.question_work import find_question_work, format_step, list_open_bets
from passline.text import escape_unprintable
from passline.text import escape_unprintable as printable

if TYPE_CHECKING:
    from passline.crew.work_steps import CrewWork
    from passline.school.answer_log import AnswerRecord, AnswerStore
    from passline.school.drill import Drill
    from passline.school.grading import GradedAnswers
    from passline.school.questions import DrillSetup, Grade, Question
    from passline.signals import SignalGuard

_QUIT_WORDS = ("q", "quit", "exit", "bye")
_SKIP_WORDS = ("skip", "s", "don't know", "dont know")
_HELP_WORDS = ("?", "help", "h")
_PROMPT = "> "


class SchoolClock:
    """The clock of the school; tests replace it."""

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
    """A question to ask, with the setup and seed that made it and words to print before it."""

    setup: DrillSetup
    question: Question
    seed: str
    lead: str = ""


class PromptSession(NamedTuple):
    """A learner at the prompt: the name, the answer store, how to show questions, the clock."""

    learner: str
    store: AnswerStore
    in_dollars: bool
    plain: bool
    signals: SignalGuard
    clock: SchoolClock

    def keep(self, answered: AnswerRecord) -> bool:
        """Store an answer, even if a signal arrives meanwhile. If storing fails, print why and
        return False.
        """
        from passline.school.answer_log import LearnerError

        try:
            with self.signals.held():
                self.store.append(self.learner, answered)
        except LearnerError as error:
            tell(f"this answer was not stored: {error}")
            return False
        return True


class AnswerTally:
    """Counts for the summary: questions, right answers, seconds and the clauses missed."""

    def __init__(self) -> None:
        self.asked = self.right = 0
        self.seconds = 0.0
        self.missed: dict[str, int] = {}
        self.kept, self.quit = True, False

    def count(self, grade: Grade, seconds: float) -> None:
        """Count one answer."""
        self.asked += 1
        self.right += grade.right
        self.seconds += seconds
        for clause in grade.missed:
            self.missed[clause] = self.missed.get(clause, 0) + 1

    def lines(self) -> Iterator[str]:
        """Yield the lines of the summary."""
        if not self.asked:
            yield "No questions answered."
            return
        each = self.seconds / self.asked
        clock = f"{int(self.seconds) // 60}:{int(self.seconds) % 60:02d}"
        yield f"{self.right} of {self.asked} right in {clock}, {each:.1f} seconds each."
        if self.missed:
            often = sorted(self.missed.items(), key=lambda item: -item[1])
            yield f"Review: {', '.join(clause for clause, _ in often[:8])}"


def run_questions(
    session: PromptSession, following: Callable[[AnswerTally], PromptQuestion | None]
) -> AnswerTally:
    """Ask questions until there are no more or the learner quits (by word, Ctrl-D or Ctrl-C).

    Each answer is stored before the next question.
    """
    from passline.school.answer_log import make_answer_record
    from passline.school.drills import load_drill
    from passline.school.grading import grade_answer

    tally = AnswerTally()
    try:
        while (asking := following(tally)) is not None:
            setup, question = asking.setup, asking.question
            number = f"{tally.asked + 1}. {asking.lead}"
            print_lines(question_lines(setup, question, number, session.in_dollars, session.plain))
            begun = session.clock.tick()
            answer = read_typed_answer(setup, question)
            seconds = max(0.0, session.clock.tick() - begun)
            grade = grade_answer(load_drill(question.drill), setup, question, answer)
            answered = make_answer_record(
                question,
                grade,
                at=session.clock.now(),
                seconds=seconds,
                level=setup.level,
                seed=asking.seed,
            )
            tally.kept = session.keep(answered) and tally.kept
            tally.count(grade, seconds)
            print_lines(mark_lines(question, grade, seconds))
    except QuitPromptError:
        tally.quit = True
    print_lines(tally.lines())
    return tally


def read_typed_answer(
    setup: DrillSetup, question: Question, left: Callable[[], str] | None = None
) -> Any:
    """Ask for an answer until it can be read, and return it. Return None if the learner skips the
    question.

    Raise QuitPromptError if the learner quits. ``left`` returns the time left, shown in every
    prompt.
    """
    from passline.play.prompt import clean_line, read_input
    from passline.school.grading import describe_answer_format, parse_answer
    from passline.school.questions import UnreadableAnswerError

    while True:
        try:
            said = clean_line(read_input(f"{left() if left else ''}{_PROMPT}"))
        except (EOFError, KeyboardInterrupt):
            click.echo()
            raise QuitPromptError from None
        word = said.lower()
        if word in _QUIT_WORDS:
            raise QuitPromptError
        if word in _SKIP_WORDS:
            return None
        if word in _HELP_WORDS:
            print_lines(_help_lines(describe_answer_format(setup, question)))
            continue
        try:
            return parse_answer(setup, question, said)
        except UnreadableAnswerError as error:
            print_lines([printable(f"{error}. (? for help)")])


def _help_lines(hint: str) -> Iterator[str]:
    yield f"Answer with {hint}."
    yield "skip: skip this question (it counts as missed). q: quit. Your answers are stored."


def print_lines(lines: Iterable[str]) -> None:
    """Print lines."""
    for line in lines:
        click.echo(line)


def open_prompt_session(
    name: str, in_dollars: bool, plain: bool, signals: SignalGuard
) -> PromptSession:
    """Return a session for a learner; without a name, for the login name."""
    import os

    _replace_undecodable()
    store, learner = open_learner_store(name)
    return PromptSession(
        learner=learner,
        store=store,
        in_dollars=in_dollars,
        plain=plain or bool(os.environ.get("PASSLINE_PLAIN")),
        signals=signals,
        clock=CLOCK,
    )


def open_learner_store(name: str) -> tuple[AnswerStore, str]:
    """Return the answer store in the home folder, and the learner's cleaned name."""
    from passline.cli.common import fail
    from passline.files import home_folder
    from passline.play.opening import default_player_name
    from passline.school.answer_log import FileAnswerStore, LearnerError, clean_learner_name

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
    """Return a function that returns the next question of a drill at each call."""
    from passline.school.grading import iterate_questions

    questions = iterate_questions(drill, setup, seed)

    def following(tally: AnswerTally) -> PromptQuestion | None:
        if tally.asked >= count:
            return None
        return PromptQuestion(setup, next(questions), seed)

    return following


def _replace_undecodable() -> None:
    """Replace characters that the terminal's encoding does not have, instead of failing."""
    import io

    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


_CHIP_COLORS = {
    "white": "white",
    "red": "red",
    "green": "green",
    "purple": "magenta",
    "yellow": "yellow",
}
_MOST_DISCS = 20
#: How many clauses to print after a wrong answer; the summary has the others.
_MOST_CLAUSES = 3


def question_lines(
    setup: DrillSetup, question: Question, number: str, in_dollars: bool, plain_text: bool
) -> Iterator[str]:
    """Yield a question with everything it shows. ``plain_text`` writes stacks as words."""
    yield click.style(f"{number}{escape_unprintable(question.ask)}", bold=not plain_text)
    for line in _given_lines(setup, question, in_dollars, plain_text):
        yield f"   {line}"


def mark_lines(question: Question, grade: Grade, seconds: float) -> Iterator[str]:
    """Yield the grade of an answer; for a wrong one also the explanation and the clauses."""
    from passline.school.audition import find_clause_text

    verdict = click.style("Right", fg="green") if grade.right else click.style("Wrong", fg="red")
    yield f"{verdict} ({seconds:.1f} s): {escape_unprintable(grade.because)}"
    if grade.right:
        return
    for step in (step for step in question.explain if step not in grade.because):
        yield f"   {escape_unprintable(step)}"
    for clause in grade.missed[:_MOST_CLAUSES]:
        yield f"   {clause}: {escape_unprintable(find_clause_text(clause))}"


def show_marks(graded: GradedAnswers) -> None:
    """Print every grade and how many are right."""
    for question, grade in zip(graded.questions, graded.grades, strict=True):
        sign = click.style("right", fg="green") if grade.right else click.style("wrong", fg="red")
        click.echo(f"{question.n}. {sign}: {escape_unprintable(grade.because)}")
        if grade.missed:
            click.echo(f"   {', '.join(grade.missed)}")
    click.secho(f"{graded.right} of {len(graded.questions)} right", bold=True)


def stack_lines(chips: Chips, name: str = "") -> Iterator[str]:
    """Yield a drawn stack, the largest color at the bottom, with a disc for each chip."""
    for chip, count in reversed(chips.piles):
        discs = "●" * min(count, _MOST_DISCS) + ("…" if count > _MOST_DISCS else "")
        ink = _CHIP_COLORS.get(chip.color)
        yield f"{name:>12}  {count:>3} {chip.color:<8}{click.style(discs, fg=ink)}"
        name = ""


def _given_lines(
    setup: DrillSetup, question: Question, in_dollars: bool, plain_text: bool
) -> Iterator[str]:
    from passline.school.drills import load_drill

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
    elif "record" in given:
        yield from (f"  | {line}" for line in given["record"].splitlines())
    for number, step in enumerate(given.get("shown", ()), 1):
        yield f"  {number:>2}. {format_step(step)}"
    if "shown" in given:
        yield f"  {len(given['shown']) + 1:>2}. Something is left out after the last step"
    for place, choice in enumerate(given.get("choices", ())):
        yield f"  [{place}] {escape_unprintable(str(choice))}"


def _table_lines(
    setup: DrillSetup, work: CrewWork, numbered: bool, in_dollars: bool
) -> Iterator[str]:
    """Yield the bets on the table before a throw, player by player. Number them if the answer needs
    numbers.
    """
    puck = work.table.point
    yield f"  puck {f'on {puck}' if puck else 'off'}; {work.table.shooter} throws"
    for bet in list_open_bets(setup, work):
        chips = ", ".join(f"{count} {color}" for color, count in bet.chips.items())
        number = f"{bet.number:>2}. " if numbered else "- "
        money = f" (${bet.amount})" if in_dollars or not chips else ""
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
            yield f"{'':>12}  ${to_dollars(stack.chips.amount + stack.over)}"
