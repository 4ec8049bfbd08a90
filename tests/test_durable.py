"""Files that a crash leaves whole."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from passline.files import create_file, replace_file


def test_what_was_there_is_replaced_with_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "game.craps"
    path.write_bytes(b"old")
    path.chmod(0o640)
    replace_file(path, b"new")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", 0o640)
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "link"
    path.symlink_to(tmp_path / "real")
    replace_file(path, b"new")
    assert path.is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_link_that_lies_in_wait_is_not_written_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("passline.files.secrets.token_hex", lambda size: "known")
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    (tmp_path / ".game.known.new").symlink_to(victim)
    with pytest.raises(FileExistsError):
        replace_file(tmp_path / "game", b"new")
    assert victim.read_bytes() == b"precious"


def test_a_disk_that_is_full_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game"
    path.write_bytes(b"old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("passline.files.os.fsync", full)
    for write in (replace_file, create_file):
        with pytest.raises(OSError, match="No space"):
            write(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_only_one_creates_a_file(tmp_path: Path) -> None:
    path = tmp_path / "key"
    assert create_file(path, b"first", 0o600)
    assert not create_file(path, b"second", 0o600)
    assert path.read_bytes() == b"first"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]
