"""Strategies: the built-in ones, and a user's own from ``file.py:function``, crapssim or a
policy.
"""
