"""The engine's speed and memory, measured beside crapssim in one run: ``python -m bench``."""
