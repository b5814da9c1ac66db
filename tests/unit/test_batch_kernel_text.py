"""Text of the kernels of batches, their tables of phases, and messages about wrong input."""

import math
import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from references.lane_kernels import kernel_of
from references.lane_trains import pair, rich_pair

from pitchline.errors import ModelError
from pitchline.studies.batch.kernels import small_text as compiled_text
from pitchline.studies.batch.kernels.kernel_text import KernelText, LaneFrame, VectorFrame, width_for
from pitchline.studies.batch.kernels.lane_kernel import LaneKernel
from pitchline.studies.batch.kernels.phase_text import LARGEST, PhaseTable, launches
from pitchline.studies.batch.kernels.small_text import LaneSignal
from pitchline.studies.batch.lane_train import FourierSum, LanePhase, LaneTrain


def uniform(train: LaneTrain) -> LaneTrain:
    """The same train with one number for all lanes."""
    return replace(train, values={name: float(np.ravel(value)[0]) for name, value in train.values.items()})


# ---- text


def test_numbers_that_are_zero_are_left_out() -> None:
    """Without teeth, errors and ripple there is nothing to evaluate but the spring."""
    plain = KernelText(uniform(pair(ripple=0.0, damping=0.0)), cut=False)
    step = "\n".join(plain.step.text())
    assert "cos" not in step and "T[at" not in step and "damp" not in step
    assert "K0 = k0_0" in step
    varying = KernelText(pair(ripple=0.0, damping=0.0), cut=False)  # an array may become different from zero
    assert "damp0" in "\n".join(varying.step.text())


def test_loops_have_no_division_and_no_remainder() -> None:
    """They would take longer than all the rest on a GPU. (Steps that are cut have divisions, where they are needed.)"""
    text = "\n".join(KernelText(pair(), [LaneSignal("mesh", 0, "signed_force", (1,))], cut=False).step.text())
    assert "/" not in text and "%" not in text


def test_phases_with_the_same_order_and_teeth_are_evaluated_once() -> None:
    train = rich_pair()
    text = KernelText(train)
    # three phases of the mesh: two have the same order and teeth, and differ by an angle
    assert [group.order for group in text.force.phases.groups] == [2.0, 2.0 / 3.0]
    assert text.force.phases.groups[0].harmonics == 2 and text.force.phases.groups[0].fraction


def test_an_angle_of_a_phase_turns_the_coefficients() -> None:
    """A Fourier sum of a phase that is ahead of that of its group."""
    train = pair(omega=np.array([1.0]))
    mesh, ahead = train.meshes[0], 0.3
    phases = (*mesh.phases, replace(mesh.phases[0], angle="ahead"))
    other = replace(mesh, phases=phases, errors=(FourierSum(1, "0", (), ("x",)),))
    values = {**train.values, "ahead": ahead, "x": np.array([0.1])}
    numbers = KernelText(replace(train, meshes=(other,), values=values)).force.numbers
    # x sin(φ + ahead)
    assert numbers.varying["x0_0_c1"] == pytest.approx([0.1 * math.sin(ahead)])
    assert numbers.varying["x0_0_s1"] == pytest.approx([0.1 * math.cos(ahead)])


def test_both_frames_have_the_text_of_the_same_step() -> None:
    text = KernelText(rich_pair(), [LaneSignal("rotor", 1, "speed")])
    step = [line.strip() for line in text.step.text()]
    for source in (VectorFrame(text, 16).text(), LaneFrame(text, looped=False).text()):
        lines = [line.strip() for line in source.splitlines()]
        assert "\n".join(step) in "\n".join(lines)
        compile(source, "kernel", "exec")
    compile(LaneFrame(text, looped=True).cuda_text(), "kernel", "exec")


def test_the_text_is_compiled_once_and_loaded_by_others() -> None:
    """Another process generates the same text and finds the code, here simulated by forgetting the function."""
    first = kernel_of(pair(omega=np.array([1.0, 1.1])))
    second = kernel_of(pair(omega=np.array([0.5, 0.6, 0.7])))
    assert first.source == second.source
    assert compiled_text.compiled(first.source) is compiled_text.compiled(second.source)
    first.compile()
    compiled_text._known.clear()
    loaded = compiled_text.compiled(first.source)
    compiled_text.load(loaded)
    assert sum(loaded.stats.cache_hits.values()) == 1 and not loaded.stats.cache_misses


def test_loops_over_lanes_become_vectors() -> None:
    """Multiplications with additions on full vectors. Nothing but the speed would show that they are missing."""
    train = uniform(pair(ripple=0.0))
    kernel = LaneKernel(replace(train, values={**train.values, "omega": np.ones(4)}), losses=False, cut=False)
    function = compiled_text._defined(kernel.source, "vectors")
    function._cache.disable()  # code that is loaded has no text
    compiled_text.load(function)
    (assembler,) = function.inspect_asm().values()
    if "xmm" not in assembler:
        pytest.skip("not a processor with vectors of x86")
    wide = len(re.findall(r"\bv?(?:fn?m\w+|mul|add)pd\b.*%[xyz]mm", assembler))
    single = len(re.findall(r"\bv?(?:fn?m\w+|mul|add)sd\b.*%xmm", assembler))
    assert wide > 5 * single


def test_width_of_blocks() -> None:
    assert [width_for(lanes) for lanes in (1, 16, 29, 128, 129, 10**6)] == [16, 16, 16, 16, 64, 64]


# ---- tables of the phases


def tabled(order: float, steps: int = 10) -> tuple[KernelText, PhaseTable]:
    text = KernelText(pair(order=order))
    return text, PhaseTable(text.force.phases, steps)


@pytest.mark.parametrize("order, period", [(1.0, 1), (24.0, 1), (2.0 / 3.0, 3), (17.0 / 29.0, 29), (-1.5, 2), (0.0, 1)])
def test_tables_repeat_after_whole_cycles(order: float, period: int) -> None:
    text, table = tabled(order)
    assert table.period == period
    numbers, start, end = table.of(10**9 + 7, 5)
    half = np.arange(21)
    turns = [float(Fraction(order).limit_denominator(1000) * (10**9 + 7 + Fraction(int(j), 20)) % 1) for j in half]
    rows = numbers.reshape(-1, table.width)[start // table.width :][:21]
    assert rows[:, 0] == pytest.approx(np.cos(2 * np.pi * np.array(turns)), abs=1e-14)
    assert rows[:, 1] == pytest.approx(np.sin(2 * np.pi * np.array(turns)), abs=1e-14)
    assert end == 2 * 10 * period * table.width
    assert text.table_width == table.width


def test_phases_that_do_not_repeat_have_tables_of_the_launch() -> None:
    order = math.sqrt(0.5)
    _, table = tabled(order, steps=1000)
    assert table.period == 0 and 0 < table.most <= LARGEST // 2000
    plan = launches(table, settle=1000, record=10, steps=1000, points=3, first_cycle=5, most=10**6)
    assert sum(one.whole[0] for one in plan) == 1010 and max(one.whole[0] for one in plan) == table.most
    for one in plan:
        first = one.whole[3]
        assert one.table[0] == pytest.approx(math.cos(2 * math.pi * (order * first % 1)), abs=1e-9)
    assert [one.whole[2] for one in plan][-1] == 1
    # the last three of 1010 cycles
    assert all(one.whole[3] - 5 + one.whole[6] == 1007 for one in plan)


# ---- messages


def run(kernel: LaneKernel, **changes: int) -> None:
    kernel.run(np.zeros((4, kernel.lanes)), **{"settle": 1, "record": 1, "steps": 20, **changes})


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"settle": -1}, "settle and record must not be negative"),
        ({"steps": 0}, "steps must be positive"),
        ({"points": 3}, "3 points were requested, but there are 2 cycles"),
        ({"steps": 4}, "order 2 needs more than 4 steps in a cycle, got 4; increase steps"),
    ],
)
def test_counts_of_a_run(changes: dict[str, int], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        run(kernel_of(pair()), **changes)


def test_states_of_another_shape() -> None:
    with pytest.raises(ModelError, match=r'batch "pair": expected states of shape \(4, 2\), got \(4, 3\)'):
        kernel_of(pair(omega=np.ones(2))).run(np.zeros((4, 3)), settle=1, record=0, steps=10)


def test_numbers_of_different_counts() -> None:
    train = pair()
    with pytest.raises(ModelError, match=r"one for each lane, got arrays of \[2, 3\] numbers"):
        LaneKernel(replace(train, values={**uniform(train).values, "omega": np.ones(2), "b": np.ones(3)}))
    with pytest.raises(ModelError, match="expected one number for each of 5 lanes, got 1"):
        LaneKernel(train, lanes=5)


@pytest.mark.parametrize(
    "changes, message",
    [
        (
            {"omega": np.array([1.0, 0.0, -1.0])},
            'batch "pair": the speed of the base cycle must be positive, got 0 in lane 1',
        ),
        ({"J": -2.0}, 'rotor "wheel_a": the moment of inertia must be positive, got -2'),
    ],
)
def test_numbers_that_must_be_positive(changes: dict[str, float], message: str) -> None:
    train = pair(omega=np.ones(3))
    with pytest.raises(ModelError, match=message):
        LaneKernel(replace(train, values={**train.values, **changes}))


@pytest.mark.parametrize(
    "options, message",
    [({"device": "gpu"}, 'unknown device "gpu"'), ({"threads": 0}, "threads must be at least 1, got 0")],
)
def test_options_of_a_kernel(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        LaneKernel(pair(), **options)


def test_a_train_without_a_free_part() -> None:
    train = pair()
    rotors = tuple(replace(rotor, held=True) for rotor in train.rotors)
    with pytest.raises(ModelError, match="the motion of every part is prescribed"):
        LaneKernel(replace(train, rotors=rotors))


def test_a_number_without_a_value() -> None:
    train = pair()
    values = {name: value for name, value in train.values.items() if name != "b"}
    with pytest.raises(ModelError, match='has no number "b"'):
        LaneKernel(replace(train, values=values))


def test_teeth_without_stiffness() -> None:
    train = pair()
    soft = replace(train.meshes[0], stiffness=(), compliance="0")
    with pytest.raises(ModelError, match='mesh "mesh": the stiffness must be positive and finite'):
        LaneKernel(replace(train, meshes=(soft,)))


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("mesh", 0, "signed_forces"), 'unknown name "signed_forces".*signed_force'),
        (("rotor", 0, "torque"), 'signal of a rotor of a batch: unknown name "torque"'),
        (("wheel", 0, "speed"), 'kind must be "mesh" or "rotor", got "wheel"'),
        (("mesh", 0, "contact", (0,)), "orders must be whole numbers from 1"),
    ],
)
def test_signals_that_do_not_exist(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        LaneSignal(*arguments)  # type: ignore[arg-type]


def test_values_can_be_changed() -> None:
    kernel = kernel_of(pair(omega=np.ones(3)))
    other = kernel.with_values({"b": np.zeros(3)})
    assert other.source == kernel.source and other.lanes == 3
    assert (other.train.values["b"] == 0.0).all()


def test_a_held_rotor_has_no_state() -> None:
    train = pair()
    held = replace(train, rotors=(replace(train.rotors[0], held=True), train.rotors[1]))
    text = KernelText(held, [LaneSignal("rotor", 0, "angle")], [("rotor", 0)])
    assert text.state == ["q1", "v1"]
    assert not text.force.phases.moved  # its teeth are those of the held rotor
    assert text.signals.poincare_text() == ["0.0", "0.0"]
    assert isinstance(held.meshes[0].phases[0], LanePhase)
