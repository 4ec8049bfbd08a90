"""Many worlds, one after the other, in a process of their own."""

from __future__ import annotations

import logging

from tests.simulated.world import Outcome, run


def show_failure(outcome: Outcome) -> str:
    """What went wrong with a seed, and how to see it again."""
    return (
        f"seed {outcome.seed}: {outcome.wrong[0]}"
        f"{f' (and {len(outcome.wrong) - 1} more)' if len(outcome.wrong) > 1 else ''}\n"
        f"  again, with all that happened: make simulate-faults SEED={outcome.seed}"
    )


def quietly(seed: int) -> Outcome:
    """One world; what the simulation itself cannot go on with is told as what went wrong."""
    logging.disable(logging.CRITICAL)
    try:
        return run(seed)
    except Exception as wrong:
        return Outcome(seed, "", (f"the simulation fails: {wrong!r}",), 0, 0)
