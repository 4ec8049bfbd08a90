"""The drills, one to a module."""
