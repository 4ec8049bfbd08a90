"""A Gymnasium environment in which an agent plays craps at the real table.

``passline[gym]`` installs Gymnasium. Importing this package registers ``passline/Craps-v0``.

>>> import gymnasium, passline.lab.gym
>>> env = gymnasium.make("passline/Craps-v0", house="iowa", bankroll=300)
>>> observation, info = env.reset(seed=7)
>>> float(observation["rail"][0])
300.0
"""

try:
    import gymnasium
except ModuleNotFoundError as error:
    if error.name != "gymnasium":
        raise
    from passline.optional_packages import missing_extra

    raise missing_extra(error, "passline.lab.gym") or error from None

from passline.lab.gym.env import PasslineEnv
from passline.lab.gym.menu import default_menu

__all__ = ["ID", "PasslineEnv", "default_menu"]

#: The environment's id for ``gymnasium.make``.
ID = "passline/Craps-v0"

if ID not in gymnasium.registry:
    gymnasium.register(id=ID, entry_point="passline.lab.gym.env:PasslineEnv")
