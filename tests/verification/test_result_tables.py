"""Tables of results against equilibrium: what parts exert on every body balances its weight, its inertia and the
loads from outside.
"""

import math
from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from tests.references.everything import everything

GALLERY = Path(pl.__file__).parent / "gallery" / "models"
GRAVITY = np.array([0.3, -0.2, -9.81])


def wrench_on(result: pl.Result, body: str, **window: object) -> np.ndarray:
    """Total force and moment about the origin of the world."""
    table = result.reactions(body, **window)
    return np.array([table["total", f"{kind}_{axis}"] for kind in ("force", "moment") for axis in "xyz"])


@pytest.fixture(scope="module")
def rest() -> pl.Result:
    return pl.statics(everything())


def test_reactions_balance_weights_and_loads_on_every_body_and_on_the_ground(rest: pl.Result) -> None:
    """Every joint, spring, bushing, drive, stop and load of a model: forces and moments of statics."""
    model = everything()
    outside = np.zeros(6)
    for name, body in model.bodies.items():
        at = rest[f"{name}.position"].values[0] + _turned(rest, name, body.centre_of_mass)
        force = body.mass * GRAVITY
        wrench = np.concatenate([force, np.cross(at, force)])
        if name == "revolute body":  # loads without a reaction
            push, point = (
                rest["force.force"].values[0],
                rest[f"{name}.position"].values[0] + _turned(rest, name, np.array([0, 0.1, 0])),
            )
            wrench += np.concatenate([push, np.cross(point, push)])
            wrench[3:] += rest["torque.torque"].values[0]
        outside += wrench
        np.testing.assert_allclose(wrench_on(rest, name), -wrench, atol=2e-6, err_msg=name)
    np.testing.assert_allclose(wrench_on(rest, "ground"), outside, atol=2e-5)


def _turned(result: pl.Result, body: str, vector: np.ndarray) -> np.ndarray:
    w, *v = result[f"{body}.orientation"].values[0]
    v = np.array(v)
    return vector + 2.0 * np.cross(v, np.cross(v, vector) + w * vector)


def test_moments_about_another_point(rest: pl.Result) -> None:
    about = np.array([1.0, -2.0, 0.5])
    moved = rest.reactions("ground", about=about)
    total = wrench_on(rest, "ground")
    expected = total[3:] - np.cross(about, total[:3])
    np.testing.assert_allclose([moved["total", f"moment_{axis}"] for axis in "xyz"], expected, rtol=1e-9)


def test_teeth_and_racks_balance_too() -> None:
    """A helical pinion moves a rack against a force: Newton's law for the rack, Newton's and Euler's law for the
    pinion.
    """
    file = pl.load(GALLERY / "rack-and-pinion.toml")
    run = next(iter(file.run().values()))
    assert isinstance(run, pl.Result)
    end = float(run.time[-1])
    for name in ("pinion", "rack"):
        body = file.model.bodies[name]
        wrench = wrench_on(run, name, after=end)
        force = body.mass * (run[f"{name}.acceleration"].values[-1] - file.model.gravity)
        if name == "rack":
            assert np.linalg.norm(body.centre_of_mass) == 0.0 or not np.any(run["rack.angular_velocity"].values)
        np.testing.assert_allclose(wrench[:3], force, atol=1e-6 * 2e3, err_msg=name)
    pinion = file.model.bodies["pinion"]
    about = run["pinion.position"].values[-1]
    moment = run.reactions("pinion", about=about, after=end)
    expected = pinion.inertia[2, 2] * run["pinion.angular_acceleration"].values[-1]
    found = [moment["total", f"moment_{axis}"] for axis in "xyz"]
    np.testing.assert_allclose(found, expected, atol=1e-6 * 50.0)


# --- a shaft on two bearings with a helical wheel, by hand -------------------------------------------------

LEFT, RIGHT, TORQUE = -0.08, 0.06, 190.0


@pytest.fixture(scope="module")
def shaft() -> pl.Result:
    m = pl.Model("shaft on two bushings", gravity=(0, 0, 0))
    pinion = pl.Gear(teeth=19, normal_module="3 mm", helix_angle="15 deg", face_width="45 mm")
    wheel = pinion.with_(teeth=63, helix_angle="-15 deg")
    distance = pl.GearPair(pinion, wheel).centre_distance
    a = m.body("input", mass=2.0, inertia=(0.01, 0.01, 0.001), angular_velocity=(0, 0, "1500 rpm"))
    b = m.body("output", mass=2.0, inertia=(0.01, 0.01, 0.001), position=(distance, 0, 0))
    stiff = {"A1": (1e10, 1e10, 1e10, 0, 0, 0), "A2": (1e10, 1e10, 0, 0, 0, 0)}
    for name, z in (("A1", LEFT), ("A2", RIGHT)):
        m.bushing(name, m.ground, a, at=(0, 0, z), axis="z", stiffness=stiff[name])
    m.revolute("hinge", m.ground, b, at=(distance, 0, 0), axis="z")
    m.torsion_spring("brake", "hinge", stiffness=1e9)
    m.wheel("pinion", a, pinion)
    m.wheel("wheel", b, wheel)
    m.gear_pair("mesh", "pinion", "wheel", mesh=pl.Elastic())
    m.torque("motor", a, (0, 0, TORQUE))
    return pl.statics(m)


def test_gear_forces_by_hand(shaft: pl.Result) -> None:
    """F_t = 2 T/d, F_r = F_t tan α_t, F_a = F_t tan β."""
    beta = math.radians(15.0)
    d = 19 * 3e-3 / math.cos(beta)
    tangential = TORQUE / (0.5 * d)
    radial = tangential * math.tan(math.atan(math.tan(math.radians(20.0)) / math.cos(beta)))
    forces = shaft.gear_forces()
    assert forces.names == ["mesh pinion", "mesh wheel"]
    assert forces["mesh pinion", "tangential"] == pytest.approx(tangential, rel=1e-5)
    assert forces["mesh wheel", "radial"] == pytest.approx(radial, rel=1e-5)
    assert abs(forces["mesh pinion", "axial"]) == pytest.approx(tangential * math.tan(beta), rel=1e-4)
    assert forces["mesh wheel", "axial"] == pytest.approx(
        -forces["mesh pinion", "axial"], rel=1e-5
    )  # each along its own axis
    assert forces["mesh pinion", "torque"] == pytest.approx(-TORQUE, rel=1e-6)
    # the speed with which the model starts makes the power of statics
    assert forces["mesh pinion", "power"] == pytest.approx(TORQUE * 50.0 * math.pi, rel=1e-6)


def test_bearing_loads_by_hand(shaft: pl.Result) -> None:
    """Levers of a shaft on two bearings: forces in the plane of the radial force get the couple of the axial one."""
    forces, loads = shaft.gear_forces(), shaft.bearing_loads()
    Ft, Fr, Fa = (abs(forces["mesh pinion", key]) for key in ("tangential", "radial", "axial"))
    r = TORQUE / Ft
    span = RIGHT - LEFT
    assert loads.names == ["A1", "A2"]  # joints only where there is nothing else
    right_t, left_t = Ft * -LEFT / span, Ft * RIGHT / span
    couple = Fa * r / span  # of the axial force at the pitch point
    expected = {
        +1: (math.hypot(left_t, Fr * RIGHT / span + couple), math.hypot(right_t, Fr * -LEFT / span - couple)),
        -1: (math.hypot(left_t, Fr * RIGHT / span - couple), math.hypot(right_t, Fr * -LEFT / span + couple)),
    }
    found = loads["A1", "radial"], loads["A2", "radial"]
    # axial force along +z at the pitch point (+x) turns the shaft about -y: the left bearing takes more of the radial
    # force, or less
    sign = -1 if forces["mesh pinion", "axial"] > 0 else 1
    assert found == pytest.approx(expected[sign], rel=1e-4)
    assert abs(loads["A1", "axial"]) == pytest.approx(Fa, rel=1e-5)
    assert loads["A2", "axial"] == pytest.approx(0.0, abs=1e-6 * Fa)
    assert loads["A1", "speed"] == pytest.approx(50.0 * math.pi)
    assert loads["A1", "radial_deflection"] == pytest.approx(found[0] / 1e10, rel=1e-6)
    everything_that_holds = shaft.bearing_loads(joints=True)
    assert "hinge" in everything_that_holds.names
    assert everything_that_holds["hinge", "radial"] == pytest.approx(math.hypot(Ft, Fr), rel=1e-4)


def test_table_as_text_and_data(shaft: pl.Result, tmp_path: object) -> None:
    table = shaft.bearing_loads()
    text = str(table)
    assert "radial [N]" in text and "A1" in text and "u_r [um]" in text
    rows = table.rows
    assert rows[0]["name"] == "A1" and rows[0]["radial"] == table["A1", "radial"]
    csv = table.to_csv()
    assert csv.splitlines()[0].startswith("part,what,radial [N],axial [N]")
    assert float(csv.splitlines()[1].split(",")[3]) == pytest.approx(table["A1", "radial"], rel=1e-9)
    assert "| A1 |" in table.markdown()
    np.testing.assert_allclose(table.column("radial"), [row["radial"] for row in rows])
    for place, message in (
        (("A3", "radial"), 'no row "A3"; known: "A1", "A2"'),
        (("A1", "radal"), 'did you mean "radial"'),
        (("A1", "radial", "max"), 'it has value, not "max"'),
    ):
        with pytest.raises(pl.PitchlineError, match=message):
            table[place]
    with pytest.raises(pl.PitchlineError, match="ask with part and column"):
        table["A1"]  # type: ignore[index]
    with pytest.raises(pl.PitchlineError, match='there is no body "grund"; did you mean "ground"'):
        shaft.reactions("grund")
    with pytest.raises(pl.PitchlineError, match="nothing moves in statics"):
        shaft.power_flow()


def test_record_over_time_and_power() -> None:
    """An unbalanced fan driven against a brake: the bearing sees m e ω², the drive gives what the brake takes."""
    m = pl.Model("fan", gravity=(0, 0, 0))
    fan = m.body(
        "fan", mass=2.0, inertia=(0.01, 0.01, 0.02), centre_of_mass=("0.5 mm", 0, 0), angular_velocity=(0, 0, 100.0)
    )
    m.revolute("axle", m.ground, fan, axis="z")
    m.drive("motor", "axle", speed=100.0)
    m.torque("brake", "axle", -3.0)
    m.spring("tie", m.ground, fan, at_a=(0, 0, 1.0), at_b=(0, 0, 0.5), stiffness=1e3)
    run = pl.dynamics(m, duration="0.1 s", step="0.1 ms", output_step="0.5 ms")
    loads = run.bearing_loads()
    assert loads.statistics == ("mean", "max", "rms")
    unbalance = 2.0 * 0.5e-3 * 100.0**2
    for of in ("mean", "max", "rms"):
        assert loads["axle", "radial", of] == pytest.approx(unbalance, rel=2e-3)
    assert loads["axle", "speed"] == pytest.approx(100.0)
    assert [row["of"] for row in loads.rows] == ["mean", "max", "rms"]
    power = run.power_flow()
    assert power["motor", "power"] == pytest.approx(300.0, rel=1e-3)
    assert power["brake", "power"] == pytest.approx(-300.0, rel=1e-6)
    assert power["motor", "torque"] == pytest.approx(3.0, rel=1e-3)
    assert power["total", "power"] == pytest.approx(0.0, abs=0.5)
    # the force turns with the fan: over whole turns the ground feels none on average, and all of it at most
    turn = 2.0 * math.pi / 100.0
    whole = run.reactions("ground", after=0.1 - turn)
    assert whole["axle", "force"] == pytest.approx(unbalance, rel=2e-3)
    assert abs(whole["axle", "force_x"]) < 0.02 * unbalance
    assert abs(whole["axle", "force_x", "max"]) == pytest.approx(unbalance, rel=2e-3)
    with pytest.raises(pl.PitchlineError, match="no sample from 1 to inf s"):
        run.reactions("ground", after="1 s")


def test_tables_of_a_loaded_file_are_the_same(shaft: pl.Result, tmp_path: object) -> None:
    path = shaft.save(f"{tmp_path}/shaft.nc")
    assert pl.Result.load(path).bearing_loads().rows == shaft.bearing_loads().rows


def test_ends_of_beams_act_on_what_they_are_fixed_to() -> None:
    """A cantilever with a body at its tip: the ground feels all weights and loads."""
    m = pl.Model("cantilever", gravity=(0, -9.81, 0))
    tip = m.body("tip", mass=0.5, inertia=(1e-3, 1e-3, 1e-3), position=(0, 0, 0.4))
    m.beam("arm", m.ground.frame("root"), tip, section=pl.BeamSection.circle("20 mm"), elements=2)
    m.force("push", tip, (30.0, 0, 0))
    rest = pl.statics(m)
    table = rest.reactions()
    mass = 0.5 + m.beams["arm"].solid.mass
    found = [table["total", f"force_{axis}"] for axis in "xyz"]
    np.testing.assert_allclose(found, [30.0, -9.81 * mass, 0.0], atol=1e-5)
    assert table.names == ["arm start", "total"]
    assert table["total", "moment_y"] == pytest.approx(30.0 * 0.4, rel=1e-3)
    # the beam itself: what ground and tip exert on it carries its weight
    on_beam = rest.reactions("arm")
    np.testing.assert_allclose(
        [on_beam["total", f"force_{axis}"] for axis in "xyz"], [0, 9.81 * (mass - 0.5), 0], atol=1e-5
    )
