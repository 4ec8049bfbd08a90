"""``passline odds``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from passline.cli.main import cli

CONTRACT = {
    "wager",
    "pays",
    "win",
    "lose",
    "push",
    "edge",
    "edge_resolved",
    "edge_per_roll",
    "rolls",
    "sd",
    "method",
}


def passline(*args: str) -> Result:
    return CliRunner().invoke(cli, ["odds", *args])


def rows(*args: str) -> list[dict[str, Any]]:
    ended = passline(*args, "--json")
    assert (ended.exit_code, ended.stderr) == (0, "")
    found: list[dict[str, Any]] = json.loads(ended.stdout)
    return found


def test_every_wager_as_json() -> None:
    found = rows("new-jersey")
    assert all(set(row) >= CONTRACT for row in found)
    assert {row["method"] for row in found} == {"exact"}
    by = {(row["wager"], row["option"]): row for row in found}
    assert by["pass", None]["edge"] == "7/495"
    assert by["pass", None]["edge_float"] == 7 / 495
    assert by["pass-odds", None]["edge"] == "0"
    assert by["pass-odds", None]["by_point"]["4"]["win"] == "1/3"
    assert by["buy-4", None]["edge_outlay"] == "1/21"
    assert ("fire", "offers.fire=B") in by
    assert "edge_outlay" not in by["pass", None]


def test_one_wager_is_a_list_too() -> None:
    (row,) = rows("iowa", "place-win-6")
    assert row["pays"] == "7 to 6"
    assert isinstance(row["sd"], float)
    assert row["outcomes"] == [
        {"net": "-1", "chance": "6/11"},
        {"net": "7/6", "chance": "5/11"},
    ]


def test_with_odds_at_several_multiples() -> None:
    found = rows("new-jersey", "pass", "--with-odds", "--multiple", "2", "--multiple", "3-4-5")
    shown = [(row["wager"], row.get("multiple"), row["edge"]) for row in found]
    assert shown == [
        ("pass", None, "7/495"),
        ("pass+odds", "1", "7/825"),
        ("pass+odds", "2", "1/165"),
        ("pass+odds", "3-4-5", "7/1870"),
    ]
    assert found[1]["wagered"] == "5/3"
    (named,) = rows("new-jersey", "dont-pass+odds")
    assert named["edge"] == "3/440"


def test_with_odds_adds_rows_for_every_line_wager() -> None:
    found = [row["wager"] for row in rows("new-jersey", "--with-odds")]
    assert found[-4:] == ["pass+odds", "dont-pass+odds", "come+odds", "dont-come+odds"]


def test_a_stake_as_dealt() -> None:
    found = {row["wager"]: row for row in rows("iowa", "--stake", "5")}
    assert found["place-win-6"]["edge"] == "1/11"
    assert found["place-win-6"]["stake"] == "5.00"
    assert found["hi-lo"]["edge"] is None
    assert found["hi-lo"]["refused"]["cite"]


def test_a_house_deals_only_its_own(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('rulebook = "new-jersey"\noffers.fire = "B"\nbuy.when = "won"\n')
    found = {row["wager"]: row for row in rows(str(file))}
    assert found["fire"]["option"] == "offers.fire=B"
    assert "six-seven-eight" not in found
    assert found["buy-4"]["edge"] == "1/60"


@pytest.mark.parametrize("args", [(), ("--stake", "25"), ("--with-odds",)])
def test_the_table_fits_eighty_columns(args: tuple[str, ...]) -> None:
    ended = passline("new-jersey", *args)
    assert ended.exit_code == 0
    lines = ended.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].split()[:2] == ["wager", "pays"]
    text = ended.stdout
    assert "7/495" in text
    if "--stake" in args:
        assert "cannot be paid on $25: $24 or $30 can" in text
    if "--with-odds" in args:
        assert "Pass+1x odds" in text


def test_the_columns_of_the_table_stand_under_each_other() -> None:
    lines = passline("iowa", "--multiple", "3-4-5").stdout.partition("\n\n")[0].splitlines()
    assert any(line.startswith("Don't pass+3-4-5 odds ") for line in lines)
    assert {len(line) for line in lines} == {79}
    pays = lines[0].index("pays")
    assert all(line[pays - 1] == " " != line[pays] for line in lines)


def test_one_wager_in_words() -> None:
    ended = passline("new-jersey", "dont-pass", "--with-odds")
    assert "edge        1.3636% = 3/220  of the amount wagered" in ended.stdout
    assert "1.4026% = 27/1925  pushes left out" in ended.stdout
    assert "1.3636% = 3/220  of the flat wager alone" in ended.stdout
    assert "19:47-1.4(b)/dont-pass" in ended.stdout


def test_one_wager_with_vigorish_or_refused_in_words() -> None:
    bought = passline("new-jersey", "buy-4").stdout
    assert "4.7619% = 1/21  of the stake and the vigorish paid with it" in bought
    refused = passline("new-jersey", "pass-odds", "--stake", "25").stdout
    assert "on 4        2 to 1: wins 33.3333% = 1/3, edge 0.0000% = 0, 4.00 rolls" in refused
    assert "on 5        3 to 2: refused, pass odds cannot be paid on $25" in refused
    fire = passline("new-jersey", "fire").stdout
    assert "Fire, offers.fire=B" in fire
    assert "edge        20.7628%  of the amount wagered" in fire


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ((), "name a rulebook, such as new-jersey"),
        (("new-jersey", "plas"), "there is no wager 'plas' here: did you mean pass"),
        (("iowa", "fire"), "fire is not a wager of this rulebook"),
        (("new-jersey", "fire", "--game", "mini-craps"), "fire is not dealt at mini-craps"),
        (("new-jersey", "--stake", "0"), "expected an amount above zero"),
        (("new-jersey", "--stake", "much"), "use dollars, such as 12"),
        (("new-jersey", "--multiple", "200"), "allowed: 1 to 100"),
        (("new-jersey", "--multiple", "many"), "odds.multiple"),
        (
            ("new-jersey", "field", "--with-odds"),
            "they go with pass line, don't pass, come and don't come",
        ),
        (("new-jersey", "field", "--multiple", "3"), "come and don't come"),
        (("iowa", "place-win-6", "--with-odds"), "no odds go with place 6"),
        (("new-jersey", "field+odds"), "no wager 'field+odds'"),
        (("nevada",), "there is no rulebook"),
    ],
)
def test_what_cannot_be_used(args: tuple[str, ...], says: str) -> None:
    ended = passline(*args)
    assert ended.exit_code == 2
    assert ended.stdout == ""
    assert says in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_a_wager_by_what_a_player_calls_it() -> None:
    """The names of table talk, and a kind of wager for all its numbers."""
    for name, slugs in {
        "place 6": ["place-win-6"],
        "any 7": ["any-seven"],
        "pass line": ["pass"],
        "buy": ["buy-4", "buy-5", "buy-6", "buy-8", "buy-9", "buy-10"],
        "place": [f"place-win-{number}" for number in (4, 5, 6, 8, 9, 10)],
        "hardways": ["hard-4", "hard-6", "hard-8", "hard-10"],
    }.items():
        assert [row["wager"] for row in rows("new-jersey", name)] == slugs
    assert passline("iowa", "big 6").stdout.startswith("Big 6\n")
