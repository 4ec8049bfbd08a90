"""Exact answers: chains of states solved in fractions or in compiled doubles."""
