"""Beams and rotors of the gallery against published results and continuous shafts."""

import numpy as np
import pytest
from references.continuous_shaft import whirl_frequencies
from references.gallery_runs import figures_of

from pitchline import gallery
from pitchline.parts.shafts.part import Shaft

RPM = np.pi / 30


def test_bend_of_bathe_and_bolourchi() -> None:
    """Displacements of the tip for 600: (13.604, -23.560, 53.475), the limit of many elements (Bathe and Bolourchi 1979)."""
    found = figures_of("bathe-bend")
    assert [found[f"tip.{x}"].value for x in "xyz"] == pytest.approx([13.604, -23.560, 53.475], abs=1.5e-3)


def rotor_parts() -> list:
    """The stepped rotor as a continuous shaft, from the model itself."""
    model = gallery.model("stepped-rotor").build()
    shaft = model.shafts["rotor"]
    assert isinstance(shaft, Shaft)
    disc, stiffness = ("disc", 1.401, 0.00136, 0.00203), ("spring", 4.378e7)
    parts, at = [], 0.0
    for section in shaft.sections:
        if abs(at - 0.0889) < 1e-9:
            parts.append(disc)
        if abs(at - 0.1651) < 1e-9 or abs(at - 0.287) < 1e-9:
            parts.append(stiffness)
        parts.append(("shaft", section.length, section.at(0.0, shaft.material)))
        at += section.length
    assert [part[0] for part in parts].count("spring") == 2 and ("disc" in [part[0] for part in parts])
    return parts


def test_critical_speeds_of_the_stepped_rotor() -> None:
    """Forward and backward, of the rotor of Nelson and McVaugh (1976) with shear; the same from transfer matrices here."""
    found = figures_of("stepped-rotor")
    forward, backward = found["critical.forward"], found["critical.backward"]
    assert forward.value == pytest.approx([17007.7, 48986.1, 94584.7], rel=1e-4)
    assert backward.value[:3] == pytest.approx([15359.0, 45713.8, 64153.3], rel=1e-4)
    parts = rotor_parts()
    for sign, figure in ((1.0, forward), (-1.0, backward)):
        exact = whirl_frequencies(parts, 1000.0, 10_000.0, spin=lambda w, s=sign: s * w, samples=120)[:3] / RPM
        np.testing.assert_allclose(exact, figure.expected[: len(exact)], rtol=4e-6)


def test_whirl_of_the_stepped_rotor_at_speed() -> None:
    """At 70,000 rpm, against the continuous shaft that spins so fast; the sixth frequency is of torsion."""
    found = np.array(figures_of("stepped-rotor")["whirl.frequencies"].value)
    spin = 70_000 * RPM
    exact = [
        whirl_frequencies(rotor_parts(), 1000.0, 9900.0, spin=lambda w, s=s: s * spin, samples=120) for s in (1.0, -1.0)
    ]
    bending = np.delete(found, 5)
    np.testing.assert_allclose(bending, np.sort(np.concatenate(exact))[: len(bending)] / RPM, rtol=1.5e-4)
