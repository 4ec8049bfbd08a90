"""The drill ``press``: a winning place bet is pressed; what is paid, pressed and handed over?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from passline.crew.motions import (
    APRON,
    BANK,
    BOX,
    PLAYER,
    Hand,
    MissingChipsError,
    Motion,
    apply_motions,
)
from passline.crew.press import Press, compute_press, list_manual_moves
from passline.game.layout.stakes import Refusal
from passline.game.layout.wager_checks import find_bounds
from passline.game.money.amounts import to_dollars
from passline.game.money.chips import NO_CHIPS
from passline.game.words.school import say_school
from passline.school.answer_fields import (
    PAID_FIELD,
    AnswerField,
    AnswerFields,
    UnreadableAnswerError,
    count_by_color,
    find_amount_error,
    make_amounts_parser,
    quote_value,
    read_cents,
    read_list,
    read_stack,
)
from passline.school.drill import AuditionPart, Drill
from passline.school.practice_tables import TableThrow
from passline.school.question_types import DrillSetup, NoQuestionError, Question
from passline.school.seeded_random import SeededRandom
from passline.school.winning_bets import iter_wins

_TWO_BETS_LEVEL, _LARGE_CHIPS_LEVEL = 3, 4


def _list_place_numbers(setup: DrillSetup) -> list[int]:
    """Return the numbers with a place bet; at level 1, only those that pay the lowest odds.

    Raise NoQuestionError if the house has no place bets.
    """
    spots = {s.number: s for s in setup.layout.spots.values() if s.slug == f"place-win-{s.number}"}
    if not spots:
        raise NoQuestionError("none.place", book=setup.house.book.title)
    if setup.level > 1:
        return list(spots)
    least = min(spot.odds.ratio for spot in spots.values())
    return [number for number, spot in spots.items() if spot.odds.ratio == least]


def _make_question(setup: DrillSetup, random: SeededRandom) -> Question:
    return make_press_question(
        setup, *(_pick_manual_press(setup, random) or _make_up_press(setup, random))
    )


def make_press_question(
    setup: DrillSetup, numbers: Sequence[int], before: int, after: int, thrown: int | None = None
) -> Question:
    """Return a question: the first of these numbers won; how does the dealer press their bets?

    Each bet goes from ``before`` to ``after``, and the player throws in ``thrown`` (all in cents).
    If that is None or too little, the player throws in what the win does not cover. Raise
    NoQuestionError if the limits or the chips of the house do not allow the press.
    """
    move = _work_out_press(setup, numbers, before, after, thrown)
    two = len(numbers) > 1
    given: dict[str, Any] = {"numbers": sorted(numbers), "rolled": numbers[0]} if two else {}
    if not two:
        given["number"] = numbers[0]
    given |= {"from": to_dollars(before), "to": to_dollars(after)}
    if thrown is not None:
        given["thrown"] = to_dollars(thrown)
    return Question(
        drill="press",
        ask=say_school("press.ask", number=numbers[0], two=two),
        given=given,
        answer={
            "paid": to_dollars(move.win),
            "thrown": to_dollars(move.thrown.amount),
            "pressed": to_dollars(move.press),
            "handed": to_dollars(move.to_player.amount),
            "moves": [
                {"hand": m.hand, "chips": count_by_color(m.chips), "from": m.source, "to": m.target}
                for m in move.motions
            ],
        },
        explain=tuple(_explain_press(move)),
        cite=setup.cites(
            *move.cites,
            *(cite for motion in move.motions for cite in motion.cites),
            *_find_price_clauses(setup, numbers[0]),
            about=numbers,
        ),
    )


def _find_price_clauses(setup: DrillSetup, number: int) -> Sequence[str]:
    spot = setup.layout.spots[f"place-win-{number}"]
    return sorted({verdict.cite for _, verdict in iter_wins(spot, number)})


def _explain_press(move: Press) -> Sequence[str]:
    thrown, handed = move.thrown.amount, move.to_player.amount
    total = say_school("press.sum", win=move.win, thrown=thrown, press=move.press, handed=handed)
    return [total, move.why, *(motion.words for motion in move.motions)]


_PressParameters = tuple[tuple[int, ...], int, int, int | None]


def _pick_manual_press(setup: DrillSetup, random: SeededRandom) -> _PressParameters | None:
    """Return a press from the manual's examples, or None: at random half the time, or if none fits.

    The tuple is (numbers, bet before, bet after, money thrown in or None), in cents. Presses of two
    bets come only from level 3.
    """
    if random.one_in(2):
        return None
    placed = _list_place_numbers(setup)
    moves = [
        move
        for move in list_manual_moves()
        if move.book == setup.house.book.id
        and len(set(move.before)) == 1
        and len(set(move.after)) == 1
        and (len(move.before) == 1 or setup.level >= _TWO_BETS_LEVEL)
        and {*move.numbers} & {*placed}
    ]
    if not moves:
        return None
    move = random.pick(moves)
    several = len(move.before) > 1
    numbers = random.shuffled(move.numbers) if several else [random.pick(move.numbers)]
    return tuple(numbers), move.before[0] * 100, move.after[0] * 100, move.thrown * 100 or None


def _make_up_press(setup: DrillSetup, random: SeededRandom) -> _PressParameters:
    """Return a random press: (numbers, bet before, bet after, None), in cents.

    The bet goes up by one or two units or doubles; from level 4, also to one or two chips of a
    larger color. From level 3, half of the presses are of two bets.
    """
    placed = _list_place_numbers(setup)
    numbers = [random.pick(placed)]
    if setup.level >= _TWO_BETS_LEVEL and random.one_in(2):
        prices = {n: setup.layout.spots[f"place-win-{n}"].odds.ratio for n in placed}
        same = [n for n in placed if prices[n] == prices[numbers[0]]]
        numbers = random.sample(same, 2)
    spot = setup.layout.spots[f"place-win-{numbers[0]}"]
    unit = spot.odds.stake * max(100, setup.house.chip)
    span = find_bounds(setup.layout, spot, 0, {})
    least = -(-span.least // unit) * unit
    most = max(1, min(4 if setup.level < 3 else 10, span.most // 2 // least))
    before = least * random.between(1, most)
    ways = [before + unit, before + 2 * unit, before * 2]
    if setup.level >= _LARGE_CHIPS_LEVEL:
        larger = (chip.value * count for chip in setup.rack.chips for count in (1, 2))
        ways += [to for to in larger if before < to <= before * 3 and to % unit == 0]
    return tuple(numbers), before, random.pick(ways), None


def _work_out_press(
    setup: DrillSetup, numbers: Sequence[int], before: int, after: int, thrown: int | None
) -> Press:
    """Return the press that the crew makes. All bets have the same amount, in cents.

    The player throws in ``thrown``, or what the win does not cover if that is too little. Raise
    NoQuestionError if the limits or the chips of the house do not allow the press.
    """
    bets: dict[int, Any] = dict.fromkeys(numbers, (before, after))
    move = compute_press(setup.layout, bets, thrown=thrown or 0)
    if isinstance(move, Refusal) and move.code == "throw-in-more":
        short = cast(int, move.figures["short"])
        move = compute_press(setup.layout, bets, thrown=short + -short % setup.house.chip)
    if isinstance(move, Refusal):
        raise NoQuestionError("press.limits")
    if setup.rack.divide(before)[1] or setup.rack.divide(move.win)[1] or after <= before:
        raise NoQuestionError("press.chips")
    return move


def _make_audition_questions(throw: TableThrow) -> Iterator[Question]:
    """Yield a question for each place bet that won: a press by one unit, by two, or to double."""
    for done in throw.list_wins():
        spot = throw.setup.layout.spots[done.wager]
        if spot.slug != f"place-win-{spot.number}":
            continue
        unit = spot.odds.stake * max(100, throw.setup.house.chip)
        to = done.stake + throw.random.pick((unit, 2 * unit, done.stake))
        try:
            question = make_press_question(throw.setup, (spot.number,), done.stake, to)
        except NoQuestionError:
            continue
        yield throw.add_player(question, done.player)


def _find_error(setup: DrillSetup, question: Question, fields: AnswerFields) -> str:
    if fields.get("paid") is None or fields.get("handed") is None:
        raise UnreadableAnswerError("press.expected")
    for name in ("paid", "thrown", "pressed", "handed"):
        value, right = fields.get(name), question.answer[name]
        if value is not None and (error := find_amount_error(value, right, name)):
            return error
    moves = fields.get("moves")
    return "" if moves is None else _find_moves_error(setup, question, moves)


def _find_moves_error(setup: DrillSetup, question: Question, value: object) -> str:
    """Return what is wrong with the chip moves of an answer, or "" if all chips end up right.

    ``value`` is a list of moves, or the name of a press method, which must suit this press.
    """
    given = question.given
    hit = given.get("rolled", given.get("number"))
    numbers = [hit, *(number for number in given.get("numbers", ()) if number != hit)]
    before, after = read_cents(given["from"], "from"), read_cents(given["to"], "to")
    thrown = read_cents(question.answer["thrown"], "thrown")
    move = _work_out_press(setup, numbers, before, after, thrown or None)
    if isinstance(value, str):
        ways = (move.way, *move.also)
        if value.strip().lower() in ways:
            return ""
        return say_school("press.other-way", value=quote_value(value), way=move.way)
    motions = [_read_motion(setup, each) for each in read_list(value, "moves", 60)]
    for motion in motions:
        if motion.source == BANK and motion.hand == "outside":
            return say_school("press.bank-hand")
        if motion.target == APRON and motion.hand == "inside":
            return say_school("press.delivery")
    try:
        end = apply_motions({str(n): setup.rack.divide(before)[0] for n in numbers}, motions)
    except MissingChipsError as error:
        return say_school("press.missing-chips", error=error)
    out = sum(m.amount for m in motions if m.source == BANK)
    taken = sum(m.amount for m in motions if m.source == PLAYER)
    lies = {place: chips.amount for place, chips in end.items()}
    want = {str(n): after for n in numbers}
    if handed := move.to_player.amount:
        want[APRON] = handed
    lies.pop(BOX, None)
    back = end.get(BOX, NO_CHIPS).amount
    if lies != want or out - back != move.win or taken != thrown:
        left = ", ".join(say_school("press.lies", amount=a, place=p) for p, a in lies.items())
        return say_school("press.left", left=left, out=out - back)
    return ""


def _read_motion(setup: DrillSetup, value: object) -> Motion:
    if not isinstance(value, dict) or "from" not in value or "to" not in value:
        raise UnreadableAnswerError("press.motion")
    hand = value.get("hand")
    if hand not in (None, "inside", "outside"):
        raise UnreadableAnswerError("press.hand", value=quote_value(hand))
    source, target = str(value["from"]), str(value["to"])
    chips = read_stack(value.get("chips"), setup.rack, "moves")
    side = cast(Hand, hand or ("outside" if target == APRON else "inside"))
    ends = {"source": quote_value(source), "target": quote_value(target)}
    words = say_school("press.moved", chips=chips, **ends)
    return Motion(hand=side, words=words, chips=chips, source=source, target=target)


DRILL = Drill(
    name="press",
    teaching_order=100,
    seconds=40,
    make_question=_make_question,
    grade_fields=_find_error,
    parse_answer=make_amounts_parser(
        paid="pa(?:id|ys?)", thrown="thr[eo]w", pressed="press", handed="hand"
    ),
    hint="press.hint",
    fields=(
        PAID_FIELD,
        *(AnswerField(name=name, kind="amount") for name in ("thrown", "pressed", "handed")),
    ),
    audition=AuditionPart(place=3, count=4, make_questions=_make_audition_questions),
)
