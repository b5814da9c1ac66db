"""Description of a mode as text: type of motion, bodies with most motion, meshes with most strain energy."""

from __future__ import annotations

import numpy as np

from ..model import Model
from ..model.loads import Bushing
from ..model.station import Station
from ..model.wheels import Wheel
from ..system.system import System

NOTHING = 1e-6
"""Fraction of the kinetic energy that counts as zero."""
MOSTLY = 0.9
ELASTIC = "elastic"
"""Type of a mode in which internal coordinates of elements move most."""
HINGES = ("revolute", "cylindrical", "screw")


def own_axes(model: Model) -> dict[str, np.ndarray]:
    """Rotation axis of a body in body axes: that of its first wheel, else revolute joint, else bushing; in a planar "
    "model the normal."""
    axes: dict[str, np.ndarray] = {}
    if model.plane is not None:
        return {name: body.orientation.T @ model.plane.normal for name, body in model.bodies.items()}
    for wheel in _wheels(model):
        if not wheel.is_rack:
            axes.setdefault(wheel.body_name, wheel.frame.rotation[:, 2])
    for joint in model.joints.values():
        if joint.kind in HINGES:
            for frame in (joint.frame_b, joint.frame_a):
                axes.setdefault(frame.body_name, frame.rotation[:, 2])
    for load in model.loads.values():
        if isinstance(load, Bushing):
            for frame in (load.frame_b, load.frame_a):
                axes.setdefault(frame.body_name, frame.rotation[:, 2])
    for body in model.bodies.values():
        if isinstance(body, Station):
            axes.setdefault(body.name, np.array([0.0, 0.0, 1.0]))
    return axes


def _wheels(model: Model) -> list[Wheel]:
    """Those in mesh, then those that are not."""
    return [w for pair in model.gear_pairs.values() for w in (pair.wheel_a, pair.wheel_b)] + list(model.wheels.values())


def planets(model: Model) -> set[str]:
    """Wheels of which two or more equal ones are on another moving body."""
    wheels = {wheel.body_name for wheel in _wheels(model)}
    riders: dict[str, set[str]] = {}
    held = [(j.frame_a.body_name, j.frame_b.body_name) for j in model.joints.values()]
    held += [(b.frame_a.body_name, b.frame_b.body_name) for b in model.loads.values() if isinstance(b, Bushing)]
    meshing = {frozenset((p.wheel_a.body_name, p.wheel_b.body_name)) for p in model.gear_pairs.values()}
    ground = model.ground.name
    on_ground = {b for pair in held if ground in pair for b in pair}
    for a, b in held:
        for rider, carrier in ((a, b), (b, a)):
            if rider in wheels and rider not in on_ground and carrier != ground and frozenset((a, b)) not in meshing:
                riders.setdefault(carrier, set()).add(rider)
    return {name for group in riders.values() if len(group) > 1 for name in group}


def kind_of(kinetic: np.ndarray, is_planet: np.ndarray) -> str:
    """Name of a mode from the shares (bodies, 3) of its kinetic energy."""
    central = kinetic[~is_planet].sum(axis=0)
    if is_planet.any():
        if central.sum() < NOTHING:
            return "planet"
        if central[0] + central[2] < NOTHING * central.sum():
            return "rotational"
        if central[1] < NOTHING * central.sum():
            return "translational" if central[0] >= central[2] else "tilting"
        return "mixed"
    for share, name in zip(kinetic.sum(axis=0), ("translational", "torsional", "tilting"), strict=True):
        if share > MOSTLY:
            return name
    return "mixed"


def own_words(system: System) -> dict[str, str]:
    """Description of the internal coordinates of elements, by element and coordinate."""
    return {
        f"{system.elements[g.element].name}.{g.what.name}": f"{g.what.description} of {system.elements[g.element].name}"
        for g in system.own.open
    }


def description(kind: str, kinetic: dict[str, float], strain: dict[str, float]) -> str:
    """Describe a mode in one line: type, bodies with most kinetic energy, elements with most strain energy."""
    moving = _leading(kinetic)
    strained = _leading(strain)
    parts = [kind, f"moves {moving}" if moving else "", f"strains {strained}" if strained else ""]
    return "; ".join(part for part in parts if part)


def _leading(shares: dict[str, float], most: int = 3) -> str:
    """The largest shares, until most of the whole is named."""
    found: list[str] = []
    total = 0.0
    for name, share in sorted(shares.items(), key=lambda item: -item[1]):
        if len(found) == most or total > MOSTLY or share < 0.05:
            break
        found.append(f"{name} {100 * share:.0f} %")
        total += share
    return ", ".join(found)
