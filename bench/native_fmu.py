"""Time of a communication step of an FMU without Python, beside a stepper in Python: python bench/native_fmu.py

The engine's own time of a step follows from long communication steps. What a short one takes in addition is the overhead.
"""

import ctypes
import io
import tempfile
import time
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pitchline as pl
from pitchline.exchange.fmi.native_export import NativeFmu, native_fmu

STEP = 1e-5
OUTPUTS = ["mesh.normal_force", "second.angular_speed"]
LENGTHS = (1, 10, 100)
"""Steps of the engine in a communication step."""


def pair() -> pl.Model:
    """Two wheels with backlash, and two torques."""
    gear = pl.Gear(teeth=25, normal_module="4 mm", face_width="15 mm")
    m = pl.Model("pair")
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", gear, mesh_with=a, towards="x")
    m.torque("motor", m.revolute("first", m.ground, a), "50 N*m")
    m.torque("load", m.revolute("second", m.ground, b), "-40 N*m")
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(backlash="50 um"))
    return m


def best(function: Callable[[], object], count: int, repeats: int = 5) -> float:
    """Smallest mean time of a call [s]."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        for _ in range(count):
            function()
        times.append((time.perf_counter() - began) / count)
    return min(times)


class Library:
    """An instance of FMI 2, called with ctypes."""

    def __init__(self, fmu: NativeFmu) -> None:
        self._folder = tempfile.TemporaryDirectory()
        zipfile.ZipFile(io.BytesIO(fmu.content)).extractall(self._folder.name)
        self._dll = ctypes.CDLL(str(next(Path(self._folder.name).rglob("*.so"))))
        self._dll.fmi2Instantiate.restype = ctypes.c_void_p
        token = fmu.description.token.encode()
        self._one = ctypes.c_void_p(self._dll.fmi2Instantiate(b"one", 1, token, b"", None, 0, 0))
        zero = ctypes.c_double(0.0)
        self._dll.fmi2SetupExperiment(self._one, 0, zero, zero, 0, zero)
        self._dll.fmi2EnterInitializationMode(self._one)
        self._dll.fmi2ExitInitializationMode(self._one)
        self.t, self._input, self._value = 0.0, (ctypes.c_uint * 1)(1), (ctypes.c_double * 1)(50.0)
        self._outputs, self._values = (ctypes.c_uint * 2)(3, 4), (ctypes.c_double * 2)()

    def step(self, length: float, *, change: bool) -> None:
        """Set an input, go on, read the outputs, as a program does."""
        if change:
            self._value[0] = 90.0 - self._value[0]
        self._dll.fmi2SetReal(self._one, self._input, ctypes.c_size_t(1), self._value)
        if self._dll.fmi2DoStep(self._one, ctypes.c_double(self.t), ctypes.c_double(length), 1) != 0:
            raise SystemExit("the FMU stopped")
        self.t += length
        self._dll.fmi2GetReal(self._one, self._outputs, ctypes.c_size_t(2), self._values)


def main() -> None:
    native = Library(native_fmu(pl.Stepper(pair(), step=STEP, inputs=["motor", "load"], outputs=OUTPUTS)))
    stepper = pl.Stepper(pair(), step=STEP, inputs=["motor", "load"], outputs=OUTPUTS)
    stepper.start()
    values = [50.0]

    def in_python(length: float, change: bool) -> None:
        if change:
            values[0] = 90.0 - values[0]
        stepper.set(motor=values[0])
        stepper.advance(length)
        stepper.output_list()

    print("time of a communication step: input, step, two outputs [us]")
    print(f"{'steps':>6} {'FMU without Python':>20} {'input changes':>14} {'stepper':>9} {'input changes':>14}")
    rows = {}
    for n in LENGTHS:
        h, count = n * STEP, max(200, 2000 // n)
        rows[n] = [
            1e6 * best(partial(native.step, h, change=False), count),
            1e6 * best(partial(native.step, h, change=True), count),
            1e6 * best(partial(in_python, h, False), count),
            1e6 * best(partial(in_python, h, True), count),
        ]
        a, b, c, d = rows[n]
        print(f"{n:6} {a:20.2f} {b:14.2f} {c:9.2f} {d:14.2f}")
    engine = (rows[100][0] - rows[10][0]) / 90
    print(f"the engine takes {engine:.3f} us for a step; overhead of the FMU {rows[1][0] - engine:.2f} us, of the stepper "
          f"{rows[1][2] - engine:.2f} us (calls from Python with ctypes included)")  # fmt: skip


if __name__ == "__main__":
    main()
