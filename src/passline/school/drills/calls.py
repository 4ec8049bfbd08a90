"""The drill ``calls``: given a table and a throw, say what the stick calls.

A call that the rulebook prints for the throw is right, and so is any other that states the same
facts. A call that states a false fact is wrong. A bet is *up* if it is on the table.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from passline.crew.facts import RollFacts, find_place, find_roll_facts
from passline.crew.learner_steps import CrewWork
from passline.crew.stick import (
    CallPiece,
    CallStyle,
    find_style,
    list_call_pieces,
    list_nicknames,
    list_style_names,
    load_style,
    make_stick_call,
)
from passline.game.dice.dice import OUTCOMES, outcome_index
from passline.game.law.clauses import clauses_by_id
from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.dice_custody import is_automated
from passline.game.table.events import Rolled
from passline.game.table.state import Table
from passline.game.words.school import describe_fact, say_school
from passline.record.deal import deal_record
from passline.record.read import read_record
from passline.school.answer_fields import (
    AnswerField,
    AnswerFields,
    UnreadableAnswerError,
    quote_value,
    read_cents,
    read_list,
    read_words,
)
from passline.school.drill import AuditionPart, Drill
from passline.school.drills.groups import parse_figures
from passline.school.parse_call import (
    AMOUNT_FACT,
    BET_FACT,
    FIELD_FACT,
    PRICE_FACT,
    TOTAL_FACT,
    CallReader,
)
from passline.school.practice_tables import (
    PracticeTable,
    TableThrow,
    find_busy_throw,
    make_busy_table,
)
from passline.school.question_types import DrillSetup, Grade, NoQuestionError, Question
from passline.school.question_work import replay_throw
from passline.school.seeded_random import SeededRandom
from passline.talk.normalize import NUMBER_WORDS

#: An amount of money in a call: "$45", "45 dollars", "forty-five dollars".
_NUMBER_WORD = "|".join(sorted(NUMBER_WORDS))
_MONEY = re.compile(
    rf"\$ ?\d+(?:,\d{{3}})*(?:\.\d\d)?|\b(?:\d+ |(?:(?:{_NUMBER_WORD})[ -])++)(?:dollars?|bucks)\b",
    re.IGNORECASE,
)
#: Facts of the roll itself that a printed call states whoever has bets.
_ROLL_FACTS = ("winner", "point.marked", "point.was")
_CUSTOM_PREFIX = "custom: "


class StickCall:
    """The facts of a throw that the stick must call, and those that it may call.

    A fact is a key such as ``total:6``, ``hard`` or ``point.marked``.
    """

    def __init__(self, table: Table, rolled: Rolled) -> None:
        self._table, self._rolled = table, rolled
        self.roll_facts: RollFacts = find_roll_facts(table, rolled)
        self.pieces = list_call_pieces(table, rolled)
        book = table.house.book.id
        styles = [load_style(name) for name in list_style_names()]
        own = [style for style in styles if style.book == book]
        self.styles: list[CallStyle] = own or [find_style(book)]
        self._reader = CallReader(table.layout, self._list_nicknames())
        self.usual_facts = self._list_usual_facts()

    def _list_usual_facts(self) -> list[str]:
        """Return the usual call's facts: the total; hard, easy or out; what happens to bets."""
        found = [f"{TOTAL_FACT}:{self.roll_facts.total}"]
        found += [mark for mark in ("hard", "easy", "out") if mark in self.roll_facts.marks]
        for piece in self.pieces:
            silent = ("number", "way", "nickname")
            found += [key for key in piece.key.split("+") if key not in silent]
        return list(dict.fromkeys(found))

    def _list_nicknames(self) -> dict[str, str]:
        """Return {nickname: fact} for all nicknames; the fact is a total, such as ``total:11``.

        A nickname that fits this throw gets the throw's total; any other gets a total that it is
        for. The nicknames of all call styles may be said, under any rulebook. The two faces are a
        name too: "6 5, yo eleven".
        """
        total, faces = self.roll_facts.total, (self.roll_facts.first, self.roll_facts.second)
        found = {f"{a} {b}": f"{TOTAL_FACT}:{total}" for a, b in (faces, faces[::-1])}
        for style in (*map(load_style, list_style_names()), *self.styles):
            known = clauses_by_id(style.book)
            for name in list_nicknames(style):
                printed = {parse_figures(known[c].figures).get("roll") for c in name.clauses}
                fits = total in name.totals or str(total) in printed
                found[name.words] = f"{TOTAL_FACT}:{total if fits else name.totals[0]}"
        return found

    def list_required_facts(self) -> list[list[str]]:
        """Return lists of facts. A call is complete if it states all the facts of one list.

        There is a list for each call that the rulebook prints for the throw, without facts about
        bets that are not up. If it prints none, the list is the usual call's without facts that are
        mere custom.
        """
        printed = list(self._list_printed_facts())
        clauses = [
            key for p in self.pieces if not p.cite.startswith(_CUSTOM_PREFIX)
            for key in p.key.split("+") if key not in ("number", "way", "nickname")
        ]  # fmt: skip
        return [self._complete(facts) for facts in printed or [tuple(clauses)]]

    def list_implied_facts(self, heard: Collection[str]) -> list[str]:
        """Return the facts that follow from those ``heard`` in a call: ["winner"], or [].

        A call of a natural (7 or 11 on the come-out) also calls a winner. So does a call that pays
        the line, unless the rulebook prints words for this throw.
        """
        printed = next(self._list_printed_facts(), None)
        wins = "natural" in heard or (printed is None and "line.win" in heard)
        return ["winner"] if wins else []

    def _list_printed_facts(self) -> Iterator[tuple[str, ...]]:
        for style in self.styles:
            known = clauses_by_id(style.book)
            for clause in style.order[self.roll_facts.occasion].clauses:
                if clause in style.printed and self.is_about(parse_figures(known[clause].figures)):
                    yield style.printed[clause]

    def _complete(self, facts: Sequence[str]) -> list[str]:
        """Return the ``facts`` about bets that are up, plus the total and hard, easy or out."""
        found = [f"{TOTAL_FACT}:{self.roll_facts.total}"]
        found += ["out"] if "out" in self.roll_facts.marks else []
        found += [fact for fact in facts if fact in _ROLL_FACTS or self.is_up(fact)]
        hardway = any(self.is_up(f"hardways.{result}") for result in ("win", "lose"))
        if hardway:  # The way decides a bet.
            found += [mark for mark in ("hard", "easy") if mark in self.roll_facts.marks]
        return [*found, *self.list_field_facts()] if "field.win" in found else found

    def list_field_facts(self) -> list[str]:
        """Return the fact of the multiple that the field pays; [] for even money or no win."""
        field = self.roll_facts.find_effect("field.win")
        times = _MULTIPLE_BY_ODDS.get(field.odds) if field is not None else None
        return [f"{FIELD_FACT}:{times}"] if times else []

    def is_up(self, fact: str) -> bool:
        """Return whether the bet that a fact such as ``field.win`` is about is up."""
        effect = self.roll_facts.find_effect(fact)
        return effect is not None and effect.is_up

    def is_about(self, figures: Mapping[str, str]) -> bool:
        """Return whether a clause's figures fit this throw: the total, and any way (hard, easy)."""
        ways = figures.get("way", "").split(",")
        fits = ways == [""] or bool(set(ways) & set(self.roll_facts.marks))
        total = figures.get("roll") == str(self.roll_facts.total)
        return total and fits and self.fits_phase(figures)

    def fits_phase(self, figures: Mapping[str, str]) -> bool:
        """Return whether this throw is of the phase (come-out or not) in a clause's figures."""
        if figures.get("phase") not in ("come-out", "point", "decision"):
            return True
        return (figures["phase"] == "come-out") is (not self.roll_facts.point)

    def list_piece_clauses(self, piece: CallPiece) -> list[str]:
        """Return the ids of the clauses that justify one piece of the stick's call.

        If the piece cites a clause about another phase of the game, they are those that decide its
        bets.
        """
        known = clauses_by_id(self._table.house.book.id)
        if piece.cite not in known or self.fits_phase(parse_figures(known[piece.cite].figures)):
            return [piece.cite]
        effects = [self.roll_facts.find_effect(key) for key in piece.key.split("+")]
        up = {wager for effect in effects if effect is not None for wager in effect.wagers}
        return [done.cite for done in self._rolled.settlements if done.wager in up]

    def find_facts(self, text: str) -> list[str]:
        """Return the facts, true or false, that a call states, in the order of its words.

        Players' names are ignored. An amount of money that is not what the named bets are paid
        gives a false fact.
        """
        wrong: list[str] = []
        for sentence in re.split(r"(?<!\d)[,.;!]|[,.;!](?!\d)", text):
            amounts = [found[0] for found in _MONEY.finditer(sentence)]
            paid = self._list_paid(sentence) if amounts else set[int]()
            wrong += [
                f"{AMOUNT_FACT}:{said}" for said in amounts if read_cents(said, "call") not in paid
            ]
        heard = self._reader.read(self._leave_out_players(_MONEY.sub(" ", text)))
        return [*(self._read_point(each.fact) for each in heard), *wrong]

    def _leave_out_players(self, text: str) -> str:
        for seat in self._table.seats:
            name = re.escape(seat.id)
            named = rf"\b{name}['\u2019]s\b|\b(?:for|to) {name}\b|(?<=\bpay ){name}\b"
            text = re.sub(named, " ", text, flags=re.IGNORECASE)
        return text

    def _list_paid(self, sentence: str) -> set[int]:
        """Return the cents that the bets named in a sentence are paid: each alone, and their sum.

        If no bet is named, all count. If the sentence names a player, only that player's bets
        count.
        """
        bare = self._leave_out_players(_MONEY.sub(" ", sentence))
        named = [each.fact for each in self._reader.read(bare) if each.fact.endswith(".win")]
        players = {
            seat.id for seat in self._table.seats
            if re.search(rf"\b{re.escape(seat.id)}\b", sentence, re.IGNORECASE)
        }  # fmt: skip
        paid = [
            done.paid for done in self._rolled.settlements
            if done.result == "win"
            and (not players or done.player in players)
            and (not named or self._is_named(done.wager, named))
        ]  # fmt: skip
        return {*paid, sum(paid)}

    def _is_named(self, wager: str, facts: Collection[str]) -> bool:
        """Return whether facts such as ``line.win`` or ``bet:hard-8.win`` are about a wager."""
        spot = self._table.layout.spots.get(wager)
        areas = {f"{BET_FACT}:{wager}.win"}
        if spot is not None:
            areas |= {f"{find_place(self._table.layout, spot)}.win"}
            areas |= {"odds.win"} if spot.is_odds else set()
        return not areas.isdisjoint(facts)

    def _read_point(self, fact: str) -> str:
        """Check the number in ``point.was:6`` or ``point.is:6``. Return the fact that it states.

        The fact is ``point.was`` or ``point.marked``, a false fact for a wrong number, or "" for
        nothing new. "Hardways lose" is about all of them. Return other facts unchanged.
        """
        if fact == "hardways.lose":
            return _ALL_HARDWAYS_LOSE
        told, _, number = fact.partition(":")
        point = {"point.was": self.roll_facts.point, "point.is": self.roll_facts.puck}.get(told)
        if point is None or not number:
            return "" if told in ("point.was", "point.is") else fact
        if number != str(point):
            return fact
        if told == "point.was":
            return told
        return "point.marked" if self.roll_facts.phase == "established" else ""

    def is_true(self, fact: str) -> bool:
        """Return whether a fact is true of this throw, even for bets that nobody has up."""
        facts, (kind, _, value) = self.roll_facts, fact.partition(":")
        field = facts.find_effect("field.win")
        if not fact or fact in facts.marks or facts.find_effect(fact) is not None:
            return True
        if kind == TOTAL_FACT:
            return value == str(facts.total)
        if kind == FIELD_FACT and field is not None:
            return value == _MULTIPLE_BY_ODDS.get(field.odds, "1")
        if kind == BET_FACT:
            return self._decides(*value.rsplit(".", 1))
        if kind == PRICE_FACT:
            return self._pays(*value.split("="))
        if fact == _ALL_HARDWAYS_LOSE:
            return self._all_hardways_lose()
        if fact == "natural":
            return "winner" in facts.marks and not facts.point
        if fact == "point.marked":
            return facts.phase == "established"
        if fact == "point.was":
            return facts.occasion == "seven-out"
        area, _, result = fact.partition(".")
        if area == "odds":
            return self._decides_odds(result)
        if not facts.point and area in _TRAVELED:  # On a come-out roll they can only be on numbers.
            return self.is_up(f"{_TRAVELED[area]}.{result}")
        spots = self._table.layout.spots.values()
        same = [spot.slug for spot in spots if find_place(self._table.layout, spot) == area]
        return area in ("numbers", "hardways") and any(self._decides(s, result) for s in same)

    def _all_hardways_lose(self) -> bool:
        """Return whether all hardways that are up lose, or all that there are if none is up."""
        layout = self._table.layout
        every = [s.slug for s in layout.spots.values() if find_place(layout, s) == "hardways"]
        up = {wager for seat in self._table.seats for wager in seat.wagers}
        return all(self._decides(s, "lose") for s in [s for s in every if s in up] or every)

    def _decides_odds(self, result: str) -> bool:
        """Return whether odds have this result, or would if there were any behind the line."""
        spots = self._table.layout.spots
        odds = [done for done in self._rolled.settlements if done.wager in spots]
        if any(spots[done.wager].flat and done.result == result for done in odds):
            return True
        line = self.roll_facts.find_effect(f"line.{result}")
        return bool(self.roll_facts.point) and line is not None

    def _pays(self, bet: str, price: str) -> bool:
        """Return whether a bet pays a price such as ``9 to 1`` on this throw.

        ``bet`` is an area or ``bet:slug``. A combined bet may be called by its winning part.
        """
        layout, (win, stake) = self._table.layout, map(int, price.split(" to "))
        slug = bet.removeprefix(f"{BET_FACT}:")
        if slug != bet:
            spots = [layout.spots[each] for each in (slug, *layout.spots[slug].legs)]
        else:
            spots = [spot for spot in layout.spots.values() if self._is_in_area(spot, bet)]
            paid = {done.wager for done in self._rolled.settlements if done.result == "win"}
            spots = [spot for spot in spots if spot.slug in paid] or spots
        index = outcome_index(self.roll_facts.first, self.roll_facts.second)
        verdicts = (spot.tables[self._table.point][index] for spot in spots)
        return any(
            each is not None and each.result == "win" and each.win * stake == each.per * win
            for each in verdicts
        )

    def _is_in_area(self, spot: Spot, area: str) -> bool:
        if area == "odds":
            return spot.is_odds
        return not spot.is_odds and find_place(self._table.layout, spot) == area

    def _decides(self, slug: str, result: str) -> bool:
        """Return whether the throw has this result for a wager.

        It has none for a wager that is up but off, nor for a combined bet if only others of its
        family are up: "horn high 12 wins" is false if somebody has a horn high 3.
        """
        mine = [done for done in self._rolled.settlements if done.wager == slug]
        if mine:
            return any(done.result == result for done in mine)
        up = {wager for seat in self._table.seats for wager in seat.wagers}
        spots = self._table.layout.spots
        if slug in up or slug not in spots:
            return False  # It is off, or there is no such bet.
        if spots[slug].legs and any(
            w in spots and spots[w].family == spots[slug].family for w in up
        ):
            return False
        index = outcome_index(self.roll_facts.first, self.roll_facts.second)
        verdict = self._table.layout.spots[slug].tables[self._table.point][index]
        return verdict is not None and verdict.result == result


#: The fact that is stated of hardways without a number.
_ALL_HARDWAYS_LOSE = "all-hardways.lose"
#: The areas of come and don't come bets after they have gone to their numbers.
_TRAVELED = {"come": "boxes", "dont-come": "behind"}
#: What the field pays, as the multiple that the stick calls. Even money needs no words.
_MULTIPLE_BY_ODDS = {"2 to 1": "2", "3 to 1": "3"}


_MIN_STEPS_BY_LEVEL = {1: 0, 2: 1, 3: 1, 4: 2, 5: 3}


def _make_question(setup: DrillSetup, random: SeededRandom) -> Question:
    practice = make_busy_table(setup, random)
    throw = find_busy_throw(practice, random, _MIN_STEPS_BY_LEVEL[setup.level], usual=True)
    return make_call_question(practice, *throw)


def make_call_question(practice: PracticeTable, faces: tuple[int, int], work: CrewWork) -> Question:
    """Return a question: what does the stick call on this throw at a practice table?

    ``work`` is what the crew does on the throw. Raise NoQuestionError if the game has no stick.
    """
    setup = practice.setup
    if is_automated(practice.table):
        raise NoQuestionError("calls.no-stick", game=setup.house.game)
    table, rolled = practice.preview_throw(*faces)
    called = StickCall(table, rolled)
    return Question(
        drill="calls",
        ask=say_school("calls.ask", dice=f"{faces[0]}-{faces[1]}"),
        given={"record": practice.record_text, "dice": list(faces)},
        answer={"call": make_stick_call(table, rolled), "facts": called.usual_facts},
        explain=tuple(f"{phrase.words} ({describe_fact(phrase.key)})" for phrase in called.pieces),
        cite=setup.cites(*_find_clauses(setup, called), work.steps[0].cite),
    )


def _find_clauses(setup: DrillSetup, called: StickCall) -> list[str]:
    """Return the ids of the clauses about this throw, then of those that fit any throw."""
    known = clauses_by_id(setup.house.book.id)
    orders = [style.order[called.roll_facts.occasion] for style in called.styles]
    listed = [clause for order in orders for clause in order.clauses]
    said = (clause for piece in called.pieces for clause in called.list_piece_clauses(piece))
    every = dict.fromkeys([*listed, *said])
    named = {cite: parse_figures(known[cite].figures) for cite in every if cite in known}
    own = [cite for cite, figures in named.items() if called.is_about(figures)]
    return [*own, *(cite for cite, figures in named.items() if "roll" not in figures)]


def _make_audition_questions(throw: TableThrow) -> Iterator[Question]:
    if throw.work.steps:
        yield make_call_question(throw.practice, throw.faces, throw.work)


def _list_phrases(setup: DrillSetup, question: Question) -> list[str]:
    """Return every phrase of the stick's calls at this table, over all possible throws."""
    table = deal_record(read_record(question.given["record"]), setup.house).table
    found: dict[str, None] = {}
    for faces in OUTCOMES:
        events = decide(table, cmd.Roll(*faces))
        for event in () if isinstance(events, Refusal) else events:
            if isinstance(event, Rolled):
                found |= dict.fromkeys(piece.words for piece in StickCall(table, event).pieces)
    return list(found)


def _parse_answer(_: DrillSetup, __: Question, text: str) -> Any:
    return {"call": text}


def _grade_fields(setup: DrillSetup, question: Question, fields: AnswerFields) -> Grade:
    words, listed = fields.get("call"), fields.get("facts")
    if words is None and listed is None:
        raise UnreadableAnswerError("calls.expected")
    called = StickCall(*replay_throw(setup, question))
    error = ""
    if words is not None:
        phrase = read_words(words, "call")
        if phrase != question.answer["call"]:
            error = _find_fact_error(called, called.find_facts(phrase), phrase)
    if not error and listed is not None:
        given = [read_words(fact, "facts") for fact in read_list(listed, "facts", 60)]
        # A list names the facts, not the words that tell what the field pays.
        given += [fact for fact in called.list_field_facts() if "field.win" in given]
        error = _find_fact_error(called, given, say_school("calls.list"))
    right = question.answer["call"]
    if error:
        return Grade(False, say_school("calls.wrong", error=error, call=right), question.cite)
    return Grade(True, say_school("calls.right", call=right))


def _find_fact_error(called: StickCall, heard: list[str], phrase: str) -> str:
    """Return what a call leaves out or states falsely, or "".

    ``heard`` lists the facts that the call states, in order; ``phrase`` is quoted in the message.
    No clause fixes the order of the words, except that the number comes first.
    """
    first = next((fact for fact in heard if fact.startswith(TOTAL_FACT)), "")
    if first and not called.is_true(first):
        given = first.partition(":")[2]
        return say_school("calls.total", total=called.roll_facts.total, given=given)
    value = quote_value(phrase)
    for fact in heard:
        if not called.is_true(fact):
            return say_school("calls.false", value=value, fact=describe_fact(fact))
    # A field bet that is called is called with what it pays, if that is not even money.
    times = called.list_field_facts() if "field.win" in heard and called.is_up("field.win") else []
    said = {*heard, *called.list_implied_facts(heard)}
    ways = [
        [fact for fact in dict.fromkeys((*way, *times)) if fact not in said]
        for way in called.list_required_facts()
    ]
    missing = min(ways, key=len)
    if missing:
        return say_school("calls.missing", value=value, facts=map(describe_fact, missing))
    marks = {*called.roll_facts.marks, first}
    if next((fact for fact in heard if fact), "") not in marks:
        return say_school("calls.order", value=value)
    return ""


DRILL = Drill(
    name="calls",
    teaching_order=110,
    seconds=20,
    make_question=_make_question,
    grade_fields=_grade_fields,
    parse_answer=_parse_answer,
    hint="calls.hint",
    fields=(AnswerField(name="call", kind="words"),),
    list_phrases=_list_phrases,
    score_part="procedure",
    audition=AuditionPart(place=4, count=5, make_questions=_make_audition_questions),
    never_repeats=True,
)
