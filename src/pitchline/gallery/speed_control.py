"""A gear pair whose motor is a PI controller with a state of its own: it comes to speed under load.

Two wheels turn in hinges, rigid teeth between them; a torque T_B holds wheel B back. The motor on wheel A gives P e + I y, with the
error e = target - w of its speed and its integral y. With J = J_A + J_B (z_A/z_B)^2 and T = T_B z_A/z_B

    J w' = P (target - w) + I y - T ,      y' = target - w ,

whose solution is a matrix exponential. It swings with omega_0^2 = I/J and 2 zeta omega_0 = P/J, and settles where the integral
alone carries the load, y = T/I.
"""

import math

import numpy as np

import pitchline as pl
from pitchline.declared_elements.speed_control import SpeedControl

from .figures import Figure, Run

__all__ = ["PLOT", "build", "exact", "figures", "run"]

TARGET = 150.0
"""Speed of wheel A to hold [rad/s]."""
LOAD = 40.0
"""Torque on wheel B [N m]."""
PROPORTIONAL, INTEGRAL = 0.6, 9.0
"""Gains [N m s/rad], [N m/rad]."""
INERTIA = 0.012, 0.09
"""Of both wheels about their axes [kg m^2]."""
TEETH = 20, 50
DURATION, EARLY = 0.8, 0.1
"""End of the run, and a time on the way [s]."""
PLOT = ("hinge_a.angular_speed", "control.torque", "control.error", "mesh.normal_force")


def _reduced() -> tuple[float, float]:
    """Inertia [kg m^2] and load [N m] as wheel A feels them."""
    ratio = TEETH[0] / TEETH[1]
    return INERTIA[0] + INERTIA[1] * ratio**2, LOAD * ratio


def exact(t: float) -> tuple[float, float]:
    """Speed of wheel A [rad/s] and integral of the error [rad] after a time from rest [s]."""
    from scipy.linalg import expm

    J, T = _reduced()
    A = np.array([[-PROPORTIONAL / J, INTEGRAL / J], [-1.0, 0.0]])
    end = np.array([TARGET, T / INTEGRAL])
    speed, integral = end - expm(A * t) @ end
    return float(speed), float(integral)


def _torque(speed: float, integral: float) -> float:
    return PROPORTIONAL * (TARGET - speed) + INTEGRAL * integral


def build() -> pl.Model:
    """The pair at rest, its controller switched on."""
    m = pl.Model("speed-control", gravity=(0, 0, 0))
    gears = [pl.Gear(teeth=z, normal_module="3 mm", face_width="25 mm") for z in TEETH]
    a = m.gear_body("wheel_a", gears[0], position=(0, 0, 0), axis="z", mass="1 kg", inertia=(0.01, 0.01, INERTIA[0]))
    b = m.gear_body("wheel_b", gears[1], mesh_with=a, towards="x", mass="6 kg", inertia=(0.05, 0.05, INERTIA[1]))
    hinge = m.revolute("hinge_a", m.ground, a)
    m.revolute("hinge_b", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=pl.Rigid())
    m.torque("load", "hinge_b", LOAD)
    m.add(SpeedControl("control", on=hinge, target=TARGET, proportional=PROPORTIONAL, integral=INTEGRAL))
    return m


def run() -> Run:
    """From rest to constant speed."""
    return {"run-up": pl.dynamics(build(), duration=DURATION, step="0.1 ms", output_step="1 ms")}


def figures(run: Run) -> list[Figure]:
    """Speed and integral on the way against the matrix exponential, where they settle, and the mode of the loop."""
    result = run["run-up"]
    J, _ = _reduced()
    speed, integral = exact(EARLY)
    last = exact(DURATION)
    found = pl.modes(build())
    omega = math.sqrt(INTEGRAL / J)
    zeta = PROPORTIONAL / (2 * math.sqrt(INTEGRAL * J))
    return [
        Figure("speed.early", float(result["hinge_a.angular_speed"].at(EARLY)), "rad/s", "speed after 0.1 s", speed),
        Figure("integral.early", float(result["control.error"].at(EARLY)), "rad", "integral of the error then", integral),
        Figure("speed.end", float(result["hinge_a.angular_speed"].final), "rad/s", "speed at the end", last[0]),
        Figure("torque.end", float(result["control.torque"].final), "N*m", "torque of the motor at the end", _torque(*last)),
        Figure("frequency", float(found.frequencies[-1]), "Hz", "frequency of the loop", omega / (2 * math.pi)),
        Figure("damping", float(found.damping_ratios[-1]), "", "its damping ratio", zeta),
    ]
