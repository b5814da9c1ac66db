"""Machines of one or two disc cams with followers of all types: rollers and flat faces, on guides and on arms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from machines.draws import Rng, body, function, inertia, log_uniform, pick, rotation, signed
from machines.gears import HERE, accepted
from machines.machine import Machine, Part
from machines.mechanisms import friction
from machines.options import unit_vector
from machines.values import SAME, Arrow, Call, Name, Number, On, Point, Turn, changed

import pitchline as pl
from pitchline.errors import Subject

LAWS = (
    "parabolic", "harmonic", "cycloidal", "modified_sine", "modified_trapezoid", "polynomial_345", "polynomial_4567", "cycloidal",
    "linear",
)  # fmt: skip
"""Laws of a rise or a return."""


def cams(seed: int) -> Machine:
    """A cam on a shaft, with a follower that is pressed on it, or guided by it."""
    return accepted(23, seed, lambda rng: _cams(rng, seed))


class Follower:
    """Dimensions of a cam and its follower, as numbers, and the profile as data."""

    def __init__(self, rng: Rng) -> None:
        self.flat, self.swings = rng.random() < 0.35, rng.random() < 0.4
        self.outline = rng.random() < 0.2 and not self.swings
        self.base = log_uniform(rng, 0.02, 0.06)
        self.roller = 0.0 if self.flat or rng.random() < 0.1 else self.base * float(rng.uniform(0.15, 0.4))
        self.side = pick(rng, ("left", "right"))
        self.offset = (
            self.base * float(rng.uniform(-0.3, 0.3)) if not (self.flat or self.swings) and rng.random() < 0.5 else 0.0
        )
        self.pivot = self.base * float(rng.uniform(2.2, 3.5))
        self.arm = self.pivot * float(rng.uniform(0.7, 1.0))
        self.face = (
            self.base * float(rng.uniform(-0.2, 0.2)) if self.flat and self.swings and rng.random() < 0.6 else 0.0
        )
        lift = (0.06 if self.flat else 0.25) * self.base * float(rng.uniform(0.3, 1.0))
        self.lift = lift / self.arm if self.swings else lift
        self.profile = self._outline(rng) if self.outline else self._of_lift(rng)

    def _layout(self) -> dict[str, Any]:
        given: dict[str, Any] = {"base_radius": Number(self.base, "m")}
        if self.offset:
            given["offset"] = Number(self.offset, "m")
        if self.swings:
            given |= {"pivot_distance": Number(self.pivot, "m"), "side": self.side}
            if self.flat:
                given |= {"face_offset": Number(self.face, "m")} if self.face else {}
            else:
                given["arm"] = Number(self.arm, "m")
        return given

    def _of_lift(self, rng: Rng) -> Call:
        unit = "rad" if self.swings else "m"
        if rng.random() < 0.25:
            count = int(rng.integers(12, 25))
            angles = 2.0 * math.pi * np.arange(count) / count
            wave = 0.5 * self.lift * (1.0 - np.cos(angles)) * (1.0 + 0.1 * np.sin(angles))
            places = (Number((*map(float, angles), 2.0 * math.pi), "rad"), Number((*map(float, wave), 0.0), unit))
            return Call("pl.CamProfile.from_lift_table", self._layout(), places)
        rise, back = float(rng.uniform(1.4, 2.6)), float(rng.uniform(1.4, 2.6))
        dwell = float(rng.uniform(0.1, 0.9)) * (2.0 * math.pi - rise - back)
        laws = [law for law in LAWS if law not in (("linear",) if self.flat or self.roller else ())]
        segments: list[Any] = [(pick(rng, laws), Number(rise, "rad"), Number(self.lift, unit))]
        if rng.random() < 0.7:
            segments.append(("dwell", Number(dwell, "rad")))
        else:
            rise_more = Number(1.3 * self.lift, unit)
            segments.append((pick(rng, laws), Number(dwell, "rad"), rise_more))
        segments.append((pick(rng, laws), Number(back, "rad"), Number(0.0, unit)))
        segments.append(("dwell", Number(2.0 * math.pi - rise - back - dwell, "rad")))
        return Call("pl.CamProfile.from_lift", self._layout(), (segments,))

    def _outline(self, rng: Rng) -> Call:
        """An eccentric, or a slightly oval one."""
        count = int(rng.integers(24, 60))
        at = 2.0 * math.pi * np.arange(count) / count
        e, oval = self.base * float(rng.uniform(0.05, 0.3)), 0.02 * self.base * float(rng.uniform(0.0, 1.0))
        radius = self.base + oval * np.cos(2.0 * at)
        points = [
            Number((float(e + r * math.cos(a)), float(r * math.sin(a))), "m") for a, r in zip(at, radius, strict=True)
        ]
        return Call("pl.CamProfile.from_points", {}, (points,))

    def made(self) -> Any:
        """The profile."""
        call = changed(self.profile, SAME)
        return getattr(pl.CamProfile, call.maker.rpartition(".")[2])(*call.places, **call.given)


def _cams(rng: Rng, seed: int) -> Machine:
    turn, centre = rotation(rng), rng.normal(size=3)
    axis = turn[:, 2]
    mass = log_uniform(rng, 0.5, 5.0)
    offset = 0.1 * rng.normal(size=3)
    disc: dict[str, Any] = {"mass": Number(mass, "kg"), "inertia": inertia(rng, mass, 0.08)}
    disc |= {"position": Point(tuple(centre)), "orientation": Turn(turn)}
    parts = [Part("body", "disc", disc, kept=True)]
    own_frame = rng.random() < 0.4
    place = centre + turn @ (offset if own_frame else 0.0 * offset)
    hinge: dict[str, Any] = {
        "a": Name("ground"),
        "b": Name("disc"),
        "at": Point(tuple(place)),
        "axis": Arrow(tuple(axis), axial=True),
    }
    parts.append(Part("revolute", "hinge", hinge, kept=True))
    frame = (np.eye(3), offset) if own_frame else (np.eye(3), np.zeros(3))
    if own_frame:
        angle = float(rng.uniform(-3, 3))
        c, s = math.cos(angle), math.sin(angle)
        frame = (np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), offset)
    any_bilateral = False
    for k in range(2 if rng.random() < 0.25 else 1):
        made, bilateral = _follower(rng, k, turn, place, frame, own_frame=own_frame)
        parts += made
        any_bilateral |= bilateral
    parts += _loads(rng, any_bilateral=any_bilateral)
    gravity = tuple(9.81 * unit_vector(rng)) if rng.random() < 0.5 else HERE
    return Machine("cams", seed, tuple(parts), gravity, step=log_uniform(rng, 5e-5, 5e-4))


def _follower(
    rng: Rng, k: int, turn: np.ndarray, place: np.ndarray, frame: tuple[np.ndarray, np.ndarray], *, own_frame: bool
) -> tuple[list[Part], bool]:
    """Follower, its guide, what presses it on the cam, and the cam; and whether it is guided both ways."""
    one = Follower(rng)
    axis, name, guide = turn[:, 2], f"follower {k}", f"guide {k}"
    # at the end of a segment, rounding would decide which law acts
    angle = 0.0 if one.outline else float(rng.uniform(0.01, 6.0))
    way = float(rng.uniform(-3, 3))
    direction, left = (math.cos(w) * turn[:, 0] + math.sin(w) * turn[:, 1] for w in (way, way + 0.5 * math.pi))
    given: dict[str, Any] = {"profile": one.profile}
    motion, normal = direction, direction
    pivot = place + one.pivot * direction
    profile = one.made()
    what = Subject("cam")
    lift = 0.0 if one.outline else float(profile.lift(angle))
    bilateral = not one.flat and rng.random() < 0.4
    if one.outline:
        axes = turn @ frame[0] if own_frame else turn
        curve = (
            profile.support_function(what=what)
            if one.flat
            else profile.pitch_curve(one.roller, groove=bilateral, what=what)
        )
        seen = axes.T @ direction
        point = place + float(curve(math.atan2(seen[1], seen[0]))) * direction
    elif not one.swings:
        point = place + lift * direction + one.offset * left
        point = point + (one.base if one.flat else math.sqrt((one.base + one.roller) ** 2 - one.offset**2)) * direction
    else:
        if one.flat:
            # the face is at face_offset from the pivot: its normal has the angle of the support function
            at = profile.layout.follower_angle(lift, None)
            normal = math.cos(at) * direction + math.sin(at) * left
            point = pivot - one.face * normal
        else:
            seen = profile.layout.place(*(np.asarray(x) for x in (lift, 0.0, 0.0)), one.roller, what)[0]
            point = place + float(seen.real) * direction + float(seen.imag) * left
    if not bilateral:
        # at a gap of zero, rounding would decide whether the follower touches
        gap = signed(rng, 1e-6, 3e-5)
        # an arm that does not touch has a second equilibrium, on the other side of the cam
        gap = -abs(gap) if one.swings else gap
        point = point + gap * (normal if one.flat else (point - place) / np.linalg.norm(point - place))
    parts = [body(rng, name, size=0.05, moving=False, at=point, centred=True)]
    given["a"], given["b"] = _ends(
        rng, name, turn, place, point, frame, given, own_frame=own_frame, outline=one.outline
    )
    if one.flat:
        given |= {"face": "flat", "direction": Arrow(tuple(float(rng.uniform(0.5, 2.0)) * normal))}
    else:
        given["roller_radius"] = Number(one.roller, "m")
        if rng.random() < (0.6 if one.outline else 0.2):
            given["direction"] = Arrow(tuple(motion))
    if angle:
        given["cam_angle"] = Number(angle, "rad")
    if bilateral:
        given["bilateral"] = True
    else:
        k_contact = log_uniform(rng, 1e5, 5e6)
        given["stiffness"] = Number(k_contact, "N/m")
        if rng.random() < 0.7:
            given["damping"] = Number(0.05 * math.sqrt(k_contact), "N*s/m")
    if rng.random() < 0.4:
        given |= {
            "width": Number(log_uniform(rng, 0.005, 0.02), "m"),
            "modulus": Number(log_uniform(rng, 5e10, 2e11), "N/m^2"),
        }
    if one.swings:
        parts.append(Part("revolute", guide, {"a": Name("ground"), "b": Name(name), "at": Point(tuple(pivot)),
                                              "axis": Arrow(tuple(axis), axial=True)}, kept=True))  # fmt: skip
    else:
        parts.append(
            Part("prismatic", guide, {"a": Name("ground"), "b": Name(name), "axis": Arrow(tuple(direction))}, kept=True)
        )
    # a force towards the cam axis presses the follower onto the cam
    size = log_uniform(rng, 20.0, 1000.0)
    towards = -normal if one.flat else (place - point) / np.linalg.norm(place - point)
    if rng.random() < 0.6:
        parts.append(
            Part(
                "force",
                f"press {k}",
                {"on": Name(name), "value": Arrow(tuple(size * towards), "N"), "at": Point(tuple(point))},
            )
        )
    else:
        stretched = {"a": Name("ground"), "b": Name(name), "at_a": Point(tuple(point + 0.2 * towards)), "at_b": Point(tuple(point)),
                     "stiffness": Number(size / 0.05, "N/m"), "free_length": Number(0.15, "m")}  # fmt: skip
        if rng.random() < 0.5:
            stretched["damping"] = Number(log_uniform(rng, 1.0, 50.0), "N*s/m")
        parts.append(Part("spring", f"press {k}", stretched))
    parts.append(Part("cam", f"cam {k}", given))
    return parts, bilateral


def _ends(
    rng: Rng, name: str, turn: np.ndarray, place: np.ndarray, point: np.ndarray, frame: tuple[np.ndarray, np.ndarray],
    given: dict[str, Any], *, own_frame: bool, outline: bool,
) -> tuple[Any, Any]:  # fmt: skip
    """Frames of cam and follower; given: `axis` and the points, if bodies are given."""
    a: Any = Name("disc")
    if own_frame:
        a = On("disc", tuple(frame[1]), frame[0])
    elif not outline and rng.random() < 0.4:
        given["axis"] = Arrow(tuple(turn[:, 2]), axial=True)
    if not own_frame and rng.random() < 0.3:
        along = 0.0 if outline else 0.02 * float(rng.normal())
        given["at_a"] = Point(tuple(place + along * turn[:, 2]))
    b: Any = Name(name)
    if rng.random() < 0.3:
        given["at_b"] = Point(tuple(point + 0.01 * float(rng.normal()) * turn[:, 2]))
    return a, b


def _loads(rng: Rng, *, any_bilateral: bool) -> list[Part]:
    """A drive or a torque on the cam shaft, friction, springs."""
    parts: list[Part] = []
    driven = rng.random() < (0.7 if any_bilateral else 0.5)
    if driven:
        speed = signed(rng, 2.0, 100.0)
        ramp = Call("pl.Ramp", {"start": Number(0.0, "rad/s"), "end": Number(speed, "rad/s"), "t0": Number(0.0, "s"),
                                "t1": Number(log_uniform(rng, 1e-3, 2e-2), "s")})  # fmt: skip
        parts.append(
            Part("drive", "motor", {"joint": Name("hinge"), "speed": pick(rng, (ramp, Number(speed, "rad/s")))})
        )
    else:
        parts.append(
            Part("torque", "motor", {"on": Name("hinge"), "value": function(rng, "N*m", log_uniform(rng, 0.5, 20.0))})
        )
        if rng.random() < 0.7:
            held = {"joint": Name("hinge"), "stiffness": Number(log_uniform(rng, 20.0, 2e3), "N*m/rad")}
            parts.append(Part("torsion_spring", "hold", held))
    if rng.random() < 0.2:
        parts.append(Part("friction", "friction", {"joint": Name("hinge"), **friction(rng, angle=True)}))
    return parts
