"""Explain talk that is not understood: which words are known, and what the player may have meant.

A suggestion is only offered. It is never played.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import product, takewhile

from passline.game.law.wager_names import known_slugs
from passline.game.words.suggestions import (
    EXPECTED_FORMS,
    describe_missing_amount,
    describe_not_understood,
    describe_several_bets,
    describe_suggestion,
)
from passline.talk.errors import NotUnderstoodError
from passline.talk.normalize import NUMBER_WORDS, load_slang, split_words

#: Return the wager that a text bets on, or None if the text is not understood.
Trial = Callable[[str], str | None]

_GRAMMAR_WORDS = (
    "for to on off in down against and take turn make call press place buy lay hop across inside "
    "outside odds come pass field horn any craps hard by unit it all up point fire big small tall "
    "cents cent half third twice way not never no dollars each total "
    # Verbs that are not understood in every form. A suggestion never drops or corrects them.
    "add move switch swap drop cancel stop change remove pull double triple from do"
)
#: Longer talk gets no suggestion.
_MOST_WORDS, _LONGEST_TEXT = 24, 200


@cache
def _vocabulary() -> tuple[str, ...]:
    slang = load_slang()
    words = {*_GRAMMAR_WORDS.split(), *NUMBER_WORDS, *slang.small, *slang.money, *known_slugs()}
    for phrase in slang.phrases:
        words.update(phrase.replace("'", "").split())
    return tuple(sorted(words))


@cache
def _suggestible_words() -> tuple[str, ...]:
    """Return the words that a typo may stand for: every word with a meaning, and "the"."""
    return tuple(word for word in _vocabulary() if word not in load_slang().small - {"the"})


@cache
def _known_words() -> frozenset[str]:
    return frozenset(_vocabulary())


def is_known_word(word: str) -> bool:
    """Return whether a word is in the vocabulary, and so is neither a typo nor a name."""
    parts = (part for part in split_words(word.lower()) if part not in _known_words())
    return all(p == "," or p.removeprefix("$").replace(".", "").isdigit() for p in parts)


def _find_known_runs(words: list[str]) -> tuple[str, ...]:
    """Return each run of known words that stand side by side, joined by spaces."""
    runs: list[list[str]] = [[]]
    for word in words:
        if is_known_word(word):
            runs[-1].append(word)
        elif runs[-1]:
            runs.append([])
    return tuple(" ".join(run) for run in runs if run)


def _suggest_correction(words: list[str], trial: Trial) -> tuple[str, str]:
    """Return (text, wager): the nearest text that would be understood, or two empty strings.

    `trial` returns the wager that a text bets on, or None if it is not understood.
    """
    unknown = [at for at, word in enumerate(words) if not is_known_word(word)]
    if not 0 < len(unknown) <= 3:
        return "", ""
    near = []
    for at in unknown:
        word = words[at].strip(",.!?")
        near.append(list(_list_near_words(word)))
        if word in load_slang().filler:  # Leaving out any other word may change the meaning.
            near[-1].append("")
    for tries in sorted(product(*near), key=lambda words: words.count("")):
        corrected = list(words)
        for at, word in zip(unknown, tries, strict=True):
            corrected[at] = word
        text = " ".join(word for word in corrected if word)
        wager = trial(text) if text else None
        if wager is not None:
            return text, wager
    return "", ""


@lru_cache(1_000)
def _list_near_words(word: str) -> tuple[str, ...]:
    """Return the words that a word may be a typo of, the nearest first."""
    close = difflib.get_close_matches(word, _suggestible_words(), 8, 0.6)
    return tuple(meant for meant in close if _is_one_typo(word, meant))


def _is_one_typo(typed: str, meant: str) -> bool:
    """Return whether two words differ by one wrong, missing or extra letter, or by one swap.

    >>> _is_one_typo("plaice", "place"), _is_one_typo("hihg", "high")
    (True, True)
    >>> _is_one_typo("green", "thirteen")
    False
    """
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(typed, meant, strict=False))))
    a, b = typed[same:], meant[same:]
    swapped = a[:1] == b[1:2] and a[1:2] == b[:1] and a[2:] == b[2:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or swapped


def _find_nearest_slug(words: list[str]) -> str:
    """Return the slug nearest to the words, or "" if all the words are known or none is near."""
    if not words or all(is_known_word(word) for word in words):
        return ""
    first = "" if is_known_word(words[0]) else words[0]
    return _find_near_slug(first) or _find_near_slug("-".join(words)[:30])


@lru_cache(1_000)
def _find_near_slug(text: str) -> str:
    return next(iter(difflib.get_close_matches(text, known_slugs(), 1, 0.7)), "")


def _is_several_bets(words: list[str], trial: Trial) -> bool:
    """Return whether the words are bets joined by "and" or commas, each understood by itself.

    `trial` returns None for a text that is not understood.
    """
    for at, word in enumerate(words):
        if word == "and" or word.endswith(","):
            left, right = [*words[:at], word.rstrip(",")], words[at + 1 :]
            first = trial(" ".join(left[:-1] if word == "and" else left))
            if right and first is not None:
                return trial(" ".join(right)) is not None or _is_several_bets(right, trial)
    return False


def ask_how_much(text: str, word: str = "for") -> NotUnderstoodError:
    """Return the error for talk that names a wager but no amount: it asks for the amount.

    `word` ("for", "to") would introduce the amount.
    """
    words = text.split()
    known_words = _find_known_runs(words[:_MOST_WORDS])
    return NotUnderstoodError(describe_missing_amount(words, word), known_words=known_words)


def explain_not_understood(text: str, trial: Trial) -> NotUnderstoodError:
    """Return the error for words that are not understood, with the nearest phrase if any.

    `trial` returns the wager that a text bets on, or None if it is not understood.
    """
    words = text.translate({ord("’"): "'"}).lower().split()
    if len(words) > _MOST_WORDS or len(text) > _LONGEST_TEXT:
        return _make_error(describe_not_understood(text))
    known_words = _find_known_runs(words)
    if _is_several_bets(words, trial):
        return NotUnderstoodError(describe_several_bets(text), known_words=known_words)
    suggestion, wager = _suggest_correction(words, trial)
    if not suggestion:
        nearest = _find_nearest_slug(words)
        return _make_error(describe_not_understood(text, known_words, nearest), known_words)
    message = describe_not_understood(text, known_words, wager) + describe_suggestion(suggestion)
    return NotUnderstoodError(message, known_words=known_words, suggestion=suggestion)


def _make_error(message: str, known_words: tuple[str, ...] = ()) -> NotUnderstoodError:
    return NotUnderstoodError(
        f"{message}: {EXPECTED_FORMS}", known_words=known_words, short_message=message
    )
