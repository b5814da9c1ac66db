"""Results of studies: arrays, other forms, files."""

from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline.studies.study_result import StudyResult


@pytest.fixture
def result() -> StudyResult:
    points = pl.grid(speed=pl.linspace("1000 rpm", "3000 rpm", 3), mesh=["elastic", "rigid"])
    force = np.arange(6.0)
    force[4] = np.nan
    return StudyResult(
        "pair",
        points,
        {
            "mesh.force.max": (force, "N"),
            "lost": (force > 2, ""),
            "mesh.force": (np.arange(24.0).reshape(6, 4), "N", ("time",)),
        },
        status=np.array([0, 0, 0, 0, 1, 0]),
        reasons={4: "did not converge"},
        coordinates={"time": (np.linspace(0, 1, 4), "s")},
        facts={"seed": 3},
    )


@pytest.fixture
def listed() -> StudyResult:
    points = pl.sample(5, speed=pl.Uniform("1 rpm", "2 rpm"), kind=pl.Choice(["a", "b"]), teeth=20, on=True)
    return StudyResult("list", points, {"x": (np.arange(5.0), "m")}, status=np.zeros(5))


def test_values_over_the_dimensions_of_the_points(result: StudyResult) -> None:
    assert result["mesh.force.max"].shape == (3, 2)
    assert result["mesh.force"].shape == (3, 2, 4)
    assert result["speed"].shape == (3,)
    assert result.unit("speed") == "rad/s"
    assert result.failed == {4: "did not converge"}
    assert result.fine.sum() == 5
    with pytest.raises(pl.PitchlineError, match=r'no value "mesh.forc.max"; did you mean "mesh.force.max"'):
        result["mesh.forc.max"]


def assert_same(a: StudyResult, b: StudyResult) -> None:
    assert [*a.points] == [*b.points] and a.points.dims == b.points.dims
    assert {n: a.points.axes[n].values.dtype for n in a.points.names} == {
        n: b.points.axes[n].values.dtype for n in b.points.names
    }
    assert set(a.variables) == set(b.variables)
    for name, found in a.variables.items():
        other = b.variables[name]
        np.testing.assert_array_equal(found.values, other.values)
        assert (found.values.dtype, found[1:]) == (other.values.dtype, other[1:])
    np.testing.assert_array_equal(a.status, b.status)
    assert (a.name, a.reasons, a.status_names, a.study, a.facts) == (
        b.name,
        b.reasons,
        b.status_names,
        b.study,
        b.facts,
    )
    for dim, (values, unit) in a.coordinates.items():
        np.testing.assert_array_equal(values, b.coordinates[dim][0])
        assert unit == b.coordinates[dim][1]


def test_file_is_read_back_and_opened_by_netcdf_readers(
    result: StudyResult, listed: StudyResult, tmp_path: Path
) -> None:
    import netCDF4
    import xarray as xr

    for k, one in enumerate((result, listed)):
        path = one.save(tmp_path / f"{k}.nc")
        assert_same(one, pl.load(path))
        with netCDF4.Dataset(path) as data:
            assert data["status"].flag_meanings == "fine failed not_computed"
        for engine in ("netcdf4", "h5netcdf"):
            with xr.open_dataset(path, engine=engine) as data:
                xr.testing.assert_equal(data.drop_vars("status"), one.to_xarray().drop_vars("status"))
                assert data["speed"].attrs["units"] == "rad/s"
    with pytest.raises(pl.PitchlineError, match="already exists"):
        listed.save(tmp_path / "1.nc")


def test_tables_have_one_row_for_each_point(result: StudyResult) -> None:
    frame = result.to_pandas()
    assert list(frame.columns) == ["speed", "mesh", "mesh.force.max", "lost", "status", "reason"]
    assert frame["reason"][4] == "did not converge" and frame["status"][4] == "failed"


def test_damaged_files_are_named(result: StudyResult, tmp_path: Path) -> None:
    path = result.save(tmp_path / "a.nc")
    raw = bytearray(path.read_bytes())
    at = raw.index(np.arange(24.0).tobytes())
    raw[at] ^= 1
    path.write_bytes(raw)
    with pytest.raises(pl.PitchlineError, match=r"a\.nc"):
        pl.load(path)


@pytest.mark.parametrize(
    "changed, message",
    [
        (dict(status=np.zeros(5)), "one number for each of the 6 points"),
        (dict(status=np.full(6, 3)), "status must be from 0 to 2"),
        (dict(variables={"speed": (np.zeros(6), "")}), 'variable "speed" has the name of a parameter'),
        (dict(variables={"x": (np.zeros((6, 2)), "")}), 'variable "x": the shape'),
    ],
)
def test_messages(result: StudyResult, changed: dict, message: str) -> None:
    given = {"name": "a", "points": result.points, "variables": {}, "status": np.zeros(6)}
    with pytest.raises(pl.ModelError, match=message):
        StudyResult(**{**given, **changed})


def test_one_point(result: StudyResult) -> None:
    point = result.point(3)
    assert point.parameters == {"speed": f"{2000 * np.pi / 30!r} rad/s", "mesh": "rigid"}
    assert point.values["mesh.force.max"] == 3.0 and point.status == "fine"
    assert result.point((1, 1)).index == 3 == result.point(-3).index
    assert str(result.point(4)).startswith("point 4: failed: did not converge\n  speed = 314.1")
    for wrong in (6, (3, 0), (1,)):
        with pytest.raises(IndexError, match="there is no point"):
            result.point(wrong)


def test_parts_of_a_study(result: StudyResult, listed: StudyResult) -> None:
    rigid = result.where(mesh="rigid")
    assert rigid.dims == ("speed",) and rigid["mesh.force.max"].tolist() == [1, 3, 5]
    assert rigid.facts["where"] == {"mesh": "rigid"}
    fast = result.where(speed=("2000 rpm", None))
    assert fast.shape == (2, 2) and fast.failed == {2: "did not converge"}
    one = result.where(speed="1000 rpm", mesh="elastic")
    assert one.dims == ("mesh",) and one["mesh.force.max"].tolist() == [0.0]
    assert result.where(speed=1000 * np.pi / 30 * (1 + 1e-12)).shape == (2,)
    high = result.where(result["mesh.force.max"] > 2)
    assert high.dims == ("point",) and high["mesh.force.max"].tolist() == [3, 5]
    assert list(high.points.column("mesh")) == ["rigid", "rigid"]
    assert listed.where(kind=str(listed["kind"][0])).dims == ("point",)


@pytest.mark.parametrize(
    "mask, values, message",
    [
        (None, dict(sped=1), 'no parameter "sped"'),
        (None, dict(speed="1500 rpm"), "no point has speed = '1500 rpm'. Its values are 1000 rpm, 2000 rpm, 3000 rpm"),
        (None, dict(speed="1 m"), "speed is in rpm, got '1 m'"),
        (None, dict(speed=(1, 2, 3)), r"a range has two numbers, \(low, high\)"),
        (None, dict(mesh=("a", "b")), "a range has two numbers"),
        ([True], {}, r"the mask must be true or false for each point, with the shape \(3, 2\)"),
        (np.zeros((3, 2), bool), {}, "the mask is false at all points"),
    ],
)
def test_messages_of_where(result: StudyResult, mask: object, values: dict, message: str) -> None:
    with pytest.raises(pl.ModelError, match=message):
        result.where(mask, **values)
