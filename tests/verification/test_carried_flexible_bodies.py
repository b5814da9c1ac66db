"""Flexible bodies that turn while they move: a connecting rod, and bars on a rotor arm."""

import numpy as np
import pytest
from references.superelements import STEEL

import pitchline as pl
from pitchline.parts.flexible.drawing import surface_displacements

LENGTH, SIDE = 0.4, 0.02
AREA, BENDING = SIDE**2, STEEL.youngs_modulus * SIDE**4 / 12.0
BLOCK = {"kind": "block", "size": (SIDE, SIDE, LENGTH), "element": "10 mm"}
FOOT = np.array([SIDE / 2, SIDE / 2, 0.0])


def about_y(angle: float) -> np.ndarray:
    return np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])


def rod_bending(flexible: bool, crank: float = 0.2, speed: float = 20.0) -> np.ndarray:
    """Deflection of the middle of the rod of a slider-crank from the line between its ends, over a turn of the crank."""
    m = pl.Model("slider-crank")
    arm = m.body("crank", mass=1, inertia=(0.01, 0.01, 0.01), angular_velocity=(0, speed, 0))
    m.revolute("main", m.ground, arm, axis="y")
    m.drive("turn", "main", speed=speed)
    pin, end = np.array([crank, 0, 0]), np.array([0, 0, np.sqrt(LENGTH**2 - crank**2)])
    moves = np.array([0, 0, -speed * crank])
    if flexible:
        body = pl.Superelement.from_shape(BLOCK, STEEL, interfaces={"start": "z-", "end": "z+"}, modes=6)
        tilt = -np.arcsin(crank / LENGTH)
        place = pin - about_y(tilt) @ FOOT
        rod = m.flexible_body(
            "rod", body, position=place, orientation=pl.Rotation("y", tilt), velocity=moves, damping="1 ms"
        )
    else:
        section = pl.BeamSection.rectangle(SIDE, SIDE, material=STEEL)
        rod = m.beam("rod", pin, end, section, elements=16, velocity=moves, damping="1 ms")
    slider = m.body("slider", mass="1 g", inertia=(1e-6, 1e-6, 1e-6), position=end, velocity=moves)
    m.revolute("pin", arm, rod["start"], at=pin, axis="y")
    m.prismatic("guide", m.ground, slider, at=end, axis="z")
    m.spherical("wrist", slider, rod["end"], at=end)
    run = pl.dynamics(m, duration=2 * np.pi / speed, step=2 * np.pi / speed / 200)
    assert not any("centrifugal" in text for text in run.warnings)
    if not flexible:
        a, b, middle = (np.asarray(run[f"rod {name}.position"]) for name in ("start", "end", "node 8"))
        line = b - a
        across = np.column_stack([line[:, 2], 0 * line[:, 0], -line[:, 0]]) / LENGTH
        return np.einsum("ni,ni->n", across, middle - 0.5 * (a + b))
    z = body.points[:, 2]
    found = []
    for sample in range(len(run.time)):
        u = surface_displacements(rod, run, sample=sample, moving_with="start")[:, 0]
        found.append(u[np.abs(z - LENGTH / 2) < 1e-9].mean() - 0.5 * u[z > LENGTH - 1e-9].mean())
    return np.array(found)


def test_bending_of_a_connecting_rod_is_that_of_many_beams() -> None:
    """With two interfaces only; the rod turns and moves by turns, after the shock at the start."""
    flexible, beams = rod_bending(True), rod_bending(False)
    later = len(beams) // 4
    assert np.abs(flexible - beams)[later:].max() < 0.005 * np.abs(beams[later:]).max()


def tip_on_arm(lean: float, radius: float = 0.3, speed: float = 50.0) -> tuple[float, list[str]]:
    """Steady deflection of the tip across the bar, which stands on a rotor arm and leans outwards; and warnings."""
    m = pl.Model("rotor arm")
    spin = np.array([0, 0, speed])
    hub = m.body("hub", mass=1, inertia=(0.1, 0.1, 0.1), angular_velocity=spin)
    m.revolute("hinge", m.ground, hub, axis="z")
    m.drive("turn", "hinge", speed=speed)
    body = pl.Superelement.from_shape(BLOCK, STEEL, interfaces={"foot": "z-"}, modes=6)
    place = np.array([radius, 0, 0]) - about_y(lean) @ FOOT
    bar = m.flexible_body(
        "bar", body, position=place, orientation=pl.Rotation("y", lean), velocity=np.cross(spin, place), angular_velocity=spin,
        damping="1 ms",
    )  # fmt: skip
    m.fixed("clamp", hub, bar["foot"])
    run = pl.dynamics(m, duration="80 ms", step="100 us")
    tip = body.points[:, 2] > LENGTH - 1e-9
    found = surface_displacements(bar, run, moving_with="foot")[tip, 0].mean()
    return float(found), [text for text in run.warnings if "centrifugal" in text]


def test_centrifugal_bending_on_a_rotor_arm() -> None:
    """rho A omega^2 r L^4/(8 E I) of a bar along the axis. The rigid foot makes solids a little stiffer than this."""
    found, warnings = tip_on_arm(0.0)
    assert found == pytest.approx(STEEL.density * AREA * 50.0**2 * 0.3 * LENGTH**4 / (8 * BENDING), rel=0.01)
    assert not warnings


def test_centrifugal_forces_that_modes_do_not_feel_are_told() -> None:
    """A bar that leans outwards is also bent by the growth of the radius along it: felt at its centre of mass only."""
    lean = 0.5
    found, warnings = tip_on_arm(lean)
    load = STEEL.density * AREA * 50.0**2 * np.cos(lean)
    right = load * (0.3 * LENGTH**4 / 8 + np.sin(lean) * 11 * LENGTH**5 / 120) / BENDING
    assert found == pytest.approx(0.895 * right, rel=0.01)
    (text,) = warnings
    told = int(text.split("About ")[-1].split(" %")[0])
    assert told == pytest.approx(100 * (1 - found / right), abs=3)
