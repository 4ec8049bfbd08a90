"""The dealer school: lessons, drills, grading, practice, auditions (tests), work at live tables.

Questions and answers come from the engine, never from a second table of payouts.
"""
