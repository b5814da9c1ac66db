"""Invariances of computed tables of loaded contact, of gear bodies with webs, and of motions that drives prescribe."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from machines.cases import Case, Skip, Violation, attempt
from machines.machine import Machine, Part, build
from machines.values import Call, Number

import pitchline as pl

FINE = ({"loads": 10, "phases": 48}, {"loads": 10, "phases": 192})
"""Loads and phases of fine tables: the second one only if the error of the first has not fallen."""
LOADS = 0.02
"""Error of a fine table between its loads, of the largest deflection. Between its phases the error is of order 1 at least, at the
kinks of teeth without relief: with four times the phases it falls by half at least."""
POSITIONS = 20
"""Positions of a mesh cycle: three of four are between the phases of the fine table."""
GAP = 1e-9
"""Width of the web of a gear body whose rim reaches its hub [m]."""


def _computed(machine: Machine) -> Part:
    """The gear pair with a computed table."""
    for part in machine.of("gear_pair"):
        mesh = part.given.get("mesh")
        if isinstance(mesh, Call) and mesh.maker == "pl.Loaded" and "approach" not in mesh.given:
            return part
    raise Skip("no computed table")


def _finer(machine: Machine, part: Part, factor: int) -> Machine:
    """The machine with more loads and phases of its table."""
    mesh = part.given["mesh"]
    given = dict(mesh.given)
    if "loads" in given:
        given["loads"] = factor * (given["loads"] - 1) + 1
    given["phases"] = factor * given["phases"]
    new = replace(part, given={**part.given, "mesh": replace(mesh, given=given)})
    return machine.with_parts([new if p is part else p for p in machine.parts])


def _parallel(case: Case, part: Part) -> bool:
    """Whether the gears have parallel axes, so that a position takes milliseconds."""
    request = case.model.gear_pairs[part.name].request
    return request is not None and request.placement is None


def resolution(case: Case) -> None:
    """A table with more loads and phases changes the rest only by the error of the interpolation."""
    part = _computed(case.machine)
    if "tilts" in part.given["mesh"].given:
        raise Skip("tables over tilts take many seconds")
    base = case.wanted("statics")
    if base.warnings:
        raise Skip("statics has a warning")
    values, gaps = [float(base.signals[f"{part.name}.deflection"].values[-1])], []
    for factor in (2, 4, 8):
        if factor > 4 and not _parallel(case, part):
            raise Skip("not decided with four times the points: larger tables of such pairs take minutes")
        one = _finer(case.machine, part, factor)
        run = attempt(lambda one=one: pl.statics(build(one)))
        if run.refusal is not None:
            raise Violation(f"statics refused: {run.refusal}", one)
        values.append(float(run.value.signals[f"{part.name}.deflection"].values[-1]))
        gaps.append(abs(values[-1] - values[-2]))
        if len(gaps) > 1 and gaps[-1] <= max(0.5 * max(gaps[:-1]), LOADS * abs(values[-1]) + 1e-9):
            return
    raise Violation(
        f"statics: {part.name}.deflection differs by {gaps[0]:.3g} with twice, by {gaps[1]:.3g} with four times and by "
        f"{gaps[2]:.3g} m with eight times the points",
        one,
    )


def contact(case: Case) -> None:
    """A computed table is the contact analysis of the gears, also between its loads and phases."""
    part = _computed(case.machine)
    given = part.given["mesh"].given
    pair = case.model.gear_pairs[part.name]
    request = pair.request
    offset = request is not None and request.face_offset and request.gear_a.helix_angle
    if request is None or request.placement is not None or request.tilts or offset:
        raise Skip("other axes, tilts, or oblique faces that are offset")
    gears = [
        pl.elastic_gear(pl.Teeth(gear), bore=request.bore, offsets=3, grid=dict(elements))
        for gear, elements in ((request.gear_a, request.elements_a), (request.gear_b, request.elements_b))
    ]
    if request.bore != "fixed":
        raise Skip("contact analyses have fixed bores")
    torque = float(case.rng.uniform(0.1, 0.95)) * request.torques[-1]
    found = attempt(
        lambda: pl.loaded_contact(
            *gears, torque=torque, positions=POSITIONS, centre_distance=request.centre_distance, face_offset=request.face_offset,
            deviation=request.deviation, inclination=request.inclination, resolution=request.resolution, cells=request.cells,
        )
    )  # fmt: skip
    if found.refusal is not None:
        raise Violation(f"contact refused: {found.refusal}")
    there = np.asarray(found.value.transmission_error[0], float)
    size = float(np.max(found.value.deflection))
    force, phases = torque / (0.5 * request.gear_b.base_diameter), np.arange(POSITIONS) / POSITIONS
    gaps: list[float] = []
    machine = case.machine
    for points in ({}, *FINE):
        fine = replace(part, given={**part.given, "mesh": replace(part.given["mesh"], given={**given, **points})})
        if "loads" not in given:
            fine.given["mesh"].given.pop("loads", None)  # its torques are the loads
        machine = case.machine.with_parts([fine if p is part else p for p in case.machine.parts])
        table = build(machine).gear_pairs[part.name].loaded.tables[0]
        gaps.append(float(np.max(np.abs(table.approach(force, phases) - there))))
        if len(gaps) > 1 and gaps[-1] <= max(0.5 * max(gaps[:-1]), LOADS * size + 1e-9):
            return
    raise Violation(
        f"table: {part.name} differs from contact by {gaps[0]:.3g} m, with finer tables by {gaps[1]:.3g} m and {gaps[2]:.3g} m "
        f"of {size:.3g} m",
        machine,
    )


def thick_rim(case: Case) -> None:
    """A gear body whose rim reaches its hub is solid."""
    machine = case.machine
    if "computed teeth" in machine.traits:
        raise Skip("finite elements of a web that is a nanometre long")
    if "shaft" in machine.makers:
        raise Skip("wheels on a shaft have its diameter as their bore")
    parts, changed = [], False
    for part in machine.parts:
        gear = part.given.get("gear")
        if part.maker in ("gear_body", "wheel") and isinstance(gear, Call) and _has_disc(gear):
            part = replace(part, given={**part.given, "gear": _with_rim(gear)})
            changed = True
        parts.append(part)
    if not changed:
        raise Skip("no wheel with a bore")
    case.agree(machine.with_parts(parts), relative=1e-5)


def _has_disc(gear: Call) -> bool:
    never = {"body", "internal", "cone_angle", "profile_shift_angle", "starts", "worm"}
    return gear.maker == "pl.Gear" and "bore" in gear.given and not never & set(gear.given)


def _with_rim(gear: Call) -> Call:
    """The gear with a web of nearly no length between a hub and a rim."""
    made = pl.Gear(**_plain(gear))
    bore, root = gear.given["bore"].value, made.root_diameter
    hub = bore + 0.4 * (root - bore)
    given = {
        "bore": Number(bore, "m"), "hub_diameter": Number(hub, "m"), "rim_thickness": Number(0.5 * (root - hub) - GAP, "m"),
        "web_thickness": Number(0.3 * gear.given["face_width"].value, "m"),
    }  # fmt: skip
    body = Call("pl.GearBody", given)
    return replace(gear, given={**{k: v for k, v in gear.given.items() if k != "bore"}, "body": body})


def _plain(gear: Call) -> dict[str, Any]:
    """Arguments that define the root circle."""
    left = ("material", "modifications")
    return {key: _value(value) for key, value in gear.given.items() if key not in left}


def _value(value: Any) -> Any:
    from machines.machine import _evaluated
    from machines.values import SAME, changed

    return _evaluated(changed(value, SAME), None)  # type: ignore[arg-type]


def prescribed(case: Case) -> None:
    """A motion that drives determine is the same by kinematics and by dynamics."""
    machine = case.machine
    modes = case.result("modes")
    if modes.refusal is None or "determine the whole motion" not in str(modes.refusal):
        raise Skip("drives do not determine the motion")
    base = case.wanted("motion")
    there = attempt(lambda: pl.kinematics(case.model, **machine.time()))
    if there.refusal is not None:
        raise Violation(f"kinematics refused: {there.refusal}")
    names = [name for name in base.signals if name.endswith((".position", ".angle", ".displacement"))]
    gaps: list[dict[str, float]] = []
    for part in (1, 8):
        fine = {"duration": machine.time()["duration"], "step": machine.step / part}
        run = base if part == 1 else attempt(lambda fine=fine: pl.dynamics(case.model, **fine, **machine.options)).value
        if run is None:
            raise Skip("no motion with smaller steps")
        gaps.append(
            {n: float(np.max(np.abs(run.signals[n].values[-1] - there.value.signals[n].values[-1]))) for n in names}
        )
        top = {n: max(float(np.max(np.abs(base.signals[n].values))), 0.01) for n in names}
        if all(gaps[-1][n] <= 1e-8 * top[n] for n in names):
            return
    for name in names:
        if not gaps[1][name] <= 0.4 * gaps[0][name] + 1e-8 * top[name] or math.isnan(gaps[1][name]):
            raise Violation(
                f"kinematics: {name} differs from dynamics by {gaps[0][name]:.3g}, with steps of an eighth by {gaps[1][name]:.3g}"
            )
