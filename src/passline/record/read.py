"""Reading a record: header and lines. What the words mean is decided later, at the table."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection

import msgspec

from passline.money import AmountError, parse_dollars
from passline.talk.errors import RecordError

_NAME = re.compile(r"[^\W\d_][\w'-]{0,39}")
_HEADER = ("rulebook", "game", "house", "player")
#: Words that begin lines of their own and so cannot name a player.
RESERVED = frozenset(
    [
        "roll",
        "no",
        "new",
        "ruling",
        "clock",
        "rulebook",
        "game",
        "house",
        "player",
        "dealer",
        "stickperson",
        "boxperson",
        "floorperson",
        "supervisor",
        "stickman",
        "boxman",
    ]
)
_LONGEST_LINE = 2000
#: Places at the longest tables, with some to spare.
_MOST_PLAYERS = 24


class Player(msgspec.Struct, frozen=True):
    """A seat of the header, with its buy-in in cents and the line it stood on."""

    name: str
    amount: int
    line: int


class Line(msgspec.Struct, frozen=True):
    """A line of play: what a player says, or (no player) what happens at the table."""

    number: int
    text: str
    player: str = ""
    says: tuple[str, ...] = ()


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A game as text, read but not yet dealt."""

    rulebook: str
    game: str = ""
    house: str = ""
    elections: tuple[tuple[str, str], ...] = ()
    players: tuple[Player, ...]
    lines: tuple[Line, ...]
    #: The line of each header key, for saying where something is wrong.
    where: dict[str, int] = {}


def _lines(text: str) -> list[str]:
    """Lines as an editor counts them: other characters that could part text do not end one."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _bare(line: str) -> str:
    return line.split("#", 1)[0].strip()


def read_record(text: str) -> Record:
    """Read a record's text.

    >>> record = read_record("rulebook: iowa\\nplayer: ann 500\\n\\nann: pass for 10; field for 5")
    >>> record.players[0].amount, record.lines[0].says
    (50000, ('pass for 10', 'field for 5'))
    """
    if "\0" in text:
        raise RecordError("this is not text: a record is UTF-8 text, one thing a line")
    header: dict[str, str] = {}
    where: dict[str, int] = {}
    elections: list[tuple[str, str]] = []
    players: list[Player] = []
    lines: list[Line] = []
    names: set[str] = set()
    for number, raw in enumerate(_lines(text), 1):
        bare = _bare(raw)
        if not bare:
            continue
        if len(bare) > _LONGEST_LINE:
            raise RecordError(f"a line of {len(bare)} characters; {_LONGEST_LINE} at most", number)
        key, colon, value = bare.partition(":")
        key = key.strip()
        if colon and (key in _HEADER or key.startswith("house.")):
            if lines:
                raise RecordError(f"'{key}:' is a header line: header lines come first", number)
            _header_line(key, value.strip(), number, header, elections, players)
            names.update(player.name for player in players[-1:])
            where[key] = number
        else:
            line = _play_line(bare, key, bool(colon), value, number, names)
            if joins := _JOINS.match(line.text):
                names.add(joins[1])
            lines.append(line)
    return _whole(header, elections, players, lines, where)


_JOINS = re.compile(r"(\S+) joins for \S+", re.IGNORECASE)


def _header_line(
    key: str,
    value: str,
    number: int,
    header: dict[str, str],
    elections: list[tuple[str, str]],
    players: list[Player],
) -> None:
    if not value:
        raise RecordError(f"expected a value after '{key}:'", number)
    if key == "player":
        players.append(_player(value, number, players))
    elif key in header or any(f"house.{given}" == key for given, _ in elections):
        raise RecordError(f"'{key}:' stands twice", number)
    elif key.startswith("house."):
        elections.append((key.removeprefix("house."), value))
    else:
        header[key] = value


def player_name(name: str) -> str:
    """A player's name, or RecordError where it cannot be one.

    >>> player_name("o'neill")
    "o'neill"
    """
    if _NAME.fullmatch(name) and name.lower() not in RESERVED:
        return name
    raise RecordError(
        f"{name[:40]!r} cannot be a player's name: expected letters and digits, and no word that "
        "begins a line of its own"
    )


def _player(value: str, number: int, players: list[Player]) -> Player:
    name, *rest = value.split(maxsplit=1)
    amount = rest[0] if rest else ""
    try:
        player_name(name)
    except RecordError as wrong:
        raise wrong.at(number) from None
    if any(player.name.lower() == name.lower() for player in players):
        raise RecordError(f"there is a player {name!r} already", number)
    if len(players) == _MOST_PLAYERS:
        raise RecordError(f"a table seats {_MOST_PLAYERS} players at most", number)
    if not amount.strip():
        raise RecordError(f"expected a buy-in after the name: player: {name} 500", number)
    try:
        return Player(name, parse_dollars(amount), number)
    except AmountError as wrong:
        raise RecordError(str(wrong), number) from None


def _play_line(
    bare: str, key: str, colon: bool, value: str, number: int, names: Collection[str]
) -> Line:
    if not colon or " " in key:
        return Line(number, bare)
    if key not in names:
        raise RecordError(_no_such(key, names), number)
    says = tuple(say.strip() for say in value.split(";") if say.strip())
    if not says:
        raise RecordError(f"expected what {key} says, such as: {key}: pass for 10", number)
    return Line(number, bare, key, says)


def _no_such(key: str, names: Collection[str]) -> str:
    near = difflib.get_close_matches(key, [*names, *_HEADER], 1, 0.6)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    known = ", ".join(sorted(names)) or "none yet"
    return f"{key[:40]!r} is neither a player ({known}) nor a header key{hint}"


def _whole(
    header: dict[str, str],
    elections: list[tuple[str, str]],
    players: list[Player],
    lines: list[Line],
    where: dict[str, int],
) -> Record:
    if "rulebook" not in header and "house" not in header:
        raise RecordError("expected a header line such as 'rulebook: new-jersey'", 1)
    if not players and not any(_JOINS.match(line.text) for line in lines):
        raise RecordError("expected a header line such as 'player: ann 500'", 1)
    return Record(
        rulebook=header.get("rulebook", ""),
        game=header.get("game", ""),
        house=header.get("house", ""),
        elections=tuple(elections),
        players=tuple(players),
        lines=tuple(lines),
        where=where,
    )
