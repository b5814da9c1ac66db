"""Rows of gear joints in absolute coordinates: the Jacobian matrix by Euler parameters, and the transformed one by velocities.

D. Vlasenko and R. Kasper, Spatial kinematics of gears in absolute coordinates (2009): a joint between the bodies i and j with
positions x and Euler parameters e has the constraint g(q), q = (x_i, e_i, x_j, e_j). The plain row is G = dg/dq with 14 numbers,
the transformed one G T with 12, T from velocities to dq/dt. The paper states that the transformed row is much cheaper; it prints
no number. The transformed row of equation (28) is that of motions which the hinges of both gears allow (of bevel gears only for
these). Both are written here with the equations of the paper, (5) to (15) and (28), and compared: arithmetic operations, and
time of compiled code. The operations of the plain row are those of exact derivatives in 14 directions, its time is that of
central differences.
The robot arm has 20 gear joints (7 spur, 3 bevel, 10 internal). The second table is the factorisation of its equations of motion.
"""

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

JOINTS = {"spur": 7, "bevel": 3, "internal": 10}
ROWS = 2000


class Counted:
    """A number that counts the operations on it."""

    done = 0

    def __init__(self, value: float) -> None:
        self.value = value

    def _make(self, other: Any, value: float) -> "Counted":
        Counted.done += 1
        return Counted(value)

    def __add__(self, other: Any) -> "Counted":
        return self._make(other, self.value + number(other))

    def __sub__(self, other: Any) -> "Counted":
        return self._make(other, self.value - number(other))

    def __mul__(self, other: Any) -> "Counted":
        return self._make(other, self.value * number(other))

    def __truediv__(self, other: Any) -> "Counted":
        return self._make(other, self.value / number(other))

    def __rsub__(self, other: Any) -> "Counted":
        return self._make(other, number(other) - self.value)

    def __neg__(self) -> "Counted":
        return self._make(0.0, -self.value)

    __radd__, __rmul__ = __add__, __mul__


def number(x: Any) -> float:
    return x.value if isinstance(x, Counted) else float(x)


def _source(
    sqrt: Callable[..., Any], asin: Callable[..., Any], jit: Callable[..., Any]
) -> dict[str, Callable[..., Any]]:
    """The equations, for floats (compiled) or counted numbers."""

    @jit
    def cross(a: Any, b: Any) -> Any:
        return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])

    @jit
    def dot(a: Any, b: Any) -> Any:
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

    @jit
    def turned(e0: Any, e1: Any, e2: Any, e3: Any, v: Any) -> Any:
        """R(e) v with Euler parameters, written with products, as for G = dg/dq."""
        w, x, y, z = e0, e1, e2, e3
        return (
            (w * w + x * x - y * y - z * z) * v[0] + 2.0 * (x * y - w * z) * v[1] + 2.0 * (x * z + w * y) * v[2],
            2.0 * (x * y + w * z) * v[0] + (w * w - x * x + y * y - z * z) * v[1] + 2.0 * (y * z - w * x) * v[2],
            2.0 * (x * z - w * y) * v[0] + 2.0 * (y * z + w * x) * v[1] + (w * w - x * x - y * y + z * z) * v[2],
        )

    @jit
    def constraint(q: Any, joint: Any) -> Any:
        """g = alpha_j r_j + alpha_i r_i: equations (5), (8), (11), (13) to (15); internal: (34), (35); bevel: (33)."""
        a_i, c_i, p_i, a_j, c_j, p_j, kind, k = joint
        ai = turned(q[3], q[4], q[5], q[6], a_i)
        aj = turned(q[10], q[11], q[12], q[13], a_j)
        ci = turned(q[3], q[4], q[5], q[6], c_i)
        cj = turned(q[10], q[11], q[12], q[13], c_j)
        l = (q[7] + cj[0] - q[0] - ci[0], q[8] + cj[1] - q[1] - ci[1], q[9] + cj[2] - q[2] - ci[2])
        if kind == 1.0:
            s = cross(ai, aj)
            size = sqrt(dot(s, s))
            s = (s[0] / size, s[1] / size, s[2] / size)
            ei = cross(s, ai)
            ej = cross(aj, s)
            ri = sqrt(dot(aj, l) * dot(aj, l)) / size
        else:
            size = sqrt(dot(l, l))
            ei = (l[0] / size, l[1] / size, l[2] / size)
            ej = (-ei[0], -ei[1], -ei[2]) if kind == 0.0 else ei
            ri = size / (1.0 + k) if kind == 0.0 else size / (1.0 - k)
        pi = turned(q[3], q[4], q[5], q[6], p_i)
        pj = turned(q[10], q[11], q[12], q[13], p_j)
        alpha_i = asin(dot(ai, cross(pi, ei)))
        alpha_j = asin(dot(aj, cross(pj, ej)))
        if kind == 2.0:
            return (alpha_j * k - alpha_i) * ri
        return (alpha_j * k + alpha_i) * ri

    @jit
    def transformed(q: Any, joint: Any) -> Any:
        """The row of equations (28) and (36), 12 numbers; the rotation matrices of both bodies are known in a run."""
        a_i, c_i, _, a_j, c_j, _, kind, k = joint
        ai = turned(q[3], q[4], q[5], q[6], a_i)
        ci = turned(q[3], q[4], q[5], q[6], c_i)
        cj = turned(q[10], q[11], q[12], q[13], c_j)
        l = (q[7] + cj[0] - q[0] - ci[0], q[8] + cj[1] - q[1] - ci[1], q[9] + cj[2] - q[2] - ci[2])
        if kind == 1.0:
            aj = turned(q[10], q[11], q[12], q[13], a_j)
            s = cross(ai, aj)
            size = sqrt(dot(s, s))
            s = (s[0] / size, s[1] / size, s[2] / size)
            e = cross(s, ai)
            r = sqrt(dot(aj, l) * dot(aj, l)) / size
        else:
            size = sqrt(dot(l, l))
            e = (l[0] / size, l[1] / size, l[2] / size)
            r = size / (1.0 + k) if kind == 0.0 else size / (1.0 - k)
            s = cross(ai, e)
        pi = (r * e[0], r * e[1], r * e[2])
        arm_i = (ci[0] + pi[0], ci[1] + pi[1], ci[2] + pi[2])
        arm_j = (arm_i[0] + q[0] - q[7], arm_i[1] + q[1] - q[8], arm_i[2] + q[2] - q[9])
        m = cross(arm_i, s)
        n = cross(s, arm_j)
        return (s[0], s[1], s[2], m[0], m[1], m[2], -s[0], -s[1], -s[2], n[0], n[1], n[2])

    return {"constraint": constraint, "transformed": transformed}


def euler(rng: np.random.Generator) -> np.ndarray:
    e = rng.normal(size=4)
    return e / np.linalg.norm(e)


def rotation(e: np.ndarray) -> np.ndarray:
    w, x, y, z = e
    return np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )


def joint_of(kind: str, rng: np.random.Generator) -> tuple[np.ndarray, tuple]:
    """q (14,) and the joint of two gears in mesh: axes, centres and pitch points in body axes, kind, ratio."""
    e_i, e_j = euler(rng), euler(rng)
    R_i, R_j, x_i = rotation(e_i), rotation(e_j), rng.normal(size=3)
    frame = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    a, towards = frame[:, 0], frame[:, 1]
    r_i, k = 0.2, 1.7 if kind != "internal" else 0.4
    centre = x_i + R_i @ (c_i := rng.normal(size=3))
    if kind == "bevel":
        sigma = 1.2
        a_j = math.cos(sigma) * a + math.sin(sigma) * towards
        s = np.cross(a, a_j) / np.linalg.norm(np.cross(a, a_j))
        e = np.cross(s, a)
        p = centre + r_i * e
        other = p - k * r_i * np.cross(a_j, s)
        p_j = np.cross(a_j, s)
    else:
        a_j, e = a, towards
        p = centre + r_i * e
        other = p + k * r_i * e if kind == "spur" else p - k * r_i * e
        p_j = -e if kind == "spur" else e
    c_j = rng.normal(size=3)
    q = np.concatenate([x_i, e_i, other - R_j @ c_j, e_j])
    local = [tuple(R_i.T @ a), tuple(c_i), tuple(R_i.T @ e), tuple(R_j.T @ a_j), tuple(c_j), tuple(R_j.T @ p_j)]
    return q, (*local, float(["spur", "bevel", "internal"].index(kind)), k)


def relation(q: np.ndarray) -> np.ndarray:
    """T (14, 12): velocities and angular velocities in world axes to dq/dt."""
    T = np.zeros((14, 12))
    for b in (0, 1):
        w, x, y, z = q[7 * b + 3 : 7 * b + 7]
        T[7 * b : 7 * b + 3, 6 * b : 6 * b + 3] = np.eye(3)
        T[7 * b + 3 : 7 * b + 7, 6 * b + 3 : 6 * b + 6] = 0.5 * np.array(
            [[-x, -y, -z], [w, z, -y], [-z, w, x], [y, -x, w]]
        )
    return T


def allowed(q: np.ndarray, joint: tuple) -> np.ndarray:
    """(12, 8): velocities that the hinges of both gears allow on a common carrier: rotations about both axes, and those of all."""
    R_i, R_j = rotation(q[3:7]), rotation(q[10:14])
    a_i, c_i, a_j, c_j = R_i @ joint[0], R_i @ joint[1], R_j @ joint[3], R_j @ joint[4]
    found = [
        np.concatenate([-np.cross(a_i, c_i), a_i, np.zeros(6)]),
        np.concatenate([np.zeros(6), -np.cross(a_j, c_j), a_j]),
    ]
    for v in np.eye(3):
        found += [np.concatenate([v, np.zeros(3), v, np.zeros(3)])]
        found += [np.concatenate([np.cross(v, q[:3]), v, np.cross(v, q[7:10]), v])]
    return np.array(found).T


def by_differences(constraint: Callable[..., Any]) -> Callable[..., Any]:
    """The plain row by central differences: 28 evaluations."""

    @njit
    def row(q: Any, joint: Any, out: Any) -> None:
        for i in range(14):
            before = q[i]
            q[i] = before + 1e-6
            high = constraint(q, joint)
            q[i] = before - 1e-6
            out[i] = (high - constraint(q, joint)) / 2e-6
            q[i] = before

    return row


def timed(function: Callable[..., Any], repeats: int) -> float:
    """Shortest time of a call of many rows [s]."""
    function()
    best = math.inf
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best


def bench(repeats: int) -> None:
    """Both tables."""
    print(
        "\nRow of a gear joint, Vlasenko and Kasper: plain (14 columns, Euler parameters) and transformed (12 columns)"
    )
    header = f"{'joint':<10}{'in the arm':>11}{'ops of g':>10}{'ops of G':>10}{'ops of G T':>12}{'ratio':>8}"
    header += f"{'G, ns':>9}{'G T, ns':>9}{'ratio':>8}{'difference':>12}"
    print(header)
    print("-" * len(header))
    fast = _source(math.sqrt, math.asin, njit)
    counted = _source(
        lambda x: x._make(0, math.sqrt(x.value)), lambda x: x._make(0, math.asin(min(1, max(-1, x.value)))), lambda f: f
    )
    plain = by_differences(fast["constraint"])
    transformed = fast["transformed"]

    @njit
    def many_plain(q: Any, joint: Any, out: Any) -> None:
        for _ in range(ROWS):
            plain(q, joint, out)

    @njit
    def many_transformed(q: Any, joint: Any, out: Any) -> None:
        for _ in range(ROWS):
            row = transformed(q, joint)
            for i in range(12):
                out[i] += row[i]

    rng = np.random.default_rng(1)
    for kind, count in JOINTS.items():
        q, joint = joint_of(kind, rng)
        ops = {}
        for name, function in counted.items():
            Counted.done = 0
            function([Counted(float(x)) for x in q], joint)
            ops[name] = Counted.done
        # exact directional derivatives: each operation has at least one of its own in each of the 14 directions
        of_row = ops["constraint"] * (1 + 14)
        out = np.zeros(14)
        plain(q, joint, out)
        sign = 1.0 if kind == "internal" else -1.0  # angles from the moving point to that of contact
        agree = np.abs((sign * out @ relation(q) - np.array(transformed(q, joint))) @ allowed(q, joint)).max()
        slow = timed(lambda q=q, joint=joint: many_plain(q, joint, np.zeros(14)), repeats) / ROWS
        quick = timed(lambda q=q, joint=joint: many_transformed(q, joint, np.zeros(12)), repeats) / ROWS
        print(
            f"{kind:<10}{count:>11}{ops['constraint']:>10}{of_row:>10}{ops['transformed']:>12}{of_row / ops['transformed']:>8.1f}"
            f"{1e9 * slow:>9.0f}{1e9 * quick:>9.0f}{slow / quick:>8.1f}{agree:>12.1e}"
        )
    factorisations(repeats)


def factorisations(repeats: int) -> None:
    """Matrix of the equations of motion of the robot arm in absolute coordinates: with velocities (6 for each body), and with
    derivatives of positions and Euler parameters (7, and the constraint on their length)."""
    from scipy.sparse import block_array, block_diag, csc_array
    from scipy.sparse.linalg import splu

    from pitchline.analyses.operating_point import OperatingPoint
    from pitchline.gallery import robot_arm

    small = OperatingPoint.of(robot_arm.build(redundant=False), None, reduce=False).small
    G, M = csc_array(small.B), csc_array(small.M)
    bodies, rng = G.shape[1] // 6, np.random.default_rng(2)
    back, lengths = [], []
    for _ in range(bodies):
        w, x, y, z = e = euler(rng)
        turning = 2.0 * np.array([[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]])  # from de/dt to omega in body axes
        back.append(np.block([[np.eye(3), np.zeros((3, 4))], [np.zeros((3, 3)), turning]]))
        lengths.append(np.append(np.zeros(3), 2.0 * e)[None])
    T = csc_array(block_diag(back))
    B = csc_array(block_array([[G @ T], [csc_array(block_diag(lengths))]]))
    # the length of the parameters has no inertia of its own: its constraint makes the matrix regular
    plain = csc_array(block_array([[T.T @ M @ T, B.T], [B, None]]))
    transformed = csc_array(block_array([[M, G.T], [G, None]]))
    print(
        f"\nEquations of motion of the robot arm, {bodies} bodies, {G.shape[0]} independent constraints, factorised by SuperLU"
    )
    found = {}
    for name, A in (("transformed", transformed), ("plain", plain)):
        lu = splu(A)
        found[name] = timed(lambda A=A: splu(A), repeats), lu.L.nnz + lu.U.nnz, A.shape[0]
        print(
            f"{name:<12}{A.shape[0]:>6} unknowns{A.nnz:>8} entries{found[name][1]:>9} in the factors{1e3 * found[name][0]:>9.2f} ms"
        )
    ratios = (a / b for a, b in zip(found["plain"], found["transformed"], strict=True))
    print("plain by transformed: time {:.2f}, factors {:.2f}, unknowns {:.2f}".format(*ratios))


if __name__ == "__main__":
    bench(5)
