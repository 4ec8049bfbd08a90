"""The catalog of words: every sentence that the game shows to people, by subject.

Events, refusals and wagers carry codes and figures; the modules here turn them into sentences.
``wagers`` names wagers, ``refusals`` says why not, ``events`` what happened, ``hands`` how rare it
was, ``crew`` what the crew does, ``suggestions`` what a player may have meant, ``odds`` what the
figures mean, and ``placard`` what each wager pays. ``prompt`` is the terminal table, ``live`` a
live table, ``log`` its log and store, ``web`` a server and its pages, ``school`` the school and
``lab`` the lab. Money is formatted by ``game/money``. A translator starts here.
"""
