"""Who may say what, whole: every role against every kind of line, at three kinds of game."""

from __future__ import annotations

from typing import get_args

import pytest

from passline.game.table import commands as cmd
from passline.live.permissions import command_tag, load_matrix
from passline.live.schema import ServiceError
from passline.live.seats import TOKEN_ROLES
from passline.live.tokens import Holder
from passline.record.table_lines import read_table_line
from tests.live.floor import EVERY_POST, Floor

pytestmark = pytest.mark.anyio

CREW = ("operator", *EVERY_POST)
FLOOR = {"floor", "operator"}
WATCH = ("watcher", "surveillance")

#: Lines of a record, and who of the crew may say each at New Jersey's craps (ann is at the left
#: end, bob at the right) and at its mini-craps. Written out by hand, from live.md's table and the
#: rulebook's clauses; nothing here is read from permissions.toml.
LINES: dict[str, tuple[set[str], set[str]]] = {
    "ann: pass for 10": ({"left-base"}, {"left-base"}),
    "bob: place 6 for 12": ({"right-base"}, {"left-base"}),
    "ann: pass to 20": ({"left-base"}, {"left-base"}),
    "ann: hard 8 for 5": ({"left-base", "stick"}, {"left-base", "stick"}),
    "bob: hard-8 down": ({"right-base", "stick"}, {"left-base", "stick"}),
    "ann: place-win-6 off": ({"left-base"}, {"left-base"}),
    "ann: all off": ({"left-base"}, {"left-base"}),
    "ann: all down": ({"left-base"}, {"left-base"}),
    "ann: pass for 10 in cash confirmed by dealer": ({"left-base"}, {"left-base"}),
    "ann: toke 5": ({"left-base"}, {"left-base"}),
    "ann: hard-8 for 5 for the dealers": ({"left-base", "stick"}, {"left-base", "stick"}),
    "ann: undo": ({"left-base"}, {"left-base"}),
    "ann buys in 100": ({"left-base", "box"}, {"left-base", *FLOOR}),
    "cal joins for 100 at 2": ({"left-base", "box"}, {"left-base", *FLOOR}),
    "dee joins for 100 at 12": ({"right-base", "box"}, {"left-base", *FLOOR}),
    "ann colours up": ({"left-base", "box"}, {"left-base", *FLOOR}),
    "bob changes 25 to green": ({"right-base", "box"}, {"left-base", *FLOOR}),
    "ann gets all bets back": ({"box", *FLOOR}, FLOOR),
    "ann leaves": ({"left-base", "box", *FLOOR}, {"left-base", *FLOOR}),
    "ann stands": ({"left-base"}, {"left-base"}),
    "ann sits": ({"left-base"}, {"left-base"}),
    # 19:47-1.7(b)2#1 and 1.10(a)#1: at mini-craps the dealer offers and calls them, too
    "ann takes the dice": ({"stick"}, {"stick", "left-base"}),
    "ann declines the dice": ({"stick"}, {"stick", "left-base"}),
    "ann passes the dice": ({"stick"}, {"stick", "left-base"}),
    "ann asks for the same dice": ({"stick"}, {"stick"}),
    "ann asks for new dice": ({"stick"}, {"stick"}),
    "dice out": ({"stick"}, {"stick"}),
    "dice back": ({"stick"}, {"stick"}),
    "dice in the air": ({"stick"}, {"stick"}),
    "roll 3 4": ({"stick"}, {"stick", "left-base"}),
    "die lost": ({"stick", "box", *FLOOR}, {"stick", *FLOOR}),
    "die found": ({"stick", "box", *FLOOR}, {"stick", *FLOOR}),
    # 19:47-1.9(e)1 and 2; 1.10(a)2.i and ii; 1.11(a)2; 1.2(g)
    "no roll off-table": ({"stick", "box"}, {"stick", "left-base", *FLOOR}),
    "no roll stacked": ({"stick", "box"}, {"stick", "left-base", *FLOOR}),
    "boxperson warns ann for improper": ({"stick", "box"}, {"stick", "left-base"}),
    "boxperson permits ann to colour up": ({"box", *FLOOR}, FLOOR),
    "ann asks to colour up": ({"left-base"}, {"left-base"}),
    "ruling 3 4 by boxperson": ({"box"}, FLOOR),
    "ruling void by supervisor": ({"box"}, FLOOR),
    "throw was 3 3 by boxperson": ({"box", *FLOOR}, FLOOR),
    "boxperson orders ann to pass for delay": ({"box"}, {"left-base"}),
    "boxperson confirms ann field": (
        {"box", "left-base", "right-base"},
        {"left-base", *FLOOR},
    ),
    "inspect dice": ({"box", *FLOOR}, FLOOR),
    "cancel dice 4411": ({"box", *FLOOR}, FLOOR),
    "boxperson okays the dice": ({"box"}, FLOOR),
    "new dice damage": ({"box", *FLOOR}, FLOOR),
    "recall dice damage": ({"box", *FLOOR}, FLOOR),
    "dead game": ({"box", *FLOOR}, FLOOR),
    "kim relieves the stickperson": (FLOOR, FLOOR),
    "limits 15 to 500": (FLOOR, FLOOR),
    "table closes": (FLOOR, FLOOR),
    "table opens": (FLOOR, FLOOR),
    "clock 2030-01-01 09:00": (FLOOR, FLOOR),
}
#: What the floor may say where a machine deals: it watches the bank, too.
AUTOMATED = {
    *("ann buys in 100", "cal joins for 100 at 2", "dee joins for 100 at 12", "ann colours up"),
    *("bob changes 25 to green", "ann leaves", "ann gets all bets back", "die lost", "die found"),
    "no roll off-table",
    *("no roll stacked", "ruling 3 4 by boxperson", "ruling void by supervisor"),
    "throw was 3 3 by boxperson",
    *("boxperson orders ann to pass for delay", "boxperson confirms ann field", "inspect dice"),
    *("cancel dice 4411", "boxperson okays the dice", "new dice damage", "recall dice damage"),
    *("dead game", "kim relieves the stickperson", "table closes", "table opens"),
    "limits 15 to 500",
    *("boxperson warns ann for improper", "boxperson permits ann to colour up"),
    "clock 2030-01-01 09:00",
}
#: What ann may say of these herself; of a say only what stands after her name.
NOT_OWN = ("in cash", "gets all bets back")
OWN = {
    line for line in LINES if line.startswith("ann") and not any(word in line for word in NOT_OWN)
}


async def floor_of(game: str) -> Floor:
    dice = "secure" if game == "automated-craps" else "typed"
    floor = await Floor().open("new-jersey", game=game, posts=EVERY_POST, dice=dice)
    await floor.sit("ann", place=1)
    await floor.sit("bob", place=9)
    return floor


async def may(floor: Floor, who: str | Holder, line: str) -> bool:
    code = await floor.code(who, line)
    assert code in ("done", "forbidden"), (who, line, code)
    return code == "done"


def test_every_command_has_its_row_and_no_row_is_without_one() -> None:
    tags = {str(kind.__struct_config__.tag) for kind in get_args(cmd.AnyCommand)}
    assert set(load_matrix().acts) == tags
    roles = {role for row in load_matrix().acts.values() for role in row}
    assert roles <= {*TOKEN_ROLES, "player"} - {*WATCH}


async def test_every_command_is_among_the_lines_tried() -> None:
    floor = await floor_of("craps")
    table = (await floor.live()).table
    tried = {command_tag(read_table_line(line, table)) for line in LINES if ": " not in line}
    said = {"bet", "change", "take-down", "take-all-down", "call", "undo", "toke", "toke-bet"}
    assert tried | said == set(load_matrix().acts)


@pytest.mark.parametrize("line", LINES)
async def test_at_craps_everybody_says_what_is_theirs(line: str) -> None:
    floor = await floor_of("craps")
    assert {role for role in CREW if await may(floor, role, line)} == LINES[line][0]
    for role in WATCH:
        assert not await may(floor, role, line)


@pytest.mark.parametrize("line", LINES)
async def test_at_mini_craps_there_is_one_dealer_and_no_box(line: str) -> None:
    floor = await floor_of("mini-craps")
    assert {role for role in CREW if await may(floor, role, line)} == LINES[line][1]
    for role in WATCH:
        assert not await may(floor, role, line)


@pytest.mark.parametrize("line", LINES)
async def test_where_a_machine_deals_there_is_no_crew_but_the_floor(line: str) -> None:
    floor = await floor_of("automated-craps")
    expected = FLOOR if line in AUTOMATED else set()
    assert {role for role in CREW if await may(floor, role, line)} == expected


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("game", ["craps", "mini-craps", "automated-craps"])
async def test_a_player_speaks_for_himself(line: str, game: str) -> None:
    floor = await floor_of(game)
    assert await may(floor, "ann", line) == (line in OWN)
    if line in OWN:
        assert not await may(floor, "bob", line)


@pytest.mark.parametrize("line", LINES)
async def test_the_token_of_a_post_that_the_machine_holds_only_watches(line: str) -> None:
    floor = await Floor().open("new-jersey")
    await floor.sit("ann", place=1)
    await floor.sit("bob", place=9)
    for role in EVERY_POST:
        assert (await floor.error(role, line)).code == "forbidden"


@pytest.mark.parametrize(
    "tender",
    [
        *("match 10", "in cash", "on call", "in the air", "dice out", "no bet", "unnoticed"),
        "confirmed by boxperson",
    ],
)
@pytest.mark.parametrize("wager", ["pass for 10", "ten on the line"])
async def test_how_a_wager_was_tendered_is_the_crews_to_say(tender: str, wager: str) -> None:
    floor = await floor_of("craps")
    wrong = await floor.error("ann", f"{wager} {tender}")
    assert wrong.code == "forbidden"
    assert wrong.cite
    assert (await floor.error("ann", f"field for 5; {wager} {tender}")).code == "forbidden"
    assert await may(floor, "left-base", f"ann: {wager} {tender}")


@pytest.mark.parametrize(
    ("book", "say", "cite"),
    [
        ("dealer-school", "field for 5 no bet", "base.9.a#2"),
        ("new-jersey", "field for 5 in cash confirmed by dealer", "19:47-1.3(b)#3"),
        ("new-jersey", "field for 5 in the air", "19:47-1.3(a)1"),
        (
            "new-jersey",
            "field for 5 on call",
            "custom: how a wager was tendered is the crew's to say",
        ),
    ],
)
async def test_whose_word_a_tender_is_the_book_says(book: str, say: str, cite: str) -> None:
    floor = await Floor().open(book, posts=EVERY_POST, dice="typed")
    await floor.sit("ann")
    assert (await floor.error("ann", say)).cite == cite


@pytest.mark.parametrize(
    ("rulebook", "role", "line", "cite"),
    [
        ("new-jersey", "left-base", "no roll stacked", "19:47-1.9(e)1#1"),
        ("new-jersey", "floor", "ruling 3 4 by boxperson", "19:47-1.10(a)2.i"),
        ("new-jersey", "stick", "boxperson orders ann to pass for delay", "19:47-1.11(a)2#1"),
        ("iowa", "box", "no roll stacked", "no-roll.3"),
        ("iowa", "box", "ruling void by supervisor", "no-roll.5"),
        ("iowa", "box", "supervisor orders ann to pass for delay", "shooting.6"),
        ("iowa", "stick", "boxperson okays the dice", "relief.box.1#2"),
        ("section-2", "stick", "ruling 3 4 by boxperson", "2(j)(1)(ii)(A)"),
        ("maryland-crapless", "floor", "no roll stacked", "8.E(1)"),
        ("dealer-school", "stick", "ruling 3 4 by boxperson", "calling.16#2"),
    ],
)
async def test_where_a_clause_decides_it_is_cited(
    rulebook: str, role: str, line: str, cite: str
) -> None:
    floor = await Floor().open(rulebook, posts=EVERY_POST, dice="typed")
    await floor.sit("ann")
    wrong = await floor.error(role, line)
    assert (wrong.code, wrong.cite) == ("forbidden", cite)


async def test_the_house_designates_who_calls_no_roll() -> None:
    elections = {"dice.no_roll_by": "stickperson"}
    floor = await Floor().open(posts=EVERY_POST, dice="typed", elections=elections)
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    wrong = await floor.error("box", "no roll improper")
    assert (wrong.code, wrong.cite) == ("forbidden", "19:47-1.9(e)1#2")
    await floor.taken("stick", "no roll improper")


async def test_who_says_it_is_taken_from_the_token() -> None:
    floor = await Floor().open("iowa", posts=EVERY_POST, dice="typed")
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    await floor.taken("stick", "no roll leaning by boxperson")
    await floor.taken("floor", "boxperson orders ann to pass for delay")
    assert (await floor.lines())[-2:] == [
        "no roll leaning by stickperson",
        "supervisor orders ann to pass for delay",
    ]
    assert [(e.role, e.by) for e in (await floor.log())[-2:]] == [
        ("stick", "stick"),
        ("floor", "floor"),
    ]
    await floor.hold()


async def test_what_the_crew_says_is_a_line_of_a_record() -> None:
    floor = await floor_of("craps")
    for nonsense in ("place the 6 for 12", "roll 3 7", "roll", "zed: pass for 10", "ann:", "x # y"):
        assert (await floor.error("left-base", nonsense)).code in ("forbidden", "not_understood")
    for name in ("a:b", "x" * 60, "roll", "9", "box", "operator"):
        assert (
            await floor.error("floor", f"{name} relieves the stickperson")
        ).code == "not_understood"
    assert (await floor.error("box", "Ann joins for 100")).code == "conflict"
    for name in ("machine", "stick", "Floor"):
        assert (await floor.error("box", f"{name} joins for 100")).code == "invalid"
        with pytest.raises(ServiceError) as wrong:
            await floor.service.invite(floor.table, "box", name)
        assert wrong.value.code == "invalid"
    assert await floor.service.invite(floor.table, "box", "box")


async def test_posts_change_hands_with_relief() -> None:
    floor = await Floor().open(dice="secure")
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    assert (await floor.error("stick", "dice out")).code == "forbidden"
    await floor.taken("operator", "kim relieves the stickperson")
    assert (await floor.service.view(floor.table))["posts"]["stick"] == "person"
    assert await floor.refused("ann", "roll") == "dice-not-out"
    assert (await floor.error(Holder("stick", "lee"), "dice out")).code == "forbidden"
    await floor.taken(Holder("stick", "kim"), "dice out")
    await floor.taken("ann", "roll")
    await floor.taken("operator", "machine relieves the stickperson")
    assert (await floor.error(Holder("stick", "kim"), "dice out")).code == "forbidden"
    await floor.say("ann", "pass for 10")
    await floor.taken("ann", "roll")
    await floor.hold()


async def test_typed_dice_keep_a_person_at_the_stick() -> None:
    floor = await floor_of("craps")
    assert await floor.refused("floor", "machine relieves the stickperson") == "typed-dice-person"
    assert (await floor.error("ann", "roll")).code == "forbidden"
