"""Mesh laws that users declare: equal to Elastic for the same law, closed forms, tangents, energy, files, messages."""

import math
from dataclasses import replace

import numpy as np
import pytest
from references.element_bench import Probe, call, central, derivatives, moved, residual
from references.gear_mesh_cases import LoadedMesh, mesh_state, some_law
from references.gear_pairs import KINDS, pairs
from references.own_meshes import Hertz, Linear, Misspelt
from verification.test_sticking_mesh import _some as some

import pitchline as pl
from pitchline.analyses.checkpoint import fingerprint
from pitchline.engine.elements.contract import TANGENT
from pitchline.extend import MeshLaw, number
from pitchline.files.reader import check, read
from pitchline.parts.meshes.compile import own_address
from pitchline.parts.meshes.kernel import gear_mesh
from pitchline.parts.meshes.kernel_law import encode_geometry

PINION = pl.Gear(teeth=25, normal_module="4 mm", face_width="30 mm")
WHEEL = pl.Gear(teeth=50, normal_module="4 mm", face_width="30 mm")
TORQUE = 200.0
LOAD = 1e10 * 1e-5**1.5
"""Force of the law at 10 um: 1e10 N/m^1.5."""
BASE = 0.1 * math.cos(math.radians(20.0))
"""Base radius of the wheel [m]."""


def build(mesh, *, speed: float | None = 10.0, gears=(PINION, WHEEL)) -> pl.Model:
    m = pl.Model("pair")
    a = m.gear_body("pinion", gears[0], position=(0, 0, 0), axis="z")
    b = m.gear_body("wheel", gears[1], mesh_with=a, towards="x")
    first, second = m.revolute("first", m.ground, a), m.revolute("second", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=mesh)
    m.drive("motor", first, **({"angle": 0} if speed is None else {"speed": speed}))
    m.torque("load", second, TORQUE)
    return m


@pytest.mark.parametrize(
    "options", ({"backlash": 0}, {"backlash": "0.1 mm"}, {"error": "5 um", "follow_centres": False}), ids=str
)
def test_the_same_as_elastic(options: dict) -> None:
    """A linear law gives the results of Elastic, in contact, in the backlash and on both flanks."""
    both = [
        pl.dynamics(build(mesh), duration=0.01, step=1e-5, output_step=1e-4)
        for mesh in (
            pl.Elastic(2e8, damping=1e3, damping_acts="in contact", **options),
            Linear(stiffness=2e8, damping=1e3, **options),
        )
    ]
    for name in (
        "second.angle",
        "mesh.normal_force",
        "mesh.loss",
        "energy.potential",
        "mesh.contact",
        "mesh.deflection",
    ):
        expected, found = (run[name].values for run in both)
        np.testing.assert_allclose(found, expected, atol=1e-9 * np.max(np.abs(expected)), err_msg=name)


class AlongNormal(MeshLaw):
    """Spring and damper along the normal of the flanks."""

    along = "normal"
    stiffness = number("N/m", "stiffness")
    damping = number("N*s/m", "damping", 0.0)

    def force(s, approach, rate, phase):
        return s.stiffness * approach + s.damping * rate


def test_direction_of_a_law() -> None:
    """Helical teeth: force, penetration, rate, backlash and error of a law are in its direction, as those of Elastic."""
    gears = [gear.with_(helix_angle=sign * 0.4) for gear, sign in ((PINION, 1), (WHEEL, -1))]
    given = {"stiffness": 2e8, "backlash": "30 um", "error": "4 um"}
    for law, along in ((Linear, None), (AlongNormal, "normal")):
        found = []
        for mesh in (law(damping=1e4, **given), pl.Elastic(along=along, damping=1e4, **given)):
            m = build(mesh, speed=None, gears=gears)
            rest = pl.statics(m)
            run = pl.dynamics(m, duration="0.2 ms", step="2 us", output_step="20 us")
            found.append((rest["second.angle"].final, rest["mesh.stiffness"].final, *run["mesh.loss"].values[1:]))
        np.testing.assert_allclose(found[0], found[1], rtol=1e-6)
    with pytest.raises(pl.ModelError, match=r'Tangent.along must be "base circle" or "normal" or "hoop"'):
        type("Tangent", (MeshLaw,), {"along": "tangent", "force": lambda s, approach, rate, phase: 0.0})


def test_statics_and_modes() -> None:
    """Deflection under a torque, and the frequency with the tangent stiffness there."""
    m = build(Hertz(load=LOAD), speed=None)
    rest = pl.statics(m)
    force = TORQUE / BASE
    assert rest["mesh.normal_force"].final == pytest.approx(force, rel=1e-9)
    depth = (force / 1e10) ** (2.0 / 3.0)
    assert rest["mesh.deflection"].final == pytest.approx(depth, rel=1e-9)
    assert rest["mesh.stiffness"].final == pytest.approx(1.5e10 * math.sqrt(depth), rel=1e-9)
    (frequency,) = pl.modes(m, about=rest).frequencies
    inertia = m.bodies["wheel"].inertia[2, 2]
    stiffness = 1.5e10 * math.sqrt(depth) * BASE**2
    assert frequency == pytest.approx(math.sqrt(stiffness / inertia) / (2 * math.pi), rel=1e-9)


@pytest.mark.parametrize("law", ({}, {"damping": 0.5}, {"wave": 0.3}), ids=str)
def test_energy_balance(law: dict) -> None:
    """The energy of the teeth is the integral of their force; a law over the mesh cycle supplies power. Errors are of order 2."""
    m = build(Hertz(load=LOAD, **law), speed=1.0)
    errors = []
    for step in (2e-5, 1e-5):
        run = pl.dynamics(m, duration=0.004, step=step, output_step=4e-5)
        errors.append(float(np.max(np.abs(run["energy.balance_error"].values))))
    assert errors[1] < 1e-3 * np.max(run["energy.potential"].values) and errors[0] / errors[1] > 3.5
    depth, force = run["mesh.deflection"].values, run["mesh.normal_force"].values
    if not law:
        np.testing.assert_allclose(force, 1e10 * np.sign(depth) * np.abs(depth) ** 1.5, rtol=1e-9)
        np.testing.assert_allclose(run["energy.potential"].values, 0.4e10 * np.abs(depth) ** 2.5, rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_tangent(kind: str) -> None:
    """Derivatives by positions and velocities against differences, on both flanks."""
    address = own_address(Hertz(load=0.1 * LOAD, damping=0.1, wave=0.3))
    for seed in range(4):
        rng = np.random.default_rng(seed)
        state = mesh_state(next(iter(some(pairs(kind), seed))), rng)
        mesh = LoadedMesh(
            state, some_law(state, rng, flank=("drive", "coast")[seed % 2], consistent=False, damping=False)
        )
        law, functions = mesh.law.encode(own=address, own_length=0.9)
        g = state.pair
        for follow in (False, True):
            geometry = encode_geometry(
                g.pitch, g.point_a, g.triad_a, g.point_b, g.triad_b, length=0.9, follow_centres=follow
            )
            element = gear_mesh("mesh", (3, 7), geometry, law)
            probe = Probe(element, state.P, state.V, np.zeros((2, 6)), np.zeros(0), functions, mesh.probe().memory)
            by_speed = derivatives(probe)[1]
            by_place = np.column_stack(
                [
                    central(lambda d, e=e, p=probe: residual(replace(p, P=moved(p.P, d * e.reshape(2, 6)))), 1e-8)
                    for e in np.eye(12)
                ]
            )
            for J, expected in (
                (call(probe, TANGENT, damping=1.0).J, by_speed), (call(probe, TANGENT, stiffness=1.0).J, by_place),
            ):  # fmt: skip
                assert np.max(np.abs(J - expected)) <= 1e-5 * np.max(np.abs(expected), initial=1e-9)


def test_sticks_with_friction() -> None:
    from references.worm_hoist import WormHoist

    hoist = WormHoist()
    m = hoist.model(Hertz(load=0.1 * LOAD, friction=0.1, sticks=True, backlash=0))
    rest = pl.statics(m)
    run = pl.dynamics(m, duration=0.1, step=1e-4, output_step=1e-2, start=rest)
    assert np.ptp(run["input.angle"].values) < 1e-13


FILE = """
name = "pair"
[gears]
a = { teeth = 25, normal_module = "4 mm", face_width = "30 mm" }
b = { teeth = 50, normal_module = "4 mm", face_width = "30 mm" }
[bodies]
a = { gear = "a", position = [0, 0, 0], axis = "z" }
b = { gear = "b", mesh_with = "a", towards = "x" }
[joints]
first = { kind = "revolute", a = "ground", b = "a" }
second = { kind = "revolute", a = "ground", b = "b" }
[gear_pairs.mesh]
a = "a"
b = "b"
mesh = { type = "references.own_meshes:Hertz", load = "316.23 N", wave = 0.1, backlash = "20 um", error = "1 um" }
"""


def test_files() -> None:
    """A file names the class; its module must be allowed. The writer gives the same file."""
    assert any("It runs only if you allow it" in str(p) for p in check(FILE))
    model = read(FILE, allow="references.own_meshes").model
    mesh = model.gear_pairs["mesh"].mesh
    assert isinstance(mesh, Hertz) and mesh.values["wave"] == 0.1 and mesh.backlash == 2e-5
    text = model.to_toml()
    assert 'type = "references.own_meshes:Hertz"' in text and "damping" not in text
    assert read(text, allow="references").model.to_toml() == text
    assert "Hertz" in model.summary()
    assert model.describe()["gear_pairs"]["mesh"]["mesh"]["parameters"]["load"]["unit"] == "N"


@pytest.mark.parametrize(
    "change, message",
    [
        (("Hertz", "NotALaw"), "is not a mesh law. It must be derived from pitchline.extend.MeshLaw"),
        (("Hertz", "Hrtz"), "cannot be imported"),
        (("316.23 N", "316.23 m"), "expected"),
        (("wave", "waves"), 'unknown key "waves"'),
        (('type = "references.own_meshes:Hertz"', 'type = "hertz"'), 'the type of a mesh law is "module:Class"'),
    ],
)
def test_messages_of_files(change: tuple[str, str], message: str) -> None:
    found = check(FILE.replace(*change), allow="references.own_meshes")
    assert any(message in str(problem) for problem in found), found


def test_messages() -> None:
    with pytest.raises(pl.ModelError, match=r'Hertz: "load" is missing'):
        Hertz()
    with pytest.raises(pl.ModelError, match='there is no argument "lod"'):
        Hertz(lod=1)
    with pytest.raises(pl.UnitError, match="expected"):
        Linear(stiffness="3 kg")
    with pytest.raises(pl.ModelError, match="must return a positive force in contact"):
        build(Linear(stiffness=-1e8))
    with pytest.raises(pl.ModelError, match=r"Misspelt.force cannot be compiled: .*stifness"):
        pl.statics(build(Misspelt(stiffness=1e8)))
    with pytest.raises(AttributeError, match="cannot be changed"):
        Linear(stiffness=1.0).values = {}
    with pytest.raises(TypeError, match="needs a function force"):
        type("Empty", (MeshLaw,), {})
    with pytest.raises(TypeError, match="is reserved"):
        type("Wrong", (MeshLaw,), {"backlash": number("m", "play"), "force": lambda s, approach, rate, phase: 0.0})

    class Local(MeshLaw):
        """A law that no file can name."""

        def force(s, approach, rate, phase):
            return 1e8 * approach

    m = build(Local(), speed=None)
    assert pl.statics(m)["mesh.normal_force"].final == pytest.approx(TORQUE / BASE, rel=1e-9)
    with pytest.raises(pl.ModelError, match="not in a module that can be imported by name"):
        m.to_toml()


def test_checkpoints_know_the_law() -> None:
    """A checkpoint is valid only for the same code and values."""

    def law(power: float) -> type[MeshLaw]:
        class Own(MeshLaw):
            """A law."""

            def force(s, approach, rate, phase):
                return 1e8 * approach**power

        return Own

    one, same, other = (fingerprint(build(law(p)()), 0.0, 1.0) for p in (1.5, 1.5, 1.6))
    assert one == same != other
