"""FMUs without Python: the same numbers, in processes without Python packages, with states, and with clear messages."""

import ctypes
import io
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from references.fmu_hosts import run_sessions
from references.native_fmus import DRIVER, INTERVAL, STEP, axis, pair, two_stages

import pitchline as pl
from pitchline.exchange.fmi import native_export as archive
from pitchline.exchange.fmi import native_object as linking
from pitchline.exchange.fmi.native_export import native_fmu
from pitchline.exchange.safe_xml import ExchangeError
from pitchline.numerics.machine_code.compiled import F8, I8, entry

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="FMUs without Python are made on Linux"),
]
fmpy = pytest.importorskip("fmpy")

OUTPUTS = [
    "mesh.normal_force", "mesh.transmission_error", "second.angular_speed", "a.orientation", "first.force", "energy.work",
    "energy.balance_error",
]  # fmt: skip
INPUTS = ["motor", "load"]


def _stepper(**options):
    return pl.Stepper(pair(), step=STEP, inputs=INPUTS, outputs=OUTPUTS, **options)


@pytest.fixture(scope="module")
def fmus(tmp_path_factory):
    """FMUs of the pair by version: file, description, unpacked folder."""
    folder = tmp_path_factory.mktemp("native")
    made = {}
    for version in (2, 3):
        fmu = native_fmu(_stepper(), version=version)
        file = folder / f"pair{version}.fmu"
        file.write_bytes(fmu.content)
        place = folder / f"pair{version}"
        zipfile.ZipFile(io.BytesIO(fmu.content)).extractall(place)
        made[version] = SimpleNamespace(
            file=file, about=fmu.description, needs=fmu.needs, folder=place, library=next(place.rglob("*.so"))
        )
    return made


@pytest.fixture
def instance(fmus):
    """Function that makes an instance of FMI 2 after initialization."""
    made = []
    description = fmpy.read_model_description(str(fmus[2].file))

    def make(name="one", values=None):
        one = fmpy.fmi2.FMU2Slave(
            guid=description.guid, unzipDirectory=str(fmus[2].folder), instanceName=name,
            modelIdentifier=description.coSimulation.modelIdentifier,
        )  # fmt: skip
        one.instantiate()
        made.append(one)
        one.setupExperiment(startTime=0.0)
        one.enterInitializationMode()
        if values:
            one.setReal(list(values), list(values.values()))
        one.exitInitializationMode()
        return one

    yield make
    for one in made:
        one.freeInstance()


def _references(fmus, causality):
    return [v.reference for v in fmus[2].about.variables if v.causality == causality]


def _flat(values):
    return np.array([x for value in values for x in np.atleast_1d(value)])


@pytest.mark.parametrize("version", [2, 3])
def test_validation_and_numbers_of_dynamics(fmus, version):
    from fmpy.validation import validate_fmu

    fmu = fmus[version]
    assert validate_fmu(str(fmu.file)) == []
    names = ["mesh.normal_force", "second.angular_speed", "first.force.y"]
    found = fmpy.simulate_fmu(
        str(fmu.file), stop_time=2e-3, step_size=INTERVAL, output_interval=INTERVAL, output=names, validate=True
    )
    run = pl.dynamics(pair(), duration=2e-3, step=STEP, output_step=INTERVAL)
    assert max(run["mesh.normal_force"].values) > 1000.0  # teeth strike
    for name in names[:2]:
        np.testing.assert_allclose(found[name], run[name].values, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found[names[2]], run["first.force"].values[:, 1], rtol=1e-12, atol=1e-9)


def test_inputs_and_states(fmus, instance):
    """Inputs that jump give the numbers of a stepper; two instances do not disturb each other; states repeat to the last bit."""
    inputs, outputs = _references(fmus, "input"), _references(fmus, "output")
    ref = _stepper()
    ref.set(motor=70.0)
    one, other = instance("one", values={inputs[0]: 70.0}), instance("other")
    np.testing.assert_allclose(one.getReal(outputs), _flat(ref.output_list()), rtol=1e-12, atol=1e-12)
    random = np.random.default_rng(3)
    state = after = None
    for k in range(60):
        if k % 4 == 0:
            value = float(random.uniform(-60.0, 90.0))
            ref.set(motor=value)
            one.setReal([inputs[0]], [value])
        one.doStep(k * INTERVAL, INTERVAL)
        ref.advance(INTERVAL)
        np.testing.assert_allclose(one.getReal(outputs), _flat(ref.output_list()), rtol=1e-12, atol=1e-12)
        if k < 20:
            other.doStep(k * INTERVAL, INTERVAL)
        if k == 30:
            state = one.getFMUstate()
            data = one.serializeFMUState(state)
        if k == 45:
            after = one.getReal(outputs)
    undisturbed = _stepper()
    undisturbed.advance(20 * INTERVAL)
    np.testing.assert_allclose(other.getReal(outputs), _flat(undisturbed.output_list()), rtol=1e-12, atol=1e-12)

    def repeated(which):
        again = np.random.default_rng(3)
        values = [float(again.uniform(-60.0, 90.0)) for _ in range(15)]
        for k in range(31, 46):
            if k % 4 == 0:
                which.setReal([inputs[0]], [values[k // 4]])
            which.doStep(k * INTERVAL, INTERVAL)
        return which.getReal(outputs)

    one.setFMUstate(state)
    assert repeated(one) == after
    other.setFMUstate(other.deSerializeFMUstate(data))
    assert repeated(other) == after
    one.freeFMUstate(state)
    one.reset()
    one.setupExperiment(startTime=0.0)
    one.enterInitializationMode()
    one.exitInitializationMode()
    for k in range(20):
        one.doStep(k * INTERVAL, INTERVAL)
    np.testing.assert_allclose(one.getReal(outputs), _flat(undisturbed.output_list()), rtol=1e-12, atol=1e-12)


def test_communication_steps_of_any_length(fmus, instance):
    """Intervals that are no multiples of the step, as the stepper divides them."""
    outputs = _references(fmus, "output")
    one, ref, t = instance(), _stepper(), 0.0
    ref.start()
    for length in (3.7e-5, 1e-5, 2.3e-4, 4e-6, 1e-4):
        one.doStep(t, length)
        ref.advance(length)
        t += length
        np.testing.assert_allclose(one.getReal(outputs), _flat(ref.output_list()), rtol=1e-9, atol=1e-9)


def test_a_process_without_python_packages(fmus, tmp_path):
    """The library runs where neither numpy nor numba nor this package can be imported, and gives the same bits."""
    fmu = fmus[2]
    driver = tmp_path / "driver.py"
    driver.write_text(DRIVER)
    outputs = _references(fmus, "output")
    command = [sys.executable, "-I", "-S", str(driver), str(fmu.library), fmu.about.token, "20", str(outputs[0]),
               str(len(outputs)), str(INTERVAL)]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": os.environ["PATH"]}, check=False)
    assert done.returncode == 0, done.stderr
    ref = _stepper()
    for line in done.stdout.splitlines():
        ref.advance(INTERVAL)
        found = [float.fromhex(word) for word in line.split()]
        np.testing.assert_allclose(found, _flat(ref.output_list()), rtol=1e-12, atol=1e-12)


def test_only_the_c_library_is_needed(fmus):
    content = fmus[2].library.read_bytes()
    assert set(re.findall(rb"lib[\w+-]+\.so[.\d]*", content)) <= {b"libc.so.6", b"libm.so.6"}
    assert b"PyObject" not in content and b"NRT_" not in content
    assert "GNU C library 2." in fmus[2].needs and "x86-64" in fmus[2].needs and "no Python" in fmus[2].needs


def test_wrong_calls_are_errors_with_a_reason(fmus):
    """Each wrong call returns an error and a message through the logger of the program."""
    library, log = ctypes.CDLL(str(fmus[2].library)), []
    logger_type = ctypes.CFUNCTYPE(
        None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p
    )
    logger = logger_type(lambda env, who, status, kind, text: log.append(text.decode()))
    callbacks = (ctypes.c_void_p * 5)(ctypes.cast(logger, ctypes.c_void_p))
    library.fmi2Instantiate.restype = ctypes.c_void_p
    double, token = ctypes.c_double, fmus[2].about.token.encode()

    def make(guid, kind=1):
        found = library.fmi2Instantiate(b"x", kind, guid, b"", callbacks, 0, 0)
        return ctypes.c_void_p(found) if found else None

    def said(status, *words):
        assert status == 3
        text = log.pop()
        assert all(word in text for word in words), text

    assert make(b"{other}") is None and "{other}" in log.pop()
    assert make(token, 0) is None and "co-simulation" in log.pop()
    one = make(token)

    def put(reference, value):
        return library.fmi2SetReal(one, (ctypes.c_uint * 1)(reference), ctypes.c_size_t(1), (double * 1)(value))

    said(library.fmi2DoStep(one, double(0), double(1e-4), 1), "before initialization")
    said(library.fmi2SetupExperiment(one, 0, double(0), double(1.0), 0, double(0)), "start time", "export")
    assert library.fmi2SetupExperiment(one, 0, double(0), double(0.0), 1, double(1.0)) == 0
    assert library.fmi2EnterInitializationMode(one) == 0
    said(put(3, 1.0), "mesh.normal_force", "not an input")
    said(put(99, 1.0), "99")
    said(put(1, float("nan")), "motor", "finite")
    assert library.fmi2ExitInitializationMode(one) == 0
    said(library.fmi2DoStep(one, double(0.5), double(1e-4), 1), "communication point")
    said(library.fmi2DoStep(one, double(0.0), double(-1e-4), 1), "greater than zero")
    said(library.fmi2DoStep(one, double(0.0), double(2.0), 1), "stop time")
    said(library.fmi2GetInteger(one, (ctypes.c_uint * 1)(1), ctypes.c_size_t(1), (ctypes.c_int * 1)()), "Integer")
    state, damaged, size = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
    assert library.fmi2GetFMUstate(one, ctypes.byref(state)) == 0
    assert library.fmi2SerializedFMUstateSize(one, state, ctypes.byref(size)) == 0
    data = ctypes.create_string_buffer(size.value)
    assert library.fmi2SerializeFMUstate(one, state, data, size) == 0
    data[size.value - 9] = bytes([data.raw[size.value - 9] ^ 1])
    said(library.fmi2DeSerializeFMUstate(one, data, size, ctypes.byref(damaged)), "damaged")
    data[0] = b"?"
    said(library.fmi2DeSerializeFMUstate(one, data, size, ctypes.byref(damaged)), "not a state of this model")
    assert library.fmi2DoStep(one, double(0.0), double(1e-4), 1) == 0
    assert put(1, 1e300) == 0
    said(library.fmi2DoStep(one, double(1e-4), double(1e-2), 1), "stopped at t = ")
    said(library.fmi2DoStep(one, double(1e-4), double(1e-4), 1), "after a failure")
    assert library.fmi2SetFMUstate(one, state) == 0
    assert library.fmi2DoStep(one, double(0.0), double(1e-4), 1) == 0
    assert library.fmi2FreeFMUstate(one, ctypes.byref(state)) == 0
    assert library.fmi2Terminate(one) == 0
    library.fmi2FreeInstance(one)
    assert not log


@pytest.mark.parametrize("version", [2, 3])
def test_wrong_calls_never_end_the_importing_program(tmp_path, version):
    """Calls in any order, with any numbers and damaged states; after each session the FMU gives the numbers of a new one."""
    run_sessions(tmp_path, kind="self-contained", version=version, first=0, count=50)


@pytest.mark.parametrize(
    ("model", "inputs", "outputs", "amplitude"),
    [
        (two_stages, ["motor", "load"], ["stage_1.normal_force", "stage_2.normal_force", "fourth_axis.angular_speed"], 30.0),
        (axis, ["position.setpoint"], ["load_axis.angle", "motor_axis.angular_speed", "gear.torque_b", "position.output"], 20.0),
    ],
)  # fmt: skip
def test_other_models_give_the_numbers_of_the_stepper(model, inputs, outputs, amplitude, tmp_path):
    """A train with a drive whose speed is an input; control, friction that sticks and expressions in the general equations."""
    fmu = native_fmu(pl.Stepper(model(), step=STEP, inputs=inputs, outputs=outputs), version=3)
    file = tmp_path / "model.fmu"
    file.write_bytes(fmu.content)
    ref = pl.Stepper(model(), step=STEP, inputs=inputs, outputs=outputs)
    ref.start()  # inputs that are set before are values at the start
    folder = fmpy.extract(str(file), str(tmp_path / "open"))
    one = fmpy.fmi3.FMU3Slave(
        guid=fmu.description.token,
        unzipDirectory=folder,
        modelIdentifier=fmu.description.identifier,
        instanceName="one",
    )
    one.instantiate()
    one.enterInitializationMode(startTime=0.0)
    one.exitInitializationMode()
    references = {c: [v.reference for v in fmu.description.variables if v.causality == c] for c in ("input", "output")}
    random, largest = np.random.default_rng(5), 0.0
    for k in range(80):
        if k % 10 == 0:
            values = random.uniform(-amplitude, amplitude, len(inputs)).tolist()
            ref.set(dict(zip(ref.inputs, values, strict=True)))
            one.setFloat64(references["input"], values)
        one.doStep(5 * k * INTERVAL, 5 * INTERVAL)
        ref.advance(5 * INTERVAL)
        found = one.getFloat64(references["output"])
        np.testing.assert_allclose(found, _flat(ref.output_list()), rtol=1e-12, atol=1e-12)
        largest = np.maximum(largest, np.abs(found))
    assert np.all(largest > 0.0)
    one.terminate()
    one.freeInstance()


def test_calling_convention_of_compiled_functions():
    """Machine code is called from C as status = f(result, error, arguments): a convention inside numba."""

    @entry
    def product(n: I8, x: F8) -> F8:
        """n x."""
        return n * x

    assert product(3, 0.5) == 1.5
    made = product.overloads[product.signature.args]
    address = made.library.get_pointer_to_function(made.fndesc.llvm_func_name)
    kind = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_double)
    result, error = ctypes.c_double(), ctypes.c_void_p()
    assert kind(address)(ctypes.addressof(result), ctypes.addressof(error), 7, 0.25) == 0
    assert result.value == 1.75 and not error.value


def test_refused_by_name(monkeypatch):
    m = pl.Model("stops")
    arm = m.body("arm", mass=1, inertia=(1, 1, 1))
    joint = m.revolute("hinge", m.ground, arm, axis="z")
    m.stop("limit", joint, lower="-10 deg", upper="10 deg")
    with pytest.raises(ExchangeError, match='"limit": its rigid parts open and close'):
        native_fmu(pl.Stepper(m, step="1 ms", outputs=["hinge.angle"]))
    driven = two_stages()
    with pytest.raises(ExchangeError, match='input "motor" is a speed that jumps'):
        native_fmu(pl.Stepper(driven, step=STEP, inputs={"motor": "hold"}))
    called = pl.Model("called")
    wheel = called.body("wheel", mass=1, inertia=(1, 1, 1))
    hinge = called.revolute("hinge", called.ground, wheel, axis="z")
    called.torque("brake", hinge, pl.slow(lambda t, speed: -speed))
    with pytest.raises(ExchangeError, match=r"brake.*runs in Python"):
        native_fmu(pl.Stepper(called, step="1 ms", outputs=["hinge.angle"]))
    monkeypatch.setattr(archive.platform, "system", lambda: "Plan 9")
    with pytest.raises(ExchangeError, match="Plan 9"):
        native_fmu(_stepper())


def test_without_a_compiler(monkeypatch):
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(linking.shutil, "which", lambda name: None)
    monkeypatch.setattr(linking, "_has_zig", lambda: False)
    with pytest.raises(ExchangeError, match=r"no(ne)?.*pip install \"pitchline\[fmu-build\]\""):
        linking.compiler_command()


def test_c_sources_are_part_of_the_package():
    names = {file.name for file in Path(linking.__file__).with_name("c").iterdir()}
    assert {"common.c", "fmi2.c", "fmi3.c", "instance.c", "state.c", "numbers.c", "instance.h", "model.h"} <= names


def test_export_by_name(tmp_path):
    """`export_fmu` and the command write the FMU; parameters and existing files are refused."""
    from pitchline.cli.program import main

    file = tmp_path / "pair.fmu"
    made = pl.export_fmu(pair(), file, inputs=INPUTS, outputs=["mesh.contact"], step=STEP, self_contained=True)
    assert [v.name for v in made.variables] == ["time", "motor", "load", "mesh.contact"]
    assert "no Python" in " ".join(made.needs)
    found = fmpy.simulate_fmu(str(file), stop_time=1e-3, output_interval=INTERVAL, output=["mesh.contact"])
    assert len(found) == 11
    with pytest.raises(ExchangeError, match="parameters"):
        pl.export_fmu(pair(), tmp_path / "b.fmu", outputs=["mesh.contact"], parameters=["speed"], self_contained=True)
    arguments = ["fmu", "helical-pair", "--self-contained", "--signal", "mesh.normal_force", "--step", "10us"]
    assert main([*arguments, "-o", str(tmp_path / "c.fmu"), "--fmi", "3"]) == 0
    with zipfile.ZipFile(tmp_path / "c.fmu") as archive:
        assert any(name.startswith("binaries/x86_64-linux/") for name in archive.namelist())
