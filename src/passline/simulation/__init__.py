"""Playing machines with random dice: many rolls, or many sessions, on all cores.

This package knows chains and machines, not the rules. Nothing heavy is imported before it is used.
"""

from passline.simulation.cluster import ClusterError, dask_workers
from passline.simulation.open_machines import Playable
from passline.simulation.rolls import PlayedRolls, play_rolls
from passline.simulation.seeds import fresh_seed
from passline.simulation.sessions import sample_session

__all__ = [
    "ClusterError",
    "Playable",
    "PlayedRolls",
    "dask_workers",
    "fresh_seed",
    "play_rolls",
    "sample_session",
]
