"""The felt of a house, as a picture: where each wager is printed, and the chips on it.

``plan`` computes it without chips, ``layout_contents`` adds what is on it at a table, and ``svg``
and ``terminal`` draw it.
"""
