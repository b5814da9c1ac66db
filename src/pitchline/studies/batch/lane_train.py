"""LaneTrain: a gear train as scalar equations, the same for all lanes of a batch.

A lane is one point of a study. Rotor i has the absolute angle n_i θ + x_i: steady rolling and a deviation x_i from it, so that
accuracy does not depend on the number of revolutions. θ is the base cycle, θ' = ω (+ acceleration t), and all lanes have the same
steps of θ. Free rotors, meshes and springs satisfy

    J_i x_i'' = T_i + R_i t − n_i J_i ω' − Σ_meshes (l_i F + Σ_phases z_i M) − Σ_springs a_i (k e + c e') ,
    phase:    φ = order θ + φ_0 + Σ z_i x_i ,
    mesh:     u = Σ l_i x_i + origin ,  s = u + X(φ ..) ,  g = max(s, 0) + min(s + b, 0) ,  F = K(φ ..) g + c s' in contact ,
              if F does not pull (other laws: `elements.mesh_damper`) ,
              M = F ∂X/∂φ + ∂K/∂φ g²/2 for each of its phases, if it is energy-consistent (0 otherwise) ,
    spring:   e = Σ a_i x_i + offset .

A held rotor has a prescribed motion, x_i = 0. A planet carrier is one more rotor of a row of levers.

Numbers are referred to by name. `LaneTrain.values` has the number of each name, or one number for each lane.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

__all__ = [
    "ALWAYS", "IN_CONTACT", "LIMITED", "NEVER_PULLING", "OF_APPROACH", "OF_DEFLECTION", "FourierSum", "LaneMesh", "LanePhase",
    "LaneSpring", "LaneTable", "LaneTrain", "LoadedTables", "Rotor", "Values",
]  # fmt: skip

Values: TypeAlias = Mapping[str, "float | np.ndarray"]
"""Number of each name, or (lanes,) numbers."""

NEVER_PULLING, IN_CONTACT, ALWAYS, LIMITED = 0, 1, 2, 3
"""Action of the damper of a mesh, as in `elements.mesh_law`."""
OF_DEFLECTION, OF_APPROACH = 0, 1
"""Rate on which it acts."""


@dataclass(frozen=True)
class Rotor:
    """Rotating or sliding part, or a group of parts that are coupled by rigid teeth or ratios.

    name : of the body (of a group: of its first body).
    speed : n_i, its speed divided by ω in steady rolling.
    inertia, torque : names of J and T. torque_rate : name of R, or "" if the torque is constant.
    held : prescribed motion.
    """

    name: str
    speed: float
    inertia: str
    torque: str
    torque_rate: str = ""
    held: bool = False


@dataclass(frozen=True)
class LanePhase:
    """Angle φ over which stiffness and errors vary: the mesh cycle, or a revolution of a wheel.

    order : cycles in one base cycle (any number; ratios of whole numbers are exact).
    angle : name of φ_0. teeth : rotor -> name of z_i.
    """

    order: float
    angle: str
    teeth: Mapping[int, str]


@dataclass(frozen=True)
class FourierSum:
    """mean + Σ cos_h cos(h φ) + sin_h sin(h φ), h = 1, 2, ...: names of the numbers. phase : index into the phases of the mesh."""

    phase: int
    mean: str
    cos: tuple[str, ...]
    sin: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class LaneTable:
    """Periodic cubics over φ, the same for all lanes.

    coefficients : (n, 4), ascending powers of the fraction of each of n equal intervals of φ = 0 .. 2π.
    scale : name of a factor. mean : name of a number that is added, or "".
    """

    phase: int
    coefficients: np.ndarray
    scale: str
    mean: str = ""


@dataclass(frozen=True, eq=False)
class LoadedTables:
    """Loaded teeth: approach over force and φ of drive and coast flank, as in `elements.load_table`, the same for all lanes.

    loads : (2, M) knots of the force [N]. approaches, compliances, areas : (2, n, M, 4) cubics over φ.
    """

    phase: int
    loads: np.ndarray
    approaches: np.ndarray
    compliances: np.ndarray
    areas: np.ndarray


Term: TypeAlias = FourierSum | LaneTable


@dataclass(frozen=True)
class LaneMesh:
    """Teeth with a force law along the hoop.

    levers : rotor -> name of l_i. origin : name of u at x = 0, less the offset of the law.
    stiffness : springs in series that vary; compliance : name of the sum of the compliances of constant springs, or "".
    errors : terms of X that vary; error : name of the constant part.
    loaded : tables in place of the stiffness.
    smoothing : name of the length over which the corners of the dead zone are rounded, or "".
    cos_alpha : normal force = hoop force / cos_alpha. length : transmission error = u length on the drive flank.
    """

    name: str
    levers: Mapping[int, str]
    origin: str
    phases: tuple[LanePhase, ...]
    backlash: str
    damping: str
    damping_mode: int = NEVER_PULLING
    damping_rate: int = OF_DEFLECTION
    compliance: str = ""
    stiffness: tuple[Term, ...] = ()
    error: str = ""
    errors: tuple[Term, ...] = ()
    loaded: LoadedTables | None = None
    smoothing: str = ""
    consistent: bool = True
    cos_alpha: float = 1.0
    length: float = 1.0


@dataclass(frozen=True)
class LaneSpring:
    """Linear spring and damper. levers : rotor -> name of a_i. stiffness, damping, offset : names."""

    name: str
    levers: Mapping[int, str]
    stiffness: str
    damping: str
    offset: str


@dataclass(frozen=True)
class LaneTrain:
    """Topology of a train, and the numbers of its names.

    omega : name of ω [rad/s], positive. acceleration : name of ω' [rad/s²], or "" for constant speed.
    """

    name: str
    rotors: tuple[Rotor, ...]
    meshes: tuple[LaneMesh, ...]
    springs: tuple[LaneSpring, ...] = ()
    omega: str = "omega"
    acceleration: str = ""
    values: Values = field(default_factory=dict)

    @property
    def free(self) -> tuple[int, ...]:
        """Rotors with a degree of freedom."""
        return tuple(i for i, rotor in enumerate(self.rotors) if not rotor.held)
