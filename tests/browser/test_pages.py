"""The pages in a real browser, as people have them: sizes, themes, keys, and what axe finds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.npm import ROOT, package
from tests.web.serving import KEY, Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.system

AXE = "4.14.0"
SCREENS = ROOT / "build" / "screens"
WIDTHS = (320, 390, 768, 1280)
LOOKED_AT = {390: "light", 1280: "dark"}
#: Pixels of a long page that are kept to be looked at.
TALLEST = 2000

PAGES = {
    "lobby": "/",
    "open": "/open",
    "table": "/t/{table}",
    "replay": "/t/{table}/replay#2",
    "law": "/law",
    "law-search": "/law?q=pass+come-out",
    "law-book": "/law/new-jersey?kind=payout",
    "law-clause": "/law/new-jersey/19%3A47-1.3%28c%291",
    "worth": "/odds",
    "odds": "/odds/new-jersey?offers.fire=A",
    "odds-wager": "/odds/new-jersey?wager=pass%2Bodds",
    "par": "/par/iowa",
    "placard": "/placard/new-jersey",
    "session": "/session?strategy=pass-odds&rolls=60&stop_win=200&stop_loss=300",
    "luck": "/t/{table}/luck",
    "daily": "/daily",
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
    if not page.evaluate("'axe' in window"):
        page.evaluate((package("axe-core", AXE) / "axe.min.js").read_text("utf-8"))
    found: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {node['target']} {node.get('failureSummary', '')}"
        for one in found["violations"]
        for node in one["nodes"][:3]
    ]


def keep(page: Page, name: str) -> None:
    """A picture of the page, where somebody wants to look at it (``make screens``)."""
    if not os.environ.get("PASSLINE_SCREENS"):
        return
    SCREENS.mkdir(parents=True, exist_ok=True)
    width = page.evaluate("innerWidth")
    height = min(TALLEST, page.evaluate("document.documentElement.scrollHeight"))
    page.set_viewport_size({"width": width, "height": max(600, height)})
    page.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
    page.screenshot(path=Path(SCREENS / f"{name}.png"))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_everybody(walked: Page, server: Server, table: str, name: str) -> None:
    """At a phone's width (which is 400 percent zoom of 1280 too) nothing is cut off or scrolls
    sideways but tables; by day and by night nothing is found by axe."""
    page = walked
    visit(page, PAGES[name], table)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            if LOOKED_AT.get(width) == scheme:
                keep(page, f"{name}-{width}-{scheme}")
        page.set_viewport_size({"width": 1280 if scheme == "light" else 320, "height": 800})
        assert axe(page) == []


def test_a_first_visit_finds_a_table_to_sit_down_at(page: Page) -> None:
    visit(page, "/")
    page.get_by_role("link", name="Practice").click()
    page.wait_for_url("**/t/*")
    assert page.get_by_role("heading", level=1).inner_text() == "Practice"


def test_the_lobby_shows_a_new_table_by_itself(page: Page, server: Server) -> None:
    page.clock.install()
    visit(page, "/")
    server.open(name="A later one")
    page.clock.run_for(11_000)
    page.get_by_role("link", name="A later one").wait_for()


def test_keys_alone(page: Page) -> None:
    """The first key skips to the content; every stop is seen."""
    visit(page, "/law")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == "q"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    page.keyboard.type("place to lose")
    page.keyboard.press("Enter")
    page.wait_for_url("**/law?q=place+to+lose")
    assert "with these words" in page.get_by_role("status").inner_text()


def test_a_rulebook_is_searched_as_one_types(page: Page, server: Server) -> None:
    visit(page, "/law/new-jersey")
    every = page.locator(".clauses > li:visible").count()
    page.get_by_role("searchbox").press_sequentially("whirl")
    found = page.locator(".clauses > li:visible").count()
    assert 0 < found < every
    assert page.get_by_role("status").inner_text() == f"{found} of {every} clauses."
    asked = server.http.get("/law/new-jersey", params={"q": "whirl"}).text  # without a script
    assert f"{found} of {every} clauses." in asked
    page.get_by_label("Status").select_option("shown")
    assert page.locator(".clauses > li:visible").count() < found


def test_the_operator_opens_a_table(page: Page, server: Server) -> None:
    """The house file is linted as it is typed; the key goes nowhere but into the header."""
    visit(page, "/open")
    page.get_by_role("combobox", name="Rulebook").select_option("iowa")
    text = page.get_by_role("textbox", name="House file")
    assert text.input_value().startswith('rulebook = "iowa"\ngame = "craps"\n')
    lint = page.locator("#lint")
    page.get_by_text("The rulebook allows every house rule.").wait_for()
    text.press("Control+End")
    text.press_sequentially("odds.multiple = 500\n")
    lint.get_by_role("listitem").first.wait_for()
    assert "odds.multiple = 500 is not allowed" in lint.inner_text()
    assert axe(page) == []
    text.press_sequentially("[odds")
    page.get_by_text("not readable as TOML").wait_for()
    text.fill('rulebook = "new-jersey"\nodds.multiple = 500\n')
    lint.get_by_role("link").first.wait_for()
    assert page.get_by_role("combobox", name="Rulebook").input_value() == "new-jersey"
    clause = str(lint.get_by_role("link").first.get_attribute("href"))
    assert server.http.get(clause).status_code == 200
    text.fill('rulebook = "new-jersey"\nodds.multiple = 5\n')
    page.get_by_role("textbox", name="Name").fill("By the <form>")
    page.get_by_role("checkbox", name="stick").check()
    page.get_by_role("textbox", name="House key").fill(KEY)
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("heading", name="The table is open").wait_for()
    links = {
        label.split()[0]: field
        for label, field in (
            (item.locator("label").inner_text(), item.locator("input").input_value())
            for item in page.locator(".invitations li").all()
        )
    }
    assert page.get_by_role("textbox", name="stick", exact=True).input_value() == links["stick"]
    page.get_by_label("box (only watches: the machine has this post)", exact=True).wait_for()
    assert set(links) >= {"floor", "box", "stick", "watcher"}
    where, token = links["stick"].split("#")
    table = where.rpartition("/")[2]
    view = server.ask("GET", f"/{table}", token=token).json()
    assert view["name"] == "By the <form>"
    assert KEY not in page.content()
    assert page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [
        0,
        0,
        "",
    ]
    assert axe(page) == []
    keep(page, "opened-1280-light")


def test_a_wrong_key_is_told(page: Page) -> None:
    visit(page, "/open")
    page.get_by_role("textbox", name="House key").fill("not it")
    page.get_by_role("button", name="Open the table").click()
    page.get_by_text("That is not the house key.").wait_for()
