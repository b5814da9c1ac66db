"""Explicit steps with penalty contact: order, energy, stability, and the same motion as the engine."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from references.pair_in_motion import LEVER_A, LEVER_B, pair, pressed, thrown

import pitchline as pl
from pitchline.errors import ModelError
from pitchline.parts.contact import penalty_motion as module
from pitchline.parts.contact.penalty_motion import penalty_motion

PENALTY = 1e8


def driven() -> pl.Model:
    """Helical gears at speed with everything that is understood: drive, torque over time, spring and dampers."""
    speed = 60.0

    def finish(m: pl.Model, a: pl.Joint, b: pl.Joint) -> None:
        m.drive("motor", a, speed=speed)
        m.torque("brake", b, pl.Ramp(0, 12, 0, "0.2 ms"))
        m.torsion_spring("drag", b, stiffness=20.0, damping=0.05, free_angle=0)

    return pair(
        helix=math.radians(15),
        speed_a=speed,
        speed_b=-speed * LEVER_A / LEVER_B,
        finish=finish,
        damping_ratio=0.02,
        backlash=2e-6,
    )


@pytest.fixture(scope="module")
def swinging() -> dict[float, pl.Result]:
    """Steps [µs] -> 32 µs of the pressed pair."""
    m = pressed()
    return {
        h: penalty_motion(m, duration="32 us", penalty=PENALTY, step=h * 1e-6, output_step="4 us")
        for h in (2, 1, 0.5, 0.0625)
    }


def test_order_four_while_the_same_strips_touch(swinging: dict[float, pl.Result]) -> None:
    strips = swinging[0.0625]["mesh.strips_in_contact"].values
    assert np.all(strips == strips[0]) and strips[0] >= 5
    force = swinging[0.0625]["mesh.contact_force"].values
    assert force.min() > 0.0 and np.ptp(force) > 0.1 * force.mean()
    for signal in ("in.angle", "in.angular_speed", "mesh.contact_force"):
        exact = swinging[0.0625][signal].values
        coarse, middle, fine = (np.abs(swinging[h][signal].values - exact).max() for h in (2, 1, 0.5))
        assert 3.7 < math.log2(coarse / middle) < 4.6
        assert 3.7 < math.log2(middle / fine) < 4.4


def test_energy_is_conserved_to_the_order(swinging: dict[float, pl.Result]) -> None:
    """Work of the torque and energies are in balance to O(h⁴); the drive stands still and does none. What is left in the finest
    steps is not of the integrator: the law leaves out that the places of contact move on the teeth, here by 1e-5."""
    total = swinging[1]["energy.work"].values
    assert np.ptp(total) > 1e-5
    left = swinging[0.0625]["energy.balance_error"].values
    assert np.abs(left).max() < 2e-5 * np.ptp(total)
    errors = [np.abs(swinging[h]["energy.balance_error"].values - left).max() for h in (2, 1, 0.5)]
    assert all(math.log2(a / b) > 3.7 for a, b in itertools.pairwise(errors))


@pytest.mark.parametrize("build, duration", [(thrown, 1.2e-4), (driven, 2e-4)], ids=["impact", "driven"])
def test_the_engine_with_the_same_penalty_and_modes_converges_to_it(
    build: Callable[..., pl.Model], duration: float
) -> None:
    """Generalized-alpha, of order 2, with `Flank(penalty=...)`."""
    m = build()
    explicit = penalty_motion(m, duration=duration, penalty=PENALTY, step="0.25 us", output_step="1 us")
    part = m.gear_pairs["mesh"]
    object.__setattr__(part.mesh, "penalty", PENALTY)  # the same mesh, so that its gears are found once
    engine = [pl.dynamics(m, duration=duration, step=h, output_step="1 us", rho=0.95) for h in (1e-6, 0.5e-6)]
    assert np.allclose(explicit.time, engine[0].time, rtol=0, atol=1e-12)
    size = explicit["mesh.contact_force"].values.max()
    assert size > 200.0
    names = ["mesh.contact_force", "mesh.normal_force", "in.angular_speed", "out.angular_speed", "energy.kinetic"]
    names += ["energy.potential", *(f"{name}.torque" for name in m.drives)]
    names += ["energy.work", "energy.dissipated"] if build is driven else []
    for name in names:
        coarse, fine = (np.abs(run[name].values - explicit[name].values).max() for run in engine)
        largest = np.abs(explicit[name].values).max() + 1e-3
        assert fine < 0.01 * largest, name
        assert fine < 0.4 * coarse + 1e-9 * (1 + largest), name  # what is imposed differs by rounding alone
    pairs = explicit["mesh.pair_forces"].values
    assert np.abs(pairs).sum(axis=1) == pytest.approx(explicit["mesh.contact_force"].values, rel=1e-12)
    assert pairs == pytest.approx(engine[1]["mesh.pair_forces"].values, abs=0.02 * size)


def peak(run: pl.Result) -> float:
    return float(run["mesh.contact_force"].values.max())


def test_with_many_modes_and_a_hard_penalty_it_comes_near_to_contact_without_either() -> None:
    """An impact. Gears of few modes are too stiff: forces are several times too high, and the harder the penalty the more so. With
    many modes they fall. A penalty as stiff as the local contact of a strip (Hertz: some 0.1 N/nm) then leads to the forces of the
    default, which has all of the compliance whatever its modes; a harder one stays above them, as flanks of finite elements do
    not yield to the line of contact."""
    options: dict[str, Any] = {"duration": "0.13 ms", "output_step": "0.5 us"}
    default = peak(pl.dynamics(thrown(modes="240 kHz"), step="0.5 us", rho=0.95, **options))
    assert default == pytest.approx(peak(pl.dynamics(thrown(), step="0.5 us", rho=0.95, **options)), rel=0.03)
    local, hard = (
        [
            peak(penalty_motion(thrown(), modes=f"{f} kHz", penalty=c, **options)) / default - 1
            for f in (40, 80, 160, 320)
        ]
        for c in (PENALTY, 10 * PENALTY)
    )
    assert local[0] > 0.5 and local == sorted(local, reverse=True) and abs(local[3]) < 0.04
    assert hard == sorted(hard, reverse=True) and all(h > s for h, s in zip(hard, local, strict=True))
    assert hard[0] > 3.0 and 0.05 < hard[3] < 0.25


def test_the_stability_limit_is_where_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tooth pairs pressed together by a penalty that is stiffer than the gears: below the limit what swings fastest is damped,
    a tenth above it energy comes out of nothing."""
    m, penalty, duration = pressed(phase=0.0, torque=285.0), 5 * PENALTY, "0.2 ms"
    with pytest.raises(ModelError, match=r"not stable. .* Use a smaller step"):
        penalty_motion(m, duration=duration, penalty=penalty, step="5 us")
    below = penalty_motion(m, duration=duration, penalty=penalty)
    assert np.all(below["mesh.strips_in_contact"].values == 10)
    limit = below.statistics["largest_stable_step"]
    assert 0.85 * limit < below.options["step"] <= 0.9 * limit * (1 + 1e-9)
    energy = below["energy.potential"].values[0]
    assert below["energy.balance_error"].values.max() < 1e-3 * energy
    monkeypatch.setattr(module, "stability_limit", lambda ratio: 10.0)
    above = penalty_motion(m, duration=duration, penalty=penalty, step=1.1 * limit)
    assert above["energy.balance_error"].values[-1] > energy


def with_spring(m: pl.Model, a: pl.Joint, b: pl.Joint) -> None:
    m.stop("end", a, upper=1.0, stiffness=100.0)


def with_body(m: pl.Model, a: pl.Joint, b: pl.Joint) -> None:
    m.body("idle", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), position=(1, 0, 0))


@pytest.mark.parametrize(
    "finish, mesh, options, words",
    [
        (with_spring, {}, {}, 'stop "end" is not supported'),
        (with_body, {}, {}, 'body "idle" is not one of two wheels'),
        (None, {"friction": 0.05}, {}, "has friction"),
        (None, {}, {"penalty": None}, "penalty must be greater than zero, got 0 N/m"),
        (None, {}, {"modes": 0}, "modes must be greater than zero"),
        (None, {}, {"output_step": 1.0}, "output_step .* must not be greater than the duration"),
    ],
)
def test_what_is_not_understood_is_refused(finish: Any, mesh: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        penalty_motion(pair(finish=finish, **mesh), **({"duration": "10 us", "penalty": PENALTY} | options))
