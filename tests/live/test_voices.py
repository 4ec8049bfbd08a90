"""Clauses of procedure that a live table holds people to, where they hold the posts: who does a
thing, who never does, and what the table refuses whoever asks; each by the clause it cites."""

from __future__ import annotations

from typing import get_args

import pytest

from passline.game.law.book_files import BOOKS
from passline.game.law.duties import find_act_rules, find_enforced_procedures
from passline.game.table import commands as cmd
from passline.live.permissions import load_matrix
from tests.live.floor import EVERY_POST, Floor

pytestmark = pytest.mark.anyio

CREW = ("operator", *EVERY_POST)


async def floor_of(rulebook: str, game: str = "", **asked: str) -> Floor:
    floor = Floor()
    await floor.open(rulebook, game=game, posts=EVERY_POST, dice="typed", **asked)
    await floor.sit("ann", place=1)
    await floor.sit("bob", place=9)
    await floor.taken("ann", "pass for 10")
    return floor


def claimed(book: str, *clauses: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.clause(f"{book}:{clause}") for clause in clauses]


#: By rulebook and game: a line, who of the crew may say it, the clauses that give it to them, and
#: the one that the others are told. Written out by hand from the clauses.
VOICES = [
    ("iowa", "", "dice out", {"stick"}, ["stick.2#1"]),
    ("iowa", "", "dice back", {"stick"}, ["stick.intro.1#2"]),
    ("iowa", "", "dice in the air", {"stick"}, ["stick.intro.1#2"]),
    ("iowa", "", "roll 3 4", {"stick"}, ["stick.6#1"]),
    ("iowa", "", "call it", {"stick"}, ["stick.6#5"]),
    ("iowa", "", "ann changes 25 to green", {"left-base"}, ["base.2#1"]),
    ("iowa", "", "recall dice out-of-sight", {"floor", "operator"}, ["dice-inspection.6.1"]),
    ("iowa", "", "new dice damage", {"floor", "operator"}, ["dice-inspection.5#1"]),
    ("dealer-school", "", "dice out", {"stick"}, ["stick.9#2", "stick.10#2"]),
    ("dealer-school", "", "dice back", {"stick"}, ["stick.9#2", "stick.10#2"]),
    ("dealer-school", "", "dice in the air", {"stick"}, ["stick.9#2"]),
    ("dealer-school", "", "die lost", {"stick"}, ["stick.9#2"]),
    ("dealer-school", "", "die found", {"stick"}, ["stick.27"]),
    ("dealer-school", "", "roll 3 4", {"stick"}, ["stick.2#2"]),
    ("dealer-school", "", "call it", {"stick"}, ["calling.14#1"]),
    ("new-jersey", "craps", "dice out", {"stick"}, ["19:47-1.7(a)#3"]),
    ("new-jersey", "mini-craps", "dice out", {"stick"}, ["19:47-1.7(a)#3"]),
    ("new-jersey", "craps", "dice back", {"stick"}, ["19:47-1.7(a)#3"]),
    ("new-jersey", "craps", "roll 3 4", {"stick"}, ["19:47-1.10(a)#1"]),
    ("new-jersey", "mini-craps", "roll 3 4", {"stick", "left-base"}, ["19:47-1.10(a)#1"]),
    ("new-jersey", "craps", "bob declines the dice", {"stick"}, ["19:47-1.7(b)1#1"]),
    (
        *("new-jersey", "mini-craps", "bob declines the dice"),
        *({"stick", "left-base"}, ["19:47-1.7(b)2#1"]),
    ),
    ("section-2", "craps", "dice out", {"stick"}, ["2(g)(1)#3"]),
    ("section-2", "mini-craps", "dice in the air", {"stick"}, ["2(g)(1)#3"]),
    ("section-2", "craps", "roll 3 4", {"stick"}, ["2(j)(1)#1"]),
    ("section-2", "mini-craps", "roll 3 4", {"stick", "left-base"}, ["2(j)(1)#1"]),
    ("section-2", "craps", "ann passes the dice", {"stick"}, ["2(k)(3)#1"]),
    ("section-2", "mini-craps", "ann passes the dice", {"stick", "left-base"}, ["2(k)(3)#1"]),
    ("maryland-crapless", "", "dice out", {"stick"}, ["9.F(1)#2"]),
    ("maryland-crapless", "", "dice back", {"stick"}, ["7.A(1)"]),
    ("maryland-crapless", "", "roll 3 4", {"stick"}, ["9.A"]),
    ("maryland-crapless", "", "ann takes the dice", {"stick"}, ["7.B(1)(a)"]),
]


@pytest.mark.parametrize(
    ("book", "game", "line", "whose", "cite"),
    [
        pytest.param(*row[:4], row[4][0], marks=claimed(row[0], *row[4]), id="-".join(row[:3]))
        for row in VOICES
    ],
)
async def test_an_act_is_theirs_whom_the_clause_names(
    book: str, game: str, line: str, whose: set[str], cite: str
) -> None:
    floor = await floor_of(book, game)
    found: set[str] = set()
    for role in CREW:
        if await floor.code(role, line) == "done":
            found.add(role)
            continue
        wrong = await floor.error(role, line)
        gone = game == "mini-craps" and role in ("box", "right-base")
        gone |= line.startswith("ann changes") and role == "right-base"  # not of her end
        assert (wrong.code, wrong.cite == cite or gone) == ("forbidden", True), (role, wrong.cite)
    assert found == whose


@pytest.mark.clause("dealer-school:stick.7")
@pytest.mark.parametrize(
    "line", ["ann buys in 100", "cal joins for 100", "ann colours up", "ann changes 25 to green"]
)
async def test_the_stick_hands_out_no_cheques(line: str) -> None:
    floor = await floor_of("dealer-school")
    wrong = await floor.error("stick", line)
    assert (wrong.code, wrong.cite) == ("forbidden", "stick.7")
    await floor.taken("box", line)


@pytest.mark.clause("dealer-school:base.9.b")
async def test_disputes_go_to_the_box() -> None:
    floor = await floor_of("dealer-school")
    for role in ("left-base", "right-base"):
        wrong = await floor.error(role, "ruling 3 4 by boxperson")
        assert (wrong.code, wrong.cite) == ("forbidden", "base.9.b")
    await floor.taken("box", "ruling 3 4 by boxperson")


@pytest.mark.clause("iowa:base.1")
async def test_base_dealers_book_what_is_bet_at_their_own_end() -> None:
    floor = await floor_of("iowa")
    await floor.taken("left-base", "ann: field for 5")
    for role in ("right-base", "stick"):
        wrong = await floor.error(role, "ann: field for 5")
        assert (wrong.code, wrong.cite) == ("forbidden", "base.1")
    await floor.taken("right-base", "bob: field for 5")


@pytest.mark.clause("iowa:stick.6#4")
@pytest.mark.clause("iowa:stick.6#5")
async def test_dice_that_the_stick_cannot_see_are_called_by_others_once_asked() -> None:
    floor = await floor_of("iowa")
    wrong = await floor.error("right-base", "roll 3 4")
    assert (wrong.code, wrong.cite) == ("forbidden", "stick.6#1")
    await floor.taken("stick", "Call it!")
    assert (await floor.error("box", "roll 1 3")).code == "forbidden"
    await floor.taken("right-base", "roll 1 3")
    assert (await floor.error("floor", "roll 2 3")).code == "forbidden"
    await floor.taken("stick", "call it")
    await floor.taken("floor", "roll 2 3")
    await floor.hold()


@pytest.mark.clause("dealer-school:calling.14#1")
@pytest.mark.clause("dealer-school:calling.15.e")
@pytest.mark.clause("dealer-school:calling.15.f")
async def test_in_doubt_the_stick_has_the_base_dealer_or_the_box_call() -> None:
    floor = await floor_of("dealer-school")
    assert (await floor.error("box", "roll 1 3")).cite == "stick.2#2"
    await floor.taken("stick", "call it")
    assert (await floor.error("floor", "roll 1 3")).cite == "stick.2#2"
    await floor.taken("left-base", "roll 1 3")
    await floor.taken("stick", "call it")
    await floor.taken("box", "roll 2 3")


@pytest.mark.parametrize(
    ("book", "cite"),
    [
        pytest.param("iowa", "stick.6#2", marks=claimed("iowa", "stick.6#2")),
        pytest.param("dealer-school", "calling.7#1", marks=claimed("dealer-school", "calling.7#1")),
    ],
)
async def test_no_call_before_both_dice_rest(book: str, cite: str) -> None:
    """Where the house throws them, faces are what they show: nobody calls or rules them ahead."""
    floor = await Floor().open(book, posts=EVERY_POST)
    await floor.sit("ann", place=1)
    await floor.taken("ann", "pass for 10")
    await floor.taken("stick", "dice out")
    official = "floor" if book == "iowa" else "box"
    for role, line in (("stick", "roll 3 4"), (official, "ruling 3 4 by boxperson")):
        wrong = await floor.error(role, line)
        assert (wrong.code, wrong.cite) == ("forbidden", cite)
    await floor.taken("ann", "roll")


@pytest.mark.parametrize(
    ("book", "cite"),
    [
        pytest.param("iowa", "stick.6#3", marks=claimed("iowa", "stick.6#3")),
        pytest.param("dealer-school", "calling.7#2", marks=claimed("dealer-school", "calling.7#2")),
    ],
)
async def test_dice_in_the_air_stay_untouched_until_called(book: str, cite: str) -> None:
    floor = await floor_of(book)
    await floor.taken("stick", "dice in the air")
    orders = "supervisor" if book == "iowa" else "boxperson"
    for role, line in (
        ("stick", "dice back"),
        ("floor", "inspect dice"),
        ("floor", "recall dice out-of-sight"),
        ("stick", "ann passes the dice"),
        ("floor" if book == "iowa" else "box", f"{orders} orders ann to pass for delay"),
        ("ann", "pass the dice"),
        ("ann", "decline"),
        ("ann", "new dice"),
    ):
        wrong = await floor.error(role, line)
        assert (wrong.code, wrong.cite) == ("forbidden", cite), (line, wrong)
    assert (
        await floor.error("stick", "roll 3")
    ).code == "not_understood"  # no line calls one die alone
    await floor.taken("stick", "roll 3 3")
    await floor.taken("floor", "inspect dice")
    await floor.taken("ann", "pass the dice")
    await floor.hold()


POINTS = ("1 3", "1 4", "1 5", "4 4", "4 5", "4 6")


async def shot_out(posts: dict[str, str], dice: str = "typed") -> Floor:
    """A table at which ann has made all six points; the bonus was hit."""
    floor = await Floor().open("iowa", posts=posts, dice=dice, elections={"offers.shootout": True})
    await floor.sit("ann", place=1)
    await floor.taken("ann", "pass for 10")
    for point in POINTS:
        await floor.taken("stick", f"roll {point}")
        await floor.taken("stick", f"roll {point}")
    return floor


@pytest.mark.clause("iowa:shootout.4#1")
@pytest.mark.clause("iowa:shootout.5")
async def test_play_halts_on_a_hit_until_the_floor_has_looked_at_the_dice() -> None:
    floor = await shot_out(EVERY_POST)
    for line in ("dice out", "dice in the air", "roll 3 4"):
        wrong = await floor.error("stick", line)
        assert (wrong.code, wrong.cite) == ("forbidden", "shootout.4#1")
    await floor.taken("floor", "inspect dice")
    await floor.taken("stick", "roll 1 3")
    await floor.hold()


async def test_a_machine_on_the_floor_looks_at_once() -> None:
    floor = await shot_out({"stick": "person"})
    await floor.tend()
    assert (await floor.lines())[-1] == "inspect dice by supervisor"
    floor = await shot_out({"stick": "person"})
    await floor.taken("stick", "roll 1 3")


async def test_nobody_is_asked_to_call_where_the_book_has_no_such_thing() -> None:
    floor = await floor_of("new-jersey")
    assert (await floor.error("stick", "call it")).code == "not_understood"


@pytest.mark.clause("iowa:box.3#1")
@pytest.mark.clause("iowa:box.3#2")
async def test_the_boxperson_verifies_what_is_asked_of_the_box() -> None:
    floor = await Floor().open("iowa", posts=EVERY_POST, buy_ins="box")
    await floor.sit("ann", place=1)
    for line in ("ann joins for 500 at 1", "ann buy-in declined"):
        wrong = await floor.error("left-base", line)
        assert (wrong.code, wrong.cite) == ("forbidden", "box.3#1")
    await floor.taken("box", "ann joins for 500 at 1")
    await floor.taken("left-base", "bob joins for 100 at 2")  # who pays a dealer asks nobody


REFUSED = [
    ("iowa", "relief.stick.3", ["stick: dice out"], "floor: kim relieves the stickperson"),
    ("iowa", "relief.base.2", ["stick: dice out"], "floor: kim relieves the left base dealer"),
    ("iowa", "relief.box.1#1", ["stick: dice out"], "floor: kim relieves the boxperson"),
    ("iowa", "relief.box.1#2", ["floor: kim relieves the boxperson"], "stick: dice out"),
    ("iowa", "change.1.c#2", ["stick: dice out"], "left-base: ann changes 25 to green"),
    ("iowa", "change.2#1", ["left-base: ann asks to colour up"], "box: ann colours up"),
    (
        "iowa",
        "change.2#1",
        ["left-base: ann asks to colour up"],
        "box: boxperson permits ann to colour up",
    ),
    ("iowa", "dice-inspection.intro#2", [], "stick: inspect dice"),
    ("iowa", "dice-inspection.2#1", [], "floor: inspect dice serial 4411"),
    ("iowa", "dice-inspection.5#2", ["stick: dice out"], "floor: new dice damage"),
    (
        *("iowa", "dice-inspection.5#3"),
        [
            "floor: inspect dice 0.7502 0.7510 0.7511 0.7500 0.7575 serial 4411",
            "floor: new dice damage serial 4411",
            "floor: inspect dice 0.7502 0.7510 0.7511 0.7500 0.7575 serial 4412",
            "floor: new dice damage serial 4412",
        ],
        "floor: cancel dice 4411 on 3",
    ),
    ("iowa", "stick.19#3", ["stick: no roll off-table", "stick: die found"], "stick: dice out"),
    ("iowa", "stick.19#3", ["stick: no roll off-table", "stick: die found"], "box: inspect dice"),
    ("iowa", "dead-game.2#2", ["ann: all down", "box: dead game"], "stick: dice out"),
    (
        "dealer-school",
        "stick.23.b",
        ["stick: no roll off-table", "stick: die found"],
        "stick: dice out",
    ),
    ("dealer-school", "stick.11.a", ["ann: all down", "box: dead game"], "stick: dice out"),
    (
        *("maryland-crapless", "7.E"),
        ["floor: clock 2030-01-01 09:00", "floor: clock 2030-01-02 09:00"],
        "stick: dice out",
    ),
    (
        *("maryland-crapless", "7.F(1)"),
        ["ann: all down", "floor: table closes", "floor: table opens", "ann: pass for 10"],
        "stick: dice out",
    ),
    (
        "maryland-crapless",
        "7.F(2)",
        ["stick: no roll off-table", "stick: die lost"],
        "stick: dice out",
    ),
    ("maryland-crapless", "7.F(3)", ["floor: inspect dice flaw tampering"], "stick: roll 3 3"),
    ("maryland-crapless", "7.F(4)", ["floor: inspect dice flaw chipped"], "stick: roll 3 3"),
]


@pytest.mark.parametrize(
    ("book", "clause", "before", "line"),
    [
        pytest.param(*row, marks=claimed(*row[:2]), id="-".join((*row[:2], row[3])))
        for row in REFUSED
    ],
)
async def test_what_the_table_refuses_whoever_asks(
    book: str, clause: str, before: list[str], line: str
) -> None:
    floor = await floor_of(book)
    for one in before:
        await floor.taken(*one.split(": ", 1))
    assert await floor.cited(*line.split(": ", 1)) == clause
    for one in THEN.get((book, clause), ()):
        await floor.taken(*one.split(": ", 1))
    await floor.hold()


#: What mends it, by whom the clause names.
THEN = {
    ("iowa", "change.2#1"): ["floor: supervisor permits ann to colour up"],
    ("iowa", "dice-inspection.intro#2"): ["floor: inspect dice"],
    ("iowa", "dice-inspection.5#3"): ["floor: cancel dice 4411 on 4"],
    ("iowa", "stick.19#3"): ["floor: inspect dice", "stick: dice out"],
    ("dealer-school", "stick.23.b"): ["box: inspect dice", "stick: dice out"],
}


@pytest.mark.parametrize(
    "book",
    [
        pytest.param("iowa", marks=claimed("iowa", "dead-game.2#2")),
        pytest.param("dealer-school", marks=claimed("dealer-school", "stick.11.a")),
    ],
)
async def test_a_dead_game_has_all_five_dice_in_the_bowl(book: str) -> None:
    floor = await floor_of(book)
    await floor.taken("ann", "all down")
    await floor.taken("box", "dead game")
    assert (await floor.log())[-1].events[-1]["dice"] == 5


def clauses_of(test: object) -> set[str]:
    """The clauses that a test of this file is marked with, by itself or by its parameters."""
    marks = list(getattr(test, "pytestmark", ()))
    for mark in [mark for mark in marks if mark.name == "parametrize"]:
        marks += [own for values in mark.args[1] for own in getattr(values, "marks", ())]
    found = [getattr(mark, "mark", mark) for mark in marks]
    return {mark.args[0] for mark in found if mark.name == "clause"}


def test_every_clause_that_is_held_at_the_posts_is_tried_here() -> None:
    tests = [test for name, test in globals().items() if name.startswith("test_")]
    tried = {clause for test in tests for clause in clauses_of(test)}
    # The other occasions of one rule, which the first is cited for.
    also = {"iowa:dice-inspection.6.2", "iowa:dice-inspection.6.3", "iowa:dice-inspection.3#2"}
    held = {f"{book}:{clause}" for book in BOOKS for clause in find_enforced_procedures(book)}
    assert held - tried == also
    assert tried <= held


def test_acts_are_commands_or_what_only_a_live_table_has() -> None:
    tags = {str(kind.__struct_config__.tag) for kind in get_args(cmd.AnyCommand)}
    known = tags | set(load_matrix().calls.values()) | {"turn-down"}
    for book in BOOKS:
        for act in known:
            for voice in find_act_rules(book, "craps", act):
                assert set(voice.acts) <= known
                assert sum(map(bool, (voice.by, voice.never, voice.within, voice.until))) == 1
