"""Start of a run in time: options for the model, consistent initial motion, integrator."""

from dataclasses import dataclass, replace

from ..math.slow_laws import raise_stored
from ..model import Model
from ..results.result import Result
from ..solvers.impact import balance_motion, start_moving
from ..solvers.integrator import Integrator
from ..solvers.switching import check_start
from ..system.kept_memory import remembers
from ..system.outside_programs import start_programs
from ..system.snapshot import Snapshot
from ..system.system import System
from .flank_steps import stable_steps
from .followed_warnings import started_at_rest
from .garbage import no_garbage
from .jerked_structures import angular_velocities, jerked_structures
from .lost_speeds import lost_speeds
from .modal_steps import fitted_to_modes, modal_warnings
from .preparation import prepare
from .time_options import TimeOptions, small_step

__all__ = ["RunStart", "begin_run", "fitted_options"]


@dataclass
class RunStart:
    """A run before its first step."""

    system: System
    integrator: Integrator
    options: TimeOptions
    warnings: list[str]


def fitted_options(options: TimeOptions, model: Model) -> TimeOptions:
    """Options with the defaults for a model."""
    options = fitted_to_modes(options.for_model(model), model)
    if options.stabilised is None and (_switches(model) or _ends_steps(options, model)):
        options = replace(options, stabilised=True)  # steps up to events and samples have any length
    return options


def begin_run(
    model: Model, snapshot: Snapshot, options: TimeOptions, *, start: Result | None = None, reduce: bool = True
) -> RunStart:
    """Compile a model, and start its motion at a snapshot. start: result from which the snapshot is."""
    ready = prepare(model, snapshot, until=snapshot.t + options.duration, reduce=reduce)
    warnings = ready.warnings + modal_warnings(options, model) + lost_speeds(model, start)
    system, state = ready.system, ready.state
    options = stable_steps(options, system)
    options.set_constraints(system)
    said = angular_velocities(system, state)
    start_moving(system, state)
    start_programs(system, state, snapshot.memory)
    if remembers(system):
        system.commit(state)  # signals of the first sample are those of the projected velocities
        raise_stored()  # of a program that failed in its first step
        balance_motion(system, state)
    warnings = warnings + jerked_structures(system, state, said)
    if start is not None and start.kind == "statics":
        warnings = warnings + started_at_rest(system, state)
    check_start(system, state)
    raise_stored()
    chosen = options.for_start(system, state)
    layout = chosen.layout(system, state)
    limit = small_step(system, state)
    if options.stabilised is None or (options.step is not None and not options.stabilised and options.step >= limit):
        layout["small_step"] = limit  # events, drives and samples of controllers cut steps to any length
    options = chosen
    integrator = Integrator.begin(system, state, layout, ready.rank, ready.loose)
    return RunStart(system, integrator, options, warnings)


@no_garbage()
def _switches(model: Model) -> bool:
    """Whether the model has friction that sticks."""
    return any(e.switches for e in model.elements.values()) or any(
        p.known_law.sticks for p in model.gear_pairs.values()
    )


def _ends_steps(options: TimeOptions, model: Model) -> bool:
    """Whether the samples of a controller divide fixed steps into parts of different length."""
    if options.step is None:
        return False
    times = [float(e.sample_time) for e in model.elements.values() if hasattr(e, "sample_time")]
    return any(abs(time / options.step - round(time / options.step)) > 1e-6 for time in times)
