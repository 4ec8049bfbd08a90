"""A name typed with a space, "Mary Ann", works everywhere; records write it ``Mary_Ann``."""

from __future__ import annotations

import pytest

from passline.crew.report import list_line_tasks
from passline.game.table.evolve import evolve
from passline.live.tokens import Holder
from passline.record.deal import deal_text
from passline.record.write import write_record
from tests.live.floor import EVERY_POST, Floor


@pytest.mark.anyio
async def test_a_live_table_takes_a_name_with_a_space() -> None:
    floor = await Floor().open("new-jersey", posts=EVERY_POST, dice="typed")
    await floor.sit("Mary Ann", place=1)
    mary = Holder("player", "Mary_Ann")
    await floor.taken(mary, "pass for 10")
    await floor.taken("left-base", "Mary Ann: field for 5")
    await floor.taken("box", "mary ann buys in 100")
    await floor.taken("stick", "Mary Ann takes the dice")
    await floor.taken("box", "Jo Lee joins for 200 at 2")
    await floor.taken("floor", "Kim Roe relieves the stickperson")
    await floor.taken("box", "boxperson orders Mary Ann to pass for delay")
    lines = await floor.lines()
    assert lines[0] == "Mary_Ann joins for 500 at 1"
    assert "Mary_Ann: field for 5" in lines
    assert "Jo_Lee joins for 200 at 2" in lines
    await floor.hold()
    felt = (await floor.page())["felt"]
    assert any("Mary Ann" in drawn for drawn in felt.values())
    refused = await floor.say(Holder("box"), "Mary Ann leaves")
    assert refused.seq is None or refused.entries
    error = await floor.error("right-base", "Mary Ann: field for 5")
    assert "Mary Ann is at the left end" in error.message


@pytest.mark.anyio
async def test_the_same_name_with_an_underscore_is_the_same_player() -> None:
    floor = await Floor().open("new-jersey")
    answer = await floor.sit("  Mary   Ann ")
    assert answer.name == "  Mary   Ann "
    assert (await floor.live()).table.find("Mary_Ann") is not None
    with pytest.raises(Exception, match="Mary Ann"):
        await floor.sit("mary_ann")


GAME = """rulebook: new-jersey
player: Mary Ann 500
player: bob 100
Mary Ann: pass for 10
Mary Ann takes the dice
roll 3 3
boxperson warns Mary Ann for misses-wall
Jo Lee joins for 200
Jo Lee: field for 5
roll 4 4
"""


def test_a_record_takes_a_name_with_a_space_and_writes_it_as_one_word() -> None:
    dealt = deal_text(GAME.replace("boxperson warns Mary Ann for misses-wall\n", ""))
    assert not dealt.refusals
    assert set(dealt.to_json()["players"]) == {"Mary_Ann", "bob", "Jo_Lee"}
    text = write_record(dealt)
    assert "player: Mary_Ann 500\n" in text
    assert "Mary_Ann: pass for 10\n" in text
    assert deal_text(text).to_json()["players"] == dealt.to_json()["players"]


def test_talk_is_left_alone() -> None:
    game = "rulebook: new-jersey\nplayer: the six 500\nthe six: pass for 10\nroll 3 3\n"
    dealt = deal_text(game + "the six: place the six for 12")
    assert dealt.entries[-1].words == "place-win-6 for 12"


CREW_GAME = """rulebook: {book}
player: Mary Ann 500
player: Jess Jones 300
Mary Ann: pass for 10
Mary Ann: field for 5
Jess Jones: dont-pass for 10
Mary Ann takes the dice
roll 3 3
Mary Ann: place-win-8 for 12
Mary Ann: place-win-8 off
Mary Ann: come for 5
Mary Ann buys in 100
roll 4 4
Jess Jones: field for 5
roll 4 3
Jess Jones leaves
"""


@pytest.mark.parametrize("book", ["new-jersey", "iowa", "dealer-school", "las-vegas"])
def test_the_crews_tasks_say_the_name_with_its_space(book: str) -> None:
    dealt = deal_text(CREW_GAME.format(book=book))
    assert not dealt.refusals
    table, words = dealt.opening, list[str]()
    for entry in dealt.entries:
        for _, tasks in list_line_tasks(table, entry.events):
            words += [task.words for task in tasks]
        for event in entry.events:
            table = evolve(table, event)
    assert any("Mary Ann's" in one for one in words)
    assert any("Jess Jones'" in one for one in words)
    assert [one for one in words if "_" in one] == []
