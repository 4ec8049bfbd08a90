"""simulation."""

__all__: list[str] = []
