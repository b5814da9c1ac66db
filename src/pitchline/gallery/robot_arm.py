"""Six-axis arm with the proportions of the KUKA KR 15, as exported from CAD: every part is a body, every fit is a
joint.

D. Vlasenko and R. Kasper (Spatial kinematics of gears in absolute coordinates, 2009) simulate the CAD model of a KR
15/2 with 43
bodies and 95 joints, including 7 spur, 3 bevel and 10 internal gear joints. Its gear trains and masses are not
published. This
model uses a consistent choice of the same size (`robot_gears`, `robot_parts`). Joints are counted as in the paper:

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
smooth motion from one position of the arm to the next (`robot_control`), and feedback of angle and speed of its rotor.
Without a payload the feedback has little to do: the deviation of the arm from the trajectory shows how well computed
torques and simulation agree. A `payload` at the flange, which the computed torques do not include, shows the feedback.
The work of the motors must be equal to the change of energy of the arm.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

import pitchline as pl

from ..analyses.preparation import prepare
from ..system.snapshot import Snapshot
from .figures import Figure, Run
from .parameters import Parameter
from .robot_control import (
    BANDWIDTH,
    GRAVITY,
    MOTOR_TURNS,
    MOVE,
    SPEED,
    body_motions,
    duration_of,
    motor_inertias,
    motor_torques,
    move_of,
    trajectory,
)
from .robot_gears import GEAR_JOINTS, Array, GearJoint, turns
from .robot_looks import LINK_SHAPES
from .robot_parts import PARTS, PINS, Part

__all__ = ["PARAMETERS", "PLOT", "STEP", "build", "energy_exchanged", "figures", "gear_errors", "run", "tracking_error"]

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
    hold: Array | None = None,
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
def _torques(move: float) -> tuple[Array, Array]:
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


def gear_errors(result: pl.Result) -> tuple[Array, Array]:
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


def tracking_error(result: pl.Result, move: float = MOVE) -> Array:
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
