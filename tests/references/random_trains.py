"""Random gear trains that roll at the start: wheels, idlers, shafts, helical and internal gears, racks, all mesh laws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from references.lane_rigs import loaded, ripple, table

import pitchline as pl

WIDTH = 0.02


def random_train(seed: int) -> pl.Model:
    """A chain of 2 to 5 wheels. One of them is driven, at a random speed; a torque or a force acts at each free end."""
    return _Train(np.random.default_rng(seed)).model


class _Train:
    def __init__(self, rng: np.random.Generator) -> None:
        self.rng, self.model = rng, pl.Model("random train")
        self.module, self.hand = float(rng.choice([2e-3, 3e-3, 5e-3])), float(rng.choice([0, 0, 15, -20]))
        count, last = int(rng.integers(2, 6)), str(rng.choice(["external", "internal", "rack"]))
        speed = float(rng.choice([-1, 1]) * rng.uniform(50, 600))
        self.bodies = [self._wheel("w0", int(rng.integers(18, 50)), speed, position=(0, 0, 0), axis="z")]
        self.speeds = [speed]
        for i in range(1, count):
            self._next(i, last if i == count - 1 else "external", idler=i == count - 1 or rng.random() < 0.5)
        driven = int(rng.integers(count - (last == "rack")))
        self.model.drive("motor", f"j{driven}", speed=self.speeds[driven])
        sign = float(rng.choice([-1, 1]))
        for i in {0, count - 1} - {driven}:
            if i and last == "rack":
                self.model.force(f"load{i}", self.bodies[i], (sign * rng.uniform(100, 2000), 0, 0))
            else:
                self.model.torque(f"load{i}", f"j{i}", sign * rng.uniform(2, 100))

    def _wheel(self, name: str, teeth: int, speed: float, *, internal: bool = False, **place: Any) -> pl.Body:
        ring: dict[str, Any] = {}
        if internal:  # tips shortened, or they would meet the fillets
            outside = (teeth + 20) * self.module / math.cos(math.radians(self.hand))
            ring = {"internal": True, "addendum_factor": 0.8, "rim_diameter": outside}
        gear = pl.Gear(
            teeth=teeth, normal_module=self.module, face_width=WIDTH, helix_angle=f"{self.hand} deg", **ring
        )  # fmt: skip
        self.teeth, inertia = teeth, float(10 ** self.rng.uniform(-4, -1.5))
        body = self.model.gear_body(
            name, gear, angular_velocity=(0, 0, speed), mass=1.0, inertia=(inertia,) * 3, **place
        )  # fmt: skip
        self.model.revolute(name.replace("w", "j"), self.model.ground, body, axis="z")
        return body

    def _next(self, i: int, kind: str, *, idler: bool) -> None:
        before, speed, rng = self.bodies[-1], self.speeds[-1], self.rng
        if kind == "rack":
            speed *= self.module * self.teeth / 2 / math.cos(math.radians(self.hand))
            rack = pl.Rack(
                teeth=400, normal_module=self.module, face_width=WIDTH, depth=0.03, helix_angle=f"{-self.hand} deg"
            )
            body = self.model.gear_body(
                f"w{i}", rack, mesh_with=before, towards=(0, -1, 0), velocity=(speed, 0, 0), mass=float(rng.uniform(1, 20)),
                inertia=(0.1, 0.1, 0.1),
            )  # fmt: skip
            self.model.prismatic(f"j{i}", self.model.ground, body, axis="x")
        else:
            internal, old = kind == "internal", self.teeth
            new = old + int(rng.integers(25, 50)) if internal else int(rng.integers(18, 50))
            self.hand *= 1 if internal else -1
            speed *= old / new * (1 if internal else -1)
            towards = [(1, 0, 0), (0, 1, 0), (1, 1, 0), (0.3, -1, 0)][rng.integers(4)]
            body = self._wheel(f"w{i}", new, speed, internal=internal, mesh_with=before, towards=towards)
        pair = (before, body) if kind != "external" or rng.random() < 0.6 else (body, before)
        self.model.gear_pair(f"m{i}", *pair, mesh=_law(rng, rack=kind == "rack"))
        if not idler:
            body = self._behind_a_shaft(i, body, speed)
        self.bodies.append(body)
        self.speeds.append(speed)

    def _behind_a_shaft(self, i: int, wheel: pl.Body, speed: float) -> pl.Body:
        self.hand *= -1
        at = (*wheel.position[:2], 0.05 * i)
        phase = float(self.rng.uniform(0, 1))
        other = self._wheel(f"sw{i}", int(self.rng.integers(18, 50)), speed, position=at, axis="z", phase=phase)
        k = float(10 ** self.rng.uniform(3, 5))
        self.model.bushing(
            f"shaft{i}", wheel, other, axis="z", stiffness=(0,) * 5 + (k,), damping=(0,) * 5 + (1e-5 * k,)
        )
        return other


def _law(rng: np.random.Generator, *, rack: bool) -> Any:
    backlash = [0, 20e-6, 100e-6, 1e-3][rng.integers(4)]
    common: dict[str, Any] = {
        "backlash": backlash, "backlash_side": str(rng.choice(["centred", "drive", "coast"])),
        "damping_acts": str(rng.choice(["in contact", "always", "never pulling", "limited"])),
        "damping_rate": str(rng.choice(["deflection", "approach"])), "damping_ratio": rng.choice([0.02, 0.08]),
        "energy_consistent": bool(rng.random() < 0.8), "error": _error(rng, rack=rack),
    }  # fmt: skip
    if rng.random() < 0.2:
        return loaded(**common)
    if rng.random() < 0.25 and backlash:
        common["smoothing"] = 1e-6
    along = str(rng.choice(["base circle", "normal", "hoop"]))
    return pl.Elastic(_stiffness(rng, 10 ** rng.uniform(7.8, 8.8)), along=along, **common)


def _stiffness(rng: np.random.Generator, mean: float) -> Any:
    return [
        mean,
        ripple(mean, *(mean * rng.uniform(-0.15, 0.15, 3))),
        table(mean * (1 + rng.uniform(-0.2, 0.2, 7))),
        ripple(mean, 0.1 * mean, over="revolution of a"),
        (ripple(2 * mean, 0.2 * mean, over="revolution of a"), ripple(2 * mean, 0.1 * mean)),  # in series
    ][rng.integers(5)]


def _error(rng: np.random.Generator, *, rack: bool) -> Any:
    cycles = [
        None,
        3e-6,
        ripple(0, 4e-6),
        [ripple(1e-6, 8e-6, over="revolution of a"), table(rng.uniform(-3e-6, 3e-6, 6))],
    ]
    other = [table(rng.uniform(-5e-6, 5e-6, 5), over="revolution of b")]  # a rack has none
    return (cycles if rack else cycles + other)[rng.integers(4 if rack else 5)]
