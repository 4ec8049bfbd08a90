"""Entries, their canonical bytes and hashes, and the chain."""

from __future__ import annotations

import hashlib
import json
from operator import attrgetter
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.live.hash_chain import ChainError, iter_verified, stamp_entry, verify_chain
from passline.live.log_entries import (
    EMPTY_LOG_HEAD,
    DiceProof,
    Draft,
    Entry,
    EntryError,
    LogHead,
    encode_canonical,
    read_entry,
)

NOW = "2026-11-15T14:46:03.123456Z"
TEXT = st.text(st.characters(codec="utf-8"))
WHOLE = st.integers(-(2**53) + 1, 2**53 - 1)
VALUES = st.recursive(
    st.none() | st.booleans() | WHOLE | TEXT,
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(TEXT, parts, max_size=3),
    max_leaves=10,
)


def log(length: int) -> list[Entry]:
    head, entries = EMPTY_LOG_HEAD, []
    for number in range(length):
        more: dict[str, Any] = {} if number else {"version": "0", "settings": {}, "house": {}}
        draft = Draft(role="player", by="ann", id=f"i{number}", line=f"roll {number}", more=more)
        entries.append(stamp_entry(draft, head, NOW))
        head = entries[-1].head
    return entries


def test_an_entry_worked_by_hand() -> None:
    draft = Draft(
        role="player", by="Zoë", id="7", line='say "hi"/\n', events=[{"b": 1, "a": [True, None]}]
    )
    entry = stamp_entry(draft, LogHead(4, "ab" * 32, NOW), NOW)
    body = (
        '{"at":"2026-11-15T14:46:03.123456Z","by":"Zoë","events":[{"a":[true,null],"b":1}],'
        '"id":"7","line":"say \\"hi\\"/\\n","prev":"' + "ab" * 32 + '","role":"player","seq":5}'
    )
    assert entry.body().decode() == body
    assert entry.hash == hashlib.sha256(body.encode()).hexdigest()
    with_hash = body.replace(',"id"', f',"hash":"{entry.hash}","id"')
    assert entry.text().decode() == with_hash


@given(VALUES)
def test_canonical_is_what_any_json_writer_makes_of_it(value: Any) -> None:
    plain = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert encode_canonical(value) == plain.encode()


@pytest.mark.parametrize(
    "value",
    [
        0.5,
        1.0,
        float("nan"),
        2**53,
        -(2**53),
        {1: 2},
        {"a": [{"b": 1e9}]},
        b"",
        "\ud800",
        {"\ud800"},
    ],
)
def test_what_json_cannot_hold_for_everybody_is_refused(value: Any) -> None:
    with pytest.raises(EntryError):
        encode_canonical(value)


def test_nothing_is_nested_for_ever() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(EntryError, match="deep"):
        encode_canonical(deep)
    while deep:
        deep = deep[0]
    with pytest.raises(EntryError, match="deep"):
        read_entry(b"[" * 100_000)


@given(st.dictionaries(TEXT, VALUES, max_size=3), TEXT)
def test_entries_of_other_versions_survive_reading(more: dict[str, Any], line: str) -> None:
    known = {"seq", "at", "role", "by", "id", "line", "events", "prev", "hash"}
    more = {name: more[name] for name in more if name not in known}
    entry = stamp_entry(Draft(role="stick", by="", line=line, more=more), EMPTY_LOG_HEAD, NOW)
    again = read_entry(entry.text())
    assert again == entry
    assert again.text() == entry.text()
    verify_chain([again])
    spaced = json.dumps(json.loads(entry.text()), indent=1).encode()
    assert read_entry(spaced) == entry


def test_an_entry_has_each_field_once_and_of_its_kind() -> None:
    whole = json.loads(log(1)[0].text())
    for name in ("seq", "at", "role", "by", "id", "line", "events", "prev", "hash"):
        lacking = {key: value for key, value in whole.items() if key != name}
        with pytest.raises(EntryError, match=f"{name} is missing"):
            read_entry(json.dumps(lacking))
        with pytest.raises(EntryError, match=name):
            read_entry(json.dumps({**whole, name: {}}))
    with pytest.raises(EntryError, match="not a time"):
        read_entry(json.dumps({**whole, "at": "2026-11-15"}))
    text = log(1)[0].text().decode()
    with pytest.raises(EntryError, match="twice"):
        read_entry(text.replace('"line"', '"line":"other","line"'))
    with pytest.raises(EntryError, match="twice"):
        stamp_entry(Draft(role="", by="", more={"seq": 7}), EMPTY_LOG_HEAD, NOW)
    for odd in (b"", b"{", b"[]", b"\xff", b'"\\ud800"', b"null"):
        with pytest.raises(EntryError):
            read_entry(odd)


def test_time_is_never_before_the_entry_before() -> None:
    late = "2027-01-01T00:00:00.000000Z"
    assert stamp_entry(Draft(role="", by=""), LogHead(0, "", late), NOW).at == late


def test_a_whole_chain() -> None:
    entries = log(6)
    assert verify_chain(entries) == entries[-1].head
    assert verify_chain(entries[3:], entries[2].head) == entries[-1].head
    assert verify_chain([]) == EMPTY_LOG_HEAD


def resealed(entry: Entry, **changes: Any) -> Entry:
    """An entry changed by somebody who knows how hashes are made."""
    changed = msgspec.structs.replace(entry, **changes)
    return msgspec.structs.replace(changed, hash=hashlib.sha256(changed.body()).hexdigest())


@pytest.mark.parametrize(
    ("number", "changes", "why"),
    [
        (3, {"line": "roll 6 6"}, "hash is not"),
        (3, {"events": [{"cents": 0.5}]}, "whole"),
        (3, {"more": {"extra": 1}}, "hash is not"),
        (3, {"hash": "0" * 64}, "hash is not"),
        (3, {"hash": "F" * 64}, "hex"),
        (3, {"prev": "0" * 64}, "prev"),
        (3, {"seq": 4}, "in its place"),
        (3, {"at": "2020-01-01T00:00:00.000000Z"}, "earlier"),
        (0, {"prev": "0" * 64}, "prev"),
    ],
)
def test_tampering_is_found_where_it_was_done(
    number: int, changes: dict[str, Any], why: str
) -> None:
    entries = log(6)
    entries[number] = msgspec.structs.replace(entries[number], **changes)
    with pytest.raises(ChainError, match=why) as found:
        verify_chain(entries)
    assert found.value.seq == number


def test_a_chain_mended_at_one_place_breaks_at_the_next() -> None:
    entries = log(6)
    entries[3] = resealed(entries[3], line="roll 6 6")
    walked: list[int] = []
    chain = iter_verified(entries)
    with pytest.raises(ChainError) as found:
        walked.extend(map(attrgetter("seq"), chain))
    assert found.value.seq == 4
    assert walked == [0, 1, 2, 3]


@pytest.mark.parametrize("number", range(5))
def test_a_missing_entry_is_found(number: int) -> None:
    entries = log(6)
    del entries[number]
    with pytest.raises(ChainError) as found:
        verify_chain(entries)
    assert found.value.seq == number


def test_what_only_some_entries_have() -> None:
    fair = {"secret": "s", "nonce": "n", "next": "x", "later": 1}
    entry = stamp_entry(Draft(role="", by="", more={"fair": fair}), EMPTY_LOG_HEAD, NOW)
    assert entry.fair == DiceProof("s", "n", "x")
    assert (entry.act, entry.commit) == ("", "")
    entry = stamp_entry(
        Draft(role="", by="", more={"act": "restore", "commit": "c"}), EMPTY_LOG_HEAD, NOW
    )
    assert (entry.fair, entry.act, entry.commit) == (None, "restore", "c")
    odd = stamp_entry(
        Draft(role="", by="", more={"fair": 1, "act": 2, "commit": 3}), EMPTY_LOG_HEAD, NOW
    )
    assert (odd.act, odd.commit) == ("", "")
    with pytest.raises(EntryError, match="fair"):
        _ = odd.fair
