"""Whose a learner's data is: whoever holds the token that was made when the name was taken.

Of a token only the hash is kept: one file a token, and one a name, in the folder of the answers.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, Protocol

import msgspec

from passline.files import create_file
from passline.live.tokens import hash_token
from passline.school.answer_log import LearnerError, clean_learner_name, make_learner_key

SchoolRole = Literal["learner", "instructor"]
_TOKENS_FOLDER: Final = "keys"


class SchoolTokenHolder(msgspec.Struct, frozen=True):
    """Whom a token of the school speaks for."""

    name: str
    role: SchoolRole = "learner"


class LearnerTokens(Protocol):
    """Where the school's tokens are kept. LearnerError where they cannot be."""

    def take(self, token: str, holder: SchoolTokenHolder) -> bool:
        """Keep a token for a name that nobody has; whether nobody had it."""

    def holder(self, token: str) -> SchoolTokenHolder | None:
        """Whom a token speaks for; None: nobody."""

    def drop(self, name: str) -> None:
        """Forget a name's token; the name is free again."""


class FileLearnerTokens:
    """Tokens in the files of a folder, which is made when there is one to keep."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / _TOKENS_FOLDER

    def take(self, token: str, holder: SchoolTokenHolder) -> bool:
        """Keep a token for a name that nobody has; whether nobody had it."""
        holder = SchoolTokenHolder(clean_learner_name(holder.name), holder.role)
        stored = hash_token(token)
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not create_file(self._of_name(holder.name), stored.encode()):
                return False
            return create_file(self._of_token(stored), msgspec.json.encode(holder))
        except OSError as wrong:
            raise LearnerError(f"the school's keys cannot be kept: {wrong.strerror}") from None

    def holder(self, token: str) -> SchoolTokenHolder | None:
        """Whom a token speaks for; None: nobody."""
        stored = hash_token(token)
        try:
            found = msgspec.json.decode(self._of_token(stored).read_bytes(), type=SchoolTokenHolder)
            own = self._of_name(found.name).read_text("ascii")
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as wrong:
            raise LearnerError(f"the school's keys cannot be read: {wrong}") from None
        return found if own == stored else None

    def drop(self, name: str) -> None:
        """Forget a name's token; the name is free again."""
        of_name = self._of_name(name)
        with suppress(FileNotFoundError):
            stored = of_name.read_text("ascii")
            of_name.unlink()
            self._of_token(stored).unlink()

    def _of_name(self, name: str) -> Path:
        return self._folder / f"name-{sha256(make_learner_key(name).encode()).hexdigest()}"

    def _of_token(self, stored: str) -> Path:
        return self._folder / f"token-{stored}"
