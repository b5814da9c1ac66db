"""Wheels on elastic shafts: the teeth feel how the shaft tilts them, and share the moment with it."""

import numpy as np
import pytest

import pitchline as pl

LENGTH, WIDTH = 0.2, 0.04
TORQUE = 400.0
PINION = pl.Gear(teeth=20, normal_module="4 mm", face_width=WIDTH)
WHEEL = pl.Gear(teeth=40, normal_module="4 mm", face_width=WIDTH)
BEARINGS = (0.02, 0.15)


def box(at: float, mesh: pl.Elastic | pl.Loaded | None = None) -> pl.Model:
    """A pinion at some place on a shaft in two bearings that leave tilting free; its wheel in a hinge."""
    m = pl.Model("box", gravity=(0, 0, 0))
    stations = {"in": 0.0, "left": BEARINGS[0], "pinion": at, "right": BEARINGS[1]}
    s = m.shaft(
        "input", position=(0, 0, 0), axis="z", sections=[pl.ShaftSection(LENGTH, outer="40 mm")], stations=stations
    )
    pinion = m.wheel("pinion", s["pinion"], PINION)
    wheel = m.gear_body("wheel", WHEEL, mesh_with=pinion, towards="x")
    m.torque("load", m.revolute("out", m.ground, wheel, axis="z"), TORQUE)
    for end in ("left", "right"):
        m.bushing(end, m.ground, s[end], axis="z", stiffness=(2e8, 2e8, 2e8, 0, 0, 0))
    m.bushing("motor", m.ground, s["in"], axis="z", stiffness=(0, 0, 0, 0, 0, 1e6))
    m.gear_pair("mesh", pinion, wheel, mesh=pl.Elastic(backlash="100 um") if mesh is None else mesh)
    return m


CENTRED, OVERHUNG = 0.085, 0.185


@pytest.fixture(scope="module")
def overhung() -> pl.Result:
    return pl.statics(box(OVERHUNG))


def of(result: pl.Result, name: str) -> float:
    return float(result[f"mesh.{name}"].final)


def test_an_overhung_pinion_loads_one_end_of_its_teeth(overhung: pl.Result) -> None:
    """The shaft leaves its wheel at the free end: the load is at the side of the bearing. In the middle it stays even."""
    centred = pl.statics(box(CENTRED))
    assert of(centred, "face_load_factor") == pytest.approx(1.0, abs=0.01)
    assert of(overhung, "face_load_factor") > 1.5
    assert of(overhung, "tilt") < -1e-4
    unfelt = box(OVERHUNG, pl.Elastic(tilt=False, backlash="100 um"))
    assert "mesh.face_load_factor" not in pl.statics(unfelt).signals


def test_teeth_and_shaft_are_in_balance(overhung: pl.Result) -> None:
    """Forces of the bearings and of the teeth, and their moments about the middle of the pinion: what the teeth resist the shaft
    carries to its bearings."""
    at = overhung["input pinion.position"].final
    force, moment = overhung["mesh.force_a"].final, overhung["mesh.moment_a"].final
    for end in ("left", "right"):
        F = overhung[f"{end}.force"].final
        force = force + F
        moment = moment + np.cross(overhung[f"input {end}.position"].final - at, F)
    teeth = overhung["mesh.contact_moment"].final[:2]
    assert np.linalg.norm(teeth) > 20.0
    assert np.abs(force).max() < 1e-3
    assert np.abs(moment[:2]).max() < 2e-3 * np.linalg.norm(teeth)  # both sides' bearings count from the shaft as built


def test_teeth_that_feel_the_tilt_hold_the_shaft(overhung: pl.Result) -> None:
    """The pinion leans less than with teeth that do not."""
    free = pl.statics(box(OVERHUNG, pl.Elastic(tilt=False, backlash="100 um")))

    def lean(result: pl.Result) -> float:
        w, x, y, z = result["input pinion.orientation"].final
        return float(np.hypot(2 * (x * z + w * y), 2 * (y * z - w * x)))

    assert lean(overhung) < 0.9 * lean(free)


def test_tables_without_tilts_say_what_they_miss() -> None:
    """Loaded teeth on a shaft do not feel the tilt unless asked: results say so, with a tilt that would do."""
    table = pl.Loaded([0.0, 1e4], [[0.0], [2e-5]], face_load_factor=[[1.1]], backlash="100 um")
    (told,) = (text for text in pl.statics(box(OVERHUNG, table)).warnings if "tilted relative" in text)
    assert 'Loaded(tilts="1 mrad")' in told


def test_teeth_follow_centres_on_shafts() -> None:
    """The default of all laws that give: what moves the shaft apart opens the mesh."""
    for mesh in (pl.Elastic(), pl.Loaded(), pl.Flank()):
        assert mesh.follow_centres
    assert box(CENTRED).gear_pairs["mesh"].law.follow_centres
