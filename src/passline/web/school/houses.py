"""Whose game is asked: a rulebook's by its id, or that of a house file, as text."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec

from passline.house.files import house_for
from passline.law import book_ids
from passline.layout import Layout, lay_felt
from passline.live.asks import HallError, OpenAsked
from passline.live.opening import house_asked
from passline.school import Desk

SCHOOL: Final = "dealer-school"
#: Characters of a house file: it goes in an address, so that a drill can be handed on as a link.
LONGEST_HOUSE: Final = 6_000


class HouseSaid(msgspec.Struct, frozen=True):
    """A rulebook, or a house file on it: its text. Nobody reads files by these names."""

    rulebook: str = SCHOOL
    house: str = ""

    @property
    def query(self) -> dict[str, str]:
        """What says it in an address."""
        return {"house": self.house} if self.house else {"rulebook": self.rulebook}


def check_house(rulebook: str, house: str = "") -> HouseSaid:
    """The house that is asked for; a house file goes before a rulebook. HallError 400 where there
    is no such rulebook, or it does not allow such a house."""
    if not house.strip():
        if rulebook not in book_ids():
            raise HallError(400, f"there is no such rulebook: expected {', '.join(book_ids())}")
        return HouseSaid(rulebook)
    if len(house) > LONGEST_HOUSE:
        raise HallError(400, f"house: {LONGEST_HOUSE:,} characters at most")
    text = house.strip().replace("\r\n", "\n")
    return HouseSaid(felt_for(HouseSaid("", text)).house.book.id, text)


@lru_cache(32)
def felt_for(said: HouseSaid) -> Layout:
    """The felt of a house. HallError 400 where the books allow none such."""
    if said.house:
        return lay_felt(house_asked(OpenAsked(house=said.house)))
    return lay_felt(house_for(said.rulebook))


def desk_for(said: HouseSaid, level: int) -> Desk:
    """A house's felt at a level."""
    return Desk(felt_for(said), level)
