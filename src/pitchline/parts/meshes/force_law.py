"""MeshLaw: force law of a mesh over the approach of its teeth, in one direction and in SI, made from the mesh description."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject
from pitchline.functions.sampled import Table

from ..gears.geometry.axes import RollingPair
from ..gears.geometry.directions import BASE_CIRCLE, length_factor
from ..gears.geometry.pair import GearPair
from ..gears.geometry.rack import Rack
from .computed_table import ComputedTable, FaceLoadTable
from .laws import Mesh
from .laws.common import DAMPING_ACTS, DAMPING_RATES, LINES_OF_ACTION, SLIDING, Friction, Variable
from .laws.elastic import LOADED, Elastic, Rigid, Rolling
from .laws.flank import Flank
from .laws.loaded import Loaded
from .laws.own import OwnMesh
from .laws.varying import Varying
from .springs import TYPICAL, mean_stiffness, penalty_of, play_of, scaled, springs_of, to_hoop
from .table_request import felt_width, has_plane_of_action
from .tables import LoadTable, TiltTable

__all__ = [
    "average_slope",
    "check_cycles",
    "check_terms",
    "check_tilts",
    "line_width_of",
    "sliding_path",
    "tilt_width_of",
    "MeshLaw",
    "effective_mass",
]


# ---- average slope

# Mesh stiffness and transmission error between zero load and one torque, from a table of loaded tooth contact.


def average_slope(table: ComputedTable, torque: float) -> tuple[Varying, Varying]:
    """Compute k(φ) = F/(u_T − u_0) [N/m] and x(φ) = −u_0 [m] over the mesh cycle, along the base circle.

    For a negative torque these are the values of the coast flanks. There x = +u_0, because the teeth approach in the
    opposite direction.
    """
    u, sign = table.approach, -1.0
    if torque < 0.0:
        phases = u.shape[1]
        u, sign = (u[:, -np.arange(phases)] if table.coast is None else table.coast), 1.0
    force = float(table.loads[-1])
    return _over_cycle(force / (u[-1] - u[0])), _over_cycle(sign * u[0])


def _over_cycle(values: FloatArray) -> Varying:
    angles = np.linspace(0.0, 2.0 * math.pi, len(values) + 1)
    return Varying(Table(angles, np.append(values, values[0]), kind="cubic", periodic=True, over="angle"))


# ---- mesh checks

# Checks of a mesh against its gear pair, and widths of the face over which its teeth act.

MOST_ERRORS = 8


def sliding_path(mesh: Elastic | Loaded | OwnMesh | Rigid, pair: GearPair, what: Subject) -> float:
    """Mean distance from the pitch point at which friction acts [m]; 0: at the pitch point."""
    if mesh.sliding == SLIDING[0]:
        return 0.0
    if not has_plane_of_action(pair):
        raise ModelError(
            f"{what}: sliding on the path of contact is for wheels on parallel axes; omit sliding for a {pair.kind} pair"
            + (", whose teeth slide at the pitch point" if pair.kind.crossed else ", and specify efficiency"),
            about=what.at("sliding"),
        )
    return pair.path_of_contact.mean_distance


def check_terms(errors: tuple[Variable, ...], what: Subject) -> None:
    count = sum(isinstance(term, Varying) for term in errors)
    if count > MOST_ERRORS:
        raise ModelError(
            f"{what}: has {count} errors that vary; at most {MOST_ERRORS} are possible. Add those over the same cycle",
            about=what.at("error"),
        )


def check_cycles(mesh: Elastic | Loaded | OwnMesh | Rigid, pair: GearPair, what: Subject) -> None:
    """Check that no value varies over the revolution of a rack, which does not rotate."""
    if not isinstance(pair.b, Rack):
        return
    parts: dict[str, tuple[Variable, ...]] = {"error": mesh.error}
    for name in ("backlash", "damping"):
        given = getattr(mesh, name, None)
        if isinstance(given, tuple):
            parts[name] = given
    if isinstance(mesh, Elastic) and not isinstance(mesh.stiffness, str):
        parts["stiffness"] = mesh.stiffness
    for name, items in parts.items():
        if any(isinstance(item, Varying) and item.over == "revolution of b" for item in items):
            raise ModelError(
                f'{what}: {name} varies over the "revolution of b", but B is a rack (a is always the pinion); use '
                '"revolution of a" or "mesh cycle"',
                about=what.at(name),
            )


def check_tilts(mesh: Loaded, pair: GearPair, what: Subject) -> None:
    if mesh.tilts is not None and not has_plane_of_action(pair):
        raise ModelError(
            f"{what}: tilts need wheels on parallel axes, which have a plane of action; omit them for a {pair.kind} "
            "pair",
            about=what.at("tilts"),
        )


def tilt_width_of(
    mesh: Elastic | Flank, pair: GearPair, face_width: float | None, *, on_structure: bool, what: Subject
) -> float:
    """Tilt width on the base circle: the tilt is measured across the axes, along the base circles."""
    width = felt_width(mesh, pair, face_width, on_structure=on_structure, what=what)
    return width * length_factor(pair.kind, pair.pitch) / to_hoop(BASE_CIRCLE, pair, what) if width else 0.0


def line_width_of(pair: GearPair, face_width: float | None, what: Subject) -> float:
    if pair.kind.crossed or (isinstance(pair.b, Rack) and pair.shaft_angle > 1e-6):
        raise ModelError(
            f'{what}: the teeth of a {pair.kind} pair on crossed axes have point contact; omit contact="line"',
            about=what.at("contact"),
        )
    if pair.a.face_width is None or pair.b.face_width is None:
        raise ModelError(
            f"{what}: line contact needs the face width; specify face_width for both gears", about=what.at("contact")
        )
    return pair.face_width if face_width is None else min(face_width, pair.face_width)


Tables = tuple[LoadTable | TiltTable, LoadTable | TiltTable]
FaceLoads = tuple[FaceLoadTable, FaceLoadTable]

_PENALTY_DAMPING = 0.1
_CYCLE = np.linspace(0.0, 2.0 * math.pi, 4096, endpoint=False)


@dataclass(frozen=True, eq=False, kw_only=True)
class MeshLaw:
    """Force law of a mesh over the approach u of its teeth.

    All values are in the direction of signals (`GearMesh.along`): on the base circle, or for crossed axes, hypoid and conical
    involute gears along the normal. `along_hoop` returns those along η3, across the teeth.

    Attributes
    ----------
    rigid : bool
        u + x is constrained by a multiplier. stiffness and damping are then empty.
    stiffness : tuple
        Springs in series [N/m], numbers or `Varying`.
    damping : float
        [N s/m]; the mean, if it varies.
    dampers : tuple
        Dampers in series [N s/m], numbers or `Varying`, if the damping varies; otherwise empty.
    damping_mode : int
        0 never pulling, 1 in contact, 2 always, 3 limited.
    damping_rate : int
        Rate on which the damper acts: 0 of the deflection, 1 of the approach.
    backlash, offset : float
        b and the offset [m]: no contact if −b < u + x − offset < 0. The constant parts, if the backlash varies.
    plays : tuple
        `Varying` that are added to the backlash, half on either flank. What is left of them is in `errors`.
    smoothing : float
        Length over which the corners are rounded [m]; 0: sharp.
    errors : tuple
        Terms of x [m], numbers or `Varying`.
    energy_consistent : bool
    friction : None | float | Function | Stribeck
        μ over the sliding speed [m/s].
    friction_speed : float
        [m/s]
    path : float
        Mean distance from the pitch point on the path of contact at which friction acts [m]; 0: at the pitch point.
    efficiency : None | (float, float)
        η if A drives, and if B drives.
    efficiency_speed : float
        [rad/s]
    line_width : float
        Width of line contact [m]; 0: contact in a point.
    tilt_width : float
        For Elastic and Flank with tilt in the plane of action: difference of the approach between the edges of the face, divided by
        the tilt [m]. 0: no effect of the tilt. Tables contain the tilt themselves.
    line : int
        Line of action: 0 of the loaded flank, 1 always of the drive flank, −1 always of the coast flank.
    separating : bool
        Whether the separating force |f| tan α acts.
    follow_centres : bool
        Whether the approach increases when the centres move closer.
    effective_mass : float
        m_e [kg]. Infinite if both sides are fixed, 0 if a side has no inertia.
    restitution : float
        Of rigid teeth with backlash: speed after an impact divided by the speed before it.
    tables : None | (LoadTable, LoadTable) | (TiltTable, TiltTable)
        Drive and coast flank of loaded teeth. They define the force in place of stiffness.
    face_loads : None | (FaceLoadTable, FaceLoadTable)
        Load distribution along the face, if known.
    sticks : bool
        Whether friction and losses hold at rest.
    own : None | OwnMesh
        Law of the user, which defines the force in place of stiffness.
    own_length : float
        Lengths of that law divided by those of this object.
    """

    rigid: bool
    stiffness: tuple[Variable, ...] = ()
    damping: float = 0.0
    dampers: tuple[Variable, ...] = ()
    damping_mode: int = 0
    damping_rate: int = 0
    backlash: float = 0.0
    plays: tuple[Varying, ...] = ()
    offset: float = 0.0
    smoothing: float = 0.0
    errors: tuple[Variable, ...] = ()
    energy_consistent: bool = True
    friction: Friction | None = None
    friction_speed: float = 1e-3
    path: float = 0.0
    efficiency: tuple[float, float] | None = None
    efficiency_speed: float = 1e-3
    line_width: float = 0.0
    tilt_width: float = 0.0
    line: int = 0
    separating: bool = True
    follow_centres: bool = False
    effective_mass: float = math.inf
    restitution: float = 0.0
    tables: Tables | None = None
    face_loads: FaceLoads | None = None
    sticks: bool = False
    own: OwnMesh | None = None
    own_length: float = 1.0

    @property
    def mean_stiffness(self) -> float:
        """Mean stiffness k [N/m]; infinite for rigid teeth.

        Springs that vary over the same cycle are combined in series before the mean over that cycle is computed. For different
        cycles the means are combined in series. Loaded teeth: at the largest load of the drive flank.
        """
        if self.tables is not None:
            return self.tables[0].mean_stiffness
        return math.inf if self.rigid else mean_stiffness(self.stiffness)

    @property
    def play(self) -> tuple[float, float]:
        """Smallest and largest play over a mesh cycle [m]: backlash, and first contact of the tables; without errors."""
        varies = [play.bounds for play in self.plays]
        least, most = (self.backlash + sum(one[k] for one in varies) for k in (0, 1))
        if self.tables is None:
            return least, most
        touch = sum(table.touch_at(_CYCLE / (2.0 * math.pi)) for table in self.tables)
        return least + float(np.min(touch)), most + float(np.max(touch))

    @property
    def least_play(self) -> float:
        """Smallest play [m] over a mesh cycle and over the tilts of tables. Tilted teeth have less play."""
        tilted = [table for table in self.tables or () if isinstance(table, TiltTable)]
        if not tilted:
            return self.play[0]
        return self.backlash + sum(table.least_touch for table in tilted)

    def even(self, *, errors: bool = True) -> MeshLaw:
        """Return the law with the mean stiffness and damping over the cycles. With errors=False also without errors, and with the
        constant part of the backlash."""
        kept = self.errors if errors else ()
        if self.dampers or (self.plays and not errors):
            return replace(self, dampers=(), plays=self.plays if errors else ()).even(errors=errors)
        if self.tables is not None:
            drive, coast = (table.even() for table in self.tables)
            face_loads = None if self.face_loads is None else (self.face_loads[0].even(), self.face_loads[1].even())
            return replace(self, tables=(drive, coast), face_loads=face_loads, errors=kept)
        return replace(self, stiffness=self.stiffness if self.rigid else (self.mean_stiffness,), errors=kept)

    def along_hoop(self, factor: float) -> MeshLaw:
        """Return the law along the hoop. factor: κ, lengths of this law divided by those along the hoop."""
        if factor == 1.0:
            return self
        shorter, tables, face_loads = 1.0 / factor, self.tables, self.face_loads
        if tables is not None:
            tables = tables[0].scaled(force=factor, length=shorter), tables[1].scaled(force=factor, length=shorter)
        if face_loads is not None:
            face_loads = face_loads[0].scaled(force=factor), face_loads[1].scaled(force=factor)
        return replace(
            self,
            stiffness=scaled(self.stiffness, factor**2),
            damping=self.damping * factor**2,
            dampers=scaled(self.dampers, factor**2),
            backlash=self.backlash * shorter,
            plays=tuple(play.scaled(shorter) for play in self.plays),
            offset=self.offset * shorter,
            smoothing=self.smoothing * shorter,
            errors=scaled(self.errors, shorter),
            tilt_width=self.tilt_width * shorter,
            effective_mass=self.effective_mass * factor**2,
            tables=tables,
            face_loads=face_loads,
            own_length=self.own_length * factor,
        )

    def with_table(self, table: ComputedTable, mesh: Elastic | Loaded, what: Subject) -> MeshLaw:
        """Return the law of a mesh whose table has been computed. `self` was made without it."""
        springs, tables, errors, face_loads = self.stiffness, self.tables, self.errors, self.face_loads
        if isinstance(mesh, Loaded):
            mesh = mesh.with_table(table)
            tables, face_loads = mesh.tables, mesh.face_loads
        else:
            assert mesh.torque is not None
            stiffness, error = average_slope(table, mesh.torque)
            springs, errors = (stiffness,), (*errors, error)
        damping = self.damping
        if mesh.damping_ratio:
            mean = tables[0].mean_stiffness if tables else mean_stiffness(springs)
            damping = _from_ratio(mesh.damping_ratio, mean, self.effective_mass, what)
        return replace(self, stiffness=springs, tables=tables, face_loads=face_loads, errors=errors, damping=damping)

    @classmethod
    def of(
        cls,
        mesh: Mesh,
        pair: GearPair,
        inertia_a: float,
        inertia_b: float,
        *,
        face_width: float | None = None,
        on_structure: bool = False,
        what: str = "gear pair",
    ) -> MeshLaw:
        """Make the law of a mesh between two gears. Typical teeth replace tables that are not computed yet, until `with_table`.

        inertia_a, inertia_b: inertia of the bodies about the wheel axes [kg m²]; for a rack the mass [kg]; infinite for the ground.
        face_width: common face width [m], if it is smaller than both face widths. on_structure: a wheel is on an elastic structure.
        """
        what = Subject(what)
        if isinstance(mesh, Rolling):
            return cls(rigid=True, effective_mass=effective_mass(pair, inertia_a, inertia_b))
        if isinstance(mesh, Flank):
            known = _of_flanks(mesh, pair, effective_mass(pair, inertia_a, inertia_b), what)
            return replace(
                known, tilt_width=tilt_width_of(mesh, pair, face_width, on_structure=on_structure, what=what)
            )
        if not isinstance(mesh, (Elastic, Loaded, OwnMesh, Rigid)):
            raise ModelError(f"{what}: mesh has the type {type(mesh).__name__}, which is not supported", about=what)
        if pair.kind == "beveloid" and not _on_common_rack(mesh):
            raise ModelError(
                f"{what}: {type(mesh).__name__} does not support conical involute gears, whose two flanks have different "
                'inclinations; use Rolling() for motions, or Loaded(...), Elastic("loaded", torque=...) or Flank(...) for forces',
                about=what.at("mesh"),
            )
        check_cycles(mesh, pair, what)
        usual = to_hoop(None, pair, what)
        cosine = to_hoop(mesh.along, pair, what) / usual  # lengths in the direction of the mesh over those of the law
        side = {"centred": 0.5, "drive": 0.0, "coast": 1.0}[mesh.backlash_side]
        backlash, plays, play_errors = play_of(mesh.backlash, usual * pair.backlash, cosine, side)
        errors = (*scaled(mesh.error, 1.0 / cosine), *play_errors)
        check_terms(errors, what)
        m_e = effective_mass(pair, inertia_a, inertia_b)
        springs: tuple[Variable, ...] = ()
        tables: Tables | None = None
        face_loads: FaceLoads | None = None
        dampers: tuple[Variable, ...] = ()
        mode, rate = 0, 0
        damping, smoothing, width, tilt_width = 0.0, 0.0, 0.0, 0.0
        if isinstance(mesh, Loaded):
            check_tilts(mesh, pair, what)
            tables, face_loads = _in_direction(mesh, _tables_of(mesh), cosine)
        elif isinstance(mesh, OwnMesh):
            springs = scaled((mesh.typical_stiffness(1e-3 * pair.pitch.normal_module, what),), cosine**2)
        elif isinstance(mesh, Elastic):
            computed = isinstance(mesh.stiffness, str) and mesh.tooth_stiffness is None
            springs = scaled(springs_of(mesh, pair, face_width, what), 1.0 if computed else cosine**2)
        if not isinstance(mesh, (OwnMesh, Rigid)):
            if mesh.effective_mass is not None:
                m_e = mesh.effective_mass * cosine**2
            if isinstance(mesh.damping, tuple):
                dampers = scaled(mesh.damping, cosine**2)
                damping = mean_stiffness(dampers)
            elif mesh.damping is not None:
                damping = mesh.damping * cosine**2
            elif mesh.damping_ratio:
                stiffness = tables[0].mean_stiffness if tables else mean_stiffness(springs)
                damping = _from_ratio(mesh.damping_ratio, stiffness, m_e, what)
            mode, rate = DAMPING_ACTS.index(mesh.damping_acts), DAMPING_RATES.index(mesh.damping_rate)
        if isinstance(mesh, Elastic):
            smoothing = 0.0 if mesh.smoothing is None else mesh.smoothing / cosine
            width = line_width_of(pair, face_width, what) if mesh.contact == "line" else 0.0
            tilt_width = tilt_width_of(mesh, pair, face_width, on_structure=on_structure, what=what)
        if isinstance(mesh, Rigid) and mesh.contact == "line":
            width = line_width_of(pair, face_width, what)
            if backlash > 0.0 and mesh.method != "penalty":
                raise ModelError(
                    f"{what}: rigid line contact has no backlash, but the backlash is {1e3 * backlash:.4g} mm; specify "
                    'backlash=0, or use Elastic(contact="line")',
                    about=what.at("contact"),
                )
        if isinstance(mesh, Rigid) and mesh.method == "penalty":
            springs = (penalty_of(mesh, pair, what) * (1.0 if mesh.penalty is None else cosine**2),)
            if 0.0 < m_e < math.inf:
                damping = 2.0 * _PENALTY_DAMPING * math.sqrt(mean_stiffness(springs) * m_e)
        return cls(
            rigid=not springs and tables is None,
            stiffness=springs,
            damping=damping,
            dampers=dampers,
            damping_mode=mode,
            damping_rate=rate,
            backlash=backlash,
            plays=plays,
            offset=side * backlash,
            smoothing=smoothing,
            errors=errors,
            energy_consistent=mesh.energy_consistent,
            friction=mesh.friction,
            friction_speed=mesh.friction_speed,
            path=sliding_path(mesh, pair, what),
            efficiency=mesh.efficiency,
            efficiency_speed=mesh.efficiency_speed,
            sticks=mesh.sticks,
            own=mesh if isinstance(mesh, OwnMesh) else None,
            own_length=cosine,
            line_width=width,
            tilt_width=tilt_width,
            line=(0, 1, -1)[LINES_OF_ACTION.index(mesh.line_of_action)],
            separating=mesh.separating,
            follow_centres=mesh.follow_centres,
            effective_mass=m_e,
            restitution=mesh.restitution if isinstance(mesh, Rigid) else 0.0,
            tables=tables,
            face_loads=face_loads,
        )


def _on_common_rack(mesh: Mesh) -> bool:
    """Whether the force acts along the normals of the flanks of the common rack of conical involute gears."""
    return isinstance(mesh, Loaded) or (
        isinstance(mesh, Elastic) and mesh.stiffness == LOADED and mesh.contact == "point"
    )


def _in_direction(mesh: Loaded, tables: Tables, cosine: float) -> tuple[Tables, FaceLoads | None]:
    """Tables of a mesh in the direction of the law. cosine: lengths of the mesh divided by those of the law."""
    if cosine == 1.0:
        return tables, mesh.face_loads
    drive, coast = (table.scaled(force=cosine, length=1.0 / cosine) for table in tables)
    found = mesh.face_loads
    return (drive, coast), None if found is None else (found[0].scaled(force=cosine), found[1].scaled(force=cosine))


def _tables_of(mesh: Loaded) -> Tables:
    """Tables of a mesh. Any table if it is not computed yet."""
    if not mesh.computed:
        return mesh.tables
    some = LoadTable.through(np.array([0.0, 1.0]), np.array([[0.0], [1.0 / TYPICAL]]))
    return some, some


def _of_flanks(mesh: Flank, pair: GearPair, m_e: float, what: Subject) -> MeshLaw:
    """Law with play and centres. The force is computed from the flanks. The stiffness here only scales the equations."""
    for name, gear in (("A", pair.a), ("B", pair.b)):
        if not isinstance(gear, Rack) and gear.cone_angle and gear.helix_angle and gear.flanks is None:
            raise ModelError(
                f"{what}: Flank needs the flanks of gear {name}: those of a {pair.kind} gear depend on the machine that cuts it; "
                "import them with Teeth.from_points or Teeth.from_surface, or use Elastic(...)",
                about=what,
            )
    for name, gear in (("A", pair.a), ("B", pair.b)):
        if gear.face_width is None:
            raise ModelError(f"{what}: Flank needs the face width of gear {name}; specify face_width", about=what)
    backlash = to_hoop(None, pair, what) * max(0.0, pair.backlash) if mesh.backlash is None else mesh.backlash
    return MeshLaw(
        rigid=False,
        stiffness=(TYPICAL * pair.face_width,),
        backlash=backlash,
        offset=0.5 * backlash,
        separating=mesh.separating,
        follow_centres=mesh.follow_centres,
        effective_mass=m_e,
    )


def effective_mass(pair: GearPair | RollingPair, inertia_a: float, inertia_b: float) -> float:
    """m_e [kg] in the direction of the law: 1/m_e = c_A²/I_A + c_B²/I_B.

    c = κ m_n z/2 = κ r cos β is the lever, on the base circle r_b. For a rack c_B = κ cos β_B, and I_B is its mass. An infinite
    inertia adds nothing.
    """
    p = pair.pitch
    factor = length_factor(pair.kind, p)
    c_a = 0.5 * factor * p.normal_module * p.teeth_a
    c_b = factor * (math.cos(p.beta_b) if p.is_rack else 0.5 * p.normal_module * p.teeth_b)
    if inertia_a == 0.0 or inertia_b == 0.0:
        return 0.0
    inverse = c_a**2 / inertia_a + c_b**2 / inertia_b
    return 1.0 / inverse if inverse else math.inf


def _from_ratio(ratio: float, stiffness: float, m_e: float, what: Subject) -> float:
    """c = 2 ζ sqrt(k m_e)."""
    if not 0.0 < m_e < math.inf:
        why = "a wheel has no inertia about its axis" if m_e == 0.0 else "neither wheel can move"
        raise ModelError(
            f"{what}: damping_ratio needs an effective mass, but {why}; specify an inertia of its body, or effective_mass of the "
            "mesh, or damping in place of damping_ratio",
            about=what.at("damping_ratio"),
        )
    return 2.0 * ratio * math.sqrt(stiffness * m_e)
