"""``throw was A B by ROLE`` at a live table whose dice are typed in."""

from __future__ import annotations

import random
from typing import Any

import pytest

from passline.live.audit.audit import Audit
from passline.live.live_table import fold_log
from passline.live.schema import LineOutcome, ServiceError
from passline.live.tokens import Holder
from tests.live.floor import EVERY_POST, Floor
from tests.table.games import standing

pytestmark = pytest.mark.anyio

ANN, BOX = Holder("player", "ann"), Holder("box")


async def opened(**asked: Any) -> Floor:
    floor = await Floor().open("new-jersey", posts=EVERY_POST, dice="typed", **asked)
    await floor.sit("ann", "500", place=1)
    await floor.sit("bob", "500", place=9)
    return floor


async def played(says: list[str]) -> Floor:
    """A game, each line ``who: line``; what is refused is left out."""
    floor = await opened()
    for say in says:
        who, line = say.split(": ", 1)
        await floor.say(who, line)
    return floor


async def same(wrong: list[str], right: list[str]) -> Floor:
    """The game with its correction, which ends at the same table as the one keyed right."""
    corrected, keyed = await played(wrong), await played(right)
    await corrected.hold()
    assert standing((await corrected.live()).table) == standing((await keyed.live()).table)
    return corrected


BETS = ["ann: pass for 10", "bob: dont-pass for 20"]


async def test_the_entry_names_the_one_it_corrects() -> None:
    floor = await same(
        [*BETS, "stick: roll 3 4", "box: throw was 3 3 by boxperson"], [*BETS, "stick: roll 3 3"]
    )
    entries = await floor.log()
    thrown = next(entry for entry in entries if entry.line == "roll 3 4")
    corrected = entries[-1]
    assert (corrected.line, corrected.role) == ("throw was 3 3 by boxperson", "box")
    assert corrected.more == {"corrects": thrown.seq}
    assert [event["event"] for event in corrected.events][:2] == ["throw-corrected", "rolled"]


async def test_the_machine_repeats_the_line_bets_of_the_right_throw() -> None:
    floor = await same(
        [*BETS, "stick: roll 3 3", "ann: field for 5", "floor: throw was 3 4 by floorperson"],
        [*BETS, "stick: roll 3 4", "ann: field for 5"],
    )
    assert (await floor.log())[-1].more["repeats"] == ["ann: pass for 10"]
    seat = await floor.seat("ann")
    assert {slug: up.amount for slug, up in seat.wagers.items()} == {"pass": 1000, "field": 500}
    live = await floor.live()
    assert live.repeated_line_bets == {("ann", "pass")}
    answer = await floor.say("ann", "pass for 10")
    assert answer.entries[0].refusal is not None


async def test_the_line_bets_of_the_wrong_throw_are_not_dealt_again() -> None:
    floor = await same(
        [*BETS, "stick: roll 3 4", "ann: place 8 for 12", "box: throw was 2 2 by boxperson"],
        [*BETS, "stick: roll 2 2", "ann: place 8 for 12"],
    )
    assert (await floor.seat("ann")).wagers["pass"].amount == 1000


@pytest.mark.parametrize("when", ["before", "after"])
async def test_who_wants_no_line_bet_repeated_has_none(when: str) -> None:
    off = ["ann: leave my line down"]
    wrong = [*BETS, *(off if when == "before" else []), "stick: roll 3 3"]
    wrong += [*(off if when == "after" else []), "box: throw was 3 4 by boxperson"]
    floor = await played(wrong)
    await floor.hold()
    assert "pass" not in (await floor.seat("ann")).wagers


async def test_lines_that_no_longer_hold_are_refused_and_their_players_told() -> None:
    floor = await same(
        [*BETS, "stick: roll 3 3", "ann: odds for 10; hard 8 for 5", "box: throw was 5 6 by box"],
        [*BETS, "stick: roll 5 6", "ann: pass-odds for 10", "ann: hard 8 for 5"],
    )
    (told,) = (await floor.page(ANN))["corrected"]["dropped"]
    assert told["words"] == "pass odds for $10"
    assert "needs a pass line" in told["reason"]
    assert "dropped" not in (await floor.page(Holder("player", "bob"))).get("corrected", {})
    await floor.say("ann", "pass for 10")
    await floor.say("stick", "roll 2 2")
    assert "corrected" not in await floor.page(ANN)


async def test_pages_and_programs_see_the_throw_that_counts() -> None:
    floor = await played([*BETS, "stick: roll 3 4", "box: throw was 3 3 by boxperson"])
    live, entries = await floor.live(), await floor.log()
    assert [(past.seq, past.dice, past.mark) for past in live.history] == [
        (entries[-1].seq, (3, 3), "point")
    ]
    page = await floor.page()
    assert [list(past["dice"]) for past in page["history"]] == [[3, 3]]
    assert (page["puck"], list(page["last"]["dice"]), page["last"]["seq"]) == (
        6,
        [3, 3],
        entries[-1].seq,
    )
    assert (
        page["last"]["corrected"]
        == "The boxperson corrected the throw: it was 3 and 3, not 3 and 4."
    )
    cached = await floor.service.tables.get(floor.table)
    assert [throw.rolled.first for _, throw in cached.recent_throws] == [3, 3]


async def test_same_bet_is_what_the_right_throw_decided() -> None:
    await same(
        [
            "ann: pass for 10; field for 5",
            "stick: roll 3 3",
            "box: throw was 5 4 by box",
            "ann: same bet",
        ],
        ["ann: pass for 10; field for 5", "stick: roll 5 4", "ann: same bet"],
    )


async def test_undo_works_after_a_correction() -> None:
    floor = await played(
        [*BETS, "stick: roll 3 3", "ann: field for 5", "box: throw was 2 2 by box"]
    )
    await floor.taken("ann", "undo")
    assert set((await floor.seat("ann")).wagers) == {"pass"}
    await floor.hold()


async def test_a_second_correction_names_the_first() -> None:
    twice = ["box: throw was 3 3 by box", "bob: field for 5", "box: throw was 5 5 by box"]
    floor = await same(
        [*BETS, "stick: roll 3 4", "ann: field for 5", *twice],
        [*BETS, "stick: roll 5 5", "ann: field for 5", "bob: field for 5"],
    )
    entries = await floor.log()
    first = next(entry for entry in entries if entry.line.startswith("throw was 3 3"))
    assert entries[-1].more["corrects"] == first.seq


async def test_somebody_who_joined_since_stays() -> None:
    floor = await opened()
    for say in (*BETS, "stick: roll 3 3"):
        await floor.taken(*say.split(": ", 1))
    await floor.sit("cal", "200", place=3)
    await floor.taken("cal", "field for 5")
    await floor.taken("box", "throw was 2 2 by boxperson")
    seat = await floor.seat("cal")
    assert (seat.rail, set(seat.wagers)) == (19500, {"field"})
    await floor.hold()


async def test_it_is_too_late_after_the_next_throw_and_once_the_dice_are_out() -> None:
    floor = await played([*BETS, "stick: roll 3 3", "stick: dice out"])
    assert await floor.refused("box", "throw was 2 2 by boxperson") == "nothing-to-correct"
    await floor.taken("stick", "roll 4 4")
    await floor.taken("box", "throw was 2 2 by boxperson")
    assert [past.dice for past in (await floor.live()).history] == [(3, 3), (2, 2)]
    await floor.hold()


@pytest.mark.parametrize("who", ["stick", "left-base", "ann"])
async def test_the_box_and_the_floor_correct_and_nobody_else(who: str) -> None:
    floor = await played([*BETS, "stick: roll 3 3"])
    assert await floor.code(who, "throw was 2 2 by boxperson") in ("forbidden", "not_understood")


async def test_the_role_is_the_speakers_own() -> None:
    floor = await played([*BETS, "stick: roll 3 3", "floor: throw was 2 2 by boxperson"])
    assert (await floor.log())[-1].line == "throw was 2 2 by floorperson"


async def test_throws_of_the_house_are_proven_and_not_corrected() -> None:
    floor = await Floor().open("new-jersey", posts=EVERY_POST, pace={"betting": 0, "shooter": 0})
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    await floor.taken("stick", "dice out")
    await floor.taken("ann", "roll")
    wrong = await floor.error("box", "throw was 2 2 by boxperson")
    assert (wrong.code, "nobody corrects it" in wrong.message) == ("forbidden", True)


async def test_sent_again_it_gets_the_same_answer() -> None:
    floor = await played([*BETS, "stick: roll 3 4"])
    first: LineOutcome = await floor.say("box", "throw was 3 3 by boxperson", id="once")
    (await floor.service.tables.get(floor.table)).answers.clear()
    assert (await floor.say("box", "throw was 3 3 by boxperson", id="once")).seq == first.seq


async def test_an_audit_finds_a_correction_of_another_entry() -> None:
    floor = await played([*BETS, "stick: roll 3 4", "box: throw was 3 3 by boxperson"])
    entries = await floor.log()
    assert fold_log(floor.table, entries) == await floor.live()
    audit = Audit()
    audit.add_lines(entry.text() for entry in entries)
    result = audit.end()
    assert (result.findings, result.throws) == ((), 1)


@pytest.mark.parametrize("seed", range(12))
async def test_a_random_game_with_corrections_is_the_game_keyed_right(seed: int) -> None:
    rng = random.Random(seed)
    corrected, keyed = await opened(), await opened()
    for floor in (corrected, keyed):
        await floor.taken("ann", "pass for 10")
    for _ in range(12):
        faces, wrong = (f"{rng.randint(1, 6)} {rng.randint(1, 6)}" for _ in range(2))
        thrown = await corrected.say("stick", f"roll {wrong}")
        if thrown.seq is None or sorted(faces) == sorted(wrong):
            await keyed.say("stick", f"roll {wrong}")
            continue
        begun = len(await corrected.log())
        for _ in range(rng.randint(0, 5)):
            await corrected.code(rng.choice(("ann", "bob")), rng.choice(SAYS))
        taken = [e for e in (await corrected.log())[begun:] if e.role == "player"]
        await corrected.say("box", f"throw was {faces} by boxperson")
        await keyed.say("stick", f"roll {faces}")
        for entry in taken:
            await keyed.code(entry.by, entry.line)
        assert standing((await corrected.live()).table) == standing((await keyed.live()).table)
    await corrected.hold()


SAYS = [
    *("field for 5", "pass for 10", "odds for 20", "place 6 for 12", "come for 10", "all down"),
    *("undo", "hard 8 for 5", "dont-pass for 10", "same bet", "buy 4 for 20", "press the 6"),
    *("buy in 50", "pass for 10; field for 10", "pass for 20"),
]


@pytest.mark.parametrize("dice", ["in the center", "just thrown"])
async def test_a_ruling_void_needs_dice_that_are_out(dice: str) -> None:
    floor = await played(BETS if dice == "in the center" else [*BETS, "stick: roll 3 3"])
    answer = await floor.say("box", "ruling void by boxperson")
    refusal = answer.entries[0].refusal
    assert answer.seq is None
    assert refusal is not None
    await floor.taken("stick", "dice out")
    await floor.taken("box", "ruling void by boxperson")
    await floor.hold()


@pytest.mark.parametrize(
    ("post", "line", "role"),
    [
        ("box", "ruling 3 4", "boxperson"),
        ("floor", "throw was 3 4", "floorperson"),
        ("box", "throw was 3 4", "boxperson"),
    ],
)
async def test_the_role_of_a_ruling_is_its_speakers(post: str, line: str, role: str) -> None:
    floor = await played(BETS if "ruling" in line else [*BETS, "stick: roll 3 3"])
    answer = await floor.taken(post, line)
    assert [entry.words for entry in answer.entries] == [f"{line} by {role}"]
    await floor.hold()


@pytest.mark.parametrize(
    ("post", "line", "words"),
    [
        ("stick", "throw was 3 4", "stickperson may not do that; the boxperson or floorperson may"),
        ("stick", "ann: pass for 5", "The stick books center bets only, not pass line."),
        ("right-base", "ann: pass for 5", "ann is at the left end: the left base dealer deals"),
        ("left-base", "eve: pass for 5", "There is no player 'eve' here. Choose one of: ann"),
    ],
)
async def test_a_refusal_to_the_crew_names_people(post: str, line: str, words: str) -> None:
    floor = await played([*BETS, "stick: roll 3 3"])
    with pytest.raises(ServiceError) as raised:
        await floor.say(post, line)
    assert words in raised.value.message
