"""What a scene is made from: the description of a model, and how its parts move if it was run."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ...model import Model
    from ...results import Result
    from ...results.operating_pose import OperatingPose

__all__ = ["SceneSource", "surfaces_of"]

POSES = 4000
"""Most samples of poses in a block."""


@dataclass(frozen=True, eq=False)
class SceneSource:
    """model: the description, plain data. time: of the poses [s]. keep: which samples of the result they are.

    surfaces: points (p, 3) [m] and triangles (t, 3) of flexible bodies by name, in their axes, if a model is available.
    read: values of signals at these times, as far as they were asked for.
    """

    model: dict[str, Any]
    time: NDArray[np.float64]
    keep: slice
    signals: Mapping[str, Any]
    surfaces: Mapping[str, tuple[NDArray[np.float64], NDArray[np.int64]]] = field(default_factory=dict)
    read: dict[str, NDArray[np.float64]] = field(default_factory=dict)

    @classmethod
    def of_result(cls, result: Result, model: Model | None = None) -> SceneSource:
        """model: the one that was run, if it is available."""
        keep = slice(None, None, max(1, math.ceil(result.samples / POSES)))
        made = cls(result.model, result.time[keep], keep, result.signals, {} if model is None else surfaces_of(model))
        if (
            result.samples > POSES
        ):  # poses are needed in any case: of a file, they are read and checked beside each other
            poses = [name for name in result.signals if name.endswith((".position", ".orientation"))]
            with ThreadPoolExecutor(min(8, os.cpu_count() or 1)) as pool:
                list(pool.map(made.signal, poses))
        return made

    @classmethod
    def of_model(cls, model: Model) -> SceneSource:
        from ...model.describe import describe

        return cls(describe(model), np.zeros(1), slice(None), {}, surfaces_of(model))

    @classmethod
    def of_pose(cls, pose: OperatingPose) -> SceneSource:
        """A model at the point about which it was linearised."""
        still: dict[str, Any] = {}
        for name, place, turn in zip(pose.bodies, pose.positions, pose.orientations, strict=True):
            still |= {f"{name}.position": place[None], f"{name}.orientation": turn[None]}
        surfaces = {}
        for name, (points, triangles) in pose.surfaces.items():
            said = pose.model["flexible_bodies"][name]
            surfaces[name] = ((points - np.asarray(said["position"])) @ np.asarray(said["orientation"]), triangles)
        return cls(pose.model, np.zeros(1), slice(None), still, surfaces)

    def signal(self, name: str) -> NDArray[np.float64] | None:
        """Values of a signal at the times of the poses; None where there is none."""
        found = self.signals.get(name)
        if found is None:
            return None
        if name not in self.read:  # of a signal in a file, no more than this is kept in memory
            self.read[name] = np.asarray(found[self.keep])
        return self.read[name]


def surfaces_of(model: Model) -> dict[str, tuple[NDArray[np.float64], NDArray[np.int64]]]:
    """Surfaces of the flexible bodies of a model that have one."""
    found = {}
    for name, structure in model.structures.items():
        body = getattr(structure, "superelement", None)
        if body is not None and len(body.triangles):
            found[name] = (body.points, body.triangles)
    return found
