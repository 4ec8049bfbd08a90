"""A whole evening: two players and a watcher in three browsers, and everything that goes wrong."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.test_table import SLOW, cell, lies, opened, sat_down
from tests.web.serving import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.system

#: No hand is so long.
LONGEST = 200


def at_size(browser: Browser, url: str, width: int, height: int, touch: bool = False) -> Page:
    context = browser.new_context(
        base_url=url,
        viewport={"width": width, "height": height},
        has_touch=touch,
        reduced_motion="reduce",
    )
    return context.new_page()


def entries(server: Server, table: str) -> list[dict[str, Any]]:
    text = server.ask("GET", f"/{table}/log").text
    return [json.loads(line) for line in text.splitlines()]


def thrown(server: Server, table: str) -> int:
    return sum("fair" in entry for entry in entries(server, table))


def calls(page: Page) -> list[str]:
    return page.get_by_role("log", name="Stick").locator("p").all_inner_texts()


def saw(page: Page, throws: int) -> None:
    """Wait until a page tells of a throw."""
    told = page.get_by_role("log", name="Stick").locator("p").nth(throws - 1)
    told.wait_for(timeout=SLOW)


def bet_by_keys(page: Page, name: str) -> None:
    page.get_by_role("gridcell", name=re.compile(rf"^{name}(,|$)")).focus()
    page.keyboard.press("Enter")


def shoot_by_keys(page: Page, server: Server, table: str) -> int:
    """A keyboard and nothing else, until the dice are lost: how many throws there were."""
    for throws in range(1, LONGEST):
        page.keyboard.press("r")
        saw(page, throws)
        if "seven out" in calls(page)[-1].lower():
            return throws
        pass_line = cell(page, "Pass")
        if "The point is" not in page.locator("#puck").inner_text():
            bet_by_keys(page, "Pass")
            pass_line.and_(page.locator("[aria-label*='$']")).wait_for(timeout=SLOW)
    raise AssertionError("no seven came")


def refused_and_offered(page: Page) -> None:
    """Seven on the six cannot be paid: the clause, and what can be, a button that does it."""
    page.get_by_role("textbox", name="Say").fill("place-win-6 for 7")
    page.get_by_role("button", name="Tell the dealer").tap()
    alert = page.get_by_role("alert")
    alert.filter(has_text="cannot be paid").wait_for(timeout=SLOW)
    assert str(alert.get_by_role("link").get_attribute("href")).startswith("/law/new-jersey/")
    page.get_by_role("button", name="Place 6 for 12").tap()
    lies(page, "Place 6", "$12")
    assert alert.inner_text() == ""


def one_touch(page: Page) -> None:
    """Press, off, on and down of one's own wager, and back again."""
    page.get_by_role("button", name="Press to $24: Place 6").tap()
    lies(page, "Place 6", "$24")
    page.get_by_role("button", name="Down: Place 6").tap()
    page.get_by_role("gridcell", name="Place 6", exact=True).wait_for(timeout=SLOW)
    page.get_by_role("button", name="Undo").tap()
    lies(page, "Place 6", "$24")


def lost_in_mid_roll(page: Page, server: Server, table: str, before: int) -> None:
    """The line goes while the dice fly: it is thrown once, and told when the line is back."""
    page.context.set_offline(True)
    page.locator("#connection").filter(has_text="lost").wait_for(timeout=SLOW)
    page.keyboard.press("r")
    page.wait_for_timeout(300)
    assert thrown(server, table) == before
    page.context.set_offline(False)
    saw(page, before + 1)
    assert thrown(server, table) == before + 1
    page.locator("#connection", has_not_text="lost").wait_for(state="attached", timeout=SLOW)


def test_a_whole_evening(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path / "live") as first:
        table, port = opened(first), first.url.rpartition(":")[2]
        ann = at_size(browser, first.url, 1280, 800)
        bob = at_size(browser, first.url, 390, 844, touch=True)
        watcher = at_size(browser, first.url, 768, 1024)
        sat_down(ann, table, "ann")
        sat_down(bob, table, "bob")
        watcher.goto(f"/t/{table}")
        bet_by_keys(ann, "Pass")
        lies(ann, "Pass", "$5")
        watcher.locator("svg [data-player=ann]").first.wait_for(state="attached", timeout=SLOW)
        refused_and_offered(bob)
        one_touch(bob)
        assert bob.get_by_role("button", name="Roll").get_attribute("aria-disabled") == "true"
        assert watcher.get_by_role("button", name="Roll").count() == 0
        throws = shoot_by_keys(ann, first, table)
        for page in (bob, watcher):
            saw(page, throws)
        told = {tuple(call.split(".")[0] for call in calls(page)) for page in (ann, bob, watcher)}
        assert len(told) == 1  # everybody heard the same
        assert "You lose" in calls(ann)[-1]
        watcher.locator("#shooter").filter(has_text="bob").or_(
            watcher.locator("#shooter").filter(has_text="No shooter")
        ).wait_for(timeout=SLOW)
        bob.get_by_role("gridcell", name="Pass", exact=True).tap()
        lies(bob, "Pass", "$5")
        bob.get_by_role("button", name="Roll").tap()
        saw(bob, throws + 1)
        lost = bob.get_by_role("gridcell", name="Pass", exact=True)
        if lost.count():  # craps on the come-out: he bets again
            lost.tap()
            lies(bob, "Pass", "$5")
        lost_in_mid_roll(bob, first, table, throws + 1)
        kept = first.ask("GET", f"/{table}").json()
        first.end(signal.SIGKILL)
        watcher.locator("#connection").filter(has_text="lost").wait_for(timeout=SLOW)
        bob.get_by_role("gridcell", name="Field", exact=True).tap()  # nobody hears it yet
    with serving(tmp_path / "live", "", "--port", port) as second:
        lies(bob, "Field", "$5")
        again = second.ask("GET", f"/{table}").json()
        assert again["last"] == kept["last"]
        said = [entry["line"] for entry in entries(second, table)]
        assert said[-1] == "bob: field for 5"
        assert said.count("bob: field for 5") == 1
        for page in (ann, bob, watcher):
            page.locator("#connection", has_not_text="lost").wait_for(state="attached")
            page.context.close()
