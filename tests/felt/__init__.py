"""Tests of the felt: its zones, its places, what is on it, and its picture."""
