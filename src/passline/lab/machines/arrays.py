"""Type aliases for the numpy arrays that machines, solvers and compiled loops exchange."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Integers of 64 bits: amounts in cents, bankroll levels, counts.
IntArray = NDArray[np.int64]
#: A machine's own arrays: next state numbers, and changes of money in cents.
Int32Array = NDArray[np.int32]
#: Random numbers of 64 bits each, or the state of a random generator.
WordArray = NDArray[np.uint64]
FloatArray = NDArray[np.float64]
#: Probability weights: exact integers, split into machine words of 64 bits, or plain doubles.
WeightArray = NDArray[Any]
