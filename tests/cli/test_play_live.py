"""``passline play --table``: the prompt of always, at a table where others play."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.live.client.client import Client
from passline.play.display import strip_colors
from tests.web.serving import KEY, Server, serving

pytestmark = pytest.mark.system

Started = subprocess.Popen[bytes]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the tests that leave it as it is."""
    with serving(tmp_path_factory.mktemp("live")) as one:
        yield one


class Prompt:
    """Somebody at a prompt: a pipe, or a terminal of its own."""

    def __init__(self, url: str, home: Path, *args: str, terminal: bool = False) -> None:
        command = [sys.executable, "-m", "passline", "play", "--table", url, *args]
        env = {**os.environ, "PASSLINE_HOME": str(home), "PYTHONUNBUFFERED": "1", "TERM": "xterm"}
        self.shown = ""
        if terminal:
            self._in, theirs = pty.openpty()
            self._out = self._in
            self.process = subprocess.Popen(
                command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, close_fds=True
            )
            os.close(theirs)
        else:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=env,
            )
            assert self.process.stdin is not None
            assert self.process.stdout is not None
            self._in, self._out = self.process.stdin.fileno(), self.process.stdout.fileno()

    def until(self, words: str, seconds: float = 60) -> str:
        """Read on until something is shown; all that was shown since the last time."""
        deadline, since = time.monotonic() + seconds, ""
        while not re.search(words, since):
            left = deadline - time.monotonic()
            ready, _, _ = select.select([self._out], [], [], max(left, 0))
            assert ready, f"{words!r} was not shown:\n{since}"
            try:
                data = os.read(self._out, 65536)
            except OSError:  # a terminal whose other end is closed
                data = b""
            assert data, f"it ended, and {words!r} was not shown:\n{since}"
            since = strip_colors((since + data.decode()).replace("\r\n", "\n"))
        self.shown += since
        return since

    def type(self, line: str) -> None:
        os.write(self._in, f"{line}\n".encode())

    def end(self) -> int:
        """Wait until it has gone."""
        try:
            while os.read(self._out, 65536):
                pass
        except OSError:
            pass
        return self.process.wait(20)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        if self.process.stdin is None:
            os.close(self._in)


@pytest.fixture
def prompt(tmp_path: Path) -> Iterator[Callable[..., Prompt]]:
    """Prompts that are gone afterwards."""
    begun: list[Prompt] = []

    def opening_lines(url: str, *args: str, terminal: bool = False) -> Prompt:
        begun.append(Prompt(url, tmp_path / "home", *args, terminal=terminal))
        return begun[-1]

    yield opening_lines
    for one in begun:
        one.close()


def test_a_round_with_others(server: Server, prompt: Callable[..., Prompt]) -> None:
    url = str(server.open(name="Prompt")["url"])
    ann = prompt(url, "--name", "ann", "--bankroll", "300")
    first = ann.until('coming out> $|then "roll"')
    assert "Prompt: craps under New Jersey regulation 19:47-1" in first
    assert "$300 in your rail" in first
    ann.type("pass line for 10; place the six for 12; big 6 for 5; roll")
    shown = ann.until("No: ")
    assert "Pass for $10, place 6 for $12. $278 in your rail." in shown
    assert "No: big 6 is not a wager of this rulebook [19:47-1.2(b)]" in shown
    ann.type("why")
    assert "[19:47-1.2(b)]" in ann.until("1.2")
    ann.type("undo")
    ann.until(r"Taken back: place 6 for \$12\. You have \$290 in your rail\.")
    ann.type("plaice the six for 12")
    ann.until("Did you mean")
    ann.type("y")
    ann.until(r"Place 6 for \$12. \$278 in your rail")

    bob = Client(url)
    bob.sit("bob", "200")
    ann.until("Bob comes up to the table, to place 2")
    bob.say("pass for 10; field for 5")
    ann.until("bob: pass for 10; field for 5")
    ann.type("bob: field for 5")
    ann.until("you for yourself")
    ann.type("roll")
    thrown = ann.until(r"\[\d\]\[\d\]")
    assert "you take two" in thrown
    ann.type("what does the field pay")
    ann.until("field pays 1 to 1")
    ann.type("quit")
    assert "comes back to it" in ann.until("comes back to it")
    assert ann.end() == 0
    said = [e for e in Client(url).log() if e.by == "ann" and e.line.startswith("roll")]
    assert len(said) == 1
    assert said[0].fair is not None
    assert said[0].fair.nonce


def test_others_throw_and_the_house_says_a_line_wager_again(
    server: Server, prompt: Callable[..., Prompt]
) -> None:
    table = server.open(dice="typed", posts={"stick": "person"})
    url = str(table["url"])
    stick = Client(url, table["tokens"]["stick"])
    ann = prompt(url, "--name", "ann")
    ann.until('then "roll"')
    ann.type("pass for 10")
    ann.until(r"\$490 in your rail")
    ann.type("roll")
    ann.until(r"The dice are real here\. The stickperson types them in\.")
    for line in ("ann takes the dice", "dice out", "roll 4 3"):
        assert stick.say(line).accepted, line
    shown = ann.until(r"(?s)\[4\]\[3\].*Pass for \$10\. \$500 in your rail")
    assert "pass line $10 wins $10 at 1 to 1" in shown
    ann.type("leave my line down")
    ann.until(r"Pass down\. \$510 in your rail")
    ann.type("leave")
    ann.until("You leave the table")
    assert ann.end() == 0
    seen = stick.view().player("ann")
    assert seen is not None
    assert (seen.here, seen.rail) == (False, "510.00")


def test_in_a_terminal_what_others_do_stands_above_what_is_typed(
    server: Server, prompt: Callable[..., Prompt]
) -> None:
    url = str(server.open()["url"])
    ann = prompt(url, "--name", "ann", "--plain", terminal=True)
    ann.until("coming out> ")
    os.write(ann._in, b"pass for 1")  # half a line
    ann.until("pass for 1")
    Client(url).sit("bob", "200")
    assert ann.until("coming out> pass for 1$").count("Bob comes up") == 1
    ann.type("0")
    ann.until(r"Pass for \$10\. \$490[^>]*> ")
    time.sleep(0.3)  # it waits for a line now
    ann.process.send_signal(signal.SIGINT)
    ann.until("You go with")
    assert ann.end() == 0


def test_a_server_that_starts_again(tmp_path: Path, prompt: Callable[..., Prompt]) -> None:
    with serving(tmp_path / "live") as first:
        url = str(first.open()["url"])
        port = first.url.rpartition(":")[2]
        ann = prompt(url, "--name", "ann")
        ann.until('then "roll"')
        first.end(signal.SIGKILL)
    ann.type("pass for 10")
    with serving(tmp_path / "live", "", "--port", port):
        ann.until(r"Pass for \$10\. \$490")
        Client(url).sit("bob", "100")
        ann.until("Bob comes up")
        ann.type("roll")
        ann.until(r"\[\d\]\[\d\]")
        ann.type("quit")
        assert ann.end() == 0
        said = [entry.line for entry in Client(url).log() if entry.role == "player"]
        assert said.count("ann: pass for 10") == 1  # the machine says a winner again


@pytest.mark.parametrize("terminal", [False, True])
def test_a_withdrawn_token(server: Server, prompt: Callable[..., Prompt], terminal: bool) -> None:
    url = str(server.open()["url"])
    ann = prompt(url, "--name", "ann", terminal=terminal)
    ann.until("coming out> " if terminal else 'then "roll"')
    Client(url, KEY).withdraw("player", "ann")
    ann.until("passline play: Invalid token for this table.")
    assert ann.end() == 2


def test_the_box_is_asked(server: Server, prompt: Callable[..., Prompt]) -> None:
    table = server.open(posts={"box": "person"}, buy_ins="box")
    ann = prompt(str(table["url"]), "--name", "ann")
    ann.until("Waiting for the boxperson to approve your buy-in")
    Client(str(table["url"]), table["tokens"]["box"]).say("ann joins for 500")
    ann.until(r"\$500 in your rail")
    ann.type("buy in 100")
    ann.until("Waiting for the boxperson")
    ann.type("quit")
    assert ann.end() == 0


def test_coming_back_to_a_seat(server: Server, prompt: Callable[..., Prompt]) -> None:
    url = str(server.open()["url"])
    ann = Client(url)
    ann.sit("ann", "500")
    ann.say("pass for 10")
    again = prompt(f"{url}#{ann.token}", "--name", "ann")
    again.until(r"\$490 in your rail")
    again.type("quit")
    assert again.end() == 0


def test_what_ends_in_one_line(server: Server) -> None:
    url = str(server.open()["url"])
    Client(url).sit("ann", "100")
    for args, words in (
        (("--table", url, "--name", "ann"), "There is a player 'ann' already."),
        (("--table", url, "iowa"), "RULEBOOK|FILE can't be used with --table"),
        (("--table", url, "--seed", "3"), "--seed can't be used with --table"),
        (("--table", url, "--resume"), "--resume can't be used with --table"),
        (("--table", url, "--bankroll", "x"), "--bankroll"),
        (("--table", "http://127.0.0.1:9/t/abc"), "does not answer"),
        (("--table", "\x1b[2J"), "is not an address"),
    ):
        ended = CliRunner().invoke(cli, ["play", *args], prog_name="passline")
        assert (ended.exit_code, ended.stderr.count("\n")) == (2, 1), (args, ended.stderr)
        assert words in ended.stderr, args
