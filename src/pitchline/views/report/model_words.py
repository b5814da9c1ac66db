"""The machine: picture, parts, gear pairs, drives and loads."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

from pitchline.errors import PitchlineError, unknown_part
from pitchline.model import described_gears
from pitchline.views.report.element_words import element_words
from pitchline.views.report.function_words import function_words
from pitchline.views.report.html import Html, code, join, table, tag
from pitchline.views.report.inline_svg import Pictures
from pitchline.views.report.machine_picture import machine_picture
from pitchline.views.report.numbers import angle, counted, length, number, quantity
from pitchline.views.report.parts_tables import STRUCTURES
from pitchline.views.report.report_data import ReportData
from pitchline.views.report.variants import differences

_GIVEN = {"position": {"angle": "rad", "displacement": "m"}, "speed": {"angle": "rad/s", "displacement": "m/s"}}
_EFFORT = {"angle": "N*m", "displacement": "N"}


def model_section(data: ReportData, pictures: Pictures) -> Html:
    """Picture, description, gear pairs, drives and loads, and how variants differ."""
    model = data.model
    if not model:
        words = "The results do not contain their model. Give the model to the report with model=."
        return tag("p", words) if data.results else Html("")
    parts = [machine_picture(data, pictures), tag("p", _words(model)), _pairs(model), _drives(model), _loads(model)]
    alike: list[tuple[list[str], dict[str, Any]]] = []
    for name, other in data.variants.items():
        same = next((names for names, said in alike if said == other), None)
        if same is None:
            alike.append(([name], other))
        else:
            same.append(name)
    parts += [_variant(names, other, model) for names, other in alike]
    return join([part for part in parts if part], "\n")


def _words(model: dict[str, Any]) -> str:
    bodies, joints = model.get("bodies", {}), model.get("joints", {})
    mass = sum(float(body.get("mass", 0.0)) for body in bodies.values())
    made = [f"{counted(len(bodies), 'body', 'bodies')} with a total mass of {quantity(mass, 'kg')}"] if bodies else []
    for section, one, many in STRUCTURES:
        parts = model.get(section, {})
        if parts:
            mass = sum(float(part.get("total_mass", 0.0)) for part in parts.values())
            made.append(f"{counted(len(parts), one, many)} of {quantity(mass, 'kg')}")
    attached = [
        e["parameters"]["mass"]["value"] for e in model.get("elements", {}).values() if e.get("key") == "attached_mass"
    ]
    if attached:
        made.append(f"{counted(len(attached), 'attached mass', 'attached masses')} of {quantity(sum(attached), 'kg')}")
    text = ", ".join(made) or "No bodies"
    kinds = Counter(joint.get("kind", "").replace("_", " ") for joint in joints.values())
    if joints:
        text += f", connected by {counted(len(joints), 'joint')} ({', '.join(f'{n} {kind}' for kind, n in kinds.most_common())})"
    pairs = model.get("gear_pairs", {})
    if pairs:
        meshes = Counter(str(pair.get("kind", "")) for pair in pairs.values())
        which = next(iter(meshes)) if len(pairs) == 1 else ", ".join(f"{n} {kind}" for kind, n in meshes.most_common())
        text += f"{' and' if joints else ', with'} {counted(len(pairs), 'gear pair')} ({which})"
    text += ". "
    if model.get("plane"):
        text += f"All bodies move in the {model['plane']} plane. "
    gravity = np.asarray(model.get("gravity", (0.0, 0.0, 0.0)), float)
    size = float(np.linalg.norm(gravity))
    if size == 0.0:
        return text + "No gravity."
    axis = int(np.argmax(np.abs(gravity)))
    along = (
        f"{'−' if gravity[axis] < 0 else '+'}{'xyz'[axis]}"
        if abs(abs(gravity[axis]) - size) < 1e-9 * size
        else "an oblique axis"
    )
    return text + f"Gravity {number(size)} m/s² along {along}."


def _pairs(model: dict[str, Any]) -> Html:
    rows = []
    for name, said in model.get("gear_pairs", {}).items():
        made = described_gears.pair_of(said, model)
        wheels = [model.get("wheels", {}).get(said.get(side), {}).get("gear") or {} for side in ("wheel_a", "wheel_b")]
        teeth = " : ".join(str(gear["teeth"]) for gear in wheels if "teeth" in gear) or "–"
        module = next((length(gear["normal_module"]) for gear in wheels if "normal_module" in gear), "–")
        distance = said.get("centre_distance", 0.0)
        where = length(distance) if distance > 1e-12 or not said.get("shaft_angle") else angle(said["shaft_angle"])
        ratio = ""
        if made is not None:
            try:
                epsilon = made.total_contact_ratio
                ratio = number(epsilon, 3) if math.isfinite(epsilon) else ""
            except PitchlineError:  # it needs a face width, or does not apply
                ratio = ""
        rows.append([code(name), str(said.get("kind", "")), teeth, module, where, ratio, _mesh(said.get("mesh", {}))])
    heads = ["Gear pair", "Kind", "Teeth", "Module", "Centres or shafts", "ε", "Mesh"]
    if not any(row[5] for row in rows):
        rows, heads = [[*row[:5], row[6]] for row in rows], [*heads[:5], heads[6]]
    made_table = table(heads, rows, numbers=(2, 3, 4, 5) if len(heads) == 7 else (2, 3, 4), class_="small wide")
    return join([tag("h3", "Gear pairs"), made_table]) if rows else Html("")


_DIRECTIONS = {
    "base circle": "on the base circle", "normal": "along the normal", "hoop": "along the hoop",
    "line of action": "along the normal",  # of earlier versions
}  # fmt: skip


def _mesh(mesh: dict[str, Any]) -> str:
    """ "elastic, 2.587 GN/m, damping ratio 0.1, backlash 50 µm" """
    kind = str(mesh.get("type", ""))
    words = [{"Flank": "elastic flanks", "Loaded": "loaded teeth"}.get(kind, kind.lower())]
    if kind == "Loaded":
        words.append(_load_table(mesh))
    if kind == "Flank":
        words += _flanks(mesh)
    springs = mesh.get("stiffness")
    if isinstance(springs, list) and springs:
        words.append(" with ".join(_spring(spring) for spring in springs))
    elif springs == "loaded":
        words.append(f"stiffness of loaded teeth at {quantity(mesh['torque'], 'N*m')} on B")
    elif isinstance(springs, str):
        words.append(f"stiffness after {springs}")
    if mesh.get("damping_ratio"):
        words.append(f"damping ratio {number(mesh['damping_ratio'])}")
    if isinstance(mesh.get("damping"), (int, float)) and mesh["damping"]:
        words.append(f"damping {quantity(mesh['damping'], 'N*s/m')}")
    if isinstance(mesh.get("backlash"), (int, float)) and mesh["backlash"]:
        words.append(f"backlash {quantity(mesh['backlash'], 'm')}")
    if mesh.get("error"):
        words.append("transmission error")
    if mesh.get("along"):
        words.append(_DIRECTIONS[mesh["along"]])
    coefficient = mesh.get("friction")
    if coefficient is not None and coefficient != 0.0:
        words.append(f"friction {number(coefficient)}" if isinstance(coefficient, (int, float)) else "friction")
    if mesh.get("efficiency") is not None:
        words.append(f"efficiency {number(mesh['efficiency'])}")
    if mesh.get("ratio") is not None:
        words.append(f"ratio {mesh['ratio']}")
    return ", ".join(word for word in words if word)


def _load_table(mesh: dict[str, Any]) -> str:
    """ "8 loads to 2.876 kN at 32 phases, coast flanks of their own", "table from the gears to 80 N·m on B" """
    rows = mesh.get("approach")
    tilts = mesh.get("tilts")
    tilted = f", {counted(len(tilts), 'tilt')} to {quantity(tilts[-1], 'rad')}" if tilts is not None else ""
    if rows is None:
        return f"table from the gears{_up_to(mesh.get('torque'))}{tilted}"
    loads = mesh.get("loads") or [0.0]
    own = ", coast flanks of their own" if mesh.get("coast") is not None else ""
    phases = len(rows[0] if tilts is None else rows[0][0])
    return f"{counted(len(loads), 'load')} to {quantity(loads[-1], 'N')} at {counted(phases, 'phase')}{tilted}{own}"


def _up_to(torque: Any) -> str:
    if torque is None:
        return ""
    return f" to {quantity(torque[-1] if isinstance(torque, list) else torque, 'N*m')} on B"


def _flanks(mesh: dict[str, Any]) -> list[str]:
    """ "modes to 80 kHz", "penalty 100 MN/m" """
    words = [f"modes to {quantity(mesh['modes'], 'Hz')}"] if mesh.get("modes") else ["no modes"]
    if mesh.get("penalty"):
        words.append(f"penalty {quantity(mesh['penalty'], 'N/m')}")
    return words


def _spring(spring: Any) -> str:
    if isinstance(spring, (int, float)):
        return quantity(spring, "N/m")
    return f"stiffness over the {spring.get('over', 'mesh cycle')}" if isinstance(spring, dict) else str(spring)


def _drives(model: dict[str, Any]) -> Html:
    rows = []
    for name, drive in model.get("drives", {}).items():
        given, coordinate = drive.get("given", ""), drive.get("coordinate", "angle")
        unit = _GIVEN.get(given, {}).get(coordinate, "")
        rows.append(
            [code(name), f"{given} of ", code(drive.get("joint_name", "")), function_words(drive.get("function"), unit)]
        )
    merged = [[row[0], join([row[1], row[2]]), row[3]] for row in rows]
    return (
        join([tag("h3", "Drives"), table(["Drive", "Prescribes", "Value"], merged, class_="small")])
        if rows
        else Html("")
    )


def _loads(model: dict[str, Any]) -> Html:
    rows = [[code(name), *_load(name, load)] for name, load in model.get("loads", {}).items()]
    rows += [[code(name), *element_words(said)] for name, said in model.get("elements", {}).items()]
    return (
        join(
            [
                tag("h3", "Loads, springs, dampers and bearings"),
                table(["Name", "Acts on", "Description"], rows, class_="small"),
            ]
        )
        if rows
        else Html("")
    )


def _load(name: str, load: dict[str, Any]) -> tuple[Html, str]:
    """Where it acts, and what it does."""
    kind, coordinate = load.get("type", ""), load.get("coordinate", "angle")
    if "frame_a" in load:
        where = join([code(load["frame_a"].get("body_name", "")), " – ", code(load["frame_b"].get("body_name", ""))])
    else:
        where = code(load.get("joint_name") or load.get("body_name") or load.get("frame", {}).get("body_name", ""))
    if kind == "JointLoad":
        word = "torque" if coordinate == "angle" else "force"
        return where, f"{word}, {function_words(load.get('function'), _EFFORT.get(coordinate, ''))}"
    if kind in ("Force", "Torque"):
        unit = "N" if kind == "Force" else "N*m"
        parts = [
            f"{axis}: {function_words(component, unit)}"
            for axis, component in zip("xyz", load.get("components", ()), strict=False)
            if component != {"function": "constant", "value": 0.0}
        ]
        return where, f"{kind.lower()} in {load.get('axes', 'world')} axes, {'; '.join(parts) or '0'}"
    if kind == "Spring":
        return where, _spring_words(
            load, "N/m", "N*s/m", f", free length {quantity(load.get('free_length') or 0.0, 'm')}"
        )
    if kind == "TorsionSpring":
        return where, _spring_words(load, "N*m/rad", "N*m*s/rad", "")
    if kind == "Bushing":
        return where, _bushing(load)
    if kind == "Stop":
        unit = {"angle": "rad"}.get(coordinate, "m")
        ends = [
            f"{word} {quantity(load[key], unit)}"
            for key, word in (("lower", "below"), ("upper", "above"))
            if load.get(key) is not None
        ]
        k = load.get("stiffness")
        if k is None:
            return (
                where,
                f"rigid stop {' and '.join(ends)}, coefficient of restitution {load.get('restitution') or 0.0:g}",
            )
        return where, f"stop {' and '.join(ends)}, {quantity(k, 'N*m/rad' if unit == 'rad' else 'N/m')}"
    raise unknown_part("load", name, "the report", kind=str(kind))


def _spring_words(load: dict[str, Any], stiffness: str, damping: str, free: str) -> str:
    """ "spring, 20 kN/m, free length 0.1 m, damping 50 N·s/m", "damper, 50 N·s/m" """
    k, d = load.get("stiffness"), load.get("damping")
    turning = "torsion " if load.get("type") == "TorsionSpring" else ""
    damps = isinstance(d, (int, float)) and bool(d)
    table_given = bool(load.get("table"))
    if damps and not k and not table_given:
        return f"{turning}damper, {quantity(d, damping)}"
    law = (
        "force from a table"
        if table_given
        else quantity(k, stiffness)
        if isinstance(k, (int, float))
        else "stiffness law"
    )
    return f"{turning}spring, {law}{free}" + (f", damping {quantity(d, damping)}" if damps else "")


def _bushing(load: dict[str, Any]) -> str:
    K = np.asarray(load.get("stiffness", np.zeros((6, 6))), float)
    diagonal = np.diag(K) if K.shape == (6, 6) else np.zeros(6)
    words = []
    for part, unit, names in ((diagonal[:3], "N/m", "xyz"), (diagonal[3:], "N*m/rad", "xyz")):
        stiff = [f"{axis} {quantity(k, unit)}" for axis, k in zip(names, part, strict=True) if k]
        if stiff and len({float(k) for k in part}) == 1:
            stiff = [quantity(part[0], unit)]
        if stiff:
            words.append(", ".join(stiff) if unit == "N/m" else f"turning {', '.join(stiff)}")
    return "bushing" + (f": {'; '.join(words)}" if words else "")


def _variant(names: list[str], other: dict[str, Any], model: dict[str, Any]) -> Html:
    found = differences(model, other)
    if not found:
        return Html("")
    rows = [[code(place), here, there] for place, here, there in found]
    return join(
        [
            tag("h3", "Differences of the model in ", join(map(code, names), ", ")),
            table(["Item", "Above", "In this analysis"], rows, class_="small"),
        ]
    )
