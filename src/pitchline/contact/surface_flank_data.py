"""Two elastic gears with flanks of any shape, their axes in any position: what contact in motion needs.

Strips are lines v = const of flank A. Where flanks touch along a line, they are the lines of its hats, as for involutes. Where
they touch in a point, the strips are as narrow as the contact requires, and cover only the part of the face that the contact
passes; their places lie between the lines of hats.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError
from pitchline.fem.elastic_gear import ElasticGear
from pitchline.fem.surface_grid import FlankGrid
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.inputs import in_mm
from pitchline.parts.gears.geometry.placement import Placement
from pitchline.parts.gears.surfaces.from_gears import SurfaceTeeth, surface_teeth
from pitchline.parts.gears.surfaces.patch import FlankPatch

from .compliance import contact_modulus
from .flank_data import FlankData, FlankSide, profile_place
from .strip_gaps import StripGaps
from .surface_press import flank_hats, involutes_of
from .surface_strips import LeastGaps, SurfacePair

__all__ = ["surface_flank_data"]

_REACH = 4.0
_FARTHEST = 0.5
"""As in `strip_gaps`: pitches in which contact is looked for, and gaps in modules that never close."""
_PRESSURE = 1e9
"""[Pa] The contact at this pressure is resolved,"""
_FINE = 3.0
"""with this many strips in half of its length;"""
_MOST = 96
"""not more than this many strips altogether."""
_ROUGH = 16
"""Positions in a pitch for the path of contact."""


def surface_flank_data(
    a: ElasticGear, b: ElasticGear, pose: Placement, *, ratio: float, up_to: float = 0.0, more_play: float = 0.0,
    per_pitch: int = 48, surfaces: tuple[SurfaceTeeth, SurfaceTeeth] | None = None, what: str = "contact",
) -> FlankData:  # fmt: skip
    """Gaps, residual compliances and traces of a pair; arguments as in `flank_data`, ratio as in `SurfacePair`.

    surfaces: the flanks, with their deviations; default: those of the elastic gears.
    """
    own = (surface_teeth(a.teeth), surface_teeth(b.teeth)) if surfaces is None else surfaces
    teeth = _common(own[0]), _common(own[1])
    pairs = {side: SurfacePair(*teeth, pose, side, ratio=ratio, endless=True) for side in ("left", "right")}
    v, width = _strips(a, b, pairs, what)
    modes_a, modes_b = (np.flatnonzero(gear.frequencies < up_to) for gear in (a, b))
    sides, widths = {}, []
    for name, side in (("drive", "left"), ("coast", "right")):
        pair = pairs[side]
        phase, found, near, met = _passage(pair, v, per_pitch, what)
        u_b, v_b = found.at["u"], found.at["v"]
        k1, _, e1 = pair.curvatures(phase[:, None] * pair.a.step.angle, 0, found.u, v)
        widths.append(_along_contact(pair, phase, found, e1, near, width))
        lever_a, lever_b, slides = _sliding_levers(pair, phase, found)
        gaps = StripGaps(
            side=side, side_b=pair.side_b, phase=phase, zeta_a=pair.patch_a.point(0.5, v)[..., 2],
            play=np.where(near, found.gap, np.inf) + more_play, lever=np.array(found.at["lever_b"]), roll_a=lever_a,
            roll_b=lever_b, zeta_b=(v_b - 0.5) * pair.patch_b.lengths[1], radius=1.0 / np.maximum(k1, 1e-3), tooth_b=met,
            single_a=_singles(own[0], side, found.u, np.broadcast_to(v, found.u.shape)),
            single_b=_singles(own[1], pair.side_b, u_b, v_b),
        )  # fmt: skip
        at_a, face_a = _places(a, side, pair.patch_a, found.u, np.broadcast_to(v, found.u.shape))
        at_b, face_b = _places(b, pair.side_b, pair.patch_b, u_b, v_b)
        sides[name] = FlankSide(
            gaps=gaps, at_a=at_a, at_b=at_b, face_b=face_b, face_a=face_a,
            compliance_a=_residual(a, side, pair.patch_a, up_to),
            compliance_b=_residual(b, pair.side_b, pair.patch_b, up_to),
            traces_a=a.traces[side][modes_a], traces_b=b.traces[pair.side_b][modes_b],
            points=np.array(found.at["point"]), normals=_outwards(pair, found), slides=slides,
        )  # fmt: skip
    sense = 1 if ratio > 0.0 else -1
    return FlankData(a, b, sides["drive"], sides["coast"], modes_a, modes_b, np.mean(widths, axis=0), sense)


def _common(teeth: SurfaceTeeth) -> SurfaceTeeth:
    return replace(teeth, of_tooth={})


def _singles(teeth: SurfaceTeeth, side: str, u: FloatArray, v: FloatArray) -> dict[int, FloatArray]:
    """Deviations of single teeth from the flank that the others share, along its normal [m]."""
    own = teeth.of_tooth.get(side, {})
    if not own:
        return {}
    u, v = np.clip(u, 0.0, 1.0), np.clip(v, 0.0, 1.0)
    shared = teeth.left if side == "left" else teeth.right
    p, n = shared.point(u, v), shared.normal(np.clip(u, 1e-6, 1.0), v)
    return {k: np.einsum("...i,...i->...", patch.point(u, v) - p, n) for k, patch in own.items()}


def _places(
    gear: ElasticGear, side: str, patch: FlankPatch, u: FloatArray, v: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Positions of points (u, v), counted in hats, along profile and face."""
    grid = gear.grids[side]
    u, v = np.clip(u, 0.0, 1.0), np.clip(v, 0.0, 1.0)
    if isinstance(grid, FlankGrid):
        p = patch.point(u, v)
        base = involutes_of(gear.teeth).flank(side).involute.base_radius
        lengths = np.sqrt(np.maximum(p[..., 0] ** 2 + p[..., 1] ** 2 - base**2, 0.0))
        face = np.interp(p[..., 2], grid.zeta, np.arange(len(grid.zeta), dtype=np.float64))
        return profile_place(grid, lengths, face), face
    rows, lines = grid.shape
    return u * (rows - 1), v * (lines - 1)


def _residual(gear: ElasticGear, side: str, patch: FlankPatch, up_to: float) -> FloatArray:
    if gear.rigid:
        return np.ascontiguousarray(gear.compliance[side, side])
    found = flank_hats(gear, side, patch, rack=not isinstance(gear.teeth.gear, Gear)).compliance
    if up_to:
        found = found - gear.modal_compliance(side, side, up_to=up_to)
    return np.ascontiguousarray(found)


# -------------------------------------------------------------------------------------------------------------- strips


def _lines(gear: ElasticGear, side: str) -> FloatArray:
    """v of the lines of hats of a flank."""
    grid = gear.grids[side]
    if isinstance(grid, FlankGrid):
        return np.asarray((grid.zeta - grid.zeta[0]) / np.ptp(grid.zeta))
    return np.asarray(grid.v)


def _reach(pair: SurfacePair) -> float:
    edge = pair.patch_a.point(0.5, np.linspace(0.0, 1.0, 257))
    turn = float(np.ptp(np.unwrap(np.angle(edge[:, 0] + 1j * edge[:, 1]))))
    return _REACH + turn / pair.a.step.angle


def _strips(a: ElasticGear, b: ElasticGear, pairs: dict[str, SurfacePair], what: str) -> tuple[FloatArray, FloatArray]:
    """v of the strips, and their widths in v."""
    lines = _lines(a, "left")
    edges = np.concatenate([lines[:1], 0.5 * (lines[1:] + lines[:-1]), lines[-1:]])
    usual = np.diff(edges)
    modulus = contact_modulus(a.material, b.material)
    low, high, half = 1.0, 0.0, math.inf
    for pair in pairs.values():
        many = math.ceil(_reach(pair) * _ROUGH)
        phase = np.arange(-many, many + 1) / _ROUGH
        angle = phase * pair.a.step.angle
        path = pair.least_of_teeth(angle, 0)
        close = np.isfinite(path.gap)
        depth = _depth(path)
        close &= depth < depth.min() + 5e-3 * pair.a.gear.normal_module
        if not close.any():
            raise ModelError(
                f"{what}: the {pair.side} flanks of gear A are never close to those of gear B. Check the position of the gears, "
                "profile shifts and tip diameters"
            )
        u, v = path.u[close], path.v[close]
        k1, k2, e1 = pair.curvatures(angle[close], 0, u, v)
        inner = np.minimum(np.minimum(u, 1.0 - u), np.minimum(v, 1.0 - v)) > 0.02
        if not inner.any():
            continue
        # half axes of the ellipse at the pressure: b = 2 p/(E* k1), a = b (k1/k2)^(2/3); along v
        across = 2.0 * _PRESSURE / (modulus * k1[inner])
        ellipse = across * (k1[inner] / np.maximum(k2[inner], 1e-9 * k1[inner])) ** (2.0 / 3.0)
        along = ellipse / _per_v(pair, angle[close][inner], u[inner], v[inner], e1[inner])
        low, high = min(low, float((v - along.max()).min())), max(high, float((v + along.max()).max()))
        half = min(half, float(np.quantile(along, 0.1)))
    if half >= _FINE * usual.max() or half >= 0.5:
        return lines, usual
    low, high = max(low, 0.0), min(high, 1.0)
    many = math.ceil((high - low) / (half / _FINE))
    if many > _MOST:
        size = half * pairs["left"].patch_a.lengths[1]
        raise ModelError(
            f"{what}: the flanks touch in a point. At {1e-9 * _PRESSURE:g} GPa the contact is {in_mm(2.0 * size)} long, but it "
            "moves over "
            f"{in_mm((high - low) * pairs['left'].patch_a.lengths[1])} of the face, which needs {many} strips; at most {_MOST} "
            "are supported. Exchange the wheels if the other one has a shorter face, as the wheel of a worm, or use Loaded(...) or "
            "Elastic(...)"
        )
    step = (high - low) / many
    return np.asarray(low + step * (np.arange(many) + 0.5), dtype=np.float64), np.full(many, step, dtype=np.float64)


def _depth(found: LeastGaps) -> FloatArray:
    """Gaps along the normal [m]; infinite where B has no flank."""
    known = np.isfinite(found.gap)
    return np.where(known, np.where(known, found.gap, 0.0) * found.at["lever_b"], np.inf)


def _per_v(pair: SurfacePair, angle: FloatArray, u: FloatArray, v: FloatArray, e1: FloatArray) -> FloatArray:
    """Length along the direction of least relative curvature for a step of 1 in v [m]."""
    p_u, p_v = pair.patch_a.tangents(u, v)
    n = pair.patch_a.normal(u, v)
    c, s = np.cos(angle), np.sin(angle)
    e = e1.copy()  # in the axes of A itself
    e[..., 0], e[..., 1] = c * e1[..., 0] + s * e1[..., 1], c * e1[..., 1] - s * e1[..., 0]
    e2 = np.cross(n, e)

    def dot(x: FloatArray, y: FloatArray) -> FloatArray:
        return np.asarray(np.einsum("...i,...i->...", x, y))

    E, F, G = dot(p_u, p_u), dot(p_u, p_v), dot(p_v, p_v)
    per_length = np.abs((dot(e2, p_v) * E - dot(e2, p_u) * F) / (E * G - F * F))
    return 1.0 / np.maximum(per_length, 0.2 / np.sqrt(G))


def _passage(
    pair: SurfacePair, v: FloatArray, per_pitch: int, what: str
) -> tuple[FloatArray, LeastGaps, npt.NDArray[np.bool_], int]:
    """Phases, least gaps of the strips of tooth 0, which of them are near contact with one tooth of B, and its number."""
    n = math.ceil(_reach(pair) * per_pitch)
    phase = np.arange(-n, n + 1) / per_pitch
    rough = pair.least_on_lines(phase[::4, None] * pair.a.step.angle, 0, v)
    some = _depth(rough) < _FARTHEST * pair.a.gear.normal_module
    rows = np.flatnonzero(some.any(axis=1))
    if not len(rows):
        raise ModelError(
            f"{what}: the {pair.side} flanks of gear A are never close to those of gear B. Check the position of the gears, "
            "profile shifts and tip diameters"
        )
    phase = phase[max(4 * (rows[0] - 1), 0) : 4 * (rows[-1] + 1) + 1]
    found = pair.least_on_lines(phase[:, None] * pair.a.step.angle, 0, v)
    near = _depth(found) < _FARTHEST * pair.a.gear.normal_module
    numbers, counts = np.unique(found.at["tooth"][near], return_counts=True)
    met = int(numbers[np.argmax(counts)])
    near &= found.at["tooth"] == met
    rows = np.flatnonzero(near.any(axis=1))
    keep = slice(max(rows[0] - 1, 0), rows[-1] + 2)
    kept = LeastGaps(*(getattr(found, name)[keep] for name in ("gap", "u", "v", "begin", "end", "at")))
    return phase[keep], kept, near[keep], met


def _along_contact(
    pair: SurfacePair,
    phase: FloatArray,
    found: LeastGaps,
    e1: FloatArray,
    near: npt.NDArray[np.bool_],
    width: FloatArray,
) -> FloatArray:
    """Widths of the strips along the line of contact [m], means over the positions in which they are closest."""
    angle = np.broadcast_to(phase[:, None] * pair.a.step.angle, found.gap.shape)
    u, v = np.clip(found.u, 1e-4, 1.0 - 1e-4), np.clip(found.v, 0.0, 1.0)
    per_v = _per_v(pair, angle, u, v, e1)
    depth = np.where(near, _depth(found), np.inf)
    close = depth < depth.min() + 5e-3 * pair.a.gear.normal_module
    close &= (found.u > 0.02) & (found.u < 0.98)
    overall = float(np.median(per_v[close])) if close.any() else pair.patch_a.lengths[1]
    with np.errstate(invalid="ignore"):
        own = np.where(close, per_v, 0.0).sum(axis=0) / np.maximum(close.sum(axis=0), 1)
    return width * np.where(close.any(axis=0), own, overall)


def _sliding_levers(
    pair: SurfacePair, phase: FloatArray, found: LeastGaps
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Velocities of the points of A and of B along the direction of sliding, per rotation of each gear [m]; and this direction.

    The direction is that of the sliding velocity at the nominal ratio, towards the tip of A, or along its face where axes cross.
    The angles are ψ_A and ψ_B of the mesh, of which the second one decreases while the first one increases; the travel of a rack
    increases.
    """
    p = found.at["point"]
    n = found.at["normal"]
    R, x = pair.pose.rotation, pair.pose.position
    v_a = np.stack([-p[..., 1], p[..., 0], np.zeros(p.shape[:-1])], axis=-1)
    q = (p - x) @ R
    zero = np.zeros(q.shape[:-1])
    local = (
        np.stack([-q[..., 1], q[..., 0], zero], axis=-1)
        if pair.turns_b
        else np.stack([zero, zero + 1.0, zero], axis=-1)
    )
    v_b = local @ R.T
    slide = v_a - pair.ratio * v_b
    slide -= np.einsum("...i,...i->...", slide, n)[..., None] * n
    angle = phase[:, None] * pair.a.step.angle
    t_u, t_v = (
        _turned(t, angle) for t in pair.patch_a.tangents(np.clip(found.u, 1e-3, 1.0), np.clip(found.v, 0.0, 1.0))
    )
    shares = [np.abs(np.einsum("...i,...i->...", slide, t)) / np.linalg.norm(t, axis=-1) for t in (t_u, t_v)]
    towards = t_u if np.mean(shares[0]) >= np.mean(shares[1]) else t_v
    size = np.linalg.norm(slide, axis=-1)
    scale = float(np.abs(v_a).max())
    straight = towards / np.linalg.norm(towards, axis=-1)[..., None]
    direction = np.where((size > 1e-6 * scale)[..., None], slide / np.maximum(size, 1e-300)[..., None], straight)
    sign = np.where(np.einsum("...i,...i->...", direction, towards) < 0.0, -1.0, 1.0)
    direction = direction * sign[..., None]
    lever_a = np.einsum("...i,...i->...", direction, v_a)
    way = math.copysign(1.0, pair.ratio) * (1.0 if pair.turns_b else -1.0)
    lever_b = way * np.einsum("...i,...i->...", direction, v_b)
    return lever_a, lever_b, direction


def _outwards(pair: SurfacePair, found: LeastGaps) -> FloatArray:
    """Normals out of the flanks of A: a left flank faces the direction in which A turns positively."""
    p, n = found.at["point"], found.at["normal"]
    ahead = p[..., 0] * n[..., 1] - p[..., 1] * n[..., 0]
    sign = np.where(ahead < 0.0, -1.0, 1.0) * (1.0 if pair.side == "left" else -1.0)
    return np.asarray(n * sign[..., None])


def _turned(t: FloatArray, angle: FloatArray) -> FloatArray:
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * t[..., 0] - s * t[..., 1], s * t[..., 0] + c * t[..., 1], t[..., 2]], axis=-1)
