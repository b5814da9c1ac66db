"""Robots from MJCF files: bodies, joints, defaults, inertias from geoms, relations, actuators and messages."""

import math
from pathlib import Path

import numpy as np
import pytest
from references.robot_files import GEARED_MJCF, TREE_MJCF

import pitchline as pl
from pitchline.exchange.formats import format_of
from pitchline.exchange.safe_xml import ExchangeError

GEOM = '<geom type="sphere" size="0.1"/>'


def file(tmp_path: Path, text: str, name: str = "robot.xml") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def model(tmp_path: Path, body: str, more: str = "", **options: object) -> pl.Model:
    return pl.from_mjcf(file(tmp_path, f"<mujoco>\n<worldbody>\n{body}\n</worldbody>\n{more}\n</mujoco>"), **options)


def test_several_joints_of_one_body_are_a_chain(tmp_path: Path) -> None:
    m = pl.from_mjcf(file(tmp_path, TREE_MJCF))
    assert (m.joints["pan"].body_b, m.joints["lift"].body_a) == ("shoulder_1", "shoulder_1")
    assert m.bodies["shoulder_1"].mass == 0.0
    assert m.joints["ball"].kind == "spherical" and "fly" not in m.joints
    assert m.gravity == pytest.approx([0.5, 0, -9.7])
    # ref is the coordinate in the pose of the file
    assert m.joint_coordinates("lift")[0] == pytest.approx(math.radians(15))
    assert m.joint_coordinates("left_slide")[1] == pytest.approx(0.01)
    assert m.loads["lift_spring"].free_angle == pytest.approx(math.radians(5))
    # classes: childclass "finger", then the joint's own values
    assert m.elements["left_slide_armature"].mass == 0.05
    assert m.elements["bend_armature"].inertia == 0.02
    assert m.bodies["left"].mass == pytest.approx(8 * 0.01 * 0.02 * 0.03 * 2000)


VOLUMES = {
    "sphere": ('size="0.1"', 4 / 3 * math.pi * 1e-3),
    "box": ('size="0.1 0.2 0.3"', 8 * 0.006),
    "cylinder": ('size="0.1 0.2"', math.pi * 0.01 * 0.4),
    "capsule": ('size="0.1 0.2"', math.pi * 0.01 * 0.4 + 4 / 3 * math.pi * 1e-3),
    "ellipsoid": ('size="0.1 0.2 0.3"', 4 / 3 * math.pi * 0.006),
}


@pytest.mark.parametrize("kind", VOLUMES)
def test_mass_follows_from_geoms(kind: str, tmp_path: Path) -> None:
    size, volume = VOLUMES[kind]
    m = model(tmp_path, f'<body name="a"><joint/><geom type="{kind}" {size} density="500"/></body>')
    assert m.bodies["a"].mass == pytest.approx(500 * volume)
    same = model(tmp_path, f'<body name="a"><joint/><geom type="{kind}" {size} mass="3"/></body>')
    np.testing.assert_allclose(same.bodies["a"].inertia / 3, m.bodies["a"].inertia / m.bodies["a"].mass, rtol=1e-12)


def test_compiler_settings(tmp_path: Path) -> None:
    body = '<body name="a"><inertial pos="0 0 0" mass="2" diaginertia="1 1 3"/><joint ref="0.5"/>' + GEOM + "</body>"
    text = "<mujoco><compiler {}/><worldbody>" + body + "</worldbody></mujoco>"

    def read(settings: str) -> pl.Model:
        return pl.from_mjcf(file(tmp_path, text.format(settings)))

    assert read('angle="radian"').joint_coordinates("a_joint")[0] == pytest.approx(0.5)
    assert read("").joint_coordinates("a_joint")[0] == pytest.approx(math.radians(0.5))
    assert read('inertiafromgeom="true"').bodies["a"].mass == pytest.approx(1000 * 4 / 3 * math.pi * 1e-3)
    assert read("").bodies["a"].mass == 2.0
    np.testing.assert_allclose(np.diag(read('balanceinertia="true"').bodies["a"].inertia), 5 / 3)
    assert read('settotalmass="5"').bodies["a"].inertia[2, 2] == pytest.approx(7.5)
    assert read('boundmass="4"').bodies["a"].mass == 4.0
    with pytest.raises(ExchangeError, match="eulerseq must be three letters"):
        read('eulerseq="xy"')


def test_included_files_are_below_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "robot"
    (folder / "parts").mkdir(parents=True)
    (folder / "parts" / "arm.xml").write_text(f'<mujocoinclude><body name="arm"><joint/>{GEOM}</body></mujocoinclude>')
    (tmp_path / "outside.xml").write_text("<mujocoinclude/>")
    text = '<mujoco>\n<worldbody><include file="{}"/></worldbody></mujoco>'
    assert "arm" in pl.from_mjcf(file(folder, text.format("parts/arm.xml"))).bodies
    with pytest.raises(
        ExchangeError, match=r"line 2: include '\.\./outside\.xml': there is no such file below the folder"
    ):
        pl.from_mjcf(file(folder, text.format("../outside.xml")))
    with pytest.raises(ExchangeError, match="the file is included twice"):
        pl.from_mjcf(file(folder, text.format("robot.xml")))


def test_included_files_are_below_folders_of_the_user(tmp_path: Path) -> None:
    folder = tmp_path / "robots" / "arm"
    folder.mkdir(parents=True)
    (tmp_path / "robots" / "hand.xml").write_text(f'<mujoco><body name="hand"><joint/>{GEOM}</body></mujoco>')
    (tmp_path / "secret.xml").write_text("<mujoco/>")
    text = '<mujoco>\n<worldbody><include file="{}"/></worldbody></mujoco>'
    for name in ("../hand.xml", "hand.xml"):
        m = pl.from_mjcf(file(folder, text.format(name)), folders=[tmp_path / "robots"])
        assert "hand" in m.bodies
    for name in ("../../secret.xml", "../hand.xml/../../secret.xml", "/etc/passwd", ""):
        with pytest.raises(
            ExchangeError, match=r"there is no such file below the folder .* Specify folders=\[\.\.\.\]"
        ):
            pl.from_mjcf(file(folder, text.format(name)), folders=[tmp_path / "robots"])
    with pytest.raises(ExchangeError, match="folders: there is no folder"):
        pl.from_mjcf(file(folder, text.format("../hand.xml")), folders=[tmp_path / "nothing"])


def test_options_that_are_not_used_are_reported(tmp_path: Path) -> None:
    options = '<option density="1.2" viscosity="1.8e-5" wind="1 0 0"><flag frictionloss="disable" contact="disable"/></option>'
    body = f'<worldbody><body name="a"><joint/>{GEOM}</body></worldbody>'
    report = pl.ImportReport()
    pl.from_mjcf(file(tmp_path, f"<mujoco>\n{options}{body}</mujoco>"), report=report)
    ignored = "\n".join(report.of("ignored"))
    assert (
        "line 2: option: fluid with density 1.2 kg/m^3, viscosity 1.8e-05 Pa*s, wind (1, 0, 0) m/s. Forces of a"
        in ignored
    )
    assert 'flag frictionloss="disable" is not used: the model has the friction of joints' in ignored
    assert "flag contact" not in ignored
    report = pl.ImportReport()
    pl.from_mjcf(file(tmp_path, f'<mujoco><option density="0"/>{body}</mujoco>'), report=report)
    assert "fluid" not in report.text()


def test_relations_hold_in_motion(tmp_path: Path) -> None:
    m = pl.from_mjcf(file(tmp_path, GEARED_MJCF), keyframe="bent", controls={"push": 0.5, "hold": 0.1})
    run = pl.dynamics(m, duration="0.5 s", step="1 ms")
    ja, jb, jc, jd = (run[f"{name}.angle"].values for name in ("ja", "jb", "jc", "jd"))
    assert np.ptp(ja) > 0.1
    np.testing.assert_allclose(jd, 0.5 * ja + 0.3 * ja**2, atol=1e-7)
    np.testing.assert_allclose(jb + 2 * jc, 0.0, atol=1e-7)


def test_actuators_are_torques_of_signals(tmp_path: Path) -> None:
    """Laws of MuJoCo: gear * clip(gain * clip(control) + bias)."""
    controls = {"push": 2.0, "hold": pl.Ramp(0, 1, 0, 0.1), "spin": 0.3, "tense": 0.2}
    m = pl.from_mjcf(file(tmp_path, GEARED_MJCF), controls=controls)
    run = pl.dynamics(m, duration="0.2 s", step="1 ms", output_step="10 ms")
    q, v = ({n: run[f"{n}.{what}"].values for n in ("ja", "jb", "jd")} for what in ("angle", "angular_speed"))
    np.testing.assert_allclose(run["push_torque.torque"].values, 3.0, rtol=1e-12)
    hold = np.clip(20 * (run["hold.value"].values - q["jb"]) - 0.5 * v["jb"], -5, 5)
    np.testing.assert_allclose(run["hold_torque.torque"].values, hold, atol=1e-9)
    np.testing.assert_allclose(run["spin_torque.torque"].values, 0.4 * (0.3 - v["jd"]), atol=1e-9)
    cable = 0.4 - (q["ja"] - 0.5 * q["jb"]) - 0.2 * (v["ja"] - 0.5 * v["jb"])
    np.testing.assert_allclose(run["tense_jb_torque.torque"].values, -0.5 * cable, atol=1e-9)
    assert not [name for name in pl.from_mjcf(file(tmp_path, GEARED_MJCF), actuators=False).loads if "push" in name]


def test_loops_are_closed(tmp_path: Path) -> None:
    """Two rods that meet: a four-bar linkage of equal rods has one degree of freedom."""
    rods = (
        f'<body name="a"><joint name="ja" axis="0 1 0"/>{GEOM}<body name="c" pos="0 0 1"><joint name="jc" axis="0 1 0"/>{GEOM}'
        f'</body></body><body name="b" pos="1 0 0"><joint name="jb" axis="0 1 0"/>{GEOM}</body>'
    )
    equality = '<equality><connect name="pin" body1="b" body2="c" anchor="0 0 1"/></equality>'
    m = model(tmp_path, rods, equality)
    assert m.joints["pin"].kind == "spherical"
    assert len(pl.JointSpace(m).coordinates) == 1
    weld = model(tmp_path, rods, '<equality><weld body1="b" body2="c"/></equality>')
    assert weld.joints["weld_equality_1"].kind == "fixed"


def test_a_sum_of_three_joints(tmp_path: Path) -> None:
    bodies = "".join(
        f'<body name="{n}" pos="{i} 0 0"><joint name="j{n}" axis="0 0 1"/>'
        f'<inertial pos="0 0 0" mass="1" diaginertia="1 1 {i + 1}"/></body>'
        for i, n in enumerate("abc")
    )
    tendon = (
        '<tendon><fixed name="t"><joint joint="ja" coef="1"/><joint joint="jb" coef="2"/><joint joint="jc" coef="-1"/></fixed>'
        "</tendon>"
        '<equality><tendon tendon1="t"/></equality>'
    )
    m = model(tmp_path, bodies, tendon)
    m.torque("push", "ja", 1.0)
    M = pl.mass_matrix(m, ["ja", "jb"]).values
    G = np.array([[1, 0], [0, 1], [1, 2]])
    np.testing.assert_allclose(M, G.T @ np.diag([1.0, 2.0, 3.0]) @ G, atol=1e-12)
    run = pl.dynamics(m, duration="1 s", step="10 ms")
    speeds = np.linalg.solve(M, [1.0, 0.0])
    assert run["ja.angular_speed"].final == pytest.approx(speeds[0], rel=1e-9)
    assert run["jb.angular_speed"].final == pytest.approx(speeds[1], rel=1e-9)


def test_a_model_file_keeps_everything(tmp_path: Path) -> None:
    for text in (TREE_MJCF, GEARED_MJCF):
        m = pl.from_mjcf(file(tmp_path, text), shapes=False)
        m.to_toml(tmp_path / "m.toml", overwrite=True)
        other = pl.load(tmp_path / "m.toml").model
        assert [*other.elements, *other.loads, *other.joints] == [*m.elements, *m.loads, *m.joints]
        np.testing.assert_allclose(pl.mass_matrix(other).values, pl.mass_matrix(m).values, atol=1e-13)


BAD = {
    "class": ('<body name="a" childclass="x"><joint/></body>', "", "there is no class 'x' in <default>"),
    "twice": (f'<body name="a">{GEOM}</body><body name="a"/>', "", 'body "a": the name is used twice'),
    "joints": (
        f'<body><joint name="j"/>{GEOM}</body><body><joint name="j"/>{GEOM}</body>',
        "",
        "the name is used twice",
    ),
    "no mass": ('<body name="a"><joint name="j"/></body>', "", 'joint "j" (revolute) moves no inertia: link "a"'),
    "size": ('<body name="a"><joint/><geom type="box" size="1"/></body>', "", "needs 3 sizes, got 1"),
    "negative size": ('<body name="a"><joint/><geom size="-1"/></body>', "", "sizes of a geom must be positive"),
    "mesh": ('<body name="a"><joint/><geom type="mesh" mesh="m"/></body>', "", 'there is no mesh "m" in <asset>'),
    "range": (f'<body name="a"><joint name="j" range="2 1"/>{GEOM}</body>', "", "the range from 2 to 1 is empty"),
    "equality": (f'<body><joint name="j"/>{GEOM}</body>', '<equality><joint joint1="k"/></equality>', 'no joint "k"'),
    "actuator": (f'<body><joint name="j"/>{GEOM}</body>', '<actuator><motor joint="k"/></actuator>', 'no joint "k"'),
    "free": (f"<body>{GEOM}<body><freejoint/>{GEOM}</body></body>", "", "a free joint must be the only joint"),
    "replicate": ('<replicate count="3"/>', "", "<replicate> is not read"),
    "empty": ("", "", "the model has no <body> in <worldbody>"),
    "quat": (f'<body quat="0 0 0 0">{GEOM}</body>', "", 'attribute "quat" has the length 0'),
    "two": (f'<body euler="1 2 3" zaxis="0 0 1">{GEOM}</body>', "", "has several orientations: euler and zaxis"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files(case: str, tmp_path: Path) -> None:
    body, more, message = BAD[case]
    with pytest.raises(ExchangeError) as error:
        model(tmp_path, body, more)
    assert message in str(error.value) and "robot.xml, line" in str(error.value), str(error.value)


def test_the_format_follows_from_the_contents(tmp_path: Path) -> None:
    assert format_of(file(tmp_path, TREE_MJCF)).name == "MJCF"
    assert format_of(tmp_path / "robot.urdf").name == "URDF"
    with pytest.raises(ExchangeError, match="is a URDF file"):
        pl.from_mjcf(file(tmp_path, "<robot/>"))
    with pytest.raises(ExchangeError, match='there is no keyframe "home"'):
        pl.from_mjcf(file(tmp_path, GEARED_MJCF), keyframe="home")
    with pytest.raises(ExchangeError, match='controls: there is no actuator "pusch"; did you mean "push"'):
        pl.from_mjcf(file(tmp_path, GEARED_MJCF), controls={"pusch": 1})
