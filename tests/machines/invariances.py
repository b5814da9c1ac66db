"""The invariances by name: the function that tries each, what must hold within which tolerance, and how often it is tried."""

from __future__ import annotations

from dataclasses import dataclass

from machines import (
    of_bearings,
    of_frames,
    of_gears,
    of_limits,
    of_linear,
    of_parts,
    of_physics,
    of_runs,
    of_statics,
    of_tables,
    of_tools,
    shrink,
)

SIGNALS = "all signals: 2e-6 of the largest value"
FALLING = "positions, speeds: 2e-6, or the difference falls with the step"


@dataclass(frozen=True)
class Invariance:
    """What must hold, and within which tolerance."""

    name: str
    function: shrink.Invariance
    tolerance: str
    weight: float = 1.0
    """How often it is tried, relative to the others."""
    one_of: int = 0
    """It takes seconds: it is tried with one of so many machines."""


ALL = (
    Invariance("rigid motion", of_frames.rigid_motion, SIGNALS),
    Invariance("mirror image", of_frames.mirror_image, SIGNALS),
    Invariance("units by powers of two", of_frames.units, SIGNALS),
    Invariance("uniform velocity", of_physics.moving_frame, SIGNALS),
    Invariance("shift of time", of_runs.later, "1e-6 of the largest value"),
    Invariance("roles of a and b", of_parts.roles_exchanged, SIGNALS),
    Invariance("renamed", of_parts.renamed, SIGNALS),
    Invariance("reordered", of_parts.reordered, SIGNALS),
    Invariance("halves of parts", of_parts.halved, SIGNALS),
    Invariance("halves of bodies", of_parts.two_bodies, FALLING + "; statics: 1e-5"),
    Invariance("halves of meshes", of_gears.halves, SIGNALS),
    Invariance("halves of sections", of_parts.cut_sections, "statics: 2e-6; modes: 1e-5"),
    Invariance("read back from file", of_parts.read_back, "to the last bit"),
    Invariance(
        "not reduced", of_runs.not_reduced, "all signals: 2e-5 of the largest value; with drives as for stabilised"
    ),
    Invariance("statics not reduced", of_statics.not_reduced, "1e-5 of the largest value"),
    Invariance("stabilised", of_runs.stabilised, FALLING),
    Invariance("scaled constraints", of_runs.scaled_constraints, FALLING),
    Invariance("stepper", of_runs.stepper, "1e-9 of the largest value"),
    Invariance("checkpoint", of_runs.checkpoint, "to the last bit"),
    Invariance("fewer outputs", of_statics.outputs, "1e-9 of the largest value"),
    Invariance("error control", of_runs.error_control, "positions: 1e-5 m, and 5 times the error of small steps"),
    Invariance("steps halved", of_runs.halved_steps, "the difference falls by half at least"),
    Invariance("statics stays at rest", of_runs.at_rest, "1e-7 m"),
    Invariance("statics from statics", of_statics.start_from_rest, SIGNALS),
    Invariance("energy", of_physics.energy, "2 % of the energies, or the error falls with the step"),
    Invariance("momentum", of_physics.momentum, "1e-6, or the error falls with the step"),
    Invariance("dissipation", of_statics.dissipation, "1e-9 of the dissipated energy"),
    Invariance("reactions", of_physics.reactions, "1e-6 of the loads"),
    Invariance(
        "virtual work",
        of_statics.virtual_work,
        "1e-6 of the work, or the difference falls by ten with a quarter of the way",
    ),
    Invariance("deflection over stiffness", of_statics.stiffer, "1e-9 of the work"),
    Invariance(
        "small motions", of_linear.small_motions, "0.2 % of the motion, or the difference falls with amplitude and step"
    ),
    Invariance("frequency response", of_linear.response, "1e-6 of the response; poles: 1e-5"),
    Invariance("modes otherwise", of_linear.modes_otherwise, "eigenvalues: 1e-5"),
    Invariance("few modes", of_linear.few_modes, "eigenvalues: 1e-5"),
    Invariance("no backlash", of_gears.no_backlash, "2e-6 of the value; 1e-5 with a backlash of 1e-12 m"),
    Invariance("stiff teeth roll", of_gears.rolling, "the difference falls with the compliance, by 67 of 100 at least"),
    Invariance("rigid or rolling", of_gears.rigid_or_rolling, "angles and speeds: 1e-7"),
    Invariance("cage", of_bearings.cage, "5 % beyond the range of the positions"),
    Invariance("bearing by itself", of_bearings.alone, "deflection: 1e-4"),
    Invariance("no clearance", of_bearings.clearance, "1e-9 of the value; 1e-3 with a clearance of 1e-10 m"),
    Invariance("bearing over load", of_bearings.life_over_load, "strictly"),
    Invariance("almost nothing", of_limits.almost_nothing, FALLING),
    Invariance("sweep", of_tools.sweep, "to the last bit", 0.2),
    Invariance("batch", of_tools.batch, "2 % of the tooth force; threads: to the last bit", 0.5),
    Invariance("REXS", of_tools.rexs, "mass: 1e-6; modes: 1e-5", 0.1),
    Invariance("FMU", of_tools.fmu, "1e-9 of the largest value", one_of=1000),
    Invariance(
        "resolution of tables",
        of_tables.resolution,
        "2 % of the deflection, or the difference falls by half with four times the points",
        0.1,
    ),
    Invariance(
        "table or contact",
        of_tables.contact,
        "2 % of the deflection, or the difference falls by half with four times the phases",
        0.5,
    ),
    Invariance("thick rim", of_tables.thick_rim, "1e-5 of the largest value"),
    Invariance("kinematics", of_tables.prescribed, "positions: 1e-8, or the difference falls with the step"),
    Invariance("several processes", of_tools.processes, "to the last bit", one_of=1000),
)

INVARIANCES: dict[str, shrink.Invariance] = {one.name: one.function for one in ALL}
"""Name of each invariance, and the function that tries it."""
BY_NAME = {one.name: one for one in ALL}
