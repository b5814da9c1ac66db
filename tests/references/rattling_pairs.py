"""Rattling pairs for dampers of teeth: hard runs with loss of contact on both flanks."""

from typing import Any

import numpy as np

import pitchline as pl

K = 2e7


def wave(mean: float, *cos: float, over: str = "mesh cycle") -> pl.Varying:
    return pl.Varying(pl.Fourier("360 deg", mean, cos=list(cos), over="angle"), over)


def timed(size: float) -> pl.Varying:
    return pl.Varying(pl.Harmonic(size, 250.0), "time")


def table(**options: Any) -> pl.Loaded:
    """Teeth with tip relief: the unloaded approach varies over the mesh cycle."""
    loads, phase = np.array([0.0, 200.0, 800.0, 3000.0]), 2 * np.pi * np.arange(16) / 16
    rows = [1e-5 * (1 - np.cos(phase)) + load / K * (1.2 - 0.2 * load / 3000 + 0.1 * np.sin(phase)) for load in loads]
    return pl.Loaded(loads, np.array(rows), **options)


ERRORS = [wave(0.0, 2e-5, 1e-5), wave(0.0, 5e-5, over="revolution of a"), timed(1e-5)]
MESHES: dict[str, Any] = {
    "elastic": lambda **o: pl.Elastic(wave(K, 0.3 * K), backlash=5e-5, error=ERRORS, **o),
    "torques left out": lambda **o: pl.Elastic(
        wave(K, 0.3 * K), backlash=5e-5, error=ERRORS, energy_consistent=False, **o
    ),
    "rounded": lambda **o: pl.Elastic(K, backlash=5e-5, smoothing=1e-5, error=ERRORS, **o),
    "varying backlash": lambda **o: pl.Elastic(K, backlash=[5e-5, wave(0.0, 1e-5), timed(5e-6)], error=ERRORS, **o),
    "line contact": lambda **o: pl.Elastic(K, backlash=5e-5, contact="line", error=ERRORS, **o),
    "loaded": lambda **o: table(backlash=5e-5, error=ERRORS[1:], **o),
}


def pair(mesh: Any, *, supported: bool = False, rack: bool = False) -> pl.Model:
    """Two gears (or a rack), one on a spring, under torques that change their sign at 300 Hz; in hinges or on soft supports."""
    m = pl.Model("rattle")
    size: dict[str, Any] = {"normal_module": "4 mm", "face_width": "20 mm"}
    a = m.gear_body("a", pl.Gear(teeth=20, **size), position=(0, 0, 0), axis="z", angular_velocity=(0, 0, 60))
    if rack:
        wheel = pl.Rack(teeth=60, depth="20 mm", **size)
    else:
        wheel = pl.Gear(teeth=30, **size)
    b = m.gear_body("b", wheel, mesh_with=a, towards=(1, 0, 0))
    m.gear_pair("mesh", a, b, mesh=mesh)
    if supported:
        for name, body in (("support a", a), ("support b", b)):
            m.bushing(
                name, m.ground, body, stiffness=(3e6, 2e6, 3e6, 2e3, 2e3, 50), damping=(20, 20, 20, 0.1, 0.1, 0.1)
            )
        m.torque("load a", a, (0, 0, 30.0), axes="body")
        m.torque("load b", b, (0, 0, pl.Harmonic(25.0, 300.0)), axes="body")
        return m
    hinge_a = m.revolute("hinge a", m.ground, a)
    m.torque("load a", hinge_a, 20.0)
    m.torsion_spring("coil", hinge_a, stiffness=200.0)
    if rack:
        m.force("load b", m.prismatic("slide b", m.ground, b, axis=b.orientation[:, 1]), pl.Harmonic(400.0, 300.0))
    else:
        m.torque("load b", m.revolute("hinge b", m.ground, b), pl.Harmonic(25.0, 300.0))
    return m
