"""Games by command: the ledger, the citations, refusals, replay."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.decide import decide
from passline.game.table.evolve import evolve, evolve_all
from passline.game.table.state import Table, ledger_balance
from passline.game.words.refusals import describe_refusal
from tests.words.test_what_instead import says_what_instead

from .effort import effort
from .houses import HOUSES, NAMES, is_citation, opening, shown
from .moves import Move, command_for, moves, random_move

every_house = pytest.mark.parametrize(
    "number", range(len(HOUSES)), ids=[shown(house) for house in HOUSES]
)


def snapshot(table: Table) -> dict[str, Any]:
    """Everything of a table but its felt, copied so that nothing can change it later."""
    laid_out = {"layout", "correctable"}
    fields = {
        name: getattr(table, name) for name in table.__struct_fields__ if name not in laid_out
    }
    if table.correctable is not None:
        fields["before the throw"] = snapshot(table.correctable.before)
    fields["seats"] = [(msgspec.to_builtins(seat)) for seat in table.seats]
    return fields


def check_ledger(table: Table) -> None:
    """Cash dropped is the chips it bought: rails, layout, the house's win, vigorish, tokes."""
    rails = sum(seat.rail for seat in table.seats)
    stakes = [stake.amount for _, wagers in table.everybody() for stake in wagers.values()]
    laid = sum(stakes)
    assert table.drop == rails + laid + table.win + table.vig + table.tokes
    assert ledger_balance(table) == 0
    assert table.drop == sum(seat.bought_in for seat in table.seats)
    assert all(seat.rail >= 0 for seat in table.seats)
    assert all(stake > 0 for stake in stakes)
    assert table.vig >= 0
    assert table.tokes >= 0


def check_event(book: str, event: ev.AnyEvent) -> None:
    """Whatever an event cites is a clause of the book or a custom with its reason."""
    cite = getattr(event, "cite", None)
    unchanged = isinstance(event, ev.Changed) and event.was == event.now
    assert cite is None or unchanged or is_citation(book, cite), event
    if isinstance(event, ev.Rolled):
        for done in event.settlements:
            assert is_citation(book, done.cite), done
            assert done.result in {"win", "lose", "push", "return", "travel"}
            assert done.stake >= 0
            assert done.paid >= 0
            assert done.vig >= 0
            assert (done.to is not None) == (done.result == "travel")


def check_refusal(book: str, refused: Refusal) -> None:
    """A refusal says why, and by which rule."""
    assert describe_refusal(refused).strip()
    assert says_what_instead(refused), (describe_refusal(refused), refused)
    assert is_citation(book, refused.cite), refused


def bought_in(number: int) -> Table:
    """The opening with chips in every rail."""
    table = opening(number)
    for name, amount in zip(NAMES, (50_000, 2_000_000, 10_000), strict=True):
        for event in _events(decide(table, cmd.BuyIn(name, amount))):
            table = evolve(table, event)
    return table


def _events(answer: tuple[ev.AnyEvent, ...] | Refusal) -> tuple[ev.AnyEvent, ...]:
    assert not isinstance(answer, Refusal), answer
    return answer


def play(number: int, played: Iterable[Move]) -> None:
    """Play a game and check it at every step; then replay its events from the opening."""
    book = HOUSES[number][0]
    table = start = bought_in(number)
    log: list[ev.AnyEvent] = []
    for move in played:
        before = snapshot(table)
        answer = decide(table, command_for(table, move))
        if isinstance(answer, Refusal):
            check_refusal(book, answer)
            assert snapshot(table) == before
            continue
        for event in answer:
            check_event(book, event)
            table = evolve(table, event)
            check_ledger(table)
            log.append(event)
    replayed = evolve_all(start, log)
    assert replayed == table
    assert snapshot(replayed) == snapshot(table)


@every_house
@effort(30)
@given(played=moves)
def test_a_random_game_loses_no_cent_and_replays(number: int, played: list[Move]) -> None:
    play(number, played)


@every_house
@pytest.mark.parametrize("seed", range(3))
def test_a_long_game_loses_no_cent_and_replays(number: int, seed: int) -> None:
    rng = random.Random(f"{number} {seed}")
    play(number, (random_move(rng) for _ in range(700)))


@every_house
@effort(10)
@given(played=moves)
def test_deciding_changes_nothing_and_is_always_the_same(number: int, played: list[Move]) -> None:
    table = bought_in(number)
    for move in played:
        command = command_for(table, move)
        before = snapshot(table)
        answer = decide(table, command)
        assert decide(table, command) == answer
        assert snapshot(table) == before
        if not isinstance(answer, Refusal):
            for event in answer:
                table = evolve(table, event)


@every_house
@effort(15)
@given(played=moves, pips=st.lists(st.integers(1, 6), min_size=2, max_size=2))
def test_a_corrected_table_is_the_table_keyed_right_at_once(
    number: int, played: list[Move], pips: list[int]
) -> None:
    """After every throw and a few commands, other faces: as if they had been keyed."""
    table, before, first, second = bought_in(number), bought_in(number), *pips
    taken: list[cmd.AnyCommand] = []
    for move in played:
        command = command_for(table, move)
        answer = decide(table, command)
        if isinstance(answer, Refusal):
            continue
        throws = isinstance(command, cmd.Roll | cmd.CallNoRoll | cmd.Rule)
        before, taken = (table, []) if throws else (before, [*taken, command])
        table = evolve_all(table, answer)
        corrected = decide(table, cmd.CorrectThrow(first, second, "boxperson", again=tuple(taken)))
        if isinstance(corrected, Refusal):
            continue
        right = evolve_all(before, _events(decide(before, cmd.Roll(first, second))))
        refused = []
        for n, again in enumerate(taken):
            answer = decide(right, again)
            if isinstance(answer, Refusal):
                refused.append((n, answer))
            else:
                right = evolve_all(right, answer)
        after = evolve_all(table, corrected)
        dropped = [(e.number, e.refusal) for e in corrected if isinstance(e, ev.CommandDropped)]
        assert dropped == refused
        assert snapshot(after) == snapshot(right)
        check_ledger(after)
