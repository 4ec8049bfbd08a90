"""Games worked by hand, held against the engine and against the auditor's own model."""

from __future__ import annotations

import pytest

from .bridge import dealt
from .figures import BOOKS
from .handbook import HandGame, complaints, hand_games
from .model import predict

GAMES = [
    pytest.param(game, id=f"{book}: {game.title}") for book in BOOKS for game in hand_games(book)
]


@pytest.mark.parametrize("game", GAMES)
def test_the_engine_deals_it_as_worked_by_hand(game: HandGame) -> None:
    assert complaints(game, dealt) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_auditors_model_deals_it_as_worked_by_hand(game: HandGame) -> None:
    assert complaints(game, predict) == []


def test_there_are_enough_of_them_in_every_book() -> None:
    assert min(len(list(hand_games(book))) for book in BOOKS) >= 12
