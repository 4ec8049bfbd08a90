"""Payoffs in chips: every worked example of the dealer school, and every cent accounted for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passline.crew.cut_payoff import (
    Payoff,
    _load_cutting,
    break_down,
    cut_payoff,
    find_laid_position,
    total_payoffs,
)
from passline.crew.motions import APRON, BANK, COME, apply_motions
from passline.game.dice.dice import OUTCOMES
from passline.game.house.house import make_house
from passline.game.law.book_files import BOOKS
from passline.game.law.clauses import list_clauses
from passline.game.law.load import rulebook
from passline.game.layout.compile import compile_layout
from passline.game.layout.settle import Throw, settle
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Settlement, Stake
from passline.game.money.chips import STANDARD_RACK
from tests.crew.racks import felt_with, in_color
from tests.layout.felts import felt, shipped

SCHOOL = "dealer-school"


def winner(
    layout: Layout, slug: str, stake: int, total: int, puck: int, match: int = 0
) -> Settlement:
    """Return the engine's settlement of a winner, in dollars."""
    wagers = {slug: Stake(stake * 100, stake * 100, call=True, match=match)}
    spot = layout.spots[slug]
    if spot.flat:
        wagers[spot.flat] = Stake(100_000, 100_000)
    index = next(i for i, faces in enumerate(OUTCOMES) if sum(faces) == total)
    done = {s.wager: s for s in settle(layout, "ann", wagers, Throw(index, total, puck))}[slug]
    assert done.result == "win"
    return done


def paid(
    slug: str, lies: str, total: int, puck: int = 0, flat: str = "", book: str = SCHOOL
) -> Payoff:
    """Return the payoff of a stack of chips, in words."""
    layout = shipped(book)
    stake = STANDARD_RACK.read(lies)
    done = winner(layout, slug, stake.amount // 100, total, puck)
    return cut_payoff(layout, done, stake, STANDARD_RACK.read(flat) if flat else None)


def motions(pay: Payoff) -> list[str]:
    return [f"{m.hand} {m.source} {m.target}: {m.chips}" for m in pay.motions]


def clause(name: str) -> pytest.MarkDecorator:
    """Return a mark for a clause of the dealer school."""
    return pytest.mark.clause(f"{SCHOOL}:{name}")


# Pass odds


@clause("pay.pass.4-10#2")
@pytest.mark.clause(f"{SCHOOL}:pay.pass.4-10#1")
def test_odds_on_four_and_ten_are_sized_into_twice() -> None:
    pay = paid("pass-odds", "4 red", 4, 4)
    assert (str(pay.chips), pay.due) == ("8 red", 4000)
    assert pay.words == "size into the odds twice, or once on each side"
    assert pay.cites == ("pay.pass.4-10#1", "pay.pass.4-10#2")
    assert motions(pay) == ["inside bank pass-odds: 8 red"]


@clause("pay.pass.5-9#2")
@pytest.mark.clause(f"{SCHOOL}:pay.pass.5-9#1")
def test_odds_on_five_and_nine_are_sized_once_and_half_bridged() -> None:
    pay = paid("pass-odds", "4 red", 9, 9)
    assert motions(pay) == ["inside bank pass-odds: 4 red", "inside bank pass-odds: 2 red"]
    assert "bridged" in pay.words
    assert "bridged" in pay.motions[1].words


@clause("pay.pass.6-8#1")
@pytest.mark.clause(f"{SCHOOL}:pay.pass.6-8#3")
def test_every_red_gets_a_red_and_a_white() -> None:
    pay = paid("pass-odds", "5 red", 6, 6)
    assert motions(pay) == ["inside bank pass-odds: 5 red", "inside bank pass-odds: 5 white"]
    assert pay.due == 3000


@clause("pay.pass.6-8#2")
def test_every_green_gets_a_green_and_a_red() -> None:
    assert str(paid("pass-odds", "3 green", 8, 8).chips) == "3 green, 3 red"
    assert str(paid("pass-odds", "1 green", 6, 6).chips) == "1 green, 1 red"


def test_half_of_an_odd_green_is_cut_in_smaller_chips() -> None:
    pay = paid("pass-odds", "1 green", 5, 5)
    assert motions(pay) == [
        "inside bank pass-odds: 1 green",
        "inside bank pass-odds: 2 red, 2 white",
    ]


def test_blacks_have_no_chip_for_a_fifth() -> None:
    assert str(paid("pass-odds", "1 black", 6, 6).chips) == "1 black, 4 red"


@clause("pay.multi-colour.1")
@pytest.mark.clause(f"{SCHOOL}:pay.multi-colour.1#1")
@pytest.mark.clause(f"{SCHOOL}:pay.multi-colour.1#2")
def test_ten_flat_thirty_odds_on_the_six() -> None:
    odds = paid("pass-odds", "1 green, 1 red", 6, 6, flat="2 red")
    assert (odds.due, str(odds.chips), odds.manner) == (3600, "1 green, 2 red, 1 white", "beside")
    assert motions(odds) == [
        "outside bank pass-odds: 1 green, 1 white",
        "inside bank pass-odds: 2 red",
    ]
    assert motions(paid("pass", "2 red", 6, 6)) == ["inside bank pass: 2 red"]


@clause("pay.multi-colour.2")
@pytest.mark.clause(f"{SCHOOL}:pay.multi-colour.2#1")
def test_ten_flat_forty_odds_on_the_nine_in_four_cheques() -> None:
    pay = paid("pass-odds", "1 green, 3 red", 9, 9, flat="2 red")
    assert (pay.due, pay.stacks, pay.manner) == (6000, (), "beside")
    assert str(pay.chips) == "2 green, 2 red"


@clause("pay.multi-colour.3")
@pytest.mark.clause(f"{SCHOOL}:pay.multi-colour.3#1")
def test_ten_flat_forty_odds_on_the_nine_in_eight_nickels() -> None:
    pay = paid("pass-odds", "8 red", 9, 9, flat="2 red")
    assert [str(stack) for stack in pay.stacks] == ["4 red", "4 red"]
    assert (str(pay.chips), pay.due) == ("2 green, 2 red", 6000)
    assert [m.words for m in pay.motions] == [
        "breaks the pass odds down into stacks of 4 red and 4 red",
        "pays 2 green, 2 red ($60) beside the pass odds",
    ]


def test_five_cheques_are_not_over_five() -> None:
    assert paid("pass-odds", "5 red", 9, 9).manner == "sized"
    assert paid("pass-odds", "6 red", 9, 9).manner == "broken-down"
    assert paid("pass-odds", "1 green, 4 red", 6, 6).manner == "beside"
    assert paid("pass-odds", "1 green, 5 red", 6, 6).manner == "broken-down"


def test_a_tall_bet_that_no_larger_chip_pays_is_sized_into() -> None:
    layout = felt(SCHOOL, elect={"limits.max": 50_000, "odds.multiple": 100})
    done = Settlement(
        player="ann",
        wager="pass-odds",
        stake=800_000,
        result="win",
        odds="2 to 1",
        paid=1_600_000,
        vig=0,
        cite="",
        back=2_400_000,
        left=0,
    )
    assert str(cut_payoff(layout, done, STANDARD_RACK.read("8 yellow")).chips) == "16 yellow"


def test_stacks_are_even_and_no_taller_than_five() -> None:
    assert [str(s) for s in break_down(STANDARD_RACK.read("1 green, 7 red"))] == [
        "1 green", "4 red", "3 red"
    ]  # fmt: skip
    assert [s.chip_count for s in break_down(STANDARD_RACK.read("11 white"))] == [4, 4, 3]


@clause("pay.total")
@pytest.mark.clause(f"{SCHOOL}:pay.total#1")
def test_odds_and_flat_may_be_totalled() -> None:
    parts = [paid("pass-odds", "8 red", 9, 9), paid("pass", "2 red", 9, 9)]
    pay = total_payoffs(shipped(SCHOOL), parts)
    assert (pay.due, str(pay.chips)) == (7000, "2 green, 4 red")
    assert motions(pay) == [
        "inside bank come: 2 green",
        "inside bank come: 4 red",
        "outside come line: 2 green, 4 red",
    ]
    assert "heels" in pay.motions[-1].words
    assert total_payoffs(shipped("iowa"), parts).cites == ("take-pay.3#3",)


# The don't side


@pytest.mark.parametrize(
    ("number", "lies", "pays"),
    [
        pytest.param(4, "4 red", "2 red", marks=clause("pay.dont-pass.4-10")),
        pytest.param(9, "1 green, 1 red", "4 red", marks=clause("pay.dont-pass.5-9")),
        pytest.param(8, "3 red, 3 white", "3 red", marks=clause("pay.dont-pass.6-8")),
    ],
)
@pytest.mark.clause(f"{SCHOOL}:pay.dont-pass.position")
def test_laid_odds_are_paid_in_front(number: int, lies: str, pays: str) -> None:
    pay = paid("dont-pass-odds", lies, 7, number)
    assert str(pay.chips) == pays
    assert "in front of" in pay.motions[0].words
    assert pay.cites == ("pay.dont-pass.order", "pay.dont-pass.position")


@clause("dont-come.example/4")
@pytest.mark.clause(f"{SCHOOL}:dont-come.example/5")
def test_a_dont_come_is_sized_into_and_set_in_the_dont_come() -> None:
    pay = paid("dont-come-5", "2 red", 7, 9)
    assert motions(pay) == [
        "inside bank dont-come-5: 2 red",
        "outside dont-come-5 dont-come: 4 red",
    ]


@pytest.mark.clause("iowa:wagers.5.d.B#2")
@pytest.mark.clause("iowa:lay/bridge")
def test_laid_odds_are_bridged_only_where_one_colour_wins_the_flat() -> None:
    red, green = STANDARD_RACK.read("2 red"), STANDARD_RACK.read("1 green")
    assert find_laid_position(red, STANDARD_RACK.read("4 red"), 1000) == "bridged"
    assert find_laid_position(red, STANDARD_RACK.read("4 red"), 1500) == "heeled"
    assert find_laid_position(red, green, 1000) == "heeled"


# Come, place, buy and the center


@clause("come.example/6")
@pytest.mark.clause(f"{SCHOOL}:come.example/7")
def test_a_come_bet_is_brought_out_and_paid_as_the_line() -> None:
    odds, flat = paid("come-odds-9", "2 red", 9, 6), paid("come-9", "2 red", 9, 6)
    assert motions(odds) == [
        "inside come-odds-9 come: 2 red",
        "inside bank come: 2 red",
        "inside bank come: 1 red",
    ]
    assert motions(flat) == ["inside come-9 come: 2 red", "inside bank come: 2 red"]


@clause("come.example/8")
@pytest.mark.clause("iowa:come/pay-in-come#2")
def test_a_player_who_cannot_reach_is_handed_the_come_bet_heeled() -> None:
    for book, cite in ((SCHOOL, "come.example/8"), ("iowa", "come/pay-in-come#2")):
        layout = shipped(book)
        pay = cut_payoff(layout, winner(layout, "come-9", 10, 9, 6), in_reach=False)
        assert (pay.motions[-1].target, pay.motions[-1].cites) == (APRON, (cite,))
        assert "heeled" in pay.motions[-1].words
        assert apply_motions({pay.wager: pay.stake}, pay.motions) == {
            APRON: STANDARD_RACK.read("4 red")
        }


@pytest.mark.parametrize(
    ("number", "lies", "pays"),
    [
        pytest.param(10, "1 red", "1 red, 4 white", marks=clause("place/4-10/example")),
        pytest.param(5, "1 red", "1 red, 2 white", marks=clause("place/5-9/example")),
        pytest.param(6, "1 red, 1 white", "1 red, 2 white", marks=clause("place/6-8/example")),
        pytest.param(4, "1 green", "1 green, 4 red", marks=clause("pay.place.4-10")),
        pytest.param(9, "1 green", "1 green, 2 red", marks=clause("pay.place.5-9")),
        pytest.param(8, "1 green, 1 red", "1 green, 2 red", marks=clause("pay.place.6-8")),
    ],
)
def test_a_place_bet_is_cut_in_the_come_and_handed_off(number: int, lies: str, pays: str) -> None:
    pay = paid(f"place-win-{number}", lies, number, 6)
    assert str(pay.chips) == pays
    assert motions(pay) == [
        *(f"inside bank come: {pile}" for pile in pays.split(", ")),
        "inside come come: no chips",
        f"outside come apron: {pays}",
    ]


@pytest.mark.clause("iowa:take-pay.6#1")
@pytest.mark.clause("iowa:take-pay.6#2")
@pytest.mark.clause("iowa:take-pay.8#1")
@pytest.mark.clause("iowa:take-pay.8#2")
@pytest.mark.clause("iowa:take-pay.8#3")
def test_iowa_cuts_one_colour_at_a_time_the_largest_nearest_the_box() -> None:
    pay = paid("eleven", "1 green", 11, book="iowa")
    assert str(pay.chips) == "3 black, 3 green"
    cuts, (prove, off) = pay.motions[:-2], pay.motions[-2:]
    assert [str(m.chips) for m in cuts] == ["3 black", "3 green"]
    assert {m.hand for m in cuts} == {"inside"}
    assert (prove.cites, prove.chips.amount) == (("take-pay.8#3",), 0)
    assert (off.hand, off.target) == ("outside", APRON)
    assert all(m.hand == "inside" for m in pay.motions if m.source == BANK and m.target == COME)


@pytest.mark.parametrize(
    ("stake", "vig", "pays"),
    [
        pytest.param(25, 1, 49, marks=clause("buy.vig/25")),
        pytest.param(50, 3, 97, marks=clause("buy.vig/50")),
        pytest.param(75, 4, 146, marks=clause("buy.vig/75")),
    ],
)
def test_a_buy_is_paid_less_its_vigorish(stake: int, vig: int, pays: int) -> None:
    layout = shipped(SCHOOL)
    pay = cut_payoff(layout, winner(layout, "buy-4", stake, 4, 6))
    assert (pay.vig, pay.due, pay.chips.amount) == (vig * 100, pays * 100, pays * 100)


def test_a_field_that_pays_double_is_sized_twice() -> None:
    assert str(paid("field", "1 red", 12).chips) == "2 red"
    assert str(paid("field", "1 red", 3).chips) == "1 red"


def test_match_play_goes_beside_the_flat() -> None:
    layout = shipped("new-jersey")
    pay = cut_payoff(layout, winner(layout, "pass", 5, 7, 0, match=1000))
    assert motions(pay) == ["inside bank pass: 1 red", "inside bank pass: 2 red"]


def test_vigorish_to_the_cent_leaves_coin() -> None:
    layout = felt("new-jersey", elect={"buy.when": "won", "buy.rounding": "exact"})
    pay = cut_payoff(layout, winner(layout, "buy-4", 25, 4, 6))
    assert (pay.due, pay.chips.amount, pay.coin) == (4875, 4800, 75)


def test_chips_that_do_not_make_the_stake_are_a_mistake() -> None:
    layout = shipped(SCHOOL)
    with pytest.raises(ValueError, match=r"1 red is not the \$10 of pass"):
        cut_payoff(layout, winner(layout, "pass", 10, 7, 0), STANDARD_RACK.read("1 red"))


# Everything


@pytest.mark.parametrize("book", BOOKS)
def test_every_winner_of_every_book_is_paid_to_the_cent(book: str) -> None:
    """For each wager, roll and point, the chips are what the engine settled and come from the
    bank.
    """
    layout, seen = shipped(book), 0
    for slug, spot in layout.spots.items():
        if spot.tiers:
            continue
        for puck in (0, 6):
            for index, verdict in enumerate(spot.tables[puck]):
                if verdict is None or verdict.result != "win":
                    continue
                total = sum(OUTCOMES[index])
                stake = max(spot.step * 3, spot.minimum)
                wagers = {slug: Stake(stake, stake, call=True)}
                (done,) = settle(layout, "ann", wagers, Throw(index, total, puck))
                pay = cut_payoff(layout, done)
                _whole(pay, done)
                seen += 1
    assert seen > 100


def _whole(pay: Payoff, done: Settlement) -> None:
    assert pay.due == done.paid - done.vig
    assert pay.chips.amount + pay.coin == pay.due
    assert pay.coin == 0
    from_bank = sum(m.amount for m in pay.motions if m.source == BANK)
    assert from_bank == pay.due
    apply_motions({pay.wager: pay.stake}, pay.motions)
    assert all(m.cites and "{" not in m.words for m in pay.motions)


@settings(max_examples=120, deadline=None)
@given(
    st.sampled_from([4, 5, 6, 8, 9, 10]),
    st.integers(1, 400),
    st.sampled_from(["white", "red", "green", "black"]),
    st.booleans(),
)
def test_any_odds_in_any_chips_are_paid_to_the_cent(
    point: int, dollars: int, colour: str, own: bool
) -> None:
    layout = felt_with("green=20", "pink=2") if own else shipped(SCHOOL)
    rack = layout.house.rack
    stake = in_color(rack, dollars * 100, colour)
    done = winner(layout, "pass-odds", dollars, point, point)
    pay = cut_payoff(layout, done, stake)
    _whole(pay, done)
    assert (pay.manner == "sized") >= (pay.stake.one_color and pay.stake.chip_count <= 5)


def test_every_clause_that_the_data_names_is_one_of_its_book() -> None:
    families = {family for book in BOOKS for family in rulebook(book).wager}
    for book in BOOKS:
        data = _load_cutting(book)
        cited = [part.cite for part in (*data.sized.values(), *data.manner.values())]
        cited += [kind.cite for kind in data.motion.values()]
        known = {clause.id for clause in list_clauses(book)}
        assert {clause for clauses in cited for clause in clauses} <= known
        assert set(data.style) <= families


def test_a_stake_that_the_rack_cannot_show_is_paid_by_hand() -> None:
    """No house that lint allows, but a study may leave the smallest chip out."""
    layout = compile_layout(make_house(rulebook(SCHOOL), given={"chips.white": False}))
    pay = cut_payoff(layout, winner(layout, "pass", 7, 7, 0))
    assert (pay.manner, str(pay.chips), pay.coin) == ("apron", "1 red", 200)


def test_less_than_even_money_is_not_sized_into() -> None:
    done = Settlement(
        player="ann",
        wager="field",
        stake=1000,
        result="win",
        odds="1 to 2",
        paid=500,
        vig=0,
        cite="",
        back=1500,
        left=0,
    )
    assert motions(cut_payoff(shipped(SCHOOL), done)) == ["inside bank field: 1 red"]
