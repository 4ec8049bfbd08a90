"""The crew's procedures between rolls: buttons, vigorish, color changes, cash, warnings, dice."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from _pytest.mark import ParameterSet

from passline.crew.report import list_line_tasks
from passline.crew.tasks import Task
from passline.game.table.events import Rolled
from passline.game.table.evolve import evolve
from passline.record.deal import Dealt
from passline.record.report import crew_json, refused_entry_tasks
from passline.record.write import write_record
from tests.table.games import deal

CUP = "the cup before the stickperson"
MIRROR = "the bowl before the stickperson, against the mirror"


def clause_row(clause: str, *values: object) -> ParameterSet:
    """Return one row of test values, marked with the clause that it tests."""
    return pytest.param(*values, marks=pytest.mark.clause(clause))


SCHOOL = "dealer-school"
PASS = "ann: pass for 10\n"
POINT = PASS + "roll 3 3\n"
TWO = "ann 2000, bob 2000"


def tasks(
    play: str,
    book: str = "iowa",
    players: str = TWO,
    refused: tuple[str, ...] = (),
    elect: Mapping[str, str] | None = None,
) -> list[Task]:
    """Return what the crew does for the last line of a game."""
    dealt = deal(play, players, book=book, refused=refused, elect=elect)
    return at_line(dealt, dealt.entries[-1].line)


def at_line(dealt: Dealt, line: int) -> list[Task]:
    table = dealt.opening
    found: list[Task] = []
    events = [event for e in dealt.entries if e.line == line for event in e.events]
    for entry in dealt.entries:
        if entry.line == line:
            found += refused_entry_tasks(table, entry)
        else:
            for event in entry.events:
                table = evolve(table, event)
        if entry.line == line:
            break
    for _, done in list_line_tasks(table, events):
        found += done
    return found


def words(found: list[Task]) -> list[str]:
    return [task.words for task in found]


def cites(found: list[Task]) -> list[str]:
    return [task.cite for task in found]


# Shooting from the don't


def dont_said(found: list[Task]) -> list[str]:
    return [t.cite for t in found if t.words == "says: shooting from the don't"]


@pytest.mark.clause("iowa:stick.4")
@pytest.mark.parametrize(
    "play",
    [
        # At a come-out, dice in hand and wager made afterwards.
        "ann takes the dice\nann: dont-pass for 10",
        "ann: dont-pass for 10\nann takes the dice",
        # Mid-point, when the dice come to somebody who bets the don't.
        POINT.replace("roll", "bob: dont-pass for 10\nroll")
        + "ann passes the dice\nbob takes the dice",
        # Both sides, and the right one goes.
        "ann takes the dice\nann: pass for 10; dont-pass for 10\nann: pass down",
        # A come-out twelve takes the pass line and leaves the don't.
        "ann: pass for 10; dont-pass for 10\nroll 6 6",
        # A new don't after the last one was decided.
        "ann: dont-pass for 10\nroll 1 1\nann: dont-pass for 10",
    ],
)
def test_shooting_from_the_dont_is_said_when_it_comes_true(play: str) -> None:
    assert dont_said(tasks(play)) == ["stick.4"]
    assert dont_said(tasks(play, SCHOOL)) == []


@pytest.mark.parametrize(
    "play",
    [
        "ann takes the dice\nann: pass for 10; dont-pass for 10",
        "ann takes the dice\nbob: dont-pass for 10",
        "ann: dont-pass for 10\nroll 3 3\nann: dont-pass-odds for 12",
        "ann: dont-pass for 10\nroll 3 3\nroll 4 4",
    ],
)
def test_it_is_not_said_again_or_of_anybody_else(play: str) -> None:
    assert dont_said(tasks(play)) == []


# No rolls and warnings


@pytest.mark.clause("iowa:stick.19#1", "iowa:stick.19#2")
@pytest.mark.parametrize(
    ("line", "called"),
    [
        ("no roll off-table outside by stickperson", "no roll, one down outside"),
        ("no roll off-table inside", "no roll, one down inside"),
        ("no roll one down inside", "no roll, one down inside"),
        ("no roll off-table", "no roll, one down"),
    ],
)
def test_where_a_die_fell_is_called(line: str, called: str) -> None:
    found = tasks(POINT + line)
    assert [(t.words, t.cite) for t in found][:1] == [(f"calls: {called}", "stick.19#1")]
    assert cites(found)[1:] == ["stick.19#2", "stick.19#4", "stick.19#3"]


@pytest.mark.clause("dealer-school:stick.24")
@pytest.mark.clause("dealer-school:stick.24.a")
def test_both_dice_down_are_waited_for() -> None:
    found = tasks(POINT + "no roll off-table both by stickperson", SCHOOL)
    assert cites(found) == ["calling.18", "stick.22", "stick.24", "stick.24.a"]
    assert found[0].words == "calls: no roll, both down"
    assert "waits" in found[2].words
    iowa = tasks(POINT + "no roll off-table both by stickperson")
    assert cites(iowa) == ["stick.19#1", "stick.19#2", "stick.19#4", "stick.19#3"]


@pytest.mark.clause("dealer-school:stick.23")
def test_the_school_keeps_the_other_die_apart() -> None:
    found = tasks(POINT + "no roll off-table", SCHOOL)
    assert cites(found) == ["calling.18", "stick.22", "stick.23", "stick.23.a"]


@pytest.mark.parametrize(
    ("ground", "cite"),
    [
        clause_row("iowa:no-roll.3.a", "wrong-shooter", "a"),
        clause_row("iowa:no-roll.3.b", "not-together", "b"),
        clause_row("iowa:no-roll.3.c", "on-bank", "c"),
        clause_row("iowa:no-roll.3.d", "in-cup", "d"),
        clause_row("iowa:no-roll.3.e", "on-rail", "e"),
        clause_row("iowa:no-roll.3.f", "wrong-count", "f"),
        clause_row("iowa:no-roll.3.g", "no-tumble", "g"),
        clause_row("iowa:no-roll.3.h", "no-line-bet", "h"),
        clause_row("iowa:no-roll.3.i", "leaning", "i"),
        clause_row("iowa:no-roll.3.j", "outside-surface", "j"),
        clause_row("iowa:no-roll.3.k", "hit-player", "k"),
        clause_row("iowa:no-roll.3.k", "interference", "k"),
        clause_row("iowa:no-roll.3.l", "picked-up-early", "l"),
    ],
)
def test_a_no_roll_is_called_by_its_ground(ground: str, cite: str) -> None:
    (called,) = tasks(f"{POINT}no roll {ground} by stickperson")
    assert (called.cite, called.do) == (f"no-roll.3.{cite}", "call")
    assert called.words == f"calls: no roll ({ground.replace('-', ' ')})"
    school = tasks(f"{POINT}no roll on-bank", SCHOOL)
    assert cites(school) == ["calling.18"]


@pytest.mark.parametrize(
    ("book", "line", "by", "post"),
    [
        ("iowa", "no roll leaning", "stickperson", "stick"),
        ("new-jersey", "no roll stacked by boxperson", "boxperson", "box"),
        ("new-jersey", "no roll off-table by boxperson", "boxperson", "box"),
    ],
)
def test_a_no_roll_is_called_by_whoever_called_it(book: str, line: str, by: str, post: str) -> None:
    called = tasks(POINT + line, book)[0]
    assert (called.by, called.post, called.do) == (by, post, "call")


@pytest.mark.clause("iowa:no-roll.3.m")
def test_a_missed_wall_is_a_no_roll_only_after_a_warning() -> None:
    missed = "no roll misses-wall by supervisor\n"
    deal(POINT + missed, TWO, book="iowa", refused=["no-roll.3.m"])
    warned = POINT + "supervisor warns ann for misses-wall\n"
    (told,) = tasks(warned)
    assert (told.by, told.do, told.cite) == ("supervisor", "tell", "no-roll.3.m")
    assert cites(tasks(warned + missed)) == ["no-roll.3.m"]
    # Bob was not warned.
    other = warned + "roll 4 3\nbob: pass for 10\nbob takes the dice\n"
    deal(other + missed, TWO, book="iowa", refused=["no-roll.3.m"])
    # Nobody but the supervisor warns, and for nothing else.
    by = POINT + "stickperson warns ann for misses-wall\n"
    deal(by, TWO, book="iowa", refused=["no-roll.3.m"])
    deal(POINT + "supervisor warns ann for on-rail\n", TWO, book="iowa", refused=["custom"])
    deal(POINT + "boxperson warns ann\n", TWO, book="new-jersey", refused=["custom"])
    machine = "supervisor warns ann\n"
    deal(machine, TWO, book="new-jersey", game="automated-craps", refused=["custom"])


# Buttons


@pytest.mark.clause("iowa:place/one-button", "iowa:stick.13#2", "iowa:buy/one-button")
def test_one_button_stands_for_all() -> None:
    up = (
        POINT
        + "{0}: place-win-4 for 10; place-win-8 for 12; buy-10 for 20; hard-4 for 5; hard-8 for 5\n"
    )
    for who, nearest in (("ann", "place-win-4"), ("bob", "buy-10")):
        numbers, hards = tasks(up.format(who) + f"{who}: all off")
        assert (numbers.wager, numbers.cite, numbers.post) == (nearest, "place/one-button", "base")
        assert f"all of {who}'s bets on the numbers are off" in numbers.words
        assert (hards.cite, hards.post) == ("stick.13#2", "stick")
        assert f"all of {who}'s hardways are off" in hards.words
    (hards,) = tasks(up.format("ann") + "ann: hardways off")
    assert hards.cite == "stick.13#2"
    buys = POINT + "ann: buy-4 for 20; buy-5 for 20\nann: all off"
    assert cites(tasks(buys)) == ["buy/one-button"]


def test_single_calls_have_a_button_each_until_all_are_called() -> None:
    up = POINT + "ann: place-win-5 for 10; place-win-8 for 12\n"
    (one,) = tasks(up + "ann: place-win-8 off")
    assert (one.wager, one.cite) == ("place-win-8", "def.button")
    off, all_ = tasks(up + "ann: place-win-8 off\nann: place-win-5 off")
    assert (off.words, all_.wager) == ("takes the button off ann's place 8", "place-win-5")
    assert all_.cite == "place/one-button"
    (gone,) = tasks(up + "ann: place-win-8 off\nann: place-win-8 on")
    assert gone.words in {
        "takes the button off ann's place 8",
        "puts an on button on ann's place 8",
    }


@pytest.mark.clause("iowa:place/on-button", "iowa:buy/on-button", "iowa:buy/off-button")
def test_a_call_is_marked_by_its_own_clause() -> None:
    up = POINT + "ann: place-win-5 for 10; buy-9 for 20\n"
    for call, cite in (
        ("place-win-5 on", "place/on-button"),
        ("buy-9 on", "buy/on-button"),
        ("buy-9 off", "buy/off-button"),
    ):
        assert cites(tasks(f"{up}ann: {call}")) == [cite]


def test_a_button_that_lies_there_is_left() -> None:
    up = POINT + "ann: hard-6 for 5; hard-8 for 5\nann: hard-6 off\n"
    (one,) = tasks(up + "ann: hard-8 off")
    assert one.words == "leaves the off button on ann's hard 6: all of ann's hardways are off"


@pytest.mark.parametrize(
    ("say", "done"),
    [
        ("hard-8 to 10", [("stick", "book"), ("stick", "set up")]),
        ("hard-8 to 3", [("stick", "set up"), ("base", "return")]),
        ("hard-8 down", [("stick", "set up"), ("base", "return")]),
    ],
)
def test_propositions_are_changed_by_the_stick_and_handed_out_by_the_base(
    say: str, done: list[tuple[str, str]]
) -> None:
    found = tasks(POINT + f"ann: hard-8 for 5\nann: {say}")
    assert [(task.post, task.do) for task in found] == done


@pytest.mark.parametrize("book", ["new-jersey", "section-2", SCHOOL])
def test_other_books_have_a_button_on_each(book: str) -> None:
    found = tasks(POINT + "ann: place-win-5 for 10; place-win-8 for 12\nann: all off", book)
    assert [t.wager for t in found] == ["place-win-5", "place-win-8"]


# Vigorish


@pytest.mark.parametrize(
    ("wager", "say", "cite", "back"),
    [
        clause_row("iowa:buy/vig-return", "buy-4 for 40", "buy-4 down", "buy/vig-return", 4200),
        clause_row("iowa:lay/vig-return", "lay-4 for 80", "lay-4 down", "lay/vig-return", 8200),
        clause_row("iowa:lay/call-off#1", "lay-4 for 80", "lay-4 off", "lay/call-off#1", 8200),
    ],
)
def test_vigorish_is_in_what_is_handed_back(wager: str, say: str, cite: str, back: int) -> None:
    (given,) = tasks(f"{POINT}ann: {wager}\nann: {say}")
    assert (given.do, given.cite, given.amount) == ("return", cite, back)
    assert "$2 of it vigorish" in given.words
    assert sum({"white": 1, "red": 5, "green": 25}[c] * n for c, n in given.chips) * 100 == back


@pytest.mark.clause("iowa:buy/booking", "iowa:lay/booking")
@pytest.mark.parametrize(
    ("wager", "to", "cite", "vig"),
    [
        ("buy-4 for 40", "buy-4 to 80", "buy/booking", 2),
        ("lay-4 for 80", "lay-4 to 120", "lay/booking", 1),
    ],
)
def test_vigorish_is_announced_on_a_raise(wager: str, to: str, cite: str, vig: int) -> None:
    (raised,) = tasks(f"{POINT}ann: {wager}\nann: {to}")
    assert raised.cite == cite
    assert f"vigorish ${vig}" in raised.words
    (less,) = tasks(f"{POINT}ann: buy-4 for 80\nann: buy-4 to 40")
    assert less.words == "takes buy 4 down to $40 and hands ann $42, $2 of it vigorish"
    assert less.cite == "buy/vig-return"
    (less,) = tasks(f"{POINT}ann: lay-4 for 120\nann: lay-4 to 80")
    assert less.cite == "lay/vig-return"


def test_a_buy_button_goes_on_once() -> None:
    assert len(tasks(POINT + "ann: buy-4 for 20")) == 2
    assert len(tasks(POINT + "ann: buy-4 for 20\nann: buy-4 for 20")) == 1


# Limits, colour, cash, wagers refused aloud


@pytest.mark.clause("iowa:undermin.6#1")
def test_the_supervisor_is_told_of_a_wager_under_the_minimum() -> None:
    found = tasks("ann: pass for 2 unnoticed\nroll 4 3", elect={"limits.min": "5"})
    told = [t for t in found if t.cite == "undermin.6#1"]
    assert [(t.do, t.post) for t in told] == [("notify", "base"), ("tell", "base")]
    assert told[0].words == "tells the supervisor that ann's pass line was under the minimum"
    assert "pass line takes $5 to" in told[1].words
    over = tasks("ann: pass for 600 unnoticed\nroll 4 3")
    assert not [t for t in over if t.cite == "undermin.6#1"]
    assert [t.do for t in over if "takes $5 to $500" in t.words] == ["tell"]


@pytest.mark.clause("iowa:change.2#1", "iowa:change.2#2", "iowa:change.2#3", "iowa:change.2#4")
@pytest.mark.clause("iowa:change.2#5")
def test_a_colour_change_is_called_and_waits_for_permission() -> None:
    found = tasks("ann colours up")
    assert cites(found) == [f"change.2#{n}" for n in (1, 1, 1, 2, 3, 4, 5)]
    assert [t.by for t in found[:4]] == [
        "base dealer, left end",
        "base dealer, left end",
        "supervisor",
        "base dealer, left end",
    ]
    assert words(found)[0] == "calls: color coming in"
    # The same in steps: nothing moves before there is leave.
    asked = "ann asks to colour up\n"
    assert cites(tasks(asked)) == ["change.2#1", "change.2#1"]
    deal(asked + "ann colours up\n", TWO, book="iowa", refused=["change.2#1"])
    deal(asked + "ann asks to colour up\n", TWO, book="iowa", refused=["change.2#1"])
    deal("supervisor permits ann to colour up\n", TWO, book="iowa", refused=["change.2#1"])
    by = asked + "stickperson permits ann to colour up\n"
    deal(by, TWO, book="iowa", refused=["change.2#1"])
    permitted = asked + "supervisor permits ann to colour up\n"
    assert cites(tasks(permitted)) == [f"change.2#{n}" for n in (1, 2, 3, 4, 5)]
    # Done: the next one is called anew.
    assert cites(tasks(permitted + "ann colours up")) == cites(found)
    deal(asked + "boxperson permits ann to colour up\n", TWO, book="new-jersey")


def test_both_spellings_of_color_up_are_the_same_line() -> None:
    british = "ann asks to colour up\nsupervisor permits ann to colour up\n"
    american = british.replace("colour", "color")
    assert american.count("color") == 2
    assert tasks("ann colors up") == tasks("ann colours up")
    assert tasks(american) == tasks(british)
    assert write_record(deal(american, TWO)) == write_record(deal(british, TWO))


@pytest.mark.clause("iowa:change.1.c#1", "iowa:change.1.c#2")
def test_cash_with_the_dice_out_is_booked_by_word_and_picked_up_later() -> None:
    cash = "ann: field for 5 in cash confirmed by dealer"
    found = tasks(POINT + "dice out\n" + cash)
    assert cites(found)[:2] == ["change.1.c#1", "change.1.c#2"]
    assert "change.1.a" not in cites(found)
    assert "once the dice have gone by" in found[1].words
    assert "change.1.a" in cites(tasks(POINT + cash))


@pytest.mark.clause("dealer-school:base.9.a#1", "dealer-school:base.9.a#2")
def test_no_bet_is_called() -> None:
    late = POINT + "ann: field for 5 no bet"
    (called,) = tasks(late, SCHOOL, refused=("base.9.a#2",))
    assert (called.do, called.post, called.cite) == ("call", "base", "base.9.a#1")
    assert called.words.startswith("calls loudly: no bet this roll")
    dealt = deal(late, TWO, book=SCHOOL, refused=["base.9.a#2"])
    (errand,) = [e for e in crew_json(dealt)["errands"] if e["line"] == dealt.entries[-1].line]
    assert errand["tasks"][0]["cite"] == "base.9.a#1"
    # Any other refusal is nobody's errand.
    assert tasks(POINT + "ann: pass down", refused=("wagers.1.c#1",)) == []


# The dice


@pytest.mark.clause("iowa:box.6#2")
def test_the_boxperson_examines_the_dice_in_play() -> None:
    (looked,) = tasks(POINT + "inspect dice by boxperson")
    assert (looked.by, looked.post, looked.cite) == ("boxperson", "box", "box.6#2")
    (usual,) = tasks(POINT + "inspect dice")
    assert usual.by == "supervisor"
    # What was called in, what was down, and a set to come are the supervisor's.
    called_in = POINT + "recall dice switched\ninspect dice by boxperson"
    deal(called_in, TWO, book="iowa", refused=["dice-inspection.intro#2"])
    down = POINT + "no roll off-table\ndie found\ninspect dice by boxperson"
    deal(down, TWO, book="iowa", refused=["stick.19#3"])
    sizes = "0.7500 0.7510 0.7511 0.7500 0.7575"
    to_come = f"inspect dice {sizes} serial 4411 by boxperson"
    deal(to_come, TWO, book="iowa", refused=["dice-inspection.intro#2"])
    # And a house may do without a boxperson.
    elect = {"crew.boxperson": "false"}
    look = "inspect dice by boxperson"
    deal(look, TWO, book="iowa", elect=elect, refused=["dice-inspection.intro#2"])


@pytest.mark.clause("iowa:dead-game.2#2", "dealer-school:stick.11.a")
@pytest.mark.parametrize(("book", "cite"), [("iowa", "dead-game.2#2"), (SCHOOL, "stick.11.a")])
def test_nobody_is_offered_the_dice_of_a_dead_game(book: str, cite: str) -> None:
    found = tasks("ann takes the dice\ndead game", book)
    assert "offer" not in [task.do for task in found]
    assert (found[0].do, found[0].cite) == ("retrieve", cite)
    assert "offer" in [t.do for t in tasks("ann takes the dice\nann passes the dice", book)]


NOT_CRAPS = "turns the dice so that they show none of 7, 11, 2, 3 and 12"


@pytest.mark.clause("dealer-school:stick.16")
@pytest.mark.parametrize(
    ("before", "shown"),
    [
        ("roll 4 4\n", "leaves the dice showing the 8 that fell"),
        ("roll 3 3\nroll 5 4\n", "leaves the dice showing the 9 that fell"),
        ("roll 3 3\nroll 5 1\nann: pass for 10\n", "leaves the dice showing the 6 that fell"),
        ("roll 4 3\nann: pass for 10\n", NOT_CRAPS),
        ("roll 3 3\nroll 6 5\n", NOT_CRAPS),
        ("roll 3 3\nroll 5 4\nno roll on-rail\n", NOT_CRAPS),  # they lie as nobody threw them
        ("", NOT_CRAPS),
    ],
)
def test_the_school_sends_the_dice_out_on_the_number_that_fell(before: str, shown: str) -> None:
    turned = next(t for t in tasks(f"{PASS}{before}dice out", SCHOOL) if t.do == "turn")
    assert (turned.words, turned.cite) == (shown, "stick.16")


@pytest.mark.clause("iowa:stick.2#3")
def test_no_seven_is_iowas() -> None:
    found = tasks(POINT + "roll 5 4\ndice out")
    assert (found[0].words, found[0].cite) == (
        "turns the dice so that they show no seven",
        "stick.2#3",
    )


@pytest.mark.clause("dealer-school:whirl/placement", "dealer-school:horn-high/placement")
@pytest.mark.clause("dealer-school:horn/placement", "dealer-school:hardways/placement")
@pytest.mark.clause("iowa:stick.12#1")
@pytest.mark.parametrize(
    ("book", "bet", "where", "cite"),
    [
        (SCHOOL, "whirl for 5", "on the line above the any seven box", "whirl/placement"),
        (SCHOOL, "horn-high-11 for 5", "the 11", "horn-high/placement"),
        (SCHOOL, "horn for 4", "in ann's position", "horn/placement"),
        (SCHOOL, "hard-8 for 5", "in ann's position", "hardways/placement"),
        ("iowa", "hard-8 for 5", "in ann's position", "stick.10#1"),
    ],
)
def test_where_propositions_are_set_up(book: str, bet: str, where: str, cite: str) -> None:
    placed = tasks(f"ann: {bet}", book)[-1]
    assert (placed.do, placed.cite) == ("set up", cite)
    assert placed.where.endswith(where)
    assert placed.where in placed.words


@pytest.mark.parametrize(
    ("book", "where", "cite"),
    [
        clause_row("new-jersey:19:47-1.7(c)#3", "new-jersey", CUP, "19:47-1.7(c)#3"),
        clause_row("section-2:2(g)(3)#3", "section-2", CUP, "2(g)(3)#3"),
        clause_row("maryland-crapless:7.D", "maryland-crapless", CUP, "7.D"),
        clause_row("iowa:general.1#3", "iowa", MIRROR, "general.1#3"),
        clause_row("dealer-school:stick.11.b", SCHOOL, "the bowl against the mirror", "stick.11.b"),
    ],
)
def test_where_unpicked_dice_go(book: str, where: str, cite: str) -> None:
    kept = tasks("ann takes the dice", book)[1]
    assert (kept.words, kept.cite) == (f"puts the other 3 in {where}", cite)
    if where.startswith("the cup"):
        for play in (POINT + "no roll off-table", POINT + "ann asks for new dice", "dead game"):
            assert "bowl" not in " ".join(words(tasks(play, book)))


@pytest.mark.parametrize(
    "book",
    [
        clause_row("new-jersey:19:47-1.7(c)2", "new-jersey"),
        clause_row("section-2:2(g)(3)(ii)", "section-2"),
    ],
)
def test_at_mini_craps_the_cup_stands_before_whoever_has_the_dice(book: str) -> None:
    dealt = deal("ann takes the dice", TWO, book=book, game="mini-craps")
    kept = at_line(dealt, dealt.entries[-1].line)[1]
    assert kept.words == f"puts the other 3 in the cup before the {kept.by}"


def test_rolls_and_errands_name_post_and_end() -> None:
    dealt = deal(POINT + "bob: place-win-8 for 12\nroll 4 4\n", TWO, book="iowa")
    whole = crew_json(dealt)
    for task in whole["rolls"][-1]["crew"] + [t for e in whole["errands"] for t in e["tasks"]]:
        assert task["post"] in {"stick", "box", "base", "supervisor"}
        assert task["end"] in {None, "left", "right"}
    assert [e for n in dealt.entries for e in n.events if isinstance(e, Rolled)]
