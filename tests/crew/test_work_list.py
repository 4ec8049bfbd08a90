"""The order of the crew's work: what is taken, paid and placed, from which end, in which
direction.
"""

from __future__ import annotations

import pytest

from passline.crew.report import list_event_tasks
from passline.crew.tasks import Pot, Task, apply_tasks, compute_ledger
from passline.game.table.events import AnyEvent, Changed, DiceTaken, Rolled
from passline.game.table.evolve import evolve
from passline.record.deal import deal_text

HEAD = "rulebook: {book}\n" + "".join(
    f"player: {name} 2000\n" for name in ("ann", "bob", "cat", "dan")
)


def last_roll(book: str, play: str, extra: str = "") -> list[Task]:
    """Return the work list of the last roll. ann and bob are at the left end, cat and dan at the
    right.
    """
    return tasks_at(book, play, Rolled, extra)


def tasks_at(book: str, play: str, kind: type[AnyEvent], extra: str = "") -> list[Task]:
    dealt = deal_text(HEAD.format(book=book) + extra + "\n" + play)
    assert dealt.refusals == ()
    table, found = dealt.opening, []
    for entry in dealt.entries:
        for event in entry.events:
            if isinstance(event, kind):
                found = list(list_event_tasks(table, event))
            table = evolve(table, event)
    return found


def steps(tasks: list[Task], *verbs: str) -> list[tuple[str, str, str]]:
    """Return (verb, player, wager) of the tasks that handle wagers, in order."""
    return [(t.do, t.player, t.wager) for t in tasks if t.player and (not verbs or t.do in verbs)]


@pytest.mark.clause("iowa:stick.8#2")
@pytest.mark.clause("iowa:stick.21.e")
def test_called_then_retrieved_before_anything_is_taken() -> None:
    tasks = last_roll("iowa", "ann: pass for 10; yo for 5; field for 5\nroll 4 4")
    assert [task.do for task in tasks[:4]] == ["announce", "announce", "call", "retrieve"]
    assert steps(tasks) == [("take", "ann", "field"), ("take", "ann", "eleven")]
    assert [task.words for task in tasks[:2]] == ["says: coming out", "says: dice are out"]
    assert tasks[2].words.startswith("calls: eight")


SEVEN_OUT = """\
ann: pass for 10; come for 10
roll 4 2
ann: pass-odds for 50; come for 10; dont-come for 20; field for 5; place-win-8 for 12
bob: lay-4 for 40; place-win-5 for 10
roll 5 4
ann: come for 10; dont-come for 20; field for 5
roll 4 3
"""


@pytest.mark.clause("iowa:take-pay.1.c#1")
@pytest.mark.clause("iowa:take-pay.1.c#2")
@pytest.mark.clause("iowa:dont-come-lay/push-place")
def test_a_seven_out_takes_the_dont_come_first_and_the_boxes_last() -> None:
    play = SEVEN_OUT.replace("; come for 10\nroll 4 2", "\nroll 4 2")
    assert steps(last_roll("iowa", play)) == [
        ("take", "ann", "dont-come"),
        ("take", "ann", "pass-odds"),
        ("take", "ann", "pass"),
        ("take", "ann", "field"),
        ("push", "ann", "place-win-8"),
        ("push", "bob", "place-win-5"),
        ("pay", "ann", "come"),
        ("pay", "ann", "dont-come-9"),
        ("hand off", "ann", "dont-come-9"),
        ("announce", "bob", "lay-4"),
        ("pay", "bob", "lay-4"),
        ("hand off", "bob", "lay-4"),
        ("take", "ann", "come-9"),
        ("take", "ann", "place-win-8"),
        ("take", "bob", "place-win-5"),
    ]


def test_nothing_is_pushed_aside_where_no_dont_is_in_the_way() -> None:
    play = "ann: pass for 10\nroll 4 2\nann: place-win-8 for 12\nroll 4 3"
    assert steps(last_roll("iowa", play)) == [
        ("take", "ann", "pass"),
        ("take", "ann", "place-win-8"),
    ]
    # A don't at the other end is in nobody's way here.
    play = "ann: pass for 10\nroll 4 2\nann: place-win-8 for 12\ndan: lay-4 for 40\nroll 4 3"
    assert "push" not in [task.do for task in last_roll("iowa", play)]


@pytest.mark.clause("iowa:take-pay.1.a")
@pytest.mark.clause("iowa:take-pay.1.b")
def test_donts_are_placed_before_comes_are_paid_and_place_bets_wait_for_both() -> None:
    play = """\
ann: pass for 10
roll 4 2
ann: come for 10
roll 5 3
ann: come for 10; dont-come for 10; place-win-8 for 12; come-odds-8 for 20
roll 4 4
"""
    assert steps(last_roll("iowa", play)) == [
        ("place", "ann", "dont-come"),
        ("bring out", "ann", "come-8"),
        ("pay", "ann", "come-odds-8"),
        ("pay", "ann", "come-8"),
        ("place", "ann", "come"),
        ("pay", "ann", "place-win-8"),
    ]


@pytest.mark.clause("iowa:take-pay.3#1")
@pytest.mark.clause("iowa:take-pay.3#2")
@pytest.mark.clause("dealer-school:pay.pass.order#2")
@pytest.mark.parametrize("book", ["iowa", "dealer-school"])
def test_the_line_is_paid_from_base_to_stick_odds_before_flat(book: str) -> None:
    everybody = "".join(f"{name}: pass for 10\n" for name in ("ann", "bob", "cat", "dan"))
    tasks = last_roll(
        book, f"{everybody}roll 4 2\nann: pass-odds for 20\ndan: pass-odds for 20\nroll 5 1"
    )
    assert steps(tasks, "pay") == [
        ("pay", "ann", "pass-odds"),
        ("pay", "ann", "pass"),
        ("pay", "bob", "pass"),
        ("pay", "dan", "pass-odds"),
        ("pay", "dan", "pass"),
        ("pay", "cat", "pass"),
    ]
    assert [t.by for t in tasks if t.do == "pay"][-1] == "base dealer, right end"


@pytest.mark.clause("iowa:place/pay-order")
@pytest.mark.clause("dealer-school:pay.place.order")
@pytest.mark.parametrize("book", ["iowa", "dealer-school"])
def test_place_bets_are_paid_from_stick_to_base(book: str) -> None:
    names = ("ann", "bob", "cat", "dan")
    bets = "".join(f"{name}: place-win-8 for 12\n" for name in names)
    tasks = last_roll(book, f"ann: pass for 10\nroll 4 2\n{bets}roll 5 3")
    assert [task.player for task in tasks if task.do == "pay"] == ["bob", "ann", "cat", "dan"]
    assert all(dict(task.chips) == {"red": 2, "white": 4} for task in tasks if task.do == "pay")


@pytest.mark.clause("iowa:prop-payoffs.2")
@pytest.mark.clause("iowa:prop-payoffs.3#1")
@pytest.mark.clause("iowa:prop-payoffs.3#2")
@pytest.mark.clause("iowa:prop-payoffs.4")
def test_props_are_announced_and_paid_last_from_the_end_away_from_the_shooter() -> None:
    names = ("ann", "bob", "cat", "dan")
    bets = "".join(f"{name}: yo for 1\n" for name in names)
    tasks = last_roll("iowa", f"ann: pass for 10; field for 5\n{bets}roll 6 5")
    paid = [(task.do, task.player) for task in tasks if task.wager == "eleven"]
    right_then_left = ["dan", "cat", "ann", "bob"]
    assert paid == [(do, name) for name in right_then_left for do in ("announce", "pay")]
    assert [task.wager for task in tasks if task.do == "pay"][:2] == ["pass", "field"]
    first = "ann declines the dice\nbob declines the dice\ncat takes the dice\n"
    tasks = last_roll("iowa", f"{first}cat: pass for 10\n{bets}roll 6 5")
    paid = [(task.do, task.player) for task in tasks if task.wager == "eleven"]
    left_then_right = ["ann", "bob", "dan", "cat"]
    assert paid == [(do, name) for name in left_then_right for do in ("announce", "pay")]


@pytest.mark.clause("iowa:prop-payoffs.7#1")
def test_netted_props_stay_up_and_the_losers_come_out_of_the_win() -> None:
    tasks = last_roll("iowa", "ann: pass for 10; hard-8 for 5; any-seven for 5\nroll 4 4")
    (kept,) = [task for task in tasks if task.wager == "any-seven"]
    assert (kept.do, kept.moves) == ("keep", ())
    assert "it comes out of the win" in kept.words
    said, paid = [task for task in tasks if task.wager == "hard-8"]
    assert (said.do, said.amount, paid.do, paid.amount) == ("announce", 4000, "pay", 4000)
    assert dict(paid.chips) == {"green": 1, "red": 3}


@pytest.mark.clause("iowa:prop-payoffs.7#1")
def test_only_the_centers_wins_pay_for_netted_losers() -> None:
    bets = "pass for 10; place-win-8 for 12; buy-8 for 20; hard-8 for 5; any-seven for 5"
    tasks = last_roll("iowa", f"ann: pass for 10\nroll 3 3\nann: {bets}\nroll 4 4")
    paid = {task.wager: task.amount for task in tasks if task.do == "pay"}
    assert paid == {"place-win-8": 1400, "buy-8": 2400, "hard-8": 4000}


@pytest.mark.clause("iowa:overmax.7.b#1")
def test_what_is_over_the_maximum_is_cut_down_where_it_lost() -> None:
    bets = "ann: pass for 10\nann: field for 600 unnoticed\n"
    for dice, cite in (("6 5", "overmax.7.a"), ("3 3", "overmax.7.b#1")):
        tasks = last_roll("iowa", f"{bets}roll {dice}")
        (back,) = [task for task in tasks if task.do == "return"]
        assert (back.wager, back.amount, back.cite) == ("field", 10000, cite)


def test_a_short_rail_is_never_overdrawn_on_the_way() -> None:
    head = "rulebook: iowa\nplayer: ann 20\n"
    dealt = deal_text(head + "ann: pass for 10; eleven for 5; any-craps for 5\nroll 5 6")
    table = dealt.opening
    for entry in dealt.entries:
        for event in entry.events:
            pots = compute_ledger(table)
            for task in list_event_tasks(table, event):
                pots = apply_tasks(pots, [task])
                assert pots.get(Pot("rail", "ann"), 0) >= 0
            table = evolve(table, event)


@pytest.mark.clause("iowa:shootout.11")
def test_the_shootout_is_paid_once_it_is_verified() -> None:
    points = [(2, 2), (3, 2), (4, 2), (5, 3), (5, 4), (6, 4)]
    rolls = "".join(f"ann: pass for 10\nroll {a} {b}\nroll {a} {b}\n" for a, b in points)
    done = [task.do for task in last_roll("iowa", rolls) if task.by in {"supervisor", "boxperson"}]
    assert done.index("inspect") < done.index("pay")


@pytest.mark.clause("iowa:stick.3#2")
@pytest.mark.clause("iowa:stick.13#3")
@pytest.mark.clause("dealer-school:calling.4#2")
@pytest.mark.clause("dealer-school:calling.6")
def test_every_come_out_is_announced() -> None:
    def said(tasks: list[Task]) -> list[str]:
        return [t.words.removeprefix("says: ") for t in tasks if t.words.startswith("says: ")]

    made = "ann: pass for 10\nroll 4 2\nroll 5 1"
    assert said(last_roll("iowa", made)) == [
        "the point is six",
        "dice are out",
        "same shooter",
        "coming out",
        "all hardways are working unless called off",
    ]
    assert "hardways are off unless called on" in said(last_roll("dealer-school", made))
    first = tasks_at("iowa", "ann: dont-pass for 10\nroll 4 2", DiceTaken)
    assert said(first)[-3:] == [
        "coming out",
        "shooting from the don't",
        "all hardways are working unless called off",
    ]
    out = last_roll("iowa", "ann: pass for 10\nroll 4 2\nroll 4 3")
    assert "coming out" not in said(out)


def test_the_whole_pay_of_a_buy_bet_is_cut() -> None:
    play = "ann: pass for 10\nroll 4 2\nann: buy-4 for 50\nroll 3 1"
    (paid,) = [task for task in last_roll("iowa", play) if task.wager == "buy-4"]
    assert (paid.amount, dict(paid.chips)) == (10000, {"black": 1})


@pytest.mark.clause("dealer-school:stick.19#1", "dealer-school:stick.19#2")
@pytest.mark.clause("dealer-school:stick-handling.turn", "dealer-school:stick-handling.hold")
@pytest.mark.parametrize(
    ("rolls", "turned"),
    [
        (("4 2",), True),  # a point is set
        (("4 3",), False),  # a come-out that decides
        (("1 1",), False),
        (("4 2", "5 3"), False),  # a point stands
        (("4 2", "5 1"), False),  # it is made
        (("4 2", "4 3"), False),
    ],
)
def test_the_school_turns_the_dice_only_where_a_point_is_set(
    rolls: tuple[str, ...], turned: bool
) -> None:
    play = "ann: pass for 10\n" + "".join(f"roll {roll}\n" for roll in rolls)
    tasks = last_roll("dealer-school", play)
    assert ("turn" in [task.do for task in tasks]) == turned
    assert ("stick-handling.hold" in [task.cite for task in tasks]) == (not turned)


@pytest.mark.clause("iowa:base.3#1")
@pytest.mark.clause("iowa:base.3#2")
@pytest.mark.clause("iowa:stick.9")
def test_pucks_go_on_and_off_at_both_ends() -> None:
    on = [t.words for t in last_roll("iowa", "ann: pass for 10\nroll 4 2") if t.do == "mark"]
    assert on == ["puts the puck ON 6"] * 2
    off = [t for t in last_roll("iowa", "ann: pass for 10\nroll 4 2\nroll 4 3") if t.do == "mark"]
    assert [task.by for task in off] == ["base dealer, left end", "base dealer, right end"]


@pytest.mark.clause("new-jersey:19:47-1.12(a)4#1")
@pytest.mark.clause("new-jersey:19:47-1.12(a)6")
def test_fire_markers_count_points_and_the_fourth_is_told_to_surveillance() -> None:
    points = [(2, 2), (3, 2), (4, 2), (5, 3)]
    rolls = "".join(f"ann: pass for 10\nroll {a} {b}\nroll {a} {b}\n" for a, b in points)
    tasks = last_roll("new-jersey", "ann: fire for 5\n" + rolls, "house.offers.fire: A\n")
    assert [t.words for t in tasks if t.do == "button"] == ["puts fire marker 4 on the 8"]
    assert [t.by for t in tasks if t.do == "notify"] == ["boxperson"]
    third = last_roll(
        "new-jersey", "ann: fire for 5\n" + rolls.rpartition("ann:")[0], "house.offers.fire: A\n"
    )
    assert [t.do for t in third if t.do in {"button", "notify"}] == ["button"]


@pytest.mark.clause("maryland-crapless:11.A(6)")
@pytest.mark.clause("maryland-crapless:12.B(3)")
@pytest.mark.clause("maryland-crapless:12.B(5)#2")
def test_crapless_buttons() -> None:
    elected = "house.offers.fire: A\nhouse.offers.bonus: A\n"
    play = "ann: fire for 5; all-small for 5; pass for 10\nroll 1 1\nroll 1 1\n"
    tasks = last_roll("maryland-crapless", play.rpartition("roll")[0], elected)
    assert [t.words for t in tasks if t.do == "button"] == ["puts the bonus button on the 2"]
    made = last_roll("maryland-crapless", play, elected)
    assert [t.words for t in made if t.do == "button"] == ["puts fire marker 1 on the 2"]
    out = last_roll("maryland-crapless", play + "ann: pass for 10\nroll 4 4\nroll 4 3", elected)
    assert [t.words for t in out if t.do == "clear"] == [
        "takes the fire markers in",
        "clears the bonus buttons",
    ]


@pytest.mark.clause("iowa:shootout.2")
@pytest.mark.clause("iowa:shootout.3#2")
@pytest.mark.clause("iowa:shootout.4#1")
def test_the_shootout_is_marked_verified_and_inspected() -> None:
    points = [(2, 2), (3, 2), (4, 2), (5, 3), (5, 4), (6, 4)]
    rolls = "".join(f"ann: pass for 10\nroll {a} {b}\nroll {a} {b}\n" for a, b in points)
    tasks = last_roll("iowa", rolls)
    assert [t.do for t in tasks if t.by == "supervisor"] == ["verify", "inspect"]
    assert [t.amount for t in tasks if t.wager == "shootout"] == [10000]


def test_one_base_dealer_and_no_boxperson_where_the_house_says_so() -> None:
    elected = "house.crew.base_dealers: 1\nhouse.crew.boxperson: false\n"
    tasks = last_roll("iowa", "ann: pass for 10\nroll 4 2", elected)
    assert {task.by for task in tasks} == {"stickperson", "supervisor", "base dealer"}


def test_a_machine_deals_automated_craps() -> None:
    tasks = last_roll("new-jersey", "ann: pass for 10\nroll 4 3", "game: automated-craps\n")
    assert {task.by for task in tasks if task.do in {"call", "pay"}} == {"the machine"}


def test_vigorish_is_asked_for_when_a_buy_bet_wins() -> None:
    play = "ann: pass for 10\nroll 4 2\nann: buy-4 for 25\nroll 3 1"
    _, paid = [task for task in last_roll("dealer-school", play) if task.wager == "buy-4"]
    assert "asks for $1 vigorish" in paid.words
    assert [move.target.kind for move in paid.moves] == ["rail", "vig"]


def test_what_is_said_again_and_changes_nothing_is_no_work() -> None:
    play = "ann: pass for 10\nroll 4 2\nann: pass-odds for max; pass-odds for max"
    assert tasks_at("iowa", play, Changed) == []


@pytest.mark.clause("iowa:place/one-button", "iowa:def.button")
def test_the_button_of_a_decided_wager_comes_off() -> None:
    play = "ann: pass for 10; place-win-6 for 12; place-win-8 for 12; all on\nroll 4 2\n"
    dealt = deal_text("rulebook: iowa\nplayer: ann 500\n" + play)
    ((_, before, rolled),) = dealt.throws()
    words = [task.words for task in list_event_tasks(before, rolled) if task.do == "button"]
    assert words == ["takes the button off ann's place 6", "puts an on button on ann's place 8"]
