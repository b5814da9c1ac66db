"""Tables of loaded contact of gears with flanks of any shape: approach over load and phase.

The table of a mesh is that of a force f at a lever about the axis of B and of the approach u = lever (θ − play), θ the motion of B
from the middle of its backlash. The lever is the base circle of B, or of axes without common base circles that of the
normal (`gears.directions`). Wheel A pushes forwards with its left flanks; with its right ones where its axis is opposite to
that of the mesh (bevel gears whose z axis points to the apex).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from ..fem.elastic_gear import ElasticGear
from ..fem.elimination_threads import threads
from ..gears.placement import Placement
from ..model.computed_table import ComputedTable, TableRequest
from .general_pair import GeneralPair

__all__ = ["general_table"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


def general_table(
    request: TableRequest, a: ElasticGear, b: ElasticGear, done: Callable[[float], None]
) -> ComputedTable:
    """The table of two elastic gears in the placement of the request."""
    place = request.placement
    assert place is not None
    pose = Placement(np.array(place.position), np.array(place.rotation).reshape(3, 3))
    sides: tuple[str, ...] = ("left", "right") if place.forwards > 0.0 else ("right", "left")
    if request.coast is False:
        sides = sides[:1]
    torques = np.array(request.torques)
    found = []
    for k, side in enumerate(sides):
        contact = GeneralPair(a, b, pose, side=side, ratio=place.ratio, cells=request.cells)
        angles = place.forwards * np.arange(request.phases) / request.phases * contact.pitch
        motion = _cycle(contact, angles, torques, lambda part, first=k: done((first + part) / len(sides)))  # type: ignore[misc]
        found.append(place.lever * (motion - place.play))
    return ComputedTable(np.concatenate([[0.0], torques / place.lever]), found[0], found[1] if len(found) > 1 else None)


def _cycle(pair: GeneralPair, angles: FloatArray, torques: FloatArray, done: Callable[[float], None]) -> FloatArray:
    """θ: a row of first touch, and one for each torque, over the phases of a cycle."""
    motion = np.empty((1 + len(torques), len(angles)))

    def column(pressed: GeneralPair, i: int) -> None:
        phi = float(angles[i])
        near = pressed.near_teeth(phi)
        motion[0, i] = pressed.first_touch(phi)
        pressed.forget()
        for t in range(len(torques) - 1, -1, -1):
            motion[1 + t, i] = pressed.press(phi, float(torques[t]), near).motion
        # the least gap of samples may be a trifle greater than the true one
        motion[:, i] = np.maximum.accumulate(motion[:, i])

    def row(part: IntArray) -> None:
        twin = pair.twin()
        for i in part:
            column(twin, int(i))

    column(pair, 0)  # in this thread alone: it compiles what is to be compiled
    parts = np.array_split(np.arange(1, len(angles)), max(1, min(threads(), len(angles) - 1)))
    with ThreadPoolExecutor(len(parts)) as pool:
        others = [pool.submit(row, part) for part in parts[1:]]
        for k, i in enumerate(parts[0]):
            column(pair, int(i))
            done((k + 1) / len(parts[0]))
        for other in others:
            other.result()
    return motion
