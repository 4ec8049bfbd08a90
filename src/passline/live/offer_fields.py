"""The fields of what a post is offered: what may stand there now, and what is tried there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from msgspec import Struct

from passline.law import grounds
from passline.law.roles import BASE_DEALER, RELIEVED
from passline.live.live_table import LiveTable
from passline.money import show_dollars
from passline.record.table_lines import SIDES
from passline.table.custody import automated, set_size
from passline.table.opening import places_of
from passline.table.options import Option
from passline.table.posts import absent, base_dealers
from passline.table.throwing import OFF_TABLE
from passline.talk.says import money_words
from passline.words.refusals import inches
from passline.words.wagers import layout_name

#: What is tried where any text would do: a name that nobody has, a set's number.
SAMPLES: Final = {"name": "newcomer", "serial": "0000"}
#: A round sum of cash.
_CASH: Final = 100_00


class Offering(Struct, frozen=True, kw_only=True):
    """What the fields are about: a table at a time, the player who was picked (empty: nobody) and
    what he may bet."""

    live: LiveTable
    now: datetime
    player: str = ""
    bets: tuple[Option, ...] = ()


class Choice(NamedTuple):
    """One thing that may stand in a field; ``besides``: what other fields are tried with it."""

    value: str
    label: str
    besides: Mapping[str, str] = {}


def choices(of: Offering, field: str) -> tuple[Choice, ...]:
    """Everything that may stand in a field of this name; nothing: it is no choice, or there is
    none now."""
    found = _CHOICES.get(field)
    return tuple(found(of)) if found is not None else ()


def sample(of: Offering, field: str) -> str:
    """What a field is filled in with to begin with, and tried with."""
    house = of.live.table.house
    if field == "when":
        here = of.now.astimezone(ZoneInfo(of.live.settings.zone))
        return max(f"{here:%Y-%m-%d %H:%M}", of.live.table.now)
    if field == "sizes":
        return _measured(of)
    cents = {
        "cash": max(_CASH, house.minimum),
        "tip": house.rack.smallest,
        "low": house.minimum,
        "high": house.maximum,
    }.get(field)
    return money_words(cents) if cents is not None else SAMPLES.get(field, "1")


def _measured(of: Offering) -> str:
    """Each die of a set as it should be by the micrometer; empty: the book has no size."""
    rules = of.live.table.house.book.inspection
    size = rules.least or rules.most
    return " ".join([inches(size.value)] * set_size(of.live.table)) if size is not None else ""


def _worded(names: Iterable[str]) -> Iterator[Choice]:
    for name in dict.fromkeys(names):
        yield Choice(name, name.replace("-", " "))


def _of_book(kind: grounds.GroundsOf) -> Callable[[Offering], Iterator[Choice]]:
    return lambda of: _worded(one.name for one in kind(of.live.table.house.book))


def _of_any(kind: grounds.GroundsOf) -> Callable[[Offering], Iterator[Choice]]:
    """Where a book is silent the house may have its own reasons: those that some book has."""
    return lambda of: _worded(grounds.known_grounds(kind, of.live.table.house.book))


def _no_rolls(of: Offering) -> Iterator[Choice]:
    for choice in _of_book(grounds.for_no_roll)(of):
        yield choice
        if choice.value == OFF_TABLE:
            for side in SIDES:
                yield Choice(f"{OFF_TABLE} {side}", f"{choice.label}, {side}")


def _colours(of: Offering) -> Iterator[Choice]:
    for chip in of.live.table.house.rack.chips:
        yield Choice(chip.colour, chip.colour, {"cash": money_words(chip.value)})


def _late(of: Offering) -> Iterator[Choice]:
    for late in of.live.table.late:
        words = f"{late.player}, {layout_name(late.wager)} for {show_dollars(late.amount)}"
        yield Choice(f"{late.player} {late.wager}", words)


def _places(of: Offering) -> Iterator[Choice]:
    table = of.live.table
    taken = {seat.place for seat in table.playing}
    yield Choice("", "the lowest free")
    for place in range(1, places_of(table) + 1):
        if place not in taken:
            yield Choice(f"at {place}", str(place))


def _posts(of: Offering) -> Iterator[Choice]:
    house = of.live.table.house
    if automated(of.live.table):
        return
    both = base_dealers(house)[0] > 1
    for post in RELIEVED:
        if not (post == BASE_DEALER and both) and absent(house, post) is None:
            yield Choice(post, post)


def _limited(of: Offering) -> Iterator[Choice]:
    for slug, spot in of.live.table.layout.spots.items():
        low, high = money_words(spot.minimum), money_words(spot.maximum)
        yield Choice(slug, layout_name(slug), {"low": low, "high": high})


def _bets(of: Offering) -> Iterator[Choice]:
    for option in of.bets:
        if option.bar is None and option.verb in ("bet", "raise"):
            least = {"tip": money_words(option.least)}
            yield Choice(option.wager, layout_name(option.wager), least)


_CHOICES: Final[Mapping[str, Callable[[Offering], Iterable[Choice]]]] = {
    "ground": _no_rolls,
    "warned": _of_book(grounds.for_warning),
    "misdeed": _of_book(grounds.for_pass),
    "flaw": _of_any(grounds.for_flaw),
    "recall": _of_any(grounds.for_recall),
    "new": _of_any(grounds.for_new_dice),
    "late": _late,
    "asker": lambda of: _worded(of.live.table.colour),
    "colour": _colours,
    "spot": _bets,
    "place": _places,
    "ready": lambda of: _worded(of.live.table.dice.ready),
    "retired": lambda of: _worded(
        one for one in of.live.table.dice.retired if one not in of.live.table.dice.cancelled
    ),
    "post": _posts,
    "limited": _limited,
}
