"""Earlier versions of the shipped rulebooks, to replay old logs by the rules of their time.

The folder ``archive`` has a file for each, named by the book's digest; a log's opening event holds
the digest of its book. The digest is the SHA-256 of the file's content, so a changed file is
noticed. ``tools/archive_law.py`` writes the files of today's books; run it before you change a
book.
"""

from __future__ import annotations

import gzip
import re
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

import msgspec

from passline.game.law.book import Book

ARCHIVE_FOLDER: Final = "archive"
_DIGEST_PATTERN = re.compile(r"[0-9a-f]{64}", re.ASCII)


def archive_name(digest: str) -> str:
    """Return the file name of the book with a digest."""
    return f"{digest}.json.gz"


@lru_cache(16)
def archived_book(digest: str) -> Book | None:
    """Return the archived book with a digest, or None if there is none that can be read."""
    if not _DIGEST_PATTERN.fullmatch(digest):
        return None
    file = files("passline.game.law") / ARCHIVE_FOLDER / archive_name(digest)
    try:
        data = gzip.decompress(file.read_bytes())
        if sha256(data).hexdigest() != digest:
            return None
        fields, order = msgspec.json.decode(data)
        fields["wager"] = {slug: fields["wager"][slug] for slug in order}
        return msgspec.convert(fields, Book, strict=True)
    except (OSError, EOFError, LookupError, TypeError, ValueError, msgspec.MsgspecError):
        return None
