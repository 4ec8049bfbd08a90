"""The loops of the waves: one roll of every row at once, at some frequencies.

Every number of the loops stands in this file: compiled code is made anew when it changes.
"""

from __future__ import annotations

import numpy as np

from passline.machines.arrays import Floats, Ints
from passline.machines.compiling import compiled


@compiled()
def roll_waves(
    now: Floats, then: Floats, source: Ints, step: Ints, phases: Floats, target: Ints, first: Ints
) -> None:
    """``now[part, row, frequency]`` becomes ``then``: part 0 is real, part 1 imaginary.

    An arc from ``source`` turns what it brings by ``phases[part, step, frequency]``.
    """
    wide = now.shape[2]
    then[:] = 0.0
    for place in range(len(target)):
        real, imag = then[0, target[place]], then[1, target[place]]
        for arc in range(first[place], first[place + 1]):
            a, b = now[0, source[arc]], now[1, source[arc]]
            c, d = phases[0, step[arc]], phases[1, step[arc]]
            for at in range(wide):
                real[at] += a[at] * c[at] - b[at] * d[at]
                imag[at] += a[at] * d[at] + b[at] * c[at]


@compiled()
def tilt_rolls(
    rolls: int, start: int, rows: int, source: Ints, factor: Floats, target: Ints, first: Ints
) -> Floats:
    """The logarithm of the mean of exp(tilt x worth), added up over every roll from none to
    ``rolls``: for each tilt, an arc from ``source`` multiplying by ``factor[arc, tilt]``."""
    tilts = factor.shape[1]
    now, then = np.zeros((rows, tilts)), np.zeros((rows, tilts))
    now[start] = 1.0
    scale, summed = np.zeros(tilts), np.zeros(tilts)
    for _ in range(rolls):
        then[:] = 0.0
        for place in range(len(target)):
            into = then[target[place]]
            for arc in range(first[place], first[place + 1]):
                here, times = now[source[arc]], factor[arc]
                for at in range(tilts):
                    into[at] += here[at] * times[at]
        now, then = then, now
        for at in range(tilts):
            whole = now[:, at].sum()
            now[:, at] /= whole
            scale[at] += np.log(whole)
            summed[at] = np.logaddexp(summed[at], scale[at])
    return summed
