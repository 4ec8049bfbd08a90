"""A learner's own: what is due, a day's practice, progress, the data exported and deleted."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec

from passline.cli.common import fail, json_text, print_json, tell
from passline.plain import plain

if TYPE_CHECKING:
    from passline.cli.school_prompt import Asking, DrillTally
    from passline.layout import Layout
    from passline.school.repetition import Deck
    from passline.school.reviews import Answers

_Command = TypeVar("_Command", bound=Callable[..., Any])
_MODES = ("due", "practice", "progress", "audition", "delete")
_OPTIONS = (
    click.option("--name", default="", metavar="NAME", help="Whose answers (your login)."),
    click.option("--plain", is_flag=True, help="Nothing drawn, for a screen reader."),
    click.option("--practice", is_flag=True, help="A day's practice: what is due, then new."),
    click.option("--due", is_flag=True, help="Say what is waiting to be asked again."),
    click.option("--progress", is_flag=True, help="Say how far you are, by lesson and clause."),
    click.option("--audition", is_flag=True, help="The test that a casino gives."),
    click.option(
        "--minutes",
        type=click.FloatRange(0, 240),
        default=15.0,
        show_default=True,
        help="The audition's clock; 0: none, and speed is not scored.",
    ),
    click.option("--html", metavar="FILE", help="Write the audition's report as a page."),
    click.option("--export", metavar="FILE", help="Write your answers, or the report, as JSON."),
    click.option("--delete", is_flag=True, help="Forget everything that you answered."),
    click.option("--yes", is_flag=True, help="Do not ask before it is deleted."),
)


class LearnerWish(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for of a learner's own."""

    name: str
    plain: bool
    practice: bool
    due: bool
    progress: bool
    audition: bool
    minutes: float
    html: str | None
    export: str | None
    delete: bool
    yes: bool

    @property
    def mode(self) -> str:
        """The one thing that is to be done; empty: a drill is asked."""
        wanted = [name for name in _MODES if getattr(self, name)]
        if len(wanted) > 1:
            fail(f"--{wanted[0]} and --{wanted[1]} exclude each other")
        return wanted[0] if wanted else "export" if self.export else ""


def learner_options(command: _Command) -> _Command:
    """The options of ``LearnerWish``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def learner_mode(wish: LearnerWish, as_json: bool) -> None:
    """Do what a learner asked for that asks no questions."""
    {"due": _due, "progress": _progress, "export": _export, "delete": _delete}[wish.mode](
        wish, as_json
    )


def _log(wish: LearnerWish) -> Answers:
    """A learner's answers; lines that a crash tore are told of, and nothing else is lost."""
    from passline.cli.school_prompt import kept_reviews
    from passline.school.reviews import LearnerError

    reviews, learner = kept_reviews(wish.name)
    try:
        log = reviews.read(learner)
    except LearnerError as wrong:
        fail(str(wrong))
    if wish.name and not log.answers:
        near = get_close_matches(learner, reviews.learners(), 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        tell(f"nothing is kept of {learner}{hint}")
    if log.torn:
        lines = "1 line" if log.torn == 1 else f"{log.torn} lines"
        tell(f"{lines} of {learner}'s answers cannot be read: left out")
    return log


def _due(wish: LearnerWish, as_json: bool) -> None:
    from passline.cli.school_prompt import CLOCK
    from passline.school.progress import waiting_of
    from passline.school.repetition import deck_of

    log = _log(wish)
    found = waiting_of(deck_of(log.answers), CLOCK.now(), log.learner)
    if as_json:
        print_json(found)
        return
    if not found["due"]:
        later = f"; the next on {found['next']}" if found["next"] else ""
        click.echo(f"Nothing is waiting for {plain(log.learner)}{later}.")
        return
    click.echo(f"{found['due']} are waiting for {plain(log.learner)}: passline school --practice")
    for name, count in found["drills"].items():
        click.echo(f"  {name:<10} {count}")


def _progress(wish: LearnerWish, as_json: bool) -> None:
    from passline.cli.school_prompt import CLOCK
    from passline.school.lessons import lessons
    from passline.school.progress import progress_of
    from passline.school.repetition import deck_of

    log = _log(wish)
    found = progress_of(
        deck_of(log.answers), lessons(), CLOCK.now(), learner=log.learner, torn=log.torn
    )
    if as_json:
        print_json(msgspec.to_builtins(found))
        return
    click.echo(f"{plain(found.learner)}: {found.right} of {found.answers} answers right.")
    for lesson in found.lessons:
        known = f"{lesson.known} known of {lesson.clauses}, {lesson.seen} asked, {lesson.due} due"
        click.echo(f"  {lesson.id:<22} {known}")
    weak = sorted((c for c in found.clauses if not c.known), key=lambda c: (c.days, c.clause))[:10]
    if weak:
        click.echo("Least known:")
    for clause in weak:
        click.echo(f"  {clause.clause} in {clause.drill}: {clause.right} of {clause.of} right")


def _export(wish: LearnerWish, as_json: bool) -> None:
    from passline.cli.outputs import check_outputs, write_output

    assert wish.export is not None
    check_outputs({"export": wish.export})
    log = _log(wish)
    write_output(json_text(msgspec.to_builtins(log)) + "\n", wish.export)


def _delete(wish: LearnerWish, as_json: bool) -> None:
    """Everything of one learner: asked about first, unless --yes."""
    from passline.cli.school_prompt import kept_reviews
    from passline.play.prompt import ask, clean
    from passline.school.reviews import LearnerError

    reviews, learner = kept_reviews(wish.name)
    try:
        count = len(reviews.read(learner).answers)
        if not wish.yes:
            try:
                said = clean(ask(f"Delete all {count} answers of {plain(learner)}? (yes/no) "))
            except (EOFError, KeyboardInterrupt):
                said = ""
            if said.lower() not in ("y", "yes"):
                click.echo("Nothing is deleted.")
                return
        gone = reviews.delete(learner)
    except LearnerError as wrong:
        fail(str(wrong))
    if as_json:
        print_json({"learner": learner, "deleted": count if gone else 0})
    elif gone:
        click.echo(f"All {count} answers of {plain(learner)} are deleted.")
    else:
        click.echo(f"Nothing is kept of {plain(learner)}.")


def practise(
    wish: LearnerWish, felt: Layout, level: int | None, count: int | None, in_dollars: bool
) -> None:
    """A day's practice at the prompt."""
    from passline.cli.school_prompt import ask_all, bench_of
    from passline.school.practice import next_asked
    from passline.school.repetition import deck_of
    from passline.signals import ENDINGS, SignalGuard

    _log(wish)  # torn lines are told of once
    with SignalGuard(*ENDINGS) as signals:
        bench = bench_of(wish.name, in_dollars, wish.plain, signals)

        def deck() -> Deck:
            return deck_of(bench.reviews.read(bench.learner).answers)

        def following(tally: DrillTally) -> Asking | None:
            from passline.cli.school_prompt import Asking
            from passline.school import Desk

            if not tally.kept or (count is not None and tally.asked >= count):
                return None  # what is not kept would be asked for ever
            found = next_asked(deck(), felt, bench.clock.now(), level=level)
            if found is None:
                return None
            desk, lead = Desk(felt, found.level), f"({found.why}) "
            return Asking(desk=desk, question=found.question, seed=found.seed, lead=lead)

        tally = ask_all(bench, following)
        left = len(deck().due(bench.clock.now(), felt.house.book.id))
    if left:
        click.echo(f"{left} waiting.")
    elif not tally.quit and count is None:
        click.echo("That is all for today.")
