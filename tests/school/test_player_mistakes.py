"""Which mistakes players make before which post, in each book; and a die that leaves the table."""

from __future__ import annotations

from typing import Any, Final, Literal

import pytest

from passline.game.law.clauses import clauses_by_id
from passline.game.table.table_ends import find_end
from passline.record.deal import deal_text
from passline.school.shift import DoneRequest, Shift
from passline.school.shift_players import CallKind, ShiftPost, find_void_side, is_void_throw
from passline.school.shift_report import make_shift_report
from passline.school.throw_work import list_post_wagers, register_audit_check
from tests.live.floor import Floor
from tests.live.tampering import audited, fields_of, mended, text_of
from tests.school.right_shift import right_answer, right_work, start

pytestmark = pytest.mark.anyio

BOOKS: Final = (
    "dealer-school",
    "iowa",
    "las-vegas",
    "maryland-crapless",
    "new-jersey",
    "section-2",
)
POSTS: Final[tuple[ShiftPost, ...]] = ("base", "stick", "box")
#: Every mistake that players make, and "die off the table" for a throw that does not count.
MISTAKES: Final[frozenset[CallKind | str]] = frozenset(
    ("late", "units", "odds", "dont", "claim", "dispute", "die off the table")
)
#: Where a mistake never comes, and why.
NEVER: Final = {
    ("stick", "odds"): "odds lie on the numbers and the line: the base dealers book them",
    ("stick", "dont"): "the don'ts lie with the base dealers",
    ("maryland-crapless", "dont"): "crapless craps has no don't bets",
}


def expected_mistakes(book: str, post: ShiftPost) -> set[str]:
    """The mistakes that come before a post under a book."""
    return {one for one in MISTAKES if not {(post, one), (book, one)} & set(NEVER)}


async def collect_mistakes(book: str, post: ShiftPost, seed: str, rolls: int) -> dict[str, Any]:
    """Deal a shift without a mistake. Return {kind of a player's mistake: clause}."""
    _, shift = await start(post, seed=seed, rolls=rolls, book=book)
    found = dict[str, Any]()
    for _ in range(10 * rolls):
        for call in tuple(shift.calls):
            if call.kind != "bet":
                found[call.kind] = call.cite
            await shift.answer_call(right_answer(call))
        if shift.phase == "over":
            break
        if shift.phase == "betting":
            await shift.dice_out()
            continue
        if shift.phase == "work" and shift.void:
            (cite,) = {one.cite for one in shift.list_void_calls((await shift.live()).table)[:1]}
            found["die off the table"] = cite
        await shift.finish_phase(await right_work(shift))
    assert [mark.words for mark in shift.marks if not mark.right] == []
    return found


async def check_mistakes(book: str, post: ShiftPost, seeds: range, rolls: int) -> None:
    """Deal shifts until all that should come has come. What never comes must not come."""
    found, wanted = dict[str, Any](), expected_mistakes(book, post)
    for seed in seeds:
        found |= await collect_mistakes(book, post, f"{post} {seed}", rolls)
        if len(seeds) < 20 and found.keys() >= wanted:
            break
    assert found.keys() == wanted
    known = clauses_by_id(book)
    assert all(cite in known or cite.startswith("custom: ") for cite in found.values()), found


@pytest.mark.parametrize("post", POSTS)
@pytest.mark.parametrize("book", BOOKS)
async def test_which_mistakes_come_at_which_post(book: str, post: ShiftPost) -> None:
    await check_mistakes(book, post, range(12), 25)


@pytest.mark.long
@pytest.mark.parametrize("post", POSTS)
@pytest.mark.parametrize("book", BOOKS)
async def test_mistakes_at_each_post_over_many_seeds(book: str, post: ShiftPost) -> None:
    await check_mistakes(book, post, range(100, 140), 40)


async def start_with_void_throw(
    post: ShiftPost, book: str, seed: str = "off"
) -> tuple[Floor, Shift, Literal["outside", "inside"]]:
    """Deal without a mistake until a die has left the table, soon. Return also where it fell."""
    soon = (f"{seed} {n}" for n in range(1000) if is_void_throw(f"{seed} {n}", 3))
    floor, shift = await start(post, seed=next(soon), rolls=10, book=book)
    for _ in range(20):
        for call in tuple(shift.calls):
            await shift.answer_call(right_answer(call))
        if shift.phase == "betting":
            await shift.dice_out()
        elif shift.phase == "work" and shift.void:
            return floor, shift, find_void_side(shift.start.seed, shift.thrown)
        else:
            await shift.finish_phase(await right_work(shift))
    raise AssertionError("no die left the table")


VOID_CLAUSES: Final = {
    "dealer-school": "calling.18.g",
    "iowa": "no-roll.2",
    "las-vegas": "custom: a die off the table is no roll",
    "maryland-crapless": "8.B#1",
    "new-jersey": "19:47-1.9(a)#1",
    "section-2": "2(i)(1)#1",
}


@pytest.mark.parametrize("post", POSTS)
@pytest.mark.parametrize("book", BOOKS)
async def test_the_stick_calls_a_die_off_the_table(book: str, post: ShiftPost) -> None:
    """The machine's stick calls it, by the book's own caller, and the log passes the audit."""
    floor, shift, side = await start_with_void_throw(post, book)
    entries = [entry for entry in await floor.log() if entry.line.startswith("no roll")]
    assert entries[-1].line == f"no roll off-table {side} by stickperson"
    (event,) = [one for one in entries[-1].events if one.get("ground") == "off-table"]
    assert (entries[-1].role, event["cite"]) == ("machine", VOID_CLAUSES[book])
    calls = [one.words for one in shift.list_void_calls((await shift.live()).table)]
    assert calls == ["no roll", f"one down {side}"]
    before = len(shift.marks)
    await shift.finish_phase(await right_work(shift))
    assert {mark.right for mark in shift.marks[before:]} == {True}
    register_audit_check()
    log = text_of(fields_of(b"\n".join([entry.text() for entry in await floor.log()])))
    assert audited(log).findings == ()


async def test_the_machine_calls_no_roll_only_in_a_shift() -> None:
    """A log that does not say that its table is a shift fails the audit with such a call."""
    floor, _, _ = await start_with_void_throw("base", "iowa")
    entries = fields_of(b"\n".join([entry.text() for entry in await floor.log()]))
    register_audit_check()
    assert entries[0]["settings"].pop("shift") is True
    (finding, *_) = audited(text_of(mended(entries))).findings
    at = next(n for n, one in enumerate(entries) if one["line"].startswith("no roll"))
    assert finding.entry == at


@pytest.mark.parametrize(
    ("book", "words", "cite"),
    [
        ("iowa", "No roll!", "stick.19#1"),
        ("iowa", "no roll, one down {other}", "stick.19#1"),
        ("iowa", "no roll, one down inside or outside", "stick.19#1"),
        ("iowa", "six, easy six", "no-roll.2"),
        ("iowa", "No roll. One down {side}!", ""),
        ("iowa", "no-roll, {side}", ""),
        ("new-jersey", "No roll!", ""),
        ("new-jersey", "", "19:47-1.9(a)#1"),
        ("dealer-school", "no roll", ""),
        ("las-vegas", "no roll", ""),
        ("las-vegas", "eleven", "custom: a die off the table is no roll"),
    ],
)
async def test_the_stick_says_what_its_book_wants(book: str, words: str, cite: str) -> None:
    """Iowa's stick says where the die fell; elsewhere no clause asks for that."""
    _, shift, side = await start_with_void_throw("stick", book)
    other = "inside" if side == "outside" else "outside"
    await shift.finish_phase(DoneRequest(say=words.format(side=side, other=other)))
    mark = [one for one in shift.marks if one.kind in ("no roll", "void")][-1]
    assert (mark.kind, mark.right) == (("no roll", False) if cite else ("void", True))
    assert mark.cite == (cite or VOID_CLAUSES[book])


@pytest.mark.parametrize("book", BOOKS)
async def test_a_box_sees_that_dealers_work_a_throw_that_does_not_count(book: str) -> None:
    """Now and then a dealer takes a bet; whoever lets it pass lets a player lose it."""
    found = set[bool]()
    for seed in range(30):
        _, shift, _ = await start_with_void_throw("box", book, f"off {seed}")
        before, shown = len(shift.marks), tuple(shift.shown)
        await shift.finish_phase(DoneRequest(wrong=(1,) if seed % 2 else ()))
        mark, *more = shift.marks[before:]
        assert not more
        if not shown:
            assert (mark.kind, mark.right) == ("void", True)
            continue
        assert mark.cite == VOID_CLAUSES[book]
        assert (mark.kind, mark.right) == (("watched", True) if seed % 2 else ("overlooked", False))
        report = make_shift_report(shift.start, shift.marks, shift.outcome)
        assert (report["players_lost"] == "0.00") == mark.right
        found.add(mark.right)
        if found == {True, False}:
            return
    raise AssertionError("no dealer worked a void throw")


@pytest.mark.parametrize("book", BOOKS)
def test_a_base_dealer_has_all_bets_of_the_end_to_pay(book: str) -> None:
    """Propositions are paid by the base dealer of the player's end, so they are listed there."""
    head = f"rulebook: {book}\nplayer: ann 500\nplayer: bob 500\n\n"
    table = deal_text(f"{head}ann: pass for 10; hard 8 for 5\nbob: hard 8 for 5\n").table
    for end in ("left", "right"):
        listed = {(bet.player, bet.wager) for bet in list_post_wagers(table, f"{end}-base")}
        assert listed == {
            (seat.id, slug)
            for seat in table.seats
            for slug in seat.wagers
            if find_end(table, seat.id) == end
        }
    assert {bet.wager for bet in list_post_wagers(table, "stick")} == {"hard-8"}
