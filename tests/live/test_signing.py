"""The house's signing key: its file, its variable, and what its signatures prove."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.live.dice_proofs import KeyFileError
from passline.live.signing import (
    SIGNING_KEY_FILE,
    SIGNING_KEY_VARIABLE,
    SigningKey,
    load_signing_key,
    verify_signature,
)


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
