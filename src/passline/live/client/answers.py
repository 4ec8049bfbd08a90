"""What a live table's server answers, typed; and the one exception for what it does not."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class ClientError(Exception):
    """A request that was not carried out: the HTTP status (0: no server answered), what is wrong
    and what was expected; where a clause decides, its citation; where talk was not understood, the
    words that were and the nearest say. What the rules refuse is no error, but an answer."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        cite: str = "",
        understood: Sequence[str] = (),
        nearest: str = "",
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.cite = status, message, cite
        self.understood, self.nearest = tuple(understood), nearest


class EntryReceipt(Struct, frozen=True):
    """An entry that the server said it wrote: ``passline audit --receipt`` holds it to that.

    >>> str(EntryReceipt(3, "0f"))
    '3:0f'
    """

    seq: int
    hash: str

    def __str__(self) -> str:
        """As ``--receipt`` takes it."""
        return f"{self.seq}:{self.hash}"


class OpenedTable(Struct, frozen=True):
    """A table that was opened: its address, and a token for every role but operator and player."""

    table: str
    url: str
    tokens: dict[str, str]


class ListedTable(Struct, frozen=True, kw_only=True):
    """A table of the lobby. Money is dollars as text."""

    table: str
    name: str
    rulebook: str
    game: str
    players: int
    seats: int
    minimum: str
    maximum: str
    puck: int | None


class SeatTaken(Struct, frozen=True, kw_only=True):
    """Where one sits. ``waits``: not yet, the box is asked (202)."""

    name: str
    place: int
    token: str
    seq: int | None
    hash: str | None
    waits: bool = False


class Refused(Struct, frozen=True):
    """Why something that was said is not taken, and the clause that says so."""

    reason: str
    cite: str | None = None


class SayHeard(Struct, frozen=True):
    """One thing that was said: as it was said, in canonical words, and its refusal if there is."""

    said: str
    words: str
    refusal: Refused | None = None


class SayOutcome(Struct, frozen=True, kw_only=True):
    """What came of an utterance. ``seq`` and ``hash`` are those of the entry that was written, None
    where all of it was refused. ``waits``: the box is asked (202)."""

    seq: int | None
    hash: str | None
    entries: tuple[SayHeard, ...]
    waits: bool = False

    @property
    def taken(self) -> tuple[str, ...]:
        """What was taken, in canonical words."""
        return tuple(one.words for one in self.entries if one.refusal is None)

    @property
    def refused(self) -> tuple[SayHeard, ...]:
        """What was not."""
        return tuple(one for one in self.entries if one.refusal is not None)


class WagerUp(Struct, frozen=True):
    """A wager on the layout."""

    wager: str
    amount: str
    working: bool


class PlayerSeen(Struct, frozen=True, kw_only=True):
    """A player as the view shows one."""

    name: str
    place: int
    here: bool
    rail: str
    bought_in: str
    wagers: tuple[WagerUp, ...] = ()


class SettledWager(Struct, frozen=True, kw_only=True):
    """What the last throw did to a wager; ``to``: where it travelled."""

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
    """The last throw: its dice, the stick's call, what it settled."""

    dice: tuple[int, int]
    call: str
    settlements: tuple[SettledWager, ...] = ()


class HouseSeen(Struct, frozen=True):
    """The house's figures, for the crew and surveillance."""

    drop: str
    win: str
    vig: str
    tokes: str


class TableView(Struct, frozen=True, kw_only=True):
    """A table as the token's role sees it."""

    table: str
    name: str
    rulebook: str
    game: str
    seq: int
    head: str
    puck: int | None
    shooter: str | None
    dice_out: bool
    commit: str | None
    players: tuple[PlayerSeen, ...]
    last: LastThrow | None
    house: HouseSeen | None = None

    def player(self, name: str) -> PlayerSeen | None:
        """The player of a name; None where there is none."""
        return next((one for one in self.players if one.name == name), None)
