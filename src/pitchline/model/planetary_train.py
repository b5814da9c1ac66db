"""Planetary: an epicyclic train in a model; Support: how one of its members is held; LoadSharing: what each planet carries."""

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
    """An elastic bearing across an axis: springs and dampers. Along the axis and in tilt it holds rigidly.

    Parameters
    ----------
    stiffness, damping
        Radial, alike in all directions [N/m], [N s/m]; 0 leaves the member free to move across the axis.
    torsion, torsion_damping
        About the axis [N m/rad], [N m s/rad]; 0 leaves it free to turn.
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
    """A support by two arguments of something else, named `what`; key, damping_key: where they are among its arguments."""
    k = at_least_zero(stiffness, "stiffness", what.at(*key).called("Support: stiffness"))
    return Support(k, damping=at_least_zero(damping, "damping", what.at(*damping_key).called("Support: damping")))


def check_members(given: Mapping[str, Any], keys: Sequence[str], what: Subject, why: str = "") -> None:
    """A mapping by member may have these keys; why: what to say of others."""
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
    """Speeds of all members and planets from those of two members; ratio: i_0; teeth of sun, planet and outer planet."""
    if "carrier" in known:
        c = known["carrier"]
    elif ratio == 1.0:
        raise ModelError(f"{what}: its ratio is 1, so that sun and ring say nothing about the carrier", about=what)
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
    """Load of each planet over the mean of all planets.

    Attributes
    ----------
    time : (n,)
        [s]
    sun, ring : (n, N)
        N F_i / Σ F of the meshes with the sun and with the ring; the mean over the planets is 1. Not a number where nothing is
        transmitted.
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
    """An epicyclic train in a model. Made by `planetary`.

    Attributes
    ----------
    name, arrangement : str
        "simple", "stepped" or "meshed".
    sun, ring, carrier : Body
        Members; the ground for one that is held, another body for one that sits on it.
    planets, outer_planets : tuple of Body
        Outer planets of pairs; empty otherwise.
    wheels : dict of Wheel
        "sun", "ring", "planet 1", ... and "outer planet 1", ... (of stepped planets: the wheel at the ring).
    bearings : dict
        Of members that were given one: the revolute joint of a hinge, the bushing of a `Support`, None where nothing acts.
    pins : tuple of Joint | Bushing
        On which the planets turn, the outer ones after the inner ones; none where `bearings` says so.
    sun_meshes, ring_meshes, planet_meshes : tuple of GearMesh
        Planet by planet. A is the sun, the planet and the inner planet.
    angles : (N,)
        Where the planets stand [rad].
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
        """Speeds of sun, ring and carrier by Willis, ω_s − ω_c = i_0 (ω_r − ω_c), and of the planets, from two of the three.

        >>> train.speeds(sun=200.0, ring=0.0)["carrier"]  # doctest: +SKIP

        All about the axis of the train and in the same unit; "planet" is that of the planet which meshes with the sun, "outer
        planet" that of the other one of a pair.
        """
        if len(known) != 2 or not set(known) <= set(MEMBERS):
            raise ModelError(
                f'planetary "{self.name}": give the speeds of two of sun, ring and carrier, got {shown(sorted(known))}'
            )
        teeth = {key: wheel.gear.teeth for key, wheel in self.wheels.items() if wheel.gear is not None}
        counts = (teeth["sun"], teeth["planet 1"], teeth.get("outer planet 1", teeth["planet 1"]))
        return willis(self.ratio, counts, self.arrangement, known, part_subject("planetary", self.name))

    def load_sharing(self, result: Mapping[str, Any]) -> LoadSharing:
        """What each planet carries of the load in a result, from the normal forces of its meshes; negative where a planet bears on
        the flank opposite to that of the load."""
        first = result[f"{self.sun_meshes[0].name}.signed_force"]

        def shares(meshes: tuple[GearMesh, ...]) -> Array:
            # with their signs: planets that push back take from the sum
            F = np.stack([np.asarray(result[f"{mesh.name}.signed_force"].values, float) for mesh in meshes], axis=1)
            total = F.sum(axis=1, keepdims=True)
            idle = total == 0.0
            return np.where(idle, math.nan, len(meshes) * F / np.where(idle, 1.0, total))

        return LoadSharing(np.asarray(first.time), shares(self.sun_meshes), shares(self.ring_meshes))

    def __repr__(self) -> str:
        return f"Planetary({self.name!r}: {self.arrangement}, {len(self.planets)} planets, i_0 = {self.ratio:.6g})"
