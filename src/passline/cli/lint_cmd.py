"""``passline lint``: does the rulebook allow what a house elected?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from passline.cli.common import election_option, house_errors, print_json

if TYPE_CHECKING:
    from passline.house.files import HouseFile
    from passline.house.lint import Finding


@click.command(
    epilog="\b\nExample:\n"
    "  printf 'rulebook = \"new-jersey\"\\nodds.multiple = 10\\n' | passline lint -"
)
@click.argument("file", metavar="FILE|-")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@election_option
def command(file: str, as_json: bool, options: tuple[tuple[str, str], ...]) -> None:
    """Check the house-rules FILE (- for standard input) against its rulebook.

    Exits 0 when the rulebook allows every election, and 1 when it does not: each that it does not
    allow is printed with what is allowed and the clause that says so.
    """
    with house_errors():
        house, findings = _lint(file, options)
    if as_json:
        from passline.house.files import lint_json

        print_json(lint_json(house, findings))
    else:
        _show(house, findings)
    sys.exit(1 if findings else 0)


def _lint(file: str, options: tuple[tuple[str, str], ...]) -> tuple[HouseFile, tuple[Finding, ...]]:
    from passline.house.files import (
        LARGEST_FILE,
        elect_over,
        lint_file,
        parse_house,
        read_house_file,
    )

    if file == "-":
        house = parse_house(sys.stdin.buffer.read(LARGEST_FILE + 1), "standard input")
    else:
        house = read_house_file(file)
    house = elect_over(house, options)
    return house, lint_file(house)


def _show(house: HouseFile, findings: tuple[Finding, ...]) -> None:
    count = len(house.elections)
    if not findings:
        click.echo(f"OK: {house.rulebook} allows every election ({count}).")
        return
    for found in findings:
        click.echo(click.style(f"{found.key} = {found.value}", fg="red", bold=True))
        click.echo(f"  allowed: {found.allowed}")
        click.echo(f"  {', '.join(found.cites)}")
    click.echo(f"Not allowed by {house.rulebook}: {len(findings)}.")
