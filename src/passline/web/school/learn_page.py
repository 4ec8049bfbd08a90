"""``/t/T/learn``: a learner's post at a live table. Every payoff is built by hand, and every step
marked; what was done there comes back in the learner's own practice."""

from __future__ import annotations

from html import escape
from typing import Final

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.felt import chip_symbols
from passline.live.hall import Hall
from passline.web.answers import json_answer, read_as
from passline.web.frame import crumbs, framed
from passline.web.school.api import SchoolApi
from passline.web.sending import send_once

_PAGE: Final = """{chips}{crumbs}
<div id="drill" class="drill" data-table="{table}">
<div class="drill-head"><h1>{name}</h1><p id="post-name"></p></div>
<div class="switches" role="group" aria-label="How it is shown">
<label class="pill"><input type="checkbox" id="large"> <span>Large type</span></label></div>
<p id="where" class="tally" role="status" aria-label="The game">Waiting for a throw.</p>
<p id="clock" class="clock" role="timer" aria-label="The game waits"></p>
<div id="alert" role="alert"></div>
<div id="stage" class="drill-stage" hidden>
<div class="asked"><h2 id="ask" tabindex="-1"></h2>
<p id="facts" class="drill-facts"></p>
<div id="felt-part" hidden>
<div id="felt" class="drill-felt"></div>
<fieldset class="looks" id="looks"><legend>Look at</legend></fieldset>
<details><summary>What lay there, in words</summary><ul id="lies"></ul></details>
</div></div>
<form id="answer" class="answer" autocomplete="off"><div id="fields"></div>
<p class="acts"><button type="submit">The work is done</button></p></form>
</div>
<section id="mark" class="mark-shown" tabindex="-1" aria-labelledby="mark-title" hidden></section>
<p><a href="/t/{table}">The table itself</a>: the machine settles every wager there; what is marked
here moves no money.</p>
<noscript><p>A post needs JavaScript.</p></noscript>
</div>"""


class WorkKept(Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/school/work``: work that was marked, by its table and number, with the
    receipt that its sender got."""

    table: str
    seq: int
    receipt: str


class PostApi:
    """The handler of work at a post that a learner wants kept."""

    def __init__(self, hall: Hall, school: SchoolApi) -> None:
        self._hall, self._school = hall, school

    async def keep(self, request: Request) -> Response:
        """``POST /api/school/work``: kept under the name whose token it is, once."""
        self._school.pace(request)
        learners = self._school.learners
        holder = await learners.holder(request)
        asked = await read_as(request, WorkKept)
        answers = await self._hall.work_answers(asked.table, asked.seq, asked.receipt)
        if holder.role == "learner":
            for answered in answers:
                await learners.keep(holder.name, answered)
        kept = len(answers) if holder.role == "learner" else 0
        return json_answer({"name": holder.name, "kept": kept})


class LearnPage:
    """The handler of a learner's post."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    async def page(self, request: Request) -> Response:
        """``/t/T/learn#TOKEN``"""
        live = (await self._hall.tables.get(request.path_params["table"])).live
        html = _PAGE.format(
            chips=chip_symbols(live.table.house.rack.chips),
            crumbs=crumbs(("/school", "The dealer school")),
            table=escape(live.id),
            name=escape(live.settings.name if live.settings.open else "A table"),
        )
        page = framed(
            "A learner's post",
            html,
            at="/school",
            scripts=["school_post.js"],
            styles=["felt.css", "school.css"],
            wide=True,
        )
        return send_once(request, page)
