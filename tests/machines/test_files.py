"""Saved machines: the same when read again, and one clear line for any other file."""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from passline.game.house.load import house_for
from passline.lab.machines.bettor import MachineFileError
from passline.lab.machines.machine import FILE_FORMAT, Machine, load_machine
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategy_machine import make_machine
from passline.version import VERSION


@pytest.fixture
def closed() -> Machine:
    machine = make_machine(
        house_for("iowa", None, [("odds.multiple", "5")]), BUILT_IN["pass-odds"], "po"
    )
    assert machine.close()
    return machine


@pytest.fixture
def saved(closed: Machine, tmp_path: Path) -> Path:
    path = tmp_path / "it.npz"
    closed.save(path)
    return path


def refused(path: Path | str) -> str:
    with pytest.raises(MachineFileError) as wrong:
        load_machine(path)
    said = str(wrong.value)
    assert "\n" not in said
    return said


def test_a_machine_comes_back_as_it_was(closed: Machine, saved: Path) -> None:
    again = load_machine(saved)
    size = closed.states
    assert (again.states, again.explored, again.closed) == (size, size, True)
    assert (again.next == closed.next[:size]).all()
    assert (again.money == closed.money[:size]).all()
    assert (again.need == closed.need[:size]).all()
    kinds = [array.dtype.str for array in (again.next, again.money, again.need)]
    assert kinds == ["<i4", "<i4", "<i8"]
    assert again.about == closed.about
    assert again.about.elections == {"odds.multiple": "5"}
    assert again.about.version == VERSION
    assert again.chain() == closed.chain()


def test_it_can_be_saved_again_over_itself(saved: Path, tmp_path: Path) -> None:
    machine = load_machine(saved)
    machine.save(saved)
    assert load_machine(saved).chain() == machine.chain()
    assert os.listdir(tmp_path) == ["it.npz"]  # no parts are left over


def test_any_name_will_do(closed: Machine, tmp_path: Path) -> None:
    closed.save(str(tmp_path / "no suffix"))
    assert load_machine(tmp_path / "no suffix").states == closed.states


def test_an_open_machine_is_not_saved(tmp_path: Path) -> None:
    machine = make_machine(house_for("iowa"), BUILT_IN["come-odds"], "come-odds")
    machine.close(limit=50)
    with pytest.raises(MachineFileError, match=r"were explored \(\d+ of 5\d known ones\)"):
        machine.save(tmp_path / "it.npz")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("where", ["no/such/folder/it.npz", "", "it\0.npz"])
def test_where_nothing_can_be_written(closed: Machine, tmp_path: Path, where: str) -> None:
    with pytest.raises(MachineFileError, match="cannot be written: "):
        closed.save(f"{tmp_path}/{where}")


def test_a_full_disk_leaves_what_was_there(
    closed: Machine, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    before = saved.read_bytes()
    monkeypatch.setattr("passline.files.os.fsync", full)
    with pytest.raises(MachineFileError, match="cannot be written: No space left on device"):
        closed.save(saved)
    assert saved.read_bytes() == before
    assert os.listdir(tmp_path) == ["it.npz"]


def test_a_file_of_another_version_warns(saved: Path) -> None:
    parts = read_parts(saved)
    about = json.loads(parts["about"].tobytes())
    about["version"] = "0.0.9"
    write_parts(saved, {**parts, "about": np.frombuffer(json.dumps(about).encode(), np.uint8)})
    with pytest.warns(UserWarning, match=r"was made by passline 0\.0\.9, but this is "):
        assert load_machine(saved).about.version == "0.0.9"


def read_parts(path: Path) -> dict[str, Any]:
    with np.load(path) as found:
        return {name: found[name] for name in found.files}


def write_parts(path: Path, parts: dict[str, Any]) -> None:
    with path.open("wb") as file:
        np.savez(file, **parts)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert refused(tmp_path / "it.npz").startswith("there is no saved machine")
    assert "is a folder" in refused(tmp_path)
    assert "cannot be read" in refused("it\0.npz")


@pytest.mark.parametrize("data", [b"", b"PK", b"rubbish" * 99, b"\x93NUMPY\x01\x00"])
def test_a_foreign_file(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "it.npz"
    path.write_bytes(data)
    assert "it is not a saved machine" in refused(path)


def test_a_truncated_file_at_every_length(saved: Path) -> None:
    whole = saved.read_bytes()
    for length in range(0, len(whole), 37):
        saved.write_bytes(whole[:length])
        assert "cannot be used" in refused(saved)


def test_a_byte_changed_anywhere_is_no_crash(saved: Path) -> None:
    whole = saved.read_bytes()
    machine = load_machine(saved)
    for place in range(0, len(whole), 11):
        saved.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            again = load_machine(saved)
        except MachineFileError:
            continue
        else:  # a date or the like
            assert again.chain() == machine.chain()


def test_other_arrays_are_no_machine(tmp_path: Path) -> None:
    path = tmp_path / "it.npz"
    np.savez(path, a=np.zeros(3))
    assert "it is not a saved machine" in refused(path)


def test_nothing_is_unpickled(saved: Path) -> None:
    parts = read_parts(saved)
    with saved.open("wb") as file:
        np.savez(file, allow_pickle=True, **{**parts, "need": np.array([{}], object)})
    assert refused(saved).endswith("cannot be used: its arrays cannot be read")


def _next(value: int) -> Any:
    def tamper(parts: dict[str, Any]) -> None:
        parts["next"][1, 7] = value

    return tamper


def _as(name: str, value: Any) -> Any:
    def tamper(parts: dict[str, Any]) -> None:
        parts[name] = value(parts[name])

    return tamper


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        (_next(-1), "a state leads to a state that does not exist"),
        (_next(13), "a state leads to a state that does not exist"),
        (_next(2**31 - 1), "a state leads to a state that does not exist"),
        (_as("need", lambda need: need - 10**9), "a state needs a negative amount"),
        (_as("need", lambda need: need[:-1]), "its arrays do not match in size"),
        (_as("need", lambda need: need.reshape(-1, 1)), "its arrays do not match in size"),
        (_as("money", lambda money: money[:, :35]), "its arrays do not match in size"),
        (_as("next", lambda rows: rows[:0]), "its arrays do not match in size"),
        (_as("money", lambda money: money.astype(float)), "its array money is not int32"),
        (_as("next", lambda rows: rows.astype(">i4")), "its array next is not int32"),
        (
            _as("format", lambda _: np.int64(FILE_FORMAT + 1)),
            f"it has format {FILE_FORMAT + 1}, but this",
        ),
        (_as("format", lambda _: np.zeros(3)), "it is not a saved machine"),
        (_as("about", lambda about: about[:-1]), "its description cannot be read"),
        (_as("about", lambda _: np.frombuffer(b"{}", np.uint8)), "its description cannot be read"),
        (
            _as("about", lambda _: np.frombuffer(b"\xff", np.uint8)),
            "its description cannot be read",
        ),
    ],
)
def test_a_tampered_file(saved: Path, tamper: Any, said: str) -> None:
    parts = read_parts(saved)
    tamper(parts)
    write_parts(saved, parts)
    assert said in refused(saved)


def test_a_file_that_is_too_large(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.lab.machines.machine.MAX_ARRAY_BYTES", 100)
    assert "it is too large" in refused(saved)


def test_an_array_that_claims_more_than_is_there(saved: Path) -> None:
    """A header for a million million states, and no states."""
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<i4", "fortran_order": False, "shape": (10**12, 36)}
    )
    with zipfile.ZipFile(saved) as packed:
        items = {name: packed.read(name) for name in packed.namelist()}
    items["next.npy"] = header.getvalue()
    with zipfile.ZipFile(saved, "w") as packed:
        for name, data in items.items():
            packed.writestr(name, data)
    assert "cannot be used" in refused(saved)


def test_a_pipe_is_left_alone(closed: Machine, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.npz"
    os.mkfifo(pipe)
    with pytest.raises(MachineFileError, match="cannot be written: it is no plain file"):
        closed.save(pipe)
    assert pipe.is_fifo()
    link = tmp_path / "link.npz"
    link.symlink_to(os.devnull)
    with pytest.raises(MachineFileError, match="it is no plain file"):
        closed.save(link)
    assert link.is_symlink()
    assert sorted(os.listdir(tmp_path)) == ["link.npz", "pipe.npz"]


def test_a_link_is_followed(closed: Machine, saved: Path, tmp_path: Path) -> None:
    deep = tmp_path / "deep"
    deep.mkdir()
    for target in (saved, deep / "new.npz"):
        link = deep / f"to-{target.name}"
        link.symlink_to(target)
        target.unlink(missing_ok=True)
        closed.save(link)
        assert link.is_symlink()
        assert load_machine(target).states == closed.states
