"""The school's pages, ``/school``: lessons, drills, practice, progress, a class, the audition.

Pages contain nothing about a learner; their scripts load that from the API. ``/t/TABLE/learn`` is
the page on which a learner works a post at a live table.
"""

from __future__ import annotations

from collections.abc import Iterable
from secrets import token_hex
from typing import Any, Final
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from passline.felt.svg import draw_chip_symbols, draw_stack, draw_table
from passline.game.law.book_files import read_each_book
from passline.game.law.load import rulebook
from passline.game.money.amounts import show_dollars
from passline.game.words.web import LEVEL_WORDS, PRIVATE_TABLE_NAME, say_web
from passline.live.schema import ServiceError
from passline.live.service import TableService
from passline.school.answer_fields import read_stack
from passline.school.drills import list_drill_names, load_drill
from passline.school.learning_path import find_step_after
from passline.school.lessons import figures
from passline.school.lessons.lesson_files import (
    Lesson,
    find_lesson_id,
    list_lesson_ids,
    load_lesson,
    load_lessons,
)
from passline.school.question_types import LEVELS, DrillSetup
from passline.school.shift import MAX_PACE, MAX_ROLLS, MIN_PACE
from passline.text import escape_unprintable
from passline.web.page_cache import BackgroundPageCache
from passline.web.page_templates import build_path, render_page
from passline.web.responses import cached_response, page_response
from passline.web.school.api import parse_drill_request, parse_house_choice
from passline.web.school.auditions import PROCTORED_MINUTES
from passline.web.school.questions import (
    DEFAULT_RULEBOOK,
    MAX_HOUSE_LENGTH,
    DrillRequest,
    HouseChoice,
    compile_house_layout,
    make_setup,
)
from passline.web.school.shifts import AUDITION_SHIFT

#: The lesson that the audition's page shows.
_AUDITION_LESSON: Final = "audition"
#: The level whose chips a lesson's figures are drawn with.
_LESSON_LEVEL: Final = 3


class SchoolPages:
    """The handlers of the school's pages, under ``/school``.

    ``deals_shifts`` is false where the operator has turned shifts, and so auditions, off.
    """

    def __init__(self, page_cache: BackgroundPageCache, *, deals_shifts: bool = True) -> None:
        self._page_cache, self._off = page_cache, "" if deals_shifts else say_web("shifts-off")

    async def home(self, request: Request) -> Response:
        """``GET /school``: all lessons and drills."""
        return cached_response(request, await self._page_cache.get_page(("school",), _render_home))

    async def lesson(self, request: Request) -> Response:
        """``GET /school/LESSON``: a lesson.

        ``?rulebook=`` or ``?house=`` chooses the house it shows.
        """
        name = find_lesson_id(request.path_params["lesson"])
        if not name:
            raise ServiceError("not_found", say_web("no-lesson"))
        house, error = await self._page_cache.run(
            lambda: _parse_house_or_error(request, load_lesson(name).book)
        )
        if error:
            page = await self._page_cache.run(lambda: _render_lesson(name, house, error))
            return page_response(request, page, 400)
        cached = await self._page_cache.get_page(
            ("lesson", name, house), lambda: _render_lesson(name, house)
        )
        return cached_response(request, cached)

    async def drill(self, request: Request) -> Response:
        """``GET /school/drill/DRILL?level=&rulebook=&house=&seed=``: the page of a drill."""
        name = request.path_params["drill"]
        if name not in list_drill_names():
            raise ServiceError("not_found", say_web("no-drill", drills=list_drill_names()))
        seed, error = token_hex(4), ""
        try:
            chosen = await self._page_cache.run(lambda: parse_drill_request(request, name, seed))
        except ServiceError:
            house, error = await self._page_cache.run(lambda: _parse_house_or_error(request))
            if not error:
                raise
            chosen = DrillRequest(drill=name, house=house.house, seed=seed)
        lesson = request.query_params.get("lesson", "")[:80]
        page = await self._page_cache.run(lambda: _render_drill(chosen, lesson, error))
        return page_response(request, page, 400 if error else 200)

    async def practice(self, request: Request) -> Response:
        """``GET /school/practice?rulebook=&house=``: today's practice."""
        house, error = await self._page_cache.run(lambda: _parse_house_or_error(request))

        def render() -> str:
            form = _describe_house("/school/practice", house, error)
            return render_page("practice.html", chips=_draw_chips(house, error), house=form)

        return page_response(request, await self._page_cache.run(render), 400 if error else 200)

    async def progress(self, request: Request) -> Response:
        """``GET /school/progress``: a learner's progress.

        The page's script loads it from the API.
        """
        return page_response(request, render_page("school_progress.html"))

    async def show_class(self, request: Request) -> Response:
        """``GET /school/class``: an instructor's view. The page's script loads it from the API."""
        return page_response(request, render_page("school_class.html"))

    async def audition(self, request: Request) -> Response:
        """``GET /school/audition?rulebook=&house=``: the page of a proctored audition."""
        house, error = await self._page_cache.run(lambda: _parse_house_or_error(request))
        page = await self._page_cache.run(lambda: _render_audition(house, error, self._off))
        return page_response(request, page, 400 if error else 200)

    async def shift(self, request: Request) -> Response:
        """``GET /school/shift``: the page on which a learner deals a shift."""

        def render() -> str:
            house = HouseChoice(DEFAULT_RULEBOOK)
            return render_page(
                "shift.html",
                off=self._off,
                house=_describe_house("/school/shift", house),
                posts=[("base", "Base dealer"), ("stick", "Stick"), ("box", "Box")],
                paces=[(str(n), f"{n} rolls an hour") for n in range(MIN_PACE, MAX_PACE + 1, 10)],
                max_rolls=MAX_ROLLS,
            )

        return page_response(request, await self._page_cache.run(render))


class LearnerPostPage:
    """The handler of ``/t/TABLE/learn``, where a learner works a post at a live table."""

    def __init__(self, service: TableService) -> None:
        self._service = service

    async def page(self, request: Request) -> Response:
        """``GET /t/TABLE/learn#TOKEN``: the page on which a learner works a post."""
        live = (await self._service.tables.get(request.path_params["table"])).live
        page = render_page(
            "learner_post.html",
            table=live.id,
            name=live.settings.name if live.settings.open else PRIVATE_TABLE_NAME,
            chips=Markup(draw_chip_symbols(live.table.house.rack.chips)),
        )
        return page_response(request, page)


def _parse_house_or_error(
    request: Request, book: str = DEFAULT_RULEBOOK
) -> tuple[HouseChoice, str]:
    """Return (house, error): the house that a query chooses, and what is wrong with its house file.

    The error is "" if nothing is wrong. A wrong file is returned unchanged, for the form. ``book``
    is the default rulebook. Raise ServiceError for errors that are not about the file.
    """
    try:
        return parse_house_choice(request, book), ""
    except ServiceError as error:
        pasted = request.query_params.get("house", "")
        if not pasted.strip() or error.code != "invalid":
            raise
        return HouseChoice(book, pasted[:MAX_HOUSE_LENGTH]), error.message.removeprefix("house: ")


def _describe_house(
    action: str, house: HouseChoice, error: str = "", *, seed: str = "", level: int = 0
) -> dict[str, Any]:
    """Return the values for the form that chooses a house (``house_form`` in the macros).

    ``action`` is the path to which the form is sent, and ``error`` says what is wrong with the
    house file. If ``seed`` or ``level`` is given, the form has a field for it.
    """
    name = _house_name(HouseChoice(house.rulebook) if error else house)
    return {
        "action": action,
        "about": f"Level {level}, {name}" if level else name,
        "error": error.removesuffix("."),
        "books": [(book.id, book.title) for book in read_each_book(rulebook)],
        "rulebook": house.rulebook,
        "file": house.house,
        "max_length": MAX_HOUSE_LENGTH,
        "seed": seed,
        "level": str(level) if level else "",
    }


def _house_name(house: HouseChoice) -> str:
    """Return a house's name: the one in its file, or else one made from its rulebook's title."""
    own = compile_house_layout(house).house.name if house.house else ""
    return own or f"{'a house by ' if house.house else ''}{rulebook(house.rulebook).title}"


def _draw_chips(house: HouseChoice, error: str = "") -> Markup:
    """Return a house's chips as SVG symbols.

    If there is an error in the house file, draw the chips of its rulebook.
    """
    layout = compile_house_layout(HouseChoice(house.rulebook) if error else house)
    return Markup(draw_chip_symbols(layout.house.rack.chips))


def _render_home() -> str:
    return render_page(
        "school.html",
        lessons=load_lessons(),
        default_rulebook=DEFAULT_RULEBOOK,
        drills=[(name, load_drill(name).skill) for name in list_drill_names()],
        levels=LEVELS,
    )


def _render_lesson(name: str, house: HouseChoice, error: str = "") -> str:
    lesson = load_lesson(name)
    form = _describe_house(build_path("school", name), house, error)
    if error:
        return render_page("lesson.html", lesson=lesson, house=form, chips="")
    ids = list_lesson_ids()
    place = ids.index(name)
    return render_page(
        "lesson.html",
        lesson=lesson,
        house=form,
        chips=_draw_chips(house),
        sections=_describe_sections(lesson, make_setup(house, _LESSON_LEVEL)),
        drills=[
            (
                practice.drill,
                load_drill(practice.drill).skill,
                urlencode({"level": practice.level, "lesson": lesson.id, **house.query}),
            )
            for practice in lesson.practice
        ],
        previous=load_lesson(ids[place - 1]) if place else None,
        next=load_lesson(ids[place + 1]) if place + 1 < len(ids) else None,
    )


def _render_drill(chosen: DrillRequest, lesson: str, error: str = "") -> str:
    drills, drill = list_drill_names(), load_drill(chosen.drill)
    house = HouseChoice(chosen.rulebook, chosen.house)
    action = build_path("school", "drill", chosen.drill)
    return render_page(
        "drill.html",
        drill=chosen.drill,
        skill=drill.skill,
        seconds=drill.seconds,
        house=_describe_house(action, house, error, seed=chosen.seed, level=chosen.level),
        chips=_draw_chips(house, error),
        levels=[(str(level), f"{level}: {LEVEL_WORDS[level]}") for level in LEVELS],
        next_step=find_step_after(load_lessons(), lesson, chosen.drill, chosen.level),
        next_drill=drills[(drills.index(chosen.drill) + 1) % len(drills)],
    )


def _render_audition(house: HouseChoice, error: str = "", off: str = "") -> str:
    """Return the page of the audition. ``off`` says why nobody can take one here, or is ""."""
    sections = []
    if not error and _AUDITION_LESSON in list_lesson_ids():
        lesson = load_lesson(_AUDITION_LESSON)
        sections = _describe_sections(lesson, make_setup(HouseChoice(lesson.book), _LESSON_LEVEL))
    return render_page(
        "audition.html",
        off=off,
        house=_describe_house("/school/audition", house, error),
        chips=_draw_chips(house, error),
        minutes=PROCTORED_MINUTES,
        shift=AUDITION_SHIFT,
        sections=sections,
    )


def _describe_sections(lesson: Lesson, setup: DrillSetup) -> list[dict[str, Any]]:
    """Return the template's values for a lesson's sections, with figures drawn for ``setup``."""
    return [
        {
            "heading": section.heading,
            "text": section.text,
            "figures": [
                _describe_figure(figures.draw_figure(one, setup), setup) for one in section.figures
            ],
            "clauses": _split_cites(f"{lesson.book}:{clause}" for clause in section.clauses),
        }
        for section in lesson.sections
    ]


def _describe_figure(figure: figures.DrawnFigure, setup: DrillSetup) -> dict[str, Any]:
    cites_each_step = any(isinstance(block, figures.StepsBlock) for block in figure.blocks)
    return {
        "caption": figure.caption,
        "blocks": [_describe_block(block, setup) for block in figure.blocks],
        "cites": [] if cites_each_step else _split_cites(figure.cites),
    }


def _describe_block(block: figures.Block, setup: DrillSetup) -> dict[str, Any]:
    match block:
        case figures.TextBlock():
            return {"kind": "text", "text": block.text}
        case figures.CallBlock():
            return {"kind": "call", "words": block.words}
        case figures.TableBlock():
            return {
                "kind": "table",
                "title": block.title,
                "heads": [escape_unprintable(head) for head in block.columns],
                "rows": [[escape_unprintable(cell) for cell in row] for row in block.rows],
            }
        case figures.StackBlock():
            chips = read_stack(block.chips, setup.rack)
            stacks = [read_stack(one, setup.rack) for one in block.stacks] or [chips]
            return {
                "kind": "stack",
                "drawings": [Markup(draw_stack(one)) for one in stacks],
                "name": block.name,
                "words": f"{chips}, {show_dollars(chips.amount)}",
            }
        case figures.FeltBlock():
            return _describe_felt(block)
        case figures.StepsBlock():
            steps = [_describe_step(step, setup) for step in block.steps]
            return {"kind": "steps", "title": block.title, "steps": steps}


def _describe_felt(block: figures.FeltBlock) -> dict[str, Any]:
    table, plan, contents = figures.load_felt(block)
    view = block.view if block.view in plan.views else "whole"
    box = plan.views[view]
    return {
        "kind": "felt",
        "drawing": Markup(draw_table(table, plan, contents, view)),
        "shape": "tall" if box.height > box.width else "wide",
        "contents": block.lies,
    }


def _describe_step(step: figures.StepLine, setup: DrillSetup) -> dict[str, Any]:
    book = setup.house.book.id
    cite = step.cite if step.cite.startswith("custom") else f"{book}:{step.cite}"
    (split,) = _split_cites([cite])
    piles = [
        {"name": name, "drawing": Markup(draw_stack(read_stack(chips, setup.rack)))}
        for name, chips in step.piles.items()
    ]
    found = {"by": step.by, "words": step.words, "cite": split if step.cite else None}
    return {**found, "piles": piles}


def _split_cites(cites: Iterable[str]) -> list[dict[str, str]]:
    """Return {"book", "id"} for each citation ``book:clause``.

    The book is "" for a custom, a rule that no clause states.
    """
    split = []
    for cite in cites:
        book, sign, clause = cite.partition(":")
        is_clause = bool(sign) and book != "custom"
        split.append({"book": book, "id": clause} if is_clause else {"book": "", "id": book})
    return split
