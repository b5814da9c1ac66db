"""A machine with a gear pair, and a result of it, for tests of reports."""

import math

import numpy as np

import pitchline as pl
from pitchline.results.signal import Signal


def machine(name="machine", **mesh):
    """Two wheels, one driven, one loaded."""
    m = pl.Model(name)
    wheel = pl.Gear(teeth=20, normal_module="2 mm", face_width="15 mm", bore="12 mm")
    a = m.gear_body("pinion", wheel, position=(0, 0, 0), axis="z")
    b = m.gear_body("wheel", wheel.with_(teeth=30), mesh_with=a, towards=(1, 0, 0))
    m.revolute("input", m.ground, a)
    m.revolute("output", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic("2e8 N/m", damping_ratio=0.05, **mesh))
    m.drive("motor", m.joints["input"], speed=100.0)
    m.torque("load", m.joints["output"], -50.0)
    return m


MESH_FREQUENCY, STEPS = 100.0 * 20 / (2 * math.pi), 40


def result(kind="dynamics", samples=401, model=None, **more):
    """A result as an analysis of the machine would give it: ten mesh cycles, the force rippling."""
    model = machine() if model is None else model
    t = np.arange(samples) / (STEPS * MESH_FREQUENCY)
    cycle = MESH_FREQUENCY * t
    signals = [
        Signal("input.angular_speed", np.full(samples, 100.0), t, "rad/s", "rate of the joint angle"),
        Signal("output.angular_speed", np.full(samples, -200.0 / 3), t, "rad/s", "rate of the joint angle"),
        Signal("mesh.normal_force", 1500.0 + 200.0 * np.cos(2 * np.pi * cycle), t, "N", "force of the teeth"),
        Signal("mesh.phase", np.mod(cycle + 0.3, 1.0), t, "", "part of the mesh cycle"),
        Signal("input.force", np.tile([1.0, -2.0, 2.0], (samples, 1)) * 500.0, t, "N", "force of the joint"),
        Signal("motor.torque", np.full(samples, 33.3), t, "N*m", "torque of the drive"),
        Signal("energy.kinetic", np.linspace(10.0, 12.0, samples), t, "J"),
        Signal("energy.potential", np.full(samples, 0.5), t, "J"),
        Signal("energy.work", np.linspace(0.0, 5.0, samples), t, "J"),
        Signal("energy.dissipated", np.linspace(0.0, 3.0, samples), t, "J"),
        Signal("energy.balance_error", np.linspace(0.0, 1e-3, samples), t, "J"),
    ]
    given = {
        "statistics": {"steps": samples, "iterations": 2 * samples, "wall_time": 0.123, "unknowns": 4},
        "options": {"step": 1e-5, "duration": 0.03, "rho": 0.7, "hht": None},
        "model": model.describe() if model else {},
        "model_name": model.name if model else "unknown machine",
    }
    return pl.Result(kind=kind, time=t, signals={s.name: s for s in signals}, **{**given, **more})
