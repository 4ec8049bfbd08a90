"""Answers as they are said to an instructor: an amount, chips, numbers, words.

What is typed becomes the answer that a drill marks. What is no answer at all is told apart
(UnreadableAnswerError): it is asked again, and nothing is counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from passline.crew.payoffs import find_spot
from passline.crew.work_steps import CrewStep, CrewWork
from passline.school.drills.errors import find_fault_kinds
from passline.school.grading import count_by_color, quote_value, read_cents, read_choice, read_stack
from passline.school.open_bets import OpenBet, find_question_work, list_open_bets
from passline.school.questions import DrillSetup, Question, UnreadableAnswerError

_AMOUNT_TEXT = r"\$?\s?\d+(?:,\d{3})*(?:\.\d{1,2})?"
_AMOUNTS_PATTERN = re.compile(_AMOUNT_TEXT)
_AMOUNT_FIRST_PATTERN = re.compile(
    rf"({_AMOUNT_TEXT})(?:\s*[,:=;]|\s+in\b|\s+as\b|\s|$)\s*(.*)", re.DOTALL
)
_CHIP_LETTERS_PATTERN = re.compile(r"(\d+)\s*([a-z-]+)|([a-z-]+)|(\d+)")
_WAGER_AMOUNT_PATTERN = re.compile(
    rf"(?:place\s*)?(?:the\s+)?(?P<wager>[a-z][a-z0-9-]*|\d{{1,2}})\s*(?:for|:|=|\s)\s*(?P<amount>{_AMOUNT_TEXT})"
)
_STEP_PATTERN = re.compile(
    r"(?P<word>[a-z]+)|#?(?P<number>\d{1,3})"
    rf"(?:\s*=\s*(?P<pay>{_AMOUNT_TEXT})|\s*(?P<paid>\$\s?\d[\d,]*(?:\.\d\d)?))?(?=[\s,;.a-z]|$)"
    r"|[\s,;.]+|(?P<other>.)"
)
_ACTION_WORDS = {
    "take": "take",
    "t": "take",
    "pay": "pay",
    "p": "pay",
    "place": "place",
    "move": "place",
}
_ACTION_WORDS |= {"m": "place"}
#: How the parts of an answer are named.
_FIELD_PATTERNS = {
    "paid": "pa(?:id|ys?)",
    "thrown": "thr[eo]w",
    "pressed": "press",
    "handed": "hand",
}
_JOINING_WORDS = ("and", "then")
_MAX_LENGTH = 2_000


def parse_answer(setup: DrillSetup, question: Question, said: str) -> Any:
    """The answer that was said: what the drill marks. UnreadableAnswerError: it is none.

    >>> from passline.game.house.load import house_for
    >>> from passline.game.layout.compile import compile_layout
    >>> from passline.school.grading import make_question
    >>> from passline.school.questions import load_drill
    >>> desk = DrillSetup(compile_layout(house_for("dealer-school")), 1)
    >>> question = make_question(load_drill("payoffs"), desk, "1", 1)
    >>> parse_answer(desk, question, "$45"), parse_answer(desk, question, "g r r r r")
    ({'paid': '45'}, {'chips': {'green': 1, 'red': 4}})
    """
    words = " ".join(said.split())
    if not words:
        raise UnreadableAnswerError(f"nothing was said; {describe_answer_format(setup, question)}")
    if len(words) > _MAX_LENGTH:
        raise UnreadableAnswerError("nobody says so much in one breath")
    return _PARSERS[question.drill](setup, question, words)


def describe_answer_format(setup: DrillSetup, question: Question) -> str:
    """How this question is answered, with an example."""
    hint = _HINTS[question.drill]
    if question.drill == "groups" and "say" in question.answer:
        return "say it as a player would: $32 across"
    if question.drill in ("payoffs", "lines") and not setup.any_colors:
        return "the chips, as the manual pays them: 1 green 4 red (or: g r r r r)"
    return hint


def parse_chips(setup: DrillSetup, said: str) -> dict[str, int]:
    """Chips by colour, in words or letters: ``1 green 4 red``, ``g r r r r``, ``g 4r``."""
    try:
        return count_by_color(read_stack(said, setup.rack))
    except UnreadableAnswerError as wrong:
        counts: dict[str, int] = {}
        text = re.sub(r"\band\b|,|\+", " ", said.lower())
        if _CHIP_LETTERS_PATTERN.sub("", text).strip():
            raise
        for found in _CHIP_LETTERS_PATTERN.finditer(text):
            if found[4]:
                raise wrong from None
            colour = _match_color(setup, found[2] or found[3])
            if colour is None:
                raise wrong from None
            counts[colour] = counts.get(colour, 0) + int(found[1] or 1)
        return count_by_color(read_stack(counts, setup.rack))


def _match_color(setup: DrillSetup, word: str) -> str | None:
    """The one colour that begins so; ``reds`` are red."""
    colours = [chip.colour for chip in setup.rack.chips]
    for name in (word, word.removesuffix("s")):
        fits = [name] if name in colours else [c for c in colours if c.startswith(name)]
        if len(fits) == 1:
            return fits[0]
    return None


def _parse_payoff(setup: DrillSetup, _: Question, said: str) -> Any:
    """An amount, chips, or both; above the second level the chips are wanted."""
    found = _AMOUNT_FIRST_PATTERN.fullmatch(said)
    if said.startswith("-"):
        read_cents(said, "paid")
    if found is None or (found[2] and not said.startswith("$") and _are_chips(setup, said)):
        return {"chips": parse_chips(setup, said)}
    paid = normalize_dollars(found[1])
    if found[2]:
        return {"paid": paid, "chips": parse_chips(setup, found[2])}
    if not setup.any_colors:
        raise UnreadableAnswerError("and in which chips? Say them by colour: 1 green 4 red")
    return {"paid": paid}


def _are_chips(setup: DrillSetup, said: str) -> bool:
    try:
        parse_chips(setup, said)
    except UnreadableAnswerError:
        return False
    return True


def normalize_dollars(said: str) -> str:
    """An amount as it was said, without its sign."""
    found = said.replace("$", "").strip()
    read_cents(found, "the amount")
    return found


def _parse_key(_: DrillSetup, __: Question, said: str) -> Any:
    """What is paid, and perhaps the key after it."""
    found = _AMOUNT_FIRST_PATTERN.fullmatch(said)
    if found is None:
        raise UnreadableAnswerError(
            f"{quote_value(said)}: expected what is paid, then perhaps the key"
        )
    answer = {"paid": normalize_dollars(found[1])}
    return answer | {"key": found[2]} if found[2] else answer


def _make_amounts_parser(*names: str, least: int) -> Callable[[DrillSetup, Question, str], Any]:
    """Amounts by name, or in this order where none is named."""

    def hear(_: DrillSetup, __: Question, said: str) -> Any:
        if re.search(r"(?<![\w.])-\s?\$?\d", said):
            raise UnreadableAnswerError(f"an amount is never negative: {quote_value(said)}")
        found: dict[str, str] = {}
        for name in names:
            word = _FIELD_PATTERNS.get(name, name)
            near = re.search(
                rf"\b{word}[a-z ]*\W*({_AMOUNT_TEXT})|({_AMOUNT_TEXT})\s*{word}", said.lower()
            )
            if near:
                found[name] = normalize_dollars(near[1] or near[2])
        if found:
            return found
        amounts = [normalize_dollars(each) for each in _AMOUNTS_PATTERN.findall(said)]
        if len(amounts) == len(names):
            return dict(zip(names, amounts, strict=True))
        if len(amounts) == least:
            return dict(zip((names[0], names[-1]), amounts, strict=False))
        raise UnreadableAnswerError(
            f"{quote_value(said)}: expected {', '.join(names)}, each an amount"
        )

    return hear


def _parse_group(setup: DrillSetup, question: Question, said: str) -> Any:
    if "say" in question.answer:
        return {"say": said}
    return {"wagers": _parse_wager_amounts(setup, said)}


def _parse_wager_amounts(setup: DrillSetup, said: str) -> dict[str, str]:
    """Wagers with amounts: ``4 10, 5 10, 6 12``, ``place-win-6 = 12``."""
    found: dict[str, str] = {}
    for part in re.split(r"[,;]|\band\b", said.lower()):
        pair = _WAGER_AMOUNT_PATTERN.fullmatch(part.strip())
        name = pair["wager"] if pair else ""
        if pair is None or not (name.isdecimal() or find_spot(setup.layout, name)):
            raise UnreadableAnswerError(
                f"{quote_value(part.strip())}: expected a number and its amount, such as 6 12, 8 12"
            )
        found[name] = normalize_dollars(pair["amount"])
    return found


def _parse_booking(_: DrillSetup, __: Question, said: str) -> Any:
    """What is said back; after a slash where it is set."""
    repeat, _slash, where = said.partition("/")
    answer = {"repeat": repeat.strip()}
    return answer | {"set": where.strip()} if where.strip() else answer


def _parse_choice(_: DrillSetup, question: Question, said: str) -> Any:
    """A choice by its number, or by words that only one of them has."""
    choices: Sequence[str] = question.given["choices"]
    text = said.strip("[]. ")
    if re.fullmatch(r"-?\d+(\.\d+)?", text):
        return {"choice": read_choice(text, len(choices))}
    fits = [n for n, each in enumerate(choices) if text.lower() == each.lower().strip(" .")]
    fits = fits or [n for n, each in enumerate(choices) if text and text.lower() in each.lower()]
    if len(fits) == 1:
        return {"choice": fits[0]}
    raise UnreadableAnswerError(
        f"{quote_value(said)} is no choice: expected 0 to {len(choices) - 1}"
    )


def _parse_call(_: DrillSetup, __: Question, said: str) -> Any:
    return {"call": said}


def _parse_error(_: DrillSetup, question: Question, said: str) -> Any:
    """The number of the step, or of several, and perhaps why."""
    found = re.match(
        r"(?:steps?\s*)?(\d{1,4}(?:\s*(?:,|\band\b)?\s*\d{1,4})*)\b[\s:,.-]*(.*)", said
    )
    if found is None:
        most = len(question.given["shown"]) + 1
        raise UnreadableAnswerError(
            f"{quote_value(said)}: expected the number of a step, 1 to {most}"
        )
    answer: dict[str, Any] = {"wrong": [int(n) for n in re.findall(r"\d+", found[1])]}
    if not found[2]:
        return answer
    find_fault_kinds(found[2])  # what is no reason is asked for again
    return answer | {"why": found[2]}


def _parse_order(setup: DrillSetup, question: Question, said: str) -> Any:
    """The wagers by the numbers under which they are shown, in the order of work.

    Before a number what is done (``take 3``), after it what is paid (``pay 2 = 14``): what is not
    said is taken as due, so that bare numbers are judged by their order.
    """
    work = find_question_work(setup, question)
    assert work is not None
    wagers = {lying.number: lying for lying in list_open_bets(setup, work)}
    steps: list[dict[str, Any]] = []
    act = ""
    for found in _STEP_PATTERN.finditer(said.lower()):
        word, number = found["word"], found["number"]
        if found["other"] or (word and word not in _ACTION_WORDS and word not in _JOINING_WORDS):
            raise UnreadableAnswerError(f"{quote_value(said)}: expected numbers of wagers: 3 1 2")
        if word in _ACTION_WORDS:
            act = _ACTION_WORDS[word]
        if not number:
            continue
        lying = wagers.get(int(number))
        if lying is None:
            raise UnreadableAnswerError(
                f"there is no wager {number}: they are numbered 1 to {len(wagers)}"
            )
        steps.append(_make_step(work, lying, act, found["pay"] or found["paid"] or ""))
    if not steps:
        raise UnreadableAnswerError("expected numbers of wagers, in the order of work: 3 1 2")
    return {"steps": steps}


def _make_step(work: CrewWork, lying: OpenBet, act: str, paid: str) -> dict[str, Any]:
    mine: list[CrewStep] = [
        step for step in work.money if (step.player, step.wager) == (lying.player, lying.wager)
    ]
    due = mine[0] if mine else None
    step = due.to_json() if due else {"player": lying.player, "wager": lying.wager, "act": "take"}
    if act:
        step["act"] = act
    if paid:
        step["amount"] = normalize_dollars(paid)
    return step


_PARSERS: dict[str, Callable[[DrillSetup, Question, str], Any]] = {
    "terms": _parse_choice,
    "positions": _parse_choice,
    "booking": _parse_booking,
    "lines": _parse_payoff,
    "payoffs": _parse_payoff,
    "keys": _parse_key,
    "vig": _make_amounts_parser("vig", "paid", least=2),
    "limits": _make_amounts_parser("most", "paid", least=2),
    "groups": _parse_group,
    "press": _make_amounts_parser("paid", "thrown", "pressed", "handed", least=2),
    "calls": _parse_call,
    "order": _parse_order,
    "errors": _parse_error,
    "rulings": _parse_choice,
}
_HINTS = {
    "terms": "the number of a choice, or its words",
    "positions": "the number of a choice, or its words",
    "booking": "what you say back, and after a slash where it is set",
    "lines": "an amount or chips: 45, or 1 green 4 red, or g r r r r",
    "payoffs": "an amount or chips: 45, or 1 green 4 red, or g r r r r",
    "keys": "what is paid, and perhaps the key: 75, 15 times the bet",
    "vig": "the vigorish, then what is paid: 2 78",
    "limits": "the most odds, then what they pay: 50 60",
    "groups": "each number with its amount: 4 10, 5 10, 6 12",
    "press": "paid, thrown in, pressed, handed over: 14 4 6 12; or paid and handed over",
    "calls": "the call, in your own words: eight, easy eight",
    "order": "the numbers of the wagers in the order of work: 3 1 2 (or: take 3 1, pay 2 = 14)",
    "errors": "the number of the wrong step, and perhaps why: 3 wrong hand",
    "rulings": "the number of a choice, or its words",
}
