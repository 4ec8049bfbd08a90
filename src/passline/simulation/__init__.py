"""Playing machines with random dice: many rolls, or many sessions, on all cores.

This package knows chains and machines, not the rules. Nothing heavy is imported before it is used.
"""

from passline.simulation.cluster import ClusterError, dask_hands
from passline.simulation.open_machines import Playable
from passline.simulation.rolls import Played, play_rolls
from passline.simulation.seeds import fresh_seed
from passline.simulation.sessions import SampledSession, sampled

__all__ = [
    "ClusterError",
    "Playable",
    "Played",
    "SampledSession",
    "dask_hands",
    "fresh_seed",
    "play_rolls",
    "sampled",
]
