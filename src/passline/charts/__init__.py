"""charts."""

__all__: list[str] = []
