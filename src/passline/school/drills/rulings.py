"""The drill ``rulings``: choose the right ruling on a throw, a player's request or a dispute.

The engine rules; the wrong choices are other possible rulings. Lessons add their own questions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from passline.game.dice.dice import OUTCOMES
from passline.game.law.citations import CitedEntry, CitedValue
from passline.game.law.clauses import clauses_by_id
from passline.game.law.no_roll_and_dice_grounds import iter_ground_names, no_roll_grounds
from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Refusal, Settlement, refuse
from passline.game.words.refusals import describe_refusal
from passline.game.words.school import NO_ROLL_SCENES, say_school
from passline.game.words.wagers import layout_name
from passline.record.deal import deal_line
from passline.record.read import RecordLine
from passline.school.answer_fields import AnswerFields, grade_choice, read_words
from passline.school.drill import Drill
from passline.school.drills.groups import parse_figures
from passline.school.drills.limits import fixes_laid_odds
from passline.school.lessons.lesson_files import (
    LessonQuestion,
    make_lesson_question,
    make_table_question,
    pick_lesson_question,
)
from passline.school.practice_tables import PracticeTable, make_busy_table
from passline.school.question_types import DrillSetup, Grade, NoQuestionError, Question
from passline.school.seeded_random import SeededRandom
from passline.talk.canonical import format_amount
from passline.talk.errors import RecordError

_CHOICES_BY_LEVEL = {1: 3, 2: 4, 3: 4, 4: 4, 5: 5}
#: Refusals of one kind; none of them is offered as a wrong choice beside another.
_REFUSAL_FAMILIES = {
    "down": ("not-taken-down", "not-taken-down-with-number"),
    "raise": ("not-raised", "not-raised-with-number", "not-restored"),
    "reduce": ("not-reduced", "not-reduced-with-number"),
    "make": ("before-come-out", "with-point", "travels", "needs-flat"),
    "on": ("not-called-on",),
    "off": ("not-called-off",),
}
#: Refusals whose sentence needs only the wager, so that they can be wrong choices.
_REFUSALS_WITHOUT_FIGURES = (
    "not-taken-down", "not-raised", "not-reduced", "before-come-out", "with-point", "not-called-on",
)  # fmt: skip


def _make_question(setup: DrillSetup, random: SeededRandom) -> Question:
    own = pick_lesson_question(setup.house.book.id, random)
    if own is not None:
        return make_lesson_question(setup, own, random, _CHOICES_BY_LEVEL[setup.level])
    kinds = [_rule_on_throw]
    if setup.level >= 2:
        kinds += [_rule_on_request] * 2
    if setup.level >= 3:
        kinds.append(_rule_on_no_roll)
    practice = make_busy_table(setup, random)
    ruling = random.pick(kinds)(practice, random)
    wrong = tuple(words for words in dict.fromkeys(ruling.wrong) if words != ruling.right)
    if not wrong:
        raise NoQuestionError("rulings.no-choices")
    most = _CHOICES_BY_LEVEL[setup.level]
    return make_table_question(practice, replace(ruling, wrong=wrong), random, most)


def _rule_on_throw(practice: PracticeTable, random: SeededRandom) -> LessonQuestion:
    """Return a question: what does a throw do to one of the open bets?

    Raise NoQuestionError if no bet makes a question.
    """
    up = [(seat.id, slug) for seat in practice.table.seats for slug in seat.wagers]
    if not up:
        raise NoQuestionError("rulings.no-bets")
    player, slug = random.pick(up)
    faces = _pick_throw(practice, slug, random)
    _, rolled = practice.preview_throw(*faces)
    mine = [s for s in rolled.settlements if (s.player, s.wager) == (player, slug)]
    spot = practice.setup.layout.spots[slug]
    done = mine[-1] if mine else None
    if done is None:
        cites = _find_undecided_clauses(practice, spot)
    else:
        cites = [
            *(_find_winning_clauses(practice, spot) if done.result == "win" else ()),
            done.cite,
        ]
    amount = practice.table.seat(player).wagers[slug].amount
    figures = {"dice": f"{faces[0]}-{faces[1]}", "player": player, "wager": slug}
    return LessonQuestion(
        ask=say_school("rulings.ask-throw", amount=amount, **figures),
        right=_describe_outcome(done, amount),
        wrong=tuple(_list_wrong_outcomes(done, amount, practice.setup.house.chip)),
        clauses=tuple(cites),
    )


def _pick_throw(practice: PracticeTable, slug: str, random: SeededRandom) -> tuple[int, int]:
    """Return a random throw's faces; two times in three, it decides the wager ``slug``."""
    spot, puck = practice.setup.layout.spots[slug], practice.table.point
    telling = [pair for n, pair in enumerate(OUTCOMES) if spot.tables[puck][n] is not None]
    return random.pick(telling if telling and not random.one_in(3) else OUTCOMES)


def _find_undecided_clauses(practice: PracticeTable, spot: Spot) -> list[str]:
    """Return the ids of the clauses that explain why a throw does not decide a wager.

    The first ones say that the wager is off on a come-out roll, if the throw is one. The others say
    which throws decide it.
    """
    rule, point = spot.rule.come_out, practice.table.point
    off = rule.clauses if rule is not None and not point else ()
    if deciding := spot.rule.deciding_clauses:
        return [*off, *deciding]
    return [*off, *(verdict.cite for verdict in spot.tables[point] if verdict is not None)]


def _describe_outcome(done: Settlement | None, amount: int) -> str:
    if done is None:
        return say_school("rulings.stays")
    if done.result == "lose" and done.back:
        return say_school("rulings.part-back", back=done.back)
    code = _OUTCOME_CODES[done.result]
    return say_school(code, paid=done.paid, wager=done.to, amount=amount)


_OUTCOME_CODES = {
    "win": "rulings.wins",
    "lose": "rulings.loses",
    "push": "rulings.push",
    "travel": "rulings.travels",
    "return": "rulings.off",
}


def _find_winning_clauses(practice: PracticeTable, spot: Spot) -> tuple[str, ...]:
    """Return (clause id,) of the clause on why a wager wins, or () if there is none.

    A settlement does not have it: it cites the clause of the price.
    """
    decided = spot.number or (spot.rule.is_line and practice.table.point)
    wins = getattr(spot.rule, "wins" if decided else "first_win", None)
    return wins.clauses[:1] if isinstance(wins, CitedValue) else ()


def _list_wrong_outcomes(done: Settlement | None, amount: int, chip: int) -> Iterator[str]:
    for code in ("rulings.stays", "rulings.loses", "rulings.push", "rulings.off"):
        yield say_school(code, amount=amount)
    for paid in (amount, amount * 2, amount * 3 // 2 // chip * chip):
        if done is None or done.result != "win" or paid != done.paid:
            yield say_school("rulings.wins", paid=paid)


def _rule_on_request(practice: PracticeTable, random: SeededRandom) -> LessonQuestion:
    """Return a question: is a player's request accepted or refused, and why?

    Raise NoQuestionError if no request fits.
    """
    asked = random.shuffled(list(_list_requests(practice, random)))
    refused, allowed = random.one_in(3) is False, say_school("rulings.allowed")
    for player, say, spot in asked:
        answer = _try_line(practice, f"{player}: {say}", player, say)
        if answer is None or (isinstance(answer, Refusal) != refused):
            continue
        if not _decides_request(practice.setup, spot, say, answer):
            continue
        if isinstance(answer, Refusal):
            right, cites = _say_refused(answer), [answer.cite]
        else:
            right, cites = allowed, list(_find_permitting_clauses(spot, say))
        code = answer.code if isinstance(answer, Refusal) else ""
        spoken = say.replace(spot.slug, layout_name(spot.slug), 1)
        return LessonQuestion(
            ask=say_school("rulings.ask-request", player=player, say=spoken),
            right=right,
            wrong=(
                allowed,
                say_school("rulings.later"),
                say_school("rulings.half"),
                *_list_false_refusals(spot, code, random),
            ),
            clauses=tuple(cites),
        )
    raise NoQuestionError("rulings.no-request")


def _decides_request(setup: DrillSetup, spot: Spot, say: str, answer: Refusal | bool) -> bool:
    """Return whether a clause of the rulebook decides a request, such as ``place-win-6 down``.

    It does not where the house follows a custom beside the clause that would be cited.
    """
    rule, book = spot.rule, setup.house.book
    if isinstance(answer, Refusal) and answer.code == "over-multiple":
        return not rule.is_laid(book) or fixes_laid_odds(book)
    for word, own in ((" on", rule.call_on), (" off", rule.call_off)):
        if say.endswith(word):
            return bool(own.clauses) if own is not None else rule.come_out is None
    if isinstance(answer, Refusal):
        return True
    known = clauses_by_id(book.id)
    clauses = [known[each] for each in _find_permitting_clauses(spot, say) if each in known]
    return not any(_forbids_always(parse_figures(clause.figures)) for clause in clauses)


def _forbids_always(figures: Mapping[str, str]) -> bool:
    """Return whether a clause forbids raising or removing a wager at any time.

    ``figures`` are the clause's; those with a phase or a beginning forbid it only then.
    """
    barred = "no" in (figures.get("increase"), figures.get("remove"))
    return barred and not {"phase", "after", "from"} & figures.keys()


def _list_requests(
    practice: PracticeTable, random: SeededRandom
) -> Iterator[tuple[str, str, Spot]]:
    """Yield (player, words, wager) of requests: to change an open bet, or to make a new one."""
    spots = practice.setup.layout.spots
    for seat in practice.table.seats:
        for slug, stake in seat.wagers.items():
            yield seat.id, f"{slug} down", spots[slug]
            yield seat.id, f"{slug} to {format_amount(stake.amount * 2)}", spots[slug]
            # Only what changes something is asked for: a bet that is off is called on.
            off = not practice.table.point and not spots[slug].works
            yield seat.id, f"{slug} {'on' if off else 'off'}", spots[slug]
    player = random.pick([seat.id for seat in practice.table.seats])
    open_ = [s for s in spots.values() if not s.tiers and not s.only_travels]
    for spot in random.sample(open_, 8):
        amount = format_amount(spot.minimum or practice.setup.house.chip)
        yield player, f"{spot.slug} for {amount}", spot


def _say_refused(refusal: Refusal) -> str:
    return say_school("rulings.refused", why=describe_refusal(refusal))


def _try_line(practice: PracticeTable, text: str, player: str, say: str) -> Refusal | bool | None:
    """Try a record line. Return True if accepted, the engine's refusal, or None if not understood.

    ``text`` is the whole line. If a player speaks, ``say`` is the player's words.
    """
    line = RecordLine(number=0, text=text, player=player, says=(say,) if player else ())
    try:
        for entry, _ in deal_line(practice.table, line, {}):
            if entry.refusal is not None:
                return entry.refusal
    except (RecordError, ValueError):
        return None
    return True


def _find_permitting_clauses(spot: Spot, say: str) -> Iterator[str]:
    """Yield the ids of the clauses that allow the request ``say``, such as ``place-win-6 down``."""
    word = say.split()[1] if " " in say else ""
    rules: dict[str, CitedEntry | None] = {
        "down": spot.removes,
        "to": spot.raises,
        "for": spot.rule.made,
        "on": spot.rule.call_on,
        "off": spot.rule.call_off,
    }
    rule = rules.get(word) or spot.rule.come_out
    if rule is not None:
        yield from rule.clauses


def _list_false_refusals(spot: Spot, code: str, random: SeededRandom) -> Iterator[str]:
    """Yield, as wrong choices, refusals of the wager for other reasons than ``code``."""
    mine = next((codes for codes in _REFUSAL_FAMILIES.values() if code in codes), ())
    for other in random.shuffled(_REFUSALS_WITHOUT_FIGURES):
        if other not in mine:
            yield _say_refused(refuse(other, "", wager=spot.slug))


#: Grounds for a no roll that are much alike. If a book lists one of them, the others are not asked:
#: whether they are grounds too is left to judgment.
_GROUND_FAMILIES = (
    frozenset(("missed-end", "misses-wall", "short-roll")),
    frozenset(("stacked", "leaning", "leaning-two-sides")),
    frozenset(("no-tumble", "not-forward", "improper", "wrong-way")),
    frozenset(("hit-player", "interference", "touched-chips", "touched-coupons", "cheating")),
    frozenset(("off-table", "on-rail", "in-cup", "irretrievable", "outside-surface")),
)
#: Grounds that are no plain fact of the throw, asked only of a book that lists them.
_JUDGED_GROUNDS = frozenset(("cheating", "improper"))
#: The callers whose call the box or a supervisor may overrule.
_CALLERS_BELOW_BOX = ("stickperson", "dealer")


def _rule_on_no_roll(practice: PracticeTable, random: SeededRandom) -> LessonQuestion:
    """Return a question: may this caller call no roll for this reason?

    Raise NoQuestionError if the rulebook has no such reasons.
    """
    setup = practice.setup
    book = setup.house.book
    grounds = no_roll_grounds(book)
    names = {ground.name for ground in grounds}
    own = [ground.name for ground in grounds if ground.name in NO_ROLL_SCENES]
    alike = {name for family in _GROUND_FAMILIES if family & names for name in family}
    others = {*iter_ground_names(no_roll_grounds)} & {*NO_ROLL_SCENES}
    strange = sorted(others - alike - _JUDGED_GROUNDS - names)
    if not own and not strange:
        raise NoQuestionError("rulings.ground-refused")
    ground = random.pick(own) if own and not random.one_in(4) else random.pick(strange or own)
    callers = book.throw.callers.get(setup.house.game)
    who = random.pick(callers.value if callers else ("stickperson", "boxperson"))
    answer = _try_line(practice, f"no roll {ground} by {who}", "", "")
    if answer is None:
        raise NoQuestionError("rulings.ground-refused")
    stands, falls = say_school("rulings.no-roll"), say_school("rulings.no-ground")
    listed = [one.cite for one in grounds if one.name == ground]
    if isinstance(answer, Refusal) and who not in _CALLERS_BELOW_BOX:
        raise NoQuestionError("rulings.ground-refused")  # Dealers don't overrule the box.
    if isinstance(answer, Refusal):
        # The engine's sentence would name the ground by its code, and list all grounds.
        theirs = answer.code in ("barred-ground", "no-ground")
        right = falls if theirs else say_school("rulings.no-call", why=describe_refusal(answer))
        cites = [answer.cite, *listed]
    else:
        right, cites = stands, [*listed, book.throw.listed_by]
    wrong = (
        falls if right == stands else stands,
        say_school("rulings.dice-pass"),
        say_school("rulings.shooter-asks"),
        say_school("rulings.losers-count"),
    )
    ask = say_school("rulings.ask-no-roll", caller=who, happened=NO_ROLL_SCENES[ground])
    return LessonQuestion(ask=ask, right=right, wrong=wrong, clauses=tuple(cites))


def _grade_fields(setup: DrillSetup, question: Question, fields: AnswerFields) -> Grade:
    grade, clause = grade_choice(setup, question, fields), fields.get("cite")
    if not grade.right or clause is None:
        return grade
    named, cites = read_words(clause, "clause"), question.cite
    if named in cites or f"{setup.house.book.id}:{named}" in cites:
        return grade
    return Grade(False, say_school("rulings.other-clause", clauses=cites), cites)


DRILL = Drill(
    name="rulings",
    teaching_order=140,
    seconds=20,
    make_question=_make_question,
    grade_fields=_grade_fields,
    ignored_when_compared=("choices", "record"),
)
