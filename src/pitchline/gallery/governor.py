"""A loaded (Porter) governor: two balls on arms, hinged on a spindle, lift a sleeve through two links.

Arms and links have the same length l, the arms are hinged on the axis, the links end on it. Balance of a ball m and half of
the sleeve M at the spindle speed omega puts the balls at the depth h below the hinge, the sleeve at 2 h:

    h = (1 + M / m) g / omega^2

The balls are spheres, whose own inertia has no part in this. The links are distance joints: rods without mass.
"""

import numpy as np

import pitchline as pl

from .figures import Figure, Run

__all__ = ["PLOT", "build", "depth", "figures", "run"]

LENGTH, BALL, SLEEVE = 0.25, 1.0, 4.0
"""Arms and links [m], ball and sleeve [kg]."""
SLOW, FAST = 15.0, 20.0
"""Speeds of the spindle before and after the ramp [rad/s]."""
GRAVITY = 9.81
PLOT = ("spindle_bearing.angular_speed", "sleeve_guide.displacement", "link_1.force", "motor.torque")


def depth(omega: float) -> float:
    """The closed form h [m]."""
    return (1 + SLEEVE / BALL) * GRAVITY / omega**2


def build() -> pl.Model:
    """The governor in balance at the slow speed; its motor goes to the fast one between 0.5 s and 2 s."""
    m = pl.Model("governor", gravity=(0, 0, -GRAVITY))
    h = depth(SLOW)
    reach = float(np.sqrt(LENGTH**2 - h**2))
    spin = (0, 0, SLOW)
    spindle = m.body("spindle", solid=pl.cylinder("1 cm", "60 cm", mass="1.5 kg"), angular_velocity=spin)
    sleeve = m.body(
        "sleeve", solid=pl.tube("5 cm", "1 cm", "8 cm", mass=SLEEVE), position=(0, 0, -2 * h), angular_velocity=spin
    )
    bearing = m.revolute("spindle_bearing", m.ground, spindle, at=(0, 0, 0), axis="z")
    m.prismatic("sleeve_guide", spindle, sleeve, at=(0, 0, -2 * h), axis="z")
    m.drive("motor", bearing, speed=pl.Ramp(SLOW, FAST, "0.5 s", "2 s"))
    for i, side in ((1, 1.0), (2, -1.0)):
        ball = m.body(
            f"ball_{i}",
            solid=pl.sphere("3 cm", mass=BALL),
            position=(side * reach, 0, -h),
            velocity=(0, SLOW * side * reach, 0),
            angular_velocity=spin,
        )
        m.revolute(f"hinge_{i}", spindle, ball, at=(0, 0, 0), axis="y")
        m.distance(f"link_{i}", ball, sleeve, at_b=(0, 0, -2 * h))
    m.spring("dashpot", spindle, sleeve, at_a=(0, 0, "0.3 m"), damping="40 N*s/m")
    return m


def run() -> Run:
    """Five seconds: balance, ramp, new balance."""
    return {"ramp": pl.dynamics(build(), duration="5 s", output_step="10 ms")}


def figures(run: Run) -> list[Figure]:
    """Height of the sleeve before and after, and what it overshoots."""
    result = run["ramp"]
    height = result["sleeve.position.z"]
    before, after = -2e3 * depth(SLOW), -2e3 * depth(FAST)
    # at rest a link carries half of the sleeve along its direction
    pull = -0.5 * SLEEVE * GRAVITY * LENGTH / depth(FAST)
    return [
        Figure("sleeve.before", float(height.at(0.5)) * 1e3, "mm", f"sleeve at {SLOW:g} rad/s", before),
        Figure("sleeve.after", float(height.values[-1]) * 1e3, "mm", f"sleeve at {FAST:g} rad/s", after),
        Figure("sleeve.overshoot", (float(np.max(height.values)) * 1e3 - after), "mm", "overshoot", digits=3),
        Figure("link.force", float(result["link_1.force"].values[-1]), "N", "force of a link at the end", pull),
        Figure("motor.torque.max", float(np.max(result["motor.torque"].values)), "N*m", "largest torque of the motor"),
    ]
