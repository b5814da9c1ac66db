"""Contact lines and pressures on flanks, as the page draws them.

Pressures on the flanks of gear A over the mesh cycle and the load, from an analysis of the contact, as a page draws them.

Each load and position has its patches, one a pair of teeth: rows along the face with their ζ and the roll lengths at both rims,
and pressures in columns from the first rim to the second, evenly along the profile (L²/2r_b).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.base.progress.display import stage
from pitchline.base.types import FloatArray
from pitchline.errors import PitchlineError
from pitchline.viewer.block import Block
from pitchline.viewer.scene_parts import SceneSource, frame_pose

from ..gears.geometry.gear import Gear
from ..gears.geometry.pair import GearPair
from ..gears.geometry.rack import Rack
from ..gears.part import gear_of, pair_of
from ..gears.teeth.teeth import Teeth
from ..meshes.scene import pair_frames
from .results_flank import ContactPatch, FlankContact, LoadedContact

if TYPE_CHECKING:
    from pitchline.model.model import Model
    from pitchline.results.result import Result

__all__ = ["contact_lines", "face_offset", "pressure_table", "computed_contact"]


# ---- contact lines

# Lines of contact of ideal involute gears on parallel axes: the data that a page needs to draw them at any pose of
# the gears.
#
# With gear A at the angle φ, its x axis from the direction to the pitch point, tooth k touches its mate at the roll
# lengths
#
# L(ζ) = r_b (η + α_w + c (κ ζ + 2π k/z + φ)) , cos α_w = (r_bB ± r_bA)/a ,
#
# c = +1 on left flanks and −1 on right ones, η and κ as in `InvoluteFlank`; as far as both flanks reach: L_A = L, and
# L_B = a sin α_w − L on an external gear, a sin α_w + L in a ring. Where flanks are modified, or teeth bend, contact
# is near there.

Said = dict[str, Any]


def contact_lines(source: SceneSource, block: Block) -> list[Said]:
    """All pairs of two toothed wheels whose first is external, with the contact signals of the result; `ideal` if the gears
    are cylindrical: of other pairs lines of contact are not known here.
    """
    found = []
    for name, pair in source.model.get("gear_pairs", {}).items():
        gears = [gear for side in "ab" if isinstance(gear := _gear(source.model, pair[f"wheel_{side}"]), Gear)]
        if len(gears) < 2 or gears[0].internal:
            continue
        a, b = pair_frames(source.model, pair)
        said: Said = {
            "pair": name, "wheel": pair["wheel_a"], "body": a["body_name"], "other": b["body_name"],
            "position": list(a["position"]), "rotation": a["rotation"], "centre": list(b["position"]),
            "teeth": gears[0].teeth, "internal": gears[1].internal,
        }  # fmt: skip
        ideal = _ideal(gears, pair, face_offset(source.model, a, b))
        if ideal is not None:
            said["ideal"] = ideal
        for key in ("contact", "normal_force", "pair_forces"):
            values = source.signal(f"{name}.{key}")
            if values is not None:
                said[key] = block.add_columns(f"lines/{name}.{key}", values)
        found.append(said)
    return found


def _gear(model: Said, wheel: str) -> Gear | Rack | None:
    return gear_of(model.get("wheels", {}).get(wheel, {}).get("gear"))


def _ideal(gears: list[Gear], pair: Said, offset: float) -> Said | None:
    a, b = gears
    conical = any(gear.cone_angle or gear.profile_shift_angle or gear.worm for gear in gears)
    if conical or pair.get("kind") not in ("spur", "helical", "internal"):
        return None
    width = next((gear.face_width for gear in gears if gear.face_width), 8.0 * a.normal_module)
    a, b = (gear if gear.face_width else gear.with_(face_width=width) for gear in (a, b))
    try:
        teeth = Teeth(a), Teeth(b)
    except PitchlineError:  # pointed, or undercut beyond use
        return None
    flank = teeth[0].left.involute
    return {
        "module": a.normal_module, "base_angle": flank.base_angle, "twist": flank.twist,
        "base_radii": [side.left.involute.base_radius for side in teeth],
        "limits": [sorted((float(side.left.form_roll_length(0.0)), float(side.left.tip_roll_length(0.0)))) for side in teeth],
        "half_faces": [0.5 * gear.required_face_width("lines of contact") for gear in (a, b)],
        "distance": float(pair["centre_distance"]), "offset": offset,
    }  # fmt: skip


def face_offset(model: Said, a: Said, b: Said) -> float:
    """How far the centre of B lies along the axis of A, as built [m]."""
    (x_a, R_a), (x_b, _) = frame_pose(model, a), frame_pose(model, b)
    return float((x_b - x_a) @ R_a[:, 2])


Patch = tuple[int, FloatArray, FloatArray, FloatArray, FloatArray]
"""Tooth of A, ζ (r,), L at both rims (r,), pressures (r, c)."""

_ROWS, _COLUMNS = 41, 13


def pressure_table(
    found: LoadedContact | FlankContact, pair: str, block: Block, *, torques: Sequence[int] | None = None
) -> dict[str, Any]:
    """The patches of some torques, by their places, or of all. pair: whose they are."""
    chosen = range(len(found.torque)) if torques is None else torques
    if isinstance(found, LoadedContact):
        angles, loads = found.angle, found.force[list(chosen)] / np.cos(found.base_helix_angle)
        states = [_of_strips(found, t, i) for t in chosen for i in range(len(angles))]
        largest, edge = found.max_pressure[list(chosen)].max(), found.edge_pressure[list(chosen)].max()
    else:
        angles, loads = found.phase * found.a.gear.angular_pitch, found.normal_force[list(chosen)].mean(axis=1)
        patches = [found.patches[t][i] for t in chosen for i in range(len(angles))]
        states = [[_of_patch(patch) for patch in now] for now in patches]
        largest = max((patch.pressure_inside for now in patches for patch in now), default=0.0)
        edge = max((patch.peak_pressure for now in patches for patch in now), default=0.0)
    all_patches = [patch for state in states for patch in state]
    rows = max((len(patch[1]) for patch in all_patches), default=0)
    columns = max((patch[4].shape[1] for patch in all_patches), default=0)
    flank = found.a.flank(found.side).involute
    name = f"pressure {len(block.arrays)}"

    def add(key: str, values: Any, dtype: str = "f4") -> str:
        return block.add(f"{name}/{key}", values, dtype)

    lines = [
        [patch[1] for patch in all_patches],
        [patch[2] for patch in all_patches],
        [patch[3] for patch in all_patches],
    ]
    stacked = [np.array([_padded(one, rows) for one in line]).reshape(-1, rows) for line in lines]
    pressure = np.array([_padded(patch[4], rows, fill=0.0) for patch in all_patches]).reshape(-1, rows, columns)
    return {
        "pair": pair, "side": int(flank.side), "base_radius": flank.base_radius, "base_angle": flank.base_angle,
        "twist": flank.twist, "rows": rows, "columns": columns, "loads": [float(load) for load in loads],
        "angles": add("angles", angles), "first": add("first", np.cumsum([0, *(len(state) for state in states)]), "u4"),
        "tooth": add("tooth", [patch[0] for patch in all_patches], "i2"), "zeta": add("zeta", stacked[0]),
        "low": add("low", stacked[1]), "high": add("high", stacked[2]), "pressure": add("values", pressure),
        "labels": [f"{found.torque[t]:.5g} N·m" for t in chosen],
        "largest": float(largest or edge), "cut": bool(edge > 1.02 * (largest or edge)), "text": _words(found, chosen),
    }  # fmt: skip


def _words(found: LoadedContact | FlankContact, chosen: Sequence[int]) -> str:
    torques = ", ".join(f"{found.torque[t]:.5g}" for t in chosen)
    count = len(found.phase)
    where = "one position" if count == 1 else f"{count} positions of the mesh cycle"
    return f"Pressure of the {found.kind} of elastic gears under {torques} N·m on gear B, computed in {where}."


def _padded(values: FloatArray, rows: int, fill: float | None = None) -> FloatArray:
    """With more rows at the end: the last one again, so that nothing is drawn there, or a value."""
    more = rows - len(values)
    last = values[-1:] if fill is None else np.full_like(values[-1:], fill)
    return np.concatenate([values, np.repeat(last, more, axis=0)]) if more else values


def _of_patch(patch: ContactPatch) -> Patch:
    zeta, low, high = (values[:: max(1, len(values) // (_ROWS - 1))] for values in patch.outline)
    t = np.linspace(0.0, 1.0, _COLUMNS)
    L = np.sqrt(low[:, None] ** 2 + t * (high**2 - low**2)[:, None])
    return patch.tooth_a, zeta, low, high, patch.pressure_at(L, np.broadcast_to(zeta[:, None], L.shape))


def _of_strips(found: LoadedContact, torque: int, position: int) -> list[Patch]:
    load = found.flank_load(torque, position)
    made = []
    for tooth in np.unique(load.tooth_a):
        own = np.flatnonzero((load.tooth_a == tooth) & (load.line_load > 0.0))
        if not len(own):
            continue
        own = own[np.argsort(load.face[own])]
        ends = load.face[own[[0, -1]]]
        own = own[np.unique(np.linspace(0, len(own) - 1, min(len(own), _ROWS)).round().astype(int))]
        L, p, zeta = load.roll_length_a[own], load.pressure[own], load.face[own]
        if L[0, 0] > L[0, -1]:
            L, p = L[:, ::-1], p[:, ::-1]
        # strips have a width: the patch ends at the rims of the first and the last
        width = found.widths[np.searchsorted(found.faces, ends)]
        half = 0.5 * found.a.gear.required_face_width("contact")
        ends = np.clip(ends + np.array([-0.5, 0.5]) * width, -half, half)
        zeta, L, p = np.array([ends[0], *zeta, ends[1]]), L[[0, *range(len(own)), -1]], p[[0, *range(len(own)), -1]]
        made.append((int(tooth), zeta, L[:, 0], L[:, -1], p))
    return made


# ---- computed contact

# Pressures on the flanks of the gear pairs of a result: their contact is analysed under the forces that the result
# has.
#
# A result keeps forces of teeth, not pressures. Pressures of a mesh follow from the phase and the force, so that some
# positions of the mesh cycle under some loads give all of them; a page then looks up phase and force of each moment.
# Vibration of the gear bodies is not in them.

POSITIONS = 16
"""Of a mesh cycle."""
_LOADS = (1.0, 2.0 / 3.0, 1.0 / 3.0)
"""Parts of the greatest force under which contact is analysed, as far as forces are so small."""
_NO_FORCE = 1e-6
"""Of the greatest force: flanks with less are taken not to touch."""


def computed_contact(
    source: SceneSource, block: Block, result: Result, model: Model | None
) -> tuple[list[dict[str, Any]], list[str]]:
    """Tables of all pairs of gears whose contact can be analysed, and notes on those whose cannot.

    model: the one that was run; its gears are then positioned as at the end of the result. Without it they are positioned as they
    are built.
    """
    tables, notes = [], []
    for name, pair in source.model.get("gear_pairs", {}).items():
        force = source.signal(f"{name}.signed_force")
        if force is None or not np.isfinite(force).any() or not np.nanmax(np.abs(force)):
            notes.append(f"{name}: no pressures: its teeth carry no force in this result")
            continue
        gears = pair_of(pair, source.model)
        if gears is None or not isinstance(gears.b, Gear):
            notes.append(f"{name}: no pressures: the contact of this kind of pair cannot be analysed")
            continue
        for sign in (1.0, -1.0):
            largest = float(np.nanmax(sign * force))
            if largest <= _NO_FORCE * float(np.nanmax(np.abs(force))):
                continue
            least = float(np.nanmin(np.where(sign * force > 0.0, sign * force, np.inf)))
            forces = [part * largest for part in _LOADS if part == 1.0 or least < (part + 0.16) * largest]
            lever = 0.5 * gears.b.base_diameter * np.cos(gears.b.base_helix_angle)
            torques = sorted((sign * one * lever for one in forces), key=abs)
            try:
                with stage(f"contact of {name}"):
                    found = _analysed(source, name, pair, gears, torques, result, model)
            except PitchlineError as error:
                notes.append(f"{name}: no pressures: {error}")
                break
            table = pressure_table(found, name, block)
            if len(torques) > 1:
                table["text"] += (
                    " Under other forces the nearest load is shown, its pressures by the root of the force."
                )
            table["text"] += " Vibration of the gear bodies is not in it."
            tables.append(table)
            notes += [f"{name}: {text}" for text in found.warnings]
    return tables, notes


def _analysed(
    source: SceneSource,
    name: str,
    pair: dict[str, Any],
    gears: GearPair,
    torques: list[float],
    result: Result,
    model: Model | None,
) -> LoadedContact | FlankContact:
    from .flank_contact import flank_contact
    from .loaded_contact import loaded_contact

    assert isinstance(gears.b, Gear)
    if gears.a.profile_shift_angle or gears.b.profile_shift_angle:
        phases = list(np.arange(POSITIONS) / POSITIONS)
        return flank_contact(gears, torque=torques, phase=phases, **_elements(pair))
    if model is not None and name in model.gear_pairs:
        found = loaded_contact(model, name, torque=torques, about=result, positions=POSITIONS)
    else:
        offset = face_offset(source.model, *pair_frames(source.model, pair))
        found = loaded_contact(gears, torque=torques, positions=POSITIONS, face_offset=offset)
    assert isinstance(found, LoadedContact)
    return found


def _elements(pair: dict[str, Any]) -> dict[str, Any]:
    """Options of the finite elements, if the mesh specifies them: they are then in the cache already."""
    said = pair.get("mesh", {})
    return {key: said[key] for key in ("elements_a", "elements_b") if said.get(key)}
