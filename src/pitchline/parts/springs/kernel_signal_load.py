"""Forces and torques on bodies and joints whose components are signals."""

import numpy as np

from pitchline.engine.elements.contract import (
    TANGENT,
    Element,
    ElementKind,
    Gradient,
    Input,
    Measure,
    Node,
    SignalSpec,
    Turns,
    measure,
    measure_stiffness,
    rate,
    seen,
    unit_signal,
)
from pitchline.numerics.fields import embedded, fields, packed, reference
from pitchline.numerics.machine_code.compiled import A2, I8, V3, block, kernel
from pitchline.numerics.vectors import cross, mtv, mul

from .kernel import FORCE, VectorLoad, force_power, in_b, in_world, point_from_a, put_force, put_torque, torque_power

# ---- signal effort

# Torque or force on the coordinate of a joint whose value is a signal: it can depend on the state of the whole model.

SignalEffort = fields("SignalEffort", on=embedded(Measure))


@kernel
def evaluate(s, m, x, w, ask, r, J):
    g = w.gradient
    measure(s.on, m, x.a, x.b, g)
    effort = ask.load * x.effort.value
    ask.power_in += effort * rate(g, x.a, x.b)
    for i in range(12):
        r[i] = -effort * g[i]
    if ask.mode == TANGENT:
        measure_stiffness(s.on, x.a, x.b, J)
        k = -ask.K * effort
        column = x.effort.column
        for i in range(12):
            for j in range(12):
                J[i, j] *= k
            J[i, column] = -ask.load * g[i]


@kernel
def report(s, m, x, w, ask, out):
    g = w.gradient
    out.coordinate = measure(s.on, m, x.a, x.b, g)
    out.rate = rate(g, x.a, x.b)
    out.effort = ask.load * x.effort.value
    out.power_in = out.effort * out.rate


SIGNAL_EFFORT = ElementKind(
    "signal effort",
    evaluate,
    SignalEffort,
    seen=seen("a", "b", more={"effort": reference(Input)}),
    memory=Turns,
    scratch=Gradient,
    report=report,
    signals=(
        SignalSpec("coordinate", "", "coordinate on which the effort acts"),
        SignalSpec("rate", "", "its rate"),
        SignalSpec("effort", "", "load on the second body along the coordinate"),
    ),
    inputs=("effort",),
    exchanges_power=True,
    full_pattern=True,
)


def signal_effort(name: str, nodes: tuple[int, int], on: np.void, *, memory_of: Element, source: object) -> Element:
    """Effort on a measure; `memory_of` is the joint coordinate that counts its revolutions."""
    values = packed(SignalEffort, {"on": on})
    return Element(SIGNAL_EFFORT, name, nodes, values, shares_memory_of=memory_of, inputs=(source,))


COMPONENTS = ("x", "y", "z")
_SEEN = seen("a", "b", more=dict.fromkeys(COMPONENTS, reference(Input)))


@block
def _put_column(J: A2, column: I8, row: I8, f: V3):
    for i in range(3):
        J[row + i, column] = f[i]


@block
def _by_component(s: VectorLoad, a: Node, b: Node, f: V3, force: I8, column: I8, J: A2):
    """Column of a component: the loads of its unit value f."""
    fW = in_world(s, f, b)
    fB = in_b(s, f, b)
    if force != 0:
        arm = point_from_a(a, b, s.point)
        _put_column(J, column, 0, fW)
        _put_column(J, column, 3, mtv(a.R, cross(arm, fW)))
        _put_column(J, column, 6, mul(-1.0, fW))
        _put_column(J, column, 9, mul(-1.0, cross(s.point, fB)))
    else:
        _put_column(J, column, 3, mtv(a.R, fW))
        _put_column(J, column, 9, mul(-1.0, fB))


@kernel
def evaluate_force(s, m, x, w, ask, r, J):
    k = ask.load
    put_force(s, x.a, x.b, (k * x.x.value, k * x.y.value, k * x.z.value), ask, r, J)
    if ask.mode == TANGENT:
        _by_component(s, x.a, x.b, (k, 0.0, 0.0), 1, x.x.column, J)
        _by_component(s, x.a, x.b, (0.0, k, 0.0), 1, x.y.column, J)
        _by_component(s, x.a, x.b, (0.0, 0.0, k), 1, x.z.column, J)


@kernel
def evaluate_torque(s, m, x, w, ask, r, J):
    k = ask.load
    put_torque(s, x.a, x.b, (k * x.x.value, k * x.y.value, k * x.z.value), ask, r, J)
    if ask.mode == TANGENT:
        _by_component(s, x.a, x.b, (k, 0.0, 0.0), 0, x.x.column, J)
        _by_component(s, x.a, x.b, (0.0, k, 0.0), 0, x.y.column, J)
        _by_component(s, x.a, x.b, (0.0, 0.0, k), 0, x.z.column, J)


@kernel
def report_force(s, m, x, w, ask, out):
    k = ask.load
    fW = in_world(s, (k * x.x.value, k * x.y.value, k * x.z.value), x.b)
    out.power_in = force_power(x.a, x.b, s.point, point_from_a(x.a, x.b, s.point), fW)
    out.force = fW


@kernel
def report_torque(s, m, x, w, ask, out):
    k = ask.load
    f = (k * x.x.value, k * x.y.value, k * x.z.value)
    fW = in_world(s, f, x.b)
    out.power_in = torque_power(x.a, x.b, mtv(x.a.R, fW), in_b(s, f, x.b))
    out.torque = fW


SIGNAL_FORCE = ElementKind(
    "signal force",
    evaluate_force,
    VectorLoad,
    seen=_SEEN,
    report=report_force,
    signals=(unit_signal("force", "N", "force on the body"),),
    inputs=COMPONENTS,
    exchanges_power=True,
    full_pattern=True,
)
SIGNAL_TORQUE = ElementKind(
    "signal torque",
    evaluate_torque,
    VectorLoad,
    seen=_SEEN,
    report=report_torque,
    signals=(unit_signal("torque", "N*m", "torque on the body"),),
    inputs=COMPONENTS,
    exchanges_power=True,
    full_pattern=True,
)


def signal_load(
    name: str,
    nodes: tuple[int, int],
    what: int,
    *,
    following: bool,
    point: np.ndarray,
    sources: tuple[object, object, object],
) -> Element:
    """A force (at a point of B) or a torque with components from signals, in world or B axes."""
    values = packed(VectorLoad, {"following": following, "point": point})
    return Element(SIGNAL_FORCE if what == FORCE else SIGNAL_TORQUE, name, nodes, values, inputs=sources)
