"""The wager shapes, one module each. A rulebook picks a shape for every wager and fills it in.

To add a shape, add a module here and its class to ``AnyWager``; all other code calls the shape's
methods. Nothing here plays a game or reads a file.
"""

from passline.game.law.shapes.collect import Collect
from passline.game.law.shapes.come import Come
from passline.game.law.shapes.composite import Composite
from passline.game.law.shapes.hardway import Hardway
from passline.game.law.shapes.line import Line
from passline.game.law.shapes.odds import OddsRule
from passline.game.law.shapes.one_roll import OneRoll
from passline.game.law.shapes.race import Race

#: Every shape, as the ``shape`` key of a wager in a rulebook names it.
AnyWager = Line | Come | OddsRule | Race | Hardway | OneRoll | Composite | Collect
