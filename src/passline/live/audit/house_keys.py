"""Look at a server's keys for an audit: the house's public key, and the secrets of past Dailies.

Nothing is created or changed. A key that cannot be read counts as missing, because an audit says
what it could not check.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from passline.live.audit.dice_check import FindDaySecret
from passline.live.dice_proofs import (
    DICE_KEY_FILE,
    DICE_KEY_VARIABLE,
    KeyFileError,
    derive_day_secret,
    hash_secret,
    parse_hex_key,
)
from passline.live.signing_key import SIGNING_KEY_FILE, SIGNING_KEY_VARIABLE, SigningKey

#: A key file with more is no key file.
_MAX_KEY_BYTES: Final = 1000


def read_public_key(folder: Path) -> tuple[str, str] | None:
    """Return the public key of the server that keeps its keys in a folder, and where it is from.

    Return None if there is no signing key that can be read.
    """
    if given := os.environ.get(SIGNING_KEY_VARIABLE):
        return _public_key(given, SIGNING_KEY_VARIABLE)
    path = folder / SIGNING_KEY_FILE
    return _public_key(_read_file(path), str(path))


def _public_key(text: str, source: str) -> tuple[str, str] | None:
    try:
        return SigningKey(parse_hex_key(text)).public_key, source
    except KeyFileError:
        return None


def find_day_secrets(folder: Path) -> FindDaySecret:
    """Return a function that finds a day's secret with the dice key that is in a folder.

    It also tries the keys that ``passline keys rotate dice`` kept there.
    """
    keys = list(_dice_keys(folder))

    def find(day: str, commit: str) -> str:
        for key in keys:
            secret = derive_day_secret(key, day)
            if hash_secret(secret) == commit:
                return secret.hex()
        return ""

    return find


def _dice_keys(folder: Path) -> Iterator[bytes]:
    texts = [os.environ.get(DICE_KEY_VARIABLE, "")]
    texts += [_read_file(path) for path in sorted(folder.glob(f"{DICE_KEY_FILE}*"))]
    for text in texts:
        try:
            yield parse_hex_key(text)
        except KeyFileError:
            continue


def _read_file(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_MAX_KEY_BYTES).decode("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
