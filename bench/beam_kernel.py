"""Time of one beam element: residual, and residual with tangent, in compiled code."""

import time

import numpy as np

from pitchline.engine.elements.contract import RESIDUAL, TANGENT, Any_, Ask, Element, call_evaluate
from pitchline.numerics.fields import record_at
from pitchline.numerics.machine_code.compiled import A1, A2, I8, entry
from pitchline.parts.bodies.kernel_row import Single
from pitchline.parts.shafts.kernel import beam_element
from pitchline.parts.shafts.sections import BeamSection, exp_se3
from pitchline.parts.shafts.segment import Segment, segment_mass, segment_stiffness

CALLS = 20_000
_any, _ask = record_at(Any_), record_at(Ask)


@entry
def _many(function: I8, s: I8, m: I8, x: I8, w: I8, ask: I8, r: A1, J: A2, calls: I8) -> None:
    for _ in range(calls):
        for i in range(12):
            r[i] = 0.0
        call_evaluate(function, _any(s), _any(m), _any(x), _any(w), _ask(ask), r, J)


def times(repeats: int) -> dict[str, tuple[float, float]]:
    """Seconds a call, without and with tangent, by kind of beam."""
    segment = Segment.uniform(0.05, BeamSection.circle(0.03))
    K = segment_stiffness(segment)
    M = segment_mass(segment, K)
    here, lever = (np.zeros(3), np.eye(3)), (np.array([0.1, 0.0, 0.0]), np.eye(3))
    gravity = np.array([0.0, -9.81, 0.0])
    found = {}
    for name, frame, damping in (
        ("plain", here, None),
        ("damped", here, 1e-6 * K),
        ("damped, with levers", lever, 1e-6 * K),
    ):
        element = beam_element("b", (1, 2), frame, frame, K=K, M=M, rest=segment.rest, damping=damping, gravity=gravity)
        found[name] = _timed(element, segment.rest, max(repeats, 5))
    return found


def _timed(element: Element, rest: np.ndarray, repeats: int) -> tuple[float, float]:
    one = Single(element, np.zeros(1))
    rng = np.random.default_rng(0)
    x, R = exp_se3(rest + 1e-4 * rng.normal(size=6))
    one.nodes[1, :3], one.nodes[1, 3:12] = x, R.ravel()
    one.nodes[:, 12:] = rng.normal(size=(2, 12))
    one.nodes[:, 17] = 100.0  # spins
    one.ask["M"], one.ask["D"], one.ask["K"] = 1e8, 1e4, 1.0
    r, J = np.zeros(12), np.zeros((12, 12))
    best = []
    for mode in (RESIDUAL, TANGENT):
        one.ask["mode"] = mode
        spent = []
        for _ in range(repeats):
            J[:] = 0.0
            began = time.perf_counter()
            _many(one.element.kind.addresses["evaluate"], *one._records, r, J, CALLS)
            spent.append((time.perf_counter() - began) / CALLS)
        best.append(min(spent))
    return best[0], best[1]
