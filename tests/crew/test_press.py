"""Press moves: every move that the dealer school shows, and money and chips conserved in all
others.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passline.crew.motions import APRON, BOX, COME, MissingChipsError, apply_motions
from passline.crew.press import PRESS_METHODS, Press, compute_press, compute_win, list_manual_moves
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Refusal
from passline.game.money.chips import STANDARD_RACK, Chips, sum_chips
from passline.game.words.refusals import describe_refusal
from tests.crew.racks import felt_with, in_color
from tests.layout.felts import shipped

SCHOOL = "dealer-school"
HANDS = {"i": "inside", "o": "outside"}

#: The school's moves as its pictures go: numbers, before, after, thrown in, way, the clause, and
#: each motion: hand, from, to, and chips as g (green), r (red), w (white). Worked by hand from the
#: manual, not by the code under test.
MOVES = [
    ("6", "6>12", "", "cap off", "press.6-8/6-to-12",
     ["i bank come 1r2w", "o 6 apron 1w", "i come 6 1r2w"]),
    ("8", "12>18", "", "slide", "press.6-8/12-to-18/slide",
     ["i bank come 2r4w", "i 8 beside 1r2w", "i come beside 1w", "o beside apron 1r3w",
      "i come 8 2r3w"]),
    ("8", "12>18", "", "pick one, leave one", "press.6-8/12-to-18/pick-one-leave-one",
     ["i bank come 2r4w", "i come 8 1w", "o 8 apron 1r3w", "i come 8 2r3w"]),
    ("8", "18>24", "", "lift the cap", "press.6-8/18-to-24",
     ["i bank come 4r1w", "i come 8 1w", "i 8 hand 4w", "o 8 apron 3r", "i hand come 4w",
      "i come 8 4r4w"]),
    ("8", "24>30", "", "overpay", "press.6-8/24-to-30",
     ["i bank come 1g1r", "i 8 box 2w", "o 8 apron 4r2w", "i come 8 1g1r"]),
    ("6", "30>36", "", "add", "press.6-8/30-to-36",
     ["i bank come 1g1r5w", "i come 6 1r1w", "o come apron 1g4w"]),
    ("6 8", "6>12", "1r", "add", "press.6-and-8/6-to-12-each",
     ["i player come 1r", "i bank come 1r2w", "i come 6 1r1w", "i come 8 1r1w"]),
    ("6 8", "12>18", "", "pass across", "press.6-and-8/12-to-18-each",
     ["i bank come 2r4w", "o 6 apron 2w", "i come 8 1w", "i 8 6 1r3w", "i come 8 2r3w"]),
    ("6 8", "18>24", "", "pass across", "press.6-and-8/18-to-24-each",
     ["i bank come 3r6w", "i come 6 1w", "o 6 apron 1r4w", "i come 8 1w", "i 8 6 2r4w",
      "i come 8 3r4w"]),
    ("6 8", "24>30", "", "whole bet to the box", "press.6-and-8/24-to-30-each",
     ["i bank come 2g1r", "i 6 8 3w", "i 8 box 4r7w", "o 6 apron 3r1w", "i come 6 1g",
      "i come 8 1g1r"]),
    ("6", "6>12", "", "cap off", "press.6-8/full-press/6-to-12",
     ["i bank come 1r2w", "o 6 apron 1w", "i come 6 1r2w"]),
    ("6", "12>24", "", "cap off", "press.6-8/full-press/12-to-24",
     ["i bank come 2r4w", "o 6 apron 2w", "i come 6 2r4w"]),
    ("6", "24>48", "", "cap off", "press.6-8/full-press/24-to-48",
     ["i bank come 1g3w", "o 6 apron 4w", "i come 6 1g3w"]),
    ("6", "18>30", "", "overpay", "press.6-8/18-to-30",
     ["i bank come 1g1w", "i come 6 1w", "o 6 apron 1r4w", "i 6 box 1r", "i come 6 1g"]),
    ("6", "30>42", "", "add", "press.6-8/30-to-42",
     ["i bank come 6r5w", "i come 6 2r2w", "o come apron 4r3w"]),
    ("6", "30>42", "1r", "add", "press.6-8/30-to-42/example-2",
     ["i player come 1r", "i bank come 1g1r5w", "i come 6 2r2w", "o come apron 1g3w"]),
    ("5", "10>25", "1w", "overpay", "press.5-9/10-to-25",
     ["i player come 1w", "i bank come 1g", "i come box 1w", "i 5 box 2r", "i come 5 1g"]),
    ("9", "15>25", "", "overpay", "press.5-9/15-to-25",
     ["i bank come 1g1w", "i 9 box 1r", "i come 9 1w", "o 9 apron 2r1w", "i come 9 1g"]),
    ("5 9", "20>25", "", "whole bet to the box", "press.5-and-9/20-to-25-each",
     ["i bank come 2g3w", "i 5 9 1r", "i 9 box 5r", "i come 5 3w", "o 5 apron 3r3w",
      "i come 5 1g", "i come 9 1g"]),
]  # fmt: skip

#: Set out, over the win, to the box, to the player, in dollars: as the manual's text has them.
FIGURES = {
    "press.6-8/6-to-12": (7, 0, 0, 1),
    "press.6-8/12-to-18/slide": (14, 0, 0, 8),
    "press.6-8/12-to-18/pick-one-leave-one": (14, 0, 0, 8),
    "press.6-8/18-to-24": (21, 0, 0, 15),
    "press.6-8/24-to-30": (30, 2, 2, 22),
    "press.6-8/30-to-36": (35, 0, 0, 29),
    "press.6-and-8/6-to-12-each": (7, 0, 0, 0),
    "press.6-and-8/12-to-18-each": (14, 0, 0, 2),
    "press.6-and-8/18-to-24-each": (21, 0, 0, 9),
    "press.6-and-8/24-to-30-each": (55, 27, 27, 16),
    "press.6-8/full-press/6-to-12": (7, 0, 0, 1),
    "press.6-8/full-press/12-to-24": (14, 0, 0, 2),
    "press.6-8/full-press/24-to-48": (28, 0, 0, 4),
    "press.6-8/18-to-30": (26, 5, 5, 9),
    "press.6-8/30-to-42": (35, 0, 0, 23),
    "press.6-8/30-to-42/example-2": (35, 0, 0, 28),
    "press.5-9/10-to-25": (25, 11, 11, 0),
    "press.5-9/15-to-25": (26, 5, 5, 11),
    "press.5-and-9/20-to-25-each": (53, 25, 25, 18),
}


def chips(short: str) -> Chips:
    """Return `1g2r3w` as chips."""
    colours = {"g": "green", "r": "red", "w": "white"}
    parts = [f"{short[at]} {colours[short[at + 1]]}" for at in range(0, len(short), 2)]
    return STANDARD_RACK.read(", ".join(parts)) if parts else Chips()


def made(layout: Layout, *args: object, **more: object) -> Press:
    """Return a press that must not be refused."""
    move = compute_press(layout, *args, **more)  # type: ignore[arg-type]
    assert isinstance(move, Press), move
    return move


def shown(numbers: str, amounts: str, thrown: str, way: str | None) -> Press:
    before, after = (int(part) * 100 for part in amounts.split(">"))
    bets = {int(number): (before, after) for number in numbers.split()}
    return made(shipped(SCHOOL), bets, thrown=chips(thrown), way=way)


def marked() -> Sequence[object]:
    """Return each move with marks for its clause and the clauses of its motions."""
    by_clause = {move.cite[0]: move for move in list_manual_moves()}
    cases = []
    for case in MOVES:
        clause = case[4]
        cited = [clause, *(c for motion in by_clause[clause].motions for c in motion)]
        marks = [pytest.mark.clause(f"{SCHOOL}:{c}") for c in dict.fromkeys(cited)]
        cases.append(pytest.param(*case, id=clause, marks=marks))
    return cases


@pytest.mark.parametrize(("numbers", "amounts", "thrown", "way", "clause", "motions"), marked())
def test_a_move_of_the_dealer_school(
    numbers: str, amounts: str, thrown: str, way: str, clause: str, motions: list[str]
) -> None:
    move = shown(numbers, amounts, thrown, way)
    assert [(m.hand, m.source, m.target, m.chips) for m in move.motions] == [
        (HANDS[hand], source, target, chips(short))
        for hand, source, target, short in map(str.split, motions)
    ]
    set_out, over, to_box, to_player = (dollars * 100 for dollars in FIGURES[clause])
    assert (move.set_out.amount, move.overpaid) == (set_out, over)
    assert (move.to_box.amount, move.to_player.amount) == (to_box, to_player)
    assert clause in move.cites
    assert all(any(cite.startswith(clause) for cite in m.cites) for m in move.motions)


def test_every_move_of_the_data_is_held_by_hand() -> None:
    assert [case[4] for case in MOVES] == [move.cite[0] for move in list_manual_moves()]
    assert {case[4] for case in MOVES} == set(FIGURES)


@pytest.mark.parametrize("case", MOVES, ids=[case[4] for case in MOVES])
def test_the_schools_way_is_the_one_taken_when_none_is_asked_for(
    case: tuple[str, str, str, str, str, list[str]],
) -> None:
    numbers, amounts, thrown, way, _, _ = case
    move = shown(numbers, amounts, thrown, None)
    assert move.way == ("pick one, leave one" if way == "slide" else way)
    if way == "slide":
        assert "slide" in move.also


def test_other_books_make_the_same_move_by_custom() -> None:
    move = made(shipped("new-jersey"), {8: (2400, 3000)})
    assert str(move.set_out) == "1 green, 1 red"
    assert move.cites == ("custom: by the rule that the dealer school's press moves share",)
    handed = next(m for m in move.motions if m.target == APRON)
    assert handed.cites[0].startswith("custom: ")
    iowa = made(shipped("iowa"), {8: (2400, 3000)})
    assert next(m for m in iowa.motions if m.target == APRON).cites == ("place/hand-off",)


# Any press


def check(move: Press, layout: Layout, hit: int) -> None:
    """Check that money and chips are conserved, by sums and by making the motions one by one."""
    bets, pressed = sum_chips(move.before.values()), sum_chips(move.after.values())
    win = compute_win(layout, hit, move.before[str(hit)].amount)
    assert move.win == win
    assert move.set_out.amount - move.to_box.amount == win
    assert move.to_player.amount == win + move.thrown.amount - (pressed.amount - bets.amount)
    assert bets + move.thrown + move.set_out == pressed + move.to_player + move.to_box
    rack = set(layout.house.rack.chips)
    assert all(chip in rack for motion in move.motions for chip, _ in motion.chips.piles)
    piles = apply_motions({**move.before}, move.motions)
    ends = {**move.after, APRON: move.to_player, BOX: move.to_box, COME: Chips()}
    assert piles == {place: chips for place, chips in ends.items() if chips}
    assert all(motion.hand == "outside" for motion in move.motions if motion.target == APRON)
    assert all(motion.hand == "inside" for motion in move.motions if motion.target == BOX)
    assert all(motion.cites and "{" not in motion.words for motion in move.motions)


UNITS = {4: 500, 5: 500, 6: 600, 8: 600, 9: 500, 10: 500}
units = st.integers(1, 40)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(UNITS)), units, units, st.integers(0, 300), st.sampled_from(range(3)))
def test_any_number_from_any_amount_to_any_amount(
    number: int, before: int, after: int, thrown: int, which: int
) -> None:
    layout = (shipped(SCHOOL), shipped("new-jersey"), felt_with("green=20", "pink=2"))[which]
    unit = UNITS[number]
    move = compute_press(layout, {number: (before * unit, after * unit)}, thrown=thrown * 100)
    short = (after - before) * unit - thrown * 100 - compute_win(layout, number, before * unit)
    if isinstance(move, Refusal):
        assert short > 0
        assert f"throw in ${short // 100:,} more" in describe_refusal(move)
        return
    assert short <= 0
    check(move, layout, number)
    assert all(bet == layout.house.rack.cut(bet.amount) for bet in move.after.values())
    for way in move.also:
        other = made(layout, {number: (before * unit, after * unit)}, thrown=thrown * 100, way=way)
        check(other, layout, number)
        assert (other.set_out, other.to_box, other.to_player) == (
            move.set_out, move.to_box, move.to_player,
        )  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(
    st.permutations(sorted(UNITS)),
    st.integers(2, 6),
    st.lists(st.tuples(st.integers(1, 12), st.integers(0, 3)), min_size=6, max_size=6),
    st.integers(0, 100),
)
def test_any_numbers_together(
    numbers: list[int], count: int, amounts: list[tuple[int, int]], thrown: int
) -> None:
    layout = shipped(SCHOOL)
    bets = {
        number: (held * UNITS[number], (held + more) * UNITS[number])
        for number, (held, more) in zip(numbers[:count], amounts, strict=False)
    }
    for way in (None, *PRESS_METHODS):
        move = compute_press(layout, bets, thrown=thrown * 100, way=way)
        if isinstance(move, Press):
            check(move, layout, numbers[0])


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 20), st.integers(1, 12), st.integers(0, 4), st.data())
def test_any_chips_on_the_number(before: int, more: int, whites: int, data: st.DataObject) -> None:
    """A bet may be in more chips than necessary: all white, or some changed into a smaller
    color.
    """
    layout, amount = shipped(SCHOOL), before * 600
    colour = data.draw(st.sampled_from(["white", "red"]))
    held = in_color(STANDARD_RACK, amount, colour)
    thrown = (
        STANDARD_RACK.read(f"{whites} white, {more * 2} red")
        if whites
        else STANDARD_RACK.read(f"{more * 2} red")
    )
    move = compute_press(layout, {6: (held, amount + more * 600)}, thrown=thrown)
    if isinstance(move, Press):
        check(move, layout, 6)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([(6, 8), (8, 6), (5, 9), (4, 6)]),
    st.tuples(st.integers(1, 20), st.integers(1, 20)),
    st.tuples(st.integers(-1, 6), st.integers(-1, 6)),
    st.tuples(st.sampled_from(["white", "red", "black"]), st.sampled_from(["white", "black"])),
    st.sampled_from([0, 1, 5, 13, 60]),
)
def test_two_numbers_in_any_chips(
    numbers: tuple[int, int],
    held: tuple[int, int],
    more: tuple[int, int],
    colours: tuple[str, str],
    thrown: int,
) -> None:
    layout, bets = shipped(SCHOOL), {}
    for number, count, extra, colour in zip(numbers, held, more, colours, strict=True):
        chips = in_color(STANDARD_RACK, count * UNITS[number], colour)
        bets[number] = (chips, max(count + extra, 1) * UNITS[number])
    for way in (None, *PRESS_METHODS):
        move = compute_press(layout, bets, thrown=thrown * 100, way=way)
        if isinstance(move, Press):
            check(move, layout, numbers[0])
            assert move.press == sum(after - chips.amount for chips, after in bets.values())


@pytest.mark.parametrize(
    ("first", "second"), [((2400, 3000), (600, 2400)), ((3000, 3000), (600, 3000))]
)
def test_two_bets_that_cannot_fill_each_other_go_through_the_come(
    first: tuple[int, int], second: tuple[int, int]
) -> None:
    layout = shipped(SCHOOL)
    move = made(layout, {6: first, 8: second})
    assert move.way == "through the come"
    check(move, layout, 6)


def test_crapless_numbers_are_pressed_too() -> None:
    layout = shipped("maryland-crapless")
    move = made(layout, {2: (1000, 2000)})
    assert move.win == 5500
    check(move, layout, 2)


# Refusals


@pytest.mark.parametrize(
    ("bets", "thrown", "reason"),
    [
        ({7: (600, 1200)}, 0, "7 is no place number here"),
        ({6: (600, 2400)}, 0, "the win is $7: the player must throw in $11 more for this press"),
        ({6: (600, 1250)}, 0, "$12.50 is not a multiple of the smallest chip, $1"),
        ({6: (600, 1200)}, 50, "$0.50 is not a multiple of the smallest chip, $1"),
    ],
)
def test_what_is_no_press(bets: dict[int, tuple[int, int]], thrown: int, reason: str) -> None:
    refused = compute_press(shipped(SCHOOL), bets, thrown=thrown)
    assert isinstance(refused, Refusal)
    assert describe_refusal(refused) == reason


def test_amounts_that_the_house_does_not_take() -> None:
    refused = compute_press(shipped("new-jersey"), {6: (700, 1200)})
    assert isinstance(refused, Refusal)
    assert refused.cite == "19:47-1.4(f)"
    over = compute_press(shipped(SCHOOL), {6: (600, 600_000)})
    assert isinstance(over, Refusal)
    assert "5,000" in describe_refusal(over)


def test_chips_that_are_not_in_the_rack() -> None:
    strange = felt_with("pink=2").house.rack.read("3 pink")
    refused = compute_press(shipped(SCHOOL), {6: (strange, 1200)})
    assert isinstance(refused, Refusal)
    assert describe_refusal(refused) == "there is no such chip in the rack: pink"


def test_a_way_that_does_not_fit() -> None:
    refused = compute_press(shipped(SCHOOL), {6: (600, 1200)}, way="overpay")
    assert isinstance(refused, Refusal)
    assert describe_refusal(refused).startswith("this press is not made by 'overpay': cap off")
    unknown = compute_press(shipped(SCHOOL), {6: (600, 1200)}, way="juggle")
    assert isinstance(unknown, Refusal)


def test_a_motion_lifts_only_what_lies_there() -> None:
    move = made(shipped(SCHOOL), {6: (600, 1200)})
    with pytest.raises(MissingChipsError, match="there is no chips on 6"):
        apply_motions({}, move.motions)
