"""The pages, asked without a browser: what stands on them, and what never does."""

from __future__ import annotations

import asyncio
import gzip
import re
import threading
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, urlsplit

import httpx
import pytest

from passline.game.law.book_files import BOOKS
from passline.game.law.clause_status import describe_clauses
from passline.game.law.clauses import list_clauses
from passline.game.law.load import rulebook
from passline.live.schema import ServiceError
from passline.version import VERSION
from passline.web.middleware import SECURITY_HEADERS
from passline.web.page_cache import BackgroundPageCache
from passline.web.page_templates import NAVIGATION, render_page
from passline.web.pages.docs import document_names, load_document, read_document
from passline.web.responses import prepare_body
from passline.web.routes import live_routes
from passline.web.static_files import static_url
from tests.test_plain_words import VisibleText, find_faults
from tests.web.conftest import KEY, House

pytestmark = pytest.mark.anyio

HTML = {"Accept": "text/html,application/xhtml+xml"}
LIVE_DOC = Path(__file__).parents[2] / "docs" / "operate" / "live.md"
#: Every kind of page there is.
PATHS = [
    "/",
    "/open",
    "/operate",
    "/law",
    "/law?q=come-out",
    "/law/iowa",
    "/law/new-jersey/19%3A47-1.3%28c%291",
    "/odds",
    "/par",
    "/placard",
    "/odds/section-2",
    "/odds/new-jersey?wager=buy-4",
    "/par/iowa",
    "/placard/dealer-school",
    "/session?rolls=20",
    "/daily",
    "/docs",
    "/docs?q=shooter",
    "/docs/house-rules",
]
#: Pages whose tables name wagers and settings as records and house files do.
WITH_SLUGS = ("/law", "/odds", "/par", "/session", "/open", "/docs")
HOSTILE = "<script>alert(1)</script>\"'&<img src=x onerror=y>"


class Seen(HTMLParser):
    """What a page holds, as a browser reads it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def count(self, name: str) -> int:
        return sum(tag == name for tag, _ in self.tags)

    def links(self) -> list[str]:
        return [
            str(value)
            for _, attrs in self.tags
            for key, value in attrs.items()
            if key in {"href", "src", "action"}
        ]


async def get(house: House, path: str, **headers: str) -> httpx.Response:
    return await house.ask("GET", path, headers={**HTML, **headers})


async def seen(house: House, path: str) -> Seen:
    page = await get(house, path)
    assert page.status_code == 200, page.text
    return Seen(page.text)


async def test_a_book_of_customs_gives_reasons_and_no_keys(house: House) -> None:
    page = (await get(house, "/law/las-vegas")).text
    texts = VisibleText(page).texts
    assert "Making a bet" in texts
    assert "A wager without chips is no wager." in texts
    for raw in ("tender.", "wager.pass", "elect.", '["craps"]', "true", "is = "):
        assert not any(text.startswith(raw) for text in texts), raw
    listed = page.partition("What holds is custom")[2].partition("Every value")[0]
    assert listed.count("<code>") == 0


async def test_every_page_is_in_the_lists(house: House) -> None:
    """Pages that have an address of their own: here, and in the table of docs/operate/live.md."""
    app = house.app
    routes = live_routes(app.tables, app.school, app.operator, app.auditions, app.shifts)
    pages = {route.path for route in routes if "{" not in route.path}
    pages = {path for path in pages if not path.startswith("/api/")}
    pages -= {
        "/healthz",
        "/readyz",
        "/metrics",
        "/manifest.webmanifest",
        "/.well-known/passline.json",
    }
    listed = {path.partition("?")[0] for path in PATHS}
    assert {path for path in pages if not path.startswith("/school")} - listed == set()
    table = LIVE_DOC.read_text("utf-8").partition("| address |")[2].partition("\n\n")[0]
    sections = {f"`/{path.split('/')[1]}" for path in pages}
    assert {section for section in sections if section not in table} == set()


@pytest.mark.parametrize(
    "path", [*PATHS, "/nothing", "/school", "/school/pass-line", "/school/drill/payoffs"]
)
async def test_a_page_is_in_plain_words(house: House, path: str) -> None:
    await house.open()
    texts = VisibleText((await get(house, path)).text).texts
    coded = path.startswith(WITH_SLUGS)
    faults = [(found, t) for t in texts if (found := find_faults(t, slugs=not coded, keys=False))]
    # Clauses are in words of their own; what a search finds may be a piece of code.
    assert [fault for fault in faults if not path.startswith(("/law", "/docs?"))] == []


#: What no reader should meet: a name as a record writes it, a fraction's digits, a header's word.
RAW = re.compile(r"\b[A-Za-z]+_[A-Za-z_]+\b|\d{10}|Bearer")
#: Pages of a table where Mary Ann plays, of every book, and of the school.
OTHER_PATHS = [
    "/t/{table}",
    "/t/{table}/replay",
    "/t/{table}/luck",
    "/law/las-vegas",
    "/law/iowa/wagers.2.d#2",
    "/odds/las-vegas",
    "/odds/las-vegas?wager=field",
    "/placard/las-vegas",
    "/placard/new-jersey",
    "/school",
    "/school/class",
    "/school/progress",
    "/school/practice",
    "/school/shift",
    "/school/audition",
    "/school/certificates",
    "/school/pass-line",
    "/school/drill/payoffs",
]


@pytest.mark.parametrize("path", [*PATHS, *OTHER_PATHS, "/nothing"])
async def test_no_page_shows_raw_words(house: House, path: str) -> None:
    table = (await house.open(name="Mary Ann's"))["table"]
    token = await house.sit(table, "Mary Ann")
    await house.say(table, token, "a1", "pass for 10")
    page = await get(house, path.format(table=table).replace("#", "%23"))
    assert page.status_code == (404 if path == "/nothing" else 200), page.url
    texts = VisibleText(page.text).texts
    assert texts
    faults = [(found[0], text[:120]) for text in texts if (found := RAW.search(text))]
    # What a search of the documents finds may be a piece of code.
    assert path.startswith("/docs?") or faults == []


@pytest.mark.parametrize("path", [*PATHS, "/nothing"])
async def test_every_page_stands_in_the_frame(house: House, path: str) -> None:
    """Language, title, landmarks, one first heading; no script, style or handler of its own; and
    nothing from another host."""
    await house.open()
    page = await get(house, path)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-security-policy"] == SECURITY_HEADERS["Content-Security-Policy"]
    found = Seen(page.text)
    assert found.tags[0] == ("html", {"lang": "en"})
    for landmark in ("title", "header", "main", "footer", "h1"):
        assert found.count(landmark) == 1, landmark
    assert {href for href, _ in NAVIGATION} <= set(found.links())
    assert found.count("style") == 0
    for tag, attrs in found.tags:
        assert not any(key == "style" or key.startswith("on") for key in attrs), (tag, attrs)
        assert tag != "script" or attrs["src"]
    for link in found.links():
        assert link.startswith(("/", "#")), link
        assert not link.startswith("//")


async def test_no_link_leads_nowhere(house: House) -> None:
    """Every page that a page leads to is there."""
    await house.open()
    checked: set[str] = set()
    for path in PATHS:
        for link in (await seen(house, path)).links():
            at = urlsplit(link)
            target = f"{at.path}?{at.query}" if at.query else at.path
            if not at.path or target in checked or "wager=" in at.query:
                continue
            checked.add(target)
            if re.match("/par/(?!iowa)|/odds/maryland", target):
                continue  # these take seconds
            kind = re.match(r"/law/[^/]+/", target)
            if kind and sum(one.startswith(kind[0]) for one in checked) > 20:
                continue  # a book's clauses are asked for below
            assert (await get(house, target)).status_code == 200, f"{path} leads to {target}"
    assert len(checked) > 60


async def test_the_lobby_tells_of_each_table(house: House) -> None:
    table = (await house.open(name="High noon", rulebook="iowa"))["table"]
    token = await house.sit(table)
    await house.say(table, token, "a1", "pass for 10")
    page = await get(house, "/")
    assert page.headers["cache-control"] == "no-store"
    for words in ("High noon", "Iowa craps manual, craps", "1 of 16", "$5 to $5,000", "off"):
        assert words in page.text
    assert f'<a href="/t/{table}">High noon</a>' in page.text
    assert page.text.count("Play or watch</a>") == 1


async def test_an_empty_lobby_says_what_to_do(house: House) -> None:
    page = await get(house, "/")
    assert "No table is open now" in page.text
    assert 'href="/open"' in page.text


async def test_hostile_words_are_text(house: House) -> None:
    """In a table's name, a search, an address, an election: escaped wherever they come back."""
    await house.open(name="<b>&\"'")
    tried = [
        "/",
        f"/law?q={quote(HOSTILE)}",
        f"/law/iowa?q={quote(HOSTILE)}&kind={quote(HOSTILE)}",
        f"/docs?q={quote(HOSTILE)}",
        f"/{quote(HOSTILE, safe='')}",
        f"/law/{quote(HOSTILE, safe='')}",
        f"/law/iowa/{quote(HOSTILE, safe='')}",
        f"/docs/{quote(HOSTILE, safe='')}",
        f"/t/{quote(HOSTILE, safe='')}",
        f"/odds/iowa?{quote(HOSTILE)}={quote(HOSTILE)}",
        f"/odds/iowa?wager={quote(HOSTILE)}",
        f"/placard/iowa?game={quote(HOSTILE)}",
        f"/placard/new-jersey?offers.fire={quote(HOSTILE)}",
    ]
    for path in tried:
        page = await get(house, path)
        assert page.status_code in {200, 400, 404}, path
        found = Seen(page.text)
        assert found.count("img") == 1, path  # the mark's
        assert all(attrs.get("src") for tag, attrs in found.tags if tag == "script"), path
        assert found.count("b") == 0, path


async def test_the_pages_can_be_installed(house: House) -> None:
    answer = await house.ask("GET", "/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["display"], manifest["start_url"]) == ("standalone", "/")
    sizes = {icon["sizes"]: icon for icon in manifest["icons"] if icon["purpose"] == "any"}
    for size in (192, 512):
        icon = await house.ask("GET", sizes[f"{size}x{size}"]["src"])
        assert icon.headers["content-type"] == "image/png"
        assert int.from_bytes(icon.content[16:20], "big") == size  # the width in its header
    page = Seen((await house.ask("GET", "/law")).text)
    metas = {attrs.get("name"): attrs.get("content") for tag, attrs in page.tags if tag == "meta"}
    assert metas["theme-color"] == manifest["theme_color"]
    links = {attrs.get("rel"): attrs.get("href") for tag, attrs in page.tags if tag == "link"}
    assert links["manifest"] == "/manifest.webmanifest"
    touch = await house.ask("GET", str(links["apple-touch-icon"]))
    assert touch.headers["content-type"] == "image/png"


async def test_a_link_to_a_table_has_a_preview(house: House) -> None:
    table = (await house.open(name="Friday <Night>"))["table"]
    hidden = (await house.open(name="Secret", open=False))["table"]
    day = (await house.ask("GET", "/api/daily")).json()["day"]
    for path, title in (
        ("/", "The lobby"),
        (f"/t/{table}", "Friday <Night>"),
        (f"/t/{hidden}", "A table"),
        (f"/t/{table}/replay", "Friday <Night>: replay"),
        ("/daily", f"Daily, {day}"),
    ):
        page = Seen((await house.ask("GET", path)).text)
        seen = {
            attrs.get("property"): attrs.get("content") for tag, attrs in page.tags if tag == "meta"
        }
        assert seen["og:title"] == title
        assert str(seen["og:url"]).startswith("http")
        assert str(seen["og:url"]).endswith(path)
        image = str(seen["og:image"])
        assert image.startswith("http")
        assert image.endswith(static_url("link_preview.png"))
        assert seen["og:description"]
    assert (await house.ask("GET", static_url("link_preview.png"))).status_code == 200


async def test_static_files_are_kept_for_ever(house: House) -> None:
    for name, kind in (
        ("frame.css", "text/css; charset=utf-8"),
        ("law_search.js", "text/javascript; charset=utf-8"),
        ("icon.svg", "image/svg+xml"),
    ):
        address = static_url(name)
        answer = await house.ask("GET", address)
        assert answer.headers["content-type"] == kind
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        again = await house.ask(
            "GET", address, headers={"If-None-Match": f'"x", W/{answer.headers["etag"]}'}
        )
        assert (again.status_code, again.content) == (304, b"")
        older = await house.ask("GET", address.replace(address.split("/")[2], "older"))
        assert older.content == answer.content
        assert older.headers["cache-control"] == "no-cache"
    for name in ("nope.css", "..%2Fapp.py", "%2e%2e%2fapp.py", "frame.css%00"):
        assert (await house.ask("GET", f"/static/x/{name}")).status_code == 404


async def test_pages_that_stay_are_not_sent_again(house: House) -> None:
    page = await get(house, "/law/iowa")
    assert page.headers["cache-control"] == "no-cache"
    again = await get(house, "/law/iowa", **{"If-None-Match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


async def test_compressed_for_whoever_takes_it(house: House) -> None:
    table = (await house.open())["table"]
    for path in ("/", "/law/iowa", static_url("frame.css")):
        plain = await get(house, path, **{"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        gzipped = await get(house, path, **{"Accept-Encoding": "br, gzip"})
        assert gzipped.headers["content-encoding"] == "gzip"
        assert "Accept-Encoding" in gzipped.headers["vary"]
        assert gzipped.content == plain.content
        assert int(gzipped.headers["content-length"]) < len(plain.content) / 1.5
    for path in (f"/api/tables/{table}", f"/api/tables/{table}/log", "/api/tables"):
        answer = await house.ask("GET", path, headers={"Accept-Encoding": "gzip"})
        assert "content-encoding" not in answer.headers


async def test_a_first_view_is_small(house: House) -> None:
    """With everything it asks for, compressed: every page under 150 KB, the lobby under 20."""
    for path in PATHS:
        page = await get(house, path)
        files = [link for link in Seen(page.text).links() if link.startswith("/static/")]
        files.remove(static_url("icon_180.png"))  # asked for only by a home screen
        weight = len(gzip.compress(page.content))
        for file in set(files):
            weight += len(gzip.compress((await house.ask("GET", file)).content))
        assert weight < (20_000 if path == "/" else 150_000), f"{path}: {weight}"


@pytest.mark.parametrize("book", BOOKS)
async def test_every_clause_of_every_book_is_there(house: House, book: str) -> None:
    listed = (await seen(house, f"/law/{book}")).links()
    every = list_clauses(book)
    paths = [f"/law/{book}/{quote(clause.id, safe='')}" for clause in every]
    assert [link for link in listed if link in set(paths)] == paths
    objects = {one["id"]: one for one in describe_clauses(book)}
    for clause, path in list(zip(every, paths, strict=True))[::25]:
        page = " ".join((await seen(house, path)).words)
        one = objects[clause.id]
        assert clause.rule in page
        assert one["status"].replace("modelled", "modeled") in page
        for said in (*one["where"], *one["tests"]):
            assert said in page
        for decision in one["decisions"]:
            assert decision["decision"] in page


async def test_the_law_is_searched_without_a_script(house: House) -> None:
    page = await get(house, "/law/new-jersey?q=FIRE+payout&kind=payout")
    every = describe_clauses("new-jersey")
    fits = [
        one
        for one in every
        if one["kind"] == "payout" and "fire" in f"{one['id']} {one['rule']}".casefold()
    ]
    assert fits
    found = page.text.count('<li data-kind="payout"')
    assert found >= len(fits)
    assert f"{found} of {len(every)} clauses." in page.text
    assert page.text.count("<li data-kind=") == found
    both = await get(house, "/law?q=shooter")
    assert "New Jersey regulation" in both.text
    assert "Iowa craps manual" in both.text
    none = await get(house, "/law?q=zeppelin")
    assert "0 clauses with these words" in none.text


async def test_a_clause_names_the_lesson_that_teaches_it(house: House) -> None:
    """As the command does, each a link to where it is taught and asked."""
    links = (await seen(house, "/law/dealer-school/pay.pass.order%232")).links()
    (lesson,) = (link for link in links if link.startswith("/school/line-in-chips"))
    drill = next(link for link in links if link.startswith("/school/drill/"))
    for link in (lesson, drill):
        assert (await get(house, link)).status_code == 200


async def test_a_clause_that_is_not_there(house: House) -> None:
    page = await get(house, "/law/new-jersey/19%3A47-1.3%28c%29zz")
    assert page.status_code == 404
    assert "has no clause 19:47-1.3(c)zz." in page.text
    assert "The nearest are: " in page.text


async def test_pages_show_words_instead_of_ids(house: House) -> None:
    for path, id_, words in (
        ("/odds/new-jersey", "offers.fire", "The fire bet"),
        ("/odds/iowa", "crew.base_dealers", "Base dealers"),
        ("/odds/las-vegas", "new-shooter", "When hot hand bets are made"),
        ("/odds/las-vegas", "after-seven", "for a new shooter (default)"),
        ("/odds/las-vegas", "double,", "2 and 12 pay double"),
        ("/odds/las-vegas", "hot-hand", "pay table A"),
        ("/odds/new-jersey?wager=place-6", "place-win-6)", "Place to win 6"),
        ("/session?rolls=20", "pass-odds", "pass odds"),
        ("/open", "left-base", "left base"),
        ("/law/dealer-school/pay.pass.order%232", "line-in-chips", "Paying the line in chips"),
    ):
        text = " ".join((await seen(house, path)).words)
        assert id_ not in text, path
        assert words in text, path


async def test_a_session_bets_what_the_table_takes(house: House) -> None:
    text = (await get(house, "/session?strategy=pass&rolls=5&limits.min=15&odds.multiple=2")).text
    assert "pass(unit=15)" in text
    assert "Pass for $10 on every come-out roll." in text


async def test_a_house_by_its_address(house: House) -> None:
    """Elections in the query are those of ``-o``, and what a book does not allow is told."""
    plain = (await get(house, "/placard/new-jersey")).text
    fire = (await get(house, "/placard/new-jersey?offers.fire=A&game=craps")).text
    assert "Fire" not in plain
    assert "Fire" in fire
    more = (await get(house, "/odds/new-jersey?wager=pass%2Bodds&odds.multiple=2")).text
    assert "2 times the flat wager" in more
    assert (await get(house, "/par/new-jersey?odds.multiple=2")).status_code == 200
    for query, words in (
        ("odds.multiple=500", "The odds multiple: choose 1 to 100 (19:47-1.6(e)#1)."),
        ("odds.multiple=banana", "The odds multiple: choose a number"),
        ("offers.fire=Z", "The fire bet: choose no, A or B (19:47-1.4(e)#2)."),
        ("odds.multipel=5", "odds.multiple"),
        ("wager=nope", "nope"),
        ("game=poker", "The game: choose craps"),
    ):
        page = await get(house, f"/odds/new-jersey?{query}")
        assert page.status_code == 400, query
        assert words in page.text
    long = "&".join(f"k{n}=1" for n in range(50))
    assert (await get(house, f"/odds/iowa?{long}")).status_code == 400


@pytest.mark.parametrize("kind", ["law", "odds", "par", "placard"])
async def test_no_file_is_read_by_an_address(house: House, kind: str) -> None:
    for name in ("..%2F..%2Fpyproject.toml", "boardwalk.toml", "%2Fetc%2Fpasswd"):
        assert (await get(house, f"/{kind}/{name}")).status_code == 404, name


async def test_the_documents_are_read_and_searched(house: House) -> None:
    assert {"live", "protocol", "record", "house-rules"} <= set(document_names())
    index = (await get(house, "/docs")).text
    for name in document_names():
        assert f'href="/docs/{name}"' in index
        assert load_document(name).title
    page = (await get(house, "/docs/protocol")).text
    assert 'href="/docs/record"' in page
    assert '<h2 id="streams">' in page
    assert "```" not in page
    found = (await get(house, "/docs?q=Last-Event-ID")).text
    assert 'href="/docs/protocol#streams"' in found
    assert (await get(house, "/docs/live.md")).status_code == 200
    for name in ("nope", "..%2FREADME", "..%2f..%2fetc%2fpasswd"):
        assert (await get(house, f"/docs/{name}")).status_code == 404


def test_a_document_holds_no_markup_of_its_own() -> None:
    read = read_document("a", "# T\n\n<script>x</script>\n\n|a||\n|-:|-|\n|1|2|\n\n    code\n")
    assert "<script" not in read.html
    assert "style=" not in read.html
    assert '<td class="n">1</td>' in read.html
    assert "<th></th>" not in read.html
    assert '<pre tabindex="0"><code>code' in read.html


async def test_errors_are_pages_for_whoever_reads_pages(house: House) -> None:
    page = await get(house, "/nothing")
    assert page.status_code == 404
    assert "<h1>Page not found</h1>" in page.text
    for path, headers in (("/nothing", {}), ("/api/nothing", HTML), ("/api/tables/x", HTML)):
        answer = await house.ask("GET", path, headers=headers)
        assert answer.status_code == 404
        assert set(answer.json()) == {"error"}
    wrong = await house.ask("POST", "/law", headers=HTML)
    assert (wrong.status_code, set(wrong.headers["allow"].split(", "))) == (405, {"GET", "HEAD"})
    assert "Method not allowed" in wrong.text


async def test_a_fault_is_a_page_that_tells_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise ValueError("secret")

    monkeypatch.setattr(house.app.service.lobby_rows, "rows", broken)
    page = await get(house, "/")
    assert page.status_code == 503
    assert "<h1>Not available right now</h1>" in page.text
    assert "secret" not in page.text


async def test_lint_says_what_the_command_says(house: House) -> None:
    answer = await house.ask(
        "POST", "/api/lint", {"house": 'rulebook = "new-jersey"\nodds.multiple = 500\n'}
    )
    assert answer.status_code == 200
    told = answer.json()
    assert (told["ok"], told["rulebook"], told["game"]) == (False, "new-jersey", "craps")
    assert told["findings"][0]["key"] == "odds.multiple"
    assert told["findings"][0]["cite"] == "19:47-1.6(e)#1"
    fine = await house.ask("POST", "/api/lint", {"house": 'rulebook = "iowa"\n'})
    assert (fine.json()["ok"], fine.json()["findings"]) == (True, [])
    for text, words in (
        ("rulebook = ", "not readable as TOML"),
        ("", "empty"),
        ('rulebook = "iwoa"', "did you mean iowa?"),
        ("\ud800", "TOML"),
    ):
        body = b'{"house": "\\ud800"}' if text == "\ud800" else None
        asked = {"content": body} if body else {"json": {"house": text}}
        answer = await house.http.post("/api/lint", **asked)
        if body and answer.status_code == 400:
            continue  # half a character is no JSON
        assert answer.status_code == 200, text
        assert answer.json()["ok"] is False
        assert words in answer.json()["error"]
    assert (await house.ask("POST", "/api/lint", {"file": "x"})).status_code == 400
    assert (await house.ask("POST", "/api/lint", {"house": "#" * 20_000})).status_code == 413


async def test_the_form_offers_every_book(house: House) -> None:
    page = (await get(house, "/open")).text
    for book in BOOKS:
        games = " ".join(rulebook(book).games.value)
        assert f'<option value="{book}" data-games="{games}"' in page
    assert KEY not in page
    assert 'type="password" autocomplete="off"' in page


async def test_a_book_of_ones_own_is_offered_and_dealt_and_a_wrong_one_stops_no_page(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for book, base in (("pier", "new-jersey"), ("ring", "ring")):
        (tmp_path / f"{book}.toml").write_text(
            f"id = '{book}'\ntitle = 'Own {book}'\nbased_on = '{base}'\n", "utf-8"
        )
    monkeypatch.setenv("PASSLINE_BOOKS", str(tmp_path))
    house.app.tables.hosting = 1
    for path in ("/", "/open", "/operate", "/law", "/odds", "/session?rolls=1", "/school"):
        page = await get(house, path)
        assert page.status_code == 200, (path, page.text)
        if path in {"/", "/open", "/law", "/odds", "/session?rolls=1"}:
            assert "pier" in page.text, path
        assert "Own ring" not in page.text
    assert (await get(house, "/session?rolls=1&rulebook=pier")).status_code == 200
    assert (await get(house, "/law/pier")).status_code == 200
    assert "the books are circular" in (await get(house, "/law/ring")).text
    table = (await house.open(rulebook="pier"))["table"]
    said = await house.say(table, await house.sit(table), "one", "ten on the line")
    assert said.status_code == 200, said.text
    wrong = await house.ask("POST", "/api/tables", {"rulebook": "ring"}, KEY)
    assert wrong.status_code == 400
    assert "the books are circular" in wrong.text


async def test_heavy_pages_are_made_once_and_beside_the_loop() -> None:
    made: list[int] = []

    def make() -> str:
        made.append(threading.get_ident())
        return "page"

    page_cache = BackgroundPageCache()
    found = await asyncio.gather(*(page_cache.get_page("a", make) for _ in range(5)))
    assert {kept.body for kept in found} == {b"page"}
    assert len(made) == 1
    assert made[0] != threading.get_ident()


async def test_the_workshop_keeps_so_much_and_lets_so_many_wait() -> None:
    size = len(prepare_body("a" * 100).body)
    page_cache = BackgroundPageCache(max_bytes=2 * size, max_waiting=2)
    made: list[str] = []

    def making(letter: str) -> Callable[[], str]:
        def make() -> str:
            made.append(letter)
            return letter * 100

        return make

    for letter in "abacbac":
        await page_cache.get_page(letter, making(letter))
    assert "".join(made) == "abcbac"
    waiting = [asyncio.create_task(page_cache.get_page(n, making("x"))) for n in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(ServiceError) as refused:
        await page_cache.get_page("late", making("y"))
    assert (refused.value.code, refused.value.retry_after) == ("unavailable", 2)
    await asyncio.gather(*waiting)


async def test_a_page_that_cannot_be_made_is_not_kept() -> None:
    page_cache = BackgroundPageCache()

    def wrong() -> str:
        raise ServiceError("not_found", "nothing")

    for _ in range(2):
        with pytest.raises(ServiceError):
            await page_cache.get_page("a", wrong)
    assert (await page_cache.get_page("a", lambda: "now")).body == b"now"


def test_every_page_shows_its_title_place_and_version() -> None:
    page = render_page("error.html", title="A & b", message="<b>", section="/law")
    assert "<title>A &amp; b – Passline</title>" in page
    assert "<p>&lt;b&gt;</p>" in page
    assert '<a href="/law" aria-current="true">' in page
    assert page.count("aria-current") == 1
    assert f"Passline {VERSION}." in page
    with pytest.raises(LookupError):
        render_page("error.html", title="x", message="", scripts=["nope.js"])


async def test_an_error_page_names_no_address(house: House) -> None:
    """Its links lead on. Its words are for people."""
    paths = ("/docs/nope", "/school/nope", "/school/certificates/nope", "/daily/nope", "/t/nope")
    for path in paths:
        page = await get(house, path)
        assert page.status_code == 404, path
        words = " ".join(VisibleText(page.text).texts)
        assert not re.search(r"(?<!\w)/[a-z]", words), (path, words)


async def test_the_list_of_documents_shows_the_first_paragraph_of_each(house: House) -> None:
    index = (await get(house, "/docs")).text
    assert "<p>The words of the game, as this project uses them.</p>" in index
    assert "pip install" not in index
