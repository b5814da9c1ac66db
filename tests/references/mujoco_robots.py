"""Robots in MuJoCo, to compare with: poses of bodies, mass matrix and free motion in the same joint coordinates."""

import re
from collections.abc import Sequence
from pathlib import Path

import mujoco
import numpy as np

import pitchline as pl

COMPILER = '<mujoco><compiler fusestatic="false" discardvisual="true" strippath="true" {}/></mujoco>'


def urdf_text(path: Path) -> str:
    """A URDF file without shapes, which MuJoCo would read from other files."""
    text = path.read_text(encoding="utf-8", errors="replace")
    for tag in ("visual", "collision", "gazebo", "transmission"):
        text = re.sub(rf"<{tag}\b[^>]*?/>", "", text)
        text = re.sub(rf"<{tag}\b.*?</{tag}>", "", text, flags=re.S)
    return text


def load_urdf(text: str, options: str = "") -> mujoco.MjModel:
    """MuJoCo's model of a URDF text, with all links as bodies and without its own changes of inertias."""
    at = text.index(">", text.index("<robot")) + 1
    return mujoco.MjModel.from_xml_string(text[:at] + COMPILER.format(options) + text[at:])


class Compared:
    """A robot in MuJoCo, driven by the independent coordinates of the same robot in pitchline.

    follows: (joint, other joint, multiplier, offset) of mimic joints, which MuJoCo does not read from URDF files
    """

    def __init__(
        self, model: mujoco.MjModel, names: list[str], follows: Sequence[tuple[str, str, float, float]] = ()
    ) -> None:
        self.model, self.data = model, mujoco.MjData(model)
        self.names, self.follows = names, follows
        all_names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, j) for j in range(model.njnt)]
        self.at = {name: int(model.jnt_qposadr[j]) for j, name in enumerate(all_names)}
        self.dof = {name: int(model.jnt_dofadr[j]) for j, name in enumerate(all_names)}
        self.G = np.zeros((model.nv, len(names)))
        for k, name in enumerate(names):
            self.G[self.dof[name], k] = 1.0
        for _ in range(4):  # chains of mimic joints
            for joint, other, multiplier, _offset in follows:
                self.G[self.dof[joint]] = multiplier * self.G[self.dof[other]]

    def place(self, q: np.ndarray) -> None:
        """Set the joint coordinates."""
        for name, value in zip(self.names, q, strict=True):
            self.data.qpos[self.at[name]] = value
        for _ in range(4):
            for joint, other, multiplier, offset in self.follows:
                self.data.qpos[self.at[joint]] = multiplier * self.data.qpos[self.at[other]] + offset
        mujoco.mj_forward(self.model, self.data)

    def mass_matrix(self) -> np.ndarray:
        """Mass matrix in the independent coordinates."""
        M = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, M)
        return self.G.T @ M @ self.G

    def pose(self, body: str) -> tuple[np.ndarray, np.ndarray]:
        """Position and rotation of a body in the world."""
        k = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, body)
        return self.data.xpos[k].copy(), self.data.xmat[k].reshape(3, 3).copy()


def mimics(text: str) -> list[tuple[str, str, float, float]]:
    """Mimic joints of a URDF text."""
    found = []
    for joint in re.findall(r"<joint\b.*?</joint>", text, flags=re.S):
        mimic = re.search(r"<mimic\b([^>]*)>", joint)
        head = re.match(r"<joint\b([^>]*)>", joint)
        if mimic and head and 'type="fixed"' not in head.group(1):
            given = dict(re.findall(r'(\w+)\s*=\s*"([^"]*)"', mimic.group(1)))
            name = re.search(r'name\s*=\s*"([^"]*)"', head.group(1)).group(1)
            found.append((name, given["joint"], float(given.get("multiplier", 1)), float(given.get("offset", 0))))
    return found


def differences(model: pl.Model, other: Compared, seed: int = 1, span: float = 1.0) -> tuple[float, float]:
    """Largest difference of positions of bodies [m] and of the mass matrix, relative to its largest entry, at random positions."""
    space = pl.JointSpace(model, other.names)
    rng = np.random.default_rng(seed)
    q = rng.uniform(-span, span, len(other.names))
    other.place(q)
    M, N = space.mass_matrix(q).values, other.mass_matrix()
    bodies = [name for name in model.bodies if mujoco.mj_name2id(other.model, mujoco.mjtObj.mjOBJ_BODY, name) >= 0]
    assert bodies
    far = 0.0
    for name in bodies[-12:]:  # the last ones are at the ends of the chains
        J = space.jacobian(name, q)
        x, R = other.pose(name)
        far = max(far, float(np.abs(J.position - x).max()), float(np.abs(J.orientation - R).max()))
    return far, float(np.abs(M - N).max() / np.abs(N).max())


def free_motion(
    model: mujoco.MjModel, q: dict[str, float], duration: float, step: float = 5e-5
) -> dict[str, np.ndarray]:
    """Joint coordinates and positions of bodies after a motion from rest, without contacts and limits (Runge-Kutta)."""
    model.opt.integrator, model.opt.timestep = mujoco.mjtIntegrator.mjINT_RK4, step
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT) | int(mujoco.mjtDisableBit.mjDSBL_LIMIT)
    data = mujoco.MjData(model)
    for name, value in q.items():
        data.qpos[model.jnt_qposadr[mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name)]] = value
    for _ in range(round(duration / step)):
        mujoco.mj_step(model, data)
    mujoco.mj_kinematics(model, data)
    found = {model.body(b).name: data.xpos[b].copy() for b in range(model.nbody)}
    for j in range(model.njnt):
        if model.jnt_type[j] in (2, 3):
            found[model.joint(j).name] = data.qpos[model.jnt_qposadr[j]].copy()
    return found
