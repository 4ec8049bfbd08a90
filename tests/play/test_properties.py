"""Whatever is typed: no crash, and the record deals to the table on the screen."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from passline.game.law.wager_names import known_slugs
from passline.play.game import LocalGame
from passline.record.deal import deal_text
from tests.auditor.figures import BOOKS
from tests.properties.effort import effort

from .tables import sit

_TALK = (
    *("pass line for 10", "don't pass for 10", "come for 10", "full odds", "odds for 20"),
    *("place the six for 12", "$44 inside", "66 across", "press the six", "yo for 1", "same bet"),
    *("horn for 4", "hop the eights for 2", "take me down", "turn me off", "all on", "toke 1"),
    *("two-way yo for 1 each", "plce the 6 for 12", "y", "n", "all down", "buy the 4 for 25"),
)
_SCREEN = (
    *("table", "", "why", "odds", "bets", "crew", "help", "undo", "undo", "bets 6", "why x"),
    *("pass the dice", "take the dice", "decline the dice", "buy in 100", "buy in", "leave"),
    *("colour up", "stand", "sit", "new dice", "same dice", "quit", "save", ";;", "roll 9 9"),
)
rolls = st.one_of(st.just("roll"), st.builds("{} {}".format, st.integers(1, 6), st.integers(1, 6)))
bets = st.builds(
    "{} {} {}".format,
    st.sampled_from(known_slugs()),
    st.sampled_from(("for", "to", "for", "down", "off")),
    st.sampled_from(("5", "6", "10", "25", "5000", "0", "1e9", "")),
)
lines = st.lists(
    st.one_of(rolls, rolls, st.sampled_from(_TALK), bets, st.sampled_from(_SCREEN), st.text()),
    max_size=25,
)
houses = st.sampled_from(
    [(book, None) for book in BOOKS]
    + [("new-jersey", "mini-craps"), ("new-jersey", "automated-craps")]
)


@effort(60)
@given(house=houses, typed=st.booleans(), spoken=lines, dice=st.randoms(use_true_random=False))
def test_whatever_is_typed(
    house: tuple[str, str | None], typed: bool, spoken: list[str], dice: object
) -> None:
    book, game = house
    throw = getattr(dice, "randint")  # noqa: B009
    throws = None if typed else ((throw(1, 6), throw(1, 6)) for _ in range(100))
    session = sit(book, throws, ("pass-odds", "across"), game=game)
    shown = list(session.opening_lines())
    kept = [session.game.text]
    assert isinstance(session.game, LocalGame)
    session.game.keep = kept.append
    for line in spoken:
        shown += session.handle_line(line)
        assert kept[-1] == session.game.text
    assert max(map(len, shown)) <= 79
    assert all(line.isprintable() for line in shown)
    assert deal_text(session.game.text).table == session.game.table
