"""Opening a table: the first event, which tells the house in full and who stands where."""

from __future__ import annotations

from collections.abc import Sequence

from passline.house import House
from passline.house.terms import elections_of, terms_of
from passline.law.digest import digest_of
from passline.layout import lay_felt
from passline.table import events as ev
from passline.table.evolve import evolve
from passline.table.state import DEALERS, Table
from passline.version import VERSION

#: Places at a table: eight at each end. A record may seat more people than that.
PLACES = 16
_MOST_PLACES = 24


def places_of(table: Table) -> int:
    """How many places there are: sixteen, or as many as the table opened with more."""
    return PLACES if table.furthest <= PLACES else _MOST_PLACES


def spread(count: int) -> tuple[int, ...]:
    """The places of players who stand there when a table opens: the first half of them at the
    left end, the others at the right.

    >>> spread(3)
    (1, 2, 9)
    """
    places = PLACES if count <= PLACES else _MOST_PLACES
    left = (count + 1) // 2
    return (*range(1, left + 1), *range(places // 2 + 1, places // 2 + 1 + count - left))


def tell_opening(house: House, players: Sequence[str] = ()) -> ev.Opened:
    """The event that opens a table of a house with these players, nobody bought in yet."""
    if len({*players, DEALERS}) != len(players) + 1:
        raise ValueError("two players have the same name, or the dealers'")
    rules = house.book.shootout
    running = rules is not None and house.offers("shootout")
    places = zip(players, spread(len(players)), strict=True)
    return ev.Opened(
        house=ev.HouseTold(
            rulebook=house.book.id,
            game=house.game,
            name=house.name,
            elections=elections_of(house),
            terms=terms_of(house),
        ),
        digest=digest_of(house.book),
        version=VERSION,
        seats=tuple(ev.Place(name, name, place) for name, place in places),
        shootout=rules.start.value * 100 if rules and running else None,
    )


def bare_table(house: House) -> Table:
    """A table at which nothing has happened: what an opening is folded into."""
    return Table(layout=lay_felt(house))


def open_table(house: House, players: Sequence[str] = ()) -> Table:
    """A table with these players, nobody bought in yet.

    >>> from passline.house.files import house_for
    >>> [(seat.id, seat.place) for seat in open_table(house_for("iowa"), ("ann", "bob")).seats]
    [('ann', 1), ('bob', 9)]
    """
    return evolve(bare_table(house), tell_opening(house, players))
