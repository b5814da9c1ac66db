"""The same model gives the same bits: run again, in pieces, interrupted and resumed."""

import numpy as np
import pytest
from references import four_bar, mechanisms

import pitchline as pl
from pitchline.engine.solvers.integrator import SampleStore


def long_chain() -> pl.Model:
    """Twelve bars: more unknowns than the dense solver takes."""
    m = pl.Model("chain", gravity=(0, 0, -9.81))
    previous = m.ground
    for i in range(12):
        body = m.body(f"bar{i}", solid=pl.bar(1.0, 0.1, 0.1, mass=1.0), position=(i + 0.5, 0, 0))
        m.revolute(f"hinge{i}", previous, body, at=(i, 0, 0), axis=("y", "z")[i % 2])
        previous = body
    return m


def machine() -> pl.Model:
    """Drives, springs, a stop, a bushing, redundancy: everything that has memory or a choice to make."""
    m = mechanisms.slider_crank(driven=True)
    m.revolute("second bearing", m.ground, "crank", at=(0, 0, 0.1), axis="z")
    m.torsion_spring("coil", "pin", stiffness=5.0, damping=0.1)
    m.stop("end", "guide", lower=-0.05, stiffness=1e4, damping=10.0)
    m.body("mass", mass=0.3, inertia=(1e-3, 1e-3, 1e-3), position=(0.9, 0.1, 0))
    m.bushing("mount", "slider", "mass", at=(0.9, 0.1, 0), stiffness=(1e3,) * 6, damping=(1.0,) * 6)
    m.force("push", "mass", (lambda t: np.sin(20 * t), 0, 0))
    return m


MODELS = {"machine": machine, "four-bar": four_bar.model, "chain": long_chain, "top": mechanisms.heavy_top}
OPTIONS = [{"step": 1e-3}, {"step": 1e-3, "stabilised": True}, {"tolerance": 1e-6}]


def same(a: pl.Result, b: pl.Result) -> None:
    assert list(a.signals) == list(b.signals)
    assert np.array_equal(a.time, b.time)
    for name in a.signals:
        assert np.array_equal(a[name].values, b[name].values), name


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", MODELS)
def test_twice(name, options) -> None:
    runs = [pl.dynamics(MODELS[name](), duration=1.5, **options) for _ in range(2)]
    same(*runs)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", MODELS)
def test_in_pieces(name, options, monkeypatch) -> None:
    """Compiled code returns when its room for samples is full: with room for one or seven, after as many steps."""
    every_step = {"output_step": 1e-3} if "step" in options else {}
    whole = pl.dynamics(MODELS[name](), duration=0.5, **options, **every_step)
    for room in (1, 7):
        monkeypatch.setattr(SampleStore, "BLOCK", room)
        same(pl.dynamics(MODELS[name](), duration=0.5, **options, **every_step), whole)


class Interrupt:
    """A progress that presses Ctrl-C at the given call, and never again."""

    def __init__(self, call: int) -> None:
        self.left = call

    def __call__(self, now: float, end: float) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", ["four-bar", "chain", "top"])
def test_interrupted_and_resumed(name, options, tmp_path) -> None:
    whole = pl.dynamics(MODELS[name](), duration=1.5, **options)
    file = tmp_path / "run.checkpoint"
    first = pl.dynamics(MODELS[name](), duration=1.5, checkpoint=file, progress=Interrupt(1), **options)
    assert first.status is pl.Status.INTERRUPTED and file.exists()
    n = len(first.time)
    assert 1 < n < len(whole.time)
    assert np.array_equal(first.time, whole.time[:n])
    second = pl.resume(MODELS[name](), file, progress=Interrupt(1))
    if second.status is pl.Status.INTERRUPTED:
        assert len(second.time) > n
        second = pl.resume(MODELS[name](), file)
    assert second.status is pl.Status.COMPLETED
    same(second, whole)


def test_order_of_other_runs_does_not_matter() -> None:
    """No state is left behind by other models."""
    alone = pl.dynamics(four_bar.model(), duration=1.0, step=1e-3)
    pl.dynamics(long_chain(), duration=0.1, step=1e-3)
    pl.statics(mechanisms.double_pendulum())
    same(pl.dynamics(four_bar.model(), duration=1.0, step=1e-3), alone)
