"""Elastic spur gears under three torques in one run: 100, 200 and 300 N m (Do, Ziegler, Eberhard, figures 11 and 12).

The more the teeth give, the earlier the next pair comes in and the later the last one leaves: the time in which one pair carries
all of the load shrinks as the torque grows. And whenever the torque changes, the gear falls back by what all teeth together
give, which its speed shows. Speeds, drag, damping and teeth are those of `meshing-spur-100`; each torque lasts three pitches, and
is reached within a millisecond.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import pitchline as pl
from pitchline.views import style
from pitchline.views.canvas import canvas

from .elastic_meshing import DAMPING_RATIO, DRAG, PHASE, SPEED, expected_force
from .figures import Figure, Run
from .flank_models import MODES, STEP, pair_model, published, tooth_pairs

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

__all__ = ["TORQUES", "build", "draw", "figures", "run"]

TORQUES = (100.0, 200.0, 300.0)
"""[N m]"""
STAGE, CHANGE = 21e-3, 1e-3
"""[s]"""
OUTPUT = "25 us"


def build() -> pl.Model:
    """The pair with its brake in three stages."""
    found = published("spur")
    speed_b = -SPEED * found.pinion.gear.teeth / found.gear.gear.teeth
    mesh = pl.Flank(modes=MODES, damping_ratio=DAMPING_RATIO)
    m, bearing_a, bearing_b = pair_model(
        "torque-stages", found, mesh, phase=PHASE, pinion_speed=SPEED, gear_speed=speed_b
    )
    m.drive("motor", bearing_a, speed=SPEED)
    change = TORQUES[0]
    parts = [pl.Ramp(0, change, k * STAGE, k * STAGE + CHANGE) for k in range(len(TORQUES))]
    m.torque("brake", bearing_b, pl.Sum([pl.Constant(DRAG * speed_b), *parts]))
    m.torsion_spring("drag", bearing_b, damping=DRAG, free_angle=0)
    return m


def run() -> Run:
    """Three stages of three pitches."""
    return {"stages": pl.dynamics(build(), duration=len(TORQUES) * STAGE, step=STEP, output_step=OUTPUT, rho=0.95)}


def _stage(run: Run, k: int) -> np.ndarray:
    """Samples of the last two thirds of a stage."""
    time = run["stages"].time
    return np.asarray((time > (k + 1.0 / 3.0) * STAGE) & (time <= (k + 1.0) * STAGE))


def figures(run: Run) -> list[Figure]:
    """Of each stage: total force, and how long two pairs share it."""
    result: pl.Result = run["stages"]
    found = []
    for k, torque in enumerate(TORQUES):
        now = _stage(run, k)
        name = f"{torque:.0f}"
        total = float(result["mesh.contact_force"].values[now].mean())
        double = float(np.mean(np.count_nonzero(result["mesh.pair_forces"].values[now], axis=1) > 1))
        found += [
            Figure(
                f"total_force.mean_{name}",
                total,
                "N",
                f"mean total force at {name} N m",
                expected_force("spur", torque),
                digits=5,
            ),
            Figure(
                f"double_contact_{name}", double, "", f"part of the time with two tooth pairs at {name} N m", digits=3
            ),
        ]
    slip = result["mesh.transmission_error"].values
    mean = [1e6 * float(slip[_stage(run, k)].mean()) for k in range(len(TORQUES))]
    speed = result["out.angular_speed"].values
    nominal = float(np.median(speed))
    found.append(Figure("deflection.mean", mean, "µm", "mean transmission error of each stage", digits=4))
    dips = [float(np.max(np.abs(speed[_change(run, k)] - nominal))) for k in range(len(TORQUES))]
    found.append(
        Figure("speed_change", dips, "rad/s", "greatest change of the gear's speed as a torque is put on", digits=3)
    )
    return found


def _change(run: Run, k: int) -> np.ndarray:
    time = run["stages"].time
    return np.asarray((time >= k * STAGE) & (time < k * STAGE + 2.0 * CHANGE))


def draw(run: Run, path: Path | None = None) -> Picture:
    """The force of each tooth pair, and the speed of the gear."""
    result: pl.Result = run["stages"]
    with canvas(
        panels=2, path=path, title="Elastic spur gears under 100, 200 and 300 N·m", width=style.WIDTH, panel_height=2.6
    ) as c:
        for time, force in tooth_pairs(result):
            c.axes[0].plot(1e3 * time, 1e-3 * np.abs(force), linewidth=0.8)
        c.axes[0].set(ylabel="force of a tooth pair (kN)")
        c.axes[1].plot(1e3 * result.time, result["out.angular_speed"].values, linewidth=0.7)
        c.axes[1].set(xlabel="time (ms)", ylabel="speed of the gear (rad/s)")
    return c.figure
