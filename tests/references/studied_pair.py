"""A spur pair as a model file with a study: text of the file, and its problems."""

from pitchline import files

__all__ = ["BATCH", "BOTH_WAYS", "BRANCH", "OPTIMUM", "SWEEP", "problems", "text"]

PAIR = """
name = "pair"
[parameters]
speed = "3000 rpm"
torque = "200 N*m"
stiffness = "2.5e8 N/m"
backlash = { value = "60 um", min = "0 um", max = "200 um" }
teeth = 50
flank = { choices = ["normal", "hoop"] }
[gears.pinion]
teeth = 25
normal_module = "3 mm"
face_width = "20 mm"
[gears.wheel]
teeth = "= teeth"
normal_module = "3 mm"
face_width = "20 mm"
[bodies.pinion]
gear = "pinion"
[bodies.wheel]
gear = "wheel"
mesh_with = "pinion"
towards = "x"
[joints]
shaft_a = { kind = "revolute", a = "ground", b = "pinion" }
shaft_b = { kind = "revolute", a = "ground", b = "wheel" }
[gear_pairs.mesh]
a = "pinion"
b = "wheel"
[gear_pairs.mesh.mesh]
kind = "elastic"
along = "= flank"
damping_ratio = 0.05
backlash = "= backlash"
stiffness = { kind = "fourier", period = "360 deg", mean = "= stiffness", cos = ["= 0.1 * stiffness"], over = "angle" }
[drives.motor]
joint = "shaft_a"
speed = "= speed"
[loads.load]
kind = "torque"
on = "shaft_b"
value = "= torque"
[[analyses]]
name = "rest"
kind = "statics"
[[analyses]]
STUDY
[figures]
deflection = { value = "= final('rest: mesh.deflection')", unit = "um" }
forces = { value = "= [final('rest: mesh.normal_force'), 2 * final('rest: mesh.normal_force')]" }
FIGURES
"""
SWEEP = """name = "study"
kind = "sweep"
figures = ["deflection"]
over = { torque = ["100 N*m", "200 N*m"], stiffness = { first = "1e8 N/m", last = "3e8 N/m", count = 3 } }
"""
BATCH = """name = "study"
kind = "batch"
over = { speed = { first = "2000 rpm", last = "6000 rpm", count = 5 }, torque = ["100 N*m", "200 N*m"] }
settle = 40
record = 8
reduce = ["mesh.transmission_error.peak_to_peak", "mesh.contact_loss", "mesh.normal_force.phase_1"]
poincare = ["mesh", 4]
"""
BOTH_WAYS = """name = "study"
kind = "batch_sweep"
swept = "speed"
values = { first = "3000 rpm", last = "6000 rpm", count = 4 }
settle = 30
record = 4
reduce = ["mesh.transmission_error.peak_to_peak"]
"""
BRANCH = """name = "study"
kind = "continuation"
over = "speed"
start = "8000 rpm"
end = "7000 rpm"
reduce = ["mesh.transmission_error.peak_to_peak"]
"""
OPTIMUM = """name = "study"
kind = "optimum"
over = { stiffness = ["1e8 N/m", "4e8 N/m"] }
cases = { torque = ["100 N*m", "200 N*m"] }
minimise = "deflection"
figures = ["deflection"]
evaluations = 30
"""


def text(study: str = SWEEP, figures: str = "") -> str:
    """The file with a study and further figures."""
    return PAIR.replace("STUDY", study).replace("FIGURES", figures)


def problems(study: str, figures: str = "") -> list[tuple[str, str]]:
    """(key, message) of all problems of the file."""
    return [(problem.key, problem.message) for problem in files.check(text(study, figures))]
