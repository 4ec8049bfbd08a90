"""Why: the clauses behind the last throw or refusal, and the decisions that applied."""

from __future__ import annotations

from collections.abc import Iterator

from passline.law.clauses import clauses_by_id
from passline.law.decisions import WhyOccasion, decisions_for
from passline.layout import Refusal, Settlement
from passline.money import Odds
from passline.play.played import Played
from passline.play.wording import settled
from passline.table import Table
from passline.words.refusals import refusal_words


def why(game: Played, player: str, refused: Refusal | None, clause: str = "") -> Iterator[str]:
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
        yield f"Refused: {refusal_words(refused, to=player)}"
        yield from _clause(book, refused.cite, {"refused"})
        return
    done = game.settled(player)
    if not done:
        yield "Nothing of yours was decided by the last throw."
    for one in done:
        yield f"{settled(game.before, one)}"
        yield from _clause(book, one.cite, _occasions(game.before, one))


def _occasions(before: Table, done: Settlement) -> set[WhyOccasion]:
    """On which occasions a throw decided a wager: whatever was decided about those applies."""
    found: set[WhyOccasion] = set()
    if done.result != "return":
        found.add(done.result)
    if not before.puck:
        found.add("come-out")
    if done.to is not None and before.layout.spots[done.to].number == before.puck:
        found.add("on-point")
    stake = before.seat(done.player).wagers.get(done.wager)
    if stake is not None and stake.match:
        found.add("coupon")
    won = done.result == "win" and done.odds
    if won and not Odds.parse(won).pays_exactly(done.stake, before.house.chip):
        found.add("rounded")
    return found


def _clause(book: str, cite: str, at: set[WhyOccasion] | None = None) -> Iterator[str]:
    """A citation with its rule, and what was decided where the rule needs reading: on these
    occasions, or all of it."""
    found = clauses_by_id(book).get(cite)
    yield f"  [{cite}] {found.rule}" if found else f"  [{cite}]"
    if found:
        for decision in decisions_for(book, cite):
            if at is None or at.intersection(decision.at):
                yield f"  decided: {decision.question}: {decision.decision}"
