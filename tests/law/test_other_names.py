"""Shapes decide, not names: the same talk, prompt and crew under books whose wagers are renamed."""

from __future__ import annotations

import json
from functools import cache

import pytest

from passline.crew.cut_payoff import find_spot, list_winning_prices
from passline.crew.payoff_keys import find_key
from passline.crew.press import compute_press
from passline.game.house.house import make_house
from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook
from passline.game.law.side_bets import list_side_bet_slugs
from passline.game.law.wager_names import standard_names
from passline.game.layout.compile import compile_layout
from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.events import AnyEvent
from passline.game.table.evolve import evolve_all
from passline.game.table.open_close import open_table
from passline.game.table.state import Table
from passline.lab.pricing.wager_odds import odds
from passline.lab.strategies.table_adapter import make_view
from passline.play.answers import list_wagers
from passline.play.prompt import list_phrases
from passline.record.deal import Dealt, deal_text
from passline.record.report import crew_json
from passline.talk.canonical import format_command
from passline.talk.echo import echo
from passline.talk.errors import RecordError, UnplayableError
from passline.talk.understand import understand
from tests.law.renamed import house_renamed, in_floor_words, renamed
from tests.talk.test_talk_forms import ROWS, TABLES, table_of


@pytest.mark.parametrize("book", BOOKS)
def test_the_floor_knows_a_wager_by_its_shape(book: str) -> None:
    assert all(own == floor for own, floor in standard_names(rulebook(book)).items())
    assert list(standard_names(renamed(book)).values()) == list(rulebook(book).wager)
    # Side bets of the catalog have the same names in every book.
    assert renamed(book).wager.keys() & rulebook(book).wager.keys() <= set(list_side_bet_slugs())


@cache
def renamed_table(name: str) -> Table:
    """A table of the talk's tests, dealt by the same words under the renamed book."""
    dealt = deal_text(TABLES[name], house_renamed)
    assert not dealt.refusals
    return dealt.table


def taken(table: Table, talk: str) -> tuple[str, ...]:
    """What talk comes to: its says, or the refusal's code and its choices, or nothing."""
    book = table.house.book.id
    try:
        said = understand(table, "ann", talk)
    except UnplayableError as doubt:
        refusal = doubt.refusal
        return (refusal.code, *(in_floor_words(book, str(one)) for one in refusal.allowed))
    except RecordError:
        return ()
    for command in said:
        assert understand(table, "ann", echo(command)) == [command]
    return tuple(in_floor_words(book, format_command(command)) for command in said)


@pytest.mark.parametrize("name", TABLES)
def test_talk_goes_by_shapes(name: str) -> None:
    for table, talk, _ in ROWS:
        if table == name:
            assert (talk, taken(renamed_table(name), talk)) == (talk, taken(table_of(name), talk))


def worked(dealt: Dealt) -> str:
    """What is settled, called and done by the crew, throw by throw, without the book's words."""
    told = crew_json(dealt)
    for tasks in (*told["rolls"], *told["errands"]):
        for task in tasks.get("crew", ()) or tasks.get("tasks", ()):
            del task["words"]
    for refused in told["refusals"]:  # the reason names the bets in words of the book
        del refused["reason"]
    return in_floor_words(dealt.table.house.book.id, json.dumps(told, indent=1))


PLAY = """\
ann: place the six for 12; buy the four for 25; hard eight for 5; 5 yo; field for 5
roll 6 5
ann: press the six; 44 inside; horn for 4; all the hardways for 4 total
roll 5 1
ann: hardways off; lay the ten for 40; buys off
roll 4 4
ann: come for 10; place-win-6 to 30
roll 5 4
ann: come odds for 20; take down my buys; hop the ten for 2; any seven for 5
roll 4 3
ann: pass for 10; c-and-e for 2
roll 1 1
"""


@pytest.mark.parametrize("name", ["point", "iowa", "new-jersey", "section-2"])
def test_a_record_is_dealt_and_worked_alike(name: str) -> None:
    text = TABLES[name] + PLAY
    assert worked(deal_text(text, house_renamed)) == worked(deal_text(text))


@pytest.mark.parametrize("name", ["opening", "action", "iowa", "crapless"])
def test_the_prompt_offers_the_same_and_what_it_offers_is_understood(name: str) -> None:
    plain, other = (offered(table) for table in (table_of(name), renamed_table(name)))
    assert other == plain
    assert any(said == ("place-win-10 for 60",) for said in plain)
    assert len(list(list_wagers(table_of(name), 80))) == len(
        list(list_wagers(renamed_table(name), 80))
    )


def offered(table: Table) -> list[tuple[str, ...]]:
    """What comes of all that the prompt completes, each with an amount where one is wanted."""
    said = [phrase + "60" * phrase.endswith(" for ") for phrase in list_phrases(table, "ann")]
    return [taken(table, each) for each in said]


def test_strategies_and_prices_go_by_shapes() -> None:
    """A strategy sees what it says: it does not make the same wager throw after throw."""
    plain, other = make_house(rulebook("iowa")), make_house(renamed("iowa"))
    table = open_table(other, ("ann",))
    table = evolve_all(table, decided(table, cmd.BuyIn("ann", 10000)))
    table = evolve_all(table, decided(table, understand(table, "ann", "pass for 10")[0]))
    assert make_view(table, "ann", None, None).wagers == {"pass": 10}
    for wager in ("pass", "place-win-6", "field", "come"):
        assert odds(other, wager).edge == odds(plain, wager).edge


def decided(table: Table, command: cmd.AnyCommand) -> tuple[AnyEvent, ...]:
    answer = decide(table, command)
    assert not isinstance(answer, Refusal)
    return answer


def test_presses_keys_and_payoffs_go_by_shapes() -> None:
    plain, other = (
        compile_layout(make_house(rulebook("iowa"))),
        compile_layout(make_house(renamed("iowa"))),
    )
    assert compute_press(other, {6: (1200, 2400)}) == compute_press(plain, {6: (1200, 2400)})
    for wager in ("place-6", "buy-4", "lay-10", "hard-8", "horn", "field", "pass-odds"):
        own, its = find_spot(plain, wager), find_spot(other, wager)
        assert own is not None
        assert its is not None
        assert list_winning_prices(other, its) == list_winning_prices(plain, own)
    for bet in ("horn", "any-craps", "hops-6", "horn-high-2"):
        assert find_key(other, bet) == find_key(plain, bet) is not None
