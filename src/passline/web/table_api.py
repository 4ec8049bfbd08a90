"""The API of live tables, ``/api/tables``: pass every request to the table service.

This module reads tokens, applies rate limits, decodes requests and encodes responses. The service
decides what is allowed and carries it out.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from passline.felt.layout_contents import find_layout_contents
from passline.game.layout.stakes import Refusal
from passline.game.table.state import Seat
from passline.game.words.refusals import Alternative, describe_refusal, suggest_alternatives
from passline.game.words.web import say_web
from passline.live import schema
from passline.live.log_entries import read_entry
from passline.live.page_feed import Viewer, find_viewer
from passline.live.record_export import RecordExporter
from passline.live.schema import LineResponse, LineResult, RefusalReason, ServiceError
from passline.live.service import OPERATOR, TableService
from passline.live.store import PAGE_SIZE, STREAM_PAGE_SIZE
from passline.live.tokens import Holder, is_token
from passline.school import throw_work
from passline.school.throw_work import WorkRequest, make_work_receipt
from passline.version import VERSION
from passline.web import request_limits
from passline.web.admission import VALID_TOKEN_KEY
from passline.web.auth import (
    HOST_COOKIE,
    MISSING_HOUSE_KEY,
    TABLE_COOKIE,
    WRONG_HOUSE_KEY,
    HouseKey,
    PresentedToken,
    check_guesses,
    find_token,
    require_json,
    table_cookie_header,
)
from passline.web.event_streams import Channel, Stream, Streams
from passline.web.metrics import Metrics
from passline.web.page_streams import PageStreams
from passline.web.request_body import read_json
from passline.web.request_limits import (
    LogBudget,
    RateLimiter,
    SeatCounter,
    ServerLimits,
    client_address,
)
from passline.web.responses import (
    ALLOWED_HEADER,
    JSON,
    OFFERS_HEADER,
    cached_json,
    http_status,
    json_response,
    stream_response,
)
from passline.web.school.questions import felt_json

_ENTRY_NUMBER = re.compile(r"-1|[0-9]{1,15}", re.ASCII)
_LIMIT_NUMBER = re.compile(r"[1-9][0-9]{0,3}", re.ASCII)
#: The most heads in one response.
_MAX_HEADS = 1000
_PLACE_NUMBER = re.compile(r"[0-9]{1,2}", re.ASCII)


class TableApi:
    """The handlers of ``/api/tables``."""

    def __init__(
        self,
        service: TableService,
        key: HouseKey,
        streams: Streams,
        metrics: Metrics,
        server_limits: ServerLimits,
    ) -> None:
        self.service, self.key, self.streams, self.metrics = service, key, streams, metrics
        self.limits, self.hosting = server_limits, server_limits.hosting
        self.page_streams = PageStreams(streams, service)
        service.hosting.has_visitors = self.page_streams.has_visitors
        service.hosting.find_limits = lambda: (self.hosting, self.limits.hosted_tables)
        self.host_limiter = RateLimiter(
            request_limits.MAX_HOSTED, seconds=request_limits.HOSTED_SECONDS
        )
        self.line_limiter = RateLimiter()
        self.seat_limiter = RateLimiter(
            request_limits.MAX_SEATS, seconds=request_limits.SEATS_SECONDS
        )
        self.name_limiter = RateLimiter(
            request_limits.MAX_NAMES, seconds=request_limits.NAMES_SECONDS
        )
        self.seats = SeatCounter(server_limits.seats, self._is_seated)
        self.log_budget = LogBudget(server_limits.log_mb, server_limits.log_mb_total)

    # Who sends a request.

    async def _holder(self, table: str, token: PresentedToken) -> Holder:
        """Return the role and name that a token gives at a table.

        Raise ServiceError if the token is not valid there.
        """
        if self.key.matches(token.token):
            return OPERATOR
        return await self.service.holder(table, token.token)

    async def _speaker(self, request: Request) -> tuple[str, Holder, PresentedToken]:
        """Return (table id, holder, token) for a request that must have a valid token.

        Raise ServiceError if it has none.
        """
        token, table = find_token(request), request.path_params["table"]
        if token is None:
            raise ServiceError("unauthorized", say_web("table-token"))
        holder = await self._holder(table, token)
        request.scope[VALID_TOKEN_KEY] = True
        return table, holder, token

    async def _reader(self, request: Request) -> tuple[Holder, PresentedToken | None]:
        """Return (holder, token) of a client who reads a table.

        The token is None at an open table, which needs none. Raise ServiceError if the client may
        not read the table.
        """
        token, table = find_token(request), request.path_params["table"]
        if token is not None:
            holder = await self._holder(table, token)
            request.scope[VALID_TOKEN_KEY] = True
            return holder, token
        return await self.service.reader(table), None

    async def reader(self, request: Request) -> Holder:
        """Return as whom a client reads a table: the token's holder, or a watcher without one.

        Raise ServiceError if the client may not read it.
        """
        return (await self._reader(request))[0]

    async def require_operator(self, request: Request) -> None:
        """Raise ServiceError unless the request contains the house key."""
        token = find_token(request)
        if token is None:
            raise ServiceError("unauthorized", MISSING_HOUSE_KEY)
        if self.key.matches(token.token):
            request.scope[VALID_TOKEN_KEY] = True
            return
        if await self.service.is_known_token(token.token):
            message = say_web("operator-only")
            raise ServiceError("forbidden", message)
        raise ServiceError("unauthorized", WRONG_HOUSE_KEY)

    # Requests.

    async def lobby(self, request: Request) -> Response:
        """``GET /api/tables``: the tables in the lobby, sorted by id.

        ``?limit=`` is the most to return, and ``?after=`` the id of the last one that the client
        has.
        """
        return json_response(await self.service.lobby(*_parse_page(request)))

    async def heads(self, request: Request) -> Response:
        """``GET /api/heads``: a signed receipt of the last entry of each table in the lobby.

        With stored receipts anyone can prove later that the house changed a log. ``?limit=`` (at
        most and by default 1,000) and ``?after=`` are those of the lobby.
        """
        limit, after = _parse_page(request)
        return json_response(
            {"heads": await self.service.heads(min(limit or _MAX_HEADS, _MAX_HEADS), after)}
        )

    async def well_known(self, request: Request) -> Response:
        """``GET /.well-known/passline.json``: the house's public key and the program's version."""
        key = self.service.signing_key.public_key
        return json_response({"public_key": key, "version": VERSION})

    async def open(self, request: Request) -> Response:
        """``POST /api/tables``: open a table.

        It requires the house key, unless the server lets visitors host tables.
        """
        if self.hosting and find_token(request) is None:
            opened = await self._host(request)
        else:
            await self.require_operator(request)
            body = await read_json(request, schema.OpenTableRequest)
            opened = await self.service.open_table(body)
        url = f"{request.url.scheme}://{request.url.netloc}/t/{opened.table}"
        return json_response(
            replace(opened, url=url), 201, {"Location": f"/api/tables/{opened.table}"}
        )

    async def _host(self, request: Request) -> schema.OpenTableResponse:
        """Open a table for a client without the house key, who becomes its host.

        Raise ServiceError if the client's address has opened too many.
        """
        address = client_address(request)
        body = await read_json(request, schema.OpenTableRequest)
        self.host_limiter.check(address, "address-hosts", count=False)
        self.log_budget.check(address)
        opened = await self.service.host_table(
            body, address, self.hosting, self.limits.hosted_tables
        )
        self.host_limiter.allow(address)
        await self.service.tables.get(opened.table)
        self._count_log_bytes(address, opened.table, 0)
        return opened

    async def view(self, request: Request) -> Response:
        """``GET /api/tables/TABLE``: the table as the client may see it."""
        holder = await self.reader(request)
        return json_response(await self.service.view(request.path_params["table"], holder))

    async def page(self, request: Request) -> Response:
        """``GET /api/tables/TABLE/page``: everything that the client's page shows."""
        table, holder = request.path_params["table"], await self.reader(request)
        viewer = await self._find_viewer(request, table, holder)
        return json_response(await self.service.page(table, viewer))

    async def page_events(self, request: Request) -> Response | Stream:
        """``GET /api/tables/TABLE/page/events``: a stream of the page's state and then its changes.

        ``?player=`` is the player that a crew member has picked.
        """
        after = parse_entry_number(request.headers.get("last-event-id", "-1"))
        holder, token = await self._reader(request)
        if request.method == "HEAD":
            return Response(b"", media_type="text/event-stream")
        table, address = request.path_params["table"], client_address(request)
        self.streams.opened.check(address)
        viewer = await self._find_viewer(request, table, holder)
        channel = await self.page_streams.open(table, viewer)
        return self._make_stream(channel, after, holder, token, table, address)

    async def _find_viewer(self, request: Request, table: str, holder: Holder) -> Viewer:
        live = (await self.service.tables.get(table)).live
        return find_viewer(live, holder, request.query_params.get("player", ""))

    async def work(self, request: Request) -> Response:
        """``POST /api/tables/TABLE/work``: grade a learner's work on the last throw and log it."""
        table, holder, token = await self._speaker(request)
        address = self._check_writer(request, holder, token)
        work = await read_json(request, WorkRequest)
        graded = await throw_work.enter_work(self.service, table, holder, work)
        self._count_last_entry(address, table, holder)
        return json_response({**graded, "receipt": make_work_receipt(token.key, graded["hash"])})

    async def list_work(self, request: Request) -> Response:
        """``GET /api/tables/TABLE/work``: a learner's tasks; with ``?felt=yes``, also the felt."""
        table, holder, _ = await self._speaker(request)
        state, felt = await throw_work.work_page_state(self.service, table, holder), None
        last = (await self.service.tables.get(table)).live.last_throw
        if last is not None and request.query_params.get("felt") == "yes":
            faces = last.rolled.first, last.rolled.second
            felt = felt_json(last.before, find_layout_contents(last.before, faces, at_rest=True))
        return json_response({**state, "felt": felt})

    async def felt(self, request: Request) -> Response:
        """``GET /api/tables/TABLE/felt``: the layout's drawing, and the click targets of one end.

        ``?end=`` is the end and ``?place=`` the viewer's seat position.
        """
        await self.reader(request)
        query = request.query_params
        place = query.get("place", "0")
        if not _PLACE_NUMBER.fullmatch(place):
            raise ServiceError("invalid", say_web("place-not-number"))
        table = request.path_params["table"]
        drawn = await self.service.felt(table, query.get("end", "left"), int(place))
        return cached_json(request, drawn)

    async def sit(self, request: Request) -> Response:
        """``POST /api/tables/TABLE/seats``: sit down.

        The token of an invitation may be in the body or in the Authorization header.
        """
        table, token, invitation = request.path_params["table"], find_token(request), ""
        address = client_address(request)
        if token is None:
            self._check_seat_rate(address, table)
        elif await self._holder(table, token) != OPERATOR:
            invitation = token.token
        body = await read_json(request, schema.SeatRequest)
        if token is None:
            if body.token and not (await self.service.tables.get(table)).live.settings.open:
                check_guesses(request, body.token)
            self.seats.check(address, table, body.name)
            self.log_budget.check(address)
        seat = await self.service.sit(table, body, invitation)
        if token is None:
            self.name_limiter.allow(f"{address} {table}")
            self.seats.add(address, table, seat.name)
        self._count_log_bytes(address, table, seat.seq)
        return json_response(_response_body(seat), 202 if seat.pending else 201)

    def _check_seat_rate(self, address: str, table: str) -> None:
        """Raise ServiceError if one address takes too many seats, or too many at one table."""
        self.name_limiter.check(f"{address} {table}", "address-names", count=False)
        self.seat_limiter.check(address, "rate.seat")

    def _is_seated(self, table: str, name: str) -> bool | None:
        """Return whether a player is at a table or waits for the boxperson.

        Return None if the table is not in memory.
        """
        cached = self.service.tables.get_cached(table)
        if cached is None:
            return None
        seat = cached.live.table.find(name)
        return name in cached.live.buy_in_requests if seat is None else seat.here

    def _count_log_bytes(self, address: str, table: str, seq: int | None) -> None:
        """Count the bytes of entry ``seq`` for the address whose request wrote it.

        ``seq`` is None if the request wrote no entry.
        """
        cached = self.service.tables.get_cached(table) if seq is not None else None
        if cached is None or seq is None:
            return
        for written in reversed(cached.recent):
            if written.seq <= seq:
                self.log_budget.spend(address, len(written.text) if written.seq == seq else 0)
                return

    def _check_writer(self, request: Request, holder: Holder, token: PresentedToken) -> str:
        """Return the address of a client who is about to write an entry.

        Raise ServiceError if the token sends too many lines in a second, or if the address has
        written too many bytes of log. The operator may write any amount.
        """
        self.line_limiter.check(token.key, "lines-too-fast")
        address = client_address(request)
        if holder != OPERATOR:
            self.log_budget.check(address)
        return address

    def _count_last_entry(self, address: str, table: str, holder: Holder) -> None:
        """Count the bytes of a table's last entry for the client whose request wrote it."""
        cached = self.service.tables.get_cached(table)
        if cached is not None and holder != OPERATOR:
            self._count_log_bytes(address, table, cached.live.head.seq)

    async def say(self, request: Request) -> Response:
        """``POST /api/tables/TABLE/say``: handle what a player or the crew says.

        The response has what the table took and refused (status 202 if that is still pending).
        After a refusal, its headers offer lines that the table would accept.
        """
        table, holder, token = await self._speaker(request)
        address = self._check_writer(request, holder, token)
        line = await read_json(request, schema.LineRequest)
        try:
            outcome = await self.service.say(table, holder, line, found=holder != OPERATOR)
        except ServiceError as error:
            self.metrics.add("passline_lines_total", outcome=str(http_status(error)))
            raise
        if holder != OPERATOR:
            self._count_log_bytes(address, table, outcome.seq)
        result = "refused" if outcome.seq is None else "taken"
        self.metrics.add("passline_lines_total", outcome=result)
        body = _response_body(_word_outcome(outcome, holder))
        if refusals := [one.refusal for one in outcome.entries if one.refusal is not None]:
            return json_response(body, 200, await self._allowed_header(table, refusals, holder))
        return json_response(body, 202 if outcome.pending else 200)

    async def _allowed_header(
        self, table: str, refusals: list[Refusal], holder: Holder
    ) -> dict[str, str]:
        """Return response headers, by name, with lines that the table would accept instead.

        Pages offer them to the player.
        """
        tables = self.service.tables
        cached = tables.get_cached(table) or await tables.get(table)
        seat = cached.live.table.find(holder.name)
        found = (offer for refusal in refusals for offer in _suggest_offers(refusal, seat))
        offers = list(dict.fromkeys(found))  # Bets of a group may need the same.
        if not offers:
            return {}
        return {
            ALLOWED_HEADER: json.dumps([offer.say for offer in offers]),
            OFFERS_HEADER: json.dumps(msgspec.to_builtins(offers)),
        }

    async def invite(self, request: Request) -> Response:
        """``POST /api/tables/TABLE/tokens``: make a token for a role."""
        table, holder, speaker = await self._speaker(request)
        address = self._check_writer(request, holder, speaker)
        body = await read_json(request, schema.TokenRequest)
        token = await self.service.invite(table, body.role, body.name, by=holder)
        self._count_last_entry(address, table, holder)
        return json_response(schema.TokenResponse(token), 201)

    async def withdraw(self, request: Request) -> Response:
        """``DELETE /api/tables/TABLE/tokens``: make the tokens of a role and name invalid.

        Without a name in the body, it means the tokens of the role that name nobody; for ``player``
        those are the invitations.
        """
        table, holder, speaker = await self._speaker(request)
        address = self._check_writer(request, holder, speaker)
        body = await read_json(request, schema.TokenRequest)
        await self.service.withdraw(table, body.role, body.name, by=holder)
        self._count_last_entry(address, table, holder)
        return Response(status_code=204)

    async def set_token_cookie(self, request: Request) -> Response:
        """``POST /api/tables/TABLE/cookie``: put a token into a cookie that no script can read."""
        find_token(request)  # Refuses requests from pages of other sites.
        require_json(request)
        table, body = request.path_params["table"], await read_json(request, schema.CookieRequest)
        if not is_token(body.token):
            raise ServiceError("invalid", say_web("token-letters"))
        check_guesses(request, body.token)
        holder = await self.service.holder(table, body.token)
        name = HOST_COOKIE if body.host else TABLE_COOKIE
        headers = {"Set-Cookie": table_cookie_header(request, table, body.token, name)}
        return json_response({"role": holder.role, "name": holder.name}, 200, headers)

    async def delete_token_cookie(self, request: Request) -> Response:
        """``DELETE /api/tables/TABLE/cookie``: make the browser delete the cookie of a token.

        A host's second cookie stays.
        """
        find_token(request)
        view = await self.service.view(request.path_params["table"])  # Raises if there is none.
        headers = {"Set-Cookie": table_cookie_header(request, str(view["table"]), "")}
        return Response(status_code=204, headers=headers)

    async def events(self, request: Request) -> Response | Stream:
        """``GET /api/tables/TABLE/events``: a stream of entries, or a thousand of them as JSON.

        The Accept header decides.
        """
        after = _parse_after(request)
        holder, token = await self._reader(request)
        table = request.path_params["table"]
        accepted = request.headers.get("accept", "")
        if "application/json" in accepted and "text/event-stream" not in accepted:
            return await stream_response(request, self._encode_entries(table, after), JSON)
        view = await self.service.view(table)
        if request.method == "HEAD":
            return Response(b"", media_type="text/event-stream")
        address = client_address(request)
        self.streams.opened.check(address)
        channel = self.streams.log_channel(table, int(view["seq"]))
        return self._make_stream(channel, after, holder, token, table, address)

    def _make_stream(
        self,
        channel: Channel,
        after: int,
        holder: Holder,
        token: PresentedToken | None,
        table: str,
        address: str,
    ) -> Stream:
        """Return the stream of a channel for a client.

        It ends if the client's token is withdrawn.
        """
        if token is None or holder == OPERATOR:
            return Stream(channel, after, address=address)
        is_valid = partial(self._is_still_valid, table, token, holder)
        return Stream(channel, after, holder, is_valid, address)

    async def _encode_entries(self, table: str, after: int) -> AsyncGenerator[bytes, None]:
        """Yield the JSON of the entries after number ``after``, at most a thousand, in pieces."""
        left, separator = PAGE_SIZE, b'{"entries":['
        while left > 0 and (
            page := await self.service.entry_lines(table, after, min(left, STREAM_PAGE_SIZE))
        ):
            for text in page:
                yield separator + text
                separator = b","
            after, left = after + len(page), left - len(page)
        yield b"]}" if separator == b"," else separator + b"]}"

    async def _is_still_valid(self, table: str, token: PresentedToken, holder: Holder) -> bool:
        """Return whether a token still belongs to this holder."""
        try:
            return await self._holder(table, token) == holder
        except ServiceError as error:
            if error.code == "unauthorized":
                return False
            raise

    async def record(self, request: Request) -> Response:
        """``GET /api/tables/TABLE/record``: the game as ``.craps`` text."""
        await self.reader(request)
        table = request.path_params["table"]
        return await stream_response(request, self._encode_record(table), "text/plain")

    async def _encode_record(self, table: str) -> AsyncGenerator[bytes, None]:
        exporter = RecordExporter()
        async with aclosing(self.service.log(table)) as lines:
            async for line in lines:
                for words in exporter.add_entry(read_entry(line)):
                    yield f"{words}\n".encode()
        for words in exporter.end():
            yield f"{words}\n".encode()

    async def log(self, request: Request) -> Response:
        """``GET /api/tables/TABLE/log``: the whole log, one entry per line."""
        await self.reader(request)
        table = request.path_params["table"]
        return await stream_response(request, self.service.log(table), "application/x-ndjson")


def _suggest_offers(refusal: Refusal, seat: Seat | None) -> list[Alternative]:
    """Return the lines that would be accepted instead, without bets that the rail can't pay."""
    if seat is None:
        return suggest_alternatives(refusal)
    stake = seat.wagers.get(str(refusal.figures.get("wager")))
    payable = seat.rail + (stake.amount if stake else 0)
    return suggest_alternatives(refusal, up=stake is not None, payable=payable)


def _word_outcome(outcome: schema.LineOutcome, to: Holder) -> LineResponse:
    """Return the response to a line, with refusals as sentences addressed to the holder ``to``."""
    you = to.name if to.role == "player" else ""
    entries = []
    for decision in outcome.entries:
        refusal, reason = decision.refusal, None
        if refusal is not None:
            reason = RefusalReason(describe_refusal(refusal, you), refusal.cite or None)
        entries.append(LineResult(decision.said, decision.words, reason))
    return LineResponse(
        seq=outcome.seq, hash=outcome.hash, entries=tuple(entries), receipt=outcome.receipt
    )


def _response_body(response: schema.SeatResponse | LineResponse) -> dict[str, object]:
    """Return a response as a JSON object without ``pending``, which HTTP status 202 expresses."""
    body: dict[str, object] = msgspec.to_builtins(response)
    del body["pending"]
    return body


def _parse_page(request: Request) -> tuple[int | None, str]:
    """Return (limit, after) from the query of a request for a list of tables.

    The limit is None if there is none. Raise ServiceError if it is not a number in range.
    """
    limit, after = request.query_params.get("limit", ""), request.query_params.get("after", "")
    if limit and not _LIMIT_NUMBER.fullmatch(limit):
        raise ServiceError("invalid", say_web("limit-range"))
    return int(limit) if limit else None, after


def _parse_after(request: Request) -> int:
    """Return the number of the last entry that the client has, or -1 if it has none.

    The Last-Event-ID header, which a browser sends when it reconnects, overrides ``?after=``.
    """
    number = request.headers.get("last-event-id") or request.query_params.get("after", "-1")
    return parse_entry_number(number)


def parse_entry_number(number: str) -> int:
    """Return the number of an entry or event, or -1 for "none".

    Raise ServiceError for other text.
    """
    if not _ENTRY_NUMBER.fullmatch(number):
        raise ServiceError("invalid", say_web("after-range"))
    return int(number)
