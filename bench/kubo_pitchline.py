"""The gear rig in pitchline: wheels on hinges, or free in space on flexible supports.

Rigid supports: wheels and disks turn on revolute joints to ground, one coordinate each. Flexible supports: the wheels are free
bodies, six coordinates each, on bushings that hold their centres and their tilt; the motion stays in the plane, but nothing
in the model says so. The shafts are bushings that are elastic about their axis alone.
"""

import math
from typing import Any

import kubo_rig as rig
import numpy as np
from kubo_rig import Case, History

import pitchline as pl

# Fixed steps: the default and its alternatives.
METHODS: dict[str, dict[str, Any]] = {
    "pitchline, ρ = 0.7": {},
    "pitchline, ρ = 0.9": {"rho": 0.9},
    "pitchline, HHT −0.05": {"hht": -0.05},
}
TOLERANCES = (1e-5, 1e-6, 1e-7, 1e-8, 1e-9)

# Nothing tilts the wheels: any stiffness of the order of the supports at the pitch circle.
TILT_STIFFNESS = rig.SUPPORT_STIFFNESS * rig.RADIUS**2
TILT_DAMPING = rig.SUPPORT_DAMPING * rig.RADIUS**2
UP = (0, 1, 0)


def build(case: Case) -> pl.Model:
    """The rig at the start: at speed, the teeth in touch, the shafts wound up."""
    m = pl.Model("gear rig")
    gear = pl.Gear(
        teeth=rig.TEETH,
        normal_module=2 * rig.RADIUS / rig.TEETH,
        normal_pressure_angle=rig.PRESSURE_ANGLE,
        face_width=0.6,
    )
    flat = (rig.INERTIA / 2, rig.INERTIA / 2, rig.INERTIA)
    weight: dict[str, Any] = {"mass": rig.MASS, "inertia": flat}
    turning: dict[str, Any] = {"angular_velocity": (0, 0, rig.SPEED)}
    back: dict[str, Any] = {"angular_velocity": (0, 0, -rig.SPEED)}
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z", phase=math.pi / 2, **weight, **turning)
    b = m.gear_body("b", gear, mesh_with=a, towards=UP, **weight, **back)
    disk_1 = m.body("disk_1", position=(0, 0, -5), **weight, **turning)
    disk_2 = m.body("disk_2", position=(0, 2 * rig.RADIUS, 5), **weight, **back)
    m.revolute("hinge_2", m.ground, disk_2, axis="z")
    m.drive("motor", m.revolute("hinge_1", m.ground, disk_1, axis="z"), speed=rig.SPEED)
    for name, wheel in (("a", a), ("b", b)):
        if not case.flexible:
            m.revolute(f"hinge_{name}", m.ground, wheel, axis="z")
            continue
        k, c = rig.SUPPORT_STIFFNESS, rig.SUPPORT_DAMPING
        m.bushing(
            f"support_{name}",
            m.ground,
            wheel,
            axis="z",
            stiffness=(k, k, k, TILT_STIFFNESS, TILT_STIFFNESS, 0),
            damping=(c, c, c, TILT_DAMPING, TILT_DAMPING, 0),
        )
    for name, first, second, k, c in zip(
        ("shaft_1", "shaft_2"), (disk_1, b), (a, disk_2), rig.SHAFT_STIFFNESS, rig.SHAFT_DAMPING, strict=True
    ):
        at = (first.position + second.position) / 2
        m.bushing(name, first, second, at=at, axis="z", stiffness=(0, 0, 0, 0, 0, k), damping=(0, 0, 0, 0, 0, c))
    for name, wheel in (("wound_1", a), ("wound_2", b)):
        m.torque(name, wheel, (0, 0, rig.LOAD))
    x = rig.ERROR
    m.gear_pair(
        "mesh",
        a,
        b,
        mesh=pl.Elastic(
            rig.MESH_STIFFNESS,
            along="hoop",
            damping=rig.MESH_DAMPING,
            damping_acts="always",
            damping_rate="approach",
            backlash=case.backlash,
            backlash_side="drive",
            error=pl.Fourier(period=2 * math.pi, mean=x, cos=(-x,), over="angle"),
            energy_consistent=case.consistent,
            follow_centres=False,  # as in the paper and in the bare loop
        ),
    )
    return m


def run(case: Case, duration: float, step: float, sample: float | None = None, **options: Any) -> History:
    """Fixed steps."""
    return _history(
        pl.dynamics(build(case), duration=duration, step=step, output_step=sample or duration, **options), sample
    )


def controlled(case: Case, duration: float, tolerance: float, sample: float | None = None) -> History:
    """Error control. Samples shorten the steps, so that they are taken in the timed runs as well."""
    done = pl.dynamics(build(case), duration=duration, tolerance=tolerance, output_step=sample or rig.SAMPLE)
    return _history(done, sample)


def _history(done: pl.Result, sample: float | None) -> History:
    counts = done.statistics
    t = force = np.empty(0)
    if sample is not None:
        t, force = done.time, done["mesh.signed_force"].values
    return History(counts["wall_time"], t, force, counts["steps"], counts["iterations"])
