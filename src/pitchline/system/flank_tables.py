"""From two elastic gears in mesh to the records of their element."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..contact.flank_data import FlankData, FlankSide, half_space_scale
from ..contact.half_space import contact_modulus
from ..contact.half_space_hats import strip_coupling
from ..elements.flank_alone import FlankAlone
from ..elements.flank_records import (
    COUPLINGS,
    FAR,
    ContactLine,
    ContactMemory,
    Flanks,
    StripScratch,
    empty_memory,
    empty_scratch,
)
from ..fem.elastic_gear import ElasticGear
from ..math.fields import packed
from .flank_shifts import Shifts


@dataclass(frozen=True)
class FlankTables:
    """Values of the records `Flanks`, `Memory` and `Scratch` of a pair, and the number of modal coordinates of its gears."""

    parameters: dict[str, Any]
    memory: dict[str, Any]
    scratch: dict[str, Any]
    coordinates: tuple[int, int]

    def alone(self) -> FlankAlone:
        """Contact law of the pair without a model."""
        arrays = packed(Flanks, self.parameters), packed(ContactMemory, self.memory), packed(StripScratch, self.scratch)
        return FlankAlone(*arrays, self.coordinates)


def encode_flanks(
    data: FlankData, *, lever_b: float, damping_ratio: float = 0.0, penalty: float = 0.0, near: float = 0.0, friction: float = 0.0,
    friction_speed: float = 1e-3, start: float = 0.0, shifts: Shifts | None = None,
) -> FlankTables:  # fmt: skip
    """Records of a pair.

    lever_b: c_B, approach along the hoop per rotation of B [m]. penalty [N/m]: in place of residual and local compliance. near
    [m]: gaps up to which strips are evaluated; default: a fiftieth of the module. start: phase of gear A [pitches] at ψ_A = 0.
    shifts: coordinates of the relative position of the axes to which the strips respond.
    """
    a, b = data.a, data.b
    strips = len(data.widths)
    modes = len(data.modes_a), len(data.modes_b)
    order_a, paired_a = pairs_first(a, data.modes_a)
    order_b, paired_b = pairs_first(b, data.modes_b)
    reach = min(int(a.offsets[-1]), int(b.offsets[-1]))
    spans = [len(side.gaps.phase) * _step(side) for side in (data.drive, data.coast)]
    room = strips * sum(math.ceil(span) + 1 for span in spans)
    kappa = half_space_scale(a.material) + half_space_scale(b.material)
    met = np.any([np.isfinite(one.gaps.play).any(axis=0) for one in (data.drive, data.coast)], axis=0)
    distances = np.linspace(0.0, float(data.widths.max()), COUPLINGS)

    def side(one: FlankSide) -> dict[str, Any]:
        return {
            "first": one.gaps.phase[0] - start,
            "step": _step(one),
            "phases": len(one.gaps.phase),
            "tooth_b": one.gaps.tooth_b,
            "lines": _lines(one, lever_b),
            "levels": np.zeros((0, 0)) if shifts is None else _rows(shifts.levels[0 if one is data.drive else 1]),
            "slides": np.zeros((0, 0)) if shifts is None else _rows(shifts.slides[0 if one is data.drive else 1]),
            "a": _of_gear(a, one.compliance_a, one.traces_a[order_a], one.gaps.single_a, reach),
            "b": _of_gear(b, one.compliance_b, one.traces_b[order_b], one.gaps.single_b, reach),
        }

    parameters = {
        "offsets": reach,
        "room": room,
        "sense": data.sense,
        "kappa": kappa,
        "modulus": contact_modulus(a.material, b.material),
        "near": near or 0.02 * a.teeth.gear.normal_module,
        "damping_ratio": damping_ratio,
        "penalty": penalty,
        "friction": friction,
        "friction_speed": friction_speed,
        "face": float(data.widths[met].sum()),
        "coupling_step": distances[1],
        "widths": data.widths,
        "coupling": (kappa * strip_coupling(data.widths, distances)).reshape(-1, strips),
        "a": _gear(a, data.modes_a[order_a], paired_a),
        "b": _gear(b, data.modes_b[order_b], paired_b),
        "drive": side(data.drive),
        "coast": side(data.coast),
    }
    coordinates = modes[0] + paired_a, modes[1] + paired_b
    many = 0
    if shifts is not None:
        many = len(shifts.base)
        parameters |= {
            "shift_base": shifts.base,
            "shift_along": shifts.along,
            "shift_turning": shifts.turning,
            "farthest": shifts.farthest,
        }
    scratch = empty_scratch(room, modes, coordinates, many)
    return FlankTables(parameters, empty_memory(strips, coordinates), scratch, coordinates)


def pairs_first(gear: ElasticGear, modes: np.ndarray) -> tuple[np.ndarray, int]:
    """Order of the modes of a gear: pairs of nodal diameters n and -n first; and the number of these modes."""
    single = gear.multiplicities[modes] == 1
    return np.argsort(single, kind="stable"), int(np.count_nonzero(~single))


def _gear(gear: ElasticGear, modes: np.ndarray, paired: int) -> dict[str, Any]:
    rows, faces = gear.grids["left"].shape
    return {
        "teeth": gear.teeth.gear.teeth,
        "own": 0 if gear.symmetric else 1,
        "rows": rows,
        "faces": faces,
        "paired": paired,
        "omega": 2.0 * math.pi * gear.frequencies[modes],
        "diameters": gear.nodal_diameters[modes],
    }


def _of_gear(
    gear: ElasticGear, compliance: np.ndarray, traces: np.ndarray, single: dict[int, np.ndarray], reach: int
) -> dict[str, Any]:
    middle, hats = int(gear.offsets[-1]), compliance.shape[-1]
    values: dict[str, Any] = {
        "compliance": compliance[..., middle - reach : middle + reach + 1, :, :].reshape(-1, hats),
        "traces": np.concatenate([traces.real.T, traces.imag.T])
        if gear.symmetric
        else np.ascontiguousarray(traces.real.reshape(len(traces), math.prod(traces.shape[1:])).T),
    }
    if single:
        places = np.full(gear.teeth.gear.teeth, -1)
        end = 0
        for tooth, deviation in single.items():
            places[tooth] = end
            end += np.size(deviation)
        values |= {
            "single": places,
            "deviations": np.concatenate([np.ravel(deviation) for deviation in single.values()]),
        }
    return values


def _step(side: FlankSide) -> float:
    return float(side.gaps.phase[1] - side.gaps.phase[0])


def _rows(levels: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(levels.reshape(-1, levels.shape[-1]))


def _lines(side: FlankSide, lever_b: float) -> np.ndarray:
    """Rows of the table. The slope of the play is computed by differences, one-sided next to strips without an opposite strip."""
    gaps = side.gaps
    play = gaps.play * lever_b
    known = np.isfinite(play)
    rise = np.diff(np.where(known, play, np.nan), axis=0) / _step(side)
    before, after = np.full_like(play, np.nan), np.full_like(play, np.nan)
    before[1:], after[:-1] = rise, rise
    slope = 0.5 * (np.where(np.isnan(before), after, before) + np.where(np.isnan(after), before, after))
    lines = np.zeros(play.shape, ContactLine.dtype)
    lines["play"] = np.where(known, play, FAR)
    lines["slope"] = np.nan_to_num(slope)
    lines["lever"] = gaps.lever / lever_b
    lines["at_a"], lines["at_b"], lines["face_b"] = side.at_a, side.at_b, side.face_b
    lines["radius"] = gaps.radius
    lines["roll_a"], lines["roll_b"] = gaps.roll_a, gaps.roll_b
    lines["face_a"] = np.arange(play.shape[1]) if side.face_a is None else side.face_a
    return lines.reshape(-1).view("f8").reshape(-1, ContactLine.size)
