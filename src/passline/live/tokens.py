"""Tokens: each one gives its holder a seat or a role at one table. Stores keep only their hashes.

This module is pure but for the secure random source of `new_token`.
"""

from __future__ import annotations

import hmac
import re
from functools import lru_cache
from hashlib import sha256
from secrets import token_hex
from typing import Final

from msgspec import Struct

#: What a client may choose as its token: 32 to 64 letters and digits.
_TOKEN_PATTERN = re.compile(r"[A-Za-z0-9]{32,64}")
_TOKEN_BYTES: Final = 24


class Holder(Struct, frozen=True):
    """Who a token stands for at a table: a role, and a player's or dealer's name if it has one."""

    role: str
    name: str = ""


def entry_author(holder: Holder) -> tuple[str, str]:
    """Return (role, by): the author fields of the log entries that a holder writes.

    All holders of a post write under the post's name. So a request id that was sent twice is
    recognized even if another person has taken over the post in between.

    >>> entry_author(Holder("player", "ann")), entry_author(Holder("stick", "kim"))
    (('player', 'ann'), ('stick', 'stick'))
    """
    if holder.role == "player":
        return holder.role, holder.name
    return holder.role, "house" if holder.role == "operator" else holder.role


class Grant(Struct, frozen=True):
    """A token as the store keeps it: its hash and its holder."""

    hash: str
    holder: Holder


def new_token() -> str:
    """Return a new random token: 48 hex digits, 192 bits."""
    return token_hex(_TOKEN_BYTES)


def is_token(text: str) -> bool:
    """Return whether a client may choose this text as its token."""
    return _TOKEN_PATTERN.fullmatch(text) is not None


@lru_cache(4096)
def hash_token(token: str) -> str:
    """Return the hash of a token: plain SHA-256, which is enough as tokens are long and random."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def token_matches(token: str, stored: str) -> bool:
    """Return whether ``stored`` is the hash of a token. The comparison takes constant time."""
    return hmac.compare_digest(hash_token(token), stored)


def make_grant(token: str, role: str, name: str = "") -> Grant:
    """Return a token's hash and holder as the store keeps them."""
    return Grant(hash_token(token), Holder(role, name))
