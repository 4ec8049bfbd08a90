"""Clauses and counts for people: plain text, and colours where there is a terminal."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

import click

from passline.law.coverage import CoverageRow

_LABEL = 9
_NARROW, _WIDE = 60, 110
_FEW = 3
_COLOURS = {"enforced": "green", "modelled": "cyan", "shown": "yellow"}
_COLUMNS = ("kind", "clauses", "known", "enforced", "modelled", "shown", "tested")


def _width() -> int:
    return min(max(shutil.get_terminal_size((88, 24)).columns, _NARROW), _WIDE)


def _on_terminal() -> bool:
    return sys.stdout.isatty()


def _field(label: str, text: str, width: int) -> Iterator[str]:
    """A labelled paragraph, its later lines hanging under its first."""
    lead = f"  {label:<{_LABEL}}"
    yield from textwrap.wrap(
        text,
        width,
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _lesson(taught: dict[str, Any]) -> str:
    """Where a clause is taught, and by which drills it is asked."""
    asked = f", asked by {', '.join(taught['drills'])}" if taught["drills"] else ""
    return f"passline school {taught['lesson']}{asked}"


def _few(things: list[str]) -> list[str]:
    """The first of many things, and how many more there are."""
    if len(things) <= _FEW + 1:
        return things
    return [*things[:_FEW], f"and {len(things) - _FEW} more"]


def clause_lines(clause: dict[str, Any], width: int, whole: bool) -> Iterator[str]:
    """A clause in lines; ``whole``: with every place and test, however many."""
    yield from textwrap.wrap(
        clause["rule"], width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
    )
    if clause["figures"]:
        yield from _field("figures", clause["figures"], width)
    for label, texts in (
        ("where", clause["where"]),
        ("tests", clause["tests"]),
        ("lesson", [_lesson(taught) for taught in clause["lessons"]]),
    ):
        for index, text in enumerate(texts if whole else _few(texts)):
            yield from _field(label if index == 0 else "", text, width)
    for decision in clause["decisions"]:
        yield from _field("decided", f"{decision['question']}: {decision['decision']}", width)


def show_clauses(clauses: Sequence[dict[str, Any]], whole: bool) -> None:
    """Print clauses, a blank line between them."""
    width, terminal = _width(), _on_terminal()
    for index, clause in enumerate(clauses):
        if index:
            click.echo()
        _heading(clause, terminal)
        for line in clause_lines(clause, width, whole):
            click.echo(line)


def _heading(clause: dict[str, Any], terminal: bool) -> None:
    status = clause["status"]
    if not terminal:
        click.echo(f"{clause['id']}  ({clause['kind']}; {status})")
        return
    from rich.console import Console
    from rich.text import Text

    line = Text.assemble(
        (clause["id"], "bold"), f"  ({clause['kind']}; ", (status, _COLOURS[status]), ")"
    )
    Console(highlight=False).print(line, soft_wrap=True)


def _cells(row: CoverageRow) -> list[str]:
    return [str(getattr(row, column)) for column in _COLUMNS]


def show_coverage(rows: Sequence[CoverageRow], missing: Sequence[str]) -> None:
    """Print the counts, a table for each rulebook, and the clauses that lack a test."""
    for book in dict.fromkeys(row.rulebook for row in rows):
        own = [row for row in rows if row.rulebook == book]
        sums = ["all", *(str(sum(getattr(r, c) for r in own)) for c in _COLUMNS[1:])]
        _table(book, [*map(_cells, own), sums])
    for clause in missing:
        click.echo(f"no test holds {clause}")


def _table(title: str, rows: list[list[str]]) -> None:
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
