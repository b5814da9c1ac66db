"""A pair whose teeth yield more or less as they pass, run up through its resonance (F. L. J. van der Linden, 2012, section 6.2).

Two equal wheels, z = 10, r = 1 m, J = 1 kg m², with a stiffness that varies round each of them; both springs are in series:

    c_A = c_0 (1 + ε sin z γ_A) ,  c_B = c_0 (1 + ε sin z γ_B) ,  1/c = 1/c_A + 1/c_B ,  c_0 = 1 N/m ,  ε = 0.1 % ,

γ being the place on the rim that is at the pitch point. Wheel A goes from rest to 1 rad/s at a constant rate a, here in 500 s;
B follows through the teeth, which yield by Δ_0 = a J / (r c) = 4 mm. The ripple shakes this deflection at z times the speed.
With A's motion imposed and c = 0.5 N/m the pair has ω_n = sqrt(c r² / J) = 0.7071 rad/s, which the teeth meet at ω_n/z =
0.0707 rad/s. A run-up does not wait: the largest ripple comes later, at **0.0958 rad/s**. Far above, it follows the speed:

    amplitude of order z at ω:   ε c Δ_0 / |c − J (z ω)²/r² + i d z ω|

The published damping ratio, 0.071, is met with both dampers in series too, d = 0.1 N s/m. The 2π z γ of the paper is
read with γ in turns, so that each tooth makes one wave; how long the run-up takes it does not say. With a torque on A in place of
its motion, c = 1 N/m and d = 0.2 N s/m, the maximum is at 0.1548 rad/s: `dynamics(drive="torque", stiffness=2.0, damping=0.2)`.

The pair starts as the acceleration will hold it: statics with A held and the torque a J on B. The torque that makes the force
of a varying spring a gradient is left out, as it is there.
"""

import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import pitchline as pl

from .figures import Figure, Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

__all__ = ["PLOT", "TEETH", "build", "draw", "dynamics", "figures", "order_amplitude", "ripple", "run", "static_deflection"]

TEETH, RADIUS, INERTIA = 10, 1.0, 1.0
"""-, [m], [kg m²]; of each wheel."""
STIFFNESS, RIPPLE, DAMPING = 1.0, 1e-3, 0.1
"""c_0 of each wheel [N/m], ε, d of the pair [N s/m]."""
TOP, DURATION = 1.0, 500.0
"""Speed at the end [rad/s], and when it is reached [s]."""
STEP, OUTPUT = 0.01, 0.04
"""[s]"""
SHOWN = 0.5
"""Speed up to which the picture goes [rad/s]."""
PLOT = ("bearing_a.angular_speed", "mesh.approach", "mesh.stiffness", "motor.torque")


def build(
    *, drive: str = "speed", stiffness: float = STIFFNESS, damping: float = DAMPING, held: bool = False
) -> pl.Model:
    """The pair at rest.

    drive: "speed", imposed on wheel A, or "torque", that gives both wheels the same acceleration. held: A is held, and B
    pulled by what its inertia will ask for.
    """
    m = pl.Model("run-up")
    gear = pl.Gear(teeth=TEETH, normal_module=2 * RADIUS / TEETH, normal_pressure_angle="29 deg")
    inertia = (INERTIA, INERTIA, INERTIA)
    a = m.gear_body("wheel_a", gear, position=(0, 0, 0), axis="z", mass="1 kg", inertia=inertia)
    b = m.gear_body("wheel_b", gear, mesh_with=a, towards=(1, 0, 0), mass="1 kg", inertia=inertia)
    bearing_a, bearing_b = (m.revolute(f"bearing_{name}", m.ground, w, axis="z") for name, w in (("a", a), ("b", b)))
    # B turns the other way: the place on its rim that meets the pitch point is at minus its angle
    springs = (_spring(stiffness, 1, "revolution of a"), _spring(stiffness, -1, "revolution of b"))
    mesh = pl.Elastic(
        springs, along="hoop", damping=damping, damping_acts="always", backlash=0, energy_consistent=False
    )
    m.gear_pair("mesh", a, b, mesh=mesh)
    acceleration = TOP / DURATION
    if held:
        m.drive("motor", bearing_a, angle=0)
        m.torque("inertia", bearing_b, acceleration * INERTIA)
    elif drive == "speed":
        m.drive("motor", bearing_a, speed=pl.Ramp(0, TOP, 0, DURATION, smooth=False))
    else:
        m.torque("motor", bearing_a, 2 * acceleration * INERTIA)
    return m


def _spring(stiffness: float, sense: int, over: str) -> pl.Varying:
    """Of one wheel, round its circumference."""
    waves = [0.0] * (TEETH - 1) + [sense * RIPPLE * stiffness]
    return pl.Varying(pl.Fourier("360 deg", stiffness, sin=waves, over="angle"), over)


def run() -> Run:
    """The deflection under the acceleration, then the run-up."""
    return dynamics()


def dynamics(*, drive: str = "speed", stiffness: float = STIFFNESS, damping: float = DAMPING) -> Run:
    """The same for another pair, or with a torque on A."""
    rest, up = (build(drive=drive, stiffness=stiffness, damping=damping, held=held) for held in (True, False))
    start = pl.statics(rest)
    run_up = pl.dynamics(up, duration=DURATION, step=STEP, output_step=OUTPUT, start=start)
    return {"rest": start, "run-up": run_up}


def static_deflection(stiffness: float = STIFFNESS) -> float:
    """Δ_0 = a J / (r c) [m]."""
    return TOP / DURATION * INERTIA / (RADIUS * 0.5 * stiffness)


def order_amplitude(speed: float) -> float:
    """Of order z at a constant speed [m]: the closed form, to the first power of ε; A's motion imposed."""
    c, omega = 0.5 * STIFFNESS, TEETH * speed
    return RIPPLE * c * static_deflection() / abs(complex(c - INERTIA * omega**2 / RADIUS**2, DAMPING * omega))


def ripple(run: Run, stiffness: float = STIFFNESS) -> pl.Signal:
    """What the varying stiffness adds to the deflection: Δ − Δ_0."""
    u = run["run-up"]["mesh.approach"]
    return pl.Signal("mesh.ripple", u.values - static_deflection(stiffness), u.time, u.unit, "deflection less its mean")


def figures(run: Run) -> list[Figure]:
    """Where the ripple is largest, how large, and how it goes on."""
    up, shaken = run["run-up"], ripple(run)
    held = pl.peak_hold(shaken, up["bearing_a.angular_speed"])
    track = pl.order_track(shaken, up["bearing_a.angle"], TEETH, periods=4)
    half = float(np.interp(0.5 * TOP, track.speed, track.amplitude))
    mean = float(up["mesh.approach"].between(0.8 * DURATION, DURATION).mean())
    met = math.sqrt(0.5 * STIFFNESS * RADIUS**2 / INERTIA) / TEETH
    percent = 100 / static_deflection()
    return [
        Figure("speed_at_maximum", held.speed_at_maximum, "rad/s", "speed of A at which the ripple is largest"),
        Figure("speed_of_resonance", met, "rad/s", "the same, if run up slowly and without damping (closed form)"),
        Figure("ripple.max", percent * held.maximum, "%", "largest ripple, in parts of the mean deflection"),
        Figure("deflection.mean", 1e3 * mean, "mm", "mean deflection", 1e3 * static_deflection()),
        Figure("order.half_speed", 1e6 * half, "um", "order 10 at half the speed", 1e6 * order_amplitude(0.5 * TOP)),
    ]


def draw(run: Run, path: Path | None = None) -> "Picture":
    """The ripple over the speed: its bounds, and its orders."""
    from ..views.canvas import canvas
    from ..views.spectra import draw_map, draw_peak_hold

    up, shaken = run["run-up"], ripple(run)
    speed = up["bearing_a.angular_speed"]
    held = pl.peak_hold(shaken, speed, bins=50)
    orders = pl.order_map(shaken, up["bearing_a.angle"], revolutions=0.5, overlap=0.95, max_order=20)
    natural = math.sqrt(0.5 * STIFFNESS * RADIUS**2 / INERTIA)
    title = "run-up: a pair with stiffness rippled by its teeth"
    with canvas(panels=2, path=path, title=title, width=7.2, panel_height=2.3) as c:
        above, below = c.axes
        above.plot(speed.values, 1e6 * shaken.values, color="#7F7F7F", linewidth=0.6)
        draw_peak_hold(above, held)
        above.set_xlabel("")
        draw_map(below, orders)
        drawn = np.linspace(natural / 20, SHOWN, 200)
        below.plot(drawn, natural / drawn, color="#56B4E9", linewidth=1.1, linestyle=(0, (4, 2)))
        below.text(0.36, 2.4, "natural frequency / speed", fontsize=8.0)
        below.set(xlabel="speed of wheel A (rad/s)", ylabel="order", xlim=(0.0, SHOWN))
    return c.figure
