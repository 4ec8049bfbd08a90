"""Money as whole cents, odds as exact ratios. No float ever stands for money."""
