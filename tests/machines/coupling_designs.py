"""Random designs of couplings."""

from __future__ import annotations

from typing import Any

from machines.draws import Rng, log_uniform
from machines.options import draw
from machines.values import Call, Number


def coupling_design(rng: Rng, design: str) -> Call:
    """A coupling with a share of its options."""
    k, kt = Number(log_uniform(rng, 1e5, 1e8), "N/m"), Number(log_uniform(rng, 100, 1e5), "N*m/rad")
    if design == "pl.ElasticCoupling":
        given: dict[str, Any] = {"torsional_stiffness": kt}
        if rng.random() < 0.3:
            given = {"torsion": _progressive(kt.value)}
        if rng.random() < 0.3:
            given["relative_damping"] = Number(0.3)
            given["frequency"] = Number(20.0, "Hz")
            return Call(design, draw(rng, design, given, never=(*_DAMPINGS, "torsion", "torsional_stiffness")))
        return Call(
            design, draw(rng, design, given, never=("relative_damping", "frequency", "torsion", "torsional_stiffness"))
        )
    if design == "pl.GearCoupling":
        given = {"torsional_stiffness": kt, "radial_stiffness": k}
        if rng.random() < 0.4:
            given |= {"tilt_limit": Number(0.01, "rad"), "tilt_stop_stiffness": kt}
        if rng.random() < 0.4:
            given |= {"axial_limit": Number(1e-3, "m"), "axial_stop_stiffness": k}
        if rng.random() < 0.4:
            given |= {
                "friction": Number(0.1),
                "pressure_angle": Number(0.4, "rad"),
                "friction_rate": Number(0.02, "rad/s"),
            }
        return Call(design, draw(rng, design, given, never=tuple(_OF_GEAR_COUPLING)))
    if design == "pl.Spline":
        module = log_uniform(rng, 1e-3, 4e-3)
        given = {"teeth": int(rng.integers(12, 30)), "length": Number(10 * module, "m"),
                 "tooth_stiffness": Number(log_uniform(rng, 1e8, 1e10), "N/m^2")}  # fmt: skip
        given |= {"module": Number(module, "m")} if rng.random() < 0.5 else {"pitch_diameter": Number(20 * module, "m")}
        if rng.random() < 0.4:
            given["play"] = Number(1e-2 * module, "m")
        if rng.random() < 0.4:
            given["axial_stiffness"] = k
        if rng.random() < 0.4:
            given["torsional_damping"] = Number(0.5, "N*m*s/rad")
        if rng.random() < 0.4:
            given["pressure_angle"] = Number(0.5236, "rad")
        return Call(design, given)
    return Call(design, {})


_DAMPINGS = ("torsional_damping", "radial_damping", "axial_damping", "tilt_damping")
_OF_GEAR_COUPLING = (
    "tilt_limit", "tilt_stop_stiffness", "axial_limit", "axial_stop_stiffness", "friction", "pressure_angle", "friction_rate",
)  # fmt: skip


def _progressive(k: float) -> list[tuple[Number, Number]]:
    """Torque over the twist."""
    return [(Number(x, "rad"), Number(k * (x + 10 * x**3), "N*m")) for x in (0.0, 0.05, 0.1, 0.2)]
