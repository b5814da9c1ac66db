"""From joints to elements: the constraint kernels and rows of each joint."""

import functools
import math

import numpy as np

from pitchline.engine.elements.axis_rows import encode_axes
from pitchline.engine.elements.contract import (
    ANGLE,
    DISPLACEMENT,
    DISTANCE,
    HELIX,
    Element,
    Measure,
    SignalSpec,
    encode_measure,
)
from pitchline.engine.elements.frame_motion import coordinate
from pitchline.errors import unknown_part

from ..friction.kernel_sliding import sliding
from .kernel_constraint import scalar_constraint
from .kernel_joint import coincident
from .part import ANGLE as ANGLE_NAME
from .part import DISPLACEMENT as DISPLACEMENT_NAME
from .part import Joint

Placed = tuple[np.ndarray, np.ndarray]
"""Frame in node axes: origin, rotation."""

COORDINATE_SIGNALS = {ANGLE_NAME: ("angle", "angular_speed"), DISPLACEMENT_NAME: ("displacement", "speed")}


def joint_elements(joint: Joint, nodes: tuple[int, int], a: Placed, b: Placed, *, helix_offset: float) -> list[Element]:
    """Constraint elements of a joint. `helix_offset`: initial displacement - pitch * angle of a screw."""
    (oA, FA), (oB, FB) = a, b
    xA, yA, zA = FA.T
    xB, yB, _ = FB.T
    name = joint.name
    free, parallel = encode_axes, functools.partial(encode_axes, zA, xB, yB)
    locked = functools.partial(parallel, extra=(xA, yB))
    match joint.kind:
        case "revolute":
            return [coincident(name, nodes, oA, oB, parallel())]
        case "spherical":
            return [coincident(name, nodes, oA, oB, free())]
        case "universal":
            return [coincident(name, nodes, oA, oB, encode_axes(zA, xB))]
        case "fixed":
            return [coincident(name, nodes, oA, oB, locked())]
        case "cylindrical":
            return [sliding(name, nodes, oA, oB, (xA, yA), parallel())]
        case "prismatic":
            return [sliding(name, nodes, oA, oB, (xA, yA), locked())]
        case "planar" | "plane_on_plane":
            return [sliding(name, nodes, oA, oB, (zA,), parallel())]
        case "point_on_line":
            return [sliding(name, nodes, oA, oB, (xA, yA), free())]
        case "point_on_plane":
            return [sliding(name, nodes, oA, oB, (zA,), free())]
        case "parallel_axes":
            return [sliding(name, nodes, oA, oB, (), parallel())]
        case "screw":
            helix = scalar_constraint(name, nodes, encode_measure(HELIX, a, b, joint.pitch or 0.0), value=helix_offset)
            _publish(helix, effort=SignalSpec("thrust", "N", "force of the thread on the second body, along the axis"))
            return [sliding(name, nodes, oA, oB, (xA, yA), parallel()), helix]
        case "distance":
            rod = scalar_constraint(name, nodes, encode_measure(DISTANCE, a, b), value=joint.length or 0.0)
            _publish(
                rod, effort=SignalSpec("force", "N", "force of the rod on the second body, positive in compression")
            )
            return [rod]
    raise unknown_part("joint", joint, "the compile step", kind=joint.kind)


def guide_element(name: str, node: int, position: np.ndarray, rotation: np.ndarray, plane: np.ndarray) -> Element:
    """Constrain a body with six coordinates to the plane of a planar model. plane: columns e1, e2, normal."""
    normal = plane[:, 2]
    parallel = encode_axes(normal, rotation.T @ plane[:, 0], rotation.T @ plane[:, 1])
    guide = sliding(name, (0, node), position, np.zeros(3), (normal,), parallel)
    guide.signals = ()
    return guide


def coordinate_element(joint: Joint, nodes: tuple[int, int], a: Placed, b: Placed) -> Element:
    """Observer of the angle and displacement of the joint."""
    signals = tuple(s for c in joint.coordinates for s in COORDINATE_SIGNALS[c])
    return coordinate(joint.name, nodes, encode_measure(ANGLE, a, b), signals)


def initial_coordinates(a: Placed, b: Placed) -> tuple[float, float]:
    """(angle, displacement) of frame b relative to frame a, both in the world; the twist as in `engine.elements.contract`.

    Half a revolution is +pi, also if rounding gives -pi: elements that count revolutions start from the same value in every run.
    """
    (oA, A), (oB, B) = a, b
    M = A.T @ B
    angle = math.atan2(M[1, 0] - M[0, 1], M[0, 0] + M[1, 1])
    return angle + 2.0 * math.pi if angle < 1e-9 - math.pi else angle, float(A[:, 2] @ (oB - oA))


def _publish(element: Element, **signals: SignalSpec) -> None:
    element.signals = tuple(signals)
    element.rename = dict(signals)


# ---- joint measure

# Measure of one coordinate of a joint.


def joint_measure(observer: Element, coordinate: str) -> np.void:
    """Measure of one coordinate of an observed joint."""
    at, kind = observer.kind.parameters.place("on")
    measure = Measure.named(observer.parameters[at : at + kind.size].copy())
    measure["kind"] = ANGLE if coordinate == ANGLE_NAME else DISPLACEMENT
    return measure
