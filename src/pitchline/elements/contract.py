"""What an element is: nodes, parameters, a kernel, multipliers, memory, output signals.

A kernel sees the poses, velocities and accelerations of its nodes in six coordinates a node — x_WN in world axes,
rotation increments and omega_WN in node axes — and its multipliers, and adds to zeroed local arrays. Local order:
six coordinates a node, then the multipliers. What it does depends on `mode`:

| mode | adds |
|---|---|
| RESIDUAL | r: inertia + internal forces - loads + B^T lambda for the nodes, Phi for the multipliers; r[POWER_IN], r[POWER_OUT] |
| TANGENT | the same, and J = c_M dr/da + c_D dr/dv + c_K dr/dq, with B and B^T |
| RATE | r of the multiplier rows: dPhi/dt = B v + Phi_t |
| COMMIT | updates its memory h after an accepted step |
| REPORT | r[0:4]: kinetic energy, potential energy, power put in, power dissipated; then its signals |

r[POWER_IN] and r[POWER_OUT], behind the local block, are set to the power put in and dissipated by kinds that exchange power;
r[POWER_TEETH] by teeth to what they put in themselves, where their force has no potential (a part of r[POWER_IN]).
What else lies behind the local block of r and J is scratch, of any content: kernels may leave there what they like.

Kernels never allocate, do not write into their parameters (elastic flanks have scratch of their own behind theirs), know
nothing of the coordinates that a node really has (`system` maps them) and all have one signature, so that a new element touches
neither the assembly nor the step loop.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba import types

from ..math.calling import address_of, caller_of
from ..math.compiled import A1, A2, I8, entry

RESIDUAL, TANGENT, RATE, COMMIT, REPORT = 0, 1, 2, 3, 4

# places in the array c that every kernel receives: time, factors of the tangent, load factor of statics, factor of damping
# (0 in statics and kinematics, whose velocities must not exert forces)
TIME, C_M, C_D, C_K, LOAD, SHIFT, DAMP, C_L = 0, 1, 2, 3, 4, 5, 6, 7
"""C_L: 1/s, where s is the factor of the rows of motion: what the derivative of a row by its multiplier is multiplied with.
SHIFT: in mode RATE the rates of imposed motions are taken this much time later, to first order (for accelerations)."""
WORK_RATE, LOSS_RATE, TEETH_RATE = 8, 9, 10
"""Not read by kernels: the assembly leaves here the power put in and dissipated by all elements, and put in by teeth alone."""
N_COEFFICIENTS = 11

MAX_NODES = 4
MAX_MULTIPLIERS = 8
MAX_LOCAL = 6 * MAX_NODES + MAX_MULTIPLIERS
MAX_REPORT = 128
POWER_IN, POWER_OUT, POWER_TEETH = MAX_LOCAL, MAX_LOCAL + 1, MAX_LOCAL + 2
N_ENERGIES = 4

SIGNATURE: Any = types.void(A1, A1, A1, A2, A2, A2, A1, A1, I8, A1, A2)  # type: ignore[call-overload]
"""kernel(p, h, F, P, V, A, lam, c, mode, r, J): parameters, memory, functions of time, poses (k, 12), velocities (k, 6),
accelerations (k, 6), multipliers, coefficients, mode, residual, tangent."""

call_kernel = caller_of(SIGNATURE)
"""call_kernel(address, ...): for compiled code."""


@entry
def call_at(address: I8, p: A1, h: A1, F: A1, P: A2, V: A2, A: A2, lam: A1, c: A1, mode: I8, r: A1, J: A2):
    """Call a kernel from Python."""
    call_kernel(address, p, h, F, P, V, A, lam, c, mode, r, J)


@dataclass(frozen=True)
class SignalSpec:
    """One output of an element: `size` numbers of its report, with unit and meaning."""

    name: str
    unit: str
    description: str
    size: int = 1


@dataclass(frozen=True)
class ElementKind:
    """What all elements of a kind share."""

    name: str
    kernel: Callable[..., Any]
    signals: tuple[SignalSpec, ...] = ()
    has_inertia: bool = False
    """Its tangent carries c_M: the assembly turns it into the increments' basis."""
    commits: bool = False
    """It keeps memory of its own that accepted steps update."""
    exchanges_power: bool = False
    """It puts power in or takes power out (drives, loads, dampers), which the energy balance integrates."""
    full_pattern: bool = False
    """Every entry of its tangent may become nonzero; otherwise zeros are found by probing."""

    @property
    def address(self) -> int:
        """Machine address of its kernel; compiles it if this was not done yet."""
        return address_of(self.kernel, SIGNATURE)


@dataclass(eq=False)
class Element:
    """One element of a compiled model."""

    kind: ElementKind
    name: str
    """Name of the part of the model it comes from."""
    nodes: tuple[int, ...]
    parameters: np.ndarray
    rows: str = ""
    """One letter a multiplier: 't' a length (its multiplier a force), 'r' an angle (a moment)."""
    memory: np.ndarray = field(default_factory=lambda: np.zeros(0))
    shares_memory_of: "Element | None" = None
    every_step: bool = False
    """Its memory must be told of every accepted step; otherwise after some rotation, and before output."""
    passive: bool = False
    """Left out of the equations (a joint that became a node's coordinates, an observer), but reported."""
    soft: bool = False
    """Its rows yield with the multipliers, or open and close: they are never redundant, and never open by mistake."""
    closing_force: float = 0.0
    """Of soft rows that can open: a multiplier at which they are closed whatever the position."""
    signals: tuple[str, ...] | None = None
    """Names of the signals of its kind that it publishes; None: all."""
    rename: dict[str, SignalSpec] = field(default_factory=dict)
    """Signals published under a name or unit of their own (a force that is a torque in this element)."""


def unit_signal(name: str, unit: str, description: str) -> SignalSpec:
    """A vector signal in world axes."""
    return SignalSpec(name, unit, description, 3)
