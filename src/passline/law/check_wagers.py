"""The wagers of a rulebook, checked: faces, legs, flats, and a payout wherever one wins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product

from passline.dice import SEVEN, TOTALS, parse_faces
from passline.law.book import Book
from passline.law.wagers import (
    NUMBERS,
    AnyWager,
    Collect,
    Come,
    Composite,
    Face,
    Hardway,
    Line,
    OddsRule,
    OneRoll,
    Pay,
    Race,
)
from passline.money import Odds

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_PAIR = re.compile(r"[1-6]-[1-6]")
_EVERY = frozenset(range(36))


def check_wagers(book: Book) -> Iterator[str]:
    """Every wager of the book by itself and against the others."""
    if not book.wager:
        yield "wager: a rulebook has wagers"
    for name, rule in book.wager.items():
        for mistake in _check_wager(book, name, rule):
            yield f"wager.{name}.{mistake}"


def _check_wager(book: Book, name: str, rule: AnyWager) -> Iterator[str]:
    if not _SLUG.fullmatch(name):
        yield f"shape: {name!r} is no name of a wager: expected small letters, digits and dashes"
    if not rule.title.strip():
        yield "title: expected words"
    yield from _check_when(book, rule)
    lines = list(_check_pays(book, rule.pays))
    yield from lines
    match rule:
        case Line() | Come():
            yield from _check_flat(book, rule)
        case OddsRule():
            yield from _check_odds(book, rule)
        case Race():
            yield from _check_race(book, rule)
        case Hardway() | OneRoll():
            yield from _check_faces(rule)
        case Composite():
            yield from _check_composite(book, rule)
        case Collect():
            yield from _check_collect(book, rule)
    if not lines:
        yield from _check_paid(book, rule)


def _check_when(book: Book, rule: AnyWager) -> Iterator[str]:
    made = rule.made.value
    for word, shape in (("number", OddsRule), ("new-shooter", Collect)):
        if (made == word) != isinstance(rule, shape):
            yield f"made: {made!r} is not for this shape"
    for game in rule.games.value if rule.games is not None else ():
        if game not in book.games.value:
            yield f"games: {game} is no game of the book"
    if rule.offer and f"offers.{rule.offer}" not in book.elect:
        yield f'offer: there is no election "offers.{rule.offer}"'
    for index, most in enumerate(rule.most):
        if most.dollars < 1:
            yield f"most[{index}]: {most.dollars} is no amount: expected dollars, 1 or more"
        yield from _in(f"most[{index}].on", most.on, NUMBERS, "is no number")


def _in(path: str, given: Iterable[int], known: Iterable[int], what: str) -> Iterator[str]:
    for number in given:
        if number not in known:
            yield f"{path}: {number} {what}"


def _bad_faces(path: str, faces: Iterable[Face]) -> Iterator[str]:
    seen: set[Face] = set()
    for face in faces:
        fits = face in TOTALS if isinstance(face, int) else _PAIR.fullmatch(face) is not None
        if not fits:
            yield f'{path}: {face!r} is no face: expected a total such as 8, or dice such as "3-5"'
        elif face in seen:
            yield f"{path}: {face} stands there twice"
        seen.add(face)


def _check_pays(book: Book, pays: tuple[Pay, ...]) -> Iterator[str]:
    for index, pay in enumerate(pays):
        try:
            if not Odds.parse(pay.odds).win:
                yield f"pays[{index}]: {pay.odds!r} pays nothing"
        except ValueError as wrong:
            yield f"pays[{index}]: {wrong}"
        key, sign, choice = pay.elect.partition("=")
        elective = book.elect.get(f"offers.{key}")
        if pay.elect and (not sign or elective is None or choice not in elective.choices.value):
            yield f"pays[{index}].elect: {pay.elect!r} is no choice of an election"


def _faces(tokens: Iterable[Face]) -> frozenset[int]:
    return frozenset().union(*map(parse_faces, tokens))


def _check_sides(rule: Line | Come | Race) -> Iterator[str]:
    if rule.wins.value == rule.loses.value:
        yield f"loses: {rule.loses.value!r} wins already"


def _check_flat(book: Book, rule: Line | Come) -> Iterator[str]:
    """Every total of a first roll decides the wager or sets its number, and none does both."""
    yield from _check_sides(rule)
    onward = rule.travels.value if isinstance(rule, Come) else book.points.value
    said: dict[int, str] = {}
    key_of_numbers = "travels" if isinstance(rule, Come) else "points of the book"
    parts = [(k, getattr(rule, k)) for k in ("first_win", "first_lose", "first_push")]
    for key, totals in parts:
        for total in totals.value if totals is not None else ():
            if total not in TOTALS:
                yield f"{key}: {total} is no total of two dice"
            elif total in said:
                yield f"{key}: {total} stands in {said[total]} too"
            elif total in onward:
                yield f"{key}: {total} is among the {key_of_numbers} too"
            said[total] = key
    if isinstance(rule, Come):
        yield from _in("travels", onward, NUMBERS, "is no number that can be a point")
        if rule.put is not None:
            yield from _in("put", rule.put.value, onward, "is no number that it travels to")
    open_totals = [str(t) for t in TOTALS if t not in said and t not in onward]
    if open_totals:
        yield f"first_win: nothing is said of a first roll of {', '.join(open_totals)}"


def _check_odds(book: Book, rule: OddsRule) -> Iterator[str]:
    if not isinstance(book.wager.get(rule.flat), Line | Come):
        yield f"flat: {rule.flat!r} is no line or come wager of the book"
    for key in ("lost_by", "limited_by"):
        if not getattr(rule, key):
            yield f"{key}: expected a clause, or custom: and a reason"


def _check_race(book: Book, rule: Race) -> Iterator[str]:
    yield from _check_sides(rule)
    if not rule.numbers.value:
        yield "numbers: expected numbers"
    yield from _in("numbers", rule.numbers.value, NUMBERS, "is no number that can be a point")
    if rule.vig and rule.vig not in book.vig:
        yield f"vig: the book has no vig.{rule.vig}"


def _check_faces(rule: Hardway | OneRoll) -> Iterator[str]:
    also = rule.lose_also if isinstance(rule, Hardway) else None
    parts = {"win": rule.win.value, "lose": rule.lose.value}
    parts |= {"lose_also": also.value} if also is not None else {}
    wrong = [
        mistake
        for key, faces in parts.items()
        if not isinstance(faces, str)
        for mistake in _bad_faces(key, faces)
    ]
    yield from wrong
    if wrong:
        return
    win = _faces(rule.win.value)
    if not win:
        yield "win: it wins on no face"
    lost = rule.lose.value
    lose = _EVERY - win if isinstance(lost, str) else _faces(lost)
    if win & lose:
        yield "lose: some face of it wins already"
    if isinstance(rule, OneRoll) and win | lose != _EVERY:
        yield "lose: the next roll may decide nothing: a one-roll wager wins or loses on every face"


def _check_composite(book: Book, rule: Composite) -> Iterator[str]:
    straight = []
    for leg, units in rule.legs.value.items():
        found = book.wager.get(leg)
        if not isinstance(found, OneRoll):
            yield f"legs: {leg!r} is no one-roll wager of the book"
        else:
            straight += [found.win.value]
        if units < 1:
            yield f"legs: {leg} = {units} is no unit"
    if len(rule.legs.value) < 2:
        yield "legs: expected two legs or more"
    if (rule.high is None) != (rule.high_units is None):
        yield "high_units: high and high_units go together"
    for number in rule.high.value if rule.high is not None else ():
        if (number,) not in straight:
            yield f"high: no leg wins on {number} alone"
    if not rule.won_by or not rule.lost_by:
        yield f"{'lost_by' if rule.won_by else 'won_by'}: expected a clause"
    if (rule.split is None) != (rule.parts is None):
        yield "parts: split and parts go together"
    for part, units in rule.parts.value.items() if rule.parts is not None else ():
        if units < 1 or (part not in book.wager and (part != "high" or rule.high is None)):
            yield f"parts: {part} = {units} is no part: expected wagers of the book"


def _check_collect(book: Book, rule: Collect) -> Iterator[str]:
    points = rule.counts.value == "points-made"
    known = book.points.value if points else NUMBERS
    what = "is no point of the book" if points else "is no number"
    yield from _in("needs", rule.needs.value, known, what)
    if not 1 <= rule.least.value <= len(rule.needs.value):
        yield f"least: {rule.least.value} of {len(rule.needs.value)} cannot be"
    for key in ("minimum", "maximum", "step"):
        dollars = getattr(rule, key)
        if dollars is not None and dollars.value < 1:
            yield f"{key}: {dollars.value} is no amount: expected dollars, 1 or more"
    least, most = rule.minimum, rule.maximum
    if least is not None and most is not None and least.value > most.value:
        yield f"minimum: {least.value} is over the maximum, {most.value}"


def _check_paid(book: Book, rule: AnyWager) -> Iterator[str]:
    """Under every pay table that may be elected, each way to win has its line."""
    if isinstance(rule, Composite):
        if rule.pays:
            yield "pays: a composite is paid as its legs"
        return
    elections = {pay.elect.partition("=")[0] for pay in rule.pays if pay.elect}
    tables = [
        [f"{key}={c}" for c in book.elect[f"offers.{key}"].choices.value if c is not False]
        for key in sorted(elections)
    ]
    for chosen in product(*tables):
        lines = [pay for pay in rule.pays if not pay.elect or pay.elect in chosen]
        yield from _check_lines(book, rule, lines, f" where {', '.join(chosen)}" if chosen else "")


def _check_lines(book: Book, rule: AnyWager, lines: list[Pay], where: str) -> Iterator[str]:
    if isinstance(rule, Collect):
        yield from _check_tiers(rule, lines, where)
        return
    for index, pay in enumerate(lines):
        bad = list(_bad_faces(f"pays[{index}].on", pay.on))
        yield from bad
        if bad:
            return
    if isinstance(rule, Race | OddsRule):
        numbers = _numbers_of(book, rule)
        for number in numbers:
            if not any(not pay.on or number in pay.on for pay in lines):
                yield f"pays: no payout is given on {number}{where}"
        for face in (face for pay in lines for face in pay.on):
            if face not in numbers:
                yield f"pays: it is never on {face}, and has a payout for it{where}"
        yield from _check_priced_once(lines, where)
        return
    paid = [_faces(pay.on) if pay.on else _EVERY for pay in lines]
    wins = _winning(book, rule)
    for face in (face for pay in lines for face in pay.on):
        if not _faces((face,)) & wins:
            yield f"pays: it never wins on {face}, and has a payout for it{where}"
    missing = wins - frozenset().union(*paid)
    if missing:
        faces = sorted({f"{a // 6 + 1}-{a % 6 + 1}" for a in missing})
        yield f"pays: it wins on {', '.join(faces)} and has no payout for it{where}"
    yield from _check_priced_once(lines, where)


def _check_priced_once(lines: list[Pay], where: str) -> Iterator[str]:
    """What one line gives a price, no other line of the same pay table does."""
    priced: set[tuple[str, int]] = set()
    for pay in lines:
        own = {(pay.elect or "", face) for face in (_faces(pay.on) if pay.on else ())}
        if own & priced:
            yield f"pays: {', '.join(map(str, pay.on))} has two payouts{where}"
        priced |= own


def _numbers_of(book: Book, rule: Race | OddsRule) -> tuple[int, ...]:
    if isinstance(rule, Race):
        return rule.numbers.value
    flat = book.wager.get(rule.flat)
    return flat.travels.value if isinstance(flat, Come) else book.points.value


def _winning(book: Book, rule: AnyWager) -> frozenset[int]:
    """Every throw on which it can win."""
    if isinstance(rule, Line | Come):
        onward = rule.travels.value if isinstance(rule, Come) else book.points.value
        decisive = onward if rule.wins.value == "number" else (SEVEN,)
        totals = [t for t in (*rule.first_win.value, *decisive) if t in TOTALS]
        return _faces(totals)
    assert isinstance(rule, Hardway | OneRoll)
    bad = any(True for _ in _bad_faces("win", rule.win.value))
    return frozenset() if bad else _faces(rule.win.value)


def _check_tiers(rule: Collect, lines: list[Pay], where: str) -> Iterator[str]:
    """A set is paid at once, or by how much of it was gathered: from the least on."""
    counts = [count for pay in lines for count in pay.on or (0,)]
    if not counts:
        yield f"pays: no payout is given{where}"
    elif rule.counts.value == "points-made" and 0 not in counts and rule.least.value not in counts:
        yield f"pays: no payout is given for {rule.least.value}{where}"
    for count in counts:
        if not isinstance(count, int) or not 0 <= count <= len(rule.needs.value):
            yield f"pays: {count!r} of {len(rule.needs.value)} cannot be gathered"
