"""Answers as they are said to an instructor: heard for what they are, or told apart."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from passline.game.house.load import house_for
from passline.game.layout.compile import compile_layout
from passline.school.answer_fields import UnreadableAnswerError, parse_chips
from passline.school.drills import list_drill_names, load_drill
from passline.school.question_types import DrillSetup, Question
from passline.school.question_work import find_question_work, list_open_bets
from passline.school.questions_and_grades import (
    describe_answer_format,
    grade_answer,
    make_question,
    parse_answer,
)

JUNK = (
    "", " ", "-5", "-1 red", "9" * 400, "1e9", "NaN", "12.345", "0x10", "{}", '{"paid": 1}', "[]",
    "null", "red", "5 blue", "$", "$$5", "1/0", "twelve", "☃", "١٢", "a" * 3000,
    "1 2 3 4 5 6 7 8 9", "=", "take", "pay 99 = 3", "((((", "1 red 2 red -3 red",
    "0", "..", ",,,", "#", "4 10,, 5",
)  # fmt: skip


@cache
def asked(drill: str, level: int = 1, n: int = 1) -> tuple[DrillSetup, Question]:
    setup = DrillSetup(compile_layout(house_for("dealer-school")), level)
    return setup, make_question(load_drill(drill), setup, "said", n)


def said_right(setup: DrillSetup, question: Question) -> str:
    """The right answer, as somebody would say it."""
    answer: dict[str, Any] = question.answer
    if "choice" in answer:
        return str(answer["choice"])
    if question.drill == "booking":
        return f"{answer['repeat']} / {', '.join(answer['set'].values())}"
    if question.drill == "order":
        work = find_question_work(setup, question)
        assert work is not None
        numbers = {(w.player, w.wager): w.number for w in list_open_bets(setup, work)}
        return " ".join(str(numbers[step.player, step.wager]) for step in work.money)
    if question.drill == "errors":
        return f"{answer['wrong'][0]} {answer['why']}"
    if "wagers" in answer:
        return ", ".join(f"{slug} {amount}" for slug, amount in answer["wagers"].items())
    if question.drill == "press":
        return " ".join(answer[name] for name in ("paid", "thrown", "pressed", "handed"))
    if "chips" in answer:
        return " ".join(f"{count} {colour}" for colour, count in answer["chips"].items())
    return " ".join(str(value) for value in answer.values() if isinstance(value, str))


@pytest.mark.parametrize("drill", list_drill_names())
@pytest.mark.parametrize("level", [1, 3])
def test_a_right_answer_said_aloud_is_right(drill: str, level: int) -> None:
    for n in (1, 2):
        setup, question = asked(drill, level, n)
        said = said_right(setup, question)
        mark = grade_answer(load_drill(drill), setup, question, parse_answer(setup, question, said))
        assert mark.right, (said, mark.because)
        assert describe_answer_format(setup, question)


@pytest.mark.parametrize("drill", list_drill_names())
def test_junk_is_asked_again_or_wrong_and_never_more(drill: str) -> None:
    setup, question = asked(drill, 1 if drill != "order" else 3)
    for said in JUNK:
        told, answer = "", None
        try:
            answer = parse_answer(setup, question, said)
        except UnreadableAnswerError as wrong:
            told = str(wrong)
        assert "\n" not in told
        assert told or grade_answer(load_drill(drill), setup, question, answer).because


@pytest.mark.parametrize(
    ("said", "chips"),
    [
        ("1 green 4 red", {"green": 1, "red": 4}),
        ("1 green, 4 red", {"green": 1, "red": 4}),
        ("g r r r r", {"green": 1, "red": 4}),
        ("g 4r", {"green": 1, "red": 4}),
        ("4 reds and a green", None),
        ("2 greens 3 whites", {"green": 2, "white": 3}),
        ("b", {"black": 1}),
        ("1 red 2 red", {"red": 3}),
        ("5", None),
        ("r 5", None),
        ("x", None),
    ],
)
def test_chips(said: str, chips: dict[str, int] | None) -> None:
    setup, _ = asked("payoffs")
    if chips is None:
        with pytest.raises(UnreadableAnswerError):
            parse_chips(setup, said)
    else:
        assert parse_chips(setup, said) == chips


@pytest.mark.parametrize(
    ("drill", "said", "heard"),
    [
        ("payoffs", "45", {"paid": "45"}),
        ("payoffs", "$1,250.50", {"paid": "1,250.50"}),
        ("payoffs", "45 in 1 green 4 red", {"paid": "45", "chips": {"green": 1, "red": 4}}),
        ("payoffs", "$45: g 4r", {"paid": "45", "chips": {"green": 1, "red": 4}}),
        ("keys", "75, 15 times the bet", {"paid": "75", "key": "15 times the bet"}),
        ("vig", "vig 2, pays 78", {"vig": "2", "paid": "78"}),
        ("limits", "50 and 60", {"most": "50", "paid": "60"}),
        ("press", "paid 14, handed over 12", {"paid": "14", "handed": "12"}),
        ("press", "14 12", {"paid": "14", "handed": "12"}),
        ("errors", "steps 3 and 4", {"wrong": [3, 4]}),
        ("errors", "3: wrong hand", {"wrong": [3], "why": "wrong hand"}),
        ("booking", "six for 12 / in the box", {"repeat": "six for 12", "set": "in the box"}),
    ],
)
def test_what_is_said_is_heard(drill: str, said: str, heard: dict[str, Any]) -> None:
    assert parse_answer(*asked(drill), said) == heard


def test_above_the_second_level_chips_are_asked_for() -> None:
    with pytest.raises(UnreadableAnswerError, match="in which chips"):
        parse_answer(*asked("payoffs", 3), "45")


def test_an_order_by_numbers_may_say_what_is_done() -> None:
    both = (asked("order", 3, n) for n in range(1, 60))
    setup, question = next(
        one for one in both if {"take", "pay"} <= {s["act"] for s in one[1].answer["steps"]}
    )
    work = find_question_work(setup, question)
    assert work is not None
    numbers = {(w.player, w.wager): w.number for w in list_open_bets(setup, work)}
    full = [
        f"{step.act} {numbers[step.player, step.wager]} = {step.to_json()['amount']}"
        for step in work.money
    ]
    drill = load_drill("order")
    assert grade_answer(
        drill, setup, question, parse_answer(setup, question, ", ".join(full))
    ).right
    wrong = [line.replace("take", "pay") if "take" in line else line for line in full]
    heard = parse_answer(setup, question, ", then ".join(wrong))
    assert "take" not in {step["act"] for step in heard["steps"]}
    back = " ".join(str(numbers[step.player, step.wager]) for step in reversed(work.money))
    assert not grade_answer(drill, setup, question, parse_answer(setup, question, back)).right
    with pytest.raises(UnreadableAnswerError, match="numbered 1 to"):
        parse_answer(setup, question, "99")
