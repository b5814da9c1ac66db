"""Pressure at the start of a linear relief, an obtuse edge: it has no limit, is marked, and reported separately."""

import math

import numpy as np
import pytest

import pitchline as pl
from pitchline.parts.gears.surfaces import surface_teeth

AMOUNT, LENGTH = 20e-6, 1.5e-3
ANGLE = AMOUNT / LENGTH


def gears(shape: str) -> list[pl.Gear]:
    relief = pl.TipRelief(AMOUNT, length=LENGTH, shape=shape)
    size = {"normal_module": "2 mm", "face_width": "20 mm", "modifications": relief}
    return [pl.Gear(teeth=24, bore="20 mm", **size), pl.Gear(teeth=40, bore="30 mm", **size)]


def test_pressure_on_the_flanks_converges_and_that_of_the_edge_does_not() -> None:
    """Halving the cells adds E* θ ln 2 / π to the edge, and less than 1 % to the flanks."""
    a, b = (pl.elastic_gear(gear) for gear in gears("linear"))
    runs = [pl.loaded_contact(a, b, torque=200.0, resolution=n, cells=41, positions=16) for n in (4, 8, 16)]
    flank, edge = (np.array([getattr(run, key).max() for run in runs]) for key in ("max_pressure", "edge_pressure"))
    assert flank == pytest.approx(flank[-1], rel=0.01)
    starts = np.array([at_start(run) for run in runs])
    modulus = 0.5 * 206e9 / (1.0 - 0.3**2)
    assert np.diff(starts) == pytest.approx(modulus * ANGLE * math.log(2.0) / math.pi, rel=0.1)
    assert (edge >= starts).all()
    assert all(any("start of relief of gear" in text for text in run.warnings) for run in runs)


def at_start(run: pl.LoadedContact) -> float:
    """Largest pressure at the start of a relief [Pa]."""
    states = [run.flank_load(0, i) for i in range(len(run.phase))]
    return max(float(now.pressure[np.char.startswith(now.edge, "start of relief")].max(initial=0.0)) for now in states)


def test_parabolic_reliefs_have_no_edge() -> None:
    a, b = (pl.elastic_gear(gear) for gear in gears("parabolic"))
    run = pl.loaded_contact(a, b, torque=200.0, positions=16)
    assert at_start(run) == 0.0
    assert not run.warnings


@pytest.mark.parametrize(("shape", "marked"), [("linear", True), ("parabolic", False)])
def test_contact_in_cells_marks_the_edge(shape: str, marked: bool) -> None:
    run = pl.flank_contact(*gears(shape), torque=200.0, phase=0.125, method="cells")
    patch = max(run.patches[0][0], key=lambda one: one.peak_pressure)
    assert (patch.peak_pressure > 2.5e9 and patch.on_edge) == marked
    assert any("start of a linear relief" in text for text in run.warnings) == marked


def test_surfaces_have_the_same_edges_as_involutes() -> None:
    for gear in gears("linear"):
        teeth = pl.Teeth(gear)
        lengths, faces = teeth.left.ridges
        patch = surface_teeth(teeth).flank("left")
        u, v = patch.ridges
        r = np.linalg.norm(patch.point(u, 0.5)[:, :2], axis=1)
        assert len(faces) == len(v) == 0
        assert np.sqrt(r**2 - (0.5 * gear.base_diameter) ** 2) == pytest.approx(lengths, rel=1e-6)
        smooth = gear.with_(modifications=pl.TipRelief(AMOUNT, length=LENGTH, shape="parabolic"))
        assert len(pl.Teeth(smooth).left.ridges[0]) == len(surface_teeth(pl.Teeth(smooth)).flank("left").ridges[0]) == 0


def test_ends_of_the_face() -> None:
    gear = gears("parabolic")[0]
    relieved = pl.Teeth(gear.with_(modifications=pl.EndRelief("10 um", length="4 mm")))
    assert relieved.left.ridges[1] == pytest.approx([-6e-3, 6e-3])
    assert surface_teeth(relieved).flank("left").ridges[1] == pytest.approx([0.2, 0.8], abs=1e-9)
