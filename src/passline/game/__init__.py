"""The rules of the game. ``table`` is the live state; commands change it through events.

``law`` has the rulebooks, ``house`` a casino's choices under one of them, ``layout`` the wagers
that such a house deals and how a throw settles them. ``dice`` and ``money`` are the basic values,
and ``words`` turns codes into sentences. Apart from reading rulebooks and house-rules files, no
module here does input or output.
"""
