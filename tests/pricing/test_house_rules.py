"""The rules that two houses have otherwise: no election hides, and equal houses show nothing."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs, to_builtins

from passline.cli.main import cli
from passline.game.house.house import House, make_house
from passline.game.house.load import house_for
from passline.game.house.payouts import find_payouts
from passline.game.house.rule_elections import RULE_KINDS, list_bar_choices
from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook
from passline.game.layout.compile import compile_layout
from passline.lab.pricing.house_comparison import compare_houses
from passline.lab.pricing.player_rules import RuleDifference, compare_rules, list_rules
from tests.properties.houses import is_citation


def find(first: House, second: House) -> dict[tuple[str, str], RuleDifference]:
    return {(each.wager, each.rule): each for each in compare_rules(first, second)}


@cache
def list_elections(book: str) -> tuple[tuple[str, Any], ...]:
    """Every election of a book with values to try, some of which are what the book says anyway."""
    law, found = (
        rulebook(book),
        [
            *(("limits.min", 10), ("limits.max", 300), ("limits.center_min", 5)),
            *(("limits.smallest_chip", "0.50"), ("limits.smallest_chip", 5)),
            *(("limits.breakage", how) for how in ("refuse", "down", "up")),
            *(("odds.multiple", times) for times in (1, 3, "3-4-5", Fraction(5, 2))),
            *(("dice.set_of", 6), ("dice.no_roll_by", "boxperson"), ("chips.pink", 2)),
            *(("chips.black", False), ("offers.hops", False), ("offers.field", False)),
            ("offers.hardways", False),
        ],
    )
    for which in law.vig:
        found += [
            (f"{which}.rate", Fraction(1, 25)),
            (f"{which}.base", "stake"),
            (f"{which}.base", "win"),
        ]
        found += [(f"{which}.when", when) for when in ("made", "won")]
        found += [(f"{which}.rounding", how) for how in ("down", "half-up", "up", "exact")]
        found.append((f"{which}.when.6", "won"))
    for head, kinds in RULE_KINDS.items():
        values = ("on", "off") if head == "working." else (True, False)
        found += [(f"{head}{kind}", value) for kind in kinds for value in values]
    found += [("dont.bar", total) for total in list_bar_choices(law)]
    found += [(f"odds.multiple.{point}", 7) for point in (4, 6)]
    found += [(f"pays.{name}", "97 to 1") for name in list(find_payouts(law))[::12]]
    for slug in list(compile_layout(make_house(law)).spots)[::15]:
        found += [(f"limits.max_by_wager.{slug}", 150), (f"limits.min_by_wager.{slug}", 30)]
    for key, rule in law.elect.items():
        found += [(key, value) for value in rule.choices.value]
    return tuple(found)


def elect(book: str, *elections: tuple[str, Any]) -> House:
    """Return the house with these elections. When a side bet may be made needs its offer."""
    law, given = rulebook(book), dict(elections)
    for key in list(given):
        head, _, rest = key.partition(".")
        if head == "made":
            given.setdefault(f"offers.{rest}", "A")
    return make_house(law, given=given)


#: What is no rule: clauses, reasons, the order on the layout, names.
_NOT_FELT = {"cite", "cites", "custom", "also", "rank", "restored_by", "behind"}


def strip(value: Any) -> Any:
    """Return a value of the engine without its clauses."""
    if isinstance(value, dict):
        return {
            str(key): strip(of)
            for key, of in value.items()
            if key not in _NOT_FELT and not str(key).endswith("_cite")
        }
    return [strip(of) for of in value] if isinstance(value, list | tuple) else value


def resolve(house: House) -> dict[str, Any]:
    """Return everything that the engine reads of a house: no word of ours, and no list of rules."""
    spots = compile_layout(house).spots
    vigs = {spot.vig for spot in spots.values() if spot.vig}
    terms = {
        "game": house.game,
        "chip": house.chip,
        "rack": house.rack,
        "breakage": (house.breakage, house.true_odds_breakage),
        "callers": sorted(house.no_roll_by),
        "taken": house.taken_multiples,
        "vig": {which: structs.replace(house.vig[which], won_on=frozenset()) for which in vigs},
        "dice": house.elections.get("dice.set_of", house.book.dice.set_of.value),
        "spots": spots,
    }
    if any(spot.is_odds and spot.rule.is_laid(house.book) for spot in spots.values()):
        terms["laid"] = (house.laid_multiples, house.laid_by)
    for key in house.book.elect:
        if key.startswith(("layout.", "crew.")) or key in {"offers.shootout", "offers.match_play"}:
            terms[key] = house.elected(key)
    found: dict[str, Any] = strip(to_builtins(terms, enc_hook=str))
    return found


@cache
def resolve_plain(book: str) -> dict[str, Any]:
    return resolve(elect(book))


@pytest.mark.long
@pytest.mark.parametrize("book", BOOKS)
def test_every_election_that_changes_a_rule_is_shown(book: str) -> None:
    plain = elect(book)
    assert compare_rules(plain, elect(book)) == ()
    shown = 0
    for election in list_elections(book):
        house = elect(book, election)
        plain = elect(book)
        if election[0].startswith("made."):
            plain = elect(book, (f"offers.{election[0].removeprefix('made.')}", "A"))
        same = resolve(house) == resolve(plain)
        assert (compare_rules(plain, house) == ()) == same, election
        shown += not same
    assert shown > 20


@pytest.mark.parametrize("book", BOOKS)
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_houses_with_any_elections(book: str, data: st.DataObject) -> None:
    elections = st.lists(st.sampled_from(list_elections(book)), max_size=4)
    first, second = elect(book, *data.draw(elections)), elect(book, *data.draw(elections))
    found = compare_rules(first, second)
    assert (found == ()) == (resolve(first) == resolve(second))
    turned = {(each.wager, each.rule, each.of): each for each in compare_rules(second, first)}
    assert len(turned) == len(found)
    for each in found:
        other = turned[each.wager, each.rule, each.of]
        assert (each.first, each.second) == (other.second, other.first)
        assert each.first.words != each.second.words


@pytest.mark.parametrize("book", BOOKS)
def test_every_rule_has_a_clause_or_a_reason(book: str) -> None:
    for rule in list_rules(elect(book)):
        for cite in rule.cites:
            assert is_citation(book, cite), rule
        assert rule.cites or rule.rule in {"chips", "shootout", "vigorish", "vigorish-renewed"}, (
            rule
        )
        assert rule.words


def deal_hard_four(book: str) -> list[str]:
    """The wagers that a hard four on the come-out settles."""
    game = f"rulebook: {book}\nplayer: ann 500\nann: pass for 10; hard-4 for 10\nroll 2 2\n"
    dealt = json.loads(CliRunner().invoke(cli, ["deal", "-", "--json"], input=game).stdout)
    return [each["wager"] for each in dealt["rolls"][0]["settlements"]]


def test_hard_four_in_new_jersey_and_iowa() -> None:
    hard = find(house_for("new-jersey"), house_for("iowa"))["hard-4", "come-out"]
    assert (hard.first.words, hard.second.words) == ("off unless called on", "works")
    assert hard.first.cites[0] == "19:47-1.3(e)#3"
    assert hard.second.cites == ("wagers.10.hardways#4",)
    assert "hard-4" not in deal_hard_four("new-jersey")
    assert "hard-4" in deal_hard_four("iowa")
    (row,) = compare_houses("new-jersey", "iowa", wager="hard-4").wagers
    assert row.differs
    assert not row.price_differs


@pytest.mark.parametrize(
    ("first", "second", "key", "words"),
    [
        ("new-jersey", "iowa", ("pass", "raised"), ("until it has its number", "at any time")),
        ("new-jersey", "iowa", ("dont-pass", "raised"), ("until it has its number", "never")),
        ("dealer-school", "las-vegas", ("pass", "made"), ("before a come-out roll", "at any time")),
        ("new-jersey", "iowa", ("place-win-6", "stakes"), ("multiples of $6", "multiples of $1")),
        ("new-jersey", "iowa", ("place-win-6", "most"), ("$4,998", "$600")),
        ("new-jersey", "iowa", ("lay-4", "called-off"), ("no", "yes, and comes down")),
        ("new-jersey", "iowa", ("come-odds-4", "come-out"), ("off unless called on", "always off")),
        (
            "new-jersey",
            "section-2",
            ("lay-4", "vigorish"),
            (
                "5% of the stake when made, rounded down to $1",
                "5% of the win when made, rounded down to $1",
            ),
        ),
        (
            "new-jersey",
            "iowa",
            ("dont-come-odds-5", "odds-limit"),
            ("1.5 times the flat bet", "15 times the flat bet"),
        ),
    ],
)
def test_what_rulebooks_rule_otherwise(
    first: str, second: str, key: tuple[str, str], words: tuple[str, str]
) -> None:
    found = find(house_for(first), house_for(second))[key]
    assert (found.first.words, found.second.words) == words


def test_the_command_shows_the_rules_with_both_clauses() -> None:
    args = ["diff", "new-jersey", "iowa", "--wager", "hard-4"]
    shown = CliRunner().invoke(cli, args).stdout
    assert "no wager differs" not in shown
    assert "no pay or edge differs" in shown
    assert "new-jersey  off unless called on  [19:47-1.3(e)#3, 19:47-1.3(e)#6]" in shown
    told = json.loads(CliRunner().invoke(cli, [*args, "--json"]).stdout)
    (row,) = told["wagers"]
    assert row["differs"] is True
    (rule,) = [each for each in told["rules"] if each["rule"] == "come-out"]
    assert rule == {
        "wager": "hard-4",
        "rule": "come-out",
        "of": None,
        "about": "on a come-out roll",
        "first": "off unless called on",
        "second": "works",
        "cites": {
            "first": ["19:47-1.3(e)#3", "19:47-1.3(e)#6"],
            "second": ["wagers.10.hardways#4"],
        },
    }


def test_equal_houses_and_a_rule_of_the_house() -> None:
    same = CliRunner().invoke(cli, ["diff", "iowa", "iowa"]).stdout
    assert same.splitlines()[1:] == ["no wager differs"]
    found = find(house_for("iowa"), house_for("iowa", None, [("crew.base_dealers", "1")]))
    (rule,) = found.values()
    assert (rule.wager, rule.label, rule.first.words, rule.second.words) == (
        *("", "base dealers"),
        *("2", "1"),
    )
    everything = CliRunner().invoke(cli, ["diff", "new-jersey", "iowa"]).stdout
    assert "\nHardways\n  on a come-out roll\n" in everything
    assert "\nThe house\n" in everything
