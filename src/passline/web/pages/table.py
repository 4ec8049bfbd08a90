"""A table's page as it is sent: empty, and filled by its script from ``/sight``.

A table: ``/t/T``.
"""

from __future__ import annotations

from html import escape
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from passline.live.requests import ServiceError
from passline.live.service import TableService
from passline.web.page_layout import render_page
from passline.web.responses import page_response

#: What the page needs, wherever it stands.
TABLE_SCRIPTS: Final = ("table.js",)
TABLE_STYLES: Final = ("felt.css", "table.css", "dice.css")

#: What a newcomer buys in for unless he says otherwise.
_BUY_IN: Final = "500"

_TABLE_HTML: Final = """<div class="table-page">
<div class="table-head">
<h1>{name}</h1>
<p id="puck"></p>
<p id="shooter"></p>
<p id="connection" role="status" aria-label="Connection"></p>
<p class="head-acts"><button type="button" id="text-mode" aria-pressed="false">Text</button>
<button type="button" id="keys-help">Keys</button></p>
</div>
<div class="stage" id="stage">
<div id="felt" class="felt-box"></div>
<p id="call" class="call" aria-hidden="true"></p>
<div id="tip" class="tip" aria-hidden="true" hidden></div>
</div>
<div id="text" class="text-mode" hidden></div>
<noscript><p>The felt needs JavaScript; <a href="{record}">the record</a> does not.</p></noscript>
<div id="work" class="work" hidden>
<p id="work-move"></p>
<button type="button" id="work-next">Next move</button>
<button type="button" id="work-end">All at once</button>
</div>
<div class="bar">
<div id="alert" role="alert"></div>
<div id="offers" class="offers"></div>
<p id="note" class="note" role="status" aria-label="Note"></p>
<div class="now-line"><div id="dice" class="tray" aria-hidden="true"></div>
<div><p id="now" class="now"></p><p id="next" class="next"></p></div></div>
<form id="sit" hidden>
<label>Name <input type="text" id="name" name="name" autocomplete="nickname" maxlength="40"></label>
<label>Buy in
<input type="text" id="buy-in" name="buy-in" inputmode="decimal" value="{buy_in}"></label>
<button type="submit">Sit down</button>
</form>
<div id="controls" class="controls" hidden>
<fieldset id="chip" class="choices" role="radiogroup" aria-label="Chip"><legend>Chip</legend>
</fieldset>
<div id="modes" class="modes" hidden>
<fieldset id="numbers" class="choices" role="radiogroup" aria-label="Numbers">
<legend>Numbers</legend>
{modes}</fieldset>
<fieldset class="choices" role="radiogroup" aria-label="Look at"><legend>Look at</legend>
{views}</fieldset>
</div>
<div class="acts">
<button type="button" id="roll">Roll</button>
<button type="button" id="ready" hidden>Ready</button>
<button type="button" id="undo">Undo</button>
<button type="button" id="repeat">Repeat</button>
</div>
<p class="rail-line"><span>Rail</span>
<span id="rail" role="status" aria-live="off" aria-label="Rail"></span> <span id="up"></span></p>
</div>
</div>
<div class="told">
<section id="mine-part" aria-labelledby="mine-title" hidden>
<h2 id="mine-title">Your wagers</h2>
<ul id="mine" class="mine"></ul>
</section>
<section id="spot" aria-labelledby="spot-name">
<h2 id="spot-name">The spot</h2>
<div id="spot-told">
<p>Point at a spot, go there with the arrow keys, or press it long, to see what it is and what may
be done there.</p>
</div>
</section>
<section aria-labelledby="stick-title">
<h2 id="stick-title">The stick</h2>
<div id="stick" role="log" aria-label="Stick" tabindex="0"></div>
<details id="moves-part" hidden><summary>The moves of this throw</summary>
<ol id="moves" class="moves"></ol></details>
<p><label class="pill"><input type="checkbox" id="voice"> Speak the calls</label></p>
<fieldset id="paces" class="choices" role="radiogroup" aria-label="Pace"><legend>Pace</legend>
{paces}</fieldset>
</section>
<section aria-labelledby="say-title">
<h2 id="say-title">Say it</h2>
<form id="say-form" class="say-line">
<label>Say <input type="text" id="say" name="say" autocomplete="off" maxlength="500"
 placeholder="ten on the line"></label>
<button type="submit">Tell the dealer</button>
<button type="button" id="speak" hidden>Speak</button>
</form>
</section>
<section aria-labelledby="players-title">
<h2 id="players-title">Players</h2>
<ul id="players"></ul>
<p><a href="{replay}">Replay</a>, <a href="{record}">the record</a>, <a href="{log}">the log</a>,
<a href="{luck}">luck and decisions</a></p>
<form id="more-chips" class="say-line" hidden>
<label>More chips <input type="text" id="more" inputmode="decimal" value="{more}"></label>
<button type="submit">Buy in</button>
</form>
<p id="seat-acts" class="offers" hidden>
<button type="button" id="take-dice">Take the dice</button>
<button type="button" id="decline">Decline the dice</button>
<button type="button" id="pass-dice">Pass the dice</button>
<button type="button" id="all-down">All down</button>
<button type="button" id="leave">Leave</button></p>
</section>
</div>
<section id="worth-part" aria-labelledby="worth-title" hidden>
<h2 id="worth-title">What is it worth?</h2>
<p><button type="button" id="worth">Worth</button></p>
<div id="worth-panel" aria-live="polite"></div>
</section>
<section id="post" aria-label="Your post" hidden></section>
<dialog id="sheet" class="sheet" aria-labelledby="sheet-title"></dialog>
</div>"""

_MODES: Final = (("Place", "Place"), ("Buy", "Buy"), ("Lay", "Lay"), ("Odds", "Odds"))
_VIEWS: Final = (("end", "My end"), ("center", "Center"), ("whole", "All"))
_PACES: Final = (("instant", "At once"), ("follow", "To follow"), ("step", "Step by step"))


def _radio_buttons(group: str, choices: tuple[tuple[str, str], ...], chosen: str) -> str:
    return "".join(
        f'<label class="pill"><input type="radio" name="{group}" value="{value}"'
        f"{' checked' if value == chosen else ''}> <span>{words}</span></label>\n"
        for value, words in choices
    )


def table_body(table: str, name: str) -> str:
    """The page's body."""
    at = f"/api/tables/{escape(table)}"
    return _TABLE_HTML.format(
        name=escape(name),
        record=f"{at}/record",
        log=f"{at}/log",
        replay=f"/t/{escape(table)}/replay",
        luck=f"/t/{escape(table)}/luck",
        buy_in=_BUY_IN,
        more="200",
        modes=_radio_buttons("mode", _MODES, "Place"),
        views=_radio_buttons("view", _VIEWS, "end"),
        paces=_radio_buttons("pace", _PACES, "follow"),
    )


#: What a table that is not open is called by whoever has no token.
_PRIVATE_TABLE_NAME = "A table"


class TablePage:
    """The handlers of a table's pages."""

    def __init__(self, hall: TableService) -> None:
        self.hall = hall

    async def table(self, request: Request) -> Response:
        """``/t/T``: of a table that is not open the page tells nothing, not its name; its script
        trades an invitation's token, which only a browser sees, and then its API tells the rest."""
        table, name = request.path_params["table"], _PRIVATE_TABLE_NAME
        try:
            holder = await self.hall.reader(table)
            name = str((await self.hall.view(table, holder))["name"])
        except ServiceError as wrong:
            if wrong.code != "unauthorized":
                raise
        body = table_body(table, name)
        page = render_page(name, body, scripts=TABLE_SCRIPTS, styles=TABLE_STYLES, wide=True)
        return page_response(request, page)


def puck_words(puck: object) -> str:
    """Where the puck is."""
    return f"on {puck}" if puck else "off"
