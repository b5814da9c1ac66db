"""A file gives the results of the Python model, to the bit where both say the same numbers."""

import math
from pathlib import Path

import numpy as np
import pytest
from references import elastic_pair
from references.kubo_rig import rig

import pitchline as pl
from pitchline import files
from pitchline.gallery import model

FILES = Path(__file__).parents[1] / "references"

SPUR = """
name = "spur"
[parameters]
module = "2 mm"
load = "-20 N*m"
[gears.pinion]
teeth = 20
normal_module = "= module"
face_width = "20 mm"
[gears.wheel]
teeth = 30
normal_module = "= module"
face_width = "20 mm"
[bodies.a]
gear = "pinion"
position = [0, 0, 0]
axis = "z"
[bodies.b]
gear = "wheel"
mesh_with = "a"
towards = "x"
[joints.hinge_a]
kind = "revolute"
a = "ground"
b = "a"
[joints.hinge_b]
kind = "revolute"
a = "ground"
b = "b"
[gear_pairs.mesh]
a = "a"
b = "b"
mesh = { kind = "elastic", stiffness = "2e8 N/m" }
[drives.hold]
joint = "hinge_a"
angle = 0
[loads.load]
kind = "torque"
on = "hinge_b"
value = "= load"
[[analyses]]
kind = "statics"
[figures]
force = { signal = "mesh.normal_force" }
"""


def same(a: pl.Result, b: pl.Result) -> None:
    assert list(a.signals) == list(b.signals)
    for name, signal in a.signals.items():
        assert np.array_equal(signal.values, b[name].values, equal_nan=True), name


def test_statics_of_a_spur_pair() -> None:
    """F_n = T / (r cos α) on the wheel, r = 30 mm."""
    m = pl.Model("spur")
    pinion, wheel = (pl.Gear(teeth=z, normal_module="2 mm", face_width="20 mm") for z in (20, 30))
    a = m.gear_body("a", pinion, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", wheel, mesh_with=a, towards="x")
    hinge_a, hinge_b = m.revolute("hinge_a", m.ground, a), m.revolute("hinge_b", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic("2e8 N/m"))
    m.drive("hold", hinge_a, angle=0)
    m.torque("load", hinge_b, -20)
    file = files.read(SPUR)
    run = file.run()
    same(pl.statics(m), run["statics"])
    (figure,) = file.findings(run)
    assert figure.value == pytest.approx(20 / (0.03 * math.cos(math.radians(20))), rel=1e-6)


def test_the_rig_of_the_gallery_is_the_one_that_python_builds() -> None:
    """From statics to dynamics, to the tolerance of Newton: numbers of the file are expressions, which round otherwise."""
    run = model("kubo-a", settling="2 ms").run()
    loaded = pl.statics(rig(mean_error=True))
    spun = pl.kinematics(rig(mean_error=True), duration="10 ms", start=loaded)
    settled = pl.dynamics(rig(), duration="2 ms", start=spun, step=8e-3 / 8001, hht=-0.05)
    for name, own in (("loaded", loaded), ("spun", spun), ("settled", settled)):
        for signal in ("mesh.normal_force", "disk_1.angular_velocity", "support_a.force"):
            size = float(np.max(np.abs(own[signal].values)))
            np.testing.assert_allclose(run[name][signal].values, own[signal].values, atol=1e-6 * size, err_msg=signal)


def test_dynamics_of_a_planetary_train_with_included_gears() -> None:
    """Willis: the carrier turns with ω_s/(1 + z_r/z_s); at constant speed the motor gives T/(1 + z_r/z_s)."""
    file = files.read(FILES / "planetary.toml")
    run = file.run()
    m = pl.Model("train")
    common = {"normal_module": "2 mm", "face_width": "30 mm"}
    sun, planet = pl.Gear(teeth=24, bore="15 mm", **common), pl.Gear(teeth=36, bore="30 mm", **common)
    ring = pl.Gear(teeth=96, internal=True, rim_diameter="230 mm", tip_alteration=-0.2, **common)
    mesh = pl.Elastic("4e8 N/m", damping_ratio=0.1)
    masses = {"carrier": pl.cylinder("70 mm", "15 mm", density="7850 kg/m^3")}
    pl.planetary(
        m, "stage", sun=sun, planet=planet, ring=ring, fixed="ring", masses=masses, mesh_sun=mesh, mesh_ring=mesh
    )
    m.drive("motor", "stage sun bearing", speed=pl.Ramp(0, 200, 0, "20 ms"))
    m.torque("load", "stage carrier bearing", -500)
    rest = pl.statics(m)
    same(rest, run["rest"])
    same(pl.dynamics(m, duration="30 ms", start=rest, step="20 us"), run["run"])
    speed, torque = file.findings(run)
    assert speed.value == pytest.approx(200 / 5, rel=1e-3)
    assert torque.value == pytest.approx(torque.expected, rel=0.05)


@pytest.mark.parametrize("name", ["helical-pair", "rotor", "governor", "four-bar"])
def test_written_models_move_as_the_first_ones(name: str) -> None:
    """To the bit."""
    first = model(name).build()
    again = files.read(first.to_toml()).model
    same(pl.dynamics(first, duration="2 ms", step="0.1 ms"), pl.dynamics(again, duration="2 ms", step="0.1 ms"))


def test_written_elastic_flanks_move_as_the_first_ones() -> None:
    """Mesh options, modifications and all: to the bit."""
    m = pl.Model("flanks")
    teeth = [one.gear for one in elastic_pair.gears()]
    relief = [pl.TipRelief("10 um", length="1 mm"), pl.LeadCrowning("2 um")]
    a = m.gear_body("a", teeth[0].with_(modifications=relief), axis="z", angular_velocity=(0, 0, 20))
    b = m.gear_body("b", teeth[1], mesh_with=a, towards="x")
    m.revolute("hinge_a", m.ground, a)
    m.revolute("hinge_b", m.ground, b)
    elements = elastic_pair.COARSE
    mesh = pl.Flank(modes=0, elements_a=elements, elements_b=elements, backlash="20 um", friction=0.05)
    m.gear_pair("mesh", a, b, mesh=mesh)
    again = files.read(m.to_toml()).model
    first, second = (pl.dynamics(one, duration="0.2 ms", step="2 us") for one in (m, again))
    assert first["mesh.contact_force"].values.max() > 100.0
    same(first, second)
