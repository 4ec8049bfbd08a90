"""Pages that are kept up to date by merge patches show what a page that is loaded now shows."""

from __future__ import annotations

import json
import random
from contextlib import suppress

import pytest

from passline.game.law.book_files import BOOKS
from passline.live.merge_patch import apply_patch, drop_nulls, make_patch
from passline.live.page_feed import PageFeed, Viewer, describe_throw, find_viewer
from passline.live.player_page import PrivateState, SharedKey
from passline.live.schema import ServiceError
from passline.live.tokens import Holder
from tests.live.floor import Floor

pytestmark = pytest.mark.anyio

NAMES = ("ann", "bob", "cid")
LINES = (
    "pass for 10", "dont-pass for 10", "come for 10", "field for 5", "place the 6 for 12",
    "place the 8 for 12", "hard 8 for 5", "odds for 20", "yo for 1", "take me down", "undo",
    "press the 6", "all off", "all on", "buy the 4 for 20", "lay the 10 for 40", "ready",
    "buy in 100", "leave", "buy the 5 for 20; horn for 4", "take the dice", "pass the dice",
)  # fmt: skip


def read_event(frame: bytes) -> dict[str, object]:
    """Return the data of a page event."""
    lines = frame.decode().splitlines()
    assert lines[1] == "event: page"
    found: dict[str, object] = json.loads(lines[2].removeprefix("data: "))
    assert lines[0] == f"id: {found['seq']}"
    return found


@pytest.mark.parametrize("book", BOOKS)
async def test_patched_pages_equal_fresh_ones(book: str) -> None:
    floor = await Floor(seed=7).open(book, pace={"betting": 0, "shooter": 0})
    for name in NAMES:
        await floor.sit(name)
    cached = await floor.service.tables.get(floor.table)
    viewers = [Viewer(Holder("player", name)) for name in NAMES]
    viewers += [Viewer(Holder("watcher")), Viewer(Holder("box"), "ann"), Viewer(Holder("stick"))]
    feed = PageFeed(cached.live)
    log = await floor.service.entries(floor.table, -1)
    pages = {}
    for viewer in viewers:
        feed.add(viewer, log)
        pages[viewer] = feed.whole(viewer)
    choices, sizes, throws_seen = random.Random(book), [], []
    for _ in range(150):
        who = choices.choice(NAMES)
        line = choices.choice(LINES) if choices.random() < 0.7 else "roll"
        with suppress(ServiceError):
            await floor.say(who, line)
        near = cached.entries_after(feed.seq) or []
        new = [describe_throw(seq, one) for seq, one in cached.recent_throws if seq > feed.seq]
        if near:
            events = feed.advance(cached.live, [one.entry for one in near], new)
            for viewer, frame in events.items():
                data = read_event(frame)
                assert data["seq"] == cached.live.head.seq
                pages[viewer] = apply_patch(pages[viewer], data["changes"])  # type: ignore[arg-type]
                if viewer.holder.role == "player":
                    sizes.append(len(frame))
                if viewer is viewers[0]:
                    throws_seen += [one["seq"] for one in data.get("throws", [])]  # type: ignore[attr-defined]
    for viewer in viewers:
        fresh = (await floor.service.page(floor.table, viewer))["whole"]
        assert pages[viewer] == json.loads(json.dumps(fresh)), viewer
        assert drop_nulls(fresh) == fresh
    thrown = [one.seq for one in await floor.log() if one.line.startswith("roll ")]
    assert throws_seen == thrown != []
    assert sum(sizes) / len(sizes) < 4096, sum(sizes) / len(sizes)


def test_a_patch_turns_one_object_into_the_other() -> None:
    before = {"a": {"b": 1, "c": [1]}, "d": "x", "e": {"f": {}}}
    after = {"a": {"b": 1, "c": [2]}, "e": {"f": {"g": 0}}, "h": {}}
    assert apply_patch(before, make_patch(before, after)) == after
    assert make_patch(after, after) == {}


async def test_a_bet_of_somebody_else_computes_nothing_for_me() -> None:
    """At a full table a player's options cost a millisecond: not sixteen for each line."""
    floor = await Floor().open("new-jersey")
    await floor.sit("ann")
    await floor.sit("bob")
    await floor.taken("ann", "pass for 10")
    cached = await floor.service.tables.get(floor.table)
    private = PrivateState(Holder("player", "ann"))
    before = private.update(cached.live, SharedKey(cached.live))
    await floor.taken("bob", "field for 5")
    assert private.update(cached.live, SharedKey(cached.live)) is before
    await floor.taken("bob", "ready")
    after = private.update(cached.live, SharedKey(cached.live))
    assert after is not before
    assert after["may"] is before["may"]  # Who is ready changes nothing that may be bet.
    await floor.taken("ann", "field for 5")
    assert private.update(cached.live, SharedKey(cached.live))["may"] != before["may"]


@pytest.mark.parametrize(
    ("role", "picked", "found"),
    [("box", "ann", "ann"), ("box", "zoe", ""), ("player", "ann", ""), ("watcher", "ann", "")],
)
async def test_nobody_makes_a_page_of_their_own_for_each_name(
    role: str, picked: str, found: str
) -> None:
    """Three hundred pages of one player, each with another name, took a third of a second."""
    floor = await Floor().open()
    await floor.sit("ann")
    assert find_viewer(await floor.live(), Holder(role, "me"), picked).player == found
