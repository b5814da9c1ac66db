"""How far two elastic gears give way over a mesh cycle at several loads: the rows of a table of loaded contact.

Contact lines of helical teeth come in and leave little by little, and the approach is smooth over the cycle. Every second phase
is then enough, the others follow from its orders (trigonometric interpolation); whether it is smooth is looked up in the upper
half of the orders. Spur teeth take over with kinks: all phases are computed.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from ..fem.elimination_threads import threads
from .elastic_pair import ElasticPair
from .mesh_pose import MeshPose

__all__ = ["load_cycle"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_FEW = 64
"""Phases below which all are computed."""
_NOTHING, _SMALL = 1.5e-9, 3e-3
"""Amplitudes of an order [m], and by the peak to peak of all, that are next to nothing."""


def load_cycle(
    pair: ElasticPair,
    pose: MeshPose,
    torques: FloatArray,
    phases: int,
    done: Callable[[float], None],
    *,
    start: float = 0.0,
) -> tuple[FloatArray, FloatArray]:
    """u [m] on the base circle of B; a row of first touch, and one for each torque on B [N m], over the phases of a cycle. And
    the face load factors, a row for each torque.

    The pair contains the sides in contact and the position of its axes. done: called with the completed fraction, from 0 to 1.
    start: the angle of gear A [rad] at the first phase.
    """
    angles = start + np.arange(phases) / phases * pair.a.teeth.gear.angular_pitch
    back = pair.shape_b.side * pose.play
    u, factors = np.empty((1 + len(torques), phases)), np.empty((len(torques), phases))

    def phase(pressed: ElasticPair, i: int) -> None:
        phi = float(angles[i])
        near = pose.near_teeth(phi, pair.zeta)
        length = pose.contact_length(phi, pair.zeta, pair.widths, near)
        for t in range(len(torques) - 1, -1, -1):
            force = float(torques[t]) / pair.lever
            found = pressed.press(phi, pair.ratio * phi + back, force, near, length=length, case=t)
            u[1 + t, i] = found.approach
            factors[t, i] = found.face_load_factor(pair.widths)
        u[0, i] = pressed.first_touch(phi, pair.ratio * phi + back, near)

    def all_of(wanted: IntArray, begin: float, end: float) -> None:
        """Each thread has phases in a row, so that each starts from the one before."""
        parts = np.array_split(wanted, min(threads(), len(wanted)))

        def row(part: IntArray) -> None:
            twin = pair.twin()
            for i in part:
                phase(twin, int(i))

        with ThreadPoolExecutor(len(parts)) as pool:
            others = [pool.submit(row, part) for part in parts[1:]]
            for k, i in enumerate(parts[0]):
                phase(pair, int(i))
                done(begin + (end - begin) * (k + 1) / len(parts[0]))
            for other in others:
                other.result()

    pair.forget()
    phase(pair, 0)  # in this thread alone: it compiles what is to be compiled
    numbers = np.arange(phases)
    if pair.shape_a.twist and phases % 2 == 0 and phases >= _FEW:
        all_of(numbers[2::2], 0.0, 0.5)
        if _is_smooth(u[:, ::2]):
            u[:], factors[:] = _between(u[:, ::2]), _straight_between(factors[:, ::2])
            done(1.0)
        else:
            all_of(numbers[1::2], 0.5, 1.0)
    else:
        all_of(numbers[1:], 0.0, 1.0)
    return u / pair.shape_b.base_helix_cosine, factors


def _is_smooth(u: FloatArray) -> bool:
    """Whether the upper half of the orders that half of the phases show are next to nothing: the others then lie between."""
    n = u.shape[1]
    upper = 2.0 / n * np.abs(np.fft.rfft(u, axis=1))[:, n // 4 :]
    return bool((upper.max(axis=1) <= np.maximum(_NOTHING, _SMALL * np.ptp(u, axis=1))).all())


def _between(u: FloatArray) -> FloatArray:
    """Twice as many phases of a periodic function, by its orders."""
    n = u.shape[1]
    orders = np.fft.rfft(u, axis=1)
    if n % 2 == 0:
        orders[:, -1] *= 0.5
    result: FloatArray = 2.0 * np.fft.irfft(orders, 2 * n, axis=1)
    result[:, ::2] = u
    return result


def _straight_between(u: FloatArray) -> FloatArray:
    """Twice as many phases of a periodic function with kinks."""
    result = np.repeat(u, 2, axis=1)
    result[:, 1::2] = 0.5 * (u + np.roll(u, -1, axis=1))
    return result
