"""``passline duties``: what each post at the table has to do, clause by clause."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from passline.cli.common import (
    complete_rulebook,
    election_option,
    exit_on_house_error,
    fail,
    print_json,
)

if TYPE_CHECKING:
    from passline.game.law.clause_status import ClauseStatus


@click.command(epilog="\b\nExample:\n  passline duties iowa --post stickperson")
@click.argument("source", metavar="RULEBOOK|FILE", shell_complete=complete_rulebook)
@click.option("--post", metavar="POST", help="One post only, such as stickperson or base dealer.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@election_option
def command(
    source: str, post: str | None, as_json: bool, options: tuple[tuple[str, str], ...]
) -> None:
    """Show what each post has to do under RULEBOOK, or at the house in a FILE.

    Lists every clause about procedure or equipment, and whether Passline carries it out.
    """
    from passline.game.house.load import house_for
    from passline.game.law.book_files import BookError
    from passline.game.law.clause_status import list_clause_statuses
    from passline.game.law.procedures import list_duties

    with exit_on_house_error():
        book = house_for(source, options=options).book.id
    try:
        found = list_duties(book)
    except BookError as wrong:
        fail(str(wrong))
    if post is not None:
        if post not in found:
            fail(f"{book} has no duties for the post {post}. Its posts are {', '.join(found)}.")
        found = {post: found[post]}
    standing = {known.clause.id: known for known in list_clause_statuses(book)}
    listed = {who: [standing[clause.id] for clause in does] for who, does in found.items()}
    if as_json:
        print_json({who: [_duty_row(known) for known in does] for who, does in listed.items()})
        return
    for who, does in listed.items():
        click.echo(click.style(f"{who[0].upper()}{who[1:]}", bold=True))
        for known in does:
            mark = "·" if known.status == "shown" else "*"
            lines = textwrap.wrap(f"{known.clause.rule} [{known.clause.id}]", 74)
            click.echo(
                "\n".join(f"  {mark if not n else ' '} {line}" for n, line in enumerate(lines))
            )
        click.echo()
    click.echo("* Passline carries this out; · shown for information")


def _duty_row(known: ClauseStatus) -> dict[str, str]:
    return {
        "id": known.clause.id,
        "kind": known.clause.kind,
        "rule": known.clause.rule,
        "status": known.status,
        "where": known.where,
    }
