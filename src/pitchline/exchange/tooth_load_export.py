"""Nodal forces of the teeth in the axes of a gear, in equilibrium with the mesh of the model at every time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.progress.display import stage
from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError, Subject, near_names
from pitchline.fem.sector_grid import SectorGrid, sector_grid, whole_gear
from pitchline.model.model import Model
from pitchline.parts.contact.results_flank import LoadedContact
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.pair import GearPair
from pitchline.parts.gears.teeth.teeth import Teeth
from pitchline.results.result import Result
from pitchline.solids.rotations import read_rotation
from pitchline.units.quantity import quantity

from .load_results import ToothLoads
from .safe_xml import ExchangeError

__all__ = ["ContactShares", "Share", "contact_shares", "NO_FORCE", "ToothAxes", "nodal_loads", "tooth_loads"]


# ---- contact shares

# Shares of the tooth force at the nodes of a gear grid, from loaded contact, over mesh phase and load.


@dataclass(frozen=True, eq=False)
class Share:
    """Shares in one position under one load.

    teeth, mates: (m,) numbers of teeth of this gear and of the other one, not wrapped. nodes: (m,) of the sector grid of one tooth.
    part: (m,) fraction of the normal force, sum 1. pressure: by tooth [Pa]
    """

    teeth: IntArray
    mates: IntArray
    nodes: IntArray
    part: FloatArray
    pressure: dict[int, float]


@dataclass(frozen=True, eq=False)
class ContactShares:
    """Shares of one flank over loads and positions of one mesh cycle.

    forces: (t,) normal forces [N]. shares: [t][n] positions of one pitch. side: of this gear. teeth_step, mates_step: by which the
    numbers of teeth change from one mesh cycle to the next.
    """

    forces: FloatArray
    shares: list[list[Share]]
    side: str
    teeth_step: int
    mates_step: int

    def at(self, phase: float, force: float) -> list[tuple[float, Share, int]]:
        """(weight, shares, mesh cycles) that are added for a phase [pitches of gear A] and a force [N]."""
        n = len(self.shares[0])
        place = phase * n
        low = int(np.floor(place))
        beyond = place - low
        t = int(np.clip(np.searchsorted(self.forces, force) - 1, 0, max(len(self.forces) - 2, 0)))
        loads = [(1.0, t)]
        if len(self.forces) > 1:
            over = float(np.clip((force - self.forces[t]) / (self.forces[t + 1] - self.forces[t]), 0.0, 1.0))
            loads = [(1.0 - over, t), (over, t + 1)]
        found = []
        for weight, level in loads:
            for part, position in ((1.0 - beyond, low), (beyond, low + 1)):
                if weight * part > 0.0:
                    found.append((weight * part, self.shares[level][position % n], position // n))
        return found


def contact_shares(contact: LoadedContact, sector: SectorGrid, *, second: bool) -> ContactShares:
    """Shares at the nodes of the sector grid of gear A, or of gear B if `second`."""
    side = _side(contact, second)
    patch = sector.flanks[side]
    step = sector.solid.order
    nodes = patch.nodes[::step, ::step]
    lengths, zeta = patch.lengths[::step, ::step].mean(axis=1), patch.zeta[::step]
    if lengths[0] > lengths[-1]:
        nodes, lengths = nodes[::-1], lengths[::-1]
    end = "b" if second else "a"
    rows = [
        [_share(contact, t, n, end, nodes, lengths, zeta) for n in range(len(contact.phase))]
        for t in range(len(contact.torque))
    ]
    internal = contact.b.gear.internal
    forward, back = -1, -1 if internal else 1
    steps = (back, forward) if second else (forward, back)
    forces = contact.force / np.cos(contact.base_helix_angle)
    return ContactShares(forces, rows, side, *steps)


def _side(contact: LoadedContact, second: bool) -> str:
    """Flank of the gear that touches: of gear B the one whose normals are opposite to those of gear A."""
    if not second:
        return contact.side
    one = contact.contacts[0][0]
    cell, strip = int(np.argmax(one.loads)), int(np.argmax(one.loads)) // one.count
    A = contact.a.flank(contact.side).involute
    n_a = _turned(
        A.normal(one.cells["length_a"][cell], one.cells["face_a"][cell]),
        contact.angle[0] + contact.a.gear.angular_pitch * one.strips["tooth_a"][strip],
    )
    found = {}
    for side in ("left", "right"):
        B = contact.b.flank(side).involute
        own = _turned(
            B.normal(one.cells["length_b"][cell], one.cells["face_b"][cell]),
            contact.angle_b[0] + contact.b.gear.angular_pitch * one.strips["tooth_b"][strip],
        )
        found[side] = float(n_a @ contact.placement_b.rotation @ own)
    return min(found, key=lambda side: found[side])


def _turned(vector: FloatArray, angle: float) -> FloatArray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1], vector[2]])


def _share(
    contact: LoadedContact, t: int, n: int, end: str, nodes: IntArray, lengths: FloatArray, zeta: FloatArray
) -> Share:
    one = contact.contacts[t][n]
    loads = np.asarray(one.loads, dtype=np.float64)
    active = np.flatnonzero(loads > 0.0)
    strip = active // one.count
    teeth, mates = one.strips[f"tooth_{end}"][strip], one.strips[f"tooth_{'a' if end == 'b' else 'b'}"][strip]
    part = loads[active] / loads[active].sum()
    i, u = _between(lengths, one.cells[f"length_{end}"][active])
    j, v = _between(zeta, one.cells[f"face_{end}"][active])
    corners = ((0, 0, (1 - u) * (1 - v)), (1, 0, u * (1 - v)), (0, 1, (1 - u) * v), (1, 1, u * v))
    all_nodes = np.concatenate([nodes[i + a, j + b] for a, b, _ in corners])
    parts = np.concatenate([part * weight for _, _, weight in corners])
    owner, mate = np.tile(teeth, 4), np.tile(mates, 4)
    keys, where = np.unique(np.stack([owner, mate, all_nodes]), axis=1, return_inverse=True)
    summed: FloatArray = np.asarray(np.bincount(where.ravel(), parts, minlength=keys.shape[1]), dtype=np.float64)
    kept = summed > 0.0
    height, width = one.strips["height"][strip], contact.widths[one.strips["slice"][strip]]
    pressure = loads[active] / (height * width)
    largest = {int(k): float(pressure[teeth == k].max()) for k in np.unique(teeth)}
    return Share(keys[0][kept], keys[1][kept], keys[2][kept], summed[kept], largest)


def _between(grid: FloatArray, values: FloatArray) -> tuple[IntArray, FloatArray]:
    """Interval of an ascending grid and position in it, 0 to 1; values outside are at its ends."""
    at = np.clip(np.searchsorted(grid, values) - 1, 0, len(grid) - 2)
    return at, np.clip((values - grid[at]) / (grid[at + 1] - grid[at]), 0.0, 1.0)


NO_FORCE = 1e-6
"""Tooth force, relative to the largest one, that counts as zero."""
APART = 0.35
"""Largest difference between the contact forces and the force of the model, relative: friction, and shares between positions."""


class ToothAxes:
    """Axes of the teeth of a gear in the world, over time."""

    def __init__(self, model: Model, result: Result, name: str, contact: LoadedContact, second: bool) -> None:
        self.model, self.result, self.contact, self.second = model, result, contact, second
        self.one = model.gear_pairs[name]
        self.name = name

    def _pose(self, wheel: Any, sample: int) -> tuple[FloatArray, FloatArray]:
        frame = wheel.frame
        body = self.model.bodies.get(frame.body_name)
        if body is None or body.is_ground:
            return self.model.placed(frame)
        R = read_rotation(np.asarray(self.result[f"{body.name}.orientation"].values[sample]), what="tooth loads")
        return np.asarray(self.result[f"{body.name}.position"].values[sample]) + R @ frame.position, R @ frame.rotation

    def at(self, sample: int, psi: float) -> FloatArray:
        """(3, 3): columns are the axes of the teeth in the world."""
        (x_a, R_a), (x_b, _) = self._pose(self.one.wheel_a, sample), self._pose(self.one.wheel_b, sample)
        z = R_a[:, 2]
        x = x_b - x_a - ((x_b - x_a) @ z) * z
        x = x / np.linalg.norm(x)
        mesh = np.stack([x, np.cross(z, x), z], axis=1)
        standing = self.one.standing
        assert standing is not None
        angle = standing.start + psi
        if not self.second:
            return np.asarray(mesh @ _about_z(angle))
        ratio = -self.contact.a.gear.teeth / self.contact.b.gear.teeth
        turned = float(self.contact.angle_b[0]) + ratio * (angle - float(self.contact.angle[0]))
        return np.asarray(mesh @ self.contact.placement_b.rotation @ _about_z(turned))


def _about_z(angle: float) -> FloatArray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def nodal_loads(
    gear: str, name: str, result: Result, samples: IntArray, F: FloatArray, psi: FloatArray, sector: SectorGrid,
    shares: dict[int, ContactShares], axes: ToothAxes, largest: float,
) -> ToothLoads:  # fmt: skip
    whole = whole_gear(sector)
    count = sector.teeth.gear.teeth
    number, each = _numbers(sector)
    end = "b" if axes.second else "a"
    pitch = 2.0 * np.pi / axes.contact.a.gear.teeth
    world_force = np.asarray(result[f"{name}.force_{end}"].values)[samples]
    world_moment = np.asarray(result[f"{name}.moment_{end}"].values)[samples]
    pairs = f"{name}.pair_forces"
    pair_forces = np.abs(np.asarray(result[pairs].values)[samples]) if pairs in result else None
    found: list[dict[int, FloatArray]] = []
    rows: list[tuple[Any, ...]] = []
    corrections = np.zeros(len(samples))
    for i, sample in enumerate(samples):
        force = float(abs(F[i]))
        if force <= NO_FORCE * largest:
            found.append({})
            continue
        share = shares[1 if F[i] > 0.0 else -1]
        teeth, mates, nodes, parts, pressure = _added(share, psi[i] / pitch, force)
        if pair_forces is not None:
            parts = _shared(parts, mates if axes.second else teeth, pair_forces[i])
        grid_nodes = (number[nodes] + each * (teeth % count)) % (each * count)
        normals = -_normals(sector, share.side, nodes, teeth)
        f = force * parts[:, None] * normals
        R = axes.at(int(sample), float(psi[i]))
        f, corrections[i] = _balanced(
            f,
            whole.nodes[grid_nodes],
            R.T @ world_force[i],
            R.T @ world_moment[i],
            force,
            f'{gear}" at {result.time[sample]:g} s',
        )
        at: dict[int, FloatArray] = {}
        for node, one in zip(grid_nodes.tolist(), f, strict=True):
            at[node] = at.get(node, 0.0) + one
        found.append(at)
        for tooth in np.unique(teeth):
            mine = teeth == tooth
            places = whole.nodes[grid_nodes[mine]]
            weight = parts[mine] / parts[mine].sum()
            rows.append((
                result.time[sample], tooth % count, mates[mine][0] % axes_mates(axes), *f[mine].sum(axis=0),
                *np.cross(places, f[mine]).sum(axis=0), *(weight @ places), pressure[int(tooth)],
            ))  # fmt: skip
    used = np.array(sorted({node for one in found for node in one}), dtype=np.int64)
    place = {int(node): k for k, node in enumerate(used)}
    forces = np.zeros((len(samples), len(used), 3))
    for i, one in enumerate(found):
        for node, f in one.items():
            forces[i, place[node]] = f
    names = ("time", "tooth", "mate", "fx", "fy", "fz", "mx", "my", "mz", "x", "y", "z", "pressure")
    columns = {key: np.array([row[k] for row in rows]) for k, key in enumerate(names)}
    return ToothLoads(gear, name, np.asarray(result.time)[samples], whole, used, forces, columns, corrections)


def axes_mates(axes: ToothAxes) -> int:
    """Number of teeth of the other gear."""
    return int((axes.contact.a if axes.second else axes.contact.b).gear.teeth)


def _added(
    share: ContactShares, phase: float, force: float
) -> tuple[IntArray, IntArray, IntArray, FloatArray, dict[int, float]]:
    """Teeth, mates, nodes and parts of all shares that are interpolated, and pressures by tooth."""
    keys, parts = [], []
    pressures: dict[int, float] = {}
    for weight, one, cycles in share.at(phase, force):
        teeth = one.teeth + cycles * share.teeth_step
        keys.append(np.stack([teeth, one.mates + cycles * share.mates_step, one.nodes]))
        parts.append(weight * one.part)
        for tooth, pressure in one.pressure.items():
            own = tooth + cycles * share.teeth_step
            pressures[own] = pressures.get(own, 0.0) + weight * pressure
    merged, where = np.unique(np.concatenate(keys, axis=1), axis=1, return_inverse=True)
    summed = np.asarray(np.bincount(where.ravel(), np.concatenate(parts), minlength=merged.shape[1]), dtype=np.float64)
    return merged[0], merged[1], merged[2], summed / summed.sum(), pressures


def _shared(parts: FloatArray, teeth_a: IntArray, pair_forces: FloatArray) -> FloatArray:
    """Parts with the load sharing of a mesh with `Flank`: the force of tooth k of gear A is at index k modulo 8."""
    scaled = np.zeros_like(parts)
    for k in np.unique(teeth_a):
        mine = teeth_a == k
        scaled[mine] = parts[mine] * pair_forces[k % len(pair_forces)] / parts[mine].sum()
    total = float(scaled.sum())
    return scaled / total if total > 0.0 else parts


def _normals(sector: SectorGrid, side: str, nodes: IntArray, teeth: IntArray) -> FloatArray:
    """Normals of the ideal flanks out of the material at nodes of the flank, in the axes of the gear."""
    patch = sector.flanks[side]
    length, zeta = np.zeros(len(sector.solid.nodes)), np.zeros(len(sector.solid.nodes))
    there = patch.nodes >= 0
    length[patch.nodes[there]] = patch.lengths[there]
    zeta[patch.nodes[there]] = np.broadcast_to(patch.zeta, patch.nodes.shape)[there]
    flank = sector.teeth.flank(side).involute
    n = flank.normal(length[nodes], zeta[nodes])
    turn = np.exp(1j * sector.teeth.gear.angular_pitch * teeth) * (n[:, 0] + 1j * n[:, 1])
    return np.stack([turn.real, turn.imag, n[:, 2]], axis=1)


def _balanced(
    f: FloatArray, places: FloatArray, force: FloatArray, moment: FloatArray, size: float, what: str
) -> tuple[FloatArray, float]:
    """Forces with the least change, relative to their size, whose sum and moment are given."""
    first = f.sum(axis=0)
    if np.linalg.norm(first - force) > APART * size:
        raise ExchangeError(
            f'tooth loads of "{what}: the contact forces sum to {np.round(first, 3)} N, but the mesh of the model has '
            f"{np.round(force, 3)} N in the axes of the gear. The result does not belong to this model, or its gears tilt too far"
        )
    scale = float(np.linalg.norm(places, axis=1).max())
    x = places / scale
    m = len(f)
    A = np.zeros((6, 3 * m))
    for k in range(m):
        A[:3, 3 * k : 3 * k + 3] = np.eye(3)
        A[3:, 3 * k : 3 * k + 3] = [[0, -x[k, 2], x[k, 1]], [x[k, 2], 0, -x[k, 0]], [-x[k, 1], x[k, 0], 0]]
    W = np.repeat(np.linalg.norm(f, axis=1), 3)
    changed = f.ravel()
    for _ in range(2):  # the second time removes rounding errors
        missing = np.concatenate([force, moment / scale]) - A @ changed
        changed = changed + W * (A.T @ np.linalg.lstsq((A * W) @ A.T, missing, rcond=1e-14)[0])
    change = float(np.abs(changed - f.ravel()).sum() / size)
    if not np.isfinite(changed).all():
        raise ModelError(f'tooth loads of "{what}: no forces of these nodes are in equilibrium with the mesh')
    return changed.reshape(-1, 3), change


def _numbers(sector: SectorGrid) -> tuple[IntArray, int]:
    """Numbers of the nodes of tooth 0 in the whole gear, and nodes of each tooth (see `whole_gear`)."""
    own = np.ones(len(sector.solid.nodes), dtype=bool)
    own[sector.high_side] = False
    each = int(np.count_nonzero(own))
    number = np.cumsum(own, dtype=np.int64) - 1
    number[sector.high_side] = number[sector.low_side] + each
    return number, each


# ---- tooth loads

# tooth_loads: nodal forces on the teeth of a gear over the time of a result, in equilibrium with the mesh of the
# model.

LEAST_FORCE = 1e-6
"""[N] Tooth force below which a gear pair carries no load."""
LEVELS = (0.1, 0.35, 1.0)
"""Loads of the contact analysis, relative to the largest one."""


@names_wrong_arguments
def tooth_loads(
    model: Model,
    result: Result,
    gear: str,
    *,
    pair: str | None = None,
    times: Any = None,
    positions: int = 24,
    contact: LoadedContact | None = None,
    **grid: Any,
) -> ToothLoads:
    """Forces on the teeth of a gear over the time of a result, at the nodes of its finite element grid.

    The force of the mesh is that of the result. Its distribution over the flanks is that of `loaded_contact` of both gears at the
    same mesh phase and load, and so is its distribution over tooth pairs; a mesh with `Flank` has its own forces of tooth pairs.
    Finally the nodal forces are changed by the least amount so that their sum and their moment are those of the result, including
    friction.

    Parameters
    ----------
    model, result
        Model, and a result of it with a mesh that has forces, such as `Elastic`, `Loaded` or `Flank`.
    gear
        Name of the wheel whose teeth are loaded.
    pair
        Name of the gear pair. Default: the only one of the wheel.
    times
        Times [s], one or more; the nearest samples are used. Default: all samples.
    positions
        Positions of the contact analysis in one mesh cycle.
    contact
        Loaded contact of the gear pair over one pitch, in place of a new analysis.
    grid
        Options of `sector_grid`, such as ``order=1`` or ``flank_elements=8``.
    """
    name, second = _chosen(model, gear, pair)
    made = model.gear_pairs[name].pair
    assert isinstance(made, GearPair) and isinstance(made.b, Gear)
    samples = _samples(result, times)
    for signal in ("signed_force", "contact", "psi_a", "force_a", "moment_a"):
        if f"{name}.{signal}" not in result:
            raise ExchangeError(f'tooth loads: the result has no signal "{name}.{signal}". Use a result of this model')
    F = np.asarray(result[f"{name}.signed_force"].values)[samples]
    psi = np.asarray(result[f"{name}.psi_a"].values)[samples]
    largest = float(np.abs(F).max(initial=0.0))
    if not largest > LEAST_FORCE:
        raise ExchangeError(f'tooth loads: gear pair "{name}" carries no load in this result')
    _check_pulling(result, name, samples, F, largest)
    sector = sector_grid(Teeth(made.b if second else made.a), **grid)
    with stage(f'tooth loads of "{gear}"'):
        sides = _sides(model, name, F, positions, contact, largest)
        shares = {sign: contact_shares(found, sector, second=second) for sign, found in sides.items()}
        axes = ToothAxes(model, result, name, next(iter(sides.values())), second)
        return nodal_loads(gear, name, result, samples, F, psi, sector, shares, axes, largest)


def _chosen(model: Model, gear: str, pair: str | None) -> tuple[str, bool]:
    if gear not in model.wheels:
        raise ExchangeError(f'tooth loads: the model has no wheel "{gear}"; {near_names(gear, model.wheels)}')
    able = [
        name
        for name, one in model.gear_pairs.items()
        if gear in (one.wheel_a.name, one.wheel_b.name) and pair in (None, name)
    ]
    if len(able) != 1:
        raise ExchangeError(
            f'tooth loads: specify the gear pair of "{gear}": {", ".join(able) or ", ".join(model.gear_pairs) or "none"}'
        )
    one = model.gear_pairs[able[0]]
    made = one.pair
    external = (
        isinstance(made, GearPair)
        and made.kind.parallel
        and not (made.a.internal or getattr(made.b, "internal", False))
    )
    if not external or one.standing is None or one.standing.reversed:
        raise ExchangeError(
            f'tooth loads: gear pair "{able[0]}" is {made.kind}. Supported are external spur and helical gears on parallel '
            "axes that point in the same direction"
        )
    return able[0], one.wheel_b.name == gear


def _check_pulling(result: Result, name: str, samples: IntArray, F: FloatArray, largest: float) -> None:
    """Damping may pull in the model; teeth cannot, and have no flank for such a force."""
    contact = np.asarray(result[f"{name}.contact"].values)[samples]
    pulling = np.flatnonzero((contact * F < 0.0) & (np.abs(F) > NO_FORCE * largest))
    if len(pulling):
        t = float(result.time[samples[pulling[0]]])
        raise ExchangeError(
            f'tooth loads: the damping of gear pair "{name}" pulls the teeth at {t:g} s ({len(pulling)} of {len(F)} samples). '
            'Specify damping_acts="never pulling" for the mesh, or choose other times'
        )


def _samples(result: Result, times: Any) -> IntArray:
    if times is None:
        return np.arange(len(result.time))
    many = times if isinstance(times, (list, tuple, np.ndarray)) else [times]
    wanted = np.array([quantity(one, "time", what=Subject("tooth loads") / "times") for one in many])
    if not len(wanted) or wanted.min() < result.time[0] - 1e-12 or wanted.max() > result.time[-1] * (1 + 1e-12) + 1e-12:
        raise ExchangeError(f"tooth loads: times must be from {result.time[0]:g} s to {result.time[-1]:g} s")
    return np.unique(np.abs(result.time[None] - wanted[:, None]).argmin(axis=1))


def _sides(
    model: Model, name: str, F: FloatArray, positions: int, contact: LoadedContact | None, largest: float
) -> dict[int, LoadedContact]:
    """Contact analyses of the flanks that carry load: +1 drive, -1 coast."""
    from pitchline.parts.contact.loaded_contact import loaded_contact

    pair = model.gear_pairs[name].pair
    lever = 0.5 * pair.b.base_diameter * np.cos(pair.b.base_helix_angle)  # type: ignore[union-attr]
    found: dict[int, LoadedContact] = {}
    for sign in (1, -1):
        most = float((sign * F).max(initial=0.0))
        if most <= NO_FORCE * largest:
            continue
        if contact is not None:
            if (contact.torque[0] > 0.0) != (sign > 0):
                raise ExchangeError(
                    "tooth loads: the result loads both flanks, but contact has only one of them. Leave contact out"
                )
            found[sign] = contact
        else:
            torques = [sign * level * most * lever for level in LEVELS]
            computed = loaded_contact(model, name, torque=torques, positions=positions)
            if not isinstance(computed, LoadedContact):
                raise ExchangeError(
                    f'tooth loads: gear pair "{name}" is not on parallel axes. Specify a pair of cylindrical gears'
                )
            found[sign] = computed
    return found
