"""``passline play``: opened, left, gone on with; through pipes and in a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from passline.cli.play import command
from passline.game.law.book_files import BOOKS
from passline.play import saved_games
from passline.play.display import strip_colors
from passline.play.open_game import _RAIL_NAMES
from passline.record.deal import deal_text
from passline.talk.suggestions import is_known_word


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PASSLINE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PASSLINE_PLAIN", raising=False)
    return tmp_path / "home"


def play(*args: str, lines: str = "") -> Result:
    return CliRunner().invoke(command, list(args), input=lines)


def game(home: Path) -> str:
    (path,) = home.glob("*.craps")
    return path.read_text("utf-8")


# A first round


def test_a_name_may_have_a_space(home: Path) -> None:
    first = play("--name", "Mary Ann", "--alone", "--seed", "1", lines="pass for 10\nquit\n")
    assert first.exit_code == 0, first.output
    assert "player: Mary_Ann 500" in game(home)
    again = play("--resume", "--name", "mary ann", lines="table\nquit\n")
    assert again.exit_code == 0, again.output
    other = play("--resume", "--name", "bob")
    assert "expected one of Mary Ann" in other.output


@pytest.mark.parametrize("book", BOOKS)
def test_a_first_round_under_any_rulebook(book: str, home: Path) -> None:
    result = play(book, "--seed", "5", lines="pass line for 10\nroll\nquit\n")
    assert result.exit_code == 0, result.output
    assert "coming out> pass line for 10\nPass for $10. $490 in your rail." in result.stdout
    assert "Saved in" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 79 + len(str(home))
    assert len(deal_text(game(home)).table.seats) == 3


@pytest.mark.parametrize(
    "args",
    [
        ("section-2", "--game", "mini-craps"),
        ("new-jersey", "--game", "automated-craps"),
        ("new-jersey", "-o", "offers.fire=A", "--plain", "--rail", "fire-and-pass"),
        ("iowa", "--alone", "--name", "joe", "--bankroll", "$1,000"),
    ],
)
def test_other_tables(args: tuple[str, ...], home: Path) -> None:
    result = play(*args, lines="pass line for 10\nroll\n")
    assert result.exit_code == 0, result.output
    assert deal_text(game(home)).table.seats[0].bought_in in {50_000, 100_000}


def test_the_name_is_the_login_or_guest(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "Ann-1")
    play("iowa", "--alone", lines="pass for 10")
    assert "player: ann-1 500" in game(home)
    monkeypatch.setenv("LOGNAME", "roll")
    play("new-jersey", "--alone", lines="pass for 10")
    assert any("player: guest 500" in path.read_text() for path in home.glob("*.craps"))


def test_a_rail_player_never_has_the_players_name(home: Path) -> None:
    play("--name", "sam", lines="field for 5")
    assert [seat.name for seat in deal_text(game(home)).table.seats] == ["sam", "kim", "lou"]


def test_names_at_the_rail_are_no_table_talk(home: Path) -> None:
    assert not any(map(is_known_word, _RAIL_NAMES))
    play("--name", "field", *["--rail", "pass"] * 7, lines="field for 5\npass for 10\nmax odds\n")
    assert set(deal_text(game(home)).table.seats[0].wagers) == {"field", "pass"}


def test_nobody_said_anything_so_nothing_is_kept(home: Path) -> None:
    result = play("iowa")
    assert result.exit_code == 0
    assert "You go with $500 ($0)." in result.stdout
    assert list(home.glob("*")) == []


def test_piped_lines_are_no_history(home: Path) -> None:
    play("iowa", lines="pass for 10\n")
    assert not (home / "history").exists()


# What cannot be opened: one line, exit 2


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("nowhere",), "nowhere"),
        (("nowhere.toml",), "nowhere.toml"),
        (("game.craps",), "passline play --resume game.craps"),
        (("--rail", "pass-ods"), "--rail: there is no strategy 'pass-ods'"),
        (("--rail", "gone.py:play"), "--rail: there is no strategy file gone.py"),
        (("--rail", "pass") * 8, "at most 7 others"),
        (("--alone", "--rail", "pass"), "choose one of --alone and --rail"),
        (("--typed", "--seed", "1"), "choose one of --typed and --seed"),
        (("--bankroll", "lots"), "--bankroll: 'lots' is not a valid amount"),
        (("--bankroll", "-5"), "is not a valid amount"),
        (("--bankroll", "1e9"), "is not a valid amount"),
        (("--bankroll", "99999999999999"), "--bankroll: $10,000,000 at most"),
        (("--bankroll", "12.50"), "whole chips"),
        (("--name", "roll"), "cannot be a player's name"),
        (("--name", "ann\tbob"), "cannot be"),
        (("--game", "bingo"), "bingo"),
        (("-o", "odds.multiple=500"), "odds.multiple"),
        (("-o", "odds"), "expected KEY=VALUE"),
        (("--resume",), "there is no game to resume in"),
        (("--resume", "iowa"), "there is no game under iowa to resume"),
        (("--resume", "gone.craps"), "there is no .craps record gone.craps"),
        (("--resume", "."), "is a folder"),
        (("--resume", "--alone"), "--alone can't be used with --resume"),
        (("--resume", "-o", "odds.multiple=5"), "-o can't be used with --resume"),
    ],
)
def test_what_cannot_be_opened(args: tuple[str, ...], words: str, home: Path) -> None:
    result = play(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert list(home.glob("*.craps")) == []


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xff\xfe", "is not UTF-8"),
        (b"hello\n", ":1: expected a header line"),
        (b"rulebook: iowa\nplayer: ann 500\nann: zebra\n", ":3: 'zebra' is not understood"),
        (b"house: gone.toml\nplayer: ann 500\n", "gone.toml"),
        (b"# dice: loaded\nrulebook: iowa\nplayer: ann 500\n", "'# dice: loaded' is none of"),
        (b"# rail: ann gone.py\nrulebook: iowa\nplayer: ann 500\n", "gone.py"),
    ],
)
def test_a_record_that_cannot_go_on(data: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "game.craps"
    path.write_bytes(data)
    result = play("--resume", str(path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert path.read_bytes() == data


# Going on


def test_going_on_with_the_last_game(home: Path) -> None:
    play("iowa", "--seed", "2", lines="pass for 10\nroll\npass for 10\nfield for 5\n")
    before = deal_text(game(home))
    result = play("--resume", lines="undo\nroll\n")
    assert "Resumed after 1 roll." in result.stdout
    assert "Taken back: field for $5" in result.stdout
    after = deal_text(game(home))
    assert len(list(after.throws())) == 2
    assert after.table.drop == before.table.drop


def test_seeded_dice_go_on_where_they_were(home: Path, tmp_path: Path) -> None:
    play("iowa", "--alone", "--seed", "9", "--name", "ann", lines="pass for 10\n" + "r\n" * 6)
    whole = [line for line in game(home).splitlines() if line.startswith("roll")]
    for path in home.glob("*.craps"):
        path.unlink()
    play("iowa", "--alone", "--seed", "9", "--name", "ann", lines="pass for 10\n" + "r\n" * 2)
    play("--resume", lines="r\n" * 4)
    parted = [line for line in game(home).splitlines() if line.startswith("roll")]
    assert parted == whole[: len(parted)]
    assert len(parted) >= 2


def test_going_on_under_a_rulebook(home: Path) -> None:
    play("iowa", lines="pass for 10\n")
    play("new-jersey", lines="pass for 10\n")
    assert "Iowa craps manual: craps" in play("--resume", "iowa").stdout
    assert "New Jersey regulation 19:47-1: craps" in play("--resume", "new-jersey").stdout


def test_typed_dice_stay_typed(home: Path) -> None:
    play("iowa", "--typed", lines="pass for 10\n4 4\n")
    result = play("--resume", lines="roll\n4 3\n")
    assert "Which dice fell?" in result.stdout
    assert "[4][3]  seven out" in result.stdout
    assert [s.name for s in deal_text(game(home)).table.seats][1:] == ["sam"]


def test_the_rail_goes_on_from_a_file_of_ones_own(home: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "def mine(view):\n"
        "    turn = (view.memory or 0) + 1\n"
        "    return [] if view.puck else [f'pass for {5 + turn}'], turn\n"
    )
    strategy = f"{tmp_path / 'mine.py'}:mine"
    play("iowa", "--rail", strategy, "--seed", "3", lines="field for 5\nroll\nroll\n")
    before = game(home)
    assert f"# rail: sam {strategy}" in before
    play("--resume", lines="field for 5\nroll\n")
    after = game(home)
    assert after.startswith(before)
    said = [line for line in after.splitlines() if line.startswith("sam: pass")]
    turns = [int(line.rpartition(" ")[2]) - 5 for line in said]
    assert turns == sorted(set(turns))  # it never began anew
    (tmp_path / "mine.py").unlink()
    result = play("--resume")
    assert result.exit_code == 2
    assert "sam of the rail: there is no strategy file" in result.stderr


PROGRAM = """\
from pathlib import Path
(Path(__file__).parent / "ran").touch()
def play(view):
    return [] if view.puck else ["pass for 10"]
"""


def test_a_record_runs_no_program_on_its_own_word(tmp_path: Path, home: Path) -> None:
    file, path = tmp_path / "x.py", tmp_path / "shared.craps"
    file.write_text(PROGRAM)
    for title in (f"{file}:play", f"{file}", os.path.relpath(f"{file}:play")):
        text = f"# rail: sam {title}\nrulebook: iowa\nplayer: ann 500\nplayer: sam 500\n"
        path.write_text(text)
        result = play("--resume", str(path), lines="field for 5\n")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "not loaded on a record's word: give it again with --rail" in result.stderr
        assert result.stderr.count("\n") == 1
        assert not (tmp_path / "ran").exists()
        assert path.read_text() == text
    result = play("--resume", str(path), "--rail", "pass-odds")
    assert f"--rail: nobody in {path} bets by pass-odds" in result.stderr
    result = play("--resume", str(path), "--rail", f"{file}:play", lines="field for 5\n")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "ran").exists()
    assert "sam: pass for 10" in path.read_text()
    assert f"--resume{path}--rail" in "".join(result.stdout.split())


def test_a_saved_game_says_how_to_go_on_with_it(tmp_path: Path, home: Path) -> None:
    (tmp_path / "x.py").write_text(PROGRAM)
    saved, strategy = tmp_path / "saved.craps", f"{tmp_path / 'x.py'}:play"
    lines = f"field for 5\nsave {saved}\n"
    play("iowa", "--rail", strategy, "--rail", "pass", lines=lines)
    assert play("--resume", str(saved)).exit_code == 2
    assert play("--resume", str(saved), "--rail", strategy).exit_code == 0
    play("iowa", "--rail", "pass", lines=f"field for 5\nsave {tmp_path / 'plain'}\n")
    result = play("--resume", str(tmp_path / "plain.craps"))  # built-ins need no word
    assert result.exit_code == 0
    assert f"Toresumeit:passlineplay--resume{tmp_path / 'plain.craps'}" in "".join(
        result.stdout.split()
    )


def test_a_link_into_the_folder_is_no_game_of_ones_own(tmp_path: Path, home: Path) -> None:
    (tmp_path / "x.py").write_text(PROGRAM)
    shared = tmp_path / "shared.craps"
    shared.write_text(f"# rail: sam {tmp_path / 'x.py'}\nrulebook: iowa\nplayer: sam 500\n")
    home.mkdir()
    (home / "1-iowa.craps").symlink_to(shared)
    assert "on a record's word" in play("--resume").stderr
    assert not (tmp_path / "ran").exists()


def test_a_game_goes_on_where_a_link_leads(tmp_path: Path, home: Path) -> None:
    (tmp_path / "b.toml").write_text('rulebook = "iowa"\nname = "Board"\n')
    real, link = tmp_path / "real.craps", tmp_path / "elsewhere" / "link.craps"
    real.write_text("house: b.toml\nplayer: ann 500\n")
    link.parent.mkdir()
    link.symlink_to(real)
    result = play("--resume", str(link), lines="pass for 10\n")
    assert result.exit_code == 0, result.output
    assert link.is_symlink()
    assert real.read_text().endswith("ann: pass for 10\n")
    link.unlink()
    link.symlink_to(link)
    result = play("--resume", str(link))
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "cannot be read: Too many levels of symbolic links" in result.stderr


def test_a_record_by_hand_is_gone_on_with_in_place(tmp_path: Path, home: Path) -> None:
    path = tmp_path / "mine.craps"
    (tmp_path / "b.toml").write_text('rulebook = "iowa"\nname = "Board"\n')
    text = "house: b.toml\nplayer: ann 500\nplayer: bob 90\n\n# hello\nbob: pass for 5; zip for 1\n"
    text = text.replace("; zip for 1", "; big-6 for 9999")
    path.write_text(text)
    result = play("--resume", str(path), "--name", "Bob", lines="field for 5\nann: pass for 10\n")
    assert result.exit_code == 0
    assert path.read_text() == text + "bob: field for 5\nann: pass for 10\n"
    result = play("--resume", str(path), "--name", "zoe")
    assert "--name zoe: expected one of ann, bob" in result.stderr


def test_a_house_file_is_found_again(tmp_path: Path, home: Path) -> None:
    house = tmp_path / "board.toml"
    house.write_text('rulebook = "iowa"\nname = "Board"\n[limits]\nmin = 15\n')
    assert '"pass line for 15"' in play(str(house), lines="pass for 15\n").stdout
    assert play("--resume").stdout.startswith("Board: craps under Iowa craps manual")
    house.rename(tmp_path / "moved.toml")
    result = play("--resume")
    assert result.exit_code == 2
    assert "board.toml" in result.stderr


def test_a_path_that_a_record_cannot_hold(tmp_path: Path) -> None:
    house = tmp_path / "a#b.toml"
    house.write_text('rulebook = "iowa"\n')
    assert "cannot hold a #" in play(str(house)).stderr


def test_a_folder_that_cannot_be_written_does_not_end_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PASSLINE_HOME", str(tmp_path / "file"))
    result = play("iowa", "--seed", "1", lines="pass for 10\nroll\n")
    assert result.exit_code == 0
    assert result.stderr.count("cannot be saved") == 1
    assert "This game is not saved" in result.stderr


def test_nothing_played_and_nothing_to_take_off_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PASSLINE_HOME", str(tmp_path / "file"))
    result = play("iowa")
    assert result.exit_code == 0
    assert "You go with $500 ($0)." in result.stdout


def test_a_game_that_was_never_written_leaves_no_empty_file(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_path: Path, _text: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(saved_games, "write_record_file", full)
    result = play("iowa", lines="pass for 10\n")
    assert "This game is not saved" in result.stderr
    assert list(home.iterdir()) == []


def test_a_folder_in_nobodys_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSLINE_HOME", "~nosuchuser/games")
    for args in (("iowa",), ("--resume",)):
        result = play(*args)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "PASSLINE_HOME: no folder to keep games in" in result.stderr
        assert result.stderr.count("\n") == 1


def test_bytes_that_are_no_text_do_not_end_the_game() -> None:
    result = CliRunner().invoke(command, ["iowa"], input=b"\xff\xfe\npass for 10\n")
    assert result.exit_code == 0
    assert "Pass for $10." in result.stdout


# The real command


def start(home: Path, *args: str, **more: str) -> tuple[subprocess.Popen[bytes], int]:
    """The command in a terminal of its own; what is written to it goes to the descriptor."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "passline", "play", *args],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "PASSLINE_HOME": str(home), "TERM": "xterm", "COLUMNS": "80", **more},
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    return process, ours


def until(terminal: int, words: str, seconds: float = 20) -> str:
    """What the terminal shows, up to these words."""
    seen, end = "", time.monotonic() + seconds
    while words not in seen:
        ready, _, _ = select.select([terminal], [], [], max(0.0, end - time.monotonic()))
        assert ready, f"no {words!r} in {seen!r}"
        seen += os.read(terminal, 65536).decode("utf-8", "replace")
    return seen


def show_answers(terminal: int, line: str, words: str = "coming out> ") -> str:
    """What is shown after a line that is typed, up to these words: a window that changes its size
    has the prompt shown again, before the line too."""
    os.write(terminal, f"{line}\n".encode())
    seen, end = "", time.monotonic() + 20
    while words not in seen.partition(line)[2]:
        ready, _, _ = select.select([terminal], [], [], max(0.0, end - time.monotonic()))
        assert ready, f"no {words!r} after {line!r} in {seen!r}"
        seen += os.read(terminal, 65536).decode("utf-8", "replace")
    return seen.partition(line)[2]


def test_in_a_terminal_that_is_closed(home: Path) -> None:
    process, terminal = start(home, "iowa", "--seed", "11")
    seen = until(terminal, "coming out> ")
    assert "\x1b[" in seen
    assert "┌" in seen
    os.write(terminal, b"pass l\t10\n")
    until(terminal, "$490 in your rail.")
    os.write(terminal, b"roll\n")
    until(terminal, "The stick offers you")  # what is seen is on disk already
    os.close(terminal)
    assert process.wait(20) == 128 + signal.SIGHUP
    text = game(home)
    assert "pass for 10" in text
    assert len(list(deal_text(text).throws())) == 1
    assert "Resumed after 1 roll." in play("--resume").stdout
    assert "pass line for 10" in (home / "history").read_text()


def test_in_a_terminal_with_ctrl_c_and_without_colour(home: Path) -> None:
    process, terminal = start(home, "new-jersey", "--alone", NO_COLOR="1")
    os.write(terminal, b"field for 5\n")
    seen = until(terminal, "$495 in your rail.")
    second = play("--resume")
    assert "is being played in another window" in second.stderr
    os.write(terminal, b"\x03")
    seen += until(terminal, "Saved in")
    assert process.wait(20) == 0
    os.close(terminal)
    assert "\x1b[3" not in seen
    assert "field for 5" in game(home)


HIT = """\
import os, sys
from passline.play import saved_games

write = saved_games.write_record_file

def hit(path, text):
    write(path, text)
    if "pass for 10" in text:
        os.kill(os.getpid(), int(sys.argv.pop()))

saved_games.write_record_file = hit
from passline.cli.main import cli
cli(["play", "iowa", "--alone", "--name", "ann"])
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP, signal.SIGTERM])
def test_a_signal_while_the_first_line_is_written_loses_nothing(number: int, home: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", HIT, str(int(number))],
        input=b"pass for 10\nfield for 5\n",
        capture_output=True,
        env={**os.environ, "PASSLINE_HOME": str(home)},
        check=False,
    )
    assert result.stderr == b""
    assert game(home).endswith("ann: pass for 10\n")
    if number == signal.SIGINT:
        assert result.returncode == 0
        assert b"You go with $490 and $10 up ($0)." in result.stdout
    else:
        assert result.returncode == 128 + number


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_an_encoding_without_lines(encoding: str, home: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "passline", "play", "--alone"],
        input=b"pass for 10\n",
        capture_output=True,
        env={**os.environ, "PASSLINE_HOME": str(home), "PYTHONIOENCODING": encoding},
        check=True,
    )
    assert b"+----------+" in result.stdout
    assert result.stdout.isascii()


def test_without_any_input_at_all(home: Path) -> None:
    shell = f"exec {sys.executable} -m passline play iowa <&-"
    result = subprocess.run(
        ["sh", "-c", shell],
        capture_output=True,
        env={**os.environ, "PASSLINE_HOME": str(home)},
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, b"")
    assert b"You go with $500" in result.stdout


def test_help_of_the_whole_command_does_not_load_the_table() -> None:
    code = (
        "import sys; from passline.cli.main import cli; import passline.cli.play\n"
        "print([m for m in sys.modules if m.startswith('passline.') and '.cli' not in m])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


def resize(terminal: int, columns: int, rows: int = 24) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def widest(seen: str) -> int:
    """The longest line that was shown, colours and what was typed left out."""
    lines = [
        line for line in strip_colors(seen).replace("\r", "").split("\n") if "> " not in line[:14]
    ]
    return max(map(len, lines))


def test_a_window_that_changes_its_size_in_mid_game(home: Path) -> None:
    process, terminal = start(home, "iowa", "--seed", "11", "--alone", COLUMNS="")
    resize(terminal, 120)
    until(terminal, "coming out> ")
    assert 79 < widest(show_answers(terminal, "table")) < 120
    resize(terminal, 60)
    assert widest(show_answers(terminal, "bets")) < 60
    told = show_answers(terminal, "table")
    assert "┌" not in told
    assert widest(told) < 60
    resize(terminal, 80)
    assert "┌" in show_answers(terminal, "table")
    os.write(terminal, b"quit\n")
    assert process.wait(20) == 0
    os.close(terminal)


# Odd names and odd houses


@pytest.mark.parametrize("name", ["Zoë", "d'Arcy", "Łukasz", "日本", "o'neill", "straße"])
def test_odd_names_through_the_prompt(name: str, home: Path) -> None:
    lines = f"pass for 10\nroll\n{name}: field for 5\n{name.upper()}: yo for 1\nundo\nroll\ntable\n"
    result = play("iowa", "--seed", "4", "--name", name, lines=lines)
    assert result.exit_code == 0, result.output
    assert "Traceback" not in result.output
    dealt = deal_text(game(home))
    assert dealt.table.seats[0].name == name
    assert [entry.words for entry in dealt.entries if entry.player == name][:2] == [
        "pass for 10",
        "field for 5",
    ]
    again = play("--resume", "--name", name, lines="leave\n")
    assert again.exit_code == 0, again.output


HOUSES = [
    ("new-jersey", "-o", "limits.smallest_chip=25", "-o", "limits.min=25"),
    ("iowa", "-o", "limits.smallest_chip=0.25"),
    ("maryland-crapless",),
    ("section-2", "--game", "mini-craps"),
    ("new-jersey", "--game", "automated-craps"),
]
SAYS = (
    "pass line for 25\nroll\nfull odds\n$64 across\n$44 inside\nplace the six for 150\npress it\n"
    "whirl for 125\nwhirl down\niron cross for 110\nhi-lo-yo for 75\nbuffalo for 125\nundo\nroll\n"
    "let it ride\nsame bet\n12 on the point\nno odds\nbets\nbets hard\nodds\nwhy\ncrew\ntable\n"
    "what's the minimum\nwhat does the field pay\nhalf press\nleave my line down\nroll\nroll\n"
)


@pytest.mark.parametrize("house", HOUSES)
def test_odd_houses_through_the_prompt(house: tuple[str, ...], home: Path) -> None:
    result = play(*house, "--seed", "8", "--bankroll", "5000", lines=SAYS)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    dealt = deal_text(game(home))
    assert not dealt.refusals  # only what was taken is written
    assert len(list(dealt.throws())) >= 3
    told = [line for line in result.stdout.splitlines() if "> " not in line[:14]]
    assert max(map(len, told)) <= 79 + len(str(home))
