"""Every target of the felt lies on the painted lines, and is large enough for a finger."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.test_table import SLOW, choose, opened, sat_down
from tests.web.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.system

SIZES = ((320, 640), (390, 844), (1024, 768), (1280, 800), (1920, 1080))
HOUSES: dict[str, dict[str, object]] = {
    "craps": {"rulebook": "new-jersey"},
    "crapless": {"rulebook": "maryland-crapless"},
    "mini-craps": {"rulebook": "new-jersey", "game": "mini-craps"},
    "fire": {"rulebook": "new-jersey", "elections": {"offers.fire": "A"}},
}
#: In each run of the tests; the others in 'make long'.
OFTEN = {"craps", "crapless"}
#: The sides of every target that can be pressed.
MEASURE = """() => {
  const seen = [...document.querySelectorAll("[role=gridcell]:not(.out, .under)")];
  return seen.map((cell) => {
    const box = cell.getBoundingClientRect();
    return [cell.dataset.slug, box.width, box.height];
  });
}"""
#: Points of the painted zones of one's end and the center at which another wager is found: the
#: middle, the corners and points between, a pixel inside the painted lines. On a number that is the
#: wager that `Bet as` says. What is scrolled away or lies under the dock is left out.
MISSED = """() => {
  const svg = document.querySelector("#felt > svg");
  const shown = svg.viewBox.baseVal;
  const missed = [];
  let tried = 0;
  for (const zone of svg.querySelectorAll(".zone[data-slugs]:not([data-end=right], .fire)")) {
    const path = zone.querySelector("path");
    const [box, on] = [path.getBBox(), path.getScreenCTM()];
    const middle = box.x + box.width / 2;
    if (middle < shown.x || middle > shown.x + shown.width) continue;
    const [across, down] = [1.2 / (on.a * box.width), 1.2 / (on.d * box.height)];
    for (const x of [across, 0.25, 0.5, 0.75, 1 - across]) {
      for (const y of [down, 0.25, 0.5, 0.75, 1 - down]) {
        const point = new DOMPoint(box.x + x * box.width, box.y + y * box.height);
        const at = point.matrixTransform(on);
        if (!path.isPointInFill(point) || at.y < 0 || at.y > innerHeight) continue;
        const seen = document.elementFromPoint(at.x, at.y);
        if (seen?.closest(".bar")) continue;
        const { number, slugs } = zone.dataset;
        const wanted = number ? [`place-win-${number}`] : slugs.split(" ");
        tried += 1;
        const found = seen?.closest("[role=gridcell]")?.dataset.slug;
        if (!wanted.includes(found)) missed.push([zone.dataset.zone, x, y, found]);
      }
    }
  }
  return { tried, missed };
}"""


@pytest.mark.parametrize(
    "house",
    [pytest.param(one, marks=() if one in OFTEN else pytest.mark.long) for one in HOUSES],
)
def test_every_target_is_as_large_as_a_finger(page: Page, server: Server, house: str) -> None:
    sat_down(page, opened(server, **HOUSES[house]), "ann")
    every = page.locator("[role=gridcell]:not(.under)").count()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        views = ("end", "center") if width < 960 else ("end",)
        found = set()
        for view in views:
            page.evaluate(f"document.querySelector('input[name=view][value={view}]').click()")
            page.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
            for slug, wide, high in page.evaluate(MEASURE):
                assert min(wide, high) >= 24, (width, slug, wide, high)
                found.add(slug)
        assert width < 960 or len(found) == every
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("house", ["craps", "crapless"])
def test_a_click_on_a_painted_zone_finds_what_is_painted(
    page: Page, server: Server, house: str
) -> None:
    sat_down(page, opened(server, **HOUSES[house]), "ann")
    for width, height, views in ((1280, 800, ["end"]), (390, 844, ["end", "center"])):
        page.set_viewport_size({"width": width, "height": height})
        for view in views:
            page.evaluate(f"document.querySelector('input[name=view][value={view}]').click()")
            page.evaluate("scrollTo(0, 0)")
            page.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
            result = page.evaluate(MISSED)
            assert result["tried"] > 200
            assert result["missed"] == []


def test_the_whole_table_is_a_tap_away_and_bets_nothing(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    sat_down(page, opened(server), "ann")
    page.get_by_role("radio", name="All", exact=True).check(force=True)
    page.locator("#felt").click(position={"x": 300, "y": 140})
    page.get_by_role("alert").filter(has_text="choose your end").wait_for(timeout=SLOW)
    assert page.get_by_role("status", name="Rail").inner_text() == "$500"
    choose(page, "$25")
    page.reload()
    page.get_by_role("status", name="Rail").filter(has_text="$500").wait_for(timeout=SLOW)
    chips = page.get_by_role("radiogroup", name="Chip")
    assert chips.get_by_label("$25", exact=True).is_checked()  # until the tab is closed
