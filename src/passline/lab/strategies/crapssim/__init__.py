"""Strategies written for crapssim, unchanged, as strategies of ours.

crapssim's classes are its own: here they are shown our table, and what they put up or take down is
said to it. Its package is loaded when it is first asked for (``passline[crapssim]``).
"""
