"""Lines of contact of ideal involute gears on parallel axes: the data that a page needs to draw them at any pose of the gears.

With gear A at the angle φ, its x axis from the direction to the pitch point, tooth k touches its mate at the roll lengths

    L(ζ) = r_b (η + α_w + c (κ ζ + 2π k/z + φ)) ,     cos α_w = (r_bB ± r_bA)/a ,

c = +1 on left flanks and −1 on right ones, η and κ as in `InvoluteFlank`; as far as both flanks reach: L_A = L, and
L_B = a sin α_w − L on an external gear, a sin α_w + L in a ring. Where flanks are modified, or teeth bend, contact is near there.
"""

from __future__ import annotations

from typing import Any

from ...errors import PitchlineError
from ...gears import Gear, Rack
from ...gears.teeth import Teeth
from ...model.described_gears import gear_of
from ..block import Block
from .pairs import pair_frames
from .poses import frame_pose
from .source import SceneSource

__all__ = ["contact_lines", "face_offset"]

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
