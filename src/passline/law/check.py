"""A rulebook checked whole: what its types cannot say, value by value, before anything is dealt.

Each check yields its mistakes as one line, the place in the book first: the wager and the key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Any

from passline.law.book import Book, Ground
from passline.law.check_odds import check_odds, check_vig
from passline.law.check_wagers import check_wagers
from passline.law.clauses import register_of
from passline.law.places import key_path, places_in
from passline.law.shelf import Volume
from passline.law.slugs import known_slugs
from passline.law.wagers import NUMBERS, Line

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
_SPAN = re.compile(r"\d+(-\d+)?")
#: What the engine asks for by name: groups that are said, ends of rolling on, elections of a crew.
_GROUPS = ("across", "inside", "iron-cross", "outside")
_SPECIAL_ENDS = ("come-decided", "line-bet")


def mistakes(book: Book) -> Iterator[str]:
    """Everything in a book that cannot be dealt, in the book's order."""
    for check in (
        _check_head,
        check_wagers,
        _check_stakes,
        check_odds,
        check_vig,
        _check_tender,
        _check_games,
        _check_grounds,
        _check_dice,
        _check_crew,
        _check_shootout,
        _check_groups,
        _check_elections,
        _check_duties,
    ):
        yield from check(book)


def uncited(book: Book, data: dict[str, Any], on_shelf: Volume) -> Iterator[str]:
    """Clauses that a book names and its register does not have."""
    known = {clause.id for clause in register_of(on_shelf)}
    for place in places_in(data):
        for clause in place.clauses:
            if clause not in known:
                yield f"{place.path}: {on_shelf.register.name} has no clause {clause!r}"
    for index, duty in enumerate(book.duties):
        for pattern in duty.clauses:
            if not any(fnmatchcase(clause, pattern) for clause in known):
                yield f"duties[{index}].clauses: no clause is {pattern!r}"


def _check_head(book: Book) -> Iterator[str]:
    if not _ID.fullmatch(book.id):
        yield f"id: {book.id!r} is no id: expected small letters, digits and single dashes"
    if not book.title.strip() or not book.title.isprintable():
        yield f"title: {book.title!r} is no title"
    if not book.games.value:
        yield "games: a rulebook has one game at least"
    for game in book.games.value:
        if not _ID.fullmatch(game):
            yield f"games: {game!r} is no name of a game: expected small letters and dashes"
    yield from _twice("games", book.games.value)
    yield from _numbers("points", book.points.value)
    for path, clause in (
        ("unlisted", book.unlisted),
        ("tender.chips", book.tender.chips),
        ("throw.listed_by", book.throw.listed_by),
    ):
        if not clause:
            yield f"{path}: expected a clause, or custom: and a reason"


def _twice(path: str, members: Iterable[object]) -> Iterator[str]:
    seen: set[object] = set()
    for member in members:
        if member in seen:
            yield f"{path}: {member} stands there twice"
        seen.add(member)


def _numbers(path: str, numbers: tuple[int, ...]) -> Iterator[str]:
    if not numbers:
        yield f"{path}: expected numbers"
    for number in numbers:
        if number not in NUMBERS:
            yield f"{path}: {number} is no number that can be a point"
    yield from _twice(path, numbers)


def _check_stakes(book: Book) -> Iterator[str]:
    stakes = book.stakes
    for key in ("chip_default", "min_default", "center_min_default", "max_default"):
        dollars = getattr(stakes, key).value
        if dollars < 1:
            yield f"stakes.{key}: {dollars} is no amount: expected dollars, 1 or more"
        if dollars > stakes.max_default.value:
            yield f"stakes.{key}: {dollars} is over the maximum, {stakes.max_default.value}"
    for key in ("breakage", "true_odds_breakage"):
        how = getattr(stakes, key).value
        if how not in stakes.breakage_allowed.value:
            yield f"stakes.{key}: {how!r} is not among breakage_allowed"
    if stakes.pays_fixed is not None:
        yield from _wagers(book, "stakes.pays_fixed", stakes.pays_fixed.value)


def _wagers(book: Book, path: str, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if name not in book.wager:
            yield f"{path}: there is no wager {name!r}"


def _check_tender(book: Book) -> Iterator[str]:
    tender = book.tender
    yield from _lines(book, "tender.match_play", tender.match_play.value)
    yield from _of_games(book, "tender.late", tender.late)


def _lines(book: Book, path: str, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if not isinstance(book.wager.get(name), Line):
            yield f"{path}: {name!r} is no line wager of the book"


def _of_games(book: Book, path: str, by_game: Iterable[str]) -> Iterator[str]:
    for game in by_game:
        if game not in book.games.value:
            yield f"{key_path(path, game)}: {game} is no game of the book"


def _check_games(book: Book) -> Iterator[str]:
    """Whatever is said by game is said of the book's games, and of every one that is thrown."""
    seated, automated = book.seating.required.value, book.dice.automated.value
    yield from _of_games(book, "seating.required", seated)
    yield from _of_games(book, "dice.automated", automated)
    yield from _of_games(book, "throw.designate", book.throw.designate)
    yield from _of_games(book, "dice.order_by", book.dice.order_by)
    for path, by_game in (
        ("throw.callers", book.throw.callers),
        ("throw.rulings", book.throw.rulings),
        ("dice.first", book.dice.first),
        ("dice.turn", book.dice.turn),
        ("crew", book.crew),
    ):
        yield from _of_games(book, path, by_game)
        for game in book.games.value:
            if game not in by_game and game not in automated:
                yield f"{path}: nothing is said of {game}"


def _check_grounds(book: Book) -> Iterator[str]:
    throw, dice = book.throw, book.dice
    named = [(f"throw.{k}", getattr(throw, k)) for k in ("void", "grounds", "barred")]
    yield from _twice("throw", (ground.name for _, grounds in named for ground in grounds))
    named += [(f"dice.{k}", getattr(dice, k)) for k in ("order_for", "special_ends", "new_set")]
    named += [(f"inspection.{k}", getattr(book.inspection, k)) for k in ("flaws", "recall")]
    for path, grounds in named:
        yield from _ground_words(book, path, grounds)
    for index, ground in enumerate(dice.special_ends):
        if ground.name not in _SPECIAL_ENDS:
            known = " or ".join(_SPECIAL_ENDS)
            yield f"dice.special_ends[{index}]: {ground.name!r} is none: expected {known}"


def _ground_words(book: Book, path: str, grounds: tuple[Ground, ...]) -> Iterator[str]:
    for index, ground in enumerate(grounds):
        if not _ID.fullmatch(ground.name):
            yield f"{path}[{index}]: {ground.name!r} cannot be said: expected letters and dashes"
        yield from _of_games(book, f"{path}[{index}].by", ground.by)


def _check_dice(book: Book) -> Iterator[str]:
    dice, looks = book.dice, book.inspection
    if dice.set_of.value < 2:
        yield f"dice.set_of: {dice.set_of.value} dice are no set: expected 2 or more"
    if not dice.line_wagers.value:
        yield "dice.line_wagers: a shooter needs some line wager"
    yield from _lines(book, "dice.line_wagers", dice.line_wagers.value)
    if looks.least is not None and looks.most is not None and looks.least.value > looks.most.value:
        yield f"inspection.least: {looks.least.value} is over the most, {looks.most.value}"
    if looks.cancelled_on.value not in range(7):
        yield f"inspection.cancelled_on: {looks.cancelled_on.value} is no face of a die"
    if looks.hours is not None and looks.hours.value < 1:
        yield f"inspection.hours: {looks.hours.value} hours are no time"


def _check_crew(book: Book) -> Iterator[str]:
    """What a book leaves to the house must be an election."""
    for game, crew in book.crew.items():
        bases = book.elect.get("crew.base_dealers")
        if crew.bases is None and (bases is None or not isinstance(bases.default.value, int)):
            yield f'crew.{game}.bases: expected 1 or 2, or an election "crew.base_dealers"'
        if crew.instead is not None and "crew.boxperson" not in book.elect:
            yield f'crew.{game}.instead: expected an election "crew.boxperson"'


def _check_shootout(book: Book) -> Iterator[str]:
    rules = book.shootout
    if rules is None:
        return
    for number in rules.points.value:
        if number not in book.points.value:
            yield f"shootout.points: {number} is no point of the book"
    yield from _wagers(book, "shootout.needs", rules.needs.value)
    if not _CLOCK.fullmatch(rules.at.value):
        yield f"shootout.at: {rules.at.value!r} is no time: expected a form like 09:00"
    for key in ("start", "reset"):
        if not 0 < getattr(rules, key).value <= rules.cap.value:
            yield f"shootout.{key}: {getattr(rules, key).value} is not within the cap"
    for span in rules.share:
        if not _SPAN.fullmatch(span):
            yield f'{key_path("shootout.share", span)}: expected dollars in a form like "100-700"'


def _check_groups(book: Book) -> Iterator[str]:
    for name, group in book.groups.items():
        if name not in _GROUPS:
            yield f"groups.{name}: no such group is said: expected {', '.join(_GROUPS)}"
        for on, dollars in group.unit.value.items():
            # By the book's name or the floor's: the customs know no other, whatever a book deals.
            known = int(on) in NUMBERS if on.isdigit() else on in (*book.wager, *known_slugs())
            if not known or dollars < 1:
                yield f"groups.{name}.unit: {on} = {dollars} is no unit on a number or a wager"


def _check_elections(book: Book) -> Iterator[str]:
    for key, elective in book.elect.items():
        choices = elective.choices.value or (True, False)
        default = elective.default.value
        if not any(type(one) is type(default) and one == default for one in choices):
            yield f"{key_path('elect', key)}.default: {default!r} is not among its choices"


def _check_duties(book: Book) -> Iterator[str]:
    for index, duty in enumerate(book.duties):
        if not duty.post.strip():
            yield f"duties[{index}].post: expected the name of a post"
        if not duty.clauses:
            yield f"duties[{index}].clauses: expected clauses, or patterns such as stick.*"
