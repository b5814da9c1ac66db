"""Functions that sweeps of tests run, also in other processes; and a model file that runs in milliseconds."""

import os
import signal
import time
from pathlib import Path

import pitchline as pl

PAIR = """
name = "pair"
parameters.speed = { value = "3000 rpm", min = "-20000 rpm", max = "20000 rpm" }
parameters.ripple = "1e8 N/m"
gears.g = { teeth = 25, normal_module = "4 mm", face_width = "15 mm" }
bodies.a = { gear = "g", position = [0, 0, 0], axis = "z" }
bodies.b = { gear = "g", mesh_with = "a", towards = "x" }
joints.first = { kind = "revolute", a = "ground", b = "a" }
joints.second = { kind = "revolute", a = "ground", b = "b" }
drives.motor = { joint = "first", speed = "= speed" }
loads.brake = { kind = "torque", on = "second", value = "100 N*m" }
[gear_pairs.mesh]
a = "a"
b = "b"
mesh.kind = "elastic"
mesh.stiffness.kind = "varying"
mesh.stiffness.function = { kind = "fourier", period = "360 deg", mean = "2.6e8 N/m", cos = ["= ripple"], over = "angle" }
mesh.damping_ratio = 0.05
mesh.backlash = "50 um"
[[analyses]]
name = "settle"
kind = "statics"
parameters = { speed = 0 }
[[analyses]]
name = "run"
kind = "dynamics"
start = "settle"
duration = "1 ms"
step = "2 us"
[figures]
"force.peak" = { signal = "mesh.normal_force", of = "max", analysis = "run" }
"error.mean" = { signal = "mesh.transmission_error", of = "mean", analysis = "run" }
"""
"""Pair with a ripple of its stiffness."""


def square(x: float, y: float = 0.0) -> dict[str, object]:
    """x² + y, with a unit."""
    return {"square": (x * x + y, "m^2")}


def logged(x: float, log: str, pause: float = 0.03) -> dict[str, float]:
    """x² after a pause; a line of the file `log` for each call."""
    note(log, x)
    time.sleep(pause)
    return {"square": x * x}


def note(log: str, x: float) -> None:
    """Add a line: process and value."""
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, f"{os.getpid()} {x!r}\n".encode())
    os.close(file)


def calls(log: Path) -> list[tuple[int, float]]:
    """(process, value) of each call."""
    return [(int(line.split()[0]), float(line.split()[1])) for line in log.read_text().splitlines()]


def deadly(x: float) -> dict[str, float]:
    """Ends its process at x = 5."""
    if x == 5.0:
        os.kill(os.getpid(), signal.SIGKILL)
    return {"x": x}


def pendulum(length: float, gravity: float = 9.81) -> pl.Model:
    """Pendulum with a mass at its end."""
    m = pl.Model("pendulum", gravity=(0, 0, -gravity))
    rod = m.body("rod", mass=1.0, inertia=(1e-6, 1e-6, 1e-6), position=(0, 0, -length))
    m.revolute("hinge", m.ground, rod, at=(0, 0, 0), axis="y")
    return m


def frequency(model: pl.Model) -> dict[str, object]:
    """Its natural frequency."""
    return {"frequency": (pl.modes(model).frequencies[0], "Hz")}
