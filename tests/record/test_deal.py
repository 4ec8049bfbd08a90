"""Dealing a record: entry by entry, under any house, and the object that comes out."""

from __future__ import annotations

import json

import pytest

from passline.game.house.house import House, make_house
from passline.game.law.load import rulebook
from passline.game.table.events import Rolled
from passline.game.table.state import Table
from passline.record.deal import deal_text
from passline.record.read import Record, read_record
from passline.talk.errors import RecordError

TEXT = """\
rulebook: new-jersey
player: ann 500
player: bob 300

ann: pass for 10; field for 5; pass down; pass for 10
roll 3 3
bob: 26 across
"""


def test_every_say_is_an_entry_and_sees_what_the_one_before_it_did() -> None:
    dealt = deal_text(TEXT)
    assert [(entry.line, entry.player, entry.words) for entry in dealt.entries[:4]] == [
        (5, "ann", "pass for 10"),
        (5, "ann", "field for 5"),
        (5, "ann", "pass down"),
        (5, "ann", "pass for 10"),
    ]
    assert dealt.refusals == ()


def test_talk_for_several_wagers_is_an_entry_each() -> None:
    across = [entry for entry in deal_text(TEXT).entries if entry.line == 7]
    assert [entry.words for entry in across] == [
        "place-win-4 for 5",
        "place-win-5 for 5",
        "place-win-8 for 6",
        "place-win-9 for 5",
        "place-win-10 for 5",
    ]
    assert {entry.said for entry in across} == {"26 across"}


def test_a_caller_may_bring_its_own_house() -> None:
    asked: list[Record] = []

    def opener(record: Record) -> House:
        asked.append(record)
        return make_house(rulebook("iowa"))

    dealt = deal_text(TEXT, opener)
    assert dealt.table.house.book.id == "iowa"
    assert [record.rulebook for record in asked] == ["new-jersey"]


def test_a_buy_in_that_is_not_in_chips_cannot_be_dealt() -> None:
    with pytest.raises(RecordError, match=r"line 2: ann: \$5.50 is not in whole chips"):
        deal_text("rulebook: iowa\nplayer: ann 5.50\n")


def test_the_object_is_json_and_takes_any_way_of_calling() -> None:
    def loud(before: Table, rolled: Rolled) -> str:
        return f"{rolled.first}{rolled.second} with {', '.join(before.seats[0].wagers)} up!"

    dealt = json.loads(json.dumps(deal_text(TEXT).to_json(loud)))
    assert dealt["rolls"][0]["call"] == "33 with field, pass up!"
    assert dealt["players"]["ann"] == {
        "bought_in": "500.00",
        "rail": "485.00",
        "layout": "10.00",
        "wagers": {"pass": "10.00"},
    }
    assert (dealt["shooter"], dealt["puck"], dealt["game"]) == ("ann", 6, "craps")


def test_a_throw_is_called_by_the_table_that_stood_before_it() -> None:
    text = (
        "rulebook: iowa\nplayer: ann 500\nann: pass for 10\nroll 3 3\nann: come for 5\nroll 3 3\n"
    )
    found = [(e.line, t.point, t.shooter, r.was) for e, t, r in deal_text(text).throws()]
    assert found == [(4, 0, "ann", 0), (6, 6, "ann", 6)]
    told: list[list[str]] = []

    def listening(before: Table, rolled: Rolled) -> str:
        told.append(sorted(before.seats[0].wagers))
        return "heard"

    deal_text(text).to_json(listening)
    assert told == [["pass"], ["come", "pass"]]


def test_wagers_are_listed_in_layout_order() -> None:
    text = "rulebook: iowa\nplayer: ann 500\nann: hard-8 for 5; field for 5; pass for 10\n"
    wagers = deal_text(text).to_json()["players"]["ann"]["wagers"]
    assert list(wagers) == ["pass", "field", "hard-8"]


def test_a_refused_throw_has_no_player() -> None:
    dealt = deal_text("rulebook: new-jersey\nplayer: ann 500\nroll 3 3\n").to_json()
    (refusal,) = dealt["refusals"]
    assert (refusal["player"], refusal["said"], refusal["cite"]) == (
        None,
        "roll 3 3",
        "19:47-1.8#1",
    )


def test_a_line_may_be_two_thousand_characters_long() -> None:
    head = "rulebook: iowa\nplayer: ann 5\n"
    longest = "ann: " + "x" * 1995
    assert len(read_record(head + longest).lines[0].text) == 2000
    with pytest.raises(RecordError, match="a line of 2001 characters; 2000 at most"):
        read_record(head + longest + "x")


def test_a_record_with_a_byte_order_mark_is_read() -> None:
    assert read_record("\ufeffrulebook: iowa\nplayer: ann 5").rulebook == "iowa"


def test_windows_line_ends_are_line_ends() -> None:
    record = read_record("rulebook: iowa\r\nplayer: ann 5\r\n\r\nroll 3 3\r\n")
    assert [(line.number, line.text) for line in record.lines] == [(4, "roll 3 3")]
