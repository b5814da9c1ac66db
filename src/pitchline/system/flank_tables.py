"""From two elastic gears in mesh to the parameters and the memory of their element."""

import math

import numpy as np

from ..contact.flank_data import FlankData, FlankSide, half_space_scale
from ..contact.half_space import contact_modulus
from ..contact.half_space_hats import strip_coupling
from ..elements import flank_layout as at
from ..elements.flank_layout import memory_size, scratch_places


def encode_flanks(
    data: FlankData, start: int, *, lever_b: float, damping_ratio: float = 0.0, penalty: float = 0.0, near: float = 0.0,
    friction: float = 0.0, friction_speed: float = 1e-3,
) -> tuple[np.ndarray, int]:
    """Parameters from the place `start` on, and the size of the memory.

    lever_b: c_B, approach along the hoop over the rotation of B [m]. penalty [N/m]: in place of residual and local compliance.
    near [m]: gaps up to which strips are looked at; without it a fiftieth of the module.
    """
    header = np.zeros(at.HEADER)
    pieces: list[np.ndarray] = [header]
    end = start + at.HEADER

    def put(values: np.ndarray) -> int:
        nonlocal end
        flat = np.ascontiguousarray(values, dtype=np.float64).ravel()
        pieces.append(flat)
        place = end
        end += flat.size
        return place

    a, b = data.a, data.b
    strips, modes_a, modes_b = len(data.widths), len(data.modes_a), len(data.modes_b)
    grid_a, grid_b = a.grids["left"], b.grids["left"]
    spans = [len(side.gaps.phase) * _step(side) for side in (data.drive, data.coast)]
    room = strips * sum(math.ceil(span) + 1 for span in spans)
    header[at.STRIPS], header[at.ROOM], header[at.SENSE] = strips, room, data.sense
    header[at.HATS_A], header[at.HATS_B] = grid_a.size, grid_b.size
    header[at.FACES_A], header[at.FACES_B] = grid_a.shape[1], grid_b.shape[1]
    header[at.OFFSETS] = min(int(a.offsets[-1]), int(b.offsets[-1]))
    header[at.TEETH_OF_A], header[at.TEETH_OF_B] = a.teeth.gear.teeth, b.teeth.gear.teeth
    header[at.MODES_A], header[at.MODES_B] = modes_a, modes_b
    header[at.KAPPA] = half_space_scale(a.material) + half_space_scale(b.material)
    header[at.MODULUS] = contact_modulus(a.material, b.material)
    header[at.NEAR] = near or 0.02 * a.teeth.gear.normal_module
    header[at.DAMPING_RATIO], header[at.PENALTY] = damping_ratio, penalty
    header[at.FRICTION], header[at.FRICTION_SPEED] = friction, friction_speed
    header[at.WIDTHS] = put(data.widths)
    distances = np.linspace(0.0, float(data.widths.max()), at.COUPLINGS)
    header[at.COUPLING] = put(header[at.KAPPA] * strip_coupling(data.widths, distances))
    header[at.COUPLING_STEP] = distances[1]
    header[at.OMEGA_A] = put(2.0 * math.pi * a.frequencies[data.modes_a])
    header[at.OMEGA_B] = put(2.0 * math.pi * b.frequencies[data.modes_b])
    header[at.DIAMETERS_A] = put(a.nodal_diameters[data.modes_a])
    header[at.DIAMETERS_B] = put(b.nodal_diameters[data.modes_b])
    for i, side in enumerate((data.drive, data.coast)):
        q = at.SIDE + i * at.SIDE_SIZE
        header[q + at.PHASE_0], header[q + at.PHASE_STEP] = side.gaps.phase[0], _step(side)
        header[q + at.PHASES], header[q + at.TOOTH_B] = len(side.gaps.phase), side.gaps.tooth_b
        header[q + at.TABLE] = put(_table(side, lever_b))
        for gear, compliance, place in ((a, side.compliance_a, at.COMPLIANCE_A), (b, side.compliance_b, at.COMPLIANCE_B)):
            reach = int(header[at.OFFSETS])
            middle = int(gear.offsets[-1])
            header[q + place] = put(compliance[middle - reach : middle + reach + 1])
        for traces, place in ((side.traces_a, at.TRACES_A), (side.traces_b, at.TRACES_B)):
            header[q + place] = put(np.stack([traces.real.T, traces.imag.T]))
        for gear, single, place in ((a, side.gaps.single_a, at.SINGLE_A), (b, side.gaps.single_b, at.SINGLE_B)):
            if single:
                index = np.zeros(gear.teeth.gear.teeth)
                for tooth, deviation in single.items():
                    index[tooth] = put(deviation)
                header[q + place] = put(index)
    places, size = scratch_places(modes_a, modes_b, room)
    scratch = np.zeros(size)
    scratch[[at.KEY_TIME, at.STEP_MADE]] = math.nan
    header[at.SCRATCH] = put(scratch)
    for entry, place in places.items():
        header[entry] = header[at.SCRATCH] + place
    return np.concatenate(pieces), memory_size(modes_a, modes_b, strips)


def _step(side: FlankSide) -> float:
    return float(side.gaps.phase[1] - side.gaps.phase[0])


def _table(side: FlankSide, lever_b: float) -> np.ndarray:
    """The lines of the table; the slope of the play by differences, one-sided next to strips without a counterpart."""
    gaps = side.gaps
    play = gaps.play * lever_b
    known = np.isfinite(play)
    rise = np.diff(np.where(known, play, np.nan), axis=0) / _step(side)
    before, after = np.full_like(play, np.nan), np.full_like(play, np.nan)
    before[1:], after[:-1] = rise, rise
    slope = 0.5 * (np.where(np.isnan(before), after, before) + np.where(np.isnan(after), before, after))
    lines = np.empty((*play.shape, at.LINE))
    lines[..., at.PLAY] = np.where(known, play, at.FAR)
    lines[..., at.SLOPE] = np.nan_to_num(slope)
    lines[..., at.LEVER] = gaps.lever / lever_b
    lines[..., at.AT_A], lines[..., at.AT_B], lines[..., at.FACE_B] = side.at_a, side.at_b, side.face_b
    lines[..., at.RADIUS] = gaps.radius
    lines[..., at.ROLL_A], lines[..., at.ROLL_B] = gaps.roll_a, gaps.roll_b
    return lines
