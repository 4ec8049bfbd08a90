"""Sessions, ``/session``: the exact distribution of a strategy's results over a number of rolls.

The query chooses the session: ``?strategy=pass-odds&bankroll=500&rolls=400&rulebook=new-jersey``,
``stop_win``, ``stop_loss`` and ``game``. Other parameters are house rules, as ``-o`` is for the
command. ``/api/session`` has the data of ``passline session --json``.
"""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import urlencode

import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from passline.game.house.load import HouseError, house_for
from passline.game.law.book_files import DEFAULT_BOOK, book_ids, read_each_book
from passline.game.law.load import rulebook
from passline.game.money.amounts import AmountError, parse_dollars, show_dollars
from passline.game.words.web import SESSION_AMOUNTS, say_web
from passline.lab.charts.svg import draw_distribution
from passline.lab.machines.bettor import StrategyError
from passline.lab.sessions.distribution import QUANTILE_PERCENTS
from passline.lab.sessions.plan_and_result import (
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
from passline.live.schema import ServiceError
from passline.optional_packages import find_extra
from passline.web.page_cache import BackgroundPageCache
from passline.web.page_templates import plain_name, render_page
from passline.web.responses import JSON

#: The largest session that this server computes: states, rolls, and seconds of one core.
_MAX_STATES, _MAX_ROLLS, _MAX_SECONDS = 4_000, 5_000, 5.0
#: Longer sessions are computed in floating point: their exact fractions are too long to read.
_MAX_FRACTION_ROLLS = 100
#: How many parameters an address may hold, and how many characters.
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
    """The session that a query chooses: all parameters, sorted by name, and the parsed plan."""

    parameters: tuple[tuple[str, str], ...]
    plan: Plan

    @property
    def elections(self) -> list[tuple[str, str]]:
        return [(key, value) for key, value in self.parameters if key not in {*_DEFAULTS, "game"}]


class SessionPages:
    """The handlers of ``/session`` and ``/api/session``: how a strategy's session ends."""

    def __init__(self) -> None:
        self._pages = BackgroundPageCache()

    async def session(self, request: Request) -> Response:
        """``GET /session``: the page of a session."""
        return await self._pages.respond(request, _render_session, _parse_request(request))

    async def data(self, request: Request) -> Response:
        """``GET /api/session``: a session as JSON, like ``passline session --json``."""
        response = await self._pages.respond(request, _encode_session, _parse_request(request))
        if response.status_code == 200:
            response.headers["Content-Type"] = JSON
        return response


def _parse_request(request: Request) -> _SessionRequest:
    """Return the session that a query chooses. Raise ServiceError if a parameter is wrong."""
    pairs = request.query_params.multi_items()
    if len(pairs) > _MAX_PARAMETERS or len(request.url.query) > _MAX_QUERY_LENGTH:
        raise ServiceError("invalid", say_web("too-many-parameters", most=_MAX_PARAMETERS))
    parameters = {**_DEFAULTS, **{key: value.strip() for key, value in pairs if value.strip()}}
    if parameters["strategy"] not in BUILT_IN:
        raise ServiceError("invalid", say_web("no-strategy", known=BUILT_IN))
    if parameters["rulebook"] not in book_ids():
        raise ServiceError("invalid", say_web("no-rulebook", books=book_ids()))
    rolls = parameters["rolls"]
    if not (
        rolls.isascii() and rolls.isdigit() and len(rolls) < 9 and 0 < int(rolls) <= _MAX_ROLLS
    ):
        raise ServiceError("invalid", say_web("rolls-range", most=_MAX_ROLLS))
    bankroll = _parse_cents(parameters, "bankroll")
    assert bankroll is not None
    plan = Plan(
        bankroll=bankroll,
        rolls=int(rolls),
        stop_win=_parse_cents(parameters, "stop_win"),
        stop_loss=_parse_cents(parameters, "stop_loss"),
    )
    try:
        check_plan(plan)
    except ValueError as error:
        raise ServiceError("invalid", str(error)) from None
    return _SessionRequest(tuple(sorted(parameters.items())), plan)


def _parse_cents(parameters: dict[str, str], key: str) -> int | None:
    """Return the amount in the parameter ``key`` in cents, or None if it is empty.

    Raise ServiceError if it is not an amount.
    """
    if not parameters[key]:
        return None
    try:
        return parse_dollars(parameters[key])
    except AmountError as error:
        raise ServiceError("invalid", f"{SESSION_AMOUNTS[key]}: {error}") from None


def _compute_session(chosen: _SessionRequest) -> PlayedSession:
    """Compute and return a session.

    Raise ServiceError if the strategy or the house is refused, if the session is too large, or if
    an optional package is missing.
    """
    parameters, rolls = dict(chosen.parameters), chosen.plan.rolls
    try:
        house = house_for(parameters["rulebook"], parameters.get("game"), chosen.elections)
        loaded = load_strategy(parameters["strategy"], house=house)
        from passline.lab.run_session import session
        from passline.lab.strategy_machine import make_machine

        machine = make_machine(house, loaded.function, loaded.name)
        if not machine.close(limit=_MAX_STATES):
            raise ServiceError(
                "invalid",
                say_web("too-many-states", strategy=loaded.name, most=_MAX_STATES),
            )
        arithmetic: Arithmetic | None = "doubles" if rolls > _MAX_FRACTION_ROLLS else None
        computed = session(machine, chosen.plan, arithmetic=arithmetic, longest=_MAX_SECONDS)
    except (HouseError, StrategyError) as error:
        raise ServiceError("invalid", str(error)) from None
    except SessionTooLargeError as error:
        raise ServiceError("invalid", say_web("session-too-large", why=error.why)) from None
    except ModuleNotFoundError as error:
        raise ServiceError("session-extra", extra=find_extra(error) or error.name) from None
    return PlayedSession(machine.about, computed)


def _encode_session(chosen: _SessionRequest) -> str:
    return msgspec.json.encode(session_json(_compute_session(chosen), distribution=True)).decode()


def _render_session(chosen: _SessionRequest) -> str:
    played = _compute_session(chosen)
    session, strategy = played.session, played.about.strategy
    name = plain_name(strategy)
    step = max(len(session.fan) // 10, 1)
    bands = [*session.fan[:-1:step], session.fan[-1]]
    return render_page(
        "session.html",
        strategy=name,
        summary=summarize_strategy(dict(chosen.parameters)["strategy"]),
        book=played.about.rulebook,
        plan=session.plan,
        parameters=dict(chosen.parameters),
        strategies=[(name, plain_name(name)) for name in BUILT_IN],
        books=[(book.id, book.title) for book in read_each_book(rulebook)],
        elections=[pair for pair in chosen.parameters if pair[0] not in _DEFAULTS],
        fan_chart=Markup(session.draw_fan(say_web("fan-chart", strategy=name))),
        final_chart=Markup(
            draw_distribution(
                session.final, say_web("final-chart", strategy=name), "final bankroll"
            )
        ),
        figures=_list_figures(session),
        quantile_heads=[say_web("after-rolls"), *map(_percentile_name, QUANTILE_PERCENTS)],
        quantiles=[[f"{band.roll:,}", *map(show_dollars, band.worths)] for band in bands],
        query=urlencode([pair for pair in chosen.parameters if pair[1]]),
    )


def _list_figures(session: Session) -> list[list[str]]:
    """Return the rows of the table "How it ends": [name, figure] each."""
    plan, final = session.plan, session.final
    mean = round(final.mean)
    change = mean - plan.bankroll
    rows = [
        [say_web("mean"), say_web("mean-change", mean=mean, change=change)],
        [say_web("sd"), show_dollars(round(final.sd))],
        [say_web("ruin"), f"{float(session.ruin):.4%}"],
    ]
    if plan.goal is not None:
        rows.append([say_web("winner"), f"{float(session.goal):.4%}"])
    if plan.floor is not None:
        rows.append([say_web("loser"), f"{float(session.stopped):.4%}"])
    rows.append([say_web("rolls-played"), f"{float(session.rolls):,.2f}"])
    rows += [[_percentile_name(p), show_dollars(final.quantile(p))] for p in QUANTILE_PERCENTS]
    rows.append([say_web("method"), say_web("exact", arithmetic=session.arithmetic)])
    return rows


def _percentile_name(percent: int) -> str:
    return say_web("median") if percent == 50 else say_web("percentile", percent=percent)
