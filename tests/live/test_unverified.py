"""An audit verifies an entry, or says that it did not: no label turns a check off."""

from __future__ import annotations

import copy
import json
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from passline.cli.audit import command
from passline.game.law import archived_books
from passline.game.law.book_files import BOOKS
from passline.game.law.load import replace_book, rulebook
from passline.live.audit.audit import AuditResult
from passline.live.audit.findings import CHECKS
from passline.version import VERSION
from tests.live.floor import Floor
from tests.live.sample_logs import LOGS
from tests.live.tampering import Fields, audited, fields_of, mended, text_of

pytestmark = pytest.mark.anyio
LOG = LOGS / f"{VERSION}-new-jersey-machine.jsonl"


def cli(*args: str) -> Result:
    return CliRunner().invoke(command, args)


def entries_of() -> list[Fields]:
    return fields_of(LOG.read_bytes())


def relabel(entries: list[Fields], version: str) -> list[Fields]:
    """The same log as if another version had written it."""
    found = copy.deepcopy(entries)
    found[0]["version"] = found[0]["events"][0]["version"] = version
    return found


def shave(entries: list[Fields]) -> list[Fields]:
    """The same log with a dollar less for a winner, who bets nothing more."""
    found = copy.deepcopy(entries)
    for number, entry in enumerate(found):
        for event in entry["events"]:
            for done in event.get("settlements", ()):
                if done["result"] == "win" and done["paid"] > 100:
                    done["paid"] -= 100
                    done["back"] -= 100
                    return found[: number + 1]
    raise AssertionError("nobody wins")


def outcome(found: AuditResult) -> dict[str, str | int]:
    return {check: found.outcome_of(check) for check in CHECKS}


def test_a_label_hides_no_shaved_win() -> None:
    shaved = shave(entries_of())
    assert audited(text_of(mended(shaved))).outcome_of("replay") == len(shaved) - 1
    found = audited(text_of(mended(relabel(shaved, "0.2.1"))))
    assert outcome(found) == {"chain": "ok", "replay": "unverified", "ledger": "ok", "dice": "ok"}
    assert len(shaved) - 1 in {note.entry for note in found.notes}


@pytest.mark.parametrize("field", ["version", "digest"])
def test_every_label_of_the_opening_is_one(field: str) -> None:
    """Whichever field of entry 0 names a version or a law that is not here: unverified."""
    entries = entries_of()
    entries[0]["events"][0][field] = "0" * 64
    found = audited(text_of(mended(entries)))
    assert found.outcome_of("replay") == "unverified"
    entries = entries_of()
    entries[0]["version"] = "9.9"
    assert audited(text_of(mended(entries))).outcome_of("replay") == "unverified"


def test_a_label_in_the_middle_does_not_come_off_again() -> None:
    entries = entries_of()
    at = len(entries) // 2
    later = {**entries[at - 1], "act": "version", "line": "", "events": [], "version": "9.9"}
    later |= {"role": "machine", "by": "machine", "id": None}
    later.pop("fair", None)
    back = {**later, "version": VERSION}
    put = [*entries[:at], later, back, *entries[at:]]
    for number, entry in enumerate(put):
        entry["seq"] = number
    found = audited(text_of(mended(put)))
    assert found.outcome_of("replay") == at + 1  # a version is not taken over by an older one


@pytest.mark.parametrize("version", ["9.9", "0.1.0"])
def test_a_label_switches_off_no_other_check(version: str) -> None:
    entries = relabel(entries_of(), version)
    number, throw = next((n, e) for n, e in enumerate(entries) if "fair" in e)
    bent = copy.deepcopy(entries)
    bent[number]["fair"]["secret"] = "0" * 64
    assert audited(text_of(mended(bent))).outcome_of("dice") == number
    bet = next(n for n, e in enumerate(entries) if e["events"][:1] and "amount" in e["events"][0])
    bent = copy.deepcopy(entries)
    bent[bet]["events"][0]["amount"] = 10**9
    assert audited(text_of(mended(bent))).outcome_of("ledger") == bet
    bent = copy.deepcopy(entries)
    bent[number]["prev"] = "0" * 64
    found = audited(text_of(bent))
    assert (found.outcome_of("chain"), found.outcome_of("replay")) == (0, "unverified")
    assert throw["fair"]


def test_unknown_events_of_another_version_leave_the_ledger_unverified() -> None:
    entries = relabel(entries_of(), "9.9")
    entries[2]["events"] = [{"event": "teleported", "player": "ann"}]
    found = audited(text_of(mended(entries)))
    assert (found.outcome_of("replay"), found.outcome_of("ledger")) == ("unverified", "unverified")
    own = entries_of()
    own[2]["events"] = [{"event": "teleported", "player": "ann"}]
    assert audited(text_of(mended(own))).outcome_of("ledger") == 2


def test_the_command_exits_3_and_says_what_it_did_not_check(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    file.write_bytes(b"\n".join(text_of(mended(relabel(shave(entries_of()), "0.2.1")))))
    shown = cli(str(file))
    assert shown.exit_code == 3
    assert "replay  unverified" in shown.output
    found = cli(str(file), "--json")
    assert (found.exit_code, json.loads(found.stdout)["replay"]) == (3, "unverified")
    broken = relabel(entries_of(), "0.2.1")
    broken[1]["prev"] = "0" * 64
    file.write_bytes(b"\n".join(text_of(broken)))
    wrong = cli(str(file), "--json")
    assert wrong.exit_code == 1  # what is provably wrong goes first
    assert json.loads(wrong.stdout)["replay"] == "unverified"


async def test_a_log_is_dealt_by_the_law_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rulebook changes at noon. The morning's log is dealt by the morning's book, if it is in
    the archive, else unverified; the entries after noon by the new book."""
    floor = await Floor().open("new-jersey", pace={"betting": 0, "shooter": 0})
    await floor.sit("ann")
    await floor.taken("ann", "pass for 5")
    morning = [entry.text() for entry in await floor.log()]
    old = rulebook("new-jersey")
    new = replace(old, title="Another title")
    replace_book(new)
    try:
        monkeypatch.setattr("passline.live.audit.redeal.archived_book", lambda digest: None)
        assert audited(morning).outcome_of("replay") == "unverified"
        books = {old.digest: old}
        monkeypatch.setattr("passline.live.audit.redeal.archived_book", books.get)
        assert outcome(audited(morning)) == dict.fromkeys(CHECKS, "ok")
        floor.service = floor.another()
        await floor.taken("ann", "field for 5")
        whole = await floor.log()
        taken_over = next(entry for entry in whole if entry.act == "version")
        assert taken_over.more["law"] == new.digest != old.digest
        lines = [entry.text() for entry in whole]
        found = audited(lines)
        assert outcome(found) == dict.fromkeys(CHECKS, "ok")
        # Whoever deals by an older book than today's does not do so in silence.
        assert [note.entry for note in found.notes] == [0, taken_over.seq]
        assert new.digest[:12] in found.notes[1].why
        books.clear()
        found = audited(lines)
        assert (found.outcome_of("replay"), found.unverified) == ("unverified", taken_over.seq)
    finally:
        replace_book(old)


def test_the_archive_has_whole_books_under_their_digests() -> None:
    folder = files("passline.game.law") / archived_books.ARCHIVE_FOLDER
    names = [file.name for file in folder.iterdir() if file.name.endswith(".json.gz")]
    assert len(names) >= len(BOOKS)
    for name in names:
        digest = name.partition(".")[0]
        book = archived_books.archived_book(digest)
        assert book is not None, name
        assert book.id in BOOKS
    assert archived_books.archived_book("0" * 64) is None
    assert archived_books.archived_book("../../etc/passwd") is None
