"""The dealer school: lessons, drills, grading, practice, auditions and work at a live table.

Questions and answers come from the engine, never from a second table of payouts.
"""
