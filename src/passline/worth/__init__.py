"""worth."""

__all__: list[str] = []
