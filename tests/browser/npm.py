"""npm packages for the tests, each downloaded once at a fixed version into ``build/npm``."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_FOLDER = ROOT / "build" / "npm"
_SECONDS = 60


def package(name: str, version: str) -> Path:
    """Return a package's folder. Skip the test, with the reason, if npm cannot download it."""
    found = _FOLDER / f"{name}-{version}"
    if found.is_dir():
        return found
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip(f"not run: npm is not installed, so {name} {version} is missing")
    _FOLDER.mkdir(parents=True, exist_ok=True)
    with (_FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several workers may want it
        if not found.is_dir():
            _fetch(npm, f"{name}@{version}", found)
    return found


def _fetch(npm: str, wanted: str, found: Path) -> None:
    try:
        ended = subprocess.run(
            [npm, "pack", wanted, "--silent"],
            cwd=_FOLDER,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        why = f"npm said {ended.stderr[-200:]!r}" if ended.returncode else ""
    except subprocess.TimeoutExpired:
        why = f"npm took more than {_SECONDS} seconds"
    if why:
        pytest.skip(f"not run: {wanted} cannot be got: {why}")
    packed = _FOLDER / ended.stdout.split()[-1]
    half = found.with_suffix(".half")
    shutil.rmtree(half, ignore_errors=True)
    with tarfile.open(packed) as files:
        files.extractall(half, filter="data")
    packed.unlink()
    (half / "package").rename(found)
    half.rmdir()
