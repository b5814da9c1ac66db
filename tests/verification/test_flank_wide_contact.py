"""Contact of elastic flanks in a point, wider than the strips of the face: Hertz's ellipse."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

import pitchline as pl
from pitchline.engine.compile.compiler import compile_model
from pitchline.parts.meshes.kernel_flank import FLANK_MESH, flank_alone
from pitchline.parts.meshes.kernel_flank_law import FlankAlone

ANGLE = -3.06
"""Of the wheel: two pairs of teeth share the load [rad]."""


def worm_model(**friction: float) -> pl.Model:
    """Only the contact deforms."""
    m = pl.Model("worm", gravity=(0.0, 0.0, 0.0))
    m.gear_body("wheel", gear=pl.Gear(teeth=30, normal_module="2 mm", face_width="8 mm", helix_angle=-0.2))
    m.gear_body(
        "worm",
        gear=pl.Gear(starts=2, normal_module="2 mm", face_width="30 mm", lead_angle=-0.2),
        mesh_with="wheel",
        towards=(1.0, 0.0, 0.0),
    )
    for body in ("wheel", "worm"):
        m.revolute(f"bearing of {body}", a="ground", b=body)
    rigid = {"body": "rigid"}
    m.gear_pair("mesh", a="wheel", b="worm", mesh=pl.Flank(elements_a=rigid, elements_b=rigid, tilt=False, **friction))
    return m


@pytest.fixture(scope="module")
def worm_pair() -> FlankAlone:
    return flank_alone(next(e for e in compile_model(worm_model())[0].elements if e.kind is FLANK_MESH))


def hertz(approach: float, strong: float, weak: float, modulus: float) -> tuple[float, float]:
    """Force and greatest pressure of an elliptic contact (Johnson, Contact Mechanics, 1985, 4.24 to 4.32)."""

    def ratio(m: float) -> float:
        K, E = ellipk(m), ellipe(m)
        return float((E / (1.0 - m) - K) / (K - E))

    m = brentq(lambda m: ratio(m) - strong / weak, 1e-6, 1.0 - 1e-9)
    K, E = ellipk(m), ellipe(m)
    pressure_b = approach * modulus / K
    a = math.sqrt(pressure_b * (K - E) / (modulus * m * 0.5 * weak))
    b = a * math.sqrt(1.0 - m)
    return 2.0 / 3.0 * math.pi * a * pressure_b, pressure_b / b


@pytest.mark.parametrize("approach", [4e-6, 5.7e-6, 8e-6])
def test_force_and_pressure_are_those_of_hertz_if_contact_is_wider_than_strips(
    worm_pair: FlankAlone, approach: float
) -> None:
    worm_pair.forget()
    assert worm_pair.rest(approach, ANGLE)
    strips, modulus = worm_pair.candidates.copy(), float(worm_pair.parameters["modulus"])
    checked = 0
    for tooth in np.unique(strips["tooth"]):
        own = strips[strips["tooth"] == tooth]
        deepest = int(np.argmin(own["gap"]))
        if not 3 <= deepest < len(own) - 3 or own["force"][0] > 0.0 or own["force"][-1] > 0.0:
            continue  # at an end of the face
        at = np.cumsum(own["width"])
        near = slice(deepest - 3, deepest + 4)
        square, _, _ = fit = np.polyfit(at[near], own["gap"][near], 2)
        lowest = np.polyval(fit, -fit[1] / (2.0 * square))
        radius = float(own["radius"][deepest])
        force, pressure = hertz(-float(lowest), 1.0 / radius, 2.0 * float(square), modulus)
        line_load = float(np.max(own["force"] / own["width"]))
        assert own["force"].sum() == pytest.approx(force, rel=0.05)
        assert math.sqrt(line_load * modulus / (math.pi * radius)) == pytest.approx(pressure, rel=0.05)
        assert np.all(np.diff(np.sign(np.diff(own["force"][own["force"] > 0.0]))) <= 0.0)  # one maximum
        checked += 1
    assert checked > 0


def test_force_and_energy_rise_smoothly_with_the_approach(worm_pair: FlankAlone) -> None:
    """The stiffness has no jump where contact becomes wide, nor where more strips carry."""
    approaches = np.linspace(1e-6, 9e-6, 81)
    forces = []
    for approach in approaches:
        worm_pair.forget()
        assert worm_pair.rest(float(approach), ANGLE)
        forces.append(float(worm_pair.candidates["force"].sum()))
    stiffness = np.diff(forces)
    assert np.all(stiffness > 0.0)
    assert np.all(np.abs(np.diff(stiffness)) < 0.1 * stiffness[1:])


@pytest.mark.slow
def test_the_bearing_carries_the_force_of_the_teeth_in_every_sample() -> None:
    """The wheel turns about its centre of mass: friction and wide contact included."""
    m = worm_model(friction=0.1, friction_speed=0.01)
    m.torque("input", on="bearing of wheel", value=-300.0)
    run = pl.dynamics(m, duration=2e-5, step=2e-6, newton_tolerance=1e-12)
    teeth, bearing = (run.signals[name].values for name in ("mesh.force_a", "bearing of wheel.force"))
    assert float(np.max(np.abs(teeth))) > 1e3
    assert bearing == pytest.approx(-teeth, abs=2e-6 * float(np.max(np.abs(teeth))))


def test_pairs_of_the_other_hand_have_the_same_forces_from_the_other_end_of_the_face() -> None:
    """The strips at the ends of the face are half as wide as the others."""
    forces = []
    for hand in (1.0, -1.0):
        m = pl.Model("pair")
        m.gear_body("a", gear=pl.Gear(teeth=20, normal_module="2 mm", face_width="8 mm", helix_angle=0.3 * hand))
        m.gear_body(
            "b", gear=pl.Gear(teeth=25, normal_module="2 mm", face_width="8 mm", helix_angle=-0.3 * hand), mesh_with="a"
        )
        rigid = {"body": "rigid"}
        m.gear_pair("mesh", a="a", b="b", mesh=pl.Flank(elements_a=rigid, elements_b=rigid))
        flanks = flank_alone(next(e for e in compile_model(m)[0].elements if e.kind is FLANK_MESH))
        assert flanks.rest(4e-5, 0.0)
        strips = flanks.candidates
        by_place = {(int(c["tooth"]), int(c["strip"])): float(c["force"]) for c in strips}
        last = int(flanks.parameters["strips"]) - 1
        forces.append(by_place if hand > 0.0 else {(tooth, last - strip): f for (tooth, strip), f in by_place.items()})
        assert float(np.max(strips["distance"] / strips["width"])) > 0.1  # wide
    one, other = forces
    top = max(one.values())
    for place in one.keys() | other.keys():
        assert one.get(place, 0.0) == pytest.approx(other.get(place, 0.0), abs=1e-8 * top)


def test_teeth_that_deflect_by_more_than_a_small_part_of_the_module_are_named() -> None:
    """The deflection grows with the load, the warning states it in modules."""
    spur = {"normal_module": "2 mm", "face_width": "8 mm"}
    for load, large in ((10.0, False), (4000.0, True)):
        m = pl.Model("pair")
        m.gear_body("a", gear=pl.Gear(teeth=20, **spur))
        m.gear_body("b", gear=pl.Gear(teeth=25, **spur), mesh_with="a")
        m.revolute("in", a="ground", b="a")
        m.fixed("out", a="ground", b="b")
        m.gear_pair("mesh", a="a", b="b", mesh=pl.Flank(elements_a={"body": "rigid"}, elements_b={"body": "rigid"}))
        m.torque("load", on="in", value=load)
        rest = pl.statics(m)
        share = abs(float(rest.signals["mesh.deflection"].values[-1])) / 2e-3
        assert (share > 0.05) == large
        assert (
            any(f"{share:.2g} modules: the method is for small deflections" in text for text in rest.warnings) == large
        )
