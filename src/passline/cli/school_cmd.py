"""``passline school``: drills asked at the prompt or as data, practice, and the audition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import election_option, fail, game_option, house_errors
from passline.cli.outputs import force_option
from passline.cli.school_drill import MOST_QUESTIONS, DrillAsk, read_answers, run_drill
from passline.cli.school_learner import LearnerWish, learner_mode, learner_options, practise

if TYPE_CHECKING:
    from passline.school import Drill

_LONGEST_SEED = 64


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
    "--count", type=click.IntRange(1, MOST_QUESTIONS), metavar="N", help="How many; ten, if not."
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
    _check_wish(wish, drill, answers, as_json)
    if len(seed) > _LONGEST_SEED:
        fail(f"--seed: {_LONGEST_SEED} characters at most")
    if wish.mode in ("due", "progress", "export", "delete"):
        learner_mode(wish, as_json)
        return
    from passline.house.files import house_for
    from passline.layout import lay_felt
    from passline.school import Desk

    asked = _drill(drill) if not wish.mode else None
    given = read_answers(answers, not wish.audition) if answers is not None else None
    with house_errors():
        felt = lay_felt(house_for(rulebook, game, options))
    if wish.mode == "practice":
        practise(wish, felt, level, count, dollars)
    elif wish.mode == "audition":
        from passline.cli.school_audition import audition

        audition(wish, felt, seed, given, as_json, dollars)
    elif asked is not None:
        ask = DrillAsk(drill=asked, desk=Desk(felt, level or 1), seed=seed, wanted=count)
        run_drill(ask, given, wish, dollars, as_json)


def _check_wish(wish: LearnerWish, drill: str, answers: str | None, as_json: bool) -> None:
    if drill and wish.mode:
        fail(f"--{wish.mode} takes no drill")
    if not drill and not wish.mode:
        from passline.school import DRILLS

        fail(f"expected a drill, --practice or --audition; drills are {', '.join(DRILLS)}")
    if wish.html is not None and not wish.audition:
        fail("--html is the report of an --audition")
    if answers is not None and wish.mode not in ("", "audition"):
        fail(f"--answers is of a drill or an --audition, not of --{wish.mode}")
    if as_json and wish.practice:
        fail("--practice asks at the prompt: --due --json says what is waiting")


def _drill(name: str) -> Drill:
    from difflib import get_close_matches

    from passline.school import DRILLS, drill_named

    if name in DRILLS:
        return drill_named(name)
    near = get_close_matches(name, DRILLS, 1)
    hint = f"; did you mean {near[0]!r}?" if near else f": expected one of {', '.join(DRILLS)}"
    fail(f"there is no drill {name[:40]!r}{hint}")
