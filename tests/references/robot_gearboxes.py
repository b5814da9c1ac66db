"""Gearboxes for the joints of robots."""

import pitchline as pl


def two_stages(backlash: object = "40 um", friction: float = 0.05) -> pl.Model:
    """Two spur stages of ratio 5 and 5.375 with elastic teeth: the input and the output are on one axis."""
    m = pl.Model("two stages")
    small, large = (pl.Gear(teeth=z, normal_module="0.8 mm", face_width="8 mm") for z in (17, 85))
    last = {"normal_module": "0.8 mm", "face_width": "12 mm"}
    first = (small, large)
    second = (pl.Gear(teeth=16, profile_shift=0.2, **last), pl.Gear(teeth=86, profile_shift=-0.2, **last))
    pinion = m.gear_body(
        "pinion", first[0], position=(0, 0, "30 mm"), axis="z", mass="0.3 kg", inertia=(4e-5, 4e-5, 3e-5)
    )
    middle = m.gear_body("middle", first[1], mesh_with=pinion, towards="x")
    shaft = m.wheel("shaft", middle.frame(position=(0, 0, "-15 mm")), second[0])
    output = m.gear_body("wheel", second[1], mesh_with=shaft, towards="-x")
    m.revolute("input", m.ground, pinion, axis="z")
    m.revolute("bearing", m.ground, middle, axis="z")
    m.revolute("output", m.ground, output, axis="z", at=(0, 0, 0))
    mesh = pl.Elastic(damping_ratio=0.1, backlash=backlash, friction=friction or None)
    m.gear_pair("first", pinion, middle, mesh=mesh)
    m.gear_pair("second", shaft, output, mesh=mesh)
    m.friction("seal", "input", coulomb="5 mN*m")
    return m
