"""The API: requests about tables, each handed to the hall, and the hall's answers as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from functools import partial

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from passline.felt.layout_contents import find_layout_contents
from passline.game.layout.stakes import Refusal
from passline.game.words.refusals import describe_refusal, suggest_alternatives
from passline.live.entries import read_entry
from passline.live.record_export import export_record_lines
from passline.live.requests import (
    CookieRequest,
    LineOutcome,
    LineRequest,
    LineResponse,
    LineResult,
    OpenTableRequest,
    RefusalReason,
    SeatRequest,
    SeatResponse,
    ServiceError,
    TokenRequest,
    TokenResponse,
)
from passline.live.service import OPERATOR, TableService
from passline.live.store import PAGE_SIZE, STREAM_PAGE_SIZE
from passline.live.tokens import Holder, is_token
from passline.school import table_work
from passline.school.table_work import WorkRequest, make_work_receipt
from passline.web.auth import (
    HouseKey,
    PresentedToken,
    find_token,
    require_json,
    table_cookie_header,
)
from passline.web.limits import (
    LINES_PER_SECOND,
    MAX_NAMES,
    MAX_SEATS,
    NAMES_SECONDS,
    SEATS_SECONDS,
    RateLimiter,
)
from passline.web.metrics import Metrics
from passline.web.responses import (
    ALLOWED_HEADER,
    JSON,
    cached_response,
    http_status,
    json_response,
    prepare_body,
    read_json,
    stream_response,
)
from passline.web.school.questions import felt_json
from passline.web.streams import Stream, Streams

_ENTRY_NUMBER = re.compile(r"-1|[0-9]{1,15}", re.ASCII)
_PLACE_NUMBER = re.compile(r"[0-9]{1,2}", re.ASCII)


class TableApi:
    """The handlers of ``/api/tables``."""

    def __init__(
        self, hall: TableService, key: HouseKey, streams: Streams, metrics: Metrics
    ) -> None:
        self.hall, self.key, self.streams, self.metrics = hall, key, streams, metrics
        self.line_limiter = RateLimiter()
        self.seat_limiter = RateLimiter(MAX_SEATS, seconds=SEATS_SECONDS)
        self.name_limiter = RateLimiter(MAX_NAMES, seconds=NAMES_SECONDS)

    # Who asks.

    async def _holder(self, table: str, token: PresentedToken) -> Holder:
        """Whom a token speaks for. ServiceError (``unauthorized``) where it is nobody."""
        if self.key.opens(token.token):
            return OPERATOR
        return await self.hall.holder(table, token.token)

    async def _speaker(self, request: Request) -> tuple[Holder, PresentedToken]:
        """Who speaks. ServiceError (``unauthorized``) where no token says so."""
        token = find_token(request)
        if token is None:
            raise ServiceError("unauthorized", "expected Authorization: Bearer TOKEN")
        return await self._holder(request.path_params["table"], token), token

    async def _reader(self, request: Request) -> tuple[Holder, PresentedToken | None]:
        """Who reads: at an open table anybody, as a watcher."""
        token, table = find_token(request), request.path_params["table"]
        if token is not None:
            return await self._holder(table, token), token
        return await self.hall.reader(table), None

    async def reader(self, request: Request) -> Holder:
        """Who reads, for those who only ask."""
        return (await self._reader(request))[0]

    async def operator(self, request: Request) -> None:
        """ServiceError where it is not the house key that is shown; 403 where a table's token
        is."""
        token = find_token(request)
        if token is not None and self.key.opens(token.token):
            return
        if token is not None and await self.hall.is_known_token(token.token):
            raise ServiceError(
                "forbidden", "that is for the operator: a table's token does not open it"
            )
        raise ServiceError("unauthorized", "expected Authorization: Bearer with the house key")

    # What they ask.

    async def lobby(self, request: Request) -> Response:
        """``GET /api/tables``"""
        return json_response(await self.hall.lobby())

    async def open(self, request: Request) -> Response:
        """``POST /api/tables``"""
        await self.operator(request)
        opened = await self.hall.open_table(await read_json(request, OpenTableRequest))
        url = f"{request.url.scheme}://{request.url.netloc}/t/{opened.table}"
        return json_response(
            replace(opened, url=url), 201, {"Location": f"/api/tables/{opened.table}"}
        )

    async def view(self, request: Request) -> Response:
        """``GET /api/tables/T``"""
        holder = await self.reader(request)
        return json_response(await self.hall.view(request.path_params["table"], holder))

    async def sight(self, request: Request) -> Response:
        """``GET /api/tables/T/sight``: what a page shows."""
        holder = await self.reader(request)
        return json_response(await self.hall.player_page(request.path_params["table"], holder))

    async def post(self, request: Request) -> Response:
        """``GET /api/tables/T/post``: what the page of a post shows, about a player of its own."""
        holder, _ = await self._speaker(request)
        query = request.query_params
        after = _parse_after(request) if "after" in query else None
        told = await self.hall.crew_page(
            request.path_params["table"], holder, query.get("player", ""), after
        )
        return json_response(told)

    async def work(self, request: Request) -> Response:
        """``POST /api/tables/T/work``: what a learner did on the last throw."""
        holder, token = await self._speaker(request)
        if not self.line_limiter.allow(token.key):
            raise ServiceError(
                "too_many_requests",
                f"a token says {LINES_PER_SECOND} lines a second at most",
                retry_after=1,
            )
        asked = await read_json(request, WorkRequest)
        told = await table_work.enter_work(self.hall, request.path_params["table"], holder, asked)
        return json_response({**told, "receipt": make_work_receipt(token.key, told["hash"])})

    async def owed(self, request: Request) -> Response:
        """``GET /api/tables/T/work``: what a learner has to do; with ``?felt=yes`` its picture."""
        holder, _ = await self._speaker(request)
        table = request.path_params["table"]
        told, felt = await table_work.work_page_state(self.hall, table, holder), None
        last = (await self.hall.tables.get(table)).live.last_throw
        if last is not None and request.query_params.get("felt") == "yes":
            faces = last.rolled.first, last.rolled.second
            felt = felt_json(last.before, find_layout_contents(last.before, faces, at_rest=True))
        return json_response({**told, "felt": felt})

    async def felt(self, request: Request) -> Response:
        """``GET /api/tables/T/felt``: the felt as one end sees it."""
        await self.reader(request)
        query = request.query_params
        place = query.get("place", "0")
        if not _PLACE_NUMBER.fullmatch(place):
            raise ServiceError("invalid", "place: expected a place's number")
        table = request.path_params["table"]
        drawn = await self.hall.felt(table, query.get("end", "left"), int(place))
        return cached_response(request, prepare_body(msgspec.json.encode(drawn), JSON))

    async def sit(self, request: Request) -> Response:
        """``POST /api/tables/T/seats``: an invitation's token may also be the bearer's."""
        table, token, invitation = request.path_params["table"], find_token(request), ""
        address = _client_address(request)
        if token is None:
            self._check_seats(address, table)
        elif await self._holder(table, token) != OPERATOR:
            invitation = token.token
        seat = await self.hall.sit(table, await read_json(request, SeatRequest), invitation)
        if token is None:
            self.name_limiter.allow(f"{address} {table}")
        return json_response(_response_body(seat), 202 if seat.waits else 201)

    def _check_seats(self, address: str, table: str) -> None:
        """ServiceError where one address asks for too many seats, or fills a table with names."""
        if self.name_limiter.is_exceeded(f"{address} {table}"):
            words = f"one address takes {MAX_NAMES} seats of a table in an hour at most"
            wait = self.name_limiter.seconds_to_wait(f"{address} {table}")
            raise ServiceError("too_many_requests", words, retry_after=wait)
        if not self.seat_limiter.allow(address):
            words = f"one address asks for {MAX_SEATS} seats in {SEATS_SECONDS:.0f} seconds at most"
            raise ServiceError(
                "too_many_requests", words, retry_after=self.seat_limiter.seconds_to_wait(address)
            )

    async def say(self, request: Request) -> Response:
        """``POST /api/tables/T/say``"""
        holder, token = await self._speaker(request)
        if not self.line_limiter.allow(token.key):
            raise ServiceError(
                "too_many_requests",
                f"a token says {LINES_PER_SECOND} lines a second at most",
                retry_after=1,
            )
        asked = await read_json(request, LineRequest)
        try:
            said = await self.hall.say(
                request.path_params["table"], holder, asked, found=holder != OPERATOR
            )
        except ServiceError as wrong:
            self.metrics.add("passline_lines_total", outcome=str(http_status(wrong)))
            raise
        self.metrics.add("passline_lines_total", outcome="refused" if said.seq is None else "taken")
        told = _response_body(_word_outcome(said, holder))
        if refusals := [one.refusal for one in said.entries if one.refusal is not None]:
            return json_response(told, 200, await self._allowed(request, refusals, holder))
        return json_response(told, 202 if said.waits else 200)

    async def _allowed(
        self, request: Request, refusals: list[Refusal], holder: Holder
    ) -> dict[str, str]:
        """What would be taken instead, for pages to offer: by the table as it refused."""
        table, tables = request.path_params["table"], self.hall.tables
        cached = tables.get_cached(table) or await tables.get(table)
        seat = cached.live.table.find(holder.name)
        up = () if seat is None else seat.wagers
        says = [
            s
            for one in refusals
            for s in suggest_alternatives(one, up=one.figures.get("wager") in up)
        ]
        return {ALLOWED_HEADER: json.dumps(says)} if says else {}

    async def invite(self, request: Request) -> Response:
        """``POST /api/tables/T/tokens``"""
        holder, _ = await self._speaker(request)
        asked = await read_json(request, TokenRequest)
        token = await self.hall.invite(
            request.path_params["table"], asked.role, asked.name, by=holder
        )
        return json_response(TokenResponse(token), 201)

    async def withdraw(self, request: Request) -> Response:
        """``DELETE /api/tables/T/tokens``"""
        holder, _ = await self._speaker(request)
        asked = await read_json(request, TokenRequest)
        await self.hall.withdraw(request.path_params["table"], asked.role, asked.name, by=holder)
        return Response(status_code=204)

    async def set_token_cookie(self, request: Request) -> Response:
        """``POST /api/tables/T/cookie``: a token traded for a cookie that no script can read."""
        find_token(request)  # not from another origin
        require_json(request)
        table, asked = request.path_params["table"], await read_json(request, CookieRequest)
        if not is_token(asked.token):
            raise ServiceError("invalid", "token: expected 32 to 64 letters and digits")
        holder = await self.hall.holder(table, asked.token)
        headers = {"Set-Cookie": table_cookie_header(request, table, asked.token)}
        return json_response({"role": holder.role, "name": holder.name}, 200, headers)

    async def delete_token_cookie(self, request: Request) -> Response:
        """``DELETE /api/tables/T/cookie``"""
        find_token(request)
        view = await self.hall.view(request.path_params["table"])  # there is such a table
        headers = {"Set-Cookie": table_cookie_header(request, str(view["table"]), "")}
        return Response(status_code=204, headers=headers)

    async def events(self, request: Request) -> Response | Stream:
        """``GET /api/tables/T/events``"""
        after = _parse_after(request)
        holder, token = await self._reader(request)
        table = request.path_params["table"]
        accepted = request.headers.get("accept", "")
        if "application/json" in accepted and "text/event-stream" not in accepted:
            return await stream_response(request, self._page(table, after), JSON)
        view = await self.hall.view(table)
        if request.method == "HEAD":
            return Response(b"", media_type="text/event-stream")
        address = _client_address(request)
        self.streams.check_stream_limit(address)
        channel = self.streams.channel(table, int(view["seq"]))
        if token is None or holder == OPERATOR:
            return Stream(channel, after, address=address)
        stands = partial(self._stands, table, token, holder)
        return Stream(channel, after, holder, stands, address)

    async def _page(self, table: str, after: int) -> AsyncIterator[bytes]:
        """Entries after a number, a thousand at most, as JSON."""
        left, sign = PAGE_SIZE, b'{"entries":['
        while left > 0 and (
            few := await self.hall.entry_lines(table, after, min(left, STREAM_PAGE_SIZE))
        ):
            for text in few:
                yield sign + text
                sign = b","
            after, left = after + len(few), left - len(few)
        yield b"]}" if sign == b"," else sign + b"]}"

    async def _stands(self, table: str, token: PresentedToken, holder: Holder) -> bool:
        try:
            return await self._holder(table, token) == holder
        except ServiceError as wrong:
            if wrong.code == "unauthorized":
                return False
            raise

    async def record(self, request: Request) -> Response:
        """``GET /api/tables/T/record``"""
        await self.reader(request)
        table = request.path_params["table"]
        return await stream_response(request, self._record(table), "text/plain")

    async def _record(self, table: str) -> AsyncIterator[bytes]:
        async for line in self.hall.log(table):
            for words in export_record_lines([read_entry(line)]):
                yield f"{words}\n".encode()

    async def log(self, request: Request) -> Response:
        """``GET /api/tables/T/log``"""
        await self.reader(request)
        table = request.path_params["table"]
        return await stream_response(request, self.hall.log(table), "application/x-ndjson")


def _client_address(request: Request) -> str:
    """Where a request comes from, as far as a proxy on this machine tells."""
    return request.client.host if request.client else ""


def _word_outcome(outcome: LineOutcome, to: Holder) -> LineResponse:
    """Return what became of a line, its refusals in sentences that address the speaker."""
    you = to.name if to.role == "player" else ""
    return LineResponse(
        seq=outcome.seq,
        hash=outcome.hash,
        entries=tuple(
            LineResult(
                decision.said,
                decision.words,
                None
                if decision.refusal is None
                else RefusalReason(
                    describe_refusal(decision.refusal, you), decision.refusal.cite or None
                ),
            )
            for decision in outcome.entries
        ),
    )


def _response_body(response: SeatResponse | LineResponse) -> dict[str, object]:
    """Return the JSON object of a response. HTTP status 202 stands for ``waits``."""
    body: dict[str, object] = msgspec.to_builtins(response)
    del body["waits"]
    return body


def _parse_after(request: Request) -> int:
    """The number that a stream goes on after: what a browser remembers goes before the query."""
    given = request.headers.get("last-event-id") or request.query_params.get("after", "-1")
    if not _ENTRY_NUMBER.fullmatch(given):
        raise ServiceError("invalid", f"after: expected an entry's number, not {given[:40]!r}")
    return int(given)
