"""A pinion thrown against a held gear: three impacts of elastic gears (Do, Ziegler, Eberhard, figure 4).

The pinion of 18 teeth turns at 50 rad/s in the middle of a backlash of 0.1 mm, in a position where one tooth pair will carry
the impact; the gear of 37 teeth is held. It hits the one flank, is thrown back, hits the other. Both gears are elastic bodies
with all modes to 80 kHz; what is above yields statically. Nothing is damped: part of the energy stays in the gears, which ring,
so that the pinion comes back slower than it went, and the next impact differs from the first.

    energy:    1/2 J ω² + elastic energy of both gears = 1/2 J ω_0²      (`energy_drift`: by how much it is missed at the end)
    momentum:  J (ω_before − ω_after) = r_b ∫ F dt

Published: 3 impacts of the helical pair in 1,678 s, by finite elements 71,128 s.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pitchline as pl
from pitchline.views import style
from pitchline.views.canvas import canvas

from .figures import Figure, Run
from .flank_models import MODES, contacts, pair_model, published

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

__all__ = ["build", "draw", "figures", "run"]

SPEED = 50.0
"""[rad/s]"""
BACKLASH = "0.1 mm"
DURATION, STEP = "0.5 ms", "1 us"
PHASE = -0.2547
"""Of the pinion, in pitches: 0.8 pitches after the first tooth pair has come into mesh, one pair carries all."""


def build(pair: str = "spur") -> pl.Model:
    """The "spur" or "helical" pair, the pinion in the middle of the backlash."""
    mesh = pl.Flank(modes=MODES, backlash=BACKLASH)
    m, _, bearing = pair_model(f"impact-{pair}", published(pair), mesh, phase=PHASE, pinion_speed=SPEED)
    m.drive("held", bearing, angle=0)
    return m


def run(pair: str = "spur") -> Run:
    """Half a millisecond: three impacts."""
    return {"impacts": pl.dynamics(build(pair), duration=DURATION, step=STEP, output_step=STEP, rho=0.95)}


def figures(run: Run, pair: str = "spur") -> list[Figure]:
    """When the teeth touch, how long and how hard; what is left of speed and energy."""
    result: pl.Result = run["impacts"]
    found = contacts(result)
    speed = result["in.angular_speed"].values
    energy = result["energy.kinetic"].values + result["energy.potential"].values
    first = result.time > found[0][0] + found[0][1]
    return [
        Figure("impacts", found, "s, s, N", "start, duration and greatest normal force of each impact", digits=4),
        Figure("count", len(found), "", "impacts that have begun and ended"),
        Figure("pinion.speed_after", float(speed[first][0]), "rad/s", "speed of the pinion after the first impact"),
        Figure(
            "peak_pressure",
            float(result["mesh.peak_pressure"].values.max()) / 1e6,
            "MPa",
            "greatest contact pressure",
            digits=4,
        ),
        Figure(
            "energy_drift",
            float(energy[-1] / energy[0] - 1.0),
            "",
            "change of the energy of the undamped pair",
            digits=2,
        ),
    ]


def draw(run: Run, path: Path | None = None) -> Picture:
    """Speed of the pinion, and the normal force on its flanks."""
    result: pl.Result = run["impacts"]
    t = 1e3 * result.time
    with canvas(
        panels=2, path=path, title=f"Impacts of elastic gears: {result.model_name}", width=style.WIDTH, panel_height=2.2
    ) as c:
        c.axes[0].plot(t, result["in.angular_speed"].values)
        c.axes[0].set(ylabel="speed of the pinion (rad/s)")
        flank = result["mesh.contact"].values
        c.axes[1].plot(t, 1e-3 * result["mesh.contact_force"].values * (flank > 0), label="drive flank")
        c.axes[1].plot(t, -1e-3 * result["mesh.contact_force"].values * (flank < 0), label="coast flank")
        c.axes[1].set(xlabel="time (ms)", ylabel="normal force (kN)")
        c.axes[1].legend()
    return c.figure
