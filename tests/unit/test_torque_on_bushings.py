"""Torques on the bearings of planetary trains, whatever their kind; shafts as objects."""

import numpy as np
import pytest

import pitchline as pl

COMMON = {"normal_module": "2 mm", "face_width": "20 mm"}
GEARS = {
    "sun": pl.Gear(teeth=24, **COMMON), "planet": pl.Gear(teeth=36, **COMMON),
    "ring": pl.Gear(teeth=96, internal=True, addendum_factor=0.8, **COMMON),
}  # fmt: skip
TEETH = pl.Elastic("4e8 N/m", backlash=0)


def train(axis: object = "z", **bearings: object) -> tuple[pl.Model, pl.Planetary]:
    m = pl.Model("train")
    arm = pl.cylinder("70 mm", "15 mm", density="7850 kg/m^3")
    stage = pl.planetary(
        m, "stage", **GEARS, fixed="ring", mesh_sun=TEETH, mesh_ring=TEETH, masses={"carrier": arm}, bearings=bearings, axis=axis
    )  # fmt: skip
    m.drive("motor", stage.bearings["sun"], angle=0)
    return m, stage


@pytest.mark.parametrize("axis", ["z", (1, 2, -2)])
def test_a_torque_on_an_elastic_bearing_is_that_on_a_hinge(axis: object) -> None:
    """Three equal planets: the sun carries T/(1 + i_0), whatever the bearing of the carrier."""
    moments = []
    for bearing in ("hinge", pl.Support("1e8 N/m")):
        m, stage = train(axis, carrier=bearing)
        m.torque("load", stage.bearings["carrier"], "-500 N*m")
        run = pl.statics(m)
        moments.append([run[f"stage sun mesh {k}.normal_force"].final for k in (1, 2, 3)])
        assert abs(run["motor.torque"].final) == pytest.approx(500.0 / 5.0, rel=1e-6)
    np.testing.assert_allclose(moments[0], moments[1], rtol=1e-6)


def test_a_torque_between_bodies_has_its_reaction() -> None:
    m = pl.Model("between")
    a, b = (m.body(name, mass=1, inertia=(1, 1, 1), position=(0, 0, z)) for name, z in (("a", 0.0), ("b", 1.0)))
    m.revolute("hinge", m.ground, a, axis="z")
    m.cylindrical("guide", a, b, axis="z")
    bushing = m.bushing("bushing", a, b, axis="z", stiffness=(0, 0, 1e3, 0, 0, 50))
    m.torsion_spring("ground spring", "hinge", stiffness=20)
    m.torque("load", bushing, pl.expression("hinge.angle*0 + 5"))
    run = pl.statics(m)
    assert run["guide.angle"].final == pytest.approx(0.1, rel=1e-9)
    assert run["hinge.angle"].final == pytest.approx(0.0, abs=1e-12)  # the reaction acts on body a


def test_what_is_not_possible_is_named() -> None:
    m, stage = train(carrier="free")
    with pytest.raises(pl.ModelError, match=r"got None\. A free member has no bearing: specify its body"):
        m.torque("load", stage.bearings["carrier"], "-500 N*m")
    m, stage = train(carrier="1e8 N/m")
    with pytest.raises(pl.ModelError, match="a torque on a bushing is one value, about its z axis, got"):
        m.torque("load", stage.bearings["carrier"], (0, 0, 1))
    with pytest.raises(pl.ModelError, match='bushing "stage carrier bearing" is not part of model "other"'):
        pl.Model("other").torque("load", stage.bearings["carrier"], 1.0)
    with pytest.raises(pl.ModelError, match="axes is for loads on a body"):
        m.torque("load", stage.bearings["carrier"], 1.0, axes="body")


def test_campbell_takes_the_shaft_or_its_name() -> None:
    m = pl.Model("rotor")
    b = m.body("b", mass=1, inertia=(1, 1, 2))
    hinge = m.revolute("hinge", m.ground, b, axis="z")
    p = m.body("p", mass=1, inertia=(1, 1, 1), position=(0, 0, 1))
    m.prismatic("slide", b, p, axis="x")
    m.spring("spring", b, p, at_a=(-1, 0, 1), at_b=(0, 0, 1), stiffness=1e4)
    by_name, by_object = (pl.campbell(m, shaft, speeds=[1, 20]) for shaft in ("hinge", hinge))
    np.testing.assert_array_equal(by_name.frequencies, by_object.frequencies)
    assert by_object.shaft == "hinge"
    with pytest.raises(pl.ModelError, match='shaft: "hinge" is not part of model "other"'):
        pl.campbell(pl.Model("other"), hinge, speeds=[1])
