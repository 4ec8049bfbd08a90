"""``passline lint``: check a house-rules file against its rulebook."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from passline.cli.common import election_option, exit_on_house_error, print_json

if TYPE_CHECKING:
    from passline.game.house.election_checks import Finding
    from passline.game.house.load import HouseFile


@click.command(
    epilog="\b\nExample:\n"
    "  printf 'rulebook = \"new-jersey\"\\nodds.multiple = 10\\n' | passline lint -"
)
@click.argument("file", metavar="FILE|-")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@election_option
def command(file: str, as_json: bool, options: tuple[tuple[str, str], ...]) -> None:
    """Check the house-rules FILE (- for standard input) against its rulebook.

    Exits 0 if the rulebook allows every setting, and 1 if not. Each setting that it does not allow
    is printed with what is allowed and the clause that says so.
    """
    with exit_on_house_error():
        house, findings = _lint(file, options)
    if as_json:
        from passline.game.house.load import describe_findings

        print_json(describe_findings(house, findings))
    else:
        _show(house, findings)
    sys.exit(1 if findings else 0)


def _lint(file: str, options: tuple[tuple[str, str], ...]) -> tuple[HouseFile, tuple[Finding, ...]]:
    from passline.game.house.load import (
        MAX_FILE_BYTES,
        lint_file,
        override_elections,
        parse_house_file,
        read_house_file,
    )

    if file == "-":
        house = parse_house_file(sys.stdin.buffer.read(MAX_FILE_BYTES + 1), "standard input")
    else:
        house = read_house_file(file)
    house = override_elections(house, options)
    return house, lint_file(house)


def _show(house: HouseFile, findings: tuple[Finding, ...]) -> None:
    count = len(house.elections)
    if not findings:
        click.echo(f"OK: {house.rulebook} allows every setting ({count}).")
        return
    for found in findings:
        click.echo(click.style(f"{found.key} = {found.value}", fg="red", bold=True))
        click.echo(f"  allowed: {found.allowed}")
        click.echo(f"  {', '.join(found.cites)}")
    click.echo(f"Not allowed by {house.rulebook}: {len(findings)}.")
