"""Sets of wagers under one name: the hardways, the ways to hop a total, hi-lo-yo, the buffalo."""

from __future__ import annotations

import re

from passline.table import commands as cmd
from passline.table.state import Table
from passline.talk.says import money_words
from passline.talk.utterance import Heard, offer_choices

HARDS = ("hard-4", "hard-6", "hard-8", "hard-10")
_HOPS = re.compile(r"hops-(easy-)?(hard|\d+)")
#: Wagers that players know by one name. Where a book deals one as a wager, that is meant.
_NAMED = {
    "hards": HARDS,
    "hi-lo-yo": ("craps-2", "craps-12", "eleven"),
    "buffalo": (*HARDS, "any-seven"),
    "buffalo-yo": (*HARDS, "eleven"),
}


def members(table: Table, word: str) -> tuple[str, ...]:
    """The wagers of a set by its name; empty where it is none."""
    if table.layout.spot(word) is not None:
        return ()
    return tuple(table.layout.slug(name) for name in _NAMED.get(word) or _hops(word))


def _hops(word: str) -> tuple[str, ...]:
    """The ways to hop a total.

    >>> _hops("hops-6"), _hops("hops-easy-8")
    (('hop-1-5', 'hop-2-4', 'hop-3-3'), ('hop-2-6', 'hop-3-5'))
    """
    found = _HOPS.fullmatch(word)
    if found is None:
        return ()
    pairs = [(a, b) for a in range(1, 7) for b in range(a, 7)]
    if found[2] == "hard":
        pairs = [(a, a) for a in (2, 3, 4, 5)]
    else:
        total = int(found[2])
        pairs = [(a, b) for a, b in pairs if a + b == total and not (found[1] and a == b)]
    return tuple(f"hop-{a}-{b}" for a, b in pairs)


def bet_set(heard: Heard, word: str, cents: int, share: str) -> list[cmd.AnyCommand]:
    """A set for so much each, or one sum in equal parts. The hardways want it said which."""
    slugs = members(heard.table, word)
    if share == "each":
        return [heard.bet(slug, cents) for slug in slugs]
    said = money_words(cents)
    name = "all the hardways" if word == "hards" else word.replace("hops-", "hop ")
    name = name.replace("-", " ")
    if word == "hards" and not share:
        ways = [f"{name} for {said} {how}" for how in ("each", "total")]
        raise offer_choices("hards-each-or-all", ways, amount=cents)
    part, left = divmod(cents, len(slugs))
    if left or part % heard.table.house.chip:
        step = heard.table.house.chip * len(slugs)
        low = max(cents // step, 1) * step
        ways = [f"{name} for {money_words(n)} {share}".strip() for n in (low, low + step)]
        cite = "custom: a set is wagered in equal parts"
        raise offer_choices("set-sum", ways, cite, amount=cents, set=name, ways=len(slugs))
    return [heard.bet(slug, part) for slug in slugs]
