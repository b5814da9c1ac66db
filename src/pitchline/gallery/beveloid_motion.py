"""Elastic beveloid gears under load, on shafts at 20 degrees (Do, Ziegler, Eberhard, figures 14 and 15).

Conical involute gears of 19 and 38 teeth, whose profile shift grows along the face, at 1000 N m on the gear: far more than steel
would bear, so that contact is wide. The flanks of such gears on shafts that are not parallel touch in a point, not along a line;
under load it becomes a narrow ellipse. The pinion begins with 50 or 200 rad/s and is driven at that speed.

Published: at both speeds two tooth pairs carry the load at all times, and the ripple of the speed grows with the speed.

Brake, drag and damping are as in `meshing-spur-100`, the drag eight times as strong. Neither is published: `drag` and
`damping_ratio` are parameters.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import pitchline as pl
from pitchline.views import style
from pitchline.views.canvas import canvas

from .figures import Figure, Run
from .flank_models import MODES, STEP, pair_model, published, tooth_pairs
from .parameters import Parameter

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

__all__ = ["ELEMENTS", "PARAMETERS", "TORQUE", "build", "draw", "figures", "run"]

TORQUE = 1000.0
"""[N m]"""
DRAG, DAMPING_RATIO = 5.4, 0.02
"""[N m s/rad]; -; not published."""
PARAMETERS = {
    "drag": Parameter(DRAG, "torsional damping", "on the gear, about its nominal speed; not published"),
    "damping_ratio": Parameter(DAMPING_RATIO, None, "of the modes of both gears; not published", highest=1.0),
}
ELEMENTS = {"face_elements": 7}
PITCHES = 5.0
SETTLED = 0.4


def build(speed: str = "50", *, drag: float = DRAG, damping_ratio: float = DAMPING_RATIO) -> pl.Model:
    """The pair at a speed of the pinion [rad/s]; drag [N m s/rad]."""
    found = published("beveloid")
    omega = float(speed)
    omega_b = -omega * found.pinion.gear.teeth / found.gear.gear.teeth
    mesh = pl.Flank(
        modes=MODES,
        damping_ratio=damping_ratio,
        elements_a=ELEMENTS,
        elements_b=ELEMENTS,
    )
    m, bearing_a, bearing_b = pair_model(f"beveloid-{speed}", found, mesh, pinion_speed=omega, gear_speed=omega_b)
    m.drive("motor", bearing_a, speed=omega)
    m.torque("brake", bearing_b, pl.Ramp(drag * omega_b, TORQUE + drag * omega_b, 0, 0.15 * _duration(omega)))
    if drag:
        m.torsion_spring("drag", bearing_b, damping=drag, free_angle=0)
    return m


def _duration(omega: float) -> float:
    return PITCHES * 2.0 * math.pi / (published("beveloid").pinion.gear.teeth * omega)


def run(speed: str = "50", **chosen: float) -> Run:
    """Five pitches; chosen: other values of the parameters."""
    duration = _duration(float(speed))
    steps = math.ceil(duration / 2.5e-6 / 1500)
    return {
        "meshing": pl.dynamics(build(speed, **chosen), duration=duration, step=STEP, output_step=steps * 2.5e-6, rho=0.95),
    }


def figures(run: Run, speed: str = "50", **chosen: float) -> list[Figure]:
    """Tooth pairs in contact, forces, and the ripple of the gear's speed, after the start."""
    result: pl.Result = run["meshing"]
    now = result.time > SETTLED * result.time[-1]
    pairs = np.count_nonzero(result["mesh.pair_forces"].values[now], axis=1)
    total = result["mesh.contact_force"].values[now]
    turning = result["out.angular_speed"].values[now]
    return [
        Figure("tooth_pairs.min", int(pairs.min()), "", "least number of tooth pairs in contact", 2),
        Figure("tooth_pairs.max", int(pairs.max()), "", "greatest number of tooth pairs in contact"),
        Figure("total_force.mean", float(total.mean()), "N", "mean of all normal forces", digits=5),
        Figure("total_force.min", float(total.min()), "N", "least sum of all normal forces", digits=5),
        Figure("total_force.max", float(total.max()), "N", "greatest sum of all normal forces", digits=5),
        Figure(
            "per_tooth_pair.max",
            float(np.abs(result["mesh.pair_forces"].values[now]).max()),
            "N",
            "greatest force of one tooth pair",
            digits=5,
        ),
        Figure("gear.speed_ripple", float(np.ptp(turning)), "rad/s", "peak to peak of the speed of the gear", digits=3),
    ]


def draw(run: Run, path: Path | None = None) -> Picture:
    """The force of each tooth pair, and the speed of the gear."""
    result: pl.Result = run["meshing"]
    with canvas(
        panels=2, path=path, title=f"Elastic beveloid gears: {result.model_name}", width=style.WIDTH, panel_height=2.4
    ) as c:
        for time, force in tooth_pairs(result):
            c.axes[0].plot(1e3 * time, 1e-3 * np.abs(force), linewidth=0.9)
        c.axes[0].set(ylabel="force of a tooth pair (kN)")
        c.axes[1].plot(1e3 * result.time, result["out.angular_speed"].values)
        c.axes[1].set(xlabel="time (ms)", ylabel="speed of the gear (rad/s)")
    return c.figure
