"""Closed trains of toothed wheels: whether all their teeth fit at the same time.

In the initial pose each mesh k is out of phase by c_k pitches. A rotation of a wheel of z teeth by θ changes it by ± z θ/(2π). The
wheels of a train without loops can always be rotated so that all c_k are whole numbers. Each loop, such as sun, planet, ring,
planet, has one condition more. Rotating a wheel by whole pitches, or the whole train, does not change it: only other tooth numbers
or other positions of the wheels do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import ModelError
from ..gears import Gear, GearPair
from ..gears.alignment import Alignment
from .gear_mesh import GearMesh
from .joints import Placed
from .meshes import Rolling
from .names import part_subject
from .registry import Registry

__all__ = ["FORCED", "as_text", "assembly_problems", "assembly_warnings", "trains_that_fit"]

FORCED = "fit"
"""Value of `GearMesh.phase` if teeth are moved to their spaces in any case."""

_FITS = 0.02
"""Deviation of the teeth of a loop in pitches, in addition to the backlash, that counts as inaccuracy of the positions."""
_PLACED = 0.1
"""The same with teeth as placed, whose positions may have errors that are part of the model."""
_MOST_SUGGESTIONS = 3


@dataclass(frozen=True)
class _Mesh:
    """Phase of one mesh: c = start + rate_a θ_a + rate_b θ_b [pitches], with its play [pitches]."""

    pair: GearMesh
    start: float
    rate_a: float
    rate_b: float
    play: float


@dataclass(frozen=True)
class _Loop:
    """Meshes of a loop, and the distance of its teeth from their spaces [pitches]."""

    meshes: tuple[GearMesh, ...]
    misfit: float
    forced: bool


def assembly_problems(model: Registry) -> list[ModelError]:
    """Errors for closed trains whose teeth do not fit."""
    problems = []
    for loop in _loops(model):
        if not loop.forced:
            what = part_subject("gear pair", loop.meshes[0].name)
            problems.append(ModelError(f"{what}: {_text(loop)}{_advice(loop)}", about=what))
    return problems


def assembly_warnings(model: Registry) -> list[str]:
    """Warnings for closed trains whose teeth were moved to their spaces."""
    return [
        f'gear pair "{loop.meshes[0].name}": {_text(loop)}. phase="fit" moves them to their spaces, as if each mesh had its own '
        "gears"
        for loop in _loops(model)
        if loop.forced
    ]


def trains_that_fit(sun: int, ring: int, planets: int) -> list[tuple[int, int, int]]:
    """Tooth numbers (sun, planet, ring) near the given ones with which equally spaced simple planets can be assembled."""
    near = [
        (abs(s - sun) + abs(r - ring), s, r)
        for s in range(max(3, sun - 6), sun + 7)
        for r in range(max(s + 6, ring - 8), ring + 9)
        if (s + r) % planets == 0 and (r - s) % 2 == 0
    ]
    return [(s, (r - s) // 2, r) for _, s, r in sorted(near)[:_MOST_SUGGESTIONS]]


def as_text(trains: Iterable[tuple[int, int, int]]) -> str:
    """Tooth numbers for a message."""
    return ", ".join("/".join(str(z) for z in train) for train in trains)


def _loops(model: Registry) -> list[_Loop]:
    """Loops whose teeth do not fit."""
    known = model._of_parts()
    if "misfits" not in known:
        known["misfits"] = _find_loops(model)
    found: list[_Loop] = known["misfits"]
    return found


def _find_loops(model: Registry) -> list[_Loop]:
    meshes = [mesh for mesh in map(_phase_of, model.gear_pairs.values()) if mesh is not None]
    at: dict[str, list[_Mesh]] = {}
    for mesh in meshes:
        for wheel in (mesh.pair.wheel_a, mesh.pair.wheel_b):
            at.setdefault(wheel.name, []).append(mesh)
    angle: dict[
        str, tuple[float, float]
    ] = {}  # rotation of a wheel: value, and change with the first wheel of its train
    back: dict[str, tuple[_Mesh, str]] = {}
    in_tree: set[str] = set()
    for first in at:
        if first in angle:
            continue
        angle[first] = (0.0, 1.0)
        waiting = [first]
        while waiting:
            name = waiting.pop(0)
            for mesh in at[name]:
                a, b = mesh.pair.wheel_a.name, mesh.pair.wheel_b.name
                other = b if name == a else a
                if other in angle:
                    continue
                own, its = (mesh.rate_a, mesh.rate_b) if name == a else (mesh.rate_b, mesh.rate_a)
                value, slope = angle[name]
                angle[other] = (-(mesh.start + own * value) / its, -own * slope / its)
                back[other] = (mesh, name)
                in_tree.add(mesh.pair.name)
                waiting.append(other)
    loops = [_closed(mesh, angle, back) for mesh in meshes if mesh.pair.name not in in_tree]
    of_trains: dict[str, _Loop] = {}  # one for each train
    for loop in loops:
        if loop is not None:
            of_trains.setdefault(_first_wheel(loop.meshes[0].wheel_a.name, back), loop)
    return list(of_trains.values())


def _closed(mesh: _Mesh, angle: dict[str, tuple[float, float]], back: dict[str, tuple[_Mesh, str]]) -> _Loop | None:
    """The loop that a mesh closes, if its teeth do not fit."""
    a, b = mesh.pair.wheel_a.name, mesh.pair.wheel_b.name
    slope = mesh.rate_a * angle[a][1] + mesh.rate_b * angle[b][1]
    if abs(slope) > 1e-9 * abs(mesh.rate_a * angle[a][1]):
        return None  # the wheels block each other, at any phase of their teeth
    c = mesh.start + mesh.rate_a * angle[a][0] + mesh.rate_b * angle[b][0]
    misfit = abs(c - round(c))
    ways = [_way(name, back) for name in (a, b)]
    while ways[0] and ways[1] and ways[0][-1] is ways[1][-1]:
        ways[0].pop()
        ways[1].pop()
    around = [*reversed(ways[0]), mesh, *ways[1]]
    pairs = tuple(one.pair for one in around)
    accepted = _PLACED if any(pair.phase == "as placed" for pair in pairs) else _FITS
    if misfit <= accepted + sum(one.play for one in around):
        return None
    return _Loop(pairs, misfit, any(pair.phase == FORCED for pair in pairs))


def _first_wheel(name: str, back: dict[str, tuple[_Mesh, str]]) -> str:
    while name in back:
        name = back[name][1]
    return name


def _way(name: str, back: dict[str, tuple[_Mesh, str]]) -> list[_Mesh]:
    """Meshes from a wheel to the first wheel of its train."""
    found = []
    while name in back:
        mesh, name = back[name]
        found.append(mesh)
    return found


def _phase_of(part: GearMesh) -> _Mesh | None:
    """Phase of a mesh in the initial pose, before its teeth were moved. None without teeth that must fit."""
    if isinstance(part.mesh, Rolling) or not isinstance(part.pair, GearPair) or part.poses is None:
        return None
    alignment = part.pair.align(*part.poses[0], *part.poses[1])
    pitch = alignment.pitch
    apart = math.pi * pitch.normal_module
    start, play = alignment.tooth_offset / apart, 0.5 * max(part.known_law.backlash, 0.0) / part.length_factor / apart
    return _Mesh(part, start, pitch.teeth_a * pitch.axis_sign_a / (2.0 * math.pi), _rate_b(alignment), play)


def _rate_b(alignment: Alignment) -> float:
    pitch = alignment.pitch
    if pitch.is_rack:
        return pitch.axis_sign_b * math.cos(pitch.beta_b) / (math.pi * pitch.normal_module)
    return pitch.teeth_b * pitch.axis_sign_b / (2.0 * math.pi)


def _text(loop: _Loop) -> str:
    names = ", ".join(f'"{pair.name}"' for pair in loop.meshes[1:])
    return f"the teeth of the closed train with {names} do not fit: they deviate from their spaces by {loop.misfit:.3g} pitches"


def _advice(loop: _Loop) -> str:
    """How to change the train."""
    train = _simple_train(loop)
    text = "; change tooth numbers or positions of the wheels"
    if train is not None:
        sun, ring, angle = train
        total = sun + ring
        text = (
            f". Sun and ring have {sun} + {ring} = {total} teeth, so that planets fit at multiples of {360.0 / total:.6g} deg, but "
            f"these two are {math.degrees(angle):.6g} deg apart"
        )
        equal = round(2.0 * math.pi / angle) if angle else 0
        if equal > 1 and math.isclose(angle * equal, 2.0 * math.pi, rel_tol=1e-6):
            near = as_text(trains_that_fit(sun, ring, equal))
            text += f". {equal} equally spaced planets need z_sun + z_ring that is a multiple of {equal}, such as {near} teeth"
        text += "; change tooth numbers or the angles of the planets"
    return f'{text}, or specify phase="fit" for a gear pair to move all teeth to their spaces'


def _simple_train(loop: _Loop) -> tuple[int, int, float] | None:
    """Teeth of sun and ring, and the angle between the planets [rad], of a loop of sun, ring and two simple planets."""
    wheels = {wheel.name: wheel for pair in loop.meshes for wheel in (pair.wheel_a, pair.wheel_b)}
    gears = {name: wheel.gear for name, wheel in wheels.items() if isinstance(wheel.gear, Gear)}
    rings = [name for name, gear in gears.items() if gear.internal]
    if len(loop.meshes) != 4 or len(gears) != 4 or len(rings) != 1:
        return None
    mates = {frozenset((pair.wheel_a.name, pair.wheel_b.name)) for pair in loop.meshes}
    suns = [name for name in gears if name != rings[0] and frozenset((name, rings[0])) not in mates]
    if len(suns) != 1:
        return None
    places: dict[str, Placed] = {}
    for pair in loop.meshes:
        assert pair.poses is not None
        places |= dict(zip((pair.wheel_a.name, pair.wheel_b.name), pair.poses, strict=True))
    first, second = (places[name][0] - places[suns[0]][0] for name in gears if name not in (*rings, *suns))
    size = math.sqrt(float(first @ first) * float(second @ second))
    angle = math.acos(max(-1.0, min(1.0, float(first @ second) / size)))
    return gears[suns[0]].teeth, gears[rings[0]].teeth, angle
