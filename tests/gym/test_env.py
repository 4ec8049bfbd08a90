"""The environment: Gymnasium's own checker, and what it promises of rewards, masks and ends."""

from __future__ import annotations

import copy
import random
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import FlattenObservation
from msgspec.structs import replace

from passline import BOOKS, deal_text, rulebook
from passline.game.layout.stakes import Refusal
from passline.lab.gym import ID
from passline.lab.gym.env import PasslineEnv
from passline.lab.gym.menu import apply_say

GAMES = [(book, game) for book in BOOKS for game in rulebook(book).games.value]
OFFERS = {
    ("new-jersey", "craps"): {"offers.fire": "A", "offers.six-seven-eight": "true"},
    ("iowa", "craps"): {"offers.shootout": "true"},
    ("maryland-crapless", "crapless"): {"offers.fire": "A", "offers.bonus": "A"},
}
every_game = pytest.mark.parametrize(("book", "game"), GAMES)


def env_of(book: str = "new-jersey", game: str | None = None, **how: Any) -> PasslineEnv:
    made = gymnasium.make(ID, house=book, game=game, disable_env_checker=True, **how).unwrapped
    assert isinstance(made, PasslineEnv)
    return made


def say(env: PasslineEnv, words: str) -> dict[str, Any]:
    info: dict[str, Any] = env.step(env.menu.index(words))[4]
    return info


def masked(env: PasslineEnv, info: dict[str, Any], dice: np.random.Generator) -> int:
    """An action that the mask allows; the dice roll now and then."""
    return int(dice.choice(np.flatnonzero(info["action_mask"]))) if dice.random() < 0.8 else 0


@every_game
def test_gymnasiums_own_checker_finds_nothing(
    book: str, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    check_env(env_of(book, game))
    printed = capsys.readouterr()
    assert "puck OFF" in printed.out  # the human mode was drawn
    assert printed.err == ""


@every_game
def test_rewards_of_an_episode_sum_to_the_net_result(book: str, game: str) -> None:
    env = env_of(book, game, rolls=12, elections=OFFERS.get((book, game)))
    dice = np.random.default_rng(4)
    for episode in range(2):
        seen, info = env.reset(seed=episode)
        total, over = 0.0, False
        while not over:
            assert env.observation_space.contains(seen)
            seen, reward, terminated, truncated, info = env.step(masked(env, info, dice))
            total += float(reward)
            over = terminated or truncated
        assert total == pytest.approx(info["worth"] - 500)
        assert info["worth"] == pytest.approx(seen["rail"][0] + seen["wagers"].sum())
        assert info["rolls"] == 12 or terminated


def test_any_action_at_all_ends_an_episode() -> None:
    env = env_of(rolls=12, says_a_roll=5)
    env.action_space.seed(1)
    for seed in range(5):
        env.reset(seed=seed)
        for step in range(12 * 6 + 1):  # noqa: B007
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            if terminated or truncated:
                break
        assert terminated or truncated


@every_game
def test_the_mask_is_true(book: str, game: str) -> None:
    env = env_of(book, game, rolls=15, bankroll=60, elections=OFFERS.get((book, game)))
    dice = np.random.default_rng(8)
    _, info = env.reset(seed=2)
    for _ in range(15):
        for action in dice.integers(1, len(env.menu), 12):
            told = copy.copy(env).step(action)[4]
            assert ("refusal" not in told) == bool(info["action_mask"][action]), env.menu[action]
        _, _, terminated, truncated, info = env.step(masked(env, info, dice))
        if terminated or truncated:
            assert not info["action_mask"].any()
            break


def test_the_same_seed_gives_the_same_episode() -> None:
    def played(seed: int) -> list[tuple[Any, ...]]:
        env, dice = env_of(rolls=25), np.random.default_rng(0)
        _, info = env.reset(seed=seed)
        steps = []
        for _ in range(60):
            seen, reward, terminated, truncated, info = env.step(masked(env, info, dice))
            steps.append((tuple(seen["dice"]), tuple(seen["wagers"]), reward))
            if terminated or truncated:
                break
        return steps

    assert played(3) == played(3)
    assert played(3) != played(4)


@every_game
def test_an_episode_is_the_game_that_a_record_deals(book: str, game: str) -> None:
    env = env_of(book, game, rolls=20, elections=OFFERS.get((book, game)))
    dice = np.random.default_rng(5)
    seen, info = env.reset(seed=5)
    lines = [f"rulebook: {book}", f"game: {game}"]
    lines += [f"house.{key}: {value}" for key, value in OFFERS.get((book, game), {}).items()]
    lines += ["player: ann 500", "player: bob 100000", ""]
    over, holds = game == "automated-craps", game == "automated-craps"
    while True:
        action, puck = masked(env, info, dice), seen["puck"]
        seen, _, terminated, truncated, info = env.step(action)
        if action:
            lines.append(f"ann: {env.menu[action]}")
        else:
            lines += [] if holds or over else ["bob takes the dice"]
            lines += [] if puck or over else ["bob: pass for 5"]
            lines.append(f"roll {seen['dice'][0]} {seen['dice'][1]}")
            holds = over or int(sum(seen["dice"])) != 7 or not puck
        if terminated or truncated:
            break
    dealt = deal_text("\n".join(lines))
    assert [entry for entry in dealt.to_json()["refusals"] if entry["player"] == "ann"] == []
    ann = dealt.table.seat("ann")
    assert ann.rail == round(seen["rail"][0] * 100)
    up = {slug: round(amount * 100) for slug, amount in zip(env.slugs, seen["wagers"], strict=True)}
    assert {slug: stake.amount for slug, stake in ann.wagers.items()} == {
        slug: amount for slug, amount in up.items() if amount
    }


def test_a_refused_say_changes_nothing_and_says_why() -> None:
    env = env_of()
    before, _ = env.reset(seed=1)
    after, reward, _, _, info = env.step(env.menu.index("come for 10"))
    assert info["refusal"]["said"] == "come for 10"
    assert "point is on" in info["refusal"]["reason"]
    assert info["refusal"]["cite"].startswith("19:47-1.")
    assert reward == 0
    assert after.pop("says_left") == before.pop("says_left") - 1
    assert all(np.array_equal(after[key], before[key]) for key in before)


def test_the_player_cannot_bet_what_he_has_not() -> None:
    env = env_of(bankroll=15)
    env.reset(seed=1)
    assert "refusal" not in say(env, "pass for 10")
    assert "has $5 in the rail" in say(env, "field for 10")["refusal"]["reason"]


def test_vigorish_is_felt_when_it_is_paid_and_when_it_comes_back() -> None:
    env = env_of()
    env.reset(seed=1)
    assert env.step(env.menu.index("buy-4 for 20"))[1] == -1
    assert env.step(env.menu.index("buy-4 down"))[1] == 1


def test_the_dice_roll_when_all_says_are_used_up() -> None:
    env = env_of(says_a_roll=2)
    env.reset(seed=1)
    say(env, "come for 10")
    info = say(env, "pass for 10")
    assert list(np.flatnonzero(info["action_mask"])) == [0]
    info = say(env, "field for 10")
    assert (info["rolls"], info["refusal"]["reason"]) == (1, "no more statements before this throw")
    assert info["action_mask"].sum() > 1


def test_ruin_ends_an_episode() -> None:
    env = env_of(bankroll=15, says=["field for 10"])
    for seed in range(20):
        env.reset(seed=seed)
        env.step(1)
        _, reward, terminated, truncated, info = env.step(0)
        assert not truncated
        assert terminated == (reward < 0)  # $5 left, and no wager for $5 on the menu
        if terminated:
            assert info["worth"] == 5
            with pytest.raises(gymnasium.error.ResetNeeded):
                env.step(0)
            return
    pytest.fail("twenty field wagers won")


def test_a_wager_that_is_up_is_no_ruin() -> None:
    env = env_of(bankroll=12, says=["place-win-6 for 12"], rolls=200)
    env.reset(seed=0)
    seen, _, terminated, _, _ = env.step(1)
    assert (seen["rail"][0], terminated) == (0, False)


def test_the_goal_ends_an_episode() -> None:
    env = env_of(bankroll=20, goal=30, says=["field for 10"])
    for seed in range(20):
        env.reset(seed=seed)
        env.step(1)
        _, reward, terminated, _, _ = env.step(0)
        assert terminated == (reward >= 10)
        if terminated:
            return
    pytest.fail("twenty field wagers lost")


def test_rolls_truncate_an_episode() -> None:
    env = env_of(rolls=2)
    env.reset(seed=0)
    assert env.step(0)[2:4] == (False, False)
    assert env.step(0)[2:4] == (False, True)


def test_calls_and_the_last_settlements_are_seen() -> None:
    env = env_of(says=["hard-8 for 5", "hard-8 on", "hard-8 off", "field for 5", "press the 6"])
    env.reset(seed=0)
    say(env, "hard-8 for 5")
    place = env.slugs.index("hard-8")
    assert env.step(env.menu.index("hard-8 on"))[0]["calls"][place] == 1
    assert env.step(env.menu.index("hard-8 off"))[0]["calls"][place] in (0, 2)
    assert "no wager up on the 6" in say(env, "press the 6")["refusal"]["reason"]
    say(env, "field for 5")
    seen, reward, _, _, info = env.step(0)
    assert [(done.wager, done.result) for done in info["settled"]] == [
        ("field", "win" if reward > 0 else "lose")
    ]
    assert seen["dice"].min() >= 1


def test_fire_shows_the_points_made() -> None:
    env = env_of(elections={"offers.fire": "A"}, says=["fire for 1"], rolls=400)
    for seed in range(50):
        env.reset(seed=seed)
        say(env, "fire for 1")
        for _ in range(30):
            seen = env.step(0)[0]
            if seen["made"].any():
                assert seen["made"][sum(seen["dice"])] == 1
                return
    pytest.fail("no shooter made a point")


def test_the_table_in_words() -> None:
    env = env_of(render_mode="ansi")
    env.reset(seed=0)
    say(env, "pass for 10")
    assert env.render() == (
        "roll 0     puck OFF    nothing thrown yet\n"
        "wagers     pass $10\n"
        "rail       $490, worth $500"
    )
    env.step(0)
    drawn = env.render()
    assert drawn is not None
    assert drawn.startswith("roll 1 ")
    silent = env_of()
    silent.reset(seed=0)
    assert silent.render() is None


def test_it_flattens_and_goes_side_by_side() -> None:
    flat = FlattenObservation(gymnasium.make(ID))
    seen, _ = flat.reset(seed=0)
    assert flat.observation_space.contains(seen)
    both = gymnasium.make_vec(ID, 2, vectorization_mode="sync", vector_kwargs={})
    _, infos = both.reset(seed=0)
    assert infos["action_mask"].shape == (2, len(env_of().menu))
    both.step(np.array([0, 1]))
    both.close()


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"house": "nevada"}, "no rulebook"),
        ({"house": "iowa", "game": "crapless"}, "crapless"),
        ({"elections": {"odds.multiple": "101"}}, "not allowed"),
        ({"bankroll": 0}, "expected an amount above zero"),
        ({"bankroll": -5}, "not a valid amount"),
        ({"bankroll": 100.5}, "whole chips"),
        ({"bankroll": 500, "goal": 500}, "not above"),
        ({"rolls": 0}, "rolls = 0"),
        ({"rolls": 2.5}, "rolls = 2.5"),
        ({"says_a_roll": 0}, "says_a_roll = 0"),
        ({"says": ["pas for 10"]}, "not understood"),
        ({"says": ["pass for 10; field for 5"]}, "one say"),
        ({"says": [10]}, "one say"),
        ({"says": ["pass for 10", "pass for 10"]}, "twice"),
        ({"says": ["pass for 10 match 10"]}, "plain wager"),
        ({"says": ["all down"]}, "no say of the menu"),
        ({"says": []}, "no say of the menu"),
        ({"render_mode": "rgb_array"}, "render mode"),
    ],
)
def test_bad_input_is_told(how: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        PasslineEnv(**how)


def test_a_house_is_taken_as_it_is() -> None:
    house = env_of("iowa").house
    assert PasslineEnv(house).house is house
    with pytest.raises(ValueError, match="not a House"):
        PasslineEnv(house, elections={"odds.multiple": "2"})


def test_a_book_without_a_maximum_is_bounded_too() -> None:
    house = env_of("iowa").house
    stakes = house.book.stakes
    free = replace(stakes, over_max=replace(stakes.over_max, value="accept"))
    env = PasslineEnv(replace(house, book=replace(house.book, stakes=free)), bankroll=20_000)
    seen, _ = env.reset(seed=0)
    assert isinstance(env.observation_space, spaces.Dict)
    wagers = env.observation_space["wagers"]
    assert isinstance(wagers, spaces.Box)
    assert wagers.high.min() > 5_000
    assert env.observation_space.contains(seen)


def test_bad_actions_and_options_are_told() -> None:
    env = env_of()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    with pytest.raises(ValueError, match="takes no options"):
        env.reset(options={"bankroll": 5})
    env.reset(seed=0)
    with pytest.raises(ValueError, match="no action 1000"):
        env.step(1000)


def test_without_gymnasium_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("passline.lab.gym")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(ModuleNotFoundError, match=r"passline\[gym\]"):
        __import__("passline.lab.gym")


@pytest.mark.parametrize("book", BOOKS)
def test_the_mask_is_what_the_table_would_say(book: str) -> None:
    """``list_options`` and ``decide`` agree on every entry, wherever play leads."""
    env = PasslineEnv(book, bankroll=300, rolls=8)
    env.reset(seed=5)
    chance = random.Random(5)
    over = False
    while not over:
        mask = env.action_masks()
        tried = [not isinstance(apply_say(env._table, say), Refusal) for say in env._says]
        more = env._spoken < env.says_a_roll
        assert mask[1:].tolist() == [each and more for each in tried]
        *_, terminated, truncated, _ = env.step(
            np.int64(chance.choice([0, *mask.nonzero()[0].tolist()]))
        )
        over = terminated or truncated
