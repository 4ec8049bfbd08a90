"""Relief: who takes over a post, and when."""

from __future__ import annotations

from passline.law.roles import RELIEVED
from passline.layout import refuse
from passline.table import commands as cmd
from passline.table import custody
from passline.table import events as ev
from passline.table.events import Answer
from passline.table.posts import absent
from passline.table.state import Table


def relieve(table: Table, ask: cmd.Relieve) -> Answer:
    """Somebody takes over a post.

    The engine settles a throw whole, so that with the dice in the center the work of the last one
    is done: what is left to ask is where they are.
    """
    if ask.post not in RELIEVED:
        raise ValueError(f"there is no post {ask.post!r}: the posts are {', '.join(RELIEVED)}")
    if custody.automated(table):
        return custody.no_dice(table)
    rules = table.house.book.relief
    if ask.name in table.names:
        return refuse("plays-here", "custom: nobody deals to himself", name=ask.name)
    gone = absent(table.house, ask.post)
    if gone is not None:
        return refuse(gone.code, gone.cite, post=ask.post)
    rule = {"stickperson": rules.stickperson, "boxperson": rules.boxperson}.get(
        ask.post, rules.base
    )
    if table.dice.out and rule.value == "in-box":
        return refuse("relief-waits", rule.cite, post=ask.post)
    holds = ask.post == "boxperson" and rules.okay.value
    return (ev.Relieved(name=ask.name, post=ask.post, holds=holds, cite=rule.cite),)


def okay(table: Table, ask: cmd.OkayDice) -> Answer:
    """The boxperson who came in lets the dice go."""
    cite = table.house.book.relief.okay.cite
    if not table.dice.held:
        return refuse("no-okay-needed", cite)
    if ask.by != "boxperson":
        return refuse("not-theirs-to-okay", cite, ["boxperson"], by=ask.by)
    return (ev.DiceOkayed(cite),)
