"""``passline deal``: a record in, what happened out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from passline.cli.common import fail
from passline.cli.records import opened_record

if TYPE_CHECKING:
    from passline.crew.report import WantedTasks


@click.command(
    epilog="\b\nExample:\n"
    "  printf 'rulebook: iowa\\nplayer: ann 100\\nann: pass for 10\\nroll 4 3\\n' | passline deal -"
)
@click.argument("file", metavar="FILE|-")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.option("--strict", is_flag=True, help="Exit 1 when anything was refused.")
@click.option("--crew", is_flag=True, help="What the crew does on every roll, step by step.")
@click.option(
    "--post",
    type=click.Choice(["stick", "box", "base", "left-base", "right-base", "supervisor"]),
    help="With --crew: the work of one post only.",
)
@click.option(
    "--end", type=click.Choice(["left", "right"]), help="With --crew: the work at one end only."
)
@click.option(
    "--style", metavar="STYLE", help="How the stick calls: school-a, school-b or iowa; by rulebook."
)
@click.option("--canonical", is_flag=True, help="Print the record in canonical words instead.")
def command(
    file: str,
    as_json: bool,
    strict: bool,
    crew: bool,
    post: str | None,
    end: str | None,
    style: str | None,
    canonical: bool,
) -> None:
    """Deal the table record in FILE (- for standard input).

    Every settlement and refusal names the clause that decides it.
    """
    if canonical and (as_json or crew):
        fail(f"--canonical and {'--json' if as_json else '--crew'} exclude each other")
    if (post or end) and not crew:
        fail(f"{'--post' if post else '--end'} goes with --crew")
    from passline.crew.report import WantedTasks

    work = WantedTasks.of(post or "", end or "") if crew else None
    _check_style(style)
    from passline.talk.errors import RecordError

    with opened_record(file) as (lines, name, folder):
        try:
            refused = _deal(lines, folder, as_json, work, style, canonical)
        except RecordError as wrong:
            where = f"{name}:{wrong.line}: " if wrong.line else f"{name}: "
            sys.stdout.flush()
            fail(where + wrong.message)
    sys.exit(1 if strict and refused else 0)


def _check_style(style: str | None) -> None:
    if style is None:
        return
    from passline.crew.styles import uses

    if style not in uses().styles:
        fail(f"--style {style!r}: expected {', '.join(uses().styles)}")


def _deal(
    texts: Iterator[str],
    folder: Path,
    as_json: bool,
    crew: WantedTasks | None,
    style: str | None,
    canonical: bool,
) -> bool:
    """Deal and print; whether anything was refused."""
    from msgspec.structs import replace

    from passline.crew.stick import call
    from passline.record.houses import house_of
    from passline.record.read import read_lines

    record, lines = read_lines(texts)
    house = house_of(record, folder)
    called = partial(call, style=style)
    if as_json and crew is None:
        from passline.cli.deal_json import print_dealt

        return print_dealt(record, lines, house, called)
    if not as_json and not canonical:
        from passline.cli.deal_view import show_dealt

        return show_dealt(record, lines, house, crew, style)
    from passline.record.deal import deal_record
    from passline.record.write import write_record

    dealt = deal_record(replace(record, lines=tuple(lines)), house)
    if canonical or crew is None:
        click.echo(write_record(dealt), nl=False)
        return bool(dealt.refusals)
    import json

    from passline.record.crew_report import crew_json

    click.echo(json.dumps(crew_json(dealt, called, crew), indent=1))
    return bool(dealt.refusals)
