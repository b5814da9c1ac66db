"""Ranges of quantities, choices, and arguments that are not drawn, with the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from machines.values import Hand, Number

PARTS = (
    # methods of the model
    "body", "attached_mass", "rotor", "sensor",
    "revolute", "prismatic", "cylindrical", "spherical", "universal", "planar", "fixed", "screw", "distance",
    "point_on_line", "point_on_plane", "plane_on_plane", "parallel_axes",
    "drive", "force", "torque", "spring", "string", "torsion_spring", "bushing", "stop",
    "friction", "brake", "clutch", "one_way_clutch", "torque_limiter", "ratio", "planetary_ratio",
    "dc_motor", "induction_motor", "kloss_motor", "motor_map", "combustion_engine",
    "fan_load", "speed_load", "road_load", "road_resistance", "propeller",
    "belt_drive", "chain_drive", "torque_converter", "coupling", "cam", "bearing", "axial_support",
    "gear_body", "wheel", "gear_pair", "shaft", "beam", "membrane", "flexible_body", "planetary",
    # designs and laws
    "pl.Gear", "pl.Rack", "pl.Elastic", "pl.Rigid", "pl.Loaded", "pl.Rolling", "pl.Flank",
    "pl.DeepGrooveBall", "pl.AngularContactBall", "pl.CylindricalRoller", "pl.NeedleRoller", "pl.TaperedRoller",
    "pl.SphericalRoller",
    "pl.ElasticCoupling", "pl.GearCoupling", "pl.Spline", "pl.CardanJoint", "pl.ShaftSection", "pl.BeamSection",
    "pl.Stribeck", "pl.Material", "pl.Support", "pl.GearBody",
    # signals
    "pl.PID", "pl.SampledPID", "pl.Filter", "pl.Integral", "pl.Limiter", "pl.Deadband", "pl.Relay", "pl.RateLimiter",
    "pl.Delay", "pl.Lookup", "pl.Lookup2D", "pl.TransferFunction", "pl.SampledTransferFunction", "pl.NamedSignal",
    "pl.SampledLaw",
    # functions of time
    "pl.Harmonic", "pl.Ramp", "pl.Table", "pl.Fourier", "pl.Polynomial", "pl.Sum", "pl.PiecewisePolynomial",
)  # fmt: skip
"""All parts, designs and laws whose arguments are walked."""

NO_PART = {
    "add": "used for the elements", "check": "an analysis", "describe": "an analysis", "summary": "an analysis",
    "replaced": "an invariance", "to_toml": "an invariance", "view": "a picture", "plot_state": "a picture",
    "look": "appearance only", "placed": "a query", "joint_coordinates": "a query",
}  # fmt: skip
"""Public methods of the model that add no part."""

RANGES: dict[str, tuple[float, float]] = {
    "Length": (0.05, 0.5), "Angle": (0.05, 0.6), "Time": (0.005, 0.05), "Frequency": (5.0, 60.0), "Speed": (0.05, 2.0),
    "AngularSpeed": (0.1, 20.0), "Mass": (0.3, 5.0), "MomentOfInertia": (0.001, 0.1), "Density": (500.0, 8000.0),
    "Force": (1.0, 100.0), "Torque": (0.5, 50.0), "Stiffness": (100.0, 2e4), "TorsionalStiffness": (20.0, 2e3),
    "Damping": (0.5, 50.0), "TorsionalDamping": (0.02, 2.0), "Viscosity": (1e-5, 3e-4), "Area": (0.1, 2.0),
    "InverseSpeed": (0.01, 1.0), "Voltage": (5.0, 50.0), "Current": (0.1, 5.0), "Resistance": (0.1, 2.0),
    "Inductance": (1e-3, 1e-1), "MotorConstant": (0.05, 0.5), "Capacity": (1e-4, 1e-2), "Number": (0.05, 0.9),
    "Acceleration": (1.0, 10.0), "Pressure": (1e9, 3e11),
}  # fmt: skip
"""Type of the documentation -> range of random values, by its logarithm."""

CHOICES: dict[str, tuple[Any, ...]] = {
    "axes": ("world", "body"), "between": ("hold", "linear"), "lubrication": ("none", "grease", "oil bath"),
    "one_way_clutch.free": ("forward", "backward"),
    "axial_support.direction": ("positive", "negative"), "cage": ("rest", "turning", "smooth"),
    "propeller.hand": (Hand("right", "left"), Hand("left", "right")),
    "pl.Filter.kind": ("low_pass", "high_pass", "notch"), "pl.Filter.order": (1, 2), "pl.Filter.shape": ("butterworth",),
    "pl.PID.anti_windup": ("back_calculation", "clamping"), "pl.Lookup.outside": ("hold", "continue"),
    "pl.Table.outside": ("hold", "continue"), "pl.Table.kind": ("linear", "cubic"),
    "backlash_side": ("centred", "drive", "coast"), "damping_acts": ("in contact", "always", "never pulling"),
    "follow_centres": (True, False), "separating": (True, False),
    "pole_pairs": (1, 2, 3), "strokes": (2, 4), "pl.Delay.points": (100, 200), "pl.Delay.pade_order": (2, 4, 6),
}  # fmt: skip
"""Arguments with a few values; "PLACE.NAME", or the name wherever it occurs."""

Draw = Callable[[np.random.Generator], Any]


def _number(unit: str, low: float, high: float, *, odd: bool = False, signed: bool = False) -> Draw:
    def draw(rng: np.random.Generator) -> Number:
        sign = float(rng.choice([-1.0, 1.0])) if signed else 1.0
        return Number(sign * float(np.exp(rng.uniform(np.log(low), np.log(high)))), unit, odd)

    return draw


DRAWN: dict[str, Draw] = {
    "axial_support.clearance": _number("m", 1e-6, 1e-3), "axial_support.stiffness": _number("N/m", 1e6, 1e9),
    "static_ratio": _number("", 1.0001, 1.6), "efficiency": _number("", 0.7, 0.999),
    "pl.Harmonic.phase": _number("rad", 0.01, 3.0, signed=True),
    "dc_motor.ratio": _number("", 0.5, 5.0), "induction_motor.ratio": _number("", 0.5, 5.0),
    "kloss_motor.ratio": _number("", 0.5, 5.0), "screw.lead": _number("m", 0.02, 0.5, odd=True, signed=True),
    "coast_factor": _number("", 0.3, 1.0), "torsion_spring.free_angle": _number("rad", 0.01, 0.5, signed=True),
    "coupling.initial_twist": _number("rad", 0.001, 0.1, signed=True),
    "crank_angle": _number("rad", 0.01, 3.0, signed=True), "drag_area": _number("m^2", 0.1, 2.0),
    "rolling_coefficient": _number("", 0.002, 0.05), "rotor.speed": _number("rad/s", 0.5, 50.0, signed=True),
    "breakdown_slip": _number("", 0.05, 0.3), "restitution": _number("", 0.05, 0.95),
    "damping_limit": _number("", 0.1, 0.5), "stop.stiffness": _number("N/m", 1e3, 1e5),
    "addendum_factor": _number("", 0.85, 1.05), "dedendum_factor": _number("", 1.2, 1.35),
    "root_radius_factor": _number("", 0.1, 0.28),
    "gravitational_acceleration": _number("m/s^2", 1.0, 10.0),
}  # fmt: skip
"""Arguments with their own distribution; "PLACE.NAME", or the name wherever it occurs."""

_SOLIDS = "mass and inertia are drawn instead"
_LOADED = 'stiffness "loaded" needs tables with the default grid, which take seconds: tests of loaded contact'
_IMPORTED = "imported flanks have their own tests"
_POSE = "drawn as an orientation and a position, which define all axes"
_PLACED = "placed with the first gear of the pair"
NOT_DRAWN: dict[str, str] = {
    "colour": "appearance only", "hidden": "appearance only", "shape": "appearance only",
    "any_inertia": "permits inertia that no body has", "solid": _SOLIDS,
    "gear_body.inertia": _SOLIDS, "gear_body.centre_of_mass": _SOLIDS,
    "pl.Elastic.torque": _LOADED, "pl.Gear.flanks": _IMPORTED, "pl.Rack.flanks": _IMPORTED,
    **{f"pl.PiecewisePolynomial.{name}": "tables and cubic tables are such functions" for name in (
        "coefficients", "gain_per_period", "outside", "over", "periodic", "t", "what",
    )},
    "bearing.at": _POSE, "bearing.axis": _POSE, "axial_support.at": _POSE, "axial_support.axis": _POSE,
    "bushing.at": _POSE, "bushing.axis": _POSE, "gear_body.axis": _POSE,
    "shaft.axis": _POSE, "wheel.at": _POSE, "wheel.axis": _POSE, "wheel.orientation": _POSE,
    **{f"wheel.{name}": _PLACED for name in (
        "axial_shift", "centre_distance", "mesh_with", "shaft_angle", "tooth", "towards",
    )},
    "gear_body.tooth": "count of teeth along a rack, which has no image",
    "planetary.centre_distance": "follows from the gears", "distance.length": "follows from the points",
    "gear_pair.centre_distance": "follows from the poses", "gear_pair.shaft_angle": "follows from the poses",
    "road_resistance.slope": "gravity that is inclined to the world", "road_resistance.wind": "wind in the world",
    "pl.Gear.worm": "drawn by the number of starts", "pl.GearBody.rim_diameter": "drawn as an argument of the gear",
    "pl.CardanJoint.pin": "a direction across the shaft; the default is drawn",
    "pl.BeamSection.stiffness": "drawn by the shapes of sections", "pl.BeamSection.mass": "drawn by the shapes of sections",
    "pl.Rolling.radius": "pinion and rack without teeth have their own tests",
    "pl.Table.over": "functions of angles are drawn as Fourier series", "pl.Table.periodic": "drawn as Fourier series",
    "torque.coordinate": "drawn on joints with one angle",
    **{f"{part}.{name}": "the structure starts at rest or with its spin" for part in (
        "beam", "flexible_body", "membrane", "shaft",
    ) for name in ("velocity", "angular_velocity")},
    **{f"beam.{name}": "curves are drawn by their points" for name in ("tangent", "end_tangent")},
    "beam.frequency": "drawn as a number of elements",
}  # fmt: skip
"""Arguments without values in the machines: "PLACE.NAME", or the name wherever it occurs, and the reason."""
