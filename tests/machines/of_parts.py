"""Invariances of the description: names, order, roles of the ends, halves, files."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from machines import pairs
from machines.cases import ANALYSES, Case, Skip, Violation, attempt
from machines.machine import Machine, Part
from machines.values import SAME, Arrow, Call, Change, Name, Number, Tensor, Text

import pitchline as pl

TWO_ENDED = {
    "revolute", "prismatic", "cylindrical", "screw", "spherical", "universal", "planar", "fixed", "distance", "spring",
    "string", "belt_drive", "chain_drive", "gear_pair", "plane_on_plane", "parallel_axes",
}  # fmt: skip
"""Parts whose ends a and b change places without another effect."""
ROLES = {
    "bushing": "its axes are those of the first frame", "coupling": "its axes are those of the first frame",
    "bearing": "inner and outer ring", "cam": "cam and follower", "point_on_line": "line and point",
    "point_on_plane": "plane and point", "ratio": "input and output",
}  # fmt: skip
"""Parts whose ends have different roles, and why."""
_ENDS = (("a", "b"), ("at_a", "at_b"), ("radius_a", "radius_b"), ("teeth_a", "teeth_b"), ("phase_a", "phase_b"))


def renamed(case: Case) -> None:
    """All parts with other names, which sort otherwise."""
    names = [part.name for part in case.machine.parts]
    new = {name: f"{'zyx'[i % 3]}{i}" for i, name in enumerate(names)}

    def rename(name: str) -> str:
        base, _, rest = name.partition(" ")
        if name in new:
            return new[name]
        longest = max((part for part in names if name.startswith(part + " ")), key=len, default=None)
        return new[longest] + name[len(longest) :] if longest is not None else f"{base} {rest}".strip()

    case.agree(case.machine, Change(names=rename))


def reordered(case: Case) -> None:
    """Parts in another order, as far as they do not refer to each other."""
    left, parts = list(case.machine.parts), []
    names = {part.name for part in left}
    while left:
        ready = [p for p in left if not (p.refers & names & {other.name for other in left})]
        if any(p.maker != "gear_pair" for p in ready):  # wheels on one axis need the joints of their bodies
            ready = [p for p in ready if p.maker != "gear_pair"]
        part = ready[int(case.rng.integers(len(ready)))]
        parts.append(part)
        left.remove(part)
    case.agree(case.machine.with_parts(parts))


def roles_exchanged(case: Case) -> None:
    """a and b exchanged in every part that joins two."""
    parts = [_exchanged(part, case.model) if part.maker in TWO_ENDED else part for part in case.machine.parts]
    parts = [pairs.with_speed_of_first(part, case.model) if part.maker == "gear_pair" else part for part in parts]
    if parts == list(case.machine.parts):
        raise Skip("no part with two ends")
    for analysis in ("motion", "statics"):
        result = case.result(analysis)
        if result.refusal is None and pairs.lean(case.model, result.value):
            raise Skip("gears that lean have the tooth force of the first gear")
    signals = (".force", ".moment", ".deflection", ".rotation", ".sliding", ".a.", ".b.", "_a", "_b")
    joints = {p.name for p in case.machine.parts if p.maker in TWO_ENDED and p.maker != "gear_pair"}
    left = [f"{name}{signal}" for name in joints for signal in signals]
    names: dict[str, str] = {}
    for belt in case.machine.of("belt_drive", "chain_drive"):
        strands = ("tension_1", "tension_1") if belt.given.get("crossed") else ("tension_1", "tension_2")
        for one, two in (("angle_a", "angle_b"), strands):
            names |= {f"{belt.name}.{one}": f"{belt.name}.{two}", f"{belt.name}.{two}": f"{belt.name}.{one}"}
        left += [f"{belt.name}.{signal}" for signal in ("transmitted_force", "slip", "slip_speed", "friction_use")]
    for pair in case.machine.of("gear_pair"):
        there, other = pairs.names_exchanged(pair.name, case.model)
        names |= there
        left += other
    case.agree(case.machine.with_parts(parts), without=left, names=names)


def _phases(part: Part, model: pl.Model) -> dict[str, Number]:
    """Positions of the teeth of a chain drive at the start of its other strand, which is the first one if a and b are exchanged."""
    given = part.given
    at = [np.asarray(given[f"at_{end}"].value if f"at_{end}" in given else model.bodies[given[end].value].position)
          for end in "ab"]  # fmt: skip
    axis = np.asarray(given["axis"].value) if "axis" in given else np.array([0.0, 0.0, 1.0])
    distance = float(np.linalg.norm(np.cross(at[1] - at[0], axis)) / np.linalg.norm(axis))
    radii = [given["pitch"].value / (2.0 * np.sin(np.pi / given[f"teeth_{end}"])) for end in "ab"]
    beta = np.arcsin((radii[0] - radii[1]) / distance)
    # the chain leaves the other side of each sprocket: the arcs there are pi + 2 beta of a, pi - 2 beta of b
    phase_a, phase_b = (given[f"phase_{end}"].value if f"phase_{end}" in given else 0.0 for end in "ab")
    return {
        "phase_a": Number(phase_b + (np.pi - 2.0 * beta) * given["teeth_b"] / (2.0 * np.pi)),
        "phase_b": Number(phase_a - (np.pi + 2.0 * beta) * given["teeth_a"] / (2.0 * np.pi)),
    }


def _exchanged(part: Part, model: pl.Model) -> Part:
    given = dict(part.given)
    for a, b in _ENDS:
        if a in given or b in given:
            pair = {key: given.pop(key) for key in (a, b) if key in given}
            given |= {{a: b, b: a}[key]: value for key, value in pair.items()}
    axis = given.get("axis")
    if part.maker == "universal":
        given["axis"], given["axis_b"] = given["axis_b"], given["axis"]
    elif isinstance(axis, Arrow) and part.maker not in ("belt_drive", "chain_drive"):
        given["axis"] = replace(axis, value=tuple(-np.asarray(axis.value)))  # the coordinate keeps its sign
    elif axis is None and part.maker in ("revolute", "prismatic", "cylindrical", "screw", "planar"):
        return part
    if given.get("polygon"):
        given |= _phases(part, model)
    if "mesh" in given:
        given["mesh"] = pairs.exchanged(given["mesh"], rack="rack" in part.name)
    return replace(part, given=given)


_HALF = {
    "spring": ("stiffness", "damping", "table"), "string": ("stiffness", "damping"), "bushing": ("stiffness", "damping"),
    "torsion_spring": ("stiffness", "damping"), "force": ("value",), "torque": ("value",),
    "fan_load": ("rated_torque", "constant_torque"), "speed_load": ("torques",), "motor_map": ("torques", "zero_torques"),
    "kloss_motor": ("breakdown_torque", "inertia"), "propeller": ("thrust_coefficients", "torque_coefficients"),
    "attached_mass": ("mass", "inertia"),
}  # fmt: skip
"""Parts of which two with half of these values act as one."""


def halved(case: Case) -> None:
    """Springs, loads and masses as two halves side by side."""
    parts: list[Part] = []
    for part in case.machine.parts:
        if part.maker not in _HALF or not any(key in part.given for key in _HALF[part.maker]):
            parts.append(part)
            continue
        given = {key: half_of(value) if key in _HALF[part.maker] else value for key, value in part.given.items()}
        parts += [replace(part, given=given), replace(part, name=f"{part.name} again", given=given)]
    if len(parts) == len(case.machine.parts):
        raise Skip("no part that has halves")
    case.agree(case.machine.with_parts(parts), without=_signals_of_halves(case.machine))


def _signals_of_halves(machine: Machine) -> tuple[str, ...]:
    return tuple(f"{part.name}." for part in machine.parts if part.maker in _HALF)


def half_of(value: Any) -> Any:
    """A value, or a function of time, times 0.5."""
    from machines.values import Along, scaled

    if isinstance(value, Along):
        return replace(value, arrow=half_of(value.arrow))
    if isinstance(value, Call):
        if value.maker == "pl.expression":
            return replace(value, places=tuple(Text(f"0.5*({place.value})") for place in value.places))
        if value.maker in ("pl.Sum", "pl.Polynomial"):
            return replace(value, places=tuple(half_of(item) for item in value.places))
        sizes = ("amplitude", "offset", "start", "end", "values", "mean", "cos", "sin")
        return replace(value, given={k: half_of(v) if k in sizes else v for k, v in value.given.items()})
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(item, Number) for item in value):
        return (value[0], half_of(value[1]))  # a table: displacements stay
    if isinstance(value, (list, tuple)):
        return type(value)(half_of(item) for item in value)
    if hasattr(value, "value") and value.value is not None:
        inner = value.value
        half = tuple(map(tuple, 0.5 * np.asarray(inner))) if np.ndim(inner) == 2 else scaled(inner, 0.5)
        return replace(value, value=half)
    return value * 0.5 if isinstance(value, float) else value


def two_bodies(case: Case) -> None:
    """Each body as two halves, fixed on each other."""
    parts: list[Part] = []
    for part in case.machine.parts:
        if part.maker != "body" or "mass" not in part.given or "orientation" not in part.given:
            parts.append(part)
            continue
        given = dict(part.given)
        mass, inertia = given["mass"], given["inertia"]
        assert isinstance(inertia, Tensor)
        half = tuple(map(tuple, 0.5 * np.asarray(inertia.value)))
        given |= {"mass": Number(0.5 * mass.value, "kg"), "inertia": Tensor(half)}
        name = f"half of {part.name}"
        parts += [replace(part, given=given), Part("body", name, given)]
        parts.append(Part("fixed", f"{name} fixed", {"a": Name(part.name), "b": Name(name)}))
    if len(parts) == len(case.machine.parts):
        raise Skip("no body with its own mass")
    other = case.machine.with_parts(parts)
    try:
        case.agree(other, analyses=("statics",), relative=1e-5)
    except Skip:  # there is no equilibrium
        pass
    except (
        Violation
    ) as violation:  # the search for an equilibrium has another way, and may end without one, with this name
        if "found no equilibrium" not in str(violation):
            raise
    case.converges(other, signals=(".position", ".velocity", ".angle", ".displacement"))


def cut_sections(case: Case) -> None:
    """Each section of a shaft as two sections: the elements and their nodes are the same."""
    parts = [_cut(part) if part.maker == "shaft" else part for part in case.machine.parts]
    if parts == list(case.machine.parts):
        raise Skip("no shaft with sections that can be cut")
    case.agree(case.machine.with_parts(parts), analyses=("statics", "modes"))


def _cut(part: Part) -> Part:
    sections: list[Any] = []
    for section in part.given.get("sections", ()):
        if not isinstance(section, Call) or set(section.given) & {"outer_end", "inner_end"}:
            sections.append(section)
            continue
        length = section.given.get("length")
        if not isinstance(length, Number):
            sections.append(section)
            continue
        for share in (0.375, 0.625):
            piece = replace(length, value=share * length.value)
            sections.append(replace(section, given={**section.given, "length": piece}))
    return replace(part, given={**part.given, "sections": sections})


def read_back(case: Case) -> None:
    """Written to a model file and read again."""
    model = case.model
    written = attempt(model.to_toml)
    if written.refusal is not None:
        raise Skip(f"not written: {written.refusal}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "machine.toml"
        path.write_text(written.value, encoding="utf-8")
        again = attempt(lambda: pl.load(path).model)
    if again.refusal is not None:
        raise Violation(f"file refused: {again.refusal}")
    if again.value.describe() != model.describe():
        raise Violation("description of the model read back differs")
    if again.value.to_toml() != written.value:
        raise Violation("text of the model read back differs")
    base = case.result("motion")
    there = attempt(lambda: ANALYSES["motion"](again.value, case.machine, SAME))
    if base.refusal is not None:
        if str(there.refusal) != str(base.refusal):
            raise Violation(f"motion of the model read back: {there.refusal}, not {base.refusal}")
        return
    if there.refusal is not None:
        raise Violation(f"motion refused: {there.refusal}")
    for name, signal in base.value.signals.items():
        if not np.array_equal(signal.values, there.value.signals[name].values, equal_nan=True):
            if _order(model) != _order(again.value):  # sections of a file bring parts into another order
                case.agree(case.machine, analyses=("motion",), model=again.value)
                return
            raise Violation(f"motion: {name} of the model read back is not the same to the last bit")


def _order(model: pl.Model) -> list[list[str]]:
    """Names of the parts in their order."""
    return [list(getattr(model, key)) for key in ("bodies", "joints", "gear_pairs", "loads", "elements")]
