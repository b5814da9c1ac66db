"""A bench for element kernels: one element in any state, evaluated from Python, moved, differentiated.

A pose is (x, R row-major), moved by increments (dx in world axes, theta in node axes): x + dx, R exp(theta~).
"""

from dataclasses import dataclass, field, replace

import numpy as np

from pitchline.elements.contract import (
    C_D,
    C_K,
    C_L,
    C_M,
    DAMP,
    LOAD,
    MAX_LOCAL,
    MAX_MULTIPLIERS,
    MAX_NODES,
    MAX_REPORT,
    N_COEFFICIENTS,
    N_ENERGIES,
    REPORT,
    RESIDUAL,
    SHIFT,
    TIME,
    Element,
    call_at,
)

STEP = 2e-4
"""Step of the finite differences: of fourth order, so that truncation and rounding are both near 1e-12 of the function."""


def skew(a: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def exponential(theta: np.ndarray) -> np.ndarray:
    """exp(theta~), Rodrigues."""
    a = float(np.linalg.norm(theta))
    S = skew(theta)
    if a < 1e-4:
        return np.eye(3) + S * (1 - a**2 / 6) + S @ S * (0.5 - a**2 / 24)
    return np.eye(3) + S * (np.sin(a) / a) + S @ S * ((1 - np.cos(a)) / a**2)


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    """Evenly distributed over all rotations."""
    w, x, y, z = (q := rng.normal(size=4)) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def pose(x: np.ndarray, R: np.ndarray) -> np.ndarray:
    return np.concatenate([x, R.ravel()])


def moved(P: np.ndarray, dq: np.ndarray) -> np.ndarray:
    """Poses (k, 12) moved by increments (k, 6)."""
    out = P.copy()
    for k, d in enumerate(dq):
        out[k, :3] += d[:3]
        out[k, 3:] = (P[k, 3:].reshape(3, 3) @ exponential(d[3:])).ravel()
    return out


@dataclass(frozen=True)
class Probe:
    """An element in a state."""

    element: Element
    P: np.ndarray  # (nodes, 12)
    V: np.ndarray  # (nodes, 6)
    A: np.ndarray  # (nodes, 6)
    lam: np.ndarray  # (multipliers)
    functions: np.ndarray = field(default_factory=lambda: np.zeros(1))
    memory: np.ndarray = field(default_factory=lambda: np.zeros(0))
    t: float = 0.0

    @property
    def n(self) -> int:
        """Number of coordinates of the nodes."""
        return 6 * len(self.element.nodes)

    @property
    def size(self) -> int:
        """Size of the local block."""
        return self.n + len(self.element.rows)

    def rotation(self, k: int) -> np.ndarray:
        return self.P[k, 3:].reshape(3, 3)

    def along(self, e: float) -> "Probe":
        """The state a little later: positions along V, velocities along A."""
        return replace(self, P=moved(self.P, e * self.V), V=self.V + e * self.A, t=self.t + e)


@dataclass(frozen=True)
class Outcome:
    """What a kernel left behind: whole arrays, beyond the local block too."""

    r: np.ndarray
    J: np.ndarray
    memory: np.ndarray


def call(
    probe: Probe,
    mode: int,
    *,
    mass: float = 0.0,
    damping: float = 0.0,
    stiffness: float = 0.0,
    load: float = 1.0,
    shift: float = 0.0,
    rest: float = 0.0,
) -> Outcome:
    """Call the kernel as the assembly does; `rest` fills the scratch arrays outside the local block.

    Asserts that nothing but r, J and the memory is written.
    """
    e = probe.element
    k = len(e.nodes)
    P, V, A = (np.full((MAX_NODES, w), 1e3) for w in (12, 6, 6))
    P[:k], V[:k], A[:k] = probe.P, probe.V, probe.A
    lam = np.full(MAX_MULTIPLIERS, 1e3)
    lam[: len(e.rows)] = probe.lam
    c = np.zeros(N_COEFFICIENTS)
    c[[TIME, C_M, C_D, C_K, LOAD, SHIFT, DAMP, C_L]] = probe.t, mass, damping, stiffness, load, shift, 1.0, 1.0
    r = np.full(max(MAX_LOCAL, MAX_REPORT), rest)
    J = np.full((MAX_LOCAL, MAX_LOCAL), rest)
    r[: MAX_REPORT if mode == REPORT else probe.size] = 0.0
    J[: probe.size, : probe.size] = 0.0
    memory = probe.memory.copy()
    inputs = (e.parameters, probe.functions, P, V, A, lam, c)
    before = [x.copy() for x in inputs]
    call_at(e.kind.address, e.parameters, memory, probe.functions, P, V, A, lam, c, mode, r, J)
    for x, y in zip(inputs, before, strict=True):
        assert np.array_equal(x, y), "a kernel must not write into its inputs"
    return Outcome(r, J, memory)


def residual(probe: Probe) -> np.ndarray:
    """Residual of the local block."""
    return call(probe, RESIDUAL).r[: probe.size]


def energies(probe: Probe) -> np.ndarray:
    """(kinetic energy, potential energy, power put in, power dissipated)."""
    return call(probe, REPORT).r[:N_ENERGIES]


def report(probe: Probe) -> dict[str, np.ndarray]:
    """Signals by name."""
    r = call(probe, REPORT).r
    out, at = {}, N_ENERGIES
    for s in probe.element.kind.signals:
        out[s.name] = r[at : at + s.size] if s.size > 1 else r[at]
        at += s.size
    return out


def central(f, h: float = STEP) -> np.ndarray:
    """f'(0) by a central difference of fourth order."""
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)


def derivatives(probe: Probe) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """d(residual) by accelerations, velocities, positions and multipliers, by differences; columns are the variables."""
    e, n, m, k = probe.element, probe.n, probe.size, len(probe.P)
    P, V, A = np.zeros((MAX_NODES, 12)), np.zeros((MAX_NODES, 6)), np.zeros((MAX_NODES, 6))
    lam, c = np.zeros(MAX_MULTIPLIERS), np.zeros(N_COEFFICIENTS)
    c[[TIME, LOAD, DAMP, C_L]] = probe.t, 1.0, 1.0, 1.0
    P[:k], V[:k], A[:k], lam[: m - n] = probe.P, probe.V, probe.A, probe.lam
    r, J = np.zeros(MAX_REPORT), np.zeros((MAX_LOCAL, MAX_LOCAL))

    def now() -> np.ndarray:
        r[:] = 0.0
        call_at(e.kind.address, e.parameters, probe.memory, probe.functions, P, V, A, lam, c, RESIDUAL, r, J)
        return r[:m].copy()

    def by_entry(x: np.ndarray, i: int) -> np.ndarray:
        def at(d: float) -> np.ndarray:
            x[i] += d
            value = now()
            x[i] = before
            return value

        before = float(x[i])
        return central(at)

    def by_position(i: int) -> np.ndarray:
        def at(d: float) -> np.ndarray:
            dq = np.zeros((1, 6))
            dq[0, i % 6] = d
            P[node] = moved(probe.P[node : node + 1], dq)[0]
            value = now()
            P[node] = probe.P[node]
            return value

        node = i // 6
        return central(at)

    def columns(all_of: list[np.ndarray]) -> np.ndarray:
        return np.stack(all_of, axis=1) if all_of else np.zeros((m, 0))

    flat_a, flat_v = A.reshape(-1), V.reshape(-1)
    return (
        columns([by_entry(flat_a, i) for i in range(n)]),
        columns([by_entry(flat_v, i) for i in range(n)]),
        columns([by_position(i) for i in range(n)]),
        columns([by_entry(lam, i) for i in range(m - n)]),
    )


def scale_of(*arrays: np.ndarray) -> float:
    """Largest number in the arrays, at least 1: what absolute tolerances are relative to."""
    return max(1.0, *(float(np.max(np.abs(x), initial=0.0)) for x in arrays))
