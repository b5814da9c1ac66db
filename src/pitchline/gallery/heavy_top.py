"""A gyroscope: a disc on a stem, its foot held by a ball joint, in steady precession.

With A the moment of inertia about a transverse axis through the foot, C that about the axis of symmetry, l the distance of
the centre of mass and n the whole angular velocity along the axis, a top inclined by theta precesses steadily at Omega if

    C n Omega - A Omega^2 cos(theta) = m g l

of which the slower solution is taken. Set `steady=False` to let it go without precession: it falls, and its axis runs
along cusps with the nutation frequency, about C n / A.
"""

import numpy as np

import pitchline as pl

from .figures import Figure, Run

__all__ = ["PLOT", "build", "figures", "precession", "run"]

TILT = np.radians(30.0)
"""Inclination of the axis against the vertical [rad]."""
SPIN = 250.0
"""Angular velocity along the axis of symmetry, n [rad/s]."""
ARM = 0.1
"""Distance of the disc from the foot, l [m]."""
GRAVITY = 9.81
PLOT = ("disc.position", "foot.force")


def disc() -> pl.MassProperties:
    """The disc about its own centre, axis z."""
    return pl.cylinder("5 cm", "1 cm", mass="0.5 kg", axis="z")


def precession() -> float:
    """The slower steady precession Omega [rad/s]."""
    solid = disc()
    A, C = solid.inertia[0, 0] + solid.mass * ARM**2, solid.inertia[2, 2]
    moment = solid.mass * GRAVITY * ARM
    # of A cos(theta) Omega^2 - C n Omega + m g l = 0, written so that no digits cancel
    return float(2 * moment / (C * SPIN + np.sqrt((C * SPIN) ** 2 - 4 * A * np.cos(TILT) * moment)))


def build(*, steady: bool = True) -> pl.Model:
    """The top at t = 0, leaning towards +x; steady: with its precession, else only spinning."""
    m = pl.Model("heavy-top", gravity=(0, 0, -GRAVITY))
    axis = np.array([np.sin(TILT), 0.0, np.cos(TILT)])
    up = np.array([0.0, 0.0, 1.0])
    Omega = precession() if steady else 0.0
    omega = Omega * up + (SPIN - Omega * np.cos(TILT)) * axis
    top = m.body(
        "disc",
        solid=disc(),
        position=ARM * axis,
        orientation=pl.Rotation("y", TILT),
        velocity=np.cross(omega, ARM * axis),
        angular_velocity=omega,
    )
    m.spherical("foot", m.ground, top, at=(0, 0, 0))
    return m


def run() -> Run:
    """Two seconds with steps of 20 us, in which the disc turns by 5 mrad."""
    return {"precession": pl.dynamics(build(), duration="2 s", step="20 us", output_step="2 ms")}


def figures(run: Run) -> list[Figure]:
    """Precession and inclination."""
    result = run["precession"]
    x, y, z = result["disc.position"].values.T
    azimuth = np.unwrap(np.arctan2(y, x))
    inclination = np.degrees(np.arctan2(np.hypot(x, y), z))
    rate = float((azimuth[-1] - azimuth[0]) / (result.time[-1] - result.time[0]))
    return [
        Figure("precession", rate, "rad/s", "rate of precession", precession(), 7),
        Figure("inclination.mean", float(np.mean(inclination)), "deg", "inclination, mean", float(np.degrees(TILT)), 7),
        Figure("inclination.peak_to_peak", float(np.ptp(inclination)), "deg", "its nutation", 0.0, 2),
        Figure("foot.force_z", float(result["foot.force"].values[-1, 2]), "N", "what the foot carries", disc().mass * GRAVITY, 7),
    ]
