"""Tables over the tilt as the user says them: what is read, what is refused, and the surface that joins the points."""

import json
import math
from typing import Any

import numpy as np
import pytest
from references.observed_order import observed_order

import pitchline as pl
from pitchline.errors import ModelError
from pitchline.files.written_values import mesh_data
from pitchline.model.describe import plain_data
from pitchline.parts.meshes.tables import TiltTable
from pitchline.views.report.model_words import _mesh as mesh_words

LOADS = [0.0, 100.0, 300.0]
TILTS = [-1e-3, 0.0, 1e-3]
ROWS = [[[0.0, 0.0], [1e-6, 2e-6], [3e-6, 4e-6]]] * 3
FACTORS = [[[1.5, 1.4], [1.3, 1.2]]] * 3
GIVEN: dict[str, Any] = {"loads": LOADS, "approach": ROWS, "tilts": TILTS}


def test_it_keeps_what_was_said_and_goes_to_a_file_and_back() -> None:
    mesh = pl.Loaded(LOADS, ROWS, tilts=["-1 mrad", 0, "1 mrad"], face_load_factor=FACTORS, backlash="50 um")
    assert mesh.tilts.tolist() == TILTS
    assert mesh.approach.shape == (3, 3, 2)
    assert mesh.face_load_factor.shape == (3, 2, 2)
    assert json.loads(json.dumps(plain_data(mesh)))["tilts"] == TILTS
    data = mesh_data(mesh, "mesh")
    assert data.pop("kind") == "loaded"
    assert plain_data(pl.Loaded(**data)) == plain_data(mesh)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tilts": [-1e-3, 1e-3]}, "at least 3"),
        ({"tilts": [-1e-3, 1e-3, 0.0]}, "must increase, but 0 rad follows 0.001 rad"),
        ({"tilts": [0.0, 1e-3, 2e-3]}, "from negative to positive values, got 0 to 0.002 rad"),
        ({"tilts": [-1.0, 0.0, 1.0]}, 'no longer nearly parallel; specify angles such as "0.5 mrad"'),
        ({"tilts": "1 mrad"}, "a single largest tilt is for tables that are computed"),
        ({"tilts": None}, "one level more; for a table over tilts, specify them too"),
        ({"approach": ROWS[:2]}, "2 tables for 3 tilts"),
        ({"approach": ROWS[0]}, "a row for each load"),
        ({"approach": [*ROWS[:2], ROWS[0][:2]]}, "2 rows for 3 loads"),
        ({"approach": [*ROWS[:2], [[0.0], [1e-6], [2e-6]]]}, "table 2 has 1 phases but table 0 has 2"),
        ({"approach": [*ROWS[:2], [[0, 0], [1e-6, 2e-6], [3e-6, 1e-6]]]}, "approach[2]: must increase with the load"),
        ({"coast": ROWS[0]}, "coast[0]"),
        ({"face_load_factor": FACTORS[0]}, "2 tables for 3 tilts"),
        ({"face_load_factor": ROWS}, "3 rows for 2 loads above zero"),
        ({"face_load_factor": [[[1.5, 0.4], [1.3, 1.2]]] * 3}, "a factor of 0.4; specify max/mean"),
        ({"coast": ROWS, "face_load_factor": FACTORS}, "specify coast_face_load_factor too"),
        ({"coast_face_load_factor": FACTORS}, "needs coast and face_load_factor"),
    ],
)
def test_tables_that_cannot_be(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError) as found:
        pl.Loaded(**(GIVEN | changes))
    assert message in str(found.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tilts": 0}, "must be greater than zero"),
        ({"tilts": "-1 mrad"}, "must be greater than zero"),
        ({"tilts": "20 deg"}, "no longer nearly parallel"),
        ({"tilts": "1 mm"}, "tilts"),
        ({"face_load_factor": FACTORS}, "face_load_factor needs loads and approach"),
    ],
)
def test_computed_tables_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        pl.Loaded(**options)


def test_one_largest_tilt_is_nine_tilts() -> None:
    mesh = pl.Loaded(tilts="0.8 mrad")
    assert mesh.tilts == pytest.approx(np.linspace(-8e-4, 8e-4, 9), abs=1e-18)
    assert mesh.tilts.tolist() == (-mesh.tilts[::-1]).tolist()
    assert mesh_data(mesh, "mesh")["tilts"] == pytest.approx(mesh.tilts)
    assert pl.Loaded().tilts is None


def test_crossed_axes_have_no_plane_of_action() -> None:
    m = pl.Model("worm")
    gear = pl.Gear(teeth=20, normal_module="4 mm", helix_angle="45 deg", face_width="20 mm")
    a = m.gear_body("a", gear)
    b = m.gear_body("b", gear, mesh_with=a, shaft_angle="90 deg")
    with pytest.raises(ModelError, match="tilts need wheels on parallel axes"):
        m.gear_pair("mesh", a, b, mesh=pl.Loaded(**GIVEN, along="normal"))


def test_reports_say_how_far_the_tilts_go() -> None:
    given = plain_data(pl.Loaded(**GIVEN)) | {"type": "Loaded"}
    assert mesh_words(given).startswith("loaded teeth, 3 loads to 300 N at 2 phases, 3 tilts to 1 mrad")
    computed = plain_data(pl.Loaded(torque="80 N*m", tilts="0.8 mrad")) | {"type": "Loaded"}
    assert "table from the gears to 80 N·m on B, 9 tilts to 0.8 mrad" in mesh_words(computed)


# ------------------------------------------------------------------------------------------------------------- surface


def smooth(force: Any, tilt: Any, phase: Any) -> Any:
    """First touch and compliance over tilt and phase."""
    angle, f = 2 * math.pi * phase, tilt / 1e-3
    return -2e-6 * f * np.sin(f) + 1e-6 * np.cos(angle + f) + force / (3e8 + 5e7 * np.cos(angle) - 4e7 * np.cos(2 * f))


def table(tilts: int = 9, phases: int = 8) -> TiltTable:
    f, F, phase = np.linspace(-1e-3, 1e-3, tilts), np.array([0.0, 1000.0, 4000.0]), np.arange(phases) / phases
    return TiltTable.through(f, F, smooth(F[:, None], f[:, None, None], phase))


def test_it_passes_through_the_points() -> None:
    found, phase = table(), np.arange(8) / 8
    for tilt in np.linspace(-1e-3, 1e-3, 9):
        for force in (0.0, 1000.0, 4000.0):
            assert found.approach(force, phase, tilt) == pytest.approx(smooth(force, tilt, phase), rel=1e-12, abs=1e-18)
    assert found.largest_load == 4000.0


def test_order_over_the_tilt() -> None:
    """Splines: with the fourth power of the distance of tilts."""

    def error(n: int) -> float:
        found = table(n)
        tilts = np.linspace(-1e-3, 1e-3, 201)
        return max(float(np.abs(found.at(f).approach(4000.0, 0.25) - smooth(4000.0, f, 0.25))) for f in tilts)

    assert observed_order([error(n) for n in (9, 17, 33)]) == pytest.approx(4.0, abs=0.6)


def test_it_goes_on_smoothly_and_monotone_beyond_its_tilts() -> None:
    """One continuous derivative at every tilt, first touch straight beyond, compliances positive however far."""
    rng = np.random.default_rng(0)
    F = np.array([0.0, 100.0, 400.0, 900.0])
    rises = (
        10 ** rng.uniform(-1.0, 1.0, (5, 3, 6)) * np.diff(F)[:, None] * 1e-9
    )  # wild: splines fall back on monotone pieces
    first = 1e-7 * rng.normal(size=(5, 1, 6))
    points = np.concatenate([first, first + np.cumsum(rises, axis=1)], axis=1)
    found = TiltTable.through(np.linspace(-1e-3, 1e-3, 5), F, points)
    forces, phase, d = np.linspace(0.0, 2000.0, 60)[:, None], np.linspace(0, 1, 41)[None, :], 1e-9
    for tilt in (*found.tilts, *np.linspace(-5e-3, 5e-3, 81), -1.0, 1.0):
        below, here, above = (found.at(tilt + step).approach(forces, phase) for step in (-d, 0.0, d))
        assert np.all(np.diff(here, axis=0) > 0.0)
        assert np.max(np.abs(above - 2 * here + below)) < 1e-4 * np.max(np.abs(above - here) + 1e-18) + 1e-15
    far = [found.at(f).touch for f in (3e-3, 4e-3, 5e-3)]
    assert far[2] - far[1] == pytest.approx(far[1] - far[0], abs=1e-18)


def test_without_phase_it_has_the_mean_stiffness_at_every_tilt() -> None:
    found, even = table(), table().even()
    for tilt in (-1e-3, 0.0, 5e-4):
        k = found.at(tilt).stiffness(2000.0, (np.arange(400) + 0.5) / 400).mean()
        assert even.at(tilt).stiffness(2000.0, 0.3) == pytest.approx(k, rel=1e-3)
