"""Parts of a type that a step does not support are errors that name the part and its type, never taken for something else."""

from dataclasses import dataclass

import pytest

import pitchline as pl
from pitchline import files
from pitchline.engine.compile.compiler import compile_model
from pitchline.engine.compile.reduction import plan_nodes
from pitchline.parts.bodies.compile import joint_elements
from pitchline.parts.bodies.plane_checks import load_problem
from pitchline.parts.meshes.force_law import MeshLaw
from pitchline.parts.springs import part as model_loads
from pitchline.views.report.page import write_report
from pitchline.views.scheme import plot_scheme


@dataclass(frozen=True, eq=False)
class Drag:
    """A load that no step knows; it has the fields of a stop."""

    name: str
    joint_name: str
    coordinate: str = "angle"
    lower: float | None = None
    upper: float | None = 1.0
    stiffness: float = 1.0
    damping: float = 0.0


@dataclass(frozen=True, eq=False)
class Rope:
    """A load that no step knows; it has the ends of a spring."""

    name: str
    frame_a: pl.Frame
    frame_b: pl.Frame


class Sticky(pl.Elastic):
    """A mesh that the writer does not support."""


def machine(plane: str | None = None) -> pl.Model:
    m = pl.Model("machine", plane=plane)
    arm = m.body("arm", mass=1, inertia=(1, 1, 1))
    m.revolute("hinge", m.ground, arm, axis="z")
    return m


@pytest.fixture
def dragged(monkeypatch: pytest.MonkeyPatch) -> pl.Model:
    m = machine()
    monkeypatch.setattr(m, "_loads", {"drag": Drag("drag", "hinge")})
    return m


def test_compile_step(dragged: pl.Model) -> None:
    with pytest.raises(pl.ModelError, match='load "drag" is of type Drag, which the compile step does not support'):
        compile_model(dragged)


def test_writer(dragged: pl.Model) -> None:
    with pytest.raises(
        pl.ModelError, match='load "drag" is of type Drag, which the writer of model files does not support'
    ):
        dragged.to_toml()


def test_writer_of_meshes() -> None:
    gear = pl.Gear(teeth=20, normal_module="2 mm", normal_pressure_angle="20 deg")
    m = pl.Model("pair")
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z", mass=1, inertia=(1, 1, 1))
    b = m.gear_body("b", gear, mesh_with=a, towards="x", mass=1, inertia=(1, 1, 1))
    m.gear_pair("mesh", a, b, mesh=Sticky(1e8))
    with pytest.raises(pl.ModelError, match='gear pair "mesh": mesh type Sticky is not supported in model files'):
        m.to_toml()
    with pytest.raises(pl.ModelError, match="mesh has the type Drag, which is not supported"):
        MeshLaw.of(Drag("drag", "hinge"), m.gear_pairs["mesh"].pair, 1.0, 1.0)  # type: ignore[arg-type]


def test_summary(dragged: pl.Model) -> None:
    with pytest.raises(pl.ModelError, match='load "drag" is of type Drag, which the summary does not support'):
        dragged.summary()


def test_description_of_a_value_without_one() -> None:
    m = machine()
    with pytest.raises(TypeError, match=r"object .* \(object\) has no description"):
        m.bodies["arm"].__dict__["mass"] = object()
        m.describe()


def test_report_and_scheme(dragged: pl.Model, tmp_path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(pl.ModelError, match='load "drag" is of type Drag, which the report does not support'):
        write_report(tmp_path / "report.html", pl.statics(machine()), model=dragged)
    m = machine()
    said = m.describe()
    rope = Rope("rope", m.ground.frame(), m.bodies["arm"].frame(position=(1, 0, 0)))
    m._loads["rope"] = rope  # type: ignore[assignment]
    with pytest.raises(pl.ModelError, match='load "rope" is of type Rope, which the schematic does not support'):
        plot_scheme(m.describe())
    said["joints"]["hinge"]["kind"] = "magnetic"
    with pytest.raises(pl.ModelError, match='joint "hinge" is of type magnetic, which the schematic does not support'):
        plot_scheme(said)


def test_planar_models() -> None:
    with pytest.raises(
        pl.ModelError, match='load "drag" is of type Drag, which the check of planar models does not support'
    ):
        load_problem(machine("xy"), Drag("drag", "hinge"))  # type: ignore[arg-type]


def test_joints() -> None:
    m = machine()
    magnetic = m.joints["hinge"]
    object.__setattr__(magnetic, "kind", "magnetic")
    at = magnetic.frame_a.position, magnetic.frame_a.rotation
    with pytest.raises(
        pl.ModelError, match='joint "hinge" is of type magnetic, which the compile step does not support'
    ):
        joint_elements(magnetic, (0, 1), at, at, helix_offset=0.0)


def test_nothing_is_taken_for_a_joint_that_can_be_reduced(monkeypatch: pytest.MonkeyPatch) -> None:
    m = machine()
    object.__setattr__(m.joints["hinge"], "kind", "magnetic")
    monkeypatch.setattr("pitchline.engine.compile.reduction.REDUCIBLE", ("magnetic",))
    arm = m.bodies["arm"]
    with pytest.raises(
        pl.ModelError, match='joint "hinge" is of type magnetic, which the choice of coordinates does not support'
    ):
        plan_nodes(m, {"arm": (arm.position, arm.orientation)}, reduce=True)


def test_every_known_load_passes_every_step(tmp_path) -> None:  # type: ignore[no-untyped-def]
    m = machine()
    arm = m.bodies["arm"]
    bob = m.body("bob", mass=1, inertia=(1, 1, 1), position=(1, 0, 0))
    m.force("force", bob, (1, 0, 0))
    m.torque("torque", bob, (0, 0, 1))
    m.torque("motor", "hinge", 1.0)
    m.spring("spring", arm, bob, stiffness=1e3)
    m.torsion_spring("twist", "hinge", stiffness=1.0)
    m.bushing("bushing", arm, bob, stiffness=(1, 1, 1, 1, 1, 1))
    m.stop("stop", "hinge", stiffness=1e3, upper=1.0)
    assert {type(load) for load in m.loads.values()} == set(model_loads.Load.__args__)  # type: ignore[attr-defined]
    assert all(name in m.summary() for name in m.loads)
    compile_model(m)
    assert files.read(m.to_toml()).model.describe() == m.describe()
    write_report(tmp_path / "report.html", pl.statics(machine()), model=m)
