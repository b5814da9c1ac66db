"""A model file that tests share: two spur wheels with elastic teeth, settled and run for a few milliseconds."""

PAIR = """\
name = "pair"
description = "two spur wheels with elastic teeth"

[parameters]
teeth = 20
module = "2 mm"
load = "20 N*m"

[gears.pinion]
teeth = "= teeth"
normal_module = "= module"
face_width = "20 mm"

[gears.wheel]
teeth = 30
normal_module = "= module"
face_width = "20 mm"

[bodies.a]
gear = "pinion"
position = [0, 0, 0]
axis = "z"

[bodies.b]
gear = "wheel"
mesh_with = "a"
towards = "x"

[joints.hinge_a]
kind = "revolute"
a = "ground"
b = "a"

[joints.hinge_b]
kind = "revolute"
a = "ground"
b = "b"

[gear_pairs.mesh]
a = "a"
b = "b"
mesh = { kind = "elastic", stiffness = "2e8 N/m", damping_ratio = 0.05 }

[drives.motor]
joint = "hinge_a"
speed = "1200 rpm"

[loads.load]
kind = "torque"
on = "hinge_b"
value = "= load"

[[analyses]]
name = "settle"
kind = "statics"

[[analyses]]
name = "run"
kind = "dynamics"
start = "settle"
duration = "5 ms"
output_step = "0.1 ms"

[figures]
"mesh.force.mean" = { signal = "mesh.normal_force", of = "mean", analysis = "run" }
"settled.force" = { signal = "mesh.normal_force", of = "final", analysis = "settle" }

[plot]
signals = ["mesh.normal_force"]
"""
