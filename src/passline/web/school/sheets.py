"""A question as a page has it: what is given, drawn, and what is to be filled in. No answer stands
in it, nor anything that would tell one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from threading import Lock
from typing import Any, Final

import msgspec

from passline.dice import OUTCOMES
from passline.felt import Lie, draw_stack, draw_table, lie_of, plan_felt
from passline.felt.pieces import Plate, Stack
from passline.layout import Refusal
from passline.live.asks import HallError
from passline.money import show_dollars
from passline.money.chips import Chips
from passline.plain import plain
from passline.record import deal_record, read_record
from passline.school import (
    DRILLS,
    LEVELS,
    Desk,
    NotAskedError,
    Question,
    drill_named,
    first_of_set,
    questions_from,
)
from passline.school.answers import read_cents, read_stack
from passline.school.calling import StickCall
from passline.school.hearing import how_to_answer
from passline.school.lying import lying_wagers, step_words, work_of_question
from passline.school.scenes import table_with
from passline.table import Table, decide
from passline.table import commands as cmd
from passline.table.events import Rolled
from passline.table.opening import places_of
from passline.web.school.houses import SCHOOL, HouseSaid, check_house, desk_for
from passline.words.wagers import layout_name

#: What is answered, and how it is filled in; anything else of an answer may be left out.
_KINDS: Final = {
    "choice": "choice",
    "paid": "amount",
    "vig": "amount",
    "most": "amount",
    "thrown": "amount",
    "pressed": "amount",
    "handed": "amount",
    "key": "words",
    "repeat": "words",
    "say": "words",
    "call": "words",
    "chips": "chips",
    "wagers": "wagers",
    "steps": "steps",
    "wrong": "wrong",
    "why": "words",
}
_LABELS: Final = {
    "paid": "Paid",
    "vig": "Vigorish",
    "most": "The most odds",
    "thrown": "Thrown in",
    "pressed": "Pressed",
    "handed": "Handed over",
    "key": "The key",
    "repeat": "You say back",
    "say": "The player says",
    "call": "The call",
    "chips": "The payoff",
    "wagers": "On each number",
    "steps": "The work, in order",
    "wrong": "Which step is wrong?",
    "why": "Why",
    "choice": "Your answer",
}
#: Fields that need not be filled in.
_OPTIONAL: Final = frozenset({"key", "why"})
#: What a stack of the question is called.
_STACKS: Final = {"stake": "the bet", "flat": "the flat bet", "odds": "the odds"}
_MONEY: Final = re.compile(r"\d+\.\d\d")
_SEED: Final = re.compile(r"[ -~]{1,64}")
#: Questions of one seed that a server poses.
MOST_QUESTIONS: Final = 10_000


class DrillAsked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What poses a question: the drill, the rulebook or the house, the level, the seed."""

    drill: str
    rulebook: str = SCHOOL
    house: str = ""
    level: int = 1
    seed: str = "1"

    @property
    def desk(self) -> Desk:
        """The house's felt at the level."""
        return desk_for(HouseSaid(self.rulebook, self.house), self.level)

    def told(self) -> dict[str, Any]:
        """What poses it again, as a page or a program says it back."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found if self.house else {k: v for k, v in found.items() if k != "house"}


def check_asking(asking: DrillAsked) -> DrillAsked:
    """The same, its rulebook the house's own. HallError 400 where there is no such drill, rulebook
    or level, or the books allow no such house."""
    if asking.drill not in DRILLS:
        raise HallError(400, f"there is no such drill: expected {', '.join(DRILLS)}")
    if asking.level not in LEVELS:
        raise HallError(400, f"level: expected {LEVELS[0]} to {LEVELS[-1]}")
    check_seed(asking.seed)
    said = check_house(asking.rulebook, asking.house)
    return msgspec.structs.replace(asking, rulebook=said.rulebook, house=said.house)


def check_seed(seed: str) -> str:
    """HallError 400 for what is no seed."""
    if not _SEED.fullmatch(seed):
        raise HallError(400, "seed: expected 1 to 64 letters, digits and signs")
    return seed


class _Paper:
    """The questions of a seed from one of its sets on, drawn as far as somebody asked."""

    def __init__(self, asking: DrillAsked, first: int) -> None:
        self._first, self._found, self._lock = first, list[Question](), Lock()
        drill = drill_named(asking.drill)
        self._drawn = questions_from(drill, asking.desk, asking.seed, first)

    def question(self, n: int) -> Question:
        with self._lock:
            self._found += islice(self._drawn, max(0, n - self._first + 1 - len(self._found)))
            if n - self._first >= len(self._found):  # it could not be drawn when it was asked for
                raise NotAskedError("there is no such question: ask with another seed")
            return self._found[n - self._first]


@lru_cache(128)
def _paper(asking: DrillAsked, first: int) -> _Paper:
    return _Paper(asking, first)


def pose(asking: DrillAsked, n: int) -> Question:
    """A question of a seed. HallError 400 where there is none."""
    if not 1 <= n <= MOST_QUESTIONS:
        raise HallError(400, f"n: expected 1 to {MOST_QUESTIONS}")
    try:
        return _paper(asking, first_of_set(drill_named(asking.drill), n)).question(n)
    except NotAskedError as wrong:
        raise HallError(400, str(wrong)) from None


def question_sheet(desk: Desk, question: Question) -> dict[str, Any]:
    """The sheet of a question: ``given`` is the contract's, the rest is for people."""
    return {
        "n": question.n,
        "drill": question.drill,
        "ask": plain(question.ask),
        "given": question.given,
        "hint": how_to_answer(desk, question),
        "fields": list(_fields(desk, question)),
        "stacks": list(_stacks(desk, question.given)),
        "bank": [[chip.colour, chip.value] for chip in desk.rack.chips],
        "felt": _felt(desk, question),
        "wagers": list(_wagers(desk, question)),
        "steps": [step_words(step) for step in question.given.get("shown", ())],
        "phrases": _phrases(desk, question) if "call" in question.answer else [],
    }


def _fields(desk: Desk, question: Question) -> Iterator[dict[str, Any]]:
    booked = "repeat" in question.answer
    for name in question.answer:
        kind = _KINDS.get(name)
        if kind is None or (booked and name == "wagers"):
            continue  # what is said back tells the bets already
        field: dict[str, Any] = {"name": name, "kind": kind, "label": _LABELS[name]}
        field["optional"] = name in _OPTIONAL
        if kind == "wagers":
            slugs = [slug for slug in desk.layout.spots if slug.startswith("place-win-")]
            field["choices"] = [[slug, layout_name(slug)] for slug in slugs]
        yield field
        if name == "chips" and not desk.any_colours:
            field["hint"] = "as the manual pays them"


def _stacks(desk: Desk, given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every amount as chips: in its own where they are told, else as the rack makes it."""
    own = given.get("stacks") or ({"stake": given["chips"]} if "chips" in given else {})
    for name, value in _amounts(given):
        if name in own:
            yield stack_shown(name, read_stack(own[name], desk.rack))
        else:
            chips, over = desk.rack.divide(read_cents(value, name))
            yield stack_shown(name, chips, over)


def _amounts(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in given.items():
        if isinstance(value, str) and _MONEY.fullmatch(value):
            yield name, value
        elif name == "wagers" and isinstance(value, dict):
            yield from ((layout_name(slug), amount) for slug, amount in value.items())


def stack_shown(name: str, chips: Chips, over: int = 0) -> dict[str, Any]:
    """A stack: its picture, its words, what it comes to, its piles from the bottom."""
    return {
        "name": _STACKS.get(name, name),
        "svg": draw_stack(chips),
        "words": str(chips),
        "amount": show_dollars(chips.amount + over),
        "coin": show_dollars(over) if over else "",
        "piles": [[chip.colour, count] for chip, count in chips.piles],
    }


def _felt(desk: Desk, question: Question) -> dict[str, Any] | None:
    """The felt that a question is about; None where it is about none."""
    given = question.given
    if "record" in given:
        table = deal_record(read_record(given["record"]), desk.house).table
        if "ask" in given and not any(seat.wagers for seat in table.seats):
            return None  # a lesson's own question: nothing lies there that it could be about
        dice = tuple(given["dice"]) if "dice" in given else None
        return felt_shown(table, lie_of(table, dice, rest=dice is not None))
    if "felt" in given:
        table = table_with(desk, None)
        return felt_shown(table, _laid(lie_of(table), given["felt"], given["marked"]))
    return None


def felt_shown(table: Table, lie: Lie) -> dict[str, Any]:
    """A felt with what lies on it, and what parts of it may be looked at."""
    plan = plan_felt(table.layout, places_of(table))
    views = {name: [box.left, box.top, box.width, box.height] for name, box in plan.views.items()}
    return {"svg": draw_table(table, plan, lie), "views": views, "lies": lying_words(lie)}


def lying_words(lie: Lie) -> list[str]:
    """What lies on a felt, for whoever does not see it."""
    words = [f"puck on {puck.number}" for puck in lie.pucks[:1] if puck.on] or ["puck off"]
    for stack in lie.stacks:
        chips = ", ".join(f"{pile.count} {pile.colour}" for pile in stack.chips)
        whose = f"{stack.player}: " if stack.player else ""
        words.append(plain(f"{whose}{stack.name}, {chips}{'' if stack.working else ', off'}"))
    return words


def _laid(bare: Lie, felt: Mapping[str, Any], marked: int) -> Lie:
    """Stacks that nobody's name is on, one of them pointed at, and who stands where."""
    stacks = [msgspec.convert({**one, "player": ""}, Stack) for one in felt["stacks"]]
    stacks[marked] = msgspec.structs.replace(stacks[marked], name=f"marked: {stacks[marked].name}")
    plates = [
        Plate(
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


def _phrases(desk: Desk, question: Question) -> list[str]:
    """Words to choose a call from: all that the stick might say here, whatever is thrown."""
    table = deal_record(read_record(question.given["record"]), desk.house).table
    found: dict[str, None] = {}
    for faces in OUTCOMES:
        thrown = decide(table, cmd.Roll(*faces))
        rolled = () if isinstance(thrown, Refusal) else thrown
        for event in rolled:
            if isinstance(event, Rolled):
                found |= dict.fromkeys(said.words for said in StickCall(table, event).said)
    return list(found)


def _wagers(desk: Desk, question: Question) -> Iterator[dict[str, Any]]:
    """What can be touched, where an order of work is asked."""
    work = work_of_question(desk, question) if "steps" in question.answer else None
    for lying in lying_wagers(desk, work) if work is not None else ():
        chips = ", ".join(f"{count} {colour}" for colour, count in lying.chips.items())
        yield {
            "number": lying.number,
            "player": lying.player,
            "place": lying.place,
            "wager": lying.wager,
            "name": layout_name(lying.wager),
            "chips": chips,
        }
