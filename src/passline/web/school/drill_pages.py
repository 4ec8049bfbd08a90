"""Where questions are asked: a drill, a day's practice, the audition; and of which house."""

from __future__ import annotations

from html import escape
from typing import Final

from passline.felt import chip_symbols
from passline.law import book_ids, rulebook
from passline.school import DRILLS, LEVELS, drill_named
from passline.school.lessons import lesson_ids, lesson_named
from passline.school.pace import PACE
from passline.school.rubric import MINUTES
from passline.web.frame import crumbs, framed, options_html
from passline.web.school.blocks import lesson_html
from passline.web.school.houses import LONGEST_HOUSE, HouseSaid, desk_for, felt_for
from passline.web.school.sheets import DrillAsked

STYLES: Final = ("felt.css", "school.css")
#: The lesson that is read where the audition is held.
_AUDITION: Final = "audition"
_LEVELS: Final = {
    1: "one bet, one colour",
    2: "mixed stacks, the center, don'ts",
    3: "several players, chips as the manual pays",
    4: "amounts that do not come out even",
    5: "everything",
}
WHO: Final = """<section id="who" class="school-who" aria-label="You">
<form id="begin" class="search" hidden>
<label>Your name <input type="text" id="learner-name" autocomplete="nickname" maxlength="40"
required></label>
<button type="submit">Keep my progress</button>
</form>
<p id="known" hidden></p>
<div id="who-alert" role="alert"></div>
</section>"""

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


def _page(title: str, html: str, script: str) -> str:
    scripts = [script] if script else []
    return framed(title, html, at="/school", scripts=scripts, styles=STYLES, wide=True)


def _top(said: HouseSaid) -> str:
    """The house's chips, to be drawn from, and the way here."""
    chips = felt_for(said).house.rack.chips
    return chip_symbols(chips) + crumbs(("/school", "The dealer school"))


def _books(book: str) -> str:
    return options_html(((name, rulebook(name).title) for name in book_ids()), book)


def _house_fields(said: HouseSaid) -> str:
    """A rulebook to choose; or a house file, which goes before it."""
    return f"""<label>Rulebook <select id="book" name="rulebook">{_books(said.rulebook)}</select>
</label>
<label class="long">Or a house file <textarea id="house" name="house" rows="4" spellcheck="false"
maxlength="{LONGEST_HOUSE}" placeholder="rulebook = &quot;{escape(said.rulebook)}&quot;">\
{escape(said.house)}</textarea></label>"""


def _house_name(said: HouseSaid) -> str:
    """What a house is called: by its file, or by its book."""
    own = felt_for(said).house.name if said.house else ""
    return own or f"{'a house by ' if said.house else ''}{rulebook(said.rulebook).title}"


def house_elect(action: str, said: HouseSaid, wrong: str = "", more: str = "") -> str:
    """Whose game a page is of, and a form to have another's; what was wrong with the last one."""
    about = _house_name(HouseSaid(said.rulebook) if wrong else said)
    return _elect(action, about, _house_fields(said) + more, wrong)


def _elect(action: str, about: str, fields: str, wrong: str = "") -> str:
    """What is asked here, and a form to ask something else; what was wrong with the last asking."""
    words = f"The house file: {wrong}."
    told = f'<p role="alert" class="alert">{escape(words)}</p>' if wrong else ""
    return f"""<details class="elect drill-elect"{" open" if wrong else ""}>\
<summary>{escape(about)}</summary>{told}
<form action="{escape(action)}" method="get">{fields}
<button type="submit">Ask so</button>
</form></details>"""


def drill_html(asking: DrillAsked, wrong: str = "") -> str:
    """A drill's page; ``wrong`` with the house that was asked for: nothing is asked then."""
    said = HouseSaid(asking.rulebook, "" if wrong else asking.house)
    drill, levels = drill_named(asking.drill), [(str(n), f"{n}: {_LEVELS[n]}") for n in LEVELS]
    at = DRILLS.index(asking.drill)
    later = DRILLS[(at + 1) % len(DRILLS)]
    fields = f"""
<label>Level <select name="level">{options_html(levels, str(asking.level))}</select></label>
{_house_fields(HouseSaid(asking.rulebook, asking.house))}
<label>Seed <input type="text" name="seed" maxlength="64" value="{escape(asking.seed)}"></label>"""
    about = f"Level {asking.level}, {_house_name(said)}"
    elect = _elect(f"/school/drill/{asking.drill}", about, fields, wrong)
    html = f"""{_top(said)}
<div id="drill" class="drill" data-drill="{escape(asking.drill)}"
 data-rulebook="{escape(asking.rulebook)}" data-house="{escape(said.house)}"
 data-level="{asking.level}" data-seed="{escape(asking.seed)}" data-pace="{PACE[asking.drill]}">
<div class="drill-head"><h1>{escape(asking.drill.capitalize())}</h1>
<p>{escape(drill.trains)}</p></div>
{elect}
{"" if wrong else _SWITCHES + _STAGE}
</div>
<nav class="beside" aria-label="Other drills"><a href="/school">All drills</a>
<a href="/school/drill/{later}">{later} →</a></nav>"""
    return _page(f"Drill: {asking.drill}", html, "" if wrong else "school_drill.js")


def practice_html(said: HouseSaid, wrong: str = "") -> str:
    """A day's practice; ``wrong`` with the house that was asked for: nothing is asked then."""
    title, elect = "Today's practice", house_elect("/school/practice", said, wrong)
    if wrong:
        return _mend(title, said, elect)
    html = f"""{_top(said)}
<div id="drill" class="drill" data-practice="yes" data-rulebook="{escape(said.rulebook)}"
 data-house="{escape(said.house)}" data-drill="" data-level="1" data-seed="" data-pace="30">
<div class="drill-head"><h1>{title}</h1>
<p id="why">What is due, then what is new.</p></div>
{WHO}
{elect}
{_SWITCHES}
{_STAGE}
<p id="done" hidden>That is all for today. <a href="/school/progress">How far you are</a>.</p>
</div>"""
    return _page(title, html, "school_drill.js")


def _mend(title: str, said: HouseSaid, elect: str) -> str:
    """A page of a house that cannot be had: the form, to mend it."""
    head = f'<div class="drill-head"><h1>{escape(title)}</h1></div>'
    return _page(title, f"{_top(HouseSaid(said.rulebook))}{head}{elect}", "")


def _told_of(name: str) -> str:
    """The lesson on something that has a page of its own, to be read there."""
    if name not in lesson_ids():
        return ""
    lesson = lesson_named(name)
    return f'<div class="lesson">{lesson_html(lesson, desk_for(HouseSaid(lesson.book), 3))}</div>'


def audition_html(said: HouseSaid, seed: str, wrong: str = "") -> str:
    """The audition: what it is, its questions, its report; ``wrong`` with the house: only that."""
    same = f'<input type="hidden" name="seed" value="{escape(seed)}">'
    elect = house_elect("/school/audition", said, wrong, same)
    if wrong:
        return _mend("The audition", said, elect)
    html = f"""{_top(said)}
<div id="drill" class="drill" data-rulebook="{escape(said.rulebook)}"
 data-house="{escape(said.house)}" data-drill="" data-level="4" data-pace="30">
<div class="drill-head"><h1>The audition</h1>
<p>A mixed game on one end of a busy table: payoffs, calls, order, presses, errors.</p></div>
<form id="start" class="search audition-start">
<label>Your name <input type="text" id="learner-name" autocomplete="nickname" maxlength="40"
required></label>
<label>Seed <input type="text" id="seed" maxlength="64" value="{escape(seed)}" required></label>
<label>Minutes, 0 for no clock <input type="number" id="minutes" min="0" max="240"
value="{MINUTES}" required></label>
<button type="submit">Begin</button>
</form>
<div id="about">{elect}
<p>The same seed is the same audition for everybody. Nothing is told of an answer
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
    return _page("The audition", html, "school_audition.js")
