"""Prove the house's throws from the log alone, without the server's code.

Before each throw the log holds a dice commitment, the hash of a secret; the throw reveals the
secret. This module must not import `live.dice_proofs`, because it checks that module's work.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from passline.game.words.log import say_log
from passline.live.audit.findings import MAX_NOTES, AuditNote, BadEntryError, NotALogError
from passline.live.log_entries import Entry

#: Return the secret of a Daily, in hex, from its day and the commitment to it; empty if unknown.
FindDaySecret = Callable[[str, str], str]

_HASH_PATTERN = re.compile(r"[0-9a-f]{64}", re.ASCII)
_DAY_PATTERN = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_NONCE_PATTERN = re.compile(r"[A-Za-z0-9_-]{0,64}", re.ASCII)

#: How far the clock that stamps entries may be behind the one that begins a day.
_DAY_SLACK: Final = timedelta(minutes=5)
_PROOF_KEYS = ("secret", "nonce", "next")


def no_day_secret(day: str, commit: str) -> str:
    """Return "", because without a dice key the auditor does not know the secret of any Daily."""
    return ""


def _objects(events: Sequence[Any]) -> list[dict[str, Any]]:
    return [event for event in events if isinstance(event, dict)]


def _has_proof_keys(fair: Any) -> bool:
    return isinstance(fair, dict) and set(fair) == set(_PROOF_KEYS)


def _check_throw(who: str, faces: tuple[int, int], entry: Entry, rolled: list[Any]) -> None:
    """Raise BadEntryError unless both a throw's line and its event show the dice ``faces``.

    ``rolled`` lists the entry's ``rolled`` events, and ``who`` names the source of the dice in
    errors.
    """
    first, second = faces
    if entry.line != f"roll {first} {second}":
        raise BadEntryError("throw-line", source=who, first=first, second=second, line=entry.line)
    if [(one.get("first"), one.get("second")) for one in rolled] != [faces]:
        raise BadEntryError("throw-events", source=who, first=first, second=second)


def _derive_faces(secret: bytes, message: str) -> tuple[int, int]:
    """Return the two faces that follow from a secret and a message.

    Take the bytes below 252 of HMAC-SHA256(secret, "message:0"), then of ":1" and so on. Each of
    the first two, mod 6 plus 1, is a face.
    """
    found: list[int] = []
    turn = 0
    while len(found) < 2:
        told = hmac.new(secret, f"{message}:{turn}".encode(), hashlib.sha256).digest()
        found += [byte % 6 + 1 for byte in told if byte < 252]
        turn += 1
    return found[0], found[1]


def find_commitments(entry: Entry) -> list[str]:
    """Return the new dice commitments of an entry, in hex. `DiceAudit` must have accepted it."""
    fair = entry.fair
    return [commit for commit in (entry.commit, fair.next if fair else "") if commit]


class DiceAudit:
    """Checks the dice of a log, entry by entry.

    ``throws`` counts the proven throws, ``bare`` those of them to which the shooter added no nonce,
    ``typed`` the throws that the crew typed in without proof, and ``unproven`` those of a Daily
    whose secret ``find_day_secret`` does not know. ``fresh`` lists the first few commitments that
    replaced another; ``renewed`` counts them all.
    """

    def __init__(self, table: str, find_day_secret: FindDaySecret = no_day_secret) -> None:
        self._table = table
        self._typed = False
        self._find_day_secret = find_day_secret
        #: A Daily's day, and its secret, None until the first throw needs it.
        self._day = ""
        self._day_secret: str | None = None
        #: Throws that the crew typed in. A correction replaces one, so it does not count.
        self.typed = 0
        #: Throws of a Daily that cannot be proven without the day's secret.
        self.unproven = 0
        self._commit = ""
        self.throws = 0
        self.bare = 0
        self.fresh: list[AuditNote] = []
        self.renewed = 0

    def add_entry(self, entry: Entry) -> None:
        """Check the next entry.

        Raise BadEntryError if a throw is not proven or a dice field is wrong.
        """
        if entry.seq == 0:
            settings = entry.more.get("settings")
            told = settings if isinstance(settings, dict) else {}
            self._typed = told.get("dice") == "typed"
            if told.get("dice") == "daily":
                self._day = str(told.get("day", ""))
                if not _DAY_PATTERN.fullmatch(self._day):
                    raise BadEntryError("daily-no-day")
                # Otherwise a house could search for a day with dice that it likes.
                if (datetime.fromisoformat(entry.at) + _DAY_SLACK).isoformat()[:10] < self._day:
                    raise BadEntryError("daily-early", at=entry.at, day=self._day)
        if "commit" in entry.more:
            self._committed(entry)
        rolled = [e for e in _objects(entry.events) if e.get("event") == "rolled"]
        if self._day:
            self._daily(entry, rolled)
        elif "daily" in entry.more:
            raise BadEntryError("not-daily")
        elif "fair" in entry.more:
            self._thrown(entry, entry.more["fair"], rolled)
        elif self._typed:
            corrected = any(e.get("event") == "throw-corrected" for e in _objects(entry.events))
            self.typed += len(rolled) - corrected
        elif rolled or entry.line.startswith("roll "):
            raise BadEntryError("throw-unproven")

    def _daily(self, entry: Entry, rolled: list[Any]) -> None:
        """Check a throw of a Daily (see `live.daily`): its number, its day and its faces.

        The faces are checked only if the day's secret is known. ``rolled`` lists the entry's
        ``rolled`` events. Raise BadEntryError if one of them is wrong.
        """
        if "fair" in entry.more:
            raise BadEntryError("daily-proof")
        if "daily" not in entry.more:
            if rolled or entry.line.startswith("roll "):
                raise BadEntryError("daily-no-number")
            return
        number = self.throws + self.unproven
        if entry.more["daily"] != number:
            raise BadEntryError("daily-number", number=number, found=entry.more["daily"])
        if entry.at[:10] > self._day:
            raise BadEntryError("daily-late", at=entry.at, day=self._day)
        if self._day_secret is None:
            self._day_secret = self._find_day_secret(self._day, self._commit)
        if not self._day_secret:
            self.unproven += 1
            return
        secret = bytes.fromhex(self._day_secret)
        if hashlib.sha256(secret).hexdigest() != self._commit:
            raise BadEntryError("day-secret")
        faces = _derive_faces(secret, f"daily:{self._day}:{number}:")
        _check_throw("the day", faces, entry, rolled)
        self.throws += 1

    def _committed(self, entry: Entry) -> None:
        """Check the new dice commitment of an entry, and store it to check the next throw.

        Raise BadEntryError if it is malformed or out of place.
        """
        commit = entry.more["commit"]
        if entry.seq == 0 and self._typed and commit == "":
            return
        if self._typed:
            raise BadEntryError("commit-typed")
        if not isinstance(commit, str) or not _HASH_PATTERN.fullmatch(commit):
            raise BadEntryError("commit-form")
        if entry.seq and commit == self._commit:
            raise BadEntryError("commit-same")
        if entry.seq:
            self.renewed += 1
            if len(self.fresh) < MAX_NOTES:
                why = say_log("commit-new", act=entry.act, at=entry.at)
                self.fresh.append(AuditNote(entry.seq, why))
        self._commit = commit

    def _thrown(self, entry: Entry, fair: Any, rolled: list[Any]) -> None:
        """Check a throw of the house's dice against the commitment before it.

        Store the commitment to the next throw. ``fair`` is the entry's proof field, and ``rolled``
        lists its ``rolled`` events. Raise BadEntryError if the throw does not follow from it.
        """
        if self._typed:
            raise BadEntryError("proof-typed")
        told = [fair[key] for key in _PROOF_KEYS] if _has_proof_keys(fair) else []
        if not told or not all(isinstance(value, str) for value in told):
            raise BadEntryError("proof-fields")
        secret, nonce, following = told
        if not (
            _HASH_PATTERN.fullmatch(secret)
            and _HASH_PATTERN.fullmatch(following)
            and _NONCE_PATTERN.fullmatch(nonce)
        ):
            raise BadEntryError("proof-forms")
        if not self._table:  # Older logs lack the id, which only throws need.
            raise NotALogError("no-table-id")
        raw = bytes.fromhex(secret)
        if hashlib.sha256(raw).hexdigest() != self._commit:
            raise BadEntryError("other-secret")
        if following == self._commit:
            raise BadEntryError("commit-revealed")
        faces = _derive_faces(raw, f"{self._table}:{self.throws}:{nonce}")
        _check_throw("the secret", faces, entry, rolled)
        self.throws += 1
        self.bare += not nonce
        self._commit = following
