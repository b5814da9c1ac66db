"""Random small machines with parts that hold at rest: friction, brakes, clutches, freewheels, torque limiters, lossy gearboxes,
worms, teeth with backlash, stops; their loads start at zero, reverse, hold and end.

A machine is a list of parts in any order, so that the order can be exchanged. `checked` runs it and returns what is wrong.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import pitchline as pl

DURATION = 1.0


@dataclass
class RestingMachine:
    """A machine from a seed. bodies: in the order of the model; parts: may be added in any order."""

    seed: int
    bodies: list[Callable[[pl.Model], Any]] = field(default_factory=list)
    parts: list[tuple[str, Callable[[pl.Model], Any]]] = field(default_factory=list)
    limits: dict[str, tuple[Any, float]] = field(default_factory=dict)
    """Capacity of friction parts over time, and their limit at rest over it."""
    joints: list[str] = field(default_factory=list)

    def model(self, *, backwards: bool = False) -> pl.Model:
        m = pl.Model(f"machine {self.seed}")
        for body in self.bodies:
            body(m)
        for _, part in reversed(self.parts) if backwards else self.parts:
            part(m)
        return m

    @property
    def text(self) -> str:
        return ", ".join(name for name, _ in self.parts)


def machine(seed: int) -> RestingMachine:
    """The machine of a seed: 1 to 4 rotors in a row or as a tree, with 2 to 4 parts that hold at rest."""
    rng = np.random.default_rng(seed)
    made = RestingMachine(seed)
    n = int(rng.integers(1, 5))
    speed = float(rng.choice([0.0, 0.0, 20.0]) * rng.uniform(0.3, 1.0))
    first = str(rng.choice(["plain", "plain", "worm", "spur"])) if n > 1 else "plain"
    ratios = np.ones(n)
    if first != "plain":
        _gears(made, first, rng)
        ratios[1] = 40.0 if first == "worm" else -2.0
        speed = 0.0
    for i in range(len(made.bodies) and 2, n):
        _rotor(made, i, float(10 ** rng.uniform(-2, 0.5)), speed if i == 0 else 0.0)
    left = int(rng.integers(2, 5)) - (first != "plain")
    for i in range(2 if first != "plain" else 1, n):
        parent = int(rng.integers(0, i))
        left -= _connect(made, parent, i, left > 0, rng)
    for k in range(max(left, 1)):
        _hold(made, k, int(rng.integers(0, n)), rng)
    if rng.random() < 0.25:
        _stop(made, int(rng.integers(0, n)), rng)
    for k in range(int(rng.integers(1, 3))):
        _load(made, k, int(rng.integers(0, n)), rng)
    return made


def _rotor(made: RestingMachine, i: int, inertia: float, speed: float) -> None:
    def add(m: pl.Model) -> None:
        m.body(f"r{i}", mass=1.0, inertia=(inertia,) * 3, angular_velocity=(0, 0, speed))
        m.revolute(f"j{i}", m.ground, f"r{i}", axis="z")

    made.bodies.append(add)
    made.joints.append(f"j{i}")


def _gears(made: RestingMachine, kind: str, rng: np.random.Generator) -> None:
    """A worm or a pair of spur gears as the first two rotors."""
    mu = float(rng.choice([0.03, 0.06, 0.1]))
    play = rng.random() < 0.4
    eta = float(rng.choice([0.0, 0.9]))

    def add(m: pl.Model) -> None:
        if kind == "worm":
            one = pl.Gear(starts=1, normal_module="4 mm", lead_angle="3 deg", face_width="100 mm")
            two = pl.Gear(teeth=40, normal_module="4 mm", helix_angle="3 deg", face_width="30 mm")
        else:
            one = pl.Gear(teeth=20, normal_module="4 mm", face_width="30 mm")
            two = pl.Gear(teeth=40, normal_module="4 mm", face_width="30 mm")
        a = m.gear_body("r0", one, position=(0, 0, 0), axis="z")
        b = m.gear_body("r1", two, mesh_with=a, towards="x")
        m.revolute("j0", m.ground, a)
        m.revolute("j1", m.ground, b)

    def pair(m: pl.Model) -> None:
        options: dict[str, Any] = {"backlash": "0.1 mm"} if play else {}
        if kind == "worm":
            options |= {"friction": mu, "sticks": True}
        elif eta:
            options |= {"efficiency": eta, "sticks": True}
        m.gear_pair("mesh", "r0", "r1", mesh=pl.Rigid(**options))

    made.bodies += [add, lambda m: None]
    made.joints += ["j0", "j1"]
    made.parts.append((f"{kind} mesh mu {mu} play {play} eta {eta}", pair))


def _connect(made: RestingMachine, a: int, b: int, holds: bool, rng: np.random.Generator) -> int:
    """Connect two rotors. Return the number of parts that hold at rest."""
    name = f"c{b}"
    ja, jb = f"j{a}", f"j{b}"
    ratio = float(rng.choice([-3.0, 2.0, 10.0]))
    etas = tuple(float(x) for x in ((0.9, 0.8), (0.6, 0.5), (0.45, -0.2), (0.95, 0.95))[int(rng.integers(4))])
    torque = float(rng.uniform(0.5, 4.0))
    more = float(rng.choice([1.0, 1.5]))
    kind = str(rng.choice(["ratio", "spring", "lossy", "lossy", "rolling", "clutch", "limiter", "freewheel"]))
    if not holds and kind not in ("ratio", "spring"):
        kind = "ratio"
    if kind == "rolling" and (a < 2 or b < 2) and made.joints and made.parts and "mesh" in made.parts[0][0]:
        kind = "lossy"
    if kind == "ratio":
        made.parts.append((f"{name} ratio", lambda m: m.ratio(name, ja, jb, ratio=ratio)))
        return 0
    if kind == "spring":
        made.parts.append(
            (f"{name} spring", lambda m: m.ratio(name, ja, jb, ratio=ratio, stiffness=400.0, damping=1.0))
        )
        return 0
    if kind == "lossy":
        made.parts.append((f"{name} lossy {etas}", lambda m: m.ratio(name, ja, jb, ratio=ratio, efficiency=etas)))
    elif kind == "rolling":
        mesh = pl.Rolling(ratio=ratio, efficiency=etas)
        made.parts.append((f"{name} rolling {etas}", lambda m: m.gear_pair(name, f"r{a}", f"r{b}", mesh=mesh)))
    elif kind == "clutch":
        made.limits[name] = (torque, more)
        made.parts.append((f"{name} clutch", lambda m: m.clutch(name, ja, jb, capacity=torque, static_ratio=more)))
    elif kind == "limiter":
        made.limits[name] = (torque, 1.5)
        made.parts.append(
            (f"{name} limiter", lambda m: m.torque_limiter(name, ja, jb, torque=1.5 * torque, slip_torque=torque))
        )
    else:
        made.parts.append((f"{name} freewheel", lambda m: m.one_way_clutch(name, ja, jb, free="forward")))
    return 1


def _hold(made: RestingMachine, k: int, i: int, rng: np.random.Generator) -> None:
    """Friction or a brake on the joint of a rotor."""
    name, joint = f"h{k}", f"j{i}"
    torque = float(rng.uniform(0.2, 3.0))
    more = float(rng.choice([1.0, 1.0, 1.4]))
    if rng.random() < 0.6:
        made.limits[name] = (torque, more)
        made.parts.append(
            (f"{name} friction on {joint}", lambda m: m.friction(name, joint, coulomb=torque, static=more * torque))
        )
        return
    t = np.sort(rng.uniform(0.1, 0.9, 2))
    times, values = (
        [0.0, float(t[0]), float(t[0]) + 0.05, float(t[1]) + 0.06, DURATION + 1.0],
        [0.0, 0.0, 1.0, 1.0, 0.6],
    )
    capacity = pl.Table(times, [torque * x for x in values])
    made.limits[name] = (lambda x: np.interp(x, times, [torque * y for y in values]), more)
    made.parts.append((f"{name} brake on {joint}", lambda m: m.brake(name, joint, capacity, static_ratio=more)))


def _stop(made: RestingMachine, i: int, rng: np.random.Generator) -> None:
    at = float(rng.uniform(0.2, 3.0))
    back = float(rng.choice([0.0, 0.4]))
    made.parts.append((f"stop on j{i}", lambda m: m.stop("stop", f"j{i}", lower=-at, upper=at, restitution=back)))


def _load(made: RestingMachine, k: int, i: int, rng: np.random.Generator) -> None:
    """A torque that starts at zero, and reverses, holds or ends."""
    size = float(rng.uniform(1.0, 12.0) * rng.choice([-1.0, 1.0]))
    kind = int(rng.integers(4))
    law: Any
    if kind == 0:
        law = pl.Table([0, 0.3, 0.5, 0.7, 2.0], [0, size, -size, 0.0, 0.0])
    elif kind == 1:
        law = pl.Harmonic(size, float(rng.choice([1.0, 2.0, 3.0])))
    elif kind == 2:
        law = pl.Table([0, 0.2, 0.6, 0.61, 2.0], [0, size, size, 0.1 * size, 0.1 * size])
    else:
        law = pl.Table([0, 0.1, 0.4, 2.0], [0, size, 0.0, 0.0])
    made.parts.append((f"load {kind} {size:.2f} on j{i}", lambda m: m.torque(f"load{k}", f"j{i}", law)))


def checked(made: RestingMachine, *, step: float = 1e-3, tolerance: float = 1e-7, thorough: bool = False) -> list[str]:
    """What is wrong with the motion of a machine."""
    found: list[str] = []
    runs: dict[str, pl.Result] = {}
    cases: dict[str, tuple[pl.Model, dict[str, float]]] = {
        "step": (made.model(), {"step": step}),
        "control": (made.model(), {"tolerance": tolerance, "output_step": step}),
    }
    if thorough:
        cases["half"] = (made.model(), {"step": 0.5 * step, "output_step": step})
        cases["backwards"] = (made.model(backwards=True), {"step": step})
    for name, (m, options) in cases.items():
        try:
            runs[name] = pl.dynamics(m, duration=DURATION, **options)
        except pl.PitchlineError as error:
            if "locked direction" in str(error):
                return []
            found.append(f"{name}: {type(error).__name__}: {str(error)[:160]}")
    for name, run in runs.items():
        found += [f"{name}: {x}" for x in _wrong(made, run)]
    found += _different(made, runs)
    return found


def _wrong(made: RestingMachine, run: pl.Result) -> list[str]:
    found = []
    if run.time.size < 2 or np.min(np.diff(run.time)) <= 0.0:
        found.append("time does not increase")
    exchanged = np.max(np.abs(run["energy.work"].values)) + np.max(run["energy.kinetic"].values)
    exchanged += abs(run["energy.dissipated"].final)
    error = np.max(np.abs(run["energy.balance_error"].values))
    if error > 5e-3 * exchanged + 1e-9:
        found.append(f"energy {error:.2g} of {exchanged:.2g} J")
    if run.statistics["events"] > 400:
        found.append(f"{run.statistics['events']} events")
    if run.statistics["steps"] > 60000:
        found.append(f"{run.statistics['steps']} steps")
    for name, (capacity, ratio) in made.limits.items():
        values = capacity(run.time) if callable(capacity) else np.full(run.time.size, capacity)
        torque, state, slip = (run[f"{name}.{x}"].values for x in ("torque", "state", "slip_speed"))
        over = np.max(np.abs(torque) - values * ratio)
        if over > 1e-6 * np.max(values) * ratio:
            found.append(f"{name} exceeds its limit by {over:.2g}")
        moves = np.abs(slip) > 1e-6
        sign = torque if name.startswith("c") else -torque
        if np.any(moves & (state == 0)):
            found.append(f"{name} holds and moves")
        if np.any(sign[moves] * slip[moves] < -1e-9):
            found.append(f"{name} acts with the motion")
        if np.any(np.abs(np.abs(torque[moves]) - values[moves]) > 1e-6 * np.max(values)):
            found.append(f"{name} slips with another torque")
    return found


def _different(made: RestingMachine, runs: dict[str, pl.Result]) -> list[str]:
    found = []
    pairs = [("step", "control", 1e-2), ("step", "half", 1e-2), ("step", "backwards", 1e-6)]
    for one, two, allowed in pairs:
        if one in runs and two in runs:
            for joint in made.joints:
                a, b = (runs[x][f"{joint}.angle"].values for x in (one, two))
                n = min(a.size, b.size)
                size = np.ptp(a) + 1e-4
                gap = float(np.max(np.abs(a[:n] - b[:n])))
                if gap > allowed * size:
                    found.append(f"{joint} differs between {one} and {two} by {gap:.2g} of {size:.2g} rad")
                    break
    return found
