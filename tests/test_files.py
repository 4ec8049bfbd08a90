"""The one bounded reader of files that users name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from passline.files import UnreadableError, read_file, read_text, show_path


def refused(path: str | Path, most: int = 10, plain: bool = True) -> str:
    with pytest.raises(UnreadableError) as wrong:
        read_text(path, "list", most, plain=plain)
    assert "\n" not in str(wrong.value)
    return str(wrong.value)


def test_what_is_read(tmp_path: Path) -> None:
    path = tmp_path / "it"
    path.write_bytes(b"\xc3\xa4" * 5)
    assert read_file(path, "list", 10) == b"\xc3\xa4" * 5
    assert read_text(str(path), "list", 10) == "ä" * 5


def test_what_is_not(tmp_path: Path) -> None:
    path = tmp_path / "it"
    assert refused(path) == f"there is no list {path}"
    assert refused(tmp_path) == f"{tmp_path} is a folder: expected a list"
    assert refused("a\0b").startswith("'a\\x00b' cannot be read: ")
    assert refused("x" * 300).endswith("cannot be read: File name too long")
    path.write_bytes(b"x" * 11)
    assert refused(path) == f"{path} is over 10 bytes: too large for a list"
    path.write_bytes(b"\xff")
    assert refused(path) == f"{path} is not UTF-8 text: expected a list"


def test_a_pipe_is_no_plain_file_and_a_device_has_an_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert refused(tmp_path / "pipe") == f"{tmp_path / 'pipe'} is no plain file: expected a list"
    assert (
        refused("/dev/zero", 2_000_000, plain=False)
        == "/dev/zero is over 2 MB: too large for a list"
    )


def test_a_path_is_shown_on_one_line() -> None:
    assert show_path("a\nb\x1b[2J") == r"a\nb\x1b[2J"
    assert len(show_path("x" * 5000)) < 210
