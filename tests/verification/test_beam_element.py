"""The beam element against a second writing of it, and the laws it has to obey."""

import numpy as np
import pytest
from references import beam_reference
from references.element_bench import (
    Probe,
    call,
    central,
    energies,
    exponential,
    pose,
    random_rotation,
    report,
    residual,
    scale_of,
)
from references.element_cases import some_beam, with_rigid_velocity

from pitchline.engine.elements.contract import TANGENT
from pitchline.parts.shafts.kernel import beam_element
from pitchline.parts.shafts.sections import BeamSection, exp_se3, log_se3, log_so3
from pitchline.parts.shafts.segment import Segment, segment_mass, segment_stiffness

HERE = (np.zeros(3), np.eye(3))
NODES = (1, 2)


def as_reference(probe: Probe) -> dict:
    e = probe.element.values
    weights = [(e["weight_a"], e["moment_a"]), (e["weight_b"], e["moment_b"])]
    named = {"K": "stiffness", "C": "damping", "M": "mass", "rest": "rest", "gravity": "gravity"}
    return {key: np.array(e[name]) for key, name in named.items()} | {"weights": weights}


@pytest.mark.parametrize("bent", [1e-9, 1e-4, 0.05, 0.5])
def test_residual_and_tangents_against_complex_steps(bent: float) -> None:
    """To rounding, from undeformed to strongly bent."""
    for seed in range(3):
        probe = some_beam(np.random.default_rng(seed), placed=False, damped=True, bent=bent)
        values = as_reference(probe)
        x, R = probe.P[:, :3], probe.P[:, 3:].reshape(2, 3, 3)
        expected = beam_reference.beam_residual(values, x, R, probe.V, probe.A)
        np.testing.assert_allclose(residual(probe), expected, rtol=0, atol=1e-13 * scale_of(expected))
        found = [call(probe, TANGENT, **{name: 1.0}).J for name in ("stiffness", "damping", "mass")]
        for J, by in zip(found, beam_reference.derivatives(values, x, R, probe.V, probe.A), strict=True):
            np.testing.assert_allclose(J, by, rtol=0, atol=2e-13 * scale_of(by))


def elastic(rng: np.random.Generator, d: np.ndarray, rest: np.ndarray, *, K: np.ndarray | None = None) -> Probe:
    """A beam without mass between nodes whose relative motion is d, somewhere in the world, at rest."""
    root = rng.normal(size=(6, 6))
    element = beam_element(
        "beam", NODES, HERE, HERE, K=root @ root.T if K is None else K, M=np.zeros((12, 12)), rest=rest
    )
    xA, RA = rng.normal(size=3), random_rotation(rng)
    x, R = exp_se3(d)
    return Probe(
        element, np.stack([pose(xA, RA), pose(xA + RA @ x, RA @ R)]), np.zeros((2, 6)), np.zeros((2, 6)), np.zeros(0)
    )


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-7, 1e-3, 0.03, 0.2, 1.0, 2.5, 2.7, 3.0, np.pi - 1e-3, np.pi - 1e-9])
def test_logarithm_of_small_and_large_rotations(angle: float) -> None:
    """The relative motion that the element reports is the one it was given, to the rounding of rotation matrices; near a half turn
    an angle follows from the matrix as well as elsewhere."""
    rng = np.random.default_rng(3)
    axes = [np.eye(3)[k] for k in range(3)] + [a / np.linalg.norm(a) for a in rng.normal(size=(4, 3))]
    for axis in axes:
        d = np.concatenate([0.1 * rng.normal(size=3), angle * axis])
        probe = elastic(rng, d, np.zeros(6))
        found = report(probe)
        np.testing.assert_allclose(found["bend"], d[3:], rtol=0, atol=2e-15)
        np.testing.assert_allclose(found["stretch"], d[:3], rtol=0, atol=3e-15)
        x, R = exp_se3(d)
        np.testing.assert_allclose(log_se3(x, R), d, rtol=0, atol=2e-15)
        np.testing.assert_allclose(log_so3(R.T), -d[3:], rtol=0, atol=2e-15)


def test_force_is_the_gradient_of_the_strain_energy_and_in_balance() -> None:
    rng = np.random.default_rng(0)
    for angle in (0.1, 1.5, 2.8):
        axis = rng.normal(size=3)
        d = np.concatenate([rng.normal(size=3), angle * axis / np.linalg.norm(axis)])
        probe = elastic(rng, d, 0.3 * rng.normal(size=6))
        r = residual(probe)
        gradient = [
            central(
                lambda e, i=i, p=probe: energies(
                    Probe(p.element, p.P, np.eye(12)[i].reshape(2, 6), p.A, p.lam).along(e)
                )[1]
            )
            for i in range(12)
        ]
        np.testing.assert_allclose(r, gradient, rtol=0, atol=1e-8 * scale_of(r))
        force, moment = np.zeros(3), np.zeros(3)
        for k in range(2):
            force += r[6 * k : 6 * k + 3]
            moment += np.cross(probe.P[k, :3], r[6 * k : 6 * k + 3]) + probe.rotation(k) @ r[6 * k + 3 : 6 * k + 6]
        np.testing.assert_allclose([force, moment], 0.0, atol=1e-12 * scale_of(r, probe.P))
        J = call(probe, TANGENT, stiffness=1.0).J
        np.testing.assert_allclose(J @ rigid_motion(probe).T, turning_forces(probe, r).T, atol=1e-12 * scale_of(J))


def rigid_motion(probe: Probe) -> np.ndarray:
    """(6, 12): small translations and rotations of the world, as increments of both nodes."""
    out = np.zeros((6, 12))
    for k in range(2):
        R, x = probe.rotation(k), probe.P[k, :3]
        for i, e in enumerate(np.eye(3)):
            out[i, 6 * k : 6 * k + 3] = e
            out[3 + i, 6 * k : 6 * k + 3] = np.cross(e, x)
            out[3 + i, 6 * k + 3 : 6 * k + 6] = R.T @ e
    return out


def turning_forces(probe: Probe, r: np.ndarray) -> np.ndarray:
    """(6, 12): what forces change by under them: they turn with the world, moments in node axes stay."""
    out = np.zeros((6, 12))
    for k in range(2):
        for i, e in enumerate(np.eye(3)):
            out[3 + i, 6 * k : 6 * k + 3] = np.cross(e, r[6 * k : 6 * k + 3])
    return out


def test_section_forces_are_those_on_the_nodes() -> None:
    """At B the section carries what acts on node B; at A the same with the other sign, each in the axes of its own section."""
    rng = np.random.default_rng(5)
    probe = elastic(rng, np.array([0.01, 0.02, 0.5, 0.3, -0.2, 0.4]), np.array([0, 0, 0.5, 0, 0, 0.0]))
    r, out = residual(probe), report(probe)
    for k, end, sign in ((0, "a", -1.0), (1, "b", 1.0)):
        np.testing.assert_allclose(out[f"force_{end}"], sign * probe.rotation(k).T @ r[6 * k : 6 * k + 3], atol=1e-12)
        np.testing.assert_allclose(out[f"moment_{end}"], sign * r[6 * k + 3 : 6 * k + 6], atol=1e-12)


def change_by_translation(kind: str, *, bend: float = 0.0, length: float = 0.4, spin: tuple[float, ...]) -> np.ndarray:
    """Of the forces (12) of a turning steel tube, when a steady translation is added to its motion."""
    segment = Segment.uniform(length, BeamSection.circle(0.06, inner=0.03))
    K = segment_stiffness(segment)
    element = beam_element("b", NODES, HERE, HERE, K=K, M=segment_mass(segment, K, kind), rest=segment.rest)
    x, R = exp_se3(segment.rest + np.array([0, 0, 0, bend, 0.3 * bend, 0]))
    zero = np.zeros((2, 6))
    still = Probe(element, np.stack([pose(np.zeros(3), np.eye(3)), pose(x, R)]), zero, zero, np.zeros(0))
    turning = with_rigid_velocity(still, np.zeros(3), np.array(spin))
    return residual(with_rigid_velocity(turning, np.array([3.0, -2.0, 1.0]), np.zeros(3))) - residual(turning)


def test_a_steady_translation_changes_no_force() -> None:
    """Exactly with the mass in the nodes; with the other ones for a straight shaft that turns about its axis. A beam that turns
    about an axis across gets moments that fall with the square of the length of the element, and no force."""
    any_axis = (0.3, -0.5, 2.0)
    np.testing.assert_allclose(change_by_translation("lumped", bend=0.5, spin=any_axis), 0.0, atol=1e-12)
    np.testing.assert_allclose(change_by_translation("tuned", spin=(0.0, 0.0, 100.0)), 0.0, atol=1e-10)
    long, short = (change_by_translation("tuned", length=h, spin=any_axis) for h in (0.4, 0.2))
    np.testing.assert_allclose(long[[0, 1, 2, 6, 7, 8]], 0.0, atol=1e-12)
    np.testing.assert_allclose(long[3:6] + long[9:12], 0.0, atol=1e-12)
    assert np.linalg.norm(long) / np.linalg.norm(short) == pytest.approx(4.0, abs=0.4)


def test_rigid_motion_of_the_inertia_is_that_of_a_rigid_body() -> None:
    """Force and moment of a segment that moves as a rigid body, steps and levers included."""
    rng = np.random.default_rng(7)
    segment = Segment.uniform(0.3, BeamSection.rectangle(0.02, 0.05, centroid=(0.004, -0.003), angle=0.3))
    M = segment_mass(segment)
    frames = [(rng.normal(size=3), random_rotation(rng)) for _ in range(2)]
    element = beam_element("b", NODES, *frames, K=segment_stiffness(segment), M=M, rest=segment.rest)
    xS, RS = rng.normal(size=3), random_rotation(rng)  # pose of the segment
    ends = [(xS, RS), (xS + RS @ [0, 0, 0.3], RS)]
    nodes = [(x - R @ f[1].T @ f[0], R @ f[1].T) for (x, R), f in zip(ends, frames, strict=True)]
    v, w, a, al = rng.normal(size=(4, 3))  # of the point xS, world axes
    V, A = np.zeros((2, 6)), np.zeros((2, 6))
    for k, (x, R) in enumerate(nodes):
        arm = x - xS
        V[k] = [*(v + np.cross(w, arm)), *(R.T @ w)]
        A[k] = [*(a + np.cross(al, arm) + np.cross(w, np.cross(w, arm))), *(R.T @ al)]
    probe = Probe(element, np.stack([pose(x, R) for x, R in nodes]), V, A, np.zeros(0))
    r = residual(probe)
    force = r[:3] + r[6:9]
    moment = sum(
        np.cross(x - xS, r[6 * k : 6 * k + 3]) + R @ r[6 * k + 3 : 6 * k + 6] for k, (x, R) in enumerate(nodes)
    )
    section = segment.pieces[0].at(0.0)
    mass, d = 0.3 * section.mass[0, 0], RS @ [0.004, -0.003, 0.15]
    carry = np.vstack([np.eye(6), segment.motion(0.0, 1.0)])
    inertia = RS @ (carry.T @ M @ carry)[3:, 3:] @ RS.T
    np.testing.assert_allclose(force, mass * (a + np.cross(al, d) + np.cross(w, np.cross(w, d))), rtol=1e-11)
    np.testing.assert_allclose(
        moment, inertia @ al + np.cross(w, inertia @ w) + mass * np.cross(d, a), rtol=1e-10, atol=1e-11
    )


def test_weight_is_that_of_the_segment() -> None:
    """Total weight and its moment about the start, whatever the pose, curved reference and section."""
    rng = np.random.default_rng(2)
    gravity = np.array([0.3, -9.0, 2.0])
    section = BeamSection.rectangle(0.02, 0.05, centroid=(0.004, -0.003))
    segment = Segment.uniform(0.3, section, np.array([0, 0, 0.3, 0.6, 0.1, -0.2]))
    element = beam_element(
        "b",
        NODES,
        HERE,
        HERE,
        K=segment_stiffness(segment),
        M=segment_mass(segment),
        rest=segment.rest,
        gravity=gravity,
    )
    R0 = random_rotation(rng)
    x, R = exp_se3(segment.rest)
    zero = np.zeros((2, 6))
    r = residual(Probe(element, np.stack([pose(np.zeros(3), R0), pose(R0 @ x, R0 @ R)]), zero, zero, np.zeros(0)))
    shares, weights = np.polynomial.legendre.leggauss(12)
    mass, first = 0.0, np.zeros(3)
    for s, weight in zip(0.5 * (shares + 1), 0.5 * weights * segment.length, strict=True):
        at, axes = exp_se3(s * segment.rest)
        mass += weight * section.mass[0, 0]
        first += weight * section.mass[0, 0] * (R0 @ (at + axes @ [0.004, -0.003, 0.0]))
    np.testing.assert_allclose(r[:3] + r[6:9], -mass * gravity, rtol=1e-9)
    moment = R0 @ r[3:6] + R0 @ R @ r[9:12] + np.cross(R0 @ x, r[6:9])
    np.testing.assert_allclose(moment, -np.cross(first, gravity), rtol=1e-7)


def test_turned_nodes_with_frames_are_the_same_beam() -> None:
    """Frames in node axes say where the sections are: nodes placed elsewhere on the same bodies give the same energies and
    section forces."""
    rng = np.random.default_rng(4)
    segment = Segment.uniform(0.3, BeamSection.circle(0.03))
    K, M = segment_stiffness(segment), segment_mass(segment)
    x, R = exp_se3(segment.rest + 1e-2 * rng.normal(size=6))
    ends = [(np.zeros(3), np.eye(3)), (x, R)]
    speeds = rng.normal(size=(2, 6))  # of the ends, world translation and body rotation
    power = []
    for frames in ([HERE, HERE], [(rng.normal(size=3), exponential(rng.normal(size=3))) for _ in range(2)]):
        element = beam_element("b", NODES, *frames, K=K, M=M, rest=segment.rest, damping=1e-4 * K)
        P, V, A = [], [], []
        for (at, axes), (xe, Re), v in zip(frames, ends, speeds, strict=True):
            Rn = Re @ axes.T
            w = Re @ v[3:]
            P.append(pose(xe - Rn @ at, Rn))
            V.append([*(v[:3] - np.cross(w, Rn @ at)), *(Rn.T @ w)])
            A.append([*-np.cross(w, np.cross(w, Rn @ at)), 0.0, 0.0, 0.0])  # the ends themselves have none
        probe = Probe(element, np.stack(P), np.array(V), np.array(A), np.zeros(0))
        power.append([*energies(probe), *report(probe)["moment_b"]])
    np.testing.assert_allclose(power[0], power[1], rtol=1e-10)
