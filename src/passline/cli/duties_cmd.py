"""``passline duties``: what each post at the table has to do, clause by clause."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from passline.cli.common import election_option, fail, house_errors, print_json

if TYPE_CHECKING:
    from passline.law.status import Standing


@click.command(epilog="\b\nExample:\n  passline duties iowa --post stickperson")
@click.argument("source", metavar="RULEBOOK|FILE")
@click.option("--post", metavar="POST", help="One post only, such as stickperson or base dealer.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@election_option
def command(
    source: str, post: str | None, as_json: bool, options: tuple[tuple[str, str], ...]
) -> None:
    """Show what each post has to do under RULEBOOK, or at the house in a FILE.

    Every clause of procedure, and of how things look, with what carries it out here.
    """
    from passline.house.files import house_for
    from passline.law import BookError
    from passline.law.duties import duties
    from passline.law.status import standings

    with house_errors():
        book = house_for(source, options=options).book.id
    try:
        found = duties(book)
    except BookError as wrong:
        fail(str(wrong))
    if post is not None:
        if post not in found:
            fail(f"{book} has no duties for {post!r}: expected one of {', '.join(found)}")
        found = {post: found[post]}
    standing = {known.clause.id: known for known in standings(book)}
    listed = {who: [standing[clause.id] for clause in does] for who, does in found.items()}
    if as_json:
        print_json({who: [_row(known) for known in does] for who, does in listed.items()})
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
    click.echo("* carried out by the table or the crew; · shown here")


def _row(known: Standing) -> dict[str, str]:
    return {
        "id": known.clause.id,
        "kind": known.clause.kind,
        "rule": known.clause.rule,
        "status": known.status,
        "where": known.where,
    }
