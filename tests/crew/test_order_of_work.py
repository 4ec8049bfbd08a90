"""What the manuals require of the order of work on a roll, clause by clause."""

from __future__ import annotations

import pytest

from passline.crew.tasks import Task
from tests.crew.test_work_list import last_roll, steps

SCHOOL = "dealer-school"


def at(tasks: list[Task], do: str, wager: str = "", player: str = "") -> int:
    """Return the position of a task in the list."""
    return next(
        n
        for n, task in enumerate(tasks)
        if task.do == do and wager in ("", task.wager) and player in ("", task.player)
    )


@pytest.mark.clause("iowa:stick.14#1", "iowa:stick.14#2", "iowa:prop-payoffs.2")
@pytest.mark.parametrize("book", ["iowa", "new-jersey", "section-2"])
def test_losing_props_come_down_once_the_far_payoffs_are_watched(book: str) -> None:
    play = (
        "ann: pass for 10; any-craps for 5\ndan: pass for 10\nroll 4 2\n"
        "ann: any-craps for 5; place-win-8 for 12; hard-8 for 5\ndan: place-win-8 for 12\nroll 5 3"
    )
    tasks = last_roll(book, play)
    far = [n for n, t in enumerate(tasks) if t.do == "pay" and t.end == "right"]
    taken = [n for n, t in enumerate(tasks) if t.do == "take" and t.post == "stick"]
    assert far
    assert [tasks[n].wager for n in taken] == ["hard-8", "any-craps"]
    assert min(taken) > max(far)
    if book == "iowa":
        (watched,) = [n for n, t in enumerate(tasks) if t.cite == "stick.14#2"]
        assert (tasks[watched].end, tasks[watched].post) == ("right", "stick")
        assert watched < min(far)
        assert {tasks[n].cite for n in taken} == {"stick.14#1"}


def test_props_are_paid_after_the_losing_ones_are_down() -> None:
    play = "ann: pass for 10\nroll 4 2\nann: any-craps for 5\nbob: eleven for 1\nroll 6 5"
    tasks = last_roll("iowa", play)
    assert at(tasks, "take", "any-craps") < at(tasks, "pay", "eleven")


@pytest.mark.clause("dealer-school:pay.pass.order#1", "dealer-school:base.11")
def test_the_school_takes_every_loser_before_a_winner_is_paid() -> None:
    play = (
        "ann: dont-pass for 10\nroll 4 2\n"
        "ann: come for 10; dont-come for 10; place-win-8 for 12; any-craps for 1\nroll 5 4\n"
        "ann: come for 10; field for 5; any-craps for 1\nroll 4 3"
    )
    done = [t.do for t in last_roll(SCHOOL, play) if t.do in {"take", "pay"}]
    assert done == sorted(done, reverse=True)
    assert {"take", "pay"} == set(done)


BEHIND = """\
dan: pass for 10
roll 4 2
{who}: dont-come for 10
roll 2 2
{who}: dont-come for 10; dont-come-odds-4 for 20
roll 5 4
{who}: dont-come-odds-9 for 30; lay-5 for 30
roll 4 3
"""


@pytest.mark.clause("iowa:dont-come-lay/inside-first", "iowa:dont-come-lay/odds-first")
@pytest.mark.clause("iowa:dont-come-lay/in-place")
@pytest.mark.parametrize(
    ("who", "wagers"),
    [
        ("ann", ["dont-come-odds-4", "dont-come-4", "lay-5", "dont-come-odds-9", "dont-come-9"]),
        ("cat", ["dont-come-odds-9", "dont-come-9", "lay-5", "dont-come-odds-4", "dont-come-4"]),
    ],
)
def test_donts_are_paid_bet_by_bet_from_the_inside(who: str, wagers: list[str]) -> None:
    """The 4 lies nearest the center at the box's left end, the 10 at the right."""
    tasks = last_roll("iowa", BEHIND.format(who=who))
    assert [t.wager for t in tasks if t.do == "pay" and t.player == who] == wagers


@pytest.mark.clause("iowa:dont-come-lay/lay-announce", "iowa:dont-come-lay/lay-stack")
@pytest.mark.clause("iowa:dont-come-lay/hand-off", "iowa:dont-come-lay/lay-order")
def test_a_players_donts_are_handed_over_before_the_next_is_paid() -> None:
    play = (
        "dan: pass for 10\nroll 4 2\nann: dont-come for 10\nbob: dont-come for 10\nroll 2 2\n"
        "ann: lay-5 for 30; lay-10 for 40\nbob: lay-9 for 30\nroll 4 3"
    )
    tasks = last_roll("iowa", play)
    assert steps(tasks, "announce", "pay", "hand off") == [
        ("pay", "ann", "dont-come-4"),
        ("announce", "ann", "lay-5"),
        ("pay", "ann", "lay-5"),
        ("announce", "ann", "lay-10"),
        ("pay", "ann", "lay-10"),
        ("hand off", "ann", "dont-come-4"),
        ("hand off", "ann", "lay-10"),
        ("pay", "bob", "dont-come-4"),
        ("announce", "bob", "lay-9"),
        ("pay", "bob", "lay-9"),
        ("hand off", "bob", "dont-come-4"),
        ("hand off", "bob", "lay-9"),
    ]
    said = [t for t in tasks if t.do == "announce" and t.player]
    assert {t.cite for t in said} == {"dont-come-lay/lay-announce"}
    assert said[0].words == "announces $20 for lay 5, to ann"
    over = [t for t in tasks if t.do == "hand off"][:2]
    assert [t.cite for t in over] == ["dont-come-lay/hand-off", "dont-come-lay/lay-stack"]
    assert "lay 5 and lay 10 with the payoffs in the don't come" in over[1].words


@pytest.mark.clause("dealer-school:come.example/6", "iowa:come/pay-in-come#1")
@pytest.mark.parametrize(
    ("book", "cite"), [("iowa", "come/pay-in-come#1"), (SCHOOL, "come.example/6")]
)
def test_a_come_is_brought_out_before_its_odds_are_paid(book: str, cite: str) -> None:
    play = (
        "ann: pass for 10\nroll 4 2\nann: come for 10\nbob: come for 10\nroll 5 4\n"
        "ann: come-odds-9 for 20\nroll 5 4"
    )
    tasks = last_roll(book, play)
    assert steps(tasks, "bring out", "pay") == [
        ("bring out", "ann", "come-9"),
        ("pay", "ann", "come-odds-9"),
        ("pay", "ann", "come-9"),
        ("bring out", "bob", "come-9"),
        ("pay", "bob", "come-9"),
    ]
    out = tasks[at(tasks, "bring out")]
    assert (out.cite, out.amount) == (cite, 3000)
    assert "odds in front of the flat" in out.words


def test_a_come_that_wins_where_it_lies_is_not_brought_out() -> None:
    tasks = last_roll("iowa", "ann: pass for 10\nroll 4 2\nann: come for 10\nroll 6 5")
    assert "bring out" not in [task.do for task in tasks]


@pytest.mark.clause("dealer-school:base.12")
def test_the_school_announces_every_wager_taken_and_paid() -> None:
    play = (
        "ann: pass for 10; field for 5\nbob: dont-pass for 10\nroll 4 2\n"
        "ann: pass-odds for 20; place-win-8 for 12\nbob: field for 5\nroll 5 1"
    )
    tasks = last_roll(SCHOOL, play)
    handled = [n for n, t in enumerate(tasks) if t.do in {"take", "pay"}]
    assert len(handled) == 4
    for n in handled:
        said, done = tasks[n - 1], tasks[n]
        assert (said.do, said.by, said.cite) == ("announce", done.by, "base.12")
        assert (said.player, said.wager) == (done.player, done.wager)
        assert not said.moves
    words = [t.words for t in tasks if t.cite == "base.12"]
    assert "announces bob's don't pass taken, $10" in words
    assert "announces $24 for pass odds, to ann" in words
    props = last_roll(SCHOOL, "ann: pass for 10; eleven for 1\nroll 4 2")
    assert [(t.do, t.post, t.cite) for t in props if t.wager == "eleven"] == [
        ("announce", "stick", "base.12"),
        ("take", "stick", "pay.pass.order#1"),
    ]
    iowa = last_roll("iowa", play)
    assert not [t for t in iowa if t.do == "announce" and t.player]


@pytest.mark.clause("iowa:prop-payoffs.4", "iowa:stick.15")
def test_a_proposition_is_announced_as_it_is_paid() -> None:
    play = "ann: pass for 10; eleven for 1\nbob: eleven for 2\nroll 6 5"
    tasks = last_roll("iowa", play)
    props = [(t.do, t.player, t.post) for t in tasks if t.wager == "eleven"]
    assert props == [
        ("announce", "ann", "stick"),
        ("pay", "ann", "base"),
        ("announce", "bob", "stick"),
        ("pay", "bob", "base"),
    ]
    told = tasks[at(tasks, "announce", "eleven")]
    assert (told.words, told.cite) == ("announces $15 for eleven, to ann", "prop-payoffs.4")
    # Nothing that loses is announced, and nothing that is no proposition.
    assert [t.player for t in tasks if t.do == "announce" and t.player] == ["ann", "bob"]
    lost = last_roll("iowa", "ann: pass for 10; eleven for 1\nroll 6 1")
    assert [t for t in lost if t.do == "announce" and t.player] == []


@pytest.mark.clause("dealer-school:calls.b.advertise.point")
def test_the_stick_advertises_last_once_a_point_is_set() -> None:
    tasks = last_roll(SCHOOL, "ann: pass for 10\nroll 4 2")
    assert tasks[-1].said.startswith("place your bets: place bets")
    assert last_roll("iowa", "ann: pass for 10\nroll 4 2")[-1].said == ""
