"""Open a game for the terminal, or resume a saved one: the house, players, dice and file."""

from __future__ import annotations

import getpass
import re
from collections.abc import Callable
from pathlib import Path

import msgspec

from passline.files import home_folder, read_text, real_path
from passline.game.house.house import House
from passline.game.house.load import house_for
from passline.game.law.book_files import DEFAULT_BOOK, book_ids
from passline.game.money.amounts import AmountError, parse_dollars
from passline.game.words.prompt import say_prompt
from passline.lab.machines.bettor import StrategyError
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategies.load import load_strategy
from passline.live.random_dice import DiceSource, make_seeded_dice, throw_secure_dice
from passline.play import saved_games
from passline.play.display import Display
from passline.play.game import LocalGame, new_record, resume_game
from passline.play.rail import RailPlayer, let_rail_catch_up
from passline.play.saved_games import list_saved_games, read_rail_notes
from passline.play.screen_commands import MOST_BUY_IN
from passline.play.terminal_session import TerminalSession
from passline.record.read import read_record
from passline.record.write import header_lines
from passline.talk.errors import RecordError
from passline.text import join_name, show_name

#: No phrase at a table begins with one of these names.
_RAIL_NAMES = ("sam", "kim", "lou", "pat", "ida", "joy", "roy", "eve")
_MOST_RAIL_PLAYERS = len(_RAIL_NAMES) - 1  # One of the names may be the player's own.
_OWN_BUY_IN = 50_000
_OTHERS_BUY_IN = 100_000
_DICE_NOTE = re.compile(r"#\s*dice:\s*(.*)")
_LARGEST_RECORD = 64 * 1024 * 1024


class PlayError(ValueError):
    """Raised when a game can't be opened. The message, from a code of `words.prompt`, says why."""

    def __init__(self, code: str, /, **figures: object) -> None:
        super().__init__(say_prompt(code, **figures))


class GameOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of ``passline play`` after parsing.

    ``source`` names the rulebook or house file, or the saved game. ``rail`` lists the strategies of
    the other players; on resume, the strategy files that the record may load. ``dice`` is
    ``secure``, ``typed`` or ``seed N``. Empty means the saved game's dice, or secure for a new
    game.
    """

    source: str
    game: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    bankroll: str = ""
    name: str = ""
    rail: tuple[str, ...] = ()
    dice: str = ""


class OpenedGame(msgspec.Struct, frozen=True):
    """A game that is ready to play.

    ``keeper`` writes it to its file, ``claim`` is the lock on that file, and ``new`` is false for a
    resumed game.
    """

    session: TerminalSession
    keeper: saved_games.GameSaver
    claim: saved_games.GameLock
    new: bool


Notify = Callable[[str], None]


def open_game(wanted: GameOptions, look: Display, tell: Notify) -> OpenedGame:
    """Open a new game by the options ``wanted``.

    Raise ValueError, with a message of one line, if that fails. ``look`` is the display, and
    ``tell`` shows a message about saving.
    """
    _check_home()
    house = house_for(wanted.source, wanted.game, wanted.options)
    name = join_name(wanted.name) or default_player_name()
    if name.split() != [name] or "#" in name:
        raise PlayError("player-name", name=name)
    if len(wanted.rail) > _MOST_RAIL_PLAYERS:
        raise PlayError("rail-limit", most=_MOST_RAIL_PLAYERS)
    names = [one for one in _RAIL_NAMES if one != name.lower()]
    rail = zip(names, wanted.rail, strict=False)
    others = [_make_rail_player(who, title, "--rail") for who, title in rail]
    buy_in = _read_bankroll(wanted.bankroll, house)
    of_file = wanted.source != house.book.id
    record = new_record(
        ("", str(Path(wanted.source).resolve())) if of_file else (wanted.source, ""),
        wanted.game or "",
        wanted.options,
        ((name, buy_in), *((o.name, _round_up_to_chips(_OTHERS_BUY_IN, house)) for o in others)),
    )
    dice = wanted.dice or "secure"
    lines = [f"# rail: {other.name} {other.title}" for other in others]
    lines += [] if dice == "secure" else [f"# dice: {dice}"]
    lines += header_lines(record)
    try:
        again = read_record("\n".join(lines))
        game = LocalGame(record, house, [*lines, ""])
    except RecordError as error:
        raise PlayError("said", words=error.message) from None
    if again.house != record.house or again.elections != record.elections:
        raise PlayError("record-path")
    path = saved_games.create_game_file(house.book.id)
    claim = saved_games.GameLock(path)
    game.keep = keeper = saved_games.GameSaver(path, tell)
    keeper(game.text)
    session = TerminalSession(game, name, others, _make_dice(dice), look)
    return OpenedGame(session=session, keeper=keeper, claim=claim, new=True)


def _check_home() -> None:
    try:
        home_folder()
    except RuntimeError as error:
        raise PlayError("no-home", error=error) from None


def default_player_name() -> str:
    """Return the login name if a record accepts it as a player's name, else ``guest``."""
    try:
        name = getpass.getuser().lower()
        read_record(f"rulebook: {DEFAULT_BOOK}\nplayer: {name} 5")
    except (RecordError, OSError, KeyError, ImportError):
        return "guest"
    return name


def _round_up_to_chips(cents: int, house: House) -> int:
    """Return an amount in cents, rounded up to whole chips of the house."""
    return -(-cents // house.chip) * house.chip


def _read_bankroll(text: str, house: House) -> int:
    if not text:
        return _round_up_to_chips(_OWN_BUY_IN, house)
    try:
        cents = parse_dollars(text)
    except AmountError as error:
        raise PlayError("said", words=f"--bankroll: {error}") from None
    if cents > MOST_BUY_IN:
        raise PlayError("bankroll-limit", most=MOST_BUY_IN)
    return cents


def _make_rail_player(name: str, title: str, where: str) -> RailPlayer:
    """Return another player, named ``name``, who bets by the strategy ``title``.

    A strategy in a file is named by its full path. Raise PlayError, with a message that begins with
    ``where``, if the strategy can't be loaded.
    """
    try:
        function = load_strategy(title).function
    except StrategyError as error:
        raise PlayError("said", words=f"{where}: {error}") from None
    return RailPlayer(name, _full_strategy_name(title), function)


def _full_strategy_name(title: str) -> str:
    return str(Path(title).resolve()) if ".py" in title else title


def _make_dice(dice: str, throws: int = 0) -> DiceSource | None:
    """Return the source of dice for ``secure`` or ``seed N``, or None for ``typed``.

    A seeded source skips ``throws`` rolls: those that were made before the game was saved.
    """
    if not dice.startswith("seed "):
        return None if dice == "typed" else throw_secure_dice
    source = make_seeded_dice(int(dice.removeprefix("seed ")))
    for _ in range(throws):
        source()
    return source


def resume_saved_game(wanted: GameOptions, look: Display, tell: Notify) -> OpenedGame:
    """Resume the saved game that ``wanted`` names.

    Raise ValueError, with a message of one line, if there is none or it can't be resumed. ``look``
    is the display, and ``tell`` shows a message about saving.
    """
    _check_home()
    path, claim = _find_left_game(wanted.source)
    try:
        session, keeper = _restore_game(wanted, path, look, tell)
    except BaseException:
        claim.release()
        raise
    return OpenedGame(session=session, keeper=keeper, claim=claim, new=False)


def _restore_game(
    wanted: GameOptions, path: Path, look: Display, tell: Notify
) -> tuple[TerminalSession, saved_games.GameSaver]:
    text = read_text(path, ".craps record", _LARGEST_RECORD)
    others = _restore_rail(read_rail_notes(text), wanted.rail, path)

    def watch(game: LocalGame) -> None:
        for other in others:
            other.choose_bets(game)

    try:
        seats = [player.name for player in read_record(text).players]
        others = [other for other in others if other.name in seats]
        game = resume_game(text, path.parent, watch)
    except RecordError as error:
        at = f":{error.line}" if error.line else ""
        raise PlayError("said", words=f"{path}{at}: {error.message}") from None
    player = _choose_player(wanted.name, seats, others)
    game.keep = keeper = saved_games.GameSaver(path, tell)
    let_rail_catch_up(game, others)
    notes = (_DICE_NOTE.fullmatch(line.strip()) for line in text.splitlines())
    dice = wanted.dice or next((note[1] for note in notes if note), "secure")
    if not re.fullmatch(r"secure|typed|seed -?\d{1,40}", dice):
        raise PlayError("record-dice", path=path, dice=dice)
    source = _make_dice(dice, game.throws)
    return TerminalSession(game, player, others, source, look, path.parent), keeper


def _restore_rail(
    named: list[tuple[str, str]], given: tuple[str, ...], path: Path
) -> list[RailPlayer]:
    """Return the other players of a saved game; ``named`` has (player, strategy) from the record.

    Reading a record must not run a program, because the record may come from another person. Raise
    PlayError for a strategy in a file, unless the game is in this system's own folder, or
    ``--rail`` (``given``) names the strategy again.
    """
    allowed = {_full_strategy_name(title) for title in given}
    strange = allowed - {_full_strategy_name(title) for _, title in named}
    if strange:
        raise PlayError("rail-unknown", path=path, strategy=min(strange))
    own = saved_games.is_own_game(path)
    for name, title in named:
        if title not in BUILT_IN and not own and _full_strategy_name(title) not in allowed:
            raise PlayError("rail-program", path=path, name=name, strategy=title)
    return [
        _make_rail_player(name, title, say_prompt("rail-member", path=path, name=name))
        for name, title in named
    ]


def _choose_player(name: str, seats: list[str], others: list[RailPlayer]) -> str:
    """Return the player whom the user plays: ``name``, or by default the first without a strategy.

    Raise PlayError if there is no such player, or if that player bets by a strategy.
    """
    free = [seat for seat in seats if seat not in {other.name for other in others}]
    for seat in free:
        if seat.lower() == (join_name(name) or free[0]).lower():
            return seat
    raise PlayError("which-player", name=name, names=", ".join(map(show_name, free)) or "nobody")


def _find_left_game(source: str) -> tuple[Path, saved_games.GameLock]:
    """Return (the file of the game to resume, its lock).

    ``source`` is a file, a rulebook id, or empty. The game is the file named, or the last played
    one (of that rulebook) that is not open elsewhere. Links are followed, so that the game is saved
    to the real file. Raise PlayError if there is none.
    """
    named = bool(source) and source not in book_ids()
    busy = None
    for path in map(_follow_link, [Path(source)] if named else list_saved_games(source)):
        try:
            return path, saved_games.GameLock(path)
        except saved_games.GameInUseError:
            busy = path
    if busy and named:
        raise PlayError("game-open", path=busy)
    raise PlayError("games-open" if busy else "no-game", book=source, folder=home_folder())


def _follow_link(path: Path) -> Path:
    """Return the target of a link, and any other path unchanged. Raise PlayError if that fails."""
    try:
        return real_path(path) if path.is_symlink() else path
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise PlayError("record-unreadable", path=path, error=reason) from None
