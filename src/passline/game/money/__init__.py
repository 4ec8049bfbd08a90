"""Money in whole cents, odds as exact ratios, chips. No amount is a floating-point number."""
