"""Write today's rulebooks to the archive, so that logs of today can be audited after a change.

Run it before a release, and before a change of a book whose tables are in use.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

from passline.game.law.archived_books import ARCHIVE_FOLDER, archive_name
from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook

FOLDER = Path(__file__).parents[1] / "src" / "passline" / "game" / "law" / ARCHIVE_FOLDER


def main(folder: Path = FOLDER) -> None:
    """Write a file for each book whose present text has none in the folder, and print its path."""
    folder.mkdir(parents=True, exist_ok=True)
    for book_id in BOOKS:
        book = rulebook(book_id)
        path = folder / archive_name(book.digest)
        if not path.exists():
            path.write_bytes(gzip.compress(book.digest_data(), mtime=0))
            sys.stdout.write(f"{book_id}: {path}\n")


if __name__ == "__main__":
    main()
