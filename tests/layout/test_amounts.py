"""How much a wager may hold: chips, limits, odds behind a flat, what can be paid exactly."""

from __future__ import annotations

import pytest

from passline.game.layout import wager_checks
from passline.game.layout.odds_limits import find_odds_cap
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Refusal, Stake
from passline.game.layout.wager_checks import Moment
from passline.game.money.amounts import parse_dollars
from passline.game.words.refusals import describe_refusal
from tests.layout.felts import felt


def asked(
    layout: Layout, slug: str, dollars: str, flat: dict[str, int] | None = None, puck: int = 0
) -> Refusal | None:
    """Whether a wager of so many dollars may be made beside these flats."""
    spot = wager_checks.find_spot(layout, slug)
    assert not isinstance(spot, Refusal)
    wagers = {s: Stake(d * 100, d * 100) for s, d in (flat or {}).items()}
    return wager_checks.check_new_wager(layout, spot, Moment(puck), wagers, parse_dollars(dollars))


def cite(refusal: Refusal | None) -> str:
    assert refusal is not None
    return refusal.cite


# Chips and limits


def test_a_wager_is_made_in_whole_chips() -> None:
    assert cite(asked(felt(), "pass", "10.50")).startswith("custom: ")
    assert asked(felt(elect={"limits.smallest_chip": "0.50"}), "pass", "10.50") is None


@pytest.mark.parametrize(
    ("slug", "least"), [("pass", 5), ("field", 5), ("hard-8", 1), ("hop-1-6", 1), ("horn", 4)]
)
def test_a_wager_meets_its_minimum(slug: str, least: int) -> None:
    assert asked(felt(), slug, str(least)) is None
    if least > 1:
        refusal = asked(felt(), slug, str(least - 1))
        assert refusal is not None
        assert f"at least ${least}" in describe_refusal(refusal)


@pytest.mark.parametrize(
    ("slug", "most", "clause"),
    [
        ("pass", 500, "max.1"),
        ("place-win-4", 500, "max.3/4-10"),
        ("place-win-6", 600, "max.3/6-8"),
        ("hard-6", 200, "max.7"),
        ("any-seven", 400, "max.8"),
        ("craps-2", 50, "max.9/high"),
        ("eleven", 100, "max.9/low"),
        ("any-craps", 5000, "max.intro"),
        ("horn", 200, "max.9/high"),
    ],
)
def test_iowa_prints_each_wagers_maximum(slug: str, most: int, clause: str) -> None:
    layout = felt("iowa")
    step = 4 if slug == "horn" else 1
    assert asked(layout, slug, str(most)) is None
    assert cite(asked(layout, slug, str(most + step))) == clause


def test_a_lower_table_maximum_goes_before_the_printed_one() -> None:
    layout = felt("iowa", elect={"limits.max": 300})
    assert asked(layout, "pass", "300") is None
    assert cite(asked(layout, "pass", "301")) == "max.intro"
    assert cite(asked(layout, "hard-6", "201")) == "max.7"


def test_a_house_sets_limits_by_wager() -> None:
    layout = felt(elect={"limits.max_by_wager": {"pass": 100}, "limits.min_by_wager": {"pass": 20}})
    assert asked(layout, "pass", "20") is None
    assert asked(layout, "pass", "100") is None
    assert asked(layout, "pass", "19") is not None
    assert asked(layout, "pass", "101") is not None


def test_a_book_may_take_wagers_past_the_limits() -> None:
    but = {"stakes/under_min/is": "accept", "stakes/over_max/is": "accept"}
    layout = felt(but=but)
    assert asked(layout, "pass", "1") is None
    assert asked(layout, "pass", "6000") is None


# What can be paid exactly


@pytest.mark.parametrize(
    ("slug", "good", "bad", "near"),
    [
        ("place-win-6", "12", "10", "$6 or $12"),
        ("place-win-5", "10", "12", "$10 or $15"),
        ("place-lose-4", "11", "12", "$11 or $22"),
        ("buy-6", "10", "11", "$10 or $15"),
        ("buy-5", "10", "11", "$10 or $12"),
        ("lay-6", "12", "10", "$6 or $12"),
        ("field", "7", "", ""),
    ],
)
def test_the_law_books_refuse_a_stake_that_cannot_be_paid(
    slug: str, good: str, bad: str, near: str
) -> None:
    assert asked(felt(), slug, good) is None
    if bad:
        refusal = asked(felt(), slug, bad)
        assert refusal is not None
        assert near in describe_refusal(refusal)


def test_below_the_first_amount_that_pays_only_that_is_named() -> None:
    refusal = asked(felt(elect={"limits.min": 1}), "place-win-6", "5")
    assert refusal is not None
    assert describe_refusal(refusal) == "place 6 cannot be paid on $5: $6 can"
    assert refusal.cite == "19:47-1.4(f)"


def test_true_odds_wagers_pay_exactly_by_custom() -> None:
    assert cite(asked(felt(), "buy-6", "11")).startswith("custom: ")


@pytest.mark.parametrize("book", ["iowa", "dealer-school"])
def test_the_manuals_take_it_and_pay_it_rounded_down(book: str) -> None:
    assert asked(felt(book), "place-win-6", "10") is None


# Odds behind a flat


@pytest.mark.parametrize(
    ("point", "multiple", "cap"),
    [(4, 1, 10), (5, 1, 10), (6, 1, 10), (4, 10, 100), (6, "3-4-5", 50), (5, "3-4-5", 40)],
)
def test_taken_odds_go_by_their_stake(point: int, multiple: int | str, cap: int) -> None:
    layout = felt(elect={"odds.multiple": multiple})
    assert asked(layout, "pass-odds", str(cap), {"pass": 10}, point) is None
    step = {4: 1, 5: 2, 6: 5}[point]
    assert cite(asked(layout, "pass-odds", str(cap + step), {"pass": 10}, point)) == (
        "19:47-1.6(a)#2"
    )


@pytest.mark.clause("new-jersey:19:47-1.6(f)")
@pytest.mark.parametrize(("flat", "point", "cap"), [(5, 5, 6), (7, 6, 10), (11, 9, 12)])
def test_a_stake_passes_the_limit_up_to_the_next_amount_that_pays(
    flat: int, point: int, cap: int
) -> None:
    layout = felt()
    wagers = {"pass": Stake(flat * 100, flat * 100)}
    assert find_odds_cap(layout, layout.spots["pass-odds"], point, wagers) == cap * 100


def test_where_the_book_does_not_say_so_it_does_not() -> None:
    layout = felt(but={"odds/fit/is": False})
    wagers = {"pass": Stake(500, 500)}
    assert find_odds_cap(layout, layout.spots["pass-odds"], 5, wagers) == 500


@pytest.mark.parametrize(("point", "cap"), [(4, 20), (5, 15), (6, 12), (8, 12), (9, 15), (10, 20)])
def test_laid_odds_go_by_what_they_win(point: int, cap: int) -> None:
    layout = felt()
    wagers = {"dont-pass": Stake(1000, 1000)}
    assert find_odds_cap(layout, layout.spots["dont-pass-odds"], point, wagers) == cap * 100


@pytest.mark.parametrize(("point", "cap"), [(4, 200), (5, 150), (6, 120)])
def test_iowa_prints_how_many_times_may_be_laid(point: int, cap: int) -> None:
    layout = felt("iowa")
    flat = {"dont-pass": 10}
    clause = {4: "max.2.b/4-10", 5: "max.2.b/5-9", 6: "max.2.b/6-8"}[point]
    assert asked(layout, "dont-pass-odds", str(cap), flat, point) is None
    assert cite(asked(layout, "dont-pass-odds", str(cap + 6), flat, point)) == clause


def test_an_elected_multiple_is_not_cited_by_the_printed_one() -> None:
    layout = felt("iowa", elect={"odds.multiple": 2})
    assert asked(layout, "pass-odds", "20", {"pass": 10}, 4) is None
    assert cite(asked(layout, "pass-odds", "21", {"pass": 10}, 4)).startswith("custom: ")


def test_the_school_prints_each_numbers_own_multiple() -> None:
    layout = felt("dealer-school")
    refusal = asked(layout, "pass-odds", "31", {"pass": 10}, 4)
    assert cite(refusal) == "odds-limit/4-10"
    # Nothing is printed for laid odds: the wager's own clause limits them.
    laid = asked(layout, "dont-pass-odds", "62", {"dont-pass": 10}, 4)
    assert cite(laid) == layout.spots["dont-pass-odds"].rule.limited_by  # type: ignore[attr-defined]


def test_come_odds_go_by_their_own_number() -> None:
    layout = felt()
    assert asked(layout, "come-odds-6", "10", {"come-6": 10}, 4) is None
    assert cite(asked(layout, "come-odds-6", "11", {"come-6": 10}, 4)) == "19:47-1.6(c)#2"


def test_odds_keep_within_the_posted_maximum() -> None:
    layout = felt(elect={"odds.multiple": 100, "limits.max": 50})
    assert asked(layout, "pass-odds", "50", {"pass": 10}, 4) is None
    refusal = asked(layout, "pass-odds", "51", {"pass": 10}, 4)
    assert cite(refusal) == "19:47-1.6(f)"
    assert refusal is not None
    assert describe_refusal(refusal) == "pass odds takes at most $50"


def test_an_amount_that_the_flat_just_allows_is_held_by_the_posted_maximum() -> None:
    layout = felt(elect={"odds.multiple": 10, "limits.max": 50})
    assert cite(asked(layout, "pass-odds", "100", {"pass": 10}, 4)) == "19:47-1.6(f)"
    assert cite(asked(layout, "pass-odds", "101", {"pass": 10}, 4)) == "19:47-1.6(a)#2"


def test_in_iowa_they_do_not() -> None:
    layout = felt("iowa", elect={"limits.max": 50})
    assert asked(layout, "pass-odds", "100", {"pass": 10}, 4) is None


def test_a_house_limits_odds_by_wager() -> None:
    layout = felt(
        "iowa",
        elect={"limits.max_by_wager": {"pass-odds": 60}, "limits.min_by_wager": {"pass-odds": 20}},
    )
    assert asked(layout, "pass-odds", "20", {"pass": 10}, 4) is None
    assert asked(layout, "pass-odds", "60", {"pass": 10}, 4) is None
    assert asked(layout, "pass-odds", "61", {"pass": 10}, 4) is not None
    refusal = asked(layout, "pass-odds", "19", {"pass": 10}, 4)
    assert refusal is not None
    assert describe_refusal(refusal) == "pass odds takes at least $20"


def test_odds_that_cannot_be_paid_exactly_are_refused_in_the_law_books() -> None:
    assert asked(felt(), "pass-odds", "5", {"pass": 10}, 6) is None
    refusal = asked(felt(), "pass-odds", "7", {"pass": 10}, 6)
    assert refusal is not None
    assert describe_refusal(refusal) == "pass odds cannot be paid on $7: $5 or $10 can"


@pytest.mark.clause("iowa:wagers.5.a")
def test_in_iowa_only_odds_under_the_minimum_must_pay_exactly() -> None:
    layout = felt("iowa")
    assert asked(layout, "pass-odds", "4", {"pass": 10}, 5) is None
    assert cite(asked(layout, "pass-odds", "3", {"pass": 10}, 5)) == "wagers.5.a"
    assert asked(layout, "pass-odds", "5", {"pass": 10}, 5) is None


def test_the_school_takes_odds_under_the_minimum_as_they_are() -> None:
    assert asked(felt("dealer-school"), "pass-odds", "3", {"pass": 10}, 5) is None
