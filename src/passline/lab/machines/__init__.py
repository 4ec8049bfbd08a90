"""Explore a strategy at a table into a finite state machine: two arrays, ``next[state, outcome]``
and ``money[state, outcome]``.

Every bet and every roll goes through the real engine (``passline.game``). Only ``machine``,
``joint_machine``, ``lump_states``, ``play_out``, ``reduced_bets``, ``arrays`` and ``compile_loops``
need the ``lab`` extra (numpy and numba).
"""
