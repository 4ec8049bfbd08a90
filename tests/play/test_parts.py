"""The smaller parts: the look, the prompt, games on disk, signals, saving."""

from __future__ import annotations

import errno
import fcntl
import io
import os
from contextlib import suppress
from pathlib import Path

import pytest

from passline.files import home_folder
from passline.game.law.book_files import BOOKS
from passline.play import prompt, saved_games
from passline.play.display import Display, detect_display
from passline.play.saved_games import save_copy
from passline.play.screen_commands import find_command as heard
from passline.talk.errors import UnplayableError
from passline.talk.understand import understand

from .tables import game_at

# The look


class Screen(io.TextIOWrapper):
    """A terminal with an encoding."""

    def __init__(self, encoding: str, terminal: bool = True) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.fixture
def plain_world(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("NO_COLOR", "COLUMNS", "PASSLINE_PLAIN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return monkeypatch


def test_a_terminal_has_colour_and_lines(plain_world: pytest.MonkeyPatch) -> None:
    plain_world.setenv("COLUMNS", "120")
    assert detect_display(Screen("utf-8")) == Display(
        color=True, boxes=True, plain=False, width=119
    )
    plain_world.setenv("COLUMNS", "80")
    assert detect_display(Screen("utf-8")).width == 79
    plain_world.setenv("COLUMNS", "400")
    assert detect_display(Screen("utf-8")).width == 119


def test_no_color_a_pipe_and_a_dumb_terminal_have_none(plain_world: pytest.MonkeyPatch) -> None:
    assert not detect_display(Screen("utf-8", terminal=False)).color
    plain_world.setenv("NO_COLOR", "1")
    assert not detect_display(Screen("utf-8")).color
    plain_world.delenv("NO_COLOR")
    plain_world.setenv("TERM", "dumb")
    assert detect_display(Screen("utf-8")) == Display(color=False, boxes=False)


def test_an_encoding_without_lines_gets_ascii(plain_world: pytest.MonkeyPatch) -> None:
    assert not detect_display(Screen("latin-1")).boxes
    assert not detect_display(Screen("ascii", terminal=False)).boxes


def test_a_narrow_terminal_is_not_drawn_on(plain_world: pytest.MonkeyPatch) -> None:
    plain_world.setenv("COLUMNS", "60")
    look = detect_display(Screen("utf-8"))
    assert (look.width, look.can_draw) == (59, False)


def test_folding_sets_later_lines_in() -> None:
    look = Display(width=30)
    assert look.fold("  one two three four five six seven") == [
        "  one two three four five six",
        "    seven",
    ]
    assert look.fold("") == [""]


# The prompt


def test_completion_after_a_semicolon_and_within_a_phrase() -> None:
    choices = prompt.list_phrases(game_at().table, "ann")
    assert prompt.complete_phrase("ro", "ro", choices) == ["roll"]
    highs = [f"horn high {number} for " for number in (2, 3, 11, 12)]
    assert prompt.complete_phrase("pass for 10; hor", "hor", choices) == ["horn for ", *highs]
    assert prompt.complete_phrase("place the 1", "1", choices) == ["10 for "]
    assert prompt.complete_phrase("PLACE THE 8", "8", choices) == ["8 for "]
    assert prompt.complete_phrase("place-w", "place-w", choices)[0] == "place-win-4 "
    assert prompt.complete_phrase("zebra", "zebra", choices) == []
    assert prompt.complete_phrase("hard ei", "ei", choices) == ["eight for "]
    assert prompt.complete_phrase("place the si", "si", choices) == ["six for "]
    hards = [f"{number} for " for number in (4, 6, 8, 10)]
    assert prompt.complete_phrase("hard ", "", choices) == hards  # figures first


UP = "pass for 10; place-win-6 for 12; hard-8 for 5"
HOUSES = [(book, "", ()) for book in sorted(BOOKS)] + [
    ("section-2", "mini-craps", ()),
    ("new-jersey", "automated-craps", ()),
    ("new-jersey", "", (("limits.smallest_chip", "25"), ("limits.min", "25"))),
    ("iowa", "", (("limits.smallest_chip", "0.25"),)),
]


@pytest.mark.parametrize(("book", "game", "options"), HOUSES)
@pytest.mark.parametrize("up", ["", UP])
def test_a_completion_is_a_command_or_can_be_said_now(
    book: str, game: str, options: tuple[tuple[str, str], ...], up: str
) -> None:
    played = game_at(book, game=game or None, options=options)
    played.say("ann", up)
    table = played.table
    for phrase in prompt.list_phrases(table, "ann"):
        if heard(phrase.strip(), "ann", table, typed=False) is not None:
            continue
        said = f"{phrase}300" if phrase.endswith(" for ") else f"{phrase}for 300"
        with suppress(UnplayableError):  # understood: a matter of play
            command = understand(table, "ann", said if phrase.endswith(" ") else phrase)[0]
            assert getattr(command, "wager", "") in {"", *table.layout.spots}


def test_what_the_book_lacks_or_the_moment_bars_is_not_completed() -> None:
    crapless = prompt.list_phrases(game_at("maryland-crapless").table, "ann")
    assert not [phrase for phrase in crapless if "don't" in phrase or "dont" in phrase]
    opening = prompt.list_phrases(game_at().table, "ann")
    assert "pass line for " in opening
    assert not {"come for ", "odds for ", "full odds", "press the six", "undo"} & {*opening}
    played = game_at()
    played.say("ann", UP)
    played.do_table_line("roll 3 3")
    point = prompt.list_phrases(played.table, "ann")
    assert {"come for ", "odds for ", "press the six", "take down my 6", "pass the dice"} <= {
        *point
    }
    assert "pass line for " not in point
    assert "take the dice" not in point


def test_a_typed_line_is_cleaned() -> None:
    assert prompt.clean_line("\x1b[31mpass\x00 for\t10\r\n") == "[31mpass for 10"
    assert prompt.clean_line("  'roll'  ") == "roll"
    assert prompt.clean_line('"') == '"'
    assert len(prompt.clean_line("9" * 100_000)) == 2000


def test_without_standard_input_the_lines_have_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(EOFError):
        prompt.read_input("> ")


# Games on disk


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PASSLINE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_where_games_are_kept(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert home_folder() == home
    monkeypatch.delenv("PASSLINE_HOME")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert home_folder() == tmp_path / "state" / "passline"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert home_folder() == tmp_path / ".local" / "state" / "passline"


def test_games_that_begin_together_have_files_of_their_own(home: Path) -> None:
    paths = [saved_games.create_game_file("iowa") for _ in range(5)]
    assert len(set(paths)) == 5
    assert list(saved_games.list_saved_games()) == []  # names, and no games yet
    paths[2].write_text("x")
    assert list(saved_games.list_saved_games("iowa")) == [paths[2]]
    assert list(saved_games.list_saved_games("new-jersey")) == []


def test_the_last_game_comes_first(home: Path) -> None:
    home.mkdir()
    for number in (1, 3, 2):
        path = home / f"{number}.craps"
        path.write_text("x")
        os.utime(path, ns=(number, number))
    assert [path.stem for path in saved_games.list_saved_games()] == ["3", "2", "1"]


def test_a_game_that_cannot_be_kept_is_told_of_once(tmp_path: Path) -> None:
    told: list[str] = []
    (tmp_path / "file").write_text("")
    keeper = saved_games.GameSaver(tmp_path / "file" / "game.craps", told.append)
    keeper("one\n")
    keeper("two\n")
    assert len(told) == 1
    assert "cannot be saved" in told[0]
    (tmp_path / "file").unlink()
    keeper("three\n")
    assert told[1:] == [f"this game is saved again to {keeper.path}"]
    assert keeper.path.read_text() == "three\n"


def test_a_full_disk_leaves_the_last_whole_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.craps"
    saved_games.write_record_file(path, "whole\n")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        saved_games.write_record_file(path, "half")
    assert path.read_text() == "whole\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_game_is_claimed_by_one_at_a_time(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.craps"
    first = saved_games.GameLock(path)
    with pytest.raises(saved_games.GameInUseError):
        saved_games.GameLock(path)
    saved_games.GameLock(tmp_path / "other.craps").release()
    first.release()
    first.release()
    saved_games.GameLock(path).release()
    assert list(tmp_path.iterdir()) == []


def test_a_game_is_claimed_wherever_games_are_kept(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = saved_games.GameLock(tmp_path / "game.craps")
    monkeypatch.setenv("PASSLINE_HOME", str(tmp_path / "another"))
    (tmp_path / "link.craps").symlink_to(tmp_path / "game.craps")
    with pytest.raises(saved_games.GameInUseError):
        saved_games.GameLock(tmp_path / "link.craps")
    first.release()


def test_a_claim_that_ends_as_another_begins_is_had_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one has opened the lock when the last one takes it off the disk."""
    path = tmp_path / "game.craps"
    first = saved_games.GameLock(path)
    flock = fcntl.flock
    seen: list[int] = []

    def late(handle: int, how: int) -> None:
        if not seen:
            seen.append(handle)
            first.release()
        flock(handle, how)

    monkeypatch.setattr(fcntl, "flock", late)
    second = saved_games.GameLock(path)
    assert seen
    with pytest.raises(saved_games.GameInUseError):
        saved_games.GameLock(path)
    second.release()


def test_a_disk_without_locks_keeps_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(_handle: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", none)
    saved_games.GameLock(tmp_path / "game.craps").release()


def test_links_stay_links_and_permissions_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real.craps", tmp_path / "link.craps"
    real.write_text("one\n")
    real.chmod(0o640)
    link.symlink_to("real.craps")
    saved_games.write_record_file(link, "two\n")
    assert (link.is_symlink(), real.read_text()) == (True, "two\n")
    assert real.stat().st_mode & 0o777 == 0o640
    round_about = tmp_path / "round.craps"
    round_about.symlink_to(round_about)
    with pytest.raises(OSError, match="symbolic links"):
        saved_games.write_record_file(round_about, "three\n")


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.craps"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="no plain file"):
        saved_games.write_record_file(pipe, "one\n")
    assert pipe.is_fifo()


def test_a_link_to_nowhere_hides_no_other_game(home: Path) -> None:
    home.mkdir()
    (home / "1-iowa.craps").write_text("x")
    (home / "0-iowa.craps").symlink_to("gone")
    (home / "2-iowa.craps").symlink_to("gone")
    assert [path.name for path in saved_games.list_saved_games()] == ["1-iowa.craps"]


# Hearing


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("max", "max odds"),
        ("field", "field for 5"),
        ("place", "place the six for 12"),
        ("hard", "Hard eight for 1"),
        ("pass", "pass for 10"),
    ],
)
def test_a_player_whose_name_is_talk(name: str, said: str) -> None:
    table = game_at(players=(("ann", 50_000), (name, 50_000))).table
    assert heard(said, "ann", table, typed=False) is None
    assert heard(f"{name.title()} leaves", "ann", table, typed=False) == ("does", f"{name} leaves")
    wrong = heard(f"{name} buys in lots", "ann", table, typed=False)
    assert wrong == ("does", f"{name} buys in lots")


FLOOR = (
    *("dice out", "dice back", "die lost", "die found", "dead game", "table closes"),
    *("inspect dice 0.7502 serial 4411 flaw chipped by boxperson", "recall dice damage"),
    *("cancel dice 4411 on 4", "lee relieves the stickperson", "boxman okays the dice"),
    *("new dice damage serial 4411", "roll 4 3 tampered", "clock 2007-04-02 09:00"),
    *("boxperson orders ann to pass for delay", "ruling void by boxperson", "table opens"),
)


@pytest.mark.parametrize("line", FLOOR)
def test_lines_of_the_floor_are_typed_with_the_dice_of_a_real_table(line: str) -> None:
    table = game_at().table
    assert heard(line, "ann", table, typed=True) == ("does", line)
    thrown = heard(line, "ann", table, typed=False)
    assert thrown is None or thrown.name == "roll"


# Saving


def test_a_saved_record_finds_its_house_from_anywhere(tmp_path: Path) -> None:
    from passline.play.game import resume_game
    from passline.record.deal import load_record_house
    from passline.record.read import read_record

    (tmp_path / "board.toml").write_text('rulebook = "iowa"\nname = "Board"\n', "utf-8")
    text = "house: board.toml\nplayer: ann 500\n\nann: pass for 10\n"
    game = resume_game(text, tmp_path, lambda _: None)
    there = tmp_path / "elsewhere" / "game.craps"
    there.parent.mkdir()
    assert "Saved" in save_copy(game, tmp_path, there)
    record = read_record(there.read_text("utf-8"))
    assert load_record_house(record, there.parent).name == "Board"
