"""Eigenfrequencies and modes of a model about an operating point."""

from __future__ import annotations

import numpy as np

from ..errors import ModelError, SolveError
from ..model import Model
from ..results.modes import Modes
from ..results.result import Result
from ..solvers.eigenmodes import eigenmodes
from .mode_words import description, kind_of, own_axes, planets
from .operating_point import OperatingPoint
from .self_excitation import why_growing

__all__ = ["modes"]

SAME_FREQUENCY = 1e-6
"""Relative difference of frequencies that count as one."""


def modes(
    model: Model,
    *,
    about: Result | None = None,
    turning_with: str | None = None,
    mean_stiffness: bool = False,
    reduce: bool = True,
) -> Modes:
    """Linearise a model and find its modes.

    Constraints are eliminated, redundant ones too. Damping, gyroscopic terms and the stiffness that loads give (weights,
    tensions, tooth forces) are kept:  M y″ + D y′ + K y = 0  in the free coordinates.

    Parameters
    ----------
    about : the operating point: the last sample of a result of statics, kinematics or dynamics; default: the model as it
        stands, at its initial velocities. Wheels may spin: seen in resting axes, wheels that are alike all round give
        constant matrices.
    turning_with : name of a body (a carrier) that turns steadily: motions are seen from axes that turn with it, centrifugal
        and Coriolis terms included.
    mean_stiffness : of teeth over their cycle, in place of that of the position at hand.
    reduce : as in `dynamics`; the modes are the same.

    Large models: matrices are dense here; a few hundred coordinates take a second or so.
    """
    return modes_of(OperatingPoint.of(model, about, turning_with=turning_with, mean_stiffness=mean_stiffness, reduce=reduce))


def modes_of(point: OperatingPoint) -> Modes:
    """The modes about a point."""
    model, linear = point.model, point.motion
    if not linear.N.shape[1]:
        raise ModelError(f'model "{model.name}" has no motion left: joints and drives determine all of it')
    M, D, K = linear.reduced()
    try:
        found = eigenmodes(M, D, K)
    except np.linalg.LinAlgError:
        raise SolveError(
            f'modes of model "{model.name}": a motion has no inertia; give every body that can move mass and inertia', time=None
        ) from None
    X = linear.N @ found.vectors
    X = _normalised(X, linear.M)
    bodies = tuple(plan.body.name for plan in point.system.nodes)
    shapes = np.moveaxis(point.body_motion(X.astype(complex)), -1, 0)
    kinetic = _kinetic_shares(point, shapes)
    strain = _strain_shares(point, X, found.rigid)
    is_planet = np.isin(bodies, sorted(planets(model)))
    kinds, words = [], []
    for i in range(len(found.values)):
        kind = "rigid body" if i < found.rigid else kind_of(kinetic[i], is_planet)
        kinds.append(kind)
        words.append(description(kind, bodies, kinetic[i], {} if i < found.rigid else {n: s[i] for n, s in strain.items()}))
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
        warnings=tuple(point.warnings + _unstable(found.values, found.real, why_growing(point, found.values, X))),
    )


def _normalised(X: np.ndarray, M: np.ndarray) -> np.ndarray:
    """Columns of unit modal mass, with a real largest entry."""
    mass = np.einsum("in,ij,jn->n", X.conj(), M, X).real
    largest = X[np.argmax(np.abs(X), axis=0), np.arange(X.shape[1])]
    return X / np.sqrt(mass) * (np.abs(largest) / largest)


def _kinetic_shares(point: OperatingPoint, shapes: np.ndarray) -> np.ndarray:
    """(n, bodies, 3): translation, rotation about the own axis, other rotation."""
    own = own_axes(point.model)
    shares = np.zeros((*shapes.shape[:2], 3))
    for k, plan in enumerate(point.system.nodes):
        R, body = point.rotation(plan.body.name), plan.body
        turn = shapes[:, k, 3:] @ R  # in body axes
        whole = np.einsum("ni,ij,nj->n", turn.conj(), body.inertia, turn).real
        about = np.zeros(len(shapes))
        if body.name in own:
            a = own[body.name]
            about = np.abs(turn @ a) ** 2 * float(a @ body.inertia @ a)
        shares[:, k, 0] = body.mass * np.sum(np.abs(shapes[:, k, :3]) ** 2, axis=1)
        shares[:, k, 1], shares[:, k, 2] = about, np.maximum(whole - about, 0.0)
    total = shares.sum(axis=(1, 2), keepdims=True)
    return shares / np.where(total > 0.0, total, 1.0)


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


def _unstable(values: np.ndarray, real: np.ndarray, why: str) -> list[str]:
    limit = 1e-9 * float(np.max(np.abs(values), initial=0.0))
    growing = [f"{abs(s) / (2 * np.pi):.4g} Hz" for s in values if s.real > limit]
    growing += [f"{s:.4g} 1/s" for s in real if s > limit]
    if not growing:
        return []
    return [f"the operating point is not stable: motions grow at {', '.join(growing[:4])}{why}"]
