"""Hints for a player: a phrase to type next, with an amount that this house accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from passline.game.layout.odds_limits import find_odds_price
from passline.game.layout.stakes import Refusal
from passline.game.money.amounts import show_dollars
from passline.game.table.dice_custody import find_next_shooter
from passline.game.table.options import bet_option
from passline.game.table.state import Seat, Table
from passline.game.words.prompt import say_prompt
from passline.game.words.wagers import spoken_wager_name

#: How many times each kind of hint is shown.
_MOST_REPEATS = 2
_USUAL_BET = 1000  # cents
_ALWAYS_SHOWN = frozenset({"broke", "away", "nobody"})


class Hints:
    """The hints of a session. Each is shown twice, or always if the game can't go on without it.

    ``player`` gets the hints. ``typed`` means that the player types the dice.
    """

    def __init__(self, player: str, typed: bool) -> None:
        self.player = player
        self._roll = say_prompt("typed-roll-phrase" if typed else "roll-phrase")
        self._times_shown: Counter[str] = Counter()

    def next(self, table: Table, requested: bool = False) -> str:
        """Return the hint for this table, or an empty string if it was shown often enough.

        With ``requested``, the player asked for a hint: return it even if it was shown often.
        """
        kind, words = self._find_hint(table)
        self._times_shown[kind] += 1
        if requested or kind in _ALWAYS_SHOWN or self._times_shown[kind] <= _MOST_REPEATS:
            return words
        return ""

    def once(self, kind: str, words: str) -> str:
        """Return ``words`` the first time for this kind of hint, and "" after that."""
        self._times_shown[kind] += 1
        return words if self._times_shown[kind] == 1 else ""

    def _find_hint(self, table: Table) -> tuple[str, str]:
        seat = table.seat(self.player)
        if not seat.here:
            return "away", self.make(table, "away")
        if seat.rail < table.house.minimum and not seat.wagers:
            return "broke", self.make(table, "broke", rail=show_dollars(seat.rail))
        if isinstance(find_next_shooter(table), Refusal):
            return "nobody", self.make(table, "nobody")
        if not table.point:
            return self._come_out_hint(table, seat)
        return self._point_hint(table, seat)

    def make(self, table: Table, code: str, **figures: str) -> str:
        """Return the words of the hint ``code``, with phrases that this house understands.

        ``figures`` are further values for its placeholders.
        """
        figures = {"line": self._line(table), "roll": self._roll, **figures}
        return say_prompt(f"hint-{code}", point=table.point, **figures)

    def _line(self, table: Table) -> str:
        return self._say(table, "pass", "pass line") or self._say(table, "dont-pass")

    def _say(self, table: Table, name: str, words: str = "") -> str:
        """Return a quoted phrase that makes a wager, or "" if this house does not deal it.

        ``name`` is the wager's standard name. ``words`` is how to say it in a rulebook that uses
        that name.
        """
        slug = table.layout.slug(name)
        if slug not in table.layout.spots:
            return ""
        phrase = words if words and slug == name else spoken_wager_name(slug)
        return f'"{phrase} for {self._amount(table, slug)}"'

    def _amount(self, table: Table, slug: str, usual: int = _USUAL_BET) -> str:
        """Return dollars that the wager takes now: ``usual`` cents, or the nearest amount."""
        option = bet_option(table, self.player, slug)
        if option.bar is not None:
            return suggest_amount(table, slug, usual)
        steps = -(-(max(usual, option.least) - option.least) // option.step)
        return _format_amount(min(option.least + steps * option.step, option.most))

    def _come_out_hint(self, table: Table, seat: Seat) -> tuple[str, str]:
        if seat.wagers:
            return "ready", self.make(table, "ready")
        dont = self._say(table, "dont-pass")
        if dont and dont != self._line(table):
            return "line", self.make(table, "either-line", other=dont)
        return "line", self.make(table, "line")

    def _point_hint(self, table: Table, seat: Seat) -> tuple[str, str]:
        odds = next(self._odds_suggestions(table, seat), "")
        if odds:
            return "odds", self.make(table, "odds", odds=odds)
        if seat.wagers:
            return "wait", self.make(table, "wait")
        bets = " or ".join(filter(None, [self._place(table), self._say(table, "come")]))
        return "numbers", self.make(table, "numbers", bets=bets)

    def _place(self, table: Table) -> str:
        """Return a quoted phrase for a place bet on the 8, or on the 6 if the point is 8.

        Return "" if the house deals no such bet.
        """
        for number in (8, 6):
            spot = table.layout.spot(f"place-win-{number}")
            if spot is not None and number != table.point:
                return f'"place the {number} for {self._amount(table, spot.slug, 1200)}"'
        return ""

    def _odds_suggestions(self, table: Table, seat: Seat) -> Iterator[str]:
        """Yield a phrase that bets odds behind each line bet without odds, up to twice the bet."""
        lines = [slug for slug in seat.wagers if table.layout.spots[slug].rule.is_line]
        for flat in lines:
            slug = table.layout.spots[flat].behind
            if slug in seat.wagers or slug not in table.layout.spots:
                continue
            option = bet_option(table, self.player, slug)
            most = min(option.most, max(seat.wagers[flat].amount * 2, option.least))
            if option.bar is None and most >= option.least:
                most -= (most - option.least) % option.step
                name = "odds" if len(lines) == 1 else spoken_wager_name(slug)
                yield f"{name} for {_format_amount(most)}"


def suggest_amount(table: Table, slug: str, usual: int = _USUAL_BET) -> str:
    """Return dollars that a wager accepts: ``usual`` cents, or the next amount above."""
    spot = table.layout.spots[slug]
    price = find_odds_price(spot, table.point) if spot.is_odds else None
    step = price.step(table.house.chip) if price else spot.step
    return _format_amount(-(-max(usual, spot.minimum) // step) * step)


def _format_amount(cents: int) -> str:
    return show_dollars(cents).removeprefix("$")


def suggest_bet(table: Table, slug: str) -> str:
    """Return a phrase that makes a wager and that the dealer understands."""
    usual = 100 if table.layout.spots[slug].rule.area == "center" else _USUAL_BET
    return f"{spoken_wager_name(slug)} for {suggest_amount(table, slug, usual)}"
