"""A table's log as it grows: server-sent events read, resumed, and held to their chain.

The client: one server, perhaps one of its tables, and whoever speaks there.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from secrets import token_hex
from time import monotonic, sleep
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import quote

import msgspec

from passline.live.client.http import (
    Backoff,
    ClientError,
    EntryReceipt,
    HttpReply,
    ServerConnection,
    auth_header,
    error_from_reply,
    read_address,
    read_reply,
)
from passline.live.entries import (
    EMPTY_LOG_HEAD,
    ChainError,
    Entry,
    EntryError,
    LogHead,
    entry_from_fields,
    iter_verified,
    read_entry,
)
from passline.live.requests import (
    LineResponse,
    ListedTable,
    OpenTableResponse,
    SeatResponse,
    TableView,
)
from passline.live.tokens import new_token

#: A stream is never silent for so long: the server sends a comment every 15 seconds.
STREAM_TIMEOUT: Final = 40.0
#: Bytes of a line of a stream: an entry holds one line of a record and what came of it.
_MAX_LINE_BYTES: Final = 64 * 1024 * 1024
#: A stream that held for so many seconds was a good one: patience begins anew.
_STABLE_SECONDS: Final = 10.0
#: Statuses after which a stream is worth another try.
_TRANSIENT_STATUSES: Final = frozenset({429, 500, 502, 503, 504})


class ServerEvent(NamedTuple):
    """One server-sent event."""

    id: str
    event: str
    data: str


def parse_events(lines: Iterable[bytes]) -> Iterator[ServerEvent]:
    """Server-sent events, read as browsers read them; comments are left out.

    >>> list(parse_events([b": here", b"", b"id: 3", b"event: entry", b"data: {}", b""]))
    [ServerEvent(id='3', event='entry', data='{}')]
    """
    fields: dict[str, list[str]] = {}
    for raw in lines:
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        if not line:
            if fields:
                yield ServerEvent(
                    fields.get("id", [""])[-1],
                    fields.get("event", ["message"])[-1],
                    "\n".join(fields.get("data", [])),
                )
            fields = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(":")
            fields.setdefault(name, []).append(value.removeprefix(" "))


class ChainChecker:
    """Holds what a server shows to one unbroken chain, and to what it said before.

    ``receipts`` are the entries that it said it wrote: number → hash. ``head`` is the entry that
    was seen last, if one was.
    """

    def __init__(self, receipts: Mapping[int, str], head: LogHead | None = None) -> None:
        self._receipts, self.head = receipts, head

    def begin(self, after: int) -> None:
        """What comes next follows entry ``after``: the one that was seen last, one that a receipt
        tells of, or one of which nothing is known here."""
        if after < 0:
            self.head = EMPTY_LOG_HEAD
        elif self.head is None or self.head.seq != after:
            known = self._receipts.get(after)
            self.head = LogHead(after, known, "") if known is not None else None

    def take(self, entry: Entry) -> Entry:
        """The same entry, shown to be the next. ChainError where it is not."""
        head = self.head if self.head is not None else LogHead(entry.seq - 1, entry.prev, "")
        for whole in iter_verified([entry], head):
            if self._receipts.get(whole.seq, whole.hash) != whole.hash:
                raise ChainError(whole.seq, "not the entry that the receipt is for")
            self.head = whole.head
        return entry


class LogStream:
    """One table's log, followed for as long as it is asked for. It comes back by itself after a
    lost connection and after ``bye``, and misses nothing."""

    def __init__(
        self, wire: ServerConnection, path: str, token: str, chain: ChainChecker, after: int
    ) -> None:
        self._wire, self._path, self._token, self._chain = wire, path, token, chain
        self._after = after
        self._connection: HTTPConnection | None = None
        self._response: HTTPResponse | None = None
        self._socket: socket.socket | None = None
        self._over = False

    def entries(self) -> Iterator[Entry]:
        """Entries as they come. ClientError where the server does not let us follow any more, or
        is gone for longer than patience lasts; ChainError where the log is not whole."""
        self._chain.begin(self._after)
        pauses: Backoff | None = None
        while not self._over:
            last: Exception = ConnectionResetError("the stream ended")
            began = monotonic()
            try:
                for entry in self._connected():
                    pauses = None
                    self._after = entry.seq
                    yield entry
            except (OSError, HTTPException, ValueError) as wrong:
                last = wrong
            except ClientError as wrong:
                if wrong.status not in _TRANSIENT_STATUSES:
                    raise
                last = wrong
            finally:
                self._drop()
            if pauses is None or monotonic() - began > _STABLE_SECONDS:
                pauses = Backoff(self._wire.patience, self._wire.rest)
            if not self._over and not pauses.wait():
                raise last if isinstance(last, ClientError) else self._wire.lost(last)

    def _connected(self) -> Iterator[Entry]:
        connection = self._connection = self._wire.connect(STREAM_TIMEOUT)
        more = {"Accept": "text/event-stream", **auth_header(self._token)}
        if self._after >= 0:
            more["Last-Event-ID"] = str(self._after)
        connection.connect()
        self._socket = connection.sock
        response = self._response = self._wire.send(connection, "GET", self._path, None, **more)
        if response.status != 200:
            raise error_from_reply(HttpReply(response.status, response.read(_MAX_LINE_BYTES), 0.0))
        for message in parse_events(_iter_lines(response)):
            if message.event == "bye":
                return
            if message.event == "entry":
                yield self._chain.take(_read_event_entry(message))

    def _drop(self) -> None:
        for part in (self._response, self._connection):
            if part is not None:
                part.close()
        self._response = self._connection = self._socket = None

    def end(self) -> None:
        """End it, from whichever thread: who waits for the next entry waits no longer."""
        self._over = True
        waits = self._socket
        if waits is not None:
            with suppress(OSError):
                waits.shutdown(socket.SHUT_RDWR)


def _read_event_entry(message: ServerEvent) -> Entry:
    try:
        return read_entry(message.data)
    except EntryError as wrong:
        raise ClientError(200, f"event {message.id[:20]} is no entry of a log: {wrong}") from None


def _iter_lines(response: HTTPResponse) -> Iterator[bytes]:
    while line := response.readline(_MAX_LINE_BYTES):
        yield line


#: For how many seconds a client goes on trying: a server that starts again is back by then.
RETRY_SECONDS: Final = 60.0


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
        patience: float = RETRY_SECONDS,
        rest: Callable[[float], None] = sleep,
    ) -> None:
        self.base, self.table, own = read_address(url)
        self.token = token or own
        self.name = ""
        self._wire = ServerConnection(self.base, patience, rest)
        self._receipts: dict[int, str] = {}
        #: The token made for each name: who asks for a seat again asks for the same one.
        self._seat_tokens: dict[str, str] = {}
        self._head: LogHead | None = None
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

    def sit(self, name: str, buy_in: str, *, place: int = 0) -> SeatResponse:
        """Sit down; from then on the client speaks for this seat. The seat's token is made here,
        so that a lost reply is asked for again; an invitation's goes with it."""
        token = self._seat_tokens.setdefault(name, new_token())
        body: dict[str, object] = {"name": name, "buy_in": buy_in, "token": token}
        if place:
            body["place"] = place
        reply = self._ask("POST", "/seats", body)
        seat = read_reply(reply, SeatResponse)
        self.token, self.name = seat.token, seat.name
        self._keep(seat.seq, seat.hash)
        return msgspec.structs.replace(seat, waits=reply.status == 202)

    def say(self, words: str, *, id: str = "", nonce: str = "") -> LineResponse:  # noqa: A002
        """Say something: what a player says, or a line of a record where a post is held.

        ``id`` is made here once for each utterance, and so is the ``nonce`` that a throw of the
        house's dice takes in, from the secure source. With an id of one's own, an utterance can be
        repeated later: if it was taken, it gets the same answer and nothing is done again.
        """
        body = {"id": id or token_hex(12), "say": words, "nonce": nonce or token_hex(16)}
        reply = self._ask("POST", "/say", body)
        said = read_reply(reply, LineResponse)
        self._keep(said.seq, said.hash)
        return msgspec.structs.replace(said, waits=reply.status == 202)

    def roll(self) -> LineResponse:
        """Have the house's dice thrown, with a nonce of our own."""
        return self.say("roll")

    def leave(self) -> LineResponse:
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
        chain = ChainChecker(self._receipts)
        chain.begin(after)
        try:
            return [chain.take(entry_from_fields(fields)) for fields in page]
        except EntryError as wrong:
            raise ClientError(reply.status, f"no entry of a log: {wrong}") from None

    def follow(self, after: int = -1) -> Iterator[Entry]:
        """Entries from the one after a number, as they come, without end. It comes back by itself
        after a lost connection, a restart and ``bye``; ``close`` ends it."""
        chain = ChainChecker(self._receipts, self._head)
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
        chain = ChainChecker(self._receipts)
        chain.begin(-1)
        connection = self._wire.connect(STREAM_TIMEOUT)
        try:
            response = self._wire.send(
                connection, "GET", self._path("/log"), None, **auth_header(self.token)
            )
            with response:
                if response.status != 200:
                    raise error_from_reply(HttpReply(response.status, response.read(), 0.0))
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
        open: bool = True,  # noqa: A002
        pace: Mapping[str, int] | None = None,
        buy_ins: Literal["open", "box"] = "open",
        zone: str = "",
    ) -> OpenTableResponse:
        """Open a table under a rulebook or a house file's text. It is asked for once: where the
        reply is lost, look into the lobby."""
        asked: dict[str, object] = {
            "rulebook": rulebook, "house": house, "name": name, "game": game, "dice": dice,
            "open": open, "buy_ins": buy_ins, "zone": zone, "elections": dict(elections or {}),
            "posts": dict(posts or {}), "pace": dict(pace or {}),
        }  # fmt: skip
        given = {key: value for key, value in asked.items() if value not in ("", {})}
        reply = self._wire.ask("POST", "/api/tables", given, token=self.token, once=True)
        return read_reply(reply, OpenTableResponse)

    def close_table(self) -> LineResponse:
        """Close the table; refused while wagers are up."""
        return self.say("table closes")

    def reopen_table(self) -> LineResponse:
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
