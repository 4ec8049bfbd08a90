"""Render the report of an audition as one printable HTML document that loads nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from passline.game.words.school import say_school
from passline.html_documents import render_document
from passline.school.audition import AuditionReport, ScoredQuestion, format_answer


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
    )


def _describe_mark(each: ScoredQuestion) -> str:
    if each.answer is None:
        return "not answered"
    return "right" if each.right else "late" if each.late else "wrong"


def _list_facts(report: AuditionReport) -> Iterator[tuple[str, str]]:
    of = len(report.results)
    yield "Date", report.date
    yield "Rulebook", f"{report.rulebook} ({report.house})"
    if not report.practice:
        yield "Attempt", str(report.attempt)
    yield "Seed", report.seed
    yield "Clock", f"{report.minutes:g} minutes" if report.minutes else "none"
    yield "Ended", {"time": "by the clock"}.get(report.ended, report.ended)
    yield "Answered", f"{report.answered} of {of}; {sum(e.right for e in report.results)} right"
    yield "Pass mark", say_school("audition.mark", pass_mark=report.pass_mark)
    yield "Program", f"Passline {report.version}, level {report.level}"
    yield "This audition", report.audition
    yield "This report", report.digest
