"""The API: requests about tables, each handed to the hall, and the hall's answers as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from functools import partial

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.felt import lie_of
from passline.layout import Refusal
from passline.live import read_entry
from passline.live.asks import HallError, OpenAsked, SayAnswer, SayAsked, SeatAsked
from passline.live.hall import OPERATOR, Hall
from passline.live.records import record_lines
from passline.live.store import FEW, PAGE
from passline.live.tokens import Holder, is_token
from passline.live.working import WorkAsked, work_receipt
from passline.web.answers import ALLOWED, JSON, Whole, in_pieces, json_answer, read_as
from passline.web.limits import LINES, NAMES, NAMES_WITHIN, SEATS, SEATS_WITHIN, Pacer
from passline.web.metrics import Metrics
from passline.web.school.sheets import felt_shown
from passline.web.sending import keep_body, send_body
from passline.web.speakers import (
    HouseKey,
    ShownToken,
    check_json,
    cookie_for,
    shown_token,
)
from passline.web.stream import Stream
from passline.web.streams import Streams
from passline.words import refusal_words
from passline.words.offers import offered_says

_NUMBER = re.compile(r"-1|[0-9]{1,15}", re.ASCII)
_PLACE = re.compile(r"[0-9]{1,2}", re.ASCII)


class TokenAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """``POST`` and ``DELETE /api/tables/T/tokens``."""

    role: str
    name: str = ""


class CookieAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/tables/T/cookie``: an invitation's or a seat's token."""

    token: str


class TableRoutes:
    """The handlers of ``/api/tables``."""

    def __init__(self, hall: Hall, key: HouseKey, streams: Streams, metrics: Metrics) -> None:
        self.hall, self.key, self.streams, self.metrics = hall, key, streams, metrics
        self.pacer = Pacer()
        self.seats = Pacer(SEATS, within=SEATS_WITHIN)
        self.names = Pacer(NAMES, within=NAMES_WITHIN)

    # Who asks.

    async def _holder(self, table: str, token: ShownToken) -> Holder:
        """Whom a token speaks for. HallError 401 where it is nobody."""
        if self.key.opens(token.token):
            return OPERATOR
        return await self.hall.holder(table, token.token)

    async def _speaker(self, request: Request) -> tuple[Holder, ShownToken]:
        """Who speaks. HallError 401 where no token says so."""
        token = shown_token(request)
        if token is None:
            raise HallError(401, "expected Authorization: Bearer TOKEN")
        return await self._holder(request.path_params["table"], token), token

    async def _reader(self, request: Request) -> tuple[Holder, ShownToken | None]:
        """Who reads: at an open table anybody, as a watcher."""
        token, table = shown_token(request), request.path_params["table"]
        if token is not None:
            return await self._holder(table, token), token
        return await self.hall.reader(table), None

    async def reader(self, request: Request) -> Holder:
        """Who reads, for those who only ask."""
        return (await self._reader(request))[0]

    async def operator(self, request: Request) -> None:
        """HallError 401 where it is not the house key that is shown; 403 where a table's token
        is."""
        token = shown_token(request)
        if token is not None and self.key.opens(token.token):
            return
        if token is not None and await self.hall.known(token.token):
            raise HallError(403, "that is for the operator: a table's token does not open it")
        raise HallError(401, "expected Authorization: Bearer with the house key")

    # What they ask.

    async def lobby(self, request: Request) -> Response:
        """``GET /api/tables``"""
        return json_answer(await self.hall.lobby())

    async def open(self, request: Request) -> Response:
        """``POST /api/tables``"""
        await self.operator(request)
        opened = await self.hall.open_table(await read_as(request, OpenAsked))
        url = f"{request.url.scheme}://{request.url.netloc}/t/{opened.table}"
        told = {"table": opened.table, "url": url, "tokens": opened.tokens}
        return json_answer(told, 201, {"Location": f"/api/tables/{opened.table}"})

    async def view(self, request: Request) -> Response:
        """``GET /api/tables/T``"""
        holder = await self.reader(request)
        return json_answer(await self.hall.view(request.path_params["table"], holder))

    async def sight(self, request: Request) -> Response:
        """``GET /api/tables/T/sight``: what a page shows."""
        holder = await self.reader(request)
        return json_answer(await self.hall.sight(request.path_params["table"], holder))

    async def post(self, request: Request) -> Response:
        """``GET /api/tables/T/post``: what the page of a post shows, about a player of its own."""
        holder, _ = await self._speaker(request)
        query = request.query_params
        after = _after(request) if "after" in query else None
        told = await self.hall.post(
            request.path_params["table"], holder, query.get("player", ""), after
        )
        return json_answer(told)

    async def work(self, request: Request) -> Response:
        """``POST /api/tables/T/work``: what a learner did on the last throw."""
        holder, token = await self._speaker(request)
        if not self.pacer.takes(token.key):
            raise HallError(429, f"a token says {LINES} lines a second at most", retry_after=1)
        asked = await read_as(request, WorkAsked)
        told = await self.hall.work(request.path_params["table"], holder, asked)
        return json_answer({**told, "receipt": work_receipt(token.key, told["hash"])})

    async def owed(self, request: Request) -> Response:
        """``GET /api/tables/T/work``: what a learner has to do; with ``?felt=yes`` its picture."""
        holder, _ = await self._speaker(request)
        table = request.path_params["table"]
        told, felt = await self.hall.owed(table, holder), None
        last = (await self.hall.tables.get(table)).live.last
        if last is not None and request.query_params.get("felt") == "yes":
            faces = last.rolled.first, last.rolled.second
            felt = felt_shown(last.before, lie_of(last.before, faces, rest=True))
        return json_answer({**told, "felt": felt})

    async def felt(self, request: Request) -> Response:
        """``GET /api/tables/T/felt``: the felt as one end sees it."""
        await self.reader(request)
        query = request.query_params
        place = query.get("place", "0")
        if not _PLACE.fullmatch(place):
            raise HallError(400, "place: expected a place's number")
        table = request.path_params["table"]
        drawn = await self.hall.drawn(table, query.get("end", "left"), int(place))
        return send_body(request, keep_body(msgspec.json.encode(drawn), JSON))

    async def sit(self, request: Request) -> Response:
        """``POST /api/tables/T/seats``: an invitation's token may also be the bearer's."""
        table, token, invitation = request.path_params["table"], shown_token(request), ""
        address = _address(request)
        if token is None:
            self._check_seats(address, table)
        elif await self._holder(table, token) != OPERATOR:
            invitation = token.token
        seat = await self.hall.sit(table, await read_as(request, SeatAsked), invitation)
        if token is None:
            self.names.takes(f"{address} {table}")
        told = {
            "name": seat.name,
            "place": seat.place,
            "token": seat.token,
            "seq": seat.seq,
            "hash": seat.hash,
        }
        return json_answer(told, 202 if seat.waits else 201)

    def _check_seats(self, address: str, table: str) -> None:
        """HallError 429 where one address asks for too many seats, or fills a table with names."""
        if self.names.full(f"{address} {table}"):
            words = f"one address takes {NAMES} seats of a table in an hour at most"
            wait = self.names.wait(f"{address} {table}")
            raise HallError(429, words, retry_after=wait)
        if not self.seats.takes(address):
            words = f"one address asks for {SEATS} seats in {SEATS_WITHIN:.0f} seconds at most"
            raise HallError(429, words, retry_after=self.seats.wait(address))

    async def say(self, request: Request) -> Response | Whole:
        """``POST /api/tables/T/say``"""
        holder, token = await self._speaker(request)
        if not self.pacer.takes(token.key):
            raise HallError(429, f"a token says {LINES} lines a second at most", retry_after=1)
        asked = await read_as(request, SayAsked)
        try:
            said = await self.hall.say(
                request.path_params["table"], holder, asked, found=holder != OPERATOR
            )
        except HallError as wrong:
            self.metrics.add("passline_lines_total", outcome=str(wrong.status))
            raise
        self.metrics.add("passline_lines_total", outcome="refused" if said.seq is None else "taken")
        told = _said(said, holder)
        if refusals := [one.refusal for one in said.entries if one.refusal is not None]:
            return json_answer(told, 200, await self._allowed(request, refusals, holder))
        return Whole(202 if said.waits else 200, told)

    async def _allowed(
        self, request: Request, refusals: list[Refusal], holder: Holder
    ) -> dict[str, str]:
        """What would be taken instead, for pages to offer: by the table as it refused."""
        table, tables = request.path_params["table"], self.hall.tables
        warm = tables.at_hand(table) or await tables.get(table)
        seat = warm.live.table.find(holder.name)
        up = () if seat is None else seat.wagers
        says = [s for one in refusals for s in offered_says(one, up=one.figures.get("wager") in up)]
        return {ALLOWED: json.dumps(says)} if says else {}

    async def invite(self, request: Request) -> Response:
        """``POST /api/tables/T/tokens``"""
        holder, _ = await self._speaker(request)
        asked = await read_as(request, TokenAsked)
        token = await self.hall.invite(
            request.path_params["table"], asked.role, asked.name, by=holder
        )
        return json_answer({"token": token}, 201)

    async def withdraw(self, request: Request) -> Response:
        """``DELETE /api/tables/T/tokens``"""
        holder, _ = await self._speaker(request)
        asked = await read_as(request, TokenAsked)
        await self.hall.withdraw(request.path_params["table"], asked.role, asked.name, by=holder)
        return Response(status_code=204)

    async def keep_cookie(self, request: Request) -> Response:
        """``POST /api/tables/T/cookie``: a token traded for a cookie that no script can read."""
        shown_token(request)  # not from another origin
        check_json(request)
        table, asked = request.path_params["table"], await read_as(request, CookieAsked)
        if not is_token(asked.token):
            raise HallError(400, "token: expected 32 to 64 letters and digits")
        holder = await self.hall.holder(table, asked.token)
        headers = {"Set-Cookie": cookie_for(request, table, asked.token)}
        return json_answer({"role": holder.role, "name": holder.name}, 200, headers)

    async def drop_cookie(self, request: Request) -> Response:
        """``DELETE /api/tables/T/cookie``"""
        shown_token(request)
        view = await self.hall.view(request.path_params["table"])  # there is such a table
        headers = {"Set-Cookie": cookie_for(request, str(view["table"]), "")}
        return Response(status_code=204, headers=headers)

    async def events(self, request: Request) -> Response | Stream:
        """``GET /api/tables/T/events``"""
        after = _after(request)
        holder, token = await self._reader(request)
        table = request.path_params["table"]
        accepted = request.headers.get("accept", "")
        if "application/json" in accepted and "text/event-stream" not in accepted:
            return await in_pieces(request, self._page(table, after), JSON)
        view = await self.hall.view(table)
        if request.method == "HEAD":
            return Response(b"", media_type="text/event-stream")
        address = _address(request)
        self.streams.admit(address)
        channel = self.streams.channel(table, int(view["seq"]))
        if token is None or holder == OPERATOR:
            return Stream(channel, after, address=address)
        stands = partial(self._stands, table, token, holder)
        return Stream(channel, after, holder, stands, address)

    async def _page(self, table: str, after: int) -> AsyncIterator[bytes]:
        """Entries after a number, a thousand at most, as JSON."""
        left, sign = PAGE, b'{"entries":['
        while left > 0 and (few := await self.hall.texts(table, after, min(left, FEW))):
            for text in few:
                yield sign + text
                sign = b","
            after, left = after + len(few), left - len(few)
        yield b"]}" if sign == b"," else sign + b"]}"

    async def _stands(self, table: str, token: ShownToken, holder: Holder) -> bool:
        try:
            return await self._holder(table, token) == holder
        except HallError as wrong:
            if wrong.status == 401:
                return False
            raise

    async def record(self, request: Request) -> Response:
        """``GET /api/tables/T/record``"""
        await self.reader(request)
        table = request.path_params["table"]
        return await in_pieces(request, self._record(table), "text/plain")

    async def _record(self, table: str) -> AsyncIterator[bytes]:
        async for line in self.hall.log(table):
            for words in record_lines([read_entry(line)]):
                yield f"{words}\n".encode()

    async def log(self, request: Request) -> Response:
        """``GET /api/tables/T/log``"""
        await self.reader(request)
        table = request.path_params["table"]
        return await in_pieces(request, self.hall.log(table), "application/x-ndjson")


def _address(request: Request) -> str:
    """Where a request comes from, as far as a proxy on this machine tells."""
    return request.client.host if request.client else ""


def _said(said: SayAnswer, to: Holder) -> dict[str, object]:
    """What came of a line, as JSON, told to whoever said it."""
    you = to.name if to.role == "player" else ""
    return {
        "seq": said.seq,
        "hash": said.hash,
        "entries": [
            {
                "said": one.said,
                "words": one.words,
                "refusal": None
                if one.refusal is None
                else {"reason": refusal_words(one.refusal, you), "cite": one.refusal.cite or None},
            }
            for one in said.entries
        ],
    }


def _after(request: Request) -> int:
    """The number that a stream goes on after: what a browser remembers goes before the query."""
    given = request.headers.get("last-event-id") or request.query_params.get("after", "-1")
    if not _NUMBER.fullmatch(given):
        raise HallError(400, f"after: expected an entry's number, not {given[:40]!r}")
    return int(given)
