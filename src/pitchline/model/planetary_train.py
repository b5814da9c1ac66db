"""Planetary: an epicyclic train in a model; Support: elastic support of a member; LoadSharing: load of each planet."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, shown
from ..solids.rotations import Array
from .body import Body
from .gear_mesh import GearMesh
from .joints import Joint
from .loads import Bushing
from .meshes.common import at_least_zero
from .names import part_subject
from .planetary_layout import Phasing
from .wheels import Wheel

__all__ = ["LoadSharing", "Planetary", "Support", "check_members", "read_support", "willis"]

MEMBERS = ("sun", "ring", "carrier")


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class Support:
    """Elastic bearing with radial springs and dampers. Axial motion and tilt are rigidly constrained.

    Parameters
    ----------
    stiffness, damping
        Radial stiffness [N/m] and damping [N s/m], equal in all directions. 0: radial motion is free.
    torsion, torsion_damping
        Stiffness [N m/rad] and damping [N m s/rad] about the axis. 0: rotation is free.
    """

    stiffness: float
    damping: float
    torsion: float
    torsion_damping: float

    def __init__(
        self, stiffness: object = 0.0, *, damping: object = 0.0, torsion: object = 0.0, torsion_damping: object = 0.0
    ) -> None:
        for name, value, dimension in (
            ("stiffness", stiffness, "stiffness"),
            ("damping", damping, "damping"),
            ("torsion", torsion, "torsional stiffness"),
            ("torsion_damping", torsion_damping, "torsional damping"),
        ):
            object.__setattr__(self, name, at_least_zero(value, dimension, Subject("Support") / name))

    @property
    def acts(self) -> bool:
        return any((self.stiffness, self.damping, self.torsion, self.torsion_damping))


def read_support(
    stiffness: object, damping: object, key: tuple[str, ...], damping_key: tuple[str, ...], what: Subject
) -> Support:
    """Read a support from two arguments of another part `what`. key, damping_key: their location among its arguments."""
    k = at_least_zero(stiffness, "stiffness", what.at(*key).called("Support: stiffness"))
    return Support(k, damping=at_least_zero(damping, "damping", what.at(*damping_key).called("Support: damping")))


def check_members(given: Mapping[str, Any], keys: Sequence[str], what: Subject, why: str = "") -> None:
    """Check the keys of a mapping by member. why: advice for the message."""
    if not isinstance(given, Mapping):
        raise ModelError(f"{what}: expected a mapping by member, got {shown(given)}", about=what)
    for key in given:
        if key not in keys:
            raise ModelError(
                f"{what}: unknown member {shown(key)}; {why} {', '.join(keys)} may be given".replace(";  ", "; "),
                about=what.at(str(key)),
            )


def willis(
    ratio: float, teeth: tuple[int, int, int], arrangement: str, known: Mapping[str, float], what: Subject
) -> dict[str, float]:
    """Speeds of all members and planets from those of two members. ratio: i_0; teeth: of sun, planet and outer planet."""
    if "carrier" in known:
        c = known["carrier"]
    elif ratio == 1.0:
        raise ModelError(
            f"{what}: its ratio is 1, so that sun and ring do not define the speed of the carrier", about=what
        )
    else:
        c = (known["sun"] - ratio * known["ring"]) / (1.0 - ratio)
    s = known["sun"] if "sun" in known else c + ratio * (known["ring"] - c)
    r = known["ring"] if "ring" in known else c + (s - c) / ratio
    planet = c - (s - c) * teeth[0] / teeth[1]
    found = {"sun": s, "ring": r, "carrier": c, "planet": planet}
    if arrangement == "meshed":
        found["outer planet"] = c - (planet - c) * teeth[1] / teeth[2]
    return found


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class LoadSharing:
    """Load of each planet divided by the mean of all planets.

    Attributes
    ----------
    time : (n,)
        [s]
    sun, ring : (n, N)
        N F_i / Σ F of the meshes with the sun and with the ring. The mean over the planets is 1. NaN if no load is transmitted.
    """

    time: Array
    sun: Array
    ring: Array

    @property
    def k_gamma(self) -> float:
        """K_γ, the mesh load factor: the largest share of a planet at any time, at sun or ring."""
        return float(np.nanmax([np.nanmax(self.sun), np.nanmax(self.ring)]))


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class Planetary:
    """Epicyclic gear train in a model. `planetary` makes it.

    Attributes
    ----------
    name : str
    arrangement : str
        "simple", "stepped" or "meshed".
    sun, ring, carrier : Body
        Members. The ground if the member is fixed, another body if it is on that body.
    planets, outer_planets : tuple of Body
        Planets, and outer planets of pairs (otherwise empty).
    wheels : dict of Wheel
        "sun", "ring", "planet 1", ... and "outer planet 1", ... (for stepped planets: the wheel at the ring).
    bearings : dict
        Bearings of members: the revolute joint of a hinge, the bushing of a `Support`, or None if the member is free.
    pins : tuple of Joint | Bushing
        Pins of the planets, the outer ones after the inner ones. Empty for bearings={"planet": "none"}.
    sun_meshes, ring_meshes, planet_meshes : tuple of GearMesh
        One mesh for each planet. A is the sun, the planet and the inner planet.
    angles : (N,)
        Angles of the planets [rad].
    phasing : Phasing
        Mesh phases.
    ratio : float
        i_0 = (ω_s − ω_c)/(ω_r − ω_c).
    """

    name: str
    arrangement: str
    sun: Body
    ring: Body
    carrier: Body
    planets: tuple[Body, ...]
    outer_planets: tuple[Body, ...]
    wheels: dict[str, Wheel]
    bearings: dict[str, Joint | Bushing | None]
    pins: tuple[Joint | Bushing, ...]
    sun_meshes: tuple[GearMesh, ...]
    ring_meshes: tuple[GearMesh, ...]
    planet_meshes: tuple[GearMesh, ...]
    angles: Array
    phasing: Phasing
    ratio: float

    def speeds(self, **known: float) -> dict[str, float]:
        """Compute the speeds of sun, ring, carrier and planets from two of them by Willis, ω_s − ω_c = i_0 (ω_r − ω_c).

        >>> train.speeds(sun=200.0, ring=0.0)["carrier"]  # doctest: +SKIP

        Parameters
        ----------
        known
            Two of the speeds sun, ring and carrier, about the axis of the train, in any unit.

        Returns
        -------
        All speeds in the same unit. "planet" is the planet that meshes with the sun, "outer planet" the other one of a pair.
        """
        if len(known) != 2 or not set(known) <= set(MEMBERS):
            raise ModelError(
                f'planetary "{self.name}": specify the speeds of two of sun, ring and carrier, got {shown(sorted(known))}'
            )
        teeth = {key: wheel.gear.teeth for key, wheel in self.wheels.items() if wheel.gear is not None}
        counts = (teeth["sun"], teeth["planet 1"], teeth.get("outer planet 1", teeth["planet 1"]))
        return willis(self.ratio, counts, self.arrangement, known, part_subject("planetary", self.name))

    def load_sharing(self, result: Mapping[str, Any]) -> LoadSharing:
        """Compute the load of each planet in a result, from the normal forces of its meshes. It is negative if a planet is
        loaded on the opposite flank.

        Parameters
        ----------
        result
            Result of an analysis of the model.
        """
        first = result[f"{self.sun_meshes[0].name}.signed_force"]

        def shares(meshes: tuple[GearMesh, ...]) -> Array:
            # with sign: planets with the opposite load reduce the sum
            F = np.stack([np.asarray(result[f"{mesh.name}.signed_force"].values, float) for mesh in meshes], axis=1)
            total = F.sum(axis=1, keepdims=True)
            idle = total == 0.0
            return np.where(idle, math.nan, len(meshes) * F / np.where(idle, 1.0, total))

        return LoadSharing(np.asarray(first.time), shares(self.sun_meshes), shares(self.ring_meshes))

    def __repr__(self) -> str:
        return f"Planetary({self.name!r}: {self.arrangement}, {len(self.planets)} planets, i_0 = {self.ratio:.6g})"
