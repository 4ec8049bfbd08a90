"""Parse new bets, in any word order: single wagers, lists, lays, tips and two-way bets.

Where the words could mean two bets, raise `UnplayableError` with the choices.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from msgspec.structs import replace

from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Refusal
from passline.game.layout.wager_checks import Moment, check_amount, check_time
from passline.game.layout.wager_checks import find_spot as find_table_spot
from passline.game.table import commands as cmd
from passline.talk.canonical import format_amount, read_amount
from passline.talk.errors import MissingAmountError, NoMatchError, UnplayableError
from passline.talk.groups import (
    PLACE,
    bet_group,
    bet_set,
    find_place_unit,
    find_set_members,
    find_smallest_sum,
    is_group,
    list_group_numbers,
)
from passline.talk.odds_bets import (
    find_every_come_odds,
    find_odds_slug,
    is_every_come_odds,
    is_odds_word,
    refuse_no_odds,
)
from passline.talk.utterance import MONEY_CITE, Utterance, make_unplayable, offer_choices

BOX_NUMBERS = (4, 5, 6, 8, 9, 10)
NUMBERS = (2, 3, *BOX_NUMBERS, 11, 12)
STRAIGHT_BETS = {2: "craps-2", 3: "craps-3", 11: "eleven", 12: "craps-12"}
#: The number of a straight center wager, by its slug.
STRAIGHT_NUMBERS = {slug: number for number, slug in STRAIGHT_BETS.items()}
HORN_HIGH = "horn-high"


def refuse_unclear_each(utterance: Utterance, slug: str, cents: int) -> None:
    """Raise UnplayableError for `C and E for 5 each`: 5 on each part, or 5 on the whole wager?

    Do nothing if the wager has no parts. `cents` is the amount that was said.
    """
    spot = utterance.find_spot(slug)
    if spot is None or not spot.legs:
        return
    whole = sum(spot.legs.values()) * cents
    choices = [f"{slug} for {format_amount(whole)}", f"{slug} for {format_amount(cents)}"]
    raise offer_choices("parts-or-whole", choices, wager=slug, amount=cents)


def refuse_unclear_place(utterance: Utterance, number: int, cents: int) -> None:
    """Raise UnplayableError for `20 on the five` if it could mean odds on a come wager.

    Do nothing if the player has no come wager on that number, or has odds on it already.
    """
    amount = format_amount(cents)
    spots = utterance.spots
    for slug in utterance.wagers:
        odds = spots[slug].behind
        if odds and spots[slug].number == number and odds not in utterance.wagers:
            choices = [f"{PLACE}-{number} for {amount}", f"{odds} for {amount}"]
            raise offer_choices("which-on-number", choices, number=number)


def choose_straight_or_place(
    utterance: Utterance, verb: str, slug: str, cents: int, verb_adjacent: bool
) -> str:
    """Return the wager that the nickname of a center wager means after place, buy or lay.

    If the table deals, say, place on that number, `place boxcars` means that; else it means the
    center wager `slug`, and other verbs raise NoMatchError. `place 20 on boxcars`, where the verb
    is not next to the nickname (`verb_adjacent` is False), is ambiguous at a crapless table and
    raises UnplayableError.
    """
    placed = f"{verb}-{STRAIGHT_NUMBERS[slug]}"
    if utterance.find_spot(placed) is not None:
        if verb_adjacent:
            return placed
        amount = format_amount(cents)
        raise offer_choices("which-wager", [f"{placed} for {amount}", f"{slug} for {amount}"])
    if verb != PLACE:
        raise NoMatchError
    return slug


def ask_which_number(utterance: Utterance, word: str, family: str, text: str) -> UnplayableError:
    """Return the error that refuses `lay 60`, which has an amount but no number, with the choices.

    `word` is the verb, `family` its wagers, such as `place-win`, and `text` the amount. Raise
    NoMatchError if there is no choice.
    """
    cents = _read_cents(text)
    amount = format_amount(cents)
    dont = any(utterance.find_kind(slug) == "dont-pass" for slug in utterance.wagers)
    choices = [f"lay odds for {amount}"] if word == "lay" and dont else []
    dealt = [number for number in NUMBERS if utterance.find_spot(f"{family}-{number}")]
    choices += [f"{word} the {number} for {amount}" for number in dealt]
    if not choices:
        raise NoMatchError
    return offer_choices("on-what", choices, verb=word, amount=cents)


def ask_what_to_spread(utterance: Utterance) -> UnplayableError:
    """Return the error that refuses `spread it`, which names neither an amount nor wagers."""
    inside = format_amount(find_smallest_sum(utterance.table, "inside-with-point"))
    hards = format_amount(utterance.table.house.chip * 4)
    with_it = " with the point" if utterance.table.point else ""
    choices = [f"inside{with_it} for {inside}", f"all the hardways for {hards} total"]
    return offer_choices("spread-what", choices)


def bet_worth(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Return the bets of `a nickel's worth on the yo`: the words before `worth` are the sum.

    Raise UnplayableError for a lay: the player may mean to lay the sum, or to win it.
    """
    words = tuple(word for word in utterance.words if word != "worth")
    bets = understand_bets(utterance._replace(words=words))
    for bet in bets:
        spot = utterance.find_spot(bet.wager) if isinstance(bet, cmd.Bet) else None
        if spot is None or spot.kind != "lay" or not isinstance(bet, cmd.Bet):
            continue
        stakes = [-(-bet.amount * spot.odds.stake // spot.odds.win), bet.amount]
        choices = [f"{bet.wager} for {format_amount(cents)}" for cents in stakes]
        raise offer_choices("laid-or-won", choices, amount=bet.amount)
    return bets


def read_number_pair(
    utterance: Utterance, family: str, first: str, second: str
) -> list[tuple[str, int]]:
    """Return the bets (wager, cents) that `first` and `second` may mean: either may be the amount.

    `family` is the kind of wager that the verb makes, or "" without a verb. Raise NoMatchError if
    there are none.
    """
    bets: list[tuple[str, int]] = []
    for figure, text in ((first, second), (second, first)):
        number = int(figure) if figure.isdigit() and len(figure) < 3 else 0
        placed = f"{family or PLACE}-{number}"
        if number in NUMBERS and utterance.find_spot(placed) is not None:
            bets.append((placed, read_amount(text)))
        if not family and number in STRAIGHT_BETS:
            bets.append((STRAIGHT_BETS[number], read_amount(text)))
    if not bets:
        raise NoMatchError
    return list(dict.fromkeys(bets))


def ask_which_is_amount(found: list[tuple[str, int]]) -> UnplayableError:
    """Return the error that refuses `5 eleven` or `6 for the eight`: which number is the money?

    `found` has the possible bets as (wager, cents).
    """
    choices = [f"{slug} for {format_amount(cents)}" for slug, cents in found]
    return offer_choices("which-is-amount", choices)


def ask_against_or_on(number: int, cents: int) -> UnplayableError:
    """Return the error that refuses `no ten for 50`: a bet against the ten, or a correction?"""
    amount = format_amount(cents)
    choices = [f"{family}-{number} for {amount}" for family in ("lay", PLACE)]
    return offer_choices("against-or-on", choices, number=number)


def find_lay_amount(utterance: Utterance, number: int, cents: int) -> int:
    """Return the stake in cents of a lay bet on a number, from a sum that may include the vigorish.

    Raise UnplayableError with the choices if the sum fits with and without it.
    """
    slug = f"lay-{number}"
    spot = utterance.find_spot(slug)
    if spot is None or not spot.vig or spot.vig_won:
        return cents
    terms = utterance.table.house.vig[spot.vig]
    chip = utterance.table.house.chip
    least = cents - cents // 10  # Vigorish is always less than a tenth of the lay.
    smaller = range(least - least % chip, cents, chip)
    stakes = [stake for stake in smaller if stake + terms.charge(stake, spot.odds) == cents]
    fitting = [stake for stake in (*stakes, cents) if _lay_fits(utterance, spot, stake)]
    if len(fitting) > 1:
        choices = [f"{slug} for {format_amount(stake)}" for stake in fitting]
        raise offer_choices("vig-in-it", choices, amount=cents)
    return fitting[0] if fitting else cents


def _lay_fits(utterance: Utterance, spot: Spot, cents: int) -> bool:
    """Return whether the house takes a lay of this amount and can pay it exactly."""
    table = utterance.table
    exact = cents % spot.odds.step(table.house.chip) == 0
    return exact and check_amount(table.layout, spot, table.point, {}, cents) is None


#: The verb of a put, a wager on a number that skips its first roll. It is no family of wagers.
_PUT = "put-bet"
_BET_VERBS = {"place": PLACE, "buy": "buy", "lay": "lay", _PUT: _PUT}
_AMOUNT = r"\$?\d[\d,]*(?:\.\d{1,2})?"
_MONEY_PATTERN = re.compile(_AMOUNT, re.ASCII)

# One letter per word: V a verb, N a bare number, M marked money, T a wager or a nickname, f for,
# p on or in, g against, a and, c a comma, e each, t total, l lose, x no, ? any other. The forms
# below are patterns over these letters.
_WORD_LETTERS = {"for": "f", "on": "p", "in": "p", "against": "g", "and": "a", ",": "c"} | {
    "each": "e",
    "total": "t",
    "lose": "l",
    "no": "x",
}
_LIST_PATTERN = r"(?P<what>V?[NT](?:(?:ca|a|c)V?[NT])*)l?"
_TARGETS_PATTERN = r"(?P<what>V?T(?:(?:ca|a|c)T)*)"
_SHARE_PATTERN = r"(?P<share>[et]?)"
_BET_FORMS = tuple(
    re.compile(form)
    for form in (
        # place 6 for 12; 6 and 8 for 12 each
        rf"[pg]?{_LIST_PATTERN}f(?P<sum>[NM]){_SHARE_PATTERN}",
        rf"[pg]?{_LIST_PATTERN}c?(?P<sum>M){_SHARE_PATTERN}",  # hard 8, $5
        rf"p?{_TARGETS_PATTERN}c?(?P<sum>N){_SHARE_PATTERN}",  # field 5
        # 12 on 8; lay 50 against 10
        rf"V?(?P<sum>[NM]){_SHARE_PATTERN}V?[pg]{_LIST_PATTERN}(?P<late>[et]?)",
        rf"V(?P<sum>[NM]){_SHARE_PATTERN}(?P<what>(?P<set>T))(?P<late>[et]?)",  # place 64 across
        # 5 yo; 5 for the yo; 64 across
        rf"(?P<sum>[NM]){_SHARE_PATTERN}f?{_TARGETS_PATTERN}(?P<late>[et]?)",
        rf"(?P<sum>M){_SHARE_PATTERN}{_LIST_PATTERN}(?P<late>[et]?)",  # $12 6 and 8
        rf"(?P<sum>[NM]){_SHARE_PATTERN}(?P<what>VN(?:(?:ca|a|c)N)*)(?P<late>[et]?)",  # 25 buy 4
        r"(?P<what>V?[NT](?:(?:ca|a|c)V?[NT])+)c?(?P<sum>N)(?P<share>e)",  # 6 and 8 12 each
    )
)
_NO_AMOUNT_FORM = re.compile(rf"p?{_LIST_PATTERN}")


class ParsedBets(NamedTuple):
    """The words of a bet after parsing: the targets (wagers), the verb of each, and the amount.

    A target without a verb has "". `share` is "each" or "total" if the player said so, else "".
    `verb_adjacent` is True if the verb is next to its target and not before the amount.
    """

    verbs: tuple[str, ...]
    targets: tuple[str, ...]
    cents: int
    share: str = ""
    verb_adjacent: bool = True


def understand_bets(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Return the commands for one new bet or several. Raise NoMatchError if there is none."""
    return build_commands(utterance, parse_bets(utterance))


def parse_bets(utterance: Utterance) -> ParsedBets:
    """Return the bets in the words of an utterance. Raise NoMatchError if they are no bet.

    Raise MissingAmountError if they name a wager but no amount, UnplayableError if ambiguous.
    """
    letters = "".join(_classify_word(utterance, word) for word in utterance.words)
    if utterance.words[:1] == ("no",):
        raise _ask_about_no(utterance)
    for form in _BET_FORMS:
        found = form.fullmatch(letters)
        if found is not None:
            return _parse_match(utterance, letters, found)
    if letters == "t":
        raise ask_what_to_spread(utterance)
    if re.fullmatch("V?NN", letters):
        return _parse_two_numbers(utterance)
    if re.fullmatch("[NM]x[NT]", letters) and _read_number(utterance.words[2]):
        return _parse_no_number(utterance)
    if re.fullmatch("VM|VN", letters) and utterance.words[1] not in map(str, NUMBERS):
        verb, amount = utterance.words
        raise ask_which_number(utterance, verb, _BET_VERBS[verb], amount)
    found = _NO_AMOUNT_FORM.fullmatch(letters)
    if found is not None and ("T" in letters or "V" in letters):
        raise MissingAmountError
    raise NoMatchError


def _parse_two_numbers(utterance: Utterance) -> ParsedBets:
    """Return the bet of `place 8 12` or `6 six`: two numbers without a word between them.

    Raise UnplayableError if either number could be the amount.
    """
    verb, first, second = ("", *utterance.words)[-3:]
    family = _BET_VERBS.get(verb, "")
    found = read_number_pair(utterance, family, first, second)
    if len(found) > 1 or (not family and first != second):
        raise ask_which_is_amount(found)
    ((slug, cents),) = found
    if slug in STRAIGHT_NUMBERS:
        return ParsedBets(("",), (slug,), cents)
    return ParsedBets((family or PLACE,), (slug.rpartition("-")[2],), cents)


def _parse_no_number(utterance: Utterance) -> ParsedBets:
    """Return the bet of `$41 no four`: a lay whose sum may include the vigorish.

    Raise NoMatchError for `five no nine`.
    """
    if utterance.words[0] in map(str, NUMBERS):
        raise NoMatchError
    cents, number = _read_cents(utterance.words[0]), _read_number(utterance.words[2])
    return ParsedBets(("lay",), (str(number),), find_lay_amount(utterance, number, cents))


def _ask_about_no(utterance: Utterance) -> UnplayableError:
    """Return the error for `no ten for 50`: a lay, or a correction of what was said before?

    For `no odds`, the choices are to take them down. Raise NoMatchError for other talk.
    """
    if len(utterance.words) > 1 and is_odds_word(utterance.words[1]):
        return refuse_no_odds(utterance)
    parsed = parse_bets(utterance._replace(words=utterance.words[1:]))
    (target,) = parsed.targets if len(parsed.targets) == 1 else ("",)
    if parsed.verbs[0] not in {"", "lay"} or not _read_number(target):
        raise NoMatchError
    return ask_against_or_on(_read_number(target), parsed.cents)


def _read_number(word: str) -> int:
    """Return the number that a word names, if there is a wager on it, or else 0."""
    figure = _strip_number_mark(word)
    number = int(figure) if figure.isascii() and figure.isdigit() and len(figure) < 3 else 0
    return number if number in NUMBERS else 0


def _classify_word(utterance: Utterance, word: str) -> str:
    if word in _WORD_LETTERS:
        return _WORD_LETTERS[word]
    if _MONEY_PATTERN.fullmatch(word):
        return "M" if word[0] == "$" else "N"
    if word in _BET_VERBS:
        return "V"
    return "T" if _is_target(utterance, word) else "?"


def _is_target(utterance: Utterance, word: str) -> bool:
    return (
        _strip_number_mark(word) != word
        or word == HORN_HIGH
        or _is_several(utterance, word)
        or is_every_come_odds(word)
        or is_odds_word(word)
        or utterance.is_slug(word)
    )


def _strip_number_mark(word: str) -> str:
    """Return the number in `total-4` or `number-4`, as text. Return any other word unchanged.

    Normalized talk marks a number so if the player used its nickname or said "the" before it.
    """
    figure = word.removeprefix("total-").removeprefix("number-")
    return figure if figure.isascii() and figure.isdigit() else word


def _parse_match(utterance: Utterance, letters: str, found: re.Match[str]) -> ParsedBets:
    words = utterance.words
    groups = found.groupdict()
    start, end = found.span("what")
    ahead = {words[at] for at in range(start) if letters[at] == "V"}
    if "g" in letters:
        ahead.add("lay")
    if len(ahead) > 1:
        raise NoMatchError
    verb = _BET_VERBS[ahead.pop()] if ahead else ""
    verbs, targets = _pair_verbs(words, letters, start, end, verb)
    if "l" in letters:
        if set(verbs) != {PLACE}:
            raise NoMatchError
        verbs = ["place-lose"] * len(verbs)
    share = groups.get("share") or groups.get("late") or ""
    if groups.get("share") and groups.get("late"):
        raise NoMatchError
    if groups.get("set") and not is_group(targets[0]):
        raise NoMatchError
    amount = words[found.start("sum")]
    if targets[0].startswith("number-") and amount in map(str, NUMBERS) and not verbs[0]:
        # "six for the eight": six dollars, or the six?
        number = _strip_number_mark(targets[0])
        raise ask_which_is_amount(read_number_pair(utterance, "", amount, number))
    return ParsedBets(
        verbs=tuple(verbs),
        targets=tuple(targets),
        cents=_read_cents(amount),
        share={"e": "each", "t": "total", "": ""}[share],
        verb_adjacent=letters[start] == "V" or not verbs[0],
    )


def _pair_verbs(
    words: tuple[str, ...], letters: str, start: int, end: int, verb: str
) -> tuple[list[str], list[str]]:
    """Return (verbs, targets) of the words from `start` to `end`: one verb for each target.

    A target's verb is the last one before it. `verb` is the one before the amount, if any.
    `letters` has one letter for each word, which says its class, such as verb or target.
    """
    verbs, targets = [], []
    for at in range(start, end):
        if letters[at] == "V":
            if verb and at == start:
                raise NoMatchError  # One verb precedes the amount and another follows it.
            verb = _BET_VERBS[words[at]]
        elif letters[at] in "NT":
            verbs.append(verb)
            targets.append(words[at])
    return verbs, targets


def build_commands(utterance: Utterance, parsed: ParsedBets) -> list[cmd.AnyCommand]:
    """Return the commands of parsed bets: on a group, on a named set, or on each target.

    Raise NoMatchError if the words are no bet after all.
    """
    if len(parsed.targets) > 1:
        return _build_several(utterance, parsed)
    (target,), (verb,) = parsed.targets, parsed.verbs
    if every := find_every_come_odds(utterance, target):
        return _build_several(utterance, _spread_over(parsed, every))
    if is_group(target) and verb in _BOUGHT:
        return _bet_on_group_numbers(utterance, parsed, verb, target)
    if _is_several(utterance, target):
        if verb not in {"", PLACE}:
            raise NoMatchError
        bet = bet_group if is_group(target) else bet_set
        return bet(utterance, target, parsed.cents, parsed.share)
    slug = _find_slug(utterance, parsed, verb, target)
    if parsed.share == "each":
        refuse_unclear_each(utterance, slug, parsed.cents)
    return [utterance.make_bet(slug, parsed.cents)]


#: Verbs whose wagers on the numbers of a group are all of one amount.
_BOUGHT = ("buy", "lay")


def _spread_over(parsed: ParsedBets, slugs: list[str]) -> ParsedBets:
    """Return the parsed bet with these wagers as its targets, and the same words for the amount."""
    return parsed._replace(verbs=("",) * len(slugs), targets=tuple(slugs))


def _bet_on_group_numbers(
    utterance: Utterance, parsed: ParsedBets, verb: str, word: str
) -> list[cmd.AnyCommand]:
    """Return the bets of `buy the outside for 25 each`: one on each number of the group.

    Raise UnplayableError if the table does not deal the wager on one of them, or if the player said
    neither `each` nor `total`.
    """
    numbers = list_group_numbers(utterance, word, verb, parsed.cents, parsed.share)
    slugs = [f"{verb}-{number}" for number in numbers]
    for slug in slugs:
        refused = find_table_spot(utterance.table.layout, utterance.find_slug(slug))
        if isinstance(refused, Refusal):
            raise UnplayableError(refused)
    return _build_several(utterance, _spread_over(parsed, slugs))


def _is_several(utterance: Utterance, word: str) -> bool:
    """Return whether a word names a group or a set of wagers, such as `across` or `hards`."""
    return is_group(word) or bool(find_set_members(utterance.table, word))


def _build_several(utterance: Utterance, parsed: ParsedBets) -> list[cmd.AnyCommand]:
    """Return the commands of a bet on several targets, such as `6 and 8 for 12 each`.

    Raise UnplayableError, with the choices, if the player said neither `each` nor `total`, or
    without them if a total does not divide.
    """
    refuse_unclear_family(utterance, parsed)
    if any(_is_several(utterance, target) for target in parsed.targets):
        raise NoMatchError
    named = zip(parsed.verbs, parsed.targets, strict=True)
    slugs = [_find_slug(utterance, parsed, verb, target) for verb, target in named]
    if len(set(slugs)) != len(slugs):
        raise NoMatchError
    if parsed.share == "each" or len(slugs) == 1:
        for slug in slugs:
            refuse_unclear_each(utterance, slug, parsed.cents)
        return [utterance.make_bet(slug, parsed.cents) for slug in slugs]
    amount, names = format_amount(parsed.cents), " and ".join(slugs)
    if parsed.share != "total":
        shares = ["each", "total"] if _divide_sum(utterance, parsed.cents, slugs) else ["each"]
        choices = [f"{names} for {amount} {share}" for share in shares]
        raise offer_choices("each-or-all", choices, amount=parsed.cents)
    parts = _divide_sum(utterance, parsed.cents, slugs)
    if not parts:
        cite = "custom: money is never guessed"
        raise make_unplayable("no-even-parts", cite, amount=parsed.cents, wagers=tuple(slugs))
    return [utterance.make_bet(slug, cents) for slug, cents in parts.items()]


def refuse_unclear_family(utterance: Utterance, parsed: ParsedBets) -> None:
    """Raise UnplayableError for `hard six and eight` or `big six and eight`: is the eight hard too?

    Do nothing if no bare number follows such a wager, if the wager's family has no such number, or
    if the family is the place bets, which a bare number means anyway.
    """
    family, family_verb = "", ""
    for verb, target in zip(parsed.verbs, parsed.targets, strict=True):
        if not target.isdigit():
            family = target.rpartition("-")[0] if target[-1].isdigit() else ""
            family_verb = verb
        elif family in {"", PLACE} or verb != family_verb:
            continue
        elif utterance.is_slug(f"{family}-{target}"):
            raise _ask_family_or_place(parsed, family)


def _ask_family_or_place(parsed: ParsedBets, family: str) -> UnplayableError:
    tail = f"for {format_amount(parsed.cents)} {parsed.share or 'each'}"
    choices = []
    for kind in (family, PLACE):
        slugs = [f"{kind}-{t}" if t.isdigit() else t for t in parsed.targets]
        choices.append(f"{' and '.join(slugs)} {tail}")
    return offer_choices("family-or-place", choices, family=family)


def _divide_sum(utterance: Utterance, cents: int, slugs: list[str]) -> dict[str, int]:
    """Return cents by wager from a sum for all of them. Return {} if the sum does not divide.

    Place bets get parts in proportion to their units ($6 on the 6, $5 on the 5), others equal
    parts.
    """
    chip = utterance.table.house.chip
    placed = [utterance.find_kind(slug) == PLACE for slug in slugs]
    units = dict.fromkeys(slugs, chip)
    if all(placed):
        numbers = {slug: int(slug.rpartition("-")[2]) for slug in slugs}
        placed_units = {s: find_place_unit(utterance.table, n) for s, n in numbers.items()}
        if len(set(placed_units.values())) > 1:  # If all are equal, any even parts will do.
            units = placed_units
    count, left = divmod(cents, sum(units.values()))
    mixed = any(placed) and not all(placed)
    if left or not count or mixed or any(utterance.find_spot(slug) is None for slug in slugs):
        return {}
    return {slug: unit * count for slug, unit in units.items()}


def _find_slug(utterance: Utterance, parsed: ParsedBets, verb: str, target: str) -> str:
    nickname = target.startswith("total-")
    figure = _strip_number_mark(target)
    if figure.isascii() and figure.isdigit():
        number = int(figure[:4])
        if number not in NUMBERS:
            raise NoMatchError
        if verb == _PUT:
            return _find_put_slug(utterance, number)
        return f"{verb}-{number}" if verb else _find_plain_slug(utterance, number, nickname, parsed)
    if target == HORN_HIGH:  # The number that gets two units is missing.
        choices = [f"{HORN_HIGH}-{number}" for number in STRAIGHT_BETS]
        raise offer_choices("high-on-which", utterance.replace_word(HORN_HIGH, choices))
    if verb and target in STRAIGHT_NUMBERS:
        return choose_straight_or_place(utterance, verb, target, parsed.cents, parsed.verb_adjacent)
    if verb not in {"", PLACE}:
        raise NoMatchError
    if is_odds_word(target):
        return find_odds_slug(utterance, target)
    return target


def _find_put_slug(utterance: Utterance, number: int) -> str:
    """Return the wager that `put` means on a number: the pass line if it is the point, else come.

    A player who has a pass wager gets a come wager. The table refuses it if it takes no put bets.
    """
    line, come = utterance.find_spot("pass"), utterance.find_spot(f"come-{number}")
    if number == utterance.table.point and line is not None and line.slug not in utterance.wagers:
        refused = check_time(line, Moment(puck=number, fresh=False), utterance.wagers)
        if refused is None or come is None:
            return line.slug
    return f"come-{number}"


def _find_plain_slug(utterance: Utterance, number: int, nickname: bool, parsed: ParsedBets) -> str:
    """Return the wager on a number that was named without a verb.

    The number means the place bet, or the one-roll center bet on it. `nickname` says that the
    player named it by a nickname. Raise UnplayableError if that is unclear.
    """
    amount = format_amount(parsed.cents)
    placed = utterance.find_spot(f"{PLACE}-{number}") is not None
    if number in BOX_NUMBERS and not nickname:
        refuse_unclear_place(utterance, number, parsed.cents)
        return f"{PLACE}-{number}"
    if number in STRAIGHT_BETS and not placed:
        return STRAIGHT_BETS[number]
    choices = [f"{PLACE}-{number}"]
    choices += [STRAIGHT_BETS[number]] if number in STRAIGHT_BETS else []
    choices += [f"hard-{number}"] if number in {4, 6, 8, 10} else []
    hops = len(find_set_members(utterance.table, f"hops-{number}")) * utterance.table.house.chip
    choices += [f"hop {number}"] if number in BOX_NUMBERS and parsed.cents % hops == 0 else []
    phrases = [f"{choice} for {amount}" for choice in choices]
    raise offer_choices("which-on-number", phrases, number=number)


_TIP_PATTERN = re.compile(
    rf"(?:toke(?: for)? (?P<a>{_AMOUNT})|(?P<b>{_AMOUNT})(?: toke)?(?: for-dealers)?)"
)
_NO_WAGER_PATTERN = re.compile(rf"for-dealers on(?: (?:for )?{_AMOUNT})?")
_BOTH_AMOUNTS = re.compile(
    rf"(?P<what>.+?)(?: for| ,)? (?P<own>{_AMOUNT}) (?:and|,)(?: and)? (?P<theirs>{_AMOUNT})"
)


def understand_tokes(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Return the commands for a tip (toke), a bet for the dealers, or a two-way bet.

    A two-way bet needs both amounts, the player's and the dealers', or `each`. Raise NoMatchError
    for other talk, and UnplayableError if an amount or a wager is missing.
    """
    if "two-way" in utterance.words:
        return _understand_two_way(utterance)
    text = utterance.text
    tip = _TIP_PATTERN.fullmatch(text)
    if tip and ("toke" in utterance.words or "for-dealers" in utterance.words):
        return [cmd.Toke(utterance.player, _read_cents(tip["a"] or tip["b"]))]
    if utterance.words == ("toke",):
        raise make_unplayable("toke-how-much", MONEY_CITE)
    if utterance.words.count("for-dealers") != 1:
        raise NoMatchError
    both = _BOTH_AMOUNTS.fullmatch(text.removesuffix(" for-dealers"))
    if both and text.endswith(" for-dealers"):
        return _build_two_way(utterance, both["what"], both["own"], both["theirs"])
    if _NO_WAGER_PATTERN.fullmatch(text):
        raise make_unplayable("dealers-on-which", MONEY_CITE)
    words = tuple(word for word in utterance.words if word != "for-dealers")
    return _bet_for_dealers(utterance, words)


def _understand_two_way(utterance: Utterance) -> list[cmd.AnyCommand]:
    words = tuple(word for word in utterance.words if word not in {"two-way", "for-dealers"})
    both = _BOTH_AMOUNTS.fullmatch(" ".join(words))
    if both:
        return _build_two_way(utterance, both["what"], both["own"], both["theirs"])
    # The bet of the player, and of the dealers.
    once = tuple(word for word in words if word != "each")
    own = _understand_own_part(utterance, once)
    if "each" in words:
        return [*own, *_bet_for_dealers(utterance, once)]
    bet = own[0]
    assert isinstance(bet, cmd.Bet)
    if len(own) > 1:  # Several wagers: repeat the player's own words.
        phrase = f"two-way {' '.join(once)}"
        raise offer_choices("as-much-for-dealers", [f"{phrase} each"], said=phrase)
    phrase = f"two-way {bet.wager} for {format_amount(bet.amount)}"
    raise offer_choices("two-way-how-much", [f"{phrase} and 1", f"{phrase} each"], said=phrase)


def _understand_own_part(utterance: Utterance, words: tuple[str, ...]) -> list[cmd.AnyCommand]:
    """Return the commands for the player's half of a two-way bet from these words.

    If the words are ambiguous, raise UnplayableError without choices, since they would lack the
    dealers' half.
    """
    try:
        return understand_bets(utterance._replace(words=words))
    except UnplayableError as doubt:
        if not doubt.choices:
            raise
        raise make_unplayable("two-way-one-by-one", MONEY_CITE) from None


def _build_two_way(utterance: Utterance, what: str, own: str, theirs: str) -> list[cmd.AnyCommand]:
    mine = understand_bets(utterance._replace(words=(*what.split(), "for", own)))
    return [*mine, *_bet_for_dealers(utterance, (*what.split(), "for", theirs))]


def _bet_for_dealers(utterance: Utterance, words: tuple[str, ...]) -> list[cmd.AnyCommand]:
    try:
        found = understand_bets(utterance._replace(words=words))
    except UnplayableError as doubt:
        if not doubt.choices:
            raise
        choices = [f"{choice} for the dealers" for choice in doubt.choices]
        raise UnplayableError(replace(doubt.refusal, allowed=tuple(choices))) from None
    return [
        cmd.TokeBet(utterance.player, bet.wager, bet.amount)
        for bet in found
        if isinstance(bet, cmd.Bet)
    ]


def _read_cents(text: str) -> int:
    return read_amount(text.removeprefix("$"))
