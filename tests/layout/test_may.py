"""May a wager be made at all: which ones a house deals, and when."""

from __future__ import annotations

import pytest

from passline.game.layout import wager_checks
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Refusal, Stake
from passline.game.layout.wager_checks import Moment
from passline.game.words.refusals import describe_refusal
from tests.layout.felts import felt

OFF, ON = Moment(), Moment(puck=6)


def timed(layout: Layout, slug: str, moment: Moment, *up: str) -> str:
    """The citation of a refusal, or nothing."""
    spot = wager_checks.find_spot(layout, slug)
    assert not isinstance(spot, Refusal)
    refusal = wager_checks.check_time(spot, moment, {s: Stake(1000, 1000) for s in up})
    return refusal.cite if refusal else ""


@pytest.mark.parametrize(
    ("slug", "off", "on"),
    [
        ("pass", "", "19:47-1.2(a)1"),
        ("dont-pass", "", "19:47-1.2(a)2"),
        ("come", "19:47-1.2(a)3", ""),
        ("dont-come", "19:47-1.2(a)4", ""),
        ("field", "", ""),
        ("place-win-6", "", ""),
        ("hard-4", "", ""),
    ],
)
def test_when_a_wager_is_made(slug: str, off: str, on: str) -> None:
    assert (timed(felt(), slug, OFF), timed(felt(), slug, ON)) == (off, on)


def test_a_number_that_is_travelled_to_is_not_bet_directly() -> None:
    spot = felt().spots["come-9"]
    refusal = wager_checks.check_time(spot, ON, {})
    assert refusal is not None
    assert describe_refusal(refusal) == "come 9 is not bet directly: bet come, and it travels"


def test_odds_need_a_flat_that_has_its_number() -> None:
    layout = felt()
    assert timed(layout, "pass-odds", OFF, "pass") == "19:47-1.6(a)#1"
    assert timed(layout, "pass-odds", ON) == "19:47-1.6(a)#1"
    assert timed(layout, "pass-odds", ON, "pass") == ""
    assert timed(layout, "come-odds-9", OFF, "come-9") == ""
    assert timed(layout, "come-odds-9", ON, "come-8") == "19:47-1.6(c)#1"


@pytest.mark.parametrize(
    ("moment", "cite"),
    [
        (Moment(), ""),
        (Moment(puck=6), "19:47-1.2(a)40#1"),
        (Moment(fresh=False), "19:47-1.2(a)40#1"),
        (
            Moment(riding=frozenset({"points-made"})),
            "custom: no new ones while earlier ones wait for their decision",
        ),
        (Moment(riding=frozenset({"totals-thrown"})), ""),
    ],
)
def test_a_fire_wager_waits_for_a_new_shooter(moment: Moment, cite: str) -> None:
    assert timed(felt(elect={"offers.fire": "A"}), "fire", moment) == cite


# What is dealt


@pytest.mark.parametrize(
    ("book", "game", "slug", "cite"),
    [
        ("new-jersey", None, "big-6", "19:47-1.2(b)"),
        ("new-jersey", None, "place-win-7", "19:47-1.2(b)"),
        ("new-jersey", None, "hop-1-1", "19:47-1.2(b)"),
        ("new-jersey", None, "buy-7", "19:47-1.2(b)"),
        ("new-jersey", None, "fire", "19:47-1.12(a)"),
        ("new-jersey", "mini-craps", "fire", "19:47-1.2(a)#2"),
        ("new-jersey", None, "six-seven-eight", "19:47-1.2(a)39#1"),
        ("maryland-crapless", None, "dont-pass", "3.A"),
        ("maryland-crapless", None, "all-small", "5.H"),
        ("iowa", None, "place-lose-6", "wagers.intro.4"),
    ],
)
def test_a_wager_that_is_not_dealt_is_refused(
    book: str, game: str | None, slug: str, cite: str
) -> None:
    answer = wager_checks.find_spot(felt(book, game), slug)
    assert isinstance(answer, Refusal)
    assert answer.cite == cite


def test_a_layout_is_shown_in_a_few_words() -> None:
    layout = felt("maryland-crapless")
    assert repr(layout) == f"Layout(crapless under maryland-crapless, {len(layout.spots)} spots)"


def test_an_election_takes_a_wager_off_the_layout() -> None:
    answer = wager_checks.find_spot(felt(elect={"offers.buy": False}), "buy-4")
    assert isinstance(answer, Refusal)
    assert describe_refusal(answer) == "buy 4 is not dealt here: the house has not elected buy bets"


# Calling


def called(layout: Layout, slug: str, on: bool, before: bool | None = None) -> Refusal | None:
    return wager_checks.check_call(layout, layout.spots[slug], before, on)


def test_what_a_player_called_may_be_called_back() -> None:
    layout = felt("iowa")
    assert called(layout, "hard-8", on=True) is not None
    assert called(layout, "hard-8", on=True, before=False) is None
    assert called(felt(), "come-odds-9", on=False) is not None
    assert called(felt(), "come-odds-9", on=False, before=True) is None


@pytest.mark.parametrize(
    ("slug", "cite"), [("come-odds-9", "wagers.5.c#3"), ("dont-come-odds-9", "wagers.5.d#3")]
)
def test_in_iowa_come_odds_are_not_called_on(slug: str, cite: str) -> None:
    refusal = called(felt("iowa"), slug, on=True)
    assert refusal is not None
    assert refusal.cite == cite


@pytest.mark.custom("working")
def test_without_a_rule_anywhere_a_wager_always_works() -> None:
    layout = felt(but={"working": None})
    assert layout.spots["pass"].works
    refusal = called(layout, "pass", on=False)
    assert refusal is not None
    assert refusal.cite.startswith("custom: a wager works on every roll")


def test_a_book_may_rest_its_wagers_on_a_come_out() -> None:
    layout = felt(but={"working/is": "off"})
    assert not layout.spots["lay-4"].works
