"""Render the report of an audition as one printable HTML file that loads nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from passline.school.audition import (
    AuditionReport,
    MissedClause,
    PartScore,
    ScoredQuestion,
    format_answer,
)

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
td.wrong { border-left: 4px solid #111; }
code { font-size: .85em; }
.sign { display: grid; grid-template-columns: 1fr 1fr; gap: 2rem; margin-top: 3rem; }
.sign p { border-top: 1px solid #111; padding-top: .2rem; }
@media print { body { margin: 0; max-width: none; } tr { break-inside: avoid; }
  thead { display: table-header-group; } h2 { break-after: avoid; } @page { margin: 15mm; } }
"""


def render_report(report: AuditionReport) -> str:
    """Return the report as an HTML page. All text in it is escaped."""
    return "\n".join(_render_page(report)) + "\n"


def _tag(name: str, text: object, figure: bool = False) -> str:
    """Return an element with its text escaped; ``figure`` aligns it to the right."""
    return f"<{name}{' class=figure' if figure else ''}>{escape(str(text))}</{name}>"


def _render_table(heads: str, rows: Iterable[list[str]], kind: str = "") -> Iterator[str]:
    """Yield a table from its cells. A head with a star stands over figures."""
    names = (_tag("th", head.rstrip("*"), head.endswith("*")) for head in heads.split(", "))
    yield f"<table{kind}><thead><tr>{''.join(names)}</tr></thead><tbody>"
    yield from (f"<tr>{''.join(cells)}</tr>" for cells in rows)
    yield "</tbody></table>"


def _render_page(report: AuditionReport) -> Iterator[str]:
    title = f"Audition of {report.name}"
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"{_tag('title', title)}<style>{_STYLE}</style></head><body><main>"
    yield _tag("h1", title)
    yield f'<p class="mark">{"Passed" if report.passed else "Not passed"}: '
    yield f"{report.score.total:g} of 100</p><dl>"
    yield from (_tag("dt", name) + _tag("dd", value) for name, value in _list_facts(report))
    yield "</dl><h2>Score</h2>"
    yield from _render_table(
        "Part, Points*, Of*, Right*", map(_list_score_cells, report.score.parts)
    )
    if not any(part.part == "speed" for part in report.score.parts):
        yield "<p>Speed is not scored: there was no clock.</p>"
    yield "<h2>Clauses missed</h2>"
    if report.missed:
        heads = "Clause, What it rules, Questions"
        yield from _render_table(heads, map(_list_missed_cells, report.missed))
    else:
        yield "<p>None.</p>"
    yield "<h2>Questions and answers</h2>"
    heads = "No.*, Question, Answer, Right answer, Sec.*, Clauses"
    yield from _render_table(heads, map(_list_answer_cells, report.results), " class=answers")
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


def _list_score_cells(part: PartScore) -> list[str]:
    figures = (f"{part.points:g}", part.weight, f"{part.right} of {part.of}")
    name = f"<th scope=row>{part.part.capitalize()}</th>"
    return [name, *(_tag("td", figure, True) for figure in figures)]


def _list_missed_cells(missed: MissedClause) -> list[str]:
    numbers = ", ".join(map(str, missed.questions))
    clause = f"<td>{_tag('code', missed.clause)}</td>"
    return [clause, _tag("td", missed.rule), _tag("td", numbers)]


def _list_answer_cells(each: ScoredQuestion) -> list[str]:
    seconds = "" if each.seconds is None else f"{each.seconds:g}"
    sign = "right" if each.right else "late" if each.late else "wrong"
    sign = "not answered" if each.answer is None else sign
    given, ask = _tag("small", format_answer(each.given)), escape(f"{each.drill}: {each.ask}")
    return [
        f"<td class='figure{'' if each.right else ' wrong'}'>{each.n}</td>",
        f"<td>{ask}<br>{given}</td>",
        f"<td>{escape(format_answer(each.answer))}<br>{_tag('strong', sign)}</td>",
        _tag("td", format_answer(each.correct)),
        _tag("td", seconds, True),
        f"<td>{_tag('code', ', '.join(each.cite))}</td>",
    ]
