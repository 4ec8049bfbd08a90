"""An audit finds a log whose dice use a secret twice, and entries that lack or bend their proof."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from passline.cli.audit import audits_json
from passline.game.table import codec
from passline.game.table.decide import decide
from passline.live.audit.audit import AuditResult
from passline.live.audit.redeal import LogReplay
from passline.live.dice_proofs import derive_faces
from passline.live.log_entries import entry_from_fields
from passline.record.table_lines import read_table_line
from passline.version import VERSION
from tests.live.sample_logs import LOGS
from tests.live.tampering import Fields, audited, fields_of, mended, text_of

LOG = LOGS / f"{VERSION}-new-jersey-machine.jsonl"
ENTRIES = fields_of(LOG.read_bytes())
TABLE = ENTRIES[0]["table"]
THROWS = [n for n, entry in enumerate(ENTRIES) if "fair" in entry]
FACES = (6, 6)


def check(entries: list[Fields]) -> AuditResult:
    return audited(text_of(mended(entries)))


def machine_entry(seq: int, **more: Any) -> Fields:
    """An entry of the machine without a line, at the time of the entry before it."""
    own: Fields = {"role": "machine", "by": "machine", "id": None, "line": "", "events": []}
    return {"seq": seq, "at": ENTRIES[seq - 1]["at"], "prev": "", **own, **more}


def choose_throw(before: list[Fields], throw: Fields) -> Fields:
    """The same throw, made two sixes by the secret of the first throw and a nonce chosen for it."""
    secret = ENTRIES[THROWS[0]]["fair"]["secret"]
    count = sum("fair" in entry for entry in before)
    nonces = (f"n{n}" for n in range(10_000))
    nonce = next(
        one for one in nonces if derive_faces(bytes.fromhex(secret), TABLE, count, one) == FACES
    )
    replay = LogReplay(TABLE)
    for fields in mended(before):
        replay.add_entry(entry_from_fields(fields))
    assert replay.live is not None
    line = f"roll {FACES[0]} {FACES[1]}"
    events = decide(replay.live.table, read_table_line(line, replay.live.table))
    assert isinstance(events, tuple)
    fair = {"secret": secret, "nonce": nonce, "next": "ab" * 32}
    dealt = [codec.event_to_builtins(event) for event in events]
    return {**throw, "seq": len(before), "line": line, "events": dealt, "fair": fair}


@pytest.mark.parametrize("act", ["commit", "restore", "rollback"])
def test_a_revealed_secret_is_not_committed_to_again(act: str) -> None:
    """Its dice can be chosen by the nonce. Every other check finds such a log right."""
    last = THROWS[3]
    before = [*ENTRIES[:last], machine_entry(last, act=act, commit=ENTRIES[0]["commit"])]
    found = check([*before, choose_throw(before, ENTRIES[last])])
    assert [(one.check, one.entry) for one in found.findings] == [("dice", last)]
    assert "commitment is that of entry 0" in found.findings[0].why


def test_a_throw_does_not_name_an_old_commitment_as_the_next() -> None:
    third, fourth = THROWS[2:4]
    before = copy.deepcopy(ENTRIES[:fourth])
    before[third]["fair"]["next"] = ENTRIES[0]["commit"]
    before = [entry for entry in before if entry["seq"] <= third or "commit" not in entry]
    for seq, entry in enumerate(before):
        entry["seq"] = seq
    found = check([*before, choose_throw(before, ENTRIES[fourth])])
    assert [(one.check, one.entry) for one in found.findings] == [("dice", third)]


@pytest.mark.parametrize("act", ["commit", "restore", "rollback"])
def test_an_entry_that_announces_a_commitment_has_one(act: str) -> None:
    last = len(ENTRIES)
    assert check([*ENTRIES, machine_entry(last, act=act)]).outcome_of("replay") == last
    assert not check([*ENTRIES, machine_entry(last, act=act, commit="ab" * 32)]).findings


def test_a_table_that_arrives_has_a_new_commitment() -> None:
    house, last = {"role": "operator", "by": "house"}, len(ENTRIES)
    moved = machine_entry(last, act="moved", to="")
    arrived = {**moved, "seq": last + 1, "act": "arrived"}
    del arrived["to"]
    gone = [*ENTRIES, {**moved, **house}]
    assert check([*gone, {**arrived, **house}]).outcome_of("replay") == last + 1
    assert not check([*gone, {**arrived, **house, "commit": "ab" * 32}]).findings


@pytest.mark.parametrize("key", ["", "no key", 5, None, "A" * 64])
def test_the_public_key_of_the_opening_is_a_key(key: object) -> None:
    entries = copy.deepcopy(ENTRIES)
    entries[0]["public_key"] = key
    assert check(entries).outcome_of("replay") == 0


def test_a_proof_has_no_other_field() -> None:
    entries = copy.deepcopy(ENTRIES)
    entries[THROWS[0]]["fair"]["note"] = "x"
    assert check(entries).outcome_of("dice") == THROWS[0]


def test_an_unverified_table_hides_no_wrong_one() -> None:
    """The sums of several tables have the first wrong entry, whichever table comes first."""
    other, wrong = copy.deepcopy(ENTRIES), copy.deepcopy(ENTRIES)
    other[0]["version"] = other[0]["events"][0]["version"] = "9.0.0"
    wrong[3]["line"] += "0"
    audits = [check(ENTRIES), check(other), check(wrong)]
    assert audits_json(audits)["replay"] == 3
    assert audits_json(audits[:2])["replay"] == "unverified"
    assert audits_json(audits[:1] * 2)["replay"] == "ok"
