"""The state that a picture shows: one sample of a result, or a model as built."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pitchline.errors import PitchlineError, shown
from pitchline.parts.flexible.scene import add_flexible_fields
from pitchline.units.quantity import quantity
from pitchline.viewer.block import Block
from pitchline.viewer.scene_checked import checked_scene
from pitchline.viewer.scene_parts import SceneSource, surfaces_of

if TYPE_CHECKING:
    from pitchline.model.model import Model
    from pitchline.results.modes import OperatingPose
    from pitchline.results.result import Result

__all__ = ["SceneArrays", "MachineState", "sample_at", "state_of_pose", "state_of"]


# ---- scene arrays

# Block of a scene that keeps its arrays in memory.


class SceneArrays(Block):
    """Arrays of a scene by name, as they are given: a picture needs no packed bytes."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[str, NDArray[Any]] = {}

    def add(self, name: str, values: ArrayLike, dtype: str) -> str:
        """Keep an array; returns its name."""
        self.kept[name] = np.asarray(values)
        self.arrays[name] = {"dtype": dtype, "shape": list(self.kept[name].shape)}
        return name

    def add_columns(self, name: str, values: ArrayLike) -> str:
        """Keep an array over time; returns its name."""
        return self.add(name, values, "f8")

    def array(self, name: str) -> NDArray[Any]:
        """Return an array by its name."""
        return self.kept[name]


@dataclass(frozen=True, eq=False)
class MachineState:
    """Scene of a machine at one moment.

    head: as a page of the viewer reads it. time: of the sample [s], None for a model as built and for an equilibrium.
    """

    head: dict[str, Any]
    array: Callable[[str], Any]
    model: dict[str, Any]
    name: str
    time: float | None

    def row(self, name: str) -> np.ndarray:
        """Return the values of an array over time at this moment."""
        return np.asarray(self.array(name), dtype=np.float64)[0]


def sample_at(result: Result, t: object) -> int:
    """Return the number of the sample next to a time [s] or "20 ms"; the last sample for None.

    A time outside the record is an error.
    """
    if t is None:
        return result.samples - 1
    time = quantity(t, "time", what="picture: t")
    first, last = float(result.time[0]), float(result.time[-1])
    edge = 1e-9 * max(abs(first), abs(last), 1e-12)
    if not first - edge <= time <= last + edge:
        raise PitchlineError(
            f"picture: t = {shown(t)} is outside the record of this result, which is from {first:.6g} s to {last:.6g} s. "
            "Specify a time inside this range, or leave out t for the last sample"
        )
    return int(np.argmin(np.abs(result.time - time)))


def state_of(
    machine: Result | Model | Mapping[str, Any], t: object = None, *, model: Model | None = None
) -> MachineState:
    """Build the scene of a result at a time, or of a model or the data of its `describe()` as built.

    model: the model of the result, for flexible bodies.
    """
    from pitchline.model.model import Model
    from pitchline.results.result import Result

    block = SceneArrays()
    if isinstance(machine, (Model, Mapping)):
        name = machine.name if isinstance(machine, Model) else str(machine.get("name", ""))
        if t is not None:
            raise PitchlineError(
                f'picture: a model has no time history, got t = {shown(t)}. Leave out t to draw model "{name}" as built, '
                "or draw a result"
            )
        if isinstance(machine, Model):
            source = SceneSource.of_model(machine)
        else:
            source = SceneSource(dict(machine), np.zeros(1), slice(None), {})
        return MachineState(checked_scene(source, block, name), block.array, source.model, name, None)
    if not isinstance(machine, Result):
        raise PitchlineError(f"picture: expected a result or a model, got {shown(machine)}")
    if not machine.model:
        raise PitchlineError(
            "picture: the result does not contain the description of its model, so that there is nothing to draw"
        )
    n = sample_at(machine, t)
    surfaces = {} if model is None else surfaces_of(model)
    source = SceneSource(machine.model, machine.time[n : n + 1], slice(n, n + 1), machine.signals, surfaces)
    head = checked_scene(source, block, machine.model_name)
    if model is not None:
        add_flexible_fields(head, source, block, model)
    time = float(machine.time[n])
    known = time if machine.samples > 1 or time else None  # an equilibrium at 0 s needs no time in its title
    return MachineState(head, block.array, machine.model, machine.model_name, known)


def state_of_pose(pose: OperatingPose, name: str) -> MachineState:
    """Build the scene of a model at the point about which it was linearised."""
    block = SceneArrays()
    source = SceneSource.of_pose(pose)
    return MachineState(checked_scene(source, block, name), block.array, source.model, name, None)
