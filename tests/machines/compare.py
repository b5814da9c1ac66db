"""Comparison of the results of two models that must agree after a change.

The tolerance of a signal has three parts: rounding and the iteration of Newton over the largest value of the signal, rounding
over the largest value of its dimension in the machine, and the measured amplification: how far the signal moves if the input
is changed by rounding.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from machines.machine import Machine
from machines.values import SAME, Change

RELATIVE = 2e-6
OF_DIMENSION = 1e-9
AMPLIFIED = 300.0
"""Differences are compared with this multiple of the effect of a change of the input by rounding."""
ROUNDED = 1e-12

_AXIAL = ("angular_velocity", "angular_acceleration", "moment", "torque", "angular_momentum", "moment_a", "moment_b",
          "contact_moment", "tilt")  # fmt: skip
FLANKS = (
    "normal_force", "tangential_force", "tangential_force_b", "deflection", "transmission_error", "pair_forces"
)  # fmt: skip
"""Signals of a gear pair without backlash that have the sign of the flank that is loaded on average over the run."""
STATES = ("contact", "stiffness", "friction_state", "sliding_speed", "tilt", "face_load_factor")
"""Signals of a gear pair that jump where the force passes zero."""
OF_ROTATION = ("advance_ratio", "efficiency")
"""Signals of a propeller that are ratios of two speeds, or of two powers."""
OF_REST = 1e-18
"""Torque of a propeller whose speed is only rounding [N m]: about 1e-9 rad/s."""
SLOWEST = 1e-9
"""Eigenvalues below are zero [1/s]: if all are, there is no other one to compare their rounding with."""
NO_VECTORS = ("state", "flux", "modes", "modes_rate")
"""Signals with several values that are not components in space."""
_INCREMENT = ("energy.potential",)
_NOT_COMPARED = ("energy.balance_error", " rotor.orientation", "sheet ")
"""The error of the balance is rounding; x of the axes of a rotor is arbitrary."""


@dataclass(frozen=True)
class Difference:
    """Largest difference of two results. ratio: over the tolerance."""

    signal: str
    value: float
    expected: float
    ratio: float

    def __str__(self) -> str:
        return f"{self.signal}: {self.value:.9g} instead of {self.expected:.9g} ({self.ratio:.3g} times the tolerance)"


def expected(name: str, signal: Any, by: Change, machine: Machine) -> tuple[np.ndarray, bool]:
    """Values of a signal after a change, and whether only magnitudes are compared."""
    values = np.asarray(signal.values, float)
    factor = by.factor(_unit(signal.unit))
    last = name.rpartition(".")[2]
    if name.endswith(".orientation"):
        return values, False
    if signal.components == ("x", "y", "z") and last not in NO_VECTORS and not _local(name, signal, machine):
        vectors = values @ by.matrix.T
        if by.mirrors and (last in _AXIAL or "moment" in last):
            vectors = -vectors
        if last in ("position", "contact_point") and name.rpartition(".")[0] not in machine.placed:
            vectors = vectors + by.shift
        if last == "velocity":
            vectors = vectors + by.velocity
        return factor * vectors, False
    if name in _INCREMENT:
        values = values - values[0]
    return factor * values, by.mirrors


def _unit(unit: str) -> str:
    return "" if unit in ("1", "%", "") else unit


def _local(name: str, signal: Any, machine: Machine) -> bool:
    """Whether the components are in axes of a body."""
    return "in axes of" in signal.description or name.rpartition(".")[0] in machine.local


def _compared(name: str, signal: Any) -> np.ndarray:
    values = np.asarray(signal.values, float)
    return values - values[0] if name in _INCREMENT else values


def largest(signals: Mapping[str, Any], names: Collection[str], by: Change) -> dict[str, float]:
    """Largest value of each dimension among the signals."""
    top: dict[str, float] = {}
    for name in names:
        signal = signals[name]
        if signal.values.size:
            size = float(np.max(np.abs(_compared(name, signal)))) * by.factor(_unit(signal.unit))
            top[signal.unit] = max(top.get(signal.unit, 0.0), size)
    return top


def worst(
    base: Any,
    other: Any,
    machine: Machine,
    by: Change = SAME,
    *,
    names: Mapping[str, str] | None = None,
    without: Collection[str] = (),
    amplified: Mapping[str, float] | None = None,
    relative: float = RELATIVE,
    magnitudes: bool = False,
) -> Difference | None:
    """Signal with the largest difference over its tolerance; None if no signal is compared.

    names: signal of the base -> signal of the other result, where they differ. amplified: measured effect of rounding.
    """
    round_axis = "round" in machine.traits and not np.array_equal(by.matrix, np.eye(3))
    shared = [
        name for name, signal in base.signals.items()
        if not any(part in name for part in (*_NOT_COMPARED, *without)) and not (round_axis and signal.components)
    ]  # fmt: skip
    top = largest(base.signals, shared, by)
    largest_yet: Difference | None = None
    for name in shared:
        signal = base.signals[name]
        partner = (names or {}).get(name, _renamed(name, by))
        if partner not in other.signals:
            return Difference(name, float("nan"), float("nan"), float("inf"))
        there = other.signals[partner]
        if there.values.size == 0 or there.values.shape != signal.values.shape:
            if there.values.shape != signal.values.shape:
                return Difference(f"{name} (shape)", there.values.size, signal.values.size, float("inf"))
            continue
        here, only_size = expected(name, signal, by, machine)
        values = _compared(name, there)
        if signal.components == ("x", "y", "z") and "in axes of" in signal.description and "coupling" in name:
            here, values = (
                np.linalg.norm(x, axis=-1) for x in (here, values)
            )  # the axes across the shaft are arbitrary
        if name.endswith(".orientation"):
            here, values = _turns(here, values, by, local=_local(name, signal, machine))
        elif only_size or magnitudes or (by.mirrors and _local(name, signal, machine)):
            here, values = np.abs(here), np.abs(values)
        factor = by.factor(_unit(signal.unit))
        own = float(np.max(np.abs(here)))
        tolerance = relative * own + OF_DIMENSION * top[signal.unit] + 1e-11 * factor
        tolerance += factor * floor(signal.unit, machine)
        if amplified:
            tolerance += AMPLIFIED * factor * amplified.get(name, 0.0)
        gap = np.abs(here - values)
        if name.endswith(".phase"):
            gap = np.minimum(gap, 1.0 - gap)  # a fraction of a cycle
        if name.endswith((".psi_a", ".psi_b")):
            gap = np.minimum(gap, np.abs(2.0 * np.pi - gap))  # half a revolution, from either side
        if name.rpartition(".")[2] in STATES:
            gap = np.where(_without_force(name, base, machine), 0.0, gap)
        if name.endswith(".state"):
            gap = np.where(_without_effort(name, base, other, machine), 0.0, gap)
        if name.rpartition(".")[2] in OF_ROTATION:
            gap = np.where(_without_rotation(name, base, other), 0.0, gap)
        place = np.unravel_index(int(np.argmax(np.where(np.isfinite(gap), gap, np.inf))), gap.shape)
        if np.isnan(here[place]) and np.isnan(values[place]):
            continue
        ratio = float(gap[place]) / tolerance if np.isfinite(gap[place]) else float("inf")
        if largest_yet is None or ratio > largest_yet.ratio:
            largest_yet = Difference(name, float(values[place]), float(here[place]), ratio)
    return largest_yet


def _without_force(name: str, base: Any, machine: Machine) -> Any:
    """Samples in which the teeth touch without a force, within the tolerance of forces."""
    force = base.signals.get(name.rpartition(".")[0] + ".normal_force")
    if force is None:
        return False
    size = np.abs(np.asarray(force.values, float))
    if name.endswith(
        ".tilt"
    ):  # without contact it is that of the drive flank, and dampers that always act give a force
        size = np.where(base.signals[name.rpartition(".")[0] + ".contact"].values == 0.0, 0.0, size)
    return size <= RELATIVE * float(np.nanmax(size, initial=0.0)) + 10.0 * floor("N", machine)


def _without_effort(name: str, base: Any, other: Any, machine: Machine) -> Any:
    """Samples in which a clutch or a friction transmits nothing in both results, within the tolerance of forces: rounding decides
    whether it holds or is free. If its two sides then move differently, their speeds differ."""
    part = name.rpartition(".")[0]
    signal = next((f"{part}.{effort}" for effort in ("torque", "force") if f"{part}.{effort}" in base.signals), None)
    if signal is None or base.signals[name].values.ndim > 1:
        return False
    sizes = [np.abs(np.asarray(run.signals[signal].values, float)) for run in (base, other) if signal in run.signals]
    if len(sizes) < 2:
        return False
    size = np.maximum(*sizes)
    return size <= RELATIVE * float(np.nanmax(size, initial=0.0)) + 10.0 * floor("N*m", machine)


def _without_rotation(name: str, base: Any, other: Any) -> Any:
    """Samples in which a propeller is at rest in both results: its torque grows with the square of the speed."""
    part = name.rpartition(".")[0]
    if part + ".advance_ratio" not in base.signals:
        return False
    torques = [run.signals.get(part + ".torque") for run in (base, other)]
    return np.max([np.abs(torque.values) for torque in torques if torque is not None], axis=0) <= OF_REST


def of_one_sample(name: str, value: float) -> float:
    """Value that does not depend on the other samples of its run."""
    return abs(value) if name.rpartition(".")[2] in FLANKS else value


def floor(unit: str, machine: Machine) -> float:
    """Rounding of positions in speeds and accelerations, which are differences over the step and its square, and in forces."""
    acceleration = 2e-13 / machine.step**2
    if unit in ("m/s^2", "rad/s^2"):
        return acceleration
    if unit in ("m/s", "rad/s"):
        return 2e-13 / machine.step
    return 1e-13 * machine.stiffest + 5.0 * acceleration if unit in ("N", "N*m", "J", "W", "J/s") else 0.0


def _renamed(name: str, by: Change) -> str:
    part, dot, signal = name.rpartition(".")
    return by.names(part) + dot + signal if part != "energy" else name


def _turns(here: np.ndarray, values: np.ndarray, by: Change, *, local: bool) -> tuple[np.ndarray, np.ndarray]:
    """Matrices of orientations instead of quaternions, which have two signs."""
    first, second = _matrices(here), _matrices(values)
    outer = by.own if local else by.matrix
    return outer @ first @ by.own, second


def _matrices(q: np.ndarray) -> np.ndarray:
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def amplification(base: Any, again: Any, machine: Machine, by: Change) -> dict[str, float]:
    """Effect of a change of the input by rounding on each signal: the largest difference."""
    effect: dict[str, float] = {}
    for name, signal in base.signals.items():
        if name not in again.signals or again.signals[name].values.shape != signal.values.shape:
            continue
        here, _ = expected(name, signal, by, machine)
        values = _compared(name, again.signals[name])
        if signal.components == ("x", "y", "z") and "in axes of" in signal.description and "coupling" in name:
            here, values = (
                np.linalg.norm(x, axis=-1) for x in (here, values)
            )  # the axes across the shaft are arbitrary
        if name.endswith(".orientation"):
            here, values = _turns(here, values, by, local=_local(name, signal, machine))
        effect[name] = float(np.max(np.abs(here - values), initial=0.0))
    return effect


def spectrum(modes: Any) -> np.ndarray:
    """All eigenvalues of modes: swings with their conjugates, and motions without oscillation."""
    swings = np.asarray(modes.eigenvalues, complex)
    return np.concatenate([swings, np.conj(swings[swings.imag > 0.0]), np.asarray(modes.decaying, complex)])


def eigenvalues_differ(base: np.ndarray, other: np.ndarray, *, relative: float = 1e-5) -> Difference | None:
    """Largest difference of two sets of eigenvalues, each with its nearest partner."""
    a, b = (np.sort_complex(np.asarray(x, complex)) for x in (base, other))
    size = float(np.max(np.abs(np.concatenate([a, b])), initial=0.0))
    floor = max(1e-5 * size, SLOWEST)
    a, b = (x[np.abs(x) > floor] for x in (a, b))
    if size == 0.0:
        return None
    # double eigenvalues (rigid motions) split with the root of rounding: they are below the floor
    result: Difference | None = None
    for first, second in ((a, b), (b, a)):
        for value in first:
            if abs(value) < 3.0 * floor:
                continue
            near = second[int(np.argmin(np.abs(second - value)))] if second.size else complex("nan")
            ratio = float(abs(near - value) / (relative * abs(value) + 1e-9 * size))
            if result is None or not ratio <= result.ratio:
                result = Difference("eigenvalue", abs(near), abs(value), ratio if np.isfinite(ratio) else float("inf"))
    return result
