"""GearMesh: two wheels of a model in mesh, with their position in the initial pose, and measured pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject
from pitchline.facades import loaded_table
from pitchline.functions.piecewise import Function
from pitchline.solids.rotations import frozen, misalignment
from pitchline.units.quantity import quantity

from ..bodies.part import Placed
from ..gears.geometry.axes import AXES_TOLERANCE, Alignment, RollingPair
from ..gears.geometry.directions import Reach, length_factor, reach_of, usual_direction
from ..gears.geometry.gear import Gear
from ..gears.geometry.inputs import in_mm
from ..gears.geometry.kinds import ANGLE_TOLERANCE, centre_distance
from ..gears.geometry.pair import GearPair
from ..gears.geometry.placement import axial_rotation
from ..gears.geometry.rack import Rack
from ..gears.part import Wheel
from .computed_table import ComputedTable, TableEntry, TableRequest
from .force_law import MeshLaw
from .laws import Mesh
from .laws.elastic import Elastic, Rigid
from .laws.flank import Flank
from .laws.loaded import Loaded
from .laws.varying import TIME, Varying
from .table_request import MeshStanding, has_plane_of_action

__all__ = [
    "GearMesh",
    "face_offset",
    "fitted",
    "fixed",
    "measured_pair",
    "shared_face_width",
    "in_closed_form",
    "responds_to_position",
]


_SAME = 1e-9  # relative: a measured centre distance is the nominal one, rounded
_OVERLAP = 1e-6  # of m_n: no warning for smaller overlaps
_FACE = 0.5  # of the smaller face: if less is in mesh, it is probably a mistake


@dataclass(frozen=True, eq=False)
class GearMesh:
    """Two wheels in mesh. `Model.gear_pair` makes it.

    Attributes
    ----------
    name : str
    wheel_a, wheel_b : Wheel
        For a rack and its pinion, A is always the pinion.
    pair : GearPair | RollingPair
        Geometry, at the centre distance and shaft angle of the initial pose.
    mesh : Elastic | Loaded | Flank | Rigid | Rolling
        Mesh as specified by the user.
    alignment : Alignment
        Points and triads fixed in the gears, and their position in the initial pose. With phase="fit" the teeth of B are
        placed so that u = 0.
    known_law : MeshLaw
        Force law of the mesh, without a table that must be computed; see `law`.
    face_offset : float
        Offset of the middle of the face of B from that of A, along the axis of A [m].
    standing : MeshStanding | None
        Relative position of cylindrical gears on parallel axes. None for other gears.
    request : TableRequest | None
        Input of the table of loaded tooth contact, if the table must be computed.
    phase : str
        "fit" or "as placed" as specified. "": the default, which moves the teeth as "fit" but requires that closed trains fit.
    """

    name: str
    wheel_a: Wheel
    wheel_b: Wheel
    pair: GearPair | RollingPair
    mesh: Mesh
    alignment: Alignment
    known_law: MeshLaw
    face_offset: float = 0.0
    standing: MeshStanding | None = None
    poses: tuple[Placed, Placed] | None = None
    request: TableRequest | None = None
    phase: str = ""

    @cached_property
    def law(self) -> MeshLaw:
        """Force law of the mesh, in the direction of signals. If it needs a table computed from the gears, the first access
        computes the table or reads it from the cache."""
        if self.request is None:
            return self.known_law
        assert isinstance(self.mesh, (Elastic, Loaded))
        return self.known_law.with_table(self._table, self.mesh, Subject(f'gear pair "{self.name}"'))

    @property
    def along(self) -> str:
        """Direction of lengths, stiffness and damping in the signals of the pair: "base circle" or "normal"."""
        return usual_direction(self.pair.kind, self.alignment.pitch)

    @property
    def length_factor(self) -> float:
        """κ: a length in that direction divided by the same length along the hoop; cos α_t / cos β, or cos α_n."""
        return length_factor(self.pair.kind, self.alignment.pitch)

    def with_law(self, law: MeshLaw) -> GearMesh:
        """Return the same pair with another force law.

        Parameters
        ----------
        law
            New force law.
        """
        return replace(self, known_law=law, request=None)

    @cached_property
    def _table(self) -> ComputedTable:
        assert self.request is not None
        entry = TableEntry.of(self.request)
        found = entry.load()
        if found is None:
            found = loaded_table(self.request, what=f'gear pair "{self.name}"')
            entry.store(found)
        return found

    @property
    def loaded(self) -> Loaded:
        """The mesh `Loaded` with its table. The table is computed if necessary. If loads and approach were specified, the mesh
        as specified."""
        if not isinstance(self.mesh, Loaded):
            raise ModelError(
                f'gear pair "{self.name}": its mesh is {type(self.mesh).__name__} and has no table; use Loaded()'
            )
        if self.request is None:
            return self.mesh
        return self.mesh.with_table(self._table)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the geometry of the pair and the position of the teeth."""
        found = [f'gear pair "{self.name}": {text}' for text in self.pair.warnings]
        u, law = self.length_factor * self.alignment.tooth_offset, self.known_law
        overlap = max(u - law.offset, law.offset - law.backlash - u)
        if overlap > _OVERLAP * self.pair.pitch.normal_module:
            found.append(
                f'gear pair "{self.name}": as placed, the teeth overlap by {in_mm(overlap)} on the {self.along} (they are '
                f"{in_mm(u)} off the middle of their spaces, the backlash is {in_mm(law.backlash)}); rotate a "
                'wheel, place it with mesh_with=, or specify phase="fit"'
            )
        return tuple(found + self._reach_warnings() + self._unused_modifications() + self._unusual_options())

    @property
    def functions_of_time(self) -> dict[str, Function]:
        """Errors and backlash that are functions of time, by name."""
        law = self.known_law
        parts = {"error": law.errors, "backlash": law.plays}
        return {
            f"{self.name}.{what}" + (f"[{k}]" if k else ""): part.function
            for what, terms in parts.items()
            for k, part in enumerate(t for t in terms if isinstance(t, Varying) and t.over == TIME)
        }

    def _unusual_options(self) -> list[str]:
        """Warnings about a fixed line of action with two flanks, and about friction where teeth do not slide."""
        law = self.known_law
        found = []
        if law.friction and law.path == 0.0 and isinstance(self.pair, GearPair) and has_plane_of_action(self.pair):
            found.append(
                f'gear pair "{self.name}": its friction acts at the pitch point, where teeth on parallel axes do not slide, and '
                'causes no loss; specify sliding="path of contact" for the mean loss over the path of contact, or efficiency'
            )
        if not law.line or not law.backlash:
            return found
        other = "coast" if law.line > 0 else "drive"
        return [
            *found,
            f'gear pair "{self.name}": its line of action is always that of one flank, but the backlash lets the {other} flank '
            'come into contact, whose force then pulls the wheels together; specify line_of_action="automatic", or backlash=0',
        ]

    def _unused_modifications(self) -> list[str]:
        """Warnings about flank modifications and imported flanks that the mesh does not use."""
        if not isinstance(self.mesh, (Elastic, Rigid)) or self.mesh.error or self.request is not None:
            return []
        found = []
        for what, has in (("modifications", _is_modified), ("imported flanks", _is_imported)):
            ignored = [f'"{wheel.name}"' for wheel in (self.wheel_a, self.wheel_b) if has(wheel)]
            if ignored:
                found.append(
                    f'gear pair "{self.name}": {type(self.mesh).__name__} ignores the {what} of {" and ".join(ignored)}; '
                    'Elastic("loaded", torque=...), Loaded() and Flank() use them, or specify error=...'
                )
        return found

    @cached_property
    def reach(self) -> Reach:
        """Limits of contact in the actual position of the gears."""
        return reach_of(self.pair, self.alignment)

    def _reach_warnings(self) -> list[str]:
        """Warnings about a small common face width, and about a pinion beyond the last tooth of its rack."""
        reach = self.reach
        found = []
        if reach.face_in_mesh < _FACE:
            found.append(
                f'gear pair "{self.name}": only {100.0 * reach.face_in_mesh:.3g} % of the smaller face is in mesh, the centres are '
                f"{in_mm(abs(self.face_offset))} apart along the axis; the mesh stiffness is computed for this fraction of the face"
            )
        if reach.travel is not None:
            low, high = reach.travel
            beyond = max(low - self.alignment.psi_b, self.alignment.psi_b - high)
            if beyond > 0.0:
                found.append(
                    f'gear pair "{self.name}": the pitch point is {in_mm(beyond)} beyond the end of the rack, where contact '
                    f"ends within {in_mm(0.5 * reach.pitch)}; move the pinion, or specify more teeth for the rack"
                )
        return found

    def __repr__(self) -> str:
        return f"GearMesh({self.name!r}: {self.pair.kind}, {self.wheel_a.name!r} - {self.wheel_b.name!r})"


def _is_modified(wheel: Wheel) -> bool:
    """Whether flanks of a wheel differ from involutes."""
    return isinstance(wheel.gear, Gear) and bool(wheel.gear.modifications)


def _is_imported(wheel: Wheel) -> bool:
    """Whether a wheel has flanks from points or surfaces."""
    return wheel.gear is not None and wheel.gear.flanks is not None


def measured_pair(
    a: Gear, b: Gear | Rack, pose_a: Placed, pose_b: Placed, distance: object, angle: object, what: Subject
) -> GearPair:
    """Make the pair of two gears in their positions. Values that `GearPair` needs and that are not specified are measured.

    Parallel axes: the centre distance. Crossed axes: the shaft angle. Bevel gears whose spiral angles do not cancel: the
    offset of a hypoid pair. A measured value that differs from the nominal value only by rounding is set to the nominal value.
    """
    (x_a, R_a), (x_b, R_b) = pose_a, pose_b
    x_ab, z_a, z_b = x_b - x_a, R_a[:, 2], R_b[:, 2]
    tilt = misalignment(z_a, z_b)
    lines = min(tilt, math.pi - tilt)
    sigma = None if angle is None else quantity(angle, "angle", what=what / "shaft_angle")
    cones = any(isinstance(gear, Gear) and bool(gear.cone_angle or gear.profile_shift_angle) for gear in (a, b))
    if cones:
        if distance is None and abs(a.helix_angle + b.helix_angle) > ANGLE_TOLERANCE:
            distance = _apart(x_ab, z_a, z_b)
    elif sigma is None and not (a.internal or (isinstance(b, Gear) and b.internal)):
        sigma = _shaft_angle(abs(a.helix_angle + b.helix_angle), lines)
    parallel = sigma is None or min(abs(sigma), abs(math.pi - sigma)) <= ANGLE_TOLERANCE
    free = parallel and not cones and isinstance(b, Gear) and not (a.worm or b.worm)
    # Axes that should be parallel and are not: the distance is not defined, and the alignment reports the error.
    if free and distance is None and lines <= AXES_TOLERANCE:
        found = float(np.linalg.norm(x_ab - (x_ab @ z_a) * z_a))
        distance = found if abs(found - _nominal_distance(a, b)) > _SAME * found else None
    return GearPair(a, b, centre_distance=distance, shaft_angle=sigma, what=what)


def _shaft_angle(helices: float, lines: float) -> float | None:
    """Shaft angle of the poses, from |β_A + β_B| and the angle between the lines of the axes [rad]."""
    if helices <= ANGLE_TOLERANCE:
        return None
    if abs(lines - min(helices, math.pi - helices)) <= AXES_TOLERANCE:
        return helices
    return None if lines <= AXES_TOLERANCE else lines


def _nominal_distance(a: Gear, b: Gear | Rack) -> float:
    """Centre distance without backlash [m]. Infinite if there is none; `GearPair` then reports the error."""
    try:
        return centre_distance(a, b) if isinstance(b, Gear) else math.inf
    except ModelError:
        return math.inf


def _apart(x_ab: FloatArray, z_a: FloatArray, z_b: FloatArray) -> float:
    """Distance between two lines [m]."""
    normal = np.cross(z_a, z_b)
    length = float(np.linalg.norm(normal))
    if length < AXES_TOLERANCE:
        return float(np.linalg.norm(x_ab - (x_ab @ z_a) * z_a))
    return abs(float(x_ab @ normal)) / length


def fixed(alignment: Alignment) -> Alignment:
    """Return the same alignment with read-only arrays."""
    return replace(
        alignment,
        point_a=frozen(alignment.point_a),
        point_b=frozen(alignment.point_b),
        triad_a=frozen(alignment.triad_a),
        triad_b=frozen(alignment.triad_b),
        mesh=frozen(alignment.mesh),
    )


def fitted(alignment: Alignment) -> Alignment:
    """Return the same alignment with the teeth of B moved on their wheel so that u = 0.

    A rotation of X0 by Δ about its axis adds Δ to ψ_B. A shift of the point of a rack by −Δ along ξ3 adds Δ to its travel.
    """
    p, u = alignment.pitch, alignment.tooth_offset
    if p.is_rack:
        move = u / math.cos(p.beta_b)
        point = alignment.point_b - move * alignment.triad_b[:, 2]
        return fixed(replace(alignment, point_b=point, psi_b=alignment.psi_b + move))
    turn = -2.0 * u / (p.normal_module * p.teeth_b)
    triad = alignment.triad_b @ axial_rotation(turn)
    return fixed(replace(alignment, triad_b=triad, psi_b=math.remainder(alignment.psi_b + turn, 2.0 * math.pi)))


def face_offset(pose_a: Placed, pose_b: Placed) -> float:
    """Offset of B from A along the axis of A [m]."""
    return float((pose_b[0] - pose_a[0]) @ pose_a[1][:, 2])


def shared_face_width(pair: GearPair, pose_a: Placed, pose_b: Placed) -> float | None:
    """Common face width [m]. It is smaller than both face widths if cylindrical gears are offset along their axes.

    None if a face width is not specified, or if the axes are not parallel.
    """
    a, b = pair.a, pair.b
    parallel = pair.kind.parallel or (pair.kind == "rack and pinion" and pair.shaft_angle < AXES_TOLERANCE)
    if not parallel or a.face_width is None or b.face_width is None:
        return None
    axial = face_offset(pose_a, pose_b)
    low = max(-0.5 * a.face_width, axial - 0.5 * b.face_width)
    high = min(0.5 * a.face_width, axial + 0.5 * b.face_width)
    return high - low


# ---- flank position

# Which elastic flanks respond to all displacements of the axes, and which are involutes in closed form.


def in_closed_form(part: GearMesh) -> bool:
    """Whether flanks are involutes on parallel axes that point in one direction, or conical involute gears, with elements."""
    pair, pitch, mesh = part.pair, part.alignment.pitch, part.mesh
    if not isinstance(pair, GearPair) or not isinstance(pair.b, Gear) or not isinstance(mesh, Flank):
        return False
    if "body" in mesh.elements_a or "body" in mesh.elements_b:  # rigid gears have their hats on surfaces
        return False
    if pair.a.flanks is not None or pair.b.flanks is not None or not (pair.kind.parallel or pair.kind == "beveloid"):
        return False
    return pitch.axis_sign_a * pitch.axis_sign_b == pair.a.sense * pair.b.sense


def responds_to_position(part: GearMesh) -> bool:
    """Whether the flanks act with their own normals and respond to all displacements of the axes: all but those in closed form,
    unless the mesh excludes it."""
    mesh, law = part.mesh, part.law
    if not isinstance(mesh, Flank) or in_closed_form(part) or mesh.tilt is False:
        return False
    if law.separating and law.follow_centres:
        return True
    if mesh.tilt or law.tilt_width:
        raise ModelError(
            f'gear pair "{part.name}": the tilt of this pair is part of all displacements of its axes. Leave out separating=False '
            "and follow_centres=False of Flank, or use tilt=False"
        )
    return False
