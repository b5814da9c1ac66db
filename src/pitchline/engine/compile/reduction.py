"""Nodes with fewer than six coordinates: planar bodies, and bodies on a rigid joint to ground.

Bodies on a rigid joint to ground: their coordinates, and the position of their node.

The first joint of a body to ground is used. If the node is on the joint axis (or at its centre), the map T of the node is
constant; see `nodes`. In a planar model, bodies without such a joint, or with a joint that leaves the plane, have planar nodes.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pitchline.declare.names import Frame
from pitchline.declare.structure import NodeShare
from pitchline.errors import unknown_part
from pitchline.model.model import Model
from pitchline.parts.bodies.part import Body, Joint
from pitchline.parts.bodies.plane import Plane
from pitchline.parts.bodies.plane_checks import masses_of_elements, seated_wheels, shares_of_structures
from pitchline.parts.membranes.part import MembraneNode
from pitchline.solids.mass_properties import MassProperties, properties_of
from pitchline.solids.rotations import crossed

# ---- planar

# Planar models: constraints within the plane.
#
# Of the six velocities of a node, three remain: along e1 and e2 in the plane, and about its normal n:
#
# V = E w , E = [e1 e2 0; 0 0 R^T n] (6 x 3, constant: the bodies rotate only about n),
#
# and B E of the gradients B of a joint's rows. A revolute joint about n has five rows, three of which are then zero;
# a slider in the plane has linearly dependent rows. Such rows are idle: they cannot be violated, and they are not
# redundant constraints.

NOTHING = 1e-9
"""If a row of unit length has less than this in the plane, it has no effect there."""


@dataclass(frozen=True)
class PlaneMaps:
    """Plane of a system."""

    maps: np.ndarray  # (nodes, 6, 3): E of each node
    idle: (
        np.ndarray
    )  # (multipliers) whether a row has no effect in the plane, or depends there on another row of its element
    left_out: (
        np.ndarray
    )  # idle multipliers that are not in the equations: all except those that constrain bodies to the plane

    def projected(self, nodes: tuple[int, ...], B: np.ndarray) -> np.ndarray:
        """Gradients (rows, 6 nodes), only their components in the plane."""
        out = np.zeros_like(B)
        for k, g in enumerate(nodes):
            part = slice(6 * k, 6 * k + 6)
            out[:, part] = B[:, part] @ self.maps[g] @ self.maps[g].T
        return out


def plane_maps(axes: np.ndarray, rotations: list[np.ndarray]) -> np.ndarray:
    """E of nodes with rotations R_WN, after that of the ground, which does not move; axes: columns e1, e2, n."""
    maps = np.zeros((len(rotations) + 1, 6, 3))
    for k, R in enumerate(rotations, 1):
        maps[k, :3, :2] = axes[:, :2]
        maps[k, 3:, 2] = R.T @ axes[:, 2]
    return maps


def idle_rows(B: np.ndarray, in_plane: np.ndarray) -> np.ndarray:
    """Rows of an element that have no effect in the plane, or depend there on its other rows.

    B, in_plane: gradients and their components in the plane, in one unit. Rows with the largest components in the plane come first.
    """
    size = np.linalg.norm(B, axis=1)
    rows = in_plane / np.where(size > 0.0, size, 1.0)[:, None]
    idle = np.ones(len(rows), bool)
    basis: list[np.ndarray] = []
    for i in np.argsort(-np.linalg.norm(rows, axis=1), kind="stable"):
        w = rows[i].copy()
        for b in basis:
            w -= (w @ b) * b
        length = float(np.linalg.norm(w))
        if length > NOTHING:
            basis.append(w / length)
            idle[i] = False
    return idle


_EYE = np.eye(3)
REDUCIBLE = ("fixed", "revolute", "prismatic", "screw", "cylindrical", "planar", "plane_on_plane", "spherical")
IN_PLANE = ("fixed", "revolute", "prismatic", "planar", "plane_on_plane")
"""Joints that keep a body in the plane of a planar model."""


@dataclass(frozen=True)
class NodePlan:
    """Position and coordinates of the node of a body."""

    body: Body
    offset: np.ndarray  # node origin from the body origin, body axes
    T: np.ndarray  # (6, nd)
    joint: Joint | None  # joint that became these coordinates
    position: np.ndarray  # of the node, world
    orientation: np.ndarray  # R_WN
    held_by: Joint | None = None  # joint that became them, or could become them
    rigid: Body | MassProperties | None = (
        None  # mass of the body with the wheels seated on it, body axes; None: of the body
    )
    share: NodeShare | None = None  # fraction of the inertia of structures that acts on the node
    closed: np.ndarray | None = None  # (6, nd): motion that `held_by` permits, also if it is not reduced

    def start_rates(self, V: np.ndarray) -> np.ndarray:
        """Rates q' nearest to an initial motion V of the node, which `held_by` may contradict. They do not depend on `reduce`, nor
        on the units: translation and rotation of a screw count by mass and inertia."""
        if not V.any():
            return np.zeros(self.T.shape[1])
        T = self.T if self.closed is None else self.closed
        mass, inertia = self.mass, self.mean_inertia
        size = np.ones(6)
        if mass > 0.0 and inertia > 0.0:
            size[:3], size[3:] = np.sqrt(mass), np.sqrt(inertia)
        rates: np.ndarray = np.linalg.lstsq(size[:, None] * T, size * V, rcond=None)[0]
        return rates if self.closed is None else T @ rates

    @property
    def mass(self) -> float:
        """Approximate mass for a force on the node [kg]."""
        return (self.rigid or self.body).mass + (self.share.mass if self.share else 0.0)

    @property
    def inertia(self) -> np.ndarray:
        """Approximate inertia for a moment on the node, body axes (3, 3) [kg*m^2]."""
        own = (self.rigid or self.body).inertia
        return own + self.share.inertia if self.share else own

    @cached_property
    def mean_inertia(self) -> float:
        """Mean of the moments of inertia about the three axes [kg*m^2]."""
        a, b, c = self.inertia.diagonal().tolist()
        return float((a + b + c) / 3)


def plan_nodes(model: Model, poses: dict[str, tuple[np.ndarray, np.ndarray]], *, reduce: bool) -> list[NodePlan]:
    """One plan for each body, in the order of the model. `poses`: initial position and rotation matrix of every body.

    reduce=False: the nodes have the same positions, so that the discretisation is the same, but six coordinates."""
    first: dict[str, Joint] = {}
    for joint in model.joints.values():
        ends = (joint.body_a, joint.body_b)
        if joint.kind in (REDUCIBLE if model.plane is None else IN_PLANE) and model.ground.name in ends:
            first.setdefault(ends[0] if ends[1] == model.ground.name else ends[1], joint)
    plans = [_plan(model, body, first.get(name), *poses[name]) for name, body in model.bodies.items()]
    plans = _with_masses(model, plans)
    if reduce:
        return plans
    return [
        p if isinstance(p.body, MembraneNode) else replace(p, T=np.eye(6), joint=None, closed=p.T if p.joint else None)
        for p in plans
    ]


def _with_masses(model: Model, plans: list[NodePlan]) -> list[NodePlan]:
    """The plans with the masses of wheels, elements and structures."""
    seated, shares = seated_wheels(model), shares_of_structures(model)
    for name, added in masses_of_elements(model).items():
        known = shares.get(name, NodeShare(0.0, np.zeros((3, 3))))
        shares[name] = NodeShare(known.mass + added.mass, known.inertia + added.inertia)
    if not seated and not shares:
        return plans
    found = []
    for plan in plans:
        body, solid = plan.body, seated.get(plan.body.name)
        whole = None if solid is None else properties_of(body) + solid
        found.append(replace(plan, rigid=whole, share=shares.get(body.name)))
    return found


def _plan(model: Model, body: Body, joint: Joint | None, x: np.ndarray, R: np.ndarray) -> NodePlan:
    if isinstance(body, MembraneNode):
        T = np.zeros((6, 3 if model.plane is None else 2))
        T[:3] = np.eye(3) if model.plane is None else model.plane.axes[:, :2]
        return NodePlan(body, np.zeros(3), T, None, x, R)
    if joint is None:
        T = np.eye(6) if model.plane is None else _planar(model.plane, R)
        return NodePlan(body, np.zeros(3), T, None, x, R)
    on_ground, on_body = joint.frame_a, joint.frame_b
    if joint.body_a != model.ground.name:
        on_ground, on_body = on_body, on_ground
    o, R = _closed(joint, on_ground, on_body, x, R)
    z_world = on_ground.rotation[:, 2]
    z_body = R.T @ z_world
    T = _map(joint, z_world, z_body, on_ground.rotation)
    return NodePlan(body, on_body.position, T, joint, o, R, joint)


def _planar(plane: Plane, R: np.ndarray) -> np.ndarray:
    """Map of a free body in a plane: two translations, and a rotation about its normal."""
    T = np.zeros((6, 3))
    T[:3, :2], T[3:, 2] = plane.axes[:, :2], R.T @ plane.normal
    return T


def _map(joint: Joint, z_world: np.ndarray, z_body: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """6 x nd map of the motion of a joint."""

    def column(translation: np.ndarray | None = None, rotation: np.ndarray | None = None) -> np.ndarray:
        found = np.zeros(6)
        if translation is not None:
            found[:3] = translation
        if rotation is not None:
            found[3:] = rotation
        return found

    match joint.kind:
        case "fixed":
            return np.zeros((6, 0))
        case "revolute":
            columns = [column(rotation=z_body)]
        case "prismatic":
            columns = [column(z_world)]
        case "screw":
            columns = [column((joint.pitch or 0.0) * z_world, z_body)]
        case "cylindrical":
            columns = [column(z_world), column(rotation=z_body)]
        case "spherical":
            columns = [column(rotation=e) for e in np.eye(3)]
        case "planar" | "plane_on_plane":
            columns = [column(axes[:, 0]), column(axes[:, 1]), column(rotation=z_body)]
        case _:
            raise unknown_part("joint", joint, "the choice of coordinates", kind=joint.kind)
    return columns[0].reshape(6, 1) if len(columns) == 1 else np.stack(columns, axis=1)


def _closed(
    joint: Joint, on_ground: Frame, on_body: Frame, x: np.ndarray, R: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Node position and body rotation closest to the given pose that close the joint exactly."""
    F, z = on_ground.rotation, on_ground.rotation[:, 2]
    o = x + R @ on_body.position
    d = o - on_ground.position
    B = R @ on_body.rotation
    if joint.kind in ("fixed", "prismatic"):
        R = F @ on_body.rotation.T
    elif joint.kind != "spherical":
        # the normals of two faces in contact may be opposite: keep the side
        R = _aligning(B[:, 2], z if B[:, 2] @ z > 0 or joint.kind not in ("planar", "plane_on_plane") else -z) @ R
    if joint.kind in ("fixed", "revolute", "spherical"):
        o = on_ground.position
    elif joint.kind in ("prismatic", "cylindrical", "screw"):
        o = on_ground.position + (z @ d) * z
    else:
        o = o - (z @ d) * z
    return o, R


def _aligning(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Smallest rotation from unit vector a to unit vector b."""
    axis = crossed(a, b)
    s, c = math.sqrt(axis.dot(axis)), float(a @ b)
    if s < 1e-15:
        return _EYE
    k = axis / s
    K = np.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
    return _EYE + s * K + (1 - c) * K @ K
