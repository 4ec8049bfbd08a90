"""``settle``: compute what a throw does to one player's wagers."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from passline.game.dice.dice import SEVEN, outcome_total
from passline.game.law.shapes.collect import Collect, CollectThrow, Tally
from passline.game.law.verdicts import Verdict
from passline.game.layout.spots import DOUBLE_FLAGS, Layout, Spot
from passline.game.layout.stakes import Settlement, Stake, Wagers
from passline.game.money.rounding import pay_in_chips


class Throw(msgspec.Struct, frozen=True, gc=False):
    """A throw that counts, with all that ``settle`` must know about it.

    ``index`` is the outcome of the dice (0 to 35). ``puck`` is the point before the throw, or 0 on
    a come-out roll. ``made`` (points made by this shooter), ``thrown`` (totals thrown) and
    ``tallies`` (what other collecting wagers have counted, by slug) are for collecting wagers, such
    as fire. All three include this throw.
    """

    index: int
    total: int
    puck: int
    made: frozenset[int] = frozenset()
    thrown: frozenset[int] = frozenset()
    tallies: Mapping[str, Tally] = {}

    @property
    def loser_seven(self) -> bool:
        """Whether the throw is a seven-out: a seven with a point on."""
        return self.total == SEVEN and self.puck != 0


def settle(layout: Layout, player: str, wagers: Wagers, throw: Throw) -> list[Settlement]:
    """Return what a throw does to one player's wagers, in layout order.

    Wagers that it neither decides, moves nor returns have no settlement.
    """
    found: list[Settlement] = []
    spots = layout.spots
    puck, index = throw.puck, throw.index
    for slug, stake in wagers.items():
        spot = spots[slug]
        if spot.tiers:
            verdict = _find_collect_verdict(layout, spot, throw)
        else:
            verdict = spot.tables[puck][index]
        if verdict is None:
            continue
        if not (stake.call if stake.call is not None else puck != 0 or spot.works):
            if spot.flat:
                found.append(_return_odds(player, slug, spot, stake))
            continue
        if stake.unnoticed:
            found += _settle_past_limits(layout, player, slug, spot, stake, verdict)
        else:
            found.append(_settle_wager(layout, player, slug, spot, stake, verdict))
    if len(found) > 1:
        found.sort(key=lambda s: spots[s.wager].rank)
        if layout.house.book.net_center.value:
            found = _net_center_wagers(layout, found)
    return found


def _return_odds(player: str, slug: str, spot: Spot, stake: Stake) -> Settlement:
    """Return the settlement that gives back odds that were off when their flat bet was decided."""
    come_out = spot.rule.come_out
    cite = come_out.cite if come_out is not None else "custom: the odds were called off"
    return Settlement(player, slug, stake.amount, "return", None, 0, 0, cite, stake.amount, 0)


def _settle_wager(
    layout: Layout, player: str, slug: str, spot: Spot, stake: Stake, verdict: Verdict
) -> Settlement:
    amount = stake.amount
    result, win, per, odds, cite, to = verdict
    if result == "win":
        paid = (
            _find_pay(layout, spot, _find_paid_stake(layout, spot, stake), win, per) + stake.match
        )
        vig = _find_vig_on_win(layout, spot, stake) if spot.vig else 0
        left = amount if spot.stays else 0
        back = amount - left + paid - vig
        return Settlement(
            player, slug, amount, result, odds, paid, vig, cite, back, left, promo=stake.match
        )
    if result == "lose":
        back = amount * win // per if win else 0
        return Settlement(player, slug, amount, result, None, 0, 0, cite, back, 0)
    if result == "push":
        # A flat wager that pushes stays on its spot; a composite or a side bet comes down.
        left = amount if spot.rule.stays_on_push else 0
        return Settlement(player, slug, amount, result, None, 0, 0, cite, amount - left, left)
    return Settlement(player, slug, amount, result, None, 0, 0, cite, 0, 0, to)


def _settle_past_limits(
    layout: Layout, player: str, slug: str, spot: Spot, stake: Stake, verdict: Verdict
) -> list[Settlement]:
    """Return the settlements of a wager that was made outside the limits, unnoticed by the crew.

    If the book caps wagers above the maximum, the player gets the excess back and the rest is
    settled.
    """
    rule = layout.house.book.stakes.found_over
    over = stake.amount - spot.maximum
    if rule.value != "capped" or over <= 0 or verdict.result not in {"win", "lose"}:
        return [_settle_wager(layout, player, slug, spot, stake, verdict)]
    cites = rule.clauses or (rule.cite,)
    cite = cites[0] if verdict.result == "win" else cites[-1]
    vig = layout.house.vig[spot.vig].charge(spot.maximum, spot.odds) if spot.vig else 0
    held = Stake(spot.maximum, spot.maximum, stake.call, vig, stake.match)
    return [
        Settlement(player, slug, over, "return", None, 0, 0, cite, over, 0),
        _settle_wager(layout, player, slug, spot, held, verdict._replace(cite=cite)),
    ]


def _find_paid_stake(layout: Layout, spot: Spot, stake: Stake) -> int:
    """Return the cents that a win is paid on: normally the whole stake.

    For a wager below the minimum that nobody noticed, it is the minimum, if the book says so.
    """
    rule = layout.house.book.stakes.found_under
    if stake.unnoticed and rule.value == "as-minimum":
        return max(stake.amount, spot.minimum)
    return stake.amount


def _find_pay(layout: Layout, spot: Spot, amount: int, win: int, per: int) -> int:
    """Return what ``amount`` cents win at ``win`` to ``per``, in cents.

    It is rounded to whole chips as the house rounds.
    """
    house = layout.house
    how = house.true_odds_breakage if spot.flat or spot.vig else house.breakage
    return pay_in_chips(amount * win, per, house.chip, how)


def _find_vig_on_win(layout: Layout, spot: Spot, stake: Stake) -> int:
    """Return the vigorish in cents to take from a win.

    The house charges it for this win, or in advance for the next decision of a wager that stays up.
    """
    terms = layout.house.vig[spot.vig]
    if spot.vig_won:
        return terms.charge(stake.amount, spot.odds)
    return stake.vig if spot.stays and terms.renews else 0


def see_throw(layout: Layout, index: int, puck: int) -> CollectThrow:
    """Return what collecting wagers (fire, bonus) need to know about a throw.

    ``index`` is the outcome of the dice, and ``puck`` the point before the throw, or 0.
    """
    line = layout.line_tables[puck][index] if layout.line_tables else None
    result = line.result if line is not None else None
    return CollectThrow(outcome_total(index), puck, DOUBLE_FLAGS[index], result)


def _find_collect_verdict(layout: Layout, spot: Spot, throw: Throw) -> Verdict | None:
    rule = spot.rule
    assert isinstance(rule, Collect)
    tally = rule.pick_tally(throw.made, throw.thrown, throw.tallies.get(spot.slug, ()))
    return rule.find_verdict(spot.tiers, tally, see_throw(layout, throw.index, throw.puck))


def _net_center_wagers(layout: Layout, found: list[Settlement]) -> list[Settlement]:
    """Return the settlements ``found`` of one player with the center wagers netted, as Iowa does.

    If the winning center wagers are paid at least what the others lose, all of them stay up, and
    the losses come out of the rail. Otherwise, or if the book takes lost wagers down at once,
    return ``found``.
    """
    book = layout.house.book
    decided = [s for s in found if layout.spots[s.wager].rule.area == "center"]
    won = sum(s.paid for s in decided if s.result == "win")
    lost = sum(s.stake for s in decided if s.result == "lose")
    if not won or not lost or won < lost:
        return found
    if book.net_down.value == "at-once":
        return found
    return [_keep_wager_up(s) if s in decided and s.result != "return" else s for s in found]


def _keep_wager_up(done: Settlement) -> Settlement:
    """Return the settlement of a netted wager: its stake stays up, and the rail pays a loss."""
    back = done.paid if done.result == "win" else -done.stake
    return Settlement(
        done.player,
        done.wager,
        done.stake,
        done.result,
        done.odds,
        done.paid,
        done.vig,
        done.cite,
        back,
        done.stake,
    )
