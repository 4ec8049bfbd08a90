"""A casino's elections over a rulebook: reading, resolving, checking and posting them.

``lawful_house`` (elections as data) and ``house_for`` (a rulebook's id or a house-rules file) make
houses that the rulebook allows; ``make_house`` makes any; ``lint`` says what is not allowed.
"""
