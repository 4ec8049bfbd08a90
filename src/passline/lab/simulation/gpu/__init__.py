"""The same chains on a graphics card: several rolls a draw, a game a thread.

CuPy is loaded when a card is first asked for; what is tabulated for it needs numpy alone.
"""
