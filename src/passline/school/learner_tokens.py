"""Learners' tokens. A token is made with a name and gives access to that learner's data.

Only hashes are stored. A folder has one file for each token and one for each name.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, Protocol

import msgspec

from passline.files import create_file, make_private_folder
from passline.live.tokens import hash_token
from passline.school.answer_log import (
    AnswerStore,
    FileAnswerStore,
    LearnerError,
    clean_learner_name,
    make_learner_key,
)
from passline.school.audition_attempts import AttemptStore, FileAttemptStore

SchoolRole = Literal["learner", "instructor"]
_TOKENS_FOLDER: Final = "keys"


class SchoolTokenHolder(msgspec.Struct, frozen=True):
    """Whom a token of the school belongs to: the learner's name and role."""

    name: str
    role: SchoolRole = "learner"


class LearnerTokens(Protocol):
    """A store of the school's tokens. Every method may raise LearnerError."""

    def take(self, token: str, holder: SchoolTokenHolder) -> bool:
        """Store a token's hash for ``holder``. Return False if the name already has a token."""

    def holder(self, token: str) -> SchoolTokenHolder | None:
        """Return the name and role that a token belongs to, or None if it is unknown."""

    def drop(self, name: str) -> None:
        """Delete any token of a name, so that a new one can be stored."""

    def find_role(self, name: str) -> SchoolRole | None:
        """Return the role of a name's token, or None if it has none."""


class FileLearnerTokens:
    """Stores tokens in a folder. The first token creates the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / _TOKENS_FOLDER

    def take(self, token: str, holder: SchoolTokenHolder) -> bool:
        """Store a token's hash for ``holder``. Return False if the name already has a token."""
        return self.take_hash(hash_token(token), holder)

    def take_hash(self, token_hash: str, holder: SchoolTokenHolder) -> bool:
        """Store the hash of a token. Return False if the name already has a token.

        Raise LearnerError if the files cannot be written.
        """
        holder = SchoolTokenHolder(clean_learner_name(holder.name), holder.role)
        try:
            make_private_folder(self._folder)
            if not create_file(self._of_name(holder.name), token_hash.encode(), 0o600):
                return False
            return create_file(self._of_token(token_hash), msgspec.json.encode(holder), 0o600)
        except OSError as error:
            raise LearnerError("learner.tokens-stored", error=error.strerror) from None

    def holder(self, token: str) -> SchoolTokenHolder | None:
        """Return the name and role that a token belongs to, or None if it is unknown.

        Raise LearnerError if the files cannot be read.
        """
        stored = hash_token(token)
        try:
            found = msgspec.json.decode(self._of_token(stored).read_bytes(), type=SchoolTokenHolder)
            own = self._of_name(found.name).read_text("ascii")
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise LearnerError("learner.tokens-read", error=error) from None
        return found if own == stored else None

    def list_holders(self) -> list[tuple[str, SchoolTokenHolder]]:
        """Return (hash, holder) of every undamaged token file, for a backup."""
        found = []
        for path in sorted(self._folder.glob("token-*")):
            with suppress(OSError, ValueError, msgspec.MsgspecError):
                holder = msgspec.json.decode(path.read_bytes(), type=SchoolTokenHolder)
                found.append((path.name.removeprefix("token-"), holder))
        return found

    def drop(self, name: str) -> None:
        """Delete any token of a name, so that a new one can be stored."""
        of_name = self._of_name(name)
        with suppress(FileNotFoundError):
            stored = of_name.read_text("ascii")
            of_name.unlink()
            self._of_token(stored).unlink()

    def find_role(self, name: str) -> SchoolRole | None:
        """Return the role of a name's token, or None if it has none.

        If the token's own file is missing, return "learner". Raise LearnerError if a file cannot be
        read.
        """
        try:
            stored = self._of_name(name).read_text("ascii")
            data = self._of_token(stored).read_bytes()
            return msgspec.json.decode(data, type=SchoolTokenHolder).role
        except FileNotFoundError:
            return "learner" if self._of_name(name).exists() else None
        except (OSError, ValueError) as error:
            raise LearnerError("learner.tokens-read", error=error) from None

    def _of_name(self, name: str) -> Path:
        return self._folder / f"name-{sha256(make_learner_key(name).encode()).hexdigest()}"

    def _of_token(self, token_hash: str) -> Path:
        return self._folder / f"token-{token_hash}"


def open_learner_stores(place: Path | str) -> tuple[AnswerStore, LearnerTokens, AttemptStore]:
    """Return the server's stores at ``place``, a folder or a database URL.

    They are (answers, tokens, attempts at auditions). Their calls block, so run them in a thread.
    ``open_store`` updates the database schema.
    """
    if isinstance(place, Path):
        folder = place / "school"
        return FileAnswerStore(folder), FileLearnerTokens(folder), FileAttemptStore(folder)
    from passline.school import postgres_learners as database

    answers = database.PostgresAnswerStore(place)
    tokens = database.PostgresLearnerTokens(answers)
    return answers, tokens, database.PostgresAttemptStore(answers)
