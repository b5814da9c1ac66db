"""Branches of periodic motions: input, messages, reasons to end, results, pictures."""

import math

import numpy as np
import pytest
from references.backlash_flow import BacklashFlow
from references.branch_models import backlash_pair, duffing
from references.map_flow import MapFlow, logistic, neimark_sacker

import pitchline as pl
from pitchline.studies.continuation.continuation_result import ContinuationStudy
from pitchline.studies.continuation.flow import FlowFailed


@pytest.fixture(scope="module")
def branch():
    return pl.continuation(logistic(), over="r", start=2.5, end=3.6)


def pair_branch(**options):
    return pl.continuation(backlash_pair, **{"over": "w", "start": 1.4, "end": 1.3, **options})


# ---- input


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"over": "speed"}, 'has no parameter "speed"; known: "w"'),
        ({"over": 3}, "over must be the name of a parameter"),
        ({"end": 1.4}, "start and end of w are both 1.4"),
        ({"start": "1.4 kg", "end": "1 m"}, "w"),
        ({"start": math.nan}, "nan is not finite"),
        ({"start": None}, "w"),
        ({"cycles": 0}, "cycles must be a whole number of 1 or more, got 0"),
        ({"cycles": 1.5}, "cycles must be a whole number"),
        ({"settle": -1}, "settle must be a whole number of 0 or more"),
        ({"max_points": 1}, "max_points must be a whole number of 2 or more"),
        ({"max_step": 0}, "max_step is a fraction of the range, greater than 0 and at most 1, got 0"),
        ({"max_step": 2.0}, "max_step is a fraction"),
        ({"steps": 3}, "steps must be a whole number of 8 or more"),
        ({"flow": "gpu"}, 'flow must be "auto", "batch" or "engine"'),
        ({"limits": (1.0,)}, "limits must be two values"),
        ({"limits": (0.5, 1.0)}, "the branch starts at 1.4, which is not between its limits 0.5 and 1"),
        ({"reduce": []}, "reduce is empty"),
        ({"reduce": ["mesh.force.max"]}, 'no signal "mesh.force"'),
        ({"reduce": ["mesh.normal_force.largest"]}, '"largest" is not a reduction'),
        ({"reduce": [3]}, "reduce must be names"),
        ({"state": [1.0]}, "state must have 2 finite numbers"),
        ({"state": [1.0, math.nan]}, "state must have 2 finite numbers"),
        ({"state": "zero"}, "state must have 2 finite numbers"),
        ({"period": "stage"}, 'is neither a time such as "20 ms" nor a gear pair nor "revolution"'),
        ({"shaft": "axle"}, 'has no joint "axle"'),
        ({"period": 0.0}, "the period must be positive"),
        ({"period": lambda w: "soon"}, "period"),
        ({"flow": "batch", "period": "20 ms"}, "a batch has the mesh cycle"),
        ({"flow": "batch", "shaft": "shaft"}, "a batch has the mesh cycle"),
    ],
)  # fmt: skip
def test_wrong_input(options, text):
    with pytest.raises(pl.PitchlineError, match=text):
        pair_branch(**options)


def test_misspelt_argument():
    with pytest.raises(pl.ModelError, match="max_step"):
        pair_branch(maxstep=0.1)


def test_a_model_has_no_parameters():
    with pytest.raises(pl.ModelError, match="a study varies parameters"):
        pl.continuation(backlash_pair(), over="w", start=1.4, end=1.0)


def test_flow_of_the_user_needs_numbers():
    with pytest.raises(pl.ModelError, match="start and end must be different numbers"):
        pl.continuation(logistic(), over="r", start="2.5", end=3.0)
    with pytest.raises(pl.ModelError, match="start and end must be different numbers"):
        pl.continuation(logistic(), over="r", start=3, end=3)


def test_speed_zero_in_the_range():
    with pytest.raises(pl.ModelError, match=r"do not rotate|is at rest|direction of rotation"):
        pair_branch(end=-1.4, flow="batch")


def test_a_range_that_ends_at_rest_is_refused_before_the_first_motion(monkeypatch):
    monkeypatch.setattr(ContinuationStudy, "first_branch", lambda *_: pytest.fail("it was computed"))
    with pytest.raises(pl.ModelError, match=r"at rest at a parameter of 0.*Limit the range to speeds other than zero"):
        pair_branch(end=0.0)


# ---- models that are refused


def test_sticking_friction_is_refused():
    with pytest.raises(pl.ModelError, match="its friction sticks and slips"):
        pl.continuation("stick-slip", over="speed", start=0.1, end=0.2, period="1 s")


def test_impacts_are_refused():
    with pytest.raises(pl.ModelError, match="rigid teeth"):
        pl.continuation(_rigid, over="w", start=1.4, end=1.3)


def _rigid(w=1.4):
    m = pl.Model("rigid pair")
    gear = pl.Gear(teeth=20, normal_module=0.1)
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z", mass=1.0, inertia=(1.0,) * 3)
    b = m.gear_body("b", gear, mesh_with=a, mass=1.0, inertia=(1.0,) * 3)
    shaft, output = m.revolute("shaft", m.ground, a), m.revolute("output", m.ground, b)
    m.drive("motor", shaft, speed=w / 20)
    m.torsion_spring("spring", output, stiffness=1.0)
    m.torque("load", output, 0.1)
    m.gear_pair("mesh", a, b, mesh=pl.Rigid(backlash="1 mm"))
    return m


def test_a_delay_is_refused():
    def delayed(w=1.0):
        m = duffing(w)
        m.add(pl.Delay("late", input=pl.expression("slide.displacement"), time="0.1 s"))
        return m

    with pytest.raises(pl.ModelError, match='"late" is not supported: it has internal values'):
        pl.continuation(delayed, over="w", start=1.0, end=1.2)


def test_a_model_that_does_not_repeat_is_refused():
    """A load with another period than the mesh cycle."""

    def shaken(w=1.4):
        m = backlash_pair(w)
        m.torque("shake", m.joints["output"], pl.Harmonic(0.01, 1.0))
        return m

    with pytest.raises(
        pl.ModelError, match=r'does not repeat after a mesh cycle of "mesh".*body "b" then has another acceleration'
    ):
        pl.continuation(shaken, over="w", start=1.4, end=1.3)


def test_no_period():
    def still(w=1.0):
        m = duffing(w)
        return m.replaced(without="push")

    with pytest.raises(pl.ModelError, match="no drive that rotates and no load with a period"):
        pl.continuation(still, over="w", start=1.0, end=1.2)


def test_loads_with_two_periods():
    def twice(w=1.0):
        m = duffing(w)
        m.force("other", m.joints["slide"], pl.Harmonic(0.1, 0.37 * w))
        return m

    with pytest.raises(pl.ModelError, match="is not a whole part of"):
        pl.continuation(twice, over="w", start=1.0, end=1.2)


def test_ramp_without_end_is_refused_by_lanes():
    def ramp(w=1.4):
        m = backlash_pair(w)
        return m.replaced(
            m.drives["motor"].__class__("motor", "shaft", "angle", pl.Polynomial([w / 20, 0.01]), "speed")
        )

    with pytest.raises(pl.ModelError, match=r"ramp without end|varies with time"):
        pl.continuation(ramp, over="w", start=1.4, end=1.3)


# ---- reasons to end


def test_most_points(branch):
    found = pl.continuation(logistic(), over="r", start=2.5, end=3.6, max_points=7)
    assert len(found) == 7 and not found.complete
    assert "7 points were computed. Specify more with max_points" in found.ended


def test_failure_keeps_the_branch():
    """Beyond p = 0.5 the motion cannot be computed."""

    def step(y, p):
        if p > 0.5:
            raise FlowFailed("the tooth is broken")
        return 0.5 * y + p, np.array([[0.5]]), np.ones(1)

    found = pl.continuation(MapFlow(step, [0.0]), over="p", start=0.0, end=1.0)
    assert not found.complete and 0.45 < found.parameter[-1] <= 0.5
    assert "steps became too small" in found.ended and "the tooth is broken" in found.ended
    np.testing.assert_allclose(found.states[:, 0], 2 * found.parameter, atol=1e-9)


def test_no_first_motion():
    """x -> x + 1 never repeats."""

    def step(y, p):
        return y + 1.0 + p, np.eye(1), np.ones(1)

    with pytest.raises(
        pl.SolveError, match=r"no periodic motion of 2 cycles was found at 0.*Settle longer \(settle=\)"
    ):
        pl.continuation(MapFlow(step, [0.0]), over="p", start=0.0, end=1.0, cycles=2, settle=3)


def test_first_motion_that_grows():
    def step(y, p):
        return 4.0 * y + 1.0, 4.0 * np.eye(1), np.zeros(1)

    with pytest.raises(pl.SolveError, match="the motion grows without limit"):
        pl.continuation(MapFlow(step, [1.0]), over="p", start=0.0, end=1.0)


def test_interrupt_keeps_the_branch():
    flow = logistic()
    calls, shoot = [], flow.shoot

    def interrupted(*given):
        calls.append(given)
        if len(calls) > 40:
            raise KeyboardInterrupt
        return shoot(*given)

    flow.shoot = interrupted
    found = pl.continuation(flow, over="r", start=2.5, end=3.6, max_step=0.01)
    assert found.ended.startswith("interrupted at") and 2 < len(found) < 40


def test_shorter_period_is_noted():
    found = pl.continuation(logistic(), over="r", start=2.5, end=2.9, cycles=2)
    assert "repeats after 1 cycle, not only after 2" in found.warnings[0]
    single = pl.continuation(logistic(), over="r", start=2.5, end=2.9)
    assert found.multipliers[0, 0] == pytest.approx(single.multipliers[0, 0] ** 2)


# ---- results


def test_values(branch):
    assert len(branch) == len(branch["r"]) == len(branch["size"]) == len(branch["y0"])
    assert "size" in branch and "speed" not in branch
    with pytest.raises(pl.PitchlineError, match='the branch has no value "sise"'):
        branch["sise"]
    assert "1 period doubling" in repr(branch) and "r 2.5 .. 3.6" in repr(branch)
    assert "period doubling at 3" in repr(branch.doublings[0])
    assert list(branch.parameter[branch.at(3.3)]) == pytest.approx([3.3], abs=0.05)
    assert branch.at(5.0).size == 0


def test_motion(branch):
    motion = branch.motion(branch.doublings[0])
    assert motion["y0"] == pytest.approx([2 / 3, 2 / 3])
    assert branch.motion(-1).parameter == 3.6
    for wrong in (1000, 1.5, "first", True):
        with pytest.raises(pl.ModelError, match="motion: expected the index"):
            branch.motion(wrong)


def test_switch_errors(branch):
    (doubling,) = branch.doublings
    with pytest.raises(pl.ModelError, match="a motion of 2 cycles branches off, got cycles=3"):
        branch.switch(doubling, cycles=3)
    with pytest.raises(pl.ModelError, match="switch: expected one of the doublings or intersections"):
        branch.switch(0)
    with pytest.raises(pl.ModelError, match="side must be 1 or -1"):
        branch.switch(doubling, side=0)
    with pytest.raises(pl.ModelError, match="not between its limits"):
        branch.switch(doubling, limits=(3.2, 3.4))
    torus = pl.continuation(neimark_sacker(), over="p", start=-0.2, end=0.2)
    with pytest.raises(pl.ModelError, match="no branch of periodic motions branches off at a torus"):
        torus.switch(torus.tori[0])
    short = branch.switch(doubling, limits=(2.9, 3.1), max_step=0.02, max_points=50)
    assert short.parameter.max() == 3.1


def test_files_and_other_libraries(branch, tmp_path):
    path = branch.save(tmp_path / "branch.h5")
    again = pl.load(path)
    np.testing.assert_array_equal(again["size"], branch["size"])
    np.testing.assert_array_equal(again["stable"], branch.stable)
    assert again.facts["special"][0]["kind"] == "period doubling"
    assert again.facts["ended"] == branch.ended
    with pytest.raises(pl.PitchlineError, match="exists"):
        branch.save(path)
    table = branch.to_pandas() if _has("pandas") else None
    assert table is None or len(table) == len(branch)
    if _has("xarray"):
        data = branch.to_xarray()
        assert data["multipliers_real"].dims == ("point", "multiplier")


def _has(name):
    from importlib.util import find_spec

    return find_spec(name) is not None


def test_a_branch_without_its_model(branch):
    from dataclasses import replace

    alone = replace(branch, study=None)
    for call in (lambda: alone.motion(0), lambda: alone.switch(branch.doublings[0]), lambda: alone.at(3.0)):
        with pytest.raises(pl.PitchlineError, match="needs the model"):
            call()


# ---- pictures


def test_picture(tmp_path):
    branch = pl.continuation(BacklashFlow(), over="w", start=2.4, end=0.6)
    two = branch.switch(branch.doublings[0], max_points=60)
    path = tmp_path / "branch.png"
    figure = branch.plot("x.peak_to_peak", "contact_loss", branches=[two], path=path)
    assert path.stat().st_size > 10_000 and len(figure.axes) == 2
    texts = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert texts == ["1 cycle", "2 cycles", "unstable", "fold", "period doubling"]
    assert figure.axes[1].get_xlabel() == "w"
    solid = [line for line in figure.axes[0].lines if line.get_linestyle() == "-" and len(line.get_xdata()) > 1]
    dashed = [line for line in figure.axes[0].lines if line.get_linestyle() == "--" and len(line.get_xdata()) > 1]
    down, up = branch.folds
    unstable = [line for line in dashed if min(line.get_xdata()) == down.parameter]
    assert len(unstable) == 1 and max(unstable[0].get_xdata()) == up.parameter
    assert any(min(line.get_xdata()) == 0.6 for line in solid)


def test_picture_with_a_sweep(tmp_path):
    branch = pair_branch(end=1.2, reduce="mesh.contact_loss")
    points = pl.grid(w=pl.linspace(1.2, 1.4, 5))
    sweep = pl.StudyResult("pair", points, {"mesh.contact_loss": (np.zeros(5), "")}, status=np.zeros(5))
    figure = branch.plot(sweep=sweep)
    assert len(figure.axes[0].lines[0].get_xdata()) == 5
    other = pl.StudyResult("pair", pl.grid(v=[1.0, 2.0]), {"mesh.contact_loss": (np.zeros(2), "")}, status=np.zeros(2))
    for wrong, text in (
        (other, 'has no values of "mesh.contact_loss" over "w"'),
        (3, "expected the result of a sweep"),
    ):
        with pytest.raises(pl.PitchlineError, match=text):
            branch.plot(sweep=wrong)


def test_picture_errors(branch):
    with pytest.raises(pl.PitchlineError, match='no value "siz"'):
        branch.plot("siz")
    with pytest.raises(pl.PitchlineError, match="expected branches over r"):
        branch.plot(branches=[3])
