"""Scale and penalty of the constraints: results and numbers of iterations do not depend on them, the condition does."""

from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.analyses.observers import starting_point
from pitchline.analyses.stepper import begin_run
from pitchline.analyses.time_options import TimeOptions
from pitchline.engine.solvers.integrator import SampleStore
from pitchline.errors import ModelError
from pitchline.gallery import model as gallery_model

CHOICES: list[tuple[Any, Any]] = [(1e-6, None), (1e6, 0), (1, 1), (1, 1e4), (1e3, 10), ("2e5 N/m", "1e5 N/m")]


def chain(links: int = 4) -> pl.Model:
    """Pendulum of several links about different axes: more than 40 unknowns, so that the matrix is sparse."""
    m = pl.Model("chain", gravity=(0, 0, -9.81))
    before: Any = m.ground
    for k in range(links):
        body = m.body(f"link_{k}", mass=2.0 + k, inertia=(0.01, 0.2, 0.2), position=(0.3 + 0.6 * k, 0, 0))
        m.revolute(f"hinge_{k}", before, body, at=(0.6 * k, 0, 0), axis="y" if k % 2 == 0 else (0, 0.6, 0.8))
        before = body
    return m


def reactions(result: pl.Result, joint: str) -> np.ndarray:
    return np.concatenate([result[f"{joint}.force"].values[-1], result[f"{joint}.moment"].values[-1]])


@pytest.mark.parametrize("name", ["three-wheels", "bevel-pair"])
def test_equilibrium_and_kinematics_do_not_depend_on_them(name: str) -> None:
    model = gallery_model(name).build()
    plain = pl.statics(model, time=1.0)
    moved = pl.kinematics(model, times=[0.0, 0.5, 1.0])
    for scale, penalty in CHOICES:
        options = {"constraint_scale": scale, "constraint_penalty": penalty}
        for reduce in (True, False):
            found = pl.statics(model, time=1.0, reduce=reduce, **options)
            assert reactions(found, "foundation") == pytest.approx(reactions(plain, "foundation"), rel=1e-11, abs=1e-8)
            assert found.statistics["iterations"] == plain.statistics["iterations"]
        run = pl.kinematics(model, times=[0.0, 0.5, 1.0], **options)
        assert reactions(run, "foundation") == pytest.approx(reactions(moved, "foundation"), rel=1e-11, abs=1e-8)


@pytest.mark.parametrize("options", [{"step": 1e-3}, {"tolerance": 1e-7}])
def test_motion_does_not_depend_on_them(options: dict[str, Any]) -> None:
    runs = []
    for scale, penalty in [(None, None), *CHOICES]:
        if isinstance(scale, str) and "step" not in options:
            continue
        run = pl.dynamics(
            chain(), duration=0.1, reduce=False, constraint_scale=scale, constraint_penalty=penalty, **options
        )
        runs.append(run)
    first = runs[0]
    assert first.statistics["unknowns"] > 40
    for run in runs[1:]:
        assert run["link_3.position"].values[-1] == pytest.approx(first["link_3.position"].values[-1], abs=1e-10)
        assert reactions(run, "hinge_0") == pytest.approx(reactions(first, "hinge_0"), rel=1e-6, abs=1e-6)
        assert run.statistics["steps"] == first.statistics["steps"]
        assert run.statistics["iterations"] == pytest.approx(first.statistics["iterations"], abs=3)


def test_penalty_keeps_the_equations_of_elastic_teeth_and_backlash() -> None:
    """Rows with their own compliance get no penalty: the rig of Kubo with backlash, on elastic supports."""
    model = gallery_model("kubo-d").build()
    runs = [
        pl.dynamics(model, duration=2e-3, step=1e-6, **o)
        for o in ({}, {"constraint_scale": 1e3, "constraint_penalty": 10.0})
    ]
    force = [run["mesh.signed_force"].values for run in runs]
    assert np.ptp(force[0]) > 1e3
    assert force[1] == pytest.approx(force[0], rel=1e-5, abs=1e-4 * np.ptp(force[0]))


def condition(model: pl.Model, **options: Any) -> float:
    """Condition number of the last matrix."""
    read = TimeOptions.read(
        duration=1e-2, step=1e-3, tolerance=None, output_step=None, rho=None, hht=None, max_step=None, min_step=None,
        newton_tolerance=None, stabilised=None, **options,
    ).for_model(model)  # fmt: skip
    begun = begin_run(model, starting_point(model, None), read, reduce=False)
    integrator = begun.integrator
    integrator.run(SampleStore(integrator.system))
    system = integrator.system
    values = integrator.motion.work.Ax
    assert system.dense
    return float(np.linalg.cond(values.reshape(system.n, system.n).T))


def test_condition_of_the_matrix() -> None:
    """The automatic scale is close to the best one. The condition gets worse with the scale, and below it with its square."""
    plain = condition(chain(2))
    assert plain < 1e4
    assert condition(chain(2), constraint_scale=1e6) > 1e3 * plain
    assert condition(chain(2), constraint_scale=1e-6) > 1e9 * plain
    assert condition(chain(2), constraint_penalty=1.0) < 10 * plain


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (0, "from 1e-08 to 1e"),
        (-1, "from 1e-08 to 1e"),
        (float("nan"), "constraint_scale"),
        (1e30, "near 1"),
        ("3 kg", 'a stiffness such as "1e6 N/m"'),
        ("-2 N/m", "greater than zero"),
        ("1e-30 N/m", "The automatic scale of this model is about"),
        (True, "constraint_scale"),
    ],
)
def test_impossible_scales(value: Any, message: str) -> None:
    for analysis, options in (
        (pl.statics, {}),
        (pl.kinematics, {"duration": 1}),
        (pl.dynamics, {"duration": 1, "step": 0.1}),
    ):
        with pytest.raises(ModelError, match=message):
            analysis(chain(2), reduce=False, constraint_scale=value, **options)  # type: ignore[operator]


def test_impossible_penalties() -> None:
    with pytest.raises(ModelError, match="constraint_penalty is a multiple of the automatic scale"):
        pl.statics(chain(2), constraint_penalty=-1)
    with pytest.raises(ModelError, match="times constraint_scale"):
        pl.statics(chain(2), reduce=False, constraint_scale=1e-3, constraint_penalty=100)
    with pytest.raises(ModelError, match="requires a fixed step"):
        pl.dynamics(chain(2), duration=1, constraint_penalty="1e5 N/m")


def test_stepper_takes_them() -> None:
    options: dict[str, Any] = {"step": 1e-3, "reduce": False, "constraint_scale": 10.0, "constraint_penalty": 2.0}
    stepper = pl.Stepper(chain(2), outputs=["link_1.position"], until=1.0, **options)
    stepper.advance(0.02)
    whole = pl.dynamics(chain(2), duration=0.02, **options)
    assert whole.options["constraint_scale"] == 10.0
    assert stepper.get("link_1.position") == pytest.approx(whole["link_1.position"].values[-1], abs=1e-12)
