"""What can be wrong with a picture."""


class ChartError(ValueError):
    """A picture that cannot be made; the message is one line that says why."""
