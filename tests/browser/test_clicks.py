"""A click on the felt books what the page says, and the chips lie where the click was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.test_table import SLOW, cell, lies, opened, sat_down
from tests.web.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.system

#: The middle and the width of something on the felt, in pixels of the window.
MEASURE = """(element) => {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, w: box.width,
    left: box.x, right: box.right, top: box.y, bottom: box.bottom };
}"""


def measure(found: Locator) -> dict[str, float]:
    result: dict[str, float] = found.evaluate(MEASURE)
    return result


def zone(page: Page, name: str) -> Locator:
    """A painted zone."""
    return page.locator(f"#felt [data-zone={name}] path").first


def point_at(page: Page, zone_name: str) -> None:
    spot = measure(zone(page, zone_name))
    page.mouse.move(spot["x"], spot["y"])


def click(page: Page, zone_name: str) -> None:
    point_at(page, zone_name)
    page.mouse.down()
    page.mouse.up()


def bet_as(page: Page, kind: str) -> None:
    group = page.get_by_role("radiogroup", name="Bet as")
    group.get_by_label(kind, exact=True).check(force=True)


def says(page: Page, words: str) -> None:
    """Wait until the chip at the pointer says this."""
    page.locator(".cursor-chip .words").get_by_text(words, exact=True).wait_for(timeout=SLOW)


def own_chip(page: Page, slug: str) -> Locator:
    return page.locator(f".lie .stack.own[data-slug={slug}]")


def check_chip(page: Page, slug: str, zone_name: str) -> None:
    """The own chip is large enough, in the middle of its box, and not cut off."""
    own_chip(page, slug).wait_for(state="attached", timeout=SLOW)
    disc, box = measure(own_chip(page, slug).locator("use").first), measure(zone(page, zone_name))
    stack, felt = measure(own_chip(page, slug)), measure(page.locator("#felt"))
    assert disc["w"] >= 26
    assert abs(stack["x"] - box["x"]) < 8  # the amount may be wider than the chip
    assert abs(stack["y"] - box["y"]) < 8
    assert felt["left"] <= stack["left"]
    assert stack["right"] <= felt["right"]


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_painted_six_is_what_bet_as_says(
    page: Page, server: Server, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    sat_down(page, opened(server), "ann")
    click(page, "box-6-left")
    lies(page, "Place 6", "$6")
    assert page.get_by_role("status", name="Rail").inner_text() == "$494"
    says(page, "Place 6, $6 more")
    check_chip(page, "place-win-6", "box-6-left")
    point_at(page, "behind-8-left")
    says(page, "Place 8, $6")
    bet_as(page, "Buy")
    click(page, "box-4-left")
    lies(page, "Buy 4", "$5")
    bet_as(page, "Lay")
    click(page, "box-10-left")
    page.locator("[role=gridcell][aria-label^='Lay 10, $']").wait_for(timeout=SLOW)
    check_chip(page, "lay-10", "behind-10-left")
    puck = page.locator(".puck[data-end=left] circle").first
    assert measure(puck)["w"] >= 28


def test_place_to_lose_has_a_click_where_it_is_offered(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    sat_down(page, opened(server, elections={"offers.place-lose": True}), "ann")
    bet_as(page, "To lose")
    click(page, "box-6-left")
    page.locator("[data-slug=place-lose-6][aria-label*='$']").wait_for(timeout=SLOW)
    check_chip(page, "place-lose-6", "behind-6-left")
    sat_down(page, opened(server, rulebook="iowa"), "ann")
    assert not page.get_by_role("radio", name="To lose").is_visible()


def test_all_of_a_side_wagers_box_is_the_wager(page: Page, server: Server) -> None:
    """Its later stages have the same box. With many side wagers the felt is not zoomed in."""
    page.set_viewport_size({"width": 1366, "height": 650})
    names = ("ride-the-line", "hot-hand", "repeater", "muggsys-corner", "different-doubles")
    offers = {f"offers.{name}": "A" for name in names}
    sat_down(page, opened(server, rulebook="las-vegas", elections=offers), "ann")
    box = measure(zone(page, "bonus-ride-the-line"))
    page.mouse.click(box["right"] - 3, box["y"])
    lies(page, "Ride the Line", "$5")
    assert measure(zone(page, "pass-left"))["bottom"] <= 650


def test_a_come_bet_takes_its_odds_in_its_box(page: Page, server: Server) -> None:
    made = server.open(dice="typed", posts={"stick": "person"})
    table, stick = made["table"], made["tokens"]["stick"]
    page.set_viewport_size({"width": 1280, "height": 800})
    sat_down(page, table, "ann")

    def roll(dice: str) -> None:
        assert server.say(table, stick, dice, f"roll {dice}").json()["seq"]

    cell(page, "Pass").click()
    lies(page, "Pass", "$5")
    roll("2 2")
    page.locator("#puck").filter(has_text="4").wait_for(timeout=SLOW)
    click(page, "come-left")
    lies(page, "Come", "$5")
    roll("3 2")
    lies(page, "Come 5", "$5")
    check_chip(page, "come-5", "box-5-left")
    bet_as(page, "Odds")
    click(page, "box-5-left")
    lies(page, "Come 5 odds", "$6")
    own_chip(page, "come-odds-5").wait_for(state="attached", timeout=SLOW)
    flat, odds = (measure(own_chip(page, slug)) for slug in ("come-5", "come-odds-5"))
    assert abs(flat["x"] - odds["x"]) + abs(flat["y"] - odds["y"]) > 26  # neither hides the other
    point_at(page, "box-6-left")
    says(page, "Come 6 odds: not now")
    bet_as(page, "Place")
    point_at(page, "box-5-left")
    says(page, "Place 5, $5")
    cell(page, "Pass odds").click()
    lies(page, "Pass odds", "$5")
    flat, odds = (measure(own_chip(page, slug)) for slug in ("pass", "pass-odds"))
    assert abs(flat["x"] - odds["x"]) < 8  # behind the bet that it goes with
    assert flat["y"] < odds["y"]


def test_the_default_chip_is_the_minimum_and_chips_can_be_paid(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    sat_down(page, opened(server, elections={"limits.min": "10"}), "ann")
    chips = page.get_by_role("radiogroup", name="Chip")
    assert chips.get_by_label("$10", exact=True).is_checked()
    assert chips.get_by_label("$1,000", exact=True).is_disabled()
    page.get_by_role("gridcell", name="Pass", exact=True).focus()
    page.keyboard.press("Enter")
    lies(page, "Pass", "$10")
    page.get_by_role("textbox", name="Say").fill("field for 470")
    page.keyboard.press("Enter")
    lies(page, "Field", "$470")
    assert chips.get_by_label("$25", exact=True).is_disabled()
    cell(page, "Don't pass").hover()
    says(page, "Don't pass, $10")
    cell(page, "Place 6").hover()
    says(page, "Place 6, $12")
    cell(page, "Place 6").click()
    lies(page, "Place 6", "$12")
    cell(page, "Place 5").hover()
    says(page, "Place 5: not now")


def test_chips_on_a_line_lie_where_it_was_clicked(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    sat_down(page, opened(server), "ann")
    line = measure(zone(page, "pass-left"))
    x, y = line["right"] - 15, line["top"] + 120  # on the arm around the end
    page.mouse.click(x, y)
    lies(page, "Pass", "$5")
    own_chip(page, "pass").wait_for(state="attached", timeout=SLOW)
    stack = measure(own_chip(page, "pass"))
    assert abs(stack["x"] - x) < 10
    assert abs(stack["y"] - y) < 10
    click(page, "box-6-right")
    page.get_by_role("alert").filter(has_text="the other end").wait_for(timeout=SLOW)
    assert page.get_by_role("status", name="Rail").inner_text() == "$495"
