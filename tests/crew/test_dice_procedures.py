"""The crew's procedures for the set of dice, reliefs, dead games, tokes and change."""

from __future__ import annotations

import pytest

from passline.crew.procedures import list_between_roll_tasks
from passline.crew.tasks import Task
from passline.game.table.evolve import evolve
from tests.table.games import deal

PASS = "ann: pass for 10\n"
TWO = "ann 1000, bob 1000"
SIZES = "0.7500 0.7510 0.7511 0.7500 0.7575"


def tasks(play: str, players: str = "ann 1000", book: str = "iowa") -> list[Task]:
    """Return what the crew does for the last line of a game."""
    dealt = deal(play, players, book=book)
    table = dealt.opening
    found: list[Task] = []
    for entry in dealt.entries:
        for event in entry.events:
            if entry.line == dealt.entries[-1].line:
                found += list_between_roll_tasks(table, event)
            table = evolve(table, event)
    return found


def cites(found: list[Task]) -> list[str]:
    return [task.cite for task in found]


def words(found: list[Task]) -> list[str]:
    return [f"{task.by} {task.words}" for task in found]


@pytest.mark.clause("iowa:stick.2#1", "iowa:stick.2#2", "iowa:stick.2#3", "iowa:stick.16#1")
def test_dice_that_go_out_show_neither_craps_nor_seven() -> None:
    assert words(tasks(PASS + "ann takes the dice\ndice out")) == [
        "stickperson turns the dice so that they show no craps",
        "stickperson sends the dice straight to ann",
        "stickperson says: coming out",
        "stickperson says: dice are out",
    ]
    found = tasks(PASS + "roll 3 3\ndice out")
    assert cites(found)[:2] == ["stick.2#3", "stick.16#1"]
    assert "no seven" in found[0].words


@pytest.mark.clause("dealer-school:stick.16", "dealer-school:stick-handling.2")
def test_the_school_sends_them_so_too() -> None:
    found = tasks(PASS + "roll 3 3\ndice out", book="dealer-school")
    assert cites(found)[:3] == ["stick.16", "stick-handling.2", "calling.6"]


@pytest.mark.clause("iowa:stick.16#2")
def test_dice_are_drawn_back() -> None:
    assert cites(tasks(PASS + "dice out\ndice back")) == ["stick.16#2"]


@pytest.mark.clause("iowa:stick.10#2", "dealer-school:stick.3#1")
@pytest.mark.parametrize(("book", "cite"), [("iowa", "stick.10#2"), ("dealer-school", "stick.3#1")])
def test_a_late_proposition_is_booked_by_word(book: str, cite: str) -> None:
    (late,) = tasks(PASS + "dice out\nann: hard-8 for 1", book=book)
    assert (late.cite, "set up once the roll is over" in late.words) == (cite, True)


@pytest.mark.clause(
    "iowa:dice-inspection.1",
    "iowa:dice-inspection.2#1",
    "iowa:dice-inspection.3#1",
    "iowa:dice-inspection.3#2",
    "iowa:dice-inspection.4",
)
def test_a_set_is_inspected_step_by_step() -> None:
    found = tasks(f"inspect dice {SIZES} serial 4411")
    steps = ["1", "2#1", "3#1", "4", "intro#2", "3#2"]
    assert cites(found) == [f"dice-inspection.{step}" for step in steps]
    assert {task.by for task in found} == {"supervisor"}
    assert "4411" in found[-1].words
    unfit = tasks(f"inspect dice {SIZES} serial 4411 flaw defect")
    assert unfit[-1].words == "finds: defect"


def test_a_book_without_a_micrometer_looks_and_compares() -> None:
    found = tasks("inspect dice serial 4411", book="new-jersey")
    assert [task.do for task in found] == ["inspect", "verify", "tell", "keep"]
    assert all(task.cite.startswith("custom: ") for task in found)


def test_dice_in_play_are_looked_over() -> None:
    (look,) = tasks("inspect dice")
    assert look.words == "looks the dice over and finds: nothing is wrong"


def test_dice_are_brought_in() -> None:
    (brought,) = tasks(PASS + "recall dice switched")
    assert (brought.cite, brought.by) == ("dice-inspection.6.3", "stickperson")


@pytest.mark.clause("iowa:dice-inspection.6.2")
def test_dice_that_a_shooter_hands_over_are_inspected() -> None:
    found = tasks("ann takes the dice\nann passes the dice", TWO)
    assert cites(found) == ["dice-inspection.6.2", "stick.18#3"]
    out = tasks(PASS + "roll 3 3\nroll 4 3")
    assert "dice-inspection.6.2" not in cites(out)
    assert len(tasks("ann takes the dice\nann passes the dice", book="new-jersey")) == 1


@pytest.mark.clause("iowa:dice-inspection.5#1", "iowa:dice-inspection.5#2")
def test_sets_are_exchanged_once_the_roll_is_over() -> None:
    assert cites(tasks("new dice age"))[0] == "dice-inspection.5#2"


@pytest.mark.clause("iowa:dice-inspection.5#3", "iowa:dice-inspection.5#4")
def test_an_old_set_is_cancelled_signed_out_and_wrapped() -> None:
    look = f"inspect dice {SIZES} serial {{}}\nnew dice age serial {{}}\n"
    play = look.replace("{}", "4411") + look.replace("{}", "4412") + "cancel dice 4411"
    assert words(tasks(play)) == [
        "supervisor cancels every die of set 4411 on the 4",
        "supervisor signs the dice out on foil, wraps them in it and tapes both ends",
    ]


@pytest.mark.clause("dealer-school:stick.26", "dealer-school:stick.27")
def test_a_lost_die_is_looked_for() -> None:
    lost = PASS + "no roll off-table\ndie lost"
    assert cites(tasks(lost, book="dealer-school")) == ["stick.26", "stick.27"]
    assert "4 dice are left" in tasks(lost, book="dealer-school")[0].words
    assert cites(tasks(lost + "\ndie found", book="dealer-school")) == ["stick.27"]


@pytest.mark.clause(
    *("iowa:relief.stick.1#1", "iowa:relief.stick.1#2", "iowa:relief.stick.2#1"),
    *("iowa:relief.stick.2#2", "iowa:relief.stick.4"),
)
def test_a_stickperson_is_told_who_shoots() -> None:
    found = tasks(PASS + "roll 3 3\nkim relieves the stickperson\nlee relieves the stickperson")
    assert [task.by for task in found] == ["lee", "lee", "kim", "kim", "lee"]
    assert found[2].words == "points out the shooter: ann"
    steps = ["1#1", "1#2", "2#1", "2#2", "4"]
    assert cites(found) == [f"relief.stick.{step}" for step in steps]
    assert "the shooter: nobody" in tasks("kim relieves the stickperson")[2].words


@pytest.mark.clause("iowa:relief.base.1")
def test_a_base_dealer_is_told_who_has_donts() -> None:
    play = "ann: dont-pass for 10\nbob: lay-4 for 10\n"
    for post, who in (("base dealer", "ann, bob"), ("left base dealer", "ann")):
        (told,) = tasks(f"{play}kim relieves the {post}", TWO)
        assert (told.by, told.cite) == (post, "relief.base.1")
        assert f"don't wagers up: {who};" in told.words
    assert "up: nobody;" in tasks("kim relieves the base dealer")[0].words


@pytest.mark.clause("iowa:relief.box.2", "iowa:relief.box.1#2")
def test_a_boxperson_is_briefed_and_gives_the_ok() -> None:
    assert cites(tasks("kim relieves the boxperson")) == ["relief.box.2"]
    play = "kim relieves the boxperson\nboxperson okays the dice"
    assert cites(tasks(play)) == ["relief.box.1#2"]


@pytest.mark.clause("iowa:dead-game.1", "iowa:dead-game.2#1", "iowa:dead-game.2#2")
def test_a_dead_game_is_set_up() -> None:
    found = tasks("dead game")
    assert cites(found) == ["dead-game.1", "dead-game.1", "dead-game.2#2", "dead-game.2#1"]
    assert [task.end for task in found] == ["left", "right", "", ""]
    assert found[2].words == "puts 5 dice in the bowl"


@pytest.mark.clause("dealer-school:stick-handling.dump-bowl")
def test_the_bowl_is_dumped_for_who_comes_up() -> None:
    found = tasks("dead game\nann buys in 100", book="dealer-school")
    assert found[0].cite == "stick-handling.dump-bowl"


def test_the_bowl_is_dumped_for_who_comes_up_for_the_first_time() -> None:
    found = tasks("dead game\nbob joins for 100", book="dealer-school")
    assert found[0].words == "empties the bowl: bob comes up"


def test_nobody_repeats_a_wager_that_goes_down_unnoticed() -> None:
    (seen,) = tasks("ann: field for 5")
    (unseen,) = tasks("ann: field for 3 unnoticed")
    assert seen.words == "repeats: ann, field for $5"
    assert unseen.words == "does not notice that ann puts $3 on field"


@pytest.mark.clause("iowa:tokes.2")
def test_a_wager_for_the_dealers_is_announced() -> None:
    found = tasks("ann: hard-8 for 1 for the dealers")
    assert found[0].cite == "tokes.2"
    assert found[0].words == "announces a wager for the dealers, from ann: hard 8, $1"
    won = tasks(PASS + "ann: eleven for 1 for the dealers\nroll 6 5")
    assert won[-1].words == "sees the dealers' $16 into the toke box"


@pytest.mark.clause("iowa:change.1.a", "iowa:change.1.b#1", "iowa:change.1.b#2", "iowa:base.2#1")
def test_change_is_called_cut_and_set_before_the_player() -> None:
    found = tasks("ann changes 100 to green")
    steps = ["a", "b#1", "b#1", "b#2"]
    assert cites(found) == [f"change.1.{step}" for step in steps]
    assert found[2].words == "cuts 4 green in the come"
    assert not any(task.moves for task in found)


def test_closing_and_opening_is_nobodys_errand() -> None:
    assert tasks("table closes\ntable opens") == []


@pytest.mark.clause("iowa:place/one-button")
def test_one_button_stands_for_all_only_while_it_is_true_of_all() -> None:
    called = PASS + "ann: place-win-6 for 12; buy-4 for 20; all on\n"
    more = [task.words for task in tasks(called + "ann: place-win-9 for 10")][1:]
    assert more == ["puts an on button on ann's place 6", "leaves the on button on ann's buy 4"]
    less = tasks(called + "ann: place-win-9 for 10\nann: place-win-9 down")
    assert less[-1].words.endswith("all of ann's bets on the numbers are on")
    moved = [task.words for task in tasks(called + "ann: buy-4 down")][1:]
    assert moved == ["puts an on button on ann's place 6"]
    assert len(tasks(called + "ann: field for 5")) == 1
