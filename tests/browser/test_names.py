"""The accessible names of the controls, on which screen readers, programs and tests rely."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.test_table import SLOW, cell, opened, sat_down
from tests.web.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.system

#: By role, the controls of a player at a table.
SEATED = {
    "textbox": ("Say",),
    "button": (
        *("Roll", "Undo", "Repeat", "Leave", "Sound", "Invite"),
        *("Max odds", "Across", "Inside", "Press all", "All off", "All on"),
    ),
    "radiogroup": ("Chip", "Bet as"),
    "status": ("Rail",),
    "log": ("Stick",),
    "alert": ("",),
    "list": ("Next throw", "History"),
    "region": ("Watching",),
    "grid": ("Felt",),
}
CELLS = (
    *("Pass", "Don't pass", "Pass odds", "Come", "Don't come", "Field", "Any seven", "Horn"),
    *("Hard 8", "Place 6", "Buy 4", "Lay 10"),
)
FORM = ("Table name", "Minimum", "Maximum")


@pytest.mark.parametrize("width", [390, 1280])
def test_every_control_has_the_name_that_is_promised(
    page: Page, server: Server, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    table = opened(server, name=f"Names at {width}", pace={"betting": 60})
    page.goto("/")
    page.get_by_role("link", name=f"Names at {width}", exact=True).first.wait_for(timeout=SLOW)
    page.get_by_role("button", name="Play with friends").click()
    for label in FORM:
        page.get_by_role("textbox", name=label).or_(
            page.get_by_role("spinbutton", name=label)
        ).first.wait_for(timeout=SLOW)
    for label in ("Rulebook", "Odds"):
        page.get_by_role("combobox", name=label).first.wait_for(timeout=SLOW)
    page.get_by_role("checkbox", name="Listed in the lobby").wait_for(timeout=SLOW)
    page.get_by_role("button", name="Open the table").wait_for(timeout=SLOW)

    page.goto(f"/t/{table}")
    page.get_by_role("textbox", name="Buy in").wait_for(timeout=SLOW)
    sat_down(page, table, "ann")
    missing = [
        (role, name)
        for role, names in SEATED.items()
        for name in names
        if not page.get_by_role(role, name=name, exact=bool(name)).count()  # type: ignore[arg-type]
    ]
    assert missing == []
    assert page.get_by_role("list", name="Next throw").get_by_role("listitem").count() == 11
    first = page.get_by_role("list", name="Next throw").get_by_role("listitem").first
    assert first.inner_text().startswith("2:")
    modes = page.get_by_role("radiogroup", name="Bet as").get_by_role("radio")
    assert {"Place", "Buy", "Lay", "Odds"} <= {one.get_attribute("value") for one in modes.all()}
    assert [name for name in CELLS if cell(page, name).count() != 1] == []

    assert re.search(r"\d", page.get_by_role("region", name="Watching").inner_text())
    assert page.get_by_role("status", name="Rail").inner_text() == "$500"
    assert cell(page, "Pass odds").get_attribute("aria-disabled") == "true"

    server.sit(table, "bob")
    cell(page, "Pass").click()
    page.get_by_role("button", name="Ready").wait_for(timeout=SLOW)
    with page.context.browser.new_context(base_url=server.url) as watcher:  # type: ignore[union-attr]
        other = watcher.new_page()
        other.goto(f"/t/{table}")
        other.get_by_role("grid", name="Felt").wait_for(timeout=SLOW)
        assert [name for name in CELLS if cell(other, name).count() != 1] == []
