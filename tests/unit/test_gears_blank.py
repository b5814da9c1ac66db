"""Mass and inertia of blanks against their closed forms and against each other."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitchline.errors import ModelError
from pitchline.gears import Gear, Rack


def test_cylinder() -> None:
    """m = ρπ(R² − r²) b, I_zz = m (R² + r²)/2, I_xx = m (3 (R² + r²) + b²)/12."""
    g = Gear(teeth=40, normal_module="2 mm", face_width="20 mm", bore="30 mm", density=7800)
    R, r, b = 0.04, 0.015, 0.02
    m = 7800 * math.pi * (R**2 - r**2) * b
    blank = g.blank
    assert blank.mass == pytest.approx(m, rel=1e-14)
    assert blank.inertia[2] == pytest.approx(m * (R**2 + r**2) / 2, rel=1e-14)
    assert blank.inertia[0] == blank.inertia[1] == pytest.approx(m * (3 * (R**2 + r**2) + b**2) / 12, rel=1e-13)
    assert blank.centre_of_mass == (0.0, 0.0, pytest.approx(0.0, abs=1e-18))


def test_internal_ring() -> None:
    ring = Gear(teeth=40, normal_module="2 mm", face_width="20 mm", internal=True, rim_diameter="110 mm", density=1000)
    m = 1000 * math.pi * (0.055**2 - 0.04**2) * 0.02
    assert ring.blank.mass == pytest.approx(m)
    assert ring.blank.inertia[2] == pytest.approx(m * (0.055**2 + 0.04**2) / 2)
    with pytest.raises(ModelError, match=r"Specify rim_diameter"):
        _ = ring.with_(rim_diameter=None).blank


@given(st.floats(5, 80), st.floats(0.0, 0.015), st.sampled_from((-1, 1)))
def test_frustum(degrees: float, bore: float, sign: int) -> None:
    """Frustum of radii R, r and height h: V = πh(R² + Rr + r²)/3, I_zz = 3m(R⁵ − r⁵)/(10(R³ − r³)); minus the bore."""
    delta, b = math.radians(degrees), 0.006
    g = Gear(teeth=20, normal_module=0.002, cone_angle=sign * delta, face_width=b, bore=bore, density=1.0)
    R, r, h = 0.02 + b / 2 * math.sin(delta), 0.02 - b / 2 * math.sin(delta), b * math.cos(delta)
    full, hole = math.pi * h * (R * R + R * r + r * r) / 3, math.pi * h * (bore / 2) ** 2
    assert g.blank.mass == pytest.approx(full - hole, rel=1e-12)
    axial = 0.3 * full * (R**5 - r**5) / (R**3 - r**3) - hole * (bore / 2) ** 2 / 2
    assert g.blank.inertia[2] == pytest.approx(axial, rel=1e-9)
    # The centroid of a frustum from its small end: h (r² + 2rR + 3R²) / (4 (r² + rR + R²)).
    z = h * (r * r + 2 * r * R + 3 * R * R) / (4 * (r * r + r * R + R * R)) - h / 2
    z = sign * z * full / (full - hole)
    assert g.blank.centre_of_mass[2] == pytest.approx(z, rel=1e-9)
    # I_xx by slices.
    t = (np.arange(20000) + 0.5) / 20000 * h - h / 2
    y = 0.02 + t * math.tan(delta)
    dm = math.pi * (y**2 - (bore / 2) ** 2) * h / 20000
    slices = np.sum(dm * ((y**2 + (bore / 2) ** 2) / 4 + (t - sign * z) ** 2))
    assert g.blank.inertia[0] == pytest.approx(slices, rel=1e-7)


def test_flat_cone_becomes_a_cylinder() -> None:
    flat = Gear(teeth=20, normal_module=0.002, cone_angle=1e-9, face_width=0.01).blank
    disc = Gear(teeth=20, normal_module=0.002, face_width=0.01).blank
    assert flat.mass == pytest.approx(disc.mass)
    assert flat.inertia == pytest.approx(disc.inertia)
    with pytest.raises(ModelError, match=r"crown wheel is flat"):
        _ = Gear(teeth=20, normal_module=0.002, cone_angle="90 deg", face_width=0.01).blank


def test_rack() -> None:
    """A bar below the reference line; of an even number of teeth the middle lies half a pitch along y."""
    rack = Rack(teeth=10, normal_module=0.002, face_width=0.02, depth=0.03, density=1000)
    L = 10 * math.pi * 0.002
    assert rack.length == pytest.approx(L)
    assert rack.blank.mass == pytest.approx(1000 * L * 0.02 * 0.03)
    assert rack.blank.centre_of_mass == pytest.approx((-0.015, math.pi * 0.001, 0.0))
    assert rack.blank.inertia[0] == pytest.approx(rack.blank.mass * (L**2 + 0.02**2) / 12)
    assert Rack(teeth=9, normal_module=0.002, face_width=0.02, depth=0.03).blank.centre_of_mass[1] == 0.0
    with pytest.raises(ModelError, match=r"Specify depth"):
        _ = Rack(teeth=10, normal_module=0.002, face_width=0.02).blank
    with pytest.raises(ModelError, match=r"mass requires the face width"):
        _ = Rack(teeth=10, normal_module=0.002).blank
    with pytest.raises(ModelError, match=r"rack: the tooth thickness is not positive"):
        Rack(teeth=10, normal_module=0.002, backlash_allowance="4 mm")
    with pytest.raises(ModelError, match=r"rack: helix_angle"):
        Rack(teeth=10, normal_module=0.002, helix_angle="95 deg")
