"""``passline school --audition``: the test at the prompt, as data, or of answers in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import msgspec

from passline.cli.common import fail, json_text, print_json, tell
from passline.cli.school_drill import shown_seed
from passline.cli.school_learner import LearnerWish
from passline.plain import plain

if TYPE_CHECKING:
    from passline.cli.school_prompt import Bench
    from passline.layout import Layout
    from passline.school.audition import Audition
    from passline.school.report import AuditionEnd, AuditionReport
    from passline.school.rubric import GivenAnswer

#: How each answer of a file may be wrapped, with its time.
_WRAPPED = {"answer", "seconds"}


def audition(
    wish: LearnerWish, felt: Layout, seed: str, answers: Any, as_json: bool, in_dollars: bool
) -> None:
    """Hold an audition: print its questions (``--json``), mark a file's answers, or ask."""
    from passline.cli.outputs import check_outputs
    from passline.school import NotAskedError
    from passline.school.audition import hold_audition

    check_outputs({"html": wish.html, "export": wish.export})
    try:
        held = hold_audition(felt, seed)
    except NotAskedError as wrong:
        fail(f"--audition: {wrong}")
    if answers is None and as_json:
        print_json(_as_data(held, wish.minutes))
        return
    if answers is not None:
        report = _marked(wish, felt, held, answers)
    else:
        report = _sat(wish, felt, held, in_dollars)
    _tell(wish, report, as_json)


def _as_data(held: Audition, minutes: float) -> dict[str, Any]:
    """The questions, for whoever answers them elsewhere."""
    from passline.school.rubric import part_of

    found: dict[str, Any] = msgspec.to_builtins(held)
    found["seed"] = shown_seed(held.seed)
    for question in found["questions"]:
        question["part"] = part_of(question["drill"])
    return {"audition": held.digest, "minutes": minutes, **found}


def read_given(found: Any, most: int) -> list[GivenAnswer]:
    """Answers in order, a list or ``{"answers": [...]}``: each as it is, or as ``{"answer": ...,
    "seconds": ...}``; seconds may stand in a list of their own."""
    from passline.school.rubric import GivenAnswer, read_seconds

    times: Any = []
    if isinstance(found, dict):
        found, times = found.get("answers"), found.get("seconds", [])
    if not isinstance(found, list):
        fail("--answers: expected a JSON list of answers, or an object with 'answers'")
    if len(found) > most:
        tell(f"{len(found) - most} answers more than questions: left out")
    given = []
    for number, each in enumerate(found[:most]):
        seconds = times[number] if isinstance(times, list) and number < len(times) else None
        if isinstance(each, dict) and "answer" in each and each.keys() <= _WRAPPED:
            each, seconds = each["answer"], each.get("seconds", seconds)
        given.append(GivenAnswer(each, read_seconds(seconds)))
    return given


def _marked(wish: LearnerWish, felt: Layout, held: Audition, answers: Any) -> AuditionReport:
    from passline.cli.school_prompt import CLOCK, kept_reviews
    from passline.school.report import file_report
    from passline.school.rubric import mark_audition

    given = read_given(answers, len(held.questions))
    scored = mark_audition(felt, held, given, wish.minutes)
    _, learner = kept_reviews(wish.name)
    ended: AuditionEnd = "time" if any(each.late for each in scored) else "finished"
    return file_report(
        held, scored, name=learner, at=CLOCK.now(), minutes=wish.minutes, ended=ended
    )


def _sat(wish: LearnerWish, felt: Layout, held: Audition, in_dollars: bool) -> AuditionReport:
    """The audition at the prompt: nothing is marked before the end, and every answer is kept."""
    from passline.cli.school_prompt import bench_of
    from passline.school.report import file_report
    from passline.school.rubric import mark_audition
    from passline.signals import ENDINGS, SignalGuard

    with SignalGuard(*ENDINGS) as signals:
        bench = bench_of(wish.name, in_dollars, wish.plain, signals)
        clock = f"{wish.minutes:g} minutes" if wish.minutes else "no clock"
        count = len(held.questions)
        click.echo(f"Audition, seed {plain(held.seed)}: {count} questions, {clock}.")
        click.echo("Nothing is marked before the end. skip leaves a question, q breaks off.")
        given, ended = _asked(bench, felt, held, wish.minutes)
        scored = mark_audition(felt, held, given, wish.minutes)
        return file_report(
            held,
            scored,
            name=bench.learner,
            at=bench.clock.now(),
            minutes=wish.minutes,
            ended=ended,
        )


def _asked(
    bench: Bench, felt: Layout, held: Audition, minutes: float
) -> tuple[list[GivenAnswer], AuditionEnd]:
    """What was answered, and how it ended. The clock runs on whatever is typed."""
    from passline.cli.school_prompt import QuitPromptError, hear_typed, show_lines
    from passline.cli.school_view import question_lines
    from passline.school import Desk, drill_named, mark_answer
    from passline.school.audition import LEVEL
    from passline.school.reviews import answered_to
    from passline.school.rubric import GivenAnswer

    desk, given, begun = Desk(felt, LEVEL), list[GivenAnswer](), bench.clock.tick()

    def left() -> str:
        rest = max(0, int(minutes * 60 - (bench.clock.tick() - begun)))
        return f"[{rest // 60}:{rest % 60:02d}] "

    for question in held.questions:
        asked = bench.clock.tick()
        if minutes and asked - begun > minutes * 60:
            return given, "time"
        number = f"{question.n} of {len(held.questions)}. "
        show_lines(question_lines(desk, question, number, bench.in_dollars, bench.plain))
        try:
            answer = hear_typed(desk, question, left if minutes else None)
        except QuitPromptError:
            return given, "broken off"
        seconds = max(0.0, bench.clock.tick() - asked)
        given.append(GivenAnswer(answer, seconds))
        mark = mark_answer(drill_named(question.drill), desk, question, answer)
        at = bench.clock.now()
        bench.keep(answered_to(question, mark, at=at, seconds=seconds, level=LEVEL))
    late = minutes and sum(each.seconds or 0 for each in given) > minutes * 60
    return given, "time" if late else "finished"


def _tell(wish: LearnerWish, report: AuditionReport, as_json: bool) -> None:
    from passline.cli.outputs import write_output
    from passline.cli.school_prompt import show_lines
    from passline.school.report import report_lines

    if as_json:
        print_json(report.to_json())
    else:
        show_lines(report_lines(report))
    if wish.html is not None:
        from passline.school.report_page import report_page

        write_output(report_page(report), wish.html)
    if wish.export is not None:
        write_output(json_text(report.to_json()) + "\n", wish.export)
