"""The facts of a roll agree with the engine's settlements and the school's register of calls."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from passline.crew.facts import RollFacts, find_place, find_roll_facts
from passline.game.law.book_files import BOOKS
from passline.game.law.clauses import list_clauses
from passline.game.table.events import Rolled
from passline.record.deal import deal_text

from .throws import BOXES, THROWS, felt, laid, lies, thrown

SCHOOL = "dealer-school"


def seen(puck: int, dice: tuple[int, int], up: str = "", book: str = SCHOOL) -> RollFacts:
    table = laid(felt(book), puck, up)
    return find_roll_facts(table, thrown(table, *dice))


def is_up(facts: RollFacts, key: str) -> bool:
    """Return whether the roll had that effect on a wager that was up."""
    effect = facts.find_effect(key)
    return effect is not None and effect.is_up


@pytest.mark.parametrize(
    ("puck", "dice", "phase", "occasion"),
    [
        (0, (4, 3), "come-out", "come-out"),
        (0, (1, 1), "come-out", "come-out"),
        (0, (2, 2), "established", "established"),
        (6, (2, 2), "intermediate", "intermediate"),
        (6, (6, 5), "intermediate", "intermediate"),
        (6, (5, 1), "decision", "made"),
        (6, (4, 3), "decision", "seven-out"),
    ],
)
def test_the_phase_of_a_throw(puck: int, dice: tuple[int, int], phase: str, occasion: str) -> None:
    found = seen(puck, dice)
    assert (found.phase, found.occasion) == (phase, occasion)
    assert (found.total, found.point) == (sum(dice), puck)


@pytest.mark.parametrize("book", BOOKS)
def test_every_wager_lies_where_its_name_says(book: str) -> None:
    layout = felt(book).layout
    for slug, spot in layout.spots.items():
        place, by_name = find_place(layout, spot), lies(slug)
        assert place == by_name or (by_name == "else" and place in ("numbers", "center", "side"))
    assert find_place(layout, layout.spots["place-win-6"]) == "numbers"
    assert find_place(layout, layout.spots["horn"]) == "center"


def test_the_same_throw_with_and_without_wagers() -> None:
    bare, full = seen(0, (1, 1)), seen(0, (1, 1), "pass dont-pass field")
    for key in ("line.lose", "donts.win", "field.win"):
        assert bare.find_effect(key) is not None
        assert not is_up(bare, key)
        assert is_up(full, key)
    assert full.find_effect("line.win") is None
    effect = full.find_effect("field.win")
    assert effect is not None
    assert (effect.odds, effect.wagers, effect.players) == ("2 to 1", ("field",), ("ann",))


def test_the_field_pays_what_the_house_pays() -> None:
    table = laid(felt("new-jersey", "", (("pays.field-12", "3 to 1"),)), 0, "")
    twelve = find_roll_facts(table, thrown(table, 6, 6)).find_effect("field.win")
    two = find_roll_facts(table, thrown(table, 1, 1)).find_effect("field.win")
    assert twelve is not None
    assert two is not None
    assert (twelve.odds, two.odds) == ("3 to 1", "2 to 1")


def test_marks() -> None:
    assert seen(0, (4, 3)).marks == {"winner"}
    assert seen(0, (1, 2)).marks == {"craps"}
    assert seen(6, (1, 2)).marks == {"craps"}
    assert seen(6, (4, 3)).marks == {"out"}
    assert seen(6, (3, 3)).marks == {"winner", "hard"}
    assert seen(6, (6, 4)).marks == {"easy"}
    assert seen(6, (5, 4)).marks == frozenset()
    assert seen(6, (5, 5), "come come-10").marks == {"hard", "off-and-on"}


def test_nothing_craps_out_in_crapless() -> None:
    for dice in ((1, 1), (1, 2), (5, 6), (6, 6)):
        found = seen(0, dice, "pass", "maryland-crapless")
        assert (found.phase, found.puck) == ("established", sum(dice))
        assert found.marks == frozenset()
        assert not [effect for effect in found.effects if effect.place in ("line", "donts")]


def test_new_comes_have_no_part_in_a_come_out() -> None:
    assert not [e for e in seen(0, (6, 6)).effects if e.place in ("come", "dont-come")]
    assert seen(4, (6, 6)).find_effect("dont-come.push") is not None


def test_a_special_roll_leaves_the_line_out() -> None:
    table = laid(felt("new-jersey"), 0, "come-6")
    for dice in THROWS:
        found = find_roll_facts(table, thrown(table, *dice, special=True))
        assert not [e for e in found.effects if e.place in ("line", "donts")]
        assert found.phase == "come-out"
        assert "winner" not in found.marks
    # A line wager of somebody who let the dice go by is settled all the same, and told.
    table = laid(felt("new-jersey"), 0, "pass")
    assert is_up(find_roll_facts(table, thrown(table, 4, 3, special=True)), "line.win")


def test_odds_that_rest_go_back_with_the_come_out() -> None:
    found = seen(0, (4, 3), "pass come-6 come-odds-6 dont-come-4")
    assert is_up(found, "odds.return")
    assert is_up(found, "working.lose")
    assert is_up(found, "behind.win")
    assert seen(0, (4, 3), "pass").find_effect("odds.return") is not None
    assert not is_up(seen(0, (4, 3), "pass"), "working.lose")
    assert seen(6, (4, 3), "pass come-4").find_effect("working.lose") is None
    assert is_up(seen(0, (5, 4), "pass come-9 come-odds-9"), "odds.return")


def test_what_was_over_the_maximum_is_no_fact_of_the_throw() -> None:
    dealt = deal_text("rulebook: iowa\nplayer: ann 900\nann: pass for 600 unnoticed\nroll 1 1\n")
    ((_, before, rolled),) = dealt.throws()
    assert {s.result for s in rolled.settlements} == {"return", "lose"}
    assert find_roll_facts(before, rolled).find_effect("line.lose") is not None
    assert find_roll_facts(before, rolled).find_effect("line.return") is None
    assert find_roll_facts(before, rolled).find_effect("odds.return") is None


def test_the_shootouts_award_is_no_wager() -> None:
    table = laid(felt("iowa"), 6, "pass")
    rolled = thrown(table, 3, 3)
    award = replace(rolled.settlements[0], wager="shootout", stake=0)
    found = find_roll_facts(table, replace(rolled, settlements=(*rolled.settlements, award)))
    assert [e.key for e in found.effects if e.is_up] == ["line.win"]


def test_a_throw_from_another_table_is_refused() -> None:
    table = laid(felt(SCHOOL), 6, "pass")
    with pytest.raises(ValueError, match="the roll had the puck at 0, the table has it at 6"):
        find_roll_facts(
            table, Rolled(first=1, second=1, shooter="ann", was=0, puck=0, settlements=())
        )
    with pytest.raises(ValueError, match="ann has no pass at this table"):
        find_roll_facts(laid(felt(SCHOOL), 6, ""), thrown(table, 4, 3))


#: Figures of the register: what a word names, and the effect's place.
PLACES = {
    "pass": "line",
    "dont-pass": "donts",
    "come": "come",
    "come in come area": "come",
    "dont-come": "dont-come",
    "dont-come behind": "behind",
}
#: One call, the easy four on a come-out, leaves the field unsaid: its sister, the hard four, pays.
FIELD = {
    "single": ("win", "1 to 1"),
    "unsaid": ("win", "1 to 1"),
    "double": ("win", "2 to 1"),
    "lose": ("lose", ""),
}


def figures(text: str) -> dict[str, str]:
    """Return `take=pass; field=single (unsaid)` as a dictionary, without remarks in brackets."""
    pairs = (part.split("=", 1) for part in text.split("; "))
    return {key: value.split(" (")[0] for key, value in pairs}


CALLS = [
    pytest.param(clause.figures, id=clause.id)
    for clause in list_clauses(SCHOOL)
    if clause.id.startswith("calls.") and "roll=" in clause.figures
    if "nickname=" not in clause.figures
]


def dice_for(given: dict[str, str]) -> list[tuple[int, int]]:
    """Yield every roll that a call of the register is for."""
    ways = given.get("way", "easy,hard").split(",")
    return [
        (a, b)
        for a, b in THROWS
        if a + b == int(given["roll"]) and ("hard" if a == b else "easy") in ways
    ]


def pucks_for(given: dict[str, str]) -> list[int]:
    """Yield every puck position that a call of the register is for."""
    roll, phase = int(given["roll"]), given["phase"]
    if phase == "come-out":
        return [0]
    if phase == "decision" and roll != 7:
        return [roll]
    return [point for point in BOXES if point != roll]


@pytest.mark.parametrize("text", CALLS)
def test_facts_are_those_of_the_register(text: str) -> None:
    given = figures(text)
    for puck in pucks_for(given):
        for dice in dice_for(given):
            check_figures(seen(puck, dice), given)


def check_figures(found: RollFacts, given: dict[str, str]) -> None:
    """Check that everything a clause says is taken, paid, barred, marked or moved is a fact."""
    results: dict[str, str] = {e.place: e.result for e in found.effects}
    for word, result in (("take", "lose"), ("pay", "win"), ("push", "push")):
        for name in given.get(word, "").split(",") if word in given else ():
            assert results[PLACES[name]] == result
    if "field" in given:
        field = next(e for e in found.effects if e.place == "field")
        assert (field.result, field.odds) == FIELD[given["field"]]
    if "mark" in given:
        assert found.puck == int(given["mark"])
        assert found.phase == "established"
    if "down" in given:
        assert results["behind"] == "lose"
    if "travel" in given:
        assert results["come"] == results["dont-come"] == "travel"
    if given.get("odds", "").startswith("off"):
        assert results["odds"] == "return"
        assert found.find_effect("working.lose") is not None
    if "say" in given:
        assert found.point
        assert found.occasion == "seven-out"
