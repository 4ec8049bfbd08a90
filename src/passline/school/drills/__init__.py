"""The drills, one to a module; ``registry`` finds them by name."""

__all__: list[str] = []
