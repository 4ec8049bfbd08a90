"""Why a step is wrong, in a learner's own words, judged by what they tell: the kind of mistake,
and whatever player, wager or amount they name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from passline.money import show_dollars
from passline.school.answers import quoted, read_cents
from passline.school.judging import FaultKind, WorkFault
from passline.school.questions import UnreadableAnswerError
from passline.school.work import WorkStep
from passline.words.wagers import layout_name

#: Words by which a kind of mistake is told: the beginnings of words, or of several.
_TOLD: Final[dict[FaultKind, tuple[str, ...]]] = {
    "amount": (
        *("amount", "too much", "much", "too little", "little", "too many", "too few", "short"),
        *("over", "under", "count", "miscount", "press", "pays", "paid", "due", "worth", "price"),
        *("wrong payoff", "wrong pay", "key", "chip", "unit", "more", "less", "$"),
    ),
    "order": (
        *("order", "before", "after", "first", "last", "early", "late", "wait", "walk", "turn"),
        *("direction", "sequence", "ahead", "too soon", "soon", "way round", "clockwise", "then"),
    ),
    "flat before odds": ("odds", "flat", "order", "before", "first", "after", "sequence"),
    "end": ("end", "side", "reach", "wrong dealer", "other dealer", "left", "right"),
    "hand": ("hand", "inside hand", "outside hand", "inside", "outside"),
    "missed": (
        *("miss", "left out", "left up", "leave", "forg", "skip", "omit", "overlook", "never"),
        *("not taken", "not paid", "not placed", "not moved", "unpaid", "untaken", "nobody"),
    ),
    "loser paid": (
        "lose",
        "losing",
        "loss",
        "lost",
        "taken",
        "take",
        "not a winner",
        "did not win",
    ),
    "not due": ("not due", "nothing", "no bet", "not to be"),
    "post": ("post", "stick", "base", "box"),
}
#: Words of an amount that others have too: "a loser was paid" tells no amount.
_EITHER: Final = ("pays", "paid", "due")
_AMOUNT: Final = re.compile(r"\$\s?(\d[\d,]*(?:\.\d\d)?)|(\d[\d,]*(?:\.\d\d)?)\s?(?:dollars|bucks)")
_KINDS: Final = (
    "the amount, the order, the end, the hand, a bet missed, a loser paid, the flat first"
)


def kinds_told(words: str) -> frozenset[str]:
    """The kinds of mistake that words tell of. UnreadableAnswerError where they tell of none.

    >>> sorted(kinds_told("a loser was paid")), sorted(kinds_told("with the wrong hand"))
    (['loser paid'], ['hand'])
    """
    said = f" {' '.join(re.findall(r'[$]|[a-z]+', words.lower()))}"
    found = {kind for kind, signs in _TOLD.items() if any(f" {sign}" in said for sign in signs)}
    sure = [sign for sign in _TOLD["amount"] if sign not in _EITHER]
    if len(found) > 1 and not any(f" {sign}" in said for sign in sure):
        found.discard("amount")
    if not found:
        raise UnreadableAnswerError(f"{quoted(words)} is no reason: say what is wrong: {_KINDS}")
    return frozenset(found)


def wrong_reason(said: str, faults: Sequence[WorkFault], shown: Sequence[WorkStep]) -> str:
    """What is wrong with a reason, against the mistakes that were made; empty: nothing is.

    It must tell the kind. A player, a wager or an amount that it names must be one of the mistake's
    own; none need be named.
    """
    if any(said == fault.words for fault in faults):
        return ""
    told = kinds_told(said)
    if not told & {fault.kind for fault in faults}:
        return f"{quoted(said)} is not why"
    about = [step for fault in faults for step in fault.steps]
    for named, mine in (
        (_named(said, (step.player for step in shown)), {step.player for step in about}),
        (_wagers_in(said, shown, about), {layout_name(step.wager) for step in about}),
    ):
        strange = named - mine
        if strange and not named & mine:
            return f"{quoted(said)} is not why: {', '.join(sorted(strange))} was dealt with rightly"
    return _wrong_amounts(said, about, shown) if told == {"amount"} else ""


def _named(said: str, names: Iterable[str]) -> set[str]:
    words = set(re.findall(r"\w+", said.lower()))
    return {name for name in names if name and name.lower() in words}


def _wagers_in(said: str, shown: Sequence[WorkStep], about: Sequence[WorkStep]) -> set[str]:
    """The wagers that are named; of those whose name is a part of another's, the longer."""
    text, found = said.lower().replace("-", " "), set[str]()
    names = {layout_name(step.wager) for step in (*shown, *about) if step.wager}
    for name in sorted(names, key=len, reverse=True):
        if re.search(rf"\b{re.escape(name.lower())}\b", text):
            found.add(name)
            text = text.replace(name.lower(), " ")
    return found


def _wrong_amounts(said: str, about: Sequence[WorkStep], shown: Sequence[WorkStep]) -> str:
    """An amount that is neither what was due nor what was done; empty where there is none."""
    mine = [s for s in shown if (s.player, s.wager) in {(a.player, a.wager) for a in about}]
    right = {step.amount for step in (*about, *mine)}
    for pair in _AMOUNT.findall(said):
        cents = read_cents("".join(pair), "why")
        if cents not in right and abs(cents) not in {abs(a - b) for a in right for b in right}:
            due = ", ".join(show_dollars(step.amount) for step in about)
            return f"{quoted(said)} is not why: {due} is due"
    return ""
