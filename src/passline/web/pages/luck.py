"""``/t/T/luck``: an evening's luck, split from its decisions; its throws under any strategy."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from fractions import Fraction
from html import escape
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from passline.live.asks import HallError
from passline.live.entries import Entry
from passline.live.hall import Hall
from passline.live.records import record_text
from passline.live.tokens import Holder
from passline.luck.evening import Evening, part_name, review_evening
from passline.luck.split import LuckSplit
from passline.money import show_dollars
from passline.record import deal_text
from passline.strategies import BUILT_IN, load_strategy, summary
from passline.web.frame import crumbs, framed, path_of, rows_html
from passline.web.pages.heavy import Workshop
from passline.web.panels import entries_of
from passline.web.sending import send_body, send_once

#: Entries of a log up to which its evening is looked back on here, and strategies at a time.
MOST_ENTRIES: Final = 5_000
_MOST_STRATEGIES: Final = 6
#: What is shown where nobody asks for others.
_USUAL: Final = ("pass", "pass-odds", "place-6-8")

_MEANING: Final = (
    '<p class="lead">What a player won is, exactly, what the decisions were worth when they were '
    "made, plus luck.</p>\n"
    "<p>A decision is every wager made, changed or taken down, and every one that is left up after "
    "it was decided: it changes what may be expected, wagers being played out with nothing more "
    "said. All the rest is luck, which on every throw is nothing on average. What still lies there "
    "counts at its expectation.</p>"
)


class LuckPages:
    """The handler of a table's luck. ``reader`` says who reads, or that nobody may."""

    def __init__(
        self, hall: Hall, workshop: Workshop, reader: Callable[[Request], Awaitable[Holder]]
    ) -> None:
        self._hall, self._workshop, self._reader = hall, workshop, reader

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
        asked = tuple(dict.fromkeys(request.query_params.getlist("strategy"))) or _USUAL
        _check(asked)
        await self._reader(request)
        live = (await self._hall.tables.get(table)).live
        seq, name = live.head.seq, live.settings.name
        if not live.table.seats:
            html = f"<h1>Luck and decisions</h1>\n{_MEANING}\n<p>Nobody has sat down yet.</p>"
            return send_once(
                request, framed(f"Luck and decisions, {name}", _top(table, name) + html)
            )
        entries = await entries_of(self._hall, table, seq, MOST_ENTRIES)
        if entries is None:
            raise HallError(
                422,
                "this log is too long to look back on here: 'passline luck' takes it, from "
                f"/api/tables/{table}/log",
            )
        kept = await self._workshop.made(
            ("luck", table, seq, asked), lambda: luck_page(table, name, entries, asked)
        )
        return send_body(request, kept)


def _check(strategies: Sequence[str]) -> None:
    """HallError 400: only what comes with passline is run for others."""
    for one in strategies:
        if one not in BUILT_IN:
            known = ", ".join(BUILT_IN)
            raise HallError(400, f"strategy: there is no {one[:40]!r}: expected {known}")
    if len(strategies) > _MOST_STRATEGIES:
        raise HallError(400, f"strategy: expected {_MOST_STRATEGIES} at most")


def luck_page(table: str, name: str, log: Iterable[Entry], strategies: Sequence[str]) -> str:
    """The page of a log."""
    dealt = deal_text(record_text(log))
    evening = review_evening(dealt, None, [load_strategy(one) for one in strategies])
    words = "1 throw" if evening.throws == 1 else f"{evening.throws:,} throws"
    html = f"""{_top(table, name)}<h1>Luck and decisions</h1>
{_MEANING}
<h2>The players, after {words}</h2>
{_players(evening)}
{_hands(evening)}
<h2>The same throws, played by</h2>
{_strategies(evening)}
{_form(table, strategies)}
{"".join(_one(who, split) for who, split in evening.players.items())}"""
    return framed(f"Luck and decisions, {name}", html)


def _top(table: str, name: str) -> str:
    return f"{crumbs(('/', 'Lobby'), (path_of('t', table), name))}\n"


def _summed(name: str, split: LuckSplit) -> list[str]:
    return [escape(name), *map(_signed, (split.net, split.decisions, split.luck))]


def _players(evening: Evening) -> str:
    rows = [_summed(who, split) for who, split in evening.players.items()]
    return rows_html("Players", ("Player", "Won", "Decisions", "Luck"), rows, figures=1)


def _hands(evening: Evening) -> str:
    if not evening.hands:
        return ""
    items = "".join(f"<li>{escape(hand.words)}</li>" for hand in evening.hands)
    return (
        "<h2>The hands</h2>\n<p>How many throws each had, and the chance that one lasts as "
        f"long.</p>\n<ol>{items}</ol>"
    )


def _strategies(evening: Evening) -> str:
    rows = [
        [*_summed(one.strategy, one.split), show_dollars(one.bankroll)]
        for one in evening.strategies
    ]
    rows += [[escape(name), escape(why), "", "", ""] for name, why in evening.unplayed.items()]
    heads = ("Strategy", "Won", "Decisions", "Luck", "Bankroll needed")
    return rows_html("The same throws", heads, rows, figures=1)


def _form(table: str, chosen: Sequence[str]) -> str:
    boxes = "".join(
        f'<label class="check"><input type="checkbox" name="strategy" value="{name}"'
        f"{' checked' if name in chosen else ''}> {name}: {escape(summary(name))}</label>"
        for name in BUILT_IN
    )
    return (
        '<details class="elect">\n<summary>Other strategies</summary>\n'
        f'<form class="fields" action="{path_of("t", table, "luck")}" method="get">{boxes}'
        f"<button>Play these throws</button></form>\n</details>"
    )


def _one(name: str, split: LuckSplit) -> str:
    """A player's evening by wager."""
    if not split.by_wager:
        return ""
    rows = [
        [escape(part_name(slug)), _signed(part.decisions), _signed(part.luck)]
        for slug, part in split.by_wager.items()
    ]
    up = (
        f"<p>Still up: {show_dollars(split.up)}, worth {_money(split.worth)}.</p>"
        if split.up
        else ""
    )
    return (
        f"<h2>{escape(name)}, by wager</h2>\n{up}"
        f"{rows_html(f'{name}, by wager', ('Wager', 'Decisions', 'Luck'), rows, figures=1)}\n"
    )


def _money(cents: Fraction) -> str:
    return f"${abs(float(cents)) / 100:,.2f}"


def _signed(cents: Fraction) -> str:
    """Dollars to the cent, with their sign."""
    rounded = Fraction(round(cents))
    sign = "" if not rounded else "−" if rounded < 0 else "+"
    return f"{sign}{_money(rounded)}"
