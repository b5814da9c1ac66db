"""Loaded teeth as the user says them: what is read, what is refused, and the surface that joins the points of the table."""

import dataclasses
import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.observed_order import observed_order

from pitchline.errors import ModelError
from pitchline.files.written_values import mesh_data
from pitchline.gears import Gear, GearPair, Rack
from pitchline.model import Elastic, Loaded, MeshLaw
from pitchline.model.describe import plain_data
from pitchline.parts.gears.geometry.directions import length_factor
from pitchline.parts.meshes.tables import LoadTable

LOADS = np.array([0.0, 200.0, 1000.0, 4000.0])
PHASES = np.arange(8) / 8
SPUR = Gear(teeth=20, normal_module="4 mm", face_width="20 mm")
HELICAL = SPUR.with_(helix_angle="20 deg")
PAIRS = {
    "spur": GearPair(SPUR, SPUR.with_(teeth=40)),
    "helical": GearPair(HELICAL, HELICAL.with_(teeth=40, helix_angle="-20 deg")),
    "far apart": GearPair(HELICAL, HELICAL.with_(teeth=40, helix_angle="-20 deg"), centre_distance="129 mm"),
    "internal": GearPair(SPUR, SPUR.with_(teeth=50, internal=True)),
    "rack": GearPair(SPUR, Rack(teeth=20, normal_module="4 mm", face_width="20 mm")),
}


def stiffening(loads: Any, phase: Any) -> Any:
    """A smooth law: first touch and stiffness vary over the cycle, and the compliance falls with the load."""
    angle = 2 * math.pi * np.asarray(phase)
    return (
        2e-6 * np.sin(angle)
        + np.asarray(loads) / (3e8 + 5e7 * np.cos(angle))
        + 4e-6 * np.log1p(np.asarray(loads) / 800.0)
    )


def points(loads: np.ndarray = LOADS, phases: np.ndarray = PHASES) -> np.ndarray:
    return stiffening(loads[:, None], phases[None, :])


# ----------------------------------------------------------------------------------------------------------- said


def test_it_keeps_what_was_said() -> None:
    mesh = Loaded(
        ["0 N", "1 kN"],
        [["0 um", 1e-6], ["4 um", "5 um"]],
        damping_ratio=0.1,
        backlash="50 um",
        friction=0.05,
        along="hoop",
    )
    assert mesh.loads.tolist() == [0.0, 1000.0]
    assert mesh.approach.tolist() == [[0.0, 1e-6], [4e-6, 5e-6]]
    assert (mesh.coast, mesh.damping, mesh.damping_ratio, mesh.backlash, mesh.along) == (None, None, 0.1, 5e-5, "hoop")
    with pytest.raises(dataclasses.FrozenInstanceError):
        mesh.along = "normal"  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        mesh.approach[0, 0] = 1.0
    assert json.loads(json.dumps(plain_data(mesh)))["approach"] == mesh.approach.tolist()


GOOD: dict[str, Any] = {"loads": [0, 100, 300], "approach": [[0, 0], [1e-6, 2e-6], [3e-6, 4e-6]]}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"loads": [0.0]}, "at least 2"),
        ({"loads": [10, 100, 300]}, "first load must be 0 .first contact., got 10 N"),
        ({"loads": [0, 300, 300]}, "must increase, but 300 N follows 300 N"),
        ({"loads": ["0 m", 1, 2]}, "loads"),
        ({"loads": [0, 100, math.inf]}, "finite"),
        ({"approach": [[0, 0], [1e-6, 2e-6]]}, "2 rows for 3 loads"),
        ({"approach": [[0, 0], [1e-6], [3e-6, 4e-6]]}, "row 1 has 1 phases but row 0 has 2"),
        (
            {"approach": [[0, 0], [1e-6, 2e-6], [3e-6, 2e-6]]},
            "at phase 1/2 it changes from 2e-06 m at 100 N to 2e-06 m at 300 N",
        ),
        ({"approach": [0, 1e-6, 2e-6]}, "a row for each load"),
        ({"approach": [[0, 0], [1e-6, math.nan], [3e-6, 4e-6]]}, "approach"),
        ({"coast": [[0], [1e-6], [3e-6]]}, "coast has 1 phases but approach has 2"),
        ({"coast": [[0, 0], [1e-6, 2e-6], [3e-6, 2e-6]]}, "coast: must increase"),
        ({"along": "pitch circle"}, '"base circle" or "normal" or "hoop"'),
        ({"damping": 1, "damping_ratio": 0.1}, "not both"),
        ({"backlash": -1e-6}, "backlash"),
        ({"friction": 0.1, "efficiency": 0.9}, "already includes tooth friction"),
        ({"separating": False, "follow_centres": True}, "omit separating=False"),
    ],
)
def test_tables_that_cannot_be(changes: dict[str, Any], message: str) -> None:
    given_ = GOOD | changes
    with pytest.raises(ModelError, match=message.replace("(", r"\(")):
        Loaded(given_.pop("loads"), given_.pop("approach"), **given_)


def test_it_goes_to_a_file_and_back() -> None:
    mesh = Loaded(LOADS, points(), coast=points() + 1e-6, damping_ratio=0.05, error="2 um", along="normal")
    data = mesh_data(mesh, "mesh")
    assert data.pop("kind") == "loaded"
    again = Loaded(**data)
    assert plain_data(again) == plain_data(mesh)
    assert "coast" not in mesh_data(Loaded(LOADS, points()), "mesh")


# -------------------------------------------------------------------------------------------------------- surface


def test_it_passes_through_the_points() -> None:
    table = LoadTable.through(LOADS, points())
    F, phase = np.meshgrid(LOADS, PHASES, indexing="ij")
    assert np.abs(table.approach(F, phase) - points()).max() < 1e-20
    assert np.abs(table.approach(F, phase + 3) - points()).max() < 1e-18
    assert np.abs(table.force(points(), phase) - F).max() < 1e-9


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_force_and_approach_are_inverse_and_increase(seed: int) -> None:
    """Whatever the points, as long as they increase."""
    rng = np.random.default_rng(seed)
    loads = np.concatenate([[0.0], np.cumsum(10 ** rng.uniform(-2, 2, rng.integers(1, 8)))])
    rises = 10 ** rng.uniform(-2, 2, (len(loads) - 1, rng.integers(1, 9)))
    first = rng.normal(size=(1, rises.shape[1]))
    table = LoadTable.through(loads, np.concatenate([first, first + np.cumsum(rises, axis=0)]))
    F = np.linspace(0.0, 1.5 * loads[-1], 301)
    for phase in rng.uniform(-2, 2, 5):
        u = table.approach(F, phase)
        assert np.all(np.diff(u) > 0)
        assert table.force(u, phase) == pytest.approx(F, rel=1e-9, abs=1e-9 * loads[-1])
        assert np.all(table.stiffness(F, phase) > 0)
        assert table.force(u[0] - 1e-3, phase) == 0.0
        # beyond the last load: a straight line
        beyond = table.approach(loads[-1] * np.array([1.0, 1.2, 1.4]), phase)
        assert np.diff(beyond)[0] == pytest.approx(np.diff(beyond)[1], rel=1e-9)


def test_stiffness_is_continuous_over_loads() -> None:
    table = LoadTable.through(LOADS, points())
    for knot in table.knots[1:]:
        below, above = table.stiffness(knot * (1 + np.array([-1e-9, 1e-9])), 0.3)
        assert above == pytest.approx(below, rel=1e-6)


def test_order_over_loads() -> None:
    """Parabolas: the error of the approach falls with the third power of the distance of loads."""

    def error(n: int) -> float:
        table = LoadTable.through(np.linspace(0, 4000, n + 1), points(np.linspace(0, 4000, n + 1), np.zeros(1)))
        F = np.linspace(0, 4000, 997)
        return float(np.abs(table.approach(F, 0.0) - stiffening(F, 0.0)).max())

    counts = [8, 16, 32]
    assert observed_order([error(n) for n in counts]) == pytest.approx(3.0, abs=0.4)


def test_order_over_the_phase() -> None:
    """Splines: with the fourth power of the distance of phases."""

    def error(n: int) -> float:
        table = LoadTable.through(LOADS, points(LOADS, np.arange(n) / n))
        phase = np.linspace(0, 1, 997)
        return float(np.abs(table.approach(4000.0, phase) - stiffening(4000.0, phase)).max())

    counts = [8, 16, 32]
    assert observed_order([error(n) for n in counts]) == pytest.approx(4.0, abs=0.4)


def test_a_compliance_that_jumps_stays_positive() -> None:
    """Splines would swing below zero beside the jump."""
    compliance = np.array([1.0, 1.0, 1.0, 30.0, 30.0, 30.0, 1.0, 1.0])
    table = LoadTable.through(np.array([0.0, 1.0]), np.stack([np.zeros(8), compliance]))
    phase = np.linspace(0, 1, 401)
    assert np.all(1 / table.stiffness(0.5, phase) >= 1.0 - 1e-12)
    assert np.all(1 / table.stiffness(0.5, phase) <= 30.0 + 1e-12)


def test_the_coast_flank_is_the_drive_flank_mirrored() -> None:
    drive, coast = Loaded(LOADS, points()).tables
    phase = np.linspace(-1, 1, 57)
    assert coast.approach(1500.0, phase) == pytest.approx(drive.approach(1500.0, -phase), rel=1e-12)


def test_a_table_without_phase() -> None:
    drive, _ = Loaded(LOADS, points()).tables
    even = drive.even()
    phase = np.linspace(0, 1, 1000, endpoint=False)
    assert even.stiffness(1000.0, 0.4) == pytest.approx(np.mean(drive.stiffness(1000.0, phase)), rel=1e-4)
    assert even.touch_at(0.4) == pytest.approx(np.mean(drive.touch_at(phase)), abs=1e-12)


# ------------------------------------------------------------------------------------------------------------ law


def law_of(mesh: Any, pair: GearPair) -> MeshLaw:
    return MeshLaw.of(mesh, pair, 0.01, 0.04)


@pytest.mark.parametrize("name", PAIRS)
def test_at_the_base_circle(name: str) -> None:
    """Torque T = F r_b on A, and r_b dpsi is the approach: per angle c = m_n z/2 along the hoop; the law itself is on r_b."""
    pair = PAIRS[name]
    p = pair.pitch
    law = law_of(Loaded(LOADS, points(), damping_ratio=0.1, backlash="20 um", error="3 um"), pair)
    assert law.tables is not None and law.backlash == 20e-6 and law.errors == (3e-6,)
    assert law.tables[0].approach(1000.0, 0.2) == Loaded(LOADS, points()).tables[0].approach(1000.0, 0.2)
    # of the gear itself, at its reference circle, wherever the pitch circle may be
    beta, alpha = pair.a.helix_angle, pair.a.normal_pressure_angle
    radius = (
        0.5
        * pair.a.normal_module
        * pair.a.teeth
        / math.cos(beta)
        * math.cos(math.atan(math.tan(alpha) / math.cos(beta)))
    )
    lever = 0.5 * p.normal_module * p.teeth_a
    said = Loaded(LOADS, points()).tables[0]
    law = law.along_hoop(length_factor(pair.kind, p))
    assert law.tables is not None
    u = law.tables[0].approach(1000.0 * radius / lever, 0.2)
    assert u / lever == pytest.approx(said.approach(1000.0, 0.2) / radius, rel=1e-12)
    assert law.backlash / lever == pytest.approx(20e-6 / radius, rel=1e-12)
    assert law.errors[0] / lever == pytest.approx(3e-6 / radius, rel=1e-12)
    k = law.tables[0].mean_stiffness
    assert k == law.mean_stiffness
    assert law.damping == pytest.approx(0.2 * math.sqrt(k * law.effective_mass), rel=1e-12)


@pytest.mark.parametrize("along", ["normal", "hoop"])
def test_other_directions_are_those_of_elastic_teeth(along: str) -> None:
    k = 3e8
    numbers: dict[str, Any] = {"along": along, "damping": 500.0, "effective_mass": 0.7, "backlash": "30 um"}
    loaded = law_of(Loaded([0, 1000], [[0], [1000 / k]], **numbers), PAIRS["helical"])
    elastic = law_of(Elastic(k, **numbers), PAIRS["helical"])
    assert loaded.mean_stiffness == pytest.approx(elastic.mean_stiffness, rel=1e-14)
    for name in ("damping", "damping_mode", "backlash", "offset", "effective_mass", "rigid", "separating"):
        assert getattr(loaded, name) == getattr(elastic, name), name


def test_pairs_without_base_circles_in_one_plane() -> None:
    helical = Gear(teeth=20, normal_module="4 mm", helix_angle="45 deg", face_width="15 mm")
    crossed = GearPair(helical, helical, shaft_angle="90 deg", what="pair")
    with pytest.raises(ModelError, match='omit along, or specify along="normal"'):
        law_of(Loaded(LOADS, points(), along="base circle"), crossed)
    laws = [law_of(Loaded(LOADS, points(), along=along, backlash=1e-5), crossed) for along in (None, "normal")]
    assert laws[0].mean_stiffness == laws[1].mean_stiffness and laws[0].backlash == laws[1].backlash == 1e-5


def test_play_over_the_cycle() -> None:
    law = law_of(Loaded(LOADS, points(), backlash="50 um"), PAIRS["spur"])
    # mirrored first touch: 2 um sin on one flank, -2 um sin on the other
    assert law.play == pytest.approx((50e-6, 50e-6), rel=1e-9)
    wider = law_of(Loaded(LOADS, points() + 5e-6, backlash="50 um"), PAIRS["spur"])
    assert wider.play == pytest.approx((60e-6, 60e-6), rel=1e-9)
