"""Checks whether the teeth of a result are in mesh: warnings for loss of contact, errors if the result is not valid without it."""

import numpy as np

from pitchline.engine.compile.station_signals import world_axes
from pitchline.model.model import Model
from pitchline.results.signal import Signal

from ..gears.geometry.pair import GearPair
from ..gears.part import Wheel
from ..meshes.kernel_engagement import FACE_LOAD_FACTOR, IN_MESH, TABLE_TILT, TIP_OVERLAP
from ..meshes.laws.flank import Flank
from ..meshes.laws.loaded import Loaded
from ..meshes.part import GearMesh, responds_to_position
from ..meshes.table_request import bends

Signals = dict[str, Signal]

_UNEVEN = 0.1
"""Fraction of the tooth deflection that a tilt may add at the ends of the face before K_Hbeta without tilt is doubtful."""
_FACE = 0.95
"""Fraction of the face width as built that elastic flanks must keep for correct forces."""
_RADIUS = 4.0
"""Relative radius of curvature of flanks by the normal module, about."""
_STIFFNESS = 14e9
"""Stiffness of teeth per face width [N/m²], about."""
_CURVED = 0.05
"""Fraction of the tooth deflection that the square of a displacement may add to a gap."""
_LOST = 1e-3
"""If a run stops with tip overlap or face overlap below this fraction of the value as built, the teeth have left contact."""


def left_contact(model: Model, signals: Signals) -> list[str]:
    """Warn for every gear pair whose teeth were out of mesh in a sample, or touched the roots of the other gear."""
    kinds = (pressed_together, bent_away, flanks_moved, displaced_far, tilted_unseen)
    found = [text for kind in kinds for text in kind(model, signals)]
    for name in model.gear_pairs:
        mesh = signals.get(f"{name}.{IN_MESH}")
        if mesh is None:
            continue
        out = np.flatnonzero(~(mesh.values > 0.0))
        if out.size:
            back = out[-1] < len(mesh.values) - 1
            found.append(
                f'gear pair "{name}": its teeth left contact at t = {mesh.time[out[0]]:.6g} s '
                f"({_why(model, signals, name, int(out[0]))}) and were out of mesh, without force, in {out.size} of "
                f"{len(mesh.values)} samples{'; on return, the nearest teeth engaged' if back else ''}; see {IN_MESH} "
                f"and {TIP_OVERLAP}"
            )
    return found


def flanks_moved(model: Model, signals: Signals) -> list[str]:
    """Warn for every pair of elastic flanks whose faces moved along each other, which their tables do not include."""
    found = []
    for name, pair in model.gear_pairs.items():
        mesh = signals.get(f"{name}.{IN_MESH}")
        if mesh is None or not isinstance(pair.mesh, Flank):
            continue
        least = float(np.min(mesh.values[mesh.values > 0.0], initial=1.0))
        if least < _FACE:
            found.append(
                f'gear pair "{name}": only {100.0 * least:.3g} % of the face width as built was in mesh, but Flank uses the full '
                "face width. Constrain the wheels in the axial direction, or use Elastic(...)"
            )
    return found


def displaced_far(model: Model, signals: Signals) -> list[str]:
    """Warn for every pair of elastic flanks with gaps that are linear in the displacement of the axes, if its square is not small.

    Two flanks of relative radius R that are displaced by δ along each other open by about δ²/2R; R is some modules.
    """
    found = []
    for name, pair in model.gear_pairs.items():
        needed = [f"{name}.{what}" for what in ("misalignment", "contact_force")]
        if not responds_to_position(pair) or not isinstance(pair.pair, GearPair):
            continue
        if any(what not in signals for what in needed):
            continue
        apart, force = (np.asarray(signals[what].values) for what in needed)
        bears = force > 0.0
        if not bears.any():
            continue
        lean = _relative_lean(model, pair, signals)
        width = min(gear.face_width or 0.0 for gear in (pair.pair.a, pair.pair.b))
        moved = np.broadcast_to(apart + 0.5 * width * np.linalg.norm(np.atleast_2d(lean), axis=1), force.shape)[bears]
        missing = float((moved**2).max()) / (2.0 * _RADIUS * pair.alignment.pitch.normal_module)
        most = float(force.max()) / (_STIFFNESS * width) if width else 0.0
        if missing > _CURVED * most:
            found.append(
                f'gear pair "{name}": its wheels were displaced by up to {1e3 * moved.max():.3g} mm relative to each other. The '
                f"gaps of Flank are linear in this displacement: errors are up to about {1e6 * missing:.2g} µm, with a deflection "
                f"of the teeth of about {1e6 * most:.2g} µm. Use stiffer supports, or place the wheels where they are under load"
            )
    return found


def tilted_unseen(model: Model, signals: Signals) -> list[str]:
    """Warn for every gear pair that reports K_Hbeta or is on a shaft, does not include tilt, and whose wheels tilted relative to
    each other."""
    found = []
    for name, pair in model.gear_pairs.items():
        known = f"{name}.{FACE_LOAD_FACTOR}" in signals
        felt = pair.law.tilt_width > 0.0 or f"{name}.{TABLE_TILT}" in signals or responds_to_position(pair)
        if felt or not isinstance(pair.mesh, (Flank, Loaded)) or not isinstance(pair.pair, GearPair):
            continue
        on = [model.bodies.get(wheel.body_name) for wheel in (pair.wheel_a, pair.wheel_b)]
        if not known and not any(body is not None and bends(body) for body in on):
            continue
        needed = [f"{name}.{what}" for what in ("force_b", "deflection")]
        if any(what not in signals for what in needed):
            continue
        force, bent = (np.asarray(signals[what].values) for what in needed)
        size = np.linalg.norm(force, axis=1)
        bears = size > 0.0
        if not bears.any():
            continue
        lean = _relative_lean(model, pair, signals)
        slope = np.abs(
            np.sum(lean * force, axis=1)[bears] / size[bears]
        )  # of the gap along the face, in the plane of action
        width = min(gear.face_width or 0.0 for gear in (pair.pair.a, pair.pair.b))
        if 0.5 * width * slope.max() > _UNEVEN * np.abs(bent).max():
            unfelt = (
                f"{FACE_LOAD_FACTOR} is valid for the wheels as built" if known else "the teeth do not resist the tilt"
            )
            way = f'specify tilts=..., such as Loaded(tilts="{_rounded_up(1e3 * float(slope.max())):g} mrad")'
            if isinstance(pair.mesh, Flank):
                way = "specify Flank(tilt=True)"
            found.append(
                f'gear pair "{name}": its wheels tilted relative to each other by up to {1e3 * slope.max():.3g} mrad '
                "in the plane of "
                f"action, but this mesh does not include the tilt: {unfelt}; {way}"
            )
    return found


def _rounded_up(value: float) -> float:
    """To the next of 1, 2 and 5 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(value))
    return float(next(power * step for step in (1.0, 2.0, 5.0, 10.0) if power * step >= value))


def _relative_lean(model: Model, pair: GearMesh, signals: Signals) -> np.ndarray:
    """Change of the direction of the axis of B relative to A since the initial pose, in world axes; (samples, 3) or (3,).

    It is measured in axes that follow the axis of A and the line of centres: a carrier that rotates with both wheels, or one wheel
    that orbits about the other one, does not lean."""
    now, built = (
        [place(wheel) for wheel in (pair.wheel_a, pair.wheel_b)]
        for place in (lambda wheel: _pose(model, wheel, signals), lambda wheel: model.placed(wheel.frame))
    )
    rack = pair.wheel_b.is_rack
    before = np.swapaxes(_axes_of_pair(*built, rack=rack), -1, -2) @ built[1][1][..., 2, None]
    lean: np.ndarray = now[1][1][..., 2, None] - _axes_of_pair(*now, rack=rack) @ before
    return lean[..., 0]


def _axes_of_pair(a: tuple[np.ndarray, np.ndarray], b: tuple[np.ndarray, np.ndarray], *, rack: bool) -> np.ndarray:
    """Axis of A, the direction from it towards B across it, and the third one, as columns; (3, 3) or (samples, 3, 3)."""
    z = a[1][..., 2]
    towards = -b[1][..., 0] if rack else b[0] - a[0]
    across = towards - np.sum(towards * z, axis=-1, keepdims=True) * z
    across = across / np.linalg.norm(across, axis=-1, keepdims=True)
    axes: np.ndarray = np.stack(np.broadcast_arrays(z, across, np.cross(z, across)), axis=-1)
    return axes


def _pose(model: Model, wheel: Wheel, signals: Signals) -> tuple[np.ndarray, np.ndarray]:
    """Position and axes of a wheel at the samples; as built without signals of its body, as on the ground."""
    x, q = (signals.get(f"{wheel.body_name}.{what}") for what in ("position", "orientation"))
    if x is None or q is None:
        return model.placed(wheel.frame)
    R = world_axes(q.values)
    return np.asarray(x.values) + R @ wheel.frame.position, R @ wheel.frame.rotation


def bent_away(model: Model, signals: Signals) -> list[str]:
    """Warn for every gear pair whose teeth deflected by half a pitch: the next tooth space is then closer than their own."""
    found = []
    for name, pair in model.gear_pairs.items():
        bent = signals.get(f"{name}.deflection")
        if pair.law.rigid or bent is None:
            continue
        most = float(np.nanmax(np.abs(bent.values), initial=0.0))
        pitch = np.pi * pair.pair.pitch.normal_module
        if most > 0.5 * pitch:
            found.append(
                f'gear pair "{name}": the tooth deflection was up to {1e3 * most:.4g} mm, but the pitch is '
                f"{1e3 * pitch:.4g} mm. This "
                "is not realistic. Check the loads and the unit of the stiffness"
            )
    return found


def pressed_together(model: Model, signals: Signals) -> list[str]:
    """Warn for every gear pair whose tips went deeper than the roots of the other wheel."""
    found = []
    for name, pair in model.gear_pairs.items():
        closer = _closer(model, signals, name)
        if closer is None or not isinstance(pair.pair, GearPair):
            continue
        clearance = max(0.0, min(pair.pair.tip_clearances))
        if closer > clearance + _LOST * pair.pair.pitch.normal_module:
            found.append(
                f'gear pair "{name}": its centres came up to {1e3 * closer:.4g} mm closer than as built. The tip clearance is '
                f"{1e3 * clearance:.4g} mm, and the mesh does not model contact of tip and root. Constrain the centre distance"
            )
    return found


def _closer(model: Model, signals: Signals, name: str) -> float | None:
    """By how much the centres of a gear pair came closer than as built; None for other pairs."""
    overlap = signals.get(f"{name}.{TIP_OVERLAP}")
    if overlap is None or not overlap.values.size or not isinstance(model.gear_pairs[name].pair, GearPair):
        return None
    return float(np.nanmax(overlap.values, initial=-np.inf)) - _depth(model, name)


def lost_contact(model: Model, signals: Signals, at: int = -1) -> str:
    """Message about rigid or rolling pairs at or beyond the end of contact in a sample, with advice; empty if there are none."""
    names = []
    for name, pair in model.gear_pairs.items():
        mesh, overlap = signals.get(f"{name}.{IN_MESH}"), signals.get(f"{name}.{TIP_OVERLAP}")
        if not pair.law.rigid or mesh is None or overlap is None:
            continue
        if not (mesh.values[at] > _LOST and overlap.values[at] > _LOST * _depth(model, name)):
            names.append(f'"{name}" ({_why(model, signals, name, at)})')
    if not names:
        return ""
    return (
        f"the teeth of gear pair {' and '.join(names)} left contact. Rigid or rolling wheels cannot move out of mesh. "
        "Constrain the wheels, make the faces or the rack longer, or use Elastic(...), which models loss of contact"
    )


def first_lost(model: Model, signals: Signals) -> int | None:
    """Index of the first sample in which a rigid or rolling pair is out of mesh."""
    rigid = [
        signals[f"{name}.{IN_MESH}"].values for name, pair in model.gear_pairs.items() if pair.law.rigid and signals
    ]
    out = np.flatnonzero([bool(np.any(~(x > 0.0))) for x in np.transpose(rigid)]) if rigid else np.zeros(0, int)
    return int(out[0]) if out.size else None


def without_contact(model: Model, signals: Signals) -> tuple[str, list[str]]:
    """Return (message, warnings) of an equilibrium: pairs out of mesh that hold it, or whose wheels would be inside each other,
    and pairs out of mesh without load, or too close."""
    for name in model.gear_pairs:
        closer = _closer(model, signals, name)
        if closer is not None and closer > _depth(model, name):
            message = (
                f'the wheels of gear pair "{name}" are inside each other there: their centres are {1e3 * closer:.4g} mm closer '
                f"than as built, and the teeth overlap by {1e3 * _depth(model, name):.4g} mm as built. Constrain the centre "
                "distance, or hold the machine with a spring, drive or joint near the position in which the wheels mesh"
            )
            return message, []
    wrong: list[str] = []
    idle: list[str] = []
    for name, pair in model.gear_pairs.items():
        if signals[f"{name}.{IN_MESH}"].values[-1] > 0.0:
            continue
        text = f'"{name}" ({_why(model, signals, name, -1)})'
        bears = pair.law.rigid or signals[f"{name}.normal_force"].values[-1] != 0.0
        (wrong if bears else idle).append(text)
    message = ""
    if wrong:
        message = (
            f"the teeth of gear pair {' and '.join(wrong)} are out of mesh there, but hold the machine in balance. "
            "Constrain the wheels "
            "in mesh, or remove the pair from the model"
        )
    outside = [f"gear pair {text}: its teeth are out of mesh" for text in idle]
    return message, outside + pressed_together(model, signals)


def out_of_contact(model: Model, signals: Signals) -> list[str]:
    """Warn for every gear pair that is out of mesh at the end of the samples."""
    return [
        f'gear pair "{name}" is out of mesh ({_why(model, signals, name, -1)}): its teeth have no stiffness there'
        for name in model.gear_pairs
        if not signals[f"{name}.{IN_MESH}"].values[-1] > 0.0
    ]


def _depth(model: Model, name: str) -> float:
    pair = model.gear_pairs[name]
    return pair.reach.depth


def _why(model: Model, signals: Signals, name: str, at: int) -> str:
    overlap = float(signals[f"{name}.{TIP_OVERLAP}"].values[at])
    if np.isnan(overlap):
        return "wheels far apart"
    if overlap > _LOST * _depth(model, name):
        return "the faces no longer overlap, or the pinion is beyond the end of its rack"
    return f"tips {max(0.0, -1e3 * overlap):.4g} mm apart"
