"""Run strategies written for the package crapssim, unchanged, at our table.

The adapter shows them our table as crapssim would, and makes the bets that they choose. crapssim is
imported when it is first needed (``passline[crapssim]``).
"""
