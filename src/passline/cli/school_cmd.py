"""``passline school``: lessons and drills of the dealer school, and answers marked."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NoReturn

import click

from passline.cli.common import election_option, fail, game_option, house_errors, print_json

if TYPE_CHECKING:
    from passline.school import Desk, Drill, Graded, Question

_MOST_QUESTIONS = 10_000
_MOST_BYTES = 20_000_000
_LONGEST_SEED = 64
_SCHOOL = "dealer-school"
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})")


@click.command(
    epilog="\b\nExamples:\n  passline school line-in-chips\n  passline school payoffs --level 2\n"
    "  passline school press --rulebook iowa --seed 7 --count 3 --json"
)
@click.argument("name", metavar="[LESSON|DRILL]", required=False)
@click.option("--syllabus", is_flag=True, help="The lessons in order, and what they teach.")
@click.option(
    "--rulebook", metavar="RULEBOOK|FILE", help="Else dealer-school; a lesson: its own book."
)
@game_option
@election_option
@click.option("--level", type=click.IntRange(1, 5), default=1, show_default=True)
@click.option("--seed", default="1", metavar="S", show_default=True, help="Whose questions.")
@click.option(
    "--count", type=click.IntRange(1, _MOST_QUESTIONS), metavar="N", help="How many; ten, if not."
)
@click.option("--answers", metavar="FILE", help="Mark a JSON list of answers, one for each.")
@click.option("--dollars", is_flag=True, help="Show amounts beside the stacks.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    name: str | None,
    syllabus: bool,
    rulebook: str | None,
    game: str | None,
    options: tuple[tuple[str, str], ...],
    level: int,
    seed: str,
    count: int | None,
    answers: str | None,
    dollars: bool,
    as_json: bool,
) -> None:
    """Read a LESSON, ask the questions of a DRILL, or mark answers to them.

    Without either, what there is and what to do next. The same seed gives everybody the same
    questions. DRILL is one of terms, positions, booking, lines, payoffs, keys, vig, limits, groups,
    press, calls, order, errors, rulings.
    """
    from passline.school import DRILLS

    if name is None or syllabus:
        _check_lesson_options(name)
        _open(name, syllabus, as_json)
        return
    if name not in DRILLS:
        _read(name, rulebook, game, options, dollars, as_json)
        return
    given = _read_answers(answers) if answers is not None else None
    if len(seed) > _LONGEST_SEED:
        fail(f"--seed: {_LONGEST_SEED} characters at most")
    desk = _desk(rulebook or _SCHOOL, game, options, level)
    _drill(name, desk, seed, count, given, dollars, as_json)


def _check_lesson_options(name: str | None) -> None:
    """What goes with a drill alone is not taken in silence with anything else."""
    from click.core import ParameterSource

    given = click.get_current_context().get_parameter_source
    for option in ("level", "seed", "count", "answers"):
        if given(option) is ParameterSource.COMMANDLINE:
            fail(f"--{option} goes with a drill" + (f": {name[:40]!r} is none" if name else ""))


_Elected = tuple[tuple[str, str], ...]


def _desk(rulebook: str, game: str | None, options: _Elected, level: int = 1) -> Desk:
    from passline.house.files import house_for
    from passline.layout import lay_felt
    from passline.school import Desk

    with house_errors():
        return Desk(lay_felt(house_for(rulebook, game, options)), level)


def _open(name: str | None, as_syllabus: bool, as_json: bool) -> None:
    """The school's front door, or its syllabus."""
    from passline.school.lessons import syllabus

    if name is not None:
        fail(f"--syllabus is of the whole school: leave {name[:40]!r} out")
    found = syllabus()
    if as_json:
        rows = [
            {"id": one.id, "title": one.title, "clauses": one.clauses, "drills": one.drills}
            for one in found.lessons
        ]
        print_json({"lessons": rows, "missing": found.missing})
        return
    from passline.cli.lesson_view import show_school, show_syllabus

    show = show_syllabus if as_syllabus else show_school
    show(found)


def _read(
    name: str,
    rulebook: str | None,
    game: str | None,
    options: _Elected,
    dollars: bool,
    as_json: bool,
) -> None:
    """A lesson, with its figures drawn under its own book or another house."""
    from passline.school.lessons import lesson_ids, lesson_named

    if name not in lesson_ids():
        _not_found(name)
    _check_lesson_options(name)
    lesson = lesson_named(name)
    desk = _desk(rulebook or lesson.book, game, options)
    if as_json:
        from passline.school.lessons.drawing_figures import lesson_json

        print_json(lesson_json(lesson, desk))
        return
    from passline.cli.lesson_view import show_lesson

    show_lesson(lesson, desk, dollars)


def _not_found(name: str) -> NoReturn:
    from difflib import get_close_matches

    from passline.school import DRILLS
    from passline.school.lessons import lesson_ids

    near = get_close_matches(name, (*lesson_ids(), *DRILLS), 1, 0.4)
    hint = f"; did you mean {near[0]!r}?" if near else ": see passline school --syllabus"
    fail(f"there is no lesson or drill {name[:40]!r}{hint}")


def _drill(
    name: str,
    desk: Desk,
    seed: str,
    count: int | None,
    given: list[Any] | None,
    dollars: bool,
    as_json: bool,
) -> None:
    """A drill's questions, or answers to them marked."""
    from passline.school import NotAskedError, ask_questions, drill_named, grade_answers

    asked = drill_named(name)
    many = count if count is not None else len(given) if given else 10
    try:
        questions = ask_questions(asked, desk, seed, many)
    except NotAskedError as wrong:
        fail(f"{name}: {wrong}")
    if given is None:
        _ask(asked, desk, seed, questions, dollars, as_json)
        return
    if len(given) > many:
        click.echo(f"{len(given) - many} answers more than questions: left out", err=True)
    _tell(grade_answers(asked, desk, questions, given[:many]), as_json)


def _read_answers(path: str) -> list[Any]:
    """A JSON list. Numbers that no answer could be are taken for what they are: none."""
    from passline.files import UnreadableError, read_text, show_path

    try:
        text = read_text(path, "list of answers", _MOST_BYTES, plain=False)
        found = json.loads(text, parse_int=_number)
    except UnreadableError as wrong:
        fail(str(wrong))
    except RecursionError:
        fail(f"{show_path(path)} is nested too deep: expected a JSON list of answers")
    except ValueError as wrong:
        fail(f"{show_path(path)} is no JSON: {wrong}; expected a list of answers")
    if not isinstance(found, list):
        fail(f"{show_path(path)} holds no list: expected a JSON list, one answer for each question")
    if len(found) > _MOST_QUESTIONS:
        fail(f"{len(found):,} answers: {_MOST_QUESTIONS:,} at most")
    return found


def _number(text: str) -> int | float:
    return int(text) if len(text) < 20 else float(text)


def _ask(
    drill: Drill,
    desk: Desk,
    seed: str,
    questions: tuple[Question, ...],
    dollars: bool,
    as_json: bool,
) -> None:
    if not as_json:
        from passline.cli.school_view import show_questions

        show_questions(desk, questions, dollars)
        return
    import msgspec

    rows = []
    for question in questions:
        row = msgspec.to_builtins(question)
        del row["drill"]
        rows.append(row)
    print_json(
        {
            "drill": drill.name,
            "rulebook": desk.house.book.id,
            "seed": int(seed) if _WHOLE.fullmatch(seed) else seed,
            "level": desk.level,
            "questions": rows,
        }
    )


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
