"""The dealer school: lessons, drills, grading, practice, auditions and work at a live table.

Questions and answers come from the engine and the crew's data, never from a second table of
payouts.
"""
