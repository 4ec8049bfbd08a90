"""A place bet that won and goes up: ``press``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from passline.crew.hands import APRON, BANK, BOX, PLAYER, Hand, Motion, NotThereError, moved
from passline.crew.press import Press, press, shown_moves
from passline.layout import Refusal
from passline.layout.amounts import bounds
from passline.money import dollars, show_dollars
from passline.money.chips import NO_CHIPS
from passline.school.answers import counted, fields_of, quoted, read_cents, read_list, read_stack
from passline.school.drawing import Draws
from passline.school.grading import mark_amount
from passline.school.questions import (
    Desk,
    Drill,
    Mark,
    NotAskedError,
    Question,
    UnreadableAnswerError,
)

_TWO_LEVEL, _FAR_LEVEL = 3, 4
_AMOUNTS = ("paid", "thrown", "pressed", "handed")


def _place_numbers(desk: Desk) -> list[int]:
    """The numbers that are placed; the cheapest pays, the six and eight, at the first level."""
    spots = {s.number: s for s in desk.layout.spots.values() if s.slug == f"place-win-{s.number}"}
    if not spots:
        raise NotAskedError(f"{desk.house.book.id} places no numbers")
    if desk.level > 1:
        return list(spots)
    least = min(spot.odds.ratio for spot in spots.values())
    return [number for number, spot in spots.items() if spot.odds.ratio == least]


def _pose(desk: Desk, draws: Draws) -> Question:
    return press_question(desk, *(_shown(desk, draws) or _made_up(desk, draws)))


def press_question(
    desk: Desk, numbers: Sequence[int], before: int, after: int, thrown: int | None = None
) -> Question:
    """What is done where the first of these numbers is thrown and they are pressed; ``thrown`` is
    what the player adds, where it is told."""
    move = _worked(desk, numbers, before, after, thrown)
    two = len(numbers) > 1
    given: dict[str, Any] = {"numbers": sorted(numbers), "rolled": numbers[0]} if two else {}
    if not two:
        given["number"] = numbers[0]
    given |= {"from": dollars(before), "to": dollars(after)}
    if thrown is not None:
        given["thrown"] = dollars(thrown)
    return Question(
        drill="press",
        ask=f"The {numbers[0]} is thrown, and the player presses{' both' if two else ''}: from the "
        "one stack to the other. What is paid, thrown in, pressed and handed over?",
        given=given,
        answer={
            "paid": dollars(move.win),
            "thrown": dollars(move.thrown.amount),
            "pressed": dollars(move.press),
            "handed": dollars(move.to_player.amount),
            "moves": [_told(motion) for motion in move.motions],
        },
        explain=tuple(_steps(move)),
        cite=desk.cites(
            *move.cites,
            *(cite for motion in move.motions for cite in motion.cites),
            *_priced(desk, numbers[0]),
            about=numbers,
        ),
    )


def _priced(desk: Desk, number: int) -> Sequence[str]:
    spot = desk.layout.spots[f"place-win-{number}"]
    cites = {v.cite for v in spot.tables[number] if v is not None and v.result == "win"}
    return sorted(cites)


def _told(motion: Motion) -> dict[str, Any]:
    return {
        "hand": motion.hand,
        "chips": counted(motion.chips),
        "from": motion.source,
        "to": motion.target,
    }


def _steps(move: Press) -> Sequence[str]:
    win, up = show_dollars(move.win), show_dollars(move.press)
    added = f" and {show_dollars(move.thrown.amount)} thrown in" if move.thrown else ""
    reckoned = f"{win} won{added}, less {up} pressed, is {show_dollars(move.to_player.amount)}"
    return [f"{reckoned} for the player", move.why, *(motion.words for motion in move.motions)]


_Asked = tuple[tuple[int, ...], int, int, int | None]


def _shown(desk: Desk, draws: Draws) -> _Asked | None:
    """A move that the manual shows, every other time: the two-bet ones from the third level."""
    if draws.one_in(2):
        return None
    placed = _place_numbers(desk)
    moves = [
        move
        for move in shown_moves()
        if move.book == desk.house.book.id
        and len(set(move.before)) == 1
        and len(set(move.after)) == 1
        and (len(move.before) == 1 or desk.level >= _TWO_LEVEL)
        and {*move.numbers} & {*placed}
    ]
    if not moves:
        return None
    move = draws.pick(moves)
    several = len(move.before) > 1
    numbers = draws.shuffled(move.numbers) if several else [draws.pick(move.numbers)]
    return tuple(numbers), move.before[0] * 100, move.after[0] * 100, move.thrown * 100 or None


def _made_up(desk: Desk, draws: Draws) -> _Asked:
    """Any press: by a unit or two, doubled, or from the fourth level to a sum in larger chips."""
    placed = _place_numbers(desk)
    numbers = [draws.pick(placed)]
    if desk.level >= _TWO_LEVEL and draws.one_in(2):
        same = [n for n in placed if _price(desk, n) == _price(desk, numbers[0])]
        numbers = draws.some(same, 2)
    spot = desk.layout.spots[f"place-win-{numbers[0]}"]
    unit = spot.odds.stake * max(100, desk.house.chip)
    span = bounds(desk.layout, spot, 0, {})
    least = -(-span.least // unit) * unit
    most = max(1, min(4 if desk.level < 3 else 10, span.most // 2 // least))
    before = least * draws.between(1, most)
    ways = [before + unit, before + 2 * unit, before * 2]
    if desk.level >= _FAR_LEVEL:
        larger = (chip.value * count for chip in desk.rack.chips for count in (1, 2))
        ways += [to for to in larger if before < to <= before * 3]
    return tuple(numbers), before, draws.pick(ways), None


def _price(desk: Desk, number: int) -> object:
    return desk.layout.spots[f"place-win-{number}"].odds.ratio


def _worked(
    desk: Desk, numbers: Sequence[int], before: int, after: int, thrown: int | None
) -> Press:
    """The press as the crew makes it; where the win falls short the player throws in the rest."""
    bets: dict[int, Any] = dict.fromkeys(numbers, (before, after))
    move = press(desk.layout, bets, thrown=thrown or 0)
    if isinstance(move, Refusal) and move.code == "throw-in-more":
        short = cast(int, move.figures["short"])
        move = press(desk.layout, bets, thrown=short + -short % desk.house.chip)
    if isinstance(move, Refusal):
        raise NotAskedError("no place bet is pressed within the limits of this house")
    if desk.rack.divide(before)[1] or desk.rack.divide(move.win)[1] or after <= before:
        raise NotAskedError("not in the chips of this house")
    return move


def _mark(desk: Desk, question: Question, answer: Any) -> Mark:
    if not isinstance(answer, dict):
        raise UnreadableAnswerError(f"expected {', '.join(_AMOUNTS)}, each an amount")
    fields: Mapping[str, Any] = fields_of(answer, "handed")
    if fields.get("paid") is None or fields.get("handed") is None:
        raise UnreadableAnswerError("expected what is paid and what is handed over, at least")
    wrong = ""
    for name in _AMOUNTS:
        if not wrong and fields.get(name) is not None:
            wrong = mark_amount(fields[name], question.answer[name], name)
    if not wrong and fields.get("moves") is not None:
        wrong = _wrong_moves(desk, question, fields["moves"])
    if wrong:
        return Mark(False, f"{wrong}; {question.explain[0]}", question.cite)
    return Mark(True, question.explain[0])


def _wrong_moves(desk: Desk, question: Question, value: object) -> str:
    """Any moves will do that leave every chip where it belongs; a way by its name will too."""
    given = question.given
    hit = given.get("rolled", given.get("number"))
    numbers = [hit, *(number for number in given.get("numbers", ()) if number != hit)]
    before, after = read_cents(given["from"], "from"), read_cents(given["to"], "to")
    thrown = read_cents(question.answer["thrown"], "thrown")
    move = _worked(desk, numbers, before, after, thrown or None)
    if isinstance(value, str):
        ways = (move.way, *move.also)
        said = value.strip().lower()
        return "" if said in ways else f"{quoted(value)} does not make this press: {move.way} does"
    motions = [_read_motion(desk, each) for each in read_list(value, "moves", 60)]
    for motion in motions:
        if motion.source == BANK and motion.hand == "outside":
            return "the outside hand never goes into the bank"
        if motion.target == APRON and motion.hand == "inside":
            return "the outside hand delivers"
    try:
        end = moved({str(n): desk.rack.divide(before)[0] for n in numbers}, motions)
    except NotThereError as wrong:
        return f"moves: {wrong}"
    out = sum(m.amount for m in motions if m.source == BANK)
    taken = sum(m.amount for m in motions if m.source == PLAYER)
    lies = {place: chips.amount for place, chips in end.items()}
    want = {str(n): after for n in numbers}
    if handed := move.to_player.amount:
        want[APRON] = handed
    lies.pop(BOX, None)
    back = end.get(BOX, NO_CHIPS).amount
    if lies != want or out - back != move.win or taken != thrown:
        left = ", ".join(f"{show_dollars(a)} on {place}" for place, a in lies.items())
        return f"the moves leave {left or 'nothing'}, and {show_dollars(out - back)} from the bank"
    return ""


def _read_motion(desk: Desk, value: object) -> Motion:
    if not isinstance(value, dict) or "from" not in value or "to" not in value:
        raise UnreadableAnswerError("moves: expected chips, from and to for each")
    hand = value.get("hand")
    if hand not in (None, "inside", "outside"):
        raise UnreadableAnswerError(f"moves: {quoted(hand)} is no hand")
    source, target = str(value["from"]), str(value["to"])
    chips = read_stack(value.get("chips"), desk.rack, "moves")
    side = cast(Hand, hand or ("outside" if target == APRON else "inside"))
    words = f"{chips} from {quoted(source)} to {quoted(target)}"
    return Motion(hand=side, words=words, chips=chips, source=source, target=target)


DRILL = Drill(
    name="press",
    trains="a place bet that won and goes up: the money and the hands",
    pose=_pose,
    mark=_mark,
)
