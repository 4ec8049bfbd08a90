"""The felt of a house, as a picture: where each wager is printed, and the chips on it.

``plan`` computes it without chips, and ``layout_contents`` adds what is on it at a table. ``svg``
draws it as SVG, ``text_drawing`` as text.
"""
