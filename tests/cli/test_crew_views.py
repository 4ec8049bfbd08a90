"""``passline deal --crew`` and ``passline duties``: the crew's side on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from passline.cli.deal import command as deal
from passline.cli.duties import command as duties
from passline.crew.tasks import BANK, MoneyMove, Pot, Task, apply_tasks
from passline.game.law.book_files import BOOKS
from passline.game.law.clauses import list_clauses
from passline.game.law.duties import CONDUCT_KINDS, find_post

GAME = """\
rulebook: iowa
player: ann 500
player: bob 500
ann: pass for 10; field for 5
bob: dont-pass for 10
roll 4 2
ann: place-win-8 for 12
roll 5 3
roll 4 3
"""


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = tmp_path / "game.craps"
    path.write_text(GAME, "utf-8")
    return str(path)


def test_the_work_list_in_words(game: str) -> None:
    done = CliRunner().invoke(deal, [game, "--crew"])
    assert done.exit_code == 0
    assert "pay    ann: place 8 $14 (2 red, 4 white)  [take-pay.1.a]" in done.output
    assert "base dealer, left end   repeats: ann, pass line for $10  [base.7]" in done.output
    assert "place-win-8 $14" not in done.output


def test_the_vigorish_that_is_asked_for_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "buy.craps"
    path.write_text(GAME.replace("place-win-8 for 12", "buy-8 for 40"), "utf-8")
    shown = CliRunner().invoke(deal, [str(path), "--crew"]).output
    assert "pay    ann: buy 8 $48 (1 green, 4 red, 3 white), asks $2 vigorish" in shown


def test_the_work_list_as_data_adds_up(game: str) -> None:
    whole = json.loads(CliRunner().invoke(deal, [game, "--crew", "--json"]).output)
    assert [len(roll["crew"]) > 3 for roll in whole["rolls"]] == [True, True, True]
    assert {"line", "tasks"} == set(whole["errands"][0])
    rail = 50000
    for task in [t for e in whole["errands"] for t in e["tasks"]] + [
        t for roll in whole["rolls"] for t in roll["crew"]
    ]:
        for move in task["moves"]:
            cents = round(float(move["amount"]) * 100)
            rail += cents * ((move["to"] == "rail ann") - (move["from"] == "rail ann"))
    assert f"{rail / 100:.2f}" == whole["players"]["ann"]["rail"]


def test_without_crew_the_object_is_the_contracts(game: str) -> None:
    whole = json.loads(CliRunner().invoke(deal, [game, "--json"]).output)
    assert "errands" not in whole
    assert "crew" not in whole["rolls"][0]


def test_styles_differ_and_an_unknown_one_is_refused(game: str) -> None:
    calls = {
        style: json.loads(CliRunner().invoke(deal, [game, "--json", "--style", style]).output)[
            "rolls"
        ][2]["call"]
        for style in ("school-a", "school-b", "iowa")
    }
    assert len(set(calls.values())) == 3
    wrong = CliRunner().invoke(deal, [game, "--style", "vegas"])
    assert wrong.exit_code == 2
    assert "choose one of school-a, school-b, iowa" in wrong.output
    both = CliRunner().invoke(deal, [game, "--crew", "--canonical"])
    assert both.exit_code == 2
    assert "--canonical and --crew can't be used together" in both.output


@pytest.mark.parametrize("book", BOOKS)
def test_every_clause_of_conduct_is_somebodys_duty(book: str) -> None:
    shown = json.loads(CliRunner().invoke(duties, [book, "--json"]).output)
    ids = [row["id"] for rows in shown.values() for row in rows]
    assert sorted(ids) == sorted(c.id for c in list_clauses(book) if c.kind in CONDUCT_KINDS)
    assert all(row["where"] for rows in shown.values() for row in rows)


def test_duties_of_one_post_in_words() -> None:
    done = CliRunner().invoke(duties, ["iowa", "--post", "boxperson"])
    assert done.exit_code == 0
    assert done.output.startswith("Boxperson\n")
    assert "  * Boxperson verifies the number called matches the dice. [box.1]" in done.output
    assert max(map(len, done.output.splitlines())) < 80


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["iowas"], "there is no rulebook 'iowas': did you mean iowa?"),
        (["zzz"], "the rulebooks are"),
        (
            ["iowa", "--post", "cook"],
            "Iowa craps manual has no duties for the post cook. Its posts are supervisor",
        ),
    ],
)
def test_duties_that_cannot_be_shown(args: list[str], said: str) -> None:
    done = CliRunner().invoke(duties, args)
    assert done.exit_code == 2
    assert said in done.output
    assert len(done.output.splitlines()) == 1


def test_a_clause_that_no_post_is_named_for_is_everybodys_duty() -> None:
    assert find_post("iowa", "max.1") == "everybody"


def test_chips_that_do_not_lie_there_cannot_be_moved() -> None:
    late = Task(
        by="x", do="take", words="takes", cite="", moves=(MoneyMove(Pot("rail", "ann"), BANK, 5),)
    )
    with pytest.raises(ValueError, match="rail ann has too little: takes"):
        apply_tasks({Pot("rail", "ann"): 4}, [late])


NAMES = ("ann", "bob", "cat", "dan", "eve", "fay")


def busy(book: str) -> str:
    """Six players, both ends, everything up, and the seven."""
    lines = [f"rulebook: {book}"]
    lines += [] if book == "iowa" else ["house.odds.multiple: 10"]
    lines += [*(f"player: {name} 3000" for name in NAMES)]
    lines += [f"{n}: {'dont-pass' if i % 2 else 'pass'} for 10" for i, n in enumerate(NAMES)]
    lines.append("roll 4 2")
    odds = {True: "dont-pass-odds", False: "pass-odds"}
    for i, n in enumerate(NAMES):
        lines.append(f"{n}: {odds[bool(i % 2)]} for 30; come for 10; dont-come for 10")
        lines.append(f"{n}: place-win-8 for 12; place-win-4 for 10")
    lines.append("roll 5 4")
    for n in NAMES:
        lines.append(f"{n}: come-odds-9 for 20; dont-come-odds-9 for 30; lay-10 for 40")
        lines.append(f"{n}: come for 10; dont-come for 10; hard-8 for 5; field for 5")
    lines.append("roll 3 2")
    lines += [f"{n}: come for 10; dont-come for 10; field for 5; any-seven for 1" for n in NAMES]
    return "\n".join((*lines, "roll 4 3\n"))


def shown(tmp_path: Path, book: str, *options: str) -> str:
    """What is shown of the busy seven-out."""
    path = tmp_path / "busy.craps"
    path.write_text(busy(book), "utf-8")
    done = CliRunner().invoke(deal, [str(path), "--crew", *options])
    assert done.exit_code == 0, done.output
    return done.output.partition("[4][3]")[2].partition("\n\n")[0]


@pytest.mark.parametrize("book", ["iowa", "dealer-school", "new-jersey"])
def test_a_busy_seven_out_fits_a_page(tmp_path: Path, book: str) -> None:
    page = shown(tmp_path, book)
    assert len(page.splitlines()) <= 40
    for name in NAMES:
        assert f"{name}: " in page
    assert "don't come 9 odds $20 (4 red), don't come 9 $10 (2 red)" in page
    assert "place-win" not in page
    assert "dont-come-9" not in page


@pytest.mark.parametrize(
    ("options", "there", "not_there"),
    [
        (["--post", "stick"], ["calls:", "take   ann: hard 8 $5"], ["base dealer", "boxperson"]),
        (["--post", "box"], ["watches the payoffs at the left end"], ["calls:", "base dealer"]),
        (["--post", "left-base"], ["left end", "bob: "], ["right end", "eve: ", "calls:"]),
        (["--post", "right-base"], ["right end", "eve: "], ["left end", "ann: come"]),
        (["--post", "base", "--end", "right"], ["eve: "], ["ann: come", "left end"]),
        (["--end", "left"], ["bob: ", "take   ann: hard 8 $5; bob"], ["eve: ", "right end"]),
    ],
)
def test_the_work_of_one_post_or_one_end(
    tmp_path: Path, options: list[str], there: list[str], not_there: list[str]
) -> None:
    page = shown(tmp_path, "iowa", *options)
    assert [words for words in there if words not in page] == []
    page = page.partition("\n")[2]  # the call itself is the throw's own line
    assert [words for words in not_there if words in page] == []


def test_posts_and_ends_as_data(tmp_path: Path) -> None:
    path = tmp_path / "busy.craps"
    path.write_text(busy("iowa"), "utf-8")
    args = [str(path), "--crew", "--json", "--post", "left-base"]
    whole = json.loads(CliRunner().invoke(deal, args).output)
    tasks = [t for roll in whole["rolls"] for t in roll["crew"]]
    tasks += [t for errand in whole["errands"] for t in errand["tasks"]]
    assert {(t["post"], t["end"]) for t in tasks} == {("base", "left")}
    alone = CliRunner().invoke(deal, [str(path), "--post", "stick"])
    assert (alone.exit_code, "--post needs --crew" in alone.output) == (2, True)


def test_what_was_said_before_an_unreadable_say_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "broken.craps"
    path.write_text("rulebook: iowa\nplayer: ann 100\nann: pass for 10; roulette\n", "utf-8")
    done = CliRunner().invoke(deal, [str(path), "--crew"])
    assert done.exit_code == 2
    assert "ann: pass line for $10" in done.output


WRONG_ONCE = {
    "prop-payoffs.1": "base dealer",
    "prop-payoffs.6#2": "base dealer",
    "undermin.6#1": "base dealer",
    "overmax.7#1": "base dealer",
    "overmax.7.b#1": "base dealer",
    "wagers.intro.1#2": "base dealer",
    "wagers.intro.1#3": "base dealer",
    "wagers.intro.2#2": "base dealer",
    "general.1#3": "stickperson",
    "shooting.11#1": "stickperson",
    "stick.19#3": "supervisor",
    "stick.6#4": "base dealer",
    "crew#2": "stickperson",
    "crew#3": "base dealer",
    "change.2#3": "supervisor",
    "place-groups/call": "shooter and players",
    "def.layout#2": "shooter and players",
}


@pytest.mark.clause(*(f"iowa:{clause}" for clause in WRONG_ONCE))
def test_every_duty_stands_at_the_post_that_its_clause_names() -> None:
    posts = json.loads(CliRunner().invoke(duties, ["iowa", "--json"]).output)
    found = {row["id"]: post for post, rows in posts.items() for row in rows}
    assert {clause: found[clause] for clause in WRONG_ONCE} == WRONG_ONCE


@pytest.mark.parametrize("book", BOOKS)
def test_a_clause_that_begins_with_a_post_is_that_posts_duty(book: str) -> None:
    """The clauses that name their post first, in our words, stand at it."""
    names = {
        "Base Dealer": "base dealer",
        "Boxperson": "boxperson",
        "Stickperson": "stickperson",
        "Supervisor": "supervisor",
        "Shooter picks": "shooter and players",
        "Player sets": "shooter and players",
        "Player puts": "shooter and players",
        "Player names": "shooter and players",
        "Player uses": "shooter and players",
    }
    either = {"base.4#1", "take-pay.3#4", "change.1.b#1", "change.2#5", "stick.8#2"}
    either |= {"11.A(4)(b)", "12.B(3)(b)", "relief.box.1#2", "relief.base.1"}
    for clause in list_clauses(book):
        if clause.kind in CONDUCT_KINDS and clause.id not in either:
            for start, post in names.items():
                if clause.rule.startswith(start):
                    assert find_post(book, clause.id) == post, clause


def test_duties_of_a_house(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('rulebook = "iowa"\ngame = "craps"\nname = "River"\n', "utf-8")
    done = CliRunner().invoke(duties, [str(path), "--post", "boxperson"])
    assert done.exit_code == 0
    assert done.output.startswith("Boxperson\n")
