"""Six-axis arm with the proportions of the KUKA KR 15, as exported from CAD: every part is a body, every fit is a
joint.

D. Vlasenko and R. Kasper (Spatial kinematics of gears in absolute coordinates, 2009) simulate the CAD model of a KR
15/2 with 43
bodies and 95 joints, including 7 spur, 3 bevel and 10 internal gear joints. Its gear trains and masses are not
published. This
model uses a consistent choice of the same size (`robot_parts`). Joints are counted as in the paper:

    31 hinges  +  12 bolted connections of three faces each  +  8 sets of output pins  +  20 gear joints  =  95 .

Three faces at right angles fix six degrees of freedom with nine constraints. Output pins fix the rotation of a disc
with two
constraints, one of which the hinge of the disc already has. The second disc of a reducer in the ring repeats the
constraint of
the first one:

    12 · 3  +  8 · 1  +  3  =  47 redundant constraints .

They are detected and removed. All meshes are `Rolling`. Spur and bevel pairs and the planets have teeth, cycloid discs
a ratio.

Each motor has a controller in the model (`controller_1` … `controller_6`): the torque that was computed in advance for a
smooth motion from one position of the arm to the next (`motor_torques`), and feedback of angle and speed of its rotor.
Without a payload the feedback has little to do: the deviation of the arm from the trajectory shows how well computed
torques and simulation agree. A `payload` at the flange, which the computed torques do not include, shows the feedback.
The work of the motors must be equal to the change of energy of the arm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

import pitchline as pl
from pitchline.analyses.start_positions import prepare
from pitchline.base.types import FloatArray
from pitchline.engine.compile.nodes import Snapshot

from .figures import Figure, Run
from .model_kinds import Parameter
from .robot_parts import GEAR_JOINTS, PARTS, PINS, GearJoint, Part, turns

__all__ = [
    "DURATION",
    "GRAVITY",
    "MOTOR_TURNS",
    "MOVE",
    "SPEED",
    "BodyMotion",
    "body_motions",
    "duration_of",
    "BANDWIDTH",
    "motor_inertias",
    "motor_torques",
    "move_of",
    "trajectory",
    "LINK_SHAPES",
    "PARAMETERS",
    "PLOT",
    "STEP",
    "build",
    "energy_exchanged",
    "figures",
    "gear_errors",
    "run",
    "tracking_error",
]


# ---- robot control

# Controller of the robot arm: a smooth trajectory, the motor torques that it needs (computed torque), and feedback
# gains.
#
# Mechanics in joint coordinates, only with numpy. A body is a node of a tree. The angle of its hinge is a fixed row
# of factors times q = (q₁ … q₆) (`robot_gears.turns`). Hinge j has the axis a_j, the point p_j, both moving with the
# bodies before it, and the row of factors n_j. Velocity and angular velocity of a body with the centre of mass x are
#
# ω = Σ a_j (n_j q̇) , v = Σ a_j × (x − p_j) (n_j q̇) over the hinges between the ground and the body ,
#
# linear in q̇ with the Jacobians J_ω and J_v. By virtual work the joints need
#
# Q = Σ_bodies J_vᵀ m (v̇ − g) + J_ωᵀ (I ω̇ + ω × I ω)
#
# and the motors, whose rotor angles relative to their stators are N q with a constant matrix N, τ = N⁻ᵀ Q.

_TURNS = turns()
MOTOR_TURNS: FloatArray = np.array([_TURNS[f"rotor_{n}"] for n in range(1, 7)])
"""N (6, 6): the angles of the rotors relative to their stators are N q."""

GRAVITY: FloatArray = np.array([0.0, 0.0, -9.81])
"""[m/s²]"""

# --- the trajectory -----------------------------------------------------------------------------------------------------

STATIONS: FloatArray = np.radians(
    [
        [0, 0, 0, 0, 0, 0],
        [24, 20, -25, 30, 40, -50],
        [0, -12, 12, 0, 55, 40],
    ]
)
"""Positions in which the arm comes to rest, in order (n, 6) [rad]."""
REST, MOVE = 0.1, 1.5
"""Rest time at every position, and travel time between two positions [s]."""


def duration_of(move: float) -> float:
    """Duration of the whole motion [s], for a travel time between two positions."""
    return REST * len(STATIONS) + move * (len(STATIONS) - 1)


def move_of(speed: float) -> float:
    """Travel time between two positions [s] in which the fastest rotor reaches a speed [rad/s]."""
    return MOVE * SPEED / speed


SPEED = float(np.max(np.abs(np.diff(STATIONS, axis=0) @ MOTOR_TURNS.T))) * 140 / 64 / MOVE
"""Speed of the fastest rotor [rad/s]: 140/64 is the largest slope of the polynomial of `trajectory`."""
DURATION = duration_of(MOVE)
"""[s]"""


def trajectory(t: FloatArray | float, move: float = MOVE) -> tuple[FloatArray, FloatArray, FloatArray]:
    """q [rad], q̇ [rad/s] and q̈ [rad/s²] at n times, each (n, 6); move: travel time between two positions [s].

    From rest to rest with 35 s⁴ − 84 s⁵ + 70 s⁶ − 20 s⁷, 0 <= s <= 1. Its third derivative is continuous, so the
    torques are smooth.
    """
    t = np.atleast_1d(np.asarray(t, float))[:, None]
    q, qd, qdd = STATIONS[0] + np.zeros_like(t), np.zeros((len(t), 6)), np.zeros((len(t), 6))
    for k, way in enumerate(np.diff(STATIONS, axis=0)):
        s = np.clip((t - k * (REST + move) - REST) / move, 0.0, 1.0)
        q = q + s**4 * (35 - 84 * s + 70 * s**2 - 20 * s**3) * way
        qd = qd + 140 * (s * (1 - s)) ** 3 / move * way
        qdd = qdd + 420 * (s * (1 - s)) ** 2 * (1 - 2 * s) / move**2 * way
    return q, qd, qdd


# --- mechanics in joint coordinates -------------------------------------------------------------------------------------


@dataclass
class BodyMotion:
    """A body at q, for n instants at once: rotated by R from home; the point p of the home position is now at R p +
    shift.

    Speeds are linear in q̇, accelerations are linear in q̈ with a remainder that is quadratic in q̇.
    """

    R: FloatArray  # (n, 3, 3)
    shift: FloatArray  # (n, 3) [m]
    x: FloatArray  # (n, 3), centre of mass [m]
    J_omega: FloatArray  # (n, 3, 6)
    J_v: FloatArray  # (n, 3, 6), of the centre of mass [m]
    omega_dot: FloatArray  # (n, 3), at q̈ = 0 [rad/s²]
    v_dot: FloatArray  # (n, 3), of the centre of mass, at q̈ = 0 [m/s²]

    def point(self, home: FloatArray) -> FloatArray:
        """Current position of a point of the body that was at `home` in the home position (n, 3) [m]."""
        return self.R @ home + self.shift


@dataclass
class _FrameMotion:
    """Frame of the tree: speed and acceleration are those of the body's point at the world origin."""

    R: FloatArray
    shift: FloatArray
    J_omega: FloatArray
    J_0: FloatArray
    omega: FloatArray
    omega_dot: FloatArray
    a_0: FloatArray

    def acceleration(self, x: FloatArray) -> FloatArray:
        """Acceleration of the point at x, for q̈ = 0."""
        return self.a_0 + np.cross(self.omega_dot, x) + np.cross(self.omega, np.cross(self.omega, x))


def body_motions(q: FloatArray, qd: FloatArray | None = None) -> dict[str, BodyMotion]:
    """All bodies by name at the joint angles q (n, 6), with their Jacobians and the remainders of their accelerations."""
    q = np.atleast_2d(q)
    qd = np.zeros_like(q) if qd is None else np.atleast_2d(qd)
    n = len(q)
    still = _FrameMotion(
        np.tile(np.eye(3), (n, 1, 1)), *np.zeros((1, n, 3)), *np.zeros((2, n, 3, 6)), *np.zeros((3, n, 3))
    )
    frames, found = {"ground": still}, {}
    for part in PARTS:
        own = frames[part.parent]
        if part.axis is not None:
            own = _hinged(own, part.axis, part.held_at, _TURNS[part.name], q, qd)
        frames[part.name] = own
        x = own.R @ (part.origin + part.solid.centre_of_mass) + own.shift
        J_v = own.J_0 + np.cross(own.J_omega, x[:, :, None], axis=1)
        found[part.name] = BodyMotion(own.R, own.shift, x, own.J_omega, J_v, own.omega_dot, own.acceleration(x))
    return found


def _hinged(
    before: _FrameMotion, axis: FloatArray, at: FloatArray, row: FloatArray, q: FloatArray, qd: FloatArray
) -> _FrameMotion:
    """The frame after a hinge with the angle row·q."""
    a, p = before.R @ axis, before.R @ at + before.shift
    turn = _rotations(a, q @ row)
    rate = (qd @ row)[:, None]
    after = _FrameMotion(
        turn @ before.R,
        p + _times(turn, before.shift - p),
        before.J_omega + a[:, :, None] * row,
        before.J_0 + np.cross(p, a)[:, :, None] * row,
        before.omega + rate * a,
        before.omega_dot + rate * np.cross(before.omega, a),
        np.zeros_like(a),
    )
    # a point on the axis belongs to both bodies and has one acceleration
    after.a_0 = before.acceleration(p) - after.acceleration(p)
    return after


def motor_torques(q: FloatArray, qd: FloatArray | None = None, qdd: FloatArray | None = None) -> FloatArray:
    """Motor torques for a motion, at n instants (n, 6) [N m]; without q̇ and q̈: torques that hold the arm at rest."""
    q = np.atleast_2d(q)
    qd = np.zeros_like(q) if qd is None else np.atleast_2d(qd)
    qdd = np.zeros_like(q) if qdd is None else np.atleast_2d(qdd)
    needed = np.zeros_like(q)
    bodies = body_motions(q, qd)
    for part in PARTS:
        b, solid = bodies[part.name], part.solid
        I = b.R @ solid.inertia @ b.R.transpose(0, 2, 1)
        omega = _times(b.J_omega, qd)
        force = solid.mass * (_times(b.J_v, qdd) + b.v_dot - GRAVITY)
        moment = _times(I, _times(b.J_omega, qdd) + b.omega_dot) + np.cross(omega, _times(I, omega))
        needed += _times(b.J_v.transpose(0, 2, 1), force) + _times(b.J_omega.transpose(0, 2, 1), moment)
    return np.asarray(np.linalg.solve(MOTOR_TURNS.T, needed.T).T, float)


BANDWIDTH = 2.0 * np.pi * 8.0
"""Natural frequency of the feedback of the motors [rad/s]; their damping is critical."""


def motor_inertias() -> FloatArray:
    """Moments of inertia that the motors drive, with the arm behind them, in the home position (6,) [kg m²]."""
    bodies = body_motions(np.zeros((1, 6)))
    M = np.zeros((6, 6))
    for part in PARTS:
        b, solid = bodies[part.name], part.solid
        J_v, J_omega, R = b.J_v[0], b.J_omega[0], b.R[0]
        M += solid.mass * J_v.T @ J_v + J_omega.T @ (R @ solid.inertia @ R.T) @ J_omega
    back = np.linalg.inv(MOTOR_TURNS)
    return np.asarray(np.diag(back.T @ M @ back), float)


def _times(A: FloatArray, x: FloatArray) -> FloatArray:
    """A x at every instant."""
    return (A @ x[:, :, None])[:, :, 0]


def _rotations(axis: FloatArray, angle: FloatArray) -> FloatArray:
    """Rotations about unit vectors, by Rodrigues."""
    x, y, z = axis.T
    o = np.zeros_like(x)
    k = np.array([[o, -z, y], [z, o, -x], [-y, x, o]]).transpose(2, 0, 1)
    return np.eye(3) + np.sin(angle)[:, None, None] * k + (1.0 - np.cos(angle))[:, None, None] * (k @ k)


# ---- robot looks

# Shapes of the links of the robot arm. They are for pictures only; masses are those of `robot_parts`.
#
# Each shape is in the axes of its link: those of the world in the home pose, from the axis of the link's hinge.

_CASTING, _DARK, _STEEL = "#E8772296", "#3A4048", "#B4BBC2"


def _beam(start: tuple[float, float, float], end: tuple[float, float, float], width: float, height: float) -> pl.Shape:
    """A bar of a rectangular section from one point to another in the plane of x and z [m]."""
    a, b = np.array(start), np.array(end)
    along = b - a
    length = float(np.linalg.norm(along))
    angle = math.atan2(along[0], along[2])
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    return pl.bar(height, width, length).turned(turn).moved(0.5 * (a + b))


def _base() -> pl.Shape:
    foot = pl.bar(0.48, 0.48, 0.03).moved((0, 0, 0.015))
    return foot + pl.cone(0.22, 0.17, 0.21).moved((0, 0, 0.135)) + pl.tube(0.185, 0.095, 0.035).moved((0, 0, 0.2575))


def _carousel() -> pl.Shape:
    """A turntable and a bracket that carries the shoulder."""
    table = pl.cylinder(0.20, 0.07).moved((0, 0, 0.375))
    body = pl.cone(0.17, 0.13, 0.12).moved((0, 0, 0.47))
    bracket = _beam((0.0, -0.01, 0.45), (0.28, -0.01, 0.66), 0.14, 0.19)
    return table + body + bracket + pl.cylinder(0.125, 0.16, axis="y").moved((0.3, -0.01, 0.675))


def _upper_arm() -> pl.Shape:
    """A plate between two round hubs, next to the shoulder and the elbow."""
    low = pl.cylinder(0.125, 0.07, axis="y").moved((0, 0.125, 0))
    high = pl.cylinder(0.105, 0.07, axis="y").moved((0, 0.125, 0.65))
    plate = pl.bar(0.15, 0.055, 0.65).moved((0, 0.125, 0.325))
    rib = pl.bar(0.06, 0.075, 0.42).moved((0, 0.125, 0.325))
    return low + high + plate + rib


def _arm() -> pl.Shape:
    """A hub at the elbow, the gear case over it, and a neck for the forearm."""
    hub = pl.cylinder(0.105, 0.16, axis="y").moved((0, 0.0, 0))
    case = pl.bar(0.17, 0.19, 0.19).moved((0.015, 0, 0.145))
    neck = pl.cone(0.095, 0.085, 0.11, axis="x").moved((0.155, 0, 0.155))
    return hub + case + neck


def _forearm() -> pl.Shape:
    """A tapered tube, and a fork that carries the wrist."""
    flange = pl.cylinder(0.085, 0.03, axis="x").moved((-0.475, 0, 0))
    tube = pl.cone(0.08, 0.06, 0.36, axis="x").moved((-0.28, 0, 0))
    yoke = pl.bar(0.04, 0.18, 0.10).moved((-0.095, 0, 0))
    fork = [pl.bar(0.09, 0.03, 0.09).moved((-0.045, y, 0)) for y in (-0.075, 0.075)]
    eyes = [pl.cylinder(0.052, 0.034, axis="y").moved((0, y, 0)) for y in (-0.075, 0.075)]
    return flange + tube + yoke + fork[0] + fork[1] + eyes[0] + eyes[1]


def _wrist() -> pl.Shape:
    return pl.cylinder(0.05, 0.11, axis="y") + pl.cone(0.048, 0.042, 0.06, axis="x").moved((0.062, 0, 0))


def _tool() -> pl.Shape:
    """A gripper with two fingers."""
    fingers = [pl.bar(0.12, 0.018, 0.04).moved((0.165, y, 0)) for y in (-0.05, 0.05)]
    body = pl.cylinder(0.035, 0.04, axis="x").moved((0.025, 0, 0)) + pl.bar(0.06, 0.14, 0.08).moved((0.075, 0, 0))
    return body.coloured(_DARK) + (fingers[0] + fingers[1]).coloured(_STEEL)


LINK_SHAPES: dict[str, pl.Shape] = {
    "base": _base().coloured(_DARK),
    "carousel": _carousel().coloured(_CASTING),
    "upper_arm": _upper_arm().coloured(_CASTING),
    "arm": _arm().coloured(_CASTING),
    "forearm": _forearm().coloured(_CASTING),
    "wrist": _wrist().coloured(_CASTING),
    "flange": pl.cylinder(0.04, 0.03, axis="x").moved((0.11, 0, 0)).coloured(_STEEL),
    "tool": _tool(),
}
"""By the names of the links. Castings are see-through, so that their gears are visible."""


STEP, OUTPUT_STEP = 1e-3, 5e-3
"""[s]"""
NEWTON_TOLERANCE = 1e-8
"""Errors of the axes are up to 140 times larger at the rotors. The tolerance is ten times smaller than the default."""
TABLE_STEP = 1e-3
"""Time between samples of the torques [s]."""
PARAMETERS = {
    "speed": Parameter(SPEED, "angular velocity", "largest speed of the fastest motor", lowest=1.0, highest=700.0),
    "payload": Parameter(
        0.0, "mass", "mass at the flange that the controllers do not expect", lowest=0.0, highest=50.0
    ),
}
PLOT = ("axis_*.angle", "rotor_*_hinge.angular_speed", "motor_*.torque", "energy.kinetic", "energy.work")
_ORIGINS = {part.name: part.origin for part in PARTS}
_LINKS = {"carousel": 1, "upper_arm": 2, "arm": 3, "forearm": 4, "wrist": 5, "flange": 6}


def build(
    *,
    redundant: bool = True,
    hold: FloatArray | None = None,
    speed: float = SPEED,
    payload: float = 0.0,
    feedback: bool = True,
) -> pl.Model:
    """The arm in its home position, with its motors and controllers; speed: largest speed of the fastest motor [rad/s].

    redundant: as exported from CAD; False: the same machine without redundant constraints (bolted connections as one
    fixed joint;
               discs a with a universal joint and their pins, discs b with their hinge and without pins)
    hold:      joint angles (6,) [rad] of another position, with the rotors fixed by drives
    payload:   mass at the flange [kg] that the controllers do not expect
    feedback:  False: the torques that were computed in advance only
    """
    m = pl.Model("robot-arm", gravity=GRAVITY)
    still = np.zeros(6) if hold is None else np.asarray(hold, float)
    places = body_motions(still)
    for part in PARTS:
        there = places[part.name]
        looks = _looks(part)
        m.body(part.name, solid=part.solid, position=there.point(part.origin)[0], orientation=there.R[0], **looks)
        _hold(m, part, redundant)
    for pin in PINS:
        if redundant or not pin.name.endswith("b"):
            m.parallel_axes(pin.name, pin.carrier, pin.disc, axis=m.bodies[pin.disc].orientation @ pin.along)
    for joint in GEAR_JOINTS:
        _mesh(m, joint)
    if hold is None:
        _motors(m, move_of(speed), feedback)
    else:
        for n in range(1, 7):
            m.drive(f"motor_{n}", f"rotor_{n}_hinge", angle=0.0)
    if payload > 0.0:
        m.attached_mass("payload", "flange", mass=payload)
    return m


def _motors(m: pl.Model, move: float, feedback: bool) -> None:
    """Torques of the motors: computed in advance, with or without feedback of the rotors."""
    t, torques = _torques(move)
    if not feedback:
        for n, values in enumerate(torques.T, 1):
            m.torque(f"motor_{n}", f"rotor_{n}_hinge", pl.Table(t, values, "cubic"))
        return
    q, qd, _ = trajectory(t, move)
    angles, speeds = q @ MOTOR_TURNS.T, qd @ MOTOR_TURNS.T
    for n, inertia in enumerate(motor_inertias(), 1):
        damping = 2.0 * inertia * BANDWIDTH
        rotor = f"rotor_{n}_hinge"
        controller = pl.PID(
            f"controller_{n}",
            setpoint=pl.Table(t, angles[:, n - 1], "cubic"),
            measured=pl.expression(f"{rotor}.angle"),
            measured_rate=pl.expression(f"{rotor}.speed"),
            proportional=inertia * BANDWIDTH**2,
            derivative=damping,
            # the derivative acts on the measured speed: its value on the trajectory is added again
            feedforward=pl.Table(t, torques[:, n - 1] + damping * speeds[:, n - 1], "cubic"),
        )
        m.add(controller)
        m.torque(f"motor_{n}", rotor, pl.expression(f"controller_{n}.output"))


def _looks(part: Part) -> dict[str, Any]:
    """Links have their own shapes. Other parts are drawn as their gears, if they have any."""
    if part.name in LINK_SHAPES:
        return {"shape": LINK_SHAPES[part.name]}
    return {"colour": "#3A4048"} if part.name.startswith("stator") else {}


def _hold(m: pl.Model, part: Part, redundant: bool) -> None:
    """Hinge of a part on its parent, or the faces of its bolted connection."""
    body = m.bodies[part.name]
    at = body.to_world(part.held_at - part.origin)
    if part.axis is not None:
        name = f"axis_{_LINKS[part.name]}" if part.name in _LINKS else f"{part.name}_hinge"
        axis = body.orientation @ part.axis
        if not redundant and part.name in {pin.disc for pin in PINS if not pin.name.endswith("b")}:
            # the pins fix two rotations; the cross must fix the third
            along = next(body.orientation @ pin.along for pin in PINS if pin.disc == part.name)
            m.universal(name, part.parent, part.name, at=at, axis=axis, axis_b=np.cross(axis, along))
        else:
            m.revolute(name, part.parent, part.name, at=at, axis=axis)
    elif redundant:
        for letter, normal in zip("xyz", body.orientation.T, strict=True):
            m.plane_on_plane(f"{part.name}_face_{letter}", part.parent, part.name, at=at, axis=normal)
    else:
        m.fixed(f"{part.name}_bolts", part.parent, part.name, at=at)


def _mesh(m: pl.Model, j: GearJoint) -> None:
    """Gear joint: with gears if it has teeth, with a ratio if it has lobes."""
    frames = [
        # in body axes, which are the world axes in the home position
        m.bodies[body].frame(f"{j.name}_{body}", position=centre - _ORIGINS[body], axis=axis)
        for body, centre, axis in ((j.a, j.centre_a, j.axis_a), (j.b, j.centre_b, j.axis_b))
    ]
    if j.module:
        wheels = [m.wheel(frame.name, frame, gear) for frame, gear in zip(frames, _gears(j), strict=True)]
        m.gear_pair(j.name, *wheels, mesh=pl.Rolling())
    else:
        m.gear_pair(j.name, *frames, mesh=pl.Rolling(ratio=Fraction(j.teeth_b, j.teeth_a), internal=True))


def _gears(j: GearJoint) -> tuple[pl.Gear, pl.Gear]:
    cone = math.atan2(j.teeth_a, j.teeth_b) if j.kind == "bevel" else 0.0
    return (
        pl.Gear(teeth=j.teeth_a, normal_module=j.module, cone_angle=cone),
        pl.Gear(
            teeth=j.teeth_b,
            normal_module=j.module,
            cone_angle=0.5 * math.pi - cone if cone else 0.0,
            internal=j.kind == "internal",
            # tips of a ring gear are shortened; otherwise they touch the fillets of the planet
            tip_alteration=-0.4 if j.kind == "internal" else 0.0,
        ),
    )


@cache
def _torques(move: float) -> tuple[FloatArray, FloatArray]:
    """Times (n,) [s] and torques of the motors (n, 6) [N m]."""
    t = np.linspace(0.0, duration_of(move), round(duration_of(move) / TABLE_STEP) + 1)
    return t, motor_torques(*trajectory(t, move))


def run(*, speed: float = SPEED, payload: float = 0.0) -> Run:
    """The motion, starting from rest in the home position. A few steps before it load the compiled code, so that the
    measured time is
    that of the steps.
    """
    model = build(speed=speed, payload=payload)
    pl.dynamics(model, duration=2 * STEP, step=STEP)
    options: dict[str, Any] = {"step": STEP, "output_step": OUTPUT_STEP, "newton_tolerance": NEWTON_TOLERANCE}
    return {"motion": pl.dynamics(model, duration=duration_of(move_of(speed)), **options)}


# --- results ------ -----------------------------------------------------------------------------------------------------


def gear_errors(result: pl.Result) -> tuple[FloatArray, FloatArray]:
    """Deviation of the gears from the values of the tooth numbers: angles (n, k) [rad] and speeds (n, k) [rad/s].

    For each of the k bodies behind the gears: its hinge angle minus the angle from the six axes and
    `robot_gears.turns`. The
    25 bodies of the arm depend on its axes by the same number of independent constraints, so an error of any gear joint
    is
    visible. The evaluation does not use the constraints: hinge angles are measured from the poses of the bodies.
    """
    wheels = {name: row for name, row in turns().items() if name not in _LINKS and f"{name}_hinge.angle" in result}
    found = []
    for quantity in ("angle", "angular_speed"):
        axes = np.stack([result[f"axis_{n}.{quantity}"].values for n in range(1, 7)], axis=1)
        turned = np.stack([result[f"{name}_hinge.{quantity}"].values for name in wheels], axis=1)
        found.append(turned - axes @ np.array(list(wheels.values())).T)
    return found[0], found[1]


def energy_exchanged(result: pl.Result) -> float:
    """Energy through the motors in both directions: Σ ∫ |τ ω| dt [J]."""
    power = sum(
        np.abs(result[f"motor_{n}.torque"].values * result[f"rotor_{n}_hinge.angular_speed"].values)
        for n in range(1, 7)
    )
    return float(np.trapezoid(power, result.time))


def tracking_error(result: pl.Result, move: float = MOVE) -> FloatArray:
    """Difference between the axes and the trajectory for which the torques were computed (n, 6) [rad]."""
    axes = np.stack([result[f"axis_{n}.angle"].values for n in range(1, 7)], axis=1)
    return axes - trajectory(result.time, move)[0]


def figures(run: Run, *, speed: float = SPEED, payload: float = 0.0) -> list[Figure]:
    """Size of the model, and errors of gears, trajectory and energy balance."""
    result, model, move = run["motion"], build(speed=speed, payload=payload), move_of(speed)
    turn, rate = gear_errors(result)
    off = float(np.max(np.abs(tracking_error(result, move))))
    balance = float(np.max(np.abs(result["energy.balance_error"].values))) / energy_exchanged(result)
    ready = prepare(model, Snapshot.of_model(model), until=duration_of(move), reduce=True)
    factor = duration_of(move) / result.statistics["wall_time"]
    return [
        Figure("bodies", len(model.bodies), "", "bodies", 43),
        Figure("joints", len(model.joints) + len(model.gear_pairs), "", "joints, including gear joints", 95),
        Figure("gear_joints", len(model.gear_pairs), "", "gear joints", 20),
        Figure("redundant_constraints", int(ready.rank.redundant.size), "", "redundant constraints", 47),
        Figure("gear_error.position.max", float(np.max(np.abs(turn))), "rad", "largest angle error of gears", digits=3),
        Figure(
            "gear_error.velocity.max",
            float(np.max(np.abs(rate))),
            "rad/s",
            "largest speed error of gears",
            digits=3,
        ),
        Figure("energy_balance.error", balance, "", "energy error / energy exchanged", digits=3),
        Figure("tracking.error.max", off, "rad", "largest deviation from the trajectory", digits=3),
        Figure("realtime_factor", float(factor), "", "simulated time / computing time, one core", digits=3),
    ]
