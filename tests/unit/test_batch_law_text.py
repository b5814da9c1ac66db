"""Laws of meshes in the text of the kernels of batches, evaluated in Python: all variants, without a compilation."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from references.lane_equations import Lane
from references.lane_kernels import interpreted, starts
from references.lane_trains import cubics, loaded_tables, pair, rich_pair

from pitchline.studies.batch.kernels import kernel_text as cut_text
from pitchline.studies.batch.kernels.force_text import ForceText
from pitchline.studies.batch.kernels.lane_kernel import LOOPED, LaneKernel
from pitchline.studies.batch.kernels.phase_text import PhaseTable
from pitchline.studies.batch.kernels.small_text import ESTIMATE, KEEP, ROOT, indented
from pitchline.studies.batch.lane_train import (
    ALWAYS,
    LIMITED,
    NEVER_PULLING,
    OF_APPROACH,
    LaneTable,
    LaneTrain,
)

LOADED: dict[str, Any] = {"loaded": loaded_tables(), "stiffness": (), "compliance": ""}
TABLE = LaneTable(0, cubics(np.array([1.0, 1.2, 1.1, 0.9, 0.8])), "k")
MESHES: dict[str, dict[str, Any]] = {
    "in contact": {},
    "always": {"damping_mode": ALWAYS},
    "never pulling": {"damping_mode": NEVER_PULLING},
    "limited": {"damping_mode": LIMITED},
    "of the approach": {"damping_mode": NEVER_PULLING, "damping_rate": OF_APPROACH},
    "strong damper": {"damping_mode": NEVER_PULLING, "damping": "kc"},
    "not consistent": {"consistent": False},
    "constant stiffness": {"stiffness": ()},
    "one varying spring": {"stiffness": rich_pair().meshes[0].stiffness[:1], "compliance": ""},
    "one spring by a table": {"stiffness": (TABLE,), "compliance": ""},
    "no errors": {"errors": (), "error": ""},
    "without backlash": {"backlash": "0"},
    "without backlash, never pulling": {"backlash": "0", "damping_mode": NEVER_PULLING},
    "both flanks in contact": {"backlash": "x_less"},
    "both flanks in contact, never pulling": {"backlash": "x_less", "damping_mode": NEVER_PULLING},
    "rounded": {"smoothing": "smooth"},
    "rounded, never pulling": {"smoothing": "smooth", "damping_mode": NEVER_PULLING},
    "rounded, limited": {"smoothing": "smooth", "damping_mode": LIMITED},
    "rounded, without backlash": {"smoothing": "smooth", "backlash": "0"},
    "loaded": LOADED,
    "loaded, always": {**LOADED, "damping_mode": ALWAYS},
    "loaded, never pulling": {**LOADED, "damping_mode": NEVER_PULLING},
    "loaded, limited": {**LOADED, "damping_mode": LIMITED},
    "loaded, of the approach": {**LOADED, "damping_mode": NEVER_PULLING, "damping_rate": OF_APPROACH},
    "loaded, strong damper": {**LOADED, "damping_mode": NEVER_PULLING, "damping": "kc"},
    "loaded, without backlash": {**LOADED, "backlash": "0"},
    "loaded, not consistent": {**LOADED, "consistent": False},
    "loaded, at another angle": {**LOADED, "loaded": loaded_tables(2)},
}


def rich(**changes: Any) -> LaneTrain:
    train = rich_pair(np.array([0.8]), **changes)
    return replace(train, values={**train.values, "x_less": -0.1})


def evaluated(
    train: LaneTrain, theta: float, state: np.ndarray, *, frozen: bool, variant: str = "near"
) -> dict[str, Any]:
    """Variables after a stage at θ, from the text."""
    force = ForceText(train, variant=variant)
    ahead = {"ahead": "ahead", "exact": True} if frozen else {}
    lines = force.stage_text(frozen=frozen, **ahead)  # type: ignore[arg-type]
    begin, free = force.phases.reference_text(), train.free
    steps = 100
    table, start, _ = PhaseTable(force.phases, steps).of(0, 3)
    half = math.floor(theta / math.pi * steps)
    numbers = {**force.numbers.uniform, **{name: float(row[0]) for name, row in force.numbers.varying.items()}}
    space: dict[str, Any] = {"math": math, "np": np, "T": table, "G": force.tables.vector(), "far": 0.0, "time": 0.0}
    space |= {
        "at": start + half * max(len(force.phases.columns), 1),
        "fresh": True,
        "ahead": theta - half * math.pi / steps,
    }
    space |= {f"renew{mesh.k}": True for mesh in force.meshes} | {"omega_now": float(force.numbers.of("omega")[0])}
    for n, i in enumerate(free):
        before = 0.3 * state[n]  # at the start of the cycle
        space |= {f"q{i}": before, f"y{i}": state[n], f"u{i}": state[len(free) + n]}
    exec("\n".join([*begin, *lines]), space | numbers, space)
    return space


@pytest.mark.parametrize("name", MESHES)
def test_accelerations(name: str) -> None:
    """At random states, of which some are on each flank and in the backlash: as the plain equations."""
    train = rich(**MESHES[name])
    lane, random = Lane(train), np.random.default_rng(5)
    seen = set()
    for _ in range(14):
        theta = math.pi / 100 * int(random.integers(0, 600))
        state = np.concatenate([random.normal(0.0, 0.25, 3), random.normal(0.0, 0.5, 3)])
        expected = lane.rates(lane.time(theta), state)[3:]
        found = evaluated(train, theta, state, frozen=False)
        assert [found[f"a{i}"] for i in train.free] == pytest.approx(expected, rel=1e-9, abs=1e-10)
        seen.add(np.sign(found["g0"]))
        # with frozen sides, which are those of the state, and between the columns of the table
        theta += random.uniform(0.0, math.pi / 100)
        expected = lane.rates(lane.time(theta), state)[3:]
        found = evaluated(train, theta, state, frozen=True)
        assert [found[f"a{i}"] for i in train.free] == pytest.approx(expected, rel=1e-9, abs=1e-10)
    assert {-1.0, 1.0} <= seen


def test_accelerations_from_sine_and_cosine() -> None:
    """The reference for phases."""
    train, state = rich(), np.array([0.2, 0.1, -0.2, 0.3, 0.1, 0.2])
    for theta in (0.0, 0.7 * math.pi, 5.0 * math.pi):
        found = evaluated(train, theta, state, frozen=False, variant="state")
        expected = Lane(train).rates(Lane(train).time(theta), state)[3:]
        assert [found[f"a{i}"] for i in train.free] == pytest.approx(expected, rel=1e-9, abs=1e-10)


@pytest.mark.parametrize("name", ["in contact", "never pulling", "limited", "both flanks in contact", "loaded"])
def test_frozen_sides_continue_smoothly(name: str) -> None:
    """The law of a side does not change where the side would."""
    train = rich(**MESHES[name])
    force = ForceText(train)
    text = "\n".join(force.stage_text(frozen=True, ahead="ahead", exact=True))
    assert "max(s0" not in text and "min(s0" not in text
    assert all(side in text for side in ("drive0", "coast0"))


def test_too_many_changes_of_side_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of the step is a plain one; more steps have fewer changes in each."""
    train = pair(omega=np.array([0.6]), backlash=0.02, ripple=0.0, load=0.0, damping=0.0)
    start = starts(train, 1)
    plenty = interpreted(LaneKernel(train, device=LOOPED), start, cycles=1, steps=60)
    assert plenty["missed_"][0] == 0.0
    monkeypatch.setattr(cut_text, "MOST", 1)  # a passage through the backlash has two
    few = interpreted(LaneKernel(train, device=LOOPED), start, cycles=1, steps=60)
    assert few["missed_"][0] > 0.0
    assert few["states"] == pytest.approx(plenty["states"], abs=1e-2)
    fine = interpreted(LaneKernel(train, device=LOOPED), start, cycles=1, steps=1200)
    assert fine["missed_"][0] == 0.0 and fine["states"] == pytest.approx(plenty["states"], abs=1e-4)


def test_a_short_contact_between_two_stages_is_found() -> None:
    """Teeth fly to the flank, touch it for a quarter of a step, and fly back; no stage of the step is in contact."""
    depth, load, top = 1e-4, 0.1, 0.707
    train = pair(omega=np.array([1.0]), backlash=4.0, ripple=0.0, load=-load, damping=0.0)
    start = np.zeros((4, 1))
    start[:2], start[2:] = 0.5 * (depth - 0.5 * load * top**2), 0.5 * load * top
    kernels = [LaneKernel(train, device=LOOPED, cut=cut) for cut in (True, False)]
    cut, plain = (interpreted(kernel, start, cycles=1, steps=20) for kernel in kernels)
    fine = interpreted(kernels[1], start, cycles=1, steps=2000)
    assert plain["lost0_"][0] == 20.0  # it is missed
    assert abs(plain["states"][0, 0] - fine["states"][0, 0]) > 1e-5
    assert cut["states"] == pytest.approx(fine["states"], abs=1e-7)
    touching = 2.0 * math.sqrt(2.0 * depth / load) / (2.0 * math.pi / 20.0)  # steps
    assert cut["lost0_"][0] == pytest.approx(20.0 - touching, abs=5e-3)


def test_zeros_of_cubics() -> None:
    """First change of sign, also after a zero at the start, and of cubics that touch zero."""
    text = "\n".join([*ESTIMATE, "soonest = x", *KEEP, "if x < 2.0:", *indented(ROOT, 1)])
    code, random = compile(text, "<cubic>", "exec"), np.random.default_rng(2)

    def found(left: float, right: float, rise: float, fall: float) -> float:
        given = {"left": left, "right": right, "rise": rise, "fall": fall, "bend": 0.0, "twist": 0.0, "high": 0.0}
        space: dict[str, Any] = {"math": math, **{name: np.float64(value) for name, value in given.items()}}
        with np.errstate(all="ignore"):
            exec(code, space)
        return float(space["soonest"])

    none = 0
    for n in range(400):
        left = abs(random.normal()) if n % 3 else 0.0
        right, rise, fall = random.normal(size=3)
        bend, twist = 3.0 * (right - left) - 2.0 * rise - fall, rise + fall - 2.0 * (right - left)
        x = np.linspace(0.0, 1.0, 4001)[1:]
        p = left + x * (rise + x * (bend + x * twist))
        inside = p < -1e-12
        answer = found(left, right, rise, fall)
        if not inside.any() or (
            right > 0.0 and not (rise < 0.0 < fall)
        ):  # a return after an increase is not looked for
            none += 1
            assert answer == 2.0 or right < 0.0 or inside.any()
            continue
        assert abs(answer - x[np.argmax(inside)]) < 1.0 / 3900.0, (left, right, rise, fall)
    assert none < 300
    assert found(0.0, -1.0, 0.0, -3.0) == 0.0
    assert found(0.01, 0.01, -0.04 + 1e-13, 0.04 - 1e-13) == 2.0
