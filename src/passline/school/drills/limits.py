"""The drill ``limits``: the most odds allowed behind a flat bet, and what they pay."""

from __future__ import annotations

from passline.game.dice.dice import SEVEN, outcome_total
from passline.game.law.book import Book
from passline.game.law.duties import works_by_custom
from passline.game.layout.odds_limits import find_odds_cap, find_odds_price
from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Stake
from passline.game.layout.wager_checks import check_amount
from passline.game.money.amounts import to_dollars
from passline.game.words.school import say_school
from passline.school.answer_fields import (
    PAID_FIELD,
    AnswerField,
    AnswerFields,
    UnreadableAnswerError,
    find_amount_error,
    make_amounts_parser,
)
from passline.school.drill import Drill
from passline.school.explanations import explain_price
from passline.school.practice_tables import pick_flat_stake
from passline.school.question_types import DrillSetup, NoQuestionError, Question
from passline.school.seeded_random import SeededRandom
from passline.school.winning_bets import iter_wins, settle_win

#: The levels from which to ask laid odds and odds on come bets.
_DONTS_LEVEL, _COMES_LEVEL = 2, 3


def fixes_laid_odds(book: Book) -> bool:
    """Return whether a question may ask for the limit of laid odds.

    It may if a clause of the rulebook sets it, or if the rulebook's crew works by custom.
    """
    laid_by = book.odds.laid_by
    return bool(laid_by and laid_by.clauses) or works_by_custom(book.id)


def _list_odds_spots(setup: DrillSetup) -> list[Spot]:
    spots, book = setup.layout.spots, setup.house.book
    found = []
    for spot in spots.values():
        if not spot.is_odds:
            continue
        laid, come = spot.rule.is_laid(book), spots[spot.flat].rule.is_come
        if laid and not fixes_laid_odds(book):
            continue
        if (not laid or setup.level >= _DONTS_LEVEL) and (not come or setup.level >= _COMES_LEVEL):
            found.append(spot)
    if not found:
        raise NoQuestionError("limits.none", book=book.title)
    return found


def _make_question(setup: DrillSetup, random: SeededRandom) -> Question:
    spot = random.pick(_list_odds_spots(setup))
    number = spot.number or random.pick(tuple(setup.house.book.points.value))
    puck = number if not spot.number else random.pick(tuple(setup.house.book.points.value))
    flat = pick_flat_stake(setup, setup.layout.spots[spot.flat], random)
    wagers = {spot.flat: Stake(flat, flat)}
    most = find_odds_cap(setup.layout, spot, puck, wagers)
    refused = check_amount(setup.layout, spot, puck, wagers, most + setup.house.chip)
    if most <= 0 or check_amount(setup.layout, spot, puck, wagers, most) or refused is None:
        raise NoQuestionError("none.odds", flat=flat)
    done = settle_win(setup, spot, most, puck, _find_winning_throw(spot, puck, number))
    default = setup.house.book.odds.default if refused.code == "over-multiple" else None
    return Question(
        drill="limits",
        ask=say_school("limits.ask", wager=spot.flat),
        given={"wager": spot.slug, "flat": to_dollars(flat), "puck": puck},
        answer={"most": to_dollars(most), "paid": to_dollars(done.paid)},
        explain=(_explain_limit(setup, spot, puck, flat, most), *explain_price(spot, done)),
        cite=setup.cites(refused.cite, done.cite, *(default.clauses if default else ())),
    )


def _find_winning_throw(spot: Spot, puck: int, number: int) -> int:
    for index, _ in iter_wins(spot, puck):
        if outcome_total(index) in (number, SEVEN):
            return index
    raise NoQuestionError("limits.never-wins", wager=spot.slug)


def _explain_limit(setup: DrillSetup, spot: Spot, puck: int, flat: int, most: int) -> str:
    house, number = setup.house, spot.number or puck
    laid = spot.rule.is_laid(house.book)
    times = (house.laid_multiples if laid else house.taken_multiples)[number]
    by = house.laid_by if laid else house.book.odds.taken_by.value
    figures = {"number": number, "times": times, "flat": flat, "most": most}
    if by != "win":
        return say_school("limits.by-bet", **figures)
    price, win = find_odds_price(spot, puck), int(flat * times)
    return say_school("limits.by-win", price=price, win=win, **figures)


def _find_error(_: DrillSetup, question: Question, fields: AnswerFields) -> str:
    most, paid, right = fields.get("most"), fields.get("paid", fields.get("pays")), question.answer
    if most is None:
        raise UnreadableAnswerError("limits.expected")
    if error := find_amount_error(most, right["most"], "most-odds"):
        return error
    if paid is None:
        return say_school("limits.no-payoff", paid=right["paid"])
    return find_amount_error(paid, right["paid"], "paid")


DRILL = Drill(
    name="limits",
    teaching_order=80,
    seconds=25,
    make_question=_make_question,
    grade_fields=_find_error,
    parse_answer=make_amounts_parser(most="most", paid="pa(?:id|ys?)"),
    hint="limits.hint",
    fields=(AnswerField(name="most", kind="amount"), PAID_FIELD),
)
