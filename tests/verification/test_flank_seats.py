"""Deformation between the bore of a gear and its mean motion, which `Flank` does not contain: the estimate of its warning."""

import re

import numpy as np
import pytest

import pitchline as pl
from pitchline.parts.gears.geometry.gear import seat_compliance


def pair(teeth: tuple[int, int], module: float, width: float, bores: tuple[float, float]) -> list[pl.Gear]:
    size = {"normal_module": module, "face_width": width}
    return [pl.Gear(teeth=z, bore=bore, **size) for z, bore in zip(teeth, bores, strict=True)]


@pytest.mark.parametrize(
    ("gears", "torque"),
    [(pair((24, 40), 2e-3, 20e-3, (20e-3, 30e-3)), 150.0), (pair((20, 40), 1e-3, 8e-3, (5e-3, 5e-3)), 75.0)],
)
def test_estimate_is_the_difference_between_finite_elements_with_both_frames(
    gears: list[pl.Gear], torque: float
) -> None:
    """The compliance of a flank with its bore held, less that of the floating gear: under a unit force shared by all hats."""
    for gear in gears:
        found = []
        for bore in ("fixed", "free"):
            elastic = pl.elastic_gear(gear, bore=bore)
            hats = elastic.grids["left"].shape
            middle = np.ravel_multi_index((hats[0] // 2, np.arange(hats[1])), hats)
            C = elastic.compliance_between("left", 0, "left", 0)
            found.append(float(C[np.ix_(middle, middle)].mean()))
        assert seat_compliance(gear, seat=0.5 * gear.bore) == pytest.approx(found[0] - found[1], rel=0.15)


def test_warning_states_the_amount() -> None:
    a, b = pair((20, 40), 1e-3, 8e-3, (5e-3, 5e-3))
    m = pl.Model("pair")
    one = m.gear_body("pinion", a)
    two = m.gear_body("wheel", b, mesh_with=one, towards="x")
    for body in (one, two):
        m.revolute(f"{body.name} bearing", m.ground, body, axis="z")
    m.gear_pair("mesh", one, two, mesh=pl.Flank())
    text = next(text for text in m.warnings if "mean motion" in text)
    amounts = [float(value) for value in re.findall(r"([\d.e+]+) um for", text)]
    force = 75.0 / (0.5 * b.base_diameter)
    assert 1e-6 * force * sum(amounts) * 1e-3 == pytest.approx(37e-6, rel=0.03)  # finite elements: 36.9 to 38 um
