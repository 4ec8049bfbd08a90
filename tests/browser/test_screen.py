"""The table page as one screen: what is in view at each size, the strips, and the quick bets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from passline.game.words.live import say_live
from tests.browser.test_pages import axe
from tests.browser.test_table import SLOW, cell, choose, lies, opened, sat_down
from tests.web.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FloatRect, Page

pytestmark = pytest.mark.system

SENT = """() => !document.getElementById("say").value
  || document.getElementById("alert").innerText !== "" """


def make_point(page: Page, server: Server, table: str) -> int:
    """Bet the pass line and roll until there is a point. Return it."""
    for _ in range(60):
        if point := server.http.get(f"/api/tables/{table}").json()["puck"]:
            return int(point)
        say(page, "pass for 5")
        before = page.get_by_role("log", name="Stick").locator("p").count()
        page.get_by_role("button", name="Roll").click()
        page.get_by_role("log", name="Stick").locator("p").nth(before).wait_for(timeout=SLOW)
    raise AssertionError("no point in sixty throws")


def say(page: Page, words: str) -> None:
    """Say a line; it is sent when the box is empty again or an alert is shown."""
    page.get_by_role("textbox", name="Say").fill(words)
    page.keyboard.press("Enter")
    page.wait_for_function(SENT, timeout=SLOW)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


#: The amounts on own chips that a lammer covers.
COVERED = """() => {
  const box = (one) => one.getBoundingClientRect();
  const lammers = [...document.querySelectorAll(".lie > .lammer")].map(box);
  const touch = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 4
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  return [...document.querySelectorAll(".lie .own-count")]
    .filter((count) => lammers.some((lammer) => touch(box(count), lammer)))
    .map((count) => [count.textContent, box(count), lammers]);
}"""


def test_quick_bets_are_lines(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    table = opened(server, rulebook="iowa")
    sat_down(page, table, "ann")
    page.get_by_role("button", name="Max odds").click(force=True)  # barred, and says why
    page.get_by_role("alert").filter(has_text="odds").wait_for(timeout=SLOW)
    point = make_point(page, server, table)
    press(page, "Max odds")
    lies(page, "Pass odds", "$50")
    assert page.get_by_role("button", name="Max odds").get_attribute("aria-disabled") == "true"
    choose(page, "$5")
    press(page, "Inside")
    units = {5: 5, 6: 6, 8: 6, 9: 5}
    units.pop(point, None)  # as this rulebook has it
    for number, unit in units.items():
        lies(page, f"Place {number}", f"${unit}")
    press(page, "Across")
    for number, unit in units.items():
        lies(page, f"Place {number}", f"${2 * unit}")
    press(page, "All off")
    page.locator("#mine .lammer-off").first.wait_for(timeout=SLOW)
    page.locator(".lie > .lammer").first.wait_for(state="attached", timeout=SLOW)
    assert page.locator(".lie > .lammer ~ .stack.own").count() == 0  # no chip covers an OFF
    press(page, "All on")
    page.locator("#mine .lammer-off").first.wait_for(state="detached", timeout=SLOW)
    press(page, "Press all")
    for number, unit in units.items():
        lies(page, f"Place {number}", f"${4 * unit}")
    say(page, f"place {point} for 30")  # now every number is up
    lies(page, f"Place {point}", "$30")
    choose(page, "$1")  # less than a unit
    press(page, "Across")
    for number, unit in units.items():
        lies(page, f"Place {number}", f"${5 * unit}")
    say(page, "buy 4 and 10 for 24 each")  # high stacks
    page.locator(".lie > .lammer").nth(1).wait_for(state="attached", timeout=SLOW)
    assert page.evaluate(COVERED) == []


def test_a_preset_is_kept_in_the_browser(page: Page, server: Server) -> None:
    table = opened(server)
    sat_down(page, table, "ann")
    cell(page, "Pass").click()
    lies(page, "Pass", "$5")
    press(page, "Your quick bets")
    sheet = page.get_by_role("dialog", name="Your quick bets")
    line = sheet.get_by_role("textbox", name="What it says to the dealer")
    assert line.input_value() == "Pass for 5"  # what is up, to be said again
    sheet.get_by_role("textbox", name="Name of the button").fill("Two fields")
    line.fill("ten on the field")
    sheet.get_by_role("button", name="Add").click()
    assert axe(page) == []
    sheet.get_by_role("button", name="Close").click()
    page.reload()
    press(page, "Two fields")
    lies(page, "Field", "$10")
    press(page, "Your quick bets")
    sheet.get_by_role("button", name="Remove Two fields").click()
    sheet.get_by_role("button", name="Close").click()
    assert page.get_by_role("button", name="Two fields").count() == 0


#: The lowest pixel of a wager's cell, with its further patches.
LOWEST = """(slug) => {
  const cells = document.querySelectorAll(`[data-slug=${slug}], [data-slug=${slug}] > .more`);
  return Math.max(...[...cells].map((cell) => cell.getBoundingClientRect().bottom));
}"""
#: Buttons and cells of the dock whose words do not fit.
OVERFLOWS = """() => {
  const seen = document.querySelectorAll(".bar button, .bar .pill, #next li, .chip-choice span");
  return [...seen]
    .filter((e) => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1)
    .map((e) => [e.innerText, e.scrollWidth, e.clientWidth, e.scrollHeight, e.clientHeight]);
}"""
BONUS: dict[str, object] = {"rulebook": "maryland-crapless", "elections": {"offers.bonus": "A"}}


def measure(page: Page) -> dict[str, Any]:
    """Where the dock, the felt and Roll are, and how low the pass line and its odds reach."""
    page.evaluate("scrollTo(0, 0)")
    page.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
    box = "(id) => document.querySelector(id).getBoundingClientRect().toJSON()"
    return {
        "dock": page.evaluate(box, ".bar"),
        "felt": page.evaluate(box, "#felt"),
        "roll": page.evaluate(box, "#roll"),
        "lowest": max(page.evaluate(LOWEST, slug) for slug in ("pass", "pass-odds")),
        "overflows": page.evaluate(OVERFLOWS),
        "width": page.evaluate("document.documentElement.scrollWidth"),
    }


def seated(browser: Browser, server: Server, house: dict[str, object]) -> Page:
    """A player with a point, odds and hard eights, so that every strip is filled."""
    context = browser.new_context(base_url=server.url, reduced_motion="reduce", has_touch=True)
    page = context.new_page()
    table = opened(server, **house)
    sat_down(page, table, "ann")
    make_point(page, server, table)
    for line in ("max odds", "place 6 and 8 for 12 each", "hard 8 for 5", "easy hop 6 2 for 1"):
        say(page, line)
    return page


def test_one_screen_at_every_size(browser: Browser, server: Server) -> None:
    page = seated(browser, server, {"rulebook": "iowa"})
    for width, height in ((320, 640), (390, 664), (390, 844)):  # a phone held upright
        page.set_viewport_size({"width": width, "height": height})
        found = measure(page)
        assert found["dock"]["height"] <= height / 3, (width, height)
        assert found["lowest"] <= found["dock"]["top"], (width, height)
        assert (found["felt"]["left"], found["felt"]["right"]) == (0, width)
        assert (found["width"], found["overflows"]) == (width, [])
    # on its side; a laptop or a large screen at 200 percent
    for width, height in ((844, 390), (667, 375), (640, 400), (683, 325), (960, 540)):
        page.set_viewport_size({"width": width, "height": height})
        found = measure(page)
        assert abs(found["felt"]["height"] - height) <= 1
        assert found["felt"]["right"] <= found["dock"]["left"]
        assert found["roll"]["bottom"] <= height
        assert found["roll"]["right"] >= width - 20
        assert (found["width"], found["overflows"]) == (width, [])
    for width, height in ((820, 1180), (1024, 768), (1280, 800), (1366, 650), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        found = measure(page)
        assert found["lowest"] <= found["dock"]["top"], (width, height)
        assert found["dock"]["bottom"] <= height
        assert (found["width"], found["overflows"]) == (width, [])
    assert axe(page) == []
    page.context.close()


FIRE: dict[str, object] = {"elections": {"offers.fire": "A"}}
SIDEWAYS = """() => {
  const stage = document.getElementById("stage");
  return stage.scrollWidth > stage.clientWidth;
}"""


@pytest.mark.parametrize("house", [BONUS, FIRE], ids=["bonus", "fire"])
def test_the_largest_felts_show_their_pass_line(
    browser: Browser, server: Server, house: dict[str, object]
) -> None:
    page = seated(browser, server, house)
    for width, height in ((320, 640), (390, 844), (1024, 768), (1280, 800), (1366, 650)):
        page.set_viewport_size({"width": width, "height": height})
        found = measure(page)
        beside = found["felt"]["right"] <= found["dock"]["left"]
        end = height if beside else found["dock"]["top"]
        assert found["lowest"] <= end, (width, height)
        assert found["dock"]["bottom"] <= height
        assert (found["width"], found["overflows"]) == (width, [])
        assert not page.evaluate(SIDEWAYS), (width, height)
    assert axe(page) == []
    page.context.close()


def test_the_settings_have_the_sound_too(page: Page, server: Server) -> None:
    sat_down(page, opened(server), "ann")
    sound = page.get_by_role("button", name="Sound")
    assert sound.get_attribute("aria-pressed") == "true"
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("checkbox", name="Dice and chips are heard").uncheck()
    assert sound.get_attribute("aria-pressed") == "false"


def test_roll_stays_in_view_beside_the_quick_bets(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    sat_down(page, opened(server), "ann")
    page.get_by_role("button", name="Your quick bets").scroll_into_view_if_needed()
    box = page.get_by_role("button", name="Roll").bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= 20


def test_the_dock_takes_the_focus_without_scrolling(page: Page, server: Server) -> None:
    for width, height in ((1280, 800), (1366, 650)):
        page.set_viewport_size({"width": width, "height": height})
        sat_down(page, opened(server), "ann")
        page.get_by_role("gridcell", name="Field", exact=True).focus()
        page.evaluate("scrollTo(0, 0)")
        for _ in range(4):  # chip, Bet as, Roll, Undo
            page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('.bar') !== null")
        assert page.evaluate("scrollY") == 0
    page.get_by_role("textbox", name="Say").focus()  # below the dock
    say_box = page.get_by_role("textbox", name="Say").bounding_box()
    dock = page.locator(".bar").bounding_box()
    assert say_box is not None
    assert dock is not None
    assert (
        say_box["y"] + say_box["height"] <= dock["y"] or say_box["y"] >= dock["y"] + dock["height"]
    )


def test_the_dock_covers_no_names_in_a_low_window(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1366, "height": 650})
    table = opened(server)
    for number in range(1, 9):
        server.sit(table, f"player{number}")
    sat_down(page, table, "ann")
    found = measure(page)
    names = page.locator("#felt .plate text")
    assert names.count() == 18
    lowest = "(all) => Math.max(...all.map((one) => one.getBoundingClientRect().bottom))"
    assert names.evaluate_all(lowest) <= found["dock"]["top"]
    assert found["felt"]["top"] < 80  # nothing blank above it


def test_the_center_opens_at_the_hardways(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 390, "height": 664})
    sat_down(page, opened(server), "ann")
    page.get_by_role("radio", name="Center").check(force=True)
    top = page.locator(".bar").evaluate("(e) => e.getBoundingClientRect().top")
    for name in ("Hard 4", "Hard 8", "Any craps"):
        box = cell(page, name).bounding_box()
        assert box is not None
        assert box["y"] >= 0, name
        assert box["y"] + box["height"] <= top, name
    page.get_by_role("radio", name="My end").check(force=True)
    assert page.evaluate("scrollY") == 0


#: Of the controls that must be in view, those that are cut off or lie over another one.
CROWDED = """() => {
  const seen = [...document.querySelectorAll(".modes .pill, .chip-choice, .acts button, #rail")]
    .filter((one) => one.checkVisibility())
    .map((one) => [one.innerText || one.id, one.getBoundingClientRect()]);
  const cut = seen.filter(([, box]) => box.right > innerWidth + 1 || box.bottom > innerHeight + 1);
  const over = seen.filter(([, a], n) => seen.some(([, b], m) => m > n
    && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2));
  return [...cut, ...over].map(([name]) => name);
}"""


def look_at(page: Page, view: str) -> None:
    page.get_by_role("radio", name=view, exact=True).click()


@pytest.mark.parametrize("game", ["craps", "mini-craps"])
def test_no_control_covers_another_on_a_phone(browser: Browser, server: Server, game: str) -> None:
    page = seated(browser, server, {"rulebook": "new-jersey", "game": game})  # has To lose
    for width, height in ((320, 640), (360, 740), (390, 844), (844, 390), (640, 400)):
        page.set_viewport_size({"width": width, "height": height})
        for view in ("All", "My end"):
            look_at(page, view)
            measure(page)
            buttons = page.evaluate(CROWDED)
            # Above a phone's edge the buttons after Roll are scrolled to.
            aside = {"Ready", "Undo", "Repeat"} if width < height else set()
            assert set(buttons) <= aside, (width, height, view)
    page.context.close()


#: The widths of this player's chips that are shown.
OWN_CHIPS = """() => [...document.querySelectorAll(".stack.own:not([visibility]) .shade")]
  .map((one) => one.getBoundingClientRect().width)"""


def test_on_a_phone_the_whole_table_shows_own_chips_apart(browser: Browser, server: Server) -> None:
    page = seated(browser, server, {"rulebook": "iowa"})
    page.set_viewport_size({"width": 390, "height": 844})
    look_at(page, "All")
    measure(page)
    widths = page.evaluate(OWN_CHIPS)
    assert widths
    assert max(widths) < 19
    look_at(page, "My end")
    measure(page)
    assert min(page.evaluate(OWN_CHIPS)) >= 26
    page.context.close()


#: The boxes of what lies beside a felt that leaves no room below it.
BESIDE = """() => Object.fromEntries(["told", "bar"].map((name) =>
  [name, document.querySelector(`.${name}`).getBoundingClientRect().toJSON()]))"""


@pytest.mark.parametrize(
    "house", [BONUS, {"game": "mini-craps"}, {"game": "automated-craps"}], ids=str
)
def test_beside_a_large_felt_the_wagers_lie_above_the_dock(
    browser: Browser, server: Server, house: dict[str, object]
) -> None:
    page = seated(browser, server, house)
    page.set_viewport_size({"width": 1366, "height": 650})
    found = measure(page)
    assert found["felt"]["right"] <= found["dock"]["left"]
    boxes = page.evaluate(BESIDE)
    assert abs(boxes["told"]["top"] - found["felt"]["top"]) < 2
    assert 0 <= boxes["bar"]["top"] - boxes["told"]["bottom"] < 20  # nothing blank between them
    assert page.get_by_role("heading", name="Your wagers").is_visible()
    assert found["overflows"] == []
    rows = {box["y"] for box in boxes_of(page, ".quick button")}
    assert len(rows) == 1  # the quick bets share one row
    page.get_by_role("button", name="Leave", exact=True).scroll_into_view_if_needed()
    assert page.evaluate("scrollY") <= found["felt"]["bottom"] - 600  # it scrolls by itself
    assert axe(page) == []
    page.context.close()


def boxes_of(page: Page, selector: str) -> list[FloatRect]:
    return [box for one in page.locator(selector).all() if (box := one.bounding_box())]


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_longer_words_do_not_move_the_felt(page: Page, server: Server, width: int) -> None:
    """Nobody clicks a bet that lay elsewhere when the pointer went down."""
    page.set_viewport_size({"width": width, "height": 800})
    name = "The Grand Metropolitan Riverboat Casino"
    sat_down(page, opened(server, name=name), "ann")
    words = (say_live("no-shooter"), "Bet.")
    tops = set()
    for text in words:
        page.locator("#now").evaluate("(now, text) => { now.textContent = text; }", text)
        tops.add(measure(page)["felt"]["top"])
    assert len(tops) == 1


def test_a_machine_throws_without_a_shooter(page: Page, server: Server) -> None:
    table = opened(server, game="automated-craps", name="The bubble")
    sat_down(page, table, "ann")
    page.locator("#shooter").get_by_text("The machine throws").wait_for(timeout=SLOW)
    page.goto("/")
    card = page.get_by_role("listitem").filter(has_text="The bubble")
    card.get_by_text("the machine", exact=True).wait_for(timeout=SLOW)
