"""A game as CSV: the settlements as they were, and a ledger whose changes sum to zero."""

from __future__ import annotations

import asyncio
import csv
import io
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from passline.game.money.amounts import to_dollars
from passline.game.words.log import REPLAY_COLUMNS
from passline.live.replay.export import compute_balances, csv_header, csv_rows
from passline.live.replay.timeline import GameTimeline, ReplaySource
from tests.replay.games import GOLDEN, late, odd, record

DOC = Path(__file__).parents[2] / "docs" / "play" / "replay.md"


async def _rows(source: ReplaySource) -> tuple[list[dict[str, str]], GameTimeline]:
    walk = GameTimeline(source)
    text = csv_header() + "".join([csv_rows(moment) async for moment in walk.moments()])
    return list(csv.DictReader(io.StringIO(text, newline=""))), walk


@pytest.mark.parametrize("source", [odd(), late(), *map(record, GOLDEN)], ids=lambda one: one.name)
def test_the_rows_of_a_game(source: ReplaySource) -> None:
    rows, walk = asyncio.run(_rows(source))
    sums: Counter[str] = Counter()
    holds: Counter[tuple[str, str]] = Counter()
    settled = 0
    for row in rows:
        if row["row"] == "ledger":
            cents = round(float(row["change"]) * 100)
            sums[row["moment"]] += cents
            holds[row["account"], row["player"]] += cents
            assert to_dollars(holds[row["account"], row["player"]]) == row["holds"]
        else:
            settled += 1
            assert row["cite"]
            assert row["dice"]
    assert not any(sums.values())
    last = asyncio.run(walk.moment(asyncio.run(walk.last_number())))
    told = {
        (one.kind, one.player): cents for one, cents in compute_balances(last.after.table).items()
    }
    assert {key: cents for key, cents in told.items() if cents} == {
        key: cents for key, cents in holds.items() if cents
    }
    assert settled > 3


def test_no_cell_is_a_formula() -> None:
    walk = GameTimeline(odd())
    moment = asyncio.run(walk.moment(1))
    for bad in ("=1+2", "+1", "-1", "@sum", "\t=1"):
        spoilt = replace(moment, step=replace(moment.step, said=bad, by=bad, role=bad))
        spoilt = replace(spoilt, before=None)
        rows = list(csv.reader(io.StringIO(csv_rows(spoilt), newline="")))
        assert rows
        assert {tuple(row[3:6]) for row in rows} == {(f"'{bad}",) * 3}


def test_every_column_is_told() -> None:
    text = DOC.read_text("utf-8")
    for column, words in REPLAY_COLUMNS.items():
        assert f"| `{column}` | {words} |" in text
