"""Warnings about rings of membranes whose diameters are probably radii."""

from __future__ import annotations

from collections.abc import Iterator

from ..gears.gear import Gear
from ..gears.inputs import in_mm
from .body import Body
from .membrane import Membrane
from .registry import Registry
from .shaft import Shaft
from .station import Station

__all__ = ["ring_warnings"]

_CLOSE = 0.02
"""Relative difference up to which a circle of a ring is that of a body."""


def ring_warnings(model: Registry) -> list[str]:
    """Warn where a circle of `MembraneMesh.ring` has half the diameter of a shape of the body it is fixed to."""
    found = []
    for web in model.structures.values():
        if not isinstance(web, Membrane) or web.mesh.shape != "ring":
            continue
        for group in ("inner", "outer"):
            diameter = float(web.mesh.given[group])
            frames = {web.attached[i].body_name: web.attached[i] for i in web.mesh.groups[group] if i in web.attached}
            for name, frame in frames.items():
                radii = [r for r in _radii(model, name, frame.owner) if r > 0.0]
                half = [r for r in radii if abs(diameter - r) <= _CLOSE * r]
                if half and not any(abs(diameter - 2.0 * r) <= 2.0 * _CLOSE * r for r in radii):
                    found.append(
                        f'{web.subject}: its {group} circle has the diameter {in_mm(diameter)}, half of that of "{name}" '
                        f"({in_mm(2.0 * half[0])}) to which it is fixed. MembraneMesh.ring takes diameters; solids such as "
                        "cylinder take radii"
                    )
    return found


def _radii(model: Registry, name: str, body: Body | None) -> Iterator[float]:
    """Radii of the shapes of a body, of the wheels on it, and of a shaft at a station."""
    look = model._looks.get(name)
    for piece in () if look is None or look.shape is None else look.shape.pieces:
        for key in ("radius", "inner", "end_radius"):
            yield float(piece.sizes.get(key, 0.0))
    for wheel in model.wheels.values():
        gear = wheel.gear
        if wheel.body_name == name and isinstance(gear, Gear):
            for diameter in (gear.bore, gear.rim_diameter, gear.root_diameter, gear.tip_diameter):
                yield 0.5 * (diameter or 0.0)
            if gear.body.has_web:
                yield 0.5 * gear.inside_of_rim
                yield 0.5 * (gear.body.hub_diameter or 0.0)
    if isinstance(body, Station):
        shaft = model.structures[body.structure]
        if isinstance(shaft, Shaft):
            place = next(node.place for node in shaft.nodes if node.body is body)
            yield 0.5 * shaft.outer_at(place)
