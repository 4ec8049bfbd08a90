"""Render the report of an audition as one printable HTML document that loads nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from passline.game.words.html_documents import render_document
from passline.game.words.school import say_school
from passline.school.audition import (
    AuditionReport,
    ScoredQuestion,
    describe_speed,
    format_answer,
)


def render_report(report: AuditionReport) -> str:
    """Return the report as an HTML document. Raise MissingExtra if Jinja2 is not installed."""
    return render_document(
        "audition_report.html",
        "audition_report.css",
        report=report,
        facts=_list_facts(report),
        practice_note=say_school("audition.practice") if report.practice else "",
        format_answer=format_answer,
        describe_mark=_describe_mark,
        speed=describe_speed(report.score),
    )


def _describe_mark(each: ScoredQuestion) -> str:
    if each.answer is None:
        return say_school("audition.mark-none")
    if each.right:
        return say_school("audition.mark-right")
    return say_school("audition.mark-late" if each.late else "audition.mark-wrong")


def _list_facts(report: AuditionReport) -> Iterator[tuple[str, str]]:
    return ((say_school(code), text) for code, text in _find_facts(report))


def _find_facts(report: AuditionReport) -> Iterator[tuple[str, str]]:
    yield "audition.date", report.date
    yield "audition.rulebook", f"{report.rulebook} ({report.house})"
    if not report.practice:
        yield "audition.attempt", str(report.attempt)
    yield "audition.seed", report.seed
    minutes = say_school("audition.minutes", minutes=f"{report.minutes:g}")
    yield "audition.clock", minutes if report.minutes else say_school("audition.no-clock")
    yield (
        "audition.ended",
        say_school("audition.timed-out") if report.ended == "time" else report.ended,
    )
    right, of = sum(each.right for each in report.results), len(report.results)
    counts = {"answered": report.answered, "of": of, "right": right}
    yield "audition.answered", say_school("audition.counts", **counts)
    yield "audition.pass-mark", say_school("audition.mark", pass_mark=report.pass_mark)
    program = {"version": report.version, "level": report.level}
    yield "audition.program", say_school("audition.program-version", **program)
    yield "audition.audition", report.audition
    yield "audition.digest", report.digest
