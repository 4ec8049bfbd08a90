"""The replay's page as it is sent: empty, and filled by its script from ``/replay``.

A game walked through: ``/t/T/replay``.
"""

from __future__ import annotations

from html import escape
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from passline.live.requests import ServiceError
from passline.live.service import TableService
from passline.web.page_layout import build_path, render_page
from passline.web.responses import page_response

#: Names of the buttons, what each is to the script, and its picture: a path on 24 by 24.
_BUTTONS: Final = (
    ("First", "first", "M6 5v14M19 5 9 12l10 7z"),
    ("Previous throw", "previous", "M12 5 3 12l9 7zM21 5l-9 7 9 7z"),
    ("Back", "back", "M16 5 6 12l10 7z"),
    ("Play", "play", "M7 4v16l13-8z"),
    ("Forward", "forward", "M8 5v14l10-7z"),
    ("Next throw", "next", "M12 5v14l9-7zM3 5v14l9-7z"),
    ("Last", "last", "M18 5v14M5 5l10 7-10 7z"),
)
_VIEWS: Final = (
    ("whole", "Whole"),
    ("end:right", "Right end"),
    ("center", "Center"),
    ("end:left", "Left end"),
    ("none", "Text only"),
)
_SPEEDS: Final = (("500", "fast"), ("1200", "a line a second or so"), ("3000", "slow"))

_REPLAY_HTML: Final = """<div class="replay" id="replay" data-table="{table}">
<div class="replay-head">
<h1>{name}: replay</h1>
<p id="facts"></p>
<p id="mark" role="status" aria-label="Where"></p>
</div>
<div id="alert" role="alert"></div>
<noscript><p>The replay needs JavaScript; <a href="{api}/record">the record</a> does not.</p>
</noscript>
<div class="replay-stage">
<section class="replay-said" aria-labelledby="said-title">
<h2 id="said-title" class="unseen">This moment</h2>
<div id="moment"></div>
</section>
<div class="replay-picture">
<div id="felt" class="replay-felt"></div>
<fieldset class="looks"><legend>Look at</legend>
{views}</fieldset>
</div>
<section class="replay-settled" aria-labelledby="settled-title">
<h2 id="settled-title">Settlements</h2>
<div id="settled"></div>
</section>
</div>
<div class="walk" role="group" aria-label="Walk">
<div class="steps">{buttons}</div>
<label class="slide"><span>Moment</span>
<input type="range" id="slider" min="0" max="0" value="0"></label>
</div>
<div class="replay-parts">
<section aria-labelledby="rails-title"><h2 id="rails-title">Rails</h2><div id="rails"></div>
</section>
<section aria-labelledby="up-title"><h2 id="up-title">Wagers</h2><div id="wagers"></div></section>
<section aria-labelledby="ledger-title"><h2 id="ledger-title">Ledger</h2><div id="ledger"></div>
</section>
<section aria-labelledby="hands-title"><h2 id="hands-title">Throws</h2><div id="hands"></div>
</section>
<section aria-labelledby="take-title">
<h2 id="take-title">Take it along</h2>
<p><button type="button" id="copy">Copy link</button>
<span id="copied" role="status" aria-label="Copied"></span></p>
<ul>
<li><a href="{api}/record" download="{file}.craps">The game as .craps</a></li>
{log}<li><a href="{api}/replay/csv" download="{file}.csv">Settlements and ledger as CSV</a></li>
</ul>
<p><label class="pace">Pace <select id="pace">{paces}</select></label></p>
<p class="keys">Keys: ← and → a line, with Shift or by Page Up and Page Down a throw, Home and End,
the space bar plays.</p>
</section>
</div>
<section aria-labelledby="work-title"><h2 id="work-title">The crew's work</h2>
<div id="work"></div></section>
</div>"""


def _button_html(words: str, name: str, path: str) -> str:
    return (
        f'<button type="button" id="{name}" title="{words}">'
        f'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{path}"/></svg>'
        f"<span>{words}</span></button>"
    )


def replay_body(table: str, name: str, log: bool = True) -> str:
    """The page's body; ``log``: with a link to the log."""
    api, file = escape(build_path("api", "tables", table)), escape(table)
    linked = f'<li><a href="{api}/log" download="{file}.jsonl">The log</a></li>\n'
    return _REPLAY_HTML.format(
        table=escape(table),
        name=escape(name),
        api=api,
        file=file,
        log=linked if log else "",
        buttons="".join(_button_html(*one) for one in _BUTTONS),
        views="".join(
            f'<label><input type="radio" name="view" value="{value}"> {words}</label>\n'
            for value, words in _VIEWS
        ),
        paces="".join(
            f'<option value="{value}"{" selected" if value == "1200" else ""}>{words}</option>'
            for value, words in _SPEEDS
        ),
    )


class ReplayPage:
    """The handler of a live table's replay."""

    def __init__(self, hall: TableService) -> None:
        self.hall = hall

    async def walk(self, request: Request) -> Response:
        """``/t/T/replay``: what a closed door hides, its API tells to who has a token."""
        table, name = request.path_params["table"], "A table"
        try:
            holder = await self.hall.reader(table)
            name = str((await self.hall.view(table, holder))["name"])
        except ServiceError as wrong:
            if wrong.code != "unauthorized":
                raise
        return replay_page_response(request, table, name)


def replay_page_response(request: Request, table: str, name: str, log: bool = True) -> Response:
    """The page of a game; ``log``: there is one to take home."""
    page = render_page(
        f"{name}: replay",
        replay_body(table, name, log),
        scripts=["replay.js"],
        styles=["felt.css", "replay.css"],
        wide=True,
    )
    return page_response(request, page)
