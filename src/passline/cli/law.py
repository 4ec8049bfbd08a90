"""``passline law``: a rulebook clause by clause, and what became of each.

Clauses and counts for people: plain text, and colours where there is a terminal.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

import click

from passline.cli.common import election_option, exit_on_house_error, fail, print_json
from passline.game.law.clause_status import CoverageRow

_KINDS = ("definition", "enforced", "payout", "option", "procedure", "physical")


def _find_book_id(source: str, options: tuple[tuple[str, str], ...]) -> str:
    """The rulebook that an id or a house-rules file stands for."""
    from passline.game.house.load import house_for

    with exit_on_house_error():
        return house_for(source, options=options).book.id


def _find_clause_ids(book_id: str, clause: str | None, kind: str | None) -> list[str]:
    """The clauses asked for, in the book's order."""
    from passline.game.law.clause_status import suggest_clauses
    from passline.game.law.clauses import list_clauses

    every = list_clauses(book_id)
    if clause is not None and clause not in {one.id for one in every}:
        near = suggest_clauses(clause, [one.id for one in every])
        hint = f": the nearest are {'  '.join(near)}" if near else ""
        fail(f"{book_id} has no clause {clause!r}{hint}")
    return [
        one.id
        for one in every
        if (clause is None or one.id == clause) and (kind is None or one.kind == kind)
    ]


def _print_coverage(book_ids: tuple[str, ...], as_json: bool) -> bool:
    """Print the counts; whether every clause that decides something is tested."""
    from passline.game.law.clause_status import count_coverage, list_untested_clauses

    rows = [row for book_id in book_ids for row in count_coverage(book_id)]
    missing = [
        f"{book_id}:{clause}" for book_id in book_ids for clause in list_untested_clauses(book_id)
    ]
    if as_json:
        import msgspec

        body = {"coverage": [msgspec.to_builtins(row) for row in rows], "untested": missing}
        print_json(body)
    else:
        show_coverage(rows, missing)
    return not missing


@click.command(epilog="Example: passline law new-jersey '19:47-1.3(c)1'")
@click.argument("rulebook", required=False, metavar="[RULEBOOK|FILE]")
@click.argument("clause", required=False)
@click.option("--kind", type=click.Choice(_KINDS), help="Only clauses of this kind.")
@click.option("--coverage", is_flag=True, help="Count clauses by kind; exit 1 if one lacks a test.")
@election_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def command(
    rulebook: str | None,
    clause: str | None,
    kind: str | None,
    coverage: bool,
    options: tuple[tuple[str, str], ...],
    as_json: bool,
) -> None:
    """Show RULEBOOK clause by clause, or one CLAUSE of it.

    Each clause comes in our words with its status (enforced, modelled or shown), the place that
    implements it, the tests that hold it, the lesson that teaches it, and what was decided where
    the rulebook slips.
    """
    from passline.game.law.book_files import BOOKS, BookError, book_ids

    if rulebook is None and not coverage:
        fail(f"which rulebook? One of {', '.join(book_ids())}, or --coverage for all of them")
    if coverage and (clause is not None or kind is not None):
        fail("--coverage counts every clause: leave CLAUSE and --kind out")
    try:
        book_id = _find_book_id(rulebook, options) if rulebook is not None else None
        if coverage:
            sys.exit(0 if _print_coverage((book_id,) if book_id else BOOKS, as_json) else 1)
        assert book_id is not None
        _show(book_id, _find_clause_ids(book_id, clause, kind), as_json, whole=clause is not None)
    except BookError as wrong:
        fail(str(wrong))


def _show(book_id: str, wanted: list[str], as_json: bool, whole: bool) -> None:
    from passline.game.law.clause_status import describe_clauses
    from passline.school.lessons.lesson_files import find_taught_clauses

    lessons = find_taught_clauses(book_id)
    found = [
        {**clause, "lessons": [one._asdict() for one in lessons.get(clause["id"], ())]}
        for clause in describe_clauses(book_id, frozenset(wanted))
    ]
    if as_json:
        print_json([{**clause, "where": "; ".join(clause["where"])} for clause in found])
    else:
        show_clauses(found, whole)


_LABEL_WIDTH = 9
_MIN_WIDTH, _MAX_WIDTH = 60, 110
_MAX_LISTED = 3
_STATUS_COLORS = {"enforced": "green", "modelled": "cyan", "shown": "yellow"}
_COLUMNS = ("kind", "clauses", "known", "enforced", "modelled", "shown", "tested")


def _terminal_width() -> int:
    return min(max(shutil.get_terminal_size((88, 24)).columns, _MIN_WIDTH), _MAX_WIDTH)


def _on_terminal() -> bool:
    return sys.stdout.isatty()


def _labelled_lines(label: str, text: str, width: int) -> Iterator[str]:
    """A labelled paragraph, its later lines hanging under its first."""
    lead = f"  {label:<{_LABEL_WIDTH}}"
    yield from textwrap.wrap(
        text,
        width,
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _lesson_words(taught: dict[str, Any]) -> str:
    """Where a clause is taught, and by which drills it is asked."""
    asked = f", asked by {', '.join(taught['drills'])}" if taught["drills"] else ""
    return f"passline school {taught['lesson']}{asked}"


def _shorten_list(things: list[str]) -> list[str]:
    """The first of many things, and how many more there are."""
    if len(things) <= _MAX_LISTED + 1:
        return things
    return [*things[:_MAX_LISTED], f"and {len(things) - _MAX_LISTED} more"]


def clause_lines(clause: dict[str, Any], width: int, whole: bool) -> Iterator[str]:
    """A clause in lines; ``whole``: with every place and test, however many."""
    yield from textwrap.wrap(
        clause["rule"], width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
    )
    if clause["figures"]:
        yield from _labelled_lines("figures", clause["figures"], width)
    for label, texts in (
        ("where", clause["where"]),
        ("tests", clause["tests"]),
        ("lesson", [_lesson_words(taught) for taught in clause["lessons"]]),
    ):
        for index, text in enumerate(texts if whole else _shorten_list(texts)):
            yield from _labelled_lines(label if index == 0 else "", text, width)
    for decision in clause["decisions"]:
        yield from _labelled_lines(
            "decided", f"{decision['question']}: {decision['decision']}", width
        )


def show_clauses(clauses: Sequence[dict[str, Any]], whole: bool) -> None:
    """Print clauses, a blank line between them."""
    width, terminal = _terminal_width(), _on_terminal()
    for index, clause in enumerate(clauses):
        if index:
            click.echo()
        _print_heading(clause, terminal)
        for line in clause_lines(clause, width, whole):
            click.echo(line)


def _print_heading(clause: dict[str, Any], terminal: bool) -> None:
    status = clause["status"]
    if not terminal:
        click.echo(f"{clause['id']}  ({clause['kind']}; {status})")
        return
    from rich.console import Console
    from rich.text import Text

    line = Text.assemble(
        (clause["id"], "bold"), f"  ({clause['kind']}; ", (status, _STATUS_COLORS[status]), ")"
    )
    Console(highlight=False).print(line, soft_wrap=True)


def _coverage_cells(row: CoverageRow) -> list[str]:
    return [str(getattr(row, column)) for column in _COLUMNS]


def show_coverage(rows: Sequence[CoverageRow], missing: Sequence[str]) -> None:
    """Print the counts, a table for each rulebook, and the clauses that lack a test."""
    for book in dict.fromkeys(row.rulebook for row in rows):
        own = [row for row in rows if row.rulebook == book]
        sums = ["all", *(str(sum(getattr(r, c) for r in own)) for c in _COLUMNS[1:])]
        _print_counts(book, [*map(_coverage_cells, own), sums])
    for clause in missing:
        click.echo(f"no test holds {clause}")


def _print_counts(title: str, rows: list[list[str]]) -> None:
    if _on_terminal():
        from rich.console import Console
        from rich.table import Table

        table = Table(*_COLUMNS, title=title, title_justify="left")
        for column in table.columns[1:]:
            column.justify = "right"
        for row in rows:
            table.add_row(*row)
        Console().print(table)
        return
    click.echo(title)
    for row in [list(_COLUMNS), *rows]:
        click.echo("  " + f"{row[0]:<11}" + "".join(f"{cell:>10}" for cell in row[1:]))
    click.echo()
