"""The posts of a table: which ones a rulebook and a house have, and how they are relieved."""

from __future__ import annotations

from typing import NamedTuple

from passline.game.house.house import House
from passline.game.law.book import CrewRules
from passline.game.law.roles import RELIEF_TITLES, Role
from passline.game.layout.stakes import refuse
from passline.game.table import commands as cmd
from passline.game.table import dice_custody
from passline.game.table import events as ev
from passline.game.table.events import Answer
from passline.game.table.state import Table

_BASE_DEALERS_KEY, _BOXPERSON_KEY = "crew.base_dealers", "crew.boxperson"


class Post(NamedTuple):
    """Who holds a post: the role, and the clause that says so."""

    who: str
    cite: str


def _crew_rules(house: House) -> CrewRules:
    return house.book.crew[house.game]


def count_base_dealers(house: House) -> tuple[int, str]:
    """Return (number of base dealers, clause), by the book or by the house's election."""
    rule = _crew_rules(house).bases
    if rule is not None:
        return rule.value, rule.cite
    elected = house.elected(_BASE_DEALERS_KEY)
    assert isinstance(elected, int)
    return elected, house.book.elect[_BASE_DEALERS_KEY].choices.cite


def stick_post(house: House) -> Post:
    """Return who has the stick: a stickperson, or the base dealer if the game has none."""
    rule = _crew_rules(house).stick
    return Post("stickperson" if rule.value else "base dealer", rule.cite)


def bank_post(house: House) -> Post:
    """Return who watches the bank: a boxperson, or the role that replaces one."""
    rules = _crew_rules(house)
    if rules.instead is not None and house.elected(_BOXPERSON_KEY) is False:
        return Post(rules.instead.value, rules.instead.cite)
    return Post(rules.bank.value, rules.bank.cite)


class AbsentPost(NamedTuple):
    """Why a table does not have a post: a refusal code, and the clause."""

    code: str
    cite: str


def find_absence(house: House, post: str) -> AbsentPost | None:
    """Return why a table does not have this post, or None if it has it."""
    count, cite = count_base_dealers(house)
    if post in ("left base dealer", "right base dealer") and count == 1:
        return AbsentPost("one-base-dealer", cite)
    has = {"stickperson": stick_post(house), "boxperson": bank_post(house)}.get(post)
    if has is None or has.who == post:
        return None
    return AbsentPost("no-such-post", has.cite)


def present_roles(house: House, roles: tuple[Role, ...]) -> tuple[Role, ...]:
    """Return those of the given roles that work this game; a game dealt by a machine has none."""
    if house.game not in house.book.crew:
        return ()
    return tuple(role for role in roles if find_absence(house, role) is None)


def relieve_post(table: Table, command: cmd.Relieve) -> Answer:
    """Return the event of a person taking over a post, or a refusal.

    Raise ValueError for a post that no table has. A throw is settled in one step, so while the dice
    are in the center all work of the last throw is done; only the position of the dice is checked.
    """
    if command.post not in RELIEF_TITLES:
        raise ValueError(
            f"there is no post {command.post!r}: the posts are {', '.join(RELIEF_TITLES)}"
        )
    if dice_custody.is_automated(table):
        return dice_custody.refuse_machine_throws(table)
    rules = table.house.book.relief
    if command.name in table.names:
        return refuse("plays-here", "custom: nobody deals to himself", name=command.name)
    gone = find_absence(table.house, command.post)
    if gone is not None:
        return refuse(gone.code, gone.cite, post=command.post)
    rule = {"stickperson": rules.stickperson, "boxperson": rules.boxperson}.get(
        command.post, rules.base
    )
    if table.dice.out and rule.value == "in-box":
        return refuse("relief-waits", rule.cite, post=command.post)
    holds = command.post == "boxperson" and rules.okay.value
    return (ev.Relieved(name=command.name, post=command.post, holds=holds, cite=rule.cite),)


def okay_dice(table: Table, command: cmd.OkayDice) -> Answer:
    """Return the event of the new boxperson's OK, after which the dice may move, or a refusal."""
    cite = table.house.book.relief.okay.cite
    if not table.dice.held:
        return refuse("no-okay-needed", cite)
    if command.by != "boxperson":
        return refuse("not-theirs-to-okay", cite, ["boxperson"], by=command.by)
    return (ev.DiceOkayed(cite),)
