"""A sixth rulebook from data alone, through every command: ``own/high-desert.toml``."""

from __future__ import annotations

import json
import shutil
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from passline.cli.main import cli
from passline.crew.work_list import make_work_list
from passline.game.house.house import make_house
from passline.game.house.load import make_lawful_house
from passline.game.law.book import Book
from passline.game.law.book_files import BookError, book_ids
from passline.game.law.load import make_book, rulebook
from passline.game.table.events import Rolled
from passline.game.words.events import call_roll
from passline.game.words.placard import render_placard_html
from passline.lab.pricing.wager_odds import odds
from passline.play.display import Display
from passline.play.hints import Hints
from passline.play.table_screen import draw_table
from passline.record.deal import Dealt, deal_text
from passline.record.read import Record

OWN = Path(__file__).with_name("own")
HEADER = "rulebook: high-desert\nplayer: ann 1000\n"


@pytest.fixture(autouse=True)
def shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSLINE_BOOKS", str(OWN))


def run(*args: str, text: str = "", books: Path = OWN, home: Path | None = None) -> Result:
    env = {"PASSLINE_BOOKS": str(books), "XDG_STATE_HOME": str(home or books)}
    return CliRunner().invoke(cli, list(args), input=text, env=env)


def said(*args: str, **more: Any) -> str:
    result = run(*args, **more)
    assert result.exit_code == 0, (result.output, result.exception)
    return result.stdout


def vegas(play: str) -> list[str]:
    """What the last throw settles."""
    dealt = deal_text(HEADER + play)
    assert not dealt.refusals, dealt.refusals
    return last(dealt)


def last(dealt: Dealt) -> list[str]:
    rolled = [e for entry in dealt.entries for e in entry.events if isinstance(e, Rolled)][-1]
    return [f"{s.wager} {s.result} {s.paid // 100} [{s.cite}]" for s in rolled.settlements]


# What it is


def test_it_is_a_rulebook_like_any_other() -> None:
    assert book_ids()[-1] == "high-desert"
    assert rulebook("high-desert") is rulebook("high-desert")
    assert make_lawful_house(rulebook("high-desert")).minimum == 1500


def test_the_field_pays_triple_on_twelve_and_double_on_two() -> None:
    start = "ann: dont-pass for 15; field for 15\nroll "
    assert vegas(start + "6 6")[1] == "field win 45 [lv.field.triple]"
    assert vegas(start + "1 1")[1] == "field win 30 [lv.field.double]"
    assert odds("high-desert", "field").edge == Fraction(1, 36)


def test_hardways_work_on_the_come_out() -> None:
    assert vegas("ann: pass for 15; hard-8 for 5\nroll 4 3")[1] == "hard-8 lose 0 [lv.hard]"


def test_odds_are_double() -> None:
    game = HEADER + "ann: pass for 15\nroll 2 2\nann: pass-odds for 31\nann: pass-odds for 30\n"
    dealt = deal_text(game + "roll 3 1\n")
    assert [e.refusal.cite for e in dealt.refusals if e.refusal] == ["lv.odds.double"]
    assert last(dealt)[1] == "pass-odds win 60 [lv.pays.odds]"


def test_a_line_wager_is_put_up_after_the_point_and_takes_odds() -> None:
    play = "ann: dont-pass for 15\nroll 4 4\nann: pass for 20; pass-odds for 40\nroll 5 3"
    assert vegas(play) == [
        "pass win 20 [lv.pays.even]",
        "pass-odds win 48 [lv.pays.odds]",
        "dont-pass lose 0 [lv.dont]",
    ]


def test_a_put_is_a_contract_all_the_same() -> None:
    game = HEADER + "ann: dont-pass for 15\nroll 4 4\nann: pass for 20\nann: pass down\n"
    assert [e.refusal.cite for e in deal_text(game).refusals if e.refusal] == ["lv.contract"]


def test_a_come_wager_is_put_on_a_number_and_takes_odds() -> None:
    play = "ann: pass for 15\nroll 4 4\nann: come-6 for 20; come-odds-6 for 40\nroll 5 1"
    assert vegas(play) == ["come-6 win 20 [lv.pays.even]", "come-odds-6 win 48 [lv.pays.odds]"]
    # A put gives the come-out away, and is priced for what it is.
    assert odds("high-desert", "come-6").edge == Fraction(1, 11)


def test_it_is_put_only_when_a_come_wager_may_be_made() -> None:
    dealt = deal_text(HEADER + "ann: come-6 for 20\n")
    assert [e.refusal.cite for e in dealt.refusals if e.refusal] == ["lv.come"]


def test_a_dont_is_not_put() -> None:
    play = "ann: pass for 15\nroll 4 4\nann: dont-come-6 for 20\nann: dont-pass for 20\n"
    dealt = deal_text(HEADER + play)
    assert [e.refusal.cite for e in dealt.refusals if e.refusal] == ["lv.dont", "lv.dont"]


def test_its_own_wagers_and_grounds_are_said() -> None:
    dealt = deal_text(
        HEADER + "ann: pass for 15; low-dice for 2; horn for 4\nno roll hit-cocktail by boxperson\n"
        "new dice spilt-drink\nboxperson orders ann to pass for singing\n"
    )
    assert not dealt.refusals
    cites = [getattr(event, "cite", "") for entry in dealt.entries for event in entry.events]
    assert [cite for cite in cites if cite] == ["lv.no-roll.drink", "lv.dice", "lv.order"]
    assert vegas("ann: pass for 15; low-dice for 2\nroll 1 3") == ["low-dice win 10 [lv.low]"]


# Every command


def test_law() -> None:
    assert "a box number" in said("law", "high-desert", "lv.put.come")
    listed = json.loads(said("law", "high-desert", "--json"))
    assert {one["id"]: one["where"] for one in listed}["lv.stick.call"] == (
        "high-desert.tsv; passline duties high-desert: stickperson"
    )
    assert {one["status"] for one in listed} == {"enforced", "modelled", "shown"}


def test_law_coverage() -> None:
    result = run("law", "high-desert", "--coverage", "--json")
    body = json.loads(result.stdout)
    assert result.exit_code == 1  # no test of ours holds a clause of somebody's own book
    assert sum(row["clauses"] for row in body["coverage"]) == 57
    assert "high-desert:lv.field.triple" in body["untested"]


def test_duties() -> None:
    found = json.loads(said("duties", "high-desert", "--json"))
    assert {post: [row["id"] for row in rows] for post, rows in found.items()} == {
        "stickperson": ["lv.stick.call"],
        "base dealer": ["lv.base.pay"],
        "everybody": ["lv.box.watch", "lv.felt"],
    }


def test_lint() -> None:
    assert "OK" in said("lint", "-", text='rulebook = "high-desert"\nodds.multiple = 20\n')
    result = run("lint", "-", text='rulebook = "high-desert"\nodds.multiple = 21\n')
    assert result.exit_code == 1
    assert "lv.odds.most" in result.stdout


def test_placard() -> None:
    card = said("placard", "high-desert")
    assert "Low dice" in card
    assert "3 to 1" in card


def test_deal() -> None:
    game = HEADER + "ann: pass for 15; field for 15\nroll 6 6\n"
    found = json.loads(said("deal", "-", "--json", text=game))
    assert found["rulebook"] == "high-desert"
    assert found["rolls"][0]["settlements"][1]["paid"] == "45.00"
    assert "custom: the crew works as iowa" in said("deal", "-", "--crew", "--json", text=game)


def test_odds_and_par() -> None:
    assert "1/36" in said("odds", "high-desert", "field")
    sheet = said("par", "high-desert", "--csv", "-")
    assert "come-6" in sheet
    assert "lv.field.triple" in sheet


@pytest.mark.usefixtures("loops_compiled")
@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("simulate", ("--rolls", "2000", "--seed", "1", "--json")),
        ("session", ("--exact", "--bankroll", "100", "--rolls", "20", "--json")),
        ("machine", ("--json",)),
    ],
)
def test_strategies_are_run(command: str, more: tuple[str, ...]) -> None:
    found = json.loads(
        said(command, "pass-odds", "--rulebook", "high-desert", "-o", "limits.min=10", *more)
    )
    assert found


@pytest.mark.usefixtures("loops_compiled")
def test_rulings_ask_no_ground_without_a_scene() -> None:
    """A ground of the book's own, such as `hit-cocktail`, has no words for a question."""
    printed = said(
        "school", "rulings", "--rulebook", "high-desert", "--level", "3", "--count", "30", "--json"
    )
    assert len(json.loads(printed)["questions"]) == 30


def test_strategies_are_listed() -> None:
    listed = said("strategies", "--rulebook", "high-desert", "-o", "limits.min=10")
    assert "High Desert house rules: craps" in listed


def test_play(tmp_path: Path) -> None:
    told = said(
        "play", "high-desert", "--seed", "3", text="pass line for 15\nquit\n", home=tmp_path
    )
    assert "pass for $15" in told.lower()


def test_a_house_under_it(tmp_path: Path) -> None:
    house = tmp_path / "strip.toml"
    house.write_text('rulebook = "high-desert"\nname = "Strip"\nodds.multiple = "3-4-5"\n')
    assert "3-4-5" in said("odds", str(house), "pass+odds")


def test_help_lists_it() -> None:
    assert "high-desert" in said("--help")


# A book that does not hold together


COMMANDS = [
    ("law", "high-desert"),
    ("law", "high-desert", "--coverage"),
    ("duties", "high-desert"),
    ("placard", "high-desert"),
    ("felt", "high-desert"),
    ("odds", "high-desert", "pass"),
    ("par", "high-desert"),
    ("deal", "-"),
    ("lint", "-"),
    ("simulate", "pass", "--rulebook", "high-desert", "--rolls", "10"),
    ("session", "pass", "--rulebook", "high-desert", "--bankroll", "100", "--rolls", "10"),
    ("machine", "pass", "--rulebook", "high-desert"),
    ("strategies", "--rulebook", "high-desert"),
    ("play", "high-desert"),
    ("key", "horn", "5", "--rulebook", "high-desert"),
    ("press", "6", "--from", "6", "--to", "12", "--rulebook", "high-desert"),
]


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    shutil.copytree(OWN, tmp_path / "books")
    path = tmp_path / "books" / "high-desert.toml"
    path.write_text(path.read_text().replace('is = "3 to 1"', 'is = "triple"'))
    return path.parent


@pytest.mark.parametrize("args", COMMANDS, ids=lambda args: " ".join(args[:2]))
def test_a_mistake_is_one_line_and_exit_2_in_every_command(
    args: tuple[str, ...], damaged: Path
) -> None:
    text = HEADER if args[0] == "deal" else 'rulebook = "high-desert"\n'
    result = run(*args, text=text, books=damaged)
    assert (result.exit_code, result.stdout) == (2, ""), result.exception
    assert result.stderr.count("\n") == 1
    assert "rulebook high-desert: wager.field.pays[2]: 'triple' are no odds" in result.stderr


def change(folder: Path, old: str, new: str) -> None:
    path = folder / "high-desert.toml"
    text = (OWN / "high-desert.toml").read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("lv.points", "lv.point", "points: high-desert.tsv has no clause 'lv.point'"),
        ('"lv.stick.*"', '"lv.box.*", "lv.pit.*"', r"duties\[0\].clauses: no clause is 'lv.pit"),
        (
            'id = "high-desert"',
            'id = "reno"',
            "rulebook reno: id: the file is called high-desert.toml",
        ),
        ("[odds]\n", "[odds\n", "high-desert.toml is not readable as TOML: .*line 34"),
        ("default = { is = 2", "mode = { is = 2", "odds: Object contains unknown field `mode`"),
        ("default = { is = 2, cite", "# = { is = 2, cite", "odds.default: no multiple is given"),
        ("default = { is = 2", "default = { is = 1", "odds.default: 1 is under odds.least, 2"),
        ("default = { is = 2", "default = { is = 21", "odds.default: 21 is over odds.most, 20"),
        ('"9 to 5"', '"0 to 5"', r"wager.place-win.pays\[0\]: '0 to 5' pays nothing"),
        ('"1-1", "1-2"', '"1-1", "1-1"', "wager.low-dice.win: 1-1 is listed twice"),
        ("on = [12], is", "on = [12, 5], is", "wager.field.pays: it never wins on 5, and has"),
        ("on = [12], is", "on = [12, 2], is", "wager.field.pays: 12, 2 has two payouts"),
        ('[6, 8], is = "7', '[6, 8, 11], is = "7', "wager.place-win.pays: it is never on 11"),
    ],
)
def test_what_is_wrong_with_a_book_of_ones_own(
    damaged: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, words: str
) -> None:
    monkeypatch.setenv("PASSLINE_BOOKS", str(damaged))
    change(damaged, old, new)
    with pytest.raises(BookError, match=words):
        rulebook("high-desert")


def test_a_register_goes_with_it(damaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSLINE_BOOKS", str(damaged))
    change(damaged, "lv.points", "lv.points")
    (damaged / "high-desert.tsv").unlink()
    with pytest.raises(BookError, match=r"has no clause register: expected .*high-desert\.tsv"):
        rulebook("high-desert")


def test_a_book_that_is_not_text(damaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSLINE_BOOKS", str(damaged))
    (damaged / "high-desert.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BookError, match=r"high-desert\.toml is not UTF-8"):
        rulebook("high-desert")


def test_one_id_stands_for_one_book(damaged: Path) -> None:
    shutil.copy(OWN / "high-desert.toml", damaged / "iowa.toml")
    result = run("placard", "iowa", books=damaged)
    assert result.exit_code == 2
    assert "two rulebooks are called 'iowa'" in result.stderr


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    line = f"PASSLINE_BOOKS names {nowhere}, which is not a folder: "
    line += "create the folder or correct the variable"
    for args in (("placard", "high-desert"), ("odds", "iowa"), ("strategies",)):
        result = run(*args, books=nowhere)
        assert (result.exit_code, result.stderr) == (2, f"passline: {line}\n")
    assert run("--help", books=nowhere).exit_code == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PASSLINE_BOOKS", str(nowhere))
        with pytest.raises(BookError, match="which is not a folder"):
            rulebook("high-desert")


# Names and versions


#: Other names for the wagers that talk and screens know best.
NAMES = {
    "pass": "right",
    "dont-pass": "wrong",
    "come": "next",
    "dont-come": "against",
    "pass-odds": "backed",
    "dont-pass-odds": "laid",
    "come-odds": "next-backed",
    "dont-come-odds": "against-laid",
}


def renamed() -> str:
    """The same book with other names for some wagers."""
    text = (OWN / "high-desert.toml").read_text()
    for old, new in NAMES.items():
        text = text.replace(f"[wager.{old}]", f"[wager.{new}]")
        text = text.replace(f'flat = "{old}"', f'flat = "{new}"')
    lines, coupons = '["pass", "dont-pass"]', 'match_play = { is = ["pass"]'
    text = text.replace(lines, '["right", "wrong"]')
    return text.replace(coupons, coupons.replace("pass", "right"))


def test_play_goes_by_shapes_too(tmp_path: Path) -> None:
    (tmp_path / "high-desert.toml").write_text(renamed())
    shutil.copy(OWN / "high-desert.tsv", tmp_path)
    play = "right for 15\nroll\nbacked for 30\nagainst for 15\nroll\nroll\nroll\nroll\nquit\n"
    for more in ((), ("--plain",)):
        told = said(
            *("play", "high-desert", "--alone", "--seed", "4", *more),
            text=play,
            books=tmp_path,
            home=tmp_path,
        )
        assert 'Say "right for 15"' in told
        assert "right $15" in told.lower()
    assert 'Back your line with "odds for 30"' in told


def test_shapes_decide_and_not_names() -> None:
    book = make_book(tomllib.loads(renamed()))

    def opened(record: Record) -> Any:
        return make_house(book)

    dealt = deal_text(
        HEADER + "ann: wrong for 20\nroll 2 2\nann: laid for 80; right for 15\nann: next for 15\n"
        "ann: odds on the line for 30\nroll 5 4\nann: next-backed-9 for 30\nann: wrong to 15\n"
        "ann: wrong down\nroll 4 3\n",
        opened,
    )
    assert not dealt.refusals  # odds on the line are those behind what the floor calls pass
    assert last(dealt) == [
        "right lose 0 [lv.pass.lose]",
        "backed lose 0 [lv.odds.double]",
        "next-9 lose 0 [lv.come]",
        "next-backed-9 lose 0 [lv.odds.double]",
    ]
    # The don't that shrank took its odds down to what is left of it, and then with it.
    assert dealt.table.seats[0].wagers == {}
    layout = list(dealt.table.layout.spots)
    assert layout[:4] == ["right", "backed", "wrong", "laid"]
    assert layout[4] == "next"


def named(renamed: dict[str, str]) -> Book:
    """The same book with other names for some wagers."""
    text = (OWN / "high-desert.toml").read_text()
    for old, new in renamed.items():
        text = text.replace(f"[wager.{old}]", f"[wager.{new}]").replace(
            f'flat = "{old}"', f'flat = "{new}"'
        )
    data = tomllib.loads(text)
    lines = data["dice"]["line_wagers"]["is"]
    data["dice"]["line_wagers"]["is"] = [renamed.get(line, line) for line in lines]
    data["tender"]["match_play"]["is"] = [renamed.get("pass", "pass")]
    return make_book(data)


def test_the_screen_the_hints_and_the_call_go_by_shapes_too() -> None:
    book = named({"pass": "right", "pass-odds": "backed", "place-win": "box"})
    play = "ann: right for 15; box-8 for 18\nroll 6 5\nann: right for 15\nroll 2 2\n"
    play += "ann: backed for 15\n"
    dealt = deal_text(HEADER + play, lambda _: make_house(book))
    drawn = "\n".join(draw_table(dealt.table, "ann", Display()))
    assert "Pass line $15 (3r) + odds $15" in drawn
    assert "place" in drawn
    assert '"place the 8 for ' in (Hints("ann", typed=False)._place(dealt.table))
    assert "right for 15" in Hints("ann", typed=False)._line(dealt.opening)
    thrown = [rolled for _, _, rolled in dealt.throws()]
    assert call_roll(thrown[0], book) == "yo eleven, winner, front line winner"


def test_a_second_wager_of_a_shape_is_said_by_its_name_and_paid_by_the_crew() -> None:
    """``low dice`` is a name of this book alone, though ``low`` alone is the craps two."""
    data = tomllib.loads((OWN / "high-desert.toml").read_text())
    place = data["wager"]["place-win"]
    pays = [{"is": "3 to 2", "cite": "lv.pays.place"}]
    ten = {**place, "title": "Big ten", "numbers": place["numbers"] | {"is": [10]}, "pays": pays}
    book = make_book({**data, "wager": data["wager"] | {"big-ten": ten}})
    play = "ann: pass for 15; low dice for 2; low for 3; 20 on the big ten\nroll 2 2\n"
    play += "ann: press the big ten; big ten off; call the big ten on\nroll 5 5\n"
    dealt = deal_text(HEADER + play, lambda _: make_house(book))
    assert not dealt.refusals
    (first, second) = dealt.throws()
    assert set(first[1].seats[0].wagers) == {"pass", "low-dice", "craps-2", "big-ten-10"}
    assert last(dealt) == ["big-ten-10 win 60 [lv.pays.place]"]
    (paid,) = [task for task in make_work_list(*second[1:]) if task.do == "pay"]
    assert (paid.post, paid.wager, paid.amount) == ("base", "big-ten-10", 60_00)


def test_the_placard_says_what_may_be_put() -> None:
    house = make_house(rulebook("high-desert"))
    for told in (said("placard", "high-desert"), render_placard_html(house)):
        card = " ".join(told.split())
        assert "may be put on the point" in card
        assert "may be put on 4, 5, 6, 8, 9 or 10" in card
    assert "may be put" not in said("placard", "new-jersey")


def test_two_versions_of_a_book_live_side_by_side() -> None:
    data = tomllib.loads((OWN / "high-desert.toml").read_text())
    old = make_book(data)
    data["wager"]["field"]["pays"][2]["is"] = "2 to 1"
    new = make_book(data)
    assert old.id == new.id
    assert old.digest != new.digest
    assert old.digest == rulebook("high-desert").digest
    assert len(new.digest) == 64
    edges = [odds(make_house(book), "field").edge for book in (old, new, old)]
    assert edges == [Fraction(1, 36), Fraction(1, 18), Fraction(1, 36)]


def test_a_digest_is_of_what_a_book_says_not_of_how_its_file_is_arranged() -> None:
    data = tomllib.loads((OWN / "high-desert.toml").read_text())
    turned = {key: data[key] for key in reversed(data)}
    assert make_book(turned).digest == make_book(data).digest
    # The order of the wagers is that of the layout.
    wagers = {name: data["wager"][name] for name in reversed(data["wager"])}
    assert make_book(data | {"wager": wagers}).digest != make_book(data).digest
