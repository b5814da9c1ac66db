"""Invariances of rolling bearings: cage, clearance, lives over loads, a bearing alone and in a machine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from machines.cases import Case, Skip, Violation, attempt
from machines.machine import Machine, Part, _evaluated, build
from machines.values import SAME, Call, Number, On

import pitchline as pl

NO_AXIAL = ("pl.CylindricalRoller", "pl.NeedleRoller")
"""Types without axial stiffness."""
PHASES = 6
"""Positions of the rolling elements between two of them for which lives are computed."""
BETWEEN = 1.05
"""Lives and loads of a smooth cage lie between those of these positions, within this factor: the shaft deflects otherwise."""

LIGHT = 1e-6
"""Load of a rolling element that hardly touches, relative to the largest one."""


def _with(machine: Machine, **given: Any) -> Machine:
    return machine.with_parts(
        [replace(part, given={**part.given, **given}) if part.maker == "bearing" else part for part in machine.parts]
    )


def _rest(machine: Machine) -> Any:
    outcome = attempt(lambda: pl.statics(build(machine)))
    if outcome.refusal is not None:
        raise Skip("no statics")
    if any("bearing" not in text for text in outcome.value.warnings):
        raise Skip("statics has a warning")
    return outcome.value


def cage(case: Case) -> None:
    """Lives with a smooth cage are between those of the positions of rolling elements at rest; a turning one has one of these."""
    machine = case.machine
    bearings = machine.of("bearing")
    if not bearings:
        raise Skip("no rolling bearing")
    if not all(isinstance(part.given["a"], On) for part in bearings):
        raise Skip("no frames that can be turned")
    smooth, turning = (_rest(_with(machine, cage=option)) for option in ("smooth", "turning"))
    phases = [_rest(_turned(machine, k / PHASES)) for k in range(PHASES)]
    for part in bearings:
        found = _figures(smooth, part.name)
        lives = [_figures(rest, part.name) for rest in phases]
        if not found or not all(lives):
            raise Skip("no load, or no life")
        if (
            _zone(smooth, part) < 2.0
        ):  # it is the mean of places at one displacement: at some, one element or none carries
            continue
        for index, what in enumerate(("life", "largest load")):
            values = [figures[index] for figures in lives]
            if not min(values) / BETWEEN <= found[index] <= max(values) * BETWEEN:
                text = f"{found[index]:.6g} with a smooth cage, {min(values):.6g} to {max(values):.6g} by position"
                raise Violation(f"statics: {what} of {part.name}: {text}", _with(machine, cage="smooth"))
    placed = _rest(_placed(case, turning))
    for part in bearings:
        pairs = zip(_figures(turning, part.name), _figures(placed, part.name), strict=True)
        more = 4.0 * _force_of_cages(turning, bearings, case.model) / _figures(turning, part.name)[1]
        if any(abs(x - y) > (1e-6 + more) * y for x, y in pairs):
            raise Violation(f"statics: life of {part.name} differs with a turning cage", _with(machine, cage="turning"))


def _force_of_cages(turning: Any, bearings: list[Part], model: pl.Model) -> float:
    """Force at the pitch radius of the torques about the axes of bearings, whose energy depends on the angle of the cage: a gear
    carries them. Lives change with up to the fourth power of the loads."""
    force = 0.0
    for part in bearings:
        axis = model.placed(model.elements[part.name].a)[1][:, 2]
        radius = 0.5 * _evaluated(part.given["design"].changed(SAME), model).pitch
        force += abs(float(axis @ turning.signals[f"{part.name}.moment"].values[-1])) / radius
    return force


def _zone(smooth: Any, part: Part) -> float:
    """Number of rolling elements in the load zone of a bearing with a smooth cage; of several rows, in the larger one."""
    loads = np.atleast_2d(pl.rolling_loads(smooth, part.name).loads[-1])
    return _elements(part) * float(np.max(np.count_nonzero(loads, axis=1))) / loads.shape[1]


def _elements(part: Part) -> int:
    design = part.given["design"].given
    return int(design.get("balls", design.get("rollers", 1)))


def _turned(machine: Machine, share: float) -> Machine:
    """All bearings with rolling elements at rest, turned by a share of the angle between two of them."""

    def turn(part: Part) -> Part:
        if part.maker != "bearing":
            return part
        return _at_angle(part, 2.0 * np.pi * share / _elements(part))

    return machine.with_parts([turn(part) for part in machine.parts])


def _at_angle(part: Part, angle: float) -> Part:
    """A bearing with rolling elements at rest, turned by an angle."""
    c, s = np.cos(angle), np.sin(angle)
    frame = part.given["a"]
    frame = replace(frame, rotation=np.asarray(frame.rotation) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]))
    return replace(part, given={**part.given, "a": frame, "cage": "rest"})


def _placed(case: Case, rest: Any) -> Machine:
    """The machine with rolling elements at rest where turning cages carried them: the rings have turned against each other."""

    def place(part: Part) -> Part:
        ratio = _evaluated(part.given["design"].changed(SAME), case.model).cage_ratio
        return _at_angle(part, ratio * float(rest.signals[f"{part.name}.rotation"].values[-1][2]))

    return case.machine.with_parts([place(p) if p.maker == "bearing" else p for p in case.machine.parts])


def _figures(rest: Any, name: str) -> tuple[float, ...]:
    """Life and largest load; empty if the bearing carries almost nothing."""
    loads = pl.rolling_loads(rest, name)
    lives = attempt(loads.lives)
    life = 1.0 if lives.refusal is not None else float(lives.value[-1])  # a design without a rating has no life
    largest = float(np.max(loads.loads[-1]))
    return (life, largest) if np.isfinite(life) and largest > 1.0 else ()


def alone(case: Case) -> None:
    """A bearing by itself, under the force and moment that it has in the machine, deflects as in the machine."""
    bearings = [p for p in case.machine.of("bearing") if _plain(p)]
    if not bearings:
        raise Skip("no bearing with rolling elements at rest, without preload")
    rest = _rest(case.machine)
    part = bearings[int(case.rng.integers(len(bearings)))]
    turn = np.asarray(part.given["a"].rotation)
    force, moment = (
        -turn.T @ np.asarray(rest.signals[f"{part.name}.{what}"].values[-1]) for what in ("force", "moment")
    )
    design: Call = part.given["design"].changed(SAME)
    made = _evaluated(design, case.model)
    here = np.asarray(rest.signals[f"{part.name}.deflection"].values[-1], float)
    found = attempt(lambda: made.under(force=tuple(_held(design, force)), moment=tuple(moment[:2])))
    if found.refusal is not None:
        raise Skip(f"no equilibrium: {str(found.refusal)[:40]}")
    there = np.asarray(found.value.deflection, float)
    axes = [0, 1] if design.maker in NO_AXIAL else [0, 1, 2]
    gap, size = float(np.max(np.abs(here - there)[axes])), float(np.max(np.abs(here)))
    # its place is open: only the loads of the rolling elements are compared
    if _neutral(found.value.stiffness, design) or _few(found.value.loads, len(axes) + 2):
        here, there = rest.signals[f"{part.name}.max_load"].values[-1], np.max(np.abs(found.value.loads))
        gap, size = float(abs(here - there)), float(abs(here))
    # the moment acts about the inner ring in the machine, which is displaced by micrometres
    if gap > 1e-4 * size + 1e-10:
        loads = float(np.max(np.abs(found.value.loads)))
        raise Violation(
            f"statics: {part.name} alone deflects by {there}, in the machine by {here}, largest load {loads:.4g} N"
        )


def _few(loads: Any, displacements: int) -> bool:
    """Whether too few rolling elements carry: one fixes its distance to the ring and its angle, two of the displacements."""
    size = np.max(np.abs(np.atleast_2d(loads)), axis=0)
    return bool(2 * np.count_nonzero(size > LIGHT * np.max(size)) < displacements)


def _neutral(stiffness: Any, design: Call) -> bool:
    """Whether a small motion of the inner ring changes no load: each roller under load touches with one slice at most."""
    axes = [0, 1, 3, 4] if design.maker in NO_AXIAL else [0, 1, 2, 3, 4]
    size = np.sqrt(np.maximum(np.diag(stiffness), 1e-300))
    scaled = (stiffness / np.outer(size, size))[np.ix_(axes, axes)]
    return float(np.linalg.eigvalsh(0.5 * (scaled + scaled.T))[0]) < 1e-9


def _plain(part: Part) -> bool:
    apart = {"preload", "flipped", "offset", "speed"}
    return (
        isinstance(part.given["a"], On)
        and part.given["a"].body == "ground"
        and part.given.get("cage", "rest") == "rest"
        and not set(part.given) & apart
    )


def _held(design: Call, force: np.ndarray) -> np.ndarray:
    return np.array([*force[:2], 0.0]) if design.maker in NO_AXIAL else force


def clearance(case: Case) -> None:
    """A clearance of zero is none, and one of an atom acts as none."""
    machine = case.machine
    designs = [p for p in machine.of("bearing") if "pitch" in p.given["design"].given]
    if not designs or any(p.given["design"].maker in ("pl.AngularContactBall", "pl.TaperedRoller") for p in designs):
        raise Skip("no bearing with clearance")

    def with_clearance(value: float | None) -> Machine:
        def change(part: Part) -> Part:
            if part.maker != "bearing":
                return part
            design = part.given["design"]
            given = {key: item for key, item in design.given.items() if key != "clearance"}
            if value is not None:
                given["clearance"] = Number(value, "m")
            return replace(part, given={**part.given, "design": replace(design, given=given)})

        return machine.with_parts([change(part) for part in machine.parts])

    rests = [_rest(with_clearance(value)) for value in (None, 0.0, 1e-10)]
    for k, tolerance in ((1, 1e-9), (2, 1e-3)):
        for name, signal in rests[0].signals.items():
            if not name.endswith((".max_load", ".deflection", ".force")):
                continue
            here, there = np.asarray(signal.values[-1], float), np.asarray(rests[k].signals[name].values[-1], float)
            size, gap = float(np.max(np.abs(here))), float(np.max(np.abs(here - there)))
            if gap > tolerance * size + (2e-10 if name.endswith("deflection") else 1e-9 * machine.stiffest):
                raise Violation(f"statics: {name} changes by {gap:.3g} of {size:.3g} with a clearance of {(0, 0.0, 1e-10)[k]} m",
                                with_clearance(1e-10))  # fmt: skip


def life_over_load(case: Case) -> None:
    """A bearing under a larger load has larger element loads and a shorter life, and deflects more."""
    bearings = case.machine.of("bearing")
    if not bearings:
        raise Skip("no rolling bearing")
    part = bearings[int(case.rng.integers(len(bearings)))]
    design: Call = part.given["design"].changed(SAME)
    made = attempt(lambda: _evaluated(design, case.model))
    if made.refusal is not None:
        raise Skip("refused")
    axial = design.maker not in NO_AXIAL
    size = float(np.exp(case.rng.uniform(np.log(200.0), np.log(5000.0))))
    angle = float(case.rng.uniform(-3.1, 3.1))
    force = size * np.array([np.cos(angle), np.sin(angle), 0.6 if axial else 0.0])
    before = (0.0, 0.0)
    for factor in (1.0, 1.3, 2.0):
        found = attempt(lambda factor=factor: made.value.under(force=tuple(factor * force)))
        if found.refusal is not None:
            raise Skip(f"no equilibrium: {str(found.refusal)[:40]}")
        figures = (float(np.max(found.value.loads)), float(np.dot(found.value.deflection, force)))
        if not (figures[0] > before[0] and figures[1] > before[1]):
            raise Violation(
                f"bearing: largest load and deflection {figures} under {factor} times the force, {before} under less",
                code=f"print({design}.under(force={tuple(factor * force)}))",
            )
        before = figures
