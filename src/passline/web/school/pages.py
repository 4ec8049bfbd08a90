"""``/school``: the syllabus, the lessons, the drills, one's progress, a class, the audition."""

from __future__ import annotations

from html import escape
from secrets import token_hex
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from passline.felt import chip_symbols
from passline.law import book_ids, rulebook
from passline.live.asks import HallError
from passline.school import DRILLS, LEVELS, drill_named
from passline.school.lessons import Lesson, lesson_ids, lesson_named, lessons
from passline.school.pace import PACE
from passline.school.rubric import MINUTES
from passline.web.frame import crumbs, framed, link, options_html, path_of
from passline.web.pages.heavy import Workshop
from passline.web.school.api import asking_of
from passline.web.school.blocks import lesson_html
from passline.web.school.sheets import DrillAsked, check_asking, check_book, desk_for
from passline.web.sending import send, send_once

_STYLES: Final = ("felt.css", "school.css")
#: The lesson that is read where the audition is held.
_AUDITION: Final = "audition"
_LEVELS: Final = {
    1: "one bet, one colour",
    2: "mixed stacks, the center, don'ts",
    3: "several players, chips as the manual pays",
    4: "amounts that do not come out even",
    5: "everything",
}
_WHO: Final = """<section id="who" class="school-who" aria-label="You">
<form id="begin" class="search" hidden>
<label>Your name <input type="text" id="learner-name" autocomplete="nickname" maxlength="40"
required></label>
<button type="submit">Keep my progress</button>
</form>
<p id="known" hidden></p>
<div id="who-alert" role="alert"></div>
</section>"""


class SchoolPages:
    """The handlers of the school's pages. They hold nothing of anybody: scripts ask for that."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    async def home(self, request: Request) -> Response:
        """``/school``"""
        return send(request, await self._workshop.made(("school",), _home))

    async def lesson(self, request: Request) -> Response:
        """``/school/LESSON``, for the house of ``?rulebook=``."""
        name = request.path_params["lesson"]
        if name not in lesson_ids():
            raise HallError(404, "there is no such lesson: /school has them all")
        book = check_book(request.query_params.get("rulebook", lesson_named(name).book))
        made = await self._workshop.made(("lesson", name, book), lambda: _lesson(name, book))
        return send(request, made)

    async def drill(self, request: Request) -> Response:
        """``/school/drill/DRILL?level=&rulebook=&seed=``"""
        name = request.path_params["drill"]
        if name not in DRILLS:
            raise HallError(404, f"there is no such drill: {', '.join(DRILLS)}")
        asking = asking_of(request, name, token_hex(4))
        return send_once(request, _drill(asking))

    async def practice(self, request: Request) -> Response:
        """``/school/practice?rulebook=``: what is due, then what is new."""
        book = check_book(request.query_params.get("rulebook", "dealer-school"))
        return send_once(request, _practice(book))

    async def progress(self, request: Request) -> Response:
        """``/school/progress``"""
        return send_once(request, _progress())

    async def of_class(self, request: Request) -> Response:
        """``/school/class``"""
        return send_once(request, _class())

    async def audition(self, request: Request) -> Response:
        """``/school/audition?seed=&rulebook=``"""
        book = request.query_params.get("rulebook", "dealer-school")
        seed = request.query_params.get("seed", token_hex(4))
        check_asking(DrillAsked(drill=DRILLS[0], rulebook=book, seed=seed))
        return send_once(request, _audition(book, seed))


def _page(title: str, html: str, script: str = "", wide: bool = False) -> str:
    scripts = [script] if script else []
    return framed(title, html, at="/school", scripts=scripts, styles=_STYLES, wide=wide)


def _home() -> str:
    cards = "".join(_lesson_card(at, lesson) for at, lesson in enumerate(lessons(), 1))
    drills = "".join(_drill_row(name) for name in DRILLS)
    html = f"""<h1>The dealer school</h1>
<p class="lead">Learn to deal the game: lessons, drills, and the audition. The engine that deals the
tables asks and marks.</p>
{_WHO}
<nav class="school-ways" aria-label="Ways to learn">
<a class="button" href="/school/practice">Today's practice <span id="due"></span></a>
<a class="button quiet" href="/school/audition">The audition</a>
<a class="button quiet" href="/school/progress">Your progress</a>
<a class="button quiet" href="/school/class">A class</a>
</nav>
<h2 id="drills-title">Drills</h2>
<p>Endless, in the order in which dealers are taught. Each has five levels.</p>
<ul class="drill-list" aria-labelledby="drills-title">{drills}</ul>
<h2 id="lessons-title">Lessons</h2>
<ol class="lesson-list" aria-labelledby="lessons-title">{cards}</ol>"""
    return _page("The dealer school", html, "school_home.js")


def _lesson_card(at: int, lesson: Lesson) -> str:
    drills = ", ".join(link(f"/school/drill/{name}", name) for name in lesson.drills)
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


def _books(book: str) -> str:
    return options_html(((name, rulebook(name).title) for name in book_ids()), book)


def _lesson(name: str, book: str) -> str:
    lesson, desk = lesson_named(name), desk_for(book, 3)
    every = lesson_ids()
    at = every.index(name)
    beside = ""
    if at:
        beside = link(path_of("school", every[at - 1]), f"← {lesson_named(every[at - 1]).title}")
    if at + 1 < len(every):
        beside += link(path_of("school", every[at + 1]), f"{lesson_named(every[at + 1]).title} →")
    drills = "".join(
        f'<li><a class="button quiet" href="/school/drill/{one.drill}?level={one.level}">'
        f"{one.drill}</a> <span>{escape(drill_named(one.drill).trains)}</span></li>"
        for one in lesson.practice
    )
    html = f"""{chip_symbols(desk.rack.chips)}{crumbs(("/school", "The dealer school"))}
<h1>{escape(lesson.title)}</h1>
<div class="lesson">
{lesson_html(lesson, desk)}
<section aria-labelledby="do-title"><h2 id="do-title">Do it</h2>
<ul class="do-drills">{drills}</ul></section>
</div>
<nav class="beside" aria-label="Other lessons">{beside}</nav>"""
    return _page(lesson.title, html)


_STAGE: Final = """<div id="stage" class="drill-stage" hidden>
<div class="asked">
<h2 id="ask" tabindex="-1"></h2>
<p id="facts" class="drill-facts"></p>
<div id="given" class="given-stacks"></div>
<div id="felt-part" hidden>
<div id="felt" class="drill-felt"></div>
<fieldset class="looks" id="looks"><legend>Look at</legend></fieldset>
<details><summary>What lies there, in words</summary><ul id="lies"></ul></details>
</div>
</div>
<div class="answering">
<form id="answer" class="answer" autocomplete="off">
<div id="fields"></div>
<p class="acts"><button type="submit" id="send">Mark it</button>
<button type="button" id="pass" class="quiet">I do not know</button></p>
</form>
<div id="alert" role="alert"></div>
<section id="mark" class="mark-shown" tabindex="-1" aria-labelledby="mark-title" hidden></section>
</div>
</div>
<noscript><p>Drills need JavaScript here; <code>passline school</code> at the prompt does
not.</p></noscript>"""

_SWITCHES: Final = """<div class="switches" role="group" aria-label="How it is shown">
<label class="pill"><input type="checkbox" id="clock-on" checked> <span>Clock</span></label>
<label class="pill"><input type="checkbox" id="large"> <span>Large type</span></label>
<label class="pill"><input type="checkbox" id="dollars"> <span>Dollars</span></label>
<p id="clock" class="clock" role="timer" aria-label="Clock"></p>
<p id="tally" class="tally" role="status" aria-label="Right so far"></p>
</div>"""


def _drill(asking: DrillAsked) -> str:
    desk = desk_for(asking.rulebook, asking.level)
    drill, levels = drill_named(asking.drill), [(str(n), f"{n}: {_LEVELS[n]}") for n in LEVELS]
    at = DRILLS.index(asking.drill)
    later = DRILLS[(at + 1) % len(DRILLS)]
    html = f"""{chip_symbols(desk.rack.chips)}{crumbs(("/school", "The dealer school"))}
<div id="drill" class="drill" data-drill="{escape(asking.drill)}"
 data-rulebook="{escape(asking.rulebook)}" data-level="{asking.level}"
 data-seed="{escape(asking.seed)}" data-pace="{PACE[asking.drill]}">
<div class="drill-head"><h1>{escape(asking.drill.capitalize())}</h1>
<p>{escape(drill.trains)}</p></div>
<details class="elect drill-elect"><summary>Level {asking.level}, \
{escape(rulebook(asking.rulebook).title)}</summary>
<form action="/school/drill/{escape(asking.drill)}" method="get">
<label>Level <select name="level">{options_html(levels, str(asking.level))}</select></label>
<label>Rulebook <select name="rulebook">{_books(asking.rulebook)}</select></label>
<label>Seed <input type="text" name="seed" maxlength="64" value="{escape(asking.seed)}"></label>
<button type="submit">Ask so</button>
</form></details>
{_SWITCHES}
{_STAGE}
</div>
<nav class="beside" aria-label="Other drills"><a href="/school">All drills</a>
<a href="/school/drill/{later}">{later} →</a></nav>"""
    return _page(f"Drill: {asking.drill}", html, "school_drill.js", wide=True)


def _practice(book: str) -> str:
    desk = desk_for(book, 1)
    html = f"""{chip_symbols(desk.rack.chips)}{crumbs(("/school", "The dealer school"))}
<div id="drill" class="drill" data-practice="{escape(book)}" data-rulebook="{escape(book)}"
 data-drill="" data-level="1" data-seed="" data-pace="30">
<div class="drill-head"><h1>Today's practice</h1>
<p id="why">What is due, then what is new.</p></div>
{_WHO}
{_SWITCHES}
{_STAGE}
<p id="done" hidden>That is all for today. <a href="/school/progress">How far you are</a>.</p>
</div>"""
    return _page("Today's practice", html, "school_drill.js", wide=True)


def _progress() -> str:
    html = f"""{crumbs(("/school", "The dealer school"))}
<h1>Your progress</h1>
{_WHO}
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


def _told_of(name: str) -> str:
    """The lesson on something that has a page of its own, to be read there."""
    if name not in lesson_ids():
        return ""
    lesson = lesson_named(name)
    return f'<div class="lesson">{lesson_html(lesson, desk_for(lesson.book, 3))}</div>'


def _audition(book: str, seed: str) -> str:
    desk = desk_for(book, 4)
    html = f"""{chip_symbols(desk.rack.chips)}{crumbs(("/school", "The dealer school"))}
<div id="drill" class="drill" data-rulebook="{escape(book)}" data-seed="{escape(seed)}"
 data-minutes="{MINUTES}" data-drill="" data-level="4" data-pace="30">
<div class="drill-head"><h1>The audition</h1>
<p>A mixed game on one end of a busy table: payoffs, calls, order, presses, errors.</p></div>
<form id="start" class="search audition-start">
<label>Your name <input type="text" id="learner-name" autocomplete="nickname" maxlength="40"
required></label>
<label>Rulebook <select id="book">{_books(book)}</select></label>
<label>Seed <input type="text" id="seed" maxlength="64" value="{escape(seed)}" required></label>
<label>Minutes, 0 for no clock <input type="number" id="minutes" min="0" max="240"
value="{MINUTES}" required></label>
<button type="submit">Begin</button>
</form>
<div id="about"><p>The same seed is the same audition for everybody. Nothing is told of an answer
until the end; times are taken by this browser.</p>
{_told_of(_AUDITION)}</div>
<div id="during" hidden>
<p id="where" class="tally" role="status" aria-label="Where"></p>
{_SWITCHES}
{_STAGE}
<p class="acts"><button type="button" id="break-off" class="quiet">Break it off</button></p>
</div>
<section id="report" class="report" aria-labelledby="report-title" tabindex="-1" hidden></section>
</div>"""
    return _page("The audition", html, "school_audition.js", wide=True)
