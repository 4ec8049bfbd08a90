"""``passline law``: show a rulebook clause by clause, find clauses by word, count coverage."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

import click

from passline.cli.common import (
    complete_rulebook,
    election_option,
    exit_on_house_error,
    fail,
    print_json,
)
from passline.game.law.clause_status import CoverageRow
from passline.game.law.clauses import Clause

_KINDS = ("definition", "enforced", "payout", "option", "procedure", "physical")


def _find_book_id(source: str, options: tuple[tuple[str, str], ...]) -> str:
    """Return the id of the rulebook that ``source`` names. ``source`` is an id or a house-rules
    file.
    """
    from passline.game.house.load import house_for

    with exit_on_house_error():
        return house_for(source, options=options).book.id


def _is_within(clause_id: str, parent: str) -> bool:
    """Return whether a clause is ``parent`` itself or one of its parts.

    For example, ``1.4(b)/field`` and ``1.4(b)2`` are parts of ``1.4(b)``, but ``1.10`` is not a
    part of ``1.1``.
    """
    if not clause_id.startswith(parent):
        return False
    rest = clause_id[len(parent) :]
    return not (rest[:1].isdigit() and parent[-1:].isdigit()) and not (
        rest[:1].isalpha() and parent[-1:].isalpha()
    )


def _contains_words(clause: Clause, words: str) -> bool:
    text = f"{clause.id} {clause.rule} {clause.figures}".casefold()
    return all(word in text for word in words.casefold().split())


def _find_clause_ids(
    book_id: str, clause: str | None, kind: str | None, search: str | None
) -> list[str]:
    """Return the ids of the clauses to show, in the book's order. Exit with status 2 if there are
    none.
    """
    from passline.game.law.clause_status import suggest_clauses
    from passline.game.law.clauses import list_clauses

    every = list_clauses(book_id)
    found = [one for one in every if clause is None or _is_within(one.id, clause)]
    if clause is not None and not found:
        near = suggest_clauses(clause, [one.id for one in every])
        hint = f": the nearest are {'  '.join(near)}" if near else ""
        fail(
            f"{book_id} has no clause {clause!r}{hint}. "
            f"To find clauses by word: passline law {book_id} --search WORDS"
        )
    if search is not None:
        found = [one for one in found if _contains_words(one, search)]
        if not found:
            fail(f"no clause of {book_id} contains all of these words: {search}")
    return [one.id for one in found if kind is None or one.kind == kind]


def _print_coverage(book_ids: tuple[str, ...], as_json: bool) -> bool:
    """Print how many clauses have tests. Return whether every clause that decides something has
    one.
    """
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


@click.command(
    epilog="\b\nExamples:\n  passline law new-jersey '19:47-1.3(c)1'\n"
    "  passline law iowa --search 'place come-out'"
)
@click.argument(
    "rulebook", required=False, metavar="[RULEBOOK|FILE]", shell_complete=complete_rulebook
)
@click.argument("clause", required=False)
@click.option(
    "--search", metavar="WORDS", help="Only clauses that contain all of these words, in any order."
)
@click.option("--kind", type=click.Choice(_KINDS), help="Only clauses of this kind.")
@click.option("--coverage", is_flag=True, help="Count clauses by kind; exit 1 if one lacks a test.")
@election_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def command(
    rulebook: str | None,
    clause: str | None,
    search: str | None,
    kind: str | None,
    coverage: bool,
    options: tuple[tuple[str, str], ...],
    as_json: bool,
) -> None:
    """Show RULEBOOK clause by clause, or one CLAUSE with all of its parts.

    For each clause: the rule in our words, its status (enforced, modeled or shown), the file that
    implements it, the tests that hold it, the lesson that teaches it, and how a contradiction or a
    gap was settled.
    """
    from passline.game.law.book_files import BOOKS, BookError, book_ids

    if rulebook is None and not coverage:
        fail(f"name a rulebook ({', '.join(book_ids())}), or use --coverage for all of them")
    if coverage and not (clause is kind is search is None):
        fail("--coverage counts every clause: leave CLAUSE, --search and --kind out")
    try:
        book_id = _find_book_id(rulebook, options) if rulebook is not None else None
        if coverage:
            sys.exit(0 if _print_coverage((book_id,) if book_id else BOOKS, as_json) else 1)
        assert book_id is not None
        wanted = _find_clause_ids(book_id, clause, kind, search)
        _show(book_id, wanted, as_json, whole=len(wanted) == 1)
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
    """Yield a labelled paragraph; later lines are indented to the text."""
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
    """Return where a clause is taught and which drills ask about it."""
    asked = f", asked by {', '.join(taught['drills'])}" if taught["drills"] else ""
    return f"passline school {taught['lesson']}{asked}"


def _shorten_list(things: list[str]) -> list[str]:
    """Return the first few items, and a last one that counts the rest."""
    if len(things) <= _MAX_LISTED + 1:
        return things
    return [*things[:_MAX_LISTED], f"and {len(things) - _MAX_LISTED} more"]


def clause_lines(clause: dict[str, Any], width: int, whole: bool) -> Iterator[str]:
    """Yield the lines of a clause. With ``whole``, list every file and test; otherwise only the
    first few.
    """
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
