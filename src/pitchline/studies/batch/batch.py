"""batch: all points of a study of a gear train in one compiled kernel."""

from __future__ import annotations

import time as clock
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.budget import with_budget
from pitchline.errors import ModelError, near_names, shown
from pitchline.model.model import Model
from pitchline.units.quantity import quantity

from ..points.parameter_values import ParameterValues, Points
from ..points.samples import point_list
from ..sources import Source, SourceParameter, source_of
from ..study_result import StudyResult
from .batch_sweep import BatchSweep, made_result, run_sweep
from .kernels.small_text import CudaError, usable_cuda
from .lane_study import BatchResult, FixedSource, LaneRuns, LaneStudy, default_reductions, read_count, read_reductions
from .lane_values import LaneValues

__all__ = ["DEVICES", "chosen_device", "Batch", "batch"]


# ---- devices

# Choice of the device that runs a batch.

DEVICES = ("auto", "cpu", "cuda")


def chosen_device(device: object) -> str:
    """ "cpu" or "cuda". "auto": a GPU if there is one that can be used."""
    if not isinstance(device, str) or device not in DEVICES:
        raise ModelError(f"batch: unknown device {shown(device)}; {near_names(str(device), DEVICES)}")
    if device == "cpu":
        return device
    try:
        usable_cuda()
    except CudaError:
        if device == "cuda":
            raise
        return "cpu"
    return "cuda"


@names_wrong_arguments
def batch(
    source: Any,
    *,
    device: str = "auto",
    threads: int | None = None,
    time: Any = None,
    cycle: str | None = None,
    allow: str | Iterable[str] = (),
    overrides: Mapping[str, Any] | None = None,
) -> Batch:
    """Prepare a gear train for the computation of many points at once.

    All points are lanes of one compiled kernel. Bodies rotate about, or slide along, axes that are fixed in the ground or in a body
    that does so itself: trains of wheels on hinges, planetary trains, differentials. The teeth are elastic (`Elastic`, `Loaded`),
    without friction. Other models are refused with the reason; `sweep` computes them.

    Parameters
    ----------
    source
        Path of a model file, `ModelFile`, name of the gallery, a Python function that returns a Model, or a Model.
    device
        "cpu", "cuda" (a GPU of NVIDIA), or "auto" (default): the GPU if there is one.
    threads
        Threads of the CPU. Default: all processors.
    time
        Time of the model at which the lanes start [s]. From there on, drives and loads must be constant or straight ramps.
        Default: the end of the last ramp. During a ramp of the speed the lanes accelerate.
    cycle
        Gear pair whose mesh cycle is the unit of settle, record and orders. Default: the first gear pair with elastic teeth.
    allow
        Modules with user-defined elements that a model file may use.
    overrides
        Parameter values for all points.
    """
    found = FixedSource(source) if isinstance(source, Model) else source_of(source, allow=allow, overrides=overrides)
    if isinstance(source, Model) and overrides:
        raise ModelError("overrides: a Model has no parameters. Use a model file, or a function that builds the model")
    if not found.parameters:
        found = FixedSource(found.build({}))
    if time is not None and quantity(time, "time", what="time") < 0.0:
        raise ModelError(f"batch: time must not be negative, got {shown(time)}")
    if threads is not None:
        threads = read_count(threads, "threads", 1)
    return Batch(found, chosen_device(device), threads, time, cycle)


@names_wrong_arguments
class Batch:
    """A gear train for the computation of many points at once. `batch` makes it."""

    def __init__(self, source: Source, device: str, threads: int | None, time: Any, cycle: str | None) -> None:
        self.source, self.device, self.threads = source, device, threads
        self._cycle = cycle
        self._values = LaneValues(source, time=time, cycle=cycle)

    @property
    def name(self) -> str:
        """Name of the model."""
        return self.source.name

    @property
    def parameters(self) -> Mapping[str, SourceParameter]:
        """Parameters of the source."""
        return self.source.parameters

    def __repr__(self) -> str:
        return f"Batch({self.name!r}, device={self.device!r}, parameters {', '.join(self.parameters)})"

    # ---- runs

    @names_wrong_arguments
    @with_budget
    def run(
        self,
        points: Points | Mapping[str, Any] | None = None,
        *,
        settle: int = 200,
        record: int = 50,
        steps: int | None = None,
        reduce: Sequence[str] | str | None = None,
        poincare: tuple[str, int] | None = None,
        start: StudyResult | None = None,
        budget: Any = None,
    ) -> BatchResult:
        """Run all points, and reduce their signals.

        Parameters
        ----------
        points
            `grid`, `sample` or `point_list`, or a dict of lists of the same length. Default: one point, the values of the source.
        settle, record
            Mesh cycles before the reductions, and during them.
        steps
            Time steps of a mesh cycle. Default: from the largest eigenfrequency of each point.
        reduce
            Names "PAIR.SIGNAL.REDUCTION", such as "mesh.transmission_error.peak_to_peak". Signals of gear pairs: signed_force,
            normal_force, transmission_error, deflection, approach, contact. Signals of joints: angular_speed (or speed),
            deviation from steady rolling, angular_speed_deviation. Reductions: min, max, mean, rms, peak_to_peak, order_1,
            phase_1, order_2, ... (amplitude and phase of multiples of the mesh cycle). "PAIR.contact_loss" is the fraction of
            the time without contact. Default: force, transmission error and contact loss.
        poincare
            (name of a gear pair or a joint, number of samples): coordinate and its rate at the ends of the last mesh cycles.
        start
            Result of this batch at the same points, from which the run continues. Default: static equilibrium under the loads.
        budget
            Longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h". If the estimate is longer,
            BudgetError states it.
        """
        began = clock.perf_counter()
        settle, record = read_count(settle, "settle", 0), read_count(record, "record", 1)
        study = self._study(points)
        reductions = read_reductions(study.read, self._reduce(study, reduce))
        sampled, samples = self._poincare(study, poincare, settle + record)
        states, first = study.start(start)
        study.check(first + settle + record)
        found_steps = study.steps(steps, reductions)
        runs = LaneRuns(reductions, sampled, device=self.device, threads=self.threads)
        found = runs.run(
            study.train, states, found_steps, settle=settle, record=record, points=samples, first_cycle=first
        )
        facts = {
            "settle": settle, "record": record, "cycles": first + settle + record, "device": self.device,
            "models": self._values.models, "seconds": clock.perf_counter() - began, "cycle": self._cycle_name(study),
        }  # fmt: skip
        name = poincare[0] if poincare else ""
        return made_result(study, found, reductions, found_steps, self.source, facts, poincare=name)

    @names_wrong_arguments
    @with_budget
    def sweep(
        self,
        name: str,
        values: Any,
        *,
        then: str | None = "down",
        lanes: Points | Mapping[str, Any] | None = None,
        settle: int = 200,
        record: int = 50,
        steps: int | None = None,
        reduce: Sequence[str] | str | None = None,
        budget: Any = None,
    ) -> BatchSweep:
        """Change one parameter step by step. The state at the end of each value is the start of the next one.

        Parameters
        ----------
        name
            Parameter, such as "speed".
        values
            Values in the order in which they are taken: a list, `linspace` or `logspace`.
        then
            "down" (default): back through the same values after the last one; None: not back.
        lanes
            Points of the other parameters, all of which are swept at once. Default: one, the values of the source.
        settle, record, steps, reduce
            As in `run`, for each value.
        budget
            As in `run`, for all values.

        The first reduction is used to find jumps.
        """
        settle, record = read_count(settle, "settle", 0), read_count(record, "record", 1)
        if then not in ("down", None):
            raise ModelError(f'sweep: then must be "down" or None, got {shown(then)}')
        points = _swept_points(self.source, name, values, None if lanes is None else self._points(lanes))
        study = self._study(points)
        reductions = read_reductions(study.read, self._reduce(study, reduce, swept=True))
        runs = LaneRuns(reductions, device=self.device, threads=self.threads)
        facts = {"cycle": self._cycle_name(study), "device": self.device}
        return run_sweep(study, runs, name, then, settle, record, steps, self.source, facts)

    def check(
        self,
        points: Points | Mapping[str, Any] | None = None,
        *,
        settle: int = 200,
        record: int = 50,
        steps: int | None = None,
        reduce: Sequence[str] | str | None = None,
        poincare: tuple[str, int] | None = None,
    ) -> None:
        """Check the arguments of `run` without running it. ModelError if one of them is wrong, or if the model is not supported."""
        settle, record = read_count(settle, "settle", 0), read_count(record, "record", 1)
        study = self._study(points)
        reductions = read_reductions(study.read, self._reduce(study, reduce))
        self._poincare(study, poincare, settle + record)
        study.check(settle + record)
        study.steps(steps, reductions)

    # ---- inputs

    def _points(self, points: Any) -> Points:
        if points is None:
            return self.source.fitted(_default_points(self.source))
        if isinstance(points, Mapping):
            points = point_list(points)
        if not isinstance(points, Points):
            raise ModelError(
                f"batch: points must be made by grid, sample or point_list, or be a dict of lists, got {shown(points)}"
            )
        for name, axis in points.axes.items():
            if axis.values.dtype.kind == "f" and not np.all(np.isfinite(axis.values)):
                bad = int(np.argmin(np.isfinite(axis.values)))
                raise ModelError(f'batch: value {bad} of "{name}" is {axis.values[bad]}. Specify finite numbers')
        return self.source.fitted(points)

    def _study(self, points: Any) -> LaneStudy:
        fitted = self._points(points)
        read, train, limits = self._values.train(fitted)
        return LaneStudy(fitted, read, train, limits)

    def _base(self, study: LaneStudy) -> int:
        names = [mesh.name for mesh in study.train.meshes]
        return 0 if self._cycle is None else names.index(self._cycle)

    def _cycle_name(self, study: LaneStudy) -> str:
        return study.train.meshes[self._base(study)].name

    def _reduce(self, study: LaneStudy, given: Any, *, swept: bool = False) -> list[str]:
        if given is not None:
            return [given] if isinstance(given, str) else list(given)
        found = default_reductions(study.read, self._base(study))
        if swept:  # jumps are found from the first one
            found.sort(key=lambda name: not name.endswith("transmission_error.peak_to_peak"))
        return found

    def _poincare(self, study: LaneStudy, given: Any, cycles: int) -> tuple[list[tuple[str, int]], int]:
        if given is None:
            return [], 0
        if not isinstance(given, tuple) or len(given) != 2 or not isinstance(given[0], str):
            raise ModelError(
                f'poincare must be a name and a number of samples, such as ("mesh", 20), got {shown(given)}'
            )
        name, samples = given[0], read_count(given[1], "poincare: number of samples", 1)
        if samples > cycles:
            raise ModelError(f"poincare: {samples} samples, but settle + record are {cycles} cycles")
        meshes = [mesh.name for mesh in study.train.meshes]
        if name in meshes:
            return [("mesh", meshes.index(name))], samples
        joints = [source.joint for source in study.read.sources]
        if name not in joints:
            raise ModelError(
                f'poincare: there is no gear pair or joint "{name}"; {near_names(name, [*meshes, *joints])}'
            )
        return [("rotor", joints.index(name))], samples


def _default_points(source: Source) -> Points:
    """One point: the values of the source."""
    source.check([])
    known = ((name, p) for name, p in source.parameters.items() if isinstance(p.default, (bool, int, float, str)))
    name, parameter = next(known, ("", SourceParameter(None)))
    if not name:
        raise ModelError(f"{source.called} has no parameter with a default value. Specify points")
    value = parameter.default
    axis = ParameterValues(
        np.array([value], dtype=object if isinstance(value, str) else None), parameter.unit, parameter.shown_unit
    )
    return Points((("point", 1),), {name: axis}, {name: "point"})


def _swept_points(source: Source, name: str, values: Any, lanes: Points | None) -> Points:
    from ..points.parameter_values import read_values
    from ..points.samples import grid

    if not isinstance(name, str):
        raise ModelError(f"sweep: the name of a parameter must be a text, got {shown(name)}")
    source.check([name, *(() if lanes is None else lanes.names)])
    if lanes is not None and name in lanes.names:
        raise ModelError(f'sweep: "{name}" is swept and is also a parameter of lanes. Remove it from lanes')
    axis = read_values(values, f"sweep: {name}")
    if len(axis) < 2:
        raise ModelError(f"sweep: {name} needs two values or more, got {len(axis)}")
    along = grid({name: axis})
    return along if lanes is None else along * lanes
