"""A strategy at a live table, in this process: what it says, when it throws, when it stops."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from passline.lab.machines.bettor import View
from passline.lab.strategies.ask import Strategy
from passline.lab.strategies.built_in import BUILT_IN
from passline.live.client.bot import Bot, BotLimits, BotTurn
from passline.live.client.client import Client
from passline.live.client.http import ClientError
from passline.live.live_table import fold_log
from passline.live.log_entries import Entry
from passline.record.deal import deal_text
from tests.live.failing_connections import cutting
from tests.web.serving import KEY, Server, serving

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all."""
    with serving(tmp_path_factory.mktemp("live")) as one:
        yield one


def playing(
    client: Client, strategy: Strategy, name: str = "ann", buy_in: str = "500", **plan: int
) -> tuple[str, list[BotTurn], Bot]:
    """A bot's whole game: how it ended, and what it decided."""
    turns: list[BotTurn] = []
    client.sit(name, buy_in)
    bot = Bot(client, strategy, BotLimits(**plan), turns.append)
    try:
        return bot.play(), turns, bot
    finally:
        bot.close()


def thrown(log: list[Entry]) -> list[Entry]:
    return [entry for entry in log if entry.line.startswith("roll ")]


def test_its_game_is_the_one_in_the_log(server: Server) -> None:
    client = Client(str(server.open()["url"]))
    end, turns, bot = playing(client, BUILT_IN["pass-odds"], rolls=25)
    assert (end, bot.throws, len(turns)) == ("rolls", 25, 25)
    log = list(client.log())
    live = fold_log(client.table, log)
    assert live is not None
    assert live.table == bot.live.table
    assert deal_text(client.record()).table.seat("ann").rail == bot.seat.rail
    throws = thrown(log)
    assert len(throws) == 25
    assert all(entry.fair is not None and entry.fair.nonce for entry in throws)
    assert len({entry.fair.nonce for entry in throws if entry.fair}) == 25
    # What it says is what it decided, once each, and nothing was said for it.
    said = [words for turn in turns for words in turn.taken]
    lines = [
        part
        for entry in log
        if entry.line.startswith("ann: ")
        for part in entry.line.removeprefix("ann: ").split("; ")
    ]
    assert lines == said
    assert all(entry.role != "machine" for entry in log if entry.line.startswith("ann: "))


def test_it_decides_as_the_same_strategy_does_anywhere(server: Server) -> None:
    """Every view that the strategy is shown is the table as the log has it then."""
    seen: list[tuple[int | None, tuple[str, ...], tuple[int, int] | None, Any]] = []

    def watches(view: View) -> tuple[list[str], int]:
        count = view.memory or 0
        seen.append((view.puck, tuple(view.wagers), view.last, view.memory))
        return ([] if view.puck or view.up("pass") else ["pass for 10", "field for 5"]), count + 1

    client = Client(str(server.open()["url"]))
    playing(client, watches, rolls=12)
    asked = seen[::2]  # each is asked twice
    assert [view[3] for view in asked] == [None, *range(1, 12)]
    assert asked[0][2] is None
    dice = [tuple(sorted(map(int, e.line.split()[1:]))) for e in thrown(list(client.log()))]
    assert [view[2] for view in asked[1:]] == dice[:11]


def test_refusals_are_taken_sensibly(server: Server) -> None:
    def odd(view: View) -> list[str]:
        return ["pass for 10", "hocus pocus", "field for 1", "big 6 for 5"] if not view.puck else []

    client = Client(str(server.open()["url"]))
    _, turns, _ = playing(client, odd, rolls=1)
    assert turns[0].taken == ("pass for 10",)
    assert [one.words for one in turns[0].refused] == ["hocus pocus", "field for 1", "big-6 for 5"]
    assert all(one.refusal is not None and one.refusal.reason for one in turns[0].refused)


def test_when_it_stops(server: Server) -> None:
    def line(view: View) -> list[str]:
        return ["pass for 10"] if not view.puck and not view.up("pass") else []

    end, _, bot = playing(Client(str(server.open()["url"])), line, stop_win=1000, stop_loss=1000)
    seat = bot.seat
    worth = seat.rail + sum(stake.amount for stake in seat.wagers.values())
    assert (end, worth - 50_000) in {("stop-win", 1000), ("stop-loss", -1000)}
    end, _, bot = playing(Client(str(server.open()["url"])), line, buy_in="20", rolls=100)
    assert end in {"broke", "rolls"}
    end, turns, _ = playing(Client(str(server.open()["url"])), lambda _: "pass for 1", rolls=9)
    assert (end, len(turns)) == ("stuck", 1)
    closed = Client(str(server.open()["url"]))
    Client(closed.url, KEY).close_table()
    with pytest.raises(ClientError):
        playing(closed, line, rolls=1)


def test_it_says_why_nothing_happens_and_waits_for_others(server: Server) -> None:
    table = Client(str(server.open()["url"]))
    table.sit("ann", "500")
    turns: list[BotTurn] = []
    bot = Bot(table, BUILT_IN["place-6-8"], BotLimits(rolls=2), turns.append)
    ended: list[str] = []
    thread = threading.Thread(target=lambda: ended.append(bot.play()), daemon=True)
    thread.start()
    deadline = time.monotonic() + 10
    while not turns and time.monotonic() < deadline:
        time.sleep(0.02)
    assert turns[0].idle is not None
    shooter = Client(table.url)
    end, _, _ = playing(shooter, BUILT_IN["pass"], "bob", rolls=3)
    thread.join(10)
    bot.close()
    assert (end, ended) == ("rolls", ["rolls"])


def test_everybody_has_the_betting_time_and_bots_are_ready_early(server: Server) -> None:
    """Two bots at a table with ten seconds to bet do not wait for each other's ten seconds."""
    url = str(server.open(pace={"betting": 10})["url"])
    ended: list[str] = []

    def play(name: str, strategy: str) -> None:
        ended.append(playing(Client(url), BUILT_IN[strategy], name, rolls=4)[0])

    began = time.monotonic()
    threads = [
        threading.Thread(target=play, args=args, daemon=True)
        for args in (("ann", "pass"), ("bob", "pass-odds"))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert ended == ["rolls", "rolls"]
    assert time.monotonic() - began < 25


def test_it_waits_for_those_who_are_not_ready(server: Server) -> None:
    url = str(server.open(pace={"betting": 2})["url"])
    human = Client(url)
    human.sit("hal", "500")
    end, _, _ = playing(Client(url), BUILT_IN["pass"], rolls=2)
    assert end == "rolls"
    log = list(human.log())
    first, second = (datetime.fromisoformat(entry.at) for entry in thrown(log)[:2])
    apart = second - first
    assert 2.0 <= apart.total_seconds() < 6.0


def test_real_dice_are_not_its_to_throw(server: Server) -> None:
    table = server.open(dice="typed", posts={"stick": "person"})
    client = Client(str(table["url"]))
    stick = Client(str(table["url"]), table["tokens"]["stick"])
    over = threading.Event()

    def deal() -> None:
        while not over.wait(0.1):
            view = stick.view()
            there = view.player("ann")
            if there is not None and there.wagers:
                for line in ("ann takes the dice", "dice out", "roll 3 3"):
                    try:
                        stick.say(line)
                    except ClientError:
                        continue

    crew = threading.Thread(target=deal, daemon=True)
    crew.start()
    try:
        end, turns, _ = playing(client, BUILT_IN["pass-odds"], rolls=4)
    finally:
        over.set()
        crew.join(10)
    assert end == "rolls"
    log = list(client.log())
    assert {entry.role for entry in thrown(log)} == {"stick"}
    assert {turn.dice for turn in turns[1:]} == {(3, 3)}


def test_a_machine_that_throws(server: Server) -> None:
    client = Client(str(server.open(game="automated-craps")["url"]))
    end, _, _ = playing(client, BUILT_IN["field"], rolls=3)
    assert end == "rolls"
    paced = Client(str(server.open(game="automated-craps", pace={"betting": 1})["url"]))
    end, _, _ = playing(paced, BUILT_IN["field"], rolls=2)
    assert end == "rolls"
    assert {entry.role for entry in thrown(list(paced.log()))} == {"machine"}


def test_nothing_is_said_twice_over_a_wire_that_loses_every_third_reply(server: Server) -> None:
    url = str(server.open()["url"])
    count = iter(range(10**6))
    with cutting(server.url, lambda first: next(count) % 3 == 2) as proxy:
        client = Client(f"{proxy.url}/t/{url.rpartition('/')[2]}", rest=lambda _: None)
        end, turns, bot = playing(client, BUILT_IN["pass-odds"], rolls=15)
        assert len(proxy.cut) > 5
    assert (end, bot.throws) == ("rolls", 15)
    log = list(Client(url).log())
    assert len(thrown(log)) == 15
    said = [words for turn in turns for words in turn.taken]
    lines = [e.line.removeprefix("ann: ") for e in log if e.line.startswith("ann: ")]
    assert "; ".join(lines) == "; ".join(said)


def test_a_token_that_is_withdrawn_ends_it(server: Server) -> None:
    client = Client(str(server.open()["url"]))

    def withdrawn(view: View) -> None:
        Client(client.url, KEY).withdraw("player", "ann")

    with pytest.raises(ClientError) as gone:
        playing(client, withdrawn)
    assert gone.value.status == 401


def test_a_waiting_bot_stops_when_it_is_asked_to(server: Server) -> None:
    """It waits half a minute for another player, and still ends within a second."""
    client = Client(str(server.open()["url"]))
    client.sit("ann", "500")
    turns: list[BotTurn] = []
    bot = Bot(client, BUILT_IN["place-6-8"], BotLimits(), turns.append)
    ended: list[str] = []
    thread = threading.Thread(target=lambda: ended.append(bot.play()), daemon=True)
    thread.start()
    deadline = time.monotonic() + 10
    while not turns and time.monotonic() < deadline:
        time.sleep(0.02)
    bot.stop(5.0)
    thread.join(5)
    bot.close()
    assert ended == ["interrupted"]
    assert client.retry_seconds == 5.0
