"""Scaled gear pair with backlash and varying stiffness, as a flow for continuation.

    x'' + 2 z x' + (1 + e cos wt) g(x) = f,   g = max(x, 0) + min(x + b, 0),   parameter w.

Classical Runge-Kutta steps, a whole number in a period, cut where x passes 0 or -b. The law is linear between these places, so that
the derivatives of the discrete map are exact.
"""

import math

import numba
import numpy as np

from pitchline.studies.continuation.flow import FlowFailed, PeriodicMotion, Shot


@numba.njit(error_model="numpy", cache=True)
def _slope(x, v, phase, p, side):
    z, e, f, b = p
    K = 1.0 + e * math.cos(phase)
    g = x if side > 0 else (x + b if side < 0 else 0.0)
    return v, f - 2.0 * z * v - K * g


@numba.njit(error_model="numpy", cache=True)
def _rk4(x, v, D, phase, h, hw, w, p, side, moved):
    """Step of length h from a phase, with the tangent D (2, 3) by (x0, v0, w). hw: dh/dw. moved: d(phase)/dw at the start."""
    z, e, _, b = p
    k = np.zeros((4, 2))
    dk = np.zeros((4, 2, 3))
    dw_end = hw * w + h  # of the phase over the step
    for s in range(4):
        c = 0.0 if s == 0 else (0.5 if s < 3 else 1.0)
        xs = x + (c * h * k[s - 1, 0] if s else 0.0)
        vs = v + (c * h * k[s - 1, 1] if s else 0.0)
        at = phase + c * h * w
        k[s, 0], k[s, 1] = _slope(xs, vs, at, p, side)
        K = 1.0 + e * math.cos(at)
        g = xs if side > 0 else (xs + b if side < 0 else 0.0)
        for m in range(3):
            dx = D[0, m] + (c * h * dk[s - 1, 0, m] if s else 0.0)
            dv = D[1, m] + (c * h * dk[s - 1, 1, m] if s else 0.0)
            da = 0.0
            if m == 2:
                if s:
                    dx += c * hw * k[s - 1, 0]
                    dv += c * hw * k[s - 1, 1]
                da = e * math.sin(at) * (moved + c * dw_end) * g
            dk[s, 0, m] = dv
            dk[s, 1, m] = -2.0 * z * dv - (K * dx if side != 0 else 0.0) + da
    sx = k[0, 0] + 2 * k[1, 0] + 2 * k[2, 0] + k[3, 0]
    sv = k[0, 1] + 2 * k[1, 1] + 2 * k[2, 1] + k[3, 1]
    E = D.copy()
    for m in range(3):
        for r in range(2):
            E[r, m] += h / 6 * (dk[0, r, m] + 2 * dk[1, r, m] + 2 * dk[2, r, m] + dk[3, r, m])
    E[0, 2] += hw / 6 * sx
    E[1, 2] += hw / 6 * sv
    return x + h / 6 * sx, v + h / 6 * sv, E


@numba.njit(error_model="numpy", cache=True)
def _side(x, v, b):
    if x > 0.0 or (x == 0.0 and v > 0.0):
        return 1
    if x < -b or (x == -b and v < 0.0):
        return -1
    return 0


@numba.njit(error_model="numpy", cache=True)
def _cycles(x, v, w, p, cycles, steps, cut, out):
    """End (x, v), tangent (2, 3), range of x, fraction of time without contact. out: (cycles * steps + 1, 2) or empty."""
    b = p[3]
    h = 2 * math.pi / (w * steps)
    D = np.eye(2, 3)
    low, high, lost = x, x, 0
    for j in range(cycles * steps):
        if len(out):
            out[j, 0], out[j, 1] = x, v
        low, high = min(low, x), max(high, x)
        phase0 = 2 * math.pi * (j % steps) / steps
        done = 0.0  # time since the start of the step
        for piece in range(6):
            side = _side(x, v, b)
            left, left_w = h - done, -h / w
            phase, moved = phase0 + w * done, done
            x1, v1, E = _rk4(x, v, D, phase, left, left_w, w, p, side, moved)
            edge = 0.0
            crosses = False
            if side == 0 and x1 > 0.0:
                crosses, edge = True, 0.0
            elif side == 0 and x1 < -b:
                crosses, edge = True, -b
            elif side > 0 and x1 < 0.0:
                crosses, edge = True, 0.0
            elif side < 0 and x1 > -b:
                crosses, edge = True, -b
            if not crosses or not cut or piece == 5:
                x, v, D = x1, v1, E
                break
            a, c, t = 0.0, left, left * (edge - x) / (x1 - x)
            for _ in range(60):  # safeguarded Newton for the time of the crossing
                xt, vt, F = _rk4(x, v, D, phase, t, 0.0, w, p, side, moved)
                if (xt > edge) == (x1 > edge):
                    c = t
                else:
                    a = t
                new = t - (xt - edge) / vt if vt != 0.0 else 0.5 * (a + c)
                if not a <= new <= c:
                    new = 0.5 * (a + c)
                if abs(new - t) < 1e-15 * h:
                    break
                t = new
            # the force is continuous at the edge: the tangent at a fixed time goes on without a jump
            x, v, D = edge, vt, F
            done += t
        lost += 1 if -b <= x <= 0.0 else 0
    if len(out):
        out[cycles * steps, 0], out[cycles * steps, 1] = x, v
    return x, v, D, low, high, lost / (cycles * steps)


class BacklashFlow:
    """Flow of the pair. cut=False: steps go on over the corners of the law."""

    name, names, units, warnings = "scaled pair", ("x", "v"), ("", ""), ()
    figure_units = {"x.peak_to_peak": "", "contact_loss": ""}
    free = np.zeros((2, 0))

    def __init__(self, damping=0.03, ripple=0.2, load=0.1, backlash=0.4, *, steps=400, cut=True):
        self.p = (float(damping), float(ripple), float(load), float(backlash))
        self.steps, self.cut, self.shots = steps, cut, 0

    def _run(self, state, w, cycles, out=None):
        out = np.zeros((0, 2)) if out is None else out
        found = _cycles(float(state[0]), float(state[1]), float(w), self.p, cycles, self.steps, self.cut, out)
        if not np.isfinite(found[0]):
            raise FlowFailed("the motion grows without limit")
        return found

    @property
    def described(self):
        return f"scaled pair, {self.steps} steps"

    def first(self, parameter):
        return np.array([self.p[2], 0.0])

    def settle(self, state, parameter, cycles):
        return np.array(self._run(state, parameter, cycles)[:2])

    def prepare(self, state, parameter, cycles):
        """Steps are given."""

    def refined_change(self, state, parameter, cycles):
        twice = BacklashFlow(*self.p, steps=2 * self.steps, cut=self.cut)
        change = self.settle(state, parameter, cycles) - twice.settle(state, parameter, cycles)
        return change * (16 / 15 if self.cut else 4 / 3)

    def scales(self, state, parameter, cycles):
        out = np.zeros((cycles * self.steps + 1, 2))
        self._run(state, parameter, cycles, out)
        return np.maximum(np.ptp(out, axis=0), 1e-6)

    def shoot(self, state, parameter, cycles):
        self.shots += 1
        x, v, D, low, high, lost = self._run(state, parameter, cycles)
        return Shot(np.array([x, v]), D[:, :2], D[:, 2], {"x.peak_to_peak": high - low, "contact_loss": lost})

    def motion(self, state, parameter, cycles):
        out = np.zeros((cycles * self.steps + 1, 2))
        self._run(state, parameter, cycles, out)
        T = 2 * np.pi * cycles / parameter
        return PeriodicMotion(
            parameter,
            T,
            np.linspace(0.0, T, len(out)),
            dict(zip(self.names, out.T, strict=True)),
            {"x": "", "v": ""},
            state,
        )
