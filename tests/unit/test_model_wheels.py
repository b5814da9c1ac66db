"""Wheels on bodies: where they stand, what they weigh, and their descriptions."""

import copy
import json
import math

import numpy as np
import pytest
from references.small_gears import BEVEL, LARGE, RACK, RING, SPUR, UNIT

from pitchline.gears import Gear
from pitchline.model import Elastic, Model, Rotation, cylinder
from pitchline.solids.rotations import z_to

# ------------------------------------------------------------------------------------------------ wheels on bodies


def test_a_gear_body_has_the_axes_and_the_blank_of_its_gear() -> None:
    m = Model("m")
    body = m.gear_body("pinion", SPUR, position=("10 mm", 0, 0), axis="x", phase="90 deg", angular_velocity=(1, 0, 0))
    blank = SPUR.blank
    assert body.mass == blank.mass
    np.testing.assert_allclose(np.diag(body.inertia), blank.inertia)
    np.testing.assert_array_equal(body.position, [0.01, 0, 0])
    np.testing.assert_allclose(body.orientation, z_to(np.array([1.0, 0, 0])) @ Rotation("z", math.pi / 2).matrix)
    np.testing.assert_array_equal(body.angular_velocity, [1, 0, 0])
    wheel = m.wheels["pinion"]
    assert m.bodies == {"pinion": body} and wheel.gear is SPUR and wheel.body_name == "pinion" and not wheel.is_rack
    for found, wanted in zip(m.placed(wheel.frame), (body.position, body.orientation), strict=True):
        np.testing.assert_array_equal(found, wanted)
    assert repr(wheel) == "Wheel('pinion': Gear of 20 teeth on 'pinion')"


def test_the_centre_of_mass_of_a_bevel_blank_is_off_its_mean_circle() -> None:
    bevel = Gear(teeth=20, normal_module="4 mm", face_width="20 mm", cone_angle="45 deg")
    body = Model("m").gear_body("bevel", bevel)
    np.testing.assert_allclose(body.centre_of_mass, bevel.blank.centre_of_mass)
    assert body.centre_of_mass[2] > 0.0
    moved = Model("m").gear_body("bevel", bevel, centre_of_mass=(0, 0, "1 mm"))
    np.testing.assert_array_equal(moved.centre_of_mass, [0, 0, 0.001])


def test_mass_and_inertia_may_be_said() -> None:
    m = Model("m")
    blank = SPUR.blank
    both = m.gear_body("both", SPUR, mass="2 kg", inertia=(1, 1, 1.5))
    assert both.mass == 2.0 and both.inertia[2, 2] == 1.5
    heavy = m.gear_body("heavy", SPUR, mass=2 * blank.mass)  # a mass alone scales the inertia
    np.testing.assert_allclose(np.diag(heavy.inertia), 2 * np.array(blank.inertia))
    other = m.gear_body("other", SPUR, inertia=(1, 1, 1.5))
    assert other.mass == blank.mass and other.inertia[2, 2] == 1.5
    solid = m.gear_body("solid", SPUR, solid=cylinder(1, 1, mass=3), centre_of_mass=(0, 0, 1))
    assert solid.mass == 3.0 and solid.centre_of_mass[2] == 1.0
    bare = SPUR.with_(face_width=None)
    assert m.gear_body("bare", bare, **UNIT).mass == 1.0
    assert m.gear_body("rack", RACK).mass == pytest.approx(RACK.blank.mass)


def test_a_wheel_on_a_body_or_on_the_ground() -> None:
    m = Model("m")
    shaft = m.body("shaft", **UNIT, position=(1, 0, 0), orientation={"axis": "y", "angle": "90 deg"})
    wheel = m.wheel("wheel", shaft, SPUR, at=(1.5, 0, 0), axis="x")
    x, R = m.placed(wheel.frame)
    np.testing.assert_allclose(x, [1.5, 0, 0], atol=1e-15)
    np.testing.assert_allclose(R, z_to(np.array([1.0, 0, 0])), atol=1e-15)
    np.testing.assert_allclose(wheel.frame.position, [0, 0, 0.5], atol=1e-15)
    plain = m.wheel("plain", "shaft", SPUR, phase="30 deg")
    np.testing.assert_allclose(m.placed(plain.frame)[0], shaft.position)
    np.testing.assert_allclose(
        m.placed(plain.frame)[1], shaft.orientation @ Rotation("z", math.pi / 6).matrix, atol=1e-15
    )
    framed = m.wheel("framed", shaft.frame(position=(0, 1, 0)), SPUR)
    np.testing.assert_allclose(m.placed(framed.frame)[0], shaft.to_world(np.array([0, 1, 0])))
    ring = m.wheel("ring", m.ground, RING, at=(0, 0, 1), orientation={"axis": "z", "angle": 0.1})
    assert ring.body_name == "ground" and ring.frame.position[2] == 1.0
    assert list(m.wheels) == ["wheel", "plain", "framed", "ring"] and list(m.bodies) == ["shaft"]
    with pytest.raises(TypeError):
        m.wheels["wheel"] = wheel  # type: ignore[index]


def test_models_with_gears_can_be_copied() -> None:
    m = Model("m")
    m.gear_body("a", SPUR)
    m.gear_body("b", LARGE, mesh_with="a")
    m.gear_pair("mesh", "a", "b", mesh=Elastic(1e8))
    again = copy.deepcopy(m)
    assert again.gear_pairs["mesh"].law.mean_stiffness == m.gear_pairs["mesh"].law.mean_stiffness


# ---------------------------------------------------------------------------------------------------- descriptions


def test_a_model_with_gears_is_described_and_summed_up() -> None:
    m = Model("train")
    m.gear_body("pinion", SPUR)
    m.gear_body("wheel", LARGE, mesh_with="pinion")
    m.gear_body("rack", RACK, mesh_with="pinion", towards="-x")
    bevels = [m.gear_body("bevel", BEVEL, position=(0, 0, 1))]
    bevels.append(m.gear_body("other", BEVEL, mesh_with="bevel"))
    m.gear_pair("mesh", "pinion", "wheel", mesh=Elastic(lambda angle: 1e8 * (1 + 0.1 * math.cos(angle)), friction=0.1))
    m.gear_pair("travel", "rack", "pinion")
    m.gear_pair("corner", *bevels)
    said = json.loads(json.dumps(m.describe(), allow_nan=False))
    assert list(said["wheels"]) == ["pinion", "wheel", "rack", "bevel", "other"]
    assert said["wheels"]["pinion"]["gear"]["teeth"] == 20
    pair = said["gear_pairs"]["mesh"]
    assert (pair["wheel_a"], pair["wheel_b"], pair["kind"]) == ("pinion", "wheel", "spur")
    assert pair["mesh"]["type"] == "Elastic" and pair["mesh"]["friction"] == 0.1
    assert "lambda" in pair["mesh"]["stiffness"][0]["function"]["callable"]
    assert said["gear_pairs"]["travel"]["mesh"]["type"] == "Rigid"
    text = m.summary()
    assert "5 bodies, 0 joints, 0 drives, 0 loads, 5 wheels, 3 gear pairs" in text
    assert "  pinion  20 teeth, module 4 mm, on pinion" in text
    assert "  rack    rack, 21 teeth, module 4 mm, on rack" in text
    assert "  mesh    spur, pinion - wheel, 20:40, 120 mm, Elastic" in text
    assert "  travel  rack and pinion, pinion - rack, 20, 40 mm, Rigid" in text
    assert "  corner  straight bevel, bevel - other, 20:20, 90 deg, Rigid" in text
    assert repr(m) == "Model('train': 5 bodies, 0 joints, 3 gear pairs)"
    assert repr(m.gear_pairs["mesh"]) == "GearMesh('mesh': spur, 'pinion' - 'wheel')"
    m.check()


def test_models_without_gears_do_not_speak_of_them() -> None:
    m = Model("m")
    m.body("a", **UNIT)
    assert "gear" not in m.summary() and "wheel" not in m.summary() and "gear" not in repr(m)
    assert not {"wheels", "gear_pairs"} & set(m.describe())
