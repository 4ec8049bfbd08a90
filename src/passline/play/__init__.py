"""Playing in the terminal: a table, a prompt, others at the rail."""

from passline.play.game import Game, new_record, resume_game
from passline.play.look import Look
from passline.play.rail import Other
from passline.play.sitting import Sitting

__all__ = ["Game", "Look", "Other", "Sitting", "new_record", "resume_game"]
