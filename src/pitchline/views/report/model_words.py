"""Sections of the report: the machine with its parts, modes, and differences between results."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Any

import numpy as np

from pitchline.errors import PitchlineError, unknown_part
from pitchline.facades import plotter
from pitchline.parts.gears import part as described_gears
from pitchline.parts.meshes.drawing_report import natural_frequencies
from pitchline.results.interactions import BEARING
from pitchline.results.linear_files import FrequencyResponse
from pitchline.results.modes import Campbell, Modes
from pitchline.results.order_track import OrderMap

from ..scheme.drawing import plot_scheme
from ..style import unit_text
from .energy import mesh_orders, named_orders
from .html import Html, Pictures, code, join, table, tag
from .numbers import ReportData, angle, counted, length, number, percent, quantity, vector

# ---- function words

# Short descriptions of functions of time, from the model description.


def function_words(said: Any, unit: str = "") -> str:
    """ "12.5 N·m", "ramp from 0 to 200 rad/s in 0.1 s", "table of 12 points" """
    if not isinstance(said, dict):
        return number(said) if said is not None else "–"
    kind = said.get("function", "")
    if kind == "constant":
        return quantity(said["value"], unit)
    if kind == "ramp":
        smooth = "smooth ramp" if said.get("smooth") else "ramp"
        first, last = number(said["start"]), quantity(said["end"], unit)
        begins = "" if said["t0"] == 0.0 else f" after {quantity(said['t0'], 's')}"
        return f"{smooth} from {first} to {last} in {quantity(said['t1'] - said['t0'], 's')}{begins}"
    if kind == "harmonic":
        mean = f"{quantity(said['offset'], unit)} ± " if said.get("offset") else "± "
        return f"{mean}{quantity(said['amplitude'], unit)} at {quantity(said['frequency'], 'Hz')}"
    if kind in ("fourier", "fourier line"):
        return f"Fourier series of {counted(len(said.get('cos', ())), 'harmonic')}, mean {quantity(said.get('mean', 0.0), unit)}"
    if kind == "table":
        return f"table of {counted(len(said.get('t', ())), 'point')}{', periodic' if said.get('periodic') else ''}"
    if kind == "polynomial":
        return f"polynomial of degree {len(said.get('coefficients', [0])) - 1}"
    if kind == "sum":
        return " + ".join(function_words(term, unit) for term in said.get("terms", ()))
    if kind == "callable":
        return "a Python function"
    return str(kind or said)


# ---- element words

# Descriptions of elements: the bodies they act on, their kind and their values, from the model description.


def element_words(said: dict[str, Any]) -> tuple[Html, str]:
    """Bodies that an element acts on, and its kind with its values other than zero."""
    ends = [frame.get("body_name", "") for frame in said.get("frames", {}).values()]
    where = join([code(end) for end in (*ends, *said.get("joints", {}).values())], " – ")
    what = str(said.get("what", said.get("type", ""))).rstrip(".")
    values = []
    for name, one in said.get("parameters", {}).items():
        value = one.get("value")
        if said.get("key") == BEARING and isinstance(value, dict) and "words" in value:
            what = str(value["words"])  # the type of the bearing and its data
        elif value is not None and value not in (0.0, False, "", "none"):
            values.append(f"{name.replace('_', ' ')} {_value(value, str(one.get('unit', '')))}")
    return where, f"{what}; {', '.join(values)}" if values else what


def _value(value: Any, unit: str) -> str:
    if isinstance(value, dict) and "words" in value:
        return str(value["words"])
    if isinstance(value, dict):
        return function_words(value, unit)
    if isinstance(value, list):
        return (
            counted(len(value), "value")
            if len(value) > 3
            else f"({', '.join(number(x) for x in value)}) {unit}".strip()
        )
    if isinstance(value, (bool, str)):
        return str(value)
    return quantity(value, unit) if unit else number(value)


# ---- parts tables

# All parts of the model in tables: bodies, shafts and beams, joints.


def parts(model: dict[str, Any]) -> Html:
    """Bodies with mass and position, structures with their stations, joints with their bodies."""
    return join([part for part in (_bodies(model), _structures(model), _joints(model)) if part], "\n")


def _bodies(model: dict[str, Any]) -> Html:
    rows = []
    for name, body in model.get("bodies", {}).items():
        moments = _principal(body.get("inertia"))
        rows.append([code(name), quantity(body["mass"], "kg"), vector(body.get("position", ()), 4, 1e3), moments])
    heads = ["Body", "Mass", "Position x, y, z (mm)", "Principal moments of inertia (kg·m²)"]
    made = table(heads, rows, numbers=(1,), class_="small")
    return join([tag("h3", "Bodies"), made]) if rows else Html("")


STRUCTURES = (
    ("shafts", "shaft", "shafts"),
    ("beams", "beam", "beams"),
    ("flexible_bodies", "flexible body", "flexible bodies"),
    ("membranes", "membrane", "membranes"),
)
"""Sections of the model description with stations, and their names."""


def _structures(model: dict[str, Any]) -> Html:
    """One row for each structure, with its stations but without the nodes between them."""
    rows = []
    for section, one, _ in STRUCTURES:
        for name, said in model.get(section, {}).items():
            stations = said.get("stations", {})
            named = [s["station"] for s in stations.values() if not s["station"].startswith("node ")]
            places = said.get("places", {})
            where = ", ".join(
                f"{station} {1e3 * places[station]:.6g}" if station in places else station for station in named
            )
            rows.append([code(name), one, quantity(said.get("total_mass", 0.0), "kg"), str(len(stations)), where])
    heads = ["Structure", "Kind", "Mass", "Nodes", "Stations, positions along the axis (mm)"]
    made = table(heads, rows, numbers=(2, 3), class_="small")
    return join([tag("h3", "Shafts, beams, flexible bodies and membranes"), made]) if rows else Html("")


def _principal(inertia: Any) -> str:
    try:
        moments = np.linalg.eigvalsh(np.asarray(inertia, float))
    except (ValueError, TypeError, np.linalg.LinAlgError):
        return "–"
    top = float(np.max(np.abs(moments), initial=0.0))
    return ", ".join(number(0.0 if abs(m) < 1e-9 * top else m, 3) for m in moments)


def _joints(model: dict[str, Any]) -> Html:
    rows = []
    for name, joint in model.get("joints", {}).items():
        sides = [joint.get(side, {}).get("body_name", "") for side in ("frame_a", "frame_b")]
        more = ", ".join(
            f"{key} {quantity(joint[key], unit)}"
            for key, unit in (("pitch", "m/rad"), ("length", "m"))
            if joint.get(key) is not None
        )
        rows.append([code(name), joint.get("kind", "").replace("_", " "), code(sides[0]), code(sides[1]), more])
    if not any(row[-1] for row in rows):
        rows = [row[:-1] for row in rows]
    heads = ["Joint", "Kind", "Between", "and", ""][: len(rows[0]) if rows else 0]
    made = table(heads, rows, class_="small")
    return join([tag("h3", "Joints"), made]) if rows else Html("")


# ---- machine picture

# Pictures of the machine and of its mode shapes: the only place where the report chooses how they are drawn.

#: Mode shapes in one report.
MOST_SHAPES = 4


def machine_picture(data: ReportData, pictures: Pictures) -> Html:
    """A solid picture of the first state of a result, and the schematic; nothing if the model has no parts to draw."""
    model = data.model
    if not model.get("bodies") and not any(model.get(section) for section, _, _ in STRUCTURES):
        return Html("")
    words = f"schematic of the model {model.get('name', '')}"
    schematic = pictures.embed(
        plot_scheme(model, title=""), words, "Schematic of the model in its initial position, to scale.", half=True
    )
    return join([_solid(data, pictures), schematic], "\n")


def _solid(data: ReportData, pictures: Pictures) -> Html:
    from ..state_picture import is_shown_solid, plot_state

    if not is_shown_solid(data.model):  # the schematic shows it well
        return Html("")
    for name, result in data.records.items():
        if not result.samples or data.model_of(name) != data.model:
            continue
        try:
            figure = plot_state(result, float(result.time[0]), title="", width=6.0)
        except (PitchlineError, KeyError):  # a record with a choice of signals only, or parts without a shape
            continue
        return pictures.embed(figure, f"the machine {data.name}", "The machine.", half=True)
    return Html("")


def mode_shapes(found: Modes, pictures: Pictures) -> Html:
    """Pictures of the lowest mode shapes of a `Modes` result; nothing if it does not have the positions of the bodies."""
    if found.pose is None:
        return Html("")
    drawn = []
    for mode in _lowest(found):
        try:
            figure = found.plot_shape(mode, title="", width=4.2)
        except (PitchlineError, KeyError):  # parts without a shape
            break
        caption = f"Mode {mode}: {quantity(float(found.frequencies[mode - 1]), 'Hz')}, {found.kinds[mode - 1]}."
        drawn.append(pictures.embed(figure, f"shape of mode {mode}", caption))
    if not drawn:
        return Html("")
    return join([tag("h4", "Mode shapes"), tag("div", *drawn, class_="shapes")], "\n")


def _lowest(found: Modes) -> list[int]:
    """Numbers of the lowest modes that are not rigid-body motions; of equal frequencies the first."""
    f = found.frequencies
    kept = [i for i in range(found.rigid, len(found)) if i == found.rigid or abs(f[i] - f[i - 1]) > 1e-6 * f[i]]
    return [i + 1 for i in kept[:MOST_SHAPES]]


# ---- linear

# Modes, frequency responses, Campbell diagrams and other results with a picture of their own.

#: Rows of a table of modes or crossings.
MOST_ROWS = 60


def linear(name: str, found: Any, data: ReportData, pictures: Pictures) -> Html:
    """Picture and table of one result."""
    kind = type(found).__name__
    parts = [tag("h3", name if name != kind else _words(kind))]
    if isinstance(found, Modes):
        parts.append(tag("p", f"{counted(len(found), 'mode')}, {found.rigid} of them rigid-body motions; "
                              f"{'stable' if found.stable else 'unstable: a motion grows'}."))  # fmt: skip
    try:
        parts.append(pictures.embed(_drawn(found, data), f"{name}: {_words(kind)}"))
    except PitchlineError as error:
        parts.append(tag("p", f"No picture: {error}."))
    if isinstance(found, Modes):
        parts += [_modes(found), mode_shapes(found, pictures)]
    elif isinstance(found, Campbell):
        parts.append(_crossings(found))
    elif isinstance(found, FrequencyResponse):
        parts.append(_peaks(found))
    return join(parts, "\n")


def _drawn(found: Any, data: ReportData) -> Any:
    """The picture by its method, or by the function that draws results of its class."""
    if isinstance(found, OrderMap):
        return _order_map(found, data)
    return found.plot(title="") if hasattr(found, "plot") else plotter(type(found).__name__)(found, title="")


def _order_map(found: OrderMap, data: ReportData) -> Any:
    """The map with the orders of all meshes and the natural frequencies of the run that it comes from."""
    for run in data.records.values():
        orders = mesh_orders(run, found.angle)
        if orders:
            marked = named_orders(orders, float(found.order[-1]))
            return found.plot(title="", orders=marked, modes=natural_frequencies(data, run))
    return found.plot(title="")


def _words(kind: str) -> str:
    spaced = "".join(f" {c.lower()}" if c.isupper() else c for c in kind).strip()
    return {"campbell": "Campbell diagram", "floquet": "Floquet multipliers"}.get(spaced, spaced.capitalize())


def _modes(found: Modes) -> Html:
    rows = []
    f = found.frequencies
    for i in range(len(found)):
        if i and found.multiplicity[i] > 1 and abs(f[i] - f[i - 1]) <= 1e-6 * max(f[i], 1e-300):
            continue
        damping = percent(found.damping_ratios[i]) if i >= found.rigid else ""
        times = int(found.multiplicity[i])
        rows.append(
            [
                i + 1,
                quantity(f[i], "Hz", 5) if i >= found.rigid else "0",
                damping,
                times if times > 1 else "",
                found.kinds[i],
                found.descriptions[i],
            ]
        )
    heads = ["Mode", "Frequency", "Damping ratio", "Multiplicity", "Kind", "Motion"]
    return join([table(heads, rows[:MOST_ROWS], numbers=(0, 1, 2, 3), class_="small"), _rest(len(rows))])


def _crossings(found: Campbell) -> Html:
    rows = [
        [
            c.order,
            c.mode + 1,
            f"{number(c.speed * 30.0 / math.pi)} rpm",
            quantity(c.frequency, "Hz", 5),
        ]
        for c in found.crossings
    ]
    heads = ["Order", "Mode", "Speed", "Frequency"]
    return join([table(heads, rows[:MOST_ROWS], numbers=(1, 2, 3), class_="small"), _rest(len(rows))])


def _peaks(found: FrequencyResponse) -> Html:
    """Peaks of the magnitude within the range."""
    rows = []
    for i, output in enumerate(found.outputs):
        for j, given in enumerate(found.inputs):
            H, unit = found.magnitude(i, j), unit_text(found.unit(i, j))
            inner = np.flatnonzero((H[1:-1] > H[:-2]) & (H[1:-1] >= H[2:])) + 1
            for k in inner[np.argsort(-H[inner])][:5]:
                rows.append(
                    [code(given), code(output), quantity(found.frequency[k], "Hz", 5), f"{number(H[k])} {unit}"]
                )
    return join(
        [
            table(["Input", "Output", "Peak at", "Magnitude"], rows[:MOST_ROWS], numbers=(2, 3), class_="small"),
            _rest(len(rows)),
        ]
    )


def _rest(count: int) -> Html:
    left = count - MOST_ROWS
    return tag("p", f"{left} more rows are not shown.", class_="where") if left > 0 else Html("")


# ---- variants

# Differences between two descriptions of a model.

#: Differences shown; more of them are counted only.
MOST = 12

_DERIVED = {
    "inertia",
    "orientation",
    "position",
    "rotation",
    "frame_a",
    "frame_b",
    "psi_a",
    "psi_b",
    "point_b",
    "triad_b",
    "centre_distance",
}


def differences(first: dict[str, Any], second: dict[str, Any]) -> list[tuple[str, str, str]]:
    """(place, value in the first, value in the second), at most `MOST` and a last line with the number of others."""
    found: list[tuple[str, str, str]] = []
    _compare("", first, second, found)
    own = [one for one in found if not _follows(one[0])]
    found = own or found
    if len(found) > MOST:
        return [*found[:MOST], ("…", f"{len(found) - MOST} more", "")]
    return found


def _follows(place: str) -> bool:
    """Whether a place or a mass follows from another value, so that it is not a difference of its own."""
    keys = re.split(r"[.\[]", place)
    return bool(_DERIVED & set(keys)) or (keys[0] == "bodies" and keys[-1] == "mass")


def _same(a: Any, b: Any) -> bool:
    """Whether two values are equal within rounding."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_same, a, b))
    numbers = all(isinstance(item, (int, float)) and not isinstance(item, bool) for item in (a, b))
    return bool(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)) if numbers else bool(a == b)


def _compare(place: str, a: Any, b: Any, found: list[tuple[str, str, str]]) -> None:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*a, *(key for key in b if key not in a)]:
            where = f"{place}.{key}" if place else str(key)
            if key not in b or key not in a:
                found.append((where, "present" if key in a else "absent", "present" if key in b else "absent"))
            else:
                _compare(where, a[key], b[key], found)
    elif (
        isinstance(a, list)
        and isinstance(b, list)
        and len(a) == len(b)
        and any(isinstance(item, (dict, list)) for item in a)
    ):
        for i, (one, other) in enumerate(zip(a, b, strict=True)):
            _compare(f"{place}[{i}]", one, other, found)
    elif not _same(a, b):
        found.append((place, _short(a), _short(b)))


def _short(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, (int, float)):
        return number(value, 6)
    if isinstance(value, list):
        numbers = all(isinstance(item, (int, float)) for item in value) and len(value) <= 4
        return ", ".join(number(item) for item in value) if numbers else f"{len(value)} values"
    if isinstance(value, dict):
        return str(value.get("function") or value.get("type") or f"{len(value)} entries")
    text = str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


_GIVEN = {"position": {"angle": "rad", "displacement": "m"}, "speed": {"angle": "rad/s", "displacement": "m/s"}}
_EFFORT = {"angle": "N*m", "displacement": "N"}


def model_section(data: ReportData, pictures: Pictures) -> Html:
    """Picture, description, gear pairs, drives and loads, and how variants differ."""
    model = data.model
    if not model:
        words = "The results do not contain their model. Give the model to the report with model=."
        return tag("p", words) if data.results else Html("")
    parts = [
        machine_picture(data, pictures),
        tag("p", _words_model_words(model)),
        _pairs(model),
        _drives(model),
        _loads(model),
    ]
    alike: list[tuple[list[str], dict[str, Any]]] = []
    for name, other in data.variants.items():
        same = next((names for names, said in alike if said == other), None)
        if same is None:
            alike.append(([name], other))
        else:
            same.append(name)
    parts += [_variant(names, other, model) for names, other in alike]
    return join([part for part in parts if part], "\n")


def _words_model_words(model: dict[str, Any]) -> str:
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
