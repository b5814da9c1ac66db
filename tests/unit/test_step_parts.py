"""Parts of STEP files: volume, centre and inertia against closed forms, placement, names, units, colours, materials."""

import sys
from pathlib import Path

import numpy as np
import pytest
from references.step_files import StepAssembly, box, cone, first_of, single, torus, tube

import pitchline as pl
from pitchline.exchange.safe_xml import ExchangeError
from pitchline.exchange.step import reading
from pitchline.exchange.step.reading import CadProcess, kernel_version, unique_names

pytest.importorskip("OCP")
writes_mirrors = pytest.mark.skipif(kernel_version() < 8, reason="OCCT 7 does not write mirrored placements")
ROUNDING = 1e-12
"""Relative; the kernel computes with 16 digits, the file has 15."""


@pytest.fixture(scope="module")
def reader():
    with CadProcess() as process:
        yield process


@pytest.fixture(scope="module")
def skew() -> np.ndarray:
    return pl.Rotation((1, 2, 3), 0.7).matrix


@pytest.fixture(scope="module")
def robot(tmp_path_factory, skew) -> Path:
    """Two arms (a sub-assembly, one of them mirrored) with a tube and a cone each, a coloured base."""
    made = StepAssembly("robot")
    base = made.part("base", box(100, 80, 20), colour=(0.2, 0.4, 0.6))
    link = made.part("link", tube(30, 20, 200), density=2.7)
    cap = made.part("cap", cone(30, 10, 40))
    arm = made.assembly("arm")
    made.place(link, "tube", into=arm, rotation=skew, position=(1, 2, 3))
    made.place(cap, "cap", into=arm, position=(0, 0, 200))
    made.place(base)
    made.place(arm, "left", rotation=skew.T, position=(-50, 10, 20))
    made.place(arm, "right", rotation=np.diag([1.0, 1.0, -1.0]) @ skew, position=(50, 10, 20))
    return made.write(tmp_path_factory.mktemp("step") / "robot.step")


@pytest.fixture(scope="module")
def parts(robot, reader):
    return pl.cad_parts(robot, reader=reader)


def test_tube_box_cone_and_torus_have_the_mass_properties_of_closed_forms(tmp_path, reader) -> None:
    R, r, h = 0.03, 0.02, 0.2
    t, c = 0.06, 0.011
    V = 2 * np.pi**2 * t * c**2
    cases = {
        "box": (box(10, 20, 30), pl.bar("10 mm", "20 mm", "30 mm", density=1000), (0.005, 0.01, 0.015)),
        "tube": (tube(30, 20, 200), pl.tube(R, r, h, density=1000), (0, 0, h / 2)),
        "torus": (
            torus(60, 11),
            pl.MassProperties(
                1000 * V,
                (0, 0, 0),
                1000 * V * np.diag([t**2 / 2 + 5 * c**2 / 8] * 2 + [t**2 + 3 * c**2 / 4]),
            ),
            (0, 0, 0),
        ),
    }
    for name, (shape, solid, centre) in cases.items():
        (part,) = pl.cad_parts(single(tmp_path / f"{name}.step", shape, name), reader=reader)
        found = part.mass_properties(1000)
        assert found.mass == pytest.approx(solid.mass, rel=ROUNDING), name
        assert np.abs(found.centre_of_mass - centre).max() < ROUNDING, name
        assert np.abs(found.inertia - solid.inertia).max() < ROUNDING * solid.inertia.max(), name


def test_a_truncated_cone(parts) -> None:
    R, r, h = 0.03, 0.01, 0.04
    V = np.pi * h * (R**2 + R * r + r**2) / 3
    z = h * (R**2 + 2 * R * r + 3 * r**2) / (4 * (R**2 + R * r + r**2))
    polar = np.pi * h * (R**5 - r**5) / (10 * (R - r))
    cap = next(part for part in parts if part.product == "cap")
    assert cap.volume == pytest.approx(V, rel=ROUNDING)
    assert cap.centre == pytest.approx([0, 0, z], abs=ROUNDING * h)
    assert cap.second_moment[2, 2] == pytest.approx(polar, rel=ROUNDING)
    assert cap.second_moment[0, 0] == pytest.approx(cap.second_moment[1, 1], rel=ROUNDING)


@writes_mirrors
def test_nested_skew_and_mirrored_instances_are_at_their_places(parts, skew) -> None:
    named = {part.name: part for part in parts}
    assert list(named) == ["base", "left link", "left cap", "right link", "right cap"]
    assert named["right link"].path == ("robot", "right", "tube")
    left, right = skew.T, np.diag([1.0, 1.0, -1.0]) @ skew
    places = {
        "left link": (left @ skew, left @ (1, 2, 3) + (-50, 10, 20)),
        "right link": (right @ skew, right @ (1, 2, 3) + (50, 10, 20)),
        "right cap": (right, right @ (0, 0, 200) + (50, 10, 20)),
    }
    for name, (A, x) in places.items():
        part = named[name]
        density = 1000.0
        solid = part.mass_properties(density).turned(part.orientation).moved(part.position)
        own = named[name.replace("right", "left")]
        expected = A @ own.centre + 1e-3 * np.asarray(x)
        assert solid.centre_of_mass == pytest.approx(expected, abs=1e-12), name
        inertia = density * A @ own.second_moment @ A.T
        assert np.abs(solid.inertia - inertia).max() < 1e-11 * np.abs(inertia).max(), name
        assert np.linalg.det(part.orientation) == pytest.approx(1.0)


def test_triangles_enclose_the_solid_also_in_mirrored_parts(parts) -> None:
    for part in parts:
        (piece,) = part.shape.pieces
        x = piece.mesh.vertices.astype(float)[piece.mesh.triangles]
        inside = np.einsum("ni,ni->", x[:, 0], np.cross(x[:, 1], x[:, 2])) / 6e9
        assert inside == pytest.approx(part.volume, rel=0.03), part.name
        assert x.reshape(-1, 3).mean(axis=0)[0] * 1e-3 == pytest.approx(part.centre[0], abs=0.01)


def test_colour_material_and_density_come_from_the_file(parts) -> None:
    named = {part.name: part for part in parts}
    assert [piece.colour for piece in named["base"].shape.pieces] == ["#336699"]
    assert named["left link"].material == "alloy"
    assert named["left link"].density == 2700.0
    assert named["base"].density is None
    assert named["left link"].mass_properties().mass == pytest.approx(
        2700 * np.pi * (0.03**2 - 0.02**2) * 0.2, rel=ROUNDING
    )


@pytest.mark.parametrize(
    ("mass_unit", "length_unit", "value"),
    [
        (".KILO.,.GRAM.", "$,.METRE.", "2700."),
        ("$,.GRAM.", ".CENTI.,.METRE.", "2.7"),
        (".KILO.,.GRAM.", ".MILLI.,.METRE.", "2.7E-06"),
    ],
)
def test_densities_are_converted_from_any_unit(robot, tmp_path, reader, mass_unit, length_unit, value) -> None:
    text = robot.read_text()
    text = (
        text.replace("SI_UNIT($,.GRAM.)", f"SI_UNIT({mass_unit})").replace(",3.);", ",1.);").replace(",2.);", ",-3.);")
    )
    text = text.replace("SI_UNIT(.CENTI.,.METRE.)", f"SI_UNIT({length_unit})").replace(
        "MEASURE(2.7)", f"MEASURE({value})"
    )
    file = tmp_path / "robot.step"
    file.write_text(text)
    found = {part.name: part for part in pl.cad_parts(file, shapes=False, reader=reader)}
    assert found["left link"].density == pytest.approx(2700.0, rel=1e-15)
    assert not found["left link"].notes


def test_a_density_that_no_solid_has_is_not_used(robot, tmp_path, reader) -> None:
    file = tmp_path / "robot.step"
    file.write_text(robot.read_text().replace("MEASURE(2.7)", "MEASURE(2700.)"))
    found = {part.name: part for part in pl.cad_parts(file, shapes=False, reader=reader)}
    with pytest.raises(ExchangeError, match=r'"left link": no density \(its density in the file is 2\.7e\+06 kg/m\^3'):
        found["left link"].mass_properties()


@pytest.mark.parametrize("unit", ["M", "INCH"])
def test_other_units_of_length_are_converted(tmp_path, reader, unit) -> None:
    file = single(tmp_path / "tube.step", tube(30, 20, 200), unit=unit)
    (part,) = pl.cad_parts(file, reader=reader)
    assert part.volume == pytest.approx(np.pi * (0.03**2 - 0.02**2) * 0.2, rel=1e-11)


def test_faces_can_have_their_own_colours(tmp_path, reader) -> None:
    made = StepAssembly()
    shape = box(10, 20, 30)
    part = made.part("box", shape, colour=(1, 1, 1))
    face = made.shapes.AddSubShape(part, first_of(shape, "face"))
    made.paint(face, (1, 0, 0))
    made.place(part)
    (found,) = pl.cad_parts(made.write(tmp_path / "box.step"), reader=reader)
    assert sorted(piece.colour for piece in found.shape.pieces) == ["#FF0000", "#FFFFFF"]
    assert sorted(len(piece.mesh.triangles) for piece in found.shape.pieces) == [2, 10]


def test_a_part_far_from_its_origin_keeps_its_digits(tmp_path, reader) -> None:
    from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
    from references.step_files import trsf

    far = BRepBuilderAPI_Transform(tube(3, 2, 20), trsf(np.eye(3), (20000, 30000, -10000)), True).Shape()
    (part,) = pl.cad_parts(single(tmp_path / "far.step", far), reader=reader)
    exact = pl.tube(0.003, 0.002, 0.02, density=1000)
    found = part.mass_properties(1000)
    assert found.centre_of_mass == pytest.approx([20, 30, -9.99], rel=1e-12)
    assert np.abs(found.inertia - exact.inertia).max() < 1e-8 * exact.inertia.max()  # coordinates have 15 digits


def test_names_are_unique_and_allowed_in_models() -> None:
    products = ["base", "wheel", "wheel", "bolt", "bolt", "", "a/b.c", "ground", "Open CASCADE STEP translator 7.9 1"]
    instances = ["", "front", "rear", "NAUO4", "=>[0:1:1:5]", "NAUO6", "", "", ""]
    assert unique_names(products, instances, [""] * 9) == [
        "base", "front", "rear", "bolt 1", "bolt 2", "part 1", "a_b_c", "ground 1", "part 2",
    ]  # fmt: skip


def test_names_with_other_characters(tmp_path, reader) -> None:
    made = StepAssembly()
    made.place(made.part("Zahnrad größer µ 歯車", box(1, 2, 3), density=7.8))
    (part,) = pl.cad_parts(made.write(tmp_path / "ä ö.step"), reader=reader)
    assert part.name == "Zahnrad größer µ 歯車"
    assert part.density == 7800.0


def test_repeated_assemblies_name_their_parts() -> None:
    assert unique_names(["link", "pin", "link", "pin"], [""] * 4, ["left", "left", "right", "right"]) == [
        "left link", "left pin", "right link", "right pin",
    ]  # fmt: skip


# ---- errors


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is not a STEP file"),
        (b"solid part\n", 'is not a STEP file; a STEP file begins with the text "ISO-10303-21;"'),
        (b"PK\x03\x04 more", "is compressed"),
        (b"ISO-10303-21;\nHEADER;", "is cut off"),
        (
            b"ISO-10303-21;\n#1=DOCUMENT_FILE('../../arm.stp','',$);\nEND-ISO-10303-21;",
            r"refers to another file, \"../../arm.stp\"",
        ),
        (b"ISO-10303-21;\nHEADER;\nENDSEC;\nEND-ISO-10303-21;\n", "damaged|no parts|no shapes"),
    ],
)
def test_files_that_are_not_step_files(tmp_path, reader, data, message) -> None:
    file = tmp_path / "bad.step"
    file.write_bytes(data)
    with pytest.raises(ExchangeError, match=message):
        pl.cad_parts(file, reader=reader)


def test_a_missing_file(tmp_path) -> None:
    with pytest.raises(ExchangeError, match=r"none\.step: cannot be read: No such file"):
        pl.cad_parts(tmp_path / "none.step")


def test_surfaces_and_open_shells_have_no_mass(tmp_path, reader) -> None:
    from OCP.BRep import BRep_Builder
    from OCP.TopAbs import TopAbs_FACE
    from OCP.TopoDS import TopoDS_Shell, TopoDS_Solid

    from pitchline.exchange.step.faces import subshapes

    shell, builder = TopoDS_Shell(), BRep_Builder()
    builder.MakeShell(shell)
    for face in list(subshapes(box(1, 2, 3), TopAbs_FACE))[:5]:
        builder.Add(shell, face)
    solid = TopoDS_Solid()
    builder.MakeSolid(solid)
    builder.Add(solid, shell)
    for shape, message in ((first_of(box(1, 2, 3), "face"), "has no solid, only surfaces"), (solid, "open|no solid")):
        file = single(tmp_path / "open.step", shape, "plate")
        with pytest.raises(ExchangeError, match=rf'open\.step: part "plate": .*{message}.*leave_out='):
            pl.from_step(file, density=7800)


def test_the_time_limit(tmp_path, robot) -> None:
    with pytest.raises(ExchangeError, match=r"needs more than the time limit of 0\.001 s"):
        pl.cad_parts(robot, time_limit="1 ms")


def test_a_crash_of_the_kernel_is_an_error_and_the_next_file_is_read(robot) -> None:
    with CadProcess() as process:
        pl.cad_parts(robot, shapes=False, reader=process)
        process._process.kill()
        process._process.wait()
        assert len(pl.cad_parts(robot, shapes=False, reader=process)) == 5
        process._process.stdin.write(b"not JSON\n")
        process._process.stdin.flush()
        process._process.wait()
        with pytest.raises(ExchangeError, match="the CAD kernel failed on this file: it is damaged"):
            process._process.poll = lambda: None
            pl.cad_parts(robot, shapes=False, reader=process)


def test_without_the_kernel(robot, monkeypatch) -> None:
    monkeypatch.setattr(reading, "kernel_version", lambda: 0)
    monkeypatch.setitem(sys.modules, "OCP", None)
    with pytest.raises(ExchangeError, match=r'needs the CAD kernel: pip install "pitchline\[cad\]".*read_mass_table'):
        pl.cad_parts(robot)


@writes_mirrors
def test_a_scaled_placement_is_refused(tmp_path, reader) -> None:
    made = StepAssembly()
    part = made.part("box", box(1, 2, 3))
    made.place(part, rotation=np.diag([-1.0, 1.0, 1.0]))
    file = made.write(tmp_path / "scaled.step")
    text = file.read_text()
    assert "CARTESIAN_TRANSFORMATION_OPERATOR_3D" in text
    file.write_text(text.replace(",-1.,#", ",2.,#"))
    with pytest.raises(ExchangeError, match=r"has a placement that mirrors or scales a part \(#\d+\)"):
        pl.cad_parts(file, reader=reader)
