"""A refusal says what to do instead, wherever something is allowed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from string import Formatter

import pytest

from passline.game.layout.stakes import Refusal, refuse
from passline.game.money.amounts import show_dollars
from passline.game.words.refusals import (
    SENTENCES,
    TALK_SENTENCES,
    describe_refusal,
    name_ground,
)
from passline.game.words.wagers import layout_name
from passline.text import show_name
from tests.test_structure import MODULES, nodes

#: Where nothing else is allowed, and yet there is something to do.
CODES = (
    "dice-out",
    "in-air",
    "stands-in-air",
    "undo-too-late",
    "dice-are-out",
    "dice-in-air",
    "change-waits",
    "table-full",
    "no-tips",
    "no-toke-bets",
    "may-not-pass",
    "call-bet",
    "travels",
    "before-come-out",
    "with-point",
    "needs-flat",
    "whole-chips",
    "left-without-chips",
    "not-seated",
    "all-declined",
    "not-your-turn",
    "no-wager-up",
    "betting-time",
    "no-point",
    "odds-no-line",
    "odds-need-point",
    "nothing-to-press",
    "nothing-to-press-on",
    "nothing-decided",
    "no-unit",
    "toke-how-much",
    "come-out-later",
)
#: The figures of a sentence that are what the refusal allows.
OFFERED = {
    "allowed": None,
    "near": None,
    "least": {"under-minimum"},
    "most": {"over-maximum", "over-multiple", "amount-too-high"},
    "first": {"travels"},
    "down": {"not-called-off"},
    "need": {"dice-barred"},
    "needs": {"late-unconfirmed", "cash-unconfirmed"},
    "wagers": {"nobody-may-throw"},
    "on": {"cancel-face"},
    "player": {"not-your-turn"},
}
#: What a sentence says in words of its own.
IN_WORDS = {"set-too-old": "new set"}


def says_what_instead(refusal: Refusal) -> bool:
    """Whether the sentence names something that is allowed, if anything is."""
    said = describe_refusal(refusal)
    return not refusal.allowed or any(word in said for word in _ways(refusal))


def _ways(refusal: Refusal) -> Iterator[str]:
    """How people may read each thing that is allowed."""
    least = refusal.figures.get("least")
    if isinstance(least, int):
        yield show_dollars(least)
    for one in refusal.allowed:
        if isinstance(one, int):
            yield show_dollars(one)
        yield from (str(one), show_name(str(one)), name_ground(str(one)), layout_name(str(one)))


@pytest.mark.parametrize("code", CODES)
def test_a_refusal_says_what_to_do_instead(code: str) -> None:
    sentence = SENTENCES[code]
    reason, _, instead = sentence.replace("? ", ": ").replace(". ", ": ").partition(": ")
    assert reason
    assert len(instead.split()) >= 2


def codes_with_something_allowed() -> set[str]:
    """The codes of refusals that are made with what is allowed, anywhere in the source."""
    found = set()
    for path in MODULES:
        for node in nodes(path):
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", "") == "refuse"
                and isinstance(node.args[0], ast.Constant)
                and len(node.args) > 2
                and not (isinstance(node.args[2], ast.Tuple | ast.List) and not node.args[2].elts)
            ):
                found.add(str(node.args[0].value))
    return found


def test_a_sentence_names_what_is_allowed() -> None:
    codes = codes_with_something_allowed()
    assert {"place-taken", "not-payable", "no-coupon-with", "not-theirs-to-call"} <= codes
    silent = set()
    for code in codes - TALK_SENTENCES.keys() - IN_WORDS.keys():
        figures = {name for _, name, _, _ in Formatter().parse(SENTENCES[code]) if name}
        figures = {name.partition(":")[0] for name in figures}
        if not any(name in OFFERED and code in (OFFERED[name] or {code}) for name in figures):
            silent.add(code)
    assert silent == set()
    assert [code for code, words in IN_WORDS.items() if words not in SENTENCES[code]] == []


def test_a_silent_sentence_is_found() -> None:
    """What tests/properties asks of every refusal of random games finds a silent sentence."""
    assert says_what_instead(refuse("place-taken", "custom: x", [2, 5], place=1))
    assert says_what_instead(refuse("not-payable", "2", [600], wager="place-win-6", amount=700))
    assert says_what_instead(refuse("has-left", "custom: x", player="ann"))
    assert not says_what_instead(refuse("has-left", "custom: x", [500], player="ann"))
    assert not says_what_instead(refuse("table-open", "custom: x", ["close"]))


def test_every_choice_of_a_question_is_said() -> None:
    for code in ("press-which", "odds-both-lines", "half-press"):
        refusal = refuse(code, "custom: x", ["press this", "press that"], wager="pass")
        assert describe_refusal(refusal).endswith(": say 'press this' or 'press that'")
