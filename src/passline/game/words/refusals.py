"""Refusals in words: one sentence for each code, with its figures and what would be allowed.

Where a player's words could mean several things, the choices follow: ``say 'this' or 'that'``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Formatter
from typing import Any

import msgspec

from passline.game.layout.stakes import Refusal
from passline.game.money.amounts import show_dollars, show_money, to_dollars
from passline.game.money.chips import ChipsError
from passline.game.words.wagers import layout_name
from passline.text import join_words, show_name

#: Codes that answer a question. They are refusals only because a question makes no bet.
ANSWER_CODES = frozenset({"how-much", "how-much-group", "how-much-no-room"})

TALK_SENTENCES = {
    # Which wager, which amount
    "which-wager": "which wager",
    "which-one": "which one",
    "which-on-number": "which wager on the {number}",
    "which-is-amount": "which of them is the amount",
    "same-name": "{wager}, or another by that name",
    "family-or-place": "{family}, all of them, or only what was said with it",
    "high-on-which": "high on which",
    "on-what": "{verb} {amount:$} on what",
    "same-verb": "each of them by the same verb, or only the first",
    "each-or-all": "{amount:$} on each of them, or on all of them together",
    "hards-each-or-all": "{amount:$} on each of the hardways, or on all of them together",
    "parts-or-whole": "{wager} with {amount:$} on each of its parts, or in all",
    "no-even-parts": "{amount:$} does not divide over {wagers:and}: say so much each",
    "set-sum": "{amount:$} does not divide {set}, {ways} ways",
    "spread-what": "spread how much over which wagers",
    "group-sum": "{amount:$} does not divide {group}",
    "group-units": "{group} each comes in units of {unit:$}",
    "group-how-far": "{group} with or without 2, 3, 11 and 12 (those are named by themselves)",
    "against-or-on": "no {number}: against it, or on it",
    "vig-in-it": "{amount:$} with the vigorish in it, or without",
    "laid-or-won": "{amount:$} to lay, or as much as wins {amount:$}",
    "no-point": "no point is on: say the number",
    # Questions
    "how-much-group": "{group} comes in units of {unit:$}",
    "how-much": "{wager} takes {least:$} to {most:$} and pays {pays:,}{up:; {up:$} is up|}",
    "how-much-no-room": "{wager} takes nothing now{up:; {up:$} is up|}",
    # Odds
    "odds-no-line": "odds on what? no line wager is up: bet the line first",
    "odds-both-lines": "odds on what? both line wagers are up",
    "odds-which-number": "odds on which number",
    "odds-behind-which": "odds on the {number} behind which wager",
    "odds-need-point": "odds on the line need a point: bet them once it is set",
    "odds-by-point": "3-4-5 odds is a limit and no amount",
    "no-come-on-number": "{player:has} no {wager} wager on a number",
    "no-odds-on-number": "{player:has} no wager on the {number} that takes odds",
    "no-laid-odds-on-number": "{player:has} no wager on the {number} that lays odds",
    "no-odds-up": "{player:has} no odds up, and none are made",
    "no-odds": "no odds: none made, or those that are up down",
    "needs-number": "{wager} needs a wager that has its number",
    "how-much-to-lay": "how much to lay? say an amount, or the most",
    # What is up
    "none-on-number": "{player:has} no wager up on the {number}",
    "none-of-kind": "{player:has} no {kind} up",
    "nothing-meant": "{player:has} nothing up that this could mean",
    "would-raise": "{wager} has {up:$} up, and {to:$} would raise it",
    "would-lower": "{wager} has {up:$} up, and {to:$} would lower it",
    "nothing-left": "{wager} has {up:$} up",
    "change-each": "that amount on each of them",
    "no-unit": "a unit on {wager} can be any amount: say the amount that it should have",
    "press-which": "press which",
    "nothing-to-press": "{player:has} no place or buy wager up to press: bet one first",
    "nothing-to-raise": "{player:has} nothing up that may be raised now",
    "nothing-to-press-on": "{player:has} no place or buy wager on the {number} to press: bet one "
    "first",
    "half-no-unit": "half of {wager} makes no unit",
    "half-press": "a half press of {wager}: which amount",
    "full-press": "a full press of {wager}: which amount",
    "whole-win": "{wager} and its whole win make {whole:$}: which amount",
    "nothing-decided": "{player:has} no decided wager to make again: say which wager, and how much",
    "nothing-rides": "{player:has} no win that could ride",
    "which-rides": "let which of them ride",
    "rests-anyway": "on a come-out roll {wagers:and} will rest anyway",
    "come-out-later": "a point is on: say it when coming out, or for now",
    # For the dealers
    "toke-how-much": "how much for the dealers? say 'toke' and an amount",
    "dealers-on-which": "the dealers on which wager, and for how much",
    "as-much-for-dealers": "'{said}': as much for the dealers",
    "two-way-how-much": "'{said}': how much for the player, how much for the dealers",
    "two-way-one-by-one": "say the wagers one by one, each two-way",
}


#: ``{x:$}`` is money, with its sign as ``{x:+$}``; ``{x:or}``, ``{x:and}`` and ``{x:,}`` are
#: lists; ``{allowed}`` is what would be allowed, and ``{near}`` the same as amounts;
#: ``{player:has}`` is a name with its verb, and ``{player:~has}`` the verb alone: ``you have`` and
#: ``have`` for the player addressed; ``{x:q}`` is a text in quotation marks, cut off after 40
#: characters (``{x:q80}``: 80); ``{x:#table}`` is a count of tables.
SENTENCES = {
    # Whether a wager may be made
    "not-in-game": "{wager} is not dealt at {game}",
    "not-elected": "{wager} is not dealt here: the house has not elected {key}",
    "not-a-wager": "{wager} is not a wager of this rulebook",
    "travels": "{wager} is not bet directly: bet {first}, and it travels",
    "before-come-out": "{wager} is made only before a come-out roll: wait for the next one",
    "with-point": "{wager} is made only while a point is on: until then bet the line",
    "needs-flat": "{wager} needs a {flat} wager that has its number: bet that first",
    "before-new-shooter": "{wager} is made only before a new shooter's first come-out roll",
    "after-a-seven": "{wager} is made only right after a 7, or before a new shooter's first "
    "come-out roll",
    "others-riding": "{wager} waits until those already riding are decided",
    # For how much
    "whole-chips": "{amount:$} is not in whole chips of {chip:$}: bet {near:or}",
    "not-in-chips": "{amount:$} is not a multiple of the smallest chip, {chip:$}",
    "no-chips": "{amount:$} cannot be paid: the rack has no chips for it",
    "no-such-chip": "there is no such chip in the rack: {color}",
    "not-a-stack": "{text:q} is not a stack of chips: write a number and a color for each, of "
    "{colors:,}",
    "under-minimum": "{wager} takes at least {least:$}",
    "over-maximum": "{wager} takes at most {most:$}",
    "over-multiple": "{wager} may be at most {most:$} behind {behind:$} on {flat}",
    "not-payable": "{wager} cannot be paid on {amount:$}: {near:or} can",
    "short-of-chips": "{player:needs} {needed:$} and {player:~has} {rail:$} in the rail",
    "limits-checked": "limits are checked when the wager is made",
    # How it was tendered
    "not-seated": "{player:must} be seated to bet: sit down first",
    "no-bet": "the dealer called no bet: it has no action on this roll",
    "call-bet": "call bets are not taken: put up chips or cash",
    "cash-unconfirmed": "a spoken wager with cash needs the {needs:and} to confirm it",
    "self-confirmed": "players do not confirm their own wagers: the crew does",
    "dice-out": "no wager is taken once the dice are out: bet after this throw",
    "in-air": "no wager is taken while the dice are in the air: bet after this throw",
    "stands-in-air": "the dice are in the air: what is up stands as it lies until they rest",
    "late-unconfirmed": "in the air, a wager needs the {needs:and} to confirm it",
    "nothing-late": "{player:has} called no {wager} while the dice are in the air",
    "not-theirs-to-confirm": "the {by} does not confirm that: {allowed:and} still may",
    "no-coupon-with": "no match play coupon is taken "
    "{allowed:with {wager}: it goes with {allowed:or}|here: bet without it}",
    "no-coupons": "this house takes no match play coupons",
    "coupon-over-wager": "a match play coupon of {match:$} goes with at least as much on {wager}: "
    "{near:or} is the most here",
    # Changing what is up
    "not-up": "{player:has} no {wager} up",
    "not-raised": "{wager} can't be raised once it is up",
    "not-reduced": "{wager} can't be reduced once it is up",
    "not-taken-down": "{wager} can't be taken down once it is up",
    "not-raised-with-number": "{wager} can't be raised after its point is set",
    "not-reduced-with-number": "{wager} can't be reduced after its point is set",
    "not-taken-down-with-number": "{wager} can't be taken down after its point is set",
    "not-restored": "{wager} was reduced and may not grow again",
    "nothing-comes-down": "{player:has} nothing up that may come down",
    "not-called-on": "{wager} may not be called on",
    "not-called-off": "{wager} may not be called off{down}",
    "nothing-to-call": "{player:has} nothing up to call {call}",
    "nothing-to-undo": "{player:has} said nothing since the last throw that could be taken back",
    "undo-too-late": "the dice are out: what was said counts for this throw. Change the "
    "wagers after it",
    # People
    "has-left": "{player:has} left the table and {player:~must} come back first",
    "left-without-chips": "{player:has} left without chips: buy in to come back",
    "not-here": "{player:is} not at the table",
    "already-here": "{player:is} at the table already",
    "no-such-place": "there is no place {place}: they count from 1 to {places}",
    "place-taken": "somebody stands at place {place}; free: {allowed:,}",
    "table-full": "every one of the {places} places is taken: watch until somebody leaves",
    "stays-seated": "{player:stays} seated until every wager is decided",
    "plays-here": "{name} plays at this table",
    "no-tips": "tips are not taken: keep the chips in the rail",
    "no-toke-bets": "no wagers are taken for the dealers: bet for yourself",
    "change-waits": "the dice are out: money is changed once they have gone by",
    "colour-waits": "the color change waits for the {allowed:or}",
    "colour-called": "{player} has asked to color up already",
    "no-colour-called": "{player} has not asked to color up",
    "not-theirs-to-permit": "the {by} does not permit a color change: the {allowed:or} does",
    "no-such-colour": "this table has no {colour} chips: it has {allowed:,}",
    "not-in-colour": "{amount:$} is no multiple of {chip:$}, which a {colour} chip is",
    # Who has the dice
    "all-declined": "everybody who may throw has declined the dice: take them to throw",
    "nobody-may-throw": "nobody may throw: the shooter needs a {wagers:or} wager",
    "dice-held": "{player:holds} the dice",
    "offered-first": "the dice are offered to {player} first",
    "line-bettor-first": "{player:has} a line wager and {player:~is} asked first",
    "machine-throws": "{game} has no shooter: the machine throws",
    "not-the-shooter": "{player:does} not hold the dice",
    "may-not-pass": "the shooter may not pass the dice: throw them",
    "nobody-orders-pass": "nobody orders a pass at {game}",
    "no-ground-to-pass": "{ground} is no ground to order a pass: {allowed:,}",
    "not-theirs-to-order": "the {by} may not order that: {allowed:or} may",
    "no-other-dice": "the shooter may not ask for other dice",
    "shooter-asks-same-dice": "only the shooter may ask for the same dice",
    "thrown-die-lost": "a die of the last throw is lost",
    # Whether a throw counts
    "barred-ground": "{ground} is no ground for a no roll",
    "no-ground": "{ground} is no ground for a no roll here: {allowed:,}",
    "not-theirs-to-call": "the {by} may not call that: {allowed:or} may",
    "designated-caller": "this house has the {allowed:or} call it",
    "not-warned": "the shooter has not been warned",
    "no-warning-needed": "{ground} needs no warning here",
    "not-theirs-to-warn": "the {by} does not warn a shooter: {allowed:or} does",
    "not-theirs-to-rule": "the {by} does not rule on that: {allowed:or} does",
    "nothing-to-rule": "there is no throw to rule on: nobody could have thrown",
    "none-thrown-to-rule": "there is no throw to rule on: the dice are not out. Say 'dice out' "
    "when they go to the shooter, and a throw can be ruled void",
    "not-theirs-to-correct": "the {by} does not correct a throw: the {allowed:or} does",
    "nothing-to-correct": "there is no throw to correct: a throw is corrected before the next one, "
    "while the dice are not out",
    "same-throw": "the throw is {faces:and} already: say what the dice showed instead",
    # The set of dice
    "dice-are-out": "the dice are out: wait until they rest",
    "dice-not-out": "the dice are not out",
    "dice-in-air": "the dice are in the air: wait until they rest",
    "dice-barred": "before the next throw the dice need {need}: {barred}",
    "needs-okay": "the dice wait for the OK of the boxperson who came in",
    "no-okay-needed": "the dice wait for nobody's OK",
    "not-theirs-to-okay": "the {by} does not give the OK: the {allowed:or} does",
    "set-too-old": "the dice came in at {since}: a set is played {hours} hours. Bring in a new set",
    "no-die-left": "no die has left the table",
    "both-lost": "both dice of the throw are lost already",
    "no-two-left": "no two dice would be left",
    "not-theirs-to-inspect": "the {by} does not inspect the dice: {allowed:or} does",
    "drawn-back-first": "the dice are out: they are drawn back first",
    "measure-each": "a set that is to come in is measured, die by die",
    "measure-all": "a set has {size} dice, and {measured} were measured",
    "exchange-waits": "the dice are out: a set is exchanged once the roll is over",
    "limits-wait": "the dice are out: limits change between throws",
    "limits-crossed": "a minimum of {low:$} is over a maximum of {high:$}",
    "limits-barred": "the rulebook does not allow {key}: allowed is {allowed:or}",
    "set-in-play": "set {serial} is in play",
    "set-still-in-play": "set {serial} is in play: it comes off the table first",
    "set-cancelled": "set {serial} is canceled",
    "set-not-inspected": "set {serial} has not passed an inspection",
    "no-such-set": "no set {serial} came off this table",
    "not-theirs-to-cancel": "the {by} does not cancel dice: {allowed:or} does",
    "cancel-face": "dice are canceled on the {on}, not on the {face}",
    # The game
    "wagers-up": "wagers of {player} are up: {wagers:,}",
    "table-closed": "the table is closed",
    "table-open": "the table is open",
    "game-dead": "the game is dead: its dice are in the bowl until somebody comes up",
    "not-live": "the game is {status}",
    "one-base-dealer": "this table has one base dealer",
    "no-such-post": "this table has no {post}",
    "relief-waits": "the dice are out: the {post} is relieved once they are in",
    "clock-back": "it is {now} already",
    # Live tables: the Daily, turns and pace
    "bonus-halt": "the bonus was hit: play halts until the dice are inspected",
    "day-over": "the day is over: {day} is played no more",
    "day-published": "the secret of {day} was published, so that its throws are known: it is "
    "played no more",
    "daily-over": "the fifty throws are made: what is up comes back to you",
    "no-wager-up": "{player:has} no wager up: bet first",
    "not-your-turn": "{player:is} due to throw: bet, and wait for your turn",
    "betting-time": "everybody has {seconds} seconds to bet: {left} more",
    "learner-works": "a learner works on the last throw: {left} seconds more at most",
    "amount-too-high": "no amount passes {most:$}",
    "typed-dice-person": "the dice are typed in here: that takes a person at the stick",
    "left-up": "{wager} is up already, left up from the win: say '{wager} to {double}'",
    # Presses, environments: understood, and not to be done
    "said": "{words}",
    "not-a-place-number": "{number} is no place number here",
    "throw-in-more": "the win is {win:$}: the player must throw in {short:$} more for this press",
    "no-such-way": "this press is not made by {way!r}: {allowed:,}",
    "too-many-says": "no more statements before this throw",
} | TALK_SENTENCES
_DICE_RESTRICTIONS = {
    "down": "a die was down",
    "lost": "a die is lost",
    "reopened": "the table was closed",
    "serials": "the serial numbers differ",
}


#: Figures that hold a wager's slug, or several.
_WAGER_FIGURES = frozenset({"wager", "flat", "first", "wagers"})


def _name_wagers(slugs: str | tuple[str, ...]) -> str | tuple[str, ...]:
    return layout_name(slugs) if isinstance(slugs, str) else tuple(map(layout_name, slugs))


def describe_refusal(refusal: Refusal, to: str = "") -> str:
    """Return why something is not allowed, as a sentence.

    ``to`` is the player who reads it, and is called "you" in it.

    >>> from passline.game.layout.stakes import refuse
    >>> refusal = refuse("not-payable", "2(a)", [600, 1200], wager="place-win-6", amount=700)
    >>> describe_refusal(refusal)
    'place 6 cannot be paid on $7: $6 or $12 can'
    """
    allowed: tuple[Any, ...] = refusal.allowed
    values: dict[str, Any] = {**refusal.figures, "allowed": allowed}
    values |= {key: _name_wagers(values[key]) for key in _WAGER_FIGURES & values.keys()}
    values |= {"ground": name_ground(values["ground"])} if "ground" in values else {}
    values |= {"key": name_election(values["key"])} if "key" in values else {}
    values["near"] = tuple(show_dollars(a) if isinstance(a, int) else a for a in allowed)
    match refusal.code:
        case "no-ground-to-pass" | "no-ground":
            values["allowed"] = tuple(map(name_ground, allowed))
        case "no-coupon-with":
            values["allowed"] = _name_wagers(allowed)
        case "dice-barred":
            values["need"] = "an inspection" if allowed == ("inspection",) else "a new set"
            values["barred"] = describe_dice_restriction(values)
        case "not-called-off":
            values["down"] = ", it is taken down" if allowed == ("down",) else ""
    if to and values.get("player") == to:
        values["player"] = _SECOND_PERSON
    said = format_words(SENTENCES[refusal.code], values)
    if refusal.code in TALK_SENTENCES and allowed:
        *others, last = [f"'{choice}'" for choice in allowed]
        choices = f"{', '.join(others)} or {last}" if others else last
        return f"{said}: say {choices}"
    return said


def describe_chips_error(error: ChipsError) -> str:
    """Return what is wrong with chips that somebody wrote, as a sentence.

    >>> from passline.game.money.chips import STANDARD_RACK
    >>> try:
    ...     STANDARD_RACK.read_amount("12.50")
    ... except ChipsError as error:
    ...     describe_chips_error(error)
    '$12.50 is not a multiple of the smallest chip, $1'
    """
    return format_words(SENTENCES[error.code], error.figures)


def name_ground(slug: str) -> str:
    """Return the name of a reason for a no roll, a pass, an inspection or a new set of dice.

    >>> name_ground("off-table"), name_ground("misses-wall")
    ('off table', 'missing the wall')
    """
    return "missing the wall" if slug == "misses-wall" else slug.replace("-", " ")


_ELECTION_NAMES = {
    "game": "the game",
    "odds.multiple": "the odds multiple",
    "offers.fire": "the fire bet",
    "offers.bonus": "bonus craps",
    "offers.six-seven-eight": "the 6-7-8 bet",
    "offers.shootout": "the shootout",
    "offers.field": "the field",
    "offers.hops": "hop bets",
    "offers.hardways": "hardways",
    "offers.place-lose": "place bets to lose",
    "offers.match_play": "match play coupons",
    "crew.boxperson": "a boxperson",
    "crew.base_dealers": "base dealers",
    "limits.min": "this table minimum",
    "limits.max": "this table maximum",
    "limits.center_min": "this minimum for center bets",
}


def name_election(key: str) -> str:
    """Return the name of what a house elects, from its key in the house-rules file.

    >>> name_election("offers.fire"), name_election("offers.hops"), name_election("offers.buy")
    ('the fire bet', 'hop bets', 'buy bets')
    >>> name_election("limits.max_by_wager.place-win-6")
    'this maximum for place 6'
    """
    if key in _ELECTION_NAMES:
        return _ELECTION_NAMES[key]
    section, _, name = key.partition(".")
    if section == "limits":
        which, _, wager = name.partition("_by_wager.")
        return f"this {which}imum for {layout_name(wager)}"
    if section == "made":
        return f"when {layout_name(name)} bets are made"
    return f"{layout_name(name)} bets"


#: The values of elections whose word in a house-rules file does not say enough.
_CHOICE_NAMES = {
    "twelve": "12 pays triple",
    "two": "2 pays triple",
    "double": "2 and 12 pay double",
    "new-shooter": "for a new shooter",
    "after-seven": "after a seven",
}


def name_choice(choice: object) -> str:
    """Return in words a value that a house may elect.

    >>> name_choice(False), name_choice("B"), name_choice("new-shooter"), name_choice(2)
    ('no', 'pay table B', 'for a new shooter', '2')
    """
    if isinstance(choice, bool):
        return "yes" if choice else "no"
    word = str(choice)
    if len(word) == 1 and word.isalpha():
        return f"pay table {word}"
    return _CHOICE_NAMES.get(word, word)


def describe_election_error(key: str, expected: str, label: str = "") -> str:
    """Return in words what the value of an election should be, after its label or else its name.

    >>> describe_election_error("offers.fire", "allowed: false, A or B [19:47-1.4(e)#2]")
    'The fire bet: choose no, A or B (19:47-1.4(e)#2).'
    >>> describe_election_error("limits.min", "allowed: at most $3 [custom: no less]", "Minimum")
    'Minimum: choose at most $3.'
    >>> describe_election_error("odds.multiple", "expected a number")
    'The odds multiple: choose a number.'
    """
    rule, _, cite = expected.partition(" [")
    rule = rule.removeprefix("allowed: ").removeprefix("expected ")
    rule = re.sub(r"\btrue\b", "yes", re.sub(r"\bfalse\b", "no", rule))
    clause = "" if not cite or cite.startswith("custom") else f" ({cite.removesuffix(']')})"
    return f"{label or _capitalize(name_election(key))}: choose {rule}{clause}."


def format_inches(size: int) -> str:
    """Return a size in ten-thousandths of an inch as a micrometer shows it, in inches.

    >>> format_inches(7502)
    '0.7502'
    """
    return f"{size // 10_000}.{size % 10_000:04d}"


def describe_dice_restriction(why: dict[str, Any]) -> str:
    """Return in words why the dice may not be thrown.

    ``why`` has the code under the key ``why``, and the figures of a fault, if there is one:
    ``flaw``, ``die``, ``size``, ``limit``.
    """
    code = str(why["why"])
    if code in {"undersize", "oversize"}:
        than = "under" if code == "undersize" else "over"
        return f"die {why['die']} measures {format_inches(why['size'])}, {than} {format_inches(why['limit'])}"  # noqa: E501
    return name_ground(why["flaw"]) if code == "flaw" else _DICE_RESTRICTIONS.get(code, code)


#: How the player addressed is named.
_SECOND_PERSON = "you"
_SECOND_PERSON_VERBS = {
    "has": "have",
    "needs": "need",
    "is": "are",
    "holds": "hold",
    "stays": "stay",
    "plays": "play",
    "does": "do",
    "must": "must",
}


class _SentenceFormatter(Formatter):
    """Formats the figures of a sentence: money, lists, counts, choices, and verbs after "you"."""

    def format_field(self, value: Any, spec: str) -> str:
        verb = spec.removeprefix("~")
        if verb in _SECOND_PERSON_VERBS:
            said = _SECOND_PERSON_VERBS[verb] if value is _SECOND_PERSON else verb
            return said if spec != verb else f"{value} {said}"
        if spec in {"$", "+$"}:
            return show_dollars(value, plus=spec == "+$")
        if spec == "$.00":
            return show_money(value)
        if spec in {"or", "and", ","} and not isinstance(value, int):
            words = [str(part) for part in value]
            return ", ".join(words) or "none" if spec == "," else join_words(words, spec)
        if "|" in spec:
            return spec.rsplit("|", 1)[0 if value else 1]
        if spec[:1] == "#":
            return f"{value:,} {spec[1:]}{'' if value == 1 else 's'}"
        if spec == "q" or (spec[:1] == "q" and spec[1:].isdigit()):
            return repr(str(value)[: int(spec[1:] or 40)])
        return str(format(value, spec))


#: Figures that hold a player's name.
_NAMES = ("player", "name", "shooter", "known")


def format_sentence(template: str, values: Mapping[str, Any]) -> str:
    """Return a template with its figures filled in.

    ``{x:yes|no}`` is "yes" if ``x`` is not empty or zero, else "no"; ``{x:$}`` is money.

    >>> format_sentence("{amount:$}{face:, on the {face}|}", {"amount": 500, "face": 4})
    '$5, on the 4'
    """
    return _SentenceFormatter().vformat(template, (), values)


def format_words(template: str, values: Mapping[str, Any]) -> str:
    """Fill in a template for people: like ``format_sentence``, but names have no underscores.

    >>> format_words("{player} leaves", {"player": "Mary_Ann"})
    'Mary Ann leaves'
    """
    shown = {key: show_name(values[key]) for key in _NAMES if type(values.get(key)) is str}
    return format_sentence(template, {**values, **shown})


#: What a buy-in that is offered is rounded up to: a black chip.
_BUY_IN_UNIT = 100_00


class Alternative(msgspec.Struct, frozen=True):
    """A line that would be accepted instead of a refused one, and its words for a button.

    ``buys_in`` is true if the line buys chips.
    """

    say: str
    words: str
    buys_in: bool = False


def suggest_alternatives(
    refusal: Refusal, wager: str = "", up: bool = False, payable: int | None = None
) -> list[Alternative]:
    """Return the lines that would be accepted instead of the refused one.

    ``wager`` is the wager in question, if the refusal names none. ``up`` says whether it is up.
    Bets of more than ``payable`` cents are left out; None leaves out none. Return [] if nothing is
    known that would be accepted.

    >>> from passline.game.layout.stakes import refuse
    >>> suggest_alternatives(refuse("under-minimum", "2(a)", [500], wager="pass", least=500))
    [Alternative(say='pass for 5.00', words='Pass line for 5', buys_in=False)]
    >>> suggest_alternatives(refuse("press-which", "", ["press place-win-6"]))
    [Alternative(say='press place-win-6', words='Press place 6', buys_in=False)]
    >>> suggest_alternatives(refuse("short-of-chips", "", player="ann", needed=1200, rail=500))
    [Alternative(say='buy in 100.00', words='Buy in $100', buys_in=True)]
    """
    about = str(refusal.figures.get("wager", wager))
    if refusal.code == "short-of-chips":
        needed, rail = refusal.figures["needed"], refusal.figures["rail"]
        assert isinstance(needed, int)
        assert isinstance(rail, int)
        short = needed - rail
        amount = -(-short // _BUY_IN_UNIT) * _BUY_IN_UNIT
        words = f"Buy in {show_dollars(amount)}"
        return [Alternative(say=f"buy in {to_dollars(amount)}", words=words, buys_in=True)]
    if refusal.code in TALK_SENTENCES:
        return [_name_alternative(str(line)) for line in refusal.allowed]
    if not about:
        return []
    verb = "to" if up else "for"
    name = _capitalize(layout_name(about))
    bets = [
        Alternative(say=f"{about} {verb} {to_dollars(a)}", words=f"{name} {verb} {_trim_cents(a)}")
        for a in refusal.allowed
        if isinstance(a, int) and a and (payable is None or a <= payable)
    ]
    down = (
        [Alternative(say=f"{about} down", words=f"{name} down")]
        if "down" in refusal.allowed
        else []
    )
    return bets + down


def _trim_cents(amount: int) -> str:
    return to_dollars(amount).removesuffix(".00")


def _capitalize(words: str) -> str:
    return words[:1].upper() + words[1:]


def _name_alternative(line: str) -> Alternative:
    """Return a line of table talk as an Alternative, with wagers named for people in its words."""
    words = " ".join(layout_name(word) if "-" in word else word for word in line.split())
    return Alternative(say=line, words=_capitalize(words))


def find_prerequisite(refusal: Refusal) -> str:
    """Return the slug of the wager that must be made first, such as the flat wager of odds, or "".

    >>> from passline.game.layout.stakes import refuse
    >>> find_prerequisite(refuse("needs-flat", "6(a)", wager="pass-odds", flat="pass"))
    'pass'
    """
    return str(refusal.figures.get("flat") or refusal.figures.get("first") or "")
