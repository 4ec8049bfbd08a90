"""Saved games on disk: name, list, lock and write their files, and copy a record elsewhere."""

from __future__ import annotations

import errno
import os
import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from itertools import count
from pathlib import Path

from passline.files import home_folder, lock_file, real_path, replace_file
from passline.game.words.prompt import say_prompt
from passline.lab.strategies.built_in import BUILT_IN
from passline.play.game import BaseGame


class GameInUseError(Exception):
    """Raised when the game is already open in another window."""


def create_game_file(rulebook: str) -> Path:
    """Create an empty file for a new game and return its path.

    Two games that begin in the same second get two files. If no file can be created, return the
    path alone: saving reports the error later.
    """
    now = f"{datetime.now():%Y-%m-%d-%H%M%S}"
    path = home_folder() / f"{now}-{rulebook}.craps"
    with suppress(OSError):  # Ignored here; the error is reported when the game is saved.
        path.parent.mkdir(parents=True, exist_ok=True)
        for number in count(2):
            try:
                path.open("x").close()
                break
            except FileExistsError:
                path = path.with_name(f"{now}-{number}-{rulebook}.craps")
    return path


def list_saved_games(rulebook: str = "") -> Iterator[Path]:
    """Yield the paths of saved games (of one rulebook, if named), the last played first."""
    games: list[tuple[int, Path]] = []
    with suppress(OSError):
        for path in home_folder().glob(f"*-{rulebook}.craps" if rulebook else "*.craps"):
            with suppress(OSError):  # Skip a broken link, or a file deleted meanwhile.
                about = path.stat()
                if about.st_size:  # An empty file is only a reserved name.
                    games.append((about.st_mtime_ns, path))
    yield from (path for _, path in sorted(games, reverse=True))


def is_own_game(path: Path) -> bool:
    """Return whether a file is in the folder in which passline saves games. Links are followed."""
    try:
        return real_path(path).parent == real_path(home_folder())
    except OSError:
        return False


def delete_file(path: Path) -> None:
    """Delete a file. Ignore a failure."""
    with suppress(OSError):
        path.unlink()


def is_empty_file(path: Path) -> bool:
    """Return whether a file is empty. An empty file is reserved for a game that was never saved."""
    try:
        return path.stat().st_size == 0
    except OSError:
        return False


def write_record_file(path: Path, text: str) -> None:
    """Replace a file by this text in one step."""
    path = real_path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, text.encode())


class GameSaver:
    """Writes a game to its file. Reports the first failure, and when saving works again.

    ``tell`` is called with the message.
    """

    def __init__(self, path: Path, tell: Callable[[str], None]) -> None:
        self.path, self.tell = path, tell
        self.failed = False

    def __call__(self, text: str) -> None:
        """Write the text of the game."""
        try:
            write_record_file(self.path, text)
        except OSError as error:
            if not self.failed:
                self.tell(say_prompt("not-saved", path=self.path, error=error.strerror))
            self.failed = True
            return
        if self.failed:
            self.tell(say_prompt("saved-again", path=self.path))
        self.failed = False


class GameLock:
    """A lock on a game's file, so that no other window plays the same game.

    It lasts until ``release`` or the end of the process. The lock file is beside the game; if it
    can't be made, there is no lock. Creating the lock raises GameInUseError if another process has
    it.
    """

    def __init__(self, path: Path) -> None:
        with suppress(OSError):
            path = real_path(path)
        self._lock = path.with_name(f".{path.name}.open")
        self._handle = _acquire_lock(self._lock)

    def release(self) -> None:
        """Release the lock and delete its file."""
        if self._handle is not None:
            delete_file(self._lock)
            os.close(self._handle)
            self._handle = None


#: Windows has no such flag; there, creating a link needs special rights.
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


def _acquire_lock(lock: Path) -> int | None:
    """Lock a file and return its handle, or None if the folder or the disk does not allow it.

    If the previous owner deletes the file at the same moment, try again. Raise GameInUseError if
    another process has the lock.
    """
    while True:
        try:
            handle = os.open(lock, os.O_RDWR | os.O_CREAT | _NO_FOLLOW, 0o600)
        except OSError:
            return None  # The folder is not writable, so no lock is needed.
        try:
            lock_file(handle, wait=False)
        except OSError as error:
            os.close(handle)
            if isinstance(error, BlockingIOError):
                raise GameInUseError from None
            return None  # The disk does not support locks.
        with suppress(OSError):
            if os.path.samestat(os.fstat(handle), lock.stat()):
                return handle
        os.close(handle)


_RAIL_NOTE = re.compile(r"#\s*rail:\s*(\S+)\s*(.*)")


def save_path(name: str) -> Path:
    """Return the path for a name that a player typed; ``.craps`` is added if it has no suffix.

    Raise OSError for a folder, RuntimeError for the home folder of an unknown user.

    >>> save_path("tonight").name, save_path("tonight.txt").name
    ('tonight.craps', 'tonight.txt')
    """
    path = Path(name).expanduser()
    if path.name in ("", ".."):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return path if path.suffix else path.with_name(f"{path.name}.craps")


def save_copy(game: BaseGame, base: Path, path: Path) -> str:
    """Write a copy of a game's record and return a message: saved, or why not.

    ``base`` is the folder that paths in the record are relative to. No folder is created.
    """
    try:
        if not path.parent.is_dir():
            return say_prompt("no-folder", path=path, folder=path.parent)
        write_record_file(path, _with_absolute_house_path(game, base))
    # ValueError: a NUL byte in the path; RuntimeError: a loop of links.
    except (OSError, ValueError, RuntimeError) as error:
        return write_failure_message(path, error)
    return say_prompt("saved-copy", path=path, command=resume_command(path, game.text))


def write_failure_message(path: Path | str, error: Exception) -> str:
    """Return a message that a file can't be written, and why."""
    return say_prompt("not-written", path=path, error=getattr(error, "strerror", 0) or error)


def resume_command(path: Path, text: str) -> str:
    """Return the command line that resumes the game in the file ``path``, whose record is ``text``.

    For a game outside the folder in which passline saves games it names the file, and the strategy
    files that the game may load.
    """
    words = ["passline", "play", "--resume"]
    if is_own_game(path):
        return " ".join(words)
    files = [title for _, title in read_rail_notes(text) if title not in BUILT_IN]
    words += [str(path), *(word for title in dict.fromkeys(files) for word in ("--rail", title))]
    return shlex.join(words)


def read_rail_notes(text: str) -> list[tuple[str, str]]:
    """Return the (player, strategy) pairs in the comments of a record.

    >>> read_rail_notes("# rail: sam pass-odds\\nrulebook: iowa")
    [('sam', 'pass-odds')]
    """
    notes = (_RAIL_NOTE.fullmatch(line.strip()) for line in text.splitlines())
    return [(note[1], note[2]) for note in notes if note]


def _with_absolute_house_path(game: BaseGame, base: Path) -> str:
    """Return the record with the absolute path of its house file, to work in any folder."""
    house = game.house_file
    if not house or Path(house).is_absolute():
        return game.text
    where = (base / house).resolve()
    return re.sub(r"(?m)^\s*house\s*:.*$", lambda _: f"house: {where}", game.text)
