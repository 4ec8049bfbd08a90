"""Books and registers that do not hold together are refused in words."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from passline.house import make_house
from passline.law import BookError, clauses
from passline.law.clauses import RegisterError, read_register, register
from passline.law.load import book_from, book_text
from passline.layout import lay_felt


def test_a_winning_face_needs_a_payout() -> None:
    data = tomllib.loads(book_text("new-jersey"))
    data["wager"]["field"]["pays"] = [{"on": [2], "is": "2 to 1", "cite": "x"}]
    with pytest.raises(BookError, match="has no payout"):
        lay_felt(make_house(book_from(data)))


def test_a_high_number_needs_a_leg_that_wins_on_it_alone() -> None:
    data = tomllib.loads(book_text("new-jersey"))
    data["wager"]["horn-high"]["high"]["is"] = [7]
    with pytest.raises(BookError, match="no leg of Horn high wins on 7 alone"):
        lay_felt(make_house(book_from(data)))


def test_a_register_may_lack_its_last_line_end() -> None:
    text = "id\tkind\trule\tfigures\tnote\nx.1\tenforced\tA rule.\t\t"
    assert [clause.id for clause in read_register("x", text)] == ["x.1"]
    assert read_register("x", text + "\n") == read_register("x", text)


def test_a_register_is_utf_8(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odd.tsv").write_bytes(b"id\tkind\xff\xfe")
    monkeypatch.setattr(clauses, "_REGISTERS", tmp_path)
    with pytest.raises(RegisterError, match=r"odd\.tsv is not UTF-8"):
        register.__wrapped__("odd")
