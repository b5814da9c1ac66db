"""The loaded contact of helical gears is free of the finite elements along the face: no line of the grid in its spectrum."""

import math
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from references.loaded_pairs import gear
from references.loaded_tables import table_of

from pitchline.contact import flank_data as slices
from pitchline.contact.flank_data import face_slices
from pitchline.fem.elastic_gear import ElasticGear
from pitchline.parts.contact.loaded_contact import loaded_contact
from pitchline.parts.contact.results_flank import LoadedContact

HELIX, FACE = math.radians(20.0), 20e-3
OVERLAP = FACE * math.sin(HELIX) / (math.pi * 2e-3)
TORQUES = [20.0, 100.0]
SWEEP = (4, 6, 8)
PART = 0.01
"""Of the first harmonic: what the grid may put into any other."""


def pair(elements: int) -> tuple[ElasticGear, ElasticGear]:
    grid = (("face_elements", elements), ("flank_edge", "0.5 mm"), ("size", "2 mm"))
    return gear(20, grid, face_width=FACE, helix_angle=HELIX), gear(33, grid, face_width=FACE, helix_angle=-HELIX)


@cache
def contact(elements: int) -> LoadedContact:
    return loaded_contact(*pair(elements), torque=TORQUES, positions=64)


@pytest.mark.parametrize("elements", SWEEP)
def test_no_line_at_strips_over_overlap_ratio(elements: int) -> None:
    """Where a strip at each face line of the elements would ring, the spectrum is that of the other grids."""
    order = 2 * elements / OVERLAP
    near = [round(order) - 1 + k for k in range(3)]  # a line between whole orders shows in both
    for t in range(len(TORQUES)):
        mine = contact(elements).spectrum()[1][t]
        others = [contact(n).spectrum()[1][t] for n in SWEEP if n != elements]
        allowed = PART * mine[0]
        for k in near:
            assert mine[k - 1] < max(one[k - 1] for one in others) + allowed


def test_narrower_slices_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three times as many slices: every line stays within 1 % of the first harmonic, at the largest load within 0.5 %."""
    elements = 6
    coarse = contact(elements)
    monkeypatch.setattr(slices, "_PER_AXIAL_PITCH", 3.0 * slices._PER_AXIAL_PITCH)
    fine = loaded_contact(*pair(elements), torque=TORQUES, positions=64)
    assert len(fine.faces) > 2.5 * len(coarse.faces)
    change = 2.0 / 64 * np.abs(np.fft.rfft(fine.transmission_error - coarse.transmission_error, axis=1))
    for t, part in enumerate((PART, 0.5 * PART)):
        assert change[t].max() < part * coarse.spectrum()[1][t, 0]


def test_the_table_has_the_same_lines() -> None:
    table = table_of(*pair(8), torque=100.0, loads=3, phases=64)
    lines = 2.0 / 64 * np.abs(np.fft.rfft(table.approach[-1]))[1:]
    assert lines[:20] == pytest.approx(contact(8).spectrum()[1][1, :20], abs=1e-12)


@pytest.mark.parametrize("pitch", [math.inf, 18e-3, 300e-3])
@pytest.mark.parametrize("ends", [(-1.0, 1.0), (-4e-3, 7e-3)])
def test_slices_tile_the_common_face(pitch: float, ends: tuple[float, float]) -> None:
    lines = np.linspace(-10e-3, 10e-3, 9)
    zeta, widths = face_slices(lines, pitch, ends)
    low, high = max(-10e-3, ends[0]), min(10e-3, ends[1])
    assert widths.sum() == pytest.approx(high - low, rel=1e-12)
    assert (np.diff(zeta) > 0.0).all() and zeta[0] >= low and zeta[-1] <= high
    if math.isinf(pitch):
        return
    assert widths.max() <= pitch / 80 + 1e-12
    edges = np.concatenate([[low], low + np.cumsum(widths)])
    assert zeta == pytest.approx(0.5 * (edges[1:] + edges[:-1]), abs=1e-12)
    for line in lines[(lines > low) & (lines < high)]:  # hats on both sides of a slice have shares linear in its place
        assert np.abs(edges - line).min() < 1e-12
    if low == -high:
        assert widths == pytest.approx(widths[::-1])
    assert any(abs(a / b - 1.0) > 0.05 for a, b in pairwise(widths))
