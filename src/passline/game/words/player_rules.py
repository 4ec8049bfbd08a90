"""Texts for the comparison of two houses: a label for each rule, and its value in words."""

from __future__ import annotations

from passline.game.words.refusals import format_sentence
from passline.text import join_words

#: What each rule is about, by its code.
RULE_LABELS = {
    # Rules of a wager
    "dealt": "on the layout",
    "pays": "pays",
    "first-roll": "first roll",
    "made": "may be made",
    "raised": "may be raised",
    "reduced": "may be reduced",
    "taken-down": "may be taken down",
    "come-out": "on a come-out roll",
    "called-off": "may be called off",
    "stays": "after a win",
    "least": "minimum",
    "most": "maximum",
    "stakes": "accepted stakes",
    "odds-limit": "most odds",
    "odds-fit": "odds over the limit",
    "odds-basis": "odds after a smaller don't bet",
    "vigorish": "vigorish",
    "vigorish-returned": "vigorish of a bet taken down",
    "vigorish-renewed": "vigorish of a bet that stays up",
    "coupon": "match play coupons",
    # Rules of the house
    "game": "game",
    "chip": "smallest chip",
    "chips": "chips",
    "breakage": "what cannot be paid exactly",
    "true-odds-breakage": "the same, at true odds",
    "found-over": "a bet over the maximum, found after the roll",
    "found-under": "a bet under the minimum, found after the roll",
    "call-bets": "call bets",
    "closes": "betting closes",
    "late-bets": "bets called with the dice in the air",
    "dice-out": "center bets while the dice are out",
    "no-bet": 'a dealer\'s "no bet"',
    "coupon-value": "a coupon's value",
    "seated": "players",
    "change-out": "changing chips while the dice are out",
    "toke-bets": "bets for the dealers",
    "line-bet": "the shooter's line bet",
    "line-wagers": "line bets of a shooter",
    "may-pass": "passing the dice by choice",
    "must-pass": "the shooter gives up the dice",
    "dice-set": "dice in a set",
    "no-roll-by": "no roll is called by",
    "net-center": "center bets of one player",
    "net-down": "center bets after they are settled together",
    "shootout": "Craps Shootout",
    "layout": "a spot for {of}",
    "crew-boxperson": "boxperson",
    "crew-base-dealers": "base dealers",
}
#: The value of a rule in words, in the notation of ``format_sentence``: by the rule, a colon and
#: the value. A value without words of its own is shown by ``rule:*``.
RULE_WORDS = {
    "dealt:yes": "dealt",
    "dealt:no": "not dealt",
    "pays:*": "{value}",
    "odds-paid:none": "{odds}",
    "odds-paid:*": "{odds} on {value}",
    "first-roll:none": "nothing pushes",
    "first-roll:*": "{value} push",
    "made:any": "at any time",
    "made:come-out": "before a come-out roll",
    "made:point": "while a point is on",
    "made:new-shooter": "before a new shooter's first roll",
    "made:after-seven": "before a new shooter's first roll, or right after a seven",
    "made:never": "never: a bet travels there",
    "change:always": "at any time",
    "change:until-number": "until it has its number",
    "change:number": "once it has its number",
    "change:never": "never",
    "come-out:on": "works",
    "come-out:callable": "off unless called on",
    "come-out:off": "always off",
    "called-off:no": "no",
    "called-off:rests": "yes, and stays up",
    "called-off:returned": "yes, and comes down",
    "stays:yes": "stays up",
    "stays:no": "comes down",
    "least:none": "none",
    "least:*": "{value:$}",
    "most:none": "none",
    "most:*": "{value:$}",
    "stakes:*": "multiples of {value:$}",
    "stakes:any": "whole chips",
    "stakes:exact": "amounts that pay exactly",
    "stakes:small-exact": "whole chips, below the table's minimum amounts that pay exactly",
    "odds-limit:*": "{value}",
    "odds-multiple:1": "as much as the flat bet{numbers: on |}{numbers}",
    "odds-multiple:*": "{value} times the flat bet{numbers: on |}{numbers}",
    "odds-fit:yes": "accepted up to the next amount that pays exactly",
    "odds-fit:no": "refused",
    "odds-basis:original": "limited by the first amount",
    "odds-basis:current": "limited by the amount left",
    "vigorish:none": "none",
    "vigorish:*": "{rate} of the {base} when {when}, rounded {rounding}",
    "rounding:down": "down to {chip:$}",
    "rounding:up": "up to {chip:$}",
    "rounding:half-up": "to the nearest {chip:$}",
    "rounding:exact": "to the cent",
    "vigorish-returned:yes": "returned",
    "vigorish-returned:no": "kept",
    "vigorish-renewed:yes": "taken again after each win",
    "vigorish-renewed:no": "not taken again",
    "coupon:yes": "taken",
    "coupon:no": "not taken",
    "game:*": "{value}",
    "chip:*": "{value:$}",
    "chips:*": "{value}",
    "chip-color:*": "{color} {value:$}",
    "breakage:refuse": "not accepted",
    "breakage:down": "rounded down",
    "breakage:up": "rounded up",
    "found-over:capped": "counts for the maximum",
    "found-over:as-wagered": "counts in full",
    "found-over:checked": "cannot happen: every bet is checked before the roll",
    "found-under:as-wagered": "counts as it is",
    "found-under:as-minimum": "counts for the minimum",
    "found-under:checked": "cannot happen: every bet is checked before the roll",
    "closes:throw": "when the dice are thrown",
    "closes:rest": "when the dice come to rest",
    "late-bets:none": "do not count",
    "late-bets:*": "count if confirmed by the {value}",
    "no-bet:yes": "refuses the bet",
    "no-bet:no": "has no effect",
    "coupon-value:wager": "at most the bet beside it",
    "coupon-value:any": "any",
    "seated:yes": "must be seated",
    "seated:no": "may stand",
    "line-bet:come-out": "needed for a come-out roll",
    "line-bet:every": "needed for every roll",
    "line-wagers:*": "{value}",
    "must-pass:loser-seven": "after a seven-out",
    "must-pass:any-seven": "after any seven",
    "dice-set:*": "{value}",
    "no-roll-by:none": "no one",
    "no-roll-by:*": "the {value}",
    "net-center:yes": "settled together",
    "net-center:no": "settled one by one",
    "net-down:on-request": "come down on request",
    "net-down:at-once": "come down at once",
    "crew-base-dealers:*": "{value}",
    "accepted:yes": "accepted",
    "accepted:no": "refused",
    "offered:yes": "yes",
    "offered:no": "no",
}
#: Rules whose values have the words of another rule.
_SHARED_WORDS = {
    **dict.fromkeys(("raised", "reduced", "taken-down"), "change"),
    "true-odds-breakage": "breakage",
    **dict.fromkeys(("call-bets", "dice-out", "change-out", "toke-bets"), "accepted"),
    **dict.fromkeys(("shootout", "layout", "crew-boxperson", "may-pass"), "offered"),
}


def label_rule(rule: str, of: str = "") -> str:
    """Return what a rule is about, in words.

    The rule ``layout`` says whether the felt has a spot for a bet; ``of`` names that bet.

    >>> label_rule("come-out"), label_rule("layout", "horn high")
    ('on a come-out roll', 'a spot for horn high')
    """
    return RULE_LABELS[rule].format(of=of)


def describe_rule_value(rule: str, /, **figures: object) -> str:
    """Return the value of a rule in words.

    >>> describe_rule_value("come-out", value="callable"), describe_rule_value("least", value=500)
    ('off unless called on', '$5')
    >>> describe_rule_value("net-center", value=False)
    'settled one by one'
    """
    words = _SHARED_WORDS.get(rule, rule)
    value = figures.get("value")
    code = "none" if value in (None, ()) else value
    code = ("yes" if value else "no") if isinstance(value, bool) else code
    template = RULE_WORDS.get(f"{words}:{code}") or RULE_WORDS[f"{words}:*"]
    shown = {key: join_words(of) if isinstance(of, tuple) else of for key, of in figures.items()}
    return format_sentence(template, shown)
