"""``/session``: how an evening of a strategy ends, exactly: the data of ``passline session``.

``?strategy=pass-odds&bankroll=500&rolls=400&rulebook=new-jersey``, and ``stop_win``, ``stop_loss``
and ``game``; other parameters elect, as ``-o`` does for the command. ``/api/session`` has the same
as JSON.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Final, NamedTuple
from urllib.parse import urlencode

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from passline.extras import missing_extra
from passline.game.house.load import HouseError, house_for
from passline.game.law.book_files import BOOKS, DEFAULT_BOOK
from passline.game.law.load import rulebook
from passline.game.money.amounts import AmountError, parse_dollars, show_dollars
from passline.lab.charts.svg import draw_distribution
from passline.lab.machines.bettor import StrategyError
from passline.lab.sessions.distribution import QUANTILE_PERCENTS, Number
from passline.lab.sessions.session import (
    Arithmetic,
    Plan,
    PlayedSession,
    Session,
    SessionTooLargeError,
    check_plan,
    session_json,
)
from passline.lab.strategies.built_in import BUILT_IN, summarize_strategy
from passline.lab.strategies.load import load_strategy
from passline.live.requests import ServiceError
from passline.web.page_cache import BackgroundPageCache
from passline.web.page_layout import breadcrumbs, data_table_html, options_html, render_page
from passline.web.responses import JSON, cached_response

#: What is worked out for whoever asks: states, rolls, and seconds of one core.
_MAX_STATES, _MAX_ROLLS, _MAX_SECONDS = 4_000, 5_000, 5.0
#: Rolls beyond which fractions would be longer than anybody reads.
_MAX_FRACTION_ROLLS = 100
#: Elections of one address, and characters of them.
_MAX_PARAMETERS, _MAX_QUERY_LENGTH = 40, 2000
_DEFAULTS: Final = {
    "strategy": "pass-odds",
    "rulebook": DEFAULT_BOOK,
    "bankroll": "500",
    "rolls": "400",
    "stop_win": "",
    "stop_loss": "",
}


class _SessionRequest(NamedTuple):
    """A session that is asked for: by which strategy, at which house, on what plan."""

    given: tuple[tuple[str, str], ...]
    plan: Plan

    def one(self, key: str) -> str:
        return dict(self.given)[key]


class SessionPages:
    """The handlers of sessions."""

    def __init__(self, page_cache: BackgroundPageCache) -> None:
        self._page_cache = page_cache

    async def session(self, request: Request) -> Response:
        """``/session``"""
        return await self._made(request, "page", _session_page)

    async def data(self, request: Request) -> Response:
        """``/api/session``"""
        made = await self._made(request, "json", _session_text)
        if made.status_code == 200:
            made.headers["Content-Type"] = JSON
        return made

    async def _made(
        self, request: Request, kind: str, make: Callable[[_SessionRequest], str]
    ) -> Response:
        asked = _parse_request(request)
        return cached_response(
            request, await self._page_cache.made((kind, asked.given), lambda: make(asked))
        )


def _parse_request(request: Request) -> _SessionRequest:
    """What an address asks for. ServiceError (``invalid``) where it makes no sense."""
    pairs = request.query_params.multi_items()
    if len(pairs) > _MAX_PARAMETERS or len(request.url.query) > _MAX_QUERY_LENGTH:
        raise ServiceError("invalid", f"a session takes {_MAX_PARAMETERS} parameters at most")
    given = {**_DEFAULTS, **{key: value.strip() for key, value in pairs if value.strip()}}
    if given["strategy"] not in BUILT_IN:
        known = ", ".join(BUILT_IN)
        raise ServiceError(
            "invalid", f"strategy: there is no {given['strategy'][:40]!r}: expected {known}"
        )
    if given["rulebook"] not in BOOKS:
        known = ", ".join(BOOKS)
        raise ServiceError(
            "invalid", f"rulebook: there is no {given['rulebook'][:40]!r}: expected {known}"
        )
    rolls = given["rolls"]
    if not (
        rolls.isascii() and rolls.isdigit() and len(rolls) < 9 and 0 < int(rolls) <= _MAX_ROLLS
    ):
        raise ServiceError("invalid", f"rolls: expected 1 to {_MAX_ROLLS:,}, not {rolls[:20]!r}")
    bankroll = _parse_cents(given, "bankroll")
    assert bankroll is not None
    plan = Plan(
        bankroll=bankroll,
        rolls=int(rolls),
        stop_win=_parse_cents(given, "stop_win"),
        stop_loss=_parse_cents(given, "stop_loss"),
    )
    try:
        check_plan(plan)
    except ValueError as wrong:
        raise ServiceError("invalid", str(wrong)) from None
    return _SessionRequest(tuple(sorted(given.items())), plan)


def _parse_cents(given: dict[str, str], key: str) -> int | None:
    if not given[key]:
        return None
    try:
        return parse_dollars(given[key])
    except AmountError as wrong:
        raise ServiceError("invalid", f"{key}: {wrong}") from None


def _play_session(asked: _SessionRequest) -> PlayedSession:
    """The session. ServiceError where it is refused or too long, 501 where it needs an extra."""
    options = [(key, value) for key, value in asked.given if key not in {*_DEFAULTS, "game"}]
    loaded, rolls = load_strategy(asked.one("strategy")), asked.plan.rolls
    try:
        house = house_for(asked.one("rulebook"), dict(asked.given).get("game"), options)
        from passline.lab.run_session import session
        from passline.lab.strategy_machine import make_machine

        machine = make_machine(house, loaded.function, loaded.name)
        if not machine.close(limit=_MAX_STATES):
            raise ServiceError(
                "invalid",
                f"{loaded.name} has more than {_MAX_STATES:,} states, too many to work out here: "
                "'passline session' does it",
            )
        arithmetic: Arithmetic | None = "doubles" if rolls > _MAX_FRACTION_ROLLS else None
        found = session(machine, asked.plan, arithmetic=arithmetic, longest=_MAX_SECONDS)
    except (HouseError, StrategyError) as wrong:
        raise ServiceError("invalid", str(wrong)) from None
    except SessionTooLargeError as wrong:
        raise ServiceError("invalid", f"{wrong.why} here: 'passline session' does it") from None
    except ModuleNotFoundError as wrong:
        raise ServiceError(
            "not_supported", str(missing_extra(wrong, "a session") or wrong)
        ) from None
    return PlayedSession(machine.about, found)


def _session_text(asked: _SessionRequest) -> str:
    return msgspec.json.encode(session_json(_play_session(asked), distribution=True)).decode()


def _session_page(asked: _SessionRequest) -> str:
    played = _play_session(asked)
    session, name = played.session, played.about.strategy
    plan = session.plan
    query = urlencode([pair for pair in asked.given if pair[1]])
    html = f"""{breadcrumbs(("/odds", "Odds"))}
<h1>A session of {escape(name)}</h1>
<p class="lead">{escape(summarize_strategy(name))} {plan.rolls:,} rolls from {show_dollars(plan.bankroll)} at
{escape(rulebook(played.about.rulebook).title)}: every way that it can end, exactly.</p>
{_session_form(asked)}
<div class="charts">
<div><h2>On the way</h2>
{session.draw_fan(f"The bankroll of {name} over the rolls")}</div>
<div><h2>At the end</h2>
{draw_distribution(session.final, f"The final bankroll of {name}", "final bankroll")}</div>
</div>
{_figures_table(session)}
{_quantiles_table(session)}
<p>Ruin: the rail cannot cover the next wagers. Wagers still up at the end count at their stake.
<a href="/api/session?{escape(query)}">All of it as JSON</a>.</p>"""  # noqa: E501
    return render_page(f"A session of {name}", html, at="/session", styles=["charts.css"])


def _session_form(asked: _SessionRequest) -> str:
    given = dict(asked.given)
    strategies = options_html(((name, name) for name in BUILT_IN), given["strategy"])
    books = options_html(((book, rulebook(book).title) for book in BOOKS), given["rulebook"])
    fields = [
        f'<label>Strategy <select name="strategy">{strategies}</select></label>',
        f'<label>Rulebook <select name="rulebook">{books}</select></label>',
    ]
    for key, words in (
        ("bankroll", "Bankroll, $"),
        ("rolls", "Rolls"),
        ("stop_win", "Leave ahead by, $"),
        ("stop_loss", "Leave behind by, $"),
    ):
        fields.append(
            f'<label>{words} <input name="{key}" inputmode="decimal" size="8" '
            f'value="{escape(given[key])}"></label>'
        )
    others = "".join(
        f'<input type="hidden" name="{escape(key)}" value="{escape(value)}">'
        for key, value in asked.given
        if key not in _DEFAULTS
    )
    return (
        '<details class="elect" open>\n<summary>Another session</summary>\n'
        f'<form action="/session" method="get">{"".join(fields)}{others}'
        "<button>Show</button></form>\n</details>"
    )


def _figures_table(session: Session) -> str:
    plan, final = session.plan, session.final
    mean = round(final.mean)
    change = mean - plan.bankroll
    rows = [
        ["Mean", f"{show_dollars(mean)} ({'+' if change >= 0 else ''}{show_dollars(change)})"],
        ["Standard deviation", show_dollars(round(final.sd))],
        ["Ruin", _percent_text(session.ruin)],
    ]
    if plan.goal is not None:
        rows.append(["Leaves a winner", _percent_text(session.goal)])
    if plan.floor is not None:
        rows.append(["Leaves a loser", _percent_text(session.stopped)])
    rows.append(["Rolls played, on average", f"{float(session.rolls):,.2f}"])
    rows += [[_percentile_name(p), show_dollars(final.quantile(p))] for p in QUANTILE_PERCENTS]
    rows.append(["Method", f"exact, in {session.arithmetic}"])
    table = data_table_html("How it ends", ("How it ends", "Figure"), rows, figures=1)
    return f'<div class="narrow">{table}</div>'


def _quantiles_table(session: Session) -> str:
    every = max(len(session.fan) // 10, 1)
    bands = [*session.fan[:-1:every], session.fan[-1]]
    rows = [[f"{band.roll:,}", *map(show_dollars, band.worths)] for band in bands]
    heads = ("After rolls", *map(_percentile_name, QUANTILE_PERCENTS))
    return (
        f"<h2>On the way, in figures</h2>\n{data_table_html('On the way', heads, rows, figures=1)}"
    )


def _percentile_name(percent: int) -> str:
    return "Median" if percent == 50 else f"{percent}% at or below"


def _percent_text(share: Number) -> str:
    return f"{float(share):.4%}"
