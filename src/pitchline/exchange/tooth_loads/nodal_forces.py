"""Nodal forces of the teeth in the axes of a gear, in equilibrium with the mesh of the model at every time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...errors import ModelError
from ...fem.sector_grid import SectorGrid, whole_gear
from ...model import Model
from ...results.loaded_contact import LoadedContact
from ...results.result import Result
from ...solids.rotations import read_rotation
from ..limits import ExchangeError
from .contact_shares import ContactShares
from .load_results import ToothLoads

__all__ = ["NO_FORCE", "ToothAxes", "nodal_loads"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
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
