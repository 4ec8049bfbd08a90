"""What was not understood: which words were, and what was perhaps meant. Offered, never taken."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import cache
from itertools import product, takewhile

from passline.game.law.wager_names import known_slugs
from passline.talk.errors import RecordError
from passline.talk.normalize import NUMBER_WORDS, load_slang, split_words

#: The wager that a text would be taken for; None: it would not be understood either.
Trial = Callable[[str], str | None]

_GRAMMAR_WORDS = (
    "for to on off in down against and take turn make call press place buy lay hop across inside "
    "outside odds come pass field horn any craps hard by unit it all up point fire big small tall "
    "cents cent half third twice way not never no dollars each total "
    # Verbs that are not understood in every form, and never to be left out or mended:
    "add move switch swap drop cancel stop change remove pull double triple from do"
)
#: Longer talk is not mended.
_MOST_WORDS, _LONGEST_TEXT = 24, 200


class NotUnderstoodError(RecordError):
    """Talk that is not understood: ``heard`` were the words that are, ``suggestion`` what was
    perhaps meant (a say that would be understood; empty if nothing is near). ``plain`` is the
    message without the forms that a record expects, where it names them."""

    def __init__(
        self,
        message: str,
        line: int = 0,
        heard: tuple[str, ...] = (),
        suggestion: str = "",
        plain: str = "",
    ) -> None:
        super().__init__(message, line)
        self.heard = heard
        self.suggestion = suggestion
        self.plain = plain

    def at(self, line: int) -> NotUnderstoodError:
        """The same, with its line number."""
        return NotUnderstoodError(
            self.message, self.line or line, self.heard, self.suggestion, self.plain
        )


@cache
def _vocabulary() -> tuple[str, ...]:
    words = {
        *_GRAMMAR_WORDS.split(),
        *NUMBER_WORDS,
        *load_slang().small,
        *load_slang().money,
        *known_slugs(),
    }
    for phrase in load_slang().phrases:
        words.update(phrase.replace("'", "").split())
    return tuple(sorted(words))


@cache
def _suggestible_words() -> tuple[str, ...]:
    """Words that a slip may stand for: those that say something, and "the"."""
    return tuple(word for word in _vocabulary() if word not in load_slang().small - {"the"})


@cache
def _known_words() -> frozenset[str]:
    return frozenset(_vocabulary())


def is_known_word(word: str) -> bool:
    """Whether a word is one of the table's: not a slip, and nobody's name."""
    parts = split_words(word.lower())
    return all(
        part in _known_words() or part == "," or part.removeprefix("$").replace(".", "").isdigit()
        for part in parts
    )


def _find_known_runs(words: list[str]) -> tuple[str, ...]:
    """Runs of words that are understood."""
    runs: list[list[str]] = [[]]
    for word in words:
        if is_known_word(word):
            runs[-1].append(word)
        elif runs[-1]:
            runs.append([])
    return tuple(" ".join(run) for run in runs if run)


def _suggest_correction(words: list[str], trial: Trial) -> tuple[str, str]:
    """The nearest text that would be understood, and its wager."""
    unknown = [at for at, word in enumerate(words) if not is_known_word(word)]
    if not 0 < len(unknown) <= 3:
        return "", ""
    near = []
    for at in unknown:
        word = words[at].strip(",.!?")
        close = difflib.get_close_matches(word, _suggestible_words(), 8, 0.6)
        near.append([meant for meant in close if _is_one_typo(word, meant)])
        if word in load_slang().filler:  # no other word is ever left out: it may change the meaning
            near[-1].append("")
    for tries in sorted(product(*near), key=lambda words: words.count("")):
        mended = list(words)
        for at, word in zip(unknown, tries, strict=True):
            mended[at] = word
        text = " ".join(word for word in mended if word)
        wager = trial(text) if text else None
        if wager is not None:
            return text, wager
    return "", ""


def _is_one_typo(said: str, meant: str) -> bool:
    """Whether one letter is wrong, missing or too much, or two have changed places.

    >>> _is_one_typo("plaice", "place"), _is_one_typo("hihg", "high"), _is_one_typo("green", "thirteen")
    (True, True, False)
    """  # noqa: E501
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(said, meant, strict=False))
    same = len(list(alike))
    a, b = said[same:], meant[same:]
    swapped = a[:1] == b[1:2] and a[1:2] == b[:1] and a[2:] == b[2:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or swapped


def _find_nearest_slug(words: list[str]) -> str:
    """The slug that is nearest to words of which one at least is nobody's."""
    if not words or all(is_known_word(word) for word in words):
        return ""
    near = (
        []
        if is_known_word(words[0])
        else difflib.get_close_matches(words[0], known_slugs(), 1, 0.7)
    )
    near = near or difflib.get_close_matches("-".join(words)[:30], known_slugs(), 1, 0.7)
    return near[0] if near else ""


def _is_several_bets(words: list[str], trial: Trial) -> bool:
    """Whether these are several bets, each of which would be understood by itself."""
    for at, word in enumerate(words):
        if word == "and" or word.endswith(","):
            left, right = [*words[:at], word.rstrip(",")], words[at + 1 :]
            first = trial(" ".join(left[:-1] if word == "and" else left))
            if right and first is not None:
                return trial(" ".join(right)) is not None or _is_several_bets(right, trial)
    return False


def ask_how_much(text: str, word: str = "for") -> NotUnderstoodError:
    """A wager was named, and no amount; ``word`` leads to it."""
    words = text.split()
    again = _shorten(" ".join(words))
    return NotUnderstoodError(
        f"{word} how much? say '{again} {word}' and an amount",
        heard=_find_known_runs(words[:_MOST_WORDS]),
    )


def explain_not_understood(text: str, trial: Trial) -> NotUnderstoodError:
    """What is said of words that are not understood."""
    words = text.translate({ord("’"): "'"}).lower().split()
    message = f"{_quote_short(text)} is not understood"
    if len(words) > _MOST_WORDS or len(text) > _LONGEST_TEXT:
        return NotUnderstoodError(f"{message}: {_EXPECTED_FORMS}", plain=message)
    heard = _find_known_runs(words)
    if _is_several_bets(words, trial):
        return NotUnderstoodError(f"{message} as one bet: part several bets with ';'", heard=heard)
    suggestion, wager = _suggest_correction(words, trial)
    if heard:
        message += f"; heard: {_shorten(', '.join(heard))}"
    if not suggestion:
        wager = _find_nearest_slug(words)
    if wager:
        message += f"; the nearest wager is {wager}"
    if suggestion:
        message += f": did you mean '{_shorten(suggestion)}'?"
        return NotUnderstoodError(message, heard=heard, suggestion=suggestion)
    return NotUnderstoodError(f"{message}: {_EXPECTED_FORMS}", heard=heard, plain=message)


_EXPECTED_FORMS = (
    "expected SLUG for AMOUNT, SLUG to AMOUNT, SLUG down, SLUG on or SLUG off, or table talk"
)


def _shorten(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def _quote_short(text: str) -> str:
    return repr(_shorten(text))
