"""Elastic gears that run under load, tooth by tooth (Do, Ziegler, Eberhard, figures 5 to 10).

The pinion of 18 teeth is turned at 50 rad/s, the gear of 37 is braked by 20 or 100 N m. Spur teeth pass the load on abruptly:
where a second pair comes in or leaves, the stiffness jumps, and deflected teeth meet the tips of the next ones too early. Helical
teeth (8 deg) take over gradually. Tip relief of 18 µm on both gears, over the last 1.8 mm of roll length, brings the force of
each pair up and down on a ramp, and quiets the sum.

The gears start without load, and the brake is put on within 2 ms. Figures are those of the last 60 % of 25 ms. Without tooth
errors the mean total force is that of the torque,

    F = T / (r_b cos β_b) = 2876 N at 100 N m, 575 N at 20 N m, spur and helical.

**Damping is not published.** It is chosen here, and how far the force swings about its mean depends on it: all modes to 80 kHz
have a `damping_ratio` of 2 %, and a `drag` of 0.67 N m s/rad acts on the gear about its nominal speed, so that what the start
sets ringing fades within the first cycles. These are parameters, and so is the `duration`, for without drag the start fades
slowly: ``pitchline run meshing-spur-100 --set drag=0``.
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
from .flank_models import MODES, OUTPUT, RELIEF, STEP, pair_model, published, tooth_pairs
from .parameters import Parameter

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

__all__ = ["DAMPING_RATIO", "DRAG", "PARAMETERS", "build", "draw", "expected_force", "figures", "run"]

SPEED, DURATION = 50.0, 25e-3
"""Of the pinion [rad/s]; [s]."""
DRAG = 0.67
"""[N m s/rad]; not published."""
DAMPING_RATIO = 0.02
"""Of the modes; not published."""
PARAMETERS = {
    "drag": Parameter(DRAG, "torsional damping", "on the gear, about its nominal speed; not published"),
    "damping_ratio": Parameter(DAMPING_RATIO, None, "of the modes of both gears; not published", highest=1.0),
    "duration": Parameter(DURATION, "time", "of the run; figures are those of its last 60 %; not published"),
}
PHASE = -0.2
RAMP = 2e-3
"""Over which the brake is put on [s]."""
SETTLED = 0.4
"""Part of the run after which figures are taken."""


def build(
    pair: str = "spur", torque: str = "100", relief: str = "", *, drag: float = DRAG, damping_ratio: float = DAMPING_RATIO,
    duration: float = DURATION,
) -> pl.Model:  # fmt: skip
    """The "spur" or "helical" pair under a torque [N m], with "relieved" tips or without; drag [N m s/rad].

    The duration is that of the run, the model does not depend on it.
    """
    name = f"meshing-{pair}-{torque}" + ("-relieved" if relief else "")
    found = published(pair)
    mesh = pl.Flank(modes=MODES, damping_ratio=damping_ratio)
    speed_b = -SPEED * found.pinion.gear.teeth / found.gear.gear.teeth
    m, bearing_a, bearing_b = pair_model(
        name, found, mesh, phase=PHASE, pinion_speed=SPEED, gear_speed=speed_b, modifications=RELIEF if relief else None
    )
    m.drive("motor", bearing_a, speed=SPEED)
    m.torque("brake", bearing_b, pl.Ramp(drag * speed_b, float(torque) + drag * speed_b, 0, RAMP))
    if drag:
        m.torsion_spring("drag", bearing_b, damping=drag, free_angle=0)
    return m


def run(pair: str = "spur", torque: str = "100", relief: str = "", *, duration: float = DURATION, **chosen: float) -> Run:
    """Three and a half pitches; chosen: other values of the parameters."""
    m = build(pair, torque, relief, **chosen)
    return {"meshing": pl.dynamics(m, duration=duration, step=STEP, output_step=OUTPUT, rho=0.95)}


def expected_force(pair: str, torque: float) -> float:
    """T / (r_b cos β_b) [N]."""
    flank = published(pair).gear.left.involute
    return torque / (flank.base_radius * math.cos(flank.base_helix_angle))


def settled(run: Run) -> np.ndarray:
    """Which samples count."""
    time = run["meshing"].time
    return np.asarray(time > SETTLED * time[-1])


def figures(run: Run, pair: str = "spur", torque: str = "100", relief: str = "", **chosen: float) -> list[Figure]:
    """Total force and that of one pair of teeth, after the start."""
    result: pl.Result = run["meshing"]
    now = settled(run)
    total = result["mesh.contact_force"].values[now]
    one = np.abs(result["mesh.pair_forces"].values[now])
    error = 1e6 * result["mesh.transmission_error"].values[now]
    return [
        Figure(
            "total_force.mean",
            float(total.mean()),
            "N",
            "mean of all normal forces",
            expected_force(pair, float(torque)),
            digits=5,
        ),
        Figure("total_force.min", float(total.min()), "N", "least sum of all normal forces", digits=5),
        Figure("total_force.max", float(total.max()), "N", "greatest sum of all normal forces", digits=5),
        Figure("per_tooth_pair.max", float(one.max()), "N", "greatest force of one tooth pair", digits=5),
        Figure(
            "transmission_error.peak_to_peak", float(np.ptp(error)), "µm", "of the dynamic transmission error", digits=4
        ),
        Figure(
            "peak_pressure",
            float(result["mesh.peak_pressure"].values[now].max()) / 1e6,
            "MPa",
            "greatest contact pressure",
            digits=4,
        ),
    ]


def draw(run: Run, path: Path | None = None) -> Picture:
    """The force of each tooth pair, and their sum."""
    result: pl.Result = run["meshing"]
    t = 1e3 * result.time
    title = f"Contact forces of elastic gears: {result.model_name}"
    with canvas(path=path, title=title, width=style.WIDTH, panel_height=3.4) as c:
        for time, force in tooth_pairs(result):
            c.axes[0].plot(1e3 * time, np.abs(force), linewidth=0.9)
        c.axes[0].plot(t, result["mesh.contact_force"].values, color="0.3", linewidth=0.6, label="all pairs")
        c.axes[0].set(xlabel="time (ms)", ylabel="normal force (N)")
        c.axes[0].legend(loc="lower right")
    return c.figure
