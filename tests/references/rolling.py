"""The gear pair of a model as an element on the bench: its constraint row and its wrench, in world axes."""

import numpy as np
from references.element_bench import Probe, call, pose, residual
from references.gear_mesh_cases import unlimited

import pitchline as pl
from pitchline.engine.compile.compiler import compile_model
from pitchline.engine.elements.contract import TANGENT
from pitchline.parts.meshes.kernel import GEAR_MESH


def mesh_probe(model: pl.Model, name: str, lam: float = 1.0) -> Probe:
    """A pair of a model in its initial pose. Nodes are the origins of bodies whose centres of mass are there."""
    system, state = compile_model(model, reduce=False)
    e = next(i for i, x in enumerate(system.elements) if x.kind is GEAR_MESH and x.name == name)
    element = unlimited(system.elements[e])  # poses of tests are farther from each other than contact allows
    K = system.kinematics(state)
    P = np.stack([pose(K["x"][n], K["R"][n]) for n in element.nodes])
    memory = state.mem[system.mem0[e] : system.mem1[e]].copy()
    return Probe(element, P, np.zeros((2, 6)), np.zeros((2, 6)), np.array([lam]), system.functions, memory)


def to_world(probe: Probe, values: np.ndarray) -> np.ndarray:
    """(12,): rotation parts from node axes to those of the world."""
    out = np.array(values[:12])
    for k in range(2):
        out[6 * k + 3 : 6 * k + 6] = probe.rotation(k) @ out[6 * k + 3 : 6 * k + 6]
    return out


def constraint(probe: Probe) -> float:
    """u [m], how far the pitch surface of A has rolled ahead of that of B."""
    return float(residual(probe)[12])


def constraint_row(probe: Probe) -> np.ndarray:
    """(12,): du by dx_A, dtheta_A, dx_B, dtheta_B, world components."""
    return to_world(probe, call(probe, TANGENT, stiffness=1.0).J[12])


def wrench(probe: Probe) -> np.ndarray:
    """(12,): force on A, moment on A about its node, the same of B, world components, at the multiplier of the probe."""
    return to_world(probe, -residual(probe))
