"""What ``passline simulate`` is asked: its numbers, read and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from passline.cli.common import fail
from passline.cli.lab_options import dice_of
from passline.cli.strategy_options import memory_of, read_count, seed_of, workers_of

if TYPE_CHECKING:
    from passline.dice import Dice


class RollsAsked(NamedTuple):
    """The run that is meant."""

    rolls: int
    seed: int | None
    workers: int | None
    dask: str | None
    memory: int
    device: str
    dice: Dice


def read_rolls_asked(given: dict[str, Any]) -> RollsAsked:
    """The options as they are meant; what makes no sense ends the command."""
    from passline.lab.simulations import MOST_ROLLS

    if given["workers"] is not None and given["dask"] is not None:
        fail("--workers are this machine's, --dask brings its own: give one of them")
    if given["device"] == "gpu":
        for option in ("workers", "dask"):
            if given[option] is not None:
                fail(f"--{option} are processors, --device gpu is a card: give one of them")
    return RollsAsked(
        rolls=read_count("--rolls", given["rolls"], 1, MOST_ROLLS) or 0,
        seed=seed_of(given["seed"]),
        workers=workers_of(given["workers"]),
        dask=given["dask"],
        memory=memory_of(given["memory"]),
        device=given["device"],
        dice=dice_of(given["dice"]),
    )
