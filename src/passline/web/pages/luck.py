"""``/t/T/luck``: an evening's luck, split from its decisions; its throws under any strategy."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from fractions import Fraction
from html import escape
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from passline.game.money.amounts import show_dollars, show_money
from passline.lab.luck.review import LuckSplit, RecordReview, review_record, wager_name
from passline.lab.strategies.built_in import BUILT_IN, summarize_strategy
from passline.lab.strategies.load import load_strategy
from passline.live.entries import Entry
from passline.live.record_export import export_record
from passline.live.requests import ServiceError
from passline.live.service import TableService
from passline.live.tokens import Holder
from passline.record.deal import deal_text
from passline.web.page_cache import BackgroundPageCache
from passline.web.page_layout import breadcrumbs, build_path, data_table_html, render_page
from passline.web.responses import cached_response, page_response
from passline.web.wager_api import read_log_entries

#: Entries of a log up to which its evening is looked back on here, and strategies at a time.
MAX_ENTRIES: Final = 5_000
_MAX_STRATEGIES: Final = 6
#: What is shown where nobody asks for others.
_DEFAULT_STRATEGIES: Final = ("pass", "pass-odds", "place-6-8")

_EXPLANATION_HTML: Final = (
    '<p class="lead">What a player won is, exactly, what the decisions were worth when they were '
    "made, plus luck.</p>\n"
    "<p>A decision is every wager made, changed or taken down, and every one that is left up after "
    "it was decided: it changes what may be expected, wagers being played out with nothing more "
    "said. All the rest is luck, which on every throw is nothing on average. What still lies there "
    "counts at its expectation.</p>"
)


class LuckPage:
    """The handler of a table's luck. ``reader`` says who reads, or that nobody may."""

    def __init__(
        self,
        hall: TableService,
        page_cache: BackgroundPageCache,
        reader: Callable[[Request], Awaitable[Holder]],
    ) -> None:
        self._hall, self._page_cache, self._reader = hall, page_cache, reader

    async def luck(self, request: Request) -> Response:
        """``/t/T/luck``, and with ``?strategy=`` the same throws under other strategies. A browser
        sends the cookie of a table to the table's API alone: who shows no token at a table that is
        not open is sent there."""
        table = request.path_params["table"]
        browses = "text/html" in request.headers.get("accept", "")
        shown = "authorization" in request.headers or request.url.path.startswith("/api/")
        if browses and not shown and not (await self._hall.tables.get(table)).live.settings.open:
            query = f"?{request.url.query}" if request.url.query else ""
            return RedirectResponse(f"/api/tables/{table}/luck{query}", 303)
        asked = (
            tuple(dict.fromkeys(request.query_params.getlist("strategy"))) or _DEFAULT_STRATEGIES
        )
        _check_strategies(asked)
        await self._reader(request)
        live = (await self._hall.tables.get(table)).live
        seq, name = live.head.seq, live.settings.name
        if not live.table.seats:
            html = (
                f"<h1>Luck and decisions</h1>\n{_EXPLANATION_HTML}\n<p>Nobody has sat down yet.</p>"
            )
            return page_response(
                request,
                render_page(f"Luck and decisions, {name}", _luck_breadcrumbs(table, name) + html),
            )
        entries = await read_log_entries(self._hall, table, seq, MAX_ENTRIES)
        if entries is None:
            raise ServiceError(
                "not_understood",
                "this log is too long to look back on here: 'passline luck' takes it, from "
                f"/api/tables/{table}/log",
            )
        kept = await self._page_cache.made(
            ("luck", table, seq, asked), lambda: render_luck_page(table, name, entries, asked)
        )
        return cached_response(request, kept)


def _check_strategies(strategies: Sequence[str]) -> None:
    """ServiceError (``invalid``): only what comes with passline is run for others."""
    for one in strategies:
        if one not in BUILT_IN:
            known = ", ".join(BUILT_IN)
            raise ServiceError("invalid", f"strategy: there is no {one[:40]!r}: expected {known}")
    if len(strategies) > _MAX_STRATEGIES:
        raise ServiceError("invalid", f"strategy: expected {_MAX_STRATEGIES} at most")


def render_luck_page(table: str, name: str, log: Iterable[Entry], strategies: Sequence[str]) -> str:
    """The page of a log."""
    dealt = deal_text(export_record(log))
    evening = review_record(dealt, None, [load_strategy(one) for one in strategies])
    words = "1 throw" if evening.throws == 1 else f"{evening.throws:,} throws"
    html = f"""{_luck_breadcrumbs(table, name)}<h1>Luck and decisions</h1>
{_EXPLANATION_HTML}
<h2>The players, after {words}</h2>
{_players_table(evening)}
{_hands_html(evening)}
<h2>The same throws, played by</h2>
{_strategies_table(evening)}
{_strategy_form(table, strategies)}
{"".join(_player_by_wager(who, split) for who, split in evening.players.items())}"""
    return render_page(f"Luck and decisions, {name}", html)


def _luck_breadcrumbs(table: str, name: str) -> str:
    return f"{breadcrumbs(('/', 'Lobby'), (build_path('t', table), name))}\n"


def _split_cells(name: str, split: LuckSplit) -> list[str]:
    return [escape(name), *map(_signed, (split.net, split.decisions, split.luck))]


def _players_table(evening: RecordReview) -> str:
    rows = [_split_cells(who, split) for who, split in evening.players.items()]
    return data_table_html("Players", ("Player", "Won", "Decisions", "Luck"), rows, figures=1)


def _hands_html(evening: RecordReview) -> str:
    if not evening.hands:
        return ""
    items = "".join(f"<li>{escape(hand.words)}</li>" for hand in evening.hands)
    return (
        "<h2>The hands</h2>\n<p>How many throws each had, and the chance that one lasts as "
        f"long.</p>\n<ol>{items}</ol>"
    )


def _strategies_table(evening: RecordReview) -> str:
    rows = [
        [*_split_cells(one.strategy, one.split), show_dollars(one.bankroll)]
        for one in evening.strategies
    ]
    rows += [
        [escape(name), escape(why), "", "", ""] for name, why in evening.refused_strategies.items()
    ]
    heads = ("Strategy", "Won", "Decisions", "Luck", "Bankroll needed")
    return data_table_html("The same throws", heads, rows, figures=1)


def _strategy_form(table: str, chosen: Sequence[str]) -> str:
    boxes = "".join(
        f'<label class="check"><input type="checkbox" name="strategy" value="{name}"'
        f"{' checked' if name in chosen else ''}> {name}: {escape(summarize_strategy(name))}</label>"  # noqa: E501
        for name in BUILT_IN
    )
    return (
        '<details class="elect">\n<summary>Other strategies</summary>\n'
        f'<form class="fields" action="{build_path("t", table, "luck")}" method="get">{boxes}'
        f"<button>Play these throws</button></form>\n</details>"
    )


def _player_by_wager(name: str, split: LuckSplit) -> str:
    """A player's evening by wager."""
    if not split.by_wager:
        return ""
    rows = [
        [escape(wager_name(slug)), _signed(part.decisions), _signed(part.luck)]
        for slug, part in split.by_wager.items()
    ]
    up = (
        f"<p>Still up: {show_dollars(split.up)}, worth {show_money(split.worth)}.</p>"
        if split.up
        else ""
    )
    return (
        f"<h2>{escape(name)}, by wager</h2>\n{up}"
        f"{data_table_html(f'{name}, by wager', ('Wager', 'Decisions', 'Luck'), rows, figures=1)}\n"
    )


def _signed(cents: Fraction) -> str:
    """Dollars to the cent, with their sign."""
    return show_money(cents, plus=True).replace("-", "−")
