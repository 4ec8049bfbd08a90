"""Questions as pages show them, and the house and drill that a request chooses.

The JSON of a question never contains the answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from threading import Lock
from typing import Any, Final

import msgspec

from passline.felt.layout_contents import ChipStack, LayoutContents, NamePlate, find_layout_contents
from passline.felt.plan import plan_felt
from passline.felt.svg import draw_stack, draw_table
from passline.game.house.load import house_for
from passline.game.law.book_files import SCHOOL_BOOK, book_ids
from passline.game.layout.compile import compile_layout
from passline.game.layout.spots import Layout
from passline.game.money.amounts import show_dollars
from passline.game.money.chips import Chips
from passline.game.table.state import Table
from passline.game.table.table_ends import count_places
from passline.game.words.web import say_web
from passline.live.schema import OpenTableRequest, ServiceError
from passline.live.table_setup import read_requested_house
from passline.record.deal import deal_record
from passline.record.read import read_record
from passline.school.drills import list_drill_names, load_drill
from passline.school.practice_tables import make_table
from passline.school.question_types import LEVELS, DrillSetup, NoQuestionError, Question
from passline.school.question_view import list_facts, list_stacks
from passline.school.question_work import find_question_work, format_step, list_open_bets
from passline.school.questions_and_grades import find_set_start, iterate_questions
from passline.text import escape_unprintable

DEFAULT_RULEBOOK: Final = SCHOOL_BOOK
#: The longest house file, in characters. It is part of a URL, so that a drill can be linked.
MAX_HOUSE_LENGTH: Final = 6_000


class HouseChoice(msgspec.Struct, frozen=True):
    """The house that a learner chose: a rulebook's id, or a house file as TOML text."""

    rulebook: str = DEFAULT_RULEBOOK
    house: str = ""

    @property
    def query(self) -> dict[str, str]:
        """The query parameters that choose this house."""
        return {"house": self.house} if self.house else {"rulebook": self.rulebook}


def check_house(rulebook: str, house: str = "") -> HouseChoice:
    """Return the house that a request chooses.

    ``house`` is a house file and overrides ``rulebook``. Raise ServiceError for an unknown
    rulebook, or a house that its rulebook does not allow.
    """
    if not house.strip():
        if rulebook not in book_ids():
            raise ServiceError("invalid", say_web("no-rulebook", books=book_ids()))
        return HouseChoice(rulebook)
    if len(house) > MAX_HOUSE_LENGTH:
        raise ServiceError("invalid", say_web("house-too-long", most=MAX_HOUSE_LENGTH))
    text = house.strip().replace("\r\n", "\n")
    return HouseChoice(compile_house_layout(HouseChoice("", text)).house.book.id, text)


@lru_cache(32)
def compile_house_layout(choice: HouseChoice) -> Layout:
    """Return the layout of a chosen house. Raise ServiceError if its rulebook does not allow it."""
    if choice.house:
        return compile_layout(read_requested_house(OpenTableRequest(house=choice.house)))
    return compile_layout(house_for(choice.rulebook))


def make_setup(choice: HouseChoice, level: int) -> DrillSetup:
    """Return the setup of a drill: the layout of a house and a level from 1 to 5."""
    return DrillSetup(compile_house_layout(choice), level)


_SEED_PATTERN: Final = re.compile(r"[ -~]{1,64}")
#: How many questions of one seed a server makes.
MAX_QUESTIONS: Final = 10_000


class DrillRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A series of questions: the drill, the rulebook or house file, the level and the seed."""

    drill: str
    rulebook: str = DEFAULT_RULEBOOK
    house: str = ""
    level: int = 1
    seed: str = "1"

    @property
    def setup(self) -> DrillSetup:
        """The setup of the drill: the layout of the house and the level from 1 to 5."""
        return make_setup(HouseChoice(self.rulebook, self.house), self.level)

    def to_json(self) -> dict[str, Any]:
        """Return the query parameters, by name, that choose the same questions again."""
        fields: dict[str, Any] = msgspec.to_builtins(self)
        return fields if self.house else {k: v for k, v in fields.items() if k != "house"}


def check_drill_request(chosen: DrillRequest) -> DrillRequest:
    """Return the request with ``rulebook`` set to the one that its house file names, if any.

    Raise ServiceError for an unknown drill, level or rulebook, or a wrong seed or house file.
    """
    if chosen.drill not in list_drill_names():
        raise ServiceError("invalid", say_web("no-drill", drills=list_drill_names()))
    if chosen.level not in LEVELS:
        raise ServiceError("invalid", say_web("level-range", least=LEVELS[0], most=LEVELS[-1]))
    check_seed(chosen.seed)
    house = check_house(chosen.rulebook, chosen.house)
    return msgspec.structs.replace(chosen, rulebook=house.rulebook, house=house.house)


def check_seed(seed: str) -> str:
    """Return a seed unchanged.

    Raise ServiceError if it is not 1 to 64 printable ASCII characters.
    """
    if not _SEED_PATTERN.fullmatch(seed):
        raise ServiceError("invalid", say_web("seed-form"))
    return seed


class _QuestionSet:
    """The questions of a seed from number ``first`` on. Each is made when it is first requested.

    Threads may share it.
    """

    def __init__(self, chosen: DrillRequest, first: int) -> None:
        self._first, self._made, self._lock = first, list[Question](), Lock()
        drill = load_drill(chosen.drill)
        self._rest = iterate_questions(drill, chosen.setup, chosen.seed, first)

    def question(self, n: int) -> Question:
        with self._lock:
            self._made += islice(self._rest, max(0, n - self._first + 1 - len(self._made)))
            if n - self._first >= len(self._made):  # Making it failed before.
                raise NoQuestionError("none.number")
            return self._made[n - self._first]


_cached_question_set = lru_cache(128)(_QuestionSet)


def find_question(chosen: DrillRequest, n: int) -> Question:
    """Return question ``n`` (from 1) of a series.

    Raise ServiceError if there is no such question.
    """
    if not 1 <= n <= MAX_QUESTIONS:
        raise ServiceError("invalid", say_web("question-range", most=MAX_QUESTIONS))
    try:
        first = find_set_start(load_drill(chosen.drill), n)
        return _cached_question_set(chosen, first).question(n)
    except NoQuestionError as error:
        raise ServiceError("invalid", str(error)) from None


def question_json(setup: DrillSetup, question: Question) -> dict[str, Any]:
    """Return a question as JSON without its answer.

    ``given`` in the JSON is the question as data; the other fields are for display.
    """
    drill = load_drill(question.drill)
    return {
        "n": question.n,
        "drill": question.drill,
        "ask": escape_unprintable(question.ask),
        "given": question.given,
        "hint": drill.describe_format(setup, question),
        "fields": [field.to_json() for field in drill.list_fields(setup, question)],
        "facts": msgspec.to_builtins(list(list_facts(question))),
        "stacks": [
            stack_json(stack.name, stack.chips, stack.over)
            for stack in list_stacks(setup, question.given)
        ],
        "bank": [[chip.color, chip.value] for chip in setup.rack.chips],
        "felt": _question_felt_json(setup, question),
        "wagers": _wagers_json(setup, question),
        "steps": [format_step(step) for step in question.given.get("shown", ())],
        "phrases": drill.list_phrases(setup, question) if drill.list_phrases else [],
    }


def stack_json(name: str, chips: Chips, over: int = 0) -> dict[str, Any]:
    """Return a stack of chips as JSON: drawing, words, amount, and its piles from the bottom.

    ``over`` is cents in coins on top of the chips.
    """
    return {
        "name": name,
        "svg": draw_stack(chips),
        "words": str(chips),
        "amount": show_dollars(chips.amount + over),
        "coin": show_dollars(over) if over else "",
        "piles": [[chip.color, count] for chip, count in chips.piles],
    }


def _question_felt_json(setup: DrillSetup, question: Question) -> dict[str, Any] | None:
    """Return a drawing of the layout that a question is about, as JSON.

    Return None if the question is not about a layout.
    """
    given = question.given
    if "record" in given:
        table = deal_record(read_record(given["record"]), setup.house).table
        if "ask" in given and not any(seat.wagers for seat in table.seats):
            return None  # A lesson's own question, on an empty layout.
        dice = tuple(given["dice"]) if "dice" in given else None
        return felt_json(table, find_layout_contents(table, dice, at_rest=dice is not None))
    if "felt" in given:
        table = make_table(setup, None)
        contents = _place_marked_stacks(find_layout_contents(table), given["felt"], given["marked"])
        return {**felt_json(table, contents), "marked": given["marked"]}
    return None


def felt_json(table: Table, contents: LayoutContents) -> dict[str, Any]:
    """Return a layout and its chips as JSON: the drawing, a description, the views to zoom to."""
    plan = plan_felt(table.layout, count_places(table))
    views = {name: [box.left, box.top, box.width, box.height] for name, box in plan.views.items()}
    return {
        "svg": draw_table(table, plan, contents),
        "views": views,
        "lies": describe_layout_contents(contents),
    }


def describe_layout_contents(contents: LayoutContents) -> list[str]:
    """Return the puck and the chips on a layout in words, one phrase each, for screen readers."""
    words = [f"puck on {puck.number}" for puck in contents.pucks[:1] if puck.on] or ["puck off"]
    for stack in contents.stacks:
        chips = ", ".join(f"{pile.count} {pile.colour}" for pile in stack.chips)
        whose = f"{stack.player}: " if stack.player else ""
        words.append(
            escape_unprintable(f"{whose}{stack.name}, {chips}{'' if stack.working else ', off'}")
        )
    return words


def _place_marked_stacks(
    bare: LayoutContents, felt: Mapping[str, Any], marked: int
) -> LayoutContents:
    """Return the layout's contents with a question's chip stacks and players' name plates added.

    The stacks do not say whose they are. ``felt`` has the stacks and players, and ``marked`` is the
    index of the stack that the question is about.
    """
    stacks = [msgspec.convert({**one, "player": ""}, ChipStack) for one in felt["stacks"]]
    stacks[marked] = msgspec.structs.replace(stacks[marked], name=f"marked: {stacks[marked].name}")
    plates = [
        NamePlate(
            player=one["player"],
            name=one["player"],
            place=one["place"],
            end=one["end"],
            at=msgspec.convert(one["at"], type(bare.plates[0].at)),
            turn=0,
            rail="",
            shooter=False,
            here=True,
            room=90,
        )
        for one in felt["players"]
    ]
    return msgspec.structs.replace(bare, stacks=tuple(stacks), plates=tuple(plates), lammers=())


def _wagers_json(setup: DrillSetup, question: Question) -> list[dict[str, Any]]:
    """Return the bets that the learner can click; none unless the answer is a list of steps."""
    fields = load_drill(question.drill).list_fields(setup, question)
    asks_steps = any(field.kind == "steps" for field in fields)
    work = find_question_work(setup, question) if asks_steps else None
    return [bet.to_json() for bet in list_open_bets(setup, work)] if work is not None else []
