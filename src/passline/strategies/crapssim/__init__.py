"""Strategies written for crapssim, unchanged, as strategies of ours.

crapssim's classes are its own: here they are shown our table, and what they put up or take down is
said to it. Its package is loaded when it is first asked for (``passline[crapssim]``).
"""

from passline.strategies.crapssim.guest import Guest, is_theirs
from passline.strategies.crapssim.names import PREFIX, guest_named, make_by

__all__ = ["PREFIX", "Guest", "guest_named", "is_theirs", "make_by"]
