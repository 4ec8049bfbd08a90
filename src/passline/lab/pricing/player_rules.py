"""The rules of a house that matter to players, by wager.

They are read from the compiled layout, or found by asking the table's checks what they allow.
``list_rules`` returns each rule with its value and its clauses. ``compare_rules`` lists the rules
that differ between two houses. The texts are in ``game.words.player_rules``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from passline.game.house.elections import show_value
from passline.game.house.house import House
from passline.game.house.payouts import find_pay_lines
from passline.game.law.citations import CitedEntry, CitedValue
from passline.game.law.roles import ROLES
from passline.game.law.shapes.first_roll import FirstRollWager
from passline.game.layout.compile import compile_layout
from passline.game.layout.odds_limits import find_limit_clause, find_odds_price
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import Refusal, Stake
from passline.game.layout.wager_checks import (
    NO_MAXIMUM,
    Moment,
    check_call,
    check_change_period,
    check_raise,
    check_time,
    find_bounds,
    find_spot,
)
from passline.game.words.placard import group_numbers, shorten_titles
from passline.game.words.player_rules import describe_rule_value, label_rule
from passline.game.words.wagers import layout_name, screen_wager_name
from passline.text import join_words

#: The wager of a rule that is about the whole house.
WHOLE_HOUSE = ""


class HouseRule(msgspec.Struct, frozen=True, kw_only=True):
    """One rule of a house, on ``wager`` or on the whole house, with its value in words.

    ``rule`` is a code for the subject, such as "come-out". The rule "layout" says whether the
    layout has a spot for the bet that ``of`` names; ``of`` is empty for other rules.
    """

    wager: str = WHOLE_HOUSE
    rule: str
    of: str = ""
    words: str
    cites: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """The wager, code and bet that the rule is about, which are the same in every house."""
        return self.wager, self.rule, self.of


class RuleDifference(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that differs between two houses, as the ``first`` and the ``second`` have it."""

    wager: str
    rule: str
    of: str
    first: HouseRule
    second: HouseRule

    @property
    def label(self) -> str:
        """What the rule is about, in words."""
        return label_rule(self.rule, self.of)


def compare_rules(first: House, second: House) -> tuple[RuleDifference, ...]:
    """Return the rules in which two houses differ: of each wager in order, then of the house.

    A wager that only one house deals has one difference, the rule "dealt". A rule that only one of
    the houses has, such as the value of coupons where only one takes them, is left out.

    >>> from passline.game.house.load import house_for
    >>> found = compare_rules(house_for("new-jersey"), house_for("iowa"))
    >>> (hard,) = [one for one in found if (one.wager, one.rule) == ("hard-4", "come-out")]
    >>> hard.first.words, hard.first.cites[0], hard.second.words
    ('off unless called on', '19:47-1.3(e)#3', 'works')
    """
    sides = [{rule.key: rule for rule in list_rules(house)} for house in (first, second)]
    layouts = compile_layout(first), compile_layout(second)
    missing = [_list_missing(*layouts), _list_missing(*reversed(layouts))]
    for side, absent in zip(sides, missing, strict=True):
        side.update({rule.key: rule for rule in absent})
    alone = {rule.wager for absent in missing for rule in absent}
    found = []
    for key, one in sides[0].items():
        two, (wager, rule, of) = sides[1].get(key), key
        if two is None or one.words == two.words or (wager in alone and rule != "dealt"):
            continue
        found.append(RuleDifference(wager=wager, rule=rule, of=of, first=one, second=two))
    found.sort(key=lambda each: each.wager == WHOLE_HOUSE)
    return tuple(found)


def list_rules(house: House) -> list[HouseRule]:
    """Return every rule of a house that matters to players: of each wager, then of the house."""
    layout, found = compile_layout(house), []
    for spot in layout.spots.values():
        found += _RuleReader(layout, spot).read()
    return [*found, *_read_house(house)]


def group_rules(
    first: House, second: House, rules: Sequence[RuleDifference]
) -> dict[str, list[RuleDifference]]:
    """Group differences by the names of the wagers that share them, such as {"Hardways": [...]}.

    The rules of the whole house are under "The house". Equal differences become one, with the
    clauses of all.
    """
    spots = compile_layout(second).spots | compile_layout(first).spots
    alike: dict[tuple[object, ...], list[RuleDifference]] = {}
    for each in rules:
        key = (each.rule, each.of, not each.wager, each.first.words, each.second.words)
        alike.setdefault(key, []).append(each)
    found: dict[str, list[RuleDifference]] = {}
    for group in alike.values():
        wagers = [spots[each.wager] for each in group if each.wager]
        label = _name_wagers(first, wagers, list(spots.values())) if wagers else "The house"
        found.setdefault(label, []).append(_merge_cites(group))
    return found


def _merge_cites(group: list[RuleDifference]) -> RuleDifference:
    """Return the first of some equal differences, with the clauses of all of them."""
    one, two = (
        msgspec.structs.replace(
            sides[0], cites=tuple(dict.fromkeys(cite for side in sides for cite in side.cites))
        )
        for sides in ([each.first for each in group], [each.second for each in group])
    )
    return msgspec.structs.replace(group[0], first=one, second=two)


def _name_wagers(house: House, wagers: list[Spot], known: list[Spot]) -> str:
    """Return a heading with wagers' names: "Hardways", or with numbers unless it is all of them.

    ``known`` are all wagers. If all hardways or all hops of ``house`` are included, one word stands
    for them.
    """
    titles = []
    for family in dict.fromkeys(spot.family for spot in wagers):
        own = [spot for spot in wagers if spot.family == family]
        every = [spot for spot in known if spot.family == family]
        numbers = join_words(spot.number for spot in own if spot.number)
        title = own[0].rule.title.lower()
        titles.append(title if len(own) == len(every) or not numbers else f"{title} {numbers}")
    names = join_words(shorten_titles(house, titles))
    return names[0].upper() + names[1:]


def _list_missing(layout: Layout, other: Layout) -> list[HouseRule]:
    """Return a rule "dealt: no" for each wager that only the ``other`` layout has."""
    found = []
    for slug in other.spots:
        if slug not in layout.spots:
            why = find_spot(layout, slug)
            cites = (why.cite,) if isinstance(why, Refusal) else ()
            words = describe_rule_value("dealt", value=False)
            found.append(HouseRule(wager=slug, rule="dealt", words=words, cites=cites))
    return found


class _RuleReader:
    """Reads the rules of one wager from its spot on a layout."""

    def __init__(self, layout: Layout, spot: Spot) -> None:
        self.layout, self.spot, self.house = layout, spot, layout.house
        self.book, self.point = layout.house.book, layout.house.book.points.value[0]
        self.found: list[HouseRule] = []

    def read(self) -> list[HouseRule]:
        """Return all rules of the wager."""
        self._add("dealt", _clauses(self.spot.rule.made), value=True)
        self._read_pays()
        self._read_times()
        self._read_calls()
        if self.spot.is_odds:
            self._read_odds()
        else:
            self._read_limits()
        self._read_vigorish()
        book, slug = self.book, self.spot.slug
        taken = slug in book.tender.match_play.value and self.house.offers("match_play")
        self._add("coupon", _cite(self.house, book.tender.match_play, "offers.match_play"), taken)
        return self.found

    def _add(self, rule: str, cites: tuple[str, ...], value: object = None, **more: object) -> None:
        words = describe_rule_value(rule, value=value, **more)
        cites = tuple(dict.fromkeys(cites))
        self.found.append(HouseRule(wager=self.spot.slug, rule=rule, words=words, cites=cites))

    def _read_pays(self) -> None:
        house, spot = self.house, self.spot
        faces: dict[str, list[str]] = {}
        cites: list[str] = []
        for number in self._list_numbers():
            for pay, odds in find_pay_lines(house, spot.slug, spot.rule, number):
                on = (number,) if spot.is_odds else () if number else pay.on
                faces.setdefault(str(odds), []).extend(map(str, on))
                cites.append(pay.cite)
        if faces:
            shown = tuple(
                describe_rule_value("odds-paid", value=tuple(on), odds=odds)
                for odds, on in sorted(faces.items(), key=lambda each: sorted(each[1]))
            )
            cites += _list_elected(house, f"pays.{spot.slug}", f"offers.{spot.rule.offer}")
            self._add("pays", tuple(cites), shown)
        if isinstance(spot.rule, FirstRollWager) and not spot.number:
            push = spot.rule.first_push
            self._add("first-roll", _clauses(push or spot.rule.first_win), spot.rule.push_totals)

    def _list_numbers(self) -> tuple[int, ...]:
        """Return the numbers for which to read the wager's pay.

        For pass or don't pass odds these are the points. For other wagers it is their own number,
        or 0.
        """
        if self.spot.is_odds and not self.spot.number:
            return tuple(self.spot.by_puck)
        return (self.spot.number,)

    def _read_times(self) -> None:
        """Add the rules on when the wager may be made, raised, reduced and taken down.

        The checks of the table decide, for each moment: come-out, point, and so on.
        """
        spot, up = self.spot, {self.spot.slug: Stake(1, 1), self.spot.flat: Stake(1, 1)}
        moments = {
            "new-shooter": Moment(),
            "after-seven": Moment(fresh=False, after_seven=True),
            "come-out": Moment(fresh=False),
            "point": Moment(puck=self.point, fresh=False),
        }
        times = [name for name, at in moments.items() if check_time(spot, at, up) is None]
        made = {0: "never", 1: times[0] if times else "", 2: "after-seven", 3: "come-out", 4: "any"}
        self._add("made", _clauses(spot.rule.made), made[len(times)])
        off, on = Moment(fresh=False), Moment(puck=self.point, fresh=False)
        raises = [check_raise(spot, at, up) is None for at in (off, on)]
        self._add("raised", _clauses(spot.raises), _name_period(*raises))
        for rule, period in (("reduced", spot.reduces), ("taken-down", spot.removes)):
            kind: Any = "reduced" if rule == "reduced" else "taken-down"
            allowed = [check_change_period(period, spot, at, kind) is None for at in (off, on)]
            self._add(rule, _clauses(period), _name_period(*allowed))

    def _read_calls(self) -> None:
        layout, spot, rule = self.layout, self.spot, self.spot.rule
        stated = rule.come_out or self.book.working
        callable_on = check_call(layout, spot, None, on=True) is None
        working = "on" if spot.works else "callable" if callable_on else "off"
        own = () if rule.call_on is None or spot.works else _clauses(rule.call_on)
        self._add("come-out", (*_clauses(stated), *own), working)
        refused = check_call(layout, spot, None, on=False)
        call = "no" if rule.call_off is None or refused is not None else rule.call_off.value
        cites = _clauses(rule.call_off) if rule.call_off is not None else ()
        self._add("called-off", cites or ((refused.cite,) if refused else ()), call)
        self._add("stays", _clauses(rule.stays or self.book.stays), spot.stays)

    def _read_limits(self) -> None:
        house, spot = self.house, self.spot
        bounds = find_bounds(self.layout, spot, 0, {})
        low = _list_elected(
            house,
            f"limits.min_by_wager.{spot.slug}",
            "limits.center_min" if spot.rule.area == "center" else "limits.min",
        )
        high = _list_elected(house, f"limits.max_by_wager.{spot.slug}", "limits.max")
        self._add("least", (spot.minimum_cite, *low), bounds.least)
        most = None if bounds.most >= NO_MAXIMUM - bounds.step else bounds.most
        self._add("most", (spot.maximum_cite, *high), most)
        chips = _list_elected(house, "limits.smallest_chip", "limits.breakage")
        self._add("stakes", (spot.step_cite, *chips), bounds.step)

    def _read_odds(self) -> None:
        layout, house, limits = self.layout, self.house, self.book.odds
        laid = self.spot.rule.is_laid(self.book)
        times, cites = {}, []
        for number in self._list_numbers():
            price = find_odds_price(self.spot, number)
            most = Fraction((house.laid_multiples if laid else house.taken_multiples)[number])
            if (house.laid_by if laid else limits.taken_by.value) == "win":
                most *= Fraction(price.stake, price.win)
            times[number] = show_value(most)
            cites.append(find_limit_clause(layout, self.spot, number))
            cites += _list_elected(house, f"odds.multiple.{number}", "odds.multiple")
        shown = tuple(
            describe_rule_value(
                "odds-multiple", value=most, numbers=() if self.spot.number else tuple(numbers)
            )
            for most, numbers in group_numbers(times).items()
        )
        self._add("odds-limit", tuple(cites), shown)
        posted = house.max_by_wager.get(self.spot.slug)
        if limits.posted_max.value:
            posted = house.max_by_wager.get(self.spot.slug, house.maximum)
        own = _list_elected(house, f"limits.max_by_wager.{self.spot.slug}", "limits.max")
        self._add("most", (*_clauses(limits.posted_max), *own), posted)
        least = house.min_by_wager.get(self.spot.slug)
        low = _list_elected(house, f"limits.min_by_wager.{self.spot.slug}")
        self._add("least", (self.book.stakes.under_min.cite, *low), least)
        self._add("odds-fit", _clauses(limits.fit), limits.fit.value)
        small = limits.under_min
        stakes: CitedEntry = self.book.stakes.true_odds_breakage
        how = "any"
        if house.true_odds_breakage == "refuse":
            how = "exact"
        elif small is not None and small.value == "exact":
            stakes, how = small, "small-exact"
        self._add("stakes", _cite(house, stakes, "limits.breakage"), how)
        if laid and self.book.changes.dont_odds_basis is not None:
            basis = self.book.changes.dont_odds_basis
            self._add("odds-basis", _clauses(basis), basis.value)

    def _read_vigorish(self) -> None:
        which = self.spot.vig
        if not which:
            self._add("vigorish", ())
            return
        law, terms = self.book.vig[which], self.house.vig[which]
        keys = (f"{which}.rate", f"{which}.base", f"{which}.when", f"{which}.rounding")
        elected = _list_elected(self.house, *keys, f"{which}.when.{self.spot.number}")
        cites = [*law.rate.clauses, *law.base.clauses, *law.when.clauses, *_clauses(law.rounding)]
        self._add(
            "vigorish",
            (*cites, *elected),
            which,
            rate=f"{show_value(terms.rate * 100)}%",
            base=terms.base,
            when="won" if self.spot.vig_won else "made",
            rounding=describe_rule_value("rounding", value=terms.rounding, chip=terms.chip),
        )
        self._add("vigorish-returned", _clauses(law.refund), terms.refund)
        renews = () if law.renews is None else _clauses(law.renews)
        self._add("vigorish-renewed", renews, terms.renews)


def _name_period(before: bool, after: bool) -> str:
    """Return the code for when a change is allowed.

    ``before`` says whether it is allowed with the puck off, and ``after`` with the puck on.
    """
    return {(True, True): "always", (True, False): "until-number", (False, True): "number"}.get(
        (before, after), "never"
    )


def _clauses(stated: CitedEntry) -> tuple[str, ...]:
    return stated.clauses or (stated.cite,)


def _list_elected(house: House, *keys: str) -> tuple[str, ...]:
    """Return a citation for each option that the house has elected under one of these keys.

    A longer key counts too: "pays.field-12" for "pays.field".
    """
    return tuple(
        f"custom: the house elects {own}"
        for own in house.elections
        if any(own == key or own.startswith(f"{key}-") for key in keys)
    )


def _cite(house: House, stated: CitedEntry, *keys: str) -> tuple[str, ...]:
    """Return citations of the house's choices under these keys, or else the rulebook's clauses."""
    return _list_elected(house, *keys) or _clauses(stated)


def _read_house(house: House) -> Iterator[HouseRule]:
    """Yield the rules of the whole house, about bets, mistakes, settlement, dice and crew."""
    book, stakes, tender, dice = house.book, house.book.stakes, house.book.tender, house.book.dice

    def rule(name: str, value: object, *cites: str, of: str = "") -> HouseRule:
        words = describe_rule_value(name, value=value)
        return HouseRule(rule=name, of=of, words=words, cites=cites)

    def cited(name: str, stated: CitedValue[Any]) -> HouseRule:
        return rule(name, stated.value, *_clauses(stated))

    def elective(name: str, value: object, stated: CitedValue[Any], *keys: str) -> HouseRule:
        return rule(name, value, *_cite(house, stated, *keys))

    yield elective("chip", house.chip, stakes.chip_default, "limits.smallest_chip")
    chips = tuple(
        describe_rule_value("chip-color", color=chip.color, value=chip.value)
        for chip in house.rack.chips
    )
    own = [key for key in house.elections if key.startswith("chips.")]
    yield rule("chips", chips, *_list_elected(house, *own))
    yield elective("breakage", house.breakage, stakes.breakage, "limits.breakage")
    yield elective(
        "true-odds-breakage",
        house.true_odds_breakage,
        stakes.true_odds_breakage,
        "limits.breakage",
    )
    yield cited("found-over", stakes.found_over)
    yield cited("found-under", stakes.found_under)
    yield cited("call-bets", tender.call_bets)
    yield cited("closes", tender.closes)
    late = tender.late.get(house.game)
    yield rule("late-bets", late.value if late else (), *_clauses(late or tender.closes))
    yield cited("dice-out", tender.dice_out)
    yield cited("no-bet", tender.no_bet)
    if tender.match_play.value and house.offers("match_play"):
        yield cited("coupon-value", tender.match_face)
    yield cited("change-out", tender.change_out)
    yield cited("toke-bets", tender.toke_bets)
    seated = house.game in book.seating.required.value
    yield rule("seated", seated, *_clauses(book.seating.required))
    yield cited("net-center", book.net_center)
    if book.net_center.value:
        yield cited("net-down", book.net_down)
    if house.game not in dice.automated.value:
        yield cited("line-bet", dice.line_bet)
        names = tuple(screen_wager_name(slug) for slug in dice.line_wagers.value)
        yield rule("line-wagers", names, *_clauses(dice.line_wagers))
        yield cited("may-pass", dice.may_pass)
        yield cited("must-pass", dice.must_pass)
    set_of = house.elections.get("dice.set_of", dice.set_of.value)
    yield elective("dice-set", set_of, dice.set_of, "dice.set_of")
    callers = book.throw.callers.get(house.game)
    cites = _clauses(callers) if callers else ()
    elected = _list_elected(house, "dice.no_roll_by")
    by = tuple(role for role in ROLES if role in house.no_roll_by)
    yield rule("no-roll-by", by, *(elected or cites))
    yield from _read_offers(house, rule)


def _read_offers(house: House, rule: Any) -> Iterator[HouseRule]:
    """Yield what a house offers besides wagers: a promotion, spots on the layout, its crew."""
    book = house.book
    shootout = book.shootout is not None and house.offers("shootout")
    stated = () if book.shootout is None else _clauses(book.shootout.points)
    yield rule("shootout", shootout, *(_list_elected(house, "offers.shootout") or stated))
    for key, election in book.elect.items():
        head, _, name = key.partition(".")
        by = election.default if election.default.clauses else election.choices
        if head in {"layout", "crew"}:
            code = "layout" if head == "layout" else f"crew-{name.replace('_', '-')}"
            of = layout_name(name) if head == "layout" else ""
            yield rule(code, house.elected(key), *_cite(house, by, key), of=of)
