"""What can be wrong with a strategy, or with a machine."""


class StrategyError(ValueError):
    """A strategy that cannot be played: it raised, was refused, or answered nonsense.

    ``why`` is the reason alone; the message has the strategy's name before it, where that is known.
    """

    def __init__(self, why: str, strategy: str = "") -> None:
        super().__init__(f"{strategy}: {why}" if strategy else why)
        self.why = why


class MachineFull(StrategyError):  # noqa: N818 - it is not the strategy's error alone
    """The machine met its ceiling: more states than its memory was allowed to hold."""


class MachineFileError(ValueError):
    """A saved machine that cannot be read."""
