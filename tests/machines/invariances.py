"""The invariances by name, and how often each is tried."""

from __future__ import annotations

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
    of_tools,
    shrink,
)

INVARIANCES: dict[str, shrink.Invariance] = {
    "rigid motion": of_frames.rigid_motion,
    "mirror image": of_frames.mirror_image,
    "units by powers of two": of_frames.units,
    "uniform velocity": of_physics.moving_frame,
    "shift of time": of_runs.later,
    "roles of a and b": of_parts.roles_exchanged,
    "renamed": of_parts.renamed,
    "reordered": of_parts.reordered,
    "halves of parts": of_parts.halved,
    "halves of bodies": of_parts.two_bodies,
    "read back from file": of_parts.read_back,
    "not reduced": of_runs.not_reduced,
    "stepper": of_runs.stepper,
    "checkpoint": of_runs.checkpoint,
    "error control": of_runs.error_control,
    "steps halved": of_runs.halved_steps,
    "statics stays at rest": of_runs.at_rest,
    "energy": of_physics.energy,
    "momentum": of_physics.momentum,
    "reactions": of_physics.reactions,
    "virtual work": of_statics.virtual_work,
    "statics not reduced": of_statics.not_reduced,
    "statics from statics": of_statics.start_from_rest,
    "deflection over stiffness": of_statics.stiffer,
    "dissipation": of_statics.dissipation,
    "fewer outputs": of_statics.outputs,
    "halves of meshes": of_gears.halves,
    "no backlash": of_gears.no_backlash,
    "stiff teeth roll": of_gears.rolling,
    "rigid or rolling": of_gears.rigid_or_rolling,
    "cage": of_bearings.cage,
    "no clearance": of_bearings.clearance,
    "bearing over load": of_bearings.life_over_load,
    "almost nothing": of_limits.almost_nothing,
    "sweep": of_tools.sweep,
    "batch": of_tools.batch,
    "REXS": of_tools.rexs,
    "FMU": of_tools.fmu,
    "small motions": of_linear.small_motions,
    "frequency response": of_linear.response,
    "modes otherwise": of_linear.modes_otherwise,
    "few modes": of_linear.few_modes,
}
"""Name of each invariance, and the function that tries it."""

WEIGHTS: dict[str, float] = {
    "sweep": 0.2, "batch": 0.5, "REXS": 0.1,
}  # fmt: skip
"""How often an invariance is tried, relative to the others (1)."""
RARE = {"FMU": (1000, 50)}
"""Invariances that take seconds: one of so many seeds, and the first."""
