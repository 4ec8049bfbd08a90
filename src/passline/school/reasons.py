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

#: What tells a kind of mistake: the beginnings of words, in any of which there may be more. "not"
#: stands for "n't" too.
_TOLD: Final[dict[FaultKind, tuple[str, ...]]] = {
    "amount": (
        *("amount", "much", "little", "many", "few", "short", "light", "heav", "enough", "more"),
        *("less", "over ?pa", "under ?pa", "over by", "under by", "off by", "(mis)?count", "press"),
        *("worth", "price", "pay ?o", "pay(s|ing)? the wrong", "wrong (pay|odds|siz|money)", "key"),
        *(
            "chip",
            "unit",
            "sum",
            "total",
            "math",
            "calculat",
            "miscalc",
            "reckon",
            "doubl",
            "twice",
        ),
        *("too (high|low|big|small|large)", "cut", "buck", "dollar", "[$]", "even money", "to one"),
        *(r"\d+ (to|for) \d", r"\d[\d.]* (not|instead of) [$]? ?\d", "the money"),
        r"(be|got?|gets?|give|given|gave|wins?|pays?|paid) \d",
    ),
    "order": (
        *("order", "before", "after", "first", "second", "last", "next", "earl", "late", "wait"),
        *("walk", "turn", "direction", "sequence", "ahead", "soon", "way round", "wrong way"),
        *("clockwise", "then", "swap", "switch", "queue", "while", "until", "start(s|ed|ing)?"),
        "(base|stick) to (the )?(base|stick)",
    ),
    "flat before odds": ("odds", "flat", "order", "before", "first", "after", "sequence"),
    "end": (
        *("ends?( |$)", "side", "reach", "across", "belongs to", "half of the table"),
        "(wrong|other|another|not (his|her|their|my|your)) (base|dealer|player|guest|half)",
        "(dealer|base|half) (on|at)",
        "(at|on|from|to) the (left|right)",
        "(left|right)( hand)? (base|dealer|half)",
    ),
    "hand": ("hands?( (?!off|over|it)|$)", "inside", "outside"),
    "missed": (
        *("miss(?!count)", "left (out|up|on|stand|lying|there|behind)", "was left", "leav", "forg"),
        *("skip", "omit", "overlook", "never", "ignor", "nobody", "no one", "unpaid", "untaken"),
        *("still (up|there|on|l[iy])", "stay", "also", "too$", "as well"),
        "not (tak|paid|pay|plac|mov|collect|pick|don|deal|touch|settl)",
    ),
    "loser paid": (
        *("los[eti]", "loss", "take", "not a win", "not win", "no win", "wins? nothing", "down"),
        *("be(en)? (collect|pick|tak)", "not (have been|be|to be|get) paid", "instead of tak"),
    ),
    "not due": ("not due", "nothing", "no bet", "not to be"),
    "post": ("post", "stick", "base", "box"),
}
#: Words of an amount that others have too: "a loser was paid" tells no amount.
_EITHER: Final = ("pays", "paid", "due")
#: What says that a very bet lost; "the losers go first" tells an order.
_LOST: Final = (
    "lost",
    "losing",
    "los(er|es)$",
    "paid (a|the) los",
    "a los",
    "loses on",
    "not (a )?win",
)
_AMOUNT: Final = re.compile(r"\$\s?(\d[\d,]*(?:\.\d\d)?)|(\d[\d,]*(?:\.\d\d)?)\s?(?:dollars|bucks)")
_KINDS: Final = (
    "the amount, the order, the end, the hand, a bet missed, a loser paid, the flat first"
)


def kinds_told(words: str) -> frozenset[str]:
    """The kinds of mistake that words tell of. UnreadableAnswerError where they tell of none.

    >>> sorted(kinds_told("a loser was paid")), sorted(kinds_told("with the wrong hand"))
    (['loser paid'], ['hand'])
    """
    said = " ".join(re.findall(r"[$]|[a-z]+|[0-9][0-9.]*", _plain(words)))
    found = {kind for kind, signs in _TOLD.items() if _any_of(signs, said)}
    if not found and _any_of(_EITHER, said):
        found.add("amount")
    if "order" in found and not _any_of(_LOST, said):
        found.discard("loser paid")
    if not found:
        raise UnreadableAnswerError(f"{quoted(words)} is no reason: say what is wrong: {_KINDS}")
    return frozenset(found)


def _plain(words: str) -> str:
    """In small letters, "n't" written out, and nobody's "'s"."""
    text = words.lower().replace("\u2019", "'").replace("n't", " not")
    return re.sub(r"'s\b", "", text)


def _any_of(signs: Iterable[str], said: str) -> bool:
    return re.search(rf"(?<![a-z0-9])({'|'.join(signs)})", said) is not None


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
