"""An unbalanced rotor on two elastic bearings, run through its critical speed and beyond.

A disc of mass m on a rigid shaft, its centre of mass off the axis by e, stands upright in two isotropic bearings, together
k and c. Turning at Omega, with omega_0^2 = k / m, 2 zeta omega_0 = c / m and r = Omega / omega_0, its axis whirls with

    amplitude = e r^2 / sqrt((1 - r^2)^2 + (2 zeta r)^2)

which grows to about e / (2 zeta) at the critical speed and tends to e far above it: the disc turns about its centre of
mass. The bearings are bushings: elastic sideways, and free to turn about their z axis for ever. The motor turns the shaft
through a coupling, a bushing that is elastic about z alone.
"""

import numpy as np

import pitchline as pl

from .figures import Figure, Run

__all__ = ["PLOT", "amplitude", "build", "figures", "run"]

MASS, ECCENTRICITY = 10.0, 0.2e-3
"""[kg], [m]"""
CRITICAL, ZETA = 100.0, 0.08
"""Undamped critical speed omega_0 [rad/s], damping ratio."""
TOP = 2.5 * CRITICAL
"""Speed at the end [rad/s]."""
RUN_UP, DURATION = 3.0, 4.5
"""[s]"""
PLOT = ("shaft.angular_speed", "disc.position.x", "disc.position.y", "lower_bearing.force.x", "motor.torque")


def amplitude(Omega: float) -> float:
    """The closed form [m]."""
    r = Omega / CRITICAL
    return float(ECCENTRICITY * r**2 / np.hypot(1 - r**2, 2 * ZETA * r))


def build() -> pl.Model:
    """The rotor at rest, upright; its motor runs up smoothly to 2.5 times the critical speed."""
    m = pl.Model("rotor", gravity=(0, 0, "-9.81 m/s^2"))
    k, c = MASS * CRITICAL**2, 2 * ZETA * CRITICAL * MASS
    solid = pl.cylinder("12 cm", "3 cm", mass=MASS)
    disc = m.body("disc", solid=solid, centre_of_mass=(ECCENTRICITY, 0, 0))
    motor = m.body("motor_rotor", solid=pl.cylinder("3 cm", "8 cm", mass="2 kg"), position=(0, 0, "-30 cm"))
    for name, z in (("lower_bearing", "-20 cm"), ("upper_bearing", "20 cm")):
        # stiff along the shaft, elastic across, no stiffness against tilting or turning
        m.bushing(
            name, m.ground, disc, at=(0, 0, z), axis="z",
            stiffness=(k / 2, k / 2, "10 kN/mm", 0, 0, 0), damping=(c / 2, c / 2, "2 kN*s/m", 0, 0, 0),
        )  # fmt: skip
    shaft = m.revolute("shaft", m.ground, motor, at=(0, 0, "-30 cm"), axis="z")
    m.bushing(
        "coupling", motor, disc, at=(0, 0, "-25 cm"), axis="z",
        stiffness=(0, 0, 0, 0, 0, "2 kN*m/rad"), damping=(0, 0, 0, 0, 0, "5 N*m*s/rad"),
    )  # fmt: skip
    m.drive("motor", shaft, speed=pl.Ramp(0, TOP, 0, RUN_UP))
    return m


def run() -> Run:
    """Run up in three seconds, then let the whirl settle."""
    rest = pl.statics(build())
    return {"rest": rest, "run-up": pl.dynamics(build(), duration=DURATION, start=rest, tolerance=1e-7, output_step="2 ms")}


def figures(run: Run) -> list[Figure]:
    """The whirl at the top speed, and what was met on the way."""
    result = run["run-up"]
    whirl = np.hypot(*result["disc.position"].values[:, :2].T)
    k = MASS * CRITICAL**2
    worst = int(np.argmax(whirl))
    speed = result["shaft.angular_speed"].values
    slow = ECCENTRICITY / (2 * ZETA * np.sqrt(1 - ZETA**2))
    last = float(np.mean(whirl[result.time > DURATION - 0.1]))
    carried = float(result["upper_bearing.force"].values[-1, 2])
    return [
        Figure("whirl.top_speed", last * 1e3, "mm", "whirl at the top speed", amplitude(TOP) * 1e3),
        Figure("whirl.max", float(whirl[worst]) * 1e3, "mm", "largest whirl on the way"),
        Figure("whirl.slow_max", 1e3 * slow, "mm", "the same, if run up slowly (closed form)"),
        Figure("whirl.max_speed", float(speed[worst]), "rad/s", "speed at which it was met"),
        Figure("critical_speed", float(np.sqrt(k / MASS)), "rad/s", "critical speed (closed form)"),
        Figure("turns", float(result["shaft.angle"].values[-1]) / (2 * np.pi), "", "turns in all"),
        Figure("bearings.weight", 2 * carried, "N", "weight in the bearings", MASS * 9.81),
    ]
