"""ForceText: accelerations of all free rotors at a stage, from y and u."""

from __future__ import annotations

import numpy as np

from ....errors import ModelError
from ..lane_train import LaneTrain
from .mesh_text import MeshText
from .numbers import LaneNumbers
from .phase_text import Phases
from .terms_text import TableStore
from .text import product, total

__all__ = ["ForceText"]


class ForceText:
    """Text of the accelerations of a train, and the numbers to which it refers."""

    def __init__(self, train: LaneTrain, lanes: int | None = None, variant: str = "near") -> None:
        self.train = train
        self.numbers = LaneNumbers(train.values, lanes)
        self.phases = Phases(train, self.numbers, variant)
        self.tables = TableStore()
        self.meshes = [
            MeshText(k, mesh, train, self.numbers, self.phases, self.tables) for k, mesh in enumerate(train.meshes)
        ]
        self.free = train.free
        self._check()
        self.timed = any(train.rotors[i].torque_rate for i in self.free)
        self.ramp = bool(train.acceleration)
        self.turning = any(mesh.damper.turns for mesh in self.meshes)
        """Whether forces depend on the speed of phases."""

    def _check(self) -> None:
        """Numbers that would give wrong results without a message."""
        train, of = self.train, self.numbers.of
        if not self.free:
            raise ModelError(
                f'batch "{train.name}": the motion of every part is prescribed, there is nothing to compute'
            )
        positive = {
            f'rotor "{train.rotors[i].name}": the moment of inertia': train.rotors[i].inertia for i in self.free
        }
        for what, name in {**positive, f'batch "{train.name}": the speed of the base cycle': train.omega}.items():
            values = np.atleast_1d(of(name))
            if (values <= 0.0).any():
                lane = int(np.argmax(values <= 0.0))
                where = f" in lane {lane}" if values.size > 1 else ""
                raise ModelError(f"{what} must be positive, got {values[lane]:g}{where}")

    def stage_text(self, *, ahead: str = "", exact: bool = False, frozen: bool = False) -> list[str]:
        """Lines up to a_i; see `Phases.stage_text` and `MeshText.stage_text` for the options."""
        out = self.phases.stage_text(ahead=ahead, exact=exact)
        out += [f"a{i} = {self._torque(i)}" for i in self.free]
        for mesh in self.meshes:
            out += mesh.stage_text(frozen=frozen)
        out += self._springs()
        for i in self.free:
            inverse = self.numbers.use(f"inv{i}", 1.0 / self.numbers.of(self.train.rotors[i].inertia))
            out.append(f"a{i} = {total([f'a{i}*{inverse}', self._drift(i)])}")
        return out

    def _torque(self, i: int) -> str:
        rotor, numbers = self.train.rotors[i], self.numbers
        constant, rate = numbers.named(f"T{i}", rotor.torque), numbers.named(f"R{i}", rotor.torque_rate)
        return total([constant, product(rate, "time")], "0.0")

    def _drift(self, i: int) -> str:
        """Acceleration of the steady rolling, with the opposite sign."""
        acceleration = self.numbers.of(self.train.acceleration)
        return self.numbers.use(f"alpha{i}", -self.train.rotors[i].speed * acceleration)

    def _springs(self) -> list[str]:
        out = []
        for k, spring in enumerate(self.train.springs):
            named = {i: self.numbers.named(f"a{k}_{i}", name) for i, name in spring.levers.items() if i in self.free}
            levers = {i: name for i, name in named.items() if name}
            stiffness, damping = (
                self.numbers.named(f"sk{k}", spring.stiffness), self.numbers.named(f"sc{k}", spring.damping)
            )  # fmt: skip
            offset = self.numbers.named(f"se{k}", spring.offset)
            stretch = total([*(product(a, f"y{i}") for i, a in levers.items()), offset])
            rate = total(product(a, f"u{i}") for i, a in levers.items())
            force = total([product(stiffness, stretch), product(damping, rate)])
            if force and levers:
                out.append(f"spring = {force}")
                out += [f"a{i} -= {a}*spring" for i, a in levers.items()]
        return out
