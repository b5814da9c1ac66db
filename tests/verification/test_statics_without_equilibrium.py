"""Loads that nothing holds: said early, with the body, the force and its direction; and what holds late is still found."""

from typing import Any

import numpy as np
import pytest

import pitchline as pl

G = 9.81
FEW = 150
"""Iterations of one search that follows a load for a turn, or ten lengths; searches with seven load steps took 2100."""


def fails(m: pl.Model, words: str, **options: Any) -> None:
    with pytest.raises(pl.SolveError, match=f'statics of model "{m.name}" found no equilibrium: {words}') as error:
        pl.statics(m, **options)
    assert error.value.result.statistics["iterations"] <= FEW
    assert error.value.result.status is pl.Status.FAILED


def wheels(mesh: Any, *, load: float) -> pl.Model:
    gear = pl.Gear(teeth=25, normal_module="4 mm", face_width="15 mm")
    m = pl.Model("pair")
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", gear, mesh_with=a, towards="x")
    m.revolute("ha", m.ground, a)
    m.revolute("hb", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=mesh)
    m.torque("drive", "ha", 100.0)
    m.torque("load", "hb", load)
    return m


def test_a_body_without_support() -> None:
    m = pl.Model("stone", gravity=(0, 0, -G))
    m.body("stone", mass=2.0, inertia=(0.1, 0.1, 0.1))
    fails(m, r'nothing holds body "stone" against a force of 19.62 N along \(0, 0, -1\)')


@pytest.mark.parametrize("reduce", [True, False])
def test_a_wheel_that_a_torque_turns(reduce: bool) -> None:
    m = pl.Model("wheel")
    m.body("wheel", mass=1.0, inertia=(0.1, 0.1, 0.1))
    m.revolute("hinge", m.ground, "wheel", axis="z")
    m.torque("drive", "hinge", "-5 N*m")
    fails(m, r'nothing holds body "wheel" against a torque of 5 N\*m about \(0, 0, -1\)', reduce=reduce)


@pytest.mark.parametrize("mesh", [pl.Elastic("2.6e8 N/m"), pl.Rigid()], ids=["elastic", "rigid"])
def test_torques_that_do_not_balance(mesh: Any) -> None:
    """The wheels turn alike: 100 N m on the one and 60 N m the other way leave 40 N m."""
    fails(wheels(mesh, load=60.0), r'nothing holds body "." against a torque of 40 N\*m about \(0, 0, -?1\)')
    assert pl.statics(wheels(mesh, load=100.0)).status is pl.Status.COMPLETED


def test_a_chain_that_falls() -> None:
    m = pl.Model("chain", gravity=(0, -G, 0))
    before: Any = None
    for i in range(24):
        body = m.body(f"b{i}", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.5 * i, 0, 0))
        if before is not None:
            m.revolute(f"h{i}", before, body, at=(0.5 * i - 0.25, 0, 0), axis="z")
        before = body
    fails(m, rf'nothing holds body "b\d+" against a force of {24 * G:.4g} N along \(0, -1, 0\)')


def test_a_cart_on_a_slope() -> None:
    """All of it slides, the pendulum on it with it."""
    m = pl.Model("cart", gravity=(1, 0, -G))
    m.body("cart", mass=2.0, inertia=(1, 1, 1))
    m.prismatic("rail", m.ground, "cart", axis="x")
    m.body("bob", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, -1))
    m.revolute("hinge", "cart", "bob", at=(0, 0, 0), axis="y")
    fails(m, r'nothing holds body "cart" against a force of 3 N along \(1, 0, 0\)')


def test_a_drive_on_its_way_changes_nothing() -> None:
    """Drives go to their targets in steps, with the loads; the force named is that of the whole load."""
    m = pl.Model("machine", gravity=(0, 0, -G))
    m.body("wheel", mass=1.0, inertia=(0.1, 0.1, 0.1))
    m.drive("motor", m.revolute("hinge", m.ground, "wheel", axis="y"), angle=3.0)
    m.body("tool", mass=2.0, inertia=(0.1, 0.1, 0.1), position=(2, 0, 0))
    fails(m, r'nothing holds body "tool" against a force of 19.62 N along \(0, 0, -1\)')


def test_more_torque_than_a_weight_can_hold() -> None:
    """m g l = 4.905 N m: 4.8 N m are held, 6 N m are not."""

    def pendulum(torque: float) -> pl.Model:
        m = pl.Model("pendulum", gravity=(0, -G, 0))
        m.body("rod", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.5, 0, 0))
        m.revolute("hinge", m.ground, "rod", at=(0, 0, 0), axis="z")
        m.torque("drive", "hinge", torque)
        return m

    x, y, _ = pl.statics(pendulum(4.8))["rod.position"].values[0]
    assert x == pytest.approx(4.8 / G, rel=1e-9) and y < 0
    fails(pendulum(6.0), "")


def test_what_is_held_late_is_found() -> None:
    """A stop after two turns, a string after many lengths of its bob, a torsion spring that gives eight turns."""
    m = pl.Model("stop")
    m.body("wheel", mass=1.0, inertia=(0.1, 0.1, 0.1))
    m.revolute("hinge", m.ground, "wheel", axis="z")
    m.torque("drive", "hinge", 1.0)
    m.stop("end", "hinge", upper="720 deg", stiffness=1e4)
    assert pl.statics(m)["hinge.angle"].final == pytest.approx(4 * np.pi + 1e-4, abs=1e-9)
    m = pl.Model("string", gravity=(0, 0, -G))
    m.body("bob", mass=1.2, inertia=(0.01, 0.01, 0.01), position=(0, 0, -0.01))
    m.string("string", m.ground, "bob", at_a=(0, 0, 0), stiffness=800.0, free_length=2.0)
    assert pl.statics(m)["bob.position"].values[0, 2] == pytest.approx(-2.0 - 1.2 * G / 800.0, abs=1e-9)
    m = pl.Model("spring")
    m.body("wheel", mass=1.0, inertia=(0.1, 0.1, 0.1))
    m.revolute("hinge", m.ground, "wheel", axis="z")
    m.torsion_spring("spring", "hinge", stiffness=0.1)
    m.torque("drive", "hinge", 5.0)
    assert pl.statics(m)["hinge.angle"].final == pytest.approx(50.0, rel=1e-9)


@pytest.mark.parametrize("place", [-1.5, -1.0, 0.3, 1.0, 1.5])
def test_unloaded_teeth_do_not_hold_a_wheel_in_its_backlash(place: float) -> None:
    """Wherever the wheel stands in its backlash, also where it was pressed to a flank and has no force left: it can turn."""
    m = pl.Model("backlash", gravity=(0, 0, 0))
    gear = pl.Gear(teeth=20, normal_module=2e-3, face_width=0.02)
    m.gear_body("a", gear)
    m.gear_body("b", gear, mesh_with="a", towards="x")
    m.drive("held", m.revolute("hinge a", m.ground, "a"), angle=0.0)
    m.revolute("hinge b", m.ground, "b")
    play = 20e-6
    m.gear_pair("mesh", "a", "b", mesh=pl.Elastic(stiffness=1e8, backlash=play))
    turned = place * 0.5 * play / (0.02 * np.cos(np.deg2rad(20.0)))
    found = pl.statics(m, start={"hinge b": turned})
    assert found["mesh.normal_force"].values[-1] == pytest.approx(0.0, abs=1e-6)
    assert any("neutral" in text and '"b"' in text for text in found.warnings)
