"""Run strategies written for crapssim, unchanged, at our table.

The adapter shows them our table, and says to it what they put up or take down. crapssim is imported
when it is first needed (``passline[crapssim]``).
"""
