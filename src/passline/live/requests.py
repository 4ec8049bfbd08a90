"""What is asked of a hall, and what it answers: the shapes between the hall and its faces.

A hall is the server's heart without its sockets: tables, roles, the machine's dealing. HTTP, tests
and the fault simulation all speak to it in these. Money is cents here; faces word it.

Names at a live table: as in a record, no two that look alike, and not the house's.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from msgspec import Struct

from passline.game.law.roles import POSTS, PostName
from passline.game.layout.stakes import Refusal
from passline.record.read import check_player_name
from passline.talk.errors import RecordError
from passline.text import fold_look_alikes as looks

__all__ = [
    "check_seat_name",
    "looks",
]

#: Who holds a post of a crew-dealt table.
PostHolder = Literal["person", "machine", "learner"]


#: Why a request was not carried out. `web.responses` maps each code to an HTTP status.
ErrorCode = Literal[
    "invalid",
    "unauthorized",
    "forbidden",
    "not_found",
    "method_not_allowed",
    "conflict",
    "too_large",
    "not_understood",
    "too_many_requests",
    "not_supported",
    "unavailable",
]


class ServiceError(Exception):
    """A request that is not carried out: the HTTP status that fits, what is wrong and what was
    expected; where talk was not understood, the words that were, the nearest say, and the same
    without the forms that only a record has; where a clause decides, its citation."""

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        cite: str = "",
        understood: Sequence[str] = (),
        nearest: str = "",
        plain: str = "",
        retry_after: int = 0,
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.cite = code, message, cite
        self.understood, self.nearest = tuple(understood), nearest
        self.plain = plain
        self.retry_after = retry_after


class OpenTableRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``POST /api/tables``, as its JSON has it: a rulebook's id, or a house file's TOML."""

    name: str = ""
    rulebook: str = ""
    house: str = ""
    game: str = ""
    elections: dict[str, str | int | bool] = {}
    dice: Literal["secure", "typed"] = "secure"
    posts: dict[PostName, PostHolder] = {}
    open: bool = True
    pace: dict[Literal["betting", "shooter"], int] = {}
    buy_ins: Literal["open", "box"] = "open"
    zone: str = ""


class OpenTableResponse(Struct, frozen=True):
    """A table's id, and a token for every role but operator and player."""

    table: str
    tokens: dict[str, str]


class SeatRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``POST /api/tables/T/seats``: ``buy_in`` is dollars as text, as the contract has money;
    without a ``place`` it is the lowest that is free."""

    name: str
    buy_in: str
    place: int | None = None
    token: str = ""


class SeatResponse(Struct, frozen=True, kw_only=True):
    """Who sits where; ``seq`` and ``hash`` are those of the entry. ``waits``: for the box (202)."""

    name: str
    place: int
    token: str
    seq: int | None
    hash: str | None
    waits: bool = False


class LineRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``POST /api/tables/T/say``."""

    id: str
    say: str
    nonce: str = ""


class LineResult(Struct, frozen=True, gc=False):
    """One thing that was said: as it was said, in canonical words, and the refusal if there is."""

    said: str
    words: str
    refusal: Refusal | None


class LineResponse(Struct, frozen=True, kw_only=True, gc=False):
    """What came of a request; ``seq`` and ``hash`` are None when all of it was refused.
    ``waits``: for the box (202)."""

    seq: int | None
    hash: str | None
    entries: tuple[LineResult, ...]
    waits: bool = False


_MAX_ID_LENGTH: Final = 200

#: A view as JSON values: what ``GET /api/tables/T`` answers.
TableViewJson = Mapping[str, Any]


#: Nobody's name: who speaks for the house. In a log, a record and a view a player `box` would be
#: taken for the box; entries by `machine` are the machine's own; and with a player `limits` there
#: the floor could post none.
_RESERVED_NAMES: Final = frozenset(
    looks(word)
    for word in (
        *(post.name for post in POSTS),
        *("machine", "operator", "house", "watcher", "surveillance", "player", "nobody", "limits"),
    )
)


def check_seat_name(name: str) -> str:
    """A name that a player, or whoever has a post, can have. ServiceError where it is none."""
    try:
        found = check_player_name(unicodedata.normalize("NFC", name))
    except RecordError as wrong:
        raise ServiceError("invalid", wrong.message) from None
    if looks(found) in _RESERVED_NAMES:
        raise ServiceError(
            "invalid", f"{found!r} speaks for the house: expected a name of your own"
        )
    return found


def check_request_id(request_id: str) -> None:
    """Raise ServiceError (``invalid``) unless this can be the ``id`` of a request."""
    if not (0 < len(request_id) <= _MAX_ID_LENGTH and request_id.isprintable()):
        raise ServiceError("invalid", f"id: use 1 to {_MAX_ID_LENGTH} printable characters.")
