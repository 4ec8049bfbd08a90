"""``passline evidence``: are these dice fair? What recorded rolls say about them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from passline.cli import lab_commands as lab
from passline.cli.common import complete_file, fail
from passline.cli.files import deal_record_or_log, locate_line, open_record_file
from passline.game.law.book_files import DEFAULT_BOOK
from passline.game.words.wagers import wager_label

if TYPE_CHECKING:
    from passline.game.house.house import House
    from passline.lab.dice_evidence import Band, CountedFace, DiceEvidence

_EXPECTED = "expected two faces from 1 to 6, as in 3 4, 3-4 or 34"
_EXPECTED_TOTALS = "expected totals from 2 to 12"
_BAR_WIDTH = 24  # characters of the longest bar
_SAYS_NOTHING = 0.5  # a bound on a chance that is not worth printing
_TESTS = {
    "faces": "faces come equally often",
    "doubles": "doubles come one time in six",
    "totals": "totals come as often as with fair dice",
    "sevens": "sevens come one time in six",
    "runs of sevens": "sevens come neither in streaks nor spread out",
    "one roll to the next": "a total does not depend on the one before",
}
_METHODS = {
    "exact": "exact",
    "chi-square": "by the chi-square distribution",
    "normal": "by the normal distribution",
}


@lab.declare(
    "passline evidence src/passline/samples/first-game.craps",
    click.argument("file", metavar="FILE|-", shell_complete=complete_file),
    lab.flag_option("--totals", "FILE has totals (2 to 12), not faces."),
    click.option(
        "--wager", default="pass", show_default=True, help="The wager whose edge is estimated."
    ),
    lab.rulebook_option("A rulebook, or a house-rules file.", DEFAULT_BOOK),
    lab.flag_option("--explain", "Show how the evidence is made up, and what each test asks."),
    lab.plot_options,
    last=(lab.JSON_OPTION,),
)
def command(file: str, totals: bool, wager: str, house: House, explain: bool) -> lab.Report:
    """Show whether rolls look like fair dice: FILE has rolls typed in, or is a .craps record, or
    the log of a live table ("-" is standard input).

    Typed rolls stand in the order in which they were thrown, as 3 4, 3-4 or 34, any number on a
    line; # starts a comment. With --totals they are totals.

    The evidence is the figure of a sequential test that you may look at after every roll and stop
    when you like: fair dice ever reach 20 to 1 with a probability of at most 1/20. Under it are
    the counts by face and total, the rolls per seven, tests of dependence, the chance of a seven
    and the edge of a wager, each with a band for a number of rolls fixed beforehand and a wider
    one that holds at any time.
    """
    from passline.lab.dice_evidence import evidence, evidence_json

    found = evidence(_read_rolls(file, totals), house, wager)
    return lab.Report(
        json=lambda: evidence_json(found),
        lines=lambda: (*_lines(found), *(_explain_lines(found) if explain else ())),
        save_plot=lambda path: _save_plot(path, found),
    )


def _save_plot(path: str, found: DiceEvidence) -> None:
    from passline.lab.charts.evidence import save_evidence

    save_evidence(path, found)


def _read_rolls(file: str, totals: bool) -> Sequence[tuple[int, int] | int]:
    """Return the rolls in a file of any of the three kinds. Exit 2 if it cannot be read."""
    with open_record_file(file, _EXPECTED) as (lines, name, folder):
        texts = list(lines)
        first = next((plain for text in texts if (plain := text.partition("#")[0].strip())), "")
        if first.startswith("{") or re.match(r"[a-z_.]+\s*:", first):
            if totals:
                fail(f"--totals is for typed rolls: {name} is a record or a log")
            return _read_throws(texts, name, folder)
        return _parse_totals(texts, name) if totals else _parse_faces(texts, name)


def _read_throws(texts: list[str], name: str, folder: Path) -> list[tuple[int, int]]:
    dealt = deal_record_or_log(texts, name, folder)
    throws = [(roll.first, roll.second) for _, _, roll in dealt.throws()]
    if not throws:
        fail(f"{name} has no throws")
    return throws


def _parse_faces(texts: Sequence[str], name: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for number, text in enumerate(texts, 1):
        plain = text.partition("#")[0]
        tokens = re.split(r"[\s,;+/-]+", plain.strip()) if plain.strip() else []
        digits = "".join(tokens)
        paired = all(len(token) == 2 for token in tokens) or all(len(t) == 1 for t in tokens)
        if not re.fullmatch(r"([1-6]{2})*", digits) or not paired:
            fail(f"{locate_line(name, number)}: {plain.strip()[:40]!r}: {_EXPECTED}")
        found += [(int(a), int(b)) for a, b in zip(digits[::2], digits[1::2], strict=True)]
    if not found:
        fail(f"{name} has no rolls: {_EXPECTED}")
    return found


def _parse_totals(texts: Sequence[str], name: str) -> list[int]:
    found: list[int] = []
    for number, text in enumerate(texts, 1):
        for token in re.split(r"[\s,;]+", text.partition("#")[0].strip()):
            if not token:
                continue
            if not re.fullmatch(r"[2-9]|1[0-2]", token):
                fail(f"{locate_line(name, number)}: {token[:40]!r}: {_EXPECTED_TOTALS}")
            found.append(int(token))
    if not found:
        fail(f"{name} has no rolls: {_EXPECTED_TOTALS}")
    return found


def _lines(found: DiceEvidence) -> Iterator[str]:
    from passline.lab.dice_evidence import STRONG

    rolls = "1 roll" if found.rolls == 1 else f"{found.rolls:,} rolls"
    yield lab.bold(f"{rolls}: {found.verdict()}")
    yield f"  evidence now  {found.evidence:,.3g} to 1"
    if found.most == 1:
        yield "  the most      1 to 1, before the first roll"
    else:
        yield f"  the most      {found.most:,.3g} to 1, after roll {found.most_at:,}"
    if found.p_value > _SAYS_NOTHING:
        yield f"  no sign of unfair dice so far: {STRONG} to 1 would be strong evidence"
    else:
        yield f"  fair dice ever get that far with a chance of {found.p_value:.3g} at most"
    if found.faces:
        yield "\nFaces"
        yield from _count_lines(found.faces)
    yield "\nTotals"
    yield from _count_lines(found.totals)
    yield "\nTests, if the number of rolls was fixed beforehand"
    width = max(map(len, _TESTS.values()))
    for test in found.tests:
        yield f"  {_TESTS[test.name]:<{width}}  p {test.p_value:.4f}, {_METHODS[test.method]}"
    ratio = found.rolls_per_seven
    yield f"\nRolls per seven: {'no seven came' if ratio is None else f'{ratio:.2f}'} (fair: 6)"
    label, fair = wager_label(found.wager), float(found.fair_edge)
    yield f"\nChance of a seven: {found.seven.estimate:.2%} (fair: 16.67%)"
    yield from _band_lines(found.seven)
    yield f"\nHouse edge on {label}: {found.edge.estimate:.2%} (fair: {fair:.2%})"
    yield from _band_lines(found.edge)
    yield "\nTo know more"
    yield f"  {3 * found.rolls:,} more rolls halve these bands"
    for name, needed in found.rolls_to_show.items():
        dice = "dice as these look" if name == "these" else f"dice with {name}"
        if needed is not None:
            yield f"  {needed:,} rolls in all reveal {dice} (size 1%, power 90%)"


def _count_lines(counted: Sequence[CountedFace]) -> Iterator[str]:
    most = max(max(each.count, each.expected) for each in counted)
    rows = [["", "count", "expected", "p", ""]]
    for each in counted:
        bar = "#" * round(each.count / most * _BAR_WIDTH)
        rows.append(
            [str(each.name), f"{each.count:,}", f"{each.expected:,.1f}", f"{each.p_value:.3f}", bar]
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        yield f"  {'  '.join(cells)}  {row[-1]}".rstrip()


def _band_lines(band: Band) -> Iterator[str]:
    yield f"  95% band for a number of rolls fixed beforehand: {band.low:.2%} to {band.high:.2%}"
    yield f"  95% band at any time: {band.any_low:.2%} to {band.any_high:.2%}"


def _explain_lines(found: DiceEvidence) -> Iterator[str]:
    from passline.lab.dice_evidence import PRIOR_ROLLS

    yield "\nThe evidence is the average of"
    for name, ratio in found.parts.items():
        yield f"  {ratio:>12,.4g}  by {name}"
    yield "Each is the probability of the rolls, averaged over dice near fair ones (a Dirichlet"
    yield f"prior worth {PRIOR_ROLLS} rolls), divided by their probability with fair dice."
    yield "The band of a seven is Clopper and Pearson's, exact; that of the edge is by profile"
    yield "likelihood, approximate. The bands for any time contain all dice that the same kind of"
    yield "average does not reject at 1 in 20, and are exact."
