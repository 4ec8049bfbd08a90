"""Strategies written for crapssim, unchanged, as strategies of ours.

crapssim's classes are its own: here they are shown our table, and what they put up or take down is
said to it. Its package is loaded when it is first asked for (``passline[crapssim]``).
"""

from passline.strategies.crapssim.names import PREFIX, make_by, visitor_named
from passline.strategies.crapssim.visitor import Visitor, is_theirs

__all__ = ["PREFIX", "Visitor", "is_theirs", "make_by", "visitor_named"]
