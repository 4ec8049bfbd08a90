"""Arrays by what they hold, as loops and machines hand them to each other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Whole numbers: worths, rungs, counts.
IntArray = NDArray[np.int64]
#: A machine's own: next states, and changes of money in cents.
Int32Array = NDArray[np.int32]
#: Random bits, and the generator's state.
WordArray = NDArray[np.uint64]
FloatArray = NDArray[np.float64]
#: Limbs of whole numbers, or doubles in a single limb.
WeightArray = NDArray[Any]
