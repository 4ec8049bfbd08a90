"""Answers as they are said to an instructor: an amount, chips, numbers, words.

What is typed becomes the answer that a drill marks. What is no answer at all is told apart
(UnreadableAnswerError): it is asked again, and nothing is counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from passline.crew.payoffs import spot_named
from passline.school.answers import counted, quoted, read_cents, read_choice, read_stack
from passline.school.lying import LyingWager, lying_wagers, work_of_question
from passline.school.questions import Desk, Question, UnreadableAnswerError
from passline.school.reasons import kinds_told
from passline.school.work import Work, WorkStep

_AMOUNT = r"\$?\s?\d+(?:,\d{3})*(?:\.\d{1,2})?"
_AMOUNTS = re.compile(_AMOUNT)
_ONE_AMOUNT = re.compile(rf"({_AMOUNT})(?:\s*[,:=;]|\s+in\b|\s+as\b|\s|$)\s*(.*)", re.DOTALL)
_LETTERS = re.compile(r"(\d+)\s*([a-z-]+)|([a-z-]+)|(\d+)")
_PAIR = re.compile(
    rf"(?:place\s*)?(?:the\s+)?(?P<wager>[a-z][a-z0-9-]*|\d{{1,2}})\s*(?:for|:|=|\s)\s*(?P<amount>{_AMOUNT})"
)
_STEP = re.compile(
    r"(?P<word>[a-z]+)|#?(?P<number>\d{1,3})"
    rf"(?:\s*=\s*(?P<pay>{_AMOUNT})|\s*(?P<paid>\$\s?\d[\d,]*(?:\.\d\d)?))?(?=[\s,;.a-z]|$)"
    r"|[\s,;.]+|(?P<other>.)"
)
_ACTS = {"take": "take", "t": "take", "pay": "pay", "p": "pay", "place": "place", "move": "place"}
_ACTS |= {"m": "place"}
#: How the parts of an answer are named.
_STEMS = {"paid": "pa(?:id|ys?)", "thrown": "thr[eo]w", "pressed": "press", "handed": "hand"}
_JOINS = ("and", "then")
_LONGEST = 2_000


def hear_answer(desk: Desk, question: Question, said: str) -> Any:
    """The answer that was said: what the drill marks. UnreadableAnswerError: it is none.

    >>> from passline.house.files import house_for
    >>> from passline.layout import lay_felt
    >>> from passline.school import ask_question, drill_named
    >>> desk = Desk(lay_felt(house_for("dealer-school")), 1)
    >>> question = ask_question(drill_named("payoffs"), desk, "1", 1)
    >>> hear_answer(desk, question, "$45"), hear_answer(desk, question, "g r r r r")
    ({'paid': '45'}, {'chips': {'green': 1, 'red': 4}})
    """
    words = " ".join(said.split())
    if not words:
        raise UnreadableAnswerError(f"nothing was said; {how_to_answer(desk, question)}")
    if len(words) > _LONGEST:
        raise UnreadableAnswerError("nobody says so much in one breath")
    return _HEARD[question.drill](desk, question, words)


def how_to_answer(desk: Desk, question: Question) -> str:
    """How this question is answered, with an example."""
    hint = _HINTS[question.drill]
    if question.drill == "groups" and "say" in question.answer:
        return "say it as a player would: $32 across"
    if question.drill in ("payoffs", "lines") and not desk.any_colours:
        return "the chips, as the manual pays them: 1 green 4 red (or: g r r r r)"
    return hint


def hear_chips(desk: Desk, said: str) -> dict[str, int]:
    """Chips by colour, in words or letters: ``1 green 4 red``, ``g r r r r``, ``g 4r``."""
    try:
        return counted(read_stack(said, desk.rack))
    except UnreadableAnswerError as wrong:
        counts: dict[str, int] = {}
        text = re.sub(r"\band\b|,|\+", " ", said.lower())
        if _LETTERS.sub("", text).strip():
            raise
        for found in _LETTERS.finditer(text):
            if found[4]:
                raise wrong from None
            colour = _colour(desk, found[2] or found[3])
            if colour is None:
                raise wrong from None
            counts[colour] = counts.get(colour, 0) + int(found[1] or 1)
        return counted(read_stack(counts, desk.rack))


def _colour(desk: Desk, word: str) -> str | None:
    """The one colour that begins so; ``reds`` are red."""
    colours = [chip.colour for chip in desk.rack.chips]
    for name in (word, word.removesuffix("s")):
        fits = [name] if name in colours else [c for c in colours if c.startswith(name)]
        if len(fits) == 1:
            return fits[0]
    return None


def _payoff(desk: Desk, _: Question, said: str) -> Any:
    """An amount, chips, or both; above the second level the chips are wanted."""
    found = _ONE_AMOUNT.fullmatch(said)
    if said.startswith("-"):
        read_cents(said, "paid")
    if found is None or (found[2] and not said.startswith("$") and _all_chips(desk, said)):
        return {"chips": hear_chips(desk, said)}
    paid = dollars_text(found[1])
    if found[2]:
        return {"paid": paid, "chips": hear_chips(desk, found[2])}
    if not desk.any_colours:
        raise UnreadableAnswerError("and in which chips? Say them by colour: 1 green 4 red")
    return {"paid": paid}


def _all_chips(desk: Desk, said: str) -> bool:
    try:
        hear_chips(desk, said)
    except UnreadableAnswerError:
        return False
    return True


def dollars_text(said: str) -> str:
    """An amount as it was said, without its sign."""
    found = said.replace("$", "").strip()
    read_cents(found, "the amount")
    return found


def _key(_: Desk, __: Question, said: str) -> Any:
    """What is paid, and perhaps the key after it."""
    found = _ONE_AMOUNT.fullmatch(said)
    if found is None:
        raise UnreadableAnswerError(f"{quoted(said)}: expected what is paid, then perhaps the key")
    answer = {"paid": dollars_text(found[1])}
    return answer | {"key": found[2]} if found[2] else answer


def _named(*names: str, least: int) -> Callable[[Desk, Question, str], Any]:
    """Amounts by name, or in this order where none is named."""

    def hear(_: Desk, __: Question, said: str) -> Any:
        if re.search(r"(?<![\w.])-\s?\$?\d", said):
            raise UnreadableAnswerError(f"an amount is never negative: {quoted(said)}")
        found: dict[str, str] = {}
        for name in names:
            word = _STEMS.get(name, name)
            near = re.search(rf"\b{word}[a-z ]*\W*({_AMOUNT})|({_AMOUNT})\s*{word}", said.lower())
            if near:
                found[name] = dollars_text(near[1] or near[2])
        if found:
            return found
        amounts = [dollars_text(each) for each in _AMOUNTS.findall(said)]
        if len(amounts) == len(names):
            return dict(zip(names, amounts, strict=True))
        if len(amounts) == least:
            return dict(zip((names[0], names[-1]), amounts, strict=False))
        raise UnreadableAnswerError(f"{quoted(said)}: expected {', '.join(names)}, each an amount")

    return hear


def _group(desk: Desk, question: Question, said: str) -> Any:
    if "say" in question.answer:
        return {"say": said}
    return {"wagers": _pairs(desk, said)}


def _pairs(desk: Desk, said: str) -> dict[str, str]:
    """Wagers with amounts: ``4 10, 5 10, 6 12``, ``place-win-6 = 12``."""
    found: dict[str, str] = {}
    for part in re.split(r"[,;]|\band\b", said.lower()):
        pair = _PAIR.fullmatch(part.strip())
        name = pair["wager"] if pair else ""
        if pair is None or not (name.isdecimal() or spot_named(desk.layout, name)):
            raise UnreadableAnswerError(
                f"{quoted(part.strip())}: expected a number and its amount, such as 6 12, 8 12"
            )
        found[name] = dollars_text(pair["amount"])
    return found


def _booking(_: Desk, __: Question, said: str) -> Any:
    """What is said back; after a slash where it is set."""
    repeat, _slash, where = said.partition("/")
    answer = {"repeat": repeat.strip()}
    return answer | {"set": where.strip()} if where.strip() else answer


def _choice(_: Desk, question: Question, said: str) -> Any:
    """A choice by its number, or by words that only one of them has."""
    choices: Sequence[str] = question.given["choices"]
    text = said.strip("[]. ")
    if re.fullmatch(r"-?\d+(\.\d+)?", text):
        return {"choice": read_choice(text, len(choices))}
    fits = [n for n, each in enumerate(choices) if text.lower() == each.lower().strip(" .")]
    fits = fits or [n for n, each in enumerate(choices) if text and text.lower() in each.lower()]
    if len(fits) == 1:
        return {"choice": fits[0]}
    raise UnreadableAnswerError(f"{quoted(said)} is no choice: expected 0 to {len(choices) - 1}")


def _call(_: Desk, __: Question, said: str) -> Any:
    return {"call": said}


def _error(_: Desk, question: Question, said: str) -> Any:
    """The number of the step, or of several, and perhaps why."""
    found = re.match(
        r"(?:steps?\s*)?(\d{1,4}(?:\s*(?:,|\band\b)?\s*\d{1,4})*)\b[\s:,.-]*(.*)", said
    )
    if found is None:
        most = len(question.given["shown"]) + 1
        raise UnreadableAnswerError(f"{quoted(said)}: expected the number of a step, 1 to {most}")
    answer: dict[str, Any] = {"wrong": [int(n) for n in re.findall(r"\d+", found[1])]}
    if not found[2]:
        return answer
    kinds_told(found[2])  # what is no reason is asked for again
    return answer | {"why": found[2]}


def _order(desk: Desk, question: Question, said: str) -> Any:
    """The wagers by the numbers under which they are shown, in the order of work.

    Before a number what is done (``take 3``), after it what is paid (``pay 2 = 14``): what is not
    said is taken as due, so that bare numbers are judged by their order.
    """
    work = work_of_question(desk, question)
    assert work is not None
    wagers = {lying.number: lying for lying in lying_wagers(desk, work)}
    steps: list[dict[str, Any]] = []
    act = ""
    for found in _STEP.finditer(said.lower()):
        word, number = found["word"], found["number"]
        if found["other"] or (word and word not in _ACTS and word not in _JOINS):
            raise UnreadableAnswerError(f"{quoted(said)}: expected numbers of wagers: 3 1 2")
        if word in _ACTS:
            act = _ACTS[word]
        if not number:
            continue
        lying = wagers.get(int(number))
        if lying is None:
            raise UnreadableAnswerError(
                f"there is no wager {number}: they are numbered 1 to {len(wagers)}"
            )
        steps.append(_step(work, lying, act, found["pay"] or found["paid"] or ""))
    if not steps:
        raise UnreadableAnswerError("expected numbers of wagers, in the order of work: 3 1 2")
    return {"steps": steps}


def _step(work: Work, lying: LyingWager, act: str, paid: str) -> dict[str, Any]:
    mine: list[WorkStep] = [
        step for step in work.money if (step.player, step.wager) == (lying.player, lying.wager)
    ]
    due = mine[0] if mine else None
    step = due.to_json() if due else {"player": lying.player, "wager": lying.wager, "act": "take"}
    if act:
        step["act"] = act
    if paid:
        step["amount"] = dollars_text(paid)
    return step


_HEARD: dict[str, Callable[[Desk, Question, str], Any]] = {
    "terms": _choice,
    "positions": _choice,
    "booking": _booking,
    "lines": _payoff,
    "payoffs": _payoff,
    "keys": _key,
    "vig": _named("vig", "paid", least=2),
    "limits": _named("most", "paid", least=2),
    "groups": _group,
    "press": _named("paid", "thrown", "pressed", "handed", least=2),
    "calls": _call,
    "order": _order,
    "errors": _error,
    "rulings": _choice,
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
