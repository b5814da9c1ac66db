"""Sums over all parts are complete, whatever the parts are: forces and moments on every body, powers and losses.

`references.part_machines` has a machine for each kind of part. A test compares its list with the declared elements: a new part
must be added there.
"""

import numpy as np
import pytest
from references.part_machines import ON_ONE_BODY, PLACES, rig

import pitchline as pl
from pitchline.declare.declared_element import FrameField, JointField
from pitchline.declare.search import declared_elements
from pitchline.results.interactions import Record, interactions


def machine(name: str) -> pl.Model:
    m, parts = rig()
    PLACES[name](m, parts)
    return m


def test_every_declared_element_between_bodies_has_a_machine() -> None:
    acting = {
        cls.__name__ for cls in declared_elements().values() if cls.fields_of(FrameField) or cls.fields_of(JointField)
    }
    placed = {type(part).__name__ for name in PLACES for part in machine(name).elements.values()}
    assert acting - placed == ON_ONE_BODY


def unbalanced(model: pl.Model, result: pl.Result) -> dict[str, float]:
    """Largest missing part of m a and dL/dt of each body, relative to the forces and moments on it."""
    record, found = Record(result), {}
    parts = list(interactions(record))
    for name, body in model.bodies.items():
        if body.mass == 0.0 or body.is_ground:
            continue
        x, R = record.pose(name)
        arm = R @ body.centre_of_mass
        force, moment = np.tile(body.mass * np.asarray(model.gravity), (record.count, 1)), np.zeros((record.count, 3))
        size = np.linalg.norm(force, axis=1)
        for part in parts:
            sign = (part.body_b == name) - (part.body_a == name)
            if sign:
                force, moment = force + sign * part.force, moment + sign * part.moment_about(x + arm)
                size = size + np.linalg.norm(part.force, axis=1) + np.linalg.norm(part.moment, axis=1)
        w, alpha = record.spin(name), result[f"{name}.angular_acceleration"].values
        a = result[f"{name}.acceleration"].values + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
        inertia = R @ body.inertia @ R.transpose(0, 2, 1)
        turned = np.einsum("nij,nj->ni", inertia, alpha) + np.cross(w, np.einsum("nij,nj->ni", inertia, w))
        missing = np.linalg.norm(force - body.mass * a, axis=1) + np.linalg.norm(moment - turned, axis=1)
        found[name] = float(np.max(missing[1:] / size[1:]))
    return found


@pytest.mark.parametrize("name", PLACES)
def test_forces_of_all_parts_move_every_body_and_powers_add_up(name: str) -> None:
    """Newton and Euler for each body in motion; power of all parts minus their losses changes the energy."""
    m = machine(name)
    step = "2 us" if name == "slipping belt" else "20 us"  # the slip follows its law only to the order of the step
    run = pl.dynamics(m, duration="0.4 ms", step=step)
    for body, missing in unbalanced(m, run).items():
        assert missing < 2e-5, body
    with_others = [row["name"] for row in run.reactions("frame").rows]
    assert len(with_others) >= 5 and with_others[-3] == "total"

    first = len(run.time) // 4  # before, the states of parts that start with another value follow their laws
    after = run.time[first]
    table, duration = run.power_flow(after=after), run.time[-1] - after
    stored = [run[f"energy.{kind}"].values for kind in ("kinetic", "potential")]
    change = sum(abs(x[-1] - x[first]) for x in stored)
    for column, energy in (("power", "work"), ("loss", "dissipated")):
        exchanged = run[f"energy.{energy}"].values
        limit = 5e-2 if name == "slipping belt" else 1e-3
        assert duration * table["total", column] == pytest.approx(
            exchanged[-1] - exchanged[first], rel=limit, abs=1e-3 * change
        )


def test_a_loss_free_belt_loses_nothing_and_a_motor_heats_its_winding() -> None:
    """A belt without damping, in steady motion against a load: all power arrives. The copper loss is R i^2."""
    m = pl.Model("belt")
    for name, x, speed in (("a", 0.0, 100.0), ("b", 0.3, 62.5)):
        body = m.body(name, mass=1, inertia=(0.01,) * 3, position=(x, 0, 0), angular_velocity=(0, 0, speed))
        m.revolute(f"j{name}", m.ground, body, at=(x, 0, 0), axis="z")
    m.belt_drive("belt", "a", "b", radius_a=0.05, radius_b=0.08, tensile_stiffness=1e6, pretension=500.0, axis="z")
    m.drive("motor", "ja", speed=100.0)
    m.torque("load", "jb", -4.0)
    run = pl.dynamics(m, duration="0.2 s", start=pl.kinematics(m, duration="1 ms"))
    table = run.power_flow(after="0.1 s")
    assert "belt" not in table.names
    assert table["motor", "power"] == pytest.approx(250.0, rel=1e-2)
    assert table["load", "power"] == pytest.approx(-250.0, rel=1e-2)
    assert table["total", "loss"] == 0.0

    m = machine("dc motor")
    run = pl.dynamics(m, duration="0.4 ms", step="20 us")
    current = run["part.armature_current"].values
    assert run.power_flow()["part", "loss"] == pytest.approx(
        np.trapezoid(current**2, run.time) / run.time[-1], rel=1e-9
    )


def test_reactions_of_membranes_and_ratios_in_statics() -> None:
    """A plate that a membrane holds against 100 N; a torque that a ratio divides between two axes and the ground."""
    m = pl.Model("membrane", gravity=(0, 0, 0))
    plate = m.body("plate", mass=1, inertia=(0.01,) * 3, position=(0.1, 0, 0))
    m.prismatic("guide", m.ground, plate, axis="x")
    mesh = pl.MembraneMesh.patch([(0, 0, 0), (0.1, 0, 0), (0.1, 0.1, 0), (0, 0.1, 0)], (2, 2))
    m.membrane("sheet", mesh, thickness="1 mm", attached={"ground": "side 4", "plate": "side 2"}, prestress=1e6)
    m.force("load", plate, (100.0, 0, 0))
    table = pl.statics(m).reactions()
    assert table["total", "force_x"] == pytest.approx(100.0, rel=1e-6)
    assert table["sheet", "force_x"] == pytest.approx(100.0, rel=1e-6)

    m = pl.Model("ratio")
    for name, x in (("a", 0.0), ("b", 0.3)):
        m.revolute(
            f"j{name}", m.ground, m.body(name, mass=1, inertia=(0.01,) * 3, position=(x, 0, 0)), at=(x, 0, 0), axis="z"
        )
    m.ratio("ratio", "ja", "jb", ratio=-2)
    m.torsion_spring("spring", "jb", stiffness=1e3)
    m.torque("load", m.bodies["a"], (0, 0, 10.0))
    table = pl.statics(m).reactions()
    assert table["spring", "moment_z"] == pytest.approx(-20.0, rel=1e-6)
    assert table["ratio", "moment_z"] == pytest.approx(30.0, rel=1e-6)
    assert table["total", "moment_z"] == pytest.approx(10.0, rel=1e-6)


def test_saved_results_have_the_same_tables(tmp_path: object) -> None:
    run = pl.dynamics(machine("torque converter"), duration="0.4 ms", step="20 us")
    loaded = pl.Result.load(run.save(f"{tmp_path}/run.nc"))
    assert loaded.power_flow(after="0.1 ms").rows == run.power_flow(after="0.1 ms").rows
    assert loaded.reactions("b").rows == run.reactions("b").rows
