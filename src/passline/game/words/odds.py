"""The words of odds and par sheets, which list the edge of each bet: headlines, columns, notes."""

from __future__ import annotations

from passline.game.money.amounts import show_dollars
from passline.game.words.refusals import format_sentence

STAKE_NOTE = "For a stake of {stake}, with the house's limits, breakage and vigorish."
EDGE_NOTE = (
    "Edge: the house's share of the amount wagered, pushes counted. Rolls: the mean number to a "
    "decision. SD: the standard deviation of one decision, by the unit wagered. All exact."
)
VIGORISH_NOTE = (
    "Buy and lay: the edge of the stake. Look up one of them to see the edge of stake plus "
    "vigorish."
)
ELECTION_NOTE = "Rows that depend on a house rule: {options}."
MIRRORED_NOTE = "Each total also stands for the one across from seven: 4 for 10, 5 for 9, 6 for 8."
NO_LAYOUT_NOTE = (
    "No layout was given. Max cost shows what one throw can cost the house for each wager alone, "
    "at its posted maximum."
)

#: Sentences about odds by code, in the notation of ``format_sentence``.
ODDS_SENTENCES = {
    "wager": "{wager} pays {pays}: edge {edge}, wins {win}, {rolls:.2f} rolls to a decision; exact",
    "wagers": "{count} wagers, the edge from {best} to {worst}; exact",
    "no-wagers": "{count} wagers, none of them taken",
    "houses": "{houses:and} differ in {differ} of {count} wagers; exact",
    "par-sheet": "par sheet of {title}, {count} wagers; exact",
    "dice-shown": "a seven {sevens} of the time: {rolls} rolls would show it; exact",
    "dice-never-shown": "a seven {sevens} of the time: nothing would show; exact",
    "explained": "{wager}: edge {edge}, from {ways} ways to be decided; exact",
    "exposure": "the next throw costs the house {most} at most, on {dice}, and {mean} on average; "
    "exact",
    "unknown": "there is no wager {wager!r} here: {nearest}",
    "unknown-match": "there is no wager {wager!r} here to match: name one such as pass",
    "traveled": "{wager} is a {flat} that has traveled: ask for {flat}",
    "no-odds": "no odds go with {wager}: they go with {flats:and}",
    "sum-of-rolls": "{rolls}, the sum of the rolls there",
    "sum-of-chances": "{chance}, the sum of its chances",
    "times-the-stake": "{wagered} times the stake, odds on average",
    "sum-of-nets": "{edge}: minus the sum of chance x net, {net}{over: over {over} wagered|}",
    "of-outlay-sum": "{edge} of stake and vigorish, {vig} more",
    "capped": " are allowed; priced are, at the posted maximum, {amounts:,}",
    "of-wagered": "of the amount wagered",
    "of-flat-and-odds": "of the amount wagered, flat and odds on average",
    "of-flat": "of the flat wager alone",
    "without-pushes": "pushes left out",
    "of-outlay": "of the stake and the vigorish paid with it",
    "a-roll": "a roll",
    "with-full-odds": "{wager} with full odds",
    "source-start": "to begin with",
    "source-same": "thrown again",
    "source-other": "from {place}",
    "rolls-to-decision": "{rolls:.4f} to a decision{exact}",
    "sd": "{sd:.4f} of one decision, by the unit wagered",
    "multiple": "{multiple} times the flat wager{taken}",
    "stake": "a stake is above zero, not {stake} cents",
    # A par sheet: its heading, and the titles of its parts
    "par.rulebook": "Rulebook",
    "par.game": "Game",
    "par.house": "House",
    "par.elections": "Elections",
    "par.no-elections": "none: the rulebook's defaults",
    "par.minimum": "Table minimum",
    "par.center-minimum": "Minimum on center wagers",
    "par.maximum": "Table maximum",
    "par.chip": "Smallest chip",
    "par.dice": "Dice",
    "par.unfair": "not fair: {dice}",
    "par.made-by": "Made by",
    "par.program": "passline {version}, every figure exact",
    "par.wagers": "Wagers",
    "par.every-wager": "Every wager",
    "par.pay-table": "Pay table of {label}",
    "par.wager": "{title}: {label}",
    "par.explained": "{title}: {label}, unfolded",
    "par.edge": "edge",
    "par.deciding-throws": "Every throw that decides it",
    "par.terms": "Terms",
    "par.exposure": "What one throw can cost the house",
    "par.throws": "Every throw, the dearest first",
    "par.of": "Of {whole:,}",
    "par.cost": "Costs the house",
    "par.by": "By",
}


def say_odds(code: str, /, **figures: object) -> str:
    """Return the sentence of a code in ``ODDS_SENTENCES`` with its figures filled in.

    >>> say_odds("wagers", count=3, best="pass 1.41%", worst="field 5.56%")
    '3 wagers, the edge from pass 1.41% to field 5.56%; exact'
    """
    return format_sentence(ODDS_SENTENCES[code], figures)


#: The columns of a par sheet, as printed.
COLUMN_MEANINGS = {
    "Wager": "its name, and the pay table or the odds that make it this row.",
    "Pays": "the odds posted, the stake not counted.",
    "Clause": "the clause that gives the payout.",
    "Hit %": "the chance that a decision wins.",
    "1 in": "decisions to one hit, on average.",
    "Push %": "the chance that a decision is a push, if it can be.",
    "Edge %": "the house's share of the amount wagered, pushes counted.",
    "Edge, exact": "the same as a fraction; one too long to print is in the CSV.",
    "Resolved %": "the edge with pushes left out, where that differs.",
    "Of outlay %": "the edge of the stake and the vigorish paid with it.",
    "A roll %": "the edge per roll: Edge divided by Rolls.",
    "Rolls": "the mean number of rolls to a decision.",
    "SD": "the standard deviation of one decision, by the unit wagered.",
    "VI": "the volatility index, 1.645 times SD. Over many decisions N, the house holds the edge, "
    "give or take VI divided by the square root of N, nine times in ten.",
    "Min": "the smallest stake: the posted minimum, or the next amount that can be paid. For odds "
    "behind the line, on the point where it is smallest.",
    "Max": "the largest stake that may be made and paid.",
    "Max pay": "the most that a throw wins at that stake.",
    "Max cost": "the most that a throw costs the house at that stake, with no other wager on the "
    "layout.",
}
COLUMN_NOTES = (
    *(f"{heading}: {meaning}" for heading, meaning in COLUMN_MEANINGS.items()),
    "With odds (+odds): the edge is of the flat wager and the odds it carries on average. Min and "
    "Max are the flat wager's; the pay and the cost include its odds.",
    "A wager is followed while it is working. The puck moves only for wagers that it decides, such "
    "as line and fire wagers.",
)

#: The columns of exact figures, each followed in the file by the same as a decimal.
EXACT_COLUMNS = {
    "win": "the chance that a decision wins",
    "lose": "the chance that a decision loses",
    "push": "the chance that a decision is a push",
    "edge": "the house's share of the amount wagered, pushes counted",
    "edge_resolved": "the edge with pushes left out",
    "edge_per_roll": "the edge per roll",
    "edge_outlay": "the edge of the stake and the vigorish paid with it; empty without vigorish",
    "rolls": "the mean number of rolls to a decision",
}
#: The columns of a par sheet's CSV file. Money is in dollars.
CSV_COLUMNS = {
    "rulebook": "the rulebook's id",
    "game": "the game of the rulebook",
    "wager": "the wager's name in a record; +odds: with full odds behind it",
    "title": "the wager's name for people",
    "option": "the house rule that the row depends on",
    "multiple": "the odds behind a +odds wager, times the flat",
    "pays": "the odds posted, the stake not counted",
    "clauses": "the clauses that give the payout",
    **{
        f"{name}{ending}": f"{meaning}; a {form}"
        for name, meaning in EXACT_COLUMNS.items()
        for ending, form in (("", "fraction"), ("_decimal", "decimal"))
    },
    "one_in": "decisions to one hit, on average",
    "sd": "the standard deviation of one decision, by the unit wagered",
    "volatility_index": "1.645 times sd",
    "minimum": "the smallest stake that is taken",
    "maximum": "the largest stake that may be made and paid",
    "maximum_pay": "the most that a throw wins at that stake",
    "maximum_cost": "the most that a throw costs the house at that stake",
    "tiers": "a side wager's pay table: on what, the odds, the chance",
}


def describe_next_throw_cost(
    stakes: int, puck: int, worst: int, dice: tuple[int, int], mean: int, refused: int
) -> str:
    """Return in one line what the next throw can cost the house, and what it brings on average.

    ``stakes``, ``worst`` and ``mean`` are cents; ``dice`` is the throw that costs the ``worst``.
    ``refused`` counts the bets of the record that were refused.
    """
    where = f"the puck on {puck}" if puck else "the puck off"
    bets = "1 bet of the record was" if refused == 1 else f"{refused} bets of the record were"
    note = f" {bets} refused." if refused else ""
    return (
        f"With {show_dollars(stakes)} on the layout and {where}, the next throw costs the house at "
        f"most {show_dollars(worst)}, on {dice[0]}-{dice[1]}; on average it brings "
        f"{show_dollars(mean)} (to the cent).{note}"
    )
