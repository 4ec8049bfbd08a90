"""Worth, luck and sessions in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.test_pages import axe, keep
from tests.browser.test_table import SLOW, cell, choose, lies, opened, sat_down
from tests.web.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.system


def test_the_worth_panel(page: Page, server: Server) -> None:
    sat_down(page, opened(server), "ann")
    choose(page, "$25")
    cell(page, "Pass").click()
    lies(page, "Pass", "$25")
    page.get_by_role("button", name="Worth").click()
    panel = page.locator("#worth-panel")
    panel.get_by_role("rowheader", name="Pass", exact=True).wait_for(timeout=SLOW)
    assert "1.414%" in panel.inner_text()
    assert "An hour of 100 throws (the usual pace)" in panel.inner_text()
    assert "no throw has been made since you sat down" in panel.inner_text()
    assert axe(page) == []
    for width, height in ((390, 844), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        panel.scroll_into_view_if_needed()
        keep(page, f"worth-panel-{width}")


def test_a_session_is_asked_for(page: Page) -> None:
    page.goto("/odds")
    page.get_by_role("link", name="A strategy's session").click()
    page.wait_for_url("**/session")
    page.get_by_role("combobox", name="Strategy").select_option("field")
    page.get_by_role("textbox", name="Rolls").fill("60")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("heading", name="A session of field").wait_for(timeout=SLOW)
    page.get_by_role("img", name="The bankroll of field over the rolls").wait_for()
    assert axe(page) == []


def test_daily_is_played(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Daily").click()
    assert axe(page) == []
    page.get_by_role("textbox", name="Name").fill("ann")
    page.get_by_role("button", name="Play today's throws").click()
    page.wait_for_url("**/daily/*")
    page.get_by_role("status", name="Rail").filter(has_text="$500").wait_for(timeout=SLOW)
    cell(page, "Pass").click()
    lies(page, "Pass", "$5")
    page.locator("#dice .die").first.wait_for(timeout=SLOW)  # drawn, and so to be flicked
    page.get_by_role("button", name="Roll").click()
    page.get_by_role("log", name="Stick").locator("p").first.wait_for(timeout=SLOW)
    page.goto("/daily")
    page.get_by_role("rowheader", name="1", exact=True).wait_for()
    assert axe(page) == []
    for width, height in ((390, 844), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        keep(page, f"daily-played-{width}")
    page.get_by_role("link", name="Continue your throws").click()
    page.get_by_role("status", name="Rail").filter(has_text="$").wait_for(timeout=SLOW)


def test_a_long_name_leaves_the_figures_in_view(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    table = opened(server)
    server.sit(table, "x" * 40)
    for path in ("luck", "replay"):
        page.goto(f"/t/{table}/{path}")
        name = page.get_by_role("rowheader", name="x" * 40, exact=True).first
        name.wait_for(timeout=SLOW)
        box = name.bounding_box()
        assert box is not None
        assert box["width"] <= 0.47 * 390
