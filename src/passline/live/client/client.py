"""The client: one server, perhaps one of its tables, and whoever speaks there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPException
from secrets import token_hex
from time import sleep
from typing import Any, Final, Literal
from urllib.parse import quote

import msgspec

from passline.live.client.answers import (
    ClientError,
    EntryReceipt,
    ListedTable,
    OpenedTable,
    SayOutcome,
    SeatTaken,
    TableView,
)
from passline.live.client.following import SILENCE, HeldChain, LogStream
from passline.live.client.wire import (
    HttpReply,
    ServerWire,
    bearer,
    error_of,
    read_address,
    read_reply,
)
from passline.live.entries import ChainError, Entry, EntryError, Head, entry_of, read_entry
from passline.live.tokens import new_token

#: For how many seconds a client goes on trying: a server that starts again is back by then.
PATIENCE: Final = 60.0


class Client:
    """A server of live tables, and the table that its address names, spoken to by one token.

    ``url`` is a server's address or a table's (``http://127.0.0.1:7117/t/TABLE``), perhaps with a
    token after ``#``, as invitations have it. ``token`` goes before that one: a seat's, a post's
    or the house key. Whatever is asked is asked again by itself after a lost reply, a 503 and a
    429, for ``patience`` seconds; nothing is ever done twice by that. ClientError is raised for
    what is not carried out, ValueError for an address that is none.

    ``receipts`` holds the number and hash of every entry that the server said it wrote. What is
    read of the log is held to them, and to its chain: ChainError where it is not whole.
    """

    def __init__(
        self,
        url: str,
        token: str = "",
        *,
        patience: float = PATIENCE,
        rest: Callable[[float], None] = sleep,
    ) -> None:
        self.base, self.table, own = read_address(url)
        self.token = token or own
        self.name = ""
        self._wire = ServerWire(self.base, patience, rest)
        self._receipts: dict[int, str] = {}
        #: The token made for each name: who asks for a seat again asks for the same one.
        self._seat_tokens: dict[str, str] = {}
        self._head: Head | None = None
        self._streams: list[LogStream] = []

    @property
    def patience(self) -> float:
        """For how many seconds it goes on trying."""
        return self._wire.patience

    @patience.setter
    def patience(self, seconds: float) -> None:
        """From now on."""
        self._wire.patience = seconds

    @property
    def url(self) -> str:
        """The table's address for people; the server's where no table is meant."""
        return f"{self.base}/t/{self.table}" if self.table else self.base

    @property
    def receipts(self) -> tuple[EntryReceipt, ...]:
        """What the server said it wrote for us, in the order of the log."""
        return tuple(EntryReceipt(seq, self._receipts[seq]) for seq in sorted(self._receipts))

    def at(self, table: str, token: str = "") -> Client:
        """A client of another table of this server; without a token, it only reads."""
        found = Client(self.base, token, patience=self.patience, rest=self._wire.rest)
        found.table = table
        return found

    def close(self) -> None:
        """End the streams that are followed, and close the connection."""
        for stream in self._streams:
            stream.end()
        self._wire.close()

    def __enter__(self) -> Client:
        """Closed when left."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    # At the table.

    def sit(self, name: str, buy_in: str, *, place: int = 0) -> SeatTaken:
        """Sit down; from then on the client speaks for this seat. The seat's token is made here,
        so that a lost reply is asked for again; an invitation's goes with it."""
        token = self._seat_tokens.setdefault(name, new_token())
        body: dict[str, object] = {"name": name, "buy_in": buy_in, "token": token}
        if place:
            body["place"] = place
        reply = self._ask("POST", "/seats", body)
        seat = read_reply(reply, SeatTaken)
        self.token, self.name = seat.token, seat.name
        self._keep(seat.seq, seat.hash)
        return msgspec.structs.replace(seat, waits=reply.status == 202)

    def say(self, words: str, *, id: str = "", nonce: str = "") -> SayOutcome:  # noqa: A002
        """Say something: what a player says, or a line of a record where a post is held.

        ``id`` is made here once for each utterance, and so is the ``nonce`` that a throw of the
        house's dice takes in, from the secure source. With an id of one's own, an utterance can be
        repeated later: if it was taken, it gets the same answer and nothing is done again.
        """
        body = {"id": id or token_hex(12), "say": words, "nonce": nonce or token_hex(16)}
        reply = self._ask("POST", "/say", body)
        said = read_reply(reply, SayOutcome)
        self._keep(said.seq, said.hash)
        return msgspec.structs.replace(said, waits=reply.status == 202)

    def roll(self) -> SayOutcome:
        """Have the house's dice thrown, with a nonce of our own."""
        return self.say("roll")

    def leave(self) -> SayOutcome:
        """Leave the table: what may come down comes down."""
        return self.say("leave")

    def _keep(self, seq: int | None, hash_: str | None) -> None:
        if seq is None or hash_ is None:
            return
        if self._receipts.setdefault(seq, hash_) != hash_:
            raise ChainError(seq, "two receipts for one entry")

    # Reading.

    def lobby(self) -> list[ListedTable]:
        """The open tables."""
        return read_reply(self._wire.ask("GET", "/api/tables"), list[ListedTable])

    def view(self) -> TableView:
        """The table as it stands, as the token's role sees it."""
        return read_reply(self._ask("GET"), TableView)

    def entries(self, after: int = -1) -> list[Entry]:
        """The entries after a number, a thousand at most, held to their chain."""
        reply = self._ask("GET", f"/events?after={after}")
        page = read_reply(reply, dict[str, list[Any]]).get("entries", [])
        chain = HeldChain(self._receipts)
        chain.begin(after)
        try:
            return [chain.take(entry_of(fields)) for fields in page]
        except EntryError as wrong:
            raise ClientError(reply.status, f"no entry of a log: {wrong}") from None

    def follow(self, after: int = -1) -> Iterator[Entry]:
        """Entries from the one after a number, as they come, without end. It comes back by itself
        after a lost connection, a restart and ``bye``; ``close`` ends it."""
        chain = HeldChain(self._receipts, self._head)
        stream = LogStream(self._wire, self._path("/events"), self.token, chain, after)
        self._streams.append(stream)
        try:
            for entry in stream.entries():
                self._head = entry.head
                yield entry
        finally:
            self._streams.remove(stream)

    def record(self) -> str:
        """The game as a ``.craps`` record."""
        return self._ask("GET", "/record").body.decode("utf-8", "replace")

    def log(self) -> Iterator[Entry]:
        """The whole log, entry by entry in flat memory, held to its chain."""
        chain = HeldChain(self._receipts)
        chain.begin(-1)
        connection = self._wire.connect(SILENCE)
        try:
            response = self._wire.send(
                connection, "GET", self._path("/log"), None, **bearer(self.token)
            )
            with response:
                if response.status != 200:
                    raise error_of(HttpReply(response.status, response.read(), 0.0))
                while line := response.readline():
                    yield chain.take(read_entry(line))
        except (OSError, HTTPException) as wrong:
            raise self._wire.lost(wrong) from None
        except EntryError as wrong:
            raise ClientError(200, f"no entry of a log: {wrong}") from None
        finally:
            connection.close()

    # For operators.

    def open(
        self,
        *,
        rulebook: str = "",
        house: str = "",
        name: str = "",
        game: str = "",
        elections: Mapping[str, str] | None = None,
        dice: Literal["secure", "typed"] = "secure",
        posts: Mapping[str, str] | None = None,
        open: bool = True,  # noqa: A002 - as the contract has it
        pace: Mapping[str, int] | None = None,
        buy_ins: Literal["open", "box"] = "open",
        zone: str = "",
    ) -> OpenedTable:
        """Open a table under a rulebook or a house file's text. It is asked for once: where the
        reply is lost, look into the lobby."""
        asked: dict[str, object] = {
            "rulebook": rulebook, "house": house, "name": name, "game": game, "dice": dice,
            "open": open, "buy_ins": buy_ins, "zone": zone, "elections": dict(elections or {}),
            "posts": dict(posts or {}), "pace": dict(pace or {}),
        }  # fmt: skip
        given = {key: value for key, value in asked.items() if value not in ("", {})}
        reply = self._wire.ask("POST", "/api/tables", given, token=self.token, once=True)
        return read_reply(reply, OpenedTable)

    def close_table(self) -> SayOutcome:
        """Close the table; refused while wagers are up."""
        return self.say("table closes")

    def reopen_table(self) -> SayOutcome:
        """Open it again."""
        return self.say("table opens")

    def invite(self, role: str, name: str = "") -> str:
        """A token for a role at the table. It is asked for once."""
        body = {"role": role, "name": name}
        reply = self._ask("POST", "/tokens", body, once=True)
        return read_reply(reply, dict[str, str])["token"]

    def withdraw(self, role: str, name: str = "") -> None:
        """Withdraw the tokens of a role that name nobody, or those of a name."""
        self._ask("DELETE", "/tokens", {"role": role, "name": name})

    def _path(self, more: str = "") -> str:
        if not self.table:
            raise ValueError("no table: expected an address such as 127.0.0.1:7117/t/TABLE")
        return f"/api/tables/{quote(self.table, safe='')}{more}"

    def _ask(
        self, method: str, more: str = "", body: object = None, *, once: bool = False
    ) -> HttpReply:
        return self._wire.ask(method, self._path(more), body, token=self.token, once=once)
