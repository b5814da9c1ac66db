"""The gear rig: a race at equal steps, and work against precision.

Contestants take turns and the shortest time of each counts. The time is that of the time loop alone, without building,
assembling and compiling, and without output: all codes keep nothing but the last state, pitchline the first and the last. The
precision of a step comes from a second run, with samples; under error control, where samples change the steps, from the same.
"""

import dataclasses
import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import kubo_lumped
from kubo_rig import CASES, DURATION, SAMPLE, STEP, STEPS, WINDOW, Case, History, precision

Key = TypeVar("Key")

# Where the race has backlash: the wheels on hinges, and in space on flexible supports.
HINGED, SPATIAL = "C", "D"

# A turn lasts so long, or so many runs.
TURN, MOST = 0.05, 5  # s


@dataclass(frozen=True)
class Point:
    """One step size (or tolerance) of one contestant: its price and its error."""

    setting: float  # s, or the tolerance of error control
    wall_time: float  # s
    steps: int
    error: float  # of the mesh force, relative


@dataclass(frozen=True)
class Curve:
    """A method on one case, from coarse to fine."""

    label: str
    points: list[Point]


def best(simulations: dict[Key, Callable[[], History]], repeats: int) -> dict[Key, History]:
    """The fastest run of each, all taking turns; one round before counts for nothing.

    Short runs are repeated within their turn: a moment's disturbance is a larger part of them.
    """
    found: dict[Key, History] = {}
    for turn in range(repeats + 1):
        for name, simulate in simulations.items():
            spent = 0.0
            while spent < TURN:
                history = simulate()
                spent += max(history.wall_time, TURN / MOST)
                if turn == 0:
                    break
                if name not in found or history.wall_time < found[name].wall_time:
                    found[name] = history
    return found


# --- the race ------------------------------------------------------------------------------------------


def race(codes: list[str], repeats: int) -> None:
    """Both cases with backlash for 0.1 s at a step of 1 us, in one table."""
    hinged, spatial = CASES[HINGED], CASES[SPATIAL]
    # One connector of a train has one force: the error does no work there.
    classical = dataclasses.replace(hinged, consistent=False)
    bare, plane = "bare loop, 3 angles", "bare loop, 7 coordinates"
    groups: dict[str, dict[str, Callable[[], History]]] = {
        f"{HINGED}: hinged": {bare: _timed(kubo_lumped.run, hinged)},
        f"{SPATIAL}: flexible": {plane: _timed(kubo_lumped.run, spatial)},
    }
    rigid, flexible = groups.values()
    if "pitchline" in codes:
        import kubo_pitchline

        rigid["pitchline, hinges"] = _timed(kubo_pitchline.run, hinged)
        flexible["pitchline, in space"] = _timed(kubo_pitchline.run, spatial)
    if "exudyn" in codes:
        import kubo_exudyn as exudyn

        loose, newton = {"tolerance": exudyn.LOOSE}, f"Newton to {exudyn.LOOSE:.0e}"
        rigid["Exudyn, train, Python"] = _timed(exudyn.train, classical)
        rigid[f"Exudyn, train, Python, {newton}"] = _timed(exudyn.train, classical, **loose)
        rigid["Exudyn, symbolic"] = _timed(exudyn.ode2, hinged)
        rigid[f"Exudyn, symbolic, {newton}"] = _timed(exudyn.ode2, hinged, **loose)
        rigid["Exudyn, symbolic, Runge-Kutta"] = _timed(exudyn.ode2, hinged, explicit=True)
        rigid["Exudyn, train, error over time *"] = _timed(exudyn.train, classical, error="time", **loose)
        rigid["Exudyn, train, no error *"] = _timed(exudyn.train, classical, error="none", **loose)

    found = best({name: run for group in groups.values() for name, run in group.items()}, repeats)
    print(f"\nGear rig of Kubo with backlash, {DURATION:g} s at h = {STEP * 1e6:g} us, no output")
    header = f"{'case':<14}{'code':<40}{'time':>11}{'iter/step':>11}{'of the bare loop':>18}{'of its own':>12}"
    print(header)
    print("-" * len(header))
    for title, group in groups.items():
        own = found[next(iter(group))].wall_time
        for k, name in enumerate(group):
            run = found[name]
            iterations = f"{run.iterations / run.steps:.2f}" if run.iterations else "–"
            ratios = f"{run.wall_time / found[bare].wall_time:>16.2f} ×{run.wall_time / own:>10.2f} ×"
            print(f"{title if k == 0 else '':<14}{name:<40}{run.wall_time * 1e3:>8.1f} ms{iterations:>11}{ratios}")
    if "exudyn" in codes:
        print(
            "* not the same equations: the error follows the time, not the wheel; or there is none, and nothing shakes"
        )
        if "pitchline" in codes:
            _against_exudyn(found)


def _timed(simulate: Callable[..., History], case: Case, **options: Any) -> Callable[[], History]:
    return functools.partial(simulate, case, DURATION, STEP, **options)


def _against_exudyn(found: dict[str, History]) -> None:
    rivals = [run.wall_time for name, run in found.items() if name.startswith("Exudyn") and not name.endswith("*")]
    for name, run in found.items():
        if name.startswith("pitchline"):
            slowest, fastest = max(rivals) / run.wall_time, min(rivals) / run.wall_time
            print(f"{name}: {fastest:.2f} to {slowest:.2f} times as fast as Exudyn with the error over ψ_A")


# --- work and precision --------------------------------------------------------------------------------


def curves(codes: list[str], name: str, repeats: int) -> list[Curve]:
    """All methods on one case: fixed steps, and tolerances where the code controls its error."""
    case = CASES[name]
    simulations: dict[str, tuple[Callable[..., History], dict[str, Any], tuple[float, ...]]] = {
        "bare loop, RK4": (kubo_lumped.run, {}, STEPS)
    }
    if "pitchline" in codes:
        import kubo_pitchline

        for label, options in kubo_pitchline.METHODS.items():
            simulations[label] = (kubo_pitchline.run, options, STEPS)
        simulations["pitchline, error control"] = (kubo_pitchline.controlled, {}, kubo_pitchline.TOLERANCES)
    if "exudyn" in codes and not case.flexible:
        import kubo_exudyn as exudyn

        simulations["Exudyn, generalized-α"] = (exudyn.ode2, {"tolerance": exudyn.LOOSE}, STEPS)
        simulations["Exudyn, RK4"] = (exudyn.ode2, {"explicit": True}, STEPS)

    exact = kubo_lumped.exact(case, WINDOW, SAMPLE)
    errors: dict[tuple[str, float], float] = {}
    timed: dict[tuple[str, float], Callable[[], History]] = {}
    for label, (simulate, options, settings) in simulations.items():
        for setting in settings:
            errors[label, setting] = precision(simulate(case, WINDOW, setting, SAMPLE, **options), exact)
            timed[label, setting] = functools.partial(simulate, case, WINDOW, setting, **options)
    runs = best(timed, repeats)
    return [
        Curve(label, [Point(s, runs[label, s].wall_time, runs[label, s].steps, errors[label, s]) for s in settings])
        for label, (_, _, settings) in simulations.items()
    ]


def print_curves(name: str, found: list[Curve]) -> None:
    supports = "flexible supports" if CASES[name].flexible else "rigid supports"
    print(f"\nCase {name}: {supports}, {'backlash' if CASES[name].backlash else 'no backlash'}; {WINDOW * 1e3:g} ms")
    header = f"{'method':<28}{'step, tol':>10}{'steps':>8}{'time':>12}{'force error':>13}{'order':>7}"
    print(header)
    print("-" * len(header))
    for curve in found:
        before: Point | None = None
        for point in curve.points:
            order = ""
            if before is not None and point.steps > before.steps and point.error > 0:
                order = f"{math.log(before.error / point.error) / math.log(point.steps / before.steps):.1f}"
            label = curve.label if before is None else ""
            print(
                f"{label:<28}{point.setting:>10.0e}{point.steps:>8}{point.wall_time * 1e3:>9.2f} ms"
                f"{point.error:>13.1e}{order:>7}"
            )
            before = point


def bench(codes: list[str], repeats: int, picture: Path | None) -> None:
    race(codes, repeats)
    print(
        f"\nWork and precision: error of the mesh force at {round(WINDOW / SAMPLE) + 1} samples, root mean square, relative;"
        f"\nexact: the bare loop at h = {kubo_lumped.EXACT_STEP:g} s. Times without output,"
        "\nthose of error control with all samples."
    )
    found = {}
    for name in CASES:
        found[name] = curves(codes, name, repeats)
        print_curves(name, found[name])
    if picture is not None:
        from kubo_picture import draw

        draw(found, picture)
        print(f"\n{picture}")
