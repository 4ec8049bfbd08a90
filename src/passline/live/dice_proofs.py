"""Provably fair dice: a commitment before each throw and its proof afterwards; sealed secrets.

Before a throw the log holds the SHA-256 of a secret. The shooter may add a nonce (a random text).
The faces are computed from both, and the throw's entry reveals the secret. So the house cannot
choose the result of a throw that has a nonce, no player can foresee a throw, and anyone can check
it.

Stored secrets are sealed (encrypted) with a key that is not in the store. This module also reads
and creates the file of that key.
"""

from __future__ import annotations

import hmac
import os
import re
from collections.abc import Iterable
from hashlib import sha256
from itertools import count
from pathlib import Path
from secrets import token_bytes
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from passline.files import create_file
from passline.game.words.log import say_log
from passline.live.log_entries import DiceProof, Entry, EntryError, LogError

#: Where a server has its dice key, which seals secrets: the environment, or a file.
DICE_KEY_VARIABLE: Final = "PASSLINE_DICE_KEY"
DICE_KEY_FILE: Final = "dice.key"
#: The length of a secret, and of a SHA-256, in bytes.
SECRET_BYTES: Final = 32
#: Only bytes below this count: 252 is the largest multiple of six in a byte, so all faces are
#: equally likely.
FAIR_BYTE_LIMIT: Final = 252
_NONCE_PATTERN = re.compile(r"[A-Za-z0-9_-]{0,64}")
_HASH_PATTERN = re.compile(r"[0-9a-f]{64}")


class DiceProofError(LogError, ValueError):
    """A throw does not follow from its dice commitment. The message says why."""


def new_secret() -> bytes:
    """Return a secret for one throw from the secure random source."""
    return token_bytes(SECRET_BYTES)


def hash_secret(secret: bytes) -> str:
    """Return the commitment to a secret: the SHA-256 of its bytes, in hex."""
    return sha256(secret).hexdigest()


def is_nonce(text: str) -> bool:
    """Return whether a shooter may send this nonce: up to 64 letters, digits, ``-`` and ``_``."""
    return _NONCE_PATTERN.fullmatch(text) is not None


def derive_faces(secret: bytes, table: str, number: int, nonce: str = "") -> tuple[int, int]:
    """Return the two faces of a throw at a table, from its secret and the shooter's nonce.

    ``number`` is how many throws the table had before it.

    >>> derive_faces(bytes(32), "t1", 0, "lucky")
    (5, 1)
    """
    first = hmac.digest(secret, f"{table}:{number}:{nonce}:0".encode(), "sha256")
    a, b = first[0], first[1]
    if a < FAIR_BYTE_LIMIT and b < FAIR_BYTE_LIMIT:  # 31 throws in 32: a shortcut for speed.
        return a % 6 + 1, b % 6 + 1
    message = f"{table}:{number}:{nonce}"
    return read_faces(hmac.digest(secret, f"{message}:{n}".encode(), "sha256") for n in count())


def read_faces(digests: Iterable[bytes]) -> tuple[int, int]:
    """Return the two faces in a stream of digests.

    The first two bytes below 252 count; each gives the face "byte mod 6 plus 1".

    >>> read_faces([bytes([255] * 31 + [4]), bytes([252, 251])])
    (5, 6)
    """
    fair = (byte % 6 + 1 for digest in digests for byte in digest if byte < FAIR_BYTE_LIMIT)
    return next(fair), next(fair)


class DiceCommitment(Struct, frozen=True):
    """The dice commitment in force at one point of a log, and counts of the throws so far.

    ``recommits`` counts commitments that replaced another whose secret was lost or known.
    ``throws_without_nonce`` counts throws to which the shooter added no nonce. An audit reports
    both.
    """

    commit: str = ""
    throws: int = 0
    recommits: int = 0
    throws_without_nonce: int = 0

    def apply_entry(self, entry: Entry) -> DiceCommitment:
        """Return the commitment and counts after an entry of the log.

        Raise EntryError if the entry has a malformed proof.
        """
        fair = entry.fair
        if fair is not None:
            bare = self.throws_without_nonce + (not fair.nonce)
            throws = self.throws + 1
            return replace(self, commit=fair.next, throws=throws, throws_without_nonce=bare)
        if entry.commit:
            recommits = self.recommits + (entry.seq > 0)
            return replace(self, commit=entry.commit, recommits=recommits)
        return self


def make_proof(secret: bytes, nonce: str, next_secret: bytes) -> DiceProof:
    """Return the proof of a throw: its secret, its nonce, and the commitment to ``next_secret``."""
    return DiceProof(secret.hex(), nonce, hash_secret(next_secret))


def verify_throw(table: str, promise: DiceCommitment, entry: Entry) -> None:
    """Raise DiceProofError unless a throw's faces follow from the secret behind its commitment.

    ``promise`` is the commitment in force before the entry. Do nothing if the entry has no proof
    (its field ``fair``).
    """
    try:
        fair = entry.fair
    except EntryError as wrong:
        raise DiceProofError("said", words=wrong) from None
    if fair is None:
        return
    if not (_HASH_PATTERN.fullmatch(fair.secret) and _HASH_PATTERN.fullmatch(fair.next)):
        raise DiceProofError("secret-form")
    if not is_nonce(fair.nonce):
        raise DiceProofError("nonce-form")
    secret = bytes.fromhex(fair.secret)
    if hash_secret(secret) != promise.commit:
        raise DiceProofError("other-secret")
    a, b = derive_faces(secret, table, promise.throws, fair.nonce)
    if entry.line != f"roll {a} {b}":
        raise DiceProofError("throw-other", first=a, second=b, line=entry.line)


KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12


class KeyFileError(Exception):
    """Raised for an unusable key. The message says why."""


class Sealer:
    """Encrypts (seals) dice secrets for the store, with AES-256-GCM.

    A sealed secret can be opened only for its own table and with the commitment to it.

    >>> sealer, secret = Sealer(bytes(32)), bytes(range(32))
    >>> sealed = sealer.seal("t1", secret)
    >>> sealer.open("t1", hash_secret(secret), sealed) == secret
    True
    >>> sealer.open("t2", hash_secret(secret), sealed) is None
    True
    """

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise KeyFileError(say_log("key-length", wanted=KEY_BYTES, count=len(key)))
        # Imported here so that an audit, which seals nothing, works without the package.
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        self._cipher, self._broken = AESGCM(key), InvalidTag
        self._key = key

    def day_secret(self, day: str) -> bytes:
        """Return a secret made from the key and a text, such as a day (`derive_day_secret`)."""
        return derive_day_secret(self._key, day)

    def seal(self, table: str, secret: bytes) -> bytes:
        """Return a throw's secret, encrypted for the store. It opens again only for this table."""
        nonce = token_bytes(_NONCE_BYTES)
        data = _associated_data(table, hash_secret(secret))
        return nonce + self._cipher.encrypt(nonce, secret, data)

    def open(self, table: str, commit: str, sealed: bytes) -> bytes | None:
        """Decrypt a sealed secret, to which ``commit`` is the commitment.

        Return None if it was sealed with another key, for another table or for another commitment.
        """
        nonce, box = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        try:
            secret = self._cipher.decrypt(nonce, box, _associated_data(table, commit))
        except (self._broken, ValueError):
            return None
        return secret if hash_secret(secret) == commit else None


def _associated_data(table: str, commit: str) -> bytes:
    """Return the data that ties a sealed (encrypted) secret to its table and commitment."""
    return f"passline secret {table} {commit}".encode()


def derive_day_secret(key: bytes, day: str) -> bytes:
    """Return the secret of a day's Daily (see `live.daily`), derived from a server's dice key.

    The secret of one day says nothing about that of another. A server also derives its other
    secrets in this way: then ``day`` is another text, such as "signing key".
    """
    return hmac.digest(hmac.digest(key, b"passline daily", "sha256"), day.encode(), "sha256")


def parse_hex_key(text: str) -> bytes:
    """Return a key from 64 hex digits. Raise KeyFileError for any other text."""
    if not _HASH_PATTERN.fullmatch(text.strip().lower()):
        raise KeyFileError(say_log("key-form"))
    return bytes.fromhex(text.strip())


def load_or_create_key(path: Path, fresh: str) -> str:
    """Return the text of a key file. If there is no such file, create it with the text ``fresh``.

    Only its owner can read the file. Servers that start at once get the same key, because the file
    is created in one step. Raise KeyFileError if the file cannot be read or created, if others can
    read it, or if it is empty.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            create_file(path, f"{fresh}\n".encode(), 0o600)
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise KeyFileError(say_log("key-readable", path=path))
        text = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as wrong:
        why = getattr(wrong, "strerror", None) or "it is not plain text"
        raise KeyFileError(say_log("key-unusable", path=path, error=why)) from None
    if not text:
        raise KeyFileError(say_log("key-empty", path=path))
    return text
