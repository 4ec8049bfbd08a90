"""The pages in a real browser, as people have them: sizes, themes, keys, and what axe finds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.npm import ROOT, package
from tests.web.serving import KEY, Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

AXE = "4.14.0"
SCREENS = ROOT / "build" / "screens"
WIDTHS = (320, 390, 768, 1280)
#: Pixels of a long page that are kept to be looked at.
TALLEST = 3000

PAGES = {
    "lobby": "/",
    "open": "/open",
    "table": "/t/{table}",
    "law": "/law",
    "law-search": "/law?q=pass+come-out",
    "law-book": "/law/new-jersey",
    "law-clause": "/law/new-jersey/19%3A47-1.3%28c%291",
    "worth": "/odds",
    "odds": "/odds/new-jersey?offers.fire=A",
    "odds-wager": "/odds/new-jersey?wager=pass%2Bodds",
    "par": "/par/iowa",
    "placard": "/placard/new-jersey",
    "docs": "/docs",
    "docs-search": "/docs?q=nonce",
    "document": "/docs/protocol",
    "not-found": "/nothing",
}


@pytest.fixture(scope="module")
def table(server: Server) -> str:
    """A table with a name that takes room, and somebody at it."""
    opened = str(server.open(name="The Long Afternoon at the Boardwalk", rulebook="iowa")["table"])
    token = server.sit(opened)
    server.say(opened, token, "a1", "pass for 10")
    return opened


def visit(page: Page, path: str, table: str = "") -> None:
    page.goto(path.format(table=table), wait_until="load")


def axe(page: Page) -> list[str]:
    """What axe finds wrong with a page as it stands: WCAG 2.2 AA and good practice."""
    source = (package("axe-core", AXE) / "axe.min.js").read_text("utf-8")
    page.evaluate(source)
    found: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {node['target']} {node.get('failureSummary', '')}"
        for one in found["violations"]
        for node in one["nodes"][:3]
    ]


def keep(page: Page, name: str) -> None:
    """A picture of the page, to be looked at."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    width = page.evaluate("innerWidth")
    height = min(TALLEST, page.evaluate("document.documentElement.scrollHeight"))
    page.set_viewport_size({"width": width, "height": max(600, height)})
    page.screenshot(path=Path(SCREENS / f"{name}.png"))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_everybody(page: Page, server: Server, table: str, name: str) -> None:
    """At a phone's width (which is 400 percent zoom of 1280 too) nothing is cut off or scrolls
    sideways but tables; by day and by night nothing is found by axe."""
    if name == "not-found":
        page.remove_listener  # the browser itself tells of a 404: see below
    visit(page, PAGES[name], table)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            keep(page, f"{name}-{width}-{scheme}")
        assert axe(page) == []
    page.set_viewport_size({"width": 320, "height": 800})
    assert axe(page) == []
