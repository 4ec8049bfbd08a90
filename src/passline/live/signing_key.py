"""The house's signing key: Ed25519 signatures that prove what the house has acknowledged.

A server signs the receipts of log entries, and the school signs its certificates; both take the key
from `TableService.signing_key`. Anybody who has the public key can check a signature with
`verify_signature`. The server publishes the public key at ``/.well-known/passline.json``, and each
table's log has it in entry 0.

The key is ``PASSLINE_SIGNING_KEY`` (64 hex digits) or the file ``signing.key`` in the folder of the
logs, which the first start creates. Servers that share a database must have the same key.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from secrets import token_hex
from typing import Final

from passline.live.dice_proofs import KEY_BYTES, KeyFileError, load_or_create_key, parse_hex_key

SIGNING_KEY_VARIABLE: Final = "PASSLINE_SIGNING_KEY"
SIGNING_KEY_FILE: Final = "signing.key"
_PUBLIC_KEY_PATTERN = re.compile(r"[0-9a-f]{64}", re.ASCII)
_SIGNATURE_PATTERN = re.compile(r"[0-9a-f]{128}", re.ASCII)


class SigningKey:
    """The private key of a house. ``seed`` is its 32 secret bytes.

    >>> key = SigningKey(bytes(32))
    >>> verify_signature(key.public_key, "t1:7:00ff", key.sign("t1:7:00ff"))
    True
    >>> verify_signature(key.public_key, "t1:8:00ff", key.sign("t1:7:00ff"))
    False
    """

    def __init__(self, seed: bytes) -> None:
        # Imported here so that programs which sign nothing work without the package.
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        #: The public half, 64 hex digits.
        self.public_key: str = self._key.public_key().public_bytes_raw().hex()

    def sign(self, text: str) -> str:
        """Return the signature of a text's UTF-8 bytes, 128 hex digits."""
        return self._key.sign(text.encode()).hex()


def verify_signature(public_key: str, text: str, signature: str) -> bool:
    """Return whether the owner of a public key signed a text. Key and signature are hex digits.

    Return False for a key or a signature that is malformed.
    """
    if not (is_public_key(public_key) and _SIGNATURE_PATTERN.fullmatch(signature)):
        return False
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
        key.verify(bytes.fromhex(signature), text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def is_public_key(text: str) -> bool:
    """Return whether a text has the form of a public key: 64 lower-case hex digits."""
    return _PUBLIC_KEY_PATTERN.fullmatch(text) is not None


def load_signing_key(folder: Path) -> SigningKey:
    """Return the house's signing key: from the environment, else from its file in a folder.

    The file is created if it is missing. Raise KeyFileError if there is no usable key.
    """
    given = os.environ.get(SIGNING_KEY_VARIABLE)
    path = folder / SIGNING_KEY_FILE
    try:
        return SigningKey(parse_hex_key(given or load_or_create_key(path, token_hex(KEY_BYTES))))
    except KeyFileError as wrong:
        raise KeyFileError(f"{SIGNING_KEY_VARIABLE if given else path}: {wrong}") from None


def format_receipt(key: SigningKey, table: str, seq: int, entry_hash: str) -> str:
    """Return an entry's signed receipt, ``SEQ:HASH:SIGNATURE``. It signs ``TABLE:SEQ:HASH``."""
    return f"{seq}:{entry_hash}:{key.sign(f'{table}:{seq}:{entry_hash}')}"
