"""The parts of an audit: shifts and their figures, ids in heaps, versions, tables of the house."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from passline.live.audit import audit as audit_module
from passline.live.audit.ledger import AuditLedger
from passline.live.audit.shift_reports import ShiftPlan, ShiftReports, TableShift, format_ratio
from passline.live.log_entries import Entry, format_time
from passline.live.stores.sqlite import SqliteStore
from passline.version import VERSION

from .floor import EVERY_POST, Floor
from .helpers import insist, line_draft, opened, whole
from .sample_logs import LOGS
from .tampering import Fields, audited, changed, fields_of, mended, text_of

pytestmark = pytest.mark.anyio
START = datetime(2026, 11, 15, 13, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "begins", "hours"),
    [
        # The clocks go back on 25 October and forward on 29 March in Berlin: such a night shift
        # is an hour longer, or shorter.
        ("2026-10-25T03:30", "2026-10-24T22:00+02:00", 9),
        ("2026-03-29T01:30", "2026-03-28T22:00+01:00", 7),
        ("2026-03-29T11:59", "2026-03-29T06:00+02:00", 8),
        ("2026-11-15T20:59", "2026-11-15T14:00+01:00", 8),
        ("2026-11-15T21:00", "2026-11-15T22:00+01:00", 8),
    ],
)
def test_shifts_go_by_the_clock_on_the_wall(at: str, begins: str, hours: int) -> None:
    when = datetime.fromisoformat(f"{at}Z")
    first, last = ShiftPlan().bounds(when, ZoneInfo("Europe/Berlin"))
    assert first.isoformat(timespec="minutes") == begins
    assert last.astimezone(UTC) - first.astimezone(UTC) == timedelta(hours=hours)
    assert first.astimezone(UTC) <= when < last.astimezone(UTC)


def entry(seq: int, minutes: int) -> Entry:
    more = {"settings": {"name": "One", "zone": "UTC"}, "table": "t1"} if seq == 0 else {}
    return Entry(
        seq=seq, at=format_time(START + timedelta(minutes=minutes)), role="", by="", id=None,
        line="", events=[], prev="", hash="", more=more,
    )  # fmt: skip


def test_the_figures_of_shifts() -> None:
    """Cash at 13:00, a loss at 13:30 and a win at 15:00 by hand; somebody plays until 16:00."""
    papers, ledger = ShiftReports(ShiftPlan()), AuditLedger()
    papers.add_entry(entry(0, -60), ledger, 0)
    ledger.here, ledger.drop = {"ann"}, 50_000
    papers.add_entry(entry(1, 0), ledger, 0)
    ledger.win, ledger.vig = 10_000, 500
    papers.add_entry(entry(2, 30), ledger, 3)
    ledger.win, ledger.tokes = -20_000, 2_500
    papers.add_entry(entry(3, 120), ledger, 5)
    ledger.here = set()
    papers.add_entry(entry(4, 180), ledger, 0)
    papers.add_entry(entry(5, 24 * 60), ledger, 0)
    morning, day, later = papers.shifts
    assert (morning.table, morning.name) == ("t1", "One")
    assert (morning.drop, morning.win, morning.vig, morning.throws) == (50_000, 10_000, 500, 3)
    assert (morning.hold, morning.fills, morning.pace) == ("21.00", 50_000, "3.00")
    assert morning.played == timedelta(hours=1)
    # 39,500 cents were out when the day shift began, and 69,500 at the most.
    assert (day.drop, day.win, day.vig, day.tokes, day.throws) == (0, -30_000, 0, 2_500, 5)
    assert (day.hold, day.fills, day.played) == ("", 30_000, timedelta(hours=2))
    assert (later.begins.day, later.played, later.pace) == (16, timedelta(), "")


def test_quotients_are_rounded_without_floats() -> None:
    assert format_ratio(100 * 1, 3) == "0.33"
    assert format_ratio(100 * 2, 3) == "0.67"
    assert format_ratio(-100 * 2, 3) == "-0.67"
    assert format_ratio(-1, 1000) == "0.00"
    assert format_ratio(10**30, 1) == f"{10**28}.00"
    assert TableShift(table="t", name="", begins=START, ends=START, drop=1).hold == "0.00"


def test_ids_are_held_beyond_what_is_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_module, "_MEMORY_BYTES", 100)
    kept = audit_module.RequestIdIndex()
    for number in range(2000):
        kept.add(number.to_bytes(32, "big")[::-1], number)
    kept.add((7).to_bytes(32, "big")[::-1], 2000)
    kept.add((5).to_bytes(32, "big")[::-1], 2001)
    assert kept.find_repeated() == (2000, 7)
    assert audit_module.RequestIdIndex().find_repeated() is None


def upgraded(at: int) -> list[Fields]:
    """A log that an earlier version began, and this one took over before an entry."""
    entries = fields_of((LOGS / f"{VERSION}-new-jersey-crew.jsonl").read_bytes())
    entries[0]["version"] = entries[0]["events"][0]["version"] = "0.0.9"
    taken = {
        "act": "version", "version": VERSION, "at": entries[at]["at"], "role": "machine",
        "by": "machine", "id": None, "line": "", "events": [],
    }  # fmt: skip
    found = [*entries[:at], taken, *entries[at:]]
    return mended([{**one, "seq": number} for number, one in enumerate(found)])


def test_a_difference_is_a_note_before_and_a_fault_after_a_new_version() -> None:
    entries = upgraded(40)
    found = audited(text_of(entries))
    assert found.findings == ()
    assert found.versions == {"0.0.9": 40, VERSION: len(entries) - 40}
    bets = [n for n, e in enumerate(entries) if e["events"] and "unnoticed" in e["events"][0]]
    for number in (next(n for n in bets if n < 40), next(n for n in bets if n > 40)):
        bent = audited(text_of(mended(changed(entries, number, ("events", 0, "match")), number)))
        if number < 40:
            assert bent.findings == ()
            assert (bent.outcome_of("replay"), bent.unverified) == ("unverified", 40)
            assert number in {note.entry for note in bent.notes}
        else:
            assert bent.outcome_of("replay") == number


def test_a_version_is_taken_over_by_a_later_one_only() -> None:
    entries = upgraded(40)
    entries[40]["version"] = "0.0.8"
    found = audited(text_of(mended(entries, 40)))
    assert 40 in {note.entry for note in found.notes}


async def test_nobody_rules_the_faces_of_the_houses_dice() -> None:
    """They are proven: a throw that somebody ruled would be one without a proof."""
    floor = await Floor().open("new-jersey", posts=EVERY_POST)
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    wrong = await floor.error("box", "ruling 3 4 by boxperson")
    assert (wrong.code, "The house throws the dice" in wrong.message) == ("forbidden", True)


async def test_a_log_names_its_table() -> None:
    floor = await Floor().open("iowa")
    assert (await floor.log())[0].more["table"] == floor.table


async def test_a_server_may_start_while_a_folder_is_read(tmp_path: Path) -> None:
    server = await SqliteStore.open(tmp_path)
    await opened(server)
    await server.close()
    looking = await SqliteStore.open(tmp_path, read_only=True)
    assert len(await whole(looking, "t1")) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["live.lock", "live.sqlite"]
    server = await SqliteStore.open(tmp_path)
    for number in range(5):
        await insist(server, "t1", line_draft(f"ann: field for {number}", id=str(number)))
        assert len(await whole(looking, "t1")) == number + 2
        assert len(await looking.rows("t1")) == number + 2
    assert await looking.ids() == ["t1"]
    await looking.close()
    await server.close()
