"""``passline sit``: a strategy at a live table, from the command line, whatever happens there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.game.money.amounts import show_dollars
from passline.lab.best_play import find_best_play
from passline.live.client.client import Client
from passline.live.hash_chain import verify_chain
from passline.live.live_table import fold_log
from passline.live.signing_key import verify_signature
from tests.web.serving import KEY, Server, serving

pytestmark = pytest.mark.system

Started = subprocess.Popen[str]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the tests that leave it as it is."""
    with serving(tmp_path_factory.mktemp("live")) as one:
        yield one


def sit(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "passline", "sit", *args],
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.fixture
def start() -> Iterator[Callable[..., Started]]:
    """Bots that are gone afterwards, whatever happens."""
    started: list[Started] = []

    def begun(*args: str) -> Started:
        process = subprocess.Popen(
            [sys.executable, "-m", "passline", "sit", *args],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        started.append(process)
        return process

    yield begun
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=10)


def until_throws(client: Client, count: int) -> None:
    """Wait until so many throws stand in the log."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if sum(entry.line.startswith("roll ") for entry in client.log()) >= count:
            return
        time.sleep(0.05)
    raise AssertionError(f"no {count} throws")


def test_a_line_for_each_decision_and_a_summary(server: Server) -> None:
    url = server.open()["url"]
    ended = sit(url, "--strategy", "pass-odds", "--name", "ann", "--rolls", "6")
    assert (ended.returncode, ended.stderr) == (0, "")
    first, *turns, after, has, receipt = ended.stdout.splitlines()
    assert first == f"ann plays pass-odds at {url}, at place 1."
    assert len(turns) == 6
    assert turns[0].split() == ["0", "come-out", "pass", "for", "10", "($490", "in", "the", "rail)"]
    assert after == "After 6 rolls: all rolls played."
    client = Client(url)
    log = list(client.log())
    live = fold_log(client.table, log)
    assert live is not None
    seat = live.table.seat("ann")
    assert not seat.here
    assert has.startswith(f"ann has {show_dollars(seat.rail)}")
    seq, hash_, signature = receipt.removeprefix("Receipt: ").split(":")
    assert log[int(seq)].hash == hash_
    key = str(log[0].more["public_key"])
    assert verify_signature(key, f"{client.table}:{seq}:{hash_}", signature)
    assert log[int(seq)].line == "ann leaves"


def test_as_json(server: Server) -> None:
    url = server.open(name="Json")["url"]
    ended = sit(
        url,
        "--strategy",
        "pass",
        "--name",
        "ann",
        "--stop-loss",
        "10",
        "--stop-win",
        "10",
        "--json",
    )
    told = json.loads(ended.stdout)
    view = Client(url).view()
    seen = view.player("ann")
    assert seen is not None
    assert (told["rail"], told["bought_in"]) == (seen.rail, "500.00")
    assert (told["table"], told["name"]) == (view.table, "ann")
    assert (told["end"], told["change"]) in {("stop-loss", "-10.00"), ("stop-win", "10.00")}
    log = list(Client(url).log())
    assert all(f"{log[int(r.partition(':')[0])].hash}" in r for r in told["receipts"])


def test_a_strategy_of_a_file(server: Server, tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        "def play(view):\n    return [] if view.puck or view.up('pass') else ['pass for 15']\n"
    )
    url = server.open()["url"]
    ended = sit(url, "--strategy", f"{own}:play", "--name", "ann", "--rolls", "2")
    assert ended.returncode == 0, ended.stderr
    assert "pass for 15" in ended.stdout
    own.write_text("def play(view):\n    raise ValueError('no idea')\n")
    ended = sit(url, "--strategy", str(own), "--name", "bob", "--rolls", "2")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "no idea" in ended.stderr
    bob = Client(url).view().player("bob")
    assert bob is not None
    assert not bob.here


def test_a_policy_plays_to_its_goal_or_to_ruin(server: Server, tmp_path: Path) -> None:
    for book in ("new-jersey", "iowa"):
        policy = find_best_play(book, 1000, 500, menu=["pass"]).policy
        (tmp_path / f"{book}.json").write_bytes(msgspec.json.encode(policy))
    url = server.open(rulebook="new-jersey")["url"]
    other = sit(url, "--strategy", f"best:{tmp_path}/iowa.json", "--name", "bo", "--buy-in", "5")
    assert other.returncode == 2
    assert "the policy was made for iowa" in other.stderr
    own = f"best:{tmp_path}/new-jersey.json"
    ended = sit(url, "--strategy", own, "--name", "ann", "--buy-in", "5", "--json")
    assert ended.stderr == ""
    told = json.loads(ended.stdout)
    assert (told["end"], told["rail"]) in {("goal", "10.00"), ("broke", "0.00")}
    assert told["up"] == "0.00"
    seen = Client(url).view().player("ann")
    assert seen is not None
    assert not seen.here


def test_a_server_that_is_killed_and_starts_again(
    tmp_path: Path, start: Callable[..., Started]
) -> None:
    with serving(tmp_path) as first:
        url = str(first.open()["url"])
        port = first.url.rpartition(":")[2]
        bot = start(url, "--strategy", "pass-odds", "--name", "ann", "--rolls", "60", "--json")
        until_throws(Client(url), 5)
        first.end(signal.SIGKILL)
    time.sleep(1)
    with serving(tmp_path, "", "--port", port) as second:
        out, err = bot.communicate(timeout=60)
        assert (bot.returncode, err) == (0, "")
        told = json.loads(out)
        assert (told["rolls"], told["end"]) == (60, "rolls")
        log = list(Client(url).log())
        verify_chain(log)
        throws = [entry for entry in log if entry.line.startswith("roll ")]
        assert len(throws) == len({entry.id for entry in throws}) == 60
        ids = [entry.id for entry in log if entry.id]
        assert len(ids) == len(set(ids))
        assert {f"{entry.seq}:{entry.hash}" for entry in log} >= {
            receipt.rpartition(":")[0] for receipt in told["receipts"]
        }
        assert second.end()[0] == 0


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_leaves_when_it_is_told_to_go(
    server: Server, start: Callable[..., Started], how: signal.Signals
) -> None:
    url = str(server.open()["url"])
    bot = start(url, "--strategy", "pass", "--name", "ann")
    until_throws(Client(url), 2)
    bot.send_signal(how)
    out, err = bot.communicate(timeout=20)
    assert err == ""
    assert bot.returncode == (0 if how is signal.SIGINT else 128 + signal.SIGTERM)
    assert ("interrupted" in out) == (how is signal.SIGINT)
    seen = Client(url).view().player("ann")
    assert seen is not None
    assert not seen.here


def test_it_leaves_when_the_signal_comes_while_a_response_is_closed(server: Server) -> None:
    """Python discards the exceptions of that moment: a handler that raises would be lost."""
    program = """
import os, signal, sys
from http.client import HTTPResponse
from passline.cli.main import main
close, count = HTTPResponse.close, 0
def closing(self):
    global count
    count += not self.closed
    if count == 9:
        count += 1
        os.kill(os.getpid(), signal.SIGTERM)
    close(self)
HTTPResponse.close = closing
main()
"""
    url = str(server.open()["url"])
    ended = subprocess.run(
        [sys.executable, "-c", program, "sit", url, "--strategy", "pass", "--name", "ann"],
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert (ended.returncode, ended.stderr) == (128 + signal.SIGTERM, "")
    seen = Client(url).view().player("ann")
    assert seen is not None
    assert not seen.here


def test_a_seat_that_was_left_is_taken_again(server: Server) -> None:
    url = str(server.open()["url"])
    ann = Client(url)
    ann.sit("ann", "100")
    ann.leave()
    again = ("--name", "ann", "--rolls", "1", "--token", ann.token, "--buy-in", "50")
    ended = sit(url, "--strategy", "pass", *again)
    assert ended.returncode == 0, ended.stderr
    seen = ann.view().player("ann")
    assert seen is not None
    assert seen.bought_in == "150.00"


def test_a_withdrawn_token(server: Server, start: Callable[..., Started]) -> None:
    url = str(server.open()["url"])
    bot = start(url, "--strategy", "pass", "--name", "ann")
    until_throws(Client(url), 1)
    Client(url, KEY).withdraw("player", "ann")
    _, err = bot.communicate(timeout=20)
    assert bot.returncode == 2
    assert err == "passline sit: Invalid token for this table.\n"


def test_what_ends_in_one_line(server: Server, tmp_path: Path) -> None:
    url = str(server.open(open=False)["url"])
    taken = Client(str(server.open()["url"]))
    taken.sit("ann", "100")
    ok = ("--strategy", "pass", "--name", "ann")
    for args, words in (
        ((url, *ok), "This table is private. Open your invitation"),
        ((taken.url, *ok), "There is a player 'ann' already. Choose another name."),
        ((f"{server.url}/t/nope", *ok), "There is no table 'nope'."),
        (("http://127.0.0.1:9/t/abc", *ok), "does not answer"),
        (("nonsense here", *ok), "is not an address"),
        ((taken.url, "--strategy", "pas"), "did you mean pass"),
        ((taken.url, *ok, "--buy-in", "lots"), "--buy-in"),
        ((taken.url, *ok, "--rolls", "0"), "--rolls"),
        ((taken.url, *ok, "--token", "x\ny"), "A token has only letters and digits."),
        ((server.url, *ok), "name one of its tables"),
        ((taken.url, "--strategy", "pass", "--name", "9"), "name"),
    ):
        ended = CliRunner().invoke(cli, ["sit", *args], prog_name="passline")
        assert (ended.exit_code, ended.stderr.count("\n")) == (2, 1), (args, ended.stderr)
        assert words in ended.stderr, args


def test_the_only_open_table(tmp_path: Path) -> None:
    with serving(tmp_path) as alone:
        (practice,) = alone.ask("GET", "").json()
        alone.say(practice["table"], KEY, "c1", "table closes")
        ended = sit(alone.url, "--strategy", "pass", "--name", "ann")
        assert (ended.returncode, ended.stderr) == (2, "passline sit: no table is open there\n")
        alone.open(name="Only")
        ended = sit(alone.url, "--strategy", "pass", "--name", "ann", "--rolls", "1")
        assert ended.returncode == 0
