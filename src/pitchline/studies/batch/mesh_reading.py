"""Meshes of a model, read for the lanes of a batch: joint coordinates, laws, courses over time.

RollingTree: joint coordinates of a model whose bodies rotate about, or slide along, axes that are fixed in other bodies.

The elements of the model are evaluated at several positions: the initial one, one step along each coordinate, and positions
at which all coordinates differ. What is a constant or a linear function of the coordinates is found from the first positions,
and tested at the others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pitchline.analyses.body_tree import BodyTree, find_tree
from pitchline.analyses.joint_choice import as_array, choose, joint_state, read_positions
from pitchline.analyses.start_positions import prepare
from pitchline.declare.signal_expression import SignalExpression
from pitchline.engine.compile.assembly import SLIDING as SLIDING_EDGE
from pitchline.engine.compile.assembly import TURNING as TURNING_EDGE
from pitchline.engine.compile.nodes import Snapshot
from pitchline.engine.compile.rank import Evaluator
from pitchline.engine.compile.station_signals import NodeMotion
from pitchline.engine.compile.train_search import NotATrain, is_ratio, varies_in_time
from pitchline.engine.elements.contract import Element
from pitchline.engine.solvers.consistent import project_velocities
from pitchline.engine.solvers.linearised import null_space
from pitchline.functions.sampled import Sampled
from pitchline.model.model import Model
from pitchline.parts.bodies.kernel import BODY
from pitchline.parts.bodies.kernel_constraint import SCALAR_CONSTRAINT
from pitchline.parts.bodies.kernel_joint import COINCIDENT
from pitchline.parts.friction.kernel_sliding import SLIDING
from pitchline.parts.meshes.kernel import GEAR_MESH
from pitchline.parts.meshes.kernel_law import NO_FRICTION, OVER_A, OVER_B, OVER_CYCLE, RIGID, ROUNDING, SPRING
from pitchline.parts.meshes.tables import TiltTable
from pitchline.parts.springs.kernel import BUSHING, FORCE_LOAD, TORQUE_LOAD
from pitchline.parts.springs.kernel_load import LAW_LINEAR, LAW_LOAD, SCALAR_FORCE

from .function_terms import AngleSum, AngleTable, HarmonicTerm, PieceTerm, angle_terms, function_terms, subdivided
from .lane_train import LoadedTables

__all__ = [
    "EXACT",
    "RollingTree",
    "snapped",
    "MeshLawRead",
    "MeshRead",
    "read_meshes",
    "TimeLine",
    "last_change",
    "line_of",
]


EXACT = 1e-9
"""Largest difference from a constant or linear function, relative to the values."""
WHOLE = 1e-11
"""Difference from a whole number that is rounding."""
LARGEST_TURN = 1.2
"""Largest rotation of a body between the positions at which elements are evaluated [rad]."""
FAR = 3
"""Number of positions at which all coordinates differ."""
KINDS = (BODY, BUSHING, SCALAR_FORCE, TORQUE_LOAD, FORCE_LOAD, GEAR_MESH, COINCIDENT, SLIDING, SCALAR_CONSTRAINT)


def snapped(values: np.ndarray) -> np.ndarray:
    """Values, with those that are whole numbers except for rounding made whole."""
    whole = np.round(values)
    return np.where(np.abs(values - whole) <= WHOLE * np.maximum(1.0, np.abs(whole)), whole, values) + 0.0


class RollingTree:
    """Joint coordinates q of a model without its drives.

    Attributes
    ----------
    coordinates : list of JointCoordinate
        Coordinates; those of driven joints are the first.
    q0, speeds : (n,)
        Coordinates in the initial pose, and their initial rates.
    positions : (n + 1 + FAR, n)
        Coordinates at which elements are evaluated, relative to q0.
    """

    def __init__(self, model: Model) -> None:
        _check_parts(model)
        self.model = model
        bare = model.replaced(without=list(model.drives))
        ready = prepare(bare, Snapshot.of_model(bare), until=0.0, reduce=True)
        self.system, state = ready.system, ready.state
        for element in self.system.elements[: self.system.active]:
            _check_kind(element)
        evaluator = Evaluator(self.system)
        self.coordinates = self._choose(evaluator, state)
        if np.any(state.v):
            project_velocities(self.system, state)
        found = joint_state(self.system, state, self.coordinates, evaluator)
        self.q0 = read_positions(self.system, state, self.coordinates)
        self.speeds = found.G @ state.v[: self.system.own.first]
        self.tree = self._find(state, found.N)
        self._place_samples()

    @property
    def count(self) -> int:
        """Number of coordinates."""
        return len(self.coordinates)

    @property
    def edges(self) -> np.ndarray:
        """Edges of the tree, parents first."""
        return self.tree.edges

    @property
    def gamma(self) -> np.ndarray:
        """(edges, coordinates) rates of the edges."""
        return self.tree.gamma

    # ---- preparation

    def _choose(self, evaluator: Evaluator, state):  # type: ignore[no-untyped-def]
        system = self.system
        n, nq = system.own.first, system.n_q
        if system.own.count or system.own.condensed_count:
            owner = next(e for e in system.elements if e.kind.coordinates)
            raise NotATrain(f'"{owner.name}" has its own coordinates')
        lam = np.zeros_like(state.lam)
        K = as_array(evaluator.tangent(state, mass=1.0, moving=False, lam=lam, small_as_array=True)[1])
        free = null_space(K[nq:, :n] * system.sizes[:n])
        if not free.shape[1]:
            raise NotATrain("no body can move")
        driven = [drive.joint_name for drive in self.model.drives.values()]
        chosen = choose(system, NodeMotion(system, state), system.sizes[:n, None] * free, None, driven)
        for c in chosen:
            if c.is_velocity:
                raise NotATrain(
                    f'body "{c.body}" is not on one axis: it can move in other directions than that of one joint. Elastic '
                    "bearings and pins do this"
                )
        return chosen

    def _find(self, state, N: np.ndarray) -> BodyTree:  # type: ignore[no-untyped-def]
        motion = NodeMotion(self.system, state)
        n = len(N)
        joints = self.system.model.joints.items()
        angles = {name: motion.coordinate_row(joint, "angle")[:n] @ N for name, joint in joints}
        self.rates = angles | {
            name: motion.coordinate_row(joint, joint.coordinates[0])[:n] @ N
            for name, joint in joints
            if len(joint.coordinates) == 1
        }
        tree = find_tree(self.system, state, N, self.q0, angles, forces=False)
        if tree is None:
            raise NotATrain(
                "its bodies do not rotate about axes that are fixed in other bodies, or ratios of its joints vary"
            )
        if np.any(tree.edges["pitch"] != 0.0):
            node = int(tree.edges["node"][np.flatnonzero(tree.edges["pitch"])[0]])
            raise NotATrain(f'body "{self.name_of(node)}" moves on a screw')
        return tree

    def _place_samples(self) -> None:
        gamma, edges = np.abs(self.gamma), self.edges
        turning, sliding = edges["kind"] == TURNING_EDGE, edges["kind"] == SLIDING_EDGE
        size = gamma * (turning / LARGEST_TURN + sliding / (0.1 * self.system.length))[:, None]
        reach = 1.0 / np.maximum(size.max(axis=0, initial=0.0), 1e-12)
        reach /= max(1.0, float(np.max(size @ reach, initial=0.0)))
        # the other positions are as far away, at numbers without a common factor
        far = np.sin(1.0 + np.arange(FAR)[:, None] * 2.3 + np.arange(self.count) * 1.7)
        self.positions = np.concatenate([np.zeros((1, self.count)), np.diag(reach), far * reach])
        self.twists = [self.tree.twists(self.q0 + x) for x in self.positions]

    def name_of(self, node: int) -> str:
        """Name of the body of a node."""
        return self.system.model.ground.name if node == 0 else self.system.nodes[node - 1].body.name

    # ---- evaluation

    def residual(self, e: int, k: int, qd: np.ndarray | None = None, *, t: float = 0.0) -> np.ndarray:
        """(coordinates,) generalised force of element e at position k, as in the residual, at a time."""
        element = self.system.elements[e]
        work = self.tree.work
        work.ask["t"] = t
        self.tree.place(self.q0 + self.positions[k], qd)
        r, _ = work.element(e)
        return self._projected(k, element, r)

    def _projected(self, k: int, element: Element, r: np.ndarray) -> np.ndarray:
        found = np.zeros(self.count)
        for place, node in enumerate(element.nodes):
            found += self.twists[k][:, node] @ r[6 * place : 6 * place + 6]
        return found

    def mass(self, e: int, k: int) -> np.ndarray:
        """(coordinates, coordinates) mass matrix of a body at position k."""
        work = self.tree.work
        self.tree.place(self.q0 + self.positions[k])
        work.ask["M"] = 1.0
        _, J = work.element(e, tangent=True)
        work.ask["M"] = 0.0
        V = self.twists[k][:, self.system.elements[e].nodes[0]]
        return np.asarray(V @ J[:6, :6] @ V.T)

    def scratch(self, e: int, k: int) -> np.void:
        """Scratch of an element after its evaluation at position k, by name."""
        self.tree.place(self.q0 + self.positions[k])
        self.tree.work.element(e)
        return self.tree.work.scratch_of(e)

    def linear(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(a (coordinates, ...), largest difference (...)) of values (positions, ...) from values_0 + positions @ a."""
        change = values - values[0]
        steps = np.diag(self.positions[1 : self.count + 1])
        a = change[1 : self.count + 1] / steps.reshape(-1, *[1] * (values.ndim - 1))
        rest = change[self.count + 1 :] - np.tensordot(self.positions[self.count + 1 :], a, axes=1)
        return a, np.abs(rest).max(axis=0, initial=0.0)


def _check_parts(model: Model) -> None:
    for name in model.structures:
        raise NotATrain(f'"{name}" is a shaft, a beam or a flexible body')
    if not model.gear_pairs:
        raise NotATrain("it has no gear pair")
    for drive in model.drives.values():
        if isinstance(drive.function, SignalExpression):
            raise NotATrain(f'drive "{drive.name}" follows a signal')
        if isinstance(drive.function, Sampled):
            raise NotATrain(
                f'drive "{drive.name}" is a Python function of time. A number, a Ramp or a Table is possible'
            )


def _check_kind(element: Element) -> None:
    kind, values = element.kind, element.values
    if kind not in KINDS and not is_ratio(element):
        raise NotATrain(
            f'"{element.name}" ({kind.name}) is not a spring, a load or a gear pair that a batch can compute'
        )
    if kind is SCALAR_FORCE and (values["law"] not in (LAW_LINEAR, LAW_LOAD) or values["string"]):
        raise NotATrain(f'the force of "{element.name}" is not linear')
    if kind is GEAR_MESH:
        _check_law(element)


def _check_law(element: Element) -> None:
    law = element.values["law"]
    rigid = law["form"] == RIGID
    for wrong, why in (
        (law["form"] not in (SPRING, RIGID), "are solved for their force"),
        (law["friction"] != NO_FRICTION, "have friction"),
        (law["loss_lever_a"] or law["loss_lever_b"], "have losses"),
        (law["width"], "have contact over their width"),
        (law["own"], "have a law of their own"),
        (law["n_plays"], "have a backlash that varies"),
        (law["n_dampers"], "have a damping that varies"),
        (varies_in_time(law), "have an error that depends on time"),
        (rigid and (law["backlash"] or law["error"] or law["n_errors"]), "are rigid and have backlash or errors"),
    ):
        if wrong:
            raise NotATrain(f'the teeth of "{element.name}" {why}')


# ---- mesh reading

# Gear pairs of a rolling tree: rotations of the wheels in the mesh frame as linear functions of the coordinates, and
# laws.

SAME_ANGLE = 1e-9
"""Largest difference of an angle from a linear function of the coordinates [rad], or of a length divided by the model's length."""


@dataclass(frozen=True, eq=False)
class MeshLawRead:
    """Law of a mesh. Stiffness and errors: (variable, term); variables as in `parts.meshes.kernel_law`."""

    compliance: float
    stiffness: list[tuple[int, AngleSum | AngleTable]]
    error: float
    errors: list[tuple[int, AngleSum | AngleTable]]
    loaded: LoadedTables | None
    backlash: float
    damping: float
    damping_mode: int
    damping_rate: int
    offset: float
    smoothing: float
    consistent: bool


@dataclass(frozen=True, eq=False)
class MeshRead:
    """A gear pair. by_a, by_b: (coordinates,) derivatives of psi_A and psi_B; psi_a, psi_b, approach: in the initial pose.

    travel : of a rack, lowest and highest psi_B for contact; None: without ends.
    """

    name: str
    by_a: np.ndarray
    by_b: np.ndarray
    psi_a: float
    psi_b: float
    approach: float
    lever_a: float
    lever_b: float
    teeth_a: float
    pitch: float
    cos_alpha: float
    length: float
    law: MeshLawRead
    travel: tuple[float, float] | None = None

    @property
    def levers(self) -> np.ndarray:
        """(coordinates,) derivatives of the approach."""
        return self.lever_a * self.by_a + self.lever_b * self.by_b

    def turning(self, over: int) -> tuple[np.ndarray, float]:
        """Derivatives and initial value of the angle of a variation."""
        if over == OVER_B:
            return self.by_b, self.psi_b
        z = self.teeth_a if over == OVER_CYCLE else 1.0
        return z * self.by_a, z * self.psi_a


def read_meshes(tree: RollingTree) -> list[MeshRead]:
    """Gear pairs with elastic teeth, in the order of the model. Rigid teeth are constraints of the tree."""
    found = []
    for e, element in enumerate(tree.system.elements[: tree.system.active]):
        if element.kind is GEAR_MESH and element.values["law"]["form"] != RIGID:
            found.append(_mesh(tree, e, element))
    if not found:
        raise NotATrain("all its teeth are rigid")
    return found


def _mesh(tree: RollingTree, e: int, element: Element) -> MeshRead:
    geometry, law, limits = (element.values[part] for part in ("geometry", "law", "limits"))
    rack = bool(geometry["rack"])
    n = len(tree.positions)
    psi, closer, share = np.zeros((n, 2)), np.zeros(n), np.ones(n)
    tilts = np.zeros((n, 2))
    approach = 0.0
    for k in range(n):
        w = tree.scratch(e, k)
        psi[k] = w["frame"]["psi_a"], w["frame"]["psi_b"]
        closer[k] = w["motion"]["closer"]
        share[k] = w["engaged"]["share"]
        tilts[k] = w["hoop"]["tilt_drive"], w["hoop"]["tilt_coast"]
        if k == 0:
            approach = float(w["motion"]["approach"])
    turns = np.round((psi - psi[0]) / (2.0 * np.pi))
    turns[:, 1] *= not rack
    psi -= 2.0 * np.pi * turns
    by, rest = tree.linear(psi)
    size = np.array([1.0, tree.system.length if rack else 1.0])
    if not np.all(np.isfinite(psi)) or np.any(rest > SAME_ANGLE * size):
        raise NotATrain(f'the wheels of "{element.name}" do not rotate about their own axes')
    if np.any(np.abs(closer - closer[0]) > EXACT * tree.system.length):
        raise NotATrain(f'the centres of the wheels of "{element.name}" move')
    if not rack and np.any(share != 1.0):
        raise NotATrain(f'only a part of the teeth of "{element.name}" is in mesh')
    if geometry["line"] and _closing(tree, geometry, float(closer[0])):
        raise NotATrain(f'the centre distance of "{element.name}" is not nominal, and its line of action is fixed')
    tilted = law["tilted"] and np.any(np.abs(tilts - tilts[0]) > EXACT)
    if tilted or (law["tilt_width"] and np.any(np.abs(tilts) > EXACT)):
        raise NotATrain(f'the tilt of the teeth of "{element.name}" has an effect')
    return MeshRead(
        element.name, snapped(by[:, 0]), snapped(by[:, 1]), float(psi[0, 0]), float(psi[0, 1]), approach,
        float(geometry["lever_a"]), float(geometry["lever_b"]), float(geometry["teeth_a"]), float(geometry["pitch"]),
        float(geometry["cos_alpha"]), float(geometry["length"]),
        _law(tree, element, _closing(tree, geometry, float(closer[0])), tilts[0]),
        (float(limits["travel_low"]), float(limits["travel_high"])) if rack and limits["travel_beyond"] else None,
    )  # fmt: skip


def _closing(tree: RollingTree, geometry: np.void, closer: float) -> float:
    """By how much both flanks are closer than at the nominal centre distance, without rounding."""
    return float(geometry["radial"]) * closer if abs(closer) > EXACT * tree.system.length else 0.0


def _law(tree: RollingTree, element: Element, closing: float, tilts: np.ndarray) -> MeshLawRead:
    """closing: by how much both flanks are closer than at the nominal centre distance."""
    law, functions = element.values["law"], tree.system.functions
    name = element.name
    stiffness, errors = [], []
    error = float(law["error"])
    for place, over in _varying(law, "springs"):
        terms = angle_terms(functions, place, f'the stiffness of "{name}"')
        if len(terms) > 1:
            raise NotATrain(f'the stiffness of "{name}" is the sum of a Fourier series and a table. Use one of them')
        stiffness.append((over, terms[0]))
    for place, over in _varying(law, "errors"):
        for term in angle_terms(functions, place, f'the error of "{name}"'):
            if isinstance(term, AngleTable) or len(term.cos):
                errors.append((over, term))
            else:
                error += term.mean
    backlash = float(law["backlash"]) - 2.0 * closing
    if abs(backlash) <= ROUNDING * float(element.values["geometry"]["pitch"]):
        backlash = 0.0
    if backlash < 0.0:
        raise NotATrain(f'the teeth of "{name}" are in contact on both flanks: their backlash is negative')
    return MeshLawRead(
        float(law["compliance"]), stiffness, error + closing, errors, _loaded(tree, element, tilts), backlash,
        float(law["damping"]), int(law["damping_mode"]), int(law["damping_rate"]), float(law["offset"]), float(law["smoothing"]),
        bool(law["consistent"]),
    )  # fmt: skip


def _varying(law: np.void, what: str) -> list[tuple[int, int]]:
    """Places of the functions of springs or errors, and their variables."""
    places, over = law[what].ravel(), law[f"{what}_over"].ravel()
    known = (OVER_CYCLE, OVER_A, OVER_B)
    found = [(int(places[i]), int(over[i])) for i in range(int(law[f"n_{what}"]))]
    assert all(variable in known for _, variable in found)
    return found


def _loaded(tree: RollingTree, element: Element, tilts: np.ndarray) -> LoadedTables | None:
    """Tables of both flanks, at their tilt, with the same number of phases and loads."""
    if not element.values["law"]["tabled"]:
        return None
    pair = tree.model.gear_pairs[element.name]
    tables = pair.law.along_hoop(pair.length_factor).tables
    assert tables is not None
    flat = [t.at(float(f)) if isinstance(t, TiltTable) else t for t, f in zip(tables, tilts, strict=True)]
    n = int(np.lcm(len(flat[0].touch), len(flat[1].touch)))
    knots = max(len(t.knots) for t in flat)
    parts = [
        _padded(t.knots, subdivided(t.approaches, n), subdivided(t.compliance, n), subdivided(t.areas, n), knots)
        for t in flat
    ]
    return LoadedTables(0, *(np.stack([one[i] for one in parts]) for i in range(4)))


def _padded(
    loads: np.ndarray, approaches: np.ndarray, compliances: np.ndarray, areas: np.ndarray, knots: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The table with more loads beyond the last one, where the compliance is constant."""
    while len(loads) < knots:
        h = loads[-1] - loads[-2]
        U, c, A = approaches[:, -1:], compliances[:, -1:], areas[:, -1:]
        loads = np.append(loads, loads[-1] + h)
        approaches = np.concatenate([approaches, U + h * c], axis=1)
        areas = np.concatenate([areas, A + h * U + 0.5 * h * h * c], axis=1)
        compliances = np.concatenate([compliances, c], axis=1)
    return loads, approaches, compliances, areas


# ---- time lines

# Functions of time as straight lines: value and slope from a time on, and the time until which the line is exact.

SAME = 1e-12
"""Difference of two lines, relative to their values, that is rounding."""


@dataclass(frozen=True)
class TimeLine:
    """value + slope (t - t0) for t0 <= t <= until."""

    value: float
    slope: float
    until: float = math.inf

    def __add__(self, other: TimeLine) -> TimeLine:
        return TimeLine(self.value + other.value, self.slope + other.slope, min(self.until, other.until))


def line_of(functions: np.ndarray, place: int, t0: float, what: str) -> TimeLine:
    """The line of a function of time from t0 on. what: the part, for the message if there is none."""
    found = TimeLine(0.0, 0.0)
    for term in function_terms(functions, place):
        found = found + (
            _of_harmonics(term, t0, what) if isinstance(term, HarmonicTerm) else _of_pieces(term, t0, what)
        )
    return found


def last_change(functions: np.ndarray, place: int) -> float:
    """Time from which on a function of time is a straight line; 0 if it always is one."""
    latest = 0.0
    for term in function_terms(functions, place):
        if isinstance(term, PieceTerm) and term.period == 0.0:
            inner = term.knots[-1] if not term.continued else term.knots[-2]
            latest = max(latest, float(inner) if len(term.knots) > 2 or not term.continued else 0.0)
    return latest


def _of_harmonics(term: HarmonicTerm, t0: float, what: str) -> TimeLine:
    if np.any(term.cos) or np.any(term.sin):
        raise NotATrain(f"{what} varies periodically with time. Use a constant value, or a Ramp with smooth=False")
    return TimeLine(term.constant + term.slope * t0, term.slope)


def _of_pieces(term: PieceTerm, t0: float, what: str) -> TimeLine:
    if term.period > 0.0:
        raise NotATrain(f"{what} varies periodically with time. Use a constant value, or a Ramp with smooth=False")
    knots, c = term.knots, np.pad(term.coefficients, ((0, 0), (0, max(0, 2 - term.coefficients.shape[1]))))
    if not term.continued and t0 >= knots[-1]:
        x = knots[-1] - knots[-2]
        return TimeLine(float(np.polyval(c[-1][::-1], x)), 0.0)
    if not term.continued and t0 < knots[0]:
        return _continued(TimeLine(float(c[0, 0]), 0.0, float(knots[0])), t0, knots, c, 0, term.continued)
    i = int(np.clip(np.searchsorted(knots, t0, side="right") - 1, 0, len(c) - 1))
    _check_straight(c[i], float(knots[i + 1] - knots[i]), what)
    line = TimeLine(float(c[i, 0] + c[i, 1] * (t0 - knots[i])), float(c[i, 1]), float(knots[i + 1]))
    return _continued(line, t0, knots, c, i + 1, term.continued)


def _continued(line: TimeLine, t0: float, knots: np.ndarray, c: np.ndarray, first: int, continues: bool) -> TimeLine:
    """The line as far as the following pieces continue it."""
    for i in range(first, len(c)):
        size = abs(line.value) + abs(line.slope) * max(knots[-1] - t0, 0.0) + abs(float(c[i, 0]))
        at_knot = line.value + line.slope * (knots[i] - t0)
        rise = np.abs(c[i, 2:]) * np.diff(knots)[i] ** np.arange(2, c.shape[1])
        slopes = abs(c[i, 1] - line.slope) * np.diff(knots)[i]
        if abs(c[i, 0] - at_knot) > SAME * size or slopes > SAME * size or np.any(rise > SAME * size):
            return TimeLine(line.value, line.slope, float(knots[i]))
    return TimeLine(line.value, line.slope, math.inf if continues or line.slope == 0.0 else float(knots[-1]))


def _check_straight(c: np.ndarray, width: float, what: str) -> None:
    size = np.abs(c) * width ** np.arange(len(c))
    if np.any(size[2:] > SAME * max(float(size.max()), 1e-300)):
        raise NotATrain(f"{what} is not a straight line over time. Use a constant value, or a Ramp with smooth=False")
