"""Ways to bet: the built-in strategies, and a user's own from ``file.py:function``."""
