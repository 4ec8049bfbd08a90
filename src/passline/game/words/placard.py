"""The payout card that a casino posts, as text in eighty columns or as a page to print.

``make_placard`` gathers the sections and notices of a house; ``render_placard_text`` lays them out
in two columns. ``render_placard_html`` makes a page that also suits screen readers. If the rulebook
builds on another, a notice says which wagers have rules of its own.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from math import lcm
from typing import TypeVar

import msgspec

from passline.game.house.elections import parse_odds, show_value
from passline.game.house.house import House
from passline.game.house.limits import find_limits, find_maximum
from passline.game.house.payouts import find_pay_lines, find_stage_lines, is_dealt
from passline.game.law.base_books import list_bases
from passline.game.law.book import ShootoutRules
from passline.game.law.load import find_origins, rulebook
from passline.game.law.shapes import AnyWager
from passline.game.law.shapes.collect import SHARED_KINDS, Collect
from passline.game.law.shapes.composite import Composite
from passline.game.law.shapes.first_roll import FirstRollWager
from passline.game.law.shapes.hardway import Hardway
from passline.game.law.shapes.odds import OddsRule
from passline.game.law.shapes.one_roll import OneRoll
from passline.game.law.shapes.point_seven import PointSeven
from passline.game.law.shapes.race import Race
from passline.game.law.shapes.staged import StagedWager
from passline.game.law.wager_names import iter_slugs
from passline.game.law.wagers import DecisionKind, WagerRule
from passline.game.money.amounts import Odds, show_dollars
from passline.game.words.html_documents import render_document
from passline.game.words.wagers import describe_roll, describe_stages
from passline.text import join_words

W = TypeVar("W", bound=WagerRule)


class PlacardRow(msgspec.Struct, frozen=True):
    """A line of the payout card: a label, what it pays or its limit, and a note below it."""

    label: str
    pays: str
    note: str = ""


class PlacardSection(msgspec.Struct, frozen=True):
    """A part of the payout card: a heading (``title``), its lines, and notes below them."""

    title: str
    rows: tuple[PlacardRow, ...]
    notes: tuple[str, ...] = ()


class Placard(msgspec.Struct, frozen=True):
    """A whole payout card: the house and game it is for, its sections, and notices at the foot."""

    name: str
    game: str
    book: str
    sections: tuple[PlacardSection, ...]
    notices: tuple[str, ...]


def describe_game(game: str) -> str:
    """Return the name of a game as a heading.

    >>> describe_game("mini-craps")
    'Mini-craps'
    """
    return game.capitalize()


def show_posted_odds(house: House, odds: Odds, wager: str = "") -> str:
    """Return odds as the book words them: "9 to 5" without the stake, "14 for 5" with it.

    If the house elected these odds for ``wager`` and wrote them with "for", they are shown as it
    wrote them.
    """
    for key, text in house.elections.items():
        own = f"{key}-".startswith(f"pays.{wager}-")
        if wager and own and " for " in str(text) and parse_odds(str(text)) == odds:
            return str(text)
    if house.book.odds_word.value == "for":
        return f"{odds.win + odds.stake} for {odds.stake}"
    return str(odds)


def group_numbers(by_number: dict[int, str]) -> dict[str, list[int]]:
    """Group numbers that share a value, in the order of each group's first number.

    >>> group_numbers({4: "9 to 5", 5: "7 to 5", 10: "9 to 5"})
    {'9 to 5': [4, 10], '7 to 5': [5]}
    """
    groups: dict[str, list[int]] = {}
    for number, value in by_number.items():
        groups.setdefault(value, []).append(number)
    return groups


def iter_dealt_wagers(house: House) -> Iterator[tuple[str, AnyWager]]:
    """Yield (family, rule) for every wager that this house deals."""
    return ((f, rule) for f, rule in house.book.wager.items() if is_dealt(house, rule))


def make_limits_section(house: House) -> PlacardSection:
    """Return the card's section on limits: the table's, and those of wagers with their own."""
    rows = [PlacardRow("Minimum", show_dollars(house.minimum))]
    if house.center_minimum != house.minimum:
        rows.append(PlacardRow("Minimum on center wagers", show_dollars(house.center_minimum)))
    least = _group_own_limits(house, house.min_by_wager, 0)
    rows += [PlacardRow(f"Minimum, {label}", amount) for amount, label in least.items()]
    rows.append(PlacardRow("Maximum", show_dollars(house.maximum)))
    most = _list_own_maxima(house)
    rows += [PlacardRow(f"Maximum, {label}", amount) for amount, label in most.items()]
    return PlacardSection("Limits", tuple(rows), (_describe_breakage(house),))


def _list_own_maxima(house: House) -> dict[str, str]:
    found: dict[str, int] = {}
    for family, rule in iter_dealt_wagers(house):
        for slug, number in iter_slugs(house.book, family, rule):
            if rule.is_odds:  # its section says how it is held to the flat wager
                found[slug] = house.max_by_wager.get(slug, house.maximum)
            elif not rule.is_collect:
                found[slug] = find_maximum(house, rule, slug, number)
    return _group_own_limits(house, found, house.maximum)


def _group_own_limits(house: House, amounts: dict[str, int], usual: int) -> dict[str, str]:
    """Return the wagers whose amount is not the usual one, by amount.

    ``amounts`` has the limit in cents by slug, and ``usual`` is the table's. The result is such as
    ``{"$600": "place to win 6 and 8"}``.
    """
    by_amount: dict[int, list[str]] = {}
    for family, rule in iter_dealt_wagers(house):
        slugs = list(iter_slugs(house.book, family, rule))
        own = {slug: amounts[slug] for slug, _ in slugs if amounts.get(slug, usual) != usual}
        for amount in dict.fromkeys(own.values()):
            numbers = [n for slug, n in slugs if own.get(slug) == amount and n]
            some = len(numbers) < sum(1 for _, n in slugs if n)
            # Names such as Muggsy's Corner and C and E keep their capitals.
            name = rule.title if rule.title[1:] != rule.title[1:].lower() else rule.title.lower()
            title = name + (f" {join_words(numbers)}" if numbers and some else "")
            by_amount.setdefault(amount, []).append(title)
    shown = sorted(by_amount.items())
    return {
        show_dollars(amount): "; ".join(shorten_titles(house, titles)) for amount, titles in shown
    }


def shorten_titles(house: House, titles: list[str]) -> list[str]:
    """Return the titles; if all hardways or all hops are among them, one word replaces these."""
    for kind, shape, hops in (("hardways", Hardway, False), ("hops", OneRoll, True)):
        rules = [rule for _, rule in _select(house, shape) if rule.is_hop == hops]
        members = [rule.title.lower() for rule in rules]
        if members and set(members) <= set(titles):
            titles = [title for title in titles if title not in members] + [kind]
    return titles


def _describe_breakage(house: House) -> str:
    chip = show_dollars(house.chip)
    if house.breakage == "refuse":
        return f"Wagers are made so that they can be paid exactly in chips of {chip}."
    return f"What cannot be paid exactly is paid rounded {house.breakage} to {chip}."


def write_notices(house: House) -> Iterator[str]:
    """Yield the sentences at the foot of the card, such as "No call bets."."""
    yield from _describe_come_out(house)
    book = house.book
    if not book.tender.call_bets.value:
        yield "No call bets."
    if house.game in book.seating.required.value:
        yield "Only seated players may wager."
    if book.tender.match_play.value and house.offers("match_play"):
        titles = [book.wager[slug].title.lower() for slug in book.tender.match_play.value]
        yield f"Match play coupons are taken on {join_words(titles)}."
    if book.net_center.value:
        yield (
            "A player's losing center wagers come out of what the winning ones are paid, "
            "and all stay up."
        )
    if "crew.base_dealers" in book.elect:
        yield _describe_crew(house)
    if book.shootout is not None and house.offers("shootout"):
        yield from _describe_shootout(house, book.shootout)
    yield from _describe_bases(house)


def _describe_bases(house: House) -> Iterator[str]:
    """Yield a sentence on what the rulebook takes from its base, and what it words itself."""
    book = house.book
    for base in list_bases(book.id)[:1]:
        own = [
            rule.title.lower()
            for family, rule in iter_dealt_wagers(house)
            if book.id in find_origins(book.id, f"wager.{family}")
        ]
        words = f"Own rules on {join_words(own)}; the" if own else "The"
        yield f"{words} others are those of {rulebook(base).title} ({base})."


def _describe_crew(house: House) -> str:
    """Return a sentence on who deals. Called only if the book lets the house choose."""
    dealers = house.elected("crew.base_dealers")
    crew = ["a stickperson", "a base dealer" if dealers == 1 else f"{dealers} base dealers"]
    if "crew.boxperson" in house.book.elect and house.elected("crew.boxperson") is True:
        crew.append("a boxperson")
    return f"Dealt by {join_words(crew)}."


def _describe_come_out(house: House) -> Iterator[str]:
    """Yield sentences on which wagers are off on a come-out roll, and which may be called on."""
    may_call: list[str] = []
    never: list[str] = []
    for _, rule in iter_dealt_wagers(house):
        come_out = rule.come_out or house.book.working
        if come_out.value == "off":
            called = rule.call_on is not None and rule.call_on.value
            (may_call if called else never).append(_show_title(rule))
    if may_call:
        yield f"Off on a come-out roll unless called on: {join_words(dict.fromkeys(may_call))}."
    if never:
        yield f"Off on every come-out roll: {join_words(dict.fromkeys(never))}."


def _show_title(rule: AnyWager) -> str:
    return "hardways" if rule.is_hardway else rule.title.lower()


def _describe_shootout(house: House, rules: ShootoutRules) -> Iterator[str]:
    wagers = [house.book.wager[slug].title.lower() for slug in rules.needs.value]
    start, step, cap = (show_dollars(r.value * 100) for r in (rules.start, rules.step, rules.cap))
    yield (
        f"Craps Shootout: a shooter with a {join_words(wagers, 'or')} wager who makes "
        f"{join_words(rules.points.value)}, in any order in one turn, wins the bonus. It starts at "
        f"{start} and grows {step} a day at {rules.at.value}, to at most {cap}."
    )
    awards = [
        f"{show_dollars(award.value * 100)} at a bonus of {_show_span(span)}"
        for span, award in rules.share.items()
    ]
    who = "any wager" if rules.share_needs.value == "any-bet" else "a line wager"
    others = "every player" if rules.share_shooter.value else "every other player"
    yield f"Share the Wealth: {others} with {who} up receives {join_words(awards)}."


def _show_span(span: str) -> str:
    """Return a range of bonus amounts ("100-700") in dollars."""
    return " to ".join(show_dollars(int(end) * 100) for end in span.split("-"))


_WHEN_MADE_WORDS = {
    "any": "Made at any time.",
    "come-out": "Made before a come-out roll.",
    "point": "Made while a point is on.",
    "number": "Made once the flat wager has its number.",
    "after-seven": "Made before a new shooter's first come-out roll, or right after a 7.",
    "new-shooter": "Closes at a new shooter's first come-out roll.",
}
#: What decides a wager that the rows of its payouts do not explain, by its ``decision_kind``.
_DECISION_WORDS: dict[DecisionKind, str] = {
    "two-rolls": "Stays up for the roll after the point.",
    "pass-wins": "Paid or taken at a 7 that ends a point.",
    "twice-hard": "Any 7 takes it, and so does the number made easy after its first hardway.",
}


#: Shapes that the sections below show; a new shape is listed under "Other bets".
_SHAPES_WITH_A_SECTION = (FirstRollWager, OddsRule, Race, Hardway, OneRoll, Composite, Collect)


def make_wager_sections(house: House) -> Iterator[PlacardSection]:
    """Yield the sections of the placard that together show every wager that the house deals.

    Line and come wagers are first, and collecting wagers such as fire last.
    """
    yield PlacardSection("Pass and come", tuple(_flat_rows(house)))
    yield from _odds_sections(house)
    yield from _number_sections(house)
    sections = {
        "Hardways": _plain_rows(house, Hardway),
        "One roll": _plain_rows(house, OneRoll),
        "Hops, one roll": _hop_rows(house),
        "Combinations, one roll": _composite_rows(house),
        "Other bets": _other_rows(house),
    }
    for title, rows in sections.items():
        if found := tuple(rows):
            yield PlacardSection(title, found)
    yield from _collect_sections(house)


def _select(house: House, shape: type[W]) -> Iterator[tuple[str, W]]:
    """Yield (family, rule) for the wagers of one shape that the house deals."""
    return ((f, rule) for f, rule in iter_dealt_wagers(house) if isinstance(rule, shape))


def _flat_rows(house: House) -> Iterator[PlacardRow]:
    for family, rule in iter_dealt_wagers(house):
        if not isinstance(rule, FirstRollWager):
            continue
        push, put, odds = rule.push_totals, rule.put_numbers, _find_odds(house, family, rule, 0)
        notes = [f"{join_words(push)} on the first roll is a push"] if push else []
        if rule.is_line and rule.made.value == "any":
            notes.append("may be put on the point")
        elif put:
            notes.append(f"may be put on {join_words(put, 'or')}")
        yield PlacardRow(rule.title, odds, "; ".join(notes))


def _find_odds(house: House, slug: str, rule: AnyWager, number: int) -> str:
    """Return the odds of a wager's first payout line, as posted."""
    return show_posted_odds(house, find_pay_lines(house, slug, rule, number)[0][1], slug)


def _number_rows(by_number: dict[int, str]) -> tuple[PlacardRow, ...]:
    """Return a row for each group of numbers with the same payout, from the payout by number."""
    groups = group_numbers(by_number)
    return tuple(PlacardRow(join_words(numbers, "or"), pays) for pays, numbers in groups.items())


def _odds_sections(house: House) -> Iterator[PlacardSection]:
    """Yield the sections on odds by number. Pass and come share one if they are paid alike."""
    merged: dict[tuple[tuple[PlacardRow, ...], tuple[str, ...]], list[str]] = {}
    for family, rule in _select(house, OddsRule):
        by_come, laid = rule.find_flat(house.book).is_come, rule.is_laid(house.book)
        rows = _number_rows(
            {
                n: _find_odds(house, f"{family}-{n}" if by_come else family, rule, n)
                for n in (house.laid_multiples if laid else house.taken_multiples)
            }
        )
        merged.setdefault((rows, (_describe_odds_limit(house, rule),)), []).append(rule.title)
    for (rows, notes), (first, *more) in merged.items():
        yield PlacardSection(join_words([first, *(t.lower() for t in more)]), rows, notes)


def _describe_odds_limit(house: House, rule: OddsRule) -> str:
    laid = rule.is_laid(house.book)
    by = house.laid_by if laid else house.book.odds.taken_by.value
    lead = "May win at most" if by == "win" else "At most"
    multiples = house.laid_multiples if laid else house.taken_multiples
    (most, numbers), *more = group_numbers({n: show_value(m) for n, m in multiples.items()}).items()
    on = f" on {join_words(numbers)}" if more else ""
    words = [f"{lead} {'' if most == '1' else f'{most} times '}the flat wager{on}"]
    words += [f"{times} times on {join_words(numbers)}" for times, numbers in more]
    parts = [", ".join(words)]
    if house.book.odds.posted_max.value:
        parts.append("within the maximum")
    if house.book.odds.fit.value:
        parts.append("or the next amount that pays exactly")
    return f"{', '.join(parts)}."


def _number_sections(house: House) -> Iterator[PlacardSection]:
    for family, rule in _select(house, Race):
        slugs = iter_slugs(house.book, family, rule)
        rows = _number_rows({n: _find_odds(house, slug, rule, n) for slug, n in slugs})
        title = f"{rule.title}: 7 before the number" if rule.wins_on_seven else rule.title
        yield PlacardSection(title, rows, (_describe_vig(house, rule),) if rule.vig else ())


def _describe_vig(house: House, rule: Race) -> str:
    """Return the vigorish in words: its rate, of what, when and how rounded."""
    terms = house.vig[rule.vig]
    if terms.rate == 0:
        return "No vigorish."
    base = "the wager" if terms.base == "stake" else "what it may win"
    rounding = {
        "down": f"rounded down to {show_dollars(terms.chip)}",
        "up": f"rounded up to {show_dollars(terms.chip)}",
        "half-up": f"rounded to the nearest {show_dollars(terms.chip)}, halves up",
        "exact": "to the cent",
    }[terms.rounding]
    won = [n for n in rule.numbers.value if n in terms.won_on]
    if not won:
        when = "taken when the wager is made"
    elif len(won) == len(rule.numbers.value):
        when = "taken only when the wager wins"
    else:
        when = f"taken when the wager is made, on {join_words(won)} only when it wins"
    return f"Vigorish {show_value(terms.rate * 100)} percent of {base}, {rounding}; {when}."


def _plain_rows(house: House, shape: type[AnyWager], hops: bool = False) -> Iterator[PlacardRow]:
    """Yield one row for each payout line of this shape's wagers: hops only, or all but hops."""
    for family, rule in _select(house, shape):
        if rule.is_hop == hops:
            yield from _pay_line_rows(house, family, rule)


def _pay_line_rows(house: House, family: str, rule: AnyWager) -> Iterator[PlacardRow]:
    lines = find_pay_lines(house, family, rule, 0)
    for pay, odds in lines:
        faces = f" on {join_words(pay.on, 'or')}" if len(lines) > 1 else ""
        yield PlacardRow(f"{rule.title}{faces}", show_posted_odds(house, odds, family))


def _other_rows(house: House) -> Iterator[PlacardRow]:
    """Yield the rows of wagers whose kind has no section of its own, for the section "Other bets".

    So no wager that the house deals is missing from the placard. The last row of a side bet has a
    note on when the bet is made and what decides it.
    """
    for family, rule in iter_dealt_wagers(house):
        if isinstance(rule, PointSeven):
            pays = [
                (describe_roll(rule, pay), show_posted_odds(house, odds))
                for pay, odds in find_pay_lines(house, family, rule, 0)
            ]
        elif isinstance(rule, StagedWager):
            pays = [
                (describe_stages(rule, stages), shown)
                for stages, shown in group_stages(house, family, rule)
            ]
        else:
            if not isinstance(rule, _SHAPES_WITH_A_SECTION):
                yield from _pay_line_rows(house, family, rule)
            continue
        *rows, last = (PlacardRow(f"{rule.title}, {name}", shown) for name, shown in pays)
        yield from rows
        decided = _DECISION_WORDS.get(rule.decision_kind, "")
        note = f"{_WHEN_MADE_WORDS[rule.made.value]} {decided}".strip()
        yield msgspec.structs.replace(last, note=note)


def _hop_rows(house: House) -> Iterator[PlacardRow]:
    """Yield a row for each group of hops that are paid alike, with their dice."""
    groups: dict[str, list[str]] = {}
    for row in _plain_rows(house, OneRoll, hops=True):
        groups.setdefault(row.pays, []).append(row.label.removesuffix(" hop"))
    return (PlacardRow(", ".join(dice), pays) for pays, dice in groups.items())


def _composite_rows(house: House) -> Iterator[PlacardRow]:
    """Yield a row for each composite (such as the horn), with the units on each of its legs."""
    for _, rule in _select(house, Composite):
        number = rule.high.value[0] if rule.high is not None else 0
        units = sum(rule.find_legs(house.book, number).values())
        titles = [house.book.wager[leg].title.lower() for leg in rule.legs.value]
        note = f"one unit each on {join_words(titles)}"
        if len(set(rule.legs.value.values())) > 1:
            parts = zip(rule.legs.value.values(), titles, strict=True)
            note = join_words(f"{count} on {title}" for count, title in parts)
        if rule.high is not None and rule.high_units is not None:
            numbers = join_words(rule.high.value, "or")
            note += f", and {rule.high_units.value} more on the one named ({numbers})"
        yield PlacardRow(rule.title, f"in {units}s", f"{note}, each paid as posted")


def _collect_sections(house: House) -> Iterator[PlacardSection]:
    """Yield the sections on fire and bonus wagers: pay, limits, when they close and are paid."""
    by_offer: dict[str, list[tuple[str, Collect]]] = {}
    for family, rule in _select(house, Collect):
        by_offer.setdefault(rule.offer or family, []).append((family, rule))
    for offer, members in by_offer.items():
        rows = tuple(row for family, rule in members for row in _collect_rows(house, family, rule))
        named = [rule.title for family, rule in members if family == offer or len(members) == 1]
        title = named[0] if named else f"{offer.capitalize()} craps"
        yield PlacardSection(title, rows, tuple(_collect_notes(house, *members[0])))


def _collect_rows(house: House, family: str, rule: Collect) -> Iterator[PlacardRow]:
    lines = find_pay_lines(house, family, rule, 0)
    if rule.counts.value not in SHARED_KINDS:
        yield from _tally_rows(house, family, rule)
        return
    if not rule.counts_points:
        needs = f"{join_words(rule.needs.value)}, each before any 7"
        for pay, odds in lines:
            some = f", {pay.on[0]} of them" if len(lines) > 1 else ""
            note = needs if pay is lines[-1][0] else ""
            yield PlacardRow(f"{rule.title}{some}", show_posted_odds(house, odds, family), note)
        return
    top = max(int(count) for pay, _ in lines for count in pay.on)
    for pay, odds in lines:
        more = " or more" if int(pay.on[-1]) == top and top < len(rule.needs.value) else ""
        yield PlacardRow(
            f"{pay.on[0]}{more} different points", show_posted_odds(house, odds, family)
        )


def _tally_rows(house: House, family: str, rule: Collect) -> Iterator[PlacardRow]:
    """Yield a row for each count that pays, for a side bet with a count of its own."""
    lines = find_pay_lines(house, family, rule, 0)
    tiers = rule.find_tiers(lines)
    paid = sorted(tiers.items())
    for (count, (odds, _)), after in zip(paid, [*sorted(tiers)[1:], 0], strict=True):
        more = " or more" if not after and rule.goes_beyond(count) else ""
        more = f" to {after - 1}" if after > count + 1 else more
        name = rule.describe_count(count, more) if count else rule.title
        numbers = join_words(rule.needs.value, "or")
        note = "" if count else f"{numbers}, {rule.fewest} {rule.unit_name} before any 7"
        posted = show_posted_odds(house, odds, family) if odds.win else "push"
        yield PlacardRow(name, posted, note)


def _collect_notes(house: House, family: str, rule: Collect) -> Iterator[str]:
    if rule.counts_points:
        yield f"The points that count: {join_words(rule.needs.value)}, each once."
    limits = find_limits(house, rule, family, 0)
    if rule.minimum is not None or rule.maximum is not None:
        step = lcm(house.chip, rule.step.value * 100 if rule.step else 1)
        low, high = -(-limits.low // step) * step, limits.high - limits.high % step
        steps = f", in steps of {show_dollars(step)}" if rule.step else ""
        yield f"From {show_dollars(low)} to {show_dollars(high)}{steps}."
    yield _WHEN_MADE_WORDS[rule.made.value]
    if rule.settled.value == "loser-seven" and rule.lost_by.value == "loser-seven":
        yield f"Paid or taken at a 7 that ends a point, once, at the most {rule.unit_name}" + (
            " made." if rule.counts_points else "."
        )
    elif rule.settled.value == "complete":
        yield "Paid as soon as complete."
    if rule.lost_by.value == "any-seven":
        yield "Any 7 takes it."
    elif rule.lost_by.value == "line-loss":
        yield "A loss of the pass line ends the row: it is paid or taken then."


def group_stages(
    house: House, family: str, rule: StagedWager
) -> Iterator[tuple[tuple[int, ...], str]]:
    """Group the stages of a side bet by what they pay: yield (stages, their odds on the placard).

    A stage is how far the bet has come, such as the number of points made so far. A stage at odds
    of 0 is posted as "push".
    """
    groups: dict[Odds, list[int]] = {}
    for stage, _, odds in find_stage_lines(house, family, rule):
        groups.setdefault(odds, []).append(stage)
    for odds, stages in groups.items():
        yield tuple(stages), show_posted_odds(house, odds, family) if odds.win else "push"


_WIDTH = 80
_COLUMN_WIDTH = 38
_GUTTER = " " * (_WIDTH - 2 * _COLUMN_WIDTH)


def make_placard(house: House) -> Placard:
    """Return everything that the card of a house says."""
    return Placard(
        name=house.name,
        game=describe_game(house.game),
        book=house.book.title,
        sections=(make_limits_section(house), *make_wager_sections(house)),
        notices=tuple(write_notices(house)),
    )


def render_placard_text(house: House) -> str:
    """Return the payout card of a house as text, in two columns."""
    card = make_placard(house)
    lines = [*_render_heading(card), ""]
    left, right = _split_columns([_render_section(section) for section in card.sections])
    height = max(len(left), len(right))
    left += [""] * (height - len(left))
    right += [""] * (height - len(right))
    lines += [
        f"{a:<{_COLUMN_WIDTH}}{_GUTTER}{b}".rstrip() for a, b in zip(left, right, strict=True)
    ]
    lines += ["-" * _WIDTH]
    for notice in card.notices:
        lines += _wrap_text(notice, _WIDTH, "* ", "  ")
    return "\n".join(lines) + "\n"


def _render_heading(card: Placard) -> Iterator[str]:
    yield "=" * _WIDTH
    yield card.name.upper().center(_WIDTH).rstrip()
    rules = f" under {card.book}" if card.book != card.name else ""
    yield f"{card.game}{rules}: what each wager pays".center(_WIDTH).rstrip()
    yield "=" * _WIDTH


def _wrap_text(text: str, width: int, first: str = "", then: str = "") -> list[str]:
    return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=then)


def _render_section(section: PlacardSection) -> list[str]:
    lines = [section.title.upper()]
    for row in section.rows:
        lines += _render_row(row)
    for note in section.notes:
        lines += _wrap_text(note, _COLUMN_WIDTH, "  ", "  ")
    return [*lines, ""]


def _render_row(row: PlacardRow) -> list[str]:
    """Return the lines of a row: the label (wrapped if long), dots, the payout, then the note."""
    *above, last = _wrap_text(row.label, _COLUMN_WIDTH - len(row.pays) - 3, "  ", "    ")
    dots = "." * (_COLUMN_WIDTH - len(last) - len(row.pays) - 2)
    lines = [*above, f"{last} {dots} {row.pays}"]
    if row.note:
        lines += _wrap_text(row.note, _COLUMN_WIDTH, "    ", "    ")
    return lines


def _split_columns(blocks: list[list[str]]) -> tuple[list[str], list[str]]:
    """Return (left, right): the lines of the blocks in two columns of about the same height.

    Each block stays in one column.
    """
    total = sum(map(len, blocks))
    best = min(
        range(len(blocks) + 1),
        key=lambda at: max(h := sum(map(len, blocks[:at])), total - h),
    )
    left = [line for block in blocks[:best] for line in block]
    right = [line for block in blocks[best:] for line in block]
    return left, right


def render_placard_html(house: House) -> str:
    """Return the payout card as an HTML document. Raise MissingExtra if Jinja2 is not installed."""
    return render_document("placard.html", "placard.css", card=make_placard(house))
