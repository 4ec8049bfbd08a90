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

from passline.charts.svg import fan_svg, final_svg
from passline.extras import missing_extra
from passline.house.files import HouseError, house_for
from passline.law import BOOKS, rulebook
from passline.live.asks import HallError
from passline.machines import StrategyError
from passline.money import AmountError, parse_dollars, show_dollars
from passline.sessions import PERCENTS, Arithmetic, Plan, Session, TooLong
from passline.sessions.distribution import Number
from passline.sessions.plan import check_plan
from passline.sessions.report import PlayedSession, session_json
from passline.strategies import BUILT_IN, load_strategy, summary
from passline.web.answers import JSON
from passline.web.frame import crumbs, framed, options_html, rows_html
from passline.web.pages.heavy import Workshop
from passline.web.sending import send_body

#: What is worked out for whoever asks: states, rolls, and seconds of one core.
_STATES, _ROLLS, _SECONDS = 4_000, 5_000, 5.0
#: Rolls beyond which fractions would be longer than anybody reads.
_FRACTIONS = 100
#: Elections of one address, and characters of them.
_MOST, _LONGEST = 40, 2000
_USUAL: Final = {
    "strategy": "pass-odds",
    "rulebook": "new-jersey",
    "bankroll": "500",
    "rolls": "400",
    "stop_win": "",
    "stop_loss": "",
}


class _Asked(NamedTuple):
    """A session that is asked for: by which strategy, at which house, on what plan."""

    given: tuple[tuple[str, str], ...]
    plan: Plan

    def one(self, key: str) -> str:
        return dict(self.given)[key]


class SessionPages:
    """The handlers of sessions."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    async def session(self, request: Request) -> Response:
        """``/session``"""
        return await self._made(request, "page", _page)

    async def data(self, request: Request) -> Response:
        """``/api/session``"""
        made = await self._made(request, "json", _json)
        if made.status_code == 200:
            made.headers["Content-Type"] = JSON
        return made

    async def _made(self, request: Request, kind: str, make: Callable[[_Asked], str]) -> Response:
        asked = _read(request)
        return send_body(
            request, await self._workshop.made((kind, asked.given), lambda: make(asked))
        )


def _read(request: Request) -> _Asked:
    """What an address asks for. HallError 400 where it makes no sense."""
    pairs = request.query_params.multi_items()
    if len(pairs) > _MOST or len(request.url.query) > _LONGEST:
        raise HallError(400, f"a session takes {_MOST} parameters at most")
    given = {**_USUAL, **{key: value.strip() for key, value in pairs if value.strip()}}
    if given["strategy"] not in BUILT_IN:
        known = ", ".join(BUILT_IN)
        raise HallError(400, f"strategy: there is no {given['strategy'][:40]!r}: expected {known}")
    if given["rulebook"] not in BOOKS:
        known = ", ".join(BOOKS)
        raise HallError(400, f"rulebook: there is no {given['rulebook'][:40]!r}: expected {known}")
    rolls = given["rolls"]
    if not (rolls.isascii() and rolls.isdigit() and len(rolls) < 9 and 0 < int(rolls) <= _ROLLS):
        raise HallError(400, f"rolls: expected 1 to {_ROLLS:,}, not {rolls[:20]!r}")
    bankroll = _cents(given, "bankroll")
    assert bankroll is not None
    plan = Plan(
        bankroll=bankroll,
        rolls=int(rolls),
        stop_win=_cents(given, "stop_win"),
        stop_loss=_cents(given, "stop_loss"),
    )
    try:
        check_plan(plan)
    except ValueError as wrong:
        raise HallError(400, str(wrong)) from None
    return _Asked(tuple(sorted(given.items())), plan)


def _cents(given: dict[str, str], key: str) -> int | None:
    if not given[key]:
        return None
    try:
        return parse_dollars(given[key])
    except AmountError as wrong:
        raise HallError(400, f"{key}: {wrong}") from None


def _played(asked: _Asked) -> PlayedSession:
    """The session. HallError 400 where it is refused or too long, 501 where it needs an extra."""
    options = [(key, value) for key, value in asked.given if key not in {*_USUAL, "game"}]
    loaded, rolls = load_strategy(asked.one("strategy")), asked.plan.rolls
    try:
        house = house_for(asked.one("rulebook"), dict(asked.given).get("game"), options)
        from passline.lab import seat_strategy
        from passline.lab.sessions import session

        machine = seat_strategy(house, loaded.function, loaded.name)
        if not machine.close(limit=_STATES):
            raise HallError(
                400,
                f"{loaded.name} has more than {_STATES:,} states, too many to work out here: "
                "'passline session' does it",
            )
        arithmetic: Arithmetic | None = "doubles" if rolls > _FRACTIONS else None
        found = session(machine, asked.plan, arithmetic=arithmetic, longest=_SECONDS)
    except (HouseError, StrategyError) as wrong:
        raise HallError(400, str(wrong)) from None
    except TooLong as wrong:
        raise HallError(400, f"{wrong.why} here: 'passline session' does it") from None
    except ModuleNotFoundError as wrong:
        raise HallError(501, str(missing_extra(wrong, "a session") or wrong)) from None
    return PlayedSession(machine.about, found)


def _json(asked: _Asked) -> str:
    return msgspec.json.encode(session_json(_played(asked), distribution=True)).decode()


def _page(asked: _Asked) -> str:
    played = _played(asked)
    session, name = played.session, played.about.strategy
    plan = session.plan
    query = urlencode([pair for pair in asked.given if pair[1]])
    html = f"""{crumbs(("/odds", "Odds"))}
<h1>A session of {escape(name)}</h1>
<p class="lead">{escape(summary(name))} {plan.rolls:,} rolls from {show_dollars(plan.bankroll)} at
{escape(rulebook(played.about.rulebook).title)}: every way that it can end, exactly.</p>
{_form(asked)}
<div class="charts">
<div><h2>On the way</h2>
{fan_svg(session, name)}</div>
<div><h2>At the end</h2>
{final_svg(session, name)}</div>
</div>
{_figures(session)}
{_way(session)}
<p>Ruin: the rail cannot cover the next wagers. Wagers still up at the end count at their stake.
<a href="/api/session?{escape(query)}">All of it as JSON</a>.</p>"""
    return framed(f"A session of {name}", html, at="/session", styles=["charts.css"])


def _form(asked: _Asked) -> str:
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
        if key not in _USUAL
    )
    return (
        '<details class="elect" open>\n<summary>Another session</summary>\n'
        f'<form action="/session" method="get">{"".join(fields)}{others}'
        "<button>Show</button></form>\n</details>"
    )


def _figures(session: Session) -> str:
    plan, final = session.plan, session.final
    mean = round(final.mean)
    change = mean - plan.bankroll
    rows = [
        ["Mean", f"{show_dollars(mean)} ({'+' if change >= 0 else ''}{show_dollars(change)})"],
        ["Standard deviation", show_dollars(round(final.sd))],
        ["Ruin", _percent(session.ruin)],
    ]
    if plan.goal is not None:
        rows.append(["Leaves a winner", _percent(session.goal)])
    if plan.floor is not None:
        rows.append(["Leaves a loser", _percent(session.stopped)])
    rows.append(["Rolls played, on average", f"{float(session.rolls):,.2f}"])
    rows += [[_named(p), show_dollars(final.quantile(p))] for p in PERCENTS]
    rows.append(["Method", f"exact, in {session.arithmetic}"])
    table = rows_html("How it ends", ("How it ends", "Figure"), rows, figures=1)
    return f'<div class="narrow">{table}</div>'


def _way(session: Session) -> str:
    every = max(len(session.fan) // 10, 1)
    bands = [*session.fan[:-1:every], session.fan[-1]]
    rows = [[f"{band.roll:,}", *map(show_dollars, band.worths)] for band in bands]
    heads = ("After rolls", *map(_named, PERCENTS))
    return f"<h2>On the way, in figures</h2>\n{rows_html('On the way', heads, rows, figures=1)}"


def _named(percent: int) -> str:
    return "Median" if percent == 50 else f"{percent}% at or below"


def _percent(share: Number) -> str:
    return f"{float(share):.4%}"
