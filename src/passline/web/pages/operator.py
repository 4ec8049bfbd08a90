"""``/open``: the operator's form for a table, and the lint of its house file as one types.

``/operate``: every table there is, for whoever holds the house key.

At each of them there is the operator's post: closing and reopening, limits, invitations, the
house's figures, the log. The key stays on this page: a table's cookie never holds it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from html import escape

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.game.house.load import HouseError, describe_findings, lint_file, parse_house_file
from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook
from passline.game.law.roles import POSTS as CREW
from passline.live.live_table import POST_NAMES, Pace
from passline.live.service import TableService
from passline.live.table_setup import PRACTICE_TABLE
from passline.web.auth import find_token
from passline.web.page_cache import BackgroundPageCache
from passline.web.page_layout import breadcrumbs, render_page
from passline.web.responses import cached_response, json_response, page_response, read_json


class LintRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/lint``: a house file as TOML text."""

    house: str


def _lint_house(house: str) -> dict[str, object]:
    """What ``passline lint --json`` says of a house file; of one that cannot be read, why."""
    try:
        file = parse_house_file(house.encode("utf-8", "replace"), "house")
    except HouseError as wrong:
        return {"ok": False, "error": str(wrong).removeprefix("house: "), "findings": []}
    return describe_findings(file, lint_file(file))


class OpenTablePage:
    """The handlers of the form and its lint."""

    def __init__(self, page_cache: BackgroundPageCache) -> None:
        self._page_cache, self._linter = page_cache, BackgroundPageCache()

    async def lint(self, request: Request) -> Response:
        """``POST /api/lint``"""
        find_token(request)  # not from another origin
        asked = await read_json(request, LintRequest)
        return json_response(await self._linter.done(lambda: _lint_house(asked.house)))

    async def form(self, request: Request) -> Response:
        """``/open``"""
        return cached_response(request, await self._page_cache.made(("open",), _open_table_page))


def _book_options(first: str) -> str:
    return "".join(
        f'<option value="{escape(book)}" data-games="{escape(" ".join(_book_games(book)))}"'
        f"{' selected' if book == first else ''}>{escape(rulebook(book).title)}</option>"
        for book in BOOKS
    )


def _book_games(book: str) -> tuple[str, ...]:
    return rulebook(book).games.value


def _open_table_page() -> str:
    pace = Pace()
    posts = "".join(
        f'<label class="check"><input type="checkbox" name="post" value="{post}"> {post}</label>'
        for post in POST_NAMES
    )
    learned = "".join(f"<option>{post.name}</option>" for post in CREW if post.relieved)
    first = PRACTICE_TABLE.rulebook
    games = "".join(f"<option>{escape(game)}</option>" for game in _book_games(first))
    html = f"""{breadcrumbs(("/", "Lobby"))}
<h1>Open a table</h1>
<p class="lead">What is dealt is a house file: a rulebook, and what this house elects. It is held to
its rulebook as you type.</p>
<noscript><p class="alert">This form needs its script: it sends the house key in a header and keeps
it nowhere. Without it, <a href="/docs/live">a request</a> opens a table.</p></noscript>
<form id="open" class="fields" autocomplete="off">
<fieldset>
<legend>The house</legend>
<label>Rulebook <select name="rulebook">{_book_options(first)}</select></label>
<label>Game <select name="game">{games}</select></label>
<label class="long">House file <textarea name="house" rows="8" spellcheck="false"
aria-describedby="lint">rulebook = "{escape(first)}"
</textarea></label>
<div id="lint" class="long" role="status"></div>
</fieldset>
<fieldset>
<legend>The table</legend>
<label>Name <input name="name" maxlength="60"></label>
<label>Dice <select name="dice"><option value="secure">thrown by the house</option>
<option value="typed">typed in by the stick</option></select></label>
<label>Seconds to bet <input name="betting" type="number" min="0" max="86400"
value="{pace.betting}"></label>
<label>Seconds to throw <input name="shooter" type="number" min="0" max="86400"
value="{pace.shooter}"></label>
<label>Buy-ins <select name="buy_ins"><option value="open">at once</option>
<option value="box">when the box takes them</option></select></label>
<label>Time zone <input name="zone" placeholder="UTC"></label>
<label class="check long"><input type="checkbox" name="open" checked> In the lobby, for
anybody to watch and to sit down at</label>
</fieldset>
<fieldset>
<legend>Posts that people hold (the machine deals the others)</legend>
{posts}
<label>A learner's post <select name="learner"><option value="">none</option>{learned}</select>
</label>
</fieldset>
<fieldset>
<legend>The operator</legend>
<label class="long">House key <input name="key" type="password" autocomplete="off" required></label>
</fieldset>
<p><button>Open the table</button></p>
<div id="alert" role="alert"></div>
</form>
<section id="opened" aria-live="polite" tabindex="-1" hidden></section>"""
    return render_page("Open a table", html, at="/", scripts=["open.js"])


_OPERATOR_HTML = f"""{breadcrumbs(("/", "Lobby"))}
<h1>Operate</h1>
<p class="lead">Every table of this server, in the lobby or not, for whoever holds the house
key.</p>
<noscript><p class="alert">This page needs its script: it sends the house key in a header.</p>
</noscript>
<form id="operate" class="search" autocomplete="off">
<label>House key <input name="key" type="password" autocomplete="off" required></label>
<button>Show the tables</button>
</form>
<div id="alert" role="alert"></div>
<section id="every" tabindex="-1" aria-label="Tables"></section>
<p class="after"><a href="/open">Open a table</a> in a form.</p>"""


class OperatorPage:
    """The operator's page and what it asks for. ``operator``: ServiceError for anybody else."""

    def __init__(self, hall: TableService, operator: Callable[[Request], Awaitable[None]]) -> None:
        self._hall, self._operator = hall, operator

    async def page(self, request: Request) -> Response:
        """``/operate``"""
        styles = ["felt.css", "table.css", "dice.css", "post.css"]
        page = render_page("Operate", _OPERATOR_HTML, at="/", scripts=["operate.js"], styles=styles)
        return page_response(request, page)

    async def tables(self, request: Request) -> Response:
        """``GET /api/operate``: the lobby's lines of every table, with ``status`` and ``open``."""
        await self._operator(request)
        return json_response(await self._hall.all_tables())
