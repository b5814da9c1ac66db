"""Membranes: messages, groups, files, description, pictures."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.errors import ModelError
from pitchline.parts.membranes import MembraneMesh

SQUARE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]


def sheet(**options: Any) -> pl.Model:
    m = pl.Model("sheet")
    m.body("hub", mass=1.0, inertia=(1, 1, 1), position=(0.2, 0.1, 0.3), angular_velocity=(0, 0, 2))
    chosen = {"thickness": "1 mm", "attached": {"hub": "side 1"}, **options}
    m.membrane("web", MembraneMesh.patch(SQUARE, (2, 1)), **chosen)
    return m


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pl.MembraneMesh([], []), "nodes: expected a list"),
        (lambda: pl.MembraneMesh(SQUARE, [(0, 1)]), "three or four different nodes"),
        (lambda: pl.MembraneMesh(SQUARE, [(0, 1, 1)]), "three or four different nodes"),
        (lambda: pl.MembraneMesh(SQUARE, [(0, 1, 9)]), "must be from 0 to 3, got 9"),
        (lambda: pl.MembraneMesh(SQUARE, [(0, 1, -1)]), "must be from 0 to 3, got -1"),
        (lambda: pl.MembraneMesh(SQUARE, [(0, 1, 2)]), "node 3 belongs to no element"),
        (lambda: pl.MembraneMesh(SQUARE, [(0, 2, 1, 3)]), "element 0 with the nodes 0, 2, 1, 3"),
        (lambda: pl.MembraneMesh([*SQUARE[:3], (2, 2, 0)], [(0, 1, 2), (0, 2, 3)]), "element 1 .* has no area"),
        (lambda: pl.MembraneMesh([*SQUARE[:3], (0, 1, 0.3)], [(0, 1, 2, 3)]), "is not flat.*two triangles"),
        (lambda: pl.MembraneMesh([*SQUARE[:3], (0.9, 0.1, 0)], [(0, 1, 2, 3)]), "must be convex|has no area"),
        (lambda: pl.MembraneMesh(SQUARE, [(0, 1, 2, 3)], groups={"x": [7]}), "groups.*must be from 0 to 3"),
        (lambda: pl.MembraneMesh.patch(SQUARE[:3], (1, 1)), "four points, got 3"),
        (lambda: pl.MembraneMesh.patch(SQUARE, (0, 1)), "must be from 1 to 1000"),
        (lambda: pl.MembraneMesh.patch(SQUARE, (900, 900)), "nodes are too many"),
        (lambda: pl.MembraneMesh.patch(SQUARE, 3), "divisions: expected a list"),
        (lambda: pl.MembraneMesh.ring(2, 1), "inner diameter 2000 mm must be smaller"),
        (lambda: pl.MembraneMesh.ring("1 kg", 1), "expected length"),
        (lambda: pl.MembraneMesh.ring(1, 2, around=2), "must be from 3"),
        (lambda: sheet(thickness=0), "thickness"),
        (lambda: sheet(thickness=3), "is larger than the membrane"),
        (lambda: sheet(damping=-1), "damping must not be negative"),
        (lambda: sheet(axis="z"), "axis is perpendicular to element 0"),
        (lambda: sheet(material="steel"), "material must be a Material"),
        (lambda: sheet(prestress=(1, 2)), "prestress"),
        (lambda: sheet(attached="hub"), "attached must contain nodes by the names of bodies"),
        (lambda: sheet(attached={"hib": 0}), 'unknown body "hib"; did you mean "hub"'),
        (lambda: sheet(attached={"hub": "side 9"}), "the mesh has no group 'side 9'"),
        (lambda: sheet(attached={"hub": [0], "ground": [0, 1]}), 'node 0 is fixed to "hub" and to "ground"'),
    ],
)  # fmt: skip
def test_messages(call: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        call()


@pytest.mark.parametrize(
    "connect",
    [
        lambda m: m.revolute("hinge", m.ground, m.membranes["web"]["3"], axis="z"),
        lambda m: m.torque("twist", m.membranes["web"]["3"], (0, 0, 1)),
        lambda m: m.bushing("mount", m.ground, m.membranes["web"]["3"], stiffness=(1, 1, 1, 1, 1, 1)),
        lambda m: m.wheel("gear", m.membranes["web"]["3"], pl.Gear(teeth=20, normal_module="2 mm", face_width="5 mm")),
    ],
)
def test_nodes_take_no_moments(connect: Any) -> None:
    m = sheet()
    with pytest.raises(ModelError, match=r"cannot be connected to \"web 3\".*carries no moment"):
        connect(m)
        pl.statics(m)


def test_forces_act_at_nodes_only() -> None:
    m = sheet()
    m.spring("spring", m.ground, m.membranes["web"]["3"], stiffness=1, free_length=1, at_b=(0.1, 0.9, 0))
    with pytest.raises(ModelError, match="must act at the origin of"):
        m.check()


def test_groups_and_nodes() -> None:
    mesh = MembraneMesh.patch(SQUARE, (2, 1))
    assert dict(mesh.groups) == {"side 1": (0, 1, 2), "side 2": (2, 5), "side 3": (5, 4, 3), "side 4": (3, 0)}
    assert len(pl.MembraneMesh.patch(SQUARE, (2, 1), triangles=True).elements) == 4
    ring = pl.MembraneMesh.ring(1.0, 2.0, around=5, across=1, centre=(1, 2, 3), axis=(0, 1, 1))
    x = ring.nodes - np.array([1.0, 2.0, 3.0])
    assert np.linalg.norm(x[list(ring.groups["outer"])], axis=1) == pytest.approx(1.0)
    assert np.abs(x @ np.array([0.0, 1.0, 1.0])).max() < 1e-12


def test_mass_and_initial_motion() -> None:
    m = sheet()
    web = m.membranes["web"]
    assert web.solid.mass == pytest.approx(7.83)
    assert web.solid.centre_of_mass == pytest.approx([0.5, 0.5, 0.0])
    assert web.solid.inertia[2, 2] == pytest.approx(7.83 / 6)
    assert m.bodies["web 5"].velocity == pytest.approx(np.cross([0, 0, 2], np.array([1, 1, 0]) - [0.2, 0.1, 0.3]))


@pytest.mark.parametrize(
    "mesh",
    [
        pl.MembraneMesh.patch(SQUARE, (2, 1), triangles=True),
        pl.MembraneMesh.ring(0.2, 1.0, around=8, across=2, centre=(0, 0, 1), axis="x"),
        pl.MembraneMesh(SQUARE, [(0, 1, 2), (0, 2, 3)], groups={"edge": [0, 1]}),
    ],
)
def test_files(mesh: pl.MembraneMesh, tmp_path: Path) -> None:
    m = pl.Model("sheet")
    m.body("hub", mass=1.0, inertia=(1, 1, 1))
    brass = pl.Material("brass", density=8500, youngs_modulus="100 GPa", poissons_ratio=0.34)
    m.membrane(
        "web", mesh, thickness="2 mm", material=brass, attached={"hub": [0, 1], "ground": 2}, prestress=("1 MPa", 0, "2 kPa"),
        axis=(0, 1, 1), damping="3 us", velocity=(1, 0, 0), colour="teal",
    )  # fmt: skip
    m.to_toml(tmp_path / "web.toml")
    assert pl.load(tmp_path / "web.toml").model.describe() == m.describe()


def test_files_name_the_line(tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_text(
        'name = "m"\n[membranes.web]\nthickness = "1 mm"\nmesh = { kind = "ring", inner = "3 m", outer = "2 m" }\n'
    )
    with pytest.raises(ModelError, match=r"m\.toml:4: membranes.web.mesh.inner: .*inner diameter"):
        pl.load(tmp_path / "m.toml")
    (tmp_path / "n.toml").write_text('name = "n"\n[membranes.web]\nthickness = "1 mm"\nmesh = { kind = "rng" }\n')
    with pytest.raises(ModelError, match='did you mean "ring"'):
        pl.load(tmp_path / "n.toml")


def test_bodies_can_be_replaced() -> None:
    m = sheet()
    hub = m.bodies["hub"]
    moved = m.replaced(pl.Body("hub", mass=2.0, inertia=(1, 1, 1), position=hub.position + np.array([0.1, 0.0, 0.0])))
    frame = moved.membranes["web"].attached[0]
    assert frame.owner is moved.bodies["hub"]
    assert frame.owner.to_world(frame.position) == pytest.approx([0, 0, 0])  # the mesh is where it was


def test_results_are_stored_and_drawn(tmp_path: Path) -> None:
    m = sheet(prestress="1 kPa")
    m.fixed("clamp", m.ground, "hub")
    result = pl.statics(m)
    assert result["web.von_mises"].values.shape == (1, 2)
    result.save(tmp_path / "r.nc")
    again = pl.Result.load(tmp_path / "r.nc")
    assert again["web.stress_xx"].values == pytest.approx(result["web.stress_xx"].values)
    pl.views.plot_state(again, path=tmp_path / "sheet.png")
    assert (tmp_path / "sheet.png").stat().st_size > 5000
    assert "1 membrane" in m.summary()


@pytest.mark.parametrize(("scale", "warned"), [(0.5, 2), (1.0, 0), (0.8, 0)])
def test_a_ring_of_radii_instead_of_diameters_is_warned_of(scale: float, warned: int) -> None:
    """The hub has the radius 20 mm, the ring gear around the web 160 mm inside its teeth."""
    m = pl.Model("web")
    m.body("hub", solid=pl.cylinder("20 mm", "30 mm", density=7800))
    ring = pl.Gear(teeth=100, normal_module="2 mm", face_width="20 mm", body=pl.GearBody(bore="160 mm"))
    m.gear_body("rim", ring)
    mesh = pl.MembraneMesh.ring(scale * 0.04, scale * 0.16, around=8, across=1)
    m.membrane("web", mesh, thickness="1 mm", attached={"hub": "inner", "rim": "outer"})
    said = [text for text in m.warnings if "takes diameters" in text]
    assert len(said) == warned
    if warned:
        assert 'membrane "web": its inner circle has the diameter 20 mm, half of that of "hub" (40 mm)' in said[0]
        assert 'its outer circle has the diameter 80 mm, half of that of "rim" (160 mm)' in said[1]
