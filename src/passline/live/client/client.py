"""The Python client of live tables: `Client` sits down, says lines, reads and follows the log.

The client checks the log's hash chain as it reads (`ChainChecker`). A stream reconnects after a
lost connection (`LogStream`).
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

from passline.game.words.log import say_log
from passline.live import schema
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
from passline.live.hash_chain import ChainError, iter_verified
from passline.live.log_entries import (
    EMPTY_LOG_HEAD,
    Entry,
    EntryError,
    LogHead,
    entry_from_fields,
    read_entry,
)
from passline.live.tokens import new_token

#: Seconds without any data after which a stream is lost; the server sends a comment every 15.
STREAM_TIMEOUT: Final = 40.0
#: The longest line of a stream, in bytes.
_MAX_LINE_BYTES: Final = 64 * 1024 * 1024
#: A stream that lasted this many seconds resets the retry time.
_STABLE_SECONDS: Final = 10.0
#: Statuses after which a stream is retried.
_TRANSIENT_STATUSES: Final = frozenset({429, 500, 502, 503, 504})


class ServerEvent(NamedTuple):
    """One server-sent event: its id, its kind and its data, as text."""

    id: str
    event: str
    data: str


def parse_events(lines: Iterable[bytes]) -> Iterator[ServerEvent]:
    """Parse the lines of a stream and yield its server-sent events. Comments are skipped.

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
    """Checks that entries form one unbroken chain and match the receipts.

    ``receipts`` maps the numbers of entries that the server said it wrote to their hashes. ``head``
    is the last entry that was checked, or None.
    """

    def __init__(self, receipts: Mapping[int, str], head: LogHead | None = None) -> None:
        self._receipts, self.head = receipts, head

    def begin(self, after: int) -> None:
        """Prepare to check the entries after number ``after``; -1 means from the first.

        If the hash of entry ``after`` is unknown, ``head`` is None and ``check`` accepts any entry
        next.
        """
        if after < 0:
            self.head = EMPTY_LOG_HEAD
        elif self.head is None or self.head.seq != after:
            known = self._receipts.get(after)
            self.head = LogHead(after, known, "") if known is not None else None

    def check(self, entry: Entry) -> Entry:
        """Check that an entry is the next of the chain, make it the head and return it.

        Raise ChainError if it is not the next, or does not match a receipt.
        """
        head = self.head if self.head is not None else LogHead(entry.seq - 1, entry.prev, "")
        for whole in iter_verified([entry], head):
            if self._receipts.get(whole.seq, whole.hash) != whole.hash:
                raise ChainError(whole.seq, "wrong-receipt")
            self.head = whole.head
        return entry


class LogStream:
    """A table's log as a stream. It reconnects after a lost connection and misses no entry.

    ``after`` is the number of the last entry that the caller has, or -1.
    """

    def __init__(
        self, wire: ServerConnection, path: str, token: str, chain: ChainChecker, after: int
    ) -> None:
        self._server, self._path, self._token, self._chain = wire, path, token, chain
        self._after = after
        self._connection: HTTPConnection | None = None
        self._response: HTTPResponse | None = None
        self._socket: socket.socket | None = None
        self._over = False

    def entries(self) -> Iterator[Entry]:
        """Yield entries as they arrive.

        Raise ChainError if the chain is broken, and ClientError if the server refuses the stream or
        does not answer for ``retry_seconds``.
        """
        self._chain.begin(self._after)
        pauses: Backoff | None = None
        while not self._over:
            last: Exception = ConnectionResetError(say_log("stream-ended"))
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
                pauses = Backoff(self._server)
            if not self._over and not pauses.wait():
                raise last if isinstance(last, ClientError) else self._server.make_lost_error(last)

    def _connected(self) -> Iterator[Entry]:
        """Open one connection and yield its entries until the server ends the stream.

        Raise ClientError if the server refuses the stream.
        """
        connection = self._connection = self._server.connect(STREAM_TIMEOUT)
        more = {"Accept": "text/event-stream", **auth_header(self._token)}
        if self._after >= 0:
            more["Last-Event-ID"] = str(self._after)
        connection.connect()
        self._socket = connection.sock
        response = self._response = self._server.send(connection, "GET", self._path, None, **more)
        if response.status != 200:
            raise error_from_reply(HttpReply(response.status, response.read(_MAX_LINE_BYTES), 0.0))
        lines = iter(lambda: response.readline(_MAX_LINE_BYTES), b"")
        for message in parse_events(lines):
            if message.event == "bye":
                return
            if message.event == "entry":
                try:
                    entry = read_entry(message.data)
                except EntryError as error:
                    raise ClientError(200, say_log("event-not-entry", error=error)) from None
                yield self._chain.check(entry)

    def _drop(self) -> None:
        for part in (self._response, self._connection):
            if part is not None:
                part.close()
        self._response = self._connection = self._socket = None

    def end(self) -> None:
        """End the stream, so that ``entries`` returns soon, even while it waits for an entry.

        Any thread may call this.
        """
        self._over = True
        pending = self._socket
        if pending is not None:
            with suppress(OSError):
                pending.shutdown(socket.SHUT_RDWR)


#: What a player says to have the house's dice thrown.
THROW_LINE: Final = "roll"
#: How many seconds a client retries: enough for a server to restart.
RETRY_SECONDS: Final = 60.0


class Client:
    """A client of one server and, if the address names a table, of that table.

    ``url`` is the address of a server or of a table (``http://127.0.0.1:7117/t/TABLE``). It may end
    in ``#`` and a token, as in invitations; ``token`` replaces that one. A token belongs to a seat
    or a post, or is the house key. If no reply comes, or a 503 or a 429, a request is sent again
    for up to ``retry_seconds``. Each request has an id, so nothing is done twice. Raise ClientError
    if a request is not carried out, and ValueError for a malformed address.

    ``receipts`` holds the number and hash of every entry that the server said it wrote. The client
    checks the log against them and its hash chain, and raises ChainError if an entry is wrong or
    missing.

    >>> Client("127.0.0.1:7117/t/abcd2345").url
    'http://127.0.0.1:7117/t/abcd2345'
    """

    def __init__(
        self,
        url: str,
        token: str = "",
        *,
        retry_seconds: float = RETRY_SECONDS,
        rest: Callable[[float], None] = sleep,
    ) -> None:
        self.base, self.table, own = read_address(url)
        self.token = token or own
        self.name = ""
        self._server = ServerConnection(self.base, retry_seconds, rest)
        self._receipts: dict[int, str] = {}
        self._signatures: dict[int, str] = {}
        #: The token made for each name, so that a repeated request asks for the same seat.
        self._seat_tokens: dict[str, str] = {}
        #: The last commitment that a nonce was made for, and that nonce.
        self._nonce = ("", "")
        self._head: LogHead | None = None
        self._streams: list[LogStream] = []

    @property
    def retry_seconds(self) -> float:
        """How many seconds a request is sent again before it raises ClientError."""
        return self._server.retry_seconds

    @retry_seconds.setter
    def retry_seconds(self, seconds: float) -> None:
        """Set for how many seconds a failed request is sent again."""
        self._server.retry_seconds = seconds

    @property
    def url(self) -> str:
        """The address of the table's page, or the server's address if there is no table."""
        return f"{self.base}/t/{self.table}" if self.table else self.base

    @property
    def receipts(self) -> tuple[EntryReceipt, ...]:
        """The receipts of the entries that the server said it wrote for this client, in order."""
        return tuple(
            EntryReceipt(seq, self._receipts[seq], self._signatures.get(seq, ""))
            for seq in sorted(self._receipts)
        )

    def at(self, table: str, token: str = "") -> Client:
        """Return a client of another table, with the id ``table``, on the same server.

        Without a token it can only read.
        """
        found = Client(self.base, token, retry_seconds=self.retry_seconds, rest=self._server.rest)
        found.table = table
        return found

    def hurry(self, seconds: float) -> None:
        """Limit the timeout and the retries of each later request to ``seconds`` seconds."""
        self._server.hurry(seconds)

    def close(self) -> None:
        """End the streams and close the connection."""
        for stream in self._streams:
            stream.end()
        self._server.close()

    def __enter__(self) -> Client:
        """Return the client; leaving the ``with`` block closes it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the client."""
        self.close()

    # At the table.

    def sit(self, name: str, buy_in: str, *, place: int = 0) -> schema.SeatResponse:
        """Sit down as ``name`` with a buy-in in dollars, and return the server's answer.

        ``place`` is the seat position at the rail, counted from 1; 0 means the lowest free one. The
        client makes the seat's token, so that it can repeat the request if no reply comes.
        """
        token = self._seat_tokens.setdefault(name, new_token())
        body: dict[str, object] = {"name": name, "buy_in": buy_in, "token": token}
        if place:
            body["place"] = place
        reply = self._ask("POST", "/seats", body)
        seat = read_reply(reply, schema.SeatResponse)
        self.token, self.name = seat.token, seat.name
        self._check_receipt(seat)
        return msgspec.structs.replace(seat, pending=reply.status == 202)

    def say(self, words: str, *, id: str = "", nonce: str = "") -> schema.LineResponse:  # noqa: A002
        """Send a line: a player's commands or, from a crew post, a line as in ``.craps`` records.

        The client makes the ``id``, and the ``nonce`` for a throw of the house's dice. With an
        ``id`` of your own you can send a line again later: if it was accepted before, you get the
        same answer and nothing is done twice.
        """
        nonce = nonce or (self._find_nonce() if words == THROW_LINE else token_hex(16))
        body = {"id": id or token_hex(12), "say": words, "nonce": nonce}
        reply = self._ask("POST", "/say", body)
        said = read_reply(reply, schema.LineResponse)
        self._check_receipt(said)
        return msgspec.structs.replace(said, pending=reply.status == 202)

    def roll(self) -> schema.LineResponse:
        """Ask the server to throw the house's dice, with a random nonce.

        After a refusal or a lost reply the same nonce is sent again, until the house commits to
        another secret. Otherwise the house could refuse throws until the dice suit it.
        """
        return self.say(THROW_LINE)

    def _find_nonce(self) -> str:
        """Return the nonce for the next throw. It changes only when the house's commitment does."""
        commit = self.view().commit or ""
        if not commit or self._nonce[0] != commit:
            self._nonce = commit, token_hex(16)
        return self._nonce[1]

    def leave(self) -> schema.LineResponse:
        """Leave the table. Bets that the rules let you take down come down."""
        return self.say("leave")

    def _check_receipt(self, answer: schema.SeatResponse | schema.LineResponse) -> None:
        """Store the number, hash and signature of the entry that the server said it wrote, if any.

        Raise ChainError if the server gave another hash for that number before.
        """
        if answer.seq is None or answer.hash is None:
            return
        if self._receipts.setdefault(answer.seq, answer.hash) != answer.hash:
            raise ChainError(answer.seq, "two-receipts")
        if answer.receipt:
            self._signatures[answer.seq] = answer.receipt.rpartition(":")[2]

    # Reading.

    def lobby(self) -> list[schema.ListedTable]:
        """Return the tables that are open to everybody."""
        return read_reply(self._server.request("GET", "/api/tables"), list[schema.ListedTable])

    def view(self) -> schema.TableView:
        """Return the table as the token's role sees it."""
        return read_reply(self._ask("GET"), schema.TableView)

    def entries(self, after: int = -1) -> list[Entry]:
        """Return at most a thousand entries after number ``after``.

        Raise ChainError if their hash chain is broken.
        """
        reply = self._ask("GET", f"/events?after={after}")
        page = read_reply(reply, dict[str, list[Any]]).get("entries", [])
        chain = ChainChecker(self._receipts)
        chain.begin(after)
        try:
            return [chain.check(entry_from_fields(fields)) for fields in page]
        except EntryError as wrong:
            raise ClientError(reply.status, say_log("reply-not-entry", error=wrong)) from None

    def follow(self, after: int = -1) -> Iterator[Entry]:
        """Yield the entries after number ``after``, then each new one when it arrives.

        The client reconnects after a lost connection, a restart and a ``bye`` event. The iterator
        ends only when ``close`` is called.
        """
        chain = ChainChecker(self._receipts, self._head)
        stream = LogStream(self._server, self._path("/events"), self.token, chain, after)
        self._streams.append(stream)
        try:
            for entry in stream.entries():
                self._head = entry.head
                yield entry
        finally:
            self._streams.remove(stream)

    def record(self) -> str:
        """Return the game as a ``.craps`` record."""
        return self._ask("GET", "/record").body.decode("utf-8", "replace")

    def log(self) -> Iterator[Entry]:
        """Yield the whole log, one entry at a time.

        Raise ChainError if its hash chain is broken.
        """
        chain = ChainChecker(self._receipts)
        chain.begin(-1)
        connection = self._server.connect(STREAM_TIMEOUT)
        try:
            headers = auth_header(self.token)
            response = self._server.send(connection, "GET", self._path("/log"), None, **headers)
            with response:
                if response.status != 200:
                    raise error_from_reply(HttpReply(response.status, response.read(), 0.0))
                while line := response.readline():
                    yield chain.check(read_entry(line))
        except (OSError, HTTPException) as wrong:
            raise self._server.make_lost_error(wrong) from None
        except EntryError as wrong:
            raise ClientError(200, say_log("reply-not-entry", error=wrong)) from None
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
    ) -> schema.OpenTableResponse:
        """Open a table with the house key and return the server's answer.

        Empty values mean the server's defaults. The fields are those of
        `schema.OpenTableRequest`. The request is not repeated if the reply is lost, since it
        would open a second table.
        """
        fields: dict[str, object] = {
            "rulebook": rulebook, "house": house, "name": name, "game": game, "dice": dice,
            "open": open, "buy_ins": buy_ins, "zone": zone, "elections": dict(elections or {}),
            "posts": dict(posts or {}), "pace": dict(pace or {}),
        }  # fmt: skip
        given = {key: value for key, value in fields.items() if value not in ("", {})}
        reply = self._server.request("POST", "/api/tables", given, token=self.token, once=True)
        return read_reply(reply, schema.OpenTableResponse)

    def close_table(self) -> schema.LineResponse:
        """Close the table. The server refuses this while bets are up."""
        return self.say("table closes")

    def reopen_table(self) -> schema.LineResponse:
        """Open the closed table again."""
        return self.say("table opens")

    def invite(self, role: str, name: str = "") -> str:
        """Make a new token for a role at the table and return it.

        With ``name``, it is for that person. The request is not repeated if the reply is lost,
        since it would make a second token.
        """
        body = {"role": role, "name": name}
        reply = self._ask("POST", "/tokens", body, once=True)
        return read_reply(reply, dict[str, str])["token"]

    def withdraw(self, role: str, name: str = "") -> None:
        """Make the tokens of a role and name invalid.

        An empty name means the tokens of the role that name nobody; for ``player`` those are the
        invitations.
        """
        self._ask("DELETE", "/tokens", {"role": role, "name": name})

    def _path(self, more: str = "") -> str:
        if not self.table:
            raise ValueError(say_log("no-table-in-address"))
        return f"/api/tables/{quote(self.table, safe='')}{more}"

    def _ask(
        self, method: str, more: str = "", body: object = None, *, once: bool = False
    ) -> HttpReply:
        return self._server.request(method, self._path(more), body, token=self.token, once=once)
