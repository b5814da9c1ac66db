"""The limit of speed: the lumped equations of the rig in one compiled loop, by the classical Runge-Kutta method.

Nothing is general here: the coordinates are the angles of A, B and disk 2 and, with flexible supports, the displacements of
the two wheels in their plane (7 in all); the state is held in local variables. Also the source of the exact solution, with
a step so small that halving it changes nothing that is compared.
"""

import math
import time

import numpy as np
from kubo_rig import (
    CASES,
    ERROR,
    INERTIA,
    LOAD,
    MASS,
    MESH_DAMPING,
    MESH_STIFFNESS,
    PRESSURE_ANGLE,
    RADIUS,
    SHAFT_DAMPING,
    SHAFT_STIFFNESS,
    SPEED,
    SUPPORT_DAMPING,
    SUPPORT_STIFFNESS,
    TEETH,
    Case,
    History,
)
from numba import njit

EXACT_STEP = 1e-8  # s

KT1, KT2 = SHAFT_STIFFNESS
CT1, CT2 = SHAFT_DAMPING
TAN_ALPHA, COS_ALPHA = math.tan(PRESSURE_ANGLE), math.cos(PRESSURE_ANGLE)
compiled = njit(cache=True, error_model="numpy")


@compiled
def mesh(u, u_dot, psi_a, backlash):  # type: ignore[no-untyped-def]
    """Hoop force f, its elastic part, and the slope x' of the error over ψ_A."""
    angle = TEETH * psi_a
    s = u + ERROR * (1.0 - math.cos(angle))
    if s >= 0.0:
        elastic = MESH_STIFFNESS * s
    elif s > -backlash:
        elastic = 0.0
    else:
        elastic = MESH_STIFFNESS * (s + backlash)
    return elastic + MESH_DAMPING * u_dot, elastic, ERROR * TEETH * math.sin(angle)


@compiled
def rigid_rates(t, a, b, d, wa, wb, wd, backlash, consistent):  # type: ignore[no-untyped-def]
    """Accelerations of θ_A, θ_B, θ_2 on rigid supports, and the hoop force."""
    f, elastic, slope = mesh(RADIUS * (a + b), RADIUS * (wa + wb), a, backlash)
    shaft = KT2 * (b - d) + CT2 * (wb - wd)
    first = LOAD + KT1 * (SPEED * t - a) + CT1 * (SPEED - wa) - f * RADIUS
    if consistent:
        first -= elastic * slope
    return first / INERTIA, (LOAD - shaft - f * RADIUS) / INERTIA, shaft / INERTIA, f


@compiled
def rigid_loop(y, h, steps, every, backlash, consistent, out):  # type: ignore[no-untyped-def]
    """From the state y, in place; the hoop force of every `every`-th step goes to `out`, the first and the last included."""
    a, b, d, wa, wb, wd = y
    half, sixth = 0.5 * h, h / 6.0
    k = 0
    for i in range(steps):
        t = i * h
        a1, b1, d1, f = rigid_rates(t, a, b, d, wa, wb, wd, backlash, consistent)
        if i % every == 0:
            out[k] = f
            k += 1
        pa, pb, pd = wa + half * a1, wb + half * b1, wd + half * d1
        a2, b2, d2, _ = rigid_rates(
            t + half, a + half * wa, b + half * wb, d + half * wd, pa, pb, pd, backlash, consistent
        )
        qa, qb, qd = wa + half * a2, wb + half * b2, wd + half * d2
        a3, b3, d3, _ = rigid_rates(
            t + half, a + half * pa, b + half * pb, d + half * pd, qa, qb, qd, backlash, consistent
        )
        ra, rb, rd = wa + h * a3, wb + h * b3, wd + h * d3
        a4, b4, d4, _ = rigid_rates(t + h, a + h * qa, b + h * qb, d + h * qd, ra, rb, rd, backlash, consistent)
        a += sixth * (wa + 2.0 * (pa + qa) + ra)
        b += sixth * (wb + 2.0 * (pb + qb) + rb)
        d += sixth * (wd + 2.0 * (pd + qd) + rd)
        wa += sixth * (a1 + 2.0 * (a2 + a3) + a4)
        wb += sixth * (b1 + 2.0 * (b2 + b3) + b4)
        wd += sixth * (d1 + 2.0 * (d2 + d3) + d4)
    if steps % every == 0:
        out[k] = rigid_rates(steps * h, a, b, d, wa, wb, wd, backlash, consistent)[3]
    y[:] = a, b, d, wa, wb, wd


@compiled
def planar_rates(t, q, v, backlash, consistent, dv):  # type: ignore[no-untyped-def]
    """Accelerations of (x_A, y_A, θ_A, x_B, y_B, θ_B, θ_2) on flexible supports into dv; returns the hoop force.

    n = (-sin φ, cos φ) points from A to B, e = (-cos φ, -sin φ) across it, d is the distance of the centres. With
    φ_dot = e·(v_B - v_A)/d the hoop force f and the force x' of the error turn the line of centres; |f| tan α separates.
    """
    dx, dy = q[3] - q[0], 2.0 * RADIUS + q[4] - q[1]
    distance = math.sqrt(dx * dx + dy * dy)
    nx, ny = dx / distance, dy / distance
    ex, ey = -ny, nx
    turn = math.atan2(-nx, ny)
    turning = (ex * (v[3] - v[0]) + ey * (v[4] - v[1])) / distance
    u = RADIUS * (q[2] + q[5] - 2.0 * turn)
    f, elastic, slope = mesh(u, RADIUS * (v[2] + v[5] - 2.0 * turning), q[2] - turn, backlash)
    work = elastic * slope if consistent else 0.0
    across = (2.0 * RADIUS * f + work) / distance
    apart = abs(f) * TAN_ALPHA
    px, py = across * ex + apart * nx, across * ey + apart * ny
    shaft = KT2 * (q[5] - q[6]) + CT2 * (v[5] - v[6])
    dv[0] = -(SUPPORT_STIFFNESS * q[0] + SUPPORT_DAMPING * v[0] + px) / MASS
    dv[1] = -(SUPPORT_STIFFNESS * q[1] + SUPPORT_DAMPING * v[1] + py) / MASS
    dv[2] = (LOAD + KT1 * (SPEED * t - q[2]) + CT1 * (SPEED - v[2]) - f * RADIUS - work) / INERTIA
    dv[3] = -(SUPPORT_STIFFNESS * q[3] + SUPPORT_DAMPING * v[3] - px) / MASS
    dv[4] = -(SUPPORT_STIFFNESS * q[4] + SUPPORT_DAMPING * v[4] - py) / MASS
    dv[5] = (LOAD - shaft - f * RADIUS) / INERTIA
    dv[6] = shaft / INERTIA
    return f


@compiled
def planar_loop(y, h, steps, every, backlash, consistent, out):  # type: ignore[no-untyped-def]
    """As rigid_loop, for 7 coordinates."""
    n = 7
    q, v = y[:n].copy(), y[n:].copy()
    qs, vs = np.empty(n), np.empty(n)
    sum_v, sum_a, a = np.empty(n), np.empty(n), np.empty(n)
    k = 0
    for i in range(steps):
        t = i * h
        f = planar_rates(t, q, v, backlash, consistent, a)
        if i % every == 0:
            out[k] = f
            k += 1
        for j in range(n):
            sum_v[j], sum_a[j] = v[j], a[j]
            qs[j], vs[j] = q[j] + 0.5 * h * v[j], v[j] + 0.5 * h * a[j]
        for stage in range(3):
            c = 1.0 if stage == 2 else 0.5
            reach = 1.0 if stage == 1 else 0.5
            planar_rates(t + c * h, qs, vs, backlash, consistent, a)
            for j in range(n):
                w = 1.0 if stage == 2 else 2.0
                sum_v[j] += w * vs[j]
                sum_a[j] += w * a[j]
                qs[j] = q[j] + reach * h * vs[j]
                vs[j] = v[j] + reach * h * a[j]
        for j in range(n):
            q[j] += h / 6.0 * sum_v[j]
            v[j] += h / 6.0 * sum_a[j]
    if steps % every == 0:
        out[k] = planar_rates(steps * h, q, v, backlash, consistent, a)
    y[:n], y[n:] = q, v


def start(case: Case) -> np.ndarray:
    """State (coordinates, velocities) of all runs."""
    y = np.zeros(14 if case.flexible else 6)
    y[[9, 12, 13] if case.flexible else [3, 4, 5]] = SPEED, -SPEED, -SPEED
    return y


def run(case: Case, duration: float, step: float, sample: float | None = None) -> History:
    """The rig for `duration` seconds; the force at every `sample` seconds, or nothing but the time of the loop."""
    steps = round(duration / step)
    every = steps + 1 if sample is None else round(sample / step)
    out = np.empty(steps // every + 1)
    y = start(case)
    loop = planar_loop if case.flexible else rigid_loop
    loop(y.copy(), step, 1, 2, case.backlash, case.consistent, out.copy())  # compiled by now
    started = time.perf_counter()
    loop(y, step, steps, every, case.backlash, case.consistent, out)
    wall_time = time.perf_counter() - started
    if sample is None:
        return History(wall_time, np.empty(0), np.empty(0), steps)
    return History(wall_time, np.arange(out.size) * every * step, out / COS_ALPHA, steps)


def exact(case: Case, duration: float, sample: float) -> History:
    """The exact solution, for comparison."""
    return run(case, duration, EXACT_STEP, sample)


def _selfcheck() -> None:
    """Print the steady state of the four cases, to be held against the literature."""
    for name, case in CASES.items():
        done = run(case, 1.2, 1e-6, 2e-6)
        last = done.force[-4000:]
        print(
            f"{name}: {last.min():.1f} ... {last.max():.1f}, peak to peak {np.ptp(last):.1f}, mean {last[:-1].mean():.2f}"
        )


if __name__ == "__main__":
    _selfcheck()
