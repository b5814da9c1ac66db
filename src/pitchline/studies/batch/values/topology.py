"""Comparison of trains read at different points: their topology must agree, their numbers may differ."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace

import numpy as np

from ..lane_train import LaneMesh, LaneSpring, LaneTable, LaneTrain, LoadedTables

__all__ = ["described", "difference", "merged"]

SAME = 1e-11
"""Relative difference of tables that is rounding."""


def difference(one: LaneTrain, other: LaneTrain) -> str:
    """What differs between the topologies of two trains, as a text; empty if they agree."""
    if [r.name for r in one.rotors] != [r.name for r in other.rotors]:
        return f"the number of bodies that rotate ({len(one.rotors)} and {len(other.rotors)})"
    for a, b in zip(one.rotors, other.rotors, strict=True):
        if a.held != b.held:
            return f'whether "{a.name}" is driven'
        if not np.isclose(a.speed, b.speed, rtol=1e-9, atol=1e-12):
            words = "the direction of rotation" if np.isclose(a.speed, -b.speed, rtol=1e-9) else "the ratio of speeds"
            return f'{words} of "{a.name}"'
    if [m.name for m in one.meshes] != [m.name for m in other.meshes]:
        return "the list of gear pairs"
    for a_mesh, b_mesh in zip(one.meshes, other.meshes, strict=True):
        found = _of_meshes(a_mesh, b_mesh)
        if found:
            return f'{found} of gear pair "{a_mesh.name}"'
    for a_spring, b_spring in zip(one.springs, other.springs, strict=False):
        if a_spring != b_spring:
            return f'the attachment of spring "{a_spring.name}"'
    if len(one.springs) != len(other.springs):
        return "the list of springs (those without stiffness and damping are left out)"
    return ""


def _of_meshes(a: LaneMesh, b: LaneMesh) -> str:
    for name, words in (
        ("damping_mode", "the action of the damper"),
        ("damping_rate", "the rate on which the damper acts"),
        ("consistent", "energy_consistent"),
        ("levers", "the attachment"),
    ):
        if getattr(a, name) != getattr(b, name):
            return words
    if bool(a.smoothing) != bool(b.smoothing):
        return "the smoothing (zero at some points)"
    if bool(a.compliance) != bool(b.compliance):
        return "the number of springs in series"
    if len(a.phases) != len(b.phases):
        return "what varies over the rotation"
    for p, q in zip(a.phases, b.phases, strict=True):
        if p.teeth != q.teeth or not np.isclose(p.order, q.order, rtol=1e-9, atol=1e-12):
            return "the number of teeth or the ratio of speeds"
    if not np.allclose((a.cos_alpha, a.length), (b.cos_alpha, b.length), rtol=1e-12, atol=0.0):
        return "the working pressure angle"
    for name, words in (("stiffness", "the stiffness"), ("errors", "the errors")):
        mine, others = getattr(a, name), getattr(b, name)
        if len(mine) != len(others) or not all(_same_term(s, t) for s, t in zip(mine, others, strict=True)):
            return f"the number of harmonics, or the shape of a table, of {words}"
    if (a.loaded is None) != (b.loaded is None) or (a.loaded and b.loaded and not _same_arrays(a.loaded, b.loaded)):
        return "the table of the loaded teeth"
    return ""


def _same_term(a: object, b: object) -> bool:
    if isinstance(a, LaneTable) and isinstance(b, LaneTable):
        return _is_zero(a) or _is_zero(b) or _same_arrays(a, b)
    return a == b


def _is_zero(table: LaneTable) -> bool:
    return not np.any(table.coefficients)


def _same_arrays(a: LaneTable | LoadedTables, b: LaneTable | LoadedTables) -> bool:
    for field in fields(a):
        x, y = getattr(a, field.name), getattr(b, field.name)
        if isinstance(x, np.ndarray):
            if x.shape != y.shape or np.any(np.abs(x - y) > SAME * np.abs(x).max()):
                return False
        elif x != y:
            return False
    return True


def merged(one: LaneTrain, other: LaneTrain) -> LaneTrain:
    """The first train with optional numbers and tables that only the other one has."""
    rotors = tuple(
        replace(a, torque_rate=a.torque_rate or b.torque_rate) for a, b in zip(one.rotors, other.rotors, strict=True)
    )
    meshes = tuple(_with_tables(a, b) for a, b in zip(one.meshes, other.meshes, strict=True))
    return replace(one, rotors=rotors, meshes=meshes, acceleration=one.acceleration or other.acceleration)


def _with_tables(a: LaneMesh, b: LaneMesh) -> LaneMesh:
    """Tables of a, or those of b where the ones of a are zero."""
    parts = {
        name: tuple(
            t if isinstance(s, LaneTable) and _is_zero(s) else s
            for s, t in zip(getattr(a, name), getattr(b, name), strict=True)
        )
        for name in ("stiffness", "errors")
    }
    return replace(a, **parts)  # type: ignore[arg-type]


def described(train: LaneTrain, name: str) -> str:
    """Description of a number of a train."""
    for rotor in train.rotors:
        for field, words in (("inertia", "inertia"), ("torque", "load"), ("torque_rate", "rate of the load")):
            if getattr(rotor, field) == name:
                return f'the {words} of "{rotor.name}"'
    parts: list[LaneMesh | LaneSpring] = [*train.meshes, *train.springs]
    for part in parts:
        if name in _names(part):
            return f'a number of "{part.name}"'
    return "the speed" if name == train.omega else "a number of the model"


def _names(part: object) -> set[str]:
    """All texts in a part."""
    if isinstance(part, str):
        return {part}
    if isinstance(part, dict):
        return set().union(*(_names(v) for v in part.values())) if part else set()
    if isinstance(part, tuple):
        return set().union(*(_names(v) for v in part)) if part else set()
    if is_dataclass(part):
        return set().union(*(_names(getattr(part, f.name)) for f in fields(part)))
    return set()
