"""Bets that could mean two things: refused with the choices, each of which leaves no doubt.

Lays as dealers say them: ``$41 no four`` is forty against the four, and a dollar of vigorish.

Bets in table talk: what on, and how much, in whatever order they are said.

Tokes in table talk: a tip, a wager for the dealers, and a two-way: the player's and theirs.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from msgspec.structs import replace

from passline.game.layout.spots import Spot
from passline.game.layout.wager_checks import check_amount
from passline.game.table import commands as cmd
from passline.talk.canonical import format_amount, read_amount
from passline.talk.groups import (
    PLACE,
    bet_group,
    bet_set,
    find_place_unit,
    find_set_members,
    find_smallest_sum,
    is_group,
)
from passline.talk.odds import find_odds_slug, is_odds_word, refuse_no_odds
from passline.talk.utterance import (
    MissingAmountError,
    NoMatchError,
    UnplayableError,
    Utterance,
    is_wager_slug,
    make_unplayable,
    offer_choices,
)

BOX_NUMBERS = (4, 5, 6, 8, 9, 10)
NUMBERS = (2, 3, *BOX_NUMBERS, 11, 12)
STRAIGHT_BETS = {2: "craps-2", 3: "craps-3", 11: "eleven", 12: "craps-12"}
#: The number of a straight center wager, by its slug.
STRAIGHT_NUMBERS = {slug: number for number, slug in STRAIGHT_BETS.items()}
HORN_HIGH = "horn-high"


def refuse_unclear_each(heard: Utterance, slug: str, cents: int) -> None:
    """``C and E for 5 each``: so much on each of its parts, or on the wager; refused."""
    spot = heard.spot(slug)
    if spot is None or not spot.legs:
        return
    whole = sum(spot.legs.values()) * cents
    ways = [f"{slug} for {format_amount(whole)}", f"{slug} for {format_amount(cents)}"]
    raise offer_choices("parts-or-whole", ways, wager=slug, amount=cents)


def refuse_unclear_place(heard: Utterance, number: int, cents: int) -> None:
    """``20 on the five`` with a come wager there that has no odds: odds, or a place wager?"""
    said = format_amount(cents)
    spots = heard.table.layout.spots
    for slug in heard.wagers:
        odds = spots[slug].behind
        if odds and spots[slug].number == number and odds not in heard.wagers:
            ways = [f"{PLACE}-{number} for {said}", f"{odds} for {said}"]
            raise offer_choices("which-on-number", ways, number=number)


def choose_straight_or_place(
    heard: Utterance, verb: str, slug: str, cents: int, verb_adjacent: bool
) -> str:
    """A center wager's nickname after place, buy or lay: the number, where it can be had so.

    ``place 20 on boxcars`` (the verb is not ``next_to`` it) may be either at a crapless table.
    """
    placed = f"{verb}-{STRAIGHT_NUMBERS[slug]}"
    if heard.spot(placed) is not None:
        if verb_adjacent:
            return placed
        said = format_amount(cents)
        raise offer_choices("which-wager", [f"{placed} for {said}", f"{slug} for {said}"])
    if verb != PLACE:
        raise NoMatchError
    return slug


def ask_horn_high_number(heard: Utterance) -> UnplayableError:
    """``horn high for 5``: the number that has two units is missing."""
    return offer_choices("high-on-which", heard.replace_word(HORN_HIGH, _HORN_HIGHS))


_HORN_HIGHS = [f"{HORN_HIGH}-{number}" for number in STRAIGHT_BETS]


def ask_which_number(heard: Utterance, word: str, family: str, text: str) -> UnplayableError:
    """``lay 60``: the amount is there, and the number is missing."""
    said = format_amount(read_amount(text.removeprefix("$")))
    dont = any(heard.kind(slug) == "dont-pass" for slug in heard.wagers)
    ways = [f"lay odds for {said}"] if word == "lay" and dont else []
    ways += [f"{word} the {n} for {said}" for n in NUMBERS if heard.spot(f"{family}-{n}")]
    if not ways:
        raise NoMatchError
    return offer_choices("on-what", ways, verb=word, amount=read_amount(text.removeprefix("$")))


def ask_what_to_spread(heard: Utterance) -> UnplayableError:
    """``spread it`` by itself: which money, over which wagers?"""
    inside = format_amount(find_smallest_sum(heard.table, "inside-with-point"))
    hards = format_amount(heard.table.house.chip * 4)
    with_it = " with the point" if heard.table.puck else ""
    ways = [f"inside{with_it} for {inside}", f"all the hardways for {hards} total"]
    return offer_choices("spread-what", ways)


def read_number_pair(
    heard: Utterance, family: str, first: str, second: str
) -> list[tuple[str, int]]:
    """What two bare numbers in a row may be, as wagers and cents: either may be the amount."""
    found: list[tuple[str, int]] = []
    for figure, text in ((first, second), (second, first)):
        number = int(figure) if figure.isdigit() and len(figure) < 3 else 0
        placed = f"{family or PLACE}-{number}"
        ways = [placed] if number in NUMBERS and heard.spot(placed) is not None else []
        if not family and number in STRAIGHT_BETS:
            ways.append(STRAIGHT_BETS[number])
        found += [(way, read_amount(text)) for way in ways]
    if not found:
        raise NoMatchError
    return list(dict.fromkeys(found))


def ask_which_is_amount(found: list[tuple[str, int]]) -> UnplayableError:
    """``5 eleven``, ``6 for the eight``: which of them is the money must be said."""
    ways = [f"{slug} for {format_amount(cents)}" for slug, cents in found]
    return offer_choices("which-is-amount", ways)


def ask_against_or_on(number: int, cents: int) -> UnplayableError:
    """``no ten for 50``: against it, or taking back what was said before."""
    said = format_amount(cents)
    ways = [f"{family}-{number} for {said}" for family in ("lay", PLACE)]
    return offer_choices("against-or-on", ways, number=number)


def find_lay_amount(heard: Utterance, number: int, cents: int) -> int:
    """The lay that a sum is said for: with its vigorish in it, or by itself.

    Refused where either would be paid exactly.
    """
    slug = f"lay-{number}"
    spot = heard.spot(slug)
    if spot is None or not spot.vig or spot.vig_won:
        return cents
    terms = heard.table.house.vig[spot.vig]
    chip = heard.table.house.chip
    least = cents - cents // 10  # no vigorish is a tenth of its lay
    stakes = range(least - least % chip, cents, chip)
    found = [
        s for s in stakes if s + terms.charge(s, spot.odds) == cents and _lay_fits(heard, spot, s)
    ]
    found += [cents] if _lay_fits(heard, spot, cents) else []
    if len(found) > 1:
        ways = [f"{slug} for {format_amount(stake)}" for stake in found]
        raise offer_choices("vig-in-it", ways, amount=cents)
    return found[0] if found else cents


def _lay_fits(heard: Utterance, spot: Spot, cents: int) -> bool:
    """Whether a lay is taken, and paid exactly."""
    exact = cents % spot.odds.step(heard.table.house.chip) == 0
    return exact and check_amount(heard.table.layout, spot, heard.table.puck, {}, cents) is None


_BET_VERBS = {"place": PLACE, "buy": "buy", "lay": "lay"}
_MONEY_PATTERN = re.compile(r"\$?\d[\d,]*(?:\.\d{1,2})?", re.ASCII)

# Each word as a letter: V verb, N a bare number, M marked money, T a wager or a number's nickname,
# f for, p on or in, g against, a and, c a comma, e each, t in all, l to lose, x no; ? any other.
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
        rf"[pg]?{_LIST_PATTERN}f(?P<sum>[NM]){_SHARE_PATTERN}",  # place 6 for 12; 6 and 8 for 12 each  # noqa: E501
        rf"[pg]?{_LIST_PATTERN}c?(?P<sum>M){_SHARE_PATTERN}",  # hard 8, $5
        rf"p?{_TARGETS_PATTERN}c?(?P<sum>N){_SHARE_PATTERN}",  # field 5
        rf"V?(?P<sum>[NM]){_SHARE_PATTERN}V?[pg]{_LIST_PATTERN}(?P<late>[et]?)",  # 12 on 8; lay 50 against 10  # noqa: E501
        rf"V(?P<sum>[NM]){_SHARE_PATTERN}(?P<what>(?P<set>T))(?P<late>[et]?)",  # place 64 across
        rf"(?P<sum>[NM]){_SHARE_PATTERN}f?{_TARGETS_PATTERN}(?P<late>[et]?)",  # 5 yo; 5 for the yo; 64 across  # noqa: E501
        rf"(?P<sum>M){_SHARE_PATTERN}{_LIST_PATTERN}(?P<late>[et]?)",  # $12 6 and 8
        rf"(?P<sum>[NM]){_SHARE_PATTERN}(?P<what>VN(?:(?:ca|a|c)N)*)(?P<late>[et]?)",  # 25 buy 4
        r"(?P<what>V?[NT](?:(?:ca|a|c)V?[NT])+)c?(?P<sum>N)(?P<share>e)",  # 6 and 8 12 each
    )
)
_NO_AMOUNT_FORM = re.compile(rf"p?{_LIST_PATTERN}")


class ParsedBets(NamedTuple):
    """What a bet was heard to say: targets with their verbs, cents, ``each`` or ``total`` or none.

    ``next_to``: a verb stands right before what it is about, not before the amount.
    """

    verbs: tuple[str, ...]
    targets: tuple[str, ...]
    cents: int
    share: str
    verb_adjacent: bool = True


def understand_bets(heard: Utterance) -> list[cmd.AnyCommand]:
    """A bet, or several, as commands."""
    return build_commands(heard, parse_bets(heard))


def parse_bets(heard: Utterance) -> ParsedBets:
    """What the words say; MissingAmountError where they name a wager and no amount."""
    letters = "".join(_classify_word(heard, word) for word in heard.words)
    if heard.words[:1] == ("no",):
        raise _ask_about_no(heard)
    for form in _BET_FORMS:
        found = form.fullmatch(letters)
        if found is not None:
            return _parse_match(heard, letters, found)
    if letters == "t":
        raise ask_what_to_spread(heard)
    if re.fullmatch("V?NN", letters):
        return _parse_two_numbers(heard)
    if re.fullmatch("[NM]x[NT]", letters) and _read_number(heard.words[2]):
        return _parse_no_number(heard)
    if re.fullmatch("VM|VN", letters) and heard.words[1] not in map(str, NUMBERS):
        raise ask_which_number(heard, heard.words[0], _BET_VERBS[heard.words[0]], heard.words[1])
    found = _NO_AMOUNT_FORM.fullmatch(letters)
    if found is not None and ("T" in letters or "V" in letters):
        raise MissingAmountError
    raise NoMatchError


def _parse_two_numbers(heard: Utterance) -> ParsedBets:
    """``place 8 12``: taken where only one of them can be the number. With no verb, refused,
    unless both are the same: ``6 six``."""
    verb, first, second = ("", *heard.words)[-3:]
    family = _BET_VERBS.get(verb, "")
    found = read_number_pair(heard, family, first, second)
    if len(found) > 1 or (not family and first != second):
        raise ask_which_is_amount(found)
    ((slug, cents),) = found
    if slug in STRAIGHT_NUMBERS:
        return ParsedBets(verbs=("",), targets=(slug,), cents=cents, share="")
    return ParsedBets(
        verbs=(family or PLACE,), targets=(slug.rpartition("-")[2],), cents=cents, share=""
    )


def _parse_no_number(heard: Utterance) -> ParsedBets:
    """``$41 no four``: a lay, as dealers say it; the vigorish may be in the sum.

    ``five no nine`` may be somebody who corrects himself, and is no bet.
    """
    if heard.words[0] in map(str, NUMBERS):
        raise NoMatchError
    cents = read_amount(heard.words[0].removeprefix("$"))
    number = _read_number(heard.words[2])
    return ParsedBets(
        verbs=("lay",),
        targets=(str(number),),
        cents=find_lay_amount(heard, number, cents),
        share="",
    )


def _ask_about_no(heard: Utterance) -> UnplayableError:
    """``no ten for 50``: dealers lay the ten; others only take back what they said before."""
    if len(heard.words) > 1 and is_odds_word(heard.words[1]):
        return refuse_no_odds(heard)
    asked = parse_bets(heard._replace(words=heard.words[1:]))
    (target,) = asked.targets if len(asked.targets) == 1 else ("",)
    if asked.verbs[0] not in {"", "lay"} or not _read_number(target):
        raise NoMatchError
    return ask_against_or_on(_read_number(target), asked.cents)


def _read_number(word: str) -> int:
    """The number that a word names, or 0."""
    figure = _strip_number_mark(word)
    number = int(figure) if figure.isascii() and figure.isdigit() and len(figure) < 3 else 0
    return number if number in NUMBERS else 0


def _classify_word(heard: Utterance, word: str) -> str:
    if word in _WORD_LETTERS:
        return _WORD_LETTERS[word]
    if _MONEY_PATTERN.fullmatch(word):
        return "M" if word[0] == "$" else "N"
    if word in _BET_VERBS:
        return "V"
    return "T" if _is_target(heard, word) else "?"


def _is_target(heard: Utterance, word: str) -> bool:
    return (
        _strip_number_mark(word) != word
        or word == HORN_HIGH
        or is_group(word)
        or bool(find_set_members(heard.table, word))
        or is_odds_word(word)
        or is_wager_slug(heard.table, word)
    )


def _strip_number_mark(word: str) -> str:
    """A number that was named, by its nickname or with "the", as its figure."""
    figure = word.removeprefix("total-").removeprefix("number-")
    return figure if figure.isascii() and figure.isdigit() else word


def _parse_match(heard: Utterance, letters: str, found: re.Match[str]) -> ParsedBets:
    words = heard.words
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
    at = found.start("sum")
    cents = read_amount(words[at].removeprefix("$"))
    if targets[0].startswith("number-") and words[at] in map(str, NUMBERS) and not verbs[0]:
        # "six for the eight": six dollars, or the six?
        raise ask_which_is_amount(
            read_number_pair(heard, "", words[at], _strip_number_mark(targets[0]))
        )
    verb_adjacent = letters[start] == "V" or not verbs[0]
    whole = {"e": "each", "t": "total", "": ""}[share]
    return ParsedBets(
        verbs=tuple(verbs),
        targets=tuple(targets),
        cents=cents,
        share=whole,
        verb_adjacent=verb_adjacent,
    )


def _pair_verbs(
    words: tuple[str, ...], letters: str, start: int, end: int, verb: str
) -> tuple[list[str], list[str]]:
    """The targets of a list, each with the verb that was said last before it: ``six and lay
    eight`` are two."""
    verbs, targets = [], []
    for at in range(start, end):
        if letters[at] == "V":
            if verb and at == start:
                raise NoMatchError  # one verb before the amount and another after it
            verb = _BET_VERBS[words[at]]
        elif letters[at] in "NT":
            verbs.append(verb)
            targets.append(words[at])
    return verbs, targets


def build_commands(heard: Utterance, asked: ParsedBets) -> list[cmd.AnyCommand]:
    """The commands of a bet: a set by its name, or each target by itself."""
    if len(asked.targets) > 1:
        return _build_several(heard, asked)
    (target,), (verb,) = asked.targets, asked.verbs
    several = is_group(target) or bool(find_set_members(heard.table, target))
    if several and verb not in {"", PLACE}:
        raise NoMatchError
    if is_group(target):
        return bet_group(heard, target, asked.cents, asked.share)
    if several:
        return bet_set(heard, target, asked.cents, asked.share)
    slug = _find_slug(heard, asked, verb, target)
    if asked.share == "each":
        refuse_unclear_each(heard, slug, asked.cents)
    return [heard.bet(slug, asked.cents)]


def _build_several(heard: Utterance, asked: ParsedBets) -> list[cmd.AnyCommand]:
    hard = any(target.startswith("hard-") for target in asked.targets)
    if hard and any(target.isdigit() for target in asked.targets):
        raise _ask_hard_or_not(asked)
    if any(is_group(target) or find_set_members(heard.table, target) for target in asked.targets):
        raise NoMatchError
    named = zip(asked.verbs, asked.targets, strict=True)
    slugs = [_find_slug(heard, asked, verb, target) for verb, target in named]
    if len(set(slugs)) != len(slugs):
        raise NoMatchError
    if asked.share == "each":
        for slug in slugs:
            refuse_unclear_each(heard, slug, asked.cents)
        return [heard.bet(slug, asked.cents) for slug in slugs]
    said, names = format_amount(asked.cents), " and ".join(slugs)
    if asked.share != "total":
        shares = ["each", "total"] if _divide_sum(heard, asked.cents, slugs) else ["each"]
        ways = [f"{names} for {said} {share}" for share in shares]
        raise offer_choices("each-or-all", ways, amount=asked.cents)
    parts = _divide_sum(heard, asked.cents, slugs)
    if not parts:
        cite = "custom: money is never guessed"
        raise make_unplayable("no-even-parts", cite, amount=asked.cents, wagers=tuple(slugs))
    return [heard.bet(slug, cents) for slug, cents in parts.items()]


def _ask_hard_or_not(asked: ParsedBets) -> UnplayableError:
    """``hard six and eight``: the eight may be meant hard too, or not."""
    tail = f"for {format_amount(asked.cents)} {asked.share or 'each'}"
    choices = []
    for put in ("hard", PLACE):
        slugs = [f"{put}-{t}" if t.isdigit() else t for t in asked.targets]
        choices.append(f"{' and '.join(slugs)} {tail}")
    return offer_choices("hard-or-not", choices)


def _divide_sum(heard: Utterance, cents: int, slugs: list[str]) -> dict[str, int]:
    """One sum over several wagers: by the units of place numbers, or evenly; else nothing."""
    chip = heard.table.house.chip
    placed = [heard.kind(slug) == PLACE for slug in slugs]
    units = dict.fromkeys(slugs, chip)
    if all(placed):
        units = {slug: find_place_unit(heard.table, int(slug.rpartition("-")[2])) for slug in slugs}
        if len(set(units.values())) == 1:  # alike: any even parts will do
            units = dict.fromkeys(slugs, chip)
    count, left = divmod(cents, sum(units.values()))
    mixed = any(placed) and not all(placed)
    if left or not count or mixed or any(heard.spot(slug) is None for slug in slugs):
        return {}
    return {slug: unit * count for slug, unit in units.items()}


def _find_slug(heard: Utterance, asked: ParsedBets, verb: str, target: str) -> str:
    nickname = target.startswith("total-")
    figure = _strip_number_mark(target)
    if figure.isascii() and figure.isdigit():
        number = int(figure[:4])
        if number not in NUMBERS:
            raise NoMatchError
        return f"{verb}-{number}" if verb else _find_plain_slug(heard, number, nickname, asked)
    if target == HORN_HIGH:
        raise ask_horn_high_number(heard)
    if verb and target in STRAIGHT_NUMBERS:
        return choose_straight_or_place(heard, verb, target, asked.cents, asked.verb_adjacent)
    if verb not in {"", PLACE}:
        raise NoMatchError
    if is_odds_word(target):
        return find_odds_slug(heard, target)
    return target


def _find_plain_slug(heard: Utterance, number: int, nickname: bool, asked: ParsedBets) -> str:
    """A number with no verb: placed, or the straight center wager; refused where it may be both."""
    said = format_amount(asked.cents)
    placed = heard.spot(f"{PLACE}-{number}") is not None
    if number in BOX_NUMBERS and not nickname:
        refuse_unclear_place(heard, number, asked.cents)
        return f"{PLACE}-{number}"
    if number in STRAIGHT_BETS and not placed:
        return STRAIGHT_BETS[number]
    ways = [f"{PLACE}-{number}"]
    ways += [STRAIGHT_BETS[number]] if number in STRAIGHT_BETS else []
    ways += [f"hard-{number}"] if number in {4, 6, 8, 10} else []
    hops = len(find_set_members(heard.table, f"hops-{number}")) * heard.table.house.chip
    ways += [f"hop {number}"] if number in BOX_NUMBERS and asked.cents % hops == 0 else []
    raise offer_choices("which-on-number", [f"{way} for {said}" for way in ways], number=number)


_TOKE_SUM = r"\$?\d[\d,]*(?:\.\d{1,2})?"
_TIP_PATTERN = re.compile(
    rf"(?:toke(?: for)? (?P<a>{_TOKE_SUM})|(?P<b>{_TOKE_SUM})(?: toke)?(?: for-dealers)?)"
)
_OPTIONAL_AMOUNT = re.compile(rf"(?:(?:for )?{_TOKE_SUM})?")
_BOTH_AMOUNTS = re.compile(
    rf"(?P<what>.+?)(?: for| ,)? (?P<own>{_TOKE_SUM}) (?:and|,)(?: and)? (?P<theirs>{_TOKE_SUM})"
)


def understand_tokes(heard: Utterance) -> list[cmd.AnyCommand]:
    """A tip with no wager named, or a wager for the dealers.

    Two-way wants both amounts, or so much each: one amount could be either.
    """
    if "two-way" in heard.words:
        return _understand_two_way(heard)
    said = heard.said
    tip = _TIP_PATTERN.fullmatch(said)
    if tip and ("toke" in heard.words or "for-dealers" in heard.words):
        return [cmd.Toke(heard.player, _read_cents(tip["a"] or tip["b"]))]
    if heard.words == ("toke",):
        raise make_unplayable("toke-how-much")
    if heard.words.count("for-dealers") != 1:
        raise NoMatchError
    both = _BOTH_AMOUNTS.fullmatch(said.removesuffix(" for-dealers"))
    if both and said.endswith(" for-dealers"):
        return _build_two_way(heard, both["what"], both["own"], both["theirs"])
    if heard.words[:2] == ("for-dealers", "on") and _OPTIONAL_AMOUNT.fullmatch(
        " ".join(heard.words[2:])
    ):
        raise make_unplayable("dealers-on-which")
    return _bet_for_dealers(heard, tuple(word for word in heard.words if word != "for-dealers"))


def _understand_two_way(heard: Utterance) -> list[cmd.AnyCommand]:
    words = tuple(word for word in heard.words if word not in {"two-way", "for-dealers"})
    both = _BOTH_AMOUNTS.fullmatch(" ".join(words))
    if both:
        return _build_two_way(heard, both["what"], both["own"], both["theirs"])
    once = tuple(word for word in words if word != "each")  # the player's, and theirs
    own = _understand_own_part(heard, once)
    if "each" in words:
        return [*own, *_bet_for_dealers(heard, once)]
    bet = own[0]
    assert isinstance(bet, cmd.Bet)
    if len(own) > 1:  # several wagers at once: they are not put in words of ours
        said = f"two-way {' '.join(once)}"
        raise offer_choices("as-much-for-dealers", [f"{said} each"], said=said)
    said = f"two-way {bet.wager} for {format_amount(bet.amount)}"
    raise offer_choices("two-way-how-much", [f"{said} and 1", f"{said} each"], said=said)


def _understand_own_part(heard: Utterance, words: tuple[str, ...]) -> list[cmd.AnyCommand]:
    """The player's own part. What leaves a choice open is not said two-way."""
    try:
        return understand_bets(heard._replace(words=words))
    except UnplayableError as doubt:
        if not doubt.choices:
            raise
        raise make_unplayable("two-way-one-by-one") from None


def _build_two_way(heard: Utterance, what: str, own: str, theirs: str) -> list[cmd.AnyCommand]:
    mine = understand_bets(heard._replace(words=(*what.split(), "for", own)))
    return [*mine, *_bet_for_dealers(heard, (*what.split(), "for", theirs))]


def _bet_for_dealers(heard: Utterance, words: tuple[str, ...]) -> list[cmd.AnyCommand]:
    try:
        found = understand_bets(heard._replace(words=words))
    except UnplayableError as doubt:
        if not doubt.choices:
            raise
        theirs = [f"{choice} for the dealers" for choice in doubt.choices]
        raise UnplayableError(replace(doubt.refusal, allowed=tuple(theirs))) from None
    made = [bet for bet in found if isinstance(bet, cmd.Bet)]
    return [cmd.TokeBet(heard.player, bet.wager, bet.amount) for bet in made]


def _read_cents(text: str) -> int:
    return read_amount(text.removeprefix("$"))
