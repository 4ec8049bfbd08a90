"""``passline lint``: check a house-rules file against its rulebook."""

from __future__ import annotations

import sys

import click

from passline.cli.common import (
    Elections,
    complete_file,
    election_option,
    example_epilog,
    fail,
    json_option,
    print_json,
)
from passline.game.house.load import (
    MAX_FILE_BYTES,
    HouseError,
    describe_findings,
    lint_file,
    override_elections,
    parse_house_file,
    read_house_file,
)
from passline.game.law.clauses import find_clause_book
from passline.game.law.load import rulebook


@click.command(
    epilog=example_epilog(
        "printf 'rulebook = \"new-jersey\"\\nodds.multiple = 10\\n' | passline lint -"
    )
)
@click.argument("file", metavar="FILE|-", shell_complete=complete_file)
@json_option
@election_option
def command(file: str, as_json: bool, options: Elections) -> None:
    """Check the house-rules FILE (- for standard input) against its rulebook.

    Exits 0 if the rulebook allows every setting, and 1 if not. Each setting that it does not allow
    is printed with what is allowed and the clause that says so.
    """
    try:
        if file == "-":
            house = parse_house_file(sys.stdin.buffer.read(MAX_FILE_BYTES + 1), "standard input")
        else:
            house = read_house_file(file)
        house = override_elections(house, options)
        findings = lint_file(house)
    except HouseError as error:
        fail(str(error))
    title = rulebook(house.rulebook).title
    if as_json:
        print_json(describe_findings(house, findings))
    elif not findings:
        click.echo(f"OK: {title} allows every setting ({len(house.elections)}).")
    else:
        for finding in findings:
            click.secho(f"{finding.key} = {finding.value}", fg="red", bold=True)
            click.echo(f"  allowed: {finding.allowed}")
            cites = [_show_cite(house.rulebook, cite) for cite in finding.cites]
            click.echo(f"  {', '.join(cites)}")
        click.echo(f"Not allowed by {title}: {len(findings)}.")
    sys.exit(1 if findings else 0)


def _show_cite(book_id: str, cite: str) -> str:
    """Return a citation, with the rulebook that the clause is inherited from, if any."""
    origin = find_clause_book(book_id, cite)
    return cite if origin == book_id else f"{cite} (from {origin})"
