"""Every target of the felt is large enough for a finger at every screen width."""

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
#: Whether each wager is found at the foot of what is its own besides: where a line turns up the
#: end, and on the place line in front.
ARMS = """() => [...document.querySelectorAll("[role=gridcell] > .more")].every((more) => {
  const { slug } = more.parentElement.dataset;
  if (!/^(pass|pass-odds|dont-pass|place-win-.*)$/.test(slug)) return true;
  const box = more.getBoundingClientRect();
  const found = document.elementFromPoint(box.x + box.width / 2, box.bottom - 3);
  return found?.closest("[role=gridcell]")?.dataset.slug === slug;
})"""


@pytest.mark.parametrize(
    "house",
    [pytest.param(one, marks=() if one in OFTEN else pytest.mark.long) for one in HOUSES],
)
def test_every_target_is_as_large_as_a_finger(page: Page, server: Server, house: str) -> None:
    sat_down(page, opened(server, **HOUSES[house]), "ann")
    every = page.locator("[role=gridcell]").count()
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
    assert page.locator("[data-slug=pass] > .more").count() == 1
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_function(ARMS, timeout=SLOW)


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
