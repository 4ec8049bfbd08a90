"""Registers that cannot be read are refused in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.law import BookError
from passline.law.clauses import read_register, register_of
from passline.law.shelf import Volume


def test_a_register_may_lack_its_last_line_end() -> None:
    text = "id\tkind\trule\tfigures\tnote\nx.1\tenforced\tA rule.\t\t"
    assert [clause.id for clause in read_register("x", text)] == ["x.1"]
    assert read_register("x", text + "\n") == read_register("x", text)


def test_a_register_is_utf_8(tmp_path: Path) -> None:
    (tmp_path / "odd.tsv").write_bytes(b"id\tkind\xff\xfe")
    odd = Volume("odd", tmp_path / "odd.toml", tmp_path / "odd.tsv", shipped=False)
    with pytest.raises(BookError, match=r"odd\.tsv is not UTF-8"):
        register_of(odd)
