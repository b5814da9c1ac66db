"""LaneSignal: a signal of a batch that is reduced, and how."""

from __future__ import annotations

from dataclasses import dataclass

from ....errors import ModelError, near_names

__all__ = ["MESH", "MESH_SIGNALS", "ROTOR", "ROTOR_SIGNALS", "TURNED", "LaneSignal"]

MESH, ROTOR = "mesh", "rotor"
TURNED = ("normal_force", "transmission_error", "deflection")
"""Signals of a mesh that refer to the loaded flank."""
MESH_SIGNALS = ("signed_force", *TURNED, "approach", "contact")
ROTOR_SIGNALS = ("angle", "speed")


@dataclass(frozen=True)
class LaneSignal:
    """Signal that is reduced: of a mesh or of a rotor.

    kind : "mesh" or "rotor". index : which one. name : of the signal. orders : multiples of the base cycle whose amplitude and
    phase are computed. extremes, mean, rms : whether they are.

    Signals of a mesh are those of `pl.dynamics`, `approach` without the offset of the law. Signals of a rotor are its deviation
    from steady rolling (angle) and the rate of it (speed).
    """

    kind: str
    index: int
    name: str
    orders: tuple[int, ...] = ()
    extremes: bool = True
    mean: bool = True
    rms: bool = True

    def __post_init__(self) -> None:
        names = {MESH: MESH_SIGNALS, ROTOR: ROTOR_SIGNALS}
        if self.kind not in names:
            raise ModelError(f'signal of a batch: kind must be "mesh" or "rotor", got "{self.kind}"')
        if self.name not in names[self.kind]:
            near = near_names(self.name, names[self.kind])
            raise ModelError(f'signal of a {self.kind} of a batch: unknown name "{self.name}"; {near}')
        if any(h < 1 or h != int(h) for h in self.orders):
            raise ModelError(f"signal {self.name} of a batch: orders must be whole numbers from 1, got {self.orders}")
