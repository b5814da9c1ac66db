"""planetary: sun, ring, carrier and planets of an epicyclic gear train in one call."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.declare.names import part_subject
from pitchline.declare.registry import Direction, Quantity, Vector
from pitchline.errors import ModelError, Subject, shown
from pitchline.model.model import Model
from pitchline.solids.mass_properties import MassProperties
from pitchline.solids.rotations import direction, z_to
from pitchline.units.quantity import quantity, vector

from ..bodies.part import Body, Joint
from ..gears.geometry.gear import Gear
from ..gears.part import Wheel
from ..meshes.laws import Mesh
from ..meshes.laws.common import choice
from ..meshes.part import GearMesh
from ..springs.part import Bushing
from .layout import (
    MEMBERS,
    Planetary,
    Pose,
    Support,
    TrainGears,
    TrainLayout,
    check_members,
    lay_out,
    read_gears,
    read_support,
    willis,
)

__all__ = ["TrainMotion", "read_angles", "read_errors", "read_mass", "read_meshes", "planetary"]


# ---- planetary motion

# Initial motion of the bodies of a planetary train, from the members on existing bodies.

_ALIKE = 1e-6
"""Fraction of the largest speed by which members may deviate from Willis: rounded values."""


class TrainMotion:
    """Speeds about the axis by member and planet [rad/s]. All are zero unless two members define them.

    A fixed member does not move. A member on a body rotates with it. Two of these define the others by the Willis equation.
    """

    def __init__(self, gears: TrainGears, members: Mapping[str, Body | None], place: Pose, what: Subject) -> None:
        self.centre, self.axis = place[0], place[1][:, 2]
        known = {key: float(self.axis @ body.angular_velocity) for key, body in members.items() if body is not None}
        self.speeds: dict[str, float] = {}
        if len(known) < 2 or not any(known.values()):
            return
        first = dict(list(known.items())[:2])
        teeth = (gears.sun.teeth, gears.first.teeth, gears.second.teeth)
        self.speeds = willis(gears.ratio, teeth, gears.arrangement, first, what)
        largest = max(map(abs, known.values()))
        for key, speed in known.items():
            if abs(speed - self.speeds[key]) > _ALIKE * largest:
                raise ModelError(
                    f"{what}: the initial speed of the {key} is {speed:.6g} rad/s, but the other members require "
                    f"{self.speeds[key]:.6g} rad/s; "
                    "specify consistent speeds of the bodies",
                    about=what.at("on"),
                )

    def of(self, part: str, position: Any) -> dict[str, Any]:
        """Arguments for a body: a member, or a planet at a position in the world that moves with the carrier."""
        if not self.speeds:
            return {}
        around = 0.0 if part in ("sun", "ring") else self.speeds["carrier"]
        return {
            "velocity": around * np.cross(self.axis, position - self.centre),
            "angular_velocity": self.speeds[part] * self.axis,
        }


# ---- planetary values

# Checks and conversion of the values given for a planetary train.

_MOST_PLANETS = 1000


def read_angles(planets: object, angles: Any, what: Subject) -> FloatArray:
    """Return the angles of the planets (N,) [rad]; evenly spaced if none are given."""
    if isinstance(planets, bool) or not isinstance(planets, (int, np.integer)) or not 1 <= planets <= _MOST_PLANETS:
        raise ModelError(
            f"{what}: planets must be a whole number from 1 to {_MOST_PLANETS}, got {shown(planets)}",
            about=what.at("planets"),
        )
    if angles is None:
        return np.asarray(2.0 * math.pi * np.arange(int(planets)) / int(planets))
    given = np.array([quantity(x, "angle", what=what / "angles" / i) for i, x in enumerate(angles)])
    if len(given) != planets:
        raise ModelError(
            f"{what}: {planets} planets but {len(given)} angles. Specify one angle for each planet",
            about=what.at("angles"),
        )
    return given


def read_errors(values: Any, n: int, key: str, what: Subject) -> FloatArray:
    """Return the position errors of n pins (n,) [m]; zero if none are given. key: "radial" or "tangential"."""
    if values is None:
        return np.zeros(n)
    given = np.array([quantity(x, "length", what=what / f"{key}_errors" / i) for i, x in enumerate(values)])
    if len(given) != n:
        raise ModelError(
            f"{what}: {n} planets but {len(given)} {key}_errors. Specify one for each planet",
            about=what.at(f"{key}_errors"),
        )
    return given


def read_mass(value: Any, part: str, what: Subject) -> dict[str, Any]:
    """Return the mass of a part of the train as arguments of `Model.body`; empty if none is given."""
    if value is None:
        return {}
    if isinstance(value, MassProperties):
        return {"solid": value}
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise ModelError(
            f"{what}: masses of {part}: expected a solid with a mass, such as cylinder(..., mass=...), or "
            f"(mass, inertia), got {shown(value)}",
            about=what.at("masses", part),
        )
    return {"mass": value[0], "inertia": value[1]}


def read_meshes(value: Any, n: int, key: str, what: Subject) -> list[Any]:
    """Return one mesh for each of n planets."""
    if isinstance(value, (list, tuple)):
        if len(value) != n:
            raise ModelError(
                f"{what}: {n} planets but {len(value)} meshes in {key}. Specify one for all planets, or one for each",
                about=what.at(key),
            )
        return list(value)
    return [value] * n


@names_wrong_arguments
def planetary(
    model: Model,
    name: str,
    *,
    sun: Gear,
    ring: Gear,
    planet: Gear | tuple[Gear, Gear],
    planets: int = 3,
    arrangement: str | None = None,
    fixed: str | None = None,
    on: Mapping[str, Body | str] | None = None,
    masses: Mapping[str, Any] | None = None,
    mesh_sun: Mesh | Sequence[Mesh] | None = None,
    mesh_ring: Mesh | Sequence[Mesh] | None = None,
    mesh_planets: Mesh | Sequence[Mesh] | None = None,
    bearings: Mapping[str, Any] | None = None,
    pin_stiffness: Quantity | None = None,
    pin_damping: Quantity = 0.0,
    angles: Sequence[Quantity] | None = None,
    radial_errors: Sequence[Quantity] | None = None,
    tangential_errors: Sequence[Quantity] | None = None,
    centre_distance: Quantity | None = None,
    step: Quantity = 0.0,
    outer_ahead: bool = True,
    phase: str = "as placed",
    position: Vector = (0.0, 0.0, 0.0),
    axis: Direction = "z",
) -> Planetary:
    """Add an epicyclic gear train: a sun, a ring, a carrier, and planets. For spatial and planar models.

    Every part is a normal body, joint or gear pair. Its name starts with the name of the train: "stage sun", "stage planet 1",
    "stage pin 1", "stage sun mesh 1", "stage ring mesh 1", "stage sun bearing", ... The returned object contains all parts,
    the mesh phases, the speeds by the Willis equation, and the load sharing of a result.

    Parameters
    ----------
    model
        Model to which the train is added.
    name
        Name of the train.
    sun, ring, planet
        Gears. The ring is an internal gear. Two gears for planets with two wheels: see `arrangement`.
    planets
        Number of planets N (of pairs, if the planets mesh with each other). Default 3.
    arrangement
        "simple": one wheel meshes with both sun and ring. "stepped": two wheels on one body. The first one meshes with the sun, the
        second one with the ring. The second one and the ring are offset along the axis by `step`. "meshed": two planets in a
        row, sun - inner - outer - ring. Default: "simple" for one gear; required for two gears.
    fixed
        "sun", "ring" or "carrier": the member that is part of the ground. Default: none.
    on
        Members that are on an existing body, such as {"sun": first.carrier}, for compound trains. If two members are fixed or
        on bodies, they define the initial speeds of the others and of the planets.
    masses
        Masses of "sun", "ring", "carrier", "planet", "outer planet": a solid such as ``cylinder(...)``, or (mass, inertia) as
        in `body`. Default for gears: `Gear.blank`. Default for the carrier: no mass, which needs rigid pins and a
        rigid bearing.
    mesh_sun, mesh_ring, mesh_planets
        `Elastic(...)`, `Loaded(...)`, `Rigid(...)` or `Rolling()`; one for all planets, or a list with one for each. Default
        Rigid(). `Flank(...)` is possible in one mesh of each wheel.
    bearings
        Bearings of "sun", "ring", "carrier" between member and ground: "hinge" (default); "free"; a radial stiffness [N/m]; or a
        `Support`. Members that are fixed or on another body have no bearing. {"planet": "none"}: planets without pins, for
        bearings on the carrier that you add to the model, such as `Model.bearing`.
    pin_stiffness, pin_damping
        Radial stiffness [N/m] and damping [N s/m] of the planet pins on the carrier. Default: rigid hinges.
    angles
        N angles of the planets [rad], from the x axis of the train. Default: evenly spaced.
    radial_errors, tangential_errors
        N position errors of the pins [m], outwards, and forwards about the axis. For pairs, those of the inner planets. Default 0.
    centre_distance
        Centre distance of sun and planets [m]. Default: without backlash.
    step
        Axial offset of the second wheel of stepped planets and of the ring [m]. Default 0.
    outer_ahead
        For "meshed": whether the outer planets are ahead of the inner ones about the axis (default True) or behind them.
    phase
        "as placed" (default): the teeth are in their real positions, and an assembly that is not possible is an error. "fit":
        all teeth are moved on their wheels so that they engage in the initial pose.
    position, axis
        Centre [m] and axis of the train in the world. Default: the origin, and "z".
    """
    what = part_subject("planetary", name)
    return _TrainBuilder(model, name, what).build(
        read_gears(sun, ring, planet, arrangement, what),
        planets=planets,
        fixed=fixed,
        on={} if on is None else on,
        masses={} if masses is None else masses,
        meshes=(mesh_sun, mesh_ring, mesh_planets),
        bearings={} if bearings is None else bearings,
        pin=None
        if pin_stiffness is None
        else read_support(pin_stiffness, pin_damping, ("pin_stiffness",), ("pin_damping",), what),
        angles=angles,
        errors=(radial_errors, tangential_errors),
        distance=None
        if centre_distance is None
        else quantity(centre_distance, "length", what=what / "centre_distance"),
        step=quantity(step, "length", what=what / "step"),
        ahead=outer_ahead,
        phase=choice(phase, ("as placed", "fit"), what / "phase"),
        place=(vector(position, "length", what=what / "position"), z_to(direction(axis, what=what / "axis"))),
    )


class _TrainBuilder:
    """Builder for the parts of one train. If an error occurs, the model does not change."""

    def __init__(self, model: Model, name: str, what: Subject) -> None:
        if not isinstance(model, Model):
            raise ModelError(
                f'{what}: expected the model first, planetary(model, "{name}", ...), got {shown(model)}', about=what
            )
        self.m, self.name, self.what = model, name, what
        self.wheels: dict[str, Wheel] = {}

    def build(self, gears: TrainGears, **said: Any) -> Planetary:
        tables = [getattr(self.m, f"_{kind}") for kind in ("bodies", "joints", "loads", "wheels", "gear_pairs")]
        before = [dict(table) for table in tables]
        try:
            return self._build(gears, **said)
        except Exception:
            for table, kept in zip(tables, before, strict=True):
                table.clear()
                table.update(kept)
            raise

    def _build(
        self,
        gears: TrainGears,
        *,
        planets: int,
        fixed: str | None,
        on: Mapping[str, Body | str],
        masses: Mapping[str, Any],
        meshes: tuple[Any, Any, Any],
        bearings: Mapping[str, Any],
        pin: Support | None,
        angles: Any,
        errors: tuple[Any, Any],
        distance: float | None,
        step: float,
        ahead: bool,
        phase: str,
        place: Pose,
    ) -> Planetary:
        what = self.what
        theta = read_angles(planets, angles, what)
        radial, tangential = errors
        wrong = np.column_stack(
            [read_errors(radial, planets, "radial", what), read_errors(tangential, planets, "tangential", what)]
        )
        if phase == "fit" and wrong.any():
            raise ModelError(
                f'{what}: phase="fit" moves all teeth to engage, so that position errors have no effect; omit '
                "one of them",
                about=what.at("phase"),
            )
        fit = phase == "fit"
        layout = lay_out(gears, theta, distance=distance, step=step, ahead=ahead, errors=wrong, fit=fit, what=what)
        members = self._members(fixed, on)
        check_members(masses, (*MEMBERS, "planet", "outer planet"), what / "masses")
        free = [key for key in MEMBERS if members[key] is None]
        check_members(
            bearings, (*free, "planet"), what / "bearings", "a member that is fixed or on a body has no bearing;"
        )
        pinned = self._pinned(bearings, pin)
        self.motion = TrainMotion(gears, members, place, what)
        centre, axes = place
        bodies = {
            "sun": self._wheel("sun", gears.sun, layout.sun, members["sun"], masses, place),
            "ring": self._wheel("ring", gears.ring, layout.ring, members["ring"], masses, place),
            "carrier": members["carrier"]
            or self._carrier(masses.get("carrier"), pin, bearings.get("carrier", "hinge"), place),
        }
        held = {key: self._bearing(key, bodies[key], bearings.get(key, "hinge"), centre, axes) for key in free}
        inner = tuple(self._planet(i, gears, pose, masses, step, place) for i, pose in enumerate(layout.planets, 1))
        outer = tuple(
            self._wheel(f"outer planet {i}", gears.second, pose, None, masses, place, mass_of="outer planet")
            for i, pose in enumerate(layout.outer, 1)
        )
        pins = (
            ()
            if not pinned
            else tuple(
                self._pin(f"{prefix}pin {i}", bodies["carrier"], body, pin, axes)
                for prefix, group in (("", inner), ("outer ", outer))
                for i, body in enumerate(group, 1)
            )
        )
        sun_meshes, ring_meshes, planet_meshes = self._mesh(gears, layout, meshes, phase)
        return Planetary(
            self.name, gears.arrangement, bodies["sun"], bodies["ring"], bodies["carrier"], inner, outer, self.wheels, held, pins,
            sun_meshes, ring_meshes, planet_meshes, theta, layout.phasing, gears.ratio,
        )  # fmt: skip

    # ---- reading of arguments

    def _members(self, fixed: str | None, on: Mapping[str, Body | str]) -> dict[str, Body | None]:
        """Bodies to which members belong. None: the member is a new body."""
        check_members(on, MEMBERS, self.what / "on")
        members: dict[str, Body | None] = dict.fromkeys(MEMBERS)
        for key in on:
            members[key] = self.m._body(on[key], self.what.at("on", key).called(f"{self.what}: on {key}"))
        if fixed is not None:
            key = choice(fixed, MEMBERS, self.what / "fixed")
            if key in on:
                called = members[key].name  # type: ignore[union-attr]  # it was given
                problem = f'{self.what}: the {key} is both fixed and on "{called}"; specify only one of them'
                raise ModelError(problem, about=self.what.at("fixed"))
            members[key] = self.m.ground
        return members

    def _pinned(self, bearings: Mapping[str, Any], pin: Support | None) -> bool:
        """Whether the planets have pins of the train."""
        if "planet" not in bearings:
            return True
        if bearings["planet"] != "none" or pin is not None:
            raise ModelError(
                f'{self.what}: bearings of the planet must be "none", without pin_stiffness; got {shown(bearings["planet"])}. '
                "Pins are rigid hinges, or elastic with pin_stiffness",
                about=self.what.at("bearings", "planet"),
            )
        return False

    # ---- parts

    def _called(self, part: str) -> str:
        return f"{self.name} {part}"

    @staticmethod
    def _world(pose: Pose, place: Pose) -> Pose:
        return place[0] + place[1] @ pose[0], place[1] @ pose[1]

    def _wheel(
        self,
        part: str,
        gear: Gear,
        pose: Pose,
        body: Body | None,
        masses: Mapping[str, Any],
        place: Pose,
        *,
        mass_of: str = "",
    ) -> Body:
        """Add a wheel on an existing body, or as a new body."""
        x, R = self._world(pose, place)
        called = self._called(part)
        if body is not None:
            self.wheels[part] = self.m.wheel(called, body, gear, at=x, orientation=R)
            return body
        mass = read_mass(masses.get(mass_of or part), part, self.what)
        own = self.m.gear_body(called, gear, position=x, orientation=R, **mass, **self.motion.of(mass_of or part, x))
        self.wheels[part] = self.m.wheels[called]
        return own

    def _planet(
        self, i: int, gears: TrainGears, pose: Pose, masses: Mapping[str, Any], step: float, place: Pose
    ) -> Body:
        part = f"planet {i}"
        if gears.arrangement != "stepped":
            return self._wheel(part, gears.first, pose, None, masses, place, mass_of="planet")
        x, R = self._world(pose, place)
        mass = read_mass(masses.get("planet"), "planet", self.what)
        if not mass:
            parts = [g.solid for g in (gears.first, gears.second)]
            mass = {"solid": parts[0] + parts[1].moved((0.0, 0.0, step))}
        body = self.m.gear_body(
            self._called(part), gears.first, position=x, orientation=R, **mass, **self.motion.of("planet", x)
        )
        self.wheels[part] = self.m.wheels[body.name]
        second = self._called(f"outer planet {i}")
        self.wheels[f"outer planet {i}"] = self.m.wheel(
            second, body, gears.second, at=x + step * place[1][:, 2], orientation=R
        )
        return body

    def _carrier(self, mass: Any, pin: Support | None, bearing: Any, place: Pose) -> Body:
        if mass is None:
            if pin is not None or bearing != "hinge":
                raise ModelError(
                    f"{self.what}: a carrier on springs, or with planets on springs, needs a mass; specify "
                    f"masses={{'carrier': ...}}, "
                    "a solid or (mass, inertia)",
                    about=self.what.at("masses"),
                )
            mass = (0.0, (0.0, 0.0, 0.0))
        mass, motion = read_mass(mass, "carrier", self.what), self.motion.of("carrier", place[0])
        return self.m.body(self._called("carrier"), position=place[0], orientation=place[1], **mass, **motion)

    def _bearing(
        self, part: str, body: Body, value: Any, centre: FloatArray, axes: FloatArray
    ) -> Joint | Bushing | None:
        if value == "hinge":
            return self.m.revolute(self._called(f"{part} bearing"), self.m.ground, body, at=centre, axis=axes[:, 2])
        support = Support() if value == "free" else value
        if not isinstance(support, Support):
            support = read_support(value, 0.0, ("bearings", part), (), self.what)
        return self._spring(f"{part} bearing", self.m.ground, body, support, centre, axes)

    def _pin(self, part: str, carrier: Body, planet: Body, pin: Support | None, axes: FloatArray) -> Joint | Bushing:
        if pin is None:
            return self.m.revolute(self._called(part), carrier, planet, at=planet.position, axis=axes[:, 2])
        made = self._spring(part, carrier, planet, pin, planet.position, axes)
        if made is None:
            raise ModelError(
                f"{self.what}: pin_stiffness must be greater than zero, got 0; omit it for rigid pins",
                about=self.what.at("pin_stiffness"),
            )
        return made

    def _spring(
        self, part: str, a: Body, b: Body, support: Support, at: FloatArray, axes: FloatArray
    ) -> Bushing | None:
        """Add radial springs. Axial motion and tilt are constrained by a planar joint, or by the plane of the model."""
        called, s = self._called(part), support
        if self.m.plane is None:
            self.m.planar(f"{called} guide", a, b, at=at, axis=axes[:, 2])
        if not s.acts:
            return None
        return self.m.bushing(
            called, a, b, at=at, axis=axes[:, 2],
            stiffness=(s.stiffness, s.stiffness, 0.0, 0.0, 0.0, s.torsion),
            damping=(s.damping, s.damping, 0.0, 0.0, 0.0, s.torsion_damping),
        )  # fmt: skip

    def _mesh(
        self, gears: TrainGears, layout: TrainLayout, meshes: tuple[Any, Any, Any], phase: str
    ) -> tuple[tuple[GearMesh, ...], tuple[GearMesh, ...], tuple[GearMesh, ...]]:
        n = len(layout.planets)
        at_sun, at_ring, between = (
            read_meshes(value, n, key, self.what)
            for value, key in zip(meshes, ("mesh_sun", "mesh_ring", "mesh_planets"), strict=True)
        )
        if meshes[2] is not None and gears.arrangement != "meshed":
            raise ModelError(
                f'{self.what}: mesh_planets is for planets that mesh with each other; specify arrangement="meshed", or omit it',
                about=self.what.at("mesh_planets"),
            )
        last = "planet" if gears.arrangement == "simple" else "outer planet"

        def pairs(part: str, laws: list[Any], a: str, b: str) -> tuple[GearMesh, ...]:
            names = [self._called(f"{part} mesh {i}") for i in range(1, len(laws) + 1)]
            for i, (name, law) in enumerate(zip(names, laws, strict=True), 1):
                self.m.gear_pair(name, self._numbered(a, i), self._numbered(b, i), mesh=law, phase=phase)
            return tuple(self.m.gear_pairs[name] for name in names)

        coupled = pairs("planet", between, "planet", "outer planet") if gears.arrangement == "meshed" else ()
        return pairs("sun", at_sun, "sun", "planet"), pairs("ring", at_ring, last, "ring"), coupled

    def _numbered(self, part: str, i: int) -> Wheel:
        return self.wheels[part if part in MEMBERS else f"{part} {i}"]
