"""Ways to bet: the built-in strategies, and a user's own from ``file.py:function``."""

from passline.strategies.answer import Strategy
from passline.strategies.built_in import BUILT_IN, summary
from passline.strategies.load import Loaded, load_strategy

__all__ = ["BUILT_IN", "Loaded", "Strategy", "load_strategy", "summary"]
