"""Eigenfrequencies and modes of a model about an operating point, with the terms that describe them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.budget import budgeted
from pitchline.base.progress.display import staged
from pitchline.declare.structure import Station
from pitchline.engine.compile.system import System
from pitchline.engine.solvers.eigenmodes import NO_STIFFNESS, ROUNDED_STIFFNESS, Eigenmodes, modes_of_motion
from pitchline.engine.solvers.sparse_modes import ROUNDED, TooMany, Wanted, sparse_modes
from pitchline.errors import ModelError, SolveError, shown
from pitchline.model.model import Model
from pitchline.parts.contact.rigid_contact import surface_motion
from pitchline.parts.gears.part import Wheel
from pitchline.parts.springs.part import Bushing
from pitchline.results.modes import Modes
from pitchline.results.result import Result
from pitchline.units.quantity import quantity

from .operating_point import OperatingPoint
from .steady_motion import growing, growth_warnings
from .time_options import MOST_COORDINATES

__all__ = ["modes"]


# ---- mode words

# Description of a mode as text: type of motion, bodies with most motion, meshes with most strain energy.

NOTHING = 1e-6
"""Fraction of the kinetic energy that counts as zero."""
MOSTLY = 0.9
ELASTIC = "elastic"
"""Type of a mode in which internal coordinates of elements move most."""
HINGES = ("revolute", "cylindrical", "screw")


def own_axes(model: Model) -> dict[str, np.ndarray]:
    """Rotation axis of a body in body axes: that of its first wheel, else revolute joint, else bushing; in a planar "
    "model the normal."""
    axes: dict[str, np.ndarray] = {}
    if model.plane is not None:
        return {name: body.orientation.T @ model.plane.normal for name, body in model.bodies.items()}
    for wheel in _wheels(model):
        if not wheel.is_rack:
            axes.setdefault(wheel.body_name, wheel.frame.rotation[:, 2])
    for joint in model.joints.values():
        if joint.kind in HINGES:
            for frame in (joint.frame_b, joint.frame_a):
                axes.setdefault(frame.body_name, frame.rotation[:, 2])
    for load in model.loads.values():
        if isinstance(load, Bushing):
            for frame in (load.frame_b, load.frame_a):
                axes.setdefault(frame.body_name, frame.rotation[:, 2])
    for body in model.bodies.values():
        if isinstance(body, Station):
            axes.setdefault(body.name, np.array([0.0, 0.0, 1.0]))
    return axes


def _wheels(model: Model) -> list[Wheel]:
    """Those in mesh, then those that are not."""
    return [w for pair in model.gear_pairs.values() for w in (pair.wheel_a, pair.wheel_b)] + list(model.wheels.values())


def planets(model: Model) -> set[str]:
    """Wheels of which two or more equal ones are on another moving body."""
    wheels = {wheel.body_name for wheel in _wheels(model)}
    riders: dict[str, set[str]] = {}
    held = [(j.frame_a.body_name, j.frame_b.body_name) for j in model.joints.values()]
    held += [(b.frame_a.body_name, b.frame_b.body_name) for b in model.loads.values() if isinstance(b, Bushing)]
    meshing = {frozenset((p.wheel_a.body_name, p.wheel_b.body_name)) for p in model.gear_pairs.values()}
    ground = model.ground.name
    on_ground = {b for pair in held if ground in pair for b in pair}
    for a, b in held:
        for rider, carrier in ((a, b), (b, a)):
            if rider in wheels and rider not in on_ground and carrier != ground and frozenset((a, b)) not in meshing:
                riders.setdefault(carrier, set()).add(rider)
    return {name for group in riders.values() if len(group) > 1 for name in group}


def kind_of(kinetic: np.ndarray, is_planet: np.ndarray) -> str:
    """Name of a mode from the shares (bodies, 3) of its kinetic energy."""
    central = kinetic[~is_planet].sum(axis=0)
    if is_planet.any():
        if central.sum() < NOTHING:
            return "planet"
        if central[0] + central[2] < NOTHING * central.sum():
            return "rotational"
        if central[1] < NOTHING * central.sum():
            return "translational" if central[0] >= central[2] else "tilting"
        return "mixed"
    for share, name in zip(kinetic.sum(axis=0), ("translational", "torsional", "tilting"), strict=True):
        if share > MOSTLY:
            return name
    return "mixed"


def own_words(system: System) -> dict[str, str]:
    """Description of the internal coordinates of elements, by element and coordinate."""
    return {
        f"{system.elements[g.element].name}.{g.what.name}": f"{g.what.description} of {system.elements[g.element].name}"
        for g in system.own.open
    }


def description(kind: str, kinetic: dict[str, float], strain: dict[str, float]) -> str:
    """Describe a mode in one line: type, bodies with most kinetic energy, elements with most strain energy."""
    moving = _leading(kinetic)
    strained = _leading(strain)
    parts = [kind, f"moves {moving}" if moving else "", f"strains {strained}" if strained else ""]
    return "; ".join(part for part in parts if part)


def _leading(shares: dict[str, float], most: int = 3) -> str:
    """The largest shares, until most of the whole is named."""
    found: list[str] = []
    total = 0.0
    for name, share in sorted(shares.items(), key=lambda item: -item[1]):
        if len(found) == most or total > MOSTLY or share < 0.05:
            break
        found.append(f"{name} {100 * share:.0f} %")
        total += share
    return ", ".join(found)


SAME_FREQUENCY = 1e-6
"""Relative difference up to which frequencies are equal."""


MOST_SURFACES = 16_000_000
"""Largest size of the surface motion of modes [bytes], which increases the file size."""
SPARSE_FROM = 200
"""Number of coordinates from which sparse matrices are used for some modes. Below, all modes with dense matrices are faster."""


@names_wrong_arguments
@staged("modes of {}")
@budgeted
def modes(
    model: Model,
    *,
    about: Result | str | None = None,
    turning_with: str | None = None,
    mean_stiffness: bool = False,
    reduce: bool = True,
    count: int | None = None,
    lowest: Any = None,
    highest: Any = None,
    dense: bool = False,
    budget: Any = None,
) -> Modes:
    """Linearise a model and compute its modes.

    Constraints are eliminated, including redundant ones. Damping, gyroscopic terms and the stiffness due to loads (weights,
    tensions, tooth forces) are included:  M y″ + D y′ + K y = 0  in the free coordinates.

    To compute all modes, dense matrices are needed. Memory grows with the square of the number of coordinates, time with the third
    power. Above 1500 coordinates this requires dense=True. With count or highest, large models are solved with sparse matrices,
    10,000 coordinates in seconds. The number of undamped modes is then checked by Sylvester's law of inertia.

    Parameters
    ----------
    about : operating point: the last sample of a result of statics, kinematics or dynamics; default: the initial positions and
        velocities of the model. If gear pairs carry no load there, and the loaded flank affects the motions, the default is
        the static equilibrium under the loads of the model. "initial": the initial state in any case, such as with teeth apart.
        `operating_point` of the result states the state and the flanks. Wheels may rotate: in fixed axes, axisymmetric wheels
        give constant matrices.
    turning_with : name of a body (a carrier) that rotates steadily. Motions are described in axes that rotate with it, including
        centrifugal and Coriolis terms.
    mean_stiffness : use the mean mesh stiffness over the mesh cycle, instead of that of the present position.
    reduce : as in `dynamics`; the modes are the same.
    count : number of modes, from the lowest on, including rigid-body motions; default: all. A multiple frequency at the end is
        given as often as it occurs.
    lowest, highest : range of the frequencies [Hz]; default: from 0 without an upper limit.
    dense : allow dense matrices of any size.
    budget : longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h". If the least time of dense
        matrices is longer, BudgetError states it.
    """
    wanted = _read(count, lowest, highest)
    point = OperatingPoint.of(
        model, about, turning_with=turning_with, mean_stiffness=mean_stiffness, reduce=reduce, dense=dense
    )
    return replace(modes_of(point, wanted), pose=point.pose(model), operating_point=point.stated)


def _read(count: Any, lowest: Any, highest: Any) -> Wanted:
    if count is not None and (isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1):
        raise ModelError(f"modes: count must be a whole number of 1 or more, got {shown(count)}")
    low = 0.0 if lowest is None else quantity(lowest, "frequency", what="modes: lowest")
    high = math.inf if highest is None else quantity(highest, "frequency", what="modes: highest")
    if low < 0.0 or not high > low:
        raise ModelError(
            f"modes: lowest must be 0 Hz or more, and highest must be greater than lowest, got {low:g} Hz to {high:g} Hz"
        )
    return Wanted(None if count is None else int(count), 2 * math.pi * low, 2 * math.pi * high)


def modes_of(point: OperatingPoint, wanted: Wanted | None = None) -> Modes:
    """Return the modes about an operating point; all of them if `wanted` is None."""
    model = point.model
    free = point.small.freedom(point.system)
    if not free:
        raise ModelError(f'model "{model.name}" cannot move: joints and drives determine the whole motion')
    try:
        found = found_modes(point, wanted or Wanted())
    except np.linalg.LinAlgError:
        raise SolveError(
            f'modes of model "{model.name}": a motion has no inertia. Specify mass and inertia for every body that can move',
            time=None,
        ) from None
    X = normalised(found.vectors, point)
    bodies = tuple(plan.body.name for plan in point.system.nodes)
    shapes = np.moveaxis(point.body_motion(X.astype(complex)), -1, 0)
    kinetic, own = _kinetic_shares(point, shapes, X)
    called = own_words(point.system)
    strain = _strain_shares(point, X, found.rigid)
    is_planet = np.isin(bodies, sorted(planets(model)))
    kinds, words = [], []
    for i in range(len(found.values)):
        moving = _by_part(model, bodies, kinetic[i].sum(axis=1)) | {
            called[name]: share[i] for name, share in own.items()
        }
        kind = "rigid body" if i < found.rigid else kind_of(kinetic[i], is_planet)
        if i >= found.rigid and sum(share[i] for share in own.values()) > MOSTLY:
            kind = ELASTIC
        kinds.append(kind)
        words.append(description(kind, moving, {} if i < found.rigid else {n: s[i] for n, s in strain.items()}))
    grows = growing(point.small, found)
    return Modes(
        model_name=model.name,
        bodies=bodies,
        eigenvalues=found.values.astype(complex),
        shapes=shapes,
        kinetic=kinetic,
        strain=strain,
        multiplicity=_multiplicity(found.values),
        kinds=tuple(kinds),
        descriptions=tuple(words),
        rigid=found.rigid,
        decaying=np.sort(found.real),
        warnings=tuple(point.warnings + _accuracy(found) + growth_warnings(point, grows)),
        growing=np.array([s for s, _ in grows], complex),
        surfaces=surface_motion(point, X[:, : _most_surfaces(point)]),
        own=own,
    )


def _most_surfaces(point: OperatingPoint) -> int:
    """How many modes keep the motion of surfaces within bounds of memory."""
    points = sum(len(body.superelement.points) for body in point.model.flexible_bodies.values())
    return MOST_SURFACES // (24 * max(points, 1))


def found_modes(point: OperatingPoint, wanted: Wanted) -> Eigenmodes:
    """Compute modes with vectors in all coordinates: with sparse matrices if few of many modes are requested."""
    free = point.small.freedom(point.system)
    some = wanted.count is not None or math.isfinite(wanted.high)
    few = wanted.count is None or 4 * wanted.count < free
    massless = point.small.massless.places
    if massless.size and point.system.n_q > MOST_COORDINATES and not point.dense:
        raise ModelError(
            f'model "{point.model.name}" has {point.system.n_q} coordinates, and {point.system.unknown_name(int(massless[0]))} has '
            "states of order 1. Their modes require dense matrices. Specify dense=True to use them"
        )
    if some and few and point.system.n_q >= SPARSE_FROM and not massless.size:
        small = NO_STIFFNESS if point.loaded else ROUNDED
        try:
            return _chosen(sparse_modes(point.small, wanted, free, no_stiffness=small), wanted)
        except TooMany:
            pass
    motion = point.motion
    small = NO_STIFFNESS if point.loaded else ROUNDED_STIFFNESS
    all_modes = modes_of_motion(
        motion, no_stiffness=small, loads=point.stiffness_from_loads() if point.loaded else None
    )
    found = replace(all_modes, vectors=motion.N @ all_modes.vectors, real_vectors=motion.N @ all_modes.real_vectors)
    return _chosen(found, wanted)


def _accuracy(found: Eigenmodes) -> list[str]:
    """What is not known of the modes."""
    warnings = []
    if found.doubtful:
        warnings.append(
            f"motions up to {found.doubtful / (2 * np.pi):.3g} Hz cannot be distinguished from rigid-body motions "
            "and are reported as such. A "
            "state under load is in balance to about 1e-10 of its forces, and less than 1e-7 of the highest frequency is round-off"
        )
    if found.missing:
        warnings.append(
            f"by Sylvester's law of inertia, the number of modes in this range differs by {found.missing} from the "
            "number of modes found. "
            "Request another count or range"
        )
    return warnings


def _chosen(found: Eigenmodes, wanted: Wanted) -> Eigenmodes:
    """Those that were asked for."""
    if wanted.count is None and not wanted.low and not math.isfinite(wanted.high):
        return found
    size = np.abs(found.values)
    keep = np.flatnonzero((size >= wanted.low * (1.0 - 1e-9)) & (size <= wanted.high * (1.0 + 1e-9)))
    if wanted.count is not None and len(keep) > wanted.count:
        last = size[keep[wanted.count - 1]]  # all of a multiple frequency, or none
        keep = keep[: wanted.count + int(np.sum(size[keep[wanted.count :]] <= last * (1.0 + SAME_FREQUENCY)))]
    alone = (np.abs(found.real) >= wanted.low) & (np.abs(found.real) <= wanted.high)
    if wanted.count is not None and len(keep) < len(found.values):
        alone &= np.abs(found.real) <= size[keep].max(initial=0.0)
    alone |= found.real > 0.0  # what grows is never left out
    rigid = int(np.sum(keep < found.rigid))
    values, vectors = found.values[keep], found.vectors[:, keep]
    return replace(
        found,
        values=values,
        vectors=vectors,
        rigid=rigid,
        real=found.real[alone],
        real_vectors=found.real_vectors[:, alone],
    )


def _by_part(model: Model, bodies: tuple[str, ...], shares: np.ndarray) -> dict[str, float]:
    """Shares of bodies by name; those of the stations of a structure together, under its name."""
    found: dict[str, float] = {}
    for name, share in zip(bodies, shares, strict=True):
        body = model.bodies[name]
        part = body.structure if isinstance(body, Station) else name
        found[part] = found.get(part, 0.0) + float(share)
    return found


def normalised(X: np.ndarray, point: OperatingPoint) -> np.ndarray:
    """Scale columns to unit modal mass, with a real largest entry; to unit size if the moving coordinates have no mass."""
    if not X.shape[1]:
        return X
    M, massless = point.small.M, point.small.massless
    mass = np.einsum("in,in->n", X.conj(), M @ X).real
    if massless.places.size:
        alone = np.sum(np.abs(X[massless.places] / massless.typical[:, None]) ** 2, axis=0)
        mass = np.where(mass > 1e-20 * alone, mass, alone)
    largest = X[np.argmax(np.abs(X), axis=0), np.arange(X.shape[1])]
    return X / np.sqrt(mass) * (np.abs(largest) / largest)


def _kinetic_shares(
    point: OperatingPoint, shapes: np.ndarray, X: np.ndarray
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Shares of bodies (n, bodies, 3), of translation, rotation about the own axis, other rotation; and (n,) of own coordinates
    of elements, by element and coordinate."""
    own, turned = own_axes(point.model), point.rotations()
    shares = np.zeros((*shapes.shape[:2], 3))
    momentum = point.small.M @ X if any(plan.share is not None for plan in point.system.nodes) else X
    for k, plan in enumerate(point.system.nodes):
        R, body = turned[k], plan.rigid or plan.body
        if plan.share is not None:
            shares[:, k] = _share_of_node(point, k, R @ own.get(plan.body.name, np.zeros(3)), X, momentum)
            continue
        turn = shapes[:, k, 3:] @ R  # in body axes
        whole = np.einsum("ni,ij,nj->n", turn.conj(), body.inertia, turn).real
        about = np.zeros(len(shapes))
        if plan.body.name in own:
            a = own[plan.body.name]
            about = np.abs(turn @ a) ** 2 * float(a @ body.inertia @ a)
        shares[:, k, 0] = body.mass * np.sum(np.abs(shapes[:, k, :3]) ** 2, axis=1)
        shares[:, k, 1], shares[:, k, 2] = about, np.maximum(whole - about, 0.0)
    own = {}
    for name, places in point.system.own.with_mass(point.system.elements):
        part = X[places]
        own[name] = np.maximum(np.einsum("in,in->n", part.conj(), point.small.M[places, places] @ part).real, 0.0)
    total = shares.sum(axis=(1, 2), keepdims=True) + sum(own.values(), np.zeros(len(shapes)))[:, None, None]
    whole = np.where(total > 0.0, total, 1.0)
    return shares / whole, {name: energy / whole[:, 0, 0] for name, energy in own.items()}


def _share_of_node(point: OperatingPoint, k: int, axis: np.ndarray, X: np.ndarray, momentum: np.ndarray) -> np.ndarray:
    """(n, 3): what a node has of x* M x where elements bring its inertia, which it shares with its neighbours; axis: its own, in
    resting axes."""
    first, count = int(point.system.dof0[k + 1]), int(point.system.ndof[k + 1])
    mine = slice(first, first + count)
    each = (X[mine].conj() * momentum[mine]).real
    turns = np.any(point.system.T[k + 1, 3:, :count] != 0.0, axis=0)
    rotation = each[turns].sum(axis=0)
    about = rotation
    if count == 6:
        about = ((axis @ X[mine][3:]).conj() * (axis @ momentum[mine][3:])).real
    about = np.clip(about, 0.0, np.maximum(rotation, 0.0))
    return np.stack([np.maximum(each[~turns].sum(axis=0), 0.0), about, np.maximum(rotation, 0.0) - about], axis=1)


def _strain_shares(point: OperatingPoint, X: np.ndarray, rigid: int) -> dict[str, np.ndarray]:
    """Of every elastic element (n,); nothing of the first `rigid` motions, which stretch none."""
    energies = {name: np.abs(energy) for name, energy in point.strain_energies(X).items()}
    for energy in energies.values():
        energy[:rigid] = 0.0
    total = sum(energies.values(), np.zeros(X.shape[1]))
    return {name: energy / np.where(total > 0.0, total, 1.0) for name, energy in energies.items()}


def _multiplicity(values: np.ndarray) -> np.ndarray:
    """How many of the eigenvalues are the same as each."""
    apart = np.abs(values[:, None] - values)
    return np.asarray(np.sum(apart <= SAME_FREQUENCY * np.abs(values), axis=1), np.int64)
