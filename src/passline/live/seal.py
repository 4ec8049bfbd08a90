"""Secrets at rest: sealed under a key that is not in the store, and where such keys are kept."""

from __future__ import annotations

import hmac
from pathlib import Path
from secrets import token_bytes
from typing import Final

from passline.durable import create_file
from passline.live.dice import commit_to

KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12


class KeyFileError(Exception):
    """A key that cannot be used, in a sentence."""


class Sealer:
    """Seals the secrets of throws to come, each for its table and its commit alone (AES-256-GCM).

    >>> sealer, secret = Sealer(bytes(32)), bytes(range(32))
    >>> sealed = sealer.seal("t1", secret)
    >>> sealer.open("t1", commit_to(secret), sealed) == secret
    True
    >>> sealer.open("t2", commit_to(secret), sealed) is None
    True
    """

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise KeyFileError(f"the sealing key has {KEY_BYTES} bytes, not {len(key)}")
        # Here, so that an audit, which seals nothing, needs no cipher installed.
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        self._cipher, self._broken = AESGCM(key), InvalidTag
        self._days = hmac.digest(key, b"passline daily", "sha256")

    def day_secret(self, day: str) -> bytes:
        """The secret of a day's dice: the same on every server that has the key, and nothing that
        tells of another day's."""
        return hmac.digest(self._days, day.encode(), "sha256")

    def seal(self, table: str, secret: bytes) -> bytes:
        """A secret as the store may keep it."""
        nonce = token_bytes(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, secret, _bound(table, commit_to(secret)))

    def open(self, table: str, commit: str, sealed: bytes) -> bytes | None:
        """The secret of a commit. None where it was sealed under another key, or tampered with:
        the secret is missing then, and a fresh commit comes first."""
        nonce, box = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        try:
            secret = self._cipher.decrypt(nonce, box, _bound(table, commit))
        except (self._broken, ValueError):
            return None
        return secret if commit_to(secret) == commit else None


def _bound(table: str, commit: str) -> bytes:
    """What a seal is good for, and nothing else."""
    return f"passline secret {table} {commit}".encode()


def hex_key(text: str) -> bytes:
    """A key from 64 hex digits, as a file or the environment holds it."""
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        raise KeyFileError("a key is 64 hex digits") from None
    if len(key) != KEY_BYTES:
        raise KeyFileError("a key is 64 hex digits")
    return key


def kept_key(path: Path, fresh: str) -> str:
    """What a key's file holds; where there is none, it is made with ``fresh`` in it.

    Only its owner can read it. Two servers that start at once end with the same key: the file is
    put in place whole, and the first stays. KeyFileError where it cannot be read or made.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            create_file(path, f"{fresh}\n".encode(), 0o600)
        if path.stat().st_mode & 0o077:
            raise KeyFileError(f"{path} can be read by others: chmod 600 it, or take another key")
        text = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as wrong:
        raise KeyFileError(f"the key file {path} cannot be used: {wrong}") from None
    if not text:
        raise KeyFileError(f"the key file {path} is empty")
    return text
