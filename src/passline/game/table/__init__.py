"""The table: seats, rails, wagers, the bank and the dice. ``decide`` turns a command into events or
a refusal.

State changes only by folding events (``evolve``). Nothing here reads a clock, a file or a random
number.
"""
