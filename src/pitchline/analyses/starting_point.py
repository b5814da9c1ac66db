"""Start of an analysis: the initial conditions of the model, or the end of another result."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import ModelError, shown
from ..model import Model
from ..model.gear_mesh import GearMesh
from ..results.result import Result
from ..solids.rotations import rotation_of_quaternion
from ..system.snapshot import Snapshot


def starting_point(model: Any, start: Any, *, time: float | None = None) -> Snapshot:
    """Return the snapshot of `start`: None (initial conditions of the model), the last sample of a Result, or
    positions by name of joint."""
    if not isinstance(model, Model):
        raise ModelError(f"expected a Model, got {shown(model)}")
    if start is None:
        return Snapshot.of_model(model, 0.0 if time is None else time)
    if isinstance(start, Mapping):
        from .start_positions import start_at_positions

        start = start_at_positions(model, start)
    if not isinstance(start, Result):
        raise ModelError(
            f"start must be the result of an analysis, or positions by name of joint, such as {{'hinge': '30 deg'}}, got "
            f"{type(start).__name__}. Leave it out to start from the model"
        )
    if not start.time.size:
        raise ModelError(f'start: the {start.kind} result of model "{start.model_name}" has no sample to start from')
    missing = [name for name in model.bodies if f"{name}.position" not in start]
    if missing:
        raise ModelError(
            f'start: the result of model "{start.model_name}" has no body "{missing[0]}". '
            "Start from a result of the same model"
        )

    def last(signal: str) -> dict[str, np.ndarray]:
        found = {name: np.array(start[f"{name}.{signal}"].values[-1]) for name in model.bodies}
        shape = (4,) if signal == "orientation" else (3,)
        for name, value in found.items():
            if value.shape != shape or not all(map(math.isfinite, value.tolist())):
                raise ModelError(
                    f'start: the result of model "{start.model_name}" ends with {name}.{signal} = {shown(value.tolist())}. '
                    "Start from a result with a valid last sample"
                )
        return found

    return Snapshot(
        float(start.time[-1]) if time is None else time,
        last("position"),
        {name: np.array(rotation_of_quaternion(q, f"start: {name}")) for name, q in last("orientation").items()},
        last("velocity"),
        last("angular_velocity"),
        {name: float(start[f"{name}.angle"].values[-1]) for name in model.joints if f"{name}.angle" in start},
        {name: _teeth(start, part) for name, part in model.gear_pairs.items() if f"{name}.approach" in start},
        _own(model, start),
        dict(start.states),
    )


def _own(model: Model, start: Result) -> dict[str, np.ndarray]:
    """Signals of other parts at the end of a result, among them own coordinates of elements."""
    others = {*model.bodies, *model.joints, *model.gear_pairs, *model.drives}
    return {
        name: np.atleast_1d(start[name].values[-1]) for name in start.signals if name.rpartition(".")[0] not in others
    }


def _teeth(start: Result, part: GearMesh) -> tuple[float, float, float]:
    """psi_A, psi_B and approach along the hoop of a gear pair at the end of a result."""
    psi_a, psi_b, approach = (float(start[f"{part.name}.{s}"].values[-1]) for s in ("psi_a", "psi_b", "approach"))
    return psi_a, psi_b, approach / part.length_factor
