"""Modes, Campbell diagrams and frequency responses in a block: their numbers, and how the bodies move.

The entry `linear` of the head has

    analysis   "modes", "campbell" or "response"
    bodies     names, in the order of the shapes; place (b, 3) and turn (b, 4): their poses, as in `bodies` of the head
    carried    [{body, by: [body, body]}]: rolling elements, that move with the mean of both rings
    shapes     array (k, columns, bodies, 6, 2): k speeds or frequencies, of each all modes or inputs; of modes (1, n, ...).
               Translation of the origin of a body [m] and rotation vector [rad], real and imaginary part
    shapes_at  array (k,): which speeds or frequencies these are
    modes      frequency, damped, damping: arrays (n,); kinds, descriptions, times; rigid, stable; decaying [1/s];
               strain: [{name, share: array (n,)}]; surfaces of flexible bodies [{name, position (p, 3), index (t, 3),
               edge (e, 2): numbers of points, motion (k, p, 3, 2) in the first k modes, times scale (k,)}]
    campbell   shaft; speed: array (m,) [rad/s]; frequency, damping, whirl: arrays (n, m), nan where a mode is no more; kinds;
               orders [{name, order}]; crossings [{order, mode, speed, frequency, whirl}]; critical [{speed, forward}]
    response   frequency: array (m,); inputs, outputs; units[output][input]; magnitude, phase: arrays (outputs, inputs, m) [deg]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import PitchlineError
from ..results.campbell import Campbell
from ..results.linear import FrequencyResponse
from ..results.linear_files import LinearFinding
from ..results.modes import Modes
from ..results.operating_pose import OperatingPose
from .block import Block
from .records import ViewRecord
from .scene.bearings import cage_name

__all__ = ["linear_record"]

ROUNDED = 1e-10
"""Damping ratio of a curve of a Campbell diagram that is rounding."""
MOST_BYTES = 8_000_000
"""Of the shapes in a page."""
MOST_SURFACE_BYTES = 4_000_000
"""Of the motion of one surface."""


def linear_record(
    found: LinearFinding, name: str | None = None, *, parameters: Sequence[dict[str, Any]] = ()
) -> ViewRecord:
    """The record of modes, a Campbell diagram or a frequency response: the model at the operating point, and its small motions.
    parameters: declared ones of its model file."""
    from .scene.compose import scene
    from .scene.source import SceneSource

    if found.pose is None:
        raise PitchlineError(
            f'view: this {type(found).__name__} of "{found.model_name}" does not contain the poses of its bodies. It was not '
            "made by an analysis of this version. Run the analysis again"
        )
    block, called = Block(), name or found.kind
    head: dict[str, Any] = {
        "format": 1, "name": called, "title": found.model_name, "kind": found.kind, "status": "", "message": "",
        "version": "", "samples": 0, "warnings": list(found.warnings), "parameters": list(parameters), "signals": [],
    }  # fmt: skip
    drawn = scene(SceneSource.of_pose(found.pose), block)
    # what the operating point itself deforms by is not shown beside the shapes
    head |= drawn | {"deformed": {"structures": [], "notes": []}}
    head["notes"] = [note for note in drawn["notes"] if note not in drawn["deformed"]["notes"]]
    said = _linear_of(found, found.pose, block, head["notes"])
    moving = [surface["name"] for surface in said.get("surfaces", [])]
    head["notes"] += [
        f'flexible body "{name}" is drawn rigid, with the mean motion of its interfaces: shapes between them are not kept'
        for name in found.pose.model.get("flexible_bodies", {})
        if name not in moving
    ]
    if isinstance(found, Modes) and any(
        name.partition(".")[0] in found.pose.model.get("gear_pairs", {}) for name in found.own
    ):
        head["notes"].append("elastic gears move as rigid bodies here: how their teeth and rims deform is not kept")
    return ViewRecord(called, block.bytes(head | {"signal_time": head["time"], "linear": said}))


def _linear_of(found: LinearFinding, pose: OperatingPose, block: Block, notes: list[str]) -> dict[str, Any]:
    """The entry `linear` of the head. notes: what was left out is added."""
    shapes: NDArray[Any]
    if isinstance(found, Modes):
        said, shapes, at = _modes(found, block), found.shapes[None], np.zeros(1, np.int64)
        said["surfaces"] = _surfaces(found, pose, block, notes)
    elif isinstance(found, Campbell):
        said, shapes, at = _campbell(found, block), found.shapes, found.shapes_at
    else:
        found = _rising(found)
        said, shapes, at = _response(found, block), found.shapes, found.shapes_at
    bearings = [e for e in pose.model.get("elements", {}).values() if e.get("type") == "RollingBearing"]
    said["carried"] = [
        {"body": cage_name(bearing["name"]), "by": [bearing["frames"][ring]["body_name"] for ring in "ab"]}
        for bearing in bearings
    ]
    shapes, at = _that_fit(shapes, at, notes)
    moved = np.nan_to_num(pose.of_origins(shapes))
    parts = np.stack([moved.real, moved.imag], axis=-1)
    return said | {
        "bodies": list(pose.bodies),
        "place": block.add("linear/place", pose.positions, "f4"),
        "turn": block.add("linear/turn", pose.orientations, "f4"),
        "shapes": block.add("linear/shapes", parts, "f4"),
        "shapes_at": block.add("linear/shapes at", at, "u4"),
    }


def _surfaces(found: Modes, pose: OperatingPose, block: Block, notes: list[str]) -> list[dict[str, Any]]:
    """Surfaces of flexible bodies, and how their points move."""
    from .scene.housings import shaded

    said = []
    for name, motion in found.surfaces.items():
        points, triangles = pose.surfaces[name]
        used = np.unique(triangles)
        surface = shaded(points, triangles)
        most = min(len(motion), MOST_SURFACE_BYTES // (12 * max(len(used), 1)))
        if most < len(found):
            notes.append(
                f'"{name}" is shown to move in the first {most} of {len(found)} modes: more would make the page too large'
            )
        moved = np.stack([motion[:most, used].real, motion[:most, used].imag], axis=-1)
        # whole numbers: the eye sees no 32,767th of the largest motion
        scale = np.maximum(np.abs(moved).max(axis=(1, 2, 3), initial=0.0), 1e-300) / 32767.0
        said.append({
            "name": name,
            "position": block.add(f"linear/{name}/position", surface.points, "f4"),
            "index": block.add(f"linear/{name}/index", surface.triangles, "u4"),
            "edge": block.add(f"linear/{name}/edge", np.zeros((0, 2)) if surface.edges is None else surface.edges, "u4"),
            "motion": block.add(f"linear/{name}/motion", np.round(moved / scale[:, None, None, None]), "i2"),
            "scale": block.add(f"linear/{name}/scale", scale, "f8"),
        })  # fmt: skip
    return said


def _that_fit(shapes: NDArray[Any], at: NDArray[np.int64], notes: list[str]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Fewer speeds or frequencies where all of them would make the page too large; of one of them, the lowest modes."""
    count, columns = shapes.shape[:2]
    one = 48 * math.prod(shapes.shape[2:-1])
    if count * columns * one <= MOST_BYTES:
        return shapes, at
    if count > 1 and columns * one <= MOST_BYTES:
        chosen = np.unique(np.linspace(0, count - 1, max(MOST_BYTES // (columns * one), 1)).round().astype(np.int64))
        notes.append(
            f"shapes are shown at {len(chosen)} of {count} places of the curves: more would make the page too large"
        )
        return shapes[chosen], at[chosen]
    most = MOST_BYTES // max(one, 1)
    notes.append(f"shapes of the first {most} of {columns} modes are shown: more would make the page too large")
    return shapes[:1, :most], at[:1]


def _modes(found: Modes, block: Block) -> dict[str, Any]:
    return {
        "analysis": "modes",
        "frequency": block.add("linear/frequency", found.frequencies, "f8"),
        "damped": block.add("linear/damped", found.damped_frequencies, "f8"),
        "damping": block.add("linear/damping", found.damping_ratios, "f8"),
        "kinds": list(found.kinds),
        "descriptions": list(found.descriptions),
        "times": [int(times) for times in found.multiplicity],
        "rigid": int(found.rigid),
        "stable": found.stable,
        "decaying": [float(s) for s in found.decaying],
        "strain": [
            {"name": name, "share": block.add(f"linear/strain/{name}", share, "f4")}
            for name, share in found.strain.items()
        ],
    }


def _campbell(found: Campbell, block: Block) -> dict[str, Any]:
    damping = np.where(np.abs(found.damping_ratios) > ROUNDED, found.damping_ratios, 0.0)
    curves = {"frequency": found.frequencies, "damping": damping, "whirl": found.whirl}
    critical = [(found.critical_forward, True), (found.critical_backward, False)]
    return {
        "analysis": "campbell",
        "shaft": found.shaft,
        "speed": block.add("linear/speed", found.speeds, "f8"),
        **{name: block.add(f"linear/{name}", values.T, "f8") for name, values in curves.items()},
        "kinds": list(found.kinds),
        "orders": [{"name": name, "order": float(order)} for name, order in found.orders.items()],
        "crossings": [
            {"order": c.order, "mode": int(c.mode), "speed": float(c.speed), "frequency": float(c.frequency),
             "whirl": float(c.whirl) if math.isfinite(c.whirl) else 0.0}
            for c in found.crossings
        ],
        "critical": [{"speed": float(s), "forward": forward} for speeds, forward in critical for s in speeds],
    }  # fmt: skip


def _response(found: FrequencyResponse, block: Block) -> dict[str, Any]:
    pairs = [[(output, given) for given in range(len(found.inputs))] for output in range(len(found.outputs))]
    magnitude, phase = (
        np.array([[values(*pair) for pair in row] for row in pairs]) for values in (found.magnitude, found.phase)
    )
    return {
        "analysis": "response",
        "frequency": block.add("linear/frequency", found.frequency, "f8"),
        "inputs": list(found.inputs),
        "outputs": list(found.outputs),
        "units": [[found.unit(*pair) for pair in row] for row in pairs],
        "magnitude": block.add("linear/magnitude", magnitude, "f8"),
        "phase": block.add("linear/phase", phase, "f8"),
    }


def _rising(found: FrequencyResponse) -> FrequencyResponse:
    """By rising frequency, which is not asked of a user."""
    order = np.argsort(found.frequency, kind="stable")
    places = np.argsort(order, kind="stable")[found.shapes_at]
    shapes = np.argsort(places)
    return replace(
        found, frequency=found.frequency[order], response=found.response[order],
        shapes=found.shapes[shapes], shapes_at=places[shapes],
    )  # fmt: skip
