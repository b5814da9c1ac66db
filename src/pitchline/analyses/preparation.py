"""First steps of all analyses: compile, assemble, warn."""

from dataclasses import dataclass

import numpy as np

from ..elements.scalar_constraint import SCALAR_CONSTRAINT
from ..math.functions import value_of
from ..math.slow_laws import raise_stored, take_stored
from ..model import Model
from ..solvers.consistent import assemble_positions, gaps
from ..solvers.shared_loads import scale_laws
from ..solvers.switching import find_driven
from ..system.compiler import compile_model
from ..system.kept_memory import remembers
from ..system.rank import Rank
from ..system.snapshot import Snapshot
from ..system.system import State, System
from .garbage import no_garbage


@dataclass
class Prepared:
    """A model ready to be solved."""

    system: System
    state: State
    rank: Rank
    warnings: list[str]

    @property
    def loose(self) -> float:
        """Violation of the constraints that were left out as redundant."""
        if not self.rank.redundant.size:
            return 0.0
        return gaps(self.system, self.state, redundant_only=True)[0].size * max(self.system.length, 1.0)


@no_garbage()
def prepare(
    model: Model,
    start: Snapshot,
    *,
    until: float,
    reduce: bool,
    load: float = 1.0,
    static: bool = False,
    rigid_structures: bool = False,
) -> Prepared:
    """Compile a model at a starting point and close its constraints."""
    system, state = compile_model(
        model, start, until=until, reduce=reduce, static=static, rigid_structures=rigid_structures
    )
    take_stored()  # left over from another analysis
    scale_laws(system, state)
    rank = assemble_positions(system, state, load=load)
    find_driven(system, state)
    if remembers(system):
        system.commit(state)
        raise_stored()  # of a program in the loop that cannot start
    if load == 1.0:
        _count_turns_of_drives(system, state)
    return Prepared(system, state, rank, list(model.warnings) + redundancy_warnings(system, rank))


def _count_turns_of_drives(system: System, state: State) -> None:
    """Give driven angles the revolutions of their drives: 10 rad stay 10 rad, although the pose is that of 10 - 4 pi."""
    for e, element in enumerate(system.elements[: system.active]):
        target = imposed_value(system, state, e) if element.kind is SCALAR_CONSTRAINT and element.rows == "r" else None
        if target is not None:
            turns = np.round((target - state.mem[system.mem0[e]]) / (2 * np.pi))
            state.mem[system.mem0[e]] += 2 * np.pi * turns


def imposed_value(system: System, state: State, e: int) -> float | None:
    """Target of a drive at the state's time; None for a constraint with a constant value."""
    place = int(system.elements[e].values["function"])
    return None if place < 0 else float(value_of(system.functions, place, state.t)[0])


def conflict_message(what: str, model: Model, name: str, t: float) -> str:
    """Message for a redundant constraint that contradicts the others."""
    return (
        f'{what} of model "{model.name}" stopped at t = {t:g} s: the mechanism is jammed. "{name}" can no longer be satisfied, '
        "because other joints and drives already fix the same coordinate at another value. Remove one of them, or apply the "
        "drive to a coordinate that is free"
    )


def redundancy_warnings(system: System, rank: Rank) -> list[str]:
    """Warn for every set of joints that constrain the same motion more than once."""
    warnings = []
    redundant = set(rank.redundant.tolist())
    for group in rank.groups:
        later = list(dict.fromkeys(system.row_owner(int(l)).name for l in group if int(l) in redundant))
        names = list(dict.fromkeys(system.row_owner(int(l)).name for l in group))
        others = [n for n in names if n not in later]
        count = int(np.sum(np.isin(group, rank.redundant)))
        held = "; ".join(
            [f"{count} constraint{'s' if count > 1 else ''} of {_listed(later)} repeat{'' if count > 1 else 's'} constraints of "
             f"{_listed(others) if others else 'the same item'}"]
        )  # fmt: skip
        warnings.append(
            f"redundant: {held}. The motion is unique. The distribution of loads among these joints is not; the "
            "result has the least-norm distribution"
        )
    return warnings


def _listed(names: list[str], most: int = 6) -> str:
    shown = ", ".join(f'"{n}"' for n in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
