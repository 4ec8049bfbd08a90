"""What stands at the table besides wagers: bank, box, bowl or cup, boxes for cash and tokes."""

from __future__ import annotations

from collections.abc import Iterator

from passline.crew.placing import unused_in
from passline.felt.center import strip
from passline.felt.measures import Measures
from passline.felt.shapes import Point, at, rectangle
from passline.felt.where import cited, dead_bowl, notice_printed
from passline.felt.zones import Fixture, Print, fitted
from passline.table.posts import bank, stick_post

#: How far the bowl reaches from its middle.
BOWL = 23.0
DROP, TIP = "DROP", "TIPS"


def manned(m: Measures) -> bool:
    """Whether people deal here: a game that a machine deals has no crew."""
    return m.layout.house.game in m.layout.house.book.crew


def bowl_at(m: Measures, dead: bool = False) -> Point:
    """Where the bowl or cup stands: before the stick, against the wall with the mirror; on a dead
    game in the center, where the book has it so."""
    middle = m.center.center.x
    if dead and dead_bowl(m.layout.house.book.id):
        return strip(m, "props").center
    return at(middle, m.height - BOWL - 4)


def dice_at_rest(m: Measures) -> Point:
    """Where the dice lie between throws: in the center, before the box."""
    return strip(m, "box").center


def fixtures(m: Measures) -> Iterator[Fixture]:
    """Everything that stands there on any table of this house."""
    book, middle = m.layout.house.book.id, m.center.center.x
    bank_strip = strip(m, "bank")
    yield Fixture(
        kind="bank", at=bank_strip.center, cite=cited("bank", book), shape=bank_strip.outline()
    )
    blank = strip(m, "box")
    yield Fixture(kind="box", at=blank.center, cite=cited("bank", book), shape=blank.outline())
    if not manned(m):
        return
    for kind, words, side in (("drop-box", DROP, -1), ("tip-box", TIP, 1)):
        spot = at(middle + side * (m.center.width / 2 - 20), -22)
        shape = rectangle(spot.x - 20, spot.y - 9, spot.x + 20, spot.y + 9).outline(4, 4, 4, 4)
        yield Fixture(kind=kind, at=spot, cite=cited(kind, book), shape=shape, words=words)
    house = m.layout.house
    who = bank(house).who
    yield Fixture("post-box", at(middle, -22), cited("bank", book), words=who)
    yield Fixture(
        "post-stick", at(middle, m.height + 22), cited("stick", book), words=stick_post(house).who
    )
    for end in m.ends:
        name = "dealer" if len(m.ends) == 1 else "base dealer"
        spot = m.base_dealer(end).moved(0, -6)
        yield Fixture("post-base", spot, cited("base", book), words=name, end=end.name)
    holder = unused_in(book)
    place = bowl_at(m)
    yield Fixture(holder, place, cited(holder, book), round=BOWL)


def layout_notices(m: Measures) -> Iterator[Print]:
    """Whose layout it is; and that call bets are not taken, where a book wants that said there."""
    house, blank = m.layout.house, strip(m, "box")
    name = fitted(house.name, blank.center.moved(0, -blank.height * 0.35), 10, blank.width - 12)
    yield Print(text=name.text, at=name.at, size=name.size, kind="fine")
    if notice_printed(house.book.id):
        line = blank.center.moved(0, blank.height * 0.36)
        yield fitted("NO CALL BETS", line, 11, blank.width - 12, "fine")
