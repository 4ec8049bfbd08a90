"""What a strategy prints is not our output."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.lab.strategy_machine import machine


def test_a_strategy_that_prints_does_not_spoil_standard_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "loud.py"
    file.write_text(
        'print("here")\ndef loud(view):\n    print("asked")\n    return "field for 5"\n'
    )
    assert machine("iowa", f"{file}:loud").closed
    out, err = capsys.readouterr()
    assert out == ""
    assert "here" in err
    assert "asked" in err
