"""Linear analyses: what they are asked wrongly is said by name, with a way out, before anything is computed."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.analyses import operating_point


def machine() -> pl.Model:
    """Two wheels on hinges, a block on a guide, one load of each sort."""
    m = pl.Model("machine")
    gear = pl.Gear(teeth=20, normal_module=0.1)
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z", mass=1.0, inertia=(1, 1, 1))
    b = m.gear_body("b", gear, mesh_with=a, mass=1.0, inertia=(1, 1, 1))
    block = m.body("block", mass=1.0, inertia=(1, 1, 1), position=(0, 0, 3))
    hinge, _, guide = (
        m.revolute("hinge", m.ground, a),
        m.revolute("output", m.ground, b),
        m.prismatic("guide", m.ground, block, axis="x"),
    )
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(1e3, backlash=0))
    m.torque("load", hinge, 1.0)
    m.force("push", block, (1, 0, 0))
    m.spring("spring", m.ground, block, at_a=(-1, 0, 3), at_b=(0, 0, 3), stiffness=100.0)
    m.force("slide", guide, 0.0)
    return m


def respond(inputs: Any, outputs: Any = "hinge.angle", **options: Any) -> Callable[[pl.Model], Any]:
    return lambda m: pl.frequency_response(m, inputs, outputs, **options)


ASKED: list[tuple[Callable[[pl.Model], Any], str]] = [
    # inputs
    (respond("lood"), r'input "lood" does not exist; did you mean "load"\?.* An input is a load or a drive of the model'),
    (respond("push"), 'input "push": specify the component: "push.x", "push.y" or "push.z"'),
    (respond("spring"), 'input "spring": spring "spring" has no value to vary. Specify a force, torque or drive'),
    (respond("guide.torque"), 'input "guide.torque": joint "guide" has no angle to act on'),
    (respond("hinge.force"), 'input "hinge.force": joint "hinge" has no displacement to act on'),
    (respond("block.force.q"), 'input "block.force.q" does not exist'),
    (respond([]), r"inputs must be a name or a list of names, got \[\]"),
    (respond(3), "inputs must be a name or a list of names, got 3"),
    (respond(["load", 4]), "inputs must be a name or a list of names"),
    # outputs
    (respond("load", None), "outputs must be a name or a list of names, got None"),
    (respond("load", "hinge.angel"), 'output "hinge.angel" is not a signal of this model; did you mean "hinge.angle"'),
    (respond("load", "block.position"), 'output "block.position" has several components. Specify one: "block.position.x" or'),
    (respond("load", "block.position.w"), 'output "block.position.w" is not a signal of this model'),
    # frequencies
    (respond("load", frequencies=[1.0, -2.0]), r"frequencies must be one or more numbers, not negative \[Hz\], got -2"),
    (respond("load", frequencies="3 m"), "frequencies"),
    (respond("load", frequencies=[]), r"frequencies must be one or more numbers, not negative \[Hz\]"),
    (respond("load", frequencies=object()), r"frequencies must be numbers \[Hz\] or strings with units"),
    # operating points
    (lambda m: pl.modes(m, about="rest"), r'about must be the result of an analysis \(its end is the operating point\)'),
    (lambda m: pl.modes(m, turning_with="carrier"), 'turning_with: no body "carrier"'),
    (lambda m: pl.modes("machine"), "expected a Model, got"),
    (lambda m: pl.linear_model(None, "load", "hinge.angle"), "expected a Model, got None"),
    (lambda m: pl.campbell(3, "hinge", [0.0, 1.0]), "expected a Model, got 3"),
    (lambda m: pl.floquet(m.bodies, "hinge", [1.0]), "expected a Model, got"),
    # shafts and speeds
    (lambda m: pl.campbell(m, "hing", [0.0, 1.0]), 'shaft: the model has no joint "hing"; did you mean "hinge"'),
    (lambda m: pl.campbell(m, "guide", [0.0, 1.0]), 'shaft: joint "guide" has no angle. Specify a revolute joint of the shaft'),
    (lambda m: pl.campbell(m, "hinge", [2.0, 1.0]), r"speeds must be one or more increasing numbers \[rad/s\]"),
    (lambda m: pl.campbell(m, "hinge", []), "speeds must be one or more increasing numbers"),
    (lambda m: pl.campbell(m, "hinge", None), r"speeds must be numbers \[rad/s\] or strings with units, got None"),
    (lambda m: pl.campbell(m, "hinge", ["3 m"]), "speeds"),
    (lambda m: pl.campbell(m, "hinge", [1.0], orders=3), r"orders must be a dictionary \{name: cycles per revolution\}, got 3"),
    (lambda m: pl.campbell(m, "hinge", [1.0], orders={"x": "y"}), 'orders: "x" must be a number of cycles per revolution'),
    (lambda m: pl.campbell(m, "hinge", [1.0], highest="3 m"), "campbell: highest"),
    (lambda m: pl.floquet(m, "hing", [1.0]), 'shaft: the model has no joint "hing"'),
    (lambda m: pl.floquet(m, "hinge", [0.0, 1.0]), "floquet: speeds must not be zero. A machine at rest has no period"),
    (lambda m: pl.floquet(m, "hinge", [1.0], cycle="mush"), 'floquet: cycle: no gear pair "mush"; the model has mesh'),
    (lambda m: pl.floquet(m, "hinge", [1.0], ripples=["a"]), r"floquet: ripples must be numbers, got \['a'\]"),
    (lambda m: pl.floquet(m, "hinge", [1.0], steps=0), "floquet: steps must be a whole number of 2 or more, got 0"),
    (lambda m: pl.floquet(m, "hinge", [1.0], samples=2.5), "floquet: samples must be a whole number of 2 or more, got 2.5"),
]  # fmt: skip


@pytest.mark.parametrize(("ask", "message"), ASKED, ids=[text[:40] for _, text in ASKED])
def test_what_is_asked_wrongly(ask: Callable[[pl.Model], Any], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    m = machine()
    before = m.describe()

    def computed(*_: Any, **__: Any) -> Any:
        raise AssertionError("computed before it was checked")

    if "output " not in message:  # signals are known once the model is compiled
        monkeypatch.setattr(operating_point, "sparse_motion", computed)
    with pytest.raises(pl.PitchlineError, match=message):
        ask(m)
    assert m.describe() == before


def test_a_model_stays_as_it_was() -> None:
    """Inputs that the model does not have are put into a copy."""
    m = machine()
    before = m.describe()
    pl.frequency_response(
        m, ["block.force.x", "a.torque.z", "output.torque", "mesh.error"], "hinge.angle", frequencies=1.0
    )
    assert m.describe() == before


def test_two_pairs_need_a_cycle() -> None:
    m = machine()
    gear = pl.Gear(teeth=20, normal_module=0.1)
    m.wheel("a2", "a", gear, at=(0, 0, 1), axis="z")
    c = m.gear_body("c", gear, mesh_with="a2", towards=(0, 1, 0), mass=1.0, inertia=(1, 1, 1))
    m.revolute("third", m.ground, c)
    m.gear_pair("mesh2", "a2", c, mesh=pl.Elastic(1e3, backlash=0))
    with pytest.raises(
        pl.ModelError, match='specify with cycle= the gear pair that defines the period: mesh, mesh2, or "revolution"'
    ):
        pl.floquet(m, "hinge", [1.0])
    assert pl.floquet(m, "hinge", [1.0], cycle="mesh2").stable.all()


def test_shafts_that_cannot_turn() -> None:
    m = machine()
    m.torsion_spring("hold", "output", stiffness=1e-6)
    with pytest.raises(pl.ModelError, match='shaft "hinge" cannot rotate steadily: it would stretch "hold"'):
        pl.campbell(m, "hinge", [1.0])
    m = machine()
    m.drive("brake", "output", angle=0.0)
    with pytest.raises(
        pl.ModelError, match='shaft "hinge" cannot rotate steadily: joints, drives, springs or weights hold it'
    ):
        pl.campbell(m, "hinge", [1.0])
    m = machine()
    m.drive("motor", "hinge", speed=1.0)
    m.drive("brake", "output", angle=0.0)
    with pytest.raises(pl.ModelError, match='shaft "hinge" cannot rotate steadily: it would stretch "mesh"'):
        pl.campbell(m, "hinge", [1.0])


def test_models_without_motion() -> None:
    m = pl.Model("still")
    a = m.body("a", mass=1.0, inertia=(1, 1, 1))
    m.fixed("foot", m.ground, a)
    with pytest.raises(pl.ModelError, match=r'model "still" has no .*: .*'):
        pl.modes(m)
    m = pl.Model("driven")
    a = m.body("a", mass=1.0, inertia=(1, 1, 1))
    m.drive("motor", m.revolute("hinge", m.ground, a, axis="z"), speed=1.0)
    with pytest.raises(pl.ModelError, match='model "driven" cannot move: joints and drives determine the whole motion'):
        pl.modes(m)


def test_motions_without_inertia() -> None:
    m = pl.Model("light")
    a = m.body("a", mass=0.0, inertia=(0, 0, 0))
    m.prismatic("guide", m.ground, a, axis="x")
    m.spring("spring", m.ground, a, at_a=(-1, 0, 0), at_b=(0, 0, 0), stiffness=100.0)
    with pytest.raises(pl.PitchlineError, match=r"no mass or inertia|has no inertia"):
        pl.modes(m)


def test_frequencies_without_an_answer() -> None:
    m = machine()
    with pytest.raises(pl.ModelError, match=r"0 Hz for a machine that rotates freely. Leave it out, or add damping"):
        pl.frequency_response(m, "load", "hinge.angle", frequencies=0.0)
    free = pl.Model("free")
    a = free.body("a", mass=1.0, inertia=(1, 1, 1))
    free.revolute("hinge", free.ground, a, axis="z")
    with pytest.raises(pl.ModelError, match=r"frequencies: this model has no vibration modes. Specify the frequencies"):
        pl.frequency_response(free, "hinge.torque", "hinge.angle")
    found = pl.frequency_response(free, "hinge.torque", "hinge.angle", frequencies="1 Hz")
    np.testing.assert_allclose(found.between(), -1 / (2 * np.pi) ** 2, rtol=1e-8)


def test_drives_that_repeat_others() -> None:
    m = machine()
    m.drive("motor", "hinge", angle=0.0)
    m.cylindrical("again", m.ground, "a", axis="z")
    m.drive("twice", "again", angle=0.0)
    names = [n for n in ("motor", "twice") if _is_redundant(m, n)]
    assert len(names) == 1


def _is_redundant(m: pl.Model, drive: str) -> bool:
    try:
        pl.linear_model(m, drive, "output.angle")
    except pl.ModelError as error:
        assert "this drive repeats other constraints. Remove one of them" in str(error)
        return True
    return False
