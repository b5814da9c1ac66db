"""How far two elastic gears give way over a mesh cycle at several loads: the rows of a table of loaded contact."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from .elastic_pair import ElasticPair
from .mesh_pose import MeshPose

__all__ = ["load_cycle"]

FloatArray = npt.NDArray[np.float64]


def load_cycle(
    pair: ElasticPair, pose: MeshPose, torques: FloatArray, phases: int, done: Callable[[float], None], *, start: float = 0.0
) -> tuple[FloatArray, FloatArray]:
    """u [m] on the base circle of B; a row of first touch, and one for each torque on B [N m], over the phases of a cycle. And
    the face load factors, a row for each torque.

    The pair knows the sides that touch and how its axes stand. done: called with the part that is done, from 0 to 1. start:
    the angle of gear A [rad] at the first phase.
    """
    angles = start + np.arange(phases) / phases * pair.a.teeth.gear.angular_pitch
    zeta, widths = pair.zeta, pair.widths
    back = pair.shape_b.side * pose.play
    u, factors = np.empty((1 + len(torques), phases)), np.empty((len(torques), phases))
    for t, T in enumerate(torques):
        pair.forget()
        for i, phi in enumerate(angles):
            near = pose.near_teeth(phi, zeta)
            length = pose.contact_length(phi, zeta, widths, near)
            found = pair.press(phi, pair.ratio * phi + back, float(T) / pair.lever, near, length=length)
            u[1 + t, i] = found.approach
            factors[t, i] = found.face_load_factor(widths)
            if t == 0:
                u[0, i] = pair.first_touch(phi, pair.ratio * phi + back, near)
        done((t + 1) / len(torques))
    return u / pair.shape_b.base_helix_cosine, factors
