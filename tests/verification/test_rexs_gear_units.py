"""Gear units from REXS files: closed forms of speeds, torques and bearing loads, balances, axes."""

import math
from pathlib import Path

import numpy as np
import pytest
from references.rexs_builder import (
    RexsBuilder,
    bearing_unit,
    bevel_unit,
    pair_of_shafts,
    planetary_unit,
    worm_unit,
)
from references.rexs_files import TWO_STAGE

import pitchline as pl
from pitchline.exchange.rexs.bodies import operating_matrix
from pitchline.exchange.rexs.component import RexsComponent


def built(unit: RexsBuilder, folder: Path, **options: object) -> pl.Model:
    file = folder / "unit.rexs"
    file.write_text(unit.text(), encoding="utf-8")
    return pl.from_rexs(file, **options)


@pytest.fixture(scope="module")
def two_stage() -> tuple[pl.Model, pl.Result]:
    model = pl.from_rexs(TWO_STAGE)
    return model, pl.statics(model)


def test_masses_of_shafts_and_rotor(two_stage: tuple[pl.Model, pl.Result]) -> None:
    model, _ = two_stage
    for name, mass in (("Input shaft", 0.661089), ("Intermediate shaft", 1.293173), ("Output shaft", 2.014016)):
        sections = sum(
            7830.0 * math.pi / 12.0 * s.length
            * (s.outer**2 + s.outer * s.outer_end + s.outer_end**2 - s.inner**2 - s.inner * s.inner_end - s.inner_end**2)
            for s in model.shafts[name].sections
        )  # fmt: skip
        assert sections == pytest.approx(mass, abs=1e-6)


def test_the_free_load_balances_the_torque(two_stage: tuple[pl.Model, pl.Result]) -> None:
    _, result = two_stage
    ratio = 61 / 19 * 58 / 17
    # the deflected shafts have a slightly different lever: about 1e-8
    assert result["Output speed.torque"].values[0] == pytest.approx(-50.0 * ratio, rel=1e-7)
    model = pl.from_rexs(TWO_STAGE, mesh="rolling", shafts="rigid")
    assert pl.statics(model)["Output speed.torque"].values[0] == pytest.approx(-547.6780186, rel=1e-7)


def test_forces_and_moments_on_the_casing_balance_the_loads(two_stage: tuple[pl.Model, pl.Result]) -> None:
    model, result = two_stage
    weight, moment = np.zeros(3), np.zeros(3)
    gravity = model.gravity

    def add(mass: float, at: np.ndarray) -> None:
        weight[:] += mass * gravity
        moment[:] += np.cross(at, mass * gravity)

    for shaft in model.shafts.values():
        place = 0.0
        for section in shaft.sections:
            r, q = 0.5 * section.outer, 0.5 * section.outer_end
            s = r * r + r * q + q * q
            m = 7830.0 * math.pi * section.length * s / 3.0
            centre = section.length * (r * r + 2 * r * q + 3 * q * q) / (4.0 * s)
            if section.inner:
                hole = 7830.0 * math.pi * section.length * section.inner**2 / 4.0
                add(-hole, shaft.position + (place + 0.5 * section.length) * shaft.orientation[:, 2])
            add(m, shaft.position + (place + centre) * shaft.orientation[:, 2])
            place += section.length
    for wheel in model.wheels.values():
        if wheel.solid is not None:
            body = model.bodies[wheel.body_name]
            add(wheel.solid.mass, body.position)
    add(1.2, np.array([-0.05, 0.0, 0.0]))
    on_ground = result.reactions()
    total = {
        key: on_ground["total", key] for key in ("force_x", "force_y", "force_z", "moment_x", "moment_y", "moment_z")
    }
    largest = max(on_ground[row, "force"] for row in on_ground.names if row.startswith("Bearing"))
    force = np.array([total["force_x"], total["force_y"], total["force_z"]])
    assert np.abs(force - weight).max() < 1e-9 * largest
    turning = np.array([total["moment_x"], total["moment_y"], total["moment_z"]]) - moment - np.array([50.0, 0.0, 0.0])
    # masses move with the deflections, up to 30 um: 45 N * 30 um
    assert np.abs(turning).max() < 45.0 * 30e-6


def test_bearing_loads_agree_with_the_statics_of_a_shaft_on_two_bearings(tmp_path: Path) -> None:
    unit, ids = pair_of_shafts()
    for name in ("input_a", "input_b", "output_a", "output_b"):
        unit.change(ids[name], radial_stiffness=1e13, **({"axial_stiffness": 1e13} if name.endswith("a") else {}))
    result = pl.statics(built(unit, tmp_path, shafts="rigid"))
    beta, alpha = math.radians(15.0), math.radians(20.0)
    r = 20.0 / math.cos(beta) * 1e-3
    F_t = 20.0 / r
    F_r, F_a = F_t * math.tan(alpha) / math.cos(beta), F_t * math.tan(beta)
    # torque about +x of the pinion, mate at +y: the mate pushes its teeth along -z at the pitch point and away from the mate; its
    # teeth are right-hand, so that they are also pushed along +x
    force, point = np.array([F_a, -F_r, -F_t]), np.array([0.04, r, 0.0])
    assert np.allclose(result["Stage.force_a"].values[0], force, rtol=2e-5)
    a = np.array([0.01, 0.0, 0.0])
    about_a = np.cross(point - a, force)
    at_b = np.array([0.0, -about_a[2], about_a[1]]) / 0.08
    at_a = -force - at_b
    assert np.allclose(result["input b.force"].values[0], at_b, atol=2e-5 * F_t)
    assert np.allclose(result["input a.force"].values[0], at_a, atol=2e-5 * F_t)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"shafts": "rigid"}, {"mesh": "rolling"}], ids=["elastic", "rigid", "rolling"])
def test_planetary_stage_with_a_held_ring(tmp_path: Path, options: dict[str, str]) -> None:
    unit, _ = planetary_unit()
    model = built(unit, tmp_path, **options)
    result = pl.statics(model)
    assert result["Machine speed.torque"].values[0] == pytest.approx(-100.0 * (1 + 66 / 18), rel=1e-6)
    forces = [result[f"Sun-planet {n}.tangential_force"].values[0] for n in (1, 2, 3)]
    assert np.allclose(np.abs(forces), 100.0 / 0.027 / 3, rtol=2e-3)
    joint = model.drives["Machine speed"]
    assert joint.function(0.0) == pytest.approx(1200 * math.pi / 30 * 18 / 84)


def test_planets_at_uneven_angles_keep_their_places(tmp_path: Path) -> None:
    angles = (0.0, 90.0, 180.0)
    unit, _ = planetary_unit(angles=angles)
    model = built(unit, tmp_path)
    for n, angle in enumerate(angles, 1):
        v, w = 0.063 * math.sin(math.radians(angle)), 0.063 * math.cos(math.radians(angle))
        assert np.allclose(model.shafts[f"Planet shaft {n}"].position, (0.0, v, w), atol=1e-12)


def test_planets_start_with_the_motion_of_their_carrier(tmp_path: Path) -> None:
    """At the pitch points of sun and ring the velocities of the planets agree with those of sun and ring."""
    unit, _ = planetary_unit()
    model = built(unit, tmp_path, shafts="rigid")
    sun = 1200.0 * math.pi / 30.0
    for n, angle in enumerate((0.0, 120.0, 240.0), 1):
        planet = model.bodies[f"Planet shaft {n}"]
        out = np.array([0.0, math.sin(math.radians(angle)), math.cos(math.radians(angle))])
        centre = 0.063 * out
        at_sun = planet.velocity + np.cross(planet.angular_velocity, 0.027 * out - centre)
        at_ring = planet.velocity + np.cross(planet.angular_velocity, 0.099 * out - centre)
        assert np.allclose(at_sun, np.cross([sun, 0.0, 0.0], 0.027 * out), atol=1e-12)
        assert np.allclose(at_ring, 0.0, atol=1e-12)


def test_bevel_stage(tmp_path: Path) -> None:
    unit, _ = bevel_unit()
    model = built(unit, tmp_path, mesh="rolling")
    result = pl.statics(model)
    # input turns about +x, output about -y for these positions: both torques act against the motion
    assert result["Machine speed.torque"].values[0] == pytest.approx(100.0, rel=1e-6)
    assert model.shafts["Output shaft"].speed == pytest.approx(-600 * math.pi / 30 / 2)
    pinion = model.wheels["Pinion"]
    assert np.allclose(model.placed(pinion.frame)[0], (-0.06, 0.0, 0.0), atol=1e-12)  # mean pitch radius of the wheel


@pytest.mark.parametrize("hand", [1.0, -1.0], ids=["right", "left"])
def test_worm_stage(tmp_path: Path, hand: float) -> None:
    unit, ids = worm_unit(hand=hand)
    errors = []
    for factor in (
        10.0,
        100.0,
    ):  # deflections of the bearings turn the tooth force: the error is inverse to the stiffness
        for name in ("input_a", "input_b", "output_a", "output_b"):
            unit.change(ids[name], radial_stiffness=2.5e8 * factor)
            if name.endswith("a"):
                unit.change(ids[name], axial_stiffness=1.2e8 * factor)
        result = pl.statics(built(unit, tmp_path, shafts="rigid"))
        errors.append(result["Machine speed.torque"].values[0] + hand * 200.0)
    assert abs(errors[1]) < 0.01
    assert errors[0] / errors[1] == pytest.approx(10.0, rel=0.02)
    model = built(unit, tmp_path)
    assert model.shafts["Wheel shaft"].speed == pytest.approx(hand * 1000 * math.pi / 30 / 20)


def test_rolling_bearings_by_geometry_and_from_a_catalogue(tmp_path: Path) -> None:
    unit, _ = bearing_unit()
    model = built(unit, tmp_path)
    designs = {name: model.elements[name].design for name in ("Ball", "Roller", "fixed 6207", "floating 6207")}
    assert (designs["Ball"].balls, designs["Ball"].ball) == (9, pytest.approx(7.94e-3))
    assert designs["Ball"].inner_groove == pytest.approx(4.13 / 7.94)
    assert (designs["Roller"].rollers, designs["Roller"].length) == (13, pytest.approx(8e-3))
    assert designs["fixed 6207"].estimated
    loads = pl.statics(model).bearing_loads()
    beta = math.radians(15.0)
    F_a = 20.0 / (0.02 / math.cos(beta)) * math.tan(beta)
    assert abs(loads["Ball", "axial"]) == pytest.approx(F_a, rel=1e-3)
    assert abs(loads["fixed 6207", "axial"]) == pytest.approx(F_a, rel=1e-3)
    assert abs(loads["floating 6207", "axial"]) < 1e-3  # its outer ring slides


def test_tapered_roller_bearings_carry_axial_forces_in_their_own_direction(tmp_path: Path) -> None:
    unit, ids = pair_of_shafts(bearings=False)
    data = {
        "inner_diameter": 25.0, "outer_diameter": 52.0, "width": 16.25, "radial_dynamic_load_rating": 32.5,
        "radial_static_load_rating": 32.5, "catalogue_value_e": 0.37, "bearing_type": "radial_tapered_roller_bearing",
        "preload_force": 200.0, "radial_stiffness": None, "axial_stiffness": None,
        "kind": "rolling_bearing_with_catalog_geometry",
    }  # fmt: skip
    unit.bearing("left", ids["input"], 10.0, axial="negative", **data)
    unit.bearing("right", ids["input"], 90.0, axial="positive", **data)
    unit.bearing("a", ids["output"], 10.0, axial="both_directions")
    unit.bearing("b", ids["output"], 90.0)
    loads = pl.statics(built(unit, tmp_path)).bearing_loads()
    beta = math.radians(15.0)
    F_a = 20.0 / (0.02 / math.cos(beta)) * math.tan(beta)  # along +u on the pinion: the right bearing carries it
    assert loads["left", "axial"] > 0.0 > loads["right", "axial"]
    assert loads["left", "axial"] + loads["right", "axial"] == pytest.approx(-F_a, rel=1e-3)


def test_stiffness_at_the_operating_point_has_the_same_energy_in_our_axes() -> None:
    rng = np.random.default_rng(3)
    rows, columns = ("f_u", "f_v", "f_w", "m_v", "m_w"), ("d_u", "d_v", "d_w", "rot_v", "rot_w")
    matrix = rng.standard_normal((5, 5))
    matrix = matrix @ matrix.T
    from pitchline.exchange.mass_table import ImportReport
    from pitchline.exchange.rexs.component import RexsAttribute

    bearing = RexsComponent(1, "concept_bearing")
    units = {"fd": "N / m", "fr": "N / rad", "md": "N", "mr": "N mm / rad"}
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            key = f"operating_point_stiffness_{row}_{column}"
            unit = units[row[0] + column[0]]
            scale = 1e3 if unit == "N mm / rad" else 1.0
            bearing.attributes[key] = RexsAttribute(key, repr(float(matrix[i, j] * scale)), unit)
    turned = operating_matrix(bearing, ImportReport())
    assert turned is not None
    for _ in range(5):
        e = rng.standard_normal(5)  # u, v, w, turn about v, turn about w
        ours = np.array([e[2], -e[1], e[0], e[4], -e[3], 0.0])  # x = w, y = -v, z = u
        assert ours @ turned @ ours == pytest.approx(e @ matrix @ e, rel=1e-12)


def test_bearing_with_cross_terms_in_the_model(two_stage: tuple[pl.Model, pl.Result]) -> None:
    model, _ = two_stage
    expected = np.array([[2.6e8, -1e7], [-1e7, 2.4e8]])  # w w, w v, v v; y = -v changes the sign of the cross term
    assert np.allclose(model.loads["Bearing 6"].stiffness[:2, :2], expected)


def test_load_cases_of_the_file_give_the_numbers_of_the_models(tmp_path: Path) -> None:
    from pitchline.exchange.rexs.importing import import_rexs

    made = import_rexs(TWO_STAGE)
    (path,) = made.write(tmp_path / "unit.toml")
    runs = pl.load(path).run()
    assert list(runs) == ["case_1", "case_2"]
    for case in (1, 2):
        own = pl.statics(pl.from_rexs(TWO_STAGE, load_case=case))
        scale = 8000.0
        for name in ("Bearing 1", "Bearing 4", "Bearing 6"):
            assert np.allclose(
                runs[f"case_{case}"][f"{name}.force"].values, own[f"{name}.force"].values, atol=1e-9 * scale
            )
        sign = {1: -1.0, 2: 0.6}[case]
        assert own["Output speed.torque"].values[0] == pytest.approx(sign * 547.6780186, rel=1e-7)
