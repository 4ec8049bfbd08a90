"""The par sheet, as text, page and CSV."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from functools import cache
from html import unescape
from html.parser import HTMLParser

from passline.game.house.load import house_for
from passline.game.words.odds import COLUMN_MEANINGS
from passline.lab.pricing.exposure import Exposure, compute_exposure
from passline.lab.pricing.par_formats import (
    CSV_HEADINGS,
    LAYOUT_CSV_HEADINGS,
    WAGER_COLUMNS,
    render_columns_csv,
    render_csv,
    render_html,
    render_layout_csv,
    render_markdown,
    wager_cells,
)
from passline.lab.pricing.par_sheet import ParSheet, make_par_sheet
from passline.record.deal import deal_text

RECORD = "rulebook: new-jersey\nplayer: ann 500\nann: pass for 10; craps-12 for 5\n"


@cache
def made(layout: bool = False) -> ParSheet:
    found = compute_exposure(deal_text(RECORD).table, refused=1) if layout else None
    assert found is None or isinstance(found, Exposure)
    return make_par_sheet(house_for("new-jersey"), options=True, layout=found)


def test_every_wager_stands_on_it_with_clause_and_limits() -> None:
    rows = {(row.odds.wager, row.odds.option): row for row in made().rows}
    assert ("pass+odds", None) in rows
    fire = rows["fire", "offers.fire=A"]
    assert [(tier.on, tier.odds) for tier in fire.tiers] == [
        ("4 points", "24 to 1"),
        ("5 points", "249 to 1"),
        ("6 points", "999 to 1"),
    ]
    assert sum(tier.chance for tier in fire.tiers) == fire.odds.win
    assert all(row.limit is not None and row.odds.cites for row in made().rows)
    field = rows["field", None]
    assert field.volatility == 1.645 * field.odds.sd


def test_markdown() -> None:
    text = render_markdown(made())
    lines = text.splitlines()
    assert lines[0] == "# Par sheet: New Jersey regulation 19:47-1: craps"
    assert "| Elections | none: the rulebook's defaults |" in lines
    head = next(line for line in lines if line.startswith("| Wager |"))
    row = next(line for line in lines if line.startswith("| Place 6 |"))
    assert head.count("|") == row.count("|") == len(WAGER_COLUMNS) + 1
    assert (
        "| 7 to 6 | 19:47-1.4(b)/place-win-6 | 45.4545 | 2.20 |  | 1.5152 | 1/66 |  |  | 0.4630 |"
        in row
    )
    assert "Vigorish 5 percent of the wager" in text
    assert "No layout was given" in text


def test_every_column_is_explained_on_the_sheet() -> None:
    for shown in (render_markdown(made()), unescape(render_html(made()))):
        for heading in (name.lstrip("#") for name in WAGER_COLUMNS):
            assert f"{heading}: {COLUMN_MEANINGS[heading]}" in shown
    told = list(csv.reader(io.StringIO(render_columns_csv())))
    assert [column for column, _ in told] == ["column", *CSV_HEADINGS]
    assert all(meaning for _, meaning in told)


def test_pushes_and_vigorish_stand_where_they_tell_something() -> None:
    names = [name.lstrip("#") for name in WAGER_COLUMNS]
    found = {
        wager_cells(row)[0]: dict(zip(names, wager_cells(row), strict=True)) for row in made().rows
    }
    # 1 in 36 is level on the come-out, and 3/220 over the other 35/36 is 27/1925.
    assert found["Don't pass"]["Push %"] == "2.7778"
    assert found["Don't pass"]["Edge %"] == "1.3636"
    assert found["Don't pass"]["Resolved %"] == f"{2700 / 1925:.4f}"
    assert found["Don't pass+1x odds"]["Resolved %"] > found["Don't pass+1x odds"]["Edge %"]
    assert found["Pass"]["Push %"] == found["Pass"]["Resolved %"] == ""
    assert found["Buy 4"]["Of outlay %"] == "4.7619"
    assert [name for name, row in found.items() if row["Of outlay %"]] == [
        f"{kind} {number}" for kind in ("Buy", "Lay") for number in (4, 5, 6, 8, 9, 10)
    ]
    for shown in (render_markdown(made()), render_html(made())):
        assert "1.4026" in shown
        assert "4.7619" in shown


def test_a_layout_throw_by_throw() -> None:
    text = render_markdown(made(layout=True))
    assert "at most $140, on 6-6" in text
    assert "1 bet of the record was refused" in text
    assert "| 6-6 | 1 | $140 | ann pass line -$10, ann craps 12 $150 |" in text
    page = render_html(made(layout=True))
    assert '<td class="n">$140</td>' in page
    assert "No layout was given" not in page


class Shape(HTMLParser):
    """Counts tags, and holds that each is closed where it was opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: dict[str, int] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1
        if tag not in {"meta"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_needs_nothing_else() -> None:
    page = render_html(made())
    shape = Shape()
    shape.feed(page)
    assert shape.open == []
    assert shape.seen["caption"] == shape.seen["table"]
    assert shape.seen["tr"] > len(made().rows)
    assert not {"script", "link", "img"} & set(shape.seen)
    assert '<html lang="en">' in page
    assert '<th scope="row">Pass</th>' in page


def test_the_page_breaks_long_cells_between_their_parts() -> None:
    page = render_html(made())
    assert '<th scope="row">Fire A</th>' in page
    assert "<td><span>2 to 1 on 4 and 10;</span> <span>3 to 2 on 5 and 9;</span> <span>6" in page
    assert "<td><span>19:47-1.4(b)/</span><span>pass</span></td>" in page
    assert '<td class="n">7/495</td>' in page


def test_a_house_name_is_only_text() -> None:
    from msgspec.structs import replace

    sheet = make_par_sheet(replace(house_for("iowa"), name="A <b> | *club*"))
    assert "A &lt;b&gt; | *club*" in render_html(sheet)
    assert "| House | A \\<b\\> \\| \\*club\\* |" in render_markdown(sheet)


def test_csv_has_fractions_and_decimals() -> None:
    rows = list(csv.DictReader(io.StringIO(render_csv(made()))))
    assert tuple(rows[0]) == CSV_HEADINGS
    assert len(rows) == len(made().rows)
    by = {(row["wager"], row["option"]): row for row in rows}
    place = by["place-win-6", ""]
    assert (place["edge"], place["rolls"], place["maximum_pay"]) == ("1/66", "36/11", "5831.00")
    assert float(place["edge_decimal"]) == float(Fraction(1, 66))
    assert place["edge_outlay"] == ""
    assert by["buy-4", ""]["edge_outlay"] == "1/21"
    assert by["fire", "offers.fire=B"]["tiers"].startswith("4 points: 39 to 1 at ")
    assert by["pass+odds", ""]["multiple"] == "1"


def test_a_layout_as_csv_has_a_line_for_each_fall() -> None:
    assert render_layout_csv(made()) is None
    text = render_layout_csv(made(layout=True))
    assert text is not None
    rows = list(csv.DictReader(io.StringIO(text)))
    assert tuple(rows[0]) == (*LAYOUT_CSV_HEADINGS, "ann pass", "ann craps-12")
    assert ",".join(rows[0].values()) == ("new-jersey,craps,off,15.00,1,6,6,1,140.00,-10.00,150.00")
    assert len(rows) == 21
    assert sum(int(row["of_36"]) for row in rows) == 36
    costs = [Fraction(row["cost"]) for row in rows]
    assert costs == sorted(costs, reverse=True)
    for row, cost in zip(rows, costs, strict=True):
        assert Fraction(row["ann pass"]) + Fraction(row["ann craps-12"]) == cost
