"""Checks of a whole rulebook, beyond what types can say, before anything is dealt with it.

Every check yields one line for each mistake, beginning with the wager and the key. The shapes check
their own values (``shapes``). Pure, except that ``find_unknown_clauses`` reads the files of a
user's book.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import product
from typing import Any

from passline.game.law.book import Book, Ground, VigRules
from passline.game.law.book_files import BookFiles, read_toml_file
from passline.game.law.book_parts import iter_part_clauses
from passline.game.law.citations import CitedValue, iter_cited_places, key_path
from passline.game.law.clauses import list_clauses
from passline.game.law.rule_checks import check_members
from passline.game.law.shapes import AnyWager
from passline.game.law.shapes.come import Come
from passline.game.law.shapes.line import Line
from passline.game.law.shapes.odds import OddsRule
from passline.game.law.shapes.race import Race
from passline.game.law.wager_names import known_slugs, odds_numbers
from passline.game.law.wagers import POINT_NUMBERS
from passline.game.money.amounts import Odds

_ID_PATTERN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def check_wagers(book: Book) -> Iterator[str]:
    """Yield the mistakes in each wager of the book, each line with the key path of its value."""
    if not book.wager:
        yield "wager: a rulebook has wagers"
    for name, rule in book.wager.items():
        for mistake in _check_wager(book, name, rule):
            yield f"wager.{name}.{mistake}"


def _check_wager(book: Book, name: str, rule: AnyWager) -> Iterator[str]:
    if not _ID_PATTERN.fullmatch(name):
        yield f"shape: {name!r} is no name of a wager: expected small letters, digits and dashes"
    if not rule.title.strip():
        yield "title: expected words"
    yield from _check_offer_terms(book, rule)
    lines = list(_check_pays(book, rule))
    yield from lines
    yield from rule.check(book)
    if not lines:
        yield from _check_payouts_complete(book, rule)


def _check_offer_terms(book: Book, rule: AnyWager) -> Iterator[str]:
    made = rule.made.value
    collecting = made in ("new-shooter", "after-seven")
    if (made == "number", collecting) != (
        rule.only_made == "number",
        rule.only_made == "new-shooter",
    ):
        yield f"made: {made!r} is not for this shape"
    games = rule.games.value if rule.games is not None else ()
    yield from check_members("games", games, book.games.value, "is no game of the book")
    if rule.offer and f"offers.{rule.offer}" not in book.elect:
        yield f'offer: there is no election "offers.{rule.offer}"'
    for index, most in enumerate(rule.most):
        if most.dollars < 1:
            yield f"most[{index}]: {most.dollars} is no amount: expected dollars, 1 or more"
        yield from check_members(f"most[{index}].on", most.on, POINT_NUMBERS, "is no number")


def _check_pays(book: Book, rule: AnyWager) -> Iterator[str]:
    for index, pay in enumerate(rule.pays):
        try:
            if not Odds.parse(pay.odds).win and not rule.may_pay_nothing:
                yield f"pays[{index}]: {pay.odds!r} pays nothing"
        except ValueError as wrong:
            yield f"pays[{index}]: {wrong}"
        key, sign, choice = pay.elect.partition("=")
        elective = book.elect.get(f"offers.{key}")
        if pay.elect and (not sign or elective is None or choice not in elective.choices.value):
            yield f"pays[{index}].elect: {pay.elect!r} is no choice of an election"


def _check_payouts_complete(book: Book, rule: AnyWager) -> Iterator[str]:
    """Yield a mistake if a way to win has no payout under some pay table that a house may elect."""
    elections = {pay.elect.partition("=")[0] for pay in rule.pays if pay.elect}
    tables = [
        [f"{key}={c}" for c in book.elect[f"offers.{key}"].choices.value if c is not False]
        for key in sorted(elections)
    ]
    for chosen in product(*tables):
        lines = [pay for pay in rule.pays if not pay.elect or pay.elect in chosen]
        where = f" where {', '.join(chosen)}" if chosen else ""
        yield from rule.check_pay_lines(book, lines, where)


_RATE_PATTERN = re.compile(r"0(\.\d{1,6})?")


def check_odds(book: Book) -> Iterator[str]:
    """Yield the mistakes in the odds limits: wrong multiples, and numbers without one."""
    limits = book.odds
    for key in ("taken", "laid", "three_four_five"):
        yield from _check_multiples(f"odds.{key}", getattr(limits, key))
    for least, most in (("least", "most"), ("laid_least", "laid_most")):
        low, high = getattr(limits, least), getattr(limits, most)
        if low is not None and low.value < 1:
            yield f"odds.{least}: {low.value} is no multiple: expected 1 or more"
        if low is not None and high is not None and low.value > high.value:
            yield f"odds.{least}: {low.value} is over odds.{most}, {high.value}"
    default = limits.default
    if default is not None and isinstance(default.value, int) and default.value < 1:
        yield f"odds.default: {default.value} is no multiple: expected 1 or more"
    yield from _check_default_fits(book)
    yield from _check_multiples_complete(book)


def _check_default_fits(book: Book) -> Iterator[str]:
    """Yield a mistake if the default odds multiple is outside ``odds.least`` and ``odds.most``."""
    limits = book.odds
    default = limits.default.value if limits.default is not None else None
    if not isinstance(default, int) or default < 1:
        return
    if limits.least is not None and default < limits.least.value:
        yield f"odds.default: {default} is under odds.least, {limits.least.value}"
    if limits.most is not None and default > limits.most.value:
        yield f"odds.default: {default} is over odds.most, {limits.most.value}"


def _check_multiples(path: str, table: dict[str, CitedValue[int]]) -> Iterator[str]:
    seen: set[str] = set()
    for key, multiple in table.items():
        where = key_path(path, key)
        for word in key.split() or [""]:
            if not word.isdigit() or int(word) not in POINT_NUMBERS:
                yield f'{where}: {word!r} is no number: expected numbers in a form like "4 10"'
            elif word in seen:
                yield f"{where}: {word} is listed twice"
            seen.add(word)
        if multiple.value < 1:
            yield f"{where}: {multiple.value} is no multiple: expected 1 or more"


def _find_odds_sides(book: Book) -> set[bool]:
    """Return the kinds of odds in the book, as a set: False for taken odds, True for laid odds."""
    return {
        rule.is_laid(book)
        for rule in book.wager.values()
        if isinstance(rule, OddsRule) and isinstance(book.wager.get(rule.flat), Line | Come)
    }


def _check_multiples_complete(book: Book) -> Iterator[str]:
    """Yield a mistake for each number for which the book says no odds multiple.

    If the book has laid odds, it must also say what limits them and what they are measured by.
    """
    limits, sides = book.odds, _find_odds_sides(book)
    if True in sides and limits.laid_by is None:
        yield "odds.laid_by: what limits laid odds is not said: expected stake or win"
    if True in sides and book.changes.dont_odds_basis is None:
        yield "changes.dont_odds_basis: it is not said what laid odds are measured by"
    everywhere = {n for key in limits.three_four_five for n in key.split()}
    for number in odds_numbers(book) if sides else ():
        if str(number) not in everywhere:
            yield f"odds.three_four_five: what 3-4-5 odds are on {number} is not said"
    default = limits.default.value if limits.default is not None else None
    for laid in sorted(sides):
        printed = limits.laid if laid else limits.taken
        reached = {n for key in printed for n in key.split()}
        if default == "3-4-5":
            reached |= everywhere
        missing = [str(n) for n in odds_numbers(book) if str(n) not in reached]
        if missing and not isinstance(default, int):
            side = "laid" if laid else "taken"
            yield f"odds.default: no multiple is given for odds {side} on {', '.join(missing)}"


def check_vig(book: Book) -> Iterator[str]:
    """Yield mistakes in the vigorish: rates must be valid, and defaults among the choices."""
    for which, vig in book.vig.items():
        path = f"vig.{which}"
        for key in ("rate", "most"):
            rate = getattr(vig, key).value
            if not _RATE_PATTERN.fullmatch(rate):
                yield f"{path}.{key}: {rate!r} is no rate: expected a form like 0.05"
        yield from _check_vig_choices(path, vig)
        races = [r for r in book.wager.values() if isinstance(r, Race) and r.vig == which]
        if not races:
            yield f"{path}: no wager pays it"
        numbers = {number for race in races for number in race.numbers.value}
        for number in sorted(set(vig.won_on.value if vig.won_on is not None else ()) - numbers):
            yield f"{path}.won_on: no wager that pays it is on {number}"


def _check_vig_choices(path: str, vig: VigRules) -> Iterator[str]:
    rates = (vig.rate.value, vig.most.value)
    if all(_RATE_PATTERN.fullmatch(rate) for rate in rates) and float(rates[0]) > float(rates[1]):
        yield f"{path}.rate: {rates[0]} is over the most, {rates[1]}"
    if vig.base.value not in vig.bases.value:
        yield f"{path}.base: {vig.base.value!r} is not among the bases"
    if vig.when.value not in vig.whens.value:
        yield f"{path}.when: {vig.when.value!r} is not among the whens"


_CLOCK_PATTERN = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
_SPAN_PATTERN = re.compile(r"\d+(-\d+)?")
#: Names that the engine itself uses and every book must define: groups of place wagers, reasons for
#: rolling on, elections about the crew.
_GROUP_NAMES = ("across", "inside", "iron-cross", "outside")
_SPECIAL_ENDS = ("come-decided", "line-bet")


def find_mistakes(book: Book) -> Iterator[str]:
    """Yield everything in a book that prevents dealing it, in the book's order."""
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


def find_unknown_clauses(book: Book, data: dict[str, Any], files: BookFiles) -> Iterator[str]:
    """Yield each citation in a book's files of a clause that its register does not have.

    Also yield each pattern of a duty that matches no clause.
    """
    known = {clause.id for clause in list_clauses(files.id)}
    cited = [(place.path, clause) for place in iter_cited_places(data) for clause in place.clauses]
    for part in files.parts:
        name = files.show(part)
        cited += [(f"{name}: {path}", c) for path, c in iter_part_clauses(read_toml_file(part))]
    for path, clause in cited:
        if clause not in known:
            yield f"{path}: {files.register_name} has no clause {clause!r}"
    for index, duty in enumerate(book.duties):
        for pattern in duty.clauses:
            if not any(fnmatchcase(clause, pattern) for clause in known):
                yield f"duties[{index}].clauses: no clause is {pattern!r}"


def _check_head(book: Book) -> Iterator[str]:
    if not _ID_PATTERN.fullmatch(book.id):
        yield f"id: {book.id!r} is not an id: expected small letters, digits and single dashes"
    if not book.title.strip() or not book.title.isprintable():
        yield f"title: {book.title!r} is not a title"
    if not book.games.value:
        yield "games: a rulebook has one game at least"
    for game in book.games.value:
        if not _ID_PATTERN.fullmatch(game):
            yield f"games: {game!r} is not the name of a game: expected small letters and dashes"
    yield from _check_unique("games", book.games.value)
    yield from _check_numbers("points", book.points.value)
    for path, clause in (
        ("unlisted", book.unlisted),
        ("tender.chips", book.tender.chips),
        ("throw.listed_by", book.throw.listed_by),
    ):
        if not clause:
            yield f"{path}: expected a clause, or custom: and a reason"


def _check_unique(path: str, members: Iterable[object]) -> Iterator[str]:
    seen: set[object] = set()
    for member in members:
        if member in seen:
            yield f"{path}: {member} is listed twice"
        seen.add(member)


def _check_numbers(path: str, numbers: tuple[int, ...]) -> Iterator[str]:
    if not numbers:
        yield f"{path}: expected numbers"
    yield from check_members(path, numbers, POINT_NUMBERS, "is no number that can be a point")
    yield from _check_unique(path, numbers)


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
        yield from _check_wager_names(book, "stakes.pays_fixed", stakes.pays_fixed.value)


def _check_wager_names(book: Book, path: str, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if name not in book.wager:
            yield f"{path}: there is no wager {name!r}"


def _check_tender(book: Book) -> Iterator[str]:
    yield from _check_line_wagers(book, "tender.match_play", book.tender.match_play.value)
    yield from _check_game_names(book, "tender.late", book.tender.late)


def _check_line_wagers(book: Book, path: str, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if name not in book.wager or not book.wager[name].is_line:
            yield f"{path}: {name!r} is no line wager of the book"


def _check_game_names(book: Book, path: str, by_game: Iterable[str]) -> Iterator[str]:
    for game in by_game:
        if game not in book.games.value:
            yield f"{key_path(path, game)}: {game} is no game of the book"


def _check_games(book: Book) -> Iterator[str]:
    """Yield a mistake if a value by game has an unknown game, or lacks one with a shooter."""
    seated, automated = book.seating.required.value, book.dice.automated.value
    yield from _check_game_names(book, "seating.required", seated)
    yield from _check_game_names(book, "dice.automated", automated)
    yield from _check_game_names(book, "throw.designate", book.throw.designate)
    yield from _check_game_names(book, "dice.order_by", book.dice.order_by)
    for path, by_game in (
        ("throw.callers", book.throw.callers),
        ("throw.rulings", book.throw.rulings),
        ("dice.first", book.dice.first),
        ("dice.turn", book.dice.turn),
        ("crew", book.crew),
    ):
        yield from _check_game_names(book, path, by_game)
        for game in book.games.value:
            if game not in by_game and game not in automated:
                yield f"{path}: nothing is said of {game}"


def _check_grounds(book: Book) -> Iterator[str]:
    throw, dice = book.throw, book.dice
    named = [(f"throw.{k}", getattr(throw, k)) for k in ("void", "grounds", "barred")]
    yield from _check_unique("throw", (ground.name for _, grounds in named for ground in grounds))
    named += [(f"dice.{k}", getattr(dice, k)) for k in ("order_for", "special_ends", "new_set")]
    named += [(f"inspection.{k}", getattr(book.inspection, k)) for k in ("flaws", "recall")]
    for path, grounds in named:
        yield from _check_ground_names(book, path, grounds)
    for index, ground in enumerate(dice.special_ends):
        if ground.name not in _SPECIAL_ENDS:
            known = " or ".join(_SPECIAL_ENDS)
            yield f"dice.special_ends[{index}]: {ground.name!r} is none: expected {known}"


def _check_ground_names(book: Book, path: str, grounds: tuple[Ground, ...]) -> Iterator[str]:
    for index, ground in enumerate(grounds):
        if not _ID_PATTERN.fullmatch(ground.name):
            yield f"{path}[{index}]: {ground.name!r} cannot be said: expected letters and dashes"
        yield from _check_game_names(book, f"{path}[{index}].by", ground.by)


def _check_dice(book: Book) -> Iterator[str]:
    dice, looks = book.dice, book.inspection
    if dice.set_of.value < 2:
        yield f"dice.set_of: {dice.set_of.value} dice are no set: expected 2 or more"
    if not dice.line_wagers.value:
        yield "dice.line_wagers: a shooter needs some line wager"
    yield from _check_line_wagers(book, "dice.line_wagers", dice.line_wagers.value)
    if looks.least is not None and looks.most is not None and looks.least.value > looks.most.value:
        yield f"inspection.least: {looks.least.value} is over the most, {looks.most.value}"
    if looks.cancelled_on.value not in range(7):
        yield f"inspection.cancelled_on: {looks.cancelled_on.value} is no face of a die"
    if looks.hours is not None and looks.hours.value < 1:
        yield f"inspection.hours: {looks.hours.value} hours are no time"


def _check_crew(book: Book) -> Iterator[str]:
    """Yield a mistake if the book leaves a value to the house but offers no election for it."""
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
    points, known = rules.points.value, book.points.value
    yield from check_members("shootout.points", points, known, "is no point of the book")
    yield from _check_wager_names(book, "shootout.needs", rules.needs.value)
    if not _CLOCK_PATTERN.fullmatch(rules.at.value):
        yield f"shootout.at: {rules.at.value!r} is no time: expected a form like 09:00"
    for key in ("start", "reset"):
        if not 0 < getattr(rules, key).value <= rules.cap.value:
            yield f"shootout.{key}: {getattr(rules, key).value} is not within the cap"
    for span in rules.share:
        if not _SPAN_PATTERN.fullmatch(span):
            yield f'{key_path("shootout.share", span)}: expected dollars in a form like "100-700"'


def _check_groups(book: Book) -> Iterator[str]:
    for name, group in book.groups.items():
        if name not in _GROUP_NAMES:
            yield f"groups.{name}: no such group is said: expected {', '.join(_GROUP_NAMES)}"
        for on, dollars in group.unit.value.items():
            # Accept the book's own wager names and the standard names, since the customs use only
            # those.
            wagers = (*book.wager, *known_slugs())
            known = int(on) in POINT_NUMBERS if on.isdigit() else on in wagers
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
