"""An audit finds nothing in a log that a hall wrote, and whatever was done to one since."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passline.game.table import events as ev
from passline.game.table.state import ledger_balance
from passline.live.audit import ledger
from passline.live.audit.audit import AuditResult, Receipt
from passline.live.audit.findings import CHECKS, NotALogError
from passline.live.live_table import fold_log
from passline.live.log_entries import read_entry
from passline.live.record_export import export_record
from passline.record.deal import deal_text
from passline.version import VERSION

from .long_log import again
from .sample_logs import FIRST, LOGS, SAMPLES, made
from .tampering import Fields, audited, changed, fields_of, leaves, mended, other, text_of

FILES = [*sorted(LOGS.glob("*.jsonl")), FIRST]
every_log = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
MACHINE = LOGS / f"{VERSION}-new-jersey-machine.jsonl"
TYPED = LOGS / f"{VERSION}-iowa-crew.jsonl"
pytestmark = pytest.mark.anyio


@cache
def entries_of(file: Path) -> list[Fields]:
    return fields_of(file.read_bytes())


def last(entries: list[Fields]) -> Receipt:
    return Receipt(entries[-1]["seq"], entries[-1]["hash"])


def outcome(found: AuditResult) -> dict[str, str | int]:
    return {check: found.outcome_of(check) for check in CHECKS}


OK = dict.fromkeys(CHECKS, "ok")


@every_log
def test_a_log_of_any_version_stays_readable_and_auditable(file: Path) -> None:
    lines = file.read_bytes().splitlines()
    found = audited(lines, last(entries_of(file)))
    assert outcome(found) == OK
    assert found.entries == len(lines)
    assert found.throws == file.read_bytes().count(b'"event":"rolled"')
    assert found.proven == file.read_bytes().count(b'"fair":')
    assert found.head == entries_of(file)[-1]["hash"]


@pytest.mark.parametrize("name", SAMPLES)
async def test_what_a_hall_deals_today_is_found_whole(name: str) -> None:
    """The games of the samples, dealt now: by whatever code the hall has today."""
    assert outcome(audited([entry.text() for entry in await made(name)])) == OK


def test_a_log_without_its_first_entry_is_wrong_and_not_unreadable() -> None:
    lines = MACHINE.read_bytes().splitlines()
    for put in (lines[1:], [lines[1], lines[0], *lines[2:]]):
        found = outcome(audited(put))
        assert found == {"chain": 0, "replay": 1, "ledger": "ok", "dice": 1}


def test_the_samples_hold_what_happens_at_tables() -> None:
    said = "\n".join(entry["line"] for file in FILES for entry in entries_of(file))
    acts = {entry.get("act") for file in FILES for entry in entries_of(file)}
    kinds = {
        one["event"] for file in FILES for entry in entries_of(file) for one in entry["events"]
    }
    assert {"asks", "invite", "withdraw", "restore", "ready", "line-down"} <= acts
    assert {"no-roll", "late-called", "late-confirmed", "undone", "left-table", "joined"} <= kinds
    assert {"toked", "toke-made", "coloured-up", "relieved", "game-died", "shootout-moved"} <= kinds
    assert "ruling" in said
    assert {fields[0]["house"]["rulebook"] for fields in map(entries_of, FILES)} == {
        "new-jersey", "iowa", "maryland-crapless", "section-2", "dealer-school",
    }  # fmt: skip


@every_log
def test_the_record_of_a_log_is_dealt_to_the_same_table(file: Path) -> None:
    entries = [read_entry(line) for line in file.read_bytes().splitlines()]
    live = fold_log("t", entries)
    assert live is not None
    dealt = deal_text(export_record(entries))
    assert dealt.refusals == ()
    table = dealt.table
    assert (table.drop, table.win, table.vig, table.tokes, table.puck) == (
        live.table.drop, live.table.win, live.table.vig, live.table.tokes, live.table.puck,
    )  # fmt: skip
    assert table.seats == live.table.seats
    assert table.dealers == live.table.dealers
    assert ledger_balance(table) == 0


#: How many values of a log are changed, one after the other.
more_or_less = pytest.mark.parametrize("spoilt", [5, pytest.param(40, marks=pytest.mark.long)])


def spots(file: Path) -> Iterator[tuple[int, tuple[str | int, ...]]]:
    for number, entry in enumerate(entries_of(file)):
        for place in leaves(entry):
            yield number, place


@every_log
@more_or_less
def test_whatever_is_changed_is_found_in_its_entry(file: Path, spoilt: int) -> None:
    """Any one value of any entry, hashes as they were: the chain names the entry."""
    chance = random.Random(file.stem)
    for number, place in chance.sample(list(spots(file)), spoilt):
        found = audited(text_of(changed(entries_of(file), number, place)))
        assert found.outcome_of("chain") == number, (number, place, found.findings)


#: What a forger may change and nobody finds without a receipt: it says nothing of the game.
_SILENT = {"id", "at", "by", "holder", "amount", "place", "settings", "table"}
#: Another nonce throws the same faces one time in 36; the last commit has no throw yet.
_LUCKY = {("fair", "nonce"), ("fair", "next")}
#: Another law, which is not here: nothing can be dealt, and the audit says so.
_UNDEALT = {("events", 0, "digest"), ("events", 0, "house", "rulebook")}


@every_log
@more_or_less
def test_whatever_is_changed_is_found_with_all_hashes_made_good(file: Path, spoilt: int) -> None:
    chance = random.Random(f"forged {file.stem}")
    entries, whole = entries_of(file), last(entries_of(file))
    places = [(n, p) for n, p in spots(file) if p[0] not in ("hash", "prev", "seq")]
    for number, place in chance.sample(places, spoilt):
        forged = mended(changed(entries, number, place), number)
        found = audited(text_of(forged), whole, table=entries[0]["table"])
        assert (
            found.outcome_of("chain") == entries[-1]["seq"] or found.outcome_of("chain") == number
        ), place
        alone = audited(text_of(forged))
        if place in _UNDEALT:
            assert (alone.first, alone.first_unverified) == (None, number), (number, place)
        elif place[0] not in _SILENT and place not in _LUCKY:
            assert alone.first is not None, (number, place)
            assert alone.first.entry == number, (number, place, alone.findings)


@pytest.mark.parametrize(
    ("line", "place", "check"),
    [
        ("roll", ("events", -1, "settlements", 0, "paid"), "replay"),
        ("roll", ("fair", "secret"), "dice"),
        ("roll", ("fair", "nonce"), "dice"),
        ("roll", ("line",), "dice"),
        ("ann: ", ("events", 0, "amount"), "replay"),
        ("ann: ", ("role",), "replay"),
        ("ann: ", ("by",), "replay"),
        ("ann joins", ("events", 1, "amount"), "replay"),
        ("", ("house", "rulebook"), "replay"),
        ("", ("settings", "dice"), "replay"),
        ("", ("commit",), "dice"),
    ],
)
def test_what_each_check_is_for(line: str, place: tuple[str | int, ...], check: str) -> None:
    entries = entries_of(MACHINE)
    number = next(
        n
        for n, e in enumerate(entries)
        if (e["line"].startswith(line) if line else n == 0)
        and (place[-1] != "paid" or (e["events"] and e["events"][-1].get("settlements")))
        and (line != "ann: " or "amount" in e["events"][0])
    )
    forged = mended(changed(entries, number, place), number)
    found = audited(text_of(forged))
    assert check in {one.check for one in found.findings}, found.findings
    assert found.outcome_of("chain") == "ok"


def test_a_bent_amount_is_found_by_the_ledger_alone() -> None:
    """Chips from nowhere, in events that were bent with all hashes made good."""
    entries = entries_of(MACHINE)
    number, event = next(
        (n, one)
        for n, entry in enumerate(entries)
        for one in entry["events"]
        if one["event"] == "rolled" and any(s["result"] == "win" for s in one["settlements"])
    )
    which = next(i for i, s in enumerate(event["settlements"]) if s["result"] == "win")
    where = entries[number]["events"].index(event)
    forged = changed(entries, number, ("events", where, "settlements", which, "back"))
    assert audited(text_of(mended(forged, number))).outcome_of("ledger") == number


def test_every_event_is_booked_or_known_to_move_no_money() -> None:
    booked = {"rolled", "wagered", "changed", "undone", "toked", "toke-made", "bought-in"}
    told = {"joined", "left-table", "throw-corrected"}
    tags = {str(kind.__struct_config__.tag) for kind in get_args(ev.AnyEvent)}
    assert booked | told | set(ledger.MONEYLESS_EVENTS) == tags


def test_a_field_more_is_found() -> None:
    entries = entries_of(MACHINE)
    for number in (0, 7, len(entries) - 1):
        forged = [*entries]
        forged[number] = {**forged[number], "note": "paid"}
        assert audited(text_of(forged)).outcome_of("chain") == number
        assert audited(text_of(mended(forged, number))).outcome_of("replay") == number


def test_deleted_doubled_swapped_and_cut() -> None:
    entries, whole = entries_of(MACHINE), last(entries_of(MACHINE))
    table = entries[0]["table"]
    cut = audited(text_of(entries[:-4]), whole)
    assert outcome(cut) == {**OK, "chain": len(entries) - 4}
    assert outcome(audited(text_of(entries[:-4]))) == OK
    for number in range(0, len(entries) - 1, 9):
        deleted = entries[:number] + entries[number + 1 :]
        assert audited(text_of(deleted), table=table).outcome_of("chain") == number
        doubled = entries[: number + 1] + entries[number:]
        assert audited(text_of(doubled)).outcome_of("chain") == number + 1
        swapped = [*entries]
        swapped[number], swapped[number + 1] = swapped[number + 1], swapped[number]
        assert audited(text_of(swapped), table=table).outcome_of("chain") == number
        renumbered = [{**entry, "seq": n} for n, entry in enumerate(deleted)]
        if number:
            forged = mended(renumbered, number)
            assert audited(text_of(forged), whole).first is not None


def forged_at(entries: list[Fields], number: int, **fields: object) -> str | int:
    """What replaying finds in a log that ends with a forged entry, hashes made good."""
    forged = [*entries[:number], {**entries[number], "seq": number, **fields}]
    return audited(text_of(mended(forged, number))).outcome_of("replay")


@pytest.mark.parametrize("name", ["automated", "iowa-machine", "maryland-machine"])
def test_the_machine_says_nothing_before_its_time_nor_twice(name: str) -> None:
    entries = entries_of(LOGS / f"{VERSION}-{name}.jsonl")
    own = [n for n, entry in enumerate(entries) if entry["by"] == "machine" and entry["line"]]
    assert len(own) > 3
    for number in own[:12]:
        doubled = [*entries[: number + 1], *entries[number:]]
        assert forged_at(doubled, number + 1) == number + 1


def test_the_time_that_the_machine_tells_is_that_of_the_entry() -> None:
    entries = entries_of(LOGS / f"{VERSION}-iowa-machine.jsonl")
    number = next(n for n, entry in enumerate(entries) if entry["line"].startswith("clock "))
    told = entries[number]["line"]
    assert told == "clock 2026-11-15 15:00"
    assert forged_at(entries, number) == "ok"
    for time in ("2026-11-15 15:01", "2026-11-15 14:59", "2026-11-16 15:00", "2026-11-15  15:00"):
        event = {**entries[number]["events"][0], "when": time}
        assert forged_at(entries, number, line=f"clock {time}", events=[event]) == number


def test_no_throw_in_the_betting_time() -> None:
    entries = entries_of(MACHINE)
    early = 0
    for number, entry in enumerate(entries):
        if "fair" in entry and entry["by"] != "machine":
            early += forged_at(entries, number, at=entries[number - 1]["at"]) == number
    assert early > 3


def test_two_logs_in_one() -> None:
    """Another table's throws, or another's whole end, hashes made good: the dice are not theirs."""
    entries, others = entries_of(MACHINE), entries_of(LOGS / f"{VERSION}-section-2-machine.jsonl")
    assert audited(text_of(entries + others)).outcome_of("chain") == len(entries)
    spliced = entries[:40] + others[40:]
    assert audited(text_of(spliced)).outcome_of("chain") == 40
    assert audited(text_of(mended(spliced, 40))).first is not None
    renamed = mended([{**entries[0], "table": others[0]["table"]}, *entries[1:]])
    first = next(n for n, entry in enumerate(entries) if "fair" in entry)
    assert audited(text_of(renamed)).outcome_of("dice") == first
    assert audited(text_of(entries), table="another").outcome_of("chain") == 0


def test_a_request_that_was_written_twice() -> None:
    entries = [read_entry(line) for line in TYPED.read_bytes().splitlines()]
    number = next(n for n, e in enumerate(entries) if "toke" in e.line)
    twice = again(entries[number], entries[-1].head, entries[number].id or "")
    found = audited([entry.text() for entry in (*entries, twice)])
    assert outcome(found) == {**OK, "chain": len(entries)}
    assert found.first is not None
    assert f"id is that of entry {number}" in found.first.why


def test_receipts() -> None:
    entries = entries_of(TYPED)
    lines = text_of(entries)
    receipts = [Receipt(entry["seq"], entry["hash"]) for entry in entries[::10]]
    assert outcome(audited(lines, *receipts)) == OK
    wrong = Receipt(20, other(entries[20]["hash"]))
    assert audited(lines, receipts[0], wrong).outcome_of("chain") == 20
    assert audited(lines, receipts[2], wrong).outcome_of("chain") == 20
    assert audited(lines, Receipt(10**6, "0" * 64)).outcome_of("chain") == len(entries)


def test_throws_are_the_houses_or_typed_in_and_never_both() -> None:
    """A throw without its proof where the house throws, and a proof where it does not."""
    entries = entries_of(MACHINE)
    number = next(n for n, entry in enumerate(entries) if "fair" in entry)
    bare = [*entries]
    bare[number] = {key: value for key, value in bare[number].items() if key != "fair"}
    found = audited(text_of(mended(bare, number)))
    assert found.outcome_of("dice") == number
    typed = [*entries_of(TYPED)]
    rolled = next(n for n, entry in enumerate(typed) if entry["line"].startswith("roll"))
    typed[rolled] = {**typed[rolled], "fair": entries[number]["fair"]}
    assert audited(text_of(mended(typed, rolled))).outcome_of("dice") == rolled


def test_fresh_commits_are_listed_and_throws_without_a_nonce_counted() -> None:
    found = audited(MACHINE.read_bytes().splitlines())
    entries = entries_of(MACHINE)
    assert [one.entry for one in found.fresh] == [
        n for n, entry in enumerate(entries) if entry.get("act") == "restore"
    ]
    assert found.bare == sum(entry.get("fair", {}).get("nonce") == "" for entry in entries) > 0


def test_entries_of_another_version_are_unverified() -> None:
    """Another version may have dealt otherwise: the audit says where, and that it cannot tell."""
    entries = [entry.copy() for entry in entries_of(TYPED)]
    entries[0]["version"] = "0.0.1"
    entries[0]["events"] = [{**entries[0]["events"][0], "version": "0.0.1"}]
    number = next(n for n, e in enumerate(entries) if ": pass for 10" in e["line"])
    old = changed(entries, number, ("events", 0, "unnoticed"))
    found = audited(text_of(mended(old)))
    assert outcome(found) == {**OK, "replay": "unverified"}
    assert (found.unverified, found.first_unverified) == (len(entries), 0)
    assert {note.entry for note in found.notes} == {0, number}
    assert "unnoticed is true, dealt again false" in found.notes[1].why
    assert found.versions == {"0.0.1": len(entries)}
    refused = [*entries]
    refused[number] = {**refused[number], "line": "ann: pass for 1"}
    (_, note) = audited(text_of(mended(refused))).notes
    assert note.entry == number
    assert "is refused: " in note.why


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_no_bytes_make_it_stumble(data: st.DataObject) -> None:
    """Any one byte of a log made another, anywhere: found, or nothing that is said differs."""
    log = bytearray(TYPED.read_bytes())
    at = data.draw(st.integers(0, len(log) - 1))
    log[at] ^= data.draw(st.integers(1, 255))
    whole = last(entries_of(TYPED))
    lines = bytes(log).split(b"\n")[:-1] or [b""]
    try:
        found = audited(lines, whole, table=entries_of(TYPED)[0]["table"])
    except NotALogError:  # its first line begins no log any more
        assert at < TYPED.read_bytes().index(b"\n")
        return
    if found.first is None:
        assert fields_of(bytes(log)) == entries_of(TYPED)


_MEASURED = """
import resource, sys
from tests.live.long_log import long_log
from tests.live.tampering import audited
found = audited(long_log(int(sys.argv[1])))
assert found.findings == (), found.findings
print(found.entries, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.system
def test_a_long_log_takes_no_more_memory_than_a_short_one() -> None:
    def kilobytes(entries: int) -> int:
        ended = subprocess.run(
            [sys.executable, "-c", _MEASURED, str(entries)],
            capture_output=True, text=True, check=True, timeout=300, cwd=LOGS.parent.parent.parent,
        )  # fmt: skip
        count, used = ended.stdout.split()
        assert int(count) == entries
        return int(used)

    assert kilobytes(6_000) - kilobytes(500) < 2 * 1024
