"""The gallery's ball bearing against the published deflections."""

import pytest
from references.gallery_runs import figures_of

from pitchline import gallery


def test_radial_deflection_is_the_published_one() -> None:
    found = figures_of("ball-bearing")
    assert found["radial.deflection"].value == pytest.approx(15.1101, abs=2e-4)
    assert abs(found["axial.deflection"].value) < 1e-6 and abs(found["tilt"].value) < 1e-6
    # without clearance the life of the standard is a little above (C/F)^3: its seven balls are fewer than the load integrals assume
    assert found["life"].value == pytest.approx(23.4**3, rel=0.05)


def test_axial_deflection_is_the_published_one() -> None:
    model = gallery.model("ball-bearing", radial_force="0 N", axial_force="1 kN")
    found = {figure.key: figure for figure in model.figures(model.run())}
    assert found["axial.deflection"].value == pytest.approx(133.5381, abs=2e-4)
    assert abs(found["radial.deflection"].value) < 1e-6
