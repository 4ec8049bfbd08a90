"""What the stick announces, by rulebook and by moment."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from passline.crew.stick import (
    AnnouncementMoment,
    _load_announcements,
    format_announcement,
    list_announcements,
)
from passline.game.house.house import make_house
from passline.game.law.book_files import BOOKS
from passline.game.law.clauses import clauses_by_id
from passline.game.layout.stakes import Stake
from passline.game.table.events import NoRoll
from passline.game.table.open_close import open_table
from passline.game.table.state import NOBODY, Table
from passline.record.deal import deal_text
from tests.properties.houses import is_citation
from tests.table.games import varied

from .throws import felt, laid

SCHOOL = "dealer-school"


def coming_out(book: str, up: str = "pass") -> Table:
    return laid(felt(book), 0, up)


def cites(table: Table, moment: AnnouncementMoment, words: str) -> str:
    (found,) = [a.cite for a in list_announcements(table, moment) if a.words == words]
    return found


@pytest.mark.clause("dealer-school:calls.a.solicit#1", "dealer-school:calls.b.advertise.come-out#1")
@pytest.mark.clause("dealer-school:calling.3")
def test_the_school_before_a_come_out() -> None:
    assert format_announcement(coming_out(SCHOOL), "coming-out") == (
        "new shooter, coming out, "
        "bet craps, eleven, any seven, hi-lo, yo, horn, whirl while the dice are in the center, "
        "hardways are off unless called on"
    )
    again = replace(coming_out(SCHOOL), fresh=False, turn=4)
    assert format_announcement(again, "coming-out").startswith("same shooter, coming out, ")


def test_only_what_the_house_deals_is_advertised() -> None:
    book = varied(SCHOOL, {"wager/whirl": None, "wager/hi-lo": None})
    table = laid(open_table(make_house(book), ("ann", "bob")), 0, "pass")
    assert "bet craps, eleven, any seven, yo, horn while" in format_announcement(
        table, "coming-out"
    )


@pytest.mark.clause("dealer-school:calling.4#2", "iowa:stick.13#3")
@pytest.mark.parametrize("book", BOOKS)
def test_hardways_are_announced_as_the_house_works_them(book: str) -> None:
    words = format_announcement(coming_out(book), "coming-out")
    works = coming_out(book).layout.spots["hard-8"].works
    assert works == (book == "iowa")
    assert ("all hardways are working unless called off" in words) == works
    assert ("hardways are off unless called on" in words) == (not works)


def test_the_hardway_notice_goes_by_the_rule_not_by_the_book() -> None:
    on = {f"wager/hard-{n}/come_out": {"is": "on", "custom": "for a test"} for n in (4, 6, 8, 10)}
    table = laid(open_table(make_house(varied(SCHOOL, on)), ("ann", "bob")), 0, "pass")
    words = format_announcement(table, "coming-out")
    assert "all hardways are working unless called off" in words
    some = {key: on[key] for key in list(on)[:1]}
    table = laid(open_table(make_house(varied(SCHOOL, some)), ("ann", "bob")), 0, "pass")
    assert "unless called" not in format_announcement(table, "coming-out")


@pytest.mark.clause("iowa:stick.3#2", "iowa:stick.4")
def test_iowa_before_a_come_out() -> None:
    assert cites(coming_out("iowa"), "coming-out", "coming out") == "stick.3#2"
    assert "from the don't" not in format_announcement(coming_out("iowa"), "coming-out")
    dark = coming_out("iowa", "dont-pass")
    assert cites(dark, "coming-out", "shooting from the don't") == "stick.4"
    both = coming_out("iowa", "pass dont-pass")
    assert "from the don't" not in format_announcement(both, "coming-out")
    assert "from the don't" not in format_announcement(
        coming_out(SCHOOL, "dont-pass"), "coming-out"
    )


@pytest.mark.clause("dealer-school:calls.b.new-shooter")
@pytest.mark.parametrize(
    ("before", "now", "words"),
    [
        ("ann", "bob", "new shooter, same direction, coming out"),
        ("bob", "cat", "new shooter, different direction, coming out"),
        ("dan", "ann", "new shooter, different direction, coming out"),
        ("cat", "dan", "new shooter, same direction, coming out"),
    ],
)
def test_a_new_shooter_throws_from_the_same_end_or_the_other(
    before: str, now: str, words: str
) -> None:
    names = ("ann", "bob", "cat", "dan")
    table = open_table(felt(SCHOOL).house, names)
    seats = tuple(replace(s, wagers={"pass": Stake(1000, 1000)}) for s in table.seats)
    # Once taken, the table no longer says who had the dice before; nobody's yet, it does.
    taken = replace(table, playing=seats, shooter=now, last_shooter=now)
    assert format_announcement(taken, "coming-out", after=before).startswith(words)
    offered = replace(table, playing=seats, shooter=NOBODY, last_shooter=before)
    offered = replace(offered, last_place=table.seat(before).place)
    assert format_announcement(offered, "coming-out").startswith(words)


def test_whoever_is_alone_at_the_table_is_a_new_shooter_after_a_seven_out() -> None:
    dealt = deal_text(
        "rulebook: dealer-school\nplayer: ann 500\nann: pass for 10\nroll 2 2\nroll 4 3\n"
        "ann: pass for 10\n"
    )
    words = format_announcement(dealt.table, "coming-out")
    assert words.startswith("new shooter, coming out")
    assert "direction" not in words


def test_nobody_to_shoot_is_nobody_announced() -> None:
    words = format_announcement(replace(felt(SCHOOL), shooter=NOBODY), "coming-out")
    assert words.startswith("coming out, bet ")


@pytest.mark.clause("dealer-school:calling.6", "iowa:stick.16#1")
def test_as_the_dice_go_out() -> None:
    assert (
        format_announcement(laid(felt(SCHOOL), 5, "pass"), "dice-out")
        == "the point is five, dice are out"
    )
    assert (
        format_announcement(laid(felt(SCHOOL), 0, "pass"), "dice-out") == "coming out, dice are out"
    )
    iowa = laid(felt("iowa"), 10, "pass")
    assert format_announcement(iowa, "dice-out") == "the point is ten, dice are out"
    assert cites(iowa, "dice-out", "dice are out") == "stick.16#1"
    assert cites(laid(felt(SCHOOL), 5, ""), "dice-out", "the point is five") == "calling.6"
    assert "the point is twelve" in format_announcement(
        laid(felt("maryland-crapless"), 12, ""), "dice-out"
    )


@pytest.mark.clause("dealer-school:calls.b.advertise.point")
def test_advertising_once_a_point_is_set() -> None:
    table = laid(felt(SCHOOL), 6, "pass")
    assert format_announcement(table, "point-set") == (
        "place your bets: place bets, come bets, field bets, center action"
    )
    assert list_announcements(laid(felt("iowa"), 6, "pass"), "point-set") == ()


@pytest.mark.clause("iowa:stick.19#1")
def test_no_roll() -> None:
    table = laid(felt("iowa"), 6, "pass")
    for side in ("outside", "inside"):
        down = NoRoll(
            ground="off-table", by="stickperson", cite="no-roll.2", off_table=True, side=side
        )
        heard = list_announcements(table, "no-roll", happened=down)
        assert heard == (("no roll", "no-roll.2"), (f"one down {side}", "stick.19#1"))
    untold = NoRoll(ground="off-table", by="stickperson", cite="no-roll.2", off_table=True)
    assert format_announcement(table, "no-roll", happened=untold) == "no roll, one down"
    bank = NoRoll("on-bank", "stickperson", "no-roll.3.c")
    assert format_announcement(table, "no-roll", happened=bank) == "no roll"


@pytest.mark.clause("dealer-school:stick.22", "dealer-school:calling.18")
def test_every_ground_of_the_school_brings_the_call_of_no_roll() -> None:
    grounds = felt(SCHOOL).house.book.throw.grounds
    assert len(grounds) == 10
    for ground in grounds:
        dealt = deal_text(
            "rulebook: dealer-school\nplayer: ann 500\nann: pass for 10\n"
            f"no roll {ground.name} by stickperson\n"
        )
        (happened,) = [e for n in dealt.entries for e in n.events if isinstance(e, NoRoll)]
        heard = list_announcements(dealt.table, "no-roll", happened=happened)
        assert heard[0] == ("no roll", ground.cite)
        down = (("one down", "stick.22"),) if ground.name == "off-table" else ()
        assert heard[1:] == down


@pytest.mark.clause("iowa:stick.6#5", "dealer-school:calling.14#1")
def test_call_it() -> None:
    assert list_announcements(felt("iowa"), "call-it") == (("call it", "stick.6#5"),)
    assert list_announcements(felt(SCHOOL), "call-it") == (("call it", "calling.14#1"),)


@pytest.mark.clause("iowa:change.2#1")
def test_color_coming_in() -> None:
    assert list_announcements(felt("iowa"), "colour-in") == (("color coming in", "change.2#1"),)


def test_a_machine_announces_nothing() -> None:
    table = laid(felt("new-jersey", "automated-craps"), 6, "pass eleven")
    assert list_announcements(table, "dice-out") == ()


def test_a_moment_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="there is no coming-out announcement with the puck at 6"):
        list_announcements(laid(felt("iowa"), 6, "pass"), "coming-out")
    with pytest.raises(ValueError, match="there is no point-set announcement with the puck at 0"):
        list_announcements(laid(felt("iowa"), 0, "pass"), "point-set")


@pytest.mark.parametrize("book", BOOKS)
def test_every_line_cites_its_book_or_says_why(book: str) -> None:
    for line in _load_announcements(book):
        assert [c for c in line.clauses if c not in clauses_by_id(book)] == []
        assert line.clauses or line.custom
        assert is_citation(book, line.cite)
