"""Two dice: their 36 outcomes and the weight of each. Rules about totals are in ``game.law``."""
