"""Loaded contact of wheels as they stand at the end of a result: tilted on their supports, and farther apart."""

import math
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.parts.meshes.analysis import standing_at, torque_at
from pitchline.parts.meshes.table_request import standing_of_poses

WIDTH = 15e-3
PINION = pl.Gear(teeth=18, normal_module="3 mm", face_width=WIDTH, bore="20 mm")
WHEEL = pl.Gear(teeth=24, normal_module="3 mm", face_width=WIDTH, bore="30 mm")
LOAD = 100.0


def pair(mesh: Any, *, tilting: tuple[float, float] = (0.0, 0.0), soft: float = 1e12, turned: float = 0.0) -> pl.Model:
    m = pl.Model("pair", gravity=(0, 0, 0))
    a = m.gear_body("a", PINION, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", WHEEL, mesh_with=a, towards=(math.cos(turned), math.sin(turned), 0.0))
    m.drive("held", m.revolute("in", m.ground, a), angle=0)
    m.bushing("out", m.ground, b, axis="z", stiffness=(soft, soft, soft, 2e4, 2e4, 0))
    m.torque("load", b, (*tilting, LOAD))
    m.gear_pair("mesh", a, b, mesh=mesh)
    return m


FELT = pl.Elastic("2e8 N/m", tilt=True, backlash="100 um")


@pytest.mark.parametrize("internal", [False, True])
def test_poses_are_read_as_those_in_which_wheels_are_put_in_mesh(internal: bool) -> None:
    """The standing of the initial pose, misaligned and off the face, from the poses alone."""
    second = (
        pl.Gear(teeth=60, normal_module="3 mm", face_width=WIDTH, internal=True, rim_diameter="220 mm")
        if internal
        else WHEEL
    )
    m = pl.Model("pair")
    a = m.gear_body("a", PINION, position=(0.1, 0.2, 0.3), axis=(1.0, 2.0, -2.0))
    placed = pl.GearPair(PINION, second).place(position=a.position, rotation=a.orientation, towards=a.orientation[:, 1])
    R = placed.rotation @ np.array([[1.0, 0.0, 3e-4], [0.0, 1.0, -2e-4], [-3e-4, 2e-4, 1.0]])
    R = np.linalg.qr(R)[0] * np.sign(np.diag(np.linalg.qr(R)[1]))
    b = m.gear_body("b", second, position=placed.position + 2e-3 * a.orientation[:, 2], orientation=R)
    made = m.gear_pair("mesh", a, b, mesh=pl.Rolling())
    found = standing_of_poses(made.pair, *(m.placed(w.frame) for w in (made.wheel_a, made.wheel_b)))
    assert made.standing is not None
    for name in ("centre_distance", "face_offset", "deviation", "inclination"):
        assert getattr(found, name) == pytest.approx(getattr(made.standing, name), abs=1e-9)
    assert abs(found.deviation) > 1e-4 and abs(found.inclination) > 1e-4


def test_contact_at_the_tilt_of_the_equilibrium() -> None:
    """As gears with that misalignment in the plane of action; K_Hbeta is greater than as built, and the load leans to the same
    end as in the model."""
    rest = pl.statics(pair(FELT, tilting=(8.0, 0.0)))
    m = pair(FELT)
    found = pl.loaded_contact(m, "mesh", about=rest, positions=1)
    assert found.torque == pytest.approx([LOAD], rel=1e-5)
    tilt = float(rest["mesh.tilt"].final)
    stands = standing_at(m, "mesh", rest, "test")
    alike = pl.loaded_contact(
        PINION, WHEEL, torque=LOAD, misalignment=tilt, positions=1, centre_distance=stands.centre_distance
    )
    built = pl.loaded_contact(m, "mesh", torque=LOAD, positions=1)
    assert found.face_load_factor == pytest.approx(alike.face_load_factor, rel=0.01)
    assert (found.face_load_factor > built.face_load_factor + 0.15).all()
    assert found.face_load[0, 0] @ found.widths == pytest.approx(LOAD / found.base_radius, rel=1e-5)
    assert (found.face_load.max(axis=2) * WIDTH / (LOAD / found.base_radius)) == pytest.approx(
        found.face_load_factor, rel=1e-5
    )
    leans = float(found.face_load[0, 0] @ (found.faces * found.widths))
    assert leans * tilt > 0.0
    # springs give way as a whole wheel does, all compliance in each of them: their load is more even than that of teeth
    assert 1.1 < float(rest["mesh.face_load_factor"].final) < float(found.face_load_factor.mean())


def test_centres_that_give_way_are_farther_apart() -> None:
    m = pair(FELT, soft=2e7, turned=2.0)
    rest = pl.statics(m)
    force = torque_at(m, "mesh", rest, "test") / (0.5 * WHEEL.base_diameter)
    stands = standing_at(m, "mesh", rest, "test")
    built = m.gear_pairs["mesh"].standing
    assert built is not None
    apart = stands.centre_distance - built.centre_distance
    assert apart == pytest.approx(force * math.sin(math.radians(20.0)) / 2e7, rel=0.01)
    assert stands.pitch_point == built.pitch_point and stands.start == built.start


def test_what_is_missing_is_said() -> None:
    m = pair(FELT)
    with pytest.raises(pl.ModelError, match=r"specify torque=.* \(on gear B\), or about="):
        pl.loaded_contact(m, "mesh")
    with pytest.raises(pl.ModelError, match="about must be a result"):
        pl.loaded_contact(m, "mesh", about="statics")  # type: ignore[arg-type]
    with pytest.raises(pl.ModelError, match="Specify the model and the name of a pair"):
        pl.loaded_contact(PINION, WHEEL, about=pl.statics(m))
    other = pl.Model("other")
    other.body("c", mass=1.0, inertia=(1.0, 1.0, 1.0))
    with pytest.raises(pl.ModelError, match='has no body "a"'):
        pl.loaded_contact(m, "mesh", about=pl.kinematics(other, duration=1.0))
