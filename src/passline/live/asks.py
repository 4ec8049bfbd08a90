"""What is asked of a hall, and what it answers: the shapes between the hall and its faces.

A hall is the server's heart without its sockets: tables, roles, the machine's dealing. HTTP, tests
and the fault simulation all speak to it in these. Money is cents here; faces word it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from passline.law.roles import PostName
from passline.layout import Refusal

#: Who holds a post of a crew-dealt table.
Held = Literal["person", "machine", "learner"]


class HallError(Exception):
    """A request that is not carried out: the HTTP status that fits, what is wrong and what was
    expected; where talk was not understood, the words that were, the nearest say, and the same
    without the forms that only a record has; where a clause decides, its citation."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        cite: str = "",
        understood: Sequence[str] = (),
        nearest: str = "",
        plain: str = "",
        retry_after: int = 0,
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.cite = status, message, cite
        self.understood, self.nearest = tuple(understood), nearest
        self.plain = plain
        self.retry_after = retry_after


class OpenAsked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``POST /api/tables``, as its JSON has it: a rulebook's id, or a house file's TOML."""

    name: str = ""
    rulebook: str = ""
    house: str = ""
    game: str = ""
    elections: dict[str, str | int | bool] = {}
    dice: Literal["secure", "typed"] = "secure"
    posts: dict[PostName, Held] = {}
    open: bool = True
    pace: dict[Literal["betting", "shooter"], int] = {}
    buy_ins: Literal["open", "box"] = "open"
    zone: str = ""


class OpenAnswer(Struct, frozen=True):
    """A table's id, and a token for every role but operator and player."""

    table: str
    tokens: dict[str, str]


class SeatAsked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``POST /api/tables/T/seats``: ``buy_in`` is dollars as text, as the contract has money;
    without a ``place`` it is the lowest that is free."""

    name: str
    buy_in: str
    place: int | None = None
    token: str = ""


class SeatAnswer(Struct, frozen=True, kw_only=True):
    """Who sits where; ``seq`` and ``hash`` are those of the entry. ``waits``: for the box (202)."""

    name: str
    place: int
    token: str
    seq: int | None
    hash: str | None
    waits: bool = False


class SayAsked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``POST /api/tables/T/say``."""

    id: str
    say: str
    nonce: str = ""


class SayTaken(Struct, frozen=True, gc=False):
    """One thing that was said: as it was said, in canonical words, and the refusal if there is."""

    said: str
    words: str
    refusal: Refusal | None


class SayAnswer(Struct, frozen=True, kw_only=True, gc=False):
    """What came of a request; ``seq`` and ``hash`` are None when all of it was refused.
    ``waits``: for the box (202)."""

    seq: int | None
    hash: str | None
    entries: tuple[SayTaken, ...]
    waits: bool = False


#: A view as JSON values: what ``GET /api/tables/T`` answers.
ViewTold = Mapping[str, Any]
