"""Every call that the manual prints is right at its throw; a change that moves money is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from passline.crew.learner_steps import list_crew_work
from passline.crew.stick import load_style
from passline.game.dice.dice import OUTCOMES
from passline.game.law.clauses import clauses_by_id
from passline.game.table.events import Rolled
from passline.game.table.state import Table
from passline.school.drills import calls, load_drill
from passline.school.drills.calls import make_call_question
from passline.school.drills.groups import parse_figures
from passline.school.practice_tables import PracticeTable
from passline.school.question_types import DrillSetup, Grade, Question
from passline.school.question_work import replay_throw
from passline.school.questions_and_grades import grade_answer

from .test_drills import desk_of

BOOK = "dealer-school"
ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("printed_calls.tsv").read_text("utf-8").splitlines()
]


class Scene(NamedTuple):
    """A table before a throw, and the occasion that its throws can be."""

    practice: PracticeTable
    come_out: bool
    point: int
    up: frozenset[str]


#: What lies on the table, and whether a point must be made first for a come bet to be up.
BETS = {
    "bare": ("ann: pass for 10",),
    "line": ("ann: pass for 10", "bob: dont-pass for 10"),
    "dark": ("ann: dont-pass for 10", "bob: field for 5"),
    "rich": ("ann: pass for 10", "bob: dont-pass for 10", "cat: field for 5", "cat: hard-6 for 5",
             "bob: hard-4 for 5", "bob: any-craps for 5", "cat: horn for 4"),
}  # fmt: skip
COMES = ("cat: come for 10", "bob: dont-come for 10")


def say_all(practice: PracticeTable, lines: tuple[str, ...]) -> None:
    for line in lines:
        name, _, said = line.partition(": ")
        assert practice.say(name, said), line


@cache
def scenes() -> tuple[Scene, ...]:
    found = []
    for kind, bets in BETS.items():
        for point in (0, 4, 5, 6, 8, 9, 10):
            for travel in (0, 4, 9) if kind == "rich" else (0,):
                practice = PracticeTable(desk_of(BOOK, 3))
                for place, name in enumerate(("ann", "bob", "cat"), 3):
                    practice.seat(name, place)
                if travel and travel == point:
                    continue
                if travel:  # come bets go to a number before the come-out or the throw
                    say_all(practice, ("ann: pass for 10",))
                    practice.throw(4, 4) if point != 8 else practice.throw(3, 3)
                    say_all(practice, COMES)
                    practice.throw(1, travel - 1) if travel < 7 else practice.throw(4, travel - 4)
                    practice.throw(4, 4) if point != 8 else practice.throw(3, 3)
                say_all(practice, bets)
                if point:
                    practice.throw(*next(f for f in OUTCOMES if sum(f) == point))
                    say_all(practice, tuple(b for b in bets if "field" in b or "any" in b))
                    if kind in ("rich", "dark"):
                        say_all(practice, COMES if kind == "rich" else ("ann: come for 10",))
                up = frozenset(slug for seat in practice.table.seats for slug in seat.wagers)
                found.append(Scene(practice, not point, point, up))
    return tuple(found)


def occasion_fits(clause: str, scene: Scene, total: int) -> bool:
    part = clause.split(".")[2]
    if part == "come-out":
        return scene.come_out
    if scene.come_out:
        return False
    made = total == scene.point
    if part == "made" or (part == "decision" and total not in (2, 3, 7)):
        return made
    return not made


@cache
def question_of(place: int, faces: tuple[int, int]) -> Question:
    practice = scenes()[place].practice
    work = list_crew_work(*practice.preview_throw(*faces))
    return make_call_question(practice, faces, work)


def situations(clause: str) -> Iterator[tuple[Scene, Question, str]]:
    """Every scene and throw that a printed call is for, with the way that the dice came."""
    figures = parse_figures(clauses_by_id(BOOK)[clause].figures)
    total, ways = int(figures["roll"]), figures.get("way", "")
    for place, scene in enumerate(scenes()):
        for faces in OUTCOMES:
            way = "hard" if faces[0] == faces[1] else "easy"
            if sum(faces) != total or faces[0] > faces[1] or (ways and way not in ways):
                continue
            if occasion_fits(clause, scene, total):
                yield scene, question_of(place, faces), way


REPLAYED: dict[int, tuple[Table, Rolled]] = {}


@pytest.fixture(autouse=True)
def _replay_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal each question's record once, not for each of its many answers."""

    def replay(setup: DrillSetup, question: Question) -> tuple[Table, Rolled]:
        if id(question) not in REPLAYED:
            REPLAYED[id(question)] = replay_throw(setup, question)
        return REPLAYED[id(question)]

    monkeypatch.setattr(calls, "replay_throw", replay)


def mark(question: Question, call: str) -> Grade:
    return grade_answer(load_drill("calls"), desk_of(BOOK, 3), question, {"call": call})


def spell(pieces: list[str], scene: Scene, way: str) -> str:
    text = re.sub(r"[()]", "", ", ".join(pieces)).replace("{way}", way)
    return text.replace("#", str(scene.point))


@pytest.mark.parametrize(("clause", "printed"), ROWS, ids=[row[0] for row in ROWS])
def test_a_printed_call_is_right(clause: str, printed: str) -> None:
    pieces = printed.split("|")
    count = 0
    for scene, question, way in situations(clause):
        needed = [p for p in pieces if not p.startswith("(") or _behind_is_up(scene, question)]
        for said in (
            spell(pieces, scene, way),
            spell(pieces, scene, way).replace("’", "").replace("'", "").replace(",", ""),
            spell(pieces, scene, way).upper(),
            spell(needed, scene, way),
            spell([p for p in needed if not _is_about_nobody(p, scene)], scene, way),
        ):
            found = mark(question, said)
            assert found.right, (said, question.given, found.because)
            count += 1
    assert count


def _behind_is_up(scene: Scene, question: Question) -> bool:
    total = sum(question.given["dice"])
    behind = {slug for slug in scene.up if re.fullmatch(r"dont-come-\d+", slug)}
    return bool(behind if total == 7 else behind & {f"dont-come-{total}"})


def _is_about_nobody(piece: str, scene: Scene) -> bool:
    """Whether a piece is about bets that nobody has."""
    plain = piece.lower().replace("’", "").replace("'", "")
    if "come" in plain.split() or "comes" in plain.split() or "dc" in plain.split():
        return not {"come", "dont-come"} & scene.up and "field" not in plain
    if "dont" in plain or "donts" in plain:
        return "dont-pass" not in scene.up
    if "field" in plain or "bubble" in plain:
        return "field" not in scene.up and not plain[0].isdigit() and "come" not in plain
    return False


NUMBERS = [str(n) for n in range(2, 13)]
SWAPS = [
    (r"\b(single|pay|good in) the field", "double the field"),
    (r"\b(single|pay|good in) the field", "triple the field"),
    (r"\bdouble the (field|bubble)", "single the field"),
    (r"\bdouble the (field|bubble)", "triple the bubble"),
    (r"\bdouble the (field|bubble)", "pay the field"),
    (r"\bno field", "pay the field"),
    (r"\b(single|double|pay|good in) the (field|bubble)", "no field"),
    (r"\bline away", "pay the line"),
    (r"\bpay the line", "line away"),
    (r"\bpay the donts?\b", "take the donts"),
    (r"\btake the donts?\b(?! come)", "pay the donts"),
    (r"\btake the donts?\b(?! come)", "bar the donts"),
    (r"\bbar the donts?\b", "pay the donts"),
    (r"\btake the come|come away", "pay the come"),
    (r"\bpay the d(c|ont come)\b", "take the dc"),
    (r"\blast come gets? some", "take the come"),
    (r"\bpay behind", "down behind"),
    (r"\bdown behind", "pay behind"),
    (r"\bdonts? and comes travel to (the )?\d+", "take the come"),
    (r"\bwinner\b", "out"),
    (r"\b7 out\b", "7 winner"),
    (r"\beasy\b", "hard"),
    (r"\bhard\b", "easy"),
    (r"$", ", pay the fire bet"),
    (r"$", ", pay the big 8"),
    (r"$", ", take the small bonus"),
    (r"$", ", sucker bets lose"),
    (r"$", ", double the line"),
    (r"$", ", pay the any seven and any craps"),
]


@pytest.mark.parametrize(("clause", "printed"), ROWS, ids=[row[0] for row in ROWS])
def test_a_change_that_moves_money_is_wrong(clause: str, printed: str) -> None:
    for scene, question, way in list(situations(clause))[::5]:
        right = spell(printed.split("|"), scene, way).lower().replace("’", "").replace("'", "")
        assert mark(question, right).right
        for pattern, put in SWAPS:
            wrong = re.sub(pattern, put, right, count=1)
            if put == "pay the field" and "double" in right and "field" not in scene.up:
                continue  # It leaves out the multiple for a bet that nobody has.
            if wrong != right:
                assert not mark(question, wrong).right, (wrong, question.given)
        for number in re.finditer(r"\d+", right):
            for other in NUMBERS:
                if other != number[0]:
                    wrong = right[: number.start()] + other + right[number.end() :]
                    assert not mark(question, wrong).right, (wrong, question.given)


def test_every_printed_call_is_known_to_its_list() -> None:
    """The facts of each printed call are in its style, and each clause is in the file here."""
    styles = [load_style(name) for name in ("school-a", "school-b")]
    known = {clause for style in styles for clause in style.printed}
    assert known == {row[0] for row in ROWS}
    for style in styles:
        cited = {clause for order in style.order.values() for clause in order.clauses}
        assert set(style.printed) <= cited


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("eight easy eight, no field, come bet goes to the 8, don't come goes to the 8", True),
        ("8 easy 8 no field, comes and don'ts travel to the eight", True),
        ("8 easy 8 no field, comes and don'ts travel to the nine", False),
        ("8 easy 8 no field, comes and don'ts travel", True),
        ("8 easy 8 no field, come goes to the 8", False),
        ("eight easy eight, comes and don'ts travel to the 8", False),
        ("square pair, no field, comes and don'ts travel to the 8", False),
        ("8 eighter from decatur, no field, comes and don'ts travel to the 8", True),
        ("8 boxcars, no field, comes and don'ts travel to the 8", False),
    ],
)
def test_a_call_in_other_words(said: str, right: bool) -> None:
    place = next(
        n for n, s in enumerate(scenes()) if {"come", "field", "hard-6"} <= s.up and s.point == 4
    )
    assert mark(question_of(place, (3, 5)), said).right is right


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("come goes to the 8, don't come goes behind the 8", True),
        ("move the come to the 8, don't come up behind the 8", True),
        ("move the don't come behind the 8 and the come to the 8", True),
        ("come to the 8, move the don't come behind the 8 bets behind the 8 lose", True),
        ("come goes behind the 8, don't come goes behind the 8", False),
        ("move the come behind the 8, don't come goes behind the 8", False),
        ("come goes to the 8, don't come goes in front of the 8", False),
        ("come goes to the 8, move the don't come into the box of the 8", False),
        ("comes and don'ts travel to the 8, hard eight down", True),
        ("comes and don'ts travel to the 8, hardways down", False),
        ("comes and don'ts travel to the 8, all hardways lose", False),
    ],
)
def test_each_bet_travels_to_its_side_and_only_its_own_hardway_loses(
    said: str, right: bool
) -> None:
    place = next(
        n for n, s in enumerate(scenes()) if {"come", "field", "hard-6"} <= s.up and s.point == 4
    )
    found = mark(question_of(place, (3, 5)), f"8 easy 8, no field, {said}")
    assert found.right is right, found.because


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("three craps three, line away, pay the don'ts, single the field, pay any craps", True),
        ("three craps three, line away, pay the don'ts, pay the field and the horn", True),
        ("three craps three, line away, pay the don'ts, single the field", True),
        ("three craps three, line away, pay the don'ts, field pays double", False),
        ("three craps three, line away, pay the don'ts, pay the field double", False),
        ("three craps three, line away, pay the don'ts, single the field, pay the yo", False),
        ("three craps three, line away, pay the don'ts, single the field, any craps loses", False),
        ("line away, three craps three, pay the don'ts, single the field", False),
    ],
)
def test_propositions_may_be_named_if_they_are_true(said: str, right: bool) -> None:
    place = next(n for n, s in enumerate(scenes()) if s.come_out and "any-craps" in s.up)
    assert mark(question_of(place, (1, 2)), said).right is right


@pytest.mark.parametrize(
    "said",
    [
        "six was the point",
        "lay bets pay",
        "the six was the point, pass bets lose",
        "hop 4-3 wins",
        "any seven pays",
        "hardways are down",
        "paying the any seven",
        "take the horn down",
        "losers on the line",
        "take the yo eleven, take the twelve",
        "clear the midnight, no horn",
        "pay the big red",
        "high low loses",
        "take the place bet on the 8",
    ],
)
def test_what_is_true_may_be_said_in_other_words(said: str) -> None:
    place, right = _seven_out_on_six()
    assert mark(question_of(place, (3, 4)), f"{right}, {said}").right


@pytest.mark.parametrize(
    "said",
    [
        "hardways pay",
        "place bets pay",
        "any seven loses",
        "the horn is a winner",
        "paying the yo",
        "any craps flips",
        "single the any seven",
        "any seven pays double",
        "hop 3-4 lost",
        "don't pay the don'ts",
        "seven down",
        "eight was the point",
        "lay bets lose",
        "the pass line won",
        "pick up the fire bet",
        "the fire bet is paid",
        "winner on the small bonus",
        "the big 7 wins",
        "no twelve, bar the 8",
        "paying the twelve",
        "take the big red",
    ],
)
def test_what_is_false_of_a_bet_is_wrong_in_any_words(said: str) -> None:
    place, right = _seven_out_on_six()
    assert not mark(question_of(place, (3, 4)), f"{right}, {said}").right


def _seven_out_on_six() -> tuple[int, str]:
    place = next(
        n
        for n, scene in enumerate(scenes())
        if {"come", "field", "hard-6"} <= scene.up and scene.point == 6
    )
    return place, (
        "7 out, line away, no field, the point was 6, pay the donts, last come gets some, "
        "pay behind"
    )


@pytest.mark.parametrize(
    ("faces", "said", "right"),
    [
        ((3, 3), "6 hard 6, no field, puck on the six", True),
        ((3, 3), "6 hard 6, no field, put the puck on the six", True),
        ((3, 3), "6 hard 6, no field, point six", True),
        ((3, 3), "6 hard 6, no field, no point", False),
        ((3, 3), "6 hard 6, no field, puck on the nine", False),
        ((4, 5), "9 centre field 9, the point is 9, mark it", True),
        ((6, 6), "12 craps 12, line away, bar the 12, double the field", True),
        (
            (6, 6),
            "12 craps 12, line away, bar the don't pass, double the field, take the 12",
            False,
        ),
        ((1, 2), "3 craps 3, line away, pay the don'ts, the fire bet comes down", False),
        ((5, 6), "yo eleven winner, take the don'ts, pay the line, single the field", True),
    ],
)
def test_the_puck_and_numbers_that_name_bets(
    faces: tuple[int, int], said: str, right: bool
) -> None:
    place = next(n for n, s in enumerate(scenes()) if s.come_out and "any-craps" in s.up)
    assert mark(question_of(place, faces), said).right is right


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("don't come behind the 4 loses", True),
        ("don't come on the 4 down", True),
        ("don't come on the 5 loses", False),
        ("don't come bet on the 4 pays", False),
    ],
)
def test_a_bet_behind_its_number_is_named_by_the_number(said: str, right: bool) -> None:
    place = next(n for n, s in enumerate(scenes()) if "dont-come-4" in s.up and s.point == 5)
    call = f"4 easy 4, single the field, comes and don'ts travel to the 4, {said}"
    assert mark(question_of(place, (1, 3)), call).right is right


def test_a_number_that_loses_is_no_bet_but_eleven() -> None:
    place = next(
        n for n, s in enumerate(scenes()) if s.come_out and "field" in s.up and "dont-pass" in s.up
    )
    right = "11 yo 11, take the donts, pay the line, single the field"
    assert mark(question_of(place, (5, 6)), f"{right}, eleven pays").right
    assert not mark(question_of(place, (5, 6)), f"{right}, eleven loses").right
    assert not mark(question_of(place, (5, 6)), f"{right}, loser eleven").right


def test_a_bet_that_nobody_has_is_not_the_one_that_somebody_has() -> None:
    """A horn high 3 that wins is not paid by calling a horn high 12."""
    practice = PracticeTable(desk_of(BOOK, 3))
    practice.seat("ann", 3)
    say_all(practice, ("ann: pass for 10", "ann: horn-high-3 for 5"))
    question = make_call_question(practice, (1, 2), list_crew_work(*practice.preview_throw(1, 2)))
    right = "3 craps 3, line away"
    assert mark(question, f"{right}, pay the horn high ace-deuce").right
    assert not mark(question, f"{right}, pay the horn high 12").right
    assert mark(question, f"{right}, pay the any craps").right


COME_OUT_MARKS = [
    ((1, 2), "3 craps 3, line away, donts to pay, single the field", True),
    ((1, 2), "3 craps 3, line away, donts to take, single the field", False),
    ((1, 2), "3 craps 3, line away, pay the donts, quadruple the field", False),
    ((1, 2), "3 craps 3, line away, pay the donts, field doubles", False),
    ((1, 2), "3 craps 3, line away, pay the donts twice, single the field", False),
    ((1, 2), "3 craps 3, line away, pay the donts, single the field, take the come", False),
    ((3, 4), "7 winner 7, take the donts, pay the line, no field, save the odds", True),
    ((3, 4), "7 winner 7, take the donts, pay the line, sweep the field", True),
    ((3, 4), "7 winner 7, take the donts, do not pay the line, no field", False),
    ((3, 4), "7 winner 7, take the donts and don't pay the line, no field", False),
    ((3, 4), "7 winner 7, take the donts, pay the line twice, no field", False),
    ((3, 4), "7 winner 7, take the donts, pay the line, no field, pay the odds", False),
    ((3, 4), "7 winner 7, take the donts, pay the line, no field, pay the come", False),
    ((3, 4), "7 winner 7, take the donts, pay the line, no field, last come gets some", False),
    ((1, 3), "4 easy 4, good field, the point is 4, mark it", True),
    ((1, 3), "4 easy 4, flip the field, the point is 4, mark it", False),
    ((1, 3), "4 easy 4, pay the field, the point is 4, don't mark it", False),
]


@pytest.mark.parametrize(("faces", "said", "right"), COME_OUT_MARKS)
def test_a_verb_unknown_denied_or_about_no_bet_is_wrong(
    faces: tuple[int, int], said: str, right: bool
) -> None:
    place = next(n for n, s in enumerate(scenes()) if s.come_out and "any-craps" in s.up)
    assert mark(question_of(place, faces), said).right is right


def test_dont_comes_and_comes_are_joined_by_a_comma_too() -> None:
    place = next(
        n for n, s in enumerate(scenes()) if {"come", "field", "hard-6"} <= s.up and s.point == 4
    )
    question = question_of(place, (3, 5))
    assert mark(question, "8 easy 8, no field, don'ts, comes travel to the 8").right
    assert mark(question, "8 easy 8, no field, don'ts & comes travel to the 8").right
    assert not mark(question, "8 easy 8, no field, don'ts, comes travel to the 9").right


@pytest.mark.parametrize(
    ("faces", "said", "right"),
    [
        ((3, 3), "6 hard 6, no field, the point is six", False),
        ((5, 6), "eleven, take the dc, pay the field and come, the point is eleven", False),
        (
            (3, 3),
            "hard six and field loses, comes and don'ts travel to the 6, pay the hard 6",
            True,
        ),
        ((2, 4), "6 hard 6 and field down, comes and don'ts travel to the 6, hard 6 down", False),
        ((2, 4), "six easy, no field, behind the six loses, comes and don'ts travel", True),
        ((2, 4), "six easy, no field, bets behind the three lose, comes and don'ts travel", False),
        ((2, 4), "six easy, no field, pay down the hard 6, comes and don'ts travel", False),
        ((3, 6), "center field nine, pay the field, comes and don'ts travel to the 9", True),
        ((1, 4), "five no field eleven and field away, comes and don'ts travel", False),
        ((5, 6), "six five yo eleven, take the dc, field pays, come pays", True),
        ((5, 6), "five five eleven, take the dc, field pays, come pays", False),
        ((6, 6), "midnight, craps twelve and come away, 2 to 1 in the field", True),
        ((6, 6), "12 craps 12, come away, no pay on the don't come, double the field", True),
        ((6, 6), "12 craps 12, come away, double the field, no pay on the don't pass", False),
        ((6, 6), "12 craps 12, come away, take the field double", False),
        ((1, 3), "four, easy, field pays come to the four, dc to the four, hard 4 down", True),
    ],
)
def test_words_that_announce_the_number_are_no_bets(
    faces: tuple[int, int], said: str, right: bool
) -> None:
    place = next(
        n for n, s in enumerate(scenes()) if {"come", "field", "hard-6"} <= s.up and s.point == 5
    )
    if sum(faces) == 5:
        place = next(
            n for n, s in enumerate(scenes()) if {"come", "field"} <= s.up and s.point == 4
        )
    found = mark(question_of(place, faces), said)
    assert found.right is right, found.because


@pytest.mark.parametrize(
    ("faces", "said", "right"),
    [
        ((3, 4), "seven, natural, take the donts, pay the line, no field", True),
        ((1, 3), "four easy four, natural, field wins, the point is four", False),
        ((6, 6), "twelve, boxcars and line loses, bar the don'ts, double the field", True),
        ((1, 2), "craps three ace-deuce and line goes down, don'ts win, good in the field", True),
    ],
)
def test_a_come_out_in_the_words_of_the_trade(
    faces: tuple[int, int], said: str, right: bool
) -> None:
    place = next(n for n, s in enumerate(scenes()) if s.come_out and "field" in s.up)
    found = mark(question_of(place, faces), said)
    assert found.right is right, found.because


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("pay the hard 6 9 to 1", True),
        ("hard six pays nine to one", True),
        ("hard six pays 10 for 1", True),
        ("pay the hard 6 7 to 1", False),
        ("hard six pays nine for one", False),
        ("pay the hard six even money", False),
        ("pay ann's hard six, pay the odds 6 to 5, pay the line even money", True),
        ("pay the odds 3 to 2", False),
        ("pay the odds 1 to 1", False),
        ("the line pays 7 to 6", False),
        ("pay ann $45 on the hard six", True),
        ("forty-five dollars to ann, the hard six pays $45", True),
        ("hard six pays $45 to ann", True),
        ("pay ann $50 on the hard six", False),
        ("pay bob $45 on the hard six", False),
        ("pay ann $12 on the hard six", False),
        ("pay ann 12 dollars on the odds", True),
        ("line pays $10 and $12, pay ann $22 on the line and the odds", True),
    ],
)
def test_what_a_bet_is_paid_may_be_called_if_it_is_true(said: str, right: bool) -> None:
    """iowa stick.15: the payoff's amount, the bet and its player are called."""
    practice = PracticeTable(desk_of("iowa", 3))
    practice.seat("ann", 3)
    practice.seat("bob", 5)
    say_all(practice, ("ann: pass for 10", "bob: field for 5"))
    practice.throw(3, 3)
    say_all(practice, ("ann: pass-odds for 10", "ann: hard-6 for 5"))
    question = make_call_question(practice, (3, 3), list_crew_work(*practice.preview_throw(3, 3)))
    call = f"6 the hard way, front line winner, pay the pass line, pay the hard six, {said}"
    found = grade_answer(load_drill("calls"), desk_of("iowa", 3), question, {"call": call})
    assert found.right is right, found.because
