"""How far two elastic gears give way over a mesh cycle at several loads: the rows of a table of loaded contact."""

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


def load_cycle(
    pair: ElasticPair, pose: MeshPose, torques: FloatArray, phases: int, done: Callable[[float], None], *, start: float = 0.0
) -> tuple[FloatArray, FloatArray]:
    """u [m] on the base circle of B; a row of first touch, and one for each torque on B [N m], over the phases of a cycle. And
    the face load factors, a row for each torque.

    The pair knows the sides that touch and how its axes stand. done: called with the part that is done, from 0 to 1. start:
    the angle of gear A [rad] at the first phase.
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

    # each thread has phases in a row, so that each starts from the one before; the first phase compiles what is to be compiled
    pair.forget()
    phase(pair, 0)
    parts = np.array_split(np.arange(1, phases), threads())

    def row(part: IntArray) -> None:
        twin = pair.twin()
        for i in part:
            phase(twin, int(i))

    with ThreadPoolExecutor(len(parts)) as pool:
        others = [pool.submit(row, part) for part in parts[1:]]
        for i in parts[0]:
            phase(pair, int(i))
            done((int(i) + 1) / (len(parts[0]) + 1))
        for other in others:
            other.result()
    return u / pair.shape_b.base_helix_cosine, factors
