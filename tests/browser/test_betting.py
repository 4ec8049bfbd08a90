"""The ways to bet, the details of a spot, text mode, and the crew's animation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.test_pages import axe
from tests.browser.test_table import SLOW, cell, choose, lies, opened, sat_down
from tests.web.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FloatRect, Locator, Page

pytestmark = pytest.mark.system


def middle(of: Locator) -> tuple[float, float]:
    box: FloatRect | None = of.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: Locator, end: Locator) -> None:
    page.mouse.move(*middle(start))
    page.mouse.down()
    page.mouse.move(*middle(end), steps=5)
    page.mouse.up()


def test_chips_are_dragged_and_dice_flicked(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    sat_down(page, opened(server), "ann")
    drag(page, page.locator("label.chip-red"), cell(page, "Field"))
    lies(page, "Field", "$5")
    drag(page, page.locator("label.chip-green"), cell(page, "Pass"))
    lies(page, "Pass", "$25")
    assert page.get_by_role("status", name="Rail").inner_text() == "$470"
    for _ in range(3):  # faster than answers come: each is made of what the last came to
        cell(page, "Any craps").click()
    lies(page, "Any craps", "$15")
    x, y = middle(page.locator("#dice"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y - 60, steps=3)
    page.mouse.up()
    page.get_by_role("log", name="Stick").locator("p").first.wait_for(timeout=SLOW)


def test_a_spot_says_what_it_is_and_is_worth(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    sat_down(page, opened(server), "ann")
    cell(page, "Place 6").hover()
    page.locator("#tip").filter(has_text="1/66, 1.515 %").wait_for(timeout=SLOW)
    assert "6 wins; 7 loses." in page.locator("#spot").inner_text()
    link = page.locator("#spot-told a").first
    assert server.http.get(str(link.get_attribute("href"))).status_code == 200
    choose(page, "$5")
    cell(page, "Place 6").click(button="right")
    sheet = page.get_by_role("dialog", name="Place 6")
    assert axe(page) == []
    sheet.get_by_role("button", name="Bet Buy 6, $5").click()
    lies(page, "Buy 6", "$5")
    cell(page, "Place 6").click(button="right")
    assert sheet.get_by_role("button", name="Bet Buy 6, $5 more").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").wait_for(timeout=SLOW)
    assert axe(page) == []
    page.keyboard.press("Escape")
    cell(page, "Buy 6").focus()
    page.keyboard.press("p")
    lies(page, "Buy 6", "$10")
    page.keyboard.press("d")
    page.get_by_role("gridcell", name="Buy 6", exact=True).wait_for(timeout=SLOW)
    cell(page, "Pass odds").click(force=True)  # needs a pass first: that is offered
    page.get_by_role("button", name="Bet Pass", exact=True).click()
    lies(page, "Pass", "$5")
    assert axe(page) == []


def test_a_long_press_shows_all_and_a_scroll_bets_nothing(browser: Browser, server: Server) -> None:
    context = browser.new_context(
        base_url=server.url,
        viewport={"width": 390, "height": 700},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    page = context.new_page()
    sat_down(page, opened(server), "ann")
    touch = context.new_cdp_session(page)
    x, y = middle(cell(page, "Place 6"))

    def finger(kind: str, *points: dict[str, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    finger("touchStart", {"x": x, "y": y})
    page.get_by_role("dialog", name="Place 6").wait_for(timeout=SLOW)
    finger("touchEnd")
    sheet = page.get_by_role("dialog", name="Place 6")
    assert sheet.get_by_role("button", name="Bet Lay 6, ").is_visible()
    page.keyboard.press("Escape")
    finger("touchStart", {"x": x, "y": y})
    for step in range(1, 6):
        finger("touchMove", {"x": x, "y": y - 30 * step})
    finger("touchEnd")
    assert page.evaluate("scrollY") > 0
    lower = page.get_by_role("button", name="Roll").bounding_box()
    assert lower is not None
    assert lower["y"] > 350  # in the thumb's reach
    assert page.evaluate("document.activeElement.id") != "say"
    assert page.get_by_role("status", name="Rail").inner_text() == "$500"
    context.close()


#: The tables of text mode that do not fit the width.
SCROLLED_SIDEWAYS = """() => [...document.querySelectorAll("#text .scroll")]
  .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.ariaLabel)"""


def set_text_mode(page: Page) -> None:
    """Switch between the felt and text, in the settings."""
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog", name="Settings").get_by_role("button", name="Text").click()
    page.keyboard.press("Escape")


def test_text_mode_has_everything(page: Page, server: Server) -> None:
    table = opened(server)
    page.set_viewport_size({"width": 320, "height": 400})  # 1280 at 400 percent
    sat_down(page, table, "ann")
    set_text_mode(page)
    page.get_by_role("table", name="Line and field").wait_for(timeout=SLOW)
    assert page.get_by_role("grid", name="Felt").count() == 0
    page.get_by_role("textbox", name="Amount for Pass", exact=True).fill("25")
    page.keyboard.press("Enter")
    row = page.get_by_role("row", name=re.compile("^Pass "))
    row.filter(has_text="$25").filter(has_text="7/495, 1.414 %").wait_for(timeout=SLOW)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.evaluate(SCROLLED_SIDEWAYS) == []
    assert axe(page) == []
    odds = page.locator("#text li").filter(has_text=re.compile("^Pass odds: ")).text_content()
    assert "house edge none: it pays true odds" in str(odds)
    page.reload()
    page.get_by_role("table", name="Line and field").wait_for(timeout=SLOW)  # remembered
    set_text_mode(page)
    page.get_by_role("grid", name="Felt").wait_for(timeout=SLOW)
    lies(page, "Pass", "$25")


def test_the_crew_is_followed_move_by_move(page: Page, server: Server) -> None:
    page.emulate_media(reduced_motion="no-preference")
    page.set_viewport_size({"width": 1280, "height": 800})
    sat_down(page, opened(server), "ann")
    page.get_by_role("button", name="Settings").click()
    assert axe(page) == []
    page.get_by_role("radio", name="Step by step").check(force=True)
    page.keyboard.press("Escape")
    for name in ("Pass", "Field", "Any seven"):
        cell(page, name).click()
        lies(page, name, "$5")
    page.get_by_role("button", name="Roll").click()
    step = page.get_by_role("button", name="Next move")
    step.wait_for(timeout=SLOW)
    moves = page.locator("#work-move")
    first = moves.inner_text()
    assert first.startswith("1 of ")
    assert page.locator("svg .lie .stack").count() >= 1  # nothing is gone before its move
    step.click()
    moves.filter(has_text=re.compile("^2 of ")).wait_for(timeout=SLOW)
    assert page.locator("#moves li").count() == int(first.split()[2].rstrip(":"))
    assert page.locator("#moves a").count() >= 1
    cell(page, "Any craps").click()  # nobody waits for a show
    step.wait_for(state="hidden", timeout=SLOW)
    lies(page, "Any craps", "$5")
    page.locator("svg .lie .stack[data-slug=any-craps]").wait_for(state="attached", timeout=SLOW)
    page.reload()
    assert page.locator("input[name=pace][value=step]").is_checked()
