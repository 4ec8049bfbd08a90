"""The drill ``keys``: a proposition's payoff, and the multiplier (key) that dealers use for it."""

from __future__ import annotations

import re
from fractions import Fraction
from math import floor
from typing import Any

from passline.crew.payoff_keys import PayoffKey, find_key_on, find_legs, list_winning_faces
from passline.game.dice.dice import OUTCOMES
from passline.game.money.amounts import to_dollars
from passline.game.words.school import say_school
from passline.game.words.wagers import spoken_wager_name
from passline.school.answer_fields import (
    PAID_FIELD,
    AnswerField,
    AnswerFields,
    UnreadableAnswerError,
    find_amount_error,
    quote_value,
    read_words,
    split_amount,
)
from passline.school.drill import Drill
from passline.school.explanations import explain_key
from passline.school.question_types import DrillSetup, NoQuestionError, Question
from passline.school.seeded_random import SeededRandom

#: The levels from which to ask hop sets (every way to make a number) and bets on several numbers.
_HOP_SETS_LEVEL = 4
_SEVERAL_LEVEL = 2
_UNIT_COUNTS_BY_LEVEL = {1: (1, 2, 3, 4, 5), 2: (1, 2, 3, 4, 5, 6, 8, 10)}
_HIGH_LEVEL_UNIT_COUNTS = (*range(1, 21), 25, 30, 40, 50)
_HOPS = "hops"


def _make_question(setup: DrillSetup, random: SeededRandom) -> Question:
    names = _list_wager_names(setup)
    if not names:
        raise NoQuestionError("keys.none", book=setup.house.book.title)
    by_kind: dict[str, list[str]] = {}  # all hops are one kind
    for name in names:
        by_kind.setdefault(name.partition("-")[0], []).append(name)
    name = random.pick(random.pick(list(by_kind.values())))
    parts = find_legs(setup.layout, name)
    index = random.pick(list_winning_faces(setup.layout, parts))
    spot = setup.layout.spots.get(name)
    found = find_key_on(setup.layout, parts, index, spot.family if spot is not None else _HOPS)
    if found is None or not found.ratio:
        raise NoQuestionError("keys.no-win", name=spoken_wager_name(name))
    stake = random.pick(_list_stakes(setup, name, parts, found))
    spoken = spoken_wager_name(name)
    dealt = [slug for slug in dict.fromkeys((name, *parts)) if slug in setup.layout.spots]
    verdicts = [setup.layout.spots[slug].tables[0][index] for slug in dealt]
    return Question(
        drill="keys",
        ask=say_school("keys.ask", name=spoken),
        given={"wager": name, "stake": to_dollars(stake), "dice": list(OUTCOMES[index])},
        answer={"paid": to_dollars(found.compute_win(stake)), "key": found.words},
        explain=tuple(explain_key(found, spoken, stake)),
        cite=setup.cites(
            *found.cites,
            *(v.cite for v in verdicts if v is not None and v.result == "win"),
            about=(sum(OUTCOMES[index]),),
        ),
    )


def _list_wager_names(setup: DrillSetup) -> list[str]:
    layout = setup.layout
    names = [  # not the field, which is on the table part of the layout
        slug
        for slug, spot in layout.spots.items()
        if spot.rule.area != "table" and list_winning_faces(layout, find_legs(layout, slug))
    ]
    if setup.level < _SEVERAL_LEVEL:
        return [slug for slug in names if not layout.spots[slug].rule.is_composite]
    if setup.level >= _HOP_SETS_LEVEL:
        sets = [f"{_HOPS}-{number}" for number in (4, 5, 6, 7, 8, 9, 10)]
        names += [name for name in sets if len(find_legs(layout, name)) > 1]
    return names


def _list_stakes(setup: DrillSetup, name: str, parts: dict[str, int], key: PayoffKey) -> list[int]:
    """Return the stakes in cents that the house accepts and pays in whole chips.

    ``parts`` holds the units by leg of the wager ``name`` (a horn has four legs). Each stake is a
    whole number of units on every leg. Raise NoQuestionError if there are none.
    """
    chip, spots = setup.house.chip, setup.layout.spots
    ways = sum(parts.values())
    own = [spots[name]] if name in spots else [spots[leg] for leg in parts]
    found = []
    for units in _UNIT_COUNTS_BY_LEVEL.get(setup.level, _HIGH_LEVEL_UNIT_COUNTS):
        stake = units * ways * max(chip, 100 if 100 % chip == 0 else chip)
        share = stake if name in spots else stake // ways
        taken = all(spot.minimum <= share <= spot.maximum for spot in own)
        if taken and share % own[0].step == 0 and (stake * key.ratio) % chip == 0:
            found.append(stake)
    if not found:
        raise NoQuestionError("keys.units", name=spoken_wager_name(name))
    return found


def _parse_answer(_: DrillSetup, __: Question, text: str) -> Any:
    """Return {"paid": the payoff}, and in "key" any words after it.

    Raise UnreadableAnswerError if there is no amount.
    """
    found = split_amount(text)
    if found is None:
        raise UnreadableAnswerError("keys.unreadable", value=quote_value(text))
    paid, key = found
    return {"paid": paid, "key": key} if key else {"paid": paid}


def _find_error(setup: DrillSetup, question: Question, fields: AnswerFields) -> str:
    paid, key = fields.get("paid"), fields.get("key")
    if paid is None:
        raise UnreadableAnswerError("keys.expected")
    error = find_amount_error(paid, question.answer["paid"], "paid")
    return error if error or key is None else _find_key_error(setup, question, key)


def _find_key_error(setup: DrillSetup, question: Question, key: object) -> str:
    """Return what is wrong with ``key`` (the multiplier in words), or "" if its value is right."""
    given = question.given
    parts = find_legs(setup.layout, given["wager"])
    a, b = sorted(given["dice"])
    index = OUTCOMES.index((a, b))
    right = find_key_on(setup.layout, parts, index)
    assert right is not None
    if isinstance(key, int | float) and not isinstance(key, bool):
        key = str(key)
    spoken = read_words(key, "key").lower()
    if spoken == question.answer["key"].lower():
        return ""
    ratio = evaluate_key_words(spoken, right.share)
    if ratio in (right.ratio, Fraction(floor(right.ratio * 100), 100)):  # "4.33 per $1"
        return ""
    figures = {"value": quote_value(spoken), "key": question.answer["key"]}
    if ratio is None:
        return say_school("keys.no-key", **figures)
    return say_school("keys.wrong", times=float(ratio), **figures)


_NUMBER_BY_WORD = {
    "nothing": 0, "once": 1, "one": 1, "twice": 2, "double": 2, "two": 2, "triple": 3, "three": 3,
    "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "thirty": 30,
}  # fmt: skip
_DENOMINATOR_BY_WORD = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4,
    "fourths": 4, "fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6,
}  # fmt: skip
_NUMBER_PATTERN = re.compile(r"\d{1,4}(?:\.\d{1,4})?(?:/\d{1,4})?")
_SIGN_BY_WORD = {"and": 1, "plus": 1, "+": 1, "less": -1, "minus": -1, "-": -1}
_TAKE_OFF = (
    r"(?:take|subtract|minus|less) (?:half (?:of )?)?(?:the |your )?(?:original )?bet(?: off)?"
)
_MANUAL_STEP_PATTERN = re.compile(
    rf"blackjack the bet|(?:three times|triple) the bet|add a zero|{_TAKE_OFF}"
)
#: Words that appear only in the manual's step-by-step keys.
_MANUAL_WORDS_PATTERN = re.compile(r"blackjack|add a zero|the bet off")
#: Words that change no key: for what a key is, and on which number it is paid.
_IGNORED_PATTERN = re.compile(
    r"\([^)]*\)|\b(?:per|for (?:each|every))\s*(?:\$\s*1\b|(?:one )?dollar)"
    r"|\bon (?:the )?(?:11|eleven)\b"
)


def evaluate_key_words(spoken: str, share: Fraction) -> Fraction | None:
    """Return the multiple of the bet that a key in words gives, or None if it can't be read.

    ``share`` is the part of the bet that is on the winning number. A "unit" or a "box" in the key
    is that part.

    >>> evaluate_key_words("seven times the bet less a quarter", Fraction(1, 4))
    Fraction(27, 4)
    >>> evaluate_key_words("blackjack the bet, add a zero, take half the bet off", Fraction(1, 2))
    Fraction(29, 2)
    """
    if _MANUAL_WORDS_PATTERN.search(spoken):
        return _evaluate_manual_steps(spoken)
    if "even money" in spoken:
        return Fraction(1)
    words = re.findall(r"[a-z]+|\d[\d./]*|[+-]", _IGNORED_PATTERN.sub(" ", spoken))
    total, sign, number, seen = Fraction(0), 1, None, False
    for place, word in enumerate(words):
        if word in _SIGN_BY_WORD:
            total, number = total + sign * (number or 0), None
            sign = _SIGN_BY_WORD[word]
        elif word in _DENOMINATOR_BY_WORD:
            number, seen = (number or 1) * Fraction(1, _DENOMINATOR_BY_WORD[word]), True
        elif word in ("box", "unit"):
            number, seen = (1 if number is None else number) * share, True
        elif word in _NUMBER_BY_WORD or _NUMBER_PATTERN.fullmatch(word):
            if word == "one" and words[place - 1 : place] == ["to"]:
                continue
            found = _parse_number(word)
            if found is None or (number is not None and words[place - 1 : place] != ["to"]):
                return None
            number, seen = (number if number is not None else found), True
        elif word == "bet" and number is None and (not seen or _follows_sign(words, place)):
            number, seen = Fraction(1), True
    return total + sign * (number or 0) if seen else None


def _follows_sign(words: list[str], place: int) -> bool:
    """Return whether the word at an index follows "plus", or "plus the"."""
    before = [word for word in words[:place] if word not in ("the", "your")]
    return bool(before) and before[-1] in _SIGN_BY_WORD


def _parse_number(word: str) -> Fraction | None:
    if word in _NUMBER_BY_WORD:
        return Fraction(_NUMBER_BY_WORD[word])
    whole, _, under = word.partition("/")
    try:
        return Fraction(whole) / Fraction(under or "1")
    except (ValueError, ZeroDivisionError):
        return None


def _evaluate_manual_steps(spoken: str) -> Fraction:
    have = Fraction(1)
    for step in _MANUAL_STEP_PATTERN.findall(spoken):
        if step.startswith("blackjack"):
            have = have * Fraction(3, 2)
        elif step.startswith("t") and not step.startswith("take"):
            have *= 3
        elif step.startswith("add"):
            have *= 10
        else:
            have -= Fraction(1, 2) if "half" in step else 1
    return have


DRILL = Drill(
    name="keys",
    teaching_order=60,
    seconds=20,
    make_question=_make_question,
    grade_fields=_find_error,
    parse_answer=_parse_answer,
    hint="keys.hint",
    fields=(PAID_FIELD, AnswerField(name="key", kind="words", optional=True)),
)
