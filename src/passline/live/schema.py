"""The schema of live tables: every request, response and view, and the service's error. Pure.

The server (`web.table_api`), the Python client (`live.client`) and the pages all use these structs.
Money is dollars as text in JSON. This module does not know HTTP statuses: a `ServiceError` has a
code, and `web.responses` maps codes to statuses.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any, Final, Literal, get_args

import msgspec
from msgspec import Struct

from passline.game.law.roles import POSTS, PostName
from passline.game.layout.stakes import Refusal
from passline.game.words.live import say_live
from passline.record.read import check_player_name
from passline.talk.errors import RecordError
from passline.text import fold_look_alikes, join_name

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
    """A request was not carried out. It has a code, and a message that says what to do instead.

    ``reason`` is either a code of `game.words.live`, which fills the ``figures`` into its message,
    or an `ErrorCode` with the message in full. ``cite`` is the clause that decides, if one does. If
    a line of talk was not understood, ``understood`` holds the words that were, ``nearest`` the
    closest known phrase, and ``plain`` the message without examples. ``retry_after`` is the seconds
    to wait. ``public`` is the message that clients read, if ``message`` is only for the operator
    because it names files or databases. ``limit`` names the limit that a request exceeds, for the
    operator's metrics; by default ``reason`` does.

    >>> error = ServiceError("unknown-table", table="abc")
    >>> error.code, error.message
    ('not_found', "There is no table 'abc'.")
    """

    def __init__(
        self,
        reason: str,
        message: str = "",
        /,
        *,
        cite: str = "",
        understood: Sequence[str] = (),
        nearest: str = "",
        plain: str = "",
        retry_after: int = 0,
        public: str = "",
        limit: str = "",
        **figures: object,
    ) -> None:
        message = message or say_live(reason, **figures)
        super().__init__(message)
        self.code, self.message, self.cite = _CODE_BY_REASON[reason], message, cite
        self.understood, self.nearest = tuple(understood), nearest
        self.plain, self.public = plain, public or message
        self.retry_after, self.limit = retry_after, limit or reason


#: The codes of `words.live` by the kind of error that they are.
REASONS: Final[dict[ErrorCode, str]] = {
    "invalid": "token-form unknown-role reserved-name buy-in-amount buy-in-too-high place-number "
    "rulebook-or-house unknown-rulebook table-name pace-seconds machine-dice "
    "typed-dice-stick unknown-zone request-id nonce-form",
    "unauthorized": "invalid-token private-table invitation-missing",
    "forbidden": "invitation-invalid floor-gives-tokens buy-in-declined no-seat only-yourself "
    "daily-chips dice-are-real house-throws throw-proven token-watches no-post post-missing "
    "learner-at-post "
    "machine-at-post post-relieved crew-tenders other-roles named-roles never-by-role "
    "dice-uncalled other-end center-only operator-opens",
    "not_found": "unknown-table unknown-day",
    "conflict": "token-taken similar-name name-taken invited-name repeated-id daily-played "
    "daily-published",
    "not_understood": "not-loggable long-line empty-line line-comment separate-line missing-bet "
    "no-buy-in-asked unknown-player",
    "too_many_requests": "too-many-hosted",
    "not_supported": "session-extra",
    "unavailable": "all-hosted table-moved newer-version unreadable-log store-failed daily-full",
}
_CODE_BY_REASON: Final[dict[str, ErrorCode]] = {
    reason: code
    for code in get_args(ErrorCode)
    for reason in (code, *REASONS.get(code, "").split())
}


class OpenTableRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of ``POST /api/tables``: a rulebook's id or a house file, and the settings.

    ``elections`` are the house's choices by key. ``posts`` says who works each post, ``pace`` how
    many seconds there are to bet and to throw, and ``buy_ins`` whether the boxperson must agree to
    them. ``open`` means that anyone may watch and join.
    """

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
    """The table that was opened: its id, its page's URL, and a token for each role.

    There is no token for the operator or for players. The service leaves ``url`` empty, and the web
    server fills it in.
    """

    table: str
    url: str
    tokens: dict[str, str]


class ListedTable(Struct, frozen=True, kw_only=True):
    """One table of the lobby (``GET /api/tables``). Money is dollars as text."""

    table: str
    name: str
    rulebook: str
    game: str
    players: int
    seats: int
    minimum: str
    maximum: str
    puck: int | None


class SeatRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of ``POST /api/tables/T/seats``. ``buy_in`` is dollars as text.

    ``place`` is the seat position, None for the lowest free one. ``token`` is either the token that
    the client chose for the seat, or an invitation.
    """

    name: str
    buy_in: str
    place: int | None = None
    token: str = ""


class SeatResponse(Struct, frozen=True, kw_only=True):
    """The seat, its token, and the ``seq`` and ``hash`` of the log entry that seated the player.

    ``receipt`` is that entry's signed receipt (see `live.signing_key`). ``place`` is the seat
    position. ``pending`` means that the boxperson must agree first; in HTTP it is the status 202
    and not a field of the JSON.
    """

    name: str
    place: int
    token: str
    seq: int | None
    hash: str | None
    receipt: str | None = None
    pending: bool = False


class TokenRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of ``POST`` and ``DELETE /api/tables/T/tokens``."""

    role: str
    name: str = ""


class TokenResponse(Struct, frozen=True):
    """The response to ``POST /api/tables/T/tokens``: the new token."""

    token: str


class CookieRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of ``POST /api/tables/T/cookie``: the token to store in a cookie.

    With ``host`` the token goes into a second cookie, so that a host can also have a seat.
    """

    token: str
    host: bool = False


class LineRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of ``POST /api/tables/T/say``: a line of commands, its unique id, and a nonce.

    The nonce is random text from the shooter's browser, which goes into the dice of a throw.
    """

    id: str
    say: str
    nonce: str = ""


class LineDecision(Struct, frozen=True, gc=False):
    """The engine's decision about one command of a line. ``refusal`` is None if it was accepted.

    ``said`` is the command as it was sent, ``words`` the same command in canonical words. `web`
    turns the refusal into a sentence.
    """

    said: str
    words: str
    refusal: Refusal | None


class LineOutcome(Struct, frozen=True, kw_only=True, gc=False):
    """What the service did with a line: the log entry that it wrote, and each command's decision.

    ``seq``, ``hash`` and ``receipt`` (signed) belong to the entry and are None if every command was
    refused. ``pending`` means that the boxperson must agree first (HTTP status 202).
    """

    seq: int | None
    hash: str | None
    entries: tuple[LineDecision, ...]
    pending: bool = False
    receipt: str | None = None


class RefusalReason(Struct, frozen=True):
    """Why a command was refused, as a sentence, and the clause that decides."""

    reason: str
    cite: str | None = None


class LineResult(Struct, frozen=True):
    """The result of one command: as sent, in canonical words, and its refusal if any."""

    said: str
    words: str
    refusal: RefusalReason | None = None


class LineResponse(Struct, frozen=True, kw_only=True):
    """The response to ``say``: the entry that was written and the result of each command.

    ``seq``, ``hash`` and ``receipt`` (``SEQ:HASH:SIGNATURE``) are None if every command was
    refused. ``pending`` means that the boxperson must agree first; in HTTP it is the status 202 and
    not a field of the JSON.
    """

    seq: int | None
    hash: str | None
    entries: tuple[LineResult, ...]
    pending: bool = False
    receipt: str | None = None

    @property
    def accepted(self) -> tuple[str, ...]:
        """The commands that were accepted, in canonical words."""
        return tuple(result.words for result in self.entries if result.refusal is None)

    @property
    def refused(self) -> tuple[LineResult, ...]:
        """The commands that were refused."""
        return tuple(result for result in self.entries if result.refusal is not None)


class ErrorResponse(Struct, frozen=True):
    """The body of every response with a status of 400 or above."""

    error: str
    cite: str | None = None
    understood: tuple[str, ...] = ()
    nearest: str = ""


class OpenWager(Struct, frozen=True):
    """A bet on the layout: its slug, its dollars, and whether it works on the next throw."""

    wager: str
    amount: str
    working: bool


class PlayerView(Struct, frozen=True, kw_only=True):
    """A player at the table, as everybody sees them.

    ``place`` is the seat position; ``rail`` and ``bought_in`` are dollars.
    """

    name: str
    place: int
    here: bool
    rail: str
    bought_in: str
    wagers: tuple[OpenWager, ...] = ()


class SettledWager(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the last throw did to a bet. ``to`` is the wager that a come bet became, if any.

    ``stake``, ``paid`` and ``vig`` are dollars; ``cite`` is the clause that decided.
    """

    player: str
    wager: str
    stake: str
    result: str
    odds: str | None
    paid: str
    vig: str
    cite: str
    to: str | None = None


class LastThrow(Struct, frozen=True):
    """The last throw: its dice, the stickperson's call and what it settled."""

    dice: tuple[int, int]
    call: str
    settlements: tuple[SettledWager, ...] = ()


class LineBetRequest(Struct, frozen=True):
    """The line bet that the rulebook demands before the next throw.

    ``of`` is the player who must make it, or None if every player has declined the dice.
    ``wagers`` are the bets that would do, and ``cite`` is the clause.
    """

    of: str | None
    wagers: tuple[str, ...]
    cite: str


class PaceView(Struct, frozen=True):
    """How many seconds there are to bet before each throw, and for the shooter to throw."""

    betting: int
    shooter: int


class HouseFigures(Struct, frozen=True):
    """The house's money, for the crew and surveillance.

    In dollars: the cash dropped, what the house won, its vigorish, and the dealers' tips.
    """

    drop: str
    win: str
    vig: str
    tokes: str


class PendingBuyIn(Struct, frozen=True):
    """A buy-in that the boxperson has not answered yet: dollars, and the seat position wanted."""

    name: str
    amount: str
    place: int | None


def to_json_value(message: object) -> Any:
    """Return a message as the plain dicts and lists that its JSON decodes to."""
    return msgspec.json.decode(msgspec.json.encode(message))


class TableView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table as the token's role sees it (``GET /api/tables/T``).

    ``seq`` and ``head`` are the number and hash of the last log entry, ``commit`` is the dice
    commitment, ``due`` who throws next, and ``ready`` the players who are. Only the crew and
    surveillance get ``house`` (the house's money), ``work`` (the crew's tasks) and ``asking``
    (buy-ins that wait for the boxperson).
    """

    table: str
    name: str
    rulebook: str
    game: str
    seq: int
    head: str
    status: str
    puck: int | None
    shooter: str | None
    due: str | None
    asks: LineBetRequest | None
    dice_out: bool
    commit: str | None
    players: tuple[PlayerView, ...]
    last: LastThrow | None
    posts: dict[str, str]
    pace: PaceView
    ready: tuple[str, ...]
    role: str
    house: HouseFigures | None = None
    work: tuple[dict[str, Any], ...] | None = None
    asking: tuple[PendingBuyIn, ...] | None = None

    def player(self, name: str) -> PlayerView | None:
        """Return the player of this name, or None if nobody at the table has it."""
        return next((player for player in self.players if player.name == name), None)


_MAX_ID_LENGTH: Final = 200

#: Names that no player may have. In a log a player named `box` would look like the boxperson, an
#: entry by `machine` is the server's own, and `limits` begins a line of the floor.
_RESERVED_NAMES: Final = frozenset(
    fold_look_alikes(word)
    for word in (
        *(post.name for post in POSTS),
        *("machine", "operator", "house", "watcher", "surveillance", "player", "nobody", "limits"),
    )
)


def check_seat_name(name: str) -> str:
    """Return the name of a player or dealer in normal form.

    Raise ServiceError if a record cannot hold the name, or if it is reserved, such as ``box``.
    """
    try:
        found = check_player_name(join_name(unicodedata.normalize("NFC", name)))
    except RecordError as wrong:
        raise ServiceError("invalid", wrong.message) from None
    if fold_look_alikes(found) in _RESERVED_NAMES:
        raise ServiceError("reserved-name", name=found)
    return found


def check_request_id(request_id: str) -> None:
    """Raise ServiceError unless ``request_id`` has 1 to 200 characters, all of them printable."""
    if not (0 < len(request_id) <= _MAX_ID_LENGTH and request_id.isprintable()):
        raise ServiceError("request-id", most=_MAX_ID_LENGTH)
