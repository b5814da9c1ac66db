"""Invariances of the tools around a run: sweep, batch, threads, FMU, REXS."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from machines import compare
from machines.cases import Case, Skip, Violation, attempt
from machines.machine import Machine, Part, build
from machines.values import SAME, Call, Change, Name, Number

import pitchline as pl

MASS = (0.5, 2.0)
"""Factors of the unit of mass in a sweep: models that differ in all masses and stiffnesses."""


def sweep(case: Case) -> None:
    """The points of a sweep are the single runs, to the last bit."""
    machine = case.machine
    case.wanted("motion")

    def run(factor: float = 1.0) -> dict[str, Any]:
        model = build(machine, Change(units=(1.0, factor, 1.0, 1.0)))
        result = pl.dynamics(model, **machine.time(), **machine.options)
        return {f"s{i}": float(np.ravel(signal.values[-1])[0]) for i, signal in enumerate(result.signals.values())}

    single = [attempt(lambda factor=factor: run(factor)) for factor in MASS]
    if any(one.refusal is not None for one in single):
        raise Skip("no run with another unit of mass")
    found = attempt(lambda: pl.sweep(run, pl.grid(factor=list(MASS)), workers=1))
    if found.refusal is not None:
        raise Violation(f"sweep refused: {found.refusal}")
    for i, one in enumerate(single):
        for name, value in one.value.items():
            there = float(np.asarray(found.value[name])[i])
            if there != value and not (np.isnan(there) and np.isnan(value)):
                raise Violation(f"sweep: {name} is {there:.17g} at point {i}, in the single run {value:.17g}")


def processes(case: Case) -> None:
    """A sweep with two processes is that with one."""
    case.wanted("motion")
    text = attempt(case.model.to_toml)
    if text.refusal is not None:
        raise Skip("not written")
    time = case.machine.time()
    other = '\n[parameters]\nmass = "1 kg"\n\n[bodies."another body"]\nmass = "= mass"\ninertia = [1.0, 1.0, 1.0]\n'
    run = f'\n[[analyses]]\nname = "run"\nkind = "dynamics"\nduration = {time["duration"]!r}\nstep = {time["step"]!r}\n'
    names = [n for n, s in case.wanted("motion").signals.items() if s.values.ndim == 1 and s.unit][:4]
    if not names:
        raise Skip("no scalar signal")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "machine.toml"
        path.write_text(text.value + other + run, encoding="utf-8")
        points = pl.grid(mass=[1.0, 2.0])
        found = [attempt(lambda n=n: pl.sweep(path, points, signals=names, workers=n)) for n in (1, 2)]
    if any(one.refusal is not None for one in found):
        if str(found[0].refusal) == str(found[1].refusal):
            raise Skip(f"no sweep: {str(found[0].refusal)[:60]}")
        raise Violation(f"sweep: {found[0].refusal} with one process, {found[1].refusal} with two")
    one, two = (result.value for result in found)
    if one.failed or two.failed:
        if len(one.failed) != len(two.failed):
            raise Violation(f"sweep: {len(one.failed)} points failed with one process, {len(two.failed)} with two")
        raise Skip("points failed")
    for name in names:
        here, there = (np.asarray(result[name], float) for result in (one, two))
        if not np.array_equal(here, there, equal_nan=True):
            raise Violation(f"sweep: {name} is not the same with two processes")


def batch(case: Case) -> None:
    """A lane of a batch in steady motion has the forces of the run, and does not depend on the number of threads."""
    machine = case.machine
    driven, teeth, stiffness = _driven(machine)
    model = attempt(lambda: build(driven))
    if model.refusal is not None:
        raise Skip("refused with a drive")
    model = model.value
    wheel = driven.part(driven.part("mesh").given["b"].value)
    radius = 0.5 * wheel.given["gear"].given["teeth"] * wheel.given["gear"].given["normal_module"].value
    inertia = float(np.asarray(model.bodies[wheel.name].inertia)[2][2])
    natural = np.sqrt(stiffness * radius**2 / inertia)
    speed = float(case.rng.uniform(0.15, 0.6)) * natural / teeth
    cycle = 2.0 * np.pi / (teeth * speed)
    steps, ramp, settle = 64, 40, 160
    driven = _at_speed(driven, speed, ramp * cycle)
    model = build(driven)
    names = ["mesh.signed_force.mean", "mesh.signed_force.peak_to_peak"]
    lanes = attempt(
        lambda: [
            pl.batch(model, device="cpu", threads=n).run(settle=settle, record=2, steps=steps, reduce=names)
            for n in (1, 2)
        ]
    )
    if lanes.refusal is not None:
        raise Skip(f"no batch: {str(lanes.refusal).partition(':')[2][:44]}")
    one, two = lanes.value
    for name in names:
        if not np.array_equal(one[name], two[name]):
            raise Violation(f"batch: {name} depends on the number of threads", driven)
    count = ramp + settle
    run = attempt(lambda: pl.dynamics(model, duration=count * cycle, step=cycle / steps))
    if run.refusal is not None:
        raise Violation(f"motion refused: {run.refusal}", driven)
    force = np.asarray(run.value.signals["mesh.signed_force"].values, float)
    last, before = force[-steps:], force[-2 * steps : -steps]
    top = float(np.max(np.abs(last)))
    if np.max(np.abs(last - before)) > 1e-3 * top:
        raise Skip("not settled")
    for name, here in zip(names, (float(np.mean(last)), float(np.ptp(last))), strict=True):
        there = float(np.ravel(one[name])[0])
        # both methods are of order 2: their errors at 64 steps of a cycle differ
        if abs(there - here) > 0.02 * top:
            raise Violation(f"batch: {name} is {there:.6g} N, in the run {here:.6g} N", driven)


def _driven(machine: Machine) -> tuple[Machine, int, float]:
    """Two wheels on hinges with elastic teeth, without other parts; teeth of the first wheel, and the mesh stiffness."""
    pairs = machine.of("gear_pair")
    if (
        len(pairs) != 1
        or not isinstance(pairs[0].given.get("mesh"), Call)
        or pairs[0].given["mesh"].maker != "pl.Elastic"
    ):
        raise Skip("not one elastic gear pair")
    pair = pairs[0]
    wheels = [machine.part(pair.given[end].value) for end in ("a", "b") if isinstance(pair.given[end], Name)]
    if len(wheels) != 2 or any(wheel.maker != "gear_body" for wheel in wheels):
        raise Skip("not two wheels of their own")
    hinges = [
        next((h for h in machine.of("revolute") if h.refers >= {"ground", wheel.name}), None) for wheel in wheels
    ]  # fmt: skip
    if any(hinge is None for hinge in hinges):
        raise Skip("not two hinges")
    mesh = pair.given["mesh"].given
    stiffness = mesh["stiffness"].value if isinstance(mesh.get("stiffness"), Number) else 3e8
    given = {key: mesh[key] for key in ("stiffness", "backlash") if key in mesh}
    teeth = Call("pl.Elastic", {**given, "damping_ratio": Number(0.1)})
    still = [
        Part(w.maker, w.name, {k: v for k, v in w.given.items() if not k.endswith("velocity")}, kept=True) for w in wheels
    ]  # fmt: skip
    names = ("drive", "load")
    parts = [
        *still, *(Part("revolute", f"hinge of {n}", h.given) for n, h in zip(names, hinges, strict=True) if h is not None),
        Part("gear_pair", "mesh", {**pair.given, "mesh": teeth}),
        Part("torque", "load", {"on": Name("hinge of load"), "value": Number(_load(wheels[1], stiffness), "N*m")}),
    ]  # fmt: skip
    first = wheels[0].given["gear"].given.get("teeth")
    if not isinstance(first, int):
        raise Skip("not a wheel with teeth")
    from dataclasses import replace

    return replace(machine.with_parts(parts), gravity=(0.0, 0.0, 0.0)), first, stiffness


def _load(wheel: Part, stiffness: float) -> float:
    """A torque that deflects the teeth by about 10 um."""
    given = wheel.given["gear"].given
    return 1e-5 * stiffness * 0.5 * given["teeth"] * given["normal_module"].value


def _at_speed(machine: Machine, speed: float, ramp: float) -> Machine:
    over = Call("pl.Ramp", {"start": Number(0.01 * speed, "rad/s"), "end": Number(speed, "rad/s"), "t0": Number(0.0, "s"),
                            "t1": Number(ramp, "s"), "smooth": False})  # fmt: skip
    drive = Part("drive", "drive", {"joint": Name("hinge of drive"), "speed": over})
    return machine.with_parts([*machine.parts, drive])


def rexs(case: Case) -> None:
    """Written to REXS and read, the masses are the same; written and read again, the model is."""
    machine = case.machine
    if not machine.of("gear_pair", "shaft", "planetary"):
        raise Skip("no shaft and no gear")
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{i}.rexs" for i in (1, 2)]
        written = attempt(lambda: pl.to_rexs(case.model, paths[0]))
        if written.refusal is not None:
            raise Skip(f"not written: {str(written.refusal)[:40]}")
        once = attempt(lambda: pl.from_rexs(paths[0]))
        if once.refusal is not None:
            raise Violation(f"REXS refused: {once.refusal}")
        second = attempt(lambda: pl.to_rexs(once.value, paths[1]))
        twice = attempt(lambda: pl.from_rexs(paths[1]))
    if "mass" not in str(written.value).partition("Not written")[2] and not machine.of("attached_mass", "rotor"):
        left = [
            b.mass
            for b in case.model.bodies.values()
            if f'- body "{b.name}": a rigid body without gears' in str(written.value)
        ]
        # gears on the ground have no mass in a model; in the file they and their shafts on the casing have
        ground = {name for name, wheel in case.model.wheels.items() if wheel.body_name == case.model.ground.name}
        casing = sum(_mass_of_shaft(once.value, w) for w in once.value.wheels.values() if w.name in ground)
        here, there = case.model.mass - sum(left), once.value.mass - casing
        if abs(here - there) > 1e-6 * here:
            raise Violation(f"REXS: mass {there:.9g} kg, in the model {here:.9g} kg")
    for outcome, what in ((second, "writing"), (twice, "reading")):
        if outcome.refusal is not None:
            raise Violation(f"REXS: {what} again refused: {outcome.refusal}")
    if abs(once.value.mass - twice.value.mass) > 1e-9 * once.value.mass:
        raise Violation(f"REXS: mass {once.value.mass:.9g} kg, after writing again {twice.value.mass:.9g} kg")
    modes = [attempt(lambda model=model: pl.modes(model)) for model in (once.value, twice.value)]
    if modes[0].refusal is None:
        if modes[1].refusal is not None:
            raise Violation(f"REXS: modes refused after writing again: {modes[1].refusal}")
        difference = compare.eigenvalues_differ(*(compare.spectrum(one.value) for one in modes))
        if difference is not None and difference.ratio > 1.0:
            raise Violation(f"REXS: after writing again {difference}")


def _mass_of_shaft(model: pl.Model, wheel: Any) -> float:
    """Mass of the shaft of a wheel, with the wheel itself."""
    shaft = next(s for s in model.structures.values() if wheel.body_name in {one.name for one in s.stations.values()})
    return float(shaft.solid.mass + (wheel.solid.mass if wheel.solid else 0.0))


def fmu(case: Case) -> None:
    """The signals of an FMU of the machine, in a model of another body, are those of the run."""
    machine = case.machine
    base = case.wanted("motion")
    names = [n for n, s in base.signals.items() if s.values.ndim == 1 and not n.startswith("energy") and s.unit][:5]
    if not names or machine.options.get("tolerance"):
        raise Skip("no scalar signal")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "machine.fmu"

        def hosted() -> Any:
            made = pl.export_fmu(case.model, path, outputs=names, step=machine.step)
            host = pl.Model("host")
            host.body("other", mass=1.0, inertia=(1.0, 1.0, 1.0))
            host.add(pl.fmu("f", path, step=machine.step))
            return made, pl.dynamics(host, **machine.time())

        plain = attempt(lambda: pl.dynamics(case.model, **machine.time()))
        there = attempt(hosted)
    if plain.refusal is not None:
        raise Skip("no run")
    if there.refusal is not None:
        raise Violation(f"FMU refused: {there.refusal}")
    found = [signal for name, signal in there.value[1].signals.items() if name.startswith("f.")]
    left = case._indeterminate("motion")
    top = compare.largest(plain.value.signals, plain.value.signals.keys(), SAME)
    for name, signal in zip(names, found, strict=True):
        here, values = (np.asarray(x.values, float) for x in (plain.value.signals[name], signal))
        if any(part in name for part in left):
            continue
        # outputs are those of the end of a communication step, from its start on; zero is rounding of its dimension
        gap, size = float(np.max(np.abs(here[1:] - values[:-1]))), float(np.max(np.abs(here)))
        if gap > 1e-9 * size + compare.OF_DIMENSION * top[plain.value.signals[name].unit] + 1e-12:
            raise Violation(f"FMU: {name} differs by {gap:.3g} of {size:.3g}")
