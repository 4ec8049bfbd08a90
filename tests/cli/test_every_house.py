"""Odd but lawful houses through every command: what lint approves works everywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from passline.cli.main import cli

HOUSES = {
    "quarters": 'rulebook = "new-jersey"\nlimits.smallest_chip = 0.25\n',
    "green": 'rulebook = "new-jersey"\nlimits.smallest_chip = 25\nlimits.min = 25\n',
    "sevens": 'rulebook = "iowa"\nlimits.smallest_chip = 7\nlimits.min = 14\n',
    "reds": 'rulebook = "section-2"\nlimits.smallest_chip = 5\n',
    "pennies": 'rulebook = "dealer-school"\nlimits = {smallest_chip = 0.01, breakage = "up"}\n',
    "other-payouts": 'rulebook = "maryland-crapless"\n[offers]\nplace-2 = "b"\nplace-3 = "b"\n'
    'place-11 = "b"\nplace-12 = "b"\nbonus = "B"\nfire = "A"\n',
    "exact-vigorish": 'rulebook = "new-jersey"\n[buy]\nrounding = "exact"\nrate = 0.0333\n'
    '[lay]\nrounding = "exact"\nbase = "win"\n',
    "odd-maxima": 'rulebook = "new-jersey"\nlimits.max = 777.77\n'
    "[limits.max_by_wager]\nhorn = 4.50\nplace-win-6 = 6.99\nhop-2-2 = 1.99\nbuy-4 = 21.01\n",
    "one-stake": 'rulebook = "section-2"\nlimits.min = 5\nlimits.max = 5\n',
    "own-colours": 'rulebook = "iowa"\n[chips]\nwhite = false\npink = 1\nteal = 2\nyellow = 3\n',
    "odd-name": 'rulebook = "section-2"\nname = "A <b>|*club*`$(x)` [red]%s{0}\\\\ Ünïé"\n',
    "generous": 'rulebook = "new-jersey"\n[pays]\npass = "3 to 2"\nfield-12 = "3 to 1"\n'
    'eleven = "17 to 1"\n[odds]\nmultiple = 2.5\n',
    "mini": 'rulebook = "new-jersey"\ngame = "mini-craps"\nodds.multiple.4 = 3.5\n',
    "automated": 'rulebook = "new-jersey"\ngame = "automated-craps"\nlimits.min = 12.50\n'
    "limits.smallest_chip = 0.50\n",
    "dear": 'rulebook = "dealer-school"\nlimits.min = 4999\nlimits.max = 5000\n',
}
#: A stake that pass takes where $25 is none. Every chip goes into the buy-in.
STAKES = {"sevens": 28, "one-stake": 5, "generous": 26, "dear": 5000}
BUY_IN = "8750"
#: Command → its arguments, HOUSE for the house's file.
COMMANDS = {
    "bankroll": ("OWN", "--rulebook", "HOUSE", "--rolls", "3", "--json"),
    "best": (
        *("--goal", "10500", "--bankroll", BUY_IN, "--unit", "1750"),
        *("--rulebook", "HOUSE", "--menu", "pass"),
    ),
    "compare": ("OWN", "OWN", "--rulebook", "HOUSE", "--rolls", "2", "--json"),
    "conformance": ("--rulebook", "HOUSE"),
    "cost": ("OWN", "--rulebook", "HOUSE", "--json"),
    "deal": ("RECORD", "--json"),
    "dice": ("sevens=1/7", "field", "--rulebook", "HOUSE", "--json"),
    "diff": ("HOUSE", "HOUSE", "--wager", "field"),
    "duties": ("HOUSE",),
    "evidence": ("RECORD", "--rulebook", "HOUSE", "--wager", "field", "--json"),
    "felt": ("HOUSE",),
    "hand": ("HOUSE", "--json"),
    "key": ("hi-lo", "100", "--rulebook", "HOUSE"),
    "law": ("HOUSE",),
    "lint": ("HOUSE",),
    "luck": ("RECORD", "--strategy", "OWN"),
    "machine": ("pass", "--rulebook", "HOUSE", "--json"),
    "odds": ("HOUSE", "--stake", "25", "--with-odds", "--multiple", "2", "--json"),
    "par": ("HOUSE", "--layout", "RECORD"),
    "payoff": ("place-win-6", "--chips", "150", "--rulebook", "HOUSE"),
    "placard": ("HOUSE",),
    "play": ("HOUSE", "--seed", "3", "--rail", "pass-odds"),
    "press": ("6", "--from", "25", "--to", "50", "--rulebook", "HOUSE"),
    "school": ("lines", "--rulebook", "HOUSE", "--level", "2", "--count", "2", "--json"),
    "session": ("OWN", "--rulebook", "HOUSE", "--bankroll", BUY_IN, "--rolls", "9", "--exact"),
    "shift": ("OWN", "--rulebook", "HOUSE", "--hours", "1", "--trials", "16", "--json"),
    "simulate": ("OWN", "--rulebook", "HOUSE", "--rolls", "99", "--seed", "1", "--json"),
    "strategies": ("--rulebook", "HOUSE", "--json"),
    "sweep": (
        *("OWN", "--rulebook", "HOUSE", "--vary", "stop_win=none,100", "--json"),
        *("--bankroll", BUY_IN, "--rolls", "3"),
    ),
}
#: What may end in one line and exit 2: an amount, or a built-in strategy, that is not taken here;
#: a game without a shooter.
MAY_REFUSE = {"hand", "key", "machine", "payoff", "press"}
MORE = (
    ("odds", "HOUSE"),
    ("par", "HOUSE", "--csv", "-"),
    ("par", "HOUSE", "--html", "-"),
    ("placard", "HOUSE", "--html", "-"),
    ("deal", "RECORD"),
    ("deal", "RECORD", "--crew"),
    ("felt", "--record", "RECORD"),
    ("felt", "HOUSE", "--json"),
    ("school", "--audition", "--rulebook", "HOUSE"),
)

OWN = """
def least(view):
    return None if view.puck or view.up('pass') else 'pass for {stake}'
"""
RECORD = """
house: house.toml
player: ann {buy_in}
ann: pass for {stake}; field for 50; horn for 100
roll 3 3
"""


def takes_houses() -> set[str]:
    """The commands that take a RULEBOOK|FILE, wherever it stands."""
    context = cli.make_context("passline", ["--help"], resilient_parsing=True)
    found = set()
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        if any("RULEBOOK|FILE" in (param.metavar or "") for param in command.params):
            found.add(name)
    return found


def test_no_command_is_left_out() -> None:
    assert takes_houses() <= COMMANDS.keys()


#: Through every command in each run of the tests; the others in 'make long'.
OFTEN = {"quarters", "odd-name", "mini"}


@pytest.fixture(
    params=[pytest.param(name, marks=() if name in OFTEN else pytest.mark.long) for name in HOUSES]
)
def house(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    stake = STAKES.get(request.param, 25)
    Path("house.toml").write_text(HOUSES[request.param], "utf-8")
    Path("game.craps").write_text(RECORD.format(stake=stake, buy_in=BUY_IN), "utf-8")
    Path("own.py").write_text(OWN.format(stake=stake), "utf-8")
    return str(request.param)


def run(command: str, *args: str) -> Result:
    files = {"HOUSE": "house.toml", "RECORD": "game.craps", "OWN": "own.py"}
    given = [command, *(files.get(arg, arg) for arg in args)]
    said = "pass line for 25\nplace the six for 30\nbets\nroll\nroll\nquit\n"
    return CliRunner().invoke(cli, given, input=said, prog_name="passline")


def test_through_every_command(house: str) -> None:
    for command, *args in (*((name, *args) for name, args in COMMANDS.items()), *MORE):
        if command == "strategies":  # sixteen machines: three houses will do, below
            continue
        ended = run(command, *args)
        assert isinstance(ended.exception, SystemExit | None), (command, ended.exc_info)
        if command in MAY_REFUSE and ended.exit_code == 2:
            assert ended.stderr.count("\n") == 1, (command, ended.stderr)
            assert ended.stderr.startswith(f"passline {command}: ")
        else:
            assert ended.exit_code == 0, (command, ended.stderr)
            assert ended.stdout


@pytest.mark.parametrize("house", ["green", "quarters", "dear"], indirect=True)
def test_a_strategy_that_cannot_bet_here_is_told_so(house: str) -> None:
    rows = json.loads(run("strategies", "--rulebook", "HOUSE", "--json").stdout)["strategies"]
    why = {row["name"]: row.get("why_not") for row in rows}
    if house == "quarters":
        assert why["pass"] is None
        return
    said = {"green": "$30 is not in whole chips of $25", "dear": "place 6 takes at most $5,000"}
    assert said[house] in str(why["place-6-8"])
    assert why["pass"] is None  # for the table's minimum, since that is more than $10


def test_the_house_that_lint_used_to_approve() -> None:
    for command, args in COMMANDS.items():
        if command in {"deal", "diff", "lint", "luck", "play"}:  # diff's houses are files
            continue
        given = [arg.replace("HOUSE", "new-jersey").replace("OWN", "pass") for arg in args]
        if "RECORD" in given:
            given = ["new-jersey"]
        ended = CliRunner().invoke(cli, [command, *given, "-o", "limits.smallest_chip=25"])
        assert ended.exit_code == 2
        assert "limits.smallest_chip = 25 is not allowed; allowed: a chip that goes" in ended.stderr
        assert ended.stderr.count("\n") == 1


def test_lint_takes_single_elections_over_the_file() -> None:
    file = 'rulebook = "iowa"\nodds.multiple = 3\n'
    fine = CliRunner().invoke(cli, ["lint", "-", "-o", "limits.min=10"], input=file)
    assert (fine.exit_code, fine.stdout) == (0, "OK: Iowa craps manual allows every setting (2).\n")
    wrong = CliRunner().invoke(cli, ["lint", "-", "-o", "odds.multiple=20"], input=file)
    assert wrong.exit_code == 1
    assert wrong.stdout.startswith("odds.multiple = 20\n  allowed: 1 to 10\n")
    unknown = CliRunner().invoke(cli, ["lint", "-", "-o", "odd=20"], input=file)
    assert (unknown.exit_code, unknown.stderr.count("\n")) == (2, 1)
