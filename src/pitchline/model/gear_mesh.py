"""GearMesh: two wheels of a model in mesh, as they stand in the initial pose."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..disk.table_maker import table_maker
from ..errors import ModelError, Subject
from ..gears import Alignment, Gear, GearPair, Rack, centre_distance
from ..gears.axes import AXES_TOLERANCE
from ..gears.compatibility import ANGLE_TOLERANCE
from ..gears.inputs import in_mm
from ..gears.placement import axial_rotation
from ..gears.reach import reach_of
from ..gears.rolling import RollingPair
from ..solids.rotations import Array, frozen, misalignment
from ..units import quantity
from .computed_table import ComputedTable, TableRequest
from .joints import Placed
from .mesh_law import MeshLaw
from .mesh_standing import MeshStanding
from .meshes import Elastic, Loaded, Mesh, Rigid
from .table_cache import TableEntry
from .wheels import Wheel

__all__ = ["GearMesh", "face_offset", "fitted", "fixed", "measured_pair", "shared_face_width"]

_SAME = 1e-9  # relative: a measured centre distance is the nominal one, rounded
_OVERLAP = 1e-6  # of m_n: teeth closer than that are not worth a word
_FACE = 0.5  # of the smaller face: less in mesh is more likely a slip than a design


@dataclass(frozen=True, eq=False)
class GearMesh:
    """Two wheels in mesh. Made by `Model.gear_pair`.

    Attributes
    ----------
    name : str
    wheel_a, wheel_b : Wheel
        A is the pinion of a rack, whichever was given first.
    pair : GearPair | RollingPair
        The geometry, at the centre distance and shaft angle of the initial pose.
    mesh : Elastic | Loaded | Flank | Rigid | Rolling
        As the user said it.
    alignment : Alignment
        Points and triads fixed in the gears, and how they stand in the initial pose; with phase="fit" the teeth of B
        are those for which u = 0.
    known_law : MeshLaw
        The mesh in the hoop direction, as far as it is known without computing a table; see `law`.
    face_offset : float
        How far the middle of the face of B lies beyond that of A, along the axis of A [m].
    standing : MeshStanding | None
        How cylindrical gears on parallel axes stand to each other; None of others.
    request : TableRequest | None
        What the table of the loaded teeth is computed from, where it has to be.
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
    request: TableRequest | None = None

    @cached_property
    def law(self) -> MeshLaw:
        """The mesh in the hoop direction. Where it needs a table that is computed from the gears, the first reading does
        that, or takes it from the cache."""
        if self.request is None:
            return self.known_law
        assert isinstance(self.mesh, (Elastic, Loaded)) and isinstance(self.pair, GearPair)
        return self.known_law.with_table(self._table, self.mesh, self.pair, Subject(f'gear pair "{self.name}"'))

    def with_law(self, law: MeshLaw) -> GearMesh:
        """The same pair with another law."""
        return replace(self, known_law=law, request=None)

    @cached_property
    def _table(self) -> ComputedTable:
        assert self.request is not None
        entry = TableEntry.of(self.request)
        found = entry.load()
        if found is None:
            found = table_maker()(self.request, what=f'gear pair "{self.name}"')
            entry.store(found)
        return found

    @property
    def loaded(self) -> Loaded:
        """The mesh `Loaded` with the table that was computed from the gears, or is computed now; such as was said, where
        loads and approach were given."""
        if not isinstance(self.mesh, Loaded):
            raise ModelError(
                f'gear pair "{self.name}": its mesh is {type(self.mesh).__name__} and has no table; use Loaded()'
            )
        return self.mesh.with_table(self._table) if self.request is not None else self.mesh

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is possible but questionable: in the geometry of the pair, and in how the teeth stand."""
        found = [f'gear pair "{self.name}": {text}' for text in self.pair.warnings]
        u, law = self.alignment.tooth_offset, self.known_law
        overlap = max(u - law.offset, law.offset - law.backlash - u)
        if overlap > _OVERLAP * self.pair.pitch.normal_module:
            found.append(
                f'gear pair "{self.name}": as placed the teeth overlap by {in_mm(overlap)} in the hoop direction (they '
                f"stand {in_mm(u)} beside the middle of their spaces, the backlash is {in_mm(law.backlash)}); turn a "
                'wheel, place it with mesh_with=, or say phase="fit"'
            )
        return tuple(found + self._reach_warnings() + self._unused_modifications())

    def _unused_modifications(self) -> list[str]:
        """Modified flanks that the mesh knows nothing of."""
        if not isinstance(self.mesh, (Elastic, Rigid)) or self.mesh.error or self.request is not None:
            return []
        modified = [f'"{wheel.name}"' for wheel in (self.wheel_a, self.wheel_b) if _is_modified(wheel)]
        if not modified:
            return []
        return [
            f'gear pair "{self.name}": the modifications of {" and ".join(modified)} do not act with {type(self.mesh).__name__}; '
            'they do with Elastic("loaded", torque=...), Loaded() and Flank(), or say error=... yourself'
        ]

    def _reach_warnings(self) -> list[str]:
        """Faces that meet on a small part, and a pinion beyond the last tooth of its rack."""
        reach = reach_of(self.pair, self.alignment)
        found = []
        if reach.face_in_mesh < _FACE:
            found.append(
                f'gear pair "{self.name}": only {100.0 * reach.face_in_mesh:.3g} % of the smaller face is in mesh, the centres are '
                f"{in_mm(abs(self.face_offset))} apart along the axis; the stiffness of the mesh is taken to be that of this part"
            )
        if reach.travel is not None:
            low, high = reach.travel
            beyond = max(low - self.alignment.psi_b, self.alignment.psi_b - high)
            if beyond > 0.0:
                found.append(
                    f'gear pair "{self.name}": the pitch point stands {in_mm(beyond)} beyond the end of the rack, where contact '
                    f"ends within {in_mm(0.5 * reach.pitch)}; move the pinion, or give the rack more teeth"
                )
        return found

    def __repr__(self) -> str:
        return f"GearMesh({self.name!r}: {self.pair.kind}, {self.wheel_a.name!r} - {self.wheel_b.name!r})"


def _is_modified(wheel: Wheel) -> bool:
    """Whether flanks of a wheel differ from involutes."""
    return isinstance(wheel.gear, Gear) and bool(wheel.gear.modifications)


def measured_pair(
    a: Gear, b: Gear | Rack, pose_a: Placed, pose_b: Placed, distance: object, angle: object, what: Subject
) -> GearPair:
    """The pair of two gears where they stand: what `GearPair` needs and is not said is measured.

    Parallel axes: the centre distance. Crossed axes: the shaft angle. Bevels whose spiral angles do not cancel: the
    offset of a hypoid pair. What agrees with the nominal value to rounding is taken to be that.
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
    # Axes that should be parallel and are not: there the distance means nothing, and the alignment tells.
    if free and distance is None and lines <= AXES_TOLERANCE:
        found = float(np.linalg.norm(x_ab - (x_ab @ z_a) * z_a))
        distance = found if abs(found - _nominal_distance(a, b)) > _SAME * found else None
    return GearPair(a, b, centre_distance=distance, shaft_angle=sigma, what=what)


def _shaft_angle(helices: float, lines: float) -> float | None:
    """The shaft angle that the poses mean, from |β_A + β_B| and the angle between the lines of the axes [rad]."""
    if helices <= ANGLE_TOLERANCE:
        return None
    if abs(lines - min(helices, math.pi - helices)) <= AXES_TOLERANCE:
        return helices
    return None if lines <= AXES_TOLERANCE else lines


def _nominal_distance(a: Gear, b: Gear | Rack) -> float:
    """Where the wheels run without backlash [m]; infinite where they do not, which `GearPair` then tells."""
    try:
        return centre_distance(a, b) if isinstance(b, Gear) else math.inf
    except ModelError:
        return math.inf


def _apart(x_ab: Array, z_a: Array, z_b: Array) -> float:
    """The distance between two lines [m]."""
    normal = np.cross(z_a, z_b)
    length = float(np.linalg.norm(normal))
    if length < AXES_TOLERANCE:
        return float(np.linalg.norm(x_ab - (x_ab @ z_a) * z_a))
    return abs(float(x_ab @ normal)) / length


def fixed(alignment: Alignment) -> Alignment:
    """The same with arrays that cannot be written to."""
    return replace(
        alignment,
        point_a=frozen(alignment.point_a),
        point_b=frozen(alignment.point_b),
        triad_a=frozen(alignment.triad_a),
        triad_b=frozen(alignment.triad_b),
        mesh=frozen(alignment.mesh),
    )


def fitted(alignment: Alignment) -> Alignment:
    """The same with the teeth of B moved on their wheel so that u = 0.

    Turning X0 by Δ about its axis adds Δ to ψ_B; moving the point of a rack by −Δ along ξ3 adds Δ to its travel.
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
    """How far B stands beyond A along the axis of A [m]."""
    return float((pose_b[0] - pose_a[0]) @ pose_a[1][:, 2])


def shared_face_width(pair: GearPair, pose_a: Placed, pose_b: Placed) -> float | None:
    """The width on which both faces meet [m]: less than either where cylinders are moved along their axes.

    None where a width is not known, or where the axes are not parallel.
    """
    a, b = pair.a, pair.b
    parallel = pair.kind.parallel or (pair.kind == "rack and pinion" and pair.shaft_angle < AXES_TOLERANCE)
    if not parallel or a.face_width is None or b.face_width is None:
        return None
    axial = face_offset(pose_a, pose_b)
    low = max(-0.5 * a.face_width, axial - 0.5 * b.face_width)
    high = min(0.5 * a.face_width, axial + 0.5 * b.face_width)
    return high - low
