"""Lint: each bound of the rulebooks, from both sides, with what is allowed and the clause."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from passline.game.house.elections import Elections, read_elections
from passline.game.house.lint import lint
from passline.game.house.lint_findings import Finding
from passline.game.law.book import Book
from passline.game.law.book_files import BOOKS
from passline.game.law.citations import CitedValue
from passline.game.law.load import rulebook
from passline.game.law.wagers import BookMaximum

replace = msgspec.structs.replace


def found(given: dict[str, Any], book: str | Book = "new-jersey", game: str | None = None) -> Any:
    """Findings by key; one election has one finding at most."""
    law = rulebook(book) if isinstance(book, str) else book
    findings = lint(law, game, read_elections(law, given))
    by_key: dict[str, Finding] = {finding.key: finding for finding in findings}
    assert len(by_key) == len(findings)
    return by_key


def allowed(
    given: dict[str, Any], book: str | Book = "new-jersey", game: str | None = None
) -> bool:
    return not found(given, book, game)


def only(
    given: dict[str, Any], book: str | Book = "new-jersey", game: str | None = None
) -> Finding:
    """The one finding."""
    (finding,) = found(given, book, game).values()
    assert isinstance(finding, Finding)
    return finding


@pytest.mark.parametrize("book", BOOKS)
def test_every_books_own_defaults_are_allowed_in_each_game(book: str) -> None:
    for game in rulebook(book).games.value:
        assert lint(rulebook(book), game, {}) == ()


def test_a_finding_says_key_value_allowed_and_clause() -> None:
    finding = only({"odds.multiple": 101})
    assert finding == Finding(
        key="odds.multiple",
        value="101",
        allowed="1 to 100",
        cite="19:47-1.6(e)#1",
        also=("19:47-1.6(e)#2",),
    )
    assert finding.cites == ("19:47-1.6(e)#1", "19:47-1.6(e)#2")
    assert finding.message == (
        "odds.multiple = 101 is not allowed; allowed: 1 to 100 [19:47-1.6(e)#1]"
    )


def test_the_house_rules_of_the_contract() -> None:
    """The example elects what New Jersey has, and bonus and crapless place, which it has not."""
    given: dict[str, Any] = {
        "limits": {"smallest_chip": 1, "min": 15, "max": 5000, "breakage": "refuse"},
        "limits.max_by_wager.place-win-6": 6000,
        "odds": {"multiple": 10},
        "pays": {"field-12": "3 to 1"},
        "buy": {"rate": "0.05", "when": "made", "rounding": "down"},
        "lay": {"rate": "0.05", "when": "made", "rounding": "down", "base": "win"},
        "offers": {"fire": "A", "six-seven-eight": True, "match_play": True},
    }
    assert allowed(given)
    given["offers"] |= {"bonus": "A", "place-2": "a"}
    findings = found(given)
    assert set(findings) == {"offers.bonus", "offers.place-2"}
    assert {f.cite for f in findings.values()} == {"19:47-1.2(b)"}


# Odds


@pytest.mark.parametrize("multiple", [1, 2, 10, 100, "3-4-5"])
def test_odds_from_one_to_a_hundred_times(multiple: int | str) -> None:
    for book in ("section-2", "new-jersey", "maryland-crapless"):
        assert allowed({"odds.multiple": multiple}, book)


def test_odds_under_and_over() -> None:
    assert only({"odds.multiple": 0}, "section-2").cites[0] == "2(f)(1)#2"
    assert "2(f)(2)#2" in only({"odds.multiple": 0}, "section-2").cites
    assert only({"odds.multiple": -3}).value == "-3"
    assert only({"odds.multiple": 101}, "section-2").cites == ("2(f)(5)#1", "2(f)(5)#2")
    # Crapless lays no odds: the bound on taken odds is the only one.
    assert only({"odds.multiple": 101}, "maryland-crapless").cites == ("6.C",)


def test_a_table_of_odds_is_held_point_by_point() -> None:
    assert allowed({"odds.multiple": {"4": 3, "5": 100}})
    finding = only({"odds.multiple": {"4": 3, "5": 101}})
    assert (finding.key, finding.value) == ("odds.multiple.5", "101")
    assert only({"odds.multiple.2": 0}, "maryland-crapless").cite == "6.A#2"


def test_a_multiple_may_be_a_fraction_within_the_range() -> None:
    for book in BOOKS:
        assert allowed({"odds.multiple": Fraction("2.5"), "odds.multiple.4": Fraction("1.5")}, book)
    finding = only({"odds.multiple": Fraction("0.5")})
    assert (finding.value, finding.cite) == ("0.5", "19:47-1.6(a)#2")
    finding = only({"odds.multiple.4": Fraction("100.5")}, "section-2")
    assert (finding.value, finding.allowed, finding.cite) == ("100.5", "1 to 100", "2(f)(5)#1")
    assert only({"odds.multiple": Fraction("10.1")}, "iowa").cite == "max.1.a/4-10"


def test_three_four_five_must_fit() -> None:
    book = rulebook("new-jersey")
    capped = replace(book, odds=replace(book.odds, most=CitedValue(4, cites="x/most")))
    finding = only({"odds.multiple": "3-4-5"}, capped)
    assert (finding.value, finding.allowed) == ("3-4-5", "1 to 4 taken and 1 to 100 laid")
    assert finding.cites == ("x/most",)
    floored = replace(book, odds=replace(book.odds, laid_least=CitedValue(4, cites="x/laid")))
    assert only({"odds.multiple": "3-4-5"}, floored).cites == ("x/laid",)


@pytest.mark.parametrize(
    ("book", "slug", "flat", "least", "cite"),
    [
        # Once the largest flat wager must stand behind it, whatever the point: the flat itself,
        # or what wins the flat, which is twice it against a 4 and six fifths of it against a 6.
        ("new-jersey", "pass-odds", "pass", 500, "19:47-1.6(a)#2"),
        ("new-jersey", "dont-pass-odds", "dont-pass", 1000, "19:47-1.6(b)#2"),
        ("new-jersey", "come-odds-6", "come", 500, "19:47-1.6(c)#2"),
        ("new-jersey", "come-odds-6", "come-6", 500, "19:47-1.6(c)#2"),
        ("new-jersey", "dont-come-odds-6", "dont-come", 600, "19:47-1.6(d)#2"),
        ("new-jersey", "dont-come-odds-9", "dont-come", 750, "19:47-1.6(d)#2"),
        ("section-2", "pass-odds", "pass", 500, "2(f)(1)#2"),
        ("section-2", "dont-pass-odds", "dont-pass", 1000, "2(f)(2)#2"),
        ("maryland-crapless", "come-odds-12", "come", 500, "6.B#2"),
        ("dealer-school", "pass-odds", "pass", 500, "custom: a house may elect any multiple"),
        ("iowa", "pass-odds", "pass", 500, "custom: a house may elect any multiple from 1 up"),
        ("iowa", "dont-pass-odds", "dont-pass", 1000, "custom: a house may elect any multiple"),
    ],
)
def test_a_maximum_on_odds_leaves_the_least_multiple(
    book: str, slug: str, flat: str, least: int, cite: str
) -> None:
    given = {f"limits.max_by_wager.{flat}": 500}
    key = f"limits.max_by_wager.{slug}"
    assert allowed({**given, key: least}, book)
    for less in (1, least - 1):
        finding = only({**given, key: less}, book)
        assert (finding.key, finding.value) == (key, str(less))
        assert finding.allowed.startswith(f"at least ${least:,}, so that the largest ")
        assert finding.cite.startswith(cite)


def test_odds_keep_within_the_posted_maximum_also_when_it_is_less() -> None:
    # Don't pass up to $5,000 would need $10,000 against a 4, but no odds pass the posted $5,000.
    assert allowed({"limits.max_by_wager.dont-pass-odds": 5000})
    finding = only({"limits.max_by_wager.dont-pass-odds": 4999})
    assert finding.allowed == (
        "at least $5,000, so that the largest don't pass wager takes odds of 1 times"
    )
    # Iowa holds odds to the flat wager alone.
    assert only({"limits.max_by_wager.dont-pass-odds": 999, "limits.max": 500}, "iowa")


@pytest.mark.parametrize(
    ("book", "slug", "most", "cite"),
    [
        ("new-jersey", "pass-odds", 10, "19:47-1.6(a)#2"),
        # $12 against a 6 wins $10, the least that must be taken behind a $10 wager.
        ("section-2", "dont-pass-odds", 12, "2(f)(2)#2"),
        ("dealer-school", "come-odds-4", 10, "custom: a house may elect any multiple"),
        ("iowa", "pass-odds", 1, "wagers.5.a"),
    ],
)
def test_a_minimum_on_odds_leaves_them_to_the_smallest_flat(
    book: str, slug: str, most: int, cite: str
) -> None:
    key = f"limits.min_by_wager.{slug}"
    assert allowed({"limits.min": 10, key: most}, book)
    finding = only({"limits.min": 10, key: most + 1}, book)
    assert (finding.key, finding.value) == (key, str(most + 1))
    assert finding.allowed.startswith(f"at most ${most}, so that the smallest ")
    assert finding.cite.startswith(cite)


# Vigorish


@pytest.mark.parametrize(
    ("book", "which", "cite"),
    [
        ("section-2", "buy", "2(e)(1)#2"),
        ("section-2", "lay", "2(e)(2)#2"),
        ("new-jersey", "buy", "19:47-1.5(a)#2"),
        ("new-jersey", "lay", "19:47-1.5(b)#2"),
        ("maryland-crapless", "buy", "5.G(2)(a)#2"),
        ("dealer-school", "buy", "buy.vig/rate"),
        ("dealer-school", "lay", "lay.vig/rate"),
    ],
)
def test_vigorish_up_to_five_percent(book: str, which: str, cite: str) -> None:
    for rate in ("0.05", "0.04", "0"):
        assert allowed({f"{which}.rate": rate}, book)
    for rate in ("0.0500001", "0.06", "1"):
        finding = only({f"{which}.rate": rate}, book)
        assert (finding.key, finding.value) == (f"{which}.rate", rate)
        assert finding.cite == cite
        assert finding.allowed == "at most 0.05"


def test_what_vigorish_is_taken_on() -> None:
    assert only({"buy.base": "win"}).cite == "19:47-1.5(a)#2"
    assert allowed({"lay.base": "win"})
    assert allowed({"lay.base": "stake"})
    assert only({"lay.base": "stake"}, "section-2").cite == "2(e)(2)#2"
    assert only({"lay.base": "stake"}, "section-2").allowed == "win"


def test_when_vigorish_is_taken() -> None:
    assert allowed({"buy.when": "won", "lay.when": "won"})
    assert only({"buy.when": "won"}, "section-2").cite == "2(e)(1)#3"
    by_number = only({"lay.when.4": "won"}, "section-2")
    assert (by_number.key, by_number.allowed, by_number.cite) == ("lay.when.4", "made", "2(e)(2)#3")
    assert allowed({"buy.when": {"4": "won", "10": "won"}})


def _unmixed(book: str) -> Book:
    law = rulebook(book)
    buy = replace(law.vig["buy"], mixed=CitedValue(False, cites="x/mixed"))
    return replace(law, vig={**law.vig, "buy": buy})


def test_times_are_not_mixed_where_the_book_says_so() -> None:
    unmixed = _unmixed("new-jersey")
    finding = only({"buy.when.4": "won"}, unmixed)
    assert (finding.key, finding.cite) == ("buy.when.4", "x/mixed")
    assert finding.allowed == "one time for every number"
    assert allowed({"buy.when": "won"}, unmixed)
    assert allowed({"buy.when.4": "made"}, unmixed)
    assert allowed({"buy.when": {str(n): "won" for n in (4, 5, 6, 8, 9, 10)}}, unmixed)
    assert set(found({"buy.when": "won", "buy.when.4": "made"}, unmixed)) == {"buy.when.4"}


def test_no_lay_wagers_no_vigorish_on_them() -> None:
    for key, value in (("rate", "0.05"), ("when", "made"), ("rounding", "down"), ("when.4", "won")):
        finding = only({f"lay.{key}": value}, "maryland-crapless")
        assert finding.cites == ("5.J", "3.A")
        assert finding.allowed == "maryland-crapless has no lay wagers"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        # 5% of $10 is $0.50, which half-up makes a whole $1; $5 to $9 round down to nothing.
        ({"buy.rounding": "half-up"}, "buy-4 for $10 would be charged $1, and the most is $0.50"),
        ({"buy.rounding": "up"}, "buy-4 for $5 would be charged $1, and the most is $0.25"),
        # From $20 on: $21 owes $1.05, so up makes it $2.
        (
            {"buy.rounding": "up", "limits.min": 20},
            "buy-4 for $21 would be charged $2, and the most is $1.05",
        ),
        # From $20 on: $30 owes $1.50.
        (
            {"buy.rounding": "half-up", "limits.min": 20},
            "buy-4 for $30 would be charged $2, and the most is $1.50",
        ),
        # Quarters: 5% of $7.50 is 37.5 cents, a quarter and a half.
        (
            {"buy.rounding": "half-up", "limits.smallest_chip": "0.25"},
            "buy-4 for $7.50 would be charged $0.50, and the most is $0.375",
        ),
        # 4% of $79 is $3.16, up to $4; 5% of it is $3.95.
        (
            {"buy.rounding": "up", "buy.rate": "0.04", "limits.min": 79},
            "buy-4 for $79 would be charged $4, and the most is $3.95",
        ),
        # Laid on the win, capped on the stake: $6 against the 4 wins $3, owes $0.15, caps at $0.30.
        (
            {"lay.rounding": "up", "lay.base": "win"},
            "lay-4 for $6 would be charged $1, and the most is $0.30",
        ),
        # $12 against the 6 wins $10 and owes $0.50; lay-4 never rounds past its cap half up.
        (
            {"lay.rounding": "half-up", "lay.base": "win"},
            "lay-6 for $12 would be charged $1, and the most is $0.60",
        ),
    ],
)
def test_rounding_that_passes_the_cap_names_the_first_stake(
    given: dict[str, Any], words: str
) -> None:
    finding = only(given)
    assert finding.key.endswith(".rounding")
    assert finding.allowed.endswith(words)
    # Half up of 4 percent stays under the cap from $79 on: $88 owes $3.52, and caps at $4.40.
    fits = "down, half-up or exact: " if "buy.rate" in given else "down or exact: "
    assert finding.allowed.startswith(fits)
    assert finding.cite in {"19:47-1.5(a)#2", "19:47-1.5(b)#2"}


def test_rounding_up_that_stays_under_the_cap_is_allowed() -> None:
    # 4% rounded up of $80 to $100 is $4, no more than 5% of $80; beyond, 1% is a whole chip.
    assert allowed({"buy.rounding": "up", "buy.rate": "0.04", "limits.min": 80})
    assert allowed({"buy.rounding": "up", "buy.rate": 0})
    # In cents nothing is left to round: 5% of whole dollars is whole cents in steps of 5.
    assert allowed({"buy.rounding": "exact", "lay.rounding": "exact"})


def test_one_stake_that_owes_whole_chips() -> None:
    assert allowed({"buy.rounding": "up", "limits.min": 20, "limits.max": 20})


def test_vigorish_is_rounded_to_the_smallest_chip() -> None:
    # In chips of $20 even $20 would be charged a whole chip.
    finding = only({"buy.rounding": "up", "limits.smallest_chip": 20, "limits.min": 20})
    assert "buy-4 for $20 would be charged $20, and the most is $1" in finding.allowed


def test_a_rounding_that_the_book_states_is_the_only_one() -> None:
    assert allowed({"buy.rounding": "half-up"}, "dealer-school")
    for how in ("down", "up", "exact"):
        finding = only({"buy.rounding": how}, "dealer-school")
        assert (finding.value, finding.allowed, finding.cite) == (
            how,
            "half-up",
            "buy.vig/rounding",
        )
        # On lays the book is silent, and its rate is no cap.
        assert allowed({"lay.rounding": how}, "dealer-school")
    # Iowa's rate is a cap: what keeps within it is allowed.
    assert allowed({"buy.rounding": "exact", "lay.rounding": "exact"}, "iowa")


def test_the_school_states_when_vigorish_is_taken() -> None:
    assert allowed({"buy.when": {"4": "won", "5": "made"}, "lay.when": "made"}, "dealer-school")
    assert allowed({"buy.when": "made", "buy.when.4": "won", "buy.when.10": "won"}, "dealer-school")
    numbers = {"4": "won", "5": "made", "6": "made", "8": "made", "9": "made", "10": "won"}
    assert allowed({"buy.when": numbers}, "dealer-school")
    made = only({"buy.when": "made"}, "dealer-school")
    assert made.allowed == "won on 4 or 10, made on 5, 6, 8 or 9"
    assert made.cites == ("buy.vig/4-10-on-win",)
    won = only({"buy.when": "won"}, "dealer-school")
    assert (won.allowed, won.cites) == (made.allowed, ("buy.vig/when",))
    one = only({"buy.when": "made", "buy.when.4": "won"}, "dealer-school")
    assert (one.key, one.cite) == ("buy.when", "buy.vig/4-10-on-win")
    for key, words, cite in (
        ("buy.when.10", "won", "buy.vig/4-10-on-win"),
        ("buy.when.5", "made", "buy.vig/when"),
        ("lay.when", "made", "lay.vig/when"),
        ("lay.when.4", "made", "lay.vig/when"),
    ):
        finding = only({key: "made" if words == "won" else "won"}, "dealer-school")
        assert (finding.key, finding.allowed, finding.cite) == (key, words, cite)


def test_a_book_with_two_times_may_leave_the_choice() -> None:
    law = rulebook("dealer-school")
    buy = law.vig["buy"]
    free = replace(buy, whens=replace(buy.whens, value=("made", "won")))
    book = replace(law, vig={**law.vig, "buy": free})
    for when in ("made", "won"):
        assert allowed({"buy.when": when}, book)
        assert allowed({"buy.when.4": when, "buy.when.5": when}, book)


def test_a_bad_rate_or_base_is_reported_alone() -> None:
    assert set(found({"buy.rate": "0.06", "buy.rounding": "up"})) == {"buy.rate"}
    assert set(found({"buy.base": "win", "buy.rounding": "up"})) == {"buy.base"}


def test_a_huge_table_is_checked_at_once() -> None:
    given = {"buy.rounding": "half-up", "buy.rate": "0.0499999", "limits.max": 10**12}
    # $10 owes $0.499999, rounded down; $11 owes $0.5499989, rounded up to $1.
    assert "buy-4 for $11 " in only(given).allowed


# Payouts


@pytest.mark.parametrize(
    ("key", "odds", "words", "cites"),
    [
        ("field-12", "1 to 1", "2 to 1 or more", ("2(d)(2)/field-12", "2(d)(2)#1", "2(d)(2)#2")),
        ("place-win-4", "8 to 5", "9 to 5 or more", ("2(d)(2)/place-win-4",)),
        ("hop-2-2", "29 to 1", "30 to 1 or more", ("2(d)(2)/hop-2-2",)),
        ("buy-4", "3 to 1", "exactly 2 to 1", ("2(e)(1)/buy-4", "2(e)(1)#4")),
        ("lay-4", "5 to 11", "exactly 1 to 2", ("2(e)(2)/lay-4", "2(e)(2)#4")),
        ("pass-odds-4", "3 to 1", "exactly 2 to 1", ("2(f)(1)/pass-odds-4", "2(f)(5)#3")),
        ("dont-come-odds-9", "1 to 1", "exactly 2 to 3", ("2(f)(4)/dont-come-odds-9",)),
    ],
)
def test_a_payout_under_the_floor_or_off_the_fixed(
    key: str, odds: str, words: str, cites: tuple[str, ...]
) -> None:
    finding = only({f"pays.{key}": odds}, "section-2")
    assert (finding.key, finding.value, finding.allowed) == (f"pays.{key}", odds, words)
    assert finding.cite == cites[0]
    assert set(cites) <= set(finding.cites)


def test_a_house_may_pay_more_where_the_law_sets_a_floor() -> None:
    for book in ("section-2", "new-jersey"):
        assert allowed({"pays": {"field-12": "3 to 1", "field": "1 to 1", "pass": "2 to 1"}}, book)
        assert allowed({"pays": {"place-win-6": "14 to 12", "buy-4": "4 to 2"}}, book)


def test_crapless_payouts_are_fixed() -> None:
    for odds in ("3 to 1", "1 to 1"):
        finding = only({"pays.field-12": odds}, "maryland-crapless")
        assert (finding.allowed, finding.cites) == ("exactly 2 to 1", ("5.A(18)", "5.A"))
    assert allowed({"pays.field-12": "4 to 2"}, "maryland-crapless")


@pytest.mark.parametrize(
    ("book", "cites"),
    [
        ("new-jersey", ("19:47-1.4(a)#2", "19:47-1.4(a)#1")),
        ("section-2", ("2(d)(1)",)),
    ],
)
def test_odds_are_posted_with_the_word_to(book: str, cites: tuple[str, ...]) -> None:
    # 4 for 1 is 3 to 1, which the house may pay: only the word is wrong.
    finding = only({"pays.field-12": "4 for 1"}, book)
    assert (finding.key, finding.value) == ("pays.field-12", "4 for 1")
    assert finding.allowed == '2 to 1 or more, posted with the word "to"'
    assert finding.cites == cites
    # 2 for 1 is 1 to 1: under the floor besides.
    low = only({"pays.field-12": "2 for 1"}, book)
    assert low.cites[: len(cites)] == cites
    assert any("field-12" in cite for cite in low.cites)


def test_a_book_that_posts_with_for_asks_for_it() -> None:
    law = rulebook("new-jersey")
    book = replace(law, odds_word=replace(law.odds_word, value="for"))
    assert allowed({"pays.field-12": "4 for 1"}, book)
    assert only({"pays.field-12": "3 to 1"}, book).cites == ("19:47-1.4(a)#2", "19:47-1.4(a)#1")


def test_a_payout_is_held_to_the_elected_table() -> None:
    # Table A pays 24 to 1 on four points, table B 39 to 1.
    assert allowed({"offers.fire": "A", "pays.fire-4": "24 to 1"})
    finding = only({"offers.fire": "B", "pays.fire-4": "24 to 1"})
    assert (finding.allowed, finding.cite) == ("39 to 1 or more", "19:47-1.4(e)/B/4")
    assert only({"offers.fire": "A", "pays.fire-6": "998 to 1"}).cite == "19:47-1.4(e)/A/6"
    # Not offered: no table could be undercut further than the lower one.
    assert allowed({"pays.fire-4": "24 to 1"})
    assert only({"pays.fire-4": "23 to 1"}).cite == "19:47-1.4(e)/A/4"
    # Crapless: the choice of place payouts is elected, never typed in.
    assert only({"pays.place-win-2": "25 to 5"}, "maryland-crapless").cite == "5.A(3)(a)"
    assert allowed({"offers.place-2": "b", "pays.place-win-2": "5 to 1"}, "maryland-crapless")


# Limits


def test_breakage() -> None:
    for book, cite in (("section-2", "2(d)(5)"), ("maryland-crapless", "5.A")):
        assert allowed({"limits.breakage": "refuse"}, book)
        for how in ("down", "up"):
            assert only({"limits.breakage": how}, book).cite == cite
    for how in ("refuse", "down", "up"):
        assert allowed({"limits.breakage": how}, "dealer-school")


@pytest.mark.parametrize(
    ("given", "key", "words"),
    [
        ({"limits.min": 5001}, "limits.min", "at most the maximum, $5,000"),
        ({"limits.max": 4}, "limits.max", "at least the minimum, $5"),
        ({"limits.min": 50, "limits.max": 25}, "limits.min", "at most the maximum, $25"),
        ({"limits.center_min": 5001}, "limits.center_min", "at most the maximum, $5,000"),
        ({"limits.max_by_wager.field": 4}, "limits.max_by_wager.field", "at least the minimum, $5"),
        (
            {"limits.min_by_wager.field": 5001},
            "limits.min_by_wager.field",
            "at most the maximum, $5,000",
        ),
    ],
)
def test_minimum_above_maximum(given: dict[str, Any], key: str, words: str) -> None:
    finding = only(given)
    assert (finding.key, finding.allowed) == (key, words)
    assert finding.cite.startswith("custom: ")


def test_a_minimum_above_what_the_book_lets_a_wager_hold() -> None:
    assert allowed({"limits.min": 500}, "iowa")
    finding = only({"limits.min": 501}, "iowa")
    assert (finding.key, finding.value, finding.cite) == ("limits.min", "501", "max.1")
    assert finding.allowed == "at most $500, the most that pass takes"
    # Above the table's maximum too: the book's own is the one to name.
    assert only({"limits.min": 6000}, "iowa").cite == "max.1"
    # The center has its own minimum: $50 is the most that craps two takes.
    assert allowed({"limits.center_min": 50}, "iowa")
    finding = only({"limits.center_min": 51}, "iowa")
    assert (finding.allowed, finding.cite) == (
        "at most $50, the most that craps-2 takes",
        "max.9/high",
    )
    # Place 6 takes $600. A wager with a minimum of its own is not bound by the table's.
    others = [
        *("pass", "dont-pass", "come", "dont-come", "field", "big-6", "big-8"),
        *(f"{flat}-{n}" for flat in ("come", "dont-come", "buy") for n in (4, 5, 6, 8, 9, 10)),
        *(f"place-win-{n}" for n in (4, 5, 9, 10)),
    ]
    own = {f"limits.min_by_wager.{slug}": 5 for slug in others}
    assert allowed({"limits.min": 600, **own}, "iowa")
    assert only({"limits.min": 601, **own}, "iowa").cite == "max.3/6-8"


def test_a_wager_that_is_not_dealt_binds_no_minimum() -> None:
    law = rulebook("new-jersey")
    printed = replace(law.wager["six-seven-eight"], most=(BookMaximum(dollars=50, cites="x/most"),))
    book = replace(law, wager={**law.wager, "six-seven-eight": printed})
    assert allowed({"limits.center_min": 60}, book)
    dealt = {"limits.center_min": 60, "offers.six-seven-eight": True}
    assert only(dealt, book).cite == "x/most"
    assert allowed({**dealt, "limits.center_min": 50}, book)


@pytest.mark.parametrize(
    ("slug", "most", "cite"),
    [
        ("pass", 500, "max.1"),
        ("craps-2", 50, "max.9/high"),
        # Through its legs: a quarter of a horn lies on the 2.
        ("horn", 200, "max.9/high"),
    ],
)
def test_a_wagers_minimum_above_what_the_book_lets_it_hold(slug: str, most: int, cite: str) -> None:
    key = f"limits.min_by_wager.{slug}"
    assert allowed({key: most}, "iowa")
    finding = only({key: most + 1}, "iowa")
    assert (finding.key, finding.allowed, finding.cite) == (key, f"at most ${most}", cite)


def test_limits_in_order_are_allowed() -> None:
    assert allowed({"limits.min": 5000})
    assert allowed({"limits.max": 5})
    assert allowed({"limits.min": 25, "limits.max": 25, "limits.center_min": 25})
    assert allowed({"limits.max_by_wager.field": 5, "limits.min_by_wager.field": 5})
    assert allowed({"limits.max_by_wager.place-win-6": 6000})


def _printed() -> Book:
    """New Jersey, with maxima printed as Iowa prints them."""
    law = rulebook("new-jersey")
    place = replace(
        law.wager["place-win"],
        most=(
            BookMaximum(500, cites="x/most"),
            BookMaximum(600, (6, 8), cites="x/six"),
            BookMaximum(400, (4,), cites="x/four"),
        ),
    )
    two = replace(law.wager["craps-2"], most=(BookMaximum(50, cites="x/high"),))
    return replace(law, wager={**law.wager, "place-win": place, "craps-2": two})


@pytest.mark.parametrize(
    ("slug", "most", "cite"),
    [
        ("place-win-5", 500, "x/most"),
        ("place-win-4", 400, "x/four"),
        ("craps-2", 50, "x/high"),
        # A quarter of a horn lies on the 2, two fifths of a horn high twos.
        ("horn", 200, "x/high"),
        ("horn-high-2", 125, "x/high"),
        ("horn-high-3", 250, "x/high"),
    ],
)
def test_a_maximum_above_what_the_book_prints(slug: str, most: int, cite: str) -> None:
    key = f"limits.max_by_wager.{slug}"
    assert allowed({key: most}, _printed())
    finding = only({key: most + 1}, _printed())
    assert (finding.key, finding.value, finding.cite) == (key, str(most + 1), cite)
    assert finding.allowed == f"at most ${most}"


@pytest.mark.parametrize(
    ("slug", "most", "cite"),
    [
        ("pass", 500, "max.1"),
        ("dont-come", 500, "max.2/dont-come"),
        ("place-win-6", 600, "max.3/6-8"),
        ("buy-10", 500, "max.4#1"),
        ("hard-8", 200, "max.7"),
        ("any-seven", 400, "max.8"),
        ("craps-3", 100, "max.9/low"),
        ("horn", 200, "max.9/high"),
    ],
)
def test_iowas_maxima(slug: str, most: int, cite: str) -> None:
    key = f"limits.max_by_wager.{slug}"
    assert allowed({key: most}, "iowa")
    assert cite in only({key: most + 1}, "iowa").cites


def test_iowas_odds_and_vigorish() -> None:
    assert allowed({"odds.multiple": 10}, "iowa")
    assert only({"odds.multiple": 11}, "iowa").cite == "max.1.a/4-10"
    assert only({"buy.rounding": "half-up"}, "iowa").cite == "max.4#2"
    assert only({"lay.when": "won"}, "iowa").cite == "wagers.9#3"
    assert allowed({"offers.shootout": False, "crew.base_dealers": 1}, "iowa")
    assert only({"crew.base_dealers": 3}, "iowa").cite == "crew#1"


def test_a_table_maximum_that_a_book_prints() -> None:
    law = rulebook("new-jersey")
    printed = replace(law, stakes=replace(law.stakes, max_default=CitedValue(500, cites="x/max")))
    assert allowed({"limits.max": 500}, printed)
    assert only({"limits.max": 501}, printed).cite == "x/max"
    # New Jersey prints none: $5,000 is only what a table has by default.
    assert allowed({"limits.max": 10_000})


def test_fire_keeps_the_books_own_limits() -> None:
    assert allowed({"limits.max_by_wager.fire": 5, "limits.min_by_wager.fire": 1})
    assert only({"limits.max_by_wager.fire": 6}).cite == "19:47-1.12(b)1#2"
    finding = only({"limits.min_by_wager.fire": "0.50"})
    assert (finding.value, finding.allowed) == ("0.50", "at least $1")
    assert finding.cite == "19:47-1.12(b)1#1"
    assert only({"limits.min_by_wager.fire": 6}).cite == "19:47-1.12(b)1#2"


def test_a_chip_in_which_a_wager_cannot_be_made() -> None:
    # Fire takes $1 to $5: no whole $25 chip is among them.
    quarters = {"limits.smallest_chip": 25, "limits.min": 25}
    finding = only({**quarters, "offers.fire": "A"})
    assert (finding.key, finding.value) == ("limits.smallest_chip", "25")
    assert finding.allowed == "a chip in which fire can be made, from $1 to $5"
    assert finding.cite == "19:47-1.12(b)1#2"
    assert allowed(quarters)
    assert allowed({"limits.smallest_chip": 5, "offers.fire": "A"})
    # Chips of $7 under $7 to $20: pass takes $7 or $14, but place 4 pays only on $35.
    finding = only({"limits.smallest_chip": 7, "limits.min": 7, "limits.max": 20})
    assert finding.allowed == "a chip in which place-win-4 can be made, from $7 to $20"


def test_a_maximum_or_a_payout_with_which_a_wager_cannot_be_made() -> None:
    # Place 6 pays 7 to 6, so that its least stake is $6.
    finding = only({"limits.max_by_wager.place-win-6": 5})
    assert finding.allowed == "a value with which place-win-6 can be made, from $5 to $5"
    assert allowed({"limits.max_by_wager.place-win-6": 6})
    # Paid 101 to 100, a pass wager would come in hundreds of dollars.
    finding = only({"limits.max": 50, "pays.pass": "101 to 100"})
    assert (finding.key, finding.value) == ("pays.pass", "101 to 100")
    assert allowed({"limits.max": 100, "pays.pass": "101 to 100"})


@pytest.mark.parametrize("book", BOOKS)
def test_a_minimum_is_in_whole_chips(book: str) -> None:
    finding = only({"limits.smallest_chip": 25}, book)
    assert (finding.key, finding.value) == ("limits.smallest_chip", "25")
    assert finding.allowed.startswith("a chip that goes into limits.min, $5")
    assert finding.cite == "custom: wagers are made in the house's chips"
    # The minimum on center wagers that no house elects is the next amount in whole chips.
    assert allowed({"limits.smallest_chip": 25, "limits.min": 25}, book)
    assert allowed({"limits.smallest_chip": "0.25"}, book)
    whole = "a multiple of $2, the smallest chip"
    chip = {"limits.smallest_chip": 2, "limits.min": 6}
    for key, least in (
        ("limits.min", 5),
        ("limits.center_min", 3),
        ("limits.min_by_wager.pass", 7),
    ):
        finding = only({**chip, key: least}, book)
        assert (finding.key, finding.value, finding.allowed) == (key, str(least), whole)
        assert allowed({**chip, key: least + 1}, book)


# Offers


@pytest.mark.parametrize(
    ("book", "key", "choices", "cite"),
    [
        ("new-jersey", "offers.fire", ("A", "B", False), "19:47-1.4(e)#2"),
        ("new-jersey", "offers.six-seven-eight", (True, False), "19:47-1.2(a)39#1"),
        ("new-jersey", "layout.horn-high", (True, False), "19:47-1.2(a)20#6"),
        ("maryland-crapless", "offers.fire", ("A", "B", False), "5.E#2"),
        ("maryland-crapless", "offers.bonus", ("A", "B", False), "5.H"),
        ("maryland-crapless", "offers.place-2", ("a", "b"), "5.A(3)"),
        ("maryland-crapless", "offers.place-11", ("a", "b"), "5.A(11)"),
        ("section-2", "offers.place-lose", (True, False), "2(e)(2)#1"),
    ],
)
def test_elections_that_a_book_offers(
    book: str, key: str, choices: tuple[object, ...], cite: str
) -> None:
    for choice in choices:
        assert allowed({key: choice}, book)
    for other in ("AB", "C", 1, 0, ["A", "B"], True, False, "a", "true"):
        if not any(type(c) is type(other) and c == other for c in choices):
            assert only({key: other}, book).cite == cite, other


def test_a_mixed_pay_table() -> None:
    findings = found({"offers.fire": {"4": "A", "5": "B"}})
    assert set(findings) == {"offers.fire.4", "offers.fire.5"}
    finding = findings["offers.fire.4"]
    assert finding.allowed == "false, A or B, for the whole of offers.fire"
    assert finding.cite == "19:47-1.4(e)#2"
    assert only({"offers.bonus.all-small": "A"}, "maryland-crapless").cite == "5.H"


@pytest.mark.parametrize(
    ("book", "key", "value", "cite"),
    [
        ("section-2", "offers.fire", "A", "2(b)(2)"),
        ("section-2", "offers.fire.4", "A", "2(b)(2)"),
        ("section-2", "offers.six-seven-eight", True, "2(b)(2)"),
        ("section-2", "offers.bonus", "A", "2(b)(2)"),
        ("new-jersey", "offers.place-2", "a", "19:47-1.2(b)"),
        ("new-jersey", "offers.bonus", "B", "19:47-1.2(b)"),
        ("maryland-crapless", "offers.match_play", True, "3.A"),
        ("maryland-crapless", "offers.lay", True, "3.A"),
        ("maryland-crapless", "offers.place-lose", True, "3.A"),
    ],
)
def test_wagers_that_a_book_does_not_list(book: str, key: str, value: object, cite: str) -> None:
    finding = only({key: value}, book)
    assert finding.cite == cite
    assert finding.allowed == f"false ({book} has no such offer)"
    assert allowed({key: False}, book)


@pytest.mark.parametrize(
    ("book", "key", "value", "name", "cite"),
    [
        ("new-jersey", "limits.max_by_wager.big-6", 100, "big-6", "19:47-1.2(b)"),
        ("new-jersey", "limits.min_by_wager.all-tall", 100, "all-tall", "19:47-1.2(b)"),
        ("new-jersey", "limits.max_by_wager.place-win-7", 100, "place-win-7", "19:47-1.2(b)"),
        ("new-jersey", "pays.all-small", "40 to 1", "all-small", "19:47-1.2(b)"),
        ("section-2", "pays.fire-4", "24 to 1", "fire-4", "2(b)(2)"),
        ("section-2", "pays.hop-1-1", "30 to 1", "hop-1-1", "2(b)(2)"),
        ("maryland-crapless", "limits.max_by_wager.dont-pass-odds", 1, "dont-pass-odds", "3.A"),
        ("iowa", "pays.fire-4", "24 to 1", "fire-4", "wagers.intro.4"),
    ],
)
def test_limits_and_payouts_of_wagers_that_a_book_does_not_list(
    book: str, key: str, value: object, name: str, cite: str
) -> None:
    finding = only({key: value}, book)
    assert (finding.key, finding.value, finding.cite) == (key, str(value), cite)
    assert finding.allowed == f"nothing ({book} has no {name})"


def test_a_wager_is_offered_by_its_own_name_too() -> None:
    finding = only({"offers.big-6": True})
    assert finding.allowed == "false (new-jersey has no such offer)"
    assert finding.cite == "19:47-1.2(b)"
    assert allowed({"offers.big-6": False})
    assert only({"offers.shootout": True}).cite == "19:47-1.2(b)"
    # Iowa deals it, and leaves a house no say in it.
    assert allowed({"offers.big-6": True}, "iowa")
    finding = only({"offers.big-6": False}, "iowa")
    assert (finding.value, finding.allowed, finding.cite[:8]) == ("false", "true", "custom: ")
    assert only({"offers.place-win": False}).allowed == "true"
    assert only({"offers.field": "two"}).allowed == "true or false"


@pytest.mark.parametrize(
    ("book", "key"), [("iowa", "offers.shootout"), ("maryland-crapless", "offers.bonus")]
)
def test_what_a_book_has_and_does_not_make_elective(book: str, key: str) -> None:
    law = rulebook(book)
    fixed = replace(law, elect={k: v for k, v in law.elect.items() if k != key})
    assert allowed({key: True}, fixed)
    finding = only({key: False}, fixed)
    assert (finding.key, finding.allowed) == (key, "true")
    assert finding.cite == f"custom: {book} deals it without an election"


def test_coupons_that_a_book_does_not_take_name_its_tender_too() -> None:
    assert only({"offers.match_play": True}, "maryland-crapless").cites == ("3.A", "4.B")
    assert only({"offers.fire": "A"}, "dealer-school").cite.startswith("custom: ")


def test_what_a_book_deals_without_an_election_stays_dealt() -> None:
    assert allowed({"offers.six-seven-eight": True}, "maryland-crapless")
    finding = only({"offers.six-seven-eight": False}, "maryland-crapless")
    assert (finding.allowed, finding.cite[:8]) == ("true", "custom: ")
    assert allowed({"offers.buy": True}, "dealer-school")


def test_fire_is_dealt_only_in_craps() -> None:
    assert allowed({"offers.fire": "A"}, game="craps")
    for game in ("mini-craps", "automated-craps"):
        finding = only({"offers.fire": "A"}, game=game)
        assert (finding.key, finding.cite) == ("offers.fire", "19:47-1.2(a)#2")
        assert finding.allowed == "Fire is dealt only in craps"
        assert allowed({"offers.fire": False}, game=game)


def test_an_election_without_choices_is_yes_or_no() -> None:
    law = rulebook("new-jersey")
    fire = replace(law.elect["offers.fire"], choices=CitedValue((), cites="x/yes-no"))
    book = replace(law, elect={**law.elect, "offers.fire": fire})
    assert allowed({"offers.fire": True}, book)
    assert allowed({"offers.fire": False}, book)
    assert only({"offers.fire": "A"}, book).allowed == "true or false"


# Dice, games, fees


def test_who_may_call_no_roll() -> None:
    assert allowed({"dice.no_roll_by": "boxperson"})
    assert allowed({"dice.no_roll_by": ["stickperson", "boxperson"]})
    finding = only({"dice.no_roll_by": ["boxperson", "dealer"]})
    assert (finding.value, finding.cite) == ("boxperson, dealer", "19:47-1.9(e)1#1")
    assert finding.allowed == "one or more of boxperson, stickperson"
    assert allowed({"dice.no_roll_by": "floorperson"}, game="mini-craps")
    assert only({"dice.no_roll_by": "boxperson"}, game="mini-craps").cite == "19:47-1.9(e)2#1"
    assert only({"dice.no_roll_by": "boxperson"}, game="automated-craps").cite[:8] == "custom: "


def test_callers_that_no_house_designates() -> None:
    law = rulebook("new-jersey")
    fixed = replace(
        law, throw=replace(law.throw, designate={"craps": CitedValue(False, cites="x/fixed")})
    )
    assert allowed({"dice.no_roll_by": ["stickperson", "boxperson"]}, fixed)
    finding = only({"dice.no_roll_by": "boxperson"}, fixed)
    assert (finding.allowed, finding.cite) == ("all of boxperson, stickperson", "x/fixed")


def test_how_many_dice_are_a_set() -> None:
    assert only({"dice.set_of": 4}).cite == "19:47-1.7(a)#1"
    assert allowed({"dice.set_of": 5})
    assert only({"dice.set_of": 6}, "dealer-school").allowed == "5"
    law = rulebook("dealer-school")
    more = replace(law, dice=replace(law.dice, set_more=CitedValue(True, cites="x/more")))
    assert allowed({"dice.set_of": 6}, more)
    assert only({"dice.set_of": 4}, more).allowed == "5 or more"
    exactly = replace(law, dice=replace(law.dice, set_more=CitedValue(False, cites="x/more")))
    assert only({"dice.set_of": 6}, exactly).cite == "stick.9#1"


def test_a_game_that_the_book_does_not_have() -> None:
    law = rulebook("section-2")
    for findings in (lint(law, "crapless", {}), lint(law, None, {"game": "crapless"})):
        assert [(f.key, f.value, f.cite) for f in findings] == [("game", "crapless", "2(b)(1)")]
        assert findings[0].allowed == "craps or mini-craps"
    assert lint(law, "craps", {"game": "mini-craps"}) == ()


def test_no_name_is_no_game() -> None:
    law = rulebook("section-2")
    for findings in (lint(law, "", {}), lint(law, "craps", {"game": ""})):
        assert [(f.key, f.value, f.allowed) for f in findings] == [
            ("game", '""', "craps or mini-craps")
        ]
    assert lint(law, None, {}) == ()


def test_no_fee_but_vigorish() -> None:
    finding = only({"fees.place-win-6": "0.01"})
    assert (finding.key, finding.value, finding.cite) == (
        "fees.place-win-6",
        "0.01",
        "19:47-1.5(c)",
    )
    assert finding.allowed == "no fee but the vigorish on buy and lay wagers"
    assert only({"fees.pass": 0}, "section-2").cite == "2(e)(3)"
    assert only({"fees.pass": "0.01"}, "maryland-crapless").allowed.endswith("on buy wagers")
    assert only({"fees.pass": "0.01"}, "dealer-school").cite.startswith("custom: ")


def test_everything_wrong_is_found_at_once() -> None:
    given: dict[str, Any] = {
        "limits.breakage": "down",
        "odds.multiple": 101,
        "pays.pass": "1 to 2",
        "buy.rate": "0.06",
        "offers.fire": "C",
        "dice.set_of": 2,
        "fees.pass": "0.01",
    }
    assert list(found(given)) == list(given)


def test_the_same_question_has_the_same_answer_and_no_other_question_has_it() -> None:
    law = rulebook("new-jersey")
    given: Elections = {"odds.multiple": 101}
    first = lint(law, "craps", given)
    assert lint(law, "craps", {"odds.multiple": 101}) is first
    assert lint(law, "mini-craps", given) is not first
    given["offers.hops"] = 1
    assert [finding.key for finding in lint(law, "craps", given)] == [
        "odds.multiple",
        "offers.hops",
    ]
    given["offers.hops"] = True
    assert lint(law, "craps", given) == first
    assert law.odds.most is not None
    most = replace(law.odds, most=replace(law.odds.most, value=200))
    (finding,) = lint(replace(law, odds=most), "craps", given)
    assert finding.allowed == "1 to 200 taken and 1 to 100 laid"


@pytest.mark.parametrize("book", ["new-jersey", "section-2"])
def test_a_set_of_dice_that_fits_no_cup(book: str) -> None:
    assert allowed({"dice.set_of": 100}, book)
    for many in (101, 1_000_000_000):
        finding = only({"dice.set_of": many}, book)
        assert (finding.value, finding.allowed) == (str(many), "5 to 100")
        assert finding.cite == "custom: a set of dice fits its cup"
