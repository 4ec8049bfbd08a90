"""A house that elects every side bet, through every command and at a live table."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.game.law.side_bets import read_side_bets
from tests.cli.test_every_house import COMMANDS, MAY_REFUSE, MORE
from tests.live.floor import EVERY_POST, Floor

WAGERS = [family for wagers in read_side_bets().values() for family in wagers]
HOUSE = 'rulebook = "sides"\n[offers]\n' + "".join(f'{offer} = "A"\n' for offer in read_side_bets())
#: A shooter who makes points, throws doubles and craps, and rolls often enough for a push.
ROLLS = ("3 3", "4 2", "1 1", "5 5", "6 4", "6 6", "2 2", "3 1", "4 4", "6 5", "5 3", "6 3", "3 4")
POINTS = (4, 5, 6, 8, 9, 10)
OWN = """
def everything(view):
    if view.puck or not view.new_shooter:
        return None if view.puck or view.up('pass') else 'pass for 25'
    return 'pass for 25; points in a row for 5; repeater 2 for 5'
"""


def _list_lines() -> list[str]:
    """Return the lines of a game: every side bet, then the rolls, each come-out with a line bet."""
    lines, point = [f"ann: {wager} for 5" for wager in WAGERS], 0
    for roll in ROLLS:
        total = sum(map(int, roll.split()))
        lines += [] if point else ["ann: pass for 25"]
        lines.append(f"roll {roll}")
        point = (point if total not in (point, 7) else 0) if point else total * (total in POINTS)
    return [*lines, "ann: pass for 25"]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    Path("house.toml").write_text(HOUSE, "utf-8")
    record = "house: house.toml\nplayer: ann 8750\n" + "\n".join(_list_lines()) + "\n"
    Path("game.craps").write_text(record, "utf-8")
    Path("own.py").write_text(OWN, "utf-8")
    return {"HOUSE": "house.toml", "RECORD": "game.craps", "OWN": "own.py"}


_SLOW = ("bankroll", "compare", "conformance", "cost", "session", "shift", "simulate", "strategies")


@pytest.mark.parametrize(
    "command",
    [pytest.param(name, marks=pytest.mark.long if name in _SLOW else ()) for name in COMMANDS],
)
def test_through_every_command(command: str, files: dict[str, str]) -> None:
    talk = "".join(f"{wager} for 5\n" for wager in WAGERS)
    said = f"pass line for 25\n{talk}bets\nfelt\nroll\nroll\nwork\nquit\n"
    more = [given for given in MORE if given[0] == command]
    for args in ((command, *COMMANDS[command]), *more):
        given = [files.get(arg, arg) for arg in args]
        ended = CliRunner().invoke(cli, given, input=said, prog_name="passline")
        assert isinstance(ended.exception, SystemExit | None), (given, ended.exc_info)
        if command in MAY_REFUSE and ended.exit_code == 2:
            assert ended.stderr.count("\n") == 1
        else:
            assert ended.exit_code == 0, (given, ended.stderr)
            assert ended.stdout


@pytest.mark.anyio
async def test_a_live_table_deals_them_and_its_log_is_sound() -> None:
    floor = await Floor().open("", house=HOUSE, dice="typed", posts=EVERY_POST)
    await floor.sit("ann", "5000")
    for line in _list_lines():
        if line.startswith("roll"):
            await floor.taken("stick", line)
            table = await floor.hold()
        else:  # A pass line bet that won is left up at a live table, and asks for no other.
            await floor.say("ann", line.removeprefix("ann: "))
            wager = line.removeprefix("ann: ").removesuffix(" for 5").removesuffix(" for 25")
            assert wager in (await floor.seat("ann")).wagers
    assert not set(table.seat("ann").wagers) & set(WAGERS)
