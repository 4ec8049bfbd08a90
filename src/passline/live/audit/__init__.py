"""The parts of an audit: reading a log, and what each check holds every entry against."""

__all__: list[str] = []
