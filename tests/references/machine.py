"""The machine of machine.toml in Python."""

import math
from pathlib import Path

import pitchline as pl

FILE = Path(__file__).with_name("machine.toml")


def machine() -> pl.Model:
    m = pl.Model("machine", gravity=(0, "-9.81 m/s^2", 0))
    bronze = pl.Material("bronze", density=8800, youngs_modulus="110 GPa", poissons_ratio=0.34)
    pinion = pl.Gear(teeth=24, normal_module="2 mm", face_width="20 mm", material=bronze)
    bar = pl.Rack(teeth=30, normal_module="2 mm", face_width="20 mm", depth="15 mm")
    cone = pl.Gear.from_outer_module(teeth=20, outer_module="4 mm", cone_angle="45 deg", face_width="15 mm")
    height = 0.024 * math.sin(math.pi / 6) + 0.001
    p = m.gear_body("pinion", pinion, position=(0, 0, height), axis="z")
    m.gear_body("rack", bar, mesh_with=p, tooth=1)
    box = m.body("box", mass=2, inertia=((1, 0.1, 0), (0.1, 1, 0), (0, 0, 1)), position=(1, 0, 0),
                 orientation=pl.Rotation("x", "30 deg"), velocity=(0, 0, 1))  # fmt: skip
    solid = (
        pl.cylinder("2 cm", "30 cm", density=7850, axis="x")
        + pl.sphere("5 cm", mass=4).moved((0.15, 0, 0))
        + pl.bar("5 cm", "5 cm", "5 cm", mass=4).turned(pl.Rotation("z", "45 deg")).moved((-0.15, 0, 0))
    )
    m.body("dumbbell", solid=solid.moved((0, 0, 0.01)), position=(2, 0, 0))
    wheel = m.body("wheel", solid=pl.tube("5 cm", "2 cm", "3 cm", density=7850), position=(0, 1, 0))
    m.wheel("bevel", wheel, cone, orientation=(1, 0, 0, 0), phase="10 deg")
    _train(m)
    corner = box.frame("corner", position=(0.1, 0, 0), axis="x")
    m.revolute("hinge", m.ground, "pinion")
    m.prismatic("guide", m.ground, "rack", axis="y")
    m.screw("thread", m.ground.frame(position=(1.1, 0, 0), axis="x"), corner, lead="5 mm")
    m.distance("rod", m.ground, "dumbbell", at_a=(2, 1, 0))
    m.cylindrical("shaft", m.ground, "wheel", axis="z")
    stiffness = pl.Varying(pl.Fourier("360 deg", "1e8 N/m", cos=["1e7 N/m"], over="angle"))
    error = pl.Table(["0 deg", "180 deg", "360 deg"], [0, 5e-6, 0], periodic=True, over="angle")
    friction = pl.Stribeck(0.12, 0.08, "0.1 m/s")
    mesh = pl.Elastic((stiffness, 2e8), error=error, friction=friction, damping_ratio=0.07, backlash=5e-5)
    m.gear_pair("mesh", "rack", "pinion", mesh=mesh)
    m.drive("motor", "hinge", speed=pl.Sum(["100 rpm", pl.Harmonic("5 rpm", 3)]))
    m.drive("crank", "shaft", angle=pl.Polynomial([0, 1, 0.5]))
    m.force("push", corner, (0, pl.Ramp(0, 10, 0, 1, smooth=False), "3 lbf"), axes="body")
    m.torque("turn", "wheel", (0, 0, pl.PiecewisePolynomial([0, 1, 2], [[0, 1], [1, -1]])), reaction=m.ground)
    m.force("brake", "guide", pl.Table([0, 1, 2], [0, 5, 3], "cubic"))
    m.spring("spring", "box", "dumbbell", stiffness=3000, damping="2 lbf*s/in", free_length=0.9)
    m.string("cord", m.ground, "wheel", at_a=(0, 1.5, 0.2), stiffness=1000)
    m.torsion_spring("coil", "thread", stiffness=1e5)
    m.bushing("mount", m.ground, "box", stiffness=(1e6, 1e6, 2e6, 100, 100, 0), damping=(10, 10, 20, 1, 1, 0))
    m.stop("stop", "guide", upper=0.1, stiffness=1e6)
    return m


def _train(m: pl.Model) -> None:
    sun, planet = (pl.Gear(teeth=z, normal_module="2 mm", face_width="20 mm") for z in (24, 36))
    ring = pl.Gear(
        teeth=96, normal_module="2 mm", face_width="20 mm", internal=True, tip_alteration=-0.2, rim_diameter="230 mm"
    )
    pl.planetary(
        m, "stage", sun=sun, planet=planet, ring=ring, fixed="ring", position=(0, 0, 3),
        masses={"carrier": pl.cylinder("7 cm", "1 cm", mass=2), "sun": (1, (0.1, 0.1, 0.2))},
        bearings={"sun": pl.Support("1e8 N/m", damping=100)}, mesh_sun=pl.Elastic("ISO 6336"), mesh_ring=pl.Rigid(friction=0.05),
    )  # fmt: skip
