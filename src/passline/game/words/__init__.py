"""The catalog of words: every sentence that the game shows to people, by subject.

Events, refusals and wagers carry codes and figures; the modules here turn them into sentences.
``wagers`` names wagers, ``refusals`` says why not, ``events`` what happened, ``next_roll`` what
could happen, ``hands`` how rare it was, and ``crew`` what the crew does. Money is formatted by
``game/money``. A translator starts here.
"""
