"""The client against a real server: what it asks, what it makes of answers, what it survives."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from passline.live.client.client import Client, parse_events
from passline.live.client.http import ClientError, HttpReply, read_address
from passline.live.hash_chain import ChainError, verify_chain
from passline.live.log_entries import Entry
from passline.live.schema import LineResponse, LineResult, RefusalReason
from passline.record.deal import deal_text
from tests.live.failing_connections import Reply, cutting, scripted
from tests.web.serving import KEY, Server, serving

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the tests that leave it as it is."""
    with serving(tmp_path_factory.mktemp("live")) as one:
        yield one


def opened(server: Server, **asked: object) -> str:
    """The address of a new table where nobody waits."""
    return str(server.open(**asked)["url"])


def heard(client: Client, upto: int, after: int = -1) -> list[Entry]:
    """What a client hears up to an entry."""
    found = []
    for entry in client.follow(after):
        found.append(entry)
        if entry.seq >= upto:
            break
    return found


# A conversation


def test_a_game_from_the_opening_to_the_record(server: Server) -> None:
    operator = Client(server.url, KEY)
    table = operator.open(
        rulebook="new-jersey", name="Typed", pace={"betting": 0}, elections={"odds.multiple": "5"}
    )
    assert set(table.tokens) >= {"floor", "box", "stick", "watcher"}
    ann = Client(table.url)
    assert (ann.url, ann.base) == (table.url, server.url)
    seat = ann.sit("ann", "500", place=3)
    assert (seat.name, seat.place, seat.pending) == ("ann", 3, False)
    assert (ann.token, ann.name) == (seat.token, "ann")
    said = ann.say("ten on the line; field for 1")
    assert said.accepted == ("pass for 10",)
    (refused,) = said.refused
    assert isinstance(refused.refusal, RefusalReason)
    assert refused.refusal.cite is not None
    thrown = ann.roll()
    assert thrown.accepted[0].startswith("roll ")

    view = ann.view()
    there = view.player("ann")
    assert there is not None
    assert (there.bought_in, view.name, view.house) == ("500.00", "Typed", None)
    assert view.last is not None
    assert f"roll {view.last.dice[0]} {view.last.dice[1]}" == thrown.accepted[0]
    assert view.player("bob") is None
    entries = ann.entries()
    assert entries == heard(ann, view.seq) == list(ann.log())
    assert verify_chain(entries).hash == view.head
    assert [entry.seq for entry in ann.entries(view.seq - 1)] == [view.seq]
    fair = next(entry.fair for entry in entries if entry.fair is not None)
    assert len(fair.nonce) == 32
    hashes = {entry.seq: entry.hash for entry in entries}
    assert [hashes[receipt.seq] for receipt in ann.receipts] == [r.hash for r in ann.receipts]
    assert len(ann.receipts) == 3
    rail = deal_text(ann.record()).table.seat("ann").rail
    assert there.rail == f"{rail / 100:.2f}"
    assert "Typed" in [one.name for one in operator.lobby()]


def test_what_the_operator_does(server: Server) -> None:
    table = Client(opened(server, open=False), KEY)
    assert table.view().house is not None
    with pytest.raises(ClientError, match="This table is private") as wrong:
        Client(table.url).view()
    assert wrong.value.status == 401
    guest = Client(f"{table.url}#{table.invite('player')}")
    seat = guest.sit("gus", "200")
    assert guest.token == seat.token
    named = Client(table.url, table.invite("player", "ann"))
    given = named.token
    assert named.sit("ann", "200").token == given
    assert table.close_table().accepted == ("table closes",)
    assert table.reopen_table().accepted == ("table opens",)
    table.withdraw("player", "ann")
    with pytest.raises(ClientError) as gone:
        named.say("pass for 10")
    assert gone.value.status == 401


def test_errors_say_what_they_are(server: Server) -> None:
    url = opened(server)
    ann = Client(url)
    ann.sit("ann", "500")
    with pytest.raises(ClientError) as unclear:
        ann.say("plaice the six for 12")
    assert (unclear.value.status, unclear.value.nearest) == (422, "place the six for 12")
    assert unclear.value.understood == ("the six for 12",)
    with pytest.raises(ClientError) as taken:
        Client(url).sit("ann", "500")
    assert taken.value.status == 409
    with pytest.raises(ClientError) as nowhere:
        Client(f"{server.url}/t/nope").view()
    assert nowhere.value.status == 404
    with pytest.raises(ClientError) as tendered:
        ann.say("pass for 10 in cash")
    assert (tendered.value.status, tendered.value.cite != "") == (403, True)
    ann.say("pass for 10", id="mine")
    with pytest.raises(ClientError) as used:
        ann.say("field for 5", id="mine")
    assert used.value.status == 409
    with pytest.raises(ValueError, match="no table"):
        Client(server.url).view()
    with pytest.raises(ClientError, match="A token has only letters and digits"):
        Client(url, "a b").view()


def test_a_full_table(server: Server) -> None:
    url = opened(server)
    for number in range(16):
        Client(url).sit(f"p{'abcdefghijklmnop'[number]}", "100")
    with pytest.raises(ClientError) as full:
        Client(url).sit("late", "100")
    assert full.value.status == 409


def test_a_buy_in_that_the_box_is_asked_for(server: Server) -> None:
    table = server.open(posts={"box": "person"}, buy_ins="box")
    ann = Client(table["url"])
    seat = ann.sit("ann", "300")
    assert seat.pending
    assert ann.receipts == ()
    Client(table["url"], table["tokens"]["box"]).say("ann joins for 300")
    assert not ann.sit("ann", "300").pending
    assert ann.say("buy in 100").pending


def test_an_utterance_said_again_is_one(server: Server) -> None:
    ann = Client(opened(server))
    ann.sit("ann", "500")
    first = ann.say("field for 5", id="once")
    assert ann.say("field for 5", id="once") == first
    assert ann.say("field for 5") != first


# Lost replies, and servers that are busy or gone


def test_a_lost_reply_is_asked_for_again(server: Server) -> None:
    url = opened(server)
    lost = {"seats": 2, "say": 2}

    def cuts(first: str) -> bool:
        kind = first.split()[1].rpartition("/")[2]
        lost[kind] = lost.get(kind, 0) - 1
        return lost[kind] >= 0

    with cutting(server.url, cuts) as proxy:
        ann = Client(f"{proxy.url}/t/{url.rpartition('/')[2]}", rest=lambda _: None)
        seat = ann.sit("ann", "500")
        said = ann.say("pass for 10")
        assert len(proxy.cut) == 4
        log = list(ann.log())
    lines = [entry.line for entry in log]
    assert [line.partition(" at ")[0] for line in lines] == [
        "",
        "ann joins for 500",
        "ann: pass for 10",
    ]
    assert (log[1].seq, log[1].hash) == (seat.seq, seat.hash)
    assert (log[2].seq, log[2].hash) == (said.seq, said.hash)


def test_a_seat_is_still_ours_when_patience_ended_before_the_reply(server: Server) -> None:
    url = opened(server)
    cuts = iter([True])
    with cutting(server.url, lambda _: next(cuts, False)) as proxy:
        ann = Client(f"{proxy.url}/t/{url.rpartition('/')[2]}", retry_seconds=0.0)
        with pytest.raises(ClientError, match="does not answer"):
            ann.sit("ann", "500")
        assert ann.sit("ann", "500").seq == 1


def test_what_has_no_id_is_not_sent_twice(server: Server) -> None:
    before = len(Client(server.url).lobby())
    with cutting(server.url, lambda first: first.startswith("POST")) as proxy:
        operator = Client(proxy.url, KEY)
        with pytest.raises(ClientError, match="does not answer") as lost:
            operator.open(rulebook="iowa")
        assert lost.value.status == 0
        assert len(proxy.cut) == 1
    assert len(Client(server.url).lobby()) == before + 1


def test_over_twenty_lines_a_second_it_waits(server: Server) -> None:
    pauses: list[float] = []

    def rest(seconds: float) -> None:
        pauses.append(seconds)
        time.sleep(seconds)

    ann = Client(opened(server), rest=rest)
    ann.sit("ann", "500")
    said = [ann.say("field for 5") for _ in range(25)]
    assert len({one.seq for one in said}) == 25
    assert max(pauses) >= 1.0


SAID = {"seq": 4, "hash": "0f", "entries": [{"said": "roll", "words": "roll 3 4", "refusal": None}]}


def test_a_server_that_cannot_write_is_asked_again_in_the_same_words() -> None:
    busy = (503, {"Retry-After": "2"}, b'{"error": "the store cannot be used now"}')
    pauses: list[float] = []
    with scripted(busy, (502, {}, b"<html>"), (200, {}, json.dumps(SAID).encode())) as (url, asked):
        said = Client(f"{url}/t/abc", "t" * 32, rest=pauses.append).say("roll", nonce="n")
    assert said == LineResponse(seq=4, hash="0f", entries=(LineResult("roll", "roll 3 4"),))
    assert len(asked) == 3
    assert len(set(asked)) == 1
    assert json.loads(asked[0][1])["say"] == "roll"
    assert pauses[0] == 2.0


def test_a_throw_that_was_refused_keeps_its_nonce_until_another_commitment(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A house that could have another nonce would refuse the dice that it dislikes."""
    sent: list[str] = []
    ask = Client._ask

    def note(self: Client, method: str, more: str = "", body: Any = None, **how: bool) -> HttpReply:
        if more == "/say" and body["say"] == "roll":
            sent.append(body["nonce"])
        return ask(self, method, more, body, **how)

    monkeypatch.setattr(Client, "_ask", note)
    ann = Client(opened(server))
    ann.sit("ann", "500")
    assert ann.roll().seq is None  # No line bet.
    ann.say("pass for 10; dont-pass for 10")
    assert ann.roll().seq is not None
    ann.say("pass for 10; dont-pass for 10")
    assert ann.roll().seq is not None
    assert sent[0] == sent[1] != sent[2]


def test_patience_ends() -> None:
    busy: Reply = (503, {}, b'{"error": "the store cannot be used now"}')
    with scripted(busy) as (url, asked):
        with pytest.raises(ClientError, match="cannot be used now") as wrong:
            Client(f"{url}/t/abc", retry_seconds=0.3).view()
        assert wrong.value.status == 503
        assert len(asked) > 1
    with pytest.raises(ClientError, match="does not answer") as nobody:
        Client(f"{url}/t/abc", retry_seconds=0.3).view()
    assert nobody.value.status == 0


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[]", b'{"seq": "x"}', b"\xff", b"[" * 5000], ids=repr
)
def test_what_is_no_answer_of_a_live_table(body: bytes) -> None:
    for status in (200, 404):
        with scripted((status, {}, body)) as (url, _):
            client = Client(f"{url}/t/abc", retry_seconds=0.0)
            for ask in (client.view, client.lobby, lambda c=client: c.say("roll")):
                if body == b"[]" and ask == client.lobby and status == 200:
                    assert ask() == []
                    continue
                with pytest.raises(ClientError) as wrong:
                    ask()
                assert wrong.value.status == status


# Following


def test_it_comes_back_after_kill_9_and_after_goodbye(tmp_path: Path) -> None:
    with serving(tmp_path) as first:
        url = opened(first)
        port = first.url.rpartition(":")[2]
        ann = Client(url)
        ann.sit("ann", "500")
        found: list[int] = []
        watcher = Client(url)

        def follow() -> None:
            for entry in watcher.follow():
                found.append(entry.seq)
                if entry.line == "table closes":
                    return

        follower = threading.Thread(target=follow)
        follower.start()
        ann.say("pass for 10")
        first.end(signal.SIGKILL)
    with serving(tmp_path, "", "--port", port) as second:
        assert ann.say("field for 5").seq == 3
        assert second.end() == (0, "")  # goodbye
    with serving(tmp_path, "", "--port", port):
        assert ann.say("field for 5").seq == 4
        ann.say("take me down")
        ann.leave()
        operator = Client(url, KEY)
        deadline = time.monotonic() + 20
        while not operator.close_table().accepted and time.monotonic() < deadline:
            time.sleep(0.1)
        follower.join(20)
        assert not follower.is_alive()
        last = operator.view().seq
        assert found[: last + 1] == list(range(len(found)))
        assert [entry.seq for entry in operator.log()] == list(range(last + 1))


def test_a_stream_that_is_cut_off_misses_and_doubles_nothing(server: Server) -> None:
    ann = Client(opened(server))
    ann.sit("ann", "500")
    for _ in range(12):
        ann.say("field for 5")
    cuts = iter([False, True, True, False, True])
    with cutting(server.url, lambda _: next(cuts, False)) as proxy:
        watcher = Client(f"{proxy.url}/t/{ann.table}", rest=lambda _: None)
        found = []
        for entry in watcher.follow():
            found.append(entry.seq)
            if entry.seq < 20:
                ann.say("field for 5")
            else:
                break
        assert found == list(range(21))
        assert proxy.cut


def test_a_withdrawn_token_ends_the_stream(server: Server) -> None:
    table = server.open(open=False)
    watcher = Client(table["url"], table["tokens"]["watcher"], rest=lambda _: None)
    stream = watcher.follow()
    assert next(stream).seq == 0
    Client(table["url"], KEY).withdraw("watcher")
    with pytest.raises(ClientError) as gone:
        list(stream)
    assert gone.value.status == 401


def test_closing_ends_a_stream_that_waits(server: Server) -> None:
    watcher = Client(opened(server))
    ended = threading.Event()

    def follow() -> None:
        list(watcher.follow())
        ended.set()

    threading.Thread(target=follow, daemon=True).start()
    time.sleep(0.3)
    watcher.close()
    assert ended.wait(5)


def stream_of(entries: list[Entry]) -> bytes:
    return b"".join(
        b"id: %d\nevent: entry\ndata: %b\n\n" % (entry.seq, entry.text()) for entry in entries
    )


def test_a_log_that_was_bent_is_found(server: Server) -> None:
    ann = Client(opened(server))
    ann.sit("ann", "500")
    ann.say("pass for 10")
    ann.say("field for 5")
    good = ann.entries()
    bent = json.loads(good[2].text()) | {"line": "ann: pass for 20"}
    other = b"id: 2\nevent: entry\ndata: %b\n\n" % json.dumps(bent).encode()
    sse = {"Content-Type": "text/event-stream"}
    for body, seq in (
        (stream_of([good[0], good[2]]), 1),  # one is missing
        (stream_of(good[:2]) + other, 2),  # one was changed
        (stream_of([good[1]]), 0),  # not from the beginning
    ):
        with scripted((200, sse, body)) as (url, _), pytest.raises(ChainError) as wrong:
            list(Client(f"{url}/t/{ann.table}").follow())
        assert wrong.value.seq == seq
    ann.say("field for 5")
    with scripted((200, sse, stream_of(good[3:]))) as (url, _):
        stream = Client(f"{url}/t/{ann.table}").follow(after=2)
        assert next(stream).seq == 3  # from the middle on, what stands before is taken as it is
    with (
        scripted((200, sse, b"event: entry\ndata: []\n\n")) as (url, _),
        pytest.raises(ClientError, match="not a log entry"),
    ):
        list(Client(f"{url}/t/{ann.table}").follow())


def test_what_is_read_is_held_to_the_receipts(server: Server) -> None:
    """A server that shows one log to one and another to others is found by who has a receipt."""
    ann = Client(opened(server))
    ann.sit("ann", "500")
    other = {"seq": 1, "hash": "0" * 64, "entries": []}
    log = ann.entries()
    page = json.dumps({"entries": [json.loads(entry.text()) for entry in log]}).encode()
    with scripted((200, {}, json.dumps(other).encode()), (200, {}, page)) as (url, _):
        client = Client(f"{url}/t/{ann.table}")
        client.say("pass for 10")
        with pytest.raises(ChainError, match="receipt") as wrong:
            client.entries()
        assert wrong.value.seq == 1


def test_events_as_browsers_read_them() -> None:
    lines = b": hello\n\nid: 1\r\ndata: a\ndata:b\n\nevent: bye\n\nid: 9".split(b"\n")
    assert [(m.id, m.event, m.data) for m in parse_events(lines)] == [
        ("1", "message", "a\nb"),
        ("", "bye", ""),
    ]


# Addresses, and what is loaded


@pytest.mark.parametrize(
    ("text", "base", "table", "token"),
    [
        ("127.0.0.1:7117", "http://127.0.0.1:7117", "", ""),
        ("http://localhost/", "http://localhost", "", ""),
        ("http://localhost/t/abc#tok", "http://localhost", "abc", "tok"),
        ("https://localhost/craps/t/abc/", "https://localhost/craps", "abc", ""),
        ("[::1]:7117/api/tables/abc/say", "http:" + "//[::1]:7117", "abc", ""),
    ],
)
def test_addresses(text: str, base: str, table: str, token: str) -> None:
    assert read_address(text) == (base, table, token)


@pytest.mark.parametrize(
    "text",
    [
        *("", "ftp://localhost", "/t/abc", "http://localhost:x/t/a"),
        *("http://localhost/elsewhere", "http://localhost/t/\r\nHost: x", "local host/t/c"),
        *("me@localhost", "[::1/t/a", "localhost:99999/t/a"),
    ],
)
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(ValueError, match="is not an address"):
        Client(text)


def test_it_needs_nothing_of_a_server() -> None:
    code = (
        "import sys\nfrom passline.live.client.client import Client\nfrom passline.live.client.http import ClientError\n"  # noqa: E501
        "bad = {'starlette', 'uvicorn', 'apsw', 'psycopg', 'httpx', 'cryptography'}\n"
        "print(sorted(bad & set(sys.modules)), Client.__name__)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert ended.stdout == "[] Client\n"
