"""Shafts and beams made again from the description of a model, as stored in a result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pitchline.declare.names import GROUND_NAME, Frame
from pitchline.errors import ModelError, near_names, shown
from pitchline.parts.bodies.part import Body
from pitchline.parts.gears.geometry.inputs import Material
from pitchline.parts.shafts.beam import Beam, BeamDamping, BeamLine
from pitchline.parts.shafts.line_inputs import between_ends
from pitchline.parts.shafts.part import Shaft
from pitchline.parts.shafts.sections import BeamSection, ShaftSection

__all__ = ["described_line", "described_lines"]


_SAME = ("name", "elements", "frequency", "mass", "velocity", "angular_velocity")
_SECTIONS: dict[str, Callable[..., BeamSection]] = {
    "circle": BeamSection.circle,
    "tube": BeamSection.tube,
    "rectangle": BeamSection.rectangle,
    "properties": BeamSection.from_properties,
    "matrices": BeamSection,
}


def described_lines(model: Mapping[str, Any]) -> list[str]:
    """Names of the shafts and beams of a described model."""
    return [*model.get("shafts", {}), *model.get("beams", {})]


def described_line(model: Mapping[str, Any], name: object) -> BeamLine:
    """Make a shaft or beam of a described model again."""
    if isinstance(name, str) and name in model.get("shafts", {}):
        return _shaft(model["shafts"][name])
    if isinstance(name, str) and name in model.get("beams", {}):
        return _beam(model["beams"][name], model)
    known = described_lines(model)
    if not known:
        raise ModelError(f"no shaft {shown(name)}: the model has no shafts and no beams")
    raise ModelError(f"no shaft or beam {shown(name)}; {near_names(str(name), known)}")


def _shaft(said: Mapping[str, Any]) -> Shaft:
    return Shaft(
        sections=[_shaft_section(section) for section in said["sections"]],
        material=_material(said["material"]),
        position=said["position"],
        orientation=said["orientation"],
        stations=between_ends(said["places"]),
        hubs=said["hubs"],
        step_angle=said["step_angle"],
        damping=_damping(said["damping"]),
        speed=said["speed"],
        **{key: said[key] for key in _SAME},
    )


def _beam(said: Mapping[str, Any], model: Mapping[str, Any]) -> Beam:
    return Beam(
        a=_end(said["a"], model),
        b=_end(said["b"], model),
        section=_beam_section(said["section"]),
        stations=between_ends(said["places"]),
        damping=_damping(said["damping"]),
        **{key: said[key] for key in (*_SAME, "points", "tangent", "end_tangent", "up")},
    )


def _end(said: Any, model: Mapping[str, Any]) -> Frame | np.ndarray:
    if not isinstance(said, Mapping):
        return np.asarray(said, float)
    name = said["body_name"]
    owner = _body(name, model)
    return Frame(name, said["position"], said["rotation"], said["name"], owner=owner)


def _body(name: str, model: Mapping[str, Any]) -> Body:
    """Body with pose and motion only."""
    if name == GROUND_NAME:
        return Body("the ground", 0.0, (0.0, 0.0, 0.0))
    known = model.get("bodies", {}).get(name)
    if known is None:
        known = next(
            s["stations"][name] for kind in _STRUCTURES for s in model.get(kind, {}).values() if name in s["stations"]
        )
    return Body(name, 0.0, (0.0, 0.0, 0.0), position=known["position"], orientation=known["orientation"])


_STRUCTURES = ("shafts", "beams", "flexible_bodies", "membranes")


def _material(said: Mapping[str, Any]) -> Material:
    return Material(**{key: value for key, value in said.items() if key != "type"})


def _damping(said: Mapping[str, Any]) -> BeamDamping:
    return BeamDamping(**{key: value for key, value in said.items() if key != "type"})


def _shaft_section(said: Mapping[str, Any]) -> ShaftSection:
    values = {key: value for key, value in said.items() if key not in ("type", "material")}
    return ShaftSection(**values, material=None if said["material"] is None else _material(said["material"]))


def _beam_section(said: Mapping[str, Any]) -> BeamSection:
    given: dict[str, Any] = {
        key: _material(value) if key == "material" else value for key, value in said["given"].items()
    }
    if said["shape"] == "properties" and not np.any(given["bending_moduli"]):
        del given["bending_moduli"]
    return _SECTIONS[said["shape"]](**given)
