"""Points of a batch, run again by `pl.dynamics`: the same reductions."""

import numpy as np
import pytest
from references.lane_rigs import TEETH_A, driven_pair

import pitchline as pl

KINDS = {
    "signed_force": ("min", "max", "mean", "rms", "order_1", "order_2", "phase_1"),
    "normal_force": ("min", "max"),
    "transmission_error": ("max", "mean", "peak_to_peak"),
    "deflection": ("mean",),
}
REDUCE = [f"mesh.{signal}.{kind}" for signal, kinds in KINDS.items() for kind in kinds]
REDUCE += [
    "mesh.contact_loss",
    "axle_b.angular_speed.mean",
    "axle_b.angular_speed.max",
    "axle_b.deviation.peak_to_peak",
]
SETTLE, RECORD, STEPS = 60, 4, 800
POINTS = [
    {"speed": 400.0, "torque": [60.0, -60.0, 20.0], "ripple_x": [4e-6, 4e-6, 8e-6], "backlash": [60e-6, 60e-6, 200e-6]},
    {"speed": [-520.0], "torque": -60.0, "backlash": 0.0},
]
"""Drive flank, coast flank, teeth that separate; other direction of rotation, without backlash, coast flank."""


@pytest.fixture(scope="module")
def results() -> list[pl.BatchResult]:
    made = pl.batch(driven_pair, device="cpu", threads=1)
    return [made.run(points, settle=SETTLE, record=RECORD, steps=STEPS, reduce=REDUCE) for points in POINTS]


def reduced(found: pl.Result, speed: float) -> dict[str, float]:
    """The reductions from samples at the steps of the last cycles, and the ranges of the signals."""
    n, period = RECORD * STEPS, 2 * np.pi / abs(speed * TEETH_A)
    angle = 2 * np.pi * np.arange(n) / STEPS
    out = {}
    for name in KINDS:
        y = found[f"mesh.{name}"].values[-n - 1 : -1]
        wave = 2 * np.mean(y * np.exp(-1j * np.outer([1, 2], angle)), axis=1)
        out |= {f"mesh.{name}.{kind}": float(getattr(np, kind)(y)) for kind in ("min", "max", "mean")}
        out |= {f"mesh.{name}.rms": float(np.sqrt(np.mean(y**2))), f"mesh.{name}.peak_to_peak": float(np.ptp(y))}
        out |= {f"mesh.{name}.order_{h}": float(abs(wave[h - 1])) for h in (1, 2)}
        out[f"mesh.{name}.phase_1"] = float(np.angle(wave[0]))
    out["mesh.contact_loss"] = float(np.mean(found["mesh.contact"].values[-n - 1 : -1] == 0))
    w = found["axle_b.angular_speed"].values[-n - 1 : -1]
    out["axle_b.angular_speed.mean"], out["axle_b.angular_speed.max"] = float(np.mean(w)), float(np.max(w))
    out["axle_b.angular_speed.peak_to_peak"] = float(np.ptp(w))
    turned = found["axle_b.angle"].values[-n - 1 : -1]
    out["axle_b.deviation.peak_to_peak"] = float(np.ptp(turned - np.mean(w) * period / STEPS * np.arange(n)))
    return out


@pytest.mark.slow
@pytest.mark.parametrize(("group", "i"), [(0, 0), (0, 1), (0, 2), (1, 0)])
def test_dynamics_gives_the_reductions_of_a_point(results: list[pl.BatchResult], group: int, i: int) -> None:
    """With 800 steps in a cycle, the methods differ by less than 2e-3 of the range of each signal."""
    r = results[group]
    assert r.fine.all()
    speed = float(r.points.column("speed")[i])
    period = 2 * np.pi / abs(speed * TEETH_A)
    end = (SETTLE + RECORD) * period
    found = pl.dynamics(r.model(i), duration=end, step=period / STEPS, output_step=period / STEPS, rho=0.9)
    expected = reduced(found, speed)
    for name in REDUCE:
        scale = expected.get(f"{name.rpartition('.')[0]}.peak_to_peak", 1.0)
        if name.endswith("phase_1"):
            scale = 2 * np.pi
        assert r[name][i] == pytest.approx(expected[name], abs=2e-3 * scale), name
    if (group, i) == (0, 2):
        assert r["mesh.contact_loss"][i] > 0.5
