"""Points of a batch, run again by `pl.dynamics`: the same reductions."""

import numpy as np
import pytest
from references.lane_rigs import TEETH_A, driven_pair

import pitchline as pl

REDUCE = [
    f"mesh.{signal}.{kind}"
    for signal in ("signed_force", "normal_force", "transmission_error", "deflection")
    for kind in ("min", "max", "mean", "rms", "peak_to_peak", "order_1", "order_2")
] + ["mesh.contact_loss", "axle_b.angular_speed.mean", "axle_b.angular_speed.max", "axle_b.deviation.peak_to_peak"]
SETTLE, RECORD, STEPS = 60, 4, 800
POINTS = {
    "speed": [400.0, -520.0, 400.0, 400.0],
    "torque": [60.0, 60.0, -60.0, 20.0],
    "ripple_x": [4e-6, 4e-6, 4e-6, 8e-6],
    "backlash": [60e-6, 0.0, 60e-6, 200e-6],
}
"""Drive flank; other direction of rotation, without backlash; coast flank; teeth that separate."""


@pytest.fixture(scope="module")
def made() -> pl.Batch:
    return pl.batch(driven_pair, threads=1)


def reduced(found: pl.Result, speed: float) -> dict[str, float]:
    """The reductions from samples at the steps of the last cycles."""
    n, period = RECORD * STEPS, 2 * np.pi / abs(speed * TEETH_A)
    angle = 2 * np.pi * np.arange(n) / STEPS
    out = {}
    for name in ("signed_force", "normal_force", "transmission_error", "deflection"):
        y = found[f"mesh.{name}"].values[-n - 1 : -1]
        out |= {f"mesh.{name}.{kind}": float(getattr(np, kind)(y)) for kind in ("min", "max", "mean")}
        out[f"mesh.{name}.rms"] = float(np.sqrt(np.mean(y**2)))
        out[f"mesh.{name}.peak_to_peak"] = float(np.ptp(y))
        out |= {f"mesh.{name}.order_{h}": float(2 * abs(np.mean(y * np.exp(-1j * h * angle)))) for h in (1, 2)}
    out["mesh.contact_loss"] = float(np.mean(found["mesh.contact"].values[-n - 1 : -1] == 0))
    w = found["axle_b.angular_speed"].values[-n - 1 : -1]
    out["axle_b.angular_speed.mean"], out["axle_b.angular_speed.max"] = float(np.mean(w)), float(np.max(w))
    turned = found["axle_b.angle"].values[-n - 1 : -1]
    out["axle_b.deviation.peak_to_peak"] = float(np.ptp(turned - np.mean(w) * period / STEPS * np.arange(n)))
    return out


@pytest.mark.parametrize("i", range(4))
def test_dynamics_gives_the_reductions_of_a_point(made: pl.Batch, i: int) -> None:
    """Steps of 1/800 of a cycle: the difference of RK4 and the generalized-alpha method is below 1e-3 of the range."""
    point = {name: values[i : i + 1] for name, values in POINTS.items()}
    r = made.run(point, settle=SETTLE, record=RECORD, steps=STEPS, reduce=REDUCE)
    assert r.fine.all()
    model = r.model(0)
    speed = POINTS["speed"][i]
    period = 2 * np.pi / abs(speed * TEETH_A)
    found = pl.dynamics(
        model, duration=(SETTLE + RECORD) * period, step=period / STEPS, output_step=period / STEPS, rho=0.9
    )
    expected = reduced(found, speed)
    for name in REDUCE:
        part, signal = name.split(".")[:2]
        scale = (
            abs(expected[name])
            if signal in ("contact_loss", "angular_speed")
            else abs(expected[f"{part}.{signal}.peak_to_peak"])
        )
        assert r[name][0] == pytest.approx(
            expected[name], abs=2e-3 * scale + (2e-3 if signal == "contact_loss" else 0.0)
        ), name
    if i == 3:
        assert r["mesh.contact_loss"][0] > 0.05
