"""Modes, Campbell diagrams and frequency responses in files and views: the same numbers come back, shapes are the closed form."""

import json
import math
import pickle
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.linalg
from references.superelements import BLOCK, bar, full_bar

import pitchline as pl
from pitchline.parts.flexible.shapes import shape_mesh
from pitchline.results import ResultFileError
from pitchline.results.linear_files import LinearFinding
from pitchline.viewer import record_of

STIFFNESS, INERTIA_A, INERTIA_B = 1e4, 0.02, 0.05
OFFSET = 0.01
"""From the axis to the centre of mass of disc b [m]; its origin stays on the axis."""


def _discs() -> pl.Model:
    """Two discs on one axis with a torsion spring between them; b has mass off the axis and stands upside down."""
    m = pl.Model("discs")
    a = m.body("a", mass=1.0, inertia=(0.03, 0.03, INERTIA_A))
    b = m.body(
        "b", mass=1.0, inertia=(0.03, 0.03, INERTIA_B - OFFSET**2), position=(0, 0, 0.2), centre_of_mass=(OFFSET, 0, 0),
        orientation=pl.Rotation("x", "180 deg"),
    )  # fmt: skip
    m.revolute("hinge_a", m.ground, a, at=(0, 0, 0), axis="z")
    m.revolute("hinge_b", m.ground, b, at=(0, 0, 0.2), axis="z")
    m.bushing("spring", a, b, at=(0, 0, 0.1), stiffness=(0, 0, 0, 0, 0, STIFFNESS), damping=(0, 0, 0, 0, 0, 2.0))
    return m


@pytest.fixture(scope="module")
def found() -> dict[str, LinearFinding]:
    m = _discs()
    return {
        "modes": pl.modes(m),
        "campbell": pl.campbell(m, "hinge_a", [0.0, 400.0, 900.0]),
        "response": pl.frequency_response(
            m, "hinge_a.torque", ["hinge_b.angle", "hinge_a.angle"], frequencies=[150.0, 10.0, 60.0]
        ),
    }


class _ViewBlock:
    """Head and arrays of a block, read as a page does."""

    def __init__(self, block: bytes) -> None:
        (length,) = struct.unpack_from("<I", block, 8)
        self.head = json.loads(block[12 : 12 + length])
        self.data = block[12 + length :]

    def array(self, name: str) -> np.ndarray:
        said = self.head["arrays"][name]
        kind, size = np.dtype("<" + said["dtype"]), math.prod(said["shape"])
        raw = np.frombuffer(self.data, "u1", size * kind.itemsize, said["offset"]).reshape(kind.itemsize, size)
        return np.ascontiguousarray(raw.T).view(kind).reshape(said["shape"])

    @property
    def shapes(self) -> np.ndarray:
        parts = self.array(self.head["linear"]["shapes"])
        return parts[..., 0] + 1j * parts[..., 1]


def _view(thing: LinearFinding) -> _ViewBlock:
    return _ViewBlock(record_of(thing).block)


def test_shapes_of_a_view_are_the_closed_form(found: dict[str, LinearFinding]) -> None:
    """omega^2 = k (1/A + 1/B); the discs turn against each other as B to A. Origins lie on the axis and stay there."""
    view = _view(found["modes"])
    said = view.head["linear"]
    assert said["analysis"] == "modes" and said["rigid"] == 1 and said["kinds"] == ["rigid body", "torsional"]
    omega = math.sqrt(STIFFNESS * (1 / INERTIA_A + 1 / INERTIA_B))
    assert view.array(said["frequency"])[1] == pytest.approx(omega / (2 * math.pi), rel=1e-9)
    damping = 2.0 * (1 / INERTIA_A + 1 / INERTIA_B) / (2 * omega)
    assert view.array(said["damping"])[1] == pytest.approx(damping, rel=1e-6)
    rigid, mode = view.shapes[0]
    assert said["bodies"] == ["a", "b"]
    np.testing.assert_allclose(np.abs(view.shapes[..., :3]), 0.0, atol=1e-6)
    assert rigid[1, 5] / rigid[0, 5] == pytest.approx(1.0, rel=1e-5)
    assert mode[1, 5] / mode[0, 5] == pytest.approx(-INERTIA_A / INERTIA_B, rel=1e-5)


def test_shapes_of_a_response_move_as_its_outputs(found: dict[str, LinearFinding]) -> None:
    """Also where frequencies were not given in rising order; the pose has the bodies where they stand."""
    response = found["response"]
    view = _view(response)
    said = view.head["linear"]
    np.testing.assert_array_equal(view.array(said["frequency"]), [10.0, 60.0, 150.0])
    order = [1, 2, 0]
    np.testing.assert_allclose(
        view.array(said["magnitude"])[0, 0], response.magnitude("hinge_b.angle")[order], rtol=1e-12
    )
    turn = view.shapes[view.array(said["shapes_at"]), 0, :, 5]
    np.testing.assert_allclose(turn[:, 0], response.between("hinge_a.angle")[order], rtol=1e-6)
    np.testing.assert_allclose(turn[:, 1], response.between("hinge_b.angle")[order], rtol=1e-6)
    np.testing.assert_allclose(np.abs(view.array("b/q")[0]), [0.0, 1.0, 0.0, 0.0], atol=1e-12)


def test_shapes_of_a_campbell_diagram_follow_its_curves(found: dict[str, LinearFinding]) -> None:
    campbell = found["campbell"]
    assert campbell.shapes.shape == (3, 1, 2, 6)
    view = _view(campbell)
    np.testing.assert_array_equal(view.array(view.head["linear"]["shapes_at"]), [0, 1, 2])
    ratio = view.shapes[:, 0, 1, 5] / view.shapes[:, 0, 0, 5]
    np.testing.assert_allclose(ratio, -INERTIA_A / INERTIA_B, rtol=1e-5)


@pytest.mark.parametrize("kind", ("modes", "campbell", "response"))
def test_a_file_gives_back_the_same(found: dict[str, LinearFinding], kind: str, tmp_path: Path) -> None:
    path = found[kind].save(tmp_path / "found.nc")
    again = pl.load(path)
    assert type(again) is type(found[kind]) and repr(again) == repr(found[kind])
    assert record_of(again).block == record_of(found[kind]).block
    _same(vars(again), vars(found[kind]))
    with pytest.raises(ResultFileError, match=r"found\.nc"):
        found[kind].save(path)
    found[kind].save(path, overwrite=True)
    with pytest.raises(ResultFileError, match="is not a result: it is a file of modes"):
        pl.Result.load(path)


def _same(a: Any, b: Any) -> None:
    assert type(a) is type(b)
    if isinstance(a, np.ndarray):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
    elif isinstance(a, dict):
        assert list(a) == list(b)
        for key in a:
            _same(a[key], b[key])
    elif hasattr(a, "__dict__"):
        _same(vars(a), vars(b))
    else:
        assert a == b


def test_a_file_that_was_changed_is_refused(found: dict[str, LinearFinding], tmp_path: Path) -> None:
    path = found["modes"].save(tmp_path / "modes.nc")
    data = bytearray(path.read_bytes())
    place = data.index(found["modes"].kinetic.tobytes())
    data[place] ^= 1
    path.write_bytes(data)
    with pytest.raises(ResultFileError, match='checksum of "kinetic"'):
        pl.load(path)


def test_other_programs_read_it(found: dict[str, LinearFinding], tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(found["modes"].save(tmp_path / "modes.nc")) as file:
        np.testing.assert_array_equal(file["eigenvalues"][:, 1], found["modes"].eigenvalues.imag)
        assert json.loads(file.attrs["head"])["kinds"] == ["rigid body", "torsional"]


@pytest.fixture(scope="module")
def floating_bar() -> pl.Modes:
    """A bar of finite elements that floats, turned and moved."""
    m = pl.Model("bar")
    m.flexible_body("bar", bar(30), position=(0.3, -0.2, 0.1), orientation=pl.Rotation((1, 2, 3), "70 deg"))
    return pl.modes(m)


def test_surfaces_of_flexible_bodies_move_as_their_finite_elements(floating_bar: pl.Modes) -> None:
    """The first bending mode is that of the whole finite elements. Its frequency is 2.4e-4 too high for the modes that the
    reduction leaves out; by Rayleigh's quotient shapes are then alike to 2 x 2.4e-4/((f_2/f_1)^2 - 1) = 6.4e-4."""
    full, found = full_bar(), floating_bar
    values, vectors = scipy.linalg.eigh(full.K_rigid.toarray(), full.M_rigid.toarray(), subset_by_index=(6, 6))
    assert found.rigid == 6 and found.frequencies[6] == pytest.approx(math.sqrt(values[0]) / (2 * math.pi), rel=3e-4)
    R, element = pl.Rotation((1, 2, 3), "70 deg").matrix, bar(30)
    points, triangles = found.pose.surfaces["bar"]
    np.testing.assert_allclose(points, np.array([0.3, -0.2, 0.1]) + element.points @ R.T, atol=1e-12)
    assert len(triangles)
    nodes = shape_mesh(BLOCK)[0]
    whole = (full.G @ vectors[:, 0]).reshape(-1, 3)
    rows = [int(np.argmin(np.linalg.norm(nodes - p, axis=1))) for p in element.points]
    ours, theirs = found.surfaces["bar"][6].ravel(), (whole[rows] @ R.T).ravel()
    like = abs(np.vdot(ours, theirs)) ** 2 / (np.vdot(ours, ours).real * (theirs @ theirs))
    assert like == pytest.approx(1.0, abs=7e-4)
    assert np.vdot(ours, ours).real == pytest.approx(theirs @ theirs, rel=2e-3)  # both of unit modal mass


def test_surfaces_are_in_files_and_views(floating_bar: pl.Modes, tmp_path: Path) -> None:
    again = pl.load(floating_bar.save(tmp_path / "bar.nc"))
    np.testing.assert_array_equal(again.surfaces["bar"], floating_bar.surfaces["bar"])
    view = _view(again)
    (said,) = view.head["linear"]["surfaces"]
    motion = view.array(said["motion"]) * view.array(said["scale"])[:, None, None, None]
    points = view.array(said["position"])
    assert motion.shape == (len(again), len(points), 3, 2) and view.array(said["index"]).max() == len(points) - 1
    # a rigid-body motion moves all points as one body
    body = view.shapes[0, 2, 0]
    at = again.pose.positions[0]
    rigid = body[:3].real + np.cross(body[3:].real, points - at)
    np.testing.assert_allclose(motion[2, :, :, 0], rigid, atol=np.abs(motion[2]).max() / 32767.0)


def test_surfaces_are_computed_when_they_are_asked_for(floating_bar: pl.Modes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of points would make `modes` slow, and a Campbell diagram does not need them."""
    m = pl.Model("bar")
    m.flexible_body("bar", bar(30), position=(0.3, -0.2, 0.1), orientation=pl.Rotation((1, 2, 3), "70 deg"))
    with monkeypatch.context() as refused:
        refused.delattr("pitchline.parts.contact.results.SurfaceShare.points")
        later = pl.modes(m)
        assert list(later.surfaces) == ["bar"]
    copied = pickle.loads(pickle.dumps(later))
    np.testing.assert_array_equal(copied.surfaces["bar"], floating_bar.surfaces["bar"])


def test_a_file_without_its_seal_is_damaged(found: dict[str, LinearFinding], tmp_path: Path) -> None:
    path = found["modes"].save(tmp_path / "modes.nc")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ResultFileError, match=r'modes.nc" is damaged'):
        pl.load(path)


def test_what_cannot_be_drawn_is_said(found: dict[str, LinearFinding]) -> None:
    from dataclasses import replace

    with pytest.raises(pl.PitchlineError, match='Modes of "discs" does not contain the poses of its bodies'):
        record_of(replace(found["modes"], pose=None))


def test_pages_keep_within_bounds(found: dict[str, LinearFinding], monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer speeds, or fewer modes, and a note that says so."""
    monkeypatch.setattr("pitchline.viewer.records.MOST_BYTES", 200)
    assert _view(found["campbell"]).shapes.shape[0] == 2
    view = _view(found["modes"])
    assert view.shapes.shape[:2] == (1, 2)
    monkeypatch.setattr("pitchline.viewer.records.MOST_BYTES", 100)
    view = _view(found["modes"])
    assert view.shapes.shape[:2] == (1, 1)
    assert any("first 1 of 2 modes" in note for note in view.head["notes"])
