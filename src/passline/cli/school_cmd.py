"""``passline school``: lessons, drills at the prompt or as data, practice, and the audition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import election_option, fail, game_option, house_errors
from passline.cli.outputs import force_option
from passline.cli.school_drill import MOST_QUESTIONS, DrillAsk, read_answers, run_drill
from passline.cli.school_learner import LearnerWish, learner_mode, learner_options, practise
from passline.cli.school_lessons import open_school, read_lesson

if TYPE_CHECKING:
    from passline.layout import Layout

_LONGEST_SEED = 64
_SCHOOL = "dealer-school"


@click.command(
    epilog="\b\nExamples:\n  passline school line-in-chips\n  passline school payoffs --level 2\n"
    "  passline school press --rulebook iowa --seed 7 --count 3 --json"
)
@click.argument("wanted", metavar="[LESSON|DRILL]", default="")
@click.option("--syllabus", is_flag=True, help="The lessons in order, and what they teach.")
@click.option(
    "--rulebook", metavar="RULEBOOK|FILE", help="Else dealer-school; a lesson: its own book."
)
@game_option
@election_option
@click.option("--level", type=click.IntRange(1, 5), help="How hard; 1, or as you have come.")
@click.option("--seed", default="1", metavar="S", show_default=True, help="Whose questions.")
@click.option(
    "--count", type=click.IntRange(1, MOST_QUESTIONS), metavar="N", help="How many; ten, if not."
)
@click.option("--answers", metavar="FILE", help="Mark a JSON list of answers, one for each.")
@click.option("--dollars", is_flag=True, help="Show amounts beside the stacks.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, and ask nothing.")
@learner_options
@force_option
def command(
    wanted: str,
    syllabus: bool,
    rulebook: str | None,
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
    """Read a LESSON, ask the questions of a DRILL at the prompt, or mark answers to them.

    Without either, what there is and what to do next. The same seed gives everybody the same
    questions. DRILL is one of terms, positions, booking, lines, payoffs, keys, vig, limits, groups,
    press, calls, order, errors, rulings. What you answer is kept by your name, and comes back when
    it is due: --practice. --audition is the test.
    """
    wish = LearnerWish(**wishes)
    _check_wish(wish, wanted, answers, as_json)
    if syllabus and wish.mode:
        fail(f"--syllabus takes no --{wish.mode}")
    if len(seed) > _LONGEST_SEED:
        fail(f"--seed: {_LONGEST_SEED} characters at most")
    if wish.mode in ("due", "progress", "export", "delete"):
        if rulebook is not None:
            fail(f"--{wish.mode} is of all that was learnt: --rulebook goes with a drill")
        learner_mode(wish, as_json)
        return
    if syllabus or not (wanted or wish.mode):
        open_school(wanted, syllabus, as_json)
        return
    if not wish.mode and not _is_drill(wanted):
        read_lesson(wanted, rulebook, game, options, dollars, as_json, wish.plain)
        return
    given = read_answers(answers, alone=not wish.audition) if answers is not None else None
    felt = _felt(rulebook or _SCHOOL, game, options)
    if wish.mode == "practice":
        practise(wish, felt, level, count, dollars)
    elif wish.mode == "audition":
        from passline.cli.school_audition import audition

        audition(wish, felt, seed, given, as_json, dollars)
    else:
        from passline.school import Desk, drill_named

        desk = Desk(felt, level or 1)
        ask = DrillAsk(drill=drill_named(wanted), desk=desk, seed=seed, wanted=count)
        run_drill(ask, given, wish, dollars, as_json)


def _check_wish(wish: LearnerWish, name: str, answers: str | None, as_json: bool) -> None:
    if name and wish.mode:
        fail(f"--{wish.mode} takes no lesson or drill")
    if wish.html is not None and not wish.audition:
        fail("--html is the report of an --audition")
    if answers is not None and wish.mode not in ("", "audition"):
        fail(f"--answers is of a drill or an --audition, not of --{wish.mode}")
    if as_json and wish.practice:
        fail("--practice asks at the prompt: --due --json says what is waiting")


def _is_drill(name: str) -> bool:
    from passline.school import DRILLS

    return name in DRILLS


def _felt(rulebook: str, game: str | None, options: tuple[tuple[str, str], ...]) -> Layout:
    from passline.house.files import house_for
    from passline.layout import lay_felt

    with house_errors():
        return lay_felt(house_for(rulebook, game, options))
