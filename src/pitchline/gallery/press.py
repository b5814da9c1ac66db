"""A forging press: crank, connecting rod and ram in a frame that stands on rubber mounts.

Three analyses, each from the end of the one before:

1. *statics*: the frame sinks into its mounts, by (total weight) / (total stiffness) = m g / sum k;
2. *kinematics*: the motor brings the empty press to speed, with no force of inertia: n T / 2 turns during a symmetric
   ramp to n in the time T, and a stroke of 2 r;
3. *dynamics*: the motor is off, a billet lies in the die, and every blow takes its energy from the flywheels:

       J omega^2 / 2 (lost) = work on the billet + losses in the mounts

The crankshaft sits in two bearings and the planar loop is made of spatial joints: eight constraints are redundant. They
are found, named and left out; how the bearings share the load is then a matter of convention (least norm), which by the
symmetry of this press is one half each.
"""

from typing import NamedTuple

import numpy as np

import pitchline as pl

from .figures import Figure, Run

__all__ = ["PLOT", "PressResults", "build", "figures", "run", "stages"]

SPEED = 180.0 * 2 * np.pi / 60
"""Speed at which the motor is switched off [rad/s]: 180 rpm."""
RUN_UP = 2.0
"""Duration of the run-up [s]: three turns at half that speed."""
DURATION = 2.5
"""Duration of the free run [s]."""
RADIUS, ROD = 0.1, 0.6
"""Crank radius and length of the connecting rod [m]."""
GAP = 0.18
"""Way of the ram from the top to the billet [m]."""
AXIS = 1.6
"""Height of the crankshaft [m]."""
MOUNT_STIFFNESS = 4e6
"""Vertical stiffness of one mount [N/m]."""
MOUNTS = ((-0.7, -0.5), (0.7, -0.5), (0.7, 0.5), (-0.7, 0.5))
"""Where the mounts stand on the floor [m]."""
PLOT = ("left_bearing.angular_speed", "guide.displacement", "billet.force", "left_bearing.force", "energy.*")


class PressResults(NamedTuple):
    """The results of the three analyses."""

    rest: pl.Result
    spun: pl.Result
    free: pl.Result


def build(*, motor: bool = False) -> pl.Model:
    """The press at top dead centre: with its motor and an empty die, or (default) without motor and with a billet."""
    m = pl.Model("press", gravity=(0, 0, "-9.81 m/s^2"))
    wheel = pl.cylinder("60 cm", "8 cm", mass="400 kg", axis="y")
    pin = pl.cylinder("5 cm", "12 cm", mass="10 kg", axis="y")
    frame = m.body("frame", mass="3 t", inertia=(1200, 1100, 800), centre_of_mass=(0, 0, "90 cm"))
    crank = m.body(
        "crank",
        solid=wheel.moved((0, "-40 cm", 0)) + wheel.moved((0, "40 cm", 0)) + pin.moved((0, 0, RADIUS)),
        position=(0, 0, AXIS),
    )
    rod = m.body("rod", solid=pl.bar("8 cm", "6 cm", ROD, mass="25 kg"), position=(0, 0, AXIS + RADIUS - ROD / 2))
    ram = m.body("ram", solid=pl.bar("36 cm", "36 cm", "40 cm", mass="120 kg"), position=(0, 0, AXIS + RADIUS - ROD))

    for i, (x, y) in enumerate(MOUNTS, 1):
        m.bushing(
            f"mount_{i}", m.ground, frame, at=(x, y, 0), axis="z",
            stiffness=["1.5 kN/mm", "1.5 kN/mm", MOUNT_STIFFNESS, *["1 kN*m/rad"] * 3],
            damping=["10 kN*s/m", "10 kN*s/m", "25 kN*s/m", *["10 N*m*s/rad"] * 3],
        )  # fmt: skip
    bearing = m.revolute("left_bearing", frame, crank, at=(0, "-30 cm", AXIS), axis="y")
    m.revolute("right_bearing", frame, crank, at=(0, "30 cm", AXIS), axis="y")
    m.revolute("crank_pin", crank, rod, at=(0, 0, AXIS + RADIUS), axis="y")
    m.revolute("ram_pin", rod, ram, at=ram.position, axis="y")
    guide = m.prismatic("guide", frame, ram, axis="z")
    if motor:
        m.drive("motor", bearing, speed=pl.Ramp(0, SPEED, 0, RUN_UP))
    else:
        m.stop("billet", guide, lower=-GAP, stiffness="2 kN/mm", damping="300 kN*s/m")
    return m


def stages() -> PressResults:
    """Settle, bring to speed, let run."""
    rest = pl.statics(build(motor=True))
    spun = pl.kinematics(build(motor=True), duration=RUN_UP, step=RUN_UP / 200, start=rest)
    free = pl.dynamics(build(), duration=DURATION, start=spun)
    return PressResults(rest, spun, free)


def run() -> Run:
    """All three analyses: `rest`, `spun` and `free`."""
    return stages()._asdict()


def blows(free: pl.Result) -> int:
    """How often the ram met the billet."""
    touching = free["billet.force"].values > 0.0
    return int(np.sum(touching[1:] & ~touching[:-1]))


def figures(run: Run) -> list[Figure]:
    """What the three analyses show."""
    return [*_settling(run["rest"], run["spun"]), *_forging(run["free"])]


def _settling(rest: pl.Result, spun: pl.Result) -> list[Figure]:
    model = build(motor=True)
    weight = -float(model.gravity[2]) * sum(body.mass for body in model.bodies.values())
    sinking = 1e3 * weight / (MOUNT_STIFFNESS * len(MOUNTS))
    turns = float(spun["left_bearing.angle"].values[-1]) / (2 * np.pi)
    stroke = 1e3 * float(np.ptp(spun["guide.displacement"].values))
    return [
        Figure("frame.sinking", -1e3 * float(rest["frame.position"].values[-1, 2]), "mm", "sinking of the frame", sinking),
        Figure("crank.turns", turns, "", "turns of the crank during the run-up", SPEED * RUN_UP / 2 / (2 * np.pi)),
        Figure("ram.stroke", stroke, "mm", "stroke of the ram", 2e3 * RADIUS),
        Figure("motor.torque.max", float(np.max(np.abs(spun["motor.torque"].values))), "N*m", "torque against the weight"),
    ]


def _forging(free: pl.Result) -> list[Figure]:
    rpm = 60 / (2 * np.pi)
    speed, left, right = free["left_bearing.angular_speed"], free["left_bearing.force"], free["right_bearing.force"]
    kinetic, potential = free["energy.kinetic"], free["energy.potential"]
    given = float(kinetic[0] + potential[0] - kinetic[-1] - potential[-1])
    share = float(np.linalg.norm(left) / (np.linalg.norm(left) + np.linalg.norm(right)))
    billet, bearing = float(np.max(free["billet.force"].values)), float(np.max(left.norm().values))
    lost = float(free["energy.dissipated"].values[-1])
    return [
        Figure("blows", blows(free), "", "blows"),
        Figure("speed.max", float(np.max(speed.values)) * rpm, "rpm", "speed before the first blow"),
        Figure("speed.end", float(speed.values[-1]) * rpm, "rpm", "speed at the end"),
        Figure("billet.force.max", billet / 1e3, "kN", "largest force on the billet"),
        Figure("bearing.force.max", bearing / 1e3, "kN", "largest load of one crankshaft bearing"),
        Figure("bearing.share", share, "", "share of the left bearing", 0.5),
        Figure("guide.force.max", float(np.max(free["guide.force"].norm().values)) / 1e3, "kN", "largest side force on the guide"),
        Figure("energy.given_up", given / 1e3, "kJ", "energy given up: what was dissipated", lost / 1e3),
    ]
