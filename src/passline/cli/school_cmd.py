"""``passline school``: drills of the dealer school, and answers to them marked."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import election_option, fail, game_option, house_errors, print_json

if TYPE_CHECKING:
    from passline.school import Desk, Drill, Graded, Question

_MOST_QUESTIONS = 10_000
_MOST_BYTES = 20_000_000
_LONGEST_SEED = 64
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})")


@click.command(
    epilog="\b\nExamples:\n  passline school payoffs --level 2\n"
    "  passline school press --rulebook iowa --seed 7 --count 3 --json"
)
@click.argument("drill", metavar="DRILL")
@click.option("--rulebook", default="dealer-school", metavar="RULEBOOK|FILE", show_default=True)
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
    drill: str,
    rulebook: str,
    game: str | None,
    options: tuple[tuple[str, str], ...],
    level: int,
    seed: str,
    count: int | None,
    answers: str | None,
    dollars: bool,
    as_json: bool,
) -> None:
    """Ask the questions of a DRILL, or mark answers to them.

    The same seed gives everybody the same questions. DRILL is one of terms, positions, booking,
    lines, payoffs, keys, vig, limits, groups, press, calls, order, errors, rulings.
    """
    from passline.house.files import house_for
    from passline.layout import lay_felt
    from passline.school import Desk, NotAskedError, ask_questions, grade_answers

    asked = _drill(drill)
    if len(seed) > _LONGEST_SEED:
        fail(f"--seed: {_LONGEST_SEED} characters at most")
    given = _read_answers(answers) if answers is not None else None
    with house_errors():
        desk = Desk(lay_felt(house_for(rulebook, game, options)), level)
    many = count if count is not None else len(given) if given else 10
    try:
        questions = ask_questions(asked, desk, seed, many)
    except NotAskedError as wrong:
        fail(f"{drill}: {wrong}")
    if given is None:
        _ask(asked, desk, seed, questions, dollars, as_json)
        return
    if len(given) > many:
        click.echo(f"{len(given) - many} answers more than questions: left out", err=True)
    _tell(grade_answers(asked, desk, questions, given[:many]), as_json)


def _drill(name: str) -> Drill:
    from difflib import get_close_matches

    from passline.school import DRILLS, drill_named

    if name in DRILLS:
        return drill_named(name)
    near = get_close_matches(name, DRILLS, 1)
    hint = f"; did you mean {near[0]!r}?" if near else f": expected one of {', '.join(DRILLS)}"
    fail(f"there is no drill {name[:40]!r}{hint}")


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
