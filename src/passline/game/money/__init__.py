"""Money in whole cents, odds as exact ratios, chips. Floating-point numbers never stand
for money.
"""
