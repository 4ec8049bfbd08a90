"""``/open``: the operator's form for a table, and the lint of its house file as one types."""

from __future__ import annotations

from html import escape

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.house.files import HouseError, lint_file, lint_json, parse_house
from passline.law import BOOKS, rulebook
from passline.law.roles import POSTS as CREW
from passline.live.live_table import POSTS, Pace
from passline.live.opening import PRACTICE
from passline.web.answers import json_answer, read_as
from passline.web.frame import crumbs, framed
from passline.web.pages.heavy import Workshop
from passline.web.sending import send_body
from passline.web.speakers import shown_token


class LintAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/lint``: a house file as TOML text."""

    house: str


def _linted(house: str) -> dict[str, object]:
    """What ``passline lint --json`` says of a house file; of one that cannot be read, why."""
    try:
        file = parse_house(house.encode("utf-8", "replace"), "house")
    except HouseError as wrong:
        return {"ok": False, "error": str(wrong).removeprefix("house: "), "findings": []}
    return lint_json(file, lint_file(file))


class OpeningPage:
    """The handlers of the form and its lint."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop, self._linter = workshop, Workshop()

    async def lint(self, request: Request) -> Response:
        """``POST /api/lint``"""
        shown_token(request)  # not from another origin
        asked = await read_as(request, LintAsked)
        return json_answer(await self._linter.done(lambda: _linted(asked.house)))

    async def form(self, request: Request) -> Response:
        """``/open``"""
        return send_body(request, await self._workshop.made(("open",), _page))


def _books(first: str) -> str:
    return "".join(
        f'<option value="{escape(book)}" data-games="{escape(" ".join(_games(book)))}"'
        f"{' selected' if book == first else ''}>{escape(rulebook(book).title)}</option>"
        for book in BOOKS
    )


def _games(book: str) -> tuple[str, ...]:
    return rulebook(book).games.value


def _page() -> str:
    pace = Pace()
    posts = "".join(
        f'<label class="check"><input type="checkbox" name="post" value="{post}"> {post}</label>'
        for post in POSTS
    )
    learned = "".join(f"<option>{post.name}</option>" for post in CREW if post.relieved)
    first = PRACTICE.rulebook
    games = "".join(f"<option>{escape(game)}</option>" for game in _games(first))
    html = f"""{crumbs(("/", "Lobby"))}
<h1>Open a table</h1>
<p class="lead">What is dealt is a house file: a rulebook, and what this house elects. It is held to
its rulebook as you type.</p>
<noscript><p class="alert">This form needs its script: it sends the house key in a header and keeps
it nowhere. Without it, <a href="/docs/live">a request</a> opens a table.</p></noscript>
<form id="open" class="fields" autocomplete="off">
<fieldset>
<legend>The house</legend>
<label>Rulebook <select name="rulebook">{_books(first)}</select></label>
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
    return framed("Open a table", html, at="/", scripts=["open.js"])
