"""Two dice: their 36 outcomes and the weight of each. The rules about totals are in
``game.law``.
"""
