"""Elastic gears, spur or helical, under three torques in one run: 100, 200 and 300 N m (Do, Ziegler, Eberhard, figures 11, 12).

The more the teeth give, the earlier the next pair comes in and the later the last one leaves: the time in which one pair carries
all of the load shrinks as the torque grows. And whenever the torque changes, the gear falls back by what all teeth together
give, which its speed shows. Speeds, drag, damping and teeth are those of `meshing-spur-100` and `meshing-helical-100`, with the
same parameters; each torque lasts three pitches, and is reached within a millisecond.

Published: overlap grows with the torque; the change of the speed is proportional to the torque, and much larger with spur than
with helical gears. The change is read here as the peak to peak of a stage, its first third left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import pitchline as pl
from pitchline.views import style
from pitchline.views.canvas import canvas

from . import elastic_meshing
from .elastic_meshing import DAMPING_RATIO, DRAG, PHASE, SPEED, expected_force
from .figures import Figure, Run
from .flank_models import MODES, STEP, pair_model, published, tooth_pairs

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

__all__ = ["PARAMETERS", "TORQUES", "build", "draw", "figures", "run"]

TORQUES = (100.0, 200.0, 300.0)
"""[N m]"""
STAGE, CHANGE = 21e-3, 1e-3
"""[s]"""
OUTPUT = "25 us"
PARAMETERS = {name: elastic_meshing.PARAMETERS[name] for name in ("drag", "damping_ratio")}


def build(pair: str = "spur", *, drag: float = DRAG, damping_ratio: float = DAMPING_RATIO) -> pl.Model:
    """The "spur" or "helical" pair with its brake in three stages; drag [N m s/rad]."""
    found = published(pair)
    speed_b = -SPEED * found.pinion.gear.teeth / found.gear.gear.teeth
    mesh = pl.Flank(modes=MODES, damping_ratio=damping_ratio)
    name = "torque-stages" if pair == "spur" else f"torque-stages-{pair}"
    m, bearing_a, bearing_b = pair_model(name, found, mesh, phase=PHASE, pinion_speed=SPEED, gear_speed=speed_b)
    m.drive("motor", bearing_a, speed=SPEED)
    change = TORQUES[0]
    parts = [pl.Ramp(0, change, k * STAGE, k * STAGE + CHANGE) for k in range(len(TORQUES))]
    m.torque("brake", bearing_b, pl.Sum([pl.Constant(drag * speed_b), *parts]))
    if drag:
        m.torsion_spring("drag", bearing_b, damping=drag, free_angle=0)
    return m


def run(pair: str = "spur", **chosen: float) -> Run:
    """Three stages of three pitches; chosen: other values of the parameters."""
    m = build(pair, **chosen)
    return {"stages": pl.dynamics(m, duration=len(TORQUES) * STAGE, step=STEP, output_step=OUTPUT, rho=0.95)}


def _stage(run: Run, k: int) -> np.ndarray:
    """Samples of the last two thirds of a stage."""
    time = run["stages"].time
    return np.asarray((time > (k + 1.0 / 3.0) * STAGE) & (time <= (k + 1.0) * STAGE))


def figures(run: Run, pair: str = "spur", **chosen: float) -> list[Figure]:
    """Of each stage: total force, how long two pairs share it, deflection, and the speed of the gear."""
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
                expected_force(pair, torque),
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
    spread = [float(np.ptp(speed[_stage(run, k)])) for k in range(len(TORQUES))]
    dips = [float(np.max(np.abs(speed[_change(run, k)] - nominal))) for k in range(len(TORQUES))]
    return [
        *found,
        Figure("deflection.mean", mean, "µm", "mean transmission error of each stage", digits=4),
        Figure("speed_change", spread, "rad/s", "peak to peak of the gear's speed in each stage, after its start", digits=3),
        Figure("speed_dip", dips, "rad/s", "greatest change of the gear's speed as a torque is put on", digits=3),
    ]


def _change(run: Run, k: int) -> np.ndarray:
    time = run["stages"].time
    return np.asarray((time >= k * STAGE) & (time < k * STAGE + 2.0 * CHANGE))


def draw(run: Run, path: Path | None = None) -> Picture:
    """The force of each tooth pair, and the speed of the gear."""
    result: pl.Result = run["stages"]
    title = f"Elastic gears under 100, 200 and 300 N·m: {result.model_name}"
    with canvas(panels=2, path=path, title=title, width=style.WIDTH, panel_height=2.6) as c:
        for time, force in tooth_pairs(result):
            c.axes[0].plot(1e3 * time, 1e-3 * np.abs(force), linewidth=0.8)
        c.axes[0].set(ylabel="force of a tooth pair (kN)")
        c.axes[1].plot(1e3 * result.time, result["out.angular_speed"].values, linewidth=0.7)
        c.axes[1].set(xlabel="time (ms)", ylabel="speed of the gear (rad/s)")
    return c.figure
