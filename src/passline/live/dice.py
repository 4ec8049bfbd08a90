"""The house's dice: secrets from the secure source, commits before each throw, faces after it.

Before a throw the log holds the SHA-256 of a secret; the shooter may add a nonce; the faces follow
from both, and the throw's entry reveals the secret. So the house alone cannot choose a throw that
has a nonce, nobody at the rail can foresee one, and anybody can check.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import count
from secrets import token_bytes
from typing import Final

from msgspec import Struct

from passline.live.entries import Entry, EntryError, Fair

#: Bytes of a secret, and of a SHA-256.
SECRET_BYTES: Final = 32
#: Bytes below it fall on the six faces alike: 252 is the largest multiple of six in a byte.
FAIR_BYTES: Final = 252
_NONCE = re.compile(r"[A-Za-z0-9_-]{0,64}")
_HEX = re.compile(r"[0-9a-f]{64}")


class DiceError(ValueError):
    """A throw that is not proven, and why."""


def new_secret() -> bytes:
    """A secret for one throw, from the system's secure source."""
    return token_bytes(SECRET_BYTES)


def commit_to(secret: bytes) -> str:
    """What is told of a secret before its throw: the SHA-256, in hex, of its bytes."""
    return sha256(secret).hexdigest()


def is_nonce(text: str) -> bool:
    """Whether a shooter may send this: up to 64 letters, digits, ``-`` and ``_``."""
    return _NONCE.fullmatch(text) is not None


def throw(secret: bytes, table: str, number: int, nonce: str = "") -> tuple[int, int]:
    """The faces of a table's throw, ``number`` counting its earlier ones.

    >>> throw(bytes(32), "t1", 0, "lucky")
    (5, 1)
    """
    first = hmac.digest(secret, f"{table}:{number}:{nonce}:0".encode(), "sha256")
    a, b = first[0], first[1]
    if a < FAIR_BYTES and b < FAIR_BYTES:  # 31 throws in 32; the same as below, only sooner
        return a % 6 + 1, b % 6 + 1
    return faces_in(_digests(secret, f"{table}:{number}:{nonce}"))


def _digests(secret: bytes, message: str) -> Iterator[bytes]:
    for turn in count():
        yield hmac.digest(secret, f"{message}:{turn}".encode(), "sha256")


def faces_in(digests: Iterable[bytes]) -> tuple[int, int]:
    """The faces that the first two bytes below 252 stand for, each mod 6 plus 1.

    >>> faces_in([bytes([255] * 31 + [4]), bytes([252, 251])])
    (5, 6)
    """
    fair = (byte % 6 + 1 for digest in digests for byte in digest if byte < FAIR_BYTES)
    return next(fair), next(fair)


class Promise(Struct, frozen=True):
    """What a log says of the dice to come: the commit that stands, and the throws so far.

    ``fresh`` counts commits that took the place of one whose secret was lost or known, and
    ``bare`` throws without a nonce: an audit tells of both.
    """

    commit: str = ""
    throws: int = 0
    fresh: int = 0
    bare: int = 0

    def after(self, entry: Entry) -> Promise:
        """The promise once an entry stands. EntryError where its ``fair`` cannot be read."""
        fair = entry.fair
        if fair is not None:
            bare = self.bare + (not fair.nonce)
            return Promise(commit=fair.next, throws=self.throws + 1, fresh=self.fresh, bare=bare)
        if entry.commit:
            fresh = self.fresh + (entry.seq > 0)
            return Promise(commit=entry.commit, throws=self.throws, fresh=fresh, bare=self.bare)
        return self


def reveal(secret: bytes, nonce: str, next_secret: bytes) -> Fair:
    """The proof that a throw's entry carries, and with it the commit to the next throw."""
    return Fair(secret.hex(), nonce, commit_to(next_secret))


def prove(table: str, promise: Promise, entry: Entry) -> None:
    """Show that a throw of the house is the one that was promised. DiceError where it is not.

    An entry without ``fair`` is no throw of the house, and nothing is to be shown.
    """
    try:
        fair = entry.fair
    except EntryError as wrong:
        raise DiceError(str(wrong)) from None
    if fair is None:
        return
    if not (_HEX.fullmatch(fair.secret) and _HEX.fullmatch(fair.next)):
        raise DiceError("the secret and the next commit are 64 hex digits each")
    if not is_nonce(fair.nonce):
        raise DiceError("the nonce is up to 64 letters, digits, - and _")
    secret = bytes.fromhex(fair.secret)
    if commit_to(secret) != promise.commit:
        raise DiceError("the secret is not the one that was committed to")
    a, b = throw(secret, table, promise.throws, fair.nonce)
    if entry.line != f"roll {a} {b}":
        raise DiceError(f"the secret throws {a} {b}, and the line says {entry.line!r}")
