"""What a player asks the screen rather than the dealer: why, odds, bets, crew, help."""

from __future__ import annotations

from collections.abc import Iterator

from passline.law.families import is_hop
from passline.law.wagers import Come, Composite, Hardway, OddsRule, OneRoll
from passline.layout import Spot, Stake
from passline.money import Odds as Price
from passline.money import show_dollars
from passline.play.hints import example
from passline.play.names import off_or_on
from passline.play.played import Played
from passline.pricing.pays import list_pays, word_pays
from passline.table import Table
from passline.words.wagers import bet_name

#: With less room than this for what a wager pays, that is left out.
_LEAST_PAYS = 12
HELP = """\
Say what you would say to a dealer, several at once after a semicolon:
  pass line for 10      odds for 20; full odds    place the six for 12
  come for 10           $44 inside; $64 across    press the six
  hard eight for 5      take down my six          turn me off; turn me on
  buy in 200            pass the dice             same bet; leave my line down
And to the screen:
  roll        {dice}
  table       the table as it stands (or just Enter)
  why         the clauses behind the last throw or refusal, or: why CLAUSE
  odds        what your wagers win and cost
  bets        every wager here: pays, limits, how to say it, or: bets WORD
  crew        what the crew did on the last throw, in order
  undo        take back what you said last, before the dice roll
  save FILE   put the record of this game there
  leave       take down what may come down, and go; quit goes and leaves it up"""


def help_lines(typed: bool, parting: str) -> Iterator[str]:
    """One screen of help; ``parting`` says what becomes of the game."""
    dice = "type the two dice that fell instead: 4 3" if typed else "throw the dice (or just r)"
    yield from HELP.format(dice=dice).splitlines()
    yield parting


def costs(table: Table, player: str) -> Iterator[str]:
    """What each wager that is up does on the next throw, and what it costs in the long run."""
    wagers = table.seat(player).wagers
    if not wagers:
        yield "You have nothing up. passline odds shows every wager."
        return
    yield f"{'':<20}{'':>9}  {'next throw, of 36':<22}{'house edge':>10}  costs about"
    total = 0.0
    for slug, stake in wagers.items():
        spot = table.layout.spots[slug]
        edge = _edge(table, spot)
        cost = edge * stake.amount / 100 if edge is not None else 0.0
        total += cost
        shown = "" if edge is None else f"{edge:>10.3%}  ${cost:.2f}"
        name = f"{bet_name(slug)}"
        ways = _ways(table, slug, stake)
        yield f"{name:<20}{show_dollars(stake.amount):>9}  {ways:<22}{shown}".rstrip()
    up = sum(stake.amount for stake in wagers.values())
    share = total * 100 / up
    yield f"{'together':<20}{show_dollars(up):>9}  {'':<22}{share:>10.3%}  ${total:.2f}"
    yield "The edge is the house's, over a wager's whole life; odds have none."


def _ways(table: Table, slug: str, stake: Stake) -> str:
    """In how many of the 36 ways a throw wins, loses or moves a wager."""
    if off_or_on(table, slug, stake) == "off":
        return "rests: it is off"
    spot = table.layout.spots[slug]
    if spot.tiers:
        return "gathers"
    verdicts = [v.result for v in spot.tables[table.puck] if v is not None]
    words = [
        f"{verdicts.count(result)} {word}"
        for result, word in (("win", "win"), ("lose", "lose"), ("travel", "move"), ("push", "push"))
        if result in verdicts
    ]
    return ", ".join(words) or "waits"


def _edge(table: Table, spot: Spot) -> float | None:
    """The house's edge on a wager over its whole life; None where nothing can be said."""
    from passline.pricing import WagerError, odds

    if isinstance(spot.rule, OddsRule):
        return 0.0
    slug = spot.family if isinstance(spot.rule, Come) else spot.slug
    try:
        return float(odds(table.house, slug).edge)
    except WagerError:
        return None


def offers(table: Table, width: int, word: str = "") -> Iterator[str]:
    """The wagers of a table on one screen: a line for each kind, the center's side by side; or a
    line for each wager that a word fits."""
    if word:
        found = [s for s in _made(table) if word in s.slug or word in bet_name(s.slug)]
        if not found:
            yield f"No wager here is called {word!r}: bets alone lists them all."
        for spot in found:
            pays = word_pays(list_pays(table.house, spot))
            yield f"{bet_name(spot.slug)} pays {pays}. Say {example(table, spot.slug)!r}."
        return
    kinds: dict[str, list[Spot]] = {}
    for spot in _made(table):
        kinds.setdefault(_kind(spot), []).append(spot)
    center = {name: spots for name, spots in kinds.items() if _is_small(spots)}
    for name, spots in kinds.items():
        if name not in center:
            yield _offer(table, width, name, spots)
    if center:
        yield f"center: {', '.join(_pays_most(table, *kind) for kind in center.items())}"
    yield 'Say "bets hard", "bets 6" or the like to see what each one pays.'


def _made(table: Table) -> Iterator[Spot]:
    """Every wager that a player makes: come wagers travel to their numbers by themselves."""
    for spot in table.layout.spots.values():
        if not (isinstance(spot.rule, Come) and spot.number):
            yield spot


def _kind(spot: Spot) -> str:
    """What wagers of a kind are called together."""
    if isinstance(spot.rule, Hardway) or is_hop(spot.rule):
        return "hardways" if isinstance(spot.rule, Hardway) else "hops"
    return {"place-win": "place", "eleven": "yo"}.get(spot.kind) or spot.rule.title.lower()


def _is_small(spots: list[Spot]) -> bool:
    """Whether a kind is told side by side with others: the one-roll wagers of the center."""
    return spots[0].rule.area == "center" and isinstance(spots[0].rule, OneRoll | Composite)


def _pays_most(table: Table, name: str, spots: list[Spot]) -> str:
    """A wager of the center in a few words: what it pays, or the best of what it pays."""
    lines = [line.odds for spot in spots for line in list_pays(table.house, spot)]
    best = max(lines, key=lambda odds: Price.parse(odds).ratio)
    return f"{_say_name(name, spots)} {'up to ' if len(set(lines)) > 1 else ''}{best}"


def _say_name(name: str, spots: list[Spot]) -> str:
    return bet_name(spots[0].slug) if len(spots) == 1 else name


def _offer(table: Table, width: int, name: str, spots: list[Spot]) -> str:
    """One line: the name, how to say it, its limits and what it pays, as far as they fit."""
    lines = [line for spot in spots for line in list_pays(table.house, spot)]
    limits = "by its flat"
    if not isinstance(spots[0].rule, OddsRule):
        least, most = min(s.minimum for s in spots), max(s.maximum for s in spots)
        limits = f"{show_dollars(least)} to {show_dollars(most)}"
    say = example(table, spots[0].slug)
    row = f"{_short(name, 15):<15} {say:<25} {limits:<13} "
    room = width - len(row)
    pays = word_pays(lines) if len(spots) == 1 else ""
    if not pays or len(pays) > room:
        pays = ", ".join(dict.fromkeys(line.odds for line in lines))
    return f"{row}{_short(pays, room)}" if room >= _LEAST_PAYS else f"{_short(name, 15):<15} {say}"


def _short(text: str, wide: int) -> str:
    return text if len(text) <= wide else f"{text[: wide - 3].rstrip(' ,;')}..."


def crew(game: Played) -> Iterator[str]:
    """What the crew did on the last throw, in order."""
    from passline.crew.worklist import work_list

    if game.thrown is None:
        yield "Nothing has been thrown yet."
        return
    for number, task in enumerate(work_list(game.before, game.thrown), 1):
        yield f"{number:>2}. {task.by} {task.words} [{task.cite}]"
