"""A house: a casino's elections over a rulebook. Read, check, resolve and post them.

``make_lawful_house`` (from elections) and ``house_for`` (from a rulebook's id or a house-rules
file) make houses that the rulebook allows. ``make_house`` makes any house. ``lint`` reports what is
not allowed.
"""
