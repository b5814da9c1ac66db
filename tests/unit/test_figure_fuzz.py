"""Random expressions of figures: whatever has a value was allowed before the run, with the same dimension and shape."""

import random

import pytest

from pitchline import files
from pitchline.files.amounts import AmountError
from pitchline.files.figure_functions import FUNCTIONS
from pitchline.files.figure_numbers import Numbers
from pitchline.files.figure_scope import FigureScope, FileParts, figure_value

ROTOR = """
name = "rotor"
[parameters]
torque = "20 N*m"
ratio = 1.5
[gears.pinion]
teeth = 20
normal_module = "2 mm"
face_width = "20 mm"
[bodies.disk]
gear = "pinion"
[joints.hinge]
kind = "revolute"
a = "ground"
b = "disk"
[drives.motor]
joint = "hinge"
speed = "100 rad/s"
[loads.coil]
kind = "torsion_spring"
joint = "hinge"
stiffness = 10
[[analyses]]
name = "turn"
kind = "kinematics"
duration = "0.1 s"
step = "10 ms"
[[analyses]]
name = "lines"
kind = "spectrum"
signal = "hinge.angle"
"""
ATOMS = [
    "1", "2.5", "0", "-3", "torque", "ratio", "pi", "'5 mm'", "[1, 2, 3]", "[torque, torque]", "[[1, 2], [3, 4]]",
    "gears.pinion.teeth", "gears.pinion.base_diameter", "bodies.disk.inertia", "analyses.lines.amplitude",
    "analyses.lines.frequency", "'turn: hinge.angle'", "'turn: disk.position'", "'motor.torque'", "'2 s'",
]  # fmt: skip
EXPONENT = "known before the run"


@pytest.fixture(scope="module")
def file() -> files.ModelFile:
    return files.read(ROTOR)


def expression(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(ATOMS)
    kind = rng.random()
    if kind < 0.4:
        sign = rng.choice(["+", "-", "*", "/", "**", "%", "<", "=="])
        return f"({expression(rng, depth - 1)} {sign} {expression(rng, depth - 1)})"
    if kind < 0.9:
        name = rng.choice(list(FUNCTIONS))
        count = rng.randint(FUNCTIONS[name].fewest, min(FUNCTIONS[name].most, 3))
        return f"{name}({', '.join(expression(rng, depth - 1) for _ in range(count))})"
    if kind < 0.95:
        return f"{expression(rng, depth - 1)}[{rng.randint(-2, 3)}]"
    return f"[{', '.join(expression(rng, depth - 1) for _ in range(rng.randint(1, 3)))}]"


def outcome(text: str, parts: FileParts, run: dict[str, object] | None) -> Numbers | str:
    try:
        return figure_value(text, FigureScope(parts, {}, "turn", run=run))
    except AmountError as error:
        return str(error)


def test_what_has_a_value_was_allowed_before_the_run(file: files.ModelFile) -> None:
    rng, parts, run = random.Random(16), file.parts(), file.run()
    values = 0
    for _ in range(3000):
        text = f"= {expression(rng, rng.randint(1, 4))}"
        before, after = outcome(text, parts, None), outcome(text, parts, run)
        assert "cannot be computed" not in (f"{before}", f"{after}"), text
        if isinstance(after, str):
            continue
        values += 1
        if isinstance(before, str):
            assert EXPONENT in before, text
            continue
        assert before.powers == after.powers, text
        assert not before.shaped or before.values.shape == after.values.shape, text
    assert values > 500
