"""Commands work where POSIX-only modules and calls are missing, as on Windows.

Run here with those modules blocked and the calls removed. Locks then need ``msvcrt``, which a small
stand-in provides; nothing of this runs on Windows itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from passline.files import lock_file

pytestmark = pytest.mark.system

SAMPLES = Path(__file__).parent.parent / "src" / "passline" / "samples"
#: Makes this Python look as Windows' does to what passline uses.
PRELUDE = """
import os, sys, types
import asyncio, shutil, socket, subprocess, tempfile, webbrowser  # the standard library's own use
import anyio, apsw, click, jinja2, psycopg, rich.console, starlette, uvicorn
for name in ("fcntl", "resource", "termios", "pwd", "readline", "uvloop"):
    sys.modules[name] = None
for name in ("pread", "fork", "register_at_fork", "O_NOFOLLOW", "O_DIRECTORY", "O_CLOEXEC",
             "sched_getaffinity", "getuid", "geteuid"):
    if hasattr(os, name):
        delattr(os, name)
def locking(handle, mode, size): pass
sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=locking)
sys.platform = "win32"
from passline.cli.main import main
"""


def run(tmp_path: Path, *args: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", f"{PRELUDE}sys.argv = {['passline', *args]!r}; main()"],
        input=typed,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PASSLINE_HOME": str(tmp_path)},
        check=False,
    )


def test_the_school_keeps_an_answer(tmp_path: Path) -> None:
    for _ in range(2):
        ended = run(tmp_path, "school", "keys", "--name", "ann", "--count", "1", typed="5\n\n\n")
        assert "Traceback" not in ended.stderr
    ended = run(tmp_path, "school", "--progress", "--name", "ann", "--json")
    assert ended.returncode == 0, ended.stderr
    assert '"answers": 2' in ended.stdout


def test_a_game_is_played(tmp_path: Path) -> None:
    ended = run(tmp_path, "play", "--alone", "--name", "ann", typed="pass for 10\nroll\nquit\n")
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(
    "args",
    [
        ("serve", "--port", "0", "--json"),
        ("replay", str(SAMPLES / "first-game.craps"), "--no-browser", "--port", "0"),
    ],
)
def test_a_server_starts(tmp_path: Path, args: tuple[str, ...]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", f"{PRELUDE}sys.argv = {['passline', *args]!r}; main()"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PASSLINE_HOME": str(tmp_path)},
    )
    try:
        assert process.stdout is not None
        assert "http://127.0.0.1" in process.stdout.readline()
    finally:
        process.terminate()
        process.communicate(timeout=20)
    assert process.returncode == 0


def test_a_lock_is_exclusive_or_shared(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.touch()
    with path.open("rb+") as first, path.open("rb+") as second:
        lock_file(first.fileno(), shared=True)
        lock_file(second.fileno(), shared=True, wait=False)
        with path.open("rb+") as third, pytest.raises(BlockingIOError):
            lock_file(third.fileno(), wait=False)
