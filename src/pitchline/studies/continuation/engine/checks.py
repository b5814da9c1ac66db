"""Checks that the map from the start of a motion to its end is that of a smooth motion with the stated period."""

from __future__ import annotations

import numpy as np

from ....errors import ModelError
from ....solvers.consistent import consistent_accelerations
from ....system.system import System
from .lap import Lap

__all__ = ["check_elements", "check_symmetry"]

SMALL_MOTION = 1e-6
"""Amplitude of a vibration whose accelerations are compared [rad, and fractions of the length of the model]."""
SAME_ACCELERATION = 1e-6
"""Difference of accelerations, relative to the largest one, that is rounding."""


def check_elements(system: System) -> None:
    """ModelError if elements have a past that is not part of the state, or act suddenly."""
    for element in system.elements[: system.active]:
        reason = ""
        if element.switches or element.kind.guard is not None:
            reason = "its friction sticks and slips, so that the end of a motion is not a smooth function of its start"
        elif element.opening_rows:
            reason = "rigid teeth and stops that open and close have impacts. Use elastic teeth"
        elif element.every_step or element.own(condensed=True) or (element.kind.outputs and element.memory.size):
            reason = "it has internal values that are not part of the state (a delay, a sampled controller, a relay, contact cells)"
        if reason:
            raise ModelError(f'continuation: "{element.name}" is not supported: {reason}')


def check_symmetry(lap: Lap, y: np.ndarray) -> None:
    """ModelError if the machine, rotated by the steady rotation of a period, one period later, has other accelerations."""
    s = lap.system
    before = lap.start(y)
    after = lap.chart.advanced(before, lap.turn)
    after.t += lap.period
    consistent_accelerations(s, after)
    # accelerations of free rotations are in the axes of their nodes, as velocities are
    turned, back = before.copy(), after.copy()
    turned.v, back.v = before.vd.copy(), after.vd.copy()
    reference = lap.reference.copy()
    reference.v = np.zeros_like(reference.v)
    difference = lap.chart.difference(back, reference, lap.turn)[1] - turned.v
    weight = s.layout.weight[: s.n_q]
    size = float(np.max(np.abs(before.vd) * weight, initial=0.0))
    size = max(size, SMALL_MOTION * (2 * np.pi / lap.period) ** 2)
    wrong = np.abs(difference) * weight
    wrong[s.own.first_order] = 0.0
    if wrong.max(initial=0.0) > SAME_ACCELERATION * size:
        name = s.unknown_name(int(np.argmax(wrong)))
        raise ModelError(
            f"continuation: the model does not repeat after {lap.described} ({lap.period:.4g} s): {name} then has another "
            "acceleration in the same position. Common causes are another mesh cycle, a wheel with runout or unbalance, a load "
            'with another period and gravity. Specify with period= a time after which everything repeats, or "revolution"'
        )
