"""Tables to play at, with dice that are known beforehand."""

from __future__ import annotations

from collections.abc import Iterable

from passline.house.files import house_for
from passline.play import Game, Look, Other, Sitting, new_record
from passline.strategies import load_strategy

Throw = tuple[int, int]


def game_at(
    book: str = "new-jersey",
    players: tuple[tuple[str, int], ...] = (("ann", 50_000),),
    game: str | None = None,
    options: tuple[tuple[str, str], ...] = (),
) -> Game:
    """A game nobody has said anything in yet."""
    house = house_for(book, game, options)
    return Game(new_record((book, ""), game or "", options, players), house)


def sit(
    book: str = "new-jersey",
    throws: Iterable[Throw] | None = (),
    rail: tuple[str, ...] = (),
    look: Look | None = None,
    game: str | None = None,
    options: tuple[tuple[str, str], ...] = (),
    bankroll: int = 50_000,
) -> Sitting:
    """Ann at a table; ``throws`` None: she types the dice in."""
    others = [
        Other(name, title, load_strategy(title).function)
        for name, title in zip(("sam", "kim", "lou"), rail, strict=False)
    ]
    players = (("ann", bankroll), *((other.name, 100_000) for other in others))
    dice = None if throws is None else iter(throws).__next__
    return Sitting(game_at(book, players, game, options), "ann", others, dice, look or Look())


def told(sitting: Sitting, *lines: str) -> list[str]:
    """What is shown for these lines, all together."""
    return [shown for line in lines for shown in sitting.hear(line)]


def words(sitting: Sitting, *lines: str) -> str:
    """The same as one text."""
    return "\n".join(told(sitting, *lines))
