"""``/school``: the syllabus, the lessons, the drills, one's progress, a class, the audition."""

from __future__ import annotations

from html import escape
from secrets import token_hex
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from passline.felt import chip_symbols
from passline.live.asks import HallError
from passline.school import DRILLS, LEVELS, drill_named
from passline.school.lessons import Lesson, lesson_ids, lesson_named, lessons
from passline.web.frame import crumbs, framed, link, path_of
from passline.web.pages.heavy import Workshop
from passline.web.school.api import asking_of, house_in
from passline.web.school.blocks import lesson_html
from passline.web.school.drill_pages import (
    STYLES,
    WHO,
    audition_html,
    drill_html,
    house_elect,
    practice_html,
)
from passline.web.school.houses import LONGEST_HOUSE, SCHOOL, HouseSaid, desk_for
from passline.web.school.sheets import DrillAsked, check_seed
from passline.web.sending import send_body, send_once


class SchoolPages:
    """The handlers of the school's pages. They hold nothing of anybody: scripts ask for that."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    async def home(self, request: Request) -> Response:
        """``/school``"""
        return send_body(request, await self._workshop.made(("school",), _home))

    async def lesson(self, request: Request) -> Response:
        """``/school/LESSON``, for the house of ``?rulebook=`` or ``?house=``."""
        name = request.path_params["lesson"]
        if name not in lesson_ids():
            raise HallError(404, "there is no such lesson: /school has them all")
        said, wrong = await self._workshop.done(lambda: _said(request, lesson_named(name).book))
        if wrong:
            page = await self._workshop.done(lambda: _lesson(name, said, wrong))
            return send_once(request, page, 400)
        made = await self._workshop.made(("lesson", name, said), lambda: _lesson(name, said))
        return send_body(request, made)

    async def drill(self, request: Request) -> Response:
        """``/school/drill/DRILL?level=&rulebook=&house=&seed=``"""
        name = request.path_params["drill"]
        if name not in DRILLS:
            raise HallError(404, f"there is no such drill: {', '.join(DRILLS)}")
        fresh = token_hex(4)
        try:
            asking = await self._workshop.done(lambda: asking_of(request, name, fresh))
        except HallError:
            said, why = await self._workshop.done(lambda: _said(request))
            if not why:
                raise
            asking = DrillAsked(drill=name, house=said.house, seed=fresh)
            page = await self._workshop.done(lambda: drill_html(asking, why))
            return send_once(request, page, 400)
        return send_once(request, await self._workshop.done(lambda: drill_html(asking)))

    async def practice(self, request: Request) -> Response:
        """``/school/practice?rulebook=&house=``: what is due, then what is new."""
        said, wrong = await self._workshop.done(lambda: _said(request))
        page = await self._workshop.done(lambda: practice_html(said, wrong))
        return send_once(request, page, 400 if wrong else 200)

    async def progress(self, request: Request) -> Response:
        """``/school/progress``"""
        return send_once(request, _progress())

    async def of_class(self, request: Request) -> Response:
        """``/school/class``"""
        return send_once(request, _class())

    async def audition(self, request: Request) -> Response:
        """``/school/audition?seed=&rulebook=&house=``"""
        seed = check_seed(request.query_params.get("seed", token_hex(4)))
        said, wrong = await self._workshop.done(lambda: _said(request))
        page = await self._workshop.done(lambda: audition_html(said, seed, wrong))
        return send_once(request, page, 400 if wrong else 200)


def _said(request: Request, book: str = SCHOOL) -> tuple[HouseSaid, str]:
    """The house that is asked for, and what is wrong with it: nothing, or it is as it was pasted,
    so that it stands in the form to be mended. HallError where nothing was pasted."""
    try:
        return house_in(request, book), ""
    except HallError as wrong:
        pasted = request.query_params.get("house", "")
        if not pasted.strip() or wrong.status != 400:
            raise
        return HouseSaid(book, pasted[:LONGEST_HOUSE]), wrong.message.removeprefix("house: ")


def _page(title: str, html: str, script: str = "", wide: bool = False) -> str:
    scripts = [script] if script else []
    return framed(title, html, at="/school", scripts=scripts, styles=STYLES, wide=wide)


def _home() -> str:
    cards = "".join(_lesson_card(at, lesson) for at, lesson in enumerate(lessons(), 1))
    drills = "".join(_drill_row(name) for name in DRILLS)
    html = f"""<h1>The dealer school</h1>
<p class="lead">Learn to deal the game: lessons, drills, and the audition. The engine that deals the
tables asks and marks.</p>
{WHO}
<nav class="school-ways" aria-label="Ways to learn">
<a class="button" href="{path_of("school", lesson_ids()[0])}">The first lesson</a>
<a class="button" href="/school/practice">Today's practice <span id="due"></span></a>
<a class="button quiet" href="/school/audition">The audition</a>
<a class="button quiet" href="/school/progress">Your progress</a>
<a class="button quiet" href="/school/class">A class</a>
</nav>
<h2 id="lessons-title">Lessons</h2>
<p>The manual in its own order, then Iowa's supplement. <a href="#drills-title">The drills</a> are
below.</p>
<ol class="lesson-list" aria-labelledby="lessons-title">{cards}</ol>
<h2 id="drills-title">Drills</h2>
<p>Endless, in the order in which dealers are taught. Each has five levels.</p>
<ul class="drill-list" aria-labelledby="drills-title">{drills}</ul>"""
    return _page("The dealer school", html, "school_home.js")


def _lesson_card(at: int, lesson: Lesson) -> str:
    of = "" if lesson.book == SCHOOL else f"?rulebook={lesson.book}"
    drills = ", ".join(link(f"/school/drill/{name}{of}", name) for name in lesson.drills)
    count = len(lesson.clauses)
    return (
        f'<li data-lesson="{escape(lesson.id)}"><span class="at" aria-hidden="true">{at}</span>'
        f"<div><h3>{link(path_of('school', lesson.id), lesson.title)}</h3>"
        f"<p>{count} clause{'' if count == 1 else 's'} of {escape(lesson.book)}"
        f"{f'; drills: {drills}' if drills else ''}</p>"
        '<p class="how-far" hidden></p></div></li>'
    )


def _drill_row(name: str) -> str:
    trains = drill_named(name).trains
    levels = "".join(
        f'<a href="/school/drill/{name}?level={level}" aria-label="{name}, level {level}">'
        f"{level}</a>"
        for level in LEVELS
    )
    return (
        f"<li><h3>{link(f'/school/drill/{name}', name)}</h3><p>{escape(trains)}</p>"
        f'<p class="levels"><span>Level</span> {levels}</p></li>'
    )


def _lesson(name: str, said: HouseSaid, wrong: str = "") -> str:
    lesson = lesson_named(name)
    elect = house_elect(path_of("school", name), said, wrong)
    if wrong:
        title = f"<h1>{escape(lesson.title)}</h1>"
        return _page(lesson.title, f"{crumbs(('/school', 'The dealer school'))}{title}{elect}")
    desk = desk_for(said, 3)
    every = lesson_ids()
    at = every.index(name)
    beside = ""
    if at:
        beside = link(path_of("school", every[at - 1]), f"← {lesson_named(every[at - 1]).title}")
    if at + 1 < len(every):
        beside += link(path_of("school", every[at + 1]), f"{lesson_named(every[at + 1]).title} →")
    drills = "".join(
        f'<li><a class="button quiet" href="/school/drill/{one.drill}?'
        f'{escape(urlencode({"level": one.level, **said.query}))}">'
        f"{one.drill}</a> <span>{escape(drill_named(one.drill).trains)}</span></li>"
        for one in lesson.practice
    )
    html = f"""{chip_symbols(desk.rack.chips)}{crumbs(("/school", "The dealer school"))}
<h1>{escape(lesson.title)}</h1>
{elect}
<div class="lesson">
{lesson_html(lesson, desk)}
<section aria-labelledby="do-title"><h2 id="do-title">Do it</h2>
<ul class="do-drills">{drills}</ul></section>
</div>
<nav class="beside" aria-label="Other lessons">{beside}</nav>"""
    return _page(lesson.title, html)


def _progress() -> str:
    html = f"""{crumbs(("/school", "The dealer school"))}
<h1>Your progress</h1>
{WHO}
<div id="progress" hidden>
<dl class="facts" id="facts"></dl>
<h2>By lesson</h2>
<div id="lessons"></div>
<h2>By clause</h2>
<div id="clauses"></div>
<h2>Your data</h2>
<p>What is kept are your answers, under your name, on this server. Only who holds your token reads
them, and an instructor of this school sees how many were right and what was missed.</p>
<p class="acts"><a class="button quiet" href="/api/school/export" download>Export</a>
<button type="button" id="delete" class="quiet">Delete everything</button></p>
<dialog id="sure" class="sheet" aria-labelledby="sure-title">
<h2 id="sure-title">Delete everything?</h2>
<p>Your answers, your progress and your name go. Nobody can bring them back.</p>
<p class="acts"><button type="button" id="really">Delete</button>
<button type="button" id="not" class="quiet">Keep it</button></p></dialog>
</div>
<noscript><p>Progress needs JavaScript here; <code>passline school --progress</code> does
not.</p></noscript>"""
    return _page("Your progress", html, "school_progress.js")


def _class() -> str:
    html = f"""{crumbs(("/school", "The dealer school"))}
<h1>A class</h1>
<p class="lead">How everybody at this school is doing, and what is missed most.</p>
<form id="open-class" class="search">
<label>Instructor's token, or the house key
<input type="password" id="key" autocomplete="off" required></label>
<button type="submit">Show the class</button>
</form>
<div id="alert" role="alert"></div>
<div id="class" hidden>
<h2 tabindex="-1" id="class-title">Learners</h2>
<div id="learners"></div>
<h2>Missed most</h2>
<div id="missed"></div>
</div>
<noscript><p>A class needs JavaScript.</p></noscript>"""
    return _page("A class", html, "school_class.js")
