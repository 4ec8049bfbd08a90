"""Read a server's keys for an audit: the house's public keys, and the secrets of past Dailies.

All players of one day's Daily (see ``live.daily``) get the same throws. They are derived from the
day's secret, and that from the server's dice key.

Nothing is created or changed. A key that cannot be read counts as missing; the audit then reports
what it could not check.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

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

#: No more than this is read of a file, since a key is shorter.
_MAX_KEY_BYTES: Final = 1000


class HousePublicKeys(NamedTuple):
    """The public keys of a server, in hex.

    ``current`` checks the receipts that the server signs now; ``source`` is the file or environment
    variable of its signing key. ``replaced`` check older receipts.
    """

    current: str
    source: str
    replaced: tuple[str, ...] = ()


def read_public_keys(folder: Path) -> HousePublicKeys | None:
    """Return the public keys of the server whose key files are in a folder.

    The keys that ``passline keys rotate signing`` replaced are in the same folder. Return None if
    no current signing key can be read.
    """
    path = folder / SIGNING_KEY_FILE
    given = os.environ.get(SIGNING_KEY_VARIABLE)
    current = _public_key(given or _read_file(path))
    if not current:
        return None
    replaced = [_public_key(_read_file(old)) for old in sorted(folder.glob(f"{path.name}.*"))]
    source = SIGNING_KEY_VARIABLE if given else str(path)
    return HousePublicKeys(current, source, tuple(key for key in replaced if key))


def _public_key(text: str) -> str:
    """Return the public key of a signing key (both in hex), or "" if that is malformed."""
    try:
        return SigningKey(parse_hex_key(text)).public_key
    except KeyFileError:
        return ""


def find_day_secrets(folder: Path) -> FindDaySecret:
    """Return a function (day, commitment) that returns the secret of a day's Daily.

    It tries the dice keys in the folder: the current one, and those that ``passline keys rotate
    dice`` replaced. It returns "" if no key fits.
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
