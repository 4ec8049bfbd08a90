"""The posts of a table: who deals there, as the book's crew of the game and the house have it.

Relief: who takes over a post, and when.
"""

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
    """Who has a post, and the clause by which it is so."""

    who: str
    cite: str


def _crew_rules(house: House) -> CrewRules:
    return house.book.crew[house.game]


def count_base_dealers(house: House) -> tuple[int, str]:
    """How many base dealers there are: as the book has it, or the house elects; and the clause."""
    rule = _crew_rules(house).bases
    if rule is not None:
        return rule.value, rule.cite
    elected = house.elected(_BASE_DEALERS_KEY)
    assert isinstance(elected, int)
    return elected, house.book.elect[_BASE_DEALERS_KEY].choices.cite


def stick_post(house: House) -> Post:
    """Who has the stick: a stickperson, or the dealer where there is none."""
    rule = _crew_rules(house).stick
    return Post("stickperson" if rule.value else "base dealer", rule.cite)


def bank_post(house: House) -> Post:
    """Who watches the bank: a boxperson, or whoever does where the game or the house has none."""
    rules = _crew_rules(house)
    if rules.instead is not None and house.elected(_BOXPERSON_KEY) is False:
        return Post(rules.instead.value, rules.instead.cite)
    return Post(rules.bank.value, rules.bank.cite)


class AbsentPost(NamedTuple):
    """Why nobody has a post (a refusal's code), and the clause."""

    code: str
    cite: str


def find_absence(house: House, post: str) -> AbsentPost | None:
    """Why a post is not there; None: it is."""
    count, cite = count_base_dealers(house)
    if post in ("left base dealer", "right base dealer") and count == 1:
        return AbsentPost("one-base-dealer", cite)
    has = {"stickperson": stick_post(house), "boxperson": bank_post(house)}.get(post)
    if has is None or has.who == post:
        return None
    return AbsentPost("no-such-post", has.cite)


def present_roles(house: House, roles: tuple[Role, ...]) -> tuple[Role, ...]:
    """Those of some roles whom this house has at this game; a machine has no crew to ask for."""
    if house.game not in house.book.crew:
        return ()
    return tuple(role for role in roles if find_absence(house, role) is None)


def relieve_post(table: Table, ask: cmd.Relieve) -> Answer:
    """Somebody takes over a post.

    The engine settles a throw whole, so that with the dice in the center the work of the last one
    is done: what is left to ask is where they are.
    """
    if ask.post not in RELIEF_TITLES:
        raise ValueError(f"there is no post {ask.post!r}: the posts are {', '.join(RELIEF_TITLES)}")
    if dice_custody.is_automated(table):
        return dice_custody.refuse_machine_throws(table)
    rules = table.house.book.relief
    if ask.name in table.names:
        return refuse("plays-here", "custom: nobody deals to himself", name=ask.name)
    gone = find_absence(table.house, ask.post)
    if gone is not None:
        return refuse(gone.code, gone.cite, post=ask.post)
    rule = {"stickperson": rules.stickperson, "boxperson": rules.boxperson}.get(
        ask.post, rules.base
    )
    if table.dice.out and rule.value == "in-box":
        return refuse("relief-waits", rule.cite, post=ask.post)
    holds = ask.post == "boxperson" and rules.okay.value
    return (ev.Relieved(name=ask.name, post=ask.post, holds=holds, cite=rule.cite),)


def okay_dice(table: Table, ask: cmd.OkayDice) -> Answer:
    """The boxperson who came in lets the dice go."""
    cite = table.house.book.relief.okay.cite
    if not table.dice.held:
        return refuse("no-okay-needed", cite)
    if ask.by != "boxperson":
        return refuse("not-theirs-to-okay", cite, ["boxperson"], by=ask.by)
    return (ev.DiceOkayed(cite),)
