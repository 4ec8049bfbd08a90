"""Putting a game's record where the player wants it."""

from __future__ import annotations

import errno
import os
import re
import shlex
from pathlib import Path

from passline.play import saved_games
from passline.play.played import Played
from passline.strategies import BUILT_IN

_RAIL = re.compile(r"#\s*rail:\s*(\S+)\s*(.*)")


def save_path(name: str) -> Path:
    """The file that a player named: a record's ending, where none was given.

    OSError for a folder's name, RuntimeError for the home of nobody.

    >>> save_path("tonight").name, save_path("tonight.txt").name
    ('tonight.craps', 'tonight.txt')
    """
    path = Path(name).expanduser()
    if path.name in ("", ".."):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return path if path.suffix else path.with_name(f"{path.name}.craps")


def save(game: Played, base: Path, path: Path) -> str:
    """Write a game's record there, and say so or why it cannot be.

    ``base`` is the folder that the record's own paths are relative to. No folder is made.
    """
    try:
        if not path.parent.is_dir():
            return f"{path} cannot be written: there is no folder {path.parent}"
        saved_games.write(path, _from_anywhere(game, base))
    except (OSError, ValueError, RuntimeError) as wrong:  # a zero byte, a thousand folders
        return cannot(path, wrong)
    return f"Saved to {path}. To go on with it: {going_on(path, game.text)}"


def cannot(path: Path | str, wrong: Exception) -> str:
    """A file that cannot be written, and why."""
    return f"{path} cannot be written: {getattr(wrong, 'strerror', None) or wrong}"


def going_on(path: Path, text: str) -> str:
    """The command that goes on with a game: one that lies elsewhere has to be named, and so do
    the strategies of files that it may load."""
    words = ["passline", "play", "--resume"]
    if saved_games.ours(path):
        return " ".join(words)
    files = [title for _, title in rail_notes(text) if title not in BUILT_IN]
    words += [str(path), *(word for title in dict.fromkeys(files) for word in ("--rail", title))]
    return shlex.join(words)


def rail_notes(text: str) -> list[tuple[str, str]]:
    """Who bets by which strategy, as the comments of a record note it.

    >>> rail_notes("# rail: sam pass-odds\\nrulebook: iowa")
    [('sam', 'pass-odds')]
    """
    notes = (_RAIL.fullmatch(line.strip()) for line in text.splitlines())
    return [(note[1], note[2]) for note in notes if note]


def _from_anywhere(game: Played, base: Path) -> str:
    """The text with its house file named in full, so that it is found from any folder."""
    house = game.house_file
    if not house or Path(house).is_absolute():
        return game.text
    where = (base / house).resolve()
    lines = [
        f"house: {where}" if line.partition(":")[0].strip() == "house" else line
        for line in game.text.split("\n")
    ]
    return "\n".join(lines)
