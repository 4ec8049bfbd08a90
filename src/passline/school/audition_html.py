"""Render the report of an audition as one printable HTML file that loads nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from passline.school.audition import AuditionReport, ScoredQuestion, format_answer

_STYLE = """
:root { color-scheme: light; }
body { font: 11pt/1.4 Georgia, 'Times New Roman', serif; color: #111; background: #fff;
  max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; } h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .8rem 0; }
dt { color: #444; } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
table.answers { table-layout: fixed; }
.answers .figure { width: 3rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .5rem;
  border-bottom: 1px solid #999; overflow-wrap: anywhere; }
td.figure, th.figure { text-align: right; white-space: nowrap; }
.mark { font-size: 1.3rem; font-weight: bold; border: 2px solid #111; display: inline-block;
  padding: .2rem .8rem; margin: .6rem 0; }
.wrong td:first-child { border-left: 4px solid #111; }
code { font-size: .85em; }
.sign { display: grid; grid-template-columns: 1fr 1fr; gap: 2rem; margin-top: 3rem; }
.sign p { border-top: 1px solid #111; padding-top: .2rem; }
@media print { body { margin: 0; max-width: none; } tr { break-inside: avoid; }
  thead { display: table-header-group; } h2 { break-after: avoid; } @page { margin: 15mm; } }
"""


def render_report(report: AuditionReport) -> str:
    """Return the report as an HTML page. All text in it is escaped."""
    return "\n".join(_render_page(report)) + "\n"


def _render_page(report: AuditionReport) -> Iterator[str]:
    title = f"Audition of {escape(report.name)}"
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title><style>{_STYLE}</style></head><body><main>"
    yield f"<h1>{title}</h1>"
    yield f'<p class="mark">{"Passed" if report.passed else "Not passed"}: '
    yield f"{report.score.total:g} of 100</p>"
    yield "<dl>"
    for name, value in _list_facts(report):
        yield f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>"
    yield "</dl>"
    yield from _render_score(report)
    yield from _render_missed(report)
    yield "<h2>Questions and answers</h2><table class='answers'><thead><tr>"
    yield "<th class='figure'>No.</th>"
    yield "<th>Question</th><th>Answer</th><th>Right answer</th><th class='figure'>Sec.</th>"
    yield "<th>Clauses</th></tr></thead><tbody>"
    for each in report.results:
        yield _render_row(each)
    yield "</tbody></table>"
    yield '<div class="sign"><p>Instructor, date</p><p>Dealer, date</p></div>'
    yield "</main></body></html>"


def _list_facts(report: AuditionReport) -> Iterator[tuple[str, str]]:
    of = len(report.results)
    yield "Date", report.date
    yield "Rulebook", f"{report.rulebook} ({report.house})"
    yield "Seed", report.seed
    yield "Clock", f"{report.minutes:g} minutes" if report.minutes else "none"
    yield "Ended", {"time": "by the clock"}.get(report.ended, report.ended)
    yield "Answered", f"{report.answered} of {of}; {sum(e.right for e in report.results)} right"
    yield "Pass mark", f"{report.pass_mark} of 100, and three payoffs of four right"
    yield "Program", f"Passline {report.version}, level {report.level}"
    yield "This audition", report.audition
    yield "This report", report.digest


def _render_score(report: AuditionReport) -> Iterator[str]:
    yield "<h2>Score</h2><table><thead><tr><th>Part</th><th class='figure'>Points</th>"
    yield "<th class='figure'>Of</th><th class='figure'>Right</th></tr></thead><tbody>"
    for part in report.score.parts:
        yield f"<tr><th scope='row'>{part.part.capitalize()}</th>"
        yield f"<td class='figure'>{part.points:g}</td><td class='figure'>{part.weight}</td>"
        yield f"<td class='figure'>{part.right} of {part.of}</td></tr>"
    yield "</tbody></table>"
    if not any(part.part == "speed" for part in report.score.parts):
        yield "<p>Speed is not scored: there was no clock.</p>"


def _render_missed(report: AuditionReport) -> Iterator[str]:
    yield "<h2>Clauses missed</h2>"
    if not report.missed:
        yield "<p>None.</p>"
        return
    yield "<table><thead><tr><th>Clause</th><th>What it rules</th><th>Questions</th></tr></thead>"
    yield "<tbody>"
    for missed in report.missed:
        numbers = ", ".join(map(str, missed.questions))
        yield f"<tr><td><code>{escape(missed.clause)}</code></td><td>{escape(missed.rule)}</td>"
        yield f"<td>{numbers}</td></tr>"
    yield "</tbody></table>"


def _render_row(each: ScoredQuestion) -> str:
    seconds = "" if each.seconds is None else f"{each.seconds:g}"
    sign = "right" if each.right else "late" if each.late else "wrong"
    sign = "not answered" if each.answer is None else sign
    cells = [
        f"<td class='figure'>{each.n}</td>",
        f"<td>{escape(each.drill)}: {escape(each.ask)}"
        f"<br><small>{escape(format_answer(each.given))}</small></td>",
        f"<td>{escape(format_answer(each.answer))}<br><strong>{sign}</strong></td>",
        f"<td>{escape(format_answer(each.correct))}</td>",
        f"<td class='figure'>{seconds}</td>",
        f"<td><code>{escape(', '.join(each.cite))}</code></td>",
    ]
    return f"<tr class='{'' if each.right else 'wrong'}'>{''.join(cells)}</tr>"
