"""Kubo's rig, case A, built in Python: what the gallery says in its file `kubo-a`."""

import math

import pitchline as pl

__all__ = ["rig"]


def rig(*, mean_error: bool = False) -> pl.Model:
    """At rest: wheel B above wheel A, all axes along z. mean_error: the mean of the error in place of the error itself."""
    m = pl.Model("kubo-a")
    gear = pl.Gear(teeth=25, normal_module=f"{3.937 / 25} in", normal_pressure_angle="20 deg")
    a = m.gear_body("wheel_a", gear, position=(0, 0, 0), axis="z", mass="5.36e-3 lbf*s^2/in", inertia=_about_z(0.0102))
    b = m.gear_body("wheel_b", gear, mesh_with=a, towards="y", mass="5.36e-3 lbf*s^2/in", inertia=_about_z(0.0102))
    disk_1 = m.body("disk_1", mass="0.1 lbf*s^2/in", inertia=_about_z(0.051), position=(0, 0, "-5 in"))
    disk_2 = m.body("disk_2", mass="0.1 lbf*s^2/in", inertia=_about_z(0.0102), position=(0, "3.937 in", "5 in"))
    axle_1, axle_2 = m.revolute("axle_1", m.ground, disk_1, axis="z"), m.revolute("axle_2", m.ground, disk_2, axis="z")
    m.revolute("support_a", m.ground, a, axis="z")
    m.revolute("support_b", m.ground, b, axis="z")
    for name, disk, wheel, k, c in (("shaft_1", disk_1, a, 1.7e4, 0.076026), ("shaft_2", disk_2, b, 3e4, 0.12369)):
        stiffness, damping = f"{k} lbf*in/rad", f"{c} lbf*in*s/rad"
        m.bushing(name, disk, wheel, axis="z", stiffness=(0, 0, 0, 0, 0, stiffness), damping=(0, 0, 0, 0, 0, damping))
    waves = [] if mean_error else ["-0.003937 in"]
    error = pl.Varying(pl.Fourier("360 deg", "0.003937 in", cos=waves, over="angle"))
    mesh = pl.Elastic(
        "1.477e7 lbf/in", along="hoop", damping_ratio=0.1, damping_acts="always", damping_rate="approach", error=error, backlash=0,
        backlash_side="drive", follow_centres=False,
    )  # fmt: skip
    m.gear_pair("mesh", a, b, mesh=mesh)
    m.drive("motor", axle_1, speed=pl.Ramp(0, 400 * math.pi, 0, "10 ms"))
    m.torque("load", axle_2, "945.8 lbf*in")
    return m


def _about_z(inertia: float) -> tuple[str, str, str]:
    """A thin disk: half of it about the other axes."""
    half = f"{0.5 * inertia} lbf*in*s^2"
    return half, half, f"{inertia} lbf*in*s^2"
