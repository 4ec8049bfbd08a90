"""Run strategies written for the crapssim package, unchanged, at our table.

The adapter shows them our table, and makes or takes down the bets that they choose. crapssim is
imported when it is first needed (``passline[crapssim]``).
"""
