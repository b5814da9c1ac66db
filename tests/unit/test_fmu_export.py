"""Export as FMU: the numbers of the engine in fmpy, states, validation, messages."""

import ctypes
import os
import runpy
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline.exchange.fmi import python_fmu
from pitchline.exchange.safe_xml import ExchangeError

fmpy = pytest.importorskip("fmpy")

from fmpy.validation import validate_fmu  # noqa: E402
from references.fmu_hosts import run_sessions  # noqa: E402
from references.fmu_instance import Instance  # noqa: E402
from references.fmu_sessions import children  # noqa: E402

STEP, INTERVAL, COUNT = 1e-5, 1e-4, 30
VERSIONS = (2, 3)
OUTPUTS = ["mesh.normal_force", "output.angular_speed", "pinion.position", "energy.kinetic"]

TEXT = """\
name = "pair"
description = "two wheels <with> & backlash"

[parameters]
teeth = 25  # of both wheels
module = { value = "4 mm", min = "1 mm", max = "10 mm", description = "normal module" }
stiffness = "2.6e8 N/m"
twice = "= 2 * teeth"

[gears.wheel]
teeth = "= teeth"
normal_module = "= module"
face_width = "15 mm"

[bodies.pinion]
gear = "wheel"

[bodies.driven]
gear = "wheel"
mesh_with = "pinion"
towards = "x"

[joints.input]
kind = "revolute"
a = "ground"
b = "pinion"

[joints.output]
kind = "revolute"
a = "ground"
b = "driven"

[gear_pairs.mesh]
a = "pinion"
b = "driven"
mesh = { kind = "elastic", stiffness = "= stiffness", damping_ratio = 0.05, backlash = "50 um" }

[loads.motor]
kind = "torque"
on = "input"
value = "100 N*m"

[loads.load]
kind = "torque"
on = "output"
value = "50 N*m"

[fmu]
inputs = ["motor", "load"]
outputs = ["mesh.normal_force", "output.angular_speed", "pinion.position", "energy.kinetic"]
step = "10 us"
communication_step = "0.1 ms"
stop_time = "5 ms"
"""


def torque(k: int) -> float:
    return 100.0 - 40.0 * (k % 3)


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("model") / "pair.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def exported(file, tmp_path_factory):
    """FMUs of both versions."""
    folder = tmp_path_factory.mktemp("fmu")
    return {n: pl.export_fmu(file, folder / f"pair{n}.fmu", fmi_version=n) for n in VERSIONS}


@pytest.fixture(scope="module")
def expected(file) -> np.ndarray:
    """Outputs of the engine for the torques of `torque`."""
    stepper = pl.Stepper(pl.load(file).model, step=STEP, inputs=["motor", "load"], outputs=OUTPUTS)
    rows = []
    for k in range(COUNT):
        stepper.set(motor=torque(k))
        stepper.advance(INTERVAL)
        rows.append(np.concatenate([np.atleast_1d(value) for value in stepper.output_list()]))
    return np.array(rows)


NAMES = [
    "mesh.normal_force", "output.angular_speed", "pinion.position.x", "pinion.position.y", "pinion.position.z", "energy.kinetic",
]  # fmt: skip


@pytest.mark.parametrize("version", VERSIONS)
def test_the_fmu_is_valid(exported, version):
    assert validate_fmu(str(exported[version].path)) == []


@pytest.mark.parametrize("version", VERSIONS)
def test_the_fmu_gives_the_numbers_of_the_engine(exported, expected, tmp_path, version):
    """At the same steps, with a torque that jumps, to 1e-12 (here: to the last bit)."""
    one = Instance(exported[version].path, tmp_path)
    rows = []
    for k in range(COUNT):
        one.set("motor", torque(k))
        one.step(k * INTERVAL, INTERVAL)
        rows.append(one.get(*NAMES))
    one.close()
    np.testing.assert_array_equal(np.array(rows), expected)


def test_simulation_by_fmpy_is_that_of_dynamics(exported, file):
    """A constant torque: the samples of `dynamics` with the same steps."""
    model = pl.load(file).model
    run = pl.dynamics(model, duration=COUNT * INTERVAL, step=STEP, output_step=INTERVAL)
    found = fmpy.simulate_fmu(str(exported[2].path), stop_time=COUNT * INTERVAL, output_interval=INTERVAL)
    force = run["mesh.normal_force"].values
    np.testing.assert_allclose(found["mesh.normal_force"], force, rtol=1e-12, atol=1e-12 * np.max(np.abs(force)))


@pytest.mark.parametrize("version", VERSIONS)
def test_states_are_saved_restored_and_stored(exported, tmp_path, version):
    one = Instance(exported[version].path, tmp_path)

    def go(first: int) -> list[list[float]]:
        found = []
        for k in range(first, first + 8):
            one.set("motor", torque(k))
            one.step(k * INTERVAL, INTERVAL)
            found.append(one.get(*NAMES))
        return found

    go(0)
    state = one.save()
    data = one.bytes_of(state)
    first = go(8)
    one.restore(state)
    assert go(8) == first
    one.restore(one.from_bytes(data))
    assert go(8) == first
    one.close()


@pytest.mark.parametrize("version", VERSIONS)
def test_parameters_change_the_model_before_initialisation(exported, file, tmp_path, version):
    one = Instance(exported[version].path, tmp_path, parameters={"parameters.module": 5.0, "parameters.teeth": 30.0})
    changed = pl.Stepper(
        pl.load(file, module="5 mm", teeth=30).model,
        step=STEP,
        inputs=["motor", "load"],
        outputs=["output.angular_speed"],
    )
    one.step(0.0, INTERVAL)
    changed.advance(INTERVAL)
    assert one.get("output.angular_speed") == [changed["output.angular_speed"]]
    assert one.get("parameters.module", "parameters.teeth") == [5.0, 30.0]
    one.close()


@pytest.mark.parametrize("version", VERSIONS)
def test_failures_give_an_error_with_the_message(exported, tmp_path, version):
    one = Instance(exported[version].path, tmp_path)
    for act, words in [
        (lambda: one.step(0.0, -INTERVAL), "must be greater than zero"),
        (lambda: one.step(0.0, 0.0), "must be greater than zero"),
        (lambda: one.step(0.5, INTERVAL), "is not the present time"),
        (lambda: (one.set("motor", float("nan")), one.step(0.0, INTERVAL)), "must be a finite number"),
    ]:
        one.messages.clear()
        with pytest.raises(fmpy.fmi1.FMICallException):
            act()
        assert words in " ".join(one.messages)
    one.set("motor", 100.0)
    one.step(0.0, 3.3 * STEP)  # any communication step
    one.step(3.3 * STEP, INTERVAL)
    one.messages.clear()
    one.set("motor", 1e300)
    with pytest.raises(fmpy.fmi1.FMICallException):
        one.step(3.3 * STEP + INTERVAL, 1.0)
    assert 'dynamics of model "pair"' in " ".join(one.messages)
    one.close()


def test_a_start_time_other_than_zero(exported, tmp_path):
    one = Instance(exported[2].path, tmp_path, start=2.0)
    one.step(2.0, INTERVAL)
    assert one.get("time") == [pytest.approx(2.0 + INTERVAL)]
    one.close()


def test_the_model_description_states_units_and_bounds(exported):
    for version in VERSIONS:
        about = fmpy.read_model_description(str(exported[version].path))
        variables = {v.name: v for v in about.modelVariables}
        assert variables["motor"].unit == "N*m"
        assert float(variables["motor"].start) == 100.0
        assert (
            variables["parameters.module"].unit,
            float(variables["parameters.module"].min),
            float(variables["parameters.module"].max),
        ) == (
            "mm",
            1.0,
            10.0,
        )
        assert variables["parameters.module"].description == "normal module"
        assert "parameters.twice" not in variables
        assert variables["energy.kinetic"].causality == "output"
        assert {u.name: u.baseUnit.factor for u in about.unitDefinitions}["mm"] == 1e-3
        assert float(about.defaultExperiment.stepSize) == INTERVAL
        assert about.description == "two wheels <with> & backlash"


def test_the_page_inside_states_what_the_machine_needs(exported):
    page = zipfile.ZipFile(exported[2].path).read("documentation/index.html").decode()
    for need in exported[2].needs:
        assert need.partition(" ")[0] in page
    assert f"pitchline {pl.__version__}" in page
    assert "two wheels &lt;with&gt; &amp; backlash" in page
    assert "N*m" in page


def test_a_model_without_a_file_can_be_exported(tmp_path):
    m = pl.Model("rotor 1-2")
    disc = m.body("disc", mass="2 kg", inertia=("0.1 kg*m^2", "0.1 kg*m^2", "0.2 kg*m^2"))
    m.revolute("axle", m.ground, disc, axis="z")
    m.torque("motor", "axle", 0.0)
    made = pl.export_fmu(
        m, tmp_path / "r.fmu", inputs="motor", outputs="axle.angular_speed", step="1 ms", fmi_version=3
    )
    one = Instance(made.path, tmp_path)
    one.set("motor", 2.0)
    one.step(0.0, 0.1)
    assert one.get("axle.angular_speed") == [pytest.approx(1.0, rel=1e-12)]
    one.close()
    with pytest.raises(pl.PitchlineError, match="exists"):
        pl.export_fmu(m, made.path, inputs="motor", step="1 ms")
    pl.export_fmu(m, made.path, inputs="motor", step="1 ms", overwrite=True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"path": "pair.zip"}, "must end in .fmu"),
        ({"path": "nowhere/pair.fmu"}, "nowhere"),
        ({"fmi_version": 1}, "fmi_version must be 2 or 3"),
        ({"inputs": ["motr"]}, 'no input "motr".*motor'),
        ({"outputs": ["mesh.normal"]}, 'no signal "mesh.normal"'),
        ({"parameters": ["modul"]}, r"no parameter 'modul'.*module"),
        ({"parameters": ["twice"]}, "computed from others"),
        ({"parameters": ["teeth", "teeth"]}, "given twice"),
        ({"parameters": 3}, "list of names"),
        ({"inputs": [], "outputs": []}, "no inputs and no outputs"),
        ({"start": "rest"}, "no analysis 'rest'"),
        ({"step": "-1 s"}, "greater than zero"),
        ({"communication_step": "0 s"}, "greater than zero"),
        ({"stepp": "1 s"}, "stepp"),
    ],
)
def test_wrong_requests(file, tmp_path, arguments, words):
    path = tmp_path / arguments.pop("path", "pair.fmu")
    with pytest.raises((pl.PitchlineError, TypeError), match=words):
        pl.export_fmu(file, path, **arguments)
    assert not path.exists()


def test_a_model_that_cannot_start_is_refused(tmp_path):
    m = pl.Model("massless")
    body = m.body("rod", mass=0.0, inertia=(0, 0, 0))
    m.revolute("axle", m.ground, body)
    m.torque("motor", "axle", 1.0)
    with pytest.raises(ExchangeError, match=r'model "massless" cannot run as an FMU: .*rod.* has no mass'):
        pl.export_fmu(m, tmp_path / "massless.fmu", outputs="axle.angle", step="1 ms")


def test_names_that_become_equal_are_refused(tmp_path):
    m = pl.Model("two")
    for name in ("a-1", "a 1"):
        body = m.body(name, mass=1.0, inertia=(1, 1, 1))
        m.revolute(f"{name} joint", m.ground, body)
        m.torque(f"{name} torque", f"{name} joint", 0.0)
    with pytest.raises(
        ExchangeError, match='input "a 1 torque" and input "a-1 torque" have the same name "a_1_torque"'
    ):
        pl.export_fmu(m, tmp_path / "two.fmu", inputs=["a-1 torque", "a 1 torque"], step="1 ms")


def test_a_model_with_python_functions_is_refused(tmp_path):
    m = pl.Model("wave")
    body = m.body("disc", mass=1.0, inertia=(1, 1, 1))
    m.revolute("axle", m.ground, body)
    m.torque("motor", "axle", lambda t: np.sin(t))
    with pytest.raises(ExchangeError, match="as a model file, which is not possible"):
        pl.export_fmu(m, tmp_path / "wave.fmu", outputs="axle.angle", step="1 ms")


@pytest.mark.slow
def test_two_instances_in_a_process_that_does_not_use_pitchline(exported):
    """One after the other; the process ends without an error."""
    program = f"""
import fmpy, sys
path = {str(exported[2].path)!r}
for _ in range(2):
    found = fmpy.simulate_fmu(path, stop_time=1e-3, output_interval=1e-4)
    print(repr(float(found["mesh.normal_force"][-1])))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-2000:]
    first, second = done.stdout.split()
    assert first == second


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the sessions end processes by their entry in /proc")
@pytest.mark.parametrize("version", VERSIONS)
def test_wrong_calls_and_lost_processes_never_end_the_importing_program(tmp_path, version):
    """Calls in any order, with any numbers and damaged states; after each session the FMU gives the numbers of a new one.

    `scripts/fuzz.py fmu-sessions` runs 500.
    """
    run_sessions(tmp_path, kind="python", version=version, first=17, count=4)


def test_a_missing_python_is_named(exported, tmp_path, monkeypatch):
    with zipfile.ZipFile(exported[2].path) as archive:
        archive.extractall(tmp_path)
    about = fmpy.read_model_description(str(exported[2].path))
    library, log = ctypes.CDLL(str(tmp_path / "binaries/linux64/pair.so")), []
    kinds = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p
    logger = ctypes.CFUNCTYPE(None, *kinds)(lambda *given: log.append(given[-1].decode()))
    callbacks = (ctypes.c_void_p * 5)(ctypes.cast(logger, ctypes.c_void_p))
    library.fmi2Instantiate.restype = ctypes.c_void_p
    for program, reason in ((tmp_path / "no python", "cannot be started"), ("false", "ended with status 1")):
        monkeypatch.setenv("PITCHLINE_PYTHON", str(program))
        assert not library.fmi2Instantiate(
            b"one", 1, about.guid.encode(), f"file://{tmp_path}/resources".encode(), callbacks, 0, 0
        )
        text = log.pop()
        assert "pip install pitchline" in text and "PITCHLINE_PYTHON" in text and f"{program} ({reason})" in text


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the test ends the process by its entry in /proc")
def test_a_process_that_ends_is_an_error_and_a_reset_starts_another(exported, tmp_path):
    before = set(children())
    path = tmp_path / "silent.fmu"
    path.write_bytes(exported[3].path.read_bytes())
    one = Instance(path, tmp_path)
    one.step(0.0, INTERVAL)
    (child,) = set(children()) - before
    os.kill(child, signal.SIGKILL)
    with pytest.raises(fmpy.fmi1.FMICallException):
        one.step(INTERVAL, INTERVAL)
    assert "process with the model of this FMU has ended: it ended by signal 9" in one.messages[-1]
    one.fmu.reset()
    one.fmu.enterInitializationMode()
    one.fmu.exitInitializationMode()
    one.step(0.0, INTERVAL)
    one.close()


def test_the_libraries_are_those_of_their_sources():
    """`make fmu-front` builds them; a C compiler is not needed to export."""
    script = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "build_fmu_front.py"))
    assert script["HASH"].read_text().strip() == script["sources_hash"](), "run make fmu-front"
    for library in python_fmu.library_files().values():
        content = library.read_bytes()
        assert all(name in content for name in (b"fmi2DoStep", b"fmi3DoStep", b"PITCHLINE_PYTHON"))
