"""Luck and decisions at a table, ``/t/TABLE/luck``.

The page splits what each player won into the value of the decisions and luck, and shows what other
strategies would have won with the same throws.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from passline.game.money.amounts import show_dollars
from passline.game.words.web import say_web
from passline.lab.luck.review import LuckSplit, RecordReview, review_record, wager_name
from passline.lab.strategies.built_in import BUILT_IN, summarize_strategy
from passline.lab.strategies.load import load_strategy
from passline.live.log_entries import Entry
from passline.live.record_export import export_record
from passline.live.schema import ServiceError
from passline.record.deal import deal_text
from passline.text import show_name
from passline.web.page_cache import BackgroundPageCache
from passline.web.page_templates import plain_name, render_page, show_signed
from passline.web.responses import cached_response, page_response
from passline.web.table_api import TableApi
from passline.web.wager_api import read_log_entries

#: The longest log that this page reviews, in entries, and the most strategies in one request.
MAX_ENTRIES: Final = 5_000
_MAX_STRATEGIES: Final = 6
_DEFAULT_STRATEGIES: Final = ("pass", "pass-odds", "place-6-8")


class LuckPage:
    """The handler of ``/t/TABLE/luck``: what each player won by decisions and by luck."""

    def __init__(self, tables: TableApi) -> None:
        self._tables, self._service = tables, tables.service
        self._pages = BackgroundPageCache()

    async def luck(self, request: Request) -> Response:
        """``GET /t/TABLE/luck``: the page.

        ``?strategy=`` adds strategies played on the same throws. A browser sends a table's cookie
        only to the table's API. So a browser without a token is redirected from a private table's
        page to the same page under ``/api``.
        """
        table = request.path_params["table"]
        if await self._needs_cookie(request, table):
            query = f"?{request.url.query}" if request.url.query else ""
            return RedirectResponse(f"/api/tables/{table}/luck{query}", 303)
        strategies = tuple(dict.fromkeys(request.query_params.getlist("strategy")))
        strategies = strategies or _DEFAULT_STRATEGIES
        _check_strategies(strategies)
        await self._tables.reader(request)
        live = (await self._service.tables.get(table)).live
        seq, name = live.head.seq, live.settings.name
        if not live.table.seats:
            empty = render_page("luck.html", table=table, name=name, review=None)
            return page_response(request, empty)
        entries = await read_log_entries(self._service, table, seq, MAX_ENTRIES)
        if entries is None:
            raise ServiceError(
                "not_understood",
                say_web("log-too-long", table=table),
            )
        page = await self._pages.get_page(
            (table, seq, strategies), lambda: _render_luck(table, name, entries, strategies)
        )
        return cached_response(request, page)

    async def _needs_cookie(self, request: Request, table: str) -> bool:
        """Return whether a browser asks for a private table's page where it sends no cookie."""
        if "text/html" not in request.headers.get("accept", ""):
            return False
        if "authorization" in request.headers or request.url.path.startswith("/api/"):
            return False
        return not (await self._service.tables.get(table)).live.settings.open


def _check_strategies(strategies: Sequence[str]) -> None:
    """Raise ServiceError unless all strategies are built in, and there are not too many.

    The server does not run other strategies.
    """
    for strategy in strategies:
        if strategy not in BUILT_IN:
            raise ServiceError("invalid", say_web("no-strategy", known=BUILT_IN))
    if len(strategies) > _MAX_STRATEGIES:
        raise ServiceError("invalid", say_web("too-many-strategies", most=_MAX_STRATEGIES))


def _render_luck(table: str, name: str, log: Iterable[Entry], strategies: Sequence[str]) -> str:
    """Return the HTML of a table's review. ``log`` is its log, and ``name`` the table's name.

    ``strategies`` are the names of strategies to play on the same throws.
    """
    dealt = deal_text(export_record(log))
    house = dealt.table.house
    loaded = [load_strategy(strategy, house=house) for strategy in strategies]
    review = review_record(dealt, None, loaded)
    return render_page(
        "luck.html",
        table=table,
        name=name,
        review=review,
        player_rows=[
            _split_cells(show_name(player), split) for player, split in review.players.items()
        ],
        strategy_rows=_strategy_rows(review),
        strategies=[(strategy, summarize_strategy(strategy)) for strategy in BUILT_IN],
        chosen=strategies,
        by_wager=[
            (player, _open_bets_text(split), _wager_rows(split))
            for player, split in review.players.items()
            if split.by_wager
        ],
    )


def _split_cells(name: str, split: LuckSplit) -> list[str]:
    return [name, *map(show_signed, (split.net, split.decisions, split.luck))]


def _strategy_rows(review: RecordReview) -> list[list[str]]:
    played = [
        [*_split_cells(plain_name(one.strategy), one.split), show_dollars(one.bankroll)]
        for one in review.strategies
    ]
    refused = [
        [plain_name(name), reason, "", "", ""] for name, reason in review.refused_strategies.items()
    ]
    return played + refused


def _wager_rows(split: LuckSplit) -> list[list[str]]:
    return [
        [wager_name(slug), show_signed(part.decisions), show_signed(part.luck)]
        for slug, part in split.by_wager.items()
    ]


def _open_bets_text(split: LuckSplit) -> str:
    if not split.up:
        return ""
    return say_web("still-up", up=split.up, worth=split.worth)
