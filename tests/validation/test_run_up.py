"""The run-up of a pair with rippled stiffness: F. L. J. van der Linden, Modelling of elastic gearboxes using a generalized gear
contact model, 2012, section 6.2.

The paper shows a curve without numbers. Those here come from the same equation, Δ'' + d Δ' + c(γ) Δ = a, integrated by other means
(Runge-Kutta, to 1e-10): the largest ripple at 0.0958 rad/s, 0.41 % of the mean deflection, with the motion of A imposed; at
0.1548 rad/s, 0.33 %, with a torque on A, c = 1 N/m and d = 0.2 N s/m.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from references.gallery_runs import figures_of, run_of

import pitchline as pl
from pitchline import cli, gallery
from pitchline.files import ModelFile
from pitchline.gallery.figures import Figure, Run

COSINE = math.cos(math.radians(29))
"""Signals are on the base circle, deflections of the paper along the pitch circle."""


def imposed() -> Run:
    return run_of("run-up")


def figures() -> dict[str, Figure]:
    return figures_of("run-up")


def ripple(up: pl.Result, deflection: float) -> pl.Signal:
    """What the varying stiffness adds to the deflection [m]."""
    u = up["mesh.approach"]
    return pl.Signal("mesh.ripple", u.values / COSINE - deflection, u.time, u.unit, "deflection less its mean")


def order_amplitude(speed: float) -> float:
    """Of order z at a constant speed [m]: the closed form, to the first power of ε; A's motion imposed."""
    return 1e-3 * 0.5 * 0.004 / abs(complex(0.5 - (10 * speed) ** 2, 0.1 * 10 * speed))


def test_it_starts_as_the_acceleration_holds_it() -> None:
    """Δ_0 = a J/(r c), at the stiffness of the place where A and B touch: sin z γ_B is −z Δ_0 there, 2e-5 of it."""
    rest = imposed()["rest"]
    assert rest["mesh.approach"].final / COSINE == pytest.approx(0.004, rel=1e-4)
    assert rest["mesh.stiffness"].final * COSINE**2 == pytest.approx(0.5, rel=1e-4)
    assert not imposed()["run-up"].warnings


def test_largest_ripple_with_the_motion_imposed() -> None:
    """The samples are 8e-5 rad/s apart; steps of 0.01 s err by (ω_n h)²/12, which does not count."""
    found = figures()
    assert found["speed_at_maximum"].value == pytest.approx(0.09584, abs=8e-5)
    assert found["speed_at_maximum"].unit == "rad/s"
    assert found["ripple.max"].value == pytest.approx(0.4123, abs=3e-4)
    assert found["deflection.mean"].value == pytest.approx(4.0, rel=1e-5)


def test_largest_ripple_with_a_torque() -> None:
    """c = 1 N/m: Δ_0 = 2 mm. The torque gives both wheels the same acceleration."""
    pair = gallery.model("run-up", stiffness="2 N/m", damping="0.2 N*s/m").build()
    driven = pair.replaced(without=["motor", "inertia"])
    driven.torque("motor", "bearing_a", 2 * 1 / 500)
    up = pl.dynamics(driven, duration=500, step=0.01, output_step=0.04, start=pl.statics(pair))
    held = pl.peak_hold(ripple(up, 0.002), up["bearing_a.angular_speed"])
    assert held.speed_at_maximum == pytest.approx(0.15478, abs=8e-5)
    assert held.maximum / 0.002 == pytest.approx(0.00333, abs=1e-5)
    assert up["bearing_a.angular_speed"].final == pytest.approx(1.0, rel=1e-5)


def test_far_above_the_resonance_the_order_follows_its_closed_form() -> None:
    """Where the vibration of the resonance has died away, exp(−0.05 t). The speed grows by 1 % in a window of four periods, which
    the amplitude, as 1/ω², follows on average to less than that; samples are 16 a period and more."""
    track = imposed()["order 10"]
    late = track.speed > 0.4
    closed = np.array([order_amplitude(speed) for speed in track.speed])
    np.testing.assert_allclose(track.amplitude[late], closed[late], rtol=5e-3)
    found = figures()["order.half_speed"]
    assert found.value == pytest.approx(found.expected, rel=2e-3)


def test_the_ripple_is_the_order_of_the_teeth() -> None:
    """Half the way up nothing but order 10 is left."""
    up = imposed()["run-up"]
    late = ripple(up, 0.004).between(300.0, 500.0)
    found = pl.order_spectrum(late, up["bearing_a.angle"], max_order=25, window="hann")
    assert found.order[np.argmax(found.amplitude[5:]) + 5] == pytest.approx(10.0, abs=1e-9)
    away = np.abs(found.order - 10.0) > 0.5
    away &= found.order > 0.5
    assert np.max(found.amplitude[away]) < 0.02 * np.max(found.amplitude[5:])


def test_its_stiffness_is_two_springs_in_series() -> None:
    up = imposed()["run-up"]
    a, b = (c * np.sin(10 * up[f"mesh.psi_{w}"].values) for w, c in (("a", 1e-3), ("b", -1e-3)))
    np.testing.assert_allclose(up["mesh.stiffness"].values * COSINE**2, 1 / (1 / (1 + a) + 1 / (1 + b)), rtol=1e-9)


def test_pictures_show_the_peaks_and_the_orders(tmp_path: Path) -> None:
    file = gallery.model("run-up").file
    assert [plot.analysis for plot in file.plots] == ["run-up", "peaks", "orders"]
    for n in range(3):
        file.draw(imposed(), tmp_path / f"{n}.png", n)
        assert (tmp_path / f"{n}.png").stat().st_size > 10_000
    assert imposed()["orders"].plot().axes[0].get_ylabel() == "order of bearing_a"


def test_the_command_line_tells_the_speed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    done = imposed()
    monkeypatch.setattr(ModelFile, "run", lambda self, **options: done)
    assert cli.main(["run", "run-up", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["figures"]["speed_at_maximum"]["value"] == pytest.approx(0.0958, abs=1e-4)
    assert said["figures"]["speed_at_maximum"]["unit"] == "rad/s"
