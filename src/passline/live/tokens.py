"""Tokens: who holds one may speak for its seat or post. Only their hashes are ever stored."""

from __future__ import annotations

import hmac
import re
from functools import lru_cache
from hashlib import sha256
from secrets import token_hex
from typing import Final

from msgspec import Struct

#: What a sender may bring as a token of its own: 32 to 64 letters and digits.
_TOKEN_PATTERN = re.compile(r"[A-Za-z0-9]{32,64}")
_TOKEN_BYTES: Final = 24


class Holder(Struct, frozen=True):
    """Whom a token speaks for at its table: a role, and the player's or dealer's name."""

    role: str
    name: str = ""


def entry_author(holder: Holder) -> tuple[str, str]:
    """Whose words an entry holds: its ``role`` and ``by``. A post speaks with one voice, whatever
    token and whoever's: so an id that wrote an entry is known again.

    >>> entry_author(Holder("player", "ann")), entry_author(Holder("stick", "kim")), entry_author(Holder("operator"))
    (('player', 'ann'), ('stick', 'stick'), ('operator', 'house'))
    """  # noqa: E501
    if holder.role == "player":
        return holder.role, holder.name
    return holder.role, "house" if holder.role == "operator" else holder.role


class Grant(Struct, frozen=True):
    """A token as the store holds it: its hash, and whom it speaks for."""

    hash: str
    holder: Holder


def new_token() -> str:
    """A token from the secure source: 48 letters and digits, 192 bits."""
    return token_hex(_TOKEN_BYTES)


def is_token(text: str) -> bool:
    """Whether a sender may have this for a token."""
    return _TOKEN_PATTERN.fullmatch(text) is not None


@lru_cache(4096)
def hash_token(token: str) -> str:
    """What is stored of a token. It is random and long, so one SHA-256 keeps it."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def token_matches(token: str, stored: str) -> bool:
    """Whether a token is the one that a hash was stored of, told in constant time."""
    return hmac.compare_digest(hash_token(token), stored)


def make_grant(token: str, role: str, name: str = "") -> Grant:
    """A token as the store is to hold it."""
    return Grant(hash_token(token), Holder(role, name))
