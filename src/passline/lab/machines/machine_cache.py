"""Keep completely explored machines on disk, so that later commands need not explore them again.

A machine's name in the cache is a digest of everything that it depends on: the house, the strategy,
the version and the source files of the rules. The files are saved machines (``machine.py``): numpy
arrays, never pickles. If the cache cannot be read or written, machines are explored as usual.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

import passline
from passline.files import UnreadableError, cache_folder, open_file
from passline.game.house.house import House, describe_elections
from passline.lab.machines.bettor import MachineFileError
from passline.lab.machines.machine import FILE_FORMAT, Machine, read_machine
from passline.version import VERSION

#: The fewest states of a machine that is stored. Smaller ones are explored within a second.
MIN_CACHED_STATES = 2_000
#: The most bytes of all files together: the oldest are deleted first.
MAX_CACHE_BYTES = 256 * 2**20
#: The parts of the package that decide what a machine is.
_SOURCES = ("game", "talk", "lab/machines", "lab/strategies")


def make_cache_key(house: House, strategy: str, shooter_limit: int | None, memory: int) -> str:
    """Return the name of a machine in the cache, or "" if it cannot be cached.

    ``strategy`` is a text that changes when the strategy or anything it depends on changes. If no
    such text is known, it is "", and the machine cannot be cached; nor without a cache folder.
    """
    if not strategy or cache_folder() is None:
        return ""
    parts = (
        *(FILE_FORMAT, VERSION, _describe_sources(), strategy, shooter_limit, memory),
        *(house.book.digest, house.game, house.name, sorted(describe_elections(house).items())),
    )
    return sha256(msgspec.json.encode(parts)).hexdigest()


@cache
def _describe_sources() -> list[tuple[str, int, int]]:
    """Return (path, size, time of the last change) of each source file that machines depend on."""
    root = Path(passline.__file__).parent
    files = [path for part in _SOURCES for path in sorted((root / part).rglob("*.*"))]
    found = []
    for path in files:
        if path.suffix in (".py", ".toml", ".tsv"):
            about = path.stat()
            found.append((str(path.relative_to(root)), about.st_size, about.st_mtime_ns))
    return found


def load_cached(machine: Machine) -> bool:
    """Load a machine's arrays from the cache on disk. Return whether they were there.

    A damaged file, or one of another machine, is deleted.
    """
    folder = cache_folder()
    if not machine.cache_key or folder is None:
        return False
    path = _find_path(folder, machine.cache_key)
    try:
        with open_file(path, "saved machine") as file:
            saved = read_machine(file, path.name)
        if saved.about != machine.about:
            raise MachineFileError("it is another machine")
    except UnreadableError:
        return False
    except MachineFileError:  # Damaged: the next one that is explored replaces it.
        with suppress(OSError):
            path.unlink()
        return False
    with suppress(OSError):
        path.touch()
    machine.load(saved)
    return True


def store_in_cache(machine: Machine) -> None:
    """Write a completely explored machine to the cache, if it is large enough to be worth it.

    If the file cannot be written, do nothing.
    """
    folder = cache_folder()
    wanted = machine.closed and machine.in_order and machine.states >= MIN_CACHED_STATES
    if not machine.cache_key or folder is None or not wanted:
        return
    path = _find_path(folder, machine.cache_key)
    with suppress(OSError, MachineFileError):
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            machine.save(path)
            _delete_oldest(path.parent)


def _find_path(folder: Path, key: str) -> Path:
    return folder / "machines" / f"{key}.npz"


def _delete_oldest(folder: Path) -> None:
    """Delete files, the longest unused first, until all together are within MAX_CACHE_BYTES."""
    files = []
    for path in folder.glob("*.npz"):
        with suppress(OSError):
            about = path.stat()
            files.append((about.st_mtime_ns, about.st_size, path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= MAX_CACHE_BYTES:
            return
        with suppress(OSError):
            path.unlink()
        total -= size
