"""Hoeken's linkage: a four-bar whose coupler point runs nearly straight, at nearly constant speed, for half a turn.

With crank a at the angle phi, ground link d, coupler b and rocker c, the rocker's angle psi follows from Freudenstein's
equation, which is solved here for the open branch (the rocker's joint above the line of the pivots):

    A cos(psi) + B sin(psi) = C,   A = 2 c (d - a cos(phi)),   B = -2 a c sin(phi),
    C = b^2 - a^2 - c^2 - d^2 + 2 a d cos(phi)

    psi = atan2(B, A) + arccos(C / sqrt(A^2 + B^2))

Hoeken's proportions are a : d : b : c = 1 : 2 : 2.5 : 2.5, the coupler twice as long as the distance of its joints. The
traced point is the origin of the coupler: the origin of a body may be put where one wants to look.
"""

import numpy as np

import pitchline as pl

from .figures import Figure, Run

__all__ = ["PLOT", "build", "figures", "rocker_angle", "run"]

CRANK, GROUND, COUPLER, ROCKER = 0.1, 0.2, 0.25, 0.25
"""Lengths of the links [m]."""
SPEED = 2 * np.pi
"""Speed of the crank [rad/s]: one turn a second."""
PLOT = ("coupler.position.x", "coupler.position.y", "rocker_pivot.angle", "motor.torque")


def rocker_angle(phi: np.ndarray) -> np.ndarray:
    """The closed form: direction of the rocker from its pivot, against the line of the pivots [rad]."""
    A = 2 * ROCKER * (GROUND - CRANK * np.cos(phi))
    B = -2 * CRANK * ROCKER * np.sin(phi)
    C = COUPLER**2 - CRANK**2 - ROCKER**2 - GROUND**2 + 2 * CRANK * GROUND * np.cos(phi)
    return np.asarray(np.arctan2(B, A) + np.arccos(C / np.hypot(A, B)))


def build() -> pl.Model:
    """The linkage in the x-y plane, gravity along -y, the crank pointing away from the rocker (phi = pi)."""
    m = pl.Model("four-bar", gravity=(0, "-9.81 m/s^2", 0))
    pivot = np.array([GROUND, 0.0, 0.0])
    elbow = np.array([-CRANK, 0.0, 0.0])
    psi = float(rocker_angle(np.array([np.pi]))[0])
    joint = pivot + ROCKER * np.array([np.cos(psi), np.sin(psi), 0.0])
    along = (joint - elbow) / COUPLER

    def link(name: str, start: np.ndarray, end: np.ndarray, mass: float, *, origin: np.ndarray) -> pl.Body:
        """A straight link from start to end with its origin at `origin` and its x axis along it."""
        length = float(np.linalg.norm(end - start))
        angle = float(np.arctan2(end[1] - start[1], end[0] - start[0]))
        offset = float((0.5 * (start + end) - origin) @ (end - start)) / length
        solid = pl.bar(length, "2 cm", "1 cm", mass=mass).moved((offset, 0, 0))
        return m.body(name, solid=solid, position=origin, orientation=pl.Rotation("z", angle))

    crank = link("crank", np.zeros(3), elbow, 0.2, origin=np.zeros(3))
    coupler = link("coupler", elbow, elbow + 2 * COUPLER * along, 0.8, origin=elbow + 2 * COUPLER * along)
    rocker = link("rocker", pivot, joint, 0.4, origin=pivot)

    shaft = m.revolute("crank_pivot", m.ground, crank, at=(0, 0, 0), axis="z")
    m.revolute("elbow", crank, coupler, at=elbow, axis="z")
    m.revolute("joint", coupler, rocker, at=joint, axis="z")
    m.revolute("rocker_pivot", m.ground, rocker, at=pivot, axis="z")
    m.drive("motor", shaft, speed=SPEED)
    return m


def run() -> Run:
    """One turn of the crank, without forces of inertia."""
    return {"turn": pl.kinematics(build(), duration="1 s", step="5 ms")}


def figures(run: Run) -> list[Figure]:
    """Swing of the rocker, and how straight the straight half is."""
    result = run["turn"]
    phi = np.pi + SPEED * result.time
    angle = result["rocker_pivot.angle"].values
    closed = rocker_angle(phi)
    error = np.max(np.abs((angle - angle[0]) - (closed - closed[0])))
    # the straight part: a quarter turn on either side of the start
    straight = np.abs(phi - 2 * np.pi) >= np.pi / 2
    x, y = result["coupler.position"].values[straight, :2].T
    torque = float(np.max(np.abs(result["motor.torque"].values)))
    return [
        Figure(
            "rocker.swing", float(np.degrees(np.ptp(angle))), "deg", "swing of the rocker",
            float(np.degrees(np.ptp(closed))),
        ),
        Figure("rocker.angle_error", float(error), "rad", "largest error of its angle", 0.0, 2),
        Figure("straight.length", float(np.ptp(x)) * 1e3, "mm", "length of the straight part"),
        Figure("straight.deviation", float(np.ptp(y)) * 1e3, "mm", "its deviation from a straight line", digits=3),
        Figure("motor.torque.max", torque, "N*m", "largest torque that holds the weight"),
    ]  # fmt: skip
