"""The posts of a table: who deals there, as the book's crew of the game and the house have it."""

from __future__ import annotations

from typing import NamedTuple

from passline.house import House
from passline.law.book import Crew
from passline.law.roles import Role

_BASES, _BOX = "crew.base_dealers", "crew.boxperson"


class Post(NamedTuple):
    """Who has a post, and the clause by which it is so."""

    who: str
    cite: str


def _crew(house: House) -> Crew:
    return house.book.crew[house.game]


def base_dealers(house: House) -> tuple[int, str]:
    """How many base dealers there are: as the book has it, or the house elects; and the clause."""
    rule = _crew(house).bases
    if rule is not None:
        return rule.value, rule.cite
    elected = house.elected(_BASES)
    assert isinstance(elected, int)
    return elected, house.book.elect[_BASES].choices.cite


def stick_post(house: House) -> Post:
    """Who has the stick: a stickperson, or the dealer where there is none."""
    rule = _crew(house).stick
    return Post("stickperson" if rule.value else "base dealer", rule.cite)


def bank(house: House) -> Post:
    """Who watches the bank: a boxperson, or whoever does where the game or the house has none."""
    rules = _crew(house)
    if rules.instead is not None and house.elected(_BOX) is False:
        return Post(rules.instead.value, rules.instead.cite)
    return Post(rules.bank.value, rules.bank.cite)


class Absent(NamedTuple):
    """Why nobody has a post (a refusal's code), and the clause."""

    code: str
    cite: str


def absent(house: House, post: str) -> Absent | None:
    """Why a post is not there; None: it is."""
    count, cite = base_dealers(house)
    if post in ("left base dealer", "right base dealer") and count == 1:
        return Absent("one-base-dealer", cite)
    has = {"stickperson": stick_post(house), "boxperson": bank(house)}.get(post)
    if has is None or has.who == post:
        return None
    return Absent("no-such-post", has.cite)


def at_work(house: House, roles: tuple[Role, ...]) -> tuple[Role, ...]:
    """Those of some roles whom this house has at this game; a machine has no crew to ask for."""
    if house.game not in house.book.crew:
        return ()
    return tuple(role for role in roles if absent(house, role) is None)
