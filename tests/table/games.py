"""Small games for tests: a record without its header, dealt, and what to ask of it afterwards.

Every game dealt here is also replayed from its events, balanced, and written canonically and
dealt again: a test that plays anything holds those three as well.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from passline.game.house.elections import parse_value
from passline.game.house.house import House, make_house
from passline.game.law.book import Book
from passline.game.law.load import make_book, read_book_text
from passline.game.money.amounts import to_dollars
from passline.game.table.events import Rolled
from passline.game.table.evolve import evolve_all
from passline.game.table.state import NOBODY, Table, ledger_balance
from passline.game.words.events import describe_event
from passline.game.words.refusals import describe_refusal
from passline.record.deal import Dealt, deal_text
from passline.record.read import Record
from passline.record.write import write_record


def varied(book_id: str, but: Mapping[str, Any]) -> Book:
    """A book like a shipped one but for some values: paths with slashes; None leaves one out."""
    data = tomllib.loads(read_book_text(book_id))
    for path, value in but.items():
        *parents, last = path.split("/")
        node: Any = data
        for key in parents:
            node = node.setdefault(key, {}) if isinstance(node, dict) else node[int(key)]
        if value is None:
            node.pop(last)
        else:
            node[last] = value
    return make_book(data)


def deal(
    play: str,
    players: str = "ann 1000",
    *,
    book: str = "new-jersey",
    game: str = "",
    elect: Mapping[str, str] | None = None,
    but: Mapping[str, Any] | None = None,
    refused: Sequence[str] = (),
) -> Dealt:
    """Deal a game; ``refused`` are the citations of all that is refused in it, in order."""
    header = [f"rulebook: {book}"]
    header += [f"game: {game}"] if game else []
    header += [f"house.{key}: {value}" for key, value in (elect or {}).items()]
    header += [f"player: {player}" for player in players.split(", ")]
    text = "\n".join(header) + "\n" + play

    def opened(record: Record) -> House:
        given = {key: parse_value(value) for key, value in record.elections}
        return make_house(varied(book, but or {}), record.game or None, given)

    opener = opened if but else None
    dealt = deal_text(text, opener)
    assert [_short(entry.refusal.cite) for entry in dealt.refusals if entry.refusal] == list(
        refused
    ), [entry.refusal for entry in dealt.refusals]
    _holds(dealt)
    again = deal_text(write_record(dealt), opener)
    assert write_record(again) == write_record(dealt)
    assert standing(again.table) == standing(dealt.table)
    return dealt


def _short(cite: str) -> str:
    return "custom" if cite.startswith("custom: ") else cite


def _holds(dealt: Dealt) -> None:
    """The log is the truth, and no money leaked."""
    events = [event for entry in dealt.entries for event in entry.events]
    assert evolve_all(dealt.opening, events) == dealt.table
    assert ledger_balance(dealt.table) == 0


_LAID_OUT = frozenset({"layout", "correctable"})


def standing(table: Table) -> object:
    """All of a table but its layout, which is made anew for every game."""
    throw = table.correctable
    parts = [getattr(table, name) for name in table.__struct_fields__ if name not in _LAID_OUT]
    return [*parts, throw and (throw.first, throw.second, standing(throw.before))]


def money(cents: int) -> str:
    """Dollars as a test writes them: 12, 12.50."""
    return to_dollars(cents).removesuffix(".00")


def rail(dealt: Dealt, player: str = "ann") -> str:
    """What lies in a player's rail at the end."""
    return money(dealt.table.seat(player).rail)


def up(dealt: Dealt, player: str = "ann") -> dict[str, str]:
    """A player's wagers at the end."""
    return {slug: money(s.amount) for slug, s in dealt.table.wagers_of(player).items()}


def shooter(dealt: Dealt) -> str | None:
    """Who holds the dice at the end."""
    table = dealt.table
    return None if table.shooter == NOBODY else table.seat(table.shooter).name


def throws(dealt: Dealt) -> list[Rolled]:
    """Every throw that counted."""
    return [e for entry in dealt.entries for e in entry.events if isinstance(e, Rolled)]


def settled(dealt: Dealt) -> list[str]:
    """What the last throw settled: player, wager, result, and the win or (else) the stake."""
    return [
        f"{s.player} {s.wager} {s.result} {money(s.paid if s.result == 'win' else s.stake)}"
        for s in throws(dealt)[-1].settlements
    ]


def notes(dealt: Dealt) -> list[str]:
    """What happened at the last line, in words."""
    last = dealt.entries[-1].line
    return [
        describe_event(e) for entry in dealt.entries if entry.line == last for e in entry.events
    ]


def reason(dealt: Dealt) -> str:
    """Why the last refusal was."""
    refusal = dealt.refusals[-1].refusal
    assert refusal is not None
    return describe_refusal(refusal)
