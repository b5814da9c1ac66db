"""tooth_loads: nodal forces on the teeth of a gear over the time of a result, in equilibrium with the mesh of the model."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...arguments import names_wrong_arguments
from ...errors import Subject, near_names
from ...fem.sector_grid import sector_grid
from ...gears import Gear, GearPair
from ...gears.teeth import Teeth
from ...model import Model
from ...progress import stage
from ...results.loaded_contact import LoadedContact
from ...results.result import Result
from ...units import quantity
from ..limits import ExchangeError
from .contact_shares import contact_shares
from .load_results import ToothLoads
from .nodal_forces import NO_FORCE, ToothAxes, nodal_loads

__all__ = ["tooth_loads"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
LEAST_FORCE = 1e-6
"""[N] Tooth force below which a gear pair carries no load."""
LEVELS = (0.1, 0.35, 1.0)
"""Loads of the contact analysis, relative to the largest one."""


@names_wrong_arguments
def tooth_loads(
    model: Model,
    result: Result,
    gear: str,
    *,
    pair: str | None = None,
    times: Any = None,
    positions: int = 24,
    contact: LoadedContact | None = None,
    **grid: Any,
) -> ToothLoads:
    """Forces on the teeth of a gear over the time of a result, at the nodes of its finite element grid.

    The force of the mesh is that of the result. Its distribution over the flanks is that of `loaded_contact` of both gears at the
    same mesh phase and load, and so is its distribution over tooth pairs; a mesh with `Flank` has its own forces of tooth pairs.
    Finally the nodal forces are changed by the least amount so that their sum and their moment are those of the result, including
    friction.

    Parameters
    ----------
    model, result
        Model, and a result of it with a mesh that has forces, such as `Elastic`, `Loaded` or `Flank`.
    gear
        Name of the wheel whose teeth are loaded.
    pair
        Name of the gear pair. Default: the only one of the wheel.
    times
        Times [s], one or more; the nearest samples are used. Default: all samples.
    positions
        Positions of the contact analysis in one mesh cycle.
    contact
        Loaded contact of the gear pair over one pitch, in place of a new analysis.
    grid
        Options of `sector_grid`, such as ``order=1`` or ``flank_elements=8``.
    """
    name, second = _chosen(model, gear, pair)
    made = model.gear_pairs[name].pair
    assert isinstance(made, GearPair) and isinstance(made.b, Gear)
    samples = _samples(result, times)
    for signal in ("signed_force", "contact", "psi_a", "force_a", "moment_a"):
        if f"{name}.{signal}" not in result:
            raise ExchangeError(f'tooth loads: the result has no signal "{name}.{signal}". Use a result of this model')
    F = np.asarray(result[f"{name}.signed_force"].values)[samples]
    psi = np.asarray(result[f"{name}.psi_a"].values)[samples]
    largest = float(np.abs(F).max(initial=0.0))
    if not largest > LEAST_FORCE:
        raise ExchangeError(f'tooth loads: gear pair "{name}" carries no load in this result')
    _check_pulling(result, name, samples, F, largest)
    sector = sector_grid(Teeth(made.b if second else made.a), **grid)
    with stage(f'tooth loads of "{gear}"'):
        sides = _sides(model, name, F, positions, contact, largest)
        shares = {sign: contact_shares(found, sector, second=second) for sign, found in sides.items()}
        axes = ToothAxes(model, result, name, next(iter(sides.values())), second)
        return nodal_loads(gear, name, result, samples, F, psi, sector, shares, axes, largest)


def _chosen(model: Model, gear: str, pair: str | None) -> tuple[str, bool]:
    if gear not in model.wheels:
        raise ExchangeError(f'tooth loads: the model has no wheel "{gear}"; {near_names(gear, model.wheels)}')
    able = [
        name
        for name, one in model.gear_pairs.items()
        if gear in (one.wheel_a.name, one.wheel_b.name) and pair in (None, name)
    ]
    if len(able) != 1:
        raise ExchangeError(
            f'tooth loads: specify the gear pair of "{gear}": {", ".join(able) or ", ".join(model.gear_pairs) or "none"}'
        )
    one = model.gear_pairs[able[0]]
    made = one.pair
    external = (
        isinstance(made, GearPair)
        and made.kind.parallel
        and not (made.a.internal or getattr(made.b, "internal", False))
    )
    if not external or one.standing is None or one.standing.reversed:
        raise ExchangeError(
            f'tooth loads: gear pair "{able[0]}" is {made.kind}. Supported are external spur and helical gears on parallel '
            "axes that point in the same direction"
        )
    return able[0], one.wheel_b.name == gear


def _check_pulling(result: Result, name: str, samples: IntArray, F: FloatArray, largest: float) -> None:
    """Damping may pull in the model; teeth cannot, and have no flank for such a force."""
    contact = np.asarray(result[f"{name}.contact"].values)[samples]
    pulling = np.flatnonzero((contact * F < 0.0) & (np.abs(F) > NO_FORCE * largest))
    if len(pulling):
        t = float(result.time[samples[pulling[0]]])
        raise ExchangeError(
            f'tooth loads: the damping of gear pair "{name}" pulls the teeth at {t:g} s ({len(pulling)} of {len(F)} samples). '
            'Specify damping_acts="never pulling" for the mesh, or choose other times'
        )


def _samples(result: Result, times: Any) -> IntArray:
    if times is None:
        return np.arange(len(result.time))
    many = times if isinstance(times, (list, tuple, np.ndarray)) else [times]
    wanted = np.array([quantity(one, "time", what=Subject("tooth loads") / "times") for one in many])
    if not len(wanted) or wanted.min() < result.time[0] - 1e-12 or wanted.max() > result.time[-1] * (1 + 1e-12) + 1e-12:
        raise ExchangeError(f"tooth loads: times must be from {result.time[0]:g} s to {result.time[-1]:g} s")
    return np.unique(np.abs(result.time[None] - wanted[:, None]).argmin(axis=1))


def _sides(
    model: Model, name: str, F: FloatArray, positions: int, contact: LoadedContact | None, largest: float
) -> dict[int, LoadedContact]:
    """Contact analyses of the flanks that carry load: +1 drive, -1 coast."""
    from ...analyses.loaded_contact import loaded_contact

    pair = model.gear_pairs[name].pair
    lever = 0.5 * pair.b.base_diameter * np.cos(pair.b.base_helix_angle)  # type: ignore[union-attr]
    found: dict[int, LoadedContact] = {}
    for sign in (1, -1):
        most = float((sign * F).max(initial=0.0))
        if most <= NO_FORCE * largest:
            continue
        if contact is not None:
            if (contact.torque[0] > 0.0) != (sign > 0):
                raise ExchangeError(
                    "tooth loads: the result loads both flanks, but contact has only one of them. Leave contact out"
                )
            found[sign] = contact
        else:
            torques = [sign * level * most * lever for level in LEVELS]
            computed = loaded_contact(model, name, torque=torques, positions=positions)
            if not isinstance(computed, LoadedContact):
                raise ExchangeError(
                    f'tooth loads: gear pair "{name}" is not on parallel axes. Specify a pair of cylindrical gears'
                )
            found[sign] = computed
    return found
