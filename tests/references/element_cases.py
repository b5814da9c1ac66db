"""Every kind of element in random states: all joints, all laws on all measures, all loads, also with values from signals.

A case is a function rng -> Probe. Frames lie anywhere on their bodies, constraints are violated by finite amounts, axes are
misaligned by up to one radian, angles count turns: the contract of an element holds there too.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
from references.element_bench import Probe, accepted, exponential, pose, random_rotation, report
from references.table_law import encoded, encoded_tilts, some_table

from pitchline.engine.elements.contract import ANGLE, DISPLACEMENT, DISTANCE, HELIX, Element, encode_measure
from pitchline.engine.elements.frame_motion import coordinate
from pitchline.functions import FourierLine, PiecewisePolynomial, Table
from pitchline.gears import Gear, GearPair
from pitchline.numerics.functions import Harmonics
from pitchline.parts.bodies.compile import joint_elements
from pitchline.parts.bodies.kernel import BODY, body
from pitchline.parts.bodies.kernel_constraint import scalar_constraint
from pitchline.parts.bodies.kernel_joint import COINCIDENT
from pitchline.parts.bodies.kernel_row import signal_drive
from pitchline.parts.meshes.kernel import gear_mesh
from pitchline.parts.meshes.kernel_law import ALWAYS, OVER_A, OVER_B, OVER_CYCLE, encode_geometry, encode_law
from pitchline.parts.meshes.tables import LoadTable, TiltTable
from pitchline.parts.shafts.kernel import BEAM, beam_element
from pitchline.parts.shafts.sections import exp_se3
from pitchline.parts.springs.kernel import FORCE, TORQUE, bushing, load
from pitchline.parts.springs.kernel_load import LAW_LINEAR, LAW_LOAD, LAW_STOP, LAW_TABLE, scalar_force
from pitchline.parts.springs.kernel_signal_load import signal_effort, signal_load
from pitchline.parts.springs.kernel_stop import StopLimits, rigid_stop

NODES = (3, 7)
JOINTS = (
    "revolute", "spherical", "universal", "fixed", "cylindrical", "prismatic", "planar", "point_on_line", "point_on_plane",
    "parallel_axes",
)  # fmt: skip
COINCIDENT_JOINTS = ("revolute", "spherical", "universal", "fixed")
"""Joints that hold two points together; the others let one point slide."""
MEASURES = {"angle": ANGLE, "displacement": DISPLACEMENT, "distance": DISTANCE, "helix": HELIX}
LAWS = ("load", "linear", "string", "table", "table_string", "stop")

WAVE = np.dtype([*Harmonics.dtype.descr, ("cosine", "f8"), ("sine", "f8")])
"""A function of time with one harmonic, as it lies in the array of functions."""

Frames = tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Pair:
    """Two nodes and a frame on each (in node axes), frame B near frame A in direction, anywhere in twist."""

    P: np.ndarray
    frames: Frames
    turns: int

    @property
    def angle(self) -> float:
        """Twist with its turns, by the definition in `engine.elements.contract`."""
        (_, FA), (_, FB) = self.frames
        M = (self.P[0, 3:].reshape(3, 3) @ FA).T @ (self.P[1, 3:].reshape(3, 3) @ FB)
        return float(np.arctan2(M[1, 0] - M[0, 1], M[0, 0] + M[1, 1])) + 2 * np.pi * self.turns


def random_pair(rng: np.random.Generator) -> Pair:
    a, b = ((rng.normal(size=3), random_rotation(rng)) for _ in range(2))
    xA, RA = rng.normal(size=3), random_rotation(rng)
    tilt = exponential(rng.uniform(0, 1) * np.append(_unit(rng.normal(size=2)), 0.0))
    twist = exponential(np.array([0.0, 0.0, rng.uniform(-np.pi, np.pi)]))
    gap = _unit(rng.normal(size=3)) * rng.uniform(0.3, 2.0)
    RB = RA @ a[1] @ twist @ tilt @ b[1].T
    xB = xA + RA @ (a[0] + a[1] @ gap) - RB @ b[0]
    return Pair(np.stack([pose(xA, RA), pose(xB, RB)]), (a, b), int(rng.integers(-1000, 1000)))


def _unit(a: np.ndarray) -> np.ndarray:
    return a / np.linalg.norm(a)


def _rates(rng: np.random.Generator, nodes: int) -> dict[str, np.ndarray]:
    return {"V": rng.normal(size=(nodes, 6)), "A": rng.normal(size=(nodes, 6))}


def _two(rng: np.random.Generator, pair: Pair, element: Element, **more) -> Probe:
    """A probe of a two-node element, its memory a little away from the present angle as after a step."""
    state = {
        "lam": 3 * rng.normal(size=len(element.rows)),
        "memory": np.array([pair.angle + rng.uniform(-1, 1), *rng.normal(size=2)]),
        "t": float(rng.uniform(-1, 1)),
    }
    return Probe(element, pair.P, **_rates(rng, 2), **(state | more))


def some_body(rng: np.random.Generator, *, centred: bool) -> Probe:
    root = rng.normal(size=(3, 3))
    d = np.zeros(3) if centred else rng.normal(size=3)
    element = body("b", NODES[0], mass=rng.uniform(0.1, 10), gravity=rng.normal(size=3), centre_of_mass=d,
                   inertia=root @ root.T, origin=rng.normal(size=3))  # fmt: skip
    P = pose(rng.normal(size=3), random_rotation(rng))[None]
    return Probe(element, P, **_rates(rng, 1), lam=np.zeros(0))


def some_beam(rng: np.random.Generator, *, placed: bool, damped: bool, bent: float = 0.4) -> Probe:
    """Any stiffness and mass, a reference line that is bent and twisted, and as much deformation again."""
    frames = [(np.zeros(3), np.eye(3))] * 2
    if placed:
        frames = [(rng.normal(size=3), random_rotation(rng)) for _ in range(2)]
    roots = [rng.normal(size=(n, n)) for n in (6, 6, 12)]
    K, C, M = (root @ root.T for root in roots)
    rest = rng.normal(size=6) * [1, 1, 1, 0.4, 0.4, 0.4]
    element = beam_element(
        "beam", NODES, *frames, K=K, M=M, rest=rest, damping=C if damped else None, gravity=rng.normal(size=3)
    )
    xA, RA = rng.normal(size=3), random_rotation(rng)
    x, R = exp_se3(rest + bent * rng.normal(size=6))
    RB = RA @ frames[0][1] @ R @ frames[1][1].T
    xB = xA + RA @ (frames[0][0] + frames[0][1] @ x) - RB @ frames[1][0]
    return Probe(element, np.stack([pose(xA, RA), pose(xB, RB)]), **_rates(rng, 2), lam=np.zeros(0))


def some_joint(rng: np.random.Generator, *, kind: str) -> Probe:
    pair = random_pair(rng)
    said = SimpleNamespace(name="j", kind=kind, pitch=None, length=None)
    (element,) = joint_elements(said, NODES, *pair.frames, helix_offset=0.0)
    return _two(rng, pair, element, memory=np.zeros(0))


def some_scalar_constraint(rng: np.random.Generator, *, measure: str, driven: bool) -> Probe:
    """Held at a constant, or at a cubic in time; an angle misses it by less than half a turn."""
    pair = random_pair(rng)
    p = encode_measure(MEASURES[measure], *pair.frames, rng.normal())
    here = report(_two(rng, pair, scalar_constraint("s", NODES, p), memory=np.array([pair.angle, 0, 0])))["coordinate"]
    target = float(here) + rng.uniform(-1, 1)
    if not driven:
        return _two(rng, pair, scalar_constraint("s", NODES, p, value=target, rotational=measure == "angle"))
    t = float(rng.uniform(-1, 1))
    c = np.array([[target, *rng.normal(size=3)]])
    F = np.concatenate([np.full(5, 1e3), PiecewisePolynomial(np.array([t, t + 1]), c, outside="continue").encode()])
    element = scalar_constraint("s", NODES, p, function=5, rotational=measure == "angle")
    return _two(rng, pair, element, functions=F, t=t)


def some_scalar_force(rng: np.random.Generator, *, measure: str, law: str) -> Probe:
    """A law at least 0.1 away from its kinks, on either side of them."""
    while True:
        pair = random_pair(rng)
        p = encode_measure(MEASURES[measure], *pair.frames, rng.normal())
        F = np.concatenate(
            [np.full(3, 1e3), FourierLine(*rng.normal(size=3), np.array([0.7]), np.array([-0.4])).encode()]
        )
        probe = _two(rng, pair, scalar_force("f", NODES, p, LAW_LOAD, function=3), functions=F)
        if law == "load":
            return probe
        at = report(probe)
        found = _law(rng, law, float(at["coordinate"]), float(at["rate"]))
        if found is not None:
            number, values, F = found
            return replace(probe, element=scalar_force("f", NODES, p, number, **values), functions=F)


def _law(rng: np.random.Generator, law: str, s: float, v: float) -> tuple[int, dict[str, float], np.ndarray] | None:
    """Parameters of a law around the present coordinate s and rate v; None if that is too near to a kink."""
    k, d = rng.uniform(0.5, 3), rng.uniform(0, 1.5)
    x = rng.uniform(0.15, 1.0) * rng.choice([-1, 1])
    none = np.zeros(1)
    if law == "stop":
        lower, upper = [(s - x, s - x + 3), (s - x - 3, s - x)][int(rng.integers(2))]
        beyond = x if (x < 0) == (lower == s - x) else 0.0  # how far the stop is passed, 0 between the stops
        if beyond and abs(k * beyond + d * v) < 0.1:
            return None
        return LAW_STOP, {"lower": lower, "upper": upper, "stiffness": k, "damping": d}, none
    string = law.endswith("string")
    values = {"free": s - x, "damping": d, "string": string}
    if law.startswith("table"):
        knots = np.array([-1.3, -0.7, 0.0, 0.4, 0.9])
        table = Table(knots, np.array([-4.0, -1.0, 0.0, 1.0, 3.0]))
        if np.min(np.abs(x - knots)) < 0.1 or (string and x > 0 and abs(table(x) + d * v) < 0.1):
            return None
        codes = [table.encode(), table.integral(0.0, 0.0).encode()]
        return LAW_TABLE, values | {"function": 0, "energy": codes[0].size}, np.concatenate(codes)
    if string and x > 0 and abs(k * x + d * v) < 0.1:
        return None
    return LAW_LINEAR, values | {"stiffness": k}, none


def some_load(rng: np.random.Generator, *, what: int, following: bool) -> Probe:
    pair = random_pair(rng)
    omega = rng.uniform(1, 3)
    F = np.concatenate(
        [FourierLine(*rng.normal(size=2), omega, rng.normal(size=1), rng.normal(size=1)).encode() for _ in "xyz"]
    )
    point = rng.normal(size=3) if what == FORCE else np.zeros(3)
    places = tuple(k * F.size // 3 for k in range(3))
    element = load("l", NODES, what, following=following, point=point, functions=places)
    return _two(rng, pair, element, functions=F, memory=np.zeros(0))


def some_signal_load(rng: np.random.Generator, *, what: int, following: bool) -> Probe:
    pair = random_pair(rng)
    point = rng.normal(size=3) if what == FORCE else np.zeros(3)
    element = signal_load("l", NODES, what, following=following, point=point, sources=tuple("xyz"))
    return _two(rng, pair, element, inputs=rng.normal(size=(2, 3)), memory=np.zeros(0))


def some_signal_effort(rng: np.random.Generator, *, measure: str) -> Probe:
    pair = random_pair(rng)
    p = encode_measure(MEASURES[measure], *pair.frames, rng.normal())
    element = signal_effort("e", NODES, p, memory_of=_counter(pair), source="signal")
    return _two(rng, pair, element, inputs=rng.normal(size=(2, 1)))


def some_signal_drive(rng: np.random.Generator, *, measure: str) -> Probe:
    """The signal is anywhere: the joint misses it by a finite amount, an angle by less than half a turn."""
    pair = random_pair(rng)
    p = encode_measure(MEASURES[measure], *pair.frames, rng.normal())
    element = signal_drive("d", NODES, p, memory_of=_counter(pair), source="signal", rotational=measure == "angle")
    probe = _two(rng, pair, element, inputs=rng.normal(size=(2, 1)))
    here = float(report(replace(probe, memory=np.array([pair.angle, 0, 0])))["coordinate"])
    return replace(probe, inputs=np.array([[here + rng.uniform(-1, 1)], [rng.normal()]]))


def some_rigid_stop(rng: np.random.Generator, *, measure: str, contact: int) -> Probe:
    """At the upper limit (1), at the lower one (-1), or between them (0); the choice is at least 0.1 away from its change."""
    pair = random_pair(rng)
    p = encode_measure(MEASURES[measure], *pair.frames, rng.normal())
    counter = _counter(pair)
    turns = np.array([pair.angle + rng.uniform(-1, 1), *rng.normal(size=2)])
    at = float(report(_two(rng, pair, scalar_force("f", NODES, p, LAW_LINEAR, free=0.0), memory=turns))["coordinate"])
    gap, mass = rng.uniform(0.3, 1.0), rng.uniform(0.5, 2.0)
    lower, upper = {1: (at - 3, at - gap), 0: (at - gap, at + gap), -1: (at + gap, at + 3)}[contact]
    limits = StopLimits(lower, upper, at, mass)
    element = rigid_stop("s", NODES, p, limits, 0.5, counter, rotational=measure == "angle")
    force = contact * rng.uniform(0.1, 3.0) if contact else rng.uniform(-0.5, 0.5) * mass * gap
    return _two(
        rng, pair, element, lam=np.array([force]), memory=rng.uniform(0, 9, size=2).round(), turns={"turns": turns}
    )


def _counter(pair: Pair) -> Element:
    """The coordinate that counts the revolutions of a joint."""
    return coordinate("c", NODES, encode_measure(ANGLE, *pair.frames), ("angle",))


def some_bushing(rng: np.random.Generator, *, damped: bool) -> Probe:
    pair = random_pair(rng)
    roots = rng.normal(size=(2, 6, 6))
    K, C = (root @ root.T for root in roots)
    element = bushing("b", NODES, encode_measure(ANGLE, *pair.frames), K, C if damped else np.zeros((6, 6)))
    return _two(rng, replace(pair, turns=pair.turns % 5), element)


def some_coordinate(rng: np.random.Generator) -> Probe:
    pair = random_pair(rng)
    return _two(rng, pair, _counter(pair))


def some_gear_mesh(
    rng: np.random.Generator, *, helix: float, cone: float, damped: bool, tables: bool = False, tilts: bool = False
) -> Probe:
    """Wheels of about one metre, engaged, misaligned a little, on nodes away from their centres; no backlash, hence no kink.

    Stiffness varies over the mesh cycle, errors over the turns of both wheels. Teeth with tables press on both flanks."""
    angles = np.arctan(2.0), np.arctan(0.5)
    a, b = (
        Gear(teeth=z, normal_module=0.1, helix_angle=s * helix, cone_angle=d if cone else 0.0, face_width=0.2)
        for z, s, d in ((20, 1, angles[1]), (40, -1, angles[0]))
    )
    gears = GearPair(a, b)
    nodes = [(rng.normal(size=3), random_rotation(rng)) for _ in range(2)]  # the wheels' axes in node axes
    wheel_a = rng.normal(size=3), random_rotation(rng)
    there = gears.place(position=wheel_a[0], rotation=wheel_a[1])
    wheel_b = there.position, there.rotation
    at = gears.align(*wheel_a, *wheel_b)
    poses = []
    for (o, N), (x, R) in zip(nodes, (wheel_a, wheel_b), strict=True):
        tilted = R @ exponential(0.03 * rng.normal(size=3)) @ N.T
        poses.append(pose(x + 0.03 * rng.normal(size=3) - tilted @ o, tilted))
    (oA, NA), (oB, NB) = nodes
    geometry = encode_geometry(
        at.pitch, oA + NA @ at.point_a, NA @ at.triad_a, oB + NB @ at.point_b, NB @ at.triad_b, length=0.9
    )
    waves = [FourierLine(c0, 0.0, 1.0, np.array([c]), np.array([s])).encode() for c0, c, s in
             ((3.0, 0.5, -0.7), (0.0, 0.01, 0.02), (0.0, -0.02, 0.01))]  # fmt: skip
    flanks = [some_table(rng, 2.0, 1.5, 0.05) for _ in range(2)]
    flanks = [replace(flank, touch=flank.touch - [1.0, 0.0, 0.0, 0.0]) for flank in flanks]
    flanks = [_over_tilts(flank) if tilts else encoded(flank) for flank in flanks]
    waves += flanks
    at_k, at_a, at_b, drive, coast = np.cumsum([0, *(wave.size for wave in waves)])[:5].tolist()
    law = encode_law(
        stiffness=[(at_k, OVER_CYCLE), 9.0], tables=(drive, coast, 1.0) if tables else None,
        tilt=(0.9, 0.4) if tilts else None, tilt_width=0.2 if tilts and not tables else 0.0,
        errors=[0.02, (at_a, OVER_A), (at_b, OVER_B)], damping=0.8 if damped else 0.0, damping_mode=ALWAYS,
        energy_consistent=bool(rng.integers(2)) if damped else True,
    )  # fmt: skip
    element = gear_mesh("g", NODES, geometry, law)
    rates = {k: 0.3 * v for k, v in _rates(rng, 2).items()}
    probe = Probe(
        element,
        np.stack(poses),
        **rates,
        lam=np.zeros(0),
        functions=np.concatenate(waves),
        memory=element.memory.copy(),
    )
    probe = replace(probe, memory=accepted(probe))
    if abs(report(probe)["normal_force"]) > 0.05:
        return probe
    # the separating force |f| tan(alpha) has a kink at f = 0
    return some_gear_mesh(rng, helix=helix, cone=cone, damped=damped, tables=tables, tilts=tilts)


def _over_tilts(table: LoadTable) -> np.ndarray:
    """Teeth that are softer and touch later where they are tilted one way. One parabola over the tilts and one line over the loads:
    differences step over no kink."""
    tilts = np.array([-0.3, -0.1, 0.0, 0.25])
    ends, phase = table.knots[[0, -1]], np.arange(len(table.touch)) / len(table.touch)
    table = LoadTable.through(ends, table.approach(ends[:, None], phase))
    tables = tuple(
        replace(table, touch=(1 - 2 * f) * table.touch, compliance=(1 + 30 * f * f) * table.compliance) for f in tilts
    )
    return encoded_tilts(TiltTable.between(tilts, tables))


def _case(make: Callable[..., Probe], **options) -> Callable[[np.random.Generator], Probe]:
    return lambda rng: make(rng, **options)


Maker = Callable[[np.random.Generator], Probe]

CASES_OF_KIND: dict[str, dict[str, Maker]] = {
    "body": {"body": _case(some_body, centred=False), "body centred": _case(some_body, centred=True)},
    "beam": {
        "beam": _case(some_beam, placed=False, damped=True),
        "beam between placed frames": _case(some_beam, placed=True, damped=True, bent=0.8),
        "undamped beam": _case(some_beam, placed=False, damped=False, bent=1e-3),
    },
    "coincident": {kind: _case(some_joint, kind=kind) for kind in JOINTS if kind in COINCIDENT_JOINTS},
    "sliding": {kind: _case(some_joint, kind=kind) for kind in JOINTS if kind not in COINCIDENT_JOINTS},
    "scalar constraint": {
        **{f"held {m}": _case(some_scalar_constraint, measure=m, driven=False) for m in MEASURES},
        **{f"driven {m}": _case(some_scalar_constraint, measure=m, driven=True) for m in MEASURES},
    },
    "scalar force": {f"{law} on {m}": _case(some_scalar_force, measure=m, law=law) for law in LAWS for m in MEASURES},
    "force": {
        "force": _case(some_load, what=FORCE, following=False),
        "following force": _case(some_load, what=FORCE, following=True),
    },
    "torque": {
        "torque": _case(some_load, what=TORQUE, following=False),
        "following torque": _case(some_load, what=TORQUE, following=True),
    },
    "signal force": {
        "signal force": _case(some_signal_load, what=FORCE, following=False),
        "following signal force": _case(some_signal_load, what=FORCE, following=True),
    },
    "signal torque": {
        "signal torque": _case(some_signal_load, what=TORQUE, following=False),
        "following signal torque": _case(some_signal_load, what=TORQUE, following=True),
    },
    "signal effort": {f"signal effort on {m}": _case(some_signal_effort, measure=m) for m in ("angle", "displacement")},
    "signal drive": {f"signal drive of {m}": _case(some_signal_drive, measure=m) for m in ("angle", "displacement")},
    "rigid stop": {
        f"rigid stop of {m}, {where}": _case(some_rigid_stop, measure=m, contact=c)
        for m in ("angle", "displacement")
        for c, where in ((1, "upper"), (0, "free"), (-1, "lower"))
    },
    "bushing": {"bushing": _case(some_bushing, damped=False), "damped bushing": _case(some_bushing, damped=True)},
    "coordinate": {"coordinate": some_coordinate},
    "gear mesh": {
        "spur mesh": _case(some_gear_mesh, helix=0.0, cone=0.0, damped=False),
        "helical mesh": _case(some_gear_mesh, helix=0.3, cone=0.0, damped=True),
        "bevel mesh": _case(some_gear_mesh, helix=0.0, cone=1.0, damped=True),
        "spiral bevel mesh": _case(some_gear_mesh, helix=0.5, cone=1.0, damped=False),
        "mesh of loaded teeth": _case(some_gear_mesh, helix=0.3, cone=0.0, damped=True, tables=True),
        "mesh of springs that tilt": _case(some_gear_mesh, helix=0.3, cone=0.0, damped=True, tilts=True),
        "mesh of loaded teeth that tilt": _case(
            some_gear_mesh, helix=0.3, cone=0.0, damped=True, tables=True, tilts=True
        ),
    },
}
"""Name of a kind of elements -> its cases. Tests choose cases by kind without making an element, which compiles its functions."""

CASES: dict[str, Maker] = {name: maker for cases in CASES_OF_KIND.values() for name, maker in cases.items()}


def turned_world(probe: Probe, x0: np.ndarray, Q: np.ndarray) -> Probe:
    """The same seen after a rigid motion x -> x0 + Q x of everything: bodies, and what is fixed in the world."""
    P = np.stack([pose(x0 + Q @ row[:3], Q @ row[3:].reshape(3, 3)) for row in probe.P])
    V, A, lam, F, e = probe.V.copy(), probe.A.copy(), probe.lam.copy(), probe.functions, probe.element
    V[:, :3], A[:, :3] = V[:, :3] @ Q.T, A[:, :3] @ Q.T
    if e.kind in (BODY, BEAM):
        e = replace(e, parameters=e.parameters.copy())
        e.values["gravity"] = Q @ e.values["gravity"]
    elif e.kind is COINCIDENT:  # its first multipliers are a force in world axes
        lam[:3] = Q @ lam[:3]
    elif e.kind.name in ("force", "torque") and not e.values["following"]:  # components in world axes
        F = F.copy()
        waves = F.view(WAVE)
        for name in ("constant", "slope", "cosine", "sine"):
            waves[name] = Q @ waves[name]
    inputs = probe.inputs
    if e.kind.name in ("signal force", "signal torque") and not e.values["following"]:
        inputs = inputs @ Q.T
    return replace(probe, element=e, P=P, V=V, A=A, lam=lam, functions=F, inputs=inputs)


def with_rigid_velocity(probe: Probe, v0: np.ndarray, w: np.ndarray) -> Probe:
    """All nodes get the velocity field v0 + w x x of a rigid motion besides their own."""
    V = probe.V.copy()
    for k in range(len(V)):
        V[k, :3] += v0 + np.cross(w, probe.P[k, :3])
        V[k, 3:] += probe.rotation(k).T @ w
    return replace(probe, V=V)
