"""Masses of a model: on each body, and in total."""

from __future__ import annotations

import numpy as np

from ..solids.mass_properties import MassProperties
from .body import Body
from .frames import Frame
from .registry import Registry
from .structure import NodeShare

__all__ = ["masses_of_elements", "mean_place", "seated_wheels", "shares_of_structures", "total_mass"]


def seated_wheels(model: Registry) -> dict[str, MassProperties]:
    """Mass of the wheels on each body that have their own mass (see `Wheel.solid`), in body axes. Other bodies are omitted."""
    found: dict[str, MassProperties] = {}
    for wheel in model.wheels.values():
        if wheel.solid is not None:
            _add(found, wheel.frame, wheel.solid)
    return found


def masses_of_elements(model: Registry) -> dict[str, MassProperties]:
    """Mass that elements add to each body, in body axes. Bodies without added mass are omitted."""
    found: dict[str, MassProperties] = {}
    for element in model.elements.values():
        solid = element.added_mass()
        if solid is not None:
            (frame,) = element.frames.values()
            _add(found, frame, solid)
    return found


def shares_of_structures(model: Registry) -> dict[str, NodeShare]:
    """Fraction of the inertia of structures that acts on each body. Bodies that are not part of a structure are omitted."""
    found: dict[str, NodeShare] = {}
    for structure in model.structures.values():
        for name, share in structure.shares.items():
            known = found.get(name)
            found[name] = share if known is None else NodeShare(known.mass + share.mass, known.inertia + share.inertia)
    return found


def total_mass(model: Registry) -> float:
    """Total mass of bodies, wheels, structures and elements [kg]."""
    return (
        sum(body.mass for body in model.bodies.values())
        + sum(solid.mass for found in (seated_wheels(model), masses_of_elements(model)) for solid in found.values())
        + sum(structure.solid.mass for structure in model.structures.values())
    )


def mean_place(model: Registry) -> np.ndarray:
    """Centre of mass of the model in the initial pose, world axes (3,) [m]; the origin if the model has no mass."""
    moment, mass = np.zeros(3), 0.0
    parts: list[tuple[float, np.ndarray]] = [(b.mass, b.to_world(b.centre_of_mass)) for b in model.bodies.values()]
    for added in (seated_wheels(model), masses_of_elements(model)):
        parts += [(solid.mass, _placed(model.bodies.get(name), solid.centre_of_mass)) for name, solid in added.items()]
    parts += [(structure.solid.mass, structure.solid.centre_of_mass) for structure in model.structures.values()]
    for m, x in parts:
        moment, mass = moment + m * x, mass + m
    return moment / mass if mass > 0.0 else moment


def _placed(body: Body | None, point: np.ndarray) -> np.ndarray:
    return point if body is None else body.to_world(point)


def _add(found: dict[str, MassProperties], frame: Frame, solid: MassProperties) -> None:
    part = solid.turned(frame.rotation).moved(frame.position)
    known = found.get(frame.body_name)
    found[frame.body_name] = part if known is None else known + part
