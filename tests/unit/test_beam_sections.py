"""Sections of shafts and beams: numbers of handbooks, offsets, cuts, and messages."""

import math

import numpy as np
import pytest

import pitchline as pl
from pitchline.parts.shafts.sections import (
    BeamSection,
    ShaftSection,
    rectangle_torsion,
    rectangle_torsion_modulus,
    shear_factor_of_tube,
)
from pitchline.parts.shafts.segment import (
    ELEMENTS_PER_WAVE,
    Segment,
    cuts,
    section_stress,
    segment_mass,
    segment_stiffness,
    wave_number,
)

STEEL = pl.Material("steel", density=7850, youngs_modulus=2.1e11, poissons_ratio=0.3)


def test_numbers_of_handbooks() -> None:
    """Torsion of rectangles after Saint-Venant (Timoshenko and Goodier, table 7): J/(a b³), W_t/(a b²); shear factors of Cowper."""
    for ratio, J, W in ((1, 0.1406, 0.208), (2, 0.229, 0.246), (10, 0.312, 0.312)):
        assert rectangle_torsion(ratio, 1) / ratio == pytest.approx(J, abs=6e-4)
        assert rectangle_torsion_modulus(1, ratio) / ratio == pytest.approx(W, abs=6e-4)
    assert shear_factor_of_tube(0.3, 0.0) == pytest.approx(6 * 1.3 / 8.8)
    assert shear_factor_of_tube(0.3, 1.0 - 1e-9) == pytest.approx(2 * 1.3 / 4.9, rel=1e-6)


def test_stiffness_of_usual_sections() -> None:
    tube = BeamSection.tube("60 mm", "15 mm", material=STEEL)
    same = BeamSection.circle("60 mm", inner="30 mm", material=STEEL)
    np.testing.assert_allclose(tube.stiffness, same.stiffness, rtol=1e-12)
    area, I = math.pi / 4 * (0.06**2 - 0.03**2), math.pi / 64 * (0.06**4 - 0.03**4)
    assert np.diag(tube.stiffness)[2:] == pytest.approx([2.1e11 * area, 2.1e11 * I, 2.1e11 * I, 2.1e11 / 2.6 * 2 * I])
    assert np.diag(tube.mass) == pytest.approx([7850 * area] * 3 + [7850 * I] * 2 + [2 * 7850 * I])
    bar = BeamSection.rectangle("10 mm", "20 mm", material=STEEL)
    assert np.diag(bar.stiffness)[3:5] == pytest.approx([2.1e11 * 0.01 * 0.02**3 / 12, 2.1e11 * 0.02 * 0.01**3 / 12])
    turned = BeamSection.rectangle("20 mm", "10 mm", material=STEEL, angle="90 deg")
    np.testing.assert_allclose(turned.stiffness, bar.stiffness, atol=1e-6)
    assert bar == BeamSection.rectangle(0.01, 0.02, material=STEEL) and bar != turned
    assert hash(bar) == hash(BeamSection.rectangle(0.01, 0.02, material=STEEL))


def test_offsets_of_centroid_and_shear_centre() -> None:
    """An axial force at the line of nodes bends an eccentric section; a shear force twists about the shear centre."""
    section = BeamSection.from_properties(
        "2 cm^2",
        ("1 cm^4", "3 cm^4"),
        "0.5 cm^4",
        material=STEEL,
        centroid=("4 mm", "-3 mm"),
        shear_centre=("1 mm", "2 mm"),
    )
    strain = np.linalg.solve(section.stiffness, [0, 0, 1000.0, 0, 0, 0])
    EIx, EIy = 2.1e11 * 1e-8, 2.1e11 * 3e-8
    assert strain[3:5] == pytest.approx([1000.0 * 0.003 / EIx, 1000.0 * 0.004 / EIy])
    twist = np.linalg.solve(section.stiffness, [0, 1000.0, 0, 0, 0, 0])[5]
    assert twist == pytest.approx(-1000.0 * 0.001 / (2.1e11 / 2.6 * 0.5e-8))
    momentum = section.mass @ [0, 0, 0, 0, 0, 1.0]  # turning about the line of nodes moves the centroid
    assert momentum[:2] == pytest.approx(7850 * 2e-4 * np.array([0.003, 0.004]))
    stress = section_stress(section, np.array([0, 0, 1000.0, 0, 0, 0]))
    assert math.isnan(stress.bending) and stress.axial == pytest.approx(1000.0 / 2e-4)


def test_segments_of_parts_are_the_whole() -> None:
    """Stiffness and mass of a stepped shaft cut in two, joined again, are those of the whole in statics; mass and centre too."""
    whole = Segment.of_shaft([ShaftSection(0.1, 0.03), ShaftSection(0.2, 0.05, inner=0.02)], STEEL)
    parts = [whole.between(0.0, 0.2), whole.between(0.2, 1.0)]
    assert [len(p.pieces) for p in parts] == [1, 2]
    to_end = [whole.motion(end, 1.0) @ p.motion(0.5, 1.0) for p, end in zip(parts, (0.2, 1.0), strict=True)]
    compliance = sum(X @ np.linalg.inv(segment_stiffness(p)) @ X.T for X, p in zip(to_end, parts, strict=True))
    middle = whole.motion(0.5, 1.0)
    np.testing.assert_allclose(
        compliance, middle @ np.linalg.inv(segment_stiffness(whole)) @ middle.T, rtol=1e-9, atol=1e-22
    )
    for kind in ("tuned", "consistent", "lumped"):
        carry = np.vstack([np.eye(6), whole.motion(0.0, 1.0)])
        rigid = carry.T @ segment_mass(whole, kind=kind) @ carry
        m1, m2 = 7850 * math.pi / 4 * np.array([0.1 * 0.03**2, 0.2 * (0.05**2 - 0.02**2)])
        assert rigid[0, 0] == pytest.approx(m1 + m2) and rigid[0, 4] == pytest.approx(m1 * 0.05 + m2 * 0.2)


def test_cuts_by_the_wave_length() -> None:
    """h = lambda/7 at the highest frequency; Euler's wave length for slender shafts; thick pieces get longer elements."""
    slender = BeamSection.circle("1 mm", material=STEEL)
    omega = 2 * math.pi * 100.0
    assert wave_number(slender, 100.0) == pytest.approx(
        (omega**2 * slender.mass[0, 0] / slender.stiffness[3, 3]) ** 0.25, rel=1e-4
    )
    line = Segment.uniform(1.0, slender)
    assert len(cuts(line, 100.0)) - 1 == math.ceil(ELEMENTS_PER_WAVE * wave_number(slender, 100.0) / (2 * math.pi))
    assert cuts(line, None) == [0.0, 1.0] and cuts(line, None, least=4) == [0.0, 0.25, 0.5, 0.75, 1.0]
    stepped = cuts(Segment.of_shaft([ShaftSection(0.5, 0.01), ShaftSection(0.5, 0.04)], STEEL), 2000.0)
    assert np.diff(stepped)[-1] > 1.9 * np.diff(stepped)[0]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ShaftSection("20 mm", "30 mm", inner="30 mm"), "bore 30 mm must be smaller than the outer diameter 30 mm"),
        (lambda: ShaftSection("20 mm", "30 mm", inner="5 mm", outer_end="4 mm"), "bore 5 mm must be smaller than .* 4 mm there"),
        (lambda: ShaftSection("0 mm", "30 mm"), "length: must be greater than zero"),
        (lambda: ShaftSection("20 kg", "30 mm"), "length"),
        (lambda: ShaftSection("20 mm", "30 mm", notch_factor=0.5), "notch_factor must be at least 1"),
        (lambda: ShaftSection("20 mm", "30 mm", material="steel"), "material must be a Material"),
        (lambda: ShaftSection("20 mm", outer="30 mm", bore="3 mm"), 'no argument "bore"'),
        (lambda: BeamSection.tube("20 mm", "11 mm"), "more than half the outer diameter"),
        (lambda: BeamSection.circle("20 mm", inner="21 mm"), "must be smaller than the outer"),
        (lambda: BeamSection(stiffness=np.eye(5), mass=np.eye(6)), "6x6 matrix"),
        (lambda: BeamSection(stiffness=np.diag([1, 1, 1, 1, 1, 0]), mass=np.eye(6)), "positive definite"),
        (lambda: BeamSection(stiffness=np.eye(6) + np.eye(6, k=1), mass=np.eye(6)), "symmetric"),
        (lambda: BeamSection(stiffness=np.eye(6), mass=-np.eye(6)), "negative eigenvalues"),
        (lambda: BeamSection.from_properties("1 cm^2", "1 cm^4", "1 cm^4"), "expected two values"),
    ],
)  # fmt: skip
def test_messages(make, words: str) -> None:
    with pytest.raises(pl.PitchlineError, match=words):
        make()
