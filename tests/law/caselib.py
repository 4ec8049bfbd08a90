"""Reading and running cases: small games that hold clauses (see docs/build/cases.md)."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from passline.game.house.elections import ElectionValue, parse_value, read_elections
from passline.game.house.house import House, make_house
from passline.game.house.lint import lint
from passline.game.house.lint_findings import Finding
from passline.game.law.load import rulebook
from passline.game.layout.stakes import Settlement
from passline.game.money.amounts import parse_dollars, to_dollars
from passline.game.table.events import Rolled
from passline.game.table.state import NOBODY, Table
from passline.game.words.events import describe_event
from passline.game.words.refusals import describe_refusal
from passline.record.deal import deal_line, open_record_table
from passline.record.read import read_record

CASES = Path(__file__).parent.parent / "cases"


@dataclass
class Case:
    """One case: its clauses, what it says, and its lines with their numbers in the file."""

    book: str
    clauses: list[str]
    line: int
    says: list[str] = field(default_factory=list)
    lines: list[tuple[int, str]] = field(default_factory=list)

    #: Which of the cases that begin with the same clause it is.
    turn: int = 1

    @property
    def id(self) -> str:
        """Its first clause, and its turn among those: editing the file elsewhere leaves it."""
        return f"{self.book}:{self.clauses[0]}" + (f"~{self.turn}" if self.turn > 1 else "")


def read_cases(book: str) -> list[Case]:
    """Every case of a book's file."""
    cases: list[Case] = []
    turns: Counter[str] = Counter()
    path = CASES / f"{book}.cases"
    if not path.exists():
        return cases
    for number, raw in enumerate(path.read_text("utf-8").splitlines(), 1):
        line = raw.rstrip()
        if line.startswith("== "):
            clauses = line[3:].split()
            turns[clauses[0]] += 1
            cases.append(Case(book, clauses, number, turn=turns[clauses[0]]))
        elif line.startswith("-- "):
            cases[-1].says.append(line[3:])
        elif line.strip() and not line.lstrip().startswith("#"):
            cases[-1].lines.append((number, line.strip()))
    return cases


class Run:
    """A case being run."""

    def __init__(self, case: Case) -> None:
        self.case = case
        header = [(n, t) for n, t in case.lines if self._is_header(t)]
        self.body = [(n, t) for n, t in case.lines if not self._is_header(t)]
        text = [f"rulebook: {case.book}", *(t for _, t in header)]
        if not any(t.startswith("player:") for t in text):
            text.append("player: ann 1000")
        self.header = "\n".join(text) + "\n"
        record = read_record(self.header)
        given = {key: parse_value(value) for key, value in record.elections}
        self.house: House = make_house(rulebook(case.book), record.game or None, given)
        self.given = given
        self.answer: list[str] = []
        self.check_house()
        self.table: Table = open_record_table(record, self.house)

    def check_house(self) -> None:
        """What a case elects must be open to a house: a choice that is gone is noticed."""
        if not self.house.elections:
            return
        findings = [f for f in self.findings({}) if f.key in self.house.elections]
        if findings:
            self.answer = [f.message for f in findings]
            self.fail(self.case.line, "the rulebook does not let a house elect that")

    def findings(self, more: dict[str, ElectionValue]) -> list[Finding]:
        """What lint says of the case's elections, and of more."""
        book = rulebook(self.case.book)
        elections = read_elections(book, {**self.given, **more})
        return list(lint(book, self.house.game, elections))

    @staticmethod
    def _is_header(text: str) -> bool:
        return bool(re.match(r"(game|player|house(\.[\w.-]+)?):\s", text))

    def fail(self, number: int, message: str) -> None:
        where = f"tests/cases/{self.case.book}.cases:{number}"
        got = "\n    ".join(self.answer) or "nothing"
        raise AssertionError(f"{where}: {message}\n  what happened:\n    {got}")

    def run(self) -> None:
        pending: list[tuple[int, str]] = []
        current: tuple[int, str] | None = None
        for number, text in self.body:
            if text.startswith(">"):
                pending.append((number, text[1:].strip()))
                continue
            if current is not None:
                self.step(current, pending)
            current, pending = (number, text), []
        if current is not None:
            self.step(current, pending)

    def step(self, line: tuple[int, str], expectations: list[tuple[int, str]]) -> None:
        number, text = line
        if text.startswith("lint "):
            self.lint(number, text[5:], expectations)
        elif text == "placard":
            self.placard(expectations)
        else:
            self.play(number, text, expectations)

    def lint(self, number: int, text: str, expectations: list[tuple[int, str]]) -> None:
        key, value = (word.strip() for word in text.split("=", 1))
        found = self.findings({key: parse_value(value)})
        findings = [f for f in found if f.key == key or f.key.startswith(key + ".")]
        self.answer = [f"{f.key} = {f.value}: {f.allowed} [{f.cite}]" for f in findings] or ["ok"]
        if not expectations:
            self.fail(number, "a lint line needs an expectation")
        for n, want in expectations:
            if want == "allowed":
                if findings:
                    self.fail(n, "expected it to be allowed")
            elif want.startswith("not allowed"):
                cite = want.removeprefix("not allowed").strip()
                if not findings:
                    self.fail(n, "expected it not to be allowed")
                if cite and not any(_cites(cite, c) for f in findings for c in f.cites):
                    self.fail(n, f"expected the citation {cite}")
            else:
                self.fail(n, f"unknown expectation {want!r}")

    def placard(self, expectations: list[tuple[int, str]]) -> None:
        from passline.game.words.placard import render_placard_text

        card = render_placard_text(self.house)
        flat = " ".join(card.split())
        self.answer = card.splitlines()
        for n, want in expectations:
            if want.startswith("shows "):
                if _bare(want.removeprefix("shows ")) not in flat:
                    self.fail(n, "the placard does not show it")
            elif want.startswith("never shows "):
                if _bare(want.removeprefix("never shows ")) in flat:
                    self.fail(n, "the placard shows it")
            else:
                self.fail(n, f"unknown expectation {want!r}")

    def play(self, number: int, text: str, expectations: list[tuple[int, str]]) -> None:
        parsed = read_record(self.header + text).lines[0]
        entries = []
        for entry, after in deal_line(self.table, parsed):
            entries.append(entry)
            self.table = after
        refusals = [e.refusal for e in entries if e.refusal is not None]
        settled: list[Settlement] = []
        notes: list[str] = []
        for entry in entries:
            for event in entry.events:
                notes.append(describe_event(event))
                if isinstance(event, Rolled):
                    settled += event.settlements
        self.answer = [f"refused [{r.cite}] {describe_refusal(r)}" for r in refusals]
        self.answer += [_shown(s) for s in settled] + notes
        wants_refusal = False
        wanted: list[tuple[int, list[str]]] = []
        for n, want in expectations:
            words = want.split()
            if words[0] == "refused":
                wants_refusal = True
                if not refusals:
                    self.fail(n, "expected a refusal")
                cite = want.removeprefix("refused").strip()
                if cite and not any(_cites(cite, r.cite) for r in refusals):
                    self.fail(n, f"expected the citation {cite}")
            elif want == "nothing":
                if settled:
                    self.fail(n, "expected nothing to be settled")
            elif words[0] == "note":
                if not any(_bare(want[5:]).lower() in note.lower() for note in notes):
                    self.fail(n, "expected that to be noted")
            elif words[0] in {"rail", "up", "down", "puck", "shooter", "house"}:
                self.state(n, words)
            else:
                wanted.append((n, words))
        if refusals and not wants_refusal:
            self.fail(number, "refused, but no refusal was expected")
        if wanted:
            self.settlements(number, wanted, settled)

    def state(self, n: int, words: list[str]) -> None:
        table = self.table
        match words:
            case ["rail", name, amount]:
                got = table.seat(name).rail
                ok = got == parse_dollars(amount) if amount != "0" else got == 0
                shown = to_dollars(got)
            case ["up", name, slug, amount]:
                stake = table.seat(name).wagers.get(slug)
                shown = to_dollars(stake.amount) if stake else "not up"
                ok = stake is not None and stake.amount == parse_dollars(amount)
            case ["down", name, slug]:
                ok = slug not in table.seat(name).wagers
                shown = "still up"
            case ["puck", where]:
                shown = str(table.puck or "off")
                ok = shown == where
            case ["shooter", who]:
                shown = "nobody" if table.shooter == NOBODY else table.seat(table.shooter).name
                ok = shown == who
            case ["house", "win" | "vig" as what, amount]:
                got = table.win if what == "win" else table.vig
                shown = to_dollars(got)
                ok = _signed(amount) == got
            case _:
                ok, shown = False, f"unknown expectation {' '.join(words)!r}"
        if not ok:
            self.fail(n, f"expected {' '.join(words)}, got {shown}")

    def settlements(
        self, number: int, wanted: list[tuple[int, list[str]]], settled: list[Settlement]
    ) -> None:
        left = list(settled)
        for n, words in wanted:
            hit = next((s for s in left if _matches(words, s)), None)
            if hit is None:
                self.fail(n, f"no such settlement: {' '.join(words)}")
            else:
                left.remove(hit)
        if left:
            self.fail(number, f"settled but not expected: {'; '.join(map(_shown, left))}")


def _bare(text: str) -> str:
    text = text.strip()
    return shlex.split(text)[0] if text[:1] == '"' else text


def _signed(amount: str) -> int:
    if amount.strip("-0.") == "":
        return 0
    return -parse_dollars(amount[1:]) if amount.startswith("-") else parse_dollars(amount)


def _cites(wanted: str, got: str) -> bool:
    return got.startswith("custom: ") if wanted == "custom" else wanted == got


def _shown(s: Settlement) -> str:
    odds = f" at {s.odds}" if s.odds else ""
    to = f" to {s.to}" if s.to else ""
    amount = s.paid if s.result == "win" else s.stake
    vig = f" vig {to_dollars(s.vig)}" if s.vig else ""
    return f"{s.player} {s.wager} {s.result} {to_dollars(amount)}{odds}{vig}{to} by {s.cite}"


def _matches(words: list[str], s: Settlement) -> bool:
    if len(words) < 3 or (s.player, s.wager, s.result) != (words[0], words[1], words[2]):
        return False
    rest = words[3:]
    amount = s.paid if s.result == "win" else s.stake
    while rest:
        word = rest.pop(0)
        if word == "at":
            odds, rest = " ".join(rest[:3]), rest[3:]
            if odds != s.odds:
                return False
        elif word == "vig":
            if _signed(rest.pop(0)) != s.vig:
                return False
        elif word == "to":
            if rest.pop(0) != s.to:
                return False
        elif word == "by":
            if not _cites(rest.pop(0), s.cite):
                return False
        elif _signed(word) != amount:
            return False
    return True
