"""The words of table talk brought to one form: small words gone, money marked, slang resolved."""

from __future__ import annotations

import re
from functools import lru_cache

from passline.law.slugs import known_slugs
from passline.talk.folds import fold_wagers
from passline.talk.numbers import in_figures
from passline.talk.slang import slang

_QUOTES = {ord(mark): "'" for mark in "’‘‛ʼ´`′＇"}
_MARKS = {ord(mark): "-" for mark in "‐‑‒–—−"} | {ord(mark): " " for mark in '"“”„()[]:\u00a0'}
_PLAIN = str.maketrans(_QUOTES | _MARKS)
_AMOUNT = re.compile(r"\d[\d,]*(?:\.\d{1,2})?", re.ASCII)
_PAIR = re.compile(r"\d-\d", re.ASCII)
#: After "don't", these leave it the wager. Before a verb it forbids: "don't take my odds down".
_STILL_A_WAGER = "pass come line odds side for at on in down off to and , each total is are please"
_AFTER_DONT = frozenset([*_STILL_A_WAGER.split(), "working", "works", "work"])
_THE = (["the"], ["my"], ["that"])
_AMOUNT_AHEAD = frozenset(["to", "for", "at", "worth", "like", "by"])
_NUMBERS = frozenset(["2", "3", "4", "5", "6", "8", "9", "10", "11", "12"])
#: Wagers whose words are a verb or a bet and an amount: "buy 4", "come 5".
_VERBS = ("buy-", "lay-", "come-", "dont-come-")


def split_words(text: str) -> list[str]:
    """A text's words as they were said: lower case, figures for numbers, commas apart.

    >>> split_words("Don’t Pass, twenty-five!")
    ['dont', 'pass', ',', '25']
    """
    said = text.translate(_PLAIN).lower().replace("'", "")
    said = said.replace("&", " and ").replace("@", " for ").strip(" .!?\t\n")
    said = re.sub(r",(?!\d{3}(?:\D|$))", " , ", said)
    said = re.sub(r"\$\s+(?=\d)", "$", said)
    words: list[str] = []
    for word in said.split():
        words += _parted(word.rstrip(".!?") or word)
    return in_figures(words)


def _parted(word: str) -> list[str]:
    """A hyphenated word: a slug or a pair of dice stays whole, others come apart."""
    parts = word.split("-")
    if len(parts) == 1 or "" in parts or _PAIR.fullmatch(word):
        return [word]
    if parts[0] == "hop" and len(parts) == 3:
        return ["hop", "-".join(parts[1:])]
    return [word] if word in _slugs() else parts


@lru_cache(1)
def _slugs() -> frozenset[str]:
    return frozenset(known_slugs())


def _money(words: list[str]) -> list[str]:
    """``5 dollars``, ``a buck`` and ``nickel`` as ``$5``, ``$1`` and ``$5``."""
    worth = slang().money
    out: list[str] = []
    for word in words:
        value = worth.get(word)
        if value is None:
            out.append(word)
        elif out and _AMOUNT.fullmatch(out[-1].removeprefix("$")):
            figure = out[-1].removeprefix("$")
            out[-1] = f"${figure}" if value == 1 else _times(figure, value)
        else:
            out.append(f"${value}")
    return out


def _as_meant(words: list[str]) -> list[str]:
    """Small words that tell meanings apart, marked before they go.

    ``don't`` before a verb is no wager; in ``to the 8`` the 8 is a number and no amount; ``a unit``
    is one of them.
    """
    return [_marked(words, at) for at in range(len(words))]


def _marked(words: list[str], at: int) -> str:
    word, after = words[at], words[at + 1 : at + 3]
    before = words[max(at - 2, 0) : at]
    if word == "dont" and not _is_wager(after):
        return "never"
    if word in {"a", "another"} and after[:1] == ["unit"]:
        return "1"
    if word not in _NUMBERS or before[-1:] not in _THE:
        return word
    ahead = len(before) == 2 and (before[0] in _AMOUNT_AHEAD or before[0].isdigit())
    is_money = bool(after) and after[0] in slang().money
    named = (ahead or _on_another(words[at + 1 :])) and not is_money
    return f"number-{word}" if named else word


def _on_another(after: list[str]) -> bool:
    """Whether a number follows that this one would be the amount for: ``the six on the eight``."""
    if after[:1] not in (["on"], ["against"]):
        return False
    others = [word for word in after[1:3] if word not in {"the", "my", "that"}]
    return bool(others) and others[0] in _NUMBERS


def _is_wager(after: list[str]) -> bool:
    """Whether ``don't`` names a wager, by what comes after it."""
    if after and after[0] in {"bet", "bets", "wager"}:
        return after[1:] == [] or after[1] in _AFTER_DONT
    return not after or after[0] in _AFTER_DONT or after[0].removeprefix("$")[:1].isdigit()


def _times(figure: str, value: int) -> str:
    """So many chips of a value; a fraction of one is no amount."""
    return f"${int(figure) * value}" if figure.isdigit() and len(figure) < 7 else figure + "?"


@lru_cache(1)
def _phrases() -> dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    """By its first word: each phrase and what it stands for, the longest first."""
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for slug in known_slugs():
        if "-" in slug and not slug.startswith(_VERBS):
            found[_small_gone(tuple(split_words(slug.replace("-", " "))))] = (slug,)
    for said, means in slang().phrases.items():
        found[_small_gone(tuple(_money(split_words(said))))] = tuple(means.split())
    by_first: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for phrase in sorted(found, key=len, reverse=True):
        by_first.setdefault(phrase[0], []).append((phrase, found[phrase]))
    return by_first


def _small_gone(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in slang().small)


def _resolved(words: tuple[str, ...]) -> list[str]:
    phrases = _phrases()
    out: list[str] = []
    at = 0
    while at < len(words):
        for phrase, means in phrases.get(words[at], ()):
            if words[at : at + len(phrase)] == phrase:
                out += means
                at += len(phrase)
                break
        else:
            out.append(words[at])
            at += 1
    return out


@lru_cache(4096)
def plain_words(text: str) -> tuple[str, ...]:
    """Table talk in its plainest form: figures, no small words, one word for each thing.

    What was said to be money keeps its mark; a wager of several words is one.

    >>> plain_words("Place the six for $12")
    ('place', '6', 'for', '$12')
    >>> plain_words("horn high yo for five dollars")
    ('horn-high-11', 'for', '$5')
    """
    words = _resolved(_small_gone(tuple(_money(_as_meant(split_words(text))))))
    return tuple(fold_wagers(" ".join(words).strip(", ")).split())
