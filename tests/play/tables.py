"""Tables to play at, with dice that are known beforehand."""

from __future__ import annotations

from collections.abc import Iterable

from passline.game.house.load import house_for
from passline.lab.strategies.load import load_strategy
from passline.play.display import Display
from passline.play.game import LocalGame, new_record
from passline.play.rail import RailPlayer
from passline.play.terminal_session import TerminalSession

Throw = tuple[int, int]


def game_at(
    book: str = "new-jersey",
    players: tuple[tuple[str, int], ...] = (("ann", 50_000),),
    game: str | None = None,
    options: tuple[tuple[str, str], ...] = (),
) -> LocalGame:
    """A game nobody has said anything in yet."""
    house = house_for(book, game, options)
    return LocalGame(new_record((book, ""), game or "", options, players), house)


def sit(
    book: str = "new-jersey",
    throws: Iterable[Throw] | None = (),
    rail: tuple[str, ...] = (),
    look: Display | None = None,
    game: str | None = None,
    options: tuple[tuple[str, str], ...] = (),
    bankroll: int = 50_000,
) -> TerminalSession:
    """Ann at a table; ``throws`` None: she types the dice in."""
    others = [
        RailPlayer(name, title, load_strategy(title).function)
        for name, title in zip(("sam", "kim", "lou"), rail, strict=False)
    ]
    players = (("ann", bankroll), *((other.name, 100_000) for other in others))
    dice = None if throws is None else iter(throws).__next__
    return TerminalSession(
        game_at(book, players, game, options), "ann", others, dice, look or Display()
    )


def play_lines(session: TerminalSession, *lines: str) -> list[str]:
    """What is shown for these lines, all together."""
    return [shown for line in lines for shown in session.handle_line(line)]


def words(session: TerminalSession, *lines: str) -> str:
    """The same as one text."""
    return "\n".join(play_lines(session, *lines))
