"""The house's dice: worked by hand, proven, sealed, and thrown often enough to be believed."""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.live.dice_proofs import (
    DiceCommitment,
    DiceProofError,
    KeyFileError,
    Sealer,
    derive_faces,
    hash_secret,
    is_nonce,
    load_or_create_key,
    make_proof,
    new_secret,
    parse_hex_key,
    read_faces,
    verify_throw,
)
from passline.live.hash_chain import stamp_entry
from passline.live.log_entries import EMPTY_LOG_HEAD, Draft, Entry, EntryError
from passline.live.tokens import hash_token, is_token, make_grant, new_token, token_matches
from tests.live.fairness import misses, outcomes

NOW = "2026-11-15T14:46:03.123456Z"


def by_hand(secret: bytes, table: str, number: int, nonce: str) -> tuple[int, int]:
    """The contract's words with nothing of ours: HMAC from its definition over SHA-256."""
    key = secret + bytes(32)
    faces: list[int] = []
    turn = 0
    while len(faces) < 2:
        message = f"{table}:{number}:{nonce}:{turn}".encode()
        inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
        outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()
        faces += [byte % 6 + 1 for byte in outer if byte < 252]
        turn += 1
    return faces[0], faces[1]


#: Secret, table, throws before, nonce; and the first bytes of the digest, so that a person can
#: follow: 0x7c = 124 = 20 * 6 + 4 is a five, 0x4e = 78 = 13 * 6 an ace. In the last two, bytes from
#: 0xfc on are passed over.
KNOWN = [
    (bytes(32), "t1", 0, "lucky", "7c4e", (5, 1)),
    (b"\xff" * 32, "T-9_z", 41, "abc-DEF_012", "39c8", (4, 3)),
    (bytes(range(32)), "oak", 28, "", "fd1f06", (2, 1)),
    (bytes(range(32)), "oak", 1542, "", "59fffd18", (6, 1)),
]


@given(st.binary(min_size=32, max_size=32), st.integers(0, 10**6), st.text("aZ0-_", max_size=64))
def test_faces_are_those_of_the_contract(secret: bytes, number: int, nonce: str) -> None:
    assert derive_faces(secret, "t1", number, nonce) == by_hand(secret, "t1", number, nonce)


@pytest.mark.parametrize(("secret", "table", "number", "nonce", "begins", "faces"), KNOWN)
def test_known_throws(
    secret: bytes, table: str, number: int, nonce: str, begins: str, faces: tuple[int, int]
) -> None:
    message = f"{table}:{number}:{nonce}:0".encode()
    assert hmac.new(secret, message, hashlib.sha256).hexdigest().startswith(begins)
    assert (
        derive_faces(secret, table, number, nonce) == by_hand(secret, table, number, nonce) == faces
    )


def test_bytes_that_would_favour_a_face_are_passed_over() -> None:
    assert read_faces([bytes([252, 253, 254, 255, 0, 251])]) == (1, 6)
    assert read_faces([bytes([255] * 32), bytes([255] * 31 + [1]), bytes([255, 2])]) == (2, 3)
    thrown = {derive_faces(hashlib.sha256(bytes([n])).digest(), "t", 0) for n in range(250)}
    assert len(thrown) == 36


def test_a_commit_is_of_the_bytes_not_their_hex() -> None:
    secret = new_secret()
    assert len(secret) == 32
    assert hash_secret(secret) == hashlib.sha256(secret).hexdigest()
    assert new_secret() != secret


@pytest.mark.parametrize("nonce", ["", "a", "A-z_0", "x" * 64])
def test_nonces_that_may_be_sent(nonce: str) -> None:
    assert is_nonce(nonce)


@pytest.mark.parametrize("nonce", ["x" * 65, "a b", "a:b", "é", "a\n", "\x00"])
def test_nonces_that_may_not(nonce: str) -> None:
    assert not is_nonce(nonce)


def thrown(secrets: list[bytes], nonce: str = "n") -> list[Entry]:
    """A log: entry 0, and a throw for each secret but the last."""
    opening = Draft(role="operator", by="", more={"commit": hash_secret(secrets[0])})
    entries = [stamp_entry(opening, EMPTY_LOG_HEAD, NOW)]
    for number, (secret, following) in enumerate(pairwise(secrets)):
        a, b = derive_faces(secret, "t1", number, nonce)
        fair = msgspec.to_builtins(make_proof(secret, nonce, following))
        draft = Draft(role="player", by="ann", line=f"roll {a} {b}", more={"fair": fair})
        entries.append(stamp_entry(draft, entries[-1].head, NOW))
    return entries


def proven(entries: list[Entry], table: str = "t1") -> DiceCommitment:
    promise = DiceCommitment()
    for entry in entries:
        verify_throw(table, promise, entry)
        promise = promise.apply_entry(entry)
    return promise


def test_a_log_of_throws_is_proven() -> None:
    secrets = [new_secret() for _ in range(6)]
    promise = proven(thrown(secrets))
    assert promise == DiceCommitment(hash_secret(secrets[-1]), throws=5)
    assert proven(thrown(secrets, nonce="")).throws_without_nonce == 5


def test_a_fresh_commit_is_counted() -> None:
    secrets = [new_secret() for _ in range(3)]
    entries = thrown(secrets)
    fresh = Draft(role="operator", by="", more={"act": "restore", "commit": "c" * 64})
    entries.append(stamp_entry(fresh, entries[-1].head, NOW))
    assert proven(entries) == DiceCommitment("c" * 64, throws=2, recommits=1)


def test_a_throw_that_was_not_promised_is_found() -> None:
    entries = thrown([new_secret() for _ in range(4)])
    with pytest.raises(DiceProofError, match="throws"):
        proven(entries, "t2" if throw_differs(entries) else "t3")
    good = entries[2]
    fair = dict(good.more["fair"])

    def changed(line: str = good.line, **parts: object) -> list[Entry]:
        entry = msgspec.structs.replace(good, line=line, more={"fair": {**fair, **parts}})
        return [*entries[:2], entry]

    other = "roll 1 1" if good.line != "roll 1 1" else "roll 1 2"
    for wrong in (
        changed(line=other),
        changed(line=f"{good.line} "),
        changed(secret=new_secret().hex()),
        changed(secret=fair["secret"].upper()),
        changed(nonce="a b"),
        changed(next="soon"),
        changed(secret=7),
    ):
        with pytest.raises(DiceProofError):
            proven(wrong)
    with pytest.raises(EntryError):
        DiceCommitment().apply_entry(changed(secret=7)[2])


def throw_differs(entries: list[Entry]) -> bool:
    """Whether the throws would fall otherwise at table t2: three of them can agree by chance."""
    secrets = [bytes.fromhex(entry.more["fair"]["secret"]) for entry in entries[1:]]
    return any(
        derive_faces(s, "t1", n, "n") != derive_faces(s, "t2", n, "n")
        for n, s in enumerate(secrets)
    )


def test_seals_open_for_their_table_commit_and_key_alone() -> None:
    sealer, secret = Sealer(b"k" * 32), new_secret()
    sealed = sealer.seal("t1", secret)
    commit = hash_secret(secret)
    assert sealer.open("t1", commit, sealed) == secret
    assert secret not in sealed
    assert sealer.seal("t1", secret) != sealed
    assert Sealer(b"o" * 32).open("t1", commit, sealed) is None
    assert sealer.open("t2", commit, sealed) is None
    assert sealer.open("t1", hash_secret(b""), sealed) is None
    assert sealer.open("t1", commit, sealed[:-1] + bytes([sealed[-1] ^ 1])) is None
    for short in (b"", sealed[:12], sealed[:20]):
        assert sealer.open("t1", commit, short) is None
    with pytest.raises(KeyFileError):
        Sealer(b"short")


def test_keys_are_made_once_and_for_their_owner(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "seal"
    assert load_or_create_key(path, "ab" * 32) == load_or_create_key(path, "cd" * 32) == "ab" * 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert os.listdir(path.parent) == ["seal"]
    assert parse_hex_key(load_or_create_key(path, "")) == b"\xab" * 32
    path.chmod(0o644)
    with pytest.raises(KeyFileError, match="other users"):
        load_or_create_key(path, "")
    path.chmod(0o600)
    for odd in (b"", b"\xff", b"\n"):
        path.write_bytes(odd)
        with pytest.raises(KeyFileError):
            load_or_create_key(path, "")
    with pytest.raises(KeyFileError):
        load_or_create_key(path / "below", "")
    for word in ("", "xyz", "ab" * 31):
        with pytest.raises(KeyFileError):
            parse_hex_key(word)


def test_tokens_are_known_by_their_hashes() -> None:
    token = new_token()
    assert is_token(token)
    assert new_token() != token
    assert token_matches(token, hash_token(token))
    assert not token_matches(token, hash_token(new_token()))
    assert make_grant(token, "player", "ann").hash == hashlib.sha256(token.encode()).hexdigest()
    assert hash_token("\ud800")  # whatever a header holds
    for odd in ("", "a" * 31, "a" * 65, "a" * 31 + "-", "é" * 32, "a" * 32 + "\n"):
        assert not is_token(odd)


def test_throws_fall_fairly() -> None:
    """A small draw with seeded secrets through the function that serves, so that it never fails by
    chance; ``make dice`` draws ten million from the secure source."""
    secrets = (hashlib.sha256(b"seed %d" % number).digest() for number in range(200_000))
    assert misses(outcomes(secrets, 200_000)) == []


def test_unfair_throws_would_be_found() -> None:
    secrets = (hashlib.sha256(b"seed %d" % number).digest() for number in range(200_000))
    drawn = outcomes(secrets, 200_000)
    loaded = drawn.copy()
    loaded[::150] = 35
    assert any("36" in miss for miss in misses(loaded))
    sticky = drawn.copy()
    sticky[1::100] = sticky[::100]
    assert any("pairs" in miss for miss in misses(sticky))
    drawn.sort()
    assert any("runs" in miss for miss in misses(drawn))
