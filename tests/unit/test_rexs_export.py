"""Models and results in REXS files: what is written, what is reported, and what comes back."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from references.rexs_files import TWO_STAGE

import pitchline as pl
from pitchline.base.storage.free_names import StorageError
from pitchline.exchange.rexs.importing import from_rexs
from pitchline.model import MeshLaw
from pitchline.results.result import Result

SECTION = pl.ShaftSection


def stage() -> pl.Model:
    """One helical stage on elastic shafts with bushings, and a coupling to the casing."""
    m = pl.Model("stage", gravity=(0, 0, -9.81))
    pinion = pl.Gear(
        teeth=19, normal_module="3 mm", helix_angle="15 deg", face_width="45 mm", bore="40 mm", profile_shift=0.2,
        modifications=[pl.TipRelief("15 um", diameter="64 mm"), pl.LeadCrowning("4 um")],
    )  # fmt: skip
    wheel = pl.Gear(teeth=63, normal_module="3 mm", helix_angle="-15 deg", face_width="45 mm", bore="50 mm")
    distance = pl.GearPair(pinion, wheel).centre_distance
    places = {"left": "15 mm", "gear": "70 mm", "right": "130 mm"}
    first = m.shaft(
        "input",
        [SECTION("30 mm", outer="30 mm"), SECTION("120 mm", outer="40 mm", outer_end="35 mm", inner="5 mm")],
        stations=places,
    )
    second = m.shaft("output", [SECTION("170 mm", outer="50 mm")], position=(distance, 0, 0), stations=places)
    for name, shaft in (("A", first), ("B", second)):
        m.bushing(f"{name}1", m.ground, shaft["left"], stiffness=(3e8, 4e8, 2e8, 1e4, 2e4, 0))
        m.bushing(f"{name}2", m.ground, shaft["right"], stiffness=(3e8, 3e8, 0, 0, 0, 0))
    m.wheel("pinion", first["gear"], pinion)
    m.wheel("wheel", second["gear"], wheel)
    m.gear_pair("mesh", "pinion", "wheel", mesh=pl.Elastic(stiffness=7e8, backlash="0.1 mm"))
    m.torque("motor", first["start"], (0, 0, 200))
    m.force("side", first["right"], (300, -200, 50))
    m.coupling("machine", m.ground, second["end"], pl.ElasticCoupling("1e6 N*m/rad"))
    m.attached_mass("rotor", first["end"], mass=1.5, inertia=(0.001, 0.002, 0.003))
    return m


@pytest.fixture(scope="module")
def solved() -> tuple[pl.Model, Result]:
    m = stage()
    return m, pl.statics(m)


@pytest.fixture(scope="module")
def written(solved: tuple[pl.Model, Result], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rexs") / "stage.rexs"
    report = pl.to_rexs(solved[0], path, results=solved[1])
    assert report.left_out == []
    return path


def test_a_new_file_follows_the_standard(written: Path) -> None:
    document = pl.read_rexs(written)
    assert document.version == "1.7"
    assert pl.check_rexs(document) == []
    counts = document.counts()
    assert (counts["shaft"], counts["cylindrical_gear"], counts["concept_bearing"], counts["coupling"]) == (2, 2, 4, 1)
    tool = document.of_type("rack_shaped_tool")[0]
    assert "tip_radius_factor" in tool.attributes or "tip_corner_radius_factor_reference_profile" not in tool.attributes
    assert document.of_type("material")[0].attributes["elastic_modulus"].unit == "N / mm^2"
    assert document.of_type("tip_relief")[0].number("tip_relief_depth") == pytest.approx(15e-6, rel=1e-12)


def test_a_new_file_of_version_2(solved: tuple[pl.Model, Result], tmp_path: Path) -> None:
    pl.to_rexs(solved[0], tmp_path / "a.rexsj", results=solved[1], version="2.0.0")
    document = pl.read_rexs(tmp_path / "a.rexsj")
    assert (document.version, document.container) == ("2.0.0", "json")
    assert document.of_type("material")[0].attributes["elastic_modulus"].unit == "MPa"
    assert pl.check_rexs(document) == []


def test_the_file_gives_the_same_loads_of_bearings(solved: tuple[pl.Model, Result], written: Path) -> None:
    """The model that is read from the file is another one, built by other code; the statics agree."""
    model, rest = solved
    again = from_rexs(written)
    pair, other = model.gear_pairs["mesh"].pair, again.gear_pairs["mesh"].pair
    assert other.centre_distance == pytest.approx(pair.centre_distance, rel=1e-12)
    assert other.a.profile_shift == pytest.approx(pair.a.profile_shift, rel=1e-12)
    assert again.gear_pairs["mesh"].mesh.stiffness == (pytest.approx(7e8, rel=1e-12),)
    rerun = pl.statics(again)
    for name in ("A1", "A2", "B1", "B2"):
        np.testing.assert_allclose(
            rerun[f"{name}.force"].values[0], rest[f"{name}.force"].values[0], rtol=1e-6, atol=1e-3
        )


@pytest.mark.parametrize("along", [None, "normal", "hoop"])
def test_directions_of_stiffness_and_backlash(along: str | None, tmp_path: Path) -> None:
    """Files have the stiffness of ISO 6336, on the base circle, and the normal backlash, whatever the direction in the model."""
    m = stage()
    made = m.gear_pairs["mesh"]
    mesh = pl.Elastic(stiffness=7e8, backlash="0.1 mm", along=along)
    law = MeshLaw.of(mesh, made.pair, 1.0, 1.0)
    m._gear_pairs["mesh"] = replace(made, mesh=mesh, known_law=law)
    pl.to_rexs(m, tmp_path / "a.rexs")
    document, again = pl.read_rexs(tmp_path / "a.rexs"), from_rexs(tmp_path / "a.rexs").gear_pairs["mesh"]
    (written,) = document.of_type("cylindrical_stage")
    slope = math.cos(made.pair.a.base_helix_angle)
    per_width = written.number("mesh_stiffness_for_load_distribution_along_face_width")
    assert per_width * 0.045 == pytest.approx(law.mean_stiffness, rel=1e-12)
    assert written.number("minimum_normal_backlash") == pytest.approx(law.backlash * slope, rel=1e-12)
    assert again.law.mean_stiffness == pytest.approx(law.mean_stiffness, rel=1e-12)
    assert again.law.backlash == pytest.approx(law.backlash, rel=1e-12)
    if along == "normal":
        assert written.number("minimum_normal_backlash") == pytest.approx(1e-4, rel=1e-12)
        assert per_width * 0.045 == pytest.approx(7e8 * slope**2, rel=1e-12)


def test_results_are_in_a_load_case_in_the_units_of_the_standard(
    solved: tuple[pl.Model, Result], written: Path
) -> None:
    model, rest = solved
    document = pl.read_rexs(written)
    case = document.spectra[0].cases[0]
    numbers = {part.name: part.id for part in document.components.values()}
    bearing = case.components[numbers["A1"]]
    x, y, z = rest["A1.force"].values[0]
    acting = [bearing.number(f"force_acting_on_inner_component_{axis}") for axis in "uvw"]
    np.testing.assert_allclose(acting, [z, -y, x], rtol=1e-12)
    reaction = [bearing.number(f"force_acting_on_outer_component_{axis}") for axis in "uvw"]
    np.testing.assert_allclose(reaction, [-z, y, -x], rtol=1e-12)
    moved = rest["input left.deflection"].values[0]
    shift = [bearing.number(f"displacement_inner_side_{axis}") for axis in "uvw"]
    np.testing.assert_allclose(shift, [moved[2], -moved[1], moved[0]], rtol=1e-12)
    assert bearing.attributes["displacement_inner_side_u"].unit == "mum"
    found = case.components[numbers["mesh"]]
    assert found.number("radial_contact_ratio") == pytest.approx(
        model.gear_pairs["mesh"].pair.transverse_contact_ratio, rel=1e-12
    )
    data = case.components[numbers["pinion in mesh"]]
    total = [data.number(f"total_tooth_force_{axis}_direction") for axis in "uvw"]
    assert np.linalg.norm(total) == pytest.approx(np.linalg.norm(rest["mesh.force_a"].values[0]), rel=1e-12)
    assert data.attributes["total_tooth_force_u_direction"].unit == "kN"
    shaft = case.components[numbers["input"]]
    places = shaft.require_numbers("u_coordinates_of_beam_nodes")
    assert (places[0], places[-1], len(shaft.require_numbers("torsion_u"))) == (0.0, pytest.approx(0.15), len(places))


def test_lives_of_rolling_bearings_are_in_hours(tmp_path: Path) -> None:
    m = pl.Model("spindle")
    shaft = m.shaft(
        "shaft", [SECTION("120 mm", outer="30 mm")], stations={"a": "20 mm", "b": "100 mm"}, speed="1000 rpm"
    )
    ball = pl.DeepGrooveBall.from_catalogue(bore="30 mm", outer="72 mm", width="19 mm", C="29.6 kN", C0="16 kN")
    angular = pl.AngularContactBall(
        balls=12, ball="9 mm", pitch="46 mm", contact_angle="25 deg", rating="20 kN", static_rating="15 kN"
    )
    m.bearing("A", m.ground, shaft["a"], ball)
    m.bearing("B", m.ground, shaft["b"], angular, flipped=True)
    m.force("load", shaft["end"], (1000, 0, -300))
    m.bushing("held", m.ground, shaft["start"], stiffness=(0, 0, 0, 0, 0, 1e5))
    rest = pl.statics(m)
    pl.to_rexs(m, tmp_path / "a.rexs", results=rest)
    document = pl.read_rexs(tmp_path / "a.rexs")
    assert pl.check_rexs(document) == []
    kinds = {
        part.name: (part.type, part.string("bearing_type"), part.string("axial_force_absorption"))
        for part in document.components.values()
    }
    assert kinds["A"] == ("rolling_bearing_with_catalog_geometry", "radial_grooved_ball_bearing", "both_directions")
    assert kinds["B"] == ("rolling_bearing_with_detailed_geometry", "angular_contact_ball_bearing", "negative")
    number = next(part.id for part in document.components.values() if part.name == "A")
    life = document.spectra[0].cases[0].components[number].attributes["nominal_rating_life_time_iso_281_2007"]
    assert (life.unit, life.value) == ("h", pytest.approx(rest.bearing_lives()["A", "life_time"] / 3600, rel=1e-9))


def test_bodies_ring_gears_bevels_and_worms(tmp_path: Path) -> None:
    m = pl.Model("gears")
    sun = m.gear_body("sun", pl.Gear(teeth=20, normal_module="2 mm", face_width="20 mm"))
    m.revolute("axis", m.ground, sun)
    planet = m.gear_body(
        "planet", pl.Gear(teeth=20, normal_module="2 mm", face_width="20 mm", bore="10 mm"), position=("40 mm", 0, 0)
    )
    m.revolute("pin", m.ground, planet)
    m.wheel(
        "ring",
        m.ground,
        pl.Gear(teeth=60, normal_module="2 mm", face_width="20 mm", internal=True, rim_diameter="150 mm"),
    )
    m.gear_pair("outer", "sun", "planet", mesh=pl.Rolling())
    m.gear_pair("inner", "planet", "ring", mesh=pl.Rolling())
    m.drive("speed", "axis", speed="100 rpm")
    report = pl.to_rexs(m, tmp_path / "a.rexs")
    document = report.document
    assert pl.check_rexs(document) == []
    assert [part.type for part in document.of_type("ring_gear")] == ["ring_gear"]
    shaft = next(part for part in document.of_type("shaft") if part.name == "sun shaft")
    assert shaft.number("rotational_speed") == pytest.approx(100 * 2 * np.pi / 60)
    assert any("one section in its gears" in text for text in report.assumed)
    assert (
        'gear "ring" of the ground is written on a shaft fixed to the casing; both have a mass in the file'
        in report.assumed
    )


def test_imported_flanks_are_listed(tmp_path: Path) -> None:
    """The file contains the nominal gears: no place is left for points of flanks."""
    nominal = pl.Gear(teeth=20, normal_module="2 mm", face_width="20 mm")
    exact = pl.surface_teeth(nominal)
    gear = nominal.with_(flanks={side: exact.points(side, 7, 3) for side in ("left", "right")})
    found = []
    for each in (nominal, gear):
        m = pl.Model("pair")
        a = m.gear_body("measured", each)
        b = m.gear_body("nominal", nominal, mesh_with=a, towards="x")
        m.revolute("one", m.ground, a)
        m.revolute("two", m.ground, b)
        m.gear_pair("mesh", a, b, mesh=pl.Rolling())
        report = pl.to_rexs(m, tmp_path / "a.rexs", overwrite=True)
        assert pl.check_rexs(report.document) == []
        found.append(report)
    assert [text for text in found[1].left_out if text not in found[0].left_out] == [
        'gear "measured": imported flanks; the file contains involutes'
    ]
    assert "imported flanks" in found[1].text()
    again = from_rexs(tmp_path / "a.rexs")
    assert all(wheel.gear.flanks is None for wheel in again.wheels.values())


def test_what_has_no_place_is_listed(tmp_path: Path) -> None:
    m = stage()
    m.torque("varying", m.shafts["input"]["end"], (0, 0, pl.Harmonic(5.0, frequency=10.0)))
    m.body("box", mass=1, inertia=(1, 1, 1))
    m.spring("spring", "box", m.shafts["output"]["start"], stiffness=1e4, free_length=0.1)
    report = pl.to_rexs(m, tmp_path / "a.rexs")
    text = "\n".join(report.left_out)
    assert 'torque "varying": varies' in text
    assert 'body "box": a rigid body without gears' in text
    assert 'load "spring" (Spring)' in text
    assert report.text().startswith("Not written:")


def test_messages(solved: tuple[pl.Model, Result], tmp_path: Path) -> None:
    model, rest = solved
    with pytest.raises(pl.ModelError, match=r"to_rexs: expected a model, got .*results=result"):
        pl.to_rexs(rest, tmp_path / "a.rexs")  # type: ignore[arg-type]
    with pytest.raises(pl.ModelError, match="to_rexs: results must be results of statics"):
        pl.to_rexs(model, tmp_path / "a.rexs", results=["x"])  # type: ignore[list-item]
    with pytest.raises(pl.ModelError, match=r'the result is of model "stage", not of model "other"'):
        pl.to_rexs(pl.Model("other"), tmp_path / "a.rexs", results=rest)
    with pytest.raises(pl.ModelError, match="has no shaft and no gear"):
        pl.to_rexs(pl.Model("empty"), tmp_path / "a.rexs")
    (tmp_path / "a.rexs").write_text("mine")
    with pytest.raises(StorageError, match="overwrite=True"):
        pl.to_rexs(model, tmp_path / "a.rexs")
    assert (tmp_path / "a.rexs").read_text() == "mine"
    with pytest.raises(pl.PitchlineError, match="no part with the name of a part"):
        pl.to_rexs(model, tmp_path / "b.rexs", source=TWO_STAGE)


def two_gears(a: pl.Gear, b: pl.Gear, mesh: object, **options: object) -> pl.Model:
    """Two gears on rigid bodies, in mesh."""
    m = pl.Model("pair")
    pose = pl.GearPair(a, b, **options).place()  # type: ignore[arg-type]
    first = m.gear_body("A", a)
    second = m.gear_body("B", b, position=tuple(pose.position), orientation=pose.rotation)
    m.revolute("first", m.ground, first)
    m.revolute("second", m.ground, second)
    m.gear_pair("mesh", "A", "B", mesh=mesh, **options)  # type: ignore[arg-type]
    m.torque("motor", first, (0, 0, 10))
    return m


BEVELS = [
    pl.Gear(
        teeth=teeth, normal_module="3 mm", cone_angle=np.arctan(teeth / other), face_width="20 mm", helix_angle=helix
    )
    for teeth, other, helix in ((20, 30, "30 deg"), (30, 20, "-30 deg"))
]
WORMS = [
    pl.Gear(starts=2, normal_module="3 mm", lead_angle="15 deg", face_width="60 mm", worm=True),
    pl.Gear(teeth=40, normal_module="3 mm", helix_angle="15 deg", face_width="30 mm"),
]


@pytest.mark.parametrize(("gears", "mesh", "law"), [(BEVELS, "rolling", pl.Rolling()), (WORMS, "rigid", pl.Rigid())])
def test_bevels_and_worms_come_back_with_the_same_geometry(
    gears: list[pl.Gear], mesh: str, law: object, tmp_path: Path
) -> None:
    m = two_gears(*gears, law, shaft_angle="90 deg")
    report = pl.to_rexs(m, tmp_path / "a.rexs")
    assert pl.check_rexs(report.document) == []
    again = from_rexs(tmp_path / "a.rexs", mesh=mesh, shafts="rigid")
    for name in ("A", "B"):
        old, new = m.wheels[name].gear, again.wheels[name].gear
        assert isinstance(old, pl.Gear) and isinstance(new, pl.Gear)
        assert (new.teeth, new.worm) == (old.teeth, old.worm)
        got = [
            new.normal_module,
            new.helix_angle,
            new.cone_angle,
            new.face_width,
            new.profile_shift,
            new.normal_pressure_angle,
        ]
        want = [
            old.normal_module,
            old.helix_angle,
            old.cone_angle,
            old.face_width,
            old.profile_shift,
            old.normal_pressure_angle,
        ]
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(
            again.placed(again.wheels[name].frame)[0], m.placed(m.wheels[name].frame)[0], atol=1e-12
        )


def test_crossed_helical_gears_have_no_place(tmp_path: Path) -> None:
    gears = [pl.Gear(teeth=20, normal_module="2 mm", helix_angle="45 deg", face_width="20 mm")] * 2
    report = pl.to_rexs(two_gears(*gears, pl.Rigid(), shaft_angle="90 deg"), tmp_path / "a.rexs")
    assert 'gear pair "mesh": its axes are not parallel (crossed helical gears)' in report.left_out


def test_shafts_in_any_direction_and_bearings_between_shafts(tmp_path: Path) -> None:
    """The stage in other axes: forces of the bearings, in their own axes, are the same."""
    turn = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])
    m = pl.Model("turned")
    outer = m.shaft(
        "outer",
        [SECTION("100 mm", outer="60 mm", inner="40 mm")],
        position=(0.1, 0.2, 0.3),
        orientation=turn,
        stations={"a": "30 mm", "b": "80 mm"},
    )
    inner = m.shaft(
        "inner",
        [SECTION("120 mm", outer="30 mm")],
        position=(0.1, 0.2, 0.3),
        orientation=turn,
        stations={"a": "30 mm", "b": "80 mm"},
    )
    for place in ("a", "b"):
        m.bushing(f"casing {place}", m.ground, outer[place], stiffness=(2e8, 1e8, 5e7, 0, 0, 0))
        m.bushing(f"between {place}", outer[place], inner[place], stiffness=(2e8, 3e8, 5e7, 0, 0, 0))
    m.bushing("held", m.ground, outer["start"], stiffness=(0, 0, 0, 0, 0, 1e5))
    m.coupling("joined", outer["end"], inner["b"], pl.ElasticCoupling("1e5 N*m/rad"), at=inner["b"].position)
    m.force("load", inner["end"], tuple(turn @ [1000.0, 500.0, 300.0]))
    report = pl.to_rexs(m, tmp_path / "a.rexs", results=pl.statics(m))
    assert pl.check_rexs(report.document) == []
    again = from_rexs(tmp_path / "a.rexs")
    rest, rerun = pl.statics(m), pl.statics(again)
    for name in ("casing a", "between a", "between b"):
        np.testing.assert_allclose(
            rerun[f"{name}.force"].values[0], rest[f"{name}.force"].values[0], rtol=1e-6, atol=1e-3
        )
    side = next(
        relation
        for relation in report.document.relations_of("side")
        if report.document.components[relation.role("assembly") or 0].name == "between a"
    )
    names = [report.document.components[side.role(role) or 0].name for role in ("inner_part", "outer_part")]
    assert names == ["inner", "outer"]
