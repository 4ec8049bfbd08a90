"""A table's page as it is sent: empty, and filled by its script from ``/sight``."""

from __future__ import annotations

from html import escape
from typing import Final

#: What a newcomer buys in for unless he says otherwise.
_BUY_IN: Final = "500"

_PAGE: Final = """<div class="table-page">
<div class="table-head">
<h1>{name}</h1>
<p id="puck"></p>
<p id="shooter"></p>
<p id="connection" role="status" aria-label="Connection"></p>
</div>
<div id="felt" class="felt-box"></div>
<noscript><p>The felt needs JavaScript; <a href="{record}">the record</a> does not.</p></noscript>
<div class="rail-line"><div id="dice" aria-hidden="true"></div><p id="now" class="now"></p></div>
<p id="next" class="next"></p>
<div id="alert" role="alert"></div>
<p id="note" class="note" role="status" aria-label="Note"></p>
<form id="sit" hidden>
<label>Name <input type="text" id="name" name="name" autocomplete="nickname" maxlength="40"></label>
<label>Buy in
<input type="text" id="buy-in" name="buy-in" inputmode="decimal" value="{buy_in}"></label>
<button type="submit">Sit down</button>
</form>
<div id="controls" class="controls" hidden>
<fieldset id="chip" class="choices" role="radiogroup" aria-label="Chip"><legend>Chip</legend>
</fieldset>
<div id="modes" hidden>
<fieldset class="choices" role="radiogroup" aria-label="Numbers"><legend>Numbers</legend>
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
<p class="rail-line"><span>Rail</span> <span id="rail" role="status" aria-label="Rail"></span>
<span id="up"></span></p>
</div>
<div class="told">
<section aria-labelledby="spot-name">
<h2 id="spot-name">The spot</h2>
<p id="spot-pays">Point at a spot, or go there with the arrow keys, to see what it is.</p>
<p id="spot-limits"></p>
<p><button type="button" id="spot-down" hidden>Take down</button>
<button type="button" id="spot-on" hidden>Working</button>
<button type="button" id="spot-off" hidden>Off</button></p>
</section>
<section aria-labelledby="stick-title">
<h2 id="stick-title">The stick</h2>
<div id="stick" role="log" aria-label="Stick" tabindex="0"></div>
<p><label class="pill"><input type="checkbox" id="voice"> Speak the calls</label></p>
</section>
<section aria-labelledby="say-title">
<h2 id="say-title">Say it</h2>
<form id="say-form" class="say-line">
<label>Say <input type="text" id="say" name="say" autocomplete="off" maxlength="500"
 placeholder="ten on the line"></label>
<button type="submit">Tell the dealer</button>
</form>
<p>Keys: R rolls, U takes back, E repeats, Y is ready, / says.</p>
</section>
<section aria-labelledby="players-title">
<h2 id="players-title">Players</h2>
<ul id="players"></ul>
<p><a href="{replay}">Replay</a>, <a href="{record}">the record</a>, <a href="{log}">the log</a>,
<a href="{luck}">luck and decisions</a></p>
<p><button type="button" id="leave">Leave</button></p>
</section>
</div>
<section id="worth-part" aria-labelledby="worth-title" hidden>
<h2 id="worth-title">What is it worth?</h2>
<p><button type="button" id="worth">Worth</button></p>
<div id="worth-panel" aria-live="polite"></div>
</section>
<section id="post" aria-label="Your post" hidden></section>
</div>"""


def _choice(group: str, value: str, words: str, chosen: bool) -> str:
    checked = " checked" if chosen else ""
    return (
        f'<label class="pill"><input type="radio" name="{group}" value="{value}"{checked}> '
        f"{words}</label>\n"
    )


def table_html(table: str, name: str) -> str:
    """The page's body."""
    at = f"/api/tables/{escape(table)}"
    modes = ("Place", "Buy", "Lay", "Odds")
    views = (("end", "My end"), ("center", "Center"))
    return _PAGE.format(
        name=escape(name),
        record=f"{at}/record",
        log=f"{at}/log",
        replay=f"/t/{escape(table)}/replay",
        luck=f"/t/{escape(table)}/luck",
        buy_in=_BUY_IN,
        modes="".join(_choice("mode", mode, mode, mode == "Place") for mode in modes),
        views="".join(_choice("view", view, words, view == "end") for view, words in views),
    )
