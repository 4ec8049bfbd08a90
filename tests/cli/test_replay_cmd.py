"""``passline replay``: a game's page until Ctrl-C, and one clear line for what is no game."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from passline.cli import replay
from passline.cli.main import cli

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]
GAME = ROOT / "src" / "passline" / "samples" / "first-game.craps"
LOG = ROOT / "src" / "passline" / "samples" / "first-table.jsonl"


def serve(*args: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "passline", "replay", *args]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    )


def test_a_log_is_walked_until_ctrl_c() -> None:
    process = serve(str(LOG), "--json", "--no-browser")
    try:
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["url"]
        assert url.startswith("http://127.0.0.1:")
        base, _, _ = url.partition("/t/")
        table = url.split("/")[4]
        with httpx.Client(base_url=base) as http:
            assert "replay" in http.get(url).text
            told = http.get(f"/api/tables/{table}/replay").json()
            assert (told["at"], told["running"]) == (told["upto"], False)
            assert http.get(f"/api/tables/{table}/log").content == LOG.read_bytes()
            assert http.get(f"/api/tables/{table}/record").text.startswith("rulebook: new-jersey\n")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (0, "", "")
    finally:
        process.kill()
        process.communicate(timeout=30)


@pytest.fixture(autouse=True)
def unserved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is served in the process of the tests: it would not end."""

    async def serve(*_: object) -> None:
        raise AssertionError("this was to be refused")

    monkeypatch.setattr("passline.web.server.serve", serve)


def run(*args: str, said: bytes | str = "") -> tuple[int, str]:
    ended = CliRunner().invoke(cli, ["replay", *args], input=said, prog_name="passline")
    assert isinstance(ended.exception, SystemExit | None), ended.exc_info
    assert ended.stdout == ""
    return ended.exit_code, ended.stderr


CHAIN = b"".join(LOG.read_bytes().splitlines(keepends=True)[:3])


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("", "standard input is empty"),
        ("rulebook: nowhere\nplayer: ann 5\n", "standard input, line 1: "),
        ("rulebook: iowa\nplayer: ann 500\n\nann: pass for ten thousand dogs\n", "input, line 4: "),
        (b"\xff\xfe", "is not UTF-8 text"),
        ("{}\n", "standard input: entry 0 cannot be read"),
        (CHAIN + b"{half", "entry 3 cannot be read"),
        (CHAIN.replace(b'"seq":1}', b'"seq":7}'), "entry 7 stands in its place"),
        (CHAIN.replace(b'"version":"0.2.0"', b'"version":"0.2.1"'), "hash is not that of the"),
        (CHAIN.splitlines()[1], "entry 1 stands in its place (for details: passline audit)"),
    ],
)
def test_what_is_no_game_is_one_line(said: bytes | str, words: str) -> None:
    code, told = run("-", said=said)
    assert code == 2
    assert words in told
    assert told.startswith("passline replay: ")
    assert told.count("\n") == 1


def test_a_file_that_is_not_there() -> None:
    code, told = run("gone.craps")
    assert (code, told) == (2, "passline replay: there is no .craps record or log gone.craps\n")
    assert run(str(ROOT))[0] == 2


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    from passline.web.server import listen

    with listen("127.0.0.1", 0) as ear:
        port = str(ear.getsockname()[1])
        code, told = run(str(GAME), "--port", port, "--no-browser")
    assert code == 2
    assert f"cannot listen at 127.0.0.1 port {port}" in told


def test_a_browser_is_opened_where_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    replay.announce_address("http://127.0.0.1:1", no_browser=False, as_json=False)
    assert opened == []
    monkeypatch.setenv("DISPLAY", ":0")
    replay.announce_address("http://127.0.0.1:1", no_browser=True, as_json=False)
    assert opened == []
    replay.announce_address("http://127.0.0.1:1", no_browser=False, as_json=True)
    assert opened == ["http://127.0.0.1:1"]
