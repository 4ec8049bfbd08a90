"""The table: seats, rails, wagers, the bank and the dice.

``decide`` turns a command into events or a refusal, and ``evolve`` applies an event; nothing else
changes a table. Nothing here reads a clock, a file or a random number.
"""
