"""The stick's calls: word for word from a table, and never against what was settled."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path

import pytest
from msgspec.structs import replace

from passline.crew.facts import find_roll_facts
from passline.crew.stick import (
    CallStyleError,
    find_nicknames,
    find_style,
    list_call_pieces,
    load_style,
    make_stick_call,
    parse_style,
)
from passline.game.law.book_files import BOOKS, find_book_files
from passline.game.law.book_parts import read_own_part
from passline.game.law.clauses import clauses_by_id, list_clauses
from passline.game.layout.stakes import Refusal, Stake
from passline.game.table.decide import decide
from passline.game.table.events import Rolled
from passline.game.table.evolve import evolve
from passline.game.table.state import Table
from passline.game.words.events import call_roll
from tests.case_tables import check_every_row
from tests.properties.houses import HOUSES, is_citation, shown
from tests.properties.moves import command_for, random_move
from tests.properties.test_commands import bought_in

from .test_facts import SCHOOL, dice_for, figures, pucks_for
from .throws import (
    BOXES,
    CLAIMS,
    STYLES,
    THROWS,
    TWICE,
    claims,
    felt,
    happened,
    laid,
    name_of,
    thrown,
)

HERE = Path(__file__).parent
ROWS = [line.split("\t") for line in (HERE / "calls.tsv").read_text("utf-8").splitlines()[1:]]
LAYOUTS = (
    *("", "pass", "dont-pass", "come", "dont-come", "field", "hard-4", "hard-8", "any-craps"),
    *("pass pass-odds", "dont-pass dont-pass-odds", "come-6 come-odds-6", "place-win-6 buy-4"),
    *(f"come-{n}" for n in (4, 6, 9)),
    *(f"dont-come-{n} dont-come-odds-{n}" for n in (4, 6, 9)),
    *("lay-6", "come come-6", "come dont-come field", "dont-come dont-come-6 come-4"),
    "pass dont-pass come dont-come come-4 dont-come-9 field hard-6 place-win-8 eleven horn",
)


def test_every_call_word_for_word() -> None:
    check_every_row(ROWS, _check_call, 285)


def _check_call(
    book: str, game: str, style: str, puck: str, dice: str, up: str, full: str, words: str
) -> None:
    first, _, second = dice.partition("-")
    table = laid(felt(book, game), int(puck), up, working="hard" in up)
    rolled = thrown(table, int(first), int(second))
    assert make_stick_call(table, rolled, style or None, full == "full") == words


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("up", LAYOUTS)
def test_a_fitted_call_says_what_was_settled_and_nothing_else(style: str, up: str) -> None:
    for puck in (0, 4, 6, 9):
        table = laid(felt(SCHOOL), puck, up)
        for dice in THROWS:
            rolled = thrown(table, *dice)
            words = make_stick_call(table, rolled, style)
            assert claims(words, sum(dice)) == set(happened(rolled)) & set(CLAIMS), words
            check_field(words, rolled)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("up", LAYOUTS)
def test_a_full_call_holds_the_fitted_one_and_contradicts_nothing(style: str, up: str) -> None:
    for puck in (0, 4, 6, 9):
        table = laid(felt(SCHOOL), puck, up)
        for dice in THROWS:
            rolled = thrown(table, *dice)
            fitted, full = (
                claims(make_stick_call(table, rolled, style, f), sum(dice)) for f in (False, True)
            )
            assert fitted <= full
            settled = dict(key.split(".") for key in happened(rolled))
            for key in full:
                place, _, result = key.partition(".")
                assert settled.get(place, result) == result


def check_field(words: str, rolled: Rolled) -> None:
    """Check that a call says double exactly if the field was paid double."""
    odds = {s.odds for s in rolled.settlements if s.wager == "field" and s.result == "win"}
    assert bool(TWICE & set(words.split(", "))) == (odds == {"2 to 1"}), words


CALLS = [
    pytest.param(clause.id, clause.figures, marks=pytest.mark.clause(f"{SCHOOL}:{clause.id}"))
    for clause in list_clauses(SCHOOL)
    if clause.id.startswith("calls.") and "roll=" in clause.figures
    if "nickname=" not in clause.figures
]
#: What a whole list leaves out is said only where a wager is up: see docs/deal/stick.md.
UNSAID = {"calls.a.made": ("field", "down"), "calls.a.come-out": ("down",)}
SAID = {
    ("take", "pass"): "line.lose",
    ("take", "dont-pass"): "donts.lose",
    ("take", "come"): "come.lose",
    ("take", "dont-come"): "dont-come.lose",
    ("pay", "pass"): "line.win",
    ("pay", "dont-pass"): "donts.win",
    ("pay", "come"): "come.win",
    ("pay", "come in come area"): "come.win",
    ("pay", "dont-come"): "dont-come.win",
    ("pay", "dont-come behind"): "behind.win",
    ("push", "dont-pass"): "donts.push",
    ("push", "dont-come"): "dont-come.push",
}


@pytest.mark.parametrize(("clause", "text"), CALLS, ids=lambda v: v if "=" not in v else "")
def test_a_full_call_says_what_the_register_has(clause: str, text: str) -> None:
    given, style = figures(text), f"school-{clause.split('.')[1]}"
    list_name = ".".join(clause.split(".")[:3])
    for puck in pucks_for(given):
        table = laid(felt(SCHOOL), puck, "")
        for dice in dice_for(given):
            words = make_stick_call(table, thrown(table, *dice), style, full=True)
            said = claims(words, sum(dice))
            for word in ("take", "pay", "push"):
                for name in given.get(word, "").split(",") if word in given else ():
                    assert SAID[word, name] in said, words
            if "field" in given and "field" not in UNSAID.get(list_name, ()):
                lost = given["field"] == "lose"
                assert ("field.lose" if lost else "field.win") in said, words
            if "mark" in given:
                assert f"the point is {name_of(sum(dice))}, mark it" in words
            if "down" in given and "down" not in UNSAID.get(list_name, ()):
                assert "behind.lose" in said, words
            if "travel" in given:
                assert {"come.travel", "dont-come.travel"} <= said, words
            if "say" in given:
                assert f"the point was {name_of(puck)}" in words
            check_idiom(words, given, dice)


def check_idiom(words: str, given: dict[str, str], dice: tuple[int, int]) -> None:
    """Check that a call uses the words that the register lists for it."""
    for idiom in given.get("idiom", "").split(", "):
        if idiom == "came hard" or not idiom:
            assert not idiom or "came hard" in words
            continue
        assert idiom in words, words
    if sum(dice) in (4, 6, 8, 10):
        assert f"{'hard' if dice[0] == dice[1] else 'easy'} {name_of(sum(dice))}" in words


@pytest.mark.clause("dealer-school:calls.a.style", "dealer-school:calling.12")
def test_full_and_fitted_calls() -> None:
    table = laid(felt(SCHOOL), 6, "pass")
    rolled = thrown(table, 4, 3)
    assert make_stick_call(table, rolled) == "seven out, line away, the point was six"
    full = make_stick_call(table, rolled, full=True)
    assert claims(full, 7) == {*("line.lose", "field.lose", "donts.win", "come.win", "behind.win")}


@pytest.mark.clause("dealer-school:calling.13")
@pytest.mark.parametrize("style", ["school-a", "school-b"])
def test_every_winning_decision_is_called_a_winner(style: str) -> None:
    for puck in (0, *BOXES):
        table = laid(felt(SCHOOL), puck, "dont-pass")
        for dice in THROWS:
            rolled = thrown(table, *dice)
            won = bool({s.result for s in rolled.settlements} & {"lose"})
            assert ("winner" in make_stick_call(table, rolled, style)) == won
            assert ("take the don'ts" in make_stick_call(table, rolled, style)) == won
    table = laid(felt(SCHOOL), 8, "pass")
    hard = make_stick_call(table, thrown(table, 4, 4), style)
    assert "hard" in hard
    assert "winner" in hard


@pytest.mark.clause("iowa:stick.6#1")
@pytest.mark.parametrize("book", ["iowa", "section-2", "new-jersey", "maryland-crapless"])
def test_every_roll_is_called_and_its_total_comes_first(book: str) -> None:
    for puck in (0, 4, 9):
        table = laid(felt(book), puck, "pass")
        for dice in THROWS:
            first = make_stick_call(table, thrown(table, *dice)).split(", ")[0]
            assert first in {
                *(name_of(sum(dice)), "yo eleven", "seven out", "seven winner"),
            }
            assert name_of(sum(dice)) in first


@pytest.mark.clause("iowa:def.craps", "iowa:def.seven-winner", "iowa:def.seven-out")
def test_craps_seven_winner_and_seven_out_in_iowa() -> None:
    for puck in (0, 8):
        table = laid(felt("iowa"), puck, "")
        for dice in THROWS:
            words = make_stick_call(table, thrown(table, *dice))
            assert ("craps" in words) == (sum(dice) in (2, 3, 12))
            assert words.startswith("seven winner") == (sum(dice) == 7 and not puck)
            assert words.startswith("seven out") == (sum(dice) == 7 and puck == 8)


def test_crapless_has_no_craps_no_donts_and_ten_points() -> None:
    for puck in (0, 2, 3, 11, 12, 6):
        table = laid(felt("maryland-crapless"), puck, "pass come field")
        for style in STYLES:
            for dice in THROWS:
                rolled = thrown(table, *dice)
                for full in (False, True):
                    words = make_stick_call(table, rolled, style, full)
                    assert "craps" not in words
                    assert "don't" not in words
                    assert "behind" not in words
                    assert set(happened(rolled)) & set(CLAIMS) <= claims(words, sum(dice))
                    assert ("mark" in words) == (not puck and sum(dice) != 7)


def test_a_machine_has_no_stick() -> None:
    table = laid(felt("new-jersey", "automated-craps"), 6, "pass field")
    for dice in THROWS:
        rolled = thrown(table, *dice)
        assert (
            make_stick_call(table, rolled)
            == make_stick_call(table, rolled, full=True)
            == call_roll(rolled)
        )


def test_mini_craps_is_called_as_craps() -> None:
    for book in ("section-2", "new-jersey"):
        mini, large = (laid(felt(book, game), 4, "pass come") for game in ("mini-craps", "craps"))
        for dice in THROWS:
            assert make_stick_call(mini, thrown(mini, *dice)) == make_stick_call(
                large, thrown(large, *dice)
            )


def test_a_house_that_pays_the_field_otherwise() -> None:
    triple = laid(felt("new-jersey", "", (("pays.field-12", "3 to 1"),)), 0, "field")
    for style, words in zip(
        STYLES, ("triple the bubble", "triple the field", "triple in the field"), strict=True
    ):
        assert words in make_stick_call(triple, thrown(triple, 6, 6), style)
    more = laid(felt("new-jersey", "", (("pays.field-12", "5 to 2"),)), 0, "field")
    for style in STYLES:
        assert "the field pays 5 to 2" in make_stick_call(more, thrown(more, 6, 6), style)


@pytest.mark.parametrize("number", range(len(HOUSES)), ids=[shown(house) for house in HOUSES])
def test_a_random_game_is_never_called_against_what_was_settled(number: int) -> None:
    rng = random.Random(f"stick {number}")
    table, heard = bought_in(number), 0
    for _ in range(500):
        answer = decide(table, command_for(table, random_move(rng)))
        if isinstance(answer, Refusal):
            continue
        for event in answer:
            if isinstance(event, Rolled) and event.shooter:
                heard += 1
                check_call(table, event, HOUSES[number][0])
            table = evolve(table, event)
    assert heard > 30 or HOUSES[number][1] == "automated-craps"


def check_call(table: Table, rolled: Rolled, book: str) -> None:
    """Check that each style says everything that was settled and nothing else, with real
    citations.
    """
    total = rolled.first + rolled.second
    settled = set(happened(rolled)) & set(CLAIMS)
    for style in STYLES:
        assert claims(make_stick_call(table, rolled, style), total) == settled, (
            make_stick_call(table, rolled),
            rolled,
        )
        full = claims(make_stick_call(table, rolled, style, full=True), total)
        assert settled <= full
    for said in list_call_pieces(table, rolled):
        assert is_citation(book, said.cite), said
    assert set(find_roll_facts(table, rolled).marks) >= (
        {"winner"} if "line.win" in settled else {"out"} if rolled.was and total == 7 else set()
    )


def test_wagers_that_no_list_calls_are_named_where_they_win() -> None:
    table = laid(felt(SCHOOL), 8, "hard-6 any-craps eleven horn", working=True)
    assert make_stick_call(table, thrown(table, 3, 3)).endswith("pay the hard six")
    assert make_stick_call(table, thrown(table, 4, 2)).endswith("hard six down")
    assert make_stick_call(table, thrown(table, 5, 6)).endswith("pay the eleven and horn")
    assert "hardways down" in make_stick_call(table, thrown(table, 4, 3))
    bob = replace(table.seats[1], wagers={"horn-high-12": Stake(500, 500)})
    table = replace(table, playing=(table.seats[0], bob))
    assert make_stick_call(table, thrown(table, 6, 6)).endswith(
        "pay the any craps and horn and horn high boxcars"
    )


NICKNAMED = [
    ("term.aces", (1, 1), "aces"),
    ("term.snake-eyes", (1, 1), "snake eyes"),
    ("calls.a.point.2#2", (1, 1), "snake eyes"),
    ("term.ace-deuce", (1, 2), "ace-deuce"),
    ("term.winner-on-dark-side", (1, 2), "winner on the dark side"),
    ("term.little-joe", (1, 3), "Little Joe"),
    ("calls.a.point.4-hard#2", (2, 2), "Little Joe from Kokomo"),
    ("term.fever", (1, 4), "fever"),
    ("term.little-phoebe", (2, 3), "Little Phoebe"),
    ("term.big-red", (3, 4), "big red"),
    ("calls.a.point.8-easy#2", (3, 5), "eighter from Decatur"),
    ("term.square-pair", (4, 4), "a square pair"),
    ("calls.a.point.4-easy#2", (4, 4), "Ozzie and Harriet"),
    ("term.center-field", (4, 5), "center field"),
    ("calls.a.point.9#2", (3, 6), "Nina from Pasadena"),
    ("term.puppy-paws", (4, 6), "puppy paws"),
    ("calls.a.point.10-hard#2", (5, 5), "General Patton"),
    ("term.midnight", (6, 6), "midnight"),
    ("term.boxcars", (6, 6), "boxcars"),
    ("calls.a.point.12#2", (6, 6), "boxcars"),
]


@pytest.mark.parametrize(
    ("clause", "dice", "words"),
    [
        pytest.param(*row, marks=pytest.mark.clause(f"{SCHOOL}:{row[0]}"), id=row[0])
        for row in NICKNAMED
    ],
)
@pytest.mark.clause("dealer-school:calling.2")
def test_nicknames_go_by_choice(clause: str, dice: tuple[int, int], words: str) -> None:
    table = laid(felt(SCHOOL), 4 if sum(dice) != 4 else 5, "")
    rolled = thrown(table, *dice)
    heard = [make_stick_call(table, rolled, nickname=n) for n in range(1, 8)]
    assert {said.split(", ").count(words) for said in heard} <= {0, 1}
    assert any(f", {words}" in said for said in heard)
    assert words not in make_stick_call(table, rolled)
    assert heard == [make_stick_call(table, rolled, nickname=n) for n in range(1, 8)]
    known = find_nicknames(load_style("school-a"), find_roll_facts(table, rolled))
    assert heard[0] == heard[len(known)]
    assert clause in {c for name in known for c in name.clauses}


@pytest.mark.clause("dealer-school:term.natural")
def test_a_natural_is_a_come_out_winner() -> None:
    assert [w for w in colours(0, (5, 6)) if "natural" in w]
    assert not [w for w in colours(6, (5, 6)) if "natural" in w]
    assert not [w for w in colours(0, (5, 6), "maryland-crapless") if "natural" in w]


def colours(puck: int, dice: tuple[int, int], book: str = SCHOOL) -> list[str]:
    table = laid(felt(book), puck, "")
    rolled = thrown(table, *dice)
    return [make_stick_call(table, rolled, "school-a", nickname=n) for n in range(1, 6)]


def test_an_easy_four_is_no_square_pair_and_crapless_has_no_dark_side() -> None:
    assert not [w for w in colours(6, (1, 3)) if "square" in w or "Ozzie" in w or "Kokomo" in w]
    assert not [w for w in colours(0, (1, 2), "maryland-crapless") if "dark" in w]


def test_which_book_is_called_how() -> None:
    named = {book: read_own_part(book, "crew/calls").get("style") for book in BOOKS}
    assert {book: style["is"] for book, style in named.items() if style} == {
        "dealer-school": "school-a",
        "iowa": "iowa",
    }
    assert {find_style(book).id for book, style in named.items() if not style} == {"iowa"}
    table = laid(felt("section-2"), 0, "pass")
    (number, line, *_) = list_call_pieces(table, thrown(table, 1, 1))
    assert number.cite == "custom: called as in iowa, def.craps"
    assert line.words == "pass line away"
    with pytest.raises(
        CallStyleError, match="there is no call style 'loud', only school-a, school-b, iowa"
    ):
        make_stick_call(table, thrown(table, 1, 1), style="loud")


@pytest.mark.parametrize("style", STYLES)
def test_every_phrase_names_clauses_of_its_book(style: str) -> None:
    used = load_style(style)
    known = clauses_by_id(used.book)
    sources = [*used.order.values(), used.numbers]
    sources += [phrase for phrases in used.say.values() for phrase in phrases]
    assert [c for source in sources for c in source.clauses if c and c not in known] == []
    lists = {c for order in used.order.values() for c in order.clauses}
    version = {"school-a": "calls.a.", "school-b": "calls.b."}.get(style, "nothing")
    listed = {
        clause.id
        for clause in list_clauses(used.book)
        if clause.id.startswith(version) and "roll=" in clause.figures
        if "nickname=" not in clause.figures
    }
    assert listed <= lists


def read_style_text(book: str, style: str) -> str:
    return find_book_files(book).book.with_name("crew").joinpath(f"styles/{style}.toml").read_text()


@pytest.mark.parametrize(
    ("was", "now", "message"),
    [
        ('"number", "winner"', '"number", "shouting"', "shouting is not a fact of a roll"),
        ('2 = "two", ', "", "has no name for 2"),
        ("[order.made]", "[order.made-up]", "made-up"),
        ('cite = "calls.a.point.7"\n', "", "needs a clause id"),
    ],
)
def test_phrases_that_cannot_be_used_are_refused(was: str, now: str, message: str) -> None:
    text = read_style_text("dealer-school", "school-a")
    assert was in text
    with pytest.raises(CallStyleError, match=message):
        parse_style("dealer-school", tomllib.loads(text.replace(was, now)))


def test_a_style_without_an_occasion_is_refused() -> None:
    text = read_style_text("iowa", "iowa")
    start, end = text.index("[order.made]"), text.index("[order.seven-out]")
    with pytest.raises(CallStyleError, match="style 'iowa' has no order for made"):
        parse_style("iowa", tomllib.loads(text[:start] + text[end:]))
