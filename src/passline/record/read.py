"""Read a record's text into a header and lines. The table interprets the lines."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

import msgspec

from passline.game.law.roles import ROLE_NICKNAMES, ROLES
from passline.game.money.amounts import AmountError, parse_dollars
from passline.talk.errors import RecordError
from passline.text import (
    find_control_code,
    fold_look_alikes,
    has_one_alphabet,
    join_name,
    join_names_in,
    look_alike,
)

_NAME = re.compile(r"[^\W\d_][\w'-]{0,39}")
_HEADER_KEYS = ("rulebook", "game", "house", "player")
#: Words that begin lines of their own and so cannot name a player.
RESERVED_WORDS = frozenset(
    {"roll", "no", "new", "ruling", "clock", *_HEADER_KEYS, *ROLES, *ROLE_NICKNAMES}
)
_LONGEST_LINE = 2000
#: The most players in a record: more than the longest tables have room for.
_MOST_PLAYERS = 24


class _NumberedLine(NamedTuple):
    """A line of a record that is not empty: its number and text, split at its colon if any."""

    number: int
    text: str
    key: str
    colon: bool
    value: str

    @property
    def is_header(self) -> bool:
        return self.colon and (self.key in _HEADER_KEYS or self.key.startswith("house."))


class HeaderPlayer(msgspec.Struct, frozen=True):
    """A player of the header: the name, the buy-in in cents, and the number of the line."""

    name: str
    amount: int
    line: int


class RecordLine(msgspec.Struct, frozen=True):
    """A line of play: what a player says (``says``) or, without a player, a table event.

    ``number`` counts the lines of the record from 1, ``text`` is the whole line.
    """

    number: int
    text: str
    player: str = ""
    says: tuple[str, ...] = ()
    #: The players who joined by an earlier line of the record, even if the table refused them.
    came: frozenset[str] = frozenset()


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """The text of a game after reading, before dealing.

    ``house`` is the path of a house-rules file, if any, and ``elections`` the house's choices as
    (key, value).
    """

    rulebook: str
    game: str = ""
    house: str = ""
    elections: tuple[tuple[str, str], ...] = ()
    players: tuple[HeaderPlayer, ...]
    lines: tuple[RecordLine, ...] = ()
    #: The line number of each header key, for error messages.
    where: dict[str, int] = {}


def _split_lines(text: str) -> list[str]:
    """Return lines as an editor counts them: only line feeds and carriage returns end a line."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def read_record(text: str) -> Record:
    """Return the record in a text. Raise RecordError if it can't be read.

    >>> record = read_record("rulebook: iowa\\nplayer: ann 500\\n\\nann: pass for 10; field for 5")
    >>> record.players[0].amount, record.lines[0].says
    (50000, ('pass for 10', 'field for 5'))
    """
    header, lines = read_lines(_split_lines(text))
    return msgspec.structs.replace(header, lines=tuple(lines))


def read_lines(texts: Iterable[str]) -> tuple[Record, Iterator[RecordLine]]:
    """Return (header, lines of play), where the lines are an iterator that reads one at a time.

    The header is a record without lines. Raise RecordError for a line that can't be read; for a
    line of play, the iterator raises it.
    """
    lines = _number_lines(texts)
    header: list[_NumberedLine] = []
    first = next(lines, None)
    while first is not None and first.is_header:
        header.append(first)
        first = next(lines, None)
    record = _read_header(header)
    names = {player.name for player in record.players}
    return record, _read_play_lines(chain([first] if first else [], lines), names)


def _read_header(lines: Iterable[_NumberedLine]) -> Record:
    """Return a record with the values of these header lines and no lines of play.

    Raise RecordError if a line has no value or no valid player, a key comes twice, or no rulebook
    or house file is named.
    """
    header, where = dict[str, str](), dict[str, int]()
    players: list[HeaderPlayer] = []
    for line in lines:
        key, value = line.key, line.value.strip()
        if not value:
            raise RecordError(f"expected a value after '{key}:'", line.number)
        if key == "player":
            players.append(_read_player(value, line.number, players))
        elif key in header:
            raise RecordError(f"'{key}:' stands twice", line.number)
        else:
            header[key] = value
        where[key] = line.number
    if "rulebook" not in header and "house" not in header:
        raise RecordError("expected a header line such as 'rulebook: new-jersey'", 1)
    elections = [(key, value) for key, value in header.items() if key.startswith("house.")]
    return Record(
        rulebook=header.get("rulebook", ""),
        game=header.get("game", ""),
        house=header.get("house", ""),
        elections=tuple((key.removeprefix("house."), value) for key, value in elections),
        players=tuple(players),
        where=where,
    )


def _number_lines(texts: Iterable[str]) -> Iterator[_NumberedLine]:
    """Yield the lines that are not empty with their numbers from 1, without comments.

    Raise RecordError for a line that is too long or contains a control character.
    """
    for number, text in enumerate(texts, 1):
        if "\0" in text:
            raise RecordError("this is not text: a record is UTF-8 text, one thing a line")
        bare = text.split("#", 1)[0].strip()
        if not bare:
            continue
        if len(bare) > _LONGEST_LINE:
            raise RecordError(f"a line of {len(bare)} characters; {_LONGEST_LINE} at most", number)
        if code := find_control_code(bare):
            raise RecordError(f"{code} is no character of a record: expected plain text", number)
        key, colon, value = bare.partition(":")
        yield _NumberedLine(number, bare, key.strip(), colon=bool(colon), value=value)


def _read_play_lines(lines: Iterable[_NumberedLine], names: set[str]) -> Iterator[RecordLine]:
    came: frozenset[str] = frozenset()
    alike = {fold_look_alikes(name): name for name in names}
    for line in lines:
        if line.is_header:
            message = f"'{line.key}:' is a header line: header lines come first"
            raise RecordError(message, line.number)
        line = _join_names(line, names)
        if joins := JOIN_LINE.match(line.text):
            other = alike.setdefault(fold_look_alikes(joins[1]), joins[1])
            _check_look_alikes(joins[1], {other} - {joins[1]}, line.number)
            names.add(joins[1])
        read = _read_play_line(line, names)
        yield msgspec.structs.replace(read, came=came) if came else read
        came = came | {joins[1]} if joins else came
    if not names:
        raise RecordError("expected a header line such as 'player: ann 500'", 1)


#: Matches a line by which a player joins in mid-game.
JOIN_LINE = re.compile(r"(\S+(?: \S+){0,9}) joins for \S+", re.IGNORECASE)


def _join_names(line: _NumberedLine, names: Iterable[str]) -> _NumberedLine:
    """Return a line with player names of several words written as one: ``Mary_Ann``.

    ``names`` are the players so far; one who joins by this line counts too.
    """
    joins = JOIN_LINE.match(line.text)
    newcomer = {join_name(joins[1])} if joins else set()
    text = join_names_in(line.text, {*names, *newcomer})
    if text == line.text:
        return line
    key, colon, value = text.partition(":")
    return line._replace(text=text, key=key.strip(), colon=bool(colon), value=value)


def check_player_name(name: str) -> str:
    """Return the name if it is allowed for a player. Raise RecordError if it is not.

    >>> check_player_name("o'neill")
    "o'neill"
    """
    if not has_one_alphabet(name):
        raise RecordError(f"{name[:40]!a} mixes alphabets: expected letters of one")
    shown = name.replace("_", " ")[:40]
    if not name:
        raise RecordError("a player's name is missing: choose one, such as Mary Ann")
    if any(look_alike(name, word) for word in RESERVED_WORDS):
        raise RecordError(
            f"{shown!r} cannot be a player's name: it is a word of the game; choose another"
        )
    if _NAME.fullmatch(name):
        return name
    raise RecordError(
        f"{shown!r} cannot be a player's name: begin with a letter; letters, digits, spaces, "
        "hyphens and apostrophes may follow, 40 in all at most"
    )


def _check_look_alikes(name: str, names: Iterable[str], number: int) -> None:
    """Raise RecordError for line ``number`` if a name looks like one of ``names``."""
    for other in names:
        if look_alike(other, name):
            but = "" if other.isascii() and name.isascii() else f" ({other!a})"
            raise RecordError(f"there is a player {name!r} already{but}", number)


def _read_player(value: str, number: int, players: list[HeaderPlayer]) -> HeaderPlayer:
    *words, amount = value.split()
    name = join_name(" ".join(words)) or amount
    amount = amount if words else ""
    try:
        check_player_name(name)
    except RecordError as error:
        raise error.with_line(number) from None
    _check_look_alikes(name, [player.name for player in players], number)
    if len(players) == _MOST_PLAYERS:
        raise RecordError(f"a table seats {_MOST_PLAYERS} players at most", number)
    if not amount.strip():
        raise RecordError(f"expected a buy-in after the name: player: {name} 500", number)
    try:
        return HeaderPlayer(name, parse_dollars(amount), number)
    except AmountError as error:
        raise RecordError(str(error), number) from None


def _read_play_line(line: _NumberedLine, names: Collection[str]) -> RecordLine:
    number, key = line.number, line.key
    if not line.colon or " " in key:
        return RecordLine(number, line.text)
    if key not in names:
        raise RecordError(_unknown_speaker_message(key, names), number)
    says = tuple(say.strip() for say in line.value.split(";") if say.strip())
    if not says:
        raise RecordError(f"expected what {key} says, such as: {key}: pass for 10", number)
    return RecordLine(number=number, text=line.text, player=key, says=says)


def _unknown_speaker_message(key: str, names: Collection[str]) -> str:
    near = difflib.get_close_matches(key, [*names, *_HEADER_KEYS], 1, 0.6)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    known = ", ".join(sorted(names)) or "none yet"
    return f"{key[:40]!r} is neither a player ({known}) nor a header key{hint}"
