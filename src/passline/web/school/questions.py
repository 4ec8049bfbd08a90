"""Whose game is asked: a rulebook's by its id, or that of a house file, as text.

A question as a page has it: what is given, drawn, and what is to be filled in. No answer stands
in it, nor anything that would tell one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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
from passline.game.table.opening import count_places
from passline.game.table.state import Table
from passline.game.words.wagers import layout_name
from passline.live.requests import OpenTableRequest, ServiceError
from passline.live.table_setup import read_requested_house
from passline.record.deal import deal_record
from passline.record.read import read_record
from passline.school.drills import list_drill_names, load_drill
from passline.school.grading import find_set_start, iterate_questions
from passline.school.practice_tables import make_table
from passline.school.question_view import list_facts, list_stacks
from passline.school.question_work import find_question_work, format_step, list_open_bets
from passline.school.questions import LEVELS, DrillSetup, NoQuestionError, Question
from passline.text import escape_unprintable

DEFAULT_RULEBOOK: Final = SCHOOL_BOOK
#: Characters of a house file: it goes in an address, so that a drill can be handed on as a link.
MAX_HOUSE_LENGTH: Final = 6_000


class HouseChoice(msgspec.Struct, frozen=True):
    """A rulebook, or a house file on it: its text. Nobody reads files by these names."""

    rulebook: str = DEFAULT_RULEBOOK
    house: str = ""

    @property
    def query(self) -> dict[str, str]:
        """What says it in an address."""
        return {"house": self.house} if self.house else {"rulebook": self.rulebook}


def check_house(rulebook: str, house: str = "") -> HouseChoice:
    """The house that is asked for; a house file goes before a rulebook. ServiceError where there
    is no such rulebook, or it does not allow such a house."""
    if not house.strip():
        if rulebook not in book_ids():
            raise ServiceError(
                "invalid", f"there is no such rulebook: expected {', '.join(book_ids())}"
            )
        return HouseChoice(rulebook)
    if len(house) > MAX_HOUSE_LENGTH:
        raise ServiceError("invalid", f"house: {MAX_HOUSE_LENGTH:,} characters at most")
    text = house.strip().replace("\r\n", "\n")
    return HouseChoice(compile_house_layout(HouseChoice("", text)).house.book.id, text)


@lru_cache(32)
def compile_house_layout(said: HouseChoice) -> Layout:
    """The felt of a house. ServiceError (``invalid``) where the books allow none such."""
    if said.house:
        return compile_layout(read_requested_house(OpenTableRequest(house=said.house)))
    return compile_layout(house_for(said.rulebook))


def make_setup(said: HouseChoice, level: int) -> DrillSetup:
    """A house's felt at a level."""
    return DrillSetup(compile_house_layout(said), level)


_SEED_PATTERN: Final = re.compile(r"[ -~]{1,64}")
#: Questions of one seed that a server poses.
MAX_QUESTIONS: Final = 10_000


class DrillRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What poses a question: the drill, the rulebook or the house, the level, the seed."""

    drill: str
    rulebook: str = DEFAULT_RULEBOOK
    house: str = ""
    level: int = 1
    seed: str = "1"

    @property
    def setup(self) -> DrillSetup:
        """The house's felt at the level."""
        return make_setup(HouseChoice(self.rulebook, self.house), self.level)

    def told(self) -> dict[str, Any]:
        """What poses it again, as a page or a program says it back."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found if self.house else {k: v for k, v in found.items() if k != "house"}


def check_drill_request(asking: DrillRequest) -> DrillRequest:
    """The same, its rulebook the house's own. ServiceError where there is no such drill, rulebook
    or level, or the books allow no such house."""
    if asking.drill not in list_drill_names():
        drills = ", ".join(list_drill_names())
        raise ServiceError("invalid", f"there is no such drill: expected {drills}")
    if asking.level not in LEVELS:
        raise ServiceError("invalid", f"level: expected {LEVELS[0]} to {LEVELS[-1]}")
    check_seed(asking.seed)
    said = check_house(asking.rulebook, asking.house)
    return msgspec.structs.replace(asking, rulebook=said.rulebook, house=said.house)


def check_seed(seed: str) -> str:
    """ServiceError (``invalid``) for what is no seed."""
    if not _SEED_PATTERN.fullmatch(seed):
        raise ServiceError("invalid", "seed: expected 1 to 64 letters, digits and signs")
    return seed


class _QuestionSet:
    """The questions of a seed from one of its sets on, drawn as far as somebody asked."""

    def __init__(self, asking: DrillRequest, first: int) -> None:
        self._first, self._found, self._lock = first, list[Question](), Lock()
        drill = load_drill(asking.drill)
        self._drawn = iterate_questions(drill, asking.setup, asking.seed, first)

    def question(self, n: int) -> Question:
        with self._lock:
            self._found += islice(self._drawn, max(0, n - self._first + 1 - len(self._found)))
            if n - self._first >= len(self._found):  # it could not be drawn when it was asked for
                raise NoQuestionError("there is no such question: ask with another seed")
            return self._found[n - self._first]


@lru_cache(128)
def _cached_question_set(asking: DrillRequest, first: int) -> _QuestionSet:
    return _QuestionSet(asking, first)


def pose(asking: DrillRequest, n: int) -> Question:
    """A question of a seed. ServiceError (``invalid``) where there is none."""
    if not 1 <= n <= MAX_QUESTIONS:
        raise ServiceError("invalid", f"n: expected 1 to {MAX_QUESTIONS}")
    try:
        return _cached_question_set(asking, find_set_start(load_drill(asking.drill), n)).question(n)
    except NoQuestionError as wrong:
        raise ServiceError("invalid", str(wrong)) from None


def question_json(setup: DrillSetup, question: Question) -> dict[str, Any]:
    """The sheet of a question: ``given`` is the contract's, the rest is for people."""
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
        "bank": [[chip.colour, chip.value] for chip in setup.rack.chips],
        "felt": _question_felt_json(setup, question),
        "wagers": list(_wagers_json(setup, question)),
        "steps": [format_step(step) for step in question.given.get("shown", ())],
        "phrases": drill.list_phrases(setup, question) if drill.list_phrases else [],
    }


def stack_json(name: str, chips: Chips, over: int = 0) -> dict[str, Any]:
    """A stack: its picture, its words, what it comes to, its piles from the bottom."""
    return {
        "name": name,
        "svg": draw_stack(chips),
        "words": str(chips),
        "amount": show_dollars(chips.amount + over),
        "coin": show_dollars(over) if over else "",
        "piles": [[chip.colour, count] for chip, count in chips.piles],
    }


def _question_felt_json(setup: DrillSetup, question: Question) -> dict[str, Any] | None:
    """The felt that a question is about; None where it is about none."""
    given = question.given
    if "record" in given:
        table = deal_record(read_record(given["record"]), setup.house).table
        if "ask" in given and not any(seat.wagers for seat in table.seats):
            return None  # a lesson's own question: nothing lies there that it could be about
        dice = tuple(given["dice"]) if "dice" in given else None
        return felt_json(table, find_layout_contents(table, dice, at_rest=dice is not None))
    if "felt" in given:
        table = make_table(setup, None)
        return felt_json(
            table, _place_marked_stacks(find_layout_contents(table), given["felt"], given["marked"])
        )
    return None


def felt_json(table: Table, lie: LayoutContents) -> dict[str, Any]:
    """A felt with what lies on it, and what parts of it may be looked at."""
    plan = plan_felt(table.layout, count_places(table))
    views = {name: [box.left, box.top, box.width, box.height] for name, box in plan.views.items()}
    return {
        "svg": draw_table(table, plan, lie),
        "views": views,
        "lies": describe_layout_contents(lie),
    }


def describe_layout_contents(lie: LayoutContents) -> list[str]:
    """What lies on a felt, for whoever does not see it."""
    words = [f"puck on {puck.number}" for puck in lie.pucks[:1] if puck.on] or ["puck off"]
    for stack in lie.stacks:
        chips = ", ".join(f"{pile.count} {pile.colour}" for pile in stack.chips)
        whose = f"{stack.player}: " if stack.player else ""
        words.append(
            escape_unprintable(f"{whose}{stack.name}, {chips}{'' if stack.working else ', off'}")
        )
    return words


def _place_marked_stacks(
    bare: LayoutContents, felt: Mapping[str, Any], marked: int
) -> LayoutContents:
    """Stacks that nobody's name is on, one of them pointed at, and who stands where."""
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


def _wagers_json(setup: DrillSetup, question: Question) -> Iterator[dict[str, Any]]:
    """Yield the bets that can be touched, if the answer is a list of steps."""
    fields = load_drill(question.drill).list_fields(setup, question)
    asks_steps = any(field.kind == "steps" for field in fields)
    work = find_question_work(setup, question) if asks_steps else None
    for lying in list_open_bets(setup, work) if work is not None else ():
        chips = ", ".join(f"{count} {colour}" for colour, count in lying.chips.items())
        yield {
            "number": lying.number,
            "player": lying.player,
            "place": lying.place,
            "wager": lying.wager,
            "name": layout_name(lying.wager),
            "chips": chips,
        }
