"""A live table takes every kind of line of docs/build/record.md from a role that may send it, and
its record deals to the same table."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from passline.game.law import no_roll_and_dice_grounds as grounds
from passline.game.law.book_files import BOOKS
from passline.game.table import commands as cmd
from passline.game.table.dice_set import default_no_roll_caller
from passline.live.permissions import command_tag
from passline.record.table_lines import read_table_line
from tests.live.floor import EVERY_POST, Floor

pytestmark = pytest.mark.anyio

RECORD = Path(__file__).parent.parent.parent / "docs" / "build" / "record.md"
ROLES = {
    "stickperson": "stick",
    "boxperson": "box",
    "dealer": "left-base",
    "floorperson": "floor",
    "supervisor": "floor",
}
SIZES = "0.7502 0.7510 0.7511 0.7500 0.7575"

GROUNDS = tuple(dict.fromkeys(grounds.iter_ground_names(grounds.no_roll_grounds)))
REASONS = tuple(dict.fromkeys(grounds.iter_ground_names(grounds.pass_grounds)))
DICE_REASONS = tuple(dict.fromkeys(grounds.iter_ground_names(grounds.new_dice_grounds)))

#: Games by rulebook, each a list of ``who: line``; a player's say is what stands after the name.
GAMES: dict[str, tuple[str, list[str]]] = {
    "a night's wagers": (
        "new-jersey",
        [
            "ann: pass for 10",
            "left-base: ann: pass to 20",
            "stick: ann: hard 8 for 5; yo for 1",
            "left-base: ann: pass for 5 match 5",
            "left-base: ann: field for 10 in cash confirmed by dealer",
            "left-base: ann: all off",
            "left-base: ann: all on",
            "left-base: ann: hard-8 on",
            "ann: undo",
            "ann: toke 5",
            "ann: hard-6 for 1 for the dealers",
            "left-base: ann: hard-8 down",
            "right-base: bob: dont-pass for 10",
            "bob: all down",
            "bob: pass for 10",
            "stick: ann takes the dice",
            "stick: dice out",
            "stick: dice back",
            "stick: dice out",
            "stick: roll 3 3",
            "left-base: ann: place-win-8 for 12",
            "left-base: ann: place-win-8 off",
            "ann: buy in 100",
            "box: ann buys in 50",
            "left-base: ann colours up",
            "bob: stand",
            "bob: sit",
            "right-base: bob changes 25 to green",
            "box: cal joins for 100 at 2",
            "left-base: dee joins for 100 at 3",
            "box: bob gets all bets back",
            "cal: leave",
            "cal: buy in 100",
            "floor: cal leaves",
            "stick: roll 4 3 tampered",
        ],
    ),
    "late wagers": (
        "new-jersey",
        [
            "ann: pass for 10",
            "stick: dice out",
            "stick: dice in the air",
            "ann: field for 5",
            "bob: yo for 5",
            "left-base: dealer confirms ann field",
            "box: boxperson confirms ann field",
            "stick: roll 4 5",
            "left-base: ann: field for 5 in the air confirmed by dealer, boxperson",
        ],
    ),
    "disputes": (
        "section-2",
        [
            "ann: pass for 10",
            "box: ruling 3 3 by boxperson",
            "ann: field for 5",
            "box: throw was 4 2 by boxperson",
            "stick: dice out",
            "box: ruling void by boxperson",
            "stick: no roll improper",
            "box: ruling 2 3 by boxperson",
            "stick: ann passes the dice",
            "stick: bob declines the dice",
            "stick: ann takes the dice",
            "box: boxperson orders ann to pass for delay",
        ],
    ),
    "the dice and the posts": (
        "iowa",
        [
            "ann: pass for 10",
            "floor: inspect dice",
            f"floor: inspect dice {SIZES} serial 4411",
            "floor: new dice damage serial 4411",
            f"floor: inspect dice {SIZES} serial 4412",
            "floor: new dice tampering serial 4412",
            "floor: cancel dice 4411 on 4 by supervisor",
            "floor: recall dice out-of-sight",
            "floor: inspect dice 0.7490 flaw chipped",
            "floor: new dice damage",
            "stick: no roll off-table outside",
            "stick: die found",
            "ann: same dice",
            "floor: inspect dice",
            "ann: new dice",
            "stick: no roll off-table inside",
            "stick: die lost",
            "floor: new dice die-lost",
            "floor: kim relieves the stickperson",
            "floor: lee relieves the boxperson",
            "box: boxperson okays the dice",
            "floor: max relieves the left base dealer",
            "floor: pat relieves the base dealer",
            "left-base: ann asks to colour up",
            "floor: supervisor permits ann to colour up",
            "floor: supervisor warns ann for misses-wall",
            "floor: no roll misses-wall",
            "floor: limits 10 to 400",
            "floor: limits field 10 to 100",
            "floor: supervisor orders ann to pass for violation",
            "ann: all down",
            "box: dead game",
            "ann: pass for 10",
            "ann: all down",
            "floor: table closes",
            "floor: table opens",
            "ann: pass for 10",
            "stick: call it",
            "left-base: roll 2 2",
        ],
    ),
    "a wager gone unnoticed": (
        "iowa",
        [
            "left-base: ann: pass for 600 unnoticed",
            "left-base: ann: field for 10 dice out",
            "stick: roll 4 3",
        ],
    ),
    "the Shootout": (
        "iowa",
        [
            "floor: clock 2030-01-01 08:59",
            "ann: pass for 10",
            "stick: roll 2 2",
            "stick: roll 2 2",
            "floor: clock 2030-01-02 09:00",
        ],
    ),
}


async def played(name: str) -> Floor:
    book, says = GAMES[name]
    elections = {"offers.shootout": True} if name == "the Shootout" else {}
    floor = Floor()
    await floor.open(book, posts=EVERY_POST, dice="typed", elections=elections)
    await floor.sit("ann", "2000", place=1)
    await floor.sit("bob", "2000", place=9)
    for say in says:
        who, line = say.split(": ", 1)
        answer = await floor.taken(who, line)
        assert all(one.refusal is None for one in answer.entries), (say, answer)
    return floor


@pytest.mark.parametrize("name", GAMES)
async def test_what_a_record_can_say_is_taken_and_deals_again(name: str) -> None:
    floor = await played(name)
    await floor.hold()


async def test_every_kind_of_command_is_among_them() -> None:
    tags: set[str] = set()
    for name in GAMES:
        floor = await played(name)
        table = (await floor.live()).table
        for line in (await floor.service.record(floor.table)).splitlines():
            if line and ":" not in line.split(" ")[0]:
                tags.add(command_tag(read_table_line(line, table)))
            tags |= {kind for kind, say in SAYS.items() if re.search(say, line)}
    assert tags == {str(kind.__struct_config__.tag) for kind in get_args(cmd.AnyCommand)}


#: What players say, as a record has it.
SAYS = {
    "bet": r"^\w+: .*\S+ for \d+",
    "change": r"^\w+: \S+ to \d+",
    "take-down": r"^\w+: \S+-\S+ down",
    "take-all-down": r"^\w+: all down",
    "call": r"^\w+: .*\bo(n|ff)$",
    "undo": r"^\w+: undo",
    "toke": r"^\w+: toke ",
    "toke-bet": r"for the dealers",
}


def test_every_line_of_the_document_is_among_them() -> None:
    """Each line that docs/build/record.md shows is like one of those sent here."""
    shown = re.findall(r"^\| (`[^|]+?) \|", RECORD.read_text("utf-8"), re.MULTILINE)
    forms = [form for row in shown for form in re.findall(r"`([^`]+)`", row)]
    said = [say.split(": ", 1)[1] for _, says in GAMES.values() for say in says]
    said += [say.split(": ", 1)[-1] for say in said]
    own = {"takes the dice", "declines the dice", "passes the dice", "leaves", "stands", "sits"}
    for form in forms[: forms.index("table opens") + 1]:
        if any(
            form.endswith(word) for word in (*own, "the same dice", "new dice", "buys in AMOUNT")
        ):
            continue  # said by the player in words of his own
        words = re.sub(r"\[[^\]]*\]", "", form).split()
        free = [r"[^;]+" if word.strip(",;").isupper() else re.escape(word) for word in words]
        pattern = re.compile(r"(^|; )" + " ".join(free))
        assert any(pattern.search(line) for line in said), form


@pytest.mark.parametrize("book", BOOKS)
async def test_every_ground_is_called_by_whom_the_book_names(book: str) -> None:
    called: set[str] = set()
    for ground in GROUNDS:
        floor = await Floor().open(book, posts=EVERY_POST, dice="typed")
        await floor.sit("ann")
        await floor.taken("ann", "pass for 10")
        who = ROLES[default_no_roll_caller((await floor.live()).table, ground)]
        if ground == "misses-wall":
            await floor.say(who, "stickperson warns ann for misses-wall")
        answer = await floor.say(who, f"no roll {ground}")
        if answer.seq is not None:
            called.add(ground)
        else:
            refusal = answer.entries[0].refusal
            assert refusal is not None
            assert refusal.cite
        await floor.hold()
    known = (await floor.live()).table.house.book.throw
    named = {one.name for one in (*known.void, *known.grounds)} & set(GROUNDS)
    assert {"off-table"} | named - {one.name for one in known.barred} <= called


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("reason", REASONS)
async def test_every_ground_for_taking_the_dice_is_the_officials(book: str, reason: str) -> None:
    floor = await Floor().open(book, posts=EVERY_POST, dice="typed")
    await floor.sit("ann")
    await floor.sit("bob")
    await floor.taken("ann", "pass for 10")
    await floor.taken("ann", "take the dice")
    rules = (await floor.live()).table.house.book.dice
    named = rules.order_by.get((await floor.live()).settings.game)
    who = ROLES[named.value[0]] if named is not None else "box"
    answer = await floor.say(who, f"boxperson orders ann to pass for {reason}")
    has = any(ground.name == reason for ground in rules.order_for)
    assert (answer.seq is not None) == has
    await floor.hold()


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("reason", DICE_REASONS)
async def test_new_dice_come_in_for_every_reason(book: str, reason: str) -> None:
    floor = await Floor().open(book, posts=EVERY_POST, dice="typed")
    await floor.sit("ann")
    await floor.taken("floor", f"new dice {reason}")
    await floor.hold()
