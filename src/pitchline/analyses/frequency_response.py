"""Linear models and frequency responses about an operating point."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.budget import as_far_as_allowed, budgeted
from pitchline.base.progress.display import staged
from pitchline.engine.compile.rank import Evaluator
from pitchline.engine.solvers.linearised import LinearMotion
from pitchline.engine.solvers.sparse_modes import Wanted
from pitchline.errors import BudgetError, ModelError, near_names, shown
from pitchline.model.model import Model
from pitchline.results.linear_files import STANDS, FrequencyResponse, LinearModel
from pitchline.results.modes import kept_places
from pitchline.results.result import Result
from pitchline.units.quantity import quantity

from .modes import found_modes
from .operating_point import OperatingPoint, check_model
from .steady_motion import (
    OutputMap,
    check_outputs,
    growing,
    growth_warnings,
    output_map,
    read_inputs,
    residual_change,
    residual_rate,
)

__all__ = ["frequency_response", "linear_model"]

SPARSE_FROM = 100
"""Number of coordinates from which responses are computed with sparse matrices."""
MODES_AT_ONCE = 300
"""Number of coordinates up to which all modes are computed quickly."""
MOST_POINTS = 1_000_000
"""Largest number of points of a range of frequencies."""


class _Transfer:
    """Equations of the small motions with inputs and outputs.

    x = N y + P u with B P = -p;  L^T (M x'' + D x' + K x + b u + d u') = 0;  lam = -C^+ (M x'' + D x' + K x + b u + d u').
    d: errors of teeth, on whose rate dampers act.
    """

    def __init__(
        self, model: Model, inputs: Any, outputs: Any, about: Result | str | None, reduce: bool, dense: bool
    ) -> None:
        check_model(model)
        chosen = _names(outputs, "outputs")
        model, self.inputs = read_inputs(model, _names(inputs, "inputs"))
        self.point = point = OperatingPoint.of(model, about, reduce=reduce, dense=dense)
        check_outputs(point, chosen)
        self.motion: LinearMotion = point.motion

        def residual(varied: Model) -> np.ndarray:
            return Evaluator(point.compiled(varied)).residual(point.state)

        n = point.system.n_q
        changes = [residual_change(u, point.system, residual, model) for u in self.inputs]
        change = np.stack(changes, axis=1)
        self.b = self.motion.axes @ change[:n]
        rates = [residual_rate(u, point.system, residual, model, point.state.t) for u in self.inputs]
        self.d = self.motion.axes @ np.stack(rates, axis=1)[:n]
        self.p = change[n:]
        self.P = -np.linalg.pinv(self.motion.B) @ change[n:] if change[n:].size else np.zeros_like(self.b)
        self.out: OutputMap = output_map(point, chosen, self.inputs, model)
        self.C_inverse = np.linalg.pinv(self.motion.C)

    def at(self, frequency: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, BudgetError | None]:
        """H (m, outputs, inputs) at frequencies [Hz]; motion of the bodies (k, inputs, bodies, 6), and at which of them (k,).
        If the budget ends the computation: for the first m frequencies, and the error."""
        o = self.out
        moved = self._moved_sparse if self.point.system.n_q >= SPARSE_FROM else self._moved
        kept = kept_places(len(frequency), 8 * len(self.inputs) * max(len(self.b), 6 * len(self.point.system.nodes)))
        at = set(kept.tolist())
        motions: list[np.ndarray] = []

        def response(place: int) -> np.ndarray:
            w = 2j * np.pi * frequency[place]
            x, lam = moved(w)
            if place in at:
                motions.append(x.astype(np.complex64))
            return (o.Q + w * o.V + w * w * o.A) @ x + o.L @ lam + o.U + w * o.Ud

        rows, too_long = as_far_as_allowed(range(len(frequency)), response)
        H = np.array(rows).reshape(-1, len(o.names), len(self.inputs)).astype(complex)
        kept = kept[kept < len(H)]
        x = np.concatenate([np.zeros((len(self.b), 0), np.complex64), *motions], axis=1)
        shapes = self.point.body_motion(x)  # (bodies, 6, frequencies and inputs)
        by_place = np.moveaxis(shapes, -1, 0).reshape(len(kept), len(self.inputs), -1, 6)
        return H, by_place.astype(np.complex64), kept, too_long

    def _moved(self, w: complex) -> tuple[np.ndarray, np.ndarray]:
        """(x, lam) of exp(w t), one column an input."""
        m = self.motion
        Z = w * w * m.M + w * m.D + m.K
        inner = m.L.T @ Z @ m.N
        b = self.b + w * self.d
        x = self.P - m.N @ np.linalg.solve(inner, m.L.T @ (Z @ self.P + b))
        return x, -self.C_inverse @ (Z @ x + b)

    def _moved_sparse(self, w: complex) -> tuple[np.ndarray, np.ndarray]:
        """The same from [Z C; B 0] (x, lam) = -(b, p)."""
        import scipy.sparse as sp
        import scipy.sparse.linalg as sla

        s = self.point.small
        Z = w * w * s.M + w * s.D + s.K
        whole = sp.bmat([[Z, s.C], [s.B, None]], format="csc") if s.B.shape[0] else Z.tocsc()
        try:
            found = sla.splu(whole).solve(-np.concatenate([self.b + w * self.d, self.p]).astype(complex))
        except RuntimeError as singular:
            raise np.linalg.LinAlgError from singular
        return found[: len(self.b)], found[len(self.b) :]

    def linear_model(self) -> LinearModel:
        """Matrices of the states (y, y'), y' only of coordinates of order 2, and, of imposed motions and of errors on whose rate
        dampers act, (u, u')."""
        m, o = self.motion, self.out
        _, D, K = m.reduced()
        second, first = m.second_order, m.first_order
        motion = [
            j for j, _ in enumerate(self.inputs) if np.any(self.P[:, j]) or np.any(self.d[:, j]) or np.any(o.Ud[:, j])
        ]
        P = self.P[:, motion]
        k, e = len(K), len(motion)
        states = k + len(second)
        n = states + 2 * e
        y, v, u, w = slice(0, k), slice(k, states), slice(states, states + e), slice(states + e, n)
        inverse = np.linalg.inv(m.rates())
        force = self.b.copy()
        force[:, motion] = 0.0  # of a motion: with the state, not with its acceleration
        A, B = np.zeros((n, n)), np.zeros((n, len(self.inputs)))
        # the highest derivatives, y'' or y', as functions of states and inputs
        highest, driven = np.zeros((k, n)), np.zeros((k, len(self.inputs)))
        highest[:, y], highest[:, v] = -inverse @ K, -inverse @ D[:, second]
        highest[:, u] = -inverse @ m.L.T @ (m.K @ P + self.b[:, motion])
        highest[:, w] = -inverse @ m.L.T @ (m.D @ P + self.d[:, motion])
        driven[:] = -inverse @ m.L.T @ force
        driven[:, motion] = -inverse @ m.L.T @ (m.M @ P)
        A[second, k + np.arange(len(second))] = 1.0
        A[first], A[v] = highest[first], highest[second]
        A[u, w] = np.eye(e)
        B[first], B[v] = driven[first], driven[second]
        B[w, motion] = np.eye(e)
        # x, x', x'' as functions of states and inputs
        X, Xv = np.zeros((len(m.M), n)), np.zeros((len(m.M), n))
        X[:, y], X[:, u] = m.N, P
        Xv[:, v], Xv[:, w] = m.N[:, second], P
        Xv += m.N[:, first] @ highest[first]
        Xvb = m.N[:, first] @ driven[first]
        Xa, Xb = m.N[:, second] @ A[v], m.N[:, second] @ B[v]
        Xb[:, motion] += P
        now = np.zeros((len(m.M), n))
        now[:, u], now[:, w] = self.b[:, motion], self.d[:, motion]
        lam_x = -self.C_inverse @ (m.M @ Xa + m.D @ Xv + m.K @ X + now)
        lam_u = -self.C_inverse @ (m.M @ Xb + m.D @ Xvb + force)
        C = o.Q @ X + o.V @ Xv + o.A @ Xa + o.L @ lam_x
        C[:, u] += o.U[:, motion]
        C[:, w] += o.Ud[:, motion]
        at_once = o.U.copy()
        at_once[:, motion] = 0.0
        direct = o.V @ Xvb + o.A @ Xb + o.L @ lam_u + at_once
        imposed = tuple(j in motion for j in range(len(self.inputs)))
        units = tuple(f"{u.unit}/s^2" if i else u.unit for u, i in zip(self.inputs, imposed, strict=True))
        return LinearModel(
            A,
            B,
            C,
            direct,
            tuple(u.name for u in self.inputs),
            o.names,
            units,
            o.units,
            imposed,
            tuple(self.point.warnings),
            self.point.stated,
        )


@names_wrong_arguments
@staged("linear model of {}")
@budgeted
def linear_model(
    model: Model,
    inputs: str | list[str],
    outputs: str | list[str],
    *,
    about: Result | str | None = None,
    reduce: bool = True,
    dense: bool = False,
    budget: Any = None,
) -> LinearModel:
    """Compute the state-space matrices of small motions about an operating point.

    Parameters
    ----------
    inputs : names: a load or a drive of the model, "PAIR.error", "ELEMENT.INPUT" (a signal that an element reads, such as
        "pid.setpoint"), "JOINT.torque", "JOINT.force", "BODY.force.x", "BODY.torque.x".
    outputs : names of signals, with ".x", ".y", ".z" for components.
    about, dense : as in `modes`. Matrices are dense.
    budget : longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h". If the least time of dense
        matrices is longer, BudgetError states it.
    """
    return _Transfer(model, inputs, outputs, about, reduce, dense).linear_model()


@names_wrong_arguments
@staged("frequency response of {}")
@budgeted
def frequency_response(
    model: Model,
    inputs: str | list[str],
    outputs: str | list[str],
    *,
    frequencies: Any = None,
    about: Result | str | None = None,
    reduce: bool = True,
    dense: bool = False,
    budget: Any = None,
) -> FrequencyResponse:
    """Compute the frequency response of small motions about an operating point.

    Parameters
    ----------
    inputs, outputs, about, dense : as in `linear_model`.
    frequencies : [Hz], numbers or strings with units; or a range, {"lowest": "1 Hz", "highest": "1 kHz", "points": 500}, with
        logarithmic spacing. Default: 500 frequencies from a third of the lowest to three times the highest oscillating pole, with
        additional ones near the peaks.
    budget : longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h". If the estimate is longer,
        BudgetError states it, and its attribute `result` has the response up to the last computed frequency.
    """
    given = None if frequencies is None else _read(frequencies)
    transfer = _Transfer(model, inputs, outputs, about, reduce, dense)
    linear = transfer.linear_model()
    f = _default(linear) if given is None else given
    try:
        response, shapes, shapes_at, too_long = transfer.at(f)
    except np.linalg.LinAlgError:
        raise ModelError(
            f'frequency response of model "{model.name}": one of the frequencies is exactly that of an undamped '
            "mode, or 0 Hz for a "
            "machine that rotates freely. Leave it out, or add damping"
        ) from None
    ended = () if too_long is None else (str(too_long),)
    found = FrequencyResponse(
        model.name, f[: len(response)], response, linear, (*ended, *transfer.point.warnings, *_growth(transfer.point)),
        pose=transfer.point.pose(model), shapes=shapes, shapes_at=shapes_at,
    )  # fmt: skip
    if too_long is not None:
        too_long.result = found
        raise too_long
    return found


def _growth(point: OperatingPoint) -> list[str]:
    """That nothing comes to rest about a point that is not stable; of models whose modes are found at once."""
    if point.system.n_q > MODES_AT_ONCE:
        return []
    return growth_warnings(point, growing(point.small, found_modes(point, Wanted())))


def _names(given: Any, what: str) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, (list, tuple)) else ()
    if not names or not all(isinstance(name, str) for name in names):
        raise ModelError(f"{what} must be a name or a list of names, got {shown(given)}")
    return names


def _read(frequencies: Any) -> np.ndarray:
    if isinstance(frequencies, Mapping):
        return _range(frequencies)
    several = [frequencies] if isinstance(frequencies, (str, int, float)) else frequencies
    try:
        f = np.array([quantity(x, "frequency", what="frequencies") for x in several], float)
    except TypeError:
        raise ModelError(f"frequencies must be numbers [Hz] or strings with units, got {shown(frequencies)}") from None
    if not f.size or np.any(f < 0):
        raise ModelError(
            f"frequencies must be one or more numbers, not negative [Hz], got {f.min(initial=0.0):g} among {f.size}"
        )
    return f


def _range(given: Mapping[str, Any]) -> np.ndarray:
    """Equal steps in the logarithm."""
    keys = ("lowest", "highest", "points")
    for key in given:
        if key not in keys:
            raise ModelError(f'frequencies: unknown key "{key}"; {near_names(str(key), keys)}')
    for key in keys:
        if key not in given:
            raise ModelError(f'frequencies: "{key}" is missing. A range has lowest, highest and points')
    lowest, highest = (quantity(given[key], "frequency", what=f"frequencies: {key}") for key in keys[:2])
    points = given["points"]
    if not 0.0 < lowest < highest:
        raise ModelError(
            f"frequencies: lowest must be greater than 0 Hz and below highest, got {lowest:g} Hz and {highest:g} Hz"
        )
    if isinstance(points, bool) or not isinstance(points, int) or not 2 <= points <= MOST_POINTS:
        raise ModelError(f"frequencies: points must be a whole number from 2 to {MOST_POINTS}, got {shown(points)}")
    return np.geomspace(lowest, highest, points)


def _default(linear: LinearModel) -> np.ndarray:
    """Equal steps in the logarithm, and closer ones about the peaks, which lightly damped modes would hide between two steps."""
    poles = linear.poles()
    poles = poles[poles.imag > 1e-6 * np.abs(poles)]
    size = np.abs(poles) / (2 * np.pi)
    swings = size > STANDS * size.max(initial=0.0)
    poles, size = poles[swings], size[swings]
    if not size.size:
        raise ModelError("frequencies: this model has no vibration modes. Specify the frequencies of the response")
    damping = np.maximum(np.abs(poles.real) / np.abs(poles), 1e-4)
    about = np.linspace(-3.25, 3.25, 14)  # half widths; never on an undamped peak itself
    near = (size * np.sqrt(1.0 - np.minimum(damping, 0.5) ** 2))[:, None] * (
        1.0 + np.outer(np.minimum(damping, 0.1), about)
    )
    return np.unique(np.concatenate([np.geomspace(size.min() / 3, size.max() * 3, 500), near.ravel()]))
