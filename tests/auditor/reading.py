"""The auditor's own reader of records: canonical says and the plain lines of the table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple


class Line(NamedTuple):
    """One line of play: its number, who speaks (or nobody) and what is said."""

    number: int
    player: str
    says: tuple[str, ...]


class Game(NamedTuple):
    """A record, read."""

    rulebook: str
    game: str
    elections: dict[str, str]
    players: list[tuple[str, int]]
    lines: list[Line]


@cache
def cents(text: str) -> int:
    """Dollars as typed: ``12`` or ``12.50``."""
    whole, _, part = text.partition(".")
    return int(whole) * 100 + int(part.ljust(2, "0") or 0)


@cache
def dollars(amount: int) -> str:
    """Two places, as the JSON has them."""
    sign = "-" if amount < 0 else ""
    return f"{sign}{abs(amount) // 100}.{abs(amount) % 100:02d}"


def read(text: str) -> Game:
    """Header and lines."""
    rulebook = game = ""
    elections: dict[str, str] = {}
    players: list[tuple[str, int]] = []
    lines: list[Line] = []
    for number, bare in _bare_lines(text):
        key, colon, value = (part.strip() for part in bare.partition(":"))
        if colon and key == "rulebook":
            rulebook = value
        elif colon and key == "game":
            game = value
        elif colon and key == "player":
            name, buy_in = value.split()
            players.append((name, cents(buy_in)))
        elif colon and key.startswith("house."):
            elections[key.removeprefix("house.")] = value
        elif colon and " " not in key:
            says = tuple(say.strip() for say in value.split(";"))
            lines.append(Line(number, key, says))
        else:
            lines.append(Line(number, "", (bare,)))
    return Game(rulebook=rulebook, game=game, elections=elections, players=players, lines=lines)


def _bare_lines(text: str) -> Iterator[tuple[int, str]]:
    for number, raw in enumerate(text.splitlines(), 1):
        bare = raw.partition("#")[0].strip()
        if bare:
            yield number, bare
