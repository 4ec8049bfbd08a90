"""Asking at the prompt: one question after another, each marked at once and kept."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from passline.cli.common import tell
from passline.plain import plain as printable

if TYPE_CHECKING:
    from passline.school import Desk, Drill, Mark, Question
    from passline.school.reviews import Answered, Reviews
    from passline.signals import SignalGuard

_QUIT = ("q", "quit", "exit", "bye")
_SKIP = ("skip", "s", "don't know", "dont know")
_HELP = ("?", "help", "h")
_ASK = "> "


class SchoolClock:
    """The time of day, and seconds that go by."""

    def now(self) -> datetime:
        """This moment, in the time zone of whoever sits here."""
        return datetime.now().astimezone()

    def tick(self) -> float:
        """Seconds, from whenever."""
        return time.monotonic()


CLOCK = SchoolClock()


class QuitPromptError(Exception):
    """The learner has had enough."""


class PromptQuestion(NamedTuple):
    """A question to be asked: at which desk, and what poses it again."""

    desk: Desk
    question: Question
    seed: str
    lead: str = ""


class Bench(NamedTuple):
    """Where a learner sits: whose answers are kept where, how questions are shown, the clock."""

    learner: str
    reviews: Reviews
    in_dollars: bool
    plain: bool
    signals: SignalGuard
    clock: SchoolClock

    def keep(self, answered: Answered) -> bool:
        """Keep an answer, whatever signals come; False, and a word, where it cannot be kept."""
        from passline.school.reviews import LearnerError

        try:
            with self.signals.held():
                self.reviews.append(self.learner, answered)
        except LearnerError as wrong:
            tell(f"this answer is not kept: {wrong}")
            return False
        return True


class DrillTally:
    """What was asked so far: how many, how many right, how long it took, the clauses missed."""

    def __init__(self) -> None:
        self.asked = self.right = 0
        self.seconds = 0.0
        self.missed: dict[str, int] = {}
        self.kept, self.quit = True, False

    def count(self, mark: Mark, seconds: float) -> None:
        """One more answer."""
        self.asked += 1
        self.right += mark.right
        self.seconds += seconds
        for clause in mark.missed:
            self.missed[clause] = self.missed.get(clause, 0) + 1

    def lines(self) -> Iterator[str]:
        """The summary."""
        if not self.asked:
            yield "Nothing was answered."
            return
        each = self.seconds / self.asked
        clock = f"{int(self.seconds) // 60}:{int(self.seconds) % 60:02d}"
        yield f"{self.right} of {self.asked} right in {clock}, {each:.1f} seconds each."
        if self.missed:
            often = sorted(self.missed.items(), key=lambda item: -item[1])
            yield f"Look at: {', '.join(clause for clause, _ in often[:8])}"


def ask_all(bench: Bench, following: Callable[[DrillTally], PromptQuestion | None]) -> DrillTally:
    """Ask until there are no more questions, or the learner goes: by word, Ctrl-D or Ctrl-C.

    What was answered is kept by then, each answer before the next question.
    """
    from passline.cli.school_view import mark_lines, question_lines
    from passline.school import drill_named, mark_answer
    from passline.school.reviews import answered_to

    tally = DrillTally()
    try:
        while (asking := following(tally)) is not None:
            desk, question = asking.desk, asking.question
            number = f"{tally.asked + 1}. {asking.lead}"
            show_lines(question_lines(desk, question, number, bench.in_dollars, bench.plain))
            begun = bench.clock.tick()
            answer = hear_typed(desk, question)
            seconds = max(0.0, bench.clock.tick() - begun)
            mark = mark_answer(drill_named(question.drill), desk, question, answer)
            answered = answered_to(
                question,
                mark,
                at=bench.clock.now(),
                seconds=seconds,
                level=desk.level,
                seed=asking.seed,
            )
            tally.kept = bench.keep(answered) and tally.kept
            tally.count(mark, seconds)
            show_lines(mark_lines(question, mark, seconds))
    except QuitPromptError:
        tally.quit = True
    show_lines(tally.lines())
    return tally


def hear_typed(desk: Desk, question: Question, left: Callable[[], str] | None = None) -> Any:
    """An answer that can be marked; what is none is asked for again. None: the question is skipped.

    QuitPromptError: no more is said. ``left`` says what the clock has, before every prompt.
    """
    from passline.play.prompt import ask, clean
    from passline.school import UnreadableAnswerError
    from passline.school.hearing import hear_answer, how_to_answer

    while True:
        try:
            said = clean(ask(f"{left() if left else ''}{_ASK}"))
        except (EOFError, KeyboardInterrupt):
            click.echo()
            raise QuitPromptError from None
        word = said.lower()
        if word in _QUIT:
            raise QuitPromptError
        if word in _SKIP:
            return None
        if word in _HELP:
            show_lines(_help(how_to_answer(desk, question)))
            continue
        try:
            return hear_answer(desk, question, said)
        except UnreadableAnswerError as wrong:
            show_lines([printable(f"{wrong}. (? for help)")])


def _help(hint: str) -> Iterator[str]:
    yield f"Answer with {hint}."
    yield "skip: leave this one; it counts as missed. q: end. What was answered is kept."


def show_lines(lines: Iterable[str]) -> None:
    """Lines on the screen."""
    for line in lines:
        click.echo(line)


def bench_of(name: str, in_dollars: bool, plain: bool, signals: SignalGuard) -> Bench:
    """The place of a learner by name; the login's, where none is given."""
    import os

    _lenient_streams()
    reviews, learner = kept_reviews(name)
    return Bench(
        learner=learner,
        reviews=reviews,
        in_dollars=in_dollars,
        plain=plain or bool(os.environ.get("PASSLINE_PLAIN")),
        signals=signals,
        clock=CLOCK,
    )


def kept_reviews(name: str) -> tuple[Reviews, str]:
    """Where answers are kept beside the games, and the learner's name."""
    from passline.cli.common import fail
    from passline.home import folder
    from passline.play.opening import own_name
    from passline.school.review_files import FileReviews
    from passline.school.reviews import LearnerError, check_learner

    try:
        return FileReviews(folder() / "school"), check_learner(name or own_name())
    except LearnerError as wrong:
        fail(f"--name: {wrong}")
    except RuntimeError as wrong:
        fail(f"PASSLINE_HOME: no folder to keep answers in: {wrong}")


def drill_asking(
    desk: Desk, drill: Drill, seed: str, count: int
) -> Callable[[DrillTally], PromptQuestion | None]:
    """The questions of a drill, one after the other."""
    from passline.school import questions_from

    questions = questions_from(drill, desk, seed)

    def following(tally: DrillTally) -> PromptQuestion | None:
        if tally.asked >= count:
            return None
        return PromptQuestion(desk, next(questions), seed)

    return following


def _lenient_streams() -> None:
    """What cannot be read or shown in this terminal's encoding does not end the school."""
    import io

    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
