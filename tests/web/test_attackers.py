"""What an attacker would try. Never a 500, never a traceback, errors always in one shape."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passline.web import request_limits
from passline.web.middleware import SECURITY_HEADERS
from tests.web.conftest import BASE, KEY, House

pytestmark = pytest.mark.anyio

EVIL = "evil.example"  # a name that leads nowhere, by its standard
ELSEWHERE = f"http://{EVIL}"


def told(answer: httpx.Response) -> str:
    """The error of an answer, which is an error in the one shape and guarded as all are."""
    assert answer.headers["content-type"] == "application/json", answer.text
    for name, value in SECURITY_HEADERS.items():
        assert answer.headers[name] == value
    assert "Traceback" not in answer.text
    found = answer.json()
    assert isinstance(found["error"], str)
    assert found["error"]
    return str(found["error"])


BAD_BODIES = [
    b"",
    b"{",
    b"null",
    b"[]",
    b'"say"',
    b"NaN",
    b"\xff\xfe",
    b'{"id": "\xed\xa0\x80", "say": "x"}',
    b'{"id": "\\ud800", "say": "pass for 5"}',
    b'{"id": 1, "say": "pass for 5"}',
    b'{"id": "a", "say": null}',
    b'{"id": "a", "say": ["pass for 5"]}',
    b'{"id": "a"}',
    b'{"id": "a", "say": "pass for 5", "role": "operator"}',
    b'{"id": "", "say": "pass for 5"}',
    b'{"id": "a", "say": "pass for 5", "nonce": "a:b"}',
    b'{"id": "a", "say": "pass for 5", "nonce": "%b"}' % (b"n" * 65),
    b"[" * 10_000,
    b'{"a":' * 3_000,
    b'{"id": 1e400, "say": 1}',
]


@pytest.mark.parametrize("body", BAD_BODIES, ids=lambda body: repr(body[:40]))
async def test_what_has_not_the_shape_is_400(house: House, body: bytes) -> None:
    table = (await house.open())["table"]
    token = await house.sit(table)
    path = f"/api/tables/{table}/say"
    answer = await house.ask("POST", path, token=token, content=body)
    assert answer.status_code == 400, answer.text
    told(answer)
    assert (await house.ask("GET", f"/api/tables/{table}")).json()["seq"] == 1


BAD_SEATS = [
    {"name": "ann", "buy_in": 500},
    {"name": "ann", "buy_in": "-5"},
    {"name": "ann", "buy_in": "1e9"},
    {"name": "ann", "buy_in": "10000001"},
    {"name": "ann", "buy_in": "\u0665\u0660\u0660"},
    {"name": "", "buy_in": "500"},
    {"name": "a\nb", "buy_in": "500"},
    {"name": "a: roll 6 6", "buy_in": "500"},
    {"name": "\u202eann", "buy_in": "500"},
    {"name": "a" * 500, "buy_in": "500"},
    {"name": "ann", "buy_in": "500", "place": 0.5},
    {"name": "ann", "buy_in": "500", "place": 99},
    {"name": "ann", "buy_in": "500", "place": -1},
    {"name": "ann", "buy_in": "500", "place": 10**30},
    {"name": "ann", "buy_in": "500", "token": "short"},
    {"name": "ann", "buy_in": "500", "token": "é" * 40},
]


@pytest.mark.parametrize("body", BAD_SEATS, ids=lambda body: json.dumps(body)[:60])
async def test_no_seat_for_what_is_no_player(house: House, body: dict[str, object]) -> None:
    table = (await house.open())["table"]
    answer = await house.ask("POST", f"/api/tables/{table}/seats", body)
    assert answer.status_code == 400, answer.text
    told(answer)


BAD_TABLES = [
    {},
    {"rulebook": "atlantis"},
    {"rulebook": "../../etc/passwd"},
    {"rulebook": "iowa", "house": "x"},
    {"house": "not = [toml"},
    {"rulebook": "iowa", "game": "roulette"},
    {"rulebook": "iowa", "dice": "loaded"},
    {"rulebook": "iowa", "dice": "typed"},
    {"rulebook": "iowa", "posts": {"stick": "robot"}},
    {"rulebook": "iowa", "posts": {"shooter": "person"}},
    {"rulebook": "iowa", "pace": {"betting": -1}},
    {"rulebook": "iowa", "pace": {"betting": 1e9}},
    {"rulebook": "iowa", "elections": {"odds.multiple": "a lot"}},
    {"rulebook": "iowa", "zone": "../../etc/passwd"},
    {"rulebook": "iowa", "zone": "Mars/Olympus"},
    {"rulebook": "iowa", "name": "a\nb"},
    {"rulebook": "iowa", "open": "yes"},
]


@pytest.mark.parametrize("body", BAD_TABLES, ids=json.dumps)
async def test_no_table_for_what_is_no_house(house: House, body: object) -> None:
    answer = await house.ask("POST", "/api/tables", body, KEY)
    assert answer.status_code == 400, answer.text
    told(answer)
    assert (await house.ask("GET", "/api/tables")).json() == []


async def in_chunks(size: int) -> AsyncIterator[bytes]:
    """A body that does not say how long it is."""
    yield b'{"id": "a", "say": "'
    for _ in range(size // 1000):
        yield b"x" * 1000
    yield b'"}'


@pytest.mark.parametrize("path", ["/api/tables", "/api/tables/T/say", "/api/tables/T/seats"])
@pytest.mark.parametrize("size", [request_limits.MAX_BODY_BYTES, 1_000_000])
@pytest.mark.parametrize("chunked", [False, True])
async def test_large_bodies_are_413(house: House, path: str, size: int, chunked: bool) -> None:
    table = (await house.open())["table"]
    token = KEY if path == "/api/tables" else await house.sit(table)
    content = in_chunks(size + 1000) if chunked else b'"%b"' % (b"x" * size)
    answer = await house.ask("POST", path.replace("T", table), token=token, content=content)
    assert answer.status_code == 413
    told(answer)


async def test_the_largest_body_is_read(house: House) -> None:
    table = (await house.open())["table"]
    start, end = b'{"id": "a", "say": "', b'"}'
    body = start + b"x" * (request_limits.MAX_BODY_BYTES - len(start) - len(end)) + end
    path = f"/api/tables/{table}/say"
    answer = await house.ask("POST", path, token=await house.sit(table), content=body)
    assert answer.status_code == 422


PATHS = [
    "/api", "/api/", "/api/tables/", "/api/tables/nope", "/api/tables/nope/say/x",
    "/api/tables/../../etc/passwd", "/api/tables/..%2f..%2fetc%2fpasswd", "/api/tables/%00",
    "/api/tables/%0d%0aX-Evil:%201", "/api/tables/%ff%fe", "/api/tables/" + "a" * 5000,
    "/api/tables/é", "/t/nope", "/t/%2e%2e", "/t/%3Cscript%3E", "//evil.example/", "/index.php",
    "/static/../app.py", "/.git/config", "/api/tables/1' OR '1'='1",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
async def test_what_is_not_there_is_404(house: House, path: str) -> None:
    answer = await house.ask("GET", BASE + path)
    assert answer.status_code == 404
    assert "x-evil" not in answer.headers
    told(answer)


@pytest.mark.parametrize("kind", ["", "/events", "/record", "/log", "/say", "/seats", "/tokens"])
async def test_a_table_that_is_not_there_is_404(house: House, kind: str) -> None:
    method = "GET" if kind in {"", "/events", "/record", "/log"} else "POST"
    body = {"name": "ann", "buy_in": "500"} if kind == "/seats" else None
    answer = await house.ask(method, f"/api/tables/nope{kind}", body, "t" * 40)
    assert answer.status_code == 404, answer.text
    told(answer)


async def test_no_cookie_carries_a_line_break(house: House) -> None:
    for method, body in (("POST", {"token": "t" * 40}), ("DELETE", None)):
        path = BASE + "/api/tables/x%0d%0aSet-Cookie:%20a=b/cookie"
        answer = await house.ask(method, path, body, headers={"Origin": BASE})
        assert answer.status_code == 404
        told(answer)


@pytest.mark.parametrize("method", ["PUT", "PATCH", "OPTIONS", "TRACE", "BREW"])
@pytest.mark.parametrize("path", ["/", "/api/tables", "/api/tables/T/say", "/healthz"])
async def test_other_methods_are_405(house: House, method: str, path: str) -> None:
    table = (await house.open())["table"]
    answer = await house.ask(method, path.replace("T", table))
    assert answer.status_code == 405
    assert answer.headers["allow"]
    told(answer)


@pytest.mark.parametrize(
    "header",
    [
        "", "Bearer", "Bearer ", "Basic YTpi", "bearer wrong", f"Bearer {KEY}x", "Bearer \xff",
        f"Bearer {KEY} {KEY}", f"Token {KEY}", "Bearer " + "x" * 4000, "Bearer null",
    ],
)  # fmt: skip
async def test_no_or_unknown_token_is_401(house: House, header: str) -> None:
    table = (await house.open())["table"]
    requests = [("POST", "/api/tables"), ("POST", f"/api/tables/{table}/say"), ("GET", "/metrics")]
    for method, path in requests:
        body = {"id": "a", "say": "x"} if method == "POST" else None
        headers = {"Authorization": header.encode("latin-1")} if header else {}
        answer = await house.ask(method, path, body, headers=headers)
        assert answer.status_code == 401, (path, answer.text)
        assert answer.headers["www-authenticate"] == "Bearer"
        told(answer)


async def test_a_token_is_good_for_its_own_table(house: House) -> None:
    one, two = await house.open(), await house.open(name="Two")
    ann = await house.sit(one["table"])
    for token in (ann, *one["tokens"].values()):
        said = await house.say(two["table"], token, "a1", "field for 5")
        assert said.status_code == 401
        assert (
            await house.ask("GET", f"/api/tables/{two['table']}", token=token)
        ).status_code == 401
    for method, body in (("POST", {"rulebook": "iowa"}), ("GET", None)):
        path = "/api/tables" if method == "POST" else "/metrics"
        for token in (ann, *one["tokens"].values()):  # known, and not the house key
            assert (await house.ask(method, path, body, token)).status_code == 403
        assert (await house.ask(method, path, body, "u" * 32)).status_code == 401


async def test_a_player_speaks_for_himself_alone(house: House) -> None:
    table = (await house.open())["table"]
    ann = await house.sit(table)
    await house.sit(table, "bob")
    for say in (
        "roll 6 6",
        "bob: field for 5",
        "bob leaves",
        "table closes",
        "in cash field for 5",
    ):
        said = await house.say(table, ann, f"x {say}", say)
        assert said.status_code in {403, 422}, (say, said.text)
        told(said)
    for say in ("field for 5\nroll 6 6", "field for 5\r\nbob leaves", "x\u2028roll 6 6", "\x00"):
        said = await house.say(table, ann, "lines", say)
        assert said.status_code in {400, 403, 422}, (say, said.text)


FOREIGN = [
    ELSEWHERE,
    "null",
    "http://127.0.0.1",
    "http://127.0.0.1:7118",
    "http://localhost:7117",
    f"{BASE}.{EVIL}",
    f"{BASE}@{EVIL}",
    f"{ELSEWHERE}@127.0.0.1:7117",
    "http://127.0.0.1:7117/",
    "file://127.0.0.1:7117",
    "http://127.0.0.1:x",
    "http:" + "//[",
    "127.0.0.1:7117",
]


@pytest.mark.parametrize("origin", FOREIGN)
async def test_other_origins_change_nothing(house: House, origin: str) -> None:
    table = (await house.open())["table"]
    body = {"name": "ann", "buy_in": "500"}
    path = f"/api/tables/{table}/seats"
    for token in ("", KEY):
        answer = await house.ask("POST", path, body, token, headers={"Origin": origin})
        assert answer.status_code == 403
        told(answer)
    site = await house.ask("POST", path, body, headers={"Sec-Fetch-Site": "cross-site"})
    assert site.status_code == 403
    for path, body in (("/api/lint", {"house": ""}), ("/api/daily", {"name": "ann"})):
        answer = await house.ask("POST", path, body, headers={"Origin": origin})
        assert answer.status_code == 403
    assert (await house.ask("GET", f"/api/tables/{table}")).json()["players"] == []


async def with_cookie(house: House) -> tuple[str, str]:
    """A table, and the cookie of a player there."""
    table = (await house.open())["table"]
    token = await house.sit(table)
    traded = await house.ask(
        "POST", f"/api/tables/{table}/cookie", {"token": token}, headers={"Origin": BASE}
    )
    assert (traded.status_code, traded.json()) == (200, {"role": "player", "name": "ann"})
    cookie = traded.headers["set-cookie"]
    parts = {part.strip() for part in cookie.split(";")[1:]}
    assert {"HttpOnly", "SameSite=Strict", f"Path=/api/tables/{table}"} <= parts
    house.http.cookies.clear()
    return table, cookie.partition(";")[0]


async def test_a_cookie_speaks_from_our_own_pages(house: House) -> None:
    table, cookie = await with_cookie(house)
    path, body = f"/api/tables/{table}/say", {"id": "c1", "say": "field for 5"}
    for origin in (BASE, "https://127.0.0.1:7117"):  # where TLS ends before us
        said = await house.ask("POST", path, body, headers={"Cookie": cookie, "Origin": origin})
        assert said.status_code == 200, said.text
    assert (await house.ask("GET", f"/api/tables/{table}", headers={"Cookie": cookie})).json()[
        "role"
    ] == "player"


async def test_a_cookie_does_not_speak_from_elsewhere(house: House) -> None:
    table, cookie = await with_cookie(house)
    path, body = f"/api/tables/{table}/say", {"id": "c1", "say": "field for 5"}
    for headers in ({}, {"Origin": ELSEWHERE}, {"Origin": "null"}, {"Referer": BASE}):
        said = await house.ask("POST", path, body, headers={"Cookie": cookie, **headers})
        assert said.status_code == 403
        told(said)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        said = await house.ask(
            "POST",
            path,
            content=json.dumps(body).encode(),
            headers={"Cookie": cookie, "Origin": BASE, "Content-Type": kind},
        )
        assert said.status_code == 400
        told(said)
    assert (await house.ask("GET", f"/api/tables/{table}")).json()["seq"] == 1


async def test_a_cookie_is_given_back(house: House) -> None:
    table, cookie = await with_cookie(house)
    answer = await house.ask(
        "DELETE",
        f"/api/tables/{table}/cookie",
        headers={"Cookie": cookie, "Origin": BASE, "Content-Type": "application/json"},
    )
    assert answer.status_code == 204
    assert "Max-Age=0" in answer.headers["set-cookie"]


async def test_no_cookie_for_what_is_no_token(house: House) -> None:
    table = (await house.open())["table"]
    path = f"/api/tables/{table}/cookie"
    for token, status in (("t" * 40, 401), ("a; Domain=evil", 400), (KEY, 400), ("", 400)):
        answer = await house.ask("POST", path, {"token": token}, headers={"Origin": BASE})
        assert answer.status_code == status
        assert "set-cookie" not in answer.headers
        told(answer)
    plain = {"Content-Type": "text/plain"}
    answer = await house.ask("POST", path, content=b'{"token": "x"}', headers=plain)
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:7117", "", "127.0.0.1.evil.example", "a b", "[::1"]
)
async def test_other_names_for_this_machine_are_not_ours(house: House, host: str) -> None:
    answer = await house.ask("GET", "/api/tables", headers={"Host": host})
    assert answer.status_code == 400
    told(answer)


@pytest.mark.parametrize("after", ["x", "-2", "1.0", "٣", "1e3", "9" * 20, " 1", "0x1", ""])
async def test_no_stream_from_nowhere(house: House, after: str) -> None:
    table = (await house.open())["table"]
    headers = {"Accept": "application/json"}
    path = f"/api/tables/{table}/events"
    answer = await house.ask("GET", path, params={"after": after}, headers=headers)
    assert answer.status_code == 400
    told(answer)


async def test_names_are_text_on_a_page_and_nothing_else(house: House) -> None:
    name = "<script>alert('&')</script>"
    table = (await house.open(name=name))["table"]
    for path in ("/", f"/t/{table}"):
        page = await house.ask("GET", path)
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert "script-src 'self'" in page.headers["content-security-policy"]
        assert "unsafe" not in page.headers["content-security-policy"]
        assert "<script>" not in page.text
        assert "&lt;script&gt;" in page.text
    closed = (await house.open(name="Unlisted", open=False))["table"]
    page = await house.ask("GET", f"/t/{closed}")
    assert page.status_code == 200
    assert "Unlisted" not in page.text
    assert "Unlisted" not in (await house.ask("GET", "/")).text


async def test_every_answer_is_guarded(house: House) -> None:
    table = (await house.open())["table"]
    for path in ("/", f"/t/{table}", "/healthz", "/api/tables", f"/api/tables/{table}/log"):
        answer = await house.ask("GET", path)
        assert answer.status_code == 200
        for name, value in SECURITY_HEADERS.items():
            assert answer.headers[name] == value


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
BODIES = st.one_of(
    st.binary(max_size=200),
    JSON.map(lambda value: json.dumps(value).encode()),
    st.fixed_dictionaries(
        {}, optional={key: JSON | st.text() for key in ("id", "say", "nonce", "name", "buy_in",
                                                       "place", "token", "role", "rulebook")}
    ).map(lambda value: json.dumps(value).encode()),
)  # fmt: skip


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(body=BODIES)
async def test_no_body_is_a_500(house: House, body: bytes) -> None:
    listed = (await house.ask("GET", "/api/tables")).json()
    table = listed[0]["table"] if listed else (await house.open())["table"]
    for path in ("", f"/{table}/say", f"/{table}/seats", f"/{table}/tokens", f"/{table}/cookie"):
        answer = await house.ask("POST", f"/api/tables{path}", token=KEY, content=body)
        assert answer.status_code in {200, 201, 400, 401, 403, 409, 422, 429}, answer.text
        if answer.status_code >= 400:
            told(answer)
