"""Shafts in rolling bearings with clearance: equilibria that must be found from centred rings, where nothing has any stiffness,
what is said where there is none or more than one, and motions through the clearance."""

import numpy as np
import pytest

import pitchline as pl

G = 9.81
BEARING = {"balls": 7, "ball": "11.5 mm", "pitch": "43.5 mm"}


def ring(force=(0.0, 0.0, 0.0), moment=(0.0, 0.0, 0.0), clearance=0.0) -> pl.Model:
    """An inner ring alone, whose spin is held."""
    m = pl.Model("ring")
    inner = m.body("inner", mass=1.0, inertia=(1e-3, 1e-3, 1e-3))
    m.bearing("bearing", m.ground, inner, pl.DeepGrooveBall(clearance=clearance, **BEARING))
    m.bushing("spin", m.ground, inner, axis="z", stiffness=np.diag([0, 0, 0, 0, 0, 1e3]))
    m.force("force", inner, force)
    m.torque("moment", inner, moment)
    return m


def shaft(types=None, *, load=(0.0, 0.0, 0.0), gravity=(0.0, 0.0, 0.0), spin_held=True) -> pl.Model:
    """200 mm of 30 mm in two bearings, loaded in the middle."""
    m = pl.Model("shaft", gravity=gravity)
    places = {"left": "20 mm", "middle": "100 mm", "right": "180 mm"}
    s = m.shaft("input", [pl.ShaftSection("200 mm", outer="30 mm")], stations=places)
    for end in ("left", "right"):
        m.bearing(end, m.ground, s[end], (types or pl.DeepGrooveBall(clearance="10 um", **BEARING)))
    if spin_held:
        m.bushing("spin", m.ground, s["end"], axis="z", stiffness=np.diag([0, 0, 0, 0, 0, 1e4]))
    m.force("load", s["middle"], load)
    return m


ROLLERS = pl.CylindricalRoller(rollers=12, roller="8 mm", length="10 mm", pitch="45 mm")


@pytest.mark.parametrize(
    ("force", "moment", "clearance"),
    [
        ((50.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0),
        ((50.0, 20.0, 0.0), (0.0, 0.0, 0.0), 1e-5),
        ((0.5, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0),
        ((1000.0, 300.0, 500.0), (5.0, -3.0, 0.0), 1e-5),
        ((0.0, 0.0, 0.0), (5.0, 0.0, 0.0), 1e-5),
        ((1e4, 0.0, -2e4), (0.0, 100.0, 0.0), 5e-5),
    ],
)
def test_one_ring_from_the_centre(force, moment, clearance) -> None:
    """Five free directions, in which a centred ring feels nothing: found within few iterations, from a fraction of a newton on."""
    result = pl.statics(ring(force, moment, clearance))
    assert result.statistics["iterations"] <= 25 and result.statistics["load_steps"] == 1
    assert result["bearing.force"].final == pytest.approx(-np.array(force), abs=1e-9 * (1.0 + np.abs(force).max()))


@pytest.mark.parametrize(
    "load", [(50.0, 0.0, 0.0), (0.0, 1000.0, 0.0), (1000.0, -200.0, 300.0), (0.0, 0.0, 100.0), (5.0, 0.0, 2000.0)]
)
def test_a_shaft_from_the_centre_of_two_loose_bearings(load) -> None:
    result = pl.statics(shaft(load=load))
    assert result.statistics["iterations"] <= 60
    total = result["left.force"].final + result["right.force"].final
    assert total == pytest.approx(-np.array(load), abs=1e-6 * np.abs(load).max())


def test_weight_alone() -> None:
    m = shaft(gravity=(0.0, -G, 0.0))
    result = pl.statics(m)
    weight = G * m.shafts["input"].solid.mass
    for end in ("left", "right"):
        assert result[f"{end}.force"].final[1] == pytest.approx(0.5 * weight, rel=1e-6)


def test_load_steps_lead_to_the_same_place() -> None:
    """Each from the equilibrium before: up, through zero and to the other side."""
    last = None
    for x in (10.0, 200.0, 1000.0, 50.0, -50.0, -1000.0):
        m = shaft(load=(x, 0.3 * x, 0.1 * x))
        last = pl.statics(m, start=last)
        direct = pl.statics(m)
        for name in ("left.force", "right.force", "left.deflection"):
            assert last[name].final == pytest.approx(direct[name].final, abs=1e-6 * np.abs(direct[name].final).max())


def test_without_load_it_is_said_that_any_position_will_do() -> None:
    result = pl.statics(shaft())
    assert np.abs(result["input middle.position"].final - (0, 0, 0.1)).max() < 1e-12
    (said,) = (w for w in result.warnings if "neutral" in w)
    assert (
        'nothing holds shaft "input"; within the clearance of bearings, other positions are also in equilibrium' in said
    )


def test_what_is_not_held_is_named() -> None:
    """Cylindrical rollers hold nothing along the axis; no bearing holds the spin."""
    with pytest.raises(
        pl.SolveError, match=r'nothing holds shaft "input" against a force of 50 N along its axis \(0, 0, 1\)'
    ):
        pl.statics(shaft(ROLLERS, load=(100.0, 0.0, 50.0)))
    m = shaft(ROLLERS, spin_held=False)
    m.torque("torque", m.shafts["input"]["start"], (0.0, 0.0, 100.0))
    with pytest.raises(
        pl.SolveError, match=r'nothing holds shaft "input" against a torque of 100 N\*m about its axis \(0, 0, 1\)'
    ):
        pl.statics(m)
    # without a load along it the axis is merely free
    free = pl.statics(shaft(ROLLERS, load=(100.0, 0.0, 0.0)))
    assert any('nothing holds shaft "input", translation along its axis (0, 0, 1)' in w for w in free.warnings)


def test_modes_ask_for_a_loaded_state() -> None:
    m = shaft(load=(500.0, 0.0, 300.0))
    assert any(
        w.startswith('bearings "left", "right" carry no load and have no stiffness') for w in pl.modes(m).warnings
    )
    loaded = pl.modes(m, about=pl.statics(m))
    assert not any("carry no load" in w for w in loaded.warnings) and loaded.frequencies[0] > 50.0


def test_through_the_clearance_and_back() -> None:
    """A shaft whose load falls to zero, acts the other way and comes back: rings cross their clearance four times and hit."""
    m = shaft(spin_held=False)
    m = m.replaced(without="load")
    s = m.shafts["input"]
    m.force("load", s["middle"], (lambda t: 500.0 * np.cos(2 * np.pi * 50.0 * t), 0.0, 20.0))
    result = pl.dynamics(m, duration=0.04, output_step=1e-4)
    n = result.statistics
    y = result["input middle.position"].values[:, 0]
    assert y.max() > 10e-6 and y.min() < -10e-6  # five microns of clearance on each side, and the deflections
    assert n["newton_failures"] <= 0.01 * n["steps"] and n["iterations"] < 3.5 * n["steps"]
    moved = np.ptp(result["energy.kinetic"].values) + np.ptp(result["energy.potential"].values)
    assert np.abs(result["energy.balance_error"].values).max() < 1e-4 * moved


def test_kinematics_takes_the_shaft_as_rigid_and_its_bearings_as_they_are() -> None:
    m = shaft(load=(1000.0, 0.0, 0.0), gravity=(0.0, -G, 0.0))
    result = pl.kinematics(m, duration=0.01, step=0.005)
    weight = G * m.shafts["input"].solid.mass
    for end in ("left", "right"):
        assert result[f"{end}.force"].final == pytest.approx([-500.0, 0.5 * weight, 0.0], abs=1e-6)
    line = [result[f"input {place}.position"].final[0] for place in ("start", "left", "middle", "right", "end")]
    assert np.ptp(line) < 1e-12 and line[0] > 5e-6


def test_loads_that_balance_each_other_but_for_a_trifle() -> None:
    """Torques about the axis in which the shaft was made, while it stands a little tilted: what is left is told, and what to do."""
    m = shaft(load=(500.0, 0.0, 300.0), spin_held=False)
    s = m.shafts["input"]
    m.torque("in", s["start"], (0.0, 0.0, 100.0))
    m.torque("out", s["end"], (0.0, 0.0, -100.0 * (1.0 + 1e-7)))
    with pytest.raises(pl.SolveError, match=r"The loads balance each other except for a fraction of .*by a drive"):
        pl.statics(m)
