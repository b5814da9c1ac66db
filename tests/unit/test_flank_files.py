"""Flanks in files: CSV, tables of measuring machines, STL, STEP faces, model files; round trips and messages."""

import numpy as np
import pytest

import pitchline as pl
from pitchline.errors import ModelError, PitchlineError
from pitchline.files.schema import stl_bytes
from pitchline.parts.gears.surfaces import surface_teeth
from pitchline.solids.mass_properties import TriangleMesh

GEAR = pl.Gear(teeth=25, normal_module="3 mm", face_width="30 mm", helix_angle="20 deg")
U = np.linspace(0.0, 1.0, 31)


@pytest.fixture(scope="module")
def exact():
    return surface_teeth(GEAR)


@pytest.fixture
def files(tmp_path, exact):
    return {side: pl.write_flank_points(tmp_path / f"{side}.csv", exact, side) for side in ("left", "right")}


def apart(patch, reference, u=U):
    return float(np.abs(reference.project(patch.point(u[:, None], u)).height).max())


def test_written_points_are_read_again(exact, files):
    teeth = pl.Teeth.from_points(GEAR, **files)
    assert apart(teeth.left, exact.left) < 1e-10 and apart(teeth.right, exact.right) < 1e-10
    assert teeth.fits["left"].source == "left.csv"
    assert pl.Teeth.from_points(GEAR, **{k: str(v) for k, v in files.items()}).gear == teeth.gear
    assert pl.Teeth.from_points(GEAR, **files, unit="mm").gear == teeth.gear
    with pytest.raises(ModelError, match=r"the file states the unit mm, but unit is 'm'"):
        pl.Teeth.from_points(GEAR, **files, unit="m")
    with pytest.raises(PitchlineError, match=r"left\.csv"):
        pl.write_flank_points(files["left"], exact, "left")
    for options, text in (({"rows": 1}, "rows"), ({"tooth": 25}, "tooth"), ({"unit": "s"}, "expected length")):
        with pytest.raises(ModelError, match=text):
            pl.write_flank_points(files["left"], exact, "left", overwrite=True, **options)
    with pytest.raises(ModelError, match=r"must end in one of \.csv"):
        pl.write_flank_points("left.step", exact, "left")


def test_forms_of_tables(tmp_path, exact):
    grid = 1e3 * exact.points("left", 9, 5)

    def read(text):
        (tmp_path / "left.txt").write_text(text)
        return pl.Teeth.from_points(GEAR, left=tmp_path / "left.txt", right=exact.points("right", 9, 5))

    def rows(sign=" ", separator="\n", numbers=False):
        found = []
        for i, row in enumerate(grid):
            found += [sign.join(map(str, ([i + 1, 7 * j] if numbers else []) + p.tolist())) for j, p in enumerate(row)]
            found.append(separator.strip("\n"))
        return "\n".join(found)

    expected = pl.Teeth.from_points(GEAR, left=1e-3 * grid, right=exact.points("right", 9, 5)).left
    for text in (
        "# unit: mm\n" + rows(),  # rows separated by empty lines
        "# unit = mm\n" + rows("\t", numbers=True),
        "# unit: mm\n" + rows(";").replace(".", ","),  # decimal comma
        "j; i; X (mm); Y (mm); Z (mm)\n"
        + "\n".join(f"{j}; {i}; {'; '.join(map(str, grid[i, j].tolist()))}" for j in range(5) for i in range(9)),
        "x [mm] y [mm] z [mm] row line\n"
        + "\n".join(f"{' '.join(map(str, grid[i, j].tolist()))} {i} {j}" for j in range(5) for i in range(9)),
    ):
        np.testing.assert_allclose(read(text).left.control, expected.control, atol=1e-12)


def test_table_of_a_measuring_machine(tmp_path, exact):
    """Nominal points, normals and deviations: the measured flank."""
    u, v = np.linspace(0.0, 1.0, 17), np.linspace(0.0, 1.0, 9)
    p, n = exact.left.point(u[:, None], v), exact.left.normal(u[:, None], v)
    deviation = 1e-6 * (5.0 - 20.0 * (v - 0.5) ** 2) + 0.0 * u[:, None]
    lines = ["row,column,x [mm],y [mm],z [mm],nx,ny,nz,deviation [um]"]
    for i in range(17):
        for j in range(9):
            numbers = (*(1e3 * p[i, j]), *n[i, j], 1e6 * deviation[i, j])
            lines.append(f"{i + 1},{j + 1}," + ",".join(f"{x:.12g}" for x in numbers))
    (tmp_path / "machine.txt").write_text("\n".join(lines))
    teeth = pl.Teeth.from_points(GEAR, left=tmp_path / "machine.txt", right=exact.right)
    places = exact.left.project(teeth.left.point(0.5, U))
    np.testing.assert_allclose(places.height, 1e-6 * (5.0 - 20.0 * (places.v - 0.5) ** 2), atol=2e-9)


MISTAKES = {
    "x,y\n1,2\n": "the column z is missing",
    "x,y,z,q\n1,2,3,4\n": "there is no column 'q'",
    "x,y,z,x\n1,2,3,4\n": "the column x occurs twice",
    "row,x,y,z\n1,1,2,3\n": "a grid requires both columns row and line",
    "x,y,z,deviation\n1,2,3,4\n": "deviations require the normals",
    "1,2,3,4\n": "4 columns without names",
    "1,2,3\n1,2\n": "line 2: 2 cells, but there are 3 columns",
    "1,2,3\n1,2,three\n": "line 2: expected a number, got 'three'",
    "": "it contains no points",
    "# nothing\n": "it contains no points",
    "0,0,1,2,3\n0,1,1,2,3\n1,0,1,2,3\n": "the point of row 1, line 1 is missing",
    "0,0,1,2,3\n0,0,1,2,3\n": "the point of row 0, line 0 occurs more than once",
    "0.5,0,1,2,3\n": "the column row must contain whole numbers",
    "1,2,3\n1,2,4\n\n1,2,5\n": "row 1 has 1 points, row 0 has 2",
    "0,0,1,2,3,0,0,7,1\n": "the normals must have the length 1",
    "nan,1,2\n": "not finite",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_in_tables(tmp_path, exact, text):
    file = tmp_path / "left.csv"
    file.write_text(text)
    with pytest.raises(ModelError, match=MISTAKES[text]):
        pl.Teeth.from_points(GEAR, left=file, right=exact.right)


def test_files_that_cannot_be_read(tmp_path, exact):
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00\x81")
    for name, text in (("none.csv", "No such file"), ("binary.csv", "not UTF-8"), ("gear.xml", "VDI/VDE 2610")):
        with pytest.raises(ModelError, match=text):
            pl.Teeth.from_points(GEAR, left=tmp_path / name, right=exact.right)


def stl_file(path, patch, n=40):
    u = np.linspace(0.0, 1.0, n)
    points = 1e3 * patch.point(u[:, None], u).reshape(-1, 3)
    corner = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    triangles = np.concatenate(
        [np.stack([corner, corner + 1, corner + n], -1), np.stack([corner + 1, corner + n + 1, corner + n], -1)]
    )
    path.write_bytes(stl_bytes(TriangleMesh(points.astype(np.float32), triangles.astype(np.uint32))))
    return path


def test_stl_of_a_flank(tmp_path, exact):
    given = {side: stl_file(tmp_path / f"{side}.stl", exact.flank(side)) for side in ("left", "right")}
    teeth = pl.Teeth.from_points(GEAR, **given, unit="mm")
    # vertices are single precision: 4 nm at 38 mm
    assert apart(teeth.left, exact.left, U[2:-2]) < 3e-8
    with pytest.raises(ModelError, match=r"STL files do not contain a unit of length.*unit=\"mm\""):
        pl.Teeth.from_points(GEAR, **given)


@pytest.fixture(scope="module")
def step_gear(tmp_path_factory, exact):
    """A STEP file with three teeth: faces of splines, and tips."""
    pytest.importorskip("OCP")
    from OCP.BRep import BRep_Builder
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace
    from OCP.GeomAPI import GeomAPI_PointsToBSplineSurface
    from OCP.gp import gp_Pnt
    from OCP.TopoDS import TopoDS_Compound
    from references.step_files import single

    try:
        from OCP.TColgp import TColgp_Array2OfPnt as Points
    except ImportError:
        from OCP.collections import Array2_gp_Pnt as Points

    def face(points):
        table = Points(1, points.shape[0], 1, points.shape[1])
        for i, row in enumerate(points):
            for j, p in enumerate(row):
                table.SetValue(i + 1, j + 1, gp_Pnt(*(1e3 * p)))
        surface = GeomAPI_PointsToBSplineSurface()
        surface.Interpolate(table)
        return BRepBuilderAPI_MakeFace(surface.Surface(), 1e-6).Face()

    builder, whole = BRep_Builder(), TopoDS_Compound()
    builder.MakeCompound(whole)
    for tooth in (24, 0, 1):
        left, right = (exact.points(side, 25, 13, tooth=tooth) for side in ("left", "right"))
        for points in (left, right, np.stack([right[-1], 0.5 * (left[-1] + right[-1]), left[-1]])):
            builder.Add(whole, face(points))
    return single(tmp_path_factory.mktemp("step") / "gear.step", whole)


@pytest.mark.slow
def test_faces_of_a_step_file(step_gear, exact):
    teeth = pl.Teeth.from_points(GEAR, left=step_gear, right=step_gear)
    assert apart(teeth.left, exact.left, U[1:-1]) < 1e-7 and apart(teeth.right, exact.right, U[1:-1]) < 1e-7
    with pytest.raises(ModelError, match="STEP files contain their unit"):
        pl.Teeth.from_points(GEAR, left=step_gear, right=step_gear, unit="mm")
    with pytest.raises(ModelError, match="none of its 9 faces is a left flank of tooth 0"):
        pl.Teeth.from_points(GEAR.with_(teeth=40), left=step_gear, right=step_gear)


# ---- model files


def text_of(flanks):
    return f"""
[gears.pinion]
teeth = 25
normal_module = "3 mm"
face_width = "30 mm"
helix_angle = "20 deg"
flanks = {flanks}

[bodies.pinion]
gear = "pinion"
"""


def test_model_files_name_files_of_flanks(tmp_path, exact, files):
    pl.write_flank_points(tmp_path / "third.csv", exact, "left", tooth=3)
    flanks = '{ left = "left.csv", right = "right.csv", per_tooth = { "3 left" = "third.csv" } }'
    (tmp_path / "model.toml").write_text(text_of(flanks))
    model = pl.load(tmp_path / "model.toml").model
    (gear,) = (wheel.gear for wheel in model.wheels.values())
    expected = pl.Teeth.from_points(GEAR, **files, per_tooth={(3, "left"): tmp_path / "third.csv"}).gear
    assert gear == expected
    # the splines are written into the file, without the files of points
    again = tmp_path / "again"
    again.mkdir()
    model.to_toml(again / "model.toml")
    (back,) = (wheel.gear for wheel in pl.load(again / "model.toml").model.wheels.values())
    assert back == expected


@pytest.mark.parametrize(
    ("flanks", "text"),
    [
        ('{ left = "left.csv" }', "right is missing"),
        ('{ left = "none.csv", right = "right.csv" }', "No such file"),
        ('{ left = "../left.csv", right = "right.csv" }', "outside the folder"),
        ('{ left = "left.csv", right = "right.csv", colour = 3 }', 'unknown key "colour"'),
        ('{ left = "left.csv", right = "right.csv", per_tooth = { "x" = "left.csv" } }', 'e.g. "3 left"'),
        ('"left.csv"', "must be a table such as"),
        ('{ left = { control = [[[1, 2, 3]]] }, right = "right.csv" }', "knots_u is missing"),
        (
            '{ left = { control = 1, knots_u = [0], knots_v = [1] }, right = "right.csv" }',
            "control must be finite points",
        ),
    ],
)
def test_mistakes_in_model_files(tmp_path, files, flanks, text):
    (tmp_path / "model.toml").write_text(text_of(flanks))
    with pytest.raises(pl.FileError, match=text) as error:
        pl.load(tmp_path / "model.toml")
    assert "model.toml:7" in str(error.value)


def test_descriptions_of_results_contain_the_flanks(exact):
    from pitchline.parts.gears.part import gear_of

    gear = pl.Teeth.from_points(GEAR, left=exact.points("left", 9, 5), right=exact.points("right", 9, 5)).gear
    model = pl.Model("m")
    model.gear_body("pinion", gear)
    assert gear_of(model.describe()["wheels"]["pinion"]["gear"]) == gear
