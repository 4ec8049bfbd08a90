"""Games to walk through: the golden ones, and one in which odd things happen."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from passline.live.log_entries import Entry, read_entry
from passline.live.replay.timeline import LogSource, RecordSource
from passline.record.deal import deal_text

TESTS = Path(__file__).parents[1]
GOLDEN = sorted((TESTS / "golden").glob("*.craps"))
LOGS = sorted((TESTS / "live" / "logs").glob("*.jsonl"))

#: Undo, a refusal, no roll, joins, leaves, tokes and a bet for the dealers, the shootout's clock.
ODD = """rulebook: iowa
player: ann 1000
player: bob 600

clock 2007-04-02 08:30
ann: pass for 10; undo; pass for 20
bob: toke 5; pass for 5 for the dealers
roll 4 4
zoe joins for 300
ann: place-win-6 for 12; field for 100000
no roll off-table
bob: field for 10
roll 6 3
clock 2007-04-02 09:00
zoe: dont-come for 10; undo
zoe leaves
roll 4 4
ann: pass for 20
bob: buy-4 for 25; lay-10 for 40
roll 2 2
roll 3 4
ann leaves
bob: pass for 10
roll 3 4
"""
#: Wagers called with the dice in the air, one confirmed and one not.
LATE = """rulebook: new-jersey
player: ann 500

ann: pass for 10; hard-6 for 5
dice out
dice in the air
ann: field for 10 in the air; any-craps for 5 in the air
dealer confirms ann field
boxperson confirms ann field
roll 6 3
ann: buy-4 for 25; lay-10 for 40; come for 10
roll 2 2
roll 3 4
"""


def record(path: Path) -> RecordSource:
    return RecordSource(deal_text(path.read_text("utf-8")), path.stem)


def odd() -> RecordSource:
    return RecordSource(deal_text(ODD), "odd")


def late() -> RecordSource:
    return RecordSource(deal_text(LATE), "late")


@cache
def entries(path: Path) -> tuple[Entry, ...]:
    return tuple(read_entry(line) for line in path.read_bytes().splitlines())


def log(path: Path) -> LogSource:
    return LogSource(entries(path))
