"""Forces and torques on bodies whose components are signals (see `load`)."""

import numpy as np

from ..math.compiled import A2, I8, V3, block, kernel
from ..math.fields import packed, reference
from ..math.vectors import cross, mtv, mul
from .contract import TANGENT, Element, ElementKind, Input, Node, seen, unit_signal
from .load import FORCE, VectorLoad, force_power, in_b, in_world, point_from_a, put_force, put_torque, torque_power

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
