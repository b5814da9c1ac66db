"""Maps with closed forms of their special points, as flows for continuation."""

import numpy as np

from pitchline.studies.continuation.flow import FlowFailed, PeriodicMotion, Shot


class MapFlow:
    """Flow of a map y -> f(y, p) with derivatives: `step(y, p)` returns f, df/dy, df/dp."""

    name, figure_units, described, warnings = "map", {"size": ""}, "a map", ()

    def __init__(self, step, start, *, free=None):
        self.step, self._start = step, np.atleast_1d(np.asarray(start, float))
        n = len(self._start)
        self.names = tuple(f"y{i}" for i in range(n))
        self.units = ("",) * n
        self.free = np.zeros((n, 0)) if free is None else free

    def first(self, parameter):
        return self._start.copy()

    def settle(self, state, parameter, cycles):
        for _ in range(cycles):
            state = self.step(state, parameter)[0]
            if not np.all(np.abs(state) < 1e6):
                raise FlowFailed("the motion grows without limit")
        return state

    def prepare(self, state, parameter, cycles):
        """Nothing to choose."""

    def scales(self, state, parameter, cycles):
        return np.ones(len(state))

    def refined_change(self, state, parameter, cycles):
        return np.zeros(len(state))

    def shoot(self, state, parameter, cycles):
        by_state, by_parameter = np.eye(len(state)), np.zeros(len(state))
        for _ in range(cycles):
            state, J, Jp = self.step(state, parameter)
            by_state, by_parameter = J @ by_state, J @ by_parameter + Jp
        return Shot(state, by_state, by_parameter, {"size": float(np.linalg.norm(state))})

    def motion(self, state, parameter, cycles):
        rows = [state]
        for _ in range(cycles):
            rows.append(self.step(rows[-1], parameter)[0])
        values = np.array(rows)
        units = dict.fromkeys(self.names, "")
        return PeriodicMotion(
            parameter,
            float(cycles),
            np.arange(cycles + 1.0),
            dict(zip(self.names, values.T, strict=True)),
            units,
            state,
        )


def logistic():
    """x -> r x (1 - x): period doublings at r = 3 and 1 + sqrt(6), fold of the motion of three cycles at 1 + sqrt(8)."""

    def step(y, r):
        x = y[0]
        return np.array([r * x * (1 - x)]), np.array([[r * (1 - 2 * x)]]), np.array([x * (1 - x)])

    return MapFlow(step, [0.6])


def pitchfork(shift=0.0):
    """x -> (1 + p) x - x^3 + shift: the branch x = 0 meets x = sqrt(p) at p = 0."""

    def step(y, p):
        x = y[0]
        return np.array([(1 + p) * x - x**3 + shift]), np.array([[1 + p - 3 * x * x]]), np.array([x])

    return MapFlow(step, [0.0])


def neimark_sacker(angle=0.7):
    """z -> (1 + p - |z|^2) e^(i angle) z: the branch z = 0 loses its stability at p = 0, multipliers leaving at `angle`."""
    R = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    def step(y, p):
        a = 1 + p - y @ y
        return a * R @ y, a * R - 2 * np.outer(R @ y, y), R @ y

    return MapFlow(step, [0.0, 0.0])


def circle():
    """x -> x - a (x^2 + p^2 - 1): its fixed points are the unit circle in (x, p), a closed branch with folds at p = -1 and 1."""

    def step(y, p):
        x, a = y[0], 0.3
        return np.array([x - a * (x * x + p * p - 1)]), np.array([[1 - 2 * a * x]]), np.array([-2 * a * p])

    return MapFlow(step, [1.0])
