"""Signals of a mesh after a stage, as in results of `pl.dynamics`: text."""

from __future__ import annotations

import numpy as np

from .mesh_text import MeshText
from .text import product, total

__all__ = ["advance", "apart", "may_have_none", "mesh_signal"]


def apart(text: MeshText) -> str:
    """1 if the teeth are not in contact, otherwise 0."""
    drive, coast = text.distances
    return f"1.0 if {drive} < 0.0 and {coast} < 0.0 else 0.0"


def advance(text: MeshText, of: str, *, rate: bool = False) -> str:
    """Approach u without errors, or its rate, from the variables `of` of the rotors."""
    origin = "" if rate else text.numbers.named(f"u{text.k}_0", text.mesh.origin)
    return total([*(product(lever, f"{of}{i}") for i, lever in text.levers.items()), origin], "0.0")


def may_have_none(text: MeshText) -> bool:
    """Whether a mesh has no backlash, in a lane at least. The text does not depend on the numbers of lanes."""
    backlash = text.numbers.of(text.mesh.backlash)
    return bool(np.ndim(backlash)) or bool(backlash <= 0.0)


def mesh_signal(text: MeshText, name: str) -> str:
    """A signal of a mesh, by its name."""
    k, length = text.k, repr(float(text.mesh.length))
    force = f"{1.0 / text.mesh.cos_alpha!r}*F{k}"
    u = advance(text, "y")
    if name == "signed_force":
        return force
    if name == "approach":
        return f"{length}*({u})"
    if name == "contact":
        by = f"F{k}" if not text.backlash and text.damper.by_force else f"g{k}"
        return f"(1.0 if {by} > 0.0 else 0.0) - (1.0 if {by} < 0.0 else 0.0)"
    drive = {"normal_force": force, "deflection": f"{length}*g{k}", "transmission_error": f"{length}*({u})"}[name]
    if not text.backlash:  # all samples refer to one flank, which the mean force determines after the run
        return drive
    coast = f"-{length}*({u} + {text.backlash})" if name == "transmission_error" else f"-{drive}"
    on_drive = f"g{k} > 0.0 or (g{k} == 0.0 and {u} + 0.5*{text.backlash} >= 0.0)"
    if may_have_none(text):
        on_drive = f"{text.backlash} <= 0.0 or {on_drive}"
    return f"({drive}) if {on_drive} else ({coast})"
