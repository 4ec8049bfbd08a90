"""A sixth rulebook is a matter of data alone: its own wagers, grounds and reasons can be said."""

from __future__ import annotations

import tomllib

from passline.house import make_house
from passline.house.placard import render_text
from passline.law.book import Book
from passline.law.load import book_from, book_text
from passline.record import Dealt, Record, deal_text, write_record

ADDED = """
[wager.low-dice]
shape = "one-roll"
title = "Low dice"
area = "center"
made = { is = "any", cite = "nv.1" }
win = { is = ["1-1", "1-2", "1-3"], cite = "nv.2" }
lose = { is = "other", cite = "nv.3" }
pays = [{ is = "5 to 1", cite = "nv.4" }]

[wager.hi-lo-yo]
shape = "composite"
title = "Hi-lo-yo"
area = "center"
made = { is = "any", cite = "nv.5" }
legs = { is = { craps-2 = 1, craps-12 = 1, eleven = 1 }, cite = "nv.6" }
won_by = ["nv.6"]
lost_by = ["nv.7"]
"""


def nevada() -> Book:
    data = tomllib.loads(book_text("new-jersey") + ADDED)
    data["id"] = "nevada"
    data["throw"]["grounds"].append({"is": "hit-cocktail", "cite": "nv.8"})
    data["dice"]["order_for"].append({"is": "singing", "cite": "nv.9"})
    data["dice"]["new_set"] = [{"is": "spilt-drink", "cite": "nv.10"}]
    return book_from(data)


def deal(play: str) -> Dealt:
    def opened(record: Record) -> object:
        return make_house(nevada(), record.game or None)

    return deal_text(f"rulebook: nevada\nplayer: ann 500\n{play}", opened)  # type: ignore[arg-type]


def test_its_own_wagers_are_bet_and_settled() -> None:
    dealt = deal("ann: pass for 10; low-dice for 2; hi-lo-yo for 3\nroll 1 2\n")
    settled = dealt.to_json()["rolls"][0]["settlements"]
    assert [(s["wager"], s["result"], s["paid"], s["cite"]) for s in settled] == [
        ("pass", "lose", "0.00", "19:47-1.2(a)1.ii(1)"),
        ("low-dice", "win", "10.00", "nv.4"),
        ("hi-lo-yo", "lose", "0.00", "nv.7"),
    ]
    eleven = deal("ann: pass for 10; hi-lo-yo for 3\nroll 6 5\n").to_json()
    assert eleven["rolls"][0]["settlements"][1]["paid"] == "13.00"  # 15 to 1 less two units


def test_its_own_grounds_and_reasons_are_called() -> None:
    dealt = deal(
        "ann: pass for 10\nno roll hit-cocktail by boxperson\nnew dice spilt-drink\n"
        "boxperson orders ann to pass for singing\n"
    )
    assert not dealt.refusals
    cites = [getattr(event, "cite", "") for entry in dealt.entries for event in entry.events]
    assert [cite for cite in cites if cite.startswith("nv.")] == ["nv.8", "nv.10", "nv.9"]
    assert write_record(dealt).count("\n") == 7


def test_its_card_shows_them() -> None:
    card = render_text(make_house(nevada()))
    assert "Low dice" in card
    assert "Hi-lo-yo" in card
