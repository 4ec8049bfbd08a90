"""A picture's path: asked before long work, in one clear line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from passline.lab.charts.figure_file import ChartError, check_path
from passline.lab.charts.sessions import save_sessions
from tests.charts.sample_sessions import coin


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("fan.pdf", "ending in .png or .svg"),
        ("fan", "ending in .png or .svg"),
        ("", "ending in .png or .svg"),
        (".png", "ending in .png or .svg"),
        ("nowhere/fan.png", "cannot be written: No such file or directory"),
        ("folder.png", "cannot be written: it is not a regular file"),
        ("plain.txt/fan.png", "cannot be written: Not a directory"),
        ("fan\0.png", "cannot be written"),
        ("f" * 300 + ".png", "cannot be written: File name too long"),
    ],
)
def test_a_path_that_cannot_be_used_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "plain.txt").touch()
    for refused in (check_path, lambda path: save_sessions(path, [("coin", coin())])):
        with pytest.raises(ChartError, match=words) as told:
            refused(path)
        assert "\n" not in str(told.value)
    assert sorted(os.listdir(tmp_path)) == ["folder.png", "plain.txt"]


def test_asking_leaves_everything_as_it_was(tmp_path: Path) -> None:
    check_path(tmp_path / "new.png")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "old.svg").write_text("a picture")
    check_path(tmp_path / "old.svg")
    assert (tmp_path / "old.svg").read_text() == "a picture"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(ChartError, match="not a regular file"):
        check_path(tmp_path / "pipe.png")


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ChartError, match=r"a\.svg cannot be written: No space left on device"):
        save_sessions(tmp_path / "a.svg", [("coin", coin())])


def test_without_matplotlib_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ChartError, match=r"passline\[plot\]"):
        check_path(tmp_path / "a.png")


def test_matplotlib_is_imported_only_to_draw() -> None:
    asked = "import sys, passline.lab.charts, passline.lab.charts.terminal; print('matplotlib' in sys.modules)"  # noqa: E501
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"
