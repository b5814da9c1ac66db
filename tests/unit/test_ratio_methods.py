"""Model.ratio, Model.rotor, Rolling(ratio=...) on one axis, any_inertia: values, files, messages."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pitchline as pl


def model() -> pl.Model:
    m = pl.Model("servo")
    m.body("housing", mass=1.0, inertia=(1.0, 1.0, 1.0))
    m.revolute("mount", m.ground, "housing", axis="z")
    for name, z in (("a", 0.1), ("b", 0.3)):
        m.body(name, mass=1.0, inertia=(1.0, 1.0, 1.0), position=(0, 0, z))
        m.revolute(f"axle {name}", "housing", name, axis="z")
    m.body("aside", mass=1.0, inertia=(1.0, 1.0, 1.0), position=(0.5, 0, 0))
    return m


def test_kinds() -> None:
    m = model()
    rigid = m.ratio("rigid", "axle a", m.joints["axle b"], ratio=Fraction(-41, 13))
    assert rigid.key == "gear_ratio" and rigid.ratio == -41 / 13 and rigid.a == "axle a"
    soft = m.ratio("soft", "axle a", "axle b", ratio=50, stiffness="20 N*m/mrad", backlash="1 deg", damping=3)
    assert (soft.key, soft.stiffness, soft.damping) == ("elastic_gear_ratio", 2e4, 3.0)
    assert soft.backlash == pytest.approx(np.pi / 180)
    assert "GearRatio, axle a - axle b: ratio -3.15385" in m.summary()


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"ratio": 0}, "must not be 0"),
        ({"ratio": "3 mm"}, "ratio: expected number"),
        ({"ratio": 2, "efficiency": 1.1}, "efficiency must be at most 1"),
        ({"ratio": 2, "efficiency": (-0.1, 0.5)}, "exchange a and b"),
        ({"ratio": 2, "efficiency": (0.9, 0.8, 0.7)}, "specify one number, or two"),
        ({"ratio": 2, "efficiency": 0.9, "stiffness": 1e4}, "efficiency must be 1 with a stiffness"),
        ({"ratio": 2, "backlash": 0.01}, "backlash needs a stiffness"),
        ({"ratio": 2, "damping": 1}, "damping needs a stiffness"),
        ({"ratio": 2, "stiffness": "1 N/m"}, "expected torsional stiffness"),
        ({"ratio": 2, "b": "axle a"}, 'a and b are the same joint "axle a"; specify two joints'),
        ({"ratio": 2, "b": "axle"}, 'unknown joint "axle"'),
        ({"ratio": 2, "b": "slide"}, "has no coordinate 'angle'"),
    ],
)
def test_messages_of_ratios(arguments: dict[str, Any], message: str) -> None:
    m = model()
    m.prismatic("slide", "housing", "aside", axis="x")
    with pytest.raises(pl.ModelError) as error:
        m.ratio("box", "axle a", arguments.pop("b", "axle b"), **arguments)
    assert message in str(error.value) and '"box"' in str(error.value)
    assert not m.elements


def test_rolling_on_one_axis() -> None:
    m = model()
    assert m.gear_pair("box", "a", "b", mesh=pl.Rolling(ratio=10)).ratio == 10.0
    assert m.gear_pair("back", "a", m.bodies["b"].frame(axis=(0, 0, -1)), mesh=pl.Rolling(ratio=-2)).ratio == -2.0
    assert not m.gear_pairs
    for a, b, mesh, message in (
        ("a", "b", pl.Rolling(ratio=3, internal=True), "internal has no meaning"),
        ("a", "aside", pl.Rolling(ratio=-3), "ratio must be greater than zero, got -3"),
        ("a", "housing", pl.Rolling(ratio=3), '"a" and "housing" are on one axis, and have no common housing'),
    ):
        with pytest.raises(pl.ModelError) as error:
            m.gear_pair("other", a, b, mesh=mesh)
        assert message in str(error.value)
    m.body("loose", mass=1.0, inertia=(1.0, 1.0, 1.0))
    with pytest.raises(pl.ModelError, match='"a" and "loose" are on one axis, and have no common housing'):
        m.gear_pair("other", "a", "loose", mesh=pl.Rolling(ratio=3))


@pytest.mark.parametrize("on", ["ground", "housing"])
def test_files(on: str, tmp_path: Path) -> None:
    m = model()
    m.rotor("motor", on, inertia="2e-4 kg*m^2", axis="x", at=(0.1, 0, 0), speed="3000 rpm", mass=0.2)
    m.ratio("box", "motor", "axle a", ratio=Fraction(41, 13))
    m.ratio("soft", "motor", "axle b", ratio=-100, stiffness=1e4, damping=1.0, backlash=1e-3)
    m.body("virtual", mass=0.0, inertia=(0.0, 1.0, 3.0), any_inertia=True)
    m.spherical("ball", "aside", "virtual")
    text = m.to_toml()
    (tmp_path / "m.toml").write_text(text)
    other = pl.load(tmp_path / "m.toml").model
    assert other.to_toml() == text and other.describe() == m.describe()
    assert other.bodies["virtual"].any_inertia and "any_inertia = true" in text
    assert other.replaced(other.bodies["virtual"]).bodies["virtual"].any_inertia


def test_pictures_and_report(tmp_path: Path) -> None:
    m = model()
    m.rotor("motor", "housing", inertia=1e-3, shape=pl.cylinder("1 cm", "2 cm"), colour="red")
    m.ratio("box", "motor", "axle b", ratio=10)
    m.check()
    assert m.warnings == ()
    m.plot_state(path=tmp_path / "state.png")
    run = pl.dynamics(m, duration=0.01, step=1e-3)
    pl.views.write_report(tmp_path / "run.html", run)
    assert "box" in (tmp_path / "run.html").read_text()


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"inertia": 0}, "inertia must be greater than zero, got 0 kg*m^2"),
        ({"inertia": "1 kg"}, "expected inertia"),
        ({"inertia": 1, "speed": "1 m"}, "speed: expected angular velocity"),
        ({"inertia": 1, "axis": (0, 0, 0)}, "axis"),
        ({"inertia": 1, "mass": -1}, "mass must not be negative"),
        ({"inertia": 1, "name": "axle a"}, "the name is already used"),
        ({"inertia": 1, "on": "nothing"}, 'unknown body "nothing"'),
    ],
)
def test_messages_of_rotors(arguments: dict[str, Any], message: str) -> None:
    m = model()
    before = list(m.bodies), list(m.joints), list(m.elements)
    with pytest.raises(pl.ModelError) as error:
        m.rotor(arguments.pop("name", "wheel"), arguments.pop("on", "housing"), **arguments)
    assert message in str(error.value)
    assert (list(m.bodies), list(m.joints), list(m.elements)) == before


def test_a_rotor_that_fails_leaves_nothing() -> None:
    m = pl.Model("plane", plane="xy")
    m.body("arm", mass=1.0, inertia=1.0)
    with pytest.raises(pl.ModelError, match="its axis is"):
        m.rotor("wheel", "arm", inertia=1.0, axis="x")
    assert list(m.bodies) == ["arm"] and not m.joints and not m.elements
    frame = m.bodies["arm"].frame(axis="z")
    with pytest.raises(pl.ModelError, match="the frame already defines the axis"):
        m.rotor("wheel", frame, inertia=1.0, axis="z")
    assert m.rotor("wheel", frame, inertia=1.0).body_b == "wheel rotor"


def test_any_inertia() -> None:
    m = pl.Model("odd")
    for arguments, message in (
        ({"mass": 1.0, "inertia": (0.0, 0.0, 1.0)}, "specify any_inertia=True"),
        ({"mass": 0.0, "inertia": (1.0, 1.0, 1.0)}, "specify any_inertia=True"),
        ({"mass": 1.0, "inertia": (-1.0, 0.0, 1.0), "any_inertia": True}, "negative principal moment"),
        ({"mass": 1.0, "inertia": [[1, 2, 0], [0, 1, 0], [0, 0, 1]], "any_inertia": True}, "not symmetric"),
        ({"mass": 1.0, "inertia": (0.0, 0.0, 1.0), "any_inertia": 1}, "any_inertia must be True or False, got 1"),
    ):
        with pytest.raises(pl.ModelError) as error:
            m.body("b", **arguments)
        assert message in str(error.value)
    assert m.body("b", mass=0.0, inertia=(0.0, 0.0, 1.0), any_inertia=True).inertia[2, 2] == 1.0
    with pytest.raises(pl.ModelError, match="zero mass on a free body"):
        m.check()
    with pytest.raises(pl.ModelError) as error:
        pl.MassProperties(1.0, (0, 0, 0), (0, 0, 1))
    assert "any_inertia" not in str(error.value)


def test_a_gear_with_inertia_about_its_axis_only() -> None:
    """Torsional model of a pair: wheel A with J only, closed form of the acceleration."""
    m = pl.Model("torsional")
    gear = pl.Gear(teeth=20, normal_module="2 mm", face_width="20 mm")
    m.gear_body("a", gear, mass=0.0, inertia=(0.0, 0.0, 0.01), any_inertia=True)
    m.gear_body("b", gear, mass=0.0, inertia=(0.0, 0.0, 0.03), any_inertia=True, mesh_with="a")
    for name in "ab":
        m.revolute(f"axle {name}", m.ground, name)
    m.gear_pair("mesh", "a", "b", mesh=pl.Rolling())
    m.torque("motor", "axle a", 2.0)
    run = pl.dynamics(m, duration=0.1, step=1e-3)
    assert run["axle a.angular_speed"].values[-1] == pytest.approx(0.1 * 2.0 / 0.04, rel=1e-9)
    assert "any_inertia" in m.to_toml()
