"""Audit a log in one pass, one entry at a time, with four checks.

The hash chain is unbroken and contains every receipt (an entry's number and hash as the server once
reported them). Every line, decided again, gives the logged events. The ledger sums to zero after
each entry. Every throw of the house's dice is proven. A check that fails reports the first wrong
entry; the others go on.

A fifth finding is a forged receipt, one that the house did not sign. It proves nothing about the
log.
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from tempfile import TemporaryFile
from typing import IO, Final, NamedTuple, NoReturn, get_args

import msgspec
from msgspec import Struct

from passline.game.words.log import say_log
from passline.live.audit.dice_check import (
    DiceAudit,
    FindDaySecret,
    find_commitments,
    no_day_secret,
)
from passline.live.audit.findings import (
    CHECKS,
    AuditFinding,
    AuditNote,
    BadEntryError,
    Check,
    NotALogError,
)
from passline.live.audit.ledger import AuditLedger, is_known_event
from passline.live.audit.redeal import LogReplay
from passline.live.audit.shift_reports import ShiftReports
from passline.live.hash_chain import ChainError, check_link
from passline.live.log_entries import (
    EMPTY_LOG_HEAD,
    Entry,
    EntryError,
    encode_canonical,
    entry_from_fields,
    read_entry,
)
from passline.live.signing_key import verify_signature
from passline.live.store import StoredRow, request_key

#: The longest entry, in bytes; a throw at a full table takes a hundredth of it.
MAX_ENTRY_BYTES: Final = 16 * 1024 * 1024
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"  # Some editors begin a file with it.
_CANONICAL_ENCODER = msgspec.json.Encoder(order="deterministic")
_VALID_YEARS: Final = range(1970, 9999)
#: Matches what may be a number of 2^53 or more, or digits inside a text.
_LARGE_NUMBER = re.compile(rb"[:\[,]-?\d{16}")


def _reject_float(number: str) -> NoReturn:
    raise ValueError(say_log("not-whole", number=number))


_DECODER = msgspec.json.Decoder(float_hook=_reject_float)
_DECODE_ERRORS: Final = (EntryError, msgspec.MsgspecError, UnicodeError, RecursionError)


def iter_log_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the non-empty lines of a log file. Raise BadEntryError for a line over 16 MiB."""
    lead = _BYTE_ORDER_MARK
    while line := file.readline(MAX_ENTRY_BYTES + 1):
        if len(line) > MAX_ENTRY_BYTES:
            raise BadEntryError("line-too-long", most=MAX_ENTRY_BYTES // 2**20)
        line = line.removeprefix(lead).strip(b" \t\r\n")
        lead = b""
        if line:
            yield line


def decode_line(line: bytes) -> tuple[Entry, bytes]:
    """Return (entry, canonical bytes) for a line of a log.

    The canonical bytes are the entry's JSON without its hash, which is what the hash covers. Raise
    BadEntryError if the line is malformed.
    """
    try:
        fields = _DECODER.decode(line)
        if isinstance(fields, dict) and isinstance(fields.get("hash"), str):
            told = fields.pop("hash")
            body = _CANONICAL_ENCODER.encode(fields)
            # The usual case: the line is canonical, so no field is given twice and the bytes are
            # known.
            if line.replace(b',"hash":' + _CANONICAL_ENCODER.encode(told), b"", 1) == body:
                fields["hash"] = told
                return _check_time(entry_from_fields(fields)), _check_numbers(fields, body)
        entry = read_entry(line)
        return _check_time(entry), entry.body()
    except _DECODE_ERRORS as error:
        raise BadEntryError("said", words=_describe_error(error)) from None


def decode_stored_row(row: StoredRow) -> tuple[Entry, bytes]:
    """Return (entry, canonical bytes) for a store's row, which is a hash and those bytes.

    Raise BadEntryError if the row is malformed or its bytes are not canonical JSON.
    """
    told, body = row
    try:
        fields = _DECODER.decode(body)
        if not isinstance(fields, dict) or "hash" in fields:
            raise BadEntryError("row-not-entry")
        if encode_canonical(fields) != body:
            raise BadEntryError("row-not-canonical")
        return _check_time(entry_from_fields({**fields, "hash": told})), bytes(body)
    except _DECODE_ERRORS as error:
        raise BadEntryError("said", words=_describe_error(error)) from None


def _check_numbers(fields: dict[str, object], body: bytes) -> bytes:
    """Return ``body``, an entry's JSON bytes, unchanged. ``fields`` is the same entry, decoded.

    Raise EntryError if it has a number of 2^53 or more.
    """
    if _LARGE_NUMBER.search(body):
        encode_canonical(fields)
    return body


def _check_time(entry: Entry) -> Entry:
    """Return the entry unchanged. Raise BadEntryError unless its time is from 1970 to 9998."""
    try:
        told = datetime.fromisoformat(entry.at).year in _VALID_YEARS
    except ValueError:
        told = False
    if not told:
        raise BadEntryError("field-time", time=entry.at)
    return entry


def _describe_error(error: Exception) -> str:
    """Return the reason why a line cannot be decoded, in words, at most 200 characters."""
    if isinstance(error, RecursionError):
        return say_log("nested-deep")
    words = str(error) if isinstance(error, EntryError) else say_log("not-json", error=error)
    return words[:200]


_RECEIPT_PATTERN = re.compile(r"(\d{1,16}):([0-9a-f]{64})(?::([0-9a-f]{1,200}))?", re.ASCII)


class Receipt(NamedTuple):
    """The number and hash of an entry, as the server reported them to a client.

    ``signature`` is the house's signature in hex, or empty.
    """

    seq: int
    hash: str
    signature: str = ""


def parse_receipt(text: str) -> Receipt:
    """Parse a receipt such as ``12:9f86...`` or, signed, ``12:9f86...:0a1b...``.

    Raise ValueError if it is malformed.

    >>> parse_receipt("7:" + "0" * 64).seq
    7
    """
    found = _RECEIPT_PATTERN.fullmatch(text.strip().lower())
    if found is None:
        raise ValueError(say_log("receipt-form"))
    return Receipt(int(found[1]), found[2], found[3] or "")


class AuditResult(Struct, frozen=True, kw_only=True):
    """The result of an audit.

    ``throws`` counts all throws: ``proven`` ones of the house's dice, ``bare`` ones of those to
    which the shooter added no nonce, ``typed`` ones that the crew typed in without proof, and
    ``unproven`` ones of a Daily (see `live.daily`) whose secret is not known. ``fresh`` lists dice
    commitments that replaced another, and ``renewed`` counts them.

    ``vouched`` is the number of the last entry that a receipt covers, or None. Up to there, nobody
    has changed the log since. The signatures were checked with ``public_key``; ``log_key`` is the
    key that the log names. They may differ.

    ``unverified`` counts the entries of a version or rulebook that this program cannot deal.
    ``notes`` lists those that it would deal differently, up to a limit, and ``noted`` counts them.
    ``unbooked`` means that the ledger stopped at an unknown event of another version.
    """

    table: str
    entries: int
    throws: int
    proven: int
    bare: int
    typed: int
    unproven: int
    receipts: int
    vouched: int | None
    public_key: str
    log_key: str
    findings: tuple[AuditFinding, ...]
    fresh: tuple[AuditNote, ...]
    renewed: int
    notes: tuple[AuditNote, ...]
    noted: int
    unverified: int
    first_unverified: int | None
    unbooked: bool
    versions: dict[str, int]
    head: str

    @property
    def first(self) -> AuditFinding | None:
        """The finding with the lowest entry number, or None."""
        return min(self.findings, key=lambda found: found.entry, default=None)

    def outcome_of(self, check: Check) -> str | int:
        """Return ``ok`` if a check found nothing wrong, else the number of the first wrong entry.

        Return ``unverified`` if it found nothing wrong but could not check everything.
        """
        gaps = {"replay": self.unverified > 0, "ledger": self.unbooked, "dice": self.unproven > 0}
        unchecked = gaps.get(check, False)
        found = (one.entry for one in self.findings if one.check == check)
        return next(found, "unverified" if unchecked else "ok")

    @property
    def receipt(self) -> str | None:
        """``forged`` if one of the receipts is forged, else ``ok``; None without receipts.

        A forged receipt is a signed one that the house did not sign.
        """
        forged = self.outcome_of("receipt") != "ok"
        return "forged" if forged else "ok" if self.receipts else None


#: The number of buckets. Each is searched by itself at the end.
_BUCKETS: Final = 32
#: Bytes of a bucket that stay in memory; the rest goes to a temporary file.
_MEMORY_BYTES: Final = 64 * 1024
_ID_RECORD = struct.Struct("16sQ")


class _IdBucket:
    """A part of `RequestIdIndex`: records of (key, entry number) as packed bytes."""

    def __init__(self) -> None:
        self._near = bytearray()
        self._far: IO[bytes] | None = None

    def add(self, kept: bytes) -> None:
        """Add one packed record. Move all records to a temporary file when they take 64 KiB."""
        self._near += kept
        if len(self._near) >= _MEMORY_BYTES:
            self._far = self._far or TemporaryFile()  # noqa: SIM115
            self._far.write(self._near)
            self._near.clear()

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield (entry number, first entry number) for each entry that repeats an earlier key.

        Call this only once, because it deletes the temporary file.
        """
        whole = bytes(self._near)
        if self._far is not None:
            with self._far:
                self._far.seek(0)
                whole = self._far.read() + whole
        first: dict[bytes, int] = {}
        for digest, seq in _ID_RECORD.iter_unpack(whole):
            if digest in first:
                yield seq, first[digest]
            else:
                first[digest] = seq


class RequestIdIndex:
    """Finds two entries of a log with the same key: a hash of 32 bytes.

    A key stands for a request (a hash of role, name and request id) or is a dice commitment. The
    keys are spread over buckets that move to temporary files when they grow, so that a large log
    does not fill the memory.
    """

    def __init__(self) -> None:
        self._buckets = [_IdBucket() for _ in range(_BUCKETS)]

    def add(self, speaker: bytes, seq: int) -> None:
        """Add an entry's key (such as `store.request_key`) and the entry's number."""
        self._buckets[speaker[0] % _BUCKETS].add(_ID_RECORD.pack(speaker[:16], seq))

    def find_repeated(self) -> tuple[int, int] | None:
        """Return (number of the first entry that repeats a key, number of the entry it repeats).

        Return None if no key is repeated. Call this only once, after the last ``add``.
        """
        return min((pair for bucket in self._buckets for pair in bucket.pairs()), default=None)


class Audit:
    """A running audit: pass it every line of a file or every row of a store, then call ``end``.

    ``table`` is the table's id if the caller knows it; entry 0 names it too. ``receipts`` are
    entries that the log must contain. ``reports``, if given, collects the shifts' figures.
    ``find_day_secret`` returns the published secret of a Daily (see `live.daily`); without it,
    those throws stay unproven.

    ``public_key`` is the house's, for signed receipts, and ``replaced_keys`` those that it had
    before. Without ``public_key`` the log's own key is used, which a house that rewrites its log
    can replace.
    """

    def __init__(
        self,
        table: str = "",
        receipts: Sequence[Receipt] = (),
        reports: ShiftReports | None = None,
        find_day_secret: FindDaySecret = no_day_secret,
        public_key: str = "",
        replaced_keys: Sequence[str] = (),
    ) -> None:
        self.table, self._find_day_secret = table, find_day_secret
        self._receipts: dict[int, set[Receipt]] = {}
        for receipt in receipts:
            self._receipts.setdefault(receipt.seq, set()).add(receipt)
        self._receipt_count = len(set(receipts))
        #: Receipts whose entry was read, whether they have its hash, and whether the chain was
        #: whole so far. Their signatures are checked at the end, when all keys are known.
        self._met_receipts: list[tuple[Receipt, bool, bool]] = []
        self._trusted_key, self._replaced_keys = public_key, tuple(replaced_keys)
        #: The house's keys that the log names, each with the number of its entry.
        self._log_keys: list[tuple[int, str]] = []
        self._reports = reports
        self._findings: dict[Check, AuditFinding] = {}
        self._head = EMPTY_LOG_HEAD
        self._entries = self._throws = 0
        self._ids = RequestIdIndex()
        #: The commitments of the dice, to find a secret that is used twice.
        self._commits = RequestIdIndex()
        self._ledger = AuditLedger()
        self._proof = DiceAudit(table, find_day_secret)
        self._replay = LogReplay(table)
        self._versions: Counter[str] = Counter()
        self._unread = self._is_log = False
        #: An unknown event of another version ended the ledger.
        self._unbooked = False

    def add_line(self, line: bytes) -> None:
        """Check the next line of a log."""
        self._is_log = self._is_log or (b'"seq"' in line and b'"prev"' in line)
        self._read(lambda: decode_line(line))

    def add_row(self, row: StoredRow) -> None:
        """Check the next row of a store: an entry's hash and its canonical bytes."""
        self._is_log = True
        self._read(lambda: decode_stored_row(row))

    def add_lines(self, lines: Iterable[bytes]) -> None:
        """Check every line of a log, and stop at one that cannot be read.

        Raise NotALogError if the input is not a log.
        """
        found = iter(lines)
        while not self._unread:
            try:
                line = next(found, None)
            except BadEntryError as wrong:
                self.unreadable(str(wrong))
                return
            if line is None:
                return
            self.add_line(line)

    def unreadable(self, why: str) -> None:
        """Record that the next entry cannot be read, and skip all entries after it.

        ``why`` is the reason. Raise NotALogError if no line so far looked like an entry of a log.
        """
        if not self._is_log:
            raise NotALogError("not-a-log", why=why)
        for check in CHECKS:
            self._wrong(check, self._head.seq + 1, "unreadable", why=why)
        self._unread = True

    def mark_entries_missing(self) -> None:
        """Record that the store lists the table, but has no entry of it."""
        self._is_log = True
        self._wrong("chain", 0, "entries-missing")

    @property
    def is_finished(self) -> bool:
        """Whether the rest of the log is skipped, because an entry could not be read."""
        return self._unread

    def _read(self, reader: Callable[[], tuple[Entry, bytes]]) -> None:
        """Decode the next entry with ``reader`` and run all checks on it."""
        if self._unread:
            return
        try:
            entry, body = reader()
        except BadEntryError as wrong:
            self.unreadable(str(wrong))
            return
        if not self._entries:
            self._begin(entry)
        self._entries += 1
        self._link(entry, body)
        self._check("dice", entry, lambda: self._proof.add_entry(entry))
        if "dice" not in self._findings:
            for commit in find_commitments(entry):
                self._commits.add(bytes.fromhex(commit), entry.seq)
        self._check("replay", entry, lambda: self._replay.add_entry(entry))
        self._check("ledger", entry, lambda: self._book(entry))
        self._versions[self._replay.version] += 1
        kinds = [e.get("event") for e in entry.events if isinstance(e, dict)]
        thrown = kinds.count("rolled") - kinds.count("throw-corrected")
        self._throws += thrown
        if self._reports is not None:
            self._reports.add_entry(entry, self._ledger, thrown)

    def _begin(self, entry: Entry) -> None:
        """Take the table's id from the first entry, and restart the dice and replay checks with it.

        Record a finding if the entry names another table than the caller, or if it is not entry 0.
        """
        told = entry.more.get("table")
        own = told if isinstance(told, str) else ""
        if self.table and own and own != self.table:
            self._wrong("chain", entry.seq, "other-table", table=own)
        if entry.seq:  # Entry 0 has the table's id and the first commitment.
            self._wrong("dice", entry.seq, "not-from-0")
        self.table = self.table or own
        self._proof = DiceAudit(self.table, self._find_day_secret)
        self._replay = LogReplay(self.table)

    def _link(self, entry: Entry, body: bytes) -> None:
        """Check an entry's place in the hash chain and its receipts, and index its request id."""
        if "chain" not in self._findings:
            try:
                check_link(entry, body, self._head)
            except ChainError as wrong:
                self._wrong("chain", wrong.seq, "said", words=wrong.why)
        if "public_key" in entry.more:
            self._log_keys.append((entry.seq, str(entry.more["public_key"])))
        for receipt in self._receipts.pop(entry.seq, ()):
            whole = "chain" not in self._findings
            self._met_receipts.append((receipt, receipt.hash == entry.hash, whole))
        key = request_key(entry.role, entry.by, entry.id)
        if key is not None and "chain" not in self._findings:
            self._ids.add(key, entry.seq)
        self._head = entry.head

    def _check_receipts(self) -> int | None:
        """Record findings about the receipts.

        Return the number of the last entry that a receipt vouches for, or None.
        """
        met = [one for one in self._met_receipts if self._is_genuine(one[0])]
        other = min((receipt.seq for receipt, same, _ in met if not same), default=None)
        if other is not None:
            self._wrong("chain", other, "receipt-hash")
        late = [one for some in self._receipts.values() for one in some if self._is_genuine(one)]
        if late and not self._unread:
            last = max(receipt.seq for receipt in late)
            self._wrong("chain", self._head.seq + 1, "receipt-missing", last=last)
        vouching = (
            one.seq for one, _, whole in met if whole and (other is None or one.seq < other)
        )
        return max(vouching, default=None)

    def _is_genuine(self, receipt: Receipt) -> bool:
        """Return whether a receipt is unsigned or the house signed it. If not, record a finding."""
        text = f"{self.table}:{receipt.seq}:{receipt.hash}"
        keys = self._find_signing_keys(receipt.seq)
        if not receipt.signature or any(
            verify_signature(key, text, receipt.signature) for key in keys
        ):
            return True
        trusted = bool(self._trusted_key)
        self._wrong("receipt", receipt.seq, "receipt-forged" if trusted else "receipt-other-key")
        return False

    def _find_signing_keys(self, seq: int) -> list[str]:
        """Return the keys with which the house may have signed a receipt of entry ``seq``.

        The house may sign an old entry with a later key, but no entry with a key that the log had
        replaced before. The trusted key always counts, since the log may be forged.
        """
        *over, current = ["", *(key for start, key in self._log_keys if start <= seq)]
        if self._trusted_key:
            kept = (key for key in self._replaced_keys if key == current or key not in over)
            return [self._trusted_key, *kept]
        return [current, *(key for start, key in self._log_keys if start > seq)]

    def _book(self, entry: Entry) -> None:
        """Add an entry's events to the ledger, and compare it with the replayed table if known.

        Stop the ledger for good at an unknown event in an entry that this program cannot deal.
        """
        if self._unbooked:
            return
        if not self._replay.is_dealable and not all(map(is_known_event, entry.events)):
            self._unbooked = True
            return
        self._ledger.add_events(list(entry.events))
        live = self._replay.live
        if live is not None and "replay" not in self._findings and live.head == entry.head:
            self._ledger.compare(live.table)

    def _check(self, check: Check, entry: Entry, does: Callable[[], None]) -> None:
        """Call ``does``, which checks an entry, and record its BadEntryError as a finding.

        ``check`` names the check. Do nothing if that check has a finding already.
        """
        if check in self._findings:
            return
        try:
            does()
        except BadEntryError as wrong:
            # In a log that was stitched together, the entry's position counts.
            self._wrong(check, max(entry.seq, self._entries - 1), "said", words=wrong)

    def _wrong(self, check: Check, entry: int, code: str, **figures: object) -> None:
        """Record that ``check`` finds an entry wrong, unless it has found an earlier one wrong."""
        known = self._findings.get(check)
        if known is None or entry < known.entry:
            self._findings[check] = AuditFinding(check, entry, say_log(code, **figures))

    def end(self) -> AuditResult:
        """Finish the audit and return its result. Raise NotALogError if the input was not a log."""
        if not self._is_log:
            raise NotALogError("log-empty")
        vouched = self._check_receipts()
        log_key = self._log_keys[-1][1] if self._log_keys else ""
        again = self._ids.find_repeated()
        if again is not None:
            self._wrong("chain", again[0], "id-repeated", first=again[1])
        reused = self._commits.find_repeated()
        if reused is not None:
            self._wrong("dice", reused[0], "commit-repeated", first=reused[1])
        return AuditResult(
            table=self.table,
            entries=self._entries,
            throws=self._throws,
            proven=self._proof.throws,
            bare=self._proof.bare,
            typed=self._proof.typed,
            unproven=self._proof.unproven,
            receipts=self._receipt_count,
            vouched=vouched,
            public_key=self._trusted_key or log_key,
            log_key=log_key,
            findings=tuple(
                self._findings[check] for check in get_args(Check) if check in self._findings
            ),
            fresh=tuple(self._proof.fresh),
            renewed=self._proof.renewed,
            notes=tuple(self._replay.notes),
            noted=self._replay.note_count,
            unverified=self._replay.unverified,
            first_unverified=self._replay.first_unverified,
            unbooked=self._unbooked,
            versions=dict(self._versions),
            head=self._head.hash,
        )
