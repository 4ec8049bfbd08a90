"""Random games, legal and illegal: nothing crashes, no cent is lost, replay gives the same table.

The default run is reproducible; ``PASSLINE_DEEP=20`` plays twenty times as many, at random.
"""
