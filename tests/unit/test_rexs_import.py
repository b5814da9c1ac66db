"""Import of gear units from REXS: places, couplings, loads, gears, load cases, the model file."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from references.fuzzed_readers import READERS
from references.mutations import survives
from references.rexs_builder import (
    RexsBuilder,
    bearing_unit,
    bevel_unit,
    pair_of_shafts,
    planetary_unit,
    saved,
    worm_unit,
)
from references.rexs_files import TWO_STAGE

import pitchline as pl
from pitchline.exchange.rexs.importing import import_rexs
from pitchline.exchange.safe_xml import ExchangeError


def report_of(model: pl.Model) -> str:
    return pl.rexs_origin(model).report.text()


# ------------------------------------------------------------------------------------------------ places and names


def test_shafts_without_vectors_are_placed_by_centre_distance_and_angle(tmp_path: Path) -> None:
    unit, ids = pair_of_shafts()
    reference = pl.from_rexs(saved(unit, tmp_path))
    for name in ("input", "output"):
        unit.change(ids[name], support_vector=None, u_axis_vector=None, w_axis_vector=None)
    model = pl.from_rexs(saved(unit, tmp_path))
    for name in ("Input shaft", "Output shaft"):
        assert np.allclose(model.shafts[name].position, reference.shafts[name].position, atol=1e-12)
    assert "placed by the centre distance" in report_of(model)


def test_a_bearing_of_which_u_points_back_is_at_the_same_place(tmp_path: Path) -> None:
    unit, ids = pair_of_shafts()
    unit.change(ids["input_a"], **unit.placed((10, 0, 0), u=(-1, 0, 0), w=(0, 0, 1)))
    model = pl.from_rexs(saved(unit, tmp_path))
    assert np.allclose(model.bodies["Input shaft input a"].position, (0.01, 0.0, 0.0), atol=1e-12)


def test_vectors_win_over_coordinates(tmp_path: Path) -> None:
    unit, ids = pair_of_shafts()
    unit.change(ids["input_b"], **unit.placed((80, 0, 0)))
    model = pl.from_rexs(saved(unit, tmp_path))
    assert np.allclose(model.bodies["Input shaft input b"].position, (0.08, 0.0, 0.0), atol=1e-12)


def test_odd_and_equal_names(tmp_path: Path) -> None:
    unit, ids = pair_of_shafts()
    for name in ("input_a", "input_b", "output_a"):
        kind, _, attributes = unit.parts[ids[name]]
        unit.parts[ids[name]] = kind, " L/1.2 [ü]* ", attributes
    kind, _, attributes = unit.parts[ids["output_b"]]
    unit.parts[ids["output_b"]] = kind, None, attributes
    kind, _, attributes = unit.parts[ids["input"]]
    unit.parts[ids["input"]] = kind, "ground", attributes
    made = import_rexs(saved(unit, tmp_path))
    names = {name: number for name, number in pl.rexs_origin(made.model).parts.items() if number in ids.values()}
    assert {names[name] for name in names} >= {ids["input_a"], ids["input_b"], ids["output_a"], ids["output_b"]}
    assert "L_1_2 (ü)_" in made.model.loads and f"concept_bearing {ids['output_b']}" in made.model.loads
    (path,) = made.write(tmp_path / "a.toml")
    assert set(pl.load(path).model.loads) == set(made.model.loads)


# ------------------------------------------------------------------------------------------------ couplings and loads


def coupled(**stiffness: object) -> tuple[RexsBuilder, dict[str, int]]:
    """The machine on a shaft of its own, behind a coupling."""
    unit, ids = pair_of_shafts()
    y = unit.parts[ids["output"]][2]["support_vector"][1]
    ids["machine"] = unit.shaft("Machine shaft", (110, y, 0), [(100.0, 35.0)])
    kind = "switchable_coupling" if "is_engaged" in stiffness else "coupling"
    ids["coupling"] = unit.add(kind, "Coupling", **unit.placed((105, y, 0)), **stiffness)
    unit.relate("side", assembly=ids["coupling"], inner_part=ids["output"], outer_part=ids["machine"])
    unit.bearing("machine a", ids["machine"], 20.0, axial="both_directions")
    unit.bearing("machine b", ids["machine"], 80.0)
    unit.relations = [one for one in unit.relations if ("part", ids["free"]) not in one[2]]
    unit.relate("assembly", assembly=ids["machine"], part=ids["free"])
    return unit, ids


@pytest.mark.parametrize(
    "stiffness",
    [
        {},
        {"radial_stiffness": 1e20, "axial_stiffness": 1e20, "bending_stiffness": 1e20, "rotational_stiffness": 1e20},
        {"radial_stiffness": 1e6, "axial_stiffness": 1e6, "bending_stiffness": 1e5, "rotational_stiffness": 2e7},
        {"radial_stiffness": 1e20, "axial_stiffness": 1e20, "bending_stiffness": 1e20, "rotational_stiffness": 2e7},
        {"is_engaged": True, "rotational_stiffness": 2e7},
    ],
    ids=["rigid by default", "rigid", "elastic", "torsion only", "switchable"],
)
@pytest.mark.parametrize("shafts", ["elastic", "rigid"])
def test_couplings_transmit_the_torque(stiffness: dict[str, object], shafts: str, tmp_path: Path) -> None:
    unit, _ = coupled(**stiffness)
    model = pl.from_rexs(saved(unit, tmp_path), shafts=shafts)
    assert pl.statics(model)["Machine speed.torque"].values[0] == pytest.approx(41.0, rel=1e-6)


def test_gear_shifts(tmp_path: Path) -> None:
    unit, _ = coupled(is_engaged=[True, False], rotational_stiffness=2e7)
    file = saved(unit, tmp_path)
    assert "Coupling" in pl.from_rexs(file).elements
    other = pl.from_rexs(file, gear_shift=2)
    assert "Coupling" not in other.elements
    assert "not engaged in gear 2" in report_of(other)
    with pytest.raises(ExchangeError, match='attribute "is_engaged": has 2 gears; gear 3 does not exist'):
        pl.from_rexs(file, gear_shift=3)


def test_power_gives_the_torque(tmp_path: Path) -> None:
    unit, ids = pair_of_shafts()
    unit.change(ids["load"], torque_around_u_axis=None, power=2.0)
    model = pl.from_rexs(saved(unit, tmp_path))
    assert pl.statics(model)["Motor.torque"].values[0, 0] == pytest.approx(2000.0 / (1000 * math.pi / 30))


def test_without_a_free_load_the_given_speed_is_prescribed(tmp_path: Path) -> None:
    unit, ids = pair_of_shafts()
    unit.change(ids["free"], defines_torque=True, torque_around_u_axis=40.0)
    model = pl.from_rexs(saved(unit, tmp_path))
    assert "the given torques leave" in report_of(model)
    # 20 N m - 40 N m * 20/41 is left at the input
    assert pl.statics(model)["Input shaft speed.torque"].values[0] == pytest.approx(40 * 20 / 41 - 20, rel=1e-6)


def test_forces_act_in_the_axes_of_the_shaft(tmp_path: Path) -> None:
    unit, ids = pair_of_shafts()
    unit.load(
        "Belt",
        ids["output"],
        100.0,
        defines_torque=True,
        force_v_direction=-300.0,
        force_w_direction=50.0,
        torque_around_u_axis=0.0,
    )
    result = pl.statics(pl.from_rexs(saved(unit, tmp_path)))
    assert np.allclose(result["Belt.force"].values[0], (0.0, -300.0, 50.0))


def test_additional_masses_off_the_axis(tmp_path: Path) -> None:
    unit, ids = pair_of_shafts(gravity=True)
    mass = unit.add("additional_mass", "Disc", u_coordinate_on_shaft=50.0, mass_of_component=3.0, moment_of_inertia_u_axis=0.01,
                    eccentricity_vector=(0.0, 0.0, 2.0))  # fmt: skip
    unit.relate("assembly", assembly=ids["input"], part=mass)
    element = pl.from_rexs(saved(unit, tmp_path)).elements["Disc"]
    assert np.allclose(element.centre_of_mass, (0.002, 0.0, 0.0), atol=1e-12)  # x = w
    assert element.mass == pytest.approx(3.0)


# ------------------------------------------------------------------------------------------------ gears


def _with_modifications(datum: str) -> RexsBuilder:
    unit, ids = pair_of_shafts()
    unit.change(ids["pinion"], datum_face_orientation=datum)
    left, right = unit.flanks(ids["pinion"])
    for flank in (left, right):
        relief = unit.add(
            "tip_relief", None, tip_relief_depth=0.02, tip_relief_datum_length=2.0, shape_of_relief="parabolic"
        )
        unit.relate("reference", origin=flank, referenced=relief)
    for kind, values in (
        ("end_relief_datum_face", {"end_relief_depth_datum_face": 0.01, "end_relief_length_datum_face": 3.0}),
        ("helix_crowning", {"helix_crowning_amount_datum_face": 0.006, "helix_crowning_amount_non_datum_face": 0.002}),
        ("profile_crowning", {"profile_crowning_amount_tip": 0.003, "profile_crowning_amount_root": 0.003}),
        ("profile_slope", {"profile_slope": 0.005}),
        ("helix_slope", {"helix_slope": 0.004}),
        ("profile_twist", {"profile_twist": 0.001}),
        ("root_relief", {"root_relief_depth": 0.01, "root_relief_datum_length": 1.0}),
    ):
        unit.relate("reference", origin=left, referenced=unit.add(kind, None, **values))
    return unit


@pytest.mark.parametrize("datum", ["negative", "positive"])
def test_modifications_by_the_datum_face(datum: str, tmp_path: Path) -> None:
    gear = pl.from_rexs(saved(_with_modifications(datum), tmp_path)).wheels["Pinion"].gear
    assert isinstance(gear, pl.Gear)
    found = gear.modifications
    many, few = (found.left, found.right) if datum == "positive" else (found.right, found.left)
    parts = {type(one): one for one in many}
    assert [type(one) for one in few] == [pl.TipRelief]
    assert parts[pl.TipRelief].shape == "parabolic" and parts[pl.TipRelief].amount == pytest.approx(20e-6)
    assert parts[pl.EndRelief].end == ("upper" if datum == "positive" else "lower")
    assert parts[pl.LeadCrowning].amount == pytest.approx(4e-6)
    assert {pl.ProfileCrowning, pl.PressureAngleSlope, pl.HelixSlope, pl.Bias, pl.RootRelief} <= set(parts)


def test_loaded_contact_gets_the_bores_that_its_finite_elements_need() -> None:
    model = pl.from_rexs(TWO_STAGE, mesh="loaded")
    assert model.wheels["Gear 2"].gear.bore == pytest.approx(0.035)  # diameter of its shaft
    pinion = model.wheels["Gear 1"].gear
    assert pinion.bore == pytest.approx(0.6 * pinion.root_diameter, abs=1e-4)
    assert isinstance(model.gear_pairs["Stage 1"].mesh, pl.Loaded)


def test_profile_shift_from_the_centre_distance(tmp_path: Path) -> None:
    unit, ids = pair_of_shafts()
    for flank in unit.flanks(ids["wheel"]):
        unit.change(flank, addendum_modification_coefficient=None)
    distance = unit.parts[ids["stage"]][2]["center_distance"] + 1.0
    unit.change(ids["stage"], center_distance=distance)
    unit.change(ids["output"], support_vector=(0, distance, 0))
    model = pl.from_rexs(saved(unit, tmp_path))
    pair = pl.GearPair(*(model.wheels[name].gear for name in ("Pinion", "Wheel")))
    assert pair.centre_distance == pytest.approx(distance * 1e-3, abs=1e-9)


def test_helix_of_a_ring_gets_the_hand_of_its_planets(tmp_path: Path) -> None:
    unit, _ = planetary_unit()
    for _, (kind, name, attributes) in unit.parts.items():
        if kind in ("cylindrical_gear", "ring_gear"):
            sign = -1.0 if str(name).startswith("Sun") or kind == "ring_gear" else 1.0
            attributes["helix_angle_reference_diameter"] = sign * 10.0
    scale = 1.0 / math.cos(math.radians(10.0))
    for _, _, attributes in unit.parts.values():
        if "center_distance" in attributes:
            attributes["center_distance"] *= scale
        if "support_vector" in attributes:
            u, v, w = attributes["support_vector"]
            attributes["support_vector"] = (u, v * scale, w * scale)
    model = pl.from_rexs(saved(unit, tmp_path))
    assert model.wheels["Ring"].gear.helix_angle == pytest.approx(math.radians(10.0))
    assert "helix angle with the sign of its planets" in report_of(model)


# ------------------------------------------------------------------------------------------------ load cases and model files


def test_the_file_has_parameters_and_one_analysis_for_each_case(tmp_path: Path) -> None:
    unit, _ = bearing_unit()
    made = import_rexs(saved(unit, tmp_path))
    (path,) = made.write(tmp_path / "model.toml")
    file = pl.load(path)
    assert set(file.parameters) == {"speed", "motor_torque"}
    assert [(step.name, step.kind) for step in file.steps] == [("case_1", "statics"), ("case_2", "statics")]
    assert dict(file.steps[1].parameters) == {"speed": "500 rpm", "motor_torque": "-10.0 N*m"}
    assert "# load case 2: 70 % of the operating time" in path.read_text(encoding="utf-8")


def test_cases_that_change_the_structure_are_left_out_of_the_file_and_named(tmp_path: Path) -> None:
    unit, ids = bearing_unit()
    unit.cases[1, 2][ids["fixed"]] = {"radial_stiffness": 1e8}
    made = import_rexs(saved(unit, tmp_path))
    assert any(
        "load case 2 in the model file, because it changes radial_stiffness" in text
        for text in made.report.of("ignored")
    )
    assert 'name = "case_2"' not in made.file_text()
    own = import_rexs(tmp_path / "unit.rexs", load_case=2)
    assert 'name = "case_2"' in own.file_text()


def test_loads_only_in_cases(tmp_path: Path) -> None:
    unit, ids = bearing_unit()
    unit.change(ids["load"], torque_around_u_axis=None)
    unit.change(ids["input"], rotational_speed=None)
    unit.cases[1, 1][ids["input"]] = {"rotational_speed": 100.0}
    file = saved(unit, tmp_path)
    assert pl.rexs_origin(pl.from_rexs(file)).case == (1, 1)
    text = import_rexs(file).file_text()
    assert 'motor_torque = "20.0 N*m"' in text and 'name = "case_2"' in text


def test_several_spectra(tmp_path: Path) -> None:
    unit, ids = bearing_unit()
    unit.case(1, {ids["load"]: {"torque_around_u_axis": 7.0}}, spectrum=2)
    file = saved(unit, tmp_path)
    with pytest.raises(ExchangeError, match="is in several load spectra"):
        pl.from_rexs(file, load_case=1)
    model = pl.from_rexs(file, load_case="2/1")
    assert pl.rexs_origin(model).case == (2, 1)
    assert pl.statics(model)["Motor.torque"].values[0, 0] == pytest.approx(7.0)


@pytest.mark.parametrize(
    ("unit", "options"),
    [
        (planetary_unit, {}),
        (planetary_unit, {"shafts": "rigid", "mesh": "rolling"}),
        (bevel_unit, {}),
        (worm_unit, {}),
        (bearing_unit, {}),
        (bearing_unit, {"bearings": "stiffness"}),
    ],
    ids=["planetary", "rigid planetary", "bevel", "worm", "bearings", "rigid bearings"],
)
@pytest.mark.slow
def test_the_model_file_is_the_model(
    unit: Callable[[], tuple[RexsBuilder, dict[str, int]]], options: dict[str, str], tmp_path: Path
) -> None:
    from pitchline.model.describe import describe

    made = import_rexs(saved(unit()[0], tmp_path), **options)
    (path,) = made.write(tmp_path / "model.toml")
    _same(describe(pl.load(path).model), describe(made.model))


def _same(a: object, b: object, where: str = "") -> None:
    """Equal data; numbers to 1e-12."""
    if isinstance(a, dict) and isinstance(b, dict):
        assert a.keys() == b.keys(), where
        for key in a:
            _same(a[key], b[key], f"{where}.{key}")
    elif isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        assert len(a) == len(b), where
        for n, (x, y) in enumerate(zip(a, b, strict=True)):
            _same(x, y, f"{where}[{n}]")
    elif isinstance(a, float) or isinstance(b, float):
        assert a == pytest.approx(b, rel=1e-12, abs=1e-12), where
    else:
        assert a == b, where


@pytest.mark.slow
def test_damaged_files(tmp_path: Path) -> None:
    read, files = READERS["rexs-model"]()
    assert survives(read, files, range(150), tmp_path) > 0
