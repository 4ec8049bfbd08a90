"""Make houses: read house-rules files, and resolve a rulebook id or a file path to a house.

This is the only module of ``game.house`` that reads files.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from passline.files import UnreadableError, read_file
from passline.game.house.elections import (
    ElectionError,
    Elections,
    parse_decimal,
    parse_value,
    read_elections,
    show_value,
)
from passline.game.house.house import House, choose_game, resolve_house
from passline.game.house.lint import lint
from passline.game.house.lint_findings import Finding
from passline.game.law.book import Book
from passline.game.law.book_files import BookError, book_ids
from passline.game.law.clauses import find_clause_book
from passline.game.law.load import rulebook

MAX_FILE_BYTES = 1_000_000  # The largest house-rules file that is read.
_MAX_NAME_LENGTH = 60
_MAX_LINE_LENGTH = 2_000
_MAX_DOTS = 50
_HEADER_KEYS = ("rulebook", "name")


class HouseError(ValueError):
    """Raised for house rules that cannot be used. The message is one line that says where and why.

    ``key`` is the election at fault, and ``expected`` says what its value must be. Both are empty
    if no election is at fault.
    """

    def __init__(self, message: str, key: str = "", expected: str = "") -> None:
        super().__init__(message)
        self.key, self.expected = key, expected


class HouseFile(msgspec.Struct, frozen=True, kw_only=True):
    """A house-rules file after parsing. Its elections are not yet checked against the rulebook."""

    rulebook: str
    game: str | None = None
    name: str = ""
    elections: Elections = {}


def read_house_file(path: str | Path) -> HouseFile:
    """Return the parsed house rules of a file. Raise HouseError if it cannot be read."""
    try:
        data = read_file(path, "house-rules file", MAX_FILE_BYTES)
    except UnreadableError as error:
        raise HouseError(str(error)) from None
    return parse_house_file(data, str(path))


def parse_house_file(data: bytes, name: str) -> HouseFile:
    r"""Return the parsed house rules in the bytes of a file. ``name`` is its name, for messages.

    Raise HouseError if they are no house rules.

    >>> text = b'rulebook = "new-jersey"\nodds.multiple = 10'
    >>> parse_house_file(text, "boardwalk.toml").elections
    {'odds.multiple': 10}
    """
    if len(data) > MAX_FILE_BYTES:
        raise HouseError(
            f"{name} is over {MAX_FILE_BYTES // 1_000_000} MB: too large for house rules"
        )
    if not data.strip():
        raise HouseError(f'{name} is empty: expected house rules that begin with rulebook = "..."')
    try:
        return _make_house_file(_parse_toml(data))
    except (HouseError, ElectionError) as error:
        raise HouseError(f"{name}: {error}") from None
    except RecursionError:
        raise HouseError(f"{name}: its tables are nested too deeply") from None


def _parse_toml(data: bytes) -> dict[str, Any]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise HouseError("not UTF-8 text: expected a TOML file of house rules") from None
    _check_lines(text)
    try:
        return tomllib.loads(text, parse_float=parse_decimal)
    except ValueError as error:  # The message of tomllib names the line.
        raise HouseError(f"not readable as TOML: {show_on_one_line(error)}") from None


def _check_lines(text: str) -> None:
    """Raise HouseError for a line that is too long or has too many dots.

    TOML would take minutes to read a key with thousands of dots.
    """
    for number, line in enumerate(text.split("\n"), 1):
        written = line.partition("#")[0]
        if len(written) > _MAX_LINE_LENGTH or written.count(".") > _MAX_DOTS:
            limits = f"at most {_MAX_LINE_LENGTH:,} characters and {_MAX_DOTS} dots"
            raise HouseError(f"line {number} is too long for house rules: expected {limits}")


def show_on_one_line(error: Exception) -> str:
    """Return the message of an error on one line."""
    return " ".join("".join(c if c.isprintable() else " " for c in str(error)).split())


def _make_house_file(data: Mapping[str, Any]) -> HouseFile:
    book = find_book(_read_rulebook_id(data))
    name = data.get("name", "")
    if not isinstance(name, str) or len(name) > _MAX_NAME_LENGTH or not name.isprintable():
        expected = f"expected words, at most {_MAX_NAME_LENGTH} characters on one line"
        raise HouseError(f"name = {show_value(name)}: {expected}")
    given = {key: value for key, value in data.items() if key not in _HEADER_KEYS}
    elections = read_elections(book, given)
    game = elections.pop("game", None)
    return HouseFile(
        rulebook=book.id, game=None if game is None else str(game), name=name, elections=elections
    )


def _read_rulebook_id(data: Mapping[str, Any]) -> str:
    if "rulebook" not in data:
        near = difflib.get_close_matches("rulebook", [k for k in data if k not in {"name"}], 1)
        hint = f" (is {show_value(near[0])!r} meant to be it?)" if near else ""
        raise HouseError(
            f'no rulebook is named{hint}: expected rulebook = "..." with {_show_book_ids()}'
        )
    if not isinstance(data["rulebook"], str):
        raise HouseError(f"rulebook = {show_value(data['rulebook'])}: expected {_show_book_ids()}")
    return data["rulebook"]


def _show_book_ids() -> str:
    return f"one of {', '.join(book_ids())}"


def find_book(book_id: str) -> Book:
    """Return a rulebook. Raise HouseError if there is none of that id, or it has a mistake."""
    known = book_ids()
    if book_id not in known:
        near = difflib.get_close_matches(book_id, known, 1, 0.7)
        hint = f"did you mean {near[0]}?" if near else f"the rulebooks are {', '.join(known)}"
        raise HouseError(f"there is no rulebook {show_value(book_id)!r}: {hint}")
    try:
        return rulebook(book_id)
    except BookError as error:  # A user's own book has a mistake.
        raise HouseError(show_on_one_line(error)) from None


def house_for(
    source: str,
    game: str | None = None,
    options: Sequence[tuple[str, str]] = (),
    base: Path | None = None,
) -> House:
    """Return the house for ``source``: a rulebook's id, or the path of a house-rules file.

    ``options`` are (key, value) elections as typed; they override the file's. The path is relative
    to ``base`` (default: the current folder). Without ``game``, take the file's, or the rulebook's
    first. Raise HouseError if a file or an election cannot be read, or the rulebook does not allow
    an election.
    """
    path = (base or Path()) / source
    is_path = source.endswith(".toml") or "/" in source or "\\" in source
    if source and source not in book_ids() and (is_path or _path_exists(path)):
        file, where = read_house_file(path), f"{path}: "
    else:
        file, where = HouseFile(rulebook=find_book(source).id), ""
    return make_house_from_file(file, game, options, where)


def make_house_from_file(
    file: HouseFile,
    game: str | None = None,
    options: Sequence[tuple[str, str]] = (),
    where: str = "",
) -> House:
    """Return the house of a parsed file.

    ``options`` are (key, value) elections as typed, which override the file's. ``where`` begins the
    error message if an election is not allowed. Raise HouseError for such an election, and for one
    that cannot be read.
    """
    book, file = rulebook(file.rulebook), override_elections(file, options)
    game = choose_game(book, game, file.game)
    _refuse_unlawful(book, game, file.elections, where)
    return resolve_house(book, game, file.elections, file.name)


def override_elections(file: HouseFile, options: Sequence[tuple[str, str]]) -> HouseFile:
    """Return a parsed file with some elections replaced.

    ``options`` are pairs of a key and a value as typed. Raise HouseError for one that cannot be
    read.
    """
    book, elections = rulebook(file.rulebook), file.elections
    for key, text in options:
        elections = _merge_elections(elections, _read_elections(book, {key: parse_value(text)}))
    game = elections.get("game", file.game)
    elections = {key: value for key, value in elections.items() if key != "game"}
    return msgspec.structs.replace(file, elections=elections, game=game)


def lint_file(file: HouseFile) -> tuple[Finding, ...]:
    """Return every election of a file that its rulebook does not allow."""
    return lint(rulebook(file.rulebook), file.game, file.elections)


def describe_findings(file: HouseFile, findings: Sequence[Finding]) -> dict[str, object]:
    """Return the findings of a house-rules file as ``passline lint --json`` prints them."""
    return {
        "rulebook": file.rulebook,
        "game": choose_game(rulebook(file.rulebook), file.game),
        "name": file.name,
        "ok": not findings,
        "findings": [
            msgspec.to_builtins(found) | {"book": find_clause_book(file.rulebook, found.cite)}
            for found in findings
        ],
    }


def make_lawful_house(
    book: Book, game: str | None = None, given: Mapping[str, Any] | None = None, name: str = ""
) -> House:
    """Return a house with these elections (``given``). The book must allow all of them.

    Raise HouseError, with what is allowed and the clause, for an election that the book does not
    allow, and for one that cannot be read.

    >>> make_lawful_house(rulebook("new-jersey"), given={"odds.multiple": 10}).taken_multiples[4]
    10
    >>> make_lawful_house(rulebook("new-jersey"), given={"odds.multiple": 101})
    Traceback (most recent call last):
    passline.game.house.load.HouseError: odds.multiple = 101 is not allowed; allowed: 1 to 100 \
[19:47-1.6(e)#1]
    """
    elections = _read_elections(book, given or {})
    game = choose_game(book, game, elections.pop("game", None))
    _refuse_unlawful(book, game, elections, "")
    return resolve_house(book, game, elections, name)


def _path_exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _read_elections(book: Book, given: Mapping[str, Any]) -> Elections:
    try:
        return read_elections(book, given)
    except ElectionError as error:
        raise HouseError(str(error), error.key, error.expected) from None


def _merge_elections(first: Elections, then: Elections) -> Elections:
    """Return the elections of both dicts; where they conflict, those of ``then`` win.

    A general key in ``then`` also replaces keys below it in ``first``, such as those for one
    number.
    """
    stems = tuple(f"{later}." for later in then)
    return {key: value for key, value in first.items() if not key.startswith(stems)} | then


def _refuse_unlawful(book: Book, game: str, elections: Elections, where: str) -> None:
    findings = lint(book, game, elections)
    if findings:
        more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
        first = findings[0]
        raise HouseError(f"{where}{first.message}{more}", first.key, f"{first.limit}{more}")


def as_house(house: House | str) -> House:
    """Return a House as it is; for a rulebook's id or a house-rules file's path, load the House.

    >>> as_house("iowa").book.id
    'iowa'
    """
    return house_for(house) if isinstance(house, str) else house
