"""Answers to the questions and information commands that a player types at the prompt.

These are questions to the dealer (limits, payouts) and the commands ``why``, ``odds``, ``bets``,
``crew`` and ``help``. The functions only read a table, and yield lines of text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from passline.game.law.clauses import DecisionOccasion, clauses_by_id, find_decisions
from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Refusal, Settlement, Stake
from passline.game.money.amounts import Odds, show_dollars, show_money
from passline.game.table import commands as cmd
from passline.game.table.state import Table
from passline.game.words.prompt import (
    HELP_DICE,
    HELP_TEXT,
    describe_settlement,
    say_prompt,
)
from passline.game.words.refusals import describe_refusal
from passline.game.words.wagers import screen_wager_name
from passline.lab.pricing.pays import describe_pays, list_pay_lines
from passline.play.game import BaseGame
from passline.play.hints import suggest_bet
from passline.play.table_screen import working_button
from passline.talk.errors import RecordError, UnplayableError
from passline.talk.understand import understand

if TYPE_CHECKING:
    from passline.lab.pricing.wager_odds import WagerOdds

_WHAT_IS = r"(?:what'?s|what is|whats|what are|what're|how much is|tell me|how much are)(?: the)?"
_ON_WAGER = r"(?: (?:on|of|for|behind)(?: the| my)? (?P<{}>.+))?"
_LIMITS_QUESTION = re.compile(
    rf"{_WHAT_IS}(?: table)? (?:min|minimum|max|maximum|limit|limits|minimum bet|maximum bet)"
    rf"{_ON_WAGER.format('on')}"
    rf"|(?P<of>.+?) (?:min|minimum|max|maximum|limits)"
)
_PAYS_QUESTION = re.compile(
    rf"(?:what|how much) (?:does|do|will|would)(?: the| my| an?)? (?P<a>.+?) pay(?: out)?"
    rf"|{_WHAT_IS} (?:pay|pays|payout|payoff|payouts|odds|edge|house edge){_ON_WAGER.format('b')}"
)
_TABLE_QUESTION = re.compile(
    rf"{_WHAT_IS} point"
    r"|who(?:'s| is| has)?(?: the)? (?:shooting|shooter|dice|next shooter)"
    r"|(?:what|how much)(?: money| bets?)? (?:do|have) i (?:have|got)(?: .*)?"
)
_MOST_WAGERS = 6


def classify_question(words: str) -> str | None:
    """Return a question to the dealer as "kind subject", such as "pays hard 8", or None.

    The kind is ``table``, ``limits`` or ``pays``; the subject is the wager in the player's words,
    and is left out if there is none. Return None for other words.
    """
    question = words.rstrip("?").strip()
    if _TABLE_QUESTION.fullmatch(question):
        return "table"
    if words.endswith("?") and question in {"min", "minimum", "max", "maximum", "limits"}:
        return "limits"
    if pays := _PAYS_QUESTION.fullmatch(question):
        return f"pays {pays['a'] or pays['b'] or ''}".rstrip()
    limits = _LIMITS_QUESTION.fullmatch(question)
    if limits and (limits["on"] or not limits["of"] or words.endswith("?")):
        return f"limits {limits['on'] or limits['of'] or ''}".rstrip()
    return None


def answer_question(table: Table, player: str, question: str) -> Iterator[str]:
    """Yield the dealer's answer to a question of the kind ``limits`` or ``pays``.

    ``question`` is as ``classify_question`` returned it.
    """
    kind, _, about = question.partition(" ")
    spots = _find_wagers(table, player, about) if about else []
    if about and not spots:
        yield say_prompt("unknown-wager", name=about)
        return
    if kind == "limits" and not spots:
        yield _table_limits(table)
    elif not spots:
        yield say_prompt("which-wager-pays")
    answer = _answer_limits if kind == "limits" else _answer_pays
    yield from (answer(table, spot) for spot in spots[:_MOST_WAGERS])
    if kind != "limits" and len(spots) > _MOST_WAGERS:
        yield say_prompt("more-wagers")


def _find_wagers(table: Table, player: str, about: str) -> list[Spot]:
    """Return the wagers that the words ``about`` mean as table talk.

    If they mean none, return the wagers whose kind begins or ends with these words.
    """
    words = about.removesuffix(" bet").removesuffix(" bets").removesuffix(" wager")
    for tail in ("for 60", "for 60 each", "for 2640"):
        commands = _understand_all(table, player, f"{words} {tail}")
        slugs = dict.fromkeys(command.wager for command in commands if isinstance(command, cmd.Bet))
        spots = [table.layout.spots[slug] for slug in slugs if slug in table.layout.spots]
        if spots:
            return spots
    kind = re.sub(r"[\s-]+", "-", words).removeprefix("the-")
    every = table.layout.spots.values()
    return [s for s in every if s.kind.startswith(kind) or s.kind.endswith(f"-{kind}")]


def _understand_all(
    table: Table, player: str, words: str, choose: bool = True
) -> list[cmd.AnyCommand]:
    """Return the commands that the words mean; empty if they are not understood.

    If the words are ambiguous, return the commands of every reading with ``choose``, else none.
    """
    try:
        return understand(table, player, words)
    except UnplayableError as doubt:
        choices = doubt.choices if choose else ()
        return [c for choice in choices for c in _understand_all(table, player, choice, False)]
    except RecordError:
        return []


def _table_limits(table: Table) -> str:
    least, most = table.house.minimum, table.house.maximum
    center = [spot.minimum for spot in table.layout.spots.values() if spot.rule.area == "center"]
    if not center:
        return say_prompt("table-limits", least=least, most=most)
    return say_prompt("table-limits-center", least=least, most=most, low=min(center))


def _answer_limits(_: Table, spot: Spot) -> str:
    wager = screen_wager_name(spot.slug)
    if spot.is_odds:
        return say_prompt("odds-limits", wager=wager)
    return say_prompt("wager-limits", wager=wager, least=spot.minimum, most=spot.maximum)


def _answer_pays(table: Table, spot: Spot) -> str:
    """Return a sentence: what a wager pays, how often it wins, and its house edge."""
    wager = screen_wager_name(spot.slug)
    pays = describe_pays(list_pay_lines(table.house, spot))
    if spot.is_odds:
        return say_prompt("pays-true-odds", wager=wager, pays=pays)
    price = _find_odds(table, spot.slug)
    if price is None:
        return say_prompt("pays", wager=wager, pays=pays)
    wins, edge = float(price.win), float(price.edge)
    return say_prompt("pays-edge", wager=wager, pays=pays, wins=wins, edge=edge)


def _find_odds(table: Table, slug: str) -> WagerOdds | None:
    """Return the exact odds and house edge of a wager, or None if they can't be computed."""
    from passline.lab.pricing.wager_odds import WagerError, odds

    try:
        return odds(table.house, slug)
    except WagerError:
        return None


#: A row with fewer free columns than this shows no payouts.
_LEAST_PAYS_WIDTH = 12


def help_lines(typed: bool, quit_note: str) -> Iterator[str]:
    """Yield one screen of help.

    ``typed`` means that the player types the dice. ``quit_note`` says what happens to the game on
    quitting.
    """
    yield from HELP_TEXT.format(dice=HELP_DICE[typed]).splitlines()
    yield quit_note


def list_bet_costs(table: Table, player: str) -> Iterator[str]:
    """Yield a row for each open bet: what the next roll may do to it, and its long-run cost."""
    wagers = table.seat(player).wagers
    if not wagers:
        yield say_prompt("no-open-bets")
        return
    names = ("next-roll", "house-edge", "costs-about")
    chances, edges, costs = (say_prompt(f"column-{name}") for name in names)
    yield f"{'':<20}{'':>9}  {chances:<22}{edges:>10}  {costs}"
    cost = 0.0
    for slug, stake in wagers.items():
        edge = _house_edge(table, table.layout.spots[slug])
        cost += (edge or 0.0) * stake.amount
        ways = _count_ways(table, slug, stake)
        yield _cost_row(screen_wager_name(slug), stake.amount, ways, edge)
    up = sum(stake.amount for stake in wagers.values())
    yield _cost_row("together", up, "", cost / up)
    yield say_prompt("edge-note")


def _cost_row(name: str, amount: int, ways: str, edge: float | None) -> str:
    cost = "" if edge is None else f"{edge:>10.3%}  {show_money(edge * amount)}"
    return f"{name:<20}{show_dollars(amount):>9}  {ways:<22}{cost}".rstrip()


def _count_ways(table: Table, slug: str, stake: Stake) -> str:
    """Return how many of the 36 rolls win, lose or move a bet, such as "6 win, 6 lose".

    Return one word for a bet that is off, collects throws, or is not decided by the next roll.
    """
    if working_button(table, slug, stake) == "off":
        return "off"
    spot = table.layout.spots[slug]
    if spot.tiers:
        return "collects"
    verdicts = [v.result for v in spot.tables[table.point] if v is not None]
    words = [
        f"{verdicts.count(result)} {word}"
        for result, word in (("win", "win"), ("lose", "lose"), ("travel", "move"), ("push", "push"))
        if result in verdicts
    ]
    return ", ".join(words) or "waits"


def _house_edge(table: Table, spot: Spot) -> float | None:
    """Return a wager's house edge as a fraction of its stake, 0 for odds, or None if unknown."""
    if spot.is_odds:
        return 0.0
    price = _find_odds(table, spot.family if spot.rule.is_come else spot.slug)
    return None if price is None else float(price.edge)


def list_wagers(table: Table, width: int, word: str = "") -> Iterator[str]:
    """Yield the wagers of a table on one screen, or only those whose name contains ``word``.

    Without a word, each kind gets a line, and one-roll bets of the center share one.
    """
    if word:
        spots = [
            s for s in _wagers_to_make(table) if word in s.slug or word in screen_wager_name(s.slug)
        ]
        if not spots:
            yield say_prompt("no-such-wager", name=word)
        for spot in spots:
            pays = describe_pays(list_pay_lines(table.house, spot))
            say, wager = suggest_bet(table, spot.slug), screen_wager_name(spot.slug)
            yield say_prompt("pays-say", wager=wager, pays=pays, say=say)
        return
    kinds: dict[str, list[Spot]] = {}
    for spot in _wagers_to_make(table):
        kinds.setdefault(_kind_name(spot), []).append(spot)
    center = {name: spots for name, spots in kinds.items() if _is_small(spots)}
    for name, spots in kinds.items():
        if name not in center:
            yield _wager_row(table, width, name, spots)
    if center:
        yield f"center: {', '.join(_center_summary(table, *kind) for kind in center.items())}"
    yield say_prompt("bets-more")


def _wagers_to_make(table: Table) -> Iterator[Spot]:
    """Yield every wager that a player can bet directly, which leaves out come bets on a number."""
    for spot in table.layout.spots.values():
        if not (spot.rule.is_come and spot.number):
            yield spot


def _kind_name(spot: Spot) -> str:
    """Return the plural or short name under which ``bets`` lists a wager, such as "hardways"."""
    if spot.rule.is_hardway or spot.rule.is_hop:
        return "hardways" if spot.rule.is_hardway else "hops"
    return {"place-win": "place", "eleven": "yo"}.get(spot.kind) or spot.rule.title.lower()


def _is_small(spots: list[Spot]) -> bool:
    """Return whether these wagers of one kind are one-roll center bets, which share a line."""
    rule = spots[0].rule
    return rule.area == "center" and rule.is_one_roll


def _center_summary(table: Table, name: str, spots: list[Spot]) -> str:
    """Return a kind of center bet and what it pays: "yo 15 to 1", or "hops up to 30 to 1"."""
    lines = {line.odds for spot in spots for line in list_pay_lines(table.house, spot)}
    best = max(lines, key=lambda odds: Odds.parse(odds).ratio)
    shown = screen_wager_name(spots[0].slug) if len(spots) == 1 else name
    return f"{shown} {'up to ' if len(lines) > 1 else ''}{best}"


def _wager_row(table: Table, width: int, name: str, spots: list[Spot]) -> str:
    """Return one line for a kind of wager: name, how to bet it, limits and payouts.

    Limits and payouts are left out or shortened if the line would be wider than ``width``.
    """
    lines = [line for spot in spots for line in list_pay_lines(table.house, spot)]
    limits = say_prompt("limits-of-odds")
    if not spots[0].is_odds:
        least, most = min(s.minimum for s in spots), max(s.maximum for s in spots)
        limits = f"{show_dollars(least)} to {show_dollars(most)}"
    start = f"{_shorten(name, 15):<15} {suggest_bet(table, spots[0].slug)}"
    row = f"{start:<41} {limits:<13} "
    room = width - len(row)
    if room < _LEAST_PAYS_WIDTH:
        return start
    pays = describe_pays(lines) if len(spots) == 1 else ""
    if not pays or len(pays) > room:
        pays = ", ".join(dict.fromkeys(line.odds for line in lines))
    return row + _shorten(pays, room)


def _shorten(text: str, wide: int) -> str:
    return text if len(text) <= wide else f"{text[: wide - 3].rstrip(' ,;')}..."


def list_crew_tasks(game: BaseGame) -> Iterator[str]:
    """Yield what the crew did on the last roll, in order."""
    from passline.crew.work_list import make_work_list

    if game.thrown is None:
        yield say_prompt("nothing-rolled")
        return
    for number, task in enumerate(make_work_list(game.before, game.thrown), 1):
        yield f"{number:>2}. {task.by} {task.words} [{task.cite}]"


def explain_last_decision(
    game: BaseGame, player: str, refused: Refusal | None, clause: str = ""
) -> Iterator[str]:
    """Yield the clauses behind the last refusal or roll, or the one that ``clause`` names.

    ``refused`` is the last refusal, None if the last line was accepted.
    """
    book = game.house.book
    if clause and clause not in clauses_by_id(book.id):
        yield say_prompt("no-clause", book=book.title, clause=clause)
    elif clause:
        yield from _explain_clause(book.id, clause)
    elif refused is not None:
        yield say_prompt("refused", reason=describe_refusal(refused, to=player))
        yield from _explain_clause(book.id, refused.cite, {"refused"})
    elif not (done := game.settled(player)):
        yield say_prompt("nothing-decided")
    else:
        for one in done:
            yield describe_settlement(game.before, one)
            yield from _explain_clause(book.id, one.cite, _find_occasions(game.before, one))


def _find_occasions(before: Table, done: Settlement) -> set[DecisionOccasion]:
    """Return what was special about how a roll settled a bet, such as a come-out or a coupon.

    `explain_last_decision` then shows our decisions about the rulebook for these occasions.
    """
    occasions: set[DecisionOccasion] = set()
    if done.result != "return":
        occasions.add(done.result)
    if not before.point:
        occasions.add("come-out")
    if done.to is not None and before.layout.spots[done.to].number == before.point:
        occasions.add("on-point")
    stake = before.seat(done.player).wagers.get(done.wager)
    if stake is not None and stake.match:
        occasions.add("coupon")
    won = done.result == "win" and done.odds
    if won and not Odds.parse(won).pays_exactly(done.stake, before.house.chip):
        occasions.add("rounded")
    return occasions


def _explain_clause(book: str, cite: str, at: set[DecisionOccasion] | None = None) -> Iterator[str]:
    """Yield a citation, its rule in our words, and our decisions where the rulebook is unclear.

    With ``at``, yield only the decisions that matter on one of those occasions.
    """
    clause = clauses_by_id(book).get(cite)
    yield f"  [{cite}] {clause.rule}" if clause else f"  [{cite}]"
    for decision in find_decisions(book, cite) if clause else ():
        if at is None or at.intersection(decision.at):
            yield f"  decided: {decision.question}: {decision.decision}"
