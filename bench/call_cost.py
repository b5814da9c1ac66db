"""Cost of a call that does not depend on the number of steps: for sweeps, in which every point is a short analysis.

Every call has a model of its own, which differs from the one before in numbers only: speed, torque, stiffness, backlash,
inertia. Analyses have very few steps. The time is that of the processor, the best of many calls, because other programs on
the machine change the others. The first column is that of a file that is read again with other values.

    python bench/run.py --mechanisms call-cost
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.resources import files

import pitchline as pl
from pitchline.files import read

CALLS = 20
"""Calls for each repeat."""
STEP = 1e-6
GEAR = pl.Gear(teeth=25, normal_module="4 mm", face_width="15 mm")


def pair(i: int) -> pl.Model:
    """Two wheels on hinges, built in Python."""
    m = pl.Model("pair")
    inertia = (1e-3 + 1e-6 * i, 1e-3 + 1e-6 * i, 2e-3 + 2e-6 * i)
    a = m.gear_body("pinion", GEAR, position=(0, 0, 0), axis="z", mass=2.0, inertia=inertia)
    b = m.gear_body("wheel", GEAR, mesh_with=a, towards="x", mass=2.0, inertia=inertia)
    m.drive("motor", m.revolute("first", m.ground, a), speed=300.0 + i)
    m.torque("load", m.revolute("second", m.ground, b), 100.0 + i)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(damping_ratio=0.05, backlash=2e-5 + 1e-8 * i))
    return m


def kubo(i: int) -> dict[str, object]:
    """Case C is a train of wheels on hinges. Case D has wheels on flexible supports, and needs the general method."""
    return {
        "speed": f"{12000 - i} rpm", "torque": f"{945.8 - i} lbf*in", "mesh_stiffness": f"{1.477e7 - 1e3 * i} lbf/in",
        "backlash": f"{1.968e-3 + 1e-7 * i} in", "inertia": f"{0.0102 + 1e-6 * i} lbf*in*s^2",
    }  # fmt: skip


def planetary(i: int) -> dict[str, object]:
    return {"speed": 200.0 + i, "load": f"{500 + i} N*m", "stiffness": f"{4e8 + 1e5 * i} N/m"}


def of_file(name: str, values: Callable[[int], dict[str, object]]) -> Callable[[int], pl.Model]:
    """Function of the number of a call: the model of the gallery with other values."""
    text = (files("pitchline.gallery") / "models" / f"{name}.toml").read_text("utf-8")
    return lambda i: read(text, overrides=values(i)).model


MODELS: dict[str, Callable[[int], pl.Model]] = {
    "pair (Python)": pair,
    "kubo-c": of_file("kubo-c", kubo),
    "kubo-d": of_file("kubo-d", kubo),
    "planetary": of_file("planetary", planetary),
}
CALLED: dict[str, Callable[[pl.Model], object]] = {
    "statics": pl.statics,
    "one position": lambda m: pl.kinematics(m, times=[0.0]),
    "dynamics": lambda m: pl.dynamics(m, duration=10 * STEP, step=STEP),
    "1000 samples": lambda m: pl.dynamics(m, duration=1000 * STEP, step=STEP),
}


def best(call: Callable[[int], object], calls: int) -> float:
    """Shortest time of a call [s]. call: function of its number."""
    times = []
    for i in range(calls + 1):
        began = time.process_time()
        call(i)
        times.append(time.process_time() - began)
    return min(times[1:])  # the first one loads the machine code


def _next_of(models: Iterator[pl.Model], call: Callable[[pl.Model], object], i: int) -> object:
    return call(next(models))


def bench(repeats: int) -> None:
    """Building or reading a model, and calls with few steps."""
    print("\nFixed cost of a call, ms: every call has a model with other numbers")
    header = f"{'model':<16}{'build/read':>12}" + "".join(f"{what:>14}" for what in CALLED)
    print(header)
    print("-" * len(header))
    for name, make in MODELS.items():
        count = CALLS * repeats
        row = [best(make, count)]
        for call in CALLED.values():
            models = iter([make(i) for i in range(count + 1)])
            row.append(best(partial(_next_of, models, call), count))
        print(f"{name:<16}{1e3 * row[0]:>12.2f}" + "".join(f"{1e3 * t:>14.2f}" for t in row[1:]))


if __name__ == "__main__":
    bench(3)
