"""Marks: right by every way that the manual allows, wrong by each of the ways that happen."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from passline.crew.learner_steps import CrewStep
from passline.game.dice.dice import OUTCOMES
from passline.game.law.no_roll_and_dice_grounds import iter_ground_names, no_roll_grounds
from passline.game.words.school import NO_ROLL_SCENES, ORDINALS
from passline.game.words.wagers import layout_name
from passline.record.deal import deal_record
from passline.record.read import read_record
from passline.school.answer_fields import UnreadableAnswerError, read_stack
from passline.school.drills import list_drill_names, load_drill
from passline.school.drills.errors import (
    _find_named_wagers,
    _find_wagers_in,
    find_fault_kinds,
)
from passline.school.drills.lines import make_line_question
from passline.school.drills.terms import load_terms
from passline.school.explanations import describe_position
from passline.school.question_types import Grade, Question
from passline.school.questions_and_grades import (
    grade_answer,
    iterate_questions,
    make_question,
    make_questions,
    parse_answer,
)
from passline.talk.normalize import convert_number_words

from .test_drills import desk_of

BOOK = "dealer-school"


@cache
def series(drill: str, level: int, book: str) -> tuple[list[Question], Iterator[Question]]:
    """The questions that these tests look through: those asked so far, and those to come."""
    return [], iterate_questions(load_drill(drill), desk_of(book, level), "marks")


def asked(drill: str, level: int, want: Any = None, book: str = BOOK) -> Question:
    """The first question of a level that is as it is wanted."""
    known, more = series(drill, level, book)
    for n in range(400):
        if n == len(known):
            known.append(next(more))
        if want is None or want(known[n]):
            return known[n]
    raise AssertionError("no such question")


def mark(question: Question, answer: Any, level: int, book: str = BOOK) -> Grade:
    return grade_answer(load_drill(question.drill), desk_of(book, level), question, answer)


def cents(text: str) -> int:
    return round(float(text) * 100)


def own(question: Question) -> dict[str, Any]:
    return deepcopy(question.answer)


JUNK: list[Any] = [
    None, "", "lots", "-5", -5, 0, 10**30, 10**400, 1e308,
    math.nan, math.inf, True, [], {}, [[]], "\x1b[2J",
    {"paid": "-1"}, {"paid": {}}, {"chips": "lots"}, {"chips": {"red": -1}},
    {"chips": {"red": 1.5}},
    {"chips": {"mauve": 1}}, {"chips": ["red"]}, {"chips": {"red": 10**9}}, {"paid": math.nan},
    {"choice": -1}, {"choice": 99}, {"choice": "first"}, {"choice": True}, {"wrong": "all"},
    {"wrong": [None]}, {"wrong": [10**12]}, {"steps": 3}, {"steps": [3]}, {"steps": [{}]},
    {"steps": [{"act": "dance"}]}, {"steps": [{"act": "pay", "amount": []}]},
    {"steps": [{"act": "pay", "player": "nobody", "wager": "pass", "amount": "1"}] * 600},
    {"call": 7}, {"call": "x" * 5000}, {"facts": "all"}, {"facts": [[]]}, {"say": {}}, {"key": []},
    {"wagers": {}}, {"wagers": {"nope": "1"}}, {"wagers": {"place-win-6": None}}, {"repeat": "hm"},
    {"most": [], "paid": 1}, {"vig": "?"}, {"moves": 3, "paid": "1", "handed": "1"}, {"why": 3},
]  # fmt: skip


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("drill", list_drill_names())
def test_a_bad_answer_gets_a_clear_word(drill: str) -> None:
    question = asked(drill, 3)
    for answer in [*JUNK, nested(400), {"chips": nested(400)}, {"steps": nested(400)}]:
        found = mark(question, answer, 3)
        if drill in ("terms", "positions", "rulings") and answer in (0, False):
            continue  # that is the first choice
        assert not found.right, answer
        assert found.because
        assert len(found.because) < 3000
        assert found.because.isprintable(), found.because
        assert found.missed == question.cite or found.missed


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("drill", ["payoffs", "lines"])
def test_other_colours_that_make_the_amount_will_do_at_first(drill: str, level: int) -> None:
    question = asked(drill, level)
    whites = cents(question.answer["paid"]) // 100
    assert mark(question, {"chips": {"white": whites}}, level).right
    assert mark(
        question, {"paid": question.answer["paid"], "chips": {"white": whites}}, level
    ).right
    assert mark(question, question.answer["paid"], level).right
    assert mark(question, f"${question.answer['paid']}", level).right
    short = mark(question, {"chips": {"white": whites - 1}}, level)
    assert not short.right
    assert "is due" in short.because


@pytest.mark.parametrize("drill", ["payoffs", "lines"])
def test_above_that_the_manuals_colours_are_asked(drill: str) -> None:
    question = asked(drill, 3, lambda q: "white" not in q.answer["chips"])
    whites = cents(question.answer["paid"]) // 100
    found = mark(question, {"paid": question.answer["paid"], "chips": {"white": whites}}, 3)
    assert not found.right
    colour, count = next(iter(question.answer["chips"].items()))
    assert f"missed was {count} {colour}" in found.because
    assert not mark(question, question.answer["paid"], 3).right


def test_the_manuals_own_figures() -> None:
    """pay.multi-colour.3: eight reds behind the nine are paid in two greens and two reds."""
    question = Question(
        drill="lines",
        ask="?",
        given={
            "wager": "pass",
            "flat": "10.00",
            "odds": "40.00",
            "chips": {"red": 10},
            "stacks": {"flat": {"red": 2}, "odds": {"red": 8}},
            "puck": 9,
            "dice": [5, 4],
        },
        answer={"paid": "70.00", "chips": {"green": 2, "red": 4}},
        explain=("sixty and ten",),
        cite=("dealer-school:pay.multi-colour.3",),
    )
    assert mark(question, question.answer, 4).right
    assert mark(question, {"paid": "70", "chips": {"green": 2, "red": 4}}, 4).right
    # pay.total: the dealer may total odds and flat into one payoff.
    assert mark(question, {"paid": "70", "chips": "2 green, 4 red"}, 4).right
    # pay.pass.5-9#2: odds of one color may be sized into, however high they are.
    assert mark(question, {"paid": "70", "chips": {"red": 14}}, 4).right
    assert not mark(question, {"paid": "70", "chips": {"red": 13, "white": 5}}, 4).right
    assert not mark(question, {"paid": "60.00"}, 4).right


@pytest.mark.parametrize(
    ("puck", "odds", "sized"),
    [
        (4, {"red": 6}, {"red": 12}),  # pay.pass.4-10#2: twice
        (10, {"green": 3}, {"green": 6}),
        (5, {"red": 8}, {"red": 12}),  # pay.pass.5-9#2: once, and half of it
        (9, {"green": 2}, {"green": 3}),
        (6, {"red": 10}, {"red": 10, "white": 10}),  # pay.pass.6-8#1: a red and a white for each
        (8, {"green": 6}, {"green": 6, "red": 6}),  # pay.pass.6-8#2: a green and a red for each
    ],
)
def test_odds_of_one_color_may_be_sized_into(
    puck: int, odds: dict[str, int], sized: dict[str, int]
) -> None:
    setup = desk_of(BOOK, 4)
    flat = {"red": 5}
    stacks = (
        setup.rack.read("5 red"),
        setup.rack.read(", ".join(f"{n} {c}" for c, n in odds.items())),
    )
    index = next(n for n, faces in enumerate(OUTCOMES) if sum(faces) == puck)
    question = make_line_question(setup, setup.layout.spots["pass-odds"], stacks, puck, index)
    total = {c: flat.get(c, 0) + sized.get(c, 0) for c in (*sized, *flat)}
    assert mark(question, {"chips": total}, 4).right, question.answer
    assert mark(question, own(question), 4).right
    whites = {"white": cents(question.answer["paid"]) // 100}
    assert not mark(question, {"chips": whites}, 4).right


def test_odds_and_flat_may_be_totalled_above_the_second_level() -> None:
    def differs(question: Question) -> bool:
        chips = question.answer["chips"]
        whole, _ = desk_of(BOOK, 3).rack.divide(cents(question.answer["paid"]))
        return bool(dict(whole.counts) != chips)

    question = asked("lines", 3, differs)
    whole, _ = desk_of(BOOK, 3).rack.divide(cents(question.answer["paid"]))
    assert mark(question, {"chips": dict(whole.counts)}, 3).right
    assert mark(question, own(question), 3).right


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("seven times the bet, less a quarter of it", True),
        ("seven times the bet less what is in the box", True),
        ("7 - 1/4", True),
        ("6.75", True),
        (6.75, True),
        ("27/4", True),
        ("$6.75 per $1", True),
        ("6.75 for every dollar", True),
        ("5.75 plus the bet", True),
        ("6.75 plus the bet", False),
        ("$7.75 per $1", False),
        ("seven times the bet", False),
        ("6", False),
        ("three times the bet", False),
        ("whatever", False),
    ],
)
def test_a_key_is_what_it_comes_to(said: object, right: bool) -> None:
    question = asked("keys", 2, lambda q: q.given["wager"] == "horn" and q.given["dice"] == [1, 1])
    answer = {"paid": question.answer["paid"], "key": said}
    assert mark(question, answer, 2).right is right
    assert mark(question, {"paid": "1.00", "key": said}, 2).right is False


def test_the_manuals_steps_are_a_key_too() -> None:
    question = asked("keys", 2, lambda q: q.given["wager"] == "hi-lo")
    steps = "blackjack the bet, add a zero,"
    paid = question.answer["paid"]
    for last in ("take half the bet off", "and subtract half the original bet"):
        assert mark(question, {"paid": paid, "key": f"{steps} {last}"}, 2).right
    for last in ("", "subtract the original bet"):
        assert not mark(question, {"paid": paid, "key": f"{steps} {last}"}, 2).right
    assert question.cite[0] == "dealer-school:prop.hi-lo/key"


def test_a_key_with_thirds_may_be_cut_to_cents() -> None:
    """The manual prints it so: 4.33 and 9.33 for each dollar of a three-way."""
    question = asked("keys", 4, lambda q: q.given["wager"] in ("hops-6", "hops-8"))
    a, b = question.given["dice"]
    right, wrong = ("9.33", "9.34") if a == b else ("4.33", "4.34")
    for key, fair in ((f"{right} per$1", True), (right, True), (wrong, False)):
        assert mark(question, {"paid": question.answer["paid"], "key": key}, 4).right is fair


@pytest.mark.parametrize(
    ("drill", "parts"), [("vig", ("vig", "paid")), ("limits", ("most", "paid"))]
)
def test_each_amount_counts(drill: str, parts: tuple[str, str]) -> None:
    question = asked(drill, 2)
    for name in parts:
        wrong = {**own(question), name: f"{float(question.answer[name]) + 1:.2f}"}
        assert not mark(question, wrong, 2).right
        left_out = {other: question.answer[other] for other in parts if other != name}
        assert not mark(question, left_out, 2).right
    assert mark(question, {name: float(question.answer[name]) for name in parts}, 2).right


def test_a_group_by_any_of_its_names() -> None:
    question = asked("groups", 1, lambda q: q.given.get("say") == "$22 inside")
    assert mark(
        question, {"wagers": {"5": 5, "place-6": "6", "place-win-8": 6.0, "9": "$5"}}, 1
    ).right
    assert not mark(question, {"wagers": {"5": 6, "6": 5, "8": 6, "9": 5}}, 1).right
    assert not mark(question, {"wagers": {"5": 5, "6": 6, "8": 6}}, 1).right
    assert question.cite[0] == "dealer-school:inside/22"


def test_what_is_said_for_a_group_is_what_is_understood() -> None:
    question = asked("groups", 4, lambda q: q.answer.get("say", "").endswith(" across"))
    amount = question.answer["say"].split()[0]
    assert mark(question, {"say": f"{amount} across"}, 4).right
    assert mark(question, f"give me {amount.lstrip('$')} across please", 4).right
    assert not mark(question, {"say": "$32 inside"}, 4).right


def test_a_press_by_any_of_its_ways() -> None:
    """press.6-8/12-to-18 is shown by sliding, and by pick one, leave one."""
    question = asked("press", 2, lambda q: q.given.get("number") == 8 and q.given["from"] == "12.00"
                     and q.given["to"] == "18.00")  # fmt: skip
    money = {name: question.answer[name] for name in ("paid", "thrown", "pressed", "handed")}
    assert money == {"paid": "14.00", "thrown": "0.00", "pressed": "6.00", "handed": "8.00"}
    assert mark(question, money, 2).right
    assert mark(question, {**money, "moves": "slide"}, 2).right
    assert mark(question, {**money, "moves": "pick one, leave one"}, 2).right
    through: list[dict[str, Any]] = [
        {"hand": "inside", "from": "bank", "to": "come", "chips": {"red": 2, "white": 4}},
        {"from": "come", "to": "8", "chips": {"red": 1, "white": 1}},
        {"hand": "outside", "from": "come", "to": "apron", "chips": "1 red, 3 white"},
    ]
    assert mark(question, {**money, "moves": through}, 2).right
    assert not mark(question, {**money, "moves": through[:2]}, 2).right
    other_hand = [through[0], through[1], {**through[2], "hand": "inside"}]
    assert "delivers" in mark(question, {**money, "moves": other_hand}, 2).because
    bank = [{**through[0], "hand": "outside"}, *through[1:]]
    assert "never goes into the bank" in mark(question, {**money, "moves": bank}, 2).because
    for name in money:
        assert not mark(question, {**money, name: "5.00"}, 2).right


def test_a_call_by_its_facts_whatever_the_words() -> None:
    question = asked("calls", 2, lambda q: q.answer["facts"][:2] == ["total:7", "out"])
    facts = question.answer["facts"]
    assert mark(question, {"facts": facts}, 2).right
    assert mark(question, {"call": question.answer["call"].upper()}, 2).right
    assert not mark(question, {"facts": facts[1:]}, 2).right
    assert "total" in mark(question, {"call": "eight easy eight"}, 2).because
    assert not mark(question, {"call": "seven out, pay the line"}, 2).right


def test_a_call_in_the_words_of_the_other_list() -> None:
    question = asked("calls", 1, lambda q: q.answer["facts"] == ["total:7", "out", "line.lose",
                                                                 "point.was"])  # fmt: skip
    point = question.answer["call"].rpartition(" ")[2]
    assert mark(question, f"seven out, line away, the point was {point}", 1).right
    assert mark(question, f"7 out seven! Take the pass line; point was {point}", 1).right
    assert not mark(question, "seven out, line away", 1).right
    assert not mark(question, "line away, seven winner", 1).right


def work(question: Question) -> list[dict[str, Any]]:
    return deepcopy(question.answer["steps"])


def has(question: Question, *acts: str) -> bool:
    return {*acts} <= {step["act"] for step in question.answer["steps"]}


def test_the_order_that_the_manual_leaves_open_is_open() -> None:
    """The school fixes that losers come first, and leaves open which of them."""
    question = asked("order", 2, lambda q: sum(s["act"] == "take" for s in work(q)) >= 2
                     and has(q, "pay"))  # fmt: skip
    steps = work(question)
    takes = [step for step in steps if step["act"] == "take"]
    rest = [step for step in steps if step["act"] != "take"]
    assert mark(question, {"steps": [rest[0], *takes[::-1], *rest[1:]]}, 2).right
    early = mark(question, {"steps": [*rest, *takes]}, 2)
    assert not early.right
    assert (
        "dealer-school:base.11" in early.missed or "dealer-school:pay.pass.order#1" in early.missed
    )


def test_only_the_money_has_to_be_told() -> None:
    question = asked("order", 3, lambda q: has(q, "take", "pay"))
    steps = [step for step in work(question) if step["act"] in ("take", "pay", "place")]
    bare = [{name: s[name] for name in ("act", "player", "wager", "amount")} for s in steps]
    assert mark(question, {"steps": bare}, 3).right
    assert mark(question, bare, 3).right


@pytest.mark.parametrize("book", [BOOK, "iowa"])
def test_work_is_wrong_in_each_of_the_ways_that_happen(book: str) -> None:
    question = asked("order", 4, lambda q: has(q, "take", "pay"), book)
    steps = work(question)
    paid = next(n for n, step in enumerate(steps) if step["act"] == "pay")
    lost = next(n for n, step in enumerate(steps) if step["act"] == "take")

    def told(place: int, **change: object) -> Grade:
        other = work(question)
        other[place].update(change)
        return mark(question, {"steps": other}, 4, book)

    assert mark(question, {"steps": steps}, 4, book).right
    assert "is due, not" in told(paid, amount="777.00").because
    assert (
        " end, not the "
        in told(paid, end={"left": "right"}.get(steps[paid]["end"], "left")).because
    )
    for n, step in enumerate(steps):  # Only Iowa names a hand, the one that delivers.
        if step["act"] == "pay" and step["hand"]:
            other = {"inside": "outside"}.get(step["hand"], "inside")
            named = book == "iowa" and step["hand"] == "outside"
            assert (" hand, not the " in told(n, hand=other).because) is named
    assert "lost and was paid" in told(lost, act="pay").because
    assert (
        "left out" in mark(question, {"steps": steps[:lost] + steps[lost + 1 :]}, 4, book).because
    )
    assert "nothing is due" in told(paid, wager="fire").because
    assert not mark(question, {"steps": [*steps, steps[paid]]}, 4, book).right
    assert not mark(question, {"steps": []}, 4, book).right


def test_flat_before_odds_is_wrong_and_totalled_is_right() -> None:
    def both(question: Question) -> bool:
        paid = [s["wager"] for s in question.answer["steps"] if s["act"] == "pay"]
        return paid[:2] == ["pass-odds", "pass"]

    question = asked("order", 2, both)
    steps = work(question)
    odds = next(n for n, s in enumerate(steps) if s["wager"] == "pass-odds" and s["act"] == "pay")
    swapped = [*steps[:odds], steps[odds + 1], steps[odds], *steps[odds + 2 :]]
    wrong = mark(question, {"steps": swapped}, 2)
    assert wrong.missed == ("dealer-school:pay.pass.6-8#3",)
    total = f"{float(steps[odds]['amount']) + float(steps[odds + 1]['amount']):.2f}"
    one = [*steps[:odds], {**steps[odds + 1], "amount": total}, *steps[odds + 2 :]]
    assert mark(question, {"steps": one}, 2).right


def test_iowa_walks_where_the_school_leaves_it_open() -> None:
    """take-pay.2: from the outermost bet inward; the school only wants losers first."""
    from passline.crew.learner_steps import list_crew_work
    from passline.school.practice_tables import PracticeTable
    from passline.school.work_faults import find_work_faults

    broken = {}
    for book in (BOOK, "iowa"):
        practice = PracticeTable(desk_of(book, 3))
        practice.seat("ann", 2)
        for said in ("pass for 10", "field for 5"):
            assert practice.say("ann", said)
        found = list_crew_work(*practice.preview_throw(5, 6))
        assert [step.wager for step in found.money] == ["pass", "field"]
        call, line, field, *rest = found.steps
        faults = find_work_faults(found, [call, field, line, *rest])
        broken[book] = [fault.cite for fault in faults]
    assert broken == {BOOK: [], "iowa": ["take-pay.2"]}


def test_an_error_by_its_number_and_its_kind() -> None:
    kinds = set()
    for n in range(1, 31):
        level = 2 + n % 4
        setup = desk_of(BOOK, level)
        question = make_question(load_drill("errors"), setup, "kinds", n)
        right, why = question.answer["wrong"], question.answer["why"]
        kinds.add(next(k for k in WAYS if WAYS[k] in why))
        assert mark(question, {"wrong": right, "why": why}, level).right
        if n < 4 and WAYS["missed"] not in why:
            assert mark(question, right[0], level).right
            assert not mark(question, {"wrong": []}, level).right
            assert not mark(question, {"wrong": [99]}, level).right
            assert not mark(question, {"wrong": [*right, 99]}, level).right
    assert kinds == set(WAYS) - {"hand"}, "no clause of this book names a hand for payoffs"


#: How each of the ways that happen is told.
WAYS = {
    "amount": "is due, not",
    "order": "comes before",
    "end": " end, not the ",
    "hand": " hand, not the ",
    "missed": "was left out",
    "loser paid": "lost and was paid",
}


def test_a_step_left_out_is_named_by_player_and_wager() -> None:
    question = asked("errors", 4, lambda q: WAYS["missed"] in q.answer["why"])
    why = question.answer["why"]
    found = re.match(r"(?:\w+) (\w+)'s (.+?), \$", why)
    assert found, why
    player, wager = found.groups()
    most = len(question.given["shown"]) + 1
    for number in range(1, most + 1):  # no number will do by itself, nor with a kind of mistake
        assert not mark(question, {"wrong": [number]}, 4).right
        assert not mark(question, {"wrong": [number], "why": "a bet was left out"}, 4).right
    right = {"wrong": question.answer["wrong"]}
    for said in (why, f"{player}'s {wager}", f"{player} {wager.replace(chr(39), '')} was forgotten",
                 {"player": player, "wager": wager}):  # fmt: skip
        assert mark(question, {**right, "why": said}, 4).right, said
    others = {step["player"] for step in question.given["shown"] if step["player"]} - {player}
    wagers = {step["wager"] for step in question.given["shown"] if step["wager"]}
    for said in (player, wager, *(f"{other}'s {wager}" for other in others),
                 " ".join([player, wager, *others, *wagers, "field", "pass"])):  # fmt: skip
        assert not mark(question, {**right, "why": said}, 4).right, said
    outside = [
        n for n in range(1, most + 1) if not mark(question, {"wrong": [n], "why": why}, 4).right
    ]
    assert outside


def test_a_bet_left_out_is_not_another_bet_nor_another_mistake() -> None:
    question = asked("errors", 1, lambda q: "pass line, $" in q.answer["why"]
                     and "was left out" in q.answer["why"])  # fmt: skip
    wrong, player = question.answer["wrong"], question.answer["why"].split("'")[0].split()[-1]

    def told(why: str) -> bool:
        return mark(question, {"wrong": wrong, "why": why}, 1).right

    assert told(f"{player}'s pass line was left out")
    assert told(f"forgot the pass line of {player}")
    assert not told(f"{player}'s don't pass was left out")
    assert not told(f"{player}'s place 6 was left out")
    assert not told(f"wrong amount for {player}'s pass line")


@pytest.mark.parametrize(
    ("why", "named"),
    [
        ("placing cat's don't come, $10, was left out", ["dont-come"]),
        ("the don't come on 10 was left out", []),
        ("cat's don't come 10 was left out", ["dont-come-10"]),
        ("ann's come: 6 is missing", ["come"]),
    ],
)
def test_an_amount_is_no_part_of_a_bets_name(why: str, named: list[str]) -> None:
    spots = desk_of("iowa", 3).layout.spots
    assert named in ([], _find_wagers_in(why, list(spots)))


def test_the_verb_come_names_no_bet() -> None:
    steps = [CrewStep(post="base", act="pay", player="ann", wager=w) for w in ("come", "field")]
    for reason, named in (
        ("losers come first", set()),
        ("the field should come later", {"field"}),
        ("ann's come is paid too early", {"come"}),
    ):
        assert _find_named_wagers(reason, steps, []) == named, reason


def test_the_name_of_a_bet_is_no_reason() -> None:
    """The odds in "pass odds" are no word about the order of odds and flat."""
    question = asked("errors", 2, lambda q: re.search(r"pass odds: \$\d+ is due", q.answer["why"]))
    wrong, (player, bet) = (
        question.answer["wrong"],
        re.findall(r"(\w+)'s (.*pass odds):", question.answer["why"])[0],
    )
    for why, right in (
        (f"{player}'s {bet} is paid wrong", True),
        (f"{player}'s {bet} should be paid $7777", False),
        (f"{player}'s {bet} goes before the flat", False),
    ):
        assert mark(question, {"wrong": wrong, "why": why}, 2).right is right, why


def test_iowas_dont_comes_are_paid_in_either_direction() -> None:
    """dont-come-lay/order and take-pay.4 disagree, so either is right; lays have one direction."""
    from passline.crew.learner_steps import list_crew_work
    from passline.school.practice_tables import PracticeTable
    from passline.school.work_faults import find_work_faults

    for wager, faults in (("dont-come", 0), ("lay-9", 1)):
        practice = PracticeTable(desk_of("iowa", 3))
        for place, name in enumerate(("ann", "bob"), 2):
            practice.seat(name, place)
        assert practice.say("ann", "pass for 10")
        practice.throw(2, 2)
        for name in ("ann", "bob"):
            assert practice.say(name, f"{wager} for 30")
        practice.throw(4, 5) if wager == "dont-come" else practice.throw(4, 4)
        work = list_crew_work(*practice.preview_throw(3, 4))
        pays = [step for step in work.steps if step.act == "pay"]
        assert len(pays) == 2
        rest = [step for step in work.steps if step.act != "pay"]
        for order, wrong in ((pays, 0), (pays[::-1], faults)):
            last = next(n for n, step in enumerate(work.steps) if step in pays)
            done = [*rest[:last], *order, *rest[last:]]
            assert len(find_work_faults(work, done)) == wrong, wager


def test_another_reason_than_the_right_one_is_wrong() -> None:
    question = asked("errors", 3, lambda q: "lost and was paid" in q.answer["why"])
    wrong = question.answer["wrong"]
    assert not mark(question, {"wrong": wrong, "why": "with the wrong hand"}, 3).right
    assert mark(question, {"wrong": wrong, "why": "that bet lost"}, 3).right


def test_a_reason_is_judged_by_what_it_tells() -> None:
    """The kind must be told; whatever else is named must be the mistake's own."""
    question = asked("errors", 3, lambda q: "lost and was paid" in q.answer["why"])
    number = question.answer["wrong"]
    step = question.given["shown"][number[0] - 1]
    others = {one["player"] for one in question.given["shown"]} - {step["player"], None}

    def told(why: str) -> Grade:
        return mark(question, {"wrong": number, "why": why}, 3)

    for why in ("banana", "!", "because", "x" * 300, "\u202e"):
        assert not told(why).right
    assert "does not say what is wrong; name one of" in told("banana").because
    assert told(f"{step['player']} was paid and lost").right
    assert told("paid a losing bet").right
    for other in others:
        assert not told(f"{other} was paid and lost").right
        assert told(f"{step['player']} lost, {other} won").right
    money = asked("errors", 3, lambda q: "is due, not" in q.answer["why"])
    due = re.findall(r"\$[\d.,]*\d", money.answer["why"])[0]
    for why, right in (
        (f"it should be {due}", True),
        (f"it pays {due}, not that", True),
        ("it should be $98765", False),
        ("it pays $98765, not that", False),
    ):
        assert mark(money, {"wrong": money.answer["wrong"], "why": why}, 3).right is right


#: Right reasons as learners say them, by kind.
SAID = {
    "amount": "underpaid; he got 12 instead of 14; wrong sum; that is not 7 to 5; gave him double; "
    "incorrect payout; not enough; a mispay; the math is wrong; should have got 9; "
    "one red too many",
    "order": "the losers go first; out of order; swap 3 and 4; should start from the base; "
    "winner paid while losers were up; goes from stick to base; should have been done earlier",
    "flat before odds": "odds go first; line bet before its odds; the flat came first",
    "end": "that is the other dealer's bet; bob stands at the right; reached across; "
    "not his player; other half of the table; wrong side",
    "hand": "should use the outside hand; wrong hand; hand off with the other hand",
    "missed": "bob's lay is still up; didn't pay the horn; the field wasn't picked up; ignored; "
    "no one took it; should also take the field; left on the layout; was not collected",
    "loser paid": "should be picked up; it didn't win; must not be paid; paid a losing bet; "
    "should have come down; the field loses on five",
}


@pytest.mark.parametrize("kind", SAID)
def test_a_reason_in_other_plain_words(kind: str) -> None:
    for said in SAID[kind].split("; "):
        assert kind in find_fault_kinds(said), said
        for other in set(SAID) - {kind, "order", "flat before odds", "missed", "loser paid"}:
            assert other not in find_fault_kinds(said), (said, other)
    for nothing in ("this is not right", "the right bet", "left", "a mistake", "it is wrong"):
        with pytest.raises(UnreadableAnswerError):
            find_fault_kinds(nothing)
    assert "loser paid" not in find_fault_kinds("the losers go first")


@pytest.mark.parametrize("book", [BOOK, "iowa", "new-jersey"])
def test_an_error_cites_the_clause_that_it_breaks(book: str) -> None:
    """Who loses and what is paid, whose end it is, which hand: not how the step is done."""
    cites: dict[str, set[str]] = {}
    for question in make_questions(load_drill("errors"), desk_of(book, 3), "cites", 40):
        kind = next(k for k in WAYS if WAYS[k] in question.answer["why"])
        cites.setdefault(kind, set()).update(c.partition(":")[2] for c in question.cite)
        assert question.cite
    if book != "new-jersey":
        ends = {"iowa": "base.1", BOOK: "base.1#1"}
        hands = {"iowa": {"take-pay.6#1"}, BOOK: set[str]()}
        assert cites.get("end", {ends[book]}) == {ends[book]}
        assert cites.get("hand", set()) <= hands[book]
        assert {"end", "hand"} & set(cites)
    else:  # the regulations name neither ends nor hands
        assert not {"end", "hand"} & set(cites)
    for kind in {"amount", "missed", "loser paid"} & set(cites):
        assert not cites[kind] & {"stick.2#2", "base.11", "take-pay.1"}, cites


def test_a_press_may_be_miscounted() -> None:
    question = asked("errors", 2, lambda q: "presses" in q.given)
    pressed = question.given["presses"]
    assert f"{pressed['player']} presses the {pressed['number']} to $" in question.ask
    due, paid = (cents(text) for text in re.findall(r"\$([\d.]+)", question.answer["why"]))
    assert mark(question, question.answer, 2).right
    won, pressed = (cents(step["amount"]) for step in question.given["shown"] if step["wager"])
    other = ({won, pressed} - {paid}).pop()
    for said, amount, right in (
        ("is due", due, True),
        ("is due", other, False),
        ("is due", abs(due - paid), abs(due - paid) == due),
        ("too much or too little", abs(due - paid), True),
    ):
        answer = question.answer | {"why": f"${amount / 100:.2f} {said}"}
        assert mark(question, answer, 2).right is right


def test_a_booking_is_said_back_in_other_words() -> None:
    question = asked("booking", 1, lambda q: q.given["say"].startswith("place 6"))
    (slug, amount), *_ = question.answer["wagers"].items()
    plain = amount.removesuffix(".00")
    name = question.given["player"]
    for said in (
        f"six for {plain} placed",
        f"${plain} on the place six",
        f"{name}, place the 6 for {plain}",
        f"OK, that's place 6 for ${plain}, thank you",
    ):
        found = mark(question, {"repeat": said, "wagers": {"place-6": plain}}, 1)
        if said.startswith("six"):
            continue  # however that is heard, it must not fail
        assert found.right, (said, found)
    assert not mark(question, {"repeat": f"place the 8 for {plain}"}, 1).right
    assert not mark(question, {"repeat": "thank you"}, 1).right
    where = question.answer["set"][slug]
    assert mark(question, {"repeat": question.answer["repeat"], "set": where}, 1).right
    other = where.replace("front", "BACK").replace("back", "front").replace("BACK", "back")
    assert not mark(question, {"repeat": question.answer["repeat"], "set": other}, 1).right


@pytest.mark.parametrize("kind", ["place", "buy", "lay"])
def test_iowas_bookings_announce_what_its_clauses_ask(kind: str) -> None:
    """place/booking, buy/booking, lay/booking: amount, number, position, vigorish, change."""

    def fits(question: Question) -> bool:
        slugs = list(question.answer["wagers"])
        change = "change" in question.answer["repeat"]
        return len(slugs) == 1 and slugs[0].startswith(kind) and change

    question = asked("booking", 2, fits, "iowa")
    given = question.given
    (slug, amount), *_ = question.answer["wagers"].items()
    number, place = slug.rpartition("-")[2], given["place"]
    plain = amount.removesuffix(".00")
    vig = re.search(r"vig \$(\d+)", question.answer["repeat"])
    change = re.search(r"change \$(\d+)", question.answer["repeat"])
    assert change
    assert (vig is None) is (kind == "place")
    due = int(float(amount)) + int(vig[1] if vig else 0) + int(change[1])
    assert due == int(float(given["money"]))
    bet, where = f"{kind} {number} for ${plain}", f"position {place}"
    paid = [f"${vig[1]} vig"] if vig else []
    parts = [bet, where, *paid, f"change ${change[1]}"]
    assert f"{kind}/booking" in question.cite[0]

    def told(*words: str) -> bool:
        return mark(question, {"repeat": ", ".join(words)}, 2, "iowa").right

    assert told(question.answer["repeat"])
    assert told(*parts)
    assert told(f"{given['player']} at {place}", *parts[:1], *parts[2:])
    assert told(f"{bet} at position {place} {' plus '.join(['', *paid])}, {change[1]} in change")
    assert not told(given["say"])
    for n in range(len(parts)):
        assert not told(*parts[:n], *parts[n + 1 :]), parts[n]
    assert not told(bet, f"position {place + 1}", *parts[2:])
    assert not told(*parts[:-1], f"change ${int(change[1]) + 1}")
    assert not vig or not told(bet, where, f"vig ${int(vig[1]) + 1}", parts[-1])


def test_what_a_booking_announces_may_be_said_in_words_and_without_commas() -> None:
    def fits(question: Question) -> bool:
        repeat = question.answer["repeat"]
        return "vig $" in repeat and "change $" in repeat and len(question.answer["wagers"]) == 1

    question = asked("booking", 2, fits, "iowa")
    bet, _, vig, change = question.answer["repeat"].split(", ")
    place, paid, back = question.given["place"], vig.split("$")[1], change.split("$")[1]
    number = convert_to_words(place)

    def told(said: str) -> bool:
        return mark(question, {"repeat": said}, 2, "iowa").right

    assert told(question.answer["repeat"].replace(",", ""))
    assert told(f"{bet} seat {place} ${paid} vig ${back} change")
    assert told(f"{bet}, position {number}, ${paid} juice, ${back} back")
    assert told(f"{bet}, place {place}, with a ${paid} vig, your change is ${back}")
    assert told(f"{bet}, position {place}, vig ${paid}, ${back} change comes back")
    assert not told(f"{bet}, place {place + 1}, vig ${paid}, change ${back}")
    assert told(f"{bet}, position {place}, vig {convert_to_words(int(paid))} dollars, {change}")
    assert not told(f"{bet} seat {place} ${back} vig ${paid} change")
    assert not told(f"{bet}, position {convert_to_words(place % 16 + 1)}, {vig}, {change}")
    assert not told(f"{bet}, position {place}, {vig}, no change")


NUMBERS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen"
)


def convert_to_words(number: int) -> str:
    return next(word for word in NUMBERS.split() if convert_number_words([word]) == [str(number)])


def test_a_position_is_judged_by_all_its_words() -> None:
    question = asked("booking", 1, lambda q: "place-win-5" in q.answer["wagers"])
    (slug, where), *_ = question.answer["set"].items()
    row = "front" if "front" in where else "back"
    repeat = question.answer["repeat"]

    def goes(said: object) -> bool:
        return mark(question, {"repeat": repeat, "set": said}, 1).right

    ordinal = next(word for word in where.split() if word in ORDINALS)
    assert goes({slug: where})
    assert goes(f"{ordinal} share, {row} line of the 5, position {question.given['place']}")
    number = ORDINALS.index(ordinal) + 1
    assert goes(f"{row} line of the five, share {number}")
    assert goes(f"{row} line of the 5, the {number}{('st', 'nd', 'rd', 'th')[min(number, 4) - 1]}")
    assert not goes(f"{row} line of the 5, share {number + 1}")
    assert not goes({slug: f"{where}, the fifth share"})
    assert not goes({slug: f"{where}, behind the 9"})
    assert not goes(f"front and back line of the 5, {ordinal} share")
    assert not goes([where, where.replace("5", "6")])


def test_a_position_is_the_players_by_name_or_number() -> None:
    question = asked("booking", 2, lambda q: [*q.answer["set"]] == ["hard-8"])
    repeat, place = question.answer["repeat"], question.given["place"]
    for where, right in (
        (f"hard 8 at position {place}", True),
        (f"on the hard eight, {question.given['player']}'s spot", True),
        (f"hard 8 at position {place + 1}", False),
        ("on the hard 8", False),
    ):
        assert mark(question, {"repeat": repeat, "set": where}, 2).right is right, where


def test_at_the_prompt_a_booking_says_where_the_bet_goes() -> None:
    question = asked("booking", 1)
    with pytest.raises(UnreadableAnswerError, match="where the bet goes"):
        parse_answer(desk_of(BOOK, 1), question, question.given["say"])


def test_words_that_lack_nothing_may_be_said_back_unchanged() -> None:
    """base.9#1: the school has every wager said back, and asks for nothing more."""
    question = asked("booking", 1)
    assert mark(question, {"repeat": question.given["say"]}, 1).right
    field = asked("booking", 1, lambda q: "field" in q.answer["wagers"], "iowa")
    assert mark(field, {"repeat": field.given["say"]}, 1, "iowa").right


@pytest.mark.parametrize("joint", ["; ", ". ", " and "])
def test_bets_said_back_in_sentences_of_their_own_are_right(joint: str) -> None:
    question = asked("booking", 3, lambda q: len(q.answer["wagers"]) > 1 and "," in q.given["say"])
    said = joint.join(question.answer["repeat"].split(", "))
    assert mark(question, {"repeat": said}, 3).right
    assert not mark(question, {"repeat": said.partition(joint)[0]}, 3).right


@pytest.mark.parametrize("kind", ["place", "buy", "lay"])
def test_a_bet_is_said_back_by_its_full_name_with_a_bare_amount(kind: str) -> None:
    question = asked("booking", 2, lambda q: _books_one(q, kind), "new-jersey")
    [(slug, amount)] = question.answer["wagers"].items()
    number, dollars = slug.rpartition("-")[2], amount.removesuffix(".00")
    for said in (f"{kind} bet on the {number}, {dollars}", f"{kind} the {number}, {dollars}"):
        assert mark(question, {"repeat": said}, 2, "new-jersey").right, said
        assert not mark(question, {"repeat": f"{said}5"}, 2, "new-jersey").right
    other = "lay" if kind != "lay" else "buy"
    wrong = f"{other} bet on the {number}, {dollars}"
    assert not mark(question, {"repeat": wrong}, 2, "new-jersey").right


def test_players_bet_what_pays_evenly() -> None:
    """Nobody places $25 on the 6, or presses it to $50."""
    for question in make_questions(load_drill("booking"), desk_of("iowa", 4), "even", 40):
        for slug, amount in question.answer["wagers"].items():
            six = re.fullmatch(r"place-win-[68]|lay-[68]", slug)
            assert not six or cents(amount) % 600 == 0, (slug, amount)
    for question in make_questions(load_drill("press"), desk_of("iowa", 5), "even", 60):
        number = question.given.get("number", question.given.get("rolled"))
        assert number not in (6, 8) or cents(question.given["to"]) % 600 == 0


def _books_one(question: Question, kind: str) -> bool:
    slugs = [*question.answer["wagers"]]
    return len(slugs) == 1 and slugs[0].startswith(kind) and "lose" not in slugs[0]


def test_in_a_list_each_amount_follows_its_bet() -> None:
    question = asked("booking", 4, lambda q: _books_propositions(q.answer["wagers"]))
    pairs = [
        (layout_name(slug).replace("any 7", "any seven"), amount.removesuffix(".00"))
        for slug, amount in question.answer["wagers"].items()
    ]
    said = ", ".join(f"{name}, {amount} dollars" for name, amount in pairs)
    assert mark(question, {"repeat": said}, 4).right, said
    (first, one), (second, two), *rest = pairs
    swapped = ", ".join(f"{n}, {a} dollars" for n, a in [(first, two), (second, one), *rest])
    assert not mark(question, {"repeat": swapped}, 4).right


def _books_propositions(wagers: dict[str, str]) -> bool:
    amounts = list(wagers.values())[:2]
    return len(set(amounts)) == 2 and all(
        slug.startswith(("hard-", "any-", "horn")) for slug in wagers
    )


def test_booking_has_three_inputs_and_a_felt_at_every_level() -> None:
    for level in (1, 3, 5):
        setup = desk_of("iowa", level)
        for question in make_questions(load_drill("booking"), setup, "three", 6):
            fields = load_drill("booking").list_fields(setup, question)
            assert [field.name for field in fields] == ["repeat", "wagers", "set"]
            right = set(question.answer["set"].values())
            offered = {value for value, _ in fields[2].choices or ()}
            assert right < offered, "the right positions are among others"
            words = ", ".join(f"{slug} for {amount}" for slug, amount in
                              question.answer["wagers"].items())  # fmt: skip
            answer = {"repeat": question.answer["repeat"], "wagers": words, "set": sorted(right)}
            found = mark(question, answer, level, "iowa")
            assert found.right, (answer, found)
            assert not mark(question, {**answer, "set": sorted(offered)}, level, "iowa").right
            assert not mark(question, {**answer, "set": []}, level, "iowa").right
            assert not mark(question, {**answer, "wagers": "field for 5"}, level, "iowa").right
            assert question.given["record"]
            assert "share" in question.given["how"]
    for level in (1, 2, 4):
        for question in make_questions(load_drill("positions"), desk_of(BOOK, level), "felt", 6):
            assert "felt" in question.given or "record" in question.given
            assert "Shares are counted" in question.given["how"]


def test_nobody_books_a_bet_without_vigorish() -> None:
    for book in (BOOK, "iowa"):
        for level in (1, 3, 5):
            for question in make_questions(load_drill("vig"), desk_of(book, level), "dear", 30):
                assert cents(question.answer["vig"]) >= 100, question
                base = "paid" if question.given["wager"].startswith("lay") else "stake"
                least = {**question.given, **question.answer}[base]
                assert cents(least) >= 2000, question


def test_an_answer_is_shown_as_it_was_given() -> None:
    from passline.school.questions_and_grades import describe_answer

    for drill in list_drill_names():
        setup, question = desk_of(BOOK, 3), asked(drill, 3)
        assert describe_answer(setup, question, question.answer)
        for junk in JUNK:
            assert isinstance(describe_answer(setup, question, junk), str)
    question = asked("booking", 3)
    shown = describe_answer(desk_of(BOOK, 3), question, {"repeat": "ten", "set": ["here", "there"]})
    assert shown == "say back 'ten', it goes here; there"


def test_what_was_chosen_is_shown_in_words() -> None:
    """A choice by its words, not by an index; a step of the crew's work by what was done."""
    from passline.school.questions_and_grades import describe_answer

    setup, ruling = desk_of(BOOK, 2), asked("rulings", 2)
    for n, words in enumerate(ruling.given["choices"]):
        assert describe_answer(setup, ruling, {"choice": n}) == words
        assert "[" not in mark(ruling, {"choice": n}, 2).because
    error = asked("errors", 3)
    assert describe_answer(desk_of(BOOK, 3), error, {"wrong": [1]}) == "step 1 (stick: call)"


def test_a_ruling_by_its_choice_and_its_clause() -> None:
    question = asked("rulings", 2)
    right = question.answer["choice"]
    assert mark(question, right, 2).right
    assert mark(question, {"choice": right, "cite": question.answer["cite"]}, 2).right
    bare = question.answer["cite"].partition(":")[2]
    assert mark(question, {"choice": right, "cite": bare}, 2).right
    assert not mark(question, {"choice": right, "cite": "pay.total"}, 2).right
    count = len(question.given["choices"])
    assert [mark(question, n, 2).right for n in range(count)].count(True) == 1


def test_a_call_of_iowa_in_other_letters_and_words() -> None:
    def natural(question: Question) -> bool:
        facts = question.answer["facts"]
        needed = {"winner", "donts.lose", "field.lose"} <= set(facts)
        return needed and sum(question.given["dice"]) == 7

    question = asked("calls", 3, natural, "iowa")
    call = question.answer["call"]
    for said in (call.upper(), call.replace(",", ""), f"{call}."):
        assert mark(question, {"call": said}, 3, "iowa").right
    parts = call.split(", ")
    # No clause fixes the order of the words after the number.
    assert mark(question, {"call": ", ".join(parts[:1] + parts[:0:-1])}, 3, "iowa").right
    assert not mark(question, {"call": ", ".join(parts[::-1])}, 3, "iowa").right
    for needed in ("take the don't pass", "no field"):
        left_out = [part for part in parts if part != needed]
        assert not mark(question, {"call": ", ".join(left_out)}, 3, "iowa").right, left_out


def test_hardways_are_taken_in_other_words() -> None:
    question = asked("calls", 3, lambda q: "hardways down" in q.answer["call"])
    said = question.answer["call"].replace("hardways down", "take the hardways")
    assert mark(question, said, 3).right


def test_a_loser_paid_is_no_wrong_amount() -> None:
    question = asked("errors", 3, lambda q: "is due, not" in q.answer["why"])
    wrong = question.answer["wrong"]
    assert mark(question, {"wrong": wrong, "why": "wrong amount paid"}, 3).right
    assert not mark(question, {"wrong": wrong, "why": "a loser was paid"}, 3).right


def test_a_worked_case_is_cited_for_its_own_stake() -> None:
    """buy.vig/25, /50 and /75 are of those stakes; a hardway is named once."""
    for question in make_questions(load_drill("vig"), desk_of(BOOK, 2), "worked", 40):
        stake = question.given["stake"].partition(".")[0]
        worked = {c for c in question.cite if c.rpartition("/")[2].isdecimal()}
        assert worked <= {f"{BOOK}:buy.vig/{stake}"}
    setup = desk_of(BOOK, 1)
    assert describe_position(setup.layout, setup.layout.spots["hard-8"], 6).startswith(
        "on the hard 8 in"
    )


def test_a_wrong_choice_is_told_once() -> None:
    question = asked("terms", 2, lambda q: "term" in q.given)
    right = question.given["choices"][question.answer["choice"]]
    found = mark(question, {"choice": (question.answer["choice"] + 1) % 2}, 2)
    assert found.because.count(right) == 1


def test_a_point_outside_a_group_is_not_left_out_of_it() -> None:
    question = asked(
        "groups", 2, lambda q: "outside" in q.given["say"] and q.given["puck"] in (6, 8)
    )
    assert "left out" not in question.explain[0]
    question = asked("groups", 3, lambda q: q.answer.get("say") == "$26 across")
    assert f"the point {question.given['puck']} left out" in question.explain[0]


def test_iowas_groups_leave_the_point_out_unless_the_player_says_otherwise() -> None:
    """place-groups/across, inside, outside: all but the point."""
    named = 0
    for level in (2, 3, 5):
        for question in make_questions(load_drill("groups"), desk_of("iowa", level), "point", 40):
            puck = question.given["puck"]
            wagers = question.given.get("wagers") or question.answer["wagers"]
            say = question.given.get("say") or question.answer["say"]
            if f"place-win-{puck}" in wagers:
                assert say.endswith(" with the point")
                assert "because the player says so" in question.explain[-1]
                named += 1
    assert named


@pytest.mark.parametrize("book", [BOOK, "iowa"])
def test_the_length_of_a_choice_tells_nothing(book: str) -> None:
    """The right choice is the longest about as often as any other, or less; all are sentences."""
    longest = asked_in_all = 0
    for level in (1, 3, 5):
        for question in make_questions(load_drill("rulings"), desk_of(book, level), "length", 80):
            choices = question.given["choices"]
            right = choices[question.answer["choice"]]
            longest += all(len(right) > len(other) for other in choices if other != right)
            asked_in_all += 1
            for words in choices:
                assert re.fullmatch(r"['A-Z$].*[.]", words), words
    assert longest / asked_in_all < 0.33, longest


def test_a_no_roll_is_asked_in_sentences_and_only_on_clear_grounds() -> None:
    assert set(NO_ROLL_SCENES) == set(iter_ground_names(no_roll_grounds))
    found = [
        (q.ask, q.given["choices"][q.answer["choice"]])
        for q in make_questions(load_drill("rulings"), desk_of("iowa", 3), "ground", 40)
        if "no roll" in q.ask
    ]
    assert found
    for ask, right in found:
        assert any(ask.startswith(scene) for scene in NO_ROLL_SCENES.values())
        # no-roll.3.m: a missed wall may be called after a warning.
        assert "far end" not in ask or "stands" not in right


@pytest.mark.parametrize("book", [BOOK, "iowa"])
def test_nobody_calls_on_a_bet_that_works(book: str) -> None:
    for level in (2, 5):
        for question in make_questions(load_drill("rulings"), desk_of(book, level), "on", 40):
            come_out = "\nroll" not in question.given["record"]
            asked_on, asked_off = (
                re.search(rf"says: '.* {word}'", question.ask) for word in ("on", "off")
            )
            assert not (asked_on and book == "iowa" and "hard" in question.ask), question.ask
            assert come_out or not asked_on or _is_come_out(question), question.ask
            assert asked_off is None or "place" not in question.ask or not come_out


#: Requests and rulings that no clause of the book decides: the engine follows a custom.
CUSTOMS = {
    BOOK: r"odds off -|hard \d+ off -|don't .* - .* at most |pass line down - It is allowed",
    "iowa": r"odds off -",
    "new-jersey": r"(place|buy|hard) \S+ off -|^come \d+ odds off -",
}


@pytest.mark.parametrize("book", CUSTOMS)
def test_a_request_is_asked_only_if_a_clause_decides_it(book: str) -> None:
    requests = 0
    for level in (3, 5):
        for question in make_questions(load_drill("rulings"), desk_of(book, level), "decide", 80):
            right = question.given["choices"][question.answer["choice"]]
            if said := re.search(r"says: '(.*)'", question.ask):
                requests += 1
                assert not re.search(CUSTOMS[book], f"{said[1]} - {right}"), question
    assert requests


def test_what_decides_a_bet_is_cited_before_its_price() -> None:
    """A throw that decides nothing is explained by what wins and loses, not by the payoff."""
    undecided = "Nothing: it stays up, and this throw does not decide it."
    question = asked(
        "rulings",
        1,
        lambda q: (
            "pass line bet" in q.ask
            and q.given["choices"][q.answer["choice"]] == undecided
            and "don't" not in q.ask
        ),
    )
    assert question.cite[0] == f"{BOOK}:pass-line/point-made"
    assert f"{BOOK}:pass-line/seven-out" in question.cite


@pytest.mark.parametrize(
    ("bet", "clauses"),
    [
        ("pass line", {"pass-line/point-made", "pass-line/natural"}),
        ("don't pass", {"dont-pass/point-7", "dont-pass/2-3"}),
    ],
)
def test_a_win_cites_why_it_wins_before_its_price(bet: str, clauses: set[str]) -> None:
    found = set()
    for question in make_questions(load_drill("rulings"), desk_of(BOOK, 1), "wins", 100):
        right = question.given["choices"][question.answer["choice"]]
        if f"'s {bet} bet" in question.ask and right.startswith("It wins"):
            found.add(question.cite[0].partition(":")[2])
            seven = "roll" in question.given["record"] and bet == "don't pass"
            assert not seven or question.cite[0].endswith("point-7")
    assert found
    assert found <= clauses


def test_no_wrong_choice_is_an_amount_that_the_chips_cannot_make() -> None:
    for question in make_questions(load_drill("rulings"), desk_of(BOOK, 1), "chips", 60):
        assert not re.search(r"\$\d+\.50", " ".join(question.given["choices"]))


def test_a_term_is_the_word_that_the_clause_names() -> None:
    words = {term.word: term.means for term in load_terms("iowa")}
    assert (
        words["marker puck"] == "Disc showing the point: black face reads off, white face reads on."
    )
    assert {"proposition bet", "natural fall"} <= words.keys()
    assert "don't come" in {term.word for term in load_terms(BOOK)}


def test_amounts_and_chips_in_words() -> None:
    question = asked("payoffs", 1, lambda q: q.answer["paid"] == "45.00")
    chips = question.answer["chips"]
    for paid in ("45 dollars", "$45", "forty-five", "Forty five dollars", 45):
        assert mark(question, {"paid": paid}, 1).right, paid
    for paid in ("forty four", "45 cents", "dollars", "forty five reds"):
        assert not mark(question, {"paid": paid}, 1).right, paid
    words = " and ".join(f"{convert_to_words(n)} {color}s" for color, n in chips.items())
    assert read_stack("twenty-one red", desk_of(BOOK, 1).rack) == read_stack(
        {"red": 21}, desk_of(BOOK, 1).rack
    )
    for stack in (words, f"{words} chips", {color.upper(): n for color, n in chips.items()}):
        assert mark(question, {"chips": stack}, 1).right, stack
    assert parse_answer(desk_of(BOOK, 1), question, "45 dollars.") == {"paid": "45"}


@pytest.mark.parametrize("drill", ["groups", "booking"])
@pytest.mark.parametrize("book", [BOOK, "iowa"])
def test_a_group_that_the_book_does_not_know_is_not_asked(drill: str, book: str) -> None:
    for question in make_questions(load_drill(drill), desk_of(book, 5), "group", 60):
        assert "iron cross" not in f"{question.given} {question.answer}"


def test_the_limit_of_laid_odds_is_asked_where_the_book_has_one() -> None:
    def count(book: str) -> int:
        questions = make_questions(load_drill("limits"), desk_of(book, 3), "laid", 40)
        return sum(question.given["wager"].startswith("dont-") for question in questions)

    assert count(BOOK) == 0
    assert count("iowa") > 0


def test_a_position_cites_the_clause_on_shares() -> None:
    for drill, wager in (("positions", "come"), ("booking", "field")):
        question = asked(
            drill,
            1,
            lambda q, wager=wager: wager in (q.given.get("wager"), *q.answer.get("set", ())),
        )
        assert f"{BOOK}:base.5" in question.cite


def test_a_call_cites_clauses_about_its_throw() -> None:
    question = asked("calls", 2, lambda q: "seven out, pass line away" in q.answer["call"], "iowa")
    assert "iowa:wagers.1.b.2" in question.cite
    assert "iowa:wagers.1.b.1" not in question.cite  # It is about a come-out.


def _is_come_out(question: Question) -> bool:
    setup = desk_of(BOOK if "dealer-school" in question.given["record"] else "iowa", 1)
    return not deal_record(read_record(question.given["record"]), setup.house).table.point


def test_dealers_do_not_overrule_the_box() -> None:
    for book in (BOOK, "new-jersey", "maryland-crapless"):
        for question in make_questions(load_drill("rulings"), desk_of(book, 4), "box", 60):
            right = question.given["choices"][question.answer["choice"]]
            if " calls no roll: " in question.ask and "does not stand" in right:
                assert question.ask.startswith(("The stickperson", "The dealer"))


def test_a_raise_of_the_dont_before_the_come_out_is_refused() -> None:
    """The clause that is cited says that a don't pass is never raised."""
    found = 0
    for level in (2, 4, 5):
        for question in make_questions(load_drill("rulings"), desk_of("iowa", level), "raise", 150):
            right = question.given["choices"][question.answer["choice"]]
            if "iowa:wagers.2.d#2" in question.cite:
                assert right.startswith(("It is refused", "Refuses it")), question
                found += 1
    assert found


def test_players_at_a_table_are_coherent() -> None:
    """On the line or against it; a number placed or bought; one size of bets; few seven-outs."""
    sevens = tables = 0
    for level in (2, 3, 4, 5):
        for question in make_questions(load_drill("calls"), desk_of(BOOK, level), "scene", 40):
            record = question.given["record"]
            sevens += sum(question.given["dice"]) == 7
            tables += 1
            by_player: dict[str, dict[str, int]] = {}
            for name, wager, amount in re.findall(
                r"^(\w+): (\S+) for (\d+)$", record, re.MULTILINE
            ):
                by_player.setdefault(name, {})[wager] = int(amount)
            for bets in by_player.values():
                assert not {"pass", "dont-pass"} <= bets.keys(), record
                for number in (4, 5, 6, 8, 9, 10):
                    same = [f"{kind}-{number}" for kind in ("place-win", "buy", "lay")]
                    assert sum(wager in bets for wager in same) <= 1, record
                flats = {bets[w] for w in ("pass", "dont-pass", "come", "dont-come") if w in bets}
                assert len(flats) <= 1, record
                if level >= 4:
                    assert all(flat >= 25 for flat in flats), record
                assert all(bets[w] >= 20 for w in bets if w.startswith(("buy", "lay"))), record
    assert sevens / tables < 0.2


@pytest.mark.parametrize("drill", ["positions", "rulings", "terms"])
def test_the_right_choice_is_at_every_index_alike(drill: str) -> None:
    """Neither its index nor its length gives the right choice away."""
    shares, longest, count = dict[tuple[int, int], int](), 0.0, 200
    chance = 0.0
    for n in range(1, count + 1):
        question = asked_nth(drill, 3, n)
        choices, right = question.given["choices"], question.answer["choice"]
        key = (right, len(choices))
        shares[key] = shares.get(key, 0) + 1
        most = max(map(len, choices))
        longest += len(choices[right]) == most and [*map(len, choices)].count(most) == 1
        chance += 1 / len(choices)
    for size in {size for _, size in shares}:
        each = [shares.get((index, size), 0) for index in range(size)]
        expected = sum(each) / size
        assert all(abs(got - expected) < 4 * math.sqrt(expected) + 1 for got in each), each
    assert longest < chance + 4 * math.sqrt(chance)


@pytest.mark.parametrize("book", ["new-jersey", "maryland-crapless", "iowa"])
def test_the_length_of_a_term_tells_nothing(book: str) -> None:
    longest, chance = 0, 0.0
    for question in make_questions(load_drill("terms"), desk_of(book, 3), "a", 120):
        choices, right = question.given["choices"], question.answer["choice"]
        lengths = [len(words) for words in choices]
        longest += lengths.count(lengths[right]) == 1 and lengths[right] == max(lengths)
        chance += 1 / len(lengths)
        assert "come-out roll" not in question.given.get("means", "")
    assert longest < chance + 2 * math.sqrt(chance), (longest, chance)


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_the_length_of_a_position_tells_nothing(level: int) -> None:
    """The right position is neither the longest nor the shortest more often than another."""
    longest = shortest = 0
    chance = 0.0
    for question in make_questions(load_drill("positions"), desk_of(BOOK, level), "long", 120):
        if "felt" in question.given:
            continue  # The choices are players.
        lengths = [len(words) for words in question.given["choices"]]
        right = lengths[question.answer["choice"]]
        longest += lengths.count(right) == 1 and right == max(lengths)
        shortest += lengths.count(right) == 1 and right == min(lengths)
        chance += 1 / len(lengths)
    assert max(longest, shortest) < chance + 2 * math.sqrt(chance), (longest, shortest, chance)


def test_a_position_is_asked_against_another_share_of_the_same_bet() -> None:
    """The name of the bet alone does not tell its position, where players have shares."""
    count = 0
    for question in make_questions(load_drill("positions"), desk_of(BOOK, 1), "shares", 40):
        choices = question.given["choices"]
        right = choices[question.answer["choice"]]
        if "share" in right:
            count += 1
            boxes = [re.sub("front|back", "", c).partition(", the ")[0] for c in choices]
            assert boxes.count(boxes[choices.index(right)]) > 1, choices
    assert count > 5


def asked_nth(drill: str, level: int, n: int) -> Question:
    """Question n of a drill, as these tests know it."""
    known, more = series(drill, level, BOOK)
    while len(known) < n:
        known.append(next(more))
    return known[n - 1]
