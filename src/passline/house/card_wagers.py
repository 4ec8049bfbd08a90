"""The card's sections of wagers: what each pays, how odds are limited, what vigorish is taken."""

from __future__ import annotations

from collections.abc import Iterator

from passline.house.card import CardRow, Section, families, grouped, posted
from passline.house.house import House
from passline.house.keys import show
from passline.house.limits import legs_of, limits_of
from passline.house.payouts import flat_of, is_laid, lines_for, slugs_of
from passline.law.families import is_hop
from passline.law.wagers import (
    AnyWager,
    Collect,
    Come,
    Composite,
    Hardway,
    Line,
    OddsRule,
    OneRoll,
    Race,
)
from passline.money import show_dollars
from passline.sentences import join_words

_MADE = {
    "any": "Made at any time.",
    "come-out": "Made before a come-out roll.",
    "point": "Made while a point is on.",
    "number": "Made once the flat wager has its number.",
    "new-shooter": "Closes at a new shooter's first come-out roll.",
}


def wager_sections(house: House) -> Iterator[Section]:
    """Every wager dealt, the line first and the side wagers last."""
    yield Section("Pass and come", tuple(_flat_rows(house)))
    yield from _odds_sections(house)
    yield from _number_sections(house)
    sections = {
        "Hardways": _plain_rows(house, Hardway, hops=False),
        "One roll": _plain_rows(house, OneRoll, hops=False),
        "Hops, one roll": _hop_rows(house),
        "Combinations, one roll": _composite_rows(house),
    }
    for title, rows in sections.items():
        if found := tuple(rows):
            yield Section(title, found)
    yield from _collect_sections(house)


def _flat_rows(house: House) -> Iterator[CardRow]:
    for family, rule in families(house):
        if isinstance(rule, Line | Come):
            odds = lines_for(house, family, rule, 0)[0][1]
            push = rule.first_push
            notes = [f"{join_words(push.value)} on the first roll is a push"] if push else []
            notes += _puts(rule)
            yield CardRow(rule.title, posted(house, odds), "; ".join(notes))


def _puts(rule: Line | Come) -> Iterator[str]:
    """Whether it may be put up without its first roll, and where."""
    if isinstance(rule, Line) and rule.made.value == "any":
        yield "may be put on the point"
    elif isinstance(rule, Come) and rule.put is not None:
        yield f"may be put on {join_words(rule.put.value, 'or')}"


def _odds_sections(house: House) -> Iterator[Section]:
    """Odds by number; pass and come share a section where they are paid alike."""
    merged: dict[tuple[tuple[CardRow, ...], tuple[str, ...]], list[str]] = {}
    for family, rule in families(house):
        if isinstance(rule, OddsRule):
            by_come = isinstance(flat_of(house.book, rule), Come)
            by_number = {}
            for number in house.laid if is_laid(house.book, rule) else house.taken:
                slug = f"{family}-{number}" if by_come else family
                by_number[number] = posted(house, lines_for(house, slug, rule, number)[0][1])
            rows = tuple(
                CardRow(join_words(ns, "or"), pays) for pays, ns in grouped(by_number).items()
            )
            merged.setdefault((rows, (_odds_limit(house, rule),)), []).append(rule.title)
    for (rows, notes), titles in merged.items():
        first, *more = titles
        yield Section(join_words([first, *(t.lower() for t in more)]), rows, notes)


def _odds_limit(house: House, rule: OddsRule) -> str:
    laid = is_laid(house.book, rule)
    by = house.laid_by if laid else house.book.odds.taken_by.value
    lead = "May win at most" if by == "win" else "At most"
    multiples = house.laid if laid else house.taken
    (most, numbers), *more = grouped({n: show(m) for n, m in multiples.items()}).items()
    on = f" on {join_words(numbers)}" if more else ""
    words = [f"{lead} {'' if most == '1' else f'{most} times '}the flat wager{on}"]
    words += [f"{times} times on {join_words(numbers)}" for times, numbers in more]
    parts = [", ".join(words)]
    if house.book.odds.posted_max.value:
        parts.append("within the maximum")
    if house.book.odds.fit.value:
        parts.append("or the next amount that pays exactly")
    return f"{', '.join(parts)}."


def _number_sections(house: House) -> Iterator[Section]:
    for family, rule in families(house):
        if isinstance(rule, Race):
            by_number = {}
            for slug, number in slugs_of(house.book, family, rule):
                by_number[number] = posted(house, lines_for(house, slug, rule, number)[0][1])
            rows = tuple(
                CardRow(join_words(ns, "or"), pays) for pays, ns in grouped(by_number).items()
            )
            against = rule.wins.value == "seven"
            title = f"{rule.title}: 7 before the number" if against else rule.title
            notes = (_vig_words(house, rule),) if rule.vig else ()
            yield Section(title, rows, notes)


def _vig_words(house: House, rule: Race) -> str:
    """Rate, on what, when, rounded how."""
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
    return f"Vigorish {show(terms.rate * 100)} percent of {base}, {rounding}; {when}."


def _plain_rows(house: House, shape: type[AnyWager], hops: bool) -> Iterator[CardRow]:
    """One row for each payout line of wagers that are decided by faces."""
    for family, rule in families(house):
        if not isinstance(rule, shape) or is_hop(rule) != hops:
            continue
        lines = lines_for(house, family, rule, 0)
        for pay, odds in lines:
            faces = f" on {join_words(pay.on, 'or')}" if len(lines) > 1 else ""
            yield CardRow(f"{rule.title}{faces}", posted(house, odds))


def _hop_rows(house: House) -> Iterator[CardRow]:
    """Hops that are paid alike on one row, by their dice."""
    groups: dict[str, list[str]] = {}
    for row in _plain_rows(house, OneRoll, hops=True):
        groups.setdefault(row.pays, []).append(row.label.removesuffix(" hop"))
    for pays, dice in groups.items():
        yield CardRow(", ".join(dice), pays)


def _composite_rows(house: House) -> Iterator[CardRow]:
    """A composite is its legs: so many units, each paid as its own wager is posted."""
    for _, rule in families(house):
        if isinstance(rule, Composite):
            number = rule.high.value[0] if rule.high is not None else 0
            units = sum(legs_of(house.book, rule, number).values())
            note = f"one unit each on {join_words(_leg_titles(house, rule))}"
            if len(set(rule.legs.value.values())) > 1:
                parts = zip(rule.legs.value.values(), _leg_titles(house, rule), strict=True)
                note = join_words(f"{count} on {title}" for count, title in parts)
            if rule.high is not None and rule.high_units is not None:
                more = rule.high_units.value
                numbers = join_words(rule.high.value, "or")
                note += f", and {more} more on the one named ({numbers})"
            yield CardRow(rule.title, f"in {units}s", f"{note}, each paid as posted")


def _leg_titles(house: House, rule: Composite) -> list[str]:
    return [house.book.wager[leg].title.lower() for leg in rule.legs.value]


def _collect_sections(house: House) -> Iterator[Section]:
    """Fire and bonus wagers: their pay, their limits, when they close and when they are paid."""
    by_offer: dict[str, list[tuple[str, Collect]]] = {}
    for family, rule in families(house):
        if isinstance(rule, Collect):
            by_offer.setdefault(rule.offer or family, []).append((family, rule))
    for offer, members in by_offer.items():
        rows = tuple(row for family, rule in members for row in _collect_rows(house, family, rule))
        title = members[0][1].title if len(members) == 1 else f"{offer.capitalize()} craps"
        yield Section(title, rows, tuple(_collect_notes(house, *members[0])))


def _collect_rows(house: House, family: str, rule: Collect) -> Iterator[CardRow]:
    lines = lines_for(house, family, rule, 0)
    if rule.counts.value == "totals-thrown":
        needs = join_words(rule.needs.value)
        yield CardRow(rule.title, posted(house, lines[0][1]), f"{needs}, each before any 7")
        return
    top = max(int(count) for pay, _ in lines for count in pay.on)
    for pay, odds in lines:
        more = " or more" if int(pay.on[-1]) == top and top < len(rule.needs.value) else ""
        yield CardRow(f"{pay.on[0]}{more} different points", posted(house, odds))


def _collect_notes(house: House, family: str, rule: Collect) -> Iterator[str]:
    if rule.counts.value == "points-made":
        yield f"The points that count: {join_words(rule.needs.value)}, each once."
    limits = limits_of(house, rule, family, 0)
    if rule.minimum is not None or rule.maximum is not None:
        step = f", in steps of {show_dollars(rule.step.value * 100)}" if rule.step else ""
        yield f"From {show_dollars(limits.low)} to {show_dollars(limits.high)}{step}."
    yield _MADE[rule.made.value]
    if rule.settled.value == "loser-seven":
        yield "Paid or taken at a 7 that ends a point, once, at the most points made."
    else:
        yield "Paid as soon as complete."
    if rule.lost_by.value == "any-seven":
        yield "Any 7 takes it."
