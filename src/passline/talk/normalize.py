"""Normalize table talk: figures for number words, slang resolved, one word for each wager.

The slang is data. `normalize_words` is the entry point; it depends on the text and the rulebook's
own names of wagers, never on what is on the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache

import msgspec
from msgspec.structs import replace

from passline.game.law.book_files import cached_by_book, read_each_book
from passline.game.law.book_parts import convert_part, read_customs, read_own_part
from passline.game.law.citations import CitedEntry
from passline.game.law.wager_names import known_slugs


class SlangPhrase(CitedEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A slang phrase, its meaning in plain words, and the rulebook that cites it, if any."""

    say: tuple[str, ...]
    means: str
    book: str = ""


class MoneyWord(CitedEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A word for money, its value in dollars, and the rulebook that cites it, if any."""

    say: tuple[str, ...]
    dollars: int
    book: str = ""


class _SlangFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    small: tuple[str, ...] = ()
    filler: tuple[str, ...] = ()
    money: tuple[MoneyWord, ...] = ()
    phrase: tuple[SlangPhrase, ...] = ()


class Slang(msgspec.Struct, frozen=True):
    """The vocabulary of table talk.

    `small` words carry no meaning and are dropped. `filler` words are not understood, but a
    suggestion may leave them out. `money` has the dollars by word, `phrases` the plain words by
    phrase.
    """

    small: frozenset[str]
    filler: frozenset[str]
    money: dict[str, int]
    phrases: dict[str, str]
    entries: tuple[SlangPhrase | MoneyWord, ...]


@cache
def load_slang() -> Slang:
    """Return the slang of every table: the customary phrases, and those that each rulebook adds.

    >>> load_slang().phrases["little joe"], load_slang().money["nickel"]
    ('total-4', 5)
    """
    customs = convert_part("customs", "talk", read_customs("talk"), _SlangFile)
    files = (customs, *read_each_book(_read_slang_file))
    money = [entry for file in files for entry in file.money]
    phrases = [entry for file in files for entry in file.phrase]
    return Slang(
        small=frozenset(word for file in files for word in file.small),
        filler=frozenset(word for file in files for word in file.filler),
        money={word: entry.dollars for entry in money for word in entry.say},
        phrases={words: entry.means for entry in phrases for words in entry.say},
        entries=(*money, *phrases),
    )


@cached_by_book
def _read_slang_file(book: str) -> _SlangFile:
    file = convert_part(book, "talk", read_own_part(book, "talk"), _SlangFile)
    money = tuple(replace(entry, book=book) for entry in file.money)
    return replace(file, money=money, phrase=tuple(replace(e, book=book) for e in file.phrase))


def check_slang(book: str) -> None:
    """Raise BookError if the slang of a rulebook has a mistake.

    `load_slang` leaves out all slang of that rulebook, without an error.
    """
    _read_slang_file(book)


_SMALL_NAMES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS_NAMES = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL_VALUES = {word: n for n, word in enumerate(_SMALL_NAMES.split())}
_TENS_VALUES = {word: (n + 2) * 10 for n, word in enumerate(_TENS_NAMES.split())} | {"fourty": 40}
_PLURAL_VALUES = {"sixes": 6, "twenties": 20} | {
    f"{word}s": n for word, n in _SMALL_VALUES.items() if n != 6
}
_HUNDRED_WORDS, _THOUSAND_WORDS = frozenset(["hundred"]), frozenset(["thousand", "grand"])
NumberReader = Callable[[Sequence[str], int], tuple[int, int]]
_AMOUNT_COUNT = re.compile(r"\d{1,6}", re.ASCII)
#: Every number word, and every part of one.
NUMBER_WORDS = frozenset(
    [*_SMALL_VALUES, *_TENS_VALUES, *_PLURAL_VALUES, *_HUNDRED_WORDS, *_THOUSAND_WORDS]
)


def convert_number_words(words: Sequence[str]) -> list[str]:
    """Return the words with figures for number words, such as 25 for "twenty five".

    >>> convert_number_words("place the six for twenty five".split())
    ['place', 'the', '6', 'for', '25']
    >>> convert_number_words("fifteen hundred and fifty on the nines".split())
    ['1550', 'on', 'the', '9']
    """
    out: list[str] = []
    at = 0
    while at < len(words):
        value, after = _read_number(words, at)
        if after == at:
            out.append(_convert_plural(words[at]))
            after = at + 1
        else:
            out.append(str(value))
        at = after
    return out


def _convert_plural(word: str) -> str:
    if word in _PLURAL_VALUES:
        return str(_PLURAL_VALUES[word])
    return word[:-1] if word[:-1].isascii() and word[:-1].isdigit() and word[-1] == "s" else word


def _read_number(words: Sequence[str], at: int) -> tuple[int, int]:
    """Return (number, index after it) for the number words that begin at index `at`.

    If there are none, the index is `at`.
    """
    return _read_multiple(words, at, _read_below_thousand, _THOUSAND_WORDS, 1000)


def _read_below_thousand(words: Sequence[str], at: int) -> tuple[int, int]:
    return _read_multiple(words, at, _read_below_hundred, _HUNDRED_WORDS, 100)


def _read_multiple(
    words: Sequence[str], at: int, read: NumberReader, of: frozenset[str], size: int
) -> tuple[int, int]:
    """Return (number, index after it) for words such as "five hundred and fifty" from index `at`.

    `of` holds the words for the multiple ("hundred"), and `size` is its value (100). `read` reads
    the numbers before it ("five") and after it ("fifty").
    """
    value, after = read(words, at)
    if after == at:
        first = _word_at(words, at)
        if first in of:
            value = 1  # "hundred on the line"
        elif _AMOUNT_COUNT.fullmatch(first) and _word_at(words, at + 1) in of:
            value, after = int(first), at + 1  # "5 hundred"
    if _word_at(words, after) not in of or not value:
        return value, after
    start = after + 1 + (_word_at(words, after + 1) == "and")
    more, end = read(words, start)
    return value * size + more, end if end > start else after + 1


def _word_at(words: Sequence[str], at: int) -> str:
    return words[at] if at < len(words) else ""


def _read_below_hundred(words: Sequence[str], at: int) -> tuple[int, int]:
    word = _word_at(words, at)
    if word in _SMALL_VALUES:
        return _SMALL_VALUES[word], at + 1
    if word in _TENS_VALUES:
        one = _SMALL_VALUES.get(_word_at(words, at + 1), 0)
        return (_TENS_VALUES[word] + one, at + 2) if 0 < one < 10 else (_TENS_VALUES[word], at + 1)
    return 0, at


_FACE_NAMES = {"ace": "1", "deuce": "2", "trey": "3"}
#: The straight center wager on each total that only one pair makes, and that pair.
_STRAIGHT_TOTALS = {"2": "craps-2", "3": "craps-3", "11": "eleven", "12": "craps-12"}
_STRAIGHT_PAIRS = {"1-1": "craps-2", "1-2": "craps-3", "5-6": "eleven", "6-6": "craps-12"}


def _join_hop(found: re.Match[str]) -> str:
    low, high = sorted(_FACE_NAMES.get(face, face) for face in (found[1], found[2]))
    return _STRAIGHT_PAIRS.get(f"{low}-{high}", f"hop-{low}-{high}")


def _join_hard_hop(found: re.Match[str]) -> str:
    half = int(found[1]) // 2
    return f"hop-{half}-{half}"


def _join_hop_total(found: re.Match[str]) -> str:
    return _STRAIGHT_TOTALS.get(found[1], f"hops-{found[1]}")


def _join_hardways(found: re.Match[str]) -> str:
    return re.sub(r"(4|6|8|10)(?= |$)", r"hard-\1", found[1])


_UNITS_PATTERN = r"(\d{1,3}) unit"
_NUMBER_PATTERN = r"(?:total-|number-)?(2|3|4|5|6|8|9|10|11|12)"
_HARD_NUMBER_PATTERN = r"(?:total-|number-)?(4|6|8|10)"
_AMOUNT_PATTERN = r"(\$?\d[\d,.]*)"
_HARD_NUMBERS_PATTERN = r"((?:4|6|8|10)(?: (?:and|,) (?:4|6|8|10))*)"
_GROUP_PATTERN = r"((?:across|inside|outside)(?:-box)?|iron-cross)"
_FACE_PATTERN = r"([1-6]|ace|deuce|trey)"
_COME_PATTERN = r"(dont-come|come)(?: on)?"
_EVERY_COME_PATTERN = r"(?:all )?(dont-come|come) several"
#: Verbs that put chips down, if an amount or a wager with an amount follows.
_PUT_VERBS_PATTERN = (
    rf"(?:toss|throw)(?= (?!dice))"
    rf"|drop(?= (?:{_AMOUNT_PATTERN}(?: each)? (?:on|in|against) |.* for {_AMOUNT_PATTERN}))"
    rf"|take(?= (?:{_AMOUNT_PATTERN}(?: each)? (?:on|in|against) |.* for {_AMOUNT_PATTERN}"
    rf"|{_AMOUNT_PATTERN} (?!down$|off$|on$|up$)\S+$))"
)
#: Rewrites that join the words of a wager into one. They apply in this order.
_WAGER_REWRITES = tuple(
    (re.compile(rf"(?<!\S)(?:{pattern})(?= |$)"), replacement)
    for pattern, replacement in (
        (r"to(?= (?:place|buy|lay|press|take|hop|make|add|turn|raise|lower) )", ""),
        (_PUT_VERBS_PATTERN, ""),
        (r"drop", "lower"),
        (rf"spread {_AMOUNT_PATTERN}", r"\1 total"),
        (r", (each|total)", r"\1"),
        (r"put-bet (?:of|on|for(?! \$?\d))", "put-bet"),
        (r"^(.+?)(?: as)? put-bet$", r"put-bet \1"),
        (r"put-bet (pass|dont-pass)", r"\1"),
        (rf"{_AMOUNT_PATTERN} for(?= (?:on|against) |$)", r"\1 worth"),
        (r"3 ways?(?: on)? (?:total-|number-)?7", "hops-7"),
        (r"(?:hop )?7 (?:for )?3 ways?", "hops-7"),
        (r"horn-high (?:on )?eleven", "horn-high-11"),
        (r"horn-high (?:on )?(?:craps-)?(2|3|11|12)", r"horn-high-\1"),
        (rf"(?:hop (?:all )?hard|hard hop) {_HARD_NUMBER_PATTERN}", _join_hard_hop),
        (rf"hard {_HARD_NUMBER_PATTERN}(?: on)? hop", _join_hard_hop),
        (r"hop hard-(4|6|8|10)", _join_hard_hop),
        (r"hard-(4|6|8|10)(?: on)? hop", _join_hard_hop),
        (r"(?:hop (?:all )?hards|hards hop)", "hops-hard"),
        (rf"(?:hop easy|easy hop) {_HARD_NUMBER_PATTERN}", r"hops-easy-\1"),
        (r"hop ([1-6])-([1-6])", _join_hop),
        (rf"hop {_FACE_PATTERN} {_FACE_PATTERN}(?= for| \$|$)", _join_hop),
        (r"([1-6])-([1-6])(?: on)? hop", _join_hop),
        (rf"{_FACE_PATTERN} {_FACE_PATTERN}(?: on)? hop", _join_hop),
        (r"hop (?:all )?(?:total-)?(2|3|4|5|6|7|8|9|10|11|12)", _join_hop_total),
        (r"hop (eleven|craps-2|craps-3|craps-12)", r"\1"),
        (r"(eleven|craps-2|craps-3|craps-12)(?: on)? hop", r"\1"),
        (r"(?:all |easy )?(4|5|6|7|8|9|10) hop", _join_hop_total),
        (rf"hard {_HARD_NUMBER_PATTERN}", r"hard-\1"),
        (rf"{_HARD_NUMBER_PATTERN} hard(?! \d)", r"hard-\1"),
        (rf"(?:all )?hards {_HARD_NUMBERS_PATTERN}(?= (?:for|on|off|down)|$| \$)", _join_hardways),
        (r"all (?:4 )?hards", "hards"),
        (r"([2-689]|1[0-2]) repeater(?! \d)", r"repeater-\1"),
        (rf"each hards for {_AMOUNT_PATTERN}", r"hards for \1 each"),
        (rf"all {_GROUP_PATTERN}", r"\1"),
        (rf"{_GROUP_PATTERN} no {_NUMBER_PATTERN}", r"\1-no-\2"),
        (rf"{_GROUP_PATTERN} (no|with) point", r"\1-\2-point"),
        (r"double (?:all|every|each)(?: 1)?", "double-all"),
        (r"double(?! \S*odds| down|$)", "press"),
        (rf"(?:behind|back(?: up)?) {_EVERY_COME_PATTERN}", r"every-\1-odds"),
        (rf"(?:lay-)?odds (?:on |behind |against )?{_EVERY_COME_PATTERN}", r"every-\1-odds"),
        (rf"{_EVERY_COME_PATTERN} odds", r"every-\1-odds"),
        (r"(dont-come|come) several", r"\1"),
        (r"(?:odds )?(?:behind|back(?: up)?) it(?: up)?", "odds"),
        (r"back(?: up)? pass", "odds"),
        (rf"(?:odds )?behind {_COME_PATTERN} {_NUMBER_PATTERN}", r"\1-odds-\2"),
        (rf"(?:odds )?(?:behind|back(?: up)?) {_NUMBER_PATTERN}", r"odds-\1"),
        (r"(?:odds )?behind (dont-pass|dont-come|come)", r"\1-odds"),
        (r"(?:odds )?behind", "odds"),
        (rf"(\S*odds(?:-\d+)?) with {_AMOUNT_PATTERN}", r"\1 for \2"),
        (rf"lay {_AMOUNT_PATTERN} (?:on )?odds", r"\1 lay-odds"),
        (
            rf"lay {_AMOUNT_PATTERN} (?:on|against) dont-come {_NUMBER_PATTERN}",
            r"\1 dont-come-odds-\2",
        ),
        (rf"lay-odds (?:on |against )?dont-come(?: on)? {_NUMBER_PATTERN}", r"dont-come-odds-\1"),
        (r"lay-odds (?:on |against )?dont-(come|pass)", r"dont-\1-odds"),
        (rf"lay-odds (?:on|against) {_NUMBER_PATTERN}", r"lay-odds-\1"),
        (rf"take {_AMOUNT_PATTERN} (?:on )?odds", r"\1 odds"),
        (rf"(dont-come|come) odds (on|off) on {_NUMBER_PATTERN}", r"\1-odds-\3 \2"),
        (rf"odds (on|off) on {_NUMBER_PATTERN}", r"odds-\2 \1"),
        (rf"(dont-come|come) odds (?:on |behind )?{_NUMBER_PATTERN}", r"\1-odds-\2"),
        (rf"odds (?:on |behind )?(dont-come|come) {_NUMBER_PATTERN}", r"\1-odds-\2"),
        (rf"(dont-come|come) {_NUMBER_PATTERN} odds", r"\1-odds-\2"),
        (r"(\d{1,3})x", r"\1 x"),
        (r"(dont-pass|pass) odds", r"\1-odds"),
        (r"odds (?:on |behind )?(dont-pass|pass)", r"\1-odds"),
        (rf"odds (?:on|behind) {_NUMBER_PATTERN}", r"odds-\1"),
        (r"(dont-come|come) odds", r"\1-odds"),
        (r"odds (?:on |behind )?(dont-come|come)", r"\1-odds"),
        (r"(?:345|3 4 5)(?: x| times)?(?= \S*odds)", "3-4-5"),
        (rf"(?:press|take|bring) (.+?) up {_UNITS_PATTERN}", r"press \1 \2 unit"),
        (rf"(?:go )?up {_UNITS_PATTERN}(?: on (.+))?", r"press \2 \1 unit"),
        (rf"(lower|raise)(?: (.+?))? {_UNITS_PATTERN}", r"\1 \2 by \3 unit"),
    )
)


def join_wager_words(text: str) -> str:
    """Return the text with each phrase that names a wager rewritten as one canonical word.

    >>> join_wager_words("5 on hop 6 deuce"), join_wager_words("20 behind 9")
    ('5 on hop-2-6', '20 odds-9')
    """
    for pattern, replacement in _WAGER_REWRITES:
        text = " ".join(pattern.sub(replacement, text).split())
    return text


_QUOTE_MARKS = {ord(mark): "'" for mark in "’‘‛ʼ´`′＇"}
_OTHER_MARKS = {ord(mark): "-" for mark in "‐‑‒–—−"} | {
    ord(mark): " " for mark in '"“”„()[]:\u00a0'
}
_CHARACTER_TABLE = str.maketrans(_QUOTE_MARKS | _OTHER_MARKS)
_AMOUNT_FIGURE = re.compile(r"\d[\d,]*(?:\.\d{1,2})?", re.ASCII)
_DICE_PAIR = re.compile(r"\d-\d", re.ASCII)
#: Words after which "don't" is a wager. Before a verb it is a prohibition: "don't take my odds".
_AFTER_DONT_TEXT = (
    "pass come comes line odds side for at on in down off to and , each total is are please"
)
_AFTER_DONT = frozenset([*_AFTER_DONT_TEXT.split(), "working", "works", "work"])
_DETERMINERS = (["the"], ["my"], ["that"])
_BEFORE_AMOUNT = frozenset(["to", "for", "at", "worth", "like", "by"])
_NUMBER_FIGURES = frozenset(["2", "3", "4", "5", "6", "8", "9", "10", "11", "12"])
#: Slugs whose words could also be a verb or a bet and an amount: "buy 4", "come 5".
_VERB_PREFIXES = ("buy-", "lay-", "come-", "dont-come-")


def split_words(text: str) -> list[str]:
    """Return the words of a text in lowercase, with figures for numbers and commas apart.

    >>> split_words("Don’t Pass, twenty-five!")
    ['dont', 'pass', ',', '25']
    """
    text = text.translate(_CHARACTER_TABLE).lower().replace("'", "")
    text = text.replace("&", " and ").replace("@", " for ").strip(" .!?\t\n")
    text = re.sub(r",(?!\d{3}(?:\D|$))", " , ", text)
    text = re.sub(r"\$\s+(?=\d)", "$", text)
    words: list[str] = []
    for word in text.split():
        words += _split_hyphens(word.rstrip(".!?") or word)
    return convert_number_words(words)


def _split_hyphens(word: str) -> list[str]:
    """Return the parts of a hyphenated word, or [the word] if it is a slug or a pair of dice."""
    parts = word.split("-")
    if len(parts) == 1 or "" in parts or _DICE_PAIR.fullmatch(word):
        return [word]
    if parts[0] == "hop" and len(parts) == 3:
        return ["hop", "-".join(parts[1:])]
    return [word] if word in _all_slugs() else parts


@lru_cache(1)
def _all_slugs() -> frozenset[str]:
    return frozenset(known_slugs())


def _mark_money(words: list[str]) -> list[str]:
    """Return the words with money marked: `5 dollars`, `a buck`, `nickel` as `$5`, `a $1`, `$5`."""
    worth = load_slang().money
    out: list[str] = []
    for word in words:
        value = worth.get(word)
        if value is None:
            out.append(word)
        elif out and _AMOUNT_FIGURE.fullmatch(out[-1].removeprefix("$")):
            figure = out[-1].removeprefix("$")
            out[-1] = f"${figure}" if value == 1 else _multiply_chips(figure, value)
        else:
            out.append(f"${value}")
    return out


def _mark_meaning(words: list[str], at: int) -> str:
    """Return the word at index `at`, marked if a small word near it changes its meaning.

    Small words are dropped later. `don't` before a verb is not a wager and becomes `never`. In `to
    the 8` the 8 is a number, not an amount, and becomes `number-8`. `a unit` is `1 unit`. `put bet`
    is a wager, though `put` and `bet` alone are small words. `come bets` are `come several`.
    `double my odds` presses the odds that are up; `double odds` is a multiple of the flat bet.
    """
    word, after = words[at], words[at + 1 : at + 3]
    before = words[max(at - 2, 0) : at]
    if word == "dont" and not _is_dont_wager(after):
        return "never"
    if word == "put" and after[:1] in (["bet"], ["bets"]):
        return "put-bet"
    if word == "double" and after[:1] in (*_DETERMINERS, ["those"]) and after[1:] == ["odds"]:
        return "press"
    if word in {"bets", "wagers"} and before[-1:] == ["come"]:
        return "several"
    if word in {"a", "another"} and after[:1] == ["unit"]:
        return "1"
    if word not in _NUMBER_FIGURES or before[-1:] not in _DETERMINERS:
        return word
    ahead = len(before) == 2 and (before[0] in _BEFORE_AMOUNT or before[0].isdigit())
    is_money = bool(after) and after[0] in load_slang().money
    named = (ahead or _is_amount_for_number(words[at + 1 :])) and not is_money
    return f"number-{word}" if named else word


def _is_amount_for_number(after: list[str]) -> bool:
    """Return whether a number is the amount for the number after it: `the six on the eight`.

    `after` are the words after the first number.
    """
    if after[:1] not in (["on"], ["against"]):
        return False
    others = [word for word in after[1:3] if word not in {"the", "my", "that"}]
    return bool(others) and others[0] in _NUMBER_FIGURES


def _is_dont_wager(after: list[str]) -> bool:
    """Return whether `don't` names a wager, judged by `after`, the words after it."""
    if after and after[0] in {"bet", "bets", "wager"}:
        return after[1:] == [] or after[1] in _AFTER_DONT
    return not after or after[0] in _AFTER_DONT or after[0].removeprefix("$")[:1].isdigit()


def _multiply_chips(figure: str, value: int) -> str:
    """Return `figure` chips of `value` dollars as an amount, such as `$15` for 3 nickels.

    If the count is not a whole number, return a word that no parser takes for an amount.
    """
    return f"${int(figure) * value}" if figure.isdigit() and len(figure) < 7 else figure + "?"


#: Pairs of a name for a wager that only one rulebook has, and the wager's slug.
OwnNames = tuple[tuple[str, str], ...]


@lru_cache(16)
def _phrase_index(
    own_names: OwnNames,
) -> dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    """Return {first word: [(phrase, meaning)]}, as words, with the longest phrases first.

    A book's own wager name that is also a phrase of every table keeps the phrase's meaning.
    """
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for slug in known_slugs():
        if "-" in slug and not slug.startswith(_VERB_PREFIXES):
            found[_drop_small_words(tuple(split_words(slug.replace("-", " "))))] = (slug,)
    for text, means in load_slang().phrases.items():
        found[_drop_small_words(tuple(_mark_money(split_words(text))))] = tuple(means.split())
    for name, slug in own_names:
        if words := _drop_small_words(tuple(split_words(name))):
            found.setdefault(words, (slug,))
    by_first: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for phrase in sorted(found, key=len, reverse=True):
        by_first.setdefault(phrase[0], []).append((phrase, found[phrase]))
    return by_first


def _drop_small_words(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in load_slang().small)


def _replace_phrases(words: tuple[str, ...], own_names: OwnNames) -> list[str]:
    phrases = _phrase_index(own_names)
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
def normalize_words(text: str, own_names: OwnNames = ()) -> tuple[str, ...]:
    """Return table talk in its plainest form: figures, no small words, one word for each thing.

    Words that were marked as money keep the dollar sign. `own_names` are the names that only the
    table's rulebook has for wagers.

    >>> normalize_words("Place the six for $12")
    ('place', '6', 'for', '$12')
    >>> normalize_words("horn high yo for five dollars")
    ('horn-high-11', 'for', '$5')
    >>> normalize_words("low dice for 5", (("low dice", "low-dice"),))
    ('low-dice', 'for', '5')
    """
    words = split_words(text)
    marked = _mark_money([_mark_meaning(words, at) for at in range(len(words))])
    plain = _replace_phrases(_drop_small_words(tuple(marked)), own_names)
    return tuple(join_wager_words(" ".join(plain).strip(", ")).split())
