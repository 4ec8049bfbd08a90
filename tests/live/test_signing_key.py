"""The house's signing key: its file, its variable, and what its signatures prove."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from passline.live.audit.audit import Audit, AuditResult, parse_receipt
from passline.live.dice_proofs import KeyFileError
from passline.live.schema import OpenTableRequest, SeatRequest
from passline.live.signing_key import (
    SIGNING_KEY_FILE,
    SIGNING_KEY_VARIABLE,
    SigningKey,
    load_signing_key,
    verify_signature,
)
from tests.live.floor import Floor
from tests.live.tampering import mended, text_of

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SIGNING_KEY_VARIABLE, raising=False)


def test_a_signature_is_of_one_key_and_one_text() -> None:
    key, other = SigningKey(bytes(32)), SigningKey(bytes([1] * 32))
    signed = key.sign("t1:7:père")
    assert verify_signature(key.public_key, "t1:7:père", signed)
    assert not verify_signature(other.public_key, "t1:7:père", signed)
    assert not verify_signature(key.public_key, "t1:7:pere", signed)
    assert not verify_signature(key.public_key, "t1:7:père", other.sign("t1:7:père"))


@pytest.mark.parametrize("key", ["", "00", "zz" * 32, "00" * 33, "FF" * 32, "ff" * 32])
def test_a_malformed_key_verifies_nothing(key: str) -> None:
    assert not verify_signature(key, "text", "00" * 64)


@pytest.mark.parametrize("signature", ["", "zz" * 64, "00" * 63, "00" * 64, "٠" * 128])
def test_a_malformed_signature_does_not_verify(signature: str) -> None:
    assert not verify_signature(SigningKey(bytes(32)).public_key, "text", signature)


def test_the_key_file_is_created_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    key = load_signing_key(tmp_path)
    assert load_signing_key(tmp_path).public_key == key.public_key
    assert (tmp_path / SIGNING_KEY_FILE).stat().st_mode & 0o777 == 0o600


def test_the_variable_goes_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SIGNING_KEY_VARIABLE, "11" * 32)
    assert load_signing_key(tmp_path).public_key == SigningKey(bytes([0x11] * 32)).public_key
    assert not (tmp_path / SIGNING_KEY_FILE).exists()


def test_an_unusable_key_says_which_and_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / SIGNING_KEY_FILE).write_text("short\n")
    (tmp_path / SIGNING_KEY_FILE).chmod(0o600)
    with pytest.raises(KeyFileError, match=r"signing\.key: a key must be 64 hex digits"):
        load_signing_key(tmp_path)
    (tmp_path / SIGNING_KEY_FILE).chmod(0o644)
    with pytest.raises(KeyFileError, match="other users can read"):
        load_signing_key(tmp_path)
    monkeypatch.setenv(SIGNING_KEY_VARIABLE, "short")
    with pytest.raises(KeyFileError, match=f"{SIGNING_KEY_VARIABLE}: a key must be"):
        load_signing_key(tmp_path)


async def played() -> tuple[Floor, str, list[bytes]]:
    """A table with two bets: the receipt of the first, and the log."""
    floor = await Floor().open()
    await floor.sit("ann")
    receipt = (await floor.taken("ann", "pass for 5")).receipt
    await floor.taken("ann", "field for 5")
    assert receipt is not None
    return floor, receipt, [entry.text() for entry in await floor.log()]


def audit_with(
    lines: list[bytes], *receipts: str, public_key: str = "", replaced_keys: Sequence[str] = ()
) -> AuditResult:
    wanted = [parse_receipt(one) for one in receipts]
    audit = Audit("", wanted, public_key=public_key, replaced_keys=replaced_keys)
    audit.add_lines(lines)
    return audit.end()


async def test_lines_and_seats_are_answered_with_a_signed_receipt() -> None:
    floor = await Floor().open()
    key = floor.service.signing_key.public_key
    seat = await floor.service.sit(floor.table, SeatRequest(name="ann", buy_in="500"))
    said = await floor.taken("ann", "pass for 5")
    for answer in (seat, said):
        assert answer.receipt is not None
        told, _, signature = answer.receipt.rpartition(":")
        assert told == f"{answer.seq}:{answer.hash}"
        assert verify_signature(key, f"{floor.table}:{told}", signature)
    assert (await floor.say("ann", "pass odds for 5")).receipt is None  # refused
    again = await floor.service.sit(
        floor.table, SeatRequest(name="ann", buy_in="500", token=seat.token)
    )
    assert again.receipt == seat.receipt


async def test_a_genuine_receipt_is_in_the_log() -> None:
    floor, receipt, lines = await played()
    own = floor.service.signing_key.public_key
    for key in ("", own):
        found = audit_with(lines, receipt, public_key=key)
        assert (found.first, found.receipt) == (None, "ok")
    assert audit_with(lines).receipt is None
    assert audit_with(lines, receipt.rpartition(":")[0]).receipt == "ok"  # not signed


async def test_a_receipt_that_the_house_did_not_sign_is_forged() -> None:
    floor, receipt, lines = await played()
    told, _, signature = receipt.rpartition(":")
    seq, _, entry_hash = told.partition(":")
    invented = f"{seq}:{'0' * 64}"
    late = f"99:{entry_hash}"
    forger = SigningKey(bytes([9] * 32))
    for text in (invented, late, told):
        for bad in (signature[:-1] + ("1" if signature[-1] != "1" else "2"), "00"):
            found = audit_with(lines, f"{text}:{bad}")
            assert found.receipt == "forged"
            assert found.outcome_of("chain") == "ok"  # it says nothing about the log
            assert found.first is not None
            assert found.first.check == "receipt"
    by_forger = f"{invented}:{forger.sign(f'{floor.table}:{invented}')}"
    assert audit_with(lines, by_forger).receipt == "forged"


async def test_a_rewritten_log_lacks_a_signed_entry() -> None:
    """The house changes a bet and the key in entry 0, and makes the hashes good again."""
    floor, receipt, lines = await played()
    own = floor.service.signing_key.public_key
    entries = [json.loads(line) for line in lines]
    entries[0]["public_key"] = SigningKey(bytes([9] * 32)).public_key
    rewritten = text_of(mended(entries))
    found = audit_with(rewritten, receipt, public_key=own)
    assert found.receipt == "ok"  # the house signed it
    assert found.outcome_of("chain") == int(receipt.partition(":")[0])
    without = audit_with(rewritten, receipt)
    assert without.receipt == "forged"
    assert without.first is not None
    assert "--public-key" in without.first.why


async def test_a_signed_entry_after_the_end_is_missing() -> None:
    floor, receipt, lines = await played()
    cut = lines[: int(receipt.partition(":")[0])]
    found = audit_with(cut, receipt, public_key=floor.service.signing_key.public_key)
    assert (found.receipt, found.outcome_of("chain")) == ("ok", len(cut))


async def test_a_replaced_key_signs_nothing_that_came_after_it() -> None:
    """It may be known by then. The new key also signs heads of entries before it."""
    floor, before, _ = await played()
    old = floor.service.signing_key
    floor.service = floor.another(signing_key=SigningKey(b"n" * 32))
    head = (await floor.service.heads(1))[0]["receipt"]
    after = (await floor.taken("ann", "hard 8 for 5")).receipt
    assert after is not None
    lines = [entry.text() for entry in await floor.log()]
    told = after.rpartition(":")[0]
    late = f"{told}:{old.sign(f'{floor.table}:{told}')}"
    for known in ({}, {"public_key": floor.service.signing_key.public_key}):
        replaced = [old.public_key] if known else []
        genuine = audit_with(lines, before, head, after, replaced_keys=replaced, **known)
        assert (genuine.first, genuine.vouched) == (None, int(told.partition(":")[0]))
        assert audit_with(lines, late, replaced_keys=replaced, **known).receipt == "forged"
    assert audit_with(lines, late, public_key=old.public_key).receipt == "ok"  # Trusted by choice.


async def test_heads_of_open_tables_are_signed() -> None:
    floor = await Floor().open()
    private = await floor.service.open_table(OpenTableRequest(rulebook="iowa", open=False))
    heads = await floor.service.heads(10)
    assert [head["table"] for head in heads] == [floor.table]
    assert private.table not in str(heads)
    lines = [entry.text() for entry in await floor.log()]
    assert audit_with(lines, heads[0]["receipt"]).receipt == "ok"
    assert await floor.service.heads(10, after=floor.table) == []
