"""Registers that cannot be read are refused in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.game.law.book_files import BookError, BookFiles
from passline.game.law.clauses import parse_register, read_clauses


def test_a_register_may_lack_its_last_line_end() -> None:
    text = "id\tkind\trule\tfigures\tnote\nx.1\tenforced\tA rule.\t\t"
    assert [clause.id for clause in parse_register("x", text)] == ["x.1"]
    assert parse_register("x", text + "\n") == parse_register("x", text)


def test_a_register_is_utf_8(tmp_path: Path) -> None:
    (tmp_path / "odd.tsv").write_bytes(b"id\tkind\xff\xfe")
    odd = BookFiles("odd", tmp_path / "odd.toml", tmp_path / "odd.tsv", shipped=False)
    with pytest.raises(BookError, match=r"odd\.tsv is not UTF-8"):
        read_clauses(odd)
