"""``passline duties``: what each post at the table has to do, clause by clause."""

from __future__ import annotations

import textwrap

import click

from passline.cli.common import (
    election_option,
    fail,
    house_command,
    json_option,
    print_json,
    source_argument,
)
from passline.game.house.house import House
from passline.game.law.clause_status import ClauseStatus, list_clause_statuses
from passline.game.law.duties import list_duties


@house_command("passline duties iowa --post stickperson")
@source_argument
@click.option("--post", metavar="POST", help="One post only, such as stickperson or base dealer.")
@json_option
@election_option
def command(house: House, post: str | None, as_json: bool) -> None:
    """Show what each post has to do under RULEBOOK, or at the house in a FILE.

    Lists every clause about procedure or equipment, and whether Passline carries it out.
    """
    book = house.book
    duties = list_duties(book.id)
    if not duties and not as_json:
        click.echo(f"{book.title} has no clauses about procedure: its crew works by custom.")
        return
    if post is not None:
        if post not in duties:
            posts = ", ".join(duties)
            fail(f"{book.title} has no duties for the post {post}. Its posts are {posts}.")
        duties = {post: duties[post]}
    statuses = {status.clause.id: status for status in list_clause_statuses(book.id)}
    listed = {who: [statuses[clause.id] for clause in does] for who, does in duties.items()}
    if as_json:
        print_json({who: [_duty_json(status) for status in does] for who, does in listed.items()})
        return
    for who, does in listed.items():
        click.echo(click.style(f"{who[0].upper()}{who[1:]}", bold=True))
        for status in does:
            lead = f"  {'·' if status.status == 'shown' else '*'} "
            text = f"{status.clause.rule} [{status.clause.id}]"
            click.echo(textwrap.fill(text, 78, initial_indent=lead, subsequent_indent="    "))
        click.echo()
    click.echo("* Passline carries this out; · shown for information")


def _duty_json(status: ClauseStatus) -> dict[str, str]:
    clause = status.clause
    return {
        "id": clause.id,
        "kind": clause.kind,
        "rule": clause.rule,
        "status": status.status,
        "where": status.where,
    }
