"""Robots from URDF files: links, joints, options, report, paths and messages."""

import math
from pathlib import Path

import numpy as np
import pytest
from references.robot_files import ARM_URDF

import pitchline as pl
from pitchline.cli import main
from pitchline.exchange.formats import import_model
from pitchline.exchange.robots.model_maker import import_urdf
from pitchline.exchange.safe_xml import ExchangeError

LINK = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    path = tmp_path / "arm.urdf"
    path.write_text(ARM_URDF)
    return path


def quaternion_matrix(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def robot(tmp_path: Path, body: str, name: str = "robot.urdf") -> Path:
    path = tmp_path / name
    path.write_text(f'<robot name="r">\n{body}\n</robot>')
    return path


def two(tmp_path: Path, joint: str = "", kind: str = "revolute", link: str = LINK) -> Path:
    """A base and one link on a joint."""
    return robot(
        tmp_path,
        f'<link name="base">{LINK}</link>\n<link name="link">{link}</link>\n'
        f'<joint name="j" type="{kind}"><parent link="base"/><child link="link"/>{joint}</joint>',
    )


def test_links_joints_and_frames(arm: Path) -> None:
    m = pl.from_urdf(arm)
    assert list(m.bodies) == ["base", "upper", "lower", "left", "right"]
    assert {name: joint.kind for name, joint in m.joints.items()} == {
        "world_fixed": "fixed",
        "shoulder": "revolute",
        "elbow": "revolute",
        "left_finger": "prismatic",
        "right_finger": "prismatic",
    }
    assert m.mass == pytest.approx(4 + 2.5 + 1.2 + 0.3 + 0.1 + 0.12)
    assert m.gravity == pytest.approx([0, 0, -9.81])
    assert [name for name, element in m.elements.items() if element.key == "sensor"] == ["world", "flange", "tool"]
    assert m.loads["shoulder_damper"].damping == 0.4
    assert m.elements["shoulder_friction"].values["capacity"](0.0) == 0.05
    # the mimic joint starts at its offset
    assert m.joint_coordinates("right_finger")[1] == pytest.approx(0.002)
    assert m.looks["upper"].shape.pieces[0].colour == "#E6801A"
    assert m.looks["lower"].shape.pieces[0].kind == "sphere"  # of the collision element


def test_inertia_is_turned_into_the_axes_of_the_link(arm: Path) -> None:
    """I = R I' R^T with R = Rz(-0.4) Ry(0.1) Rx(0.2)."""
    c, s = np.cos([0.2, 0.1, -0.4]), np.sin([0.2, 0.1, -0.4])
    Rx = np.array([[1, 0, 0], [0, c[0], -s[0]], [0, s[0], c[0]]])
    Ry = np.array([[c[1], 0, s[1]], [0, 1, 0], [-s[1], 0, c[1]]])
    Rz = np.array([[c[2], -s[2], 0], [s[2], c[2], 0], [0, 0, 1]])
    R = Rz @ Ry @ Rx
    I = np.array([[0.04, 0.002, -0.001], [0.002, 0.05, 0.003], [-0.001, 0.003, 0.02]])
    np.testing.assert_allclose(pl.from_urdf(arm).bodies["upper"].inertia, R @ I @ R.T, atol=1e-16)


def test_positions_and_speeds_are_those_of_the_joints(arm: Path) -> None:
    q = {"shoulder": "30 deg", "elbow": -2.5, "left_finger": "10 mm"}
    m = pl.from_urdf(arm, positions=q, speeds={"shoulder": 0.4, "left_finger": "0.1 m/s"})
    assert m.joint_coordinates("shoulder")[0] == pytest.approx(math.radians(30))
    assert m.joint_coordinates("elbow")[0] == pytest.approx(-2.5)
    assert m.joint_coordinates("right_finger")[1] == pytest.approx(0.017)
    space = pl.JointSpace(m, ["shoulder", "elbow", "left_finger"])
    np.testing.assert_allclose(space.positions, [math.radians(30), -2.5, 0.01], atol=1e-12)
    np.testing.assert_allclose(space.speeds, [0.4, 0.0, 0.1], atol=1e-12)


def test_a_model_file_gives_the_same_mass_matrix(arm: Path, tmp_path: Path) -> None:
    m = pl.from_urdf(arm, positions={"elbow": 0.3}, armatures={"elbow": 0.1, "left_finger": "0.2 kg"})
    other = pl.load(write(m, tmp_path / "arm.toml")).model
    a, b = pl.mass_matrix(m), pl.mass_matrix(other)
    assert a.coordinates == b.coordinates
    np.testing.assert_allclose(a.values, b.values, rtol=0, atol=1e-13)
    plain = pl.mass_matrix(pl.from_urdf(arm, positions={"elbow": 0.3}))
    added = np.diag([0.0, 0.1, 0.2])
    np.testing.assert_allclose(a.values - plain.values, added, atol=1e-12)


def write(m: pl.Model, path: Path) -> Path:
    m.to_toml(path)
    return path


def test_locked_joints_become_part_of_a_body(arm: Path) -> None:
    full = pl.from_urdf(arm, positions={"elbow": 0.7})
    m = pl.from_urdf(arm, positions={"elbow": 0.7}, locked=["elbow", "left_finger"])
    assert list(m.bodies) == ["base", "upper"]
    M = pl.mass_matrix(full, ["shoulder", "elbow", "left_finger"])
    np.testing.assert_allclose(pl.mass_matrix(m).values[0, 0], M.values[0, 0], rtol=1e-12)


def test_stops_at_the_limits(arm: Path) -> None:
    m = pl.from_urdf(arm, stops={"shoulder": {"stiffness": 1e4}})
    assert (m.loads["shoulder_stop"].lower, m.loads["shoulder_stop"].upper) == (-2.0, 2.0)
    assert not m.loads["shoulder_stop"].rigid
    assert pl.from_urdf(arm, stops=True).loads["left_finger_stop"].rigid
    with pytest.raises(ExchangeError, match=r'joint "shoulder": its position 2.5 is outside its limits from -2 to 2'):
        pl.from_urdf(arm, stops=True, positions={"shoulder": 2.5})


def test_a_floating_base_moves(arm: Path) -> None:
    m = pl.from_urdf(arm, floating=True)
    assert "world_fixed" not in m.joints
    run = pl.dynamics(m, duration="0.1 s", step="1 ms")
    masses = np.array([body.mass for body in m.bodies.values()])

    def height(k: int) -> float:
        centres = [
            run[f"{name}.position"].values[k]
            + quaternion_matrix(run[f"{name}.orientation"].values[k]) @ b.centre_of_mass
            for name, b in m.bodies.items()
        ]
        return float(masses @ np.array(centres)[:, 2]) / float(masses.sum())

    assert height(-1) - height(0) == pytest.approx(-0.5 * 9.81 * 0.1**2, rel=1e-5)


def test_the_report_lists_what_is_not_used(arm: Path) -> None:
    report = pl.ImportReport()
    pl.from_urdf(arm, report=report)
    assert any("limits of 3 joints:" in text for text in report.of("ignored"))
    assert any("ratio of 1 transmission:" in text for text in report.of("kept"))
    assert report.of("used") == ["8 links as 5 bodies, 4 joints, total mass 8.22 kg"]


def test_names_are_valid_and_unique(tmp_path: Path) -> None:
    path = robot(
        tmp_path,
        f'<link name="ground">{LINK}</link><link name="a.b/c">{LINK}</link>'
        '<joint name="a.b/c" type="revolute"><parent link="ground"/><child link="a.b/c"/></joint>',
    )
    report = pl.ImportReport()
    m = pl.from_urdf(path, report=report)
    assert list(m.bodies) == ["ground_link", "a_b_c_link"] and "a_b_c" in m.joints
    assert 'link "ground" has the name "ground_link" in the model' in report.of("assumed")


def test_massless_links_carry_others(tmp_path: Path) -> None:
    """Two hinges through one point: the link between them needs no mass."""
    body = (
        f'<link name="base"/><link name="cross"/><link name="arm">{LINK}</link>'
        '<joint name="x" type="revolute"><parent link="base"/><child link="cross"/><axis xyz="1 0 0"/></joint>'
        '<joint name="y" type="revolute"><parent link="cross"/><child link="arm"/><axis xyz="0 1 0"/></joint>'
    )
    m = pl.from_urdf(robot(tmp_path, body), positions={"y": 0.5})
    np.testing.assert_allclose(pl.mass_matrix(m).values, np.eye(2), atol=1e-12)
    with pytest.raises(ExchangeError) as error:
        pl.from_urdf(robot(tmp_path, body.replace(LINK, "")))
    assert "line 2" in str(error.value) and 'joint "x" (revolute) moves no inertia' in str(error.value)
    assert "1 more joints" in str(error.value)
    assert not pl.from_urdf(robot(tmp_path, body.replace(LINK, "")), locked=["massless"]).bodies


def test_chains_of_mimic_joints(tmp_path: Path) -> None:
    links = "".join(f'<link name="l{i}">{LINK}</link>' for i in range(4))
    joints = "".join(
        f'<joint name="j{i}" type="revolute"><parent link="l{i}"/><child link="l{i + 1}"/>{mimic}</joint>'
        for i, mimic in enumerate(
            ('<mimic joint="j1" multiplier="2" offset="0.1"/>', '<mimic joint="j2" multiplier="-3"/>', "")
        )
    )
    m = pl.from_urdf(robot(tmp_path, links + joints), positions={"j2": 0.05}, speeds={"j2": 1.0})
    assert m.joint_coordinates("j1")[0] == pytest.approx(-0.15)
    assert m.joint_coordinates("j0")[0] == pytest.approx(-0.2)
    assert m.bodies["l1"].angular_velocity[0] == pytest.approx(-6.0)
    with pytest.raises(
        ExchangeError, match=r'joint "j0" follows joint "j1" and has the value -0.2, not 0.3. Leave it out'
    ):
        pl.from_urdf(robot(tmp_path, links + joints), positions={"j2": 0.05, "j0": 0.3})


BAD = {
    "xacro": ('<macro name="x"/>', "contains xacro macros. Expand it first: xacro robot.xacro > robot.urdf"),
    "no links": ("", "the robot has no <link>"),
    "twice": (
        f'<link name="a">{LINK}</link>\n<link name="a"/>',
        'line 3: link "a": the name is used twice, first in line 2',
    ),
    "no mass": (
        '<link name="a"><inertial><inertia ixx="1" iyy="1" izz="1"/></inertial></link>',
        "<inertial> has no <mass>",
    ),
    "negative mass": ('<link name="a"><inertial><mass value="-1"/></inertial></link>', "must not be negative, got -1"),
    "no inertia": ('<link name="a"><inertial><mass value="1"/></inertial></link>', "<inertial> has no <inertia>"),
    "not a number": (
        '<link name="a"><inertial><mass value="one"/></inertial></link>',
        'must contain numbers, got "one"',
    ),
    "macro": ('<link name="a"><inertial><mass value="${m}"/></inertial></link>', "the file contains xacro macros"),
    "two roots": (f'<link name="a">{LINK}</link><link name="b">{LINK}</link>', "2 links have no parent"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files(case: str, tmp_path: Path) -> None:
    body, message = BAD[case]
    path = robot(tmp_path, body)
    with pytest.raises(ExchangeError) as error:
        pl.from_urdf(path)
    assert str(error.value).startswith(str(path)) and message in str(error.value), str(error.value)


BAD_JOINTS = {
    "limits": ('<limit lower="1" upper="-1"/>', 'joint "j": the lower limit 1 is larger than the upper limit -1'),
    "axis": ('<axis xyz="0 0 0"/>', "the axis has the length 0"),
    "axis of two": ('<axis xyz="0 1"/>', "must have 3 numbers, got 2"),
    "mimic": ('<mimic joint="k"/>', 'there is no joint "k", which joint "j" follows'),
    "itself": ('<mimic joint="j"/>', 'joint "j" follows itself'),
    "damping": ('<dynamics damping="-1"/>', "must not be negative, got -1"),
}


@pytest.mark.parametrize("case", BAD_JOINTS)
def test_bad_joints(case: str, tmp_path: Path) -> None:
    joint, message = BAD_JOINTS[case]
    with pytest.raises(ExchangeError) as error:
        pl.from_urdf(two(tmp_path, joint))
    assert "robot.urdf, line 4" in str(error.value) and message in str(error.value), str(error.value)


def test_other_bad_structures(tmp_path: Path) -> None:
    with pytest.raises(ExchangeError, match="the type 'helical' is not one of revolute, continuous"):
        pl.from_urdf(two(tmp_path, kind="helical"))
    inertia = LINK.replace('ixx="1"', 'ixx="-1"')
    with pytest.raises(ExchangeError, match=r'line 3: link "link": the inertia is not positive definite.*-1, 1 and 1'):
        pl.from_urdf(two(tmp_path, link=inertia))
    path = two(tmp_path)
    text = path.read_text()
    path.write_text(text.replace('<parent link="base"/>', '<parent link="basis"/>'))
    with pytest.raises(ExchangeError, match=r'there is no link "basis" in the file, which is the parent of this joint'):
        pl.from_urdf(path)
    again = '<joint name="k" type="fixed"><parent link="link"/><child link="base"/></joint></robot>'
    path.write_text(text.replace("</robot>", again))
    with pytest.raises(ExchangeError, match="the links form a closed loop, and no link is the base"):
        pl.from_urdf(path)
    path.write_text(
        text.replace("</robot>", again.replace('"base"', '"link"').replace('parent link="link"', 'parent link="base"'))
    )
    with pytest.raises(ExchangeError, match=r'link "link" is the child of two joints, "j" .line 4. and "k"'):
        pl.from_urdf(path)
    with pytest.raises(ExchangeError, match='positions: there is no joint "jj" that moves; did you mean "j"'):
        pl.from_urdf(two(tmp_path), positions={"jj": 0.1})
    for option in ("locked", "gearboxes", "armatures", "stops"):
        with pytest.raises(ExchangeError, match=f'{option}: there is no joint "x"'):
            pl.from_urdf(two(tmp_path), **{option: ["x"] if option == "locked" else {"x": {}}})
    with pytest.raises(ExchangeError, match="is an MJCF file"):
        path.write_text("<mujoco/>")
        pl.from_urdf(path)
    with pytest.raises(ExchangeError, match="No such file"):
        pl.from_urdf(tmp_path / "nothing.urdf")


def test_an_inertia_that_no_body_has_is_used_and_listed(tmp_path: Path) -> None:
    report = pl.ImportReport()
    m = pl.from_urdf(two(tmp_path, link=LINK.replace('ixx="1"', 'ixx="5"')), report=report)
    assert m.bodies["link"].inertia[0, 0] == 5.0
    assert any("no rigid body has the principal moments 1, 1 and 5" in text for text in report.of("assumed"))


def stl_bytes() -> bytes:
    corners = np.array([[[0, 0, 0], [0, 1, 0], [1, 0, 0]], [[0, 0, 0], [1, 0, 0], [0, 0, 1]],
                        [[0, 0, 0], [0, 0, 1], [0, 1, 0]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]], "<f4")  # fmt: skip
    data = bytearray(80) + len(corners).to_bytes(4, "little")
    for triangle in corners:
        data += np.zeros(3, "<f4").tobytes() + triangle.tobytes() + b"\0\0"
    return bytes(data)


def test_meshes_are_read_only_below_named_folders(tmp_path: Path) -> None:
    inside, outside = tmp_path / "robot", tmp_path / "secret"
    for folder in (inside, outside, tmp_path / "pack" / "meshes"):
        folder.mkdir(parents=True)
        (folder / "part.stl").write_bytes(stl_bytes())

    def drawn(name: str, **options: object) -> tuple[bool, str]:
        mesh = f'<visual><geometry><mesh filename="{name}" scale="0.001 0.001 0.001"/></geometry></visual>'
        path = robot(inside, f'<link name="base">{LINK}{mesh}</link>')
        found = import_urdf(path, **options)
        return "base" in found.model.looks, found.report.text()

    assert drawn("part.stl")[0]
    for name in ("../secret/part.stl", str(outside / "part.stl"), "package://secret/part.stl", "file:///etc/passwd"):
        shown, text = drawn(name)
        assert not shown and "not found below the folders of the robot" in text
    (inside / "link.stl").symlink_to(outside / "part.stl")
    assert not drawn("link.stl")[0]
    assert drawn("part.stl", folders=[outside])[0]
    assert drawn("package://pack/meshes/part.stl", packages={"pack": tmp_path / "pack"})[0]
    assert drawn("package://pack/meshes/part.stl", folders=[tmp_path])[0]
    assert not drawn("package://pack/../secret/part.stl", packages={"pack": tmp_path / "pack"})[0]
    with pytest.raises(ExchangeError, match="folders: there is no folder"):
        drawn("part.stl", folders=[tmp_path / "nowhere"])


def test_the_command_writes_a_model_file_with_its_meshes(
    arm: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "part.stl").write_bytes(stl_bytes())
    mesh = '<visual><geometry><mesh filename="m/part.stl"/></geometry></visual>'
    arm.write_text(ARM_URDF.replace('<link name="right">', f'<link name="right">{mesh}'))
    out = tmp_path / "out"
    out.mkdir()
    call = ["import", str(arm), "-o", str(out / "r.toml"), "--start-at", "elbow=20 deg", "--lock", "left_finger"]
    assert main(call) == 0
    text = capsys.readouterr().out
    assert "limits of 1 joint:" in text and "r.toml" in text
    m = pl.load(out / "r.toml").model
    assert m.joint_coordinates("elbow")[0] == pytest.approx(math.radians(20))
    assert (out / "part.stl").exists()
    assert import_model(arm, stops=True).model.loads
    assert main(["import", str(arm), "-o", str(out / "f.toml"), "--keyframe", "x"]) != 0
    assert "files of the format URDF do not have the option --keyframe" in capsys.readouterr().err
