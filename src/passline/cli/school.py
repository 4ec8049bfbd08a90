"""The command ``passline school``: lessons, drills, practice, progress and auditions.

A drill is a set of questions; an audition is the final test. Both ask at the prompt, print their
questions as JSON, or grade a file of answers. This module reads options and files and prints
results; ``school_prompt`` asks questions and ``school_lessons`` shows lessons.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeVar

import click
import msgspec

from passline.cli import school_prompt as prompt
from passline.cli.common import (
    NumberRange,
    complete_lesson,
    complete_rulebook,
    election_option,
    exit_on_house_error,
    fail,
    game_option,
    json_text,
    print_error,
    print_json,
)
from passline.cli.files import check_outputs, force_option, write_output
from passline.cli.school_lessons import print_lesson, print_overview
from passline.files import UnreadableError, read_text, show_path
from passline.game.house.load import house_for
from passline.game.law.book_files import SCHOOL_BOOK
from passline.game.layout.compile import compile_layout
from passline.game.layout.spots import Layout
from passline.game.words.school import say_school
from passline.play import prompt as play_prompt
from passline.school.answer_log import AnswerLog, LearnerError
from passline.school.audition import (
    AUDITION_LEVEL,
    Audition,
    AuditionEnd,
    AuditionReport,
    TimedAnswer,
    format_report,
    grade_audition,
    make_audition,
    make_report,
    read_seconds,
)
from passline.school.audition_html import render_report
from passline.school.drill import Drill
from passline.school.drills import list_drill_names, load_drill
from passline.school.learning_path import GATE_ANSWERS, find_next_step, find_step_after, judge_gate
from passline.school.lessons.lesson_files import load_lessons
from passline.school.question_types import DrillSetup, NoQuestionError, Question
from passline.school.questions_and_grades import grade_answers, make_questions
from passline.text import escape_unprintable

_Command = TypeVar("_Command", bound=Callable[..., Any])
_MODES = ("due", "practice", "progress", "audition", "delete")
_SHARED_OPTIONS = (
    click.option("--dollars", is_flag=True, help="Show amounts beside the stacks."),
    click.option("--json", "as_json", is_flag=True, help="Print JSON instead of asking."),
    click.option(
        "--name", default="", metavar="NAME", help="The learner; default: your login name."
    ),
    click.option("--plain", is_flag=True, help="Words only, for a screen reader."),
    click.option("--flip", is_flag=True, help="Draw a lesson's layouts from the dealer's side."),
    click.option("--practice", is_flag=True, help="Practice: what is due, then new clauses."),
    click.option("--due", is_flag=True, help="Show what is due to be asked again."),
    click.option("--progress", is_flag=True, help="Show your progress by lesson and clause."),
    click.option(
        "--audition",
        is_flag=True,
        help="Practice the test that a casino gives; a server proctors the real one. Its JSON has "
        "answers only with --practice.",
    ),
    click.option(
        "--minutes",
        type=NumberRange(0, 240, float),
        default=15.0,
        show_default=True,
        help="Time for the audition, up to 240; 0: no limit, speed is not scored.",
    ),
    click.option("--html", metavar="FILE", help="Write the audition's report as a web page."),
    click.option("--export", metavar="FILE", help="Write your answers, or the report, as JSON."),
    click.option("--delete", is_flag=True, help="Delete all your answers."),
    click.option("--yes", is_flag=True, help="Delete without asking."),
)


class SchoolOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options that all modes of the command share: about output, the learner and the mode."""

    dollars: bool
    as_json: bool
    name: str
    plain: bool
    flip: bool
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
        """The mode that was chosen, such as ``due`` (list the questions to repeat); "" for none.

        Exit 2 for two modes, but ``--practice`` may be an option of ``--audition``.
        """
        wanted = [name for name in _MODES if getattr(self, name)]
        if wanted == ["practice", "audition"]:  # Practice for the audition: with its answers.
            return "audition"
        if len(wanted) > 1:
            fail(f"--{wanted[0]} and --{wanted[1]} can't be used together")
        return wanted[0] if wanted else "export" if self.export else ""

    def open_session(self) -> AbstractContextManager[prompt.PromptSession]:
        """Return a context manager that yields the learner's session at the prompt."""
        return prompt.open_prompt_session(self.name, self.dollars, self.plain)


def shared_options(command: _Command) -> _Command:
    """Add the options of ``SchoolOptions`` to a command."""
    for option in reversed(_SHARED_OPTIONS):
        command = option(command)
    return command


def _read_learner_answers(shared: SchoolOptions) -> AnswerLog:
    """Return a learner's answers. Exit 2 if they can't be read.

    Print a note about lines of the file that can't be read, and about a learner who has no answers.
    """
    store, learner = prompt.open_learner_store(shared.name)
    try:
        log = store.read(learner)
    except LearnerError as error:
        fail(str(error))
    if shared.name and not log.answers:
        near = get_close_matches(learner, store.list_learners(), 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        print_error(f"there are no answers of {learner}{hint}")
    if log.torn:
        lines = "1 line" if log.torn == 1 else f"{log.torn} lines"
        print_error(f"{lines} of {learner}'s answers can't be read and are left out")
    return log


def _show_due(shared: SchoolOptions) -> None:
    from passline.school.practice import summarize_due_cards
    from passline.school.repetition import build_deck

    log, now = _read_learner_answers(shared), prompt.CLOCK.now()
    found = summarize_due_cards(build_deck(log.answers), now, log.learner)
    learner = escape_unprintable(log.learner)
    if shared.as_json:
        print_json(found)
    elif not found["due"]:
        when = found["next"] and datetime.fromisoformat(found["next"]).astimezone(now.tzinfo)
        later = f"; the next is due at {when:%Y-%m-%d %H:%M}" if when else ""
        click.echo(f"Nothing is due for {learner}{later}.")
    else:
        click.echo(f"{found['due']} due for {learner}; to practice: passline school --practice")
        for name, count in found["drills"].items():
            click.echo(f"  {name:<10} {count}")


def _show_progress(shared: SchoolOptions) -> None:
    from passline.school.practice import build_progress
    from passline.school.repetition import build_deck

    log, now = _read_learner_answers(shared), prompt.CLOCK.now()
    deck = build_deck(log.answers)
    found = build_progress(deck, load_lessons(), now, learner=log.learner, torn=log.torn)
    if shared.as_json:
        print_json(msgspec.to_builtins(found))
        return
    learner = escape_unprintable(found.learner)
    click.echo(f"{learner}: {found.right} of {found.answers} answers right.")
    for lesson in found.lessons:
        known = f"{lesson.known} known of {lesson.clauses}, {lesson.seen} asked, {lesson.due} due"
        click.echo(f"  {lesson.id:<22} {known}")
    weak = sorted((c for c in found.clauses if not c.known), key=lambda c: (c.days, c.clause))[:10]
    if weak:
        click.echo("Least known:")
    for clause in weak:
        click.echo(f"  {clause.clause} in {clause.drill}: {clause.right} of {clause.of} right")


def _export_answers(shared: SchoolOptions) -> None:
    assert shared.export is not None
    check_outputs({"export": shared.export})
    log = _read_learner_answers(shared)
    write_output(json_text(msgspec.to_builtins(log)) + "\n", shared.export)


def _delete_answers(shared: SchoolOptions) -> None:
    """Delete all answers of a learner. Ask for confirmation first, unless --yes is set."""
    store, name = prompt.open_learner_store(shared.name)
    learner = escape_unprintable(name)
    try:
        count = len(store.read(name).answers)
        if not shared.yes and not _confirm(f"Delete all {count} answers of {learner}? (yes/no) "):
            click.echo("Nothing was deleted.")
            return
        gone = store.delete(name)
    except LearnerError as error:
        fail(str(error))
    if shared.as_json:
        print_json({"learner": name, "deleted": count if gone else 0})
    elif gone:
        click.echo(f"Deleted all {count} answers of {learner}.")
    else:
        click.echo(f"There are no answers of {learner}.")


def _confirm(question: str) -> bool:
    try:
        return play_prompt.clean_line(play_prompt.read_input(question)).lower() in ("y", "yes")
    except (EOFError, KeyboardInterrupt):
        return False


#: The modes that ask no questions.
_LEARNER_MODES = {
    "due": _show_due,
    "progress": _show_progress,
    "export": _export_answers,
    "delete": _delete_answers,
}


def run_practice(
    shared: SchoolOptions, layout: Layout, level: int | None, count: int | None
) -> None:
    """Ask at the prompt the questions that are due to be repeated, then new ones.

    ``level`` is the difficulty, by default the learner's own. Stop after ``count`` questions, or
    when the learner quits.
    """
    from passline.school.practice import pick_next_question
    from passline.school.repetition import Deck, build_deck

    _read_learner_answers(shared)  # Reports unreadable lines once.
    with shared.open_session() as session:

        def deck() -> Deck:
            return build_deck(session.store.read(session.learner).answers)

        def following(tally: prompt.AnswerTally) -> prompt.PromptQuestion | None:
            if not tally.stored or (count is not None and tally.answered >= count):
                return None  # An answer that is not stored would be asked again forever.
            found = pick_next_question(deck(), layout, session.clock.now(), level=level)
            if found is None:
                return None
            setup, seed = DrillSetup(layout, found.level), found.seed
            return prompt.PromptQuestion(setup, found.question, seed, lead=f"({found.why}) ")

        tally = prompt.run_questions(session, following)
        left = len(deck().list_due(session.clock.now(), layout.house.book.id))
    if left:
        click.echo(f"{left} still due.")
    elif not tally.quit and count is None:
        click.echo("That is all for today.")


MAX_QUESTIONS = 10_000
_DEFAULT_QUESTIONS = 10
_MAX_BYTES = 20_000_000
_WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})")


class DrillRequest(NamedTuple):
    """The questions of a drill that the options ask for.

    ``seed`` selects them, and ``wanted`` is how many; None means the default number.
    """

    drill: Drill
    setup: DrillSetup
    seed: str
    wanted: int | None

    def questions(self, many: int) -> tuple[Question, ...]:
        """Return the first ``many`` questions of the seed. Exit 2 if the house has none."""
        try:
            return make_questions(self.drill, self.setup, self.seed, many)
        except NoQuestionError as error:
            fail(f"{self.drill.name}: {error}")


def run_drill(ask: DrillRequest, given: list[Any] | None, shared: SchoolOptions) -> None:
    """Grade ``given``, the answers of a file.

    Without them, print the drill's questions as JSON or ask them at the prompt.
    """
    many = ask.wanted or _DEFAULT_QUESTIONS
    if given is not None:
        _mark_drill(ask, given, shared.as_json)
    elif shared.as_json:
        _print_questions(ask, ask.questions(many))
    else:
        ask.questions(1)  # Fail early if the house has no questions.
        with shared.open_session() as session:
            following = prompt.drill_questions(ask.setup, ask.drill, ask.seed, many)
            prompt.print_lines(_gate_lines(ask, prompt.run_questions(session, following)))


def _gate_lines(ask: DrillRequest, tally: prompt.AnswerTally) -> Iterator[str]:
    """Yield whether the learner has passed the drill's gate, and what to do next.

    The gate is 8 of 10 answers right and fast enough. Yield nothing before ten answers.
    """
    if tally.answered < GATE_ANSWERS:
        return
    passed, words = judge_gate(tally.at_pace, tally.answered)
    yield words
    book = ask.setup.house.book.id
    lessons = [lesson for lesson in load_lessons() if lesson.book == book] or load_lessons()
    after = find_step_after(lessons, "", ask.drill.name, ask.setup.level)
    yield f"Next: {after.command}" if passed else "Again, with another --seed."


def _mark_drill(ask: DrillRequest, given: list[Any], as_json: bool) -> None:
    many = ask.wanted or len(given) or _DEFAULT_QUESTIONS
    if len(given) > many:
        click.echo(f"{len(given) - many} more answers than questions; they are left out", err=True)
    graded = grade_answers(ask.drill, ask.setup, ask.questions(many), given[:many])
    if not as_json:
        prompt.show_marks(graded)
        return
    results = [
        {"n": question.n, "right": grade.right, "because": grade.because}
        for question, grade in zip(graded.questions, graded.grades, strict=True)
    ]
    print_json({"right": graded.right, "of": len(graded.questions), "results": results})


def read_answer_file(path: str, alone: bool) -> Any:
    """Return the JSON in a file of answers: a list or, unless ``alone``, an object with that list.

    Numbers that are too large stay text, so that they are graded as wrong.
    """
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


def _print_questions(ask: DrillRequest, questions: Iterable[Question]) -> None:
    rows = [
        {key: value for key, value in msgspec.to_builtins(question).items() if key != "drill"}
        for question in questions
    ]
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
    "--level",
    type=NumberRange(1, 5),
    help="Difficulty, 1 to 5; default: 1, in practice your own level.",
)
@click.option("--seed", default="1", metavar="S", show_default=True, help="Choose the questions.")
@click.option(
    "--count",
    type=NumberRange(1, MAX_QUESTIONS),
    metavar="N",
    help="Number of questions; default: 10.",
)
@click.option("--answers", metavar="FILE", help="Grade a JSON list of answers, one per question.")
@shared_options
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
    force: bool,
    **others: Any,
) -> None:
    """Read a LESSON, answer the questions of a DRILL at the prompt, or grade a file of answers.

    Without either, list the lessons and drills. The same seed always gives the same
    questions. Your answers are stored under your name; --practice asks again what is due.
    --audition is the test.
    """
    shared = SchoolOptions(**others)
    mode = shared.mode
    _check_options(shared, wanted, answers)
    if syllabus and mode:
        fail(f"--syllabus can't be used with --{mode}")
    if len(seed) > _MAX_SEED_LENGTH:
        fail(f"--seed: {_MAX_SEED_LENGTH} characters at most")
    if mode in _LEARNER_MODES:
        if rulebook is not None:
            fail(f"--{mode} covers all rulebooks; leave out --rulebook")
        _LEARNER_MODES[mode](shared)
        return
    if syllabus or not (wanted or mode):
        print_overview(wanted, syllabus, shared.as_json)
        if not syllabus and not shared.as_json:
            step = find_next_step(_read_learner_answers(shared).answers, load_lessons())
            prompt.print_lines([f"Next: {step.words}", f"  {step.command}"])
        return
    if not mode and wanted not in list_drill_names():
        house = (rulebook, game, options)
        print_lesson(wanted, house, shared.dollars, shared.as_json, shared.plain, shared.flip)
        return
    given = read_answer_file(answers, alone=not shared.audition) if answers is not None else None
    with exit_on_house_error():
        layout = compile_layout(house_for(rulebook or SCHOOL_BOOK, game, options))
    if mode == "practice":
        run_practice(shared, layout, level, count)
    elif mode == "audition":
        run_audition(shared, layout, seed, given)
    else:
        setup = DrillSetup(layout, level or 1)
        run_drill(DrillRequest(load_drill(wanted), setup, seed, wanted=count), given, shared)


def _check_options(shared: SchoolOptions, name: str, answers: str | None) -> None:
    mode = shared.mode
    if name and mode:
        fail(f"--{mode} takes no lesson or drill")
    if shared.html is not None and not shared.audition:
        fail("--html writes the report of an audition; use it with --audition")
    if answers is not None and mode not in ("", "audition"):
        fail(f"--answers goes with a drill or --audition, not with --{mode}")
    if mode == "audition" and shared.practice and not (shared.as_json and answers is None):
        fail("--audition --practice prints questions with their answers; add --json")
    if shared.as_json and mode == "practice":
        fail("--practice asks at the prompt; --due --json prints what is due")


#: The keys of an answer in a file that comes with its time.
_ANSWER_KEYS = {"answer", "seconds"}


def run_audition(shared: SchoolOptions, layout: Layout, seed: str, answers: Any) -> None:
    """Hold an audition (a test) at the prompt, and print its report.

    With ``answers``, the JSON of a file, grade those instead. With ``--json`` and no answers, only
    print the questions; ``--practice`` adds their answers.
    """
    check_outputs({"html": shared.html, "export": shared.export})
    try:
        audition = make_audition(layout, seed)
    except NoQuestionError as error:
        fail(f"--audition: {error}")
    if answers is None and shared.as_json:
        print_json(_audition_json(audition, shared.minutes, with_answers=shared.practice))
        return
    if answers is not None:
        report = _mark_answer_file(shared, layout, audition, answers)
    else:
        report = _hold_at_prompt(shared, layout, audition)
    if shared.as_json:
        print_json(report.to_json())
    else:
        prompt.print_lines(format_report(report))
    if shared.html is not None:
        write_output(render_report(report), shared.html)
    if shared.export is not None:
        write_output(json_text(report.to_json()) + "\n", shared.export)


#: The keys of a question that give its answer away.
_ANSWER_KEYS_OF_QUESTION = ("answer", "explain", "cite")


def _audition_json(audition: Audition, minutes: float, with_answers: bool) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(audition)
    found["seed"] = seed_json(audition.seed)
    for question in found["questions"]:
        question["part"] = load_drill(question["drill"]).score_part
        for key in () if with_answers else _ANSWER_KEYS_OF_QUESTION:
            del question[key]
    note = say_school("audition.practice")
    return {"audition": audition.digest, "minutes": minutes, "note": note, **found}


def parse_given_answers(found: Any, most: int) -> list[TimedAnswer]:
    """Return at most ``most`` answers of a file, in order; print a note if some are left out.

    The file is a list, or ``{"answers": [...]}``. Each item is the answer itself, or ``{"answer":
    ..., "seconds": ...}``; the times may also be a list ``seconds`` of their own.
    """
    times: Any = []
    if isinstance(found, dict):
        found, times = found.get("answers"), found.get("seconds", [])
    if not isinstance(found, list):
        fail("--answers: expected a JSON list of answers, or an object with the key answers")
    if len(found) > most:
        print_error(f"{len(found) - most} more answers than questions; they are left out")
    given = []
    for number, each in enumerate(found[:most]):
        seconds = times[number] if isinstance(times, list) and number < len(times) else None
        if isinstance(each, dict) and "answer" in each and each.keys() <= _ANSWER_KEYS:
            each, seconds = each["answer"], each.get("seconds", seconds)
        given.append(TimedAnswer(each, read_seconds(seconds)))
    return given


def _mark_answer_file(
    shared: SchoolOptions, layout: Layout, audition: Audition, answers: Any
) -> AuditionReport:
    given = parse_given_answers(answers, len(audition.questions))
    scored = grade_audition(layout, audition, given, shared.minutes)
    _, name = prompt.open_learner_store(shared.name)
    ended: AuditionEnd = "time" if any(each.late for each in scored) else "finished"
    at = prompt.CLOCK.now()
    return make_report(audition, scored, name=name, at=at, minutes=shared.minutes, ended=ended)


def _hold_at_prompt(shared: SchoolOptions, layout: Layout, audition: Audition) -> AuditionReport:
    """Run an audition at the prompt and return its report; every answer is stored.

    The learner sees no grade before the end.
    """
    minutes = shared.minutes
    with shared.open_session() as session:
        clock = f"{minutes:g} minutes" if minutes else "no clock"
        count, seed = len(audition.questions), escape_unprintable(audition.seed)
        click.echo(f"Audition, seed {seed}: {count} questions, {clock}.")
        click.echo(say_school("audition.practice"))
        click.echo("Answers are graded at the end. Type skip to skip a question, q to stop.")
        given, ended = _ask_audition(session, layout, audition, minutes)
        scored = grade_audition(layout, audition, given, minutes)
        name, at = session.learner, session.clock.now()
        return make_report(audition, scored, name=name, at=at, minutes=minutes, ended=ended)


def _ask_audition(
    session: prompt.PromptSession, layout: Layout, audition: Audition, minutes: float
) -> tuple[list[TimedAnswer], AuditionEnd]:
    """Ask the test's questions and return (answers, how it ended).

    ``minutes`` is the time limit; 0 means none.
    """
    setup, given = DrillSetup(layout, AUDITION_LEVEL), list[TimedAnswer]()
    begun, count = session.clock.tick(), len(audition.questions)

    def left() -> str:
        rest = max(0, int(minutes * 60 - (session.clock.tick() - begun)))
        return f"[{rest // 60}:{rest % 60:02d}] "

    for question in audition.questions:
        at = session.clock.tick()
        if minutes and at - begun > minutes * 60:
            return given, "time"
        asking = prompt.PromptQuestion(setup, question, lead=f"{question.n} of {count}. ")
        try:
            answered = prompt.ask_question(session, asking, at, left if minutes else None)
        except prompt.QuitPromptError:
            return given, "broken off"
        given.append(TimedAnswer(answered.answer, answered.seconds))
    late = minutes and sum(each.seconds or 0 for each in given) > minutes * 60
    return given, "time" if late else "finished"
