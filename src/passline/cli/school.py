"""The command ``passline school``: lessons, drills, practice, progress and auditions.

A drill runs at the prompt, prints its questions as JSON, or grades a file of answers; so does an
audition. This module reads options and files and prints results; ``school_prompt`` asks questions
and ``school_lessons`` shows lessons.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click
import msgspec

from passline.cli.common import (
    complete_lesson,
    complete_rulebook,
    election_option,
    exit_on_house_error,
    fail,
    game_option,
    json_text,
    print_json,
    tell,
)
from passline.cli.files import force_option
from passline.cli.school_lessons import print_lesson, print_overview
from passline.game.law.book_files import SCHOOL_BOOK
from passline.text import escape_unprintable

if TYPE_CHECKING:
    from passline.cli.school_prompt import AnswerTally, PromptQuestion, PromptSession
    from passline.game.layout.spots import Layout
    from passline.school.answer_log import AnswerLog
    from passline.school.audition import Audition, AuditionEnd, AuditionReport, TimedAnswer
    from passline.school.drill import Drill
    from passline.school.grading import GradedAnswers
    from passline.school.questions import DrillSetup, Question
    from passline.school.repetition import Deck

_Command = TypeVar("_Command", bound=Callable[..., Any])
_MODES = ("due", "practice", "progress", "audition", "delete")
_LEARNER_OPTIONS = (
    click.option(
        "--name", default="", metavar="NAME", help="The learner; default: your login name."
    ),
    click.option("--plain", is_flag=True, help="Words only, for a screen reader."),
    click.option("--practice", is_flag=True, help="Practice: what is due, then new clauses."),
    click.option("--due", is_flag=True, help="Show what is due to be asked again."),
    click.option("--progress", is_flag=True, help="Show your progress by lesson and clause."),
    click.option("--audition", is_flag=True, help="Take the test that a casino gives."),
    click.option(
        "--minutes",
        type=click.FloatRange(0, 240),
        default=15.0,
        show_default=True,
        help="Time for the audition; 0: no limit, speed is not scored.",
    ),
    click.option("--html", metavar="FILE", help="Write the audition's report as a web page."),
    click.option("--export", metavar="FILE", help="Write your answers, or the report, as JSON."),
    click.option("--delete", is_flag=True, help="Delete all your answers."),
    click.option("--yes", is_flag=True, help="Delete without asking."),
)


class LearnerOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options about a learner and the modes of the command."""

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
        """Return the mode that was chosen, or an empty string for a lesson or drill."""
        wanted = [name for name in _MODES if getattr(self, name)]
        if len(wanted) > 1:
            fail(f"--{wanted[0]} and --{wanted[1]} can't be used together")
        return wanted[0] if wanted else "export" if self.export else ""


def learner_options(command: _Command) -> _Command:
    """Add the options of ``LearnerOptions`` to a command."""
    for option in reversed(_LEARNER_OPTIONS):
        command = option(command)
    return command


def run_learner_mode(learner_args: LearnerOptions, as_json: bool) -> None:
    """Run a mode that asks no questions: due, progress, export or delete."""
    {
        "due": _show_due,
        "progress": _show_learner_progress,
        "export": _export_answers,
        "delete": _delete_answers,
    }[learner_args.mode](learner_args, as_json)


def _read_learner_answers(learner_args: LearnerOptions) -> AnswerLog:
    """Return a learner's answers, and report lines of the log that can't be read."""
    from passline.cli.school_prompt import open_learner_store
    from passline.school.answer_log import LearnerError

    store, learner = open_learner_store(learner_args.name)
    try:
        log = store.read(learner)
    except LearnerError as error:
        fail(str(error))
    if learner_args.name and not log.answers:
        near = get_close_matches(learner, store.list_learners(), 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        tell(f"there are no answers of {learner}{hint}")
    if log.torn:
        lines = "1 line" if log.torn == 1 else f"{log.torn} lines"
        tell(f"{lines} of {learner}'s answers can't be read and are left out")
    return log


def _show_due(learner_args: LearnerOptions, as_json: bool) -> None:
    from passline.cli.school_prompt import CLOCK
    from passline.school.practice import summarize_due_cards
    from passline.school.repetition import build_deck

    log = _read_learner_answers(learner_args)
    found = summarize_due_cards(build_deck(log.answers), CLOCK.now(), log.learner)
    if as_json:
        print_json(found)
        return
    if not found["due"]:
        later = f"; the next is due at {found['next']}" if found["next"] else ""
        click.echo(f"Nothing is due for {escape_unprintable(log.learner)}{later}.")
        return
    learner = escape_unprintable(log.learner)
    click.echo(f"{found['due']} due for {learner}; to practice: passline school --practice")
    for name, count in found["drills"].items():
        click.echo(f"  {name:<10} {count}")


def _show_learner_progress(learner_args: LearnerOptions, as_json: bool) -> None:
    from passline.cli.school_prompt import CLOCK
    from passline.school.lessons.lesson_files import load_lessons
    from passline.school.practice import build_progress
    from passline.school.repetition import build_deck

    log = _read_learner_answers(learner_args)
    found = build_progress(
        build_deck(log.answers), load_lessons(), CLOCK.now(), learner=log.learner, torn=log.torn
    )
    if as_json:
        print_json(msgspec.to_builtins(found))
        return
    click.echo(
        f"{escape_unprintable(found.learner)}: {found.right} of {found.answers} answers right."
    )
    for lesson in found.lessons:
        known = f"{lesson.known} known of {lesson.clauses}, {lesson.seen} asked, {lesson.due} due"
        click.echo(f"  {lesson.id:<22} {known}")
    weak = sorted((c for c in found.clauses if not c.known), key=lambda c: (c.days, c.clause))[:10]
    if weak:
        click.echo("Least known:")
    for clause in weak:
        click.echo(f"  {clause.clause} in {clause.drill}: {clause.right} of {clause.of} right")


def _export_answers(learner_args: LearnerOptions, as_json: bool) -> None:
    from passline.cli.files import check_outputs, write_output

    assert learner_args.export is not None
    check_outputs({"export": learner_args.export})
    log = _read_learner_answers(learner_args)
    write_output(json_text(msgspec.to_builtins(log)) + "\n", learner_args.export)


def _delete_answers(learner_args: LearnerOptions, as_json: bool) -> None:
    """Delete all answers of a learner. Ask for confirmation first, unless --yes is set."""
    from passline.cli.school_prompt import open_learner_store
    from passline.play.prompt import clean_line, read_input
    from passline.school.answer_log import LearnerError

    store, learner = open_learner_store(learner_args.name)
    try:
        count = len(store.read(learner).answers)
        if not learner_args.yes:
            try:
                said = clean_line(
                    read_input(
                        f"Delete all {count} answers of {escape_unprintable(learner)}? (yes/no) "
                    )
                )
            except (EOFError, KeyboardInterrupt):
                said = ""
            if said.lower() not in ("y", "yes"):
                click.echo("Nothing was deleted.")
                return
        gone = store.delete(learner)
    except LearnerError as error:
        fail(str(error))
    if as_json:
        print_json({"learner": learner, "deleted": count if gone else 0})
    elif gone:
        click.echo(f"Deleted all {count} answers of {escape_unprintable(learner)}.")
    else:
        click.echo(f"There are no answers of {escape_unprintable(learner)}.")


def run_practice(
    learner_args: LearnerOptions,
    layout: Layout,
    level: int | None,
    count: int | None,
    in_dollars: bool,
) -> None:
    """Run a day's practice at the prompt."""
    from passline.cli.school_prompt import open_prompt_session, run_questions
    from passline.school.practice import pick_next_question
    from passline.school.repetition import build_deck
    from passline.signals import TERMINATION_SIGNALS, SignalGuard

    _read_learner_answers(learner_args)  # Reports unreadable lines once.
    with SignalGuard(*TERMINATION_SIGNALS) as signals:
        session = open_prompt_session(learner_args.name, in_dollars, learner_args.plain, signals)

        def deck() -> Deck:
            return build_deck(session.store.read(session.learner).answers)

        def following(tally: AnswerTally) -> PromptQuestion | None:
            from passline.cli.school_prompt import PromptQuestion
            from passline.school.questions import DrillSetup

            if not tally.kept or (count is not None and tally.asked >= count):
                return None  # An answer that is not stored would be asked again forever.
            found = pick_next_question(deck(), layout, session.clock.now(), level=level)
            if found is None:
                return None
            setup, lead = DrillSetup(layout, found.level), f"({found.why}) "
            return PromptQuestion(setup=setup, question=found.question, seed=found.seed, lead=lead)

        tally = run_questions(session, following)
        left = len(deck().due(session.clock.now(), layout.house.book.id))
    if left:
        click.echo(f"{left} still due.")
    elif not tally.quit and count is None:
        click.echo("That is all for today.")


MAX_QUESTIONS = 10_000
_DEFAULT_QUESTIONS = 10
_MAX_BYTES = 20_000_000
_WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})")


class DrillRequest(NamedTuple):
    """The questions that the options request: drill, setup, seed and how many."""

    drill: Drill
    setup: DrillSetup
    seed: str
    wanted: int | None

    def questions(self, many: int) -> tuple[Question, ...]:
        """Return the first ``many`` questions of the seed."""
        from passline.school.grading import make_questions
        from passline.school.questions import NoQuestionError

        try:
            return make_questions(self.drill, self.setup, self.seed, many)
        except NoQuestionError as error:
            fail(f"{self.drill.name}: {error}")


def run_drill(
    ask: DrillRequest,
    given: list[Any] | None,
    learner_args: LearnerOptions,
    dollars: bool,
    as_json: bool,
) -> None:
    """Grade a file of answers; without one, print the questions or ask them at the prompt."""
    if given is not None:
        _mark_drill(ask, given, as_json)
    elif as_json:
        _print_questions(ask)
    else:
        _ask_drill(ask, learner_args, dollars)


def _ask_drill(ask: DrillRequest, learner_args: LearnerOptions, dollars: bool) -> None:
    """Ask questions at the prompt: ten, or the number requested."""
    from passline.cli.school_prompt import drill_questions, open_prompt_session, run_questions
    from passline.signals import TERMINATION_SIGNALS, SignalGuard

    ask.questions(1)  # Fail early if the house has no questions.
    many = ask.wanted or _DEFAULT_QUESTIONS
    with SignalGuard(*TERMINATION_SIGNALS) as signals:
        session = open_prompt_session(learner_args.name, dollars, learner_args.plain, signals)
        run_questions(session, drill_questions(ask.setup, ask.drill, ask.seed, many))


def _mark_drill(ask: DrillRequest, given: list[Any], as_json: bool) -> None:
    from passline.school.grading import grade_answers

    many = ask.wanted or len(given) or _DEFAULT_QUESTIONS
    if len(given) > many:
        click.echo(f"{len(given) - many} more answers than questions; they are left out", err=True)
    _show_grades(grade_answers(ask.drill, ask.setup, ask.questions(many), given[:many]), as_json)


def read_answer_file(path: str, alone: bool) -> Any:
    """Return the JSON list of answers in a file. Unless ``alone``, the file may also be an object
    with that list.

    Numbers that are too large stay text, so that they are graded as wrong.
    """
    from passline.files import UnreadableError, read_text, show_path

    try:
        text = read_text(path, "list of answers", _MAX_BYTES, plain=False)
        found = json.loads(
            text, parse_int=_parse_integer, parse_float=_parse_float, parse_constant=str
        )
    except UnreadableError as error:
        fail(str(error))
    except RecursionError:
        fail(f"{show_path(path)} is nested too deep; expected a JSON list of answers")
    except ValueError as error:
        fail(f"{show_path(path)} is not JSON ({error}); expected a list of answers")
    if not isinstance(found, list) and (alone or not isinstance(found, dict)):
        fail(f"{show_path(path)} holds no list; expected a JSON list, one answer per question")
    if len(found) > MAX_QUESTIONS:
        fail(f"{len(found):,} answers: {MAX_QUESTIONS:,} at most")
    return found


def _parse_integer(text: str) -> int | float | str:
    return int(text) if len(text) < 20 else _parse_float(text)


def _parse_float(text: str) -> float | str:
    """Return the number in a JSON text, or the text itself if the number is infinite."""
    found = float(text)
    return found if math.isfinite(found) else text[:20]


def _print_questions(ask: DrillRequest) -> None:
    import msgspec

    rows = []
    for question in ask.questions(ask.wanted or _DEFAULT_QUESTIONS):
        row = msgspec.to_builtins(question)
        del row["drill"]
        rows.append(row)
    print_json(
        {
            "drill": ask.drill.name,
            "rulebook": ask.setup.house.book.id,
            "seed": seed_json(ask.seed),
            "level": ask.setup.level,
            "questions": rows,
        }
    )


def seed_json(seed: str) -> int | str:
    """Return a seed for JSON: a number if a whole number was typed, otherwise text."""
    return int(seed) if _WHOLE_NUMBER.fullmatch(seed) else seed


def _show_grades(graded: GradedAnswers, as_json: bool) -> None:
    if not as_json:
        from passline.cli.school_prompt import show_marks

        show_marks(graded)
        return
    results = [
        {"n": question.n, "right": grade.right, "because": grade.because}
        for question, grade in zip(graded.questions, graded.grades, strict=True)
    ]
    print_json({"right": graded.right, "of": len(graded.questions), "results": results})


_MAX_SEED_LENGTH = 64


@click.command(
    epilog="\b\nExamples:\n  passline school line-in-chips\n  passline school payoffs --level 2\n"
    "  passline school press --rulebook iowa --seed 7 --count 3 --json"
)
@click.argument("wanted", metavar="[LESSON|DRILL]", default="", shell_complete=complete_lesson)
@click.option("--syllabus", is_flag=True, help="List the lessons and what they teach.")
@click.option(
    "--rulebook",
    metavar="RULEBOOK|FILE",
    shell_complete=complete_rulebook,
    help="Default: dealer-school, or the lesson's own.",
)
@game_option
@election_option
@click.option(
    "--level", type=click.IntRange(1, 5), help="Difficulty; default: 1, in practice your own level."
)
@click.option("--seed", default="1", metavar="S", show_default=True, help="Choose the questions.")
@click.option(
    "--count",
    type=click.IntRange(1, MAX_QUESTIONS),
    metavar="N",
    help="Number of questions; default: 10.",
)
@click.option("--answers", metavar="FILE", help="Grade a JSON list of answers, one per question.")
@click.option("--dollars", is_flag=True, help="Show amounts beside the stacks.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of asking.")
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
    """Read a LESSON, answer the questions of a DRILL at the prompt, or grade a file of answers.

    Without either, list the lessons and drills. The same seed always gives the same
    questions. Your answers are stored under your name; --practice asks again what is due.
    --audition is the test.
    """
    learner_args = LearnerOptions(**wishes)
    _check_learner_options(learner_args, wanted, answers, as_json)
    if syllabus and learner_args.mode:
        fail(f"--syllabus can't be used with --{learner_args.mode}")
    if len(seed) > _MAX_SEED_LENGTH:
        fail(f"--seed: {_MAX_SEED_LENGTH} characters at most")
    if learner_args.mode in ("due", "progress", "export", "delete"):
        if rulebook is not None:
            fail(f"--{learner_args.mode} covers all rulebooks; leave out --rulebook")
        run_learner_mode(learner_args, as_json)
        return
    if syllabus or not (wanted or learner_args.mode):
        print_overview(wanted, syllabus, as_json)
        return
    if not learner_args.mode and not _is_drill(wanted):
        print_lesson(wanted, rulebook, game, options, dollars, as_json, learner_args.plain)
        return
    given = (
        read_answer_file(answers, alone=not learner_args.audition) if answers is not None else None
    )
    layout = _compile_house_layout(rulebook or SCHOOL_BOOK, game, options)
    if learner_args.mode == "practice":
        run_practice(learner_args, layout, level, count, dollars)
    elif learner_args.mode == "audition":
        audition(learner_args, layout, seed, given, as_json, dollars)
    else:
        from passline.school.drills import load_drill
        from passline.school.questions import DrillSetup

        setup = DrillSetup(layout, level or 1)
        ask = DrillRequest(drill=load_drill(wanted), setup=setup, seed=seed, wanted=count)
        run_drill(ask, given, learner_args, dollars, as_json)


def _check_learner_options(
    learner_args: LearnerOptions, name: str, answers: str | None, as_json: bool
) -> None:
    if name and learner_args.mode:
        fail(f"--{learner_args.mode} takes no lesson or drill")
    if learner_args.html is not None and not learner_args.audition:
        fail("--html writes the report of an audition; use it with --audition")
    if answers is not None and learner_args.mode not in ("", "audition"):
        fail(f"--answers goes with a drill or --audition, not with --{learner_args.mode}")
    if as_json and learner_args.practice:
        fail("--practice asks at the prompt; --due --json prints what is due")


def _is_drill(name: str) -> bool:
    from passline.school.drills import list_drill_names

    return name in list_drill_names()


def _compile_house_layout(
    rulebook: str, game: str | None, options: tuple[tuple[str, str], ...]
) -> Layout:
    from passline.game.house.load import house_for
    from passline.game.layout.compile import compile_layout

    with exit_on_house_error():
        return compile_layout(house_for(rulebook, game, options))


#: The keys of an answer in a file that comes with its time.
_ANSWER_KEYS = {"answer", "seconds"}


def audition(
    learner_args: LearnerOptions,
    layout: Layout,
    seed: str,
    answers: Any,
    as_json: bool,
    in_dollars: bool,
) -> None:
    """Print the questions of an audition, grade a file of answers, or ask at the prompt."""
    from passline.cli.files import check_outputs
    from passline.school.audition import make_audition
    from passline.school.questions import NoQuestionError

    check_outputs({"html": learner_args.html, "export": learner_args.export})
    try:
        held = make_audition(layout, seed)
    except NoQuestionError as error:
        fail(f"--audition: {error}")
    if answers is None and as_json:
        print_json(_audition_json(held, learner_args.minutes))
        return
    if answers is not None:
        report = _mark_answer_file(learner_args, layout, held, answers)
    else:
        report = _hold_at_prompt(learner_args, layout, held, in_dollars)
    _print_report(learner_args, report, as_json)


def _audition_json(held: Audition, minutes: float) -> dict[str, Any]:
    """Return the questions of an audition as JSON."""
    from passline.school.drills import load_drill

    found: dict[str, Any] = msgspec.to_builtins(held)
    found["seed"] = seed_json(held.seed)
    for question in found["questions"]:
        question["part"] = load_drill(question["drill"]).score_part
    return {"audition": held.digest, "minutes": minutes, **found}


def parse_given_answers(found: Any, most: int) -> list[TimedAnswer]:
    """Return the answers of a file in order.

    The file is a list, or ``{"answers": [...]}``. Each item is the answer itself, or ``{"answer":
    ..., "seconds": ...}``; the times may also be a list ``seconds`` of their own.
    """
    from passline.school.audition import TimedAnswer, read_seconds

    times: Any = []
    if isinstance(found, dict):
        found, times = found.get("answers"), found.get("seconds", [])
    if not isinstance(found, list):
        fail("--answers: expected a JSON list of answers, or an object with the key answers")
    if len(found) > most:
        tell(f"{len(found) - most} more answers than questions; they are left out")
    given = []
    for number, each in enumerate(found[:most]):
        seconds = times[number] if isinstance(times, list) and number < len(times) else None
        if isinstance(each, dict) and "answer" in each and each.keys() <= _ANSWER_KEYS:
            each, seconds = each["answer"], each.get("seconds", seconds)
        given.append(TimedAnswer(each, read_seconds(seconds)))
    return given


def _mark_answer_file(
    learner_args: LearnerOptions, layout: Layout, held: Audition, answers: Any
) -> AuditionReport:
    from passline.cli.school_prompt import CLOCK, open_learner_store
    from passline.school.audition import grade_audition, make_report

    given = parse_given_answers(answers, len(held.questions))
    scored = grade_audition(layout, held, given, learner_args.minutes)
    _, learner = open_learner_store(learner_args.name)
    ended: AuditionEnd = "time" if any(each.late for each in scored) else "finished"
    return make_report(
        held, scored, name=learner, at=CLOCK.now(), minutes=learner_args.minutes, ended=ended
    )


def _hold_at_prompt(
    learner_args: LearnerOptions, layout: Layout, held: Audition, in_dollars: bool
) -> AuditionReport:
    """Run an audition at the prompt. Nothing is graded before the end; every answer is stored."""
    from passline.cli.school_prompt import open_prompt_session
    from passline.school.audition import grade_audition, make_report
    from passline.signals import TERMINATION_SIGNALS, SignalGuard

    with SignalGuard(*TERMINATION_SIGNALS) as signals:
        session = open_prompt_session(learner_args.name, in_dollars, learner_args.plain, signals)
        clock = f"{learner_args.minutes:g} minutes" if learner_args.minutes else "no clock"
        count = len(held.questions)
        click.echo(f"Audition, seed {escape_unprintable(held.seed)}: {count} questions, {clock}.")
        click.echo("Answers are graded at the end. Type skip to skip a question, q to stop.")
        given, ended = _ask_audition(session, layout, held, learner_args.minutes)
        scored = grade_audition(layout, held, given, learner_args.minutes)
        return make_report(
            held,
            scored,
            name=session.learner,
            at=session.clock.now(),
            minutes=learner_args.minutes,
            ended=ended,
        )


def _ask_audition(
    session: PromptSession, layout: Layout, held: Audition, minutes: float
) -> tuple[list[TimedAnswer], AuditionEnd]:
    """Ask the questions and return the answers and how the audition ended."""
    from passline.cli.school_prompt import (
        QuitPromptError,
        print_lines,
        question_lines,
        read_typed_answer,
    )
    from passline.school.answer_log import make_answer_record
    from passline.school.audition import AUDITION_LEVEL, TimedAnswer
    from passline.school.drills import load_drill
    from passline.school.grading import grade_answer
    from passline.school.questions import DrillSetup

    setup, given, begun = (
        DrillSetup(layout, AUDITION_LEVEL),
        list[TimedAnswer](),
        session.clock.tick(),
    )

    def left() -> str:
        rest = max(0, int(minutes * 60 - (session.clock.tick() - begun)))
        return f"[{rest // 60}:{rest % 60:02d}] "

    for question in held.questions:
        asked = session.clock.tick()
        if minutes and asked - begun > minutes * 60:
            return given, "time"
        number = f"{question.n} of {len(held.questions)}. "
        print_lines(question_lines(setup, question, number, session.in_dollars, session.plain))
        try:
            answer = read_typed_answer(setup, question, left if minutes else None)
        except QuitPromptError:
            return given, "broken off"
        seconds = max(0.0, session.clock.tick() - asked)
        given.append(TimedAnswer(answer, seconds))
        grade = grade_answer(load_drill(question.drill), setup, question, answer)
        at = session.clock.now()
        session.keep(
            make_answer_record(question, grade, at=at, seconds=seconds, level=AUDITION_LEVEL)
        )
    late = minutes and sum(each.seconds or 0 for each in given) > minutes * 60
    return given, "time" if late else "finished"


def _print_report(learner_args: LearnerOptions, report: AuditionReport, as_json: bool) -> None:
    from passline.cli.files import write_output
    from passline.cli.school_prompt import print_lines
    from passline.school.audition import format_report

    if as_json:
        print_json(report.to_json())
    else:
        print_lines(format_report(report))
    if learner_args.html is not None:
        from passline.school.audition_html import render_report

        write_output(render_report(report), learner_args.html)
    if learner_args.export is not None:
        write_output(json_text(report.to_json()) + "\n", learner_args.export)
