"""Rigid bodies without gears that belong to a gear unit: rotors on couplings, and carriers of planets."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from ...bearings.design import BearingDesign
from ...couplings import ElasticCoupling
from ...model import Model
from ...model.frames import Frame
from ...model.loads import Bushing
from ...model.station import Station

__all__ = ["rotor_frames"]


@dataclass(frozen=True)
class _RotorConnection:
    """Connection of two bodies: "coupled" (transmits torque) or "guided" (rotates about an axis)."""

    kind: str
    frames: tuple[Frame, Frame]

    def ends(self, name: str) -> tuple[Frame, str] | None:
        """Frame on a body, and the name of the other body; None if the body is not connected."""
        a, b = self.frames
        if a.body_name == name:
            return a, b.body_name
        return (b, a.body_name) if b.body_name == name else None


def rotor_frames(model: Model, written: Collection[str]) -> dict[str, Frame]:
    """Frames, with z along the axis, of bodies that are coupled to written bodies, or that carry them on an axis of the casing.

    written: names of bodies and stations in the document
    """
    links = _links(model)
    ground = model.ground.name
    found: dict[str, Frame] = {}
    searching = True
    while searching:
        searching = False
        for name, body in model.bodies.items():
            if isinstance(body, Station) or name in written or name in found:
                continue
            own = [(link.kind, *ends) for link in links if (ends := link.ends(name)) is not None]
            axes = [frame for kind, frame, other in own if kind == "guided" and other == ground]
            coupled = [
                frame for kind, frame, other in own if kind == "coupled" and (other in written or other in found)
            ]
            carries = any(kind == "guided" and other in written for kind, _, other in own)
            if coupled or (axes and carries):
                found[name] = (axes or coupled)[0]
                searching = True
    return found


def _links(model: Model) -> list[_RotorConnection]:
    found = []
    for element in model.elements.values():
        values = getattr(element, "values", {})
        design = values.get("design")
        if isinstance(design, (BearingDesign, ElasticCoupling)):
            kind = "coupled" if isinstance(design, ElasticCoupling) else "guided"
            found.append(_RotorConnection(kind, (values["a"], values["b"])))
    for load in model.loads.values():
        if isinstance(load, Bushing):
            stiffness = np.asarray(load.stiffness, dtype=float)
            if stiffness[(5,) * stiffness.ndim]:
                found.append(_RotorConnection("coupled", (load.frame_a, load.frame_b)))
    for joint in model.joints.values():
        if joint.kind in ("fixed", "revolute", "cylindrical"):
            kind = "coupled" if joint.kind == "fixed" else "guided"
            found.append(_RotorConnection(kind, (joint.frame_a, joint.frame_b)))
    return found
