"""``passline law``: show a rulebook clause by clause, find clauses by word, count coverage."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

import click
import msgspec

from passline.cli.common import (
    Elections,
    complete_rulebook,
    election_option,
    example_epilog,
    fail,
    json_option,
    labeled_text,
    print_json,
    terminal_width,
)
from passline.game.house.load import house_for
from passline.game.law.book import Book
from passline.game.law.book_files import BOOKS, book_ids
from passline.game.law.clause_status import (
    count_coverage,
    describe_clauses,
    list_untested_clauses,
    suggest_clauses,
)
from passline.game.law.clauses import CLAUSE_KINDS, Clause, list_clauses
from passline.game.law.load import list_values
from passline.school.lessons.lesson_files import find_taught_clauses

_MAX_WIDTH = 110
_MAX_LISTED = 3
_STATUS_COLORS = {"enforced": "green", "modelled": "cyan", "shown": "yellow"}
#: What people read for a status that JSON spells in another way.
_STATUS_WORDS = {"modelled": "modeled"}
_COLUMNS = ("kind", "clauses", "known", "enforced", "modelled", "shown", "tested")


@click.command(
    epilog=example_epilog(
        "passline law new-jersey '19:47-1.3(c)1'",
        "passline law iowa --search 'place come-out'",
        "passline law new-jersey --values --search field",
    )
)
@click.argument(
    "rulebook", required=False, metavar="[RULEBOOK|FILE]", shell_complete=complete_rulebook
)
@click.argument("clause", required=False)
@click.option(
    "--search", metavar="WORDS", help="Only clauses that contain all of these words, in any order."
)
@click.option("--kind", type=click.Choice(CLAUSE_KINDS), help="Only clauses of this kind.")
@click.option(
    "--values", is_flag=True, help="Show every value: its clause or custom, and whose it is."
)
@click.option("--coverage", is_flag=True, help="Count clauses by kind; exit 1 if one lacks a test.")
@election_option
@json_option
def command(
    rulebook: str | None,
    clause: str | None,
    search: str | None,
    kind: str | None,
    values: bool,
    coverage: bool,
    options: Elections,
    as_json: bool,
) -> None:
    """Show RULEBOOK clause by clause, or one CLAUSE with all of its parts.

    For each clause: the rule in our words, its status (enforced, modeled or shown), the file that
    implements it, the tests that hold it, the lesson that teaches it, and how a contradiction or a
    gap was settled. A book that builds on another (based_on) also shows what it inherits.
    """
    if rulebook is None and not coverage:
        fail(f"name a rulebook ({', '.join(book_ids())}), or use --coverage for all of them")
    if coverage and not (clause is kind is search is None):
        fail("--coverage counts every clause: leave CLAUSE, --search and --kind out")
    if values and (coverage or clause or kind):
        fail("--values shows values, not clauses: leave CLAUSE, --kind and --coverage out")
    try:
        book = house_for(rulebook, options=options).book if rulebook is not None else None
        if book is None or coverage:
            sys.exit(0 if _print_coverage((book.id,) if book else BOOKS, as_json) else 1)
        if values:
            _print_values(book, search or "", as_json)
            return
        if not list_clauses(book.id) and not (clause or search or kind or as_json):
            click.echo(f"{book.title} has no published clauses. Its values are customs:\n")
            _print_values(book, "", as_json=False)
            return
        _print_clauses(book.id, _find_clause_ids(book, clause, kind, search), as_json)
    except ValueError as error:
        fail(str(error))


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
    book: Book, clause: str | None, kind: str | None, search: str | None
) -> list[str]:
    """Return the ids of the clauses to show, in the book's order.

    Exit 2 if no clause is ``clause`` or a part of it, or none has the words of ``search``.
    """
    every = list_clauses(book.id)
    clauses = [one for one in every if clause is None or _is_within(one.id, clause)]
    if clause is not None and not clauses:
        near = suggest_clauses(clause, [one.id for one in every])
        hint = f": the nearest are {'  '.join(near)}" if near else ""
        fail(
            f"{book.title} has no clause {clause!r}{hint}. "
            f"To find clauses by word: passline law {book.id} --search WORDS"
        )
    if search is not None:
        clauses = [one for one in clauses if _contains_words(one, search)]
        if not clauses:
            fail(f"no clause of {book.title} contains all of these words: {search}")
    return [one.id for one in clauses if kind is None or one.kind == kind]


def _print_clauses(book_id: str, wanted: list[str], as_json: bool) -> None:
    lessons = find_taught_clauses(book_id)
    clauses = [
        {**clause, "lessons": [one._asdict() for one in lessons.get(clause["id"], ())]}
        for clause in describe_clauses(book_id, frozenset(wanted))
    ]
    if as_json:
        print_json([{**clause, "where": "; ".join(clause["where"])} for clause in clauses])
        return
    width = terminal_width(_MAX_WIDTH)
    for index, clause in enumerate(clauses):
        status = clause["status"]
        status = click.style(_STATUS_WORDS.get(status, status), fg=_STATUS_COLORS[status])
        blank = "\n" if index else ""
        origin = "" if clause["book"] == book_id else f"; from {clause['book']}"
        name = click.style(clause["id"], bold=True)
        click.echo(f"{blank}{name}  ({clause['kind']}; {status}{origin})")
        for line in clause_lines(clause, width, whole=len(wanted) == 1):
            click.echo(line)


def _print_values(book: Book, search: str, as_json: bool) -> None:
    """Print the values of a book whose key path, value or citation has the words of ``search``.

    Exit 2 if there are none.
    """
    found = [
        one
        for one in list_values(book.id)
        if all(word in str(one).casefold() for word in search.casefold().split())
    ]
    if not found:
        fail(f"no value of {book.title} contains all of these words: {search}")
    if as_json:
        print_json([one._asdict() for one in found])
        return
    width = terminal_width(_MAX_WIDTH)
    for one in found:
        click.echo(f"{click.style(one.path, bold=True)} = {_show_value(one.value)}")
        origin = "" if one.book == book.id else f" ({one.book})"
        click.echo(labeled_text("", f"{one.cite}{origin}", width, 0))


def _show_value(value: object) -> str:
    """Return a value of a book on one line, as in TOML: lists in brackets, true and false."""
    return msgspec.json.encode(value).decode()


def _lesson_words(taught: dict[str, Any]) -> str:
    """Return the command that shows the lesson on a clause, and the drills that ask about it."""
    drills = f", asked by {', '.join(taught['drills'])}" if taught["drills"] else ""
    return f"passline school {taught['lesson']}{drills}"


def _shorten_list(things: list[str]) -> list[str]:
    """Return the first few items, and a last one that counts the rest."""
    if len(things) <= _MAX_LISTED + 1:
        return things
    return [*things[:_MAX_LISTED], f"and {len(things) - _MAX_LISTED} more"]


def clause_lines(clause: dict[str, Any], width: int, whole: bool) -> Iterator[str]:
    """Yield the lines of a clause (a dict of ``describe_clauses``), wrapped to ``width``.

    Without ``whole``, list only the first few files and tests.
    """
    yield from textwrap.wrap(
        clause["rule"], width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
    )
    for label, texts in (
        ("figures", [clause["figures"]] if clause["figures"] else []),
        ("where", clause["where"]),
        ("tests", clause["tests"]),
        ("lesson", [_lesson_words(taught) for taught in clause["lessons"]]),
    ):
        for index, text in enumerate(texts if whole else _shorten_list(texts)):
            yield labeled_text("" if index else label, text, width, 9)
    for decision in clause["decisions"]:
        text = f"{decision['question']}: {decision['decision']}"
        yield labeled_text("decided", text, width, 9)


def _print_coverage(books: Sequence[str], as_json: bool) -> bool:
    """Print how many clauses of each kind have tests.

    Return whether every clause that affects the game has one.
    """
    rows = [row for book_id in books for row in count_coverage(book_id)]
    untested = [
        f"{book_id}:{clause}" for book_id in books for clause in list_untested_clauses(book_id)
    ]
    if as_json:
        print_json({"coverage": msgspec.to_builtins(rows), "untested": untested})
        return not untested
    for book_id in books:
        own = [row for row in rows if row.rulebook == book_id]
        click.secho(book_id, bold=True)
        _print_counts([_STATUS_WORDS.get(column, column) for column in _COLUMNS])
        for row in own:
            _print_counts([getattr(row, column) for column in _COLUMNS])
        _print_counts(["all", *(sum(getattr(r, column) for r in own) for column in _COLUMNS[1:])])
        click.echo()
    for clause in untested:
        click.echo(f"no test holds {clause}")
    return not untested


def _print_counts(cells: Sequence[object]) -> None:
    click.echo(f"  {cells[0]:<11}" + "".join(f"{cell:>10}" for cell in cells[1:]))
