"""The table: seats, rails, wagers, the bank and the dice. A command goes in; events or a refusal
come out.

State changes only by folding events (``evolve``). Nothing here reads a clock, a file or a random
number.
"""
