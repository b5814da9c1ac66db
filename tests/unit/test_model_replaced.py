"""Model.replaced: a copy with parts replaced, added or left out; the model itself stays as it is."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from references.layers import layer_of, module_of

import pitchline as pl
from pitchline.model import Drive, Joint

SOURCE = Path(__file__).parents[2] / "src" / "pitchline"


def machine(plane: str | None = None) -> pl.Model:
    m = pl.Model("machine", gravity=(0, 0, -9.81) if plane is None else (0, 0, 0), plane=plane)
    a = m.body("a", mass=1, inertia=(1, 1, 1))
    b = m.body("b", mass=2, inertia=(1, 1, 1), position=(1, 0, 0))
    hinge = m.revolute("hinge", m.ground, a, axis="z")
    m.revolute("elbow", a, b, at=(1, 0, 0), axis="z")
    m.spring("spring", a, b, stiffness=1e3, free_length=1.0)
    m.torque("torque", hinge, 1.0)
    m.force("force", b, (1.0, 0, 0), reaction=a)
    m.drive("motor", "elbow", speed=1.0)
    return m


def geared() -> pl.Model:
    gear = pl.Gear(teeth=20, normal_module="2 mm", normal_pressure_angle="20 deg", face_width="20 mm")
    m = pl.Model("pair")
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", gear, mesh_with=a, towards="x")
    m.revolute("left", m.ground, a)
    m.revolute("right", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(1e8))
    return m


def test_the_model_itself_stays_as_it_is() -> None:
    m = machine()
    before, parts = m.describe(), [dict(getattr(m, s)) for s in ("bodies", "joints", "drives", "loads")]
    n = m.replaced(
        replace(m.bodies["b"], mass="5 kg"), replace(m.loads["spring"], stiffness=2e3), without=["motor", "force"]
    )
    n.body("c", mass=1, inertia=(1, 1, 1))
    n.gravity = (0, 0, 0)
    assert m.describe() == before
    assert [dict(getattr(m, s)) for s in ("bodies", "joints", "drives", "loads")] == parts
    assert n.bodies["b"].mass == 5.0 and n.loads["spring"].stiffness == 2e3
    assert list(n.loads) == ["spring", "torque"] and not n.drives
    m.body("d", mass=1, inertia=(1, 1, 1))
    assert "d" not in n.bodies and "c" not in m.bodies


def test_without_arguments_it_is_an_equal_copy() -> None:
    m = geared()
    n = m.replaced()
    assert type(n) is pl.Model
    assert n.describe() == m.describe() and n.bodies == m.bodies and n.ground is m.ground


def test_the_order_stays_and_new_parts_come_last() -> None:
    m = machine()
    n = m.replaced(replace(m.loads["force"], name="push"), replace(m.loads["spring"], damping=3.0))
    assert list(n.loads) == ["spring", "torque", "force", "push"]


def test_frames_on_a_replaced_body_keep_their_place_and_analyses_run() -> None:
    m = machine().replaced(without="motor")
    n = m.replaced(replace(m.bodies["b"], mass=4.0))
    assert n.loads["spring"].frame_b.owner is n.bodies["b"]
    assert n.joints["elbow"].frame_b.owner is n.bodies["b"] and n.joints["elbow"].frame_a.owner is n.bodies["a"]
    assert (n.joints["elbow"].frame_b.position == m.joints["elbow"].frame_b.position).all()
    n.check()
    n.force("more", n.joints["elbow"].frame_b, (0, 1, 0))


def test_left_out_parts_may_be_made_anew() -> None:
    m = machine().replaced(without="force")
    m.force("force", "b", (0, 2.0, 0))
    assert m.loads["force"].components[1].value == 2.0


def test_a_body_goes_with_its_wheel_and_a_pair_is_made_anew() -> None:
    m = geared()
    alone = m.replaced(without=["b", "right", "mesh"])
    assert list(alone.wheels) == ["a"] and list(alone.bodies) == ["a"]
    heavier = m.replaced(replace(m.bodies["b"], mass=9.0), without="mesh")
    heavier.gear_pair("mesh", "a", "b", mesh=pl.Elastic(1e8))
    heavier.check()
    with pytest.raises(
        pl.ModelError, match=r'gear pair "mesh": was made with another wheel "b" on body "b".*remove the pair'
    ):
        m.replaced(replace(m.bodies["b"], mass=9.0))
    with pytest.raises(pl.ModelError, match='gear pair "mesh": needs body "b", which is removed'):
        m.replaced(without=["b", "right"])


def test_errors_name_the_part() -> None:
    m = machine()
    spring, motor = m.loads["spring"], m.drives["motor"]
    other = machine()
    for parts, without, message in (
        ((), "sprin", "there is no part 'sprin' to remove; did you mean \"spring\""),
        ((), [3], "without must be names of parts, got 3"),
        ((), "hinge", 'load "torque": needs joint "hinge", which is removed'),
        ((), ["b", "elbow", "motor"], 'load "spring": needs body "b", which is removed'),
        ((), ["a", "hinge", "torque", "elbow", "motor", "spring"], 'load "force": needs body "a", which is removed'),
        ((m.ground,), (), r"Body\('ground'\) \(Body\) cannot replace a part"),
        (("spring",), (), r"'spring' \(str\) cannot replace a part"),
        ((spring, spring), (), 'load "spring": is given twice'),
        ((spring,), "spring", 'load "spring": is both removed and given'),
        ((replace(spring, name="hinge"),), (), 'load "hinge": the name is already used by a joint'),
        ((replace(motor, joint_name="elbo"),), (), 'drive "motor": unknown joint "elbo"; did you mean "elbow"'),
        ((replace(motor, name="second"),), (), 'drive "second": joint "elbow" is already driven by "motor"'),
        ((other.loads["spring"],), (), 'load "spring": body "a" belongs to another model'),
    ):
        with pytest.raises(pl.ModelError, match=message):
            m.replaced(*parts, without=without)


def test_a_joint_must_keep_the_coordinates_that_others_use() -> None:
    m = machine()
    elbow = m.joints["elbow"]
    ball = Joint("elbow", "spherical", elbow.frame_a, elbow.frame_b)
    with pytest.raises(pl.ModelError, match=r'drive "motor": joint "elbow" \(spherical\) has no angle'):
        m.replaced(ball)
    assert m.replaced(ball, without="motor").joints["elbow"].kind == "spherical"


def test_parts_of_a_planar_model_stay_in_the_plane() -> None:
    m = machine("xy")
    zero, one = m.loads["force"].components[1], m.loads["force"].components[0]
    with pytest.raises(
        pl.ModelError, match='force "force": has 1 N along z, but model "machine" moves in the xy plane'
    ):
        m.replaced(replace(m.loads["force"], components=(zero, zero, one)))
    with pytest.raises(pl.ModelError, match='body "b": its velocity has 1 m/s along z'):
        m.replaced(replace(m.bodies["b"], velocity=(0, 0, 1)))
    with pytest.raises(pl.ModelError, match="can only rotate"):
        cylinder = replace(m.joints["elbow"], kind="cylindrical")
        m.replaced(cylinder, Drive("motor", "elbow", "displacement", m.drives["motor"].function, "speed"))


def test_an_input_out_of_the_plane_is_named() -> None:
    with pytest.raises(pl.ModelError, match=r'input "b\.force\.z": force .* moves in the xy plane'):
        pl.frequency_response(machine("xy").replaced(without="motor"), "b.force.z", "hinge.angle", frequencies=[1.0])


@pytest.mark.slow
def test_no_other_package_touches_the_private_attributes_of_a_model() -> None:
    """Only the class and its methods for each kind of part read or write them: everything else goes through public names."""
    m = pl.Model("m")
    private = {name for name in (*dir(m), *vars(m)) if name.startswith("_") and not name.startswith("__")}
    found = []
    for file in sorted(SOURCE.rglob("*.py")):
        if layer_of(module_of(file, SOURCE)) == "parts":
            continue
        text = file.read_text(encoding="utf-8")
        if not any(name in text for name in private):
            continue
        for node in ast.walk(ast.parse(text)):
            own = (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id in ("self", "cls")
            )
            if (isinstance(node, ast.Attribute) and node.attr in private and not own) or (
                isinstance(node, ast.Constant) and node.value in private
            ):
                found.append(f"{file.relative_to(SOURCE)}:{node.lineno}: {ast.unparse(node)}")
    assert found == []
