"""Loaded contact of gears with flanks of any shape and axes in any position, position by position.

Gear A has the angle φ_A. The torque T moves gear B by θ beyond its ideal position (`contact.surface_press`):

    gap = w (φ − θ) + A λ >= 0 ,    λ >= 0 ,   λ gap = 0 ,    Σ w λ = T ,     e = r_b (θ − play) .
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ..contact.general_pair import GeneralPair
from ..contact.surface_press import PatchCells, PressedTeeth
from ..errors import ModelError
from ..fem.elastic_gear import ElasticGear
from ..gears import Gear, GearPair, Rack
from ..gears.surfaces.patch import FlankPatch
from ..results.surface_contact import SurfaceContact, SurfacePatch
from .contact_warnings import deflection_warning, jam_warning
from .surface_gears import SurfaceGears

__all__ = ["loaded_surfaces"]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

_NEAR_EDGE = 2
"""Cells from the end of a flank that count as being at its edge."""
_NEAR_RIDGE = 0.25
"""Distance from an edge inside a flank within which cells are at the edge, in half widths of the contact."""
_EDGE_BEYOND = 1.1


def loaded_surfaces(
    gears: SurfaceGears, a: ElasticGear, b: ElasticGear, *, side: str, torques: FloatArray, phase: FloatArray, each: int,
    strips: int, cells: int, tell: Callable[[float, str], None],
) -> SurfaceContact:  # fmt: skip
    """Contact of two elastic gears in the position of `gears`; torques on B with one sign, phase: of A in pitches."""
    pair = GeneralPair(a, b, gears.placement, side=side, ratio=gears.ratio, strips=strips, cells=cells)
    angle = phase * pair.pitch
    near = [pair.near_teeth(float(phi)) for phi in angle]
    found: list[list[PressedTeeth]] = []
    for t, T in enumerate(torques):
        pair.forget()
        row = []
        for i, phi in enumerate(angle):
            row.append(pair.press(float(phi), abs(float(T)), near[i]))
            tell((t * len(angle) + i + 1) / (len(angle) * len(torques)), "contact")
        found.append(row)
    touch = np.array([pair.first_touch(float(phi)) for phi in angle])
    flanks = pair.pair.patch_a, pair.pair.patch_b
    patches = tuple(tuple(tuple(_patch(one, flanks) for one in now.patches) for now in row) for row in found)
    seen = np.unique([patch.tooth_a for row in patches for now in row for patch in now])
    pair_load = np.zeros((len(torques), len(angle), len(seen)))
    for t, patch_row in enumerate(patches):
        for i, now in enumerate(patch_row):
            for patch in now:
                pair_load[t, i, np.searchsorted(seen, patch.tooth_a)] += patch.total_force
    surfaces = pair.surfaces
    rack = isinstance(surfaces[1].gear, Rack)
    lever = gears.lever

    def of_all(pick: Callable[[PressedTeeth], float]) -> FloatArray:
        return np.array([[pick(one) for one in row] for row in found])

    def peak(*, at_edge: bool) -> FloatArray:
        return np.array(
            [
                [max(float(p.pressure[p.at_edge == at_edge].max(initial=0.0)) for p in now) for now in row]
                for row in patches
            ]
        )

    flank, edge = peak(at_edge=False), peak(at_edge=True)
    gear_b = surfaces[1].gear
    error = lever * (of_all(lambda one: one.motion) - gears.play)
    no_load = lever * (touch - gears.play)
    unit = "N" if rack else "N m"
    warnings = (
        *jam_warning(gears),
        *deflection_warning(torques, error - no_load, gears.pair.pitch.normal_module, unit),
        *_warnings(gears.pair, a, b, patches, torques, flank, edge),
    )
    result = SurfaceContact(
        torque=torques,
        phase=phase,
        angle=angle,
        transmission_error=error,
        no_load_error=no_load,
        tangent_stiffness=of_all(lambda one: one.stiffness) / lever**2,
        pairs=seen.astype(np.int64),
        pair_load=pair_load,
        max_pressure=flank,
        edge_pressure=edge,
        rounds=of_all(lambda one: one.rounds).astype(np.int64),
        contact_ratio=np.nan,
        base_radius=lever,
        face_width=float(pair.pair.patch_a.lengths[1]),
        positions_per_pitch=each,
        side=side,
        name=f"{surfaces[0].gear.teeth}/{'rack' if rack else gear_b.teeth} teeth, {gears.pair.kind}",
        travels=rack,
        patches=patches,
        a=surfaces[0],
        b=surfaces[1],
        placement_b=gears.placement,
        angle_b=pair.pair.ratio * angle,
        warnings=warnings,
    )
    return replace(result, contact_ratio=_contact_ratio(gears.pair, result))


def _contact_ratio(pair: GearPair, result: SurfaceContact) -> float:
    try:
        return pair.total_contact_ratio
    except ModelError:
        return float(result.loaded_contact_ratio[int(np.argmin(np.abs(result.torque)))])


def _near_ridges(s: PatchCells, flanks: tuple[FlankPatch, FlankPatch], loaded: BoolArray) -> BoolArray:
    """(s, c) cells within a quarter of the half width from a convex edge inside a flank, such as the start of a relief."""
    half = 0.5 * loaded.sum(axis=1)[:, None] * s.height
    near = np.zeros_like(loaded)
    for patch, u, v in ((flanks[0], s.u_a, s.v_a), (flanks[1], s.u_b, s.v_b)):
        for places, lines, length, cell in zip((u, v), patch.ridges, patch.lengths, (s.height, s.width), strict=True):
            reach = np.maximum(_NEAR_RIDGE * half, 0.75 * cell)
            for line in lines:
                near |= np.abs(places - line) * length <= reach
    return near


def _patch(s: PatchCells, flanks: tuple[FlankPatch, FlankPatch]) -> SurfacePatch:
    loaded = s.load > 0.0
    count = loaded.shape[1]
    column = np.arange(count)
    edge = np.zeros_like(loaded)
    edge |= (s.at_low & loaded[:, 0])[:, None] & (column < _NEAR_EDGE)
    edge |= (s.at_high & loaded[:, -1])[:, None] & (column >= count - _NEAR_EDGE)
    # cells next to one that is beyond the end of a flank
    absent = np.pad(~s.present, 1)
    edge |= absent[1:-1, :-2] | absent[1:-1, 2:] | absent[:-2, 1:-1] | absent[2:, 1:-1]
    low, high = s.line.ends
    for row, end in ((0, low), (-1, high)):
        if abs(float(s.y[row]) - end) < 0.51 * s.width:
            edge[row] = True
    edge |= _near_ridges(s, flanks, loaded)
    return SurfacePatch(
        tooth_a=s.tooth_a,
        tooth_b=s.tooth_b,
        x=s.x,
        y=s.y,
        height=s.height,
        width=s.width,
        place_a=np.stack([s.u_a, s.v_a], axis=-1),
        place_b=np.stack([s.u_b, s.v_b], axis=-1),
        force=s.load,
        lever=s.lever,
        at_edge=edge & loaded,
    )


def _warnings(
    pair: GearPair, a: ElasticGear, b: ElasticGear, patches: tuple[tuple[tuple[SurfacePatch, ...], ...], ...],
    torques: FloatArray, flank: FloatArray, edge: FloatArray,
) -> list[str]:  # fmt: skip
    found = list(pair.warnings)
    t, i = np.unravel_index(int(np.argmax(edge)), edge.shape)
    if edge[t, i] > _EDGE_BEYOND * flank[t].max():
        unit = "N" if isinstance(pair.b, Rack) else "N m"
        found.append(
            f"edge contact: {1e-6 * edge[t, i]:.0f} MPa at the end of a flank or the start of a linear relief, compared with "
            f"{1e-6 * flank[t].max():.0f} MPa on the flanks at {torques[t]:.5g} {unit}. At a sharp edge the pressure has no limit "
            "and depends on the cell size. To avoid it, relieve or crown the teeth with parabolic shapes"
        )
    apart = max((int(np.ptp([p.tooth_a for p in now])) for row in patches for now in row), default=0)
    for name, gear in (("a", a), ("b", b)):
        reach = (len(gear.offsets) - 1) // 2
        if not gear.rigid and isinstance(gear.teeth.gear, Gear) and apart > reach and gear.teeth.gear.teeth > 2 * reach:
            found.append(
                f"pairs of teeth {apart} pitches apart carry load at the same time, but the elastic gear {name} contains "
                f"neighbours up to {reach}. Build it with offsets={apart}"
            )
    return found
