"""``passline law``: a rulebook clause by clause, and what became of each."""

from __future__ import annotations

import sys

import click

from passline.cli.common import election_option, fail, house_errors, print_json

_KINDS = ("definition", "enforced", "payout", "option", "procedure", "physical")


def _book_id(source: str, options: tuple[tuple[str, str], ...]) -> str:
    """The rulebook that an id or a house-rules file stands for."""
    from passline.house.files import house_for

    with house_errors():
        return house_for(source, options=options).book.id


def _clause_ids(book_id: str, clause: str | None, kind: str | None) -> list[str]:
    """The clauses asked for, in the book's order."""
    from passline.law.clauses import register
    from passline.law.showing import nearest_clauses

    every = register(book_id)
    if clause is not None and clause not in {one.id for one in every}:
        near = nearest_clauses(clause, [one.id for one in every])
        hint = f": the nearest are {'  '.join(near)}" if near else ""
        fail(f"{book_id} has no clause {clause!r}{hint}")
    return [
        one.id
        for one in every
        if (clause is None or one.id == clause) and (kind is None or one.kind == kind)
    ]


def _cover(book_ids: tuple[str, ...], as_json: bool) -> bool:
    """Print the counts; whether every clause that decides something is tested."""
    from passline.law.coverage import coverage, untested

    rows = [row for book_id in book_ids for row in coverage(book_id)]
    missing = [f"{book_id}:{clause}" for book_id in book_ids for clause in untested(book_id)]
    if as_json:
        import msgspec

        body = {"coverage": [msgspec.to_builtins(row) for row in rows], "untested": missing}
        print_json(body)
    else:
        from passline.cli.law_view import show_coverage

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
    from passline.law import BOOKS, BookError, book_ids

    if rulebook is None and not coverage:
        fail(f"which rulebook? One of {', '.join(book_ids())}, or --coverage for all of them")
    if coverage and (clause is not None or kind is not None):
        fail("--coverage counts every clause: leave CLAUSE and --kind out")
    try:
        book_id = _book_id(rulebook, options) if rulebook is not None else None
        if coverage:
            sys.exit(0 if _cover((book_id,) if book_id else BOOKS, as_json) else 1)
        assert book_id is not None
        _show(book_id, _clause_ids(book_id, clause, kind), as_json, whole=clause is not None)
    except BookError as wrong:
        fail(str(wrong))


def _show(book_id: str, wanted: list[str], as_json: bool, whole: bool) -> None:
    from passline.law.showing import clause_objects
    from passline.school.lessons import taught

    lessons = taught(book_id)
    found = [
        {**clause, "lessons": [one._asdict() for one in lessons.get(clause["id"], ())]}
        for clause in clause_objects(book_id, frozenset(wanted))
    ]
    if as_json:
        print_json([{**clause, "where": "; ".join(clause["where"])} for clause in found])
    else:
        from passline.cli.law_view import show_clauses

        show_clauses(found, whole)
