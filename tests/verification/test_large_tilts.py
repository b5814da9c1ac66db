"""Bushings whose frames tilt far: the moment k sin(2 theta)/2 of the energy k sin(theta)^2/2, and the warning."""

import math

import numpy as np
import pytest

import pitchline as pl

K = 100.0
"""Stiffness of the tilts and of the twist [N m/rad]."""


def on_a_bushing(turned: float = 0.0) -> pl.Model:
    """A body on a bushing, turned about x from the rest of the bushing."""
    c, s = math.cos(turned), math.sin(turned)
    m = pl.Model("mount")
    m.body("hub", mass=1.0, inertia=(0.1, 0.1, 0.1), orientation=((1, 0, 0), (0, c, -s), (0, s, c)))
    stiffness = (1e5, 1e5, 1e5, K, K, K)
    m.bushing("rubber", m.ground.frame(), m.bodies["hub"].frame(), stiffness=stiffness)
    return m


@pytest.mark.parametrize(("tilt", "far"), [(0.25, False), (0.35, True), (0.6, True)])
def test_moment_of_a_tilt_and_its_warning(tilt: float, far: bool) -> None:
    m = on_a_bushing()
    m.torque("load", "hub", (0.5 * K * math.sin(2.0 * tilt), 0.0, 0.0))
    rest = pl.statics(m)
    assert rest["rubber.rotation"].final[0] == pytest.approx(math.sin(tilt), rel=1e-9)
    said = [text for text in rest.warnings if 'bushing "rubber"' in text]
    assert len(said) == far
    if far:
        assert f"tilts by {math.degrees(tilt):.3g} deg" in said[0]
        assert "spring up to about 17 deg" in said[0]


def test_second_rest_is_reported() -> None:
    """The signal `rotation` is the sine of the tilt, which is small again."""
    rest = pl.statics(on_a_bushing(math.pi - 1e-3))
    assert np.abs(rest["rubber.rotation"].final[:2]).max() < 1e-3
    assert any("tilts by 180 deg" in text and "second rest" in text for text in rest.warnings)


def test_runs_warn_of_the_largest_tilt() -> None:
    """A body that is released at a tilt swings about the rest."""
    run = pl.dynamics(on_a_bushing(0.5), duration=0.01, step=1e-3)
    assert any(f"tilts by {math.degrees(0.5):.3g} deg" in text for text in run.warnings)


def test_bushings_that_do_not_resist_tilts_have_no_warning() -> None:
    m = pl.Model("ball joint")
    m.body("hub", mass=1.0, inertia=(0.1, 0.1, 0.1), angular_velocity=(100.0, 0.0, 0.0))
    m.bushing("support", m.ground.frame(), m.bodies["hub"].frame(), stiffness=(1e5, 1e5, 1e5, 0.0, 0.0, K))
    run = pl.dynamics(m, duration=0.01, step=1e-3)
    assert not any("bushing" in text for text in run.warnings)
