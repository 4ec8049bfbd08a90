"""The same chains on a graphics card: several rolls a draw, a game a thread.

CuPy is loaded when a card is first asked for; what is tabulated for it needs numpy alone.
"""

from passline.simulation.gpu.card import GraphicsCard, NoCardError, open_card
from passline.simulation.gpu.rolls import play_rolls_on
from passline.simulation.gpu.sessions import sample_session_on

__all__ = ["GraphicsCard", "NoCardError", "open_card", "play_rolls_on", "sample_session_on"]
