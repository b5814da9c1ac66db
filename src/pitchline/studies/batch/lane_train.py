"""The numbers of a train for all lanes: rotors, meshes, springs, tables, and their static start."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

__all__ = [
    "ALWAYS",
    "IN_CONTACT",
    "LIMITED",
    "NEVER_PULLING",
    "OF_APPROACH",
    "OF_DEFLECTION",
    "FourierSum",
    "LaneMesh",
    "LanePhase",
    "LaneSpring",
    "LaneTable",
    "LaneTrain",
    "LoadedTables",
    "Rotor",
    "Values",
    "LaneArrays",
    "MeshArrays",
    "open_motions",
    "static_start",
    "unbalanced",
    "LEAST_STEPS",
    "WAVE_STEPS",
    "chosen_steps",
    "fastest",
]


# ---- lane train

# LaneTrain: a gear train as scalar equations, the same for all lanes of a batch.
#
# A lane is one point of a study. Rotor i has the absolute angle n_i θ + x_i: steady rolling and a deviation x_i from
# it, so that accuracy does not depend on the number of revolutions. θ is the base cycle, θ' = ω (+ acceleration t),
# and all lanes have the same steps of θ. Free rotors, meshes and springs satisfy
#
#     J_i x_i'' = T_i + R_i t − n_i J_i ω' − Σ_meshes (l_i F + Σ_phases z_i M) − Σ_springs a_i (k e + c e') ,
#     phase:    φ = order θ + φ_0 + Σ z_i x_i ,
#     mesh:     u = Σ l_i x_i + origin ,  s = u + X(φ ..) ,  g = max(s, 0) + min(s + b, 0) ,  F = K(φ ..) g + c s' in contact ,
#               if F does not pull (other laws: `parts.meshes.kernel_records`) ,
#               M = F ∂X/∂φ + ∂K/∂φ g²/2 for each of its phases, if it is energy-consistent (0 otherwise) ,
#     spring:   e = Σ a_i x_i + offset .
#
# A held rotor has a prescribed motion, x_i = 0. A planet carrier is one more rotor of a row of levers.
#
# Numbers are referred to by name. `LaneTrain.values` has the number of each name, or one number for each lane.

Values: TypeAlias = Mapping[str, "float | np.ndarray"]
"""Number of each name, or (lanes,) numbers."""

NEVER_PULLING, IN_CONTACT, ALWAYS, LIMITED = 0, 1, 2, 3
"""Action of the damper of a mesh, as in `parts.meshes.kernel_law`."""
OF_DEFLECTION, OF_APPROACH = 0, 1
"""Rate on which it acts."""


@dataclass(frozen=True)
class Rotor:
    """Rotating or sliding part, or a group of parts that are coupled by rigid teeth or ratios.

    name : of the body (of a group: of its first body).
    speed : n_i, its speed divided by ω in steady rolling.
    inertia, torque : names of J and T. torque_rate : name of R, or "" if the torque is constant.
    held : prescribed motion.
    """

    name: str
    speed: float
    inertia: str
    torque: str
    torque_rate: str = ""
    held: bool = False


@dataclass(frozen=True)
class LanePhase:
    """Angle φ over which stiffness and errors vary: the mesh cycle, or a revolution of a wheel.

    order : cycles in one base cycle (any number; ratios of whole numbers are exact).
    angle : name of φ_0. teeth : rotor -> name of z_i.
    """

    order: float
    angle: str
    teeth: Mapping[int, str]


@dataclass(frozen=True)
class FourierSum:
    """mean + Σ cos_h cos(h φ) + sin_h sin(h φ), h = 1, 2, ...: names of the numbers. phase : index into the phases of the mesh."""

    phase: int
    mean: str
    cos: tuple[str, ...]
    sin: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class LaneTable:
    """Periodic cubics over φ, the same for all lanes.

    coefficients : (n, 4), ascending powers of the fraction of each of n equal intervals of φ = 0 .. 2π.
    scale : name of a factor. mean : name of a number that is added, or "".
    """

    phase: int
    coefficients: np.ndarray
    scale: str
    mean: str = ""


@dataclass(frozen=True, eq=False)
class LoadedTables:
    """Loaded teeth: approach over force and φ of drive and coast flank, as in `parts.meshes.kernel_law`, the same for all lanes.

    loads : (2, M) knots of the force [N]. approaches, compliances, areas : (2, n, M, 4) cubics over φ.
    """

    phase: int
    loads: np.ndarray
    approaches: np.ndarray
    compliances: np.ndarray
    areas: np.ndarray


Term: TypeAlias = FourierSum | LaneTable


@dataclass(frozen=True)
class LaneMesh:
    """Teeth with a force law along the hoop.

    levers : rotor -> name of l_i. origin : name of u at x = 0, less the offset of the law.
    stiffness : springs in series that vary; compliance : name of the sum of the compliances of constant springs, or "".
    errors : terms of X that vary; error : name of the constant part.
    loaded : tables in place of the stiffness.
    smoothing : name of the length over which the corners of the dead zone are rounded, or "".
    cos_alpha : normal force = hoop force / cos_alpha. length : transmission error = u length on the drive flank.
    """

    name: str
    levers: Mapping[int, str]
    origin: str
    phases: tuple[LanePhase, ...]
    backlash: str
    damping: str
    damping_mode: int = NEVER_PULLING
    damping_rate: int = OF_DEFLECTION
    compliance: str = ""
    stiffness: tuple[Term, ...] = ()
    error: str = ""
    errors: tuple[Term, ...] = ()
    loaded: LoadedTables | None = None
    smoothing: str = ""
    consistent: bool = True
    cos_alpha: float = 1.0
    length: float = 1.0


@dataclass(frozen=True)
class LaneSpring:
    """Linear spring and damper. levers : rotor -> name of a_i. stiffness, damping, offset : names."""

    name: str
    levers: Mapping[int, str]
    stiffness: str
    damping: str
    offset: str


@dataclass(frozen=True)
class LaneTrain:
    """Topology of a train, and the numbers of its names.

    omega : name of ω [rad/s], positive. acceleration : name of ω' [rad/s²], or "" for constant speed.
    """

    name: str
    rotors: tuple[Rotor, ...]
    meshes: tuple[LaneMesh, ...]
    springs: tuple[LaneSpring, ...] = ()
    omega: str = "omega"
    acceleration: str = ""
    values: Values = field(default_factory=dict)

    @property
    def free(self) -> tuple[int, ...]:
        """Rotors with a degree of freedom."""
        return tuple(i for i, rotor in enumerate(self.rotors) if not rotor.held)


MEANS = 1.0 / np.arange(1, 5)
"""Means of the powers 0 .. 3 of a fraction from 0 to 1."""


@dataclass(frozen=True, eq=False)
class MeshArrays:
    """A mesh. levers : (lanes, rotors); others (lanes,). stiffness, stiffest : mean and largest, 0 with tables.

    offset : u + X without vibration. loaded : tables, if there are any.
    """

    levers: np.ndarray
    stiffness: np.ndarray
    stiffest: np.ndarray
    offset: np.ndarray
    backlash: np.ndarray
    damping: np.ndarray
    loaded: LoadedTables | None

    def force(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(force, stiffness) at the approach s, with means over the cycle."""
        b = self.backlash
        if self.loaded is None:
            touching = (s >= 0.0) | (s <= -b)
            return self.stiffness * (np.maximum(s, 0.0) + np.minimum(s + b, 0.0)), np.where(
                touching, self.stiffness, 0.0
            )
        found, k = np.zeros_like(s), np.zeros_like(s)
        for flank, (sign, approach) in enumerate(((1.0, s), (-1.0, -(s + b)))):
            force, stiff = _mean_flank(self.loaded, flank, approach)
            found += sign * force
            k += stiff
        return found, k


class LaneArrays:
    """Arrays of a train with `lanes` lanes. Lanes that have the same numbers may be represented by one."""

    def __init__(self, train: LaneTrain) -> None:
        self.train = train
        sizes = {np.size(v) for v in train.values.values() if np.ndim(v)}
        self.lanes = sizes.pop() if sizes else 1
        self.n = np.array([r.speed for r in train.rotors])
        self.free = list(train.free)

    def of(self, name: str) -> np.ndarray:
        """(lanes,) numbers of a name; zeros without a name."""
        value = self.train.values[name] if name else 0.0
        return np.broadcast_to(np.asarray(value, float), (self.lanes,))

    def row(self, names: Mapping[int, str]) -> np.ndarray:
        """(lanes, rotors) levers."""
        found = np.zeros((self.lanes, len(self.n)))
        for i, name in names.items():
            found[:, i] = self.of(name)
        return found

    @cached_property
    def inertia(self) -> np.ndarray:
        """(lanes, rotors)"""
        return np.stack([self.of(r.inertia) for r in self.train.rotors], axis=1)

    @cached_property
    def torque(self) -> np.ndarray:
        """(lanes, rotors) loads at the start, less those that accelerate the train."""
        found = np.stack([self.of(r.torque) for r in self.train.rotors], axis=1)
        return found - self.inertia * self.n * self.of(self.train.acceleration)[:, None]

    @cached_property
    def meshes(self) -> list[MeshArrays]:
        """Meshes in the order of the train."""
        return [self._mesh(mesh) for mesh in self.train.meshes]

    @cached_property
    def springs(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
        """(levers (lanes, rotors), stiffness, damping, offset) of the springs."""
        return [
            (self.row(s.levers), self.of(s.stiffness), self.of(s.damping), self.of(s.offset))
            for s in self.train.springs
        ]

    def _mesh(self, mesh: LaneMesh) -> MeshArrays:
        X = self.of(mesh.origin) + self.of(mesh.error)
        for term in mesh.errors:
            X = X + self._range(term)[0]
        mean, least = self.of(mesh.compliance).copy(), self.of(mesh.compliance).copy()
        for term in mesh.stiffness:
            middle, largest = self._range(term)
            mean, least = mean + 1.0 / middle, least + 1.0 / largest
        with np.errstate(divide="ignore"):
            k, top = (np.where(c > 0.0, 1.0 / c, 0.0) for c in (mean, least))
        if mesh.loaded is not None:
            stiffest = np.full(self.lanes, 1.0 / float(_values(mesh.loaded.compliances).min()))
            k, top = np.zeros(self.lanes), stiffest
        return MeshArrays(self.row(mesh.levers), k, top, X, self.of(mesh.backlash), self.of(mesh.damping), mesh.loaded)

    def _range(self, term: Term) -> tuple[np.ndarray, np.ndarray]:
        """(mean, a bound of the largest value) of a term."""
        if isinstance(term, FourierSum):
            mean = self.of(term.mean)
            waves = sum(
                (np.hypot(self.of(c), self.of(s)) for c, s in zip(term.cos, term.sin, strict=True)),
                np.zeros(self.lanes),
            )
            return mean, mean + waves
        mean, scale, values = self.of(term.mean), self.of(term.scale), _values(term.coefficients)
        ends = np.stack([scale * values.min(), scale * values.max()])
        return mean + scale * _mean(term), mean + ends.max(axis=0)


def _mean(table: LaneTable) -> float:
    return float(np.mean(table.coefficients @ MEANS))


def _values(cubics: np.ndarray) -> np.ndarray:
    """Values of cubics at several fractions of their intervals."""
    x = np.linspace(0.0, 1.0, 9)
    return cubics @ np.stack([x**k for k in range(4)])


def _mean_flank(table: LoadedTables, flank: int, approach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(force, stiffness) of a flank at its mean approaches over the cycle."""
    loads = table.loads[flank]
    U, c = (np.mean(part[flank] @ MEANS, axis=0) for part in (table.approaches, table.compliances))
    m = np.clip(np.searchsorted(U, approach, side="right") - 1, 0, len(U) - 1)
    after = np.minimum(m + 1, len(U) - 1)
    width = np.where(after > m, loads[after] - loads[m], 1.0)
    k = (c[after] - c[m]) / width
    rest = np.maximum(approach - U[m], 0.0)
    tau = 2.0 * rest / (c[m] + np.sqrt(np.maximum(c[m] ** 2 + 2.0 * k * rest, 0.0)))
    touching = approach > U[0]
    return np.where(touching, loads[m] + tau, 0.0), np.where(touching, 1.0 / (c[m] + k * tau), 0.0)


# ---- static start

# Static equilibrium of all lanes under their loads, with the mean stiffness of the teeth: start of a run.
#
# The energy of teeth and springs is a convex function of the deviations, also with backlash. Newton's method finds
# its minimum. Where a step goes beyond the minimum along its direction, it is halved until it does not.

ITERATIONS, HALVINGS = 60, 30
CONVERGED = 1e-10
"""Largest torque that is not in balance, relative to the loads."""
HELD = 1e-9
"""Stiffness, relative to the largest, that holds motions without a spring: teeth in their backlash."""
CHUNK = 20_000
"""Lanes that are solved at once."""
FEW_VARYING = 3
"""Most numbers that vary for which equal lanes are searched."""


def static_start(arrays: LaneArrays) -> np.ndarray:
    """(lanes, rotors) deviations in equilibrium; 0 of held rotors. Lanes without equilibrium have the closest one found."""
    if not arrays.free:
        return np.zeros((arrays.lanes, len(arrays.n)))
    lanes, place = _different(arrays)
    parts = [_Chunk(arrays, lanes[first : first + CHUNK]).solve() for first in range(0, len(lanes), CHUNK)]
    return np.concatenate(parts)[place]


def _different(arrays: LaneArrays) -> tuple[np.ndarray, np.ndarray]:
    """(lanes with different numbers, the one of them that each lane agrees with). The speed has no effect on the equilibrium."""
    every = np.arange(arrays.lanes)
    varying = [v for name, v in arrays.train.values.items() if np.size(v) > 1 and name != arrays.train.omega]
    if not varying:
        return every[:1], np.zeros(arrays.lanes, np.int64)
    if len(varying) > FEW_VARYING:
        return every, every
    _, first, place = np.unique(np.stack(varying, axis=1), axis=0, return_index=True, return_inverse=True)
    return first, place.ravel()


class _Chunk:
    def __init__(self, arrays: LaneArrays, part: np.ndarray) -> None:
        free = arrays.free
        self.T = arrays.torque[part][:, free]
        self.rows = [m.levers[part][:, free] for m in arrays.meshes]
        self.meshes = [_cut(m, part) for m in arrays.meshes]
        self.springs = [(a[part][:, free], k[part], e[part]) for a, k, _, e in arrays.springs]
        self.count, self.width = self.T.shape[0], len(arrays.n)
        self.free = free
        top = np.zeros((self.count, len(free)))
        for row, mesh in zip(self.rows, self.meshes, strict=True):
            top += row**2 * mesh.stiffest[:, None]
        for a, k, _ in self.springs:
            top += a**2 * k[:, None]
        self.hold = HELD * np.maximum(top, top.max(axis=1, keepdims=True) * 1e-6)

    def residual(self, x: np.ndarray, *, tangent: bool) -> tuple[np.ndarray, np.ndarray | None]:
        r = self.hold * x - self.T
        K = np.einsum("ni,ij->nij", self.hold, np.eye(len(self.free))) if tangent else None
        for row, mesh in zip(self.rows, self.meshes, strict=True):
            F, k = mesh.force(np.einsum("ni,ni->n", row, x) + mesh.offset)
            r += row * F[:, None]
            if K is not None:
                K += np.einsum("n,ni,nj->nij", k, row, row)
        for a, k, e in self.springs:
            r += a * (k * (np.einsum("ni,ni->n", a, x) + e))[:, None]
            if K is not None:
                K += np.einsum("n,ni,nj->nij", k, a, a)
        return r, K

    def solve(self) -> np.ndarray:
        x = np.zeros((self.count, len(self.free)))
        size = np.abs(self.T).max(axis=1) + 1e-300
        for _ in range(ITERATIONS):
            r, K = self.residual(x, tangent=True)
            if np.all(np.abs(r).max(axis=1) <= CONVERGED * size):
                break
            d = -np.linalg.solve(K, r[..., None])[..., 0]  # type: ignore[arg-type]
            step = np.ones(self.count)
            start = np.einsum("ni,ni->n", r, d)  # negative: downwards
            for _ in range(HALVINGS):
                slope = np.einsum("ni,ni->n", self.residual(x + step[:, None] * d, tangent=False)[0], d)
                too_far = slope > np.maximum(1e-6 * -start, 0.0)
                if not np.any(too_far):
                    break
                step[too_far] *= 0.5
            x = x + step[:, None] * d
        found = np.zeros((self.count, self.width))
        found[:, self.free] = x
        return found


def _cut(mesh: MeshArrays, part: np.ndarray) -> MeshArrays:
    names = ("stiffness", "stiffest", "offset", "backlash", "damping")
    return replace(mesh, **{name: getattr(mesh, name)[part] for name in names})


def open_motions(arrays: LaneArrays) -> np.ndarray:
    """(motions, rotors) motions of the free rotors without a force of teeth or springs: rolling of a train without a drive."""
    rows = [m.levers[0, arrays.free] for m in arrays.meshes]
    rows += [a[0, arrays.free] for a, k, _, _ in arrays.springs if np.any(k)]
    A = np.array([row / max(np.abs(row).max(), 1e-300) for row in rows])
    _, s, Vt = np.linalg.svd(A, full_matrices=True)
    rank = int(np.sum(s > 1e-9 * s.max(initial=0.0)))
    found = np.zeros((len(arrays.free) - rank, len(arrays.n)))
    found[:, arrays.free] = Vt[rank:]
    return found


def unbalanced(arrays: LaneArrays) -> int | None:
    """First lane whose loads would accelerate a train without a drive; None if there is none."""
    for motion in open_motions(arrays):
        power, size = np.abs(arrays.torque @ motion), np.abs(arrays.torque) @ np.abs(motion)
        wrong = power > 1e-9 * size
        if np.any(wrong):
            return int(np.argmax(wrong))
    return None


# ---- time steps

# Number of time steps of a base cycle, from the fastest vibration of each lane.

PHASE_STEP = 0.3
"""Largest product of eigenfrequency and time step."""
DAMPED_STEP = 1.0
"""Largest product of the rate of decay by dampers and time step."""
WAVE_STEPS = 16
"""Least number of steps for the shortest wave of stiffness or error."""
LEAST_STEPS = 50
LEAST_STEPS_APART = 100
"""The same where teeth can part: their kinks make the method one of second order."""
MOST_SOLVED = 20_000
"""Most lanes whose eigenvalues are computed; for more different lanes a bound is used."""


def fastest(arrays: LaneArrays) -> tuple[np.ndarray, np.ndarray]:
    """(lanes,) largest eigenfrequency with the largest stiffness of the teeth [rad/s], and largest rate of decay [1/s]."""
    free = arrays.free
    if not free:
        return np.zeros(arrays.lanes), np.zeros(arrays.lanes)
    scale = 1.0 / np.sqrt(arrays.inertia[:, free])
    rows, k, c = [], [], []
    for mesh in arrays.meshes:
        rows.append(mesh.levers[:, free] * scale)
        k.append(mesh.stiffest)
        c.append(mesh.damping)
    for a, stiffness, damping, _ in arrays.springs:
        rows.append(a[:, free] * scale)
        k.append(stiffness)
        c.append(damping)
    B = np.stack(rows, axis=1)
    return np.sqrt(_largest(B, np.stack(k, axis=1))), _largest(B, np.stack(c, axis=1))


def _largest(B: np.ndarray, k: np.ndarray) -> np.ndarray:
    """(lanes,) largest eigenvalue of B^T diag(k) B. B: (lanes, springs, rotors), k: (lanes, springs)."""
    W = B * np.sqrt(np.maximum(k, 0.0))[..., None]
    flat = W.reshape(len(W), -1)
    varies = np.ptp(flat, axis=0) > 0.0
    if not np.any(varies):
        different, place = W[:1], np.zeros(len(W), np.int64)
    else:
        _, first, place = np.unique(flat[:, varies], axis=0, return_index=True, return_inverse=True)
        different = W[first]
    if len(different) <= MOST_SOLVED:
        found = np.linalg.norm(different, ord=2, axis=(1, 2)) ** 2
    else:  # a norm is an upper bound
        found = np.linalg.norm(different, axis=2).max(axis=1) ** 2 * min(W.shape[1], W.shape[2])
        found = np.minimum(found, np.sum(different**2, axis=(1, 2)))
    return found[np.ravel(place)]


def chosen_steps(arrays: LaneArrays, least: int = 0) -> np.ndarray:
    """(lanes,) steps of a base cycle, `least` or more. Lanes share few numbers of steps, so that few launches are needed."""
    omega = arrays.of(arrays.train.omega)
    frequency, decay = fastest(arrays)
    apart = np.max([arrays.of(mesh.backlash) for mesh in arrays.train.meshes], axis=0) > 0.0
    floor = np.where(apart, LEAST_STEPS_APART, LEAST_STEPS)
    floor = np.maximum(floor, max(float(least), WAVE_STEPS * _highest(arrays)))
    needed = np.maximum(2.0 * math.pi / omega * np.maximum(frequency / PHASE_STEP, decay / DAMPED_STEP), floor)
    # powers of the square root of 2, as even numbers
    levels = np.ceil(2.0 * np.log2(needed / LEAST_STEPS) - 1e-9)
    return (2 * np.ceil(LEAST_STEPS * 2.0 ** (0.5 * levels) / 2.0)).astype(np.int64)


def _highest(arrays: LaneArrays) -> float:
    """Largest number of waves in a base cycle."""
    found = [0.0]
    for mesh in arrays.train.meshes:
        for term in (*mesh.stiffness, *mesh.errors):
            waves = len(term.cos) if isinstance(term, FourierSum) else 1
            found.append(abs(mesh.phases[term.phase].order) * waves)
        if mesh.loaded is not None:
            found.append(abs(mesh.phases[mesh.loaded.phase].order))
    return max(found)
