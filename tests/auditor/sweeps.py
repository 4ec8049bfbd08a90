"""Games that leave nothing to chance: every wager of a book against every throw, and its limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .figures import BONUS_NEEDS, BOOKS, HOPS, TEN, TOTALS

THROWS = [(a, b) for a in range(1, 7) for b in range(1, 7)]
_PAIR = {2: "1 1", 3: "1 2", 4: "2 2", 5: "2 3", 6: "3 3", 7: "3 4"}
_PAIR |= {8: "4 4", 9: "4 5", 10: "5 5", 11: "5 6", 12: "6 6"}


def _roll(total: int) -> str:
    return f"roll {_PAIR[total]}"


def _header(rulebook: str, *elections: str) -> list[str]:
    return [f"rulebook: {rulebook}", *(f"house.{e}" for e in elections), "player: ann 9999999", ""]


def _payable(slug: str) -> int:
    """An amount within every limit: composites come in twos, threes, fours and fives."""
    return 20 if slug in TOTALS or slug in HOPS else 60


def one_rolls(rulebook: str) -> list[str]:
    """Every one-roll wager, composites too, against each of the 36 throws."""
    book = BOOKS[rulebook]
    slugs = [*TOTALS, *HOPS, *book.composites, *book.booked_as]
    lines = _header(rulebook)
    if book.six_seven_eight:
        slugs.append("six-seven-eight")
        if book.six_seven_eight == "elected":
            lines = _header(rulebook, "offers.six-seven-eight: true")
    for first, second in THROWS:
        lines += ["ann: all down", "ann: pass for 5"]
        lines += [f"ann: {slug} for {_payable(slug)}" for slug in slugs]
        lines += [f"roll {first} {second}", _roll(7)]
    return lines


def one_rolls_alone(rulebook: str) -> list[str]:
    """The same one at a time, so that nothing is netted."""
    book = BOOKS[rulebook]
    lines = _header(rulebook)
    for slug in [*TOTALS, *book.composites]:
        for total in range(2, 13):
            lines += [f"ann: pass for 5; {slug} for {_payable(slug)}", _roll(total), _roll(7)]
            lines += ["ann: all down"]
    return lines


def numbers(rulebook: str) -> list[str]:
    """Place, buy, lay and hardways against each throw: on a come-out, called on, and in a point."""
    slugs = [f"{family}-{n}" for family in ("place-win", "place-lose", "buy", "lay") for n in TEN]
    slugs += ["big-6", "big-8"]
    hard = [f"hard-{n}" for n in (4, 6, 8, 10)]
    # An amount that every number pays exactly; where rounding is allowed, one that few do.
    amount = 1320 if BOOKS[rulebook].exact else 487
    lines = _header(rulebook)
    for called in ("", "on", "off"):
        for point in (0, 4, 5):
            for first, second in THROWS:
                lines += ["ann: pass for 5"] + ([_roll(point)] if point else [])
                lines += [f"ann: {slug} for {amount}" for slug in slugs]
                lines += [f"ann: {slug} for 9" for slug in hard]
                if called:
                    lines += [f"ann: {slug} {called}" for slug in slugs + hard]
                lines += [f"roll {first} {second}", _roll(7), "ann: all down"]
    return lines


def come(rulebook: str) -> list[str]:
    """Come and don't come to each number, odds behind them, decided either way."""
    lines = _header(rulebook)
    for side in ("come", "dont-come"):
        for number in TEN:
            for end in (*range(2, 13), 107):
                point = 5 if number != 5 else 9
                lines += ["ann: pass for 5", _roll(point), f"ann: {side} for 30", _roll(number)]
                lines += [f"ann: {side}-odds-{number} for 30"]
                if end > 100:  # the point is made, and the come-out decides it
                    lines += [_roll(point), "ann: pass for 5"]
                lines += [_roll(end % 100), _roll(7), "ann: all down"]
    return lines


def line(rulebook: str) -> list[str]:
    """Pass and don't pass with odds on each point, decided either way."""
    lines = _header(rulebook)
    for side in ("pass", "dont-pass"):
        for point in range(2, 13):
            for end in range(2, 13):
                lines += [f"ann: {side} for 30", _roll(point), f"ann: {side}-odds for 30"]
                lines += [_roll(end), _roll(7), "ann: all down"]
    return lines


def odds_limits(rulebook: str) -> list[str]:
    """Odds on each number up to their limit and past it, by ones."""
    lines = _header(rulebook)
    for side in ("pass", "dont-pass"):
        for point in TEN:
            for flat in (5, 7, 10):
                lines += [f"ann: {side} for {flat}", _roll(point)]
                for top in (flat, 2 * flat, 3 * flat, 6 * flat, 10 * flat, 12 * flat, 20 * flat):
                    lines += [
                        f"ann: {side}-odds for {top + more}; {side}-odds down" for more in range(7)
                    ]
                lines += ["ann: pass down", _roll(7), "ann: all down"]
    return lines


def limits(rulebook: str) -> list[str]:
    """Every wager under, at and over its limits."""
    book = BOOKS[rulebook]
    slugs = ["pass", *TOTALS, *HOPS, *book.composites, *book.booked_as]
    slugs += ["dont-pass", "hard-4", "hard-6", "hard-8", "hard-10", "big-6", "big-8"]
    slugs += [f"{family}-{n}" for family in ("place-win", "place-lose", "buy", "lay") for n in TEN]
    edges = [1, 4, 5, 50, 51, 100, 101, 125, 130, 150, 153, 200, 201, 204, 250, 255, 400, 401]
    edges += [500, 501, 505, 600, 601, 606, 4950, 4980, 5000, 5001, 5005, 5040]
    lines = _header(rulebook)
    for slug in slugs:
        lines += [f"ann: {slug} for {amount}; {slug} down" for amount in edges]
    return lines


def timing(rulebook: str) -> list[str]:
    """Every wager made, raised, reduced and taken down at every stage of the game."""
    book = BOOKS[rulebook]
    flats = ["pass", "dont-pass", "come", "dont-come", "pass-odds", "dont-pass-odds"]
    families = ("come", "dont-come", "come-odds", "dont-come-odds")
    numbered = [f"{family}-{n}" for family in families for n in TEN]
    others = [f"{family}-6" for family in ("place-win", "place-lose", "buy", "lay", "big", "hard")]
    sides = ["fire", *BONUS_NEEDS, "field", "horn", "whirl", "any-craps", "hop-2-2"]
    slugs = [*flats, *numbered, *others, *sides]
    elections = [f"offers.{side}: A" for side in ("fire", "bonus") if getattr(book, side)]
    lines = _header(rulebook, *elections)
    for stage in (
        ["ann: pass for 30; dont-pass for 30"],
        ["ann: pass for 30; dont-pass for 30", _roll(6)],
        ["ann: pass for 30; dont-pass for 30", _roll(4), "ann: come for 30; dont-come for 30"],
        ["ann: pass for 30", _roll(4), "ann: come for 30; dont-come for 30", _roll(6)],
        ["ann: pass for 30", _roll(4), "ann: come for 30; dont-come for 30", _roll(6), _roll(4)],
        ["ann: pass for 30", _roll(4), "ann passes the dice"],
        ["ann: pass for 30", _roll(7)],
        ["ann: dont-pass for 30; dont-come for 30", _roll(12)],
    ):
        lines += stage
        for slug in slugs:
            amount = 5 if slug == "fire" else 30 if slug != "whirl" and slug != "horn" else 20
            lines += [f"ann: {slug} for {amount}; {slug} for {amount}; {slug} to {amount}"]
            lines += [f"ann: {slug} on; {slug} off; {slug} down"] * (slug not in flats)
        for slug in flats:
            lines += [f"ann: {slug} to 15; {slug} to 45; {slug} down"]
        lines += ["ann: pass for 5", _roll(7), "ann: pass for 5", _roll(6), _roll(7)]
    return lines


def custody(rulebook: str) -> list[str]:
    """Four players, the dice going round: whoever has a line wager, by what the book asks."""
    names = ("ann", "bob", "cat", "dan")
    lines = [f"rulebook: {rulebook}", *(f"player: {name} 5000" for name in names), ""]
    for betting in range(1, 16):
        these = [name for n, name in enumerate(names) if betting >> n & 1]
        lines += [f"{name}: pass for 5" for name in these]
        lines += [_roll(6), *(f"{name}: pass for 5; dont-pass for 5" for name in names)]
        lines += [f"{these[0]} passes the dice", _roll(5), _roll(7)]
        lines += [f"{name}: pass for 5" for name in these]
        lines += [_roll(4), f"{these[-1]}: come for 5", _roll(5), _roll(4), _roll(8)]
        lines += [f"{names[betting % 4]}: pass for 5", _roll(5), _roll(9), _roll(7), _roll(3)]
        lines += [f"{names[betting % 3]} takes the dice", f"{these[-1]}: pass for 5", _roll(7)]
        lines += [f"{name} passes the dice" for name in names]
    return lines


def fire(rulebook: str, table: str) -> list[str]:
    """Fire with none to all of the points made, in every rotation of them."""
    book = BOOKS[rulebook]
    lines = _header(rulebook, f"offers.fire: {table}")
    for start in range(len(book.points)):
        for count in range(len(book.points) + 1):
            made = [book.points[(start + n) % len(book.points)] for n in range(count)]
            lines += ["ann: pass for 5; fire for 5"]
            for point in made:
                lines += [_roll(point), _roll(point), "ann: pass for 5"]
            lines += [_roll(7), "ann: pass for 5", _roll(6), _roll(7)]
    for amount in ("0.50", "1", "5", "6"):
        lines += [f"ann: fire for {amount}; fire down"]
    return lines


def bonus(rulebook: str, table: str) -> list[str]:
    """Bonus wagers with each number left out in turn, and with none."""
    lines = _header(rulebook, f"offers.bonus: {table}")
    for left_out in (0, *TEN):
        lines += ["ann: pass for 5; " + "; ".join(f"{slug} for 5" for slug in BONUS_NEEDS)]
        lines += [_roll(total) for total in TEN if total != left_out]
        lines += [_roll(7), "ann: pass for 5", _roll(7), "ann: pass for 5", _roll(6), _roll(7)]
    return lines


def sweeps(rulebook: str) -> Iterator[tuple[str, str]]:
    """Every sweep of a rulebook: its name and its text."""
    book = BOOKS[rulebook]
    plain: tuple[Callable[[str], list[str]], ...] = (
        *(one_rolls, one_rolls_alone, numbers, come, line, odds_limits, limits, timing, custody),
    )
    for sweep in plain:
        yield sweep.__name__, "\n".join(sweep(rulebook))
    for table in "AB":
        if book.fire:
            yield f"fire {table}", "\n".join(fire(rulebook, table))
        if book.bonus:
            yield f"bonus {table}", "\n".join(bonus(rulebook, table))
