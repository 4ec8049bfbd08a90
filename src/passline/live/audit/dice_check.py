"""Proving the house's throws from the log alone, by the contract's words and no code of the server:
what was committed to, what was told, and the faces that follow."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import Any

from passline.live.audit.findings import MAX_NOTES, AuditNote, BadEntryError, NotALogError
from passline.live.entries import Entry

_HASH_PATTERN = re.compile(r"[0-9a-f]{64}", re.ASCII)
_NONCE_PATTERN = re.compile(r"[A-Za-z0-9_-]{0,64}", re.ASCII)


def _check_throw(who: str, faces: tuple[int, int], entry: Entry, rolled: list[Any]) -> None:
    """BadEntryError where a throw's line or its events are not what ``who`` throws."""
    thrown = f"{who} throws {faces[0]} {faces[1]}"
    if entry.line != f"roll {faces[0]} {faces[1]}":
        raise BadEntryError(f"{thrown}, and the line is {entry.line[:40]!r}")
    if [(one.get("first"), one.get("second")) for one in rolled] != [faces]:
        raise BadEntryError(f"{thrown}, and the events do not")


def _derive_faces(secret: bytes, message: str) -> tuple[int, int]:
    """The first two bytes below 252 of HMAC-SHA256(secret, "message:0"), then of ":1" and so on,
    each mod 6 plus 1."""
    found: list[int] = []
    turn = 0
    while len(found) < 2:
        told = hmac.new(secret, f"{message}:{turn}".encode(), hashlib.sha256).digest()
        found += [byte % 6 + 1 for byte in told if byte < 252]
        turn += 1
    return found[0], found[1]


class DiceAudit:
    """The dice of a log, entry by entry. ``fresh``: commits that took another's place, the first of
    them listed; ``renewed`` counts them all."""

    def __init__(self, table: str, day_secret: str = "") -> None:
        self._table = table
        self._typed = False
        #: A Daily's day, and its secret if it was told.
        self._day, self._day_secret = "", day_secret
        #: Throws of a Daily that nobody can prove before the day's secret is told.
        self.unproven = 0
        self._commit = ""
        self.throws = 0
        self.bare = 0
        self.fresh: list[AuditNote] = []
        self.renewed = 0

    def take(self, entry: Entry) -> None:
        """The next entry. BadEntryError where it is a throw of the house that is not proven, or says
        of the dice what it may not."""  # noqa: E501
        if entry.seq == 0:
            settings = entry.more.get("settings")
            told = settings if isinstance(settings, dict) else {}
            self._typed = told.get("dice") == "typed"
            self._day = str(told.get("day", "")) if told.get("dice") == "daily" else ""
        if "commit" in entry.more:
            self._committed(entry)
        rolled = [e for e in entry.events if isinstance(e, dict) and e.get("event") == "rolled"]
        if self._day:
            self._daily(entry, rolled)
        elif "daily" in entry.more:
            raise BadEntryError("a day's throw, and this table is no Daily")
        elif "fair" in entry.more:
            self._thrown(entry, entry.more["fair"], rolled)
        elif not self._typed and (rolled or entry.line.startswith("roll ")):
            raise BadEntryError("a throw of the house's dice without its proof (fair)")

    def _daily(self, entry: Entry, rolled: list[Any]) -> None:
        """A throw of a day: in its order, on its day, and by its secret once that is told."""
        if "fair" in entry.more:
            raise BadEntryError("a proof (fair), and the dice are the day's here")
        if "daily" not in entry.more:
            if rolled or entry.line.startswith("roll "):
                raise BadEntryError("a throw of a Daily that is not numbered (daily)")
            return
        number = self.throws + self.unproven
        if entry.more["daily"] != number:
            raise BadEntryError(
                f"throw {number} of the day is due, not {entry.more['daily']!r}"[:200]
            )
        if entry.at[:10] > self._day:
            raise BadEntryError(f"thrown at {entry.at}, when its day, {self._day}, was over")
        if not self._day_secret:
            self.unproven += 1
            return
        secret = bytes.fromhex(self._day_secret)
        if hashlib.sha256(secret).hexdigest() != self._commit:
            raise BadEntryError("the day's secret is not the one that was committed to")
        faces = _derive_faces(secret, f"daily:{self._day}:{number}:")
        _check_throw("the day", faces, entry, rolled)
        self.throws += 1

    def _committed(self, entry: Entry) -> None:
        commit = entry.more["commit"]
        if entry.seq == 0 and self._typed and commit == "":
            return
        if self._typed:
            raise BadEntryError("a commit, and the dice are typed in here")
        if not isinstance(commit, str) or not _HASH_PATTERN.fullmatch(commit):
            raise BadEntryError("the commit is no SHA-256 in hex")
        if entry.seq and commit == self._commit:
            raise BadEntryError("the fresh commit is the one that stood already")
        if entry.seq:
            self.renewed += 1
            if len(self.fresh) < MAX_NOTES:
                self.fresh.append(
                    AuditNote(entry.seq, f"a fresh commit ({entry.act}) at {entry.at}")
                )
        self._commit = commit

    def _thrown(self, entry: Entry, fair: Any, rolled: list[Any]) -> None:
        if self._typed:
            raise BadEntryError("a proof (fair), and the dice are typed in here")
        told = [fair.get(key) for key in ("secret", "nonce", "next")] if _is_proof(fair) else []
        if not told:
            raise BadEntryError("fair is not as it should be: expected secret, nonce and next")
        secret, nonce, following = told
        if not (
            _HASH_PATTERN.fullmatch(secret)
            and _HASH_PATTERN.fullmatch(following)
            and _NONCE_PATTERN.fullmatch(nonce)
        ):
            raise BadEntryError(
                "fair is not as it should be: 64 hex digits, a nonce, 64 hex digits"
            )
        if not self._table:  # an older log may not say; without throws nobody need know
            raise NotALogError("the log does not tell which table's it is: expected --table T")
        raw = bytes.fromhex(secret)
        if hashlib.sha256(raw).hexdigest() != self._commit:
            raise BadEntryError("the secret is not the one that was committed to")
        if following == self._commit:
            raise BadEntryError("the next throw is committed to a secret that this entry reveals")
        faces = _derive_faces(raw, f"{self._table}:{self.throws}:{nonce}")
        _check_throw("the secret", faces, entry, rolled)
        self.throws += 1
        self.bare += not nonce
        self._commit = following


def _is_proof(fair: Any) -> bool:
    return isinstance(fair, dict) and all(
        isinstance(fair.get(key), str) for key in ("secret", "nonce", "next")
    )
