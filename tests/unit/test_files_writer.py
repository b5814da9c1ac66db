"""What Python built is written as a file that reads back to the same model."""

import tomllib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.everything import everything
from references.machine import FILE, machine
from references.random_models import random_mechanism

import pitchline as pl
from pitchline import files
from pitchline.base.storage.free_names import StorageError
from pitchline.files.written_values import with_unit
from pitchline.gallery import MODELS, model
from pitchline.units import DIMENSIONS, quantity


def again(m: pl.Model) -> pl.Model:
    return files.read(m.to_toml()).model


@pytest.mark.parametrize("name", list(MODELS))
def test_gallery_models_read_back_equal(name: str) -> None:
    m = model(name).build()
    assert again(m).describe() == m.describe()


def elastic_pair(mesh: pl.Elastic | pl.Flank | pl.Loaded | pl.Rigid | pl.Rolling) -> pl.Model:
    """Two wheels in mesh."""
    m = pl.Model("pair")
    gear = pl.Gear(teeth=20, normal_module="2 mm", face_width="20 mm", bore="12 mm")
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", gear.with_(teeth=31), mesh_with=a, towards="x")
    m.gear_pair("mesh", a, b, mesh=mesh)
    return m


@pytest.mark.parametrize(
    "options, said",
    [
        ({}, {}),
        (
            {"modes": "40 kHz", "damping_ratio": 0.02, "backlash": "50 um", "friction": 0.05, "friction_speed": "2 mm/s"},
            {"modes": "40 kHz", "damping_ratio": 0.02, "backlash": "50 um", "friction": 0.05, "friction_speed": "2 mm/s"},
        ),
        (
            {"penalty": "1e8 N/m", "separating": False, "follow_centres": False},
            {"penalty": "100 N/um", "separating": False, "follow_centres": False},
        ),
        (
            {"elements_a": {"size": "1 mm", "face_elements": 2}, "elements_b": {"flank_edge": 4e-4}},
            {"elements_a": {"size": "1 mm", "face_elements": 2}, "elements_b": {"flank_edge": 4e-4}},
        ),
    ],
)  # fmt: skip
def test_elastic_flanks(options: dict[str, object], said: dict[str, object]) -> None:
    m = elastic_pair(pl.Flank(**options))  # type: ignore[arg-type]
    assert tomllib.loads(m.to_toml())["gear_pairs"]["mesh"]["mesh"] == ({"kind": "flank", **said} if said else "flank")
    assert again(m).describe() == m.describe()


MESHES: list[tuple[pl.Elastic | pl.Flank | pl.Loaded | pl.Rigid | pl.Rolling, object]] = [
    (pl.Rolling(), "rolling"),
    (pl.Rigid(), "rigid"),
    (pl.Elastic(), "elastic"),
    (pl.Elastic("loaded", torque="80 N*m"), {"kind": "elastic", "stiffness": "loaded", "torque": "80 N*m"}),
    (pl.Loaded(), "loaded"),
    (pl.Loaded(torque="100 N*m", loads=6), {"kind": "loaded", "torque": "100 N*m", "loads": 6}),
    (
        pl.Loaded(torque=["10 N*m", 30], phases=32, coast=True, bore="free", elements_a={"size": "1 mm"}, damping_ratio=0.02),
        {
            "kind": "loaded", "torque": ["10 N*m", "30 N*m"], "phases": 32, "coast": True, "bore": "free",
            "elements_a": {"size": "1 mm"}, "damping_ratio": 0.02,
        },
    ),
]  # fmt: skip


@pytest.mark.parametrize("mesh, said", MESHES)
def test_a_mesh_is_a_word_or_a_table_of_what_differs(mesh: pl.Loaded, said: object) -> None:
    m = elastic_pair(mesh)
    assert tomllib.loads(m.to_toml())["gear_pairs"]["mesh"]["mesh"] == said
    assert again(m).describe() == m.describe()


def test_tables_of_loaded_teeth() -> None:
    m = elastic_pair(pl.Flank())
    a, b = m.wheels.values()
    table = [[0.0, 1e-7 / 3], [1e-6, 2e-6], [3e-6, 4.123456789e-6]]
    m.gear_pair("tables", a, b, mesh=pl.Loaded([0, 100, 3000], table, coast=table, damping_ratio=0.02, backlash=0))
    assert again(m).describe() == m.describe()


def test_a_machine_of_everything_reads_back_equal() -> None:
    m = machine()
    assert again(m).describe() == m.describe()


@pytest.mark.parametrize("seed", range(12))
def test_random_mechanisms_read_back_equal(seed: int) -> None:
    """Frames anywhere, full matrices: to the last bit."""
    m = random_mechanism(np.random.default_rng(seed), 4, 2)
    assert again(m).describe() == m.describe()


def test_rolling_without_gears() -> None:
    m = pl.Model("roll")
    for name, x in (("a", 0.0), ("b", 0.3)):
        m.body(name, mass=1, inertia=(1, 1, 1), position=(x, 0, 0))
        m.revolute(f"hinge {name}", m.ground, name)
    m.gear_pair("pair", "a", "b", mesh=pl.Rolling(ratio=Fraction(51, 50)))
    text = m.to_toml()
    assert 'ratio = "= 51 / 50"' in text
    assert files.read(text).model.describe() == m.describe()


@pytest.mark.parametrize(
    "function",
    [
        pl.Constant(3),
        pl.Harmonic(2, 3, 0.1, 4),
        pl.Fourier(2.0, 1, [1, 2], [3]),
        pl.Fourier(2.0, 1, [0, 0], [0, 0]),
        pl.Fourier(1.0, 0, [], [0, 1]),
        pl.Polynomial([1, 2, 3]),
        pl.Ramp(1, 2, 0.5, 3, smooth=False),
        pl.Table([0, 1, 3], [1, 2, 1], "cubic", periodic=True),
        pl.Table([0, 1], [1, 2], outside="continue"),
        pl.PiecewisePolynomial([0, 1, 2], [[1, 2], [3, 4]], periodic=True, gain_per_period=2),
        pl.Sum([pl.Ramp(0, 1), 3.0, pl.Sum([pl.Harmonic(1, 2)])]),
        pl.Table([0, 1], [1, 2]).scaled(3.0),
    ],
    ids=lambda f: type(f).__name__,
)
def test_functions_read_back_equal(function: pl.Function) -> None:
    m = pl.Model("one")
    m.body("a", mass=1, inertia=(1, 1, 1))
    m.torque("load", m.revolute("hinge", m.ground, "a"), function)
    assert again(m).describe() == m.describe()


def test_readable_words_are_chosen() -> None:
    m = pl.Model("pair", gravity=(0, 0, -9.81))
    gear = pl.Gear(teeth=20, normal_module="2 mm", face_width="20 mm", helix_angle="15 deg")
    other = pl.Gear(teeth=31, normal_module="2 mm", face_width="20 mm", helix_angle="-15 deg")
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", other, mesh_with=a, towards="y")
    m.revolute("in", m.ground, a)
    m.revolute("out", m.ground, b, axis="z")
    m.gear_pair("mesh", a, b)
    m.drive("motor", "in", speed="12000 rpm")
    text = m.to_toml()
    data = tomllib.loads(text)
    assert data["gears"]["a"] == {"teeth": 20, "normal_module": "2 mm", "helix_angle": "15 deg", "face_width": "20 mm"}
    assert data["bodies"]["a"] == {"gear": "a", "axis": "z"}
    assert data["bodies"]["b"] == {"gear": "b", "mesh_with": "a", "towards": "y"}
    assert data["joints"]["out"] == {"kind": "revolute", "a": "ground", "b": "b", "axis": "z"}
    assert data["drives"]["motor"] == {"joint": "in", "speed": "12000 rpm"}
    assert text.startswith('name = "pair"\ngravity = [0, 0, "-9.81 m/s^2"]\n')


def test_names_with_blanks_and_signs() -> None:
    m = pl.Model('the "first" model\\')
    m.body("shaft 1 (left) é", mass=1, inertia=(1, 1, 1))
    m.revolute('hinge "a" = [b]', m.ground, "shaft 1 (left) é")
    assert again(m).describe() == m.describe()


def test_python_functions_are_named() -> None:
    m = everything()
    m.drive("wave", "screw", speed=lambda t: 0.1 * t, coordinate="angle")
    with pytest.raises(pl.ModelError) as caught:
        m.to_toml()
    assert len(caught.value.problems) == 2
    assert 'force "force": value[2] is the Python function' in str(caught.value)
    assert 'drive "wave": speed is the Python function' in str(caught.value)
    assert "Use a Table" in str(caught.value)


def test_everything_else_of_everything() -> None:
    m = everything().replaced(without="force")
    assert again(m).describe() == m.describe()


def test_analyses_and_figures_are_written_too() -> None:
    file = files.read(FILE)
    text = files.write(file.model, file.steps, file.figures, file.plot)
    # its parameters are numbers now, so that none can be set in an analysis
    text = text.replace('parameters = { tilt = "20 deg" }\n', "")
    back = files.read(text)
    assert [(s.name, s.kind, s.start) for s in back.steps] == [(s.name, s.kind, s.start) for s in file.steps]
    assert back.figures == file.figures and back.plot == file.plot


def test_a_file_is_not_replaced_unasked(tmp_path: Path) -> None:
    m = machine()
    path = tmp_path / "machine.toml"
    text = m.to_toml(path)
    assert path.read_text(encoding="utf-8") == text
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(StorageError, match="already exists"):
        m.to_toml(path)
    assert path.read_text(encoding="utf-8") == "mine"
    m.to_toml(path, overwrite=True)
    assert pl.load(path).model.describe() == m.describe()
    assert [item.name for item in tmp_path.iterdir()] == ["machine.toml"]


@settings(max_examples=300, deadline=None)
@given(st.floats(-1e30, 1e30), st.sampled_from(sorted(DIMENSIONS)))
def test_quantities_read_back_to_the_bit(value: float, dimension: str) -> None:
    assert quantity(with_unit(value, dimension), dimension, what="value") == value


@pytest.mark.parametrize(
    "value, dimension, text",
    [
        (0.002, "length", "2 mm"),
        (0.5, "length", "0.5 m"),
        (5e-5, "length", "50 um"),
        (1e8, "stiffness", "100 N/um"),
        (1.0, "stiffness", "1 N/m"),
        (0.3490658503988659, "angle", "20 deg"),
        (1256.6370614359173, "angular velocity", "12000 rpm"),
        (0.0, "force", 0),
        (0.1234567890123, "length", "0.1234567890123 m"),
    ],
)
def test_units_are_those_that_read_best(value: float, dimension: str, text: str | int) -> None:
    assert with_unit(value, dimension) == text
