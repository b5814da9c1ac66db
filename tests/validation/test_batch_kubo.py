"""Kubo's rig as a batch: the values that `pl.dynamics` gives (docs/theory/kubo.md), and the closed form of case A."""

import math

import pytest
from references.kubo_linear import linear_amplitude

import pitchline as pl

POUND = 4.4482216152605
NAMES = [f"mesh.signed_force.{kind}" for kind in ("mean", "min", "max", "order_1")]
DOCUMENTED = {"kubo-a": (511.3, -5326, 6668, 5943), "kubo-c": (511.3, -15453, 14492, 6779)}
"""Mean, smallest, largest and amplitude at the mesh frequency of the normal force [lbf]."""


@pytest.mark.slow
@pytest.mark.parametrize("case", DOCUMENTED)
def test_forces_are_those_of_dynamics(case: str) -> None:
    """200 steps a cycle: extremes of samples are low by less than 1e-3, the mean of a force that jumps is off by 1e-3."""
    r = pl.batch(case, device="cpu", threads=1).run(
        settle=8000, record=4, steps=200, reduce=[*NAMES, "mesh.contact_loss"]
    )
    for name, expected in zip(NAMES, DOCUMENTED[case], strict=True):
        assert r[name][0] / POUND == pytest.approx(expected, rel=1.5e-3), name
    assert r["mesh.contact_loss"][0] == pytest.approx(0.39 if case == "kubo-c" else 0.0, abs=0.005)
    if case == "kubo-a":
        assert r["mesh.signed_force.order_1"][0] / POUND == pytest.approx(linear_amplitude("a")[0], rel=3e-3)
    assert r["mesh.signed_force.mean"][0] / POUND == pytest.approx(
        945.8 / (1.9685 * math.cos(math.radians(20))), rel=1.5e-3
    )
