"""A refusal that a player meets while betting says what to do instead."""

from __future__ import annotations

import pytest

from passline.game.words.refusals import SENTENCES

CODES = (
    "dice-out",
    "in-air",
    "stands-in-air",
    "undo-too-late",
    "table-full",
    "no-tips",
    "no-toke-bets",
    "may-not-pass",
    "call-bet",
    "travels",
    "before-come-out",
    "with-point",
    "whole-chips",
    "left-without-chips",
)


@pytest.mark.parametrize("code", CODES)
def test_a_refusal_says_what_to_do_instead(code: str) -> None:
    reason, _, instead = SENTENCES[code].partition(": ")
    assert reason
    assert len(instead.split()) >= 2
