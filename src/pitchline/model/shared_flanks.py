"""Wheels with elastic bodies in several gear pairs: what `Flank` cannot compute, and what it leaves out.

The elastic coordinates of `Flank` belong to a gear pair. A wheel in two of them would be two bodies: the forces of one mesh do not
deform the teeth of the other one, and every natural frequency of the body appears twice. A rigid body (only the flanks deform, as
half-spaces) has nothing to share.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitchline.declare.names import part_subject
from pitchline.declare.registry import Registry
from pitchline.errors import ModelError
from pitchline.parts.gears.part import Wheel
from pitchline.parts.meshes.laws.flank import Flank
from pitchline.parts.meshes.part import GearMesh

__all__ = ["shared_body_problem", "shared_body_warnings"]


def shared_body_problem(model: Registry, pair: GearMesh) -> ModelError | None:
    """Check that no wheel of a pair has an elastic body in this pair and also in another one."""
    for wheel, elastic in _flank_wheels(pair):
        for other in model.gear_pairs.values():
            if other.name == pair.name:
                continue
            for known, known_elastic in _flank_wheels(other):
                if known.name == wheel.name and (elastic or known_elastic):
                    return _shared(pair, other, wheel)
    return None


def shared_body_warnings(model: Registry) -> list[str]:
    """Warnings about wheels with an elastic body in one pair that other pairs load without deforming it."""
    notes = []
    for pair in model.gear_pairs.values():
        for wheel, elastic in _flank_wheels(pair):
            others = [
                f'"{other.name}" ({type(other.mesh).__name__})'
                for other in model.gear_pairs.values()
                if other is not pair and not isinstance(other.mesh, Flank)
                if wheel.name in (other.wheel_a.name, other.wheel_b.name)
            ]
            if elastic and others:
                notes.append(
                    f'gear pair "{pair.name}": wheel "{wheel.name}" is elastic only in this mesh; the forces of gear pair '
                    f"{' and '.join(others)} do not deform its body here. The error is a few percent of the deflection for a solid "
                    'wheel, and up to 100 % for a thin rim. Specify {"body": "rigid"} as its elements if its body is stiff'
                )
    return notes


def _flank_wheels(pair: GearMesh) -> Iterator[tuple[Wheel, bool]]:
    """The wheels of a pair with elastic flanks, and whether the body is elastic too."""
    if isinstance(pair.mesh, Flank):
        for wheel, elements in ((pair.wheel_a, pair.mesh.elements_a), (pair.wheel_b, pair.mesh.elements_b)):
            yield wheel, "body" not in elements


def _shared(pair: GearMesh, other: GearMesh, wheel: Wheel) -> ModelError:
    what = part_subject("gear pair", pair.name)
    option = "elements_a" if wheel is pair.wheel_a else "elements_b"
    other_option = "elements_a" if wheel.name == other.wheel_a.name else "elements_b"
    return ModelError(
        f'{what}: wheel "{wheel.name}" also has the mesh Flank in gear pair "{other.name}". Flank has one elastic body for each '
        "gear pair, so that the forces of one mesh would not deform the teeth of the other one, and the natural frequencies of the "
        "wheel would be counted twice. Use Loaded() or Elastic(...) in all but one of these pairs, or give the wheel a rigid body "
        f'in all of them: {option}={{"body": "rigid"}} here and {other_option} in "{other.name}"',
        about=what.at("mesh"),
    )
