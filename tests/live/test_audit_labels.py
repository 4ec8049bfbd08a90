"""What someone gains who rewrites a field of a log and makes all hashes good again.

The table in docs/play/fairness.md says it in words. Each row is tried here: the audit finds the
entry wrong, or says that it could not check it, or counts it as what nothing proves. What a log
alone cannot show, a receipt from outside does.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from passline.cli.audit import audits_json, command, show_audit
from passline.game.house.elections import parse_value
from passline.game.house.house import make_house
from passline.game.law.load import rulebook
from passline.live import daily, table_setup
from passline.live.audit.audit import Audit, AuditResult, Receipt, parse_receipt
from passline.live.audit.findings import CHECKS
from passline.live.audit.house_keys import HousePublicKeys, find_day_secrets, read_public_keys
from passline.live.daily import DailyRequest
from passline.live.dice_proofs import derive_day_secret, hash_secret
from passline.live.schema import LineRequest
from passline.live.signing_key import SigningKey, format_receipt
from passline.live.tokens import Holder
from tests.live.floor import EVERY_POST, NO_WAIT, Floor
from tests.live.tampering import Fields, audited, fields_of, mended, text_of

pytestmark = pytest.mark.anyio
HOUSE, FORGER = SigningKey(bytes(32)), SigningKey(bytes([1] * 32))
OTHER = "0" * 63 + "1"


async def played(rounds: int = 3) -> list[Fields]:
    """The log of a table whose dice the house throws."""
    floor = await Floor(signing_key=HOUSE).open(pace=NO_WAIT)
    await floor.sit("ann")
    for _ in range(rounds):
        await floor.say("ann", "pass for 10")
        await floor.taken("ann", "roll", nonce="mine")
    return entries_of(await log_of(floor))


async def log_of(floor: Floor) -> bytes:
    return b"\n".join([entry.text() for entry in await floor.log()])


def entries_of(log: bytes) -> list[Fields]:
    return fields_of(log)


def receipt_of(entries: list[Fields], at: int = -1) -> Receipt:
    """The house's signed receipt of an entry of the log that was played."""
    entry = entries[at]
    return parse_receipt(format_receipt(HOUSE, entries[0]["table"], entry["seq"], entry["hash"]))


def outcomes(found: AuditResult) -> set[str | int]:
    return {found.outcome_of(check) for check in CHECKS}


def is_refuted(found: AuditResult) -> bool:
    """Whether a receipt shows that this is not the log that it was given for."""
    return isinstance(found.outcome_of("chain"), int) or found.receipt == "forged"


def put(*path: str | int, value: object) -> Callable[[list[Fields]], None]:
    """A change of one field of entry 0, or of the first throw with ``throw`` in front."""

    def change(entries: list[Fields]) -> None:
        first, *rest = path
        throw = next(n for n, entry in enumerate(entries) if "fair" in entry)
        place = entries[throw] if first == "throw" else entries[0]
        keys = rest if first == "throw" else list(path)
        for key in keys[:-1]:
            place = place[key]  # type: ignore[index]
        place[keys[-1]] = value  # type: ignore[index]

    return change


def act(name: str, **fields: object) -> Callable[[list[Fields]], None]:
    """An entry of the machine with an act, put before the last throw."""

    def change(entries: list[Fields]) -> None:
        at = max(n for n, entry in enumerate(entries) if "fair" in entry)
        entry = {**entries[at - 1], "role": "machine", "by": "machine", "id": None, "line": ""}
        entry.pop("fair", None)
        entries.insert(at, {**entry, "events": [], "act": name, **fields})
        for number, one in enumerate(entries):
            one["seq"] = number

    return change


#: Labels that say how an entry is to be checked. None of them may turn a check off in silence.
LABELS = {
    "another version": put("version", value="0.1.9"),
    "a version to come": put("version", value="99.0"),
    "no version": put("version", value=""),
    "typed dice": put("settings", "dice", value="typed"),
    "a Daily's dice": put("settings", "dice", value="daily"),
    "dice of no kind": put("settings", "dice", value="fair"),
    "a Daily of a day": put("settings", value={"dice": "daily", "day": "2026-11-15"}),
    "settings of no kind": put("settings", value=[]),
    "another book": put("settings", "rulebook", value="iowa"),
    "another game": put("settings", "game", value="mini-craps"),
    "another house": put("house", value={"rulebook": "iowa"}),
    "another table": put("table", value="tother"),
    "no commitment": put("commit", value=""),
    "another commitment": put("commit", value=OTHER),
    "a field of no kind": put("proven", value=True),
    "a key of no kind": put("public_key", value="none"),
    "a proof of no kind": put("throw", "fair", value={"proven": True}),
    "another secret": put("throw", "fair", "secret", value=OTHER),
    "a throw of a Daily": put("throw", "daily", value=0),
    "a throw by the crew": put("throw", "role", value="stick"),
    "a throw by the machine": put("throw", "role", value="machine"),
    "a throw that is an act": put("throw", "act", value="commit"),
    "a throw that corrects": put("throw", "corrects", value=1),
    "an act of no kind": act("audited"),
    "another version from here on": act("version", version="99.0"),
    "another law from here on": act("version", version="0.2.0", law=OTHER),
    "a commitment without one": act("restore"),
    "a commitment that was there": act("commit", commit="COMMIT"),
    "a key that is none": act("key", public_key="none"),
    "a table that arrives": act("arrived", commit=OTHER),
    "a player who never came": act("away", player="zoe"),
}


@pytest.mark.parametrize("label", LABELS)
async def test_no_label_turns_a_check_off_in_silence(label: str) -> None:
    entries = await played()
    forged = copy.deepcopy(entries)
    LABELS[label](forged)
    for entry in forged:
        if entry.get("commit") == "COMMIT":
            entry["commit"] = entries[0]["commit"]
    found = audited(text_of(mended(forged)))
    assert found.first is not None or "unverified" in outcomes(found), label
    held = audited(text_of(mended(forged)), receipt_of(entries))
    assert is_refuted(held)
    assert held.vouched is None


#: What says nothing of the game, or what another game could have had: only a receipt shows it.
QUIET = {
    "another name of the table": put("settings", "name", value="Another"),
    "another betting time": put("settings", "pace", "betting", value=1),
    "another zone": put("settings", "zone", value="Europe/Berlin"),
    "listed or not": put("settings", "open", value=False),
    "the forger's key": put("public_key", value=FORGER.public_key),
    "another time": put("at", value="2026-11-15T13:00:00.000000Z"),
    "the forger's key from here on": act("key", public_key=FORGER.public_key),
}


@pytest.mark.parametrize("label", QUIET)
async def test_what_a_log_alone_cannot_show_a_receipt_does(label: str) -> None:
    entries = await played()
    forged = copy.deepcopy(entries)
    QUIET[label](forged)
    alone = audited(text_of(mended(forged)))
    assert (alone.first, alone.vouched) == (None, None)
    held = Audit(receipts=[receipt_of(entries)], public_key=HOUSE.public_key)
    held.add_lines(text_of(mended(forged)))
    assert is_refuted(held.end())


async def test_a_fresh_commitment_is_listed() -> None:
    """A house that drops a secret it does not like leaves an entry that says so."""
    entries = await played()
    forged = copy.deepcopy(entries)
    secret = bytes(range(32))
    act("commit", commit=hash_secret(secret))(forged)
    at = next(n for n, entry in enumerate(forged) if entry.get("act") == "commit")
    found = audited(text_of(mended(forged[: at + 1])))
    assert (found.first, [one.entry for one in found.fresh]) == (None, [at])


async def test_a_log_rewritten_as_typed_proves_no_throw(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Someone deals a whole game anew, with dice of their own liking, under the table's id."""
    entries = await played()
    floor = await Floor().open(dice="typed", posts=EVERY_POST)
    await floor.sit("ann")
    for faces in ("4 4", "4 4"):
        await floor.say("ann", "pass for 10")
        await floor.taken("stick", f"roll {faces}")
    forged = entries_of(await log_of(floor))
    forged[0]["table"] = entries[0]["table"]
    found = audited(text_of(mended(forged)))
    assert outcomes(found) == {"ok"}
    assert (found.throws, found.proven, found.typed, found.vouched) == (2, 0, 2, None)
    show_audit([found, audited(text_of(entries))], HousePublicKeys("", ""))
    assert "2 throws: ok, 2 throws typed in, which nothing proves" in capsys.readouterr().out
    audit = Audit(receipts=[receipt_of(entries, 0)], public_key=HOUSE.public_key)
    audit.add_lines(text_of(mended(forged)))
    assert audit.end().outcome_of("chain") == 0


@pytest.mark.parametrize("election", ["pays.place-win-6 = 1 to 1", "fees.pass = 0.5"])
async def test_a_house_that_the_rulebook_forbids_shaves_no_win(
    election: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each win is paid as entry 0 says, and no server opens a table with such a house."""
    key, _, value = election.partition(" = ")
    house = make_house(rulebook("new-jersey"), given={key: parse_value(value)})
    monkeypatch.setattr(table_setup, "read_requested_house", lambda request: house)
    found = audited(text_of(await played()))
    assert [(one.check, one.entry) for one in found.findings] == [("replay", 0)]
    assert f"{key} = {value} is not allowed" in found.findings[0].why


async def test_a_corrected_throw_counts_once() -> None:
    floor = await Floor().open(dice="typed", posts=EVERY_POST)
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    await floor.taken("stick", "roll 4 4")
    await floor.taken("box", "throw was 5 4 by boxperson")
    found = audited((await log_of(floor)).splitlines())
    assert (found.first, found.throws, found.typed) == (None, 1, 1)


async def a_daily(throws: int = 4) -> Floor:
    floor = Floor(signing_key=HOUSE)
    floor.table, _ = await daily.join_daily(floor.service, DailyRequest("ann", "a" * 40))
    for number in range(throws):
        for say in ("pass for 10", "roll"):
            asked = LineRequest(id=f"{say[:4]}{number}", say=say)
            await floor.service.say(floor.table, Holder("player", "ann"), asked)
    return floor


async def test_a_daily_is_unverified_until_its_secret_is_known(tmp_path: Path) -> None:
    floor = await a_daily()
    log = await log_of(floor)
    found = audited(log.splitlines())
    assert (found.outcome_of("dice"), found.unproven, found.first) == ("unverified", 4, None)
    file = tmp_path / "daily.jsonl"
    file.write_bytes(log)
    shown = CliRunner().invoke(command, [str(file)])
    assert shown.exit_code == 3
    assert "dice    unverified: 4 throws of a Daily unproven" in shown.stdout
    assert "4 throws of a Daily are unverified" in shown.stderr
    day = floor.clock.now().date().isoformat()
    secret = floor.service.dice.day_secret(day).hex()
    known = CliRunner().invoke(command, [str(file), "--day-secret", secret, "--json"])
    assert (known.exit_code, json.loads(known.stdout)["dice"]) == (0, "ok")
    assert json.loads(known.stdout)["house_throws"] == 4
    other = CliRunner().invoke(command, [str(file), "--day-secret", OTHER])
    assert other.exit_code == 1


async def test_a_store_knows_the_secrets_of_its_days(tmp_path: Path) -> None:
    """Beside the store is the dice key, and those that were rotated; another folder has none."""
    lines = (await log_of(await a_daily())).splitlines()
    (tmp_path / "dice.key").write_text("11" * 32)
    (tmp_path / "dice.key.20261118T000000").write_text(bytes(32).hex())
    audit = Audit(find_day_secret=find_day_secrets(tmp_path))
    audit.add_lines(lines)
    assert audit.end().outcome_of("dice") == "ok"
    (tmp_path / "dice.key.20261118T000000").unlink()
    audit = Audit(find_day_secret=find_day_secrets(tmp_path))
    audit.add_lines(lines)
    assert audit.end().outcome_of("dice") == "unverified"  # Another key proves nothing wrong.


async def test_a_log_rewritten_as_a_daily_fails_with_the_secret_of_the_day() -> None:
    """The forger's Daily has dice of their own. The house's published secret is another one."""
    entries = await played()
    forged = entries_of(await log_of(await a_daily()))
    forged[0]["table"] = entries[0]["table"]
    assert audited(text_of(mended(forged))).outcome_of("dice") == "unverified"
    secret = derive_day_secret(bytes([7] * 32), "2026-11-15").hex()
    audit = Audit(find_day_secret=lambda day, commit: secret)
    audit.add_lines(text_of(mended(forged)))
    assert isinstance(audit.end().outcome_of("dice"), int)


async def test_a_daily_of_a_day_to_come_is_wrong() -> None:
    """A house that may name any day can search for one with dice that it likes."""
    forged = entries_of(await log_of(await a_daily()))
    forged[0]["settings"]["day"] = "2026-11-16"
    found = audited(text_of(mended(forged)))
    assert found.first is not None
    assert (found.first.check, found.first.entry) == ("dice", 0)
    assert "before its day, 2026-11-16" in found.first.why


async def test_the_audit_says_whose_key_it_used() -> None:
    entries = await played()
    forged = copy.deepcopy(entries)
    put("public_key", value=FORGER.public_key)(forged)
    forged = mended(forged)
    last = forged[-1]
    own = format_receipt(FORGER, forged[0]["table"], last["seq"], last["hash"])
    found = audited(text_of(forged), parse_receipt(own))
    assert (found.receipt, found.vouched, found.public_key) == (
        "ok",
        last["seq"],
        FORGER.public_key,
    )
    assert audits_json([found])["public_key_from"] == "log"
    audit = Audit(receipts=[parse_receipt(own)], public_key=HOUSE.public_key)
    audit.add_lines(text_of(forged))
    known = audit.end()
    assert (known.receipt, known.public_key, known.log_key) == (
        "forged",
        HOUSE.public_key,
        FORGER.public_key,
    )


async def test_the_text_says_what_vouches_for_a_log(tmp_path: Path) -> None:
    entries = await played()
    file = tmp_path / "log.jsonl"
    file.write_bytes(b"\n".join(text_of(entries)))
    alone = CliRunner().invoke(command, [str(file)])
    assert "no --receipt vouches for it" in alone.stdout
    text = format_receipt(HOUSE, entries[0]["table"], entries[3]["seq"], entries[3]["hash"])
    held = CliRunner().invoke(command, [str(file), "--receipt", text])
    assert held.exit_code == 0, held.output
    assert "they vouch for entries 0 to 3" in held.stdout
    assert "the log's own, which a house that rewrites its log can replace" in held.stdout
    given = ["--receipt", text, "--public-key", HOUSE.public_key]
    known = CliRunner().invoke(command, [str(file), *given])
    assert f"the house's key: {HOUSE.public_key}, from --public-key" in known.stdout
    other = ["--receipt", text, "--public-key", FORGER.public_key]
    assert CliRunner().invoke(command, [str(file), *other]).exit_code == 1


def test_the_key_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PASSLINE_SIGNING_KEY", raising=False)
    assert read_public_keys(tmp_path) is None
    (tmp_path / "signing.key").write_text("short")
    assert read_public_keys(tmp_path) is None
    (tmp_path / "signing.key").write_text(bytes(32).hex() + "\n")
    assert read_public_keys(tmp_path) == (
        HOUSE.public_key,
        str(tmp_path / "signing.key"),
        (),
    )
    monkeypatch.setenv("PASSLINE_SIGNING_KEY", "01" * 32)
    assert read_public_keys(tmp_path) == (FORGER.public_key, "PASSLINE_SIGNING_KEY", ())
    monkeypatch.delenv("PASSLINE_SIGNING_KEY")
    (tmp_path / "signing.key").rename(tmp_path / "signing.key.20260101T000000")
    assert read_public_keys(tmp_path) is None
    (tmp_path / "signing.key").write_text("01" * 32)
    (tmp_path / "signing.key.torn").write_text("0")
    known = read_public_keys(tmp_path)
    assert known is not None
    assert (known.current, known.replaced) == (FORGER.public_key, (HOUSE.public_key,))


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "ftp://127.0.0.1", "://"])
def test_a_server_that_cannot_be_asked_for_its_key(url: str, tmp_path: Path) -> None:
    ended = CliRunner().invoke(command, [str(tmp_path / "log"), "--public-key", url])
    assert (ended.exit_code, ended.stderr.count("\n")) == (2, 1)
    assert "no server of Passline answers there. Check the address" in ended.stderr


def test_the_page_has_a_row_for_every_field() -> None:
    """The fields of an entry, as `log_entries` and `redeal` name them, are all in the table."""
    from passline.live.audit.redeal import _ACT_FIELDS, _OPENING_FIELDS
    from passline.live.log_entries import FIELD_NAMES

    page = Path(__file__).parents[2] / "docs" / "play" / "fairness.md"
    rows = [line for line in page.read_text("utf-8").splitlines() if line.startswith("| `")]
    named = {word for row in rows for word in row.split("|")[1].replace("`", "").split(", ")}
    fields = {name for names in _ACT_FIELDS.values() for name in names}
    assert {name.strip() for name in named} >= FIELD_NAMES | _OPENING_FIELDS | fields
