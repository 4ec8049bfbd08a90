"""Benchmarks of the engine (``python -m bench``) and of live tables (``bench.live`` and others)."""
