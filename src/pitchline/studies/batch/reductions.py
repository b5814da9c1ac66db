"""Reductions by name: "mesh.transmission_error.peak_to_peak", "mesh.contact_loss", "axle.angular_speed.max".

A name consists of a part, a signal and a reduction. The signals are those of `dynamics`. Reductions of one signal share its sums
in the kernel.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import ModelError, near_names, shown
from .kernels.lane_result import LaneResult, SignalReductions
from .kernels.lane_signal import LaneSignal
from .reading.reader import TrainRead

__all__ = ["MESH_UNITS", "LaneReduction", "Reductions", "default_reductions", "read_reductions"]

MESH_UNITS = {
    "signed_force": "N", "normal_force": "N", "transmission_error": "m", "deflection": "m", "approach": "m", "contact": "",
}  # fmt: skip
"""Signals of gear pairs, with their units."""
CONTACT_LOSS = "contact_loss"
PLAIN = ("min", "max", "mean", "rms", "peak_to_peak")
NUMBERED = re.compile(r"(order|phase)_([1-9]\d*)\Z")
MOST_ORDER = 1000
EXTREMES, ORDERS = ("min", "max", "peak_to_peak"), ("order", "phase")


@dataclass(frozen=True)
class LaneReduction:
    """One number of a lane.

    name : complete. signal : index into the signals of the kernel, or -1 for contact_loss of `mesh`. kind : "max", "order" ...
    order : of the base cycle. unit : of the number. factor : of the signal of the rotor. speed : of its joint in steady rolling,
    divided by omega, which is added to the signal; 0 for deviations.
    """

    name: str
    signal: int
    kind: str
    order: int
    unit: str
    mesh: int = -1
    factor: float = 1.0
    speed: float = 0.0


class Reductions:
    """Reductions of a study, and the signals of the kernel that they need.

    largest : mesh with tables of loaded teeth -> (index of the signal of its force, largest force of its tables [N]).
    """

    def __init__(
        self, found: Sequence[LaneReduction], signals: Sequence[LaneSignal], largest: Mapping[str, tuple[int, float]]
    ) -> None:
        self.found, self.signals, self.largest = tuple(found), tuple(signals), dict(largest)

    @property
    def names(self) -> list[str]:
        """In the order of the user."""
        return [one.name for one in self.found]

    @property
    def units(self) -> dict[str, str]:
        """Unit of each name."""
        return {one.name: one.unit for one in self.found}

    def values(self, result: LaneResult, omega: np.ndarray) -> dict[str, np.ndarray]:
        """(lanes,) numbers by name."""
        return {one.name: _value(one, result, omega) for one in self.found}

    def beyond_tables(self, result: LaneResult) -> dict[str, np.ndarray]:
        """(lanes,) largest force of each mesh with tables, divided by the largest force of its tables."""
        found = {}
        for name, (signal, most) in self.largest.items():
            sums = result.signals[signal]
            found[name] = np.maximum(np.abs(sums.min), np.abs(sums.max)) / most  # type: ignore[arg-type]
        return found


def _value(one: LaneReduction, result: LaneResult, omega: np.ndarray) -> np.ndarray:
    if one.signal < 0:
        return result.contact_loss[one.mesh]
    return _reduced(one, result.signals[one.signal], np.full(omega.shape, one.factor), one.speed * omega)


def _reduced(one: LaneReduction, sums: SignalReductions, sign: np.ndarray, add: np.ndarray) -> np.ndarray:
    if one.kind == "order":
        return np.abs(sign) * sums.amplitudes[sums.signal.orders.index(one.order)]
    if one.kind == "phase":
        phase = sums.phases[sums.signal.orders.index(one.order)] + np.where(sign < 0.0, np.pi, 0.0)
        return np.asarray(np.angle(np.exp(1j * phase)))
    if one.kind == "peak_to_peak":
        return np.asarray(np.abs(sign) * (sums.max - sums.min))  # type: ignore[operator]
    if one.kind in ("min", "max"):
        low, high = sign * sums.min + add, sign * sums.max + add
        return np.asarray(np.minimum(low, high) if one.kind == "min" else np.maximum(low, high))
    if one.kind == "mean":
        return np.asarray(sign * sums.mean + add)
    if not np.any(add):
        return np.asarray(np.abs(sign) * sums.rms)
    return np.sqrt(np.maximum(sign**2 * sums.rms**2 + 2.0 * add * sign * sums.mean + add**2, 0.0))  # type: ignore[operator]


def default_reductions(read: TrainRead, mesh: int) -> list[str]:
    """Reductions of a batch if none are requested: force and transmission error of the mesh of the base cycle."""
    name = read.train.meshes[mesh].name
    found = [f"{name}.signed_force.{kind}" for kind in ("min", "max", "mean")]
    found += [f"{name}.transmission_error.{kind}" for kind in ("mean", "rms", "peak_to_peak", "order_1")]
    return [*found, *(f"{other.name}.{CONTACT_LOSS}" for other in read.train.meshes)]


def read_reductions(read: TrainRead, names: Iterable[str]) -> Reductions:
    """Reductions from names of the user."""
    if isinstance(names, str):
        names = [names]
    wanted: list[tuple[str, tuple[str, int, str], str, int, str, float, float]] = []
    seen: dict[tuple[str, int, str], set[str]] = {}
    orders: dict[tuple[str, int, str], set[int]] = {}
    for name in names:
        if not isinstance(name, str) or not name:
            raise ModelError(f'reduce: expected names such as "mesh.normal_force.max", got {shown(name)}')
        if any(name == other[0] for other in wanted):
            raise ModelError(f'reduce: "{name}" is given twice')
        key, kind, order, unit, factor, speed = _read(read, name)
        wanted.append((name, key, kind, order, unit, factor, speed))
        if kind != CONTACT_LOSS:
            seen.setdefault(key, set()).add(kind)
            if order:
                orders.setdefault(key, set()).add(order)
    if not wanted:
        raise ModelError("reduce: the list is empty. Leave it out for the usual reductions")
    tabled = {k: mesh for k, mesh in enumerate(read.train.meshes) if mesh.loaded is not None}
    for k in tabled:  # a force beyond its table is reported
        seen.setdefault(("mesh", k, "signed_force"), set()).add("max")
    keys = list(seen)
    signals = [_signal(key, seen[key], orders.get(key, set())) for key in keys]
    found = [
        LaneReduction(
            name, -1 if kind == CONTACT_LOSS else keys.index(key), kind, order, unit, key[1] if key[0] == "mesh" else -1, factor,
            speed,
        )
        for name, key, kind, order, unit, factor, speed in wanted
    ]  # fmt: skip
    largest = {
        mesh.name: (keys.index(("mesh", k, "signed_force")), float(mesh.loaded.loads[:, -1].min()) / mesh.cos_alpha)  # type: ignore[union-attr]
        for k, mesh in tabled.items()
    }
    return Reductions(found, signals, largest)


def _signal(key: tuple[str, int, str], kinds: set[str], orders: set[int]) -> LaneSignal:
    rms = "rms" in kinds
    return LaneSignal(*key, tuple(sorted(orders)), bool(kinds & set(EXTREMES)), rms or "mean" in kinds, rms)


def _read(read: TrainRead, name: str) -> tuple[tuple[str, int, str], str, int, str, float, float]:
    """(signal of the kernel, kind, order, unit, factor, speed) of a name."""
    meshes = [mesh.name for mesh in read.train.meshes]
    part = next((p for p in sorted([*meshes, *read.angles], key=len, reverse=True) if name.startswith(f"{p}.")), None)
    if part is None:
        known = [*meshes, *read.angles]
        first = name.split(".")[0]
        raise ModelError(f'reduce: "{name}": there is no gear pair or joint "{first}"; {near_names(first, known)}')
    signal, _, kind = name[len(part) + 1 :].partition(".")
    if part in meshes:
        k = meshes.index(part)
        if signal == CONTACT_LOSS and not kind:
            return ("mesh", k, CONTACT_LOSS), CONTACT_LOSS, 0, "", 1.0, 0.0
        if signal not in MESH_UNITS:
            raise _unknown(name, f'gear pair "{part}"', signal, [*MESH_UNITS, CONTACT_LOSS])
        kind, order, unit = _kind(name, f"{part}.{signal}", kind, MESH_UNITS[signal])
        return ("mesh", k, signal), kind, order, unit, 1.0, 0.0
    by, unit = read.angles[part]
    rate = "angular_speed" if unit == "rad" else "speed"
    units = {rate: f"{unit}/s", "deviation": unit, f"{rate}_deviation": f"{unit}/s"}
    if signal not in units:
        raise _unknown(name, f'joint "{part}"', signal, list(units))
    rotors = np.flatnonzero(by)
    if len(rotors) > 1:
        names = ", ".join(f'"{read.sources[i].joint}"' for i in rotors)
        raise ModelError(
            f'reduce: "{name}": joint "{part}" follows from several coordinates of the batch ({names}). Use signals of these joints'
        )
    kind, order, unit = _kind(name, f"{part}.{signal}", kind, units[signal])
    i = int(rotors[0]) if len(rotors) else 0
    factor = float(by[i]) if len(rotors) else 0.0
    absolute = signal == rate and kind not in ORDERS and kind != "peak_to_peak"
    if absolute and read.train.acceleration:
        raise ModelError(f'reduce: "{name}": the speed changes during the run. Use "{part}.{rate}_deviation.{kind}"')
    speed = factor * read.train.rotors[i].speed if absolute else 0.0
    return ("rotor", i, "angle" if signal == "deviation" else "speed"), kind, order, unit, factor, speed


def _kind(name: str, signal: str, kind: str, unit: str) -> tuple[str, int, str]:
    numbered = NUMBERED.match(kind)
    if numbered:
        order = int(numbered[2])
        if order > MOST_ORDER:
            raise ModelError(f'reduce: "{name}": the order must be at most {MOST_ORDER}, got {order}')
        return numbered[1], order, unit if numbered[1] == "order" else "rad"
    if kind not in PLAIN:
        known = [*PLAIN, "order_1", "phase_1"]
        if not kind:
            raise ModelError(
                f'reduce: "{name}" has no reduction. Specify e.g. "{signal}.max"; possible are {", ".join(known)}'
            )
        raise ModelError(f'reduce: "{name}": unknown reduction "{kind}"; {near_names(kind, known)}')
    return kind, 0, unit


def _unknown(name: str, part: str, signal: str, known: list[str]) -> ModelError:
    return ModelError(f'reduce: "{name}": {part} has no signal "{signal}" in a batch; {near_names(signal, known)}')
