"""Contact pressure on the flanks of gears in a picture of a machine.

A loaded contact is painted as its pattern: the largest pressure over the mesh cycle, on all teeth of both gears. The contact
itself is a band of some tenths of a millimetre, which nobody would see. A flank contact is painted at the positions of its
patches, on the first gear.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pitchline.errors import PitchlineError, near_names, shown
from pitchline.files.triangles import FloatArray, IntArray, Triangles
from pitchline.model.described_gears import gear_of
from pitchline.results.flank_contact import FlankContact
from pitchline.results.loaded_contact import LoadedContact
from pitchline.viewer.scene.contact_tables import pressure_table
from pitchline.views.machine.deflection import Pose
from pitchline.views.machine.scene_arrays import SceneArrays
from pitchline.views.machine.solid_parts import SolidPart
from pitchline.views.machine.state_source import MachineState

__all__ = ["PressurePatch", "contacts_by_pair", "pressure_patches"]

Contact = LoadedContact | FlankContact
PressurePatch = tuple[Triangles, FloatArray]
"""Surface on a flank in the world, and pressures at its points [Pa]."""

_LIFT = 0.015
"""Distance from the flank at which a patch is drawn, in modules."""
_ALONG, _ACROSS = 25, 33
"""Points of a pattern along the profile and the face."""


def contacts_by_pair(state: MachineState, contact: object) -> dict[str, Contact]:
    """Return contact analyses by the names of gear pairs, from one analysis or a mapping."""
    pairs = state.model.get("gear_pairs", {})
    if isinstance(contact, (LoadedContact, FlankContact)):
        fitting = [name for name in pairs if _fits(state.model, pairs[name], contact)]
        if len(fitting) != 1:
            which = ", ".join(fitting) if fitting else "none"
            raise PitchlineError(
                f"picture: contact belongs to one gear pair, but its gears fit {which} of the gear pairs of the model. Specify "
                'contact={"pair name": analysis}'
            )
        return {fitting[0]: contact}
    if not isinstance(contact, Mapping) or not contact:
        raise PitchlineError(
            f"picture: contact must be a result of loaded_contact or flank_contact, or a dict of them by pair, got {shown(contact)}"
        )
    for name, found in contact.items():
        if name not in pairs:
            raise PitchlineError(
                f"picture: contact: there is no gear pair {shown(name)}; {near_names(str(name), list(pairs))}"
            )
        if not isinstance(found, (LoadedContact, FlankContact)):
            raise PitchlineError(
                f'picture: contact of "{name}": expected a result of loaded_contact or flank_contact, got {shown(found)}'
            )
    return dict(contact)


def _fits(model: dict[str, Any], pair: dict[str, Any], contact: Contact) -> bool:
    wheels = model.get("wheels", {})
    for side, teeth in (("a", contact.a), ("b", contact.b)):
        gear = gear_of(wheels.get(pair.get(f"wheel_{side}"), {}).get("gear"))
        if gear is None or getattr(gear, "teeth", None) != teeth.gear.teeth:
            return False
        if not math.isclose(gear.normal_module, teeth.gear.normal_module, rel_tol=1e-9):
            return False
    return True


def pressure_patches(
    state: MachineState, parts: Sequence[SolidPart], contacts: Mapping[str, Contact]
) -> tuple[list[PressurePatch], float]:
    """Return the patches of all pairs at this state, and the largest pressure of the colour bar [Pa], which leaves out edges."""
    gears = {part.name: part.pose for part in parts if part.kind == "gear" and part.pose is not None}
    patches: list[PressurePatch] = []
    largest = 0.0
    for line in state.head["contact"]["lines"]:
        found = contacts.get(line["pair"])
        own, other = gears.get(line["wheel"]), gears.get(state.model["gear_pairs"][line["pair"]]["wheel_b"])
        if found is None or own is None or other is None:
            continue
        force, bearing = _force(state, line), _side(state, line)
        side = 1.0 if found.side == "left" else -1.0
        if (force is not None and force <= 0.0) or bearing == 0.0:
            continue
        if bearing is not None and bearing != side:
            loaded = "right" if found.side == "left" else "left"
            raise PitchlineError(
                f'picture: contact of "{line["pair"]}": it is computed for the {found.side} flanks of the first gear, but the '
                f"{loaded} flanks carry the load at this state. Compute it with a torque of the opposite sign, or with "
                "loaded_contact(model, pair, about=result)"
            )
        if isinstance(found, LoadedContact):
            made, top = _pattern(found, own, other, force)
        else:
            made, top = _patches(found, own, other[0], line, force)
        patches += made
        largest = max(largest, top)
    return patches, largest


def _pattern(found: LoadedContact, a: Pose, b: Pose, force: float | None) -> tuple[list[PressurePatch], float]:
    """Largest pressures over the mesh cycle on all teeth of gear A, and of gear B if both are external gears on parallel axes."""
    loads = np.abs(found.force) / np.cos(found.base_helix_angle)
    load = int(np.argmax(loads)) if force is None else int(np.argmin(np.abs(loads - force)))
    # pressure of a line contact grows with the root of the force
    factor = 1.0 if force is None else math.sqrt(force / loads[load])
    L, zeta, p = found.pattern(load, points=_ALONG)
    p = factor * np.maximum(np.nan_to_num(p), 0.0)
    inside = p[p > 0.0]
    top = float(np.percentile(inside, 97.0)) if len(inside) else 0.0
    fine = np.linspace(zeta[0], zeta[-1], _ACROSS)
    values = np.array([np.interp(fine, zeta, row) for row in p])
    flank = found.a.flank(found.side).involute
    made = [_painted(flank, a, found.a.gear, L, fine, values)]
    along = float(a[1][:, 2] @ b[1][:, 2])
    apart = (b[0] - a[0]) @ a[1]
    if abs(along) > 0.99 and not found.b.gear.internal:
        sign = 1.0 if along > 0.0 else -1.0
        side = found.side if sign > 0.0 else {"left": "right", "right": "left"}[found.side]
        mate = found.b.flank(side).involute
        way = math.sqrt(max(apart[0] ** 2 + apart[1] ** 2 - (flank.base_radius + mate.base_radius) ** 2, 0.0))
        inside_b = way - L > 0.0
        if inside_b.sum() > 1:
            made.append(
                _painted(mate, b, found.b.gear, (way - L)[inside_b], sign * (fine - apart[2]), values[inside_b])
            )
    return made, top


def _painted(flank: Any, pose: Pose, gear: Any, L: FloatArray, zeta: FloatArray, values: FloatArray) -> PressurePatch:
    """A grid (L, ζ) on the flanks of all teeth of a gear."""
    x, R = pose
    turn = 2.0 * math.pi / gear.teeth * np.arange(gear.teeth)
    points, out = _flank_points(
        flank, L[None, :, None], np.broadcast_to(zeta, (1, len(L), len(zeta))), turn[:, None, None], gear.normal_module
    )
    grid = _grid(len(L), len(zeta))
    grid = grid[(values.reshape(-1)[grid] > 0.0).all(axis=1)]
    each = len(L) * len(zeta)
    index = (grid[None] + each * np.arange(gear.teeth)[:, None, None]).reshape(-1, 3)
    normals = (out.reshape(-1, 3) @ R.T)[index]
    return Triangles(points.reshape(-1, 3) @ R.T + x, index, normals), np.tile(values.reshape(-1), gear.teeth)


def _grid(rows: int, columns: int) -> IntArray:
    """Triangles (t, 3) of a grid of points."""
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    k = i * columns + j
    return np.concatenate([
        np.stack([k, k + 1, k + columns + 1], axis=-1).reshape(-1, 3),
        np.stack([k, k + columns + 1, k + columns], axis=-1).reshape(-1, 3),
    ])  # fmt: skip


def _flank_points(
    flank: Any, L: FloatArray, zeta: FloatArray, turn: FloatArray | float, module: float
) -> tuple[FloatArray, FloatArray]:
    """Points slightly above an involute flank in the axes of its gear [m], and its normals.

    P = e^{iτ} (r + i c L) with τ = c (η − L/r) + κ ζ. The normal is the tangent of the base circle.
    """
    r, curl = float(flank.base_radius), float(flank.side)
    tau = curl * (flank.base_angle - L / r) + flank.twist * zeta + turn
    out = np.stack([-np.sin(tau), np.cos(tau), np.zeros_like(tau)], axis=-1) * curl
    foot = np.stack([r * np.cos(tau), r * np.sin(tau), np.broadcast_to(zeta, tau.shape)], axis=-1)
    return foot + (np.broadcast_to(L, tau.shape)[..., None] + _LIFT * module) * out, out


def _force(state: MachineState, line: dict[str, Any]) -> float | None:
    """Force of the mesh [N]; None if the state has none."""
    if "normal_force" not in line:
        return None
    return float(np.nansum(np.abs(np.atleast_1d(state.row(line["normal_force"])))))


def _side(state: MachineState, line: dict[str, Any]) -> float | None:
    """+1 if left flanks of the first gear carry, -1 if right flanks do, 0 if none does; None if the state has no contact."""
    return float(np.sign(state.row(line["contact"]).flat[0])) if "contact" in line else None


def _patches(
    found: FlankContact, pose: Pose, centre: FloatArray, line: dict[str, Any], force: float | None
) -> tuple[list[PressurePatch], float]:
    """Patches of the position and load next to those of now, moved along the flanks; and the largest pressure inside [Pa]."""
    block = SceneArrays()
    table = pressure_table(found, line["pair"], block)
    x, R = pose
    p = (centre - x) @ R
    away = -1.0 if line["internal"] else 1.0
    angle = -math.atan2(away * p[1], away * p[0])
    angles, pitch = block.array(table["angles"]), 2.0 * math.pi / line["teeth"]
    loads = np.abs(np.asarray(table["loads"], dtype=np.float64))
    load = len(loads) - 1 if force is None else int(np.argmin(np.abs(loads - force)))
    factor = 1.0 if force is None else math.sqrt(force / loads[load])
    passed = np.round((angle - angles) / pitch)
    best = int(np.argmin(np.abs(angle - angles - passed * pitch)))
    shift = float(angle - angles[best] - passed[best] * pitch)
    flank = found.a.flank(found.side).involute
    first, state = block.array(table["first"]), load * len(angles) + best
    index = _grid(table["rows"], table["columns"])
    made = []
    for n in range(first[state], first[state + 1]):
        zeta = block.array(table["zeta"])[n]
        moved = float(flank.side) * flank.base_radius * shift
        low, high = (np.maximum(block.array(table[key])[n] + moved, 0.0) for key in ("low", "high"))
        s = np.linspace(0.0, 1.0, table["columns"])
        L = np.sqrt(low[:, None] ** 2 + s * (high**2 - low**2)[:, None])
        turn = pitch * float(block.array(table["tooth"])[n] - passed[best])
        wide = np.broadcast_to(zeta[:, None], L.shape)
        points, out = _flank_points(flank, L, wide, turn, found.a.gear.normal_module)
        values = factor * np.asarray(block.array(table["pressure"])[n], dtype=np.float64).reshape(-1)
        pressed = index[(values[index] > 0.0).any(axis=1)]
        normals = (out.reshape(-1, 3) @ R.T)[pressed]
        made.append((Triangles(points.reshape(-1, 3) @ R.T + x, pressed, normals), values))
    return made, factor * float(table["largest"])
