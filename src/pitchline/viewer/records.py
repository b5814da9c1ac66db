"""Records that a page shows: models, results, modes, Campbell diagrams, responses, and the page as HTML.

Modes, Campbell diagrams and frequency responses in a block: their numbers, and how the bodies move.

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

import base64
import gzip
import hashlib
import html
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.errors import PitchlineError, shown
from pitchline.parts.bearings.scene import cage_name
from pitchline.parts.gears.geometry.inputs import positive
from pitchline.results.linear_files import FrequencyResponse, LinearFinding
from pitchline.results.modes import Campbell, Modes, OperatingPose
from pitchline.results.result import Result
from pitchline.results.series import Columns, columns_between

from .block import Block

if TYPE_CHECKING:
    from pitchline.files.parameters import DeclaredParameter
    from pitchline.model.model import Model
    from pitchline.parts.contact.results_flank import FlankContact, LoadedContact
    from pitchline.results.linear_files import LinearFinding
    from pitchline.results.result import Result

__all__ = ["NotViewable", "ViewRecord", "record_of", "linear_record", "page_html", "signals_of"]


# ---- records

# Records: the items that a page shows, each as one block.


class NotViewable(PitchlineError):
    """Something of a kind that no page shows."""


@dataclass(frozen=True, eq=False)
class ViewRecord:
    """One item of a page: its name, its block, and the result from which further signals are read."""

    name: str
    block: bytes
    result: Result | None = None


def record_of(
    thing: Result | Model | LinearFinding | LoadedContact | FlankContact,
    name: str | None = None,
    *,
    signals: bool = True,
    parameters: Sequence[DeclaredParameter] = (),
    contact: bool = False,
    model: Model | None = None,
    magnify_corrections: object = 1.0,
) -> ViewRecord:
    """The record of a result, of a model as it is built, of modes, a Campbell diagram, a frequency response, or of an analysis of
    the contact of two gears.

    signals: whether the block holds their values. parameters: declared ones of its model file, with the values that it has.
    contact: of a result, whether pressures on the flanks are computed, which takes finite elements of the gears. model: of a
    result, the model that was run, if it is available: it contains the shapes in which its flexible bodies deform.
    magnify_corrections: factor by which modifications of flanks, which are micrometres, are drawn larger.
    """
    from pitchline.model.model import Model
    from pitchline.parts.contact.results_flank import FlankContact, LoadedContact
    from pitchline.parts.contact.scene_record import contact_head
    from pitchline.results.linear_files import LinearFinding
    from pitchline.results.result import Result

    pass
    from pitchline.parts.flexible.scene import add_flexible_fields

    from .scene_checked import checked_scene
    from .scene_parts import SceneSource

    pass

    factor = positive(magnify_corrections, "number", "view: magnify_corrections")
    block, said = Block(), [parameter.as_data() for parameter in parameters]
    if isinstance(thing, Result):
        if model is not None:
            _check_model(thing, model)
        source = SceneSource.of_result(thing, model)
        called = name or str(thing.source.get("analysis", "")) or thing.kind
        head = {
            "format": 1, "name": called, "title": thing.model_name, "kind": thing.kind, "status": str(thing.status),
            "message": thing.message, "version": thing.version, "samples": thing.samples, "warnings": thing.warnings,
            "parameters": said,
        }  # fmt: skip
        drawn, listed = (
            checked_scene(source, block, called, magnify_corrections=factor),
            signals_of(thing, block, values=signals),
        )
        if model is not None:
            add_flexible_fields(drawn, source, block, model)
        if contact:
            from pitchline.parts.contact.scene import computed_contact

            drawn["contact"]["tables"], more = computed_contact(source, block, thing, model)
            drawn["notes"] += more
        head |= drawn | listed | {"notes": [*drawn["notes"], *listed.get("notes", [])]}
        return ViewRecord(called, block.bytes(head), thing)
    if isinstance(thing, Model):
        source = SceneSource.of_model(thing)
        called = name or thing.name
        head = {
            "format": 1, "name": called, "title": thing.name, "kind": "built", "status": "", "message": "", "version": "",
            "samples": 0, "warnings": [], "parameters": said, "signals": [],
        }  # fmt: skip
        head |= checked_scene(source, block, called, magnify_corrections=factor)
        return ViewRecord(called, block.bytes(head | {"signal_time": head["time"]}))
    if isinstance(thing, (LoadedContact, FlankContact)):
        called = name or thing.kind
        return ViewRecord(called, block.bytes(contact_head(thing, called, block)))
    if isinstance(thing, LinearFinding):
        return linear_record(thing, name, parameters=said)
    raise NotViewable(
        "view: expected a result, a model, modes, a Campbell diagram, a frequency response or an analysis of contact, got "
        f"{shown(thing)}"
    )


def _check_model(result: Result, model: Model) -> None:
    """Refuse a model that the result was not computed from: its bodies would deform in shapes of others."""
    said, mine = result.model, model.describe()
    for section in ("bodies", "shafts", "beams", "flexible_bodies", "membranes", "wheels"):
        theirs, ours = said.get(section, {}), mine.get(section, {})
        unlike = sorted(set(theirs) ^ set(ours)) or [
            name for name in ours if theirs[name].get("superelement") != ours[name].get("superelement")
        ]
        if unlike:
            raise PitchlineError(
                f'view: the result of model "{result.model_name}" was not computed from the model that is given, "{model.name}": '
                f"they differ in {section.replace('_', ' ')}, {shown(unlike[0])}; give the model that was run, or leave out model"
            )


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
    from .scene_checked import scene
    from .scene_parts import SceneSource

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
    from pitchline.parts.bodies.scene import shaded

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


# ---- page

# One HTML file that holds records and the page that shows them; it opens offline and asks nothing of the outside.


@cache
def bundle(name: str) -> str:
    """A file of the bundle: viewer.js, viewer.css."""
    return resources.files(__package__).joinpath("dist", name).read_text("utf-8")


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


LOADER = """\
const packed = document.getElementById("code").textContent;
const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(packed) : Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
const script = document.createElement("script");
script.type = "module";
script.textContent = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
document.body.append(script);
"""
"""Unpacks the script of the page. The script is identified by its hash, as if it were written there as text."""


def _packed(data: bytes) -> str:
    # level 6: level 9 takes three times as long for a page that is 1 % smaller; mtime=0: equal records give equal pages
    return base64.b64encode(gzip.compress(data, 6, mtime=0)).decode()


@cache
def _packed_script() -> str:
    return _packed(bundle("viewer.js").encode())


def page_html(records: Sequence[ViewRecord], title: str, *, theme: str = "system") -> str:
    """The page. Everything that may run in it is named by its hash; it may load, send and frame nothing.

    theme: "light", "dark", or "system" for that of the reader
    """
    script, style = bundle("viewer.js"), bundle("viewer.css")
    if "</style" in style.lower():
        raise ValueError("the style sheet cannot be written into a page: it contains the end of its own element")
    policy = (
        f"default-src 'none'; script-src {_hash(LOADER)} {_hash(script)}; style-src {_hash(style)}; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    kind = 'type="application/octet-stream"'
    data = "\n".join(f'<script {kind} class="record">{_packed(record.block)}</script>' for record in records)
    return (
        f'<!doctype html>\n<html lang="en" data-theme="{html.escape(theme)}"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{html.escape(title)}</title>\n'
        f'<link rel="icon" href="data:,"><style>{style}</style></head>\n'
        f"<body><noscript>This page needs JavaScript.</noscript>\n{data}\n"
        f'<script {kind} id="code">{_packed_script()}</script>\n'
        f'<script type="module">{LOADER}</script></body></html>\n'
    )


# ---- signals

# Signals of a result in a block: all samples where they are few, else the smallest and largest values in columns of
# time.

WHOLE = 20_000
"""Most samples that a page holds as they are."""
NUMBERS = 8_000_000
"""Most numbers of all signals in a page: about 20 MB."""
FEWEST = 200
"""Fewest columns of a signal, however many signals there are."""


def signals_of(result: Result, block: Block, *, values: bool = True) -> dict[str, Any]:
    """`signals`, `signal_time`, `reduced` and `notes` of the head; without values, whoever draws asks for what it draws.

    Then `span` is the first and the last time of the signals: the poses of a long result may end a little earlier.
    """
    if not values:
        span = {"span": [float(result.time[0]), float(result.time[-1])]} if len(result.time) else {}
        return {"signals": [_said(signal) for signal in result.signals.values()], "signal_time": "time", **span}
    columns = _columns(result)
    said = []
    for name, signal in result.signals.items():
        numbers = signal.values if columns is None else _reduced(columns, signal.values)
        said.append({**_said(signal), "values": block.add_columns(f"s/{name}", numbers)})
    if columns is None:
        return {"signals": said, "signal_time": block.add("signal_time", result.time, "f8")}
    note = (
        f"Of {result.samples:,} samples this page holds the smallest and largest values in {len(columns.time):,} columns of time. "
        "Open the result file with `pitchline view` for all samples."
    )
    return {
        "signals": said,
        "signal_time": block.add("signal_time", columns.time, "f8"),
        "reduced": True,
        "notes": [note],
    }


def _said(signal: Any) -> dict[str, Any]:
    return {
        "name": signal.name,
        "unit": signal.unit,
        "description": signal.description,
        "components": list(signal.components),
    }


def _columns(result: Result) -> Columns | None:
    """The columns that signals are reduced to; None if all samples fit."""
    width = sum(max(len(signal.components), 1) for signal in result.signals.values())
    if result.samples <= WHOLE and result.samples * width <= NUMBERS:
        return None
    count = min(WHOLE // 2, max(NUMBERS // (2 * width), FEWEST))
    columns = columns_between(result.time, float(result.time[0]), float(result.time[-1]), count)
    return columns if columns.reduced else None


def _reduced(columns: Columns, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """(m, 2 components): smallest and largest of the first component, of the second, …"""
    rows = values[:, None] if values.ndim == 1 else values
    return np.concatenate([columns.reduce(rows[:, k]) for k in range(rows.shape[1])]).T
