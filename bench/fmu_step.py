"""Time of a communication step: engine in one long run, stepper, FMU 2 and FMU 3 (Python inside) in fmpy, side by side.

    python bench/fmu_step.py

A gear pair with a fixed step of 10 us. The torque changes at every communication point, and two outputs are read. All ways take
turns, so that a busy machine slows all of them. Times are the best of all rounds.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fmpy
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave

import pitchline as pl

STEP = 1e-5
INTERVALS = (1e-5, 1e-4, 1e-3)
OUTPUTS = ["mesh.normal_force", "output.angular_speed"]
ROUNDS, CALLS = 40, 50


def gear_pair() -> pl.Model:
    """Two wheels with elastic teeth on fixed axes."""
    m = pl.Model("pair")
    gear = pl.Gear(teeth=25, normal_module="4 mm", face_width="15 mm")
    pinion = m.gear_body("pinion", gear)
    wheel = m.gear_body("wheel", gear, mesh_with=pinion, towards="x")
    m.revolute("input", m.ground, pinion)
    m.revolute("output", m.ground, wheel)
    m.gear_pair("mesh", pinion, wheel, mesh=pl.Elastic("2.6e8 N/m", damping_ratio=0.05, backlash="50 um"))
    m.torque("motor", "input", "100 N*m")
    m.torque("load", "output", "100 N*m")
    return m


def torque(k: int) -> float:
    """Torque of communication step k."""
    return 100.0 + k % 7


def engine(model: pl.Model) -> Callable[[float, int], float]:
    """One long interval without inputs and outputs: the time of the steps alone."""
    stepper = pl.Stepper(model, step=STEP)
    stepper.advance(STEP)

    def run(interval: float, calls: int) -> float:
        began = time.perf_counter()
        stepper.advance(interval * calls)
        return time.perf_counter() - began

    return run


def stepper_of(model: pl.Model) -> Callable[[float, int], float]:
    """`pl.Stepper` in Python."""
    stepper = pl.Stepper(model, step=STEP, inputs="motor", outputs=OUTPUTS)
    stepper.advance(STEP)
    stepper.output_list()

    def run(interval: float, calls: int) -> float:
        began = time.perf_counter()
        for k in range(calls):
            stepper.set(motor=torque(k))
            stepper.advance(interval)
            stepper.output_list()
        return time.perf_counter() - began

    return run


def fmu_of(path: Path, folder: Path) -> Callable[[float, int], float]:
    """FMU in fmpy, by the functions of FMI."""
    about = fmpy.read_model_description(str(path))
    second = about.fmiVersion == "2.0"
    unzipped = str(folder / path.stem)
    fmpy.extract(str(path), unzipped)
    kind: Any = FMU2Slave if second else FMU3Slave
    token = about.guid if second else about.instantiationToken
    fmu = kind(
        guid=token, unzipDirectory=unzipped, modelIdentifier=about.coSimulation.modelIdentifier, instanceName="one"
    )
    fmu.instantiate()
    if second:
        fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    references = {v.name: v.valueReference for v in about.modelVariables}
    motor, outputs = [references["motor"]], [references[name] for name in OUTPUTS]
    put, get = (fmu.setReal, fmu.getReal) if second else (fmu.setFloat64, fmu.getFloat64)
    now = [0.0]

    def run(interval: float, calls: int) -> float:
        t = now[0]
        began = time.perf_counter()
        for k in range(calls):
            put(motor, [torque(k)])
            fmu.doStep(currentCommunicationPoint=t, communicationStepSize=interval)
            t += interval
            get(outputs)
        spent = time.perf_counter() - began
        now[0] = t
        return spent

    return run


def main() -> None:
    """Print the table."""
    model = gear_pair()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ways = {"engine": engine(model), "stepper": stepper_of(model)}
        for version in (2, 3):
            path = folder / f"pair{version}.fmu"
            pl.export_fmu(model, path, inputs="motor", outputs=OUTPUTS, step=STEP, fmi_version=version)
            ways[f"FMU {version}"] = fmu_of(path, folder)
        print(f"{'communication step':>20}" + "".join(f"{way:>12}" for way in ways) + f"{'most beyond engine':>22}")
        for interval in INTERVALS:
            times: dict[str, list[float]] = {way: [] for way in ways}
            for _ in range(ROUNDS):
                for way, run in ways.items():
                    times[way].append(run(interval, CALLS) / CALLS)
            found = {way: 1e6 * min(values) for way, values in times.items()}
            beyond = max(found.values()) - found["engine"]
            line = "".join(f"{found[way]:>9.1f} us" for way in ways)
            print(f"{1e3 * interval:>17g} ms{line}{beyond:>19.1f} us")


if __name__ == "__main__":
    main()
