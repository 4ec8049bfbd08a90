"""``passline school``: drills asked at the prompt or as data, practice, and the audition."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from passline.cli.common import election_option, fail, game_option, house_errors, print_json
from passline.cli.outputs import force_option
from passline.cli.school_learner import LearnerWish, learner_mode, learner_options, practise

if TYPE_CHECKING:
    from passline.school import Desk, Drill, Graded, Question

_QUESTIONS = 10
_MOST_QUESTIONS = 10_000
_MOST_BYTES = 20_000_000
_LONGEST_SEED = 64
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})")


@click.command(
    epilog="\b\nExamples:\n  passline school payoffs --level 2\n"
    "  passline school press --rulebook iowa --seed 7 --count 3 --json"
)
@click.argument("drill", metavar="[DRILL]", default="")
@click.option("--rulebook", default="dealer-school", metavar="RULEBOOK|FILE", show_default=True)
@game_option
@election_option
@click.option("--level", type=click.IntRange(1, 5), help="How hard; 1, or as you have come.")
@click.option("--seed", default="1", metavar="S", show_default=True, help="Whose questions.")
@click.option(
    "--count", type=click.IntRange(1, _MOST_QUESTIONS), metavar="N", help="How many; ten, if not."
)
@click.option("--answers", metavar="FILE", help="Mark a JSON list of answers, one for each.")
@click.option("--dollars", is_flag=True, help="Show amounts beside the stacks.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, and ask nothing.")
@learner_options
@force_option
def command(
    drill: str,
    rulebook: str,
    game: str | None,
    options: tuple[tuple[str, str], ...],
    level: int | None,
    seed: str,
    count: int | None,
    answers: str | None,
    dollars: bool,
    as_json: bool,
    force: bool,
    **wishes: Any,
) -> None:
    """Ask the questions of a DRILL at the prompt, or mark answers to them.

    The same seed gives everybody the same questions. DRILL is one of terms, positions, booking,
    lines, payoffs, keys, vig, limits, groups, press, calls, order, errors, rulings. What you answer
    is kept by your name, and comes back when it is due: --practice. --audition is the test.
    """
    wish = LearnerWish(**wishes)
    _check_wish(wish, drill)
    if len(seed) > _LONGEST_SEED:
        fail(f"--seed: {_LONGEST_SEED} characters at most")
    if wish.mode in ("due", "progress", "export", "delete"):
        learner_mode(wish, as_json)
        return
    from passline.house.files import house_for
    from passline.layout import lay_felt
    from passline.school import Desk

    asked = _drill(drill) if not wish.mode else None
    given = _read_answers(answers, not wish.audition) if answers is not None else None
    with house_errors():
        felt = lay_felt(house_for(rulebook, game, options))
    if wish.mode == "practice":
        practise(wish, felt, level, count, dollars)
    elif wish.mode == "audition":
        from passline.cli.school_audition import audition

        audition(wish, felt, seed, given, as_json, dollars)
    elif asked is not None:
        ask = _Ask(drill=asked, desk=Desk(felt, level or 1), seed=seed, wanted=count)
        if given is not None:
            _mark(ask, given, as_json)
        elif as_json:
            _print_questions(ask)
        else:
            _sit(ask, wish, dollars)


def _check_wish(wish: LearnerWish, drill: str) -> None:
    if drill and wish.mode:
        fail(f"--{wish.mode} takes no drill")
    if not drill and not wish.mode:
        from passline.school import DRILLS

        fail(f"expected a drill, --practice or --audition; drills are {', '.join(DRILLS)}")
    if wish.html is not None and not wish.audition:
        fail("--html is the report of an --audition")


class _Ask(NamedTuple):
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


def _sit(ask: _Ask, wish: LearnerWish, dollars: bool) -> None:
    """Ask at the prompt: ten, or as many as were wanted."""
    from passline.cli.school_prompt import ask_all, bench_of, drill_asking, lenient_streams
    from passline.signals import ENDINGS, SignalGuard

    ask.questions(1)  # a house that has none says so before anything else
    lenient_streams()
    many = ask.wanted or _QUESTIONS
    with SignalGuard(*ENDINGS) as signals:
        bench = bench_of(wish.name, dollars, wish.plain, signals)
        ask_all(bench, drill_asking(ask.desk, ask.drill, ask.seed, many))


def _mark(ask: _Ask, given: list[Any], as_json: bool) -> None:
    from passline.school import grade_answers

    many = ask.wanted or len(given) or _QUESTIONS
    if len(given) > many:
        click.echo(f"{len(given) - many} answers more than questions: left out", err=True)
    _tell(grade_answers(ask.drill, ask.desk, ask.questions(many), given[:many]), as_json)


def _drill(name: str) -> Drill:
    from difflib import get_close_matches

    from passline.school import DRILLS, drill_named

    if name in DRILLS:
        return drill_named(name)
    near = get_close_matches(name, DRILLS, 1)
    hint = f"; did you mean {near[0]!r}?" if near else f": expected one of {', '.join(DRILLS)}"
    fail(f"there is no drill {name[:40]!r}{hint}")


def _read_answers(path: str, alone: bool) -> Any:
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
    if len(found) > _MOST_QUESTIONS:
        fail(f"{len(found):,} answers: {_MOST_QUESTIONS:,} at most")
    return found


def _number(text: str) -> int | float | str:
    return int(text) if len(text) < 20 else _finite(text)


def _finite(text: str) -> float | str:
    """What is beyond any number stays text, which JSON can hold."""
    found = float(text)
    return found if math.isfinite(found) else text[:20]


def _print_questions(ask: _Ask) -> None:
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
            "seed": int(ask.seed) if _WHOLE.fullmatch(ask.seed) else ask.seed,
            "level": ask.desk.level,
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
