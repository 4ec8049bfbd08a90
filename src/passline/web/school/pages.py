"""A lesson's blocks as HTML: paragraphs, tables, stacks, felts, steps, calls.

Where questions are asked: a drill, a day's practice, the audition; and of which house.

``/school``: the syllabus, the lessons, the drills, one's progress, a class, the audition.

``/t/T/learn``: a learner's post at a live table. Every payoff is built by hand, and every step
marked; what was done there comes back in the learner's own practice.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from secrets import token_hex
from typing import Final
from urllib.parse import urlencode

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.felt.svg import draw_chip_symbols, draw_stack, draw_table
from passline.game.law.book_files import book_ids
from passline.game.law.load import rulebook
from passline.game.money.amounts import show_dollars
from passline.live.requests import ServiceError
from passline.live.service import TableService
from passline.school.answer_fields import read_stack
from passline.school.audition import AUDITION_MINUTES
from passline.school.drills import list_drill_names, load_drill
from passline.school.lessons.figures import (
    Block,
    CallBlock,
    DrawnFigure,
    FeltBlock,
    StackBlock,
    StepsBlock,
    TableBlock,
    TextBlock,
    draw_figure,
    load_felt,
)
from passline.school.lessons.lesson_files import Lesson, list_lesson_ids, load_lesson, load_lessons
from passline.school.questions import LEVELS, DrillSetup
from passline.school.table_work import read_work_answers
from passline.text import escape_unprintable
from passline.web.page_cache import BackgroundPageCache
from passline.web.page_layout import (
    breadcrumbs,
    build_path,
    data_table_html,
    link,
    options_html,
    render_page,
)
from passline.web.responses import cached_response, json_response, page_response, read_json
from passline.web.school.api import SchoolApi, parse_drill_request, parse_house_choice
from passline.web.school.questions import (
    DEFAULT_RULEBOOK,
    MAX_HOUSE_LENGTH,
    DrillRequest,
    HouseChoice,
    check_seed,
    compile_house_layout,
    make_setup,
)


def cite_link(cite: str) -> str:
    """A clause, ``book:id``, as a link to where it is shown; a custom stands as it is."""
    book, sign, clause = cite.partition(":")
    if not sign or book == "custom":
        return f'<span class="custom">{escape(escape_unprintable(book))}</span>'
    return f'<span class="cite">{link(build_path("law", book, clause), clause)}</span>'


def cites_html(cites: Iterable[str]) -> str:
    """The clauses of something, each a link; nothing where there are none."""
    links = ", ".join(cite_link(cite) for cite in cites)
    return f'<p class="cites">{links}</p>' if links else ""


def lesson_html(lesson: Lesson, setup: DrillSetup) -> str:
    """A lesson, part by part, its figures drawn for a house."""
    parts = []
    for at, section in enumerate(lesson.sections, 1):
        figures = "\n".join(
            _figure_html(draw_figure(figure, setup), setup) for figure in section.figures
        )
        text = "\n".join(f"<p>{escape(escape_unprintable(words))}</p>" for words in section.text)
        clauses = cites_html(f"{lesson.book}:{clause}" for clause in section.clauses)
        told = (
            f"<details class='taught'><summary>{len(section.clauses)} "
            f"clause{'' if len(section.clauses) == 1 else 's'}</summary>{clauses}</details>"
            if clauses
            else ""
        )
        parts.append(
            f'<section aria-labelledby="part-{at}"><h2 id="part-{at}">'
            f"{escape(escape_unprintable(section.heading))}</h2>\n{text}\n{figures}\n{told}</section>"
        )
    return "\n".join(parts)


def _figure_html(drawn: DrawnFigure, setup: DrillSetup) -> str:
    caption = (
        f"<figcaption>{escape(escape_unprintable(drawn.caption))}</figcaption>"
        if drawn.caption
        else ""
    )
    blocks = "\n".join(_block_html(block, setup) for block in drawn.blocks)
    if any(isinstance(block, StepsBlock) for block in drawn.blocks):
        return (
            f'<figure class="lesson-figure">{caption}\n{blocks}</figure>'  # each step has its own
        )
    return f'<figure class="lesson-figure">{caption}\n{blocks}\n{cites_html(drawn.cites)}</figure>'


def _block_html(block: Block, setup: DrillSetup) -> str:
    match block:
        case TextBlock():
            return f"<p>{escape(escape_unprintable(block.text))}</p>"
        case CallBlock():
            return f'<blockquote class="called"><p>{escape(escape_unprintable(block.words))}</p></blockquote>'  # noqa: E501
        case TableBlock():
            rows = [[escape(escape_unprintable(cell)) for cell in row] for row in block.rows]
            title = f"<h3>{escape(escape_unprintable(block.title))}</h3>" if block.title else ""
            heads = [escape_unprintable(head) for head in block.columns]
            return title + data_table_html(
                escape_unprintable(block.title) or "Table", heads, rows, figures=1
            )
        case StackBlock():
            return _stack_html(block, setup)
        case FeltBlock():
            return _felt_html(block)
        case StepsBlock():
            return _steps_html(block, setup)


def _stack_html(block: StackBlock, setup: DrillSetup) -> str:
    chips = read_stack(block.chips, setup.rack)
    name = (
        f'<span class="stack-name">{escape(escape_unprintable(block.name))}</span>'
        if block.name
        else ""
    )
    amount = f'<span class="stack-words">{escape(str(chips))}, {show_dollars(chips.amount)}</span>'
    return f'<div class="stack-shown">{draw_stack(chips)}{name}{amount}</div>'


def _felt_html(block: FeltBlock) -> str:
    table, plan, lie = load_felt(block)
    view = block.view if block.view in plan.views else "whole"
    lies = "".join(f"<li>{escape(escape_unprintable(words))}</li>" for words in block.lies)
    box = plan.views[view]
    kind = "tall" if box.height > box.width else "wide"
    return (
        f'<div class="felt-shown {kind}">{draw_table(table, plan, lie, view)}</div>'
        f'<ul class="unseen">{lies}</ul>'
    )


def _steps_html(block: StepsBlock, setup: DrillSetup) -> str:
    title = f"<h3>{escape(escape_unprintable(block.title))}</h3>" if block.title else ""
    items = []
    for step in block.steps:
        by = f"<b>{escape(escape_unprintable(step['by']))}</b> " if step.get("by") else ""
        cite = step.get("cite", "")
        if cite and not cite.startswith("custom"):
            cite = f"{setup.house.book.id}:{cite}"
        cite = f" {cite_link(cite)}" if cite else ""
        items.append(f"<li>{by}{escape(escape_unprintable(step['words']))}{cite}</li>")
    return f'{title}<ol class="crew-steps">{"".join(items)}</ol>'


SCHOOL_STYLES: Final = ("felt.css", "school.css")
#: The lesson that is read where the audition is held.
_AUDITION_LESSON: Final = "audition"
_LEVEL_WORDS: Final = {
    1: "one bet, one colour",
    2: "mixed stacks, the center, don'ts",
    3: "several players, chips as the manual pays",
    4: "amounts that do not come out even",
    5: "everything",
}
LEARNER_FORM_HTML: Final = """<section id="who" class="school-who" aria-label="You">
<form id="begin" class="search" hidden>
<label>Your name <input type="text" id="learner-name" autocomplete="nickname" maxlength="40"
required></label>
<button type="submit">Keep my progress</button>
</form>
<p id="known" hidden></p>
<div id="who-alert" role="alert"></div>
</section>"""

_QUESTION_HTML: Final = """<div id="stage" class="drill-stage" hidden>
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

_SWITCHES_HTML: Final = """<div class="switches" role="group" aria-label="How it is shown">
<label class="pill"><input type="checkbox" id="clock-on" checked> <span>Clock</span></label>
<label class="pill"><input type="checkbox" id="large"> <span>Large type</span></label>
<label class="pill"><input type="checkbox" id="dollars"> <span>Dollars</span></label>
<p id="clock" class="clock" role="timer" aria-label="Clock"></p>
<p id="tally" class="tally" role="status" aria-label="Right so far"></p>
</div>"""


def _drill_page(title: str, html: str, script: str) -> str:
    scripts = [script] if script else []
    return render_page(title, html, at="/school", scripts=scripts, styles=SCHOOL_STYLES, wide=True)


def _chips_and_breadcrumbs(said: HouseChoice) -> str:
    """The house's chips, to be drawn from, and the way here."""
    chips = compile_house_layout(said).house.rack.chips
    return draw_chip_symbols(chips) + breadcrumbs(("/school", "The dealer school"))


def _book_options(book: str) -> str:
    return options_html(((name, rulebook(name).title) for name in book_ids()), book)


def _house_fields(said: HouseChoice) -> str:
    """A rulebook to choose; or a house file, which goes before it."""
    return f"""<label>Rulebook <select id="book" name="rulebook">{_book_options(said.rulebook)}</select>
</label>
<label class="long">Or a house file <textarea id="house" name="house" rows="4" spellcheck="false"
maxlength="{MAX_HOUSE_LENGTH}" placeholder="rulebook = &quot;{escape(said.rulebook)}&quot;">\
{escape(said.house)}</textarea></label>"""  # noqa: E501


def _house_name(said: HouseChoice) -> str:
    """What a house is called: by its file, or by its book."""
    own = compile_house_layout(said).house.name if said.house else ""
    return own or f"{'a house by ' if said.house else ''}{rulebook(said.rulebook).title}"


def house_form(action: str, said: HouseChoice, wrong: str = "", more: str = "") -> str:
    """Whose game a page is of, and a form to have another's; what was wrong with the last one."""
    about = _house_name(HouseChoice(said.rulebook) if wrong else said)
    return _choice_form(action, about, _house_fields(said) + more, wrong)


def _choice_form(action: str, about: str, fields: str, wrong: str = "") -> str:
    """What is asked here, and a form to ask something else; what was wrong with the last asking."""
    words = f"The house file: {wrong}."
    told = f'<p role="alert" class="alert">{escape(words)}</p>' if wrong else ""
    return f"""<details class="elect drill-elect"{" open" if wrong else ""}>\
<summary>{escape(about)}</summary>{told}
<form action="{escape(action)}" method="get">{fields}
<button type="submit">Ask so</button>
</form></details>"""


def drill_html(asking: DrillRequest, wrong: str = "") -> str:
    """A drill's page; ``wrong`` with the house that was asked for: nothing is asked then."""
    said = HouseChoice(asking.rulebook, "" if wrong else asking.house)
    drill, levels = load_drill(asking.drill), [(str(n), f"{n}: {_LEVEL_WORDS[n]}") for n in LEVELS]
    at = list_drill_names().index(asking.drill)
    later = list_drill_names()[(at + 1) % len(list_drill_names())]
    fields = f"""
<label>Level <select name="level">{options_html(levels, str(asking.level))}</select></label>
{_house_fields(HouseChoice(asking.rulebook, asking.house))}
<label>Seed <input type="text" name="seed" maxlength="64" value="{escape(asking.seed)}"></label>"""
    about = f"Level {asking.level}, {_house_name(said)}"
    elect = _choice_form(f"/school/drill/{asking.drill}", about, fields, wrong)
    html = f"""{_chips_and_breadcrumbs(said)}
<div id="drill" class="drill" data-drill="{escape(asking.drill)}"
 data-rulebook="{escape(asking.rulebook)}" data-house="{escape(said.house)}"
 data-level="{asking.level}" data-seed="{escape(asking.seed)}" data-pace="{load_drill(asking.drill).seconds}">
<div class="drill-head"><h1>{escape(asking.drill.capitalize())}</h1>
<p>{escape(drill.skill)}</p></div>
{elect}
{"" if wrong else _SWITCHES_HTML + _QUESTION_HTML}
</div>
<nav class="beside" aria-label="Other drills"><a href="/school">All drills</a>
<a href="/school/drill/{later}">{later} →</a></nav>"""  # noqa: E501
    return _drill_page(f"Drill: {asking.drill}", html, "" if wrong else "school_drill.js")


def practice_html(said: HouseChoice, wrong: str = "") -> str:
    """A day's practice; ``wrong`` with the house that was asked for: nothing is asked then."""
    title, elect = "Today's practice", house_form("/school/practice", said, wrong)
    if wrong:
        return _invalid_house_page(title, said, elect)
    html = f"""{_chips_and_breadcrumbs(said)}
<div id="drill" class="drill" data-practice="yes" data-rulebook="{escape(said.rulebook)}"
 data-house="{escape(said.house)}" data-drill="" data-level="1" data-seed="" data-pace="30">
<div class="drill-head"><h1>{title}</h1>
<p id="why">What is due, then what is new.</p></div>
{LEARNER_FORM_HTML}
{elect}
{_SWITCHES_HTML}
{_QUESTION_HTML}
<p id="done" hidden>That is all for today. <a href="/school/progress">How far you are</a>.</p>
</div>"""
    return _drill_page(title, html, "school_drill.js")


def _invalid_house_page(title: str, said: HouseChoice, elect: str) -> str:
    """A page of a house that cannot be had: the form, to mend it."""
    head = f'<div class="drill-head"><h1>{escape(title)}</h1></div>'
    return _drill_page(
        title, f"{_chips_and_breadcrumbs(HouseChoice(said.rulebook))}{head}{elect}", ""
    )


def _lesson_section(name: str) -> str:
    """The lesson on something that has a page of its own, to be read there."""
    if name not in list_lesson_ids():
        return ""
    lesson = load_lesson(name)
    return (
        f'<div class="lesson">{lesson_html(lesson, make_setup(HouseChoice(lesson.book), 3))}</div>'
    )


def audition_html(said: HouseChoice, seed: str, wrong: str = "") -> str:
    """The audition: what it is, its questions, its report; ``wrong`` with the house: only that."""
    same = f'<input type="hidden" name="seed" value="{escape(seed)}">'
    elect = house_form("/school/audition", said, wrong, same)
    if wrong:
        return _invalid_house_page("The audition", said, elect)
    html = f"""{_chips_and_breadcrumbs(said)}
<div id="drill" class="drill" data-rulebook="{escape(said.rulebook)}"
 data-house="{escape(said.house)}" data-drill="" data-level="4" data-pace="30">
<div class="drill-head"><h1>The audition</h1>
<p>A mixed game on one end of a busy table: payoffs, calls, order, presses, errors.</p></div>
<form id="start" class="search audition-start">
<label>Your name <input type="text" id="learner-name" autocomplete="nickname" maxlength="40"
required></label>
<label>Seed <input type="text" id="seed" maxlength="64" value="{escape(seed)}" required></label>
<label>Minutes, 0 for no clock <input type="number" id="minutes" min="0" max="240"
value="{AUDITION_MINUTES}" required></label>
<button type="submit">Begin</button>
</form>
<div id="about">{elect}
<p>The same seed is the same audition for everybody. Nothing is told of an answer
until the end; times are taken by this browser.</p>
{_lesson_section(_AUDITION_LESSON)}</div>
<div id="during" hidden>
<p id="where" class="tally" role="status" aria-label="Where"></p>
{_SWITCHES_HTML}
{_QUESTION_HTML}
<p class="acts"><button type="button" id="break-off" class="quiet">Break it off</button></p>
</div>
<section id="report" class="report" aria-labelledby="report-title" tabindex="-1" hidden></section>
</div>"""
    return _drill_page("The audition", html, "school_audition.js")


class SchoolPages:
    """The handlers of the school's pages. They hold nothing of anybody: scripts ask for that."""

    def __init__(self, page_cache: BackgroundPageCache) -> None:
        self._page_cache = page_cache

    async def home(self, request: Request) -> Response:
        """``/school``"""
        return cached_response(request, await self._page_cache.made(("school",), _home_page))

    async def lesson(self, request: Request) -> Response:
        """``/school/LESSON``, for the house of ``?rulebook=`` or ``?house=``."""
        name = request.path_params["lesson"]
        if name not in list_lesson_ids():
            raise ServiceError("not_found", "there is no such lesson: /school has them all")
        said, wrong = await self._page_cache.done(
            lambda: _parse_house_or_error(request, load_lesson(name).book)
        )
        if wrong:
            page = await self._page_cache.done(lambda: _lesson_page(name, said, wrong))
            return page_response(request, page, 400)
        made = await self._page_cache.made(("lesson", name, said), lambda: _lesson_page(name, said))
        return cached_response(request, made)

    async def drill(self, request: Request) -> Response:
        """``/school/drill/DRILL?level=&rulebook=&house=&seed=``"""
        name = request.path_params["drill"]
        if name not in list_drill_names():
            drills = ", ".join(list_drill_names())
            raise ServiceError("not_found", f"there is no such drill: {drills}")
        fresh = token_hex(4)
        try:
            asking = await self._page_cache.done(lambda: parse_drill_request(request, name, fresh))
        except ServiceError:
            said, why = await self._page_cache.done(lambda: _parse_house_or_error(request))
            if not why:
                raise
            asking = DrillRequest(drill=name, house=said.house, seed=fresh)
            page = await self._page_cache.done(lambda: drill_html(asking, why))
            return page_response(request, page, 400)
        return page_response(request, await self._page_cache.done(lambda: drill_html(asking)))

    async def practice(self, request: Request) -> Response:
        """``/school/practice?rulebook=&house=``: what is due, then what is new."""
        said, wrong = await self._page_cache.done(lambda: _parse_house_or_error(request))
        page = await self._page_cache.done(lambda: practice_html(said, wrong))
        return page_response(request, page, 400 if wrong else 200)

    async def progress(self, request: Request) -> Response:
        """``/school/progress``"""
        return page_response(request, _progress_page())

    async def show_class(self, request: Request) -> Response:
        """``/school/class``"""
        return page_response(request, _class_page())

    async def audition(self, request: Request) -> Response:
        """``/school/audition?seed=&rulebook=&house=``"""
        seed = check_seed(request.query_params.get("seed", token_hex(4)))
        said, wrong = await self._page_cache.done(lambda: _parse_house_or_error(request))
        page = await self._page_cache.done(lambda: audition_html(said, seed, wrong))
        return page_response(request, page, 400 if wrong else 200)


def _parse_house_or_error(
    request: Request, book: str = DEFAULT_RULEBOOK
) -> tuple[HouseChoice, str]:
    """The house that is asked for, and what is wrong with it: nothing, or it is as it was pasted,
    so that it stands in the form to be mended. ServiceError where nothing was pasted."""
    try:
        return parse_house_choice(request, book), ""
    except ServiceError as wrong:
        pasted = request.query_params.get("house", "")
        if not pasted.strip() or wrong.code != "invalid":
            raise
        return HouseChoice(book, pasted[:MAX_HOUSE_LENGTH]), wrong.message.removeprefix("house: ")


def _school_page(title: str, html: str, script: str = "", wide: bool = False) -> str:
    scripts = [script] if script else []
    return render_page(title, html, at="/school", scripts=scripts, styles=SCHOOL_STYLES, wide=wide)


def _home_page() -> str:
    cards = "".join(_lesson_card(at, lesson) for at, lesson in enumerate(load_lessons(), 1))
    drills = "".join(_drill_row(name) for name in list_drill_names())
    html = f"""<h1>The dealer school</h1>
<p class="lead">Learn to deal the game: lessons, drills, and the audition. The engine that deals the
tables asks and marks.</p>
{LEARNER_FORM_HTML}
<nav class="school-ways" aria-label="Ways to learn">
<a class="button" href="{build_path("school", list_lesson_ids()[0])}">The first lesson</a>
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
    return _school_page("The dealer school", html, "school_home.js")


def _lesson_card(at: int, lesson: Lesson) -> str:
    of = "" if lesson.book == DEFAULT_RULEBOOK else f"?rulebook={lesson.book}"
    drills = ", ".join(link(f"/school/drill/{name}{of}", name) for name in lesson.drills)
    count = len(lesson.clauses)
    return (
        f'<li data-lesson="{escape(lesson.id)}"><span class="at" aria-hidden="true">{at}</span>'
        f"<div><h3>{link(build_path('school', lesson.id), lesson.title)}</h3>"
        f"<p>{count} clause{'' if count == 1 else 's'} of {escape(lesson.book)}"
        f"{f'; drills: {drills}' if drills else ''}</p>"
        '<p class="how-far" hidden></p></div></li>'
    )


def _drill_row(name: str) -> str:
    skill = load_drill(name).skill
    levels = "".join(
        f'<a href="/school/drill/{name}?level={level}" aria-label="{name}, level {level}">'
        f"{level}</a>"
        for level in LEVELS
    )
    return (
        f"<li><h3>{link(f'/school/drill/{name}', name)}</h3><p>{escape(skill)}</p>"
        f'<p class="levels"><span>Level</span> {levels}</p></li>'
    )


def _lesson_page(name: str, said: HouseChoice, wrong: str = "") -> str:
    lesson = load_lesson(name)
    elect = house_form(build_path("school", name), said, wrong)
    if wrong:
        title = f"<h1>{escape(lesson.title)}</h1>"
        return _school_page(
            lesson.title, f"{breadcrumbs(('/school', 'The dealer school'))}{title}{elect}"
        )
    setup = make_setup(said, 3)
    every = list_lesson_ids()
    at = every.index(name)
    beside = ""
    if at:
        beside = link(build_path("school", every[at - 1]), f"← {load_lesson(every[at - 1]).title}")
    if at + 1 < len(every):
        beside += link(build_path("school", every[at + 1]), f"{load_lesson(every[at + 1]).title} →")
    drills = "".join(
        f'<li><a class="button quiet" href="/school/drill/{one.drill}?'
        f'{escape(urlencode({"level": one.level, **said.query}))}">'
        f"{one.drill}</a> <span>{escape(load_drill(one.drill).skill)}</span></li>"
        for one in lesson.practice
    )
    html = f"""{draw_chip_symbols(setup.rack.chips)}{breadcrumbs(("/school", "The dealer school"))}
<h1>{escape(lesson.title)}</h1>
{elect}
<div class="lesson">
{lesson_html(lesson, setup)}
<section aria-labelledby="do-title"><h2 id="do-title">Do it</h2>
<ul class="do-drills">{drills}</ul></section>
</div>
<nav class="beside" aria-label="Other lessons">{beside}</nav>"""
    return _school_page(lesson.title, html)


def _progress_page() -> str:
    html = f"""{breadcrumbs(("/school", "The dealer school"))}
<h1>Your progress</h1>
{LEARNER_FORM_HTML}
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
    return _school_page("Your progress", html, "school_progress.js")


def _class_page() -> str:
    html = f"""{breadcrumbs(("/school", "The dealer school"))}
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
    return _school_page("A class", html, "school_class.js")


_POST_HTML: Final = """{chips}{crumbs}
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


class KeepWorkRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/school/work``: work that was marked, by its table and number, with the
    receipt that its sender got."""

    table: str
    seq: int
    receipt: str


class PostWorkApi:
    """The handler of work at a post that a learner wants kept."""

    def __init__(self, hall: TableService, school: SchoolApi) -> None:
        self._hall, self._school = hall, school

    async def keep(self, request: Request) -> Response:
        """``POST /api/school/work``: kept under the name whose token it is, once."""
        self._school.pace(request)
        learners = self._school.learners
        holder = await learners.holder(request)
        asked = await read_json(request, KeepWorkRequest)
        answers = await read_work_answers(self._hall, asked.table, asked.seq, asked.receipt)
        if holder.role == "learner":
            for answered in answers:
                await learners.keep(holder.name, answered)
        kept = len(answers) if holder.role == "learner" else 0
        return json_response({"name": holder.name, "kept": kept})


class LearnerPostPage:
    """The handler of a learner's post."""

    def __init__(self, hall: TableService) -> None:
        self._hall = hall

    async def page(self, request: Request) -> Response:
        """``/t/T/learn#TOKEN``"""
        live = (await self._hall.tables.get(request.path_params["table"])).live
        html = _POST_HTML.format(
            chips=draw_chip_symbols(live.table.house.rack.chips),
            crumbs=breadcrumbs(("/school", "The dealer school")),
            table=escape(live.id),
            name=escape(live.settings.name if live.settings.open else "A table"),
        )
        page = render_page(
            "A learner's post",
            html,
            at="/school",
            scripts=["school_post.js"],
            styles=["felt.css", "school.css"],
            wide=True,
        )
        return page_response(request, page)
