"""What ``import passline`` offers: few names, each loaded when it is first asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

import passline


@pytest.mark.parametrize("name", passline.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(passline, name) is not None
    assert name in dir(passline)


def test_nothing_else_is() -> None:
    with pytest.raises(AttributeError, match="module 'passline' has no attribute 'roulette'"):
        passline.roulette  # noqa: B018


def test_importing_it_loads_none_of_its_packages() -> None:
    listing = "import sys, passline; print([m for m in sys.modules if m.startswith('passline.')])"
    ended = subprocess.run(
        [sys.executable, "-c", listing], capture_output=True, text=True, check=True, timeout=60
    )
    assert ended.stdout == "[]\n"


def test_a_game_in_three_lines() -> None:
    dealt = passline.deal_text("rulebook: iowa\nplayer: ann 100\nann: pass for 10\nroll 4 3")
    assert dealt.table.seat("ann").rail == 11000
    assert isinstance(passline.rulebook("iowa"), passline.Book)
