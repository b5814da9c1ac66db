"""Steps of elastic flanks: stable up to a limit that is known before a run, refused beyond it.

A penalty in place of the compliance of strips makes contact stiff against the modes. The limit is compared with what runs do that
are taken in spite of it, and with the closed form of one mode.
"""

import math
from typing import Any

import numpy as np
import pytest
from references.flank_runs import flank, pair_model

import pitchline as pl
from pitchline.analyses import stepper as run_start
from pitchline.analyses.observers import starting_point
from pitchline.analyses.start_positions import prepare
from pitchline.parts.contact.flank_cells import SAFE, FlankStability
from pitchline.parts.meshes.kernel_flank import FLANK_MESH
from pitchline.parts.meshes.kernel_flank_records import StripScratch

PENALTY = 1e9
SPEED = 200.0


def loaded(**options: Any) -> pl.Model:
    return pair_model(flank(**options), phase=-0.2, speed=SPEED, drive={"speed": SPEED}, torque=20.0, drag=0.3)


def stability(model: pl.Model) -> FlankStability:
    ready = prepare(model, starting_point(model, None), until=1e-3, reduce=True)
    return FlankStability(next(e for e in ready.system.elements if e.kind is FLANK_MESH))


@pytest.fixture(scope="module")
def stiff() -> tuple[pl.Model, FlankStability, float]:
    """A pair with a penalty, and its largest step [s], half of that at which strips that stay in contact become unstable."""
    model = loaded(penalty=PENALTY, damping_ratio=0.02)
    known = stability(model)
    return model, known, known.largest_step(1e-5)


def test_runs_beyond_the_limit_grow_and_below_do_not(
    stiff: tuple[pl.Model, FlankStability, float], monkeypatch: Any
) -> None:
    """Taken in spite of the check: a tenth to either side of the limit of strips in contact decides, where modes are damped. What
    grows does so by six orders of magnitude, then bounces to and fro; it fails, and keeps its result."""
    model, _, limit = stiff
    monkeypatch.setattr(run_start, "stable_steps", lambda options, system: options)
    monkeypatch.setattr(run_start, "modal_warnings", lambda options, model: [])
    limit /= SAFE
    sound = pl.dynamics(model, duration=300 * limit, step=0.9 * limit, rho=0.95)
    assert np.abs(sound["mesh.contact_force"].values).max() < 3e3
    with pytest.raises(pl.SolveError, match=r"diverged: the energy increased by .* J") as caught:
        pl.dynamics(model, duration=1500 * limit, step=1.2 * limit, rho=0.95)
    grown = caught.value.result
    assert grown is not None and len(grown.time) > 100
    assert np.abs(grown["mesh.contact_force"].values).max() > 1e9


def test_steps_beyond_the_limit_are_refused(stiff: tuple[pl.Model, FlankStability, float]) -> None:
    """The message has the limit; it holds for the step that it names."""
    model, _, limit = stiff
    said = f"{1e6 * limit:.3g} µs"
    with pytest.raises(pl.ModelError, match=rf"not stable, because a penalty of 1e\+09 N/m .* shorter than {said}"):
        pl.dynamics(model, duration="0.1 ms", step=1.05 * limit)
    result = pl.dynamics(model, duration="0.1 ms", step=0.98 * limit, rho=0.95)
    assert result.status is pl.Status.COMPLETED


def test_error_control_keeps_below_the_limit(stiff: tuple[pl.Model, FlankStability, float]) -> None:
    model, _, limit = stiff
    result = pl.dynamics(model, duration="0.05 ms")
    assert np.diff(result.time).max() < limit
    assert result.options["max_step"] == pytest.approx(0.98 * limit, rel=0.01)


def test_without_penalty_the_compliance_of_strips_is_enough() -> None:
    """What modes leave out is compliance: steps are limited by the modes alone."""
    known = stability(loaded())
    assert known.stable(0.9 * math.pi / known.highest) and not known.stable(math.pi / known.highest)


@pytest.mark.parametrize("zeta", [0.0, 0.05])
def test_alternating_motion_of_a_mode(stiff: tuple[pl.Model, FlankStability, float], zeta: float) -> None:
    """H of motion that changes sign at every step; without damping (1 - tan x/x)/w², x = w h/2, and -h²/12 for slow modes."""
    _, known, limit = stiff
    flanks = known.flanks
    before = float(flanks.parameters["damping_ratio"])
    flanks.parameters["damping_ratio"] = zeta
    step = 0.7 * limit / SAFE
    known._look(known.approaches[0], 0.0, step)
    flanks.parameters["damping_ratio"] = before
    w = float(flanks.frequencies()[0])
    moved = flanks.w[StripScratch.place("a")[0] + int(flanks.scratch["a"]["propagators"]) + 3]
    if not zeta:
        x = 0.5 * w * step
        assert moved == pytest.approx((1.0 - math.tan(x) / x) / w**2, rel=1e-6)
        return
    # the force 1 - 2 t/h on x'' + 2 zeta w x' + w² x, integrated in short pieces: x and x' come back with their sign changed
    n = 20000
    h = step / n
    A = np.array([[0.0, 1.0], [-w * w, -2 * zeta * w]])
    first, second = np.zeros(2), np.eye(2)
    E = np.eye(2) + h * A + h * h * A @ A / 2 + h**3 * A @ A @ A / 6
    for k in range(n):
        f = 1.0 - 2.0 * (k + 0.5) / n
        b = np.array([0.0, f])
        first = E @ first + h * b + h * h * A @ b / 2
        second = E @ second
    start = np.linalg.solve(-np.eye(2) - second, first)
    assert moved == pytest.approx(start[0], rel=1e-4)
