"""Loaded tooth contact of two elastic gears under a torque, position by position.

Gear A has the angle φ_A. The torque presses gear B against it. The approach along the flank normals is x: it includes bending of
the teeth, twist of the gear bodies and flattening of the flanks. The normals of involutes are tangent to the base cylinder, so the
lever of every force on B is r_b cos β_b:

    Σ λ = T/(r_b cos β_b) ,    gap = g − x + A λ >= 0 ,   λ >= 0 ,   λ gap = 0 ,    e = x/cos β_b .

g comes from the flanks with their modifications (`contact.flank_gap`), A from finite elements and the half-space
(`contact.body_compliance`). An active-set method finds the loaded cells (`contact.active_set`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ..arguments import names_wrong_arguments
from ..contact.edge_cells import edge_cells
from ..contact.edge_names import EDGES
from ..contact.elastic_pair import Contact, ElasticPair
from ..contact.mesh_pose import MeshPose, mesh_pose
from ..errors import ModelError, shown
from ..fem.elastic_gear import ElasticGear, elastic_gear
from ..gears import Gear, GearPair
from ..gears.inputs import number, whole
from ..gears.teeth import Teeth
from ..model import Model
from ..progress import current, staged
from ..results.loaded_contact import LoadedContact
from ..results.result import Result
from ..units import quantity
from .contact_gears import contact_gears
from .kept_gears import KeptGears
from .mesh_at_result import torque_at

__all__ = ["loaded_contact"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_WHAT = "loaded contact"
_kept = KeptGears()
_EDGE_BEYOND = 1.1
"""Edge pressure divided by flank pressure above which a warning is given."""


@names_wrong_arguments
@staged("loaded contact of two gears")
def loaded_contact(
    a: ElasticGear | Teeth | Gear | GearPair | Model,
    b: ElasticGear | Teeth | Gear | str | None = None,
    *,
    torque: object = None,
    about: Result | None = None,
    positions: object = 32,
    pitches: object = 1,
    start: object = 0.0,
    centre_distance: object = None,
    misalignment: object = 0.0,
    deviation: object = 0.0,
    inclination: object = 0.0,
    face_offset: object = 0.0,
    resolution: object = 4.0,
    cells: object = 15,
    progress: Callable[[float, str], None] | None = None,
) -> LoadedContact:
    """Compute the contact of two elastic gears under load: transmission error, mesh stiffness, load sharing and pressure.

    Parameters
    ----------
    a, b
        Cylindrical gears, b external or internal: a `Gear` with its modifications or `Teeth` (the elasticity is then computed
        with the default grid and kept), or an `ElasticGear` with fixed bore (see `ElasticGear.with_teeth` to change its
        modifications). Or one `GearPair`, whose centre distance is used. Or a model and the name of a gear pair: centre
        distance, face offset and misalignment are then those of its initial pose, and the transmission error is that of the
        mesh of the model, measured at its pitch point.
    torque
        Torque on gear B [N m], one or more values with the same sign. Positive: the left flanks of A touch (a driving gear A
        rotates in the positive direction); negative: the right ones. None: the torque of the teeth in the result `about`.
    about
        Result of statics, kinematics or dynamics of the model. The relative position of the wheels is that of its end, instead
        of the initial pose. This includes the deflection of shafts and bearings: misalignment and centre distance, and
        therefore K_Hβ and pressures. The tilt in the result depends on the mesh of the model: see its `tilt` and `tilts`.
    positions, pitches, start
        Number of positions per pitch, number of pitches of gear A, and first position [pitches]. If teeth have pitch errors, z_B
        pitches include every tooth of gear B once.
    centre_distance
        [m]; default: the distance without backlash.
    misalignment
        Angle [rad] between the axes of B and A in the plane of action. A positive angle closes the gap towards +z. For a model,
        misalignment, deviation and inclination are added to those of its wheels.
    deviation, inclination
        Angles [rad] of the axis of B out of the plane of both axes (towards +y, with gear B on the +x side of gear A), and in
        this plane (away from gear A), for increasing z.
    face_offset
        Distance of the middle of the face of B from that of A in the direction +z [m].
    resolution, cells
        Number of cells in Hertz's half width, and across a strip of contact: resolution of the pressure.
    progress
        Function that is called with the completed fraction, from 0 to 1, and the present task.
    """
    gears = contact_gears(a, b, _WHAT, centre_distance=centre_distance, about=about)
    if torque is None:
        if about is None:
            raise ModelError(
                f"{_WHAT}: specify torque=... (on gear B), or about=... (a result of the model; its load is used)"
            )
        assert isinstance(a, Model) and isinstance(b, str)
        torque = torque_at(a, b, about, _WHAT)
    torques, side = _torques(torque)
    each = whole(positions, f"{_WHAT}: positions", at_most=100_000)
    count = each * whole(pitches, f"{_WHAT}: pitches")
    first = number(start, f"{_WHAT}: start")
    fine = number(resolution, f"{_WHAT}: resolution")
    if not 1.0 <= fine <= 50.0:
        raise ModelError(f"{_WHAT}: resolution must be from 1 to 50 cells per half width, got {shown(resolution)}")
    across = whole(cells, f"{_WHAT}: cells", at_least=5, at_most=200)
    for gear, name in ((gears.a, "a"), (gears.b, "b")):
        _check_held(gear, name)
    pose = mesh_pose(
        *gears.teeth,
        side,
        centre_distance=gears.centre_distance,
        misalignment=misalignment,
        deviation=gears.deviation + quantity(deviation, "angle", what=f"{_WHAT}: deviation"),
        inclination=gears.inclination + quantity(inclination, "angle", what=f"{_WHAT}: inclination"),
        face_offset=gears.face_offset + quantity(face_offset, "length", what=f"{_WHAT}: face_offset"),
    )
    tell = current().telling(progress)
    elastic_a, elastic_b = _elastic(gears.a, "a", tell), _elastic(gears.b, "b", tell)
    pair = ElasticPair(elastic_a, elastic_b, side=side, pose=pose.placement, resolution=fine, cells=across)
    phase = first + np.arange(count) / each
    angle = gears.start + phase * gears.teeth[0].gear.angular_pitch

    near = [pose.near_teeth(phi, pair.zeta) for phi in angle]
    lengths = [pose.contact_length(phi, pair.zeta, pair.widths, teeth) for phi, teeth in zip(angle, near, strict=True)]
    contacts: list[tuple[Contact, ...]] = []
    for t, T in enumerate(torques):
        pair.forget()
        force = abs(float(T)) / pair.lever
        row = []
        for i, phi in enumerate(angle):
            row.append(pair.press(phi, _angle_b(pair, pose, phi), force, near[i], length=lengths[i]))
            tell((t * count + i + 1) / (count * len(torques)), "contact")
        contacts.append(tuple(row))
    touch = np.array([pair.first_touch(phi, _angle_b(pair, pose, phi), near[i]) for i, phi in enumerate(angle)])
    found = _result(pair, pose, torques, phase, angle, touch, tuple(contacts), each)
    if gears.pitch_point is None:
        return found
    closed = pose.closing_at_pitch_point(gears.pitch_point)
    return replace(
        found, transmission_error=found.transmission_error + closed, no_load_error=found.no_load_error + closed
    )


def _angle_b(pair: ElasticPair, pose: MeshPose, phi: float) -> float:
    """Of gear B [rad], with its ideal flanks on those of A."""
    return pair.ratio * float(phi) + pair.shape_b.side * pose.play


def _torques(value: object) -> tuple[FloatArray, str]:
    """Torques [N m] and the side of gear A that they press on."""
    many = value if isinstance(value, (list, tuple, np.ndarray)) else [value]
    T = np.array([quantity(one, "torque", what=f"{_WHAT}: torque") for one in many])
    if len(T) == 0 or (T == 0.0).any() or (np.sign(T) != np.sign(T[0])).any():
        raise ModelError(
            f"{_WHAT}: torque must be one or more values with the same sign, not zero (see no_load_error for rigid gears), "
            f"got {shown(value)}"
        )
    return T, "left" if T[0] > 0.0 else "right"


def _check_held(gear: ElasticGear | Teeth, name: str) -> None:
    if isinstance(gear, ElasticGear) and gear.bore != "fixed":
        raise ModelError(
            f'{_WHAT}: gear {name} is free (bore "{gear.bore}"), but torque requires a fixed bore. Specify an '
            'ElasticGear with bore="fixed"'
        )


def _elastic(gear: ElasticGear | Teeth, name: str, tell: Callable[[float, str], None]) -> ElasticGear:
    if isinstance(gear, ElasticGear):
        return gear
    found = _kept.found(gear)
    if found is None:
        found = elastic_gear(gear, progress=lambda part, what: tell(0.0, f"gear {name}: {what}"))
        _kept.keep(found)
    return found


def _result(
    pair: ElasticPair, pose: MeshPose, torques: FloatArray, phase: FloatArray, angle: FloatArray,
    touch: FloatArray, contacts: tuple[tuple[Contact, ...], ...], each: int,
) -> LoadedContact:  # fmt: skip
    cosine = pair.shape_b.base_helix_cosine

    def of_all(pick: Callable[[Contact], float]) -> FloatArray:
        return np.array([[pick(one) for one in row] for row in contacts])

    seen = np.unique(np.concatenate([one.strips["tooth_a"] for row in contacts for one in row]))
    pair_load = np.zeros((len(torques), len(phase), len(seen)))
    for t, row in enumerate(contacts):
        for i, one in enumerate(row):
            np.add.at(pair_load[t, i], np.searchsorted(seen, one.strips["tooth_a"]), one.strip_loads)
    carried = (pair_load > 0.0).any(axis=(0, 1))
    widths = pair.widths

    edges = tuple(tuple(edge_cells(one, pair) for one in row) for row in contacts)
    pressures = [
        [
            one.loads.reshape(-1, one.count) / (one.strips["height"] * widths[one.strips["slice"]])[:, None]
            for one in row
        ]
        for row in contacts
    ]

    def peak(*, at_edges: bool) -> FloatArray:
        found = [
            [float(p[(mark > 0) == at_edges].max(initial=0.0)) for p, mark in zip(row, marks, strict=True)]
            for row, marks in zip(pressures, edges, strict=True)
        ]
        return np.array(found)

    max_pressure, edge_pressure = peak(at_edges=False), peak(at_edges=True)
    warnings = [*pose.pair.warnings, *_edge_warnings(torques, pressures, edges, max_pressure)]
    reach = min(pair.body_a.reach, pair.body_b.reach)
    together = max(int(np.ptp(one.strips["tooth_a"][one.strip_loads > 0.0])) for row in contacts for one in row)
    if together > reach:
        warnings.append(
            f"pairs of teeth {together} pitches apart carry load at the same time, but the elastic gears contain neighbours up to "
            f"{reach}. Build them with offsets={together}"
        )
    ends = pair.shape_a.limits
    gears = [gear.teeth.gear for gear in (pair.a, pair.b)]
    return LoadedContact(
        torque=torques,
        phase=phase,
        angle=angle,
        transmission_error=of_all(lambda one: one.approach) / cosine,
        no_load_error=touch / cosine,
        tangent_stiffness=of_all(lambda one: one.stiffness) * cosine**2,
        pairs=seen[carried],
        pair_load=pair_load[:, :, carried],
        max_pressure=max_pressure,
        edge_pressure=edge_pressure,
        rounds=of_all(lambda one: one.rounds).astype(np.int64),
        contact_ratio=pose.pair.total_contact_ratio,
        base_radius=pair.shape_b.base_radius,
        base_helix_angle=math.acos(min(cosine, 1.0)),
        face_width=pair.face_width,
        positions_per_pitch=each,
        side=pair.side,
        name=f"{gears[0].teeth}/{gears[1].teeth} teeth",
        faces=pair.zeta,
        widths=widths,
        flank_limits=(float(ends.min()), float(ends.max())),
        contacts=contacts,
        edges=edges,
        a=pair.a.teeth,
        b=pair.b.teeth,
        placement_b=pair.pose,
        angle_b=np.array([_angle_b(pair, pose, phi) for phi in angle]),
        warnings=tuple(warnings),
    )


def _edge_warnings(
    torques: FloatArray,
    pressures: list[list[FloatArray]],
    edges: tuple[tuple[IntArray, ...], ...],
    max_pressure: FloatArray,
) -> list[str]:
    """One for each kind of edge whose pressure is well beyond that of the flanks."""
    advice = {"tip": "relieve the tips", "root": "relieve the tips", "end": "crown the teeth or relieve their ends"}
    found = []
    for kind, name in enumerate(EDGES):
        if not name:
            continue
        peaks = [
            max(float(p[mark == kind].max(initial=0.0)) for p, mark in zip(row, marks, strict=True))
            for row, marks in zip(pressures, edges, strict=True)
        ]
        t = int(np.argmax(peaks))
        if peaks[t] > _EDGE_BEYOND * float(max_pressure[t].max()):
            words = (
                "an end of the face"
                if name == EDGES[-1]
                else f"the {name.replace(' a', ' gear A').replace(' b', ' gear B')}"
            )
            found.append(
                f"edge contact at {words}: {1e-6 * peaks[t]:.0f} MPa, compared with "
                f"{1e-6 * float(max_pressure[t].max()):.0f} MPa on the "
                f"flanks at {torques[t]:.5g} N m. At a sharp edge the pressure has no limit and depends on the cell "
                "size. To avoid it, "
                f"{advice[name.split()[0]]}"
            )
    return found
