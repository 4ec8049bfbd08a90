"""Strategies: functions that decide what to bet before each roll.

They are built in, or a user's own from ``file.py:function``, from the crapssim package, or from a
policy that ``passline best`` found.
"""
