"""What a player asks the screen rather than the dealer: why, odds, bets, crew, help."""

from __future__ import annotations

from collections.abc import Iterator

from passline.law.clauses import clauses_by_id
from passline.law.decisions import decisions_for
from passline.law.wagers import Come, Odds
from passline.layout import Refusal, Spot, Stake
from passline.money import show_dollars
from passline.play.game import Game
from passline.play.hints import example
from passline.play.names import bet_name, off_or_on
from passline.play.wording import settled
from passline.pricing.pays import in_words, pay_lines
from passline.table import Table
from passline.words.refusals import refusal_words

HELP = """\
Say what you would say to a dealer, several at once after a semicolon:
  pass line for 10      odds for 20; full odds    place the six for 12
  come for 10           $44 inside; $64 across    press the six
  hard eight for 5      take down my six          turn me off; turn me on
  buy in 200            pass the dice             same bet
And to the screen:
  roll        {dice}
  table       the table as it stands (or just Enter)
  why         the clauses behind the last throw or refusal, or: why CLAUSE
  odds        what your wagers win and cost
  bets        every wager here: pays, limits, how to say it, or: bets WORD
  crew        what the crew did on the last throw, in order
  undo        take back what you said last, before the dice roll
  save FILE   put the record of this game there
  leave       take down what may come down, and go; quit goes and leaves it up
Nothing is lost when you go: passline play --resume goes on with this game."""


def help_lines(typed: bool) -> Iterator[str]:
    """One screen of help."""
    dice = "type the two dice that fell instead: 4 3" if typed else "throw the dice (or just r)"
    yield from HELP.format(dice=dice).splitlines()


def why(game: Game, player: str, refused: Refusal | None, clause: str = "") -> Iterator[str]:
    """The clauses that decided, in our words, for the last refusal or the last throw."""
    book = game.house.book.id
    if clause:
        known = clauses_by_id(book)
        if clause not in known:
            yield f"{book} has no clause {clause}"
            return
        yield from _clause(book, clause)
        return
    if refused is not None:
        yield f"Refused: {refusal_words(refused)}"
        yield from _clause(book, refused.cite)
        return
    done = game.settled(player)
    if not done:
        yield "Nothing of yours was decided by the last throw."
    for one in done:
        yield f"{settled(game.before, one)}"
        yield from _clause(book, one.cite)


def _clause(book: str, cite: str) -> Iterator[str]:
    """A citation with its rule, and what was decided where the rule needs reading."""
    found = clauses_by_id(book).get(cite)
    yield f"  [{cite}] {found.rule}" if found else f"  [{cite}]"
    if found:
        for decision in decisions_for(book, cite):
            yield f"  decided: {decision.question}: {decision.decision}"


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

    if isinstance(spot.rule, Odds):
        return 0.0
    slug = spot.family if isinstance(spot.rule, Come) else spot.slug
    try:
        return float(odds(table.house, slug).edge)
    except WagerError:
        return None


def offers(table: Table, word: str = "") -> Iterator[str]:
    """The wagers of a table: a line for each kind, or for each wager that a word fits."""
    if word:
        found = [s for s in _made(table) if word in s.slug or word in bet_name(s.slug)]
        if not found:
            yield f"No wager here is called {word!r}: bets alone lists them all."
        for spot in found:
            pays = in_words(pay_lines(table.house, spot))
            yield f"{bet_name(spot.slug)} pays {pays}. Say {example(table, spot.slug)!r}."
        return
    kinds: dict[str, list[Spot]] = {}
    for spot in _made(table):
        kinds.setdefault(_kind(spot), []).append(spot)
    for name, spots in kinds.items():
        yield _offer(table, name, spots)
    yield 'Say "bets hard", "bets 6" or the like to see what each one pays.'


def _made(table: Table) -> Iterator[Spot]:
    """Every wager that a player makes: come wagers travel to their numbers by themselves."""
    for spot in table.layout.spots.values():
        if not (isinstance(spot.rule, Come) and spot.number):
            yield spot


def _kind(spot: Spot) -> str:
    """What wagers of a kind are called together."""
    kinds = {"hop": "hops", "hard": "hardways", "place-win": "place", "eleven": "yo"}
    stem = spot.family.partition("-")[0]
    return kinds.get(stem) or kinds.get(spot.family) or spot.rule.title.lower()


def _offer(table: Table, name: str, spots: list[Spot]) -> str:
    """One line: the name, what it pays, its limits, and how to say it."""
    lines = [line for spot in spots for line in pay_lines(table.house, spot)]
    pays = in_words(lines) if len(spots) == 1 else ", ".join(dict.fromkeys(x.odds for x in lines))
    limits = "by its flat wager"
    if not isinstance(spots[0].rule, Odds):
        least, most = min(s.minimum for s in spots), max(s.maximum for s in spots)
        limits = f"{show_dollars(least)} to {show_dollars(most)}"
    return f"{name:<16} {_short(pays, 24):<24} {limits:<17} {example(table, spots[0].slug)}"


def _short(text: str, wide: int) -> str:
    return text if len(text) <= wide else f"{text[: wide - 3].rstrip(' ,;')}..."


def crew(game: Game) -> Iterator[str]:
    """What the crew did on the last throw, in order."""
    from passline.crew.worklist import work_list

    if game.thrown is None:
        yield "Nothing has been thrown yet."
        return
    for number, task in enumerate(work_list(game.before, game.thrown), 1):
        yield f"{number:>2}. {task.by} {task.words} [{task.cite}]"
