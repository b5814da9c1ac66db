"""Constraint rows of directions that stay perpendicular, and limits of a throttle and of frequencies.

For each row Phi = a . b with a fixed in A and b in B. With s = R_A a, t = R_B b the gradients in node axes are a x R_A^T t
(rotation of A) and b x R_B^T s (rotation of B). The first rows share one direction a, so that their multipliers act as one
vector mu = sum lambda_i b_i.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from pitchline.errors import ModelError
from pitchline.numerics.fields import INTEGER, VECTOR, fields, packed
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, M9, V3, block, leaf
from pitchline.numerics.vectors import add, add_gradient, add_mat, add_vec, cross, dot, mm, mtv, mul, mv, skew, tr

from .contract import Ask, Measure, Node, measure_stiffness, turning

Axes = fields(
    "Axes",
    shared=INTEGER,  # rows that share the direction a: a . b1 and a . b2, 0 to 2
    extra=INTEGER,  # 1: one more row, extra_a . extra_b
    a=VECTOR,
    b1=VECTOR,
    b2=VECTOR,
    extra_a=VECTOR,
    extra_b=VECTOR,
)


@leaf
def pair_gradient(J: A2, i: I8, a: V3, b: V3, RA: M9, RB: M9):
    """Row i: gradient of (R_A a).(R_B b)."""
    add_gradient(J, i, 3, cross(a, mtv(RA, mv(RB, b))))
    add_gradient(J, i, 9, cross(b, mtv(RB, mv(RA, a))))


@leaf
def pair_force(r: A1, a: V3, mu: V3, RA: M9, RB: M9):
    """Moments of the multipliers: gradient of (R_A a).(R_B mu)."""
    add_vec(r, 3, cross(a, mtv(RA, mv(RB, mu))))
    add_vec(r, 9, cross(mu, mtv(RB, mv(RA, a))))


@leaf
def pair_stiffness(J: A2, k: F8, a: V3, mu: V3, RA: M9, RB: M9):
    """Second derivative of (R_A a).(R_B mu), times k."""
    W = mm(tr(RA), RB)
    Sa = skew(a)
    Sm = skew(mu)
    add_mat(J, 3, 3, k, mm(Sa, skew(mv(W, mu))))
    add_mat(J, 9, 9, k, mm(Sm, skew(mtv(W, a))))
    AB = mm(Sa, mm(W, Sm))
    add_mat(J, 3, 9, -k, AB)
    add_mat(J, 9, 3, -k, tr(AB))


@leaf
def shared_multiplier(s: Axes, lam: A1, first: I8) -> V3:
    """mu = lambda_1 b1 + lambda_2 b2 of the rows that share a."""
    n = s.shared
    mu = (0.0, 0.0, 0.0)
    if n > 0:
        mu = mul(lam[first], s.b1)
    if n > 1:
        mu = add(mu, mul(lam[first + 1], s.b2))
    return mu


@leaf
def axis_residual(s: Axes, lam: A1, first: I8, RA: M9, RB: M9, r: A1):
    """Phi of the orientation rows (row `first` on) and the moments of their multipliers."""
    n = s.shared
    if n > 0:
        a = s.a
        aB = mtv(RB, mv(RA, a))
        pair_force(r, a, shared_multiplier(s, lam, first), RA, RB)
        r[12 + first] += dot(aB, s.b1)
        if n > 1:
            r[13 + first] += dot(aB, s.b2)
    if s.extra:
        a = s.extra_a
        b = s.extra_b
        pair_force(r, a, mul(lam[first + n], b), RA, RB)
        r[12 + first + n] += dot(mtv(RB, mv(RA, a)), b)


@leaf
def axis_tangent(s: Axes, lam: A1, first: I8, RA: M9, RB: M9, k: F8, J: A2):
    """Gradients of the orientation rows and the geometric stiffness of their multipliers."""
    n = s.shared
    if n > 0:
        a = s.a
        pair_gradient(J, 12 + first, a, s.b1, RA, RB)
        if n > 1:
            pair_gradient(J, 13 + first, a, s.b2, RA, RB)
        pair_stiffness(J, k, a, shared_multiplier(s, lam, first), RA, RB)
    if s.extra:
        a = s.extra_a
        b = s.extra_b
        pair_gradient(J, 12 + first + n, a, b, RA, RB)
        pair_stiffness(J, k, a, mul(lam[first + n], b), RA, RB)


@leaf
def pair_rate(a: V3, b: V3, RA: M9, RB: M9, wA: V3, wB: V3) -> F8:
    return dot(wA, cross(a, mtv(RA, mv(RB, b)))) + dot(wB, cross(b, mtv(RB, mv(RA, a))))


@leaf
def axis_rate(s: Axes, first: I8, RA: M9, RB: M9, wA: V3, wB: V3, r: A1):
    """dPhi/dt of the orientation rows."""
    n = s.shared
    if n > 0:
        r[12 + first] += pair_rate(s.a, s.b1, RA, RB, wA, wB)
    if n > 1:
        r[13 + first] += pair_rate(s.a, s.b2, RA, RB, wA, wB)
    if s.extra:
        r[12 + first + n] += pair_rate(s.extra_a, s.extra_b, RA, RB, wA, wB)


@leaf
def axis_moment(s: Axes, lam: A1, first: I8, RA: M9, RB: M9) -> V3:
    """Moment of the orientation rows on B, world axes (a load: minus the residual)."""
    n = s.shared
    t = mv(RB, shared_multiplier(s, lam, first))
    moment = cross(mv(RA, s.a), t)
    if s.extra:
        moment = add(moment, mul(lam[first + n], cross(mv(RA, s.extra_a), mv(RB, s.extra_b))))
    return moment


def encode_axes(
    a: np.ndarray | None = None,
    *bs: np.ndarray,
    extra: tuple[np.ndarray, np.ndarray] | None = None,
) -> np.void:
    """The orientation rows as a record `Axes`: a . b = 0 for every b, and one more pair of directions."""
    values: dict[str, Any] = {"shared": len(bs), "extra": extra is not None}
    if a is not None:
        values["a"] = a
    values |= {f"b{i}": b for i, b in enumerate(bs, 1)}
    if extra is not None:
        values["extra_a"], values["extra_b"] = extra
    return Axes.named(packed(Axes, values))


def count_rows(axes: np.void) -> int:
    """Number of orientation rows of encoded axes."""
    return int(axes["shared"] + axes["extra"])


# ---- constant inputs

# Checks of functions of time that are constant, before a run.

_USUAL = (50.0, 60.0)
"""Supply frequencies in Hz that are easily written without a unit."""


def _is_constant(value: Any) -> bool:
    """Whether an input is a number."""
    return bool(getattr(value, "is_constant", False))


def check_throttle(values: Mapping[str, Any]) -> None:
    """Raise an error if a constant throttle is not between 0 and 1."""
    throttle = values["throttle"]
    if _is_constant(throttle) and not 0.0 <= float(throttle(0.0)) <= 1.0:
        raise ModelError(f"throttle must be between 0 and 1, got {float(throttle(0.0)):g}; 1 is full throttle")


def frequency_warnings(values: Mapping[str, Any]) -> list[str]:
    """A warning if a frequency seems to be a number in Hz without its unit."""
    frequency = values["angular_frequency"]
    if _is_constant(frequency) and abs(float(frequency(0.0))) in _USUAL:
        w = float(frequency(0.0))
        return [
            f'angular_frequency is {w:g} rad/s, which is {w / 6.283185307179586:.3g} Hz; write "{w:g} Hz" if this was meant'
        ]
    return []


# ---- speed row

# Derivative of the rate of a joint coordinate, for states of elements whose equations contain the speed of a joint.


@block
def speed_derivative(J: A2, s: Measure, a: Node, b: Node, g: A1, ask: Ask, row: A1):
    """row (12) = D d(ds/dt)/dv + K d(ds/dt)/dq. J[0:12, 0:12] contains zeros before and after."""
    measure_stiffness(s, a, b, J)
    K = ask.K
    D = ask.D
    for j in range(12):
        row[j] = K * turning(J, j, a, b) + D * g[j]
    for i in range(12):
        for j in range(12):
            J[i, j] = 0.0


@block
def add_speed_row(J: A2, i: I8, factor: F8, row: A1):
    """Add factor times the derivative of the speed to row i."""
    for j in range(12):
        J[i, j] += factor * row[j]


@block
def add_effort_by_state(J: A2, j: I8, factor: F8, g: A1):
    """Add the derivative `factor` of an effort with respect to a state to column j."""
    for i in range(12):
        J[i, j] += factor * g[i]
