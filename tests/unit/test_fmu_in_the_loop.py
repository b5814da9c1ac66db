"""FMUs and Python functions in the loop: messages, units, files, stored states."""

import pickle
import sys
import zipfile

import numpy as np
import pytest
from references.c_fmus import LinearFmu

import pitchline as pl
from pitchline.exchange.fmi.instance import description_from_bytes
from pitchline.exchange.safe_xml import ExchangeError

pytest.importorskip("fmpy")
if sys.platform != "linux":
    pytest.skip("the FMUs of these tests are for Linux", allow_module_level=True)

PI = LinearFmu(
    A=((0.0,),), B=((-1.0, 1.0),), C=((4.0,),), D=((-2.0, 2.0),), inputs=(("speed", "rad/s"), ("target", "rad/s"))
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fmus")


@pytest.fixture(scope="module")
def pi(folder):
    return PI.write(folder / "pi.fmu")


def axis(*elements, law="controller.torque"):
    m = pl.Model("axis")
    rotor = m.body("rotor", mass=1, inertia=(1, 1, 0.02))
    m.revolute("axis", m.ground, rotor, axis="z")
    for element in elements:
        m.add(element)
    m.torque("motor", "axis", pl.expression(law))
    m.torque("load", "axis", "-0.5 N*m")
    return m


def controller(file, **changes):
    given = {"step": "2 ms", "inputs": {"speed": "axis.angular_speed", "target": "100 rpm"}} | changes
    return pl.fmu("controller", file, **given)


def repacked(file, target, change=lambda text: text, drop=()):
    """The FMU with another description, or without some files."""
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            if any(part in name for part in drop):
                continue
            data = old.read(name)
            new.writestr(name, change(data.decode()) if name == "modelDescription.xml" else data)
    return target


@pytest.mark.parametrize("major", [2, 3])
def test_controller_reaches_its_target(folder, major):
    file = LinearFmu(**{**vars(PI), "major": major}).write(folder / f"pi{major}.fmu")
    run = pl.dynamics(axis(controller(file)), duration="4 s", step="2 ms", output_step="20 ms")
    assert run["axis.angular_speed"].final == pytest.approx(100 * 2 * np.pi / 60, rel=1e-5)
    assert run["controller.torque"].final == pytest.approx(0.5, rel=1e-3)
    assert run["controller.torque"].unit == "N*m"


def test_error_control_and_output_between_points(pi):
    fixed = pl.dynamics(axis(controller(pi)), duration="0.1 s", step="0.5 ms", output_step="1 ms")
    free = pl.dynamics(axis(controller(pi)), duration="0.1 s", tolerance=1e-8, output_step="1 ms")
    assert free["axis.angle"].values == pytest.approx(fixed["axis.angle"].values, abs=2e-6)
    torque = fixed["controller.torque"].values
    assert np.all(torque[0::2][:-1] == torque[1::2])  # held for 2 ms


def test_units_are_converted(folder, pi):
    one = pl.dynamics(axis(controller(pi)), duration="50 ms", step="1 ms")
    other = LinearFmu(
        A=PI.A, B=((-np.pi / 30, np.pi / 30),), C=((4e-3,),), D=((-2e-3 * np.pi / 30, 2e-3 * np.pi / 30),),
        inputs=(("speed", "rpm"), ("target", "rpm")), outputs=(("torque", "kN.m"),),
    ).write(folder / "rpm.fmu")  # fmt: skip
    two = pl.dynamics(axis(controller(other)), duration="50 ms", step="1 ms")
    assert two["axis.angle"].values == pytest.approx(one["axis.angle"].values, rel=1e-12)


def test_hertz_are_revolutions(folder):
    file = LinearFmu(D=((1.0,),), inputs=(("speed", "Hz"),), outputs=(("out", ""),), units={"Hz": 's="-1"'}).write(
        folder / "hz.fmu"
    )
    m = axis(pl.fmu("sensor", file, step="1 ms", inputs={"speed": "50 Hz"}), law="0*sensor.out")
    assert pl.dynamics(m, duration="2 ms", step="1 ms")["sensor.out"].final == pytest.approx(50.0, rel=1e-12)


def test_parameters(pi):
    off = pl.dynamics(axis(controller(pi, parameters={"enabled": False})), duration="20 ms", step="1 ms")
    assert np.all(off["controller.torque"].values == 0.0)
    twice = pl.dynamics(axis(controller(pi, parameters={"gain": 2})), duration="1 ms", step="1 ms")
    once = pl.dynamics(axis(controller(pi)), duration="1 ms", step="1 ms")
    assert twice["controller.torque"].values[0] == 2 * once["controller.torque"].values[0]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"inputs": {"sped": 1.0}}, ["no input 'sped'", "speed"]),
        ({"inputs": {"torque": 1.0}}, ["not an input", "output"]),
        ({"outputs": ["torqe"]}, ["no variable 'torqe'", "torque"]),
        ({"outputs": {"my torque": "torque"}}, ["cannot be the name of a signal", "my_torque"]),
        ({"outputs": []}, ["no output"]),
        ({"outputs": ["gain"]}, ["not an output"]),
        ({"parameters": {"gian": 1}}, ["no parameter 'gian'", "gain"]),
        ({"parameters": {"enabled": 1}}, ["expected true or false"]),
        ({"parameters": {"gain": "two"}}, ["gain"]),
        ({"inputs": {"speed": "axis.angle"}}, ["angular velocity", "axis.angle", "rad"]),
        ({"inputs": {"speed": "3 mm"}}, ["speed", "length"]),
        ({"units": {"speed": "N*m"}}, ["declares the unit", "rad/s"]),
        ({"units": {"torque": "kN*m"}}, ["declares the unit", "N.m"]),
        ({"step": 0}, ["step must be positive"]),
        ({"between": "cubic"}, ["cubic", "linear"]),
    ],
)  # fmt: skip
def test_wrong_arguments_are_named(pi, changes, words):
    with pytest.raises(pl.PitchlineError) as error:
        controller(pi, **changes)
    for word in words:
        assert word in str(error.value)


def test_unknown_signal_of_the_model(pi):
    m = axis(controller(pi, inputs={"speed": "shaft.angular_speed"}))
    with pytest.raises(pl.ModelError, match="shaft"):
        pl.dynamics(m, duration="1 ms")


def test_unit_without_definition(folder):
    file = LinearFmu(D=((1.0,),), inputs=(("speed", "furlong/s"),)).write(folder / "odd.fmu")
    with pytest.raises(pl.ModelError, match=r"furlong/s.*Specify it"):
        pl.fmu("a", file, step="1 ms", inputs={"speed": 1.0})
    pl.fmu("a", file, step="1 ms", inputs={"speed": "1 m/s"}, units={"speed": "m/s"})


def test_files_that_are_not_usable(folder, pi):
    with pytest.raises(ExchangeError, match=r"no program for this platform.*win64"):
        made = repacked(pi, folder / "win.fmu", drop=("binaries",))
        with zipfile.ZipFile(made, "a") as archive:
            archive.writestr("binaries/win64/linear.dll", b"")
        controller(made)
    exchange = repacked(pi, folder / "me.fmu", lambda text: text.replace("CoSimulation", "ModelExchange"))
    with pytest.raises(ExchangeError, match="only ModelExchange"):
        controller(exchange)
    with pytest.raises(ExchangeError, match=r"FMI 1.0"):
        controller(repacked(pi, folder / "v1.fmu", lambda text: text.replace('fmiVersion="2.0"', 'fmiVersion="1.0"')))
    with pytest.raises(ExchangeError, match="not a zip archive"):
        (folder / "text.fmu").write_text("no archive")
        controller(folder / "text.fmu")
    with pytest.raises(ExchangeError, match="No such file"):
        controller(folder / "nowhere.fmu")


def test_wrong_identifier(folder, pi):
    file = repacked(pi, folder / "guid.fmu", lambda text: text.replace("linear-system", "another"))
    with pytest.raises(ExchangeError, match=r"refuses to start.*wrong guid another.*guid another"):
        pl.dynamics(axis(controller(file)), duration="1 ms")
    pl.dynamics(axis(controller(pi)), duration="2 ms", step="1 ms")  # no error is left over


@pytest.mark.parametrize(("status", "word"), [(3, "fmi2Error"), (2, "fmi2Discard")])
def test_failure_in_a_run(folder, status, word):
    file = LinearFmu(**{**vars(PI), "fail_at": 0.011, "fail_with": status}).write(folder / f"fail{status}.fmu")
    with pytest.raises(pl.SolveError, match=rf"doStep at t = 0\.01 s returned {word}: valve stuck at 0\.01 s") as error:
        pl.dynamics(axis(controller(file)), duration="50 ms", step="1 ms")
    assert error.value.result["axis.angle"].time[-1] <= 0.011
    observer = axis(controller(file), law="0*axis.angle")  # nothing reads its output
    with pytest.raises(pl.SolveError, match="valve stuck"):
        pl.dynamics(observer, duration="50 ms", step="1 ms")


def test_statics_and_linear_analyses_hold_the_outputs(pi):
    m = axis(controller(pi))
    m.torsion_spring("spring", "axis", stiffness=10.0)
    rest = pl.statics(m)
    torque = 2 * 100 * 2 * np.pi / 60  # of the proportional part at rest
    assert rest["controller.torque"].final == pytest.approx(torque)
    assert rest["axis.angle"].final == pytest.approx((torque - 0.5) / 10)
    assert any("held constant" in text for text in rest.warnings)
    modes = pl.modes(m, about=rest)
    assert modes.frequencies[0] == pytest.approx(np.sqrt(10 / 0.02) / 2 / np.pi)
    assert any("held constant" in text for text in modes.warnings)
    run = pl.dynamics(m, start=rest, duration="10 ms", step="1 ms")
    assert run["axis.angle"].values[0] == pytest.approx(rest["axis.angle"].final)


@pytest.mark.parametrize("between", ["hold", "linear"])
def test_a_run_continues_with_the_state(pi, between):
    m = axis(controller(pi, between=between))
    options = {"step": "0.5 ms", "output_step": "0.5 ms"}
    whole = pl.dynamics(m, duration="60 ms", **options)
    first = pl.dynamics(m, duration="31 ms", **options)  # ends between two communication points
    second = pl.dynamics(m, start=first, duration="29 ms", **options)
    again = pl.dynamics(m, start=first, duration="29 ms", **options)
    assert second["axis.angle"].values[-1] == pytest.approx(whole["axis.angle"].values[-1], rel=1e-6)
    assert np.array_equal(second["axis.angle"].values, again["axis.angle"].values)


def test_states_that_cannot_be_saved(folder, pi, tmp_path):
    file = LinearFmu(**{**vars(PI), "saves": False}).write(folder / "stateless.fmu")
    m = axis(controller(file))
    first = pl.dynamics(m, duration="10 ms", step="1 ms")
    with pytest.raises(pl.ModelError, match="canSerializeFMUstate"):
        pl.dynamics(m, start=first, duration="10 ms", step="1 ms")
    with pytest.raises(pl.ModelError, match=r"checkpoint: stateless.fmu cannot write its state"):
        pl.dynamics(m, duration="10 ms", step="1 ms", checkpoint=tmp_path / "c.ckpt")


def test_resume_from_a_checkpoint(pi, tmp_path):
    m = axis(controller(pi))
    options = {"duration": "40 ms", "step": "0.5 ms", "output_step": "1 ms"}
    whole = pl.dynamics(m, **options)

    def stop(t, end):
        if t > 0.021:
            raise KeyboardInterrupt

    file = tmp_path / "run.ckpt"
    pl.dynamics(m, **options, checkpoint=file, checkpoint_seconds=0, progress=stop)
    if not file.exists():
        pytest.skip("the run was complete before it could be interrupted")
    resumed = pl.resume(m, file)
    assert np.array_equal(resumed["axis.angle"].values, whole["axis.angle"].values)


def test_only_one_instance_in_a_process(folder):
    file = LinearFmu(**{**vars(PI), "once": True}).write(folder / "once.fmu")
    m = axis(controller(file))
    runs = [pl.dynamics(m, duration="20 ms", step="1 ms") for _ in range(2)]
    assert np.array_equal(runs[0]["axis.angle"].values, runs[1]["axis.angle"].values)
    two = axis(controller(file), pl.fmu("second", file, step="1 ms", inputs={"speed": 0.0, "target": 1.0}))
    with pytest.raises(ExchangeError, match="only once in a process"):
        pl.dynamics(two, duration="5 ms", step="1 ms")


def test_model_file(folder, pi, tmp_path):
    text = """
name = "axis"
[bodies.rotor]
mass = "1 kg"
inertia = ["1 kg*m^2", "1 kg*m^2", "0.02 kg*m^2"]
[joints.axis]
kind = "revolute"
a = "ground"
b = "rotor"
axis = "z"
[elements.controller]
type = "fmu"
file = "pi.fmu"
step = "2 ms"
inputs = { speed = "axis.angular_speed", target = { kind = "ramp", start = 0, end = "100 rpm", t0 = 0, t1 = "0.1 s" } }
outputs = ["torque"]
parameters = { gain = 1.5 }
[loads.motor]
kind = "torque"
on = "axis"
value = { expression = "controller.torque" }
"""
    (folder / "axis.toml").write_text(text)
    with pytest.raises(pl.PitchlineError, match=r"is a program. It runs only if you allow it.*--allow-fmu"):
        pl.load(folder / "axis.toml")
    file = pl.load(folder / "axis.toml", allow="*.fmu")
    written = file.model.to_toml()
    (folder / "again.toml").write_text(written)
    again = pl.load(folder / "again.toml", allow="*.fmu").model
    runs = [pl.dynamics(m, duration="20 ms", step="1 ms")["axis.angle"].values for m in (file.model, again)]
    assert np.array_equal(*runs)
    for wrong, words in (
        ('file = "pi.fmu"', 'file = "../pi.fmu"'), ('file = "pi.fmu"', 'file = "nowhere.fmu"'), ("gain", "gian")
    ):  # fmt: skip
        (folder / "wrong.toml").write_text(text.replace(wrong, words))
        with pytest.raises(pl.PitchlineError, match=r"wrong.toml"):
            pl.load(folder / "wrong.toml", allow="*.fmu")


def test_pickled_for_other_processes(pi):
    element = pickle.loads(pickle.dumps(controller(pi)))
    run = pl.dynamics(axis(element), duration="5 ms", step="1 ms")
    assert np.array_equal(
        run["axis.angle"].values, pl.dynamics(axis(controller(pi)), duration="5 ms", step="1 ms")["axis.angle"].values
    )


def test_unconnected_inputs_are_named(pi):
    m = axis(controller(pi, inputs={"speed": "axis.angular_speed"}))
    assert any("target" in text and "start value" in text for text in m.warnings)


def test_without_fmpy(pi, monkeypatch):
    m = axis(controller(pi))
    for name in [name for name in sys.modules if name.partition(".")[0] == "fmpy"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fmpy", None)
    with pytest.raises(ExchangeError, match=r'pip install "pitchline\[fmi\]"'):
        pl.dynamics(m, duration="1 ms")


def test_description_of_an_archive(pi):
    said = description_from_bytes(pi.read_bytes(), "pi.fmu")
    assert (said.major, said.library, said.interpolates, said.serializes) == (2, "linear", True, True)
    assert said.variables["torque"].causality == "output"


def test_archives_that_are_refused(tmp_path):
    bomb = tmp_path / "bomb.fmu"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("modelDescription.xml", b"<a/>")
        archive.writestr("resources/big", bytes(1000))
    data = bytearray(bomb.read_bytes())
    size = (1000).to_bytes(4, "little")
    at = data.rindex(size)
    data[at : at + 4] = (2**31 + 5).to_bytes(4, "little")
    with pytest.raises(ExchangeError, match="limit"):
        description_from_bytes(bytes(data), "bomb.fmu")
    outside = tmp_path / "outside.fmu"
    with zipfile.ZipFile(outside, "w") as archive:
        archive.writestr("../../x", b"")
    with pytest.raises(ExchangeError, match="outside the archive"):
        description_from_bytes(outside.read_bytes(), "outside.fmu")


# ---- Python functions


def test_python_function_is_the_sampled_law():
    law = pl.SampledLaw(
        "controller",
        input=pl.expression("axis.angular_speed"),
        sample_time="2 ms",
        law=lambda t, u, v, s: 1.0 - 0.3 * u,
    )
    own = axis(law, law="controller.output")
    other = axis(
        pl.python_controller(
            "controller", lambda t, speed: 1.0 - 0.3 * speed, step="2 ms", inputs={"speed": "axis.speed"}
        ),
        law="controller.output",
    )
    one, two = (pl.dynamics(m, duration="0.1 s", step="1 ms")["axis.angle"].values for m in (own, other))
    assert two == pytest.approx(one, rel=1e-13, abs=1e-15)


class Counter:
    """Controller with a state."""

    def __init__(self):
        self.calls = 0

    def __call__(self, t, speed):
        self.calls += 1
        return {"torque": 1e-3 * self.calls, "calls": self.calls}


def test_python_class_has_a_state_for_each_run():
    made = pl.python_controller(
        "controller", Counter, step="1 ms", inputs={"speed": "axis.speed"}, outputs={"torque": "kN*m", "calls": ""}
    )
    m = axis(made)
    runs = [pl.dynamics(m, duration="10 ms", step="1 ms") for _ in range(2)]
    assert [run["controller.calls"].final for run in runs] == [11.0, 11.0]
    assert runs[0]["controller.torque"].final == pytest.approx(11.0)
    more = pl.dynamics(m, start=runs[0], duration="10 ms", step="1 ms")
    assert more["controller.calls"].final == 21.0


@pytest.mark.parametrize(
    ("function", "match"),
    [
        (lambda t, speed: "a", "expected a number"),
        (lambda t, speed: float("nan"), "nan"),
        (lambda t, speed: 1 / 0, "ZeroDivisionError"),
        (lambda t, speed: [1.0, 2.0], "expected a number"),
    ],
)
def test_failures_of_python_functions(function, match):
    m = axis(pl.python_controller("c", function, step="1 ms", inputs={"speed": "axis.speed"}), law="c.output")
    with pytest.raises(
        (pl.PitchlineError, ZeroDivisionError), match=match if match != "ZeroDivisionError" else "division"
    ):
        pl.dynamics(m, duration="3 ms", step="1 ms")


def test_wrong_python_functions():
    with pytest.raises(pl.ModelError, match=r"cannot be called with \(t, speed\)"):
        pl.python_controller("c", lambda t, x: 0.0, step="1 ms", inputs={"speed": 1.0})
    with pytest.raises(pl.ModelError, match="expected a function"):
        pl.python_controller("c", 3.0, step="1 ms")
    with pytest.raises(pl.ModelError, match="not a unit"):
        pl.python_controller("c", lambda t: 0.0, step="1 ms", outputs={"torque": "Nmx"})
    with pytest.raises(pl.ModelError, match="name"):
        pl.python_controller("c", lambda t: 0.0, step="1 ms", outputs=["program"])
