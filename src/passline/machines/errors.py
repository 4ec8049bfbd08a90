"""What can be wrong with a strategy, or with a machine."""


class StrategyError(ValueError):
    """A strategy that cannot be played: it raised, was refused, or answered nonsense."""


class MachineFull(StrategyError):  # noqa: N818 - it is not the strategy's error alone
    """The machine met its ceiling: more states than its memory was allowed to hold."""


class MachineFileError(ValueError):
    """A saved machine that cannot be read."""
