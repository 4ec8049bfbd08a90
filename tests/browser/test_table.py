"""The table page as people use it: sit down, bet, throw and undo, by pointer and by key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.web.serving import KEY, Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.system

SLOW = 20_000.0


def opened(server: Server, **asked: object) -> str:
    return str(server.open(**asked)["table"])


def sat_down(page: Page, table: str, name: str) -> None:
    page.goto(f"/t/{table}")
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("status", name="Rail").filter(has_text="$500").wait_for(timeout=SLOW)


def cell(page: Page, name: str) -> Locator:
    """A wager's cell: its name, and what lies there after a comma."""
    return page.get_by_role("gridcell", name=re.compile(rf"^{re.escape(name)}(,|$)"))


def lies(page: Page, name: str, amount: str) -> None:
    lying = re.compile(rf"^{re.escape(f'{name}, {amount}')}(,|$)")  # it may be off besides
    page.get_by_role("gridcell", name=lying).wait_for(timeout=SLOW)


def choose(page: Page, chip: str) -> None:
    page.get_by_role("radiogroup", name="Chip").get_by_label(chip, exact=True).check(force=True)


def test_a_first_round(page: Page, server: Server) -> None:
    table = opened(server)
    page.goto(f"/t/{table}")
    assert page.get_by_role("textbox", name="Name").input_value()
    assert page.get_by_role("textbox", name="Buy in").input_value() == "500"
    sat_down(page, table, "ann")
    choose(page, "$25")
    cell(page, "Pass").click()
    lies(page, "Pass", "$25")
    cells = page.get_by_role("list", name="Next throw").get_by_role("listitem")
    assert cells.count() == 11
    assert [cells.nth(n).inner_text() for n in (0, 4, 5)] == ["2: −$25", "6: –", "7: +$25"]
    page.get_by_text("You are even: $500 in chips for $500 bought in.").wait_for(timeout=SLOW)
    page.get_by_text("An hour of 100 throws with these bets always up costs $10.47").wait_for()
    page.get_by_role("button", name="Roll").click()
    page.get_by_role("log", name="Stick").locator("p").first.wait_for(timeout=SLOW)
    page.get_by_role("textbox", name="Say").fill("five on the field")
    page.keyboard.press("Enter")
    lies(page, "Field", "$5")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("gridcell", name="Field", exact=True).wait_for(timeout=SLOW)
    note = page.get_by_role("status", name="Note")
    page.get_by_role("textbox", name="Say").fill("leave my line down")  # it moves no chips
    page.keyboard.press("Enter")
    note.get_by_text('The dealer has taken "leave my line down".').wait_for(timeout=SLOW)


def test_by_keys_alone(page: Page, server: Server) -> None:
    sat_down(page, opened(server), "ann")
    choose(page, "$1")
    page.get_by_role("gridcell", name="Pass", exact=True).focus()
    page.keyboard.press("Enter")
    lies(page, "Pass", "$5")  # a white is too little here: the least that is taken
    assert "takes $5" in page.locator("#note").inner_text()
    before = page.evaluate("document.activeElement.dataset.slug")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.slug") != before
    page.keyboard.press("r")
    page.get_by_role("log", name="Stick").locator("p").first.wait_for(timeout=SLOW)
    assert page.locator("[role=gridcell][tabindex='0']").count() == 1


def test_what_may_not_be_done_says_so_and_why(page: Page, server: Server) -> None:
    sat_down(page, opened(server), "ann")
    odds = cell(page, "Pass odds")
    assert odds.get_attribute("aria-disabled") == "true"
    odds.click(force=True)
    page.get_by_role("alert").filter(has_text=re.compile(r"\(.+\)")).wait_for(timeout=SLOW)
    page.get_by_role("textbox", name="Say").fill("a pony on the moon")
    page.keyboard.press("Enter")
    page.get_by_role("alert").filter(has_text="moon").wait_for(timeout=SLOW)
    assert "SLUG" not in page.get_by_role("alert").inner_text()  # as a person says it
    page.get_by_role("link", name="What you can say").wait_for(timeout=SLOW)
    cell(page, "Place 6").focus()
    page.keyboard.press("p")  # nothing lies there
    page.get_by_role("alert").filter(has_text="You have no bet on Place 6").wait_for()
    page.get_by_role("textbox", name="Say").fill("pass for 600; field for 600")
    page.keyboard.press("Enter")
    page.get_by_role("alert").filter(has_text="You need $600 and have $500").wait_for(timeout=SLOW)
    assert page.get_by_role("alert").inner_text().count("$600") == 1  # one reason, said once
    page.get_by_role("button", name="Buy in $100").click()  # and one offer
    page.get_by_role("status", name="Rail").filter(has_text="$600").wait_for(timeout=SLOW)
    page.get_by_role("textbox", name="Say").fill("field for 5001")
    page.keyboard.press("Enter")  # the rail cannot pay the most either
    page.get_by_role("alert").filter(has_text="Field takes at most $5,000").wait_for(timeout=SLOW)
    assert page.locator("#offers button").count() == 0
    page.get_by_role("textbox", name="Say").fill("place 6 for 7")
    page.keyboard.press("Enter")  # the wager by its name on the felt
    page.get_by_role("alert").filter(has_text="Place 6 cannot be paid").wait_for(timeout=SLOW)
    page.get_by_role("button", name="Leave", exact=True).click()
    page.get_by_role("button", name="Leave the table").click()
    page.get_by_text("You have left with $600").wait_for(timeout=SLOW)


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_a_number_is_one_target(browser: Browser, server: Server, width: int) -> None:
    table = opened(server, rulebook="iowa")
    context = browser.new_context(
        base_url=server.url, viewport={"width": width, "height": 800}, has_touch=True
    )
    page = context.new_page()
    sat_down(page, table, "ann")
    six = cell(page, "Place 6")
    box = six.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 24
    six.tap()
    lies(page, "Place 6", "$5")
    page.get_by_label("Buy", exact=True).check(force=True)
    choose(page, "$25")
    cell(page, "Buy 4").tap()
    lies(page, "Buy 4", "$25")
    cell(page, "Any seven").focus()  # it is in the center: that is looked at then
    page.keyboard.press("Enter")
    lies(page, "Any seven", "$25")
    assert page.get_by_role("radio", name="Center").is_checked()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


def test_an_invitation_leads_into_a_table_that_is_not_open(
    page: Page, browser: Browser, server: Server
) -> None:
    table = str(server.open(open=False, name="Hidden")["table"])
    given = server.ask("POST", f"/{table}/tokens", {"role": "player"}, KEY).json()["token"]
    page.goto(f"/t/{table}#{given}")
    page.get_by_role("heading", name="Hidden").wait_for(timeout=SLOW)
    assert given not in page.url
    page.get_by_role("textbox", name="Name").fill("ann")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("status", name="Rail").filter(has_text="$500").wait_for(timeout=SLOW)

    with browser.new_context(base_url=server.url) as stranger:  # and nobody without one
        other = stranger.new_page()
        other.goto(f"/t/{table}")
        other.get_by_role("alert").filter(has_text="This table is private").wait_for(timeout=SLOW)
        assert "Hidden" not in other.content()
