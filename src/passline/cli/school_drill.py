"""A drill's questions: asked at the prompt, printed as data, or answers to them marked."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from passline.cli.common import fail, print_json
from passline.cli.school_learner import LearnerWish

if TYPE_CHECKING:
    from passline.school import Desk, Drill, Graded, Question

MOST_QUESTIONS = 10_000
_QUESTIONS = 10
_MOST_BYTES = 20_000_000
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})")


class DrillAsk(NamedTuple):
    """Which questions: of a drill at a desk, by a seed, so many as are wanted."""

    drill: Drill
    desk: Desk
    seed: str
    wanted: int | None

    def questions(self, many: int) -> tuple[Question, ...]:
        """The first questions of the seed."""
        from passline.school import NotAskedError, ask_questions

        try:
            return ask_questions(self.drill, self.desk, self.seed, many)
        except NotAskedError as wrong:
            fail(f"{self.drill.name}: {wrong}")


def run_drill(
    ask: DrillAsk, given: list[Any] | None, wish: LearnerWish, dollars: bool, as_json: bool
) -> None:
    """Mark the answers that were given; else print the questions, or ask them at the prompt."""
    if given is not None:
        _mark(ask, given, as_json)
    elif as_json:
        _print_questions(ask)
    else:
        _sit(ask, wish, dollars)


def _sit(ask: DrillAsk, wish: LearnerWish, dollars: bool) -> None:
    """Ask at the prompt: ten, or as many as were wanted."""
    from passline.cli.school_prompt import ask_all, bench_of, drill_asking
    from passline.signals import ENDINGS, SignalGuard

    ask.questions(1)  # a house that has none says so before anything else
    many = ask.wanted or _QUESTIONS
    with SignalGuard(*ENDINGS) as signals:
        bench = bench_of(wish.name, dollars, wish.plain, signals)
        ask_all(bench, drill_asking(ask.desk, ask.drill, ask.seed, many))


def _mark(ask: DrillAsk, given: list[Any], as_json: bool) -> None:
    from passline.school import grade_answers

    many = ask.wanted or len(given) or _QUESTIONS
    if len(given) > many:
        click.echo(f"{len(given) - many} answers more than questions: left out", err=True)
    _tell(grade_answers(ask.drill, ask.desk, ask.questions(many), given[:many]), as_json)


def read_answers(path: str, alone: bool) -> Any:
    """A JSON list, ``alone`` or in an object. Numbers that no answer could be are taken for what
    they are: none."""
    from passline.files import UnreadableError, read_text, show_path

    try:
        text = read_text(path, "list of answers", _MOST_BYTES, plain=False)
        found = json.loads(text, parse_int=_number, parse_float=_finite, parse_constant=str)
    except UnreadableError as wrong:
        fail(str(wrong))
    except RecursionError:
        fail(f"{show_path(path)} is nested too deep: expected a JSON list of answers")
    except ValueError as wrong:
        fail(f"{show_path(path)} is no JSON: {wrong}; expected a list of answers")
    if not isinstance(found, list) and (alone or not isinstance(found, dict)):
        fail(f"{show_path(path)} holds no list: expected a JSON list, one answer for each question")
    if len(found) > MOST_QUESTIONS:
        fail(f"{len(found):,} answers: {MOST_QUESTIONS:,} at most")
    return found


def _number(text: str) -> int | float | str:
    return int(text) if len(text) < 20 else _finite(text)


def _finite(text: str) -> float | str:
    """What is beyond any number stays text, which JSON can hold."""
    found = float(text)
    return found if math.isfinite(found) else text[:20]


def _print_questions(ask: DrillAsk) -> None:
    import msgspec

    rows = []
    for question in ask.questions(ask.wanted or _QUESTIONS):
        row = msgspec.to_builtins(question)
        del row["drill"]
        rows.append(row)
    print_json(
        {
            "drill": ask.drill.name,
            "rulebook": ask.desk.house.book.id,
            "seed": shown_seed(ask.seed),
            "level": ask.desk.level,
            "questions": rows,
        }
    )


def shown_seed(seed: str) -> int | str:
    """A seed as JSON has it: a whole number where it was typed as one."""
    return int(seed) if _WHOLE.fullmatch(seed) else seed


def _tell(graded: Graded, as_json: bool) -> None:
    if not as_json:
        from passline.cli.school_view import show_marks

        show_marks(graded)
        return
    results = [
        {"n": question.n, "right": mark.right, "because": mark.because}
        for question, mark in zip(graded.questions, graded.marks, strict=True)
    ]
    print_json({"right": graded.right, "of": len(graded.questions), "results": results})
