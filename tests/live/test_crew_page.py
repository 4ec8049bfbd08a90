"""What a post's page is told: what it offers is what the table takes from that post, whatever
happened before; what the post has and the table would take is offered; and nobody else is told."""

from __future__ import annotations

import random
from typing import Any

import pytest

from passline.game.law.book_files import BOOKS
from passline.live.crew_actions import load_action_sheet, try_line
from passline.live.parse_line import PlayerTalk, TableAct, TableCommand, parse_line
from passline.live.permissions import ENGINE_ROLES, command_tag, load_matrix
from passline.live.tokens import Holder
from passline.talk.understand import understand
from tests.live.floor import EVERY_POST, Floor, holder
from tests.live.test_acts import LINES

pytestmark = pytest.mark.anyio

CREW = ("operator", *EVERY_POST)
GAMES = ("craps", "mini-craps", "automated-craps")
STEPS = 18
OTHER = {"ann": "bob", "bob": "ann"}
Json = dict[str, Any]


async def floor_of(book: str, game: str = "", **asked: Any) -> Floor:
    dice = "secure" if game == "automated-craps" else "typed"
    floor = await Floor().open(book, game=game, posts=EVERY_POST, dice=dice, **asked)
    await floor.sit("ann", place=1)
    await floor.sit("bob", place=9)
    return floor


async def told(floor: Floor, role: str, player: str = "") -> Json:
    found: Json = (await floor.page(holder(role), player))["post"]
    return found


def everything(post: Json) -> list[Json]:
    """All that a page offers, wager by wager too."""
    booked = [offer for wager in post["book"] for offer in wager["offers"]]
    return [*post["offers"], *booked]


def open_now(post: Json) -> list[Json]:
    return [offer for offer in everything(post) if offer["bar"] is None]


def filled(offer: Json, chance: random.Random) -> str:
    """The line of an offer, as somebody fills it in who takes what is open."""
    values = {}
    for field in offer["fields"]:
        if field["kind"] == "choice":
            may = [choice["value"] for choice in field["choices"] if choice["bar"] is None]
            values[field["name"]] = chance.choice(may)
        elif field["kind"] == "face":
            values[field["name"]] = str(chance.randint(1, 6))
        else:
            free = {"name": chance.choice(("kim", "lee")), "serial": str(chance.randint(1, 99))}
            values[field["name"]] = field["value"] or free.get(field["name"], "")
    line: str = offer["line"]
    return " ".join(line.format(**values).split())


def test_every_act_of_the_matrix_stands_on_the_sheet() -> None:
    known = load_action_sheet()
    acts = {offer.act for offer in known.offer}
    acts |= {offer.act for offer in (*known.wagers.values(), *known.waiting.values())}
    assert acts == {*load_matrix().acts, *load_matrix().calls.values(), "turn-down"}


def test_every_page_has_known_parts_and_every_offer_a_part_on_its_page() -> None:
    known = load_action_sheet()
    assert set(known.pages) == {*EVERY_POST, "surveillance"}
    for columns in known.pages.values():
        parts = [part for column in columns for part in column]
        assert len(parts) == len(set(parts))
        assert set(parts) <= set(known.parts)
    assert {offer.part for offer in known.offer} <= set(known.parts)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(2))
async def test_what_is_offered_as_open_is_never_forbidden(game: str, seed: int) -> None:
    """A walk: whoever of the crew comes says something of what is offered, filled in from it."""
    chance = random.Random(f"{game} {seed}")
    floor = await floor_of("new-jersey", game)
    await floor.taken("ann", "pass for 10")
    taken = said = 0
    for _ in range(STEPS):
        role = chance.choice(CREW)
        post = await told(floor, role, chance.choice(("ann", "bob", "")))
        may = open_now(post)
        if not may:  # others have relieved them
            continue
        line = filled(chance.choice(may), chance)
        seq = (await floor.live()).head.seq
        code, head = await floor.code(role, line), (await floor.live()).head
        taken_name = " joins for " in line and line.split()[0] in (await floor.live()).names
        known = ("done", "conflict", *(["forbidden"] if taken_name else []))
        assert code in known, (role, line, code)  # a name may be another's by now
        said += 1
        taken += head.seq > seq
    assert taken >= said * 0.9 > 0  # two choices may go together badly; no more than that
    await floor.hold()


@pytest.mark.parametrize("book", BOOKS)
async def test_what_has_no_field_and_is_open_is_taken(book: str) -> None:
    floor = await floor_of(book)
    await floor.taken("ann", "pass for 10")
    for role in CREW:
        for offer in (await told(floor, role, "ann"))["offers"]:
            if offer["fields"] or offer["act"] in ("leave", "close-table", "call-it"):
                continue
            live = await floor.live()
            came = try_line(live, holder(role), offer["line"])
            assert (came.bar is None) == (offer["bar"] is None), (role, offer)


def tags(live: Any, who: Holder, line: str) -> set[str]:
    heard = parse_line(live, who, line)
    if isinstance(heard, TableCommand):
        return {command_tag(heard.command)}
    if isinstance(heard, PlayerTalk):
        return {
            command_tag(command)
            for say in heard.says
            for command in understand(live.table, heard.player, say, live.memory)
        }
    assert isinstance(heard, TableAct)
    return {heard.act}


@pytest.mark.parametrize("game", GAMES)
async def test_what_a_post_may_say_and_the_table_would_take_is_offered(game: str) -> None:
    """Every line of the matrix, at tables in several states."""
    floor = await floor_of("new-jersey", game)
    before = {
        "craps": ["ann: pass for 10", "stick: dice out", "stick: dice in the air"],
        "mini-craps": ["ann: pass for 10", "stick: dice out", "stick: no roll off-table"],
        "automated-craps": ["ann: pass for 10"],
    }[game]
    seen = set()
    for step in ["", *before]:
        if step:
            who, _, line = step.partition(": ")
            await floor.taken(who, line)
        live = await floor.live()
        for role in CREW:
            for player in ("ann", "bob"):
                offered = {offer["act"] for offer in open_now(await told(floor, role, player))}
                own = [line for line in LINES if line.split()[0].strip(":") != OTHER[player]]
                for line in own:
                    if try_line(live, holder(role), line).bar is None:
                        wanted = tags(live, holder(role), line)
                        assert wanted <= offered, (role, line)
                        seen |= wanted
    assert len(seen) > (7 if game == "automated-craps" else 25)


async def test_a_buy_in_that_waits_is_let_in_or_turned_down_in_one_touch() -> None:
    floor = await Floor().open("new-jersey", posts=EVERY_POST, dice="typed", buy_ins="box")
    await floor.sit("ann", "400", place=3)
    post = await told(floor, "box")
    assert post["asking"] == [{"name": "ann", "amount": "400.00", "place": 3}]
    waits = [offer for offer in post["offers"] if offer["part"] == "waiting"]
    assert [offer["line"] for offer in waits] == ["ann joins for 400 at 3", "ann buy-in declined"]
    assert (await told(floor, "stick"))["asking"] == []
    assert not any(o["part"] == "waiting" for o in (await told(floor, "right-base"))["offers"])
    await floor.taken("box", waits[0]["line"])
    await floor.say("ann", "buy in 100")
    waits = [o for o in (await told(floor, "box"))["offers"] if o["part"] == "waiting"]
    assert waits[0]["line"] == "ann buys in 100"
    await floor.taken("box", waits[1]["line"])
    assert (await told(floor, "box"))["asking"] == []


async def test_a_bar_says_why_and_by_which_clause() -> None:
    floor = await floor_of("iowa")
    await floor.taken("ann", "pass for 10")
    await floor.taken("stick", "dice in the air")
    offers = {offer["act"]: offer for offer in (await told(floor, "stick"))["offers"]}
    assert offers["draw-back"]["bar"]["cite"] == "stick.6#3"  # theirs, and it waits
    assert "rule" not in offers  # never theirs
    grounds = offers["call-no-roll"]["fields"][0]["choices"]
    assert {choice["value"] for choice in grounds if choice["bar"] is None} >= {"leaning"}
    assert all(choice["bar"]["cite"] for choice in grounds if choice["bar"])
    offers = {offer["id"]: offer for offer in (await told(floor, "floor"))["offers"]}
    assert offers["relieve-1"]["bar"]["cite"] == "relief.stick.3"  # not while the dice are out


async def test_base_dealers_see_their_own_end_and_the_stick_books_the_center() -> None:
    floor = await floor_of("new-jersey")
    left, right = await told(floor, "left-base"), await told(floor, "right-base", "ann")
    assert (left["player"], right["player"]) == ("ann", "bob")  # another's player is not picked
    assert {one["name"]: one["own"] for one in right["players"]} == {"ann": False, "bob": True}
    stick = await told(floor, "stick", "bob")
    slugs = {one["wager"] for one in stick["book"]}
    assert "hard-8" in slugs
    assert "field" not in slugs
    assert stick["says"] == "bob: {words}"
    assert "says" not in await told(floor, "box")
    await floor.taken("stick", stick["says"].format(words="yo for 5"))
    center = (await told(floor, "stick"))["center"]
    assert [(one["player"], one["wager"], one["amount"]) for one in center] == [
        ("bob", "eleven", "5.00")
    ]


async def test_the_work_of_a_throw_is_told_with_whose_it_is() -> None:
    floor = await floor_of("new-jersey")
    assert "work" not in await told(floor, "stick")
    await floor.taken("ann", "pass for 10; field for 5")
    await floor.taken("bob", "pass for 10")
    await floor.taken("stick", "roll 3 4")
    ends = {}
    for role in ("left-base", "right-base", "stick"):
        work = (await told(floor, role))["work"]
        assert (work["throw"], work["dice"]) == (1, [3, 4])
        ends[role] = {(task["post"], task["end"]) for task in work["tasks"] if task["own"]}
    assert ends["left-base"] == {("base", "left")}
    assert ends["right-base"] == {("base", "right")}
    assert {post for post, _ in ends["stick"]} == {"stick"}


async def test_the_house_the_posts_and_the_log_are_told() -> None:
    floor = await floor_of("new-jersey")
    await floor.taken("floor", "kim relieves the stickperson")
    await floor.service.invite(floor.table, "watcher", "eve")
    post = await told(floor, "floor")
    assert (post["house"]["drop"], post["house"]["least"]) == ("1000.00", "5.00")
    posts = {one["post"]: one for one in post["posts"]}
    assert (posts["stick"]["held"], posts["stick"]["name"]) == ("person", "kim")
    assert "player" in post["invites"]
    assert (await told(floor, "box"))["invites"] == []
    log = list(post["log"].values())
    assert [one["seq"] for one in log] == list(range(5))
    assert log[-1]["words"] == ["watcher (eve) is invited"]
    assert log[-2]["line"] == "kim relieves the stickperson"
    assert log[-1]["hash"] == (await floor.live()).head.hash


async def test_who_only_watches_is_told_why_and_offered_nothing() -> None:
    floor = await Floor().open("new-jersey", posts={"stick": "person"}, dice="typed")
    await floor.sit("ann")
    for role in ("box", "surveillance"):
        post = await told(floor, role)
        assert post["watches"]["reason"]
        assert (post["offers"], post["book"], post["invites"]) == ([], [], [])
        assert post["house"]["drop"] == "500.00"
        parts = {part["part"] for column in post["page"] for part in column}
        assert {"work", "log"} <= parts
        assert "invites" not in parts
    await floor.taken("operator", "kim relieves the stickperson")
    post = (await floor.page(Holder("stick", "lee")))["post"]
    assert "kim has relieved" in post["watches"]["reason"]


@pytest.mark.parametrize("who", [Holder("watcher"), Holder("player", "ann")])
async def test_nobody_else_has_a_post(who: Holder) -> None:
    floor = await floor_of("new-jersey")
    assert "post" not in await floor.page(who)
    assert who.role not in ENGINE_ROLES or who.role == "player"
