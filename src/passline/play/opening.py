"""Opening a table, or one that was left: house, players, dice, file."""

from __future__ import annotations

import getpass
import re
from collections.abc import Callable
from pathlib import Path

import msgspec

from passline.dice.sources import Source, secure, seeded
from passline.durable import real_path
from passline.files import UnreadableError, read_text
from passline.home import folder
from passline.house import House
from passline.house.files import house_for
from passline.law import book_ids
from passline.machines import StrategyError
from passline.money import AmountError, parse_dollars, show_dollars
from passline.play import saved_games
from passline.play.errands import MOST_BUY_IN
from passline.play.game import Game, new_record, resume_game
from passline.play.look import Look
from passline.play.rail import Other, catch_up
from passline.play.saving import rail_notes
from passline.play.sitting import Sitting
from passline.record.read import Record, read_record
from passline.record.write import header_text
from passline.strategies import BUILT_IN, load_strategy
from passline.talk.errors import RecordError

#: None of them begins anything that is said at a table.
_NAMES = ("sam", "kim", "lou", "pat", "ida", "joy", "roy", "eve")
_MOST = len(_NAMES) - 1  # one of them may be the player's own name
_OWN_BUY_IN = 50_000
_OTHERS_BUY_IN = 100_000
_DICE = re.compile(r"#\s*dice:\s*(.*)")
_LARGEST = 64 * 1024 * 1024


class PlayError(Exception):
    """A table that cannot be opened: one line that says why."""


class GameWanted(msgspec.Struct, frozen=True, kw_only=True):
    """What a player asks for. ``dice``: ``secure``, ``typed`` or ``seed N``; empty: as it was,
    or secure. ``rail`` of a game that goes on: the strategies that its record may load."""

    source: str
    game: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    bankroll: str = ""
    name: str = ""
    rail: tuple[str, ...] = ()
    dice: str = ""


class OpenedGame(msgspec.Struct, frozen=True):
    """A table that is ready: its game, who sits at it, its file, and the hold on that."""

    game: Game
    sitting: Sitting
    keeper: saved_games.Keeper
    claim: saved_games.Claim
    new: bool


Tell = Callable[[str], None]


def open_game(wanted: GameWanted, look: Look, tell: Tell) -> OpenedGame:
    """A new table. HouseError for rules that cannot be used, PlayError for the rest."""
    _check_home()
    house = house_for(wanted.source, wanted.game, wanted.options)
    name = wanted.name or own_name()
    if name.split() != [name] or "#" in name:
        raise PlayError(f"--name: {name[:40]!r} cannot be a player's name: expected one word")
    others = _others(wanted.rail, name)
    of_file = wanted.source != house.book.id
    record = new_record(
        ("", str(Path(wanted.source).resolve())) if of_file else (wanted.source, ""),
        wanted.game or "",
        wanted.options,
        (
            (name, _bankroll(wanted.bankroll, house)),
            *((other.name, _in_chips(_OTHERS_BUY_IN, house)) for other in others),
        ),
    )
    dice = wanted.dice or "secure"
    notes = [f"# rail: {other.name} {other.title}" for other in others]
    notes += [] if dice == "secure" else [f"# dice: {dice}"]
    _check_header(record, notes)
    try:
        game = Game(record, house, [*notes, *header_text(record), ""])
    except RecordError as wrong:
        raise PlayError(wrong.message) from None
    path = saved_games.new_file(house.book.id)
    claim = saved_games.Claim(path)
    game.keep = keeper = saved_games.Keeper(path, tell)
    keeper(game.text)
    sitting = Sitting(game, name, others, _source(dice), look)
    return OpenedGame(game=game, sitting=sitting, keeper=keeper, claim=claim, new=True)


def _check_home() -> None:
    """Where games are kept can be told at all."""
    try:
        folder()
    except RuntimeError as wrong:
        raise PlayError(f"PASSLINE_HOME: no folder to keep games in: {wrong}") from None


def _check_header(record: Record, notes: list[str]) -> None:
    """What a record cannot hold is told at once: a name, an amount, a path with a # in it."""
    text = "\n".join([*notes, *header_text(record)])
    try:
        again = read_record(text)
    except RecordError as wrong:
        raise PlayError(wrong.message) from None
    if again.house != record.house or again.elections != record.elections:
        raise PlayError("a record cannot hold a # or a line's end in a path or an election")


def own_name() -> str:
    """A player's name where none is given: the login's where a record takes it, else ``guest``."""
    try:
        name = getpass.getuser().lower()
        read_record(f"rulebook: iowa\nplayer: {name} 5")
    except (RecordError, OSError, KeyError, ImportError):
        return "guest"
    return name


def _in_chips(cents: int, house: House) -> int:
    """An amount, or the next one in whole chips of the house."""
    return -(-cents // house.chip) * house.chip


def _bankroll(text: str, house: House) -> int:
    if not text:
        return _in_chips(_OWN_BUY_IN, house)
    try:
        cents = parse_dollars(text)
    except AmountError as wrong:
        raise PlayError(f"--bankroll: {wrong}") from None
    if cents > MOST_BUY_IN:
        raise PlayError(f"--bankroll: {show_dollars(MOST_BUY_IN)} at most")
    return cents


def _others(rail: tuple[str, ...], name: str) -> list[Other]:
    if len(rail) > _MOST:
        raise PlayError(f"--rail: at most {_MOST} others at the rail")
    names = [one for one in _NAMES if one != name.lower()]
    return [_other(who, text, "--rail") for who, text in zip(names, rail, strict=False)]


def _other(name: str, title: str, where: str) -> Other:
    """A player of the rail; a file's strategy is named in full, to be found again."""
    try:
        function = load_strategy(title).function
    except StrategyError as wrong:
        raise PlayError(f"{where}: {wrong}") from None
    return Other(name, _in_full(title), function)


def _in_full(title: str) -> str:
    return str(Path(title).resolve()) if ".py" in title else title


def _source(dice: str, throws: int = 0) -> Source | None:
    """The dice; those of a seed go on where they were after so many throws."""
    if dice == "typed":
        return None
    if dice == "secure":
        return secure
    source = seeded(int(dice.removeprefix("seed ")))
    for _ in range(throws):
        source()
    return source


def go_on(wanted: GameWanted, look: Look, tell: Tell) -> OpenedGame:
    """A game that was left, from where it was left. PlayError where there is none."""
    _check_home()
    path, claim = _left(wanted.source)
    try:
        game, sitting, keeper = _dealt_again(wanted, path, look, tell)
    except BaseException:
        claim.release()
        raise
    return OpenedGame(game=game, sitting=sitting, keeper=keeper, claim=claim, new=False)


def _dealt_again(
    wanted: GameWanted, path: Path, look: Look, tell: Tell
) -> tuple[Game, Sitting, saved_games.Keeper]:
    text = _text(path)
    noted = [found[1] for line in text.splitlines() if (found := _DICE.fullmatch(line.strip()))]
    others = _rail_again(rail_notes(text), wanted.rail, path)

    def watch(game: Game) -> None:
        for other in others:
            other.listens(game)

    try:
        record = read_record(text)
        seats = [player.name for player in record.players]
        others = [other for other in others if other.name in seats]
        game = resume_game(text, path.parent, watch)
    except RecordError as wrong:
        at = f":{wrong.line}" if wrong.line else ""
        raise PlayError(f"{path}{at}: {wrong.message}") from None
    player = _player(wanted.name, seats, others)
    game.keep = keeper = saved_games.Keeper(path, tell)
    catch_up(game, others)
    dice = wanted.dice or next(iter(noted), "secure")
    sitting = Sitting(game, player, others, _dice(dice, game, path), look, path.parent)
    return game, sitting, keeper


def _rail_again(named: list[tuple[str, str]], given: tuple[str, ...], path: Path) -> list[Other]:
    """The rail as a record notes it. A record is text that is handed on, and reading one runs no
    program: a strategy of a file is loaded for this system's own games, or where it was given."""
    allowed = {_in_full(title) for title in given}
    strange = allowed - {_in_full(title) for _, title in named}
    if strange:
        raise PlayError(f"--rail: nobody in {path} bets by {min(strange)}")
    own = saved_games.ours(path)
    for name, title in named:
        if title not in BUILT_IN and not own and _in_full(title) not in allowed:
            raise PlayError(
                f"{path}: {name} of the rail bets by {title[:200]}, a program that is not loaded "
                "on a record's word: give it again with --rail, or take the '# rail:' line out"
            )
    return [_other(name, title, f"{path}: {name} of the rail") for name, title in named]


def _dice(dice: str, game: Game, path: Path) -> Source | None:
    if not re.fullmatch(r"secure|typed|seed -?\d{1,40}", dice):
        raise PlayError(f"{path}: '# dice: {dice[:40]}' is none of typed, seed N")
    return _source(dice, game.throws)


def _player(name: str, seats: list[str], others: list[Other]) -> str:
    """Who of the record is to play: the one named, or the first without a strategy."""
    free = [seat for seat in seats if seat not in {other.name for other in others}]
    for seat in free:
        if seat.lower() == (name or free[0]).lower():
            return seat
    raise PlayError(f"--name {name}: expected one of {', '.join(free) or 'nobody'}")


def _left(source: str) -> tuple[Path, saved_games.Claim]:
    """The file of the game to go on with, held: the one named, or the last that nobody plays.

    Links are followed: the game goes on where it really lies.
    """
    if source and source not in book_ids():
        path = _real(Path(source))
        try:
            return path, saved_games.Claim(path)
        except saved_games.InUseError:
            raise PlayError(f"{path} is being played in another window") from None
    busy = False
    for path in map(_real, saved_games.games(source)):
        try:
            return path, saved_games.Claim(path)
        except saved_games.InUseError:
            busy = True
    under = f" under {source}" if source else ""
    if busy:
        raise PlayError(f"every game{under} in {folder()} is being played in another window")
    raise PlayError(f"there is no game{under} to resume in {folder()}")


def _real(path: Path) -> Path:
    """The file itself where a path is a link; else the path as it was given."""
    try:
        return real_path(path) if path.is_symlink() else path
    except (OSError, ValueError) as wrong:
        raise _unreadable(path, wrong) from None


def _unreadable(path: Path, wrong: Exception) -> PlayError:
    why = getattr(wrong, "strerror", None) or str(wrong)
    return PlayError(f"{str(path)[:200]!r} cannot be read: {why}")


def _text(path: Path) -> str:
    try:
        return read_text(path, ".craps record", _LARGEST)
    except UnreadableError as wrong:
        raise PlayError(str(wrong)) from None
