"""Turn a strategy at a table into a finite state machine by trying every roll in every state.

A machine has two arrays, ``next[state, outcome]`` and ``money[state, outcome]``. Every bet and roll
goes through the real engine (``passline.game``). Only ``machine``, ``machine_cache``,
``joint_machine``, ``lump_states``, ``play_out``, ``reduced_bets``, ``arrays`` and ``compile_loops``
need the ``lab`` extra (numpy and numba).
"""
