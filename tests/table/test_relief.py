"""Reliefs: who takes over which post, and when."""

from __future__ import annotations

import pytest

from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook
from passline.game.law.roles import RELIEF_TITLES
from passline.game.table import commands as cmd
from passline.game.table import posts
from passline.game.table.decide import decide
from tests.table.games import deal, notes, reason

PASS = "ann: pass for 10\n"


@pytest.mark.parametrize("post", RELIEF_TITLES)
def test_every_post_is_relieved_while_the_dice_are_in_by_custom(post: str) -> None:
    dealt = deal(f"{PASS}kim relieves the {post}")
    assert dealt.table.crew == {post: "kim"}
    dealt = deal(f"{PASS}dice out\nkim relieves the {post}", refused=["custom"])
    assert reason(dealt) == f"the dice are out: the {post} is relieved once they are in"


@pytest.mark.parametrize(("post", "rule"), [("stickperson", "stickperson"), ("dealer", "base")])
def test_a_book_may_relieve_at_any_time(post: str, rule: str) -> None:
    free = {f"relief/{rule}/is": "any-time"}
    deal(f"{PASS}dice out\nkim relieves the {post}", book="iowa", but=free)


def test_nobody_deals_at_the_table_that_he_plays_at() -> None:
    assert reason(deal("ann relieves the boxperson", refused=["custom"])) == (
        "ann plays at this table"
    )


def test_there_is_no_other_post() -> None:
    with pytest.raises(ValueError, match="no post 'floor'"):
        decide(deal("").table, cmd.Relieve("kim", "floor"))


def test_the_dice_wait_for_no_ok_where_the_book_asks_for_none() -> None:
    deal(PASS + "kim relieves the boxperson\nroll 3 3")
    deal(PASS + "kim relieves the boxperson\nroll 3 3", book="iowa", but={"relief/okay/is": False})


def test_an_ok_that_nobody_waits_for_is_refused() -> None:
    deal("boxperson okays the dice", refused=["custom"])
    deal("boxperson okays the dice", book="iowa", refused=["relief.box.1#2"])


def test_a_new_set_does_not_give_the_ok() -> None:
    play = PASS + "kim relieves the boxperson\nnew dice damage\nroll 3 3"
    deal(play, book="iowa", refused=["relief.box.1#2"])


def test_a_relief_in_words() -> None:
    dealt = deal("kim relieves the stick\nlee relieves the box", book="iowa")
    assert notes(dealt) == ["lee relieves the boxperson; the dice wait for the OK [relief.box.1#1]"]
    assert dealt.table.crew == {"stickperson": "kim", "boxperson": "lee"}


# Who is at the table


@pytest.mark.parametrize("book", BOOKS)
def test_every_game_has_its_crew_but_where_a_machine_deals(book: str) -> None:
    law = rulebook(book)
    automated = law.dice.automated.value if law.dice.automated else ()
    assert set(law.crew) == set(law.games.value) - set(automated)


@pytest.mark.parametrize("book", BOOKS)
def test_whoever_has_a_say_on_a_throw_is_at_the_table(book: str) -> None:
    law = rulebook(book)
    for game, rules in law.crew.items():
        here = {"dealer", "stickperson", "supervisor", rules.bank.value}
        said = {*law.throw.callers[game].value, *law.throw.rulings[game].value}
        said |= set(law.dice.order_by[game].value)
        assert said <= here, (game, said - here)


@pytest.mark.parametrize(
    ("book", "bank", "bases"),
    [
        ("new-jersey", "19:47-1.10(a)2.ii", "19:47-1.7(a)#4"),
        ("section-2", "2(j)(1)(ii)(B)", "2(g)(1)#4"),
    ],
)
def test_mini_craps_has_one_dealer_and_no_boxperson(book: str, bank: str, bases: str) -> None:
    play = "kim relieves the {}"
    for post in ("stickperson", "base dealer"):
        deal(play.format(post), book=book, game="mini-craps")
    dealt = deal(play.format("boxperson"), book=book, game="mini-craps", refused=[bank])
    assert reason(dealt) == "this table has no boxperson"
    dealt = deal(play.format("left base dealer"), book=book, game="mini-craps", refused=[bases])
    assert reason(dealt) == "this table has one base dealer"


@pytest.mark.parametrize("book", ["new-jersey", "section-2"])
def test_at_mini_craps_the_floorperson_looks_the_dice_over(book: str) -> None:
    dealt = deal("inspect dice", book=book, game="mini-craps")
    assert notes(dealt)[0].startswith("the floorperson inspects the dice: fit")
    dealt = deal("inspect dice by boxperson", book=book, game="mini-craps", refused=["custom"])
    assert reason(dealt) == (
        "the boxperson does not inspect the dice: floorperson or supervisor does"
    )
    play = "inspect dice serial 11\nnew dice reopen serial 11\nnew dice age\ncancel dice 11 by {}"
    deal(play.format("boxperson"), book=book, game="mini-craps", refused=["custom"])
    deal(play.format("floorperson"), book=book, game="mini-craps")


def test_where_nobody_has_the_stick_the_dealer_does() -> None:
    but = {"crew/mini-craps/stick/is": False}
    play = "kim relieves the stickperson"
    dealt = deal(play, game="mini-craps", but=but, refused=["19:47-1.7(a)#3"])
    assert posts.stick_post(dealt.table.house).who == "base dealer"


@pytest.mark.clause("iowa:crew#1")
@pytest.mark.parametrize("end", ["left", "right"])
def test_a_house_with_one_base_dealer_has_one_for_both_ends(end: str) -> None:
    one, play = {"crew.base_dealers": "1"}, f"kim relieves the {end} base dealer"
    deal(play, book="iowa", elect=one, refused=["crew#1"])
    deal(play, book="iowa")
    deal("kim relieves the base dealer", book="iowa", elect=one)


@pytest.mark.clause("iowa:box.intro#1")
def test_without_a_boxperson_the_supervisor_watches_the_bank() -> None:
    dealt = deal("kim relieves the stick", book="iowa", elect={"crew.boxperson": "false"})
    assert posts.bank_post(dealt.table.house) == ("supervisor", "box.intro#1")
    assert posts.bank_post(deal("", book="iowa").table.house) == ("boxperson", "def.boxperson")
