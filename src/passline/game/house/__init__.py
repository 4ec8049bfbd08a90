"""A house: a rulebook and a casino's elections, which are its choices where the book allows any.

``make_lawful_house`` (from elections) and ``house_for`` (from a rulebook's id or a house-rules
file) make houses that the rulebook allows. ``make_house`` makes any house. ``lint`` reports what is
not allowed.
"""
