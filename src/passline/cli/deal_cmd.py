"""``passline deal``: a record in, what happened out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from passline.cli.common import fail

if TYPE_CHECKING:
    from passline.crew.report import Wanted

_LARGEST = 64 * 1024 * 1024


def _read(source: str) -> tuple[str, str, Path]:
    """The text of a record, the name to call it by, and the folder it lies in."""
    if source == "-":
        return _decoded(sys.stdin.buffer.read(_LARGEST + 1), "standard input"), "-", Path()
    path = Path(source)
    try:
        if path.is_dir():
            fail(f"{source} is a folder: expected a .craps record")
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except FileNotFoundError:
        fail(f"there is no file {source}")
    except OSError as wrong:
        fail(f"{source} cannot be read: {wrong.strerror}")
    return _decoded(data, source), source, path.parent


def _decoded(data: bytes, name: str) -> str:
    if len(data) > _LARGEST:
        fail(f"{name} is over {_LARGEST // 1024 // 1024} MB: too large for a record")
    if not data.strip():
        fail(f"{name} is empty: expected a record that begins with 'rulebook: ...'")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        fail(f"{name} is not UTF-8 text: expected a .craps record")


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
    from passline.crew.report import Wanted

    work = Wanted.of(post or "", end or "") if crew else None
    _check_style(style)
    text, name, folder = _read(file)
    from passline.talk.errors import RecordError

    try:
        refused = _deal(text, folder, as_json, work, style, canonical)
    except RecordError as wrong:
        where = f"{name}:{wrong.line}: " if wrong.line else f"{name}: "
        sys.stdout.flush()
        fail(where + wrong.message)
    else:
        sys.exit(1 if strict and refused else 0)


def _check_style(style: str | None) -> None:
    if style is None:
        return
    from passline.crew.styles import uses

    if style not in uses().styles:
        fail(f"--style {style!r}: expected {', '.join(uses().styles)}")


def _deal(
    text: str, folder: Path, as_json: bool, crew: Wanted | None, style: str | None, canonical: bool
) -> bool:
    """Deal and print; whether anything was refused."""
    from passline.record.houses import house_of
    from passline.record.read import read_record

    record = read_record(text)
    house = house_of(record, folder)
    if not as_json and not canonical:
        from passline.cli.deal_view import show

        return show(record, house, crew, style)
    from passline.record.deal import deal_record
    from passline.record.write import write_record

    dealt = deal_record(record, house)
    if canonical:
        click.echo(write_record(dealt), nl=False)
        return bool(dealt.refusals)
    import json
    from functools import partial

    from passline.crew.stick import call

    called = partial(call, style=style)
    if crew is not None:
        from passline.crew.report import crew_json

        whole = crew_json(dealt, called, crew)
    else:
        whole = dealt.to_json(called)
    click.echo(json.dumps(whole, indent=1))
    return bool(dealt.refusals)
