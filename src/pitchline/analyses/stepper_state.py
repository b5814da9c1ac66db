"""State of a stepper: all numbers for an exact repetition, in memory and as bytes."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arguments import names_wrong_arguments
from ..disk.errors import StorageError
from ..disk.seal import Sealed, array_digest, seal_bytes, write_arrays
from ..errors import ModelError
from ..solvers.integrator import Integrator
from ..system.rank import Rank
from . import checkpoint_checks as checks

__all__ = ["StepperState"]

KIND = "pitchline stepper state"
FORMAT = 1
_BEGINNING = b"pitchline stepper state\n"
_PROGRAM = "program_"
_COUNTS = ("pivotings", "rank_changes", "impacts", "idle", "last_change", "evaluator", "wall")
"""Plain attributes of an integrator."""


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class StepperState:
    """State of a `Stepper` at one time. Restored, it repeats the motion to the last bit.

    time:   of the state [s]
    owner:  identifies the model, inputs, outputs and options to which it belongs
    arrays: numbers by name
    about:  other data
    """

    time: float
    owner: str
    arrays: dict[str, np.ndarray]
    about: dict[str, Any]

    @property
    def size(self) -> int:
        """Size of the numbers in bytes."""
        return sum(array.nbytes for array in self.arrays.values())

    def to_bytes(self) -> bytes:
        """The state as bytes with checksums, for `Stepper.restore` in another process."""
        stream = io.BytesIO()
        stream.write(_BEGINNING)
        places = write_arrays(stream, self.arrays)
        digests = {key: array_digest(array) for key, array in self.arrays.items()}
        about = {"format": FORMAT, "owner": self.owner, "time": self.time, "about": self.about}
        stream.write(seal_bytes(KIND, about, self.arrays, places, digests))
        return stream.getvalue()

    @staticmethod
    def from_bytes(data: bytes) -> StepperState:
        """Read a state that `to_bytes` wrote, and verify its checksums."""
        stream = io.BytesIO(bytes(data))
        if stream.read(len(_BEGINNING)) != _BEGINNING:
            raise ModelError("the bytes are not the state of a stepper")
        try:
            sealed = Sealed(stream, "the state of a stepper")
            if sealed.kind != KIND or sealed.head.get("format") != FORMAT:
                raise ModelError("the state of the stepper was written by another version of pitchline")
            arrays = {key: np.array(sealed.array(key)) for key in sealed.entries}
        except StorageError as error:
            raise ModelError(f"{error}") from None
        head = sealed.head
        return StepperState(float(head["time"]), str(head["owner"]), arrays, dict(head["about"]))


def _motion_arrays(integrator: Integrator) -> dict[str, np.ndarray]:
    """Arrays of the motion by name; records as one array of numbers each."""
    found = {}
    for name, array in integrator.motion.arrays().items():
        found[f"motion_{name}"] = array if array.dtype.names is None else array.view(np.float64)
    return found


def taken(
    integrator: Integrator, owner: str, more: dict[str, np.ndarray], programs: dict[str, np.ndarray]
) -> StepperState:
    """Copy the state of an integrator. more: other arrays of the stepper; programs: states of programs in the loop."""
    arrays = {name: array.copy() for name, array in _motion_arrays(integrator).items()}
    arrays["redundant"] = integrator.system.redundant.copy()
    if not integrator.system.dense:
        arrays["factor_integers"], arrays["factor_floats"] = (x.copy() for x in integrator.motion.sparse_factors)
    if integrator.train is not None:
        arrays |= {f"train_{name}": array.copy() for name, array in integrator.train.state().items()}
    arrays |= {f"{_PROGRAM}{name}": array for name, array in programs.items()}
    about: dict[str, Any] = {name: getattr(integrator, name) for name in _COUNTS}
    about["groups"] = [group.tolist() for group in integrator.rank.groups]
    about["weakest"] = integrator.rank.weakest
    return StepperState(integrator.t, owner, arrays | {f"stepper_{k}": v.copy() for k, v in more.items()}, about)


def programs_of(state: StepperState) -> dict[str, np.ndarray]:
    """States of programs in the loop."""
    return {name.removeprefix(_PROGRAM): array for name, array in state.arrays.items() if name.startswith(_PROGRAM)}


def put_back(state: StepperState, integrator: Integrator, more: dict[str, np.ndarray]) -> None:
    """Restore the state of an integrator. more: other arrays of the stepper, which are overwritten."""
    system, motion = integrator.system, integrator.motion
    if "redundant" not in state.arrays:
        raise ModelError('the state of the stepper is damaged: "redundant" is missing')
    redundant = state.arrays["redundant"]
    is_train = "train_pose" in state.arrays
    try:
        if is_train and integrator.train is None:
            raise checks.Unfit("its gear train does not exist in the model")
        if not np.array_equal(redundant, system.redundant):
            checks.check_rank(system, redundant, state.about["groups"])
            system.relayout(redundant)
            integrator.resize()
        wanted = _motion_arrays(integrator) | {f"stepper_{k}": v for k, v in more.items()}
        if is_train and integrator.train is not None:
            wanted |= {f"train_{name}": array for name, array in integrator.train.state().items()}
        for name, mine in wanted.items():
            theirs = state.arrays.get(name)
            if theirs is None or theirs.shape != mine.shape or theirs.dtype != mine.dtype:
                raise checks.Unfit(f'"{name}" has another size')
        pivots = state.arrays["motion_pivot"]
        if pivots.size and not (pivots.min() >= 0 and pivots.max() < system.n):
            raise checks.Unfit("the pivots of its matrix")
        if not system.dense:
            factors = (state.arrays["factor_integers"].copy(), state.arrays["factor_floats"].copy())
            checks.check_factors(system, *factors)
            motion.set_sparse_factors(factors)
    except checks.Unfit as unfit:
        raise ModelError(f"the state of the stepper is damaged or belongs to another model: {unfit}") from None
    for name, mine in wanted.items():
        mine[...] = state.arrays[name]
    for name in _COUNTS:
        setattr(integrator, name, state.about[name])
    groups = [np.array(group, np.int64) for group in state.about["groups"]]
    integrator.rank = Rank(redundant.copy(), groups, state.about["weakest"])
    if is_train and integrator.train is not None:
        integrator.train.set_motion({name: getattr(motion, name) for name in ("v", "vd", "a", "vd_before")})
