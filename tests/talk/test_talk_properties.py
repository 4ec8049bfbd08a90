"""Random bets in random words are the same commands, and no words break the parser."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.game.law.book_files import BOOKS
from passline.game.law.wager_names import known_slugs
from passline.game.table import commands as cmd
from passline.game.table.state import Table
from passline.game.words.refusals import describe_refusal
from passline.game.words.wagers import spoken_wager_name
from passline.record.deal import deal_text
from passline.talk.canonical import format_command
from passline.talk.echo import echo
from passline.talk.errors import NotUnderstoodError, RecordError, UnplayableError
from passline.talk.normalize import NUMBER_WORDS, load_slang
from passline.talk.understand import understand
from passline.talk.utterance import DecidedBet
from tests.properties.effort import effort

ONES = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
TEENS = f"{ONES} sixteen seventeen eighteen nineteen".split()
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
NICKNAMES = {
    "eleven": ["yo", "the yo", "yo-leven", "a yo"],
    "craps-2": ["aces", "snake eyes"],
    "craps-3": ["ace deuce"],
    "craps-12": ["boxcars", "midnight"],
    "any-seven": ["big red", "any seven"],
    "whirl": ["the world", "whirl"],
    "pass": ["the line", "the pass line", "front line"],
    "dont-pass": ["the don't pass", "don’t pass"],
    "c-and-e": ["C&E", "c and e"],
    "hard-8": ["the hard eight", "square pair", "hard way eight"],
}
#: Thrown one way only, these are the 2, the 3, the yo and the 12.
NO_HOPS = ("hop-1-1", "hop-1-2", "hop-5-6", "hop-6-6")


@cache
def table_of(book: str) -> Table:
    up = "ann: place-win-6 for 12; place-win-8 for 12; buy-4 for 20; hard-8 for 5; come for 10\n"
    head = f"rulebook: {book}\nplayer: ann 90000\nplayer: bob 100\n"
    return deal_text(f"{head}ann: pass for 10\nroll 3 3\n{up}roll 5 4\n").table


def spelled(dollars: int) -> str:
    """Return a number of dollars in words, written independently of the parser."""
    if dollars >= 1000:
        rest = f" {spelled(dollars % 1000)}" if dollars % 1000 else ""
        return f"{spelled(dollars // 1000)} thousand{rest}"
    if dollars >= 100:
        rest = f" and {spelled(dollars % 100)}" if dollars % 100 else ""
        return f"{spelled(dollars // 100)} hundred{rest}"
    if dollars < 20:
        return TEENS[dollars - 1]
    one = f"-{TEENS[dollars % 10 - 1]}" if dollars % 10 else ""
    return TENS[dollars // 10 - 2] + one


def names_of(slug: str) -> list[str]:
    family, _, number = slug.rpartition("-")
    if family in {"place-win", "buy", "lay"}:
        verb = family.removesuffix("-win")
        return [f"{verb} the {number}", f"{verb} {spelled(int(number))}", f"{verb} me the {number}"]
    return [spoken_wager_name(slug), *NICKNAMES.get(slug, [])]


says = st.tuples(
    st.sampled_from([s for s in known_slugs() if not s.endswith("-7") and s not in NO_HOPS]),
    st.integers(1, 9999),
)


@st.composite
def variants(draw: st.DrawFn) -> tuple[str, int, str]:
    """Return a canonical phrase and one of the ways to say it."""
    slug, dollars = draw(says)
    name = draw(st.sampled_from(names_of(slug)))
    sum_ = draw(
        st.sampled_from(
            [f"${dollars}", f"{dollars} dollars", f"{spelled(dollars)} dollars", f"${dollars:,}"]
        )
    )
    bare = draw(st.sampled_from([str(dollars), spelled(dollars), sum_]))
    forms = [f"{name} for {bare}", f"{name}, {sum_}", f"give me {name} for {bare}, please"]
    if not name.startswith(("place", "buy", "lay")):
        forms += [f"{sum_} {name}", f"{sum_} on {name}", f"put {bare} on {name}"]
    said = draw(st.sampled_from(forms))
    return slug, dollars, draw(st.sampled_from([said, said.upper(), f"  {said}! "]))


@effort(200)
@given(book=st.sampled_from(sorted(BOOKS)), variant=variants())
def test_a_say_in_other_words_is_the_same_command(book: str, variant: tuple[str, int, str]) -> None:
    slug, dollars, said = variant
    canonical = understand(table_of(book), "ann", f"{slug} for {dollars}")
    assert understand(table_of(book), "ann", said) == canonical


def every_command(slug: str) -> tuple[cmd.AnyCommand, ...]:
    """Yield every command about a wager."""
    return (
        cmd.Bet("ann", slug, 1200),
        cmd.Bet("ann", slug, 125050, match=500, in_air=True, confirmed=("dealer",), by="dealer"),
        cmd.TokeBet("ann", slug, 100),
        cmd.Change("ann", slug, 250000),
        cmd.Change("ann", slug, 25),
        cmd.TakeDown("ann", slug),
        cmd.Call("ann", slug, True),
        cmd.Call("ann", slug, False),
    )


@pytest.mark.parametrize("book", sorted(BOOKS))
def test_what_the_dealer_repeats_can_be_typed_back(book: str) -> None:
    table = table_of(book)
    for slug in (*known_slugs(), *table.layout.spots):
        for command in every_command(slug):
            assert understand(table, "ann", echo(command)) == [command], echo(command)
            said = echo(command)
            sentence = f"{said[:1].upper()}{said[1:]}."  # as the screen has it
            assert understand(table, "ann", sentence) == [command], sentence
    others = (
        cmd.TakeAllDown("ann"),
        cmd.Call("ann", "", True),
        cmd.Call("ann", "", False),
        cmd.Toke("ann", 500),
        cmd.ChangeCheques("ann", 10000, "green"),
    )
    for command in others:
        assert understand(table, "ann", echo(command)) == [command], echo(command)


DEALT = [s for s in known_slugs() if not s.endswith("-7") and s not in NO_HOPS]
says_of = st.sampled_from([command for slug in DEALT for command in every_command(slug)])


@effort(300)
@given(book=st.sampled_from(sorted(BOOKS)), said=st.lists(says_of, min_size=2, max_size=6))
def test_a_breath_that_the_dealer_repeats_can_be_typed_back(
    book: str, said: list[cmd.AnyCommand]
) -> None:
    plain = [command for command in said if not getattr(command, "confirmed", ())]
    if plain:
        assert understand(table_of(book), "ann", echo(plain)) == plain


@pytest.mark.parametrize("book", sorted(BOOKS))
@pytest.mark.parametrize("point", [0, 4, 5, 6, 8, 9, 10])
@pytest.mark.parametrize("name", ["across", "inside", "outside", "iron cross"])
def test_a_group_that_the_dealer_repeats_can_be_typed_back(
    book: str, point: int, name: str
) -> None:
    head = f"rulebook: {book}\nplayer: ann 90000\nann: pass for 10\n"
    throws = {4: "2 2", 5: "3 2", 6: "3 3", 8: "4 4", 9: "5 4", 10: "5 5"}
    table = deal_text(head + (f"roll {throws[point]}\n" if point else "")).table
    box = (
        " the box numbers" if book == "maryland-crapless" and name in {"across", "outside"} else ""
    )
    heard = 0
    for dollars in range(10, 140):
        try:
            commands = understand(table, "ann", f"{name}{box} for {dollars}")
        except UnplayableError as doubt:
            for choice in doubt.choices:
                assert understand(table, "ann", choice), choice
            continue
        heard += 1
        repeated = echo(commands, table)
        assert understand(table, "ann", repeated) == commands, repeated
        among = point and any(
            getattr(command, "wager", "") == f"place-win-{point}" for command in commands
        )
        could = point in {"across": {4, 5, 6, 8, 9, 10}, "inside": {5, 6, 8, 9}}.get(
            name, {4, 5, 9, 10} if name == "outside" else {5, 6, 8}
        )
        says = ("with the point" in repeated, "without the point" in repeated)
        assert says == (bool(could and among), bool(could and not among)), repeated
    assert heard >= 3


GRAMMAR = "for to on off in down against and take turn make press place buy lay hop across inside"
ODD = "outside odds come each total $5 12 6 8 4 max x 3x 5-1 , 0 -5 $ 1,0 ٣ ² ½"
WORDS = sorted(
    {word for phrase in load_slang().phrases for word in phrase.split()}
    | {*load_slang().small, *load_slang().money, *NUMBER_WORDS, *known_slugs()}
    | {*GRAMMAR.split(), *ODD.split()}
)


def answer(table: Table, text: str) -> list[cmd.AnyCommand] | Exception:
    try:
        return understand(
            table, "ann", text, {"ann": (DecidedBet("field", 500), DecidedBet("eleven", 500, 7500))}
        )
    except (UnplayableError, RecordError) as wrong:
        return wrong


def check(table: Table, text: str) -> None:
    """Check that talk yields this player's commands, a refusal, or a one-line error."""
    found = answer(table, text)
    if isinstance(found, UnplayableError):
        assert describe_refusal(found.refusal)
        assert found.refusal.cite
    elif isinstance(found, Exception):
        message = str(found)
        assert message.strip()
        assert "\n" not in message
        assert len(message) < 500
        if isinstance(found, NotUnderstoodError) and found.suggestion:
            check(table, found.suggestion)
    else:
        assert found
        for command in found:
            assert getattr(command, "player", "") == "ann"
            if " for " in format_command(command):  # what is written down reads as what was meant
                assert understand(table, "ann", format_command(command)) == [command]


@effort(250)
@given(
    book=st.sampled_from(sorted(BOOKS)),
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=8),
)
def test_any_words_of_the_table_are_commands_or_an_error(book: str, words: list[str]) -> None:
    check(table_of(book), " ".join(words))


@effort(150)
@given(noise=st.text(max_size=60))
def test_noise_is_an_error_or_a_say(noise: str) -> None:
    check(table_of("iowa"), noise)


@effort(150)
@given(variant=variants(), at=st.integers(0, 60), put=st.text(max_size=2), cut=st.integers(0, 2))
def test_slips_of_the_tongue(variant: tuple[str, int, str], at: int, put: str, cut: int) -> None:
    said = variant[2]
    check(table_of("dealer-school"), said[:at] + put + said[at + cut :])
