"""Strategies: built in, or a user's own from ``file.py:function``, crapssim or a policy."""
